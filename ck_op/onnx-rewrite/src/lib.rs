//! Replaces the attention of an ONNX encoder by `com.ck::CKFlashAttention`.
//!
//! Exporters disagree about everything: names, casts, where the scale goes, whether the mask is a float or a bool, one
//! mask for all layers or one per layer. So nothing here looks at tensor names. [`find`] matches attention by structure,
//! [`mask`] learns what each mask means by *running* its part of the graph on probe inputs, and [`compare`](mod@compare)
//! runs the old and the new model side by side before anything is kept. What does not fit is refused, never guessed:
//! a model is rewritten in all its layers or not at all.
//!
//! The rejected alternative, patterns over tensor names with a window taken from a table, breaks with each exporter and
//! was off by one on the window in the work this follows.
//!
//! This crate knows no ONNX Runtime: the caller gives it a [`Runtime`].
//!
//! ```no_run
//! # fn example(runtime: &dyn onnx_rewrite::Runtime) -> Result<(), onnx_rewrite::Error> {
//! let options = onnx_rewrite::Options::default();
//! let report = onnx_rewrite::rewrite("model.onnx".as_ref(), "model_fa.onnx".as_ref(), &options, runtime)?;
//! assert_eq!(report.layers.len(), 22);
//! # Ok(())
//! # }
//! ```

pub mod compare;
mod emit;
mod error;
pub mod find;
mod fuse;
mod graph;
pub mod mask;
mod model;
mod nodes;
mod runtime;

use std::path::Path;

pub use compare::Comparison;
use emit::PaddedQueries;
pub use error::Error;
pub use mask::Meaning;
pub use runtime::{Data, Runtime, RuntimeError, Session, Tensor};

/// The ONNX schema.
pub mod onnx {
    #![allow(
        missing_docs,
        missing_debug_implementations,
        rustdoc::all,
        clippy::all,
        clippy::restriction,
        clippy::pedantic,
        reason = "generated from the .proto file, which carries the comments"
    )]
    include!(concat!(env!("OUT_DIR"), "/onnx.rs"));
}

/// Domain of the operator.
pub const DOMAIN: &str = "com.ck";
/// Name of the operator.
pub const OPERATOR: &str = "CKFlashAttention";

/// What the caller may choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// Graph input with 1 for tokens and 0 for padding.
    pub mask_input: String,
    /// Let the CPU kernel take products in bfloat16 (sums stay fp32).
    pub allow_bf16: bool,
    /// Largest difference of a logit that is accepted, as a share of the largest logit or of 1, whichever is more.
    /// `None`: 1e-5, or 2e-2 with `allow_bf16` or fp16 attention.
    pub tolerance: Option<f64>,
    /// Where the caller pads. A model that reads its answer off position 0 can leave out the rows of padded positions only
    /// if position 0 is never one.
    pub padding: Padded,
    /// What the operator computes in.
    pub precision: Precision,
    /// What happens to the nodes around attention.
    pub surroundings: Surroundings,
    /// Seed of the comparison's token ids.
    pub seed: u64,
}

/// Element type of the operator's tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// That of the model's activations.
    AsModel,
    /// fp16, as the HIP back end wants it: where the model is fp32, casts are put around each operator.
    Float16,
}

/// The split of a joint projection, the transposes and the rotary embedding around an attention layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings {
    /// The operator does them, in fp32 models, where they are as expected; else as `Kept`. For the CPU back end.
    Fused,
    /// They stay in the graph: any back end can run it.
    Kept,
}

/// Where a caller puts padding; the comparison pads there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padded {
    /// At either end.
    Either,
    /// At the end only.
    Right,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mask_input: "attention_mask".to_owned(),
            allow_bf16: false,
            tolerance: None,
            padding: Padded::Either,
            precision: Precision::AsModel,
            surroundings: Surroundings::Fused,
            seed: 1,
        }
    }
}

impl Options {
    fn tolerance(&self) -> f64 {
        let coarse = self.allow_bf16 || self.precision == Precision::Float16;
        self.tolerance.unwrap_or(if coarse { 2e-2 } else { 1e-5 })
    }
}

