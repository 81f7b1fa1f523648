//! The windows of one request on their way through a worker.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::oneshot;

use super::{Done, Work, WorkError};

/// One window of a [`Job`].
pub(super) struct Row {
    pub(super) job: Arc<Job>,
    pub(super) index: usize,
}

/// Some work with its progress.
pub(super) struct Job {
    pub(super) windows: Vec<Vec<u32>>,
    pub(super) heads: Vec<usize>,
    submitted: Instant,
    progress: Mutex<Progress>,
}

struct Progress {
    outputs: Vec<Vec<Vec<f32>>>,
    left: usize,
    started: Option<Instant>,
    reply: Option<oneshot::Sender<Result<Done, WorkError>>>,
}

impl Job {
    pub(super) fn new(work: Work, reply: oneshot::Sender<Result<Done, WorkError>>) -> Self {
        Self {
            submitted: Instant::now(),
            heads: work.heads,
            progress: Mutex::new(Progress {
                outputs: vec![Vec::new(); work.windows.len()],
                left: work.windows.len(),
                started: None,
                reply: Some(reply),
            }),
            windows: work.windows,
        }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nobody waits for the answer: it was given, or the caller has gone.
    pub(super) fn is_gone(&self) -> bool {
        self.progress().reply.as_ref().is_none_or(oneshot::Sender::is_closed)
    }

    pub(super) fn start(&self, now: Instant) {
        self.progress().started.get_or_insert(now);
    }

    pub(super) fn fail(&self, error: WorkError) {
        if let Some(reply) = self.progress().reply.take() {
            drop(reply.send(Err(error)));
        }
    }

    pub(super) fn finish(&self, index: usize, output: Vec<Vec<f32>>) {
        let mut progress = self.progress();
        if let Some(slot) = progress.outputs.get_mut(index) {
            *slot = output;
        }
        progress.left = progress.left.saturating_sub(1);
        if progress.left == 0
            && let Some(reply) = progress.reply.take()
        {
            let started = progress.started.unwrap_or(self.submitted);
            let done = Done {
                windows: std::mem::take(&mut progress.outputs),
                queued: started.duration_since(self.submitted),
                ran: started.elapsed(),
            };
            drop(reply.send(Ok(done)));
        }
    }
}
