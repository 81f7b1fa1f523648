//! What a model folder says about itself: files, labels, limits and thresholds.
//!
//! A folder is described by its `manifest.json`. Everything is checked when the folder is read, so that a [`ModelSpec`] that exists
//! names files that exist and whose digests match. What only the graph can tell (are these really its outputs?) is checked when the
//! session is made.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

mod huggingface;

/// What a classifier can tell about text.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    clap::ValueEnum,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Signal {
    /// An attempt to subvert the instructions that the model was given.
    Jailbreak,
    /// Personal data: byte spans with a type.
    Pii,
    /// The subject, one of 14 categories.
    Domain,
}

impl Signal {
    /// All signals, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Jailbreak, Self::Pii, Self::Domain];

    /// The word for it in configuration, metrics, logs and health service names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jailbreak => "jailbreak",
            Self::Pii => "pii",
            Self::Domain => "domain",
        }
    }

    /// Whether an answer is one label for the text or one for each token.
    #[must_use]
    pub const fn kind(self) -> HeadKind {
        match self {
            Self::Jailbreak | Self::Domain => HeadKind::Sequence,
            Self::Pii => HeadKind::Token,
        }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The shape of a head's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HeadKind {
    /// Logits `[batch, labels]`: one answer for each window.
    Sequence,
    /// Logits `[batch, seq, labels]`: one answer for each token, labels in BIO form.
    Token,
}

/// One classifier of a model: an output of the graph and how to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// What it tells.
    pub signal: Signal,
    /// Name of the graph's output.
    pub output: String,
    /// Shape of that output.
    pub kind: HeadKind,
    /// Label names, by index of the last axis.
    pub labels: Vec<String>,
    /// Probability from which the authors call a label positive, 0 to 1.
    pub threshold: f32,
    /// Probability thresholds by entity type where they differ from `threshold`; token heads only.
    pub type_thresholds: BTreeMap<String, f32>,
    /// Logits are divided by this before the softmax; above 0.
    pub temperature: f32,
    /// The log-odds of a text of n windows are the highest of any window less `window_prior`·ln(n), n at most 32; 0 to 1, and 0 where
    /// windows are not combined by their maximum.
    pub window_prior: f32,
}

impl Head {
    /// The probability from which an entity of this type counts.
    #[must_use]
    pub fn threshold_for(&self, entity_type: &str) -> f32 {
        self.type_thresholds.get(entity_type).copied().unwrap_or(self.threshold)
    }
}

/// Names of the graph's inputs, each `i64[batch, seq]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    /// Token ids, padded with the tokenizer's padding id.
    pub ids: String,
    /// 1 for tokens, 0 for padding.
    pub mask: String,
    /// Segment ids, always 0 here; only some families want them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub types: Option<String>,
}

/// A checked description of a model folder.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSpec {
    /// The folder.
    pub dir: PathBuf,
    /// From the manifest.
    pub name: String,
    /// From the manifest.
    pub version: String,
    /// The ONNX file.
    pub file: PathBuf,
    /// SHA-256 of the ONNX file, lower-case hexadecimal, as computed.
    pub sha256: String,
    /// Whether the graph picks the scale of its activations from each batch.
    pub quantises_at_run_time: bool,
    /// Whether the graph has the attention operator of this project's library.
    pub uses_operator: bool,
    /// Whether weights lie in files of their own.
    pub has_external_data: bool,
    /// The graph that `inferd rewrite` made of `file`, if it lies there.
    pub rewritten: Option<Rewritten>,
    /// The tokenizer's file.
    pub tokenizer: PathBuf,
    /// SHA-256 of the tokenizer's file, lower-case hexadecimal, as computed.
    pub tokenizer_sha256: String,
    /// The longest input in tokens, special tokens included.
    pub max_tokens: usize,
    /// How many tokens neighbouring windows of a long text share, at least.
    pub window_overlap_tokens: usize,
    /// Put in front of every window, for encoders trained with one.
    pub text_prefix: String,
    /// Whether runs of words in capitals are read in small letters.
    pub lowercase_shouting: bool,
    /// Names of the graph's inputs.
    pub inputs: Inputs,
    /// The classifiers; at least one, at most one for each signal.
    pub heads: Vec<Head>,
}

