//! Key padding, prepared once per call: what each sequence keeps, and the bias in the kernel's units.

use std::ops::Range;

use crate::op::{Error, MASKED_AT_MOST};

/// The key bias of a batch.
#[derive(Debug)]
pub(super) struct KeyBias {
    /// One entry, or one per sequence.
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    /// From the first to after the last key that is not masked.
    kept: Range<usize>,
    /// Bias times log2(e), -inf where masked, padded with -inf; `None` where every kept key has bias 0.
    values: Option<Vec<f32>>,
}

impl KeyBias {
    /// `bias` is `[rows, keys]`; values are padded to `padded_keys`.
    pub(super) fn new(bias: &[f32], keys: usize, padded_keys: usize) -> Result<Self, Error> {
        let rows = bias
            .chunks_exact(keys.max(1))
            .enumerate()
            .map(|(batch, row)| Row::new(batch, row, padded_keys))
            .collect::<Result<_, _>>()?;
        Ok(Self { rows })
    }

    fn row(&self, batch: usize) -> Option<&Row> {
        self.rows.get(if self.rows.len() == 1 { 0 } else { batch })
    }

    /// The keys of this sequence from the first to after the last that is not masked.
    pub(super) fn kept(&self, batch: usize) -> Range<usize> {
        self.row(batch).map_or(0..0, |row| row.kept.clone())
    }

    /// What to add to the scores of this sequence, or `None` where the trimmed range says it all.
    pub(super) fn values(&self, batch: usize) -> Option<&[f32]> {
        self.row(batch)?.values.as_deref()
    }
}

impl Row {
    fn new(batch: usize, bias: &[f32], padded_keys: usize) -> Result<Self, Error> {
        let bad = |x: f32| x.is_nan() || x == f32::INFINITY;
        if let Some(key) = bias.iter().position(|&x| bad(x)) {
            return Err(Error::BiasValue {
                batch,
                key,
                got: bias.get(key).copied().unwrap_or(f32::NAN),
            });
        }
        let unmasked = |x: &f32| *x > MASKED_AT_MOST;
        let start = bias.iter().position(unmasked).unwrap_or(0);
        let end = bias.iter().rposition(unmasked).map_or(start, |last| last + 1);
        let plain = bias.get(start..end).is_none_or(|kept| kept.iter().all(|&x| x == 0.0));
        let values = (!plain).then(|| {
            let mut values = vec![f32::NEG_INFINITY; padded_keys];
            for (to, x) in values.iter_mut().zip(bias) {
                *to = if unmasked(x) { x * std::f32::consts::LOG2_E } else { f32::NEG_INFINITY };
            }
            values
        });
        Ok(Self { kept: start..end, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_on_either_side_becomes_a_range_without_values() {
        let bias = KeyBias::new(&[f32::MIN, -65504.0, 0.0, 0.0, f32::NEG_INFINITY], 5, 8).unwrap();
        assert_eq!(bias.kept(0), 2..4);
        assert!(bias.values(0).is_none());
    }

    #[test]
    fn a_hole_or_a_soft_bias_keeps_values() {
        let bias = KeyBias::new(&[0.0, -1e4, 0.0, 0.0, -2.0, 0.0], 3, 8).unwrap();
        assert_eq!(bias.kept(0), 0..3);
        assert_eq!(bias.values(0).unwrap()[1], f32::NEG_INFINITY);
        assert_eq!(bias.values(1).unwrap()[1], -2.0 * std::f32::consts::LOG2_E);
        assert_eq!(bias.values(1).unwrap()[7], f32::NEG_INFINITY);
    }

    #[test]
    fn one_row_serves_every_sequence() {
        let bias = KeyBias::new(&[0.0, f32::MIN], 2, 8).unwrap();
        assert_eq!(bias.kept(3), 0..1);
    }

    #[test]
    fn what_is_no_number_is_refused_by_place() {
        let error = KeyBias::new(&[0.0, 0.0, f32::NAN, 0.0], 2, 8).unwrap_err();
        assert!(matches!(error, Error::BiasValue { batch: 1, key: 0, .. }));
    }
}
