//! What came of one HTTP request, told the same way by every layer.

use std::collections::BTreeMap;
use std::time::Duration;

use forebay_proto::v1;
use serde_json::Value;

use crate::body::Body;

/// Names and values, names in lower case.
pub(crate) type Headers = Vec<(String, String)>;

/// A request as the upstream received it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forwarded {
    /// The cluster it came through, where the layer knows.
    pub(crate) cluster: Option<String>,
    /// Headers, pseudo-headers included.
    pub(crate) headers: Headers,
    /// The body.
    pub(crate) body: Vec<u8>,
}

/// What came of one request. A field that a layer cannot see is `None`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observed {
    /// The status that the client got; `None` when it got no answer.
    pub(crate) status: Option<u16>,
    /// The answer's headers.
    pub(crate) headers: Headers,
    /// The answer's body.
    pub(crate) body: Vec<u8>,
    /// What reached an upstream; empty when nothing did.
    pub(crate) forwarded: Vec<Forwarded>,
    /// Every request that the classifier received.
    pub(crate) asked: Vec<v1::ClassifyRequest>,
    /// From the first byte sent to the last byte of the answer; in layers without a clock, the time that was played.
    pub(crate) elapsed: Duration,
    /// Body bytes that were taken in before there was an answer or the body had ended.
    pub(crate) received_bytes: Option<usize>,
    /// Growth of counters, by name.
    pub(crate) counters: BTreeMap<String, u64>,
    /// What was logged.
    pub(crate) log: Option<String>,
    /// The line of the access log.
    pub(crate) access_log: Option<String>,
    /// What the filter held of this request at most, in bytes, the harness's own bytes not counted.
    pub(crate) state_bytes: Option<usize>,
    /// Body bytes that were held back at most.
    pub(crate) held_bytes: Option<usize>,
    /// Time that the filter's own code took, where it is told from the rest.
    pub(crate) busy: Option<Duration>,
    /// Growth of the memory that the filter runs in, in bytes.
    pub(crate) memory_bytes: Option<usize>,
    /// How the filter or the proxy died, if it did.
    pub(crate) trap: Option<String>,
}

/// What was decided about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It reached the upstream as it was.
    Allow,
    /// It reached the upstream changed.
    Redact,
    /// The policy refused it.
    Block,
    /// It was refused for any other reason.
    Reject,
    /// Nobody answered.
    None,
}

impl Decision {
    /// The cases' word for it.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Redact => "redact",
            Self::Block => "block",
            Self::Reject => "reject",
            Self::None => "none",
        }
    }
}

impl Observed {
    /// The first header of the answer with this lower-case name.
    #[must_use]
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }

    /// The first header of this name that reached the upstream.
    #[must_use]
    pub(crate) fn forwarded_header(&self, name: &str) -> Option<&str> {
        self.forwarded.first().and_then(|f| find(&f.headers, name))
    }

    /// What was decided, judged by what the client and the upstream got, not by what the filter says of itself.
    #[must_use]
    pub(crate) fn decision(&self, sent: &Body, block_status: u16) -> Decision {
        match (self.forwarded.first(), self.status) {
            (Some(forwarded), _) if sent.is(&forwarded.body) => Decision::Allow,
            (Some(_), _) => Decision::Redact,
            (None, Some(status)) if status == block_status => Decision::Block,
            (None, Some(_)) => Decision::Reject,
            (None, None) => Decision::None,
        }
    }

    /// The texts that the classifier received, each question's passages joined by line feeds.
    #[must_use]
    pub(crate) fn classifier_inputs(&self) -> Vec<String> {
        self.asked
            .iter()
            .flat_map(|request| request.signals.iter().map(move |signal| input(request, signal)))
            .collect()
    }

    /// Bytes of text sent to the classifier, each passage once.
    #[must_use]
    pub(crate) fn classifier_bytes(&self) -> usize {
        self.asked.iter().flat_map(|r| &r.passages).map(|p| p.text.len()).sum()
    }

    /// The answer's body as JSON.
    #[must_use]
    pub(crate) fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// One line for the table. No body text: the line may end up in a log.
    #[must_use]
    pub(crate) fn summary(&self, sent: &Body, block_status: u16) -> String {
        let decision = self.decision(sent, block_status).name();
        let status = self.status.map_or("no answer".to_owned(), |s| s.to_string());
        let code = self.json().and_then(|body| {
            body["error"]["code"].as_str().or(body["error"]["type"].as_str()).map(str::to_owned)
        });
        let code = if self.forwarded.is_empty() { code.map(|c| format!(" {c}")) } else { None };
        let trap = self.trap.as_ref().map(|t| format!(", trap: {t}"));
        format!("{decision} {status}{}{}", code.unwrap_or_default(), trap.unwrap_or_default())
    }
}

/// The text of one question: its passages joined by line feeds, as the daemon joins them.
#[must_use]
pub(crate) fn input(request: &v1::ClassifyRequest, signal: &v1::SignalRequest) -> String {
    let texts: Vec<&str> = signal
        .passage_ids
        .iter()
        .filter_map(|id| request.passages.iter().find(|p| p.id == *id).map(|p| p.text.as_str()))
        .collect();
    texts.join("\n")
}

/// The first value of a header.
#[must_use]
pub(crate) fn find<'a>(headers: &'a Headers, name: &str) -> Option<&'a str> {
    headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
}
