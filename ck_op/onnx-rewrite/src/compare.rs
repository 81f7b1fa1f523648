//! Runs two models on the same random, padded inputs and measures how far their outputs are apart.

use std::fmt;
use std::path::Path;

use crate::error::Error;
use crate::model;
use crate::onnx::{GraphProto, ModelProto, ValueInfoProto, tensor_proto::DataType, type_proto};
use crate::runtime::{Data, Runtime, RuntimeError, Tensor};
use crate::{Options, Padded};

/// Lengths to compare at. Models with fewer positions stop at the last that they can do.
const LENGTHS: [usize; 7] = [7, 1, 64, 65, 150, 300, 600];
/// Without a vocabulary to be found, token ids stay below this.
const FEW_IDS: i64 = 64;

/// How far two models are apart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// Largest difference between two logits of tokens.
    pub error: f64,
    /// Largest logit of the first model.
    pub largest: f64,
    /// Inputs that were compared.
    pub cases: usize,
    /// The input with the largest difference.
    pub worst: Case,
    /// The models ran with more than one sequence; some exports cannot.
    pub batched: bool,
    /// How far the first model is from itself: the largest difference of a sequence's logits alone and in a batch. Only
    /// measured where activations are quantised at run time, with one scale for all tokens of the batch; else 0.
    pub noise: f64,
}

impl Comparison {
    /// Is the difference small enough? `tolerance` is a share of the largest logit, or of 1 if that is more. No more is
    /// asked of the second model than of the first: twice its noise is accepted, as both are that far from exact.
    ///
    /// # Errors
    ///
    /// [`Error::Different`] names the worst input.
    pub fn accept(&self, tolerance: f64) -> Result<(), Error> {
        let accepted = (tolerance * self.largest.max(1.0)).max(2.0 * self.noise);
        // Written so that NaN is refused.
        if self.error <= accepted {
            return Ok(());
        }
        Err(Error::Different {
            error: self.error,
            largest: self.largest,
            accepted,
            case: self.worst.to_string(),
        })
    }
}

/// One input: a batch of equal length, padded in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Sequences.
    pub batch: usize,
    /// Positions.
    pub length: usize,
    /// Where padding goes from the second sequence on.
    pub padding: Side,
}

/// Which end is padded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// None.
    Neither,
    /// The end.
    Right,
    /// The start.
    Left,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { batch, length, .. } = self;
        let padding = match self.padding {
            Side::Neither => "no padding",
            Side::Right => "padding on the right",
            Side::Left => "padding on the left",
        };
        write!(f, "{batch} sequences of {length} positions, {padding}")
    }
}

impl Case {
    /// True for a token. Sequence 0 is whole in a batch; alone it is padded.
    fn rows(self) -> Vec<Vec<bool>> {
        let n = self.length;
        let row = |b: usize| {
            let hidden = if self.batch > 1 { n * b / (self.batch + 1) } else { n / 3 };
            let keep = move |i: usize| match self.padding {
                Side::Neither => true,
                Side::Right => i < n - hidden,
                Side::Left => i >= hidden,
            };
            (0..n).map(keep).collect()
        };
        (0..self.batch).map(row).collect()
    }
}

