//! The bytes on the wire, field by field: a filter and a daemon of different releases must understand each other.
//!
//! A golden file changes only when a field is added; a test that fails here means that a number or a type was changed by mistake.

use forebay_proto::v1;
use prost::Message;

fn request() -> v1::ClassifyRequest {
    v1::ClassifyRequest {
        request_id: "req-1".to_owned(),
        passages: vec![
            v1::Passage { id: 0, role: v1::Role::System.into(), text: "be kind".to_owned() },
            v1::Passage { id: 300, role: v1::Role::Tool.into(), text: "Zoë 🙂".to_owned() },
        ],
        signals: vec![
            v1::SignalRequest { signal: v1::Signal::Jailbreak.into(), passage_ids: vec![0, 300] },
            v1::SignalRequest { signal: v1::Signal::Domain.into(), passage_ids: vec![300] },
        ],
    }
}

fn response() -> v1::ClassifyResponse {
    let good = v1::SignalResult {
        signal: v1::Signal::Pii.into(),
        failure: v1::Failure::Unspecified.into(),
        model: "forebay-small".to_owned(),
        model_version: "1".to_owned(),
        scores: vec![v1::LabelScore { label: "benign".to_owned(), score: 0.75 }],
        spans: vec![v1::Span {
            passage_id: 300,
            start: 1,
            end: 4,
            entity_type: "PERSON".to_owned(),
            score: 0.5,
        }],
        default_threshold: 0.25,
        tokens_read: 1000,
        windows: 3,
        truncated: true,
        window_prior: 0.0,
    };
    let failed = v1::SignalResult {
        signal: v1::Signal::Domain.into(),
        failure: v1::Failure::Runtime.into(),
        ..Default::default()
    };
    v1::ClassifyResponse {
        results: vec![good, failed],
        timings: Some(v1::Timings { queue_us: 1, tokenise_us: 2, run_us: 300, decode_us: 4 }),
    }
}

/// Hexadecimal, white space ignored.
fn bytes(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).filter_map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .chunks(32)
        .map(|line| line.iter().map(|b| format!("{b:02x}")).collect::<String>() + "\n")
        .collect()
}

#[test]
fn a_request_is_the_same_bytes_as_ever() {
    let golden = bytes(include_str!("golden/classify_request.hex"));
    assert_eq!(hex(&request().encode_to_vec()), hex(&golden));
    assert_eq!(v1::ClassifyRequest::decode(golden.as_slice()).unwrap(), request());
}

#[test]
fn a_response_is_the_same_bytes_as_ever() {
    let golden = bytes(include_str!("golden/classify_response.hex"));
    assert_eq!(hex(&response().encode_to_vec()), hex(&golden));
    assert_eq!(v1::ClassifyResponse::decode(golden.as_slice()).unwrap(), response());
}

#[test]
fn a_field_from_the_future_is_passed_over() {
    let mut golden = bytes(include_str!("golden/classify_request.hex"));
    // Field 99, a varint.
    golden.extend([0x98, 0x06, 0x01]);
    assert_eq!(v1::ClassifyRequest::decode(golden.as_slice()).unwrap(), request());
}

#[test]
fn the_descriptor_set_names_the_service() {
    let set = String::from_utf8_lossy(forebay_proto::FILE_DESCRIPTOR_SET);
    for name in ["forebay.inferd.v1", "Inferd", "Classify", "ClassifyRequest"] {
        assert!(set.contains(name), "{name}");
    }
}
