//! The daemon's configuration: `Raw` is what the YAML says, `Config` what the rest of the daemon sees.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::attention::Attention;
use crate::backend::{Provider, ort};
use crate::batch;
use crate::engine;
use crate::models::{Signal, near_match};
use crate::traces::TracesConfig;

/// Longest path that fits a socket address, in bytes, the temporary name's suffix not counted.
pub const MAX_SOCKET_PATH_BYTES: usize = 107;

/// Most windows of one batch.
const MAX_BATCH_ROWS: usize = 256;

/// The configuration file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Raw {
    /// Where the filter connects.
    pub socket: RawSocket,
    /// HTTP for probes and metrics.
    pub admin: RawAdmin,
    /// Model folders; relative paths start at the configuration file.
    pub models: Vec<PathBuf>,
    /// Thresholds that replace those of the manifests, by signal, 0 to 1.
    pub thresholds: BTreeMap<Signal, f32>,
    /// Thresholds of the pii signal that replace those of the manifest, by entity type, 0 to 1.
    pub type_thresholds: BTreeMap<String, f32>,
    /// Which graph of a model runs, by the model's name; `runtime.attention` for the others.
    pub attention: BTreeMap<String, Attention>,
    /// ONNX Runtime.
    pub runtime: RawRuntime,
    /// Caps.
    pub limits: RawLimits,
    /// Logs on standard error.
    pub log: RawLog,
    /// OpenTelemetry traces.
    pub traces: RawTraces,
    /// When files change.
    pub reload: RawReload,
}

/// The Unix socket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawSocket {
    /// Path; at most 107 bytes.
    pub path: PathBuf,
    /// Octal permissions.
    pub mode: String,
    /// Group that owns it, by name or number; the daemon's own when absent.
    pub group: Option<String>,
    /// Peers that may connect, by user id; everyone whom the permissions admit when both lists are empty.
    pub allowed_uids: Vec<u32>,
    /// Peers that may connect, by group id.
    pub allowed_gids: Vec<u32>,
}

impl Default for RawSocket {
    fn default() -> Self {
        Self {
            path: "/run/forebay/inferd.sock".into(),
            mode: "0660".into(),
            group: None,
            allowed_uids: Vec::new(),
            allowed_gids: Vec::new(),
        }
    }
}

/// The admin port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawAdmin {
    /// Address and port, or `off`.
    pub listen: String,
    /// Serve the Open Inference Protocol (`/v2/...`) and `POST /predict` there as well. Unlike probes and metrics these take text.
    pub compatibility: bool,
}

impl Default for RawAdmin {
    fn default() -> Self {
        Self { listen: "127.0.0.1:9464".into(), compatibility: false }
    }
}

/// ONNX Runtime.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawRuntime {
    /// The library file; found beside the binary when absent.
    pub library: Option<PathBuf>,
    /// Threads that work on one run; 0 shares the CPU quota among the sessions.
    pub intra_threads: usize,
    /// Sessions for each model file, each with a copy of its packed weights.
    pub sessions: usize,
    /// Whether windows run together.
    pub batching: Batching,
    /// Where the models run.
    pub provider: Provider,
    /// Most device memory of a session in bytes; 0 sets no limit. Not for the CPU.
    pub memory_limit_bytes: usize,
    /// The library of this project's operators, which rewritten models need; found beside the binary when absent.
    pub operator_library: Option<PathBuf>,
    /// Which graph runs: the exported one, or the one that is rewritten for the operator library.
    pub attention: Attention,
    /// Where graphs that the daemon rewrites itself are kept between starts; `forebay` in the user's cache folder when absent.
    pub cache: Option<PathBuf>,
    /// Run on the CPU, tagged and counted, when the provider cannot take the whole model; otherwise that is an error.
    pub allow_fallback: bool,
}

