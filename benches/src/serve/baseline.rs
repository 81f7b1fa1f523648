//! What one would write in an afternoon: one session for each classifier, no batching, nothing shared between classifiers, no queue of its
//! own. Same ONNX file, same runtime, same tokenizer library, same windows and decoding as the daemon, so that only serving differs.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use forebay_proto::v1;
use forebay_proto::v1::inferd_server::{Inferd, InferdServer};
use inferd::backend::ort::{Options, OrtRuntime};
use inferd::backend::{Backend, Batch, Provider, Runtime as _};
use inferd::decode::{self, Placed, TokenInput};
use inferd::models::{HeadKind, ModelSpec, Signal};
use inferd::tokenize::{TextTokenizer, windows};
use tokio_stream::wrappers::UnixListenerStream;
use tonic::{Request, Response, Status};

use super::process::Parts;

struct Classifier {
    signal: v1::Signal,
    spec: ModelSpec,
    tokenizer: TextTokenizer,
    session: Mutex<Box<dyn Backend>>,
}

impl Classifier {
    fn open(runtime: &OrtRuntime, dir: &Path, signal: Signal) -> Result<Self> {
        let mut spec = ModelSpec::load(dir)?;
        spec.heads.retain(|head| head.signal == signal);
        Ok(Self {
            signal: match signal {
                Signal::Jailbreak => v1::Signal::Jailbreak,
                Signal::Pii => v1::Signal::Pii,
                Signal::Domain => v1::Signal::Domain,
            },
            tokenizer: TextTokenizer::load(&spec.tokenizer)?,
            session: Mutex::new(runtime.open(&spec)?),
            spec,
        })
    }

    fn classify(&self, text: &str) -> Result<v1::SignalResult> {
        let head = self.spec.heads.first().context("no such head")?;
        let tokens = self.tokenizer.encode(text, usize::MAX)?;
        let frame = self.tokenizer.frame_tokens();
        let cut =
            windows(tokens.len(), self.spec.max_tokens - frame, self.spec.window_overlap_tokens);
        let mut rows = Vec::new();
        for window in &cut {
            let ids = tokens.ids.get(window.clone()).unwrap_or_default();
            let framed = self.tokenizer.frame(&[], ids);
            let batch = Batch::of(&[&framed], self.tokenizer.pad());
            let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            let tensor = session.run(&batch)?.into_iter().next().context("no output")?;
            rows.push(tensor.data);
        }
        let mut result = v1::SignalResult {
            signal: self.signal.into(),
            model: self.spec.name.clone(),
            tokens_read: u32::try_from(tokens.len())?,
            windows: u32::try_from(cut.len())?,
            ..Default::default()
        };
        let rows: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
        match head.kind {
            HeadKind::Sequence => {
                let scores = decode::sequence(head, &rows)?;
                result.scores = scores
                    .into_iter()
                    .map(|s| v1::LabelScore { label: s.label, score: s.score })
                    .collect();
            }
            HeadKind::Token => {
                let skip = self.tokenizer.leading_tokens() * head.labels.len();
                let content: Vec<&[f32]> = rows
                    .iter()
                    .zip(&cut)
                    .filter_map(|(row, w)| row.get(skip..skip + w.len() * head.labels.len()))
                    .collect();
                let placed = [Placed { id: 0, range: 0..text.len() }];
                let input = TokenInput {
                    text,
                    offsets: &tokens.offsets,
                    windows: &cut,
                    logits: &content,
                    passages: &placed,
                };
                result.spans = decode::token_spans(head, &input)?
                    .into_iter()
                    .map(|s| v1::Span {
                        passage_id: s.passage_id,
                        start: u32::try_from(s.range.start).unwrap_or(u32::MAX),
                        end: u32::try_from(s.range.end).unwrap_or(u32::MAX),
                        entity_type: s.entity_type,
                        score: s.score,
                    })
                    .collect();
            }
        }
        Ok(result)
    }
}

struct Service(Arc<Vec<Classifier>>);

#[tonic::async_trait]
impl Inferd for Service {
    async fn classify(
        &self,
        request: Request<v1::ClassifyRequest>,
    ) -> Result<Response<v1::ClassifyResponse>, Status> {
        let request = request.into_inner();
        let texts: Vec<&str> = request.passages.iter().map(|p| p.text.as_str()).collect();
        let text = Arc::new(texts.join("\n"));
        let mut tasks = Vec::new();
        for asked in &request.signals {
            let at = self.0.iter().position(|c| i32::from(c.signal) == asked.signal);
            let at = at.ok_or_else(|| Status::invalid_argument("unknown signal"))?;
            let (all, text) = (Arc::clone(&self.0), Arc::clone(&text));
            tasks.push(tokio::task::spawn_blocking(move || {
                all.get(at).context("no classifier")?.classify(&text)
            }));
        }
        let mut results = Vec::new();
        for task in tasks {
            let result = task.await.map_err(|e| Status::internal(e.to_string()))?;
            results.push(result.map_err(|e| Status::internal(format!("{e:#}")))?);
        }
        Ok(Response::new(v1::ClassifyResponse { results, timings: None }))
    }
}

/// Serves until killed.
pub(crate) fn serve(socket: &Path, model: &Path) -> Result<()> {
    let parts = Parts::find(Some(model))?;
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        // As many threads in all as there are CPUs, as the daemon does.
        intra_threads: std::num::NonZeroUsize::new(cpus / Signal::ALL.len())
            .unwrap_or(std::num::NonZeroUsize::MIN),
        provider: Provider::Cpu,
        memory_limit_bytes: None,
        operator_library: None,
        allow_fallback: false,
        cache: None,
        read_back: false,
    };
    let runtime = OrtRuntime::load(&parts.ort_lib, options)?;
    let classifiers = Signal::ALL
        .into_iter()
        .map(|signal| Classifier::open(&runtime, &parts.model, signal))
        .collect::<Result<Vec<_>>>()?;
    for classifier in &classifiers {
        classifier.classify("The quick brown fox jumps over the lazy dog.")?;
    }
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = tokio::net::UnixListener::bind(socket)?;
        tonic::transport::Server::builder()
            .add_service(InferdServer::new(Service(Arc::new(classifiers))))
            .serve_with_incoming(UnixListenerStream::new(listener))
            .await?;
        Ok(())
    })
}
