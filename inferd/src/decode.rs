//! Logits to labels and to byte spans: pure.
//!
//! Probabilities are `softmax(logits / temperature)`. A long text has several windows: jailbreak takes the worst one, its log-odds
//! lowered by the head's `window_prior`·ln(windows, at most 32), domain the mean of the logits, and for tokens each is read from the window in which it lies furthest from a cut, so that an entity on a border is
//! decoded once, with context on both sides.

use std::ops::Range;

use crate::models::{Head, Signal};

/// A label with its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelScore {
    /// The label's name.
    pub label: String,
    /// 0 to 1.
    pub score: f32,
}

/// An entity in a passage.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Which passage.
    pub passage_id: u32,
    /// Bytes of the passage's text, on character boundaries, never empty, no white space at either end.
    pub range: Range<usize>,
    /// The label without B- and I-.
    pub entity_type: String,
    /// The mean probability of its tokens, 0 to 1.
    pub score: f32,
}

/// Where a passage lies in the text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The passage's id.
    pub id: u32,
    /// Its bytes in the joined text.
    pub range: Range<usize>,
}

/// A logit was infinite or not a number: the answer means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model returned a value that is not a finite number")]
pub struct NotFinite;

/// One probability for each label of a window or token.
fn softmax(logits: &[f32], temperature: f32) -> Vec<f32> {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut out: Vec<f32> = logits.iter().map(|x| ((x - highest) / temperature).exp()).collect();
    let sum: f32 = out.iter().sum();
    out.iter_mut().for_each(|p| *p /= sum);
    out
}

/// Reads a sequence head.
///
/// `windows` holds one row of logits for each window, as long as the head's labels. The result has every label, highest first.
///
/// # Errors
///
/// [`NotFinite`] when any logit is not finite, or there is no window.
pub fn sequence(head: &Head, windows: &[&[f32]]) -> Result<Vec<LabelScore>, NotFinite> {
    if windows.is_empty()
        || windows
            .iter()
            .any(|row| row.len() != head.labels.len() || row.iter().any(|x| !x.is_finite()))
    {
        return Err(NotFinite);
    }
    let probabilities = match head.signal {
        // The window that looks least harmless.
        Signal::Jailbreak => {
            let harmless = head.labels.iter().position(|l| l == "benign").unwrap_or(0);
            // Log-odds times temperature; the labels are two.
            let odds = |row: &[f32]| {
                let at = |label: usize| row.get(label).copied().unwrap_or_default();
                at(1 - harmless.min(1)) - at(harmless)
            };
            let highest = windows.iter().map(|row| odds(row)).fold(f32::NEG_INFINITY, f32::max);
            let lowered = lowered_by(head.window_prior, windows.len());
            let mut logits = [highest - head.temperature * lowered; 2];
            if let Some(logit) = logits.get_mut(harmless) {
                *logit = 0.0;
            }
            softmax(&logits, head.temperature)
        }
        Signal::Domain | Signal::Pii => {
            let mut mean = vec![0.0; head.labels.len()];
            for row in windows {
                for (sum, x) in mean.iter_mut().zip(*row) {
                    *sum += x / count(windows.len());
                }
            }
            softmax(&mean, head.temperature)
        }
    };
    let mut scores: Vec<LabelScore> = head
        .labels
        .iter()
        .zip(probabilities)
        .map(|(label, score)| LabelScore { label: label.clone(), score })
        .collect();
    scores.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(scores)
}

/// Windows that the window prior counts at most: about 14,000 tokens. Past that a text could be long enough for no attack in it to
/// reach the threshold.
const COUNTED_WINDOWS: usize = 32;

/// By how much the log-odds of a text of `windows` windows are lowered: as many windows, as many chances that a harmless one
/// looks bad.
#[must_use]
pub fn lowered_by(window_prior: f32, windows: usize) -> f32 {
    window_prior * count(windows.clamp(1, COUNTED_WINDOWS)).ln()
}

#[allow(clippy::cast_precision_loss, reason = "counts of windows and tokens stay far below 2^24")]
const fn count(n: usize) -> f32 {
    n as f32
}

/// What a token head is read from.
#[derive(Clone, Copy, Debug)]
pub struct TokenInput<'a> {
    /// The joined text.
    pub text: &'a str,
    /// Byte range in `text` of each content token.
    pub offsets: &'a [Range<usize>],
    /// Content tokens of each window, as [`crate::tokenize::windows`] cut them.
    pub windows: &'a [Range<usize>],
    /// For each window its logits, row-major `[tokens of the window, labels]`.
    pub logits: &'a [&'a [f32]],
    /// Where the passages lie, in text order.
    pub passages: &'a [Placed],
}

/// A decision about one word, or one token where words are not told apart by spaces.
struct Word {
    range: Range<usize>,
    kind: Option<usize>,
    /// Sum over its tokens of the probability of `kind`.
    sum: f32,
    tokens: usize,
}