impl Default for RawRuntime {
    fn default() -> Self {
        Self {
            library: None,
            intra_threads: 0,
            sessions: 1,
            batching: Batching::Auto,
            provider: Provider::Cpu,
            memory_limit_bytes: 0,
            operator_library: None,
            attention: Attention::Auto,
            cache: None,
            allow_fallback: false,
        }
    }
}

/// Whether windows run together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Batching {
    /// Together, unless the model quantises activations as it runs. Such a model picks one scale for a whole batch, so
    /// that a text's scores would depend on whatever other text happened to run beside it. Measured on an early
    /// checkpoint of the embedded model: the jailbreak probability moved by up to 0.04 among ten short texts, and
    /// batches of eight saved 42 % of the CPU time at 16 tokens, 15 % at 64 and nothing at 256.
    Auto,
    /// Together.
    Always,
    /// One by one.
    Never,
}

/// Caps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawLimits {
    /// Longest gRPC message that is read.
    pub max_message_bytes: usize,
    /// Open connections; more are closed at once.
    pub max_connections: usize,
    /// Requests worked on at once; more are shed.
    pub max_concurrent_requests: usize,
    /// Tokens of one batch, padding included.
    pub max_batch_tokens: usize,
    /// Tokens waiting for each model; more are shed.
    pub max_queue_tokens: usize,
    /// Tokens of a text that are read, the rest is left out and the answer says so; 0 never leaves anything out.
    pub max_tokens_per_signal: usize,
    /// Used when a call has no deadline, and the most that one may ask for.
    pub max_deadline_ms: u64,
    /// How long requests under way may take when the daemon is told to stop.
    pub drain_ms: u64,
}

impl Default for RawLimits {
    fn default() -> Self {
        Self {
            max_message_bytes: 16 * 1024 * 1024,
            max_connections: 1024,
            max_concurrent_requests: 1024,
            max_batch_tokens: 2048,
            // About 13 s of work for the embedded model on one core: longer queues only make everyone late.
            max_queue_tokens: 131_072,
            max_tokens_per_signal: 0,
            max_deadline_ms: 60_000,
            drain_ms: 10_000,
        }
    }
}

/// Logs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawLog {
    /// `error`, `warn`, `info`, `debug`, `trace`, or filters such as `inferd=debug`.
    pub level: String,
    /// Lines for people or JSON for machines.
    pub format: LogFormat,
}

impl Default for RawLog {
    fn default() -> Self {
        Self { level: "info".into(), format: LogFormat::Text }
    }
}

/// OpenTelemetry traces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawTraces {
    /// Collector that takes OTLP over gRPC without TLS, such as `http://127.0.0.1:4317`; off when absent.
    pub endpoint: Option<String>,
    /// Share of calls without a trace context that start a trace, 0 to 1. A context that comes with a call decides for it.
    pub ratio: f64,
}

impl Default for RawTraces {
    fn default() -> Self {
        Self { endpoint: None, ratio: 1.0 }
    }
}

/// When files change. SIGHUP reloads as well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawReload {
    /// How often the configuration and the model folders are looked at; 0 never.
    pub poll_ms: u64,
}

impl Default for RawReload {
    fn default() -> Self {
        Self { poll_ms: 5000 }
    }
}

/// Shape of log lines.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One object for each line.
    Json,
}

/// A checked configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The socket.
    pub socket: SocketConfig,
    /// The admin port; `None` when off.
    pub admin: Option<SocketAddr>,
    /// Whether other servers' interfaces are served there.
    pub compatibility: bool,
    /// Model folders.
    pub models: Vec<PathBuf>,
    /// Thresholds by signal.
    pub thresholds: BTreeMap<Signal, f32>,
    /// Thresholds by entity type.
    pub type_thresholds: BTreeMap<String, f32>,
    /// Which graph runs.
    pub attention: Attention,
    /// Which graph runs, by model name.
    pub attention_of: BTreeMap<String, Attention>,
    /// The library, if configured.
    pub library: Option<PathBuf>,
    /// Settings of sessions.
    pub session: ort::Options,
    /// Sessions for each model file.
    pub sessions: usize,
    /// Longest message.
    pub max_message_bytes: usize,
    /// Open connections.
    pub max_connections: usize,
    /// Whether windows run together.
    pub batching: Batching,
    /// Caps of the queue.
    pub batch: batch::Limits,
    /// Caps of the engine.
    pub engine: engine::Limits,
    /// Default and longest deadline.
    pub max_deadline: Duration,
    /// Time to drain.
    pub drain: Duration,
    /// Logs.
    pub log: LogConfig,
    /// Where spans go, if anywhere.
    pub traces: Option<TracesConfig>,
    /// How often files are looked at; `None` never.
    pub poll: Option<Duration>,
}

