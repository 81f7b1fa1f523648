//! `inferd doctor`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::{CliError, Config, Env, Local, block_on, chain, print};
use crate::doctor::{self, Proxy, Report, node};
use crate::server::Client;

/// How long the daemon may take to say whether it serves.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(2);

/// Say what is wrong with an installation, and what to do about it.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 nothing wrong, 1 faults found, 2 wrong usage.

Examples:
  inferd doctor                                            this node: socket, daemon, library, threads
  inferd doctor --config inferd.yaml --envoy-user 1337:1337
  inferd doctor --bootstrap envoy.yaml --envoy /usr/bin/envoy
  inferd doctor --admin http://127.0.0.1:9901 --json       a running Envoy (Istio: istioctl dashboard envoy, port 15000)
  inferd doctor --config-dump dump.json                    curl -s 'localhost:15000/config_dump?include_eds' > dump.json")]
pub(super) struct Doctor {
    /// Envoy's bootstrap (YAML or JSON)
    #[arg(long, value_name = "FILE", group = "proxy")]
    bootstrap: Option<PathBuf>,
    /// What /config_dump?include_eds of an Envoy printed
    #[arg(long, value_name = "FILE", group = "proxy")]
    config_dump: Option<PathBuf>,
    /// Admin port of a running Envoy
    #[arg(long, value_name = "URL", group = "proxy")]
    admin: Option<String>,
    /// Envoy's binary, to ask for its version
    #[arg(long, value_name = "PATH")]
    envoy: Option<PathBuf>,
    /// Name of the filter in http_filters; otherwise it is known by the word forebay in one of its names
    #[arg(long, value_name = "NAME")]
    filter: Option<String>,
    /// The daemon's socket
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
    /// The user that Envoy runs as, to see whether it may connect
    #[arg(long, value_name = "UID:GID[,GID...]")]
    envoy_user: Option<node::User>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Only print all faults that it knows, as a Markdown table
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    local: Local,
}

impl Doctor {
    pub(super) fn run(self, env: Env<'_>) -> Result<(), CliError> {
        if self.list {
            return print(&doctor::reference());
        }
        let mut report = Report::default();
        let proxy = self.proxy(&mut report)?;
        if let Some(proxy) = &proxy {
            report.envoy(proxy, self.filter.as_deref());
        }
        let local = &self.local;
        let asks_node = local.config.is_some() || !local.models.is_empty();
        let config = if asks_node || (proxy.is_none() && self.socket.is_none()) {
            self.node(env, &mut report)?
        } else {
            None
        };
        let path = self.socket.clone().or_else(|| config.as_ref().map(|c| c.socket.path.clone()));
        match &path {
            Some(path) if self.socket.is_some() || local.config.is_some() || !asks_node => {
                if node::socket(path, self.envoy_user.as_ref(), &mut report) {
                    node::health(ask(path), path, &mut report);
                }
            }
            Some(_) | None => report.skip("the socket: give --socket or --config"),
        }
        report.compare(path.as_deref(), config.map(|c| c.max_message_bytes));
        print(&if self.json { format!("{:#}\n", report.json()) } else { report.text() })?;
        match report.findings().len() {
            0 => Ok(()),
            count => Err(CliError::Findings(count)),
        }
    }

    fn proxy(&self, report: &mut Report) -> Result<Option<Proxy>, CliError> {
        let file = self.bootstrap.as_ref().or(self.config_dump.as_ref());
        let mut proxy = match (file, &self.admin) {
            (Some(file), _) => {
                report.saw(format!("Envoy's configuration in {}", file.display()));
                read(file)?
            }
            (None, Some(url)) => {
                report.saw(format!("Envoy's configuration at {url}"));
                doctor::fetch(url).map_err(CliError::Usage)?
            }
            (None, None) => return Ok(None),
        };
        if let Some(binary) = &self.envoy {
            proxy.version = Some(ask_version(binary)?);
        }
        Ok(Some(proxy))
    }

    /// The daemon's configuration, models and library.
    fn node(&self, env: Env<'_>, report: &mut Report) -> Result<Option<Config>, CliError> {
        let name = self
            .local
            .config
            .as_ref()
            .map_or_else(|| "the daemon's defaults".to_owned(), |file| file.display().to_string());
        let config = match self.local.raw().and_then(Config::try_from) {
            Ok(config) => config,
            Err(error) => {
                let Some(finding) = node::refused(&error, &name) else {
                    return Err(CliError::Usage(chain(&error)));
                };
                report.add(finding);
                return Ok(None);
            }
        };
        report.saw(format!("the daemon's configuration: {name}"));
        node::daemon(&config, report);
        match self.local.runtime(&config, env) {
            Ok(runtime) => report.saw(format!("ONNX Runtime: {}", runtime.describe().version)),
            Err(CliError::Library(error)) => report.add(node::unusable_library(&error)),
            Err(other) => return Err(other),
        }
        Ok(Some(config))
    }
}

fn read(file: &Path) -> Result<Proxy, CliError> {
    let unusable = |why: String| CliError::Usage(format!("{}: {why}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| unusable(error.to_string()))?;
    let document = if text.trim_start().starts_with('{') {
        serde_json::from_str(&text).map_err(|error| unusable(format!("not JSON: {error}")))?
    } else {
        serde_saphyr::from_str(&text).map_err(|error| unusable(format!("not YAML: {error}")))?
    };
    Proxy::read(&document).map_err(unusable)
}

fn ask_version(binary: &Path) -> Result<(u64, u64), CliError> {
    let failed = |why: String| CliError::Usage(format!("{} --version: {why}", binary.display()));
    let output = std::process::Command::new(binary)
        .arg("--version")
        .output()
        .map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    doctor::version(&text).ok_or_else(|| failed("printed no version".to_owned()))
}

fn ask(path: &Path) -> Result<bool, String> {
    let asked = async {
        let client = Client::connect(path).await?;
        Ok(client.is_serving("").await?)
    };
    let answer: Result<bool, CliError> = block_on(async {
        tokio::time::timeout(HEALTH_TIMEOUT, asked).await.map_err(|_| {
            CliError::Failed(format!("no answer within {} s", HEALTH_TIMEOUT.as_secs()))
        })?
    });
    answer.map_err(|error| chain(&error))
}
