//! From the daemon's answer and the recognisers' hits to a verdict.

use std::collections::BTreeSet;
use std::ops::Range;

use forebay_proto::v1;

use crate::config::{Config, JailbreakAction, OnFailure, PiiAction};
use crate::reply::{Refusal, Unscreened};

/// An entity in the text of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Index of the passage in the body.
    pub passage: usize,
    /// Bytes of that passage's text, on character boundaries.
    pub range: Range<usize>,
    /// The type's name, one of [`ENTITIES`](crate::ENTITIES).
    pub entity_type: String,
}

/// What is known about a request when everybody has answered.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Probability of the label `jailbreak`, and the model's own threshold.
    pub jailbreak: Option<(f32, f32)>,
    /// The most likely domain, its probability and the model's own threshold.
    pub domain: Option<(String, f32, f32)>,
    /// Entities from the model and the recognisers; may overlap.
    pub entities: Vec<Entity>,
    /// What is missing.
    pub missing: Vec<Missing>,
}

/// Something that should have been screened and was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Why.
    pub reason: Unscreened,
    /// What the configuration says about it.
    pub on_failure: OnFailure,
}

impl Missing {
    pub(crate) fn of(signal: v1::Signal, reason: Unscreened, config: &Config) -> Self {
        let on_failure = match signal {
            v1::Signal::Jailbreak => config.jailbreak.on_failure,
            v1::Signal::Pii => config.pii.on_failure,
            v1::Signal::Domain => config.domain.on_failure,
            v1::Signal::Unspecified => config.on_failure(),
        };
        Self { reason, on_failure }
    }
}

/// What happens to the request.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It is refused.
    Refuse(Refusal),
    /// It goes on.
    Forward {
        /// Spans to replace before it does, sorted, not overlapping; empty when the body stays as it is.
        redact: Vec<Entity>,
        /// Types found, sorted.
        entity_types: Vec<String>,
        /// Whether the jailbreak signal fired (its action is then `tag`).
        jailbreak: bool,
        /// The domain, when one reached its threshold.
        domain: Option<String>,
        /// The route to write.
        route: Option<String>,
        /// Why it was not fully screened, if it was not.
        unscreened: Option<Unscreened>,
    },
}

impl Findings {
    /// Reads the daemon's answer. `to_text` maps a span of a sent passage to passages of the body.
    ///
    /// Whatever was asked and not answered, failed or was cut lands in `missing`.
    pub(crate) fn read(
        &mut self,
        asked: &[v1::Signal],
        response: &v1::ClassifyResponse,
        config: &Config,
        to_text: impl Fn(&v1::Span) -> Vec<(usize, Range<usize>)>,
    ) {
        for &signal in asked {
            let found = response.results.iter().find(|r| r.signal() == signal);
            let Some(result) = found else {
                self.missing.push(Missing::of(signal, Unscreened::DaemonError, config));
                continue;
            };
            if result.failure != 0 {
                self.missing.push(Missing::of(signal, Unscreened::ClassifierFailed, config));
                continue;
            }
            if result.truncated {
                self.missing.push(Missing::of(signal, Unscreened::Truncated, config));
            }
            let known = match signal {
                v1::Signal::Jailbreak => self.read_jailbreak(result),
                v1::Signal::Domain => self.read_domain(result),
                v1::Signal::Pii => self.read_pii(result, config, &to_text),
                v1::Signal::Unspecified => None,
            };
            if known.is_none() {
                self.missing.push(Missing::of(signal, Unscreened::ClassifierFailed, config));
            }
        }
    }

    fn read_jailbreak(&mut self, result: &v1::SignalResult) -> Option<()> {
        let score = result.scores.iter().find(|s| s.label == "jailbreak")?.score;
        if !score.is_finite() {
            return None;
        }
        self.jailbreak = Some((score, result.default_threshold));
        Some(())
    }

