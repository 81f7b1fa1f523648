//! Reads LLM request bodies as their chunks arrive: bytes in, passages of
//! text, facts and edits out.
//!
//! A screening filter must see all text that the model will see, must not
//! disagree with the server behind it about what a body says, and must not
//! hold a body up. So this crate has a scanner of its own instead of a JSON
//! library: it takes chunks cut anywhere, looks at each byte once, remembers
//! which raw bytes each piece of text came from, and holds text only, never
//! media. What receivers could read in two ways, such as duplicate keys, is
//! an error.
//!
//! ```
//! use body_stream::{Api, BodyReader, Limits, redact};
//!
//! let body = br#"{"model":"m","messages":[{"role":"user","content":"I am P\u0061t."}]}"#;
//! let mut reader = BodyReader::new(&Api::ChatCompletions, Limits::default());
//! for chunk in body.chunks(7) {
//!     reader.feed(chunk)?;
//! }
//! reader.finish()?;
//! let passage = &reader.passages()[0];
//! assert_eq!(passage.text, "I am Pat.");
//!
//! let edit = passage.edit(5..8, "[PERSON]").unwrap();
//! let redacted = redact(body, &[edit])?;
//! assert_eq!(
//!     redacted,
//!     br#"{"model":"m","messages":[{"role":"user","content":"I am [PERSON]."}]}"#
//! );
//! # Ok::<(), body_stream::Error>(())
//! ```
//!
//! # What is text
//!
//! The shapes of all known APIs are one table, so a body sent to another
//! API's path is screened alike. Inside messages and at the root every string
//! is text, unless its key is on a list of identifiers, settings and media;
//! and even such a string is text from its first character on that
//! identifiers, URLs and base64 do not have. Keys that are no plain
//! identifiers are text too. A tool call's arguments are read as JSON inside
//! a string, and each string in them is a passage. Not text: definitions of
//! tools and schemas (unless [`ToolDefinitions::Scan`]), the root's `user`,
//! `metadata`, `stop` and the like, numbers, and what [`Unscreenable`] lists.

#![forbid(unsafe_code)]

mod edit;
pub mod encoding;
mod error;
mod escapes;
mod facts;
mod keys;
mod limits;
mod offsets;
mod opaque;
#[cfg(any(test, feature = "oracle"))]
pub mod oracle;
mod passage;
mod place;
mod pointer;
mod reader;
mod scanner;
mod shape;

pub use edit::{Edit, Redactor, redact};
pub use error::{Error, ErrorClass, ErrorKind};
pub use facts::{Facts, Modalities, Unscreenable};
pub use limits::Limits;
pub use offsets::OffsetMap;
pub use passage::{Passage, PassageKind, Role};
pub use pointer::Pointers;
pub use reader::{Api, BodyReader};
pub use shape::ToolDefinitions;
