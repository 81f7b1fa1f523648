//! Finds attention by structure.
//!
//! A Softmax is attention if its input comes, through element-wise nodes, from a MatMul of two activations. Each such
//! Softmax must then match in full, or the model is refused:
//!
//! ```text
//! Q -[cast, * scalar]-\
//!                      MatMul -[cast, * scalar, + mask, Where(mask)]- Softmax -[cast, NaN guard]- MatMul - O
//! K -[transpose]-[* scalar]-/                                                                V -/
//! ```
//!
//! `ai.onnx::Attention` (opset 23) is the same in one node.

use crate::error::Error;
use crate::graph::{Index, attribute, integer};
use crate::model;
use crate::onnx::{ModelProto, NodeProto};

/// Element-wise nodes between a MatMul and its Softmax; more is no exporter's doing.
const LONGEST_CHAIN: usize = 16;

/// A term that hides keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The mask tensor.
    pub tensor: String,
    /// How it acts.
    pub kind: TermKind,
}

/// How a mask acts on the scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TermKind {
    /// Added, after being multiplied by this factor.
    Added(f64),
    /// True keeps a key.
    KeepsWhereTrue,
    /// True hides a key.
    HidesWhereTrue,
    /// Added if it is a float, keeps where true if it is a bool: only its values tell.
    AddedOrKeeps,
}

/// One attention layer of the graph.
#[derive(Clone, Debug)]
pub struct Block {
    /// Index of the node whose output is the layer's output; it is replaced.
    pub(crate) last: usize,
    /// `[batch, heads, queries, head_dim]`
    pub(crate) q: String,
    /// `[batch, heads, keys, head_dim]`, after `k_order`.
    pub(crate) k: String,
    /// Transpose that K still needs.
    pub(crate) k_order: Option<[i64; 4]>,
    /// `[batch, heads, keys, head_dim]`
    pub(crate) v: String,
    /// The layer's output.
    pub(crate) out: String,
    pub(crate) scale: f64,
    /// All of them hold.
    pub(crate) masks: Vec<Term>,
}

/// All attention layers in graph order.
///
/// # Errors
///
/// [`Error::NoAttention`], [`Error::AlreadyRewritten`], [`Error::AlreadyFused`] or [`Error::Pattern`].
pub fn blocks(model: &ModelProto) -> Result<Vec<Block>, Error> {
    let index = Index::new(model::graph(model)?);
    let mut blocks = Vec::new();
    for (i, node) in index.graph.node.iter().enumerate() {
        match (node.domain(), node.op_type()) {
            ("" | "ai.onnx", "Softmax") if is_attention(&index, node) => {
                blocks.push(from_softmax(&index, node).map_err(|reason| at(node, reason))?);
            }
            ("" | "ai.onnx", "Attention") => {
                blocks.push(from_attention(&index, i).map_err(|reason| at(node, reason))?);
            }
            (crate::DOMAIN, crate::OPERATOR) => {
                return Err(Error::AlreadyRewritten { node: node.name().to_owned() });
            }
            ("com.microsoft", operator) if operator.contains("Attention") => {
                return Err(Error::AlreadyFused {
                    node: node.name().to_owned(),
                    operator: operator.to_owned(),
                });
            }
            _ => {}
        }
    }
    if blocks.is_empty() { Err(Error::NoAttention) } else { Ok(blocks) }
}

fn at(node: &NodeProto, reason: String) -> Error {
    let node = if node.name().is_empty() {
        node.output.first().cloned()
    } else {
        Some(node.name().to_owned())
    };
    Error::Pattern { node: node.unwrap_or_default(), reason }
}

/// Does the tensor come from a MatMul of two activations through nodes that act element by element?
fn comes_from_scores(index: &Index<'_>, tensor: &str, depth: usize) -> bool {
    let (Some(node), Some(depth)) = (index.producer(tensor), depth.checked_sub(1)) else {
        return false;
    };
    match node.op_type() {
        "MatMul" => node.input.iter().all(|input| !index.is_constant(input)),
        "Add" | "Sub" | "Mul" | "Div" | "Where" | "Cast" | "Identity" | "Max" | "Min" | "Clip"
        | "Tanh" => node.input.iter().any(|input| comes_from_scores(index, input, depth)),
        _ => false,
    }
}

fn is_attention(index: &Index<'_>, softmax: &NodeProto) -> bool {
    softmax.input.first().is_some_and(|input| comes_from_scores(index, input, LONGEST_CHAIN))
}

fn input(node: &NodeProto, i: usize) -> Result<&str, String> {
    node.input
        .get(i)
        .map(String::as_str)
        .filter(|name| !name.is_empty())
        .ok_or_else(|| format!("{} {} has no input {i}", node.op_type(), node.name()))
}

