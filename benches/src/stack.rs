//! One way of screening, running: Envoy and what it asks, each a process of its own.
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use e2e::{Envoy, EnvoyConfig, EnvoySetup, Parts, Process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::stats;
use crate::usual::{BodyMode, Reading};

/// Loading models of hundreds of megabytes takes a while.
const START: Duration = Duration::from_secs(300);

/// What stands in Envoy's filter chain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Screening {
    /// Nothing.
    Plain,
    /// Envoy's own filter that holds a body until it is whole, and does nothing else.
    Buffer,
    /// The filter with this configuration.
    Filter(Value),
    /// ext_proc.
    ExtProc(BodyMode),
}

/// Who answers on the socket.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Daemon {
    /// Nobody.
    None,
    /// A daemon that finds nothing; the file takes the times of calls.
    Null(Option<PathBuf>),
    /// inferd with these model folders.
    Inferd {
        /// Model folders.
        models: Vec<PathBuf>,
        /// `host:port` of probes and metrics.
        admin: Option<String>,
    },
    /// The usual ext_proc server.
    Usual {
        /// How it reads.
        reading: Reading,
        /// The filter's configuration.
        config: Value,
        /// Model folders, run one after the other.
        models: Vec<PathBuf>,
        /// Their rewritten graphs.
        flash: bool,
        /// Address space that it may take.
        memory_limit_mib: Option<u64>,
    },
}

/// Everything for one variant.
#[derive(Debug)]
pub(crate) struct Stack {
    /// The proxy.
    envoy: Envoy,
    daemon: Option<Process>,
    log: PathBuf,
    _folder: TempDir,
}

/// CPU time and memory of a stack.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// CPU time of Envoy.
    pub(crate) envoy: Duration,
    /// CPU time of the daemon.
    pub(crate) daemon: Duration,
}

/// The filter's configuration of the benches: every signal tags, so that no body is changed and no request refused.
pub(crate) fn filter_config(coverage: &str) -> Value {
    let signal = json!({"action": "tag", "coverage": coverage});
    json!({
        "daemon": {"cluster": "inferd", "timeout_ms": 600_000},
        "signals": {"jailbreak": signal, "pii": signal, "domain": signal},
        "limits": {"upload_timeout_ms": 600_000},
    })
}

/// All that the filter does by itself, and a call that Envoy refuses at once, since there is no such cluster: every text is
/// normalised, searched and put into a message.
pub(crate) fn local_config() -> Value {
    let mut config = filter_config("full");
    config["daemon"]["cluster"] = "nowhere".into();
    for signal in ["jailbreak", "pii", "domain"] {
        config["signals"][signal]["on_failure"] = "open".into();
    }
    config
}

/// As [`filter_config`], but with every signal off: the filter holds and parses the body and lets it go.
pub(crate) fn silent_config() -> Value {
    let mut config = filter_config("guarded");
    for signal in ["jailbreak", "pii", "domain"] {
        config["signals"][signal]["action"] = "off".into();
    }
    config
}

impl Stack {
    /// Starts the daemon, then Envoy, and waits until both are ready.
    pub(crate) async fn start(
        parts: &Parts,
        upstream: SocketAddr,
        screening: &Screening,
        daemon: &Daemon,
    ) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("forebay-bench-").tempdir()?;
        let socket = folder.path().join("daemon.sock");
        let log = folder.path().join("daemon.log");
        let daemon = match command(parts, screening, daemon, &socket)? {
            None => None,
            Some((command, check)) => {
                let process = Process::start("daemon", command, &log)?;
                Some(ready(process, &socket, check).await?)
            }
        };
        let config = envoy_config(parts, upstream, screening, &socket)?;
        let setup = EnvoySetup { binary: parts.envoy.clone(), config, workers: 2, user: None };
        let envoy = Envoy::start(&setup, folder.path()).await?;
        Ok(Self { envoy, daemon, log, _folder: folder })
    }

    /// Where clients connect.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.envoy.address()
    }

    /// CPU time so far.
    pub(crate) fn usage(&mut self) -> Result<Usage> {
        let daemon = self.daemon.as_ref().map(|daemon| stats::process_cpu(daemon.id()));
        Ok(Usage {
            envoy: stats::process_cpu(self.envoy.process().id())?,
            daemon: daemon.transpose()?.unwrap_or_default(),
        })
    }

    /// Peak memory of Envoy and of the daemon since the last call of [`Stack::reset_peaks`], in MiB.
    pub(crate) fn peaks_mib(&mut self) -> Result<(f64, f64)> {
        let mib =
            |bytes: u64| stats::count(usize::try_from(bytes >> 10).unwrap_or(usize::MAX)) / 1024.0;
        let daemon = self.daemon.as_ref().map(|daemon| stats::peak_bytes(daemon.id()));
        let envoy = stats::peak_bytes(self.envoy.process().id())?;
        Ok((mib(envoy), daemon.transpose()?.map_or(0.0, mib)))
    }

    /// Forgets peaks.
    pub(crate) fn reset_peaks(&mut self) -> Result<()> {
        stats::reset_peak(self.envoy.process().id())?;
        self.daemon.as_ref().map_or(Ok(()), |daemon| stats::reset_peak(daemon.id()))
    }

    /// The daemon's process.
    pub(crate) fn daemon_id(&self) -> Option<u32> {
        self.daemon.as_ref().map(Process::id)
    }

    /// What the daemon has written.
    pub(crate) fn daemon_log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Whether the daemon has ended.
    pub(crate) fn daemon_is_gone(&mut self) -> bool {
        self.daemon.as_mut().is_some_and(|daemon| !matches!(daemon.ended(), Ok(None)))
    }

    /// Ends everything; logs are not shown. Makes sure that the filter has not trapped.
    pub(crate) async fn stop(self) -> Result<()> {
        self.envoy.stop().await?;
        if let Some(mut daemon) = self.daemon {
            let _status = daemon.stop(Duration::from_secs(30)).await?;
        }
        Ok(())
    }
}

