//! Puts the original values back into the response, where the model repeats a placeholder.
//!
//! A plain body is searched as bytes: a placeholder needs no escapes in JSON, so its spelling is its text. In a stream of
//! server-sent events the model's tokens may cut a placeholder, so text that could still become one is held back and put
//! before the next text of its lane (see [`lanes`]). Everything else goes on byte for byte, event by event.

mod lanes;

use body_stream::{Api, BodyReader, Limits, Passage, Pointers};
use lanes::{Lane, Quoting};
use serde_json::Value;

/// Longest event of a stream that is looked into, in bytes; a longer one goes on as it is.
const MAX_EVENT_BYTES: usize = 1 << 20;

/// Most lanes from which text is held back at once.
const MAX_HELD: usize = 256;

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
    /// Bytes that may be the start of a placeholder (plain) or are the start of an event.
    carry: Vec<u8>,
    /// Bytes of the carried event that are known not to end it.
    searched: usize,
    /// The rest of an event that was too long goes on as it is.
    passes_event: bool,
    strings: Strings,
    held: Vec<Held>,
}

/// Text that may be the start of a placeholder, and the event that it came in, which can carry it.
#[derive(Debug)]
struct Held {
    lane: Lane,
    text: String,
    event: Vec<u8>,
}

impl Restorer {
    pub(crate) fn new(placeholders: Vec<Placeholder>, framing: Framing) -> Self {
        Self {
            placeholders,
            framing,
            carry: Vec::new(),
            searched: 0,
            passes_event: false,
            strings: Strings::default(),
            held: Vec::new(),
        }
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
        let mut strings = std::mem::take(&mut self.strings);
        let (mut out, rest) = self.whole(&bytes, &mut strings);
        self.strings = strings;
        if ends {
            out.extend_from_slice(rest);
        } else {
            self.carry = rest.to_vec();
        }
        out
    }

