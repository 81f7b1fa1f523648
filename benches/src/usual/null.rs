//! A daemon that finds nothing, at once: what is left is transport.
use std::fs::File;
use std::io::Write as _;
use std::sync::Mutex;

use anyhow::Result;
use forebay_proto::v1::inferd_server::{Inferd, InferdServer};
use forebay_proto::v1::{
    ClassifyRequest, ClassifyResponse, LabelScore, Signal, SignalResult, Timings,
};
use tonic::{Request, Response, Status};

use super::Null;
use crate::client::monotonic_ns;

struct Service {
    arrivals: Option<Mutex<File>>,
}

pub(super) async fn serve(args: Null) -> Result<()> {
    let arrivals = args.arrivals.as_ref().map(File::create).transpose()?.map(Mutex::new);
    let server = InferdServer::new(Service { arrivals }).max_decoding_message_size(64 << 20);
    let incoming = super::listen(&args.socket)?;
    Ok(tonic::transport::Server::builder()
        .add_service(server)
        .serve_with_incoming(incoming)
        .await?)
}

#[tonic::async_trait]
impl Inferd for Service {
    async fn classify(
        &self,
        request: Request<ClassifyRequest>,
    ) -> Result<Response<ClassifyResponse>, Status> {
        if let Some(file) = &self.arrivals {
            let now = monotonic_ns().to_le_bytes();
            let mut file = file.lock().map_err(|_| Status::internal("arrivals"))?;
            file.write_all(&now).map_err(|_| Status::internal("arrivals"))?;
        }
        Ok(Response::new(nothing_found(request.get_ref())))
    }
}

/// Benign, `other`, no entities.
pub(super) fn nothing_found(request: &ClassifyRequest) -> ClassifyResponse {
    let score = |label: &str, score| LabelScore { label: label.to_owned(), score };
    let result = |signal: Signal| SignalResult {
        signal: signal.into(),
        model: "null".to_owned(),
        model_version: "1".to_owned(),
        scores: match signal {
            Signal::Jailbreak => vec![score("benign", 0.99), score("jailbreak", 0.01)],
            Signal::Domain => vec![score("other", 0.99), score("math", 0.01)],
            Signal::Pii | Signal::Unspecified => Vec::new(),
        },
        default_threshold: 0.5,
        tokens_read: 1,
        windows: 1,
        ..SignalResult::default()
    };
    ClassifyResponse {
        results: request.signals.iter().map(|asked| result(asked.signal())).collect(),
        timings: Some(Timings::default()),
    }
}
