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
            |m| m["heads"][0]["window_prior"] = 1.5.into(),
            "heads[0].window_prior: 1.5 is not within 0 to 1",
        ),
        (|m| m["heads"][0]["window_prior"] = (-0.1).into(), "heads[0].window_prior: -0.1"),
        (
            |m| m["heads"][1]["window_prior"] = 0.5.into(),
            "heads[1].window_prior: domain does not take the highest of a text's windows",
        ),
        (|m| m["heads"][2]["window_prior"] = 0.0.into(), "heads[2].window_prior: pii does not"),
        (|m| m["heads"][0]["labels"] = serde_json::json!(["bad", "good"]), "heads[0].labels: are"),
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
fn a_jailbreak_head_may_have_a_window_prior() {
    let dir = with_manifest(|m| m["heads"][0]["window_prior"] = 0.5.into());
    let spec = ModelSpec::load(dir.path()).unwrap();
    assert_eq!(spec.head(Signal::Jailbreak).unwrap().window_prior, 0.5);
    assert_eq!(
        ModelSpec::load(&fixture()).unwrap().head(Signal::Jailbreak).unwrap().window_prior,
        0.0
    );
}

#[test]
fn the_published_schema_names_every_key() {
    let schema = schema();
    let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    for key in KEYS {
        assert!(keys.iter().any(|k| *k == key), "{key}");
    }
    assert!(schema["$defs"]["Head"]["properties"]["window_prior"].is_object());
}

#[test]
fn notes_of_the_authors_are_not_an_error() {
    let dir = with_manifest(|m| m["licence"] = "Apache-2.0".into());
    ModelSpec::load(dir.path()).unwrap();
}

/// A folder as other tools write it, with the tiny model's files.
fn foreign(config: &serde_json::Value) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::copy(fixture().join("model.onnx"), dir.path().join("model.onnx")).unwrap();
    std::fs::copy(fixture().join("tokenizer.json"), dir.path().join("tokenizer.json")).unwrap();
    std::fs::write(dir.path().join("config.json"), config.to_string()).unwrap();
    dir
}

#[test]
fn a_folder_without_a_manifest_is_read_by_its_labels() {
    for (config, signal, labels) in [
        (
            serde_json::json!({"architectures": ["BertForSequenceClassification"], "id2label": {"0": "INJECTION", "1": "SAFE"}}),
            Signal::Jailbreak,
            vec!["jailbreak", "benign"],
        ),
        (
            serde_json::json!({"architectures": ["ModernBertForTokenClassification"], "id2label": {"0": "O", "1": "B-PERSON", "2": "I-PERSON"}}),
            Signal::Pii,
            vec!["O", "B-PERSON", "I-PERSON"],
        ),
        (
            serde_json::json!({"architectures": ["DebertaV2ForSequenceClassification"],
                "id2label": {"0": "law", "10": "k", "2": "c", "1": "math", "3": "d", "4": "e", "5": "f", "6": "g", "7": "h", "8": "i", "9": "j"}}),
            Signal::Domain,
            vec!["law", "math", "c", "d", "e", "f", "g", "h", "i", "j", "k"],
        ),
    ] {
        let dir = foreign(&config);
        let spec = ModelSpec::load(dir.path()).unwrap();
        assert_eq!(spec.heads[0].signal, signal);
        assert_eq!(spec.heads[0].labels, labels);
        assert_eq!((spec.max_tokens, spec.window_overlap_tokens), (512, 64));
    }
}

#[test]
fn labels_that_could_mean_anything_are_refused() {
    for (config, expected) in [
        (
            serde_json::json!({"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}),
            "\"LABEL_0\" could mean anything",
        ),
        (serde_json::json!({"id2label": {"0": "safe", "1": "benign"}}), "a label is there twice"),
        (serde_json::json!({"id2label": {"0": "a", "2": "b"}}), "do not run from 0"),
        (serde_json::json!({}), "names no labels"),
        (
            serde_json::json!({"architectures": ["BertForMaskedLM"], "id2label": {"0": "a"}}),
            "is neither",
        ),
    ] {
        let message = ModelSpec::load(foreign(&config).path()).unwrap_err().to_string();
        assert!(message.contains(expected), "{message:?} does not contain {expected:?}");
    }
}

#[test]
fn a_manifest_that_disagrees_with_the_labels_beside_it_is_refused() {
    let dir = with_manifest(|m| {
        let heads = m["heads"].as_array_mut().unwrap();
        heads.truncate(1);
    });
    let config = |labels: serde_json::Value| {
        std::fs::write(
            dir.path().join("config.json"),
            serde_json::json!({"id2label": labels}).to_string(),
        )
        .unwrap()
    };
    config(serde_json::json!({"0": "SAFE", "1": "INJECTION"}));
    ModelSpec::load(dir.path()).unwrap();
    config(serde_json::json!({"0": "INJECTION", "1": "SAFE"}));
    let message = ModelSpec::load(dir.path()).unwrap_err().to_string();
    assert!(message.contains("but the manifest's labels are"), "{message}");
}
