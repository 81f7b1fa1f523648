//! How fast a worker is: pure.

use std::time::Duration;

/// Weight that the past keeps with each run: about the last twenty count.
const MEMORY: f64 = 0.95;
/// Runs are not equally long; promises are made for slow ones.
const MARGIN: f64 = 1.25;

/// Time for each token, over the last runs. Tokens weigh alike, so that many short texts do not hide what a long one costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pace {
    seconds: f64,
    tokens: f64,
}

impl Pace {
    /// A run of so many tokens took so long.
    pub(super) fn observe(&mut self, tokens: usize, took: Duration) {
        self.seconds = self.seconds * MEMORY + took.as_secs_f64();
        self.tokens = self.tokens * MEMORY + wide(tokens);
    }

    /// How long `tokens` take `sessions` sessions, with a margin; zero before the first run.
    pub(super) fn estimate(&self, tokens: usize, sessions: usize) -> Duration {
        if self.tokens <= 0.0 {
            return Duration::ZERO;
        }
        let seconds = MARGIN * wide(tokens) * self.seconds / self.tokens / wide(sessions.max(1));
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

#[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
const fn wide(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_is_known_before_the_first_run() {
        assert_eq!(Pace::default().estimate(1000, 1), Duration::ZERO);
    }

    #[test]
    fn it_follows_a_change_of_speed() {
        let mut pace = Pace::default();
        for _ in 0..100 {
            pace.observe(100, Duration::from_millis(10));
        }
        for _ in 0..100 {
            pace.observe(100, Duration::from_millis(40));
        }
        let estimate = pace.estimate(100, 1).as_secs_f64();
        assert!((0.045..0.051).contains(&estimate), "{estimate}");
    }

    proptest! {
        /// The margin lies on top of what the runs took, whatever their lengths, and sessions share the work.
        #[test]
        fn an_estimate_is_never_below_a_steady_pace(
            runs in prop::collection::vec(1_usize..2048, 1..50),
            micros in 1_u64..1000,
            tokens in 0_usize..100_000,
            sessions in 1_usize..8,
        ) {
            let mut pace = Pace::default();
            for run in &runs {
                pace.observe(*run, Duration::from_micros(micros * *run as u64));
            }
            let exact = (micros as f64) * 1e-6 * (tokens as f64) / (sessions as f64);
            let estimate = pace.estimate(tokens, sessions).as_secs_f64();
            prop_assert!(estimate >= exact && estimate <= exact * 1.26 + 1e-6, "{estimate} {exact}");
        }
    }
}
