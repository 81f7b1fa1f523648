//! The wasm layer: the built filter in the simulated proxy of `wasm-host`.

use std::time::Duration;

use anyhow::{Context as _, Result};
use forebay_proto::v1;
use prost::Message as _;
use wasm_host::{End, Error, Filter, Message, PendingCall, Stream, Vm};

use super::{Buffer, Host, Layer, Load, Rounds, STEP, UPSTREAM_ANSWER, Updates};
use crate::exchange::{Classifier, Exchange, Reset};
use crate::kinds::{ConfigRefusal, thread_time};
use crate::observed::{Forwarded, Headers, Observed};
use crate::oracle;
use crate::settings::Settings;

/// No request may take longer, in played time.
const PATIENCE: Duration = Duration::from_secs(120);
/// How finely waiting is played.
const MOMENT: Duration = Duration::from_millis(50);
/// What Envoy holds of a body when nothing else is said.
const ENVOY_DEFAULT_BYTES: usize = 1 << 20;
/// After so many bytes the filter has its buffers; what memory grows beyond is what it holds of the body.
const WARM_BYTES: usize = 4 * STEP;

/// The wasm layer.
#[derive(Debug)]
pub(crate) struct Wasm {
    filter: Filter,
}

impl Wasm {
    /// Compiles the built filter.
    ///
    /// # Errors
    ///
    /// When it is not built.
    pub(crate) fn new() -> Result<Self> {
        Ok(Self { filter: Filter::load(&wasm_host::built_filter())? })
    }

    fn start(&self, settings: &Settings, buffer: Buffer) -> Result<Vm> {
        let mut setup = wasm_host::Setup::with_config(settings.json());
        if buffer == Buffer::EnvoyDefault {
            setup = setup.buffer_limit_bytes(ENVOY_DEFAULT_BYTES);
        }
        Vm::start(&self.filter, setup).context("the filter refuses the settings")
    }
}

impl Host for Wasm {
    fn layer(&self) -> Layer {
        Layer::Wasm
    }

    fn play(&mut self, settings: &Settings, exchanges: &[Exchange]) -> Result<Vec<Observed>> {
        let vm = self.start(settings, Buffer::Sample)?;
        exchanges.iter().map(|exchange| Ok(Play::new(&vm, exchange)?.run())).collect()
    }

    fn load(&mut self, settings: &Settings, load: &Load) -> Result<Rounds> {
        let vm = self.start(settings, load.buffer)?;
        let mut rounds = Rounds::default();
        for round in 1..=load.rounds {
            // The first round is the whole load; the later ones show whether memory keeps growing, and one batch of
            // streams at once tells that.
            let whole = round == 1;
            let batch = load.concurrency.max(1);
            let (all, last) = match load.exchanges.split_last() {
                Some((last, all)) if load.last_is_alone => (all, std::slice::from_ref(last)),
                _ => (load.exchanges.as_slice(), [].as_slice()),
            };
            let mut batches: Vec<&[Exchange]> = all.chunks(batch).collect();
            batches.truncate(if whole { usize::MAX } else { 1 });
            batches.extend(if last.is_empty() { None } else { Some(last) });
            for exchanges in batches {
                let observed = at_once(&vm, exchanges)?;
                if whole {
                    rounds.observed.extend(observed);
                }
            }
            rounds.memory_bytes.push(vm.memory_bytes());
        }
        rounds.vm_memory_bytes = Some(vm.memory_bytes());
        rounds.log = Some(log(&vm, 0));
        Ok(rounds)
    }

    fn configure(&mut self, config: &str) -> Result<ConfigRefusal> {
        match Vm::start(&self.filter, wasm_host::Setup::with_config(config)) {
            Ok(_) => Ok(ConfigRefusal::default()),
            Err(Error::Refused { log }) => {
                Ok(ConfigRefusal { refused: true, message: log, exit: None })
            }
            Err(error) => Err(error.into()),
        }
    }

    fn update(&mut self, settings: &Settings, count: usize, bytes: usize) -> Result<Updates> {
        // Each update gets a VM of its own here as in Envoy, so what could leak is in the proxy.
        let padded = settings.padded(bytes)?;
        let mut vm = self.start(&padded, Buffer::Sample)?;
        for _ in 0..count.min(20) {
            vm = self.start(&padded, Buffer::Sample)?;
        }
        let bad_refused = self.configure(&settings.broken()?.json())?.refused;
        let plain = Exchange::chat("hi");
        let served = Play::new(&vm, &plain)?.run();
        Ok(Updates {
            growth_bytes: None,
            bad_refused,
            serves_after_bad: served.status == Some(200),
        })
    }
}

