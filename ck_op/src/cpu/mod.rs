//! The CPU back end.
//!
//! [`attention`] picks an instruction set, splits the heads into parts whose packed keys and values fit a fixed budget,
//! and hands two lists of independent units to the caller's thread pool. Extra memory is O(keys), never O(queries × keys).

#![allow(
    unsafe_code,
    reason = "vector intrinsics and disjoint writes from several threads; each use says why it holds"
)]

mod arith;
mod bias;
mod kernel;
mod rows;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

use half::f16;

use self::arith::{Arith, Portable};
use self::bias::KeyBias;
use self::kernel::{Element, Plan, Scratch, Shared};
pub use self::rows::Rotary;
use self::rows::Rows;
use crate::op::{Attributes, Error, Layout, Shape};

/// Heads are packed together while their keys and values stay below this; two at least, so that two threads have work.
const PART_BYTES: usize = 16 << 20;
/// More workers than any pool has threads; each takes units until none is left.
const MAX_WORKERS: usize = 256;

/// An instruction set that the kernel is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Isa {
    /// Plain Rust, any CPU.
    Portable,
    /// AVX2 with FMA.
    Avx2,
    /// AVX-512 F, BW, DQ, VL.
    Avx512,
    /// The same with bfloat16 products and fp32 sums.
    Avx512Bf16,
}

impl Isa {
    /// All, slowest first.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Avx2, Self::Avx512, Self::Avx512Bf16];

    /// Does this CPU have it?
    #[must_use]
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return match self {
            Self::Portable => true,
            Self::Avx2 => x86::Avx2::detect().is_some(),
            Self::Avx512 => x86::Avx512::detect().is_some(),
            Self::Avx512Bf16 => x86::Avx512Bf16::detect().is_some(),
        };
        #[cfg(not(target_arch = "x86_64"))]
        return self == Self::Portable;
    }

    /// The fastest that this CPU has, no higher than `limit`; bfloat16 products only where the node allows them.
    #[must_use]
    pub fn choose(allow_bf16: bool, limit: Option<Self>) -> Self {
        Self::choose_among(Self::is_available, allow_bf16, limit)
    }

    fn choose_among(
        available: impl Fn(Self) -> bool,
        allow_bf16: bool,
        limit: Option<Self>,
    ) -> Self {
        Self::ALL
            .into_iter()
            .rev()
            .filter(|&isa| limit.is_none_or(|limit| isa <= limit))
            .filter(|&isa| isa != Self::Avx512Bf16 || allow_bf16)
            .find(|&isa| available(isa))
            .unwrap_or(Self::Portable)
    }

    /// From the value of `FOREBAY_CK_ISA`: `portable`, `avx2`, `avx512` or `avx512-bf16`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|isa| isa.name() == name)
    }

    /// As [`Isa::from_name`] reads it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Avx512Bf16 => "avx512-bf16",
        }
    }
}

/// Runs `work(0..count)`, in any order, on any threads, and returns when all have returned.
pub trait Pool {
    /// Calls `work` once for each index below `count`.
    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync));
}

/// The calling thread alone.
#[derive(Clone, Copy, Debug)]
pub struct Serial;

impl Pool for Serial {
    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(work);
    }
}

/// The tensors of one call, row-major as `layout` says; `key_bias` is `[1 or batch, keys]`.
#[derive(Debug)]
pub struct Tensors<'a, E> {
    /// Order of the dimensions of the other tensors.
    pub layout: Layout,
    /// Queries; all three where they are packed.
    pub q: &'a [E],
    /// Keys; the tensor of `q` where they are packed.
    pub k: &'a [E],
    /// Values, likewise.
    pub v: &'a [E],
    /// Added to the scores; at most [`crate::op::MASKED_AT_MOST`] is masked.
    pub key_bias: Option<&'a [E]>,
    /// Turns Q and K before the products; queries and keys are then the same positions.
    pub rotary: Option<Rotary<'a, E>>,
    /// Overwritten.
    pub out: &'a mut [E],
}

