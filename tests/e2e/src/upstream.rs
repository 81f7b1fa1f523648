//! Two small OpenAI-compatible upstreams that remember what reached them.
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use bytes::Bytes;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::ReceiverStream;

use crate::client::Fields;

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Seen {
    /// `general` or `reasoning`.
    pub upstream: &'static str,
    /// The method.
    pub method: String,
    /// The path, with query.
    pub path: String,
    /// All headers, in order; names in lower case.
    pub headers: Fields,
    /// The body, to the byte.
    pub body: Bytes,
    /// The trailers.
    pub trailers: Fields,
    /// Whether it came to its end; false if the sender broke off.
    pub complete: bool,
}

impl Seen {
    /// The first value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// What an upstream answers.
#[derive(Clone, Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers apart from the length.
    pub headers: Fields,
    /// The body in pieces, each after a pause. One piece goes out with its length, more are chunked.
    pub pieces: Vec<(Duration, Bytes)>,
}

impl Answer {
    /// A JSON answer in one piece.
    #[must_use]
    pub fn json(value: &Value) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            pieces: vec![(Duration::ZERO, Bytes::from(value.to_string()))],
        }
    }

    /// Server-sent events, one piece each.
    #[must_use]
    pub fn events(events: impl IntoIterator<Item = String>) -> Self {
        let pieces = events.into_iter().map(|event| (Duration::ZERO, Bytes::from(event)));
        Self {
            status: 200,
            headers: vec![("content-type".to_owned(), "text/event-stream".to_owned())],
            pieces: pieces.collect(),
        }
    }
}

/// Makes an answer from a request.
pub type Responder = dyn Fn(&Seen) -> Answer + Send + Sync;

struct Shared {
    seen: Mutex<Vec<Seen>>,
    responder: Mutex<Arc<Responder>>,
}

/// Both upstreams. They end when this is dropped.
pub struct Upstreams {
    general: SocketAddr,
    reasoning: SocketAddr,
    shared: Arc<Shared>,
    tasks: Vec<JoinHandle<()>>,
}

impl std::fmt::Debug for Upstreams {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { general, reasoning, .. } = self;
        formatter
            .debug_struct("Upstreams")
            .field("general", general)
            .field("reasoning", reasoning)
            .finish_non_exhaustive()
    }
}

impl Upstreams {
    /// Starts both on ports that the system chooses.
    ///
    /// # Errors
    ///
    /// Fails when no port can be had.
    pub async fn start() -> Result<Self> {
        let general = TcpListener::bind("127.0.0.1:0").await?;
        let reasoning = TcpListener::bind("127.0.0.1:0").await?;
        let shared = Arc::new(Shared {
            seen: Mutex::default(),
            responder: Mutex::new(Arc::new(answer_like_openai)),
        });
        Ok(Self {
            general: general.local_addr()?,
            reasoning: reasoning.local_addr()?,
            tasks: vec![
                tokio::spawn(accept("general", general, Arc::clone(&shared))),
                tokio::spawn(accept("reasoning", reasoning, Arc::clone(&shared))),
            ],
            shared,
        })
    }

    /// Where `general` listens.
    #[must_use]
    pub const fn general(&self) -> SocketAddr {
        self.general
    }

    /// Where `reasoning` listens.
    #[must_use]
    pub const fn reasoning(&self) -> SocketAddr {
        self.reasoning
    }

    /// Takes what has arrived since the last call. A request is here before its answer leaves.
    #[must_use]
    pub fn take(&self) -> Vec<Seen> {
        std::mem::take(&mut *lock(&self.shared.seen))
    }

    /// Answers differently from now on.
    pub fn answer_with(&self, responder: impl Fn(&Seen) -> Answer + Send + Sync + 'static) {
        *lock(&self.shared.responder) = Arc::new(responder);
    }
}

