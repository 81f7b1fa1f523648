//! The command line.
//!
//! Exit codes: 0 done; 1 something failed while running; 2 wrong usage; 3 the configuration is refused; 4 a model or the runtime library is
//! refused; 5 the daemon cannot be reached or does not serve.

use std::ffi::OsString;
use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, CommandFactory as _, Parser, Subcommand};

use crate::backend::Runtime;
use crate::backend::ort::{Library, LibraryError, Options, OrtRuntime};
use crate::config::{Config, ConfigError, LogFormat, Raw};
use crate::daemon::DaemonError;
use crate::models::ModelError;
use crate::server::ClientError;

mod bench;
mod classify;
mod compress;
mod config;
mod doctor;
mod health;
mod man;
mod models;
mod rewrite;
mod serve;

/// Screens and sorts the text of LLM requests: jailbreak, personal data, subject.
#[derive(Debug, Parser)]
#[command(name = "inferd", version, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 failed while running, 2 wrong usage, 3 configuration refused, 4 model or runtime library refused, \
                        5 daemon unreachable or not serving."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve on a Unix socket until SIGTERM or SIGINT, then drain.
    Serve(serve::Serve),
    /// Classify text given as argument, file or standard input.
    Classify(classify::Classify),
    /// Keep a running daemon busy and say what it does.
    Bench(bench::Bench),
    /// Ask a daemon whether it serves.
    Health(health::Health),
    /// Say what is wrong with an installation, and what to do about it.
    Doctor(doctor::Doctor),
    /// Show what the filter would keep of a long prompt.
    Compress(compress::Compress),
    /// Make a model's second graph, with this project's attention operator, and check that it says the same.
    Rewrite(rewrite::Rewrite),
    /// Look at model folders.
    Models(models::Models),
    /// Look at configuration files.
    Config(config::ConfigCommand),
    /// Print the manual page, or write one for each command
    Man(man::Man),
    /// Print a completion script for a shell.
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Which models run, and with which library.
#[derive(Debug, Args)]
struct Local {
    /// Configuration file (YAML)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Model folder; may be given several times and replaces those of the configuration
    #[arg(long = "model", value_name = "DIR")]
    models: Vec<PathBuf>,
    #[command(flatten)]
    libraries: Libraries,
}

/// Where the libraries are.
#[derive(Clone, Debug, Default, Args)]
struct Libraries {
    /// ONNX Runtime library [env: FOREBAY_ORT_LIB, ORT_DYLIB_PATH]
    #[arg(long, value_name = "FILE")]
    ort_lib: Option<PathBuf>,
    /// Library of this project's operators, which rewritten models need [env: FOREBAY_OPERATOR_LIB]
    #[arg(long, value_name = "FILE")]
    operator_library: Option<PathBuf>,
}

