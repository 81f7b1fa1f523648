//! One request as a state machine: [`Event`]s in, [`Effect`]s out.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use body_stream::Api;
use forebay_proto::v1;
use prost::Message as _;

use crate::config::{Config, Placeholders};
use crate::decision::{Entity, Findings, Missing, Verdict};
use crate::reply::{Refusal, Unscreened};
use crate::request::{Head, Target};
use crate::restore::{Framing, Placeholder, Restorer};
use crate::screen::{Question, Screen};

/// How long after `daemon.timeout_ms` the filter stops waiting by itself, should the host never call back.
const CALL_GRACE: Duration = Duration::from_secs(1);

/// What all streams of a worker share.
#[derive(Debug)]
pub struct Worker {
    config: Rc<Config>,
    /// Bytes of text held by all streams.
    held_bytes: Cell<usize>,
}

impl Worker {
    /// Prepares what `config` asks for.
    #[must_use]
    pub fn new(config: Rc<Config>) -> Self {
        Self { config, held_bytes: Cell::new(0) }
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }
}

/// Something the host reports about a stream.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The request's headers; `ends` when there is no body.
    RequestHeaders {
        /// The headers.
        head: Head<'a>,
        /// No body will follow.
        ends: bool,
    },
    /// Body bytes arrived.
    RequestBody {
        /// The new bytes only, never bytes seen before.
        chunk: &'a [u8],
        /// No more will follow.
        ends: bool,
    },
    /// The body has ended because trailers came.
    RequestTrailers,
    /// The daemon answered with these bytes, or the call failed.
    Answer(Result<&'a [u8], CallFailure>),
    /// The body that the host holds, as asked for by [`Effect::ReadBody`].
    HeldBody(&'a [u8]),
    /// Whether the host did as [`Effect::ReplaceBody`] says.
    BodyReplaced(Result<(), ()>),
    /// Time has passed.
    Tick,
    /// The upstream's or the filter's own response headers.
    ResponseHeaders(Head<'a>),
    /// Bytes of the response's body, for streams that [restore](Stream::restores) it.
    ResponseBody {
        /// The new bytes only.
        chunk: &'a [u8],
        /// No more will follow.
        ends: bool,
    },
}

/// Why a call to the daemon gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallFailure {
    /// The call could not be started: no such cluster.
    NotSent,
    /// A gRPC status other than 0.
    Status(u32),
}

/// What the host must do, in this order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Remove a request header.
    RemoveRequestHeader(String),
    /// Set a request header, replacing what is there.
    SetRequestHeader(String, String),
    /// Set a response header, replacing what is there.
    SetResponseHeader(String, String),
    /// Remove a response header.
    RemoveResponseHeader(String),
    /// Call the daemon.
    Call(Call),
    /// Forget the call in flight.
    CancelCall,
    /// Hand over the whole held body as [`Event::HeldBody`].
    ReadBody,
    /// Replace the held body.
    ReplaceBody(Vec<u8>),
    /// Put these bytes in place of the response bytes just reported.
    ReplaceResponseChunk(Vec<u8>),
    /// Let the request go on to the upstream.
    Resume,
    /// Answer the client and drop the request.
    Reply(crate::Reply),
    /// Add one to a counter.
    Count(String),
    /// Record a value in a histogram.
    Observe(&'static str, u64),
}

/// A call to the daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// An encoded `ClassifyRequest`.
    pub message: Vec<u8>,
    /// How long to wait.
    pub timeout: Duration,
}

