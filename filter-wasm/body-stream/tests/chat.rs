//! Chat completions: what is text, who says it, and where it stands.

use body_stream::{Api, BodyReader, Error, ErrorKind, Limits, PassageKind, Role, redact};

fn read(body: &str) -> Result<BodyReader, Error> {
    let mut reader = BodyReader::new(&Api::ChatCompletions, Limits::default());
    reader.feed(body.as_bytes())?;
    reader.finish()?;
    Ok(reader)
}

fn texts(body: &str) -> Result<Vec<String>, Error> {
    Ok(read(body)?.passages().iter().map(|p| p.text.clone()).collect())
}

#[test]
fn text_parts_and_plain_contents_are_passages() {
    let body = r#"{"model":"m","messages":[
        {"role":"system","content":"a"},
        {"role":"user","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]}]}"#;
    let reader = read(body).unwrap();
    let seen: Vec<_> = reader
        .passages()
        .iter()
        .map(|p| (p.text.as_str(), p.role, p.kind, p.message, p.complete))
        .collect();
    assert_eq!(
        seen,
        [
            ("a", Role::System, PassageKind::Content, 0, true),
            ("b", Role::User, PassageKind::Content, 1, true),
            ("c", Role::User, PassageKind::Content, 1, true),
        ]
    );
    assert_eq!(reader.facts().model.as_deref(), Some("m"));
    assert_eq!(reader.facts().messages, 2);
}

#[test]
fn a_role_after_the_content_still_counts() {
    let reader = read(r#"{"messages":[{"content":"x","role":"tool"}]}"#).unwrap();
    let passage = &reader.passages()[0];
    assert_eq!((passage.role, passage.kind), (Role::Tool, PassageKind::ToolResult));
}

#[test]
fn the_strings_in_arguments_are_passages() {
    let body = r#"{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c1",
        "type":"function","function":{"name":"f","arguments":"{\"q\":\"caf\\u00e9 \\\"x\\\"\",\"n\":[1,\"y\"]}"}}]}]}"#;
    let reader = read(body).unwrap();
    assert_eq!(texts(body).unwrap(), ["café \"x\"", "y"]);
    let passage = &reader.passages()[0];
    assert_eq!((passage.role, passage.kind), (Role::Assistant, PassageKind::ToolArguments));
    let raw = passage.raw_range(3..5).unwrap();
    assert_eq!(&body[raw], r"\\u00e9");
    let edit = passage.edit(3..5, "\"").unwrap();
    let redacted = String::from_utf8(redact(body.as_bytes(), &[edit]).unwrap()).unwrap();
    assert_eq!(texts(&redacted).unwrap(), ["caf\" \"x\"", "y"]);
}

#[test]
fn arguments_that_are_no_json_are_one_passage() {
    let body = r#"{"messages":[{"function_call":{"arguments":"go \\u0041 on"}}]}"#;
    assert_eq!(texts(body).unwrap(), ["go A on"]);
    let body = r#"{"messages":[{"function_call":{"arguments":"{oops"}}]}"#;
    assert_eq!(texts(body).unwrap(), ["{oops"]);
}

#[test]
fn a_field_nobody_knows_is_text() {
    let body = r#"{"messages":[{"role":"assistant","reasoning_content":"r","x":{"y":["z"],"id":"i"}}],"vendor":"v"}"#;
    assert_eq!(texts(body).unwrap(), ["r", "z", "v"]);
}

#[test]
fn escaped_keys_are_the_keys_they_mean() {
    let body = r#"{"mess\u0061ges":[{"cont\u0065nt":"x"}],"mod\u0065l":"m\u0031"}"#;
    let reader = read(body).unwrap();
    assert_eq!(reader.passages()[0].kind, PassageKind::Content);
    assert_eq!(reader.facts().model.as_deref(), Some("m1"));
}

#[test]
fn duplicate_keys_are_refused_where_they_stand() {
    for body in [
        r#"{"model":"a","model":"b"}"#,
        r#"{"model":"a","Model":"b"}"#,
        r#"{"messages":[{"content":"a","c\u006fntent":"b"}]}"#,
        r#"{"messages":[{"content":[{"text":"a","text":"b"}]}]}"#,
    ] {
        let error = read(body).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateKey, "{body}");
    }
    assert_eq!(read(r#"{"model":"a","model":"b"}"#).unwrap_err().offset(), 14);
}

#[test]
fn media_are_passed_over_and_named() {
    let fill = "QUJD".repeat(100_000);
    let body = format!(
        r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"What?"}},
        {{"type":"image_url","image_url":{{"url":"data:image/png;base64,{fill}"}}}}]}}]}}"#
    );
    assert_eq!(texts(&body).unwrap(), ["What?"]);
    assert!(read(&body).unwrap().facts().modalities.image);
}

#[test]
fn tool_definitions_are_not_text_unless_asked_for() {
    let body =
        r#"{"tools":[{"function":{"name":"f","description":"d e"}}],"messages":[{"content":"x"}]}"#;
    let reader = read(body).unwrap();
    assert_eq!(texts(body).unwrap(), ["x"]);
    assert!(reader.facts().tools);
}
