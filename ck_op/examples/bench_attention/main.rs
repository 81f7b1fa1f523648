//! Attention with and without the operator, as ratios from one run on one machine: CPU time, one thread and two, least of
//! several. `cargo xtask bench attention` starts it.
//!
//! ```text
//! cargo run --release -p ck-op --example bench_attention -- [--quick] [--layers N] [--model FILE] [--json OUT]
//! ```
//!
//! `--quick` has a smaller encoder at 8K tokens and leaves out 32K. `--model` is a BERT-shaped model for the share of
//! attention (default: the embedded one). Each ratio is the time (or memory) without over the time (or memory) with the
//! operator: above 1 the operator wins.

#![allow(clippy::print_stdout, reason = "its output is what it is for")]
#![allow(clippy::cast_precision_loss, reason = "times and sizes as ratios")]

mod encoder;
mod measure;
mod operators;
#[path = "../../tests/support/runtime.rs"]
mod runtime;

use std::path::{Path, PathBuf};

use measure::{Failure, Figures};

struct Settings {
    quick: bool,
    layers: usize,
    model: PathBuf,
    json: Option<PathBuf>,
}

fn main() -> Result<(), Failure> {
    let mut settings = Settings {
        quick: false,
        layers: 6,
        model: Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/forebay-small/model.onnx"),
        json: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().ok_or_else(|| format!("{argument} wants a value"));
        match argument.as_str() {
            "--quick" => settings.quick = true,
            "--layers" => settings.layers = next()?.parse()?,
            "--model" => settings.model = next()?.into(),
            "--json" => settings.json = Some(next()?.into()),
            // A child of this program: one forward pass, for its peak memory.
            "--peak" => return measure::print_peak(Path::new(&next()?), next()?.parse()?),
            _ => return Err(format!("{argument} is unknown").into()),
        }
    }
    let mut figures = Figures::default();
    operators::compare(settings.quick, &mut figures)?;
    measure::encoders(settings.quick, settings.layers, &mut figures)?;
    measure::attention_share(&settings.model, &mut figures)?;
    let text = figures.json();
    if let Some(path) = settings.json {
        std::fs::write(path, text)?;
    } else {
        println!("{text}");
    }
    Ok(())
}
