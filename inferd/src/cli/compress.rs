//! `inferd compress`.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use compress::{Compressor, Config, Flag, Mode, Profile, Role, SelectRequest};
use recognise::{Normaliser, Recogniser, Scanner};

use super::{CliError, print, read_text};

mod page;
mod show;

use show::Shown;

const EXAMPLES: &str = "\
Examples:
  inferd compress prompt.txt                          what the filter would send, on standard output
  inferd compress prompt.txt --explain                every sentence, its scores, and why it is kept or dropped
  inferd compress prompt.txt --explain --format html > why.html
  inferd compress - --budget 1024 --profile paper < prompt.txt
  inferd compress --text 'A short prompt.' --format json";

/// Show what the filter would keep of a long prompt.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Compress {
    /// File with the text; `-` or nothing is standard input
    #[arg(value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,
    /// The text itself instead of a file
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Tokens to keep at most, special tokens included
    #[arg(long = "budget", value_name = "TOKENS", default_value_t = compress::DEFAULT_BUDGET_TOKENS)]
    budget_tokens: usize,
    /// Weights: paper, general, coding, multi_turn or security; guarded is general with --mode guarded
    #[arg(long, default_value = "guarded", value_parser = profile)]
    profile: Chosen,
    /// Which sentences matter [default: compressed for the profile paper, else guarded]
    #[arg(long, value_enum)]
    mode: Option<Coverage>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Show every sentence with its scores and why it is kept or dropped
    #[arg(long)]
    explain: bool,
    /// When to colour text
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    color: Colour,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Coverage {
    /// Those that stand for the text
    Compressed,
    /// Those that may be an attack or hold personal data first
    Guarded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
    /// One page that needs nothing else
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A profile, and whether the name asked for guarded mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Chosen {
    profile: Profile,
    guarded: bool,
}

/// The name that means [`Profile::General`] with guarded mode.
const GUARDED: &str = "guarded";

fn profile(name: &str) -> Result<Chosen, String> {
    if name == GUARDED {
        return Ok(Chosen { profile: Profile::General, guarded: true });
    }
    Profile::from_name(name).map(|profile| Chosen { profile, guarded: false }).ok_or_else(|| {
        let known: Vec<&str> = Profile::ALL.iter().map(|p| p.name()).chain([GUARDED]).collect();
        format!("is not one of {}", known.join(", "))
    })
}

/// Whether the user wants no colour anywhere (no-color.org).
fn is_plain() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

impl Compress {
    pub(super) fn run(self) -> Result<(), CliError> {
        let mode = self.mode()?;
        let config = self.config()?;
        let original = read_text(self.text.as_deref(), self.file.as_deref())?;
        // As the filter does: what is selected is the normalised text.
        let mut normaliser = Normaliser::new();
        normaliser.advance(&original, true);
        let text = normaliser.text(&original);
        let mut scanner = Scanner::new();
        scanner.advance(&Recogniser::default(), text, true);
        let flagged: Vec<Flag> = scanner
            .hits()
            .iter()
            .map(|hit| Flag { passage: 0, range: hit.range.clone() })
            .collect();
        let mut compressor = Compressor::new(&config);
        compressor.advance(0, text, true);
        let request = SelectRequest {
            texts: &[text],
            roles: &[Role::User],
            flagged: &flagged,
            budget_tokens: self.budget_tokens,
            mode,
        };
        let selection = compressor.select(request);
        let reports = if self.explain || self.format == Format::Html {
            compressor.explain(request)
        } else {
            Vec::new()
        };
        let shown = Shown { text, selection: &selection, reports: &reports };
        match self.format {
            Format::Json => print(&shown.json()),
            Format::Html => print(&page::page(&shown)),
            Format::Text if self.json => print(&shown.json()),
            Format::Text if self.explain => {
                let colour = match self.color {
                    Colour::Always => true,
                    Colour::Never => false,
                    Colour::Auto => !is_plain() && std::io::stdout().is_terminal(),
                };
                print(&shown.table(colour))
            }
            Format::Text => {
                print(&shown.pieces())?;
                // Apart from the text, so that the text can be piped on.
                super::note(&shown.summary());
                Ok(())
            }
        }
    }

    fn mode(&self) -> Result<Mode, CliError> {
        match self.mode {
            Some(Coverage::Compressed) if self.profile.guarded => Err(CliError::Usage(
                "--profile guarded and --mode compressed contradict each other".to_owned(),
            )),
            Some(Coverage::Compressed) => Ok(Mode::Compressed),
            None if self.profile.profile == Profile::Paper => Ok(Mode::Compressed),
            Some(Coverage::Guarded) | None => Ok(Mode::Guarded),
        }
    }

    fn config(&self) -> Result<Config, CliError> {
        let mut raw = compress::Raw::profile(self.profile.profile);
        raw.budget_tokens = self.budget_tokens;
        // The key is the option's name without its dashes.
        Config::try_from(raw).map_err(|error| CliError::Usage(format!("--budget: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        compress: Compress,
    }

    fn parse(arguments: &[&str]) -> Compress {
        Program::try_parse_from(["x"].iter().chain(arguments)).map(|p| p.compress).unwrap()
    }

    #[test]
    fn the_profile_decides_the_mode_where_nothing_else_does() {
        let mode = |arguments: &[&str]| parse(arguments).mode().ok();
        assert_eq!(mode(&[]), Some(Mode::Guarded));
        assert_eq!(mode(&["--profile", "paper"]), Some(Mode::Compressed));
        assert_eq!(mode(&["--profile", "paper", "--mode", "guarded"]), Some(Mode::Guarded));
        assert_eq!(mode(&["--profile", "coding", "--mode", "compressed"]), Some(Mode::Compressed));
        assert_eq!(mode(&["--profile", "guarded", "--mode", "compressed"]), None);
    }

    #[test]
    fn a_budget_outside_its_range_is_refused() {
        assert!(parse(&["--budget", "512"]).config().is_ok());
        let error = parse(&["--budget", "3"]).config().unwrap_err().to_string();
        assert_eq!(error, "--budget: budget_tokens is 3, allowed is 16 to 65536");
    }

    #[test]
    fn the_examples_of_the_help_are_accepted() {
        for line in EXAMPLES.lines().filter(|line| line.contains("inferd compress")) {
            let line = line.split("  ").find(|part| part.contains("inferd")).unwrap_or_default();
            let arguments: Vec<&str> = line
                .split_whitespace()
                .skip(2)
                .take_while(|word| !matches!(*word, "<" | ">"))
                .filter(|word| !matches!(*word, "short" | "prompt.'"))
                .collect();
            assert!(Program::try_parse_from(["x"].iter().chain(&arguments)).is_ok(), "{line}");
        }
    }
}
