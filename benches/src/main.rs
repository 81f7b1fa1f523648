//! Every performance claim of Forebay, measured. `cargo xtask bench` builds all that is needed and starts this program.
//!
//! One module is one bench: it measures, checks that what it measured is right, and returns a [`report::Summary`]. This
//! file writes the summaries down. A bench whose result is wrong, or whose requests failed, is an error and leaves no
//! record; errors never count as latencies.
#![allow(clippy::print_stdout, reason = "a command-line program talks on standard output")]

mod attention;
mod chart;
mod client;
mod compress;
mod compress_quality;
mod faults;
mod flame;
mod machine;
mod measure;
mod micro;
mod models;
mod overhead;
mod paper;
mod peers;
mod profile;
mod prompts;
mod regress;
mod report;
mod serve;
mod stack;
mod stats;
mod summary;
mod upstream;
mod usual;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail};
use clap::{Parser, Subcommand};

use report::Summary;

/// Measures Forebay and its peers.
#[derive(Debug, Parser)]
#[command(name = "bench", version, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    common: Options,
    #[command(subcommand)]
    bench: Bench,
}

const EXAMPLES: &str = "\
Examples:
  cargo xtask bench all --quick                every bench, few rounds; results in target/bench
  cargo xtask bench all                        every bench in full; results in benches/results
  cargo xtask bench all --resume               the same, without those that have a record of this commit
  cargo xtask bench summary                    writes the README's block from benches/results
  cargo xtask bench micro --max-growth 20      fails if a cost grew by more than 20 % since the last record
  cargo xtask bench summary --check            fails if README or charts differ from benches/results

Exit codes: 0 measured; 1 a result was wrong, a request failed or a part is missing; 2 wrong usage.";

#[derive(Debug, clap::Args)]
struct Options {
    /// Fewer rounds and sizes: a look, not a record.
    #[arg(long, global = true)]
    quick: bool,
    /// Also write the summary as JSON to this file.
    #[arg(long, global = true, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Where CSV, JSON and charts go [default: benches/results, or target/bench with --quick].
    #[arg(long, global = true, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of everything that is generated.
    #[arg(long, global = true, default_value_t = 20_261_130)]
    seed: u64,
    /// Fail when a cost has grown by more than this since the last record, as a multiple of the calibration loop.
    #[arg(long, global = true, value_name = "PERCENT")]
    max_growth: Option<f64>,
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// Every bench, one after the other, each in a process of its own. Each writes its record as soon as it has ended.
    All {
        /// Leave out benches that have a record of this commit, as of a run that was cut.
        #[arg(long)]
        resume: bool,
    },
    /// The daemon upgraded and broken under load: requests that fail or hang.
    Faults,
    /// The paper's pipeline stage by stage, and what this project adds, end to end through Envoy.
    Paper(paper::Args),
    /// What screening adds to a request: plain Envoy, the filter, the daemon, and ext_proc to compare with.
    Overhead(overhead::Args),
    /// What compression costs, native and in Envoy's V8.
    Compress(compress::Args),
    /// What survives compression, found by the real classifiers.
    CompressQuality(compress_quality::Args),
    /// Peers from package registries on the same text: presidio, a Python service, summarisers.
    Peers(peers::Args),
    /// The parts alone: parse, normalise, recognise, compress, tokenise, batch, redact.
    Micro(micro::Args),
    /// The daemon under load: capacity, cost, overload, against a straightforward server over the same ONNX file.
    Serve(serve::Args),
    /// Attention with the operator and without: one attention, whole encoders, the embedded model.
    Attention(attention::Args),
    /// Where the time of one request goes, as a picture.
    Profile(profile::Args),
    /// Writes the README's block from the recorded results, or checks it.
    Summary(summary::Args),
    /// A process of a bench.
    #[command(subcommand, hide = true)]
    Child(usual::Child),
}

/// What every bench is told.
#[derive(Clone, Debug)]
pub(crate) struct Common {
    /// Fewer rounds and sizes.
    pub(crate) quick: bool,
    /// Where the caller wants the summary as well; written by `main`.
    pub(crate) json: Option<PathBuf>,
    /// Folder of the results; it exists. A bench may put files of its own there; what it returns is written by `main`.
    pub(crate) out_dir: PathBuf,
    /// Seed of everything that is generated.
    pub(crate) seed: u64,
    /// Growth of a cost over the last record from which the bench fails, in percent.
    pub(crate) max_growth: Option<f64>,
}

/// Runs a bench that talks to processes. Ctrl-C and SIGTERM end it, and with it the processes that it started.
pub(crate) fn block_on<T>(measure: impl Future<Output = Result<T>>) -> Result<T> {
    use tokio::signal::unix::{SignalKind, signal};
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            measured = measure => measured,
            _ = tokio::signal::ctrl_c() => bail!("interrupted"),
            _ = terminate.recv() => bail!("terminated"),
        }
    })
}

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

