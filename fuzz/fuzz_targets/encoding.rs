//! The decoders: any bytes, any cuts, within the caps.
#![no_main]

use body_stream::encoding::{Caps, Decoder, Encoding};

const CAPS: Caps = Caps { max_decoded_bytes: 1 << 20, max_ratio: 200, ratio_free_bytes: 1 << 16 };

fn decode(encoding: Encoding, chunks: &[&[u8]]) -> Option<Vec<u8>> {
    let mut decoder = Decoder::new(encoding, CAPS);
    let mut out = Vec::new();
    for chunk in chunks {
        let mut keep = |piece: &[u8]| {
            out.extend_from_slice(piece);
            Ok(())
        };
        decoder.decode(chunk, &mut keep).ok()?;
    }
    decoder.finish().ok()?;
    assert!(out.len() <= CAPS.max_decoded_bytes);
    Some(out)
}

libfuzzer_sys::fuzz_target!(|input: (u8, u16, Vec<u8>)| {
    let (which, cut, bytes) = input;
    let encoding =
        [Encoding::Gzip, Encoding::Deflate, Encoding::Zstd, Encoding::Brotli][usize::from(which % 4)];
    let (head, tail) = bytes.split_at(usize::from(cut).min(bytes.len()));
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    let whole = decode(encoding, &[&bytes]);
    assert_eq!(decode(encoding, &[head, tail]), whole, "a cut changed the outcome");
    assert_eq!(decode(encoding, &single), whole, "cuts changed the outcome");
});
