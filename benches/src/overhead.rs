//! What screening adds to a request: plain Envoy, with the filter, with a daemon that finds nothing, with the real one;
//! and the same text screened by an ext_proc server of the usual kind. All variants take turns, one request each.
use anyhow::{Context as _, Result, ensure};
use e2e::Parts;
use tempfile::TempDir;

use crate::Common;
use crate::chart::{Axis, Chart, Series};
use crate::client::Way;
use crate::measure::{Cell, Load, Runner, SCREENED, UNSCREENED};
use crate::prompts::Prompts;
use crate::report::{Goal, Summary, Table};
use crate::stack::{Daemon, Screening, Stack, filter_config, local_config, silent_config};
use crate::stats::{Spread, count, median, ratio_interval};
use crate::upstream::Upstream;
use crate::usual::{BodyMode, Reading};

/// Arguments of `overhead`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Requests of each variant in a cell; smaller for large bodies.
    #[arg(long)]
    rounds: Option<usize>,
}

const PLAIN: &str = "plain Envoy";
const HOLDING: &str = "Envoy's buffer filter";
const FILTER: &str = "filter, signals off";
const LOCAL: &str = "filter, full text, call refused";
const NULL: &str = "filter, null daemon";
const REAL: &str = "filter, inferd";
const BUFFERED: &str = "ext_proc buffered, null";
const STREAMED: &str = "ext_proc streamed, null";

const KIB: usize = 1024;
const SIZES: [(usize, &str); 4] =
    [(KIB, "1 KiB"), (32 * KIB, "32 KiB"), (256 * KIB, "256 KiB"), (KIB * KIB, "1 MiB")];
/// The real classifier takes part in every so many rounds: it is a hundred times slower than what else is measured.
const REAL_EVERY: usize = 5;
/// Different bodies of each size.
const BODIES: usize = 8;
const WARM: usize = 8;

struct Found {
    variant: &'static str,
    way: Way,
    size: &'static str,
    bytes: usize,
    cell: Cell,
}

/// Measures.
///
/// # Errors
///
/// Fails when a part is missing or any request is not answered as it must be.
pub(crate) fn run(args: &Args, common: &Common) -> Result<Summary> {
    crate::block_on(measure(args, common))
}

async fn start(parts: &Parts, upstream: &Upstream, folder: &TempDir) -> Result<Vec<Runner>> {
    let guarded = filter_config("guarded");
    let usual = |mode| {
        let daemon = Daemon::Usual {
            reading: Reading::Filter,
            config: guarded.clone(),
            models: Vec::new(),
            flash: false,
            memory_limit_mib: None,
        };
        (Screening::ExtProc(mode), daemon)
    };
    let filter = Screening::Filter(guarded.clone());
    let null = Daemon::Null(Some(folder.path().join("arrivals")));
    let real = Daemon::Inferd { models: vec![parts.model.clone()], admin: None };
    let (buffered, buffered_server) = usual(BodyMode::Buffered);
    let (streamed, streamed_server) = usual(BodyMode::Streamed);
    let variants = [
        (PLAIN, Screening::Plain, Daemon::None, None),
        (HOLDING, Screening::Buffer, Daemon::None, None),
        (FILTER, Screening::Filter(silent_config()), Daemon::None, SCREENED),
        (LOCAL, Screening::Filter(local_config()), Daemon::None, UNSCREENED),
        (NULL, filter.clone(), null, SCREENED),
        (REAL, filter, real, SCREENED),
        (BUFFERED, buffered, buffered_server, SCREENED),
        (STREAMED, streamed, streamed_server, SCREENED),
    ];
    let mut runners = Vec::new();
    for (name, screening, daemon, verdicts) in variants {
        eprintln!("overhead: starting {name}");
        let stack = Stack::start(parts, upstream.address(), &screening, &daemon).await;
        runners.push(Runner::new(name, stack.context(name)?, verdicts));
    }
    Ok(runners)
}

