//! Zstandard frames (RFC 8878).
//!
//! The framing is read here and blocks are given to `ruzstd` one at a time:
//! what one block can decode to is bounded (128 KiB), what a chunk full of
//! blocks can is not.

use super::{MAX_MEMBERS, MAX_PIECE_BYTES, Meter, Sink};
use crate::error::{Error, ErrorKind};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::Read as _;

/// RFC 9659: a window of up to 8 MB must do for the `zstd` content coding.
const MAX_WINDOW_BYTES: u64 = 8 << 20;

/// RFC 8878, section 3.1.1.2.4.
const MAX_BLOCK_BYTES: usize = 128 << 10;

const MAGIC: u32 = 0xfd2f_b528;

/// A skippable frame has one of the sixteen numbers from this one on.
const SKIPPABLE: u32 = 0x184d_2a50;

/// The part that comes next. Its bytes are gathered up to a known length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Magic,
    Descriptor,
    /// The rest of the frame header.
    Header,
    BlockHeader,
    /// A block's content, and the checksum if the frame has one and the block is the last.
    Block {
        is_last: bool,
    },
    SkippableLength,
    /// This many bytes of a skippable frame are left.
    Skippable(u64),
}

pub(super) struct Zstd {
    part: Part,
    gathered: Vec<u8>,
    /// Length at which `gathered` holds the whole part.
    needed: usize,
    decoder: FrameDecoder,
    output: Vec<u8>,
    has_checksum: bool,
    /// The frame's length, if its header tells.
    content_bytes: Option<u64>,
    /// Decoded bytes of the current frame.
    decoded: u64,
    /// Frames so far, skippable ones included.
    frames: usize,
    has_content: bool,
}

impl Zstd {
    pub(super) fn new() -> Self {
        Self {
            part: Part::Magic,
            gathered: Vec::new(),
            needed: 4,
            decoder: FrameDecoder::new(),
            output: vec![0; MAX_PIECE_BYTES],
            has_checksum: false,
            content_bytes: None,
            decoded: 0,
            frames: 0,
            has_content: false,
        }
    }

    /// Bytes held, about: a decoder keeps a window of what it has decoded, in a ring that doubles as it fills, and one block.
    pub(super) fn held_bytes(&self) -> usize {
        let window = usize::try_from(self.decoded.min(MAX_WINDOW_BYTES)).unwrap_or(usize::MAX);
        self.gathered.capacity() + 2 * MAX_BLOCK_BYTES + window.next_power_of_two()
    }

    pub(super) fn is_complete(&self) -> bool {
        self.has_content && self.part == Part::Magic && self.gathered.is_empty()
    }

    pub(super) fn decode(
        &mut self,
        block: &[u8],
        meter: &mut Meter,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let mut rest = block;
        // A part may need no bytes at all, such as an empty last block.
        while !rest.is_empty() || self.is_gathered() {
            if let Part::Skippable(left) = self.part {
                let taken = rest.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                rest = rest.get(taken..).unwrap_or_default();
                let left = left - taken as u64;
                self.part = Part::Skippable(left);
                if left == 0 {
                    self.await_part(Part::Magic, 4);
                }
                continue;
            }
            let missing = self.needed.saturating_sub(self.gathered.len());
            let (part, after) = rest.split_at_checked(missing).unwrap_or((rest, &[]));
            self.gathered.extend_from_slice(part);
            rest = after;
            if self.is_gathered() {
                let at = block.len() - rest.len();
                self.take_part(at, meter, sink)?;
            }
        }
        Ok(())
    }

    fn is_gathered(&self) -> bool {
        !matches!(self.part, Part::Skippable(_)) && self.gathered.len() >= self.needed
    }

    fn await_part(&mut self, part: Part, needed: usize) {
        self.part = part;
        self.needed = needed;
        self.gathered.clear();
    }

    fn take_part(
        &mut self,
        at: usize,
        meter: &mut Meter,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        match self.part {
            Part::Magic => self.magic().map_err(|kind| meter.error(kind, at)),
            Part::Descriptor => {
                self.descriptor();
                Ok(())
            }
            Part::Header => self.header().map_err(|kind| meter.error(kind, at)),
            Part::BlockHeader => self.block_header().map_err(|kind| meter.error(kind, at)),
            Part::Block { is_last } => self.block(is_last, at, meter, sink),
            Part::SkippableLength => {
                let length = number(&self.gathered);
                self.await_part(Part::Skippable(length), 0);
                if length == 0 {
                    self.await_part(Part::Magic, 4);
                }
                Ok(())
            }
            Part::Skippable(_) => Ok(()),
        }
    }

