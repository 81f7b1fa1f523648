//! HTTP interfaces of other servers, so that their clients can use this one: the Open Inference Protocol (KServe v2) and the `predict`
//! call of Text Embeddings Inference. On the admin port, off by default.
//!
//! A signal is a model here. Texts are read alone and whole, by windows.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::engine::{Engine, EngineError, Finding, Passage, Question, Request};
use crate::models::Signal;

/// Texts of one call.
const MAX_TEXTS: usize = 64;

#[derive(Clone)]
struct Shared {
    engine: Arc<Engine>,
    deadline: Duration,
}

/// The routes. Calls may take `deadline`, and bodies `max_body_bytes`.
pub fn routes(engine: Arc<Engine>, deadline: Duration, max_body_bytes: usize) -> Router {
    Router::new()
        .route("/predict", post(predict_jailbreak))
        .route("/predict/{signal}", post(predict))
        .route("/v2/health/live", get(|| async { StatusCode::OK }))
        .route("/v2/health/ready", get(ready))
        .route("/v2/models/{signal}", get(describe))
        .route("/v2/models/{signal}/ready", get(model_ready))
        .route("/v2/models/{signal}/infer", post(infer))
        .layer(DefaultBodyLimit::max(max_body_bytes))
        .with_state(Shared { engine, deadline })
}

/// An answer that is not 200.
struct Refusal(StatusCode, String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, Json(json!({"error": self.1}))).into_response()
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        let status = match error {
            EngineError::Invalid(_) => StatusCode::BAD_REQUEST,
            EngineError::Overloaded(_) => StatusCode::TOO_MANY_REQUESTS,
            EngineError::Deadline => StatusCode::GATEWAY_TIMEOUT,
            EngineError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            EngineError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self(status, error.to_string())
    }
}

fn signal(name: &str) -> Result<Signal, Refusal> {
    let known = || Signal::ALL.map(Signal::name).join(", ");
    Signal::ALL.into_iter().find(|s| s.name() == name).ok_or_else(|| {
        Refusal(StatusCode::NOT_FOUND, format!("no such model; there are {}", known()))
    })
}

/// Reads texts one by one; each is a request of its own, so that what one says cannot change another's answer.
async fn classify(
    shared: &Shared,
    signal: Signal,
    texts: Vec<String>,
) -> Result<Vec<Finding>, Refusal> {
    if texts.is_empty() || texts.len() > MAX_TEXTS {
        return Err(Refusal(
            StatusCode::BAD_REQUEST,
            format!("{} texts are not within 1 to {MAX_TEXTS}", texts.len()),
        ));
    }
    let deadline = Instant::now() + shared.deadline;
    let mut findings = Vec::with_capacity(texts.len());
    for text in texts {
        let request = Request {
            passages: vec![Passage { id: 0, text }],
            questions: vec![Question { signal, passages: vec![0] }],
        };
        let response = shared.engine.classify(request, Some(deadline)).await?;
        let finding = response.answers.into_iter().next().map(|a| a.finding);
        match finding {
            Some(Ok(finding)) => findings.push(finding),
            Some(Err(failure)) => {
                return Err(Refusal(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    format!("the model gave no answer ({})", failure.name()),
                ));
            }
            None => return Err(Refusal(StatusCode::INTERNAL_SERVER_ERROR, "no answer".to_owned())),
        }
    }
    Ok(findings)
}

