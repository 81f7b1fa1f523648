//! `inferd serve`.

use std::path::PathBuf;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use super::{CliError, Config, Env, Local, LogFormat, block_on};
use crate::daemon::Daemon;
use crate::telemetry;

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
    pub(super) fn run(self, env: Env<'_>) -> Result<(), CliError> {
        let mut raw = self.local.raw()?;
        if let Some(socket) = self.socket {
            raw.socket.path = socket;
        }
        if let Some(admin) = self.admin {
            raw.admin.listen = admin;
        }
        if let Some(format) = self.log_format {
            raw.log.format = format;
        }
        let config = Config::try_from(raw)?;
        telemetry::start_logging(&config.log);
        let runtime = self.local.runtime(&config, env)?;
        block_on(async {
            let handler = |kind| signal(kind).map_err(CliError::io("cannot handle signals"));
            let (mut terminate, mut interrupt) =
                (handler(SignalKind::terminate())?, handler(SignalKind::interrupt())?);
            let daemon = tokio::select! {
                daemon = Daemon::start(config, runtime) => daemon?,
                _ = terminate.recv() => return Ok(()),
                _ = interrupt.recv() => return Ok(()),
            };
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            Ok(daemon.stop().await?)
        })
    }
}
