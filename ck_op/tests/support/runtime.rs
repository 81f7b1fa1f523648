//! The real ONNX Runtime, loaded once per test binary, and the operator library of this build.

#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::expect_used, clippy::panic, reason = "test code")]

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use onnx_rewrite::{Data, Runtime, RuntimeError, Tensor};
use ort::environment::Environment;
use ort::session::{Session, SessionInputValue};
use ort::value::{DynValue, Value};

/// `FOREBAY_ORT_LIB`, or the copy that `cargo xtask setup` fetches. There is no skipping: without it the tests fail.
pub(crate) fn environment() -> &'static Environment {
    static ENVIRONMENT: OnceLock<Environment> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let pinned =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../.forebay/ort/libonnxruntime.so");
        let library = std::env::var_os("FOREBAY_ORT_LIB").map_or(pinned, PathBuf::from);
        assert!(
            library.exists(),
            "ONNX Runtime is not at {}: run `cargo xtask setup`, or set FOREBAY_ORT_LIB",
            library.display()
        );
        ort::init_from(&library).expect("the library loads").build().expect("an environment")
    })
}

/// The operator library that cargo built for this binary: the newest, for an old one may lie in one of the places.
pub(crate) fn operator_library() -> PathBuf {
    let binary = std::env::current_exe().expect("a test binary");
    let folder = binary.parent().expect("in a folder");
    let candidates = [folder.to_owned(), folder.join(".."), folder.join("../deps")];
    candidates
        .iter()
        .map(|folder| folder.join("libforebay_ck_op.so"))
        .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
        .max()
        .unwrap_or_else(|| panic!("no libforebay_ck_op.so in {candidates:?}"))
        .1
}

/// ONNX Runtime registers the operators' domain without a lock: of two sessions that are made at once one may be refused.
static REGISTERING: Mutex<()> = Mutex::new(());

/// Held while a session is made.
fn registering() -> MutexGuard<'static, ()> {
    REGISTERING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One thread per session, the operator registered.
pub(crate) fn open(model: &[u8]) -> ort::Result<Session> {
    open_on(model, 1)
}

/// As many threads as are asked for, which do not spin: their CPU time is then their work.
pub(crate) fn open_on(model: &[u8], threads: usize) -> ort::Result<Session> {
    let _one = registering();
    Session::builder(environment())?
        .with_operator_library(operator_library())?
        .with_intra_threads(threads)?
        .with_intra_op_spinning(false)?
        .commit_from_memory(model)
}

/// [`Runtime`] over `ort`.
pub(crate) struct Ort {
    /// Threads per session.
    pub(crate) threads: usize,
}

impl Ort {
    fn session(&self, model: &Path) -> ort::Result<Session> {
        let _one = registering();
        Session::builder(environment())?
            .with_operator_library(operator_library())?
            .with_intra_threads(self.threads)?
            .with_intra_op_spinning(false)?
            // A probe that cannot run at some length is no news.
            .with_log_level(ort::logging::LogLevel::Fatal)?
            .commit_from_file(model)
    }
}

struct Opened(Session);

impl Runtime for Ort {
    fn open(&self, model: &Path) -> Result<Box<dyn onnx_rewrite::Session>, RuntimeError> {
        Ok(Box::new(Opened(self.session(model)?)))
    }
}

impl onnx_rewrite::Session for Opened {
    fn run(&mut self, inputs: &[(String, Tensor)]) -> Result<Vec<(String, Tensor)>, RuntimeError> {
        let feed = inputs
            .iter()
            .map(|(name, tensor)| Ok((name.into(), to_value(tensor)?.into())))
            .collect::<ort::Result<Vec<(std::borrow::Cow<'_, str>, SessionInputValue<'_>)>>>()?;
        let outputs = self.0.run(feed)?;
        outputs.iter().map(|(name, value)| Ok((name.to_owned(), from_value(&value)?))).collect()
    }
}

fn to_value(tensor: &Tensor) -> ort::Result<DynValue> {
    let shape = tensor.shape.clone();
    Ok(match &tensor.data {
        Data::F32(data) => Value::from_array((shape, data.clone()))?.into_dyn(),
        Data::I64(data) => Value::from_array((shape, data.clone()))?.into_dyn(),
        Data::I32(data) => Value::from_array((shape, data.clone()))?.into_dyn(),
        Data::Bool(data) => Value::from_array((shape, data.clone()))?.into_dyn(),
        other => panic!("inputs are never {other:?}"),
    })
}

fn from_value(value: &DynValue) -> Result<Tensor, RuntimeError> {
    let usizes =
        |shape: &[i64]| shape.iter().map(|&d| usize::try_from(d).expect("an extent")).collect();
    if let Ok((shape, data)) = value.try_extract_tensor::<f32>() {
        return Ok(Tensor { shape: usizes(shape), data: Data::F32(data.to_vec()) });
    }
    if let Ok((shape, data)) = value.try_extract_tensor::<half::f16>() {
        return Ok(Tensor {
            shape: usizes(shape),
            data: Data::F32(data.iter().map(|x| x.to_f32()).collect()),
        });
    }
    let (shape, data) = value.try_extract_tensor::<i64>()?;
    Ok(Tensor { shape: usizes(shape), data: Data::I64(data.to_vec()) })
}
