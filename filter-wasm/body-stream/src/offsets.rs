//! From bytes of text to bytes of the raw body.
//!
//! An escape is longer than what it means, so text and raw body drift apart.
//! The map stores one code per escape or run of like escapes, with a mark
//! every [`MARK_EVERY`] codes for binary search: about two bytes per escape,
//! none for text without escapes.

use core::ops::Range;
use std::sync::Arc;

/// Codes between two marks: a look-up walks at most this many.
const MARK_EVERY: usize = 32;

/// Text and raw length of each kind of escape, by its code; as in [`OffsetMap::push_char`].
const KINDS: [(usize, usize); 5] = [(1, 2), (1, 6), (2, 6), (3, 6), (4, 12)];

/// Escapes of one kind that a code can hold: five bits.
const MAX_COUNT: u8 = 32;

/// Maps bytes of one string's text to bytes of the raw body.
///
/// With JSON inside a string, the map leads to the text of the outer string,
/// and the outer string's map leads on to the raw body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetMap {
    /// Where the string's content starts in the raw body or the outer text.
    start: usize,
    /// Per code: LEB128 count of verbatim bytes, then `kind << 5 | count - 1`.
    codes: Vec<u8>,
    /// Number of codes.
    len: usize,
    marks: Vec<Mark>,
    /// Text and raw bytes covered by `codes`.
    coded: Position,
    /// Verbatim bytes after the last code.
    tail: u32,
    outer: Option<Arc<Self>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Position {
    text: u32,
    raw: u32,
}

/// Counts within one string: `Limits` keeps a body below 4 GiB.
fn narrow(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// The state before a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    at: Position,
    code: u32,
}

/// Which edge of an escape a position inside it is moved to.
#[derive(Clone, Copy)]
enum Round {
    Down,
    Up,
}

impl OffsetMap {
    /// A map of no text yet, for a string whose content starts at `start`.
    #[must_use]
    pub const fn starting_at(start: usize) -> Self {
        Self {
            start,
            codes: Vec::new(),
            len: 0,
            marks: Vec::new(),
            coded: Position { text: 0, raw: 0 },
            tail: 0,
            outer: None,
        }
    }

    /// Bytes of text mapped so far.
    #[must_use]
    pub const fn text_len(&self) -> usize {
        self.coded.text as usize + self.tail as usize
    }

    /// Bytes of memory that the map holds, the outer one not included.
    #[must_use]
    pub const fn held_bytes(&self) -> usize {
        self.codes.capacity() + self.marks.capacity() * size_of::<Mark>()
    }

    /// Whether a string lies inside JSON that lies inside a string.
    #[must_use]
    pub const fn is_nested(&self) -> bool {
        self.outer.is_some()
    }

    /// Appends `bytes` of text that stand in the raw body as they are.
    pub(crate) fn push_verbatim(&mut self, bytes: usize) {
        self.tail = self.tail.saturating_add(narrow(bytes));
    }

    /// Appends one character of `text` bytes, written with `raw` bytes.
    pub(crate) fn push_char(&mut self, text: usize, raw: usize) {
        let kind: u8 = match (text, raw) {
            (1, 2) => 0,
            (1, 6) => 1 << 5,
            (2, 6) => 2 << 5,
            (3, 6) => 3 << 5,
            (4, 12) => 4 << 5,
            _ => return self.push_verbatim(text),
        };
        let mut joined = false;
        if self.tail == 0
            && let Some(last) = self.codes.last_mut()
            && *last & 0xe0 == kind
            && *last & 0x1f < MAX_COUNT - 1
        {
            *last += 1;
            joined = true;
        }
        if !joined {
            if self.len.is_multiple_of(MARK_EVERY) {
                self.marks.push(Mark { at: self.coded, code: narrow(self.codes.len()) });
            }
            let mut verbatim = self.tail;
            while verbatim >= 0x80 {
                self.codes.push((verbatim & 0x7f).to_le_bytes()[0] | 0x80);
                verbatim >>= 7;
            }
            self.codes.push(verbatim.to_le_bytes()[0]);
            self.codes.push(kind);
            self.len += 1;
            self.coded.text = self.coded.text.saturating_add(self.tail);
            self.coded.raw = self.coded.raw.saturating_add(self.tail);
            self.tail = 0;
        }
        self.coded.text = self.coded.text.saturating_add(narrow(text));
        self.coded.raw = self.coded.raw.saturating_add(narrow(raw));
    }

