//! Threads that own sessions, fed from one bounded queue for each model file.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::backend::{Backend, Batch, RunError, Runtime, Tensor};
use crate::batch::{Batcher, Limits, Refusal, Waiting};
use crate::models::{HeadKind, ModelError, ModelSpec};
use crate::telemetry::Metrics;

mod job;
mod pace;

use job::{Job, Row};
use pace::Pace;

/// Windows of one request for one model.
#[derive(Debug)]
pub struct Work {
    /// Framed token ids, each within the model's `max_tokens`.
    pub windows: Vec<Vec<u32>>,
    /// Which of the model's heads are wanted, by index.
    pub heads: Vec<usize>,
    /// When the caller stops waiting.
    pub deadline: Option<Instant>,
}

/// The logits of some [`Work`].
#[derive(Debug, Default)]
pub struct Done {
    /// For each window, for each wanted head: `[labels]` or row-major `[tokens of the window, labels]`.
    pub windows: Vec<Vec<Vec<f32>>>,
    /// From submission to the start of the first batch.
    pub queued: Duration,
    /// From there to the end of the last batch.
    pub ran: Duration,
}

/// Why some [`Work`] was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// The request has more tokens than the queue holds.
    #[error("the request has {tokens} tokens, but at most {limit} can wait")]
    TooLarge {
        /// Tokens of the request.
        tokens: usize,
        /// Tokens that the queue holds.
        limit: usize,
    },
    /// The queue is full.
    #[error("the queue is full")]
    Full,
    /// What waits already would outlast the deadline.
    #[error("what waits already would outlast the deadline")]
    Late,
    /// The deadline passed before the run.
    #[error("the deadline passed")]
    Deadline,
    /// The runtime failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The worker is shutting down.
    #[error("the worker is shutting down")]
    Closed,
}

struct State {
    batcher: Batcher<Row>,
    /// Tokens of the batches that run now.
    running: usize,
    pace: Pace,
    closing: bool,
}

impl State {
    fn ran(&mut self, tokens: usize, took: Duration, well: bool) {
        self.running = self.running.saturating_sub(tokens);
        if well {
            self.pace.observe(tokens, took);
        }
    }

    /// Whether `tokens` more would be done by the deadline. An idle worker always tries: only runs correct a pace that has become wrong.
    fn is_in_time(&self, shared: &Shared, tokens: usize, deadline: Option<Instant>) -> bool {
        let ahead = self.batcher.tokens() + self.running;
        ahead == 0
            || deadline.is_none_or(|deadline| {
                Instant::now() + self.pace.estimate(ahead + tokens, shared.sessions) <= deadline
            })
    }
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    limits: Limits,
    sessions: usize,
    spec: Arc<ModelSpec>,
    pad: u32,
    runtime: Arc<dyn Runtime>,
    metrics: Arc<Metrics>,
    batches: AtomicU64,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The queue and threads of one model file.
pub struct Worker {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker").field("model", &self.shared.spec.name).finish_non_exhaustive()
    }
}

/// How a [`Worker`] is set up.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Caps of the queue and its batches.
    pub limits: Limits,
    /// Sessions, each with its own thread; at least 1.
    pub sessions: usize,
    /// Fills up shorter rows.
    pub pad: u32,
}

