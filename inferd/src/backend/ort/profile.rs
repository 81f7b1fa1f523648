//! Which provider ran which nodes, from the runtime's own profile of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Deserialize;

/// What the runtime calls the CPU.
pub(super) const CPU: &str = "CPUExecutionProvider";

/// A place for a profile; whatever is written there is removed when it is dropped.
#[derive(Debug)]
pub(super) struct Profile {
    dir: PathBuf,
    prefix: PathBuf,
}

#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    cat: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    args: BTreeMap<String, serde_json::Value>,
}

impl Profile {
    /// A new folder among the temporary files; `None` where there can be none, on a read-only system for example.
    pub(super) fn new() -> Option<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("inferd-profile-{}-{n}", std::process::id()));
        match std::fs::create_dir(&dir) {
            Ok(()) => Some(Self { prefix: dir.join("run"), dir }),
            Err(error) => {
                tracing::warn!(%error, dir = %dir.display(), "the runtime cannot be asked where nodes run");
                None
            }
        }
    }

    /// What the runtime shall begin its file's name with.
    pub(super) fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// Nodes by the provider that ran them.
    pub(super) fn read(file: &Path) -> Result<BTreeMap<String, usize>, String> {
        let bytes = std::fs::read(file).map_err(|e| format!("the runtime's profile: {e}"))?;
        count(&bytes).map_err(|e| format!("the runtime's profile: {e}"))
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.dir));
    }
}

fn count(profile: &[u8]) -> Result<BTreeMap<String, usize>, serde_json::Error> {
    let events: Vec<Event> = serde_json::from_slice(profile)?;
    let nodes: BTreeSet<(String, String)> = events
        .into_iter()
        .filter(|event| event.cat == "Node")
        .filter_map(|event| {
            let provider = event.args.get("provider")?.as_str()?;
            Some((provider.to_owned(), event.name))
        })
        .collect();
    let mut out = BTreeMap::new();
    for (provider, _) in nodes {
        *out.entry(provider).or_default() += 1;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_node_counts_once_for_the_provider_that_ran_it() {
        let profile = br#"[
            {"cat":"Session","pid":1,"name":"session_initialization","args":{}},
            {"cat":"Node","name":"a_kernel_time","args":{"op_name":"MatMul","provider":"CUDAExecutionProvider"}},
            {"cat":"Node","name":"a_kernel_time","args":{"op_name":"MatMul","provider":"CUDAExecutionProvider"}},
            {"cat":"Node","name":"b_kernel_time","args":{"op_name":"Add","provider":"CUDAExecutionProvider"}},
            {"cat":"Node","name":"c_fence_before","args":{"op_name":"Shape"}},
            {"cat":"Node","name":"c_kernel_time","args":{"op_name":"Shape","provider":"CPUExecutionProvider"}}]"#;
        let expected = [("CPUExecutionProvider", 1), ("CUDAExecutionProvider", 2)];
        assert_eq!(count(profile).unwrap(), expected.map(|(k, n)| (k.to_owned(), n)).into());
        assert!(count(b"[{").is_err());
    }
}