/// The socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocketConfig {
    /// Where the filter connects.
    pub path: PathBuf,
    /// Permission bits.
    pub mode: u32,
    /// Group id that owns it.
    pub gid: Option<u32>,
    /// Peers that may connect; everyone when both are empty.
    pub allowed_uids: Vec<u32>,
    /// Peers that may connect.
    pub allowed_gids: Vec<u32>,
}

/// Logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogConfig {
    /// Filter.
    pub level: String,
    /// Shape.
    pub format: LogFormat,
}

/// Why a configuration is refused.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: cannot read it", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Not YAML of the right shape; the message names the key.
    #[error("{message}")]
    Parse {
        /// Key, what was found, what is allowed.
        message: String,
    },
    /// A value is out of range.
    #[error("{key}: {message}")]
    Value {
        /// Dotted key.
        key: &'static str,
        /// What was found and what is allowed.
        message: String,
    },
}

impl Raw {
    /// Reads YAML (of which JSON is a part).
    ///
    /// # Errors
    ///
    /// Names the key; an unknown one comes with the known one that it resembles.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let value: serde_json::Value = serde_saphyr::from_str(text)
            .map_err(|e| ConfigError::Parse { message: format!("not YAML: {e}") })?;
        // A file with comments only.
        if value.is_null() {
            return Ok(Self::default());
        }
        serde_path_to_error::deserialize(value).map_err(|error| {
            let inner = error.inner().to_string();
            let message = match error.path().to_string() {
                path if path == "." => inner.clone(),
                path => format!("{path}: {inner}"),
            };
            ConfigError::Parse { message: with_hint(message, &inner) }
        })
    }

    /// Reads a file; relative model folders in it start at its folder.
    ///
    /// # Errors
    ///
    /// As [`Raw::parse`], and when the file cannot be read.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        let mut raw = Self::parse(&text)?;
        if let Some(base) = path.parent() {
            for dir in &mut raw.models {
                *dir = base.join(&*dir);
            }
        }
        Ok(raw)
    }
}

/// Adds the known key that an unknown one resembles, from serde's list of what it expected.
fn with_hint(message: String, inner: &str) -> String {
    let mut quoted = inner.split('`').skip(1).step_by(2);
    let (Some(unknown), true) = (quoted.next(), inner.starts_with("unknown ")) else {
        return message;
    };
    let known: Vec<&str> = quoted.collect();
    match near_match(unknown, &known) {
        Some(meant) => format!("{message}; did you mean `{meant}`?"),
        None => message,
    }
}

impl TryFrom<Raw> for Config {
    type Error = ConfigError;

