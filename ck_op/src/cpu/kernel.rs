//! Tiled attention with online softmax, written once over [`Arith`].
//!
//! Two tasks, each a list of independent units:
//!
//! 1. [`pack`]: K of one head into panels `[head_dim / STEP][PANEL keys]`, so that a product reads it in order; V into
//!    `[keys / STEP][head_dim]`. Rows that key padding trims are zero there, whatever the input holds.
//! 2. [`attend`]: one block of [`BLOCK_ROWS`] queries of one head. For each chunk of [`CHUNK_KEYS`] keys that its window
//!    touches, and each group of `R` rows: scores `S = Q K^T` into scratch, then per row
//!    `m' = max(m, S)`, `P = 2^(S - m')`, `l = l 2^(m - m') + sum P`, `O = O 2^(m - m') + P V`; at the end `O / l`.
//!    Scores are in units of log2 (the scale is folded into Q), so that the exponential is a bare 2^x.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use half::f16;
use half::slice::HalfFloatSliceExt as _;

use super::arith::Arith;
use super::bias::KeyBias;
use super::rows::{Rotary, Rows};
use crate::op::{Shape, Window};

/// Queries per unit of work: a multiple of every group height (4, 6, 12).
pub(super) const BLOCK_ROWS: usize = 96;
/// Keys between two updates of the running maximum: scores of 12 rows then fill 12 KiB, a third of the first-level cache.
pub(super) const CHUNK_KEYS: usize = 256;
/// Keys packed per unit of work.
const PACK_KEYS: usize = 256;
/// Widest head, for row buffers.
const MAX_HEAD_DIM: usize = 128;

/// What the tensors hold.
pub(super) trait Element: Copy + Send + Sync {
    /// The row as fp32: itself, or converted into `buffer` (at least as long).
    fn row<'a>(row: &'a [Self], buffer: &'a mut [f32]) -> &'a [f32];
    /// Rounds a row; both have one length.
    fn write(row: &[f32], to: &mut [Self]);
}

impl Element for f32 {
    #[inline(always)]
    fn row<'a>(row: &'a [Self], _buffer: &'a mut [f32]) -> &'a [f32] {
        row
    }
    #[inline(always)]
    fn write(row: &[f32], to: &mut [Self]) {
        to.copy_from_slice(row);
    }
}

impl Element for f16 {
    #[inline(always)]
    fn row<'a>(row: &'a [Self], buffer: &'a mut [f32]) -> &'a [f32] {
        let buffer = &mut buffer[..row.len()];
        row.convert_to_f32_slice(buffer);
        buffer
    }
    #[inline(always)]
    fn write(row: &[f32], to: &mut [Self]) {
        to.convert_from_f32_slice(row);
    }
}

/// Memory that units of one task write at disjoint places.
#[derive(Debug)]
pub(super) struct Shared<'a, T> {
    start: *mut T,
    len: usize,
    life: PhantomData<&'a mut [T]>,
}

// SAFETY: units write disjoint ranges (the duty of `range_mut`'s caller) of plain data.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    pub(super) fn new(memory: &'a mut [T]) -> Self {
        Self { start: memory.as_mut_ptr(), len: memory.len(), life: PhantomData }
    }

    /// # Safety
    ///
    /// No other unit may hold any of these elements while the slice lives.
    #[inline(always)]
    #[allow(
        clippy::mut_from_ref,
        reason = "the point of the type; disjointness is the caller's duty"
    )]
    unsafe fn range_mut(&self, from: usize, len: usize) -> &mut [T] {
        assert!(from <= self.len && len <= self.len - from, "unit outside its memory");
        // SAFETY: inside the borrowed slice by the check above; disjoint by the caller's duty.
        let start = unsafe { self.start.add(from) };
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(start, len) }
    }
}

