//! Counts to rates with their uncertainty: pure.

/// A rate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Share, 0 to 1.
    pub value: f64,
    /// Lower and upper end.
    pub interval: [f64; 2],
    /// Of how many.
    pub n: usize,
}

/// Two-sided 95 % of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

#[allow(clippy::cast_precision_loss, reason = "counts of rows stay far below 2^52")]
pub(crate) const fn real(n: usize) -> f64 {
    n as f64
}

/// Wilson's score interval for `hits` of `n`; `None` when `n` is 0.
#[must_use]
pub fn rate(hits: usize, n: usize) -> Option<Rate> {
    if n == 0 {
        return None;
    }
    let (p, n_real) = (real(hits) / real(n), real(n));
    let z2 = Z * Z;
    let centre = p + z2 / (2.0 * n_real);
    let spread = Z * (p * (1.0 - p) / n_real + z2 / (4.0 * n_real * n_real)).sqrt();
    let scale = 1.0 + z2 / n_real;
    let low = if hits == 0 { 0.0 } else { (centre - spread) / scale };
    let high = if hits == n { 1.0 } else { (centre + spread) / scale };
    Some(Rate { value: p, interval: [low.max(0.0), high.min(1.0)], n })
}

/// The probability that a positive scores above a negative (ties count half), with the interval of Hanley and McNeil.
#[must_use]
pub fn auc(positives: &[f32], negatives: &[f32]) -> Option<Rate> {
    if positives.is_empty() || negatives.is_empty() {
        return None;
    }
    let mut all: Vec<(f32, bool)> =
        positives.iter().map(|s| (*s, true)).chain(negatives.iter().map(|s| (*s, false))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut wins = 0.0;
    let mut below = 0;
    for group in all.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let p = group.iter().filter(|(_, positive)| *positive).count();
        let n = group.len() - p;
        wins += real(p) * (real(below) + real(n) / 2.0);
        below += n;
    }
    let (p, n) = (real(positives.len()), real(negatives.len()));
    let a = wins / (p * n);
    let (q1, q2) = (a / (2.0 - a), 2.0 * a * a / (1.0 + a));
    let variance = (a * (1.0 - a) + (p - 1.0) * (q1 - a * a) + (n - 1.0) * (q2 - a * a)) / (p * n);
    let spread = Z * variance.max(0.0).sqrt();
    Some(Rate {
        value: a,
        interval: [(a - spread).max(0.0), (a + spread).min(1.0)],
        n: positives.len() + negatives.len(),
    })
}

/// Recall at the lowest threshold at which at most `limit` of the negatives are called positive, and that threshold.
#[must_use]
pub fn recall_at(positives: &[f32], negatives: &[f32], limit: f64) -> Option<(Rate, f32)> {
    let mut candidates: Vec<f32> = positives.to_vec();
    candidates.sort_by(f32::total_cmp);
    let mut sorted = negatives.to_vec();
    sorted.sort_by(f32::total_cmp);
    let allowed = |threshold: f32| {
        let called = sorted.len() - sorted.partition_point(|s| *s < threshold);
        real(called) <= limit * real(sorted.len())
    };
    // Whether a threshold is allowed only changes once as it grows.
    let threshold = candidates
        .get(candidates.partition_point(|c| !allowed(*c)))
        .copied()
        .unwrap_or(f32::INFINITY);
    let hits = candidates.len() - candidates.partition_point(|c| *c < threshold);
    rate(hits, candidates.len()).map(|recall| (recall, threshold))
}

/// What was found, missed and invented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Found and true.
    pub true_positives: usize,
    /// Found and not true.
    pub false_positives: usize,
    /// True and not found.
    pub false_negatives: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.true_positives += other.true_positives;
        self.false_positives += other.false_positives;
        self.false_negatives += other.false_negatives;
    }
}

impl std::iter::Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |mut sum, c| {
            sum += c;
            sum
        })
    }
}

impl Counts {
    /// Share of the finds that are true.
    #[must_use]
    pub fn precision(self) -> Option<Rate> {
        rate(self.true_positives, self.true_positives + self.false_positives)
    }

