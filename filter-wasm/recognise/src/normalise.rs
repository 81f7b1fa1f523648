//! Text as a model reads it, with the way back to the bytes it was made from.

mod encoded;
mod fold;
mod letters;
mod reveal;
mod rewrite;
mod vocabulary;

use std::ops::Range;

use crate::entity::Hit;
use fold::Fold;
use reveal::Reveal;

/// How often decoded text is itself decoded.
const DEPTH: u8 = 1;

/// Normalises one text that grows.
///
/// Call [`advance`](Self::advance) whenever there is more text, and once with `complete`. The result does not depend on how the text
/// was cut, and [`text`](Self::text) only ever grows. While nothing had to be changed nothing is copied. The last 14 KiB or so wait
/// for what follows them.
///
/// What is done, in two stages:
/// - Characters and words: compatibility forms (NFKC of single characters, except where it respells genuine words), invisible
///   characters, hidden tag and selector text, look-alike letters in words that are otherwise Latin, marks struck through letters,
///   controls. Text after a right-to-left override is repeated as it is seen.
/// - Encodings: percent, `\x`, `\u` and character-reference escapes in place; base64 and hexadecimal runs stay and what they say is
///   added after them; `i g n o r e` is joined; digits for letters are read in words that are then English.
///
/// Memory: at most about four times the text for folding, plus what is decoded (at most 1.3 times), plus a map of some megabytes.
/// Normalising twice changes nothing more, except that added text (decoded, or reversed) is added again.
#[derive(Clone, Debug)]
pub struct Normaliser {
    fold: Fold,
    reveal: Reveal,
}

/// How often each kind of change was made; the counters stop at their maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Invisible characters dropped.
    pub invisible: u32,
    /// Control characters dropped or made spaces.
    pub controls: u32,
    /// Letters of other scripts read as the Latin letters that they resemble.
    pub look_alikes: u32,
    /// Wide, styled, circled and other compatibility forms.
    pub styled: u32,
    /// Words with four or more lower-case letters in such forms. Capitals are common: `ＡＰＩ` in Japanese, variables in mathematics.
    pub styled_words: u32,
    /// Texts hidden in tag characters or variation selectors.
    pub tags: u32,
    /// Texts shown in reverse by an override.
    pub reversed: u32,
    /// Escapes and encoded runs decoded.
    pub decoded: u32,
    /// Words whose letters stood apart.
    pub spaced: u32,
    /// Words with digits or signs for letters.
    pub leet: u32,
}

impl Changes {
    /// Whether the text was disguised: changes that honest text hardly needs. Single invisible characters, controls, compatibility
    /// forms (ligatures, wide letters in Japanese) and escapes are common and do not count.
    #[must_use]
    pub const fn is_obfuscated(&self) -> bool {
        self.look_alikes > 0
            || self.styled_words > 1
            || self.tags > 0
            || self.reversed > 0
            || self.spaced > 0
            || self.leet > 1
            || self.invisible > 3
    }
}

impl Default for Normaliser {
    fn default() -> Self {
        Self::new()
    }
}

impl Normaliser {
    /// A normaliser at the start of a text.
    #[must_use]
    pub fn new() -> Self {
        Self::with_depth(DEPTH)
    }

    fn with_depth(depth: u8) -> Self {
        Self { fold: Fold::default(), reveal: Reveal::new(depth) }
    }

    /// Treats what is new. `text` is the whole original so far: it must begin with what was given before.
    pub fn advance(&mut self, text: &str, complete: bool) {
        self.fold.advance(text, complete);
        self.reveal.advance(self.fold.rewrite.text(text), complete);
    }

    /// The normalised text so far; `original` is what was last given to [`advance`](Self::advance).
    #[must_use]
    pub fn text<'a>(&'a self, original: &'a str) -> &'a str {
        self.reveal.rewrite.text(self.fold.rewrite.text(original))
    }

    /// Bytes of memory that the normalised text and the map hold; none while nothing had to be changed.
    #[must_use]
    pub const fn held_bytes(&self) -> usize {
        self.fold.rewrite.held_bytes() + self.reveal.rewrite.held_bytes()
    }

    /// Frees the normalised text when all of it has been read. [`original_range`](Self::original_range) goes on to work;
    /// [`text`](Self::text) is empty if anything had been changed.
    pub fn release_text(&mut self) {
        self.fold.rewrite.release_text();
        self.reveal.rewrite.release_text();
    }

    /// The bytes of the original that `range` of the normalised text was made from, on character boundaries if `range` is.
    ///
    /// What was dropped inside the range belongs to it. For added text it is the whole run that was decoded or reversed.
    #[must_use]
    pub fn original_range(&self, range: Range<usize>) -> Range<usize> {
        self.fold.rewrite.source_range(self.reveal.rewrite.source_range(range))
    }

    /// Finds in the normalised text as ranges of the original, in order and not overlapping.
    ///
    /// Several finds may lead to the same bytes, as when one encoded run holds two addresses. They become one, of the entity that was
    /// surest, or of equal ones the first.
    #[must_use]
    pub fn original_hits(&self, hits: &[Hit]) -> Vec<Hit> {
        let mut original: Vec<Hit> = hits
            .iter()
            .map(|hit| Hit { range: self.original_range(hit.range.clone()), ..hit.clone() })
            .filter(|hit| !hit.range.is_empty())
            .collect();
        original.sort_by_key(|hit| hit.range.start);
        let mut merged: Vec<Hit> = Vec::with_capacity(original.len());
        for hit in original {
            match merged.last_mut().filter(|last| last.range.end > hit.range.start) {
                Some(last) => {
                    last.range.end = last.range.end.max(hit.range.end);
                    if hit.score > last.score {
                        (last.entity, last.score) = (hit.entity, hit.score);
                    }
                }
                None => merged.push(hit),
            }
        }
        merged
    }

    /// What was changed so far.
    #[must_use]
    pub const fn changes(&self) -> Changes {
        let (first, second) = (self.fold.changes, self.reveal.changes);
        Changes { decoded: second.decoded, spaced: second.spaced, leet: second.leet, ..first }
    }
}

#[cfg(test)]
mod tests;
