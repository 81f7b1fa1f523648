//! The daemon under load: how much it serves, what that costs, what it does with too much, and what it adds to the model's own time.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

use crate::Common;
use crate::chart::{Axis, Chart, Series};
use crate::report::{Summary, Table};
use crate::stats::{Random, count, median};

mod baseline;
mod load;
mod peers;
mod process;
mod texts;

use load::{Caller, Outcomes};
use process::{Parts, Server};

/// Measures the daemon under load.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Model folder [default: models/forebay-small]
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// Configuration of the daemon (YAML) instead of its defaults
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Send so many requests of mixed length and watch the daemon's memory, instead of the rest
    #[arg(long, value_name = "REQUESTS")]
    memory: Option<usize>,
    /// Measure what could be run instead, on the same texts, instead of the rest
    #[arg(long, conflicts_with = "memory")]
    peers: bool,
    /// A peer that fails is listed, but does not fail the bench
    #[arg(long, requires = "peers")]
    allow_missing_peers: bool,
    /// Be the server that the daemon is compared with
    #[arg(long, value_name = "SOCKET", hide = true)]
    baseline_server: Option<PathBuf>,
}

impl Args {
    /// Whether this is not a measurement but the server that one needs; `run` then serves until killed.
    pub(crate) const fn is_server(&self) -> bool {
        self.baseline_server.is_some()
    }

    /// Is that server.
    pub(crate) fn serve(&self) -> Result<()> {
        let socket = self.baseline_server.as_deref().context("no socket")?;
        let model = self.model.as_deref().context("no model")?;
        baseline::serve(socket, model)
    }
}

/// Callers that keep a server busy.
const CALLERS: usize = 32;
/// What a caller of the open loop grants.
const DEADLINE: Duration = Duration::from_secs(1);
/// What one of the closed loop grants: capacity is not a question of time.
const PATIENCE: Duration = Duration::from_secs(60);
/// Load as a multiple of capacity.
const LOADS: [f64; 5] = [0.5, 0.8, 1.0, 1.5, 3.0];
/// Words of a text of about 512 tokens with the embedded model's vocabulary; the real count is reported.
const LONG_WORDS: usize = 420;

/// Goals of issue 6.
const THROUGHPUT_RATIO: f64 = 1.5;
const CPU_RATIO: f64 = 0.7;
const GOODPUT_SHARE: f64 = 0.9;
const OVERHEAD_MS: f64 = 0.5;

pub(crate) fn run(args: &Args, common: &Common) -> Result<Summary> {
    let parts = Parts::find(args.model.as_deref())?;
    let yaml = match &args.config {
        Some(path) => {
            std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?
        }
        None => String::new(),
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        match args.memory {
            Some(requests) => memory(&parts, &yaml, requests, common).await,
            None if args.peers => {
                peers::measure(&parts, &yaml, common, args.allow_missing_peers).await
            }
            None => measure(&parts, &yaml, common).await,
        }
    })
}

/// What a server does when it is kept busy.
struct Capacity {
    outcomes: Outcomes,
    /// CPU time of the server for each request, in milliseconds.
    cpu_ms: f64,
}

async fn capacity(server: &Server, texts: &[String], duration: Duration) -> Result<Capacity> {
    let caller = Caller::connect(&server.socket, texts).await?;
    // Warm caches and the allocator first.
    caller.closed(CALLERS, duration / 4, PATIENCE).await?;
    let before = server.cpu()?;
    let outcomes = caller.closed(CALLERS, duration, PATIENCE).await?;
    let cpu = server.cpu()?.saturating_sub(before);
    let cpu_ms = cpu.as_secs_f64() * 1e3 / count(outcomes.answered);
    Ok(Capacity { outcomes, cpu_ms })
}

