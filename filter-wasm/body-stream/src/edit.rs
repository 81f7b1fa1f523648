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
/// Everything outside the edited ranges is copied byte for byte, so key
/// order, white space, number lexemes and unknown fields stay.
///
/// # Errors
///
/// [`ErrorKind::EditsOverlap`] if two edits share a byte or start at the same
/// place, [`ErrorKind::EditOutOfRange`] if one reaches past the end of `raw`.
pub fn redact(raw: &[u8], edits: &[Edit]) -> Result<Vec<u8>, Error> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    order.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let longer: usize = edits.iter().map(|edit| edit.replacement.len()).sum();
    let mut body = Vec::with_capacity(raw.len() + longer);
    let mut done = 0;
    let mut last_start = None;
    for edit in order {
        let Range { start, end } = edit.range;
        if start < done || last_start == Some(start) {
            return Err(Error::new(ErrorKind::EditsOverlap, start));
        }
        let (Some(kept), true) = (raw.get(done..start), end <= raw.len()) else {
            return Err(Error::new(ErrorKind::EditOutOfRange, start));
        };
        body.extend_from_slice(kept);
        body.extend_from_slice(edit.replacement.as_bytes());
        done = end;
        last_start = Some(start);
    }
    body.extend_from_slice(raw.get(done..).unwrap_or_default());
    Ok(body)
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
