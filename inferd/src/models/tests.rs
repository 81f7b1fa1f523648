use super::*;

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tiny")
}

/// A copy of the fixture with its manifest edited.
fn with_manifest(edit: impl FnOnce(&mut serde_json::Value)) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in ["model.onnx", "tokenizer.json"] {
        std::fs::copy(fixture().join(name), dir.path().join(name)).unwrap();
    }
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(fixture().join(MANIFEST)).unwrap()).unwrap();
    edit(&mut manifest);
    std::fs::write(dir.path().join(MANIFEST), manifest.to_string()).unwrap();
    dir
}

fn refusal(edit: impl FnOnce(&mut serde_json::Value)) -> String {
    let dir = with_manifest(edit);
    ModelSpec::load(dir.path()).unwrap_err().to_string()
}

#[test]
fn the_fixture_is_read() {
    let spec = ModelSpec::load(&fixture()).unwrap();
    assert_eq!(spec.name, "tiny");
    assert_eq!(spec.heads.len(), 3);
    assert_eq!(spec.head(Signal::Pii).unwrap().threshold_for("GPE"), 0.6);
    assert_eq!(spec.head(Signal::Pii).unwrap().threshold_for("PERSON"), 0.5);
}

#[test]
fn a_bad_value_is_refused_by_its_key() {
    for (edit, expected) in [
        ((|m| m["schema"] = 2.into()) as fn(&mut serde_json::Value), "schema: 2 is not supported"),
        (|m| m["max_tokens"] = 4.into(), "max_tokens: 4 is not within"),
        (|m| m["window_overlap_tokens"] = 18.into(), "window_overlap_tokens: 18 is more than half"),
        (|m| m["heads"] = serde_json::json!([]), "heads: is empty"),
        (|m| m["heads"][0]["threshold"] = 1.5.into(), "heads[0].threshold: 1.5"),
        (|m| m["heads"][0]["temperature"] = 0.into(), "heads[0].temperature: 0"),
        (
            |m| m["heads"][0]["labels"] = serde_json::json!(["jailbreak", "benign"]),
            "heads[0].labels: are",
        ),
        (
            |m| m["heads"][0]["kind"] = "token".into(),
            "heads[0].kind: Token does not suit jailbreak",
        ),
        (
            |m| m["heads"][1]["signal"] = "jailbreak".into(),
            "heads[1].signal: jailbreak is there twice",
        ),
        (|m| m["heads"][2]["labels"][1] = "X-AGE".into(), "heads[2].labels: \"X-AGE\""),
        (
            |m| m["heads"][2]["type_thresholds"]["PERSN"] = 0.5.into(),
            "heads[2].type_thresholds.PERSN: is not among the labels",
        ),
        (|m| m["heads"][2]["treshold"] = 0.5.into(), "unknown field `treshold`"),
        (
            |m| m["windw_overlap_tokens"] = 8.into(),
            "windw_overlap_tokens: unknown key; did you mean window_overlap_tokens?",
        ),
        (|m| m["file"] = "../model.onnx".into(), "file: \"../model.onnx\" must name a file inside"),
        (|m| m["sha256"] = "00".into(), "model.onnx: sha256 is"),
        (|m| m["tokenizer_sha256"] = "00".into(), "tokenizer.json: sha256 is"),
        (|m| m["tokenizer"] = "missing.json".into(), "missing.json: cannot read it"),
    ] {
        let message = refusal(edit);
        assert!(message.contains(expected), "{message:?} does not contain {expected:?}");
    }
}

#[test]
fn notes_of_the_authors_are_not_an_error() {
    let dir = with_manifest(|m| m["licence"] = "Apache-2.0".into());
    ModelSpec::load(dir.path()).unwrap();
}
