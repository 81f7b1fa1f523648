//! `inferd classify`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use forebay_proto::v1;

use super::{CliError, Config, Env, Local, block_on, print, read_text};
use crate::engine::{self, Engine};
use crate::loaded::Loaded;
use crate::models::Signal;
use crate::server::Client;
use crate::telemetry::Metrics;
use crate::{daemon, decode};

/// Classify text given as argument, file or standard input.
#[derive(Debug, Args)]
pub(super) struct Classify {
    #[command(flatten)]
    local: Local,
    /// Ask the daemon at this socket instead of loading the models here
    #[arg(long, value_name = "PATH", conflicts_with_all = ["config", "models", "ort_lib"])]
    socket: Option<PathBuf>,
    /// Read the text from a file; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,
    /// What to ask; everything when not given
    #[arg(long = "signal", value_enum)]
    signals: Vec<Signal>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show windows, every label and where the time went
    #[arg(long)]
    explain: bool,
    /// The text
    text: Option<String>,
}

/// The one passage's id.
const PASSAGE: u32 = 0;

impl Classify {
    pub(super) fn run(self, env: Env<'_>) -> Result<(), CliError> {
        let text = read_text(self.text.as_deref(), self.file.as_deref())?;
        let signals =
            if self.signals.is_empty() { Signal::ALL.to_vec() } else { self.signals.clone() };
        let response = match &self.socket {
            Some(socket) => block_on(async {
                let client = Client::connect(socket).await?;
                Ok(client.classify(message(&text, &signals), Some(Duration::from_secs(60))).await?)
            })?,
            None => self.local(&text, &signals, env)?,
        };
        let shown = if self.json {
            Ok(json(&response, &text))
        } else {
            table(&response, &text, self.explain)
        };
        print(&shown.map_err(|e| CliError::Failed(e.to_string()))?)
    }

    fn local(
        &self,
        text: &str,
        signals: &[Signal],
        env: Env<'_>,
    ) -> Result<v1::ClassifyResponse, CliError> {
        let config = Config::try_from(self.local.raw()?)?;
        let runtime = self.local.runtime(&config, env)?;
        let metrics = Arc::new(Metrics::new().map_err(|e| CliError::Failed(e.to_string()))?);
        let loaded = Loaded::load(&daemon::plan(&config), &runtime, &metrics)?;
        let engine = Engine::new(config.engine, metrics);
        engine.swap(Some(Arc::new(loaded)));
        let request = engine::Request {
            passages: vec![engine::Passage { id: PASSAGE, text: text.to_owned() }],
            questions: signals
                .iter()
                .map(|signal| engine::Question { signal: *signal, passages: vec![PASSAGE] })
                .collect(),
        };
        let response = block_on(async {
            engine.classify(request, None).await.map_err(|e| CliError::Failed(e.to_string()))
        })?;
        if let Some(loaded) = engine.swap(None) {
            loaded.close();
        }
        Ok(response.into())
    }
}

pub(super) fn message(text: &str, signals: &[Signal]) -> v1::ClassifyRequest {
    let number = |signal: Signal| match signal {
        Signal::Jailbreak => v1::Signal::Jailbreak,
        Signal::Pii => v1::Signal::Pii,
        Signal::Domain => v1::Signal::Domain,
    };
    v1::ClassifyRequest {
        request_id: String::new(),
        passages: vec![v1::Passage {
            id: PASSAGE,
            role: v1::Role::User.into(),
            text: text.to_owned(),
        }],
        signals: signals
            .iter()
            .map(|s| v1::SignalRequest { signal: number(*s).into(), passage_ids: vec![PASSAGE] })
            .collect(),
    }
}

fn signal_name(result: &v1::SignalResult) -> &'static str {
    match result.signal() {
        v1::Signal::Jailbreak => Signal::Jailbreak.name(),
        v1::Signal::Pii => Signal::Pii.name(),
        v1::Signal::Domain => Signal::Domain.name(),
        v1::Signal::Unspecified => "unspecified",
    }
}

fn failure_name(result: &v1::SignalResult) -> Option<&'static str> {
    match result.failure() {
        v1::Failure::Unspecified => None,
        v1::Failure::NoModel => Some("no model serves it"),
        v1::Failure::NotFinite => Some("the model returned a value that is not finite"),
        v1::Failure::Runtime => Some("the run failed"),
    }
}

fn quoted(text: &str, span: &v1::Span) -> String {
    let range = usize::try_from(span.start).unwrap_or(0)..usize::try_from(span.end).unwrap_or(0);
    text.get(range).unwrap_or_default().to_owned()
}

/// By how much the number of windows lowered the log-odds, if it did.
fn lowered_by(result: &v1::SignalResult) -> Option<f64> {
    let windows = usize::try_from(result.windows).unwrap_or(usize::MAX);
    let lowered = decode::lowered_by(result.window_prior, windows);
    (lowered > 0.0).then_some(lowered.into())
}

