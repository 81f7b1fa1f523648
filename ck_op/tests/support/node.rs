//! A model of the one node, and a run of it.

#![allow(dead_code, reason = "each test binary uses its part")]

use onnx_rewrite::onnx::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TypeProto,
    ValueInfoProto, attribute_proto::AttributeType, tensor_proto::DataType, type_proto,
};
use ort::session::Session;
use ort::value::{PrimitiveTensorElementType, Tensor};
use prost::Message as _;

fn attribute(name: &str, value: f64) -> AttributeProto {
    let mut attribute = AttributeProto { name: Some(name.to_owned()), ..AttributeProto::default() };
    if name == "scale" {
        attribute.r#type = Some(AttributeType::Float as i32);
        #[allow(clippy::cast_possible_truncation, reason = "a scale")]
        (attribute.f = Some(value as f32));
    } else {
        attribute.r#type = Some(AttributeType::Int as i32);
        #[allow(clippy::cast_possible_truncation, reason = "a whole number")]
        (attribute.i = Some(value as i64));
    }
    attribute
}

/// A model of the one node, its inputs of any shape.
pub(crate) fn model(element: DataType, inputs: &[&str], attributes: &[(&str, f64)]) -> Vec<u8> {
    let tensor = type_proto::Tensor { elem_type: Some(element as i32), shape: None };
    let value = |name: &str| ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(TypeProto {
            value: Some(type_proto::Value::TensorType(tensor.clone())),
            ..TypeProto::default()
        }),
        ..ValueInfoProto::default()
    };
    let node = NodeProto {
        op_type: Some("CKFlashAttention".to_owned()),
        domain: Some("com.ck".to_owned()),
        name: Some("attention".to_owned()),
        input: inputs.iter().map(|&name| name.to_owned()).collect(),
        output: vec!["out".to_owned()],
        attribute: attributes.iter().map(|&(name, x)| attribute(name, x)).collect(),
        ..NodeProto::default()
    };
    let graph = GraphProto {
        name: Some("one".to_owned()),
        node: vec![node],
        input: inputs.iter().filter(|name| !name.is_empty()).map(|&name| value(name)).collect(),
        output: vec![value("out")],
        ..GraphProto::default()
    };
    let set = |domain: &str, version| OperatorSetIdProto {
        domain: Some(domain.to_owned()),
        version: Some(version),
    };
    ModelProto {
        ir_version: Some(8),
        opset_import: vec![set("", 17), set("com.ck", 1)],
        graph: Some(graph),
        ..ModelProto::default()
    }
    .encode_to_vec()
}

/// The names of all inputs but the rotary embedding's.
pub(crate) const FOUR: [&str; 4] = ["q", "k", "v", "bias"];

/// Runs a session on named tensors: shape and data.
pub(crate) fn run<T: PrimitiveTensorElementType + Copy + std::fmt::Debug + 'static>(
    session: &mut Session,
    tensors: &[(&str, Vec<usize>, Vec<T>)],
) -> ort::Result<Vec<T>> {
    let feed = tensors
        .iter()
        .map(|(name, shape, data)| {
            Ok(((*name).into(), Tensor::from_array((shape.clone(), data.clone()))?.into()))
        })
        .collect::<ort::Result<Vec<(std::borrow::Cow<'_, str>, ort::session::SessionInputValue<'_>)>>>()?;
    let outputs = session.run(feed)?;
    Ok(outputs["out"].try_extract_tensor::<T>()?.1.to_vec())
}
