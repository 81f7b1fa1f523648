//! Spans that a collector receives.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use forebay_proto::v1::inferd_client::InferdClient;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::trace::v1::Span;

use crate::support::{Result, all, channel, start_fake};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

#[derive(Clone, Debug, Default)]
struct Collector(Arc<Mutex<Vec<ExportTraceServiceRequest>>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: tonic::Request<ExportTraceServiceRequest>,
    ) -> Result<tonic::Response<ExportTraceServiceResponse>, tonic::Status> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(request.into_inner());
        Ok(tonic::Response::new(ExportTraceServiceResponse::default()))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Asks once with a trace context, as the proxy sends it.
async fn ask(socket: std::path::PathBuf, traceparent: &str) -> Result {
    let mut request = tonic::Request::new(all(&["my secret words"]));
    request.metadata_mut().insert("traceparent", traceparent.parse()?);
    InferdClient::new(channel(socket).await?).classify(request).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_continues_the_trace_of_the_proxy_and_tells_no_text() -> Result {
    let collector = Collector::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let endpoint = format!("http://{}", listener.local_addr()?);
    let server = tonic::transport::Server::builder()
        .add_service(TraceServiceServer::new(collector.clone()))
        .serve_with_incoming(tokio_stream::wrappers::TcpListenerStream::new(listener));
    let server = tokio::spawn(server);
    let (running, _) = start_fake(|raw| raw.traces.endpoint = Some(endpoint)).await?;
    ask(running.daemon.socket(), &format!("00-{TRACE}-{PARENT}-01")).await?;
    // The proxy decided not to sample this one.
    let unsampled = "11111111111111111111111111111111";
    ask(running.daemon.socket(), &format!("00-{unsampled}-{PARENT}-00")).await?;
    running.daemon.stop().await?;

    let received = collector.0.lock().unwrap().clone();
    assert!(!format!("{received:?}").contains("secret"), "text in spans");
    let spans: Vec<Span> = received
        .into_iter()
        .flat_map(|r| r.resource_spans)
        .flat_map(|r| r.scope_spans)
        .flat_map(|s| s.spans)
        .collect();
    assert!(spans.iter().all(|span| hex(&span.trace_id) == TRACE), "{spans:?}");
    let call = spans.iter().find(|s| s.name.ends_with("/Classify")).ok_or("no span of the call")?;
    assert_eq!(hex(&call.parent_span_id), PARENT);
    let attributes: BTreeMap<&str, String> =
        call.attributes.iter().map(|a| (a.key.as_str(), format!("{:?}", a.value))).collect();
    assert!(attributes["forebay.outcome"].contains("ok"), "{attributes:?}");
    assert!(attributes["forebay.request_id"].contains("test"), "{attributes:?}");
    assert!(attributes.contains_key("forebay.jailbreak.tokens"), "{attributes:?}");
    for stage in ["tokenise", "queue", "run", "decode"] {
        let span = spans.iter().find(|s| s.name == stage).ok_or(stage)?;
        assert_eq!(span.parent_span_id, call.span_id, "{stage}");
        assert!(span.end_time_unix_nano >= span.start_time_unix_nano, "{stage}");
    }
    assert_eq!(spans.len(), 5);
    server.abort();
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_absent_collector_delays_nobody() -> Result {
    let (running, _) = start_fake(|raw| {
        raw.traces.endpoint = Some("http://127.0.0.1:1".to_owned());
    })
    .await?;
    for _ in 0..50 {
        running.ask(all(&["a"])).await?;
    }
    tokio::time::timeout(Duration::from_secs(20), running.daemon.stop()).await??;
    Ok(())
}
