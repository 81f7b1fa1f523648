//! Metrics and logs. All metric names and label values are in this file; none holds prompt text.

use std::time::Duration;

use prometheus::core::Collector;
use prometheus::{
    CounterVec, Encoder as _, Gauge, Histogram, HistogramOpts, HistogramVec, IntCounter,
    IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
};

use crate::backend::RuntimeInfo;
use crate::config::{LogConfig, LogFormat};

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every signal was answered; some may carry a failure.
    Ok,
    /// The request broke a rule.
    Invalid,
    /// The queue was full.
    Shed,
    /// The deadline passed.
    Deadline,
    /// The caller went away.
    Cancelled,
    /// The daemon is draining or not warm.
    Unavailable,
    /// Something inside failed.
    Internal,
}

impl Outcome {
    /// Label value.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Invalid => "invalid",
            Self::Shed => "shed",
            Self::Deadline => "deadline",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
            Self::Internal => "internal",
        }
    }
}

/// A part of a request's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Text to ids.
    Tokenise,
    /// Waiting for a worker.
    Queue,
    /// The model.
    Run,
    /// Logits to answers.
    Decode,
}

impl Stage {
    const fn name(self) -> &'static str {
        match self {
            Self::Tokenise => "tokenise",
            Self::Queue => "queue",
            Self::Run => "run",
            Self::Decode => "decode",
        }
    }
}

/// Which graph serves a signal.
#[derive(Clone, Copy, Debug)]
pub struct Served<'a> {
    /// The signal's name.
    pub signal: &'a str,
    /// The model's name.
    pub name: &'a str,
    /// The model's version.
    pub version: &'a str,
    /// Digest of the graph.
    pub sha256: &'a str,
    /// `flash` or `plain`.
    pub attention: &'a str,
}

/// The daemon's metrics.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    request_seconds: Histogram,
    stage_seconds: HistogramVec,
    results: IntCounterVec,
    batch_tokens: HistogramVec,
    batch_rows: HistogramVec,
    tokens: IntCounterVec,
    padding: IntCounterVec,
    run_cpu: CounterVec,
    queue_tokens: IntGaugeVec,
    dropped: IntCounterVec,
    worker_restarts: IntCounterVec,
    truncated: IntCounterVec,
    reloads: IntCounterVec,
    model_info: IntGaugeVec,
    runtime_info: IntGaugeVec,
    runtime_nodes: IntGaugeVec,
    fallbacks: IntCounter,
    /// Open connections on the socket.
    pub connections: IntGauge,
    refused: IntCounterVec,
    /// 1 while requests are answered.
    pub ready: IntGauge,
    /// Seconds since the last probe batch that succeeded, negative before the first.
    pub probe_age: Gauge,
    /// Probe batches that failed.
    pub probe_failures: IntCounter,
}

/// From 50 µs to 13 s.
const SECONDS: [f64; 18] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
    1.0, 2.5, 5.0, 7.5, 13.0,
];

/// Makes and registers the instruments of one registry.
struct Maker<'a>(&'a Registry);

impl Maker<'_> {
    fn add<T: Collector + Clone + 'static>(
        &self,
        made: prometheus::Result<T>,
    ) -> prometheus::Result<T> {
        let made = made?;
        self.0.register(Box::new(made.clone()))?;
        Ok(made)
    }

    fn counters(
        &self,
        name: &str,
        help: &str,
        labels: &[&str],
    ) -> prometheus::Result<IntCounterVec> {
        self.add(IntCounterVec::new(Opts::new(name, help), labels))
    }

    fn gauges(&self, name: &str, help: &str, labels: &[&str]) -> prometheus::Result<IntGaugeVec> {
        self.add(IntGaugeVec::new(Opts::new(name, help), labels))
    }

    fn histograms(
        &self,
        name: &str,
        help: &str,
        label: &str,
        buckets: &[f64],
    ) -> prometheus::Result<HistogramVec> {
        self.add(HistogramVec::new(
            HistogramOpts::new(name, help).buckets(buckets.to_vec()),
            &[label],
        ))
    }
}

