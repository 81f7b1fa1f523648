//! Building and testing: which cargo commands, in which order.
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::process::{Failure, Tree, run};
use crate::setup;

/// Crates for wasm alone: they do not link natively.
const WASM_ONLY: [&str; 3] = ["filter-wasm", "fixture-filter", "bench-parts-wasm"];
/// Crates that the filter is made of; they are checked for wasm as well.
const PURE: [&str; 4] = ["body-stream", "recognise", "compress", "policy"];

/// Everything native in one selection, so that all steps share one set of features and nothing is built twice.
fn native(command: &mut Command) -> &mut Command {
    command.arg("--workspace").args(WASM_ONLY.iter().flat_map(|name| ["--exclude", name]))
}

fn packages<'a>(command: &'a mut Command, names: &[&str]) -> &'a mut Command {
    command.args(names.iter().flat_map(|name| ["--package", name]))
}

fn build_wasm(tree: &Tree, names: &[&str]) -> Command {
    let mut cargo = tree.cargo();
    cargo.args(["build", "--target", "wasm32-wasip1", "--profile", "release-wasm"]);
    packages(&mut cargo, names);
    cargo
}

/// The `build` command. The daemon is built with the tests' profile: its inference is the runtime library's, and its own
/// hot crates are optimised in every profile.
pub(crate) fn build(tree: &Tree) -> Result<(), Failure> {
    setup::set_up(tree)?;
    println!("build: the filter");
    run("building the filter", &mut build_wasm(tree, &["filter-wasm"]))?;
    println!("build: the daemon, its operator library and the demo");
    let mut cargo = tree.cargo();
    cargo.args(["build", "--bins", "--lib"]);
    run("building the daemon and the demo", packages(&mut cargo, &["inferd", "ck-op", "e2e"]))
}

/// The `conformance` command.
pub(crate) fn conformance(tree: &Tree, arguments: &[String]) -> Result<(), Failure> {
    build(tree)?;
    let mut cargo = tree.cargo();
    cargo.args(["run", "--quiet", "--package", "conformance", "--"]).args(arguments);
    run("the conformance run", &mut cargo)
}

/// Builds what the `bench` command needs, all as released, and gives the program to start.
pub(crate) fn bench(tree: &Tree, arguments: &[String]) -> Result<Command, Failure> {
    let mut names = vec!["forebay-benches"];
    let only_words =
        arguments.iter().any(|word| matches!(word.as_str(), "--help" | "-h" | "summary"));
    if !only_words {
        setup::set_up(tree)?;
        run("building the filter", &mut build_wasm(tree, &["filter-wasm", "bench-parts-wasm"]))?;
        names.extend(["inferd", "ck-op"]);
    }
    let mut cargo = tree.cargo();
    cargo.args(["build", "--release"]);
    run("building the benches", packages(&mut cargo, &names))?;
    let mut bench = tree.command(tree.target().join("release/bench"));
    for (name, file) in
        [("FOREBAY_INFERD", "inferd"), ("FOREBAY_OPERATOR_LIB", "libforebay_ck_op.so")]
    {
        if std::env::var_os(name).is_none() {
            bench.env(name, tree.target().join("release").join(file));
        }
    }
    Ok(bench)
}

/// One step of `test`.
struct Step {
    name: &'static str,
    command: Command,
}

/// The `test` command. A step that fails does not keep the later ones from running.
pub(crate) fn test(tree: &Tree) -> Result<(), Failure> {
    setup::set_up(tree)?;
    let started = Instant::now();
    let mut failed = Vec::new();
    let mut times = Vec::new();
    let mut summaries = Vec::new();
    let steps = steps(tree);
    let count = steps.len();
    for (index, mut step) in steps.into_iter().enumerate() {
        println!("\n==> [{}/{count}] {}", index + 1, step.name);
        let begun = Instant::now();
        let outcome = run_listening(step.name, &mut step.command, &mut summaries);
        times.push((step.name, begun.elapsed(), outcome.is_ok()));
        if let Err(failure) = outcome {
            println!("==> {failure}");
            failed.push(step.name);
        }
        if step.name == BUILD_FILTER
            && let Ok(file) = tree.wasm("filter_wasm").metadata()
        {
            println!("filter_wasm.wasm: {} bytes", file.len());
        }
    }
    println!("\nTest runners:");
    for (runner, summary) in &summaries {
        println!("  {runner:<40} {summary}");
    }
    println!("\nSteps:");
    for (name, time, passed) in &times {
        let outcome = if *passed { "ok" } else { "FAILED" };
        println!("  {name:<40} {:>8}  {outcome}", seconds(*time));
    }
    println!("  {:<40} {:>8}", "all", seconds(started.elapsed()));
    if failed.is_empty() { Ok(()) } else { Err(Failure::Steps(failed)) }
}