impl<T> Shared<'_, MaybeUninit<T>> {
    /// # Safety
    ///
    /// - All of these elements have been written.
    /// - No unit writes any of them while the slice lives.
    #[inline(always)]
    unsafe fn written(&self, from: usize, len: usize) -> &[T] {
        assert!(from <= self.len && len <= self.len - from, "unit outside its memory");
        // SAFETY: inside the borrowed slice by the check above.
        let start = unsafe { self.start.add(from) };
        // SAFETY: initialised and not written any more, by the caller's duty.
        unsafe { std::slice::from_raw_parts(start.cast::<T>(), len) }
    }
}

/// One call, or the part of it whose heads are packed together.
pub(super) struct Plan<'a, A: Arith, E> {
    pub(super) shape: Shape,
    pub(super) window: Window,
    /// scale * log2(e)
    pub(super) scale: f32,
    pub(super) q: &'a [E],
    pub(super) k: &'a [E],
    pub(super) v: &'a [E],
    pub(super) out: Shared<'a, E>,
    /// Where the rows of Q, K, V and the output lie.
    pub(super) q_rows: Rows,
    pub(super) k_rows: Rows,
    pub(super) v_rows: Rows,
    pub(super) out_rows: Rows,
    pub(super) rotary: Option<Rotary<'a, E>>,
    pub(super) bias: Option<&'a KeyBias>,
    /// Leave out (zero) the queries that key padding trims.
    pub(super) skip_padded_queries: bool,
    /// First head, counted over the batch, of this part.
    pub(super) first_head: usize,
    pub(super) heads: usize,
    /// Written by [`pack`], every word, before [`attend`] reads any.
    pub(super) packed_k: Shared<'a, MaybeUninit<A::Packed>>,
    pub(super) packed_v: Shared<'a, MaybeUninit<A::Packed>>,
}

impl<A: Arith, E> Plan<'_, A, E> {
    /// Keys rounded up to whole panels.
    pub(super) fn padded_keys(keys: usize) -> usize {
        keys.next_multiple_of(A::PANEL)
    }

    /// Words of packed K, and of packed V, per head.
    pub(super) fn words_per_head(shape: &Shape) -> usize {
        Self::padded_keys(shape.keys) * shape.head_dim / A::STEP
    }

    /// Units of [`pack`].
    pub(super) fn pack_units(&self) -> usize {
        self.heads * self.shape.keys.div_ceil(PACK_KEYS)
    }

    /// Units of [`attend`].
    pub(super) fn attend_units(&self) -> usize {
        self.heads * self.shape.queries.div_ceil(BLOCK_ROWS)
    }

    /// The keys of this head's sequence that padding leaves.
    fn kept_keys(&self, head: usize) -> std::ops::Range<usize> {
        self.bias.map_or(0..self.shape.keys, |bias| bias.kept(head / self.shape.heads))
    }
}

/// What one thread reuses from block to block.
pub(super) struct Scratch<A: Arith> {
    /// Packed, scaled queries `[BLOCK_ROWS][head_dim / STEP]`.
    q: Vec<A::Packed>,
    /// Unnormalised output `[BLOCK_ROWS][head_dim]`.
    out: Vec<f32>,
    /// Scores of one group `[R][CHUNK_KEYS]`, overwritten by packed probabilities.
    scores: Vec<f32>,
    /// Running maximum per row.
    highest: Vec<f32>,
    /// Running sum per row, one partial sum per lane.
    total: Vec<f32>,
}

impl<A: Arith> Scratch<A> {
    pub(super) fn new(head_dim: usize) -> Self {
        Self {
            q: vec![A::Packed::default(); BLOCK_ROWS * head_dim / A::STEP],
            out: vec![0.0; BLOCK_ROWS * head_dim],
            scores: vec![0.0; BLOCK_ROWS.min(16) * CHUNK_KEYS],
            highest: vec![f32::NEG_INFINITY; BLOCK_ROWS],
            total: vec![0.0; BLOCK_ROWS * A::LANES],
        }
    }
}

