//! What can be wrong on a node: the socket, the daemon's configuration, its models, its library, its share of the CPUs.

use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::str::FromStr;

use super::Report;
use super::fault::{Fault, Finding};
use crate::backend::ort::LibraryError;
use crate::config::{Config, ConfigError, MAX_SOCKET_PATH_BYTES};
use crate::models::{ModelError, ModelSpec};

/// A user as the kernel sees it: `UID:GID[,GID...]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    uid: u32,
    gids: Vec<u32>,
}

impl FromStr for User {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |n: &str| {
            n.trim().parse().map_err(|_| format!("{n:?} is not a number; give UID:GID[,GID...]"))
        };
        let (uid, gids) =
            text.split_once(':').ok_or("give UID:GID[,GID...], such as 65532:65532,1337")?;
        Ok(Self { uid: number(uid)?, gids: gids.split(',').map(number).collect::<Result<_, _>>()? })
    }
}

impl User {
    /// Whether the permission bits let this user do it; `bit` is 1 for search and 2 for write.
    fn may(&self, file: &std::fs::Metadata, bit: u32) -> bool {
        let mode = file.mode();
        if self.uid == 0 {
            return true;
        }
        let shift = if file.uid() == self.uid {
            6
        } else if self.gids.contains(&file.gid()) {
            3
        } else {
            0
        };
        mode >> shift & bit != 0
    }
}

/// Checks the socket's path. Gives whether something listens there, so that it can be asked.
pub fn socket(path: &Path, envoy: Option<&User>, report: &mut Report) -> bool {
    let place = format!("socket {}", path.display());
    let bytes = path.as_os_str().len();
    if bytes > MAX_SOCKET_PATH_BYTES {
        report.add(too_long(&place, bytes));
        return false;
    }
    let metadata = match std::fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            report.add(Finding::new(
                Fault::SocketPermission,
                place,
                "its folder may not be searched",
                "x on every folder above it",
            ));
            return false;
        }
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.is_dir());
            let found = folder.map_or_else(
                || "nothing there".to_owned(),
                |folder| format!("the folder {} is not there", folder.display()),
            );
            report.add(Finding::new(Fault::SocketAbsent, place, found, "a socket"));
            return false;
        }
    };
    if !metadata.file_type().is_socket() {
        report.add(Finding::new(
            Fault::SocketNotASocket,
            place,
            "something that is not a socket",
            "a socket",
        ));
        return false;
    }
    match envoy {
        Some(user) => permissions(path, &metadata, user, &place, report),
        None => report.skip("whether Envoy's user may connect: give --envoy-user UID:GID (Istio 1337:1337, Envoy Gateway 65532:65532)"),
    }
    match UnixStream::connect(path) {
        Ok(_) => true,
        Err(error) => {
            let fault = if error.kind() == ErrorKind::PermissionDenied {
                Fault::SocketPermission
            } else {
                Fault::SocketStale
            };
            let found = format!("connecting failed: {error}");
            report.add(Finding::new(fault, place, found, "a daemon that accepts connections"));
            false
        }
    }
}

fn too_long(place: &str, bytes: usize) -> Finding {
    Finding::new(
        Fault::SocketPathTooLong,
        place,
        format!("{bytes} bytes"),
        format!("at most {MAX_SOCKET_PATH_BYTES}"),
    )
}

/// Connecting takes search permission on every folder above the socket and write permission on itself.
fn permissions(
    path: &Path,
    socket: &std::fs::Metadata,
    user: &User,
    place: &str,
    report: &mut Report,
) {
    let owner = |file: &std::fs::Metadata| {
        format!("mode {:04o}, owner {}:{}", file.mode() & 0o7777, file.uid(), file.gid())
    };
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let closed = path.ancestors().skip(1).find_map(|folder| {
        let metadata = std::fs::metadata(folder).ok()?;
        (!user.may(&metadata, 1)).then(|| (folder, owner(&metadata)))
    });
    let who = format!("user {} with the groups {:?}", user.uid, user.gids);
    if let Some((folder, owner)) = closed {
        let found = format!("{who} may not search {} ({owner})", folder.display());
        report.add(Finding::new(
            Fault::SocketPermission,
            place,
            found,
            "x for that user or a group of its",
        ));
    } else if !user.may(socket, 2) {
        let found = format!("{who} may not write to it ({})", owner(socket));
        report.add(Finding::new(
            Fault::SocketPermission,
            place,
            found,
            "w for that user or a group of its",
        ));
    }
}