    /// Share of the true ones that were found.
    #[must_use]
    pub fn recall(self) -> Option<Rate> {
        rate(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// The harmonic mean of precision and recall; `None` when nothing was there and nothing found.
    #[must_use]
    pub fn f1(self) -> Option<f64> {
        let all = 2 * self.true_positives + self.false_positives + self.false_negatives;
        (all > 0).then(|| 2.0 * real(self.true_positives) / real(all))
    }
}

/// Resamples for [`f1`].
const RESAMPLES: usize = 500;

/// Micro F1 over rows, with a bootstrap interval over rows: entities of one row are not independent.
#[must_use]
pub fn f1(rows: &[Counts]) -> Option<Rate> {
    let value = rows.iter().copied().sum::<Counts>().f1()?;
    // A fixed seed: the same data gives the same report.
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below.max(1) as u64).unwrap_or(0)
    };
    let mut samples: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| {
            (0..rows.len()).filter_map(|_| rows.get(next(rows.len())).copied()).sum::<Counts>().f1()
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    let at = |share: f64| {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of at most RESAMPLES"
        )]
        let index = (share * real(samples.len().saturating_sub(1))).round() as usize;
        samples.get(index).copied().unwrap_or(value)
    };
    Some(Rate { value, interval: [at(0.025), at(0.975)], n: rows.len() })
}

/// Expected calibration error over ten equal bins: how far confidence is from accuracy, on average.
#[must_use]
pub fn calibration_error(predictions: &[(f32, bool)]) -> Option<f64> {
    if predictions.is_empty() {
        return None;
    }
    let mut bins = [(0_usize, 0_usize, 0.0_f64); 10];
    for (confidence, correct) in predictions {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to 9 after the clamp"
        )]
        let index = (confidence * 10.0).clamp(0.0, 9.0) as usize;
        if let Some((n, hits, sum)) = bins.get_mut(index) {
            *n += 1;
            *hits += usize::from(*correct);
            *sum += f64::from(*confidence);
        }
    }
    let gap: f64 =
        bins.iter().filter(|b| b.0 > 0).map(|(_, hits, sum)| (real(*hits) - sum).abs()).sum();
    Some(gap / real(predictions.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wilson_intervals_match_the_textbook() {
        // 8 of 10: 0.490 to 0.943 (Wilson 1927, as any statistics package prints it).
        let r = rate(8, 10).unwrap();
        assert!(
            (r.interval[0] - 0.4902).abs() < 1e-3 && (r.interval[1] - 0.9433).abs() < 1e-3,
            "{r:?}"
        );
        assert_eq!(rate(0, 5).unwrap().interval[0], 0.0);
        assert_eq!(rate(5, 5).unwrap().interval[1], 1.0);
        assert_eq!(rate(0, 0), None);
    }

    #[test]
    fn auc_is_the_share_of_pairs_in_order() {
        assert_eq!(auc(&[0.9, 0.8], &[0.1, 0.2]).unwrap().value, 1.0);
        assert_eq!(auc(&[0.5], &[0.5]).unwrap().value, 0.5);
        assert_eq!(auc(&[0.9, 0.1], &[0.5]).unwrap().value, 0.5);
        assert_eq!(auc(&[], &[0.5]), None);
    }

    #[test]
    fn recall_is_read_where_false_positives_allow() {
        let negatives: Vec<f32> = (0..100).map(|i| i as f32 / 100.0).collect();
        // One in a hundred may be called: the threshold lies above 0.98.
        let (recall, threshold) = recall_at(&[0.5, 0.985, 0.995], &negatives, 0.01).unwrap();
        assert_eq!(recall.value, 2.0 / 3.0);
        assert_eq!(threshold, 0.985);
        let (recall, _) = recall_at(&[0.1], &negatives, 0.01).unwrap();
        assert_eq!(recall.value, 0.0);
    }

    #[test]
    fn a_model_as_sure_as_it_is_right_is_calibrated() {
        let right: Vec<(f32, bool)> = (0..100).map(|i| (0.75, i < 75)).collect();
        assert!(calibration_error(&right).unwrap() < 1e-9);
        let wrong: Vec<(f32, bool)> = (0..100).map(|i| (0.95, i < 75)).collect();
        assert!((calibration_error(&wrong).unwrap() - 0.2).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn auc_equals_counting_pairs(p in prop::collection::vec(0u8..8, 1..20), n in prop::collection::vec(0u8..8, 1..20)) {
            let real = |v: &[u8]| v.iter().map(|x| f32::from(*x)).collect::<Vec<_>>();
            let mut wins = 0.0;
            for a in &p {
                for b in &n {
                    wins += match a.cmp(b) { std::cmp::Ordering::Greater => 1.0, std::cmp::Ordering::Equal => 0.5, std::cmp::Ordering::Less => 0.0 };
                }
            }
            let expected = wins / (p.len() * n.len()) as f64;
            prop_assert!((auc(&real(&p), &real(&n)).unwrap().value - expected).abs() < 1e-9);
        }

        #[test]
        fn intervals_hold_their_value(hits in 0usize..50, more in 0usize..50) {
            if let Some(r) = rate(hits, hits + more) {
                prop_assert!(r.interval[0] <= r.value && r.value <= r.interval[1]);
            }
        }
    }
}
