//! Configurations of the filter that must be refused, or taken.

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::Outcome;
use crate::case::Case;
use crate::expect::Finding;
use crate::expect::words::{missing_from_documents, repository, telling};
use crate::layers::Host;
use crate::settings::own_words;

/// What a layer says of a configuration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refusal {
    /// Whether it was refused.
    pub(crate) refused: bool,
    /// What was said about it.
    pub(crate) message: String,
    /// The exit status of a validation, where the layer runs one.
    pub(crate) exit: Option<i32>,
}

/// Runs a configuration case.
pub(super) fn run(case: &Case, host: &mut dyn Host) -> Result<Outcome> {
    let config = case.request.get("config").context("no config")?;
    let text = match config {
        Value::String(text) => text.clone(),
        other => own_words(other).to_string(),
    };
    let said = host.configure(&text)?;
    let got = if said.refused { format!("refused: {}", said.message) } else { "taken".to_owned() };
    let mut outcome = Outcome { got, ..Outcome::default() };
    for (name, value) in &case.expected {
        let words: Vec<&str> = match value {
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
            one => one.as_str().into_iter().collect(),
        };
        let finding = match name.as_str() {
            "on_configure" => Finding::of(value.as_bool() == Some(!said.refused), || {
                format!("refused: {}", said.refused)
            }),
            "accepted" | "valid" => Finding::of(value.as_bool() == Some(!said.refused), || {
                format!("refused: {}", said.refused)
            }),
            "validate_exit" => Finding::of_seen(said.exit, "an exit status", |exit| {
                let wanted = match value {
                    Value::String(text) => text == "non-zero",
                    number => number.as_i64() != Some(0),
                };
                Finding::of((exit != 0) == wanted, || format!("exit {exit}"))
            }),
            "message_contains" | "log_contains" => {
                let missing: Vec<&&str> =
                    words.iter().filter(|w| !said.message.contains(**w)).collect();
                Finding::of(missing.is_empty(), || format!("the message lacks {missing:?}"))
            }
            "message_must_not_contain" => {
                let found: Vec<&&str> =
                    words.iter().filter(|w| said.message.contains(**w)).collect();
                Finding::of(found.is_empty(), || format!("the message says {found:?}"))
            }
            "doc" => {
                let missing =
                    missing_from_documents(&telling(words.first().unwrap_or(&"")), repository());
                Finding::of(missing.is_empty(), || format!("no document mentions {missing:?}"))
            }
            "policy" | "note" => Finding::Holds,
            _ => Finding::Fails("unknown expectation".to_owned()),
        };
        outcome.report.add(name, finding);
    }
    Ok(outcome)
}