async fn measure(args: &Args, common: &Common) -> Result<Summary> {
    let parts = Parts::locate();
    let folder = tempfile::tempdir()?;
    let upstream = Upstream::start().await?;
    let prompts = Prompts::new(&parts.model, common.seed)?;
    let mut runners = start(&parts, &upstream, &folder).await?;
    let mut found: Vec<Found> = Vec::new();
    let mut to_call =
        Table::new("last-byte-to-call", &["body", "requests", "p50 ms", "p95 ms", "p99 ms"]);
    for (bytes, size) in SIZES {
        let loads = loads(&prompts, bytes)?;
        for way in Way::ALL {
            let rounds = rounds(args, common, bytes, way);
            eprintln!("overhead: {size}, {}, {rounds} rounds", way.name());
            for runner in &mut runners {
                runner.go_by(way);
                for load in loads.iter().cycle().take(WARM) {
                    runner.warm(load).await?;
                }
                // Only now, so that warming up is in no figure.
                runner.begin()?;
            }
            let mut calls = Vec::new();
            for (round, load) in loads.iter().cycle().take(rounds).enumerate() {
                let turns = runners.len();
                for turn in 0..turns {
                    // Another one begins each round.
                    let Some(runner) = runners.get_mut((turn + round) % turns) else { continue };
                    if runner.name == REAL && round % REAL_EVERY != 0 {
                        continue;
                    }
                    let reply = runner.send(load).await?;
                    if runner.name == NULL {
                        calls.push((runner.answered - 1, reply.sent_at_ns));
                    }
                }
            }
            if way == (Way { http2: false, kept: true }) {
                let times = arrivals(&folder.path().join("arrivals"), &calls)?;
                let spread = Spread::of(&times).context("no call reached the null daemon")?;
                let ms = |value: f64| format!("{value:.3}");
                to_call.row([
                    size.to_owned(),
                    spread.count.to_string(),
                    ms(spread.p50),
                    ms(spread.p95),
                    ms(spread.p99),
                ]);
            }
            for runner in &mut runners {
                let cell = runner.end()?;
                found.push(Found { variant: runner.name, way, size, bytes, cell });
            }
        }
    }
    for runner in runners {
        runner.stack.stop().await.context(runner.name)?;
    }
    Ok(summarise(common, &found, to_call))
}

fn loads(prompts: &Prompts, bytes: usize) -> Result<Vec<Load>> {
    (0..BODIES).map(|index| Ok(Load::from(&prompts.of_bytes(bytes, index)?))).collect()
}

fn rounds(args: &Args, common: &Common, bytes: usize, way: Way) -> usize {
    let usual = if common.quick { 60 } else { 400 };
    let rounds = args.rounds.unwrap_or(usual);
    let rounds = if bytes >= KIB * KIB { rounds / 4 } else { rounds };
    (if way.kept { rounds } else { rounds / 2 }).max(10)
}

/// For each request of the null daemon's variant (its number, and when its last byte was with the kernel): how long until
/// the call was at the daemon, in milliseconds.
fn arrivals(path: &std::path::Path, calls: &[(usize, u64)]) -> Result<Vec<f64>> {
    let data = std::fs::read(path).with_context(|| format!("{}", path.display()))?;
    let at = |index: usize| -> Option<u64> {
        let bytes = data.get(index * 8..index * 8 + 8)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    };
    let time = |(index, sent): &(usize, u64)| {
        let arrived = at(*index).context("a request reached the null daemon without a call")?;
        // The client may be told late that its bytes have left.
        Ok(std::time::Duration::from_nanos(arrived.saturating_sub(*sent)).as_secs_f64() * 1e3)
    };
    let times: Result<Vec<f64>> = calls.iter().map(time).collect();
    ensure!(calls.last().is_none_or(|(index, _)| data.len() == (index + 1) * 8), "a call too many");
    times
}

