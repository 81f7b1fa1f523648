//! The parts of the filter, each run alone on one request's body and its result checked.
//!
//! `bench micro` times the same code natively, in Envoy's V8 and in wasmtime (both through the plugin in `wasm/`), so the
//! three can be compared. The caller brings the clock: CPU time where there is one, wall time in a VM. A part whose result is
//! wrong is an error, never a time.

use std::rc::Rc;
use std::time::Duration;

use body_stream::{Api, BodyReader, Limits};
use compress::{Compressor, Mode, Profile, Role, SelectRequest};
use policy::{Effect, Event, Head, Stream, Worker};
use serde::{Deserialize, Serialize};

/// Body bytes come in such pieces.
const CHUNK_BYTES: usize = 16 << 10;

/// Values replaced in the body.
const SPANS: usize = 16;

/// What stands before a result in the plugin's log.
pub const LINE: &str = "bench-part ";

/// Samples kept of one part, at most.
const MAX_RUNS: usize = 100_000;

/// A clock: any origin, never backwards.
pub type Clock = fn() -> Duration;

/// What to measure; also the plugin's configuration.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// A chat request of two messages, the second one the text, with nothing in it that a recogniser knows.
    pub body: String,
    /// Time spent on each part, in milliseconds.
    pub millis: u64,
}

/// How long one part took.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Measured {
    /// The part.
    pub name: String,
    /// How often it ran.
    pub runs: usize,
    /// The shortest run, in microseconds.
    pub least_us: f64,
    /// The median, in microseconds.
    pub p50_us: f64,
}

/// A part's result was wrong, or it could not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{part}: {what}")]
pub struct Wrong {
    part: &'static str,
    what: String,
}

/// What parts work on.
#[derive(Debug)]
pub struct Input {
    body: Vec<u8>,
    text: String,
    /// Every signal tags and reads a guarded selection.
    worker: Rc<Worker>,
    /// No signal is on.
    silent: Rc<Worker>,
    recogniser: recognise::Recogniser,
}

type Outcome = Result<Duration, String>;

/// A part: its name, and a run of it that gives the time taken, or says what was wrong.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// For tables.
    pub name: &'static str,
    run: fn(&Input, Clock) -> Outcome,
}

/// All parts.
pub const PARTS: [Part; 10] = [
    Part { name: "parse: body-stream", run: parse },
    Part { name: "parse: serde_json, whole value", run: parse_whole },
    Part { name: "normalise", run: normalise },
    Part { name: "recognise", run: recognise_personal_data },
    Part { name: "compress, the paper's scores", run: compress_paper },
    Part { name: "compress, guarded", run: compress_guarded },
    Part { name: "filter: signals off", run: filter_silent },
    Part { name: "filter: all of the above and the call's message", run: filter_all },
    Part { name: "filter: after the last chunk only", run: filter_tail },
    Part { name: "redact: 16 spans", run: redact },
];

impl Input {
    /// Prepares one request.
    ///
    /// # Errors
    ///
    /// When the body is no chat request whose second message is a text.
    pub fn new(body: &[u8]) -> Result<Self, Wrong> {
        let wrong = |what: String| Wrong { part: "input", what };
        let value: serde_json::Value =
            serde_json::from_slice(body).map_err(|error| wrong(error.to_string()))?;
        let text = value["messages"][1]["content"].as_str();
        let text = text.ok_or_else(|| wrong("no second message".to_owned()))?.to_owned();
        let worker = |action: &str| {
            let signal = serde_json::json!({"action": action, "coverage": "guarded"});
            let config = serde_json::json!({
                "signals": {"jailbreak": signal, "pii": signal, "domain": signal},
            });
            policy::Config::from_json(config.to_string().as_bytes())
                .map(|config| Rc::new(Worker::new(Rc::new(config))))
                .map_err(|error| wrong(error.to_string()))
        };
        Ok(Self {
            body: body.to_vec(),
            text,
            worker: worker("tag")?,
            silent: worker("off")?,
            recogniser: recognise::Recogniser::default(),
        })
    }

    /// Bytes of the body.
    #[must_use]
    pub fn body_bytes(&self) -> usize {
        self.body.len()
    }
}

