//! A whole request: any body in any pieces, any answer. Nothing panics, and what is forwarded after a redaction is JSON.
#![no_main]

use std::rc::Rc;
use std::time::Duration;

use body_stream::oracle;
use policy::{Config, Effect, Event, Head, Stream, Worker};

const CONFIG: &[u8] = br#"{"signals":{"pii":{"restore":true},"jailbreak":{"coverage":"guarded"}}}"#;

libfuzzer_sys::fuzz_target!(|input: (Vec<u8>, Vec<u8>, u16, Vec<u8>)| {
    let (choices, changes, cut, answer) = input;
    let Ok(config) = Config::from_json(CONFIG) else { return };
    let mut stream = Stream::new(Rc::new(Worker::new(Rc::new(config))));
    let now = Duration::from_secs(1);
    let headers = [
        (":method".to_owned(), "POST".to_owned()),
        (":path".to_owned(), "/v1/chat/completions".to_owned()),
    ];
    let body = oracle::mutate(oracle::body(&choices), &changes);
    let (head, tail) = body.split_at(usize::from(cut).min(body.len()));
    let mut effects = stream.on(now, Event::RequestHeaders { head: Head { headers: &headers }, ends: false });
    effects.extend(stream.on(now, Event::RequestBody { chunk: head, ends: false }));
    effects.extend(stream.on(now, Event::RequestBody { chunk: tail, ends: true }));
    if effects.iter().any(|e| matches!(e, Effect::Call(_))) {
        effects = stream.on(now, Event::Answer(Ok(&answer)));
    }
    // The new body must be JSON; it is asked for in parts.
    while let Some(Effect::ReadBody { from, max }) =
        effects.iter().find(|e| matches!(e, Effect::ReadBody { .. })).cloned()
    {
        let part = body.get(from..).unwrap_or_default();
        effects = stream.on(now, Event::HeldBody(part.get(..max).unwrap_or(part)));
        for effect in &effects {
            if let Effect::ReplaceBody(new) = effect {
                assert!(serde_json::from_slice::<serde::de::IgnoredAny>(new).is_ok());
            }
        }
    }
    stream.on(now, Event::BodyReplaced(Ok(())));
});
