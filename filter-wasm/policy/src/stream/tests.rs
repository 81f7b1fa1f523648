//! The traffic policy, rule by rule.

use super::*;
use crate::{Config, Reply};

const SECOND: Duration = Duration::from_secs(1);
/// `daemon.timeout_ms` of an empty configuration.
const LIMIT: Duration = Duration::from_secs(5);

/// A stream with the host's part played by a few lines: it answers [`Effect::ReadBody`] and remembers what was done.
struct Driven {
    stream: Stream,
    now: Duration,
    body: Vec<u8>,
    call: Option<v1::ClassifyRequest>,
    cancelled: bool,
    request_headers: Vec<(String, String)>,
    removed: Vec<String>,
    counted: Vec<String>,
    resumed: bool,
    reply: Option<Reply>,
    response: Vec<u8>,
}

impl Driven {
    fn new(worker: &Rc<Worker>) -> Self {
        Self {
            stream: Stream::new(Rc::clone(worker)),
            now: SECOND,
            body: Vec::new(),
            call: None,
            cancelled: false,
            request_headers: Vec::new(),
            removed: Vec::new(),
            counted: Vec::new(),
            resumed: false,
            reply: None,
            response: Vec::new(),
        }
    }

    fn on(&mut self, event: Event<'_>) {
        let mut effects = self.stream.on(self.now, event);
        while !effects.is_empty() {
            let mut more = Vec::new();
            for effect in effects {
                match effect {
                    Effect::RemoveRequestHeader(name) => self.removed.push(name),
                    Effect::SetRequestHeader(name, value) => {
                        self.request_headers.push((name, value))
                    }
                    Effect::Call(call) => {
                        self.call =
                            Some(v1::ClassifyRequest::decode(call.message.as_slice()).unwrap());
                    }
                    Effect::CancelCall => self.cancelled = true,
                    Effect::ReadBody { from, max } => {
                        let part = self.body.get(from..).unwrap_or_default();
                        let part = part.get(..max).unwrap_or(part).to_vec();
                        more.extend(self.stream.on(self.now, Event::HeldBody(&part)));
                    }
                    Effect::ReplaceBody(body) => {
                        self.body = body;
                        more.extend(self.stream.on(self.now, Event::BodyReplaced(Ok(()))));
                    }
                    Effect::Resume => self.resumed = true,
                    Effect::Reply(reply) => self.reply = Some(reply),
                    Effect::Count(name) => self.counted.push(name),
                    Effect::ReplaceResponseChunk(bytes) => self.response.extend(bytes),
                    Effect::Observe(..)
                    | Effect::SetResponseHeader(..)
                    | Effect::RemoveResponseHeader(_) => {}
                }
            }
            effects = more;
        }
    }

