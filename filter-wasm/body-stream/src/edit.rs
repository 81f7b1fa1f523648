//! Replaces spans of the raw body and leaves every other byte as it is.

use crate::error::{Error, ErrorKind};
use core::ops::Range;

/// One replacement, made by [`crate::Passage::edit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    range: Range<usize>,
    /// Already escaped for its place.
    replacement: String,
}

impl Edit {
    /// `levels` is the number of JSON strings around the text: two for JSON inside a string.
    pub(crate) fn new(range: Range<usize>, replacement: &str, levels: usize) -> Self {
        let mut replacement = replacement.to_owned();
        for _ in 0..levels {
            replacement = escape(&replacement);
        }
        Self { range, replacement }
    }

    /// The bytes of the raw body that are replaced.
    #[must_use]
    pub const fn range(&self) -> &Range<usize> {
        &self.range
    }

    /// The bytes that come in their place.
    #[must_use]
    pub fn replacement(&self) -> &str {
        &self.replacement
    }
}

/// The body with the edits applied; edits may come in any order.
///
/// # Errors
///
/// As for [`Redactor`].
pub fn redact(raw: &[u8], edits: &[Edit]) -> Result<Vec<u8>, Error> {
    let mut redactor = Redactor::new(edits.to_vec(), raw.len())?;
    redactor.push(raw);
    redactor.finish()
}

/// Applies edits to a body that comes in pieces, so that it and the new one need not be held side by side.
///
/// Everything outside the edited ranges is copied byte for byte, so key
/// order, white space, number lexemes and unknown fields stay.
#[derive(Debug)]
pub struct Redactor {
    /// By where they start.
    edits: Vec<Edit>,
    /// The first edit that is not done with.
    next: usize,
    /// Whether that one's replacement has been written.
    replaced: bool,
    /// Bytes of the raw body so far.
    at: usize,
    body: Vec<u8>,
}

impl Redactor {
    /// A redactor at the start of a body of `raw_bytes`; edits may come in any order.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EditsOverlap`] if two edits share a byte or start at the same
    /// place, [`ErrorKind::EditOutOfRange`] if one reaches past `raw_bytes`.
    pub fn new(mut edits: Vec<Edit>, raw_bytes: usize) -> Result<Self, Error> {
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let (mut done, mut last_start, mut bytes) = (0, None, raw_bytes);
        for edit in &edits {
            let Range { start, end } = edit.range;
            if start < done || last_start == Some(start) {
                return Err(Error::new(ErrorKind::EditsOverlap, start));
            }
            if end > raw_bytes || start > end {
                return Err(Error::new(ErrorKind::EditOutOfRange, start));
            }
            bytes = (bytes + edit.replacement.len()).saturating_sub(end - start);
            (done, last_start) = (end, Some(start));
        }
        // Exactly what it will be: this is the largest buffer that a request may need.
        let body = Vec::with_capacity(bytes);
        Ok(Self { edits, next: 0, replaced: false, at: 0, body })
    }

    /// Takes in the next bytes of the raw body.
    pub fn push(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() {
            let take = match self.edits.get(self.next) {
                Some(edit) if edit.range.start <= self.at => {
                    if !self.replaced {
                        self.body.extend_from_slice(edit.replacement.as_bytes());
                        self.replaced = true;
                    }
                    let inside = (edit.range.end - self.at).min(piece.len());
                    if self.at + inside == edit.range.end {
                        self.next += 1;
                        self.replaced = false;
                    }
                    inside
                }
                edit => {
                    let before = edit.map_or(usize::MAX, |edit| edit.range.start - self.at);
                    let kept = before.min(piece.len());
                    self.body.extend_from_slice(piece.get(..kept).unwrap_or_default());
                    kept
                }
            };
            self.at += take;
            piece = piece.get(take..).unwrap_or_default();
        }
    }

    /// The new body.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EditOutOfRange`] if the raw body ended before the last edit.
    pub fn finish(mut self) -> Result<Vec<u8>, Error> {
        for edit in self.edits.get(self.next..).unwrap_or_default() {
            if edit.range.end > self.at {
                return Err(Error::new(ErrorKind::EditOutOfRange, edit.range.start));
            }
            if !self.replaced {
                self.body.extend_from_slice(edit.replacement.as_bytes());
            }
            self.replaced = false;
        }
        Ok(self.body)
    }
}

/// The content of the JSON string that means `text`.
fn escape(text: &str) -> String {
    const HEX: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let mut out = String::with_capacity(text.len() + 2);
    for ch in text.chars() {
        let short = match ch {
            '"' | '\\' => ch,
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            '\u{8}' => 'b',
            '\u{c}' => 'f',
            '\0'..='\x1f' => {
                out.push_str("\\u00");
                for digit in [ch as usize >> 4, ch as usize & 15] {
                    out.extend(HEX.get(digit));
                }
                continue;
            }
            _ => {
                out.push(ch);
                continue;
            }
        };
        out.extend(['\\', short]);
    }
    out
}

#[cfg(test)]
mod tests;
