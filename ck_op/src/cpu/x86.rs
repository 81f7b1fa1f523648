//! AVX2, AVX-512 and AVX-512 BF16.
//!
//! The instructions sit in small `#[target_feature]` functions, safe to call from code with the same features. The trait
//! methods have no feature of their own: they are inlined into the per-ISA tasks of `kernel`, and the functions then into
//! them.

use core::arch::x86_64::*;

use super::arith::{Arith, EXP2_DEGREE_3, EXP2_DEGREE_5, EXP2_SMALLEST};
use super::kernel::{self, Element, Plan, Scratch};

/// Calls a function that needs CPU features, or a pointer that the trait's caller vouches for.
macro_rules! call {
    ($call:expr) => {{
        // SAFETY: `self` is a token that `detect` gives only where the CPU has the features (the fields are private to
        // this file); what pointers must be valid for is the duty of the trait method's caller.
        unsafe { $call }
    }};
}

/// AVX-512 F, BW, DQ, VL with fp32 products.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(());

/// The same with bfloat16 products.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512Bf16(());

/// AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

/// The two tasks of `kernel`, compiled with CPU features. `$rows` by `$vectors` accumulators leave room in the register
/// file (32 registers with AVX-512, 16 with AVX2) for `$vectors` loads and a broadcast.
macro_rules! tasks {
    ($features:literal, $rows:literal, $vectors:literal) => {
        const PANEL: usize = Self::LANES * $vectors;

        fn pack<E: Element>(self, plan: &Plan<'_, Self, E>, unit: usize) {
            #[target_feature(enable = $features)]
            fn compiled<A: Arith, E: Element>(a: A, plan: &Plan<'_, A, E>, unit: usize) {
                kernel::pack::<A, E, $vectors>(a, plan, unit);
            }
            call!(compiled(self, plan, unit));
        }

        fn attend<E: Element>(
            self,
            plan: &Plan<'_, Self, E>,
            unit: usize,
            scratch: &mut Scratch<Self>,
        ) {
            #[target_feature(enable = $features)]
            fn compiled<A: Arith, E: Element>(
                a: A,
                plan: &Plan<'_, A, E>,
                unit: usize,
                scratch: &mut Scratch<A>,
            ) {
                kernel::attend::<A, E, $rows, $vectors>(a, plan, unit, scratch);
            }
            call!(compiled(self, plan, unit, scratch));
        }
    };
}

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl"))
        .then_some(Self(()))
    }
}

