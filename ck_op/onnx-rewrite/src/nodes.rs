//! Nodes, attributes and constants, each in one line of the caller.

use crate::onnx::{
    AttributeProto, NodeProto, TensorProto, attribute_proto::AttributeType, tensor_proto::DataType,
};

pub(crate) fn float(name: &str, value: f32) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        r#type: Some(AttributeType::Float as i32),
        f: Some(value),
        ..AttributeProto::default()
    }
}

pub(crate) fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        r#type: Some(AttributeType::Int as i32),
        i: Some(value),
        ..AttributeProto::default()
    }
}

pub(crate) fn ints(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        r#type: Some(AttributeType::Ints as i32),
        ints: values.to_vec(),
        ..AttributeProto::default()
    }
}

/// A node named after its one output.
pub(crate) fn plain(operator: &str, inputs: &[String], output: &str) -> NodeProto {
    NodeProto {
        op_type: Some(operator.to_owned()),
        name: Some(output.to_owned()),
        input: inputs.to_vec(),
        output: vec![output.to_owned()],
        ..NodeProto::default()
    }
}

pub(crate) fn cast(input: &str, output: &str, to: DataType) -> NodeProto {
    let mut node = plain("Cast", &[input.to_owned()], output);
    node.name = Some(format!("{output}_node"));
    node.attribute.push(int("to", i64::from(to as i32)));
    node
}

pub(crate) fn transpose(input: &str, output: &str, order: [i64; 4]) -> NodeProto {
    let mut node = plain("Transpose", &[input.to_owned()], output);
    node.attribute.push(ints("perm", &order));
    node
}

/// `bytes` are the elements, little-endian.
pub(crate) fn constant(
    name: &str,
    element: DataType,
    dims: Vec<i64>,
    bytes: Vec<u8>,
) -> TensorProto {
    TensorProto {
        name: Some(name.to_owned()),
        dims,
        data_type: Some(element as i32),
        raw_data: Some(bytes),
        ..TensorProto::default()
    }
}
