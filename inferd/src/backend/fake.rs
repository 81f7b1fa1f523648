//! A backend for tests: deterministic, and slow, failing or panicking on demand.
//!
//! It knows no model: an id's lowest bits decide. Tests that are about answers use the real runtime with the tiny model; tests that are
//! about queues, deadlines and crashes use this.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use super::{Backend, Batch, RunError, Runtime, RuntimeInfo, Tensor};
use crate::models::{HeadKind, ModelError, ModelSpec};

/// What the fake should do; shared with the test.
#[derive(Debug, Default)]
pub struct Script {
    /// Runs block while the gate is shut.
    shut: Mutex<bool>,
    changed: Condvar,
    /// The next runs fail with an error.
    pub fail: AtomicBool,
    /// The next run panics, once.
    pub panic_once: AtomicBool,
    /// The next runs give values that are not numbers.
    pub not_finite: AtomicBool,
    /// Runs so far.
    pub runs: AtomicUsize,
    /// Rows so far.
    pub rows: AtomicUsize,
    /// Sessions opened so far.
    pub opened: AtomicUsize,
    /// How long each window takes, in milliseconds.
    pub row_millis: AtomicU64,
    /// Opening fails.
    pub refuse_open: AtomicBool,
}

impl Script {
    /// Makes runs wait.
    pub fn shut(&self) {
        self.set(true);
    }

    /// Lets waiting runs go on.
    pub fn open(&self) {
        self.set(false);
    }

    fn set(&self, shut: bool) {
        *self.shut.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = shut;
        self.changed.notify_all();
    }

    fn work(&self, time: Duration) {
        let shut = self.shut.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        drop(self.changed.wait_timeout_while(shut, time, |_| true));
    }

    fn pass(&self) {
        let mut shut = self.shut.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        while *shut {
            shut = self.changed.wait(shut).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }
}

/// Opens fakes that follow one script.
#[derive(Clone, Debug, Default)]
pub struct FakeRuntime {
    /// The script.
    pub script: Arc<Script>,
}

impl Runtime for FakeRuntime {
    fn open(&self, spec: &ModelSpec) -> Result<Box<dyn Backend>, ModelError> {
        if self.script.refuse_open.load(Ordering::SeqCst) {
            return Err(ModelError::Graph {
                path: spec.file.clone(),
                message: "refused by the script".to_owned(),
            });
        }
        self.script.opened.fetch_add(1, Ordering::SeqCst);
        Ok(Box::new(FakeBackend { script: Arc::clone(&self.script), spec: spec.clone() }))
    }

    fn describe(&self) -> RuntimeInfo {
        RuntimeInfo {
            version: "fake".to_owned(),
            provider: "fake",
            fell_back: false,
            nodes: BTreeMap::new(),
        }
    }
}

struct FakeBackend {
    script: Arc<Script>,
    spec: ModelSpec,
}

impl Backend for FakeBackend {
    #[allow(clippy::panic, reason = "crashing is what the script asked for")]
    fn run(&mut self, batch: &Batch) -> Result<Vec<Tensor>, RunError> {
        self.script.pass();
        let millis = self.script.row_millis.load(Ordering::SeqCst) * batch.rows as u64;
        self.script.work(Duration::from_millis(millis));
        self.script.runs.fetch_add(1, Ordering::SeqCst);
        self.script.rows.fetch_add(batch.rows, Ordering::SeqCst);
        if self.script.panic_once.swap(false, Ordering::SeqCst) {
            panic!("a panic that the script asked for");
        }
        if self.script.fail.load(Ordering::SeqCst) {
            return Err(RunError("a failure that the script asked for".to_owned()));
        }
        let value = if self.script.not_finite.load(Ordering::SeqCst) { f32::NAN } else { 1.0 };
        let tensors = self.spec.heads.iter().map(|head| {
            let (shape, cells) = match head.kind {
                HeadKind::Sequence => (vec![batch.rows, head.labels.len()], batch.rows),
                HeadKind::Token => {
                    (vec![batch.rows, batch.width, head.labels.len()], batch.rows * batch.width)
                }
            };
            // The first label wins everywhere.
            let row = (0..head.labels.len()).map(|i| if i == 0 { value } else { 0.0 });
            Tensor { shape, data: std::iter::repeat_n(row, cells).flatten().collect() }
        });
        Ok(tensors.collect())
    }
}
