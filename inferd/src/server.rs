//! gRPC over the socket. The only file that names `tonic`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use forebay_proto::v1;
use forebay_proto::v1::inferd_client::InferdClient;
use forebay_proto::v1::inferd_server::{Inferd, InferdServer};
use hyper_util::rt::TokioIo;
use tokio::net::UnixStream;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::metadata::MetadataMap;
use tonic::transport::server::Connected;
use tonic::transport::{Channel, Endpoint, Uri};
use tonic::{Code, Request, Response, Status};
use tonic_health::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, health_check_response};
use tonic_health::server::HealthReporter;
use tracing::Instrument as _;

use crate::connection::Connection;
use crate::engine::{self, Engine, EngineError, Failure, Finding};
use crate::models::Signal;
use crate::telemetry::{Metrics, Outcome};
use crate::traces::{Call, Traces};

/// Longest request id, in bytes.
const MAX_REQUEST_ID_BYTES: usize = 128;
/// How often an idle connection is asked whether it still lives, and how long it may take to answer.
const KEEPALIVE: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(10));
/// Answered calls reach the client before the deadline, not with it.
const DEADLINE_MARGIN: Duration = Duration::from_millis(2);

impl Connected for Connection {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

/// Tells `grpc.health.v1` who serves.
#[derive(Clone)]
pub struct Health(HealthReporter);

impl std::fmt::Debug for Health {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Health")
    }
}

impl Health {
    /// Sets the overall service, the gRPC service by name, and each signal by its name.
    pub async fn set(&self, serves: impl Fn(Option<Signal>) -> bool) {
        let status = |yes| if yes { ServingStatus::Serving } else { ServingStatus::NotServing };
        self.0.set_service_status("", status(serves(None))).await;
        self.0.set_service_status(forebay_proto::SERVICE, status(serves(None))).await;
        for signal in Signal::ALL {
            self.0.set_service_status(signal.name(), status(serves(Some(signal)))).await;
        }
    }
}

/// What the server needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Longest message that is read.
    pub max_message_bytes: usize,
    /// Used when a call has no deadline, and the most that one may ask for.
    pub max_deadline: Duration,
}

