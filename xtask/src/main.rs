//! Developer commands: the only ones that a newcomer needs. `cargo xtask help` lists them.
//!
//! This program starts others and needs nothing itself: it has no dependencies and is linked for musl by the linker that
//! rustup ships, so that it runs on a machine with rustup and python3 alone and can install what is missing.
#![allow(clippy::print_stdout, reason = "a command-line program talks on standard output")]

mod parts;
mod process;
mod setup;
mod steps;

use std::os::unix::process::CommandExt as _;
use std::process::ExitCode;

use process::{Failure, Tree};

const HELP: &str = "\
Forebay's developer commands

Usage: cargo xtask COMMAND [ARGUMENTS]

  setup                 fetch the pinned parts (Envoy, ONNX Runtime) and install missing tools
  build                 setup, then build the filter, the daemon and the demo
  demo [ARGUMENTS]      build, then start everything and send the sample requests
        --once            exit after the samples instead of serving on
        --json FILE       write the results as JSON as well
        --port PORT       where Envoy listens (default 10000)
  test                  setup, then run every check and test
  conformance [ARGS]    run the conformance cases
        --cases DIR  --layer pure|wasm|envoy  --json FILE
  bench [ARGUMENTS]     build for speed, then measure; `cargo xtask bench --help` lists the benches
  help                  this text
";

fn run(command: &str, arguments: &[String]) -> Result<(), Failure> {
    let tree = Tree::find()?;
    let takes_none = || match arguments.first() {
        None => Ok(()),
        Some(found) => {
            Err(Failure::Usage(format!("`{command}` takes no arguments; got `{found}`")))
        }
    };
    match command {
        "setup" => takes_none().and_then(|()| setup::set_up(&tree)),
        "build" => takes_none().and_then(|()| steps::build(&tree)),
        "demo" => {
            steps::build(&tree)?;
            let mut demo = tree.command(tree.target().join("debug/demo"));
            // It takes this program's place, so that Ctrl-C reaches it alone.
            let error = demo.args(arguments).exec();
            Err(Failure::Start("the demo".to_owned(), error))
        }
        "test" => takes_none().and_then(|()| steps::test(&tree)),
        "conformance" => steps::conformance(&tree, arguments),
        "bench" => {
            let mut bench = steps::bench(&tree, arguments)?;
            // As the demo: Ctrl-C reaches it alone.
            let error = bench.args(arguments).exec();
            Err(Failure::Start("the benches".to_owned(), error))
        }
        _ => {
            Err(Failure::Usage(format!("there is no command `{command}`; see `cargo xtask help`")))
        }
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_else(|| "help".to_owned());
    let arguments: Vec<String> = arguments.collect();
    let asks = |word: &str| matches!(word, "--help" | "-h");
    // The other commands have help of their own.
    let plain = matches!(command.as_str(), "setup" | "build" | "test");
    if command == "help" || asks(&command) || plain && arguments.iter().any(|word| asks(word)) {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match run(&command, &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
