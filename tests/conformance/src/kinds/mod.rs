//! How each kind of case runs in a layer.

mod classifier;
mod compressor;
mod config;
mod http;
mod load;
mod packaging;

pub(crate) use compressor::thread_time;
pub(crate) use config::Refusal as ConfigRefusal;

use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::Result;

use crate::case::{Case, Kind};
use crate::expect::Report;
use crate::layers::{Host, Layer};
use crate::table::Row;

/// What a run of a case in a layer came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// The checks.
    pub(crate) report: Report,
    /// What was got, in a line.
    pub(crate) got: String,
}

impl Outcome {
    /// A run that this layer cannot make.
    #[must_use]
    pub(crate) fn not_here(why: &str) -> Self {
        let report = Report { not_here: vec![why.to_owned()], ..Report::default() };
        Self { report, got: "-".to_owned() }
    }

    /// A run with one finding of no expectation's name.
    pub(crate) fn check(&mut self, name: &str, holds: bool, got: impl FnOnce() -> String) {
        self.report.add(name, crate::expect::Finding::of(holds, got));
    }
}

/// Runs a case in a layer. Whatever goes wrong is a failed row.
pub(crate) fn run(case: &Case, host: &mut dyn Host) -> Row {
    let layer = host.layer();
    let failed = |reason: String| Row::failed(case, layer, "-".to_owned(), reason);
    if let Err(kind) = &case.kind {
        return failed(format!("unknown kind {kind:?}"));
    }
    if !case.unknown.is_empty() {
        return failed(case.unknown.join(", "));
    }
    // A panic in the product is a finding about that case, not the end of the suite.
    match catch_unwind(AssertUnwindSafe(|| dispatch(case, host))) {
        Ok(Ok(outcome)) => Row::of(case, layer, outcome),
        Ok(Err(error)) => failed(format!("{error:#}")),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("");
            failed(format!("panicked: {text}"))
        }
    }
}

fn dispatch(case: &Case, host: &mut dyn Host) -> Result<Outcome> {
    let Ok(kind) = case.kind.as_ref() else { return Ok(Outcome::not_here("unknown kind")) };
    let many = ["repeat_requests", "concurrency"].iter().any(|key| case.request.contains_key(*key));
    if kind.is_http() && many {
        return load::burst(case, host);
    }
    match kind {
        kind if kind.is_http() => http::run(case, host),
        Kind::Classifier => classifier::run(case, host),
        Kind::Compressor => compressor::run(case, host),
        Kind::FilterConfig => config::run(case, host),
        Kind::Daemon if case.request.contains_key("send") => http::run(case, host),
        Kind::EnvoyConfig => load::envoy_config(case, host),
        Kind::Grpc => classifier::grpc(case, host),
        Kind::Daemon => host.daemon(case),
        Kind::K8s if host.layer() == Layer::Pure => packaging::run(case),
        Kind::K8s => Ok(Outcome::not_here("packaging is the same in every layer; pure runs it")),
        _ => Ok(Outcome::not_here("no rule for this kind")),
    }
}
