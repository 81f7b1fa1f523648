//! The second stage: encodings and disguises made of ASCII. Escapes are decoded in place; a base64 or hexadecimal run stays and what
//! it decodes to is added after it, because the run itself may be a key that the recognisers look for.

use std::ops::Range;

use super::letters;
use super::rewrite::Rewrite;
use super::{Changes, Normaliser, encoded, vocabulary};
use crate::block::{self, Bits, Classes, KINDS};
use crate::bytes::{at, before, floor, part, run, run_back};
use crate::lanes::{LANES, Lanes, Native};

/// Bytes of one encoded run that are decoded together; a longer run is treated in pieces of this size. Divides by four and by two, so
/// pieces begin where groups do.
const MAX_RUN: usize = 12 * 1024;
/// Bytes after a position that may decide what becomes of it.
const LOOK_AHEAD: usize = MAX_RUN + 1024;
const MIN_STEP: usize = 1024;
/// How far before its trigger a disguised word may begin.
const MAX_WORD_START: usize = 48;
/// Phases in which a run is decoded beyond its own: junk in front shifts the groups. Only for this many bytes.
const MAX_SHIFTED: usize = 4 * 1024;
/// Escapes in a row that are decoded together.
const MAX_ESCAPES: usize = 160;

// In the order of `Marks::candidates`.
const ESCAPE: u8 = 1;
const LEET: u8 = 2;
const SPACED: u8 = 4;
const RUN: u8 = 8;
const PAIRS: u8 = 16;

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Reveal {
    pub(super) rewrite: Rewrite,
    pub(super) changes: Changes,
    scanned: usize,
    /// How often what was decoded is decoded again.
    depth: u8,
}

impl Reveal {
    pub(super) fn new(depth: u8) -> Self {
        Self { depth, ..Self::default() }
    }

    /// Treats what is new in `text`, the whole output of the first stage so far.
    pub(super) fn advance(&mut self, text: &str, complete: bool) {
        let bytes = text.as_bytes();
        let to = if complete { bytes.len() } else { bytes.len().saturating_sub(LOOK_AHEAD) };
        if !complete && to < self.scanned.saturating_add(MIN_STEP) {
            return;
        }
        let from = self.scanned;
        self.scanned = block::for_each::<Marks>(bytes, from, to, |position, kinds| {
            self.candidate(text, position, kinds)
        });
        if complete {
            self.rewrite.keep(text, bytes.len());
        } else {
            let settled = floor(text, self.scanned.saturating_sub(MAX_WORD_START));
            if settled > self.rewrite.taken() {
                self.rewrite.keep(text, settled);
            }
        }
    }

    /// Treats one flagged position and returns where to go on.
    fn candidate(&mut self, text: &str, position: usize, flags: u8) -> usize {
        let mut next = position + 1;
        if position < self.rewrite.taken() {
            return next;
        }
        if flags & ESCAPE != 0 {
            next = self.escapes(text, position).unwrap_or(next);
        }
        if flags & SPACED != 0 {
            next = next.max(self.spaced(text, position).unwrap_or(next));
        }
        if flags & LEET != 0 && next == position + 1 {
            next = self.leet(text, position).unwrap_or(next);
        }
        if flags & PAIRS != 0 && next == position + 1 {
            next = self.pairs(text, position).unwrap_or(next);
        }
        if flags & RUN != 0 && next == position + 1 {
            next = self.run(text, position).unwrap_or(next);
        }
        next
    }

    /// Adds decoded text after `about`, itself normalised one level down.
    fn insert(&mut self, text: &str, about: Range<usize>, decoded: &str) {
        let shown = if self.depth > 0 {
            let mut inner = Normaliser::with_depth(self.depth - 1);
            inner.advance(decoded, true);
            format!("{} ", inner.text(decoded))
        } else {
            format!("{decoded} ")
        };
        self.changes.decoded = self.changes.decoded.saturating_add(1);
        self.rewrite.keep(text, about.end);
        self.rewrite.insert(text, about, &shown);
    }

