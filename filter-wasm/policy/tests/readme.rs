//! The README's block of defaults is the code's.

use policy::Config;

#[test]
fn the_defaults_in_the_readme_are_those_of_the_code() {
    let readme = include_str!("../../../README.md");
    let block = readme.split("<!-- defaults:").nth(1).unwrap();
    let block = block.split("```json").nth(1).unwrap().split("```").next().unwrap();
    let documented = Config::from_json(block.as_bytes()).unwrap();
    let built_in = Config::from_json(b"").unwrap();
    assert_eq!(format!("{documented:#?}"), format!("{built_in:#?}"));
}

#[test]
fn an_unknown_key_is_named_with_what_is_allowed() {
    let error = Config::from_json(br#"{"signals":{"jailbreak":{"threshhold":0.7}}}"#).unwrap_err();
    let text = error.to_string();
    for part in ["signals.jailbreak", "threshhold", "`threshold`"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_bad_value_is_named_with_its_range() {
    for (json, key, allowed) in [
        (r#"{"signals":{"jailbreak":{"threshold":1.5}}}"#, "signals.jailbreak.threshold", "0 to 1"),
        (r#"{"signals":{"pii":{"block_status":429}}}"#, "signals.pii.block_status", "403"),
        (r#"{"budget_tokens":1}"#, "budget_tokens", "32 to 65536"),
        (
            r#"{"signals":{"domain":{"routes":{"maths":"x"}}}}"#,
            "signals.domain.routes.maths",
            "math",
        ),
        (
            r#"{"signals":{"pii":{"entities":["EMAIL"]}}}"#,
            "signals.pii.entities[0]",
            "EMAIL_ADDRESS",
        ),
        (r#"{"headers":{"prefix":"x"}}"#, "headers.prefix", "ending in -"),
        (r#"{"daemon":{"cluster":"a","extension_backend":"b"}}"#, "daemon", "one of the two"),
        (r#"{"signals":{"jailbreak":{"action":"blok"}}}"#, "signals.jailbreak.action", "`block`"),
        (r#"{"paths":[{"suffix":"x","api":"messages"}]}"#, "paths[0].suffix", "starts with /"),
    ] {
        let text = Config::from_json(json.as_bytes()).unwrap_err().to_string();
        assert!(text.contains(key) && text.contains(allowed), "{json}: {text}");
    }
}
