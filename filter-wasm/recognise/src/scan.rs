//! The full-text pass: candidates by block, each verified by a small matcher with bounded look-around.

mod colon;
mod context;
mod digits;
mod email;
mod iban;
mod phone;
mod secret;

use crate::block::{self, Bits, Classes, KINDS};
use crate::bytes::{at, before};
use crate::config::Recogniser;
use crate::entity::{Entity, Hit};
use crate::lanes::{LANES, Lanes, Native};

/// Bytes after a position that may decide what is found there: the longest private-key block, and some.
pub(crate) const LOOK_AHEAD: usize = secret::MAX_BLOCK_BYTES + 512;
/// A scan that would cover fewer new bytes waits for more text, so that tiny pieces stay cheap.
const MIN_STEP: usize = 1024;

// In the order of `Marks::candidates`.
const DIGIT: u8 = 1;
const AT: u8 = 2;
const COLON: u8 = 4;
const DASHES: u8 = 8;
const TOKEN: u8 = 16;

/// Finds entities in one text that grows.
///
/// Call [`advance`](Self::advance) whenever there is more text, and once with `complete`. How the text was cut makes no difference to
/// the finds. The last `LOOK_AHEAD` bytes (about 16 KiB) wait for what follows them. Memory is bounded by the finds.
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    scanned: usize,
    hits: Vec<Hit>,
}

impl Scanner {
    /// A scanner at the start of a text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Scans what is new. `text` is the whole text so far: it must begin with what was given before.
    pub fn advance(&mut self, recogniser: &Recogniser, text: &str, complete: bool) {
        let bytes = text.as_bytes();
        let to = if complete { bytes.len() } else { bytes.len().saturating_sub(LOOK_AHEAD) };
        if !complete && to < self.scanned.saturating_add(MIN_STEP) {
            return;
        }
        let hits = &mut self.hits;
        self.scanned = block::for_each::<Marks>(bytes, self.scanned, to, |position, flags| {
            match candidate(bytes, position, flags) {
                Some(hit) => {
                    let next = hit.range.end;
                    let value = text.get(hit.range.clone()).unwrap_or("");
                    if !value.is_empty() && recogniser.reports(hit.entity, value) {
                        add(hits, hit);
                    }
                    next
                }
                None => position + 1,
            }
        });
    }

    /// Bytes of memory that the finds hold.
    #[must_use]
    pub const fn held_bytes(&self) -> usize {
        self.hits.capacity() * size_of::<Hit>()
    }

    /// The finds so far, in order and not overlapping. Final once the text was complete.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }
}

/// Finds entities in a whole text with the default settings.
#[must_use]
pub fn recognise(text: &str) -> Vec<Hit> {
    let mut scanner = Scanner::new();
    scanner.advance(&Recogniser::default(), text, true);
    scanner.hits
}

/// The slow twin of [`recognise`]: every position is looked at by itself.
#[cfg(feature = "oracle")]
pub(crate) fn recognise_slowly(text: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut next = 0;
    for position in 0..text.len() {
        let flags = flags_slowly(text.as_bytes(), position);
        if position < next || flags == 0 {
            continue;
        }
        if let Some(hit) = candidate(text.as_bytes(), position, flags) {
            next = hit.range.end;
            if !hit.range.is_empty() {
                add(&mut hits, hit);
            }
        }
    }
    hits
}

/// What [`Marks`] finds at one position, stated plainly.
#[cfg(feature = "oracle")]
fn flags_slowly(bytes: &[u8], i: usize) -> u8 {
    let (previous, c) = (before(bytes, i), at(bytes, i));
    let is_token = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'/' | b'+');
    let mut flags = 0;
    if c.is_ascii_digit() && !previous.is_ascii_digit() {
        flags |= DIGIT;
    }
    if c == b'@' {
        flags |= AT;
    }
    if c == b':' {
        flags |= COLON;
    }
    if previous != b'-' && (i..i + 3).all(|k| at(bytes, k) == b'-') {
        flags |= DASHES;
    }
    if !is_token(previous) && (i..i + 16).all(|k| is_token(at(bytes, k))) {
        flags |= TOKEN;
    }
    flags
}

