//! Builds the rewritten model: new nodes in place of the old, dead ones gone, order kept.

use std::collections::{HashMap, HashSet};

use crate::compare::Comparison;
use crate::error::Error;
use crate::find::Block;
use crate::fuse::{self, Fused};
use crate::graph::Index;
use crate::mask::Meaning;
use crate::model;
use crate::nodes;
use crate::onnx::{
    GraphProto, ModelProto, NodeProto, OperatorSetIdProto, StringStringEntryProto, TensorProto,
    tensor_proto::DataType,
};
use crate::{DOMAIN, Layer, OPERATOR, Options, Padded, Precision, Surroundings};

impl ModelProto {
    /// Everything but the graph, which is large.
    pub(crate) fn clone_without_graph(&self) -> Self {
        Self {
            ir_version: self.ir_version,
            opset_import: self.opset_import.clone(),
            producer_name: self.producer_name.clone(),
            producer_version: self.producer_version.clone(),
            domain: self.domain.clone(),
            model_version: self.model_version,
            doc_string: self.doc_string.clone(),
            graph: None,
            metadata_props: self.metadata_props.clone(),
            training_info: self.training_info.clone(),
            functions: self.functions.clone(),
            configuration: self.configuration.clone(),
        }
    }
}

/// Prefix of the tensors and nodes that are added.
const PREFIX: &str = "forebay_ck";

/// What happens to the rows of padded positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaddedQueries {
    /// Nothing uses them: they may be left out.
    Skip,
    /// They are computed as any other.
    Compute,
}

/// The model with its blocks replaced.
pub(crate) fn apply(
    model: &ModelProto,
    blocks: &[Block],
    meanings: &[Meaning],
    options: &Options,
    surroundings: Surroundings,
    padded_queries: PaddedQueries,
) -> Result<(ModelProto, Vec<Layer>), Error> {
    let graph = model::graph(model)?;
    let opset = model
        .opset_import
        .iter()
        .find(|set| matches!(set.domain(), "" | "ai.onnx"))
        .map_or(0, |s| s.version());
    let index = Index::new(graph);
    let mut bias =
        Bias { opset, mask: &options.mask_input, nodes: Vec::new(), constants: Vec::new() };
    let mut layers = Vec::with_capacity(blocks.len());
    let mut nodes: Vec<NodeProto> = Vec::with_capacity(graph.node.len());
    let mut next = blocks.iter().zip(meanings).enumerate().collect::<Vec<_>>();
    next.sort_by_key(|(_, (block, _))| block.last);
    let mut next = next.into_iter().peekable();
    let around = around(&index, blocks, surroundings);
    let mut around_nodes = Around::new(&around);
    for (i, node) in graph.node.iter().enumerate() {
        let Some((number, (block, meaning))) = next.next_if(|(_, (block, _))| block.last == i)
        else {
            around_nodes.pass(i, node, &mut nodes);
            continue;
        };
        let own = index.float_type(&block.q).unwrap_or(DataType::Float);
        let wanted = match options.precision {
            Precision::AsModel => own,
            Precision::Float16 => DataType::Float16,
        };
        let name = |part: &str| format!("{PREFIX}_{part}_{number}");
        let mut k = block.k.clone();
        if let Some(order) = block.k_order.filter(|_| around[number].is_none()) {
            nodes.push(nodes::transpose(&k, &name("k"), order));
            k = name("k");
        }
        let fused = around[number].as_ref();
        let mut input = vec![block.q.clone(), k, block.v.clone()];
        let mut output = block.out.clone();
        if let Some(fused) = fused {
            input.clone_from(&fused.sources);
            // Absent K and V have empty names.
            input.resize(3, String::new());
            output.clone_from(&fused.out);
        } else if wanted != own {
            for (tensor, part) in input.iter_mut().zip(["q_cast", "k_cast", "v_cast"]) {
                nodes.push(nodes::cast(tensor, &name(part), wanted));
                *tensor = name(part);
            }
            output = name("out");
        }
        input.push(if meaning.hides_padding { bias.of(wanted) } else { String::new() });
        input.extend(fused.and_then(|fused| fused.rotary.clone()).into_iter().flatten());
        // Only inputs in the middle may have no name.
        while input.last().is_some_and(String::is_empty) {
            input.pop();
        }
        #[allow(clippy::cast_possible_truncation, reason = "a scale fits fp32")]
        let scale = block.scale as f32;
        nodes.push(NodeProto {
            op_type: Some(OPERATOR.to_owned()),
            domain: Some(DOMAIN.to_owned()),
            name: Some(name("attention")),
            input,
            output: vec![output.clone()],
            attribute: vec![
                nodes::float("scale", scale),
                nodes::int("window_size_left", side(meaning.left)),
                nodes::int("window_size_right", side(meaning.right)),
                nodes::int(
                    "padded_queries_unused",
                    i64::from(padded_queries == PaddedQueries::Skip),
                ),
                nodes::int("allow_bf16", i64::from(options.allow_bf16)),
                nodes::int("tokens_first", i64::from(fused.is_some())),
            ],
            ..NodeProto::default()
        });
        if fused.is_none() && output != block.out {
            nodes.push(nodes::cast(&output, &block.out, own));
        }
        layers.push(Layer {
            replaced: node.name().to_owned(),
            scale,
            meaning: *meaning,
            surroundings: fused.map_or(Surroundings::Kept, |_| Surroundings::Fused),
        });
    }

    let mut rewritten = graph.clone();
    // The bias depends on a graph input alone, so it may come first.
    rewritten.node = bias.nodes;
    rewritten.node.append(&mut nodes);
    rewritten.initializer.append(&mut bias.constants);
    rewritten.initializer.extend(around_nodes.constant());
    remove_dead(&mut rewritten);
    if around.iter().any(Option::is_some) && opset >= 8 {
        separate_norms(&mut rewritten);
    }
    let mut result = model.clone_without_graph();
    result
        .opset_import
        .push(OperatorSetIdProto { domain: Some(DOMAIN.to_owned()), version: Some(1) });
    result.graph = Some(rewritten);
    Ok((result, layers))
}

