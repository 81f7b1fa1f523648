//! Slow, obvious twins of this crate's fast paths, and the checks that hold
//! them equal. Plain tests and fuzz targets call the same functions.
//!
//! The twins parse with `serde_json` and walk the tree recursively. They
//! share with the product the table of shapes, which is data, and nothing
//! that handles chunks, escapes or offsets.
//!
//! Known differences between the scanner and `serde_json`, allowed for here:
//! a lone surrogate escape reads as U+FFFD instead of being refused; a number
//! beyond `f64` is a number; duplicate keys are refused.

mod generate;
mod twin;

pub use generate::{body, cuts, mutate};

use crate::encoding::{Caps, Decoder, Encoding};
use crate::error::ErrorKind;
use crate::{Api, BodyReader, Edit, Error, Limits, Passage, ToolDefinitions, redact};
use twin::{Node, Twin};

/// Limits small enough to be met by small bodies.
#[must_use]
pub fn small_limits() -> Limits {
    Limits {
        max_body_bytes: 4096,
        max_depth: 100,
        max_text_bytes: 2000,
        max_passages: 60,
        max_key_bytes: 300,
        max_object_keys: 40,
        max_model_bytes: 64,
    }
}

/// Limits that no body in these checks meets.
fn wide_limits() -> Limits {
    Limits { max_model_bytes: usize::MAX, max_key_bytes: usize::MAX, ..Limits::default() }
}

/// Reads a body in pieces that end at `cuts` (sorted or not, in any range).
pub fn read_in_pieces(
    body: &[u8],
    cuts: &[usize],
    limits: Limits,
    definitions: ToolDefinitions,
) -> (BodyReader, Result<(), Error>) {
    let mut reader =
        BodyReader::new(&Api::ChatCompletions, limits).with_tool_definitions(definitions);
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (body.len() + 1)).collect();
    cuts.extend([0, body.len()]);
    cuts.sort_unstable();
    let mut result = Ok(());
    for pair in cuts.windows(2) {
        let &[from, to] = pair else { continue };
        result = reader.feed(body.get(from..to).unwrap_or_default());
        if result.is_err() {
            break;
        }
    }
    let result = result.and_then(|()| reader.finish());
    (reader, result)
}

/// Runs every check of this module on one body.
///
/// # Errors
///
/// A description of the first rule that does not hold. It may quote the body.
pub fn check(body: &[u8], cuts: &[usize]) -> Result<(), String> {
    cuts_carry_no_meaning(body, cuts, small_limits())?;
    for definitions in [ToolDefinitions::Skip, ToolDefinitions::Scan] {
        texts_are_those_of_the_twin(body, definitions)?;
    }
    let (reader, result) = read_in_pieces(body, cuts, wide_limits(), ToolDefinitions::Skip);
    if result.is_ok() {
        for passage in reader.passages() {
            offsets_lead_to_the_text(body, passage)?;
        }
        edits_change_their_span_only(body, &reader)?;
    }
    Ok(())
}

/// Decodes `data` whole and in pieces of `step` bytes: both succeed with the
/// same bytes or both fail, and neither gives more than the cap.
///
/// # Errors
///
/// A description of the rule that does not hold.
pub fn check_encoded(encoding: Encoding, data: &[u8], step: usize) -> Result<(), String> {
    let caps = Caps { max_decoded_bytes: 1 << 20, ratio_free_bytes: 1 << 16, max_ratio: 100 };
    let decode = |step: usize| {
        let mut decoder = Decoder::new(encoding, caps);
        let mut out = Vec::new();
        let result = data.chunks(step.max(1)).try_for_each(|chunk| {
            decoder.decode(chunk, &mut |piece| {
                out.extend_from_slice(piece);
                Ok(())
            })
        });
        (result.and_then(|()| decoder.finish()), out)
    };
    let ((whole, whole_out), (cut, cut_out)) = (decode(data.len()), decode(step));
    if whole_out.len().max(cut_out.len()) > caps.max_decoded_bytes {
        return Err("more was decoded than the cap allows".to_owned());
    }
    if whole.is_ok() != cut.is_ok() || whole.is_ok() && whole_out != cut_out {
        return Err(format!("whole {whole:?}, in pieces of {step} {cut:?}"));
    }
    Ok(())
}

/// Any cuts give the same passages, facts and error as one piece.
fn cuts_carry_no_meaning(body: &[u8], cuts: &[usize], limits: Limits) -> Result<(), String> {
    let (whole, expected) = read_in_pieces(body, &[], limits, ToolDefinitions::Skip);
    let singles: Vec<usize> = (0..body.len()).collect();
    for cuts in [cuts, &singles] {
        let (cut, got) = read_in_pieces(body, cuts, limits, ToolDefinitions::Skip);
        if got != expected {
            return Err(format!("cut {got:?}, whole {expected:?}"));
        }
        // After an error, more or less of the faulty string may have been taken in.
        if expected.is_err() {
            continue;
        }
        if cut.facts() != whole.facts() {
            return Err(format!("cut {:?}, whole {:?}", cut.facts(), whole.facts()));
        }
        if cut.passages() != whole.passages() {
            return Err(format!("cut {:?}, whole {:?}", cut.passages(), whole.passages()));
        }
    }
    let held: usize = whole.passages().iter().map(|passage| passage.text.len()).sum();
    if whole.text_bytes() != held {
        return Err(format!("{} bytes of text counted, {held} held", whole.text_bytes()));
    }
    if held > limits.max_text_bytes || whole.passages().len() > limits.max_passages {
        return Err("more is held than the limits allow".to_owned());
    }
    Ok(())
}

