//! A case as it lies in its file, and the folder of them.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

/// What sort of thing a case is about; the `kind` of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An HTTP request of which the body matters.
    HttpBody,
    /// An HTTP request of which the framing or the timing matters.
    HttpStream,
    /// An HTTP request with an encoded body.
    HttpEncoded,
    /// An HTTP request of which the headers matter.
    HttpHeaders,
    /// Text and what the pipeline of compressor and classifiers makes of it.
    Classifier,
    /// Text and what the compressor makes of it.
    Compressor,
    /// Text sent to the daemon directly.
    Grpc,
    /// The daemon in some state, and mostly an HTTP request.
    Daemon,
    /// Envoy set up or loaded in some way.
    EnvoyConfig,
    /// A configuration of the filter.
    FilterConfig,
    /// Packaging for Kubernetes.
    K8s,
}

impl Kind {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "http_body" | "http" => Self::HttpBody,
            "http_stream" => Self::HttpStream,
            "http_encoded" => Self::HttpEncoded,
            "http_headers" => Self::HttpHeaders,
            "classifier" => Self::Classifier,
            "compressor" => Self::Compressor,
            "grpc" => Self::Grpc,
            "daemon" => Self::Daemon,
            "envoy_config" => Self::EnvoyConfig,
            "filter_config" => Self::FilterConfig,
            "k8s" => Self::K8s,
            _ => return None,
        })
    }

    /// Whether the case is a plain HTTP request.
    #[must_use]
    pub(crate) fn is_http(self) -> bool {
        matches!(self, Self::HttpBody | Self::HttpStream | Self::HttpEncoded | Self::HttpHeaders)
    }
}

/// One case.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The file's `id`, or its name when that is missing.
    pub(crate) id: String,
    /// What it is about; `Err` holds the name that this program does not know.
    pub(crate) kind: Result<Kind, String>,
    /// How it is set up.
    pub(crate) request: Map<String, Value>,
    /// What must come of it.
    pub(crate) expected: Map<String, Value>,
    /// Why it cannot be run faithfully, if so: unknown members of the case or of its request.
    pub(crate) unknown: Vec<String>,
}

/// Members of a case besides those that a [`Case`] keeps.
const ABOUT: [&str; 7] = ["id", "source", "date", "symptom", "kind", "note", "title"];

/// Every member of `request` (and of `send` in it) that this program acts on.
const REQUEST_MEMBERS: [&str; 55] = [
    "method",
    "path",
    "headers",
    "body",
    "body_base64",
    "body_json",
    "chunks_base64",
    "chunks",
    "body_template",
    "fill",
    "repeat",
    "open",
    "close",
    "depth",
    "chunk_bytes",
    "chunk_interval_ms",
    "frames",
    "trailers",
    "protocol",
    "policy",
    "listener_per_connection_buffer_limit_bytes",
    "repeat_requests",
    "concurrency",
    "client_reset_after",
    "classifier_delay_ms",
    "classifier_answer",
    "send",
    "daemon",
    "socket_mode",
    "socket_owner",
    "envoy_uid",
    "routes",
    "plugin_config_variants",
    "load",
    "ecds_updates",
    "config_bytes",
    "text",
    "texts",
    "suffixes",
    "text_template",
    "pipeline",
    "budget",
    "max_seq_len",
    "precision",
    "image",
    "check",
    "url",
    "failStrategy",
    "config",
    "model_dir",
    "network",
    "cgroup_cpu_max",
    "host_cores",
    "sessions",
    "role",
];