/// Plays several exchanges at once: headers of all, then a frame of each in turn, then the answers, the last asked first.
fn at_once(vm: &Vm, exchanges: &[Exchange]) -> Result<Vec<Observed>> {
    let mut plays = Vec::with_capacity(exchanges.len());
    for exchange in exchanges {
        let mut play = Play::new(vm, exchange)?;
        play.headers();
        plays.push(play);
    }
    let mut frames: Vec<_> = exchanges.iter().map(|exchange| exchange.frames(STEP)).collect();
    let mut open = true;
    while open {
        open = false;
        for (play, frames) in plays.iter_mut().zip(&mut frames) {
            if let Some((data, ends)) = frames.next() {
                open = true;
                play.frame(&data, ends);
            }
        }
    }
    plays.iter_mut().for_each(Play::trailers);
    // Streams may wait for each other, so each that can go on does, the last first, and time passes when none can.
    let mut open: Vec<&mut Play<'_>> = plays.iter_mut().rev().collect();
    while !open.is_empty() {
        let before = open.len();
        open.retain_mut(|play| !play.step());
        if open.len() == before
            && let Some(play) = open.first_mut()
        {
            play.wait(MOMENT);
        }
    }
    Ok(plays.into_iter().map(Play::close).collect())
}

/// One exchange being played.
struct Play<'a> {
    vm: &'a Vm,
    exchange: &'a Exchange,
    stream: Stream,
    started: Duration,
    busy: Duration,
    sent_bytes: usize,
    received_bytes: usize,
    held_bytes: usize,
    memory_at_start: usize,
    memory_when_warm: usize,
    log_at_start: usize,
    counters: Vec<(String, i64)>,
    /// The question that was noted last.
    asked: Option<u32>,
    seen: Observed,
}

impl<'a> Play<'a> {
    fn new(vm: &'a Vm, exchange: &'a Exchange) -> Result<Self> {
        Ok(Self {
            stream: vm.stream()?,
            vm,
            exchange,
            started: vm.now(),
            busy: Duration::ZERO,
            sent_bytes: 0,
            received_bytes: 0,
            held_bytes: 0,
            memory_at_start: vm.memory_bytes(),
            memory_when_warm: 0,
            log_at_start: vm.log().len(),
            counters: counters(vm),
            asked: None,
            seen: Observed::default(),
        })
    }

    fn run(mut self) -> Observed {
        self.headers();
        let exchange = self.exchange;
        for (at, (data, ends)) in exchange.frames(STEP).enumerate() {
            if at > 0 && !exchange.interval.is_zero() {
                self.wait(exchange.interval);
            }
            self.frame(&data, ends);
            if self.is_answered() || self.is_gone() {
                break;
            }
        }
        self.trailers();
        self.finish();
        self.close()
    }

    /// Lets the filter do something, and notes how it dies.
    fn enter<T>(&mut self, what: impl FnOnce(&Self) -> wasm_host::Result<T>) {
        let start = thread_time();
        let result = what(self);
        self.busy += thread_time().saturating_sub(start);
        if let Err(error) = result {
            self.seen.trap.get_or_insert(error.to_string());
        }
    }

    fn headers(&mut self) {
        let headers = to_host(&self.exchange.head());
        let end = if self.exchange.ends_with_headers() { End::Now } else { End::Later };
        self.enter(|play| play.stream.request_headers(&headers, end));
    }

    fn frame(&mut self, data: &[u8], ends: bool) {
        if self.is_answered() || self.is_gone() || self.exchange.ends_with_headers() {
            return;
        }
        self.sent_bytes += data.len();
        let end = if ends { End::Now } else { End::Later };
        self.enter(|play| play.stream.request_body(data, end));
        self.received_bytes = self.sent_bytes;
        if self.stream.waits() {
            self.held_bytes = self.held_bytes.max(self.sent_bytes);
        }
        if self.sent_bytes <= WARM_BYTES || self.memory_when_warm == 0 {
            self.memory_when_warm = self.vm.memory_bytes();
        }
    }

    fn trailers(&mut self) {
        if let (Some(trailers), false) =
            (&self.exchange.trailers, self.is_answered() || self.is_gone())
        {
            let trailers = to_host(trailers);
            self.enter(|play| play.stream.request_trailers(&trailers));
        }
    }

    fn is_answered(&self) -> bool {
        self.stream.local_reply().is_some() || self.seen.trap.is_some()
    }

    fn is_gone(&self) -> bool {
        match self.exchange.reset {
            Some(Reset::Call) => self.stream.call().is_some(),
            Some(Reset::Bytes(bytes)) => self.sent_bytes >= bytes,
            Some(Reset::Headers) => true,
            None => false,
        }
    }

    fn wait(&mut self, time: Duration) {
        self.enter(|play| play.vm.advance(time));
    }

    /// Answers the filter's call and the request, or waits for whatever the filter does.
    fn finish(&mut self) {
        while !self.step() {
            self.wait(MOMENT);
        }
    }

