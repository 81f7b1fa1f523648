//! ONNX Runtime, loaded at run time. The only module that names `ort`.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use ::ort::environment::Environment;
use ::ort::ep::{self, ExecutionProviderDispatch};
use ::ort::logging::LogLevel;
use ::ort::session::Session;
use ::ort::session::builder::GraphOptimizationLevel;
use ::ort::value::{TensorElementType, TensorRef, ValueType};

mod cache;
mod profile;
mod rewrite;

use profile::{CPU, Profile};

use super::{Backend, Batch, Provider, RunError, Runtime, RuntimeInfo, Tensor};
use crate::models::{HeadKind, ModelError, ModelSpec};

/// ONNX Runtime looks whether the operators' domain is known and then makes it known, without a lock: of two sessions that are made at once
/// one may be refused ("already exist").
static REGISTERING: Mutex<()> = Mutex::new(());

/// Settings of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Threads that work on one run.
    pub intra_threads: NonZeroUsize,
    /// Where the nodes run.
    pub provider: Provider,
    /// Most device memory that a session may take; no limit when absent. Not for the CPU.
    pub memory_limit_bytes: Option<usize>,
    /// A library of custom operators.
    pub operator_library: Option<PathBuf>,
    /// Run on the CPU when the provider cannot take the whole model, instead of refusing it.
    pub allow_fallback: bool,
    /// Where graphs that are rewritten for the operators are kept; none are made when absent.
    pub cache: Option<PathBuf>,
    /// Ask where the nodes run on the CPU as well, not only elsewhere; costs a run and a temporary file.
    pub read_back: bool,
}

/// ONNX Runtime as a library file.
#[derive(Debug)]
pub struct OrtRuntime {
    environment: Environment,
    options: Options,
    fell_back: AtomicBool,
    nodes: Mutex<BTreeMap<String, usize>>,
}

/// Why the library cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// No file was found.
    #[error("no {what} found; looked at {}", looked_at.join(", "))]
    NotFound {
        /// What was looked for.
        what: &'static str,
        /// Each place with where its name came from.
        looked_at: Vec<String>,
    },
    /// The file is not a usable ONNX Runtime.
    #[error("{}: {message}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What the loader said.
        message: String,
    },
}

/// Messages of the library that are handed on.
const LOGGED: LogLevel = LogLevel::Error;

/// Hands the library's messages on. They name nodes, shapes and at most a token id, never text.
fn log(level: LogLevel, category: &str, _id: &str, _location: &str, message: &str) {
    match level {
        LogLevel::Fatal | LogLevel::Error => tracing::error!(category, message, "onnxruntime"),
        LogLevel::Warning => tracing::warn!(category, message, "onnxruntime"),
        LogLevel::Info | LogLevel::Verbose => tracing::debug!(category, message, "onnxruntime"),
    }
}

/// The process's one environment and the file that it came from.
static ENVIRONMENT: Mutex<Option<(PathBuf, Environment)>> = Mutex::new(None);

/// A library that is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// What it is.
    pub what: &'static str,
    /// Its file's usual names.
    pub names: &'static [&'static str],
}

impl Library {
    /// ONNX Runtime.
    pub const RUNTIME: Self =
        Self { what: "ONNX Runtime library", names: &["libonnxruntime.so", "libonnxruntime.so.1"] };
    /// This project's operators.
    pub const OPERATORS: Self = Self { what: "operator library", names: &["libforebay_ck_op.so"] };

    /// Finds it: the first of `candidates` (where it came from, path) that is set wins and must exist; otherwise a file beside the
    /// binary.
    ///
    /// # Errors
    ///
    /// Lists where it looked.
    pub fn find(
        self,
        candidates: &[(&str, Option<PathBuf>)],
        beside: Option<&Path>,
    ) -> Result<PathBuf, LibraryError> {
        let what = self.what;
        let mut looked_at = Vec::new();
        for (source, path) in candidates {
            match path {
                Some(path) if path.is_file() => return Ok(path.clone()),
                // A library that was asked for and is missing is never replaced by another.
                Some(path) => {
                    return Err(LibraryError::NotFound {
                        what,
                        looked_at: vec![format!("{} ({source})", path.display())],
                    });
                }
                None => looked_at.push(format!("{source} (not set)")),
            }
        }
        for directory in beside.into_iter().flat_map(|b| [b.to_owned(), b.join("../lib")]) {
            for name in self.names {
                let path = directory.join(name);
                if path.is_file() {
                    return Ok(path);
                }
                looked_at.push(path.display().to_string());
            }
        }
        Err(LibraryError::NotFound { what, looked_at })
    }
}

impl OrtRuntime {
    /// Loads the library. A process can load one: asking for another file later is an error.
    ///
    /// # Errors
    ///
    /// When the file is not an ONNX Runtime of at least 1.21.
    pub fn load(library: &Path, options: Options) -> Result<Self, LibraryError> {
        let unusable =
            |message: String| LibraryError::Unusable { path: library.to_owned(), message };
        let mut slot = ENVIRONMENT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((loaded, environment)) = &*slot {
            if loaded != library {
                return Err(unusable(format!("{} is already loaded", loaded.display())));
            }
            return Ok(Self::of(environment.clone(), options));
        }
        let environment = ::ort::init_from(library)
            .map_err(|e| unusable(e.to_string()))?
            .with_name("inferd")
            .with_telemetry(false)
            .with_logger(Arc::new(log))
            .build()
            .map_err(|e| unusable(e.to_string()))?;
        environment.set_log_level(LOGGED);
        *slot = Some((library.to_owned(), environment.clone()));
        Ok(Self::of(environment, options))
    }