    /// Replaces whole placeholders in strings of JSON; the second part is a tail that may still become one.
    fn whole<'a>(&self, bytes: &'a [u8], strings: &mut Strings) -> (Vec<u8>, &'a [u8]) {
        let mut out = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if byte == b'[' && strings.inside {
                match self.find(rest) {
                    Found::Whole(placeholder) => {
                        let original = strings.quoting().spell(&placeholder.original);
                        out.extend_from_slice(Quoting::Json.spell(&original).as_bytes());
                        rest = rest.get(placeholder.name.len()..).unwrap_or_default();
                        continue;
                    }
                    Found::Beginning => return (out, rest),
                    Found::Nothing => {}
                }
            }
            strings.step(byte);
            out.push(byte);
            rest = after;
        }
        (out, rest)
    }

    /// What begins at the start of `bytes`.
    fn find(&self, bytes: &[u8]) -> Found<'_> {
        if let Some(found) = self.placeholders.iter().find(|p| bytes.starts_with(p.name.as_bytes()))
        {
            return Found::Whole(found);
        }
        match self.placeholders.iter().any(|p| p.name.as_bytes().starts_with(bytes)) {
            true => Found::Beginning,
            false => Found::Nothing,
        }
    }

    /// Replaces placeholders in a text; the second part is a tail that may still become one.
    fn text<'a>(&self, text: &'a str, quoting: Quoting) -> (String, &'a str) {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(open) = rest.find('[') {
            let (before, from) = rest.split_at_checked(open).unwrap_or((rest, ""));
            out.push_str(before);
            rest = match self.find(from.as_bytes()) {
                Found::Whole(placeholder) => {
                    out.push_str(&quoting.spell(&placeholder.original));
                    from.get(placeholder.name.len()..).unwrap_or_default()
                }
                Found::Beginning => return (out, from),
                Found::Nothing => {
                    out.push('[');
                    from.get(1..).unwrap_or_default()
                }
            };
        }
        out.push_str(rest);
        (out, "")
    }

    fn events(&mut self, chunk: &[u8], ends: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(chunk.len());
        let mut bytes = std::mem::take(&mut self.carry);
        bytes.extend_from_slice(chunk);
        let mut rest = bytes.as_slice();
        loop {
            let searched = std::mem::take(&mut self.searched);
            let empty = if self.passes_event { None } else { empty_line(rest) };
            let Some(end) = empty.or_else(|| event_end(rest, searched)) else { break };
            let (event, after) = rest.split_at_checked(end).unwrap_or((rest, &[]));
            if std::mem::take(&mut self.passes_event) || end > MAX_EVENT_BYTES {
                out.extend_from_slice(event);
            } else {
                self.event(event, &mut out);
            }
            rest = after;
        }
        if self.passes_event || rest.len() > MAX_EVENT_BYTES {
            self.passes_event = true;
            // Two line ends in a row end an event, so the last bytes wait.
            let waits = rest.len().min(3);
            let (now, later) = rest.split_at_checked(rest.len() - waits).unwrap_or((rest, &[]));
            out.extend_from_slice(now);
            rest = later;
        }
        if ends {
            if self.passes_event {
                out.extend_from_slice(rest);
            } else if !rest.is_empty() {
                self.event(rest, &mut out);
            }
            self.flush(&mut out, |_| true);
            rest = &[];
        }
        self.searched = rest.len().saturating_sub(2);
        self.carry = rest.to_vec();
        out
    }

    /// One event, with the empty line after it.
    fn event(&mut self, event: &[u8], out: &mut Vec<u8>) {
        let Some((at, data)) = data_of(event) else {
            out.extend_from_slice(event);
            return;
        };
        let Ok(value) = serde_json::from_slice::<Value>(data) else {
            // `[DONE]`: nothing more will complete what is held.
            if data == b"[DONE]" {
                self.flush(out, |_| true);
            }
            out.extend_from_slice(event);
            return;
        };
        let (lanes, ended) = (lanes::of(&value), lanes::ended(&value));
        // What ends without a word of its own in this event has its held text said before it.
        self.flush(out, |held| ended.holds(held) && !lanes.contains(held));
        let mut edits = Vec::new();
        for lane in &lanes {
            let Some(passage) = passage(data, &lane.pointer) else { continue };
            let before = self.held.iter().position(|held| held.lane == *lane);
            let mut text = before.map(|at| self.held.swap_remove(at).text).unwrap_or_default();
            text.push_str(&passage.text);
            let (mut said, tail) = self.text(&text, lane.quoting);
            if ended.holds(lane) || self.held.len() >= MAX_HELD {
                said.push_str(tail);
            } else if !tail.is_empty() {
                let (lane, text) = (lane.clone(), tail.to_owned());
                self.held.push(Held { lane, text, event: event.to_vec() });
            }
            if said != passage.text {
                edits.extend(passage.edit(0..passage.text.len(), &said));
            }
        }
        let said = body_stream::redact(data, &edits).unwrap_or_else(|_| data.to_vec());
        // Whole placeholders elsewhere, as in the last event of the Responses API, which says all of it again.
        let (mut said, rest) = self.whole(&said, &mut Strings::default());
        said.extend_from_slice(rest);
        out.extend_from_slice(&with_data(event, at, data.len(), &said));
    }

    /// Sends what is held of some lanes, each in a copy of the event that it came in, where the other lanes say nothing.
    fn flush(&mut self, out: &mut Vec<u8>, which: impl Fn(&Lane) -> bool) {
        let (now, later) = std::mem::take(&mut self.held).into_iter().partition(|h| which(&h.lane));
        self.held = later;
        let now: Vec<Held> = now;
        for held in now {
            let copy = || {
                let (at, data) = data_of(&held.event)?;
                let value: Value = serde_json::from_slice(data).ok()?;
                let mut edits = Vec::new();
                for lane in lanes::of(&value) {
                    let said = if lane == held.lane { held.text.as_str() } else { "" };
                    let passage = passage(data, &lane.pointer);
                    edits.extend(passage.and_then(|p| p.edit(0..p.text.len(), said)));
                }
                let said = body_stream::redact(data, &edits).ok()?;
                Some(with_data(&held.event, at, data.len(), &said))
            };
            out.extend(copy().unwrap_or_default());
        }
    }
}

enum Found<'a> {
    Whole(&'a Placeholder),
    /// Of some placeholder; the rest has not come yet.
    Beginning,
    Nothing,
}

/// Where in a JSON document the bytes are: in which string, and whether that holds JSON itself.
#[derive(Debug, Default)]
struct Strings {
    inside: bool,
    escaped: bool,
    /// The string read last, up to a few bytes.
    last: Vec<u8>,
    /// Whether the value is that of a key `arguments`: JSON in a string.
    nested: bool,
}

impl Strings {
    const KEY: &'static [u8] = b"arguments";

    fn step(&mut self, byte: u8) {
        if self.inside {
            let escaped = std::mem::take(&mut self.escaped);
            match byte {
                b'"' if !escaped => self.inside = false,
                b'\\' if !escaped => self.escaped = true,
                _ => {}
            }
            if self.inside && self.last.len() <= Self::KEY.len() {
                self.last.push(byte);
            }
            return;
        }
        match byte {
            b'"' => {
                self.inside = true;
                self.last.clear();
            }
            b':' => self.nested = self.last == Self::KEY,
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => self.nested = false,
        }
    }

    /// How a value is spelled before it is spelled as the content of a JSON string.
    fn quoting(&self) -> Quoting {
        if self.nested { Quoting::Json } else { Quoting::Plain }
    }
}

