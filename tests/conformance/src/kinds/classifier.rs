//! Texts and what the pipeline of normaliser, compressor and classifier makes of them.
//!
//! With the stub classifier these cases check that the right text reaches it: normalised, and with an attack in it
//! wherever that stands. What a real model says is checked where there is one.

use anyhow::{Result, bail};
use serde_json::{Map, Value, json};

use super::Outcome;
use crate::case::Case;
use crate::exchange::{Classifier, Exchange};
use crate::expect::words::{collapse, missing_from_documents, repository};
use crate::expect::{self, Finding, Report, Seen};
use crate::layers::{Host, Layer, Model};
use crate::observed::{Decision, Observed};
use crate::oracle::{ATTACK, Answer};
use crate::settings::{PREFIX, Settings};

/// One text and what came of it.
struct Played {
    text: String,
    exchange: Exchange,
    observed: Observed,
}

impl Played {
    fn decision(&self, settings: &Settings) -> Decision {
        let sent = self.exchange.body.clone().unwrap_or_default();
        self.observed.decision(&sent, settings.block_status)
    }

    /// The message's text as it reached the upstream.
    fn forwarded_text(&self) -> Option<String> {
        let body: Value = serde_json::from_slice(&self.observed.forwarded.first()?.body).ok()?;
        body["messages"][0]["content"].as_str().map(str::to_owned)
    }
}

/// Runs a classifier case.
pub(super) fn run(case: &Case, host: &mut dyn Host) -> Result<Outcome> {
    let settings = settings(case, host.layer())?;
    let texts = case.texts();
    if texts.is_empty() {
        bail!("a classifier case without texts");
    }
    let played = play(host, &settings, &texts)?;
    let mut outcome = Outcome::default();
    let decisions: Vec<&str> = played.iter().map(|p| p.decision(&settings).name()).collect();
    outcome.got = format!("{} texts: {}", texts.len(), decisions.join(" "));
    for (name, value) in &case.expected {
        let finding = check(name, value, case, host, &settings, &played)?;
        outcome.report.add(name, finding);
    }
    real_model(case, host, &settings, &texts, &mut outcome)?;
    for one in &played {
        if let Some(trap) = &one.observed.trap {
            outcome.report.add("no trap", Finding::Fails(trap.clone()));
        }
    }
    Ok(outcome)
}

/// The same texts with the real model, where there is one: what only a model can tell.
fn real_model(
    case: &Case,
    host: &mut dyn Host,
    settings: &Settings,
    texts: &[String],
    outcome: &mut Outcome,
) -> Result<()> {
    const TOLD: [&str; 5] =
        ["jailbreak", "metric", "redacted_exact", "same_verdict_as", "no_special_ids_inside"];
    if !host.set_model(Model::Real) {
        return Ok(());
    }
    let mut real = || -> Result<()> {
        // The model's own threshold, which the reference policy does not know.
        let mut settings = settings.clone();
        settings.set("signals.jailbreak.threshold", Value::Null)?;
        let played = play(host, &settings, texts)?;
        let decisions: Vec<&str> = played.iter().map(|p| p.decision(&settings).name()).collect();
        outcome.got = format!("{}; real model: {}", outcome.got, decisions.join(" "));
        let mut report = Report::default();
        for (name, value) in case.expected.iter().filter(|(name, _)| TOLD.contains(&name.as_str()))
        {
            report.add(name, check(name, value, case, host, &settings, &played)?);
        }
        outcome.report.merge("real model", report);
        // What the stub could not tell has been told.
        outcome.report.not_here.clear();
        Ok(())
    };
    let done = real();
    host.set_model(Model::Stub);
    done
}

fn settings(case: &Case, layer: Layer) -> Result<Settings> {
    let mut settings = Settings::of(case)?;
    for stage in case.request.get("pipeline").and_then(Value::as_array).into_iter().flatten() {
        let stage = stage.as_str().unwrap_or("");
        if let Some(budget) = stage.strip_prefix("compress(").and_then(|s| s.strip_suffix(')')) {
            settings.set("budget_tokens", json!(budget.trim().parse::<u64>()?))?;
            settings.set("signals.jailbreak.coverage", json!("guarded"))?;
            settings.set("signals.pii.coverage", json!("guarded"))?;
        } else if !["jailbreak", "pii", "domain", "normalise", "normalize"].contains(&stage) {
            bail!("unknown stage {stage:?} of the pipeline");
        }
    }
    if layer == Layer::Envoy && !settings.timeout_is_given {
        settings.set("daemon.timeout_ms", json!(20_000))?;
    }
    Ok(settings)
}

