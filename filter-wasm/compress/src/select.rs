//! Chooses the sentences to keep.

use std::collections::BinaryHeap;
use std::ops::Range;

use crate::budget::{SPECIAL_TOKENS, estimate_tokens};
use crate::config::{Raw, RoleWeights};
use crate::document::Document;
use crate::picker::{Outcome, Part, Picker};
use crate::scores::{Scores, score};
use crate::signals::{REACH, Signals, measure};

/// Who wrote a passage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// System or developer instructions.
    System,
    /// The user.
    User,
    /// The model's own earlier turns.
    Assistant,
    /// Tool results and tool arguments.
    Tool,
    /// Not known.
    #[default]
    Unspecified,
}

impl Role {
    pub(crate) const ALL: [Self; 5] =
        [Self::System, Self::User, Self::Assistant, Self::Tool, Self::Unspecified];

    fn weight(self, weights: &RoleWeights) -> f32 {
        match self {
            Self::System => weights.system,
            Self::User => weights.user,
            Self::Assistant => weights.assistant,
            Self::Tool => weights.tool,
            Self::Unspecified => 1.0,
        }
    }
}

/// Which sentences matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Those that stand for the text.
    Compressed,
    /// Those that may be an attack or hold personal data, then those that stand for the text.
    #[default]
    Guarded,
}

/// A span that a recogniser found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Number of the passage.
    pub passage: usize,
    /// Bytes of the passage's text.
    pub range: Range<usize>,
}

/// What to select from, and how.
#[derive(Clone, Copy, Debug)]
pub struct SelectRequest<'a> {
    /// All passages, complete, in the order of the request.
    pub texts: &'a [&'a str],
    /// Role of each passage; missing ones are [`Role::Unspecified`].
    pub roles: &'a [Role],
    /// Spans to keep in guarded mode, in any order.
    pub flagged: &'a [Flag],
    /// Hard cap on the tokens kept, special tokens included.
    pub budget_tokens: usize,
    /// Which sentences matter.
    pub mode: Mode,
}

/// A kept stretch of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Number of the passage.
    pub passage: usize,
    /// Bytes of the passage's text, on character boundaries.
    pub range: Range<usize>,
}

/// What was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Kept stretches in the order of the request, not overlapping. Neighbours are one piece.
    pub pieces: Vec<Piece>,
    /// Estimated tokens of all passages.
    pub tokens_in: usize,
    /// Estimated tokens of the pieces, special tokens included. At most the budget.
    pub tokens_kept: usize,
    /// Bytes of all passages.
    pub bytes_in: usize,
    /// Bytes of the pieces.
    pub bytes_kept: usize,
    /// True when everything is kept.
    pub whole: bool,
    /// True when text past the cap on bytes was not looked at.
    pub overflowed: bool,
}

/// Why a sentence was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The whole text fits the budget.
    Whole,
    /// First or last sentences.
    Edge,
    /// Holds a flagged span.
    Flagged,
    /// Suspicion model.
    Suspicion,
    /// Strange characters.
    Strangeness,
    /// Speaks to a reader or a model.
    Address,
    /// Sum of the signals.
    Mixed,
    /// Best of its region.
    Region,
    /// Next to a hit.
    Neighbour,
    /// The four scores.
    Score,
}

/// A sentence with its scores and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Number of the passage.
    pub passage: usize,
    /// Bytes of the passage's text.
    pub range: Range<usize>,
    /// Estimated tokens.
    pub tokens: usize,
    /// The four scores.
    pub scores: Scores,
    /// Weighted sum that ranks the sentence.
    pub total: f32,
    /// Log-odds of the suspicion model, alone or with its neighbours.
    pub suspicion: f32,
    /// Surprise of its characters, nats a trigram.
    pub strangeness: f32,
    /// Share of words that address a reader or a model.
    pub address: f32,
    /// Why it was kept; `None` when it was dropped.
    pub kept: Option<Reason>,
}

/// Candidates looked at by one ranking: far more than any budget holds.
const MAX_CANDIDATES: usize = 1024;

/// White space between two kept sentences that one piece may hold, in bytes.
const MAX_GAP_BYTES: usize = 64;

/// Part of the budget that first and last sentences may take in compressed mode.
const EDGE_SHARE: f32 = 0.6;

/// Sentences further off that are kept for one hit.
const MAX_COMPANIONS: usize = 3;

/// Most hits of one region that one signal keeps before other regions have had their turn.
const HITS_PER_REGION: u8 = 1;

