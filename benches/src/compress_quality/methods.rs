//! The ways of reading a long text that are compared.

use std::ops::Range;

use compress::{
    Compressor, Config, Flag, Mode, Profile, Role, SelectRequest, estimate_tokens, prefix_within,
};
use recognise::{Recogniser, Scanner};

#[path = "../../../filter-wasm/compress/tests/twin/mod.rs"]
mod twin;

pub(crate) use twin::compress as papers_algorithm;

/// Tokens that one window of the classifier holds.
pub(super) const WINDOW_TOKENS: usize = 512;

/// A way of reading a long text within a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Method {
    /// The first window only: what a classifier does that is given too much.
    Truncation,
    /// The paper's algorithm, transcribed.
    Paper,
    /// This crate's `compressed` coverage.
    General,
    /// This crate's `guarded` coverage.
    Guarded,
    /// `guarded` with a budget of two windows.
    GuardedTwice,
    /// Every token, in overlapping windows.
    Full,
}

impl Method {
    pub(super) const ALL: [Self; 6] = [
        Self::Truncation,
        Self::Paper,
        Self::General,
        Self::Guarded,
        Self::GuardedTwice,
        Self::Full,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Truncation => "truncation",
            Self::Paper => "paper",
            Self::General => "general",
            Self::Guarded => "guarded",
            Self::GuardedTwice => "guarded, 2 windows",
            Self::Full => "full",
        }
    }

    /// What is kept of a text: ranges in ascending order.
    pub(super) fn keep(self, text: &str) -> Vec<Range<usize>> {
        match self {
            Self::Truncation => {
                let end = prefix_within(text, WINDOW_TOKENS - compress::SPECIAL_TOKENS);
                std::iter::once(0..end).collect()
            }
            Self::Paper => paper(text),
            Self::General => select(text, Mode::Compressed, WINDOW_TOKENS),
            Self::Guarded => select(text, Mode::Guarded, WINDOW_TOKENS),
            Self::GuardedTwice => select(text, Mode::Guarded, 2 * WINDOW_TOKENS),
            Self::Full => std::iter::once(0..text.len()).collect(),
        }
    }
}

/// What recognisers find in a text: type and place.
pub(super) fn recognised(text: &str) -> Vec<(&'static str, Range<usize>)> {
    let mut scanner = Scanner::new();
    scanner.advance(&Recogniser::default(), text, true);
    scanner.hits().iter().map(|hit| (hit.entity.name(), hit.range.clone())).collect()
}

fn select(text: &str, mode: Mode, budget_tokens: usize) -> Vec<Range<usize>> {
    let flagged: Vec<Flag> = match mode {
        Mode::Guarded => {
            recognised(text).into_iter().map(|(_, range)| Flag { passage: 0, range }).collect()
        }
        Mode::Compressed => Vec::new(),
    };
    let request = SelectRequest {
        texts: &[text],
        roles: &[Role::User],
        flagged: &flagged,
        budget_tokens,
        mode,
    };
    let selection = Compressor::new(&Config::from(Profile::General)).select(request);
    selection.pieces.into_iter().map(|piece| piece.range).collect()
}

/// The sentences that the paper's algorithm keeps, found again in the text.
fn paper(text: &str) -> Vec<Range<usize>> {
    let (mut from, mut out) = (0, Vec::new());
    for sentence in papers_algorithm(text) {
        if let Some(at) = text.get(from..).and_then(|rest| rest.find(&sentence)) {
            out.push(from + at..from + at + sentence.len());
            from += at + sentence.len();
        }
    }
    out
}

/// The stretch of a text that the windows holding `place` would read, the windows beginning `phase` tokens before the
/// stretch does: what `full` coverage shows the model of it, without reading all the rest.
pub(super) fn windows_around(text: &str, place: &Range<usize>, phase: usize) -> Range<usize> {
    let floor = text.len().min(place.start).saturating_sub(16 * WINDOW_TOKENS);
    let floor = (floor..=place.start).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let before = text.get(floor..place.start).unwrap_or_default();
    let start = before
        .char_indices()
        .rev()
        .filter(|(_, char)| char.is_whitespace() || !char.is_ascii())
        .map(|(at, _)| at)
        .find(|at| before.get(*at..).is_none_or(|tail| estimate_tokens(tail) >= phase))
        .map_or(floor, |at| floor + at);
    let rest = text.get(place.end..).unwrap_or_default();
    start..place.end + prefix_within(rest, WINDOW_TOKENS.saturating_sub(phase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_keeps_its_budget_and_whole_characters() {
        let text =
            "The committee met. Ein längerer Satz über Äpfel und Öl. 会议结束了。 ".repeat(400);
        for method in Method::ALL {
            let kept = method.keep(&text);
            let pieces: Vec<&str> = kept.iter().map(|range| &text[range.clone()]).collect();
            let tokens: usize = pieces.iter().map(|piece| estimate_tokens(piece)).sum();
            let budget = match method {
                Method::Full => usize::MAX,
                Method::GuardedTwice => 2 * WINDOW_TOKENS,
                // The paper counts tokens in its own way, 1.3 a word.
                Method::Paper => 3 * WINDOW_TOKENS,
                Method::Truncation | Method::General | Method::Guarded => WINDOW_TOKENS,
            };
            assert!(tokens > 0 && tokens <= budget, "{}: {tokens}", method.name());
        }
    }

    #[test]
    fn the_windows_around_a_place_hold_it_and_about_a_window_more() {
        let text = "Words are written here, one after another. ".repeat(500);
        let place = 9000..9100;
        for phase in [0, 200, 448] {
            let around = windows_around(&text, &place, phase);
            assert!(around.start <= place.start && around.end >= place.end);
            let before = estimate_tokens(&text[around.start..place.start]);
            assert!(before.abs_diff(phase) <= 4, "{before} for {phase}");
        }
    }
}
