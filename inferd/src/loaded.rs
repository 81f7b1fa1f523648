//! The models that are in memory: opened, grouped by file, warmed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::attention::{self, Attention};
use crate::backend::Runtime;
use crate::batch::Limits;
use crate::config::Batching;
use crate::models::{ModelError, ModelSpec, Signal};
use crate::telemetry::Metrics;
use crate::tokenize::TextTokenizer;
use crate::worker::{Settings, Work, Worker};

/// One model file with its queue.
#[derive(Debug)]
pub struct Model {
    /// What the folder says.
    pub spec: Arc<ModelSpec>,
    /// Shared with other models that have the same file.
    pub tokenizer: Arc<TextTokenizer>,
    /// Which distinct tokenizer it is.
    pub tokenizer_index: usize,
    /// Ids put before the content of each window.
    pub prefix: Vec<u32>,
    /// Content tokens that fit one window.
    pub content_tokens: usize,
    /// Where content starts in a window.
    pub content_start: usize,
    /// Runs it.
    pub worker: Worker,
}

/// All models.
#[derive(Debug)]
pub struct Loaded {
    /// In the order of the configuration.
    pub models: Vec<Model>,
    by_signal: BTreeMap<Signal, (usize, usize)>,
    /// Tokens that the queue of each model holds.
    pub max_queue_tokens: usize,
}

/// What to load and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Model folders.
    pub dirs: Vec<PathBuf>,
    /// Thresholds that replace those of the manifests.
    pub thresholds: BTreeMap<Signal, f32>,
    /// Thresholds by entity type that replace those of the manifest.
    pub type_thresholds: BTreeMap<String, f32>,
    /// Which graph runs.
    pub attention: Attention,
    /// Which graph runs, by model name.
    pub attention_of: BTreeMap<String, Attention>,
    /// Whether windows run together.
    pub batching: Batching,
    /// Caps of each queue.
    pub limits: Limits,
    /// Sessions for each model file.
    pub sessions: usize,
}

impl Loaded {
    /// Reads, opens and warms the models. Blocks for as long as loading takes.
    ///
    /// # Errors
    ///
    /// Names the file and what is wrong with it.
    pub fn load(
        plan: &Plan,
        runtime: &Arc<dyn Runtime>,
        metrics: &Arc<Metrics>,
    ) -> Result<Self, ModelError> {
        let specs = read_specs(plan)?;
        if let Some(name) = plan.attention_of.keys().find(|n| specs.iter().all(|s| s.name != **n)) {
            let names: Vec<&str> = specs.iter().map(|s| s.name.as_str()).collect();
            return Err(ModelError::Unnamed { name: name.clone(), known: names.join(", ") });
        }
        let mut tokenizers: Vec<(String, Arc<TextTokenizer>)> = Vec::new();
        let mut loaded = Self {
            models: Vec::new(),
            by_signal: BTreeMap::new(),
            max_queue_tokens: plan.limits.max_queue_tokens,
        };
        for spec in specs {
            let tokenizer_index =
                match tokenizers.iter().position(|(sha256, _)| *sha256 == spec.tokenizer_sha256) {
                    Some(index) => index,
                    None => {
                        let tokenizer = TextTokenizer::load(&spec.tokenizer).map_err(|e| {
                            ModelError::Tokenizer {
                                path: spec.tokenizer.clone(),
                                message: e.to_string(),
                            }
                        })?;
                        tokenizers.push((spec.tokenizer_sha256.clone(), Arc::new(tokenizer)));
                        tokenizers.len() - 1
                    }
                };
            let Some((_, tokenizer)) = tokenizers.get(tokenizer_index) else { continue };
            let index = loaded.models.len();
            for (head, described) in spec.heads.iter().enumerate() {
                if let Some((other, _)) = loaded.by_signal.insert(described.signal, (index, head)) {
                    let first =
                        loaded.models.get(other).map_or_else(PathBuf::new, |m| m.spec.dir.clone());
                    return Err(ModelError::Duplicate {
                        signal: described.signal,
                        first,
                        second: spec.dir.clone(),
                    });
                }
            }
            loaded.models.push(open(spec, tokenizer, tokenizer_index, plan, runtime, metrics)?);
        }
        if loaded.models.is_empty() {
            return Err(ModelError::None);
        }
        for model in &loaded.models {
            model.probe()?;
        }
        Ok(loaded)
    }

    /// Which model and which of its heads serve a signal.
    #[must_use]
    pub fn serves(&self, signal: Signal) -> Option<(usize, usize)> {
        self.by_signal.get(&signal).copied()
    }

    /// Whether the models of these signals would still be in time with something short.
    #[must_use]
    pub fn take(&self, signals: impl Iterator<Item = Signal>, deadline: Option<Instant>) -> bool {
        let mut models = signals.filter_map(|s| self.models.get(self.serves(s)?.0));
        models.all(|model| model.worker.takes(deadline))
    }

    /// Waits until the workers have finished what waits, and ends them. Blocks.
    pub fn close(&self) {
        self.models.iter().for_each(|m| m.worker.close());
    }
}

