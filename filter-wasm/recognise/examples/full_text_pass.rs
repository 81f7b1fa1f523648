//! MB/s of the full-text pass (parse, normalise, recognise) beside `serde_json`'s parse of the same body, in one run.
//!
//! Natively: `cargo run --release -p recognise --example full_text_pass [--json]`. In V8, as Envoy compiles it: build it with
//! `--profile release-wasm --target wasm32-wasip1` and run the module as a WASI command, for instance by Node:
//!
//! ```text
//! node --no-warnings -e 'const { WASI } = require("node:wasi"), fs = require("node:fs");
//!   const wasi = new WASI({ version: "preview1", args: ["full_text_pass", ...process.argv.slice(2)] });
//!   WebAssembly.instantiate(fs.readFileSync(process.argv[1]), wasi.getImportObject())
//!     .then((made) => wasi.start(made.instance))' full_text_pass.wasm
//! ```
//!
//! The body comes in chunks of 32 KiB, as Envoy hands them on with the shipped configuration. Both parties run in turns,
//! and the fastest of many rounds counts, so that other work on the machine falls on both alike.
#![allow(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "an example that prints a table of rates"
)]

use std::hint::black_box;
use std::time::Instant;

use body_stream::{Api, BodyReader, Limits};
use recognise::{Normaliser, Recogniser, Scanner};
use serde_json::{Value, json};

const CHUNK_BYTES: usize = 32 << 10;
const TEXT_BYTES: usize = 256 << 10;
const ROUNDS: usize = 60;

/// Steps of the pass, each after those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Until {
    Parsed,
    Normalised,
    Recognised,
}

/// Reads a body as the filter does and gives the bytes of text and the finds.
fn pass(body: &[u8], recogniser: &Recogniser, until: Until) -> (usize, usize) {
    let mut reader = BodyReader::new(&Api::ChatCompletions, Limits::default());
    let mut texts: Vec<(Normaliser, Scanner)> = Vec::new();
    let mut settled = 0;
    let mut advance = |reader: &BodyReader| {
        let passages = reader.passages();
        texts.resize_with(passages.len(), Default::default);
        for (passage, (normaliser, scanner)) in passages.iter().zip(&mut texts).skip(settled) {
            if until >= Until::Normalised {
                normaliser.advance(&passage.text, passage.complete);
            }
            if until >= Until::Recognised {
                scanner.advance(recogniser, normaliser.text(&passage.text), passage.complete);
            }
            settled += usize::from(passage.complete);
        }
    };
    for chunk in body.chunks(CHUNK_BYTES) {
        assert_eq!(reader.feed(chunk), Ok(()), "the body is valid");
        advance(&reader);
    }
    assert_eq!(reader.finish(), Ok(()), "the body is whole");
    advance(&reader);
    let hits = texts.iter().map(|(_, scanner)| scanner.hits().len()).sum();
    (reader.text_bytes(), hits)
}

fn serde(body: &[u8]) -> bool {
    serde_json::from_slice::<Value>(body).is_ok_and(|value| black_box(value).is_object())
}

fn bodies() -> Vec<(&'static str, Vec<u8>)> {
    let prose = "The committee met again in the spring, and after a long discussion it was agreed that the bridge should be \
        repaired before the summer. Nobody had expected the cost to be so high; still, the mayor said, there was no other \
        way to keep the road open.\n";
    let mixed = "On 12 May 1998 Pat Doe (pat.doe@example.com) wrote: \"Call +1 415-555-0134, see https://example.com/a/b?c=1\".\n";
    let code = "for (let i = 0; i < items.length; i++) {\n    const value = items[i].value * 2.5; // scale to 0..255\n    \
        if (value > maxValue) { maxValue = value; }\n}\n";
    let russian = "Он прочитал письмо и сразу понял, что случилось нечто важное для всей семьи. ";
    let chinese = "他读完这封信，立刻明白发生了一件对全家都很重要的事情。";
    let chat = |texts: Vec<String>| {
        let messages: Vec<Value> =
            texts.into_iter().map(|text| json!({"role": "user", "content": text})).collect();
        json!({"model": "m", "messages": messages}).to_string().into_bytes()
    };
    let one = |piece: &str| chat(vec![piece.repeat(TEXT_BYTES / piece.len())]);
    let turns = |piece: &str| {
        let text = piece.repeat(2048 / piece.len());
        chat(vec![text; TEXT_BYTES / 2048])
    };
    vec![
        ("prose, one message", one(prose)),
        ("prose, 128 messages", turns(prose)),
        ("with personal data", one(mixed)),
        ("code", one(code)),
        ("Russian", one(russian)),
        ("Chinese", one(chinese)),
    ]
}

fn main() {
    let as_json = std::env::args().any(|argument| argument == "--json");
    let recogniser = Recogniser::default();
    let mut rows = Vec::new();
    for (name, body) in bodies() {
        // Seconds of serde_json, and of the pass up to each of its steps.
        let mut best = [f64::INFINITY; 4];
        for _ in 0..ROUNDS {
            let start = Instant::now();
            assert!(serde(&body), "serde_json reads the body");
            best[0] = best[0].min(start.elapsed().as_secs_f64());
            for (at, until) in
                [Until::Parsed, Until::Normalised, Until::Recognised].into_iter().enumerate()
            {
                let start = Instant::now();
                let (bytes, _) = black_box(pass(&body, &recogniser, until));
                best[at + 1] = best[at + 1].min(start.elapsed().as_secs_f64());
                assert!(bytes > TEXT_BYTES / 2, "all of the text is read");
            }
        }
        let rate = best.map(|seconds| body.len() as f64 / 1e6 / seconds);
        rows.push((name, rate, best[3] / best[0]));
    }
    if as_json {
        let rows: Vec<Value> = rows
            .iter()
            .map(|(name, [serde, parse, normalise, all], ratio)| {
                json!({"body": name, "serde_json_mb_s": serde, "parse_mb_s": parse,
                    "parse_normalise_mb_s": normalise, "full_text_pass_mb_s": all, "pass_over_serde_json": ratio})
            })
            .collect();
        println!("{}", Value::from(rows));
        return;
    }
    println!(
        "{:<20} {:>11} {:>9} {:>11} {:>11} {:>7}",
        "MB/s of body", "serde_json", "parse", "+normalise", "+recognise", "ratio"
    );
    for (name, [serde, parse, normalise, all], ratio) in rows {
        println!(
            "{name:<20} {serde:>11.0} {parse:>9.0} {normalise:>11.0} {all:>11.0} {ratio:>6.2}x"
        );
    }
}
