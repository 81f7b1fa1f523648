//! Throughput of the reader beside `serde_json` and `simd-json` on whole bodies.
//!
//! `cargo run --release -p body-stream --example throughput`. Each figure is
//! the best of several rounds in MB/s of raw body; all parsers of a row run
//! in turns, so that load on the machine falls on each alike.

#![allow(clippy::print_stdout, reason = "the example's output is its table")]

use body_stream::{Api, BodyReader, Limits};
use std::time::Instant;

type Parse = fn(&[u8]) -> usize;

const ROUNDS: usize = 25;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parsers: [(&str, Parse); 7] = [
        ("whole", |body| read(body, usize::MAX)),
        ("16 KiB", |body| read(body, 16 << 10)),
        ("64 B", |body| read(body, 64)),
        ("1 B", |body| read(body, 1)),
        ("serde Value", serde_value),
        ("serde skip", serde_skip),
        ("simd-json", simd),
    ];
    print!("{:<18}{:>8}", "MB/s", "KiB");
    for (name, _) in parsers {
        print!("{name:>13}");
    }
    println!();
    for (name, body) in bodies()? {
        print!("{name:<18}{:>8}", body.len() >> 10);
        let mut best = [f64::INFINITY; 7];
        for _ in 0..ROUNDS {
            for (best, (_, parse)) in best.iter_mut().zip(parsers) {
                let start = Instant::now();
                let seen = parse(&body);
                *best = best.min(start.elapsed().as_secs_f64());
                assert!(seen > 0, "nothing was read");
            }
        }
        for seconds in best {
            print!("{:>13.0}", body.len() as f64 / 1e6 / seconds);
        }
        println!();
    }
    Ok(())
}

fn read(body: &[u8], chunk: usize) -> usize {
    let limits = Limits { max_passages: usize::MAX, ..Limits::default() };
    let mut reader = BodyReader::new(&Api::ChatCompletions, limits);
    for chunk in body.chunks(chunk.min(body.len())) {
        assert_eq!(reader.feed(chunk), Ok(()));
    }
    assert_eq!(reader.finish(), Ok(()));
    reader.text_bytes()
}

fn serde_value(body: &[u8]) -> usize {
    serde_json::from_slice::<serde_json::Value>(body)
        .map_or(0, |value| value.to_string().len().min(1))
}

fn serde_skip(body: &[u8]) -> usize {
    usize::from(serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok())
}

/// With the copy that it needs because it parses in place.
fn simd(body: &[u8]) -> usize {
    let mut copy = body.to_vec();
    usize::from(simd_json::to_borrowed_value(&mut copy).is_ok())
}

fn bodies() -> Result<Vec<(&'static str, Vec<u8>)>, serde_json::Error> {
    let prose =
        "The committee reviewed the harvest figures, and noted no change since the spring. ";
    let lines =
        "The committee reviewed the harvest figures,\nand noted \"no change\" since spring.\n";
    let code = "if (a[\"k\"] != \"v\") {\n\treturn \"x\\n\";\n}\n";
    let cjk = "委員会は収穫の数字を見直し、春から変わりがないと述べた。";
    let mixed = "Élan vital, naïve café; größer als, чтобы было; ";
    let chat = |text: &str, messages: usize| -> Result<Vec<u8>, serde_json::Error> {
        let messages: Vec<_> = (0..messages)
            .map(|n| serde_json::json!({"role": if n % 2 == 0 { "user" } else { "assistant" }, "content": text}))
            .collect();
        serde_json::to_vec(&serde_json::json!({"model": "m", "messages": messages}))
    };
    let ascii = |body: Vec<u8>| -> Vec<u8> {
        let mut out = Vec::new();
        for ch in String::from_utf8_lossy(&body).chars() {
            let mut units = [0; 2];
            match ch.is_ascii() {
                true => out.push(ch as u8),
                false => ch.encode_utf16(&mut units).iter().for_each(|unit| {
                    out.extend(format!("\\u{unit:04x}").bytes());
                }),
            }
        }
        out
    };
    Ok(vec![
        ("prose, one string", chat(&prose.repeat(12_800), 1)?),
        ("prose, 32 KiB", chat(&prose.repeat(40), 10)?),
        ("lines, 256 KiB", chat(&lines.repeat(32), 100)?),
        ("code", chat(&code.repeat(65), 100)?),
        ("short messages", chat("What is the capital of France?", 4000)?),
        ("CJK", chat(&cjk.repeat(32), 100)?),
        ("CJK as \\u", ascii(chat(&cjk.repeat(32), 100)?)),
        ("mixed", chat(&mixed.repeat(40), 100)?),
    ])
}
