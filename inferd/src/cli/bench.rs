//! `inferd bench`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use forebay_proto::v1;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tokio::task::JoinSet;

use super::classify::message;
use super::{CliError, block_on, print};
use crate::models::Signal;
use crate::server::{Client, ClientError};

/// Keep a running daemon busy and say what it does.
///
/// Each caller asks again as soon as it is answered, over a connection that it shares with few others, as a proxy's workers do. Other
/// callers of the daemon will notice.
#[derive(Debug, Args)]
pub(super) struct Bench {
    /// The daemon's socket
    #[arg(long, value_name = "PATH", default_value = "/run/forebay/inferd.sock")]
    socket: PathBuf,
    /// Callers at once
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=4096))]
    callers: u16,
    /// How long, in seconds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=3600))]
    seconds: u16,
    /// Words of each text, which are made up
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    words: u32,
    /// Texts to send instead, one in each line
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    data: Option<PathBuf>,
    /// What to ask; everything when not given
    #[arg(long = "signal", value_enum)]
    signals: Vec<Signal>,
    /// What a caller waits for an answer
    #[arg(long, value_name = "MS", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=3_600_000))]
    timeout_ms: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Callers on one connection.
const CALLERS_PER_CONNECTION: usize = 8;
/// Different texts that are made up, so that the same one is not asked again and again.
const TEXTS: usize = 256;
/// Longest line of a file of texts, in bytes: what the daemon takes by default.
const MAX_TEXT_BYTES: usize = 16 << 20;
const WORDS: [&str; 48] = [
    "the", "of", "and", "to", "in", "is", "that", "for", "it", "with", "as", "was", "on", "be",
    "at", "by", "this", "had", "from", "not", "water", "house", "number", "people", "little",
    "garden", "history", "question", "energy", "market", "patient", "engine", "court", "reaction",
    "number", "theory", "design", "teacher", "river", "window", "summer", "morning", "letter",
    "machine", "picture", "answer", "village", "mountain",
];

/// How one caller fared.
#[derive(Debug, Default)]
struct Seen {
    /// Of answered calls, in microseconds.
    micros: Vec<u32>,
    tokens: usize,
    shed: usize,
    late: usize,
    /// Signals without an answer.
    failures: usize,
    timings: v1::Timings,
}

impl Seen {
    fn add(&mut self, other: Self) {
        self.micros.extend(other.micros);
        self.tokens += other.tokens;
        self.shed += other.shed;
        self.late += other.late;
        self.failures += other.failures;
        self.spend(other.timings);
    }

    fn spend(&mut self, more: v1::Timings) {
        let all = &mut self.timings;
        all.queue_us += more.queue_us;
        all.tokenise_us += more.tokenise_us;
        all.run_us += more.run_us;
        all.decode_us += more.decode_us;
    }

    fn answered(&mut self, answer: &v1::ClassifyResponse, took: Duration) {
        self.micros.push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
        let tokens = answer.results.iter().map(|r| r.tokens_read).max().unwrap_or(0);
        self.tokens += usize::try_from(tokens).unwrap_or(0);
        let failed = |r: &&v1::SignalResult| r.failure() != v1::Failure::Unspecified;
        self.failures += answer.results.iter().filter(failed).count();
        self.spend(answer.timings.unwrap_or_default());
    }
}

impl Bench {
    pub(super) fn run(self) -> Result<(), CliError> {
        let signals =
            if self.signals.is_empty() { Signal::ALL.to_vec() } else { self.signals.clone() };
        let requests: Vec<_> = self.texts()?.iter().map(|text| message(text, &signals)).collect();
        let (mut seen, took) = block_on(self.load(Arc::new(requests)))?;
        seen.micros.sort_unstable();
        print(&if self.json { self.as_json(&seen, took) } else { self.table(&seen, took) })?;
        if seen.micros.is_empty() {
            return Err(CliError::Failed("no call was answered".to_owned()));
        }
        Ok(())
    }

    fn texts(&self) -> Result<Vec<String>, CliError> {
        let Some(path) = &self.data else {
            let mut seed = 1;
            return Ok((0..TEXTS).map(|_| made_up(self.words, &mut seed)).collect());
        };
        let text = std::fs::read_to_string(path)
            .map_err(CliError::io(format!("cannot read {}", path.display())))?;
        let lines: Vec<String> =
            text.lines().filter(|l| !l.is_empty()).map(str::to_owned).collect();
        if lines.is_empty() || lines.iter().any(|line| line.len() > MAX_TEXT_BYTES) {
            return Err(CliError::Usage(format!(
                "{}: needs at least one line, each of at most {MAX_TEXT_BYTES} bytes",
                path.display()
            )));
        }
        Ok(lines)
    }

