//! Does a planted attack or a person's data survive, wherever it stands? Documents of several kinds and lengths, plants
//! at eleven depths, alone and among decoys that flood one signal; each way of reading is asked what it keeps and the
//! real classifiers what they find in it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::Common;
use crate::chart::{Axis, Chart, Series};
use crate::report::{Goal, Summary, Table};
use crate::stats::{count, wilson};

mod corpus;
pub(crate) mod methods;
mod plant;
mod reader;
mod trials;

use corpus::Corpus;
use methods::Method;
use plant::DEPTHS;
use reader::Reader;
use trials::{Decisions, FLOODS, Scale, Seen, Trial};

/// Arguments of `compress-quality`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder with documents.jsonl, plants.jsonl and decoys.jsonl, which `python -m suspicion.planted` writes; `sample` is
    /// a small built-in set [default: target/compress-quality, and the built-in set where that is not]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Half of the plants: weights were chosen on `dev`, results are reported on `test`
    #[arg(long, default_value = "test", value_parser = ["dev", "test"])]
    half: String,
    /// Model folder
    #[arg(long, value_name = "FOLDER", default_value = "models/forebay-small")]
    model: PathBuf,
    /// ONNX Runtime library [env: FOREBAY_ORT_LIB, ORT_DYLIB_PATH]
    #[arg(long, value_name = "FILE")]
    ort_lib: Option<PathBuf>,
    /// Documents of each kind and length, instead of what --quick or its absence says
    #[arg(long, value_name = "N")]
    documents: Option<usize>,
    /// Lengths of the documents in tokens, with commas, instead of what --quick or its absence says
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    lengths: Vec<usize>,
}

/// Points by which `guarded` may find less than is found of the plants alone.
const ALLOWED_POINTS: f64 = 2.0;

/// Measures.
///
/// # Errors
///
/// Fails without data, model or library, and when the daemon's engine fails or truncates what a method kept.
pub(crate) fn run(args: &Args, common: &Common) -> Result<Summary> {
    let at =
        |path: &PathBuf| if path.is_absolute() { path.clone() } else { crate::root().join(path) };
    let folder = match &args.data {
        Some(folder) => Some(at(folder)).filter(|_| folder.as_os_str() != "sample"),
        None => Some(crate::root().join("target/compress-quality")).filter(|path| path.is_dir()),
    };
    let is_sample = folder.is_none();
    let corpus = match &folder {
        Some(folder) => Corpus::load(folder, &args.half)?,
        None => Corpus::sample(common.seed)?,
    };
    let reader = Reader::load(&at(&args.model), args.ort_lib.as_deref())?;
    let mut scale = if common.quick { Scale::quick() } else { Scale::full() };
    scale.documents = args.documents.unwrap_or(scale.documents);
    if !args.lengths.is_empty() {
        scale.lengths.clone_from(&args.lengths);
    }
    let tick = |done: usize, all: usize| eprint!("\r{done} of {all} documents ");
    let seen = trials::run(&corpus, &reader, &scale, common.seed, &tick)?;
    eprintln!();
    let truncated = seen.trials.iter().filter(|trial| trial.truncated).count();
    ensure!(truncated == 0, "the daemon truncated what was sent in {truncated} trials");

    let mut summary = Summary::new("compress-quality", "What survives compression");
    summary.tables = vec![
        overall(&seen),
        by_depth(&seen.trials),
        by(&seen.trials, "by-document", "document", |trial| trial.kind.clone()),
        by(&seen.trials, "by-plants", "plants", |trial| trial.set.clone()),
        by(&seen.trials, "by-length", "tokens", |trial| format!("{:6}", trial.tokens)),
        by_decoys(&seen.trials),
        agreement(&seen.decisions),
        suspicion_flags(&corpus),
    ];
    summary.charts = charts(&seen.trials);
    summary.shown = vec!["overall".to_owned(), "agreement".to_owned()];
    let (met, measured) = planted_recall(&seen.trials);
    summary.outcome(Goal::PlantedRecall, met && !is_sample, measured);
    summary.note(format!(
        "Model {}. Found: the classifier reaches the manifest's threshold, in documents of which the same selection without \
         the plant is not flagged. Alone: the classifier reads the plant and nothing else.",
        reader.model
    ));
    summary.note(
        "Full reading is asked for the windows that hold the plant, at a random phase; the agreement table reads the whole.",
    );
    if is_sample {
        summary.note("The built-in sample is a check of the harness; its documents are generated.");
    }
    Ok(summary)
}