impl Part {
    /// Runs once.
    ///
    /// # Errors
    ///
    /// When the result is wrong.
    pub fn run(&self, input: &Input, clock: Clock) -> Result<Duration, Wrong> {
        (self.run)(input, clock).map_err(|what| Wrong { part: self.name, what })
    }

    /// Runs for `time`, at least ten times.
    ///
    /// # Errors
    ///
    /// When a result is wrong.
    pub fn measure(&self, input: &Input, time: Duration, clock: Clock) -> Result<Measured, Wrong> {
        // Compiled, and its tables built.
        self.run(input, clock)?;
        let mut samples = Vec::new();
        let until = clock().saturating_add(time);
        while samples.len() < 10 || (clock() < until && samples.len() < MAX_RUNS) {
            samples.push(self.run(input, clock)?.as_secs_f64() * 1e6);
        }
        samples.sort_by(f64::total_cmp);
        let at = |index: usize| samples.get(index).copied().unwrap_or_default();
        Ok(Measured {
            name: self.name.to_owned(),
            runs: samples.len(),
            least_us: at(0),
            p50_us: at(samples.len() / 2),
        })
    }
}

/// Measures all parts.
///
/// # Errors
///
/// When a result is wrong.
pub fn measure(setup: &Setup, clock: Clock) -> Result<Vec<Measured>, Wrong> {
    let input = Input::new(setup.body.as_bytes())?;
    let time = Duration::from_millis(setup.millis);
    PARTS.iter().map(|part| part.measure(&input, time, clock)).collect()
}

fn ensure(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

/// The time that `work` takes, and what it gives. Looking at the result is not timed: comparing texts takes longer than
/// reading them, in a VM.
fn timed<T>(clock: Clock, work: impl FnOnce() -> T) -> (Duration, T) {
    let before = clock();
    let result = std::hint::black_box(work());
    (clock().saturating_sub(before), result)
}

fn read(input: &Input) -> Result<BodyReader, String> {
    let mut reader = BodyReader::new(&Api::ChatCompletions, Limits::default());
    for chunk in input.body.chunks(CHUNK_BYTES) {
        reader.feed(chunk).map_err(|error| error.to_string())?;
    }
    reader.finish().map_err(|error| error.to_string())?;
    Ok(reader)
}

fn parse(input: &Input, clock: Clock) -> Outcome {
    let (took, reader) = timed(clock, || read(input));
    let reader = reader?;
    let last = reader.passages().last().ok_or("no passage")?;
    ensure(last.text == input.text, "the text read is not the text sent")?;
    Ok(took)
}

fn parse_whole(input: &Input, clock: Clock) -> Outcome {
    let (took, value) = timed(clock, || serde_json::from_slice(&input.body));
    let value: serde_json::Value = value.map_err(|error| error.to_string())?;
    let text = value["messages"][1]["content"].as_str();
    ensure(text == Some(&input.text), "the text read is not the text sent")?;
    Ok(took)
}

fn normalise(input: &Input, clock: Clock) -> Outcome {
    let mut normaliser = recognise::Normaliser::new();
    let (took, ()) = timed(clock, || normaliser.advance(&input.text, true));
    ensure(normaliser.text(&input.text) == input.text, "plain text was changed")?;
    Ok(took)
}

fn recognise_personal_data(input: &Input, clock: Clock) -> Outcome {
    let mut scanner = recognise::Scanner::new();
    let (took, ()) = timed(clock, || scanner.advance(&input.recogniser, &input.text, true));
    ensure(scanner.hits().is_empty(), "found personal data where there is none")?;
    Ok(took)
}

fn compress_paper(input: &Input, clock: Clock) -> Outcome {
    compress_text(input, clock, Profile::Paper, Mode::Compressed)
}

fn compress_guarded(input: &Input, clock: Clock) -> Outcome {
    compress_text(input, clock, Profile::General, Mode::Guarded)
}

fn compress_text(input: &Input, clock: Clock, profile: Profile, mode: Mode) -> Outcome {
    let (took, selection) = timed(clock, || {
        Compressor::new(&compress::Config::from(profile)).select(SelectRequest {
            texts: &[&input.text],
            roles: &[Role::User],
            flagged: &[],
            budget_tokens: compress::DEFAULT_BUDGET_TOKENS,
            mode,
        })
    });
    ensure(selection.tokens_kept <= compress::DEFAULT_BUDGET_TOKENS, "over the budget")?;
    ensure(!selection.pieces.is_empty(), "nothing kept")?;
    Ok(took)
}

fn filter_silent(input: &Input, clock: Clock) -> Outcome {
    let (took, effects) = timed(clock, || filter(input, &input.silent, &mut || ()));
    ensure(effects.contains(&Effect::Resume), "the filter did not let the request go")?;
    Ok(took)
}

fn filter_all(input: &Input, clock: Clock) -> Outcome {
    let (took, effects) = timed(clock, || filter(input, &input.worker, &mut || ()));
    ensure(calls(&effects), "the filter did not call")?;
    Ok(took)
}

fn calls(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::Call(_)))
}

