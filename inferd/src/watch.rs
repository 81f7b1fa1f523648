//! Notices that files changed, by looking now and then.
//!
//! Polling needs no kernel facility, and sees what Kubernetes does to mounted files (swapped symbolic links), which inotify on a file
//! misses. A change counts when two looks in a row agree on it, so that half-copied files are not loaded.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Length, time of change in seconds and nanoseconds, device and inode.
type Stamp = (u64, i64, i64, u64, u64);

/// Files of interest as they were.
#[derive(Debug)]
pub struct Watch {
    paths: Vec<PathBuf>,
    known: Vec<(PathBuf, Option<Stamp>)>,
    pending: Option<Vec<(PathBuf, Option<Stamp>)>>,
}

impl Watch {
    /// Watches files, and the files that lie directly in folders.
    #[must_use]
    pub fn new(paths: Vec<PathBuf>) -> Self {
        let known = look(&paths);
        Self { paths, known, pending: None }
    }

    /// Looks; whether something changed since the last time this said so, and has settled.
    pub fn changed(&mut self) -> bool {
        let now = look(&self.paths);
        if now == self.known {
            self.pending = None;
            return false;
        }
        if self.pending.as_ref() == Some(&now) {
            self.known = now;
            self.pending = None;
            return true;
        }
        self.pending = Some(now);
        false
    }
}

fn look(paths: &[PathBuf]) -> Vec<(PathBuf, Option<Stamp>)> {
    let mut out = Vec::new();
    for path in paths {
        out.push((path.clone(), stamp(path)));
        let Ok(entries) = std::fs::read_dir(path) else { continue };
        let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        files.sort();
        out.extend(files.into_iter().map(|file| {
            let stamp = stamp(&file);
            (file, stamp)
        }));
    }
    out
}

fn stamp(path: &Path) -> Option<Stamp> {
    let m = std::fs::metadata(path).ok()?;
    // A folder's own times change with every temporary file in it.
    if m.is_dir() {
        Some((0, 0, 0, m.dev(), m.ino()))
    } else {
        Some((m.len(), m.mtime(), m.mtime_nsec(), m.dev(), m.ino()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_counts_once_it_has_settled() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        std::fs::write(&file, "1").unwrap();
        let mut watch = Watch::new(vec![dir.path().to_owned()]);
        assert!(!watch.changed());
        std::fs::write(&file, "22").unwrap();
        assert!(!watch.changed(), "seen once");
        std::fs::write(&file, "333").unwrap();
        assert!(!watch.changed(), "still changing");
        assert!(watch.changed(), "settled");
        assert!(!watch.changed(), "told already");
        std::fs::remove_file(&file).unwrap();
        assert!(!watch.changed());
        assert!(watch.changed(), "gone");
    }
}
