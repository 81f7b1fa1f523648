//! HTTP requests, alone and with the daemon in some state.

use anyhow::Result;

use super::Outcome;
use crate::body::{Body, Framing};
use crate::case::Case;
use crate::exchange::{Classifier, Exchange, Protocol};
use crate::expect::{self, FORGED, Seen, words::matches_pattern};
use crate::layers::{Host, Layer};
use crate::observed::Observed;
use crate::oracle::Answer;
use crate::settings::Settings;

/// Up to this size a body is also sent in many small cuts.
const SMALL_BYTES: usize = 65_536;

/// Plays the case's request and checks what came of it.
pub(super) fn run(case: &Case, host: &mut dyn Host) -> Result<Outcome> {
    let mut settings = Settings::of(case)?;
    let exchange = Exchange::of(case)?;
    let waits = exchange.classifier != UNDELAYED && exchange.reset.is_none();
    if host.layer() == Layer::Envoy && !settings.timeout_is_given && !waits {
        // On a busy machine the reference policy's 100 ms would test the machine.
        settings.set("daemon.timeout_ms", 5000.into())?;
    }
    let mut outcome = Outcome::default();
    for (label, exchange) in variants(&exchange, host.layer()) {
        let mut exchanges = vec![exchange.clone()];
        let next = case.expected.contains_key("next_request");
        if next {
            exchanges.push(Exchange { protocol: exchange.protocol, ..Exchange::chat("hi") });
        }
        let patterns = stripped_patterns(case);
        if !patterns.is_empty() {
            exchanges.push(benign_twin(&exchange, &patterns));
        }
        let mut all = host.play(&settings, &exchanges)?;
        if host.layer() == Layer::Envoy {
            // Real time passes here, and a busy machine adds to it: the quickest of three counts.
            for _ in 0..2 {
                if !all.first().is_some_and(|observed| is_late(case, observed)) {
                    break;
                }
                all = host.play(&settings, &exchanges)?;
            }
        }
        let Some(observed) = all.first() else { continue };
        let sent = exchange.body.clone().unwrap_or_default();
        let seen = Seen {
            observed,
            sent: &sent,
            sent_headers: &exchange.headers,
            settings: &settings,
            next: if next { all.get(1) } else { None },
            benign: if patterns.is_empty() { None } else { all.last() },
        };
        if outcome.got.is_empty() {
            outcome.got = observed.summary(&sent, settings.block_status);
        }
        outcome.report.merge(&label, expect::http(&case.expected, &seen));
    }
    Ok(outcome)
}

fn is_late(case: &Case, observed: &Observed) -> bool {
    let most = case.expected.get("max_ms").and_then(serde_json::Value::as_u64);
    most.is_some_and(|most| observed.elapsed.as_millis() > u128::from(most))
}

const UNDELAYED: Classifier = Classifier::Answers(Answer::Faithful, std::time::Duration::ZERO);

/// The ways in which one request is sent. Where a case leaves the framing open, any framing must give the same.
fn variants(exchange: &Exchange, layer: Layer) -> Vec<(String, Exchange)> {
    if layer == Layer::Envoy {
        let protocols = match exchange.protocol {
            Some(one) => vec![one],
            None => vec![Protocol::H1, Protocol::H2],
        };
        return protocols
            .into_iter()
            .map(|protocol| {
                let label = if protocol == Protocol::H1 { "h1" } else { "h2" };
                (label.to_owned(), Exchange { protocol: Some(protocol), ..exchange.clone() })
            })
            .collect();
    }
    let mut all = vec![("as it is".to_owned(), exchange.clone())];
    let open = exchange.framing == Framing::Natural
        && exchange.reset.is_none()
        && exchange.interval.is_zero();
    let small = (1..=SMALL_BYTES).contains(&exchange.body_bytes());
    if !(open && small) {
        return all;
    }
    let said = exchange.headers.iter().any(|(name, _)| name == "content-length");
    let whole = exchange.body.as_ref().map(Body::bytes).unwrap_or_default();
    let framings = [
        ("1-byte chunks", Framing::Steps(1)),
        ("7-byte chunks", Framing::Steps(7)),
        ("an empty last frame", Framing::Frames(vec![(whole.clone(), false), (Vec::new(), true)])),
        ("empty frames between", Framing::Frames(halves(&whole))),
    ];
    for (label, framing) in framings {
        if !said {
            all.push((label.to_owned(), Exchange { framing, ..exchange.clone() }));
        }
    }
    if exchange.trailers.is_none() && !said {
        let trailers = Some(vec![("x-any".to_owned(), "1".to_owned())]);
        all.push((
            "trailers".to_owned(),
            Exchange { framing: Framing::Steps(4096), trailers, ..exchange.clone() },
        ));
    }
    all
}

fn halves(whole: &[u8]) -> Vec<(Vec<u8>, bool)> {
    let (head, tail) = whole.split_at(whole.len() / 2);
    vec![(Vec::new(), false), (head.to_vec(), false), (Vec::new(), false), (tail.to_vec(), true)]
}

fn stripped_patterns(case: &Case) -> Vec<String> {
    let list = case.expected.get("inbound_headers_stripped").and_then(|v| v.as_array());
    list.into_iter().flatten().filter_map(|p| p.as_str()).map(str::to_owned).collect()
}

/// The same request with a harmless body, so that it reaches the upstream, and with a known value in every header that
/// must not get there. One header for each pattern is added, should the case have none.
fn benign_twin(exchange: &Exchange, patterns: &[String]) -> Exchange {
    let mut twin = Exchange { reset: None, ..exchange.clone() };
    for (name, value) in &mut twin.headers {
        if patterns.iter().any(|pattern| matches_pattern(pattern, name)) {
            FORGED.clone_into(value);
        }
    }
    for pattern in patterns {
        twin.headers.push((pattern.replace('*', "forged"), FORGED.to_owned()));
    }
    twin.headers.retain(|(name, _)| name != "content-encoding" && name != "content-length");
    twin.body = Exchange::chat("hi").body;
    twin.framing = Framing::Natural;
    twin
}
