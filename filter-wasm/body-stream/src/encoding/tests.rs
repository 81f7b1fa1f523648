use super::*;
use crate::oracle;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::io::Write as _;

const ALL: [Encoding; 4] = [Encoding::Gzip, Encoding::Deflate, Encoding::Zstd, Encoding::Brotli];

fn lines() -> Vec<u8> {
    (0..120)
        .fold(String::new(), |mut text, n| {
            let line =
                r#"{"role":"user","content":"line N of a body that is sent compressed, café"},"#;
            let _ = text.write_str(&line.replace('N', &n.to_string()));
            text
        })
        .into_bytes()
}

fn decode(encoding: Encoding, data: &[u8], step: usize, caps: Caps) -> Result<Vec<u8>, Error> {
    let mut decoder = Decoder::new(encoding, caps);
    let mut out = Vec::new();
    for chunk in data.chunks(step.max(1)) {
        decoder.decode(chunk, &mut |piece| {
            assert!(piece.len() <= MAX_PIECE_BYTES);
            out.extend_from_slice(piece);
            Ok(())
        })?;
    }
    decoder.finish()?;
    assert_eq!(decoder.decoded_bytes(), out.len());
    Ok(out)
}

fn whole(encoding: Encoding, data: &[u8]) -> Result<Vec<u8>, ErrorKind> {
    decode(encoding, data, data.len(), Caps::default()).map_err(|error| error.kind())
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zlib(text: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn raw_deflate(text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

/// The same text in each coding.
fn encoded() -> Vec<(Encoding, Vec<u8>)> {
    vec![
        (Encoding::Gzip, gzip(&lines())),
        (Encoding::Deflate, zlib(&lines())),
        (Encoding::Deflate, raw_deflate(&lines())),
        (Encoding::Zstd, zstd(&lines())),
        (Encoding::Zstd, include_bytes!("../../tests/data/lines.checksum.zst").to_vec()),
        (Encoding::Zstd, include_bytes!("../../tests/data/lines.stream.zst").to_vec()),
        (Encoding::Brotli, include_bytes!("../../tests/data/lines.br").to_vec()),
    ]
}

#[test]
fn each_coding_decodes_in_any_pieces() {
    for (encoding, data) in encoded() {
        for step in [1, 2, 7, 100, data.len()] {
            let got = decode(encoding, &data, step, Caps::default());
            assert!(got == Ok(lines()), "{encoding:?} in pieces of {step}");
        }
    }
}

#[test]
fn a_stream_without_its_end_is_an_error_at_every_length() {
    for (encoding, data) in encoded() {
        for end in 0..data.len() {
            let got = whole(encoding, &data[..end]).map(|out| out.len());
            assert_eq!(got, Err(ErrorKind::TruncatedEncoding), "{encoding:?} cut at {end}");
        }
    }
}

#[test]
fn bytes_after_the_end_are_an_error() {
    for (encoding, mut data) in encoded() {
        data.extend(b"more bytes");
        for step in [1, data.len()] {
            let got = decode(encoding, &data, step, Caps::default()).map(|out| out.len());
            let kind = got.map_err(|error| error.kind());
            assert_eq!(kind, Err(ErrorKind::TrailingEncodedBytes), "{encoding:?}");
        }
    }
}

#[test]
fn a_flipped_bit_never_changes_the_text_in_silence_where_there_is_a_checksum() {
    let zstd = include_bytes!("../../tests/data/lines.checksum.zst").to_vec();
    for (encoding, data) in [
        (Encoding::Gzip, gzip(&lines())),
        (Encoding::Deflate, zlib(&lines())),
        (Encoding::Zstd, zstd),
    ] {
        for at in 0..data.len() {
            let mut data = data.clone();
            data[at] ^= 1 << (at % 8);
            // Header fields without meaning, and padding, may change.
            let got = whole(encoding, &data);
            assert!(got.is_err() || got == Ok(lines()), "{encoding:?} flipped at {at}");
        }
    }
}

#[test]
fn members_and_frames_in_a_row_are_one_body() {
    let twice = [lines(), lines()].concat();
    let data = [gzip(&lines()), gzip(&lines())].concat();
    assert_eq!(whole(Encoding::Gzip, &data), Ok(twice.clone()));
    let skippable = [0x5e, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9];
    let data = [zstd(&lines()), skippable.to_vec(), zstd(&lines())].concat();
    for step in [1, data.len()] {
        assert_eq!(decode(Encoding::Zstd, &data, step, Caps::default()), Ok(twice.clone()));
    }
    assert_eq!(whole(Encoding::Zstd, &skippable), Err(ErrorKind::TruncatedEncoding));
}

#[test]
fn there_is_a_cap_on_members() {
    let gzips = gzip(b"").repeat(MAX_MEMBERS + 1);
    assert_eq!(whole(Encoding::Gzip, &gzips), Err(ErrorKind::UnsupportedEncoding));
    let frames = zstd(b"").repeat(MAX_MEMBERS + 1);
    assert_eq!(whole(Encoding::Zstd, &frames), Err(ErrorKind::UnsupportedEncoding));
}

#[test]
fn all_fields_of_a_gzip_header_are_passed_over() {
    let plain = gzip(&lines());
    let mut data = plain[..10].to_vec();
    data[3] = HEADER_FLAGS;
    data.extend(b"\x03\0abc");
    data.extend(b"name\0comment\0");
    let mut crc = flate2::Crc::new();
    crc.update(&data);
    data.extend(&crc.sum().to_le_bytes()[..2]);
    data.extend(&plain[10..]);
    for step in [1, data.len()] {
        assert_eq!(decode(Encoding::Gzip, &data, step, Caps::default()), Ok(lines()));
    }
    data[12] = b'x';
    assert_eq!(whole(Encoding::Gzip, &data), Err(ErrorKind::CorruptEncoding));
    let mut data = plain;
    data[3] = 0x20;
    assert_eq!(whole(Encoding::Gzip, &data), Err(ErrorKind::CorruptEncoding));
}

/// Header CRC, extra field, name and comment.
const HEADER_FLAGS: u8 = 0b1_1110;

#[test]
fn a_window_or_dictionary_beyond_the_rules_is_refused() {
    let data = include_bytes!("../../tests/data/lines.window-16m.zst");
    assert_eq!(whole(Encoding::Zstd, data), Err(ErrorKind::UnsupportedEncoding));
    let dictionary = [0x28, 0xb5, 0x2f, 0xfd, 0x01, 0x58, 0x07, 1, 0, 0];
    assert_eq!(whole(Encoding::Zstd, &dictionary), Err(ErrorKind::UnsupportedEncoding));
    // FDICT set in a zlib header: not taken for a raw stream either.
    assert!(whole(Encoding::Deflate, &[0x78, 0xbb, 1, 2, 3, 4, 5, 6]).is_err());
}

#[test]
fn a_bomb_ends_at_the_ratio_or_at_the_size() {
    let zeros = vec![b'a'; 8 << 20];
    let bombs = [
        (Encoding::Gzip, gzip(&zeros)),
        (Encoding::Deflate, zlib(&zeros)),
        (Encoding::Zstd, zstd_bomb()),
        (Encoding::Brotli, include_bytes!("../../tests/data/bomb-100m.br").to_vec()),
    ];
    for (encoding, data) in bombs {
        for step in [1, 1000, data.len()] {
            let caps = Caps { max_decoded_bytes: 4 << 20, max_ratio: 100_000, ..Caps::default() };
            let mut given = 0;
            let mut decoder = Decoder::new(encoding, caps);
            let result = data.chunks(step).try_for_each(|chunk| {
                decoder.decode(chunk, &mut |piece| {
                    given += piece.len();
                    Ok(())
                })
            });
            assert_eq!(result.map_err(|e| e.kind()), Err(ErrorKind::DecodedTooLarge));
            assert!(given <= caps.max_decoded_bytes, "{encoding:?}");
            let caps = Caps { max_ratio: 20, ratio_free_bytes: 65536, ..Caps::default() };
            let result = decode(encoding, &data, step, caps);
            assert_eq!(result.map_err(|e| e.kind()), Err(ErrorKind::RatioTooHigh));
        }
    }
}

/// A frame of 128 KiB run-length blocks: four bytes each.
fn zstd_bomb() -> Vec<u8> {
    let mut data = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    for _ in 0..800 {
        let header = (128_u32 << 10) << 3 | 1 << 1;
        data.extend(&header.to_le_bytes()[..3]);
        data.push(b'a');
    }
    data.extend([1, 0, 0]);
    data
}

#[test]
fn short_bodies_may_have_any_ratio() {
    let text = "a sentence here. ".repeat(40_000).into_bytes();
    assert!(text.len() > 200 * gzip(&text).len());
    assert_eq!(whole(Encoding::Gzip, &gzip(&text)), Ok(text));
}

#[test]
fn a_failed_decoder_stays_failed_and_passes_on_the_sinks_error() {
    let mut decoder = Decoder::new(Encoding::Gzip, Caps::default());
    let error = decoder.decode(b"plain text", &mut |_| Ok(())).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::CorruptEncoding, 0));
    assert_eq!(decoder.decode(&gzip(b"x"), &mut |_| Ok(())), Err(error));
    assert_eq!(decoder.finish(), Err(error));
    let mut decoder = Decoder::new(Encoding::Gzip, Caps::default());
    let refusal = Error::new(ErrorKind::DuplicateKey, 7);
    assert_eq!(decoder.decode(&gzip(b"x"), &mut |_| Err(refusal)), Err(refusal));
}

#[test]
fn one_known_coding_at_most_is_named_by_the_header() {
    assert_eq!(Encoding::parse(" GZip "), Ok(Some(Encoding::Gzip)));
    assert_eq!(Encoding::parse("identity, br"), Ok(Some(Encoding::Brotli)));
    assert_eq!(Encoding::parse("zstd"), Ok(Some(Encoding::Zstd)));
    assert_eq!(Encoding::parse("deflate,"), Ok(Some(Encoding::Deflate)));
    assert_eq!(Encoding::parse(""), Ok(None));
    assert_eq!(Encoding::parse("identity"), Ok(None));
    for (value, offset) in [("gzip, br", 6), ("compress", 0), ("gzip,gzip", 5), ("aws-chunked", 0)]
    {
        let error = Error::new(ErrorKind::UnsupportedEncoding, offset);
        assert_eq!(Encoding::parse(value), Err(error), "{value}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_comes_back_in_any_pieces(
        text in prop::collection::vec(any::<u8>(), 0..3000),
        repeat in 1_usize..40,
        step in 1_usize..5000,
    ) {
        let text = text.repeat(repeat);
        for (encoding, data) in [
            (Encoding::Gzip, gzip(&text)),
            (Encoding::Deflate, zlib(&text)),
            (Encoding::Deflate, raw_deflate(&text)),
            (Encoding::Zstd, zstd(&text)),
        ] {
            let got = decode(encoding, &data, step, Caps::default());
            prop_assert!(got == Ok(text.clone()), "{:?}", encoding);
        }
    }

    #[test]
    fn damaged_data_fares_alike_in_any_pieces_and_never_passes_the_cap(
        which in 0_usize..7,
        changes in prop::collection::vec((any::<u16>(), any::<u8>()), 0..6),
        step in 1_usize..400,
    ) {
        let (encoding, mut data) = encoded().swap_remove(which);
        for (at, byte) in changes {
            let at = usize::from(at) % data.len();
            data[at] = byte;
        }
        oracle::check_encoded(encoding, &data, step).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn rubbish_fares_alike_in_any_pieces(data in prop::collection::vec(any::<u8>(), 0..200), step in 1_usize..50) {
        const STARTS: [&[u8]; 6] =
            [b"", b"\x1f\x8b\x08\0\0\0\0\0\0\0", b"\x78\x9c", b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfd\0\x58", b"\x1b"];
        for start in STARTS {
            let data = [start, &data].concat();
            for encoding in ALL {
                oracle::check_encoded(encoding, &data, step).map_err(TestCaseError::fail)?;
            }
        }
    }
}
