//! Glue between Envoy's proxy-wasm callbacks and [`policy`]: callbacks become events, effects become host calls. It
//! decides nothing.
//!
//! Three of the host's habits are dealt with here and nowhere else. The size given to a body callback counts all that is
//! held, so only what is new is read. A stream that waits is reached from the root context's tick by setting the
//! effective context, and a call made then is answered at the root. And a call in flight is cancelled when its stream
//! ends, since the host would let it run.
#![allow(
    missing_docs,
    unsafe_code,
    reason = "the SDK's entry-point macro exports an undocumented, unmangled symbol"
)]

mod host;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::time::Duration;

use policy::{Call, CallFailure, Config, DaemonTarget, Effect, Event, Head, Stream, Worker};
use proxy_wasm::traits::{Context, HttpContext, RootContext};
use proxy_wasm::types::{Action, BufferType, ContextType, LogLevel, MapType};

/// How often waiting streams are told the time: a tenth of the shortest deadline that makes sense to a person.
const TICK: Duration = Duration::from_millis(100);

proxy_wasm::main! {{
    proxy_wasm::set_log_level(LogLevel::Info);
    proxy_wasm::set_root_context(|_| Box::new(Root::default()));
}}

/// What the contexts of one worker share.
#[derive(Debug)]
struct Shared {
    worker: Rc<Worker>,
    /// The streams, by context id, so that a tick can reach them.
    slots: RefCell<BTreeMap<u32, Rc<Slot>>>,
    /// Metric ids by name, defined when first used.
    metrics: RefCell<HashMap<String, Option<u32>>>,
}

/// A stream and its call in flight.
#[derive(Debug)]
struct Slot {
    stream: RefCell<Stream>,
    token: Cell<Option<u32>>,
}

#[derive(Debug, Default)]
struct Root {
    shared: Option<Rc<Shared>>,
}

impl Context for Root {
    /// A call made in a tick is answered here: the SDK notes who was called back, not whose call it is.
    fn on_grpc_call_response(&mut self, token: u32, status: u32, size: usize) {
        let Some(shared) = &self.shared else { return };
        let asked = shared
            .slots
            .borrow()
            .iter()
            .find(|(_, slot)| slot.token.get() == Some(token))
            .map(|(id, slot)| (*id, Rc::clone(slot)));
        if let Some((id, slot)) = asked
            && host::set_effective_context(id)
        {
            shared.answered(&slot, token, status, size);
        }
    }
}

impl RootContext for Root {
    fn on_configure(&mut self, size: usize) -> bool {
        let text = host::buffer(BufferType::PluginConfiguration, 0, size);
        let config = match Config::from_json(&text) {
            Ok(config) => config,
            Err(error) => {
                host::log(LogLevel::Critical, &format!("forebay: configuration refused: {error}"));
                return false;
            }
        };
        self.shared = Some(Rc::new(Shared {
            worker: Rc::new(Worker::new(Rc::new(config))),
            slots: RefCell::default(),
            metrics: RefCell::default(),
        }));
        host::set_tick_period(TICK);
        true
    }

    fn on_tick(&mut self) {
        let Some(shared) = &self.shared else { return };
        let waiting: Vec<_> = shared
            .slots
            .borrow()
            .iter()
            .filter(|(_, slot)| slot.stream.borrow().waits())
            .map(|(id, slot)| (*id, Rc::clone(slot)))
            .collect();
        for (id, slot) in waiting {
            if host::set_effective_context(id) {
                shared.drive(&slot, Event::Tick, At::Elsewhere);
            }
        }
    }

    fn create_http_context(&self, id: u32) -> Option<Box<dyn HttpContext>> {
        let shared = Rc::clone(self.shared.as_ref()?);
        let stream = RefCell::new(Stream::new(Rc::clone(&shared.worker)));
        let slot = Rc::new(Slot { stream, token: Cell::new(None) });
        shared.slots.borrow_mut().insert(id, Rc::clone(&slot));
        Some(Box::new(Http { id, shared, slot, seen: 0 }))
    }