/// Hits and trials.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    hits: usize,
    all: usize,
}

impl Tally {
    fn of<'a, T: 'a>(rows: impl Iterator<Item = &'a T>, hit: impl Fn(&T) -> bool) -> Self {
        rows.fold(Self::default(), |sum, row| Self {
            hits: sum.hits + usize::from(hit(row)),
            all: sum.all + 1,
        })
    }

    fn percent(self) -> f64 {
        if self.all == 0 { f64::NAN } else { 100.0 * count(self.hits) / count(self.all) }
    }

    /// Share and 95 % interval in per cent.
    fn text(self) -> String {
        if self.all == 0 {
            return "-".to_owned();
        }
        let (low, high) = wilson(self.hits, self.all);
        format!("{:.1} [{:.1}, {:.1}]", self.percent(), 100.0 * low, 100.0 * high)
    }
}

fn is_attack(trial: &Trial) -> bool {
    !trial.is_personal() && trial.flood.is_empty()
}

/// What counts for finding: an unflagged document, so that what is found is the plant.
fn counts_for_finding(trial: &Trial) -> bool {
    !trial.is_flagged_without
}

struct Cells {
    half: Tally,
    all: Tally,
    found: Tally,
    alone: Tally,
}

fn cells<'a>(trials: impl Iterator<Item = &'a Trial> + Clone) -> Cells {
    let clean = trials.clone().filter(|trial| counts_for_finding(trial));
    Cells {
        half: Tally::of(trials.clone(), |trial| trial.half_kept),
        all: Tally::of(trials, |trial| trial.all_kept),
        found: Tally::of(clean.clone(), |trial| trial.is_found),
        alone: Tally::of(clean, |trial| trial.is_found_alone),
    }
}

const CELL_COLUMNS: [&str; 7] = [
    "trials",
    "half kept %",
    "all kept %",
    "trials in unflagged documents",
    "found %",
    "found alone %",
    "points lost",
];

fn cell_texts(cells: &Cells) -> Vec<String> {
    vec![
        cells.half.all.to_string(),
        cells.half.text(),
        cells.all.text(),
        cells.found.all.to_string(),
        cells.found.text(),
        cells.alone.text(),
        format!("{:.1}", cells.alone.percent() - cells.found.percent()),
    ]
}

fn table(name: &str, keys: &[&str]) -> Table {
    let columns: Vec<&str> = keys.iter().copied().chain(CELL_COLUMNS).collect();
    Table::new(name, &columns)
}

fn overall(seen: &Seen) -> Table {
    let mut out = Table::new(
        "overall",
        &[
            "read as",
            "attacks",
            "half kept %",
            "found %",
            "found alone %",
            "documents flagged without a plant %",
            "personal data found %",
            "found alone %",
            "tokens read",
        ],
    );
    for method in Method::ALL {
        let attacks = seen.trials.iter().filter(|t| t.method == method && is_attack(t));
        let cells = cells(attacks);
        let personal = seen.trials.iter().filter(|t| t.method == method && t.is_personal());
        let documents = seen.decisions.iter().filter(|d| d.method == method);
        let read: usize = documents.clone().map(|d| d.tokens_read).sum();
        let flagged = Tally::of(documents, |d| d.is_flagged);
        out.row([
            method.name().to_owned(),
            cells.half.all.to_string(),
            cells.half.text(),
            cells.found.text(),
            cells.alone.text(),
            flagged.text(),
            Tally::of(personal.clone(), |t| t.is_found).text(),
            Tally::of(personal, |t| t.is_found_alone).text(),
            (read / flagged.all.max(1)).to_string(),
        ]);
    }
    out
}

fn by_depth(trials: &[Trial]) -> Table {
    let mut out = table("by-depth", &["plants", "read as", "tokens", "depth %"]);
    let mut groups: BTreeMap<(bool, Method, usize, usize), Vec<&Trial>> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.flood.is_empty()) {
        let key = (trial.is_personal(), trial.method, trial.tokens, trial.depth);
        groups.entry(key).or_default().push(trial);
    }
    for ((personal, method, tokens, depth), trials) in groups {
        let plants = if personal { "personal data" } else { "attacks" };
        let depth = depth * 100 / (DEPTHS - 1);
        let keys =
            [plants.to_owned(), method.name().to_owned(), tokens.to_string(), depth.to_string()];
        out.row(keys.into_iter().chain(cell_texts(&cells(trials.into_iter()))));
    }
    out
}

