//! What a value means, by where it stands: the one table of body shapes.
//!
//! The shapes of all known APIs are one table. A root key such as `messages`,
//! `input` or `prompt` means the same in every API that has it, so a body sent
//! to another API's path, or one that mixes them, is screened alike.
//!
//! **The rule for what is text:** inside messages and at the root, every
//! string is text unless its key is on a list of keys that hold identifiers,
//! settings or media ([`is_setting`], [`root`]). Even a string on these lists is text
//! once it holds a character that no identifier, URL or base64 run has (see
//! [`crate::opaque`]). A field that this table has never heard of, such as a
//! vendor's `reasoning_content`, is therefore screened.

use crate::passage::PassageKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The root object of a known API.
    Root,
    /// Inside a body described by pointers; the bits name the pointers that
    /// match the path so far.
    Pointers(u64),
    /// Messages, input items, prompts: one or a list of strings or objects.
    Items,
    /// As `Items`; an object names a prompt that the server holds.
    Prompt,
    /// That object.
    StoredPrompt,
    /// One message or input item.
    Message,
    /// A string, or a list of strings and parts; also one part.
    Content(PassageKind),
    /// A URL, base64 run or file id, or an object that holds some.
    Media(Medium),
    /// A tool or function call, a list of such, or the `function` in one.
    Call,
    /// A tool call's arguments: JSON in a string, or an object.
    Arguments,
    /// Every string below is text, and so is a key that is no plain identifier.
    Free(PassageKind),
    /// As `Free`, but keys that commonly hold identifiers or media keep that meaning.
    Unknown,
    /// Strings below are identifiers or settings.
    Setting,
    /// Base64 or a URL.
    Blob,
    /// As `Blob`, inside a media object that may declare it to be text.
    MediaData,
    /// `type` or `media_type` of a media object.
    MediaType,
    /// `type` of a part or item.
    PartType,
    /// `role` of a message.
    Role,
    /// `model` of the root.
    Model,
    /// `stream` of the root.
    Stream,
    /// A limit on tokens to generate.
    MaxTokens,
    /// The name of content that the server holds.
    Reference,
    /// Definitions of tools, functions or schemas.
    Definitions,
    /// `text` of the root: in the Responses API an object with a schema.
    TextFormat,
    /// Not text, and nothing below is.
    Skip,
}

/// What a media object holds, as far as its key tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    Image,
    Audio,
    File,
    Video,
    /// A `source`, whose kind stands in `media_type` or in the part's `type`.
    Any,
    /// Embedding tensors.
    Embeddings,
}

#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "a place that is not named keeps its meaning; the default is safe for a new one"
)]
impl Place {
    /// What the elements of an array in this place are.
    pub(crate) const fn element(self) -> Self {
        match self {
            // An array where one object belongs is no known shape.
            Self::Root | Self::Message | Self::TextFormat => Self::Unknown,
            Self::Arguments => Self::Free(PassageKind::ToolArguments),
            Self::Prompt => Self::Items,
            same => same,
        }
    }

    /// What an object in this place is.
    pub(crate) const fn object(self) -> Self {
        match self {
            Self::Items => Self::Message,
            Self::Prompt => Self::StoredPrompt,
            Self::Arguments => Self::Free(PassageKind::ToolArguments),
            Self::TextFormat => Self::Definitions,
            // Objects where a scalar belongs.
            Self::Model
            | Self::Stream
            | Self::MaxTokens
            | Self::Role
            | Self::Blob
            | Self::MediaData
            | Self::MediaType
            | Self::PartType => Self::Unknown,
            same => same,
        }
    }

    /// What the value of `key` is in an object in this place. [`Place::Pointers`]
    /// is not for here.
    pub(crate) fn member(self, key: &str) -> Self {
        match self {
            Self::Root => root(key),
            Self::Message => message(key),
            Self::StoredPrompt => match key {
                "id" => Self::Reference,
                _ => unknown(key),
            },
            Self::Content(kind) => part(key, kind),
            Self::Media(_) => media(key),
            Self::Call => match key {
                "function" | "custom" => Self::Call,
                "arguments" | "input" => Self::Arguments,
                "name" => Self::Setting,
                _ => unknown(key),
            },
            Self::Free(_) | Self::Setting | Self::Reference | Self::Definitions | Self::Skip => {
                self
            }
            _ => unknown(key),
        }
    }

    /// The kind of a key's text in an object in this place, if keys may be text there.
    pub(crate) const fn key_kind(self) -> Option<PassageKind> {
        match self {
            Self::Free(kind) => Some(kind),
            Self::Root
            | Self::Message
            | Self::StoredPrompt
            | Self::Content(_)
            | Self::Media(_)
            | Self::Call
            | Self::Unknown => Some(PassageKind::Other),
            _ => None,
        }
    }

    /// Whether an object in this place has a fixed set of keys, which some
    /// receivers match without regard to case: duplicates are then compared so.
    pub(crate) const fn has_known_keys(self) -> bool {
        matches!(self, Self::Root | Self::Message | Self::Content(_) | Self::Media(_) | Self::Call)
    }

