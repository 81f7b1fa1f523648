//! What the compressor costs: native against the paper's algorithm, on prose and on hostile text, and in Envoy's V8.
//!
//! Native times are CPU time of this thread; text arrives in pieces of 16 KiB, and what is left after the last byte is the
//! selection. In Envoy it is the CPU time of the whole process for each request, with a daemon that answers at once.

use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use compress::{Compressor, Config, Mode, Profile, Role, SelectRequest, Selection, oracle};
use e2e::Parts;

use crate::Common;
use crate::chart::Chart;
use crate::client::Way;
use crate::compress_quality::methods::papers_algorithm;
use crate::measure::{Load, Runner, SCREENED};
use crate::prompts::Prompts;
use crate::report::{Goal, Summary, Table};
use crate::stack::{Daemon, Screening, Stack, filter_config, silent_config};
use crate::stats::{Random, count, thread_cpu};
use crate::upstream::Upstream;

/// Arguments of `compress`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Leave Envoy out
    #[arg(long)]
    native_only: bool,
    /// Requests of each variant and size in Envoy
    #[arg(long)]
    rounds: Option<usize>,
}

const KIB: usize = 1024;
const PIECE_BYTES: usize = 16 * KIB;
const PROSE: &str = "prose";

/// Most that hostile text may cost of what prose of its size costs.
const HOSTILE_FACTOR: f64 = 2.0;

/// Measures.
///
/// # Errors
///
/// Fails when a selection breaks a rule of the compressor, or a request is not answered as it must be.
pub(crate) fn run(args: &Args, common: &Common) -> Result<Summary> {
    let mut summary = Summary::new("compress", "What compression costs");
    native(common, &mut summary)?;
    if args.native_only {
        summary.note("Envoy was left out.");
    } else {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(envoy(args, common, &mut summary))?;
    }
    Ok(summary)
}

/// Least CPU time of the two stages, over some runs.
#[derive(Clone, Copy, Debug)]
struct Times {
    take_in_ms: f64,
    select_ms: f64,
    held_bytes: usize,
}

