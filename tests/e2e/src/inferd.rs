//! The real daemon as a child process.
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::parts::{Parts, need};
use crate::process::Process;

/// Loading and warming the model takes seconds on a loaded machine.
const START: Duration = Duration::from_secs(120);
const STOP: Duration = Duration::from_secs(30);

/// A running daemon that serves.
#[derive(Debug)]
pub struct Inferd {
    process: Process,
    socket: PathBuf,
}

impl Inferd {
    /// Starts the daemon on a socket and waits until it serves. `folder` takes its log.
    ///
    /// # Errors
    ///
    /// Fails with the daemon's log when it does not come to serve.
    pub async fn start(parts: &Parts, socket: &Path, folder: &Path) -> Result<Self> {
        for part in [&parts.inferd, &parts.model, &parts.ort_lib] {
            need(part)?;
        }
        let mut command = Command::new(&parts.inferd);
        command.arg("serve").arg("--socket").arg(socket).arg("--model").arg(&parts.model);
        command.arg("--ort-lib").arg(&parts.ort_lib).args(["--admin", "off"]);
        let process = Process::start("inferd", command, &folder.join("inferd.log"))?;
        let mut inferd = Self { process, socket: socket.to_owned() };
        let mut health = Command::new(&parts.inferd);
        health.arg("health").arg("--socket").arg(socket);
        health.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        inferd
            .process
            .until("health", START, async || {
                // The socket appears when the model is warm; the daemon's own check tells the rest.
                let serves =
                    socket.exists() && health.status().is_ok_and(|status| status.success());
                serves.then_some(())
            })
            .await?;
        Ok(inferd)
    }

    /// The socket it serves on.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The process, to kill or signal it.
    pub const fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Asks the daemon to drain and end.
    ///
    /// # Errors
    ///
    /// Fails when it does not end in time, or not with exit code 0.
    pub async fn stop(mut self) -> Result<()> {
        let status = self.process.stop(STOP).await?;
        ensure!(status.success(), "inferd ended with {status}:\n{}", self.process.log());
        Ok(())
    }
}