fn summarise(common: &Common, found: &[Found], to_call: Table) -> Summary {
    let mut summary = Summary::new("overhead", "What screening adds to a request");
    let mut table = Table::new(
        "latency",
        &[
            "way",
            "body",
            "variant",
            "requests",
            "p50 ms",
            "p99 ms",
            "added p50 ms",
            "added p99 ms",
            "p50 of plain",
            "Envoy CPU ms",
            "daemon CPU ms",
            "Envoy peak MiB",
            "daemon peak MiB",
        ],
    );
    let plain = |found_here: &Found| {
        let same = |other: &&Found| {
            other.variant == PLAIN && other.way == found_here.way && other.size == found_here.size
        };
        found.iter().find(same)
    };
    for here in found {
        let (Some(spread), Some(base)) =
            (here.cell.spread(), plain(here).and_then(|base| base.cell.spread()))
        else {
            continue;
        };
        let (envoy, daemon) = here.cell.cpu_ms();
        let ms = |value: f64| format!("{value:.3}");
        table.row([
            here.way.name().to_owned(),
            here.size.to_owned(),
            here.variant.to_owned(),
            spread.count.to_string(),
            ms(spread.p50),
            ms(spread.p99),
            ms(spread.p50 - base.p50),
            ms(spread.p99 - base.p99),
            format!("{:.2}", spread.p50 / base.p50),
            ms(envoy),
            ms(daemon),
            format!("{:.0}", here.cell.peaks_mib.0),
            format!("{:.0}", here.cell.peaks_mib.1),
        ]);
        if here.way.kept && !here.way.http2 {
            summary.cost(format!("{}, {}, p50", here.variant, here.size), spread.p50);
        }
    }
    let kept = |variant: &str, bytes: usize| {
        let matches = |other: &&Found| {
            other.variant == variant
                && other.bytes == bytes
                && other.way == Way { http2: false, kept: true }
        };
        found.iter().find(matches).map(|other| other.cell.ms.as_slice()).unwrap_or_default()
    };
    goals(common, &mut summary, &kept);
    let series = |name: &str| Series {
        name: name.to_owned(),
        points: SIZES
            .iter()
            .map(|(bytes, _)| {
                (count(*bytes) / 1024.0, median(kept(name, *bytes)) - median(kept(PLAIN, *bytes)))
            })
            .collect(),
    };
    summary.charts.push(Chart::Lines {
        name: "added".to_owned(),
        title: "Median latency added to plain Envoy (HTTP/1.1, keep-alive)".to_owned(),
        x: Axis::log("body, KiB"),
        y: Axis::log("added, ms"),
        series: [FILTER, LOCAL, NULL, BUFFERED, STREAMED, REAL].map(series).to_vec(),
    });
    summary.note(
        "All variants take turns in one run, one request at a time; the client, the upstream, Envoy and the daemon share the machine. \
         ext_proc runs the same parsing, recognising and compressing as native code; both null daemons answer at once. \
         \"filter, signals off\": the filter holds and parses the body, looks at its model and media, sets its headers and lets \
         it go; no signal wants the text, so it is not normalised or searched. \"filter, full text, call refused\": all signals \
         on with full coverage, so all text is normalised, searched and put into a message, which Envoy refuses at once.",
    );
    summary.tables = vec![table, to_call];
    summary.shown = vec!["last-byte-to-call".to_owned()];
    summary
}

fn goals<'a>(common: &Common, summary: &mut Summary, kept: &impl Fn(&str, usize) -> &'a [f64]) {
    let mut met = true;
    let mut words = Vec::new();
    let mut below = true;
    let mut against = Vec::new();
    let (mut holding, mut local) = (Vec::new(), Vec::new());
    for (bytes, size) in SIZES.into_iter().take(3) {
        let (with, without) = (kept(FILTER, bytes), kept(PLAIN, bytes));
        let ratio = median(with) / median(without);
        let (low, high) = ratio_interval(with, without, common.seed);
        met &= ratio <= 1.15;
        words.push(format!("{ratio:.2}× ({low:.2}-{high:.2}) at {size}"));
        let times = |variant| format!("{:.2}×", median(kept(variant, bytes)) / median(without));
        holding.push(times(HOLDING));
        local.push(times(LOCAL));
        let null = median(kept(NULL, bytes));
        let usual = median(kept(BUFFERED, bytes)).min(median(kept(STREAMED, bytes)));
        below &= null < usual;
        against.push(format!("{null:.2} against {usual:.2} ms at {size}"));
    }
    let words = format!(
        "signals off, the body held and parsed: {}; all text normalised, searched and encoded, the call refused: {}; Envoy's own \
         buffer filter: {}",
        words.join(", "),
        local.join(", "),
        holding.join(", ")
    );
    summary.outcome(Goal::Overhead, met, words);
    let better = "p50, the better of buffered and streamed ext_proc";
    summary.outcome(Goal::ExtProc, below, format!("{} ({better})", against.join(", ")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_matched_to_requests_by_their_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arrivals");
        let bytes: Vec<u8> =
            [1_000_000_u64, 5_000_000, 9_000_000].iter().flat_map(|at| at.to_le_bytes()).collect();
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(arrivals(&path, &[(1, 4_000_000), (2, 8_500_000)]).unwrap(), [1.0, 0.5]);
        assert!(arrivals(&path, &[(3, 0)]).is_err());
        assert!(arrivals(&path, &[(1, 0)]).is_err());
    }
}
