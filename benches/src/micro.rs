//! The parts alone, one thread: [`bench_parts`] natively, in Envoy's V8 and in wasmtime, and inferd's tokenising and
//! batching. Every run's result is checked, and the same runs are tests, here and in `tests/wasm-host`. Attention is
//! `bench attention`.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use bench_parts::{LINE, Measured, PARTS, Setup};
use e2e::{EnvoyConfig, Parts};
use inferd::batch::{self, Batcher, Waiting};
use inferd::tokenize::TextTokenizer;

use crate::Common;
use crate::prompts::{Prompt, Prompts};
use crate::report::{Summary, Table};
use crate::stats::{count, thread_cpu};

/// Arguments of `micro`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Bytes of the request that is worked on, in KiB.
    #[arg(long, default_value_t = 32)]
    kib: usize,
}

/// What inferd's parts work on.
struct Input {
    prompt: Prompt,
    tokenizer: TextTokenizer,
}

/// A part of inferd: fails unless its result is right.
type Part = (&'static str, fn(&Input) -> Result<()>);

const DAEMON_PARTS: [Part; 2] =
    [("tokenise", tokenise), ("batch: 64 windows in, batches out", batch_windows)];

/// CPU time of this thread.
fn clock() -> Duration {
    // It fails for no reason that a run could meet; the samples would then show 0, and the ratio's check below fails.
    thread_cpu().unwrap_or_default()
}

/// Measures.
///
/// # Errors
///
/// Fails when a part's result is wrong, natively, in V8 or in wasmtime.
pub(crate) fn run(args: &Args, common: &Common) -> Result<Summary> {
    let mut summary =
        Summary::new("micro", "The parts alone, one thread: native, in Envoy's V8, in wasmtime");
    let parts = Parts::locate();
    let prompt = Prompts::new(&parts.model, common.seed)?.of_bytes(args.kib << 10, 0)?;
    let time = Duration::from_millis(if common.quick { 200 } else { 1500 });
    let setup = Setup {
        body: String::from_utf8(prompt.body.to_vec())?,
        millis: u64::try_from(time.as_millis())?,
    };
    eprintln!("micro: natively");
    let mut native = bench_parts::measure(&setup, clock)?;
    let tokenizer = TextTokenizer::load(&parts.model.join("tokenizer.json"))?;
    let input = Input { prompt, tokenizer };
    for (name, part) in DAEMON_PARTS {
        native.push(measure(&input, name, part, time)?);
    }
    eprintln!("micro: in Envoy's V8");
    let in_v8 = in_v8(&parts, &setup)?;
    eprintln!("micro: in wasmtime");
    let in_wasmtime = in_wasmtime(&parts, &setup)?;
    let mut table = Table::new(
        "parts",
        &[
            "part",
            "request KiB",
            "native least µs",
            "native p50 µs",
            "V8 least µs",
            "V8 p50 µs",
            "wasmtime p50 µs",
            "V8 over native",
            "native MB/s",
        ],
    );
    for part in &native {
        ensure!(part.least_us > 0.0, "{}: no time passed", part.name);
        let there = in_v8.get(&part.name);
        let cell = |value: Option<f64>| value.map_or("-".to_owned(), |us| format!("{us:.1}"));
        table.row([
            part.name.clone(),
            args.kib.to_string(),
            format!("{:.1}", part.least_us),
            format!("{:.1}", part.p50_us),
            cell(there.map(|there| there.least_us)),
            cell(there.map(|there| there.p50_us)),
            cell(in_wasmtime.get(&part.name).map(|there| there.p50_us)),
            there.map_or("-".to_owned(), |there| format!("{:.2}", there.p50_us / part.p50_us)),
            format!("{:.0}", count(input.prompt.body.len()) / part.least_us),
        ]);
        summary.cost(part.name.clone(), part.least_us / 1e3);
        if let Some(there) = there {
            summary.cost(format!("{}, in V8", part.name), there.least_us / 1e3);
        }
    }
    summary.note(
        "Natively CPU time of the thread, in V8 and wasmtime wall time by the host's clock (`envoy --mode validate` runs the \
         parts when it configures the plugin). The least is what a part takes when nothing disturbs it. Chunks of 16 KiB.",
    );
    summary.shown = vec![table.name.clone()];
    summary.tables.push(table);
    Ok(summary)
}

/// The plugin that runs the parts.
fn plugin(parts: &Parts) -> Result<PathBuf> {
    let wasm = parts.wasm.with_file_name("bench_parts_wasm.wasm");
    wasm.canonicalize()
        .with_context(|| format!("{} (`cargo xtask bench` builds it)", wasm.display()))
}

/// Runs the parts in Envoy: the better of the VMs that it configures.
fn in_v8(parts: &Parts, setup: &Setup) -> Result<BTreeMap<String, Measured>> {
    let folder = tempfile::tempdir()?;
    let mut config = EnvoyConfig::shipped()?;
    config.wasm(&plugin(parts)?)?;
    config.set_filter_config(&serde_json::to_value(setup)?)?;
    let file = folder.path().join("envoy.yaml");
    std::fs::write(&file, config.text())?;
    told(validate(&parts.envoy, &file)?.lines()).context("in V8")
}

/// Runs the parts in wasmtime, the engine of the tests.
fn in_wasmtime(parts: &Parts, setup: &Setup) -> Result<BTreeMap<String, Measured>> {
    let filter = wasm_host::Filter::load(&plugin(parts)?)?;
    let config = serde_json::to_string(setup)?;
    let vm =
        wasm_host::Vm::start(&filter, wasm_host::Setup::with_config(config).with_running_clock())?;
    told(vm.log().iter().map(|line| line.text.as_str())).context("in wasmtime")
}

/// What the plugin's log tells of the parts, the better where one is told twice.
fn told<'a>(log: impl Iterator<Item = &'a str>) -> Result<BTreeMap<String, Measured>> {
    let mut best: BTreeMap<String, Measured> = BTreeMap::new();
    for (_, json) in log.filter_map(|line| line.split_once(LINE)) {
        let found: Measured = serde_json::from_str(json.trim()).with_context(|| json.to_owned())?;
        let better = best.get(&found.name).is_none_or(|known| found.least_us < known.least_us);
        if better {
            best.insert(found.name.clone(), found);
        }
    }
    for part in PARTS {
        ensure!(best.contains_key(part.name), "nothing was told of `{}`", part.name);
    }
    Ok(best)
}