/// The body is accepted, and gives the same texts, as by the twin.
fn texts_are_those_of_the_twin(body: &[u8], definitions: ToolDefinitions) -> Result<(), String> {
    let (reader, result) = read_in_pieces(body, &[], wide_limits(), definitions);
    let tree = match Node::parse(body) {
        Ok(tree) => tree,
        Err(error) if error.contains("number out of range") || error.contains("recursion") => {
            return Ok(());
        }
        Err(error) => {
            return match result {
                Ok(()) => Err(format!("accepted, but serde_json says: {error}")),
                Err(_) => Ok(()),
            };
        }
    };
    let expected = Twin::read(&tree, definitions);
    let error = result.err().map(|error| error.kind());
    match (&expected, error) {
        (Ok(_), None) => {}
        (Err(kind), Some(error)) if *kind == error => return Ok(()),
        // The twin finds the faults in another order.
        (Err(_), Some(ErrorKind::DuplicateKey)) => return Ok(()),
        _ => return Err(format!("{error:?}, but the twin says {:?}", expected.err())),
    }
    let expected = expected.unwrap_or_default();
    let got: Vec<twin::Said> = reader
        .passages()
        .iter()
        .map(|passage| twin::Said {
            role: passage.role,
            kind: passage.kind,
            message: passage.message,
            text: passage.text.clone(),
        })
        .collect();
    if got != expected.said {
        return Err(format!("got {got:?}, twin {:?}", expected.said));
    }
    if reader.passages().iter().any(|passage| !passage.complete || passage.text.is_empty()) {
        return Err("a passage is empty or incomplete at the end".to_owned());
    }
    if reader.facts().model != expected.model || reader.facts().messages != expected.messages {
        return Err(format!("facts {:?}, twin {:?}", reader.facts(), expected.model));
    }
    Ok(())
}

/// The raw bytes of each character, and of the whole, spell the text.
fn offsets_lead_to_the_text(body: &[u8], passage: &Passage) -> Result<(), String> {
    let text = &passage.text;
    let spells = |from: usize, to: usize| -> Option<bool> {
        let raw = body.get(passage.raw_range(from..to)?)?;
        let mut means = twin::string_content(raw)?;
        if passage.offsets.is_nested() {
            // Almost-JSON keeps what only a strict parser calls an escape.
            means = twin::string_content(means.as_bytes()).unwrap_or(means);
        }
        Some(means == text.get(from..to)?)
    };
    let mut last_end = None;
    for (at, ch) in text.char_indices() {
        let end = at + ch.len_utf8();
        // A lone backslash of almost-JSON spells nothing by itself.
        if spells(at, end) != Some(true) && !(passage.offsets.is_nested() && ch == '\\') {
            return Err(format!("bytes {at}..{end} of {text:?} are misplaced"));
        }
        let raw = passage.raw_range(at..end).unwrap_or_default();
        if last_end.is_some_and(|last| last != raw.start) {
            return Err(format!("raw ranges leave a gap at {at} in {text:?}"));
        }
        last_end = Some(raw.end);
    }
    if passage.raw_range(0..text.len() + 1).is_some() {
        return Err("a range past the end has raw bytes".to_owned());
    }
    Ok(())
}

/// One edit in each passage: all else stays, and the texts are as edited.
fn edits_change_their_span_only(body: &[u8], reader: &BodyReader) -> Result<(), String> {
    const REPLACEMENT: &str = "[T\u{e9} \"\\]";
    let mut edits: Vec<Edit> = Vec::new();
    let mut expected = Vec::new();
    for (index, passage) in reader.passages().iter().enumerate() {
        let ends: Vec<usize> =
            passage.text.char_indices().map(|(at, ch)| at + ch.len_utf8()).collect();
        let nth = |n: usize| ends.get(n % ends.len()).copied().unwrap_or_default();
        let (a, b) = (nth(index * 7), nth(index * 13 + 3));
        let (from, to) = (a.min(b), a.max(b));
        edits.extend(passage.edit(from..to, REPLACEMENT).filter(|_| from < to));
        let mut text = passage.text.clone();
        if from < to {
            text.replace_range(from..to, REPLACEMENT);
        }
        // An opaque string's text begins relative to its first odd character.
        let may_move = passage.text.len().max(text.len()) >= crate::opaque::KEPT;
        expected.push((passage.offsets.is_nested() || may_move, text));
    }
    let redacted = redact(body, &edits).map_err(|error| error.to_string())?;
    edits.sort_by_key(|edit| edit.range().start);
    let (mut raw, mut new) = (0, 0);
    for edit in &edits {
        let kept = edit.range().start - raw;
        if body.get(raw..raw + kept) != redacted.get(new..new + kept) {
            return Err("bytes outside an edit have changed".to_owned());
        }
        raw = edit.range().end;
        new += kept + edit.replacement().len();
    }
    if body.get(raw..) != redacted.get(new..) {
        return Err("bytes after the last edit have changed".to_owned());
    }
    let (again, result) = read_in_pieces(&redacted, &[], wide_limits(), ToolDefinitions::Skip);
    // Two keys may have become one, or a string that was no text may be text.
    if result.is_err_and(|error| error.kind() != ErrorKind::DuplicateKey) {
        return Err(format!("the redacted body is refused: {result:?}"));
    }
    if result.is_ok() && again.passages().len() == expected.len() {
        for (passage, (differs, text)) in again.passages().iter().zip(&expected) {
            if passage.text != *text && !differs {
                return Err(format!("{:?} instead of {text:?}", passage.text));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
