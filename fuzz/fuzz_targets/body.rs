//! The scanner, the shapes, the offset map and the editor.
#![no_main]

use body_stream::oracle::{check, generate};

libfuzzer_sys::fuzz_target!(|input: (Vec<u8>, Vec<u8>, Vec<u8>, bool)| {
    let (choices, changes, cuts, raw) = input;
    let body = if raw { choices } else { generate::mutate(generate::body(&choices), &changes) };
    if let Err(broken) = check(&body, &generate::cuts(&cuts)) {
        panic!("{broken}");
    }
});