    /// Places the map's string inside the text of `outer`.
    pub(crate) fn nest_in(&mut self, outer: &Arc<Self>) {
        self.outer = Some(Arc::clone(outer));
    }

    /// The map of the text from byte `from` on. Takes time linear in the map.
    pub(crate) fn tail_from(&self, from: usize) -> Self {
        let mut tail = Self::starting_at(self.start + self.offset(from, Round::Down));
        tail.outer.clone_from(&self.outer);
        let mut text = 0_usize;
        let mut codes = Codes { rest: &self.codes };
        for code in codes.by_ref() {
            let verbatim = (text + code.verbatim).saturating_sub(text.max(from));
            tail.push_verbatim(verbatim.min(code.verbatim));
            text += code.verbatim;
            for _ in 0..code.count {
                if text >= from {
                    tail.push_char(code.text, code.raw);
                }
                text += code.text;
            }
        }
        let rest = self.tail as usize;
        tail.push_verbatim((text + rest).saturating_sub(text.max(from)).min(rest));
        tail
    }

    /// Bytes of the raw body that spell the text's bytes `text`.
    ///
    /// Widens to whole escapes, at both levels of JSON in a string. `None`
    /// if the range is reversed or passes the end of the text.
    #[must_use]
    pub fn raw_range(&self, text: Range<usize>) -> Option<Range<usize>> {
        if text.start > text.end || text.end > self.text_len() {
            return None;
        }
        let start = self.start + self.offset(text.start, Round::Down);
        let end =
            if text.is_empty() { start } else { self.start + self.offset(text.end, Round::Up) };
        match &self.outer {
            Some(outer) => outer.raw_range(start..end),
            None => Some(start..end),
        }
    }

    /// Raw bytes from `start` to the text's byte `text`.
    fn offset(&self, text: usize, round: Round) -> usize {
        let after = self.marks.partition_point(|mark| mark.at.text as usize <= text);
        let mark = after.checked_sub(1).and_then(|last| self.marks.get(last));
        let (mut at, code) =
            mark.map_or((Position::default(), 0), |mark| (mark.at, mark.code as usize));
        let codes = Codes { rest: self.codes.get(code..).unwrap_or_default() };
        for code in codes {
            let past = text - at.text as usize;
            if past <= code.verbatim {
                return at.raw as usize + past;
            }
            let past = past - code.verbatim;
            let (raw, whole) = (at.raw as usize + code.verbatim, past / code.text);
            if past < code.count * code.text {
                let partly = match round {
                    Round::Down => 0,
                    Round::Up => past % code.text,
                };
                return raw + (whole + usize::from(partly > 0)) * code.raw;
            }
            at.text += narrow(code.verbatim + code.count * code.text);
            at.raw += narrow(code.verbatim + code.count * code.raw);
        }
        at.raw as usize + (text - at.text as usize)
    }
}

/// Some verbatim bytes, then `count` escapes of one kind.
struct Code {
    verbatim: usize,
    count: usize,
    text: usize,
    raw: usize,
}

struct Codes<'a> {
    rest: &'a [u8],
}

impl Iterator for Codes<'_> {
    type Item = Code;

    fn next(&mut self) -> Option<Code> {
        let mut verbatim = 0_usize;
        let mut shift = 0;
        loop {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            verbatim |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        let &(text, raw) = KINDS.get(usize::from(byte >> 5))?;
        Some(Code { verbatim, count: usize::from(byte & 0x1f) + 1, text, raw })
    }
}

#[cfg(test)]
mod tests;