    /// A run of base64 or hexadecimal digits, with the runs that follow it after single dots (a web token) or line ends.
    fn run(&mut self, text: &str, start: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let limit = start + MAX_RUN;
        let mut decoded = String::new();
        let mut from = start;
        let end = loop {
            let to = run_end(bytes, from, limit);
            decode_run(part(bytes, from..to), &mut decoded);
            let padding = run(bytes, to, 2, |b| b == b'=');
            let dotted = padding == 0 && at(bytes, to) == b'.' && is_encoded(at(bytes, to + 1));
            if !dotted || to + 1 >= limit {
                break to + padding;
            }
            from = to + 1;
        };
        if !decoded.is_empty() {
            self.insert(text, start..end, &decoded);
        }
        Some(end)
    }

    /// Pairs of hexadecimal digits with single separators: `49 67 6e`, `49:67:6e`, `0x49, 0x67`.
    fn pairs(&mut self, text: &str, start: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let digits = [0, 1, 3, 4, 6, 7].iter().all(|&k| at(bytes, start + k).is_ascii_hexdigit());
        if !digits || before(bytes, start).is_ascii_hexdigit() {
            return None;
        }
        let separator = at(bytes, start + 2);
        if separator != at(bytes, start + 5) || !matches!(separator, b' ' | b':' | b',') {
            return None;
        }
        let limit = start + MAX_RUN;
        let mut end = start + 2;
        while end < limit && at(bytes, end) == separator {
            let space = usize::from(separator == b',' && at(bytes, end + 1) == b' ');
            let prefix = if part(bytes, end + 1 + space..end + 3 + space) == b"0x" { 2 } else { 0 };
            let pair = end + 1 + space + prefix;
            if !at(bytes, pair).is_ascii_hexdigit() || !at(bytes, pair + 1).is_ascii_hexdigit() {
                break;
            }
            end = pair + 2;
        }
        let mut found = Vec::new();
        // `0x` in front of a pair would read as a digit.
        let plain: Vec<u8> = part(bytes, start..end).split(|&b| b == separator || b == b' ').fold(
            Vec::new(),
            |mut all, pair| {
                all.extend_from_slice(pair.strip_prefix(b"0x").unwrap_or(pair));
                all
            },
        );
        encoded::hex_pairs(&plain, &mut found);
        let mut decoded = String::new();
        encoded::append_text(&found, &mut decoded);
        if decoded.is_empty() {
            return None;
        }
        self.insert(text, start..end, &decoded);
        Some(end)
    }

    /// Percent, `\x`, `\u` and character-reference escapes, each replaced by what it means where that is printable.
    fn escapes(&mut self, text: &str, start: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        if is_format(bytes, start) {
            return None;
        }
        let mut position = start;
        let mut pending: Vec<(u8, usize)> = Vec::new();
        let mut count = 0;
        while count < MAX_ESCAPES {
            let Some((value, length)) = escape(bytes, position) else { break };
            count += 1;
            match value {
                Value::Byte(byte) => pending.push((byte, position)),
                Value::Character(c) => {
                    self.write_bytes(text, &pending, position);
                    pending.clear();
                    if is_printable(c) {
                        self.changes.decoded = self.changes.decoded.saturating_add(1);
                        self.rewrite.replace(
                            text,
                            position..position + length,
                            c.encode_utf8(&mut [0; 4]),
                        );
                    }
                }
            }
            position += length;
        }
        self.write_bytes(text, &pending, position);
        (count > 0).then_some(position)
    }

    /// Replaces escaped bytes by the characters that they spell in UTF-8; bytes that spell none stay escaped.
    fn write_bytes(&mut self, text: &str, pending: &[(u8, usize)], end: usize) {
        let values: Vec<u8> = pending.iter().map(|&(byte, _)| byte).collect();
        let start_of = |k: usize| pending.get(k).map_or(end, |&(_, start)| start);
        let mut k = 0;
        for chunk in values.utf8_chunks() {
            for c in chunk.valid().chars() {
                let next = k + c.len_utf8();
                if is_printable(c) {
                    self.changes.decoded = self.changes.decoded.saturating_add(1);
                    self.rewrite.replace(
                        text,
                        start_of(k)..start_of(next),
                        c.encode_utf8(&mut [0; 4]),
                    );
                }
                k = next;
            }
            k += chunk.invalid().len();
        }
    }

