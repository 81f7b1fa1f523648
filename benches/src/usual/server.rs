//! ext_proc over gRPC. The filter's state machine is made for one thread, so each stream lives on one of a few threads
//! of its own; models run on the blocking pool.
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, Result, anyhow};
use policy::{Config, Worker};
use prost::Message as _;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};

use super::screening::{Changes, Question, Reading, Screening};
use super::{BodyMode, ExtProc, Three, null};

#[allow(
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::allow_attributes_without_reason,
    reason = "generated"
)]
mod protocol {
    tonic::include_proto!("envoy.service.ext_proc.v3");
}

use protocol::external_processor_server::{ExternalProcessor, ExternalProcessorServer};
use protocol::processing_request::Request as Part;
use protocol::processing_response::Response as Answer;
use protocol::{
    BodyResponse, CommonResponse, HeaderMutation, HeaderValue, HeaderValueOption, HeadersResponse,
    ProcessingRequest, ProcessingResponse, TrailersResponse,
};

/// Overwrites a header, or adds it.
const OVERWRITE: i32 = 2;
const THREADS: usize = 2;

type Outgoing = mpsc::Sender<Result<ProcessingResponse, Status>>;
type Job = (Streaming<ProcessingRequest>, Outgoing);

struct Server {
    threads: Vec<mpsc::Sender<Job>>,
    next: AtomicUsize,
}

pub(super) async fn serve(args: ExtProc) -> Result<()> {
    let models =
        (!args.models.is_empty()).then(|| Three::load(&args.models, args.flash)).transpose()?;
    let models = models.map(Arc::new);
    let mut threads = Vec::new();
    for index in 0..THREADS {
        let (jobs, incoming) = mpsc::channel(1024);
        threads.push(jobs);
        let config = args.config.clone();
        let (mode, reading, models) = (args.mode, args.reading, models.clone());
        std::thread::Builder::new().name(format!("streams {index}")).spawn(move || {
            if let Err(error) = streams(incoming, &config, mode, reading, models.as_ref()) {
                eprintln!("ext_proc server: {error:#}");
            }
        })?;
    }
    let service = ExternalProcessorServer::new(Server { threads, next: AtomicUsize::new(0) })
        .max_decoding_message_size(128 << 20)
        .max_encoding_message_size(128 << 20);
    let incoming = super::listen(&args.socket)?;
    Ok(tonic::transport::Server::builder()
        .add_service(service)
        .serve_with_incoming(incoming)
        .await?)
}

#[tonic::async_trait]
impl ExternalProcessor for Server {
    type ProcessStream = ReceiverStream<Result<ProcessingResponse, Status>>;

    async fn process(
        &self,
        request: Request<Streaming<ProcessingRequest>>,
    ) -> Result<Response<Self::ProcessStream>, Status> {
        let (outgoing, stream) = mpsc::channel(64);
        let at = self.next.fetch_add(1, Ordering::Relaxed) % self.threads.len().max(1);
        let thread = self.threads.get(at).ok_or_else(|| Status::internal("no thread"))?;
        let sent = thread.send((request.into_inner(), outgoing)).await;
        sent.map_err(|_| Status::unavailable("a thread has ended"))?;
        Ok(Response::new(ReceiverStream::new(stream)))
    }
}

/// One thread's streams.
fn streams(
    mut jobs: mpsc::Receiver<Job>,
    config: &str,
    mode: BodyMode,
    reading: Reading,
    models: Option<&Arc<Three>>,
) -> Result<()> {
    let worker = Rc::new(Worker::new(Rc::new(Config::from_json(config.as_bytes())?)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let local = tokio::task::LocalSet::new();
    local.block_on(&runtime, async {
        while let Some((incoming, outgoing)) = jobs.recv().await {
            let screening = Screening::begin(reading, &worker);
            let models = models.cloned();
            tokio::task::spawn_local(async move {
                if let Err(error) = stream(incoming, &outgoing, screening, mode, models).await {
                    eprintln!("ext_proc stream: {error:#}");
                    let _gone = outgoing.send(Err(Status::internal(format!("{error:#}")))).await;
                }
            });
        }
    });
    Ok(())
}

async fn stream(
    mut incoming: Streaming<ProcessingRequest>,
    outgoing: &Outgoing,
    mut screening: Screening,
    mode: BodyMode,
    models: Option<Arc<Three>>,
) -> Result<()> {
    let mut owed = 0;
    while let Some(message) = incoming.message().await? {
        match message.request {
            Some(Part::RequestHeaders(head)) => {
                let headers = head.headers.unwrap_or_default().headers;
                let text = |header: HeaderValue| {
                    let value = if header.raw_value.is_empty() {
                        header.value
                    } else {
                        String::from_utf8_lossy(&header.raw_value).into_owned()
                    };
                    (header.key, value)
                };
                let headers: Vec<_> = headers.into_iter().map(text).collect();
                screening.headers(&headers, head.end_of_stream)?;
                // Streamed, the headers are answered last: they carry the verdict and pick the route.
                if mode == BodyMode::Buffered {
                    let go_on = Answer::RequestHeaders(HeadersResponse::default());
                    send(outgoing, go_on).await?;
                }
            }
            Some(Part::RequestBody(body)) => {
                screening.chunk(&body.body, body.end_of_stream)?;
                owed += 1;
                if !body.end_of_stream {
                    continue;
                }
                let changes = verdict(&mut screening, models.clone()).await?;
                let response = Some(mutation(changes));
                let (head, last) = match mode {
                    BodyMode::Buffered => (None, response),
                    BodyMode::Streamed => (Some(HeadersResponse { response }), None),
                };
                if let Some(head) = head {
                    send(outgoing, Answer::RequestHeaders(head)).await?;
                }
                for _ in 1..owed {
                    send(outgoing, Answer::RequestBody(BodyResponse::default())).await?;
                }
                send(outgoing, Answer::RequestBody(BodyResponse { response: last })).await?;
            }
            Some(Part::RequestTrailers(_)) => {
                send(outgoing, Answer::RequestTrailers(TrailersResponse {})).await?;
            }
            None => {}
        }
    }
    Ok(())
}

async fn verdict(screening: &mut Screening, models: Option<Arc<Three>>) -> Result<Changes> {
    match screening.question()? {
        Question::None => screening.conclude(None, String::new()),
        Question::Classify(request) => {
            let answer = match models {
                Some(models) => blocking(move || models.answer(&request)).await?,
                None => null::nothing_found(&request),
            };
            screening.conclude(Some(&answer.encode_to_vec()), String::new())
        }
        Question::Text(text) => {
            let labels = match models {
                Some(models) => blocking(move || models.labels(&text)).await?,
                None => "other".to_owned(),
            };
            screening.conclude(None, labels)
        }
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.context("a run crashed")?
}

async fn send(outgoing: &Outgoing, answer: Answer) -> Result<()> {
    let response = ProcessingResponse { response: Some(answer) };
    outgoing.send(Ok(response)).await.map_err(|_| anyhow!("Envoy has gone"))
}

fn mutation(changes: Changes) -> CommonResponse {
    let set = changes.set.into_iter().map(|(key, value)| HeaderValueOption {
        header: Some(HeaderValue { key, value: String::new(), raw_value: value.into_bytes() }),
        append_action: OVERWRITE,
    });
    let header_mutation =
        HeaderMutation { set_headers: set.collect(), remove_headers: changes.removed };
    CommonResponse { header_mutation: Some(header_mutation), clear_route_cache: true }
}
