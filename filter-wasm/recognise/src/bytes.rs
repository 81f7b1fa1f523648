//! Total access to bytes: outside the text there is a zero byte, which belongs to no token.

use std::ops::Range;

/// The byte at `index`, or 0 outside the text.
#[inline]
pub(crate) fn at(bytes: &[u8], index: usize) -> u8 {
    bytes.get(index).copied().unwrap_or(0)
}

/// The byte before `index`, or 0 at the start of the text.
#[inline]
pub(crate) fn before(bytes: &[u8], index: usize) -> u8 {
    index.checked_sub(1).map_or(0, |i| at(bytes, i))
}

/// The bytes of `range`, shortened to the text.
pub(crate) fn part(bytes: &[u8], range: Range<usize>) -> &[u8] {
    bytes.get(range.start.min(bytes.len())..range.end.min(bytes.len())).unwrap_or(&[])
}

/// How many bytes from `from` on satisfy `keep`, at most `most`.
pub(crate) fn run(bytes: &[u8], from: usize, most: usize, keep: impl Fn(u8) -> bool) -> usize {
    part(bytes, from..from.saturating_add(most)).iter().take_while(|&&b| keep(b)).count()
}

/// How many bytes just before `to` satisfy `keep`, at most `most`.
pub(crate) fn run_back(bytes: &[u8], to: usize, most: usize, keep: impl Fn(u8) -> bool) -> usize {
    part(bytes, to.saturating_sub(most)..to).iter().rev().take_while(|&&b| keep(b)).count()
}

/// The nearest character boundary at or before `index`.
pub(crate) fn floor(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index = index.saturating_sub(1);
    }
    index
}

/// Words to look for beside a candidate, in lower case, with what makes most comparisons unnecessary.
pub(crate) struct Words {
    words: &'static [&'static str],
    /// Bytes that a word begins with, and ends with.
    firsts: ByteSet,
    lasts: ByteSet,
}

/// A set of bytes.
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) const fn new() -> Self {
        Self([0; 4])
    }

    pub(crate) const fn insert(&mut self, byte: u8) {
        self.0[byte as usize / 64] |= 1 << (byte % 64);
    }

    pub(crate) const fn has(&self, byte: u8) -> bool {
        self.0[byte as usize / 64] >> (byte % 64) & 1 == 1
    }
}

impl Words {
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        let (mut firsts, mut lasts) = (ByteSet::new(), ByteSet::new());
        let mut i = 0;
        while i < words.len() {
            let word = words[i].as_bytes();
            firsts.insert(word[0]);
            lasts.insert(word[word.len() - 1]);
            i += 1;
        }
        Self { words, firsts, lasts }
    }

    /// Whether one of the words stands in the `window` bytes before `end`, in any ASCII letter case.
    ///
    /// A word made of ASCII letters must stand by itself: `cell` is not found in `cellular`. Other words (Japanese, or ending in a
    /// symbol such as `ssn#`) may touch their neighbours.
    pub(crate) fn before(&self, bytes: &[u8], end: usize, window: usize) -> bool {
        let from = end.saturating_sub(window);
        let mut previous = before(bytes, from);
        for (i, &byte) in part(bytes, from..end).iter().enumerate() {
            let first = byte.to_ascii_lowercase();
            let inside = previous.is_ascii_alphabetic() && first.is_ascii_lowercase();
            previous = byte;
            if !inside
                && self.firsts.has(first)
                && self.words.iter().any(|word| word_at(bytes, from + i, end, word))
            {
                return true;
            }
        }
        false
    }

    /// The same for a word that ends at most `gap` bytes before `end`: nothing but a short filler such as ` is ` stands between.
    pub(crate) fn just_before(&self, bytes: &[u8], end: usize, gap: usize) -> bool {
        (end.saturating_sub(gap)..=end).rev().any(|to| {
            let last = before(bytes, to).to_ascii_lowercase();
            let inside = last.is_ascii_lowercase() && at(bytes, to).is_ascii_alphabetic();
            !inside
                && self.lasts.has(last)
                && self.words.iter().any(|word| {
                    to.checked_sub(word.len()).is_some_and(|start| {
                        let whole = !(before(bytes, start).is_ascii_alphabetic()
                            && at(word.as_bytes(), 0).is_ascii_alphabetic());
                        whole && word_at(bytes, start, to, word)
                    })
                })
        })
    }
}

/// Whether `word` is at `start`, ends by `end`, and no letter continues it.
fn word_at(bytes: &[u8], start: usize, end: usize, word: &str) -> bool {
    let word = word.as_bytes();
    let to = start + word.len();
    // The first byte decides nearly always.
    at(bytes, start).to_ascii_lowercase() == at(word, 0)
        && to <= end
        && part(bytes, start..to).eq_ignore_ascii_case(word)
        && !(before(word, word.len()).is_ascii_alphabetic() && at(bytes, to).is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_by_itself_unless_its_script_has_no_spaces() {
        let text = "Cellular phone; 私の電話は 1".as_bytes();
        let (phone, denwa, cell) =
            (Words::new(&["phone"]), Words::new(&["電話"]), Words::new(&["cell"]));
        assert!(phone.before(text, text.len(), 60));
        assert!(denwa.before(text, text.len(), 60));
        assert!(!cell.before(text, text.len(), 60));
        assert!(!denwa.before(text, text.len(), 4));
        assert!(denwa.just_before(text, text.len(), 5));
        assert!(!denwa.just_before(text, text.len(), 4));
        assert!(
            phone.just_before(text, 15, 1)
                && !phone.just_before(text, 15, 0)
                && !cell.just_before(text, 4, 4)
        );
    }

    #[test]
    fn nothing_outside_the_text_panics() {
        assert_eq!(at(b"ab", 9), 0);
        assert_eq!(before(b"ab", 0), 0);
        assert_eq!(part(b"ab", 5..9), b"");
        assert_eq!(run(b"aa", usize::MAX, 4, |_| true), 0);
        assert_eq!(run_back(b"aa", 1, 9, |_| true), 1);
        assert_eq!(floor("é", 1), 0);
        assert!(
            !Words::new(&["a"]).before(b"", 0, 10) && !Words::new(&["a"]).just_before(b"", 0, 10)
        );
    }
}
