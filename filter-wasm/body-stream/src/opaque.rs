//! Strings that are identifiers, URLs or base64, unless they turn out to be text.
//!
//! A client can write a sentence where an identifier or a picture belongs,
//! and some servers show it to the model. So such a string is passed over
//! only for as long as every character is one that identifiers, URLs and
//! base64 are made of: printable ASCII without a space, and line breaks after
//! at least [`MIN_LINE`] of them. From the first other character on it is
//! text, along with the [`KEPT`] bytes before. An identifier of more than
//! [`MAX_SETTING`] bytes is text as well. What is held is bounded, so a
//! picture of any size costs a few hundred bytes.

use crate::offsets::OffsetMap;
use crate::scanner::{Piece, Text};

/// Bytes before the first character of text that become part of the text.
pub(crate) const KEPT: usize = 256;

/// Bytes held before the front is dropped: amortises the cost of dropping.
const MAX_HELD: usize = 4096;

/// Longest identifier or setting, in bytes.
pub(crate) const MAX_SETTING: usize = 128;

/// Shortest line of base64 that may end in a line break; MIME has 76, PEM 64.
const MIN_LINE: usize = 60;

/// One string that has not turned out to be text.
#[derive(Debug, Default)]
pub(crate) struct Opaque {
    text: String,
    offsets: OffsetMap,
    seen: usize,
    line: usize,
}

/// What a piece has shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Still no text.
    Opaque,
    /// The piece holds text from its byte `.0` on; what is before has been taken in.
    TextFrom(usize),
}

impl Opaque {
    /// Takes in a piece of the string, up to its first character of text or
    /// up to `max` bytes of the string.
    pub(crate) fn push(&mut self, piece: Piece<'_>, max: usize) -> Verdict {
        if self.seen == 0 {
            self.text.clear();
            self.offsets = OffsetMap::starting_at(piece.at);
            self.line = 0;
        }
        match piece.text {
            Text::Run(run) => {
                let end = graphic_prefix(run.as_bytes()).min(max.saturating_sub(self.seen));
                let part = run.get(..end).unwrap_or_default();
                self.seen += end;
                self.line += end;
                self.hold(part, piece.at);
                if end < run.len() { Verdict::TextFrom(end) } else { Verdict::Opaque }
            }
            Text::Char { ch, raw } => {
                match ch {
                    _ if self.seen >= max => return Verdict::TextFrom(0),
                    '\r' | '\n' if self.line == 0 && self.seen > 0 || self.line >= MIN_LINE => {
                        self.line = 0;
                    }
                    _ if ch.is_ascii_graphic() => self.line += 1,
                    _ => return Verdict::TextFrom(0),
                }
                self.seen += 1;
                self.text.push(ch);
                self.offsets.push_char(ch.len_utf8(), raw);
                self.drop_front();
                Verdict::Opaque
            }
            // Given in its parts.
            Text::Dense(_) => Verdict::TextFrom(0),
        }
    }

    fn hold(&mut self, run: &str, at: usize) {
        if run.len() >= KEPT {
            let from = run.len() - KEPT;
            self.text.clear();
            self.text.push_str(run.get(from..).unwrap_or_default());
            self.offsets = OffsetMap::starting_at(at + from);
            self.offsets.push_verbatim(KEPT);
        } else {
            self.text.push_str(run);
            self.offsets.push_verbatim(run.len());
            self.drop_front();
        }
    }

    fn drop_front(&mut self) {
        if self.text.len() > MAX_HELD {
            self.keep_last();
        }
    }

    /// Drops all but the last [`KEPT`] bytes, so that the outcome does not
    /// depend on how the string was cut into pieces.
    fn keep_last(&mut self) {
        let from = self.text.len().saturating_sub(KEPT);
        if from > 0 {
            self.offsets = self.offsets.tail_from(from);
            self.text = self.text.split_off(from);
        }
    }

    /// The whole string, if it was short.
    pub(crate) fn whole(&self) -> Option<&str> {
        (self.seen <= KEPT).then_some(if self.seen == 0 { "" } else { &self.text })
    }

    /// Bytes of the string so far.
    pub(crate) const fn seen(&self) -> usize {
        self.seen
    }

    /// Gives up what is held, to become text, and is ready for the next string.
    pub(crate) fn take(&mut self) -> (String, OffsetMap) {
        self.keep_last();
        self.seen = 0;
        (core::mem::take(&mut self.text), core::mem::take(&mut self.offsets))
    }

    /// Forgets the string and is ready for the next.
    pub(crate) const fn reset(&mut self) {
        self.seen = 0;
    }
}

/// Length of the longest prefix of printable ASCII without a space.
fn graphic_prefix(run: &[u8]) -> usize {
    // Whole blocks first, without an early exit inside, which compiles to SIMD.
    let mut end = 0;
    for block in run.chunks_exact(64) {
        if block.iter().fold(false, |other, byte| other | !byte.is_ascii_graphic()) {
            break;
        }
        end += block.len();
    }
    let rest = run.get(end..).unwrap_or_default();
    end + rest.iter().take_while(|byte| byte.is_ascii_graphic()).count()
}