    fn of(environment: Environment, options: Options) -> Self {
        Self { environment, options, fell_back: AtomicBool::new(false), nodes: Mutex::default() }
    }

    /// Opens a graph; `profile` names the file to which its runs are written.
    fn session(
        &self,
        file: &Path,
        provider: Provider,
        profile: Option<&Path>,
    ) -> ::ort::Result<Session> {
        let mut builder = Session::builder(&self.environment)?;
        if let Some(profile) = profile {
            builder = builder.with_profiling(profile)?;
        }
        if let Some(library) = &self.options.operator_library {
            builder = builder.with_operator_library(library)?;
        }
        if provider != Provider::Cpu {
            builder = builder.with_execution_providers([self.dispatch(provider)])?;
            // Nodes that the provider cannot take would run on the CPU, slowly and unnoticed.
            if !self.options.allow_fallback {
                builder = builder.with_disable_cpu_fallback()?;
            }
        }
        let mut builder = builder
            .with_optimization_level(GraphOptimizationLevel::All)?
            .with_intra_threads(self.options.intra_threads.get())?
            // Spinning threads burn the cores that Envoy needs.
            .with_intra_op_spinning(false)?;
        let _one = self
            .options
            .operator_library
            .is_some()
            .then(|| REGISTERING.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        builder.commit_from_file(file)
    }
}

impl OrtRuntime {
    fn dispatch(&self, provider: Provider) -> ExecutionProviderDispatch {
        let limit = self.options.memory_limit_bytes;
        let dispatch = match provider {
            Provider::Cpu => ep::CPU::default().build(),
            Provider::Cuda => limit
                .map_or_else(ep::CUDA::default, |n| ep::CUDA::default().with_memory_limit(n))
                .build(),
            Provider::Rocm => limit
                .map_or_else(ep::ROCm::default, |n| ep::ROCm::default().with_mem_limit(n))
                .build(),
            Provider::Migraphx => limit
                .map_or_else(ep::MIGraphX::default, |n| ep::MIGraphX::default().with_mem_limit(n))
                .build(),
        };
        dispatch.error_on_failure()
    }
}

impl Runtime for OrtRuntime {
    fn open(&self, spec: &ModelSpec) -> Result<Box<dyn Backend>, ModelError> {
        let refused = |message: String| ModelError::Graph { path: spec.file.clone(), message };
        let provider = self.options.provider;
        // Without a place for the profile the runtime cannot be asked; it still refuses what may not fall back.
        let asks = provider != Provider::Cpu || self.options.read_back;
        let profile = asks.then(Profile::new).flatten();
        let mut is_asked = profile.is_some();
        let session = match self.session(&spec.file, provider, profile.as_ref().map(Profile::prefix)) {
            Err(error) if provider != Provider::Cpu && self.options.allow_fallback => {
                tracing::warn!(model = spec.name, provider = provider.name(), %error, "falling back to the CPU");
                self.fell_back.store(true, Ordering::Relaxed);
                is_asked = false;
                self.session(&spec.file, Provider::Cpu, None)
            }
            Err(error) if provider != Provider::Cpu => {
                return Err(refused(format!(
                    "provider {} cannot run it, and runtime.allow_fallback is false: {error}",
                    provider.name()
                )));
            }
            opened => opened,
        }
        .map_err(|e| refused(e.to_string()))?;
        let types = check_graph(&session, spec).map_err(refused)?;
        let mut backend = OrtBackend { session, spec: spec.clone(), types };
        if is_asked {
            let nodes = backend.placement().map_err(|e| refused(e.to_string()))?;
            tracing::info!(model = spec.name, ?nodes, "where its nodes run");
            if provider != Provider::Cpu && nodes.contains_key(CPU) {
                self.fell_back.store(true, Ordering::Relaxed);
            }
            *self.nodes.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = nodes;
        }
        Ok(Box::new(backend))
    }

    fn has_operators(&self) -> bool {
        self.options.operator_library.is_some()
    }

    fn rewritten(&self, spec: &ModelSpec) -> Result<Option<PathBuf>, ModelError> {
        cache::rewritten(self, spec)
    }

