//! Checks that hold for any text, for property tests and fuzz targets, and the slow twins that they compare with.
//!
//! Each check answers with what went wrong; a fuzz target panics on it.

use std::ops::Range;

use crate::{Hit, Normaliser, Recogniser, Scanner};

/// The byte positions of `text`, in order, at which it is given in pieces; made valid from arbitrary numbers.
#[must_use]
pub fn cuts(text: &str, anywhere: &[u16]) -> Vec<usize> {
    let mut cuts: Vec<usize> = anywhere
        .iter()
        .map(|&cut| {
            crate::bytes::floor(text, usize::from(cut) * text.len().max(1) / usize::from(u16::MAX))
        })
        .collect();
    cuts.sort_unstable();
    cuts
}

/// The normaliser gives the same for any cuts, its text only grows, and ranges lead back to character boundaries, in order.
///
/// # Errors
///
/// What went wrong.
pub fn normaliser(text: &str, cuts: &[usize]) -> Result<(), &'static str> {
    let mut whole = Normaliser::new();
    whole.advance(text, true);
    let expected = whole.text(text);

    let mut pieces = Normaliser::new();
    let mut shown = String::new();
    for &cut in cuts {
        let so_far = text.get(..cut).ok_or("a cut inside a character")?;
        pieces.advance(so_far, false);
        let now = pieces.text(so_far);
        if !now.starts_with(&shown) {
            return Err("normalised text that was shown has changed");
        }
        shown.clear();
        shown.push_str(now);
    }
    pieces.advance(text, true);
    if pieces.text(text) != expected {
        return Err("the normalised text depends on the cuts");
    }
    if pieces.changes() != whole.changes() {
        return Err("the changes depend on the cuts");
    }
    if expected.len() > 12 * text.len() + 64 {
        return Err("the normalised text grew past its bound");
    }

    for (start, c) in expected.char_indices() {
        let end = start + c.len_utf8();
        let one = whole.original_range(start..end);
        if pieces.original_range(start..end) != one {
            return Err("the offset map depends on the cuts");
        }
        if text.get(one.clone()).is_none_or(str::is_empty) {
            return Err("a character was made from nothing, or from half a character");
        }
        let wider = whole.original_range(start - last_length(expected, start)..end);
        if wider.start > one.start || wider.end < one.end {
            return Err("a wider range leads to a narrower one");
        }
    }
    if whole.original_range(0..expected.len()).len() > text.len()
        || !expected.is_empty() && text.is_empty()
    {
        return Err("a range leads past the text");
    }
    Ok(())
}

/// Length of the character that ends at `end`.
fn last_length(text: &str, end: usize) -> usize {
    text.get(..end).and_then(|before| before.chars().next_back()).map_or(0, char::len_utf8)
}

/// The scanner gives the same for any cuts, and finds are in order, apart, not empty and on character boundaries.
///
/// # Errors
///
/// What went wrong.
pub fn scanner(text: &str, cuts: &[usize]) -> Result<(), &'static str> {
    let recogniser = Recogniser::default();
    let mut whole = Scanner::new();
    whole.advance(&recogniser, text, true);
    let mut pieces = Scanner::new();
    for &cut in cuts {
        pieces.advance(&recogniser, text.get(..cut).ok_or("a cut inside a character")?, false);
    }
    pieces.advance(&recogniser, text, true);
    if pieces.hits() != whole.hits() {
        return Err("the finds depend on the cuts");
    }
    if whole.hits() != crate::scan::recognise_slowly(text) {
        return Err("the blocks miss what a plain search finds");
    }
    let mut from = 0;
    for hit in whole.hits() {
        if hit.range.start < from {
            return Err("finds overlap or are out of order");
        }
        if text.get(hit.range.clone()).is_none_or(str::is_empty) {
            return Err("a find is empty or cuts a character");
        }
        from = hit.range.end;
    }
    Ok(())
}

/// Placeholders in place of finds are not found themselves.
///
/// # Errors
///
/// What went wrong.
pub fn redaction(text: &str) -> Result<(), &'static str> {
    let (redacted, placeholders) = redact(text, &crate::recognise(text));
    let touches =
        |hit: &Hit| placeholders.iter().any(|p| p.start < hit.range.end && hit.range.start < p.end);
    if crate::recognise(&redacted).iter().any(touches) {
        return Err("a placeholder was found as an entity");
    }
    Ok(())
}

/// Puts `[TYPE]` in place of each find; also where the placeholders are.
#[must_use]
pub fn redact(text: &str, hits: &[Hit]) -> (String, Vec<Range<usize>>) {
    let mut redacted = String::new();
    let mut placeholders = Vec::new();
    let mut from = 0;
    for hit in hits {
        redacted.push_str(text.get(from..hit.range.start).unwrap_or(""));
        let start = redacted.len();
        redacted.push('[');
        redacted.push_str(hit.entity.name());
        redacted.push(']');
        placeholders.push(start..redacted.len());
        from = hit.range.end;
    }
    redacted.push_str(text.get(from..).unwrap_or(""));
    (redacted, placeholders)
}