impl Libraries {
    /// The runtime that the configuration asks for.
    fn runtime(&self, config: &Config, env: Env<'_>) -> Result<OrtRuntime, CliError> {
        let variable = |name| env(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let beside = std::env::current_exe().ok().and_then(|path| path.parent().map(PathBuf::from));
        let candidates = [
            ("--ort-lib", self.ort_lib.clone()),
            ("FOREBAY_ORT_LIB", variable("FOREBAY_ORT_LIB")),
            ("ORT_DYLIB_PATH", variable("ORT_DYLIB_PATH")),
            ("runtime.library", config.library.clone()),
        ];
        let library = Library::RUNTIME.find(&candidates, beside.as_deref())?;
        let candidates = [
            ("--operator-library", self.operator_library.clone()),
            ("FOREBAY_OPERATOR_LIB", variable("FOREBAY_OPERATOR_LIB")),
            ("runtime.operator_library", config.session.operator_library.clone()),
        ];
        let is_asked_for = candidates.iter().any(|(_, path)| path.is_some());
        let operator_library = match Library::OPERATORS.find(&candidates, beside.as_deref()) {
            Ok(path) => Some(path),
            Err(error) if is_asked_for => return Err(error.into()),
            Err(_) => None,
        };
        let cache = config.session.cache.clone().or_else(|| cache_folder(env));
        let options = Options { operator_library, cache, ..config.session.clone() };
        Ok(OrtRuntime::load(&library, options)?)
    }
}

/// The user's cache folder: what systemd made for the service, or by the XDG rules.
fn cache_folder(env: Env<'_>) -> Option<PathBuf> {
    let folder = |name| {
        let value = env(name)?;
        let first = PathBuf::from(value.split(':').next().unwrap_or_default());
        first.is_absolute().then_some(first)
    };
    folder("CACHE_DIRECTORY")
        .or_else(|| Some(folder("XDG_CACHE_HOME")?.join("forebay")))
        .or_else(|| Some(folder("HOME")?.join(".cache/forebay")))
}

/// Reads an environment variable.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The configuration.
    #[error("configuration: {0}")]
    Config(#[from] ConfigError),
    /// A model.
    #[error("model: {0}")]
    Model(#[from] ModelError),
    /// The runtime library.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The daemon's side.
    #[error(transparent)]
    Daemon(DaemonError),
    /// A daemon elsewhere.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The daemon answers that it does not serve.
    #[error("{0} is not serving")]
    NotServing(String),
    /// Reading or writing.
    #[error("{doing}")]
    Io {
        /// What was tried.
        doing: String,
        /// Why it failed.
        source: std::io::Error,
    },
    /// `doctor` found faults and has told them.
    #[error("{0} fault(s) found")]
    Findings(usize),
    /// What was given cannot be used.
    #[error("{0}")]
    Usage(String),
    /// Anything else, in words.
    #[error("{0}")]
    Failed(String),
}

impl From<DaemonError> for CliError {
    fn from(error: DaemonError) -> Self {
        match error {
            DaemonError::Model(error) => Self::Model(error),
            DaemonError::Config(error) => Self::Config(error),
            other @ (DaemonError::Socket(_)
            | DaemonError::Io(_)
            | DaemonError::Metrics(_)
            | DaemonError::Traces(_)
            | DaemonError::Crashed(_)) => Self::Daemon(other),
        }
    }
}

impl CliError {
    /// Keeps the causes of an error in its text.
    #[allow(clippy::needless_pass_by_value, reason = "a function for map_err")]
    fn failed(error: impl std::error::Error) -> Self {
        Self::Failed(chain(&error))
    }
    fn io(doing: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Io { doing, source }
    }

    const fn exit_code(&self) -> u8 {
        match self {
            Self::Daemon(_) | Self::Io { .. } | Self::Failed(_) | Self::Findings(_) => 1,
            Self::Usage(_) => 2,
            Self::Config(_) => 3,
            Self::Model(_) | Self::Library(_) => 4,
            Self::Client(_) | Self::NotServing(_) => 5,
        }
    }
}

/// Runs the command line.
pub fn main(args: impl Iterator<Item = OsString>, env: Env<'_>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            drop(error.print());
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match run(cli.command, env) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            drop(writeln!(std::io::stderr(), "inferd: {}", chain(&error)));
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(command: Command, env: Env<'_>) -> Result<(), CliError> {
    match command {
        Command::Serve(command) => command.run(env),
        Command::Classify(command) => command.run(env),
        Command::Bench(command) => command.run(),
        Command::Health(command) => command.run(),
        Command::Doctor(command) => command.run(env),
        Command::Compress(command) => command.run(),
        Command::Rewrite(command) => command.run(env),
        Command::Man(command) => command.run(Cli::command()),
        Command::Models(command) => command.run(env),
        Command::Config(command) => command.run(),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "inferd", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
    }
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        // Some libraries repeat their cause in their own message.
        if !text.contains(&next) {
            text.push_str(": ");
            text.push_str(&next);
        }
        cause = error.source();
    }
    text
}

impl Local {
    /// The configuration with the flags on top.
    fn raw(&self) -> Result<Raw, ConfigError> {
        let mut raw = match &self.config {
            Some(path) => Raw::load(path)?,
            None => Raw::default(),
        };
        if !self.models.is_empty() {
            raw.models.clone_from(&self.models);
        }
        Ok(raw)
    }

    /// The runtime that the configuration asks for.
    fn runtime(&self, config: &Config, env: Env<'_>) -> Result<Arc<dyn Runtime>, CliError> {
        Ok(Arc::new(self.libraries.runtime(config, env)?))
    }
}

/// CPUs for each I/O thread. A request takes well below a millisecond there and tens of them in the model, which has threads of its own;
/// more threads than needed only wake each other to look for work.
const CPUS_PER_IO_THREAD: usize = 8;

fn block_on<T>(future: impl Future<Output = Result<T, CliError>>) -> Result<T, CliError> {
    let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cpus.div_ceil(CPUS_PER_IO_THREAD))
        .enable_all()
        .thread_name("io")
        .build()
        .map_err(CliError::io("cannot start the I/O threads"))?;
    runtime.block_on(future)
}

/// The text given as an argument, in a file, or on standard input.
fn read_text(text: Option<&str>, file: Option<&Path>) -> Result<String, CliError> {
    match (text, file) {
        (Some(text), _) => Ok(text.to_owned()),
        (None, Some(path)) if path.as_os_str() != "-" => std::fs::read_to_string(path)
            .map_err(CliError::io(format!("cannot read {}", path.display()))),
        (None, _) => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(CliError::io("cannot read standard input"))?;
            Ok(text)
        }
    }
}

/// Writes to standard error, for people.
fn note(text: &str) {
    drop(std::io::stderr().write_all(text.as_bytes()));
}

/// Writes to standard output; a closed pipe is no error.
fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(CliError::io("cannot write the output")(error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
