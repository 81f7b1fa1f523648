//! The paper's pipeline, stage by stage, and what this project adds, through real Envoy end to end.
//!
//! Stage 0 to 2 are a server of the usual kind behind ext_proc with the whole body buffered, parsed as one JSON value;
//! stage 3 streams the body to it, parsed as it comes. From there on the filter in Envoy and inferd take their place.
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use e2e::Parts;
use serde_json::json;

use crate::Common;
use crate::chart::{Axis, Chart, Series};
use crate::client::Way;
use crate::measure::{Cell, Load, Runner, SCREENED};
use crate::models::{Set, base_shaped, embedded};
use crate::prompts::Prompts;
use crate::report::{Goal, Summary, Table};
use crate::stack::{Daemon, Screening, Stack, filter_config};
use crate::stats::{count, median, ratio_interval};
use crate::upstream::Upstream;
use crate::usual::{BodyMode, Reading};

/// Arguments of `paper`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which models; each has a record of its own.
    #[arg(long, value_enum, default_value = "embedded")]
    models: Models,
    /// Layers of the models of mmBERT-base's shape, which has 22 [default: 3, or 1 with --quick].
    #[arg(long)]
    layers: Option<usize>,
    /// Prompt lengths in tokens [default: 500, 2000, 8000, 16000 and 32000].
    #[arg(long, value_delimiter = ',', value_name = "TOKENS")]
    sizes: Vec<usize>,
    /// Address space that a process of the random models may take; what needs more is out of memory.
    #[arg(long, default_value_t = 12 * 1024)]
    memory_limit_mib: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Models {
    /// The embedded model.
    Embedded,
    /// Models of mmBERT-base's shape with random weights.
    Base,
}

/// Sizes of all stages, in tokens.
const SIZES: [usize; 5] = [500, 2_000, 8_000, 16_000, 32_000];
/// Sizes that the final pipeline alone is measured at as well.
const MORE_SIZES: [usize; 5] = [1_000, 4_000, 64_000, 100_000, 128_000];
/// Different prompts of each size: what the final pipeline costs depends on the text that it keeps.
const PROMPTS: usize = 16;
const CROWDS: [usize; 3] = [1, 4, 16];
const WAY: Way = Way { http2: false, kept: true };

/// A stage.
struct Stage {
    name: &'static str,
    screening: Screening,
    daemon: Daemon,
    /// Reads the full text: its cost grows with the length.
    reads_all: bool,
}

/// One stage at one size.
struct Found {
    stage: &'static str,
    tokens: usize,
    cell: Cell,
    is_out_of_memory: bool,
}

const STAGE_0: &str = "0: buffered, whole text, plain attention, three float models in turn";
const STAGE_1: &str = "1: + flash attention";
const STAGE_2: &str = "2: + compression to 512 tokens";
const STAGE_3: &str = "3: + streaming";
const IN_ENVOY: &str = "4: + filter in Envoy, inferd, guarded coverage";
const INT8: &str = "5: + int8";
const SHARED: &str = "6: + shared encoder";

