//! Terms of a text, as numbers.
//!
//! The paper's rule: fields between white space, trimmed of what is not alphanumeric, in lower case; a run of Han,
//! kana or Hangul gives each character and each pair of neighbours. A term is known by its 64-bit hash alone: no
//! string is kept and nothing is allocated per word.

/// Distinct terms that are told apart. Beyond this, unseen terms share one id.
pub(crate) const MAX_TERMS: usize = 32_768;

/// Slots looked at before a term is given the shared id, so that chosen collisions cannot slow the table down.
const MAX_PROBES: usize = 64;

/// Id of every term that the table has no room for.
pub(crate) const OTHER_TERM: u32 = 0;

/// Characters written without spaces, of which each is a term.
pub(crate) fn is_cjk(char: char) -> bool {
    matches!(u32::from(char),
        0x1100..=0x11FF | 0x3040..=0x30FF | 0x3130..=0x318F | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF
        | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// FNV-1a over characters in lower case, with a last mix so that all bits of the result depend on all input.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    const START: Self = Self(0xCBF2_9CE4_8422_2325);

    #[inline]
    fn add(&mut self, char: u32) {
        self.0 = (self.0 ^ u64::from(char)).wrapping_mul(0x0000_0100_0000_01B3);
    }

    #[inline]
    fn add_lower(&mut self, char: char) {
        if char.is_ascii() {
            self.add(u32::from(char.to_ascii_lowercase()));
        } else {
            char.to_lowercase().for_each(|lower| self.add(u32::from(lower)));
        }
    }

    #[inline]
    fn finish(self) -> u64 {
        mix(self.0)
    }
}

/// Spreads the bits of `x`.
#[inline]
pub(crate) fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x ^ (x >> 32)
}

/// Hash of a term given as text; for lexicons.
pub(crate) fn hash_of(term: &str) -> u64 {
    let mut hash = Hash::START;
    term.chars().for_each(|char| hash.add_lower(char));
    hash.finish()
}

/// Calls `emit` with the hash of each term of `text`, in order.
pub(crate) fn for_each_term(text: &str, mut emit: impl FnMut(u64)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_whitespace() || *byte == 0x0B {
            at += 1;
            continue;
        }
        let mut end = at;
        while bytes.get(end).is_some_and(|b| b.is_ascii() && !b.is_ascii_whitespace() && *b != 0x0B)
        {
            end += 1;
        }
        if bytes.get(end).is_none_or(u8::is_ascii) {
            ascii_field(bytes.get(at..end).unwrap_or_default(), &mut emit);
            at = end;
        } else {
            // A field with anything beyond ASCII goes the general way as a whole.
            let rest = text.get(at..).unwrap_or_default();
            let field = rest.split(char::is_whitespace).next().unwrap_or_default();
            wide_field(field, &mut emit);
            at += field.len();
            at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        }
    }
}

#[inline]
fn ascii_field(field: &[u8], emit: &mut impl FnMut(u64)) {
    let first = field.iter().position(u8::is_ascii_alphanumeric);
    let last = field.iter().rposition(u8::is_ascii_alphanumeric);
    if let (Some(first), Some(last)) = (first, last) {
        let mut hash = Hash::START;
        for byte in field.get(first..=last).unwrap_or_default() {
            hash.add(u32::from(byte.to_ascii_lowercase()));
        }
        emit(hash.finish());
    }
}

fn wide_field(field: &str, emit: &mut impl FnMut(u64)) {
    let mut rest = field;
    while let Some(first) = rest.chars().next() {
        let cjk = is_cjk(first);
        let len = rest.find(|char| is_cjk(char) != cjk).unwrap_or(rest.len());
        let (run, tail) = rest.split_at(len);
        if cjk {
            let mut before: Option<char> = None;
            for char in run.chars() {
                let mut hash = Hash::START;
                if let Some(before) = before {
                    hash.add_lower(before);
                    hash.add_lower(char);
                    emit(hash.finish());
                }
                let mut hash = Hash::START;
                hash.add_lower(char);
                emit(hash.finish());
                before = Some(char);
            }
        } else {
            let word = run.trim_matches(|char: char| !char.is_alphanumeric());
            if !word.is_empty() {
                emit(hash_of(word));
            }
        }
        rest = tail;
    }
}

/// Gives each distinct term a small number, in order of first appearance.
///
/// A slot is one word: the upper 48 bits of the hash and the id, so that the table of a short text takes a few KiB. Terms
/// that agree in those 48 bits count as one.
#[derive(Clone, Debug)]
pub(crate) struct Interner {
    /// Open addressing by the top bits of the hash; 0 marks a free slot, since ids start at 1.
    slots: Vec<u64>,
    len: usize,
}

