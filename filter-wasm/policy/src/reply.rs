//! Answers that the filter gives itself, in the error shape of the API in use.

use body_stream::{Api, ErrorKind};
use serde_json::json;

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The jailbreak signal fired and its action is `block`; with the configured status.
    Jailbreak(u16),
    /// Personal data, and the action is `block`; with the configured status.
    Pii(u16),
    /// The body is not what the API takes: not JSON, cut off, a duplicate key, nested too deeply. `offset` in bytes.
    Malformed {
        /// What is wrong.
        kind: ErrorKind,
        /// Where, in bytes from the start of the decoded body.
        offset: usize,
    },
    /// A body is needed and there is none.
    EmptyBody,
    /// The content type or its charset is not one that the filter reads.
    ContentType,
    /// The content encoding is unknown, stacked, or the body does not follow it.
    Encoding,
    /// The body, or the decoded body, is over `limits.max_body_bytes`.
    BodyTooLarge,
    /// The text is over `limits.max_text_bytes`.
    TextTooLarge,
    /// The client took longer than `limits.upload_timeout_ms`.
    SlowUpload,
    /// A protocol upgrade on a path that is screened.
    Upgrade,
    /// It could not be screened and the failure mode is closed.
    Closed(Unscreened),
}

/// Why a request was not fully screened. The closed list behind `x-forebay-unscreened` and the metric of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unscreened {
    /// The daemon's cluster is missing, the socket is absent or refuses, or it died.
    DaemonUnavailable,
    /// The daemon did not answer within `daemon.timeout_ms`.
    DaemonTimeout,
    /// The daemon's queue is full.
    DaemonOverloaded,
    /// The daemon answered with an error, or with something that is not a verdict.
    DaemonError,
    /// A classifier gave no usable result (no model, not a number).
    ClassifierFailed,
    /// The daemon did not read all the text.
    Truncated,
    /// The prompt came as token ids.
    TokenIds,
    /// The prompt came as embedding tensors.
    Embeddings,
    /// Content was passed over as an identifier or base64 before a later member called it text.
    LateText,
    /// The body names content that the server holds, such as an earlier response.
    References,
    /// Text held by this worker is at `limits.max_worker_text_bytes`.
    WorkerFull,
    /// Personal data was found and could not be taken out of the body. Always closed.
    NotRedacted,
}

impl Unscreened {
    /// Every reason, for metrics.
    pub const ALL: [Self; 12] = [
        Self::DaemonUnavailable,
        Self::DaemonTimeout,
        Self::DaemonOverloaded,
        Self::DaemonError,
        Self::ClassifierFailed,
        Self::Truncated,
        Self::TokenIds,
        Self::Embeddings,
        Self::LateText,
        Self::References,
        Self::WorkerFull,
        Self::NotRedacted,
    ];

    /// The word used in the header, the metric and the error code.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DaemonUnavailable => "daemon_unavailable",
            Self::DaemonTimeout => "daemon_timeout",
            Self::DaemonOverloaded => "daemon_overloaded",
            Self::DaemonError => "daemon_error",
            Self::ClassifierFailed => "classifier_failed",
            Self::Truncated => "truncated",
            Self::TokenIds => "token_ids",
            Self::Embeddings => "embeddings",
            Self::LateText => "late_text",
            Self::References => "references",
            Self::WorkerFull => "worker_full",
            Self::NotRedacted => "not_redacted",
        }
    }
}

/// A complete answer to the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u32,
    /// One word for the access log, the refusal's [`code`](Refusal::code) with the product's name before it.
    pub details: String,
    /// Headers besides `:status`.
    pub headers: Vec<(String, String)>,
    /// JSON.
    pub body: Vec<u8>,
}

impl Refusal {
    /// The HTTP status. A policy block is never 408, 409, 429 or 5xx, which client libraries retry.
    #[must_use]
    pub fn status(self) -> u32 {
        match self {
            Self::Jailbreak(status) | Self::Pii(status) => u32::from(status),
            Self::Malformed { .. } | Self::EmptyBody | Self::Upgrade => 400,
            Self::ContentType | Self::Encoding => 415,
            Self::BodyTooLarge | Self::TextTooLarge => 413,
            Self::SlowUpload => 408,
            Self::Closed(reason) => match reason {
                // The client can mend these; repeating the request cannot.
                Unscreened::TokenIds
                | Unscreened::Embeddings
                | Unscreened::LateText
                | Unscreened::References => 400,
                Unscreened::DaemonUnavailable
                | Unscreened::DaemonTimeout
                | Unscreened::DaemonOverloaded
                | Unscreened::DaemonError
                | Unscreened::ClassifierFailed
                | Unscreened::Truncated
                | Unscreened::WorkerFull
                | Unscreened::NotRedacted => 503,
            },
        }
    }

