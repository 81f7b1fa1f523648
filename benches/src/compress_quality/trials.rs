//! The trials: which there are, and what comes of each.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, anyhow};
use compress::{estimate_tokens, suspicion};

use super::corpus::{Corpus, PERSONAL};
use super::methods::{Method, recognised, windows_around};
use super::plant::{DEPTHS, Planted, document, plant};
use super::reader::{Reader, Verdict};
use crate::stats::Random;

/// How much is tried.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    /// Lengths of the documents in tokens.
    pub(super) lengths: Vec<usize>,
    /// Documents of each kind and length.
    pub(super) documents: usize,
    /// Plants in each document and depth.
    pub(super) plants: usize,
    /// The longest document that is also read in full, for the agreement of decisions.
    pub(super) full_up_to: usize,
    /// One trial of so many is repeated with decoys, and with the paper's slow algorithm.
    pub(super) one_in: usize,
}

impl Scale {
    pub(super) fn full() -> Self {
        Self {
            lengths: vec![2_000, 8_000, 16_000, 32_000, 64_000],
            documents: 3,
            plants: 2,
            full_up_to: 64_000,
            one_in: 3,
        }
    }

    pub(super) fn quick() -> Self {
        Self {
            lengths: vec![2_000, 8_000, 64_000],
            documents: 1,
            plants: 1,
            full_up_to: 8_000,
            one_in: 4,
        }
    }
}

/// Signals that decoys flood; the empty one is no flood.
pub(super) const FLOODS: [&str; 4] = ["", "suspicion", "strangeness", "address"];
const FLOOD_DECOYS: usize = 60;

/// A plant in a document, read in one way.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) kind: String,
    pub(super) tokens: usize,
    pub(super) depth: usize,
    pub(super) set: String,
    pub(super) method: Method,
    pub(super) flood: &'static str,
    /// At least half of the plant's bytes are kept.
    pub(super) half_kept: bool,
    pub(super) all_kept: bool,
    /// The classifiers find the plant in what is kept.
    pub(super) is_found: bool,
    /// They find it when they read nothing else.
    pub(super) is_found_alone: bool,
    /// They flag what this method keeps of the same document without the plant. Only for attacks.
    pub(super) is_flagged_without: bool,
    /// A recogniser finds it in the full text, at its place. Only for personal data.
    pub(super) is_recognised: bool,
    /// A recogniser finds it when it stands alone.
    pub(super) is_recognised_alone: bool,
    pub(super) truncated: bool,
}

impl Trial {
    pub(super) fn is_personal(&self) -> bool {
        self.set.starts_with(PERSONAL)
    }
}

/// Decisions about an unplanted document.
#[derive(Clone, Debug)]
pub(super) struct Decisions {
    pub(super) tokens: usize,
    pub(super) method: Method,
    pub(super) is_flagged: bool,
    /// Same category as the full text's; `None` where the full text was not read.
    pub(super) domain_agrees: Option<bool>,
    /// Whether any personal data is found agrees with the full text.
    pub(super) pii_agrees: Option<bool>,
    pub(super) tokens_read: usize,
}

/// All that was seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) trials: Vec<Trial>,
    pub(super) decisions: Vec<Decisions>,
}

/// One document with all its trials: a unit of work.
struct Job<'a> {
    kind: &'a str,
    blocks: &'a [String],
    tokens: usize,
    first: usize,
    seed: u64,
}

