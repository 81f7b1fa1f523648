//! The vector operations that the kernel is written over, and the portable implementation.
//!
//! A value that implements [`Arith`] is a token: it exists only where the CPU can execute its instructions, which is what
//! makes the safe methods safe. `Products` are packed operands of the two matrix products, so that the same kernel takes
//! products in fp32 (one element of depth per 32-bit word) or in bfloat16 (two); sums are fp32 always.

use super::kernel::{self, Element, Plan, Scratch};

/// exp2 on [-0.5, 0.5], minimax in relative error, constant term first. Degree 5: 7.5e-8, about half an ulp of fp32.
pub(super) const EXP2_DEGREE_5: [f32; 6] =
    [1.000_000_1, 0.693_146_94, 0.240_221_2, 0.055_507_13, 0.009_675_541, 0.001_327_647_2];
/// Degree 3: 7.5e-5, a twentieth of what rounding to bfloat16 costs afterwards.
pub(super) const EXP2_DEGREE_3: [f32; 4] = [0.999_928_06, 0.693_260_97, 0.242_611_13, 0.055_171_67];
/// Below this, exp2 counts as zero: results would be subnormal, which is slow on some CPUs and too small to matter.
pub(super) const EXP2_SMALLEST: f32 = -126.0;

/// Vector arithmetic of one instruction set.
pub(super) trait Arith: Copy + Send + Sync {
    /// `LANES` floats.
    type Vector: Copy;
    /// `LANES` words of packed operands.
    type Products: Copy;
    /// One 32-bit word of packed operands: `STEP` neighbours along the depth of a product.
    type Packed: Copy + Default + Send + Sync;
    /// Floats per vector.
    const LANES: usize;
    /// Elements of depth per word.
    const STEP: usize;

