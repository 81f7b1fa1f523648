//! The paper's four scores of a sentence, in time linear in the text.
//!
//! TextRank is PageRank over the cosines between all sentences, which looks quadratic. But the matrix of cosines is
//! `X Xᵀ` with its diagonal removed, `X` being the unit term vectors, so that one step of the iteration is a product
//! with `Xᵀ`, one with `X`, and a correction: exact, and linear in the number of terms. No sampling is needed.

use crate::document::Document;

/// Damping, largest number of iterations and tolerance of TextRank, as in the paper.
const DAMPING: f64 = 0.85;
const MAX_ITERATIONS: usize = 100;
const TOLERANCE: f64 = 1e-5;

/// Sums of cosines and distances below this are rounding noise.
const ROUNDING: f64 = 1e-9;

/// The four scores of one sentence. Each is 0 to 1, where 1 is the best sentence of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// Centrality.
    pub textrank: f32,
    /// Nearness to the start or end.
    pub position: f32,
    /// Mean rarity of the terms.
    pub tfidf: f32,
    /// Distance from the mean sentence.
    pub novelty: f32,
}

/// Scores of all sentences of `document`. `depth` is how far the position score falls in the middle.
pub(crate) fn score(document: &Document, depth: f64) -> Vec<Scores> {
    let count = document.units.len();
    let mut out = vec![Scores::default(); count];
    let rank = textrank(document);
    let (tfidf, novelty) = rarity(document);
    for (at, scores) in out.iter_mut().enumerate() {
        *scores = Scores {
            textrank: narrow(rank.get(at)),
            position: narrow(Some(&position(at, count, depth))),
            tfidf: narrow(tfidf.get(at)),
            novelty: narrow(novelty.get(at)),
        };
    }
    out
}

#[allow(clippy::cast_possible_truncation, reason = "scores are 0 to 1")]
fn narrow(score: Option<&f64>) -> f32 {
    score.map_or(0.0, |score| *score as f32)
}

/// Sentence `at` of `count` on a half sine that is 1 at both ends.
fn position(at: usize, count: usize, depth: f64) -> f64 {
    if count < 2 {
        return 1.0;
    }
    let along = float(at) / float(count - 1);
    1.0 - depth * (std::f64::consts::PI * along).sin()
}

#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn float(count: usize) -> f64 {
    count as f64
}

fn divide_by_max(scores: &mut [f64]) {
    let max = scores.iter().copied().fold(0.0, f64::max);
    if max > 0.0 {
        scores.iter_mut().for_each(|score| *score /= max);
    }
}

fn textrank(document: &Document) -> Vec<f64> {
    let count = document.units.len();
    if count == 0 {
        return Vec::new();
    }
    // Reciprocal lengths of the term vectors, 0 for a sentence without terms.
    let scale: Vec<f64> = (0..count)
        .map(|at| {
            let square: f64 = document.entries(at).map(|(_, n)| n * n).sum();
            if square > 0.0 { square.sqrt().recip() } else { 0.0 }
        })
        .collect();
    let mut by_term = vec![0.0; document.term_ids()];
    // The sum over sentences `j` of cosine(i, j) * weight(j), without j = i.
    let mut product = |weight: &[f64], out: &mut [f64]| {
        by_term.fill(0.0);
        for at in 0..count {
            let share = weight[at] * scale[at];
            if share != 0.0 {
                document.entries(at).for_each(|(term, n)| by_term[term] += n * share);
            }
        }
        for at in 0..count {
            let dot: f64 = document.entries(at).map(|(term, n)| by_term[term] * n).sum();
            let own = if scale[at] > 0.0 { weight[at] } else { 0.0 };
            out[at] = (dot * scale[at] - own).max(0.0);
        }
    };
    let mut out_weight = vec![0.0; count];
    product(&vec![1.0; count], &mut out_weight);
    let mut rank = vec![1.0 / float(count); count];
    let (mut weight, mut next) = (vec![0.0; count], vec![0.0; count]);
    for _ in 0..MAX_ITERATIONS {
        for at in 0..count {
            weight[at] = if out_weight[at] > ROUNDING { rank[at] / out_weight[at] } else { 0.0 };
        }
        product(&weight, &mut next);
        let mut change: f64 = 0.0;
        for at in 0..count {
            let value = (1.0 - DAMPING) / float(count) + DAMPING * next[at];
            change = change.max((value - rank[at]).abs());
            rank[at] = value;
        }
        if change < TOLERANCE {
            break;
        }
    }
    divide_by_max(&mut rank);
    rank
}

fn rarity(document: &Document) -> (Vec<f64>, Vec<f64>) {
    let count = document.units.len();
    let mut sentences_with = vec![0.0; document.term_ids()];
    let mut mean = vec![0.0; document.term_ids()];
    for (at, unit) in document.units.iter().enumerate() {
        let share = 1.0 / f64::from(unit.terms.max(1)) / float(count);
        for (term, n) in document.entries(at) {
            sentences_with[term] += 1.0;
            mean[term] += n * share;
        }
    }
    let mean_length = mean.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut weight = sentences_with;
    weight.iter_mut().for_each(|with| *with = ((float(count) + 1.0) / (*with + 1.0)).ln());
    let (mut tfidf, mut novelty) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (at, unit) in document.units.iter().enumerate() {
        let (mut rare, mut dot, mut square) = (0.0, 0.0, 0.0);
        for (term, n) in document.entries(at) {
            rare += n * weight[term];
            dot += n * mean[term];
            square += n * n;
        }
        tfidf.push(rare / f64::from(unit.terms.max(1)));
        let length = square.sqrt() * mean_length;
        let distance = if length > 0.0 { 1.0 - dot / length } else { 1.0 };
        // A sentence that is the mean differs from it by rounding, which the division below would blow up.
        novelty.push(if distance > ROUNDING { distance } else { 0.0 });
    }
    divide_by_max(&mut tfidf);
    divide_by_max(&mut novelty);
    (tfidf, novelty)
}
