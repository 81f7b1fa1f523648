//! What a body says, read from a tree by a recursive walk.

use crate::error::ErrorKind;
use crate::opaque::{KEPT, MAX_SETTING};
use crate::passage::{Passage, PassageKind, Role};
use crate::place::Place;
use crate::shape::ToolDefinitions;
use core::fmt;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A JSON value whose objects keep order and duplicates.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Scalar,
    Number,
    String(String),
    Array(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Node {
    pub(super) fn parse(json: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(&mend_surrogates(json)).map_err(|error| error.to_string())
    }
}

/// The text of a JSON string's content.
pub(super) fn string_content(raw: &[u8]) -> Option<String> {
    let mut quoted = vec![b'"'];
    quoted.extend(mend_surrogates(raw));
    quoted.push(b'"');
    serde_json::from_slice(&quoted).ok()
}

/// Replaces each escape of a lone surrogate by the escape of U+FFFD.
fn mend_surrogates(json: &[u8]) -> Vec<u8> {
    let unit = |at: usize| -> Option<u16> {
        let escape = str::from_utf8(json.get(at..at + 6)?).ok()?;
        let digits = escape.strip_prefix("\\u")?;
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(())?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut out = Vec::with_capacity(json.len());
    let mut at = 0;
    while let Some(&byte) = json.get(at) {
        let len = match (unit(at), unit(at + 6)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(0xd800..0xe000), _) => {
                out.extend_from_slice(b"\\ufffd");
                at += 6;
                continue;
            }
            _ if byte == b'\\' => 2,
            _ => 1,
        };
        out.extend_from_slice(json.get(at..(at + len).min(json.len())).unwrap_or_default());
        at += len;
    }
    out
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Build;
        impl<'de> Visitor<'de> for Build {
            type Value = Node;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any JSON value")
            }
            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Scalar)
            }
            fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
                Ok(Node::Scalar)
            }
            fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
                Ok(Node::Number)
            }
            fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
                Ok(Node::Number)
            }
            fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
                Ok(Node::Number)
            }
            fn visit_str<E>(self, text: &str) -> Result<Node, E> {
                Ok(Node::String(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
                let mut elements = Vec::new();
                while let Some(element) = seq.next_element()? {
                    elements.push(element);
                }
                Ok(Node::Array(elements))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Node::Object(members))
            }
        }
        from.deserialize_any(Build)
    }
}

/// One passage, without its offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) role: Role,
    pub(super) kind: PassageKind,
    pub(super) message: u32,
    pub(super) text: String,
}

/// The walk's result.
#[derive(Clone, Debug, Default)]
pub(super) struct Twin {
    pub(super) said: Vec<Said>,
    pub(super) model: Option<String>,
    pub(super) messages: u32,
    scan_definitions: bool,
    allow_duplicates: bool,
    /// Role and message of what is said here.
    role: Role,
    message: Option<u32>,
    /// The media object around has declared plain text.
    media_is_text: bool,
}

impl Twin {
    pub(super) fn read(root: &Node, definitions: ToolDefinitions) -> Result<Self, ErrorKind> {
        let Node::Object(_) = root else { return Err(ErrorKind::NotAnObject) };
        let mut twin =
            Self { scan_definitions: definitions == ToolDefinitions::Scan, ..Self::default() };
        twin.value(root, Place::Root)?;
        Ok(twin)
    }

    fn value(&mut self, node: &Node, place: Place) -> Result<(), ErrorKind> {
        let definitions = match self.scan_definitions {
            true => Place::Free(PassageKind::ToolDefinition),
            false => Place::Skip,
        };
        let place = match (place, node) {
            (Place::Definitions, _) | (Place::TextFormat, Node::Object(_)) => definitions,
            _ => place,
        };
        match node {
            Node::Scalar | Node::Number => Ok(()),
            Node::String(text) => self.string(text, place),
            Node::Array(elements) => {
                let place = place.element();
                elements.iter().try_for_each(|element| self.value(element, place))
            }
            Node::Object(members) => self.object(members, place.object()),
        }
    }

    fn object(&mut self, members: &[(String, Node)], place: Place) -> Result<(), ErrorKind> {
        if place == Place::Skip {
            return Ok(());
        }
        let outside = (self.role, self.message, self.media_is_text);
        self.media_is_text = false;
        if place == Place::Message {
            self.message = Some(self.messages);
            self.messages += 1;
            self.role = members
                .iter()
                .find_map(|(key, value)| {
                    let Node::String(role) = value else { return None };
                    (key == "role").then(|| Role::parse(role)).flatten()
                })
                .unwrap_or_default();
        }
        let mut seen: Vec<String> = Vec::new();
        for (key, value) in members {
            let name = match place.has_known_keys() {
                true => key.to_ascii_lowercase(),
                false => key.clone(),
            };
            if seen.contains(&name) && !self.allow_duplicates {
                return Err(ErrorKind::DuplicateKey);
            }
            seen.push(name);
            if place == Place::Root {
                let is_system = key == "system" || key == "instructions";
                self.role = if is_system { Role::System } else { Role::Unspecified };
            }
            if let Some(kind) = place.key_kind()
                && !is_identifier(key)
            {
                self.say(key, kind);
            }
            self.value(value, place.member(key))?;
        }
        (self.role, self.message, self.media_is_text) = outside;
        Ok(())
    }