/// Packs [`PACK_KEYS`] keys of one head. `N` vectors make a panel.
#[inline(always)]
#[allow(clippy::multiple_unsafe_ops_per_block, reason = "pointer step and access are one")]
pub(super) fn pack<A: Arith, E: Element, const N: usize>(a: A, plan: &Plan<'_, A, E>, unit: usize) {
    let d = plan.shape.head_dim;
    let words = d / A::STEP;
    let per_head = plan.shape.keys.div_ceil(PACK_KEYS);
    let (local_head, part) = (unit / per_head, unit % per_head);
    let head = plan.first_head + local_head;
    let start = part * PACK_KEYS;
    let end = (start + PACK_KEYS).min(Plan::<A, E>::padded_keys(plan.shape.keys));
    let kept = plan.kept_keys(head);
    let target = local_head * Plan::<A, E>::words_per_head(&plan.shape) + start * words;
    // SAFETY: units own disjoint (head, keys) ranges; PACK_KEYS is a multiple of every panel and of STEP.
    let packed_k = unsafe { plan.packed_k.range_mut(target, (end - start) * words) };
    // SAFETY: the same.
    let packed_v = unsafe { plan.packed_v.range_mut(target, (end - start) * words) };
    let mut buffers = RowBuffers::default();
    let zero = [0.0f32; MAX_HEAD_DIM];
    let mut rows = [A::Packed::default(); 16 * MAX_HEAD_DIM];

    for lanes_start in (start..end).step_by(A::LANES) {
        for lane in 0..A::LANES {
            let key = lanes_start + lane;
            let row = if kept.contains(&key) {
                rotated(a, plan, plan.k, plan.k_rows, head, key, &mut buffers)
            } else {
                &zero[..d]
            };
            let to = &mut rows[lane * words..][..words];
            for i in (0..d).step_by(A::LANES) {
                // SAFETY: head dimensions are multiples of 32, so the last vector ends at the end of the row.
                let x = unsafe { a.load(row.as_ptr().add(i)) };
                // SAFETY: LANES elements make LANES / STEP words, which end inside the row of words likewise.
                unsafe { a.pack_along(to.as_mut_ptr().add(i / A::STEP), x) };
            }
        }
        let column = lanes_start - start;
        let panel = &mut packed_k[column / A::PANEL * A::PANEL * words..][..A::PANEL * words];
        transpose(&rows, words, A::LANES, panel, column % A::PANEL, A::PANEL);
    }

    for key in (start..end).step_by(A::STEP) {
        let RowBuffers { plain: even_buffer, rotated: odd_buffer, .. } = &mut buffers;
        let row = |key: usize, buffer| {
            if kept.contains(&key) {
                E::row(&plan.v[plan.v_rows.at(head, key)..][..d], buffer)
            } else {
                &zero[..d]
            }
        };
        let even = row(key, even_buffer);
        let odd = if A::STEP == 2 { row(key + 1, odd_buffer) } else { even };
        let to = &mut packed_v[(key - start) / A::STEP * d..][..d];
        for i in (0..d).step_by(A::LANES) {
            // SAFETY: head dimensions are multiples of 32.
            let (even, odd) =
                unsafe { (a.load(even.as_ptr().add(i)), a.load(odd.as_ptr().add(i))) };
            // SAFETY: the same.
            unsafe { a.pack_across(to.as_mut_ptr().cast::<A::Packed>().add(i), even, odd) };
        }
    }
}

/// Rows of one position on their way into packed words, as fp32.
struct RowBuffers {
    plain: [f32; MAX_HEAD_DIM],
    cos: [f32; MAX_HEAD_DIM],
    sin: [f32; MAX_HEAD_DIM],
    rotated: [f32; MAX_HEAD_DIM],
}

impl Default for RowBuffers {
    fn default() -> Self {
        let zero = [0.0; MAX_HEAD_DIM];
        Self { plain: zero, cos: zero, sin: zero, rotated: zero }
    }
}

