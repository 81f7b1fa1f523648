//! The pure layer: `policy::Stream` with a proxy, a clock and a classifier that are played.

use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use forebay_proto::v1;
use peak_alloc::PeakAlloc;
use policy::{Call, CallFailure, Config, Effect, Event, Head, Stream, Worker};
use prost::Message as _;

use super::{Host, Layer, Load, Rounds, STEP, UPSTREAM_ANSWER, Updates};
use crate::exchange::{Classifier, Exchange, Reset};
use crate::kinds::ConfigRefusal;
use crate::observed::{Forwarded, Headers, Observed};
use crate::oracle;
use crate::settings::Settings;

/// Counts what is allocated, so that the layer can tell what the filter holds.
#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// How often the filter's glue tells the time.
const TICK: Duration = Duration::from_millis(100);
/// How many exchanges of a load are played.
const FEW: usize = 6;
/// No request may take longer, in played time.
const PATIENCE: Duration = Duration::from_secs(120);

/// The pure layer.
#[derive(Debug, Default)]
pub(crate) struct Pure;

impl Host for Pure {
    fn layer(&self) -> Layer {
        Layer::Pure
    }

    fn play(&mut self, settings: &Settings, exchanges: &[Exchange]) -> Result<Vec<Observed>> {
        let config = Config::from_json(settings.json().as_bytes())
            .context("the filter refuses the settings")?;
        let worker = Rc::new(Worker::new(Rc::new(config)));
        Ok(exchanges.iter().map(|exchange| Proxy::new(&worker, exchange).play()).collect())
    }

    fn load(&mut self, settings: &Settings, load: &Load) -> Result<Rounds> {
        let config = Config::from_json(settings.json().as_bytes())
            .context("the filter refuses the settings")?;
        let worker = Rc::new(Worker::new(Rc::new(config)));
        let mut rounds = Rounds::default();
        for round in 1..=load.rounds {
            // Nothing runs at once here, and streams share no memory but the worker's account of it: one exchange of
            // each sort tells as much as many.
            let few = load.exchanges.len().min(FEW);
            let last =
                load.exchanges.get(few..).unwrap_or_default().last().filter(|_| load.last_is_alone);
            for exchange in load.exchanges.iter().take(few).chain(last) {
                let mut observed = Proxy::new(&worker, exchange).play();
                observed.forwarded.iter_mut().for_each(|f| f.body.shrink_to_fit());
                if round == load.rounds {
                    rounds.observed.push(observed);
                }
            }
            // What the streams of this round have left behind, the harness's own findings not counted.
            let found: usize =
                rounds.observed.iter().flat_map(|o| &o.forwarded).map(|f| f.body.capacity()).sum();
            rounds.memory_bytes.push(ALLOCATED.current_usage().saturating_sub(found));
        }
        Ok(rounds)
    }

    fn configure(&mut self, config: &str) -> Result<ConfigRefusal> {
        Ok(match Config::from_json(config.as_bytes()) {
            Ok(_) => ConfigRefusal::default(),
            Err(error) => ConfigRefusal { refused: true, message: error.to_string(), exit: None },
        })
    }

    fn update(&mut self, settings: &Settings, count: usize, bytes: usize) -> Result<Updates> {
        let padded = settings.padded(bytes)?.json();
        let mut worker = Worker::new(Rc::new(Config::from_json(padded.as_bytes())?));
        let before = ALLOCATED.current_usage();
        for _ in 0..count {
            worker = Worker::new(Rc::new(Config::from_json(padded.as_bytes())?));
        }
        let growth = ALLOCATED.current_usage().saturating_sub(before);
        let bad_refused = Config::from_json(settings.broken()?.json().as_bytes()).is_err();
        let plain = Exchange::chat("hi");
        let served = Proxy::new(&Rc::new(worker), &plain).play();
        Ok(Updates {
            growth_bytes: Some(growth),
            bad_refused,
            serves_after_bad: served.status == Some(200),
        })
    }
}

/// The most bytes that were allocated while `work` ran, over what was allocated before.
pub(crate) fn peak_bytes<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let result = work();
    (result, ALLOCATED.peak_usage().saturating_sub(before))
}

