use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::models::HeadKind;
use crate::tokenize::windows;

fn head(signal: Signal, labels: &[&str]) -> Head {
    Head {
        signal,
        output: signal.name().to_owned(),
        kind: signal.kind(),
        labels: labels.iter().map(|l| (*l).to_owned()).collect(),
        threshold: 0.5,
        type_thresholds: BTreeMap::new(),
        temperature: 1.0,
        window_prior: 0.0,
    }
}

const PII: [&str; 5] = ["O", "B-PERSON", "I-PERSON", "B-GPE", "I-GPE"];

/// One token for each run of non-space characters and its offset, with the label named.
fn spans_of(
    text: &str,
    tokens: &[(&str, usize)],
    passages: &[(u32, Range<usize>)],
) -> Vec<(u32, String, String)> {
    let mut at = 0;
    let mut offsets = Vec::new();
    let mut logits = Vec::new();
    for (piece, label) in tokens {
        let start = at + text[at..].find(piece).unwrap();
        offsets.push(start..start + piece.len());
        at = start + piece.len();
        logits.extend((0..PII.len()).map(|i| if i == *label { 8.0 } else { 0.0 }));
    }
    let passages: Vec<Placed> =
        passages.iter().map(|(id, range)| Placed { id: *id, range: range.clone() }).collect();
    let windows: Vec<Range<usize>> = std::iter::once(0..offsets.len()).collect();
    let input = TokenInput {
        text,
        offsets: &offsets,
        windows: &windows,
        logits: &[&logits],
        passages: &passages,
    };
    token_spans(&head(Signal::Pii, &PII), &input)
        .unwrap()
        .into_iter()
        .map(|s| {
            let passage = passages.iter().find(|p| p.id == s.passage_id).unwrap();
            (s.passage_id, text[passage.range.clone()][s.range].to_owned(), s.entity_type)
        })
        .collect()
}

fn whole(text: &str) -> [(u32, Range<usize>); 1] {
    [(7, 0..text.len())]
}

fn person(text: &str) -> (u32, String, String) {
    (7, text.to_owned(), "PERSON".to_owned())
}

#[test]
fn sub_words_are_joined_and_white_space_is_trimmed() {
    let text = "met Zoë Smith today";
    assert_eq!(
        spans_of(
            text,
            &[("met", 0), (" Zo", 1), ("ë", 2), (" Smith", 2), (" today", 0)],
            &whole(text)
        ),
        [person("Zoë Smith")]
    );
}

#[test]
fn one_stray_piece_does_not_cut_a_word() {
    let text = "Annabelle left";
    assert_eq!(
        spans_of(text, &[("Ann", 1), ("a", 0), ("belle", 2), (" left", 0)], &whole(text)),
        [person("Annabelle")]
    );
}

#[test]
fn neighbours_of_one_type_merge_but_not_over_lines_or_other_tokens() {
    let text = "Ann Bea\nCid, Dee";
    let tokens = [("Ann", 1), ("Bea", 1), ("Cid", 1), (",", 0), ("Dee", 1)];
    assert_eq!(
        spans_of(text, &tokens, &whole(text)),
        [person("Ann Bea"), person("Cid"), person("Dee")]
    );
}

#[test]
fn neighbours_of_different_types_stay_apart() {
    let text = "Ann Paris";
    let spans = spans_of(text, &[("Ann", 1), ("Paris", 3)], &whole(text));
    assert_eq!(spans, [person("Ann"), (7, "Paris".to_owned(), "GPE".to_owned())]);
}

#[test]
fn scripts_without_spaces_decide_by_token() {
    let text = "田中さんは東京";
    let spans = spans_of(text, &[("田中", 1), ("さん", 0), ("は", 0), ("東京", 3)], &whole(text));
    assert_eq!(spans, [person("田中"), (7, "東京".to_owned(), "GPE".to_owned())]);
}

#[test]
fn spans_are_cut_to_their_passages() {
    let text = "x Ann Lee y";
    let spans =
        spans_of(text, &[("x", 0), ("Ann", 1), ("Lee", 2), ("y", 0)], &[(3, 0..5), (4, 6..11)]);
    assert_eq!(
        spans,
        [(3, "Ann".to_owned(), "PERSON".to_owned()), (4, "Lee".to_owned(), "PERSON".to_owned())]
    );
}

