//! What other people would use instead, each from a package registry, on the same text, on this machine, in the same run.
pub(crate) mod install;
mod personal;
pub(crate) mod server;
mod service;
mod summarise;
pub(crate) mod tally;

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use e2e::Parts;
use serde_json::Value;

use crate::Common;
use crate::prompts::Prompts;
use crate::report::{Summary, Table};
use crate::stats::{Spread, median};
use tally::Tally;

/// Arguments of `peers`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which; all if not given.
    #[arg(long = "peer", value_enum)]
    peers: Vec<Peer>,
    /// A peer that fails is listed, but does not fail the bench.
    #[arg(long)]
    allow_missing_peers: bool,
}

/// A peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Peer {
    /// presidio-analyzer with spaCy's small English model, for personal data.
    Presidio,
    /// A Python service over onnxruntime and tokenizers.
    Service,
    /// sumy and summa, as compressors.
    Summarisers,
}

const ALL: [Peer; 3] = [Peer::Presidio, Peer::Service, Peer::Summarisers];

/// Peers that cannot be run from a registry package here, and why.
const NOT_RUN: [(&str, &str); 2] = [
    ("llm-guard", "its scanners load weights from a model hub; no package registry carries them"),
    ("llmlingua", "it prunes tokens by a language model whose weights no package registry carries"),
];

/// What a peer and ours took for the same texts.
struct Row {
    what: &'static str,
    who: String,
    tokens: usize,
    ms: Vec<f64>,
    cpu_ms: Vec<f64>,
    said: String,
}

struct Bench<'a> {
    parts: Parts,
    prompts: Prompts,
    common: &'a Common,
}

impl Bench<'_> {
    /// Sizes in tokens.
    const fn sizes(&self) -> &'static [usize] {
        if self.common.quick { &[500, 2_000] } else { &[500, 2_000, 8_000] }
    }

    /// Different texts of each size.
    const fn texts(&self) -> usize {
        if self.common.quick { 3 } else { 6 }
    }

    /// Groups of texts, one for each size.
    fn groups(&self, change: impl Fn(usize, String) -> String) -> Result<Vec<Vec<String>>> {
        let group = |tokens: &usize| {
            (0..self.texts())
                .map(|at| Ok(change(at, self.prompts.of_tokens(*tokens, at)?.text)))
                .collect()
        };
        self.sizes().iter().map(group).collect()
    }
}

/// Measures.
///
/// # Errors
///
/// Fails when a peer fails, unless that is allowed, or when ours does.
pub(crate) fn run(args: &Args, common: &Common) -> Result<Summary> {
    let parts = Parts::locate();
    let prompts = Prompts::new(&parts.model, common.seed)?;
    let bench = Bench { parts, prompts, common };
    let mut summary = Summary::new("peers", "Peers on the same text");
    let wanted = if args.peers.is_empty() { ALL.to_vec() } else { args.peers.clone() };
    let mut rows = Vec::new();
    let mut tally = Tally::new();
    for peer in wanted {
        eprintln!("peers: {peer:?}");
        let measured = match peer {
            Peer::Presidio => personal::measure(&bench),
            Peer::Service => service::measure(&bench),
            Peer::Summarisers => summarise::measure(&bench),
        };
        rows.extend(tally.take(&format!("{peer:?}"), measured, &mut summary).unwrap_or_default());
    }
    for (name, reason) in NOT_RUN {
        summary.note(format!("{name} was not run: {reason}."));
    }
    let mut table = Table::new(
        "peers",
        &["task", "who", "tokens", "texts", "p50 ms", "CPU ms", "ours faster by", "result"],
    );
    for row in &rows {
        let spread = Spread::of(&row.ms).context("no text")?;
        let is_same = |other: &&Row| {
            other.what == row.what && other.tokens == row.tokens && other.who.starts_with("ours")
        };
        let ours = rows
            .iter()
            .filter(is_same)
            .map(|other| median(&other.ms))
            .fold(f64::INFINITY, f64::min);
        let ratio = if row.who.starts_with("ours") || !ours.is_finite() {
            "-".to_owned()
        } else {
            format!("{:.1}×", spread.p50 / ours)
        };
        table.row([
            row.what.to_owned(),
            row.who.clone(),
            row.tokens.to_string(),
            spread.count.to_string(),
            format!("{:.2}", spread.p50),
            format!("{:.2}", median(&row.cpu_ms)),
            ratio,
            row.said.clone(),
        ]);
    }
    summary.tables.push(table);
    summary.shown = vec!["peers".to_owned()];
    tally.end(&mut summary, args.allow_missing_peers)?;
    Ok(summary)
}

/// Times of a group of a script's answer.
fn times(group: &Value) -> (Vec<f64>, Vec<f64>) {
    let column = |key: &str| {
        group.as_array().into_iter().flatten().filter_map(|row| row[key].as_f64()).collect()
    };
    (column("ms"), column("cpu_ms"))
}
