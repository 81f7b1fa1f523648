//! Times, memory, whole encoders, and the figures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use onnx_rewrite::{Data, Options, Runtime, Session, Surroundings, Tensor};
use prost::Message as _;

use crate::encoder::{self, Weights};
use crate::runtime::{self, Ort};

pub(crate) type Failure = Box<dyn std::error::Error>;

/// What was measured, printed as it comes.
#[derive(Default)]
pub(crate) struct Figures {
    figures: BTreeMap<String, f64>,
    /// Name, without, with the operator, unit.
    rows: Vec<(String, f64, f64, &'static str)>,
    notes: Vec<String>,
}

impl Figures {
    /// The ratio of two CPU times, and both.
    pub(crate) fn ratio(&mut self, name: &str, without: f64, with: f64) {
        self.compare(name, without, with, "ms");
    }

    fn compare(&mut self, name: &str, without: f64, with: f64, unit: &'static str) {
        println!("{name}: {without:.2} / {with:.2} {unit} = {:.2}", without / with);
        self.figures.insert(name.to_owned(), without / with);
        self.rows.push((name.to_owned(), without, with, unit));
    }

    pub(crate) fn set(&mut self, name: &str, value: f64) {
        println!("{name}: {value:.4}");
        self.figures.insert(name.to_owned(), value);
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// The figures, and under `rows` and `notes` where they come from.
    pub(crate) fn json(&self) -> String {
        let mut all: serde_json::Map<String, serde_json::Value> =
            self.figures.iter().map(|(name, value)| (name.clone(), (*value).into())).collect();
        let rows = self.rows.iter().map(|(name, without, with, unit)| {
            serde_json::json!({ "name": name, "without": without, "with": with, "unit": unit })
        });
        all.insert("rows".to_owned(), rows.collect());
        all.insert("notes".to_owned(), self.notes.clone().into());
        format!("{:#}\n", serde_json::Value::Object(all))
    }
}

/// CPU time of all threads of this process, in ms: wall time says nothing on a shared machine.
fn cpu_ms() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec as f64 * 1e3 + now.tv_nsec as f64 / 1e6
}

/// Least of `repeats` after one to warm up (none where once takes long).
pub(crate) fn least_cpu_ms(
    repeats: usize,
    mut run: impl FnMut() -> Result<(), Failure>,
) -> Result<f64, Failure> {
    if repeats > 1 {
        run()?;
    }
    let mut least = f64::INFINITY;
    for _ in 0..repeats {
        let start = cpu_ms();
        run()?;
        least = least.min(cpu_ms() - start);
    }
    Ok(least)
}

pub(crate) fn feed(n: usize) -> Vec<(String, Tensor)> {
    let ids = (0..n).map(|i| i64::try_from(i * 7919 % 7000 + 3).unwrap_or(3)).collect();
    let tensor = |data| Tensor { shape: vec![1, n], data: Data::I64(data) };
    vec![("input_ids".to_owned(), tensor(ids)), ("attention_mask".to_owned(), tensor(vec![1; n]))]
}

pub(crate) fn once(session: &mut dyn Session, n: usize) -> Result<(), Failure> {
    session.run(&feed(n)).map_err(|error| error.to_string())?;
    Ok(())
}

pub(crate) fn open(model: &Path, threads: usize) -> Result<Box<dyn Session>, Failure> {
    Ok(Ort { threads }.open(model).map_err(|error| error.to_string())?)
}

/// Writes an encoder and its rewritten twin.
fn pair(
    folder: &Path,
    name: &str,
    shape: &encoder::Shape,
    options: &Options,
    figures: &mut Figures,
) -> Result<[PathBuf; 2], Failure> {
    let plain = folder.join(format!("{name}.onnx"));
    let flash = folder.join(format!("{name}_fa.onnx"));
    std::fs::write(&plain, encoder::build(shape).encode_to_vec())?;
    let report = onnx_rewrite::rewrite(&plain, &flash, options, &Ort { threads: 2 })?;
    if report.layers.iter().any(|layer| layer.surroundings != Surroundings::Fused) {
        return Err(format!("{name}: surroundings of a layer were not fused").into());
    }
    figures.set(&format!("{name}_largest_logit_error"), report.comparison.error);
    figures.set(&format!("{name}_largest_logit"), report.comparison.largest);
    Ok([plain, flash])
}

/// Memory that must be free for the plain graph of 12 heads at 8K tokens: it was seen to take 17.1 GB with 6 layers, and 16
/// more layers are 0.7 GB of weights, twice where ONNX Runtime packs them.
const PLAIN_8K_KIB: f64 = 18.0 * 1024.0 * 1024.0;

/// mmBERT-base's shape with fewer layers and a small vocabulary.
pub(crate) fn encoders(quick: bool, layers: usize, figures: &mut Figures) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    figures.set("encoder_layers", layers as f64);
    let base = encoder::Shape {
        layers,
        heads: 12,
        intermediate: 1152,
        vocabulary: 8000,
        positions: 32_768,
        window: 64,
        weights: Weights::Float32,
    };
    let int8 = encoder::Shape { weights: Weights::Int8, ..base };
    // Nothing is refused for its error here: that is a figure of its own.
    let in_bf16 = Options { allow_bf16: true, tolerance: Some(1.0), ..Options::default() };
    let exact = Options::default();
    let fp32_paths = pair(folder.path(), "encoder_fp32", &base, &exact, figures)?;
    let int8_paths = pair(folder.path(), "encoder_int8", &int8, &in_bf16, figures)?;
    pair(folder.path(), "encoder_bf16", &base, &in_bf16, figures)?;
    let fp32_peak = projection_peak(&base, Weights::Float32)?;
    let int8_peak = projection_peak(&base, Weights::Int8)?;
    figures.set("projection_fp32_gflops", fp32_peak);
    figures.set("projection_int8_gops", int8_peak);
    let bound_ms = |n: usize, peak: f64| encoder::projection_flops(&base) * n as f64 / peak / 1e6;