    fn post(&mut self, path: &str, extra: &[(&str, &str)]) -> &mut Self {
        let mut headers = vec![
            (":method".to_owned(), "POST".to_owned()),
            (":path".to_owned(), path.to_owned()),
            ("content-type".to_owned(), "application/json".to_owned()),
        ];
        headers.extend(extra.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())));
        self.on(Event::RequestHeaders { head: Head { headers: &headers }, ends: false });
        self
    }

    fn body(&mut self, body: &[u8]) -> &mut Self {
        self.body = body.to_vec();
        let step = if body.len() > 10_000 { 4096 } else { 5 };
        let mut sent = 0;
        for chunk in body.chunks(step) {
            sent += chunk.len();
            if self.stream.waits_for_room() {
                self.on(Event::BodyHeld { bytes: sent, ends: false });
            } else {
                self.on(Event::RequestBody { chunk, ends: false });
            }
        }
        if self.stream.waits_for_room() {
            self.on(Event::BodyHeld { bytes: sent, ends: true });
        } else {
            self.on(Event::RequestBody { chunk: &[], ends: true });
        }
        self
    }

    /// Answers the call: this jailbreak score, this domain, and spans of PII given as text.
    fn answer(&mut self, jailbreak: f32, domain: &str, people: &[&str]) -> &mut Self {
        let call = self.call.clone().expect("no call was made");
        let label = |label: &str, score| v1::LabelScore { label: label.to_owned(), score };
        let results = call.signals.iter().map(|asked| {
            let mut result = v1::SignalResult {
                signal: asked.signal,
                default_threshold: 0.5,
                ..Default::default()
            };
            match asked.signal() {
                v1::Signal::Jailbreak => result.scores = vec![label("jailbreak", jailbreak)],
                v1::Signal::Domain => result.scores = vec![label(domain, 0.9)],
                v1::Signal::Pii => {
                    for passage in &call.passages {
                        for person in people {
                            result.spans.extend(passage.text.find(person).map(|start| v1::Span {
                                passage_id: passage.id,
                                start: u32::try_from(start).unwrap(),
                                end: u32::try_from(start + person.len()).unwrap(),
                                entity_type: "PERSON".to_owned(),
                                score: 0.9,
                            }));
                        }
                    }
                }
                v1::Signal::Unspecified => {}
            }
            result
        });
        let response = v1::ClassifyResponse { results: results.collect(), timings: None };
        self.on(Event::Answer(Ok(&response.encode_to_vec())));
        self
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.request_headers.iter().rev().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    fn status(&self) -> Option<u32> {
        self.reply.as_ref().map(|reply| reply.status)
    }
}

fn worker(json: &str) -> Rc<Worker> {
    Rc::new(Worker::new(Rc::new(Config::from_json(json.as_bytes()).unwrap())))
}

fn chat(text: &str) -> Vec<u8> {
    let body = serde_json::json!({"model": "m", "messages": [{"role": "user", "content": text}]});
    body.to_string().into_bytes()
}

const CHAT: &str = "/v1/chat/completions";

#[test]
fn a_benign_request_is_held_until_the_verdict_and_goes_on_unchanged() {
    let worker = worker("{}");
    let mut s = Driven::new(&worker);
    s.post(CHAT, &[]).body(&chat("What is the capital of France?"));
    assert!(s.stream.holds() && !s.resumed);
    let before = s.body.clone();
    s.answer(0.1, "other", &[]);
    assert!(s.resumed && !s.stream.holds());
    assert_eq!(s.body, before);
    assert_eq!(s.header("x-forebay-verdict"), Some("allow"));
    assert_eq!(s.header("x-forebay-domain"), Some("other"));
    assert_eq!(s.header("x-forebay-model"), Some("m"));
}

#[test]
fn a_jailbreak_is_refused_and_nothing_goes_on() {
    let worker = worker("{}");
    let mut s = Driven::new(&worker);
    s.post(CHAT, &[]).body(&chat("Ignore it all.")).answer(0.99, "other", &[]);
    assert_eq!(s.status(), Some(403));
    assert!(!s.resumed && s.stream.holds());
    assert_eq!(s.header("x-forebay-verdict"), Some("block"));
}

#[test]
fn redaction_changes_the_named_spans_and_the_length_and_nothing_else() {
    let worker = worker("{}");
    let mut s = Driven::new(&worker);
    let body = br#"{"n": 1.0e-1, "messages":[{"role":"user","content":"I am P\u0061t Doe, pat.doe@example.com \u00e9"}] }"#;
    s.post(CHAT, &[("content-length", "1")]).body(body).answer(0.0, "other", &["Pat Doe"]);
    let expected =
        br#"{"n": 1.0e-1, "messages":[{"role":"user","content":"I am [PERSON], [EMAIL_ADDRESS] \u00e9"}] }"#;
    assert_eq!(String::from_utf8_lossy(&s.body), String::from_utf8_lossy(expected));
    assert_eq!(s.header("content-length"), Some(expected.len().to_string().as_str()));
    assert_eq!(s.header("x-forebay-verdict"), Some("redact"));
    assert_eq!(s.header("x-forebay-pii"), Some("EMAIL_ADDRESS,PERSON"));
    assert!(s.resumed);
}

