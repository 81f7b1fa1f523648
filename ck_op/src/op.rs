//! What the operator accepts, and the error for what it does not. No ABI types and no `unsafe`.
//!
//! Every message names the tensor or attribute, what it got and what is allowed.

mod layout;

use std::fmt;

pub use layout::{Dims, Layout};

/// Head dimensions that every back end has a kernel for.
pub const HEAD_DIMS: [usize; 3] = [32, 64, 128];
/// Longest sequence: positions are 32-bit in the kernels, with room for a window to be added.
pub const MAX_SEQUENCE: usize = 1 << 24;
/// A key whose bias is this or lower takes no part: exporters write -10000, -65504, the lowest float or -inf.
pub const MASKED_AT_MOST: f32 = -1.0e4;

/// Element type of Q, K, V, the bias and the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// IEEE single precision.
    Float32,
    /// IEEE half precision.
    Float16,
    /// Truncated single precision; the HIP back end only.
    BFloat16,
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Float32 => "float32",
            Self::Float16 => "float16",
            Self::BFloat16 => "bfloat16",
        })
    }
}

/// One of the operator's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Queries `[batch, heads, queries, head_dim]`.
    Q,
    /// Keys `[batch, heads, keys, head_dim]`.
    K,
    /// Values `[batch, heads, keys, head_dim]`.
    V,
    /// Key bias `[batch | 1, 1, 1, keys]`, added to the scores; at most [`MASKED_AT_MOST`] means masked.
    KeyBias,
    /// Cosines of the rotary embedding, `[batch | 1, 1, positions, head_dim]`.
    Cos,
    /// Sines of the rotary embedding, likewise.
    Sin,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Q => "Q",
            Self::K => "K",
            Self::V => "V",
            Self::KeyBias => "key_bias",
            Self::Cos => "cos",
            Self::Sin => "sin",
        })
    }
}

/// Why a call or a node was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Wrong number of dimensions.
    #[error("{input} must be [{wanted}]; got rank {rank}")]
    Rank {
        /// The tensor.
        input: Input,
        /// Its layout in words.
        wanted: &'static str,
        /// Dimensions found.
        rank: usize,
    },
    /// A dimension that must agree with Q's.
    #[error("{input} has {dimension} {got}; it must be {wanted}")]
    Dimension {
        /// The tensor.
        input: Input,
        /// Which dimension.
        dimension: &'static str,
        /// Found.
        got: i64,
        /// Allowed, in words.
        wanted: String,
    },
    /// A head dimension without a kernel.
    #[error("Q has head_dim {got}; the kernels are built for 32, 64 and 128")]
    HeadDim {
        /// Found.
        got: i64,
    },
    /// Element types differ, or the back end lacks this one.
    #[error("{input} is {got}; it must be {wanted}")]
    ElementType {
        /// The tensor.
        input: Input,
        /// Found, as ONNX Runtime names it.
        got: String,
        /// Allowed.
        wanted: &'static str,
    },
    /// A required input is absent.
    #[error("{input} is missing")]
    Missing {
        /// The tensor.
        input: Input,
    },
    /// A bias that is no number.
    #[error("key_bias[{batch}, 0, 0, {key}] is {got}; it must be finite or -inf")]
    BiasValue {
        /// Row.
        batch: usize,
        /// Column.
        key: usize,
        /// Found.
        got: f32,
    },
    /// Attribute `scale`.
    #[error("attribute scale is {got}; it must be finite and greater than 0")]
    Scale {
        /// Found.
        got: f32,
    },
    /// Attribute `window_size_left` or `window_size_right`.
    #[error("attribute {name} is {got}; it must be -1 (open) or 0 to 16777216")]
    Window {
        /// Which side.
        name: &'static str,
        /// Found.
        got: i64,
    },
    /// An attribute that is a switch.
    #[error("attribute {name} is {got}; it must be 0 or 1")]
    Switch {
        /// Which attribute.
        name: &'static str,
        /// Found.
        got: i64,
    },
}

/// Which keys a query may see, counted from its own position; both ends belong to the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Keys to the left; `None` is open.
    pub left: Option<usize>,
    /// Keys to the right; `None` is open.
    pub right: Option<usize>,
}

impl Window {
    /// No limit on either side.
    pub const OPEN: Self = Self { left: None, right: None };

    /// From the attributes, where -1 is open.
    ///
    /// # Errors
    ///
    /// [`Error::Window`] for anything below -1 or above [`MAX_SEQUENCE`].
    pub fn from_attributes(left: i64, right: i64) -> Result<Self, Error> {
        let side = |name, got: i64| match got {
            -1 => Ok(None),
            _ => usize::try_from(got)
                .ok()
                .filter(|&size| size <= MAX_SEQUENCE)
                .map(Some)
                .ok_or(Error::Window { name, got }),
        };
        Ok(Self { left: side("window_size_left", left)?, right: side("window_size_right", right)? })
    }

    /// The keys, among `keys`, that the query at `query` may see.
    #[must_use]
    pub fn keys(self, query: usize, keys: usize) -> std::ops::Range<usize> {
        let start = self.left.map_or(0, |left| query.saturating_sub(left)).min(keys);
        let end = self.right.map_or(keys, |right| keys.min(query + right + 1));
        start..end.max(start)
    }
}

/// The node's attributes, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attributes {
    /// Factor on the scores, usually 1/sqrt(head_dim).
    pub scale: f32,
    /// The sliding window.
    pub window: Window,
    /// The graph never uses output rows at positions whose own key is masked: they may be left out (and are then zero).
    /// Only meaningful where queries and keys are the same positions.
    pub padded_queries_unused: bool,
    /// Products may be taken in bfloat16 (sums stay fp32) where the CPU has an instruction for it.
    pub allow_bf16: bool,
}

