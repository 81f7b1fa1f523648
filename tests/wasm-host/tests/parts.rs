//! The benches' parts in wasmtime: right there too.
use bench_parts::{LINE, Measured, PARTS, Setup as Bench};
use wasm_host::{Filter, Setup, Vm, built_filter};

/// A chat request of about 16 KiB of plain prose.
fn body() -> String {
    let nouns = ["river", "engine", "library", "voyage", "garden", "method", "silver"];
    let text: String = (0..200usize)
        .map(|at| {
            let noun = |step: usize| nouns[(at * step + step) % nouns.len()];
            format!(
                "The {} of the {} follows a {} that number {at} describes. ",
                noun(1),
                noun(3),
                noun(5)
            )
        })
        .collect();
    serde_json::json!({"messages": [
        {"role": "system", "content": "Answer briefly."},
        {"role": "user", "content": text},
    ]})
    .to_string()
}

#[test]
fn every_part_gives_the_right_result_in_wasmtime() {
    let filter = Filter::load(&built_filter().with_file_name("bench_parts_wasm.wasm")).unwrap();
    let setup = serde_json::to_string(&Bench { body: body(), millis: 0 }).unwrap();
    // A part whose result is wrong refuses the configuration.
    let vm = Vm::start(&filter, Setup::with_config(setup).with_running_clock()).unwrap();
    let measured: Vec<Measured> = vm
        .log()
        .iter()
        .filter_map(|line| serde_json::from_str(line.text.strip_prefix(LINE)?).ok())
        .collect();
    for part in PARTS {
        let found = measured.iter().find(|found| found.name == part.name).unwrap();
        assert!(found.runs >= 10 && found.least_us > 0.0, "{found:?}");
    }
}

#[test]
fn a_body_that_no_part_can_work_on_is_refused() {
    let filter = Filter::load(&built_filter().with_file_name("bench_parts_wasm.wasm")).unwrap();
    let setup = serde_json::to_string(&Bench { body: "{}".to_owned(), millis: 0 }).unwrap();
    assert!(Vm::start(&filter, Setup::with_config(setup)).is_err());
}