impl Times {
    fn total_ms(self) -> f64 {
        self.take_in_ms + self.select_ms
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn measure(text: &str, mode: Mode, runs: usize) -> Result<Times> {
    let texts = [text];
    let request = SelectRequest {
        texts: &texts,
        roles: &[Role::User],
        flagged: &[],
        budget_tokens: compress::DEFAULT_BUDGET_TOKENS,
        mode,
    };
    let mut best: Option<Times> = None;
    for _ in 0..runs {
        let start = thread_cpu()?;
        let mut compressor = Compressor::new(&Config::from(Profile::General));
        for end in (PIECE_BYTES..text.len()).step_by(PIECE_BYTES) {
            if let Some(head) = text.get(..end) {
                compressor.advance(0, head, false);
            }
        }
        compressor.advance(0, text, true);
        let middle = thread_cpu()?;
        let selection: Selection = compressor.select(request);
        let end = thread_cpu()?;
        oracle::check(&selection, request).map_err(|rule| anyhow!("{rule}"))?;
        let times = Times {
            take_in_ms: ms(middle.saturating_sub(start)),
            select_ms: ms(end.saturating_sub(middle)),
            held_bytes: compressor.held_bytes(),
        };
        if best.is_none_or(|best| times.total_ms() < best.total_ms()) {
            best = Some(times);
        }
    }
    best.context("no runs")
}

fn native(common: &Common, summary: &mut Summary) -> Result<()> {
    let (runs, twin_runs) = if common.quick { (5, 2) } else { (25, 5) };
    let mut table = Table::new(
        "native",
        &[
            "text",
            "KiB",
            "coverage",
            "take in ms",
            "after the last byte ms",
            "µs a KiB",
            "paper ms",
            "paper / this",
            "of prose",
            "memory held / text",
        ],
    );
    let (mut ratios, mut worst_hostile, mut tail) = (Vec::new(), (0.0_f64, String::new()), 0.0_f64);
    for kib in [32, 64, 1024] {
        let mut prose_ms = [f64::NAN; 2];
        for (name, text) in shapes(kib * KIB, common.seed) {
            let twin_ms = (0..if kib > 100 { 1 } else { twin_runs })
                .map(|_| {
                    let start = thread_cpu()?;
                    std::hint::black_box(papers_algorithm(&text));
                    Ok(ms(thread_cpu()?.saturating_sub(start)))
                })
                .collect::<Result<Vec<f64>>>()?
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            for (mode, prose_ms) in [Mode::Compressed, Mode::Guarded].into_iter().zip(&mut prose_ms)
            {
                let times = measure(&text, mode, if kib > 100 { runs.min(5) } else { runs })?;
                if name == PROSE {
                    *prose_ms = times.total_ms();
                }
                let of_prose = times.total_ms() / *prose_ms;
                if of_prose > worst_hostile.0 {
                    worst_hostile = (of_prose, format!("{name}, {kib} KiB"));
                }
                let coverage = if mode == Mode::Guarded { "guarded" } else { "compressed" };
                if name == PROSE && kib <= 64 {
                    tail = tail.max(times.select_ms);
                    summary.cost(format!("{coverage}, {kib} KiB"), times.total_ms());
                    if mode == Mode::Guarded {
                        ratios.push((kib, twin_ms / times.total_ms()));
                    }
                }
                table.row([
                    name.to_owned(),
                    kib.to_string(),
                    coverage.to_owned(),
                    format!("{:.3}", times.take_in_ms),
                    format!("{:.3}", times.select_ms),
                    format!("{:.1}", 1e3 * times.total_ms() / count(kib)),
                    format!("{twin_ms:.2}"),
                    format!("{:.1}", twin_ms / times.total_ms()),
                    format!("{of_prose:.2}"),
                    format!("{:.2}", count(times.held_bytes) / count(text.len())),
                ]);
            }
        }
    }
    let least = ratios.iter().map(|(_, ratio)| *ratio).fold(f64::INFINITY, f64::min);
    let words: Vec<String> =
        ratios.iter().map(|(kib, ratio)| format!("{ratio:.1}× at {kib} KiB")).collect();
    summary.outcome(
        Goal::CompressSpeed,
        least >= 10.0,
        format!(
            "guarded, prose, native: {} of the paper's algorithm transcribed",
            words.join(", ")
        ),
    );
    summary.outcome(
        Goal::CompressTail,
        tail <= 1.0,
        format!("{tail:.2} ms of CPU native, prose up to 64 KiB"),
    );
    summary.note(format!(
        "Hostile text costs at most {:.2} times as much as prose of its size ({}); allowed are {HOSTILE_FACTOR:.0}.",
        worst_hostile.0, worst_hostile.1
    ));
    summary.charts.push(Chart::Bars {
        name: "native".to_owned(),
        title: "Guarded compression of 64 KiB, native".to_owned(),
        x: crate::chart::Axis::linear("CPU time, ms"),
        bars: table
            .rows
            .iter()
            .filter(|row| row.get(1).is_some_and(|kib| kib == "64"))
            .filter(|row| row.get(2).is_some_and(|coverage| coverage == "guarded"))
            .filter_map(|row| {
                let number = |at: usize| row.get(at).and_then(|cell| cell.parse::<f64>().ok());
                Some((row.first()?.clone(), number(3)? + number(4)?))
            })
            .collect(),
    });
    summary.shown.push(table.name.clone());
    summary.tables.push(table);
    Ok(())
}

const OFF: &str = "signals off";
const FULL: &str = "full";

/// CPU of Envoy's process for each request, by coverage.
async fn envoy(args: &Args, common: &Common, summary: &mut Summary) -> Result<()> {
    let parts = Parts::locate();
    let upstream = Upstream::start().await?;
    let prompts = Prompts::new(&parts.model, common.seed)?;
    let variants = [
        (OFF, silent_config(), Daemon::None),
        (FULL, filter_config(FULL), Daemon::Null(None)),
        ("compressed", filter_config("compressed"), Daemon::Null(None)),
        ("guarded", filter_config("guarded"), Daemon::Null(None)),
    ];
    let mut runners = Vec::new();
    for (name, config, daemon) in variants {
        eprintln!("compress: starting Envoy, {name}");
        let screening = Screening::Filter(config);
        let stack = Stack::start(&parts, upstream.address(), &screening, &daemon).await;
        runners.push(Runner::new(name, stack.context(name)?, SCREENED));
    }
    let rounds = args.rounds.unwrap_or(if common.quick { 60 } else { 400 });
    let mut table = Table::new(
        "envoy",
        &[
            "body KiB",
            "coverage",
            "requests",
            "Envoy CPU ms a request",
            "above signals off ms",
            "above full ms",
        ],
    );
    for kib in [32, 64] {
        let loads: Vec<Load> = (0..8)
            .map(|index| Ok(Load::from(&prompts.of_bytes(kib * KIB, index)?)))
            .collect::<Result<_>>()?;
        for runner in &mut runners {
            runner.go_by(Way { http2: false, kept: true });
            // V8 compiles what is used often; both its compilers are done after these.
            for load in loads.iter().cycle().take(60) {
                runner.warm(load).await?;
            }
            runner.begin()?;
        }
        for (round, load) in loads.iter().cycle().take(rounds).enumerate() {
            let turns = runners.len();
            for turn in 0..turns {
                if let Some(runner) = runners.get_mut((turn + round) % turns) {
                    runner.send(load).await?;
                }
            }
        }
        let mut costs = Vec::new();
        for runner in &mut runners {
            let cell = runner.end()?;
            costs.push((runner.name, cell.ms.len(), cell.cpu_ms().0));
        }
        let of = |name: &str| {
            costs.iter().find(|(variant, ..)| *variant == name).map_or(f64::NAN, |cost| cost.2)
        };
        for (name, requests, cost) in &costs {
            table.row([
                kib.to_string(),
                (*name).to_owned(),
                requests.to_string(),
                format!("{cost:.3}"),
                format!("{:.3}", cost - of(OFF)),
                format!("{:.3}", cost - of(FULL)),
            ]);
        }
        if kib == 32 {
            let above = of("compressed") - of(FULL);
            summary.outcome(
                Goal::CompressV8,
                above <= 2.0,
                format!(
                    "{above:.2} ms of Envoy's CPU more than `full` coverage, which sends all text ({:.2} more than signals off; guarded {:.2})",
                    of("compressed") - of(OFF),
                    of("guarded") - of(OFF)
                ),
            );
        }
    }
    for runner in runners {
        runner.stack.stop().await.context(runner.name)?;
    }
    summary.note(
        "Envoy: CPU time of its process for each request of a body of that size, all variants taking turns. `full` does all but \
         compress, and sends more; what `compressed` takes above it is a lower bound of compression, what it takes above \
         signals off an upper bound, as that holds recognisers, normaliser and the call too.",
    );
    summary.shown.push(table.name.clone());
    summary.tables.push(table);
    Ok(())
}

/// Texts that are cheap to write and dear to read.
fn shapes(bytes: usize, seed: u64) -> Vec<(&'static str, String)> {
    let fill = |unit: &str| unit.repeat(bytes.div_ceil(unit.len()));
    let prose = prose(bytes, seed);
    let one_sentence = prose.replace(['.', ','], "");
    let mut random = Random::new(seed);
    let mut random_chars = |count: usize, set: &dyn Fn(usize) -> char, of: usize| -> String {
        (0..count).map(|_| set(random.below(of))).collect()
    };
    const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let base64 = |at: usize| char::from(BASE64.get(at).copied().unwrap_or(b'A'));
    let han = |at: usize| {
        if at == 0 {
            '。'
        } else {
            u32::try_from(0x4E00 + at).ok().and_then(char::from_u32).unwrap_or('。')
        }
    };
    let no_spaces = random_chars(bytes, &base64, 64);
    let chinese = random_chars(bytes / 3, &|at| han(if at % 25 == 0 { 0 } else { at }), 3000);
    vec![
        (PROSE, prose),
        ("tiny sentences", fill("Yes. No. Maybe. ")),
        ("one sentence", one_sentence),
        ("no spaces", no_spaces),
        ("punctuation", fill("!?.,;:-() ...")),
        ("Chinese", chinese),
        (
            "code",
            fill(
                "    let total = items.iter().map(|item| item.price * item.count).sum::<u64>();\n",
            ),
        ),
        (
            "one row again and again",
            fill("Row 17 of the list is fine. ").chars().take(bytes).collect(),
        ),
    ]
}

/// English-like sentences with a Zipf-like choice of words.
fn prose(bytes: usize, seed: u64) -> String {
    const SYLLABLES: [&str; 24] = [
        "an", "ter", "pro", "con", "men", "tal", "ri", "ver", "sa", "ton", "el", "der", "is", "or",
        "ca", "me", "na", "st", "le", "do", "ger", "pi", "lu", "fa",
    ];
    const COMMON: [&str; 16] = [
        "the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "as", "was", "with", "be",
        "by", "on",
    ];
    let mut random = Random::new(seed);
    let mut out = String::new();
    while out.len() < bytes {
        let words = 8 + random.below(20);
        for word in 0..words {
            let start = out.len();
            if random.below(2) == 0 {
                out.push_str(COMMON.get(random.below(16)).copied().unwrap_or_default());
            } else {
                let rank = random.below(24) * random.below(24) * random.below(24);
                for part in [rank % 24, rank / 24 % 24, rank / 576 % 24] {
                    out.push_str(SYLLABLES.get(part).copied().unwrap_or_default());
                }
            }
            if word == 0
                && let Some(first) = out.get_mut(start..=start)
            {
                first.make_ascii_uppercase();
            }
            let ends = word + 1 == words;
            out.push_str(if ends {
                ". "
            } else if random.below(12) == 0 {
                ", "
            } else {
                " "
            });
        }
    }
    out.truncate(bytes);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_its_size_and_passes_the_rules() {
        for (name, text) in shapes(8 * KIB, 1) {
            let size = text.len();
            assert!(size.abs_diff(8 * KIB) < 512, "{name}: {size}");
            for mode in [Mode::Compressed, Mode::Guarded] {
                let times = measure(&text, mode, 1).unwrap();
                assert!(times.total_ms() > 0.0 && times.held_bytes > 0, "{name}");
            }
        }
    }
}
