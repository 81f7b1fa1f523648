//! What an exporter puts around attention and the operator can do itself: the split of a joint projection, the transposes
//! to heads first and back, and the rotary embedding.
//!
//! ```text
//! [B, S, 3, H, D] -[split]- [B, S, H, D] -Transpose(0, 2, 1, 3)- [B, H, S, D] -[rotary]- Q, K, V
//! O [B, H, S, D] -Transpose(0, 2, 1, 3)- [B, S, H, D]
//! ```
//!
//! A block whose surroundings are other than these keeps them; nothing is refused here. What cannot be read off the graph
//! (a length that is computed, say) is left to the comparison of the two models, which decides in any case.

use crate::find::Block;
use crate::graph::{Index, attribute, integer};
use crate::onnx::{NodeProto, tensor_proto::DataType};

/// From tokens first to heads first, and back.
pub(crate) const EXCHANGE: [i64; 4] = [0, 2, 1, 3];
/// Casts between two steps; exporters leave at most two.
const MOST_CASTS: usize = 4;

/// A block with its surroundings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fused {
    /// Q, K and V `[batch, positions, heads, head_dim]`, or one tensor `[batch, positions, 3, heads, head_dim]`.
    pub(crate) sources: Vec<String>,
    /// Tables of the rotary embedding.
    pub(crate) rotary: Option<[String; 2]>,
    /// `[batch, positions, heads, head_dim]`: what the Transpose behind the block gave.
    pub(crate) out: String,
    /// That Transpose; it goes.
    pub(crate) transpose: usize,
    /// Shape nodes on tensors that go, with the tokens-first tensor to ask instead.
    pub(crate) shapes: Vec<(usize, String)>,
}

/// One of Q, K, V on its way back to the projection.
struct Side<'g> {
    /// `[batch, positions, heads, head_dim]`
    source: &'g str,
    rotary: Option<[&'g str; 2]>,
    /// Tensors `[batch, heads, positions, head_dim]` between the source and the block.
    passed: Vec<&'g str>,
}

/// The block's surroundings, if they are what the operator can do.
pub(crate) fn around(index: &Index<'_>, block: &Block) -> Option<Fused> {
    let q = side(index, &block.q)?;
    let k = match block.k_order {
        None => side(index, &block.k)?,
        // The transpose to heads first was exchanged with that of the product.
        Some(EXCHANGE) => Side { source: &block.k, rotary: None, passed: Vec::new() },
        Some(_) => return None,
    };
    let v = side(index, &block.v)?;
    if v.rotary.is_some() || q.rotary != k.rotary {
        return None;
    }
    let (transpose, out) = behind(index, block)?;

    let sides = [q, k, v];
    let mut shapes = Vec::new();
    for side in &sides {
        for i in side.passed.iter().flat_map(|tensor| index.consumers(tensor)) {
            if is_whole_shape(index.node(*i)) {
                shapes.push((*i, side.source.to_owned()));
            }
        }
    }
    for i in index.consumers(&block.out).iter().filter(|&&i| is_whole_shape(index.node(i))) {
        shapes.push((*i, out.to_owned()));
    }
    let parts = sides.each_ref().map(|side| part(index, side.source));
    let sources = match parts {
        [Some((packed, 0)), Some((second, 1)), Some((third, 2))]
            if packed == second && packed == third =>
        {
            vec![packed.to_owned()]
        }
        _ => sides.iter().map(|side| side.source.to_owned()).collect(),
    };
    let rotary = sides[0].rotary.map(|tables| tables.map(str::to_owned));
    Some(Fused { sources, rotary, out: out.to_owned(), transpose, shapes })
}

fn input(node: &NodeProto, i: usize) -> Option<&str> {
    node.input.get(i).map(String::as_str).filter(|name| !name.is_empty())
}

/// The node, if it is of this kind.
fn made_by<'g>(index: &Index<'g>, tensor: &str, operator: &str) -> Option<&'g NodeProto> {
    index
        .producer(tensor)
        .filter(|node| matches!(node.domain(), "" | "ai.onnx") && node.op_type() == operator)
}

fn is_whole_shape(node: &NodeProto) -> bool {
    node.op_type() == "Shape" && node.attribute.iter().all(|a| a.name() == "start" && a.i() == 0)
}

/// Back through casts that change nothing: exporters write them around code that computes in fp32.
fn uncast<'g>(index: &Index<'g>, tensor: &'g str, passed: &mut Vec<&'g str>) -> &'g str {
    let mut tensor = tensor;
    for _ in 0..MOST_CASTS {
        passed.push(tensor);
        let Some(source) = made_by(index, tensor, "Cast")
            .filter(|cast| integer(cast, "to") == Some(i64::from(DataType::Float as i32)))
            .and_then(|cast| input(cast, 0))
            .filter(|source| index.float_type(source) == Some(DataType::Float))
        else {
            break;
        };
        tensor = source;
    }
    tensor
}

fn side<'g>(index: &Index<'g>, tensor: &'g str) -> Option<Side<'g>> {
    let mut passed = Vec::new();
    let mut tensor = uncast(index, tensor, &mut passed);
    let mut rotary = None;
    if let Some((source, tables)) = rotation(index, tensor, &mut passed) {
        rotary = Some(tables);
        tensor = uncast(index, source, &mut passed);
    }
    let transpose = made_by(index, tensor, "Transpose")?;
    let perm = attribute(transpose, "perm")?;
    (perm.ints == EXCHANGE).then_some(())?;
    Some(Side { source: input(transpose, 0)?, rotary, passed })
}