    /// Letters with a separator between every two of them. `start` is the first letter.
    ///
    /// Five letters are a word (`i g n o r e`); after it shorter ones count, across a wider gap. Lists of the alphabet and repeated
    /// letters are none.
    fn spaced(&mut self, text: &str, start: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let separator = at(bytes, start + 1);
        if separator != at(bytes, start + 3) || !matches!(separator, b' '..=b'~') {
            return None;
        }
        // The letters, and how many there are in each word.
        let mut letters = String::new();
        let mut lengths: Vec<usize> = Vec::new();
        let mut end = start;
        let mut position = start;
        loop {
            // One word: letters at every other byte.
            let from = letters.len();
            while letters.len() - from < vocabulary::MAX_SEGMENTED
                && at(bytes, position).is_ascii_alphabetic()
                && !is_letter_or_digit(at(bytes, position + 1))
            {
                letters.push(char::from(at(bytes, position)));
                end = position + 1;
                if at(bytes, end) != separator || !at(bytes, end + 1).is_ascii_alphabetic() {
                    break;
                }
                position = end + 1;
            }
            if letters.len() == from {
                break;
            }
            lengths.push(letters.len() - from);
            // A wider gap, or another separator, begins the next word.
            let gap =
                run(bytes, end, 4, |b| b == b' ' || b == separator || matches!(b, b'/' | b'|'));
            let next = end + gap;
            let goes_on = gap > 0
                && at(bytes, next).is_ascii_alphabetic()
                && !is_letter_or_digit(at(bytes, next + 1));
            if !goes_on || letters.len() > 4 * vocabulary::MAX_SEGMENTED {
                break;
            }
            position = next;
        }
        let lower = letters.to_ascii_lowercase();
        let vowels =
            lower.bytes().filter(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')).count();
        let different = lower.bytes().fold(0u32, |seen, b| seen | 1 << (b & 31)).count_ones();
        let alphabet = lower.bytes().zip(lower.bytes().skip(1)).all(|(a, b)| b == a + 1);
        let longest = lengths.iter().copied().max().unwrap_or(0);
        // Four letters make up genes, a few make up sets. What is no word now is none from a later letter on either.
        if longest < 5 || alphabet || different < 5 || vowels * 6 < lower.len() {
            return Some(end);
        }
        let mut words = String::new();
        let mut from = 0;
        for length in lengths {
            if from > 0 {
                words.push(' ');
            }
            vocabulary::append_segmented(
                letters.get(from..from + length).unwrap_or(""),
                &mut words,
            );
            from += length;
        }
        self.changes.spaced = self.changes.spaced.saturating_add(1);
        self.rewrite.replace(text, start..end, &words);
        Some(end)
    }

    /// A word with digits or signs for letters, as in `1gn0re` and `p@ssw0rd`. `trigger` is one of them, between two letters.
    ///
    /// Names of programs and formats look alike (`log4j`, `utf8`, `sha256`, `h264`), so the word must be a known one, or have two such
    /// places apart from each other and read like English.
    fn leet(&mut self, text: &str, trigger: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let part_of = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'@' | b'$' | b'!');
        // Inside a word, or in front of one.
        let previous = before(bytes, trigger);
        if !previous.is_ascii_alphabetic() && !matches!(previous, b' ' | b'\n' | 0) {
            return None;
        }
        let room = trigger - self.rewrite.taken().min(trigger);
        let start = trigger - run_back(bytes, trigger, room.min(MAX_WORD_START), part_of);
        let start = start + run(bytes, start, 2, |b| b == b'!');
        let mut length = run(bytes, start, 32, part_of);
        length -= run_back(bytes, start + length, length, |b| b == b'!');
        let end = start + length;
        let joins = |b: u8| {
            matches!(b, b'_' | b'-' | b'.' | b'/' | b':' | b'=' | b'\\' | b'#' | b'@')
                || b.is_ascii_alphanumeric()
        };
        let follows = at(bytes, end);
        let tight = joins(before(bytes, start))
            || (joins(follows) && is_letter_or_digit(at(bytes, end + 1)));
        if !(4..=24).contains(&length) || tight {
            return None;
        }
        // A digit at the end may count the word (`array1`) or be a letter of it (`h3ll0`).
        let number = run_back(bytes, end, length, |b| b.is_ascii_digit());
        let written = [(end, true), (end - number, false)];
        let plain = written
            .iter()
            .find_map(|&(end, known)| Some((read_leet(part(bytes, start..end), known)?, end)));
        let (plain, end) = plain?;
        self.changes.leet = self.changes.leet.saturating_add(1);
        self.rewrite.replace(text, start..end, &plain);
        Some(end)
    }
}

