//! Cases, random inputs, the plain twin, and ways to run the kernel.

#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(unsafe_code, reason = "guard pages are mapped by hand")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "test code"
)]

use std::mem::MaybeUninit;

use forebay_ck_op::cpu::{self, Isa, Pool, Rotary, Serial, Tensors};
use forebay_ck_op::op::{Attributes, Layout, MASKED_AT_MOST, Shape, Window};
use forebay_ck_op::reference;
use half::{bf16, f16};

/// Which keys the bias masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Padding {
    /// No bias.
    None,
    /// A different number at the end of each sequence.
    Right,
    /// The same at the start.
    Left,
    /// Every fifth key.
    Holes,
    /// Small finite values, nothing masked.
    Soft,
    /// All keys of the second sequence.
    AllInSecond,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) batch: usize,
    pub(crate) heads: usize,
    pub(crate) queries: usize,
    pub(crate) keys: usize,
    pub(crate) head_dim: usize,
    pub(crate) window: Window,
    pub(crate) padding: Padding,
    pub(crate) padded_queries_unused: bool,
    /// Factor on Q: scores are about this large.
    pub(crate) magnitude: f32,
}

impl Default for Case {
    fn default() -> Self {
        Self {
            batch: 1,
            heads: 2,
            queries: 1,
            keys: 1,
            head_dim: 64,
            window: Window::OPEN,
            padding: Padding::None,
            padded_queries_unused: false,
            magnitude: 3.0,
        }
    }
}

impl Case {
    pub(crate) fn shape(&self) -> Shape {
        let Self { batch, heads, queries, keys, head_dim, .. } = *self;
        Shape { batch, heads, queries, keys, head_dim }
    }

    pub(crate) fn attributes(&self) -> Attributes {
        Attributes {
            scale: 1.0 / (self.head_dim as f32).sqrt(),
            window: self.window,
            padded_queries_unused: self.padded_queries_unused,
            allow_bf16: true,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) q: Vec<f32>,
    pub(crate) k: Vec<f32>,
    pub(crate) v: Vec<f32>,
    pub(crate) bias: Option<Vec<f32>>,
}

/// A small generator with a fixed seed: tests are the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// About normal, by a sum of four uniforms.
    fn normal(&mut self) -> f32 {
        let sum: f32 = (0..4).map(|_| (self.next() >> 40) as f32 / 16_777_216.0).sum();
        (sum - 2.0) * 1.732
    }
}

impl Inputs {
    pub(crate) fn random(case: &Case) -> Self {
        let shape = case.shape();
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (case.queries * 131 + case.keys) as u64);
        let mut fill =
            |n: usize, factor: f32| (0..n).map(|_| random.normal() * factor).collect::<Vec<_>>();
        let q = fill(shape.query_elements(), case.magnitude);
        let k = fill(shape.key_elements(), 1.0);
        let v = fill(shape.key_elements(), 1.0);
        let bias = (case.padding != Padding::None).then(|| {
            (0..case.batch * case.keys)
                .map(|i| Self::bias_at(case, i / case.keys, i % case.keys))
                .collect()
        });
        Self { q, k, v, bias }
    }

    fn bias_at(case: &Case, batch: usize, key: usize) -> f32 {
        // Sequence 0 is whole, the others keep fewer and fewer keys, but always one.
        let kept = case.keys - (case.keys * batch / (batch + 2)).min(case.keys - 1);
        let masked = [f32::MIN, f32::NEG_INFINITY, -65504.0, -1e4][key % 4];
        let is_masked = match case.padding {
            Padding::None => false,
            Padding::Right => key >= kept,
            Padding::Left => key < case.keys - kept,
            Padding::Holes => key % 5 == 3,
            Padding::Soft => return (key % 7) as f32 * -0.4,
            Padding::AllInSecond => batch == 1,
        };
        if is_masked { masked } else { 0.0 }
    }

    pub(crate) fn is_masked(&self, case: &Case, batch: usize, key: usize) -> bool {
        self.bias.as_ref().is_some_and(|bias| bias[batch * case.keys + key] <= MASKED_AT_MOST)
    }

    pub(crate) fn exact(&self, case: &Case) -> Vec<f64> {
        reference::attention(
            &case.shape(),
            &case.attributes(),
            &self.q,
            &self.k,
            &self.v,
            self.bias.as_deref(),
        )
    }

    pub(crate) fn largest_value(&self) -> f64 {
        self.v.iter().fold(0.0, |m, x| f64::from(x.abs()).max(m))
    }

    pub(crate) fn rounded(mut self, round: impl Fn(f32) -> f32) -> Self {
        for tensor in [&mut self.q, &mut self.k, &mut self.v].into_iter().chain(self.bias.as_mut())
        {
            tensor.iter_mut().for_each(|x| *x = round(*x).max(-65504.0));
        }
        self
    }

    /// Overwrites K and V at masked keys.
    pub(crate) fn with_poisoned_padding(&self, case: &Case, poison: f32) -> Self {
        let mut poisoned = self.clone();
        for row in 0..case.batch * case.heads * case.keys {
            let (batch, key) = (row / (case.heads * case.keys), row % case.keys);
            if self.is_masked(case, batch, key) {
                poisoned.k[row * case.head_dim..][..case.head_dim].fill(poison);
                poisoned.v[row * case.head_dim..][..case.head_dim].fill(poison);
            }
        }
        poisoned
    }

    /// Sequence `b` of the batch, alone.
    pub(crate) fn sequence(&self, case: &Case, b: usize) -> Self {
        let part = |all: &Vec<f32>| {
            let size = all.len() / case.batch;
            all[b * size..][..size].to_vec()
        };
        Self {
            q: part(&self.q),
            k: part(&self.k),
            v: part(&self.v),
            bias: self.bias.as_ref().map(part),
        }
    }
}

