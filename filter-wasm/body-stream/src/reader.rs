//! The reader of one body: chunks in, passages and facts out.

use crate::error::{Error, ErrorKind};
use crate::facts::Facts;
use crate::limits::Limits;
use crate::passage::Passage;
use crate::pointer::Pointers;
use crate::scanner::{Root, Scanner};
use crate::shape::{Shape, ToolDefinitions, read};

/// Which body shape is read.
///
/// The known APIs share one table of shapes (see the crate's documentation);
/// the name of the API is kept because error bodies differ by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Api {
    /// OpenAI chat completions.
    ChatCompletions,
    /// OpenAI Responses.
    Responses,
    /// OpenAI completions.
    Completions,
    /// OpenAI embeddings.
    Embeddings,
    /// Anthropic Messages.
    Messages,
    /// Any JSON body, in which pointers name the text.
    Pointers(Pointers),
}

/// Reads one body as its chunks arrive.
#[derive(Debug)]
pub struct BodyReader {
    scanner: Scanner,
    shape: Shape,
    max_body_bytes: usize,
    bytes_read: usize,
    failed: Option<Error>,
}

impl BodyReader {
    /// A reader at the start of a body.
    #[must_use]
    pub fn new(api: &Api, limits: Limits) -> Self {
        let (root, shape) = match api {
            Api::ChatCompletions
            | Api::Responses
            | Api::Completions
            | Api::Embeddings
            | Api::Messages => (Root::Object, Shape::of_body(limits)),
            Api::Pointers(pointers) => (Root::Any, Shape::of_pointers(pointers.clone(), limits)),
        };
        Self {
            scanner: Scanner::new(root, limits.max_depth),
            shape,
            // Offsets within a string are kept in 32 bits.
            max_body_bytes: limits.max_body_bytes.min(u32::MAX as usize),
            bytes_read: 0,
            failed: None,
        }
    }

    /// Sets whether strings in tool and schema definitions are text.
    #[must_use]
    pub const fn with_tool_definitions(mut self, definitions: ToolDefinitions) -> Self {
        self.shape.scan_definitions(definitions);
        self
    }

    /// Takes in the next bytes of the body.
    ///
    /// Chunk boundaries carry no meaning: they may fall inside an escape, a
    /// surrogate pair, a character, a number or a literal, and chunks may be
    /// empty. Each byte is looked at once.
    ///
    /// # Errors
    ///
    /// The first fault or passed cap, with its offset; the reader stays
    /// failed with that error afterwards.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<(), Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let room = self.max_body_bytes - self.bytes_read;
        let allowed = chunk.get(..room).unwrap_or(chunk);
        let read = read(&mut self.scanner, &mut self.shape, allowed, self.bytes_read);
        self.bytes_read += allowed.len();
        let read = read.and_then(|()| match allowed.len() == chunk.len() {
            true => Ok(()),
            false => {
                let max = self.max_body_bytes;
                Err(Error::over(ErrorKind::BodyTooLarge, max, max))
            }
        });
        read.inspect_err(|error| self.failed = Some(*error))
    }

    /// Checks, at the end of the body, that it is complete.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Empty`], [`ErrorKind::Truncated`], or the error that
    /// [`BodyReader::feed`] has returned before.
    pub fn finish(&mut self) -> Result<(), Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.scanner.finish(self.bytes_read).inspect_err(|error| self.failed = Some(*error))
    }

    /// The passages so far, in the order in which they end in the body. At
    /// most the last one is incomplete, and only that one still grows.
    ///
    /// Role and kind of the open message's passages may still be settled (see
    /// [`Passage`]). Strings in a tool call's arguments appear when the
    /// string around them ends.
    #[must_use]
    pub fn passages(&self) -> &[Passage] {
        self.shape.passages()
    }

    /// What the body says besides its text, so far.
    #[must_use]
    pub const fn facts(&self) -> &Facts {
        self.shape.facts()
    }

    /// Bytes of text in all passages.
    #[must_use]
    pub const fn text_bytes(&self) -> usize {
        self.shape.text_bytes()
    }

    /// Bytes of memory held besides the [passages](Passage::held_bytes): strings that may become passages and what
    /// several of them share.
    #[must_use]
    pub fn other_held_bytes(&self) -> usize {
        self.shape.other_held_bytes()
    }

    /// Bytes of the body taken in so far.
    #[must_use]
    pub const fn bytes_read(&self) -> usize {
        self.bytes_read
    }
}
