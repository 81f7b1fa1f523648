//! `inferd rewrite`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use onnx_rewrite::{Comparison, Options, Padded};
use serde_json::json;

use super::{CliError, Config, Env, Libraries, note, print};
use crate::attention::rewritten_path;
use crate::config::Raw;

/// Make a model's second graph.
///
/// Finds the attention of each layer by its structure, learns what its mask does by running it, and puts this project's operator in
/// its place. The new file appears only after both graphs gave the same answers. `inferd serve` uses it by itself where it lies beside
/// the old one and is faster.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    inferd rewrite --in models/m/model.onnx --operator-library libforebay_ck_op.so\n  \
    inferd rewrite --in m.onnx --out m_fp16.onnx --precision fp16\n  \
    inferd rewrite --check m.onnx m_fa.onnx")]
pub(super) struct Rewrite {
    /// Model to rewrite; its external data must lie beside it
    #[arg(long = "in", value_name = "FILE", required_unless_present = "check")]
    input: Option<PathBuf>,
    /// Where to write; beside the model as NAME_fa.onnx if not given
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    out: Option<PathBuf>,
    /// What the operator computes in: that of the model, or fp16 for the HIP kernels
    #[arg(long, value_enum, default_value = "fp32")]
    precision: Precision,
    /// Let the CPU kernel multiply in bfloat16, which is faster and less exact
    #[arg(long)]
    bf16: bool,
    /// Largest accepted difference of a logit, as a share of the largest logit or of 1
    #[arg(long, value_name = "SHARE")]
    tolerance: Option<f64>,
    /// Only compare two models
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "input")]
    check: Option<Vec<PathBuf>>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    libraries: Libraries,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Precision {
    /// That of the model's activations
    Fp32,
    /// fp16, with casts around each operator where the model has another
    Fp16,
}

impl Rewrite {
    pub(super) fn run(self, env: Env<'_>) -> Result<(), CliError> {
        let runtime = self.libraries.runtime(&Config::try_from(Raw::default())?, env)?;
        if !crate::backend::Runtime::has_operators(&runtime) {
            return Err(CliError::Failed(
                "the operator library libforebay_ck_op.so is needed: name it by --operator-library"
                    .to_owned(),
            ));
        }
        let options = Options {
            allow_bf16: self.bf16,
            tolerance: self.tolerance,
            padding: Padded::Right,
            precision: match self.precision {
                Precision::Fp32 => onnx_rewrite::Precision::AsModel,
                Precision::Fp16 => onnx_rewrite::Precision::Float16,
            },
            ..Options::default()
        };
        if let Some([a, b]) = self.check.as_deref() {
            note("running both models side by side\n");
            let comparison =
                onnx_rewrite::compare_files(a, b, &options, &runtime).map_err(CliError::failed)?;
            self.print(json!({ "comparison": described(&comparison) }), &shown(&comparison))?;
            let accepted = self.tolerance.unwrap_or(1e-5);
            return comparison.accept(accepted).map_err(CliError::failed);
        }
        let input = self.input.clone().unwrap_or_default();
        let out = self.out.clone().unwrap_or_else(|| rewritten_path(&input));
        note("finding attention, probing its masks, running both models side by side\n");
        let report =
            onnx_rewrite::rewrite(&input, &out, &options, &runtime).map_err(CliError::failed)?;
        let mut text = String::new();
        for layer in &report.layers {
            let side = |keys: Option<usize>| {
                keys.map_or_else(|| "all".to_owned(), |keys| keys.to_string())
            };
            let meaning = &layer.meaning;
            _ = writeln!(
                text,
                "{:<48} scale {:<8} keys before {:<5} after {}",
                layer.replaced,
                layer.scale,
                side(meaning.left),
                side(meaning.right)
            );
        }
        _ = writeln!(text, "{} nodes became {}", report.nodes_before, report.nodes_after);
        text.push_str(&shown(&report.comparison));
        _ = writeln!(text, "wrote {}", out.display());
        self.print(
            json!({
                "out": out,
                "layers": report.layers.iter().map(|l| json!({
                    "replaced": l.replaced, "scale": l.scale,
                    "keys_before": l.meaning.left, "keys_after": l.meaning.right,
                })).collect::<Vec<_>>(),
                "nodes_before": report.nodes_before,
                "nodes_after": report.nodes_after,
                "comparison": described(&report.comparison),
            }),
            &text,
        )
    }

    #[allow(clippy::needless_pass_by_value, reason = "made for this call")]
    fn print(&self, json: serde_json::Value, text: &str) -> Result<(), CliError> {
        if self.json { print(&format!("{json:#}\n")) } else { print(text) }
    }
}

fn described(comparison: &Comparison) -> serde_json::Value {
    json!({
        "largest_difference": comparison.error,
        "largest_logit": comparison.largest,
        "cases": comparison.cases,
        "worst": comparison.worst.to_string(),
        "batched": comparison.batched,
        "noise_of_the_first": comparison.noise,
    })
}

fn shown(comparison: &Comparison) -> String {
    format!(
        "largest difference of a logit {:.2e} (largest logit {:.2}) over {} inputs, at {}\n",
        comparison.error, comparison.largest, comparison.cases, comparison.worst
    )
}
