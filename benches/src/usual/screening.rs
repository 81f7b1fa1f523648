//! What the server does with one request: the filter's own state machine natively, or what the paper calls stage 0.
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use clap::ValueEnum;
use forebay_proto::v1::ClassifyRequest;
use policy::{Effect, Event, Head, Stream, Worker};
use prost::Message as _;
use serde_json::Value;

/// How the text of a request is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reading {
    /// The filter's own code, compiled natively: parse, normalise, recognise and compress as the bytes come.
    Filter,
    /// The whole body as one JSON value, all text of all messages.
    Whole,
    /// The same, then compressed by the paper's four scores to 512 tokens.
    WholeCompressed,
}

/// What has to be asked.
#[derive(Debug)]
pub(crate) enum Question {
    /// As the filter asks its daemon.
    Classify(ClassifyRequest),
    /// Every model about this text.
    Text(String),
    /// Nothing.
    None,
}

/// Changes to the request's headers.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Names and values.
    pub(crate) set: Vec<(String, String)>,
    /// Names.
    pub(crate) removed: Vec<String>,
}

/// One request on its way.
pub(crate) enum Screening {
    /// See [`Reading::Filter`].
    Filter { stream: Box<Stream>, origin: Instant, changes: Changes, question: Option<Vec<u8>> },
    /// See [`Reading::Whole`] and [`Reading::WholeCompressed`].
    Whole { body: Vec<u8>, compress: bool },
}

impl Screening {
    pub(crate) fn begin(reading: Reading, worker: &Rc<Worker>) -> Self {
        match reading {
            Reading::Filter => Self::Filter {
                stream: Box::new(Stream::new(Rc::clone(worker))),
                origin: Instant::now(),
                changes: Changes::default(),
                question: None,
            },
            Reading::Whole => Self::Whole { body: Vec::new(), compress: false },
            Reading::WholeCompressed => Self::Whole { body: Vec::new(), compress: true },
        }
    }

    /// Takes the headers.
    pub(crate) fn headers(&mut self, headers: &[(String, String)], ends: bool) -> Result<()> {
        match self {
            Self::Filter { .. } => self.on(Event::RequestHeaders { head: Head { headers }, ends }),
            Self::Whole { .. } => Ok(()),
        }
    }

    /// Takes body bytes.
    pub(crate) fn chunk(&mut self, chunk: &[u8], ends: bool) -> Result<()> {
        match self {
            Self::Filter { .. } => self.on(Event::RequestBody { chunk, ends }),
            Self::Whole { body, .. } => {
                body.extend_from_slice(chunk);
                Ok(())
            }
        }
    }

    /// After the last byte: what has to be asked.
    pub(crate) fn question(&mut self) -> Result<Question> {
        match self {
            Self::Filter { question, .. } => match question.take() {
                Some(message) => {
                    Ok(Question::Classify(ClassifyRequest::decode(message.as_slice())?))
                }
                None => Ok(Question::None),
            },
            Self::Whole { body, compress } => {
                let text = all_text(body)?;
                Ok(Question::Text(if *compress { compressed(&text) } else { text }))
            }
        }
    }

    /// Takes the daemon's encoded answer, or the models' labels, and tells what becomes of the headers.
    pub(crate) fn conclude(&mut self, answer: Option<&[u8]>, labels: String) -> Result<Changes> {
        if let (Self::Filter { .. }, Some(answer)) = (&mut *self, answer) {
            self.on(Event::Answer(Ok(answer)))?;
        }
        Ok(match self {
            Self::Filter { changes, .. } => std::mem::take(changes),
            Self::Whole { .. } => Changes {
                set: vec![
                    ("x-forebay-verdict".to_owned(), "allow".to_owned()),
                    ("x-forebay-domain".to_owned(), labels),
                ],
                removed: Vec::new(),
            },
        })
    }

