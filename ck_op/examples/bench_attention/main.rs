//! Attention with and without the operator, as ratios from one run on one machine: CPU time, one thread and two, least of
//! several. `cargo xtask bench attention` starts it.
//!
//! ```text
//! cargo run --release -p ck-op --example bench_attention -- [--quick] [--only PART] [--layers N] [--model FILE] [--json OUT]
//! ```
//!
//! `--quick` has fewer layers and a smaller encoder at 8K tokens, and leaves out 32K and padding at 8K. `--model` is a BERT-shaped model for the share of
//! attention (default: the embedded one). PART is `operators`, `encoders` or `share`. Each ratio is the time (or memory) without over the time (or memory) with the
//! operator: above 1 the operator wins.

#![allow(clippy::print_stdout, reason = "its output is what it is for")]
#![allow(clippy::cast_precision_loss, reason = "times and sizes as ratios")]

mod encoder;
mod measure;
mod operators;
#[path = "../../tests/support/runtime.rs"]
mod runtime;
mod share;

use std::path::{Path, PathBuf};

use measure::{Failure, Figures};

/// Layers of mmBERT-base.
const LAYERS: usize = 22;
/// Layers in a quick run: two global, four local.
const QUICK_LAYERS: usize = 6;

struct Settings {
    quick: bool,
    layers: Option<usize>,
    model: PathBuf,
    json: Option<PathBuf>,
    only: Option<String>,
}

fn main() -> Result<(), Failure> {
    let mut settings = Settings {
        quick: false,
        layers: None,
        model: Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/forebay-small/model.onnx"),
        json: None,
        only: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().ok_or_else(|| format!("{argument} wants a value"));
        match argument.as_str() {
            "--quick" => settings.quick = true,
            "--layers" => settings.layers = Some(next()?.parse()?),
            "--model" => settings.model = next()?.into(),
            "--only" => settings.only = Some(next()?),
            "--json" => settings.json = Some(next()?.into()),
            // A child of this program: one forward pass, for its peak memory.
            "--peak" => {
                let [model, n, threads] = [next()?, next()?, next()?];
                return measure::print_peak(Path::new(&model), n.parse()?, threads.parse()?);
            }
            _ => return Err(format!("{argument} is unknown").into()),
        }
    }
    let mut figures = Figures::default();
    let wanted = |part: &str| settings.only.as_deref().is_none_or(|only| only == part);
    if wanted("operators") {
        operators::compare(settings.quick, &mut figures)?;
    }
    if wanted("encoders") {
        let layers = settings.layers.unwrap_or(if settings.quick { QUICK_LAYERS } else { LAYERS });
        measure::encoders(settings.quick, layers, &mut figures)?;
    }
    if wanted("share") {
        share::attention_share(&settings.model, &mut figures)?;
    }
    let text = figures.json();
    if let Some(path) = settings.json {
        std::fs::write(path, text)?;
    } else {
        println!("{text}");
    }
    Ok(())
}
