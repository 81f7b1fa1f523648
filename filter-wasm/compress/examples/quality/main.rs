//! Does a planted attack or a person's data survive compression, wherever it stands?
//!
//! Reads `documents.jsonl`, `plants.jsonl` and `decoys.jsonl` from the folder given first (written by
//! `models/suspicion/planted.py`), plants each text at 11 depths in documents of several kinds and lengths, compresses
//! with each method, and counts what is kept. Writes one CSV row a cell to the file given second and prints summaries
//! with 95 % Wilson intervals. The third argument is the number of plants a kind, length and depth (default 11), drawn
//! from the sets of plants. The fourth is `dev` or `test` (default): weights and shares were chosen on the development
//! half of the plants, results are reported on the other.

#![allow(clippy::print_stdout, reason = "a report for people")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::ops::Range;

use compress::{
    Compressor, Config, Flag, Mode, Profile, Role, SelectRequest, prefix_within, suspicion,
};
use serde_json::Value;

#[path = "../../tests/twin/mod.rs"]
mod twin;

const DEPTHS: usize = 11;
const LENGTHS: [usize; 4] = [2_000, 8_000, 32_000, 64_000];
const METHODS: [&str; 5] = ["truncation", "paper", "general", "guarded", "security"];
const FLOODS: [&str; 4] = ["", "suspicion", "strangeness", "address"];
const FLOOD_DECOYS: usize = 60;

/// The paper's algorithm is slow: it runs on every so many of the plants.
const PAPER_EVERY: usize = 7;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((x ^ (x >> 31)) % (bound.max(1) as u64)).unwrap_or(0)
    }
}

#[derive(Clone, Copy, Default)]
struct Count {
    trials: u32,
    /// At least half of the plant's bytes are kept.
    half: u32,
    /// All of them are.
    all: u32,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.trials += other.trials;
        self.half += other.half;
        self.all += other.all;
    }
}

/// 95 % Wilson interval of `hits` of `trials`.
fn wilson(hits: u32, trials: u32) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let (n, z) = (f64::from(trials), 1.96_f64);
    let p = f64::from(hits) / n;
    let centre = p + z * z / (2.0 * n);
    let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    (((centre - spread) / scale).max(0.0), ((centre + spread) / scale).min(1.0))
}

fn rows(folder: &str, name: &str) -> Result<Vec<Value>, Box<dyn Error>> {
    let text = std::fs::read_to_string(format!("{folder}/{name}.jsonl"))?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_default()
}

/// The next place at or after `at` where a sentence or line ends.
fn boundary(text: &str, at: usize) -> usize {
    let mut from = at.min(text.len());
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let rest = &text[from..];
    let ends = [". ", "? ", "! ", "\n", "。", "？", "\", "]
        .iter()
        .filter_map(|mark| rest.find(mark).map(|p| p + mark.len()));
    from + ends.min().unwrap_or(rest.len())
}

struct Planted {
    text: String,
    /// Where the parts of the plant are.
    parts: Vec<Range<usize>>,
}

/// A document of about `tokens` tokens that begins at block `first`.
fn document(blocks: &[&str], first: usize, tokens: usize) -> String {
    let mut out = String::new();
    let mut left = tokens;
    for at in 0.. {
        let block = blocks[(first + at) % blocks.len()];
        let size = compress::estimate_tokens(block);
        if size >= left {
            out.push_str(&block[..prefix_within(block, left)]);
            break;
        }
        left -= size.max(1);
        out.push_str(block);
        out.push_str("\n\n");
    }
    out
}