    fn get_type(&self) -> Option<ContextType> {
        Some(ContextType::HttpContext)
    }
}

/// Where an event is handled, which decides how a request is let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// In a callback for the request, whose return value lets it go.
    RequestCallback,
    /// Anywhere else: the host must be asked.
    Elsewhere,
}

impl Shared {
    /// Hands an event to a stream and carries out what it wants.
    fn drive(&self, slot: &Slot, event: Event<'_>, at: At) {
        let mut effects = slot.stream.borrow_mut().on(host::now(), event);
        // An effect may bring further effects; a stream asks for each part of a body once and for one call, so this ends.
        while !effects.is_empty() {
            let mut more = Vec::new();
            for effect in effects {
                more.extend(self.carry_out(slot, effect, at));
            }
            effects = more;
        }
    }

    fn carry_out(&self, slot: &Slot, effect: Effect, at: At) -> Vec<Effect> {
        let done = match effect {
            Effect::RemoveRequestHeader(name) => {
                host::remove_header(MapType::HttpRequestHeaders, &name);
                true
            }
            Effect::SetRequestHeader(name, value) => {
                host::set_header(MapType::HttpRequestHeaders, &name, &value)
            }
            Effect::RemoveResponseHeader(name) => {
                host::remove_header(MapType::HttpResponseHeaders, &name);
                true
            }
            Effect::SetResponseHeader(name, value) => {
                host::set_header(MapType::HttpResponseHeaders, &name, &value)
            }
            Effect::Call(call) => match self.call(&call) {
                Some(token) => {
                    slot.token.set(Some(token));
                    true
                }
                None => {
                    let failed = Event::Answer(Err(CallFailure::NotSent));
                    return slot.stream.borrow_mut().on(host::now(), failed);
                }
            },
            Effect::CancelCall => {
                slot.cancel();
                true
            }
            Effect::ReadBody { from, max } => {
                let part = host::buffer(BufferType::HttpRequestBody, from, max);
                return slot.stream.borrow_mut().on(host::now(), Event::HeldBody(&part));
            }
            Effect::ReplaceBody(body) => {
                let done = host::replace_buffer(BufferType::HttpRequestBody, &body);
                let event = Event::BodyReplaced(if done { Ok(()) } else { Err(()) });
                return slot.stream.borrow_mut().on(host::now(), event);
            }
            Effect::ReplaceResponseChunk(bytes) => {
                host::replace_buffer(BufferType::HttpResponseBody, &bytes)
            }
            Effect::Resume => at == At::RequestCallback || host::resume_request(),
            Effect::Reply(reply) => {
                host::reply(reply.status, &reply.details, &reply.headers, &reply.body)
            }
            Effect::Count(name) => {
                if let Some(id) = self.metric(host::MetricKind::Counter, &name) {
                    host::increment_metric(id);
                }
                true
            }
            Effect::Observe(name, value) => {
                if let Some(id) = self.metric(host::MetricKind::Histogram, name) {
                    host::record_metric(id, value);
                }
                true
            }
        };
        if !done {
            host::log(LogLevel::Warn, "forebay: the proxy refused a change to a stream");
        }
        Vec::new()
    }

    /// The daemon's answer has come, or the call has failed.
    fn answered(&self, slot: &Slot, token: u32, status: u32, size: usize) {
        if slot.token.get() != Some(token) {
            return;
        }
        slot.token.set(None);
        let bytes = host::buffer(BufferType::GrpcReceiveBuffer, 0, size);
        let answer =
            if status == 0 { Ok(bytes.as_slice()) } else { Err(CallFailure::Status(status)) };
        self.drive(slot, Event::Answer(answer), At::Elsewhere);
    }

