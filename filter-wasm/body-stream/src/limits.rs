//! Caps on what one body may cost.

/// Caps on one body. Passing a cap is an [`crate::Error`], never a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the (decoded) body. Values above 4 GiB count as 4 GiB.
    pub max_body_bytes: usize,
    /// Open arrays and objects, in the body and in JSON inside a string.
    pub max_depth: usize,
    /// Bytes of text held over all passages.
    pub max_text_bytes: usize,
    /// Passages over the whole body.
    pub max_passages: usize,
    /// Bytes of one key, in objects that may hold text.
    pub max_key_bytes: usize,
    /// Keys in one object that may hold text.
    pub max_object_keys: usize,
    /// Bytes of the value of `model`.
    pub max_model_bytes: usize,
}

impl Default for Limits {
    /// 64 MiB of body, 8 MiB of text, depth 128 (simd-json and serde_json
    /// stop at 1024 and 128), and lists far above what real clients send.
    fn default() -> Self {
        Self {
            max_body_bytes: 64 << 20,
            max_depth: 128,
            max_text_bytes: 8 << 20,
            max_passages: 16_384,
            max_key_bytes: 4096,
            max_object_keys: 16_384,
            max_model_bytes: 1024,
        }
    }
}