pub(crate) fn select(document: &Document, config: &Raw, request: SelectRequest<'_>) -> Selection {
    let bytes_in = request.texts.iter().map(|text| text.len()).sum();
    let tokens_in = tokens_in(document);
    let overflowed = document.is_full();
    if !overflowed && tokens_in <= request.budget_tokens {
        let all = |(passage, text): (usize, &&str)| Piece { passage, range: 0..text.len() };
        return Selection {
            pieces: request
                .texts
                .iter()
                .enumerate()
                .filter(|(_, text)| !text.is_empty())
                .map(all)
                .collect(),
            tokens_in,
            tokens_kept: tokens_in,
            bytes_in,
            bytes_kept: bytes_in,
            whole: true,
            overflowed,
        };
    }
    let chosen = choose(document, config, request);
    let pieces = pieces_of(document, &chosen.picker);
    let text_of = |piece: &Piece| {
        request.texts.get(piece.passage).and_then(|text| text.get(piece.range.clone()))
    };
    let tokens: usize = pieces.iter().map(|piece| text_of(piece).map_or(0, estimate_tokens)).sum();
    debug_assert!(
        chosen.picker.spent() + SPECIAL_TOKENS <= request.budget_tokens.max(SPECIAL_TOKENS)
    );
    Selection {
        tokens_in,
        tokens_kept: if pieces.is_empty() { 0 } else { tokens + pieces.len() - 1 + SPECIAL_TOKENS },
        bytes_in,
        bytes_kept: pieces.iter().map(|piece| piece.range.len()).sum(),
        whole: false,
        overflowed,
        pieces,
    }
}

pub(crate) fn explain(
    document: &Document,
    config: &Raw,
    request: SelectRequest<'_>,
) -> Vec<Report> {
    let chosen = choose(document, config, request);
    let whole = !document.is_full() && tokens_in(document) <= request.budget_tokens;
    let at_or_zero = |values: &[f32], at: usize| values.get(at).copied().unwrap_or(0.0);
    document
        .units
        .iter()
        .enumerate()
        .map(|(at, unit)| Report {
            passage: unit.passage as usize,
            range: unit.range(),
            tokens: usize::from(unit.tokens),
            scores: chosen.scores.get(at).copied().unwrap_or_default(),
            total: at_or_zero(&chosen.totals, at),
            suspicion: at_or_zero(&chosen.signals.suspicion, at),
            strangeness: at_or_zero(&chosen.signals.strangeness, at),
            address: at_or_zero(&chosen.signals.address, at),
            kept: if whole {
                Some(Reason::Whole)
            } else {
                chosen.picker.kept(at).map(|kept| kept.reason)
            },
        })
        .collect()
}

fn tokens_in(document: &Document) -> usize {
    let passages = document.units.last().map_or(0, |unit| unit.passage as usize);
    let text: usize = document.units.iter().map(|unit| usize::from(unit.tokens)).sum();
    if document.units.is_empty() { 0 } else { text + passages + SPECIAL_TOKENS }
}

struct Chosen<'a> {
    picker: Picker<'a>,
    scores: Vec<Scores>,
    totals: Vec<f32>,
    signals: Signals,
}

fn choose<'a>(document: &'a Document, config: &Raw, request: SelectRequest<'a>) -> Chosen<'a> {
    let scores = score(document, f64::from(config.position_depth));
    let totals = totals(document, config, request.roles, &scores);
    let limit = request.budget_tokens.saturating_sub(SPECIAL_TOKENS);
    let mut picker = Picker::new(document, request.texts, limit, config.duplicate_overlap);
    let edges = edges(document, config, request.roles);
    let signals = match request.mode {
        Mode::Compressed => {
            let mut purse = share(limit, EDGE_SHARE);
            for (unit, part) in edges {
                picker.take_part(unit, Reason::Edge, &mut purse, part);
            }
            Signals {
                suspicion: Vec::new(),
                strangeness: Vec::new(),
                address: Vec::new(),
                mixed: Vec::new(),
                groups: Vec::new(),
                companion_floor: 0.0,
            }
        }
        Mode::Guarded => {
            let signals = measure(document, request.roles, config.mix);
            guarded(&mut picker, config, request, limit, &edges, &signals, document);
            signals
        }
    };
    let mut purse = picker.tokens_left();
    let mut longest_left = None;
    for unit in top(&totals, MAX_CANDIDATES) {
        if picker.take(unit, Reason::Score, &mut purse) == Outcome::TooLong {
            longest_left = longest_left.or(Some(unit));
        }
    }
    // Nothing else fits: cut the best of what is left, so that no budget stays unused for want of short sentences.
    if let Some(unit) = longest_left {
        picker.take_part(unit, Reason::Score, &mut purse, Part::Beginning);
    }
    Chosen { picker, scores, totals, signals }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a share of a small count"
)]
fn share(limit: usize, share: f32) -> usize {
    (limit as f32 * share) as usize
}