const BUILD_FILTER: &str = "build the filter";

/// Cheap first.
fn steps(tree: &Tree) -> Vec<Step> {
    let step = |name, arguments: &[&str]| {
        let mut command = tree.cargo();
        command.args(arguments);
        Step { name, command }
    };
    let format = step("format", &["fmt", "--all", "--check"]);

    let mut lint = step("lint", &["clippy", "--all-targets"]);
    native(&mut lint.command).args(["--", "-D", "warnings"]);
    let mut lint_wasm = step("lint for wasm", &["clippy", "--target", "wasm32-wasip1"]);
    packages(packages(&mut lint_wasm.command, &WASM_ONLY), &PURE).args(["--", "-D", "warnings"]);
    let filter = Step { name: BUILD_FILTER, command: build_wasm(tree, &WASM_ONLY) };
    let mut programs = step("build the programs", &["build", "--bins"]);
    native(&mut programs.command);
    let mut tests = step("test", &["test", "--no-fail-fast"]);
    native(&mut tests.command);
    let mut documents = step("documents", &["doc", "--no-deps"]);
    native(&mut documents.command).env("RUSTDOCFLAGS", "-D warnings");
    let script = |name, path: &str| {
        let mut command = tree.command("python3");
        command.arg(path);
        Step { name, command }
    };
    let observability = script("observability", "tests/observability/run");
    let pages = script("pages", "tests/docs/run");
    let packaging = script("packaging", "tests/packaging/run.py");
    // After the tests, whose example program and operator library it uses.
    let mut operator = tree.command("sh");
    operator.arg("ck_op/check.sh").env("CARGO_TARGET_DIR", tree.target());
    let operator = Step { name: "operator beyond cargo's tests", command: operator };
    vec![
        format,
        lint,
        lint_wasm,
        filter,
        programs,
        tests,
        documents,
        observability,
        pages,
        packaging,
        operator,
    ]
}

/// Runs a step, shows its output as it comes, and keeps the test runners' own summaries.
fn run_listening(
    name: &str,
    command: &mut Command,
    summaries: &mut Vec<(String, String)>,
) -> Result<(), Failure> {
    let failed = |error| Failure::Start(name.to_owned(), error);
    let mut both = std::io::pipe().map_err(failed)?;
    let other = both.1.try_clone().map_err(failed)?;
    command.stdin(Stdio::null()).stdout(both.1).stderr(other);
    let mut child = command.spawn().map_err(failed)?;
    // The command keeps the writing ends open; without this the reading would never end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut runner = String::new();
    let mut lines = BufReader::new(&mut both.0);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).map_err(failed)? > 0 {
        std::io::stdout().write_all(&line).map_err(failed)?;
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if let Some(started) = text.strip_prefix("Running ").or(text.strip_prefix("Doc-tests ")) {
            runner = runner_name(started);
        }
        if let Some(summary) = text.strip_prefix("test result: ") {
            summaries.push((runner.clone(), summary.to_owned()));
        }
        line.clear();
    }
    let status = child.wait().map_err(failed)?;
    if status.success() { Ok(()) } else { Err(Failure::Exit(name.to_owned(), status)) }
}

/// From `unittests src/lib.rs (target/debug/deps/policy-0123)` the crate and file; other texts as they are.
fn runner_name(started: &str) -> String {
    let Some((source, rest)) = started.rsplit_once(" (") else {
        return format!("{started} (documents)");
    };
    let program = rest.trim_end_matches(')').rsplit('/').next().unwrap_or(rest);
    let program = program.rsplit_once('-').map_or(program, |(name, _hash)| name);
    format!("{program}: {source}")
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runners_are_named_by_crate_and_file() {
        assert_eq!(
            runner_name("unittests src/lib.rs (target/debug/deps/policy-0123abcd)"),
            "policy: unittests src/lib.rs"
        );
        assert_eq!(runner_name("wasm_host"), "wasm_host (documents)");
    }

    #[test]
    fn every_summary_line_of_a_step_is_kept_and_a_failing_step_is_told() {
        let mut summaries = Vec::new();
        let script =
            "echo 'Running tests/a.rs (deps/a-1)'; echo 'test result: ok. 1 passed' >&2; exit 3";
        let outcome =
            run_listening("a step", Command::new("sh").args(["-c", script]), &mut summaries);
        assert!(matches!(outcome, Err(Failure::Exit(..))), "{outcome:?}");
        assert_eq!(summaries, [("a: tests/a.rs".to_owned(), "ok. 1 passed".to_owned())]);
    }
}
