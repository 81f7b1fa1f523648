//! The order of dimensions that a node's tensors have, and the checks of the orders that come straight out of a projection.

use super::{Error, Input, Shape};

/// Order of the dimensions of Q, K, V and the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `[batch, heads, positions, head_dim]` each.
    HeadsFirst,
    /// `[batch, positions, heads, head_dim]` each, as a projection leaves them.
    TokensFirst,
    /// `[batch, positions, 3, heads, head_dim]`: Q, K and V in one tensor. The output is as in `TokensFirst`.
    Packed,
}

impl Layout {
    /// Elements of an input tensor, given those of one of Q, K and V.
    #[must_use]
    pub fn elements(self, of_one: usize) -> usize {
        match self {
            Self::HeadsFirst | Self::TokensFirst => of_one,
            Self::Packed => 3 * of_one,
        }
    }
}

/// Dimensions of a node's inputs, as ONNX Runtime reports them.
#[derive(Clone, Copy, Debug)]
pub struct Dims<'a> {
    /// Q, or all three.
    pub q: &'a [i64],
    /// Absent where Q holds all three.
    pub k: Option<&'a [i64]>,
    /// Absent where Q holds all three.
    pub v: Option<&'a [i64]>,
    /// Optional.
    pub key_bias: Option<&'a [i64]>,
    /// Cosines of the rotary embedding.
    pub cos: Option<&'a [i64]>,
    /// Sines of the rotary embedding.
    pub sin: Option<&'a [i64]>,
}

impl Dims<'_> {
    /// Checks all of them; `tokens_first` is the node's attribute.
    ///
    /// # Errors
    ///
    /// The first dimension or tensor that does not fit.
    pub fn check(&self, tokens_first: bool) -> Result<(Shape, Layout), Error> {
        let (shape, layout) = match (tokens_first, self.k, self.v) {
            (false, Some(k), Some(v)) => {
                (Shape::check(self.q, k, v, self.key_bias)?, Layout::HeadsFirst)
            }
            (true, Some(k), Some(v)) => {
                let wanted = "batch, positions, heads, head_dim";
                let [q, k, v] =
                    [(Input::Q, self.q), (Input::K, k), (Input::V, v)].map(|(input, dims)| {
                        let [b, s, h, d] = sized(input, wanted, dims)?;
                        Ok([b, h, s, d])
                    });
                (Shape::check(&q?, &k?, &v?, self.key_bias)?, Layout::TokensFirst)
            }
            (true, None, None) => {
                let wanted = "batch, positions, 3, heads, head_dim] without K and V, or [batch, positions, heads, head_dim";
                let [b, s, three, h, d] = sized(Input::Q, wanted, self.q)?;
                if three != 3 {
                    return Err(Error::Dimension {
                        input: Input::Q,
                        dimension: "parts",
                        got: three,
                        wanted: "3 (Q, K and V)".to_owned(),
                    });
                }
                let one = [b, h, s, d];
                let shape = Shape::check(&one, &one, &one, self.key_bias)?;
                if shape.query_elements() > isize::MAX.unsigned_abs() / (3 * size_of::<f32>()) {
                    return Err(Error::Dimension {
                        input: Input::Q,
                        dimension: "batch",
                        got: b,
                        wanted: "smaller (bytes overflow)".to_owned(),
                    });
                }
                (shape, Layout::Packed)
            }
            (_, None, _) => return Err(Error::Missing { input: Input::K }),
            (_, _, None) => return Err(Error::Missing { input: Input::V }),
        };
        match (self.cos, self.sin) {
            (None, None) => {}
            (Some(cos), Some(sin)) => {
                for (input, dims) in [(Input::Cos, cos), (Input::Sin, sin)] {
                    table(input, dims, &shape)?;
                }
                if cos.iter().product::<i64>() != sin.iter().product::<i64>() {
                    return Err(Error::Dimension {
                        input: Input::Sin,
                        dimension: "batch",
                        got: sin.first().copied().unwrap_or(0),
                        wanted: "that of cos".to_owned(),
                    });
                }
            }
            (Some(_), None) => return Err(Error::Missing { input: Input::Sin }),
            (None, Some(_)) => return Err(Error::Missing { input: Input::Cos }),
        }
        Ok((shape, layout))
    }
}

fn sized<const N: usize>(
    input: Input,
    wanted: &'static str,
    dims: &[i64],
) -> Result<[i64; N], Error> {
    dims.try_into().map_err(|_| Error::Rank { input, wanted, rank: dims.len() })
}

/// `[positions, head_dim]` with any number of leading ones, or `[batch, 1, positions, head_dim]`: what a graph would
/// broadcast over the heads.
fn table(input: Input, dims: &[i64], shape: &Shape) -> Result<(), Error> {
    let wrong =
        |dimension, got, wanted: String| Err(Error::Dimension { input, dimension, got, wanted });
    let is = |got: i64, wanted: usize| usize::try_from(got) == Ok(wanted);
    let (lead, &[positions, width]) = match dims.split_last_chunk::<2>() {
        Some((lead, last)) if lead.len() <= 2 => (lead, last),
        _ => {
            let wanted = "batch or 1, 1, positions, head_dim";
            return Err(Error::Rank { input, wanted, rank: dims.len() });
        }
    };
    if shape.queries != shape.keys {
        let wanted = format!("{} as in Q (a rotary embedding is of one sequence)", shape.queries);
        #[allow(clippy::cast_possible_wrap, reason = "at most MAX_SEQUENCE")]
        return Err(Error::Dimension {
            input: Input::K,
            dimension: "keys",
            got: shape.keys as i64,
            wanted,
        });
    }
    if !is(positions, shape.keys) {
        return wrong("positions", positions, shape.keys.to_string());
    }
    if !is(width, shape.head_dim) {
        return wrong("head_dim", width, shape.head_dim.to_string());
    }
    match *lead {
        [batch, heads] => {
            if heads != 1 {
                return wrong("heads", heads, "1 (one table for all heads)".to_owned());
            }
            if batch != 1 && !is(batch, shape.batch) {
                return wrong("batch", batch, format!("{} or 1", shape.batch));
            }
        }
        [heads] if heads != 1 => {
            return wrong("heads", heads, "1 (one table for all heads)".to_owned());
        }
        _ => {}
    }
    Ok(())
}
