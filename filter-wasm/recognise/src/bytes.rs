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

/// Whether one of `words` (lower case) stands in the `window` bytes before `end`, in any ASCII letter case.
///
/// A word made of ASCII letters must stand by itself: `cell` is not found in `cellular`. Other words (Japanese, or ending in a
/// symbol such as `ssn#`) may touch their neighbours.
pub(crate) fn word_before(bytes: &[u8], end: usize, window: usize, words: &[&str]) -> bool {
    has_word(bytes, end.saturating_sub(window)..end, words)
}

/// The same for a word that ends at most `gap` bytes before `end`: nothing but a short filler such as ` is ` stands between.
pub(crate) fn word_just_before(bytes: &[u8], end: usize, gap: usize, words: &[&str]) -> bool {
    words.iter().any(|word| word_before(bytes, end, word.len() + gap, &[word]))
}

fn has_word(bytes: &[u8], range: Range<usize>, words: &[&str]) -> bool {
    let window = part(bytes, range.clone());
    let is_letter = |i: usize| at(bytes, i).is_ascii_alphabetic();
    words.iter().any(|word| {
        let word = word.as_bytes();
        window.windows(word.len()).enumerate().any(|(i, here)| {
            let start = range.start + i;
            here.eq_ignore_ascii_case(word)
                && !(at(word, 0).is_ascii_alphabetic() && start > 0 && is_letter(start - 1))
                && !(before(word, word.len()).is_ascii_alphabetic()
                    && is_letter(start + word.len()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_by_itself_unless_its_script_has_no_spaces() {
        let text = "Cellular phone; 私の電話は 1".as_bytes();
        assert!(word_before(text, text.len(), 60, &["phone"]));
        assert!(word_before(text, text.len(), 60, &["電話"]));
        assert!(!word_before(text, text.len(), 60, &["cell"]));
        assert!(!word_before(text, text.len(), 4, &["電話"]));
        assert!(word_just_before(text, text.len(), 5, &["電話"]));
        assert!(!word_just_before(text, text.len(), 4, &["電話"]));
    }

    #[test]
    fn nothing_outside_the_text_panics() {
        assert_eq!(at(b"ab", 9), 0);
        assert_eq!(before(b"ab", 0), 0);
        assert_eq!(part(b"ab", 5..9), b"");
        assert_eq!(run(b"aa", usize::MAX, 4, |_| true), 0);
        assert_eq!(run_back(b"aa", 1, 9, |_| true), 1);
        assert_eq!(floor("é", 1), 0);
        assert!(!word_before(b"", 0, 10, &["a"]));
    }
}
