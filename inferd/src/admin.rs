//! HTTP for probes and Prometheus; serves no prompt text.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;

use crate::health::Vitals;
use crate::telemetry::Metrics;

#[derive(Clone)]
struct Shared {
    metrics: Arc<Metrics>,
    vitals: Arc<Vitals>,
}

/// Binds the port.
///
/// # Errors
///
/// When the address is taken or not ours.
pub async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .map_err(|e| io::Error::new(e.kind(), format!("admin port {address}: {e}")))
}

/// Serves probes, metrics and `more` until `stop`.
///
/// # Errors
///
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    metrics: Arc<Metrics>,
    vitals: Arc<Vitals>,
    more: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let router = Router::new()
        .route(
            "/livez",
            get(|State(s): State<Shared>| async move {
                answer(s.vitals.is_live(), "the last probe batch is too old")
            }),
        )
        .route(
            "/readyz",
            get(
                |State(s): State<Shared>| async move { answer(s.vitals.is_ready(), "not serving") },
            ),
        )
        .route(
            "/startupz",
            get(|State(s): State<Shared>| async move {
                answer(s.vitals.has_started(), "loading models")
            }),
        )
        .route("/metrics", get(metrics_page))
        .with_state(Shared { metrics, vitals })
        .merge(more);
    axum::serve(listener, router).with_graceful_shutdown(stop).await
}

fn answer(good: bool, otherwise: &'static str) -> impl IntoResponse {
    if good {
        (StatusCode::OK, "ok\n".to_owned())
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, format!("{otherwise}\n"))
    }
}

async fn metrics_page(State(shared): State<Shared>) -> impl IntoResponse {
    shared.metrics.probe_age.set(shared.vitals.probe_age().map_or(-1.0, |age| age.as_secs_f64()));
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], shared.metrics.render())
}