    /// Whether nothing below is looked at.
    pub(crate) const fn is_skipped(self) -> bool {
        matches!(self, Self::Skip)
    }
}

fn root(key: &str) -> Place {
    match key {
        "model" => Place::Model,
        "stream" => Place::Stream,
        "max_tokens" | "max_completion_tokens" | "max_output_tokens" | "max_tokens_to_sample" => {
            Place::MaxTokens
        }
        "messages" | "input" | "prompt_token_ids" => Place::Items,
        "prompt" => Place::Prompt,
        "system" => Place::Content(PassageKind::Content),
        "instructions" => Place::Content(PassageKind::Instructions),
        "prompt_embeds" => Place::Media(Medium::Embeddings),
        "text" => Place::TextFormat,
        "tools" | "functions" | "response_format" | "output_format" | "output_config"
        | "guided_json" | "guided_grammar" | "guided_regex" | "guided_choice"
        | "structured_outputs" | "json_schema" => Place::Definitions,
        "previous_response_id" | "conversation" => Place::Reference,
        // Never shown to the model, and free to hold any text.
        "user" | "metadata" | "stop" | "stop_sequences" | "safety_identifier"
        | "prompt_cache_key" => Place::Skip,
        "audio"
        | "background"
        | "best_of"
        | "betas"
        | "bad_words"
        | "cache_salt"
        | "container"
        | "context_management"
        | "dimensions"
        | "echo"
        | "encoding_format"
        | "frequency_penalty"
        | "function_call"
        | "include"
        | "input_type"
        | "logit_bias"
        | "logprobs"
        | "max_tool_calls"
        | "mcp_servers"
        | "modalities"
        | "n"
        | "parallel_tool_calls"
        | "presence_penalty"
        | "prompt_cache_retention"
        | "reasoning"
        | "reasoning_effort"
        | "request_id"
        | "seed"
        | "service_tier"
        | "store"
        | "stream_options"
        | "temperature"
        | "thinking"
        | "tool_choice"
        | "top_k"
        | "top_logprobs"
        | "top_p"
        | "truncation"
        | "verbosity" => Place::Setting,
        _ => Place::Unknown,
    }
}

fn message(key: &str) -> Place {
    match key {
        "role" => Place::Role,
        "content" => Place::Content(PassageKind::Content),
        "refusal" => Place::Free(PassageKind::Refusal),
        "name" => Place::Free(PassageKind::Name),
        "tool_calls" | "function_call" => Place::Call,
        "arguments" | "input" => Place::Arguments,
        "output" => Place::Content(PassageKind::ToolResult),
        "text" => Place::Free(PassageKind::Content),
        "summary" => Place::Content(PassageKind::Other),
        _ => part_or_unknown(key),
    }
}

fn part(key: &str, kind: PassageKind) -> Place {
    match key {
        "text" => Place::Free(kind),
        "refusal" => Place::Free(PassageKind::Refusal),
        // A tool use in a part: its input is an object of any shape.
        "input" => Place::Free(PassageKind::ToolArguments),
        "arguments" => Place::Arguments,
        "content" => Place::Content(PassageKind::ToolResult),
        "name" => Place::Setting,
        _ => part_or_unknown(key),
    }
}

fn part_or_unknown(key: &str) -> Place {
    match key {
        "type" => Place::PartType,
        "source" => Place::Media(Medium::Any),
        _ => unknown(key),
    }
}

fn media(key: &str) -> Place {
    match key {
        "type" | "media_type" => Place::MediaType,
        "data" => Place::MediaData,
        "content" => Place::Content(PassageKind::Content),
        _ => unknown(key),
    }
}

fn unknown(key: &str) -> Place {
    match key {
        "image_url" | "image" | "input_image" | "image_file" => Place::Media(Medium::Image),
        "audio_url" | "audio" | "input_audio" => Place::Media(Medium::Audio),
        "video_url" | "video" | "input_video" => Place::Media(Medium::Video),
        "file" | "input_file" | "file_data" | "file_url" | "document_url" => {
            Place::Media(Medium::File)
        }
        "filename" | "file_name" => Place::Free(PassageKind::Name),
        "url" | "uri" | "data" | "b64_json" | "bytes" | "encrypted_content" | "signature"
        | "result" => Place::Blob,
        "arguments" => Place::Arguments,
        _ if is_setting(key) => Place::Setting,
        _ => Place::Unknown,
    }
}

/// Keys, inside messages and parts, whose strings are identifiers or settings.
fn is_setting(key: &str) -> bool {
    matches!(
        key,
        "id" | "type"
            | "object"
            | "status"
            | "phase"
            | "index"
            | "detail"
            | "format"
            | "model"
            | "call_id"
            | "item_id"
            | "tool_call_id"
            | "tool_use_id"
            | "file_id"
            | "approval_request_id"
            | "container_id"
            | "server_label"
            | "server_name"
            | "media_type"
            | "mime_type"
            | "cache_control"
            | "finish_reason"
            | "stop_reason"
            | "created_at"
            | "version"
    )
}