    // The same with attention's own operations.
    let flops_ms =
        |n| bound_ms(n, fp32_peak) + encoder::attention_flops(&base, n) / fp32_peak / 1e6;

    for threads in [1, 2] {
        let mut plain = open(&fp32_paths[0], threads)?;
        let mut flash = open(&fp32_paths[1], threads)?;
        let mut small = open(&int8_paths[1], threads)?;
        let suffix = if threads == 1 { "" } else { "_2_threads" };
        for (n, name, repeats) in [(512, "512", 3), (2048, "2k", 2)] {
            if quick && threads == 2 && n > 512 {
                continue;
            }
            let without = least_cpu_ms(repeats, || once(&mut *plain, n))?;
            let with = least_cpu_ms(repeats, || once(&mut *flash, n))?;
            figures.ratio(&format!("encoder_{name}{suffix}_ratio"), without, with);
            let with_int8 = least_cpu_ms(repeats, || once(&mut *small, n))?;
            figures.ratio(&format!("encoder_int8_{name}{suffix}_ratio"), without, with_int8);
            if threads == 1 {
                let name = format!("encoder_{name}");
                figures.set(&format!("{name}_bound_share"), bound_ms(n, fp32_peak) / with);
                figures.set(&format!("{name}_flops_share"), flops_ms(n) / with);
                let share = bound_ms(n, int8_peak) / with_int8;
                figures.set(&format!("{name}_int8_bound_share"), share);
            }
        }
    }

    let whole = if quick {
        Err("a quick run".into())
    } else if kib("/proc/meminfo", "MemAvailable:")? < PLAIN_8K_KIB {
        Err("too little memory for the plain graph of 12 heads".into())
    } else {
        at_8k(&fp32_paths, &int8_paths[1], figures)
    };
    match whole {
        Ok([without, with]) => {
            figures.set("encoder_8k_bound_share", bound_ms(8192, fp32_peak) / with.cpu_ms);
            figures.set("encoder_8k_flops_share", flops_ms(8192) / with.cpu_ms);
            figures.compare("encoder_8k_memory_ratio", without.mib, with.mib, "MiB");
        }
        Err(why) => {
            figures.note(format!(
                "8K ratios are of an encoder with 4 heads and 3 layers, its projections as large a share of the work as in \
                 the base shape (times) or its activations a third of that (memory): {why}"
            ));
            // A third of the heads, and as much of the work in projections as before: a third of the plain graph's memory.
            let third = encoder::Shape { heads: 4, intermediate: 1834, layers: 3, ..base };
            let third_int8 = encoder::Shape { weights: Weights::Int8, ..third };
            let fp32 = pair(folder.path(), "third_fp32", &third, &exact, figures)?;
            let int8 = pair(folder.path(), "third_int8", &third_int8, &in_bf16, figures)?;
            at_8k(&fp32, &int8[1], figures)?;
            // Every activation is a third of the base shape's.
            let small = encoder::Shape { heads: 4, intermediate: 384, layers: 3, ..base };
            let [plain, flash] = pair(folder.path(), "memory", &small, &exact, figures)?;
            let [without, with] = [peak(&plain, 8192, 1)?, peak(&flash, 8192, 1)?];
            figures.compare("encoder_8k_memory_ratio", without.mib, with.mib, "MiB");
        }
    }
    if !quick {
        let long = peak(&int8_paths[1], 32_768, 2)?;
        figures.set("encoder_32k_cpu_seconds", long.cpu_ms / 1e3);
        figures.set("encoder_32k_peak_mib", long.mib);
        figures.note(
            "32K tokens: int8 weights, bfloat16 products, two threads; the plain graph's scores of one layer alone would \
             take 48 GiB",
        );
    }
    Ok(())
}

