//! CPU time of a selection, this crate against the paper's algorithm transcribed (`tests/twin`).
//!
//! Texts of 32 KiB, 64 KiB and 1 MiB of several shapes arrive in pieces of 16 KiB. Prints, for each, the CPU time of
//! taking the text in, of selecting from it (which is all that is left after the last byte), and of the twin; and the
//! peak of the heap as a multiple of the text. Every result is checked against the rules of `compress::oracle`.
//! Argument: the least number of runs to take the fastest of (default 5). Linux only.

#![allow(clippy::print_stdout, reason = "a report for people")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};

use compress::{Compressor, Config, Mode, Role, SelectRequest, oracle};

#[path = "../tests/twin/mod.rs"]
mod twin;

const PIECE_BYTES: usize = 16 << 10;

/// Counts bytes in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[allow(
    unsafe_code,
    reason = "a global allocator can only be written so; this is a measuring program"
)]
// SAFETY: every call is handed to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// CPU time of this process in milliseconds, from the scheduler: other processes do not count.
fn cpu_ms() -> Result<f64, Box<dyn Error>> {
    // The scheduler brings its count up to date when a thread yields.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: f64 = text.split_whitespace().next().ok_or("empty schedstat")?.parse()?;
    Ok(nanoseconds / 1e6)
}

/// English-like prose with a Zipf-like choice of words.
fn prose(bytes: usize) -> String {
    const SYLLABLES: [&str; 24] = [
        "an", "ter", "pro", "con", "men", "tal", "ri", "ver", "sa", "ton", "el", "der", "is", "or",
        "ca", "me", "na", "st", "le", "do", "ger", "pi", "lu", "fa",
    ];
    const COMMON: [&str; 16] = [
        "the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "as", "was", "with", "be",
        "by", "on",
    ];
    let mut state = 7u64;
    let mut next = |bound: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % bound).unwrap_or(0)
    };
    let mut out = String::new();
    while out.len() < bytes {
        let words = 8 + next(20);
        for word in 0..words {
            let start = out.len();
            if next(2) == 0 {
                out.push_str(COMMON[next(16)]);
            } else {
                let rank = next(24) * next(24) * next(24);
                for part in [rank % 24, rank / 24 % 24, rank / 576 % 24] {
                    out.push_str(SYLLABLES[part]);
                }
            }
            if word == 0 {
                out[start..=start].make_ascii_uppercase();
            }
            out.push_str(if word + 1 == words {
                ". "
            } else if next(12) == 0 {
                ", "
            } else {
                " "
            });
        }
    }
    out
}

fn shapes(bytes: usize) -> Vec<(&'static str, String)> {
    let fill = |unit: &str| unit.repeat(bytes.div_ceil(unit.len()));
    let blob: String = (0..bytes)
        .map(|n| {
            char::from(
                b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
                    [(n * n + n / 7) % 64],
            )
        })
        .collect();
    let han: String = (0..bytes / 3)
        .map(|n| {
            let place = u32::try_from((n * n * 31 + n * 17) % 3000).unwrap_or(0);
            if n % 25 == 24 { '。' } else { char::from_u32(0x4E00 + place).unwrap_or('的') }
        })
        .collect();
    vec![
        ("prose", prose(bytes)),
        ("tiny sentences", fill("Yes. No. Maybe. ")),
        ("one sentence", prose(bytes).replace(['.', ','], "")),
        ("no spaces", blob),
        ("punctuation", fill("!?.,;:-() ...")),
        ("chinese", han),
        (
            "code",
            fill(
                "    let total = items.iter().map(|item| item.price * item.count).sum::<u64>();\n",
            ),
        ),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let runs: usize = std::env::args().nth(1).map_or(Ok(5), |runs| runs.parse())?;
    println!(
        "{:8} {:15} mode        take in ms  select ms  paper ms   ratio  peak/text  kept",
        "bytes", "text"
    );
    for bytes in [32 << 10, 64 << 10, 1 << 20] {
        for (name, text) in shapes(bytes) {
            let mut paper = f64::MAX;
            for _ in 0..if bytes > 100_000 { 1 } else { runs } {
                let from = cpu_ms()?;
                std::hint::black_box(twin::compress(&text));
                paper = paper.min(cpu_ms()? - from);
            }
            for mode in [Mode::Compressed, Mode::Guarded] {
                let texts = [text.as_str()];
                let request = SelectRequest {
                    texts: &texts,
                    roles: &[Role::User],
                    flagged: &[],
                    budget_tokens: 512,
                    mode,
                };
                let (mut best, mut parts, mut kept, mut peak) = (f64::MAX, (0.0, 0.0), 0, 0);
                for _ in 0..runs {
                    let before = IN_USE.load(Ordering::Relaxed);
                    PEAK.store(before, Ordering::Relaxed);
                    let start = cpu_ms()?;
                    let mut compressor = Compressor::new(&Config::default());
                    for end in (PIECE_BYTES..text.len()).step_by(PIECE_BYTES) {
                        if let Some(head) = text.get(..end) {
                            compressor.advance(0, head, false);
                        }
                    }
                    compressor.advance(0, &text, true);
                    let middle = cpu_ms()?;
                    let selection = compressor.select(request);
                    let end = cpu_ms()?;
                    if end - start < best {
                        (best, parts) = (end - start, (middle - start, end - middle));
                    }
                    (kept, peak) = (selection.tokens_kept, PEAK.load(Ordering::Relaxed) - before);
                    oracle::check(&selection, request)?;
                }
                println!(
                    "{bytes:8} {name:15} {:10} {:11.3} {:10.3} {paper:9.2} {:7.1} {:10.2} {kept:5}",
                    format!("{mode:?}"),
                    parts.0,
                    parts.1,
                    paper / best,
                    peak as f64 / text.len() as f64,
                );
            }
        }
    }
    Ok(())
}