impl Avx512Bf16 {
    pub(super) fn detect() -> Option<Self> {
        (Avx512::detect().is_some() && is_x86_feature_detected!("avx512bf16")).then_some(Self(()))
    }
}

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn exp2_512<const N: usize>(x: __m512, coefficients: [f32; N]) -> __m512 {
    let normal = _mm512_cmp_ps_mask::<_CMP_NLT_UQ>(x, _mm512_set1_ps(EXP2_SMALLEST));
    let whole = _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(x);
    let rest = _mm512_sub_ps(x, whole);
    let mut sum = _mm512_set1_ps(coefficients[N - 1]);
    for coefficient in coefficients.iter().rev().skip(1) {
        sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(*coefficient));
    }
    _mm512_maskz_scalef_ps(normal, sum, whole)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn keep_512(x: __m512, first: i32, end: i32) -> __m512 {
    #[allow(clippy::cast_possible_truncation, reason = "16 bits at most")]
    let below = |n: i32| ((1u32 << n.clamp(0, 16)) - 1) as u16;
    _mm512_mask_blend_ps(below(end) & !below(first), _mm512_set1_ps(f32::NEG_INFINITY), x)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn bf16_pairs(x: __m512i) -> __m512bh {
    // SAFETY: both are 64 bytes of plain data.
    unsafe { core::mem::transmute(x) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
fn dot_bf16(sum: __m512, a: __m512i, b: __m512i) -> __m512 {
    _mm512_dpbf16_ps(sum, bf16_pairs(a), bf16_pairs(b))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
fn to_bf16(x: __m512) -> __m256i {
    let rounded = _mm512_cvtneps_pbh(x);
    // SAFETY: both are 32 bytes of plain data.
    unsafe { core::mem::transmute(rounded) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
fn across_bf16(even: __m512, odd: __m512) -> __m512i {
    let even = _mm512_cvtepu16_epi32(to_bf16(even));
    let odd = _mm512_cvtepu16_epi32(to_bf16(odd));
    _mm512_or_si512(even, _mm512_slli_epi32::<16>(odd))
}

macro_rules! avx512_vectors {
    () => {
        type Vector = __m512;
        const LANES: usize = 16;

        #[inline(always)]
        fn splat(self, x: f32) -> __m512 {
            call!(_mm512_set1_ps(x))
        }
        #[inline(always)]
        unsafe fn load(self, from: *const f32) -> __m512 {
            call!(_mm512_loadu_ps(from))
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut f32, x: __m512) {
            call!(_mm512_storeu_ps(to, x))
        }
        #[inline(always)]
        fn add(self, a: __m512, b: __m512) -> __m512 {
            call!(_mm512_add_ps(a, b))
        }
        #[inline(always)]
        fn sub(self, a: __m512, b: __m512) -> __m512 {
            call!(_mm512_sub_ps(a, b))
        }
        #[inline(always)]
        fn mul(self, a: __m512, b: __m512) -> __m512 {
            call!(_mm512_mul_ps(a, b))
        }
        #[inline(always)]
        fn max(self, a: __m512, b: __m512) -> __m512 {
            call!(_mm512_max_ps(a, b))
        }
        #[inline(always)]
        fn keep(self, x: __m512, first: i32, end: i32) -> __m512 {
            call!(keep_512(x, first, end))
        }
        #[inline(always)]
        fn highest(self, x: __m512) -> f32 {
            call!(_mm512_reduce_max_ps(x))
        }
        #[inline(always)]
        fn total(self, x: __m512) -> f32 {
            call!(_mm512_reduce_add_ps(x))
        }
    };
}

impl Arith for Avx512 {
    type Products = __m512;
    type Packed = f32;
    const STEP: usize = 1;
    avx512_vectors!();
    tasks!("avx512f,avx512bw,avx512dq,avx512vl", 12, 2);

    #[inline(always)]
    fn exp2(self, x: __m512) -> __m512 {
        call!(exp2_512(x, EXP2_DEGREE_5))
    }
    #[inline(always)]
    unsafe fn splat_product(self, from: *const f32) -> __m512 {
        self.splat(call!(from.read()))
    }
    #[inline(always)]
    unsafe fn load_products(self, from: *const f32) -> __m512 {
        call!(_mm512_loadu_ps(from))
    }
    #[inline(always)]
    fn dot(self, sum: __m512, a: __m512, b: __m512) -> __m512 {
        call!(_mm512_fmadd_ps(a, b, sum))
    }
    #[inline(always)]
    unsafe fn pack_along(self, to: *mut f32, x: __m512) {
        call!(_mm512_storeu_ps(to, x))
    }
    #[inline(always)]
    unsafe fn pack_across(self, to: *mut f32, even: __m512, _odd: __m512) {
        call!(_mm512_storeu_ps(to, even))
    }
}

impl Arith for Avx512Bf16 {
    type Products = __m512i;
    type Packed = u32;
    const STEP: usize = 2;
    avx512_vectors!();
    tasks!("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16", 12, 2);

    #[inline(always)]
    fn exp2(self, x: __m512) -> __m512 {
        call!(exp2_512(x, EXP2_DEGREE_3))
    }
    #[inline(always)]
    unsafe fn splat_product(self, from: *const u32) -> __m512i {
        let word = call!(from.read());
        call!(_mm512_set1_epi32(word.cast_signed()))
    }
    #[inline(always)]
    unsafe fn load_products(self, from: *const u32) -> __m512i {
        call!(_mm512_loadu_si512(from.cast()))
    }
    #[inline(always)]
    fn dot(self, sum: __m512, a: __m512i, b: __m512i) -> __m512 {
        call!(dot_bf16(sum, a, b))
    }
    #[inline(always)]
    unsafe fn pack_along(self, to: *mut u32, x: __m512) {
        let halves = call!(to_bf16(x));
        call!(_mm256_storeu_si256(to.cast(), halves))
    }
    #[inline(always)]
    unsafe fn pack_across(self, to: *mut u32, even: __m512, odd: __m512) {
        let pairs = call!(across_bf16(even, odd));
        call!(_mm512_storeu_si512(to.cast(), pairs))
    }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn exp2_256(x: __m256) -> __m256 {
    let smallest = _mm256_set1_ps(EXP2_SMALLEST);
    let normal = _mm256_cmp_ps::<_CMP_NLT_UQ>(x, smallest);
    // The second operand is the answer where either is NaN.
    let x = _mm256_max_ps(smallest, x);
    let whole = _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(x);
    let rest = _mm256_sub_ps(x, whole);
    let mut sum = _mm256_set1_ps(EXP2_DEGREE_5[5]);
    for coefficient in EXP2_DEGREE_5.iter().rev().skip(1) {
        sum = _mm256_fmadd_ps(sum, rest, _mm256_set1_ps(*coefficient));
    }
    let power = _mm256_slli_epi32::<23>(_mm256_cvtps_epi32(whole));
    let scaled = _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(sum), power));
    _mm256_and_ps(scaled, normal)
}

#[inline]
#[target_feature(enable = "avx2")]
fn keep_256(x: __m256, first: i32, end: i32) -> __m256 {
    let lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let before = _mm256_cmpgt_epi32(_mm256_set1_epi32(first), lane);
    let inside = _mm256_cmpgt_epi32(_mm256_set1_epi32(end), lane);
    let kept = _mm256_castsi256_ps(_mm256_andnot_si256(before, inside));
    _mm256_blendv_ps(_mm256_set1_ps(f32::NEG_INFINITY), x, kept)
}

#[inline]
#[target_feature(enable = "avx2")]
fn halves(x: __m256) -> (__m128, __m128) {
    (_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x))
}

#[inline]
#[target_feature(enable = "avx2")]
fn highest_256(x: __m256) -> f32 {
    let (low, high) = halves(x);
    let four = _mm_max_ps(low, high);
    let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps::<1>(two, two)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn total_256(x: __m256) -> f32 {
    let (low, high) = halves(x);
    let four = _mm_add_ps(low, high);
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
}

impl Arith for Avx2 {
    type Vector = __m256;
    type Products = __m256;
    type Packed = f32;
    const LANES: usize = 8;
    const STEP: usize = 1;
    tasks!("avx2,fma", 6, 2);

    #[inline(always)]
    fn splat(self, x: f32) -> __m256 {
        call!(_mm256_set1_ps(x))
    }
    #[inline(always)]
    unsafe fn load(self, from: *const f32) -> __m256 {
        call!(_mm256_loadu_ps(from))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32, x: __m256) {
        call!(_mm256_storeu_ps(to, x))
    }
    #[inline(always)]
    fn add(self, a: __m256, b: __m256) -> __m256 {
        call!(_mm256_add_ps(a, b))
    }
    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        call!(_mm256_sub_ps(a, b))
    }
    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        call!(_mm256_mul_ps(a, b))
    }
    #[inline(always)]
    fn max(self, a: __m256, b: __m256) -> __m256 {
        call!(_mm256_max_ps(a, b))
    }
    #[inline(always)]
    fn exp2(self, x: __m256) -> __m256 {
        call!(exp2_256(x))
    }
    #[inline(always)]
    fn keep(self, x: __m256, first: i32, end: i32) -> __m256 {
        call!(keep_256(x, first, end))
    }
    #[inline(always)]
    fn highest(self, x: __m256) -> f32 {
        call!(highest_256(x))
    }
    #[inline(always)]
    fn total(self, x: __m256) -> f32 {
        call!(total_256(x))
    }
    #[inline(always)]
    unsafe fn splat_product(self, from: *const f32) -> __m256 {
        self.splat(call!(from.read()))
    }
    #[inline(always)]
    unsafe fn load_products(self, from: *const f32) -> __m256 {
        call!(_mm256_loadu_ps(from))
    }
    #[inline(always)]
    fn dot(self, sum: __m256, a: __m256, b: __m256) -> __m256 {
        call!(_mm256_fmadd_ps(a, b, sum))
    }
    #[inline(always)]
    unsafe fn pack_along(self, to: *mut f32, x: __m256) {
        call!(_mm256_storeu_ps(to, x))
    }
    #[inline(always)]
    unsafe fn pack_across(self, to: *mut f32, even: __m256, _odd: __m256) {
        call!(_mm256_storeu_ps(to, even))
    }
}
