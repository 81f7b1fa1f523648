//! An encoder of ModernBERT's shape with random weights, written as exporters write it: fused QKV, rotary embedding, a
//! mask per layer, guarded softmax. Small helpers make a node and return the name of its output.

use onnx_rewrite::onnx::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TypeProto,
    ValueInfoProto, attribute_proto::AttributeType, tensor_proto::DataType, type_proto,
};

/// Extents of the encoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) intermediate: usize,
    pub(crate) vocabulary: usize,
    /// Longest sequence.
    pub(crate) positions: usize,
    /// Keys to each side of a local layer; every third layer is global.
    pub(crate) window: i64,
    /// What the projections hold.
    pub(crate) weights: Weights,
}

/// Element type of the projections' weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weights {
    Float32,
    /// int8, one scale per projection; activations quantised at run time, as ONNX Runtime's dynamic quantisation writes it.
    Int8,
}

const HEAD_DIM: usize = 64;

#[derive(Default)]
struct Builder {
    graph: GraphProto,
    made: usize,
    seed: u64,
}

#[allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "extents of a small model"
)]
impl Builder {
    fn node(&mut self, operator: &str, inputs: &[&str], attributes: Vec<AttributeProto>) -> String {
        self.made += 1;
        let output = format!("t{}", self.made);
        self.graph.node.push(NodeProto {
            op_type: Some(operator.to_owned()),
            name: Some(format!("{operator}_{}", self.made)),
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![output.clone()],
            attribute: attributes,
            ..NodeProto::default()
        });
        output
    }

    fn op(&mut self, operator: &str, inputs: &[&str]) -> String {
        self.node(operator, inputs, Vec::new())
    }

    fn tensor(&mut self, element: DataType, dims: &[usize], bytes: Vec<u8>) -> String {
        self.made += 1;
        let name = format!("c{}", self.made);
        self.graph.initializer.push(TensorProto {
            name: Some(name.clone()),
            dims: dims.iter().map(|&d| d as i64).collect(),
            data_type: Some(element as i32),
            raw_data: Some(bytes),
            ..TensorProto::default()
        });
        name
    }

    fn floats(&mut self, dims: &[usize], values: &[f32]) -> String {
        self.tensor(DataType::Float, dims, values.iter().flat_map(|x| x.to_le_bytes()).collect())
    }

    fn ints(&mut self, values: &[i64]) -> String {
        let dims: &[usize] = if values.len() == 1 { &[1] } else { &[values.len()] };
        self.tensor(DataType::Int64, dims, values.iter().flat_map(|x| x.to_le_bytes()).collect())
    }

    fn scalar(&mut self, value: f32) -> String {
        self.floats(&[], &[value])
    }

    fn weights(&mut self, dims: &[usize], deviation: f32) -> String {
        let count: usize = dims.iter().product();
        let mut bytes = Vec::with_capacity(count * 4);
        for _ in 0..count {
            bytes.extend((self.random() * 2.0 * deviation).to_le_bytes());
        }
        self.tensor(DataType::Float, dims, bytes)
    }

    /// `x` times random weights `[from, to]`.
    fn linear(&mut self, x: &str, [from, to]: [usize; 2], deviation: f32, kind: Weights) -> String {
        if kind == Weights::Float32 {
            let weight = self.weights(&[from, to], deviation);
            return self.op("MatMul", &[x, &weight]);
        }
        let mut bytes = Vec::with_capacity(from * to);
        for _ in 0..from * to {
            // The sum of `weights` in steps of its largest value over 127.
            #[allow(clippy::cast_possible_truncation, reason = "within -127 to 127")]
            let step = (self.random() / 1.5 * 127.0).round() as i8;
            bytes.extend(step.to_le_bytes());
        }
        let weight = self.tensor(DataType::Int8, &[from, to], bytes);
        let zero = self.tensor(DataType::Int8, &[], vec![0]);
        let scale = self.scalar(3.0 * deviation / 127.0);
        let quantised = self.op("DynamicQuantizeLinear", &[x]);
        let (step, zero_x) = (format!("{quantised}_scale"), format!("{quantised}_zero"));
        if let Some(node) = self.graph.node.last_mut() {
            node.output.extend([step.clone(), zero_x.clone()]);
        }
        let both = self.op("Mul", &[&step, &scale]);
        let sum = self.op("MatMulInteger", &[&quantised, &weight, &zero_x, &zero]);
        let sum = self.node("Cast", &[&sum], vec![int("to", 1)]);
        self.op("Mul", &[&sum, &both])
    }

