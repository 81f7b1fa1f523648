//! Long documents, and a plant or decoys put into them.

use std::ops::Range;

use compress::{estimate_tokens, prefix_within};

/// Depths a plant is put at: 0 %, 10 %, ... 100 % of the document.
pub(super) const DEPTHS: usize = 11;

/// A document with a plant in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Planted {
    pub(super) text: String,
    /// Where the parts of the plant are.
    pub(super) parts: Vec<Range<usize>>,
}

impl Planted {
    /// Bytes of the plant.
    pub(super) fn bytes(&self) -> usize {
        self.parts.iter().map(Range::len).sum()
    }

    /// Bytes of the plant inside the kept ranges, which do not overlap.
    pub(super) fn kept_bytes(&self, kept: &[Range<usize>]) -> usize {
        let overlap = |a: &Range<usize>, b: &Range<usize>| {
            a.end.min(b.end).saturating_sub(a.start.max(b.start))
        };
        self.parts.iter().flat_map(|part| kept.iter().map(move |range| overlap(part, range))).sum()
    }

    /// From the first byte of the first part to the last byte of the last.
    pub(super) fn hull(&self) -> Range<usize> {
        let start = self.parts.first().map_or(0, |part| part.start);
        start..self.parts.last().map_or(start, |part| part.end)
    }
}

/// A document of about `tokens` tokens made of blocks from block `first` on, around again where they run out.
pub(super) fn document(blocks: &[String], first: usize, tokens: usize) -> String {
    let mut out = String::new();
    let mut left = tokens;
    for block in blocks.iter().cycle().skip(first) {
        let size = estimate_tokens(block);
        if size >= left {
            out.push_str(block.get(..prefix_within(block, left)).unwrap_or_default());
            break;
        }
        // An empty block counts, so that the loop ends.
        left -= size.max(1);
        out.push_str(block);
        out.push_str("\n\n");
    }
    out
}

/// The first place at or after `at` where a sentence or line ends.
fn boundary(text: &str, at: usize) -> usize {
    const MARKS: [&str; 7] = [". ", "? ", "! ", "\n", "。", "？", "\", "];
    let mut from = at.min(text.len());
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let rest = text.get(from..).unwrap_or_default();
    let ends = MARKS.iter().filter_map(|mark| rest.find(mark).map(|place| place + mark.len()));
    from + ends.min().unwrap_or(rest.len())
}

/// Puts the parts of a plant in at a depth, one sentence of the document between two of them, and decoys evenly
/// over the whole.
pub(super) fn plant(document: &str, depth: usize, parts: &[String], decoys: &[&str]) -> Planted {
    let mut inserts: Vec<(usize, &str, bool)> = Vec::new();
    let mut at = match depth {
        0 => 0,
        last if last + 1 >= DEPTHS => document.len(),
        _ => boundary(document, document.len() * depth / (DEPTHS - 1)),
    };
    for part in parts {
        inserts.push((at, part, true));
        if parts.len() > 1 {
            at = boundary(document, at + 1);
        }
    }
    for (number, decoy) in decoys.iter().enumerate() {
        let place = boundary(document, document.len() * number / decoys.len());
        inserts.push((place, decoy, false));
    }
    inserts.sort_by_key(|(at, _, _)| *at);
    let mut planted = Planted { text: String::new(), parts: Vec::new() };
    let mut from = 0;
    for (at, insert, is_plant) in inserts {
        planted.text.push_str(document.get(from..at).unwrap_or_default());
        if !planted.text.is_empty() && !planted.text.ends_with(char::is_whitespace) {
            planted.text.push(' ');
        }
        let start = planted.text.len();
        planted.text.push_str(insert);
        if is_plant {
            planted.parts.push(start..planted.text.len());
        }
        planted.text.push('\n');
        from = at;
    }
    planted.text.push_str(document.get(from..).unwrap_or_default());
    planted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks() -> Vec<String> {
        (0..9).map(|n| format!("Block {n} has a sentence. It has another one.")).collect()
    }

    #[test]
    fn a_document_has_the_tokens_asked_for_and_wraps_around() {
        for tokens in [10, 100, 1000] {
            let text = document(&blocks(), 4, tokens);
            let size = estimate_tokens(&text);
            assert!(size <= tokens && size + 16 + tokens / 20 > tokens, "{size} of {tokens}");
            assert!(text.starts_with("Block 4"));
        }
    }

    #[test]
    fn parts_lie_where_they_are_said_to_lie_at_every_depth() {
        let text = document(&blocks(), 0, 400);
        let parts = ["First part.".to_owned(), "Second part.".to_owned()];
        for depth in 0..DEPTHS {
            let planted = plant(&text, depth, &parts, &["Decoy.", "Decoy."]);
            let found: Vec<&str> = planted.parts.iter().map(|p| &planted.text[p.clone()]).collect();
            assert_eq!(found, parts, "depth {depth}");
            assert_eq!(planted.text.matches("Decoy.").count(), 2);
            let rest = planted.text.replace(['\n', ' '], "").len();
            let added: usize = "Firstpart.Secondpart.Decoy.Decoy.".len();
            assert_eq!(
                rest,
                text.replace(['\n', ' '], "").len() + added,
                "nothing of the document is lost"
            );
            let place = planted.hull().start * 10 / planted.text.len();
            assert!(place.abs_diff(depth) <= 1, "depth {depth} is at {place}");
        }
    }

    #[test]
    fn what_is_kept_of_a_plant_is_counted_in_bytes() {
        let planted = Planted { text: "x".repeat(100), parts: vec![10..20, 40..50] };
        assert_eq!(planted.bytes(), 20);
        assert_eq!(planted.kept_bytes(&[0..15, 45..100]), 10);
        assert_eq!(planted.kept_bytes(std::slice::from_ref(&(20..40))), 0);
    }
}