/// A gRPC server that is not running yet.
pub struct Server {
    engine: Arc<Engine>,
    settings: Settings,
    traces: Option<Arc<Traces>>,
    health_service:
        tonic_health::pb::health_server::HealthServer<tonic_health::server::HealthService>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Server {
    /// A server for the engine, and what reports its health; everything starts as not serving.
    pub async fn new(
        engine: Arc<Engine>,
        settings: Settings,
        traces: Option<Arc<Traces>>,
    ) -> (Self, Health) {
        let reporter = HealthReporter::new();
        let health_service = tonic_health::pb::health_server::HealthServer::new(
            tonic_health::server::HealthService::from_health_reporter(reporter.clone()),
        );
        let health = Health(reporter);
        health.set(|_| false).await;
        (Self { engine, settings, traces, health_service }, health)
    }

    /// Serves connections until `stop`, then tells clients to go and waits for calls under way.
    ///
    /// # Errors
    ///
    /// When the reflection data is unusable or the transport fails as a whole.
    pub async fn serve(
        self,
        connections: mpsc::Receiver<io::Result<Connection>>,
        stop: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let reflection = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(forebay_proto::FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
            .build_v1()
            .map_err(io::Error::other)?;
        let service = Service { engine: self.engine, settings: self.settings, traces: self.traces };
        let inferd = InferdServer::new(service)
            .max_decoding_message_size(self.settings.max_message_bytes)
            .max_encoding_message_size(usize::MAX);
        tonic::transport::Server::builder()
            // Also for what a client never finishes sending: the call itself begins with the last byte.
            .timeout(self.settings.max_deadline)
            .http2_keepalive_interval(Some(KEEPALIVE.0))
            .http2_keepalive_timeout(Some(KEEPALIVE.1))
            .add_service(self.health_service)
            .add_service(reflection)
            .add_service(inferd)
            .serve_with_incoming_shutdown(ReceiverStream::new(connections), stop)
            .await
            .map_err(io::Error::other)
    }
}

struct Service {
    engine: Arc<Engine>,
    settings: Settings,
    traces: Option<Arc<Traces>>,
}

#[tonic::async_trait]
impl Inferd for Service {
    async fn classify(
        &self,
        request: Request<v1::ClassifyRequest>,
    ) -> Result<Response<v1::ClassifyResponse>, Status> {
        let began = Instant::now();
        let mut ended = Ended {
            metrics: Arc::clone(self.engine.metrics()),
            began,
            outcome: Outcome::Cancelled,
            call: self.traces.as_ref().map(|traces| {
                traces.call(|key| request.metadata().get(key).and_then(|v| v.to_str().ok()))
            }),
        };
        let call = ended.call.as_ref();
        let span = tracing::info_span!(
            "classify",
            request_id = tracing::field::Empty,
            trace_id = tracing::field::Empty
        );
        if let Some(id) = trace_id(request.metadata()) {
            span.record("trace_id", id);
        }
        let result = async {
            let timeout = timeout(request.metadata())?
                .unwrap_or(self.settings.max_deadline)
                .min(self.settings.max_deadline);
            let deadline = began + timeout.saturating_sub(DEADLINE_MARGIN);
            let message = request.into_inner();
            check_id(&message.request_id)?;
            tracing::Span::current().record("request_id", &message.request_id);
            if let Some(call) = call {
                call.request_id(&message.request_id);
            }
            let response = self.engine.classify(message.try_into()?, Some(deadline)).await?;
            if let Some(call) = call {
                call.answered(began, &response.timings, &response.answers);
            }
            tracing::debug!(took_us = micros(began.elapsed()), "answered");
            Ok(response)
        }
        .instrument(span)
        .await;
        match result {
            Ok(response) => {
                ended.outcome = Outcome::Ok;
                Ok(Response::new(response.into()))
            }
            Err(error) => {
                ended.outcome = outcome(&error);
                Err(status(&error))
            }
        }
    }
}

/// Counts a call when it ends, however it ends: a caller that goes away just drops the future.
struct Ended {
    metrics: Arc<Metrics>,
    began: Instant,
    outcome: Outcome,
    call: Option<Call>,
}

impl Drop for Ended {
    fn drop(&mut self) {
        if let Some(call) = &self.call {
            call.outcome(self.outcome);
        }
        self.metrics.request(self.outcome, self.began.elapsed());
    }
}

const fn outcome(error: &EngineError) -> Outcome {
    match error {
        EngineError::Invalid(_) => Outcome::Invalid,
        EngineError::Overloaded(_) => Outcome::Shed,
        EngineError::Deadline => Outcome::Deadline,
        EngineError::Unavailable => Outcome::Unavailable,
        EngineError::Internal(_) => Outcome::Internal,
    }
}

fn status(error: &EngineError) -> Status {
    let message = error.to_string();
    match error {
        EngineError::Invalid(_) => Status::invalid_argument(message),
        EngineError::Overloaded(_) => Status::resource_exhausted(message),
        EngineError::Deadline => Status::deadline_exceeded(message),
        EngineError::Unavailable => Status::unavailable(message),
        EngineError::Internal(_) => {
            tracing::error!(message, "a call failed");
            Status::internal(message)
        }
    }
}

/// The trace that the proxy's W3C `traceparent` belongs to, so that log lines can be found by it.
fn trace_id(metadata: &MetadataMap) -> Option<&str> {
    let value = metadata.get("traceparent")?.to_str().ok()?;
    let mut fields = value.split('-');
    let id = fields.nth(1)?;
    (id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit())).then_some(id)
}

fn check_id(id: &str) -> Result<(), EngineError> {
    if id.len() > MAX_REQUEST_ID_BYTES || id.chars().any(char::is_control) {
        return Err(EngineError::Invalid(format!(
            "request_id must have at most {MAX_REQUEST_ID_BYTES} bytes and no control characters"
        )));
    }
    Ok(())
}

/// The `grpc-timeout` header: up to eight digits and a unit.
fn timeout(metadata: &MetadataMap) -> Result<Option<Duration>, EngineError> {
    let Some(value) = metadata.get("grpc-timeout") else { return Ok(None) };
    let parsed = value.to_str().ok().and_then(|text| {
        let digits = text.get(..text.len().checked_sub(1)?)?;
        if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let n: u64 = digits.parse().ok()?;
        match text.as_bytes().last()? {
            b'H' => Some(Duration::from_secs(n * 3600)),
            b'M' => Some(Duration::from_secs(n * 60)),
            b'S' => Some(Duration::from_secs(n)),
            b'm' => Some(Duration::from_millis(n)),
            b'u' => Some(Duration::from_micros(n)),
            b'n' => Some(Duration::from_nanos(n)),
            _ => None,
        }
    });
    parsed.map(Some).ok_or_else(|| {
        EngineError::Invalid(
            "grpc-timeout must be up to eight digits and one of H, M, S, m, u, n".to_owned(),
        )
    })
}

impl TryFrom<v1::ClassifyRequest> for engine::Request {
    type Error = EngineError;

