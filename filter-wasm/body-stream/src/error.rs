//! The crate's one error type: what is wrong, and at which byte.

use core::fmt;

/// Why a body, an edit or an encoded stream was refused, and where.
///
/// Messages name the rule, the byte offset and the limit. They never hold
/// text from the body, so they are safe in logs and in replies to clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    offset: usize,
    limit: Option<usize>,
}

impl Error {
    pub(crate) const fn new(kind: ErrorKind, offset: usize) -> Self {
        Self { kind, offset, limit: None }
    }

    pub(crate) const fn over(kind: ErrorKind, offset: usize, limit: usize) -> Self {
        Self { kind, offset, limit: Some(limit) }
    }

    /// What was wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Byte offset at which it was noticed: into the decoded body for parsing
    /// and edits, into the encoded stream for [`crate::encoding`], and into
    /// the pointer's own text for [`ErrorKind::BadPointer`].
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The configured cap that was passed, for the kinds that have one.
    #[must_use]
    pub const fn limit(&self) -> Option<usize> {
        self.limit
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte offset {}", self.kind, self.offset)?;
        match self.limit {
            Some(limit) => write!(f, " (limit {limit})"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Error {}

/// What was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The body holds no JSON value: no bytes, or white space only.
    #[error("empty body, expected a JSON object")]
    Empty,
    /// The body ended inside a value.
    #[error("body ends before the JSON value is complete")]
    Truncated,
    /// The body begins with a UTF-8 byte order mark, which RFC 8259 forbids
    /// senders to add and lets receivers refuse.
    #[error("byte order mark before the JSON value")]
    ByteOrderMark,
    /// The root of a body of a known API is not an object.
    #[error("the root of the body must be a JSON object")]
    NotAnObject,
    /// A value, such as a string or a number, was expected.
    #[error("expected a JSON value")]
    ExpectedValue,
    /// After `{` or `,` in an object a key was expected.
    #[error("expected a string key in quotes")]
    ExpectedKey,
    /// After a key a colon was expected.
    #[error("expected a colon after the key")]
    ExpectedColon,
    /// After a member or element, a comma or the matching closing bracket was expected.
    #[error("expected a comma or the matching closing bracket")]
    ExpectedCommaOrClose,
    /// Something other than white space follows the JSON value.
    #[error("bytes after the end of the JSON value")]
    TrailingBytes,
    /// A literal that is neither `true`, `false` nor `null`.
    #[error("expected one of the literals true, false, null")]
    BadLiteral,
    /// A number that breaks RFC 8259, such as `01`, `1.` or `-`.
    #[error("malformed number")]
    BadNumber,
    /// An escape other than `\" \\ \/ \b \f \n \r \t \uXXXX`.
    #[error("unknown or malformed escape in a string")]
    BadEscape,
    /// A raw control character (below U+0020) in a string.
    #[error("raw control character in a string")]
    ControlCharacter,
    /// Bytes in a string that are not UTF-8.
    #[error("invalid UTF-8 in a string")]
    InvalidUtf8,
    /// The same key twice in one object. Receivers disagree on which one
    /// counts, so neither routing nor screening may pick.
    #[error("duplicate key in an object")]
    DuplicateKey,
    /// Arrays and objects are nested deeper than [`crate::Limits::max_depth`].
    #[error("arrays and objects nested too deeply")]
    TooDeep,
    /// The body is longer than [`crate::Limits::max_body_bytes`].
    #[error("body too large")]
    BodyTooLarge,
    /// The text to be screened is longer than [`crate::Limits::max_text_bytes`].
    #[error("too much text in the body")]
    TextTooLarge,
    /// More strings of text than [`crate::Limits::max_passages`].
    #[error("too many strings of text in the body")]
    TooManyPassages,
    /// A key is longer than [`crate::Limits::max_key_bytes`].
    #[error("object key too long")]
    KeyTooLong,
    /// An object has more keys than [`crate::Limits::max_object_keys`].
    #[error("too many keys in one object")]
    TooManyKeys,
    /// The value of `model` is longer than [`crate::Limits::max_model_bytes`].
    #[error("model name too long")]
    ModelTooLong,
    /// A JSON pointer that is empty, lacks the leading `/`, has a `~` that
    /// is not `~0` or `~1`, or is one too many.
    #[error("malformed JSON pointer")]
    BadPointer,
    /// An edit reaches past the end of the body.
    #[error("edit outside the body")]
    EditOutOfRange,
    /// Two edits touch the same bytes.
    #[error("edits overlap")]
    EditsOverlap,
    /// An encoded stream breaks the rules of its format or fails its checksum.
    #[error("malformed compressed data")]
    CorruptEncoding,
    /// An encoded stream ended too early.
    #[error("compressed data ends too early")]
    TruncatedEncoding,
    /// Bytes follow the end of an encoded stream.
    #[error("bytes after the end of the compressed data")]
    TrailingEncodedBytes,
    /// The stream asks for a larger decoder window than allowed, or for a
    /// preset dictionary.
    #[error("compressed data needs a window or dictionary that is not allowed")]
    UnsupportedEncoding,
    /// The decoded body is longer than allowed.
    #[error("decoded body too large")]
    DecodedTooLarge,
    /// The decoded body is too many times longer than the encoded one.
    #[error("compression ratio too high")]
    RatioTooHigh,
}

/// What the caller should do about an error; each [`ErrorKind`] has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorClass {
    /// The client sent something that is not acceptable JSON: status 400.
    Malformed,
    /// A cap was passed: status 413.
    TooLarge,
    /// The content coding is broken or not supported: status 415.
    Encoding,
    /// The caller of this crate made a mistake, such as overlapping edits.
    Caller,
}

impl ErrorKind {
    /// Groups the kind by what the caller should do.
    #[must_use]
    pub const fn class(self) -> ErrorClass {
        match self {
            Self::Empty
            | Self::Truncated
            | Self::ByteOrderMark
            | Self::NotAnObject
            | Self::ExpectedValue
            | Self::ExpectedKey
            | Self::ExpectedColon
            | Self::ExpectedCommaOrClose
            | Self::TrailingBytes
            | Self::BadLiteral
            | Self::BadNumber
            | Self::BadEscape
            | Self::ControlCharacter
            | Self::InvalidUtf8
            | Self::DuplicateKey
            | Self::TooDeep
            | Self::KeyTooLong
            | Self::TooManyKeys
            | Self::ModelTooLong => ErrorClass::Malformed,
            Self::BodyTooLarge
            | Self::TextTooLarge
            | Self::TooManyPassages
            | Self::DecodedTooLarge
            | Self::RatioTooHigh => ErrorClass::TooLarge,
            Self::CorruptEncoding
            | Self::TruncatedEncoding
            | Self::TrailingEncodedBytes
            | Self::UnsupportedEncoding => ErrorClass::Encoding,
            Self::BadPointer | Self::EditOutOfRange | Self::EditsOverlap => ErrorClass::Caller,
        }
    }
}
