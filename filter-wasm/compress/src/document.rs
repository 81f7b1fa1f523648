//! The text of a request as numbers: one small record a sentence, filled while the text arrives.

use std::sync::LazyLock;

use crate::address;
use crate::budget::estimate_tokens;
use crate::grams::Folded;
use crate::sentences::{MAX_BYTES, Splitter};
use crate::suspicion::{Evidence, WordGrams};
use crate::terms::{Interner, for_each_term, mix};

/// Character trigrams kept of a sentence to measure how strange it is in its text.
const SAMPLES: usize = 16;

/// Buckets of the character trigrams of the whole text.
const TRIGRAMS: usize = 1 << 14;

/// One sentence, or a few tiny ones.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) passage: u32,
    /// Bytes in the passage, without the white space around.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) tokens: u16,
    /// Terms, repeated ones counted again.
    pub(crate) terms: u16,
    /// Terms of the address lexicon.
    pub(crate) addressed: u16,
    pub(crate) evidence: Evidence,
    /// Equal for units with the same terms in any order.
    pub(crate) fingerprint: u64,
    first_entry: u32,
    entry_count: u16,
    sample_count: u16,
    samples: [u16; SAMPLES],
}

impl Unit {
    pub(crate) fn bytes(&self) -> usize {
        usize::try_from(self.end.saturating_sub(self.start)).unwrap_or(usize::MAX)
    }

    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        let start = usize::try_from(self.start).unwrap_or(usize::MAX);
        start..start.saturating_add(self.bytes())
    }
}

#[derive(Clone, Debug, Default)]
struct Progress {
    splitter: Splitter,
    /// Sentences gathered for the next unit.
    pending: Option<(usize, usize)>,
    done: bool,
}

/// All sentences of a request so far.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) units: Vec<Unit>,
    passages: Vec<Progress>,
    /// Term id (20 bits) and count (12 bits) of each unit, unit by unit.
    entries: Vec<u32>,
    interner: Interner,
    /// Where the entry of a term is, if it has one in the unit in progress: unit number plus one, entry.
    place: Vec<(u32, u32)>,
    folded: Folded,
    trigrams: Vec<u16>,
    trigram_total: u64,
    word_grams: WordGrams,
    bytes: usize,
    max_bytes: usize,
    sorted: bool,
}

/// Lists longer than this, in bytes, grow by a quarter and not to the double.
const GROWS_GENTLY: usize = 64 << 10;

/// Makes room for one more.
fn make_room<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() && list.len() * size_of::<T>() > GROWS_GENTLY {
        list.reserve_exact(list.len() / 4);
    }
}

const ENTRY_COUNT_BITS: u32 = 12;
const MAX_ENTRY_COUNT: u32 = (1 << ENTRY_COUNT_BITS) - 1;

/// Natural logarithm of `n / 2` for `n` of at least 1, from a table: within 0.004, and the same on every machine.
fn log_of_half(n: u32) -> f32 {
    const STEPS: u32 = 256;
    static MANTISSAS: LazyLock<[f32; STEPS as usize]> = LazyLock::new(|| {
        #[allow(clippy::cast_precision_loss, reason = "below 2^24")]
        std::array::from_fn(|at| ((at as f32 + 0.5) / STEPS as f32).ln_1p())
    });
    let zeros = n.max(1).leading_zeros();
    let mantissa = (n << zeros << 1) >> (u32::BITS - STEPS.trailing_zeros());
    let fraction = MANTISSAS.get(mantissa as usize).copied().unwrap_or(0.0);
    let exponent = i16::try_from(30 - i64::from(zeros)).unwrap_or(0);
    f32::from(exponent) * std::f32::consts::LN_2 + fraction
}

/// Sentences shorter than this many bytes are joined to the next, more so further into a very long passage, so that
/// the number of units stays bounded: below 60,000 for 8 MiB.
fn min_unit_bytes(offset: usize) -> usize {
    match offset {
        0..0x1_0000 => 12,
        0x1_0000..0x10_0000 => 64,
        _ => 160,
    }
}

