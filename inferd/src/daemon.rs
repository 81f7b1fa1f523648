//! One daemon's life: load, warm, publish the socket, serve, drain.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::backend::Runtime;
use crate::config::{Config, ConfigError};
use crate::engine::Engine;
use crate::health::{self, Vitals};
use crate::loaded::{self, Loaded};
use crate::models::{ModelError, Signal};
use crate::server::{Health, Server, Settings};
use crate::socket::{Bound, Guard, SocketError};
use crate::telemetry::{Metrics, Served};
use crate::traces::{Traces, TracesError};
use crate::{admin, compat, connection};

/// Why a daemon does not start or ends badly.
#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    /// The socket.
    #[error(transparent)]
    Socket(#[from] SocketError),
    /// A model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The configuration, on a reload.
    #[error("configuration: {0}")]
    Config(#[from] ConfigError),
    /// The admin port or the transport.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Metrics.
    #[error(transparent)]
    Metrics(#[from] prometheus::Error),
    /// The collector of traces.
    #[error(transparent)]
    Traces(#[from] TracesError),
    /// A task crashed.
    #[error("a task crashed")]
    Crashed(#[from] tokio::task::JoinError),
}

/// How often draining looks.
const DRAIN_POLL: Duration = Duration::from_millis(20);
/// Without a call for so long, what clients leave open is closed: ample for the last answers to be written.
const DRAIN_IDLE: Duration = Duration::from_millis(500);

/// Accepted connections that wait for a task.
const ACCEPT_QUEUE: usize = 64;

/// A daemon that serves. Stop it with [`Daemon::stop`]; dropping it ends it at once.
pub struct Daemon {
    config: Config,
    runtime: Arc<dyn Runtime>,
    engine: Arc<Engine>,
    metrics: Arc<Metrics>,
    vitals: Arc<Vitals>,
    traces: Option<Arc<Traces>>,
    health: Health,
    socket: Option<Guard>,
    admin: Option<std::net::SocketAddr>,
    stop: watch::Sender<bool>,
    server: JoinHandle<io::Result<()>>,
    others: Vec<JoinHandle<()>>,
}

impl Daemon {
    /// Loads the models, warms them, and only then lets clients in.
    ///
    /// # Errors
    ///
    /// [`DaemonError`]; nothing is left behind.
    pub async fn start(config: Config, runtime: Arc<dyn Runtime>) -> Result<Self, DaemonError> {
        tracing::info!(
            sessions = config.sessions * config.models.len().max(1),
            intra_threads = config.session.intra_threads.get(),
            "threads"
        );
        let metrics = Arc::new(Metrics::new()?);
        let engine = Arc::new(Engine::new(config.engine, Arc::clone(&metrics)));
        let vitals = Arc::new(Vitals::default());
        let (stop, stopped) = watch::channel(false);
        let mut others = Vec::new();

        let listener = match config.admin {
            Some(address) => Some(admin::bind(address).await?),
            None => None,
        };
        let admin = listener.as_ref().and_then(|l| l.local_addr().ok());
        if let Some(listener) = listener {
            let more = if config.compatibility {
                compat::routes(Arc::clone(&engine), config.max_deadline, config.max_message_bytes)
            } else {
                axum::Router::new()
            };
            others.push(tokio::spawn(run_admin(
                more,
                listener,
                Arc::clone(&metrics),
                Arc::clone(&vitals),
                stopped.clone(),
            )));
        }
        let bound = Bound::bind(&config.socket)?;
        let settings = Settings {
            max_message_bytes: config.max_message_bytes,
            max_deadline: config.max_deadline,
        };
        let traces = config.traces.as_ref().map(Traces::start).transpose()?.map(Arc::new);
        let (server, health) = Server::new(Arc::clone(&engine), settings, traces.clone()).await;

        let loaded = load(&config, &runtime, &metrics).await?;
        announce(&loaded, &runtime, &metrics);
        health.set(|signal| signal.is_none_or(|s| loaded.serves(s).is_some())).await;
        engine.swap(Some(Arc::new(loaded)));
        vitals.start();
        others.push(tokio::spawn(health::watch(
            Arc::clone(&engine),
            Arc::clone(&vitals),
            health.clone(),
        )));

        let (accepted, connections) = mpsc::channel(ACCEPT_QUEUE);
        let (listener, socket) = bound.publish()?;
        let accept = connection::accept(
            listener,
            config.socket.clone(),
            config.max_connections,
            Arc::clone(&metrics),
            accepted,
        );
        others.push(tokio::spawn(accept));
        let server = tokio::spawn(server.serve(connections, until(stopped)));
        vitals.set_ready(true);
        metrics.ready.set(1);
        tracing::info!(socket = %socket.path().display(), admin = admin.map(|a| a.to_string()), "ready");
        Ok(Self {
            config,
            runtime,
            engine,
            metrics,
            vitals,
            traces,
            health,
            socket: Some(socket),
            admin,
            stop,
            server,
            others,
        })
    }

    /// Loads models and thresholds anew and puts them in place; requests under way end with those that they began with.
    ///
    /// # Errors
    ///
    /// When the configuration or a model is refused: everything stays as it is, and the refusal is counted.
    pub async fn reload(&mut self, config: Result<Config, ConfigError>) -> Result<(), DaemonError> {
        let result = self.try_reload(config).await;
        match &result {
            Ok(()) => {
                self.metrics.reload("ok");
                tracing::info!("reloaded");
            }
            Err(_) => self.metrics.reload("refused"),
        }
        result
    }

    async fn try_reload(&mut self, config: Result<Config, ConfigError>) -> Result<(), DaemonError> {
        let config = config?;
        for key in self.config.restart_needed(&config) {
            tracing::warn!(key, "changed, but needs a restart");
        }
        let loaded = load(&config, &self.runtime, &self.metrics).await?;
        announce(&loaded, &self.runtime, &self.metrics);
        self.health.set(|signal| signal.is_none_or(|s| loaded.serves(s).is_some())).await;
        self.vitals.beat();
        // The old models end with the last request that uses them.
        drop(self.engine.swap(Some(Arc::new(loaded))));
        self.config = self.config.clone().with_models_of(config);
        Ok(())
    }

    /// Where it listens.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.socket.as_ref().map_or_else(PathBuf::new, |s| s.path().to_owned())
    }

    /// The admin port's address, if it is on.
    #[must_use]
    pub const fn admin(&self) -> Option<std::net::SocketAddr> {
        self.admin
    }

    /// Its metrics.
    #[must_use]
    pub const fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// Stops letting clients in, waits for calls under way within the limit, and ends.
    ///
    /// # Errors
    ///
    /// When calls had to be cut off, or the transport had failed.
    pub async fn stop(mut self) -> Result<(), DaemonError> {
        tracing::info!("draining");
        self.vitals.set_ready(false);
        self.metrics.ready.set(0);
        self.health.set(|_| false).await;
        // New connections fail at once instead of waiting in a backlog; a successor's socket stays.
        self.socket = None;
        self.stop.send_replace(true);
        let drained = tokio::time::timeout(self.config.drain, self.drain()).await;
        if drained.is_err() {
            self.engine.cut_off();
            tracing::warn!("calls were cut off because draining took too long");
        }
        self.server.abort();
        self.others.iter().for_each(JoinHandle::abort);
        if let Some(loaded) = self.engine.swap(None) {
            tokio::task::spawn_blocking(move || loaded.close()).await?;
        }
        if let Some(traces) = self.traces.take() {
            tokio::task::spawn_blocking(move || traces.close()).await?;
        }
        tracing::info!("stopped");
        match drained {
            Ok(served) => served,
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "draining took too long").into()),
        }
    }

    /// Waits until clients have closed their connections, or, as a client may be gone without a word, until nothing has been asked for a
    /// while.
    async fn drain(&mut self) -> Result<(), DaemonError> {
        let mut idle_since = None;
        loop {
            tokio::select! {
                served = &mut self.server => return Ok(served??),
                () = tokio::time::sleep(DRAIN_POLL) => {}
            }
            let busy = self.engine.in_flight() > 0;
            let since = *idle_since.get_or_insert_with(Instant::now);
            if busy {
                idle_since = None;
            } else if since.elapsed() > DRAIN_IDLE {
                return Ok(());
            }
        }
    }
}

impl std::fmt::Debug for Daemon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Daemon").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.server.abort();
        self.others.iter().for_each(JoinHandle::abort);
    }
}

