//! Signals of guarded mode, one number a sentence.

use crate::config::Mix;
use crate::document::Document;
use crate::select::{Role, top};

/// Most sentences that are joined before they are scored.
const MAX_JOINED: usize = 4;

/// Sentences are joined up to this many tokens: a longer one says by itself what it says.
const MAX_JOINED_TOKENS: u32 = 90;

/// A group must be this much more suspicious than each of its sentences alone, in log-odds, to count as a group.
const JOINT_GAIN: f32 = 0.25;

/// Sentences on either side of a suspicious one that may belong to the same attack, with text of the document between.
pub(crate) const REACH: usize = 8;

/// The most suspicious sentences are looked at for others that belong to them.
const MAX_SEEDS: usize = 64;

/// Spreads above the mean of the text from which a sentence may belong to an attack nearby.
const COMPANION_SPREADS: f32 = 0.5;

/// A signal is high in a sentence from this many spreads above the mean of the text.
const HIGH_SPREADS: f32 = 2.0;

/// Where a larger share of the sentences is high, as in a text of many languages, the signal tells little and counts
/// less.
const MAX_HIGH_SHARE: f32 = 0.03;

/// Sentences that are suspicious together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// In the order of the text; past `count` there is nothing.
    units: [usize; MAX_JOINED],
    count: usize,
    pub(crate) score: f32,
}

impl Group {
    /// Of the first [`MAX_JOINED`] of `units`, in the order of the text.
    fn new(units: impl Iterator<Item = usize>, score: f32) -> Self {
        let mut group = Self { units: [0; MAX_JOINED], count: 0, score };
        for (slot, unit) in group.units.iter_mut().zip(units) {
            *slot = unit;
            group.count += 1;
        }
        group.units.get_mut(..group.count).unwrap_or_default().sort_unstable();
        group
    }

    pub(crate) fn units(&self) -> &[usize] {
        self.units.get(..self.count).unwrap_or_default()
    }
}

/// The signals of each sentence.
#[derive(Clone, Debug)]
pub(crate) struct Signals {
    /// Log-odds of the sentence or of the best group it belongs to.
    pub(crate) suspicion: Vec<f32>,
    /// Nats of surprise a trigram.
    pub(crate) strangeness: Vec<f32>,
    /// Address words, relative to the root of the length.
    pub(crate) address: Vec<f32>,
    /// Weighted sum of the three, each standardised within the text.
    pub(crate) mixed: Vec<f32>,
    /// Groups of two and more, most suspicious first.
    pub(crate) groups: Vec<Group>,
    /// Suspicion from which a sentence near a hit may belong to it.
    pub(crate) companion_floor: f32,
}

/// Groups kept for selection.
const MAX_GROUPS: usize = 64;

pub(crate) fn measure(document: &Document, roles: &[Role], weights: Mix) -> Signals {
    let alone: Vec<f32> = document.units.iter().map(|unit| unit.evidence.score()).collect();
    let (mean, spread) = moments(&alone);
    let companion_floor = mean + COMPANION_SPREADS * spread;
    let groups = joined(document, roles, &alone, companion_floor);
    let mut suspicion = alone;
    for group in &groups {
        for at in group.units() {
            if let Some(score) = suspicion.get_mut(*at) {
                *score = score.max(group.score);
            }
        }
    }
    let strangeness = document.strangeness();
    let address: Vec<f32> = document
        .units
        .iter()
        .map(|unit| f32::from(unit.addressed) / (f32::from(unit.terms) + 2.0).sqrt())
        .collect();
    let mixed = mix(&[
        (&suspicion, weights.suspicion),
        (&strangeness, weights.strangeness),
        (&address, weights.address),
    ]);
    Signals { suspicion, strangeness, address, mixed, groups, companion_floor }
}

/// Scores runs of sentences as one text: runs in the order of the request, and runs of the same role across the
/// turns of the others, so that an attack told in instalments is read as a whole.
fn joined(document: &Document, roles: &[Role], alone: &[f32], floor: f32) -> Vec<Group> {
    let all: Vec<usize> = (0..document.units.len()).collect();
    let mut groups = Vec::new();
    join_runs(document, alone, &all, &mut groups);
    if roles.len() > 1 {
        for role in Role::ALL {
            let of_role = |unit: &usize| {
                let passage =
                    document.units.get(*unit).map_or(usize::MAX, |unit| unit.passage as usize);
                roles.get(passage).copied().unwrap_or_default() == role
            };
            let run: Vec<usize> = all.iter().copied().filter(of_role).collect();
            if run.len() < all.len() {
                join_runs(document, alone, &run, &mut groups);
            }
        }
    }
    join_scattered(document, alone, floor, &mut groups);
    // Most suspicious first; ties by place. A group whose best sentences are in a better group is left out.
    groups.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.units().cmp(b.units())));
    groups.dedup_by(|a, b| a.units() == b.units());
    groups.truncate(MAX_GROUPS);
    groups
}