/// Measures.
///
/// # Errors
///
/// Fails when a part is missing or any request is not answered as it must be; running out of memory where the paper's
/// plain attention does is a result.
pub(crate) fn run(args: &Args, common: &Common) -> Result<Summary> {
    crate::block_on(async {
        let mut summary = match args.models {
            Models::Embedded => {
                Summary::new("paper", "The paper's pipeline, stage by stage, end to end")
            }
            Models::Base => Summary::new(
                "paper-base",
                "The same stages with three models of mmBERT-base's shape and random weights",
            ),
        };
        let parts = Parts::locate();
        let upstream = Upstream::start().await?;
        let prompts = Prompts::new(&parts.model, common.seed)?;
        let sizes = if args.sizes.is_empty() { SIZES.to_vec() } else { args.sizes.clone() };
        let bench = Bench { parts: &parts, upstream: &upstream, prompts: &prompts, common, sizes };
        match args.models {
            Models::Embedded => bench.run(&embedded(&parts)?, &mut summary, None).await?,
            Models::Base => {
                let layers = args.layers.unwrap_or(if common.quick { 1 } else { 3 });
                let set = base_shaped(&parts, layers)?;
                bench.run(&set, &mut summary, Some(args.memory_limit_mib)).await?;
                summary.note(format!(
                    "The models have mmBERT-base's widths but {layers} of its 22 layers, so that stage 0 can finish; all stages run \
                     the same models, so ratios are told, and nothing is scaled up. Their weights are random: they say nothing of \
                     use. A process that needs more than {} MiB of address space is out of memory.",
                    args.memory_limit_mib
                ));
            }
        }
        summary.note(
            "Every request goes through real Envoy to an upstream that confirms the body to the byte; client, upstream, Envoy and \
             daemon share the machine. Stages take turns, one request each, after one to warm up. Prompts are varied text of a fixed \
             seed. Stages 0 to 3 are a server of ours behind ext_proc that does what the paper describes; the embedded model reads the \
             whole text in 512-token windows there, since it reads no more at once. CPU time, so that ratios hold on a shared machine.",
        );
        Ok(summary)
    })
}

struct Bench<'a> {
    parts: &'a Parts,
    upstream: &'a Upstream,
    prompts: &'a Prompts,
    common: &'a Common,
    /// In tokens.
    sizes: Vec<usize>,
}

fn stages(set: &Set, memory_limit_mib: Option<u64>) -> Vec<Stage> {
    let usual = |name, mode, reading, flash, reads_all| {
        let mut config = filter_config("compressed");
        config["compress"] = json!({"profile": "paper"});
        let daemon = Daemon::Usual {
            reading,
            config,
            models: set.separate.clone(),
            flash,
            memory_limit_mib,
        };
        Stage { name, screening: Screening::ExtProc(mode), daemon, reads_all }
    };
    let ours = |name, models: &[PathBuf]| Stage {
        name,
        screening: Screening::Filter(filter_config("guarded")),
        daemon: Daemon::Inferd { models: models.to_vec(), admin: None },
        reads_all: false,
    };
    let mut stages = vec![
        usual(STAGE_0, BodyMode::Buffered, Reading::Whole, false, true),
        usual(STAGE_1, BodyMode::Buffered, Reading::Whole, true, true),
        usual(STAGE_2, BodyMode::Buffered, Reading::WholeCompressed, true, false),
        usual(STAGE_3, BodyMode::Streamed, Reading::Filter, true, false),
        ours(IN_ENVOY, &set.separate_short),
    ];
    stages.push(ours(INT8, &set.separate_int8));
    stages.push(ours(SHARED, std::slice::from_ref(&set.shared)));
    stages
}

/// How many requests of a stage are measured at a size.
struct Plan {
    least: usize,
    most: usize,
    budget: Duration,
    warm: usize,
}

