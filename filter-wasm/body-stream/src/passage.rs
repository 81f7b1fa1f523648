//! A string of text in a body, and where it came from.

use crate::edit::Edit;
use crate::offsets::OffsetMap;
use core::ops::Range;

/// Who speaks, as the message says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// `system`; also Anthropic's `system` and the Responses API's `instructions`.
    System,
    /// `developer`.
    Developer,
    /// `user`; also prompts and inputs that are no messages.
    User,
    /// `assistant`; also function calls that carry no role.
    Assistant,
    /// `tool` and `function`; also tool results inside a user's message.
    Tool,
    /// No role, an unknown one, or text outside any message. A policy that
    /// scans some roles only must scan this one too: a client may name its
    /// role as it likes.
    #[default]
    Unspecified,
}

impl Role {
    /// The role of that name; `None` if it is no role of a known API.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "system" => Self::System,
            "developer" => Self::Developer,
            "user" => Self::User,
            "assistant" => Self::Assistant,
            "tool" | "function" => Self::Tool,
            _ => return None,
        })
    }
}

/// What a passage is in its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PassageKind {
    /// What the message says: `content` or its text parts; prompts and inputs.
    Content,
    /// `refusal` of an assistant's message.
    Refusal,
    /// `name` of a participant, or the name of an attached file.
    Name,
    /// A string (or a key that is not a plain identifier) in a tool call's arguments.
    ToolArguments,
    /// What a tool returned.
    ToolResult,
    /// `instructions` of the Responses API.
    Instructions,
    /// A string of `tools`, `functions` or a schema; only if asked for.
    ToolDefinition,
    /// Any other string that a model may be shown: reasoning, document titles, unknown fields.
    Other,
}

/// One string of text. It only grows, until it is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Who speaks. May be [`Role::Unspecified`] until the message's object
    /// closes, because `role` may follow `content`.
    pub role: Role,
    /// What it is. [`PassageKind::Content`] may turn into
    /// [`PassageKind::ToolResult`] when the message's object closes.
    pub kind: PassageKind,
    /// Index of the message or input item, from 0; [`Passage::NO_MESSAGE`] outside of any.
    pub message: u32,
    /// The text so far, escapes decoded.
    pub text: String,
    /// Whether the closing quote has been read.
    pub complete: bool,
    /// From bytes of the text to bytes of the raw body.
    pub offsets: OffsetMap,
}

impl Passage {
    /// `message` of passages such as `system` and `instructions`.
    pub const NO_MESSAGE: u32 = u32::MAX;

    /// Bytes of memory that the passage holds.
    #[must_use]
    pub const fn held_bytes(&self) -> usize {
        size_of::<Self>() + self.text.capacity() + self.offsets.held_bytes()
    }

    /// Bytes of the raw body that spell the bytes `text` of the passage.
    ///
    /// Widens to whole characters and escapes. `None` if the range is
    /// reversed or passes the end of the text.
    #[must_use]
    pub fn raw_range(&self, text: Range<usize>) -> Option<Range<usize>> {
        if text.end > self.text.len() {
            return None;
        }
        let start = self.text.floor_char_boundary(text.start);
        let end = self.text.ceil_char_boundary(text.end);
        self.offsets.raw_range(start..end)
    }

    /// An edit that puts `replacement`, taken as plain text, in place of the
    /// bytes `text` of the passage. `None` as for [`Passage::raw_range`].
    #[must_use]
    pub fn edit(&self, text: Range<usize>, replacement: &str) -> Option<Edit> {
        let range = self.raw_range(text)?;
        Some(Edit::new(range, replacement, if self.offsets.is_nested() { 2 } else { 1 }))
    }
}
