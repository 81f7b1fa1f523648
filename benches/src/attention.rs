//! Attention with and without the operator: one attention, whole encoders, the embedded model.
//!
//! The measuring is `ck_op`'s own program (its example `bench_attention`), which has ONNX Runtime at hand; this module builds
//! and starts it, holds its figures to the goals and writes them down. Both sides of a ratio are CPU time (or memory) of one
//! run on one machine.
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;

use crate::Common;
use crate::report::{Goal, Summary, Table};

/// Options of the bench.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Layers of the encoder of mmBERT-base's shape [default: 22, quick 6].
    #[arg(long)]
    layers: Option<usize>,
    /// BERT-shaped model for the share of attention [default: the embedded one].
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
}

/// What the program writes.
#[derive(Debug, Deserialize)]
struct Measured {
    rows: Vec<Row>,
    notes: Vec<String>,
    #[serde(flatten)]
    figures: BTreeMap<String, f64>,
}

#[derive(Debug, Deserialize)]
struct Row {
    name: String,
    without: f64,
    with: f64,
    unit: String,
}

/// Figures that every run has, quick or not.
const ALWAYS: [&str; 8] = [
    "local_2k_ratio",
    "global_8k_ratio",
    "encoder_512_ratio",
    "encoder_2k_ratio",
    "encoder_8k_ratio",
    "encoder_8k_memory_ratio",
    "bert_512_attention_share_before",
    "bert_512_attention_share_after",
];

/// What the operator is to reach: a figure, the least or most that it may be, and what it is of.
const GOALS: [(&str, Bound, &str); 21] = [
    (
        "global_512_ratio",
        Bound::Least(1.0),
        "one attention, no mask, over ONNX Runtime's flash path, 512",
    ),
    ("global_2k_ratio", Bound::Least(1.0), "the same, 2K"),
    ("global_8k_ratio", Bound::Least(1.0), "the same, 8K"),
    ("local_2k_ratio", Bound::Least(10.0), "local layer over masked attention, 2K"),
    ("padded_2k_ratio", Bound::Least(1.5), "half-padded batch over masked attention, 2K"),
    ("padded_8k_ratio", Bound::Least(1.9), "the same, 8K"),
    ("encoder_512_ratio", Bound::Least(1.2), "encoder, fp32, over the plain graph, 512"),
    ("encoder_2k_ratio", Bound::Least(1.8), "the same, 2K"),
    ("encoder_8k_ratio", Bound::Least(3.7), "the same, 8K"),
    (
        "encoder_int8_512_ratio",
        Bound::Least(3.7),
        "encoder, int8 and bfloat16, over the plain fp32 graph, 512",
    ),
    ("encoder_int8_8k_ratio", Bound::Least(7.5), "the same, 8K"),
    ("encoder_8k_memory_ratio", Bound::Least(20.0), "memory of a pass, plain over ours, 8K"),
    ("encoder_512_bound_share", Bound::Least(0.85), "share of the projections' bound, fp32, 512"),
    (
        "encoder_8k_flops_share",
        Bound::Least(0.8),
        "share of the bound of projections and attention, fp32, 8K",
    ),
    (
        "encoder_512_int8_bound_share",
        Bound::Least(0.72),
        "share of the projections' bound, int8, 512",
    ),
    ("encoder_fp32_largest_logit_error", Bound::Most(2e-6), "largest logit error, fp32"),
    (
        "encoder_bf16_largest_logit_error",
        Bound::Most(5e-3),
        "largest logit error, bfloat16 attention alone",
    ),
    (
        "bert_512_attention_share_before",
        Bound::None,
        "attention's share of the embedded model's pass, before",
    ),
    ("bert_512_attention_share_after", Bound::None, "attention's share of its own pass, after"),
    ("bert_512_attention_share_ratio", Bound::Least(2.0), "share before over share after"),
    ("bert_512_attention_time_ratio", Bound::Least(2.0), "attention's time before over after"),
];

/// What a figure may be.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Least(f64),
    Most(f64),
    /// Told, not bounded.
    None,
}

