//! What the streams of one worker share: the configuration, and the memory that they may hold for text.
//!
//! Envoy holds the bodies, so a stream for which there is no room need not be refused: it drops what it has read, waits
//! for others to end, and reads its body again from the host.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::config::Config;

/// A stream that holds less than this takes its room also while others wait for theirs, and in the part that is kept for such
/// streams: a few slow uploads of long texts must not keep short requests out.
const SMALL_BYTES: usize = 64 << 10;

/// What all streams of a worker share.
#[derive(Debug)]
pub struct Worker {
    config: Rc<Config>,
    /// Memory held by all streams.
    held_bytes: Cell<usize>,
    /// Streams so far; each takes the number as its turn.
    turns: Cell<u64>,
    /// Turns of the streams whose whole body is at the host and waits for room.
    waiting: RefCell<BTreeSet<u64>>,
}

impl Worker {
    /// Prepares what `config` asks for.
    #[must_use]
    pub fn new(config: Rc<Config>) -> Self {
        Self { config, held_bytes: Cell::new(0), turns: Cell::new(0), waiting: RefCell::default() }
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    fn cap(&self) -> usize {
        self.config.limits.max_worker_text_bytes
    }

    pub(crate) fn shared_config(&self) -> Rc<Config> {
        Rc::clone(&self.config)
    }

    /// Bytes of memory that the streams have booked.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.held_bytes.get()
    }
}

/// One stream's part of the worker's memory.
#[derive(Debug)]
pub(crate) struct Share {
    worker: Rc<Worker>,
    turn: u64,
    booked_bytes: usize,
}

impl Share {
    pub(crate) fn new(worker: Rc<Worker>) -> Self {
        let turn = worker.turns.get();
        worker.turns.set(turn.saturating_add(1));
        Self { worker, turn, booked_bytes: 0 }
    }

    pub(crate) fn worker(&self) -> &Worker {
        &self.worker
    }

    fn of_others(&self) -> usize {
        self.worker.held_bytes.get().saturating_sub(self.booked_bytes)
    }

    /// Bytes that this stream may hold now.
    pub(crate) fn room(&self) -> usize {
        let (cap, others) = (self.worker.cap(), self.of_others());
        if others == 0 {
            return cap;
        }
        let large = (cap / 8 * 7).saturating_sub(others);
        large.max(SMALL_BYTES.min(cap.saturating_sub(others)))
    }

    /// As much as a stream that waits needs at most before it is let in: with others that hold a little there is room for it.
    pub(crate) fn most(&self) -> usize {
        self.worker.cap() / 4 * 3
    }

    /// Whether no other stream holds anything: there will never be more room.
    pub(crate) fn is_alone(&self) -> bool {
        self.of_others() == 0
    }

    /// Books what the stream holds.
    pub(crate) fn book(&mut self, bytes: usize) {
        self.worker.held_bytes.set(self.of_others().saturating_add(bytes));
        self.booked_bytes = bytes;
    }

    /// Whether an earlier stream waits for the room that this one would take.
    pub(crate) fn is_in_the_way(&self) -> bool {
        self.booked_bytes > SMALL_BYTES
            && self.worker.waiting.borrow().first().is_some_and(|first| *first < self.turn)
    }

    /// Waits for room.
    pub(crate) fn wait(&self) {
        self.worker.waiting.borrow_mut().insert(self.turn);
    }

    /// Waits no longer.
    pub(crate) fn stop_waiting(&self) {
        self.worker.waiting.borrow_mut().remove(&self.turn);
    }

    /// Whether nobody waits who came earlier.
    pub(crate) fn is_next(&self) -> bool {
        self.worker.waiting.borrow().first() == Some(&self.turn)
    }

    /// Holds nothing and waits for nothing any more.
    pub(crate) fn let_go(&mut self) {
        self.book(0);
        self.stop_waiting();
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.let_go();
    }
}