/// The command, and another that succeeds when the daemon is ready.
fn command(
    parts: &Parts,
    screening: &Screening,
    daemon: &Daemon,
    socket: &Path,
) -> Result<Option<(Command, Option<Command>)>> {
    let this = std::env::current_exe()?;
    Ok(match daemon {
        Daemon::None => None,
        Daemon::Null(arrivals) => {
            let mut command = Command::new(this);
            command.args(["child", "null", "--socket"]).arg(socket);
            if let Some(file) = arrivals {
                command.arg("--arrivals").arg(file);
            }
            Some((command, None))
        }
        Daemon::Inferd { models, admin } => {
            let mut command = Command::new(&parts.inferd);
            command.arg("serve").arg("--socket").arg(socket).arg("--ort-lib").arg(&parts.ort_lib);
            command.args(["--admin", admin.as_deref().unwrap_or("off")]);
            for model in models {
                command.arg("--model").arg(model);
            }
            let mut health = Command::new(&parts.inferd);
            health.arg("health").arg("--socket").arg(socket);
            health.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            Some((command, Some(health)))
        }
        Daemon::Usual { reading, config, models, flash, memory_limit_mib } => {
            let mut command = Command::new(this);
            let reading = match reading {
                Reading::Filter => "filter",
                Reading::Whole => "whole",
                Reading::WholeCompressed => "whole-compressed",
            };
            let mode = match screening {
                Screening::ExtProc(BodyMode::Streamed) => "streamed",
                Screening::ExtProc(BodyMode::Buffered) => "buffered",
                Screening::Plain | Screening::Buffer | Screening::Filter(_) => {
                    bail!("an ext_proc server without ext_proc")
                }
            };
            command.args(["child", "ext-proc", "--socket"]).arg(socket);
            command.args(["--mode", mode, "--reading", reading, "--config", &config.to_string()]);
            for model in models {
                command.arg("--model").arg(model);
            }
            if *flash {
                command.arg("--flash");
            }
            if let Some(mib) = memory_limit_mib {
                command.args(["--memory-limit-mib", &mib.to_string()]);
            }
            Some((command, None))
        }
    })
}

async fn ready(mut process: Process, socket: &Path, mut check: Option<Command>) -> Result<Process> {
    let deadline = Instant::now() + START;
    loop {
        let is_up =
            check.as_mut().is_none_or(|check| check.status().is_ok_and(|status| status.success()));
        if socket.exists() && is_up {
            return Ok(process);
        }
        if let Some(status) = process.ended()? {
            bail!("the daemon ended ({status}) before it served");
        }
        if Instant::now() > deadline {
            bail!("the daemon does not serve within {START:?}");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The shipped configuration with another filter where the variant wants one.
fn envoy_config(
    parts: &Parts,
    upstream: SocketAddr,
    screening: &Screening,
    socket: &Path,
) -> Result<EnvoyConfig> {
    let mut config = EnvoyConfig::shipped()?;
    config.listen_on(0, 0)?;
    // Reading 32,000 tokens whole takes minutes.
    config.replace("stream_idle_timeout: 60s", "stream_idle_timeout: 900s")?;
    config.upstreams(upstream, upstream)?;
    config.socket(socket)?;
    if let Screening::Filter(filter) = screening {
        config.wasm(
            &parts.wasm.canonicalize().with_context(|| format!("{}", parts.wasm.display()))?,
        )?;
        config.set_filter_config(filter)?;
        return Ok(config);
    }
    const FROM: &str = "                  - name: forebay\n";
    const TO: &str = "                  - name: envoy.filters.http.router\n";
    let text = config.text();
    let (before, rest) = text.split_once(FROM).context("envoy.yaml has no filter `forebay`")?;
    let (_, after) = rest.split_once(TO).context("envoy.yaml has no router filter")?;
    let filter = match screening {
        Screening::ExtProc(mode) => ext_proc(*mode),
        Screening::Buffer => BUFFER.to_owned(),
        Screening::Plain | Screening::Filter(_) => String::new(),
    };
    Ok(EnvoyConfig::from_text(format!("{before}{filter}{TO}{after}")))
}

const BUFFER: &str = "                  - name: buffer
                    typed_config:
                      \"@type\": type.googleapis.com/envoy.extensions.filters.http.buffer.v3.Buffer
                      max_request_bytes: 67108864
";

fn ext_proc(mode: BodyMode) -> String {
    let (mode, early) = match mode {
        BodyMode::Buffered => ("BUFFERED", "false"),
        // The headers are answered last, so that the verdict can pick the route; the body must not wait for that.
        BodyMode::Streamed => ("STREAMED", "true"),
    };
    format!(
        "                  - name: ext_proc
                    typed_config:
                      \"@type\": type.googleapis.com/envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor
                      grpc_service: {{ envoy_grpc: {{ cluster_name: inferd }}, timeout: 900s }}
                      message_timeout: 900s
                      send_body_without_waiting_for_header_response: {early}
                      processing_mode:
                        request_header_mode: SEND
                        response_header_mode: SKIP
                        request_body_mode: {mode}
                        response_body_mode: NONE
                        request_trailer_mode: SKIP
                        response_trailer_mode: SKIP
"
    )
}
