//! The rewriter on every exporter's idea of an encoder, with the real ONNX Runtime.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "test code")]

#[path = "support/runtime.rs"]
mod runtime;

use std::collections::HashSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use onnx_rewrite::onnx::{
    GraphProto, ModelProto, NodeProto, StringStringEntryProto, TensorProto, tensor_proto,
};
use onnx_rewrite::{Error, Meaning, Options, Padded, Precision, Report, Surroundings};
use prost::Message as _;
use runtime::Ort;
use tempfile::TempDir;

const RUNTIME: Ort = Ort { threads: 1 };

fn fixture(name: &str) -> ModelProto {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("onnx-rewrite/fixtures")
        .join(format!("{name}.onnx.gz"));
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(&path).expect("a fixture"))
        .read_to_end(&mut bytes)
        .expect("gzip");
    let model = ModelProto::decode(&*bytes).expect("an ONNX model");
    assert_eq!(model.encoded_len(), bytes.len(), "{name}: the schema keeps every byte");
    model
}

struct Job {
    folder: TempDir,
}

impl Job {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    fn input(&self) -> PathBuf {
        self.folder.path().join("model.onnx")
    }

    fn output(&self) -> PathBuf {
        self.folder.path().join("out/model_fa.onnx")
    }

    fn rewrite(&self, model: &ModelProto, options: &Options) -> Result<Report, Error> {
        std::fs::write(self.input(), model.encode_to_vec()).expect("written");
        onnx_rewrite::rewrite(&self.input(), &self.output(), options, &RUNTIME)
    }

    fn result(&self) -> ModelProto {
        ModelProto::decode(&*std::fs::read(self.output()).expect("an output")).expect("a model")
    }

    /// Files that lie in the output's folder.
    fn left(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.folder.path().join("out")) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

fn graph(model: &ModelProto) -> &GraphProto {
    model.graph.as_ref().expect("a graph")
}

fn count(model: &ModelProto, operator: &str) -> usize {
    graph(model).node.iter().filter(|node| node.op_type() == operator).count()
}

fn assert_ordered(graph: &GraphProto) {
    let mut made: HashSet<&str> = graph.initializer.iter().map(|tensor| tensor.name()).collect();
    made.extend(graph.input.iter().map(|input| input.name()));
    for node in &graph.node {
        for input in node.input.iter().filter(|name| !name.is_empty()) {
            assert!(
                made.contains(input.as_str()),
                "{} uses {input} before it is made",
                node.name()
            );
        }
        made.extend(node.output.iter().map(String::as_str));
    }
}

const GLOBAL: Meaning = Meaning { left: None, right: None, hides_padding: true };
const LOCAL: Meaning = Meaning { left: Some(8), right: Some(8), hides_padding: true };

fn check_flavour(name: &str, layers: &[Meaning], batched: bool, options: &Options) {
    let model = fixture(name);
    let job = Job::new();
    let report =
        job.rewrite(&model, options).unwrap_or_else(|error| panic!("{name}: {}", chain(&error)));
    let meanings: Vec<Meaning> = report.layers.iter().map(|layer| layer.meaning).collect();
    assert_eq!(meanings, layers, "{name}");
    for layer in &report.layers {
        assert!((layer.scale - 1.0 / 32f32.sqrt()).abs() < 1e-6, "{name}: scale {}", layer.scale);
    }
    assert_eq!(report.comparison.batched, batched, "{name}");
    assert!(report.comparison.largest > 0.1, "{name}: logits that say something");
    println!(
        "{name}: {} -> {} nodes, error {:.1e} of {:.2} on {} cases",
        report.nodes_before,
        report.nodes_after,
        report.comparison.error,
        report.comparison.largest,
        report.comparison.cases
    );

    let result = job.result();
    assert_eq!(count(&result, "CKFlashAttention"), layers.len());
    assert_eq!(
        count(&result, "Softmax") + count(&result, "Attention") + count(&result, "IsNaN"),
        0
    );
    assert!(report.nodes_after < report.nodes_before);
    assert_ordered(graph(&result));
    assert!(result.metadata_props.iter().any(|p| p.key() == "forebay.attention.layers"), "{name}");
    // Opset 23 has a node for the rotary embedding, which stays with what is around it.
    let own_node = count(&model, "RotaryEmbedding") > 0;
    let surroundings = if own_node { Surroundings::Kept } else { options.surroundings };
    assert!(report.layers.iter().all(|l| l.surroundings == surroundings), "{name}: {report:?}");
    if surroundings == Surroundings::Fused {
        let left =
            ["Transpose", "Split", "Squeeze", "Neg"].map(|operator| count(&result, operator));
        println!("{name}: transposes, splits, squeezes and negations left: {left:?}");
        assert_eq!(left[0], 0, "{name}");
        assert_eq!(left[3], 0, "{name}");
        assert!(count(&result, "Sum") > 0, "{name}: additions stay apart from their norms");
    }
    let skips =
        graph(&result).node.iter().filter(|n| n.op_type() == "CKFlashAttention").all(|node| {
            node.attribute.iter().any(|a| a.name() == "padded_queries_unused" && a.i() == 1)
        });
    assert!(skips, "{name}: padded queries are left out");
    assert_eq!(job.left(), ["model_fa.onnx"], "{name}: drafts are gone");
    // What was written is what was compared.
    let again =
        onnx_rewrite::compare_files(&job.input(), &job.output(), options, &RUNTIME).expect("runs");
    assert_eq!(again.error.to_bits(), report.comparison.error.to_bits());
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        text = format!("{text}: {error}");
        next = error.source();
    }
    text
}

