//! What a body says besides its text.

/// What a body says besides its text; complete once the body is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The root's `model`, escapes decoded, if it is a string.
    pub model: Option<String>,
    /// The root's `stream`, if it is `true` or `false`.
    pub stream: Option<bool>,
    /// The root's limit on tokens to generate (`max_tokens`, `max_completion_tokens`,
    /// `max_output_tokens`, `max_tokens_to_sample`); the largest, if there are several.
    pub max_tokens: Option<u64>,
    /// Messages, input items and prompts.
    pub messages: u32,
    /// Whether the body defines tools or functions.
    pub tools: bool,
    /// Media that the body carries or names.
    pub modalities: Modalities,
    /// Input for the model that holds no text to screen.
    pub unscreenable: Unscreenable,
}

/// Kinds of media.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modalities {
    /// Pictures.
    pub image: bool,
    /// Sound.
    pub audio: bool,
    /// Documents and other files.
    pub file: bool,
    /// Films.
    pub video: bool,
}

/// Input for the model that this crate cannot turn into text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unscreenable {
    /// Arrays of token ids in place of text.
    pub token_ids: bool,
    /// Embedding tensors in place of text (`prompt_embeds`).
    pub embeddings: bool,
    /// Text that was passed over as base64 or as an identifier, and that a
    /// later field declares to be plain text.
    pub late_text: bool,
    /// Content that the server holds and the body only names: earlier
    /// responses, conversations, stored prompts and items.
    pub references: bool,
}

impl Unscreenable {
    /// Whether there is any.
    #[must_use]
    pub const fn any(self) -> bool {
        self.token_ids || self.embeddings || self.late_text || self.references
    }
}
