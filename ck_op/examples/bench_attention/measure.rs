//! Times, memory, whole encoders, and the figures.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use onnx_rewrite::onnx::ModelProto;
use onnx_rewrite::{Data, Options, Padded, Runtime, Session, Tensor};
use prost::Message as _;

use crate::encoder;
use crate::runtime::{self, Ort};

pub(crate) type Failure = Box<dyn std::error::Error>;

/// Ratios by name, printed as they come.
#[derive(Default)]
pub(crate) struct Figures(BTreeMap<String, f64>);

impl Figures {
    pub(crate) fn ratio(&mut self, name: &str, without: f64, with: f64) {
        println!("{name}: {without:.2} / {with:.2} = {:.2}", without / with);
        self.set(name, without / with);
    }

    fn set(&mut self, name: &str, value: f64) {
        self.0.insert(name.to_owned(), value);
    }

    /// One object, a key a line.
    pub(crate) fn json(&self) -> String {
        let lines: Vec<String> =
            self.0.iter().map(|(name, value)| format!("  \"{name}\": {value:.4}")).collect();
        format!("{{\n{}\n}}\n", lines.join(",\n"))
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

fn feed(n: usize) -> Vec<(String, Tensor)> {
    let ids = (0..n).map(|i| i64::try_from(i * 7919 % 7000 + 3).unwrap_or(3)).collect();
    let tensor = |data| Tensor { shape: vec![1, n], data: Data::I64(data) };
    vec![("input_ids".to_owned(), tensor(ids)), ("attention_mask".to_owned(), tensor(vec![1; n]))]
}

fn once(session: &mut dyn Session, n: usize) -> Result<(), Failure> {
    session.run(&feed(n)).map_err(|error| error.to_string())?;
    Ok(())
}

fn open(model: &Path) -> Result<Box<dyn Session>, Failure> {
    Ok(Ort { threads: 1 }.open(model).map_err(|error| error.to_string())?)
}

/// Writes an encoder and its rewritten twin.
fn pair(folder: &Path, name: &str, shape: &encoder::Shape) -> Result<[PathBuf; 2], Failure> {
    let plain = folder.join(format!("{name}.onnx"));
    let flash = folder.join(format!("{name}_fa.onnx"));
    std::fs::write(&plain, encoder::build(shape).encode_to_vec())?;
    let report = onnx_rewrite::rewrite(&plain, &flash, &Options::default(), &Ort { threads: 1 })?;
    println!(
        "{name}: {} layers, largest logit error {:.1e}",
        report.layers.len(),
        report.comparison.error
    );
    Ok([plain, flash])
}

/// mmBERT-base's shape with fewer layers and a small vocabulary; memory with fewer heads, as the plain graph's S×S matrices
/// of 12 heads would not fit beside anything else.
pub(crate) fn encoders(quick: bool, layers: usize, figures: &mut Figures) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let base = encoder::Shape {
        layers,
        heads: 12,
        intermediate: 1152,
        vocabulary: 8000,
        positions: 8192,
        window: 64,
    };
    let paths = pair(folder.path(), "base", &base)?;
    let [mut plain, mut flash] = [open(&paths[0])?, open(&paths[1])?];
    let mut compare = |n: usize, name: &str, repeats| -> Result<(), Failure> {
        let without = least_cpu_ms(repeats, || once(&mut *plain, n))?;
        let with = least_cpu_ms(repeats, || once(&mut *flash, n))?;
        figures.ratio(&format!("encoder_{name}_ratio"), without, with);
        Ok(())
    };
    compare(512, "512", 3)?;
    compare(2048, "2k", 2)?;
    if quick {
        return Ok(());
    }
    compare(8192, "8k", 1)?;
    let small = encoder::Shape { heads: 4, layers: 3, ..base };
    let paths = pair(folder.path(), "small", &small)?;
    let [without, with] = [peak(&paths[0], 8192)?, peak(&paths[1], 8192)?];
    figures.ratio("encoder_8k_memory_ratio", without, with);
    Ok(())
}

/// Peak resident MiB of one forward pass in a process of its own.
fn peak(model: &Path, n: usize) -> Result<f64, Failure> {
    let child = Command::new(std::env::current_exe()?)
        .arg("--peak")
        .arg(model)
        .arg(n.to_string())
        .output()?;
    Ok(String::from_utf8(child.stdout)?.trim().parse()?)
}

/// The child's side: what the pass adds to the loaded model.
pub(crate) fn print_peak(model: &Path, n: usize) -> Result<(), Failure> {
    let status = |key: &str| -> Result<f64, Failure> {
        let text = std::fs::read_to_string("/proc/self/status")?;
        let line =
            text.lines().find(|line| line.starts_with(key)).ok_or("no such line in status")?;
        Ok(line.split_whitespace().nth(1).unwrap_or("0").parse::<f64>()? / 1024.0)
    };
    let mut session = open(model)?;
    once(&mut *session, 16)?;
    let before = status("VmRSS:")?;
    once(&mut *session, n)?;
    println!("{:.1}", (status("VmHWM:")? - before).max(1.0));
    Ok(())
}

/// How much of a forward pass of 512 tokens goes to attention, before and after, by ONNX Runtime's own profile. Attention
/// before is what the rewriter removes.
pub(crate) fn attention_share(model: &Path, figures: &mut Figures) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let flash = folder.path().join("fa.onnx");
    let options = Options { padding: Padded::Right, allow_bf16: true, ..Options::default() };
    onnx_rewrite::rewrite(model, &flash, &options, &Ort { threads: 1 })?;
    let names = |path: &Path| -> Result<HashSet<String>, Failure> {
        let model = ModelProto::decode(&*std::fs::read(path)?)?;
        let nodes = model.graph.unwrap_or_default().node;
        Ok(nodes
            .iter()
            .map(|node| node.name().to_owned())
            .filter(|name| !name.is_empty())
            .collect())
    };
    let (old, new) = (names(model)?, names(&flash)?);
    for (key, path, attention) in [
        ("before", model, old.difference(&new).cloned().collect::<Vec<_>>()),
        ("after", flash.as_path(), new.difference(&old).cloned().collect()),
    ] {
        let share = share(path, &attention, folder.path())?;
        println!("attention's share {key}: {:.1} %", share * 100.0);
        figures.set(&format!("bert_512_attention_share_{key}"), share);
    }
    Ok(())
}