impl Bound {
    fn text(self) -> String {
        match self {
            Self::Least(least) => format!("≥ {least}"),
            Self::Most(most) => format!("≤ {most:e}"),
            Self::None => String::new(),
        }
    }

    fn verdict(self, figure: f64) -> &'static str {
        match self {
            Self::Least(least) if figure < least => "no",
            Self::Most(most) if figure > most => "no",
            Self::Least(_) | Self::Most(_) => "yes",
            Self::None => "",
        }
    }
}

/// Every goal and what was measured; a quick run leaves some out.
fn goals(figures: &BTreeMap<String, f64>) -> Table {
    let mut table = Table::new("goals", &["what", "goal", "measured", "reached"]);
    for (name, bound, what) in GOALS {
        let (measured, reached) = match (figures.get(name), bound) {
            (None, _) => ("not measured".to_owned(), ""),
            (Some(&figure), Bound::Most(_)) => {
                // An error says little without what it is of.
                let of = name.strip_suffix("_error").and_then(|largest| figures.get(largest));
                let of = of.map_or_else(String::new, |largest| format!(" of {largest:.1}"));
                (format!("{figure:.1e}{of}"), bound.verdict(figure))
            }
            (Some(&figure), _) => (format!("{figure:.2}"), bound.verdict(figure)),
        };
        table.row([what.to_owned(), bound.text(), measured, reached.to_owned()]);
    }
    table
}

/// Measures.
///
/// # Errors
///
/// Fails when the program cannot be built or fails itself (a rewritten model that differs from the plain one, say), or a
/// figure is missing or no number.
pub(crate) fn run(args: &Args, common: &Common) -> Result<Summary> {
    let folder = tempfile::tempdir()?;
    let json = folder.path().join("attention.json");
    measure(args, common, &json)?;
    let text = std::fs::read_to_string(&json)?;
    let measured: Measured = serde_json::from_str(&text).context("bench_attention's figures")?;
    summarise(measured)
}

fn measure(args: &Args, common: &Common, json: &Path) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(crate::root());
    command.args(["run", "--release", "--quiet", "--package", "ck-op"]);
    command.args(["--example", "bench_attention", "--", "--json"]).arg(json);
    if let Some(layers) = args.layers {
        command.args(["--layers", &layers.to_string()]);
    }
    if let Some(model) = &args.model {
        command.arg("--model").arg(std::path::absolute(model)?);
    }
    if common.quick {
        command.arg("--quick");
    }
    let status = command.status().context("cannot start cargo")?;
    ensure!(status.success(), "bench_attention: {status}");
    Ok(())
}