/// Bits of a slot that hold the id.
const ID_BITS: u32 = 16;
const ID_MASK: u64 = (1 << ID_BITS) - 1;

impl Interner {
    pub(crate) fn new() -> Self {
        Self { slots: vec![0; 1024], len: 0 }
    }

    /// Ids given out so far, the shared one included.
    pub(crate) fn ids(&self) -> usize {
        self.len + 1
    }

    /// Bytes of memory held.
    pub(crate) const fn held_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    #[inline]
    pub(crate) fn id(&mut self, hash: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = self.first_slot(hash);
        for _ in 0..MAX_PROBES {
            let Some(slot) = self.slots.get_mut(at) else { break };
            if *slot & ID_MASK == 0 {
                if self.len >= MAX_TERMS {
                    return OTHER_TERM;
                }
                self.len += 1;
                let id = self.len as u64 & ID_MASK;
                *slot = hash & !ID_MASK | id;
                if self.len * 2 > self.slots.len() {
                    self.grow();
                }
                return id_of(id);
            }
            if *slot >> ID_BITS == hash >> ID_BITS {
                return id_of(*slot);
            }
            at = (at + 1) & mask;
        }
        OTHER_TERM
    }

    #[inline]
    fn first_slot(&self, hash: u64) -> usize {
        // At most 2^16 slots, so only bits that the slot keeps decide.
        low_bits(hash >> (u64::BITS - self.slots.len().trailing_zeros()))
    }

    fn grow(&mut self) {
        let doubled = self.slots.len() * 2;
        let mask = doubled - 1;
        let old = std::mem::replace(&mut self.slots, vec![0; doubled]);
        for moved in old.into_iter().filter(|slot| *slot != 0) {
            let mut at = self.first_slot(moved);
            for _ in 0..MAX_PROBES {
                let Some(slot) = self.slots.get_mut(at) else { break };
                if *slot == 0 {
                    *slot = moved;
                    break;
                }
                at = (at + 1) & mask;
            }
        }
    }
}

fn id_of(slot: u64) -> u32 {
    u32::try_from(slot & ID_MASK).unwrap_or(OTHER_TERM)
}

#[allow(clippy::cast_possible_truncation, reason = "only low bits are wanted")]
fn low_bits(hash: u64) -> usize {
    hash as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<u64> {
        let mut out = Vec::new();
        for_each_term(text, |hash| out.push(hash));
        out
    }

    fn words(words: &[&str]) -> Vec<u64> {
        words.iter().map(|word| hash_of(word)).collect()
    }

    #[test]
    fn fields_are_trimmed_and_lower_case() {
        assert_eq!(
            terms("  (Hello), \u{A0}WORLD's end... --- x86_64\n"),
            words(&["hello", "world's", "end", "x86_64"])
        );
        assert_eq!(terms("«ПРИВЕТ» Größe"), words(&["привет", "größe"]));
    }

    #[test]
    fn cjk_runs_give_characters_and_pairs() {
        assert_eq!(terms("契约7条"), words(&["契", "契约", "约", "7", "条"]));
    }

    #[test]
    fn ids_are_stable_while_the_table_grows() {
        let mut interner = Interner::new();
        let first: Vec<u32> = (0..5000u32).map(|n| interner.id(hash_of(&n.to_string()))).collect();
        let again: Vec<u32> = (0..5000u32).map(|n| interner.id(hash_of(&n.to_string()))).collect();
        assert_eq!(first, again);
        assert_eq!(interner.ids(), 5001);
    }

    #[test]
    fn past_the_cap_new_terms_share_an_id_and_old_ones_keep_theirs() {
        let mut interner = Interner::new();
        // Numbers are spread as the hash of a term is: over the top bits too.
        let spread = |n: u64| mix(n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for n in 0..MAX_TERMS as u64 {
            interner.id(spread(n + 1));
        }
        assert_eq!(interner.id(spread(9_999_999)), OTHER_TERM);
        assert_eq!(interner.id(spread(1)), 1);
    }

    #[test]
    fn chosen_collisions_cost_a_bounded_number_of_probes() {
        // All of these land on one slot of a table of any size.
        let mut interner = Interner::new();
        let ids: Vec<u32> = (0..300u64).map(|n| interner.id((n + 1) << 20)).collect();
        assert!(ids.iter().filter(|id| **id == OTHER_TERM).count() >= 300 - MAX_PROBES);
    }
}