/// `x cos + concat(-x[h..], x[..h]) sin`: x, and the two tables.
fn rotation<'g>(
    index: &Index<'g>,
    tensor: &str,
    passed: &mut Vec<&'g str>,
) -> Option<(&'g str, [&'g str; 2])> {
    let sum = made_by(index, tensor, "Add")?;
    let products = [0, 1].map(|i| made_by(index, input(sum, i)?, "Mul"));
    let [Some(first), Some(second)] = products else { return None };
    for (straight, turned) in [(first, second), (second, first)] {
        for (half, sin) in [(0, 1), (1, 0)] {
            let Some((x, also_passed)) = input(turned, half).and_then(|t| turned_halves(index, t))
            else {
                continue;
            };
            for (own, cos) in [(0, 1), (1, 0)] {
                let mut straight_passed = Vec::new();
                let Some(plain) = input(straight, own) else { continue };
                if uncast(index, plain, &mut straight_passed) == x {
                    passed.extend(also_passed.iter().chain(&straight_passed));
                    return Some((plain, [input(straight, cos)?, input(turned, sin)?]));
                }
            }
        }
    }
    None
}

/// x of `concat(-x[h..], x[..h])` over the last axis, and the tensors like x on the way.
fn turned_halves<'g>(index: &Index<'g>, tensor: &str) -> Option<(&'g str, Vec<&'g str>)> {
    let joined = made_by(index, tensor, "Concat").filter(|node| node.input.len() == 2)?;
    matches!(integer(joined, "axis"), Some(-1 | 3)).then_some(())?;
    let negated = made_by(index, input(joined, 0)?, "Neg")?;
    let upper = made_by(index, input(negated, 0)?, "Slice")?;
    let lower = made_by(index, input(joined, 1)?, "Slice")?;
    // starts, ends, axes, steps: where one is computed, the comparison of the models tells.
    let bound = |slice: &NodeProto, i| input(slice, i).and_then(|name| index.scalar(name));
    let contradicted = [
        bound(lower, 1).is_some_and(|start| start != 0.0),
        bound(upper, 1).zip(bound(lower, 2)).is_some_and(|(start, end)| start != end),
        [lower, upper].iter().any(|s| bound(s, 3).is_some_and(|axis| axis != 3.0 && axis != -1.0)),
        [lower, upper].iter().any(|s| bound(s, 4).is_some_and(|step| step != 1.0)),
    ];
    if contradicted.contains(&true) {
        return None;
    }
    let mut passed = Vec::new();
    let x = uncast(index, input(upper, 0)?, &mut passed);
    (uncast(index, input(lower, 0)?, &mut passed) == x).then_some((x, passed))
}

/// The tensor `[batch, positions, 3, heads, head_dim]` that this one is a part of, and which.
fn part<'g>(index: &Index<'g>, tensor: &str) -> Option<(&'g str, usize)> {
    let is_third = |axis: Option<f64>| matches!(axis, Some(axis) if axis == 2.0 || axis == -3.0);
    #[allow(clippy::cast_precision_loss, reason = "an axis")]
    let axis_of = |node: &NodeProto| integer(node, "axis").map(|axis| axis as f64);
    if let Some(gather) = made_by(index, tensor, "Gather") {
        is_third(axis_of(gather)).then_some(())?;
        return Some((input(gather, 0)?, which(index.scalar(input(gather, 1)?)?)?));
    }
    let squeeze = made_by(index, tensor, "Squeeze")?;
    #[allow(clippy::cast_precision_loss, reason = "an axis")]
    let axis = match attribute(squeeze, "axes") {
        Some(axes) => (axes.ints.len() == 1).then(|| axes.ints[0] as f64),
        None => input(squeeze, 1).and_then(|axes| index.scalar(axes)),
    };
    is_third(axis).then_some(())?;
    let cut = input(squeeze, 0)?;
    let node = index.producer(cut)?;
    match node.op_type() {
        "Split" => {
            is_third(axis_of(node)).then_some(())?;
            (node.output.len() == 3).then_some(())?;
            let number = node.output.iter().position(|output| output == cut)?;
            Some((input(node, 0)?, number))
        }
        "Slice" => {
            is_third(index.scalar(input(node, 3)?)).then_some(())?;
            let start = index.scalar(input(node, 1)?)?;
            (index.scalar(input(node, 2)?)? == start + 1.0).then_some(())?;
            Some((input(node, 0)?, which(start)?))
        }
        _ => None,
    }
}

fn which(number: f64) -> Option<usize> {
    (0..3).find(|&i| f64::from(u8::try_from(i).unwrap_or(u8::MAX)) == number)
}

/// The one Transpose behind the block, and what it gives. Anything else that uses the block's output may only ask its shape.
fn behind<'g>(index: &Index<'g>, block: &Block) -> Option<(usize, &'g str)> {
    if index.is_output(&block.out) {
        return None;
    }
    let (shapes, others): (Vec<usize>, Vec<usize>) =
        index.consumers(&block.out).iter().partition(|&&i| index.node(i).op_type() == "Shape");
    let &[mut last] = others.as_slice() else { return None };
    if index.node(last).op_type() == "Reshape" {
        // One exporter writes a Reshape to the shape that is there already. (Were it another, the models would differ.)
        let reshaped = index.node(last).output.first()?;
        let &[only] = index.consumers(reshaped) else { return None };
        (!index.is_output(reshaped)).then_some(())?;
        last = only;
    }
    let node = index.node(last);
    let fits = node.op_type() == "Transpose"
        && attribute(node, "perm").is_some_and(|perm| perm.ints == EXCHANGE)
        && shapes.iter().all(|&i| is_whole_shape(index.node(i)));
    fits.then_some((last, node.output.first()?.as_str()))
}