fn totals(document: &Document, config: &Raw, roles: &[Role], scores: &[Scores]) -> Vec<f32> {
    let weights = config.weights;
    let sum = weights.textrank + weights.position + weights.tfidf + weights.novelty;
    document
        .units
        .iter()
        .zip(scores)
        .map(|(unit, scores)| {
            let total = weights.textrank * scores.textrank
                + weights.position * scores.position
                + weights.tfidf * scores.tfidf
                + weights.novelty * scores.novelty;
            let role = roles.get(unit.passage as usize).copied().unwrap_or_default();
            // Mean TF-IDF favours fragments of one or two rare words; a fragment says little about the text.
            let full = f32::from(u16::try_from(config.full_length_terms).unwrap_or(u16::MAX));
            let length =
                if full > 0.0 { (f32::from(unit.terms) / full).min(1.0).sqrt() } else { 1.0 };
            total / sum * role.weight(&config.roles) * length
        })
        .collect()
}

/// The sentences to reserve, most wanted first: the first lines of the system text, the ends of the newest user turn,
/// or the ends of the text when nobody says whose it is.
fn edges(document: &Document, config: &Raw, roles: &[Role]) -> Vec<(usize, Part)> {
    let role = |passage: u32| roles.get(passage as usize).copied().unwrap_or_default();
    let all = 0..document.units.len();
    let of_passage = |passage: u32| {
        let from = document.units.partition_point(|unit| unit.passage < passage);
        let to = document.units.partition_point(|unit| unit.passage <= passage);
        from..to
    };
    let first_of = |wanted: Role| {
        document.units.iter().map(|unit| unit.passage).find(|passage| role(*passage) == wanted)
    };
    let newest_user = document
        .units
        .iter()
        .rev()
        .map(|unit| unit.passage)
        .find(|passage| role(*passage) == Role::User);
    let head = first_of(Role::System).map_or(all.clone(), of_passage);
    let tail = newest_user.map_or(all, of_passage);
    let mut out = Vec::new();
    let mut add = |unit: Option<usize>, part: Part| {
        if let Some(unit) = unit
            && out.iter().all(|(other, _)| *other != unit)
        {
            out.push((unit, part));
        }
    };
    let nth = |range: &Range<usize>, n: usize| range.clone().nth(n);
    let nth_back = |range: &Range<usize>, n: usize| range.clone().rev().nth(n);
    if config.keep_first > 0 {
        add(nth(&head, 0), Part::Beginning);
    }
    if config.keep_last > 0 {
        add(nth_back(&tail, 0), Part::End);
        if tail.start != head.start {
            add(nth(&tail, 0), Part::Beginning);
        }
    }
    (1..config.keep_first).for_each(|n| add(nth(&head, n), Part::Beginning));
    (1..config.keep_last).for_each(|n| add(nth_back(&tail, n), Part::End));
    out
}

fn guarded(
    picker: &mut Picker<'_>,
    config: &Raw,
    request: SelectRequest<'_>,
    limit: usize,
    edges: &[(usize, Part)],
    signals: &Signals,
    document: &Document,
) {
    let shares = config.shares;
    let mut purse = share(limit, shares.edges);
    for (unit, part) in edges {
        picker.take_part(*unit, Reason::Edge, &mut purse, *part);
    }
    let regions = regions(document, config.regions);
    let mut purse = share(limit, shares.flagged);
    for (unit, around) in flagged_units(document, request.flagged, &regions, config.regions) {
        picker.take_part(unit, Reason::Flagged, &mut purse, Part::Around(around));
    }
    let mut hits = Vec::new();
    let groups: Vec<(f32, &[usize])> =
        signals.groups.iter().map(|group| (group.score, group.units())).collect();
    let mut rank = |picker: &mut Picker<'_>,
                    values: &[f32],
                    groups: &[(f32, &[usize])],
                    part: f32,
                    reason: Reason| {
        hits.extend(spend(
            picker,
            values,
            groups,
            share(limit, part),
            reason,
            &regions,
            config.regions,
        ));
    };
    rank(picker, &signals.suspicion, &groups, shares.suspicion, Reason::Suspicion);
    rank(picker, &signals.strangeness, &[], shares.strangeness, Reason::Strangeness);
    rank(picker, &signals.address, &[], shares.address, Reason::Address);
    rank(picker, &signals.mixed, &[], shares.mixed, Reason::Mixed);
    each_region(picker, &signals.mixed, share(limit, shares.regions), &regions, config.regions);
    let mut purse = share(limit, shares.companions);
    for hit in hits {
        for companion in companions(document, signals, hit) {
            picker.take(companion, Reason::Neighbour, &mut purse);
        }
    }
}