/// Names without the prefix, and values, of the headers that tell of the verdict.
type Outcome = Vec<(&'static str, String)>;

/// The state of one request.
#[derive(Debug)]
pub struct Stream {
    worker: Rc<Worker>,
    state: State,
    api: Api,
    request_id: String,
    /// Whether the client announced the body's length.
    has_length: bool,
    /// Bytes of text this stream has booked at the worker.
    booked_bytes: usize,
    /// When the last byte of the body was here.
    ended: Duration,
    /// Estimated tokens of all text and of the domain's selection, once known.
    tokens: Option<(usize, usize)>,
    /// What the client sees on the response.
    outcome: Vec<(String, String)>,
    /// What the response gets back.
    placeholders: Vec<Placeholder>,
    restorer: Option<Restorer>,
}

#[derive(Debug)]
enum State {
    /// Before the headers.
    New,
    /// Not ours, or done with.
    Passing,
    /// Headers are held, the body arrives.
    Reading { screen: Box<Screen>, deadline: Duration },
    /// The daemon has been asked.
    Asking { screen: Box<Screen>, question: Question, called: Duration, deadline: Duration },
    /// The held body has been asked for.
    Redacting { screen: Box<Screen>, entities: Vec<Entity>, headers: Outcome },
    /// The host has been told to put this many bytes in place of the held body.
    Replacing { encoded: bool, bytes: usize, headers: Outcome },
    /// Answered by the filter.
    Refused,
}

impl Stream {
    /// A stream that has seen nothing yet.
    #[must_use]
    pub fn new(worker: Rc<Worker>) -> Self {
        Self {
            worker,
            state: State::New,
            api: Api::ChatCompletions,
            request_id: String::new(),
            has_length: false,
            booked_bytes: 0,
            ended: Duration::ZERO,
            tokens: None,
            outcome: Vec::new(),
            placeholders: Vec::new(),
            restorer: None,
        }
    }

    /// Whether the host must keep the request back.
    #[must_use]
    pub fn holds(&self) -> bool {
        match self.state {
            State::Reading { .. }
            | State::Asking { .. }
            | State::Redacting { .. }
            | State::Replacing { .. }
            // Nothing more of a refused request may go on.
            | State::Refused => true,
            State::New | State::Passing => false,
        }
    }

    /// Whether body bytes matter to this stream.
    #[must_use]
    pub fn reads(&self) -> bool {
        matches!(self.state, State::Reading { .. })
    }

    /// Whether the response's body is wanted.
    #[must_use]
    pub fn restores(&self) -> bool {
        self.restorer.is_some()
    }

    /// Whether time matters to this stream.
    #[must_use]
    pub fn waits(&self) -> bool {
        matches!(self.state, State::Reading { .. } | State::Asking { .. })
    }

    /// Advances the stream by one event at time `now` (any fixed origin).
    pub fn on(&mut self, now: Duration, event: Event<'_>) -> Vec<Effect> {
        let mut effects = Vec::new();
        match event {
            Event::RequestHeaders { head, ends } => self.headers(now, &head, ends, &mut effects),
            Event::RequestBody { chunk, ends } => self.body(now, chunk, ends, &mut effects),
            Event::RequestTrailers => self.body(now, &[], true, &mut effects),
            Event::Answer(answer) => self.answer(now, answer, &mut effects),
            Event::HeldBody(held) => self.redact(held, &mut effects),
            Event::BodyReplaced(done) => self.replaced(done, &mut effects),
            Event::Tick => self.tick(now, &mut effects),
            Event::ResponseHeaders(head) => self.response(&head, &mut effects),
            Event::ResponseBody { chunk, ends } => {
                if let Some(restorer) = &mut self.restorer {
                    effects.push(Effect::ReplaceResponseChunk(restorer.feed(chunk, ends)));
                }
            }
        }
        effects
    }

    fn headers(&mut self, now: Duration, head: &Head<'_>, ends: bool, effects: &mut Vec<Effect>) {
        let config = Rc::clone(&self.worker.config);
        effects.extend(head.forged(&config).into_iter().map(Effect::RemoveRequestHeader));
        match Target::of(head, ends, &config) {
            Target::Other => self.state = State::Passing,
            Target::Refused(api, refusal) => {
                self.api = api;
                self.ended = now;
                self.refuse(now, refusal, effects);
            }
            Target::Llm { api, encoding } => {
                self.has_length = head.get("content-length").is_some();
                self.request_id = head.get("x-request-id").unwrap_or_default().to_owned();
                self.state = State::Reading {
                    screen: Box::new(Screen::new(&api, encoding, &config)),
                    deadline: now.saturating_add(config.limits.upload_timeout),
                };
                self.api = api;
            }
        }
    }

    fn body(&mut self, now: Duration, chunk: &[u8], ends: bool, effects: &mut Vec<Effect>) {
        let State::Reading { screen, .. } = &mut self.state else {
            return;
        };
        let recogniser = &self.worker.config.recogniser;
        let mut read = if chunk.is_empty() { Ok(()) } else { screen.feed(chunk, recogniser) };
        if ends && read.is_ok() {
            read = screen.finish(recogniser);
        }
        let held = screen.held_bytes();
        self.ended = now;
        if let Err(refusal) = read {
            return self.refuse(now, refusal, effects);
        }
        if !self.book(held) {
            return self.fail(now, Unscreened::WorkerFull, effects);
        }
        if ends {
            self.ask(now, effects);
        }
    }

    fn ask(&mut self, now: Duration, effects: &mut Vec<Effect>) {
        let state = std::mem::replace(&mut self.state, State::Passing);
        let State::Reading { mut screen, .. } = state else {
            self.state = state;
            return;
        };
        let config = Rc::clone(&self.worker.config);
        let question = screen.question(&self.request_id, &config);
        let Some(mut question) = question else {
            return self.conclude(now, screen, None, Findings::default(), effects);
        };
        self.tokens = Some((question.tokens_in, question.tokens_kept));
        effects.push(Effect::Observe("forebay_filter.tokens_in", question.tokens_in as u64));
        effects.push(Effect::Observe("forebay_filter.tokens_kept", question.tokens_kept as u64));
        effects.push(Effect::Call(Call {
            message: std::mem::take(&mut question.message),
            timeout: config.daemon.timeout,
        }));
        let deadline = now.saturating_add(config.daemon.timeout).saturating_add(CALL_GRACE);
        self.state = State::Asking { screen, question, called: now, deadline };
    }

    fn answer(
        &mut self,
        now: Duration,
        answer: Result<&[u8], CallFailure>,
        effects: &mut Vec<Effect>,
    ) {
        let state = std::mem::replace(&mut self.state, State::Passing);
        let State::Asking { screen, question, called, .. } = state else {
            self.state = state;
            return;
        };
        let config = Rc::clone(&self.worker.config);
        let waited = now.saturating_sub(called);
        effects.push(Effect::Observe("forebay_filter.daemon_us", micros(waited)));
        let decoded =
            answer.map_err(|failure| failure.reason(waited, config.daemon.timeout)).and_then(
                |bytes| v1::ClassifyResponse::decode(bytes).map_err(|_| Unscreened::DaemonError),
            );
        let mut findings = Findings { entities: screen.recognised(&config), ..Default::default() };
        match decoded {
            Ok(response) => findings.read(&question.asked, &response, &config, |span| {
                screen.locate(&question, span).into_iter().collect()
            }),
            Err(reason) => {
                findings.missing = question
                    .asked
                    .iter()
                    .map(|&signal| Missing::of(signal, reason, &config))
                    .collect();
            }
        }
        let cut = question.cut.iter().map(|&s| Missing::of(s, Unscreened::Truncated, &config));
        findings.missing.extend(cut);
        self.conclude(now, screen, Some(&question), findings, effects);
    }

    /// All is known: act.
    fn conclude(
        &mut self,
        now: Duration,
        screen: Box<Screen>,
        question: Option<&Question>,
        mut findings: Findings,
        effects: &mut Vec<Effect>,
    ) {
        let config = Rc::clone(&self.worker.config);
        let facts = screen.facts();
        for (present, on_failure, reason) in [
            (facts.unscreenable.token_ids, config.unscreenable.token_ids, Unscreened::TokenIds),
            (facts.unscreenable.embeddings, config.unscreenable.embeddings, Unscreened::Embeddings),
            (facts.unscreenable.late_text, config.unscreenable.late_text, Unscreened::LateText),
            (facts.unscreenable.references, config.unscreenable.references, Unscreened::References),
        ] {
            if present {
                findings.missing.push(Missing { reason, on_failure });
            }
        }
        let (redact, mut headers) = match findings.decide(&config) {
            Verdict::Refuse(refusal) => return self.refuse(now, refusal, effects),
            Verdict::Forward { redact, entity_types, jailbreak, domain, route, unscreened } => {
                let verdict = match (unscreened, redact.is_empty()) {
                    (_, false) => "redact",
                    (Some(_), true) => "unscreened",
                    (None, true) => "allow",
                };
                let mut headers = vec![("verdict", verdict.to_owned())];
                headers.extend(unscreened.map(|reason| ("unscreened", reason.name().to_owned())));
                headers.extend(jailbreak.then(|| ("jailbreak", "detected".to_owned())));
                headers.extend(domain.map(|d| ("domain", d)));
                headers.extend(route.map(|r| ("route", r)));
                if !entity_types.is_empty() {
                    headers.push(("pii", entity_types.join(",")));
                }
                (redact, headers)
            }
        };
        if screen.is_obfuscated() {
            headers.push(("obfuscation", "true".to_owned()));
        }
        let seen = facts.modalities;
        let modalities: Vec<&str> = [
            ("image", seen.image),
            ("audio", seen.audio),
            ("file", seen.file),
            ("video", seen.video),
        ]
        .into_iter()
        .filter_map(|(name, seen)| seen.then_some(name))
        .collect();
        if !modalities.is_empty() {
            headers.push(("modality", modalities.join(",")));
        }
        if let Some((tokens_in, tokens_kept)) = self.tokens {
            headers.push(("tokens-in", tokens_in.to_string()));
            headers.push(("tokens-kept", tokens_kept.to_string()));
        }
        if let Some(question) = question {
            // Rounded down, so that 1.00 means all of it.
            let share = |share: f32| format!("{:.2}", (share * 100.0).floor() / 100.0);
            let shares = question
                .shares
                .iter()
                .map(|&(s, part)| format!("{}={}", signal_name(s), share(part)));
            headers.push(("read", shares.collect::<Vec<_>>().join(",")));
        }
        let model = facts.model.clone().filter(|m| crate::is_header_value(m) && !m.is_empty());
        headers.extend(model.map(|m| ("model", m)));
        let overhead = micros(now.saturating_sub(self.ended));
        effects.push(Effect::Observe("forebay_filter.overhead_us", overhead));
        headers.push(("overhead-us", overhead.to_string()));
        if redact.is_empty() {
            self.forward(headers, effects);
        } else {
            self.state = State::Redacting { screen, entities: redact, headers };
            effects.push(Effect::ReadBody);
        }
    }

    fn redact(&mut self, held: &[u8], effects: &mut Vec<Effect>) {
        let state = std::mem::replace(&mut self.state, State::Passing);
        let State::Redacting { screen, entities, headers } = state else {
            self.state = state;
            return;
        };
        let config = Rc::clone(&self.worker.config);
        let placeholders = screen.placeholders(&entities, config.placeholders);
        let Some(body) = screen.redact(held, &entities, &placeholders) else {
            // The host's body is not the one that was read. Forwarding it would leak what was found.
            return self.refuse(self.ended, Refusal::Closed(Unscreened::NotRedacted), effects);
        };
        let (encoded, bytes) = (screen.is_encoded(), body.len());
        if config.placeholders == Placeholders::Restored {
            self.placeholders = placeholders;
            self.placeholders.sort_by(|a, b| a.name.cmp(&b.name));
            self.placeholders.dedup();
        }
        self.state = State::Replacing { encoded, bytes, headers };
        effects.push(Effect::ReplaceBody(body));
    }

    fn replaced(&mut self, done: Result<(), ()>, effects: &mut Vec<Effect>) {
        let state = std::mem::replace(&mut self.state, State::Passing);
        let State::Replacing { encoded, bytes, headers } = state else {
            self.state = state;
            return;
        };
        if done.is_err() {
            return self.refuse(self.ended, Refusal::Closed(Unscreened::NotRedacted), effects);
        }
        if self.has_length {
            effects.push(Effect::SetRequestHeader("content-length".to_owned(), bytes.to_string()));
        }
        if encoded {
            effects.push(Effect::RemoveRequestHeader("content-encoding".to_owned()));
        }
        if !self.placeholders.is_empty() {
            // A compressed response could not be restored.
            effects.push(Effect::RemoveRequestHeader("accept-encoding".to_owned()));
        }
        // A digest of the body as it was no longer holds.
        for stale in ["content-md5", "digest", "content-digest", "repr-digest"] {
            effects.push(Effect::RemoveRequestHeader(stale.to_owned()));
        }
        self.forward(headers, effects);
    }

    fn forward(&mut self, headers: Outcome, effects: &mut Vec<Effect>) {
        let config = Rc::clone(&self.worker.config);
        for (name, value) in headers {
            if name == "verdict" {
                effects
                    .push(Effect::Count(format!("forebay_filter.requests_total.verdict.{value}")));
            }
            if name == "unscreened" {
                effects
                    .push(Effect::Count(format!("forebay_filter.unscreened_total.reason.{value}")));
            }
            if name == "route" {
                for alias in &config.headers.route {
                    effects.push(Effect::SetRequestHeader(alias.clone(), value.clone()));
                }
            }
            let full = format!("{}{name}", config.headers.prefix);
            self.outcome.push((full.clone(), value.clone()));
            effects.push(Effect::SetRequestHeader(full, value));
        }
        self.let_go();
        self.state = State::Passing;
        effects.push(Effect::Resume);
    }

    /// The request could not be screened at all: the failure mode decides.
    fn fail(&mut self, now: Duration, reason: Unscreened, effects: &mut Vec<Effect>) {
        let missing = vec![Missing { reason, on_failure: self.worker.config.on_failure() }];
        match (Findings { missing, ..Default::default() }).decide(&self.worker.config) {
            Verdict::Refuse(refusal) => self.refuse(now, refusal, effects),
            Verdict::Forward { .. } => self.forward(
                vec![
                    ("verdict", "unscreened".to_owned()),
                    ("unscreened", reason.name().to_owned()),
                ],
                effects,
            ),
        }
    }

    fn refuse(&mut self, now: Duration, refusal: Refusal, effects: &mut Vec<Effect>) {
        let config = Rc::clone(&self.worker.config);
        let prefix = &config.headers.prefix;
        let verdict = if matches!(refusal, Refusal::Closed(_)) { "unscreened" } else { "block" };
        effects.push(Effect::Count(format!("forebay_filter.requests_total.verdict.{verdict}")));
        effects
            .push(Effect::Count(format!("forebay_filter.refused_total.code.{}", refusal.code())));
        self.outcome = vec![(format!("{prefix}verdict"), verdict.to_owned())];
        if let Refusal::Closed(reason) = refusal {
            let name = reason.name();
            effects.push(Effect::Count(format!("forebay_filter.unscreened_total.reason.{name}")));
            self.outcome.push((format!("{prefix}unscreened"), name.to_owned()));
        }
        if let Some((tokens_in, tokens_kept)) = self.tokens {
            self.outcome.push((format!("{prefix}tokens-in"), tokens_in.to_string()));
            self.outcome.push((format!("{prefix}tokens-kept"), tokens_kept.to_string()));
        }
        let overhead = micros(now.saturating_sub(self.ended)).to_string();
        self.outcome.push((format!("{prefix}overhead-us"), overhead));
        // On the request too, so that the access log shows them.
        for (name, value) in &self.outcome {
            effects.push(Effect::SetRequestHeader(name.clone(), value.clone()));
        }
        self.let_go();
        self.state = State::Refused;
        effects.push(Effect::Reply(refusal.reply(&self.api)));
    }

    fn tick(&mut self, now: Duration, effects: &mut Vec<Effect>) {
        if matches!(&self.state, State::Reading { deadline, .. } if now >= *deadline) {
            self.ended = now;
            self.refuse(now, Refusal::SlowUpload, effects);
        } else if matches!(&self.state, State::Asking { deadline, .. } if now >= *deadline) {
            effects.push(Effect::CancelCall);
            self.answer(now, Err(CallFailure::Status(4)), effects);
        }
    }

    fn response(&mut self, head: &Head<'_>, effects: &mut Vec<Effect>) {
        let config = Rc::clone(&self.worker.config);
        let headers = &config.headers;
        let forged = head.headers.iter().map(|(name, _)| name).filter(|name| {
            name.get(..headers.prefix.len())
                .is_some_and(|p| p.eq_ignore_ascii_case(&headers.prefix))
        });
        effects.extend(forged.cloned().map(Effect::RemoveResponseHeader));
        self.restorer = self.restorer_for(head);
        if self.restorer.is_some() {
            effects.push(Effect::RemoveResponseHeader("content-length".to_owned()));
        }
        if headers.on_response {
            let outcome = self.outcome.iter().cloned();
            effects.extend(outcome.map(|(n, v)| Effect::SetResponseHeader(n, v)));
        }
    }

    /// What restores the response, if there is something to put back and the response can be read.
    fn restorer_for(&self, head: &Head<'_>) -> Option<Restorer> {
        let plain = head.get("content-encoding").is_none_or(|e| e.eq_ignore_ascii_case("identity"));
        if self.placeholders.is_empty() || !plain {
            return None;
        }
        let media = head.get("content-type")?.split(';').next()?.trim().to_ascii_lowercase();
        let framing = match media.as_str() {
            "text/event-stream" => Framing::Events,
            other if other.ends_with("/json") || other.ends_with("+json") => Framing::Plain,
            _ => return None,
        };
        Some(Restorer::new(self.placeholders.clone(), framing))
    }

    /// Books `held` bytes of text at the worker; false when the worker is full.
    fn book(&mut self, held: usize) -> bool {
        let others = self.worker.held_bytes.get().saturating_sub(self.booked_bytes);
        let all = others.saturating_add(held);
        self.worker.held_bytes.set(all);
        self.booked_bytes = held;
        all <= self.worker.config.limits.max_worker_text_bytes
    }

    fn let_go(&mut self) {
        let held = self.worker.held_bytes.get();
        self.worker.held_bytes.set(held.saturating_sub(self.booked_bytes));
        self.booked_bytes = 0;
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.let_go();
    }
}

impl CallFailure {
    /// Envoy reports a timeout and a dead daemon with the same status (14): the clock tells them apart.
    fn reason(self, waited: Duration, timeout: Duration) -> Unscreened {
        match self {
            Self::Status(8) => Unscreened::DaemonOverloaded,
            Self::Status(4) => Unscreened::DaemonTimeout,
            // The proxy's timer, its clock and the daemon's own timer (which answers CANCELLED) may differ by milliseconds.
            Self::Status(1 | 14) if waited >= timeout - timeout / 10 => Unscreened::DaemonTimeout,
            Self::NotSent | Self::Status(14) => Unscreened::DaemonUnavailable,
            Self::Status(_) => Unscreened::DaemonError,
        }
    }
}

fn signal_name(signal: v1::Signal) -> &'static str {
    match signal {
        v1::Signal::Jailbreak => "jailbreak",
        v1::Signal::Pii => "pii",
        v1::Signal::Domain => "domain",
        v1::Signal::Unspecified => "unspecified",
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