fn play(host: &mut dyn Host, settings: &Settings, texts: &[String]) -> Result<Vec<Played>> {
    let exchanges: Vec<Exchange> = texts.iter().map(|text| Exchange::chat(text)).collect();
    let observed = host.play(settings, &exchanges)?;
    let texts = texts.iter().cloned();
    Ok(texts
        .zip(exchanges)
        .zip(observed)
        .map(|((text, exchange), observed)| Played { text, exchange, observed })
        .collect())
}

fn check(
    name: &str,
    value: &Value,
    case: &Case,
    host: &mut dyn Host,
    settings: &Settings,
    played: &[Played],
) -> Result<Finding> {
    let word = value.as_str().unwrap_or("");
    Ok(match name {
        "jailbreak" => jailbreak(value.as_bool().unwrap_or(true), host, settings, played)?,
        "compressed_contains" | "classifier_saw_contains" => {
            every(played, |one| saw(one).contains(&collapse(word)), "the classifier saw it for")
        }
        "compressed_tokens_max" | "tokens_out_max" => {
            let most = value.as_u64().unwrap_or(0);
            let kept = |one: &Played| {
                one.observed.forwarded_header(&format!("{PREFIX}tokens-kept"))?.parse::<u64>().ok()
            };
            let tagged = with(settings, "signals.jailbreak.action", json!("tag"))?;
            let texts: Vec<String> = played.iter().map(|p| p.text.clone()).collect();
            let again = play(host, &tagged, &texts)?;
            every(&again, |one| kept(one).is_some_and(|kept| kept <= most), "within the budget for")
        }
        "same_verdict_as" => same_verdict(case, host, settings)?,
        "normalised_equals_or_contains" | "normalised_contains" | "normalized_contains" => {
            every(played, |one| saw(one).contains(&collapse(word)), "the classifier saw it for")
        }
        "normalised_equals" => {
            every(played, |one| saw(one) == collapse(word), "the classifier saw it for")
        }
        // The decision must not get in the way of looking at what is forwarded.
        "forwarded_body" | "tag" => {
            let tagged = with(settings, "signals.jailbreak.action", json!("tag"))?;
            let mut report = Report::default();
            for (at, one) in again(host, &tagged, played)?.iter().enumerate() {
                let expected = Map::from_iter([(name.to_owned(), value.clone())]);
                report.merge(&format!("text {}", at + 1), http(&expected, one, &tagged));
            }
            Finding::of(report.failed.is_empty(), || report.failed.join(", "))
        }
        "decision"
        | "status"
        | "must_not_reach_upstream"
        | "classifier_calls"
        | "header_present"
        | "never"
        | "body_shape"
        | "upstream_called"
        | "status_in"
        | "max_ms"
        | "domain"
        | "route"
        | "upstream_body" => {
            let mut report = Report::default();
            for (at, one) in played.iter().enumerate() {
                let expected = Map::from_iter([(name.to_owned(), value.clone())]);
                report.merge(&format!("text {}", at + 1), http(&expected, one, settings));
            }
            Finding::of(report.failed.is_empty(), || report.failed.join(", "))
        }
        "redacted_exact" => redacted_exact(value, played),
        "redacted" | "entities" => {
            let types: Vec<&str> =
                value.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            every(
                played,
                |one| {
                    let found =
                        one.observed.forwarded_header(&format!("{PREFIX}pii")).unwrap_or("");
                    types.iter().all(|t| found.split(',').any(|f| f == *t))
                },
                "those types for",
            )
        }
        "offset_unit_in_api" => offset_unit(host, settings)?,
        "no_special_ids_inside" => {
            host.special_ids(played.iter().map(|one| one.text.as_str()).collect())?
        }
        "metric" => metric(word, host, settings, played),
        "policy" => Finding::Holds,
        _ => Finding::Fails("unknown expectation".to_owned()),
    })
}

fn every(played: &[Played], holds: impl Fn(&Played) -> bool, what: &str) -> Finding {
    let missing: Vec<String> = played
        .iter()
        .enumerate()
        .filter(|(_, one)| !holds(one))
        .map(|(at, _)| (at + 1).to_string())
        .collect();
    Finding::of(missing.is_empty(), || format!("not {what} text {}", missing.join(", ")))
}

fn saw(one: &Played) -> String {
    collapse(&one.observed.classifier_inputs().join("\n"))
}