/// Length of the line end at the start of `bytes`: an empty line, if a line begins there.
fn empty_line(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// Where the event that `bytes` begin with or are part of ends: after its empty line. The first `searched` bytes hold no end.
fn event_end(bytes: &[u8], searched: usize) -> Option<usize> {
    line_starts(bytes, searched).find_map(|at| Some(at + empty_line(bytes.get(at..)?)?))
}

/// Where lines begin after `from`.
fn line_starts(bytes: &[u8], from: usize) -> impl Iterator<Item = usize> {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(move |(at, _)| from + at + 1)
}

/// The data of an event that has one line of it, and where in the event it stands.
fn data_of(event: &[u8]) -> Option<(usize, &[u8])> {
    let mut found = None;
    let mut at = 0;
    for line in event.split_inclusive(|byte| *byte == b'\n') {
        if let Some(data) = line.strip_prefix(b"data:") {
            let space = data.len() - data.trim_ascii_start().len();
            if found.replace((at + 5 + space, data.trim_ascii())).is_some() {
                return None;
            }
        }
        at += line.len();
    }
    found.filter(|(_, data)| !data.is_empty())
}

fn with_data(event: &[u8], at: usize, len: usize, data: &[u8]) -> Vec<u8> {
    let mut new = event.get(..at).unwrap_or_default().to_vec();
    new.extend_from_slice(data);
    new.extend_from_slice(event.get(at + len..).unwrap_or_default());
    new
}

/// The string at a JSON pointer, if it is not empty.
fn passage(data: &[u8], pointer: &str) -> Option<Passage> {
    let pointers = Pointers::parse([pointer]).ok()?;
    let mut reader = BodyReader::new(&Api::Pointers(pointers), Limits::default());
    reader.feed(data).ok()?;
    reader.finish().ok()?;
    reader.passages().first().filter(|p| !p.text.is_empty()).cloned()
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
            .filter_map(|data| serde_json::from_str::<Value>(data).ok())
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

    /// The texts of all events by choice, from any place in them.
    fn by_choice(stream: &str, pointer: &str) -> [String; 2] {
        let mut said = [String::new(), String::new()];
        for data in stream.lines().filter_map(|line| line.strip_prefix("data: ")) {
            let Ok(value) = serde_json::from_str::<Value>(data) else { continue };
            for choice in value["choices"].as_array().unwrap() {
                let index = usize::try_from(choice["index"].as_u64().unwrap()).unwrap();
                said[index]
                    .push_str(choice.pointer(pointer).and_then(|t| t.as_str()).unwrap_or(""));
            }
        }
        said
    }

    #[test]
    fn choices_that_are_streamed_side_by_side_are_kept_apart() {
        let event = |parts: &[(usize, &str)]| {
            let choices: Vec<_> = parts
                .iter()
                .map(
                    |(index, text)| serde_json::json!({"index": index, "delta": {"content": text}}),
                )
                .collect();
            format!("data: {}\n\n", serde_json::json!({"choices": choices}))
        };
        let end = |index: usize| {
            let choice = serde_json::json!({"index": index, "delta": {}, "finish_reason": "stop"});
            format!("data: {}\n\n", serde_json::json!({"choices": [choice]}))
        };
        let body = [
            event(&[(0, "Hi [PER")]),
            event(&[(1, "Oh [PERSON")]),
            event(&[(0, "SON_1]!"), (1, "_10], [")]),
            event(&[(1, "PERSON_1]"), (0, " [PERSON_")]),
            end(0),
            event(&[(1, " bye [")]),
            end(1),
        ]
        .concat()
            + "data: [DONE]\n\n";
        for cut in 1..body.len() {
            let out = run(Framing::Events, &body, cut);
            let said = by_choice(&out, "/delta/content");
            assert_eq!(
                said,
                ["Hi Pat \"P\" Doe! [PERSON_", "Oh Kim, Pat \"P\" Doe bye ["],
                "{cut}"
            );
            // What was held of a choice is said before the choice ends.
            assert!(out.find("[PERSON_\"").unwrap() < out.find("finish_reason").unwrap());
        }
    }

    #[test]
    fn arguments_stay_json_when_a_value_with_quotes_comes_back() {
        let arguments = r#"{"who":"[PERSON_1]"}"#;
        let call = |part: &str| {
            let calls = serde_json::json!([{"index": 0, "function": {"arguments": part}}]);
            let choice = serde_json::json!({"index": 0, "delta": {"tool_calls": calls}});
            format!("data: {}\n\n", serde_json::json!({"choices": [choice]}))
        };
        for cut in 1..arguments.len() {
            let body = call(&arguments[..cut]) + &call(&arguments[cut..]);
            let out = run(Framing::Events, &body, 7);
            let [said, _] = by_choice(&out, "/delta/tool_calls/0/function/arguments");
            let read: Value = serde_json::from_str(&said).unwrap();
            assert_eq!(read["who"], "Pat \"P\" Doe", "{cut}");
        }
        let plain = serde_json::json!({"tool_calls": [{"function": {"arguments": arguments, "name": "f"}}], "text": "[PERSON_1]"});
        let out = run(Framing::Plain, &plain.to_string(), 3);
        let value: Value = serde_json::from_str(&out).unwrap();
        let said = value["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(said).unwrap()["who"], "Pat \"P\" Doe");
        assert_eq!(value["text"], "Pat \"P\" Doe");
    }

    #[test]
    fn blocks_of_the_messages_api_are_kept_apart_and_keep_their_event_lines() {
        let event = |kind: &str, value: Value| format!("event: {kind}\ndata: {value}\n\n");
        let delta = |index: usize, kind: &str, text: &str| {
            let delta = if kind == "text_delta" {
                serde_json::json!({"type": kind, "text": text})
            } else {
                serde_json::json!({"type": kind, "partial_json": text})
            };
            event(
                "content_block_delta",
                serde_json::json!({"type": "content_block_delta", "index": index, "delta": delta}),
            )
        };
        let body = [
            delta(0, "text_delta", "Hi [PERS"),
            event("ping", serde_json::json!({"type": "ping"})),
            delta(1, "input_json_delta", "{\"a\":\"[PERSON_"),
            delta(0, "text_delta", "ON_10] ["),
            event(
                "content_block_stop",
                serde_json::json!({"type": "content_block_stop", "index": 0}),
            ),
            delta(1, "input_json_delta", "1]\"}"),
            event(
                "content_block_stop",
                serde_json::json!({"type": "content_block_stop", "index": 1}),
            ),
        ]
        .concat();
        for cut in 1..body.len() {
            let out = run(Framing::Events, &body, cut);
            let mut said = [String::new(), String::new()];
            for block in out.split_terminator("\n\n") {
                let (kind, data) = block.split_once('\n').unwrap();
                let value: Value =
                    serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
                assert_eq!(Some(value["type"].as_str().unwrap()), kind.strip_prefix("event: "));
                let text = ["text", "partial_json"].iter().find_map(|f| value["delta"][f].as_str());
                let index = usize::try_from(value["index"].as_u64().unwrap_or(0)).unwrap();
                said[index].push_str(text.unwrap_or(""));
            }
            assert_eq!(
                said,
                ["Hi Kim [".to_owned(), r#"{"a":"Pat \"P\" Doe"}"#.to_owned()],
                "{cut}"
            );
        }
    }

    #[test]
    fn items_of_the_responses_api_are_kept_apart_and_what_is_said_again_is_restored() {
        let delta = |item: &str, output: usize, text: &str| {
            let value = serde_json::json!({"type": "response.output_text.delta", "item_id": item, "output_index": output, "content_index": 0, "delta": text});
            format!("event: response.output_text.delta\ndata: {value}\n\n")
        };
        let done = serde_json::json!({"type": "response.output_text.done", "item_id": "a", "output_index": 0, "text": "Hi [PERSON_1]"});
        let body = delta("a", 0, "Hi [PERSON")
            + &delta("b", 1, "[")
            + &delta("a", 0, "_1]")
            + &delta("b", 1, "PERSON_10]")
            + &format!("event: response.output_text.done\ndata: {done}\n\n");
        let out = run(Framing::Events, &body, 11);
        let mut said = [String::new(), String::new()];
        for data in out.lines().filter_map(|line| line.strip_prefix("data: ")) {
            let value: Value = serde_json::from_str(data).unwrap();
            match value["type"].as_str().unwrap() {
                "response.output_text.delta" => {
                    let at = usize::try_from(value["output_index"].as_u64().unwrap()).unwrap();
                    said[at].push_str(value["delta"].as_str().unwrap());
                }
                _ => assert_eq!(value["text"], "Hi Pat \"P\" Doe"),
            }
        }
        assert_eq!(said, ["Hi Pat \"P\" Doe", "Kim"]);
    }

    #[test]
    fn an_event_that_is_too_long_goes_on_as_it_is_and_the_next_is_restored() {
        let long = format!("data: {{\"x\":\"{}[PERSON_10]\"}}\n\n", "y".repeat(MAX_EVENT_BYTES));
        let next =
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"[PERSON_10]\"}}]}\r\n\r\n";
        let out = run(Framing::Events, &(long.clone() + next), 60_000);
        let (first, second) = out.split_at(long.len());
        assert!(first == long && second == next.replace("[PERSON_10]", "Kim"));
    }

    #[test]
    fn a_stream_without_placeholders_is_unchanged() {
        let body = ": comment\nevent: message\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\\u00e9\"}}]}\n\ndata: {\"x\": 1.0e1}\n\ndata: [DONE]\n\n";
        for cut in 1..body.len() {
            assert_eq!(run(Framing::Events, body, cut), body, "{cut}");
        }
    }
}