/// Is the Cast between floating-point types? Others change values.
fn casts_to_float(node: &NodeProto) -> bool {
    // FLOAT, FLOAT16, DOUBLE, BFLOAT16
    matches!(integer(node, "to"), Some(1 | 10 | 11 | 16))
}

/// Follows a tensor back through casts and scalar factors; multiplies the factors.
fn strip<'g>(index: &Index<'g>, tensor: &'g str, factor: &mut f64) -> &'g str {
    let mut tensor = tensor;
    while let Some(node) = index.producer(tensor) {
        let [first, second] = [0, 1].map(|i| node.input.get(i).map_or("", String::as_str));
        tensor = match node.op_type() {
            "Identity" => first,
            "Cast" if casts_to_float(node) => first,
            "Mul" | "Div" => match (index.scalar(first), index.scalar(second)) {
                (None, Some(x)) => {
                    *factor *= if node.op_type() == "Mul" { x } else { x.recip() };
                    first
                }
                (Some(x), None) if node.op_type() == "Mul" => {
                    *factor *= x;
                    second
                }
                _ => return tensor,
            },
            _ => return tensor,
        };
    }
    tensor
}

fn from_softmax(index: &Index<'_>, softmax: &NodeProto) -> Result<Block, String> {
    let axis = integer(softmax, "axis").unwrap_or(-1);
    if axis != -1 && axis != 3 {
        return Err(format!("Softmax over axis {axis}; attention is over the last of 4"));
    }
    let mut scale = 1.0;
    let mut masks = Vec::new();
    let product = scores(index, input(softmax, 0)?, &mut scale, &mut masks)?;
    let q = strip(index, input(product, 0)?, &mut scale);
    let (k, k_order) = keys(index, input(product, 1)?, &mut scale)?;
    let last = value_product(index, softmax)?;
    let node = index.node(last);
    let v = strip_identity(index, input(node, 1)?);
    let out = node.output.first().ok_or("the second MatMul has no output")?;
    Ok(Block { last, q: q.to_owned(), k, k_order, v: v.to_owned(), out: out.clone(), scale, masks })
}

fn strip_identity<'g>(index: &Index<'g>, tensor: &'g str) -> &'g str {
    match index.producer(tensor) {
        Some(node) if node.op_type() == "Identity" => {
            node.input.first().map_or(tensor, String::as_str)
        }
        _ => tensor,
    }
}

/// From the Softmax back to Q K^T, with the scale and the masks on the way.
fn scores<'g>(
    index: &Index<'g>,
    tensor: &'g str,
    scale: &mut f64,
    masks: &mut Vec<Term>,
) -> Result<&'g NodeProto, String> {
    let mut tensor = tensor;
    for _ in 0..LONGEST_CHAIN {
        tensor = strip(index, tensor, scale);
        let node = index.producer(tensor).ok_or_else(|| format!("the scores end at {tensor}"))?;
        let leads = |i: usize| {
            node.input.get(i).is_some_and(|name| comes_from_scores(index, name, LONGEST_CHAIN))
        };
        match node.op_type() {
            "MatMul" => return Ok(node),
            "Add" => {
                let (ahead, mask) = match (leads(0), leads(1)) {
                    (true, false) => (0, 1),
                    (false, true) => (1, 0),
                    _ => return Err(format!("Add {} joins two score tensors", node.name())),
                };
                // What was multiplied after the addition acts on the mask too.
                masks.push(Term {
                    tensor: input(node, mask)?.to_owned(),
                    kind: TermKind::Added(*scale),
                });
                tensor = input(node, ahead)?;
            }
            "Where" => {
                let (ahead, other, kind) = match (leads(1), leads(2)) {
                    (true, false) => (1, 2, TermKind::KeepsWhereTrue),
                    (false, true) => (2, 1, TermKind::HidesWhereTrue),
                    _ => return Err(format!("Where {} joins two score tensors", node.name())),
                };
                let hidden = index.scalar(input(node, other)?);
                if !hidden.is_some_and(|x| x <= crate::mask::MASKED_AT_MOST) {
                    return Err(format!(
                        "Where {} hides keys by {hidden:?}; it must be -10000 or less",
                        node.name()
                    ));
                }
                masks.push(Term { tensor: input(node, 0)?.to_owned(), kind });
                tensor = input(node, ahead)?;
            }
            other => return Err(format!("{other} {} acts on the scores", node.name())),
        }
    }
    Err("too many nodes between MatMul and Softmax".to_owned())
}