fn join_runs(document: &Document, alone: &[f32], run: &[usize], groups: &mut Vec<Group>) {
    let from = groups.len();
    for (at, first) in run.iter().enumerate() {
        let Some(unit) = document.units.get(*first) else { continue };
        let (mut evidence, mut tokens) = (unit.evidence, u32::from(unit.tokens));
        let mut best_alone = alone.get(*first).copied().unwrap_or(f32::MIN);
        let mut best: Option<(usize, f32)> = None;
        for (more, next) in run.iter().skip(at + 1).take(MAX_JOINED - 1).enumerate() {
            let Some(unit) = document.units.get(*next) else { break };
            tokens += u32::from(unit.tokens);
            if tokens > MAX_JOINED_TOKENS {
                break;
            }
            evidence = evidence.join(unit.evidence);
            best_alone = best_alone.max(alone.get(*next).copied().unwrap_or(f32::MIN));
            let score = evidence.score();
            if score > best_alone + JOINT_GAIN && best.is_none_or(|(_, best)| score > best) {
                best = Some((more + 2, score));
            }
        }
        if let Some((count, score)) = best {
            groups.push(Group::new(run.iter().skip(at).take(count).copied(), score));
        }
        // Bounded memory: the weakest half goes whenever the list has doubled.
        if groups.len() - from > 2 * MAX_GROUPS {
            groups.get_mut(from..).unwrap_or_default().sort_by(|a, b| b.score.total_cmp(&a.score));
            groups.truncate(from + MAX_GROUPS);
        }
    }
}

/// Scores the most suspicious sentences together with others near them that are suspicious too, whatever stands between:
/// an attack whose sentences are strewn over a document is read as a whole.
fn join_scattered(document: &Document, alone: &[f32], floor: f32, groups: &mut Vec<Group>) {
    for seed in top(alone, MAX_SEEDS) {
        let own = alone.get(seed).copied().unwrap_or(f32::MIN);
        let near = seed.saturating_sub(REACH)..(seed + REACH + 1).min(alone.len());
        let mut companions: Vec<usize> = near
            .filter(|at| *at != seed && alone.get(*at).is_some_and(|score| *score > floor))
            .collect();
        companions.sort_by(|a, b| {
            let score = |at: &usize| alone.get(*at).copied().unwrap_or(f32::MIN);
            score(b).total_cmp(&score(a)).then(a.cmp(b))
        });
        companions.truncate(MAX_JOINED - 1);
        let Some(first) = document.units.get(seed) else { continue };
        let (mut evidence, mut tokens) = (first.evidence, u32::from(first.tokens));
        let mut read = 1;
        let mut best: Option<Group> = None;
        for at in &companions {
            let Some(unit) = document.units.get(*at) else { continue };
            tokens += u32::from(unit.tokens);
            if tokens > MAX_JOINED_TOKENS {
                break;
            }
            evidence = evidence.join(unit.evidence);
            read += 1;
            let score = evidence.score();
            let is_better = best.as_ref().is_none_or(|best| score > best.score);
            if score > own + JOINT_GAIN && is_better {
                let units = std::iter::once(seed).chain(companions.iter().copied());
                best = Some(Group::new(units.take(read), score));
            }
        }
        groups.extend(best);
    }
}

/// Mean and standard deviation.
fn moments(values: &[f32]) -> (f32, f32) {
    #[allow(clippy::cast_precision_loss, reason = "a count of sentences")]
    let n = values.len().max(1) as f64;
    let mean = values.iter().map(|x| f64::from(*x)).sum::<f64>() / n;
    let spread = values.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / n;
    #[allow(clippy::cast_possible_truncation, reason = "a score")]
    (mean as f32, spread.sqrt() as f32)
}

/// Weighted sum of standardised signals.
fn mix(signals: &[(&[f32], f32)]) -> Vec<f32> {
    let count = signals.first().map_or(0, |(values, _)| values.len());
    let mut out = vec![0.0; count];
    for (values, weight) in signals {
        let (mean, spread) = moments(values);
        let high = values.iter().filter(|x| **x > mean + HIGH_SPREADS * spread).count();
        #[allow(clippy::cast_precision_loss, reason = "counts of sentences")]
        let share = high as f32 / count.max(1) as f32;
        let scale = weight * (MAX_HIGH_SHARE / share.max(MAX_HIGH_SHARE)) / spread.max(1e-6);
        for (sum, value) in out.iter_mut().zip(*values) {
            // One signal alone cannot outshout the others.
            *sum += ((value - mean) * scale).clamp(-6.0, 6.0);
        }
    }
    out
}
