//! Takes sentences into the selection and keeps its one rule: the budget is never exceeded.

use std::ops::Range;

use crate::budget::{estimate_tokens, prefix_within};
use crate::document::Document;
use crate::select::Reason;

/// Why and how much of a sentence is kept.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    unit: usize,
    pub(crate) reason: Reason,
    /// Bytes in the passage: all of the sentence, or what of it fits.
    pub(crate) range: Range<usize>,
    tokens: usize,
}

/// Sentences compared with the kept ones by their terms; beyond this only exact copies are noticed.
const MAX_COMPARED: usize = 512;

/// Fewer terms than this are too few to call two sentences near-duplicates.
const MIN_COMPARED_TERMS: u16 = 4;

/// A piece costs this much more than its text, for what separates it from the one before.
const PIECE_TOKENS: usize = 1;

/// Bytes kept before a place that a part is cut around.
const LEAD_BYTES: usize = 48;

/// A rest of a sentence smaller than this is not worth cutting out.
const MIN_CUT_TOKENS: usize = 8;

/// Which part of a sentence is kept when not all of it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Beginning,
    End,
    /// The surroundings of this byte of the passage.
    Around(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Taken,
    AlreadyKept,
    Duplicate,
    TooLong,
}

#[derive(Debug)]
pub(crate) struct Picker<'a> {
    document: &'a Document,
    texts: &'a [&'a str],
    duplicate_overlap: f64,
    /// In the order in which they were taken.
    kept: Vec<Kept>,
    /// Place of each sentence in `kept`, from 1; 0 where it is dropped. Few of many sentences are kept.
    place: Vec<u32>,
    left: usize,
    compared: usize,
    /// Scratch: terms of the candidate, all false between calls.
    marks: Vec<bool>,
}