/// What the products are taken in; sums are fp32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    F32,
    Bf16,
}

impl Precision {
    pub(crate) fn unit(self) -> f64 {
        match self {
            Self::F32 => f64::from(f32::EPSILON),
            Self::Bf16 => f64::from(bf16::EPSILON.to_f32()),
        }
    }

    fn round(self, x: f32) -> f32 {
        match self {
            Self::F32 => x,
            Self::Bf16 => bf16::from_f32(x).to_f32(),
        }
    }
}

/// Textbook attention in the given precision: the whole row of scores, its maximum, exponentials, the sum.
pub(crate) fn plain(case: &Case, inputs: &Inputs, precision: Precision) -> Vec<f32> {
    let (shape, d) = (case.shape(), case.head_dim);
    let scale = case.attributes().scale;
    let mut out = vec![0.0f32; shape.query_elements()];
    for row in 0..out.len() / d {
        let (head, query) = (row / case.queries, row % case.queries);
        let batch = head / case.heads;
        let keys = case.window.keys(query, case.keys);
        let scores: Vec<f32> = keys
            .clone()
            .map(|key| {
                if inputs.is_masked(case, batch, key) {
                    return f32::NEG_INFINITY;
                }
                let k = &inputs.k[(head * case.keys + key) * d..][..d];
                let dot: f32 = inputs.q[row * d..][..d]
                    .iter()
                    .zip(k)
                    .map(|(&q, &k)| precision.round(q * scale) * precision.round(k))
                    .sum();
                dot + inputs.bias.as_ref().map_or(0.0, |bias| bias[batch * case.keys + key])
            })
            .collect();
        let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        if highest == f32::NEG_INFINITY {
            continue;
        }
        let weights: Vec<f32> = scores.iter().map(|s| (s - highest).exp()).collect();
        let total: f32 = weights.iter().sum();
        for (key, weight) in keys.zip(weights) {
            let v = &inputs.v[(head * case.keys + key) * d..][..d];
            for (o, &v) in out[row * d..][..d].iter_mut().zip(v) {
                *o += precision.round(weight) * precision.round(v);
            }
        }
        out[row * d..][..d].iter_mut().for_each(|o| *o /= total);
    }
    out
}

pub(crate) fn largest_error(out: &[f32], exact: &[f64]) -> f64 {
    assert_eq!(out.len(), exact.len());
    out.iter().zip(exact).fold(0.0, |worst, (&x, &e)| {
        assert!(x.is_finite(), "not finite");
        worst.max((f64::from(x) - e).abs())
    })
}

