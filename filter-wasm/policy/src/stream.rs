//! One request as a state machine: [`Event`]s in, [`Effect`]s out.

use std::rc::Rc;
use std::time::Duration;

use body_stream::Api;
use body_stream::encoding::Encoding;
use forebay_proto::v1;
use prost::Message as _;

use crate::config::Placeholders;
use crate::decision::{Entity, Findings, Missing, Verdict};
use crate::question::Question;
use crate::reply::{Refusal, Unscreened};
use crate::request::{Head, Target};
use crate::restore::{Framing, Placeholder, Restorer};
use crate::screen::{Fault, Redaction, Screen};
use crate::worker::{Share, Worker};

/// How long after `daemon.timeout_ms` the filter stops waiting by itself, should the host never call back.
const CALL_GRACE: Duration = Duration::from_secs(1);

/// Bytes of the held body that are asked for at once.
const PIECE_BYTES: usize = 64 << 10;

/// How often a body is read again before its stream gives up waiting for room.
const MAX_TRIES: u8 = 3;

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
    /// The host holds so much of the body of a stream that [waits for room](Stream::waits_for_room).
    BodyHeld {
        /// Bytes held.
        bytes: usize,
        /// No more will follow.
        ends: bool,
    },
    /// The body has ended because trailers came.
    RequestTrailers,
    /// The daemon answered with these bytes, or the call failed.
    Answer(Result<&'a [u8], CallFailure>),
    /// The part of the held body that [`Effect::ReadBody`] asked for; shorter than asked for at the body's end.
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
    /// Hand over a part of the held body as [`Event::HeldBody`].
    ReadBody {
        /// The first byte.
        from: usize,
        /// Bytes, at most.
        max: usize,
    },
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
    share: Share,
    state: State,
    api: Api,
    request_id: String,
    /// Whether the client announced the body's length.
    has_length: bool,
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
    /// There was no room for its text. What was read is dropped; the host holds the body.
    Waiting { wait: Wait, deadline: Duration },
    /// There is room: the body is read from the host.
    Rereading { screen: Box<Screen>, wait: Wait, deadline: Duration },
    /// The daemon has been asked.
    Asking {
        screen: Box<Screen>,
        question: Question,
        /// What the recognisers have found.
        recognised: Vec<Entity>,
        called: Duration,
        deadline: Duration,
    },
    /// The held body is read once more and changed on the way.
    Redacting { redaction: Box<Redaction>, encoded: bool, headers: Outcome },
    /// The host has been told to put this many bytes in place of the held body.
    Replacing { encoded: bool, bytes: usize, headers: Outcome },
    /// Answered by the filter.
    Refused,
}

/// What a stream that waits for room remembers.
#[derive(Debug)]
struct Wait {
    encoding: Option<Encoding>,
    /// The whole body is at the host.
    ended: bool,
    /// Bytes of the body that the host holds, as far as is known.
    body_bytes: usize,
    /// Memory that the first `read_bytes` of the body took.
    held_bytes: usize,
    read_bytes: usize,
    /// How often the body has been read again.
    tries: u8,
}

impl Wait {
    /// Memory that the whole body will take, judged by its beginning; not over `most`.
    fn need(&self, most: usize) -> usize {
        let whole = self.held_bytes as u64 * self.body_bytes as u64 / self.read_bytes.max(1) as u64;
        let doubled = whole.saturating_mul(1 << self.tries.min(MAX_TRIES));
        usize::try_from(doubled).unwrap_or(usize::MAX).min(most)
    }
}

