//! Model folders that the benches need and the repository does not hold: the embedded model as three float models, as the
//! paper's stage 0 wants it, and models of mmBERT-base's shape with random weights. They are made when first asked for.
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use e2e::Parts;
use onnx_rewrite::onnx::tensor_proto::DataType;
use onnx_rewrite::onnx::{GraphProto, ModelProto, NodeProto, TensorProto};
use prost::Message as _;
use serde_json::Value;

/// The attention benches' encoder.
#[allow(dead_code, reason = "the attention bench uses all of it")]
#[path = "../../ck_op/examples/bench_attention/encoder.rs"]
mod encoder;

/// Signals and the outputs that answer them.
const SIGNALS: [&str; 3] = ["jailbreak", "domain", "pii"];
/// Longest text that the random models read in one pass, in tokens.
const LONGEST: usize = 32_768;
/// And in inferd, which reads a selection.
const SHORT: usize = 512;

/// One kind of model in the shapes that the stages want.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    /// `embedded` or `base`.
    pub(crate) name: &'static str,
    /// A float model for each signal, each with its rewritten graph beside it.
    pub(crate) separate: Vec<PathBuf>,
    /// The same for inferd, which tries a full window of every model when it starts: 512 tokens at most.
    pub(crate) separate_short: Vec<PathBuf>,
    /// An int8 model for each signal.
    pub(crate) separate_int8: Vec<PathBuf>,
    /// One int8 model for all signals.
    pub(crate) shared: PathBuf,
    /// Whether the weights are random, and the longest text is read in one pass.
    pub(crate) is_random: bool,
    /// Layers of each model.
    pub(crate) layers: usize,
}

/// The embedded model, in one, as three int8 and as three float models.
///
/// # Errors
///
/// Fails when its graph is not quantised as expected, or the float models do not say what it says.
pub(crate) fn embedded(parts: &Parts) -> Result<Set> {
    let manifest = read_manifest(&parts.model)?;
    let digest = manifest["sha256"]
        .as_str()
        .and_then(|text| text.get(..16))
        .context("the model has no sha256")?;
    let home = home()?.join(format!("embedded-{digest}"));
    let bytes = std::fs::read(parts.model.join("model.onnx"))?;
    let int8 = ModelProto::decode(bytes.as_slice())?;
    let layers = encoder_layers(&int8);
    let mut float = int8.clone();
    dequantise(float.graph.as_mut().context("a model without a graph")?)?;
    let (mut separate, mut separate_int8) = (Vec::new(), Vec::new());
    for signal in SIGNALS {
        separate.push(one_head(parts, &home, "float", &manifest, &float, signal)?);
        separate_int8.push(one_head(parts, &home, "int8", &manifest, &int8, signal)?);
    }
    for folder in &separate {
        rewrite(parts, folder)?;
    }
    Ok(Set {
        name: "embedded",
        separate_short: separate.clone(),
        separate,
        separate_int8,
        shared: parts.model.clone(),
        is_random: false,
        layers,
    })
}

/// Layers of the embedded model's encoder: its graph has a Softmax for each of them and for each of the two pooled heads.
fn encoder_layers(model: &ModelProto) -> usize {
    let nodes = model.graph.iter().flat_map(|graph| &graph.node);
    nodes.filter(|node| node.op_type() == "Softmax").count().saturating_sub(2)
}

/// The same of the model in a folder.
///
/// # Errors
///
/// Fails when `model.onnx` cannot be read.
pub(crate) fn layers_of(folder: &Path) -> Result<usize> {
    let bytes = std::fs::read(folder.join("model.onnx"))?;
    Ok(encoder_layers(&ModelProto::decode(bytes.as_slice())?))
}