    fn on(&mut self, event: Event<'_>) -> Result<()> {
        let Self::Filter { stream, origin, changes, question } = self else { return Ok(()) };
        let now = origin.elapsed() + Duration::from_secs(1);
        for effect in stream.on(now, event) {
            match effect {
                Effect::SetRequestHeader(name, value) => changes.set.push((name, value)),
                Effect::RemoveRequestHeader(name) => changes.removed.push(name),
                Effect::Call(call) => *question = Some(call.message),
                Effect::Reply(reply) => bail!("the request was refused: {}", reply.details),
                Effect::ReadBody { .. } | Effect::ReplaceBody(_) => {
                    bail!("the benches do not redact")
                }
                Effect::SetResponseHeader(..)
                | Effect::RemoveResponseHeader(_)
                | Effect::CancelCall
                | Effect::ReplaceResponseChunk(_)
                | Effect::Resume
                | Effect::Count(_)
                | Effect::Observe(..) => {}
            }
        }
        Ok(())
    }
}

/// All text of all messages of a chat request, joined by line feeds.
fn all_text(body: &[u8]) -> Result<String> {
    let value: Value = serde_json::from_slice(body)?;
    let messages = value["messages"].as_array().context("a body without messages")?;
    let texts: Vec<&str> =
        messages.iter().filter_map(|message| message["content"].as_str()).collect();
    ensure!(!texts.is_empty(), "messages without text");
    Ok(texts.join("\n"))
}

/// At most 512 tokens of a text, chosen by the paper's four scores.
pub(crate) fn compressed(text: &str) -> String {
    let config = compress::Config::from(compress::Profile::Paper);
    let selection = compress::Compressor::new(&config).select(compress::SelectRequest {
        texts: &[text],
        roles: &[compress::Role::User],
        flagged: &[],
        budget_tokens: compress::DEFAULT_BUDGET_TOKENS,
        mode: compress::Mode::Compressed,
    });
    let pieces = selection.pieces.into_iter().filter_map(|piece| text.get(piece.range));
    pieces.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use policy::Config;

    use super::*;

    #[test]
    fn all_messages_are_read() {
        let body =
            br#"{"messages":[{"role":"system","content":"a"},{"role":"user","content":"b\"c"}]}"#;
        assert_eq!(all_text(body).unwrap(), "a\nb\"c");
        assert!(all_text(b"{}").is_err() && all_text(b"[").is_err());
    }

    #[test]
    fn a_long_text_is_cut_to_about_the_budget() {
        let prompts =
            crate::prompts::Prompts::new(&crate::root().join("models/forebay-small"), 1).unwrap();
        let text = prompts.of_tokens(4000, 0).unwrap().text;
        let short = compressed(&text);
        assert!(
            short.len() * 5 < text.len() && short.len() > 1000,
            "{} of {}",
            short.len(),
            text.len()
        );
    }

    #[test]
    fn the_filters_own_code_asks_and_concludes() {
        let config =
            Config::from_json(crate::stack::filter_config("guarded").to_string().as_bytes())
                .unwrap();
        let worker = Rc::new(Worker::new(Rc::new(config)));
        let mut screening = Screening::begin(Reading::Filter, &worker);
        let headers = [
            (":method", "POST"),
            (":path", "/v1/chat/completions"),
            ("content-type", "application/json"),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        screening.headers(&headers, false).unwrap();
        screening.chunk(br#"{"messages":[{"role":"user","content":"hello"}]}"#, true).unwrap();
        let Question::Classify(request) = screening.question().unwrap() else {
            panic!("no question")
        };
        assert_eq!(request.passages[0].text, "hello");
        let answer = super::super::null::nothing_found(&request).encode_to_vec();
        let changes = screening.conclude(Some(&answer), String::new()).unwrap();
        assert!(
            changes.set.contains(&("x-forebay-verdict".to_owned(), "allow".to_owned())),
            "{changes:?}"
        );
    }
}