fn with(settings: &Settings, path: &str, value: Value) -> Result<Settings> {
    let mut changed = settings.clone();
    changed.set(path, value)?;
    Ok(changed)
}

fn again(host: &mut dyn Host, settings: &Settings, played: &[Played]) -> Result<Vec<Played>> {
    play(host, settings, &played.iter().map(|p| p.text.clone()).collect::<Vec<_>>())
}

fn http(expected: &Map<String, Value>, one: &Played, settings: &Settings) -> Report {
    let sent = one.exchange.body.clone().unwrap_or_default();
    let seen = Seen {
        observed: &one.observed,
        sent: &sent,
        sent_headers: &one.exchange.headers,
        settings,
        next: None,
        benign: None,
    };
    expect::http(expected, &seen)
}

/// Whether each text is taken for an attack. The stub knows one sentence: of a text without it, even when normalised,
/// only a real model can tell.
fn jailbreak(
    wanted: bool,
    host: &mut dyn Host,
    settings: &Settings,
    played: &[Played],
) -> Result<Finding> {
    let blocked = |one: &Played| one.decision(settings) == Decision::Block;
    let tells = |one: &Played| {
        host.model() == Model::Real || saw(one).contains(ATTACK) || one.text.contains(ATTACK)
    };
    if !wanted {
        let wrong = played.iter().filter(|one| blocked(one)).count();
        return Ok(Finding::of(wrong == 0, || format!("{wrong} of {} blocked", played.len())));
    }
    let (told, untold): (Vec<&Played>, Vec<&Played>) = played.iter().partition(|one| tells(one));
    let missed = told.iter().filter(|one| !blocked(one)).count();
    if missed > 0 {
        return Ok(Finding::Fails(format!("{missed} of {} not blocked", told.len())));
    }
    if told.is_empty() {
        // At least all of the text must have come to the classifier.
        let lost = untold.iter().filter(|one| saw(one).is_empty()).count();
        if lost > 0 {
            return Ok(Finding::Fails(format!("{lost} texts never reached the classifier")));
        }
        return Ok(Finding::NotHere(
            "needs the real model; here all texts reached the classifier".to_owned(),
        ));
    }
    Ok(Finding::Holds)
}

/// Moves the short text of the template to the start, the middle and the end; the verdict must not care.
fn same_verdict(case: &Case, host: &mut dyn Host, settings: &Settings) -> Result<Finding> {
    let Some(parts) = case.template() else { bail!("same_verdict_as without a text_template") };
    let repeats =
        case.request.get("text_template").and_then(Value::as_array).cloned().unwrap_or_default();
    let is_repeat = |at: usize| {
        repeats.get(at).and_then(|p| p.get(0)).and_then(Value::as_str) == Some("repeat")
    };
    let planted: String = parts
        .iter()
        .enumerate()
        .filter(|(at, _)| !is_repeat(*at))
        .map(|(_, p)| p.as_str())
        .collect();
    let unit = repeats.iter().find(|p| p.get(0).and_then(Value::as_str) == Some("repeat"));
    let unit = unit.and_then(|p| p.get(1)).and_then(Value::as_str).unwrap_or("").to_owned();
    let total: usize =
        parts.iter().enumerate().filter(|(at, _)| is_repeat(*at)).map(|(_, p)| p.len()).sum();
    let times = total / unit.len().max(1);
    let texts: Vec<String> = [0, times / 2, times]
        .iter()
        .map(|before| format!("{}{planted}{}", unit.repeat(*before), unit.repeat(times - before)))
        .collect();
    let decisions: Vec<&str> =
        play(host, settings, &texts)?.iter().map(|one| one.decision(settings).name()).collect();
    Ok(Finding::of(decisions.windows(2).all(|pair| pair[0] == pair[1]), || {
        format!("start, middle, end: {}", decisions.join(" "))
    }))
}

/// Compares each forwarded text. An expectation that starts with `...` describes in words: `[TYPE]` stands in place of
/// the text between "nothing of" and "left", and the rest is as it was.
fn redacted_exact(value: &Value, played: &[Played]) -> Finding {
    let expected: Vec<&str> =
        value.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut failures = Vec::new();
    for (at, (one, expected)) in played.iter().zip(&expected).enumerate() {
        let exact = match expected.strip_prefix("...") {
            None => (*expected).to_owned(),
            Some(rest) => {
                let replacement = rest.split('(').next().unwrap_or("").trim();
                let gone = rest
                    .split("nothing of ")
                    .nth(1)
                    .and_then(|r| r.split(" left").next())
                    .unwrap_or("");
                one.text.replace(gone, replacement)
            }
        };
        if one.forwarded_text().as_deref() != Some(exact.as_str()) {
            failures.push(format!("text {}: another text", at + 1));
        }
    }
    if expected.len() != played.len() {
        failures.push(format!("{} texts for {} expectations", played.len(), expected.len()));
    }
    Finding::of(failures.is_empty(), || failures.join(", "))
}