#[test]
fn a_type_below_its_own_threshold_is_dropped() {
    let mut strict = head(Signal::Pii, &PII);
    strict.type_thresholds.insert("PERSON".to_owned(), 0.9);
    let logits = [0.0, 1.0, 0.0, 0.0, 0.0]; // person: (e + 1) / (e + 4) = 0.55
    let input = TokenInput {
        text: "Ann",
        offsets: std::slice::from_ref(&(0..3)),
        windows: std::slice::from_ref(&(0..1)),
        logits: &[&logits],
        passages: &[Placed { id: 1, range: 0..3 }],
    };
    assert!(token_spans(&strict, &input).unwrap().is_empty());
    assert_eq!(token_spans(&head(Signal::Pii, &PII), &input).unwrap().len(), 1);
}

#[test]
fn jailbreak_takes_the_worst_window_and_domain_the_mean() {
    let jailbreak = head(Signal::Jailbreak, &["benign", "jailbreak"]);
    let scores = sequence(&jailbreak, &[&[3.0, -3.0], &[-3.0, 3.0], &[3.0, -3.0]]).unwrap();
    assert_eq!(scores[0].label, "jailbreak");
    assert!(scores[0].score > 0.99);
    let domain = head(Signal::Domain, &["law", "math"]);
    let scores = sequence(&domain, &[&[3.0, -3.0], &[-3.0, 3.0], &[3.0, -3.0]]).unwrap();
    assert_eq!(scores[0].label, "law");
    assert!((scores[0].score - 0.880_797).abs() < 1e-4, "softmax of a difference of 2");
}

#[test]
fn the_window_prior_lowers_the_highest_windows_log_odds_by_the_number_of_windows() {
    for labels in [["benign", "jailbreak"], ["jailbreak", "benign"]] {
        let mut jailbreak = head(Signal::Jailbreak, &labels);
        jailbreak.temperature = 1.25;
        let attack = usize::from(labels[1] == "jailbreak");
        let row = |odds: f32| if attack == 1 { [0.5, 0.5 + odds] } else { [0.5 + odds, 0.5] };
        let rows = [row(-2.0), row(3.0), row(1.0), row(-4.0)];
        for n in 1..=rows.len() {
            let windows: Vec<&[f32]> = rows.iter().take(n).map(<[f32; 2]>::as_slice).collect();
            let highest: f32 = if n == 1 { -2.0 } else { 3.0 };
            for prior in [0.0, 0.4, 1.0] {
                jailbreak.window_prior = prior;
                let scores = sequence(&jailbreak, &windows).unwrap();
                let score = scores.iter().find(|s| s.label == "jailbreak").unwrap().score;
                let odds = highest / 1.25 - prior * (n as f32).ln();
                let expected = 1.0 / (1.0 + (-odds).exp());
                assert!(
                    (score - expected).abs() < 1e-6,
                    "{n} windows, prior {prior}: {score}, not {expected}"
                );
            }
        }
    }
}

#[test]
fn no_length_hides_an_attack_behind_the_window_prior() {
    let mut jailbreak = head(Signal::Jailbreak, &["benign", "jailbreak"]);
    jailbreak.window_prior = 0.35;
    let score = |windows: usize| {
        let mut rows: Vec<&[f32]> = vec![&[0.0, -3.0]; windows];
        rows[0] = &[0.0, 4.5];
        sequence(&jailbreak, &rows).unwrap()[0].clone()
    };
    let (long, longest) = (score(32), score(4000));
    assert_eq!(long.label, "jailbreak");
    assert!(long.score < score(31).score);
    assert_eq!(long, longest);
}

#[test]
fn temperature_divides_the_logits() {
    let mut domain = head(Signal::Domain, &["law", "math"]);
    domain.temperature = 2.0;
    let scores = sequence(&domain, &[&[4.0, 0.0]]).unwrap();
    assert!((scores[0].score - 0.880_797).abs() < 1e-4);
}

#[test]
fn values_that_are_not_finite_are_a_failure() {
    let domain = head(Signal::Domain, &["law", "math"]);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(sequence(&domain, &[&[0.0, 0.0], &[bad, 0.0]]), Err(NotFinite));
        let input = TokenInput {
            text: "a",
            offsets: std::slice::from_ref(&(0..1)),
            windows: std::slice::from_ref(&(0..1)),
            logits: &[&[bad, 0.0, 0.0, 0.0, 0.0]],
            passages: &[Placed { id: 1, range: 0..1 }],
        };
        assert_eq!(token_spans(&head(Signal::Pii, &PII), &input), Err(NotFinite));
    }
}

