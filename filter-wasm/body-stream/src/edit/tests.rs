use super::*;
use proptest::prelude::*;

fn edit(range: Range<usize>, replacement: &str) -> Edit {
    Edit::new(range, replacement, 1)
}

#[test]
fn edits_apply_in_any_order_and_leave_the_rest() {
    let raw = br#"{"a": 1.50, "b":"xyz" }"#;
    let edits = [edit(18..19, ""), edit(2..3, "[T]"), edit(17..18, "q\"\n")];
    let redacted = redact(raw, &edits).unwrap();
    assert_eq!(redacted, br#"{"[T]": 1.50, "b":"q\"\nz" }"#);
    assert_eq!(redact(raw, &[]), Ok(raw.to_vec()));
}

#[test]
fn edits_that_overlap_or_leave_the_body_are_refused() {
    let refusal = |edits: &[Edit]| redact(b"0123456789", edits).map_err(|e| (e.kind(), e.offset()));
    let overlap = Err((ErrorKind::EditsOverlap, 4));
    assert_eq!(refusal(&[edit(4..6, ""), edit(2..5, "")]), overlap);
    assert_eq!(refusal(&[edit(4..4, "a"), edit(4..4, "b")]), overlap);
    assert_eq!(refusal(&[edit(4..4, "a"), edit(4..6, "b")]), overlap);
    let outside = |at| Err((ErrorKind::EditOutOfRange, at));
    assert_eq!(refusal(&[edit(9..11, "")]), outside(9));
    assert_eq!(refusal(&[edit(11..11, "")]), outside(11));
    assert!(refusal(&[edit(2..4, ""), edit(4..10, "")]).is_ok());
}

#[test]
fn a_replacement_is_escaped_once_for_each_string_around_it() {
    assert_eq!(Edit::new(0..0, "a\"\u{1}é", 1).replacement(), "a\\\"\\u0001é");
    assert_eq!(Edit::new(0..0, "a\"", 2).replacement(), "a\\\\\\\"");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The obvious way: from the last edit to the first, so that earlier places stay.
    #[test]
    fn a_body_in_any_pieces_is_redacted_as_if_spliced_from_the_end(
        raw in prop::collection::vec(any::<u8>(), 0..60),
        places in prop::collection::btree_set(0usize..61, 0..12),
        size in 1usize..9,
    ) {
        let places: Vec<usize> = places.into_iter().filter(|at| *at <= raw.len()).collect();
        let edits: Vec<Edit> = places.chunks_exact(2).map(|at| edit(at[0]..at[1], "[T]")).collect();
        let mut spliced = raw.clone();
        for edit in edits.iter().rev() {
            spliced.splice(edit.range().clone(), edit.replacement().bytes());
        }
        let mut redactor = Redactor::new(edits.clone(), raw.len()).unwrap();
        raw.chunks(size).for_each(|piece| redactor.push(piece));
        prop_assert_eq!(redactor.finish().unwrap(), spliced);
        if let Some(last) = edits.last().filter(|last| last.range().end == raw.len()) {
            let mut short = Redactor::new(edits.clone(), raw.len()).unwrap();
            short.push(raw.get(..raw.len() - 1).unwrap());
            prop_assert_eq!(short.finish().unwrap_err().offset(), last.range().start);
        }
    }

    #[test]
    fn an_escaped_text_reads_as_the_text(text in any::<String>()) {
        let json = format!("\"{}\"", escape(&text));
        prop_assert_eq!(serde_json::from_str::<String>(&json).ok(), Some(text));
    }
}