/// The word that signs and digits among letters stand for; `known` asks for one of the list.
fn read_leet(word: &[u8], known: bool) -> Option<String> {
    let letters = word.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let signs = word.len() - letters;
    let apart = word.split(u8::is_ascii_alphabetic).filter(|part| !part.is_empty()).count();
    // A sign in front marks a variable (`$name`); capitals inside belong to formulas (`H3PO4`) and identifiers.
    let is_variable = word.first() == Some(&b'$') && apart < 2;
    let capitals = word.iter().skip(1).filter(|b| b.is_ascii_uppercase()).count();
    let even = capitals == 0 || capitals + 1 >= letters;
    if letters < 2 || signs == 0 || signs > letters + 1 || is_variable || !even {
        return None;
    }
    ['i', 'l'].into_iter().find_map(|one| {
        let plain: String = word.iter().map(|&b| plain_letter(b, one)).collect::<Option<_>>()?;
        let lower = plain.to_ascii_lowercase();
        let reads = !known && apart >= 2 && word.len() >= 5 && capitals == 0;
        (vocabulary::is_known(&lower) || reads && vocabulary::is_pronounceable(&lower))
            .then_some(plain)
    })
}

fn plain_letter(byte: u8, one: char) -> Option<char> {
    match byte {
        b'0' => Some('o'),
        b'1' | b'!' => Some(one),
        b'3' => Some('e'),
        b'4' | b'@' => Some('a'),
        b'5' | b'$' => Some('s'),
        b'7' => Some('t'),
        b if b.is_ascii_alphabetic() => Some(char::from(b)),
        _ => None,
    }
}

