//! `inferd man`.

use std::path::PathBuf;

use clap::Args;

use super::{CliError, print};

/// Print the manual page.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  inferd man | man -l -\n  inferd man --dir /usr/local/share/man/man1"
)]
pub(super) struct Man {
    /// Write a page for each command to this folder instead
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Man {
    pub(super) fn run(self, command: clap::Command) -> Result<(), CliError> {
        let command = command.name("inferd");
        match self.dir {
            Some(dir) => clap_mangen::generate_to(command, &dir)
                .map_err(CliError::io(format!("cannot write to {}", dir.display()))),
            None => {
                let mut page = Vec::new();
                clap_mangen::Man::new(command)
                    .render(&mut page)
                    .map_err(CliError::io("cannot make the page"))?;
                print(&String::from_utf8_lossy(&page))
            }
        }
    }
}
