//! The filter's numbers against those of the scripts that made its tables.

use serde_json::Value;

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_default()).collect()
}

#[test]
fn the_token_estimate_is_the_calibrated_one_and_a_bound() {
    let rows = rows(include_str!("data/tokens.jsonl"));
    assert!(rows.len() >= 30);
    let mut below = 0;
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        let estimate = u64::try_from(compress::estimate_tokens(text)).unwrap();
        assert_eq!(Some(estimate), row["estimate"].as_u64(), "{}", row["kind"]);
        let tokens = row["tokens"].as_u64().unwrap();
        assert!(estimate * 100 >= tokens * 96, "{}: {estimate} of {tokens}", row["kind"]);
        assert!(estimate * 10 <= tokens * 17, "{}: {estimate} of {tokens}", row["kind"]);
        below += usize::from(estimate < tokens);
    }
    assert!(
        below * 40 <= rows.len(),
        "{below} of {} passages take more tokens than estimated",
        rows.len()
    );
}

#[test]
fn suspicion_is_the_trained_model() {
    let rows = rows(include_str!("data/suspicion.jsonl"));
    assert!(rows.len() >= 30);
    for row in &rows {
        let score = compress::suspicion(row["text"].as_str().unwrap());
        let expected = row["score"].as_f64().unwrap();
        assert!(
            (f64::from(score) - expected).abs() < 2e-3 * expected.abs().max(1.0),
            "{score} for {row}"
        );
    }
}
