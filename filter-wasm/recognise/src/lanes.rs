//! Classes of 64 bytes at once, as bits: SSE2 on x86-64, simd128 on wasm where it is enabled, plain loops elsewhere.
//!
//! A plain version is compiled for tests, which compare the fast one with it.

use wide::i8x16;

/// Bytes that are classified together; one bit each.
pub(crate) const LANES: usize = 64;

/// What can be asked of 64 bytes. The lowest bit of an answer is the first byte.
pub(crate) trait Lanes {
    /// One answer that has not become bits yet, so that several can be joined cheaply.
    type Mask: Copy + std::ops::BitOr<Output = Self::Mask>;

    fn load(bytes: &[u8; LANES]) -> Self;
    /// The same with ASCII letters in lower case (and other bytes changed too).
    fn folded(&self) -> Self;
    fn is(&self, byte: u8) -> Self::Mask;
    /// `low <= byte && byte < low + count`, for `count` from 1 to 127.
    fn within(&self, low: u8, count: u8) -> Self::Mask;
    fn bits(mask: Self::Mask) -> u64;
    /// The same for an answer that is mostly no for all 64 bytes: that is found out first, which is cheaper.
    fn rare_bits(mask: Self::Mask) -> u64;
}

/// Four vectors of the crate `wide`, which keeps the unsafe code of each instruction set to itself.
#[derive(Clone, Copy)]
pub(crate) struct Native([i8x16; 4]);

#[derive(Clone, Copy)]
pub(crate) struct Mask([i8x16; 4]);

impl std::ops::BitOr for Mask {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        let (Self([a, b, c, d]), Self([e, f, g, h])) = (self, other);
        Self([a | e, b | f, c | g, d | h])
    }
}

impl Lanes for Native {
    type Mask = Mask;

    #[inline(always)]
    fn load(bytes: &[u8; LANES]) -> Self {
        let (lanes, _) = bytes.as_chunks::<16>();
        let lane = |i: usize| i8x16::from(lanes[i].map(u8::cast_signed));
        Self([lane(0), lane(1), lane(2), lane(3)])
    }

    #[inline(always)]
    fn folded(&self) -> Self {
        Self(self.0.map(|lane| lane | i8x16::splat(0x20)))
    }

    #[inline(always)]
    fn is(&self, byte: u8) -> Mask {
        Mask(self.0.map(|lane| lane.simd_eq(i8x16::splat(byte.cast_signed()))))
    }

    #[inline(always)]
    fn within(&self, low: u8, count: u8) -> Mask {
        // The range is moved to the bottom of the signed bytes, where one comparison decides.
        let shift = i8x16::splat(0x80u8.wrapping_sub(low).cast_signed());
        let end = i8x16::splat(0x80u8.wrapping_add(count).cast_signed());
        Mask(self.0.map(|lane| (lane + shift).simd_lt(end)))
    }

    #[inline(always)]
    fn bits(mask: Mask) -> u64 {
        let part = |i: usize| u64::from(mask.0[i].to_bitmask());
        part(0) | part(1) << 16 | part(2) << 32 | part(3) << 48
    }

    #[inline(always)]
    fn rare_bits(mask: Mask) -> u64 {
        let [a, b, c, d] = mask.0;
        if ((a | b) | (c | d)).to_bitmask() == 0 { 0 } else { Self::bits(mask) }
    }
}

#[cfg(test)]
mod plain {
    use super::{LANES, Lanes};

    #[derive(Clone, Copy)]
    pub(crate) struct Plain([u8; LANES]);
    #[derive(Clone, Copy)]
    pub(crate) struct Mask(u64);

    impl std::ops::BitOr for Mask {
        type Output = Self;

        fn bitor(self, other: Self) -> Self {
            Self(self.0 | other.0)
        }
    }

    impl Plain {
        fn mask(&self, test: impl Fn(u8) -> bool) -> Mask {
            Mask(self.0.iter().rev().fold(0, |bits, &byte| bits << 1 | u64::from(test(byte))))
        }
    }

    impl Lanes for Plain {
        type Mask = Mask;

        fn load(bytes: &[u8; LANES]) -> Self {
            Self(*bytes)
        }

        fn folded(&self) -> Self {
            Self(self.0.map(|byte| byte | 0x20))
        }

        fn is(&self, byte: u8) -> Mask {
            self.mask(|b| b == byte)
        }

        fn within(&self, low: u8, count: u8) -> Mask {
            self.mask(|b| b.wrapping_sub(low) < count)
        }

        fn bits(mask: Mask) -> u64 {
            mask.0
        }

        fn rare_bits(mask: Mask) -> u64 {
            mask.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_fast_lanes_agree_with_the_plain_ones(bytes in prop::array::uniform32(any::<u8>()), more in prop::array::uniform32(any::<u8>()), low: u8, count in 1u8..128) {
            let mut block = [0; LANES];
            block[..32].copy_from_slice(&bytes);
            block[32..].copy_from_slice(&more);
            let (fast, slow) = (Native::load(&block), plain::Plain::load(&block));
            let both = |f: <Native as Lanes>::Mask, s: <plain::Plain as Lanes>::Mask| (Native::bits(f), plain::Plain::bits(s));
            for (f, s) in [
                both(fast.is(bytes[0]), slow.is(bytes[0])),
                both(fast.within(low, count), slow.within(low, count)),
                both(fast.folded().within(b'a', 26), slow.folded().within(b'a', 26)),
                both(fast.is(low) | fast.within(b'0', 10), slow.is(low) | slow.within(b'0', 10)),
            ] {
                prop_assert_eq!(f, s);
            }
            for byte in [low, bytes[0]] {
                prop_assert_eq!(Native::rare_bits(fast.is(byte)), plain::Plain::rare_bits(slow.is(byte)));
            }
        }
    }
}