    fn read_domain(&mut self, result: &v1::SignalResult) -> Option<()> {
        let best = result.scores.iter().max_by(|a, b| a.score.total_cmp(&b.score))?;
        if !best.score.is_finite() {
            return None;
        }
        self.domain = Some((best.label.clone(), best.score, result.default_threshold));
        Some(())
    }

    fn read_pii(
        &mut self,
        result: &v1::SignalResult,
        config: &Config,
        to_text: &impl Fn(&v1::Span) -> Vec<(usize, Range<usize>)>,
    ) -> Option<()> {
        for span in &result.spans {
            // The daemon applied the model's thresholds for each type; ours can only be stricter.
            let sure = config.pii.threshold.is_none_or(|least| span.score >= least);
            let recognised = recognise::Entity::from_name(&span.entity_type)
                .is_some_and(recognise::Entity::overrules_models);
            if sure && !recognised {
                self.entities.extend(to_text(span).into_iter().map(|(passage, range)| Entity {
                    passage,
                    range,
                    entity_type: span.entity_type.clone(),
                }));
            }
        }
        Some(())
    }

    /// The verdict that `config` gives these findings.
    #[must_use]
    pub fn decide(mut self, config: &Config) -> Verdict {
        let fires = |(score, own): (f32, f32), set: Option<f32>| score >= set.unwrap_or(own);
        let jailbreak =
            self.jailbreak.is_some_and(|found| fires(found, config.jailbreak.threshold));
        if jailbreak && config.jailbreak.action == Some(JailbreakAction::Block) {
            return Verdict::Refuse(Refusal::Jailbreak(config.jailbreak_block_status));
        }
        self.entities.retain(|e| config.pii_entities.binary_search(&e.entity_type).is_ok());
        if !self.entities.is_empty() && config.pii.action == Some(PiiAction::Block) {
            return Verdict::Refuse(Refusal::Pii(config.pii_block_status));
        }
        let closed = self.missing.iter().find(|m| m.on_failure == OnFailure::Closed);
        if let Some(missing) = closed {
            return Verdict::Refuse(Refusal::Closed(missing.reason));
        }
        let domain = self
            .domain
            .filter(|(_, score, own)| fires((*score, *own), config.domain.threshold))
            .map(|(label, ..)| label);
        let route = (config.domain.action == Some(crate::DomainAction::Route))
            .then(|| {
                domain.as_ref().and_then(|d| config.routes.get(d)).or(config.default_route.as_ref())
            })
            .flatten()
            .cloned();
        let types: BTreeSet<_> = self.entities.iter().map(|e| e.entity_type.clone()).collect();
        let redact = match config.pii.action {
            Some(PiiAction::Redact) => disjoint(self.entities),
            Some(PiiAction::Tag | PiiAction::Block) | None => Vec::new(),
        };
        Verdict::Forward {
            redact,
            entity_types: types.into_iter().collect(),
            jailbreak,
            domain,
            route,
            unscreened: self.missing.first().map(|m| m.reason),
        }
    }
}