impl Metrics {
    /// All metrics, at zero.
    ///
    /// # Errors
    ///
    /// When a name is registered twice: a programming error.
    pub fn new() -> prometheus::Result<Self> {
        let registry = Registry::new();
        let make = Maker(&registry);
        Ok(Self {
            requests: make.counters(
                "forebay_requests_total",
                "Classify calls by how they ended.",
                &["outcome"],
            )?,
            request_seconds: make.add(Histogram::with_opts(
                HistogramOpts::new("forebay_request_seconds", "Wall time of a Classify call.")
                    .buckets(SECONDS.to_vec()),
            ))?,
            stage_seconds: make.histograms(
                "forebay_stage_seconds",
                "Wall time of each stage of a call.",
                "stage",
                &SECONDS,
            )?,
            results: make.counters(
                "forebay_results_total",
                "Answers by signal; failure is none for a good one.",
                &["signal", "failure"],
            )?,
            batch_tokens: make.histograms(
                "forebay_batch_tokens",
                "Tokens of a batch, padding included.",
                "model",
                &[16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0],
            )?,
            batch_rows: make.histograms(
                "forebay_batch_rows",
                "Windows in a batch.",
                "model",
                &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0],
            )?,
            tokens: make.counters(
                "forebay_tokens_total",
                "Tokens that a model read, padding not counted.",
                &["model"],
            )?,
            padding: make.counters(
                "forebay_padding_tokens_total",
                "Padding that a model read.",
                &["model"],
            )?,
            run_cpu: make.add(CounterVec::new(
                Opts::new(
                    "forebay_run_cpu_seconds_total",
                    "CPU time of worker threads in the model; threads that the runtime starts itself are not counted.",
                ),
                &["model"],
            ))?,
            queue_tokens: make.gauges(
                "forebay_queue_tokens",
                "Tokens waiting for a worker.",
                &["model"],
            )?,
            dropped: make.counters(
                "forebay_dropped_windows_total",
                "Windows thrown out before they ran.",
                &["model", "reason"],
            )?,
            worker_restarts: make.counters(
                "forebay_worker_restarts_total",
                "Workers that crashed and were restarted.",
                &["model"],
            )?,
            truncated: make.counters(
                "forebay_truncated_total",
                "Answers that did not read the whole text.",
                &["signal"],
            )?,
            reloads: make.counters(
                "forebay_reloads_total",
                "Reloads of configuration and models.",
                &["outcome"],
            )?,
            model_info: make.gauges(
                "forebay_model_info",
                "1 for each signal that is served; attention is flash where the graph for the operator library runs, else plain.",
                &["signal", "name", "version", "sha256", "attention"],
            )?,
            runtime_info: make.gauges(
                "forebay_runtime_info",
                "1 for the runtime in use.",
                &["version", "provider"],
            )?,
            runtime_nodes: make.gauges(
                "forebay_runtime_nodes",
                "Nodes of the model opened last by the provider that runs them, where another than the CPU was asked for.",
                &["provider"],
            )?,
            fallbacks: make.add(IntCounter::new(
                "forebay_provider_fallbacks_total",
                "Loads that ran on the CPU although another provider was asked for.",
            ))?,
            connections: make
                .add(IntGauge::new("forebay_connections", "Open connections on the socket."))?,
            refused: make.counters(
                "forebay_connections_refused_total",
                "Connections closed at once.",
                &["reason"],
            )?,
            ready: make.add(IntGauge::new("forebay_ready", "1 while requests are answered."))?,
            probe_age: make.add(Gauge::new(
                "forebay_probe_age_seconds",
                "Time since the last probe batch that succeeded.",
            ))?,
            probe_failures: make.add(IntCounter::new(
                "forebay_probe_failures_total",
                "Probe batches that failed.",
            ))?,
            registry,
        })
    }

    /// A call ended.
    pub fn request(&self, outcome: Outcome, took: Duration) {
        self.requests.with_label_values(&[outcome.name()]).inc();
        self.request_seconds.observe(took.as_secs_f64());
    }

    /// A stage ended.
    pub fn stage(&self, stage: Stage, took: Duration) {
        self.stage_seconds.with_label_values(&[stage.name()]).observe(took.as_secs_f64());
    }

    /// A signal was answered; `failure` is `none` or the reason.
    pub fn result(&self, signal: &str, failure: &str, truncated: bool) {
        self.results.with_label_values(&[signal, failure]).inc();
        if truncated {
            self.truncated.with_label_values(&[signal]).inc();
        }
    }

    /// A batch is about to run.
    pub fn batch(&self, model: &str, rows: usize, width: usize, tokens: usize) {
        #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
        {
            self.batch_tokens.with_label_values(&[model]).observe((rows * width) as f64);
            self.batch_rows.with_label_values(&[model]).observe(rows as f64);
        }
        self.tokens.with_label_values(&[model]).inc_by(tokens as u64);
        self.padding.with_label_values(&[model]).inc_by((rows * width - tokens) as u64);
    }

    /// A batch ran on its worker's thread for so long.
    pub fn run_cpu(&self, model: &str, took: Duration) {
        self.run_cpu.with_label_values(&[model]).inc_by(took.as_secs_f64());
    }

    /// How much waits.
    pub fn queue(&self, model: &str, tokens: usize) {
        self.queue_tokens
            .with_label_values(&[model])
            .set(i64::try_from(tokens).unwrap_or(i64::MAX));
    }

    /// Windows were thrown out; `reason` is `deadline` or `gone`.
    pub fn dropped(&self, model: &str, reason: &str, windows: usize) {
        if windows > 0 {
            self.dropped.with_label_values(&[model, reason]).inc_by(windows as u64);
        }
    }

    /// A worker crashed.
    pub fn worker_restart(&self, model: &str) {
        self.worker_restarts.with_label_values(&[model]).inc();
    }

    /// A reload ended; `outcome` is `ok` or `refused`.
    pub fn reload(&self, outcome: &str) {
        self.reloads.with_label_values(&[outcome]).inc();
    }

    /// Connections were closed at once; `reason` is `limit` or `peer`.
    pub fn refused(&self, reason: &str) {
        self.refused.with_label_values(&[reason]).inc();
    }

    /// What is served now; replaces what was.
    pub fn serves(&self, models: &[Served<'_>], runtime: &RuntimeInfo) {
        self.model_info.reset();
        for Served { signal, name, version, sha256, attention } in models {
            self.model_info
                .with_label_values(&[*signal, *name, *version, *sha256, *attention])
                .set(1);
        }
        self.runtime_info.reset();
        self.runtime_info.with_label_values(&[runtime.version.as_str(), runtime.provider]).set(1);
        self.runtime_nodes.reset();
        for (provider, nodes) in &runtime.nodes {
            self.runtime_nodes
                .with_label_values(&[provider.as_str()])
                .set(i64::try_from(*nodes).unwrap_or(i64::MAX));
        }
        if runtime.fell_back {
            self.fallbacks.inc();
        }
    }

    /// Prometheus text format, version 0.0.4.
    #[must_use]
    pub fn render(&self) -> String {
        let mut out = Vec::new();
        if let Err(error) = TextEncoder::new().encode(&self.registry.gather(), &mut out) {
            tracing::warn!(%error, "metrics could not be encoded");
        }
        String::from_utf8(out).unwrap_or_default()
    }
}

/// Starts logging to standard error. Later calls do nothing.
pub fn start_logging(config: &LogConfig) {
    let filter = tracing_subscriber::EnvFilter::new(&config.level);
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // It would complain to the very stream that failed, and panic when that fails as well.
        .log_internal_errors(false);
    let started = match config.format {
        LogFormat::Json => builder
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .try_init(),
        LogFormat::Text => {
            builder.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).try_init()
        }
    };
    drop(started);
}
