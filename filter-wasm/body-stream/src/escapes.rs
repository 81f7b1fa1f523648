//! Escapes, and a fast path for text that is full of them.
//!
//! Source code and JSON inside a string have an escape every few bytes. To
//! hand each out as an event would cost more than to decode it, so they are
//! gathered here with the characters between them.

use crate::offsets::OffsetMap;
use crate::scanner::{Piece, Text, pair};

/// Bytes of text gathered at most.
const MAX_BYTES: usize = 512;

/// Bytes without an escape after which runs are found faster with `memchr2`.
const MAX_PLAIN: usize = 64;

/// Some decoded text, and where its escapes were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dense {
    /// UTF-8 up to `len`; what is beyond has no meaning.
    text: [u8; MAX_BYTES],
    len: usize,
    steps: Vec<Step>,
}

/// Verbatim bytes, then an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    verbatim: usize,
    text: usize,
    raw: usize,
}

impl Dense {
    pub(crate) const fn new() -> Self {
        Self { text: [0; MAX_BYTES], len: 0, steps: Vec::new() }
    }

    pub(crate) fn text(&self) -> &str {
        // Plain ASCII and encoded characters only, so this cannot fail.
        str::from_utf8(self.text.get(..self.len).unwrap_or_default()).unwrap_or_default()
    }

    /// Gathers from the start of `rest` whole escapes and the plain ASCII
    /// between them. Returns how many bytes it took: none if `rest` starts
    /// with an escape that is cut, malformed or half a surrogate pair.
    pub(crate) fn fill(&mut self, mut rest: &[u8]) -> usize {
        self.len = 0;
        self.steps.clear();
        let (all, mut verbatim) = (rest.len(), 0);
        while let Some((ch, raw)) = escape(rest)
            && let Some(to) = self.text.get_mut(self.len..self.len + 4)
        {
            let text = ch.encode_utf8(to).len();
            self.len += text;
            self.steps.push(Step { verbatim, text, raw });
            rest = rest.get(raw..).unwrap_or_default();
            verbatim = 0;
            // The last bytes of a chunk are left to `memchr2`, too.
            while verbatim < MAX_PLAIN
                && let Some(word) = rest.first_chunk::<8>()
                && let Some(to) = self.text.get_mut(self.len..self.len + 8)
            {
                to.copy_from_slice(word);
                let plain = plain_prefix(*word);
                self.len += plain;
                verbatim += plain;
                rest = rest.get(plain..).unwrap_or_default();
                if plain < 8 {
                    break;
                }
            }
        }
        all - rest.len()
    }

    /// Appends all of it.
    pub(crate) fn push_to(&self, text: &mut String, offsets: &mut OffsetMap) {
        text.push_str(self.text());
        let mut left = self.len;
        for step in &self.steps {
            offsets.push_verbatim(step.verbatim);
            offsets.push_char(step.text, step.raw);
            left -= step.verbatim + step.text;
        }
        offsets.push_verbatim(left);
    }

    /// The same as single runs and characters; `at` is the offset of the first.
    pub(crate) fn pieces(&self, mut at: usize) -> impl Iterator<Item = Piece<'_>> {
        let mut rest = self.text();
        let last = Step { verbatim: usize::MAX, text: 0, raw: 0 };
        self.steps.iter().copied().chain([last]).flat_map(move |step| {
            let (run, after) = rest.split_at_checked(step.verbatim).unwrap_or((rest, ""));
            let (ch, after) = after.split_at_checked(step.text).unwrap_or_default();
            rest = after;
            let escape_at = at + run.len();
            let run = (!run.is_empty()).then_some(Piece { text: Text::Run(run), at });
            let ch = ch.chars().next();
            let ch = ch.map(|ch| Piece { text: Text::Char { ch, raw: step.raw }, at: escape_at });
            at = escape_at + step.raw;
            run.into_iter().chain(ch)
        })
    }
}