/// A second graph that computes the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The ONNX file.
    pub file: PathBuf,
    /// Its SHA-256, lower-case hexadecimal.
    pub sha256: String,
}

/// Why a model folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file is missing or unreadable.
    #[error("{}: cannot read it", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not the JSON it should be.
    #[error("{}: {message}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Where and why, with the key.
        message: String,
    },
    /// A value breaks a rule.
    #[error("{}: {key}: {message}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
        /// What was found and what is allowed.
        message: String,
    },
    /// The file is not the one that the manifest describes.
    #[error("{}: sha256 is {found}, but {key} in the manifest says {expected}", path.display())]
    Digest {
        /// The file whose digest differs.
        path: PathBuf,
        /// The manifest's key.
        key: &'static str,
        /// Digest computed.
        found: String,
        /// Digest declared.
        expected: String,
    },
    /// The tokenizer cannot be used with this model.
    #[error("{}: {message}", path.display())]
    Tokenizer {
        /// The tokenizer's file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The runtime refused the graph, or the graph is not the one described.
    #[error("{}: {message}", path.display())]
    Graph {
        /// The ONNX file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// Two folders claim the same signal.
    #[error("signal {signal} is served by both {} and {}", first.display(), second.display())]
    Duplicate {
        /// The signal.
        signal: Signal,
        /// One folder.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// The configuration names a model that is not there.
    #[error("attention names the model {name:?}, but the models are {known}")]
    Unnamed {
        /// What it says.
        name: String,
        /// Names of the models.
        known: String,
    },
    /// No folder was given.
    #[error(
        "no model folder is configured; give one by --model or by `models` in the configuration"
    )]
    None,
}

/// The name of the file that describes a folder.
pub const MANIFEST: &str = "manifest.json";
/// The manifest's `schema` that this version reads.
pub const SCHEMA: u32 = 1;
/// The longest window that a manifest may ask for, in tokens: bounds the memory of one run.
pub const MAX_WINDOW_TOKENS: usize = 32_768;

/// The description of a model folder, `manifest.json`.
#[derive(Deserialize, schemars::JsonSchema)]
#[schemars(title = "Model manifest")]
struct RawManifest {
    /// The format of this file: 1.
    schema: u32,
    /// The model's name, in answers, logs and metrics; 1 to 128 bytes.
    name: String,
    /// The model's version; 1 to 128 bytes.
    version: String,
    /// The ONNX file, inside the folder.
    file: String,
    /// SHA-256 of the ONNX file in hexadecimal; checked when given.
    sha256: Option<String>,
    /// The tokenizer's file as the Hugging Face library writes it, inside the folder.
    tokenizer: String,
    /// SHA-256 of the tokenizer's file in hexadecimal; checked when given.
    tokenizer_sha256: Option<String>,
    /// The longest input in tokens, special tokens included; 8 to 32768.
    #[schemars(range(min = 8, max = MAX_WINDOW_TOKENS))]
    max_tokens: usize,
    /// How many tokens neighbouring windows of a long text share, at least; at most half of `max_tokens`.
    #[serde(default)]
    window_overlap_tokens: usize,
    /// Put in front of every window, for encoders trained with one.
    #[serde(default)]
    text_prefix: String,
    /// Whether runs of three or more words in capitals are read in small letters, for cased encoders.
    #[serde(default)]
    lowercase_shouting: bool,
    /// Names of the graph's inputs.
    inputs: Inputs,
    /// The classifiers; at least one, at most one for each signal.
    #[schemars(length(min = 1))]
    heads: Vec<RawHead>,
    /// Notes of the authors (licence, training, results) may stand beside the keys above; a misspelt key may not.
    #[serde(flatten)]
    notes: BTreeMap<String, serde_json::Value>,
}

