//! `inferd health`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{CliError, block_on, print};
use crate::models::Signal;
use crate::server::Client;

/// Ask a daemon whether it serves.
#[derive(Debug, Args)]
pub(super) struct Health {
    /// The daemon's socket
    #[arg(long, value_name = "PATH", default_value = "/run/forebay/inferd.sock")]
    socket: PathBuf,
    /// Ask about one classifier instead of the daemon as a whole
    #[arg(long, value_enum)]
    signal: Option<Signal>,
    /// How long to wait for an answer
    #[arg(long, value_name = "MS", default_value_t = 2000)]
    timeout_ms: u64,
}

impl Health {
    pub(super) fn run(self) -> Result<(), CliError> {
        let name = self.signal.map_or("inferd", Signal::name);
        let service = self.signal.map_or("", Signal::name);
        let asked = async {
            let client = Client::connect(&self.socket).await?;
            Ok(client.is_serving(service).await?)
        };
        let serving = block_on(async {
            let late = |_| {
                CliError::Failed(format!("{name} did not answer within {} ms", self.timeout_ms))
            };
            tokio::time::timeout(Duration::from_millis(self.timeout_ms), asked)
                .await
                .map_err(late)?
        })?;
        if !serving {
            return Err(CliError::NotServing(name.to_owned()));
        }
        print(&format!("{name}: serving\n"))
    }
}
