//! The `inferd` command: arguments and environment in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    inferd::cli::main(std::env::args_os(), &|name| std::env::var(name).ok())
}