fn share(model: &Path, attention: &[String], folder: &Path) -> Result<f64, Failure> {
    let mut session = ort::session::Session::builder(runtime::environment())
        .and_then(|b| Ok(b.with_operator_library(runtime::operator_library())?))
        .and_then(|b| Ok(b.with_intra_threads(1)?))
        .and_then(|b| Ok(b.with_profiling(folder.join("profile"))?))
        .and_then(|mut b| b.commit_from_file(model))?;
    for _ in 0..4 {
        let inputs: Vec<(String, ort::value::Tensor<i64>)> = feed(512)
            .into_iter()
            .filter_map(|(name, tensor)| match tensor.data {
                Data::I64(data) => {
                    Some((name, ort::value::Tensor::from_array((tensor.shape, data)).ok()?))
                }
                Data::F32(_) | Data::I32(_) | Data::Bool(_) | _ => None,
            })
            .collect();
        session.run(inputs)?;
    }
    let profile: serde_json::Value =
        serde_json::from_slice(&std::fs::read(session.end_profiling()?)?)?;
    let (mut inside, mut all) = (0.0, 0.0);
    for event in profile.as_array().into_iter().flatten() {
        let name = event["name"].as_str().unwrap_or_default();
        if event["cat"] != "Node" || !name.ends_with("_kernel_time") {
            continue;
        }
        let time = event["dur"].as_f64().unwrap_or(0.0);
        all += time;
        // Fused nodes keep the name of a part as their beginning.
        if attention.iter().any(|part| {
            name.strip_prefix(part.as_str())
                .is_some_and(|end| !end.starts_with(|c: char| c.is_ascii_digit()))
        }) {
            inside += time;
        }
    }
    Ok(inside / all)
}