/// Three models of mmBERT-base's shape (hidden 768, 12 heads, intermediate 1152, every third layer global, the others see
/// 64 tokens to each side) with random weights and the embedded model's tokenizer, float and int8, and one with all heads.
///
/// # Errors
///
/// Fails when a model cannot be written or rewritten.
pub(crate) fn base_shaped(parts: &Parts, layers: usize) -> Result<Set> {
    let home = home()?.join(format!("base-{layers}"));
    let mut manifest = read_manifest(&parts.model)?;
    manifest["name"] = format!("base-shaped-{layers}").into();
    manifest["max_tokens"] = LONGEST.into();
    let shape = encoder::Shape {
        layers,
        heads: 12,
        intermediate: 1152,
        vocabulary: vocabulary(&parts.model)?,
        positions: LONGEST,
        window: 64,
        weights: encoder::Weights::Float32,
    };
    let described = manifest.clone();
    let build = |weights| {
        eprintln!("models: making random weights, {layers} layers, {weights:?}");
        let mut model = encoder::build(&encoder::Shape { weights, ..shape });
        heads(model.graph.as_mut().context("no graph")?, &described)?;
        anyhow::Ok(model)
    };
    let (mut separate, mut separate_int8) = (Vec::new(), Vec::new());
    let is_made = home.join("shared").join("made").exists();
    let mut model = if is_made { ModelProto::default() } else { build(encoder::Weights::Float32)? };
    for signal in SIGNALS {
        separate.push(one_head(parts, &home, "float", &manifest, &model, signal)?);
    }
    for folder in &separate {
        rewrite(parts, folder)?;
    }
    manifest["max_tokens"] = SHORT.into();
    let separate_short: Vec<PathBuf> =
        separate.iter().map(|folder| shortened(folder)).collect::<Result<_>>()?;
    if !is_made {
        model = build(encoder::Weights::Int8)?;
    }
    for signal in SIGNALS {
        separate_int8.push(one_head(parts, &home, "int8", &manifest, &model, signal)?);
    }
    let shared = folder(parts, &home.join("shared"), &manifest, &model)?;
    Ok(Set {
        name: "base-shaped",
        separate,
        separate_short,
        separate_int8,
        shared,
        is_random: true,
        layers,
    })
}

/// The same files in a folder whose manifest asks for short windows.
fn shortened(folder: &Path) -> Result<PathBuf> {
    let place = folder.with_extension("short");
    if place.join("made").exists() {
        return Ok(place);
    }
    std::fs::create_dir_all(&place)?;
    for name in ["model.onnx", "model_fa.onnx", "tokenizer.json"] {
        let link = place.join(name);
        let _old = std::fs::remove_file(&link);
        std::fs::hard_link(folder.join(name), link)?;
    }
    let text = std::fs::read_to_string(folder.join("manifest.json"))?;
    let mut manifest: Value = serde_json::from_str(&text)?;
    manifest["max_tokens"] = SHORT.into();
    std::fs::write(place.join("manifest.json"), manifest.to_string())?;
    std::fs::write(place.join("made"), "")?;
    Ok(place)
}

/// Where models are kept between runs.
fn home() -> Result<PathBuf> {
    let this = std::env::current_exe()?;
    let home = this.parent().unwrap_or(Path::new(".")).join("bench-models");
    std::fs::create_dir_all(&home)?;
    Ok(home)
}

fn read_manifest(model: &Path) -> Result<Value> {
    let path = model.join("manifest.json");
    let text = std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
    let mut manifest: Value = serde_json::from_str(&text)?;
    if manifest["sha256"].is_null() {
        bail!("{}: no sha256", path.display());
    }
    manifest["file"] = "model.onnx".into();
    Ok(manifest)
}

fn vocabulary(model: &Path) -> Result<usize> {
    Ok(inferd::tokenize::TextTokenizer::load(&model.join("tokenizer.json"))?.vocabulary())
}

/// A folder with a graph that answers one signal.
fn one_head(
    parts: &Parts,
    home: &Path,
    kind: &str,
    manifest: &Value,
    model: &ModelProto,
    signal: &str,
) -> Result<PathBuf> {
    let place = home.join(format!("{kind}-{signal}"));
    let mut manifest = manifest.clone();
    let name = manifest["name"].as_str().unwrap_or_default().to_owned();
    manifest["name"] = format!("{name}-{kind}-{signal}").into();
    let heads = manifest["heads"].as_array_mut().context("a manifest without heads")?;
    heads.retain(|head| head["signal"] == signal);
    let output =
        heads.first().and_then(|head| head["output"].as_str()).context("no such head")?.to_owned();
    if place.join("made").exists() {
        return Ok(place);
    }
    let mut model = model.clone();
    let graph = model.graph.as_mut().context("a model without a graph")?;
    graph.output.retain(|value| value.name() == output);
    ensure!(graph.output.len() == 1, "the graph has no output {output}");
    prune(graph);
    folder(parts, &place, &manifest, &model)
}