async fn load(
    config: &Config,
    runtime: &Arc<dyn Runtime>,
    metrics: &Arc<Metrics>,
) -> Result<Loaded, DaemonError> {
    let plan = plan(config);
    let runtime = Arc::clone(runtime);
    let metrics = Arc::clone(metrics);
    Ok(tokio::task::spawn_blocking(move || Loaded::load(&plan, &runtime, &metrics)).await??)
}

/// What the configuration says about models.
#[must_use]
pub fn plan(config: &Config) -> loaded::Plan {
    loaded::Plan {
        dirs: config.models.clone(),
        thresholds: config.thresholds.clone(),
        type_thresholds: config.type_thresholds.clone(),
        limits: config.batch,
        attention: config.attention,
        attention_of: config.attention_of.clone(),
        batching: config.batching,
        sessions: config.sessions,
    }
}

fn announce(loaded: &Loaded, runtime: &Arc<dyn Runtime>, metrics: &Metrics) {
    let info = runtime.describe();
    let mut rows = Vec::new();
    for signal in Signal::ALL {
        let Some((index, _)) = loaded.serves(signal) else { continue };
        let Some(model) = loaded.models.get(index) else { continue };
        let spec = &model.spec;
        let attention = if spec.uses_operator { "flash" } else { "plain" };
        tracing::info!(%signal, name = spec.name, version = spec.version, file = %spec.file.display(), attention, provider = info.provider, "model loaded");
        rows.push(Served {
            signal: signal.name(),
            name: &spec.name,
            version: &spec.version,
            sha256: &spec.sha256,
            attention,
        });
    }
    tracing::info!(
        version = info.version,
        provider = info.provider,
        fell_back = info.fell_back,
        "runtime"
    );
    metrics.serves(&rows, &info);
}

async fn run_admin(
    more: axum::Router,
    listener: TcpListener,
    metrics: Arc<Metrics>,
    vitals: Arc<Vitals>,
    stopped: watch::Receiver<bool>,
) {
    if let Err(error) = admin::serve(listener, metrics, vitals, more, until(stopped)).await {
        tracing::error!(%error, "the admin port failed");
    }
}

async fn until(mut stopped: watch::Receiver<bool>) {
    // An error means that the sender is gone, which is a stop as well.
    drop(stopped.wait_for(|stop| *stop).await);
}
