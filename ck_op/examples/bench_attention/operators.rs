//! One attention at a time: this operator against ONNX Runtime's own, 12 heads of 64.

use onnx_rewrite::onnx::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TypeProto,
    ValueInfoProto, attribute_proto::AttributeType, tensor_proto::DataType, type_proto,
};
use ort::session::{Session, SessionInputValue};
use ort::value::Tensor;
use prost::Message as _;

use crate::measure::{Failure, Figures, least_cpu_ms};
use crate::runtime;

const HEADS: usize = 12;
const DIM: usize = 64;

/// Named tensors, made once: copying them would be part of what is measured.
type Feed = Vec<(&'static str, Tensor<f32>)>;

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
    let inputs = feed.iter().map(|(name, tensor)| ((*name).into(), tensor.into()));
    session.run(inputs.collect::<Vec<(std::borrow::Cow<'_, str>, SessionInputValue<'_>)>>())?;
    Ok(())
}

fn tensor(shape: &[usize], data: Vec<f32>) -> Result<Tensor<f32>, Failure> {
    Ok(Tensor::from_array((shape.to_vec(), data))?)
}

/// Q, K and V of one shape.
fn three(shape: &[usize]) -> Result<Feed, Failure> {
    let count = shape.iter().product();
    ["q", "k", "v"].into_iter().map(|name| Ok((name, tensor(shape, random(count))?))).collect()
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
    threads: usize,
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
    let model = one_node("com.ck", "CKFlashAttention", names, attributes);
    let mut session = runtime::open_on(&model, threads)?;
    let mut feed = three(&[batch, HEADS, n, DIM])?;
    if let Some(bias) = bias {
        feed.push(("bias", tensor(&[batch, 1, 1, n], bias)?));
    }
    least_cpu_ms(repeats, || run(&mut session, &feed))
}

/// ONNX Runtime's MultiHeadAttention: without a mask it is its flash path, with one it is not.
fn theirs(
    batch: usize,
    n: usize,
    mask: Option<Vec<f32>>,
    threads: usize,
    repeats: usize,
) -> Result<f64, Failure> {
    let names: &[&str] =
        if mask.is_some() { &["q", "k", "v", "", "", "mask"] } else { &["q", "k", "v"] };
    let attributes = vec![int("num_heads", HEADS as i64)];
    let model = one_node("com.microsoft", "MultiHeadAttention", names, attributes);
    let mut session = runtime::open_on(&model, threads)?;
    let mut feed = three(&[batch, n, HEADS * DIM])?;
    if let Some(mask) = mask {
        feed.push(("mask", tensor(&[batch, 1, n, n], mask)?));
    }
    least_cpu_ms(repeats, || run(&mut session, &feed))
}

/// Two sequences, the second half as long.
fn padding(n: usize) -> Vec<f32> {
    (0..2 * n).map(|i| if i >= n + n / 2 { f32::MIN } else { 0.0 }).collect()
}

fn band(n: usize) -> Vec<f32> {
    (0..n * n).map(|i| if (i / n).abs_diff(i % n) <= 64 { 0.0 } else { f32::MIN }).collect()
}

/// At one length, on so many threads; each kind of mask is measured the given number of times, or not at all.
struct Round {
    n: usize,
    name: &'static str,
    threads: usize,
    global: usize,
    local: usize,
    padded: usize,
}

impl Round {
    fn run(&self, figures: &mut Figures) -> Result<(), Failure> {
        let Self { n, name, threads, .. } = *self;
        let suffix = if threads == 1 { "" } else { "_2_threads" };
        if self.global > 0 {
            let plain = theirs(1, n, None, threads, self.global)?;
            let global = ours(1, n, -1, None, threads, self.global)?;
            figures.ratio(&format!("global_{name}{suffix}_ratio"), plain, global);
        }
        if self.local > 0 {
            let masked = theirs(1, n, Some(band(n)), threads, self.local)?;
            let local = ours(1, n, 64, None, threads, self.local.max(3))?;
            figures.ratio(&format!("local_{name}{suffix}_ratio"), masked, local);
        }
        if self.padded > 0 {
            let bias = padding(n);
            let mask = (0..2 * n * n).map(|i| bias[i / (n * n) * n + i % n]).collect();
            let masked = theirs(2, n, Some(mask), threads, self.padded)?;
            let with = ours(2, n, -1, Some(bias), threads, self.padded)?;
            figures.ratio(&format!("padded_{name}{suffix}_ratio"), masked, with);
        }
        Ok(())
    }
}

pub(crate) fn compare(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    for threads in [1, 2] {
        Round { n: 512, name: "512", threads, global: 9, local: 9, padded: 9 }.run(figures)?;
        Round { n: 2048, name: "2k", threads, global: 5, local: 3, padded: 2 }.run(figures)?;
    }
    let often = usize::from(!quick);
    Round { n: 8192, name: "8k", threads: 1, global: 1 + often, local: often, padded: often }
        .run(figures)?;
    if !quick {
        Round { n: 8192, name: "8k", threads: 2, global: 2, local: 0, padded: 0 }.run(figures)?;
    }
    Ok(())
}
