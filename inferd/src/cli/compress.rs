//! `inferd compress`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use compress::{Compressor, Config, Flag, Mode, Profile, Role, SelectRequest, Selection};
use recognise::{Normaliser, Recogniser, Scanner};
use serde_json::json;

use super::{CliError, print, read_text};

/// Show what the filter would keep of a long prompt.
#[derive(Debug, Args)]
pub(super) struct Compress {
    /// Read the text from a file; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,
    /// Tokens to keep at most, special tokens included
    #[arg(long, value_name = "TOKENS", default_value_t = compress::DEFAULT_BUDGET_TOKENS)]
    budget_tokens: usize,
    /// Which sentences matter
    #[arg(long, value_enum, default_value_t = Coverage::Guarded)]
    mode: Coverage,
    /// Weights: paper, general, coding, multi_turn or security
    #[arg(long, default_value = "general", value_parser = profile)]
    profile: Profile,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show every sentence with its scores and why it was kept
    #[arg(long)]
    explain: bool,
    /// The text
    text: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Coverage {
    /// Those that stand for the text
    Compressed,
    /// Those that may be an attack or hold personal data first
    Guarded,
}

fn profile(name: &str) -> Result<Profile, String> {
    Profile::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Profile::ALL.iter().map(|p| p.name()).collect();
        format!("is not one of {}", known.join(", "))
    })
}

impl Compress {
    pub(super) fn run(self) -> Result<(), CliError> {
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
        let mut compressor = Compressor::new(&Config::from(self.profile));
        compressor.advance(0, text, true);
        let request = SelectRequest {
            texts: &[text],
            roles: &[Role::User],
            flagged: &flagged,
            budget_tokens: self.budget_tokens,
            mode: match self.mode {
                Coverage::Compressed => Mode::Compressed,
                Coverage::Guarded => Mode::Guarded,
            },
        };
        let selection = compressor.select(request);
        if self.json {
            return print(&format!("{:#}\n", as_json(&selection, text)));
        }
        if self.explain {
            let mut out = String::from("kept         tokens    total suspicion  text\n");
            for report in compressor.explain(request) {
                let kept = report
                    .kept
                    .map_or_else(|| "-".to_owned(), |reason| format!("{reason:?}").to_lowercase());
                let sentence = text.get(report.range).unwrap_or_default().trim();
                _ = writeln!(
                    out,
                    "{kept:<12} {:>6} {:>8.3} {:>9.2}  {sentence}",
                    report.tokens, report.total, report.suspicion
                );
            }
            out.push_str(&summary(&selection));
            return print(&out);
        }
        let mut out = String::new();
        for piece in &selection.pieces {
            _ = writeln!(out, "{}", text.get(piece.range.clone()).unwrap_or_default());
        }
        print(&out)?;
        // Apart from the text, so that the text can be piped on.
        super::note(&summary(&selection));
        Ok(())
    }
}

fn summary(selection: &Selection) -> String {
    format!(
        "kept {} of about {} tokens, {} of {} bytes, in {} piece(s){}\n",
        selection.tokens_kept,
        selection.tokens_in,
        selection.bytes_kept,
        selection.bytes_in,
        selection.pieces.len(),
        if selection.overflowed { "; the end was not looked at" } else { "" }
    )
}

fn as_json(selection: &Selection, text: &str) -> serde_json::Value {
    let pieces: Vec<_> = selection
        .pieces
        .iter()
        .map(|p| json!({"start": p.range.start, "end": p.range.end, "text": text.get(p.range.clone()).unwrap_or_default()}))
        .collect();
    json!({
        "tokens_in": selection.tokens_in, "tokens_kept": selection.tokens_kept, "bytes_in": selection.bytes_in,
        "bytes_kept": selection.bytes_kept, "whole": selection.whole, "overflowed": selection.overflowed, "pieces": pieces,
    })
}