/// One classifier of a model.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Head")]
struct RawHead {
    /// What it tells.
    signal: Signal,
    /// Name of the graph's output.
    output: String,
    /// Shape of that output.
    kind: HeadKind,
    /// Label names, by index of the last axis.
    labels: Vec<String>,
    /// Probability from which a label or entity counts.
    #[schemars(range(min = 0.0, max = 1.0))]
    threshold: f32,
    /// Probability thresholds by entity type where they differ from `threshold`; token heads only.
    #[serde(default)]
    type_thresholds: BTreeMap<String, f32>,
    /// Logits are divided by this before the softmax; above 0.
    #[serde(default = "one")]
    temperature: f32,
    /// For heads that take the highest of a text's windows (jailbreak): n windows are n chances to be wrong, so the log-odds of the
    /// highest are lowered by this times ln(n), n at most 32. 0 to 1; 1 suits windows that err independently of each other.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    window_prior: Option<f32>,
}

const fn one() -> f32 {
    1.0
}

const KEYS: [&str; 13] = [
    "schema",
    "name",
    "version",
    "file",
    "sha256",
    "tokenizer",
    "tokenizer_sha256",
    "max_tokens",
    "window_overlap_tokens",
    "text_prefix",
    "lowercase_shouting",
    "inputs",
    "heads",
];

impl ModelSpec {
    /// Reads and checks the folder; without a manifest it is read as the Hugging Face tools write it.
    ///
    /// # Errors
    ///
    /// Names the file, the key, what was found and what is allowed.
    pub fn load(dir: &Path) -> Result<Self, ModelError> {
        let path = dir.join(MANIFEST);
        if !path.exists() && dir.join(huggingface::CONFIG).exists() {
            return huggingface::load(dir);
        }
        let bytes = read(&path)?;
        let mut json = serde_json::Deserializer::from_slice(&bytes);
        let raw: RawManifest =
            serde_path_to_error::deserialize(&mut json).map_err(|error| ModelError::Json {
                path: path.clone(),
                message: match error.path().to_string() {
                    key if key == "." => error.inner().to_string(),
                    key => format!("{key}: {}", error.inner()),
                },
            })?;
        Self::check(dir, &path, raw)
    }

    fn check(dir: &Path, path: &Path, raw: RawManifest) -> Result<Self, ModelError> {
        let value = |key: &str, message: String| ModelError::Value {
            path: path.to_owned(),
            key: key.to_owned(),
            message,
        };
        for key in raw.notes.keys() {
            if let Some(meant) = near_match(key, &KEYS) {
                return Err(value(key, format!("unknown key; did you mean {meant}?")));
            }
        }
        if raw.schema != SCHEMA {
            return Err(value(
                "schema",
                format!("{} is not supported; this version reads {SCHEMA}", raw.schema),
            ));
        }
        if raw.name.is_empty() || raw.name.len() > 128 || raw.name.chars().any(char::is_control) {
            return Err(value("name", "must have 1 to 128 bytes and no control characters".into()));
        }
        if raw.version.is_empty()
            || raw.version.len() > 128
            || raw.version.chars().any(char::is_control)
        {
            return Err(value(
                "version",
                "must have 1 to 128 bytes and no control characters".into(),
            ));
        }
        if !(8..=MAX_WINDOW_TOKENS).contains(&raw.max_tokens) {
            return Err(value(
                "max_tokens",
                format!("{} is not within 8 to {MAX_WINDOW_TOKENS}", raw.max_tokens),
            ));
        }
        if raw.window_overlap_tokens > raw.max_tokens / 2 {
            let limit = raw.max_tokens / 2;
            return Err(value(
                "window_overlap_tokens",
                format!("{} is more than half of max_tokens ({limit})", raw.window_overlap_tokens),
            ));
        }
        let heads = check_heads(path, raw.heads)?;
        huggingface::agrees(dir, &heads)?;
        let file = member(dir, path, "file", &raw.file)?;
        let tokenizer = member(dir, path, "tokenizer", &raw.tokenizer)?;
        let graph = digest(&file, "sha256", raw.sha256.as_deref())?;
        let tokenizer_sha256 =
            digest(&tokenizer, "tokenizer_sha256", raw.tokenizer_sha256.as_deref())?.sha256;
        Ok(Self {
            dir: dir.to_owned(),
            name: raw.name,
            version: raw.version,
            rewritten: rewritten(&file)?,
            file,
            sha256: graph.sha256,
            quantises_at_run_time: graph.quantises,
            uses_operator: graph.has_operator,
            has_external_data: graph.has_external_data,
            tokenizer,
            tokenizer_sha256,
            max_tokens: raw.max_tokens,
            window_overlap_tokens: raw.window_overlap_tokens,
            text_prefix: raw.text_prefix,
            lowercase_shouting: raw.lowercase_shouting,
            inputs: raw.inputs,
            heads,
        })
    }