impl Case {
    /// Reads a case from the text of its file. `name` stands in for a missing id.
    ///
    /// # Errors
    ///
    /// When the text is not a JSON object with a `request` and an `expected` object.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(&mend_surrogates(text)).context("not JSON")?;
        let Value::Object(case) = value else { bail!("not a JSON object") };
        let object = |key: &str| -> Result<Map<String, Value>> {
            case.get(key)
                .and_then(Value::as_object)
                .cloned()
                .with_context(|| format!("no object {key:?}"))
        };
        let (request, expected) = (object("request")?, object("expected")?);
        let word = |key: &str| case.get(key).and_then(Value::as_str);
        let mut unknown: Vec<String> = case
            .keys()
            .filter(|key| !ABOUT.contains(&key.as_str()))
            .filter(|key| !["request", "expected", "policy"].contains(&key.as_str()))
            .map(|key| format!("unknown member {key:?}"))
            .collect();
        let sent = request.get("send").and_then(Value::as_object);
        for key in request.keys().chain(sent.into_iter().flat_map(Map::keys)) {
            if !REQUEST_MEMBERS.contains(&key.as_str()) {
                unknown.push(format!("unknown request member {key:?}"));
            }
        }
        let kind = word("kind").unwrap_or("");
        let mut request = request;
        // A policy may stand at the top as well.
        if let Some(policy) = case.get("policy") {
            request.entry("policy").or_insert_with(|| policy.clone());
        }
        Ok(Self {
            id: word("id").unwrap_or(name).to_owned(),
            kind: Kind::parse(kind).ok_or_else(|| kind.to_owned()),
            request,
            expected,
            unknown,
        })
    }

    /// The HTTP request: `send` if there is one, else the request itself.
    #[must_use]
    pub(crate) fn http(&self) -> &Map<String, Value> {
        self.request.get("send").and_then(Value::as_object).unwrap_or(&self.request)
    }

    /// A number of the request, looked for in `send` too.
    #[must_use]
    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        self.request.get(key).or_else(|| self.http().get(key)).and_then(Value::as_u64)
    }

    /// A string of the request, looked for in `send` too.
    #[must_use]
    pub(crate) fn word(&self, key: &str) -> Option<&str> {
        self.request.get(key).or_else(|| self.http().get(key)).and_then(Value::as_str)
    }

    /// Every text that changes the reference policy, from the request, from `send`, and from `expected`, where some
    /// cases note the policy that they assume.
    #[must_use]
    pub(crate) fn policies(&self) -> Vec<&Value> {
        let mut found: Vec<&Value> = Vec::new();
        for map in
            [Some(&self.request), Some(self.http()), Some(&self.expected)].into_iter().flatten()
        {
            if let Some(policy) = map.get("policy")
                && !found.contains(&policy)
            {
                found.push(policy);
            }
        }
        found
    }

    /// The texts of a classifier or compressor case.
    #[must_use]
    pub(crate) fn texts(&self) -> Vec<String> {
        let request = &self.request;
        if let Some(Value::Array(texts)) = request.get("texts") {
            return texts.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
        if let Some(Value::String(text)) = request.get("text") {
            let suffixes = request.get("suffixes").and_then(Value::as_array);
            let more = suffixes.into_iter().flatten().filter_map(Value::as_str);
            return std::iter::once(text.clone())
                .chain(more.map(|s| format!("{text} {s}")))
                .collect();
        }
        self.template().map(|parts| vec![parts.concat()]).unwrap_or_default()
    }

    /// The parts of a `text_template`, repeats written out.
    #[must_use]
    pub(crate) fn template(&self) -> Option<Vec<String>> {
        let parts = self.request.get("text_template")?.as_array()?;
        parts
            .iter()
            .map(|part| {
                let part = part.as_array()?;
                let text = part.get(1)?.as_str()?;
                match part.first()?.as_str()? {
                    "text" => Some(text.to_owned()),
                    "repeat" => {
                        let times = usize::try_from(part.get(2)?.as_u64()?).ok()?;
                        Some(text.repeat(times))
                    }
                    _ => None,
                }
            })
            .collect()
    }
}

/// Reads all cases of a folder, sorted by file name. A file that cannot be read as a case is an `Err` with its name.
///
/// # Errors
///
/// When the folder cannot be read or holds no `.json` file.
pub(crate) fn load(folder: &Path) -> Result<Vec<Result<Case, (String, String)>>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder of cases {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    if files.is_empty() {
        bail!("no .json file in {}", folder.display());
    }
    Ok(files
        .iter()
        .map(|path| {
            let name =
                path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
            std::fs::read_to_string(path)
                .map_err(anyhow::Error::from)
                .and_then(|text| Case::parse(&name, &text))
                .map_err(|error| (name, format!("{error:#}")))
        })
        .collect())
}

/// Replaces `\u` escapes of surrogates without a partner by `\ufffd`: Python writes and reads them, Rust's strings
/// cannot hold them. Request bodies that need one spell it with a doubled backslash, which is left alone.
fn mend_surrogates(text: &str) -> String {
    let bytes = text.as_bytes();
    let unit = |at: usize| -> Option<u16> {
        (bytes.get(at..at + 2)? == b"\\u").then_some(())?;
        u16::from_str_radix(text.get(at + 2..at + 6)?, 16).ok()
    };
    let mut out = String::with_capacity(text.len());
    let (mut at, mut done) = (0, 0);
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        let Some(first) = unit(at) else {
            at += 2;
            continue;
        };
        let pair = matches!(first, 0xd800..=0xdbff)
            && unit(at + 6).is_some_and(|second| matches!(second, 0xdc00..=0xdfff));
        if pair {
            at += 12;
        } else {
            if matches!(first, 0xd800..=0xdfff) {
                out.push_str(&text[done..at]);
                out.push_str("\\ufffd");
                done = at + 6;
            }
            at += 6;
        }
    }
    out.push_str(&text[done.min(text.len())..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surrogate_without_a_partner_becomes_the_replacement_character() {
        assert_eq!(mend_surrogates(r#""a\ud83d b""#), r#""a\ufffd b""#);
        assert_eq!(mend_surrogates(r#""\udc00\ud83d\ude00""#), r#""\ufffd\ud83d\ude00""#);
        assert_eq!(mend_surrogates(r#""\\ud83d""#), r#""\\ud83d""#);
    }

    #[test]
    fn what_this_program_does_not_know_is_listed_and_not_skipped() {
        let text = r#"{"id":"x","kind":"smoke","request":{"bodyy":""},"expected":{},"extra":1}"#;
        let case = Case::parse("x", text).unwrap();
        assert_eq!(case.kind, Err("smoke".to_owned()));
        assert_eq!(case.unknown, ["unknown member \"extra\"", "unknown request member \"bodyy\""]);
    }

    #[test]
    fn texts_are_written_out_as_the_reference_program_does() {
        let text = r#"{"kind":"classifier","request":{"text":"a","suffixes":["b"]},"expected":{}}"#;
        assert_eq!(Case::parse("x", text).unwrap().texts(), ["a", "a b"]);
        let text = r#"{"kind":"classifier","request":{"text_template":[["repeat","ab",2],["text","c"]]},"expected":{}}"#;
        assert_eq!(Case::parse("x", text).unwrap().texts(), ["ababc"]);
    }
}