const fn is_letter_or_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// Characters of base64, its URL-safe form, and so of hexadecimal.
const fn is_encoded(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// Where the encoded run at `from` ends; full lines go on in the next one.
fn run_end(bytes: &[u8], from: usize, limit: usize) -> usize {
    let mut end = from;
    let mut line = from;
    while end < limit {
        end += run(bytes, end, limit - end, is_encoded);
        let ending = match (at(bytes, end), at(bytes, end + 1)) {
            (b'\n', _) => 1,
            (b'\r', b'\n') => 2,
            _ => break,
        };
        let next = end + ending;
        // The next line must be of the run as well: not one word.
        if end - line < 40
            || run(bytes, next, 16, is_encoded) == 0
            || at(bytes, next + run(bytes, next, 80, is_encoded)) == b' '
        {
            break;
        }
        line = next;
        end = next;
    }
    end.min(limit)
}

fn decode_run(run: &[u8], out: &mut String) {
    let mut decoded = Vec::new();
    let digits = run.iter().filter(|b| !matches!(b, b'\r' | b'\n')).count();
    if digits >= 16
        && digits % 2 == 0
        && run.iter().all(|b| b.is_ascii_hexdigit() || matches!(b, b'\r' | b'\n'))
    {
        encoded::hex_pairs(run, &mut decoded);
        encoded::append_text(&decoded, out);
    }
    for phase in 0..4 {
        let shown = out.len();
        let piece = if phase == 0 { run } else { part(run, 0..MAX_SHIFTED) };
        encoded::base64(piece, phase, &mut decoded);
        encoded::append_text(&decoded, out);
        // Most of the run is read: the other phases hold nothing but noise.
        if out.len() - shown > piece.len() / 2 {
            break;
        }
    }
}

enum Value {
    Byte(u8),
    Character(char),
}

/// The escape at `position` and its length.
fn escape(bytes: &[u8], position: usize) -> Option<(Value, usize)> {
    let pair = |from: usize| {
        Some(encoded::hex(at(bytes, from))? << 4 | encoded::hex(at(bytes, from + 1))?)
    };
    match (at(bytes, position), at(bytes, position + 1)) {
        (b'%', _) => {
            // A percent sign may itself be escaped, twice at most.
            let again = run_of_25(bytes, position + 1);
            Some((Value::Byte(pair(position + 1 + again)?), 3 + again))
        }
        (b'\\', b'x') => Some((Value::Byte(pair(position + 2)?), 4)),
        (b'\\', b'u') => {
            let unit = |from: usize| Some(u32::from(pair(from)?) << 8 | u32::from(pair(from + 2)?));
            if at(bytes, position + 2) == b'{' {
                let length = run(bytes, position + 3, 6, |b| b.is_ascii_hexdigit());
                let value = number(part(bytes, position + 3..position + 3 + length), 16)?;
                let closes = at(bytes, position + 3 + length) == b'}';
                return char::from_u32(value)
                    .filter(|_| closes)
                    .map(|c| (Value::Character(c), 4 + length));
            }
            let first = unit(position + 2)?;
            if (0xd800..0xdc00).contains(&first)
                && part(bytes, position + 6..position + 8) == b"\\u"
            {
                let second = unit(position + 8).filter(|low| (0xdc00..0xe000).contains(low))?;
                let value = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return char::from_u32(value).map(|c| (Value::Character(c), 12));
            }
            char::from_u32(first).map(|c| (Value::Character(c), 6))
        }
        (b'&', b'#') => {
            let hexadecimal = matches!(at(bytes, position + 2), b'x' | b'X');
            let from = position + 2 + usize::from(hexadecimal);
            let length = run(bytes, from, 7, |b| {
                if hexadecimal { b.is_ascii_hexdigit() } else { b.is_ascii_digit() }
            });
            let value =
                number(part(bytes, from..from + length), if hexadecimal { 16 } else { 10 })?;
            let closes = usize::from(at(bytes, from + length) == b';');
            char::from_u32(value).map(|c| (Value::Character(c), from + length + closes - position))
        }
        _ => None,
    }
}

/// Whether the percent sign at `at` is a format or a percentage (`%4d`, `5%20.7`) and not an escape: a letter or digit escaped alone,
/// or a number on both sides.
fn is_format(bytes: &[u8], position: usize) -> bool {
    const REACH: usize = 24;
    if at(bytes, position) != b'%' {
        return false;
    }
    let code = encoded::hex(at(bytes, position + 1)).zip(encoded::hex(at(bytes, position + 2)));
    let value = code.map_or(0, |(high, low)| high << 4 | low);
    let number = before(bytes, position).is_ascii_digit() && at(bytes, position + 3) == b'.';
    let is_escape = |i: usize| {
        at(bytes, i) == b'%'
            && at(bytes, i + 1).is_ascii_hexdigit()
            && at(bytes, i + 2).is_ascii_hexdigit()
    };
    let token_start = position - run_back(bytes, position, REACH, |b| !b.is_ascii_whitespace());
    let token_end = position + run(bytes, position, REACH, |b| !b.is_ascii_whitespace());
    let company = (token_start..token_end).any(|i| i != position && is_escape(i));
    let continues = (3..5).all(|k| at(bytes, position + k).is_ascii_alphabetic());
    let in_word = continues || before(bytes, position).is_ascii_alphabetic();
    number || (value.is_ascii_alphanumeric() && !company && !in_word)
}

/// Bytes of `25` before two more hexadecimal digits.
fn run_of_25(bytes: &[u8], from: usize) -> usize {
    let mut length = 0;
    while length < 4
        && part(bytes, from + length..from + length + 2) == b"25"
        && at(bytes, from + length + 2).is_ascii_hexdigit()
        && at(bytes, from + length + 3).is_ascii_hexdigit()
    {
        length += 2;
    }
    length
}

fn number(digits: &[u8], base: u32) -> Option<u32> {
    std::str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits, base).ok())
}

fn is_printable(c: char) -> bool {
    (!c.is_control() || matches!(c, '\n' | '\t')) && !letters::is_invisible(c) && c != '\u{fffd}'
}

/// Classes of bytes that candidates are recognised by. What few blocks have is asked for together first.
#[derive(Clone, Copy)]
struct Marks {
    letter: u64,
    alphanumeric: u64,
    encoded: u64,
    sign: u64,
    escape: u64,
}