const MODERNBERT: [Meaning; 3] = [GLOBAL, LOCAL, LOCAL];
const BERT: [Meaning; 2] = [GLOBAL, GLOBAL];

#[test]
fn legacy_exports_of_modernbert_are_rewritten() {
    check_flavour("modernbert-legacy17-sdpa", &MODERNBERT, true, &Options::default());
    check_flavour("modernbert-legacy17-eager", &MODERNBERT, true, &Options::default());
    check_flavour("modernbert-legacy23-sdpa", &MODERNBERT, true, &Options::default());
}

#[test]
fn dynamo_exports_of_modernbert_are_rewritten() {
    check_flavour("modernbert-dynamo18-sdpa", &MODERNBERT, true, &Options::default());
    check_flavour("modernbert-dynamo18-eager", &MODERNBERT, true, &Options::default());
}

#[test]
fn an_opset_23_export_that_runs_single_sequences_only_is_rewritten_and_says_so() {
    check_flavour("modernbert-dynamo23-sdpa", &MODERNBERT, false, &Options::default());
}

#[test]
fn bert_and_xlm_roberta_are_rewritten() {
    // BERT answers from position 0: with padding there its rows could not be left out.
    let right = Options { padding: Padded::Right, ..Options::default() };
    check_flavour("bert-legacy17-sdpa", &BERT, true, &right);
    check_flavour("bert-legacy17-eager", &BERT, true, &right);
    check_flavour("bert-dynamo18-sdpa", &BERT, true, &right);
    check_flavour("xlm-roberta-legacy17-sdpa", &BERT, true, &right);
    check_flavour("xlm-roberta-dynamo18-eager", &BERT, true, &right);
}

/// The model with fp16 weights and activations, as converters make it.
fn in_half_precision(mut model: ModelProto) -> ModelProto {
    const FLOAT: i32 = tensor_proto::DataType::Float as i32;
    const HALF: i32 = tensor_proto::DataType::Float16 as i32;
    let narrow = |tensor: &mut TensorProto| {
        if tensor.data_type() == FLOAT {
            let raw = tensor.raw_data.take().unwrap_or_default();
            let from_raw =
                raw.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            // -inf stays; the lowest fp32 becomes the lowest fp16.
            let halves = from_raw.chain(std::mem::take(&mut tensor.float_data)).map(|x| {
                half::f16::from_f32(if x.is_finite() { x.clamp(-65504.0, 65504.0) } else { x })
            });
            tensor.raw_data = Some(halves.flat_map(half::f16::to_le_bytes).collect());
            tensor.data_type = Some(HALF);
        }
    };
    let graph = model.graph.as_mut().expect("a graph");
    graph.value_info.clear();
    graph.initializer.iter_mut().for_each(narrow);
    for node in &mut graph.node {
        let casts = node.op_type() == "Cast";
        for attribute in &mut node.attribute {
            attribute.t.as_mut().map(narrow);
            if casts && attribute.name() == "to" && attribute.i() == i64::from(FLOAT) {
                attribute.i = Some(i64::from(HALF));
            }
        }
    }
    for output in &mut graph.output {
        if let Some(onnx_rewrite::onnx::type_proto::Value::TensorType(tensor)) =
            output.r#type.as_mut().and_then(|t| t.value.as_mut())
        {
            tensor.elem_type = Some(HALF);
        }
    }
    model
}