impl Document {
    pub(crate) fn new(max_bytes: usize) -> Self {
        // The lexicon takes the first ids in every document, so that its words are known by number.
        static WITH_LEXICON: LazyLock<Interner> = LazyLock::new(|| {
            let mut interner = Interner::new();
            address::hashes().for_each(|hash| {
                interner.id(hash);
            });
            interner
        });
        Self {
            units: Vec::new(),
            passages: Vec::new(),
            entries: Vec::new(),
            interner: WITH_LEXICON.clone(),
            place: Vec::new(),
            folded: Folded::default(),
            trigrams: vec![0; TRIGRAMS],
            trigram_total: 0,
            word_grams: WordGrams::default(),
            bytes: 0,
            max_bytes,
            sorted: true,
        }
    }

    /// Bytes of memory held.
    pub(crate) fn held_bytes(&self) -> usize {
        self.units.capacity() * size_of::<Unit>()
            + self.passages.capacity() * size_of::<Progress>()
            + self.entries.capacity() * size_of::<u32>()
            + self.place.capacity() * size_of::<(u32, u32)>()
            + self.trigrams.capacity() * size_of::<u16>()
            + self.folded.held_bytes()
            + self.interner.held_bytes()
    }

    pub(crate) fn term_ids(&self) -> usize {
        self.interner.ids()
    }

    /// Terms of a unit with their counts.
    pub(crate) fn entries(&self, unit: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (from, count) = self
            .units
            .get(unit)
            .map_or((0, 0), |unit| (unit.first_entry as usize, usize::from(unit.entry_count)));
        self.entries
            .get(from..from + count)
            .unwrap_or_default()
            .iter()
            .map(|entry| ((entry >> ENTRY_COUNT_BITS) as usize, f64::from(entry & MAX_ENTRY_COUNT)))
    }

    /// Takes in what is new of a passage. Text past the cap on bytes is left out.
    pub(crate) fn advance(&mut self, passage: usize, text: &str, complete: bool) {
        if passage >= self.passages.len() {
            self.passages.resize_with(passage.saturating_add(1), || Progress {
                splitter: Splitter::new(),
                ..Progress::default()
            });
        }
        let Some(slot) = self.passages.get_mut(passage) else { return };
        if slot.done {
            return;
        }
        let mut progress = std::mem::take(slot);
        while self.bytes < self.max_bytes {
            let Some(sentence) = progress.splitter.next(text, complete) else { break };
            if sentence.is_empty() {
                continue;
            }
            match &mut progress.pending {
                Some((start, end)) if sentence.end - *start <= MAX_BYTES => *end = sentence.end,
                pending => {
                    if let Some((start, end)) = pending.replace((sentence.start, sentence.end)) {
                        self.add(passage, text, start, end);
                    }
                }
            }
            if let Some((start, end)) = progress.pending
                && end - start >= min_unit_bytes(start)
            {
                progress.pending = None;
                self.add(passage, text, start, end);
            }
        }
        if complete {
            progress.done = true;
            if let Some((start, end)) = progress.pending.take()
                && self.bytes < self.max_bytes
            {
                self.add(passage, text, start, end);
            }
        }
        if let Some(slot) = self.passages.get_mut(passage) {
            *slot = progress;
        }
    }