/// The row of Q or K at a position, turned by the rotary embedding where the call has one: `x cos + (-x2, x1) sin` with
/// `x1`, `x2` the halves of the row, in the products and sums that a graph would do.
#[inline(always)]
#[allow(clippy::multiple_unsafe_ops_per_block, reason = "pointer step and access are one")]
fn rotated<'b, A: Arith, E: Element>(
    a: A,
    plan: &Plan<'b, A, E>,
    tensor: &'b [E],
    rows: Rows,
    head: usize,
    position: usize,
    buffers: &'b mut RowBuffers,
) -> &'b [f32] {
    let d = plan.shape.head_dim;
    let row = E::row(&tensor[rows.at(head, position)..][..d], &mut buffers.plain);
    let Some(rotary) = &plan.rotary else { return row };
    let at = rotary.at(head / plan.shape.heads, position, plan.shape.keys, d);
    let cos = E::row(&rotary.cos[at..][..d], &mut buffers.cos);
    let sin = E::row(&rotary.sin[at..][..d], &mut buffers.sin);
    let to = &mut buffers.rotated[..d];
    let half = d / 2;
    for i in (0..half).step_by(A::LANES) {
        // SAFETY: all rows have d floats, and half of a head dimension is a multiple of 16, as many as any vector has.
        let load = |from: &[f32], i: usize| unsafe { a.load(from.as_ptr().add(i)) };
        let (first, second) = (load(row, i), load(row, half + i));
        let low = a.sub(a.mul(first, load(cos, i)), a.mul(second, load(sin, i)));
        let high = a.add(a.mul(second, load(cos, half + i)), a.mul(first, load(sin, half + i)));
        // SAFETY: the same.
        unsafe { a.store(to.as_mut_ptr().add(i), low) };
        // SAFETY: the same.
        unsafe { a.store(to.as_mut_ptr().add(half + i), high) };
    }
    to
}

/// `panel[word][column + lane] = rows[lane][word]`.
#[inline(always)]
fn transpose<T: Copy>(
    rows: &[T],
    words: usize,
    lanes: usize,
    panel: &mut [MaybeUninit<T>],
    column: usize,
    width: usize,
) {
    // Rows outermost, so that the compiler makes plain stores; the other way round it makes gathers (512 keys, whole kernel:
    // 9.06 ms against 8.9).
    for (lane, row) in rows.chunks_exact(words).take(lanes).enumerate() {
        for (to, word) in panel[column + lane..].iter_mut().step_by(width).zip(row) {
            to.write(*word);
        }
    }
}

