//! `inferd config`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{CliError, print};
use crate::config::{Config, Raw, schema};
use crate::models::ModelSpec;

/// Look at configuration files.
#[derive(Debug, Args)]
pub(super) struct ConfigCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check a configuration file and the folders that it names
    Check {
        /// Configuration file (YAML)
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Print the JSON Schema of the configuration file
    Schema,
}

impl ConfigCommand {
    pub(super) fn run(self) -> Result<(), CliError> {
        match self.command {
            Command::Check { file } => {
                let config = Config::try_from(Raw::load(&file)?)?;
                for dir in &config.models {
                    ModelSpec::load(dir)?;
                }
                print(&format!("{}: ok, {} model(s)\n", file.display(), config.models.len()))
            }
            Command::Schema => print(&format!("{:#}\n", schema())),
        }
    }
}