/// An element type that the CPU back end reads and writes: `f32` or [`struct@f16`].
#[allow(private_bounds, reason = "sealed: the kernel's own view of an element is internal")]
pub trait CpuElement: Element {}
impl CpuElement for f32 {}
impl CpuElement for f16 {}

/// Words of workspace that [`attention`] needs.
#[must_use]
pub fn workspace_words(isa: Isa, shape: &Shape) -> usize {
    match isa {
        Isa::Portable => words::<Portable>(shape),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => words::<x86::Avx2>(shape),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => words::<x86::Avx512>(shape),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512Bf16 => words::<x86::Avx512Bf16>(shape),
        #[cfg(not(target_arch = "x86_64"))]
        _ => words::<Portable>(shape),
    }
}

fn words<A: Arith>(shape: &Shape) -> usize {
    2 * heads_per_part::<A>(shape) * Plan::<A, f32>::words_per_head(shape)
}

fn heads_per_part<A: Arith>(shape: &Shape) -> usize {
    let head_bytes = 2 * Plan::<A, f32>::words_per_head(shape) * size_of::<A::Packed>();
    (PART_BYTES / head_bytes.max(1)).max(2).min(shape.batch * shape.heads)
}

/// Attention with the operator's rules (see the crate's documentation), into `tensors.out`.
///
/// `isa` falls back to portable code where the CPU lacks it. Every output element is written.
///
/// # Errors
///
/// [`Error::BiasValue`] where the bias holds NaN or +inf.
///
/// # Panics
///
/// If a slice or the workspace is shorter than `shape` says.
pub fn attention<E: CpuElement>(
    isa: Isa,
    shape: &Shape,
    attributes: &Attributes,
    tensors: Tensors<'_, E>,
    pool: &dyn Pool,
    workspace: &mut [MaybeUninit<u32>],
) -> Result<(), Error> {
    #[cfg(target_arch = "x86_64")]
    {
        match isa {
            Isa::Avx2 => {
                if let Some(a) = x86::Avx2::detect() {
                    return run(a, shape, attributes, tensors, pool, workspace);
                }
            }
            Isa::Avx512 => {
                if let Some(a) = x86::Avx512::detect() {
                    return run(a, shape, attributes, tensors, pool, workspace);
                }
            }
            Isa::Avx512Bf16 => {
                if let Some(a) = x86::Avx512Bf16::detect() {
                    return run(a, shape, attributes, tensors, pool, workspace);
                }
            }
            Isa::Portable => {}
        }
    }
    run(Portable, shape, attributes, tensors, pool, workspace)
}

fn run<A: Arith, E: CpuElement>(
    a: A,
    shape: &Shape,
    attributes: &Attributes,
    tensors: Tensors<'_, E>,
    pool: &dyn Pool,
    workspace: &mut [MaybeUninit<u32>],
) -> Result<(), Error> {
    let Tensors { layout, q, k, v, key_bias, rotary, out } = tensors;
    assert!(
        q.len() == layout.elements(shape.query_elements()) && out.len() == shape.query_elements(),
        "Q or the output has another length"
    );
    assert!(
        k.len() == layout.elements(shape.key_elements()) && v.len() == k.len(),
        "K or V has another length"
    );
    assert!(
        rotary.as_ref().is_none_or(|rotary| rotary.fits(shape)),
        "cos or sin has another length"
    );
    if out.is_empty() {
        return Ok(());
    }
    if shape.keys == 0 {
        E::write(&vec![0.0; out.len()], out);
        return Ok(());
    }
    let bias = key_bias
        .map(|bias| {
            let mut buffer = vec![0.0; bias.len()];
            KeyBias::new(
                E::row(bias, &mut buffer),
                shape.keys,
                Plan::<A, E>::padded_keys(shape.keys),
            )
        })
        .transpose()?;

    let part = heads_per_part::<A>(shape);
    let part_words = part * Plan::<A, E>::words_per_head(shape);
    let (packed_k, rest) = workspace.split_at_mut(part_words);
    let packed_k = words_of::<A>(packed_k);
    let packed_v = words_of::<A>(&mut rest[..part_words]);
    let all_heads = shape.batch * shape.heads;
    for first_head in (0..all_heads).step_by(part) {
        let plan = Plan::<A, E> {
            shape: *shape,
            window: attributes.window,
            scale: attributes.scale * std::f32::consts::LOG2_E,
            q,
            k,
            v,
            out: Shared::new(out),
            q_rows: Rows::new(layout, 0, shape.heads, shape.queries, shape.head_dim),
            k_rows: Rows::new(layout, 1, shape.heads, shape.keys, shape.head_dim),
            v_rows: Rows::new(layout, 2, shape.heads, shape.keys, shape.head_dim),
            out_rows: Rows::output(layout, shape),
            rotary,
            bias: bias.as_ref(),
            skip_padded_queries: attributes.padded_queries_unused && shape.queries == shape.keys,
            first_head,
            heads: part.min(all_heads - first_head),
            packed_k: Shared::new(packed_k),
            packed_v: Shared::new(packed_v),
        };
        share(pool, plan.pack_units(), || (), |(), unit| a.pack(&plan, unit));
        share(
            pool,
            plan.attend_units(),
            || Scratch::<A>::new(shape.head_dim),
            |scratch, unit| a.attend(&plan, unit, scratch),
        );
    }
    Ok(())
}

