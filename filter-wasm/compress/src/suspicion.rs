//! Linear suspicion model: logistic regression over hashed n-grams, trained by `models/suspicion/train.py`.
//!
//! Word grams of 1 to 3 terms and character grams of 3 to 5 characters each add one signed byte. The score of a
//! stretch of text is `bias + a * words / sqrt(number of word grams) + b * chars / sqrt(number of character grams)`.
//! Sums add up, so sentences are joined by adding their [`Evidence`], without reading them again.

use crate::grams::Grams;
use crate::terms::mix;

/// Scales, bias and one byte a bucket; see [`HEADER`].
static MODEL: &[u8; HEADER + WORD_BUCKETS + CHAR_BUCKETS] = include_bytes!("suspicion.bin");

/// Three little-endian `f32`: bias, value of one step of a word weight, of a character weight; then four bytes of 0.
const HEADER: usize = 16;
/// Buckets of word grams.
const WORD_BUCKETS: usize = 131_056;
/// Buckets of character grams. Header and buckets make up 256 KiB less 16 bytes.
const CHAR_BUCKETS: usize = 131_056;

/// What a stretch of text adds to its suspicion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    word_sum: i32,
    char_sum: i32,
    words: u16,
    chars: u16,
}

impl Evidence {
    #[inline]
    pub(crate) fn word(&mut self, gram: u64) {
        self.word_sum += weight(HEADER + word_bucket(gram));
        self.words = self.words.saturating_add(1);
    }

    #[inline]
    pub(crate) fn chars(&mut self, grams: [u32; 3]) {
        for gram in grams {
            self.char_sum += weight(HEADER + WORD_BUCKETS + bucket_index(char_bucket(gram)));
        }
        self.chars = self.chars.saturating_add(3);
    }

    /// As [`Self::chars`] for each character of a block.
    #[inline]
    pub(crate) fn block(&mut self, grams: &Grams) {
        for hashes in &grams.hashes {
            let buckets = hashes.map(char_bucket);
            for bucket in buckets.iter().take(grams.count) {
                self.char_sum += weight(HEADER + WORD_BUCKETS + bucket_index(*bucket));
            }
        }
        let more = u16::try_from(3 * grams.count).unwrap_or(u16::MAX);
        self.chars = self.chars.saturating_add(more);
    }

    /// The evidence of both stretches.
    pub(crate) fn join(self, other: Self) -> Self {
        Self {
            word_sum: self.word_sum.saturating_add(other.word_sum),
            char_sum: self.char_sum.saturating_add(other.char_sum),
            words: self.words.saturating_add(other.words),
            chars: self.chars.saturating_add(other.chars),
        }
    }

    /// Log-odds that the text attacks the model that reads it.
    #[allow(clippy::cast_precision_loss, reason = "sums of bytes over one sentence")]
    pub(crate) fn score(self) -> f32 {
        let words = f32::from(self.words.max(1)).sqrt();
        let chars = f32::from(self.chars.max(1)).sqrt();
        header(0)
            + header(1) * self.word_sum as f32 / words
            + header(2) * self.char_sum as f32 / chars
    }
}

fn header(field: usize) -> f32 {
    let bytes = MODEL.get(field * 4..).and_then(|rest| rest.first_chunk::<4>());
    bytes.map_or(0.0, |bytes| f32::from_le_bytes(*bytes))
}

#[inline]
fn weight(at: usize) -> i32 {
    MODEL.get(at).map_or(0, |byte| i32::from(byte.cast_signed()))
}

#[inline]
fn word_bucket(gram: u64) -> usize {
    scale((gram >> 32) as u32, WORD_BUCKETS)
}

/// The upper half of `gram * CHAR_BUCKETS`, as [`scale`] gives it, in steps of 32 bits: `CHAR_BUCKETS` is 2^17 - 2^4.
/// So blocks of grams become vector instructions.
#[inline(always)]
fn char_bucket(gram: u32) -> u32 {
    const { assert!(CHAR_BUCKETS == (1 << 17) - (1 << 4), "another number of buckets") };
    let borrow = u32::from(gram << 17 < gram << 4);
    (gram >> 15) - (gram >> 28) - borrow
}

#[inline(always)]
const fn bucket_index(bucket: u32) -> usize {
    bucket as usize
}

/// Maps 32 random bits onto `0..buckets`.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the product shifted is below `buckets`")]
fn scale(bits: u32, buckets: usize) -> usize {
    ((u64::from(bits) * buckets as u64) >> 32) as usize
}

/// The terms before, to make word grams of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WordGrams {
    last: u64,
    before: u64,
}

impl WordGrams {
    /// Starts a stretch of text.
    pub(crate) fn begin(&mut self) {
        *self = Self::default();
    }

    /// Emits the grams of one, two and three terms that end at this one.
    #[inline]
    pub(crate) fn push(&mut self, term: u64, mut emit: impl FnMut(u64)) {
        emit(mix(term ^ 0x1111));
        let two = term.wrapping_add(self.last.rotate_left(21));
        if self.last != 0 {
            emit(mix(two ^ 0x2222));
        }
        if self.before != 0 {
            emit(mix(two.wrapping_add(self.before.rotate_left(42)) ^ 0x3333));
        }
        (self.before, self.last) = (self.last, term);
    }
}

/// Buckets of every gram of `text` for the trainer: word grams, then character grams.
#[cfg(feature = "training")]
#[must_use]
pub fn training_buckets(text: &str) -> (Vec<u32>, Vec<u32>) {
    let narrow = |bucket: usize| u32::try_from(bucket).unwrap_or(u32::MAX);
    let (mut words, mut chars) = (Vec::new(), Vec::new());
    let mut grams = WordGrams::default();
    crate::terms::for_each_term(text, |term| {
        grams.push(term, |gram| words.push(narrow(word_bucket(gram))))
    });
    let mut window = crate::grams::Window::new();
    crate::grams::for_each_folded(text, |char| {
        chars.extend(window.push(char).map(char_bucket));
    });
    (words, chars)
}

/// Log-odds that `text`, read alone, attacks the model that reads it. Above 0 is suspicious.
#[must_use]
pub fn suspicion(text: &str) -> f32 {
    let mut evidence = Evidence::default();
    let mut grams = WordGrams::default();
    crate::terms::for_each_term(text, |term| grams.push(term, |gram| evidence.word(gram)));
    let mut window = crate::grams::Window::new();
    crate::grams::for_each_folded(text, |char| evidence.chars(window.push(char)));
    evidence.score()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bucket_of_characters_is_the_scaled_hash() {
        let edges = [0, 1, (1 << 15) - 1, 1 << 15, (1 << 28) - 1, 1 << 28, u32::MAX - 1, u32::MAX];
        let spread = (0..200_000u32).map(|n| n.wrapping_mul(0x9E37_79B1));
        for gram in edges.into_iter().chain(spread) {
            assert_eq!(bucket_index(char_bucket(gram)), scale(gram, CHAR_BUCKETS), "{gram}");
        }
    }
}