/// Times at 8K tokens, one pass each in a process of its own: the plain graph's arena keeps what it took. The passes of the
/// fp32 models.
fn at_8k(fp32: &[PathBuf; 2], int8: &Path, figures: &mut Figures) -> Result<[Peak; 2], Failure> {
    let [without, with] = [peak(&fp32[0], 8192, 1)?, peak(&fp32[1], 8192, 1)?];
    let with_int8 = peak(int8, 8192, 1)?;
    figures.ratio("encoder_8k_ratio", without.cpu_ms, with.cpu_ms);
    figures.ratio("encoder_int8_8k_ratio", without.cpu_ms, with_int8.cpu_ms);
    Ok([without, with])
}

/// Highest rate of any projection alone, in 10^9 operations a second: the bound that projections set.
fn projection_peak(shape: &encoder::Shape, kind: Weights) -> Result<f64, Failure> {
    const ROWS: usize = 1024;
    let mut best = 0.0f64;
    for [from, to] in encoder::projections(shape) {
        let bytes = encoder::projection(from, to, kind).encode_to_vec();
        let mut session = runtime::open(&bytes)?;
        let x: Vec<f32> =
            (0..ROWS * from).map(|i| (i * 7919 % 1000) as f32 / 500.0 - 1.0).collect();
        let x = ort::value::Tensor::from_array(([ROWS, from], x))?;
        let least = least_cpu_ms(5, || {
            session.run(ort::inputs![&x])?;
            Ok(())
        })?;
        best = best.max(2.0 * (ROWS * from * to) as f64 / least / 1e6);
    }
    Ok(best)
}

/// What one forward pass took.
struct Peak {
    /// Resident memory beyond the loaded model, at its highest.
    mib: f64,
    cpu_ms: f64,
}

/// One forward pass in a process of its own.
fn peak(model: &Path, n: usize, threads: usize) -> Result<Peak, Failure> {
    let child = Command::new(std::env::current_exe()?)
        .arg("--peak")
        .arg(model)
        .args([n.to_string(), threads.to_string()])
        .output()?;
    let text = String::from_utf8(child.stdout)?;
    let mut numbers = text.split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next(), child.status.success()) {
        (Some(mib), Some(cpu_ms), true) => Ok(Peak { mib: mib?, cpu_ms: cpu_ms? }),
        _ => Err(format!(
            "the pass of {n} tokens failed: {}",
            String::from_utf8_lossy(&child.stderr)
        )
        .into()),
    }
}

fn kib(file: &str, key: &str) -> Result<f64, Failure> {
    let text = std::fs::read_to_string(file)?;
    let line = text.lines().find(|line| line.starts_with(key)).ok_or("no such line")?;
    Ok(line.split_whitespace().nth(1).unwrap_or("0").parse()?)
}

/// The child's side: what the pass adds to the loaded model.
pub(crate) fn print_peak(model: &Path, n: usize, threads: usize) -> Result<(), Failure> {
    let status = |key: &str| kib("/proc/self/status", key).map(|kib| kib / 1024.0);
    let mut session = open(model, threads)?;
    once(&mut *session, 16)?;
    let (before, start) = (status("VmRSS:")?, cpu_ms());
    once(&mut *session, n)?;
    let took = cpu_ms() - start;
    println!("{:.1} {took:.1}", (status("VmHWM:")? - before).max(1.0));
    Ok(())
}