#[derive(Deserialize)]
struct Predict {
    inputs: Inputs,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Inputs {
    One(String),
    Many(Vec<Vec<String>>),
}

async fn predict_jailbreak(
    state: State<Shared>,
    body: Json<Predict>,
) -> Result<Json<Value>, Refusal> {
    predict(state, Path(Signal::Jailbreak.name().to_owned()), body).await
}

async fn predict(
    State(shared): State<Shared>,
    Path(name): Path<String>,
    Json(body): Json<Predict>,
) -> Result<Json<Value>, Refusal> {
    let signal = signal(&name)?;
    let (texts, single) = match body.inputs {
        Inputs::One(text) => (vec![text], true),
        Inputs::Many(list) => {
            if list.iter().any(|texts| texts.len() != 1) {
                return Err(Refusal(
                    StatusCode::UNPROCESSABLE_ENTITY,
                    "pairs of texts are not supported".to_owned(),
                ));
            }
            (list.into_iter().flatten().collect(), false)
        }
    };
    let mut answers: Vec<Value> =
        classify(&shared, signal, texts).await?.iter().map(prediction).collect();
    Ok(Json(if single { answers.pop().unwrap_or_default() } else { Value::Array(answers) }))
}

fn prediction(finding: &Finding) -> Value {
    if finding.scores.is_empty() {
        spans(finding)
    } else {
        finding.scores.iter().map(|s| json!({"label": s.label, "score": s.score})).collect()
    }
}

fn spans(finding: &Finding) -> Value {
    finding
        .spans
        .iter()
        .map(|s| json!({"label": s.entity_type, "score": s.score, "start": s.range.start, "end": s.range.end}))
        .collect()
}

async fn ready(State(shared): State<Shared>) -> StatusCode {
    if shared.engine.loaded().is_some() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}

async fn model_ready(
    State(shared): State<Shared>,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    let signal = signal(&name)?;
    let serves = shared.engine.loaded().is_some_and(|l| l.serves(signal).is_some());
    Ok(if serves { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE })
}

async fn describe(
    State(shared): State<Shared>,
    Path(name): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let signal = signal(&name)?;
    let loaded = shared.engine.loaded().ok_or(EngineError::Unavailable)?;
    let model = loaded.serves(signal).and_then(|(index, _)| loaded.models.get(index));
    let model =
        model.ok_or_else(|| Refusal(StatusCode::NOT_FOUND, format!("no model serves {signal}")))?;
    Ok(Json(json!({
        "name": signal.name(),
        "versions": [model.spec.version],
        "platform": "onnx",
        "inputs": [{"name": "text", "datatype": "BYTES", "shape": [-1]}],
        "outputs": outputs(signal).map(|(name, datatype)| json!({"name": name, "datatype": datatype, "shape": [-1]})),
    })))
}

const fn outputs(signal: Signal) -> [(&'static str, &'static str); 2] {
    match signal {
        Signal::Pii => [("spans", "BYTES"), ("count", "INT64")],
        Signal::Jailbreak | Signal::Domain => [("label", "BYTES"), ("score", "FP32")],
    }
}

#[derive(Deserialize)]
struct Infer {
    id: Option<String>,
    inputs: Vec<InferInput>,
}

#[derive(Deserialize)]
struct InferInput {
    name: String,
    datatype: String,
    data: Vec<String>,
}

async fn infer(
    State(shared): State<Shared>,
    Path(name): Path<String>,
    Json(body): Json<Infer>,
) -> Result<Json<Value>, Refusal> {
    let signal = signal(&name)?;
    let [input]: [InferInput; 1] = body.inputs.try_into().map_err(|list: Vec<InferInput>| {
        Refusal(StatusCode::BAD_REQUEST, format!("{} inputs; 1 is allowed", list.len()))
    })?;
    if input.name != "text" || input.datatype != "BYTES" {
        let message = "the input must be named \"text\" and have the datatype \"BYTES\"";
        return Err(Refusal(StatusCode::BAD_REQUEST, message.to_owned()));
    }
    let findings = classify(&shared, signal, input.data).await?;
    let top = |f: &Finding| f.scores.first().cloned();
    let columns: [Vec<Value>; 2] = if signal == Signal::Pii {
        [
            findings.iter().map(|f| Value::String(spans(f).to_string())).collect(),
            findings.iter().map(|f| json!(f.spans.len())).collect(),
        ]
    } else {
        [
            findings.iter().map(|f| json!(top(f).map(|s| s.label))).collect(),
            findings.iter().map(|f| json!(top(f).map(|s| s.score))).collect(),
        ]
    };
    let outputs: Vec<Value> = outputs(signal)
        .into_iter()
        .zip(columns)
        .map(|((name, datatype), data)| json!({"name": name, "datatype": datatype, "shape": [data.len()], "data": data}))
        .collect();
    Ok(Json(json!({
        "model_name": signal.name(),
        "model_version": findings.first().map(|f| f.version.clone()),
        "id": body.id,
        "outputs": outputs,
    })))
}