impl Bench<'_> {
    async fn run(&self, set: &Set, summary: &mut Summary, limit: Option<u64>) -> Result<()> {
        let stages = stages(set, limit);
        let mut runners = Vec::new();
        for stage in &stages {
            eprintln!("paper, {}: starting {}", set.name, stage.name);
            let stack =
                Stack::start(self.parts, self.upstream.address(), &stage.screening, &stage.daemon)
                    .await;
            let mut runner = Runner::new(stage.name, stack.context(stage.name)?, SCREENED);
            runner.go_by(WAY);
            runners.push((runner, stage.reads_all));
        }
        let mut found = Vec::new();
        let mut full: Vec<&'static str> = Vec::new();
        for &tokens in &self.sizes {
            eprintln!("paper, {}: {tokens} tokens", set.name);
            found.extend(self.size(set, tokens, &mut runners, &mut full).await?);
        }
        let last = runners.len() - 1;
        let is_whole = self.sizes == SIZES;
        if limit.is_none() && is_whole {
            for tokens in MORE_SIZES {
                eprintln!("paper, {}: {tokens} tokens, the final pipeline alone", set.name);
                let (_, alone) = runners.split_at_mut(last);
                found.extend(self.size(set, tokens, alone, &mut full).await?);
            }
            found.sort_by_key(|here| here.tokens);
        }
        let crowds = self.crowds(set, &mut runners).await?;
        for (runner, _) in runners {
            // A process that ran out of memory may be gone.
            let name = runner.name;
            let stopped = runner.stack.stop().await;
            if !full.contains(&name) {
                stopped.context(name)?;
            }
        }
        self.tell(set, summary, &found, crowds);
        Ok(())
    }

    fn plan(&self, set: &Set, tokens: usize, stage: &str, reads_all: bool) -> Option<Plan> {
        let quick = self.common.quick;
        let seconds = Duration::from_secs;
        let is_base = set.is_random;
        if stage == SHARED && !is_base {
            // The final pipeline is cheap, and its cost from length to length is a goal of its own.
            return Some(if quick {
                Plan { least: 48, most: 48, budget: seconds(4), warm: 2 }
            } else {
                Plan { least: 96, most: 192, budget: seconds(12), warm: 4 }
            });
        }
        Some(match (reads_all, is_base, quick) {
            (true, true, true) if tokens > 8_000 => return None,
            (true, true, true) if tokens == 8_000 => {
                Plan { least: 1, most: 1, budget: seconds(1), warm: 0 }
            }
            (true, true, _) if tokens >= 8_000 => {
                Plan { least: 1, most: 2, budget: seconds(30), warm: 0 }
            }
            (true, true, _) => Plan { least: 2, most: 5, budget: seconds(10), warm: 1 },
            (true, false, true) if tokens > 8_000 => {
                Plan { least: 1, most: 1, budget: seconds(1), warm: 0 }
            }
            (true, false, true) => Plan { least: 2, most: 6, budget: seconds(4), warm: 1 },
            (true, false, false) => Plan { least: 4, most: 20, budget: seconds(16), warm: 1 },
            (false, _, true) => Plan { least: 5, most: 15, budget: seconds(2), warm: 1 },
            (false, true, false) => Plan { least: 6, most: 15, budget: seconds(5), warm: 1 },
            (false, false, false) => Plan { least: 20, most: 100, budget: seconds(4), warm: 2 },
        })
    }

    async fn size(
        &self,
        set: &Set,
        tokens: usize,
        runners: &mut [(Runner, bool)],
        full: &mut Vec<&'static str>,
    ) -> Result<Vec<Found>> {
        let loads: Result<Vec<Load>> = (0..PROMPTS)
            .map(|index| Ok(Load::from(&self.prompts.of_tokens(tokens, index)?)))
            .collect();
        let loads = loads?;
        let mut plans = Vec::new();
        for (runner, reads_all) in runners.iter_mut() {
            let plan = self
                .plan(set, tokens, runner.name, *reads_all)
                .filter(|_| !full.contains(&runner.name));
            for load in loads.iter().cycle().take(plan.as_ref().map_or(0, |plan| plan.warm)) {
                runner.warm(load).await?;
            }
            if plan.is_some() {
                runner.begin()?;
            }
            plans.push((plan, Duration::ZERO));
        }
        let mut newly_full = Vec::new();
        for load in loads.iter().cycle() {
            let mut is_done = true;
            for ((runner, _), (plan, spent)) in runners.iter_mut().zip(&mut plans) {
                let Some(wanted) = plan else { continue };
                let counted = runner.counted();
                if counted >= wanted.most || (counted >= wanted.least && *spent >= wanted.budget) {
                    continue;
                }
                is_done = false;
                let started = Instant::now();
                let sent = runner.send(load).await;
                *spent += started.elapsed();
                if let Err(error) = sent {
                    if !is_out_of_memory(runner) {
                        return Err(error.context(format!("{}, {tokens} tokens", runner.name)));
                    }
                    eprintln!(
                        "paper, {}: {} is out of memory at {tokens} tokens",
                        set.name, runner.name
                    );
                    newly_full.push(runner.name);
                    *plan = None;
                }
            }
            if is_done {
                break;
            }
        }
        let mut found = Vec::new();
        for (runner, _) in runners.iter_mut() {
            // What did not fit at one length does not fit at a greater one.
            let is_out_of_memory = newly_full.contains(&runner.name) || full.contains(&runner.name);
            let cell = if is_out_of_memory { Cell::default() } else { runner.end()? };
            if is_out_of_memory || !cell.ms.is_empty() {
                found.push(Found { stage: runner.name, tokens, cell, is_out_of_memory });
            }
        }
        full.extend(newly_full);
        Ok(found)
    }

    /// Requests at once, at 2K tokens: stage 0, stage 3 and the final one.
    async fn crowds(&self, set: &Set, runners: &mut [(Runner, bool)]) -> Result<Table> {
        let mut table = Table::new(
            "concurrency",
            &[
                "models",
                "stage",
                "requests at once",
                "requests",
                "p50 ms",
                "p99 ms",
                "requests/s",
                "CPU ms",
            ],
        );
        let loads: Result<Vec<Load>> = (0..PROMPTS)
            .map(|index| Ok(Load::from(&self.prompts.of_tokens(2_000, index)?)))
            .collect();
        let loads = Arc::new(loads?);
        let last = runners.len() - 1;
        for (at, (runner, reads_all)) in runners.iter_mut().enumerate() {
            let is_base = set.is_random;
            if !(at == 0 && !is_base || at == 3 || at == last) || (is_base && self.common.quick) {
                continue;
            }
            for clients in CROWDS {
                let each = match (*reads_all || is_base, self.common.quick) {
                    (true, _) => 1,
                    (false, true) => 4,
                    (false, false) => 12,
                };
                eprintln!("paper, {}: {clients} at once, {}", set.name, runner.name);
                runner.begin()?;
                runner.crowd(&loads, clients, (clients * each).max(2)).await?;
                let cell = runner.end()?;
                let spread = cell.spread().context("no request")?;
                let (envoy, daemon) = cell.cpu_ms();
                table.row([
                    set.name.to_owned(),
                    runner.name.to_owned(),
                    clients.to_string(),
                    spread.count.to_string(),
                    format!("{:.1}", spread.p50),
                    format!("{:.1}", spread.p99),
                    format!("{:.2}", count(spread.count) / cell.seconds),
                    format!("{:.1}", envoy + daemon),
                ]);
            }
        }
        Ok(table)
    }

    fn tell(&self, set: &Set, summary: &mut Summary, found: &[Found], mut crowds: Table) {
        crowds.name = format!("{}-concurrency", set.name);
        let at = |stage: &str, tokens: usize| {
            let found = found.iter().find(|here| here.stage == stage && here.tokens == tokens);
            found.map_or(&[][..], |here| here.cell.ms.as_slice())
        };
        let names = names(found);
        let mut table = Table::new(
            &format!("{}-stages", set.name),
            &[
                "stage",
                "tokens",
                "requests",
                "p50 ms",
                "p95 ms",
                "p99 ms",
                "stage 0 over it",
                "stage before over it",
                "Envoy CPU ms",
                "daemon CPU ms",
                "stage 0's CPU over it",
                "Envoy peak MiB",
                "daemon peak MiB",
            ],
        );
        let cpu = |here: &Found| {
            let (envoy, daemon) = here.cell.cpu_ms();
            envoy + daemon
        };
        for here in found {
            let base =
                found.iter().find(|other| other.stage == STAGE_0 && other.tokens == here.tokens);
            let index = names.iter().position(|name| *name == here.stage).unwrap_or(0);
            let before = index
                .checked_sub(1)
                .and_then(|before| names.get(before))
                .copied()
                .unwrap_or_default();
            let ratio = |over: f64, under: f64| {
                if over > 0.0 && under > 0.0 {
                    format!("{:.1}", over / under)
                } else {
                    "-".to_owned()
                }
            };
            let Some(spread) = here.cell.spread() else {
                let mut row = vec![
                    here.stage.to_owned(),
                    here.tokens.to_string(),
                    "out of memory".to_owned(),
                ];
                row.resize(table.columns.len(), "-".to_owned());
                table.row(row);
                continue;
            };
            let (envoy, daemon) = here.cell.cpu_ms();
            table.row([
                here.stage.to_owned(),
                here.tokens.to_string(),
                spread.count.to_string(),
                format!("{:.1}", spread.p50),
                format!("{:.1}", spread.p95),
                format!("{:.1}", spread.p99),
                ratio(median(at(STAGE_0, here.tokens)), spread.p50),
                ratio(median(at(before, here.tokens)), spread.p50),
                format!("{envoy:.2}"),
                format!("{daemon:.1}"),
                ratio(base.filter(|base| !base.cell.ms.is_empty()).map_or(0.0, cpu), cpu(here)),
                format!("{:.0}", here.cell.peaks_mib.0),
                format!("{:.0}", here.cell.peaks_mib.1),
            ]);
            summary.cost(
                format!("{}, {}, {} tokens, p50", set.name, here.stage, here.tokens),
                spread.p50,
            );
        }
        summary.tables.push(table);
        summary.charts.extend(crowd_chart(set, &crowds));
        summary.tables.push(crowds);
        let last = names.last().copied().unwrap_or_default();
        let shown = summary_table(set, found, &names);
        summary.shown.push(shown.name.clone());
        summary.tables.push(shown);
        let line = |name: &&'static str| Series {
            name: name.split(',').next().unwrap_or(name).to_owned(),
            points: found
                .iter()
                .filter(|here| here.stage == *name && !here.cell.ms.is_empty())
                .map(|here| (count(here.tokens), median(&here.cell.ms)))
                .collect(),
        };
        summary.charts.push(Chart::Lines {
            name: format!("{}-length", set.name),
            title: format!(
                "Median latency by prompt length, {} models ({} layers)",
                set.name, set.layers
            ),
            x: Axis::log("tokens"),
            y: Axis::log("ms"),
            series: names.iter().map(line).collect(),
        });
        if set.is_random {
            long_goal(summary, found);
        } else if self.sizes == SIZES {
            self.goals(summary, found, last);
        }
    }

    fn goals(&self, summary: &mut Summary, found: &[Found], last: &str) {
        let at = |stage: &str, tokens: usize| {
            let found = found.iter().find(|here| here.stage == stage && here.tokens == tokens);
            found.map_or(&[][..], |here| here.cell.ms.as_slice())
        };
        let (first, final_one) = (at(STAGE_0, 8_000), at(last, 8_000));
        let ratio = median(first) / median(final_one);
        let (low, high) = ratio_interval(first, final_one, self.common.seed);
        summary.outcome(
            Goal::Pipeline,
            ratio >= 98.0,
            format!(
                "{ratio:.0}× ({low:.0}-{high:.0}): {:.0} ms over {:.1} ms at 8,000 tokens, p50",
                median(first),
                median(final_one)
            ),
        );
        let costs: Vec<(usize, f64)> = SIZES
            .iter()
            .filter(|tokens| **tokens >= 2_000)
            .map(|tokens| (*tokens, median(at(last, *tokens))))
            .collect();
        let mean = costs.iter().map(|cost| cost.1).sum::<f64>() / count(costs.len());
        let far = costs.iter().map(|cost| (cost.1 / mean - 1.0).abs()).fold(0.0, f64::max);
        let words: Vec<String> =
            costs.iter().map(|(tokens, ms)| format!("{ms:.1} ms at {tokens}")).collect();
        summary.outcome(
            Goal::Flat,
            far <= 0.1,
            format!("within {:.0} % of the mean: {}", far * 100.0, words.join(", ")),
        );
    }
}