    /// The machine-readable word: OpenAI's `error.code`, and the metric's label.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Jailbreak(_) => "jailbreak_detected",
            Self::Pii(_) => "pii_detected",
            Self::Malformed { .. } => "malformed_body",
            Self::EmptyBody => "empty_body",
            Self::ContentType => "unsupported_content_type",
            Self::Encoding => "unsupported_encoding",
            Self::BodyTooLarge => "body_too_large",
            Self::TextTooLarge => "text_too_large",
            Self::SlowUpload => "slow_upload",
            Self::Upgrade => "upgrade_not_screened",
            Self::Closed(reason) => reason.name(),
        }
    }

    /// One sentence for a person. Never quotes the request.
    fn message(self) -> String {
        match self {
            Self::Jailbreak(_) => {
                "This request was blocked: it looks like an attempt to override the model's instructions.".to_owned()
            }
            Self::Pii(_) => "This request was blocked: it contains personal data.".to_owned(),
            Self::Malformed { kind, offset } => {
                format!("The request body is not valid: {kind} at byte {offset}.")
            }
            Self::EmptyBody => "The request has no body.".to_owned(),
            Self::ContentType => {
                "The content type cannot be screened; send JSON in UTF-8.".to_owned()
            }
            Self::Encoding => {
                "The content encoding cannot be screened; send one of identity, gzip, deflate, zstd or br, and a body that follows it."
                    .to_owned()
            }
            Self::BodyTooLarge => "The request body is larger than this gateway takes.".to_owned(),
            Self::TextTooLarge => {
                "The request holds more text than this gateway screens.".to_owned()
            }
            Self::SlowUpload => "The request body did not arrive in time.".to_owned(),
            Self::Upgrade => "A protocol upgrade cannot be screened on this path.".to_owned(),
            Self::Closed(
                reason @ (Unscreened::TokenIds
                | Unscreened::Embeddings
                | Unscreened::LateText
                | Unscreened::References),
            ) => {
                format!("The body holds content that cannot be screened ({}); send text.", reason.name())
            }
            Self::Closed(reason) => {
                format!("The request could not be screened ({}); try again later.", reason.name())
            }
        }
    }

    /// The answer in the shape of `api`: Anthropic's for Messages, OpenAI's for all others. JSON also when the client
    /// asked for a stream, since client libraries read a non-2xx answer as JSON in both cases.
    #[must_use]
    pub fn reply(self, api: &Api) -> Reply {
        let status = self.status();
        let message = self.message();
        let body = if matches!(api, Api::Messages) {
            let kind = match status {
                401 | 403 => "permission_error",
                413 => "request_too_large",
                503 => "overloaded_error",
                _ => "invalid_request_error",
            };
            json!({"type": "error", "error": {"type": kind, "message": message}})
        } else {
            let kind = if status >= 500 { "server_error" } else { "invalid_request_error" };
            json!({"error": {
                "message": message, "type": kind, "param": null, "code": self.code(),
            }})
        };
        let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        if status == 503 {
            headers.push(("retry-after".to_owned(), "1".to_owned()));
        }
        Reply {
            status,
            details: format!("forebay_{}", self.code()),
            headers,
            body: body.to_string().into_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_api_gets_its_own_error_shape() {
        let openai = Refusal::Jailbreak(403).reply(&Api::ChatCompletions);
        let body: serde_json::Value = serde_json::from_slice(&openai.body).unwrap();
        assert_eq!(body["error"]["code"], "jailbreak_detected");
        assert_eq!(body["error"]["type"], "invalid_request_error");
        let anthropic = Refusal::BodyTooLarge.reply(&Api::Messages);
        let body: serde_json::Value = serde_json::from_slice(&anthropic.body).unwrap();
        assert_eq!(body["type"], "error");
        assert_eq!(body["error"]["type"], "request_too_large");
    }

    #[test]
    fn a_closed_failure_says_when_to_come_back() {
        let reply = Refusal::Closed(Unscreened::DaemonTimeout).reply(&Api::Responses);
        assert_eq!(reply.status, 503);
        assert!(reply.headers.contains(&("retry-after".to_owned(), "1".to_owned())));
    }

    #[test]
    fn the_list_of_reasons_names_each_once() {
        let mut names: Vec<_> = Unscreened::ALL.iter().map(|r| r.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Unscreened::ALL.len());
    }
}
