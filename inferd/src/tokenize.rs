//! Text to token ids, and long texts to windows.
//!
//! User text can never produce a control token: tokenizers treat `<s>` or `[CLS]` in the text as the token of that name (and a Unigram
//! vocabulary holds them as ordinary pieces as well, so that asking the library not to is not enough). Such a piece is spelt out
//! instead.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use tokenizers::Tokenizer;

mod shouting;
mod words;

pub use shouting::lower_shouting;
use words::{Pieces, Word, Words};

/// Texts longer than this are tokenised in pieces cut before white space, so that memory stays bounded and a cap on tokens is noticed
/// early. The cuts do not change the tokens for the families in use (a test holds it).
const PIECE_BYTES: usize = 64 * 1024;

/// Token ids of a text with the byte ranges they stand for; no special tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Ids, in text order.
    pub ids: Vec<u32>,
    /// Byte range in the text of each id; may include the white space before a word.
    pub offsets: Vec<Range<usize>>,
    /// Whether text was left out because `max_tokens` was reached.
    pub truncated: bool,
}

impl Tokens {
    /// How many tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

/// Why a tokenizer cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TokenizeError(String);

/// A tokenizer with what surrounds a window.
#[derive(Debug)]
pub struct TextTokenizer {
    inner: Tokenizer,
    special: HashSet<u32>,
    unknown: Option<u32>,
    leading: Vec<u32>,
    trailing: Vec<u32>,
    pad: u32,
    vocabulary: usize,
    words: Option<Words>,
}

impl TextTokenizer {
    /// Loads a `tokenizer.json`.
    ///
    /// # Errors
    ///
    /// When the file is not a tokenizer.
    pub fn load(path: &Path) -> Result<Self, TokenizeError> {
        let inner = Tokenizer::from_file(path)
            .map_err(|e| TokenizeError(format!("not a tokenizer: {e}")))?;
        Self::new(inner)
    }

    fn new(mut inner: Tokenizer) -> Result<Self, TokenizeError> {
        let pad = inner.get_padding().map(|p| p.pad_id).or_else(|| {
            ["<pad>", "[PAD]", "<|padding|>"].iter().find_map(|name| inner.token_to_id(name))
        });
        inner.with_padding(None);
        inner.with_truncation(None).map_err(|e| TokenizeError(e.to_string()))?;
        let frame = inner.encode_fast("", true).map_err(|e| TokenizeError(e.to_string()))?;
        let probe = inner.encode_fast("a", true).map_err(|e| TokenizeError(e.to_string()))?;
        // The frame is what the tokenizer puts around any text; content lies between its two parts.
        let leading: Vec<u32> = frame
            .get_ids()
            .iter()
            .zip(probe.get_ids())
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| *a)
            .collect();
        let trailing = frame.get_ids().get(leading.len()..).unwrap_or_default().to_vec();
        if !probe.get_ids().ends_with(&trailing) {
            return Err(TokenizeError(
                "its special tokens do not simply surround the text".to_owned(),
            ));
        }
        inner.set_encode_special_tokens(true);
        let unknown = ["<unk>", "[UNK]", "<|unk|>"].iter().find_map(|name| inner.token_to_id(name));
        let special = inner
            .get_added_tokens_decoder()
            .into_iter()
            .filter(|(id, token)| token.special && Some(*id) != unknown)
            .map(|(id, _)| id)
            .chain(leading.iter().copied())
            .chain(trailing.iter().copied())
            .chain(pad)
            .filter(|id| Some(*id) != unknown)
            .collect();
        Ok(Self {
            vocabulary: inner.get_vocab_size(true),
            words: Words::of(&inner),
            pad: pad.unwrap_or(0),
            inner,
            special,
            unknown,
            leading,
            trailing,
        })
    }

    /// How many special tokens surround each window.
    #[must_use]
    pub fn frame_tokens(&self) -> usize {
        self.leading.len() + self.trailing.len()
    }

    /// How many special tokens stand before the content of a window.
    #[must_use]
    pub fn leading_tokens(&self) -> usize {
        self.leading.len()
    }

    /// The id that fills up shorter rows of a batch.
    #[must_use]
    pub const fn pad(&self) -> u32 {
        self.pad
    }

    /// How many ids there are; every id is below the count unless the vocabulary has gaps.
    #[must_use]
    pub const fn vocabulary(&self) -> usize {
        self.vocabulary
    }

    /// One window: special tokens, `prefix`, `content`, special tokens.
    #[must_use]
    pub fn frame(&self, prefix: &[u32], content: &[u32]) -> Vec<u32> {
        [&self.leading, prefix, content, &self.trailing].concat()
    }

    /// Tokenises text as content: whatever it says, no id is a special one. Stops after `max_tokens`, and says so.
    ///
    /// # Errors
    ///
    /// When the tokenizer fails; the message does not contain the text.
    pub fn encode(&self, text: &str, max_tokens: usize) -> Result<Tokens, TokenizeError> {
        // English has a token for about four bytes.
        let likely = (text.len() / 4).min(max_tokens).min(PIECE_BYTES);
        let mut tokens = Tokens {
            ids: Vec::with_capacity(likely),
            offsets: Vec::with_capacity(likely),
            truncated: false,
        };
        for piece in pieces(text, PIECE_BYTES) {
            if tokens.len() >= max_tokens {
                tokens.truncated = true;
                break;
            }
            let start = piece.start;
            self.encode_words(text.get(piece).unwrap_or_default(), start, &mut tokens)?;
        }
        if tokens.len() > max_tokens {
            tokens.ids.truncate(max_tokens);
            tokens.offsets.truncate(max_tokens);
            tokens.truncated = true;
        }
        Ok(tokens)
    }