    fn try_from(request: v1::ClassifyRequest) -> Result<Self, EngineError> {
        let questions = request.signals.into_iter().map(|asked| {
            let signal = match v1::Signal::try_from(asked.signal) {
                Ok(v1::Signal::Jailbreak) => Signal::Jailbreak,
                Ok(v1::Signal::Pii) => Signal::Pii,
                Ok(v1::Signal::Domain) => Signal::Domain,
                Ok(v1::Signal::Unspecified) | Err(_) => {
                    return Err(EngineError::Invalid(format!(
                        "signal {} is not known; 1 to 3 are",
                        asked.signal
                    )));
                }
            };
            Ok(engine::Question { signal, passages: asked.passage_ids })
        });
        let questions = questions.collect::<Result<_, _>>()?;
        let passages = request
            .passages
            .into_iter()
            .map(|p| engine::Passage { id: p.id, text: p.text })
            .collect();
        Ok(Self { passages, questions })
    }
}

impl From<engine::Response> for v1::ClassifyResponse {
    fn from(response: engine::Response) -> Self {
        let t = response.timings;
        Self {
            results: response.answers.into_iter().map(result).collect(),
            timings: Some(v1::Timings {
                queue_us: micros(t.queue),
                tokenise_us: micros(t.tokenise),
                run_us: micros(t.run),
                decode_us: micros(t.decode),
            }),
        }
    }
}

fn result(answer: engine::Answer) -> v1::SignalResult {
    let signal = match answer.signal {
        Signal::Jailbreak => v1::Signal::Jailbreak,
        Signal::Pii => v1::Signal::Pii,
        Signal::Domain => v1::Signal::Domain,
    };
    let empty = v1::SignalResult { signal: signal.into(), ..Default::default() };
    match answer.finding {
        Ok(finding) => v1::SignalResult { signal: empty.signal, ..good(finding) },
        Err(failure) => v1::SignalResult {
            failure: match failure {
                Failure::NoModel => v1::Failure::NoModel,
                Failure::NotFinite => v1::Failure::NotFinite,
                Failure::Runtime => v1::Failure::Runtime,
            }
            .into(),
            ..empty
        },
    }
}

fn good(finding: Finding) -> v1::SignalResult {
    let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let span = |s: crate::decode::Span| v1::Span {
        passage_id: s.passage_id,
        start: narrow(s.range.start),
        end: narrow(s.range.end),
        entity_type: s.entity_type,
        score: s.score,
    };
    v1::SignalResult {
        model: finding.model,
        model_version: finding.version,
        scores: finding
            .scores
            .into_iter()
            .map(|s| v1::LabelScore { label: s.label, score: s.score })
            .collect(),
        spans: finding.spans.into_iter().map(span).collect(),
        default_threshold: finding.threshold,
        tokens_read: narrow(finding.tokens),
        windows: narrow(finding.windows),
        truncated: finding.truncated,
        window_prior: finding.window_prior,
        ..Default::default()
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// A client of a daemon, for the command line and tests.
#[derive(Clone, Debug)]
pub struct Client(Channel);

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nobody listens at the socket.
    #[error("cannot connect to {}", path.display())]
    Connect {
        /// The socket.
        path: PathBuf,
        /// Why.
        source: tonic::transport::Error,
    },
    /// The daemon refused.
    #[error("{code}: {message}")]
    Refused {
        /// gRPC's name for the reason.
        code: String,
        /// The daemon's words.
        message: String,
    },
}

impl From<Status> for ClientError {
    fn from(status: Status) -> Self {
        // The library's own timer calls it a cancellation.
        if status.code() == Code::Cancelled && status.message() == "Timeout expired" {
            return Self::Refused {
                code: format!("{:?}", Code::DeadlineExceeded),
                message: "no answer in time".to_owned(),
            };
        }
        Self::Refused { code: format!("{:?}", status.code()), message: status.message().to_owned() }
    }
}

impl Client {
    /// Connects.
    ///
    /// # Errors
    ///
    /// When nobody listens there.
    pub async fn connect(path: &Path) -> Result<Self, ClientError> {
        let target = path.to_owned();
        let failed = |source| ClientError::Connect { path: path.to_owned(), source };
        let endpoint = Endpoint::try_from("http://inferd").map_err(failed)?;
        let connector = tower::service_fn(move |_: Uri| {
            let target = target.clone();
            async move { UnixStream::connect(target).await.map(TokioIo::new) }
        });
        Ok(Self(endpoint.connect_with_connector(connector).await.map_err(failed)?))
    }

    /// Asks the questions of a request.
    ///
    /// # Errors
    ///
    /// What the daemon says.
    pub async fn classify(
        &self,
        request: v1::ClassifyRequest,
        timeout: Option<Duration>,
    ) -> Result<v1::ClassifyResponse, ClientError> {
        let mut request = Request::new(request);
        if let Some(timeout) = timeout {
            request.set_timeout(timeout);
        }
        let mut client = InferdClient::new(self.0.clone()).max_decoding_message_size(usize::MAX);
        Ok(client.classify(request).await?.into_inner())
    }

    /// Whether a service says that it serves; `""` is the daemon as a whole, signals go by their names.
    ///
    /// # Errors
    ///
    /// When the daemon does not answer; an unknown service counts as not serving.
    pub async fn is_serving(&self, service: &str) -> Result<bool, ClientError> {
        let request = HealthCheckRequest { service: service.to_owned() };
        match HealthClient::new(self.0.clone()).check(request).await {
            Ok(answer) => Ok(answer.into_inner().status
                == i32::from(health_check_response::ServingStatus::Serving)),
            Err(status) if status.code() == Code::NotFound => Ok(false),
            Err(status) => Err(status.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_well_formed_trace_id_is_logged() {
        let read = |text: &'static str| {
            let mut metadata = MetadataMap::new();
            metadata.insert("traceparent", text.parse().unwrap());
            trace_id(&metadata).map(str::to_owned)
        };
        let id = "0af7651916cd43dd8448eb211c80319c";
        assert_eq!(
            read("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").as_deref(),
            Some(id)
        );
        assert_eq!(read("my secret"), None);
        assert_eq!(read("00-secret-x-01"), None);
    }

    #[test]
    fn grpc_timeouts_are_read_exactly() {
        let parse = |text: &'static str| {
            let mut metadata = MetadataMap::new();
            metadata.insert("grpc-timeout", text.parse().unwrap());
            timeout(&metadata)
        };
        assert_eq!(parse("5S"), Ok(Some(Duration::from_secs(5))));
        assert_eq!(parse("99999999H"), Ok(Some(Duration::from_secs(99_999_999 * 3600))));
        assert_eq!(parse("250m"), Ok(Some(Duration::from_millis(250))));
        assert_eq!(parse("7u"), Ok(Some(Duration::from_micros(7))));
        for bad in ["", "S", "5", "-1S", "+1S", "123456789S", "5x", "5 S"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert_eq!(timeout(&MetadataMap::new()), Ok(None));
    }
}
