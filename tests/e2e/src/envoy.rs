//! The real Envoy as a child process.
use std::net::SocketAddr;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::client::{Client, Request};
use crate::config::EnvoyConfig;
use crate::parts::need;
use crate::process::Process;

/// Envoy starts in under a second here; a loaded machine gets more.
const START: Duration = Duration::from_secs(60);
const STOP: Duration = Duration::from_secs(20);
/// Envoy writes its access log after the reply has gone out, from a thread of its own.
const LOG_LAG: Duration = Duration::from_secs(10);

/// How Envoy is started.
#[derive(Clone, Debug)]
pub struct EnvoySetup {
    /// The binary.
    pub binary: PathBuf,
    /// Its configuration, all addresses filled in.
    pub config: EnvoyConfig,
    /// Worker threads, and so VMs of the filter.
    pub workers: u32,
    /// Another user to run as; needs root.
    pub user: Option<u32>,
}

/// A running Envoy that is ready for requests.
#[derive(Debug)]
pub struct Envoy {
    process: Process,
    address: SocketAddr,
    admin: SocketAddr,
}

impl Envoy {
    /// Starts Envoy and waits until it is ready. `folder` takes its files.
    ///
    /// # Errors
    ///
    /// Fails with Envoy's log when it refuses its configuration or does not become ready.
    pub async fn start(setup: &EnvoySetup, folder: &Path) -> Result<Self> {
        need(&setup.binary)?;
        let config = write_config(&setup.config, folder)?;
        let admin_file = folder.join("envoy-admin");
        let mut command = Command::new(&setup.binary);
        command.arg("--config-path").arg(&config);
        command.arg("--admin-address-path").arg(&admin_file);
        command.args(["--concurrency", &setup.workers.to_string(), "--disable-hot-restart"]);
        command.args(["--log-level", "warning", "--component-log-level", "wasm:info"]);
        command.args(["--file-flush-interval-msec", "10"]);
        if let Some(user) = setup.user {
            command.uid(user).gid(user);
            std::os::unix::fs::chown(folder, Some(user), Some(user))?;
        }
        let mut process = Process::start("envoy", command, &folder.join("envoy.log"))?;
        let admin: SocketAddr = process
            .until("its admin address", START, async || {
                std::fs::read_to_string(&admin_file).ok()?.trim().parse().ok()
            })
            .await?;
        process
            .until("readiness", START, async || {
                let reply = Client::http1(admin).send(&Request::get("/ready")).await.ok()?;
                (reply.status == 200).then_some(())
            })
            .await?;
        let mut envoy = Self { process, address: admin, admin };
        envoy.address = envoy.listener().await?;
        Ok(envoy)
    }

    /// Checks a configuration as `envoy --mode validate` does: it loads the filter and configures it.
    ///
    /// # Errors
    ///
    /// Fails with Envoy's log when the configuration is refused.
    pub async fn validate(binary: &Path, config: &EnvoyConfig, folder: &Path) -> Result<()> {
        let config = write_config(config, folder)?;
        let mut command = Command::new(binary);
        command
            .args(["--mode", "validate", "--log-level", "warning", "--config-path"])
            .arg(&config);
        let mut process = Process::start("envoy", command, &folder.join("validate.log"))?;
        let status = process.stop_by_itself(START).await?;
        ensure!(status.success(), "envoy refused the configuration:\n{}", process.log());
        Ok(())
    }

    async fn listener(&self) -> Result<SocketAddr> {
        let listeners: Value =
            serde_json::from_slice(&self.admin("/listeners?format=json").await?)?;
        let statuses = listeners["listener_statuses"].as_array().context("no listeners")?;
        ensure!(statuses.len() == 1, "expected one listener; got {listeners}");
        let address = &statuses[0]["local_address"]["socket_address"];
        let (host, port) = (address["address"].as_str(), address["port_value"].as_u64());
        let text = format!("{}:{}", host.unwrap_or_default(), port.unwrap_or_default());
        text.parse().with_context(|| format!("listener address `{text}`"))
    }

    /// Where clients connect.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The admin interface.
    #[must_use]
    pub const fn admin_address(&self) -> SocketAddr {
        self.admin
    }

    /// Gets a page of the admin interface.
    ///
    /// # Errors
    ///
    /// Fails when it does not answer with 200.
    pub async fn admin(&self, path: &str) -> Result<Vec<u8>> {
        let reply = Client::http1(self.admin).send(&Request::get(path)).await?;
        ensure!(reply.status == 200, "admin {path}: status {}", reply.status);
        Ok(reply.body)
    }

    /// A counter or gauge by its full name; 0 if there is none yet.
    ///
    /// # Errors
    ///
    /// Fails when the admin interface does not answer.
    pub async fn stat(&self, name: &str) -> Result<u64> {
        let text = self.admin(&format!("/stats?filter=^{}$", regex::escape(name))).await?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        value.map_or(Ok(0), |value| {
            value.trim().parse().with_context(|| format!("{name}: `{value}`"))
        })
    }

    /// All metrics as Prometheus reads them.
    ///
    /// # Errors
    ///
    /// Fails when the admin interface does not answer.
    pub async fn prometheus(&self) -> Result<String> {
        Ok(String::from_utf8_lossy(&self.admin("/stats/prometheus").await?).into_owned())
    }

    /// Everything that Envoy has written, access log included.
    #[must_use]
    pub fn log(&self) -> String {
        self.process.log()
    }

    /// The lines that the access log has so far; [`Self::access_line`] waits for one.
    #[must_use]
    pub fn access_log(&self) -> Vec<Value> {
        let log = self.log();
        let lines = log.lines().filter(|line| line.starts_with('{'));
        lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// The access log's line number `before`, counted from 0, waited for; none if it does not come.
    pub async fn access_line(&self, before: usize) -> Option<Value> {
        let deadline = Instant::now() + LOG_LAG;
        loop {
            if let Some(line) = self.access_log().into_iter().nth(before) {
                return Some(line);
            }
            if Instant::now() > deadline {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// The process.
    pub const fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Ends Envoy, and makes sure that the filter has not trapped meanwhile.
    ///
    /// # Errors
    ///
    /// Fails when Envoy does not end, or its log tells of a trap.
    pub async fn stop(mut self) -> Result<()> {
        self.process.stop(STOP).await?;
        let log = self.log();
        let trap = log.lines().find(|line| TRAPS.iter().any(|sign| line.contains(sign)));
        ensure!(trap.is_none(), "the filter trapped: {}", trap.unwrap_or_default());
        Ok(())
    }
}

/// What Envoy's log says when wasm code trapped.
const TRAPS: [&str; 3] = ["panicked at", "Function: proxy_on_", "Uncaught RuntimeError"];

fn write_config(config: &EnvoyConfig, folder: &Path) -> Result<PathBuf> {
    let path = folder.join("envoy.yaml");
    std::fs::write(&path, config.text()).with_context(|| format!("{}", path.display()))?;
    Ok(path)
}