/// Sentences that may belong to a hit: the one after and the one before it, and further off those that are suspicious
/// themselves, most suspicious first.
fn companions(document: &Document, signals: &Signals, hit: usize) -> Vec<usize> {
    let suspicion = |at: usize| signals.suspicion.get(at).copied().unwrap_or(f32::MIN);
    let passage = |at: usize| document.units.get(at).map(|unit| unit.passage);
    let mut near: Vec<usize> = (hit.saturating_sub(REACH)..=hit.saturating_add(REACH))
        .filter(|at| *at != hit && at.abs_diff(hit) > 1 && suspicion(*at) > signals.companion_floor)
        .collect();
    near.sort_by(|a, b| suspicion(*b).total_cmp(&suspicion(*a)).then(a.cmp(b)));
    near.truncate(MAX_COMPANIONS);
    let adjacent = [hit.wrapping_add(1), hit.wrapping_sub(1)];
    near.extend(adjacent.into_iter().filter(|at| passage(*at) == passage(hit)));
    near
}

/// Spends a purse on the best sentences of one signal: first at most [`HITS_PER_REGION`] a region, so that decoys in
/// one place are one hit, then without that limit. Groups are taken as one hit. Returns the hits, best first.
fn spend(
    picker: &mut Picker<'_>,
    values: &[f32],
    groups: &[(f32, &[usize])],
    mut purse: usize,
    reason: Reason,
    regions: &[u8],
    region_count: usize,
) -> Vec<usize> {
    let ranked = top(values, MAX_CANDIDATES);
    let mut hits = Vec::new();
    for sweep in 0..2 {
        let mut in_region = vec![0u8; region_count];
        let mut full = |unit: usize, count: bool| {
            let region = usize::from(regions.get(unit).copied().unwrap_or(0));
            let taken = in_region.get_mut(region);
            taken.is_some_and(|taken| {
                *taken = taken.saturating_add(u8::from(count));
                sweep == 0 && *taken >= HITS_PER_REGION
            })
        };
        let mut next_group = groups.iter().peekable();
        for unit in &ranked {
            let value = values.get(*unit).copied().unwrap_or(f32::MIN);
            while let Some((_, members)) = next_group.next_if(|(score, _)| *score >= value) {
                let first = members.first().copied().unwrap_or(0);
                let cost: usize = members
                    .iter()
                    .filter(|unit| !picker.is_kept(**unit))
                    .map(|unit| picker.cost(*unit))
                    .sum();
                if cost > purse || full(first, false) {
                    continue;
                }
                let mut taken = false;
                for member in *members {
                    taken |= picker.take(*member, reason, &mut purse) == Outcome::Taken;
                }
                if taken {
                    full(first, true);
                    hits.extend(members.iter().copied());
                }
            }
            if purse < MIN_PURSE {
                return hits;
            }
            if full(*unit, false) {
                continue;
            }
            match picker.take(*unit, reason, &mut purse) {
                Outcome::Taken => {
                    full(*unit, true);
                    hits.push(*unit);
                }
                Outcome::TooLong if hits.is_empty() => {
                    // The best sentence of a signal is kept even where its share is small.
                    if picker.take_part(*unit, reason, &mut purse, Part::Beginning)
                        == Outcome::Taken
                    {
                        full(*unit, true);
                        hits.push(*unit);
                    }
                }
                // Kept for another reason: the signal still has a turn in that region.
                Outcome::AlreadyKept | Outcome::TooLong | Outcome::Duplicate => {}
            }
        }
    }
    hits
}

/// A purse below this buys no sentence.
const MIN_PURSE: usize = 5;