fn common(options: &Options) -> Result<Common> {
    let usual = if options.quick { "target/bench" } else { "benches/results" };
    let out_dir = options.out.clone().unwrap_or_else(|| root().join(usual));
    std::fs::create_dir_all(&out_dir).with_context(|| format!("{}", out_dir.display()))?;
    Ok(Common {
        quick: options.quick,
        json: options.json.clone(),
        out_dir,
        seed: options.seed,
        max_growth: options.max_growth,
    })
}

/// Benches that `all` runs, cheap first: the record's name, and the arguments.
const ALL: &[(&str, &[&str])] = &[
    ("micro", &["micro"]),
    ("compress", &["compress"]),
    ("profile", &["profile"]),
    ("faults", &["faults"]),
    ("overhead", &["overhead"]),
    ("attention", &["attention"]),
    ("serve", &["serve"]),
    ("compress-quality", &["compress-quality"]),
    ("peers", &["peers"]),
    ("paper", &["paper", "--models", "embedded"]),
    ("paper-base", &["paper", "--models", "base"]),
];

fn run(cli: Cli) -> Result<()> {
    let common = common(&cli.common)?;
    match cli.bench {
        Bench::All { resume } => all(&common, resume),
        Bench::Faults => record(&common, faults::run),
        Bench::Paper(args) => record(&common, |common| paper::run(&args, common)),
        Bench::Overhead(args) => record(&common, |common| overhead::run(&args, common)),
        Bench::Compress(args) => record(&common, |common| compress::run(&args, common)),
        Bench::CompressQuality(args) => {
            record(&common, |common| compress_quality::run(&args, common))
        }
        Bench::Peers(args) => record(&common, |common| peers::run(&args, common)),
        Bench::Micro(args) => record(&common, |common| micro::run(&args, common)),
        Bench::Serve(args) if args.is_server() => args.serve(),
        Bench::Serve(args) => record(&common, |common| serve::run(&args, common)),
        Bench::Attention(args) => record(&common, |common| attention::run(&args, common)),
        Bench::Profile(args) => record(&common, |common| profile::run(&args, common)),
        Bench::Summary(args) => summary::run(&args),
        Bench::Child(child) => usual::run(child),
    }
}

/// Measures, then writes everything down.
fn record(common: &Common, measure: impl FnOnce(&Common) -> Result<Summary>) -> Result<()> {
    let before = report::Before::look();
    let started = std::time::Instant::now();
    let mut summary = measure(common)?;
    summary.finish(common, before, started.elapsed());
    summary.print();
    let growth = regress::against_record(&summary, &root().join("benches/results"))?;
    print!("{}", growth.table());
    growth.check(common.max_growth)?;
    let written = summary.write(&common.out_dir)?;
    if let Some(path) = &common.json {
        summary.write_json(path)?;
    }
    eprintln!("written: {}", written.join(", "));
    Ok(())
}

/// A commit's name without the mark of changed files: the records themselves are such.
fn clean(commit: &str) -> &str {
    commit.trim_end_matches("-dirty")
}

/// Whether a bench has a record of this commit, of the same kind.
fn has_record(common: &Common, name: &str, commit: &str) -> bool {
    let summaries = report::read_all(&common.out_dir).unwrap_or_default();
    summaries.iter().any(|summary| {
        summary.name == name
            && summary.quick == common.quick
            && clean(&summary.before.commit) == commit
    })
}

/// A failing bench does not keep the others from running, but the whole then fails.
fn all(common: &Common, resume: bool) -> Result<()> {
    let program = std::env::current_exe()?;
    let commit = clean(&machine::Machine::look().commit).to_owned();
    let mut failed = Vec::new();
    for (index, (name, arguments)) in ALL.iter().enumerate() {
        if resume && has_record(common, name, &commit) {
            eprintln!("==> [{}/{}] {name}: has a record of commit {commit}", index + 1, ALL.len());
            continue;
        }
        eprintln!("==> [{}/{}] {name}", index + 1, ALL.len());
        let started = std::time::Instant::now();
        let mut command = Command::new(&program);
        command.args(*arguments).arg("--out").arg(&common.out_dir);
        command.args(["--seed", &common.seed.to_string()]);
        if common.quick {
            command.arg("--quick");
        }
        if let Some(percent) = common.max_growth {
            command.args(["--max-growth", &percent.to_string()]);
        }
        let status = command.status().with_context(|| format!("cannot start {name}"))?;
        eprintln!("==> {name}: {status}, {:.0} s", started.elapsed().as_secs_f64());
        if !status.success() {
            failed.push(*name);
        }
    }
    if let Some(path) = &common.json {
        let summaries = report::read_all(&common.out_dir)?;
        report::write_pretty(path, &summaries)?;
    }
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}