    fn call(&self, call: &Call) -> Option<u32> {
        let cluster = match &self.worker.config().daemon.target {
            DaemonTarget::Cluster(name) => name.clone(),
            DaemonTarget::ExtensionBackend(alias) => {
                let path = [
                    "xds",
                    "route_metadata",
                    "filter_metadata",
                    "gateway.envoyproxy.io/extension-backends",
                    alias.as_str(),
                ];
                String::from_utf8(host::property(&path)?).ok()?
            }
        };
        // The SDK's own call, since only it can tell its dispatcher which stream the answer belongs to.
        proxy_wasm::hostcalls::dispatch_grpc_call(
            &policy::grpc_service(&cluster),
            policy::SERVICE,
            policy::METHOD,
            Vec::new(),
            Some(&call.message),
            call.timeout,
        )
        .ok()
    }

    fn metric(&self, kind: host::MetricKind, name: &str) -> Option<u32> {
        if let Some(known) = self.metrics.borrow().get(name) {
            return *known;
        }
        let id = host::define_metric(kind, name);
        self.metrics.borrow_mut().insert(name.to_owned(), id);
        id
    }
}

impl Slot {
    fn cancel(&self) {
        if let Some(token) = self.token.take() {
            host::cancel_call(token);
        }
    }

    fn action(&self) -> Action {
        if self.stream.borrow().holds() { Action::Pause } else { Action::Continue }
    }
}

/// One HTTP stream.
#[derive(Debug)]
struct Http {
    id: u32,
    shared: Rc<Shared>,
    slot: Rc<Slot>,
    /// Body bytes that the stream has been given.
    seen: usize,
}

impl Http {
    fn drive(&self, event: Event<'_>) -> Action {
        self.shared.drive(&self.slot, event, At::RequestCallback);
        self.slot.action()
    }
}

impl Context for Http {
    fn on_grpc_call_response(&mut self, token: u32, status: u32, size: usize) {
        self.shared.answered(&self.slot, token, status, size);
    }

    fn on_done(&mut self) -> bool {
        self.slot.cancel();
        self.shared.slots.borrow_mut().remove(&self.id);
        true
    }
}

impl HttpContext for Http {
    fn on_http_request_headers(&mut self, _count: usize, ends: bool) -> Action {
        let headers = host::headers(MapType::HttpRequestHeaders);
        self.drive(Event::RequestHeaders { head: Head { headers: &headers }, ends })
    }

    fn on_http_request_body(&mut self, size: usize, ends: bool) -> Action {
        if self.slot.stream.borrow().waits_for_room() {
            // What it has not read stays with the host until there is room for it.
            return self.drive(Event::BodyHeld { bytes: size, ends });
        }
        if !self.slot.stream.borrow().reads() {
            return self.slot.action();
        }
        // `size` counts all that is held; `seen` of it has been read.
        let new = size.saturating_sub(self.seen);
        let chunk = if new == 0 {
            Vec::new()
        } else {
            host::buffer(BufferType::HttpRequestBody, self.seen, new)
        };
        self.seen = self.seen.saturating_add(chunk.len());
        self.drive(Event::RequestBody { chunk: &chunk, ends })
    }

    fn on_http_request_trailers(&mut self, _count: usize) -> Action {
        self.drive(Event::RequestTrailers)
    }

    fn on_http_response_headers(&mut self, _count: usize, _ends: bool) -> Action {
        let headers = host::headers(MapType::HttpResponseHeaders);
        let event = Event::ResponseHeaders(Head { headers: &headers });
        self.shared.drive(&self.slot, event, At::Elsewhere);
        Action::Continue
    }

    fn on_http_response_body(&mut self, size: usize, ends: bool) -> Action {
        if self.slot.stream.borrow().restores() {
            let chunk = host::buffer(BufferType::HttpResponseBody, 0, size);
            self.shared.drive(
                &self.slot,
                Event::ResponseBody { chunk: &chunk, ends },
                At::Elsewhere,
            );
        }
        Action::Continue
    }
}