/// Reads a token head: sorted, non-overlapping spans in the passages.
///
/// Pieces of one word share one decision, the mean of their probabilities. Neighbouring words of one type become one span, unless a
/// line break or an unlabelled token stands between them.
///
/// # Errors
///
/// [`NotFinite`] when any logit is not finite or one is missing.
pub fn token_spans(head: &Head, input: &TokenInput<'_>) -> Result<Vec<Span>, NotFinite> {
    spans(head, input, true)
}

/// With `skip`, words that are certainly no entity cost no exponentials; the answer is the same.
fn spans(head: &Head, input: &TokenInput<'_>, skip: bool) -> Result<Vec<Span>, NotFinite> {
    let labels = head.labels.len();
    let complete = input.windows.len() == input.logits.len()
        && input.windows.iter().zip(input.logits).all(|(w, rows)| {
            // Without an early end, so that it becomes vector instructions.
            let finite = rows.iter().fold(true, |finite, x| finite & x.is_finite());
            rows.len() == w.len() * labels && finite
        });
    if !complete {
        return Err(NotFinite);
    }
    let types = Types::of(head);
    let certain = if skip { types.certain(head) } else { f32::INFINITY };
    let mut words: Vec<Word> = Vec::new();
    let mut pending = Pending { range: 0..0, rows: Vec::new() };
    for (token, window) in owners(input.windows, input.offsets.len()).into_iter().enumerate() {
        let (Some(offset), Some(range), Some(rows)) =
            (input.offsets.get(token), input.windows.get(window), input.logits.get(window))
        else {
            return Err(NotFinite);
        };
        let row = (token - range.start) * labels;
        let logits = rows.get(row..row + labels).ok_or(NotFinite)?;
        let Some(at) = trim(input.text, offset.clone()) else { continue };
        if pending.continues(input.text, &at) {
            pending.range.end = pending.range.end.max(at.end);
        } else {
            words.extend(pending.decide(head, &types, certain));
            pending.range = at;
            pending.rows.clear();
        }
        pending.rows.push(logits);
    }
    words.extend(pending.decide(head, &types, certain));
    Ok(place(input, &types, merge(input.text, words)))
}

/// For each token the window that sees most on both sides of it.
fn owners(windows: &[Range<usize>], tokens: usize) -> Vec<usize> {
    let mut owner = vec![0; tokens];
    if windows.len() <= 1 {
        return owner;
    }
    let mut best = vec![0; tokens];
    for (i, window) in windows.iter().enumerate() {
        for token in window.clone() {
            // The text's own ends are not cuts.
            let left = if window.start == 0 { usize::MAX } else { token - window.start + 1 };
            let right = if window.end == tokens { usize::MAX } else { window.end - token };
            let distance = left.min(right);
            if let (Some(b), Some(o)) = (best.get_mut(token), owner.get_mut(token))
                && distance > *b
            {
                *b = distance;
                *o = i;
            }
        }
    }
    owner
}

/// The entity types of a head.
struct Types<'a> {
    names: Vec<&'a str>,
    /// For each label the type it belongs to; `None` for "O".
    of_label: Vec<Option<usize>>,
    /// Which label is "O".
    outside: Option<usize>,
}

impl<'a> Types<'a> {
    fn of(head: &'a Head) -> Self {
        let mut names: Vec<&str> = Vec::new();
        let of_label = head
            .labels
            .iter()
            .map(|label| {
                let name = label.strip_prefix("B-").or_else(|| label.strip_prefix("I-"))?;
                Some(names.iter().position(|n| *n == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                }))
            })
            .collect();
        let outside = head.labels.iter().position(|label| label == "O");
        Self { names, of_label, outside }
    }

    /// Adds the probabilities of each type: B- and I- added up, so that doubt between the two costs nothing.
    fn add_probabilities(&self, labels: &[f32], sums: &mut [f32]) {
        let mut own = vec![0.0; self.names.len()];
        for (p, kind) in labels.iter().zip(&self.of_label) {
            if let Some(sum) = kind.and_then(|kind| own.get_mut(kind)) {
                *sum += p;
            }
        }
        for (sum, p) in sums.iter_mut().zip(own) {
            *sum += p;
        }
    }

    /// By how much "O" must lead every other logit so that no type can reach its threshold.
    ///
    /// With n other labels and "O" ahead by d, all of them together have a probability below n·exp(-d/T). A hundredth is left for
    /// rounding.
    fn certain(&self, head: &Head) -> f32 {
        let lowest = self.names.iter().map(|name| head.threshold_for(name)).fold(1.0, f32::min);
        if lowest <= 0.0 || self.outside.is_none() {
            return f32::INFINITY;
        }
        let others = count(self.of_label.len().saturating_sub(1).max(1));
        head.temperature * (others / (lowest * 0.99)).ln()
    }

    /// Whether "O" leads every other logit by more than `margin`.
    fn leads(&self, row: &[f32], margin: f32) -> bool {
        let Some((before, (outside, after))) = self
            .outside
            .and_then(|at| row.split_at_checked(at))
            .and_then(|(before, rest)| Some((before, rest.split_first()?)))
        else {
            return false;
        };
        // Without an early end, so that it becomes vector instructions.
        let all = |part: &[f32]| part.iter().fold(true, |all, x| all & (outside - x > margin));
        all(before) & all(after)
    }
}