async fn measure(parts: &Parts, yaml: &str, common: &Common) -> Result<Summary> {
    let step = Duration::from_secs(if common.quick { 6 } else { 30 });
    let texts = texts::mixed(2000, common.seed);
    let mut summary = Summary::new(
        "serve",
        "The daemon under load, against a straightforward server over the same ONNX file",
    );
    summary.note(format!(
        "Texts of 8 to 1000 words, all three signals asked of each, over the Unix socket; capacity is what {CALLERS} callers get; the \
         open loop has Poisson arrivals, a deadline of {} ms, and counts latency from the time a request was due; server and client \
         share the machine's cores.",
        DEADLINE.as_millis()
    ));

    // Turn about, so that a machine that is busy for a while harms both.
    let daemon = Server::daemon(parts, yaml).await?;
    let plain = Server::baseline(parts).await?;
    let rounds = if common.quick { 1 } else { 3 };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        ours.push(capacity(&daemon, &texts, step).await?);
        theirs.push(capacity(&plain, &texts, step).await?);
    }
    let of =
        |all: &[Capacity], f: fn(&Capacity) -> f64| median(&all.iter().map(f).collect::<Vec<_>>());
    let rate = of(&ours, |c| c.outcomes.goodput());
    let token_rate = of(&ours, |c| c.outcomes.token_goodput());
    let throughput_ratio = rate / of(&theirs, |c| c.outcomes.goodput());
    let cpu_ratio = of(&ours, |c| c.cpu_ms) / of(&theirs, |c| c.cpu_ms);
    let mut table = Table::new(
        "capacity",
        &[
            "server",
            "requests/s",
            "tokens/s",
            "CPU ms/request",
            "p50 ms",
            "p95 ms",
            "p99 ms",
            "resident MiB",
        ],
    );
    for (name, all, server) in [("inferd", &ours, &daemon), ("baseline", &theirs, &plain)] {
        table.row([
            name.to_owned(),
            format!("{:.1}", of(all, |c| c.outcomes.goodput())),
            format!("{:.0}", of(all, |c| c.outcomes.token_goodput())),
            format!("{:.2}", of(all, |c| c.cpu_ms)),
            format!("{:.0}", of(all, |c| c.outcomes.ms(50.0))),
            format!("{:.0}", of(all, |c| c.outcomes.ms(95.0))),
            format!("{:.0}", of(all, |c| c.outcomes.ms(99.0))),
            format!("{}", server.resident_bytes()? >> 20),
        ]);
    }
    summary.tables.push(table);

    let mut table = Table::new(
        "load",
        &[
            "server",
            "load",
            "offered/s",
            "goodput/s",
            "goodput of capacity",
            "shed",
            "late",
            "p50 ms",
            "p95 ms",
            "p99 ms",
            "CPU ms/answer",
        ],
    );
    let mut goodput_share = f64::NAN;
    let mut p99_ms = f64::NAN;
    let mut series = Vec::new();
    for (name, server, capacity, loads) in [
        ("inferd", &daemon, rate, LOADS.as_slice()),
        ("baseline", &plain, of(&theirs, |c| c.outcomes.goodput()), &[0.8, 3.0]),
    ] {
        let caller = Caller::connect(&server.socket, &texts).await?;
        let mut points = Vec::new();
        for load in loads {
            let before = server.cpu()?;
            let outcomes = caller.open(load * capacity, step, DEADLINE, common.seed).await?;
            let cpu = server.cpu()?.saturating_sub(before);
            ensure!(outcomes.calls() > 0, "no call at {load} of capacity");
            let share = outcomes.goodput() / capacity;
            points.push((*load, share));
            if name == "inferd" && *load == 3.0 {
                // Short texts are shed less often, so tokens are held to the same share.
                goodput_share = share.min(outcomes.token_goodput() / token_rate);
                p99_ms = outcomes.ms(99.0);
            }
            table.row([
                name.to_owned(),
                format!("{load}"),
                format!("{:.1}", load * capacity),
                format!("{:.1}", outcomes.goodput()),
                format!("{:.0} %", share * 100.0),
                format!("{:.1} %", 100.0 * count(outcomes.shed) / count(outcomes.calls())),
                format!("{:.1} %", 100.0 * count(outcomes.late) / count(outcomes.calls())),
                format!("{:.0}", outcomes.ms(50.0)),
                format!("{:.0}", outcomes.ms(95.0)),
                format!("{:.0}", outcomes.ms(99.0)),
                format!("{:.2}", cpu.as_secs_f64() * 1e3 / count(outcomes.answered.max(1))),
            ]);
        }
        series.push(Series { name: name.to_owned(), points });
        // A server that takes in everything is busy long after; the next one must not pay for it.
        if name == "inferd" {
            caller.closed(1, Duration::from_millis(200), PATIENCE).await?;
        }
    }
    summary.tables.push(table);
    summary.charts.push(Chart::Lines {
        name: "goodput".to_owned(),
        title: "Answers within one second, as a share of capacity".to_owned(),
        x: Axis::linear("offered load, multiples of capacity"),
        y: Axis::linear("goodput, share of capacity"),
        series,
    });
    drop((daemon, plain));

    let (overhead_ms, run_ms, tokens) = overhead(parts, step, common.seed).await?;
    summary.note(format!(
        "A request of {tokens} tokens costs {overhead_ms:.2} ms of CPU outside the model and {run_ms:.1} ms in it (one intra-op thread)."
    ));

    for (name, value) in [
        ("throughput_ratio", throughput_ratio),
        ("cpu_per_request_ratio", cpu_ratio),
        ("overload_goodput_share", goodput_share),
        ("overload_p99_ms", p99_ms),
        ("deadline_ms", DEADLINE.as_secs_f64() * 1e3),
        ("overhead_ms", overhead_ms),
        ("capacity_requests_per_s", rate),
    ] {
        summary.figure(name, value);
    }
    let mut table = Table::new("goals", &["goal", "measured", "met"]);
    for (goal, value, met) in [
        (
            format!("throughput ≥ {THROUGHPUT_RATIO}× the baseline's"),
            throughput_ratio,
            throughput_ratio >= THROUGHPUT_RATIO,
        ),
        (
            format!("CPU for each request ≤ {CPU_RATIO}× the baseline's"),
            cpu_ratio,
            cpu_ratio <= CPU_RATIO,
        ),
        (
            format!("goodput at 3× load ≥ {GOODPUT_SHARE} of capacity"),
            goodput_share,
            goodput_share >= GOODPUT_SHARE,
        ),
        (
            "p99 of what is admitted at 3× load within the deadline, ms".to_owned(),
            p99_ms,
            p99_ms <= DEADLINE.as_secs_f64() * 1e3,
        ),
        (
            format!("overhead beyond the model ≤ {OVERHEAD_MS} ms of CPU at 512 tokens"),
            overhead_ms,
            overhead_ms <= OVERHEAD_MS,
        ),
    ] {
        table.row([goal, format!("{value:.2}"), (if met { "yes" } else { "NO" }).to_owned()]);
    }
    summary.tables.push(table);
    summary.cost("daemon overhead at 512 tokens, CPU", overhead_ms);
    summary.shown = vec!["capacity".to_owned(), "load".to_owned(), "goals".to_owned()];
    Ok(summary)
}

