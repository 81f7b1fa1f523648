//! The usual kind of screening server, to compare with: Envoy sends it the body by ext_proc, it reads, compresses and
//! classifies natively, and answers with headers. Runs as a child process of the benches.
mod models;
mod null;
mod screening;
mod server;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Subcommand, ValueEnum};

pub(crate) use models::Three;
pub(crate) use screening::Reading;

/// Processes that the benches start of this very program.
#[derive(Debug, Subcommand)]
pub(crate) enum Child {
    /// Serves ext_proc.
    ExtProc(ExtProc),
    /// Serves the daemon's protocol and finds nothing.
    Null(Null),
}

/// How the ext_proc server works.
#[derive(Debug, clap::Args)]
pub(crate) struct ExtProc {
    /// Unix socket.
    #[arg(long)]
    pub(crate) socket: PathBuf,
    /// How Envoy sends the body.
    #[arg(long, value_enum)]
    pub(crate) mode: BodyMode,
    /// How the text is read.
    #[arg(long, value_enum)]
    pub(crate) reading: Reading,
    /// The filter's configuration, for `--reading filter`.
    #[arg(long, default_value = "{}")]
    pub(crate) config: String,
    /// Model folders, run one after the other; none: nothing is found.
    #[arg(long = "model")]
    pub(crate) models: Vec<PathBuf>,
    /// Take each folder's rewritten graph; needs the operator library.
    #[arg(long)]
    pub(crate) flash: bool,
    /// Address space that the process may take.
    #[arg(long)]
    pub(crate) memory_limit_mib: Option<u64>,
}

/// How Envoy sends the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyMode {
    /// Whole, when it is there.
    Buffered,
    /// In pieces, as it comes.
    Streamed,
}

/// How the null daemon works.
#[derive(Debug, clap::Args)]
pub(crate) struct Null {
    /// Unix socket.
    #[arg(long)]
    pub(crate) socket: PathBuf,
    /// File that takes the monotonic clock at each call, 8 bytes, little-endian nanoseconds.
    #[arg(long)]
    pub(crate) arrivals: Option<PathBuf>,
}

/// Serves until it is killed.
pub(crate) fn run(child: Child) -> Result<()> {
    // A bench that is killed takes its children with it.
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))?;
    if let Child::ExtProc(ExtProc { memory_limit_mib: Some(mib), .. }) = &child {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let bytes = Some(mib << 20);
        setrlimit(Resource::As, Rlimit { current: bytes, maximum: bytes })
            .context("memory limit")?;
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        match child {
            Child::ExtProc(args) => server::serve(args).await,
            Child::Null(args) => null::serve(args).await,
        }
    })
}

/// Binds a socket under another name and moves it into place, so that it exists only when it serves.
fn listen(path: &std::path::Path) -> Result<tokio_stream::wrappers::UnixListenerStream> {
    let unfinished = path.with_extension("new");
    let listener = tokio::net::UnixListener::bind(&unfinished)
        .with_context(|| format!("{}", unfinished.display()))?;
    std::fs::rename(&unfinished, path)?;
    Ok(tokio_stream::wrappers::UnixListenerStream::new(listener))
}