    /// Answers what the filter asks for now. True when nothing more will come of this exchange.
    fn step(&mut self) -> bool {
        loop {
            if self.vm.now().saturating_sub(self.started) >= PATIENCE || self.is_answered() {
                return true;
            }
            if self.is_gone() {
                self.note_question();
                return true;
            }
            if self.stream.upstream().ended {
                self.upstream_answers();
                return true;
            }
            let Some(call) = self.stream.call() else { return false };
            self.note_question();
            self.answer(call);
        }
    }

    fn note_question(&mut self) {
        let Some(request) = self.stream.call().and_then(|call| call.request()) else { return };
        if self.asked.replace(request.token) == Some(request.token)
            || self.exchange.classifier == Classifier::Down
        {
            return;
        }
        match v1::ClassifyRequest::decode(request.message.as_slice()) {
            Ok(question) => self.seen.asked.push(question),
            Err(error) => self.seen.trap = Some(format!("the question is no message: {error}")),
        }
    }

    fn answer(&mut self, call: PendingCall) {
        match self.exchange.classifier {
            Classifier::Down => self.enter(|_| call.fail(14, "upstream connect error")),
            Classifier::Status(status) => self.enter(|_| call.fail(status, "told to fail")),
            Classifier::Answers(how, delay) => {
                let timeout = call.request().map_or(Duration::ZERO, |request| request.timeout);
                if delay >= timeout {
                    // The simulated proxy fails the call when its time is over.
                    drop(call);
                    self.wait(timeout);
                    return;
                }
                self.wait(delay);
                let bytes = self
                    .seen
                    .asked
                    .last()
                    .map(|asked| oracle::answer(asked, how))
                    .unwrap_or_default();
                self.enter(|_| call.reply(&bytes));
            }
        }
    }

    fn upstream_answers(&mut self) {
        let headers =
            wasm_host::Headers::from([(":status", "200"), ("content-type", "application/json")]);
        self.enter(|play| play.stream.response_headers(&headers, End::Later));
        self.enter(|play| play.stream.response_body(UPSTREAM_ANSWER, End::Now));
    }

    fn close(mut self) -> Observed {
        let upstream = self.stream.upstream();
        if let Message { headers: Some(headers), body, .. } = upstream {
            let forwarded = Forwarded { cluster: None, headers: from_host(&headers), body };
            self.seen.forwarded = vec![forwarded];
        }
        let client = self.stream.client();
        if let (Some(headers), true) = (client.headers, self.seen.trap.is_none()) {
            self.seen.status = headers.get(":status").and_then(|s| s.parse().ok());
            self.seen.headers = from_host(&headers);
            self.seen.body = client.body;
        }
        self.seen.elapsed = self.vm.now().saturating_sub(self.started);
        self.seen.received_bytes = Some(self.received_bytes);
        self.seen.held_bytes = Some(self.held_bytes);
        let memory = self.vm.memory_bytes();
        self.seen.state_bytes =
            Some(memory.saturating_sub(self.memory_when_warm.max(self.memory_at_start)));
        self.seen.memory_bytes = Some(memory.saturating_sub(self.memory_at_start));
        self.seen.access_log = self.stream.local_reply().map(|reply| reply.details);
        let stream = self.stream.clone();
        self.enter(|_| stream.close());
        // A daemon that answers after the stream has gone must do no harm.
        if self.exchange.reset.is_some() {
            self.wait(Duration::from_secs(1));
        }
        if let Some(refused) = self.vm.refused().first() {
            self.seen.trap.get_or_insert(format!(
                "the proxy refused {} with {:?}",
                refused.call, refused.status
            ));
        }
        self.seen.busy = Some(self.busy);
        self.seen.log = Some(log(self.vm, self.log_at_start));
        for (name, value) in counters(self.vm) {
            let before = self.counters.iter().find(|(n, _)| *n == name).map_or(0, |(_, v)| *v);
            if let Ok(by @ 1..) = u64::try_from(value - before) {
                self.seen.counters.insert(name, by);
            }
        }
        self.seen
    }
}

fn counters(vm: &Vm) -> Vec<(String, i64)> {
    let metrics = vm.metrics().into_iter();
    metrics
        .filter(|m| m.kind == wasm_host::MetricKind::Counter)
        .map(|m| (m.name, m.value))
        .collect()
}

fn log(vm: &Vm, from: usize) -> String {
    let lines = vm.log();
    lines.iter().skip(from).map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

fn to_host(headers: &Headers) -> wasm_host::Headers {
    headers.iter().fold(wasm_host::Headers::default(), |all, (name, value)| all.and(name, value))
}

fn from_host(headers: &wasm_host::Headers) -> Headers {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    headers.iter().map(|(name, value)| (text(name), text(value))).collect()
}
