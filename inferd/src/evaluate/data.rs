//! Rows of an evaluation file: JSON lines with `text`, what is true of it, and where it comes from.

use std::collections::BTreeSet;
use std::io::BufRead as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::models::{Head, Signal};

/// An entity of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Bytes of the text, on character boundaries, not empty.
    pub range: Range<usize>,
    /// The type's name.
    pub kind: String,
}

/// What is true of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The label.
    Label(String),
    /// The entities, sorted.
    Entities(Vec<Entity>),
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Line in the file, from 1.
    pub line: usize,
    /// The text.
    pub text: String,
    /// What is true of it.
    pub truth: Truth,
    /// Where it comes from; the file's name when the row does not say.
    pub source: String,
}

/// Why a file cannot be used. The message names line and field and never quotes text.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Unreadable.
    #[error("{}: cannot read it", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A row breaks a rule.
    #[error("{}: line {line}: {message}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Field, what was found, what is allowed.
        message: String,
    },
    /// No row at all.
    #[error("{}: has no rows", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Other fields may stand beside these.
#[derive(Deserialize)]
struct RawRow {
    text: String,
    label: Option<String>,
    spans: Option<Vec<RawSpan>>,
    source: Option<String>,
}

#[derive(Deserialize)]
struct RawSpan {
    start: usize,
    end: usize,
    #[serde(rename = "type")]
    kind: String,
}

/// Reads a file for a task; `head` says which labels there are.
///
/// # Errors
///
/// The first row that breaks a rule, by its line.
pub fn read(path: &Path, task: Signal, head: &Head) -> Result<Vec<Row>, DataError> {
    let failed = |source| DataError::Read { path: path.to_owned(), source };
    let file = std::fs::File::open(path).map_err(failed)?;
    let default_source =
        path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let kinds: BTreeSet<&str> = head
        .labels
        .iter()
        .filter_map(|l| l.strip_prefix("B-"))
        .chain(recognise::Entity::ALL.iter().map(|e| e.name()))
        .collect();
    let mut rows = Vec::new();
    for (index, text) in std::io::BufReader::new(file).lines().enumerate() {
        let line = index + 1;
        let text = text.map_err(failed)?;
        if text.trim().is_empty() {
            continue;
        }
        let refused = |message| DataError::Row { path: path.to_owned(), line, message };
        // serde_json's messages give the kind of error and the column, and do not quote strings of the right type.
        let raw: RawRow =
            serde_json::from_str(&text).map_err(|e| refused(format!("not a row: {e}")))?;
        let truth = match task {
            Signal::Pii => Truth::Entities(entities(&raw, &kinds).map_err(refused)?),
            Signal::Jailbreak | Signal::Domain => Truth::Label(label(&raw, head).map_err(refused)?),
        };
        rows.push(Row {
            line,
            text: raw.text,
            truth,
            source: raw.source.unwrap_or_else(|| default_source.clone()),
        });
    }
    if rows.is_empty() { Err(DataError::Empty { path: path.to_owned() }) } else { Ok(rows) }
}

fn label(raw: &RawRow, head: &Head) -> Result<String, String> {
    let label = raw.label.as_ref().ok_or_else(|| "has no field `label`".to_owned())?;
    if head.labels.contains(label) {
        Ok(label.clone())
    } else {
        Err(format!("label {label:?} is not one of {}", head.labels.join(", ")))
    }
}

fn entities(raw: &RawRow, kinds: &BTreeSet<&str>) -> Result<Vec<Entity>, String> {
    let spans = raw.spans.as_ref().ok_or_else(|| "has no field `spans`".to_owned())?;
    let mut out = Vec::with_capacity(spans.len());
    for (i, span) in spans.iter().enumerate() {
        if !kinds.contains(span.kind.as_str()) {
            let known: Vec<&str> = kinds.iter().copied().collect();
            return Err(format!(
                "spans[{i}].type: {:?} is not one of {}",
                span.kind,
                known.join(", ")
            ));
        }
        if raw.text.get(span.start..span.end).is_none_or(str::is_empty) {
            return Err(format!(
                "spans[{i}]: bytes {}..{} are not a piece of the text ({} bytes) on character boundaries",
                span.start,
                span.end,
                raw.text.len()
            ));
        }
        out.push(Entity { range: span.start..span.end, kind: span.kind.clone() });
    }
    out.sort_by_key(|e| e.range.start);
    if let Some(i) = out.windows(2).position(|w| matches!(w, [a, b] if b.range.start < a.range.end))
    {
        return Err(format!(
            "spans: the entities at bytes {:?} and the next overlap",
            out.get(i).map(|e| e.range.clone())
        ));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::models::ModelSpec;

    fn read_text(text: &str, task: Signal) -> Result<Vec<Row>, DataError> {
        let spec =
            ModelSpec::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tiny"))
                .unwrap();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        read(file.path(), task, spec.head(task).unwrap())
    }

    #[test]
    fn rows_are_read_with_their_source() {
        let text = "{\"text\":\"a\",\"label\":\"math\",\"source\":\"s\",\"id\":7}\n\n{\"text\":\"b\",\"label\":\"law\"}\n";
        let rows = read_text(text, Signal::Domain).unwrap();
        assert_eq!(
            rows[0],
            Row {
                line: 1,
                text: "a".into(),
                truth: Truth::Label("math".into()),
                source: "s".into()
            }
        );
        assert_eq!(rows[1].line, 3);
        assert!(!rows[1].source.is_empty());
    }

    #[test]
    fn a_bad_row_is_named_by_line_and_field() {
        for (task, text, expected) in [
            (
                Signal::Jailbreak,
                "{\"text\":\"a\",\"label\":\"evil\"}",
                "line 1: label \"evil\" is not one of benign, jailbreak",
            ),
            (Signal::Jailbreak, "{\"text\":\"a\"}", "line 1: has no field `label`"),
            (Signal::Pii, "{\"text\":\"a\",\"label\":\"x\"}", "line 1: has no field `spans`"),
            (
                Signal::Pii,
                "{\"text\":\"é\",\"spans\":[{\"start\":0,\"end\":1,\"type\":\"AGE\"}]}",
                "spans[0]: bytes 0..1 are not",
            ),
            (
                Signal::Pii,
                "{\"text\":\"e\",\"spans\":[{\"start\":0,\"end\":1,\"type\":\"AGES\"}]}",
                "spans[0].type: \"AGES\" is not one of",
            ),
            (Signal::Domain, "{\"text\":\"a\",\"label\":\"math\"}\nnonsense", "line 2: not a row"),
            (Signal::Domain, "\n", "has no rows"),
        ] {
            let message = read_text(text, task).unwrap_err().to_string();
            assert!(message.contains(expected), "{message:?} does not contain {expected:?}");
        }
    }
}