    /// The sum of three uniform numbers, -1.5 to 1.5.
    fn random(&mut self) -> f32 {
        let mut sum = 0.0;
        for _ in 0..3 {
            self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            sum += (self.seed >> 40) as f32 / 16_777_216.0 - 0.5;
        }
        sum
    }

    fn norm(&mut self, x: &str, hidden: usize) -> String {
        let ones = self.floats(&[hidden], &vec![1.0; hidden]);
        self.node("LayerNormalization", &[x, &ones], vec![int("axis", -1)])
    }

    fn slice(&mut self, x: &str, from: i64, to: i64, axis: i64) -> String {
        let [from, to, axis] = [from, to, axis].map(|value| self.ints(&[value]));
        self.op("Slice", &[x, &from, &to, &axis])
    }

    /// x cos + (-x2, x1) sin
    fn rotate(&mut self, x: &str, cos: &str, sin: &str) -> String {
        let half = (HEAD_DIM / 2) as i64;
        let first = self.slice(x, 0, half, 3);
        let second = self.slice(x, half, HEAD_DIM as i64, 3);
        let negated = self.op("Neg", &[&second]);
        let turned = self.node("Concat", &[&negated, &first], vec![int("axis", -1)]);
        let straight = self.op("Mul", &[x, cos]);
        let turned = self.op("Mul", &[&turned, sin]);
        self.op("Add", &[&straight, &turned])
    }

