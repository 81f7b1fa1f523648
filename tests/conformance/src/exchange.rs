//! One HTTP request to be played, with all that happens around it.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::body::{Body, Framing};
use crate::case::Case;
use crate::observed::Headers;
use crate::oracle::Answer;

/// A protocol of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// HTTP/1.1.
    H1,
    /// HTTP/2.
    H2,
}

/// How the classifier behaves during the exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Classifier {
    /// It answers after a time.
    Answers(Answer, Duration),
    /// Its socket is absent, or refuses the proxy.
    Down,
    /// It answers with a gRPC status.
    Status(u32),
}

/// When the client goes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reset {
    /// Right after the headers.
    Headers,
    /// After this many bytes of the body.
    Bytes(usize),
    /// When the classifier has been asked.
    Call,
}

/// One HTTP request to be played.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    /// The method.
    pub(crate) method: String,
    /// The path, with its query.
    pub(crate) path: String,
    /// Headers without pseudo-headers.
    pub(crate) headers: Headers,
    /// The body; `None` when the request ends with its headers.
    pub(crate) body: Option<Body>,
    /// How the body is cut.
    pub(crate) framing: Framing,
    /// Time between two frames.
    pub(crate) interval: Duration,
    /// Trailers after the body.
    pub(crate) trailers: Option<Headers>,
    /// The protocol, when the case names one.
    pub(crate) protocol: Option<Protocol>,
    /// The classifier.
    pub(crate) classifier: Classifier,
    /// Whether the client goes away before the answer.
    pub(crate) reset: Option<Reset>,
    /// Envoy's limit on a listener's buffers, in bytes, when the case sets one.
    pub(crate) listener_bytes: Option<u64>,
    /// Whether the daemon's socket belongs to another user, and only to that one.
    pub(crate) foreign_socket: bool,
}

impl Exchange {
    /// The request of a case, `send` included.
    ///
    /// # Errors
    ///
    /// When its members do not fit together or have values that this program does not know.
    pub(crate) fn of(case: &Case) -> Result<Self> {
        let http = case.http();
        let body = Body::of(http)?;
        let framing = Framing::of(http, body.as_ref().unwrap_or(&Body::default()))?;
        let mut headers = pairs(http.get("headers"))?;
        for (name, value) in &mut headers {
            if value == "auto" {
                *value = match name.as_str() {
                    "content-length" => body.as_ref().map_or(0, Body::len).to_string(),
                    other => bail!("header {other}: auto is known for content-length only"),
                };
            }
        }
        let protocol = match case.word("protocol") {
            None => None,
            Some("h1" | "http1" | "http/1.1" | "HTTP/1.1" | "h1.1") => Some(Protocol::H1),
            Some("h2" | "http2" | "http/2" | "HTTP/2" | "h2c") => Some(Protocol::H2),
            Some(other) => bail!("unknown protocol {other:?}"),
        };
        let trailers = match http.get("trailers") {
            None | Some(Value::Null) => None,
            some => Some(pairs(some)?),
        };
        let interval = Duration::from_millis(case.number("chunk_interval_ms").unwrap_or(0));
        Ok(Self {
            method: http.get("method").and_then(Value::as_str).unwrap_or("POST").to_owned(),
            path: http
                .get("path")
                .and_then(Value::as_str)
                .unwrap_or("/v1/chat/completions")
                .to_owned(),
            headers,
            body,
            framing,
            interval,
            trailers,
            protocol,
            classifier: classifier(case)?,
            reset: case.word("client_reset_after").map(reset).transpose()?,
            listener_bytes: case.number("listener_per_connection_buffer_limit_bytes"),
            foreign_socket: case.request.contains_key("socket_mode"),
        })
    }

    /// A plain chat request with this user message.
    #[must_use]
    pub(crate) fn chat(text: &str) -> Self {
        let body =
            serde_json::json!({"model": "auto", "messages": [{"role": "user", "content": text}]});
        Self::post("/v1/chat/completions", Body::from(body.to_string().as_bytes()))
    }

