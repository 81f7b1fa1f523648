//! Documents, plants and decoys: from a folder that `models/suspicion/planted.py` wrote, or the small set built in.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use recognise::Normaliser;
use serde::Deserialize;

use crate::stats::Random;

/// What a trial may be made of. All text is normalised, as the filter reads it.
#[derive(Clone, Debug, Default)]
pub(super) struct Corpus {
    /// Blocks of text by kind of document.
    pub(super) documents: BTreeMap<String, Vec<String>>,
    /// Parts of each plant by set.
    pub(super) plants: BTreeMap<String, Vec<Vec<String>>>,
    /// Benign texts that flood a signal, by signal.
    pub(super) decoys: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct Document {
    kind: String,
    text: String,
}

#[derive(Deserialize)]
struct Plant {
    set: String,
    parts: Vec<String>,
    half: String,
}

#[derive(Deserialize)]
struct Decoy {
    signal: String,
    text: String,
}

/// Sets of personal data begin with this word; all others are attacks.
pub(super) const PERSONAL: &str = "personal";

fn normal(text: &str) -> String {
    let mut normaliser = Normaliser::new();
    normaliser.advance(text, true);
    normaliser.text(text).to_owned()
}

fn rows<T: for<'a> Deserialize<'a>>(folder: &Path, name: &str) -> Result<Vec<T>> {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).with_context(|| {
        format!(
            "{}: write it with `python -m suspicion.planted`, or take `--data sample`",
            path.display()
        )
    })?;
    text.lines()
        .enumerate()
        .map(|(at, line)| {
            serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), at + 1))
        })
        .collect()
}

impl Corpus {
    /// Reads a folder. `half` is `dev` or `test`: what was tuned on the one is reported on the other.
    pub(super) fn load(folder: &Path, half: &str) -> Result<Self> {
        let mut corpus = Self::default();
        for row in rows::<Document>(folder, "documents.jsonl")? {
            corpus.documents.entry(row.kind).or_default().push(normal(&row.text));
        }
        for row in rows::<Plant>(folder, "plants.jsonl")? {
            if row.half == half || row.half == "both" {
                let parts = row.parts.iter().map(|part| normal(part)).collect();
                corpus.plants.entry(row.set).or_default().push(parts);
            }
        }
        for row in rows::<Decoy>(folder, "decoys.jsonl")? {
            corpus.decoys.entry(row.signal).or_default().push(normal(&row.text));
        }
        corpus.checked()
    }

    /// A small set that needs no data: generated documents, and plants and decoys that were written for it.
    pub(super) fn sample(seed: u64) -> Result<Self> {
        let mut corpus = Self::default();
        let mut random = Random::new(seed);
        for kind in sample::KINDS {
            let blocks = (0..60).map(|_| sample::block(kind, &mut random)).collect();
            corpus.documents.insert((*kind).to_owned(), blocks);
        }
        for (set, plants) in sample::PLANTS {
            let plants = plants.iter().map(|parts| parts.iter().map(|part| normal(part)).collect());
            corpus.plants.insert((*set).to_owned(), plants.collect());
        }
        for (signal, texts) in sample::DECOYS {
            let texts = texts.iter().map(|text| normal(text)).collect();
            corpus.decoys.insert((*signal).to_owned(), texts);
        }
        corpus.checked()
    }

    fn checked(mut self) -> Result<Self> {
        self.documents.retain(|_, blocks| !blocks.is_empty());
        ensure!(!self.documents.is_empty(), "there are no documents");
        ensure!(self.plants.values().all(|set| !set.is_empty()), "a set of plants is empty");
        ensure!(!self.plants.is_empty(), "there are no plants of this half");
        Ok(self)
    }
}

mod sample;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_set_is_whole_and_always_the_same() {
        let (one, two) = (Corpus::sample(1).unwrap(), Corpus::sample(1).unwrap());
        assert_eq!(one.documents, two.documents);
        assert!(one.documents.len() >= 5 && one.plants.len() >= 4 && one.decoys.len() == 3);
        assert_ne!(one.documents, Corpus::sample(2).unwrap().documents);
    }

    #[test]
    fn a_folder_without_data_is_an_error_that_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let error = format!("{:#}", Corpus::load(folder.path(), "test").unwrap_err());
        assert!(error.contains("documents.jsonl") && error.contains("--data sample"), "{error}");
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let rows = "{\"kind\": \"a\", \"text\": \"b\"}\n{\"kind\": 3}\n";
        std::fs::write(folder.path().join("documents.jsonl"), rows).unwrap();
        let error = format!("{:#}", Corpus::load(folder.path(), "test").unwrap_err());
        assert!(error.contains("documents.jsonl:2"), "{error}");
    }
}
