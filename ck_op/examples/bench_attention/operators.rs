//! One attention at a time: this operator against ONNX Runtime's own, 12 heads of 64.

use onnx_rewrite::onnx::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TypeProto,
    ValueInfoProto, attribute_proto::AttributeType, tensor_proto::DataType, type_proto,
};
use ort::session::Session;
use ort::value::Tensor;
use prost::Message as _;

use crate::measure::{Failure, Figures, least_cpu_ms};
use crate::runtime;

const HEADS: usize = 12;
const DIM: usize = 64;

/// Named tensors: shape and data.
type Feed = Vec<(&'static str, Vec<usize>, Vec<f32>)>;

fn one_node(
    domain: &str,
    operator: &str,
    inputs: &[&str],
    attributes: Vec<AttributeProto>,
) -> Vec<u8> {
    let value = |name: &str| ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(TypeProto {
            value: Some(type_proto::Value::TensorType(type_proto::Tensor {
                elem_type: Some(DataType::Float as i32),
                shape: None,
            })),
            ..TypeProto::default()
        }),
        ..ValueInfoProto::default()
    };
    let set = |domain: &str, version| OperatorSetIdProto {
        domain: Some(domain.to_owned()),
        version: Some(version),
    };
    let graph = GraphProto {
        name: Some("one".to_owned()),
        node: vec![NodeProto {
            op_type: Some(operator.to_owned()),
            domain: Some(domain.to_owned()),
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec!["out".to_owned()],
            attribute: attributes,
            ..NodeProto::default()
        }],
        input: inputs.iter().filter(|input| !input.is_empty()).map(|&input| value(input)).collect(),
        output: vec![value("out")],
        ..GraphProto::default()
    };
    ModelProto {
        ir_version: Some(8),
        opset_import: vec![set("", 17), set(domain, 1)],
        graph: Some(graph),
        ..ModelProto::default()
    }
    .encode_to_vec()
}

fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        r#type: Some(AttributeType::Int as i32),
        i: Some(value),
        ..AttributeProto::default()
    }
}

fn run(session: &mut Session, feed: &Feed) -> Result<(), Failure> {
    let inputs = feed
        .iter()
        .map(|(name, shape, data)| Ok(((*name).into(), Tensor::from_array((shape.clone(), data.clone()))?.into())))
        .collect::<ort::Result<Vec<(std::borrow::Cow<'_, str>, ort::session::SessionInputValue<'_>)>>>()?;
    session.run(inputs)?;
    Ok(())
}

fn random(count: usize) -> Vec<f32> {
    let mut state = 9u32;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        })
        .collect()
}

/// This operator.
fn ours(
    batch: usize,
    n: usize,
    window: i64,
    bias: Option<Vec<f32>>,
    repeats: usize,
) -> Result<f64, Failure> {
    let scale = AttributeProto {
        name: Some("scale".to_owned()),
        r#type: Some(AttributeType::Float as i32),
        f: Some(0.125),
        ..AttributeProto::default()
    };
    let attributes = vec![
        scale,
        int("window_size_left", window),
        int("window_size_right", window),
        int("padded_queries_unused", i64::from(bias.is_some())),
    ];
    let names: &[&str] = if bias.is_some() { &["q", "k", "v", "bias"] } else { &["q", "k", "v"] };
    let mut session = runtime::open(&one_node("com.ck", "CKFlashAttention", names, attributes))?;
    let plane = || (vec![batch, HEADS, n, DIM], random(batch * HEADS * n * DIM));
    let mut feed: Feed = ["q", "k", "v"]
        .map(|name| {
            let (shape, data) = plane();
            (name, shape, data)
        })
        .into();
    if let Some(bias) = bias {
        feed.push(("bias", vec![batch, 1, 1, n], bias));
    }
    least_cpu_ms(repeats, || run(&mut session, &feed))
}

/// ONNX Runtime's MultiHeadAttention: without a mask it is its flash path, with one it is not.
fn theirs(batch: usize, n: usize, mask: Option<Vec<f32>>, repeats: usize) -> Result<f64, Failure> {
    let names: &[&str] =
        if mask.is_some() { &["q", "k", "v", "", "", "mask"] } else { &["q", "k", "v"] };
    let attributes = vec![int("num_heads", HEADS as i64)];
    let mut session =
        runtime::open(&one_node("com.microsoft", "MultiHeadAttention", names, attributes))?;
    let mut feed: Feed = ["q", "k", "v"]
        .map(|name| (name, vec![batch, n, HEADS * DIM], random(batch * HEADS * n * DIM)))
        .into();
    if let Some(mask) = mask {
        feed.push(("mask", vec![batch, 1, n, n], mask));
    }
    least_cpu_ms(repeats, || run(&mut session, &feed))
}

/// Two sequences, the second half as long.
fn padding(n: usize) -> Vec<f32> {
    (0..2 * n).map(|i| if i >= n + n / 2 { f32::MIN } else { 0.0 }).collect()
}

fn run_all(lengths: &[(usize, &str, usize)], figures: &mut Figures) -> Result<(), Failure> {
    for &(n, name, repeats) in lengths {
        let plain = theirs(1, n, None, repeats)?;
        let global = ours(1, n, -1, None, repeats)?;
        figures.ratio(&format!("global_{name}_ratio"), plain, global);
        if name == "512" {
            continue;
        }
        let band: Vec<f32> = (0..n * n)
            .map(|i| if (i / n).abs_diff(i % n) <= 64 { 0.0 } else { f32::MIN })
            .collect();
        let masked = theirs(1, n, Some(band), repeats.min(3))?;
        figures.ratio(&format!("local_{name}_ratio"), masked, ours(1, n, 64, None, repeats)?);
        let bias = padding(n);
        let mask = (0..2 * n * n).map(|i| bias[i / (n * n) * n + i % n]).collect();
        let masked = theirs(2, n, Some(mask), repeats.min(2))?;
        figures.ratio(
            &format!("padded_{name}_ratio"),
            masked,
            ours(2, n, -1, Some(bias), repeats.min(3))?,
        );
    }
    Ok(())
}

pub(crate) fn compare(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    run_all(&[(512, "512", 9), (2048, "2k", 5)], figures)?;
    if !quick {
        run_all(&[(8192, "8k", 1)], figures)?;
    }
    Ok(())
}