/// What is wrong with a configuration that was refused; `None` when the file cannot be read, which is the caller's mistake.
#[must_use]
pub fn refused(error: &ConfigError, file: &str) -> Option<Finding> {
    let (fault, wanted) = match error {
        ConfigError::Read { .. } => return None,
        ConfigError::Value { key: "socket.path", .. } => (
            Fault::SocketPathTooLong,
            format!("at most {MAX_SOCKET_PATH_BYTES} bytes with the suffix"),
        ),
        ConfigError::Value { .. } | ConfigError::Parse { .. } => {
            (Fault::DaemonConfig, "a configuration that the daemon accepts".to_owned())
        }
    };
    Some(Finding::new(fault, file, error.to_string(), wanted))
}

/// Checks the model folders and the threads.
pub fn daemon(config: &Config, report: &mut Report) {
    if config.models.is_empty() {
        report.skip("models: give --config or --model");
    }
    for folder in &config.models {
        match ModelSpec::load(folder) {
            Ok(spec) => {
                report.saw(format!("model {} {} in {}", spec.name, spec.version, folder.display()))
            }
            Err(error) => report.add(unusable_model(&error, folder)),
        }
    }
    let quota = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let sessions = config.sessions * config.models.len().max(1);
    let threads = sessions * config.session.intra_threads.get();
    if threads > quota {
        report.add(Finding::new(
            Fault::Threads,
            "runtime.intra_threads",
            format!(
                "{sessions} session(s) with {} threads each, on {quota} CPU(s)",
                config.session.intra_threads
            ),
            format!("at most {quota} threads in all"),
        ));
    }
}

fn unusable_model(error: &ModelError, folder: &Path) -> Finding {
    let (fault, wanted) = if matches!(error, ModelError::Read { .. }) {
        (Fault::ModelMissing, "a folder with manifest.json, the ONNX file and tokenizer.json")
    } else if matches!(error, ModelError::Digest { .. }) {
        (Fault::ModelDigest, "the digest of the manifest")
    } else {
        (Fault::ModelInvalid, "a model folder that the daemon accepts")
    };
    Finding::new(fault, format!("model {}", folder.display()), error.to_string(), wanted)
}

/// What is wrong with the library.
#[must_use]
pub fn unusable_library(error: &LibraryError) -> Finding {
    let is_missing = matches!(error, LibraryError::NotFound { .. });
    let fault = if is_missing { Fault::RuntimeMissing } else { Fault::RuntimeUnusable };
    Finding::new(fault, "ONNX Runtime", error.to_string(), "ONNX Runtime 1.21 or newer")
}

/// The daemon was asked whether it serves.
pub fn health(answer: Result<bool, String>, path: &Path, report: &mut Report) {
    let found = match answer {
        Ok(true) => return report.saw(format!("the daemon at {} serves", path.display())),
        Ok(false) => "it says that it does not serve".to_owned(),
        Err(error) => error,
    };
    report.add(Finding::new(
        Fault::DaemonNotServing,
        format!("socket {}", path.display()),
        found,
        "SERVING",
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_read_and_refused() {
        let user: User = "65532:65532,1337".parse().unwrap();
        assert_eq!(user, User { uid: 65532, gids: vec![65532, 1337] });
        for bad in ["", "1", "a:b", "1:", "1:2,x"] {
            assert!(bad.parse::<User>().is_err(), "{bad}");
        }
    }
}