/// Each block's surroundings, where they are to be fused and can be. The operator does them in fp32.
fn around(index: &Index<'_>, blocks: &[Block], surroundings: Surroundings) -> Vec<Option<Fused>> {
    let one = |block: &Block| match surroundings {
        Surroundings::Fused if index.float_type(&block.q) == Some(DataType::Float) => {
            fuse::around(index, block)
        }
        Surroundings::Fused | Surroundings::Kept => None,
    };
    blocks.iter().map(one).collect()
}

/// The nodes that are neither attention nor untouched.
struct Around<'a> {
    transposes: HashSet<usize>,
    shapes: HashMap<usize, &'a str>,
    used: bool,
}

impl<'a> Around<'a> {
    fn new(all: &'a [Option<Fused>]) -> Self {
        let fused = || all.iter().flatten();
        Self {
            transposes: fused().map(|fused| fused.transpose).collect(),
            shapes: fused()
                .flat_map(|fused| fused.shapes.iter().map(|(i, source)| (*i, source.as_str())))
                .collect(),
            used: false,
        }
    }

    fn exchange() -> String {
        format!("{PREFIX}_heads_first")
    }

    /// Puts a node of the old graph into the new one, as it has to be there.
    fn pass(&mut self, i: usize, node: &NodeProto, nodes: &mut Vec<NodeProto>) {
        if self.transposes.contains(&i) {
            return;
        }
        let (Some(source), Some(output)) = (self.shapes.get(&i), node.output.first()) else {
            nodes.push(node.clone());
            return;
        };
        // The shape of what was transposed, from that of what is left.
        let shape = format!("{PREFIX}_shape_{i}");
        nodes.push(nodes::plain("Shape", &[(*source).to_owned()], &shape));
        nodes.push(nodes::plain("Gather", &[shape, Self::exchange()], output));
        self.used = true;
    }

    /// What the nodes need.
    fn constant(&self) -> Option<TensorProto> {
        let bytes = fuse::EXCHANGE.iter().flat_map(|axis| axis.to_le_bytes()).collect();
        self.used.then(|| nodes::constant(&Self::exchange(), DataType::Int64, vec![4], bytes))
    }
}

#[allow(clippy::cast_possible_wrap, reason = "a window is at most a few thousand keys")]
fn side(side: Option<usize>) -> i64 {
    side.map_or(-1, |keys| keys as i64)
}

/// `[batch, 1, 1, keys]`: 0 for tokens and the lowest value for padding, once per element type.
struct Bias<'a> {
    opset: i64,
    mask: &'a str,
    nodes: Vec<NodeProto>,
    constants: Vec<TensorProto>,
}