    async fn load(
        &self,
        requests: Arc<Vec<v1::ClassifyRequest>>,
    ) -> Result<(Seen, Duration), CliError> {
        let callers = usize::from(self.callers);
        let mut clients = Vec::new();
        for _ in 0..callers.div_ceil(CALLERS_PER_CONNECTION) {
            clients.push(Client::connect(&self.socket).await?);
        }
        let timeout = Duration::from_millis(u64::from(self.timeout_ms));
        let length = Duration::from_secs(u64::from(self.seconds));
        let next = Arc::new(AtomicUsize::new(0));
        let began = Instant::now();
        let mut tasks = JoinSet::new();
        for (_, client) in (0..callers).zip(clients.iter().cycle()) {
            let (client, next, requests) =
                (client.clone(), Arc::clone(&next), Arc::clone(&requests));
            tasks.spawn(async move {
                let mut seen = Seen::default();
                while began.elapsed() < length {
                    let index = next.fetch_add(1, Ordering::Relaxed) % requests.len();
                    let Some(request) = requests.get(index).cloned() else { break };
                    let at = Instant::now();
                    match client.classify(request, Some(timeout)).await {
                        Ok(answer) => seen.answered(&answer, at.elapsed()),
                        Err(ClientError::Refused { code, .. }) if code == "ResourceExhausted" => {
                            seen.shed += 1;
                            // Refusals come at once; a caller that is refused would do nothing else but ask.
                            tokio::time::sleep(Duration::from_millis(5)).await;
                        }
                        Err(ClientError::Refused { code, .. }) if code == "DeadlineExceeded" => {
                            seen.late += 1;
                        }
                        Err(error) => return Err(error),
                    }
                }
                Ok(seen)
            });
        }
        // Hidden by itself when standard error is not a terminal.
        let bar = ProgressBar::new(length.as_secs());
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {elapsed} {msg}") {
            bar.set_style(style);
        }
        let mut all = Seen::default();
        let mut second = tokio::time::interval(Duration::from_secs(1));
        loop {
            tokio::select! {
                _ = second.tick() => {
                    bar.set_position(began.elapsed().as_secs());
                    bar.set_message(format!("{} calls", next.load(Ordering::Relaxed)));
                }
                joined = tasks.join_next() => match joined {
                    Some(seen) => all.add(seen.map_err(CliError::failed)??),
                    None => break,
                }
            }
        }
        bar.finish_and_clear();
        Ok((all, began.elapsed()))
    }

    fn as_json(&self, seen: &Seen, took: Duration) -> String {
        let stage = |us: u64| per_answer(us, seen);
        format!(
            "{:#}\n",
            json!({
                "callers": self.callers,
                "seconds": took.as_secs_f64(),
                "answered": seen.micros.len(),
                "answered_per_s": rate(seen.micros.len(), took),
                "tokens_per_s": rate(seen.tokens, took),
                "shed": seen.shed,
                "late": seen.late,
                "signals_without_answer": seen.failures,
                "p50_ms": percentile(&seen.micros, 50),
                "p95_ms": percentile(&seen.micros, 95),
                "p99_ms": percentile(&seen.micros, 99),
                "max_ms": percentile(&seen.micros, 100),
                "mean_ms": {
                    "queue": stage(seen.timings.queue_us), "tokenise": stage(seen.timings.tokenise_us),
                    "run": stage(seen.timings.run_us), "decode": stage(seen.timings.decode_us),
                },
            })
        )
    }

    fn table(&self, seen: &Seen, took: Duration) -> String {
        let mut out = String::new();
        _ = writeln!(
            out,
            "{} calls answered in {:.1} s by {} callers: {:.1} a second, {:.0} tokens a second",
            seen.micros.len(),
            took.as_secs_f64(),
            self.callers,
            rate(seen.micros.len(), took),
            rate(seen.tokens, took)
        );
        let ms = |percent| percentile(&seen.micros, percent);
        _ = writeln!(
            out,
            "latency p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms, max {:.1} ms",
            ms(50),
            ms(95),
            ms(99),
            ms(100)
        );
        let stage = |us: u64| per_answer(us, seen);
        _ = writeln!(
            out,
            "of it in the mean: queue {:.2} ms, tokenise {:.2} ms, run {:.2} ms, decode {:.2} ms",
            stage(seen.timings.queue_us),
            stage(seen.timings.tokenise_us),
            stage(seen.timings.run_us),
            stage(seen.timings.decode_us)
        );
        _ = writeln!(
            out,
            "refused as too much {}, too late {}, signals without an answer {}",
            seen.shed, seen.late, seen.failures
        );
        out
    }
}

#[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
fn rate(count: usize, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64()
}

/// Microseconds of all answers to milliseconds of one.
#[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
fn per_answer(micros: u64, seen: &Seen) -> f64 {
    micros as f64 / 1e3 / seen.micros.len().max(1) as f64
}

/// A percentile of sorted microseconds, in milliseconds: the least value that so many are not above.
fn percentile(sorted: &[u32], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    f64::from(sorted.get(rank - 1).copied().unwrap_or(0)) / 1e3
}

/// A text of so many words.
fn made_up(words: u32, seed: &mut u64) -> String {
    let mut text = String::new();
    for _ in 0..words {
        // xorshift64
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        let index = usize::try_from(*seed >> 33).unwrap_or(0) % WORDS.len();
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(WORDS.get(index).copied().unwrap_or_default());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_seen() {
        let sorted: Vec<u32> = (1..=200).map(|n| n * 1000).collect();
        let of = |percent| percentile(&sorted, percent);
        assert_eq!((of(50), of(95), of(99), of(100)), (100.0, 190.0, 198.0, 200.0));
        assert_eq!((percentile(&[], 50), percentile(&[7000], 1)), (0.0, 7.0));
    }

    #[test]
    fn texts_have_the_length_asked_for_and_differ() {
        let mut seed = 1;
        let texts: Vec<String> = (0..20).map(|_| made_up(30, &mut seed)).collect();
        assert!(texts.iter().all(|text| text.split(' ').count() == 30));
        assert!(texts.iter().skip(1).all(|text| *text != texts[0]));
    }
}
