//! Gzip members (RFC 1952).

use super::deflate::Inflate;
use super::{MAX_MEMBERS, Meter, Sink};
use crate::error::{Error, ErrorKind};
use flate2::Crc;

const HEADER_CRC: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0xe0;

/// The part of a member that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The ten fixed bytes, of which this many have come.
    Fixed(usize),
    /// The two bytes of the extra field's length.
    ExtraLength(usize),
    /// This many bytes of the extra field are left.
    Extra(usize),
    Name,
    Comment,
    HeaderCrc(usize),
    Body,
    /// CRC and length, of which this many bytes have come.
    Trailer(usize),
}

pub(super) struct Gzip {
    part: Part,
    flags: u8,
    /// The number that is being read, its first byte lowest.
    number: u64,
    header_crc: Crc,
    stream: Inflate,
    crc: Crc,
    members: usize,
}

impl Gzip {
    pub(super) fn new() -> Self {
        Self {
            part: Part::Fixed(0),
            flags: 0,
            number: 0,
            header_crc: Crc::new(),
            stream: Inflate::new(false),
            crc: Crc::new(),
            members: 0,
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.members > 0 && self.part == Part::Fixed(0)
    }

    pub(super) fn decode(
        &mut self,
        block: &[u8],
        meter: &mut Meter,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let mut at = 0;
        while let Some(&byte) = block.get(at) {
            if self.part == Part::Body {
                let rest = block.get(at..).unwrap_or_default();
                let crc = &mut self.crc;
                at += self.stream.decode(rest, at, meter, &mut |piece, meter| {
                    crc.update(piece);
                    meter.emit(piece, sink)
                })?;
                if self.stream.is_complete() {
                    self.number = 0;
                    self.part = Part::Trailer(0);
                }
            } else {
                self.framing(byte).map_err(|kind| meter.error(kind, at))?;
                at += 1;
            }
        }
        Ok(())
    }

    /// Takes one byte of header or trailer.
    fn framing(&mut self, byte: u8) -> Result<(), ErrorKind> {
        if !matches!(self.part, Part::HeaderCrc(_) | Part::Trailer(_)) {
            self.header_crc.update(&[byte]);
        }
        match self.part {
            Part::Fixed(place) => {
                let is_right = match place {
                    0 => byte == 0x1f,
                    1 => byte == 0x8b,
                    2 => byte == 8,
                    3 => byte & RESERVED == 0,
                    _ => true,
                };
                if !is_right {
                    // After a member, whatever is not another is rubbish.
                    let is_later = self.members > 0 && place < 2;
                    return Err(match is_later {
                        true => ErrorKind::TrailingEncodedBytes,
                        false => ErrorKind::CorruptEncoding,
                    });
                }
                if place == 3 {
                    self.flags = byte;
                }
                self.part = Part::Fixed(place + 1);
                if place == 9 {
                    self.next_field();
                }
            }
            Part::ExtraLength(place) => {
                self.take(byte, place);
                self.part = Part::ExtraLength(place + 1);
                if place == 1 {
                    self.part = Part::Extra(usize::try_from(self.number).unwrap_or(0));
                    if self.number == 0 {
                        self.next_field();
                    }
                }
            }
            Part::Extra(left) => {
                self.part = Part::Extra(left - 1);
                if left == 1 {
                    self.next_field();
                }
            }
            Part::Name | Part::Comment => {
                if byte == 0 {
                    self.next_field();
                }
            }
            Part::HeaderCrc(place) => {
                self.take(byte, place);
                self.part = Part::HeaderCrc(place + 1);
                if place == 1 {
                    if self.number != u64::from(self.header_crc.sum() & 0xffff) {
                        return Err(ErrorKind::CorruptEncoding);
                    }
                    self.next_field();
                }
            }
            Part::Trailer(place) => {
                self.take(byte, place);
                self.part = Part::Trailer(place + 1);
                if place == 7 {
                    let expected = u64::from(self.crc.amount()) << 32 | u64::from(self.crc.sum());
                    if self.number != expected {
                        return Err(ErrorKind::CorruptEncoding);
                    }
                    self.next_member()?;
                }
            }
            Part::Body => {}
        }
        Ok(())
    }

    fn take(&mut self, byte: u8, place: usize) {
        self.number |= u64::from(byte) << (8 * place);
    }

    /// Goes on to the next field that the header has.
    fn next_field(&mut self) {
        self.number = 0;
        let fields = [
            (EXTRA, Part::ExtraLength(0)),
            (NAME, Part::Name),
            (COMMENT, Part::Comment),
            (HEADER_CRC, Part::HeaderCrc(0)),
        ];
        self.part = Part::Body;
        for (flag, part) in fields {
            if self.flags & flag != 0 {
                self.flags &= !flag;
                self.part = part;
                return;
            }
        }
    }

    fn next_member(&mut self) -> Result<(), ErrorKind> {
        self.members += 1;
        if self.members >= MAX_MEMBERS {
            return Err(ErrorKind::UnsupportedEncoding);
        }
        self.stream.reset();
        self.crc.reset();
        self.header_crc.reset();
        self.part = Part::Fixed(0);
        Ok(())
    }
}