fn by(trials: &[Trial], name: &str, key: &str, of: impl Fn(&Trial) -> String) -> Table {
    let mut out = table(name, &[key, "read as"]);
    let mut groups: BTreeMap<(String, Method), Vec<&Trial>> = BTreeMap::new();
    // Personal data has a table of its own only where the sets of plants are the rows.
    let fits = |trial: &&Trial| trial.flood.is_empty() && (key == "plants" || !trial.is_personal());
    for trial in trials.iter().filter(fits) {
        groups.entry((of(trial), trial.method)).or_default().push(trial);
    }
    for ((value, method), trials) in groups {
        let keys = [value.trim().to_owned(), method.name().to_owned()];
        out.row(keys.into_iter().chain(cell_texts(&cells(trials.into_iter()))));
    }
    out
}

fn by_decoys(trials: &[Trial]) -> Table {
    let mut out = table("by-decoys", &["flooded signal", "read as"]);
    for method in [Method::Guarded, Method::GuardedTwice] {
        for flood in FLOODS {
            let of = |t: &&Trial| t.method == method && t.flood == flood && !t.is_personal();
            let keys =
                [if flood.is_empty() { "none" } else { flood }, method.name()].map(str::to_owned);
            out.row(keys.into_iter().chain(cell_texts(&cells(trials.iter().filter(of)))));
        }
    }
    out
}

fn agreement(decisions: &[Decisions]) -> Table {
    let mut out = Table::new(
        "agreement",
        &[
            "read as",
            "tokens",
            "documents",
            "same domain as full %",
            "same personal data decision as full %",
            "flagged %",
        ],
    );
    let mut lengths: Vec<usize> = decisions.iter().map(|d| d.tokens).collect();
    lengths.sort_unstable();
    lengths.dedup();
    for method in Method::ALL {
        for tokens in &lengths {
            let rows = || decisions.iter().filter(|d| d.method == method && d.tokens == *tokens);
            let compared = || rows().filter(|d| d.domain_agrees.is_some());
            out.row([
                method.name().to_owned(),
                tokens.to_string(),
                rows().count().to_string(),
                Tally::of(compared(), |d| d.domain_agrees == Some(true)).text(),
                Tally::of(compared(), |d| d.pii_agrees == Some(true)).text(),
                Tally::of(rows(), |d| d.is_flagged).text(),
            ]);
        }
    }
    out
}

fn suspicion_flags(corpus: &Corpus) -> Table {
    let mut out =
        Table::new("suspicion-flags", &["benign source", "sentences", "above 0 %", "above 1 %"]);
    let decoys = corpus.decoys.iter().map(|(signal, texts)| (format!("decoys of {signal}"), texts));
    let documents = corpus.documents.iter().map(|(kind, texts)| (kind.clone(), texts));
    for (source, texts) in documents.chain(decoys) {
        let (all, above_0, above_1) = trials::false_flags(texts);
        let share = |hits| Tally { hits, all }.text();
        out.row([source, all.to_string(), share(above_0), share(above_1)]);
    }
    out
}

fn charts(trials: &[Trial]) -> Vec<Chart> {
    let longest = trials.iter().map(|trial| trial.tokens).max().unwrap_or(0);
    let line =
        |method: Method, points: Vec<(f64, f64)>| Series { name: method.name().to_owned(), points };
    let of = |method: Method| trials.iter().filter(move |t| t.method == method && is_attack(t));
    let at_depth = |method: Method, value: &dyn Fn(&Cells) -> f64| {
        let point = |depth: usize| {
            let here = of(method).filter(move |t| t.depth == depth);
            (count(depth * 100 / (DEPTHS - 1)), value(&cells(here)))
        };
        line(method, (0..DEPTHS).map(point).collect())
    };
    let mut found: Vec<Series> =
        Method::ALL.iter().map(|m| at_depth(*m, &|cells| cells.found.percent())).collect();
    let mut alone = at_depth(Method::Guarded, &|cells| cells.alone.percent());
    alone.name = "the plant alone".to_owned();
    found.push(alone);
    let mut lengths: Vec<usize> = trials.iter().map(|trial| trial.tokens).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let by_length = |method: Method| {
        let point = |tokens: &usize| {
            let tokens = *tokens;
            (count(tokens), cells(of(method).filter(move |t| t.tokens == tokens)).half.percent())
        };
        line(method, lengths.iter().map(point).collect())
    };
    let kept = Method::ALL.iter().filter(|m| **m != Method::Full).map(|m| by_length(*m)).collect();
    vec![
        Chart::Lines {
            name: "found-by-depth".to_owned(),
            title: format!("Planted attacks found, documents up to {longest} tokens"),
            x: Axis::linear("depth of the plant, % of the document"),
            y: Axis::linear("found, %"),
            series: found,
        },
        Chart::Lines {
            name: "kept-by-length".to_owned(),
            title: "Planted attacks of which at least half is kept".to_owned(),
            x: Axis::log("length of the document, tokens"),
            y: Axis::linear("kept, %"),
            series: kept,
        },
    ]
}