/// Tensors for a model's inputs, by what each is: the mask, token types (0), positions, or token ids from `id`.
pub(crate) fn fill(
    inputs: &[ValueInfoProto],
    rows: &[Vec<bool>],
    length: usize,
    mask_input: &str,
    mut id: impl FnMut(usize) -> i64,
) -> Result<Vec<(String, Tensor)>, Error> {
    let count = rows.len() * length;
    let mut feed = Vec::new();
    for input in inputs {
        let name = input.name();
        let refuse =
            |reason: &str| Error::Input { input: name.to_owned(), reason: reason.to_owned() };
        let Some(type_proto::Value::TensorType(tensor)) =
            input.r#type.as_ref().and_then(|t| t.value.as_ref())
        else {
            return Err(refuse("it is no tensor"));
        };
        if tensor.shape.as_ref().is_some_and(|shape| shape.dim.len() != 2) {
            return Err(refuse("it is not [batch, positions]"));
        }
        let values: Vec<i64> = if name == mask_input {
            rows.iter().flatten().map(|&token| i64::from(token)).collect()
        } else if name.contains("token_type") || name.contains("segment") {
            vec![0; count]
        } else if name.contains("position") {
            (0..count).map(|i| i64::try_from(i % length).unwrap_or(0)).collect()
        } else {
            (0..count).map(&mut id).collect()
        };
        let data = match DataType::try_from(tensor.elem_type()) {
            Ok(DataType::Int64) => Data::I64(values),
            Ok(DataType::Int32) => {
                Data::I32(values.iter().map(|&x| i32::try_from(x).unwrap_or(i32::MAX)).collect())
            }
            Ok(DataType::Bool) => Data::Bool(values.iter().map(|&x| x != 0).collect()),
            #[allow(clippy::cast_precision_loss, reason = "ids are small")]
            Ok(DataType::Float) => Data::F32(values.iter().map(|&x| x as f32).collect()),
            _ => return Err(refuse("its type is none of int64, int32, bool and float32")),
        };
        feed.push((name.to_owned(), Tensor { shape: vec![rows.len(), length], data }));
    }
    Ok(feed)
}

/// The inputs that a caller must feed: those that no initializer gives.
fn fed_inputs(graph: &GraphProto) -> Vec<ValueInfoProto> {
    let given = |name: &str| graph.initializer.iter().any(|tensor| tensor.name() == name);
    graph.input.iter().filter(|input| !given(input.name())).cloned().collect()
}

/// Rows of the embedding that the token ids index, if one is found.
fn vocabulary(graph: &GraphProto) -> Option<i64> {
    let index = crate::graph::Index::new(graph);
    let gathers =
        graph.input.iter().filter(|input| input.name().contains("ids")).flat_map(|input| {
            index
                .consumers(input.name())
                .iter()
                .map(|&i| index.node(i))
                .filter(|node| node.op_type() == "Gather")
        });
    gathers
        .filter_map(|node| index.initializer(node.input.first()?))
        .filter_map(|table| table.dims.first().copied())
        .min()
}

/// A few bits at a time, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap_or(0) % end.max(1)
    }
}

pub(crate) fn run(
    first: &Path,
    second: &Path,
    model: &ModelProto,
    options: &Options,
    runtime: &dyn Runtime,
) -> Result<Comparison, Error> {
    let graph = model::graph(model)?;
    let inputs = fed_inputs(graph);
    let ids = vocabulary(graph).unwrap_or(FEW_IDS);
    let open =
        |path: &Path, what| runtime.open(path).map_err(|source| Error::Runtime { what, source });
    let quantised = graph.node.iter().any(|node| node.op_type().starts_with("DynamicQuantize"));
    let mut old = open(first, "the original model could not be loaded")?;
    let mut new = open(second, "the rewritten model could not be loaded")?;
    let mut random = Random(options.seed);
    let start = Case { batch: 1, length: 1, padding: Side::Neither };
    let mut found =
        Comparison { error: 0.0, largest: 0.0, cases: 0, worst: start, batched: false, noise: 0.0 };
    let mut failures: Vec<RuntimeError> = Vec::new();

    let mut single_only = None;
    for length in LENGTHS {
        let mut ran = false;
        for batch in [3, 1] {
            for padding in [Side::Right, Side::Left, Side::Neither] {
                let single = batch > 1 && single_only == Some(true);
                if single || padding == Side::Left && options.padding == Padded::Right {
                    continue;
                }
                let case = Case { batch, length, padding };
                // Ids from 3 up: the lower ones are special in most vocabularies, and padding is a matter of the mask.
                let feed = fill(&inputs, &case.rows(), length, &options.mask_input, |_| {
                    3 + random.below(ids - 3)
                })?;
                match old.run(&feed) {
                    Ok(expected) => {
                        ran = true;
                        single_only.get_or_insert(batch == 1);
                        found.batched |= batch > 1;
                        let got = new.run(&feed).map_err(|source| Error::Runtime {
                            what: "the rewritten model could not be run",
                            source,
                        })?;
                        found.add(case, &expected, &got)?;
                        if quantised && batch > 1 {
                            for (b, tokens) in case.rows().iter().enumerate() {
                                let alone = old.run(&sequence(&feed, b, length)).map_err(|source| Error::Runtime {
                                    what: "the original model could not be run on a sequence alone",
                                    source,
                                })?;
                                found.noise =
                                    found.noise.max(own_difference(&expected, &alone, b, tokens));
                            }
                        }
                    }
                    Err(source) => failures.push(source),
                }
            }
        }
        // Length 1 may be beyond an exporter's assumptions; a long one beyond the model's positions.
        if !ran && length > 1 {
            break;
        }
    }
    if found.cases == 0 {
        let source = failures.pop().unwrap_or_else(|| "no input was tried".into());
        return Err(Error::Runtime { what: "the original model could not be run", source });
    }
    Ok(found)
}

