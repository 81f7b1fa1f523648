//! What the rewriter asks of ONNX Runtime, so that it need not know it.

use std::path::Path;

/// Why the runtime refused, in its own words.
pub type RuntimeError = Box<dyn std::error::Error + Send + Sync>;

/// Opens models. `com.ck::CKFlashAttention` must be registered.
pub trait Runtime {
    /// Loads a model file (external data lies beside it).
    ///
    /// # Errors
    ///
    /// The runtime's own, whatever its type.
    fn open(&self, model: &Path) -> Result<Box<dyn Session>, RuntimeError>;
}

/// A loaded model.
pub trait Session {
    /// Runs it on named inputs and returns all outputs in the model's order.
    ///
    /// # Errors
    ///
    /// The runtime's own, whatever its type.
    fn run(&mut self, inputs: &[(String, Tensor)]) -> Result<Vec<(String, Tensor)>, RuntimeError>;
}

/// A dense tensor, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Extents.
    pub shape: Vec<usize>,
    /// As many elements as the extents say.
    pub data: Data,
}

/// Elements. Models for text take and give no others; a runtime converts fp16 outputs to `F32`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Data {
    /// float32
    F32(Vec<f32>),
    /// int64
    I64(Vec<i64>),
    /// int32
    I32(Vec<i32>),
    /// bool
    Bool(Vec<bool>),
}

impl Tensor {
    /// The elements if they are float32.
    #[must_use]
    pub fn f32(&self) -> Option<&[f32]> {
        match &self.data {
            Data::F32(data) => Some(data),
            Data::I64(_) | Data::I32(_) | Data::Bool(_) => None,
        }
    }
}
