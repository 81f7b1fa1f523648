//! Which waiting windows run together: pure, takes `now`.
//!
//! The oldest window always goes next, so nothing starves. Others join it, in order of arrival, when their lengths are so alike that
//! padding stays under a tenth, and while rows times width stays within the batch's tokens. Nothing ever waits for company.

use std::collections::VecDeque;
use std::time::Instant;

/// Caps of a [`Batcher`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most windows of a batch.
    pub max_batch_rows: usize,
    /// Most tokens of a batch, padding included. A single longer window still runs, alone.
    pub max_batch_tokens: usize,
    /// Most tokens waiting.
    pub max_queue_tokens: usize,
}

/// How far behind the oldest window others are looked for; bounds the work of one [`Batcher::take`].
const LOOK_AHEAD: usize = 1024;

/// Why windows were not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// They would not fit even into an empty queue.
    TooLarge,
    /// There is no room now.
    Full,
}

/// One waiting window.
#[derive(Debug)]
pub struct Waiting<T> {
    /// Its length.
    pub tokens: usize,
    /// When its caller stops waiting.
    pub deadline: Option<Instant>,
    /// What to run.
    pub item: T,
}

/// What [`Batcher::take`] gives.
#[derive(Debug)]
pub struct Taken<T> {
    /// Windows to run together, the oldest first; empty when nothing waits.
    pub batch: Vec<Waiting<T>>,
    /// Windows met whose deadline has passed: they must be answered, not run.
    pub expired: Vec<Waiting<T>>,
}

impl<T> Taken<T> {
    /// The longest window of the batch, in tokens.
    #[must_use]
    pub fn width(&self) -> usize {
        self.batch.iter().map(|w| w.tokens).max().unwrap_or(0)
    }
}

/// A batch under construction.
#[derive(Clone, Copy, Default)]
struct Shape {
    rows: usize,
    width: usize,
    tokens: usize,
}

impl Shape {
    fn with(self, tokens: usize) -> Self {
        Self { rows: self.rows + 1, width: self.width.max(tokens), tokens: self.tokens + tokens }
    }

    /// Whether one more window keeps the batch within its tokens and padding under a tenth of it.
    fn admits(self, tokens: usize, limits: &Limits) -> bool {
        let Self { rows, width, tokens } = self.with(tokens);
        self.rows == 0
            || (rows <= limits.max_batch_rows
                && rows * width <= limits.max_batch_tokens
                && tokens * 10 > rows * width * 9)
    }
}

/// A queue bounded in tokens.
#[derive(Debug)]
pub struct Batcher<T> {
    limits: Limits,
    queue: VecDeque<Waiting<T>>,
    tokens: usize,
}

impl<T> Batcher<T> {
    /// An empty queue.
    #[must_use]
    pub const fn new(limits: Limits) -> Self {
        Self { limits, queue: VecDeque::new(), tokens: 0 }
    }

    /// Tokens waiting.
    #[must_use]
    pub const fn tokens(&self) -> usize {
        self.tokens
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Adds all windows of a request, or none.
    ///
    /// Windows whose caller has gone (`is_gone`) are thrown out first when there is no room.
    ///
    /// # Errors
    ///
    /// The windows come back with the reason.
    pub fn push(
        &mut self,
        windows: Vec<Waiting<T>>,
        is_gone: impl Fn(&T) -> bool,
    ) -> Result<(), (Refusal, Vec<Waiting<T>>)> {
        let tokens: usize = windows.iter().map(|w| w.tokens).sum();
        if tokens > self.limits.max_queue_tokens {
            return Err((Refusal::TooLarge, windows));
        }
        if self.tokens + tokens > self.limits.max_queue_tokens {
            self.queue.retain(|w| !is_gone(&w.item));
            self.tokens = self.queue.iter().map(|w| w.tokens).sum();
        }
        if self.tokens + tokens > self.limits.max_queue_tokens {
            return Err((Refusal::Full, windows));
        }
        self.tokens += tokens;
        self.queue.extend(windows);
        Ok(())
    }

    /// Takes the oldest window and those that suit it; windows whose caller has gone are dropped on the way.
    pub fn take(&mut self, now: Instant, is_gone: impl Fn(&T) -> bool) -> Taken<T> {
        let mut taken = Taken { batch: Vec::new(), expired: Vec::new() };
        let mut shape = Shape::default();
        let mut kept = VecDeque::new();
        for _ in 0..LOOK_AHEAD {
            let Some(waiting) = self.queue.pop_front() else { break };
            if is_gone(&waiting.item) {
                self.tokens -= waiting.tokens;
            } else if waiting.deadline.is_some_and(|deadline| deadline <= now) {
                self.tokens -= waiting.tokens;
                taken.expired.push(waiting);
            } else if shape.admits(waiting.tokens, &self.limits) {
                self.tokens -= waiting.tokens;
                shape = shape.with(waiting.tokens);
                taken.batch.push(waiting);
            } else {
                kept.push_back(waiting);
            }
            if shape.rows > 0
                && (shape.rows >= self.limits.max_batch_rows
                    || (shape.rows + 1) * shape.width > self.limits.max_batch_tokens)
            {
                break;
            }
        }
        while let Some(waiting) = kept.pop_back() {
            self.queue.push_front(waiting);
        }
        taken
    }

    /// Takes everything, for answering it when there will be no more runs.
    pub fn drain(&mut self) -> Vec<Waiting<T>> {
        self.tokens = 0;
        self.queue.drain(..).collect()
    }
}

#[cfg(test)]
mod tests;