#[test]
fn the_kinds_of_the_signals_are_fixed() {
    assert_eq!(Signal::Pii.kind(), HeadKind::Token);
}

proptest! {
    #[test]
    fn spans_lie_on_characters_inside_passages_and_do_not_overlap(
        text in "(\\PC| |\n|Zoë|日本|🙂){0,80}",
        choices in prop::collection::vec((1usize..6, 0usize..5), 0..80),
        cuts in prop::collection::vec(0usize..200, 0..4),
    ) {
        // Tokens of arbitrary lengths, even cutting characters, as byte-level vocabularies do.
        let mut offsets = Vec::new();
        let mut logits: Vec<f32> = Vec::new();
        let mut at = 0;
        for (length, label) in choices {
            if at >= text.len() { break }
            let end = (at + length).min(text.len());
            offsets.push(at..end);
            logits.extend((0..PII.len()).map(|i| if i == label { 6.0 } else { 0.0 }));
            at = end;
        }
        let mut bounds: Vec<usize> = cuts.into_iter().map(|c| text.floor_char_boundary(c.min(text.len()))).collect();
        bounds.extend([0, text.len()]);
        bounds.sort_unstable();
        bounds.dedup();
        let passages: Vec<Placed> =
            bounds.windows(2).zip(0..).map(|(w, id)| Placed { id, range: w[0]..w[1] }).collect();
        let one: Vec<Range<usize>> = std::iter::once(0..offsets.len()).collect();
        let input = TokenInput { text: &text, offsets: &offsets, windows: &one, logits: &[&logits], passages: &passages };
        let pii = head(Signal::Pii, &PII);
        let spans = token_spans(&pii, &input).unwrap();
        for span in &spans {
            let passage = passages.iter().find(|p| p.id == span.passage_id).unwrap();
            let inside = text[passage.range.clone()].get(span.range.clone());
            prop_assert!(inside.is_some_and(|t| !t.is_empty() && t.trim() == t), "{:?}", span);
        }
        for pair in spans.windows(2) {
            prop_assert!(pair[0].passage_id < pair[1].passage_id || pair[0].range.end <= pair[1].range.start);
        }
        // A classifier that does not depend on context gives the same spans however the text is cut into windows.
        let many = windows(offsets.len(), 9, 3);
        let rows: Vec<&[f32]> = many.iter().map(|w| &logits[w.start * PII.len()..w.end * PII.len()]).collect();
        let cut = TokenInput { windows: &many, logits: &rows, ..input };
        prop_assert_eq!(token_spans(&pii, &cut).unwrap(), spans);
    }
}

proptest! {
    /// Words that are skipped because they are certainly no entity are none.
    #[test]
    fn skipping_what_is_certain_changes_nothing(
        rows in prop::collection::vec(prop::collection::vec(-6.0_f32..6.0, PII.len()), 1..40),
        lead in prop::collection::vec(0.0_f32..16.0, 40),
        threshold in prop::sample::select(vec![0.0_f32, 0.01, 0.2, 0.5, 0.9, 1.0]),
        temperature in 0.3_f32..3.0,
    ) {
        let logits: Vec<f32> = rows
            .iter()
            .zip(&lead)
            .flat_map(|(row, lead)| row.iter().enumerate().map(move |(i, x)| if i == 0 { x + lead } else { *x }))
            .collect();
        let text = "ab ".repeat(rows.len());
        // Some words have two tokens.
        let offsets: Vec<Range<usize>> =
            (0..rows.len()).map(|i| if i % 3 == 1 { i * 3 - 2..i * 3 - 1 } else { i * 3..i * 3 + 1 }).collect();
        let windows: Vec<Range<usize>> = std::iter::once(0..offsets.len()).collect();
        let passages = [Placed { id: 0, range: 0..text.len() }];
        let input = TokenInput {
            text: &text, offsets: &offsets, windows: &windows, logits: &[&logits], passages: &passages,
        };
        let head = Head { threshold, temperature, ..head(Signal::Pii, &PII) };
        prop_assert_eq!(spans(&head, &input, true), spans(&head, &input, false));
    }
}