/// Writes a model folder, unless it is there.
fn folder(parts: &Parts, place: &Path, manifest: &Value, model: &ModelProto) -> Result<PathBuf> {
    if !place.join("made").exists() {
        std::fs::create_dir_all(place)?;
        let mut manifest = manifest.clone();
        let keys = manifest.as_object_mut().context("a manifest that is no object")?;
        keys.remove("sha256");
        keys.remove("tokenizer_sha256");
        std::fs::copy(parts.model.join("tokenizer.json"), place.join("tokenizer.json"))?;
        std::fs::write(place.join("manifest.json"), manifest.to_string())?;
        std::fs::write(place.join("model.onnx"), model.encode_to_vec())?;
        std::fs::write(place.join("made"), "")?;
    }
    Ok(place.to_owned())
}

/// Puts the rewritten graph beside the model, by the same command that people use; it compares the two.
fn rewrite(parts: &Parts, folder: &Path) -> Result<()> {
    let done = folder.join("model_fa.onnx");
    if done.exists() {
        return Ok(());
    }
    eprintln!("models: rewriting {}", folder.display());
    let output = Command::new(&parts.inferd)
        .args(["rewrite", "--in"])
        .arg(folder.join("model.onnx"))
        .arg("--ort-lib")
        .arg(&parts.ort_lib)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() && done.exists(), "inferd rewrite failed: {}", said.trim());
    Ok(())
}

/// Removes nodes and weights that no output needs.
fn prune(graph: &mut GraphProto) {
    let mut wanted: HashSet<String> =
        graph.output.iter().map(|value| value.name().to_owned()).collect();
    // Nodes stand in order of use, so one look from the end is enough.
    let mut kept: Vec<NodeProto> = Vec::new();
    for node in graph.node.drain(..).rev() {
        if node.output.iter().any(|output| wanted.contains(output)) {
            wanted.extend(node.input.iter().cloned());
            kept.push(node);
        }
    }
    kept.reverse();
    graph.node = kept;
    graph.initializer.retain(|tensor| wanted.contains(tensor.name()));
}

/// Takes the quantisation out of a graph as ONNX Runtime's `quantize_dynamic` puts it in: weights become floats, and each
/// product of integers a product of floats.
fn dequantise(graph: &mut GraphProto) -> Result<()> {
    let tensors: HashMap<String, TensorProto> =
        graph.initializer.iter().map(|tensor| (tensor.name().to_owned(), tensor.clone())).collect();
    let made_by: HashMap<&str, &NodeProto> = graph
        .node
        .iter()
        .flat_map(|node| node.output.iter().map(move |output| (output.as_str(), node)))
        .collect();
    let used_by = |name: &str| -> Vec<&NodeProto> {
        graph.node.iter().filter(|node| node.input.iter().any(|input| input == name)).collect()
    };
    let input = |node: &NodeProto, at: usize| node.input.get(at).cloned().unwrap_or_default();
    let mut weights = HashMap::new();
    let mut nodes = Vec::new();
    let mut renamed: HashMap<String, String> = HashMap::new();
    let mut replaced: HashMap<String, NodeProto> = HashMap::new();
    for node in &graph.node {
        let output = node.output.first().map(String::as_str).unwrap_or_default();
        match node.op_type() {
            "MatMulInteger" => {
                let quantise =
                    made_by.get(input(node, 0).as_str()).context("an integer product of what?")?;
                ensure!(
                    quantise.op_type() == "DynamicQuantizeLinear",
                    "{}: input is not quantised",
                    node.name()
                );
                let one = |mut found: Vec<&NodeProto>, what: &str| {
                    ensure!(found.len() == 1, "{}: expected one {what}", node.name());
                    found.pop().cloned().context("none")
                };
                let cast = one(used_by(output), "cast")?;
                let scaled = one(
                    used_by(cast.output.first().map(String::as_str).unwrap_or_default()),
                    "scaling",
                )?;
                let scales = scaled
                    .input
                    .iter()
                    .find_map(|name| made_by.get(name.as_str()).filter(|n| n.op_type() == "Mul"));
                let scales = scales.with_context(|| format!("{}: no scales", node.name()))?;
                let scale = scales.input.iter().find_map(|name| tensors.get(name));
                let scale =
                    scale.with_context(|| format!("{}: no scale of the weights", node.name()))?;
                let name = input(node, 1);
                let weight =
                    tensors.get(&name).with_context(|| format!("{name} is not a weight"))?;
                let float_name = format!("{name}_float");
                let float = floats(weight, scale, tensors.get(&input(node, 3)), &float_name)?;
                weights.insert(float_name.clone(), float);
                let product = NodeProto {
                    op_type: Some("MatMul".to_owned()),
                    name: Some(format!("{}_float", node.name())),
                    input: vec![input(quantise, 0), float_name],
                    output: scaled.output.clone(),
                    ..NodeProto::default()
                };
                replaced.insert(scaled.output.first().cloned().unwrap_or_default(), product);
            }
            "DequantizeLinear" => {
                let gather = made_by.get(input(node, 0).as_str()).context("dequantised what?")?;
                ensure!(gather.op_type() == "Gather", "{}: expected a table", node.name());
                let name = input(gather, 0);
                let table =
                    tensors.get(&name).with_context(|| format!("{name} is not a weight"))?;
                let scale = tensors.get(&input(node, 1)).context("no scale of a table")?;
                let float_name = format!("{name}_float");
                let float = floats(table, scale, tensors.get(&input(node, 2)), &float_name)?;
                weights.insert(float_name.clone(), float);
                renamed.insert(name, float_name);
                renamed.insert(input(node, 0), output.to_owned());
            }
            _ => {}
        }
    }
    ensure!(!replaced.is_empty(), "the model is not quantised by products of integers");
    for node in &graph.node {
        let output = node.output.first().cloned().unwrap_or_default();
        if let Some(product) = replaced.remove(&output) {
            nodes.push(product);
            continue;
        }
        if node.op_type() == "DequantizeLinear" {
            continue;
        }
        let mut node = node.clone();
        for name in node.input.iter_mut().chain(&mut node.output) {
            if let Some(new) = renamed.get(name) {
                name.clone_from(new);
            }
        }
        nodes.push(node);
    }
    graph.node = nodes;
    graph.initializer.extend(weights.into_values());
    prune(graph);
    Ok(())
}