fn plant(document: &str, depth: usize, parts: &[&str], decoys: &[&str]) -> Planted {
    // Insertions as (place, text, whether it is the plant).
    let mut inserts: Vec<(usize, &str, bool)> = Vec::new();
    let mut at = match depth {
        0 => 0,
        last if last + 1 == DEPTHS => document.len(),
        _ => boundary(document, document.len() * depth / (DEPTHS - 1)),
    };
    for part in parts {
        inserts.push((at, part, true));
        if parts.len() > 1 {
            // One sentence of the document between the parts of a split attack.
            at = boundary(document, at + 1);
        }
    }
    for (n, decoy) in decoys.iter().enumerate() {
        inserts.push((boundary(document, document.len() * n / decoys.len()), decoy, false));
    }
    inserts.sort_by_key(|(at, _, _)| *at);
    let (mut text, mut spans, mut from) = (String::new(), Vec::new(), 0);
    for (at, insert, planted) in inserts {
        text.push_str(&document[from..at]);
        if !text.is_empty() && !text.ends_with(char::is_whitespace) {
            text.push(' ');
        }
        let start = text.len();
        text.push_str(insert);
        if planted {
            spans.push(start..text.len());
        }
        text.push('\n');
        from = at;
    }
    text.push_str(&document[from..]);
    Planted { text, parts: spans }
}

/// Bytes of the plant inside the kept ranges.
fn kept_bytes(planted: &Planted, kept: &[Range<usize>]) -> usize {
    let overlap =
        |a: &Range<usize>, b: &Range<usize>| a.end.min(b.end).saturating_sub(a.start.max(b.start));
    planted
        .parts
        .iter()
        .map(|part| kept.iter().map(|range| overlap(part, range)).sum::<usize>())
        .sum()
}

fn selected(text: &str, mode: Mode, profile: Profile) -> Vec<Range<usize>> {
    let flagged: Vec<Flag> = match mode {
        Mode::Guarded => recognise::recognise(text)
            .into_iter()
            .map(|hit| Flag { passage: 0, range: hit.range })
            .collect(),
        Mode::Compressed => Vec::new(),
    };
    let request = SelectRequest {
        texts: &[text],
        roles: &[Role::User],
        flagged: &flagged,
        budget_tokens: 512,
        mode,
    };
    let selection = Compressor::new(&Config::from(profile)).select(request);
    selection.pieces.into_iter().map(|piece| piece.range).collect()
}