impl Drop for Upstreams {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // The data is whole after any panic: each use is one assignment or push.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(name: &'static str, listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((connection, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        connections.spawn(async move {
            let service = service_fn(move |request| respond(name, request, Arc::clone(&shared)));
            let mut http = hyper::server::conn::http1::Builder::new();
            // A peer that breaks off is part of the tests.
            let _ended =
                http.half_close(true).serve_connection(TokioIo::new(connection), service).await;
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn respond(
    upstream: &'static str,
    request: http::Request<Incoming>,
    shared: Arc<Shared>,
) -> Result<http::Response<http_body_util::combinators::BoxBody<Bytes, Infallible>>, http::Error> {
    let (head, mut incoming) = request.into_parts();
    let fields = |map: &http::HeaderMap| -> Fields {
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        map.iter().map(|(name, value)| (name.to_string(), text(value.as_bytes()))).collect()
    };
    let mut seen = Seen {
        upstream,
        method: head.method.to_string(),
        path: head.uri.path_and_query().map_or_else(String::new, ToString::to_string),
        headers: fields(&head.headers),
        body: Bytes::new(),
        trailers: Vec::new(),
        complete: false,
    };
    let mut body = Vec::new();
    seen.complete = loop {
        match incoming.frame().await {
            None => break true,
            Some(Err(_)) => break false,
            Some(Ok(frame)) => match frame.into_data() {
                Ok(data) => body.extend_from_slice(&data),
                Err(frame) => {
                    if let Some(trailers) = frame.trailers_ref() {
                        seen.trailers = fields(trailers);
                    }
                }
            },
        }
    };
    seen.body = Bytes::from(body);
    lock(&shared.seen).push(seen.clone());
    let responder = Arc::clone(&lock(&shared.responder));
    let mut answer = responder(&seen);
    let mut response = http::Response::builder().status(answer.status);
    for (name, value) in &answer.headers {
        response = response.header(name, value);
    }
    if answer.pieces.len() == 1
        && let Some((pause, data)) = answer.pieces.pop()
    {
        tokio::time::sleep(pause).await;
        return response.body(http_body_util::Full::new(data).boxed());
    }
    let (pieces, outgoing) = tokio::sync::mpsc::channel(1);
    tokio::spawn(async move {
        for (pause, data) in answer.pieces {
            tokio::time::sleep(pause).await;
            if pieces.send(Ok(Frame::data(data))).await.is_err() {
                break;
            }
        }
    });
    response.body(StreamBody::new(ReceiverStream::new(outgoing)).boxed())
}

const TEXT: &str = "This is the demo upstream speaking.";

/// The default: what the API at the path would answer, with a short fixed text.
#[must_use]
pub fn answer_like_openai(seen: &Seen) -> Answer {
    let body: Value = serde_json::from_slice(&seen.body).unwrap_or(Value::Null);
    let model = body["model"].as_str().unwrap_or("demo");
    let streams = body["stream"] == Value::Bool(true);
    let tokens = seen.body.len() / 4;
    let path = seen.path.split('?').next().unwrap_or_default();
    let event = |value: &Value| format!("data: {value}\n\n");
    let named = |value: &Value| {
        format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or_default())
    };
    match path {
        "/v1/chat/completions" if streams => {
            let chunk = |delta: Value, reason: Value| {
                event(&json!({
                    "id": "chatcmpl-demo", "object": "chat.completion.chunk", "model": model,
                    "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
                }))
            };
            let words = TEXT.split_inclusive(' ');
            let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
            events.extend(words.map(|word| chunk(json!({ "content": word }), Value::Null)));
            events.push(chunk(json!({}), json!("stop")));
            events.push("data: [DONE]\n\n".to_owned());
            Answer::events(events)
        }
        "/v1/messages" if streams => {
            let mut events = vec![named(
                &json!({"type": "message_start", "message": {"id": "msg_demo", "type": "message",
                    "role": "assistant", "model": model, "content": [],
                    "usage": {"input_tokens": tokens, "output_tokens": 0}}}),
            )];
            events.extend(TEXT.split_inclusive(' ').map(|word| {
                named(&json!({"type": "content_block_delta", "index": 0,
                    "delta": {"type": "text_delta", "text": word}}))
            }));
            events.push(named(&json!({"type": "message_stop"})));
            Answer::events(events)
        }
        "/v1/responses" if streams => {
            let mut events: Vec<_> = TEXT
                .split_inclusive(' ')
                .map(|word| named(&json!({"type": "response.output_text.delta", "delta": word})))
                .collect();
            events.push(named(&json!({"type": "response.completed",
                "response": {"id": "resp_demo", "usage": {"input_tokens": tokens}}})));
            Answer::events(events)
        }
        "/v1/chat/completions" => Answer::json(&json!({
            "id": "chatcmpl-demo", "object": "chat.completion", "model": model,
            "choices": [{"index": 0, "finish_reason": "stop",
                "message": {"role": "assistant", "content": TEXT}}],
            "usage": {"prompt_tokens": tokens, "completion_tokens": 7, "total_tokens": tokens + 7},
        })),
        "/v1/completions" => Answer::json(&json!({
            "id": "cmpl-demo", "object": "text_completion", "model": model,
            "choices": [{"index": 0, "text": TEXT, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": tokens, "completion_tokens": 7, "total_tokens": tokens + 7},
        })),
        "/v1/responses" => Answer::json(&json!({
            "id": "resp_demo", "object": "response", "model": model,
            "output": [{"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": TEXT}]}],
            "usage": {"input_tokens": tokens, "output_tokens": 7, "total_tokens": tokens + 7},
        })),
        "/v1/messages" => Answer::json(&json!({
            "id": "msg_demo", "type": "message", "role": "assistant", "model": model,
            "content": [{"type": "text", "text": TEXT}], "stop_reason": "end_turn",
            "usage": {"input_tokens": tokens, "output_tokens": 7},
        })),
        "/v1/embeddings" => Answer::json(&json!({
            "object": "list", "model": model,
            "data": [{"object": "embedding", "index": 0, "embedding": [0.1, 0.2, 0.3]}],
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        })),
        // Anything else is told what arrived.
        _ => Answer::json(&json!({
            "method": seen.method, "path": seen.path, "body_bytes": seen.body.len(),
            "complete": seen.complete,
        })),
    }
}
