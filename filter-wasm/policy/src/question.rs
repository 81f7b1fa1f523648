//! The question for the daemon: each piece of text once, and who reads it.

use std::collections::HashMap;
use std::ops::Range;

use body_stream::Role;
use forebay_proto::v1;
use prost::Message as _;
use prost::encoding::{WireType, encode_key, encode_varint, encoded_len_varint, key_len};

/// What goes to the daemon and how its answer is read.
#[derive(Debug)]
pub(crate) struct Question {
    /// An encoded [`v1::ClassifyRequest`].
    pub(crate) message: Vec<u8>,
    /// The signals asked about.
    pub(crate) asked: Vec<v1::Signal>,
    /// Where each sent passage came from; the index is its id.
    pub(crate) sent: Vec<Sent>,
    /// Signals whose selection was made without reading all of the text.
    pub(crate) cut: Vec<v1::Signal>,
    /// The share of the screened text that each signal reads, 0 to 1.
    pub(crate) shares: Vec<(v1::Signal, f32)>,
    /// Estimated tokens of all the text.
    pub(crate) tokens_in: usize,
    /// Estimated tokens that the domain classifier reads.
    pub(crate) tokens_kept: usize,
}

/// A piece of a passage's normalised text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) passage: usize,
    pub(crate) range: Range<usize>,
}

/// The sent passages, each piece once, and who reads them.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) sent: Vec<Sent>,
    pub(crate) signals: Vec<v1::SignalRequest>,
}

impl Plan {
    pub(crate) fn ask(&mut self, signal: v1::Signal, reading: &[Sent]) {
        let mut passage_ids = Vec::with_capacity(reading.len());
        let known: HashMap<(usize, usize, usize), usize> = self
            .sent
            .iter()
            .enumerate()
            .map(|(id, s)| ((s.passage, s.range.start, s.range.end), id))
            .collect();
        for piece in reading {
            let key = (piece.passage, piece.range.start, piece.range.end);
            let id = known.get(&key).copied().unwrap_or_else(|| {
                self.sent.push(piece.clone());
                self.sent.len() - 1
            });
            passage_ids.push(u32::try_from(id).unwrap_or(u32::MAX));
        }
        self.signals.push(v1::SignalRequest { signal: signal.into(), passage_ids });
    }
}

/// Encodes a [`v1::ClassifyRequest`] with passages numbered from 0.
///
/// The message's own type owns its texts; to fill it would copy all of the request's text once more, just when most
/// memory is in use.
pub(crate) fn encode(
    request_id: String,
    signals: Vec<v1::SignalRequest>,
    passages: &[(v1::Role, &str)],
) -> Vec<u8> {
    let rest = v1::ClassifyRequest { request_id, passages: Vec::new(), signals };
    let entries: Vec<Entry<'_>> = passages
        .iter()
        .enumerate()
        .map(|(id, &(role, text))| Entry {
            id: id as u64,
            role: u64::try_from(i32::from(role)).unwrap_or(0),
            text,
        })
        .collect();
    let framed = |entry: &Entry<'_>| {
        let len = entry.len();
        key_len(PASSAGES) + encoded_len_varint(len as u64) + len
    };
    let bytes = rest.encoded_len() + entries.iter().map(framed).sum::<usize>();
    let mut message = Vec::with_capacity(bytes);
    // Protobuf fields may come in any order, and a vector always has room.
    let _room = rest.encode(&mut message);
    for entry in entries {
        encode_key(PASSAGES, WireType::LengthDelimited, &mut message);
        encode_varint(entry.len() as u64, &mut message);
        entry.write(&mut message);
    }
    message
}

/// Number of the field `passages`.
const PASSAGES: u32 = 2;

/// A [`v1::Passage`] that borrows its text.
struct Entry<'a> {
    id: u64,
    role: u64,
    text: &'a str,
}

impl Entry<'_> {
    /// Fields 1 and 2; a field of value 0 is left out.
    fn numbers(&self) -> impl Iterator<Item = (u32, u64)> {
        [(1, self.id), (2, self.role)].into_iter().filter(|(_, value)| *value != 0)
    }

    fn len(&self) -> usize {
        let numbers: usize =
            self.numbers().map(|(field, value)| key_len(field) + encoded_len_varint(value)).sum();
        let text = self.text.len();
        let framed = key_len(3) + encoded_len_varint(text as u64) + text;
        numbers + if text == 0 { 0 } else { framed }
    }

    fn write(&self, message: &mut Vec<u8>) {
        for (field, value) in self.numbers() {
            encode_key(field, WireType::Varint, message);
            encode_varint(value, message);
        }
        if !self.text.is_empty() {
            encode_key(3, WireType::LengthDelimited, message);
            encode_varint(self.text.len() as u64, message);
            message.extend_from_slice(self.text.as_bytes());
        }
    }
}

pub(crate) fn wire_role(role: Option<Role>) -> v1::Role {
    match role {
        Some(Role::System) => v1::Role::System,
        Some(Role::Developer) => v1::Role::Developer,
        Some(Role::User) => v1::Role::User,
        Some(Role::Assistant) => v1::Role::Assistant,
        Some(Role::Tool) => v1::Role::Tool,
        Some(Role::Unspecified) | None => v1::Role::Unspecified,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_the_one_that_its_own_type_encodes() {
        let long = "long ".repeat(100);
        let texts = ["", "a", long.as_str(), "é"];
        let roles = [v1::Role::Unspecified, v1::Role::Tool, v1::Role::User];
        let passages: Vec<(v1::Role, &str)> =
            (0..300).map(|at| (roles[at % 3], texts[at % 4])).collect();
        let signals = vec![
            v1::SignalRequest { signal: v1::Signal::Pii.into(), passage_ids: vec![0, 1, 299] },
            v1::SignalRequest { signal: v1::Signal::Domain.into(), passage_ids: Vec::new() },
        ];
        let message = encode("id".to_owned(), signals.clone(), &passages);
        let owned = v1::ClassifyRequest {
            request_id: "id".to_owned(),
            passages: passages
                .iter()
                .enumerate()
                .map(|(id, (role, text))| v1::Passage {
                    id: u32::try_from(id).unwrap(),
                    role: (*role).into(),
                    text: (*text).to_owned(),
                })
                .collect(),
            signals,
        };
        assert_eq!(v1::ClassifyRequest::decode(message.as_slice()), Ok(owned.clone()));
        assert_eq!((message.len(), message.capacity()), (owned.encoded_len(), owned.encoded_len()));
    }
}
