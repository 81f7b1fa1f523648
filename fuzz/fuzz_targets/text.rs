//! The normaliser, the recognisers and redaction of what they find.
#![no_main]

use recognise::oracle;

libfuzzer_sys::fuzz_target!(|input: (String, Vec<u16>)| {
    let (text, anywhere) = input;
    let cuts = oracle::cuts(&text, &anywhere);
    for outcome in
        [oracle::normaliser(&text, &cuts), oracle::scanner(&text, &cuts), oracle::redaction(&text)]
    {
        if let Err(broken) = outcome {
            panic!("{broken}");
        }
    }
});
