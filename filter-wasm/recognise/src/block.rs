//! Finding the few positions that deserve a look, 64 bytes at a time.
//!
//! A block is classified by plain loops over fixed arrays, without branches, which the compiler turns into SSE2 or wasm simd128. Each
//! position gets a byte of [flags](Flags); a block without any flag, which is what prose mostly is, costs nothing more. A flag depends
//! only on the bytes around its position (up to [`BEFORE`] before and [`AFTER`] after it), never on where the block begins, so results
//! do not depend on how the text was cut. Zero bytes stand outside the text.

use crate::bytes::part;

/// Positions per block.
pub(crate) const BLOCK: usize = 64;
/// Bytes before a position that its flags may depend on.
pub(crate) const BEFORE: usize = 1;
/// Bytes after a position that its flags may depend on.
pub(crate) const AFTER: usize = 31;
/// A block with its surroundings.
const WINDOW: usize = BEFORE + BLOCK + AFTER;

/// The bytes of one block and around it.
pub(crate) type Window = [u8; WINDOW];
/// One byte of flags for each position of a block; 0 is "nothing here".
pub(crate) type Flags = [u8; BLOCK];

/// Calls `visit` with each flagged position of `bytes[from..to]` in order, and its flags.
///
/// `visit` returns the position to go on from: flagged positions before it are passed over.
pub(crate) fn for_each(
    bytes: &[u8],
    from: usize,
    to: usize,
    classify: impl Fn(&Window, &mut Flags),
    mut visit: impl FnMut(usize, u8) -> usize,
) -> usize {
    let to = to.min(bytes.len());
    let mut next = from;
    let mut flags: Flags = [0; BLOCK];
    while next < to {
        let block = next - next % BLOCK;
        let inside = block.checked_sub(BEFORE).and_then(|start| bytes.get(start..start + WINDOW));
        match inside.and_then(|window| <&Window>::try_from(window).ok()) {
            Some(window) => classify(window, &mut flags),
            None => classify(&padded(bytes, block), &mut flags),
        }
        let mut candidates = mask(&flags) & (u64::MAX << (next - block));
        let end = block + BLOCK;
        while candidates != 0 {
            let offset = candidates.trailing_zeros() as usize;
            let position = block + offset;
            if position >= to {
                break;
            }
            candidates &= candidates - 1;
            next = visit(position, flags.get(offset).copied().unwrap_or(0)).max(position + 1);
            if next >= end {
                break;
            }
            candidates &= u64::MAX << (next - block);
        }
        next = next.max(end.min(to));
    }
    next
}

fn padded(bytes: &[u8], block: usize) -> Window {
    let mut window = [0; WINDOW];
    let (lead, source) = match block.checked_sub(BEFORE) {
        Some(start) => (0, part(bytes, start..start + WINDOW)),
        None => (BEFORE, part(bytes, 0..WINDOW - BEFORE)),
    };
    for (to, &from) in window.iter_mut().skip(lead).zip(source) {
        *to = from;
    }
    window
}

/// One bit for each position with a flag, the first position lowest.
fn mask(flags: &Flags) -> u64 {
    let (groups, _) = flags.as_chunks::<8>();
    let mut any = 0;
    for group in groups {
        any |= u64::from_le_bytes(*group);
    }
    if any == 0 {
        return 0;
    }
    let mut mask = 0;
    for (i, group) in groups.iter().enumerate() {
        // Sets the top bit of each byte that is not zero, then gathers the eight top bits by a multiplication.
        let word = u64::from_le_bytes(*group);
        let low = 0x7f7f_7f7f_7f7f_7f7f;
        let tops = (((word & low) + low) | word) & !low;
        mask |= ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    mask
}

/// 0xff for `true`.
#[inline(always)]
pub(crate) const fn full(condition: bool) -> u8 {
    if condition { 0xff } else { 0 }
}

/// Fills `out[i]` with `0xff` where `class[i..i + 16]` are all `0xff`.
#[inline(always)]
pub(crate) fn sixteen_in_a_row(class: &Window, out: &mut [u8; BLOCK + 1]) {
    let mut two = [0; WINDOW];
    let mut four = [0; WINDOW];
    let mut eight = [0; WINDOW];
    for i in 0..WINDOW - 1 {
        two[i] = class[i] & class[i + 1];
    }
    for i in 0..WINDOW - 3 {
        four[i] = two[i] & two[i + 2];
    }
    for i in 0..WINDOW - 7 {
        eight[i] = four[i] & four[i + 4];
    }
    for i in 0..=BLOCK {
        out[i] = eight[i] & eight[i + 8];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_mask_has_a_bit_for_each_flag() {
        for i in 0..BLOCK {
            for value in [1, 2, 0x7f, 0x80, 0xff] {
                let mut flags = [0; BLOCK];
                flags[i] = value;
                assert_eq!(mask(&flags), 1 << i);
            }
        }
        assert_eq!(mask(&[3; BLOCK]), u64::MAX);
        assert_eq!(mask(&[0; BLOCK]), 0);
    }

    /// Flags the first of sixteen letters `a`.
    fn runs(window: &Window, flags: &mut Flags) {
        let mut class = [0; WINDOW];
        for i in 0..WINDOW {
            class[i] = full(window[i] == b'a');
        }
        let mut long = [0; BLOCK + 1];
        sixteen_in_a_row(&class, &mut long);
        for i in 0..BLOCK {
            flags[i] = long[i + 1] & !class[i];
        }
    }

    proptest! {
        #[test]
        fn blocks_find_what_a_plain_search_finds(text in "(a{1,40}|b{1,3}){0,30}", from in 0usize..100) {
            let bytes = text.as_bytes();
            let from = from.min(bytes.len());
            let mut found = Vec::new();
            for_each(bytes, from, bytes.len(), runs, |i, _| { found.push(i); i + 1 });
            let obvious: Vec<usize> = (from..bytes.len())
                .filter(|&i| (i == 0 || bytes[i - 1] != b'a') && bytes.len() >= i + 16 && bytes[i..i + 16].iter().all(|&b| b == b'a'))
                .collect();
            prop_assert_eq!(found, obvious);
        }
    }
}
