//! Deflate streams, bare or in zlib's wrapper.

use super::{MAX_PIECE_BYTES, Meter, Sink};
use crate::error::{Error, ErrorKind};
use flate2::{Decompress, FlushDecompress, Status};

/// As [`Sink`], for a caller that counts as well.
type Emit<'a> = dyn FnMut(&[u8], &mut Meter) -> Result<(), Error> + 'a;

/// One raw or zlib stream.
pub(super) struct Inflate {
    state: Decompress,
    output: Vec<u8>,
    is_complete: bool,
}

impl Inflate {
    pub(super) fn new(has_zlib_header: bool) -> Self {
        Self {
            state: Decompress::new(has_zlib_header),
            output: vec![0; MAX_PIECE_BYTES],
            is_complete: false,
        }
    }

    pub(super) const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Starts another stream in the same buffers.
    pub(super) fn reset(&mut self) {
        self.state.reset(false);
        self.is_complete = false;
    }

    /// Decodes until the stream or `input` ends; returns how many bytes of `input` it took.
    /// `at` is where in the current block `input` starts.
    pub(super) fn decode(
        &mut self,
        input: &[u8],
        at: usize,
        meter: &mut Meter,
        emit: &mut Emit<'_>,
    ) -> Result<usize, Error> {
        let start = self.state.total_in();
        let mut taken = 0;
        loop {
            let rest = input.get(taken..).unwrap_or_default();
            let (before_in, before_out) = (self.state.total_in(), self.state.total_out());
            let status = self
                .state
                .decompress(rest, &mut self.output, FlushDecompress::None)
                .map_err(|_| meter.error(ErrorKind::CorruptEncoding, at + taken))?;
            let written = usize::try_from(self.state.total_out() - before_out).unwrap_or(0);
            let is_stuck = self.state.total_in() == before_in && written == 0;
            taken = usize::try_from(self.state.total_in() - start).unwrap_or(0);
            emit(self.output.get(..written).unwrap_or_default(), meter)?;
            match status {
                Status::StreamEnd => {
                    self.is_complete = true;
                    return Ok(taken);
                }
                Status::Ok | Status::BufError => {
                    // A full output buffer may leave more to hand out.
                    if taken >= input.len() && written < self.output.len() {
                        return Ok(taken);
                    }
                    if is_stuck {
                        return Err(meter.error(ErrorKind::CorruptEncoding, at + taken));
                    }
                }
            }
        }
    }
}

/// The `deflate` content coding.
pub(super) struct Deflate {
    /// `None` until the first two bytes have told the wrapper.
    stream: Option<Inflate>,
    first: Option<u8>,
}

impl Deflate {
    pub(super) const fn new() -> Self {
        Self { stream: None, first: None }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.stream.as_ref().is_some_and(Inflate::is_complete)
    }

    pub(super) fn decode(
        &mut self,
        block: &[u8],
        meter: &mut Meter,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let mut emit = |piece: &[u8], meter: &mut Meter| meter.emit(piece, sink);
        let stream = match (&mut self.stream, self.first, block) {
            (Some(stream), ..) => stream,
            (_, None, &[first]) => {
                self.first = Some(first);
                return Ok(());
            }
            (_, None, &[first, second, ..]) => {
                self.stream.insert(Inflate::new(is_zlib_header(first, second)))
            }
            (_, Some(first), &[second, ..]) => {
                let stream = self.stream.insert(Inflate::new(is_zlib_header(first, second)));
                stream.decode(&[first], 0, meter, &mut emit)?;
                stream
            }
            (_, _, []) => return Ok(()),
        };
        let taken = match stream.is_complete() {
            true => 0,
            false => stream.decode(block, 0, meter, &mut emit)?,
        };
        if taken < block.len() {
            return Err(meter.error(ErrorKind::TrailingEncodedBytes, taken));
        }
        Ok(())
    }
}

/// RFC 1950, section 2.2: method 8, a window of at most 32 KiB, and a check
/// that makes the two bytes a multiple of 31.
const fn is_zlib_header(cmf: u8, flg: u8) -> bool {
    cmf & 0x0f == 8 && cmf >> 4 <= 7 && u16::from_be_bytes([cmf, flg]).is_multiple_of(31)
}
