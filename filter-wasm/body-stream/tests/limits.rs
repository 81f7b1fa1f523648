//! Each cap has its error, at its place, however the body is cut.

use body_stream::{Api, BodyReader, Error, ErrorClass, ErrorKind, Limits};

fn read(body: &str, limits: Limits) -> Result<BodyReader, Error> {
    let read = |step: usize| {
        let mut reader = BodyReader::new(&Api::ChatCompletions, limits);
        for chunk in body.as_bytes().chunks(step) {
            reader.feed(chunk)?;
        }
        reader.finish()?;
        Ok(reader)
    };
    let (whole, cut) = (read(body.len().max(1)), read(1));
    let errors = (whole.as_ref().err().copied(), cut.as_ref().err().copied());
    assert_eq!(errors.0, errors.1, "{body}");
    whole
}

fn refusal(body: &str, limits: Limits) -> Option<(ErrorKind, usize, Option<usize>)> {
    let error = read(body, limits).err()?;
    Some((error.kind(), error.offset(), error.limit()))
}

#[test]
fn the_body_is_capped_in_bytes() {
    let body = r#"{"messages":[]}"#;
    let limits = |max_body_bytes| Limits { max_body_bytes, ..Limits::default() };
    assert!(read(body, limits(body.len())).is_ok());
    assert_eq!(refusal(body, limits(14)), Some((ErrorKind::BodyTooLarge, 14, Some(14))));
    // A fault before the cap is the one that is named.
    assert_eq!(refusal("{]          ", limits(5)).unwrap().0, ErrorKind::ExpectedKey);
}

#[test]
fn text_is_capped_in_bytes_over_all_passages() {
    let body = r#"{"messages":[{"content":"abc"},{"content":"d\u00e9f"}]}"#;
    let limits = |max_text_bytes| Limits { max_text_bytes, ..Limits::default() };
    assert_eq!(read(body, limits(7)).unwrap().text_bytes(), 7);
    assert_eq!(refusal(body, limits(6)), Some((ErrorKind::TextTooLarge, 50, Some(6))));
    assert_eq!(refusal(body, limits(5)), Some((ErrorKind::TextTooLarge, 44, Some(5))));
    let body = r#"{"messages":[{"function_call":{"arguments":"{\"a\":\"bcdefgh\"}"}}]}"#;
    assert!(read(body, limits(15)).is_ok(), "the string around them does not count twice");
    assert_eq!(refusal(body, limits(14)).unwrap().0, ErrorKind::TextTooLarge);
}

#[test]
fn media_do_not_count_as_text() {
    let data = "A".repeat(1 << 20);
    let body = format!(
        r#"{{"messages":[{{"content":[{{"image_url":{{"url":"data:image/png;base64,{data}"}}}}]}}]}}"#
    );
    let reader = read(&body, Limits { max_text_bytes: 10, ..Limits::default() }).unwrap();
    assert_eq!(reader.text_bytes(), 0);
}

#[test]
fn passages_are_capped_in_number_in_arguments_too() {
    let limits = |max_passages| Limits { max_passages, ..Limits::default() };
    let body = r#"{"messages":[{"content":["a","b","c"]}]}"#;
    assert!(read(body, limits(3)).is_ok());
    assert_eq!(refusal(body, limits(2)), Some((ErrorKind::TooManyPassages, 34, Some(2))));
    let body = r#"{"messages":[{"function_call":{"arguments":"[\"a\",\"\\u0062\",\"c\"]"}}]}"#;
    assert!(read(body, limits(3)).is_ok());
    assert_eq!(refusal(body, limits(2)), Some((ErrorKind::TooManyPassages, 65, Some(2))));
}

#[test]
fn depth_is_capped_in_arguments_too() {
    let limits = Limits { max_depth: 5, ..Limits::default() };
    let body = r#"{"messages":[{"x":[[[1]]]}]}"#;
    assert_eq!(refusal(body, limits), Some((ErrorKind::TooDeep, 20, Some(5))));
    let body = r#"{"messages":[{"function_call":{"arguments":"[[[[[[\"\\u0041\"]]]]]]"}}]}"#;
    assert_eq!(refusal(body, limits), Some((ErrorKind::TooDeep, 49, Some(5))));
}

#[test]
fn keys_are_capped_in_length_and_number() {
    let limits = Limits { max_key_bytes: 8, max_object_keys: 30, ..Limits::default() };
    assert!(read(r#"{"x":1,"messages":[]}"#, limits).is_ok());
    assert_eq!(refusal(r#"{"messages2":1}"#, limits), Some((ErrorKind::KeyTooLong, 10, Some(8))));
    let keys = |n: usize| {
        let keys: Vec<_> = (0..n).map(|n| format!(r#""k{n}":0"#)).collect();
        format!("{{{}}}", keys.join(","))
    };
    assert!(read(&keys(30), limits).is_ok());
    assert_eq!(refusal(&keys(31), limits).unwrap().0, ErrorKind::TooManyKeys);
    // The 30th key once more: beyond those that are compared one by one.
    let again = keys(30).replace('}', r#","k29":1}"#);
    assert_eq!(refusal(&again, Limits::default()).unwrap().0, ErrorKind::DuplicateKey);
}

#[test]
fn the_model_name_is_capped() {
    let limits = Limits { max_model_bytes: 4, ..Limits::default() };
    assert!(read(r#"{"model":"gpt4"}"#, limits).is_ok());
    assert_eq!(
        refusal(r#"{"model":"gpt-4"}"#, limits),
        Some((ErrorKind::ModelTooLong, 14, Some(4)))
    );
}

#[test]
fn a_reader_stays_failed() {
    let mut reader = BodyReader::new(&Api::ChatCompletions, Limits::default());
    let error = reader.feed(b"{,").unwrap_err();
    assert_eq!(reader.feed(b"}"), Err(error));
    assert_eq!(reader.finish(), Err(error));
}

#[test]
fn messages_name_the_rule_the_place_and_the_limit_but_no_text() {
    let limits = Limits { max_model_bytes: 4, ..Limits::default() };
    let error = read(r#"{"model":"secret"}"#, limits).unwrap_err();
    assert_eq!(error.to_string(), "model name too long at byte offset 14 (limit 4)");
    let error = read(r#"{"model":secret}"#, limits).unwrap_err();
    assert_eq!(error.to_string(), "expected a JSON value at byte offset 9");
    assert_eq!(error.kind().class(), ErrorClass::Malformed);
    assert_eq!(ErrorKind::TextTooLarge.class(), ErrorClass::TooLarge);
}

#[test]
fn empty_chunks_carry_no_meaning() {
    let mut reader = BodyReader::new(&Api::ChatCompletions, Limits::default());
    for chunk in [&b""[..], b"{\"messages\":[{\"content\":\"a", b"", b"b\"}]}", b""] {
        reader.feed(chunk).unwrap();
    }
    reader.finish().unwrap();
    assert_eq!(reader.passages()[0].text, "ab");
    assert!(BodyReader::new(&Api::ChatCompletions, Limits::default()).finish().is_err());
}