/// Threads made for the call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threads(pub(crate) usize);

impl Pool for Threads {
    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            for t in 0..self.0 {
                scope.spawn(move || (t..count).step_by(self.0).for_each(work));
            }
        });
    }
}

/// Poisoned, so that a word that is read before it is written shows.
pub(crate) fn workspace(isa: Isa, shape: &Shape) -> Vec<MaybeUninit<u32>> {
    vec![MaybeUninit::new(0x7fc0_dead); cpu::workspace_words(isa, shape)]
}

/// The kernel on the calling thread, into a poisoned buffer.
pub(crate) fn run(isa: Isa, case: &Case, inputs: &Inputs) -> Vec<f32> {
    run_on(isa, case, inputs, &Serial)
}

pub(crate) fn run_on(isa: Isa, case: &Case, inputs: &Inputs, pool: &dyn Pool) -> Vec<f32> {
    let shape = case.shape();
    let mut out = vec![f32::NAN; shape.query_elements()];
    let tensors = Tensors {
        layout: Layout::HeadsFirst,
        rotary: None,
        q: &inputs.q,
        k: &inputs.k,
        v: &inputs.v,
        key_bias: inputs.bias.as_deref(),
        out: &mut out,
    };
    cpu::attention(isa, &shape, &case.attributes(), tensors, pool, &mut workspace(isa, &shape))
        .expect("runs");
    out
}

/// Exchanges the two middle axes: `[batch, heads, rows, d]` to `[batch, rows, heads, d]`.
pub(crate) fn exchanged(x: &[f32], heads: usize, rows: usize, d: usize) -> Vec<f32> {
    let mut to = vec![0.0; x.len()];
    for (i, row) in x.chunks_exact(d).enumerate() {
        let (batch, head, position) = (i / (heads * rows), i / rows % heads, i % rows);
        to[((batch * rows + position) * heads + head) * d..][..d].copy_from_slice(row);
    }
    to
}

/// Q, K and V, tokens first, in one tensor `[batch, positions, 3, heads, d]`.
pub(crate) fn packed([q, k, v]: [&[f32]; 3], width: usize) -> Vec<f32> {
    let rows = |x: &'_ [f32]| x.chunks_exact(width).map(<[f32]>::to_vec).collect::<Vec<_>>();
    rows(q)
        .into_iter()
        .zip(rows(k))
        .zip(rows(v))
        .flat_map(|((q, k), v)| [q, k, v].concat())
        .collect()
}

/// Random tables of a rotary embedding, `[rows, positions, d]` each.
pub(crate) fn tables(rows: usize, positions: usize, d: usize) -> [Vec<f32>; 2] {
    let mut random = Random(77);
    std::array::from_fn(|_| (0..rows * positions * d).map(|_| random.normal()).collect())
}

/// What a graph does with Q or K, heads first, and those tables.
pub(crate) fn rotated(
    x: &[f32],
    case: &Case,
    positions: usize,
    [cos, sin]: &[Vec<f32>; 2],
) -> Vec<f32> {
    let (d, one) = (case.head_dim, positions * case.head_dim);
    x.chunks_exact(d)
        .enumerate()
        .flat_map(|(i, row)| {
            let batch = if cos.len() == one { 0 } else { i / (case.heads * positions) };
            let at = batch * one + i % positions * d;
            let turned = |j: usize| if j < d / 2 { -row[j + d / 2] } else { row[j - d / 2] };
            (0..d).map(move |j| row[j] * cos[at + j] + turned(j) * sin[at + j]).collect::<Vec<_>>()
        })
        .collect()
}

/// The kernel on tensors in another layout (K and V empty where packed), with a rotary embedding.
pub(crate) fn run_in(
    isa: Isa,
    case: &Case,
    layout: Layout,
    [q, k, v]: [&[f32]; 3],
    bias: Option<&[f32]>,
    tables: Option<&[Vec<f32>; 2]>,
) -> Vec<f32> {
    let shape = case.shape();
    let mut out = vec![f32::NAN; shape.query_elements()];
    let tensors = Tensors {
        layout,
        rotary: tables.map(|[cos, sin]| Rotary { cos, sin }),
        q,
        k,
        v,
        key_bias: bias,
        out: &mut out,
    };
    cpu::attention(isa, &shape, &case.attributes(), tensors, &Serial, &mut workspace(isa, &shape))
        .expect("runs");
    out
}