impl Worker {
    /// Opens the sessions, which blocks, and starts their threads.
    ///
    /// # Errors
    ///
    /// When the model cannot be opened or a thread cannot be started.
    pub fn start(
        spec: &Arc<ModelSpec>,
        runtime: &Arc<dyn Runtime>,
        metrics: &Arc<Metrics>,
        settings: Settings,
    ) -> Result<Self, ModelError> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                batcher: Batcher::new(settings.limits),
                running: 0,
                pace: Pace::default(),
                closing: false,
            }),
            changed: Condvar::new(),
            limits: settings.limits,
            sessions: settings.sessions.max(1),
            spec: Arc::clone(spec),
            pad: settings.pad,
            runtime: Arc::clone(runtime),
            metrics: Arc::clone(metrics),
            batches: AtomicU64::new(0),
        });
        let worker = Self { shared: Arc::clone(&shared), threads: Mutex::default() };
        for i in 0..shared.sessions {
            let backend = runtime.open(spec)?;
            let shared = Arc::clone(&shared);
            let thread = std::thread::Builder::new()
                .name(format!("run-{i}-{}", spec.name))
                .spawn(move || work(&shared, backend))
                .map_err(|source| ModelError::Read { path: spec.file.clone(), source })?;
            worker.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        }
        Ok(worker)
    }

    /// Queues some work. Dropping the receiver takes it back: what has not run yet never will.
    ///
    /// # Errors
    ///
    /// [`WorkError::TooLarge`], [`WorkError::Full`], [`WorkError::Closed`].
    pub fn submit(
        &self,
        work: Work,
    ) -> Result<oneshot::Receiver<Result<Done, WorkError>>, WorkError> {
        let (reply, receiver) = oneshot::channel();
        let lengths: Vec<usize> = work.windows.iter().map(Vec::len).collect();
        let deadline = work.deadline;
        let job = Arc::new(Job::new(work, reply));
        let rows = lengths
            .iter()
            .enumerate()
            .map(|(index, tokens)| Waiting {
                tokens: *tokens,
                deadline,
                item: Row { job: Arc::clone(&job), index },
            })
            .collect();
        let mut state = self.shared.state();
        if state.closing {
            return Err(WorkError::Closed);
        }
        if !state.is_in_time(&self.shared, lengths.iter().sum(), deadline) {
            return Err(WorkError::Late);
        }
        let pushed = state.batcher.push(rows, |row| row.job.is_gone());
        let waiting = state.batcher.tokens();
        drop(state);
        pushed.map_err(|(refusal, _)| match refusal {
            Refusal::TooLarge => WorkError::TooLarge {
                tokens: lengths.iter().sum(),
                limit: self.shared.limits.max_queue_tokens,
            },
            Refusal::Full => WorkError::Full,
        })?;
        self.shared.metrics.queue(&self.shared.spec.name, waiting);
        // One request may have work for every session.
        self.shared.changed.notify_all();
        Ok(receiver)
    }

    /// Whether anything at all that must be done by the deadline would be taken now: asked before the work of reading a text.
    #[must_use]
    pub fn takes(&self, deadline: Option<Instant>) -> bool {
        self.shared.state().is_in_time(&self.shared, 1, deadline)
    }

    /// Batches that ran well so far.
    #[must_use]
    pub fn batches(&self) -> u64 {
        self.shared.batches.load(Ordering::Relaxed)
    }

    /// Lets the threads finish what waits, then ends them. Blocks.
    pub fn close(&self) {
        self.stop();
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            drop(thread.join());
        }
    }

    fn stop(&self) {
        self.shared.state().closing = true;
        self.shared.changed.notify_all();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The threads end by themselves; a drop may happen where blocking is not allowed.
        self.stop();
    }
}

/// CPU time of the calling thread so far.
pub(crate) fn thread_cpu() -> Duration {
    clock(rustix::time::ClockId::ThreadCPUTime)
}

/// Time since some moment in the past.
pub(crate) fn monotonic() -> Duration {
    clock(rustix::time::ClockId::Monotonic)
}