/// `out[r][..] (= | +=) lhs[r][..] rhs`, for `R` rows and `N` vectors of columns.
///
/// # Safety
///
/// - `lhs` is valid for reading `R` rows of `depth` words, `lhs_stride` words apart.
/// - `rhs` is valid for reading `depth` rows of `N * LANES` words, `rhs_stride` apart.
/// - `out` is valid for reading and writing `R` rows of `N * LANES` floats, `out_stride` apart.
#[inline(always)]
#[allow(
    clippy::too_many_arguments,
    reason = "three strided matrices; a struct would be built at each of four call sites"
)]
#[allow(clippy::multiple_unsafe_ops_per_block, reason = "pointer step and load are one access")]
unsafe fn product<A: Arith, const R: usize, const N: usize, const ADD: bool>(
    a: A,
    lhs: *const A::Packed,
    lhs_stride: usize,
    rhs: *const A::Packed,
    rhs_stride: usize,
    out: *mut f32,
    out_stride: usize,
    depth: usize,
) {
    let mut sums = [[a.splat(0.0); N]; R];
    for step in 0..depth {
        // SAFETY: step < depth, within the caller's promise.
        let right: [A::Products; N] = std::array::from_fn(|n| unsafe {
            a.load_products(rhs.add(step * rhs_stride + n * A::LANES))
        });
        for (r, sums) in sums.iter_mut().enumerate() {
            // SAFETY: r < R and step < depth, within the caller's promise.
            let left = unsafe { a.splat_product(lhs.add(r * lhs_stride + step)) };
            for (sum, right) in sums.iter_mut().zip(right) {
                *sum = a.dot(*sum, left, right);
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        for (n, sum) in sums.iter().enumerate() {
            // SAFETY: r < R and n < N, within the caller's promise.
            let to = unsafe { out.add(r * out_stride + n * A::LANES) };
            // SAFETY: the same.
            let sum = if ADD { a.add(unsafe { a.load(to) }, *sum) } else { *sum };
            // SAFETY: the same.
            unsafe { a.store(to, sum) };
        }
    }
}

/// One block of queries against all keys that it may see. Groups of `R` rows, panels of `N` vectors.
#[inline(always)]
#[allow(
    clippy::multiple_unsafe_ops_per_block,
    reason = "pointer steps and the product that takes them"
)]
pub(super) fn attend<A: Arith, E: Element, const R: usize, const N: usize>(
    a: A,
    plan: &Plan<'_, A, E>,
    unit: usize,
    scratch: &mut Scratch<A>,
) {
    let Shape { queries, keys, head_dim: d, .. } = plan.shape;
    let per_head = queries.div_ceil(BLOCK_ROWS);
    let (local_head, block) = (unit / per_head, unit % per_head);
    let head = plan.first_head + local_head;
    let first_row = block * BLOCK_ROWS;
    let rows = BLOCK_ROWS.min(queries - first_row);
    let out_row = |r: usize| {
        // SAFETY: units own disjoint (head, row) pairs, and these have disjoint places in the output.
        unsafe { plan.out.range_mut(plan.out_rows.at(head, first_row + r), d) }
    };

    let kept = plan.kept_keys(head);
    let used = if plan.skip_padded_queries { kept.clone() } else { 0..queries };
    let clip = |range: std::ops::Range<usize>| range.start.max(kept.start)..range.end.min(kept.end);
    // Windows move to the right with the row, so a run of rows sees from its first row's start to its last row's end.
    let seen_by = |first: usize, last: usize| {
        clip(plan.window.keys(first, keys).start..plan.window.keys(last, keys).end)
    };
    let seen = seen_by(first_row, first_row + rows - 1);
    let any_used = used.start < first_row + rows && first_row < used.end;
    let mut normal = [0.0f32; MAX_HEAD_DIM];
    let normal = &mut normal[..d];
    if seen.is_empty() || !any_used {
        (0..rows).for_each(|r| E::write(normal, out_row(r)));
        return;
    }
    load_queries(a, plan, head, first_row, rows, R, scratch);

    let words = d / A::STEP;
    let head_words = Plan::<A, E>::words_per_head(&plan.shape);
    // SAFETY: packing is over, so all words are written and none will be again.
    let packed_k = unsafe { plan.packed_k.written(local_head * head_words, head_words) };
    // SAFETY: the same.
    let packed_v = unsafe { plan.packed_v.written(local_head * head_words, head_words) };
    let bias = plan.bias.and_then(|bias| bias.values(head / plan.shape.heads));
    let groups = rows.div_ceil(R);
    let mut started = [false; BLOCK_ROWS];

    let mut chunk = seen.start / A::PANEL * A::PANEL;
    while chunk < seen.end {
        let chunk_end = seen.end.min(chunk + CHUNK_KEYS);
        for (group, started) in started.iter_mut().enumerate().take(groups) {
            let row = first_row + group * R;
            let seen = seen_by(row, row + R - 1);
            let (from, to) = (seen.start.max(chunk), seen.end.min(chunk_end));
            if from >= to {
                continue;
            }
            // In vectors, counted from the chunk.
            let from = (from - chunk) / A::LANES;
            let to = (to - chunk).div_ceil(A::LANES);
            let q = scratch.q[group * R * words..][..R * words].as_ptr();
            let scores = scratch.scores[..R * CHUNK_KEYS].as_mut_ptr();

            let mut vector = from;
            while vector < to {
                let column = chunk + vector * A::LANES;
                let in_panel = column % A::PANEL;
                let panel = &packed_k[column / A::PANEL * A::PANEL * words..][..A::PANEL * words];
                let whole = in_panel == 0 && to - vector >= N;
                // SAFETY: the panel holds `words` rows of PANEL words, and in_panel is a multiple of LANES below PANEL;
                // the queries hold R rows; the scores hold R rows of CHUNK_KEYS, and vector < to <= CHUNK_KEYS / LANES.
                unsafe {
                    let rhs = panel.as_ptr().add(in_panel);
                    let out = scores.add(vector * A::LANES);
                    if whole {
                        product::<A, R, N, false>(
                            a,
                            q,
                            words,
                            rhs,
                            A::PANEL,
                            out,
                            CHUNK_KEYS,
                            words,
                        );
                    } else {
                        product::<A, R, 1, false>(
                            a,
                            q,
                            words,
                            rhs,
                            A::PANEL,
                            out,
                            CHUNK_KEYS,
                            words,
                        );
                    }
                }
                vector += if whole { N } else { 1 };
            }

            let first = !std::mem::replace(started, true);
            for r in 0..R {
                let limits = clip(plan.window.keys(row + r, keys));
                let bias = bias.map(|bias| &bias[chunk..]);
                soften(a, scratch, d, group * R + r, r, chunk, limits, from..to, bias, first);
            }

            let depth_from = from * A::LANES / A::STEP;
            let depth = (to - from) * A::LANES / A::STEP;
            let value_rows = &packed_v[chunk / A::STEP * d + depth_from * d..][..depth * d];
            let accumulated = scratch.out[group * R * d..][..R * d].as_mut_ptr();
            let scores = scratch.scores[..R * CHUNK_KEYS].as_ptr().cast::<A::Packed>();
            for column in (0..d).step_by(N * A::LANES) {
                // SAFETY: probabilities lie packed at the start of each row of scores (words are as large as floats);
                // the values hold `depth` rows of d words and the output R rows of d floats; d is a multiple of N * LANES.
                unsafe {
                    let lhs = scores.add(depth_from);
                    let rhs = value_rows.as_ptr().add(column);
                    let out = accumulated.add(column);
                    if first {
                        product::<A, R, N, false>(a, lhs, CHUNK_KEYS, rhs, d, out, d, depth);
                    } else {
                        product::<A, R, N, true>(a, lhs, CHUNK_KEYS, rhs, d, out, d, depth);
                    }
                }
            }
        }
        chunk += CHUNK_KEYS;
    }

    for r in 0..rows {
        let total = if started[r / R] {
            // SAFETY: one vector per row.
            a.total(unsafe { a.load(scratch.total[r * A::LANES..][..A::LANES].as_ptr()) })
        } else {
            0.0
        };
        // Not `total > 0`: NaN must stay visible.
        if total == 0.0 || !used.contains(&(first_row + r)) {
            normal.fill(0.0);
        } else {
            let factor = 1.0 / total;
            for (to, x) in normal.iter_mut().zip(&scratch.out[r * d..][..d]) {
                *to = x * factor;
            }
        }
        E::write(normal, out_row(r));
    }
}