impl Stream {
    /// A stream that has seen nothing yet.
    #[must_use]
    pub fn new(worker: Rc<Worker>) -> Self {
        Self {
            share: Share::new(worker),
            state: State::New,
            api: Api::ChatCompletions,
            request_id: String::new(),
            has_length: false,
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
            | State::Waiting { .. }
            | State::Rereading { .. }
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

    /// Whether the stream waits for room: it is told how much the host holds ([`Event::BodyHeld`]) and given no bytes.
    #[must_use]
    pub fn waits_for_room(&self) -> bool {
        matches!(self.state, State::Waiting { .. })
    }

    /// Whether the response's body is wanted.
    #[must_use]
    pub fn restores(&self) -> bool {
        self.restorer.is_some()
    }

    /// Whether time matters to this stream.
    #[must_use]
    pub fn waits(&self) -> bool {
        matches!(self.state, State::Reading { .. } | State::Waiting { .. } | State::Asking { .. })
    }

    /// Advances the stream by one event at time `now` (any fixed origin).
    pub fn on(&mut self, now: Duration, event: Event<'_>) -> Vec<Effect> {
        let mut effects = Vec::new();
        match event {
            Event::RequestHeaders { head, ends } => self.headers(now, &head, ends, &mut effects),
            Event::RequestBody { chunk, ends } => self.body(now, chunk, ends, &mut effects),
            Event::BodyHeld { bytes, ends } => self.held(now, bytes, ends),
            Event::RequestTrailers => {
                self.held(now, 0, true);
                self.body(now, &[], true, &mut effects);
            }
            Event::Answer(answer) => self.answer(now, answer, &mut effects),
            Event::HeldBody(piece) => match self.state {
                State::Rereading { .. } => self.reread(now, piece, &mut effects),
                State::New
                | State::Passing
                | State::Reading { .. }
                | State::Waiting { .. }
                | State::Asking { .. }
                | State::Redacting { .. }
                | State::Replacing { .. }
                | State::Refused => self.redact(piece, &mut effects),
            },
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
        let config = self.share.worker().shared_config();
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
        let config = self.share.worker().shared_config();
        let room = self.share.room();
        let State::Reading { screen, deadline } = &mut self.state else {
            return;
        };
        let deadline = *deadline;
        let mut read =
            if chunk.is_empty() { Ok(()) } else { screen.feed(chunk, &config.recogniser, room) };
        if ends && read.is_ok() {
            read = screen.finish(&config.recogniser, room);
        }
        self.ended = now;
        self.share.book(screen.held_bytes());
        match read {
            Err(Fault::Refused(refusal)) => self.refuse(now, refusal, effects),
            Err(Fault::Full) if self.share.is_alone() => {
                self.refuse(now, Refusal::TextTooLarge, effects);
            }
            Ok(()) if ends => self.ask(now, effects),
            Ok(()) if !self.share.is_in_the_way() => {}
            // The body may have come in one piece, so it is not too late to wait.
            Ok(()) | Err(Fault::Full) => {
                let wait = Wait {
                    encoding: screen.encoding(),
                    ended: false,
                    body_bytes: screen.received(),
                    held_bytes: screen.held_bytes(),
                    read_bytes: screen.received(),
                    tries: 0,
                };
                // A body that has arrived may wait as long as one may take to arrive.
                let deadline =
                    if ends { now.saturating_add(config.limits.upload_timeout) } else { deadline };
                self.state = State::Waiting { wait, deadline };
                self.share.let_go();
                self.held(now, 0, ends);
            }
        }
    }

    /// Notes what the host holds of a body that waits for room.
    fn held(&mut self, now: Duration, bytes: usize, ends: bool) {
        let State::Waiting { wait, deadline } = &mut self.state else {
            return;
        };
        wait.body_bytes = wait.body_bytes.max(bytes);
        if ends && !wait.ended {
            wait.ended = true;
            self.ended = now;
            *deadline = now.saturating_add(self.share.worker().config().limits.upload_timeout);
            self.share.wait();
        }
    }

    /// Starts to read a body again that has waited, when it is its turn and there is room.
    fn read_again(&mut self, effects: &mut Vec<Effect>) {
        let config = self.share.worker().shared_config();
        let State::Waiting { wait, deadline } = &self.state else {
            return;
        };
        let need = wait.need(self.share.most());
        if !wait.ended || !self.share.is_next() || need > self.share.room() {
            return;
        }
        let deadline = *deadline;
        let screen = Box::new(Screen::new(&self.api, wait.encoding, &config));
        let State::Waiting { mut wait, .. } = std::mem::replace(&mut self.state, State::Passing)
        else {
            return;
        };
        wait.tries += 1;
        self.share.stop_waiting();
        self.state = State::Rereading { screen, wait, deadline };
        effects.push(Effect::ReadBody { from: 0, max: PIECE_BYTES });
    }

    fn reread(&mut self, now: Duration, piece: &[u8], effects: &mut Vec<Effect>) {
        let config = self.share.worker().shared_config();
        let room = self.share.room();
        let State::Rereading { screen, wait, .. } = &mut self.state else {
            return;
        };
        let ends = piece.len() < PIECE_BYTES;
        let mut read =
            if piece.is_empty() { Ok(()) } else { screen.feed(piece, &config.recogniser, room) };
        if ends && read.is_ok() {
            read = screen.finish(&config.recogniser, room);
        }
        self.share.book(screen.held_bytes());
        match read {
            Err(Fault::Refused(refusal)) => self.refuse(now, refusal, effects),
            Err(Fault::Full) if self.share.is_alone() => {
                self.refuse(now, Refusal::TextTooLarge, effects);
            }
            Err(Fault::Full) if wait.tries >= MAX_TRIES => {
                self.fail(now, Unscreened::WorkerFull, effects);
            }
            Err(Fault::Full) => {
                self.share.let_go();
                let state = std::mem::replace(&mut self.state, State::Passing);
                if let State::Rereading { wait, deadline, .. } = state {
                    self.state = State::Waiting { wait, deadline };
                    self.share.wait();
                }
            }
            Ok(()) if ends => self.ask(now, effects),
            Ok(()) => {
                effects.push(Effect::ReadBody { from: screen.received(), max: PIECE_BYTES });
            }
        }
    }

    fn ask(&mut self, now: Duration, effects: &mut Vec<Effect>) {
        let state = std::mem::replace(&mut self.state, State::Passing);
        let (State::Reading { mut screen, .. } | State::Rereading { mut screen, .. }) = state
        else {
            self.state = state;
            return;
        };
        let config = self.share.worker().shared_config();
        let question = screen.question(&self.request_id, &config);
        let Some(mut question) = question else {
            return self.conclude(now, screen, None, Findings::default(), effects);
        };
        let recognised = screen.recognised(&config);
        screen.release();
        self.share.book(screen.held_bytes());
        self.tokens = Some((question.tokens_in, question.tokens_kept));
        effects.push(Effect::Observe("forebay_filter.tokens_in", question.tokens_in as u64));
        effects.push(Effect::Observe("forebay_filter.tokens_kept", question.tokens_kept as u64));
        effects.push(Effect::Call(Call {
            message: std::mem::take(&mut question.message),
            timeout: config.daemon.timeout,
        }));
        let deadline = now.saturating_add(config.daemon.timeout).saturating_add(CALL_GRACE);
        self.state = State::Asking { screen, question, recognised, called: now, deadline };
    }

    fn answer(
        &mut self,
        now: Duration,
        answer: Result<&[u8], CallFailure>,
        effects: &mut Vec<Effect>,
    ) {
        let state = std::mem::replace(&mut self.state, State::Passing);
        let State::Asking { screen, question, recognised, called, .. } = state else {
            self.state = state;
            return;
        };
        let config = self.share.worker().shared_config();
        let waited = now.saturating_sub(called);
        effects.push(Effect::Observe("forebay_filter.daemon_us", micros(waited)));
        let decoded =
            answer.map_err(|failure| failure.reason(waited, config.daemon.timeout)).and_then(
                |bytes| v1::ClassifyResponse::decode(bytes).map_err(|_| Unscreened::DaemonError),
            );
        let mut findings = Findings { entities: recognised, ..Default::default() };
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
        let config = self.share.worker().shared_config();
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
            return self.forward(headers, effects);
        }
        let placeholders = screen.placeholders(&redact, config.placeholders);
        let (redaction, encoded) = (screen.redaction(&redact, &placeholders), screen.is_encoded());
        // The text is done with, which makes room for the new body.
        drop(screen);
        self.share.let_go();
        let Some(redaction) = redaction else {
            return self.refuse(now, Refusal::Closed(Unscreened::NotRedacted), effects);
        };
        if config.placeholders == Placeholders::Restored {
            self.placeholders = placeholders;
            self.placeholders.sort_by(|a, b| a.name.cmp(&b.name));
            self.placeholders.dedup();
        }
        self.state = State::Redacting { redaction: Box::new(redaction), encoded, headers };
        effects.push(Effect::ReadBody { from: 0, max: PIECE_BYTES });
    }

    fn redact(&mut self, piece: &[u8], effects: &mut Vec<Effect>) {
        let state = std::mem::replace(&mut self.state, State::Passing);
        let State::Redacting { mut redaction, encoded, headers } = state else {
            self.state = state;
            return;
        };
        let whole = piece.len() < PIECE_BYTES || redaction.left() == piece.len();
        let pushed = redaction.push(piece);
        if pushed.is_some() && !whole {
            effects.push(Effect::ReadBody { from: redaction.taken(), max: PIECE_BYTES });
            self.state = State::Redacting { redaction, encoded, headers };
            return;
        }
        let Some(body) = pushed.and_then(|()| redaction.finish()) else {
            // The host's body is not the one that was read. Forwarding it would leak what was found.
            return self.refuse(self.ended, Refusal::Closed(Unscreened::NotRedacted), effects);
        };
        self.state = State::Replacing { encoded, bytes: body.len(), headers };
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
        let config = self.share.worker().shared_config();
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
        self.share.let_go();
        self.state = State::Passing;
        effects.push(Effect::Resume);
    }

    /// The request could not be screened at all: the failure mode decides.
    fn fail(&mut self, now: Duration, reason: Unscreened, effects: &mut Vec<Effect>) {
        let missing =
            vec![Missing { reason, on_failure: self.share.worker().config().on_failure() }];
        match (Findings { missing, ..Default::default() }).decide(self.share.worker().config()) {
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
        let config = self.share.worker().shared_config();
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
        self.share.let_go();
        self.state = State::Refused;
        effects.push(Effect::Reply(refusal.reply(&self.api)));
    }

    fn tick(&mut self, now: Duration, effects: &mut Vec<Effect>) {
        if matches!(&self.state, State::Reading { deadline, .. } if now >= *deadline) {
            self.ended = now;
            self.refuse(now, Refusal::SlowUpload, effects);
        } else if let State::Waiting { wait, deadline } = &self.state {
            if now < *deadline {
                self.read_again(effects);
            } else if wait.ended {
                self.fail(now, Unscreened::WorkerFull, effects);
            } else {
                self.ended = now;
                self.refuse(now, Refusal::SlowUpload, effects);
            }
        } else if matches!(&self.state, State::Asking { deadline, .. } if now >= *deadline) {
            effects.push(Effect::CancelCall);
            self.answer(now, Err(CallFailure::Status(4)), effects);
        }
    }

    fn response(&mut self, head: &Head<'_>, effects: &mut Vec<Effect>) {
        let config = self.share.worker().shared_config();
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