    fn try_from(raw: Raw) -> Result<Self, ConfigError> {
        let limits = &raw.limits;
        within("limits.max_message_bytes", limits.max_message_bytes, 1024, 256 << 20)?;
        within("limits.max_connections", limits.max_connections, 1, 1 << 20)?;
        within("limits.max_concurrent_requests", limits.max_concurrent_requests, 1, 1 << 20)?;
        within("limits.max_batch_tokens", limits.max_batch_tokens, 16, 1 << 20)?;
        within("limits.max_queue_tokens", limits.max_queue_tokens, 512, 1 << 28)?;
        within("limits.max_deadline_ms", limits.max_deadline_ms, 1, 3_600_000)?;
        within("limits.drain_ms", limits.drain_ms, 0, 3_600_000)?;
        within("reload.poll_ms", raw.reload.poll_ms, 0, 3_600_000)?;
        within("runtime.intra_threads", raw.runtime.intra_threads, 0, 1024)?;
        within("runtime.sessions", raw.runtime.sessions, 1, 64)?;
        for (signal, threshold) in &raw.thresholds {
            probability("thresholds", signal.name(), *threshold)?;
        }
        for (kind, threshold) in &raw.type_thresholds {
            probability("type_thresholds", kind, *threshold)?;
        }
        let level = tracing_subscriber::EnvFilter::try_new(&raw.log.level);
        level.map_err(|e| ConfigError::Value {
            key: "log.level",
            message: format!("{:?}: {e}", raw.log.level),
        })?;
        let sessions = raw.runtime.sessions * raw.models.len().max(1);
        let threads = NonZeroUsize::new(raw.runtime.intra_threads)
            .unwrap_or_else(|| share(cpu_quota(), sessions));
        Ok(Self {
            admin: admin(&raw.admin.listen)?,
            compatibility: raw.admin.compatibility,
            models: raw.models,
            thresholds: raw.thresholds,
            type_thresholds: raw.type_thresholds,
            attention: raw.runtime.attention,
            attention_of: raw.attention,
            library: raw.runtime.library,
            session: ort::Options {
                intra_threads: threads,
                provider: raw.runtime.provider,
                memory_limit_bytes: (raw.runtime.memory_limit_bytes > 0)
                    .then_some(raw.runtime.memory_limit_bytes),
                operator_library: raw.runtime.operator_library,
                allow_fallback: raw.runtime.allow_fallback,
                cache: raw.runtime.cache,
                read_back: false,
            },
            sessions: raw.runtime.sessions,
            max_message_bytes: limits.max_message_bytes,
            max_connections: limits.max_connections,
            batching: raw.runtime.batching,
            batch: batch::Limits {
                max_batch_rows: MAX_BATCH_ROWS,
                max_batch_tokens: limits.max_batch_tokens,
                max_queue_tokens: limits.max_queue_tokens,
            },
            engine: engine::Limits {
                max_concurrent_requests: limits.max_concurrent_requests,
                max_tokens_per_signal: (limits.max_tokens_per_signal > 0)
                    .then_some(limits.max_tokens_per_signal),
            },
            max_deadline: Duration::from_millis(limits.max_deadline_ms),
            drain: Duration::from_millis(limits.drain_ms),
            traces: traces(raw.traces)?,
            log: LogConfig { level: raw.log.level, format: raw.log.format },
            poll: (raw.reload.poll_ms > 0).then(|| Duration::from_millis(raw.reload.poll_ms)),
            socket: socket(raw.socket)?,
        })
    }
}

impl Config {
    /// Keys that differ in `next` and that a reload cannot change.
    #[must_use]
    pub fn restart_needed(&self, next: &Self) -> Vec<&'static str> {
        let limits =
            |c: &Self| (c.max_message_bytes, c.max_connections, c.max_deadline, c.drain, c.engine);
        [
            ("socket", self.socket != next.socket),
            ("admin", (self.admin, self.compatibility) != (next.admin, next.compatibility)),
            ("runtime", self.library != next.library || self.session != next.session),
            ("limits", limits(self) != limits(next)),
            ("log", self.log != next.log),
            ("traces", self.traces != next.traces),
            ("reload", self.poll != next.poll),
        ]
        .into_iter()
        .filter_map(|(key, differs)| differs.then_some(key))
        .collect()
    }

    /// This configuration with what a reload can change taken from `next`.
    #[must_use]
    pub fn with_models_of(self, next: Self) -> Self {
        Self {
            models: next.models,
            thresholds: next.thresholds,
            type_thresholds: next.type_thresholds,
            attention: next.attention,
            attention_of: next.attention_of,
            sessions: next.sessions,
            batching: next.batching,
            batch: next.batch,
            ..self
        }
    }
}

