//! Graphs that the daemon rewrites by itself, kept between starts.
//!
//! A file is named after the digest of the graph that it was made of, so a model that changes is rewritten anew and a stale file is never
//! used. Only the CPU's graphs are made this way, and only small ones: others take minutes, and `inferd rewrite` is for them.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use ::ort::logging::LogLevel;

use super::OrtRuntime;
use crate::backend::Provider;
use crate::models::{ModelError, ModelSpec};

/// Largest graph that is rewritten at a start.
const MOST_BYTES: u64 = 128 << 20;
/// Graphs that are kept; the oldest go first.
const KEPT: usize = 8;

/// Drafts are named after the process, so that it makes one at a time.
static MAKING: Mutex<()> = Mutex::new(());

/// The rewritten graph of a model, made if need be; `None` where that is not done.
pub(super) fn rewritten(
    runtime: &OrtRuntime,
    spec: &ModelSpec,
) -> Result<Option<PathBuf>, ModelError> {
    let options = &runtime.options;
    let Some(folder) = options.cache.as_deref() else { return Ok(None) };
    let length = std::fs::metadata(&spec.file)
        .map_err(|source| ModelError::Read { path: spec.file.clone(), source })?
        .len();
    if options.provider != Provider::Cpu
        || options.operator_library.is_none()
        || spec.has_external_data
        || length > MOST_BYTES
    {
        return Ok(None);
    }
    let _one = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let file = folder.join(format!("{}-{}.onnx", spec.sha256, env!("CARGO_PKG_VERSION")));
    if file.is_file() {
        return Ok(Some(file));
    }
    let failed = |message: String| ModelError::Graph { path: file.clone(), message };
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|error| failed(format!("cannot make its folder: {error}")))?;
    let began = Instant::now();
    let rewriting = onnx_rewrite::Options {
        mask_input: spec.inputs.mask.clone(),
        padding: onnx_rewrite::Padded::Right,
        ..onnx_rewrite::Options::default()
    };
    // The rewriter finds out by trying how long a text the graph takes, which the library would report as errors.
    runtime.environment.set_log_level(LogLevel::Fatal);
    let report = onnx_rewrite::rewrite(&spec.file, &file, &rewriting, runtime);
    runtime.environment.set_log_level(super::LOGGED);
    let report = report
        .map_err(|error| failed(format!("cannot make it of {}: {error}", spec.file.display())))?;
    tracing::info!(
        model = spec.name,
        file = %file.display(),
        layers = report.layers.len(),
        took_ms = began.elapsed().as_millis(),
        "attention rewritten"
    );
    prune(folder, &file);
    Ok(Some(file))
}

/// Removes what lies in the folder beyond [`KEPT`] graphs. That it cannot be removed harms nobody.
fn prune(folder: &Path, newest: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut graphs: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let path = entry.path();
            let is_graph = path.extension().is_some_and(|e| e == "onnx") && path != newest;
            is_graph.then_some((entry.metadata().ok()?.modified().ok()?, path))
        })
        .collect();
    graphs.sort();
    let surplus = (graphs.len() + 1).saturating_sub(KEPT);
    for (_, path) in graphs.into_iter().take(surplus) {
        drop(std::fs::remove_file(path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_graphs_go_and_other_files_stay() {
        let dir = tempfile::tempdir().unwrap();
        let named = |name: String| dir.path().join(name);
        std::fs::write(named("notes.txt".to_owned()), "").unwrap();
        let old = SystemTime::UNIX_EPOCH;
        for i in 0..12_u64 {
            let file = std::fs::File::create(named(format!("{i}.onnx"))).unwrap();
            file.set_modified(old + std::time::Duration::from_secs(100 - i)).unwrap();
        }
        prune(dir.path(), &named("11.onnx".to_owned()));
        let left: Vec<u64> = (0..12).filter(|i| named(format!("{i}.onnx")).exists()).collect();
        // Higher numbers are older, but for the one that was just made.
        assert_eq!(left, [0, 1, 2, 3, 4, 5, 6, 11]);
        assert!(named("notes.txt".to_owned()).exists());
    }
}