    /// The head that answers for a signal.
    #[must_use]
    pub fn head(&self, signal: Signal) -> Option<&Head> {
        self.heads.iter().find(|head| head.signal == signal)
    }
}

/// The JSON Schema of `manifest.json`.
#[must_use]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(RawManifest).to_value()
}

fn check_heads(path: &Path, raw: Vec<RawHead>) -> Result<Vec<Head>, ModelError> {
    let value =
        |key: String, message: String| ModelError::Value { path: path.to_owned(), key, message };
    if raw.is_empty() {
        return Err(value("heads".into(), "is empty; a model needs at least one".into()));
    }
    let mut seen = BTreeSet::new();
    let mut heads = Vec::with_capacity(raw.len());
    for (i, head) in raw.into_iter().enumerate() {
        let key = |name: &str| format!("heads[{i}].{name}");
        let signal = head.signal;
        if !seen.insert(signal) {
            return Err(value(key("signal"), format!("{signal} is there twice")));
        }
        if head.kind != signal.kind() {
            return Err(value(
                key("kind"),
                format!("{:?} does not suit {signal}, which needs {:?}", head.kind, signal.kind()),
            ));
        }
        check_labels(signal, &head.labels).map_err(|message| value(key("labels"), message))?;
        let probability = |name: String, p: f32| {
            if (0.0..=1.0).contains(&p) {
                Ok(p)
            } else {
                Err(value(name, format!("{p} is not within 0 to 1")))
            }
        };
        probability(key("threshold"), head.threshold)?;
        let types = entity_types(&head.labels);
        for (name, threshold) in &head.type_thresholds {
            if !types.contains(name.as_str()) {
                return Err(value(
                    key(&format!("type_thresholds.{name}")),
                    "is not among the labels".into(),
                ));
            }
            probability(key(&format!("type_thresholds.{name}")), *threshold)?;
        }
        if !(head.temperature.is_finite() && head.temperature > 0.0) {
            return Err(value(key("temperature"), format!("{} is not above 0", head.temperature)));
        }
        let window_prior = head.window_prior.unwrap_or_default();
        if head.window_prior.is_some() && signal != Signal::Jailbreak {
            return Err(value(
                key("window_prior"),
                format!(
                    "{signal} does not take the highest of a text's windows; only a jailbreak head may have it"
                ),
            ));
        }
        probability(key("window_prior"), window_prior)?;
        heads.push(Head {
            signal,
            output: head.output,
            kind: head.kind,
            labels: head.labels,
            threshold: head.threshold,
            type_thresholds: head.type_thresholds,
            temperature: head.temperature,
            window_prior,
        });
    }
    Ok(heads)
}

/// The entity types of BIO labels, without their prefixes.
fn entity_types(labels: &[String]) -> BTreeSet<&str> {
    labels.iter().filter_map(|l| l.strip_prefix("B-").or_else(|| l.strip_prefix("I-"))).collect()
}

/// Whether the labels can mean what the signal says.
pub(crate) fn check_labels(signal: Signal, labels: &[String]) -> Result<(), String> {
    let distinct: BTreeSet<&String> = labels.iter().collect();
    if distinct.len() != labels.len() {
        return Err("a label is there twice".into());
    }
    match signal {
        Signal::Jailbreak => {
            let both = ["benign", "jailbreak"].iter().all(|name| labels.iter().any(|l| l == name));
            if labels.len() != 2 || !both {
                return Err(format!(
                    "are {labels:?}, but must be \"benign\" and \"jailbreak\" in the model's order"
                ));
            }
        }
        Signal::Domain => {
            if labels.len() < 2 {
                return Err(format!("are {}, but a domain head needs at least 2", labels.len()));
            }
        }
        Signal::Pii => {
            if labels.len() < 2 || !distinct.contains(&"O".to_owned()) {
                return Err("must contain \"O\" and at least one B- label".into());
            }
            for label in labels {
                let known = label == "O"
                    || label.strip_prefix("B-").is_some_and(|t| !t.is_empty())
                    || label
                        .strip_prefix("I-")
                        .is_some_and(|t| distinct.contains(&format!("B-{t}")));
                if !known {
                    return Err(format!(
                        "{label:?} is not \"O\", \"B-TYPE\" or an \"I-TYPE\" that has its \"B-TYPE\""
                    ));
                }
            }
        }
    }
    Ok(())
}