    /// A plain JSON request.
    #[must_use]
    pub(crate) fn post(path: &str, body: Body) -> Self {
        Self {
            method: "POST".to_owned(),
            path: path.to_owned(),
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: Some(body),
            framing: Framing::Natural,
            interval: Duration::ZERO,
            trailers: None,
            protocol: None,
            classifier: Classifier::Answers(Answer::Faithful, Duration::ZERO),
            reset: None,
            listener_bytes: None,
            foreign_socket: false,
        }
    }

    /// How many bytes the body has.
    #[must_use]
    pub(crate) fn body_bytes(&self) -> usize {
        self.body.as_ref().map_or(0, Body::len)
    }

    /// Whether the headers are all there is. An empty body with nothing said about its frames is announced by
    /// `content-length: 0`, which HTTP servers take for the end.
    #[must_use]
    pub(crate) fn ends_with_headers(&self) -> bool {
        let silent = matches!(self.framing, Framing::Natural | Framing::Steps(_));
        self.body_bytes() == 0 && silent && self.trailers.is_none()
    }

    /// The headers with the length of a body that is sent in one known piece, and pseudo-headers before them, as a
    /// proxy shows them to its filters.
    #[must_use]
    pub(crate) fn head(&self) -> Headers {
        let mut head: Headers = [
            (":method", self.method.as_str()),
            (":path", &self.path),
            (":authority", "llm.example.com"),
            (":scheme", "http"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
        head.extend(self.headers.iter().cloned());
        if self.announces_length() {
            head.push(("content-length".to_owned(), self.body_bytes().to_string()));
        }
        head
    }

    /// Whether a content-length is to be added: the case says nothing about framing, and a plain client adds one.
    #[must_use]
    pub(crate) fn announces_length(&self) -> bool {
        let said =
            self.headers.iter().any(|(n, _)| n == "content-length" || n == "transfer-encoding");
        self.framing == Framing::Natural && self.trailers.is_none() && self.body.is_some() && !said
    }

    /// Whether the client never ends its body: frames that are told one by one, and none of them the last.
    #[must_use]
    pub(crate) fn stalls(&self) -> bool {
        match &self.framing {
            Framing::Frames(frames) => {
                self.trailers.is_none() && !frames.iter().any(|(_, ends)| *ends)
            }
            Framing::Natural | Framing::Steps(_) => false,
        }
    }

    /// The body's frames; those of [`Framing::Natural`] have `natural` bytes. The flag ends the stream.
    ///
    /// A client that goes away after some bytes sends just those, and no end.
    pub(crate) fn frames(&self, natural: usize) -> Box<dyn Iterator<Item = (Vec<u8>, bool)> + '_> {
        let frames = self.all_frames(natural);
        let Some(Reset::Bytes(mut left)) = self.reset else { return frames };
        Box::new(frames.map_while(move |(mut data, ends)| {
            if left == 0 {
                return None;
            }
            let cut = data.len() >= left;
            data.truncate(left);
            left -= data.len();
            Some((data, ends && !cut))
        }))
    }

    fn all_frames(&self, natural: usize) -> Box<dyn Iterator<Item = (Vec<u8>, bool)> + '_> {
        let trailers = self.trailers.is_some();
        let body = match (&self.body, &self.framing) {
            (_, Framing::Frames(frames)) => {
                return Box::new(
                    frames.iter().cloned().map(move |(data, ends)| (data, ends && !trailers)),
                );
            }
            (Some(body), _) => body,
            (None, _) => return Box::new(std::iter::empty()),
        };
        let step = if let Framing::Steps(size) = self.framing { size } else { natural };
        let mut left = body.len();
        Box::new(body.steps(step).map(move |data| {
            left -= data.len();
            (data, left == 0 && !trailers)
        }))
    }
}

fn pairs(value: Option<&Value>) -> Result<Headers> {
    let mut out = Vec::new();
    match value {
        None => {}
        Some(Value::Object(map)) => {
            for (name, value) in map {
                let values = match value {
                    Value::Array(list) => list.clone(),
                    one => vec![one.clone()],
                };
                for value in values {
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    out.push((name.to_ascii_lowercase(), text));
                }
            }
        }
        Some(Value::Array(list)) => {
            for pair in list {
                let text = |at: usize| {
                    pair.get(at).and_then(Value::as_str).context("a header is [name, value]")
                };
                out.push((text(0)?.to_ascii_lowercase(), text(1)?.to_owned()));
            }
        }
        Some(_) => bail!("headers are an object or a list of pairs"),
    }
    Ok(out)
}

