//! A text made from another by small changes, and the way back from its bytes to the other's.

use std::ops::Range;

/// Segments after which neighbours share one, so that the map of a hostile text stays within a few megabytes.
const MAX_FINE_SEGMENTS: usize = 1 << 18;
/// Bytes of new text in one such shared segment, at least: ranges then widen to at most about this much.
const COARSE_BYTES: usize = 64;

/// The new text so far, made from the first [`taken`](Self::taken) bytes of the source. Nothing is copied while both are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Rewrite {
    /// Empty while `segments` is, and once it was released.
    text: String,
    /// Bytes of new text once `segments` is not empty.
    made: usize,
    taken: usize,
    segments: Vec<Segment>,
}

/// Texts and maps longer than this, in bytes, grow by a quarter and not to the double.
const GROWS_GENTLY: usize = 64 << 10;

/// What a stretch of new text was made from; it reaches to the next segment.
#[derive(Clone, Debug)]
struct Segment {
    new: usize,
    old: usize,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// Units of `old` source bytes that each became `new` bytes. 1 and 1 is text that was kept.
    Steps { old: u16, new: u16 },
    /// The whole stretch was made from this many source bytes.
    Lump { old: usize },
}

const KEPT: Kind = Kind::Steps { old: 1, new: 1 };

impl Rewrite {
    /// Source bytes dealt with so far.
    pub(super) const fn taken(&self) -> usize {
        self.taken
    }

    /// Bytes of new text so far.
    pub(super) fn len(&self) -> usize {
        if self.segments.is_empty() { self.taken } else { self.made }
    }

    /// Bytes of memory held.
    pub(super) const fn held_bytes(&self) -> usize {
        self.text.capacity() + self.segments.capacity() * size_of::<Segment>()
    }

    /// Frees the new text. The way back stays; nothing may be added afterwards.
    pub(super) fn release_text(&mut self) {
        self.text = String::new();
        self.segments.shrink_to_fit();
    }

    fn push(&mut self, more: &str) {
        if self.text.capacity() - self.text.len() < more.len() && self.text.len() > GROWS_GENTLY {
            self.text.reserve_exact(more.len().max(self.text.len() / 4));
        }
        self.text.push_str(more);
        self.made = self.text.len();
    }

    /// The new text so far.
    pub(super) fn text<'a>(&'a self, source: &'a str) -> &'a str {
        if self.segments.is_empty() { source.get(..self.taken).unwrap_or("") } else { &self.text }
    }

    /// Takes the source over unchanged up to `to`, a character boundary.
    pub(super) fn keep(&mut self, source: &str, to: usize) {
        let Some(kept) = source.get(self.taken..to) else { return };
        if !self.segments.is_empty() && !kept.is_empty() {
            self.note(self.taken, kept.len(), kept.len(), KEPT);
            self.push(kept);
        }
        self.taken = to;
    }

    /// Keeps the source up to `range`, which then becomes `with`; an empty `with` drops it.
    pub(super) fn replace(&mut self, source: &str, range: Range<usize>, with: &str) {
        self.keep(source, range.start);
        self.own(source);
        let old = range.len();
        let kind = match (u16::try_from(old), u16::try_from(with.len())) {
            (Ok(old), Ok(new)) if old > 0 && new > 0 => Kind::Steps { old, new },
            _ => Kind::Lump { old },
        };
        self.note(range.start, old, with.len(), kind);
        self.push(with);
        self.taken = range.end;
    }

    /// Adds text at the end that was read from `about`, source bytes which were dealt with before.
    pub(super) fn insert(&mut self, source: &str, about: Range<usize>, with: &str) {
        self.own(source);
        self.note(about.start, 0, with.len(), Kind::Lump { old: about.len() });
        self.push(with);
    }

    fn own(&mut self, source: &str) {
        if self.segments.is_empty() {
            self.push(source.get(..self.taken).unwrap_or(""));
            self.segments.push(Segment { new: 0, old: 0, kind: KEPT });
        }
    }

    /// Records that the next `new_len` bytes of text are made from `old..old + old_len` (for an insertion the lump says how much).
    fn note(&mut self, old: usize, old_len: usize, new_len: usize, kind: Kind) {
        let new = self.made;
        let full = self.segments.len() >= MAX_FINE_SEGMENTS;
        if let Some(last) = self.segments.last_mut() {
            let continues =
                last.kind == kind && matches!(kind, Kind::Steps { .. }) && last.reaches(new) == old;
            if continues {
                return;
            }
            let reach = last.reaches(new);
            match &mut last.kind {
                Kind::Lump { old: width }
                    if new == last.new && new_len == 0 && reach == old && old_len > 0 =>
                {
                    *width += old_len;
                    return;
                }
                // Past the cap the shared segment's source range is the hull of what it holds.
                Kind::Lump { old: width } if full && new - last.new < COARSE_BYTES => {
                    let added = match kind {
                        Kind::Lump { old } => old,
                        Kind::Steps { .. } => old_len,
                    };
                    let end = (last.old + *width).max(old + added);
                    last.old = last.old.min(old);
                    *width = end - last.old;
                    return;
                }
                Kind::Lump { .. } | Kind::Steps { .. } => {}
            }
        }
        let kind = match kind {
            Kind::Steps { .. } if full && kind != KEPT => Kind::Lump { old: old_len },
            Kind::Steps { .. } | Kind::Lump { .. } => kind,
        };
        let held = self.segments.len();
        if held == self.segments.capacity() && held * size_of::<Segment>() > GROWS_GENTLY {
            self.segments.reserve_exact(held / 4);
        }
        self.segments.push(Segment { new, old, kind });
    }