/// A file of the folder; a manifest must not point outside it.
fn member(dir: &Path, manifest: &Path, key: &str, name: &str) -> Result<PathBuf, ModelError> {
    let relative = Path::new(name);
    let inside = !name.is_empty()
        && relative.components().all(|c| matches!(c, std::path::Component::Normal(_)));
    if !inside {
        return Err(ModelError::Value {
            path: manifest.to_owned(),
            key: key.to_owned(),
            message: format!("{name:?} must name a file inside the folder"),
        });
    }
    Ok(dir.join(relative))
}

fn read(path: &Path) -> Result<Vec<u8>, ModelError> {
    std::fs::read(path).map_err(|source| ModelError::Read { path: path.to_owned(), source })
}

/// What one reading of a file tells.
struct Digested {
    sha256: String,
    /// It names the operator that quantises activations.
    quantises: bool,
    /// It names this project's attention operator.
    has_operator: bool,
    /// It names files with weights.
    has_external_data: bool,
}

/// What matters here and is spelt out in an ONNX file: two operators, and the key under which a tensor names its file (with the lengths
/// and tags of protobuf around it, as weights and names may hold the word as well).
const MARKS: [&[u8]; 3] =
    [b"DynamicQuantize", onnx_rewrite::OPERATOR.as_bytes(), b"\x0a\x08location\x12"];

/// Reads a file once for its SHA-256, checked against the one declared, and the marks in it.
fn digest(path: &Path, key: &'static str, expected: Option<&str>) -> Result<Digested, ModelError> {
    let failed = |source| ModelError::Read { path: path.to_owned(), source };
    let mut file = std::fs::File::open(path).map_err(failed)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    let longest = MARKS.iter().map(|name| name.len()).max().unwrap_or(1);
    // The end of the last part, for a name across two.
    let mut held = 0;
    let mut named = [false; MARKS.len()];
    loop {
        let n = std::io::Read::read(&mut file, buffer.get_mut(held..).unwrap_or_default())
            .map_err(failed)?;
        if n == 0 {
            break;
        }
        hash.update(buffer.get(held..held + n).unwrap_or_default());
        let part = buffer.get(..held + n).unwrap_or_default();
        for (named, name) in named.iter_mut().zip(MARKS) {
            *named = *named || memchr::memmem::find(part, name).is_some();
        }
        let keep = part.len().saturating_sub(longest - 1);
        let end = part.len();
        buffer.copy_within(keep..end, 0);
        held = end - keep;
    }
    let found: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let [quantises, has_operator, has_external_data] = named;
    match expected {
        Some(expected) if !expected.eq_ignore_ascii_case(&found) => Err(ModelError::Digest {
            path: path.to_owned(),
            key,
            found,
            expected: expected.to_owned(),
        }),
        Some(_) | None => {
            Ok(Digested { sha256: found, quantises, has_operator, has_external_data })
        }
    }
}

/// The rewritten graph beside a graph, if there is one.
fn rewritten(file: &Path) -> Result<Option<Rewritten>, ModelError> {
    let path = crate::attention::rewritten_path(file);
    if path.is_file() { Rewritten::at(path).map(Some) } else { Ok(None) }
}

impl Rewritten {
    /// Reads the file for its digest.
    pub(crate) fn at(file: PathBuf) -> Result<Self, ModelError> {
        let sha256 = digest(&file, "sha256", None)?.sha256;
        Ok(Self { file, sha256 })
    }
}

/// The known word that an unknown one was probably meant to be.
#[must_use]
pub(crate) fn near_match<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|k| (strsim::damerau_levenshtein(word, k), *k))
        .filter(|(distance, k)| *distance <= (k.len() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, k)| k)
}

#[cfg(test)]
mod tests;