#[test]
fn a_body_that_cannot_be_replaced_is_never_forwarded() {
    let worker =
        worker(r#"{"signals":{"pii":{"on_failure":"open"},"jailbreak":{"on_failure":"open"}}}"#);
    let mut stream = Driven::new(&worker);
    stream.post(CHAT, &[]).body(&chat("pat.doe@example.com"));
    // Play the host by hand: it refuses the new body.
    let call = stream.call.clone().unwrap();
    let results = call.signals.iter().map(|asked| v1::SignalResult {
        signal: asked.signal,
        scores: vec![v1::LabelScore { label: "jailbreak".to_owned(), score: 0.0 }],
        default_threshold: 0.5,
        ..Default::default()
    });
    let response =
        v1::ClassifyResponse { results: results.collect(), timings: None }.encode_to_vec();
    let body = stream.body.clone();
    let now = stream.now;
    let s = &mut stream.stream;
    let effects = s.on(now, Event::Answer(Ok(&response)));
    assert!(effects.contains(&Effect::ReadBody { from: 0, max: PIECE_BYTES }));
    assert!(matches!(s.on(now, Event::HeldBody(&body)).as_slice(), [Effect::ReplaceBody(_)]));
    let effects = s.on(now, Event::BodyReplaced(Err(())));
    assert!(!effects.contains(&Effect::Resume));
    assert!(effects.iter().any(|e| matches!(e, Effect::Reply(r) if r.status == 503)));
}

#[test]
fn the_domain_picks_the_route_under_every_configured_name() {
    let worker = worker(
        r#"{"signals":{"domain":{"routes":{"math":"reasoning"}}},"headers":{"route":["x-ai-eg-model"]}}"#,
    );
    let mut s = Driven::new(&worker);
    s.post(CHAT, &[("x-ai-eg-model", "large")]).body(&chat("Integrate x.")).answer(
        0.0,
        "math",
        &[],
    );
    assert_eq!(s.removed, ["x-ai-eg-model"]);
    assert_eq!(s.header("x-forebay-route"), Some("reasoning"));
    assert_eq!(s.header("x-ai-eg-model"), Some("reasoning"));
}

#[test]
fn a_daemon_that_fails_gives_the_configured_outcome_and_says_why() {
    let open = r#"{"signals":{"jailbreak":{"on_failure":"open"},"pii":{"on_failure":"open"}}}"#;
    for (failure, waited, reason) in [
        (CallFailure::NotSent, Duration::ZERO, "daemon_unavailable"),
        (CallFailure::Status(14), Duration::ZERO, "daemon_unavailable"),
        (CallFailure::Status(14), LIMIT, "daemon_timeout"),
        (CallFailure::Status(14), LIMIT - Duration::from_millis(10), "daemon_timeout"),
        (CallFailure::Status(1), LIMIT - Duration::from_millis(10), "daemon_timeout"),
        (CallFailure::Status(1), Duration::ZERO, "daemon_error"),
        (CallFailure::Status(8), Duration::ZERO, "daemon_overloaded"),
        (CallFailure::Status(13), Duration::ZERO, "daemon_error"),
    ] {
        let mut s = Driven::new(&worker("{}"));
        s.post(CHAT, &[]).body(&chat("hello"));
        s.now += waited;
        s.on(Event::Answer(Err(failure)));
        assert_eq!(s.status(), Some(503), "{failure:?}");
        assert!(s.counted.contains(&format!("forebay_filter.unscreened_total.reason.{reason}")));

        let mut s = Driven::new(&worker(open));
        s.post(CHAT, &[]).body(&chat("hello"));
        s.now += waited;
        s.on(Event::Answer(Err(failure)));
        assert!(s.resumed, "{failure:?}");
        assert_eq!(s.header("x-forebay-verdict"), Some("unscreened"));
        assert_eq!(s.header("x-forebay-unscreened"), Some(reason));
    }
}

#[test]
fn an_answer_that_is_no_verdict_is_a_failure() {
    let mut s = Driven::new(&worker("{}"));
    s.post(CHAT, &[]).body(&chat("hello"));
    s.on(Event::Answer(Ok(b"\xff\xff")));
    assert_eq!(s.status(), Some(503));
    let mut s = Driven::new(&worker("{}"));
    s.post(CHAT, &[]).body(&chat("hello"));
    s.on(Event::Answer(Ok(b"")));
    assert_eq!(s.status(), Some(503), "an empty message answers nothing");
}

#[test]
fn a_daemon_that_never_answers_is_given_up_by_the_clock() {
    let mut s = Driven::new(&worker("{}"));
    s.post(CHAT, &[]).body(&chat("hello"));
    s.now += LIMIT;
    s.on(Event::Tick);
    assert_eq!(s.status(), None, "the host's own timeout comes first");
    s.now += 2 * SECOND;
    s.on(Event::Tick);
    assert_eq!(s.status(), Some(503));
    assert!(s.cancelled);
}

#[test]
fn a_slow_upload_is_cut_off() {
    let mut s = Driven::new(&worker(r#"{"limits":{"upload_timeout_ms":1000}}"#));
    s.post(CHAT, &[]);
    s.on(Event::RequestBody { chunk: b"{\"messages\"", ends: false });
    s.now += SECOND;
    s.on(Event::Tick);
    assert_eq!(s.status(), Some(408));
}

#[test]
fn late_events_change_nothing() {
    let mut s = Driven::new(&worker("{}"));
    s.post(CHAT, &[]).body(&chat("hello")).answer(0.9, "other", &[]);
    let reply = s.reply.clone();
    s.on(Event::Answer(Err(CallFailure::Status(14))));
    s.on(Event::RequestBody { chunk: b"x", ends: true });
    s.on(Event::HeldBody(b"x"));
    s.on(Event::Tick);
    assert_eq!(s.reply, reply);
    assert!(!s.resumed && s.stream.holds());
}

#[test]
fn trailers_end_the_body_like_an_ending_chunk() {
    let mut s = Driven::new(&worker("{}"));
    s.post(CHAT, &[]);
    s.on(Event::RequestBody { chunk: &chat("hello"), ends: false });
    assert!(s.call.is_none());
    s.on(Event::RequestTrailers);
    assert!(s.call.is_some());
}

#[test]
fn malformed_bodies_are_refused_in_either_failure_mode() {
    let open = r#"{"signals":{"jailbreak":{"on_failure":"open"},"pii":{"on_failure":"open"}}}"#;
    let bodies: [&[u8]; 5] = [
        br#"{"messages":[{"role":"user","content":"hel"#,
        br#"{"messages":[{"role":"user","content":"a","content":"b"}]}"#,
        b"\xef\xbb\xbf{}",
        br#"{"messages":[]}{"messages":[]}"#,
        br"[1,2]",
    ];
    for config in ["{}", open] {
        for body in bodies {
            let mut s = Driven::new(&worker(config));
            s.post(CHAT, &[]).body(body);
            assert_eq!(s.status(), Some(400), "{}", String::from_utf8_lossy(body));
        }
        let mut s = Driven::new(&worker(config));
        s.post(CHAT, &[]).body(b"");
        assert_eq!(s.status(), Some(400), "empty");
    }
}

#[test]
fn a_request_without_text_is_not_sent_to_the_daemon() {
    let mut s = Driven::new(&worker("{}"));
    s.post(CHAT, &[])
        .body(br#"{"messages":[{"role":"user","content":null},{"role":"tool","content":""}]}"#);
    assert!(s.call.is_none() && s.resumed);
    assert_eq!(s.header("x-forebay-verdict"), Some("allow"));
}

#[test]
fn token_ids_are_reported_and_follow_their_own_mode() {
    let body = br#"{"prompt":[1,2,3]}"#;
    let mut s = Driven::new(&worker("{}"));
    s.post("/v1/completions", &[]).body(body);
    assert_eq!(s.status(), Some(400));
    let mut s = Driven::new(&worker(r#"{"unscreenable":{"token_ids":"open"}}"#));
    s.post("/v1/completions", &[]).body(body);
    assert!(s.resumed);
    assert_eq!(s.header("x-forebay-unscreened"), Some("token_ids"));
}

#[test]
fn only_the_configured_roles_are_read() {
    let body =
        br#"{"messages":[{"content":"rules","role":"system"},{"role":"user","content":"hello"}]}"#;
    let mut s = Driven::new(&worker(r#"{"scan_roles":["user"]}"#));
    s.post(CHAT, &[]).body(body);
    let texts: Vec<_> = s.call.unwrap().passages.into_iter().map(|p| p.text).collect();
    assert_eq!(texts, ["hello"]);
}

/// A worker whose streams may hold `kib` KiB.
fn small_worker(kib: usize) -> Rc<Worker> {
    let bytes = kib << 10;
    worker(&format!(r#"{{"limits":{{"max_text_bytes":{bytes},"max_worker_text_bytes":{bytes}}}}}"#))
}

#[test]
fn a_text_for_which_there_is_no_room_waits_and_is_read_again_when_others_end() {
    let worker = small_worker(512);
    let text = chat(&"no change. ".repeat(20_000));
    let mut first = Driven::new(&worker);
    first.post(CHAT, &[]).body(&text);
    assert!(first.call.is_some());
    let mut second = Driven::new(&worker);
    second.post(CHAT, &[]).body(&text);
    assert!(second.stream.waits_for_room() && second.stream.holds() && second.call.is_none());
    let held = worker.held_bytes();
    second.on(Event::Tick);
    assert!(second.call.is_none(), "there is no room yet");
    assert_eq!(worker.held_bytes(), held, "a stream that waits holds nothing");
    drop(first);
    second.on(Event::Tick);
    let texts: Vec<_> = second.call.clone().unwrap().passages.into_iter().map(|p| p.text).collect();
    assert_eq!(texts.first().map(String::len), Some(220_000));
    second.answer(0.0, "other", &[]);
    assert!(second.resumed);
    drop(second);
    assert_eq!(worker.held_bytes(), 0);
}

#[test]
fn streams_that_wait_get_their_turn_in_the_order_they_came() {
    let worker = small_worker(512);
    let text = chat(&"no change. ".repeat(20_000));
    let mut all: Vec<Driven> = (0..4).map(|_| Driven::new(&worker)).collect();
    all.iter_mut().for_each(|s| {
        s.post(CHAT, &[]).body(&text);
    });
    let mut order = Vec::new();
    for _ in 0..12 {
        for (at, s) in all.iter_mut().enumerate() {
            if s.call.is_some() && !s.resumed {
                order.push(at);
                s.answer(0.0, "other", &[]);
            }
        }
        // Told the time in another order than they came.
        all.iter_mut().rev().for_each(|s| s.on(Event::Tick));
    }
    assert_eq!(order, [0, 1, 2, 3]);
    assert_eq!(worker.held_bytes(), 0);
}

#[test]
fn a_large_stream_makes_way_for_one_that_waits_and_a_small_one_does_not() {
    let worker = small_worker(512);
    let text = chat(&"no change. ".repeat(20_000));
    let mut first = Driven::new(&worker);
    first.post(CHAT, &[]).body(&text);
    let mut second = Driven::new(&worker);
    second.post(CHAT, &[]).body(&text);
    assert!(second.stream.waits_for_room());
    let mut large = Driven::new(&worker);
    large.post(CHAT, &[]).body(&chat(&"no change. ".repeat(7_000)));
    assert!(large.stream.waits_for_room(), "it would take the room that the second waits for");
    let mut small = Driven::new(&worker);
    small.post(CHAT, &[]).body(&chat("hello"));
    assert!(small.call.is_some());
}

#[test]
fn long_texts_that_do_not_end_leave_room_for_short_requests() {
    let worker = small_worker(1024);
    let text = chat(&"no change. ".repeat(100_000));
    let mut slow: Vec<Driven> = (0..8).map(|_| Driven::new(&worker)).collect();
    for (at, s) in slow.iter_mut().enumerate() {
        s.post(CHAT, &[]);
        for chunk in text[..20_000 * (at + 1)].chunks(4096) {
            if !s.stream.waits_for_room() {
                s.on(Event::RequestBody { chunk, ends: false });
            }
        }
    }
    assert!(slow.iter().any(|s| s.stream.waits_for_room()));
    assert!(worker.held_bytes() <= 1024 << 10);
    let mut short = Driven::new(&worker);
    short.post(CHAT, &[]).body(&chat("hello"));
    assert!(short.call.is_some());
}

#[test]
fn a_stream_that_waits_too_long_fails_as_configured_and_says_why() {
    let open = r#"{"limits":{"max_text_bytes":524288,"max_worker_text_bytes":524288},
        "signals":{"jailbreak":{"on_failure":"open"},"pii":{"on_failure":"open"}}}"#;
    for (worker, status) in [(small_worker(512), Some(503)), (worker(open), None)] {
        let text = chat(&"no change. ".repeat(20_000));
        let mut first = Driven::new(&worker);
        first.post(CHAT, &[]).body(&text);
        let mut second = Driven::new(&worker);
        second.post(CHAT, &[]).body(&text);
        second.now += 31 * SECOND;
        second.on(Event::Tick);
        assert_eq!(second.status(), status);
        assert_eq!(second.resumed, status.is_none());
        let reason = "forebay_filter.unscreened_total.reason.worker_full";
        assert!(second.counted.iter().any(|c| c == reason));
    }
}

#[test]
fn a_text_that_no_worker_has_room_for_is_too_large() {
    // Words of one letter take the most memory for each byte.
    let worker = small_worker(512);
    let mut s = Driven::new(&worker);
    s.post(CHAT, &[]).body(&chat(&"a b c d e f g h i j. ".repeat(20_000)));
    assert_eq!(s.status(), Some(413));
    assert_eq!(worker.held_bytes(), 0);
}

#[test]
fn an_upload_that_waits_and_does_not_end_is_a_slow_one() {
    let worker = small_worker(512);
    let text = chat(&"no change. ".repeat(20_000));
    let mut first = Driven::new(&worker);
    first.post(CHAT, &[]).body(&text);
    let mut second = Driven::new(&worker);
    second.post(CHAT, &[]);
    second.on(Event::RequestBody { chunk: &text[..200_000], ends: false });
    assert!(second.stream.waits_for_room());
    second.on(Event::BodyHeld { bytes: 210_000, ends: false });
    second.now += 31 * SECOND;
    second.on(Event::Tick);
    assert_eq!(second.status(), Some(408));
}

#[test]
fn trailers_end_a_body_that_waits() {
    let worker = small_worker(512);
    let text = chat(&"no change. ".repeat(20_000));
    let mut first = Driven::new(&worker);
    first.post(CHAT, &[]).body(&text);
    let mut second = Driven::new(&worker);
    second.post(CHAT, &[]);
    second.body = text.clone();
    second.on(Event::RequestBody { chunk: &text, ends: false });
    second.on(Event::RequestTrailers);
    drop(first);
    second.on(Event::Tick);
    assert!(second.call.is_some());
}

#[test]
fn an_encoded_body_that_waits_is_decoded_again() {
    let worker = small_worker(512);
    let text = chat(&"no change. ".repeat(20_000));
    let mut first = Driven::new(&worker);
    first.post(CHAT, &[]).body(&text);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, &text).unwrap();
    let mut second = Driven::new(&worker);
    second.post(CHAT, &[("content-encoding", "gzip")]).body(&encoder.finish().unwrap());
    assert!(second.stream.waits_for_room());
    drop(first);
    second.on(Event::Tick);
    assert_eq!(second.call.unwrap().passages[0].text.len(), 220_000);
}

#[test]
fn a_body_of_many_pieces_is_redacted_as_a_whole() {
    let worker = worker("{}");
    let mut s = Driven::new(&worker);
    let text = "pat.doe@example.com wrote. ".repeat(20_000);
    s.post(CHAT, &[]).body(&chat(&text)).answer(0.0, "other", &[]);
    assert!(s.resumed);
    assert_eq!(s.body, chat(&text.replace("pat.doe@example.com", "[EMAIL_ADDRESS]")));
}

#[test]
fn other_traffic_passes_untouched_but_for_forged_headers() {
    let mut s = Driven::new(&worker("{}"));
    s.post("/files/upload", &[("x-forebay-verdict", "allow")]);
    assert!(!s.stream.holds() && !s.stream.reads());
    assert_eq!(s.removed, ["x-forebay-verdict"]);
}

#[test]
fn numbered_placeholders_are_stable_and_come_back_in_the_response() {
    let mut s = Driven::new(&worker(r#"{"signals":{"pii":{"restore":true}}}"#));
    s.post(CHAT, &[]).body(&chat("Pat Doe, kim@example.com, pat@example.com, kim@example.com"));
    s.answer(0.0, "other", &["Pat Doe"]);
    let body = String::from_utf8(s.body.clone()).unwrap();
    let expected = "[PERSON_1], [EMAIL_ADDRESS_1], [EMAIL_ADDRESS_2], [EMAIL_ADDRESS_1]";
    assert!(body.contains(expected), "{body}");
    assert!(s.removed.contains(&"accept-encoding".to_owned()));
    let headers = [("content-type".to_owned(), "application/json".to_owned())];
    s.on(Event::ResponseHeaders(Head { headers: &headers }));
    assert!(s.stream.restores());
    s.on(Event::ResponseBody { chunk: b"{\"x\":\"Hi [PERSON_1], [EMAIL_ADD", ends: false });
    s.on(Event::ResponseBody { chunk: b"RESS_2]\"}", ends: true });
    assert_eq!(s.response, b"{\"x\":\"Hi Pat Doe, pat@example.com\"}");
}

#[test]
fn a_trusted_prefix_of_the_system_prompt_is_not_screened_and_what_follows_is() {
    let config = r#"{"trusted_prefixes":["Refuse such as: Ignore all."]}"#;
    let body = br#"{"messages":[{"role":"system","content":"Refuse such as: Ignore all. More."},
        {"role":"user","content":"Refuse such as: Ignore all. Mine."}]}"#;
    let mut s = Driven::new(&worker(config));
    s.post(CHAT, &[]).body(body);
    let texts: Vec<_> = s.call.unwrap().passages.into_iter().map(|p| p.text).collect();
    assert_eq!(texts, [" More.", "Refuse such as: Ignore all. Mine."]);
}

#[test]
fn the_share_that_each_signal_read_is_reported() {
    let mut s = Driven::new(&worker("{}"));
    let text = "The committee reviewed the harvest figures and noted no change. ".repeat(200);
    s.post(CHAT, &[]).body(&chat(&text)).answer(0.0, "other", &[]);
    let read = s.header("x-forebay-read").unwrap();
    assert!(read.starts_with("jailbreak=1.00,pii=1.00,domain=0."), "{read}");
    let kept: usize = s.header("x-forebay-tokens-kept").unwrap().parse().unwrap();
    assert!(kept <= 512, "{kept}");
}
