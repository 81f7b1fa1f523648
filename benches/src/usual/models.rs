//! Three models, one after the other, a window at a time: what a straightforward server does.
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result, ensure};
use forebay_proto::v1::{
    ClassifyRequest, ClassifyResponse, LabelScore, Passage, Signal, SignalResult, Span, Timings,
};
use inferd::backend::ort::{Options, OrtRuntime};
use inferd::backend::{Backend, Batch, Provider, Runtime as _};
use inferd::models::{Head, HeadKind, ModelSpec};
use inferd::tokenize::{TextTokenizer, Tokens, windows};

/// The models, loaded and warm.
pub(crate) struct Three {
    models: Vec<Model>,
}

struct Model {
    spec: ModelSpec,
    tokenizer: TextTokenizer,
    /// Sessions take one run at a time.
    backend: Mutex<Box<dyn Backend>>,
}

/// A result with how many tokens were read in how many windows.
struct Read {
    scores: Vec<LabelScore>,
    spans: Vec<(std::ops::Range<usize>, String, f32)>,
    tokens: usize,
    windows: usize,
}

/// The runtime with the libraries that the environment names.
pub(crate) fn runtime(threads: usize) -> Result<OrtRuntime> {
    let library = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let ort = library("FOREBAY_ORT_LIB").context("FOREBAY_ORT_LIB is not set")?;
    let options = Options {
        intra_threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
        provider: Provider::Cpu,
        memory_limit_bytes: None,
        operator_library: library("FOREBAY_OPERATOR_LIB").filter(|path| path.exists()),
        allow_fallback: false,
        cache: None,
        read_back: false,
    };
    Ok(OrtRuntime::load(&ort, options)?)
}

impl Three {
    /// Loads each folder, or its rewritten graph, and runs it once.
    pub(crate) fn load(folders: &[PathBuf], flash: bool) -> Result<Self> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let runtime = runtime(threads)?;
        let load = |folder: &PathBuf| {
            let mut spec = ModelSpec::load(folder)?;
            if flash {
                let rewritten = spec.rewritten.take();
                let rewritten = rewritten
                    .with_context(|| format!("{}: no rewritten graph", folder.display()))?;
                spec.file = rewritten.file;
                spec.sha256 = rewritten.sha256;
                spec.uses_operator = true;
            }
            let tokenizer = TextTokenizer::load(&spec.tokenizer)?;
            let backend = Mutex::new(runtime.open(&spec)?);
            let model = Model { spec, tokenizer, backend };
            model.read("warm up")?;
            anyhow::Ok(model)
        };
        Ok(Self { models: folders.iter().map(load).collect::<Result<_>>()? })
    }

    /// Answers a request as the daemon would, one model after the other.
    pub(crate) fn answer(&self, request: &ClassifyRequest) -> Result<ClassifyResponse> {
        let mut results = Vec::new();
        for asked in &request.signals {
            let passages: Vec<&Passage> = asked
                .passage_ids
                .iter()
                .filter_map(|id| request.passages.iter().find(|passage| passage.id == *id))
                .collect();
            let text: Vec<&str> = passages.iter().map(|passage| passage.text.as_str()).collect();
            let (model, head) = self.model(asked.signal())?;
            let read = model.read(&text.join("\n"))?;
            results.push(result(asked.signal(), model, head, read, &passages));
        }
        Ok(ClassifyResponse { results, timings: Some(Timings::default()) })
    }

    /// Reads one text by every model; tells the label of each, for a header.
    pub(crate) fn labels(&self, text: &str) -> Result<String> {
        let mut labels = Vec::new();
        for model in &self.models {
            let read = model.read(text)?;
            let best = read.scores.first().map(|score| score.label.clone());
            labels.push(best.unwrap_or_else(|| format!("{} entities", read.spans.len())));
        }
        Ok(labels.join(", "))
    }

    fn model(&self, signal: Signal) -> Result<(&Model, &Head)> {
        let wanted = match signal {
            Signal::Jailbreak => inferd::models::Signal::Jailbreak,
            Signal::Pii => inferd::models::Signal::Pii,
            Signal::Domain | Signal::Unspecified => inferd::models::Signal::Domain,
        };
        let found = self.models.iter().find_map(|model| Some((model, model.spec.head(wanted)?)));
        found.with_context(|| format!("no model serves {wanted}"))
    }
}

