//! Builds the rewritten model: new nodes in place of the old, dead ones gone, order kept.

use std::collections::HashSet;

use crate::compare::Comparison;
use crate::error::Error;
use crate::find::Block;
use crate::graph::Index;
use crate::mask::Meaning;
use crate::model;
use crate::onnx::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, StringStringEntryProto,
    TensorProto, attribute_proto::AttributeType, tensor_proto::DataType,
};
use crate::{DOMAIN, Layer, OPERATOR, Options, Padded};

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
    padded_queries: PaddedQueries,
) -> Result<(ModelProto, Vec<Layer>), Error> {
    let graph = model::graph(model)?;
    let opset = model
        .opset_import
        .iter()
        .find(|set| matches!(set.domain(), "" | "ai.onnx"))
        .map_or(0, |s| s.version());
    let mut added = Vec::new();
    let mut constants = Vec::new();
    let bias = if meanings.iter().any(|meaning| meaning.hides_padding) {
        key_bias(opset, options, &mut added, &mut constants)
    } else {
        String::new()
    };

    let mut layers = Vec::with_capacity(blocks.len());
    let mut nodes: Vec<NodeProto> = added;
    let mut next = blocks.iter().zip(meanings).enumerate().collect::<Vec<_>>();
    next.sort_by_key(|(_, (block, _))| block.last);
    let mut next = next.into_iter().peekable();
    for (i, node) in graph.node.iter().enumerate() {
        let Some((number, (block, meaning))) = next.next_if(|(_, (block, _))| block.last == i)
        else {
            nodes.push(node.clone());
            continue;
        };
        let mut k = block.k.clone();
        if let Some(order) = block.k_order {
            let transposed = format!("{PREFIX}_k_{number}");
            nodes.push(NodeProto {
                op_type: Some("Transpose".to_owned()),
                name: Some(transposed.clone()),
                input: vec![k],
                output: vec![transposed.clone()],
                attribute: vec![AttributeProto {
                    name: Some("perm".to_owned()),
                    r#type: Some(AttributeType::Ints as i32),
                    ints: order.to_vec(),
                    ..AttributeProto::default()
                }],
                ..NodeProto::default()
            });
            k = transposed;
        }
        let mut input = vec![block.q.clone(), k, block.v.clone()];
        if meaning.hides_padding {
            input.push(bias.clone());
        }
        #[allow(clippy::cast_possible_truncation, reason = "a scale fits fp32")]
        let scale = block.scale as f32;
        nodes.push(NodeProto {
            op_type: Some(OPERATOR.to_owned()),
            domain: Some(DOMAIN.to_owned()),
            name: Some(format!("{PREFIX}_attention_{number}")),
            input,
            output: vec![block.out.clone()],
            attribute: vec![
                float("scale", scale),
                int("window_size_left", side(meaning.left)),
                int("window_size_right", side(meaning.right)),
                int("padded_queries_unused", i64::from(padded_queries == PaddedQueries::Skip)),
                int("allow_bf16", i64::from(options.allow_bf16)),
            ],
            ..NodeProto::default()
        });
        layers.push(Layer { replaced: node.name().to_owned(), scale, meaning: *meaning });
    }

    let mut rewritten = graph.clone();
    rewritten.node = nodes;
    rewritten.initializer.extend(constants);
    remove_dead(&mut rewritten);
    let mut result = model.clone_without_graph();
    result
        .opset_import
        .push(OperatorSetIdProto { domain: Some(DOMAIN.to_owned()), version: Some(1) });
    result.graph = Some(rewritten);
    Ok((result, layers))
}

#[allow(clippy::cast_possible_wrap, reason = "a window is at most a few thousand keys")]
fn side(side: Option<usize>) -> i64 {
    side.map_or(-1, |keys| keys as i64)
}

fn float(name: &str, value: f32) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        r#type: Some(AttributeType::Float as i32),
        f: Some(value),
        ..AttributeProto::default()
    }
}

fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        r#type: Some(AttributeType::Int as i32),
        i: Some(value),
        ..AttributeProto::default()
    }
}

/// `[batch, 1, 1, keys]`: 0 for tokens, the lowest float for padding.
fn key_bias(
    opset: i64,
    options: &Options,
    nodes: &mut Vec<NodeProto>,
    constants: &mut Vec<TensorProto>,
) -> String {
    let mask = &options.mask_input;
    let scalar = |name: &str, value: f32| TensorProto {
        name: Some(format!("{PREFIX}_{name}")),
        data_type: Some(DataType::Float as i32),
        raw_data: Some(value.to_le_bytes().to_vec()),
        ..TensorProto::default()
    };
    constants.push(scalar("kept", 0.0));
    constants.push(scalar("hidden", f32::MIN));
    let name = |part: &str| format!("{PREFIX}_{part}");
    let node = |operator: &str,
                input: Vec<String>,
                output: &str,
                attribute: Vec<AttributeProto>| NodeProto {
        op_type: Some(operator.to_owned()),
        name: Some(name(output)),
        input,
        output: vec![name(output)],
        attribute,
        ..NodeProto::default()
    };
    let bool_type = DataType::Bool as i32;
    nodes.push(node("Cast", vec![mask.clone()], "tokens", vec![int("to", i64::from(bool_type))]));
    nodes.push(node(
        "Where",
        vec![name("tokens"), name("kept"), name("hidden")],
        "bias",
        Vec::new(),
    ));
    // Axes became an input with opset 13.
    if opset >= 13 {
        constants.push(TensorProto {
            name: Some(name("axes")),
            dims: vec![2],
            data_type: Some(DataType::Int64 as i32),
            raw_data: Some([1i64, 2].iter().flat_map(|axis| axis.to_le_bytes()).collect()),
            ..TensorProto::default()
        });
        nodes.push(node("Unsqueeze", vec![name("bias"), name("axes")], "key_bias", Vec::new()));
    } else {
        let axes = AttributeProto {
            name: Some("axes".to_owned()),
            r#type: Some(AttributeType::Ints as i32),
            ints: vec![1, 2],
            ..AttributeProto::default()
        };
        nodes.push(node("Unsqueeze", vec![name("bias")], "key_bias", vec![axes]));
    }
    name("key_bias")
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
            "forebay.attention.padding",
            match options.padding {
                Padded::Either => "either end".to_owned(),
                Padded::Right => "right end".to_owned(),
            },
        ),
        ("forebay.attention.rewriter", env!("CARGO_PKG_VERSION").to_owned()),
        ("forebay.attention.largest_logit_error", format!("{:e}", comparison.error)),
        ("forebay.attention.compared_on", comparison.cases.to_string()),
    ] {
        model
            .metadata_props
            .push(StringStringEntryProto { key: Some(key.to_owned()), value: Some(value) });
    }
    model
}
