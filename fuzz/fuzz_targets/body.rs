//! The scanner, the shapes, the offset map and the editor.
#![no_main]

use body_stream::oracle::{self, check};

libfuzzer_sys::fuzz_target!(|input: (Vec<u8>, Vec<u8>, Vec<u8>, bool)| {
    let (choices, changes, cuts, raw) = input;
    let body = if raw { choices } else { oracle::mutate(oracle::body(&choices), &changes) };
    if let Err(broken) = check(&body, &oracle::cuts(&cuts)) {
        panic!("{broken}");
    }
});