/// Where finds overlap the longer one stays; of equal ones the earlier.
fn add(hits: &mut Vec<Hit>, hit: Hit) {
    while let Some(last) = hits.last().filter(|last| last.range.end > hit.range.start) {
        if last.range.len() >= hit.range.len() {
            return;
        }
        hits.pop();
    }
    hits.push(hit);
}

fn candidate(bytes: &[u8], position: usize, flags: u8) -> Option<Hit> {
    let mut hit = None;
    if flags & TOKEN != 0 {
        hit = secret::token(bytes, position);
    }
    if hit.is_none() && flags & DIGIT != 0 {
        hit = digits::number(bytes, position);
    }
    if hit.is_none() && flags & COLON != 0 {
        // Not the colon of prose.
        let next = at(bytes, position + 1);
        if next == b':' || next.is_ascii_hexdigit() {
            hit = colon::ip_v6(bytes, position);
        }
    }
    if hit.is_none() && flags & AT != 0 {
        hit = email::address(bytes, position);
    }
    if hit.is_none() && flags & DASHES != 0 {
        hit = secret::private_key(bytes, position);
    }
    hit
}

/// Classes of bytes that candidates are recognised by.
#[derive(Clone, Copy)]
struct Marks {
    digit: u64,
    at: u64,
    colon: u64,
    dash: u64,
    token: u64,
}

impl Classes for Marks {
    #[inline(always)]
    fn of(block: &[u8; LANES]) -> Self {
        let lanes = Native::load(block);
        let letter = Native::bits(lanes.folded().within(b'a', 26));
        let digit = Native::rare_bits(lanes.within(b'0', 10));
        let (at, colon, dash) = (lanes.is(b'@'), lanes.is(b':'), lanes.is(b'-'));
        let others = dash | lanes.is(b'_') | lanes.is(b'/') | lanes.is(b'+');
        // Most blocks of prose have none of these.
        let rare = Native::rare_bits(at | colon | others) != 0;
        let bits = |mask| if rare { Native::rare_bits(mask) } else { 0 };
        let (at, colon, dash, others) = (bits(at), bits(colon), bits(dash), bits(others));
        Self { digit, at, colon, dash, token: letter | digit | others }
    }

    /// The first digit of a run; `@`; a colon;
    /// the first of three dashes; the first of sixteen token characters (letters, digits, `_`, `-`, `/`, `+`).
    #[inline(always)]
    fn candidates(before: &Self, here: &Self, after: &Self) -> [u64; KINDS] {
        let of = |class: fn(&Self) -> u64| Bits {
            before: class(before),
            here: class(here),
            after: class(after),
        };
        let dash = of(|marks| marks.dash);
        [
            here.digit & !of(|marks| marks.digit).earlier(),
            here.at,
            here.colon,
            here.dash & dash.later(1) & dash.later(2) & !dash.earlier(),
            of(|marks| marks.token).long_runs(),
        ]
    }
}

/// Whether the byte belongs to a word, an identifier or a number.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether `bytes[start..end]` stands by itself: no letter, digit or `_` touches it, nor a digit across a `.` or `-`.
///
/// Only ASCII counts, so Japanese or Thai text, which uses no spaces, may touch a number.
fn stands_alone(bytes: &[u8], start: usize, end: usize) -> bool {
    let joins = |b: u8| matches!(b, b'.' | b'-');
    let (left, right) = (before(bytes, start), at(bytes, end));
    let joined_left = joins(left) && start >= 2 && at(bytes, start - 2).is_ascii_digit();
    let joined_right = joins(right) && at(bytes, end + 1).is_ascii_digit();
    !(is_word(left) || is_word(right) || joined_left || joined_right)
}

fn hit(start: usize, end: usize, entity: Entity, score: f32) -> Hit {
    Hit { range: start..end, entity, score }
}

#[cfg(test)]
mod tests;