/// The log-odds of an attack, as told.
fn log_odds(result: &v1::SignalResult) -> f64 {
    let harmless = result.scores.iter().find(|s| s.label == "benign");
    let p = 1.0 - harmless.map_or(0.0, |s| f64::from(s.score));
    (p / (1.0 - p)).ln()
}

fn json(response: &v1::ClassifyResponse, text: &str) -> String {
    let results: Vec<serde_json::Value> = response
        .results
        .iter()
        .map(|r| {
            serde_json::json!({
                "signal": signal_name(r),
                "failure": failure_name(r),
                "model": r.model,
                "model_version": r.model_version,
                "threshold": r.default_threshold,
                "scores": r.scores.iter().map(|s| serde_json::json!({"label": s.label, "score": s.score})).collect::<Vec<_>>(),
                "spans": r.spans.iter().map(|s| serde_json::json!({
                    "type": s.entity_type, "start": s.start, "end": s.end, "score": s.score, "text": quoted(text, s),
                })).collect::<Vec<_>>(),
                "tokens_read": r.tokens_read,
                "windows": r.windows,
                "truncated": r.truncated,
                "window_prior": r.window_prior,
            })
        })
        .collect();
    let t = response.timings.unwrap_or_default();
    let timings = serde_json::json!({"queue_us": t.queue_us, "tokenise_us": t.tokenise_us, "run_us": t.run_us, "decode_us": t.decode_us});
    format!("{:#}\n", serde_json::json!({"results": results, "timings": timings}))
}

fn table(
    response: &v1::ClassifyResponse,
    text: &str,
    explain: bool,
) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    for r in &response.results {
        let name = signal_name(r);
        if let Some(failure) = failure_name(r) {
            writeln!(out, "{name:<10} no answer: {failure}")?;
            continue;
        }
        if let Some(top) = r.scores.first() {
            let sure = if top.score < r.default_threshold { "  (below the threshold)" } else { "" };
            writeln!(out, "{name:<10} {:<18} {:.3}{sure}", top.label, top.score)?;
        } else {
            let count = r.spans.len();
            writeln!(out, "{name:<10} {count} {}", if count == 1 { "entity" } else { "entities" })?;
        }
        for span in &r.spans {
            writeln!(
                out,
                "           {:<18} {:.3}  {}..{}  {}",
                span.entity_type,
                span.score,
                span.start,
                span.end,
                quoted(text, span)
            )?;
        }
        if explain {
            for score in r.scores.iter().skip(1) {
                writeln!(out, "           {:<18} {:.3}", score.label, score.score)?;
            }
            writeln!(
                out,
                "           {} {}, threshold {:.2}, {} tokens in {} window(s){}",
                r.model,
                r.model_version,
                r.default_threshold,
                r.tokens_read,
                r.windows,
                if r.truncated { ", the rest was not read" } else { "" }
            )?;
            if let Some(lowered) = lowered_by(r) {
                writeln!(
                    out,
                    "           log-odds of the highest window {:.2}, lowered by {lowered:.2} (window prior {}, {} windows)",
                    log_odds(r) + lowered,
                    r.window_prior,
                    r.windows
                )?;
            }
        } else if r.truncated {
            writeln!(out, "           only the first {} tokens were read", r.tokens_read)?;
        }
    }
    if explain {
        let t = response.timings.unwrap_or_default();
        writeln!(
            out,
            "time: tokenise {} us, queue {} us, run {} us, decode {} us",
            t.tokenise_us, t.queue_us, t.run_us, t.decode_us
        )?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(windows: u32, window_prior: f32, score: f32) -> v1::ClassifyResponse {
        let label = |label: &str, score| v1::LabelScore { label: label.to_owned(), score };
        let result = v1::SignalResult {
            signal: v1::Signal::Jailbreak.into(),
            scores: vec![label("benign", 1.0 - score), label("jailbreak", score)],
            windows,
            window_prior,
            ..Default::default()
        };
        v1::ClassifyResponse { results: vec![result], timings: None }
    }

    #[test]
    fn explain_tells_what_the_number_of_windows_took_away() {
        // Log-odds of -1, lowered by 0.5 ln 20 = 1.50 from 0.50.
        let shown = table(&read(20, 0.5, 0.268_941_4), "", true).unwrap();
        assert!(
            shown.contains("log-odds of the highest window 0.50, lowered by 1.50 (window prior 0.5, 20 windows)"),
            "{shown}"
        );
        for response in [read(1, 0.5, 0.2), read(20, 0.0, 0.2)] {
            assert!(!table(&response, "", true).unwrap().contains("lowered"));
        }
    }
}
