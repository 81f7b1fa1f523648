//! Learns what a mask means by running its part of the graph.
//!
//! The sub-graph that computes a mask is cut out and run on sequences with known padding. The answer must be exactly a
//! band around the diagonal, exactly key padding, or both; anything else is refused. Rows of padded queries are not looked
//! at: exporters fill them in different ways, and nothing uses them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use prost::Message as _;

use crate::Options;
use crate::compare::fill;
use crate::error::Error;
use crate::find::{Block, Term, TermKind};
use crate::graph::Index;
use crate::model::{self, Place, is_external};
use crate::onnx::{
    AttributeProto, GraphProto, ModelProto, NodeProto, ValueInfoProto,
    attribute_proto::AttributeType,
};
use crate::runtime::{Runtime, Tensor};

/// A key whose mask value is this or lower is hidden, as the operator sees it.
pub const MASKED_AT_MOST: f64 = -1.0e4;
/// Lengths to probe at, longest first: a window is seen only if it is shorter than the sequence. A mask of the longest is
/// 21 MB per sequence. Models whose mask cannot be computed for that many positions are probed at the next.
const LENGTHS: [usize; 7] = [2304, 1153, 577, 289, 145, 73, 37];
/// Length for the thorough probe, with padding on every side.
const SHORT: usize = 73;
const PROBE: &str = "forebay_probe";
const FLOAT: i32 = 1;

/// What the masks of a layer do together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    /// Keys to the left that a query sees; `None` is all of them.
    pub left: Option<usize>,
    /// Keys to the right; `None` is all of them.
    pub right: Option<usize>,
    /// Padded keys are hidden.
    pub hides_padding: bool,
}

impl Meaning {
    fn and(self, other: Self) -> Self {
        let least = |a: Option<usize>, b: Option<usize>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self {
            left: least(self.left, other.left),
            right: least(self.right, other.right),
            hides_padding: self.hides_padding || other.hides_padding,
        }
    }

    fn sees(&self, query: usize, key: usize) -> bool {
        self.left.is_none_or(|left| key + left >= query)
            && self.right.is_none_or(|right| key <= query + right)
    }
}

/// The meaning of each block's masks, in the order of `blocks`.
pub(crate) fn learn(
    model: &ModelProto,
    blocks: &[Block],
    options: &Options,
    runtime: &dyn Runtime,
    place: &Place,
) -> Result<Vec<Meaning>, Error> {
    let graph = model::graph(model)?;
    // Without the right input, padding would never be fed, and a mask would look as if it hid none.
    let has_masks = blocks.iter().any(|block| !block.masks.is_empty());
    if has_masks && !graph.input.iter().any(|input| input.name() == options.mask_input) {
        let names: Vec<&str> = graph.input.iter().map(|input| input.name()).collect();
        return Err(Error::Input {
            input: options.mask_input.clone(),
            reason: format!(
                "there is no such input to tell tokens from padding; there are {}",
                names.join(", ")
            ),
        });
    }
    let index = Index::new(graph);
    let mut known: HashMap<u64, Meaning> = HashMap::new();
    let mut meanings = Vec::with_capacity(blocks.len());
    for block in blocks {
        let mut meaning = Meaning::default();
        for term in &block.masks {
            // Exporters make one mask per layer; equal sub-graphs are run once.
            let signature = signature(&index, term);
            let one = match known.get(&signature) {
                Some(&one) => one,
                None => {
                    let one =
                        Probe { model, index: &index, term, options, runtime, place }.meaning()?;
                    known.insert(signature, one);
                    one
                }
            };
            meaning = meaning.and(one);
        }
        meanings.push(meaning);
    }
    Ok(meanings)
}

/// A hash of the sub-graph without the names in it.
fn signature(index: &Index<'_>, term: &Term) -> u64 {
    let needed = index.ancestors([term.tensor.as_str()]);
    let mut order: Vec<usize> = needed.nodes.into_iter().collect();
    order.sort_unstable();
    let mut known: HashMap<&str, u64> = HashMap::new();
    for i in order {
        let node = index.node(i);
        let mut hash = DefaultHasher::new();
        (node.op_type(), node.domain()).hash(&mut hash);
        for attribute in &node.attribute {
            attribute.encode_to_vec().hash(&mut hash);
        }
        for input in &node.input {
            match (known.get(input.as_str()), index.initializer(input)) {
                (Some(known), _) => known.hash(&mut hash),
                (None, Some(tensor)) if !is_external(tensor) => {
                    (tensor.data_type, &tensor.dims, &tensor.raw_data, &tensor.int64_data)
                        .hash(&mut hash);
                    tensor.float_data.iter().for_each(|x| x.to_bits().hash(&mut hash));
                    tensor.int32_data.hash(&mut hash);
                }
                _ => input.hash(&mut hash),
            }
        }
        let base = hash.finish();
        for (i, output) in node.output.iter().enumerate() {
            let mut hash = DefaultHasher::new();
            (base, i).hash(&mut hash);
            known.insert(output, hash.finish());
        }
    }
    let mut hash = DefaultHasher::new();
    known.get(term.tensor.as_str()).hash(&mut hash);
    if !known.contains_key(term.tensor.as_str()) {
        term.tensor.hash(&mut hash);
    }
    match term.kind {
        TermKind::Added(factor) => (0, factor.to_bits()),
        TermKind::KeepsWhereTrue => (1, 0),
        TermKind::HidesWhereTrue => (2, 0),
        TermKind::AddedOrKeeps => (3, 0),
    }
    .hash(&mut hash);
    hash.finish()
}