/// A word whose pieces are still coming.
struct Pending<'a> {
    range: Range<usize>,
    /// Logits of its tokens; empty before the first word.
    rows: Vec<&'a [f32]>,
}

impl Pending<'_> {
    fn continues(&self, text: &str, next: &Range<usize>) -> bool {
        if self.rows.is_empty() || next.start > self.range.end {
            return false;
        }
        if next.start < self.range.end {
            return true; // several tokens for one character
        }
        let before = text.get(self.range.clone()).and_then(|t| t.chars().next_back());
        let after = text.get(next.clone()).and_then(|t| t.chars().next());
        before.is_some_and(joins) && after.is_some_and(joins)
    }

    /// `certain` as in [`Types::certain`].
    fn decide(&self, head: &Head, types: &Types<'_>, certain: f32) -> Option<Word> {
        let tokens = self.rows.len();
        let word = |kind, sum| Word { range: self.range.clone(), kind, sum, tokens };
        if self.rows.is_empty() {
            return None;
        }
        if self.rows.iter().all(|row| types.leads(row, certain)) {
            return Some(word(None, 0.0));
        }
        let mut sums = vec![0.0; types.names.len()];
        for row in &self.rows {
            types.add_probabilities(&softmax(row, head.temperature), &mut sums);
        }
        let best = sums
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(b.1))
            .map(|(kind, sum)| (kind, *sum));
        let kind = best.filter(|(kind, sum)| {
            types
                .names
                .get(*kind)
                .is_some_and(|name| sum / count(tokens) >= head.threshold_for(name))
        });
        Some(word(kind.map(|(kind, _)| kind), kind.map_or(0.0, |(_, sum)| sum)))
    }
}

/// Whether the character takes part in a word that spaces delimit. Not so in scripts without spaces, nor in Hangul, whose particles
/// are written to the name: there each token decides for itself.
fn joins(c: char) -> bool {
    let unspaced = matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1100..=0x11FF | 0x1780..=0x17FF | 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF
        | 0x20000..=0x3FFFF);
    c.is_alphanumeric() && !unspaced
}

/// The range without white space at its ends and on character boundaries; `None` when nothing is left.
fn trim(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let start = text.floor_char_boundary(range.start.min(text.len()));
    let end = text.ceil_char_boundary(range.end.min(text.len()));
    let inner = text.get(start..end)?;
    let from = start + (inner.len() - inner.trim_start().len());
    let to = start + inner.trim_end().len();
    (from < to).then_some(from..to)
}

/// Joins neighbours of one type.
fn merge(text: &str, words: Vec<Word>) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let mut follows = false;
    for word in words {
        if word.kind.is_none() {
            follows = false;
            continue;
        }
        match out.last_mut() {
            Some(last)
                if follows
                    && last.kind == word.kind
                    && text
                        .get(last.range.end..word.range.start)
                        .is_some_and(|gap| !gap.contains(['\n', '\r'])) =>
            {
                last.range.end = last.range.end.max(word.range.end);
                last.sum += word.sum;
                last.tokens += word.tokens;
            }
            _ => out.push(word),
        }
        follows = true;
    }
    out
}

/// Cuts spans of the joined text to the passages that they touch.
fn place(input: &TokenInput<'_>, types: &Types<'_>, words: Vec<Word>) -> Vec<Span> {
    let mut spans = Vec::new();
    for word in words {
        let Some(name) = word.kind.and_then(|kind| types.names.get(kind)) else { continue };
        let first = input.passages.partition_point(|p| p.range.end <= word.range.start);
        for passage in
            input.passages.iter().skip(first).take_while(|p| p.range.start < word.range.end)
        {
            let clipped =
                word.range.start.max(passage.range.start)..word.range.end.min(passage.range.end);
            if let Some(range) = trim(input.text, clipped) {
                spans.push(Span {
                    passage_id: passage.id,
                    range: range.start - passage.range.start..range.end - passage.range.start,
                    entity_type: (*name).to_owned(),
                    score: (word.sum / count(word.tokens)).clamp(0.0, 1.0),
                });
            }
        }
    }
    spans.sort_by_key(|s| (s.passage_id, s.range.start));
    spans
}

#[cfg(test)]
mod tests;