/// CPU time of the daemon outside and in the model for each request of about 512 tokens, in milliseconds, and how many tokens it was.
///
/// The model's time is that of the worker's thread, which with one intra-op thread is all of it.
async fn overhead(parts: &Parts, step: Duration, seed: u64) -> Result<(f64, f64, f64)> {
    let mut random = Random::new(seed);
    let texts: Vec<String> = (0..200).map(|_| texts::prompt(LONG_WORDS, &mut random)).collect();
    let daemon = Server::daemon(parts, "runtime: {intra_threads: 1}").await?;
    let caller = Caller::connect(&daemon.socket, &texts).await?;
    caller.closed(1, step / 4, PATIENCE).await?;
    let look = || anyhow::Ok((daemon.cpu()?, daemon.metric("forebay_run_cpu_seconds_total")?));
    let before = look()?;
    let outcomes = caller.closed(1, step, PATIENCE).await?;
    let after = look()?;
    let all = after.0.saturating_sub(before.0).as_secs_f64();
    let run = after.1 - before.1;
    if run <= 0.0 || run > all {
        bail!("the model took {run} s of {all} s");
    }
    let requests = count(outcomes.answered);
    Ok((
        (all - run) * 1e3 / requests,
        run * 1e3 / requests,
        (count(outcomes.tokens) / requests).round(),
    ))
}

/// Shares of the requests at which memory is told.
const TOLD: [usize; 4] = [10, 25, 50, 100];
/// What may be added from a quarter of the requests to their end, as a share.
const MEMORY_GROWTH: f64 = 0.05;