struct Probe<'a> {
    model: &'a ModelProto,
    index: &'a Index<'a>,
    term: &'a Term,
    options: &'a Options,
    runtime: &'a dyn Runtime,
    place: &'a Place,
}

impl Probe<'_> {
    fn refuse(&self, reason: String) -> Error {
        Error::Mask { tensor: self.term.tensor.clone(), reason }
    }

    fn meaning(&self) -> Result<Meaning, Error> {
        let cut = self.cut();
        let inputs = cut.graph.as_ref().map_or(&[][..], |graph| &graph.input);
        let draft = self.place.draft("probe", &cut)?;
        let mut session = self.runtime.open(draft.path()).map_err(|source| Error::Runtime {
            what: "a mask's part of the graph could not be loaded",
            source,
        })?;
        let mut failure = None;
        for length in LENGTHS {
            let long = Padding::Plain.rows(length);
            let feed = fill(inputs, &long, length, &self.options.mask_input, |_| 3)?;
            match session.run(&feed) {
                Ok(outputs) => {
                    let learned = self.band(&self.only(outputs)?, length)?;
                    let length = length.min(SHORT);
                    let rows = Padding::EverySide.rows(length);
                    let feed = fill(inputs, &rows, length, &self.options.mask_input, |_| 3)?;
                    let outputs = session.run(&feed).map_err(|source| Error::Runtime {
                        what: "a mask's part of the graph could not be run on a padded batch",
                        source,
                    })?;
                    return self.padding(&self.only(outputs)?, &rows, length, learned);
                }
                Err(source) => failure = Some(source),
            }
        }
        Err(Error::Runtime {
            what: "a mask's part of the graph could not be run at any length",
            source: failure.unwrap_or_else(|| "no length was tried".into()),
        })
    }

    /// The part of the model that computes the mask, as float32.
    fn cut(&self) -> ModelProto {
        let needed = self.index.ancestors([self.term.tensor.as_str()]);
        let graph = self.index.graph;
        let mut node: Vec<NodeProto> = graph
            .node
            .iter()
            .enumerate()
            .filter(|(i, _)| needed.nodes.contains(i))
            .map(|(_, n)| n.clone())
            .collect();
        node.push(NodeProto {
            op_type: Some("Cast".to_owned()),
            input: vec![self.term.tensor.clone()],
            output: vec![PROBE.to_owned()],
            attribute: vec![AttributeProto {
                name: Some("to".to_owned()),
                r#type: Some(AttributeType::Int as i32),
                i: Some(i64::from(FLOAT)),
                ..AttributeProto::default()
            }],
            ..NodeProto::default()
        });
        let graph = GraphProto {
            name: Some(PROBE.to_owned()),
            node,
            initializer: graph
                .initializer
                .iter()
                .filter(|t| needed.tensors.contains(t.name()))
                .cloned()
                .collect(),
            input: graph
                .input
                .iter()
                .filter(|i| needed.tensors.contains(i.name()))
                .cloned()
                .collect(),
            output: vec![ValueInfoProto {
                name: Some(PROBE.to_owned()),
                ..ValueInfoProto::default()
            }],
            ..GraphProto::default()
        };
        ModelProto { graph: Some(graph), ..self.model.clone_without_graph() }
    }

    fn only(&self, mut outputs: Vec<(String, Tensor)>) -> Result<Tensor, Error> {
        match (outputs.pop(), outputs.pop()) {
            (Some((_, tensor)), None) => Ok(tensor),
            _ => Err(self.refuse("its part of the graph has not one output".to_owned())),
        }
    }

    /// Which keys the unpadded sequence sees: must be a band.
    fn band(&self, mask: &Tensor, length: usize) -> Result<Meaning, Error> {
        let view = View::new(self, mask, 2, length)?;
        let (mut left, mut right) = (0, 0);
        for query in 0..length {
            for key in 0..length {
                if view.keeps(self, 0, query, key)? {
                    left = left.max(query.saturating_sub(key));
                    right = right.max(key.saturating_sub(query));
                }
            }
        }
        let open = |side: usize| (side + 1 < length).then_some(side);
        let meaning = Meaning { left: open(left), right: open(right), hides_padding: false };
        for query in 0..length {
            for key in 0..length {
                if view.keeps(self, 0, query, key)? != meaning.sees(query, key) {
                    return Err(self.refuse(format!(
                        "without padding it is no window: query {query} and key {key} break the band -{left}..+{right}"
                    )));
                }
            }
        }
        Ok(meaning)
    }

    /// Whether padded keys are hidden, given the window: must hold for every token's row of every sequence.
    fn padding(
        &self,
        mask: &Tensor,
        rows: &[Vec<bool>],
        length: usize,
        band: Meaning,
    ) -> Result<Meaning, Error> {
        let view = View::new(self, mask, rows.len(), length)?;
        let mut fits = [true, true];
        let mut broken = (0, 0, 0);
        for (batch, tokens) in rows.iter().enumerate() {
            for query in (0..length).filter(|&query| tokens[query]) {
                for (key, &token) in tokens.iter().enumerate() {
                    let kept = view.keeps(self, batch, query, key)?;
                    let seen = band.sees(query, key);
                    for (fits, expected) in fits.iter_mut().zip([seen, seen && token]) {
                        if *fits && kept != expected {
                            (*fits, broken) = (false, (batch, query, key));
                        }
                    }
                }
            }
        }
        match fits {
            [true, _] => Ok(band),
            [false, true] => Ok(Meaning { hides_padding: true, ..band }),
            [false, false] => {
                let (batch, query, key) = broken;
                Err(self.refuse(format!(
                    "it is neither a window nor a window with key padding: sequence {batch}, query {query}, key {key}"
                )))
            }
        }
    }
}

