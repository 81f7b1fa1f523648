//! Puts the original values back into the response, where the model repeats a placeholder.
//!
//! A plain body is searched as bytes: a placeholder needs no escapes in JSON, so its spelling is its text. In a stream of
//! server-sent events the model's tokens may cut a placeholder, so the text of one event is held back while it could
//! still become one and is put before the text of the next. Everything else goes on byte for byte and as it comes.

use body_stream::{Api, BodyReader, Limits, Pointers};

/// Where the APIs put the text of one streamed piece.
const DELTAS: [&str; 6] = [
    "/choices/*/delta/content",
    "/choices/*/delta/tool_calls/*/function/arguments",
    "/choices/*/text",
    "/delta",
    "/delta/text",
    "/delta/partial_json",
];

/// Longest line of an event stream that is looked into, in bytes; a longer one goes on as it is.
const MAX_LINE_BYTES: usize = 1 << 20;

/// A placeholder in the request and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placeholder {
    /// Such as `[PERSON_1]`.
    pub(crate) name: String,
    /// The text that it replaced.
    pub(crate) original: String,
}

/// How the response is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// One JSON document.
    Plain,
    /// `text/event-stream`.
    Events,
}

/// Restores one response.
#[derive(Debug)]
pub(crate) struct Restorer {
    placeholders: Vec<Placeholder>,
    framing: Framing,
    pointers: Option<Pointers>,
    /// Bytes that may be the start of a placeholder (plain) or of a line (events).
    carry: Vec<u8>,
    /// The last event with text, the text held back from it, and its length in the event.
    held: Option<Held>,
}

/// Text that may be the start of a placeholder, and an event that can carry it.
#[derive(Debug)]
struct Held {
    text: String,
    /// The line that it came in.
    line: Vec<u8>,
}

impl Restorer {
    pub(crate) fn new(placeholders: Vec<Placeholder>, framing: Framing) -> Self {
        let pointers = Pointers::parse(DELTAS).ok();
        Self { placeholders, framing, pointers, carry: Vec::new(), held: None }
    }

    /// Takes the next bytes of the response and gives those that can go on.
    pub(crate) fn feed(&mut self, chunk: &[u8], ends: bool) -> Vec<u8> {
        match self.framing {
            Framing::Plain => self.plain(chunk, ends),
            Framing::Events => self.events(chunk, ends),
        }
    }

    fn plain(&mut self, chunk: &[u8], ends: bool) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.carry);
        bytes.extend_from_slice(chunk);
        let (mut out, rest) = self.replace(&bytes, escape);
        if ends {
            out.extend_from_slice(rest);
        } else {
            self.carry = rest.to_vec();
        }
        out
    }

    /// Replaces whole placeholders; the second part is a tail that may still become one.
    fn replace<'a>(&self, bytes: &'a [u8], spell: impl Fn(&str) -> String) -> (Vec<u8>, &'a [u8]) {
        let mut out = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some(open) = rest.iter().position(|&b| b == b'[') {
            let (before, from) = rest.split_at(open);
            out.extend_from_slice(before);
            if let Some(found) =
                self.placeholders.iter().find(|p| from.starts_with(p.name.as_bytes()))
            {
                out.extend_from_slice(spell(&found.original).as_bytes());
                rest = from.get(found.name.len()..).unwrap_or_default();
            } else if self.placeholders.iter().any(|p| p.name.as_bytes().starts_with(from)) {
                return (out, from);
            } else {
                out.push(b'[');
                rest = from.get(1..).unwrap_or_default();
            }
        }
        out.extend_from_slice(rest);
        (out, &[])
    }

    fn events(&mut self, chunk: &[u8], ends: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(chunk.len());
        let mut bytes = std::mem::take(&mut self.carry);
        bytes.extend_from_slice(chunk);
        let mut rest = bytes.as_slice();
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            let (line, after) = rest.split_at(end + 1);
            self.line(line, &mut out);
            rest = after;
        }
        if ends || rest.len() > MAX_LINE_BYTES {
            self.line(rest, &mut out);
            rest = &[];
        }
        if ends {
            self.flush(&mut out);
        }
        self.carry = rest.to_vec();
        out
    }

    /// One line of an event stream, with its line feed.
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) {
        let data = line.strip_prefix(b"data:").filter(|data| data.trim_ascii().starts_with(b"{"));
        let Some(data) = data else {
            if line.strip_prefix(b"data:").is_some() {
                // `[DONE]`: nothing more will complete what is held.
                self.flush(out);
            }
            out.extend_from_slice(line);
            return;
        };
        match self.event(line, data) {
            Some(edited) => out.extend(edited),
            None => {
                self.flush(out);
                out.extend_from_slice(line);
            }
        }
    }

    /// An event with text in it: the line to send, or `None` when it carries no text.
    fn event(&mut self, line: &[u8], data: &[u8]) -> Option<Vec<u8>> {
        let reader = read(self.pointers.as_ref()?, data)?;
        let passage = reader.passages().iter().find(|p| !p.text.is_empty())?;
        let mut text = self.held.take().map(|held| held.text).unwrap_or_default();
        text.push_str(&passage.text);
        let (restored, tail) = self.replace(text.as_bytes(), str::to_owned);
        let restored = String::from_utf8_lossy(&restored);
        if !tail.is_empty() {
            let text = String::from_utf8_lossy(tail).into_owned();
            self.held = Some(Held { text, line: line.to_vec() });
        }
        if restored == passage.text.as_str() {
            return Some(line.to_vec());
        }
        let edit = passage.edit(0..passage.text.len(), &restored)?;
        with_data(line, data, &body_stream::redact(data, &[edit]).ok()?)
    }

    /// Sends what is held as an event of its own, a copy of the one that it came in.
    fn flush(&mut self, out: &mut Vec<u8>) {
        let Some(held) = self.held.take() else { return };
        let copy = || {
            let data = held.line.strip_prefix(b"data:")?;
            let reader = read(self.pointers.as_ref()?, data)?;
            let passage = reader.passages().iter().find(|p| !p.text.is_empty())?;
            let edit = passage.edit(0..passage.text.len(), &held.text)?;
            with_data(&held.line, data, &body_stream::redact(data, &[edit]).ok()?)
        };
        if let Some(line) = copy() {
            out.extend(line);
            // A blank line ends an event.
            out.extend_from_slice(b"\n");
        }
    }
}