    fn describe(&self) -> RuntimeInfo {
        RuntimeInfo {
            version: ::ort::info().to_owned(),
            provider: self.options.provider.name(),
            fell_back: self.fell_back.load(Ordering::Relaxed),
            nodes: self.nodes.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone(),
        }
    }
}

/// Compares the graph with the folder's description; gives the name of the segment-id input if there is one.
fn check_graph(session: &Session, spec: &ModelSpec) -> Result<Option<String>, String> {
    let inputs: HashMap<&str, &ValueType> =
        session.inputs().iter().map(|i| (i.name(), i.dtype())).collect();
    let outputs: HashMap<&str, &ValueType> =
        session.outputs().iter().map(|o| (o.name(), o.dtype())).collect();
    let names = |map: &HashMap<&str, &ValueType>| {
        let mut names: Vec<&str> = map.keys().copied().collect();
        names.sort_unstable();
        names.join(", ")
    };
    let types = spec
        .inputs
        .types
        .clone()
        .or_else(|| inputs.contains_key("token_type_ids").then(|| "token_type_ids".to_owned()));
    let fed: Vec<&str> = [spec.inputs.ids.as_str(), spec.inputs.mask.as_str()]
        .into_iter()
        .chain(types.as_deref())
        .collect();
    for name in &fed {
        let Some(dtype) = inputs.get(name) else {
            return Err(format!("has no input {name:?}; its inputs are {}", names(&inputs)));
        };
        if dtype.tensor_type() != Some(TensorElementType::Int64)
            || dtype.tensor_shape().is_none_or(|s| s.len() != 2)
        {
            return Err(format!(
                "input {name:?} is {dtype}, but must be an int64 tensor [batch, seq]"
            ));
        }
    }
    if let Some(unknown) = inputs.keys().find(|name| !fed.contains(name)) {
        return Err(format!("wants an input {unknown:?} that inputs does not name"));
    }
    for head in &spec.heads {
        let Some(dtype) = outputs.get(head.output.as_str()) else {
            return Err(format!(
                "has no output {:?} (signal {}); its outputs are {}",
                head.output,
                head.signal,
                names(&outputs)
            ));
        };
        if !matches!(
            dtype.tensor_type(),
            Some(TensorElementType::Float32 | TensorElementType::Float16)
        ) {
            return Err(format!(
                "output {:?} is {dtype}, but must be a float32 or float16 tensor",
                head.output
            ));
        }
        let shape = dtype.tensor_shape().map(|s| s.to_vec()).unwrap_or_default();
        let rank = match head.kind {
            HeadKind::Sequence => 2,
            HeadKind::Token => 3,
        };
        // An empty shape is one that the exporter did not write down; each run checks the real one.
        if !shape.is_empty() && shape.len() != rank {
            return Err(format!(
                "output {:?} has {} axes, but signal {} needs {rank}",
                head.output,
                shape.len(),
                head.signal
            ));
        }
        if let Some(labels) = shape.last().and_then(|n| usize::try_from(*n).ok())
            && labels != head.labels.len()
        {
            return Err(format!(
                "output {:?} has {labels} labels, but the labels of {} are {}",
                head.output,
                head.signal,
                head.labels.len()
            ));
        }
    }
    Ok(types)
}

/// One session.
struct OrtBackend {
    session: Session,
    spec: ModelSpec,
    types: Option<String>,
}

impl Backend for OrtBackend {
    fn run(&mut self, batch: &Batch) -> Result<Vec<Tensor>, RunError> {
        self.try_run(batch).map_err(|e| RunError(e.to_string()))
    }
}

impl OrtBackend {
    /// Runs once and reads where the nodes ran: the only way in which every version of the runtime tells it.
    fn placement(&mut self) -> ::ort::Result<BTreeMap<String, usize>> {
        const TOKENS: usize = 8;
        let batch = Batch { rows: 1, width: TOKENS, ids: vec![0; TOKENS], mask: vec![1; TOKENS] };
        self.try_run(&batch)?;
        let written = self.session.end_profiling()?;
        Profile::read(Path::new(&written)).map_err(::ort::Error::new)
    }

    fn try_run(&mut self, batch: &Batch) -> ::ort::Result<Vec<Tensor>> {
        let shape = [batch.rows, batch.width];
        let segments: Vec<i64>;
        let mut inputs = vec![
            (
                self.spec.inputs.ids.as_str(),
                TensorRef::from_array_view((shape, batch.ids.as_slice()))?,
            ),
            (
                self.spec.inputs.mask.as_str(),
                TensorRef::from_array_view((shape, batch.mask.as_slice()))?,
            ),
        ];
        if let Some(types) = &self.types {
            segments = vec![0; batch.ids.len()];
            inputs
                .push((types.as_str(), TensorRef::from_array_view((shape, segments.as_slice()))?));
        }
        let outputs = self.session.run(inputs)?;
        self.spec
            .heads
            .iter()
            .map(|head| {
                let missing =
                    || ::ort::Error::new(format!("the run gave no output {:?}", head.output));
                let value = outputs.get(&head.output).ok_or_else(missing)?;
                let (shape, data) =
                    if value.dtype().tensor_type() == Some(TensorElementType::Float16) {
                        let (shape, data) = value.try_extract_tensor::<half::f16>()?;
                        (shape, data.iter().map(|x| x.to_f32()).collect())
                    } else {
                        let (shape, data) = value.try_extract_tensor::<f32>()?;
                        (shape, data.to_vec())
                    };
                Ok(Tensor {
                    shape: shape.iter().map(|n| usize::try_from(*n).unwrap_or(0)).collect(),
                    data,
                })
            })
            .collect()
    }
}
