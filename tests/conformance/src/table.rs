//! The rows of results, as a table for people and as JSON for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::case::Case;
use crate::kinds::Outcome;
use crate::layers::Layer;

/// How a case did in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every check that the layer can make holds.
    Pass,
    /// One does not.
    Fail,
    /// The layer cannot make any of the checks.
    NotApplicable,
}

impl Status {
    /// Its word in the results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::NotApplicable => "na",
        }
    }
}

/// One case in one layer.
#[derive(Clone, Debug)]
pub struct Row {
    /// The case.
    pub id: String,
    /// The layer.
    pub layer: Layer,
    /// How it did.
    pub status: Status,
    /// What the case expects.
    pub expected: Value,
    /// What was got.
    pub got: String,
    /// Why it failed or is not applicable; on a pass, what this layer could not see.
    pub reason: String,
}

impl Row {
    /// A row for a run that came to its end.
    #[must_use]
    pub(crate) fn of(case: &Case, layer: Layer, outcome: Outcome) -> Self {
        let report = outcome.report;
        let (status, reason) = if !report.failed.is_empty() {
            (Status::Fail, report.failed.join("; "))
        } else if report.held == 0 {
            (Status::NotApplicable, report.not_here.join("; "))
        } else if report.not_here.is_empty() {
            (Status::Pass, String::new())
        } else {
            (Status::Pass, format!("not seen here: {}", report.not_here.join("; ")))
        };
        Self {
            id: case.id.clone(),
            layer,
            status,
            expected: Value::Object(case.expected.clone()),
            got: outcome.got,
            reason,
        }
    }

    /// A row for a run that did not come to its end.
    #[must_use]
    pub(crate) fn failed(case: &Case, layer: Layer, got: String, reason: String) -> Self {
        let expected = Value::Object(case.expected.clone());
        Self { id: case.id.clone(), layer, status: Status::Fail, expected, got, reason }
    }

    /// A row for a file that is no case.
    #[must_use]
    pub(crate) fn unreadable(name: &str, layer: Layer, reason: &str) -> Self {
        Self {
            id: name.to_owned(),
            layer,
            status: Status::Fail,
            expected: Value::Null,
            got: "-".to_owned(),
            reason: reason.to_owned(),
        }
    }
}

/// How many rows passed, failed and are not applicable.
#[must_use]
pub fn counts(rows: &[Row]) -> [usize; 3] {
    [Status::Pass, Status::Fail, Status::NotApplicable]
        .map(|status| rows.iter().filter(|row| row.status == status).count())
}

/// The rows as a JSON array.
#[must_use]
pub fn json(rows: &[Row]) -> Value {
    rows.iter()
        .map(|row| {
            json!({
                "id": row.id, "layer": row.layer.name(), "status": row.status.name(),
                "expected": row.expected, "got": row.got, "reason": row.reason,
            })
        })
        .collect()
}

/// The rows as a table, with one line of counts for each layer and one for all.
#[must_use]
pub fn text(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.id.chars().count()).max().unwrap_or(2).max(2);
    let mut out = format!("{:width$}  layer  status  expected / got / reason\n", "id");
    for row in rows {
        let short = |text: &str, most: usize| -> String {
            let cut: String = text.chars().take(most).collect();
            if cut.len() < text.len() { format!("{cut}…") } else { cut }
        };
        let expected = match row.status {
            Status::Fail => row.expected.to_string(),
            Status::Pass | Status::NotApplicable => brief(&row.expected),
        };
        let mut line = format!(
            "{:width$}  {:5}  {:6}  {}",
            row.id,
            row.layer.name(),
            row.status.name(),
            short(&expected, 400)
        );
        let _ = write!(line, " / {}", row.got);
        if !row.reason.is_empty() {
            let _ = write!(line, " / {}", short(&row.reason, 600));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    for layer in Layer::ALL {
        let of: Vec<Row> = rows.iter().filter(|row| row.layer == layer).cloned().collect();
        if !of.is_empty() {
            let [passed, failed, other] = counts(&of);
            let _ = writeln!(
                out,
                "{}: {passed} passed, {failed} failed, {other} not applicable",
                layer.name()
            );
        }
    }
    let [passed, failed, other] = counts(rows);
    let _ = writeln!(out, "{passed} passed, {failed} failed, {other} not applicable");
    out
}

/// The first words of what is expected.
fn brief(expected: &Value) -> String {
    let Some(map) = expected.as_object() else { return expected.to_string() };
    let first = map.get("any_of").and_then(|v| v.get(0)).and_then(Value::as_object).unwrap_or(map);
    let words: Vec<String> = first
        .iter()
        .filter(|(_, value)| !value.is_object() && !value.is_array())
        .take(2)
        .map(|(name, value)| {
            format!(
                "{name}={}",
                value.to_string().trim_matches('"').chars().take(40).collect::<String>()
            )
        })
        .collect();
    words.join(" ")
}
