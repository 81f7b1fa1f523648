//! Which strings of a streamed event carry a piece of text, and what the piece belongs to.
//!
//! A model may say several things at once: several choices, several calls of tools, several blocks or items. The pieces of
//! one thing, in order, are a lane. Only pieces of one lane may complete each other.

use serde_json::Value;

/// Most pieces of text looked for in one event.
const MAX_LANES: usize = 64;

/// One lane, as it stands in an event.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    /// The choice, block or item: its lanes end together.
    owner: u64,
    /// Tells the lanes of one owner apart.
    name: String,
    /// Where the piece stands in this event, as a JSON pointer.
    pub(super) pointer: String,
    /// How a value is spelled in the lane's text.
    pub(super) quoting: Quoting,
}

impl PartialEq for Lane {
    /// The same lane may stand at another place in another event.
    fn eq(&self, other: &Self) -> bool {
        (self.owner, &self.name) == (other.owner, &other.name)
    }
}

/// How a value is spelled in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// As it is.
    Plain,
    /// As between the quotes of a JSON string: the text is JSON.
    Json,
}

impl Quoting {
    pub(super) fn spell(self, value: &str) -> String {
        match self {
            Self::Plain => value.to_owned(),
            Self::Json => {
                let quoted = Value::from(value).to_string();
                quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
            }
        }
    }
}

/// The lanes of which an event holds a piece.
pub(super) fn of(event: &Value) -> Vec<Lane> {
    let mut lanes = Vec::new();
    for (at, choice) in list(&event["choices"]) {
        of_choice(at, choice, &mut lanes);
    }
    match &event["delta"] {
        // The Responses API.
        Value::String(_) => {
            let kind = event["type"].as_str().unwrap_or("");
            let item = event["item_id"].as_str().unwrap_or("");
            lanes.push(Lane {
                owner: event["output_index"].as_u64().unwrap_or(0),
                name: format!("{kind} {item} {}", event["content_index"]),
                pointer: "/delta".to_owned(),
                quoting: if kind.contains("arguments") { Quoting::Json } else { Quoting::Plain },
            });
        }
        // The Messages API.
        Value::Object(delta) => {
            let owner = event["index"].as_u64().unwrap_or(0);
            for (field, quoting) in [
                ("text", Quoting::Plain),
                ("thinking", Quoting::Plain),
                ("partial_json", Quoting::Json),
            ] {
                if delta.get(field).is_some_and(Value::is_string) {
                    let (name, pointer) = (field.to_owned(), format!("/delta/{field}"));
                    lanes.push(Lane { owner, name, pointer, quoting });
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
    }
    lanes.truncate(MAX_LANES);
    lanes
}

fn of_choice(at: usize, choice: &Value, lanes: &mut Vec<Lane>) {
    let owner = choice["index"].as_u64().unwrap_or(at as u64);
    let mut add = |name: String, place: String, value: &Value, quoting| {
        if value.is_string() && lanes.len() < MAX_LANES {
            lanes.push(Lane { owner, name, pointer: format!("/choices/{at}/{place}"), quoting });
        }
    };
    let delta = &choice["delta"];
    for field in ["content", "refusal", "reasoning", "reasoning_content"] {
        add(field.to_owned(), format!("delta/{field}"), &delta[field], Quoting::Plain);
    }
    add("text".to_owned(), "text".to_owned(), &choice["text"], Quoting::Plain);
    let call = &delta["function_call"]["arguments"];
    add("call".to_owned(), "delta/function_call/arguments".to_owned(), call, Quoting::Json);
    for (number, call) in list(&delta["tool_calls"]) {
        let index = call["index"].as_u64().unwrap_or(number as u64);
        let place = format!("delta/tool_calls/{number}/function/arguments");
        add(format!("call {index}"), place, &call["function"]["arguments"], Quoting::Json);
    }
}

fn list(value: &Value) -> impl Iterator<Item = (usize, &Value)> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter().enumerate().take(MAX_LANES)
}

/// Which lanes get no more text after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    All,
    /// Those of these choices, blocks or items.
    Of(Vec<u64>),
}

impl Ended {
    pub(super) fn holds(&self, lane: &Lane) -> bool {
        match self {
            Self::All => true,
            Self::Of(owners) => owners.contains(&lane.owner),
        }
    }
}

/// What an event says about ends. An event that is not known ends nothing: text that waits is then said with the stream's end.
pub(super) fn ended(event: &Value) -> Ended {
    let kind = event["type"].as_str().unwrap_or("");
    match kind {
        "message_stop" | "response.completed" | "response.incomplete" | "response.failed" => {
            return Ended::All;
        }
        "content_block_stop" => return Ended::Of(event["index"].as_u64().into_iter().collect()),
        _ => {}
    }
    if kind.ends_with(".done") {
        return Ended::Of(event["output_index"].as_u64().into_iter().collect());
    }
    let choices = list(&event["choices"]);
    let done = choices.filter(|(_, choice)| choice["finish_reason"].is_string());
    Ended::Of(done.map(|(at, choice)| choice["index"].as_u64().unwrap_or(at as u64)).collect())
}
