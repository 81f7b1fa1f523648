//! The compressor.
#![no_main]

use compress::Flag;

libfuzzer_sys::fuzz_target!(|input: (Vec<String>, Vec<(u8, u16, u16)>, u16, Vec<u16>)| {
    let (texts, flags, budget, cuts) = input;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let flagged: Vec<Flag> = flags
        .iter()
        .map(|&(passage, a, b)| Flag {
            passage: usize::from(passage),
            range: usize::from(a.min(b))..usize::from(a.max(b)),
        })
        .collect();
    let cuts: Vec<usize> = cuts.iter().map(|&c| usize::from(c)).collect();
    if let Err(broken) = compress::oracle::run(&texts, &flagged, usize::from(budget), &cuts) {
        panic!("{broken}");
    }
});