    /// What [`Self::encode_piece`] says, with plain words looked up.
    fn encode_words(
        &self,
        text: &str,
        start: usize,
        out: &mut Tokens,
    ) -> Result<(), TokenizeError> {
        let Some(words) = &self.words else { return self.encode_piece(text, start, out) };
        let mut new = Vec::new();
        // Where what the library still has to read begins.
        let mut unread = 0;
        let known = words.read();
        for range in words::words(text) {
            let word = text.get(range.clone()).unwrap_or_default();
            let Some(word) = Word::of(word) else { continue };
            let pieces = known.get(&word);
            if pieces.is_none() && new.len() >= words::MAX_NEW_WORDS {
                continue;
            }
            let before = text.get(unread..range.start).unwrap_or_default();
            if !before.is_empty() {
                self.encode_piece(before, start + unread, out)?;
            }
            unread = range.end;
            let at = start + range.start;
            if let Some(pieces) = pieces {
                out.ids.extend_from_slice(pieces.ids());
                out.offsets.extend(pieces.ranges(at));
                continue;
            }
            let first = out.len();
            self.encode_piece(text.get(range).unwrap_or_default(), at, out)?;
            let ids = out.ids.get(first..).unwrap_or_default();
            let offsets = out.offsets.get(first..).unwrap_or_default();
            new.extend(Pieces::new(ids, offsets, at).map(|pieces| (word, pieces)));
        }
        drop(known);
        let rest = text.get(unread..).unwrap_or_default();
        if !rest.is_empty() {
            self.encode_piece(rest, start + unread, out)?;
        }
        words.learn(new);
        Ok(())
    }

    fn encode_piece(
        &self,
        text: &str,
        start: usize,
        out: &mut Tokens,
    ) -> Result<(), TokenizeError> {
        let encoding = self.raw(text)?;
        out.ids.reserve(encoding.get_ids().len());
        out.offsets.reserve(encoding.get_ids().len());
        for (id, (from, to)) in encoding.get_ids().iter().zip(encoding.get_offsets()) {
            if self.special.contains(id) {
                self.spell_out(text, *from..*to, start, out)?;
            } else {
                out.ids.push(*id);
                out.offsets.push(start + from..start + to);
            }
        }
        Ok(())
    }

    fn raw(&self, text: &str) -> Result<tokenizers::Encoding, TokenizeError> {
        // The library's message may quote its input, so it is not passed on.
        self.inner
            .encode(text, false)
            .map_err(|_| TokenizeError("the tokenizer failed on a text".to_owned()))
    }

    /// Writes the characters of a control token's name one by one; what even then is a control token becomes the unknown one.
    fn spell_out(
        &self,
        text: &str,
        range: Range<usize>,
        start: usize,
        out: &mut Tokens,
    ) -> Result<(), TokenizeError> {
        let name = text.get(range.clone()).unwrap_or_default();
        for (i, c) in name.char_indices() {
            let from = start + range.start + i;
            let encoding = self.raw(c.encode_utf8(&mut [0; 4]))?;
            for id in encoding.get_ids() {
                let id = if self.special.contains(id) { self.unknown } else { Some(*id) };
                if let Some(id) = id {
                    out.ids.push(id);
                    out.offsets.push(from..from + c.len_utf8());
                }
            }
        }
        Ok(())
    }
}

/// Cuts a text into pieces of at most about `limit` bytes: before a space that follows a word, where a new word begins in every family of
/// tokenizers; before other white space if there is none; else between any two characters.
fn pieces(text: &str, limit: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        if start >= text.len() {
            return None;
        }
        let from = start;
        let mut end = text.ceil_char_boundary(from.saturating_add(limit.max(1)).min(text.len()));
        if end < text.len() {
            let window = text.get(from..end).unwrap_or_default();
            let (mut before_space, mut before_other) = (None, None);
            // A run of white space is never split.
            let mut previous_is_space = true;
            for (i, c) in window.char_indices() {
                if c.is_whitespace() && !previous_is_space {
                    *(if c == ' ' { &mut before_space } else { &mut before_other }) =
                        Some(from + i);
                }
                previous_is_space = c.is_whitespace();
            }
            end = before_space.or(before_other).unwrap_or(end);
        }
        start = end;
        Some(from..end)
    })
}

/// Cuts `tokens` content tokens into windows of at most `size`, neighbours sharing at least `overlap`.
///
/// As few windows as full ones would need, but evenly long: rows of a batch then need no padding, and no window is a short tail that
/// lacks context. An empty text gets one empty window. `size` of 0 counts as 1, and `overlap` is kept below `size`.
#[must_use]
pub fn windows(tokens: usize, size: usize, overlap: usize) -> Vec<Range<usize>> {
    let size = size.max(1);
    let overlap = overlap.min(size - 1);
    if tokens <= size {
        return std::iter::once(0..tokens).collect();
    }
    let stride = size - overlap;
    let count = (tokens - overlap).div_ceil(stride);
    let length = (tokens + (count - 1) * overlap).div_ceil(count);
    // Starts are spread evenly; the last window ends with the text.
    (0..count)
        .map(|i| {
            let start = i * (tokens - length) / (count - 1).max(1);
            start..start + length
        })
        .collect()
}

#[cfg(test)]
mod tests;
