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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::backend::Runtime;
    use crate::backend::fake::FakeRuntime;
    use crate::config::{Config, Raw};
    use crate::loaded::Loaded;
    use crate::telemetry::Metrics;

    #[test]
    fn a_daemon_is_alive_while_it_loads_and_as_long_as_probes_succeed() {
        let vitals = Vitals::default();
        assert!(vitals.is_live() && !vitals.is_ready() && !vitals.has_started());
        vitals.start();
        vitals.set_ready(true);
        assert!(vitals.is_live() && vitals.is_ready() && vitals.has_started());
        let long_ago = Instant::now().checked_sub(PROBE_LIMIT + Duration::from_secs(1));
        // A machine that has just been switched on has no such time.
        if long_ago.is_some() {
            *vitals.last_probe.lock().unwrap() = long_ago;
            assert!(!vitals.is_live() && !vitals.is_ready() && vitals.has_started());
            vitals.beat();
            assert!(vitals.is_ready());
        }
        vitals.set_ready(false);
        assert!(vitals.is_live() && !vitals.is_ready());
    }

    #[test]
    fn a_probe_is_a_run_of_every_model_that_succeeds() {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tiny");
        let config = Config::try_from(Raw { models: vec![fixture], ..Raw::default() }).unwrap();
        let fake = FakeRuntime::default();
        let script = Arc::clone(&fake.script);
        let runtime: Arc<dyn Runtime> = Arc::new(fake);
        let metrics = Arc::new(Metrics::new().unwrap());
        let loaded = Loaded::load(&crate::daemon::plan(&config), &runtime, &metrics).unwrap();
        let engine = Engine::new(config.engine, metrics);
        engine.swap(Some(Arc::new(loaded)));
        let ask = || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
            runtime.unwrap().block_on(probe(&engine))
        };
        let rows = script.rows.load(Ordering::SeqCst);
        assert!(ask());
        assert_eq!(script.rows.load(Ordering::SeqCst), rows + 2, "a short window and a full one");
        script.fail.store(true, Ordering::SeqCst);
        assert!(!ask());
        script.fail.store(false, Ordering::SeqCst);
        assert!(ask());
    }
}