/// Fills `scratch.q` with scaled, packed rows; the rows that complete the last group are zero.
#[inline(always)]
#[allow(clippy::multiple_unsafe_ops_per_block, reason = "pointer step and access are one")]
fn load_queries<A: Arith, E: Element>(
    a: A,
    plan: &Plan<'_, A, E>,
    head: usize,
    first_row: usize,
    rows: usize,
    group_rows: usize,
    scratch: &mut Scratch<A>,
) {
    let d = plan.shape.head_dim;
    let words = d / A::STEP;
    let scale = a.splat(plan.scale);
    let mut buffers = RowBuffers::default();
    for r in 0..rows {
        let row = rotated(a, plan, plan.q, plan.q_rows, head, first_row + r, &mut buffers);
        let to = &mut scratch.q[r * words..][..words];
        for i in (0..d).step_by(A::LANES) {
            // SAFETY: head dimensions are multiples of 32, so the last vector ends at the end of the row.
            let x = unsafe { a.load(row.as_ptr().add(i)) };
            // SAFETY: the words of LANES elements, likewise.
            unsafe { a.pack_along(to.as_mut_ptr().add(i / A::STEP), a.mul(x, scale)) };
        }
    }
    let end = rows.next_multiple_of(group_rows) * words;
    scratch.q[rows * words..end].fill(A::Packed::default());
}

