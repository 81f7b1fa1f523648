//! The checkout and the programs started in it.
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It was called wrongly.
    Usage(String),
    /// A program could not be started.
    Start(String, io::Error),
    /// A program failed.
    Exit(String, ExitStatus),
    /// A file could not be used.
    File(PathBuf, io::Error),
    /// Anything that a person has to do first.
    Missing(String),
    /// Steps of the test run failed.
    Steps(Vec<&'static str>),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Missing(message) => formatter.write_str(message),
            Self::Start(what, error) => write!(formatter, "cannot start {what}: {error}"),
            Self::Exit(what, status) => write!(formatter, "{what} failed: {status}"),
            Self::File(path, error) => write!(formatter, "{}: {error}", path.display()),
            Self::Steps(names) => write!(formatter, "failed: {}", names.join(", ")),
        }
    }
}

/// The checkout.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    target: PathBuf,
}

impl Tree {
    /// Finds the checkout that this program was built from.
    pub(crate) fn find() -> Result<Self, Failure> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let root = root.canonicalize().map_err(|error| Failure::File(root, error))?;
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
        Ok(Self { target: root.join(target), root })
    }

    /// Where cargo builds.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Where the pinned parts lie.
    pub(crate) fn parts(&self) -> PathBuf {
        self.root.join(".forebay")
    }

    /// A program in the checkout, told where the parts and the built programs are. What the caller's environment says
    /// already stays.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let places = [
            ("FOREBAY_ENVOY", self.parts().join("envoy/envoy")),
            ("FOREBAY_ORT_LIB", self.parts().join("ort/libonnxruntime.so")),
            ("FOREBAY_WASM", self.wasm("filter_wasm")),
            ("FOREBAY_INFERD", self.target.join("debug/inferd")),
            ("FOREBAY_MODEL", self.root.join("models/forebay-small")),
        ];
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        for (name, place) in places {
            if std::env::var_os(name).is_none() {
                command.env(name, place);
            }
        }
        command
    }

    /// The same toolchain's cargo.
    pub(crate) fn cargo(&self) -> Command {
        self.command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    /// A built module.
    pub(crate) fn wasm(&self, name: &str) -> PathBuf {
        self.target.join("wasm32-wasip1/release-wasm").join(name).with_extension("wasm")
    }
}

/// Runs a program to its end; its output goes to the terminal.
pub(crate) fn run(what: &str, command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(|error| Failure::Start(what.to_owned(), error))?;
    if status.success() { Ok(()) } else { Err(Failure::Exit(what.to_owned(), status)) }
}

/// Whether a program is there and succeeds; its output is dropped.
pub(crate) fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