#[test]
fn half_precision_graphs_are_rewritten_and_keep_what_is_around_attention() {
    // The HIP back end wants heads first; half precision is its business.
    for (name, layers) in
        [("modernbert-dynamo18-eager", &MODERNBERT[..]), ("bert-legacy17-sdpa", &BERT[..])]
    {
        let model = in_half_precision(fixture(name));
        let job = Job::new();
        let options =
            Options { tolerance: Some(2e-2), padding: Padded::Right, ..Options::default() };
        let report = job
            .rewrite(&model, &options)
            .unwrap_or_else(|error| panic!("{name}: {}", chain(&error)));
        let meanings: Vec<Meaning> = report.layers.iter().map(|layer| layer.meaning).collect();
        assert_eq!(meanings, layers, "{name}");
        assert!(report.layers.iter().all(|l| l.surroundings == Surroundings::Kept), "{name}");
        let result = job.result();
        assert_eq!(count(&result, "CKFlashAttention"), layers.len(), "{name}");
        assert_eq!(count(&result, "Softmax"), 0, "{name}");
        let casts = |model: &ModelProto| count(model, "Cast");
        assert!(casts(&result) <= casts(&model) + 1, "{name}: no casts around the operator");
    }
}

#[test]
fn what_is_around_attention_stays_where_the_caller_wants_that() {
    let kept = Options { surroundings: Surroundings::Kept, ..Options::default() };
    check_flavour("modernbert-legacy17-sdpa", &MODERNBERT, true, &kept);
    check_flavour("modernbert-dynamo18-eager", &MODERNBERT, true, &kept);
    let right = Options { padding: Padded::Right, ..kept };
    check_flavour("bert-dynamo18-sdpa", &BERT, true, &right);
}

#[test]
fn an_embedding_that_turns_the_other_way_is_left_in_the_graph() {
    // x cos + (x2, -x1) sin: halves exchanged with the other sign. Read off the graph or found out by comparing, the
    // result is a model that gives the old answers.
    let mut model = fixture("modernbert-dynamo18-sdpa");
    let concat = model
        .graph
        .as_mut()
        .expect("a graph")
        .node
        .iter_mut()
        .filter(|node| node.op_type() == "Concat" && node.input.len() == 2)
        .find(|node| node.input[0].contains("neg"))
        .expect("the turned halves");
    concat.input.swap(0, 1);
    let report = Job::new().rewrite(&model, &Options::default()).expect("rewritten");
    let kept = report.layers.iter().filter(|l| l.surroundings == Surroundings::Kept).count();
    assert_eq!(kept, 1, "{report:?}");
}

#[test]
fn parts_of_a_joint_projection_in_another_order_are_told_apart() {
    // The operator takes a joint tensor as Q, K, V; with K and V exchanged each part has to be named.
    let mut model = fixture("modernbert-legacy17-sdpa");
    let split = node_mut(&mut model, "Split", 0);
    assert_eq!(split.output.len(), 3);
    split.output.swap(1, 2);
    let report = Job::new().rewrite(&model, &Options::default()).expect("rewritten");
    assert!(report.layers.iter().all(|l| l.surroundings == Surroundings::Fused), "{report:?}");
}

fn refused(model: &ModelProto) -> String {
    let job = Job::new();
    let error = job.rewrite(model, &Options::default()).expect_err("refused");
    assert!(job.left().is_empty(), "nothing is left behind: {:?}", job.left());
    chain(&error)
}

fn node_mut<'m>(model: &'m mut ModelProto, operator: &str, nth: usize) -> &'m mut NodeProto {
    model
        .graph
        .as_mut()
        .expect("a graph")
        .node
        .iter_mut()
        .filter(|node| node.op_type() == operator)
        .nth(nth)
        .expect("such a node")
}

