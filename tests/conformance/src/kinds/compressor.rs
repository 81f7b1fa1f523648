//! Texts and what the compressor keeps of them.

use std::time::Duration;

use anyhow::{Result, bail};
use compress::{Compressor, Mode, SelectRequest, Selection, estimate_tokens};
use serde_json::{Value, json};

use super::Outcome;
use crate::case::Case;
use crate::exchange::Exchange;
use crate::expect::Finding;
use crate::expect::words::collapse;
use crate::layers::{Host, Layer, peak_bytes};
use crate::observed::Observed;
use crate::settings::{PREFIX, Settings};

/// How much text arrives at a time.
const STEP: usize = 16_384;

/// What the compressor kept of one text.
struct Kept {
    text: String,
    /// The kept pieces, in order.
    pieces: Vec<String>,
    /// As the product counts them.
    tokens: usize,
    /// Whether everything was kept.
    whole: bool,
    /// Processor time, where it is told from that of others.
    took_ms: Option<u128>,
    peak_bytes: Option<usize>,
}

/// Runs a compressor case.
pub(super) fn run(case: &Case, host: &mut dyn Host) -> Result<Outcome> {
    let texts = case.texts();
    let budget = usize::try_from(case.number("budget").unwrap_or(512))?;
    if texts.is_empty() {
        bail!("a compressor case without text");
    }
    let mut outcome = Outcome::default();
    for text in &texts {
        for mode in [Mode::Compressed, Mode::Guarded] {
            let kept = match host.layer() {
                Layer::Pure => natively(text, budget, mode),
                Layer::Wasm | Layer::Envoy => through_the_filter(case, text, budget, mode, host)?,
            };
            let label = if mode == Mode::Guarded { "guarded" } else { "compressed" };
            let took = kept.took_ms.map_or(String::new(), |took| format!(", {took} ms"));
            outcome.got = format!("{} tokens in {} pieces{took}", kept.tokens, kept.pieces.len());
            let mut report = crate::expect::Report::default();
            for (name, value) in &case.expected {
                report.add(name, check(name, value, case, &kept, mode));
            }
            report.add(
                "the budget",
                Finding::of(kept.tokens <= budget, || format!("{} tokens", kept.tokens)),
            );
            outcome.report.merge(label, report);
        }
    }
    Ok(outcome)
}

/// Processor time of this thread: what the text costs a worker, however busy the machine is with something else.
pub(crate) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

fn natively(text: &str, budget_tokens: usize, mode: Mode) -> Kept {
    let select = || -> (Selection, u128) {
        let start = thread_time();
        let mut compressor = Compressor::new(&compress::Config::default());
        let mut end = 0;
        while end < text.len() {
            end = text.ceil_char_boundary((end + STEP).min(text.len()));
            compressor.advance(0, &text[..end], end == text.len());
        }
        let request = SelectRequest {
            texts: &[text],
            roles: &[compress::Role::User],
            flagged: &[],
            budget_tokens,
            mode,
        };
        (compressor.select(request), thread_time().saturating_sub(start).as_millis())
    };
    let ((selection, took), peak) = peak_bytes(select);
    let took_ms = Some(took.min(select().1));
    let pieces: Vec<String> =
        selection.pieces.iter().map(|p| text[p.range.clone()].to_owned()).collect();
    Kept {
        text: text.to_owned(),
        tokens: selection.tokens_kept.max(if selection.whole {
            0
        } else {
            estimate_tokens(&pieces.concat())
        }),
        whole: selection.whole,
        pieces,
        took_ms,
        peak_bytes: Some(peak),
    }
}