    fn gelu(&mut self, x: &str) -> String {
        let [root, one, half] =
            [std::f32::consts::SQRT_2, 1.0, 0.5].map(|value| self.scalar(value));
        let scaled = self.op("Div", &[x, &root]);
        let erf = self.op("Erf", &[&scaled]);
        let shifted = self.op("Add", &[&erf, &one]);
        let product = self.op("Mul", &[x, &shifted]);
        self.op("Mul", &[&product, &half])
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

fn perm(order: &[i64]) -> Vec<AttributeProto> {
    vec![AttributeProto {
        name: Some("perm".to_owned()),
        r#type: Some(AttributeType::Ints as i32),
        ints: order.to_vec(),
        ..AttributeProto::default()
    }]
}

fn value(name: &str, element: DataType) -> ValueInfoProto {
    let tensor = type_proto::Tensor { elem_type: Some(element as i32), shape: None };
    ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(TypeProto {
            value: Some(type_proto::Value::TensorType(tensor)),
            ..TypeProto::default()
        }),
        ..ValueInfoProto::default()
    }
}

/// One projection alone: `x` `[rows, from]` to `out`, for the bound that all the projections set.
pub(crate) fn projection(from: usize, to: usize, kind: Weights) -> ModelProto {
    let mut b = Builder { seed: 1, ..Builder::default() };
    let out = b.linear("x", [from, to], 0.03, kind);
    let mut graph = b.graph;
    graph.name = Some("projection".to_owned());
    graph.input = vec![value("x", DataType::Float)];
    graph.output = vec![value(&out, DataType::Float)];
    model(graph)
}

fn model(graph: GraphProto) -> ModelProto {
    ModelProto {
        ir_version: Some(8),
        opset_import: vec![OperatorSetIdProto { domain: Some(String::new()), version: Some(17) }],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

/// Floating-point operations of all projections for one token.
pub(crate) fn projection_flops(shape: &Shape) -> f64 {
    let hidden = shape.heads * HEAD_DIM;
    let per_layer = 4 * hidden * hidden + 3 * hidden * shape.intermediate;
    #[allow(clippy::cast_precision_loss, reason = "a size")]
    let all = (2 * shape.layers * per_layer) as f64;
    all
}

/// Floating-point operations of attention over `n` tokens.
pub(crate) fn attention_flops(shape: &Shape, n: usize) -> f64 {
    let band = usize::try_from(2 * shape.window + 1).unwrap_or(n).min(n);
    let keys: usize = (0..shape.layers).map(|layer| if layer % 3 == 0 { n } else { band }).sum();
    #[allow(clippy::cast_precision_loss, reason = "a size")]
    let all = (4 * shape.heads * HEAD_DIM * n * keys) as f64;
    all
}

/// Shapes of a layer's projections.
pub(crate) fn projections(shape: &Shape) -> [[usize; 2]; 4] {
    let (hidden, middle) = (shape.heads * HEAD_DIM, shape.intermediate);
    [[hidden, 3 * hidden], [hidden, hidden], [hidden, 2 * middle], [middle, hidden]]
}

/// The model: `input_ids`, `attention_mask` to `logits`, with the mean over tokens.
#[allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "extents of a small model"
)]
pub(crate) fn build(shape: &Shape) -> ModelProto {
    let hidden = shape.heads * HEAD_DIM;
    let mut b = Builder { seed: 1, ..Builder::default() };
    let table = b.weights(&[shape.vocabulary, hidden], 1.0);
    let gathered = b.op("Gather", &[&table, "input_ids"]);
    let mut x = b.norm(&gathered, hidden);

    // Positions, and the two masks over them.
    let dims = b.op("Shape", &["input_ids"]);
    let length = b.slice(&dims, 1, 2, 0);
    let [zero, one] =
        [0, 1].map(|value: i64| b.tensor(DataType::Int64, &[], value.to_le_bytes().to_vec()));
    let axis = b.ints(&[0]);
    let length_scalar = b.op("Squeeze", &[&length, &axis]);
    let positions = b.op("Range", &[&zero, &length_scalar, &one]);
    let [rows_axis, columns_axis, batch_axes] = [&[1][..], &[0], &[1, 2]].map(|axes| b.ints(axes));
    let rows = b.op("Unsqueeze", &[&positions, &rows_axis]);
    let columns = b.op("Unsqueeze", &[&positions, &columns_axis]);
    let difference = b.op("Sub", &[&rows, &columns]);
    let distance = b.op("Abs", &[&difference]);
    let window = b.ints(&[shape.window]);
    let band = b.op("LessOrEqual", &[&distance, &window]);
    let tokens = b.node("Cast", &["attention_mask"], vec![int("to", 9)]);
    let keys = b.op("Unsqueeze", &[&tokens, &batch_axes]);
    let at_all = b.ints(&[1 << 30]);
    let everywhere = b.op("LessOrEqual", &[&distance, &at_all]);
    let global_mask = b.op("And", &[&everywhere, &keys]);
    let local_mask = b.op("And", &[&band, &keys]);

    let angles: Vec<f32> = (0..shape.positions)
        .flat_map(|p| {
            (0..HEAD_DIM).map(move |d| {
                let pair = (d % (HEAD_DIM / 2)) as f32;
                p as f32 * 160_000f32.powf(-2.0 * pair / HEAD_DIM as f32)
            })
        })
        .collect();
    let [cos, sin] = [f32::cos as fn(f32) -> f32, f32::sin].map(|f| {
        let values: Vec<f32> = angles.iter().map(|&a| f(a)).collect();
        let table = b.floats(&[shape.positions, HEAD_DIM], &values);
        b.op("Gather", &[&table, &positions])
    });

    let deviation = 1.0 / (hidden as f32).sqrt();
    for layer in 0..shape.layers {
        let normal = if layer == 0 { x.clone() } else { b.norm(&x, hidden) };
        let qkv = b.linear(&normal, [hidden, 3 * hidden], 1.5 * deviation, shape.weights);
        let split = b.ints(&[0, 0, 3, shape.heads as i64, HEAD_DIM as i64]);
        let qkv = b.op("Reshape", &[&qkv, &split]);
        let [q, k, v] = [0, 1, 2].map(|part| {
            let part = b.tensor(DataType::Int64, &[], i64::to_le_bytes(part).to_vec());
            let one = b.node("Gather", &[&qkv, &part], vec![int("axis", 2)]);
            b.node("Transpose", &[&one], perm(&[0, 2, 1, 3]))
        });
        let q = b.rotate(&q, &cos, &sin);
        let k = b.rotate(&k, &cos, &sin);
        let k = b.node("Transpose", &[&k], perm(&[0, 1, 3, 2]));
        let root = b.scalar((HEAD_DIM as f32).powf(-0.25));
        let q = b.op("Mul", &[&q, &root]);
        let k = b.op("Mul", &[&k, &root]);
        let scores = b.op("MatMul", &[&q, &k]);
        let [kept, hidden_value] = [0.0, f32::NEG_INFINITY].map(|value| b.scalar(value));
        let mask = if layer % 3 == 0 { &global_mask } else { &local_mask };
        let added = b.op("Where", &[mask, &kept, &hidden_value]);
        let scores = b.op("Add", &[&scores, &added]);
        let weights = b.node("Softmax", &[&scores], vec![int("axis", -1)]);
        let broken = b.op("IsNaN", &[&weights]);
        let weights = b.op("Where", &[&broken, &kept, &weights]);
        let out = b.op("MatMul", &[&weights, &v]);
        let out = b.node("Transpose", &[&out], perm(&[0, 2, 1, 3]));
        let joined = b.ints(&[0, 0, hidden as i64]);
        let out = b.op("Reshape", &[&out, &joined]);
        let out = b.linear(&out, [hidden, hidden], deviation, shape.weights);
        x = b.op("Add", &[&x, &out]);

        let normal = b.norm(&x, hidden);
        let wide = b.linear(&normal, [hidden, 2 * shape.intermediate], deviation, shape.weights);
        let middle = shape.intermediate as i64;
        let first = b.slice(&wide, 0, middle, 2);
        let gate = b.slice(&wide, middle, 2 * middle, 2);
        let active = b.gelu(&first);
        let product = b.op("Mul", &[&active, &gate]);
        let deviation = 1.0 / (shape.intermediate as f32).sqrt();
        let out = b.linear(&product, [shape.intermediate, hidden], deviation, shape.weights);
        x = b.op("Add", &[&x, &out]);
    }

    let normal = b.norm(&x, hidden);
    let counted = b.node("Cast", &["attention_mask"], vec![int("to", 1)]);
    let last = b.ints(&[2]);
    let counted = b.op("Unsqueeze", &[&counted, &last]);
    let kept = b.op("Mul", &[&normal, &counted]);
    let over = b.ints(&[1]);
    let sum = b.node("ReduceSum", &[&kept, &over], vec![int("keepdims", 0)]);
    let count = b.node("ReduceSum", &[&counted, &over], vec![int("keepdims", 0)]);
    let mean = b.op("Div", &[&sum, &count]);
    let weight = b.weights(&[hidden, 3], deviation);
    let logits = b.op("MatMul", &[&mean, &weight]);

    let mut graph = b.graph;
    graph.name = Some("encoder".to_owned());
    graph.node.push(NodeProto {
        op_type: Some("Identity".to_owned()),
        input: vec![logits],
        output: vec!["logits".to_owned()],
        ..NodeProto::default()
    });
    let two = |name| {
        let mut value = value(name, DataType::Int64);
        let dim = |name: &str| onnx_rewrite::onnx::tensor_shape_proto::Dimension {
            value: Some(onnx_rewrite::onnx::tensor_shape_proto::dimension::Value::DimParam(
                name.to_owned(),
            )),
            ..Default::default()
        };
        let shape =
            onnx_rewrite::onnx::TensorShapeProto { dim: vec![dim("batch"), dim("positions")] };
        if let Some(type_proto::Value::TensorType(tensor)) =
            value.r#type.as_mut().and_then(|t| t.value.as_mut())
        {
            tensor.shape = Some(shape);
        }
        value
    };
    graph.input = vec![two("input_ids"), two("attention_mask")];
    graph.output = vec![value("logits", DataType::Float)];
    model(graph)
}