fn classifier(case: &Case) -> Result<Classifier> {
    let delay = Duration::from_millis(case.number("classifier_delay_ms").unwrap_or(0));
    if case.request.contains_key("socket_mode") {
        return Ok(Classifier::Down);
    }
    let answer = match case.word("classifier_answer") {
        None => Answer::Faithful,
        Some("truncated") => Answer::Truncated,
        Some("nan" | "NaN" | "not_finite") => Answer::NotFinite,
        Some("failed" | "failure") => Answer::Failed,
        Some("garbage") => Answer::Garbage,
        Some(other) => bail!("unknown classifier_answer {other:?}"),
    };
    Ok(match case.word("daemon") {
        None | Some("running" | "up" | "started") => Classifier::Answers(answer, delay),
        Some(
            "stopped" | "down" | "absent" | "killed" | "crashed" | "socket_missing" | "missing",
        ) => Classifier::Down,
        Some("overloaded" | "queue_full" | "full") => Classifier::Status(8),
        Some("error" | "internal_error") => Classifier::Status(13),
        Some("draining" | "starting" | "not_ready" | "dies" | "killed_mid_call" | "restarting") => {
            Classifier::Status(14)
        }
        Some("hangs" | "hanging" | "hung" | "paused") => {
            Classifier::Answers(answer, Duration::from_secs(3600))
        }
        Some("garbage") => Classifier::Answers(Answer::Garbage, delay),
        Some(other) => bail!("unknown daemon state {other:?}"),
    })
}

fn reset(text: &str) -> Result<Reset> {
    let lower = text.to_ascii_lowercase();
    if lower.contains("call") || lower.contains("classifier") {
        return Ok(Reset::Call);
    }
    if let Some(number) = lower.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty()) {
        return Ok(Reset::Bytes(number.parse()?));
    }
    match lower.as_str() {
        "headers" | "the headers" => Ok(Reset::Headers),
        "first chunk" | "half" | "half of the body" | "mid-body" | "mid body" => {
            Ok(Reset::Bytes(1))
        }
        _ => bail!("unknown client_reset_after {text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(request: &str) -> Exchange {
        let text = format!(r#"{{"kind":"http_body","request":{request},"expected":{{}}}}"#);
        Exchange::of(&Case::parse("x", &text).unwrap()).unwrap()
    }

    #[test]
    fn the_last_frame_ends_the_stream_unless_trailers_do() {
        let frames = |e: &Exchange| e.frames(2).map(|(_, ends)| ends).collect::<Vec<_>>();
        assert_eq!(frames(&exchange(r#"{"body":"abc"}"#)), [false, true]);
        assert_eq!(frames(&exchange(r#"{"body":"abc","trailers":{"x":"1"}}"#)), [false, false]);
        assert_eq!(frames(&exchange(r#"{"chunks_base64":["eA==","eQ=="]}"#)), [false, true]);
        assert!(exchange(r#"{"body":""}"#).ends_with_headers());
    }

    #[test]
    fn a_client_that_goes_away_sends_just_its_bytes_and_no_end() {
        let gone = exchange(r#"{"body":"abcdef","chunk_bytes":2,"client_reset_after":"3 bytes"}"#);
        let frames: Vec<_> = gone.frames(9).collect();
        assert_eq!(frames, [(b"ab".to_vec(), false), (b"c".to_vec(), false)]);
    }

    #[test]
    fn a_length_is_announced_unless_the_case_says_how_the_body_comes() {
        assert!(exchange(r#"{"body":"abc"}"#).announces_length());
        assert!(!exchange(r#"{"body":"abc","chunk_bytes":1}"#).announces_length());
        assert!(
            !exchange(r#"{"body":"abc","headers":{"content-length":"auto"}}"#).announces_length()
        );
    }
}