/// How many of the first bytes are ASCII but no quotes, backslashes or
/// control characters.
const fn plain_prefix(word: [u8; 8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    let word = u64::from_le_bytes(word);
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    // The highest bit of each byte that is zero, below 0x20, or not ASCII. A borrow
    // makes a byte seem so only above one that is, and the lowest is what counts.
    let odd = quote.wrapping_sub(ONES) & !quote
        | slash.wrapping_sub(ONES) & !slash
        | word.wrapping_sub(ONES * 0x20) & !word
        | word;
    (odd & HIGHS).trailing_zeros() as usize / 8
}

/// The character of the whole escape at the start of `rest`, and its raw
/// length. `None` also for a surrogate without its partner.
fn escape(rest: &[u8]) -> Option<(char, usize)> {
    match *rest {
        [b'\\', b'u', a, b, c, d, ref after @ ..] => {
            let unit = hex4([a, b, c, d])?;
            if let Some(ch) = char::from_u32(u32::from(unit)) {
                return Some((ch, 6));
            }
            let [b'\\', b'u', a, b, c, d, ..] = *after else { return None };
            Some((pair(unit, hex4([a, b, c, d])?)?, 12))
        }
        [b'\\', byte, ..] => Some((simple_escape(byte)?, 2)),
        _ => None,
    }
}

/// The character of `\` and this byte.
pub(crate) const fn simple_escape(byte: u8) -> Option<char> {
    Some(match byte {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return None,
    })
}

/// The value of a hexadecimal digit.
pub(crate) const fn hex_digit(byte: u8) -> Option<u16> {
    Some(match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        b'A'..=b'F' => byte - b'A' + 10,
        _ => return None,
    } as u16)
}

/// [`hex_digit`] as a table, in which [`NO_DIGIT`] stands for `None`.
const DIGITS: [u16; 256] = {
    let mut table = [NO_DIGIT; 256];
    let mut byte = 0_u8;
    while byte < u8::MAX {
        if let Some(digit) = hex_digit(byte) {
            table[byte as usize] = digit;
        }
        byte += 1;
    }
    table
};

const NO_DIGIT: u16 = 0x100;

fn hex4(digits: [u8; 4]) -> Option<u16> {
    let [a, b, c, d] = digits.map(|byte| DIGITS[usize::from(byte)]);
    ((a | b | c | d) < NO_DIGIT).then_some(a << 12 | b << 8 | c << 4 | d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_prefix_ends_at_each_odd_byte_at_each_place() {
        for odd in (0..=255_u8).filter(|b| !(0x20..0x80).contains(b) || b"\"\\".contains(b)) {
            for place in 0..8 {
                let mut word = [b'a', b' ', 0x7f, b'!', b'#', b'[', b']', b'~'];
                assert_eq!(plain_prefix(word), 8);
                word[place] = odd;
                assert_eq!(plain_prefix(word), place, "{odd:#04x}");
            }
        }
    }

    #[test]
    fn gathering_is_the_same_as_going_piece_by_piece() {
        let raw = br#"\n\u0041plain \ud83d\ude00\/\u4e2d\\tail"#;
        let mut dense = Dense::new();
        assert_eq!(dense.fill(raw), raw.len() - 4, "the last bytes are not taken");
        assert_eq!(dense.text(), "\nAplain \u{1f600}/\u{4e2d}\\");
        let (mut text, mut offsets) = (String::new(), OffsetMap::starting_at(5));
        dense.push_to(&mut text, &mut offsets);
        let (mut slow, mut slow_offsets) = (String::new(), OffsetMap::starting_at(5));
        let mut next = 5;
        for piece in dense.pieces(5) {
            assert_eq!(piece.at, next);
            match piece.text {
                Text::Run(run) => {
                    slow.push_str(run);
                    slow_offsets.push_verbatim(run.len());
                    next += run.len();
                }
                Text::Char { ch, raw } => {
                    slow.push(ch);
                    slow_offsets.push_char(ch.len_utf8(), raw);
                    next += raw;
                }
                Text::Dense(_) => {}
            }
        }
        assert_eq!((text, offsets, next), (slow, slow_offsets, 5 + raw.len() - 4));
    }

    #[test]
    fn nothing_is_taken_of_an_escape_that_is_cut_malformed_or_half_a_pair() {
        for raw in [&br"\"[..], br"\u12", br"\x", br"\u12g4", br"\ud83d", br"\ud83dx", br"\ude00"] {
            assert_eq!(Dense::new().fill(raw), 0);
        }
    }
}
