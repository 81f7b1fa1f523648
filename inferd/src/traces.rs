//! OpenTelemetry spans of calls, sent by OTLP over gRPC when configured. The only file that names `opentelemetry`.
//!
//! A call continues the W3C trace context that the proxy sends, and its decision whether to sample. Spans carry the request id,
//! counts and times, never text. Sending is done by a thread of its own from a bounded queue; what does not fit is lost, not waited for.

use std::time::{Duration, Instant, SystemTime};

use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::{
    Span as _, SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider};

use crate::engine::{Answer, Timings};
use crate::telemetry::Outcome;

/// How long the collector may take for a parcel of spans, and how long the last one may take at the end.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// Where spans go.
#[derive(Clone, Debug, PartialEq)]
pub struct TracesConfig {
    /// The collector, `http://host:port`.
    pub endpoint: String,
    /// Share of calls without a trace context that start a trace, 0 to 1.
    pub ratio: f64,
}

/// The collector's address is unusable.
#[derive(Debug, thiserror::Error)]
#[error("traces.endpoint: {0}")]
pub struct TracesError(String);

/// Sends spans.
#[derive(Debug)]
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Traces {
    /// Starts the sending thread. Must be called within the I/O runtime; the collector need not be there yet.
    ///
    /// # Errors
    ///
    /// When the address is no address.
    pub fn start(config: &TracesConfig) -> Result<Self, TracesError> {
        let exporter = SpanExporter::builder()
            .with_tonic()
            .with_endpoint(&config.endpoint)
            .with_timeout(EXPORT_TIMEOUT)
            .build()
            .map_err(|e| TracesError(e.to_string()))?;
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(config.ratio))))
            .with_resource(
                Resource::builder()
                    .with_service_name("inferd")
                    .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
                    .build(),
            )
            .build();
        let tracer = provider.tracer("inferd");
        Ok(Self { provider, tracer })
    }

    /// Opens the span of a call; it ends when it is dropped. `header` reads the call's metadata.
    pub(crate) fn call<'a>(&self, header: impl Fn(&str) -> Option<&'a str>) -> Call {
        let parent = TraceContextPropagator::new()
            .extract_with_context(&Context::new(), &Headers(header, std::marker::PhantomData));
        let builder = self
            .tracer
            .span_builder(format!("{}/Classify", forebay_proto::SERVICE))
            .with_kind(SpanKind::Server);
        let span = self.tracer.build_with_context(builder, &parent);
        Call { context: Context::new().with_span(span), tracer: self.tracer.clone() }
    }

    /// Sends what is left. Blocks, within a limit.
    pub fn close(&self) {
        if let Err(error) = self.provider.shutdown_with_timeout(EXPORT_TIMEOUT) {
            tracing::warn!(%error, "the last spans were not sent");
        }
    }
}

/// The span of a call that is under way.
#[derive(Debug)]
pub(crate) struct Call {
    context: Context,
    tracer: SdkTracer,
}

impl Call {
    /// Writes down whose call it is.
    pub(crate) fn request_id(&self, id: &str) {
        self.context.span().set_attribute(KeyValue::new("forebay.request_id", id.to_owned()));
    }

    /// Writes down how it ended.
    pub(crate) fn outcome(&self, outcome: Outcome) {
        let span = self.context.span();
        span.set_attribute(KeyValue::new("forebay.outcome", outcome.name()));
        if outcome == Outcome::Internal {
            span.set_status(Status::error("internal error"));
        }
    }

    /// Adds a span for each stage, and what was read. `began` is when the call came in.
    ///
    /// The stages follow each other; where several models ran side by side, a stage is as long as the longest.
    pub(crate) fn answered(&self, began: Instant, timings: &Timings, answers: &[Answer]) {
        let span = self.context.span();
        if !span.is_recording() {
            return;
        }
        for answer in answers {
            let Ok(finding) = &answer.finding else { continue };
            let name = answer.signal.name();
            let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
            span.set_attributes([
                KeyValue::new(format!("forebay.{name}.tokens"), count(finding.tokens)),
                KeyValue::new(format!("forebay.{name}.windows"), count(finding.windows)),
                KeyValue::new(format!("forebay.{name}.model"), finding.model.clone()),
            ]);
        }
        let mut at = SystemTime::now() - began.elapsed();
        for (name, took) in [
            ("tokenise", timings.tokenise),
            ("queue", timings.queue),
            ("run", timings.run),
            ("decode", timings.decode),
        ] {
            let builder = self.tracer.span_builder(name).with_start_time(at);
            at += took;
            self.tracer.build_with_context(builder, &self.context).end_with_timestamp(at);
        }
    }
}

struct Headers<'a, F>(F, std::marker::PhantomData<&'a str>);

impl<'a, F: Fn(&str) -> Option<&'a str>> Extractor for Headers<'a, F> {
    fn get(&self, key: &str) -> Option<&str> {
        (self.0)(key)
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent", "tracestate"]
    }
}