/// 32K tokens in one pass: with the operator they run, without it they do not fit.
fn long_goal(summary: &mut Summary, found: &[Found]) {
    const LONG: usize = 32_000;
    let at = |stage: &str| found.iter().find(|here| here.stage == stage && here.tokens == LONG);
    let (Some(plain), Some(flash)) = (at(STAGE_0), at(STAGE_1)) else { return };
    let runs = !flash.cell.ms.is_empty();
    let said = |here: &Found| match here.cell.spread() {
        Some(spread) => {
            format!("{:.0} s a request, {:.0} MiB", spread.p50 / 1e3, here.cell.peaks_mib.1)
        }
        None => "out of memory".to_owned(),
    };
    summary.outcome(
        Goal::AttentionLong,
        runs && plain.is_out_of_memory,
        format!(
            "three models of mmBERT-base's shape: plain {}; with the operator {}",
            said(plain),
            said(flash)
        ),
    );
}

fn names(found: &[Found]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for here in found {
        if !names.contains(&here.stage) {
            names.push(here.stage);
        }
    }
    names.sort_unstable();
    names
}

/// Median latency by requests at once; the table's own figures.
fn crowd_chart(set: &Set, crowds: &Table) -> Option<Chart> {
    let mut series: Vec<Series> = Vec::new();
    for row in &crowds.rows {
        let [_, stage, clients, _, p50, ..] = row.as_slice() else { continue };
        let name = stage.split(',').next().unwrap_or(stage).to_owned();
        let point = (clients.parse().ok()?, p50.parse().ok()?);
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name, points: vec![point] }),
        }
    }
    (!series.is_empty()).then(|| Chart::Lines {
        name: format!("{}-concurrency", set.name),
        title: format!("Median latency by requests at once, 2,000 tokens, {} models", set.name),
        x: Axis::linear("requests at once"),
        y: Axis::log("ms"),
        series,
    })
}