    /// The smallest range of the source that `range` of the new text was made from: whole units, so always on character boundaries
    /// when `range` is. What was dropped inside the range is part of it.
    pub(super) fn source_range(&self, range: Range<usize>) -> Range<usize> {
        let range = range.start.min(self.len())..range.end.min(self.len());
        if self.segments.is_empty() {
            return range;
        }
        let first =
            self.segments.partition_point(|segment| segment.new <= range.start).saturating_sub(1);
        let mut found: Option<Range<usize>> = None;
        let touched = self.segments.get(first..).unwrap_or(&[]);
        for (k, segment) in touched.iter().enumerate() {
            if k > 0 && segment.new >= range.end {
                break;
            }
            let end = touched.get(k + 1).map_or(self.made, |next| next.new);
            let old =
                segment.source(range.start.max(segment.new)..range.end.min(end).max(segment.new));
            found = Some(match found {
                Some(so_far) => so_far.start.min(old.start)..so_far.end.max(old.end),
                None => old,
            });
        }
        found.unwrap_or(0..0)
    }
}

impl Segment {
    /// The source position that follows the segment when its new text ends at `new`.
    fn reaches(&self, new: usize) -> usize {
        match self.kind {
            Kind::Steps { old, new: step } => {
                self.old + (new - self.new) / usize::from(step.max(1)) * usize::from(old)
            }
            Kind::Lump { old } => self.old + old,
        }
    }

    fn source(&self, new: Range<usize>) -> Range<usize> {
        match self.kind {
            Kind::Steps { old, new: step } => {
                let (old, step) = (usize::from(old), usize::from(step.max(1)));
                let first = (new.start - self.new) / step;
                let last = (new.end.saturating_sub(self.new)).div_ceil(step).max(first);
                self.old + first * old..self.old + last * old
            }
            Kind::Lump { old } => self.old..self.old + old,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_copied_while_the_texts_agree() {
        let mut rewrite = Rewrite::default();
        rewrite.keep("plain", 3);
        assert_eq!((rewrite.text("plain"), rewrite.len(), rewrite.text.capacity()), ("pla", 3, 0));
        assert_eq!(rewrite.source_range(1..9), 1..3);
    }

    #[test]
    fn ranges_lead_back_over_replaced_dropped_and_inserted_text() {
        // a é·é b(drop) c [é -> ee], then text read from "bc".
        let source = "aéébc.";
        let mut rewrite = Rewrite::default();
        rewrite.replace(source, 1..3, "e");
        rewrite.replace(source, 3..5, "e");
        rewrite.replace(source, 5..6, "");
        rewrite.keep(source, 7);
        rewrite.insert(source, 5..7, " decoded ");
        rewrite.keep(source, 8);
        assert_eq!(rewrite.text(source), "aeec decoded .");
        assert_eq!(rewrite.source_range(0..1), 0..1);
        assert_eq!(rewrite.source_range(1..2), 1..3);
        assert_eq!(rewrite.source_range(2..3), 3..5);
        assert_eq!(rewrite.source_range(2..4), 3..7);
        assert_eq!(rewrite.source_range(3..4), 6..7);
        assert_eq!(rewrite.source_range(6..8), 5..7);
        assert_eq!(rewrite.source_range(3..14), 5..8);
        assert_eq!(rewrite.source_range(13..14), 7..8);
        assert_eq!(rewrite.segments.len(), 6);
    }

    #[test]
    fn ranges_lead_back_when_the_text_is_released() {
        let source = "aéb";
        let mut rewrite = Rewrite::default();
        rewrite.replace(source, 1..3, "e");
        rewrite.keep(source, 4);
        rewrite.release_text();
        assert_eq!(
            (rewrite.len(), rewrite.source_range(1..3), rewrite.text.capacity()),
            (3, 1..4, 0)
        );
    }

    #[test]
    fn equal_units_share_a_segment() {
        let source = "ＩｇｎｏｒｅＩｇｎｏｒｅ";
        let mut rewrite = Rewrite::default();
        for (i, _) in source.char_indices() {
            rewrite.replace(source, i..i + 3, "x");
        }
        assert_eq!(rewrite.segments.len(), 2);
        assert_eq!(rewrite.source_range(2..4), 6..12);
    }

    #[test]
    fn past_the_cap_ranges_widen_but_still_cover() {
        let source = "aé".repeat(MAX_FINE_SEGMENTS);
        let mut rewrite = Rewrite::default();
        for i in 0..MAX_FINE_SEGMENTS {
            rewrite.replace(&source, 3 * i + 1..3 * i + 3, "e");
        }
        assert!(
            rewrite.segments.len() < MAX_FINE_SEGMENTS + 2 * MAX_FINE_SEGMENTS / COARSE_BYTES + 8
        );
        for i in [10, MAX_FINE_SEGMENTS - 10, 2 * MAX_FINE_SEGMENTS - 2] {
            let exact =
                if i % 2 == 0 { i / 2 * 3..i / 2 * 3 + 1 } else { i / 2 * 3 + 1..i / 2 * 3 + 3 };
            let found = rewrite.source_range(i..i + 1);
            assert!(
                found.start <= exact.start
                    && exact.end <= found.end
                    && found.len() <= 3 * COARSE_BYTES,
                "{i} {found:?}"
            );
            assert!(source.is_char_boundary(found.start) && source.is_char_boundary(found.end));
        }
    }
}