/// From K^T back to K.
fn keys(
    index: &Index<'_>,
    tensor: &str,
    scale: &mut f64,
) -> Result<(String, Option<[i64; 4]>), String> {
    let transposed = strip(index, tensor, scale).to_owned();
    let node = index
        .producer(&transposed)
        .ok_or_else(|| format!("K ends at {transposed}, untransposed"))?;
    match node.op_type() {
        "Transpose" => {
            let order = permutation::<4>(node)?;
            let [a, b, c, d] = order;
            let source = strip(index, input(node, 0)?, scale).to_owned();
            // Undo the exchange of the last two axes; what stays may be no transposition at all.
            let order = [a, b, d, c];
            Ok((source, (order != [0, 1, 2, 3]).then_some(order)))
        }
        "Reshape" => {
            // [B, H, S, D] -> [B*H, S, D] -> [B*H, D, S] -> [B, H, D, S]
            let inner =
                index.producer(input(node, 0)?).filter(|inner| inner.op_type() == "Transpose");
            let inner = inner.ok_or("K goes through a Reshape that follows no Transpose")?;
            if permutation::<3>(inner)? != [0, 2, 1] {
                return Err(
                    "K goes through a Reshape and a Transpose that is not (0, 2, 1)".to_owned()
                );
            }
            let outer =
                index.producer(input(inner, 0)?).filter(|outer| outer.op_type() == "Reshape");
            let outer = outer.ok_or("K goes through a Transpose that follows no Reshape")?;
            Ok((strip(index, input(outer, 0)?, scale).to_owned(), None))
        }
        other => Err(format!("K comes from {other} {}; a Transpose was expected", node.name())),
    }
}

fn permutation<const N: usize>(node: &NodeProto) -> Result<[i64; N], String> {
    attribute(node, "perm")
        .and_then(|perm| perm.ints.as_slice().try_into().ok())
        .ok_or_else(|| format!("Transpose {} is not of rank {N}", node.name()))
}

/// From the Softmax forward to the MatMul with V, past casts and the guard against rows of NaN.
fn value_product(index: &Index<'_>, softmax: &NodeProto) -> Result<usize, String> {
    let mut tensor = softmax.output.first().ok_or("the Softmax has no output")?.as_str();
    for _ in 0..LONGEST_CHAIN {
        if index.is_output(tensor) {
            return Err("the probabilities are an output of the graph".to_owned());
        }
        let users: Vec<usize> = index.consumers(tensor).to_vec();
        let kinds: Vec<&str> = users.iter().map(|&i| index.node(i).op_type()).collect();
        tensor = match (users.as_slice(), kinds.as_slice()) {
            ([i], ["MatMul"])
                if index.node(*i).input.first().is_some_and(|first| first == tensor) =>
            {
                return Ok(*i);
            }
            ([i], ["Cast" | "Identity" | "Dropout"]) => output(index.node(*i))?,
            ([_, _], ["IsNaN", "Where"] | ["Where", "IsNaN"]) => {
                let find =
                    |kind| users.iter().map(|&i| index.node(i)).find(|node| node.op_type() == kind);
                let (guard, choice) =
                    (find("IsNaN").ok_or("no IsNaN")?, find("Where").ok_or("no Where")?);
                let guards = choice.input.first() == guard.output.first()
                    && index.scalar(input(choice, 1)?) == Some(0.0)
                    && input(choice, 2)? == tensor;
                if !guards {
                    return Err(format!("Where {} is no guard against NaN", choice.name()));
                }
                output(choice)?
            }
            _ => return Err(format!("the probabilities go to {}", kinds.join(", "))),
        };
    }
    Err("too many nodes between Softmax and MatMul".to_owned())
}

fn output(node: &NodeProto) -> Result<&str, String> {
    node.output.first().map(String::as_str).ok_or_else(|| format!("{} has no output", node.name()))
}

/// `ai.onnx::Attention`.
fn from_attention(index: &Index<'_>, last: usize) -> Result<Block, String> {
    let node = index.node(last);
    for (name, plain) in
        [("is_causal", 0), ("q_num_heads", 0), ("kv_num_heads", 0), ("qk_matmul_output_mode", 0)]
    {
        if let Some(found) = integer(node, name).filter(|&found| found != plain) {
            return Err(format!("Attention has {name} = {found}"));
        }
    }
    if attribute(node, "softcap").is_some_and(|cap| cap.f() != 0.0) {
        return Err("Attention has a softcap".to_owned());
    }
    let scale = attribute(node, "scale").ok_or("Attention has no scale attribute")?.f();
    if node.input.iter().skip(4).chain(node.output.iter().skip(1)).any(|name| !name.is_empty()) {
        return Err("Attention has a cache or other outputs".to_owned());
    }
    let mut masks = Vec::new();
    if let Ok(mask) = input(node, 3) {
        masks.push(Term { tensor: mask.to_owned(), kind: TermKind::AddedOrKeeps });
    }
    Ok(Block {
        last,
        q: input(node, 0)?.to_owned(),
        k: input(node, 1)?.to_owned(),
        k_order: None,
        v: input(node, 2)?.to_owned(),
        out: output(node)?.to_owned(),
        scale: f64::from(scale),
        masks,
    })
}
