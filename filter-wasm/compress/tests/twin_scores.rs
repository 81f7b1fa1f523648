//! The four scores against the paper's algorithm, transcribed in `twin`.

use compress::{Compressor, Mode, Profile, Report, SelectRequest};
use proptest::prelude::*;

mod twin;

fn reports(text: &str) -> Vec<Report> {
    let request = SelectRequest {
        texts: &[text],
        roles: &[],
        flagged: &[],
        budget_tokens: 512,
        mode: Mode::Compressed,
    };
    Compressor::new(&Profile::Paper.into()).explain(request)
}

/// Sentences that both splitters cut alike: a capital, words of a small vocabulary, a full stop.
fn prose() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![
        8 => prop::sample::select(vec![
            "the", "harvest", "of", "grain", "was", "good", "in", "spring", "rain", "members", "figures", "Größe",
            "сегодня", "x-ray", "1,200", "it's",
        ]).prop_map(str::to_owned),
        2 => "[a-z]{3,9}",
        1 => "[一-十]{2,5}",
    ];
    let sentence = prop::collection::vec(word, 3..18)
        .prop_map(|words| format!("Then {}.", words.join(" ")))
        .prop_filter("longer sentences are cut", |sentence| sentence.len() < 160);
    prop::collection::vec(sentence, 1..90)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn linear_scores_equal_the_quadratic_ones(sentences in prose()) {
        let ours = reports(&sentences.join(" "));
        prop_assert_eq!(ours.len(), sentences.len());
        let vectors = twin::vectors(&sentences);
        let columns = [
            twin::textrank(&vectors), twin::position(sentences.len()), twin::tfidf(&vectors), twin::novelty(&vectors),
        ];
        for (at, report) in ours.iter().enumerate() {
            let scores = report.scores;
            for (name, ours, twin) in [
                ("textrank", scores.textrank, columns[0][at]),
                ("position", scores.position, columns[1][at]),
                ("tfidf", scores.tfidf, columns[2][at]),
                ("novelty", scores.novelty, columns[3][at]),
            ] {
                prop_assert!((f64::from(ours) - twin).abs() < 1e-5, "{name} of {at}: {ours} and {twin}");
            }
            let total = 0.20 * columns[0][at] + 0.40 * columns[1][at] + 0.35 * columns[2][at] + 0.05 * columns[3][at];
            prop_assert!((f64::from(report.total) - total).abs() < 1e-5);
        }
    }
}

#[test]
fn a_sentence_without_neighbours_or_without_words_has_no_undefined_score() {
    for text in [
        "Alpha beta gamma.",
        "!!!!!!!!!!!! ???????????? ............",
        "Alpha beta gamma. Delta epsilon zeta.",
    ] {
        for report in reports(text) {
            let scores = report.scores;
            let all =
                [scores.textrank, scores.position, scores.tfidf, scores.novelty, report.total];
            assert!(all.iter().all(|score| (0.0..=1.0).contains(score)), "{text}: {report:?}");
        }
    }
}
