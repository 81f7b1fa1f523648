//! Decodes compressed bodies within caps, as their chunks arrive.
//!
//! The decoded bytes are handed to a sink in pieces of at most 16 KiB and are
//! held nowhere, so a bomb costs the decoder's window (32 KiB for gzip and
//! deflate, at most 8 MiB for zstd and 16 MiB for br) and ends at a cap.
//!
//! Decided here, because decoders differ: several gzip members or zstd frames
//! in a row are one body; any other bytes after the end, a missing end and a
//! failed checksum are errors; `deflate` is a zlib stream, or a raw one if
//! the first two bytes are no zlib header; preset dictionaries are refused.

mod deflate;
mod gzip;
mod zstd;

use crate::error::{Error, ErrorKind};
use brotli_decompressor::{
    BrotliDecompressStream, BrotliResult, BrotliState, SliceWrapper as _, StandardAlloc,
};
use core::fmt;
use deflate::Deflate;
use gzip::Gzip;
use zstd::Zstd;

/// Longest piece handed to the sink, in bytes.
const MAX_PIECE_BYTES: usize = 16 << 10;

/// Input is decoded in blocks that end at multiples of this offset, and the
/// ratio is taken over whole blocks: so the outcome does not depend on the chunks.
const BLOCK_BYTES: usize = 4096;

/// Most gzip members or zstd frames in one body.
const MAX_MEMBERS: usize = 256;

/// Prefix codes and context maps of `brotli_decompressor`, about.
const BROTLI_TABLES_BYTES: usize = 64 << 10;

/// A content coding that is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `gzip` or `x-gzip` (RFC 1952).
    Gzip,
    /// `deflate` (RFC 1950, or RFC 1951 as some clients send it).
    Deflate,
    /// `zstd` (RFC 8878) with a window of at most 8 MiB (RFC 9659).
    Zstd,
    /// `br` (RFC 7932).
    Brotli,
}

impl Encoding {
    /// Reads the value of a `content-encoding` header. `None` means that the
    /// body is not encoded: the value is empty or `identity`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnsupportedEncoding`] for a coding that is not decoded here and
    /// for more than one coding; the offset is that of the coding in the value.
    pub fn parse(value: &str) -> Result<Option<Self>, Error> {
        let mut found = None;
        let mut at = 0;
        for coding in value.split(',') {
            let start = at + (coding.len() - coding.trim_start().len());
            at += coding.len() + 1;
            let coding = match coding.trim().to_ascii_lowercase().as_str() {
                "" | "identity" => continue,
                "gzip" | "x-gzip" => Self::Gzip,
                "deflate" => Self::Deflate,
                "zstd" => Self::Zstd,
                "br" => Self::Brotli,
                _ => return Err(Error::new(ErrorKind::UnsupportedEncoding, start)),
            };
            if found.replace(coding).is_some() {
                return Err(Error::new(ErrorKind::UnsupportedEncoding, start));
            }
        }
        Ok(found)
    }
}

/// Caps on what decoding one body may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Bytes of the decoded body.
    pub max_decoded_bytes: usize,
    /// Decoded bytes for each encoded byte, once `ratio_free_bytes` are passed.
    pub max_ratio: usize,
    /// Decoded bytes for which the ratio does not count: short bodies of
    /// repeated text compress well.
    pub ratio_free_bytes: usize,
}

impl Default for Caps {
    /// 64 MiB; 200 to 1 beyond 1 MiB. JSON with prose has a ratio of 3 to 20.
    fn default() -> Self {
        Self { max_decoded_bytes: 64 << 20, max_ratio: 200, ratio_free_bytes: 1 << 20 }
    }
}

/// Where decoded bytes go.
pub type Sink<'a> = dyn FnMut(&[u8]) -> Result<(), Error> + 'a;

/// Decodes one body.
pub struct Decoder {
    format: Format,
    meter: Meter,
    failed: Option<Error>,
}

enum Format {
    Gzip(Gzip),
    Deflate(Deflate),
    Zstd(Box<Zstd>),
    Brotli(Box<Brotli>),
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = match self.format {
            Format::Gzip(_) => "gzip",
            Format::Deflate(_) => "deflate",
            Format::Zstd(_) => "zstd",
            Format::Brotli(_) => "br",
        };
        f.debug_struct("Decoder")
            .field("format", &format)
            .field("meter", &self.meter)
            .field("failed", &self.failed)
            .finish()
    }
}

impl Decoder {
    /// A decoder at the start of a body.
    #[must_use]
    pub fn new(encoding: Encoding, caps: Caps) -> Self {
        let format = match encoding {
            Encoding::Gzip => Format::Gzip(Gzip::new()),
            Encoding::Deflate => Format::Deflate(Deflate::new()),
            Encoding::Zstd => Format::Zstd(Box::new(Zstd::new())),
            Encoding::Brotli => Format::Brotli(Box::new(Brotli::new())),
        };
        Self { format, meter: Meter { caps, encoded: 0, decoded: 0 }, failed: None }
    }