/// `(weight - zero point) * scale`, the scale being one or one for each column.
fn floats(
    weight: &TensorProto,
    scale: &TensorProto,
    zero: Option<&TensorProto>,
    name: &str,
) -> Result<TensorProto> {
    let values = integers(weight)?;
    let scales = float_values(scale)?;
    let zeros = zero.map(integers).transpose()?.unwrap_or_default();
    let columns = weight.dims.last().and_then(|n| usize::try_from(*n).ok()).unwrap_or(1).max(1);
    ensure!(
        scales.len() == 1 || scales.len() == columns,
        "{name}: {} scales for {columns} columns",
        scales.len()
    );
    let mut bytes = Vec::with_capacity(values.len() * 4);
    for (at, value) in values.into_iter().enumerate() {
        let column = at % columns;
        let pick = |list: &[f32]| list.get(if list.len() == 1 { 0 } else { column }).copied();
        let zero = zeros.get(if zeros.len() == 1 { 0 } else { column }).copied().unwrap_or(0);
        let scale = pick(&scales).context("no scale")?;
        let float = f32::from(value - zero) * scale;
        bytes.extend(float.to_le_bytes());
    }
    Ok(TensorProto {
        name: Some(name.to_owned()),
        dims: weight.dims.clone(),
        data_type: Some(DataType::Float as i32),
        raw_data: Some(bytes),
        ..TensorProto::default()
    })
}

fn integers(tensor: &TensorProto) -> Result<Vec<i16>> {
    let is_signed = tensor.data_type() == DataType::Int8 as i32;
    ensure!(
        is_signed || tensor.data_type() == DataType::Uint8 as i32,
        "{}: not of 8 bits",
        tensor.name()
    );
    if tensor.raw_data().is_empty() {
        return Ok(tensor
            .int32_data
            .iter()
            .map(|value| i16::try_from(*value).unwrap_or(0))
            .collect());
    }
    let convert =
        |byte: &u8| if is_signed { i16::from(byte.cast_signed()) } else { i16::from(*byte) };
    Ok(tensor.raw_data().iter().map(convert).collect())
}

fn float_values(tensor: &TensorProto) -> Result<Vec<f32>> {
    ensure!(tensor.data_type() == DataType::Float as i32, "{}: not a float", tensor.name());
    if tensor.raw_data().is_empty() {
        return Ok(tensor.float_data.clone());
    }
    let (cells, _) = tensor.raw_data().as_chunks::<4>();
    Ok(cells.iter().map(|cell| f32::from_le_bytes(*cell)).collect())
}

