//! What can go wrong, each with the node or tensor it is about.

use std::path::PathBuf;

use crate::runtime::RuntimeError;

/// Why a model was not rewritten.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The bytes are no ONNX model.
    #[error("{path} is no ONNX model")]
    Decode {
        /// The file.
        path: PathBuf,
        /// Why.
        source: prost::DecodeError,
    },
    /// The model has parts that this program's ONNX schema lacks and that writing would lose.
    #[error(
        "{path} has {lost} bytes in fields that this program does not know; writing it would lose them"
    )]
    UnknownFields {
        /// The file.
        path: PathBuf,
        /// How many bytes.
        lost: usize,
    },
    /// The model has no graph.
    #[error("the model has no graph")]
    NoGraph,
    /// Nothing to replace.
    #[error(
        "no attention found: the graph has neither a Softmax between two MatMuls of activations nor an Attention node"
    )]
    NoAttention,
    /// The operator is there already.
    #[error("node {node} is a CKFlashAttention already")]
    AlreadyRewritten {
        /// Its name.
        node: String,
    },
    /// Another tool has fused attention in a way that cannot be taken apart.
    #[error("node {node} is a fused {operator}; start from the unfused export")]
    AlreadyFused {
        /// Its name.
        node: String,
        /// Its operator.
        operator: String,
    },
    /// A node takes part in attention, but not in a way that is known.
    #[error("attention at {node} is not understood: {reason}")]
    Pattern {
        /// The Softmax or Attention node.
        node: String,
        /// What does not fit.
        reason: String,
    },
    /// A mask does something other than a window and key padding.
    #[error("mask {tensor} is not understood: {reason}")]
    Mask {
        /// The tensor.
        tensor: String,
        /// What it does.
        reason: String,
    },
    /// A graph input that cannot be filled for probing and comparing.
    #[error("graph input {input}: {reason}")]
    Input {
        /// Its name.
        input: String,
        /// What is wrong.
        reason: String,
    },
    /// External data that does not lie beside the model.
    #[error(
        "tensor {tensor} has external data at {location:?}; only plain file names beside the model are followed"
    )]
    ExternalData {
        /// The tensor.
        tensor: String,
        /// What the model says.
        location: String,
    },
    /// The runtime could not open or run a model.
    #[error("{what}")]
    Runtime {
        /// What was tried.
        what: &'static str,
        /// The runtime's answer.
        source: RuntimeError,
    },
    /// Old and new model give different logits.
    #[error(
        "logits differ by {error:e} (largest logit {largest:.3}, accepted {accepted:e}) on {case}; nothing is written"
    )]
    Different {
        /// Largest difference.
        error: f64,
        /// Largest logit of the original.
        largest: f64,
        /// What is accepted.
        accepted: f64,
        /// The worst input.
        case: String,
    },
    /// One of the models gives other outputs.
    #[error("output {output}: {reason}")]
    Output {
        /// Its name.
        output: String,
        /// What differs.
        reason: String,
    },
}