/// Reads the folders; those that name the same ONNX file and agree about it become one.
fn read_specs(plan: &Plan) -> Result<Vec<ModelSpec>, ModelError> {
    let mut specs: Vec<ModelSpec> = Vec::new();
    for dir in &plan.dirs {
        let mut spec = ModelSpec::load(dir)?;
        for head in &mut spec.heads {
            if let Some(threshold) = plan.thresholds.get(&head.signal) {
                head.threshold = *threshold;
            }
            if head.signal == Signal::Pii {
                head.type_thresholds.extend(plan.type_thresholds.clone());
            }
        }
        let shared = specs.iter_mut().find(|other| {
            other.sha256 == spec.sha256
                && other.tokenizer_sha256 == spec.tokenizer_sha256
                && other.inputs == spec.inputs
                && other.max_tokens == spec.max_tokens
                && other.window_overlap_tokens == spec.window_overlap_tokens
                && other.text_prefix == spec.text_prefix
                && other.lowercase_shouting == spec.lowercase_shouting
                && same_file(other, &spec)
        });
        match shared {
            Some(other) => {
                for head in spec.heads {
                    if other.heads.iter().any(|h| h.signal == head.signal) {
                        return Err(ModelError::Duplicate {
                            signal: head.signal,
                            first: other.dir.clone(),
                            second: spec.dir,
                        });
                    }
                    other.heads.push(head);
                }
            }
            None => specs.push(spec),
        }
    }
    Ok(specs)
}

fn same_file(a: &ModelSpec, b: &ModelSpec) -> bool {
    match (a.file.canonicalize(), b.file.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

fn open(
    spec: ModelSpec,
    tokenizer: &Arc<TextTokenizer>,
    tokenizer_index: usize,
    plan: &Plan,
    runtime: &Arc<dyn Runtime>,
    metrics: &Arc<Metrics>,
) -> Result<Model, ModelError> {
    let unusable =
        |message: String| ModelError::Tokenizer { path: spec.tokenizer.clone(), message };
    let prefix = tokenizer
        .encode(spec.text_prefix.trim_end(), usize::MAX)
        .map_err(|e| unusable(e.to_string()))?
        .ids;
    let taken = tokenizer.frame_tokens() + prefix.len();
    let content_tokens = spec.max_tokens.saturating_sub(taken);
    if content_tokens <= spec.window_overlap_tokens {
        return Err(unusable(format!(
            "special tokens and prefix take {taken} of max_tokens {}, which leaves no more than the overlap of {}",
            spec.max_tokens, spec.window_overlap_tokens
        )));
    }
    if plan.limits.max_queue_tokens < spec.max_tokens {
        return Err(ModelError::Value {
            path: spec.dir.join(crate::models::MANIFEST),
            key: "max_tokens".to_owned(),
            message: format!(
                "{} does not fit the queue of {} tokens",
                spec.max_tokens, plan.limits.max_queue_tokens
            ),
        });
    }
    let wanted = plan.attention_of.get(&spec.name).copied().unwrap_or(plan.attention);
    let [_, full] = probe_windows(tokenizer, &prefix, content_tokens).map_err(unusable)?;
    let spec = attention::choose(spec, wanted, &full, runtime)?;
    let content_start = tokenizer.leading_tokens() + prefix.len();
    let spec = Arc::new(spec);
    let alone = match plan.batching {
        Batching::Auto => spec.quantises_at_run_time,
        Batching::Always => false,
        Batching::Never => true,
    };
    let limits = if alone { Limits { max_batch_rows: 1, ..plan.limits } } else { plan.limits };
    let settings = Settings { limits, sessions: plan.sessions, pad: tokenizer.pad() };
    let worker = Worker::start(&spec, runtime, metrics, settings)?;
    Ok(Model {
        spec,
        tokenizer: Arc::clone(tokenizer),
        tokenizer_index,
        prefix,
        content_tokens,
        content_start,
        worker,
    })
}

/// Any ordinary text will do.
const PROBE_TEXT: &str = "The quick brown fox jumps over the lazy dog. ";

/// A short window and a full one.
fn probe_windows(
    tokenizer: &TextTokenizer,
    prefix: &[u32],
    content_tokens: usize,
) -> Result<[Vec<u32>; 2], String> {
    let ids = tokenizer.encode(PROBE_TEXT, content_tokens).map_err(|e| e.to_string())?.ids;
    if ids.is_empty() {
        return Err("it makes no tokens of an English sentence".to_owned());
    }
    let full: Vec<u32> = ids.iter().copied().cycle().take(content_tokens).collect();
    Ok([&ids, &full].map(|content| tokenizer.frame(prefix, content)))
}

impl Model {
    /// The work of a probe: a short window and a full one, all heads.
    ///
    /// # Errors
    ///
    /// When the tokenizer fails or knows no word of the text.
    pub fn probe_work(&self) -> Result<Work, ModelError> {
        let windows = probe_windows(&self.tokenizer, &self.prefix, self.content_tokens).map_err(
            |message| ModelError::Tokenizer { path: self.spec.tokenizer.clone(), message },
        )?;
        Ok(Work {
            windows: windows.into(),
            heads: (0..self.spec.heads.len()).collect(),
            deadline: None,
        })
    }

    /// Runs the model once and checks what comes out. Blocks.
    ///
    /// # Errors
    ///
    /// When the run fails or gives values that are not finite: the model and its tokenizer do not belong together, for example.
    pub fn probe(&self) -> Result<(), ModelError> {
        let failed = |message: String| ModelError::Graph {
            path: self.spec.file.clone(),
            message: format!("probe: {message}"),
        };
        let receiver = self.worker.submit(self.probe_work()?).map_err(|e| failed(e.to_string()))?;
        let done = receiver
            .blocking_recv()
            .map_err(|_| failed("the worker stopped".to_owned()))?
            .map_err(|e| failed(e.to_string()))?;
        let finite = done.windows.iter().flatten().flatten().all(|x| x.is_finite());
        if finite {
            Ok(())
        } else {
            Err(failed("the model returned a value that is not a finite number".to_owned()))
        }
    }
}