    fn magic(&mut self) -> Result<(), ErrorKind> {
        self.frames += 1;
        if self.frames > MAX_MEMBERS {
            return Err(ErrorKind::UnsupportedEncoding);
        }
        let magic = number(&self.gathered);
        if magic == u64::from(MAGIC) {
            // The header is given to the decoder in one piece, so it is kept.
            self.part = Part::Descriptor;
            self.needed = 5;
        } else if magic & !0xf == u64::from(SKIPPABLE) {
            self.await_part(Part::SkippableLength, 4);
        } else if self.has_content {
            return Err(ErrorKind::TrailingEncodedBytes);
        } else {
            return Err(ErrorKind::CorruptEncoding);
        }
        Ok(())
    }

    /// RFC 8878, section 3.1.1.1.1: what the header's fields are.
    fn descriptor(&mut self) {
        let descriptor = self.gathered.last().copied().unwrap_or_default();
        self.has_checksum = descriptor & 1 << 2 != 0;
        let (window, _, content) = field_bytes(descriptor);
        let dictionary = [0, 1, 2, 4].get(usize::from(descriptor & 3)).copied().unwrap_or(0);
        self.part = Part::Header;
        self.needed = 5 + window + dictionary + content;
    }

    fn header(&mut self) -> Result<(), ErrorKind> {
        let descriptor = self.gathered.get(4).copied().unwrap_or_default();
        let (_, base, content) = field_bytes(descriptor);
        if descriptor & 1 << 3 != 0 {
            return Err(ErrorKind::CorruptEncoding);
        }
        if descriptor & 3 != 0 {
            return Err(ErrorKind::UnsupportedEncoding);
        }
        let length = self.gathered.get(self.needed - content..).unwrap_or_default();
        self.content_bytes = (content > 0).then(|| number(length) + base);
        self.decoded = 0;
        // A new decoder allocates with what it decodes; a reset one reserves a whole window.
        self.decoder = FrameDecoder::new();
        self.decoder.set_max_window_size(MAX_WINDOW_BYTES);
        self.decoder.reset(self.gathered.as_slice()).map_err(|_| ErrorKind::UnsupportedEncoding)?;
        self.await_part(Part::BlockHeader, 3);
        Ok(())
    }

    fn block_header(&mut self) -> Result<(), ErrorKind> {
        let header = number(&self.gathered);
        let is_last = header & 1 != 0;
        let size = usize::try_from(header >> 3).unwrap_or(usize::MAX);
        let content = match header >> 1 & 3 {
            // A run of one byte.
            1 => 1,
            0 | 2 => size,
            _ => return Err(ErrorKind::CorruptEncoding),
        };
        if size > MAX_BLOCK_BYTES {
            return Err(ErrorKind::CorruptEncoding);
        }
        let checksum = if is_last && self.has_checksum { 4 } else { 0 };
        self.part = Part::Block { is_last };
        self.needed = 3 + content + checksum;
        Ok(())
    }

    fn block(
        &mut self,
        is_last: bool,
        at: usize,
        meter: &mut Meter,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let corrupt = meter.error(ErrorKind::CorruptEncoding, at);
        self.decoder
            .decode_blocks(self.gathered.as_slice(), BlockDecodingStrategy::UptoBlocks(1))
            .map_err(|_| corrupt)?;
        loop {
            let written = self.decoder.read(&mut self.output).map_err(|_| corrupt)?;
            if written == 0 {
                break;
            }
            self.decoded += written as u64;
            meter.emit(self.output.get(..written).unwrap_or_default(), sink)?;
        }
        if !is_last {
            self.await_part(Part::BlockHeader, 3);
            return Ok(());
        }
        let is_whole = self.content_bytes.is_none_or(|bytes| bytes == self.decoded);
        let sum = self.decoder.get_calculated_checksum();
        if !is_whole || self.has_checksum && self.decoder.get_checksum_from_data() != sum {
            return Err(corrupt);
        }
        self.has_content = true;
        self.await_part(Part::Magic, 4);
        Ok(())
    }
}

/// Bytes of the window descriptor, what to add to the content size, and the
/// content size's bytes.
const fn field_bytes(descriptor: u8) -> (usize, u64, usize) {
    let is_single_segment = descriptor & 1 << 5 != 0;
    let (base, content) = match descriptor >> 6 {
        0 if is_single_segment => (0, 1),
        0 => (0, 0),
        1 => (256, 2),
        2 => (0, 4),
        _ => (0, 8),
    };
    (if is_single_segment { 0 } else { 1 }, base, content)
}

/// A little-endian number of at most eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