fn clock(id: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(id);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// A worker thread's life.
fn work(shared: &Shared, backend: Box<dyn Backend>) {
    let mut backend = Some(backend);
    let model = shared.spec.name.as_str();
    while let Some(rows) = next_batch(shared) {
        let now = Instant::now();
        rows.iter().for_each(|row| row.job.start(now));
        let windows: Vec<&[u32]> = rows
            .iter()
            .filter_map(|row| row.job.windows.get(row.index).map(Vec::as_slice))
            .collect();
        let batch = Batch::of(&windows, shared.pad);
        let tokens: usize = windows.iter().map(|w| w.len()).sum();
        shared.metrics.batch(model, batch.rows, batch.width, tokens);
        let (began, cpu) = (Instant::now(), thread_cpu());
        let result = run(shared, &mut backend, &batch);
        shared.metrics.run_cpu(model, thread_cpu().saturating_sub(cpu));
        shared.state().ran(tokens, began.elapsed(), result.is_ok());
        match result {
            Ok(mut tensors) => {
                shared.batches.fetch_add(1, Ordering::Relaxed);
                for (i, row) in rows.iter().enumerate() {
                    match row
                        .job
                        .heads
                        .iter()
                        .map(|head| part(&mut tensors, *head, i, &row.job.windows, row.index))
                        .collect()
                    {
                        Some(output) => row.job.finish(row.index, output),
                        None => row.job.fail(WorkError::Run(RunError(
                            "an output is shorter than its shape".to_owned(),
                        ))),
                    }
                }
            }
            Err(error) => rows.iter().for_each(|row| row.job.fail(WorkError::Run(error.clone()))),
        }
    }
    for waiting in shared.state().batcher.drain() {
        waiting.item.job.fail(WorkError::Closed);
    }
}

/// Waits for work; `None` when there will be no more.
fn next_batch(shared: &Shared) -> Option<Vec<Row>> {
    let mut state = shared.state();
    loop {
        if state.batcher.is_empty() {
            if state.closing {
                return None;
            }
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        }
        let before = state.batcher.tokens();
        let taken = state.batcher.take(Instant::now(), |row| row.job.is_gone());
        let model = shared.spec.name.as_str();
        let accounted: usize = taken.batch.iter().chain(&taken.expired).map(|w| w.tokens).sum();
        let left = state.batcher.tokens();
        shared.metrics.queue(model, left);
        shared.metrics.dropped(model, "deadline", taken.expired.len());
        if before - left > accounted {
            shared.metrics.dropped(model, "gone", 1);
        }
        taken.expired.iter().for_each(|waiting| waiting.item.job.fail(WorkError::Deadline));
        if !taken.batch.is_empty() {
            state.running += taken.batch.iter().map(|w| w.tokens).sum::<usize>();
            return Some(taken.batch.into_iter().map(|w| w.item).collect());
        }
    }
}

/// Runs a batch; a panic costs this batch and its session, which is opened anew for the next one.
fn run(
    shared: &Shared,
    backend: &mut Option<Box<dyn Backend>>,
    batch: &Batch,
) -> Result<Vec<Tensor>, RunError> {
    let mut session = match backend.take() {
        Some(session) => session,
        None => shared.runtime.open(&shared.spec).map_err(|error| RunError(error.to_string()))?,
    };
    match std::panic::catch_unwind(AssertUnwindSafe(|| session.run(batch))) {
        Ok(result) => {
            *backend = Some(session);
            let tensors = result?;
            check_shapes(&shared.spec, batch, &tensors)?;
            Ok(tensors)
        }
        Err(_) => {
            shared.metrics.worker_restart(&shared.spec.name);
            tracing::error!(
                model = shared.spec.name,
                "the worker crashed; its session is opened anew"
            );
            // Dropping a session that panicked could panic as well.
            drop(std::panic::catch_unwind(AssertUnwindSafe(|| drop(session))));
            Err(RunError("the worker crashed".to_owned()))
        }
    }
}

fn check_shapes(spec: &ModelSpec, batch: &Batch, tensors: &[Tensor]) -> Result<(), RunError> {
    for (head, tensor) in spec.heads.iter().zip(tensors) {
        let expected = match head.kind {
            HeadKind::Sequence => vec![batch.rows, head.labels.len()],
            HeadKind::Token => vec![batch.rows, batch.width, head.labels.len()],
        };
        if tensor.shape != expected {
            return Err(RunError(format!(
                "output {:?} has shape {:?}, but should have {expected:?}",
                head.output, tensor.shape
            )));
        }
    }
    Ok(())
}

/// The logits of one row of one head, without padding; those of a single row are moved out, which works once.
fn part(
    tensors: &mut [Tensor],
    head: usize,
    row: usize,
    windows: &[Vec<u32>],
    index: usize,
) -> Option<Vec<f32>> {
    let tensor = tensors.get_mut(head)?;
    let labels = *tensor.shape.last()?;
    let (stride, length) = match tensor.shape.as_slice() {
        [_, _] => (labels, labels),
        [_, width, _] => (width * labels, windows.get(index)?.len() * labels),
        _ => return None,
    };
    if tensor.shape.first() == Some(&1) {
        let mut data = std::mem::take(&mut tensor.data);
        data.truncate(length);
        return (data.len() == length).then_some(data);
    }
    tensor.data.get(row * stride..row * stride + length).map(<[f32]>::to_vec)
}
