//! The Unix socket: bound under a temporary name, renamed over the path when the daemon is warm.
//!
//! Whoever connects to the path reaches a daemon that can answer, and an upgrade loses nothing: the old daemon serves until the rename,
//! and never removes a socket that is no longer its own.

use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tokio::net::UnixListener;

use crate::config::SocketConfig;

/// Why there is no socket.
#[derive(Debug, thiserror::Error)]
#[error("socket {}: {doing}", path.display())]
pub struct SocketError {
    path: PathBuf,
    doing: &'static str,
    source: io::Error,
}

/// A socket that listens under a temporary name.
#[derive(Debug)]
pub struct Bound {
    listener: UnixListener,
    guard: Guard,
}

/// Removes the name at the end if it is still ours.
#[derive(Debug)]
pub struct Guard {
    /// The name it has now.
    path: PathBuf,
    final_path: PathBuf,
    inode: (u64, u64),
}

impl Bound {
    /// Binds `<path>.<pid>` with the configured permissions. Must run inside a tokio runtime.
    ///
    /// # Errors
    ///
    /// When the folder is missing or read-only, or the group may not be given.
    pub fn bind(config: &SocketConfig) -> Result<Self, SocketError> {
        let mut name = config.path.clone().into_os_string();
        name.push(format!(".{}", std::process::id()));
        let path = PathBuf::from(name);
        let failed = |doing| {
            let path = path.clone();
            move |source| SocketError { path, doing, source }
        };
        // Only a crashed process with our id can have left this name.
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failed("cannot remove a stale one")(error));
            }
            Ok(()) | Err(_) => {}
        }
        let listener = UnixListener::bind(&path).map_err(failed("cannot bind"))?;
        let metadata = std::fs::symlink_metadata(&path).map_err(failed("has gone"))?;
        let guard = Guard {
            path: path.clone(),
            final_path: config.path.clone(),
            inode: (metadata.dev(), metadata.ino()),
        };
        if let Some(gid) = config.gid {
            std::os::unix::fs::chown(&path, None, Some(gid))
                .map_err(failed("cannot give it to the group"))?;
        }
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(config.mode))
            .map_err(failed("cannot set its mode"))?;
        Ok(Self { listener, guard })
    }

    /// Takes over the configured path.
    ///
    /// # Errors
    ///
    /// When something that is not a socket is in the way, or the folder changed.
    pub fn publish(mut self) -> Result<(UnixListener, Guard), SocketError> {
        let target = self.guard.final_path.clone();
        let failed = |doing, source| SocketError { path: target.clone(), doing, source };
        if let Ok(metadata) = std::fs::symlink_metadata(&target)
            && !std::os::unix::fs::FileTypeExt::is_socket(&metadata.file_type())
        {
            return Err(failed(
                "something that is not a socket is in the way",
                io::ErrorKind::AlreadyExists.into(),
            ));
        }
        std::fs::rename(&self.guard.path, &target)
            .map_err(|e| failed("cannot rename the new one over it", e))?;
        self.guard.path = target;
        Ok((self.listener, self.guard))
    }
}

impl Guard {
    /// Where it listens.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the path still leads to this socket, and not to a successor's.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        std::fs::symlink_metadata(&self.path).is_ok_and(|m| (m.dev(), m.ino()) == self.inode)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if self.is_ours() {
            drop(std::fs::remove_file(&self.path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(path: PathBuf) -> SocketConfig {
        SocketConfig {
            path,
            mode: 0o600,
            gid: None,
            allowed_uids: Vec::new(),
            allowed_gids: Vec::new(),
        }
    }

    #[tokio::test]
    async fn the_path_appears_with_its_mode_and_goes_with_the_guard() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        let bound = Bound::bind(&config(path.clone())).unwrap();
        assert!(!path.exists(), "not before it is published");
        let (_listener, guard) = bound.publish().unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "the temporary name is gone");
        drop(guard);
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn a_stale_socket_is_replaced_and_a_successor_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        let (_old, old_guard) = Bound::bind(&config(path.clone())).unwrap().publish().unwrap();
        let (_new, new_guard) = Bound::bind(&config(path.clone())).unwrap().publish().unwrap();
        assert!(!old_guard.is_ours());
        drop(old_guard);
        assert!(path.exists(), "the old one must not remove the new one's name");
        drop(new_guard);
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn what_is_not_a_socket_is_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        std::fs::write(&path, "precious").unwrap();
        let error = Bound::bind(&config(path.clone())).unwrap().publish().unwrap_err();
        assert!(error.to_string().contains("not a socket"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"precious");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "the temporary name is gone");
    }

    #[tokio::test]
    async fn a_missing_folder_is_named() {
        let error = Bound::bind(&config("/nonexistent-folder/s".into())).unwrap_err();
        assert!(error.to_string().contains("/nonexistent-folder/s"), "{error}");
    }

    #[test]
    fn a_read_only_folder_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let may = |mode| {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(dir.path(), permissions).unwrap();
        };
        may(0o555);
        let path = dir.path().join("s");
        let thread = std::thread::spawn(move || {
            // Root may write anywhere; this thread alone gives that up.
            let none = rustix::thread::CapabilitySet::empty();
            let sets = rustix::thread::CapabilitySets {
                effective: none,
                permitted: none,
                inheritable: none,
            };
            rustix::thread::set_capabilities(None, sets).unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
            runtime.unwrap().block_on(async { Bound::bind(&config(path)).unwrap_err() })
        });
        let error = thread.join().unwrap();
        may(0o755);
        assert!(error.to_string().ends_with("cannot bind"), "{error}");
        assert!(error.to_string().contains(&dir.path().display().to_string()), "{error}");
        assert_eq!(error.source.kind(), io::ErrorKind::PermissionDenied);
    }
}