#[test]
fn either_order_of_the_masks_addition_will_do() {
    let mut model = fixture("modernbert-legacy17-eager");
    let softmax_input = graph(&model)
        .node
        .iter()
        .filter(|n| n.op_type() == "Softmax")
        .map(|n| n.input[0].clone())
        .nth(1);
    let add = model
        .graph
        .as_mut()
        .expect("a graph")
        .node
        .iter_mut()
        .find(|node| node.output.first() == softmax_input.as_ref())
        .expect("the addition");
    assert_eq!(add.op_type(), "Add");
    add.input.swap(0, 1);
    let report = Job::new().rewrite(&model, &Options::default()).expect("rewritten");
    assert_eq!(report.layers[1].meaning, LOCAL);
}

#[test]
fn rows_of_padded_positions_are_computed_where_the_answer_is_read_off_one() {
    let job = Job::new();
    job.rewrite(&fixture("bert-legacy17-sdpa"), &Options::default()).expect("rewritten");
    for node in graph(&job.result()).node.iter().filter(|node| node.op_type() == "CKFlashAttention")
    {
        assert!(node.attribute.iter().any(|a| a.name() == "padded_queries_unused" && a.i() == 0));
    }
}

#[test]
fn names_do_not_matter() {
    let mut model = fixture("modernbert-legacy17-sdpa");
    let graph = model.graph.as_mut().expect("a graph");
    let kept: HashSet<String> =
        graph.input.iter().chain(&graph.output).map(|value| value.name().to_owned()).collect();
    let rename = |name: &mut String| {
        if !name.is_empty() && !kept.contains(name) {
            let mut hash = std::hash::DefaultHasher::new();
            std::hash::Hash::hash(name, &mut hash);
            *name = format!("t{:x}", std::hash::Hasher::finish(&hash));
        }
    };
    for node in &mut graph.node {
        node.name = None;
        node.input.iter_mut().chain(&mut node.output).for_each(rename);
    }
    for tensor in &mut graph.initializer {
        tensor.name.as_mut().map(rename);
    }
    graph.value_info.clear();
    let report = Job::new().rewrite(&model, &Options::default()).expect("rewritten");
    assert_eq!(report.layers.iter().map(|layer| layer.meaning).collect::<Vec<_>>(), MODERNBERT);
}

#[test]
fn a_layer_that_does_not_match_refuses_the_whole_model() {
    let mut model = fixture("bert-legacy17-eager");
    node_mut(&mut model, "Softmax", 1).attribute[0].i = Some(1);
    let message = refused(&model);
    assert!(message.contains("Softmax over axis 1"), "{message}");
}

#[test]
fn an_operation_on_the_scores_is_refused() {
    let mut model = fixture("bert-legacy17-eager");
    let scores =
        graph(&model).node.iter().find(|n| n.op_type() == "Softmax").expect("one").input[0].clone();
    let graph = model.graph.as_mut().expect("a graph");
    let at = graph.node.iter().position(|node| node.op_type() == "Softmax").expect("one");
    graph.node[at].input[0] = "capped".to_owned();
    graph.node.insert(
        at,
        NodeProto {
            op_type: Some("Tanh".to_owned()),
            input: vec![scores],
            output: vec!["capped".to_owned()],
            ..NodeProto::default()
        },
    );
    let message = refused(&model);
    assert!(message.contains("Tanh") && message.contains("acts on the scores"), "{message}");
}

#[test]
fn probabilities_that_are_used_elsewhere_are_refused() {
    let mut model = fixture("bert-legacy17-eager");
    let probabilities =
        graph(&model).node.iter().find(|n| n.op_type() == "Softmax").expect("one").output[0]
            .clone();
    model.graph.as_mut().expect("a graph").node.push(NodeProto {
        op_type: Some("Identity".to_owned()),
        input: vec![probabilities],
        output: vec!["seen".to_owned()],
        ..NodeProto::default()
    });
    let message = refused(&model);
    assert!(message.contains("the probabilities go to MatMul, Identity"), "{message}");
}

#[test]
fn a_guard_that_is_no_guard_is_refused() {
    let mut model = fixture("bert-legacy17-sdpa");
    // Where(isnan, 0, p) becomes Where(isnan, p, 0).
    let guard =
        graph(&model).node.iter().find(|n| n.op_type() == "IsNaN").expect("one").output[0].clone();
    let node = model
        .graph
        .as_mut()
        .expect("a graph")
        .node
        .iter_mut()
        .find(|node| node.op_type() == "Where" && node.input[0] == guard)
        .expect("the guard");
    node.input.swap(1, 2);
    let message = refused(&model);
    assert!(message.contains("is no guard against NaN"), "{message}");
}