/// The README's table: p50 by stage and size, and what each stage gains at 8K.
fn summary_table(set: &Set, found: &[Found], names: &[&'static str]) -> Table {
    let mut table = Table::new(
        &format!("{}-summary", set.name),
        &["stage", "500", "2,000", "8,000", "16,000", "32,000 tokens, p50 ms", "gain at 8,000"],
    );
    let cell = |stage: &str, tokens: usize| {
        found.iter().find(|here| here.stage == stage && here.tokens == tokens)
    };
    let mut before = None;
    for name in names {
        let mut row = vec![(*name).to_owned()];
        for tokens in SIZES {
            row.push(match cell(name, tokens) {
                Some(here) if here.is_out_of_memory => "out of memory".to_owned(),
                Some(here) => format!("{:.1}", median(&here.cell.ms)),
                None => "-".to_owned(),
            });
        }
        let now = cell(name, 8_000).map(|here| median(&here.cell.ms)).filter(|ms| *ms > 0.0);
        row.push(match (before, now) {
            (Some(before), Some(now)) => format!("{:.2}×", before / now),
            _ => "-".to_owned(),
        });
        before = now.or(before);
        table.row(row);
    }
    table
}

/// Whether a failed request failed for want of memory: its process was told so, or is gone.
fn is_out_of_memory(runner: &mut Runner) -> bool {
    let log = runner.stack.daemon_log();
    let signs = ["Failed to allocate memory", "bad_alloc", "memory allocation of", "out of memory"];
    signs.iter().any(|sign| log.contains(sign))
        || (runner.stack.daemon_is_gone() && log.contains("alloc"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(stage: &'static str, tokens: usize, ms: f64) -> Found {
        let cell = Cell { ms: vec![ms; 3], ..Cell::default() };
        Found { stage, tokens, cell, is_out_of_memory: ms == 0.0 }
    }

    #[test]
    fn each_stage_is_compared_with_the_one_before() {
        let set = Set {
            name: "embedded",
            separate: Vec::new(),
            separate_short: Vec::new(),
            separate_int8: Vec::new(),
            shared: PathBuf::new(),
            is_random: false,
            layers: 6,
        };
        let all =
            [found(STAGE_0, 8_000, 100.0), found(STAGE_1, 8_000, 50.0), found(STAGE_2, 8_000, 5.0)];
        let table = summary_table(&set, &all, &names(&all));
        let gains: Vec<&str> =
            table.rows.iter().filter_map(|row| row.last()).map(String::as_str).collect();
        assert_eq!(gains, ["-", "2.00×", "10.00×"]);
        assert_eq!(table.rows[0][1], "-");
    }
}
