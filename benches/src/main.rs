//! Every performance claim of Forebay, measured. `cargo xtask bench` builds all that is needed and starts this program.
//!
//! One module is one bench: it measures, checks that what it measured is right, and returns a [`report::Summary`]. This
//! file writes the summaries down. A bench whose result is wrong, or whose requests failed, is an error and leaves no
//! record; errors never count as latencies.
#![allow(dead_code, reason = "the shared parts came before the benches that use them")]
#![allow(clippy::print_stdout, reason = "a command-line program talks on standard output")]

mod chart;
mod machine;
mod report;
mod stats;
mod summary;

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
  cargo xtask bench summary                    writes the README's block from benches/results
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
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// Every bench, one after the other, each in a process of its own.
    All,
    /// Writes the README's block from the recorded results, or checks it.
    Summary(summary::Args),
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
    Ok(Common { quick: options.quick, json: options.json.clone(), out_dir, seed: options.seed })
}

/// Benches that `all` runs, cheap first. The name is the subcommand.
const ALL: &[&str] = &[];

fn run(cli: &Cli) -> Result<()> {
    let common = common(&cli.common)?;
    match &cli.bench {
        Bench::All => all(&common),
        Bench::Summary(args) => summary::run(args),
    }
}

/// Measures, then writes everything down.
fn record(common: &Common, measure: impl FnOnce(&Common) -> Result<Summary>) -> Result<()> {
    let before = report::Before::look();
    let started = std::time::Instant::now();
    let mut summary = measure(common)?;
    summary.finish(common, before, started.elapsed());
    summary.print();
    let written = summary.write(&common.out_dir)?;
    if let Some(path) = &common.json {
        summary.write_json(path)?;
    }
    eprintln!("written: {}", written.join(", "));
    Ok(())
}

/// A failing bench does not keep the others from running, but the whole then fails.
fn all(common: &Common) -> Result<()> {
    let program = std::env::current_exe()?;
    let mut failed = Vec::new();
    for (index, name) in ALL.iter().enumerate() {
        eprintln!("==> [{}/{}] {name}", index + 1, ALL.len());
        let started = std::time::Instant::now();
        let mut command = Command::new(&program);
        command.arg(name).arg("--out").arg(&common.out_dir);
        command.args(["--seed", &common.seed.to_string()]);
        if common.quick {
            command.arg("--quick");
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
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}
