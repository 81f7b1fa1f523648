//! Where the rows of a tensor lie, and the rotary embedding's tables.

use crate::op::{Layout, Shape};

/// Row `[head_dim]` of a head and position: element offsets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    start: usize,
    heads: usize,
    batch_step: usize,
    head_step: usize,
    row_step: usize,
}

impl Rows {
    /// `part` is 0 for Q, 1 for K, 2 for V; `rows` the positions of that tensor.
    pub(super) fn new(layout: Layout, part: usize, heads: usize, rows: usize, d: usize) -> Self {
        let width = heads * d;
        match layout {
            Layout::HeadsFirst => {
                Self { start: 0, heads, batch_step: rows * width, head_step: rows * d, row_step: d }
            }
            Layout::TokensFirst => {
                Self { start: 0, heads, batch_step: rows * width, head_step: d, row_step: width }
            }
            Layout::Packed => Self {
                start: part * width,
                heads,
                batch_step: rows * 3 * width,
                head_step: d,
                row_step: 3 * width,
            },
        }
    }

    /// The output, which is never packed.
    pub(super) fn output(layout: Layout, shape: &Shape) -> Self {
        let layout = match layout {
            Layout::HeadsFirst => Layout::HeadsFirst,
            Layout::TokensFirst | Layout::Packed => Layout::TokensFirst,
        };
        Self::new(layout, 0, shape.heads, shape.queries, shape.head_dim)
    }

    /// First element of the row; `head` counts over the batch.
    #[inline(always)]
    pub(super) fn at(&self, head: usize, position: usize) -> usize {
        self.start
            + head / self.heads * self.batch_step
            + head % self.heads * self.head_step
            + position * self.row_step
    }
}

/// Tables of the rotary embedding, `[1 or batch, positions, head_dim]` each: `x cos + (-x2, x1) sin`.
#[derive(Clone, Copy, Debug)]
pub struct Rotary<'a, E> {
    /// Cosines, both halves of a row.
    pub cos: &'a [E],
    /// Sines, both halves of a row.
    pub sin: &'a [E],
}

impl<E> Rotary<'_, E> {
    pub(super) fn fits(&self, shape: &Shape) -> bool {
        let one = shape.keys * shape.head_dim;
        shape.queries == shape.keys
            && self.sin.len() == self.cos.len()
            && (self.cos.len() == one || self.cos.len() == shape.batch * one)
    }

    /// First element of the row of a sequence's position.
    #[inline(always)]
    pub(super) fn at(&self, batch: usize, position: usize, positions: usize, d: usize) -> usize {
        let own = if self.cos.len() == positions * d { 0 } else { batch * positions };
        (own + position) * d
    }
}