fn through_the_filter(
    case: &Case,
    text: &str,
    budget: usize,
    mode: Mode,
    host: &mut dyn Host,
) -> Result<Kept> {
    let mut settings = Settings::of(case)?;
    settings.set("budget_tokens", json!(budget))?;
    let coverage = if mode == Mode::Guarded { "guarded" } else { "compressed" };
    for signal in ["jailbreak", "pii", "domain"] {
        settings.set(&format!("signals.{signal}.coverage"), json!(coverage))?;
    }
    // An attack in the text must not hide what was kept.
    settings.set("signals.jailbreak.action", json!("tag"))?;
    if host.layer() == Layer::Envoy {
        settings.set("daemon.timeout_ms", json!(20_000))?;
    }
    let exchange = [Exchange::chat(text)];
    // The quicker of two runs, since the machine may be busy with something else.
    let mut best: Option<(Observed, Option<u128>)> = None;
    for _ in 0..2 {
        let Some(observed) = host.play(&settings, &exchange)?.into_iter().next() else {
            bail!("nothing was played")
        };
        let took = observed.busy.map(|busy| busy.as_millis());
        if best.as_ref().is_none_or(|(_, least)| took < *least) {
            best = Some((observed, took));
        }
    }
    let Some((observed, took_ms)) = best else { bail!("nothing was played") };
    let Some(question) = observed.asked.first() else {
        bail!("the classifier was not asked: {:?}", observed.status)
    };
    let pieces: Vec<String> = question.passages.iter().map(|p| p.text.clone()).collect();
    let told =
        observed.forwarded_header(&format!("{PREFIX}tokens-kept")).and_then(|t| t.parse().ok());
    let measured = estimate_tokens(&pieces.concat());
    let kept: usize = pieces.iter().map(String::len).sum();
    Ok(Kept {
        text: text.to_owned(),
        tokens: measured.max(told.unwrap_or(usize::MAX)),
        whole: kept >= text.len(),
        pieces,
        took_ms,
        peak_bytes: observed.memory_bytes,
    })
}

fn check(name: &str, value: &Value, case: &Case, kept: &Kept, mode: Mode) -> Finding {
    let number = value.as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let word = value.as_str().unwrap_or("");
    let has = |text: &str| collapse(&kept.pieces.join("\n")).contains(&collapse(text));
    match name {
        "tokens_out_max" => {
            Finding::of(kept.tokens <= number, || format!("{} tokens", kept.tokens))
        }
        "tokens_out_min" => {
            Finding::of(kept.tokens >= number && !kept.pieces.concat().trim().is_empty(), || {
                format!("{} tokens", kept.tokens)
            })
        }
        "tokens_in_min" => {
            let tokens = estimate_tokens(&kept.text);
            Finding::of(tokens >= number, || format!("{tokens} tokens"))
        }
        "truncated_flag" => Finding::of(Some(!kept.whole) == value.as_bool(), || {
            format!("everything kept: {}", kept.whole)
        }),
        "whole" => Finding::of(Some(kept.whole) == value.as_bool(), || {
            format!("everything kept: {}", kept.whole)
        }),
        "sentences_kept_from_both_halves" => {
            // Each part of the template is one half; a kept piece must show something of each.
            let parts = case.template().unwrap_or_default();
            let lost = parts.iter().filter(|part| !overlaps(part, &kept.pieces)).count();
            Finding::of(lost == 0, || format!("nothing kept of {lost} of {} parts", parts.len()))
        }
        "jailbreak_seen" | "tail_seen" => {
            // The planted text must be among what a safety classifier reads; the topic classifier need not see it.
            let parts = case.template().unwrap_or_default();
            let planted = parts.last().map(String::as_str).unwrap_or("");
            Finding::of(mode == Mode::Compressed || has(planted), || {
                "the planted text was not kept".to_owned()
            })
        }
        "contains" | "compressed_contains" => Finding::of(has(word), || "not kept".to_owned()),
        "must_not_contain" => Finding::of(!has(word), || "kept".to_owned()),
        "max_ms" => Finding::of_seen(kept.took_ms, "the compressor's own time", |took| {
            Finding::of(took <= number as u128, || format!("{took} ms"))
        }),
        "peak_bytes_max" => Finding::of_seen(kept.peak_bytes, "memory", |peak| {
            Finding::of(peak <= number, || format!("{peak} bytes"))
        }),
        "output_is_subsequence" | "subsequence" => {
            let mut rest = kept.text.as_str();
            let inside = kept.pieces.iter().all(|piece| match rest.find(piece.as_str()) {
                Some(at) => {
                    rest = &rest[at + piece.len()..];
                    true
                }
                None => false,
            });
            Finding::of(inside, || "not in the order of the text".to_owned())
        }
        "deterministic" => {
            let twice = [0; 2].map(|_| natively(&kept.text, 512, mode).pieces);
            Finding::of(twice[0] == twice[1], || "two runs differ".to_owned())
        }
        // A panic fails the case by itself; a policy was applied before.
        "no_panic" | "policy" | "note" => Finding::Holds,
        _ => Finding::Fails("unknown expectation".to_owned()),
    }
}

/// Whether a piece holds at least a few characters that stand in `part`.
fn overlaps(part: &str, pieces: &[String]) -> bool {
    let sample: String = part.trim().chars().take(6).collect();
    let tail: Vec<char> = part.trim().chars().rev().take(6).collect();
    let tail: String = tail.into_iter().rev().collect();
    pieces.iter().any(|piece| piece.contains(&sample) || piece.contains(&tail))
}