/// Runs all trials, a worker a core; `tick` is told how many of how many documents are done.
pub(super) fn run(
    corpus: &Corpus,
    reader: &Reader,
    scale: &Scale,
    seed: u64,
    tick: &(dyn Fn(usize, usize) + Sync),
) -> Result<Seen> {
    let mut random = Random::new(seed);
    let mut jobs = Vec::new();
    for (kind, blocks) in &corpus.documents {
        for tokens in &scale.lengths {
            for _ in 0..scale.documents {
                let first = random.below(blocks.len());
                jobs.push(Job { kind, blocks, tokens: *tokens, first, seed: random.next() });
            }
        }
    }
    // The longest first, so that no worker is left with one at the end.
    jobs.sort_by_key(|job| std::cmp::Reverse(job.tokens));
    let flood = flood(corpus);
    let alone = Mutex::new(BTreeMap::new());
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || -> Result<Seen> {
        let mut seen = Seen::default();
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            work_on(job, corpus, reader, scale, &flood, &alone, &mut seen)?;
            tick(done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
        }
        Ok(seen)
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let mut all = Seen::default();
        for handle in handles {
            let seen = handle.join().map_err(|_| anyhow!("a worker crashed"))??;
            all.trials.extend(seen.trials);
            all.decisions.extend(seen.decisions);
        }
        Ok(all)
    })
}

/// Decoys of each signal: for suspicion those that the scorer itself finds worst.
fn flood(corpus: &Corpus) -> BTreeMap<&'static str, Vec<&str>> {
    let of = |signal: &'static str| {
        let mut texts: Vec<&str> =
            corpus.decoys.get(signal).into_iter().flatten().map(String::as_str).collect();
        if signal == "suspicion" {
            texts.sort_by(|a, b| suspicion(b).total_cmp(&suspicion(a)));
        }
        texts.truncate(FLOOD_DECOYS);
        (signal, texts)
    };
    FLOODS.into_iter().map(of).collect()
}

type Alone = Mutex<BTreeMap<String, (bool, bool)>>;

fn work_on(
    job: &Job<'_>,
    corpus: &Corpus,
    reader: &Reader,
    scale: &Scale,
    flood: &BTreeMap<&'static str, Vec<&str>>,
    alone: &Alone,
    seen: &mut Seen,
) -> Result<()> {
    let mut random = Random::new(job.seed);
    let text = document(job.blocks, job.first, job.tokens);
    let without = decide(job, &text, reader, scale, seen)?;
    let sets: Vec<(&String, &Vec<Vec<String>>)> = corpus.plants.iter().collect();
    for depth in 0..DEPTHS {
        for _ in 0..scale.plants {
            let Some((set, plants)) = sets.get(random.below(sets.len())) else { continue };
            let Some(parts) = plants.get(random.below(plants.len())) else { continue };
            let is_personal = set.starts_with(PERSONAL);
            let (is_found_alone, is_recognised_alone) =
                read_alone(parts, is_personal, reader, alone)?;
            let one_in = random.below(scale.one_in) == 0;
            let phase = random.below(WINDOW_STEP);
            for flooded in FLOODS {
                if !flooded.is_empty() && (!one_in || is_personal) {
                    continue;
                }
                let decoys = flood.get(flooded).map_or(&[][..], Vec::as_slice);
                let planted = plant(&text, depth, parts, decoys);
                for method in Method::ALL {
                    let runs = match method {
                        Method::Guarded => true,
                        Method::GuardedTwice => flooded.is_empty() || one_in,
                        Method::Paper => flooded.is_empty() && one_in,
                        Method::Truncation | Method::General | Method::Full => flooded.is_empty(),
                    };
                    if !runs {
                        continue;
                    }
                    let kept = match method {
                        Method::Full => vec![windows_around(&planted.text, &planted.hull(), phase)],
                        Method::Truncation
                        | Method::Paper
                        | Method::General
                        | Method::Guarded
                        | Method::GuardedTwice => method.keep(&planted.text),
                    };
                    let verdict = reader.read(&planted.text, &kept)?;
                    let bytes = planted.kept_bytes(&kept);
                    seen.trials.push(Trial {
                        kind: job.kind.to_owned(),
                        tokens: job.tokens,
                        depth,
                        set: (*set).clone(),
                        method,
                        flood: flooded,
                        half_kept: 2 * bytes >= planted.bytes(),
                        all_kept: bytes == planted.bytes(),
                        is_found: is_found(&planted, &verdict, is_personal),
                        is_found_alone,
                        is_flagged_without: without.get(&method).copied().unwrap_or(false),
                        is_recognised: is_personal && is_recognised(&planted.text, &planted.parts),
                        is_recognised_alone,
                        truncated: verdict.truncated,
                    });
                }
            }
        }
    }
    Ok(())
}

