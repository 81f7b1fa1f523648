//! Signals of guarded mode, one number a sentence.

use crate::document::Document;
use crate::select::Role;

/// Most sentences that are joined before they are scored.
const MAX_JOINED: usize = 4;

/// Sentences are joined up to this many tokens: a longer one says by itself what it says.
const MAX_JOINED_TOKENS: u32 = 90;

/// A group must be this much more suspicious than each of its sentences alone, in log-odds, to count as a group.
const JOINT_GAIN: f32 = 0.25;

/// Weights of suspicion, strangeness and address in the mixed signal; chosen on the development half of the plants of
/// the quality example.
const MIX: [f32; 3] = [1.0, 0.85, 0.25];

/// Sentences that are suspicious together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) units: Vec<usize>,
    pub(crate) score: f32,
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
}

/// Groups kept for selection.
const MAX_GROUPS: usize = 64;

pub(crate) fn measure(document: &Document, roles: &[Role]) -> Signals {
    let alone: Vec<f32> = document.units.iter().map(|unit| unit.evidence.score()).collect();
    let groups = joined(document, roles, &alone);
    let mut suspicion = alone;
    for group in &groups {
        for at in &group.units {
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
    let mixed = mix(&[(&suspicion, MIX[0]), (&strangeness, MIX[1]), (&address, MIX[2])]);
    Signals { suspicion, strangeness, address, mixed, groups }
}

/// Scores runs of sentences as one text: runs in the order of the request, and runs of the same role across the
/// turns of the others, so that an attack told in instalments is read as a whole.
fn joined(document: &Document, roles: &[Role], alone: &[f32]) -> Vec<Group> {
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
    // Most suspicious first; ties by place. A group whose best sentences are in a better group is left out.
    groups.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.units.cmp(&b.units)));
    groups.dedup_by(|a, b| a.units == b.units);
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
            groups.push(Group { units: run.iter().skip(at).take(count).copied().collect(), score });
        }
        // Bounded memory: the weakest half goes whenever the list has doubled.
        if groups.len() - from > 2 * MAX_GROUPS {
            groups.get_mut(from..).unwrap_or_default().sort_by(|a, b| b.score.total_cmp(&a.score));
            groups.truncate(from + MAX_GROUPS);
        }
    }
}

/// Weighted sum of standardised signals.
fn mix(signals: &[(&[f32], f32)]) -> Vec<f32> {
    let count = signals.first().map_or(0, |(values, _)| values.len());
    let mut out = vec![0.0; count];
    for (values, weight) in signals {
        let n = values.len().max(1) as f64;
        let mean = values.iter().map(|x| f64::from(*x)).sum::<f64>() / n;
        let spread = values.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / n;
        #[allow(clippy::cast_possible_truncation, reason = "a standardised score")]
        let (mean, scale) = (mean as f32, (f64::from(*weight) / spread.sqrt().max(1e-6)) as f32);
        for (sum, value) in out.iter_mut().zip(*values) {
            // One signal alone cannot outshout the others.
            *sum += ((value - mean) * scale).clamp(-6.0, 6.0);
        }
    }
    out
}
