//! Tokens of words that were read before.
//!
//! A tokenizer library spends microseconds on each word, most of them on bookkeeping that plain words do not need. Where a tokenizer cuts
//! at spaces before anything else, a word's tokens do not depend on its neighbours, and can be looked up. What is looked up is what the
//! library said, so a text has the same tokens either way (a test holds it).

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use tokenizers::{PreTokenizerWrapper, Tokenizer};

/// Longest word that is remembered, in bytes, the space before it not counted: longer ones are rare, and may be keys or passwords.
const MAX_WORD_BYTES: usize = 20;
/// Most tokens of a word that is remembered.
const MAX_PIECES: usize = 6;
/// Words that are remembered; then it starts anew, so that unusual texts cannot fill it for good. At most 4 MB.
const MAX_WORDS: usize = 32_768;
/// Words that one text may add: the library is quicker on many words at once.
pub(super) const MAX_NEW_WORDS: usize = 256;

/// Letters after at most one space, and before at most one mark.
///
/// In place, as its tokens are: after a run of the model nothing is in the processor's caches, and each pointer costs more than a
/// comparison of the whole word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    bytes: [u8; MAX_WORD_BYTES + 1],
    length: u8,
}

impl Word {
    /// `None` if the text is anything else.
    pub(super) fn of(text: &str) -> Option<Self> {
        let word = text.strip_prefix(' ').unwrap_or(text).as_bytes();
        let letters = match word.split_last() {
            Some((mark, letters)) if b".,;:!?".contains(mark) => letters,
            Some(_) | None => word,
        };
        if word.len() > MAX_WORD_BYTES
            || letters.is_empty()
            || !letters.iter().all(u8::is_ascii_alphabetic)
        {
            return None;
        }
        let mut bytes = [0; MAX_WORD_BYTES + 1];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self { bytes, length: u8::try_from(text.len()).ok()? })
    }

    #[cfg(test)]
    pub(super) fn text(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.length)).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(self.bytes.get(..usize::from(self.length)).unwrap_or_default());
    }
}

/// The tokens of a word with their bytes, counted from the word's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pieces {
    ids: [u32; MAX_PIECES],
    ranges: [(u8, u8); MAX_PIECES],
    count: u8,
}

impl Pieces {
    /// `None` if there are too many, or the bytes lie outside any word that is remembered.
    pub(super) fn new(ids: &[u32], offsets: &[Range<usize>], start: usize) -> Option<Self> {
        let relative = |at: usize| at.checked_sub(start).and_then(|n| u8::try_from(n).ok());
        let mut pieces = Self { ids: [0; MAX_PIECES], ranges: [(0, 0); MAX_PIECES], count: 0 };
        for (id, range) in ids.iter().zip(offsets) {
            let at = usize::from(pieces.count);
            *pieces.ids.get_mut(at)? = *id;
            *pieces.ranges.get_mut(at)? = (relative(range.start)?, relative(range.end)?);
            pieces.count += 1;
        }
        Some(pieces)
    }

    pub(super) fn ids(&self) -> &[u32] {
        self.ids.get(..usize::from(self.count)).unwrap_or_default()
    }

    /// Their bytes in a text in which the word starts there.
    pub(super) fn ranges(&self, start: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        self.ranges
            .iter()
            .take(usize::from(self.count))
            .map(move |(from, to)| start + usize::from(*from)..start + usize::from(*to))
    }
}

type Known = HashMap<Word, Pieces>;

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
    pub(super) fn learn(&self, new: Vec<(Word, Pieces)>) {
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
