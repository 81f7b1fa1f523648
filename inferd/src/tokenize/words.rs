//! Tokens of words that were read before.
//!
//! A tokenizer library spends microseconds on each word, most of them on bookkeeping that plain words do not need. Where a tokenizer cuts
//! at spaces before anything else, a word's tokens do not depend on its neighbours, and can be looked up. What is looked up is what the
//! library said, so a text has the same tokens either way (a test holds it).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use tokenizers::{PreTokenizerWrapper, Tokenizer};

/// Longest word that is remembered, in bytes: longer ones are rare, and may be keys or passwords.
const MAX_WORD_BYTES: usize = 20;
/// Words that are remembered; then it starts anew, so that unusual texts cannot fill it for good.
const MAX_WORDS: usize = 32_768;
/// Words that one text may add: the library is quicker on many words at once.
pub(super) const MAX_NEW_WORDS: usize = 256;

/// A token of a word with its bytes, counted from the word's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) id: u32,
    from: u8,
    to: u8,
}

impl Piece {
    /// `None` if the bytes lie outside any word that is remembered.
    pub(super) fn new(id: u32, range: &Range<usize>, start: usize) -> Option<Self> {
        let relative = |at: usize| at.checked_sub(start).and_then(|n| u8::try_from(n).ok());
        Some(Self { id, from: relative(range.start)?, to: relative(range.end)? })
    }

    /// Its bytes in a text in which the word starts there.
    pub(super) fn range(self, start: usize) -> Range<usize> {
        start + usize::from(self.from)..start + usize::from(self.to)
    }
}

type Known = HashMap<Box<str>, Box<[Piece]>>;

/// Words with their tokens.
#[derive(Default)]
pub(super) struct Words(RwLock<Known>);

impl std::fmt::Debug for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Words")
    }
}

impl Words {
    /// For tokenizers whose words do not depend on each other.
    pub(super) fn of(inner: &Tokenizer) -> Option<Self> {
        let cuts_at_spaces = match inner.get_pre_tokenizer() {
            Some(PreTokenizerWrapper::Metaspace(metaspace)) => metaspace.get_split(),
            Some(PreTokenizerWrapper::BertPreTokenizer(_)) => true,
            _ => false,
        };
        // A token that was added may stretch over a space.
        let spans_words = inner
            .get_added_tokens_decoder()
            .values()
            .any(|token| token.content.contains(' ') || (token.rstrip && !token.special));
        (cuts_at_spaces && !spans_words).then(Self::default)
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers words, unless somebody else is at it.
    pub(super) fn learn(&self, new: Vec<(Box<str>, Box<[Piece]>)>) {
        if new.is_empty() {
            return;
        }
        let Ok(mut known) = self.0.try_write() else { return };
        if known.len() + new.len() > MAX_WORDS {
            known.clear();
        }
        known.extend(new);
    }
}

/// Cuts a text before each single space between two visible ASCII characters. A mark that combines with a space is never torn off.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let visible = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_graphic);
    let mut cuts = memchr::memchr_iter(b' ', bytes)
        .filter(move |at| at.checked_sub(1).is_some_and(visible) && visible(at + 1));
    let mut start = Some(0);
    std::iter::from_fn(move || {
        let from = start?;
        start = cuts.next();
        let range = from..start.unwrap_or(bytes.len());
        (!range.is_empty()).then_some(range)
    })
}

/// Letters after at most one space, and before at most one mark.
pub(super) fn is_plain(word: &str) -> bool {
    let bytes = word.strip_prefix(' ').unwrap_or(word).as_bytes();
    let letters = match bytes.split_last() {
        Some((mark, letters)) if b".,;:!?".contains(mark) => letters,
        Some(_) | None => bytes,
    };
    bytes.len() <= MAX_WORD_BYTES
        && !letters.is_empty()
        && letters.iter().all(u8::is_ascii_alphabetic)
}
