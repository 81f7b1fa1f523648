use super::*;

fn refusal(yaml: &str) -> String {
    match Raw::parse(yaml).and_then(Config::try_from) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn an_empty_file_is_the_defaults() {
    for text in ["", "# nothing\n", "{}"] {
        assert_eq!(Raw::parse(text).unwrap(), Raw::default(), "{text:?}");
    }
    let config = Config::try_from(Raw::default()).unwrap();
    assert_eq!(config.socket.mode, 0o660);
    assert!(config.admin.unwrap().ip().is_loopback());
}

#[test]
fn an_unknown_key_is_refused_with_the_one_it_resembles() {
    let message = refusal("limits: {max_que_tokens: 5}");
    assert!(message.contains("limits.max_que_tokens: unknown field"), "{message}");
    assert!(message.ends_with("did you mean `max_queue_tokens`?"), "{message}");
    assert!(refusal("sockt: {}").contains("did you mean `socket`?"));
    assert!(refusal("thresholds: {jailbrake: 0.5}").contains("did you mean `jailbreak`?"));
    let message = refusal("log: {zzz: 1}");
    assert!(
        message.contains("unknown field `zzz`") && !message.contains("did you mean"),
        "{message}"
    );
}

#[test]
fn a_bad_value_names_its_key_and_what_is_allowed() {
    for (yaml, expected) in [
        ("limits: {max_connections: 0}", "limits.max_connections: 0 is not within 1 to"),
        ("limits: {max_connections: many}", "limits.max_connections: invalid type"),
        ("thresholds: {pii: 2}", "thresholds: pii: 2 is not within 0 to 1"),
        ("admin: {listen: everywhere}", "admin.listen: \"everywhere\" is neither `off`"),
        ("socket: {mode: \"0999\"}", "socket.mode: \"0999\" is not octal"),
        ("socket: {mode: \"1777\"}", "socket.mode: \"1777\" is above"),
        ("socket: {group: no-such-group}", "socket.group: \"no-such-group\" is neither"),
        ("log: {level: \"=\"}", "log.level: "),
        ("socket: [1]", "socket"),
        ("a: [", "not YAML"),
    ] {
        let message = refusal(yaml);
        assert!(message.contains(expected), "{yaml}: {message:?} does not contain {expected:?}");
    }
    let long = format!("socket: {{path: /{}}}", "x".repeat(107));
    assert!(refusal(&long).contains("socket.path: has 108 bytes"), "{}", refusal(&long));
}

#[test]
fn model_folders_start_at_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inferd.yaml");
    std::fs::write(&path, "models: [a, /b]").unwrap();
    assert_eq!(Raw::load(&path).unwrap().models, [dir.path().join("a"), PathBuf::from("/b")]);
}

#[test]
fn threads_share_the_cpus() {
    let n = |n| NonZeroUsize::new(n).unwrap();
    assert_eq!(share(n(8), 3), n(2));
    assert_eq!(share(n(2), 3), n(1));
}

#[test]
fn the_schema_knows_every_key_of_the_defaults() {
    let schema = schema().to_string();
    let defaults = serde_json::to_value(Raw::default()).unwrap();
    for (key, value) in defaults.as_object().unwrap() {
        assert!(schema.contains(&format!("\"{key}\"")), "{key}");
        for inner in value.as_object().into_iter().flatten().map(|(k, _)| k) {
            assert!(schema.contains(&format!("\"{inner}\"")), "{key}.{inner}");
        }
    }
}