/// Sequences to probe with: true for a token.
#[derive(Clone, Copy)]
enum Padding {
    /// One whole, one padded on the right.
    Plain,
    /// The same, and one padded on the left, one on both sides, one with holes.
    EverySide,
}

impl Padding {
    fn rows(self, n: usize) -> Vec<Vec<bool>> {
        let row = |keep: &dyn Fn(usize) -> bool| (0..n).map(keep).collect();
        let mut rows = vec![row(&|_| true), row(&|i| i < n - n / 3)];
        if matches!(self, Self::EverySide) {
            rows.push(row(&|i| i >= n / 4));
            rows.push(row(&|i| i >= n / 8 && i < n - n / 5));
            rows.push(row(&|i| i % 7 != 3));
        }
        rows
    }
}

/// A mask that broadcasts to `[batch, heads, length, length]`.
struct View<'t> {
    data: &'t [f32],
    /// Batch, heads, queries, keys; 0 where it broadcasts.
    strides: [usize; 4],
    heads: usize,
    /// For [`TermKind::AddedOrKeeps`].
    is_bool: bool,
}

impl<'t> View<'t> {
    fn new(
        probe: &Probe<'_>,
        mask: &'t Tensor,
        batch: usize,
        length: usize,
    ) -> Result<Self, Error> {
        let data = mask.f32().ok_or_else(|| probe.refuse("it is no float tensor".to_owned()))?;
        let wrong = || {
            probe.refuse(format!(
                "its shape {:?} does not fit batch {batch}, length {length}",
                mask.shape
            ))
        };
        let rank = mask.shape.len();
        if rank > 4 || mask.shape.iter().product::<usize>() != data.len() || data.is_empty() {
            return Err(wrong());
        }
        let mut dims = [1; 4];
        dims[4 - rank..].copy_from_slice(&mask.shape);
        let fits = |dim: usize, full: usize| dim == 1 || dim == full;
        if !(fits(dims[0], batch) && fits(dims[2], length) && fits(dims[3], length)) {
            return Err(wrong());
        }
        let mut strides = [0; 4];
        let mut stride = 1;
        for axis in (0..4).rev() {
            strides[axis] = if dims[axis] == 1 { 0 } else { stride };
            stride *= dims[axis];
        }
        let is_bool = data.iter().all(|&x| x == 0.0 || x == 1.0) && data.contains(&1.0);
        Ok(Self { data, strides, heads: dims[1], is_bool })
    }

    fn keeps(
        &self,
        probe: &Probe<'_>,
        batch: usize,
        query: usize,
        key: usize,
    ) -> Result<bool, Error> {
        let at = |head: usize| {
            self.data[batch * self.strides[0]
                + head * self.strides[1]
                + query * self.strides[2]
                + key * self.strides[3]]
        };
        let value = at(0);
        if (1..self.heads).any(|head| at(head).to_bits() != value.to_bits()) {
            return Err(probe.refuse("it differs between heads".to_owned()));
        }
        let value = f64::from(value);
        let factor = match probe.term.kind {
            TermKind::KeepsWhereTrue => return Ok(value != 0.0),
            TermKind::HidesWhereTrue => return Ok(value == 0.0),
            TermKind::AddedOrKeeps if self.is_bool => return Ok(value != 0.0),
            TermKind::AddedOrKeeps => 1.0,
            TermKind::Added(factor) => factor,
        };
        let added = value * factor;
        if added == 0.0 {
            Ok(true)
        } else if added <= MASKED_AT_MOST {
            Ok(false)
        } else {
            Err(probe.refuse(format!(
                "it adds {added} for query {query} and key {key}; 0 keeps a key and -10000 or less hides it"
            )))
        }
    }
}
