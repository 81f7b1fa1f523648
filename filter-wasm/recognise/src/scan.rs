//! The full-text pass: candidates by block, each verified by a small matcher with bounded look-around.

mod colon;
mod context;
mod digits;
mod email;
mod iban;
mod phone;
mod secret;

use crate::block::{self, Flags, Window, full};
use crate::bytes::{at, before};
use crate::config::Recogniser;
use crate::entity::{Entity, Hit};

/// Bytes after a position that may decide what is found there: the longest private-key block, and some.
pub(crate) const LOOK_AHEAD: usize = secret::MAX_BLOCK_BYTES + 512;
/// A scan that would cover fewer new bytes waits for more text, so that tiny pieces stay cheap.
const MIN_STEP: usize = 1024;

const DIGIT: u8 = 1;
const AT: u8 = 2;
const COLON: u8 = 4;
const DASHES: u8 = 8;
const TOKEN: u8 = 16;

/// Finds entities in one text that grows.
///
/// Call [`advance`](Self::advance) whenever there is more text, and once with `complete`. How the text was cut makes no difference to
/// the finds. The last [`LOOK_AHEAD`] bytes (about 16 KiB) wait for what follows them. Memory is bounded by the finds.
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
        self.scanned = block::for_each(bytes, self.scanned, to, classify, |position, flags| {
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
        hit = colon::ip_v6(bytes, position);
    }
    if hit.is_none() && flags & AT != 0 {
        hit = email::address(bytes, position);
    }
    if hit.is_none() && flags & DASHES != 0 {
        hit = secret::private_key(bytes, position);
    }
    hit
}

/// Flags: the first digit of a run; `@`; a colon between hexadecimal digits or colons; the first of five dashes; the first of sixteen
/// token characters (letters, digits, `_`, `-`, `/`, `+`).
fn classify(window: &Window, flags: &mut Flags) {
    let mut token: Window = [0; _];
    for i in 0..token.len() {
        let c = window[i];
        let letter = (c | 0x20).wrapping_sub(b'a') < 26;
        let sign = (c == b'-') | (c == b'_') | (c == b'/') | (c == b'+');
        token[i] = full(letter | (c.wrapping_sub(b'0') < 10) | sign);
    }
    let mut long = [0; block::BLOCK + 1];
    block::sixteen_in_a_row(&token, &mut long);
    for i in 0..flags.len() {
        let (previous, c, next) = (window[i], window[i + 1], window[i + 2]);
        let is_digit = c.wrapping_sub(b'0') < 10;
        let digit = full(is_digit & (previous.wrapping_sub(b'0') >= 10)) & DIGIT;
        let sign = full(c == b'@') & AT;
        // `next` is a hexadecimal digit or a colon: a time or a ratio also passes, but not the colon of prose.
        let follows = (next.wrapping_sub(b'0') <= 10) | ((next | 0x20).wrapping_sub(b'a') < 6);
        let colon = full((c == b':') & follows) & COLON;
        let dashes =
            full((c == b'-') & (next == b'-') & (window[i + 3] == b'-') & (previous != b'-'))
                & DASHES;
        let run = long[i + 1] & !token[i] & TOKEN;
        flags[i] = digit | sign | colon | dashes | run;
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
