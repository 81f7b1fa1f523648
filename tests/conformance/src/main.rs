//! `conformance`: runs a folder of cases and prints a table.
#![allow(clippy::print_stdout, reason = "a command-line program talks on standard output")]

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;
use conformance::{Layer, Row, Status};

/// Runs conformance cases in the pure crates, in the built filter, and in real Envoy
#[derive(Debug, Parser)]
#[command(
    about,
    after_help = "Examples:
  conformance                                        all cases of the repository in all layers
  conformance --layer pure --layer wasm              without Envoy
  conformance --cases ../cases --json results.json   another folder, results for a program

The layers wasm and envoy find what they run by FOREBAY_WASM, FOREBAY_ENVOY, FOREBAY_INFERD, FOREBAY_ORT_LIB and
FOREBAY_MODEL; `cargo xtask conformance` sets them. Exit status: 0 when nothing failed, 1 when a case failed, 2 when the
run could not be started."
)]
struct Arguments {
    /// Folder of case files
    #[arg(long, value_name = "DIR", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/cases"))]
    cases: PathBuf,
    /// Layer to run; may be given more than once; all when absent
    #[arg(long = "layer", value_name = "pure|wasm|envoy", value_parser = layer)]
    layers: Vec<Layer>,
    /// File for the results as a JSON array
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Run only cases whose id holds this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

fn layer(name: &str) -> Result<Layer, String> {
    Layer::parse(name).ok_or_else(|| "one of pure, wasm, envoy".to_owned())
}

fn run(arguments: &Arguments) -> Result<Vec<Row>> {
    let layers =
        if arguments.layers.is_empty() { Layer::ALL.to_vec() } else { arguments.layers.clone() };
    let only = arguments.only.as_deref().unwrap_or("");
    let rows = conformance::run(&arguments.cases, &layers, only, |row| {
        eprintln!("{} {} {}", row.status.name(), row.layer.name(), row.id);
    })?;
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&conformance::json(&rows))?;
        std::fs::write(path, text + "\n")
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(rows)
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(rows) => {
            print!("{}", conformance::text(&rows));
            let failed = rows.iter().any(|row| row.status == Status::Fail);
            if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Err(error) => {
            eprintln!("conformance: {error:#}");
            ExitCode::from(2)
        }
    }
}