/// What Envoy is to one stream.
struct Proxy<'a> {
    exchange: &'a Exchange,
    stream: Stream,
    now: Duration,
    next_tick: Duration,
    request: Headers,
    held: Vec<u8>,
    released: bool,
    ended: bool,
    call: Option<(Call, Duration)>,
    /// Bytes that the filter has allocated and not freed.
    kept_bytes: usize,
    state_bytes: usize,
    held_bytes: usize,
    received: usize,
    seen: Observed,
}

impl<'a> Proxy<'a> {
    fn new(worker: &Rc<Worker>, exchange: &'a Exchange) -> Self {
        Self {
            exchange,
            stream: Stream::new(Rc::clone(worker)),
            now: Duration::from_secs(1),
            next_tick: Duration::from_secs(1) + TICK,
            request: exchange.head(),
            held: Vec::new(),
            released: false,
            ended: false,
            call: None,
            kept_bytes: 0,
            state_bytes: 0,
            held_bytes: 0,
            received: 0,
            seen: Observed { log: None, ..Default::default() },
        }
    }

    fn play(mut self) -> Observed {
        let start = self.now;
        self.upload();
        let gone = self.exchange.reset.is_some() && self.seen.status.is_none();
        while !gone && !self.ended && self.seen.status.is_none() && self.now - start < PATIENCE {
            self.pass_time(self.now + TICK);
        }
        while !gone
            && self.seen.status.is_none()
            && self.call.is_some()
            && self.now - start < PATIENCE
        {
            self.wait_for_the_classifier();
        }
        if !gone && self.ended && self.released && self.seen.status.is_none() {
            self.upstream_answers();
        }
        self.seen.elapsed = self.now - start;
        self.seen.received_bytes = Some(self.received);
        self.seen.state_bytes = Some(self.state_bytes);
        self.seen.held_bytes = Some(self.held_bytes);
        self.seen
    }

    fn upload(&mut self) {
        let head = self.request.clone();
        let ends = self.exchange.ends_with_headers();
        self.ended = ends;
        self.on(Event::RequestHeaders { head: Head { headers: &head }, ends });
        if self.exchange.reset == Some(Reset::Headers) || ends {
            return;
        }
        for (at, (data, ends)) in self.exchange.frames(STEP).enumerate() {
            if self.seen.status.is_some() || self.gone() {
                return;
            }
            if at > 0 && !self.exchange.interval.is_zero() {
                self.pass_time(self.now + self.exchange.interval);
            }
            self.received += data.len();
            self.ended = ends;
            if self.stream.holds() || !self.released {
                self.held.extend(&data);
            } else if let Some(forwarded) = self.seen.forwarded.first_mut() {
                forwarded.body.extend(&data);
            }
            if self.stream.waits_for_room() {
                self.on(Event::BodyHeld { bytes: self.received, ends });
            } else if self.stream.reads() {
                self.on(Event::RequestBody { chunk: &data, ends });
            }
            self.settle();
        }
        if self.exchange.trailers.is_some() && self.seen.status.is_none() && !self.gone() {
            self.ended = true;
            self.on(Event::RequestTrailers);
        }
    }

    fn gone(&self) -> bool {
        match self.exchange.reset {
            Some(Reset::Call) => self.call.is_some(),
            Some(Reset::Bytes(bytes)) => self.received >= bytes,
            Some(Reset::Headers) => true,
            None => false,
        }
    }

