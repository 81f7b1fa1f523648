//! Attention with and without the operator, as ratios from one run on one machine: CPU time, one thread, least of several.
//!
//! ```text
//! cargo run --release -p ck-op --example bench_attention -- [--quick] [--layers N] [--model FILE] [--json OUT]
//! ```
//!
//! `--quick` leaves out 8K. `--model` is a BERT-shaped model for the share of attention (default: FOREBAY_MODEL's).
//! Each ratio is the time (or memory) without over the time (or memory) with the operator: above 1 the operator wins.

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
    model: Option<PathBuf>,
    json: Option<PathBuf>,
}

fn main() -> Result<(), Failure> {
    let mut settings = Settings {
        quick: false,
        layers: 6,
        model: std::env::var_os("FOREBAY_MODEL")
            .map(|folder| Path::new(&folder).join("model.onnx")),
        json: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().ok_or_else(|| format!("{argument} wants a value"));
        match argument.as_str() {
            "--quick" => settings.quick = true,
            "--layers" => settings.layers = next()?.parse()?,
            "--model" => settings.model = Some(next()?.into()),
            "--json" => settings.json = Some(next()?.into()),
            // A child of this program: one forward pass, for its peak memory.
            "--peak" => return measure::print_peak(Path::new(&next()?), next()?.parse()?),
            _ => return Err(format!("{argument} is unknown").into()),
        }
    }
    let mut figures = Figures::default();
    operators::compare(settings.quick, &mut figures)?;
    measure::encoders(settings.quick, settings.layers, &mut figures)?;
    match settings.model.filter(|model| model.exists()) {
        Some(model) => measure::attention_share(&model, &mut figures)?,
        None => println!("no model for the share of attention: left out"),
    }
    let text = figures.json();
    println!("{text}");
    if let Some(path) = settings.json {
        std::fs::write(path, text)?;
    }
    Ok(())
}
