//! Reading text the way a model reads it, and finding structured personal data and secrets in it.
//!
//! Two passes run over a passage while it still arrives. The [`Normaliser`] undoes what hides words from a classifier (look-alike
//! letters, invisible characters, encodings) and keeps the way back to the original bytes; nothing that it makes is ever forwarded.
//! The [`Scanner`] then reports e-mail addresses, card numbers, keys and the like with exact byte ranges.
//!
//! Both look only at the few positions that a vectorised classification of 64-byte blocks points out, and verify them by small
//! hand-written matchers with bounded look-around, so the cost is linear in the text for any input. Regular expressions were the
//! alternative: they cost a second automaton pass per rule or a large combined one, and cannot check digits or contexts anyway.
//!
//! ```
//! use recognise::{Entity, Normaliser, Recogniser, Scanner};
//!
//! let original = "write to p\u{200b}at.doe@example.com";
//! let mut normaliser = Normaliser::new();
//! normaliser.advance(original, true);
//! let text = normaliser.text(original);
//! assert_eq!(text, "write to pat.doe@example.com");
//!
//! let mut scanner = Scanner::new();
//! scanner.advance(&Recogniser::default(), text, true);
//! let hit = &scanner.hits()[0];
//! assert_eq!(hit.entity, Entity::EmailAddress);
//! assert_eq!(&original[normaliser.original_range(hit.range.clone())], "p\u{200b}at.doe@example.com");
//! ```
#![forbid(unsafe_code)]

mod block;
mod bytes;
mod config;
mod entity;
mod lanes;
mod normalise;
#[cfg(feature = "oracle")]
pub mod oracle;
mod scan;

pub use config::{
    Allow, Config, ConfigError, MAX_ALLOW_PATTERN_BYTES, MAX_ALLOW_RULES, Recogniser,
};
pub use entity::{Entity, EntitySet, Hit};
pub use normalise::{Changes, Normaliser};
pub use scan::{Scanner, recognise};