/// Sequence `b` of a batch as a batch of its own.
fn sequence(feed: &[(String, Tensor)], b: usize, length: usize) -> Vec<(String, Tensor)> {
    fn cut<T: Clone>(data: &[T], b: usize, length: usize) -> Vec<T> {
        data.iter().skip(b * length).take(length).cloned().collect()
    }
    let one = |tensor: &Tensor| Tensor {
        shape: vec![1, length],
        data: match &tensor.data {
            Data::F32(data) => Data::F32(cut(data, b, length)),
            Data::I64(data) => Data::I64(cut(data, b, length)),
            Data::I32(data) => Data::I32(cut(data, b, length)),
            Data::Bool(data) => Data::Bool(cut(data, b, length)),
        },
    };
    feed.iter().map(|(name, tensor)| (name.clone(), one(tensor))).collect()
}

/// Largest difference between the outputs of sequence `b` in a batch and alone, padded positions left out.
fn own_difference(
    batch: &[(String, Tensor)],
    alone: &[(String, Tensor)],
    b: usize,
    tokens: &[bool],
) -> f64 {
    let mut largest = 0.0f64;
    for ((_, together), (_, one)) in batch.iter().zip(alone) {
        let (Some(x), Some(y)) = (together.f32(), one.f32()) else { continue };
        let by_token = one.shape.len() >= 3 && one.shape[1] == tokens.len();
        let per_row = if by_token { y.len() / tokens.len().max(1) } else { y.len() };
        for (i, (&x, &y)) in x.iter().skip(b * y.len()).zip(y).enumerate() {
            if !by_token || tokens[i / per_row.max(1)] {
                largest = largest.max((f64::from(x) - f64::from(y)).abs());
            }
        }
    }
    largest
}

impl Comparison {
    fn add(
        &mut self,
        case: Case,
        expected: &[(String, Tensor)],
        got: &[(String, Tensor)],
    ) -> Result<(), Error> {
        self.cases += 1;
        let rows = case.rows();
        for ((name, a), (other, b)) in expected.iter().zip(got) {
            let refuse = |reason: String| Error::Output { output: name.clone(), reason };
            if name != other || a.shape != b.shape {
                return Err(refuse(format!("{:?} became {other} {:?}", a.shape, b.shape)));
            }
            let (Some(x), Some(y)) = (a.f32(), b.f32()) else {
                if a.data == b.data {
                    continue;
                }
                return Err(refuse("it is no float and differs".to_owned()));
            };
            // [batch, positions, ...]: padded positions say nothing.
            let by_token = a.shape.len() >= 3 && a.shape.starts_with(&[case.batch, case.length]);
            let per_row = if by_token { a.shape[2..].iter().product::<usize>() } else { 1 };
            for (i, (&x, &y)) in x.iter().zip(y).enumerate() {
                let row = i / per_row.max(1);
                if by_token && !rows[row / case.length][row % case.length] {
                    continue;
                }
                let (x, y) = (f64::from(x), f64::from(y));
                self.largest = self.largest.max(x.abs());
                let error = if x.is_nan() && y.is_nan() { 0.0 } else { (x - y).abs() };
                // Not `max`: a NaN must win.
                if error.is_nan() || error > self.error {
                    (self.error, self.worst) = (error, case);
                    if error.is_nan() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}