/// The softmax step of one row: masks its scores, updates maximum and sum, scales what is accumulated, and overwrites
/// the scores with packed probabilities.
///
/// `in_group` is the row of `scratch.scores`; `vectors` the columns in use, counted from `chunk`; `limits` the keys that
/// the row sees.
#[inline(always)]
#[allow(clippy::multiple_unsafe_ops_per_block, reason = "pointer step and access are one")]
#[allow(
    clippy::too_many_arguments,
    reason = "one call site; the state it steps is spread over the block"
)]
fn soften<A: Arith>(
    a: A,
    scratch: &mut Scratch<A>,
    d: usize,
    row: usize,
    in_group: usize,
    chunk: usize,
    limits: std::ops::Range<usize>,
    vectors: std::ops::Range<usize>,
    bias: Option<&[f32]>,
    first: bool,
) {
    let scores = &mut scratch.scores[in_group * CHUNK_KEYS..][..CHUNK_KEYS];
    let scores = scores.as_mut_ptr();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "clamped to one chunk"
    )]
    let (low, high) = (
        limits.start.saturating_sub(chunk).min(CHUNK_KEYS) as i32,
        limits.end.saturating_sub(chunk).min(CHUNK_KEYS) as i32,
    );
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "LANES is 8 or 16"
    )]
    let lanes = A::LANES as i32;
    let mut highest = a.splat(f32::NEG_INFINITY);
    for vector in vectors.clone() {
        // SAFETY: vectors lie within one row of CHUNK_KEYS scores.
        let at = unsafe { scores.add(vector * A::LANES) };
        // SAFETY: the same.
        let mut x = unsafe { a.load(at) };
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            reason = "at most CHUNK_KEYS"
        )]
        let start = vector as i32 * lanes;
        let edge = start < low || start + lanes > high;
        if let Some(bias) = bias {
            let bias = &bias[vector * A::LANES..][..A::LANES];
            // SAFETY: LANES floats by the slice above.
            x = a.add(x, unsafe { a.load(bias.as_ptr()) });
        }
        if edge {
            x = a.keep(x, low - start, high - start);
        }
        if edge || bias.is_some() {
            // SAFETY: the same.
            unsafe { a.store(at, x) };
        }
        highest = a.max(highest, x);
    }
    let before = if first { f32::NEG_INFINITY } else { scratch.highest[row] };
    let now = before.max(a.highest(highest));
    scratch.highest[row] = now;
    // A row that has seen no key yet: any finite shift turns its -inf scores into zeros.
    let shift = a.splat(if now == f32::NEG_INFINITY { 0.0 } else { now });
    let mut sum = a.splat(0.0);
    let packed = scores.cast::<A::Packed>();
    for vector in vectors {
        // SAFETY: as above. Words are written at or before the scores that were just read, so none is overwritten early.
        let x = unsafe { a.load(scores.add(vector * A::LANES)) };
        let p = a.exp2(a.sub(x, shift));
        sum = a.add(sum, p);
        // SAFETY: LANES / STEP words at or below the place of LANES floats.
        unsafe { a.pack_along(packed.add(vector * A::LANES / A::STEP), p) };
    }
    let total = scratch.total[row * A::LANES..][..A::LANES].as_mut_ptr();
    if !first {
        // SAFETY: LANES floats by the slice above.
        let mut old = unsafe { a.load(total) };
        #[allow(clippy::float_cmp, reason = "unchanged means the very same value")]
        if now != before {
            let factor = a.exp2(a.sub(a.splat(before), shift));
            old = a.mul(old, factor);
            let out = &mut scratch.out[row * d..][..d];
            for i in (0..d).step_by(A::LANES) {
                // SAFETY: head dimensions are multiples of 32.
                let at = unsafe { out.as_mut_ptr().add(i) };
                // SAFETY: the same.
                let x = unsafe { a.load(at) };
                // SAFETY: the same.
                unsafe { a.store(at, a.mul(x, factor)) };
            }
        }
        sum = a.add(sum, old);
    }
    // SAFETY: LANES floats by the slice above.
    unsafe { a.store(total, sum) };
}
