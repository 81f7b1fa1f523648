//! The real classifiers: the daemon's engine in this process, with the embedded model and ONNX Runtime.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, ensure};
use inferd::backend::Runtime;
use inferd::backend::ort::{Library, OrtRuntime};
use inferd::config::{Config, Raw};
use inferd::daemon;
use inferd::engine::{Engine, Passage, Question, Request};
use inferd::loaded::Loaded;
use inferd::models::Signal;
use inferd::telemetry::Metrics;

use super::methods::recognised;

/// What the classifiers decide about a text, or about the pieces of it that were kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Verdict {
    /// Whether the jailbreak score reaches the manifest's threshold.
    pub(super) is_attack: bool,
    /// The category, or `none` below the threshold.
    pub(super) domain: String,
    /// Entities that only the model decides, in bytes of the text.
    pub(super) entities: Vec<(String, Range<usize>)>,
    /// Tokens read.
    pub(super) tokens: usize,
    /// Windows read.
    pub(super) windows: usize,
    /// Whether the daemon left something out.
    pub(super) truncated: bool,
}

impl Verdict {
    /// The types of personal data that are found, the recognisers' of the whole text among them.
    pub(super) fn types(&self, text: &str) -> BTreeSet<String> {
        let own = recognised(text).into_iter().map(|(name, _)| name.to_owned());
        own.chain(self.entities.iter().map(|(name, _)| name.clone())).collect()
    }
}

/// Asks the classifiers.
#[derive(Debug)]
pub(super) struct Reader {
    engine: Engine,
    runtime: tokio::runtime::Runtime,
    pub(super) model: String,
}

/// Where the libraries lie if nothing else is said: where `cargo xtask` puts them.
const USUAL_LIBRARY: &str = ".forebay/ort/libonnxruntime.so";

impl Reader {
    /// Loads a model folder, one session a core.
    pub(super) fn load(model: &Path, library: Option<&Path>) -> Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut raw = Raw { models: vec![model.to_owned()], ..Raw::default() };
        raw.runtime.sessions = cores.min(8);
        raw.runtime.intra_threads = 1;
        let config = Config::try_from(raw)?;
        let variable = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(Into::into);
        let usual = Some(crate::root().join(USUAL_LIBRARY)).filter(|path| path.is_file());
        let path = Library::RUNTIME.find(
            &[
                ("--ort-lib", library.map(Into::into)),
                ("FOREBAY_ORT_LIB", variable("FOREBAY_ORT_LIB")),
                ("ORT_DYLIB_PATH", variable("ORT_DYLIB_PATH")),
                ("cargo xtask", usual),
            ],
            None,
        )?;
        let backend: Arc<dyn Runtime> = Arc::new(OrtRuntime::load(&path, config.session.clone())?);
        let metrics = Arc::new(Metrics::new().map_err(|e| anyhow!("{e}"))?);
        let loaded = Loaded::load(&daemon::plan(&config), &backend, &metrics)
            .with_context(|| format!("{}", model.display()))?;
        let named = loaded.models.first().context("no model")?;
        let model = format!("{} {}", named.spec.name, named.spec.version);
        let engine = Engine::new(config.engine, metrics);
        engine.swap(Some(Arc::new(loaded)));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        Ok(Self { engine, runtime, model })
    }

    /// All signals of the pieces, in one pass, as the filter would ask.
    pub(super) fn read(&self, text: &str, pieces: &[Range<usize>]) -> Result<Verdict> {
        if pieces.iter().all(|piece| text.get(piece.clone()).is_none_or(|t| t.trim().is_empty())) {
            return Ok(Verdict { domain: "none".to_owned(), ..Verdict::default() });
        }
        let passages: Vec<Passage> = pieces
            .iter()
            .zip(0..)
            .map(|(piece, id)| Passage {
                id,
                text: text.get(piece.clone()).unwrap_or_default().to_owned(),
            })
            .collect();
        let ids: Vec<u32> = passages.iter().map(|passage| passage.id).collect();
        let questions = Signal::ALL
            .iter()
            .map(|signal| Question { signal: *signal, passages: ids.clone() })
            .collect();
        let response =
            self.runtime.block_on(self.engine.classify(Request { passages, questions }, None))?;
        let mut verdict = Verdict::default();
        for answer in response.answers {
            let finding = answer.finding.map_err(|failure| {
                anyhow!("{} gave no answer: {}", answer.signal.name(), failure.name())
            })?;
            verdict.truncated |= finding.truncated;
            verdict.tokens = verdict.tokens.max(finding.tokens);
            verdict.windows = verdict.windows.max(finding.windows);
            match answer.signal {
                Signal::Jailbreak => {
                    let score = finding.scores.iter().filter(|s| s.label != "benign");
                    verdict.is_attack = score.map(|s| s.score).sum::<f32>() >= finding.threshold;
                }
                Signal::Domain => {
                    let best = finding.scores.first().filter(|s| s.score >= finding.threshold);
                    verdict.domain = best.map_or_else(|| "none".to_owned(), |s| s.label.clone());
                }
                Signal::Pii => {
                    for span in finding.spans {
                        let own = recognise::Entity::from_name(&span.entity_type)
                            .is_some_and(recognise::Entity::overrules_models);
                        let piece =
                            usize::try_from(span.passage_id).ok().and_then(|id| pieces.get(id));
                        if let (false, Some(piece)) = (own, piece) {
                            let place =
                                piece.start + span.range.start..piece.start + span.range.end;
                            verdict.entities.push((span.entity_type, place));
                        }
                    }
                }
            }
        }
        ensure!(!verdict.domain.is_empty(), "the model has no domain head");
        Ok(verdict)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(loaded) = self.engine.swap(None) {
            loaded.close();
        }
    }
}