/// Memory while many requests of mixed length are answered.
async fn memory(parts: &Parts, yaml: &str, requests: usize, common: &Common) -> Result<Summary> {
    /// Looks; a share of the requests lies between two.
    const LOOKS: usize = 40;
    /// Different texts.
    const TEXTS: usize = 20_000;
    ensure!(requests >= LOOKS, "--memory {requests}: at least {LOOKS} requests");
    let texts = texts::short(TEXTS.min(requests), common.seed);
    let daemon = Server::daemon(parts, yaml).await?;
    let caller = Caller::connect(&daemon.socket, &texts).await?;
    let mib = |bytes: u64| anyhow::Ok(count(usize::try_from(bytes)?) / f64::from(1 << 20));
    let mut table =
        Table::new("memory", &["requests", "of all", "resident MiB", "proportional MiB"]);
    let mut looks: Vec<(f64, f64)> = Vec::new();
    let (began, cpu) = (std::time::Instant::now(), daemon.cpu()?);
    for look in 1..=LOOKS {
        let (from, to) = (requests * (look - 1) / LOOKS, requests * look / LOOKS);
        caller.asked(CALLERS, from..to, PATIENCE).await?;
        let (resident, proportional) =
            (mib(daemon.resident_bytes()?)?, mib(daemon.proportional_bytes()?)?);
        looks.push((count(to), proportional));
        if TOLD.iter().any(|percent| percent * LOOKS == look * 100) {
            table.row([
                to.to_string(),
                format!("{} %", look * 100 / LOOKS),
                format!("{resident:.1}"),
                format!("{proportional:.1}"),
            ]);
            eprintln!(
                "serve: {to} requests, {resident:.1} MiB resident, {proportional:.1} MiB proportional"
            );
        }
    }
    let took = began.elapsed();
    let cpu_ms = daemon.cpu()?.saturating_sub(cpu).as_secs_f64() * 1e3 / count(requests);
    // The first quarter fills caches and the allocator's arenas.
    let settled: Vec<(f64, f64)> =
        looks.iter().copied().filter(|(done, _)| *done * 4.0 >= count(requests)).collect();
    let slope = slope(&settled) * 1024.0 * 1e3;
    let (first, last) = (settled.first(), settled.last());
    let growth = last.zip(first).map_or(f64::NAN, |(last, first)| last.1 / first.1);
    let mut summary =
        Summary::new("serve-memory", "The daemon's memory over many requests of mixed length");
    summary.note(format!(
        "{requests} requests, each asking three signals about 7 to 1001 words (80 % have 7, 14 % 25, 5 % 121, 1 % more; {} different texts, \
         each with a word of its own), {CALLERS} callers, in {:.0} s; {cpu_ms:.2} ms of the daemon's CPU for each.",
        texts.len(),
        took.as_secs_f64()
    ));
    summary.note(format!(
        "From a quarter of the requests to their end the proportional memory became {growth:.3} of what it was; by the line through the {} \
         looks between, {slope:+.2} KiB for each 1,000 requests.",
        settled.len()
    ));
    summary.figure("memory_growth_ratio", growth);
    summary.figure("memory_slope_kib_per_1000", slope);
    summary.figure("memory_requests", count(requests));
    summary.tables.push(table);
    let mut goals = Table::new("goals", &["goal", "measured", "met"]);
    let met = growth <= 1.0 + MEMORY_GROWTH;
    goals.row([
        format!(
            "memory stable: at most {:.0} % more at the end than at a quarter",
            MEMORY_GROWTH * 100.0
        ),
        format!("{:+.1} %", (growth - 1.0) * 100.0),
        (if met { "yes" } else { "NO" }).to_owned(),
    ]);
    summary.tables.push(goals);
    summary.shown = vec!["memory".to_owned(), "goals".to_owned()];
    Ok(summary)
}

/// Slope of the straight line with the least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = count(points.len());
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let (over, under) = points.iter().fold((0.0, 0.0), |(over, under), p| {
        (over + (p.0 - x) * (p.1 - y), under + (p.0 - x) * (p.0 - x))
    });
    over / under
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_noisy_line_is_that_of_the_line() {
        let noise = [0.1, -0.1, -0.1, 0.1];
        let points: Vec<(f64, f64)> = (0..40)
            .map(|i| (count(i), 3.0 + 0.25 * count(i) + noise.get(i % 4).copied().unwrap_or(0.0)))
            .collect();
        assert!((slope(&points) - 0.25).abs() < 1e-3, "{}", slope(&points));
    }
}