impl Attributes {
    /// Checks the raw attribute values.
    ///
    /// # Errors
    ///
    /// [`Error::Scale`], [`Error::Window`] or [`Error::Switch`].
    pub fn new(
        scale: f32,
        left: i64,
        right: i64,
        padded_queries_unused: i64,
        allow_bf16: i64,
    ) -> Result<Self, Error> {
        if !(scale.is_finite() && scale > 0.0) {
            return Err(Error::Scale { got: scale });
        }
        Ok(Self {
            scale,
            window: Window::from_attributes(left, right)?,
            padded_queries_unused: switch("padded_queries_unused", padded_queries_unused)?,
            allow_bf16: switch("allow_bf16", allow_bf16)?,
        })
    }
}

/// Extents of one call. Q and the output are `[batch, heads, queries, head_dim]`, K and V have `keys` rows, row-major.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Sequences.
    pub batch: usize,
    /// Attention heads.
    pub heads: usize,
    /// Query positions per sequence.
    pub queries: usize,
    /// Key positions per sequence.
    pub keys: usize,
    /// Elements per row; one of [`HEAD_DIMS`].
    pub head_dim: usize,
}

impl Shape {
    /// Elements of Q and of the output.
    #[must_use]
    pub fn query_elements(&self) -> usize {
        self.batch * self.heads * self.queries * self.head_dim
    }

    /// Elements of K, and of V.
    #[must_use]
    pub fn key_elements(&self) -> usize {
        self.batch * self.heads * self.keys * self.head_dim
    }

    /// Checks the dimensions that ONNX Runtime reports for Q, K, V and the bias.
    ///
    /// # Errors
    ///
    /// [`Error::Rank`], [`Error::Dimension`] or [`Error::HeadDim`], for the first tensor that does not fit.
    pub fn check(q: &[i64], k: &[i64], v: &[i64], key_bias: Option<&[i64]>) -> Result<Self, Error> {
        let of = |input, wanted, dims: &[i64]| {
            <[i64; 4]>::try_from(dims).map_err(|_| Error::Rank { input, wanted, rank: dims.len() })
        };
        let [batch, heads, queries, head_dim] = of(Input::Q, "batch, heads, queries, head_dim", q)?;
        let kd = of(Input::K, "batch, heads, keys, head_dim", k)?;
        let vd = of(Input::V, "batch, heads, keys, head_dim", v)?;
        let shape = Self {
            batch: extent(Input::Q, "batch", batch)?,
            heads: extent(Input::Q, "heads", heads)?,
            queries: extent(Input::Q, "queries", queries)?,
            keys: extent(Input::K, "keys", kd[2])?,
            head_dim: usize::try_from(head_dim)
                .ok()
                .filter(|d| HEAD_DIMS.contains(d))
                .ok_or(Error::HeadDim { got: head_dim })?,
        };
        for (input, dims) in [(Input::K, kd), (Input::V, vd)] {
            let wanted = [batch, heads, kd[2], head_dim];
            for ((dimension, got), wanted) in
                ["batch", "heads", "keys", "head_dim"].into_iter().zip(dims).zip(wanted)
            {
                if got != wanted {
                    return Err(Error::Dimension {
                        input,
                        dimension,
                        got,
                        wanted: wanted.to_string(),
                    });
                }
            }
        }
        if let Some(dims) = key_bias {
            let [rows, heads, queries, keys] = of(Input::KeyBias, "batch or 1, 1, 1, keys", dims)?;
            let wrong = |dimension, got, wanted| {
                Err(Error::Dimension { input: Input::KeyBias, dimension, got, wanted })
            };
            if rows != batch && rows != 1 {
                return wrong("batch", rows, format!("{batch} or 1"));
            }
            if heads != 1 {
                return wrong("heads", heads, "1 (one bias for all heads)".to_owned());
            }
            if queries != 1 {
                return wrong(
                    "queries",
                    queries,
                    "1 (a mask over queries is no key bias)".to_owned(),
                );
            }
            if keys != kd[2] {
                return wrong("keys", keys, kd[2].to_string());
            }
        }
        // Nothing below multiplies extents before it knows that all products fit.
        let fits = |rows: usize| {
            [shape.batch, shape.heads, rows, shape.head_dim, size_of::<f32>()]
                .into_iter()
                .try_fold(1usize, usize::checked_mul)
                .is_some_and(|bytes| isize::try_from(bytes).is_ok())
        };
        if !fits(shape.queries) {
            return Err(Error::Dimension {
                input: Input::Q,
                dimension: "batch",
                got: batch,
                wanted: "smaller (bytes overflow)".to_owned(),
            });
        }
        if !fits(shape.keys) {
            return Err(Error::Dimension {
                input: Input::K,
                dimension: "batch",
                got: batch,
                wanted: "smaller (bytes overflow)".to_owned(),
            });
        }
        Ok(shape)
    }
}

/// The value of an attribute that is 0 or 1.
///
/// # Errors
///
/// [`Error::Switch`] for anything else.
pub fn switch(name: &'static str, got: i64) -> Result<bool, Error> {
    match got {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Error::Switch { name, got }),
    }
}

fn extent(input: Input, dimension: &'static str, got: i64) -> Result<usize, Error> {
    usize::try_from(got).ok().filter(|&n| n <= MAX_SEQUENCE).ok_or_else(|| Error::Dimension {
        input,
        dimension,
        got,
        wanted: format!("0 to {MAX_SEQUENCE}"),
    })
}

#[cfg(test)]
mod tests;
