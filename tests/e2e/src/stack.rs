//! Upstreams, daemon and Envoy together.
use std::path::{Path, PathBuf};

use anyhow::Result;
use tempfile::TempDir;

use crate::client::{Client, Reply, Request};
use crate::config::EnvoyConfig;
use crate::envoy::{Envoy, EnvoySetup};
use crate::inferd::Inferd;
use crate::parts::{Parts, need};
use crate::stub::Stub;
use crate::upstream::{Seen, Upstreams};

/// Who answers on the daemon's socket.
#[derive(Debug)]
pub enum Daemon {
    /// The real one.
    Inferd(Inferd),
    /// The stub.
    Stub(Stub),
    /// Nobody.
    Absent,
}

/// Which daemon to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DaemonKind {
    /// The real one, with the real model.
    Inferd,
    /// The stub.
    Stub,
    /// None.
    Absent,
}

/// How a stack is started.
#[derive(Clone, Debug)]
pub struct StackSetup {
    /// The daemon.
    pub daemon: DaemonKind,
    /// Envoy's configuration, before addresses are filled in.
    pub config: EnvoyConfig,
    /// The built programs.
    pub parts: Parts,
    /// Envoy's worker threads.
    pub workers: u32,
    /// Where Envoy listens; 0 lets the system choose.
    pub port: u16,
    /// Another user for Envoy; needs root.
    pub envoy_user: Option<u32>,
}

impl StackSetup {
    /// The shipped configuration and the built programs.
    ///
    /// # Errors
    ///
    /// Fails when the shipped configuration cannot be read.
    pub fn new(daemon: DaemonKind) -> Result<Self> {
        Ok(Self {
            daemon,
            config: EnvoyConfig::shipped()?,
            parts: Parts::locate(),
            workers: 2,
            port: 0,
            envoy_user: None,
        })
    }

    /// This, with the filter's configuration changed.
    ///
    /// # Errors
    ///
    /// Fails when the shipped file holds no filter configuration.
    pub fn filter(mut self, edit: impl FnOnce(&mut serde_json::Value)) -> Result<Self> {
        self.config.edit_filter_config(edit)?;
        Ok(self)
    }

    /// Starts everything, in the order in which each is needed, and waits until all are ready.
    ///
    /// # Errors
    ///
    /// Fails with the log of the program that does not start.
    pub async fn start(mut self) -> Result<Stack> {
        let folder = tempfile::Builder::new().prefix("forebay-").tempdir()?;
        // Another user must be able to come in.
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(folder.path(), open)?;
        let socket = folder.path().join("inferd.sock");
        let upstreams = Upstreams::start().await?;
        let daemon = match self.daemon {
            DaemonKind::Inferd => {
                Daemon::Inferd(Inferd::start(&self.parts, &socket, folder.path()).await?)
            }
            DaemonKind::Stub => Daemon::Stub(Stub::start(&socket)?),
            DaemonKind::Absent => Daemon::Absent,
        };
        need(&self.parts.wasm)?;
        let wasm = self.parts.wasm.canonicalize()?;
        self.config.listen_on(self.port, 0)?;
        self.config.upstreams(upstreams.general(), upstreams.reasoning())?;
        self.config.socket(&socket)?;
        self.config.wasm(&wasm)?;
        let setup = EnvoySetup {
            binary: self.parts.envoy.clone(),
            config: self.config,
            workers: self.workers,
            user: self.envoy_user,
        };
        let envoy = Envoy::start(&setup, folder.path()).await?;
        Ok(Stack { envoy, daemon, upstreams, socket, parts: self.parts, folder })
    }
}

/// Everything running. Dropped, it is killed and the logs are shown; [`Stack::stop`] ends a test that passed.
#[derive(Debug)]
pub struct Stack {
    /// The proxy.
    pub envoy: Envoy,
    /// The daemon.
    pub daemon: Daemon,
    /// The upstreams.
    pub upstreams: Upstreams,
    socket: PathBuf,
    parts: Parts,
    folder: TempDir,
}

impl Stack {
    /// Starts the shipped configuration.
    ///
    /// # Errors
    ///
    /// As [`StackSetup::start`].
    pub async fn start(daemon: DaemonKind) -> Result<Self> {
        StackSetup::new(daemon)?.start().await
    }

    /// A client of Envoy that speaks HTTP/1.1.
    #[must_use]
    pub const fn http1(&self) -> Client {
        Client::http1(self.envoy.address())
    }

    /// A client of Envoy that speaks HTTP/2.
    #[must_use]
    pub const fn http2(&self) -> Client {
        Client::http2(self.envoy.address())
    }

    /// Sends a request over HTTP/1.1 and tells what came back and what reached the upstreams.
    ///
    /// # Errors
    ///
    /// Fails when there is no answer.
    pub async fn send(&self, request: &Request) -> Result<(Reply, Vec<Seen>)> {
        let _before = self.upstreams.take();
        let reply = self.http1().send(request).await?;
        Ok((reply, self.upstreams.take()))
    }

    /// The stub.
    ///
    /// # Errors
    ///
    /// Fails when another daemon was started.
    pub fn stub(&self) -> Result<&Stub> {
        match &self.daemon {
            Daemon::Stub(stub) => Ok(stub),
            Daemon::Inferd(_) | Daemon::Absent => anyhow::bail!("this stack has no stub"),
        }
    }

    /// The daemon's socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The folder for files of this stack.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Puts another daemon in place of this one, which is killed.
    ///
    /// # Errors
    ///
    /// Fails when the new one does not start.
    pub async fn replace_daemon(&mut self, kind: DaemonKind) -> Result<()> {
        match std::mem::replace(&mut self.daemon, Daemon::Absent) {
            Daemon::Inferd(mut inferd) => {
                inferd.process().kill()?;
                inferd.process().stop_by_itself(std::time::Duration::ZERO).await?;
                let _removed = std::fs::remove_file(&self.socket);
            }
            Daemon::Stub(stub) => stub.kill(),
            Daemon::Absent => {}
        }
        self.daemon = match kind {
            DaemonKind::Inferd => {
                Daemon::Inferd(Inferd::start(&self.parts, &self.socket, self.folder.path()).await?)
            }
            DaemonKind::Stub => Daemon::Stub(Stub::start(&self.socket)?),
            DaemonKind::Absent => Daemon::Absent,
        };
        Ok(())
    }

    /// Ends everything in order; logs are not shown. Makes sure that the filter has not trapped.
    ///
    /// # Errors
    ///
    /// Fails when a program does not end well, or the filter trapped.
    pub async fn stop(self) -> Result<()> {
        let envoy = self.envoy.stop().await;
        if let Daemon::Inferd(inferd) = self.daemon {
            inferd.stop().await?;
        }
        envoy
    }
}
