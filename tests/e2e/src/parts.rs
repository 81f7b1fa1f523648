//! Where the programs under test lie.
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

/// The built programs and pinned parts. `cargo xtask` sets the environment; without it the usual places are taken.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The Envoy binary.
    pub envoy: PathBuf,
    /// The ONNX Runtime library.
    pub ort_lib: PathBuf,
    /// The built filter.
    pub wasm: PathBuf,
    /// The built daemon.
    pub inferd: PathBuf,
    /// The model folder.
    pub model: PathBuf,
}

/// The repository's root.
#[must_use]
pub fn root() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.ancestors().nth(2).unwrap_or(crate_folder).to_owned()
}

impl Parts {
    /// Tells where the parts are expected; whether they are there is seen when they are used.
    #[must_use]
    pub fn locate() -> Self {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
        let target = root().join(target);
        let place =
            |name: &str, usual: PathBuf| std::env::var_os(name).map_or(usual, PathBuf::from);
        let wasm = target.join("wasm32-wasip1/release-wasm/filter_wasm.wasm");
        Self {
            envoy: place("FOREBAY_ENVOY", root().join(".forebay/envoy/envoy")),
            ort_lib: place("FOREBAY_ORT_LIB", root().join(".forebay/ort/libonnxruntime.so")),
            wasm: place("FOREBAY_WASM", wasm),
            inferd: place("FOREBAY_INFERD", target.join("debug/inferd")),
            model: place("FOREBAY_MODEL", root().join("models/forebay-small")),
        }
    }
}

/// Fails with the command that brings a part if it is not there.
pub(crate) fn need(path: &Path) -> Result<()> {
    ensure!(path.exists(), "{} is not there; `cargo xtask build` brings it", path.display());
    Ok(())
}