    /// Decodes the next bytes of the body and hands what they give to `sink`.
    ///
    /// # Errors
    ///
    /// A fault in the data, a passed cap, or the sink's own error; the
    /// decoder stays failed with it.
    pub fn decode(&mut self, chunk: &[u8], sink: &mut Sink<'_>) -> Result<(), Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let mut rest = chunk;
        let mut result = Ok(());
        while let (false, Ok(())) = (rest.is_empty(), &result) {
            let room = BLOCK_BYTES - self.meter.encoded % BLOCK_BYTES;
            let (block, after) = rest.split_at_checked(room).unwrap_or((rest, &[]));
            rest = after;
            result = match &mut self.format {
                Format::Gzip(gzip) => gzip.decode(block, &mut self.meter, sink),
                Format::Deflate(deflate) => deflate.decode(block, &mut self.meter, sink),
                Format::Zstd(zstd) => zstd.decode(block, &mut self.meter, sink),
                Format::Brotli(brotli) => brotli.decode(block, &mut self.meter, sink),
            };
            self.meter.encoded += block.len();
        }
        result.inspect_err(|error| self.failed = Some(*error))
    }

    /// Checks, at the end of the body, that the encoded stream is complete.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::TruncatedEncoding`], or an error that has occurred before.
    pub fn finish(&mut self) -> Result<(), Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let is_complete = match &self.format {
            Format::Gzip(gzip) => gzip.is_complete(),
            Format::Deflate(deflate) => deflate.is_complete(),
            Format::Zstd(zstd) => zstd.is_complete(),
            Format::Brotli(brotli) => brotli.is_complete,
        };
        if is_complete {
            return Ok(());
        }
        let error = Error::new(ErrorKind::TruncatedEncoding, self.meter.encoded);
        self.failed = Some(error);
        Err(error)
    }

    /// Bytes of memory held: the window of what was decoded last, and fixed tables.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        match &self.format {
            // The window and tables of `miniz_oxide`.
            Format::Gzip(_) | Format::Deflate(_) => MAX_PIECE_BYTES + (48 << 10),
            Format::Zstd(zstd) => MAX_PIECE_BYTES + zstd.held_bytes(),
            Format::Brotli(brotli) => {
                MAX_PIECE_BYTES + brotli.state.ringbuffer.slice().len() + BROTLI_TABLES_BYTES
            }
        }
    }

    /// Bytes of the decoded body so far.
    #[must_use]
    pub const fn decoded_bytes(&self) -> usize {
        self.meter.decoded
    }
}

/// Counts bytes and holds them against the caps.
#[derive(Debug)]
struct Meter {
    caps: Caps,
    /// Encoded bytes before the current block.
    encoded: usize,
    decoded: usize,
}

impl Meter {
    /// Counts decoded bytes and hands them on.
    fn emit(&mut self, piece: &[u8], sink: &mut Sink<'_>) -> Result<(), Error> {
        if piece.is_empty() {
            return Ok(());
        }
        self.decoded = self.decoded.saturating_add(piece.len());
        if self.decoded > self.caps.max_decoded_bytes {
            let max = self.caps.max_decoded_bytes;
            return Err(Error::over(ErrorKind::DecodedTooLarge, self.encoded, max));
        }
        let blocks = self.encoded / BLOCK_BYTES + 1;
        let fair = self.caps.max_ratio.saturating_mul(blocks.saturating_mul(BLOCK_BYTES));
        if self.decoded > fair.max(self.caps.ratio_free_bytes) {
            return Err(Error::over(ErrorKind::RatioTooHigh, self.encoded, self.caps.max_ratio));
        }
        sink(piece)
    }

    /// An error `at` bytes into the current block.
    const fn error(&self, kind: ErrorKind, at: usize) -> Error {
        Error::new(kind, self.encoded + at)
    }
}

type BrotliDecoder = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

struct Brotli {
    state: BrotliDecoder,
    output: Vec<u8>,
    is_complete: bool,
}

impl Brotli {
    fn new() -> Self {
        let alloc = StandardAlloc::default;
        // Strict: no windows beyond RFC 7932's 16 MiB.
        let state = BrotliState::new_strict(alloc(), alloc(), alloc());
        Self { state, output: vec![0; MAX_PIECE_BYTES], is_complete: false }
    }

    fn decode(
        &mut self,
        block: &[u8],
        meter: &mut Meter,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        if self.is_complete {
            return Err(meter.error(ErrorKind::TrailingEncodedBytes, 0));
        }
        let (mut left, mut at) = (block.len(), 0);
        loop {
            let (mut room, mut written, mut total) = (self.output.len(), 0, 0);
            let result = BrotliDecompressStream(
                &mut left,
                &mut at,
                block,
                &mut room,
                &mut written,
                &mut self.output,
                &mut total,
                &mut self.state,
            );
            meter.emit(self.output.get(..written).unwrap_or_default(), sink)?;
            match result {
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::NeedsMoreInput => return Ok(()),
                BrotliResult::ResultFailure => {
                    return Err(meter.error(ErrorKind::CorruptEncoding, at));
                }
                BrotliResult::ResultSuccess => {
                    self.is_complete = true;
                    if at < block.len() {
                        return Err(meter.error(ErrorKind::TrailingEncodedBytes, at));
                    }
                    return Ok(());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