impl Bias<'_> {
    /// The tensor's name; its nodes are added at the first call.
    #[allow(clippy::wildcard_enum_match_arm, reason = "24 element types; the operator has three")]
    fn of(&mut self, element: DataType) -> String {
        let name = |part: &str| format!("{PREFIX}_{part}_{}", element.as_str_name().to_lowercase());
        let result = name("key_bias");
        if self.nodes.iter().any(|node| node.output.contains(&result)) {
            return result;
        }
        // In 16 bits -inf is the lowest value that every back end takes as hidden; fp32 has room above it.
        let (kept, hidden) = match element {
            DataType::Float16 => (vec![0, 0], 0xfc00u16.to_le_bytes().to_vec()),
            DataType::Bfloat16 => (vec![0, 0], 0xff80u16.to_le_bytes().to_vec()),
            _ => (vec![0; 4], f32::MIN.to_le_bytes().to_vec()),
        };
        self.constants.push(nodes::constant(&name("kept"), element, Vec::new(), kept));
        self.constants.push(nodes::constant(&name("hidden"), element, Vec::new(), hidden));
        self.nodes.push(nodes::cast(self.mask, &name("tokens"), DataType::Bool));
        let choice = [name("tokens"), name("kept"), name("hidden")];
        self.nodes.push(nodes::plain("Where", &choice, &name("bias")));
        // Axes became an input with opset 13.
        if self.opset >= 13 {
            let axes = [1i64, 2].iter().flat_map(|axis| axis.to_le_bytes()).collect();
            self.constants.push(nodes::constant(&name("axes"), DataType::Int64, vec![2], axes));
            self.nodes.push(nodes::plain("Unsqueeze", &[name("bias"), name("axes")], &result));
        } else {
            let mut node = nodes::plain("Unsqueeze", &[name("bias")], &result);
            node.attribute.push(nodes::ints("axes", &[1, 2]));
            self.nodes.push(node);
        }
        result
    }
}

/// Writes the additions before layer norms as Sum, so that ONNX Runtime does not fuse the two: on CPU its SkipLayerNormalization
/// takes three times as long as its LayerNormalization and a Sum (512 x 384: 0.9 ms against 0.3 ms). Sum came to broadcast
/// with opset 8.
fn separate_norms(graph: &mut GraphProto) {
    let normed: HashSet<String> = graph
        .node
        .iter()
        .filter(|node| node.op_type() == "LayerNormalization")
        .filter_map(|node| node.input.first().cloned())
        .collect();
    for node in &mut graph.node {
        let feeds = node.output.first().is_some_and(|output| normed.contains(output));
        if feeds && node.op_type() == "Add" && matches!(node.domain(), "" | "ai.onnx") {
            node.op_type = Some("Sum".to_owned());
        }
    }
}

/// Removes nodes, constants and type notes that no output needs. The order of what stays does not change.
fn remove_dead(graph: &mut GraphProto) {
    let needed = {
        let index = Index::new(graph);
        index.ancestors(graph.output.iter().map(|output| output.name()))
    };
    let mut i = 0;
    graph.node.retain(|_| {
        i += 1;
        needed.nodes.contains(&(i - 1))
    });
    graph.initializer.retain(|tensor| needed.tensors.contains(tensor.name()));
    graph.sparse_initializer.retain(|tensor| {
        tensor.values.as_ref().is_some_and(|values| needed.tensors.contains(values.name()))
    });
    let made: HashSet<&str> =
        graph.node.iter().flat_map(|node| &node.output).map(String::as_str).collect();
    graph.value_info.retain(|value| made.contains(value.name()));
}

/// Says in the model what was done to it.
pub(crate) fn with_metadata(
    mut model: ModelProto,
    layers: &[Layer],
    comparison: &Comparison,
    options: &Options,
) -> ModelProto {
    let show =
        |side: Option<usize>| side.map_or_else(|| "open".to_owned(), |keys| keys.to_string());
    let windows: Vec<String> = layers
        .iter()
        .map(|l| format!("{}/{}", show(l.meaning.left), show(l.meaning.right)))
        .collect();
    for (key, value) in [
        ("forebay.attention", format!("{DOMAIN}::{OPERATOR}")),
        ("forebay.attention.layers", layers.len().to_string()),
        ("forebay.attention.windows", windows.join(" ")),
        (
            "forebay.attention.fused_layers",
            layers.iter().filter(|l| l.surroundings == Surroundings::Fused).count().to_string(),
        ),
        (
            "forebay.attention.padding",
            match options.padding {
                Padded::Either => "either end".to_owned(),
                Padded::Right => "right end".to_owned(),
            },
        ),
        (
            "forebay.attention.precision",
            match options.precision {
                Precision::AsModel => "as the model".to_owned(),
                Precision::Float16 => "float16".to_owned(),
            },
        ),
        ("forebay.attention.rewriter", env!("CARGO_PKG_VERSION").to_owned()),
        ("forebay.attention.largest_logit_error", format!("{:e}", comparison.error)),
        ("forebay.attention.own_noise", format!("{:e}", comparison.noise)),
        ("forebay.attention.compared_on", comparison.cases.to_string()),
    ] {
        model
            .metadata_props
            .push(StringStringEntryProto { key: Some(key.to_owned()), value: Some(value) });
    }
    model
}
