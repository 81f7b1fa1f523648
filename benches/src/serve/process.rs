//! The servers under load, each in a process of its own, so that their CPU time is theirs alone.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::stats;

/// How long a server may take to load its model on a busy machine.
const START_LIMIT: Duration = Duration::from_secs(120);

/// What is needed from outside.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// The daemon's binary.
    pub(crate) inferd: PathBuf,
    /// ONNX Runtime.
    pub(crate) ort_lib: PathBuf,
    /// The model's folder.
    pub(crate) model: PathBuf,
}

impl Parts {
    /// From the environment, else where `cargo xtask setup` and the build put them.
    pub(crate) fn find(model: Option<&Path>) -> Result<Self> {
        let named = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let beside = std::env::current_exe()?.with_file_name("inferd");
        let root = crate::root();
        let parts = Self {
            inferd: named("FOREBAY_INFERD").unwrap_or(beside),
            ort_lib: named("FOREBAY_ORT_LIB")
                .unwrap_or_else(|| root.join(".forebay/ort/libonnxruntime.so")),
            model: model.map_or_else(|| root.join("models/forebay-small"), Path::to_owned),
        };
        for part in [&parts.inferd, &parts.ort_lib, &parts.model] {
            if !part.exists() {
                bail!("{} is missing; `cargo xtask bench` builds and fetches it", part.display());
            }
        }
        Ok(parts)
    }
}

/// A server that runs; killed when dropped.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    /// Where it listens.
    pub(crate) socket: PathBuf,
    admin: Option<String>,
    /// CPU time of each thread when it was last looked at: threads that end take theirs with them.
    threads: Mutex<BTreeMap<OsString, Duration>>,
    _dir: tempfile::TempDir,
}

impl Server {
    /// The daemon, with more lines for its configuration.
    pub(crate) async fn daemon(parts: &Parts, yaml: &str) -> Result<Self> {
        let dir = tempfile::tempdir()?;
        let socket = dir.path().join("s");
        // A free port; between this and the daemon's bind somebody could take it, and the daemon would say so.
        let admin = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let file = dir.path().join("inferd.yaml");
        std::fs::write(&file, yaml)?;
        let mut command = Command::new(&parts.inferd);
        command.arg("serve").arg("--config").arg(&file).arg("--socket").arg(&socket);
        command.arg("--model").arg(&parts.model).arg("--ort-lib").arg(&parts.ort_lib);
        command.arg("--admin").arg(&admin).env("RUST_LOG", "error");
        Self::start(command, socket, Some(admin), dir).await
    }

    /// The straightforward server that the daemon is compared with: this program again.
    pub(crate) async fn baseline(parts: &Parts) -> Result<Self> {
        let dir = tempfile::tempdir()?;
        let socket = dir.path().join("s");
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("serve").arg("--baseline-server").arg(&socket);
        command.arg("--model").arg(&parts.model).env("FOREBAY_ORT_LIB", &parts.ort_lib);
        Self::start(command, socket, None, dir).await
    }

    async fn start(
        mut command: Command,
        socket: PathBuf,
        admin: Option<String>,
        dir: tempfile::TempDir,
    ) -> Result<Self> {
        let log = dir.path().join("log");
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log)?)
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let mut server = Self { child, socket, admin, threads: Mutex::default(), _dir: dir };
        let began = Instant::now();
        while !server.socket.exists() {
            let ended = server.child.try_wait()?;
            if ended.is_some() || began.elapsed() > START_LIMIT {
                let said = std::fs::read_to_string(&log).unwrap_or_default();
                bail!("a server did not start ({ended:?}): {said}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(server)
    }

    /// CPU time so far, of threads that have ended as well, as far as they were seen.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        let folder = format!("/proc/{}/task", self.child.id());
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        for task in std::fs::read_dir(&folder).with_context(|| folder.clone())?.flatten() {
            // A thread may end between the two looks.
            let Ok(text) = std::fs::read_to_string(task.path().join("schedstat")) else { continue };
            let nanos = text.split_whitespace().next().and_then(|word| word.parse().ok());
            let nanos = nanos.with_context(|| format!("{folder}: `{text}`"))?;
            threads.insert(task.file_name(), Duration::from_nanos(nanos));
        }
        Ok(threads.values().sum())
    }

    /// Resident memory now, in bytes.
    pub(crate) fn resident_bytes(&self) -> Result<u64> {
        stats::resident_bytes(self.child.id())
    }

    /// Its proportional share of memory now, in bytes.
    pub(crate) fn proportional_bytes(&self) -> Result<u64> {
        stats::proportional_bytes(self.child.id())
    }

    /// The sum of all metrics whose line begins so.
    pub(crate) fn metric(&self, prefix: &str) -> Result<f64> {
        let address = self.admin.as_deref().context("this server has no metrics")?;
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")?;
        let mut page = String::new();
        stream.read_to_string(&mut page)?;
        page.lines()
            .filter(|line| line.starts_with(prefix))
            .map(|line| {
                let value = line.rsplit(' ').next().context("a metric without a value")?;
                Ok(value.parse::<f64>()?)
            })
            .sum()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