/// The line with its data replaced.
fn with_data(line: &[u8], data: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let mut edited = line.strip_suffix(data)?.to_vec();
    edited.extend_from_slice(new);
    Some(edited)
}

fn read(pointers: &Pointers, data: &[u8]) -> Option<BodyReader> {
    let mut reader = BodyReader::new(&Api::Pointers(pointers.clone()), Limits::default());
    reader.feed(data).ok()?;
    reader.finish().ok()?;
    Some(reader)
}

/// The text as it stands between quotes in JSON.
fn escape(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restorer(framing: Framing) -> Restorer {
        let placeholder = |name: &str, original: &str| Placeholder {
            name: name.to_owned(),
            original: original.to_owned(),
        };
        Restorer::new(
            vec![placeholder("[PERSON_1]", "Pat \"P\" Doe"), placeholder("[PERSON_10]", "Kim")],
            framing,
        )
    }

    fn run(framing: Framing, body: &str, cut: usize) -> String {
        let mut restorer = restorer(framing);
        let mut out = Vec::new();
        for chunk in body.as_bytes().chunks(cut) {
            out.extend(restorer.feed(chunk, false));
        }
        out.extend(restorer.feed(b"", true));
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_plain_body_is_restored_for_any_cut() {
        let body = r#"{"a":[1],"content":"Hi [PERSON_1], [PERSON_10], [PERSON_2] and [PER"}"#;
        let expected = r#"{"a":[1],"content":"Hi Pat \"P\" Doe, Kim, [PERSON_2] and [PER"}"#;
        for cut in 1..body.len() {
            assert_eq!(run(Framing::Plain, body, cut), expected, "{cut}");
        }
    }

    /// The texts of all events, joined.
    fn spoken(stream: &str) -> String {
        stream
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .filter_map(|data| serde_json::from_str::<serde_json::Value>(data).ok())
            .filter_map(|value| value["choices"][0]["delta"]["content"].as_str().map(str::to_owned))
            .collect()
    }

    #[test]
    fn a_placeholder_cut_by_tokens_is_restored_in_a_stream() {
        let event = |text: &str| {
            let value = serde_json::json!({"id": "x", "choices": [{"delta": {"content": text}}]});
            format!("data: {value}\n\n")
        };
        let tokens = ["Hi ", "[", "PERSON", "_1", "]", "! [PERSON_1][PERS", "ON_10] [x", "] [PERS"];
        let body: String = tokens.iter().map(|t| event(t)).collect::<String>()
            + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
        for cut in 1..body.len() {
            let out = run(Framing::Events, &body, cut);
            assert_eq!(spoken(&out), "Hi Pat \"P\" Doe! Pat \"P\" DoeKim [x] [PERS", "{cut}");
            assert!(out.ends_with("data: [DONE]\n\n"));
            assert!(out.contains("finish_reason"));
        }
    }

    #[test]
    fn a_stream_without_placeholders_is_unchanged() {
        let body = ": comment\nevent: message\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\\u00e9\"}}]}\n\ndata: {\"x\": 1.0e1}\n\ndata: [DONE]\n\n";
        for cut in 1..body.len() {
            assert_eq!(run(Framing::Events, body, cut), body, "{cut}");
        }
    }
}