/// The sentences that the paper's algorithm keeps, found again in the text.
fn paper(text: &str) -> Vec<Range<usize>> {
    let mut from = 0;
    let mut out = Vec::new();
    for sentence in twin::compress(text) {
        if let Some(at) = text[from..].find(&sentence) {
            out.push(from + at..from + at + sentence.len());
            from += at + sentence.len();
        }
    }
    out
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, folder, out, rest @ ..] = args.as_slice() else {
        return Err("usage: quality FOLDER OUT.csv [PLANTS_PER_CELL [dev|test]]".into());
    };
    let per_cell: usize = rest.first().map_or(Ok(11), |n| n.parse())?;
    let (documents, plants, decoys) =
        (rows(folder, "documents")?, rows(folder, "plants")?, rows(folder, "decoys")?);
    let mut blocks: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in &documents {
        blocks.entry(text(row, "kind")).or_default().push(text(row, "text"));
    }
    let mut sets: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    let half = rest.get(1).map_or("test", String::as_str);
    for row in plants.iter().filter(|row| text(row, "half") == half || text(row, "half") == "both")
    {
        let parts =
            row["parts"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        sets.entry(text(row, "set")).or_default().push(parts);
    }
    let flood: BTreeMap<&str, Vec<&str>> = FLOODS
        .into_iter()
        .map(|signal| {
            let mut texts: Vec<&str> = decoys
                .iter()
                .filter(|row| text(row, "signal") == signal)
                .map(|row| text(row, "text"))
                .collect();
            if signal == "suspicion" {
                // The worst decoys there are: those that the model itself finds most suspicious.
                texts.sort_by(|a, b| suspicion(b).total_cmp(&suspicion(a)));
            }
            texts.truncate(FLOOD_DECOYS);
            (signal, texts)
        })
        .collect();

    let sets: Vec<(&str, Vec<Vec<&str>>)> = sets.into_iter().collect();
    let (mut random, mut drawn) = (Random(20_261_129), 0);
    let mut cells: BTreeMap<(String, usize, usize, String, String, String), Count> =
        BTreeMap::new();
    for (kind, blocks) in &blocks {
        for tokens in LENGTHS {
            for depth in 0..DEPTHS {
                for _ in 0..per_cell {
                    let (set, plants) = &sets[random.below(sets.len())];
                    drawn += 1;
                    let parts = &plants[random.below(plants.len())];
                    let document = document(blocks, random.below(blocks.len()), tokens);
                    for flooded in FLOODS {
                        let decoys = &flood[flooded];
                        if !flooded.is_empty() && (drawn % 3 != 0 || tokens == 2_000) {
                            continue;
                        }
                        let planted = plant(&document, depth, parts, decoys);
                        let size: usize = planted.parts.iter().map(Range::len).sum();
                        for method in METHODS {
                            let kept = match method {
                                "truncation" if flooded.is_empty() => {
                                    std::iter::once(0..prefix_within(&planted.text, 510)).collect()
                                }
                                "paper" if flooded.is_empty() && drawn % PAPER_EVERY == 0 => {
                                    paper(&planted.text)
                                }
                                "general" if flooded.is_empty() => {
                                    selected(&planted.text, Mode::Compressed, Profile::General)
                                }
                                "guarded" => {
                                    selected(&planted.text, Mode::Guarded, Profile::General)
                                }
                                "security" if flooded.is_empty() => {
                                    selected(&planted.text, Mode::Guarded, Profile::Security)
                                }
                                _ => continue,
                            };
                            let bytes = kept_bytes(&planted, &kept);
                            let key = (
                                (*kind).to_owned(),
                                tokens,
                                depth,
                                (*set).to_owned(),
                                method.to_owned(),
                                flooded.to_owned(),
                            );
                            cells.entry(key).or_default().add(Count {
                                trials: 1,
                                half: u32::from(2 * bytes >= size),
                                all: u32::from(bytes == size),
                            });
                        }
                    }
                }
            }
        }
    }

    let mut csv =
        "kind,tokens,depth_percent,plants,method,flooded_signal,trials,half_kept,all_kept\n"
            .to_owned();
    for ((kind, tokens, depth, set, method, flooded), n) in &cells {
        let depth = depth * 100 / (DEPTHS - 1);
        writeln!(
            csv,
            "{kind},{tokens},{depth},\"{set}\",{method},{flooded},{},{},{}",
            n.trials, n.half, n.all
        )?;
    }
    std::fs::write(out, csv)?;
    type Key = (String, usize, usize, String, String, String);
    let table = |title: &str, column: &dyn Fn(&Key) -> Option<(String, String)>| {
        let mut sums: BTreeMap<(String, String), Count> = BTreeMap::new();
        for (key, count) in &cells {
            if let Some(row) = column(key) {
                sums.entry(row).or_default().add(*count);
            }
        }
        println!("\n{title:36} {:12} trials  half kept [95 % interval]     all kept", "");
        for ((row, method), n) in sums {
            let (low, high) = wilson(n.half, n.trials);
            let share = |hits: u32| 100.0 * f64::from(hits) / f64::from(n.trials.max(1));
            println!(
                "{row:36} {method:12} {:6}  {:5.1} [{:5.1}, {:5.1}]          {:5.1}",
                n.trials,
                share(n.half),
                100.0 * low,
                100.0 * high,
                share(n.all)
            );
        }
    };
    let attack = |set: &str| !set.starts_with("personal");
    table("all attacks", &|k| {
        (attack(&k.3) && k.5.is_empty()).then(|| (String::new(), k.4.clone()))
    });
    table("plants", &|k| k.5.is_empty().then(|| (k.3.clone(), k.4.clone())));
    table("attacks, guarded, by depth %", &|k| {
        (attack(&k.3) && k.5.is_empty() && matches!(k.4.as_str(), "guarded" | "paper"))
            .then(|| (format!("{:3}", k.2 * 100 / (DEPTHS - 1)), k.4.clone()))
    });
    table("attacks, by length", &|k| {
        (attack(&k.3) && k.5.is_empty()).then(|| (format!("{:6}", k.1), k.4.clone()))
    });
    table("attacks, guarded, by document", &|k| {
        (attack(&k.3) && k.5.is_empty() && k.4 == "guarded").then(|| (k.0.clone(), k.4.clone()))
    });
    table("attacks, guarded, flooded signal", &|k| {
        (attack(&k.3) && k.4 == "guarded" && k.1 > 2_000).then(|| (k.5.clone(), k.4.clone()))
    });
    Ok(())
}
