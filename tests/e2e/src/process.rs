//! A child process that cannot outlive its owner, with its output kept for the case of a failure.
use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

/// How long a readiness check waits between two looks.
pub(crate) const POLL: Duration = Duration::from_millis(20);
/// How much of a log is shown when something fails.
const TAIL_BYTES: usize = 16 * 1024;

/// A running program. Dropped, it is killed and its log is shown; [`Process::stop`] ends it in silence.
#[derive(Debug)]
pub struct Process {
    name: &'static str,
    child: Child,
    log: PathBuf,
    /// Dropping it lets the thread end that is the child's parent.
    keeper: Option<mpsc::Sender<()>>,
    parent: Option<JoinHandle<()>>,
    shows_log: bool,
}

impl Process {
    /// Starts a program; what it writes goes to `log`.
    ///
    /// Its parent is a thread that lives as long as this value: Envoy asks the kernel for SIGTERM when its parent ends,
    /// and for the kernel a parent is a thread.
    ///
    /// # Errors
    ///
    /// Fails when the program cannot be started.
    pub fn start(name: &'static str, mut command: Command, log: &Path) -> Result<Self> {
        let file = File::create(log).with_context(|| format!("{}", log.display()))?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        // A group of its own: Ctrl-C reaches the owner alone, which then ends its children in order.
        command.process_group(0);
        let (started, wait_started) = mpsc::channel();
        let (keeper, wait_end) = mpsc::channel::<()>();
        let parent =
            std::thread::Builder::new().name(format!("parent of {name}")).spawn(move || {
                let _sent = started.send(command.spawn());
                let _ended = wait_end.recv();
            })?;
        let child = wait_started.recv()?.with_context(|| format!("cannot start {name}"))?;
        let log = log.to_owned();
        Ok(Self { name, child, log, keeper: Some(keeper), parent: Some(parent), shows_log: true })
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Everything it has written so far.
    #[must_use]
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.log).unwrap_or_default()).into_owned()
    }

    /// Its exit status, once it has ended.
    ///
    /// # Errors
    ///
    /// Fails when the kernel does not say.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    /// Kills it at once, as a crash would.
    ///
    /// # Errors
    ///
    /// Fails when it has ended already.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Sends a signal.
    ///
    /// # Errors
    ///
    /// Fails when it has ended already.
    pub fn signal(&mut self, signal: Signal) -> Result<()> {
        if self.ended()?.is_some() {
            bail!("{} has ended already", self.name);
        }
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).context("no pid")?;
        Ok(kill_process(id, signal)?)
    }

    /// Asks it to end and waits; its log is not shown.
    ///
    /// # Errors
    ///
    /// Fails when it does not end in time.
    pub async fn stop(&mut self, within: Duration) -> Result<ExitStatus> {
        if self.ended()?.is_none() {
            self.signal(Signal::TERM)?;
        }
        let status = self.wait(within).await?;
        self.shows_log = false;
        Ok(status)
    }

    /// Waits until it ends by itself.
    ///
    /// # Errors
    ///
    /// Fails when it does not end in time.
    pub async fn wait(&mut self, within: Duration) -> Result<ExitStatus> {
        let deadline = Instant::now() + within;
        loop {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            if Instant::now() > deadline {
                bail!("{} did not end within {within:?}", self.name);
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Waits until it ends by itself; its log is not shown.
    ///
    /// # Errors
    ///
    /// Fails when it does not end in time.
    pub async fn stop_by_itself(&mut self, within: Duration) -> Result<ExitStatus> {
        let status = self.wait(within).await?;
        self.shows_log = false;
        Ok(status)
    }

    /// Waits for a condition, and fails early if the process ends.
    pub(crate) async fn until<T>(
        &mut self,
        what: &str,
        within: Duration,
        mut check: impl AsyncFnMut() -> Option<T>,
    ) -> Result<T> {
        let deadline = Instant::now() + within;
        loop {
            if let Some(found) = check().await {
                return Ok(found);
            }
            if let Some(status) = self.ended()? {
                self.shows_log = false;
                bail!("{} ended ({status}) before {what}; it wrote:\n{}", self.name, self.tail());
            }
            if Instant::now() > deadline {
                self.shows_log = false;
                bail!("{}: no {what} within {within:?}; it wrote:\n{}", self.name, self.tail());
            }
            tokio::time::sleep(POLL).await;
        }
    }

    fn tail(&self) -> String {
        let log = self.log();
        let mut start = log.len().saturating_sub(TAIL_BYTES);
        while !log.is_char_boundary(start) {
            start += 1;
        }
        log.get(start..).unwrap_or_default().to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _killed = self.child.kill();
        let _waited = self.child.wait();
        drop(self.keeper.take());
        if let Some(parent) = self.parent.take() {
            let _joined = parent.join();
        }
        if self.shows_log {
            eprintln!("--- log of {}\n{}\n---", self.name, self.tail());
        }
    }
}