/// The contract must say what offsets count, and an entity at the very start must be found.
fn offset_unit(host: &mut dyn Host, settings: &Settings) -> Result<Finding> {
    let proto = repository().join("proto/proto/forebay/inferd/v1/inferd.proto");
    let stated = std::fs::read_to_string(proto)
        .is_ok_and(|text| text.contains("bytes of that text in UTF-8"));
    let played = play(host, settings, &["078-05-1120 é".to_owned()])?;
    let found = played.first().and_then(Played::forwarded_text);
    let right = found.as_deref() == Some("[US_SSN] é");
    Ok(Finding::of(stated && right, || {
        format!("stated: {stated}, an entity at offset 0 redacted: {right}")
    }))
}

/// A quality figure: measured with the real model, and reported in a document of the models.
fn metric(word: &str, host: &mut dyn Host, settings: &Settings, played: &[Played]) -> Finding {
    if host.model() == Model::Stub {
        return Finding::NotHere("a quality figure needs the real model".to_owned());
    }
    let words: Vec<String> = if word.contains("FPR") {
        vec!["hard negative".to_owned()]
    } else if word.contains("language") {
        vec!["recall".to_owned(), "language".to_owned()]
    } else {
        vec![word.split(' ').next().unwrap_or("").to_owned()]
    };
    let missing = missing_from_documents(&words, &repository().join("models"));
    let blocked = played.iter().filter(|one| one.decision(settings) == Decision::Block).count();
    Finding::of(missing.is_empty(), || {
        format!(
            "{blocked} of {} blocked here; the models' documents do not report {missing:?}",
            played.len()
        )
    })
}

/// Runs a case for the daemon's own API: with the stub, what the filter makes of such an answer; the daemon itself
/// where there is one.
pub(super) fn grpc(case: &Case, host: &mut dyn Host) -> Result<Outcome> {
    if let Some(outcome) = host.grpc(case)? {
        return Ok(outcome);
    }
    let mut outcome = Outcome::default();
    let settings = Settings::of(case)?;
    let open = {
        let mut open = settings.clone();
        for signal in ["jailbreak", "pii", "domain"] {
            open.set(&format!("signals.{signal}.on_failure"), json!("open"))?;
        }
        open
    };
    for (name, value) in &case.expected {
        let text = format!("{name} {value}").to_ascii_lowercase();
        let how = if text.contains("nan") || text.contains("finite") {
            Answer::NotFinite
        } else if text.contains("truncat") || text.contains("window") {
            Answer::Truncated
        } else {
            // Members that the layer with a daemon checks; any other is unknown here as well.
            let finding = match name.as_str() {
                "logits" | "scores" | "jailbreak" | "windows_min" | "metric" | "metrics" => {
                    Finding::NotHere("only the daemon itself can tell".to_owned())
                }
                "policy" | "note" => Finding::Holds,
                _ => Finding::Fails("unknown expectation".to_owned()),
            };
            outcome.report.add(name, finding);
            continue;
        };
        let exchange = Exchange {
            classifier: Classifier::Answers(how, std::time::Duration::ZERO),
            ..Exchange::chat("The committee noted no change.")
        };
        for (label, settings, wanted) in
            [("closed", &settings, Decision::Reject), ("open", &open, Decision::Allow)]
        {
            let played = host.play(settings, std::slice::from_ref(&exchange))?;
            let Some(observed) = played.first() else { continue };
            let sent = exchange.body.clone().unwrap_or_default();
            let decision = observed.decision(&sent, settings.block_status);
            let reason = observed
                .forwarded_header(&format!("{PREFIX}unscreened"))
                .or_else(|| observed.header(&format!("{PREFIX}unscreened")))
                .map(str::to_owned);
            let counted = observed
                .counters
                .iter()
                .any(|(name, by)| name.contains("unscreened_total") && *by > 0);
            outcome.got = format!("{} {}", decision.name(), reason.clone().unwrap_or_default());
            outcome.check(name, decision == wanted && reason.is_some() && counted, || {
                format!("[{label}] {} with reason {reason:?}, counted: {counted}", decision.name())
            });
        }
    }
    Ok(outcome)
}
