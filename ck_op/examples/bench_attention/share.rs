//! The embedded model: how much of a forward pass goes to attention, by ONNX Runtime's own profile.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use onnx_rewrite::onnx::ModelProto;
use onnx_rewrite::{Data, Options, Padded};
use prost::Message as _;

use crate::measure::{Failure, Figures, feed, least_cpu_ms, once, open};
use crate::runtime::{self, Ort};

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
    let (mut times, mut shares) = (Vec::new(), Vec::new());
    for (key, path, attention) in [
        ("before", model, old.difference(&new).cloned().collect::<Vec<_>>()),
        ("after", flash.as_path(), new.difference(&old).cloned().collect()),
    ] {
        let Share { inside_ms, all_ms } = share(path, &attention, folder.path())?;
        figures.set(&format!("bert_512_attention_share_{key}"), inside_ms / all_ms);
        shares.push(inside_ms / all_ms);
        let mut session = open(path, 1)?;
        let pass_ms = least_cpu_ms(9, || once(&mut *session, 512))?;
        // The profile's clock is wall time; its shares hold for CPU time.
        times.push((inside_ms / all_ms * pass_ms, pass_ms));
    }
    let &[(attention_before, before), (attention_after, after)] = times.as_slice() else {
        return Err("two models".into());
    };
    figures.set("bert_512_attention_share_ratio", shares[0] / shares[1]);
    figures.ratio("bert_512_attention_time_ratio", attention_before, attention_after);
    figures.ratio("bert_512_ratio", before, after);
    figures.set("bert_512_attention_share_after_of_plain_pass", attention_after / before);
    figures.note(
        "the embedded model's share of attention is of its own forward pass each time; the pass itself got shorter too, \
         so attention's time fell by more than its share",
    );
    Ok(())
}

/// Forward passes that are profiled.
const PROFILED: usize = 25;

/// Milliseconds of a profile.
struct Share {
    inside_ms: f64,
    all_ms: f64,
}

fn share(model: &Path, attention: &[String], folder: &Path) -> Result<Share, Failure> {
    let mut session = ort::session::Session::builder(runtime::environment())
        .and_then(|b| Ok(b.with_operator_library(runtime::operator_library())?))
        .and_then(|b| Ok(b.with_intra_threads(1)?))
        .and_then(|b| Ok(b.with_profiling(folder.join("profile"))?))
        .and_then(|mut b| b.commit_from_file(model))?;
    for _ in 0..PROFILED {
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
    // The least of each node: its clock is wall time, and whatever else ran on the machine is in some of its runs.
    let mut least: HashMap<&str, f64> = HashMap::new();
    for event in profile.as_array().into_iter().flatten() {
        let name = event["name"].as_str().unwrap_or_default();
        if event["cat"] != "Node" || !name.ends_with("_kernel_time") {
            continue;
        }
        let time = event["dur"].as_f64().unwrap_or(0.0);
        least.entry(name).and_modify(|least| *least = least.min(time)).or_insert(time);
    }
    // Fused nodes keep the name of a part as their beginning.
    let is_attention = |name: &str| {
        attention.iter().any(|part| {
            name.strip_prefix(part.as_str())
                .is_some_and(|end| !end.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    let all: f64 = least.values().sum();
    let inside: f64 =
        least.iter().filter(|(name, _)| is_attention(name)).map(|(_, time)| time).sum();
    Ok(Share { inside_ms: inside / 1e3, all_ms: all / 1e3 })
}