impl Model {
    fn read(&self, text: &str) -> Result<Read> {
        let head = self.spec.heads.first().context("a model without heads")?;
        let tokens = self.tokenizer.encode(text, usize::MAX)?;
        let size = self.spec.max_tokens.saturating_sub(self.tokenizer.frame_tokens());
        let cuts = windows(tokens.len(), size, self.spec.window_overlap_tokens);
        let mut best: Vec<f32> = Vec::new();
        let mut spans = Vec::new();
        for cut in &cuts {
            let ids = tokens.ids.get(cut.clone()).unwrap_or_default();
            let window = self.tokenizer.frame(&[], ids);
            let batch = Batch::of(&[&window], self.tokenizer.pad());
            let mut backend = self.backend.lock().unwrap_or_else(PoisonError::into_inner);
            let outputs = backend.run(&batch)?;
            drop(backend);
            let output = outputs.into_iter().next().context("a run without output")?;
            ensure!(output.data.iter().all(|value| value.is_finite()), "a logit is not finite");
            match head.kind {
                HeadKind::Sequence => {
                    let scores = softmax(&output.data, head.temperature);
                    if best.is_empty() {
                        best = scores;
                    } else {
                        best.iter_mut().zip(scores).for_each(|(best, new)| *best = best.max(new));
                    }
                }
                HeadKind::Token => {
                    let skip = self.tokenizer.leading_tokens() * head.labels.len();
                    let rows = output.data.get(skip..).unwrap_or_default();
                    entities(head, rows, &tokens, cut.clone(), &mut spans);
                }
            }
        }
        let mut scores: Vec<LabelScore> = head
            .labels
            .iter()
            .zip(best)
            .map(|(label, score)| LabelScore { label: label.clone(), score })
            .collect();
        scores.sort_by(|a, b| b.score.total_cmp(&a.score));
        Ok(Read { scores, spans, tokens: tokens.len(), windows: cuts.len() })
    }
}

fn softmax(logits: &[f32], temperature: f32) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> =
        logits.iter().map(|logit| ((logit - most) / temperature).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// Neighbouring tokens of one type above its threshold are one entity.
fn entities(
    head: &Head,
    rows: &[f32],
    tokens: &Tokens,
    cut: std::ops::Range<usize>,
    spans: &mut Vec<(std::ops::Range<usize>, String, f32)>,
) {
    let mut open: Option<(std::ops::Range<usize>, &str, f32)> = None;
    for (row, at) in rows.chunks_exact(head.labels.len().max(1)).zip(cut) {
        let Some(place) = tokens.offsets.get(at) else { break };
        let scores = softmax(row, head.temperature);
        let best = scores.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        let Some((label, score)) = best.and_then(|(i, score)| Some((head.labels.get(i)?, *score)))
        else {
            continue;
        };
        let kind = label.split_once('-').map(|(_, kind)| kind);
        let kind = kind.filter(|kind| score >= head.threshold_for(kind));
        match (&mut open, kind) {
            (Some((range, same, _)), Some(kind)) if *same == kind => range.end = place.end,
            (_, kind) => {
                if let Some((range, kind, score)) = open.take() {
                    spans.push((range, kind.to_owned(), score));
                }
                open = kind.map(|kind| (place.clone(), kind, score));
            }
        }
    }
    if let Some((range, kind, score)) = open {
        spans.push((range, kind.to_owned(), score));
    }
}

fn result(
    signal: Signal,
    model: &Model,
    head: &Head,
    read: Read,
    passages: &[&Passage],
) -> SignalResult {
    let count = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    let mut starts = Vec::new();
    let mut next = 0;
    for passage in passages {
        starts.push((passage.id, next, next + passage.text.len(), &passage.text));
        next += passage.text.len() + 1;
    }
    let mut placed = Vec::new();
    let mut last = 0;
    let mut spans = read.spans;
    spans.sort_by_key(|(range, ..)| range.start);
    for (range, kind, score) in spans {
        let home =
            starts.iter().find(|(_, start, end, _)| *start <= range.start && range.end <= *end);
        // Windows overlap, so an entity may be found twice.
        let Some((id, start, _, text)) = home.filter(|_| range.start >= last) else { continue };
        last = range.end;
        let (from, to) = (range.start - start, range.end - start);
        let inner = text.get(from..to).unwrap_or_default();
        let from = from + inner.len() - inner.trim_start().len();
        if from < to {
            placed.push(Span {
                passage_id: *id,
                start: count(from),
                end: count(to),
                entity_type: kind,
                score,
            });
        }
    }
    SignalResult {
        signal: signal.into(),
        model: model.spec.name.clone(),
        model_version: model.spec.version.clone(),
        scores: read.scores,
        spans: placed,
        default_threshold: head.threshold,
        tokens_read: count(read.tokens),
        windows: count(read.windows),
        ..SignalResult::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_whatever_the_size_of_logits() {
        let scores = softmax(&[1000.0, 999.0, -1000.0], 1.0);
        assert!((scores.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(scores[0] > scores[1] && scores[2] < 1e-6);
    }

    #[test]
    fn neighbours_of_one_type_are_one_entity_and_others_end_it() {
        let head = Head {
            signal: inferd::models::Signal::Pii,
            output: "pii".to_owned(),
            kind: HeadKind::Token,
            labels: ["O", "B-PERSON", "I-PERSON"].map(ToOwned::to_owned).to_vec(),
            threshold: 0.5,
            type_thresholds: std::collections::BTreeMap::new(),
            temperature: 1.0,
            window_prior: 0.0,
        };
        let tokens =
            Tokens { ids: vec![1; 4], offsets: vec![0..2, 2..5, 5..8, 8..9], truncated: false };
        let rows = [9., 0., 0., 0., 9., 0., 0., 0., 9., 9., 0., 0.];
        let mut spans = Vec::new();
        entities(&head, &rows, &tokens, 0..4, &mut spans);
        assert_eq!(spans.len(), 1);
        assert_eq!((spans[0].0.clone(), spans[0].1.as_str()), (2..8, "PERSON"));
    }
}
