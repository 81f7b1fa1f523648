//! How good a model is, measured through the product's own path: normaliser, recognisers, windows, runtime, decoding.

use std::ops::Range;
use std::sync::Arc;

use recognise::{Normaliser, Recogniser, Scanner};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::engine::{Engine, EngineError, Failure, Finding, Passage, Question, Request};
use crate::models::Signal;

pub mod data;
pub mod disguise;
pub mod metrics;
pub mod report;

use data::{Entity, Row};

/// Rows worked on at once: enough to keep the sessions busy.
const CONCURRENT_ROWS: usize = 16;

/// What the product says about a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observation {
    /// Labels with probabilities, highest first; empty for PII.
    pub scores: Vec<(String, f32)>,
    /// Entities in the row's original bytes; sorted, not overlapping.
    pub entities: Vec<Entity>,
    /// Tokens read.
    pub tokens: usize,
    /// Windows read.
    pub windows: usize,
    /// Whether text was left out.
    pub truncated: bool,
}

impl Observation {
    /// The probability of a label.
    #[must_use]
    pub fn score(&self, label: &str) -> f32 {
        self.scores.iter().find(|(l, _)| l == label).map_or(0.0, |(_, p)| *p)
    }
}

/// Why a row could not be observed. Every row counts, so this ends the evaluation.
#[derive(Debug, thiserror::Error)]
pub enum ObserveError {
    /// The engine refused the row.
    #[error("line {line}: {source}")]
    Engine {
        /// Line in the data file, from 1.
        line: usize,
        /// Why.
        source: EngineError,
    },
    /// The model failed on the row.
    #[error("line {line}: the model gave no answer ({})", failure.name())]
    Model {
        /// Line in the data file, from 1.
        line: usize,
        /// Why.
        failure: Failure,
    },
    /// A bug.
    #[error("a task crashed")]
    Crashed(#[from] tokio::task::JoinError),
}

/// Runs every row through the product's path; `tick` is called after each.
///
/// # Errors
///
/// The first row that gets no answer, by its line.
pub async fn observe(
    engine: &Arc<Engine>,
    task: Signal,
    rows: &[Row],
    mut tick: impl FnMut(),
) -> Result<Vec<Observation>, ObserveError> {
    let recogniser = Arc::new(Recogniser::default());
    let permits = Arc::new(Semaphore::new(CONCURRENT_ROWS));
    let mut tasks = JoinSet::new();
    let mut observations = vec![Observation::default(); rows.len()];
    let mut pending = rows.iter().enumerate();
    loop {
        // The semaphore is never closed; without a permit there are tasks to wait for.
        while let Ok(permit) = Arc::clone(&permits).try_acquire_owned() {
            let Some((index, row)) = pending.next() else { break };
            let (engine, recogniser) = (Arc::clone(engine), Arc::clone(&recogniser));
            let (line, text) = (row.line, row.text.clone());
            tasks.spawn(async move {
                let observed = observe_one(&engine, &recogniser, task, line, &text).await;
                drop(permit);
                observed.map(|o| (index, o))
            });
        }
        let Some(joined) = tasks.join_next().await else { return Ok(observations) };
        let (index, observation) = joined??;
        if let Some(slot) = observations.get_mut(index) {
            *slot = observation;
        }
        tick();
    }
}

async fn observe_one(
    engine: &Engine,
    recogniser: &Recogniser,
    task: Signal,
    line: usize,
    text: &str,
) -> Result<Observation, ObserveError> {
    let mut normaliser = Normaliser::new();
    normaliser.advance(text, true);
    let normal = normaliser.text(text);
    let request = Request {
        passages: vec![Passage { id: 0, text: normal.to_owned() }],
        questions: vec![Question { signal: task, passages: vec![0] }],
    };
    let response = engine
        .classify(request, None)
        .await
        .map_err(|source| ObserveError::Engine { line, source })?;
    let answer = response.answers.into_iter().next().map_or(Err(Failure::NoModel), |a| a.finding);
    let finding = answer.map_err(|failure| ObserveError::Model { line, failure })?;
    let entities = if task == Signal::Pii {
        entities(&normaliser, recogniser, normal, &finding)
    } else {
        Vec::new()
    };
    Ok(Observation {
        scores: finding.scores.into_iter().map(|s| (s.label, s.score)).collect(),
        entities,
        tokens: finding.tokens,
        windows: finding.windows,
        truncated: finding.truncated,
    })
}

/// What the recognisers and the model find together, in the original's bytes.
///
/// As in the filter, a type that the recognisers own is never taken from the model. Where finds overlap the recognisers' wins, as it is
/// certain, and the model keeps what lies outside.
fn entities(
    normaliser: &Normaliser,
    recogniser: &Recogniser,
    normal: &str,
    finding: &Finding,
) -> Vec<Entity> {
    let mut scanner = Scanner::new();
    scanner.advance(recogniser, normal, true);
    let mut out: Vec<Entity> = scanner
        .hits()
        .iter()
        .map(|hit| Entity {
            range: normaliser.original_range(hit.range.clone()),
            kind: hit.entity.name().to_owned(),
        })
        .collect();
    let certain: Vec<Range<usize>> = out.iter().map(|e| e.range.clone()).collect();
    for span in &finding.spans {
        let recognised = recognise::Entity::from_name(&span.entity_type)
            .is_some_and(recognise::Entity::overrules_models);
        if recognised {
            continue;
        }
        let range = normaliser.original_range(span.range.clone());
        if !certain.iter().any(|c| c.start < range.end && range.start < c.end) {
            out.push(Entity { range, kind: span.entity_type.clone() });
        }
    }
    out.sort_by_key(|e| e.range.start);
    out
}