fn validate(envoy: &Path, file: &Path) -> Result<String> {
    let output = Command::new(envoy)
        // A level of wasm's own (`--component-log-level`) does nothing in this mode.
        .args(["--mode", "validate", "--log-level", "info", "--config-path"])
        .arg(file)
        .output()
        .with_context(|| format!("{}", envoy.display()))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let last: Vec<&str> = said.lines().rev().take(3).collect();
    ensure!(output.status.success(), "envoy: {}: {}", output.status, last.join(" / "));
    Ok(said)
}

/// CPU time of runs.
fn measure(
    input: &Input,
    name: &str,
    part: fn(&Input) -> Result<()>,
    time: Duration,
) -> Result<Measured> {
    let mut samples = Vec::new();
    let until = Instant::now() + time;
    while samples.len() < 10 || (Instant::now() < until && samples.len() < 100_000) {
        let before = thread_cpu()?;
        part(input).with_context(|| name.to_owned())?;
        samples.push(thread_cpu()?.saturating_sub(before).as_secs_f64() * 1e6);
    }
    let spread = crate::stats::Spread::of(&samples).context("no sample")?;
    Ok(Measured {
        name: name.to_owned(),
        runs: spread.count,
        least_us: spread.min,
        p50_us: spread.p50,
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_gives_the_right_result() {
        let model = Parts::locate().model;
        let prompt = Prompts::new(&model, 1).unwrap().of_bytes(8 << 10, 0).unwrap();
        let body = bench_parts::Input::new(&prompt.body).unwrap();
        for part in PARTS {
            part.run(&body, clock).unwrap_or_else(|error| panic!("{error}"));
        }
        let tokenizer = TextTokenizer::load(&model.join("tokenizer.json")).unwrap();
        let input = Input { prompt, tokenizer };
        for (name, part) in DAEMON_PARTS {
            part(&input).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        }
    }
}