impl<'a> Picker<'a> {
    pub(crate) fn new(
        document: &'a Document,
        texts: &'a [&'a str],
        tokens: usize,
        duplicate_overlap: f32,
    ) -> Self {
        Self {
            document,
            texts,
            duplicate_overlap: f64::from(duplicate_overlap),
            kept: Vec::new(),
            place: vec![0; document.units.len()],
            left: tokens,
            compared: 0,
            marks: vec![false; document.term_ids()],
        }
    }

    pub(crate) fn tokens_left(&self) -> usize {
        self.left
    }

    /// What is kept of a sentence, if anything.
    pub(crate) fn kept(&self, unit: usize) -> Option<&Kept> {
        let place = usize::try_from(*self.place.get(unit)?).ok()?;
        self.kept.get(place.checked_sub(1)?)
    }

    /// True when all of the sentence is kept.
    pub(crate) fn is_kept(&self, unit: usize) -> bool {
        self.kept(unit).is_some_and(|kept| {
            self.document.units.get(unit).is_some_and(|unit| unit.range() == kept.range)
        })
    }

    fn tokens_of(&self, unit: usize) -> usize {
        self.kept(unit).map_or(0, |kept| kept.tokens)
    }

    /// Tokens that taking the sentence would spend.
    pub(crate) fn cost(&self, unit: usize) -> usize {
        self.document
            .units
            .get(unit)
            .map_or(usize::MAX, |unit| usize::from(unit.tokens) + PIECE_TOKENS)
    }

    /// Takes a sentence if it fits both `purse`, which it is paid from, and the budget.
    pub(crate) fn take(&mut self, unit: usize, reason: Reason, purse: &mut usize) -> Outcome {
        if self.is_kept(unit) {
            return Outcome::AlreadyKept;
        }
        let cost = self.cost(unit);
        if cost > self.left || cost > *purse {
            return Outcome::TooLong;
        }
        if self.tokens_of(unit) == 0 && self.is_duplicate(unit) {
            return Outcome::Duplicate;
        }
        *purse -= cost;
        self.keep(unit, reason, None, cost);
        Outcome::Taken
    }

    /// As [`Self::take`], but keeps a part of a sentence that does not fit.
    pub(crate) fn take_part(
        &mut self,
        unit: usize,
        reason: Reason,
        purse: &mut usize,
        part: Part,
    ) -> Outcome {
        let outcome = self.take(unit, reason, purse);
        let room = self.left.min(*purse);
        if outcome != Outcome::TooLong
            || room < MIN_CUT_TOKENS + PIECE_TOKENS
            || self.tokens_of(unit) > 0
        {
            return outcome;
        }
        let room = room - PIECE_TOKENS;
        let Some(record) = self.document.units.get(unit) else { return outcome };
        let range = record.range();
        let text = self
            .texts
            .get(record.passage as usize)
            .and_then(|text| text.get(range.clone()))
            .unwrap_or_default();
        let from = match part {
            Part::Beginning => 0,
            Part::End => suffix_within(text, room),
            Part::Around(place) => {
                let place = place.saturating_sub(range.start);
                if prefix_within(text, room / 2) > place {
                    0
                } else {
                    word_before(text, place.saturating_sub(LEAD_BYTES))
                }
            }
        };
        let rest = text.get(from..).unwrap_or_default();
        let end = prefix_within(rest, room);
        if end == 0 {
            return outcome;
        }
        let cost = estimate_tokens(rest.get(..end).unwrap_or_default()) + PIECE_TOKENS;
        *purse = purse.saturating_sub(cost);
        let start = range.start + from;
        self.keep(unit, reason, Some(start..start + end), cost);
        Outcome::Taken
    }

    fn keep(&mut self, unit: usize, reason: Reason, part: Option<Range<usize>>, cost: usize) {
        let range = part
            .or_else(|| self.document.units.get(unit).map(crate::document::Unit::range))
            .unwrap_or_default();
        let before = self.tokens_of(unit);
        let Some(slot) = self.place.get_mut(unit) else { return };
        self.left = self.left.saturating_sub(cost);
        let kept = Kept { unit, reason, range, tokens: before + cost };
        let known = usize::try_from(*slot).ok().and_then(|place| place.checked_sub(1));
        match known.and_then(|place| self.kept.get_mut(place)) {
            Some(part) => *part = kept,
            None => {
                self.kept.push(kept);
                *slot = u32::try_from(self.kept.len()).unwrap_or(0);
            }
        }
    }

    /// True when a kept sentence says the same.
    fn is_duplicate(&mut self, unit: usize) -> bool {
        if self.duplicate_overlap >= 1.0 {
            return false;
        }
        let Some(candidate) = self.document.units.get(unit) else { return false };
        let same_terms = |kept: &Kept| {
            self.document.units.get(kept.unit).is_some_and(|kept| {
                kept.fingerprint == candidate.fingerprint
                    && kept.terms == candidate.terms
                    && kept.terms > 0
            })
        };
        if self.kept.iter().any(same_terms) {
            return true;
        }
        if candidate.terms < MIN_COMPARED_TERMS || self.compared >= MAX_COMPARED {
            return false;
        }
        self.compared += 1;
        let mut distinct = 0.0;
        for (term, _) in self.document.entries(unit) {
            distinct += 1.0;
            if let Some(mark) = self.marks.get_mut(term) {
                *mark = true;
            }
        }
        let is_near = |kept: &Kept| {
            let shared = self
                .document
                .entries(kept.unit)
                .filter(|(term, _)| self.marks.get(*term) == Some(&true))
                .count();
            u32::try_from(shared)
                .is_ok_and(|shared| f64::from(shared) > self.duplicate_overlap * distinct)
        };
        let near = self.kept.iter().any(is_near);
        for (term, _) in self.document.entries(unit) {
            if let Some(mark) = self.marks.get_mut(term) {
                *mark = false;
            }
        }
        near
    }

    /// Tokens spent, separators included.
    pub(crate) fn spent(&self) -> usize {
        self.kept.iter().map(|kept| kept.tokens).sum()
    }
}

/// First byte of the word that holds byte `at`, or `at` itself moved to a character in text without spaces.
fn word_before(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let head = text.get(..at).unwrap_or_default();
    match head.char_indices().rev().take(32).find(|(_, char)| char.is_whitespace()) {
        Some((space, char)) => space + char.len_utf8(),
        None => at,
    }
}

/// First byte of the longest ending of `text` that takes at most `budget` tokens, at a word where there is one.
fn suffix_within(text: &str, budget: usize) -> usize {
    let mut words = text.char_indices().filter(|(at, _)| {
        *at > 0 && text.get(..*at).is_some_and(|head| head.ends_with(char::is_whitespace))
    });
    let fits = |at: usize| text.get(at..).is_some_and(|rest| estimate_tokens(rest) <= budget);
    if let Some((at, _)) = words.find(|(at, char)| !char.is_whitespace() && fits(*at)) {
        return at;
    }
    text.char_indices().map(|(at, _)| at).find(|at| fits(*at)).unwrap_or(text.len())
}