    /// Hands an event to the filter and does what it wants.
    fn on(&mut self, event: Event<'_>) {
        let before = ALLOCATED.current_usage();
        let effects = self.stream.on(self.now, event);
        // What an event only needs while it runs is not held of the request.
        self.kept_bytes = (self.kept_bytes + ALLOCATED.current_usage()).saturating_sub(before);
        self.state_bytes = self.state_bytes.max(self.kept_bytes);
        for effect in effects {
            self.carry_out(effect);
        }
        self.settle();
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::RemoveRequestHeader(name) => remove(&mut self.request, &name),
            Effect::SetRequestHeader(name, value) => set(&mut self.request, &name, value),
            Effect::SetResponseHeader(name, value) => set(&mut self.seen.headers, &name, value),
            Effect::RemoveResponseHeader(name) => remove(&mut self.seen.headers, &name),
            Effect::Call(call) => {
                match v1::ClassifyRequest::decode(call.message.as_slice()) {
                    Ok(request) if self.is_reachable() => self.seen.asked.push(request),
                    Ok(_) => {}
                    Err(error) => {
                        self.seen.trap = Some(format!("the question is no message: {error}"))
                    }
                }
                self.call = Some((call, self.now));
            }
            Effect::CancelCall => self.call = None,
            Effect::ReadBody { from, max } => {
                let part = self.held.get(from..).unwrap_or_default();
                let part = part.get(..max).unwrap_or(part).to_vec();
                self.on(Event::HeldBody(&part));
            }
            Effect::ReplaceBody(body) => {
                self.held = body;
                self.on(Event::BodyReplaced(Ok(())));
            }
            Effect::ReplaceResponseChunk(bytes) => self.seen.body = bytes,
            Effect::Reply(reply) => {
                self.seen.status = u16::try_from(reply.status).ok();
                self.seen.headers = reply.headers;
                self.seen.body = reply.body;
                self.seen.access_log = Some(reply.details);
                self.answer_headers();
            }
            Effect::Count(name) => *self.seen.counters.entry(name).or_default() += 1,
            // `settle` lets go what is not held.
            Effect::Resume | Effect::Observe(..) => {}
        }
    }

    /// Lets go what the filter does not hold.
    fn settle(&mut self) {
        self.held_bytes =
            self.held_bytes.max(if self.stream.holds() { self.held.len() } else { 0 });
        if self.stream.holds() || self.seen.status.is_some() {
            return;
        }
        if !self.released {
            self.released = true;
            let headers = self.request.clone();
            self.seen.forwarded.push(Forwarded { cluster: None, headers, body: Vec::new() });
        }
        if let Some(forwarded) = self.seen.forwarded.first_mut() {
            forwarded.body.append(&mut self.held);
        }
    }

    fn is_reachable(&self) -> bool {
        !matches!(self.exchange.classifier, Classifier::Down)
    }

    fn wait_for_the_classifier(&mut self) {
        let Some((call, sent)) = self.call.clone() else { return };
        let (delay, answer) = match self.exchange.classifier {
            Classifier::Down => (Duration::ZERO, Err(14)),
            Classifier::Status(status) => (Duration::ZERO, Err(status)),
            Classifier::Answers(how, delay) => (delay, Ok(how)),
        };
        let late = delay >= call.timeout;
        let due = sent + if late { call.timeout } else { delay };
        self.pass_time(due);
        if self.call.take().is_none() {
            return;
        }
        match answer {
            // What Envoy says of a deadline: 14 and not 4.
            Ok(_) if late => self.on(Event::Answer(Err(CallFailure::Status(14)))),
            Ok(how) => {
                let bytes = self
                    .seen
                    .asked
                    .last()
                    .map(|asked| oracle::answer(asked, how))
                    .unwrap_or_default();
                self.on(Event::Answer(Ok(&bytes)));
            }
            Err(status) => self.on(Event::Answer(Err(CallFailure::Status(status)))),
        }
    }

    fn pass_time(&mut self, until: Duration) {
        while self.next_tick <= until {
            self.now = self.now.max(self.next_tick);
            self.next_tick += TICK;
            if self.stream.waits() {
                self.on(Event::Tick);
            }
        }
        self.now = self.now.max(until);
    }

    fn upstream_answers(&mut self) {
        self.seen.status = Some(200);
        self.seen.headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        self.seen.body = UPSTREAM_ANSWER.to_vec();
        self.answer_headers();
        if self.stream.restores() {
            self.on(Event::ResponseBody { chunk: UPSTREAM_ANSWER, ends: true });
        }
    }

    fn answer_headers(&mut self) {
        let mut headers = vec![(":status".to_owned(), self.seen.status.unwrap_or(0).to_string())];
        headers.extend(self.seen.headers.iter().cloned());
        self.on(Event::ResponseHeaders(Head { headers: &headers }));
    }
}

fn set(headers: &mut Headers, name: &str, value: String) {
    remove(headers, name);
    headers.push((name.to_ascii_lowercase(), value));
}

fn remove(headers: &mut Headers, name: &str) {
    headers.retain(|(n, _)| !n.eq_ignore_ascii_case(name));
}