/// CPUs that the cgroup grants this process, or those that it may run on.
fn cpu_quota() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn share(cpus: NonZeroUsize, sessions: usize) -> NonZeroUsize {
    NonZeroUsize::new(cpus.get() / sessions.max(1)).unwrap_or(NonZeroUsize::MIN)
}

fn within<T: PartialOrd + Copy + std::fmt::Display>(
    key: &'static str,
    got: T,
    low: T,
    high: T,
) -> Result<(), ConfigError> {
    if got < low || got > high {
        return Err(ConfigError::Value {
            key,
            message: format!("{got} is not within {low} to {high}"),
        });
    }
    Ok(())
}

fn probability(key: &'static str, name: &str, got: f32) -> Result<(), ConfigError> {
    if (0.0..=1.0).contains(&got) {
        return Ok(());
    }
    Err(ConfigError::Value { key, message: format!("{name}: {got} is not within 0 to 1") })
}

fn admin(listen: &str) -> Result<Option<SocketAddr>, ConfigError> {
    if listen == "off" {
        return Ok(None);
    }
    listen.parse().map(Some).map_err(|_| ConfigError::Value {
        key: "admin.listen",
        message: format!(
            "{listen:?} is neither `off` nor an address with a port such as 127.0.0.1:9464"
        ),
    })
}

fn traces(raw: RawTraces) -> Result<Option<TracesConfig>, ConfigError> {
    within("traces.ratio", raw.ratio, 0.0, 1.0)?;
    let Some(endpoint) = raw.endpoint else { return Ok(None) };
    if endpoint.strip_prefix("http://").is_none_or(str::is_empty) {
        return Err(ConfigError::Value {
            key: "traces.endpoint",
            message: format!("{endpoint:?} is no address such as http://127.0.0.1:4317"),
        });
    }
    Ok(Some(TracesConfig { endpoint, ratio: raw.ratio }))
}

fn socket(raw: RawSocket) -> Result<SocketConfig, ConfigError> {
    let value = |key, message| Err(ConfigError::Value { key, message });
    let bytes = raw.path.as_os_str().len();
    // The temporary name is longer than the path by a dot and the process id.
    let limit = MAX_SOCKET_PATH_BYTES - format!(".{}", std::process::id()).len();
    if bytes == 0 || bytes > limit {
        return value(
            "socket.path",
            format!("has {bytes} bytes; 1 to {limit} fit a socket address with a temporary suffix"),
        );
    }
    let Ok(mode) = u32::from_str_radix(raw.mode.trim_start_matches("0o"), 8) else {
        return value(
            "socket.mode",
            format!("{:?} is not octal permissions such as \"0660\"", raw.mode),
        );
    };
    if mode > 0o777 {
        return value("socket.mode", format!("{:?} is above 0777", raw.mode));
    }
    let gid = match raw.group {
        None => None,
        Some(group) => match group.parse().ok().or_else(|| gid_of(&group)) {
            Some(gid) => Some(gid),
            None => {
                return value(
                    "socket.group",
                    format!("{group:?} is neither a number nor a group of this machine"),
                );
            }
        },
    };
    Ok(SocketConfig {
        path: raw.path,
        mode,
        gid,
        allowed_uids: raw.allowed_uids,
        allowed_gids: raw.allowed_gids,
    })
}

/// Looks a group up in the local group file.
fn gid_of(name: &str) -> Option<u32> {
    let file = std::fs::read_to_string("/etc/group").ok()?;
    file.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next() == Some(name)).then(|| fields.nth(1)?.parse().ok()).flatten()
    })
}

/// The JSON Schema of the configuration file.
#[must_use]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Raw).to_value()
}

#[cfg(test)]
mod tests;