    fn splat(self, x: f32) -> Self::Vector;
    /// # Safety
    /// `from` is valid for reading `LANES` floats.
    unsafe fn load(self, from: *const f32) -> Self::Vector;
    /// # Safety
    /// `to` is valid for writing `LANES` floats.
    unsafe fn store(self, to: *mut f32, x: Self::Vector);
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn max(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// 2^x for x <= 0 (or a little above); 0 below [`EXP2_SMALLEST`] and for -inf; NaN stays NaN.
    fn exp2(self, x: Self::Vector) -> Self::Vector;
    /// Lane `i` where `first <= i < end`, -inf elsewhere.
    fn keep(self, x: Self::Vector, first: i32, end: i32) -> Self::Vector;
    fn highest(self, x: Self::Vector) -> f32;
    fn total(self, x: Self::Vector) -> f32;

    /// # Safety
    /// `from` is valid for reading one word.
    unsafe fn splat_product(self, from: *const Self::Packed) -> Self::Products;
    /// # Safety
    /// `from` is valid for reading `LANES` words.
    unsafe fn load_products(self, from: *const Self::Packed) -> Self::Products;
    /// `sum + a * b`, lane by lane, over the `STEP` elements of each word.
    fn dot(self, sum: Self::Vector, a: Self::Products, b: Self::Products) -> Self::Vector;
    /// Packs `LANES` neighbours along the depth into `LANES / STEP` words.
    ///
    /// # Safety
    /// `to` is valid for writing `LANES / STEP` words.
    unsafe fn pack_along(self, to: *mut Self::Packed, x: Self::Vector);
    /// Packs `STEP` rows across: word `i` holds lane `i` of each. `odd` is ignored where `STEP` is 1.
    ///
    /// # Safety
    /// `to` is valid for writing `LANES` words.
    unsafe fn pack_across(self, to: *mut Self::Packed, even: Self::Vector, odd: Self::Vector);

    /// Columns that one pass of the micro-kernel covers: the width of a panel of packed keys.
    const PANEL: usize;
    /// [`kernel::pack`] compiled for this instruction set.
    fn pack<E: Element>(self, plan: &Plan<'_, Self, E>, unit: usize);
    /// [`kernel::attend`] compiled for this instruction set.
    fn attend<E: Element>(self, plan: &Plan<'_, Self, E>, unit: usize, scratch: &mut Scratch<Self>);
}

/// Plain Rust, eight lanes: any CPU, and the twin that the vector versions are compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Portable {
    #[inline(always)]
    fn map(a: [f32; 8], b: [f32; 8], f: impl Fn(f32, f32) -> f32) -> [f32; 8] {
        std::array::from_fn(|i| f(a[i], b[i]))
    }
}

impl Arith for Portable {
    type Vector = [f32; 8];
    type Products = [f32; 8];
    type Packed = f32;
    const LANES: usize = 8;
    const STEP: usize = 1;

    #[inline(always)]
    fn splat(self, x: f32) -> [f32; 8] {
        [x; 8]
    }
    #[inline(always)]
    unsafe fn load(self, from: *const f32) -> [f32; 8] {
        // SAFETY: the caller vouches for eight floats; the type has the same layout, and no alignment is assumed.
        unsafe { from.cast::<[f32; 8]>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32, x: [f32; 8]) {
        // SAFETY: as for `load`.
        unsafe { to.cast::<[f32; 8]>().write_unaligned(x) }
    }
    #[inline(always)]
    fn add(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        Self::map(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        Self::map(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        Self::map(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn max(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        // Not f32::max: that handles NaN with an extra compare per lane.
        Self::map(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn exp2(self, x: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| {
            let tiny = x[i] < EXP2_SMALLEST;
            let clamped = if tiny { EXP2_SMALLEST } else { x[i] };
            // Adding 1.5 * 2^23 rounds to the nearest whole number and leaves it in the low bits.
            let shifted = clamped + 12_582_912.0;
            let rest = clamped - (shifted - 12_582_912.0);
            let fraction =
                EXP2_DEGREE_5.iter().rev().fold(0.0, |sum, &coefficient| sum * rest + coefficient);
            let power = shifted.to_bits().wrapping_sub(12_582_912.0f32.to_bits()) << 23;
            let scaled = f32::from_bits(fraction.to_bits().wrapping_add(power));
            match (tiny, x[i].is_nan()) {
                (true, _) => 0.0,
                (_, true) => f32::NAN,
                _ => scaled,
            }
        })
    }
    #[inline(always)]
    fn keep(self, x: [f32; 8], first: i32, end: i32) -> [f32; 8] {
        let mut lane = -1;
        x.map(|x| {
            lane += 1;
            if lane >= first && lane < end { x } else { f32::NEG_INFINITY }
        })
    }
    #[inline(always)]
    fn highest(self, x: [f32; 8]) -> f32 {
        x.into_iter().fold(f32::NEG_INFINITY, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn total(self, x: [f32; 8]) -> f32 {
        ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]))
    }
    #[inline(always)]
    unsafe fn splat_product(self, from: *const f32) -> [f32; 8] {
        // SAFETY: the caller vouches for one word.
        [unsafe { from.read() }; 8]
    }
    #[inline(always)]
    unsafe fn load_products(self, from: *const f32) -> [f32; 8] {
        // SAFETY: the caller vouches for eight words.
        unsafe { self.load(from) }
    }
    #[inline(always)]
    fn dot(self, sum: [f32; 8], a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| sum[i] + a[i] * b[i])
    }
    #[inline(always)]
    unsafe fn pack_along(self, to: *mut f32, x: [f32; 8]) {
        // SAFETY: the caller vouches for eight words.
        unsafe { self.store(to, x) }
    }
    #[inline(always)]
    unsafe fn pack_across(self, to: *mut f32, even: [f32; 8], _odd: [f32; 8]) {
        // SAFETY: the caller vouches for eight words.
        unsafe { self.store(to, even) }
    }

    const PANEL: usize = 8;
    fn pack<E: Element>(self, plan: &Plan<'_, Self, E>, unit: usize) {
        kernel::pack::<Self, E, 1>(self, plan, unit);
    }
    fn attend<E: Element>(
        self,
        plan: &Plan<'_, Self, E>,
        unit: usize,
        scratch: &mut Scratch<Self>,
    ) {
        kernel::attend::<Self, E, 4, 1>(self, plan, unit, scratch);
    }
}