/// Takes the best sentence of each region that has none yet, most promising regions first.
fn each_region(
    picker: &mut Picker<'_>,
    values: &[f32],
    mut purse: usize,
    regions: &[u8],
    region_count: usize,
) {
    let mut served = vec![false; region_count];
    let mut served_by = |unit: usize, serve: bool| {
        let region = usize::from(regions.get(unit).copied().unwrap_or(0));
        served.get_mut(region).is_some_and(|served| {
            *served |= serve;
            *served
        })
    };
    for unit in (0..regions.len()).filter(|unit| picker.is_kept(*unit)) {
        served_by(unit, true);
    }
    // The best few of each region: one that is too long or a repetition gives way to the next.
    let mut best = vec![[(f32::NEG_INFINITY, usize::MAX); BEST_OF_REGION]; region_count];
    for (unit, (region, value)) in regions.iter().zip(values).enumerate() {
        let Some(best) = best.get_mut(usize::from(*region)) else { continue };
        let mut candidate = (*value, unit);
        for held in best {
            if candidate.0 > held.0 {
                std::mem::swap(held, &mut candidate);
            }
        }
    }
    let mut candidates: Vec<(f32, usize)> = best.into_iter().flatten().collect();
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (_, unit) in candidates.into_iter().filter(|(_, unit)| *unit < regions.len()) {
        if purse < MIN_PURSE {
            break;
        }
        if !served_by(unit, false)
            && picker.take(unit, Reason::Region, &mut purse) == Outcome::Taken
        {
            served_by(unit, true);
        }
    }
}

/// Sentences of a region that are tried.
const BEST_OF_REGION: usize = 4;

/// Region of each sentence: equal parts of the text's bytes.
fn regions(document: &Document, count: usize) -> Vec<u8> {
    let all: usize = document.units.iter().map(crate::document::Unit::bytes).sum();
    let mut before = 0;
    let region = |unit: &crate::document::Unit| {
        let region = before * count / all.max(1);
        before += unit.bytes();
        u8::try_from(region.min(count - 1)).unwrap_or(u8::MAX)
    };
    document.units.iter().map(region).collect()
}

/// Sentences with flagged spans and a byte of the span: one a region, then the next of each, and so on.
fn flagged_units(
    document: &Document,
    flags: &[Flag],
    regions: &[u8],
    region_count: usize,
) -> Vec<(usize, usize)> {
    let mut rounds = vec![0usize; region_count];
    let mut out: Vec<(usize, usize, usize)> = Vec::new();
    let mut spans: Vec<(usize, usize, usize)> =
        flags.iter().map(|flag| (flag.passage, flag.range.start, flag.range.end)).collect();
    spans.sort_unstable();
    spans.dedup();
    let mut last = None;
    for (passage, start, end) in spans {
        let key = |unit: &crate::document::Unit| (unit.passage as usize, unit.range().end);
        let from = document.units.partition_point(|unit| key(unit) <= (passage, start));
        for (unit, record) in document.units.iter().enumerate().skip(from) {
            if record.passage as usize != passage || record.range().start >= end.max(start + 1) {
                break;
            }
            if last == Some(unit) {
                continue;
            }
            last = Some(unit);
            let region = usize::from(regions.get(unit).copied().unwrap_or(0));
            if let Some(round) = rounds.get_mut(region) {
                out.push((*round, unit, start.max(record.range().start)));
                *round += 1;
            }
        }
    }
    out.sort_unstable();
    out.truncate(MAX_CANDIDATES);
    out.into_iter().map(|(_, unit, around)| (unit, around)).collect()
}

/// Numbers of the `count` highest values, highest first; equal values in the order of the text.
pub(crate) fn top(values: &[f32], count: usize) -> Vec<usize> {
    #[derive(PartialEq)]
    struct Entry(f32, usize);
    impl Eq for Entry {}
    impl PartialOrd for Entry {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }
    impl Ord for Entry {
        // The weakest on top of the heap.
        fn cmp(&self, other: &Self) -> std::cmp::Ordering {
            other.0.total_cmp(&self.0).then(self.1.cmp(&other.1))
        }
    }
    let mut heap = BinaryHeap::new();
    for (at, value) in values.iter().enumerate() {
        heap.push(Entry(*value, at));
        if heap.len() > count {
            heap.pop();
        }
    }
    heap.into_sorted_vec().into_iter().map(|entry| entry.1).collect()
}

/// Kept sentences as pieces; neighbours with little between them are one.
fn pieces_of(document: &Document, picker: &Picker<'_>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut last_whole_end = None;
    for (at, unit) in document.units.iter().enumerate() {
        let Some(kept) = picker.kept(at) else {
            last_whole_end = None;
            continue;
        };
        let passage = unit.passage as usize;
        let joins = last_whole_end == Some(passage) && kept.range.start == unit.range().start;
        match pieces.last_mut() {
            Some(piece) if joins && kept.range.start - piece.range.end <= MAX_GAP_BYTES => {
                piece.range.end = kept.range.end
            }
            _ => pieces.push(Piece { passage, range: kept.range.clone() }),
        }
        last_whole_end = (kept.range.end == unit.range().end).then_some(passage);
    }
    pieces
}