fn summarise(measured: Measured) -> Result<Summary> {
    let mut summary = Summary::new("attention", "Attention with the operator and without");
    for name in ALWAYS {
        ensure!(measured.figures.contains_key(name), "bench_attention gave no {name}");
    }
    for (name, &value) in &measured.figures {
        ensure!(value.is_finite(), "{name} is {value}");
        summary.figure(name, value);
    }
    let mut table = Table::new("ratios", &["what", "without", "with", "unit", "ratio"]);
    for Row { name, without, with, unit } in &measured.rows {
        let name = name.trim_end_matches("_ratio").replace('_', " ");
        table.row([
            name,
            format!("{without:.1}"),
            format!("{with:.1}"),
            unit.clone(),
            format!("{:.2}", without / with),
        ]);
    }
    summary.tables.push(table);
    summary.tables.push(goals(&measured.figures));

    let figure = |name: &str| measured.figures.get(name).copied();
    let memory = figure("encoder_8k_memory_ratio").unwrap_or(0.0);
    summary.outcome(Goal::AttentionMemory, memory >= 20.0, format!("1/{memory:.0}"));
    let global: Vec<f64> =
        ["512", "2k", "8k"].iter().filter_map(|n| figure(&format!("global_{n}_ratio"))).collect();
    let least = global.iter().copied().fold(f64::INFINITY, f64::min);
    let shown: Vec<String> = global.iter().map(|ratio| format!("{ratio:.2}×")).collect();
    let shown = format!("{} at 512, 2K and 8K tokens", shown.join(", "));
    summary.outcome(Goal::FlashGlobal, least >= 1.0, shown);
    let local = figure("local_2k_ratio").unwrap_or(0.0);
    summary.outcome(Goal::FlashLocal, local >= 10.0, format!("{local:.1}×"));
    if let (Some(seconds), Some(mib)) =
        (figure("encoder_32k_cpu_seconds"), figure("encoder_32k_peak_mib"))
    {
        let layers = figure("encoder_layers").unwrap_or(f64::NAN);
        let shown =
            format!("{seconds:.0} CPU-s for {layers} layers, {mib:.0} MiB beyond the model");
        summary.outcome(Goal::AttentionLong, true, shown);
    }
    for name in ["encoder_512", "encoder_int8_512", "encoder_2k"] {
        let row = measured.rows.iter().find(|row| row.name == format!("{name}_ratio"));
        if let Some(row) = row {
            summary.cost(name.replace('_', " "), row.with);
        }
    }
    for note in measured.notes {
        summary.note(note);
    }
    summary.note("ratios of CPU time: without the operator over with it; ONNX Runtime's worker threads do not spin");
    summary.shown.push("ratios".to_owned());
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(leave_out: &str) -> Measured {
        let figures = ALWAYS.iter().filter(|&&name| name != leave_out);
        Measured {
            rows: vec![Row {
                name: "encoder_512_ratio".to_owned(),
                without: 400.0,
                with: 320.0,
                unit: "ms".to_owned(),
            }],
            notes: vec!["a note".to_owned()],
            figures: figures.map(|name| ((*name).to_owned(), 12.0)).collect(),
        }
    }

    #[test]
    fn figures_become_goals_and_costs() {
        let summary = summarise(measured("")).unwrap();
        assert_eq!(summary.figures.len(), ALWAYS.len());
        let met: Vec<bool> = summary.outcomes.iter().map(|outcome| outcome.met).collect();
        // 1/12 of the memory is too much; 12 times as fast is enough.
        assert_eq!(met, [false, true, true]);
        assert_eq!(summary.costs[0].ms, 320.0);
    }

    #[test]
    fn every_goal_is_a_line_and_says_whether_it_is_reached() {
        let figures = [
            ("local_2k_ratio", 9.9),
            ("encoder_512_ratio", 1.2),
            ("encoder_bf16_largest_logit_error", 6e-3),
            ("encoder_fp32_largest_logit_error", 2e-6),
            ("encoder_fp32_largest_logit", 1.8),
            ("bert_512_attention_share_after", 0.3),
        ];
        let figures = figures.map(|(name, value)| (name.to_owned(), value)).into();
        let table = goals(&figures);
        assert_eq!(table.rows.len(), GOALS.len());
        let reached = |name: &str| {
            let at = GOALS.iter().position(|goal| goal.0 == name).unwrap();
            table.rows[at][3].clone()
        };
        assert_eq!(reached("local_2k_ratio"), "no");
        assert_eq!(reached("encoder_512_ratio"), "yes");
        assert_eq!(reached("encoder_bf16_largest_logit_error"), "no");
        assert_eq!(reached("encoder_fp32_largest_logit_error"), "yes");
        assert_eq!(reached("bert_512_attention_share_after"), "");
        assert_eq!(reached("padded_8k_ratio"), "");
        assert_eq!(table.rows[5][2], "not measured");
        let error = table.rows.iter().find(|row| row[0] == "largest logit error, fp32").unwrap();
        assert_eq!(error[2], "2.0e-6 of 1.8");
    }

    #[test]
    fn a_figure_that_is_missing_or_no_number_is_an_error() {
        assert!(summarise(measured("encoder_8k_ratio")).is_err());
        let mut broken = measured("");
        broken.figures.insert("local_2k_ratio".to_owned(), f64::NAN);
        assert!(summarise(broken).is_err());
    }
}
