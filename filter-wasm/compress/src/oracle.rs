//! Rules that must hold for any text: the fuzz target and the property tests call the same functions.

use crate::{Compressor, Config, Flag, Mode, Role, SelectRequest, Selection, estimate_tokens};

/// Checks a selection against its request.
///
/// # Errors
///
/// Names the rule that is broken.
pub fn check(selection: &Selection, request: SelectRequest<'_>) -> Result<(), &'static str> {
    let mut last = (0, 0);
    let mut tokens = 0;
    for piece in &selection.pieces {
        let Some(text) =
            request.texts.get(piece.passage).and_then(|text| text.get(piece.range.clone()))
        else {
            return Err("a piece lies outside its passage or cuts a character");
        };
        if piece.range.is_empty() || (piece.passage, piece.range.start) < last {
            return Err("pieces are empty, out of order or overlap");
        }
        last = (piece.passage, piece.range.end);
        tokens += estimate_tokens(text);
    }
    if selection.whole {
        let all: usize = request.texts.iter().map(|text| text.len()).sum();
        return if selection.bytes_kept == all {
            Ok(())
        } else {
            Err("whole, but not all is kept")
        };
    }
    let cost = tokens
        + selection.pieces.len().saturating_sub(1)
        + if selection.pieces.is_empty() { 0 } else { 2 };
    if cost > request.budget_tokens {
        return Err("the budget is exceeded");
    }
    if selection.tokens_kept != cost {
        return Err("tokens kept are miscounted");
    }
    let visible = request.texts.iter().any(|text| text.chars().any(|c| !c.is_whitespace()));
    if selection.pieces.is_empty()
        && visible
        && request.budget_tokens >= 32
        && !selection.overflowed
    {
        return Err("nothing is kept of a text that is not blank");
    }
    Ok(())
}

/// Runs a request built from arbitrary text through both modes, whole and in pieces cut at `cuts`.
///
/// # Errors
///
/// Names the rule that is broken.
pub fn run(
    texts: &[&str],
    flagged: &[Flag],
    budget_tokens: usize,
    cuts: &[usize],
) -> Result<(), &'static str> {
    let roles: Vec<Role> =
        (0..texts.len()).filter_map(|at| Role::ALL.get(at % 5).copied()).collect();
    for mode in [Mode::Compressed, Mode::Guarded] {
        let request = SelectRequest { texts, roles: &roles, flagged, budget_tokens, mode };
        let whole = Compressor::new(&Config::default()).select(request);
        check(&whole, request)?;
        let mut streaming = Compressor::new(&Config::default());
        for (passage, text) in texts.iter().enumerate() {
            let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % (text.len() + 1)).collect();
            ends.sort_unstable();
            for head in ends.into_iter().filter_map(|end| text.get(..end)) {
                streaming.advance(passage, head, false);
            }
            streaming.advance(passage, text, true);
        }
        if streaming.select(request) != whole {
            return Err("the cuts change the result");
        }
    }
    Ok(())
}