/// Replaces the float constants `from` of the graph's Constant nodes and initializers.
fn replace_float(model: &mut ModelProto, from: f32, to: f32) -> usize {
    let graph = model.graph.as_mut().expect("a graph");
    let constants =
        graph.node.iter_mut().flat_map(|node| &mut node.attribute).filter_map(|a| a.t.as_mut());
    let mut replaced = 0;
    for tensor in graph.initializer.iter_mut().chain(constants) {
        if tensor.raw_data.as_deref() == Some(&from.to_le_bytes()) {
            tensor.raw_data = Some(to.to_le_bytes().to_vec());
            replaced += 1;
        }
    }
    replaced
}

#[test]
fn a_mask_of_other_values_is_refused() {
    let mut model = fixture("bert-legacy17-eager");
    assert!(replace_float(&mut model, f32::MIN, -5.0) > 0);
    let message = refused(&model);
    assert!(message.contains("it adds -5"), "{message}");
}

#[test]
fn a_mask_that_hides_by_minus_ten_thousand_is_a_mask() {
    let mut model = fixture("bert-legacy17-eager");
    assert!(replace_float(&mut model, f32::MIN, -1e4) > 0);
    let report = Job::new().rewrite(&model, &Options::default()).expect("rewritten");
    assert_eq!(report.layers[0].meaning, GLOBAL);
}

#[test]
fn a_mask_that_is_no_band_is_refused() {
    // |i - j| <= 8 becomes |i - j| >= 8: the far keys instead of the near.
    let mut model = fixture("modernbert-legacy17-sdpa");
    let node = node_mut(&mut model, "LessOrEqual", 0);
    node.op_type = Some("GreaterOrEqual".to_owned());
    let message = refused(&model);
    assert!(message.contains("is not understood"), "{message}");
}

#[test]
fn a_model_whose_logits_change_is_not_written() {
    // No two kernels agree to a part in 10^12, so this tolerance stands for any real difference.
    let model = fixture("bert-legacy17-eager");
    let job = Job::new();
    let strict = Options { tolerance: Some(1e-12), ..Options::default() };
    let error = job.rewrite(&model, &strict).expect_err("refused");
    assert!(matches!(error, Error::Different { .. }), "{error}");
    assert!(error.to_string().contains("positions"), "{error}");
    assert!(job.left().is_empty(), "{:?}", job.left());
}

#[test]
fn a_model_without_attention_is_refused() {
    let mut model = fixture("bert-legacy17-eager");
    model.graph.as_mut().expect("a graph").node.retain(|node| node.op_type() != "Softmax");
    let message = refused(&model);
    assert!(message.contains("no attention found"), "{message}");
}

#[test]
fn a_rewritten_model_is_not_rewritten_again() {
    let job = Job::new();
    job.rewrite(&fixture("bert-legacy17-sdpa"), &Options::default()).expect("rewritten");
    let message = refused(&job.result());
    assert!(message.contains("is a CKFlashAttention already"), "{message}");
}

#[test]
fn fields_from_the_future_are_not_lost_in_silence() {
    let mut bytes = fixture("bert-legacy17-sdpa").encode_to_vec();
    // Field 1000, varint 1.
    bytes.extend([0xc0, 0x3e, 0x01]);
    let job = Job::new();
    std::fs::write(job.input(), bytes).expect("written");
    let error = onnx_rewrite::rewrite(&job.input(), &job.output(), &Options::default(), &RUNTIME)
        .expect_err("refused");
    assert!(matches!(error, Error::UnknownFields { lost: 3, .. }), "{error}");
}

#[test]
fn garbage_is_no_model() {
    let job = Job::new();
    std::fs::write(job.input(), [0xff; 40]).expect("written");
    let error = onnx_rewrite::rewrite(&job.input(), &job.output(), &Options::default(), &RUNTIME)
        .expect_err("refused");
    assert!(matches!(error, Error::Decode { .. }), "{error}");
}

#[test]
fn a_model_without_the_mask_input_says_which_it_wants() {
    let options = Options { mask_input: "mask".to_owned(), ..Options::default() };
    let error = Job::new().rewrite(&fixture("bert-legacy17-sdpa"), &options).expect_err("refused");
    let wanted = "graph input mask: there is no such input to tell tokens from padding; there are input_ids, attention_mask";
    assert_eq!(error.to_string(), wanted);
}