/// Words of workspace as packed operands.
fn words_of<A: Arith>(words: &mut [MaybeUninit<u32>]) -> &mut [MaybeUninit<A::Packed>] {
    const { assert!(size_of::<A::Packed>() == 4 && align_of::<A::Packed>() == 4) };
    let start = words.as_mut_ptr().cast();
    // SAFETY: same size and alignment, and nothing is assumed about the contents.
    unsafe { std::slice::from_raw_parts_mut(start, words.len()) }
}

/// Spreads `units` over the pool: each worker makes its state once and takes the next unit until none is left.
fn share<S>(
    pool: &dyn Pool,
    units: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) + Sync,
) {
    let next = AtomicUsize::new(0);
    pool.run(units.min(MAX_WORKERS), &|_| {
        let mut own = None;
        loop {
            let unit = next.fetch_add(1, Ordering::Relaxed);
            if unit >= units {
                return;
            }
            work(own.get_or_insert_with(&state), unit);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_set_that_the_cpu_has_is_taken_and_any_cpu_has_one() {
        let choose = |has: &[Isa], allow_bf16, limit| {
            Isa::choose_among(|isa| has.contains(&isa), allow_bf16, limit)
        };
        assert_eq!(choose(&Isa::ALL, true, None), Isa::Avx512Bf16);
        assert_eq!(choose(&Isa::ALL, false, None), Isa::Avx512);
        assert_eq!(choose(&Isa::ALL, true, Some(Isa::Avx2)), Isa::Avx2);
        assert_eq!(choose(&[Isa::Portable, Isa::Avx2], true, None), Isa::Avx2);
        assert_eq!(choose(&[Isa::Portable, Isa::Avx2], true, Some(Isa::Avx512)), Isa::Avx2);
        assert_eq!(choose(&[Isa::Portable], true, None), Isa::Portable);
        assert_eq!(choose(&[], false, Some(Isa::Portable)), Isa::Portable);
    }

    #[test]
    fn the_workspace_grows_with_the_keys_and_never_with_queries_times_keys() {
        let words = |isa, queries, keys| {
            let shape = Shape { batch: 1, heads: 12, queries, keys, head_dim: 64 };
            workspace_words(isa, &shape)
        };
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            assert_eq!(words(isa, 1, 8192), words(isa, 8192, 8192), "{isa:?}");
            // Packed keys and values of a budget of heads, two at least: 64 MiB at 32K keys.
            assert!(words(isa, 32_768, 32_768) * 4 <= 64 << 20, "{isa:?}");
            assert!(words(isa, 1 << 20, 1 << 20) <= 33 * words(isa, 32_768, 32_768), "{isa:?}");
        }
    }
}
