//! What "healthy" means: a probe batch ran lately, through the same queue as everything else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::models::Signal;
use crate::server::Health;

/// How often a probe batch runs.
pub const PROBE_EVERY: Duration = Duration::from_secs(15);
/// A daemon whose last good probe is older than this is not alive: three missed ones.
pub const PROBE_LIMIT: Duration = Duration::from_secs(60);

/// What probes may ask.
#[derive(Debug, Default)]
pub struct Vitals {
    started: AtomicBool,
    ready: AtomicBool,
    last_probe: Mutex<Option<Instant>>,
}

impl Vitals {
    /// Models are loaded and warm.
    pub fn start(&self) {
        self.beat();
        self.started.store(true, Ordering::Relaxed);
    }

    /// Whether requests are answered.
    pub fn set_ready(&self, ready: bool) {
        self.ready.store(ready, Ordering::Relaxed);
    }

    /// A probe batch succeeded.
    pub fn beat(&self) {
        *self.last_probe.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Time since the last good probe.
    #[must_use]
    pub fn probe_age(&self) -> Option<Duration> {
        self.last_probe.lock().unwrap_or_else(PoisonError::into_inner).map(|at| at.elapsed())
    }

    /// Whether a restart would not help: still loading, or probed lately.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.probe_age().is_none_or(|age| age < PROBE_LIMIT)
    }

    /// Whether requests should be sent here.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed) && self.is_live()
    }

    /// Whether loading is over.
    #[must_use]
    pub fn has_started(&self) -> bool {
        self.started.load(Ordering::Relaxed)
    }
}

/// Runs a probe batch through every model now and then, for ever, and tells `grpc.health.v1` what it means.
pub async fn watch(engine: Arc<Engine>, vitals: Arc<Vitals>, health: Health) {
    let mut timer = tokio::time::interval(PROBE_EVERY);
    timer.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    timer.tick().await;
    loop {
        timer.tick().await;
        if probe(&engine).await {
            vitals.beat();
        } else {
            engine.metrics().probe_failures.inc();
            tracing::warn!("a probe batch failed");
        }
        let loaded = engine.loaded();
        let is_ready = vitals.is_ready();
        let serves = |signal: Option<Signal>| {
            is_ready
                && loaded.as_ref().is_some_and(|l| signal.is_none_or(|s| l.serves(s).is_some()))
        };
        health.set(serves).await;
    }
}

async fn probe(engine: &Engine) -> bool {
    let Some(loaded) = engine.loaded() else { return true };
    for model in &loaded.models {
        // Under load the queue may be full: the batches that fill it are proof enough that the worker runs, if it does.
        let Ok(work) = model.probe_work() else { return false };
        let before = model.worker.batches();
        let answer = match model.worker.submit(work) {
            Ok(receiver) => {
                tokio::time::timeout(PROBE_EVERY, receiver).await.ok().and_then(Result::ok)
            }
            Err(_) => None,
        };
        let ran = matches!(answer, Some(Ok(_)));
        if !ran && model.worker.batches() == before {
            return false;
        }
    }
    true
}