/// Gives the attention benches' encoder a head for each signal of the manifest in place of its own.
fn heads(graph: &mut GraphProto, manifest: &Value) -> Result<()> {
    let maker = |graph: &GraphProto, name: &str| -> Result<NodeProto> {
        let found = graph.node.iter().find(|node| node.output.iter().any(|output| output == name));
        found.cloned().with_context(|| format!("nothing makes {name}"))
    };
    let first = |node: &NodeProto| node.input.first().cloned().unwrap_or_default();
    // logits <- Identity <- MatMul <- Div (mean) <- ReduceSum <- Mul <- hidden states.
    let product = maker(graph, &first(&maker(graph, "logits")?))?;
    let mean = first(&product);
    let sum = maker(graph, &first(&maker(graph, &mean)?))?;
    let states = first(&maker(graph, &first(&sum))?);
    let mut random = crate::stats::Random::new(3);
    let mut value = graph.output.first().cloned().context("no output")?;
    graph.output.clear();
    for head in manifest["heads"].as_array().into_iter().flatten() {
        let output = head["output"].as_str().context("a head without an output")?;
        let labels = head["labels"].as_array().map_or(0, Vec::len);
        let token = head["kind"] == "token";
        let weight = format!("{output}_weight");
        let mut bytes = Vec::new();
        for _ in 0..768 * labels {
            // 0 to 0.01 and back: as small as weights are.
            let unit = f32::from(u16::try_from(random.below(1 << 15)).unwrap_or(0)) / 32_768.0;
            bytes.extend(((unit - 0.5) * 0.1).to_le_bytes());
        }
        graph.initializer.push(TensorProto {
            name: Some(weight.clone()),
            dims: vec![768, i64::try_from(labels)?],
            data_type: Some(DataType::Float as i32),
            raw_data: Some(bytes),
            ..TensorProto::default()
        });
        graph.node.push(NodeProto {
            op_type: Some("MatMul".to_owned()),
            name: Some(format!("{output}_head")),
            input: vec![if token { states.clone() } else { mean.clone() }, weight],
            output: vec![output.to_owned()],
            ..NodeProto::default()
        });
        value.name = Some(output.to_owned());
        graph.output.push(value.clone());
    }
    prune(graph);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(kind: DataType, dims: &[i64], raw: Vec<u8>) -> TensorProto {
        TensorProto {
            dims: dims.to_vec(),
            data_type: Some(kind as i32),
            raw_data: Some(raw),
            ..Default::default()
        }
    }

    #[test]
    fn each_column_has_its_own_scale_and_zero() {
        let weight = tensor(DataType::Int8, &[2, 2], vec![1, 2, 255, 4]);
        let scale = tensor(
            DataType::Float,
            &[2],
            [0.5_f32, 2.0].iter().flat_map(|x| x.to_le_bytes()).collect(),
        );
        let zero = tensor(DataType::Int8, &[2], vec![0, 1]);
        let float = floats(&weight, &scale, Some(&zero), "w").unwrap();
        assert_eq!(float_values(&float).unwrap(), [0.5, 2.0, -0.5, 6.0]);
    }

    #[test]
    fn the_layers_of_the_shipped_model_are_counted() {
        let folder = crate::root().join("models/forebay-small");
        let bytes = std::fs::read(folder.join("model.onnx")).unwrap();
        let graph = ModelProto::decode(bytes.as_slice()).unwrap().graph.unwrap();
        let names = graph.initializer.iter().map(|tensor| tensor.name());
        let layers: HashSet<&str> = names
            .filter_map(|name| name.strip_prefix("encoder.layers.")?.split('.').next())
            .collect();
        assert_eq!(layers_of(&folder).unwrap(), layers.len());
    }

    #[test]
    fn the_shipped_model_can_be_had_without_quantisation() {
        let bytes = std::fs::read(crate::root().join("models/forebay-small/model.onnx")).unwrap();
        let mut model = ModelProto::decode(bytes.as_slice()).unwrap();
        let graph = model.graph.as_mut().unwrap();
        dequantise(graph).unwrap();
        let operators: HashSet<&str> = graph.node.iter().map(|node| node.op_type()).collect();
        for gone in ["MatMulInteger", "DynamicQuantizeLinear", "DequantizeLinear"] {
            assert!(!operators.contains(gone), "{gone}");
        }
        // Everything that is used is made or given.
        let made: HashSet<&str> = graph
            .node
            .iter()
            .flat_map(|node| node.output.iter().map(String::as_str))
            .chain(graph.initializer.iter().map(|tensor| tensor.name()))
            .chain(graph.input.iter().map(|value| value.name()))
            .collect();
        for name in graph.node.iter().flat_map(|node| &node.input).filter(|name| !name.is_empty()) {
            assert!(made.contains(name.as_str()), "{name}");
        }
    }
}
