//! A graph with its edges: who makes and who uses a tensor, and what is constant.

use std::collections::{HashMap, HashSet};

use crate::model::bodies;
use crate::onnx::{AttributeProto, GraphProto, NodeProto, TensorProto, tensor_proto::DataType};

/// Constant expressions deeper than this are not folded.
const FOLD_DEPTH: usize = 8;
/// Nodes from an activation back to a weight; a whole layer is shorter.
const LONGEST_WALK: usize = 200;

/// Edges of one graph.
#[derive(Debug)]
pub(crate) struct Index<'g> {
    pub(crate) graph: &'g GraphProto,
    producers: HashMap<&'g str, usize>,
    consumers: HashMap<&'g str, Vec<usize>>,
    initializers: HashMap<&'g str, &'g TensorProto>,
}

impl<'g> Index<'g> {
    pub(crate) fn new(graph: &'g GraphProto) -> Self {
        let mut producers = HashMap::new();
        let mut consumers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, node) in graph.node.iter().enumerate() {
            for output in node.output.iter().filter(|name| !name.is_empty()) {
                producers.insert(output.as_str(), i);
            }
            for used in uses(node) {
                let list = consumers.entry(used).or_default();
                if list.last() != Some(&i) {
                    list.push(i);
                }
            }
        }
        let initializers = graph.initializer.iter().map(|tensor| (tensor.name(), tensor)).collect();
        Self { graph, producers, consumers, initializers }
    }

    pub(crate) fn node(&self, i: usize) -> &'g NodeProto {
        &self.graph.node[i]
    }

    pub(crate) fn producer(&self, tensor: &str) -> Option<&'g NodeProto> {
        self.producers.get(tensor).map(|&i| self.node(i))
    }

    /// Nodes that use the tensor, each once, in graph order.
    pub(crate) fn consumers(&self, tensor: &str) -> &[usize] {
        self.consumers.get(tensor).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn is_output(&self, tensor: &str) -> bool {
        self.graph.output.iter().any(|output| output.name() == tensor)
    }

    pub(crate) fn initializer(&self, tensor: &str) -> Option<&'g TensorProto> {
        self.initializers.get(tensor).copied()
    }

    /// Is its value fixed: an initializer, or computed from nothing else?
    pub(crate) fn is_constant(&self, tensor: &str) -> bool {
        if self.initializers.contains_key(tensor) {
            return true;
        }
        let needed = self.ancestors([tensor]);
        self.producers.contains_key(tensor)
            && needed.tensors.iter().all(|name| {
                self.producers.contains_key(name.as_str())
                    || self.initializers.contains_key(name.as_str())
            })
    }

    /// Everything that the tensors are computed from.
    pub(crate) fn ancestors<'t>(&self, tensors: impl IntoIterator<Item = &'t str>) -> Needed {
        let mut needed = Needed::default();
        let mut open: Vec<String> = tensors.into_iter().map(str::to_owned).collect();
        while let Some(tensor) = open.pop() {
            if tensor.is_empty() || !needed.tensors.insert(tensor.clone()) {
                continue;
            }
            if let Some(&i) = self.producers.get(tensor.as_str())
                && needed.nodes.insert(i)
            {
                open.extend(uses(self.node(i)).map(str::to_owned));
                // Other outputs of the node are needed as names only.
            }
        }
        needed
    }

    /// The floating-point type of an activation, followed back to a weight or a cast. `None` if neither is found.
    pub(crate) fn float_type(&self, tensor: &str) -> Option<DataType> {
        let mut tensor = tensor;
        for _ in 0..LONGEST_WALK {
            if let Some(initializer) = self.initializer(tensor) {
                return float(initializer.data_type());
            }
            let node = self.producer(tensor)?;
            if node.op_type() == "Cast" {
                return float(i32::try_from(integer(node, "to")?).ok()?);
            }
            // The other input of a sum or product is often a weight, the shortest way; else the first leads on.
            let weight =
                node.input.iter().find_map(|input| float(self.initializer(input)?.data_type()));
            if let Some(weight) = weight
                && !matches!(node.op_type(), "Gather" | "DequantizeLinear")
            {
                return Some(weight);
            }
            if node.op_type() == "DequantizeLinear" || node.op_type() == "DynamicQuantizeMatMul" {
                return Some(DataType::Float);
            }
            tensor = node.input.first()?;
        }
        None
    }

    /// The value of a one-element constant, folded through the arithmetic that exporters leave on scales.
    pub(crate) fn scalar(&self, tensor: &str) -> Option<f64> {
        self.fold(tensor, FOLD_DEPTH)
    }

    fn fold(&self, tensor: &str, depth: usize) -> Option<f64> {
        if let Some(initializer) = self.initializer(tensor) {
            return one_element(initializer);
        }
        let node = self.producer(tensor)?;
        let depth = depth.checked_sub(1)?;
        let input = |i: usize| self.fold(node.input.get(i)?, depth);
        match node.op_type() {
            "Constant" => constant_value(node),
            "Identity" | "Cast" => input(0),
            "Sqrt" => input(0).map(f64::sqrt),
            "Reciprocal" => input(0).map(f64::recip),
            "Mul" => Some(input(0)? * input(1)?),
            "Div" => Some(input(0)? / input(1)?),
            "Pow" => Some(input(0)?.powf(input(1)?)),
            _ => None,
        }
    }
}