#[test]
fn bf16_products_stay_within_their_own_bound() {
    // The fixtures' scores reach 30, where bfloat16 is off by a tenth: real encoders have a tenth of that.
    let options = Options { allow_bf16: true, tolerance: Some(0.05), ..Options::default() };
    let job = Job::new();
    let report = job.rewrite(&fixture("modernbert-legacy17-sdpa"), &options).expect("rewritten");
    println!("bf16: error {:.1e} of {:.2}", report.comparison.error, report.comparison.largest);
    let allowed = graph(&job.result())
        .node
        .iter()
        .filter(|node| node.op_type() == "CKFlashAttention")
        .all(|node| node.attribute.iter().any(|a| a.name() == "allow_bf16" && a.i() == 1));
    assert!(allowed);
}

#[test]
fn attention_in_half_precision_is_put_between_casts() {
    let options = Options { precision: Precision::Float16, ..Options::default() };
    for name in ["modernbert-dynamo18-eager", "bert-legacy17-eager"] {
        let job = Job::new();
        let report = job
            .rewrite(&fixture(name), &options)
            .unwrap_or_else(|error| panic!("{name}: {}", chain(&error)));
        assert!(report.comparison.error > 1e-5, "{name}: half precision shows");
        assert_eq!(count(&job.result(), "CKFlashAttention"), report.layers.len());
        let result = job.result();
        assert_ordered(graph(&result));
        for node in graph(&result).node.iter().filter(|node| node.op_type() == "CKFlashAttention") {
            let made = |name: &String| {
                graph(&result).node.iter().find(|n| n.output.contains(name)).expect("made")
            };
            for input in &node.input[..3] {
                let cast = made(input);
                assert_eq!((cast.op_type(), cast.attribute[0].i()), ("Cast", 10), "{input}");
            }
        }
    }
}

/// Moves every initializer of some size to one file.
fn externalise(model: &mut ModelProto, file: &str) -> Vec<u8> {
    let mut data = Vec::new();
    let entry = |key: &str, value: String| StringStringEntryProto {
        key: Some(key.to_owned()),
        value: Some(value),
    };
    let large =
        |tensor: &&mut TensorProto| tensor.raw_data.as_ref().is_some_and(|raw| raw.len() > 512);
    for tensor in model.graph.as_mut().expect("a graph").initializer.iter_mut().filter(large) {
        let raw = tensor.raw_data.take().expect("raw data");
        tensor.external_data = vec![
            entry("location", file.to_owned()),
            entry("offset", data.len().to_string()),
            entry("length", raw.len().to_string()),
        ];
        tensor.data_location = Some(tensor_proto::DataLocation::External as i32);
        data.extend(raw);
    }
    assert!(!data.is_empty());
    data
}

#[test]
fn external_data_stays_external_and_comes_along() {
    let mut model = fixture("modernbert-dynamo18-sdpa");
    let data = externalise(&mut model, "weights.bin");
    let job = Job::new();
    std::fs::write(job.folder.path().join("weights.bin"), &data).expect("written");
    job.rewrite(&model, &Options::default()).expect("rewritten");
    assert_eq!(job.left(), ["model_fa.onnx", "weights.bin"]);
    assert!(std::fs::metadata(job.output()).expect("an output").len() < 200_000);
    assert_eq!(std::fs::read(job.folder.path().join("out/weights.bin")).expect("data"), data);
    // Again, over the first result: the data is there and is the same.
    job.rewrite(&model, &Options::default()).expect("rewritten");
    // Other data under that name is not trusted.
    std::fs::remove_file(job.folder.path().join("out/weights.bin")).expect("removed");
    std::fs::write(job.folder.path().join("out/weights.bin"), b"other").expect("written");
    let error = job.rewrite(&model, &Options::default()).expect_err("refused");
    assert!(chain(&error).contains("other data of this name"), "{}", chain(&error));
}

#[test]
fn external_data_elsewhere_is_not_followed() {
    for location in ["../weights.bin", "/etc/passwd", "a/b.bin", ""] {
        let mut model = fixture("modernbert-dynamo18-sdpa");
        externalise(&mut model, location);
        let error = Job::new().rewrite(&model, &Options::default()).expect_err("refused");
        assert!(matches!(error, Error::ExternalData { .. }), "{error}");
    }
}