/// Windows begin this many tokens apart: their length less the overlap of the embedded model.
const WINDOW_STEP: usize = 448;

/// Reads the unplanted document in every way; tells which ways flag it.
fn decide(
    job: &Job<'_>,
    text: &str,
    reader: &Reader,
    scale: &Scale,
    seen: &mut Seen,
) -> Result<BTreeMap<Method, bool>> {
    let full = if job.tokens <= scale.full_up_to {
        Some(reader.read(text, std::slice::from_ref(&(0..text.len())))?)
    } else {
        None
    };
    let mut without = BTreeMap::new();
    for method in Method::ALL {
        let verdict = match (method, &full) {
            (Method::Full, Some(full)) => full.clone(),
            (Method::Full, None) => continue,
            _ => reader.read(text, &method.keep(text))?,
        };
        let found = |verdict: &Verdict| !verdict.types(text).is_empty();
        seen.decisions.push(Decisions {
            tokens: job.tokens,
            method,
            is_flagged: verdict.is_attack,
            domain_agrees: full.as_ref().map(|full| full.domain == verdict.domain),
            pii_agrees: full.as_ref().map(|full| found(full) == found(&verdict)),
            tokens_read: verdict.tokens,
        });
        // What the windows around a plant say is the plant's doing: the rest of the text is not in them.
        without.insert(method, verdict.is_attack && method != Method::Full);
    }
    Ok(without)
}

fn read_alone(
    parts: &[String],
    is_personal: bool,
    reader: &Reader,
    alone: &Alone,
) -> Result<(bool, bool)> {
    let text = parts.join("\n");
    let known = || alone.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(found) = known().get(&text) {
        return Ok(*found);
    }
    let whole = 0..text.len();
    let planted = Planted { parts: vec![whole.clone()], text: text.clone() };
    let verdict = reader.read(&text, std::slice::from_ref(&whole))?;
    let found = (
        is_found(&planted, &verdict, is_personal),
        is_personal && is_recognised(&text, std::slice::from_ref(&whole)),
    );
    known().insert(text, found);
    Ok(found)
}

fn overlaps(parts: &[Range<usize>], range: &Range<usize>) -> bool {
    parts.iter().any(|part| part.start < range.end && range.start < part.end)
}

fn is_recognised(text: &str, parts: &[Range<usize>]) -> bool {
    recognised(text).iter().any(|(_, range)| overlaps(parts, range))
}

/// An attack is found when the text is flagged; personal data when an entity lies in it, of the recognisers or the model.
fn is_found(planted: &Planted, verdict: &Verdict, is_personal: bool) -> bool {
    if is_personal {
        verdict.entities.iter().any(|(_, range)| overlaps(&planted.parts, range))
            || is_recognised(&planted.text, &planted.parts)
    } else {
        verdict.is_attack
    }
}

/// Sentences of a benign source that the suspicion scorer finds suspicious: counted, above 0, above 1.
pub(super) fn false_flags(blocks: &[String]) -> (usize, usize, usize) {
    let (mut all, mut above_0, mut above_1) = (0, 0, 0);
    for block in blocks {
        for range in compress::sentences::sentences(block) {
            let sentence = block.get(range).unwrap_or_default();
            if estimate_tokens(sentence) < 3 {
                continue;
            }
            let score = suspicion(sentence);
            all += 1;
            above_0 += usize::from(score > 0.0);
            above_1 += usize::from(score > 1.0);
        }
    }
    (all, above_0, above_1)
}