fn float(data_type: i32) -> Option<DataType> {
    let found = DataType::try_from(data_type).ok()?;
    matches!(found, DataType::Float | DataType::Float16 | DataType::Bfloat16).then_some(found)
}

/// Parts of a graph.
#[derive(Debug, Default)]
pub(crate) struct Needed {
    pub(crate) nodes: HashSet<usize>,
    pub(crate) tensors: HashSet<String>,
}

/// Tensors that a node reads, those that its bodies take from outside included.
pub(crate) fn uses(node: &NodeProto) -> impl Iterator<Item = &str> {
    let mut used: Vec<&str> =
        node.input.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
    for body in node.attribute.iter().flat_map(bodies) {
        captured(body, &mut used);
    }
    used.into_iter()
}

/// Names that a body uses. Its own tensors are among them: harmless, as no outer tensor has the same name.
fn captured<'g>(body: &'g GraphProto, used: &mut Vec<&'g str>) {
    for node in &body.node {
        used.extend(node.input.iter().map(String::as_str).filter(|name| !name.is_empty()));
        for inner in node.attribute.iter().flat_map(bodies) {
            captured(inner, used);
        }
    }
    used.extend(body.output.iter().map(|output| output.name()));
}

pub(crate) fn attribute<'n>(node: &'n NodeProto, name: &str) -> Option<&'n AttributeProto> {
    node.attribute.iter().find(|attribute| attribute.name() == name)
}

pub(crate) fn integer(node: &NodeProto, name: &str) -> Option<i64> {
    attribute(node, name).map(AttributeProto::i)
}

fn constant_value(node: &NodeProto) -> Option<f64> {
    if let Some(value) = attribute(node, "value") {
        return one_element(value.t.as_ref()?);
    }
    if let Some(value) = attribute(node, "value_float") {
        return Some(f64::from(value.f()));
    }
    #[allow(clippy::cast_precision_loss, reason = "scales are small numbers")]
    integer(node, "value_int").map(|x| x as f64)
}

/// The value of a tensor with one element, if it lies in the model file.
#[allow(clippy::cast_precision_loss, reason = "scales and mask values")]
#[allow(clippy::wildcard_enum_match_arm, reason = "24 element types, of which scales have five")]
pub(crate) fn one_element(tensor: &TensorProto) -> Option<f64> {
    if tensor.dims.iter().product::<i64>() != 1 || crate::model::is_external(tensor) {
        return None;
    }
    let raw = tensor.raw_data.as_deref().unwrap_or_default();
    match DataType::try_from(tensor.data_type()).ok()? {
        DataType::Float => {
            let from_raw = || raw.try_into().ok().map(f32::from_le_bytes);
            tensor.float_data.first().copied().or_else(from_raw).map(f64::from)
        }
        DataType::Double => {
            let from_raw = || raw.try_into().ok().map(f64::from_le_bytes);
            tensor.double_data.first().copied().or_else(from_raw)
        }
        DataType::Int64 => {
            let from_raw = || raw.try_into().ok().map(i64::from_le_bytes);
            tensor.int64_data.first().copied().or_else(from_raw).map(|x| x as f64)
        }
        DataType::Int32 => {
            let from_raw = || raw.try_into().ok().map(i32::from_le_bytes);
            tensor.int32_data.first().copied().or_else(from_raw).map(f64::from)
        }
        DataType::Float16 => {
            let from_raw = || raw.try_into().ok().map(u16::from_le_bytes);
            let stored = tensor.int32_data.first().and_then(|&x| u16::try_from(x).ok());
            stored.or_else(from_raw).map(half_to_f64)
        }
        _ => None,
    }
}

/// IEEE half precision, by its definition: a handful of scalars does not earn a dependency.
fn half_to_f64(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 31);
    let fraction = f64::from(bits & 1023) / 1024.0;
    sign * match exponent {
        0 => fraction * 2f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * 2f64.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_constants_are_read() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x35a8, 0.353_515_625),
            (0x0001, 2f64.powi(-24)),
            (0xfbff, -65504.0),
        ] {
            assert_eq!(half_to_f64(bits), value, "{bits:#x}");
        }
        assert_eq!(half_to_f64(0xfc00), f64::NEG_INFINITY);
    }
}
