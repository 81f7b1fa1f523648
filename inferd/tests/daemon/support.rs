//! What the daemon tests share: a daemon in this process, on a socket in a temporary folder.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use forebay_proto::v1;
use inferd::backend::fake::{FakeRuntime, Script};
use inferd::backend::ort::{Options, OrtRuntime};
use inferd::backend::{Provider, Runtime};
use inferd::config::{Config, Raw};
use inferd::daemon::Daemon;
use inferd::server::Client;

pub(crate) type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

pub(crate) struct Running {
    pub(crate) daemon: Daemon,
    pub(crate) client: Client,
    _dir: tempfile::TempDir,
}

pub(crate) fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tiny")
}

pub(crate) fn session_options() -> Options {
    Options {
        intra_threads: std::num::NonZeroUsize::MIN,
        provider: Provider::Cpu,
        memory_limit_bytes: None,
        operator_library: None,
        allow_fallback: false,
        cache: None,
        read_back: false,
    }
}

/// The pinned library. A test without it fails; it is never passed over.
pub(crate) fn onnx_runtime() -> Result<Arc<dyn Runtime>> {
    let path = std::env::var_os("FOREBAY_ORT_LIB")
        .ok_or("FOREBAY_ORT_LIB must name libonnxruntime.so; `cargo xtask test` sets it")?;
    let options = session_options();
    Ok(Arc::new(OrtRuntime::load(Path::new(&path), options)?))
}

pub(crate) fn config(dir: &Path, edit: impl FnOnce(&mut Raw)) -> Result<Config> {
    let mut raw = Raw { models: vec![fixture()], ..Raw::default() };
    raw.socket.path = dir.join("inferd.sock");
    raw.admin.listen = "127.0.0.1:0".to_owned();
    edit(&mut raw);
    Ok(Config::try_from(raw)?)
}

pub(crate) async fn start(
    runtime: Arc<dyn Runtime>,
    edit: impl FnOnce(&mut Raw),
) -> Result<Running> {
    let dir = tempfile::tempdir()?;
    let daemon = Daemon::start(config(dir.path(), edit)?, runtime).await?;
    let client = Client::connect(&daemon.socket()).await?;
    Ok(Running { daemon, client, _dir: dir })
}

pub(crate) async fn start_fake(edit: impl FnOnce(&mut Raw)) -> Result<(Running, Arc<Script>)> {
    let runtime = FakeRuntime::default();
    let script = Arc::clone(&runtime.script);
    Ok((start(Arc::new(runtime), edit).await?, script))
}

/// A connection for clients that the daemon does not bring itself.
pub(crate) async fn channel(socket: PathBuf) -> Result<tonic::transport::Channel> {
    let connector = tower::service_fn(move |_: tonic::transport::Uri| {
        let socket = socket.clone();
        async move {
            let stream = tokio::net::UnixStream::connect(socket).await;
            stream.map(hyper_util::rt::TokioIo::new)
        }
    });
    let endpoint = tonic::transport::Endpoint::try_from("http://inferd")?;
    Ok(endpoint.connect_with_connector(connector).await?)
}

/// A folder with a gzipped export of at least 16 ids and a tokenizer of eleven words for it.
pub(crate) fn exported(dir: &Path, graph: &Path, head: &serde_json::Value) -> Result {
    let mut onnx = Vec::new();
    let file = std::fs::File::open(graph).map_err(|e| format!("{}: {e}", graph.display()))?;
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(file), &mut onnx)?;
    std::fs::write(dir.join("model.onnx"), onnx)?;
    let words =
        ["[UNK]", "The", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog", "."];
    let vocab: serde_json::Map<_, _> =
        words.iter().zip(0..).map(|(w, i)| ((*w).to_owned(), serde_json::Value::from(i))).collect();
    let tokenizer = serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"},
    });
    std::fs::write(dir.join("tokenizer.json"), tokenizer.to_string())?;
    let manifest = serde_json::json!({
        "schema": 1, "name": "small", "version": "1", "file": "model.onnx", "tokenizer": "tokenizer.json",
        "max_tokens": 256, "window_overlap_tokens": 16,
        "inputs": {"ids": "input_ids", "mask": "attention_mask"}, "heads": [head],
    });
    Ok(std::fs::write(dir.join("manifest.json"), manifest.to_string())?)
}

/// Where the rewriter keeps its exports.
pub(crate) fn exports() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ck_op/onnx-rewrite/fixtures")
}

pub(crate) const JAILBREAK: v1::Signal = v1::Signal::Jailbreak;
pub(crate) const PII: v1::Signal = v1::Signal::Pii;
pub(crate) const DOMAIN: v1::Signal = v1::Signal::Domain;

/// Passages numbered from 0, each signal reading all of them.
pub(crate) fn request(passages: &[&str], signals: &[v1::Signal]) -> v1::ClassifyRequest {
    let ids: Vec<u32> = (0..).take(passages.len()).collect();
    v1::ClassifyRequest {
        request_id: "test".to_owned(),
        passages: passages
            .iter()
            .zip(&ids)
            .map(|(text, id)| v1::Passage { id: *id, role: 3, text: (*text).to_owned() })
            .collect(),
        signals: signals
            .iter()
            .map(|s| v1::SignalRequest { signal: (*s).into(), passage_ids: ids.clone() })
            .collect(),
    }
}

pub(crate) fn all(passages: &[&str]) -> v1::ClassifyRequest {
    request(passages, &[JAILBREAK, PII, DOMAIN])
}

impl Running {
    pub(crate) async fn ask(&self, request: v1::ClassifyRequest) -> Result<v1::ClassifyResponse> {
        Ok(self.client.classify(request, Some(Duration::from_secs(20))).await?)
    }

    /// The value of a metric line that starts with `prefix`.
    pub(crate) fn metric(&self, prefix: &str) -> Option<f64> {
        let page = self.daemon.metrics().render();
        page.lines().find(|line| line.starts_with(prefix))?.rsplit(' ').next()?.parse().ok()
    }
}

/// Polls until the condition holds.
pub(crate) async fn eventually(what: &str, mut holds: impl FnMut() -> bool) -> Result {
    for _ in 0..1000 {
        if holds() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Err(format!("never came true: {what}").into())
}

/// `(passage, type, text)` of the spans of a result.
pub(crate) fn spans(result: &v1::SignalResult, passages: &[&str]) -> Vec<(u32, String, String)> {
    let text =
        |s: &v1::Span| passages[s.passage_id as usize][s.start as usize..s.end as usize].to_owned();
    result.spans.iter().map(|s| (s.passage_id, s.entity_type.clone(), text(s))).collect()
}