    /// True when the cap on bytes has left text out.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes >= self.max_bytes
    }

    fn add(&mut self, passage: usize, text: &str, start: usize, end: usize) {
        let body = text.get(start..end).unwrap_or_default();
        let number = u32::try_from(self.units.len()).unwrap_or(u32::MAX).saturating_add(1);
        let first_entry = self.entries.len();
        let mut evidence = Evidence::default();
        let (mut terms, mut addressed, mut fingerprint) = (0u16, 0u16, 0u64);
        let lexicon = address::count();
        self.word_grams.begin();
        for_each_term(body, |hash| {
            terms = terms.saturating_add(1);
            fingerprint = fingerprint.wrapping_add(mix(hash ^ 0x5EED));
            self.word_grams.push(hash, |gram| evidence.word(gram));
            let id = self.interner.id(hash);
            addressed = addressed.saturating_add(u16::from((1..=lexicon).contains(&id)));
            let slot = id as usize;
            if slot >= self.place.len() {
                self.place.resize(slot + 1, (0, 0));
            }
            match self.place.get_mut(slot) {
                Some((unit, entry)) if *unit == number => {
                    if let Some(entry) = self.entries.get_mut(*entry as usize)
                        && *entry & MAX_ENTRY_COUNT < MAX_ENTRY_COUNT
                    {
                        *entry += 1;
                    }
                }
                Some(place) => {
                    *place = (number, u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
                    make_room(&mut self.entries);
                    self.entries.push(id << ENTRY_COUNT_BITS | 1);
                }
                None => {}
            }
        });
        let (samples, sample_count) = self.count_grams(body, &mut evidence);
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let unit = Unit {
            passage: small(passage),
            start: small(start),
            end: small(end),
            tokens: u16::try_from(estimate_tokens(body)).unwrap_or(u16::MAX),
            terms,
            addressed,
            evidence,
            fingerprint,
            first_entry: small(first_entry),
            entry_count: u16::try_from(self.entries.len() - first_entry).unwrap_or(u16::MAX),
            sample_count,
            samples,
        };
        self.bytes += end - start;
        self.sorted &= self
            .units
            .last()
            .is_none_or(|last| (last.passage, last.start) <= (unit.passage, unit.start));
        make_room(&mut self.units);
        self.units.push(unit);
    }

    fn count_grams(&mut self, body: &str, evidence: &mut Evidence) -> ([u16; SAMPLES], u16) {
        let stride = body.len().div_ceil(SAMPLES).max(1);
        let (mut samples, mut sample_count, mut seen, mut next) =
            ([0u16; SAMPLES], 0u16, 0usize, 2usize);
        let trigrams = &mut self.trigrams;
        self.folded.read(body);
        self.folded.for_each_block(|grams| {
            evidence.block(grams);
            for three in grams.hashes[0].iter().take(grams.count) {
                let bucket = (three >> 18) as usize;
                if let Some(count) = trigrams.get_mut(bucket) {
                    *count = count.saturating_add(1);
                }
                if seen == next {
                    next += stride;
                    if let Some(sample) = samples.get_mut(usize::from(sample_count)) {
                        *sample = u16::try_from(bucket).unwrap_or_default();
                        sample_count += 1;
                    }
                }
                seen += 1;
            }
        });
        self.trigram_total += seen as u64;
        (samples, sample_count)
    }

    /// Brings the units into the order of the text, should passages have arrived side by side.
    pub(crate) fn sort(&mut self) {
        if !self.sorted {
            self.units.sort_by_key(|unit| (unit.passage, unit.start));
            self.sorted = true;
        }
    }

    /// How unlike the rest of the text the characters of each unit are: mean surprise of its sampled trigrams, in
    /// nats, drawn towards the mean of the text where a unit has few.
    pub(crate) fn strangeness(&self) -> Vec<f32> {
        const PRIOR: f32 = 5.0;
        #[allow(clippy::cast_precision_loss, reason = "a logarithm of a count")]
        let total = (self.trigram_total as f32 + 1.0).ln();
        let surprise: Vec<(f32, f32)> = self
            .units
            .iter()
            .map(|unit| {
                let count = usize::from(unit.sample_count);
                let sum = unit.samples.iter().take(count).map(|bucket| {
                    let others = self
                        .trigrams
                        .get(usize::from(*bucket))
                        .copied()
                        .unwrap_or(0)
                        .saturating_sub(1);
                    total - log_of_half(2 * u32::from(others) + 1)
                });
                (sum.sum::<f32>(), f32::from(unit.sample_count))
            })
            .collect();
        let (sum, count) = surprise.iter().fold((0.0f64, 0.0f64), |(sum, count), (s, n)| {
            (sum + f64::from(*s), count + f64::from(*n))
        });
        #[allow(clippy::cast_possible_truncation, reason = "a mean of logarithms")]
        let mean = if count > 0.0 { (sum / count) as f32 } else { 0.0 };
        surprise.into_iter().map(|(sum, count)| (sum + PRIOR * mean) / (count + PRIOR)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_logarithms_is_close_to_the_logarithm() {
        for n in (1..200_000).step_by(7).chain([1, 2, 3, u32::MAX]) {
            #[allow(clippy::cast_possible_truncation, reason = "a test at the table's precision")]
            let exact = (f64::from(n) / 2.0).ln() as f32;
            assert!((log_of_half(n) - exact).abs() < 0.004, "{n}: {} {exact}", log_of_half(n));
        }
    }
}