impl Classes for Marks {
    #[inline(always)]
    fn of(block: &[u8; LANES]) -> Self {
        let lanes = Native::load(block);
        let letter = Native::bits(lanes.folded().within(b'a', 26));
        let digit = Native::rare_bits(lanes.within(b'0', 10));
        let joint = lanes.is(b'+') | lanes.is(b'/') | lanes.is(b'-') | lanes.is(b'_');
        let sign = lanes.is(b'@') | lanes.is(b'$') | lanes.is(b'!');
        let escape = lanes.is(b'%') | lanes.is(b'\\') | lanes.is(b'&');
        let rare = Native::rare_bits(joint | sign | escape) != 0;
        let bits = |mask| if rare { Native::rare_bits(mask) } else { 0 };
        Self {
            letter,
            alphanumeric: letter | digit,
            encoded: letter | digit | bits(joint),
            sign: digit | bits(sign),
            escape: bits(escape),
        }
    }

    /// An escape's first byte; a digit or sign among letters or before three; the first of three single letters with something
    /// between them; the first of sixteen encoded characters; the first of three pairs of letters and digits with something between
    /// them. The rest of each rule is looked at where these are found.
    #[inline(always)]
    fn candidates(before: &Self, here: &Self, after: &Self) -> [u64; KINDS] {
        let of = |class: fn(&Self) -> u64| Bits {
            before: class(before),
            here: class(here),
            after: class(after),
        };
        let (letter, alphanumeric) = (of(|m| m.letter), of(|m| m.alphanumeric));
        let next = letter.later(1);
        let leet = if here.sign == 0 {
            0
        } else {
            let inside = letter.earlier() & (next | (of(|m| m.sign).later(1) & letter.later(2)));
            here.sign & (inside | (next & letter.later(2) & letter.later(3)))
        };
        let apart = !alphanumeric.earlier() & !alphanumeric.later(1) & !alphanumeric.later(3);
        let between = !alphanumeric.later(2) & !alphanumeric.later(5);
        let pairs = alphanumeric.here & alphanumeric.later(1) & between;
        let pairs = if pairs == 0 {
            0
        } else {
            pairs
                & alphanumeric.later(3)
                & alphanumeric.later(4)
                & alphanumeric.later(6)
                & alphanumeric.later(7)
        };
        [
            here.escape,
            leet,
            letter.here & letter.later(2) & letter.later(4) & apart,
            of(|m| m.encoded).long_runs(),
            pairs,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::before;
    use proptest::prelude::*;

    /// What [`Marks`] finds at one position, stated plainly.
    fn kinds_slowly(bytes: &[u8], i: usize) -> u8 {
        let b = |k: usize| at(bytes, i + k);
        let previous = before(bytes, i);
        let letter = |b: u8| b.is_ascii_alphabetic();
        let sign = |b: u8| b.is_ascii_digit() || matches!(b, b'@' | b'$' | b'!');
        let mut kinds = 0;
        if matches!(b(0), b'%' | b'\\' | b'&') {
            kinds |= ESCAPE;
        }
        let inside = letter(previous) && (letter(b(1)) || sign(b(1)) && letter(b(2)));
        let in_front = (1..4).all(|k| letter(b(k)));
        if sign(b(0)) && (inside || in_front) {
            kinds |= LEET;
        }
        let apart = [previous, b(1), b(3)].iter().all(|&b| !is_letter_or_digit(b));
        if [b(0), b(2), b(4)].iter().all(|&b| letter(b)) && apart {
            kinds |= SPACED;
        }
        if !is_encoded(previous) && (0..16).all(|k| is_encoded(b(k))) {
            kinds |= RUN;
        }
        let pairs = [0, 1, 3, 4, 6, 7].iter().all(|&k| is_letter_or_digit(b(k)));
        if pairs && !is_letter_or_digit(b(2)) && !is_letter_or_digit(b(5)) {
            kinds |= PAIRS;
        }
        kinds
    }

    proptest! {
        #[test]
        fn the_blocks_find_what_a_plain_look_finds(text in "([a-z]{1,20}|[ -~]|[0-9a-f]{2} |[a-z] |[a-z][0-9@!$][a-z]|\\n|\\PC){0,80}") {
            let bytes = text.as_bytes();
            let mut found = Vec::new();
            block::for_each::<Marks>(bytes, 0, bytes.len(), |i, kinds| {
                found.push((i, kinds));
                i + 1
            });
            let obvious: Vec<_> = (0..bytes.len()).map(|i| (i, kinds_slowly(bytes, i))).filter(|(_, kinds)| *kinds != 0).collect();
            prop_assert_eq!(found, obvious);
        }
    }
}
