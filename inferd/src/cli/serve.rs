//! `inferd serve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use super::{CliError, Config, ConfigError, Env, Local, LogFormat, block_on};
use crate::daemon::Daemon;
use crate::telemetry;
use crate::watch::Watch;

/// Serve on a Unix socket.
#[derive(Debug, Args)]
pub(super) struct Serve {
    #[command(flatten)]
    local: Local,
    /// Unix socket to serve on
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
    /// Address of the HTTP port for probes and metrics, or `off`
    #[arg(long, value_name = "ADDR:PORT|off")]
    admin: Option<String>,
    /// Shape of log lines
    #[arg(long, value_enum, value_name = "FORMAT")]
    log_format: Option<LogFormat>,
}

impl Serve {
    /// The configuration file with the flags on top; read again at each reload.
    fn config(&self) -> Result<Config, ConfigError> {
        let mut raw = self.local.raw()?;
        if let Some(socket) = &self.socket {
            raw.socket.path.clone_from(socket);
        }
        if let Some(admin) = &self.admin {
            raw.admin.listen.clone_from(admin);
        }
        if let Some(format) = self.log_format {
            raw.log.format = format;
        }
        Config::try_from(raw)
    }

    pub(super) fn run(self, env: Env<'_>) -> Result<(), CliError> {
        let config = self.config()?;
        telemetry::start_logging(&config.log);
        let runtime = self.local.runtime(&config, env)?;
        block_on(async {
            let handler = |kind| signal(kind).map_err(CliError::io("cannot handle signals"));
            let mut hang_up = handler(SignalKind::hangup())?;
            let (mut terminate, mut interrupt) =
                (handler(SignalKind::terminate())?, handler(SignalKind::interrupt())?);
            let stop = async {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
            };
            tokio::pin!(stop);
            let poll = config.poll;
            let mut watch =
                Watch::new(self.local.config.iter().chain(&config.models).cloned().collect());
            let mut daemon = tokio::select! {
                () = &mut stop => return Ok(()),
                daemon = Daemon::start(config, runtime) => daemon?,
            };
            loop {
                tokio::select! {
                    () = &mut stop => break,
                    _ = hang_up.recv() => {}
                    () = changed(&mut watch, poll) => {}
                }
                tokio::select! {
                    () = &mut stop => break,
                    reloaded = daemon.reload(self.config()) => if let Err(error) = reloaded {
                        tracing::error!(error = super::chain(&error), "reload refused; the last good models stay");
                    }
                }
            }
            Ok(daemon.stop().await?)
        })
    }
}

/// Waits until watched files have changed.
async fn changed(watch: &mut Watch, poll: Option<Duration>) {
    let Some(poll) = poll else { return std::future::pending().await };
    loop {
        tokio::time::sleep(poll).await;
        if watch.changed() {
            return;
        }
    }
}
