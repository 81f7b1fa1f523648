//! A peer that serves JSON over HTTP, in a process of its own.
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::install;

const PACKAGES: [&str; 3] = ["onnxruntime==1.31.1", "tokenizers==0.23.3", "numpy==2.4.6"];

/// A peer's process. It is killed when this is dropped.
pub(crate) struct Server {
    child: Child,
    /// Where it listens, on loopback.
    pub(crate) port: u16,
    /// Versions of its packages, by name.
    pub(crate) versions: Value,
}

impl Server {
    /// Starts it and waits for the line that tells its port.
    ///
    /// # Errors
    ///
    /// Fails when it does not start, or tells no port.
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut server = Self { child, port: 0, versions: Value::Null };
        let mut line = String::new();
        let output = server.child.stdout.take().context("no output")?;
        BufReader::new(output).read_line(&mut line)?;
        let said: Value = serde_json::from_str(&line).context("it did not start")?;
        let port = said["port"].as_u64().and_then(|port| u16::try_from(port).ok());
        server.port = port.context("no port")?;
        server.versions = said["versions"].clone();
        Ok(server)
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The Python service over these model folders, its packages installed.
///
/// # Errors
///
/// Fails when they cannot be installed.
pub(crate) fn python(models: &[PathBuf]) -> Result<Command> {
    let mut command = Command::new(install::python("service", &PACKAGES)?);
    command.arg(install::script("service.py")).args(models);
    Ok(command)
}