    fn string(&mut self, text: &str, place: Place) -> Result<(), ErrorKind> {
        match place {
            Place::Free(kind) | Place::Content(kind) => self.say(text, kind),
            Place::Unknown | Place::TextFormat | Place::StoredPrompt => {
                self.say(text, PassageKind::Other);
            }
            Place::Root | Place::Message => self.say(text, PassageKind::Other),
            Place::Items | Place::Prompt => {
                let outside = (self.role, self.message);
                (self.role, self.message) = (Role::User, Some(self.messages));
                self.say(text, PassageKind::Content);
                self.messages += 1;
                (self.role, self.message) = outside;
            }
            Place::Arguments => self.arguments(text)?,
            Place::Model => self.model = Some(text.to_owned()),
            Place::MediaData if self.media_is_text => self.say(text, PassageKind::Content),
            Place::MediaData => self.reveal(text, usize::MAX, PassageKind::Content),
            Place::Media(_) | Place::Blob => self.reveal(text, usize::MAX, PassageKind::Other),
            Place::Call | Place::Setting | Place::PartType | Place::Reference => {
                self.reveal(text, MAX_SETTING, PassageKind::Other);
            }
            Place::MediaType => {
                self.reveal(text, MAX_SETTING, PassageKind::Other);
                let is_short =
                    text.len() <= MAX_SETTING && text.bytes().all(|b| b.is_ascii_graphic());
                self.media_is_text |= is_short && (text == "text" || text.starts_with("text/"));
            }
            Place::Role => {
                if Role::parse(text).is_none() {
                    self.say(text, PassageKind::Other);
                }
            }
            Place::Pointers(_)
            | Place::Stream
            | Place::MaxTokens
            | Place::Definitions
            | Place::Skip => {}
        }
        Ok(())
    }

    fn say(&mut self, text: &str, kind: PassageKind) {
        if text.is_empty() {
            return;
        }
        let (role, kind) = match (kind, self.role) {
            (PassageKind::ToolResult, _) => (Role::Tool, kind),
            (PassageKind::Content, Role::Tool) => (Role::Tool, PassageKind::ToolResult),
            (PassageKind::ToolArguments, Role::Unspecified) => (Role::Assistant, kind),
            (_, role) => (role, kind),
        };
        let message = self.message.unwrap_or(Passage::NO_MESSAGE);
        self.said.push(Said { role, kind, message, text: text.to_owned() });
    }

    /// Says the part of an opaque string that is text.
    fn reveal(&mut self, text: &str, max: usize, kind: PassageKind) {
        let mut line = 0;
        for (at, ch) in text.char_indices() {
            let is_break = ch == '\r' || ch == '\n';
            let is_opaque =
                ch.is_ascii_graphic() || is_break && (line >= 60 || line == 0 && at > 0);
            if !is_opaque || at >= max {
                return self.say(text.get(at.saturating_sub(KEPT)..).unwrap_or_default(), kind);
            }
            line = if is_break { 0 } else { line + 1 };
        }
    }

    fn arguments(&mut self, text: &str) -> Result<(), ErrorKind> {
        let Ok(tree) = Node::parse(text.as_bytes()) else {
            let decoded = almost_json(text);
            self.say(&decoded, PassageKind::ToolArguments);
            return Ok(());
        };
        let outside = core::mem::replace(&mut self.allow_duplicates, true);
        self.value(&tree, Place::Free(PassageKind::ToolArguments))?;
        self.allow_duplicates = outside;
        Ok(())
    }
}

fn is_identifier(key: &str) -> bool {
    let mut chars = key.chars();
    key.len() <= 40
        && chars.next().is_none_or(|ch| ch.is_ascii_alphabetic() || ch == '_' || ch == '$')
        && chars.all(|ch| ch.is_ascii_alphanumeric() || "_-.$".contains(ch))
}

/// Decodes `\uXXXX` and leaves all else.
fn almost_json(text: &str) -> String {
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text;
    let mut out = String::new();
    loop {
        let digits = rest.strip_prefix("\\u").and_then(|rest| rest.get(..4));
        let unit = digits
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|digits| u16::from_str_radix(digits, 16).ok());
        if let Some(unit) = unit {
            units.push(unit);
            rest = rest.get(6..).unwrap_or_default();
            continue;
        }
        out.push_str(&String::from_utf16_lossy(&units));
        units.clear();
        let Some(ch) = rest.chars().next() else { return out };
        out.push(ch);
        rest = rest.get(ch.len_utf8()..).unwrap_or_default();
    }
}