fn filter_tail(input: &Input, clock: Clock) -> Outcome {
    let mut before = Duration::ZERO;
    let effects = filter(input, &input.worker, &mut || before = clock());
    let took = clock().saturating_sub(before);
    ensure(calls(&effects), "the filter did not call")?;
    Ok(took)
}

/// Runs the filter's state machine up to its last event, before which it calls `at_end`; gives that event's effects.
fn filter(input: &Input, worker: &Rc<Worker>, at_end: &mut dyn FnMut()) -> Vec<Effect> {
    let headers = [
        (":method", "POST"),
        (":path", "/v1/chat/completions"),
        ("content-type", "application/json"),
    ];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut stream = Stream::new(Rc::clone(worker));
    let now = Duration::from_secs(1);
    stream.on(now, Event::RequestHeaders { head: Head { headers: &headers }, ends: false });
    for chunk in input.body.chunks(CHUNK_BYTES) {
        stream.on(now, Event::RequestBody { chunk, ends: false });
    }
    // As with HTTP/1.1, where the end comes without bytes.
    at_end();
    stream.on(now, Event::RequestBody { chunk: &[], ends: true })
}

fn redact(input: &Input, clock: Clock) -> Outcome {
    let reader = read(input)?;
    let passage = reader.passages().last().ok_or("no passage")?;
    let step = passage.text.len() / SPANS;
    let (took, redacted) = timed(clock, || {
        let mut edits = Vec::new();
        for start in (0..SPANS).map(|at| at * step) {
            edits.push(passage.edit(start..start + 8, "[PERSON]").ok_or("no such span")?);
        }
        body_stream::redact(&input.body, &edits).map_err(|error| error.to_string())
    });
    let redacted: Vec<u8> = redacted?;
    let value: serde_json::Value =
        serde_json::from_slice(&redacted).map_err(|error| error.to_string())?;
    let text = value["messages"][1]["content"].as_str().unwrap_or_default();
    ensure(text.matches("[PERSON]").count() == SPANS, "not every span was replaced")?;
    Ok(took)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> String {
        let sentence = |at: usize| {
            let words = ["river", "engine", "library", "voyage", "silver", "garden", "method"];
            let word = |step: usize| words.get((at * step + step) % words.len()).copied();
            format!(
                "The {} of the {} follows a {} that number {at} describes. ",
                word(1).unwrap_or_default(),
                word(3).unwrap_or_default(),
                word(5).unwrap_or_default()
            )
        };
        let text: String = (0..200).map(sentence).collect();
        serde_json::json!({"model": "m", "messages": [
            {"role": "system", "content": "Answer briefly."},
            {"role": "user", "content": text},
        ]})
        .to_string()
    }

    fn clock() -> Duration {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
    }

    #[test]
    fn every_part_gives_the_right_result() {
        let input = Input::new(body().as_bytes()).unwrap();
        for part in PARTS {
            part.run(&input, clock).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    #[test]
    fn a_wrong_result_is_an_error_and_no_time() {
        let mut input = Input::new(body().as_bytes()).unwrap();
        input.text.push('x');
        let wrong = PARTS[0].measure(&input, Duration::ZERO, clock).unwrap_err();
        assert_eq!(wrong.to_string(), "parse: body-stream: the text read is not the text sent");
    }

    #[test]
    fn all_parts_are_measured_under_their_names() {
        let measured = measure(&Setup { body: body(), millis: 0 }, clock).unwrap();
        let names: Vec<&str> = measured.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, PARTS.map(|part| part.name));
        assert!(measured.iter().all(|part| part.runs >= 10 && part.least_us <= part.p50_us));
    }
}