/// One layer of the rewritten model.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Name of the node that was replaced.
    pub replaced: String,
    /// Factor on the scores.
    pub scale: f32,
    /// What its mask computes.
    pub meaning: Meaning,
    /// What became of the nodes around it.
    pub surroundings: Surroundings,
}

/// What [`rewrite`] did.
#[derive(Clone, Debug)]
pub struct Report {
    /// In graph order.
    pub layers: Vec<Layer>,
    /// Nodes of the graph before.
    pub nodes_before: usize,
    /// Nodes after dead ones were removed.
    pub nodes_after: usize,
    /// The two models side by side.
    pub comparison: Comparison,
}

/// Writes `input` with its attention replaced to `output`.
///
/// External data stays external: files that `input` refers to are hard-linked (or copied) beside `output` if that is in
/// another folder. `output` appears only after the comparison passed; while the work runs there are files beside it whose
/// names start with a dot.
///
/// # Errors
///
/// [`Error`] says which node, mask or input does not fit and why; nothing is written then.
pub fn rewrite(
    input: &Path,
    output: &Path,
    options: &Options,
    runtime: &dyn Runtime,
) -> Result<Report, Error> {
    let original = model::read(input)?;
    let place = model::Place::prepare(&original, input, output)?;
    let blocks = find::blocks(&original)?;
    let meanings = mask::learn(&original, &blocks, options, runtime, &place)?;
    let nodes_before = model::graph(&original)?.node.len();
    let attempt = |surroundings, padded_queries| {
        let (rewritten, layers) =
            emit::apply(&original, &blocks, &meanings, options, surroundings, padded_queries)?;
        let draft = place.draft("rewritten", &rewritten)?;
        let comparison = compare::run(input, draft.path(), &original, options, runtime)?;
        comparison.accept(options.tolerance())?;
        Ok((rewritten, layers, comparison))
    };
    // Where every layer hides padding, the row of a padded position reaches no other row. Whether the graph uses it after
    // the last layer (a mean over all positions, say) only the comparison shows; so it does for what could not be read off
    // the nodes around attention. Best first.
    let surroundings = match (options.precision, options.surroundings) {
        (Precision::AsModel, Surroundings::Fused) => &[Surroundings::Fused, Surroundings::Kept][..],
        (Precision::Float16, _) | (_, Surroundings::Kept) => &[Surroundings::Kept],
    };
    let padded_queries = if meanings.iter().all(|meaning| meaning.hides_padding) {
        &[PaddedQueries::Skip, PaddedQueries::Compute][..]
    } else {
        &[PaddedQueries::Compute]
    };
    let attempts = surroundings.iter().flat_map(|s| padded_queries.iter().map(move |p| (*s, *p)));
    let mut outcome = Err(Error::NoAttention);
    for (surroundings, padded_queries) in attempts {
        outcome = attempt(surroundings, padded_queries);
        match &outcome {
            Err(Error::Different { .. }) => {}
            Err(_) if surroundings == Surroundings::Fused => {}
            Ok(_) | Err(_) => break,
        }
    }
    let (rewritten, layers, comparison) = outcome?;
    let nodes_after = model::graph(&rewritten)?.node.len();
    let rewritten = emit::with_metadata(rewritten, &layers, &comparison, options);
    let last = place.draft("final", &rewritten)?;
    last.keep(output)?;
    Ok(Report { layers, nodes_before, nodes_after, comparison })
}

/// Runs two models of the same inputs side by side, as [`rewrite`] does before it writes.
///
/// # Errors
///
/// [`Error`] if a model cannot be read or run; a difference is no error here, see [`Comparison::accept`].
pub fn compare_files(
    first: &Path,
    second: &Path,
    options: &Options,
    runtime: &dyn Runtime,
) -> Result<Comparison, Error> {
    let model = model::read(first)?;
    compare::run(first, second, &model, options, runtime)
}
