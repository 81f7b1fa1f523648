//! The parts alone, native, one thread: parse, normalise, recognise, compress, the filter as a whole, tokenise, batch,
//! redact. Every run's result is checked, and the same runs are a test. Attention is `bench attention`; the filter in
//! Envoy's V8 is `bench overhead`.
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use body_stream::{Api, BodyReader, Limits};
use compress::{Compressor, Config, Mode, Profile, Role, SelectRequest};
use inferd::batch::{self, Batcher, Waiting};
use inferd::tokenize::TextTokenizer;
use policy::{Effect, Event, Head, Stream, Worker};

use crate::Common;
use crate::prompts::{Prompt, Prompts};
use crate::report::{Summary, Table};
use crate::stats::{Spread, count, thread_cpu};

/// Arguments of `micro`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Bytes of the request that is worked on, in KiB.
    #[arg(long, default_value_t = 32)]
    kib: usize,
}

/// Body bytes come in such pieces.
const CHUNK: usize = 16 << 10;

/// What parts work on.
struct Input {
    prompt: Prompt,
    tokenizer: TextTokenizer,
    worker: Rc<Worker>,
    recogniser: recognise::Recogniser,
}

/// A part: fails unless its result is right.
type Part = (&'static str, fn(&Input) -> Result<()>);

const PARTS: [Part; 11] = [
    ("parse: body-stream", parse),
    ("parse: serde_json, whole value", parse_whole),
    ("normalise", normalise),
    ("recognise", recognise_personal_data),
    ("compress, the paper's scores", |input| {
        compress_text(input, Profile::Paper, Mode::Compressed)
    }),
    ("compress, guarded", |input| compress_text(input, Profile::General, Mode::Guarded)),
    ("filter: all of the above and the call's message", filter),
    ("filter: after the last chunk only", filter),
    ("tokenise", tokenise),
    ("batch: 64 windows in, batches out", batch_windows),
    ("redact: 16 spans", redact),
];
/// The part whose clock starts late.
const TAIL: &str = "filter: after the last chunk only";

impl Input {
    fn new(bytes: usize, seed: u64) -> Result<Self> {
        let model = e2e::Parts::locate().model;
        let config = policy::Config::from_json(
            crate::stack::filter_config("guarded").to_string().as_bytes(),
        )?;
        Ok(Self {
            prompt: Prompts::new(&model, seed)?.of_bytes(bytes, 0)?,
            tokenizer: TextTokenizer::load(&model.join("tokenizer.json"))?,
            worker: Rc::new(Worker::new(Rc::new(config))),
            recogniser: recognise::Recogniser::default(),
        })
    }
}

/// Measures.
///
/// # Errors
///
/// Fails when a part's result is wrong.
pub(crate) fn run(args: &Args, common: &Common) -> Result<Summary> {
    let mut summary = Summary::new("micro", "The parts alone, native, one thread");
    let input = Input::new(args.kib << 10, common.seed)?;
    let time = Duration::from_millis(if common.quick { 300 } else { 1500 });
    let mut table = Table::new(
        "parts",
        &["part", "request KiB", "runs", "least µs", "p50 µs", "MB/s of the request"],
    );
    for (name, part) in PARTS {
        let spread = measure(&input, name, part, time)?;
        let rate = count(input.prompt.body.len()) / spread.min;
        table.row([
            name.to_owned(),
            args.kib.to_string(),
            spread.count.to_string(),
            format!("{:.1}", spread.min),
            format!("{:.1}", spread.p50),
            format!("{rate:.0}"),
        ]);
        summary.cost(name, spread.min / 1e3);
    }
    summary.note("CPU time of the thread; the least is what the part takes when nothing disturbs it. Chunks of 16 KiB.");
    summary.shown = vec![table.name.clone()];
    summary.tables.push(table);
    Ok(summary)
}

/// CPU time of runs, in microseconds.
fn measure(
    input: &Input,
    name: &str,
    part: fn(&Input) -> Result<()>,
    time: Duration,
) -> Result<Spread> {
    let mut samples = Vec::new();
    let until = Instant::now() + time;
    while samples.len() < 10 || (Instant::now() < until && samples.len() < 100_000) {
        let took = if name == TAIL {
            filter_tail(input).with_context(|| name.to_owned())?
        } else {
            let before = thread_cpu()?;
            part(input).with_context(|| name.to_owned())?;
            thread_cpu()?.saturating_sub(before)
        };
        samples.push(took.as_secs_f64() * 1e6);
    }
    Spread::of(&samples).context("no sample")
}

fn parse(input: &Input) -> Result<()> {
    let mut reader = BodyReader::new(&Api::ChatCompletions, Limits::default());
    for chunk in input.prompt.body.chunks(CHUNK) {
        reader.feed(chunk)?;
    }
    reader.finish()?;
    let last = reader.passages().last().context("no passage")?;
    ensure!(last.text == input.prompt.text, "the text read is not the text sent");
    Ok(())
}

fn parse_whole(input: &Input) -> Result<()> {
    let value: serde_json::Value = serde_json::from_slice(&input.prompt.body)?;
    ensure!(
        value["messages"][1]["content"] == input.prompt.text,
        "the text read is not the text sent"
    );
    Ok(())
}

fn normalise(input: &Input) -> Result<()> {
    let mut normaliser = recognise::Normaliser::new();
    normaliser.advance(&input.prompt.text, true);
    ensure!(normaliser.text(&input.prompt.text) == input.prompt.text, "plain text was changed");
    Ok(())
}

fn recognise_personal_data(input: &Input) -> Result<()> {
    let mut scanner = recognise::Scanner::new();
    scanner.advance(&input.recogniser, &input.prompt.text, true);
    ensure!(scanner.hits().is_empty(), "found personal data where there is none");
    Ok(())
}

fn compress_text(input: &Input, profile: Profile, mode: Mode) -> Result<()> {
    let selection = Compressor::new(&Config::from(profile)).select(SelectRequest {
        texts: &[&input.prompt.text],
        roles: &[Role::User],
        flagged: &[],
        budget_tokens: compress::DEFAULT_BUDGET_TOKENS,
        mode,
    });
    ensure!(selection.tokens_kept <= compress::DEFAULT_BUDGET_TOKENS, "over the budget");
    ensure!(!selection.pieces.is_empty(), "nothing kept");
    Ok(())
}

fn filter(input: &Input) -> Result<()> {
    let _tail = filter_tail(input)?;
    Ok(())
}

/// Runs the filter's state machine up to its call; gives the CPU time of the last event.
fn filter_tail(input: &Input) -> Result<Duration> {
    let headers = [
        (":method", "POST"),
        (":path", "/v1/chat/completions"),
        ("content-type", "application/json"),
    ];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut stream = Stream::new(Rc::clone(&input.worker));
    let now = Duration::from_secs(1);
    stream.on(now, Event::RequestHeaders { head: Head { headers: &headers }, ends: false });
    for chunk in input.prompt.body.chunks(CHUNK) {
        stream.on(now, Event::RequestBody { chunk, ends: false });
    }
    // As with HTTP/1.1, where the end comes without bytes.
    let before = thread_cpu()?;
    let effects = stream.on(now, Event::RequestBody { chunk: &[], ends: true });
    let took = thread_cpu()?.saturating_sub(before);
    ensure!(
        effects.iter().any(|effect| matches!(effect, Effect::Call(_))),
        "the filter did not call"
    );
    Ok(took)
}

fn tokenise(input: &Input) -> Result<()> {
    let tokens = input.tokenizer.encode(&input.prompt.text, usize::MAX)?;
    ensure!(tokens.len() == input.prompt.tokens, "another number of tokens");
    Ok(())
}

fn batch_windows(_input: &Input) -> Result<()> {
    const WINDOWS: usize = 64;
    let limits =
        batch::Limits { max_batch_rows: 16, max_batch_tokens: 8_192, max_queue_tokens: 1 << 20 };
    let mut batcher = Batcher::new(limits);
    for at in 0..WINDOWS {
        let window = Waiting { tokens: 128 + at % 4 * 128, deadline: None, item: at };
        if batcher.push(vec![window], |_| false).is_err() {
            bail!("the queue is full");
        }
    }
    let now = Instant::now();
    let mut taken = 0;
    while !batcher.is_empty() {
        let batch = batcher.take(now, |_| false);
        ensure!(!batch.batch.is_empty(), "an empty batch");
        taken += batch.batch.len();
    }
    ensure!(taken == WINDOWS, "{taken} of {WINDOWS} windows came out");
    Ok(())
}

fn redact(input: &Input) -> Result<()> {
    const SPANS: usize = 16;
    let mut reader = BodyReader::new(&Api::ChatCompletions, Limits::default());
    reader.feed(&input.prompt.body)?;
    reader.finish()?;
    let passage = reader.passages().last().context("no passage")?;
    let step = passage.text.len() / SPANS;
    let mut edits = Vec::new();
    for at in 0..SPANS {
        let start = at * step;
        edits.push(passage.edit(start..start + 8, "[PERSON]").context("no such span")?);
    }
    let redacted = body_stream::redact(&input.prompt.body, &edits)?;
    let value: serde_json::Value = serde_json::from_slice(&redacted)?;
    let text = value["messages"][1]["content"].as_str().unwrap_or_default();
    ensure!(text.matches("[PERSON]").count() == SPANS, "not every span was replaced");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_gives_the_right_result() {
        let input = Input::new(8 << 10, 1).unwrap();
        for (name, part) in PARTS {
            part(&input).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        }
    }
}