pub(crate) fn run_f16(isa: Isa, case: &Case, inputs: &Inputs) -> Vec<f16> {
    let narrow = |x: &Vec<f32>| x.iter().map(|&x| f16::from_f32(x)).collect::<Vec<_>>();
    let (q, k, v) = (narrow(&inputs.q), narrow(&inputs.k), narrow(&inputs.v));
    let bias = inputs.bias.as_ref().map(narrow);
    let shape = case.shape();
    let mut out = vec![f16::NAN; shape.query_elements()];
    let tensors = Tensors {
        layout: Layout::HeadsFirst,
        rotary: None,
        q: &q,
        k: &k,
        v: &v,
        key_bias: bias.as_deref(),
        out: &mut out,
    };
    cpu::attention(isa, &shape, &case.attributes(), tensors, &Serial, &mut workspace(isa, &shape))
        .expect("runs");
    out
}

/// Where the forbidden page lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

/// Memory with a page on one side that may not be touched.
#[derive(Debug)]
struct Guarded {
    map: *mut libc::c_void,
    map_bytes: usize,
    start: *mut u8,
    bytes: usize,
}

const PAGE: usize = 4096;

impl Guarded {
    fn new(bytes: usize, side: Side) -> Self {
        let used = bytes.next_multiple_of(PAGE).max(PAGE);
        let map_bytes = used + 2 * PAGE;
        // SAFETY: a fresh private mapping.
        let map = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                map_bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert!(map != libc::MAP_FAILED, "mmap");
        for offset in [0, PAGE + used] {
            // SAFETY: whole pages of that mapping.
            let page = unsafe { map.byte_add(offset) };
            // SAFETY: the same.
            assert_eq!(unsafe { libc::mprotect(page, PAGE, libc::PROT_NONE) }, 0, "mprotect");
        }
        let offset = if side == Side::Before { PAGE } else { PAGE + used - bytes };
        // SAFETY: inside the mapping.
        let start = unsafe { map.byte_add(offset) }.cast();
        Self { map, map_bytes, start, bytes }
    }

    fn copy_of<T: Copy>(from: &[T], side: Side) -> Self {
        let mut guarded = Self::new(size_of_val(from), side);
        guarded.slice_mut::<T>().copy_from_slice(from);
        guarded
    }

    fn slice<T>(&self) -> &[T] {
        // SAFETY: `bytes` bytes of the mapping, aligned as sizes of T are multiples of its alignment.
        unsafe { std::slice::from_raw_parts(self.start.cast(), self.bytes / size_of::<T>()) }
    }

    fn slice_mut<T>(&mut self) -> &mut [T] {
        // SAFETY: as above, borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.start.cast(), self.bytes / size_of::<T>()) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping of `new`.
        unsafe { libc::munmap(self.map, self.map_bytes) };
    }
}

pub(crate) fn run_guarded(isa: Isa, case: &Case, inputs: &Inputs, side: Side) -> Vec<f32> {
    let shape = case.shape();
    let [q, k, v] = [&inputs.q, &inputs.k, &inputs.v].map(|x| Guarded::copy_of(x, side));
    let bias = inputs.bias.as_ref().map(|bias| Guarded::copy_of(bias, side));
    let mut out = Guarded::copy_of(&vec![f32::NAN; shape.query_elements()], side);
    let mut work = Guarded::copy_of(&workspace(isa, &shape), side);
    let tensors = Tensors {
        layout: Layout::HeadsFirst,
        rotary: None,
        q: q.slice::<f32>(),
        k: k.slice(),
        v: v.slice(),
        key_bias: bias.as_ref().map(Guarded::slice),
        out: out.slice_mut(),
    };
    cpu::attention(isa, &shape, &case.attributes(), tensors, &Serial, work.slice_mut())
        .expect("runs");
    out.slice().to_vec()
}