/// Merges what overlaps, so that no byte of any entity survives; the longer entity gives the type.
fn disjoint(mut entities: Vec<Entity>) -> Vec<Entity> {
    entities.sort_by_key(|e| (e.passage, e.range.start, std::cmp::Reverse(e.range.end)));
    let mut kept: Vec<Entity> = Vec::with_capacity(entities.len());
    for entity in entities {
        match kept.last_mut() {
            Some(last) if last.passage == entity.passage && entity.range.start < last.range.end => {
                if entity.range.len() > last.range.len() {
                    last.entity_type = entity.entity_type;
                }
                last.range.end = last.range.end.max(entity.range.end);
            }
            _ => kept.push(entity),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(json: &str) -> Config {
        Config::from_json(json.as_bytes()).unwrap()
    }

    fn answer(jailbreak: f32) -> v1::ClassifyResponse {
        let score = |label: &str, score| v1::LabelScore { label: label.to_owned(), score };
        v1::ClassifyResponse {
            results: vec![
                v1::SignalResult {
                    signal: v1::Signal::Jailbreak.into(),
                    scores: vec![score("benign", 1.0 - jailbreak), score("jailbreak", jailbreak)],
                    default_threshold: 0.7,
                    ..Default::default()
                },
                v1::SignalResult {
                    signal: v1::Signal::Domain.into(),
                    scores: vec![score("math", 0.9), score("law", 0.1)],
                    default_threshold: 0.5,
                    ..Default::default()
                },
            ],
            timings: None,
        }
    }

    fn verdict(config: &Config, response: &v1::ClassifyResponse) -> Verdict {
        let mut findings = Findings::default();
        findings
            .read(&[v1::Signal::Jailbreak, v1::Signal::Domain], response, config, |_| Vec::new());
        findings.decide(config)
    }

    #[test]
    fn the_models_threshold_holds_unless_the_configuration_sets_one() {
        let response = answer(0.6);
        assert!(matches!(verdict(&config("{}"), &response), Verdict::Forward { .. }));
        let strict = config(r#"{"signals":{"jailbreak":{"threshold":0.5}}}"#);
        assert_eq!(verdict(&strict, &response), Verdict::Refuse(Refusal::Jailbreak(403)));
    }

    #[test]
    fn a_score_that_is_not_a_number_is_a_failure_and_never_benign() {
        let found = verdict(&config("{}"), &answer(f32::NAN));
        assert_eq!(found, Verdict::Refuse(Refusal::Closed(Unscreened::ClassifierFailed)));
    }

    #[test]
    fn a_missing_answer_follows_the_failure_mode_of_its_signal() {
        let mut response = answer(0.1);
        response.results.pop();
        let found = verdict(&config("{}"), &response);
        let Verdict::Forward { unscreened, .. } = found else {
            panic!("domain is open by default")
        };
        assert_eq!(unscreened, Some(Unscreened::DaemonError));
        response.results.clear();
        assert_eq!(
            verdict(&config("{}"), &response),
            Verdict::Refuse(Refusal::Closed(Unscreened::DaemonError))
        );
    }

    #[test]
    fn the_domain_picks_the_route_and_the_default_takes_the_rest() {
        let routes =
            r#"{"signals":{"domain":{"routes":{"math":"reasoning"},"default_route":"general"}}}"#;
        let Verdict::Forward { route, .. } = verdict(&config(routes), &answer(0.0)) else {
            panic!()
        };
        assert_eq!(route.as_deref(), Some("reasoning"));
        let high = r#"{"signals":{"domain":{"routes":{"math":"reasoning"},"default_route":"general","threshold":0.95}}}"#;
        let Verdict::Forward { route, domain, .. } = verdict(&config(high), &answer(0.0)) else {
            panic!()
        };
        assert_eq!((route.as_deref(), domain), (Some("general"), None));
    }

    #[test]
    fn overlapping_entities_leave_no_byte_behind() {
        let entity = |range, name: &str| Entity { passage: 0, range, entity_type: name.to_owned() };
        let merged =
            disjoint(vec![entity(4..9, "PERSON"), entity(0..6, "TITLE"), entity(9..12, "PERSON")]);
        assert_eq!(merged, [entity(0..9, "TITLE"), entity(9..12, "PERSON")]);
    }

    #[test]
    fn types_that_the_configuration_leaves_out_are_left_alone() {
        let config = config(r#"{"signals":{"pii":{"entities":["PERSON"]}}}"#);
        let entity = |name: &str| Entity { passage: 0, range: 0..4, entity_type: name.to_owned() };
        let findings =
            Findings { entities: vec![entity("GPE"), entity("PERSON")], ..Default::default() };
        let Verdict::Forward { redact, .. } = findings.decide(&config) else { panic!() };
        assert_eq!(redact, [entity("PERSON")]);
    }
}
