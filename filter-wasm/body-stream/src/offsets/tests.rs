use super::*;
use proptest::prelude::*;

/// The raw range of each byte of text, one by one.
#[derive(Default)]
struct Slow(Vec<Range<usize>>);

impl Slow {
    fn raw_range(&self, text: Range<usize>, end: usize) -> Option<Range<usize>> {
        if text.start > text.end || text.end > self.0.len() {
            return None;
        }
        let start = self.0.get(text.start).map_or(end, |raw| raw.start);
        let stop = match text.is_empty() {
            true => start,
            false => self.0[text.end - 1].end,
        };
        Some(start..stop)
    }
}

/// A map and its twin, from lengths in text: verbatim bytes if over 4, else a kind of escape.
fn build(start: usize, parts: &[(u16, u8)]) -> (OffsetMap, Slow, usize) {
    let (mut map, mut slow, mut raw) = (OffsetMap::starting_at(start), Slow::default(), start);
    for &(bytes, kind) in parts {
        match KINDS.get(usize::from(kind)) {
            Some(&(text, escape)) => {
                for _ in 0..=bytes % 70 {
                    map.push_char(text, escape);
                    slow.0.extend(std::iter::repeat_n(raw..raw + escape, text));
                    raw += escape;
                }
            }
            None => {
                let bytes = usize::from(bytes) % 500;
                map.push_verbatim(bytes);
                slow.0.extend((raw..raw + bytes).map(|at| at..at + 1));
                raw += bytes;
            }
        }
    }
    (map, slow, raw)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_range_is_that_of_the_byte_by_byte_map(
        start in 0_usize..1000,
        parts in prop::collection::vec((any::<u16>(), 0_u8..8), 0..120),
        picks in prop::collection::vec((any::<u16>(), any::<u16>()), 20),
    ) {
        let (map, slow, end) = build(start, &parts);
        prop_assert_eq!(map.text_len(), slow.0.len());
        for (a, b) in picks {
            let range = usize::from(a) % (slow.0.len() + 2)..usize::from(b) % (slow.0.len() + 2);
            let expected = slow.raw_range(range.clone(), end);
            prop_assert_eq!(map.raw_range(range.clone()), expected, "{:?}", range);
        }
    }

    #[test]
    fn the_tail_maps_as_the_whole_does(
        parts in prop::collection::vec((any::<u16>(), 0_u8..8), 0..60),
        cut in any::<u16>(),
    ) {
        let (map, slow, end) = build(9, &parts);
        let mut from = usize::from(cut) % (slow.0.len() + 1);
        while from > 0 && from < slow.0.len() && slow.0[from] == slow.0[from - 1] {
            from -= 1; // Inside a character.
        }
        let tail = map.tail_from(from);
        prop_assert_eq!(tail.text_len(), slow.0.len() - from);
        for at in from..slow.0.len() {
            let expected = slow.raw_range(at..at + 1, end);
            prop_assert_eq!(tail.raw_range(at - from..at - from + 1), expected);
        }
    }

    #[test]
    fn a_nested_map_leads_through_the_outer_one(
        inner in prop::collection::vec((any::<u16>(), 0_u8..8), 1..20),
        outer in prop::collection::vec((any::<u16>(), 0_u8..8), 1..60),
    ) {
        let (mut map, slow, end) = build(1, &inner);
        let (outer, outer_slow, outer_end) = build(40, &outer);
        map.nest_in(&Arc::new(outer));
        for at in 0..slow.0.len() {
            let middle = slow.raw_range(at..at + 1, end).unwrap();
            let expected = outer_slow.raw_range(middle, outer_end);
            prop_assert_eq!(map.raw_range(at..at + 1), expected);
        }
    }
}

#[test]
fn the_map_costs_about_two_bytes_an_escape_and_nothing_without() {
    let mut map = OffsetMap::starting_at(0);
    map.push_verbatim(1 << 20);
    assert_eq!(map.held_bytes(), 0);
    for _ in 0..10_000 {
        map.push_verbatim(40);
        map.push_char(1, 2);
    }
    assert!(map.codes.len() + map.marks.len() * size_of::<Mark>() <= 10_000 * 5 / 2);
    let mut map = OffsetMap::starting_at(0);
    for _ in 0..10_000 {
        map.push_char(3, 6);
    }
    assert!(map.codes.len() < 1000, "like escapes share a code");
}

#[test]
fn ranges_widen_to_whole_escapes() {
    let mut map = OffsetMap::starting_at(10);
    map.push_verbatim(2);
    map.push_char(3, 6);
    map.push_verbatim(1);
    assert_eq!(map.raw_range(3..4), Some(12..18));
    assert_eq!(map.raw_range(1..3), Some(11..18));
    assert_eq!(map.raw_range(5..6), Some(18..19));
    assert_eq!(map.raw_range(6..6), Some(19..19));
    assert_eq!(map.raw_range(3..3), Some(12..12));
    assert_eq!(map.raw_range(0..7), None);
    #[allow(clippy::reversed_empty_ranges, reason = "that is what is refused")]
    let reversed = map.raw_range(2..1);
    assert_eq!(reversed, None);
}
