//! Attention in float64, one query at a time: slow, obvious, the oracle that every kernel is held to.

use crate::op::{Attributes, MASKED_AT_MOST, Shape};

/// `softmax(scale * Q K^T + bias) V` with the operator's window and padding rules.
///
/// Tensors are row-major as in [`Shape`]; `key_bias` is `[bias_rows, keys]` with `bias_rows` the batch or 1. Returns the
/// output `[batch, heads, queries, head_dim]`. Rows without a key are zero. `padded_queries_unused` is not applied: every
/// row is computed.
///
/// # Panics
///
/// If a slice is shorter than the shape says.
#[must_use]
pub fn attention(
    shape: &Shape,
    attributes: &Attributes,
    q: &[f32],
    k: &[f32],
    v: &[f32],
    key_bias: Option<&[f32]>,
) -> Vec<f64> {
    let d = shape.head_dim;
    let mut out = vec![0.0; shape.query_elements()];
    let mut scores = vec![0.0f64; shape.keys];
    for head in 0..shape.batch * shape.heads {
        let bias = key_bias.map(|bias| {
            let row = if bias.len() == shape.keys { 0 } else { head / shape.heads };
            &bias[row * shape.keys..][..shape.keys]
        });
        for query in 0..shape.queries {
            let row = (head * shape.queries + query) * d;
            let seen = attributes.window.keys(query, shape.keys);
            let mut highest = f64::NEG_INFINITY;
            for key in seen.clone() {
                let added = bias.map_or(0.0, |bias| bias[key]);
                let masked = added <= MASKED_AT_MOST;
                let key_row = (head * shape.keys + key) * d;
                let dot: f64 =
                    (0..d).map(|i| f64::from(q[row + i]) * f64::from(k[key_row + i])).sum();
                let score = f64::from(attributes.scale) * dot + f64::from(added);
                scores[key] = if masked { f64::NEG_INFINITY } else { score };
                highest = highest.max(scores[key]);
            }
            if highest == f64::NEG_INFINITY {
                continue;
            }
            let total: f64 = seen.clone().map(|key| (scores[key] - highest).exp()).sum();
            for key in seen {
                let weight = (scores[key] - highest).exp() / total;
                let value_row = (head * shape.keys + key) * d;
                for i in 0..d {
                    out[row + i] += weight * f64::from(v[value_row + i]);
                }
            }
        }
    }
    out
}