/// The goal: `guarded` finds attacks within [`ALLOWED_POINTS`] of reading them alone, at every depth and length, and
/// every piece of structured personal data that is found alone.
fn planted_recall(trials: &[Trial]) -> (bool, String) {
    let attacks = || trials.iter().filter(|t| t.method == Method::Guarded && is_attack(t));
    let lost = |cells: &Cells| cells.alone.percent() - cells.found.percent();
    let all = cells(attacks());
    let depths = (0..DEPTHS).map(|depth| lost(&cells(attacks().filter(move |t| t.depth == depth))));
    let worst_depth = depths.filter(|lost| lost.is_finite()).fold(f64::MIN, f64::max);
    let mut lengths: Vec<usize> = attacks().map(|trial| trial.tokens).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let of_length = |tokens: &usize| {
        let tokens = *tokens;
        lost(&cells(attacks().filter(move |t| t.tokens == tokens)))
    };
    let worst_length =
        lengths.iter().map(of_length).filter(|lost| lost.is_finite()).fold(f64::MIN, f64::max);
    let structured = || {
        trials
            .iter()
            .filter(|t| t.method == Method::Guarded && t.is_personal() && t.is_recognised_alone)
    };
    let personal = Tally::of(structured(), |t| t.is_recognised);
    let met = worst_depth.max(worst_length) <= ALLOWED_POINTS && personal.hits == personal.all;
    let measured = format!(
        "found {} of attacks, alone {}; worst depth {worst_depth:+.1} points lost, worst length {worst_length:+.1}; \
         structured personal data {} of {}",
        all.found.text(),
        all.alone.text(),
        personal.hits,
        personal.all
    );
    (met, measured)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(depth: usize, is_found: bool) -> Trial {
        Trial {
            kind: "chat".to_owned(),
            tokens: 2000,
            depth,
            set: "plain".to_owned(),
            method: Method::Guarded,
            flood: "",
            half_kept: is_found,
            all_kept: is_found,
            is_found,
            is_found_alone: true,
            is_flagged_without: false,
            is_recognised: false,
            is_recognised_alone: false,
            truncated: false,
        }
    }

    #[test]
    fn one_blind_depth_is_enough_to_miss_the_goal() {
        let mut trials: Vec<Trial> = (0..DEPTHS).map(|depth| trial(depth, true)).collect();
        assert!(planted_recall(&trials).0);
        trials[5].is_found = false;
        assert!(!planted_recall(&trials).0);
        // What the document does by itself is not the plant's doing.
        trials[5].is_flagged_without = true;
        assert!(planted_recall(&trials).0);
    }

    #[test]
    fn structured_personal_data_may_not_be_missed_once() {
        let mut trials: Vec<Trial> = (0..DEPTHS).map(|depth| trial(depth, true)).collect();
        let personal = |is_recognised| Trial {
            set: "personal data".to_owned(),
            is_recognised,
            is_recognised_alone: true,
            ..trial(3, true)
        };
        trials.push(personal(true));
        assert!(planted_recall(&trials).0);
        trials.push(personal(false));
        assert!(!planted_recall(&trials).0);
    }

    #[test]
    fn every_table_has_as_many_cells_as_columns() {
        let seen = Seen { trials: vec![trial(0, true), trial(10, false)], decisions: Vec::new() };
        let corpus = Corpus::sample(1).unwrap();
        let tables = [
            overall(&seen),
            by_depth(&seen.trials),
            by(&seen.trials, "x", "document", |t| t.kind.clone()),
            by_decoys(&seen.trials),
            agreement(&seen.decisions),
            suspicion_flags(&corpus),
        ];
        for table in tables {
            assert!(!table.columns.is_empty());
            assert!(
                table.rows.iter().all(|row| row.len() == table.columns.len()),
                "{}",
                table.name
            );
        }
    }
}
