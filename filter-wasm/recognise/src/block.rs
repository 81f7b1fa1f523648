//! Finding the few positions that deserve a look, 64 bytes at a time.
//!
//! Each byte's classes are bits of machine words ([`crate::lanes`]); what a position must look like is then a few shifts and ands over
//! those words. A block without a candidate, which is what prose mostly is, costs nothing more. Whether a position is one depends only
//! on the bytes around it (up to 63 on each side), never on where blocks begin or how the text was cut. Zero bytes stand outside the
//! text.

use crate::bytes::part;
use crate::lanes::LANES;

/// One class of the bytes of three neighbouring blocks.
#[derive(Clone, Copy)]
pub(crate) struct Bits {
    pub(crate) before: u64,
    pub(crate) here: u64,
    pub(crate) after: u64,
}

impl Bits {
    /// The class of the byte `distance` later than each position; 1 to 63.
    #[inline(always)]
    pub(crate) const fn later(self, distance: u32) -> u64 {
        self.here >> distance | self.after << (64 - distance)
    }

    /// The class of the byte before each position.
    #[inline(always)]
    pub(crate) const fn earlier(self) -> u64 {
        self.here << 1 | self.before >> 63
    }

    /// Positions that begin a run of at least sixteen bytes of the class.
    #[inline(always)]
    pub(crate) const fn long_runs(self) -> u64 {
        // `here` and `after` as one number: a bit stays when the next 1, 3, 7, 15 do.
        let mut low = self.here;
        let mut high = self.after;
        let mut distance = 1;
        while distance <= 8 {
            low &= low >> distance | high << (64 - distance);
            high &= high >> distance;
            distance *= 2;
        }
        low & !self.earlier()
    }
}

/// The classes of one block, as its user defines them.
pub(crate) trait Classes: Copy {
    /// Classifies a block.
    fn of(block: &[u8; LANES]) -> Self;

    /// The candidates of the middle block: one word for each kind.
    fn candidates(before: &Self, here: &Self, after: &Self) -> [u64; KINDS];
}

/// Kinds of candidate that a user may tell apart.
pub(crate) const KINDS: usize = 5;

/// Calls `visit` with each candidate of `bytes[from..to]` in order, and its kinds as bits.
///
/// `visit` returns the position to go on from: candidates before it are passed over. The answer is where the next call begins.
#[inline(always)]
pub(crate) fn for_each<C: Classes>(
    bytes: &[u8],
    from: usize,
    to: usize,
    mut visit: impl FnMut(usize, u8) -> usize,
) -> usize {
    let to = to.min(bytes.len());
    let mut next = from;
    let mut block = from - from % LANES;
    if next >= to {
        return next;
    }
    let mut before = block
        .checked_sub(LANES)
        .map_or_else(|| C::of(&[0; LANES]), |start| classes::<C>(bytes, start));
    let mut here = classes::<C>(bytes, block);
    while block < to {
        let end = block + LANES;
        let after = classes::<C>(bytes, end);
        let kinds = C::candidates(&before, &here, &after);
        let mut any = kinds.iter().fold(0, |any, kind| any | kind);
        if any != 0 {
            any &= if next > block {
                u64::MAX.checked_shl(u32::try_from(next - block).unwrap_or(LIMIT)).unwrap_or(0)
            } else {
                u64::MAX
            };
            while any != 0 {
                let offset = any.trailing_zeros();
                let position = block + offset as usize;
                if position >= to {
                    break;
                }
                let kind = kinds
                    .iter()
                    .rev()
                    .fold(0, |bits, kind| bits << 1 | u8::from(kind >> offset & 1 == 1));
                next = visit(position, kind).max(position + 1);
                // Jumping far would leave the classes of the blocks between unread; they are read all the same, which is cheap.
                any &= if next >= end { 0 } else { u64::MAX << (next - block) };
            }
        }
        before = here;
        here = after;
        block = end;
    }
    next.max(to)
}

const LIMIT: u32 = 64;

#[inline(always)]
fn classes<C: Classes>(bytes: &[u8], start: usize) -> C {
    match bytes.get(start..).and_then(|rest| rest.first_chunk::<LANES>()) {
        Some(block) => C::of(block),
        None => C::of(&padded(bytes, start)),
    }
}

#[cold]
fn padded(bytes: &[u8], start: usize) -> [u8; LANES] {
    let mut block = [0; LANES];
    for (to, &from) in block.iter_mut().zip(part(bytes, start..start + LANES)) {
        *to = from;
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Lanes, Native};
    use proptest::prelude::*;

    #[derive(Clone, Copy)]
    struct Letters(u64, u64);

    impl Classes for Letters {
        fn of(block: &[u8; LANES]) -> Self {
            let lanes = Native::load(block);
            Self(Native::bits(lanes.is(b'a')), Native::bits(lanes.is(b'b')))
        }

        fn candidates(before: &Self, here: &Self, after: &Self) -> [u64; KINDS] {
            let a = Bits { before: before.0, here: here.0, after: after.0 };
            let b = Bits { before: before.1, here: here.1, after: after.1 };
            [a.long_runs(), b.here & b.later(1) & a.later(2) & !b.earlier(), 0, 0, 0]
        }
    }

    proptest! {
        #[test]
        fn blocks_find_what_a_plain_search_finds(text in "(a{1,40}|b{1,3}| ){0,30}", from in 0usize..100, skip in 0usize..90) {
            let bytes = text.as_bytes();
            let from = from.min(bytes.len());
            let is = |i: usize, letter: u8| bytes.get(i) == Some(&letter);
            let mut found = Vec::new();
            let end = for_each::<Letters>(bytes, from, bytes.len(), |i, kinds| { found.push((i, kinds)); i + skip });
            prop_assert!(end >= bytes.len());
            let mut next = from;
            let mut obvious = Vec::new();
            for i in from..bytes.len() {
                let run = (i == 0 || !is(i - 1, b'a')) && (i..i + 16).all(|k| is(k, b'a'));
                let pair = is(i, b'b') && is(i + 1, b'b') && is(i + 2, b'a') && (i == 0 || !is(i - 1, b'b'));
                let kinds = u8::from(run) | u8::from(pair) << 1;
                if kinds != 0 && i >= next {
                    obvious.push((i, kinds));
                    next = i + skip;
                }
            }
            prop_assert_eq!(found, obvious);
        }
    }
}
