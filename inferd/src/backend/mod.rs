//! What runs a model: a small trait, ONNX Runtime behind it, and a fake for tests.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::models::{ModelError, ModelSpec};

pub mod fake;
pub mod ort;

/// Rows of token ids, padded to one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// How many rows; at least 1.
    pub rows: usize,
    /// Tokens in each row, padding included; at least 1.
    pub width: usize,
    /// Row-major `[rows, width]`, filled up with the tokenizer's padding id.
    pub ids: Vec<i64>,
    /// Row-major `[rows, width]`: 1 for tokens, 0 for padding.
    pub mask: Vec<i64>,
}

impl Batch {
    /// Pads `windows` to the longest.
    #[must_use]
    pub fn of(windows: &[&[u32]], pad: u32) -> Self {
        let rows = windows.len();
        let width = windows.iter().map(|w| w.len()).max().unwrap_or(0);
        let mut ids = Vec::with_capacity(rows * width);
        let mut mask = Vec::with_capacity(rows * width);
        for window in windows {
            ids.extend(window.iter().map(|id| i64::from(*id)));
            mask.extend(window.iter().map(|_| 1));
            ids.resize(ids.len() + width - window.len(), i64::from(pad));
            mask.resize(ids.len(), 0);
        }
        Self { rows, width, ids, mask }
    }
}

/// One output of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// `[rows, labels]` or `[rows, width, labels]`.
    pub shape: Vec<usize>,
    /// Row-major, as long as the product of `shape`.
    pub data: Vec<f32>,
}

/// Why a run failed. The message comes from the runtime and may be logged: it names nodes and shapes, never text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the run failed: {0}")]
pub struct RunError(pub String);

/// A loaded model. Owned by one worker thread.
pub trait Backend: Send {
    /// Runs a batch; gives one tensor for each head of the model, in their order.
    ///
    /// # Errors
    ///
    /// When the runtime fails; the backend can be used again.
    fn run(&mut self, batch: &Batch) -> Result<Vec<Tensor>, RunError>;
}

/// Makes backends.
pub trait Runtime: Send + Sync {
    /// Loads a model and checks that the graph has the inputs and outputs that the folder describes.
    ///
    /// # Errors
    ///
    /// Names the file and what is wrong with it.
    fn open(&self, spec: &ModelSpec) -> Result<Box<dyn Backend>, ModelError>;

    /// Whether the operators that rewritten graphs need are there.
    fn has_operators(&self) -> bool {
        false
    }

    /// A graph with these operators that computes what the model's own does, made if need be; `None` where that is not done.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    fn rewritten(&self, _spec: &ModelSpec) -> Result<Option<PathBuf>, ModelError> {
        Ok(None)
    }

    /// The runtime's version and the provider that runs the nodes, for logs and metrics.
    fn describe(&self) -> RuntimeInfo;
}

/// Where a model's nodes run.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// The CPU.
    Cpu,
    /// NVIDIA GPUs.
    Cuda,
    /// AMD GPUs by ONNX Runtime's ROCm provider (up to 1.22), with the operator library of this project.
    Rocm,
    /// AMD GPUs by MIGraphX, with the plain graph.
    Migraphx,
}

impl Provider {
    /// The word in configuration, logs and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
            Self::Rocm => "rocm",
            Self::Migraphx => "migraphx",
        }
    }
}

/// What a [`Runtime`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeInfo {
    /// Version and build, as the library tells it.
    pub version: String,
    /// Where the nodes run: `cpu`, `rocm`, ...
    pub provider: &'static str,
    /// Whether a session runs on the CPU, as a whole or in part, although another provider was asked for.
    pub fell_back: bool,
    /// How many nodes each provider took, of the models opened last, where the runtime was asked.
    pub nodes: BTreeMap<String, usize>,
}
