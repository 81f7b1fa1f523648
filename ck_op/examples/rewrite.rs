//! Rewrites a model, or compares two, with the real ONNX Runtime; what `inferd rewrite` does without the daemon.
//!
//! ```text
//! cargo run --release -p ck-op --example rewrite -- IN.onnx OUT.onnx [--fp16] [--bf16] [--right] [--tolerance X]
//! cargo run --release -p ck-op --example rewrite -- --check A.onnx B.onnx
//! ```

#![allow(clippy::print_stdout, reason = "its output is what it is for")]

#[path = "../tests/support/runtime.rs"]
mod runtime;

use std::path::Path;

use onnx_rewrite::{Options, Padded, Precision};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut files = Vec::new();
    let mut check = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--check" => check = true,
            "--fp16" => options.precision = Precision::Float16,
            "--bf16" => options.allow_bf16 = true,
            "--right" => options.padding = Padded::Right,
            "--tolerance" => {
                options.tolerance =
                    Some(arguments.next().ok_or("--tolerance wants a number")?.parse()?)
            }
            _ => files.push(argument),
        }
    }
    let [first, second] = files.as_slice() else { return Err("two files are wanted".into()) };
    let (first, second) = (Path::new(first), Path::new(second));
    let runtime = runtime::Ort { threads: 2 };
    if check {
        let comparison = onnx_rewrite::compare_files(first, second, &options, &runtime)?;
        println!("{comparison:?}");
        return Ok(());
    }
    let report = onnx_rewrite::rewrite(first, second, &options, &runtime)?;
    for layer in &report.layers {
        println!("{layer:?}");
    }
    println!("nodes {} -> {}; {:?}", report.nodes_before, report.nodes_after, report.comparison);
    Ok(())
}
