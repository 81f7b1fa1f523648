//! Many requests at once, memory over rounds of them, routes, and updates of the configuration.

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};

use super::Outcome;
use crate::body::Body;
use crate::case::Case;
use crate::exchange::Exchange;
use crate::expect::{self, Finding, Seen};
use crate::layers::{Buffer, Host, Layer, Load, Rounds, Setup};
use crate::observed::Observed;
use crate::oracle::ATTACK;
use crate::settings::Settings;

/// How many rounds show whether memory grows steadily, as the cases ask for.
const ROUNDS: usize = 10;
/// Growth of a process between rounds that is noise of its allocator, in bytes.
const NOISE_BYTES: usize = 4 << 20;

/// One request, many times: `repeat_requests`, `concurrency`. Run under Envoy's own limit on held bodies, which is what
/// such cases are about, and in the simulated proxy without it as well.
pub(super) fn burst(case: &Case, host: &mut dyn Host) -> Result<Outcome> {
    let settings = relaxed(Settings::of(case)?, host.layer())?;
    let exchange = Exchange::of(case)?;
    let times = usize::try_from(
        case.number("repeat_requests").or(case.number("concurrency")).unwrap_or(1),
    )?;
    let concurrency = usize::try_from(case.number("concurrency").unwrap_or(1))?;
    let mut outcome = Outcome::default();
    let mut buffers = vec![("the sample's limit", Buffer::Sample)];
    if host.layer() != Layer::Pure {
        buffers.push(("Envoy's limit", Buffer::EnvoyDefault));
    }
    for (label, buffer) in buffers {
        let mut exchanges = vec![exchange.clone(); times];
        exchanges.push(Exchange::chat("hi"));
        let load = Load { exchanges, concurrency, rounds: 1, last_is_alone: true, buffer };
        let rounds = host.load(&settings, &load)?;
        let (next, all) = rounds.observed.split_last().context("nothing was played")?;
        outcome.got = format!("{label}: {}", statuses(all));
        let sent = exchange.body.clone().unwrap_or_default();
        for observed in all {
            let seen = Seen {
                observed,
                sent: &sent,
                sent_headers: &exchange.headers,
                settings: &settings,
                next: Some(next),
                benign: None,
            };
            let report = expect::http(&case.expected, &seen);
            outcome.report.merge(label, report);
        }
    }
    Ok(outcome)
}

fn relaxed(mut settings: Settings, layer: Layer) -> Result<Settings> {
    if layer == Layer::Envoy && !settings.timeout_is_given {
        settings.set("daemon.timeout_ms", json!(20_000))?;
    }
    Ok(settings)
}

fn statuses(all: &[Observed]) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for observed in all {
        let status = observed.status.map_or("no answer".to_owned(), |s| s.to_string());
        match counts.iter_mut().find(|(known, _)| *known == status) {
            Some((_, count)) => *count += 1,
            None => counts.push((status, 1)),
        }
    }
    counts.iter().map(|(status, count)| format!("{count}x {status}")).collect::<Vec<_>>().join(", ")
}

/// Runs a case about Envoy's set-up or load.
pub(super) fn envoy_config(case: &Case, host: &mut dyn Host) -> Result<Outcome> {
    let request = &case.request;
    if request.contains_key("routes") {
        return routes(case, host);
    }
    if request.contains_key("ecds_updates") {
        return updates(case, host);
    }
    match request.get("load") {
        Some(load) if load.get("bodies_bytes").is_some() => memory(case, load, host),
        Some(load) => mixed(case, load, host),
        None if request.contains_key("send") || request.contains_key("path") => {
            super::http::run(case, host)
        }
        None => bail!("an envoy_config case with none of routes, ecds_updates, load, send"),
    }
}

/// Allowed, blocked and redacted requests mixed.
fn mixed(case: &Case, load: &Value, host: &mut dyn Host) -> Result<Outcome> {
    let number = |key: &str, default: u64| {
        usize::try_from(load.get(key).and_then(Value::as_u64).unwrap_or(default))
    };
    let (requests, concurrency) = (number("requests", 100)?, number("concurrency", 8)?);
    let kinds: Vec<&str> = match load.get("mix").and_then(Value::as_array) {
        Some(mix) => mix.iter().filter_map(Value::as_str).collect(),
        None => vec!["allow"],
    };
    let one = |kind: &str| -> Result<Exchange> {
        Ok(match kind {
            "allow" => Exchange::chat("What is the capital of France?"),
            "block" => Exchange::chat(ATTACK),
            "redact" => Exchange::chat("mail pat.doe@example.com please"),
            "reject" => Exchange::post("/v1/chat/completions", Body::from(b"{".as_slice())),
            "pass" => Exchange::post("/files/upload", Body::from(b"x".as_slice())),
            other => bail!("unknown kind of request {other:?} in the mix"),
        })
    };
    let exchanges =
        (0..requests).map(|at| one(kinds[at % kinds.len()])).collect::<Result<Vec<_>>>()?;
    let settings = relaxed(Settings::of(case)?, host.layer())?;
    let load =
        Load { exchanges, concurrency, rounds: 1, last_is_alone: false, buffer: Buffer::Sample };
    let rounds = host.load(&settings, &load)?;
    let mut outcome = Outcome { got: statuses(&rounds.observed), ..Outcome::default() };
    let wrong = rounds
        .observed
        .iter()
        .enumerate()
        .filter(|(at, observed)| {
            let sent = load.exchanges[*at].body.clone().unwrap_or_default();
            let wanted = match kinds[at % kinds.len()] {
                "pass" => "allow",
                kind => kind,
            };
            observed.decision(&sent, settings.block_status).name() != wanted
        })
        .count();
    outcome.check("each its own decision", wrong == 0, || {
        format!("{wrong} of {requests} got another decision")
    });
    for (name, value) in &case.expected {
        let finding = match name.as_str() {
            "all_answered" => {
                let silent = rounds.observed.iter().filter(|o| o.status.is_none()).count();
                Finding::of(silent == 0, || format!("{silent} of {requests} not answered"))
            }
            "never" => crashes(&rounds),
            "note" | "policy" => Finding::Holds,
            _ => Finding::Fails(format!("unknown expectation {value}")),
        };
        outcome.report.add(name, finding);
    }
    Ok(outcome)
}

fn crashes(rounds: &Rounds) -> Finding {
    let trap = rounds.observed.iter().find_map(|o| o.trap.clone());
    let log = rounds.log.as_deref().unwrap_or("");
    let word = expect::CRASH_WORDS.iter().find(|word| log.contains(**word));
    match (trap, word) {
        (Some(trap), _) => Finding::Fails(trap),
        (None, Some(word)) => Finding::Fails(format!("the log says {word:?}")),
        (None, None) => Finding::Holds,
    }
}

/// Large bodies, half of them text and half of them media, in rounds.
fn memory(case: &Case, load: &Value, host: &mut dyn Host) -> Result<Outcome> {
    let number = |key: &str, default: u64| {
        usize::try_from(load.get(key).and_then(Value::as_u64).unwrap_or(default))
    };
    let (bytes, requests, concurrency) =
        (number("bodies_bytes", 1 << 20)?, number("requests", 16)?, number("concurrency", 4)?);
    let filled = |template: &str, fill: &str| -> Result<Exchange> {
        let repeat = bytes.saturating_sub(template.len()) / fill.len();
        let request = json!({"body_template": template, "fill": fill, "repeat": repeat});
        let Value::Object(request) = request else { bail!("not an object") };
        Ok(Exchange::post("/v1/chat/completions", Body::of(&request)?.unwrap_or_default()))
    };
    let text = filled(
        r#"{"model":"auto","messages":[{"role":"user","content":"{{FILL}}"}]}"#,
        "The committee noted no change. ",
    )?;
    let media = filled(
        r#"{"model":"auto","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,{{FILL}}"}}]}]}"#,
        "QUJD",
    )?;
    let exchanges =
        (0..requests).map(|at| if at % 2 == 0 { text.clone() } else { media.clone() }).collect();
    let settings = relaxed(Settings::of(case)?, host.layer())?;
    let load = Load {
        exchanges,
        concurrency,
        rounds: ROUNDS,
        last_is_alone: false,
        buffer: Buffer::Sample,
    };
    let rounds = host.load(&settings, &load)?;
    let mut outcome = Outcome::default();
    let memory = &rounds.memory_bytes;
    outcome.got = format!("{}; memory {}", statuses(&rounds.observed), mebibytes(memory));
    // Media is never text: however large, it must get through. Text may be refused, but must be answered.
    let lost = rounds
        .observed
        .iter()
        .enumerate()
        .filter(|(at, o)| at % 2 == 1 && o.status != Some(200))
        .count();
    outcome.check("media passes", lost == 0, || {
        format!("{lost} bodies of media were not let through")
    });
    let silent = rounds.observed.iter().filter(|o| o.status.is_none()).count();
    outcome.check("all answered", silent == 0, || format!("{silent} not answered"));
    for (name, value) in &case.expected {
        let most = value.as_u64().and_then(|n| usize::try_from(n).ok());
        let finding = match name.as_str() {
            "vm_memory_bytes_max" => {
                Finding::of_seen(rounds.vm_memory_bytes, "the module's memory", |found| {
                    Finding::of(most.is_some_and(|most| found <= most), || format!("{found} bytes"))
                })
            }
            "steady_growth" => {
                // The first rounds fill caches; after them nothing may be added.
                let later = memory.get(ROUNDS / 2..).unwrap_or_default();
                let growth = later
                    .last()
                    .zip(later.first())
                    .map(|(last, first)| last.saturating_sub(*first));
                Finding::of_seen(growth, "memory", |growth| {
                    Finding::of(growth <= NOISE_BYTES, || {
                        format!("{growth} bytes in the later rounds: {}", mebibytes(memory))
                    })
                })
            }
            "never" => crashes(&rounds),
            "all_answered" => Finding::of(silent == 0, || format!("{silent} not answered")),
            "all_status" => {
                let wanted = value.as_u64();
                let other = rounds.observed.iter().filter(|o| o.status.map(u64::from) != wanted);
                let other = other.count();
                Finding::of(other == 0, || format!("{other} got another status"))
            }
            "note" | "policy" => Finding::Holds,
            _ => Finding::Fails(format!("unknown expectation {value}")),
        };
        outcome.report.add(name, finding);
    }
    Ok(outcome)
}

fn mebibytes(memory: &[usize]) -> String {
    let words: Vec<String> =
        memory.iter().map(|bytes| format!("{:.1}", *bytes as f64 / f64::from(1 << 20))).collect();
    format!("[{}] MiB", words.join(" "))
}

/// Routes chosen by the filter's header.
fn routes(case: &Case, host: &mut dyn Host) -> Result<Outcome> {
    let settings = relaxed(Settings::of(case)?, host.layer())?;
    let exchange = Exchange::of(case)?;
    let routes = case.request.get("routes").and_then(Value::as_array).cloned().unwrap_or_default();
    let variants = match case.request.get("plugin_config_variants").and_then(Value::as_array) {
        Some(variants) => variants.clone(),
        None => vec![json!({"allow_on_headers_stop_iteration": true})],
    };
    let mut outcome = Outcome::default();
    let check_cluster =
        |outcome: &mut Outcome, name: &str, wanted: &Map<String, Value>, found: Option<&str>| {
            let wanted = wanted.get("cluster").and_then(Value::as_str);
            outcome
                .check(name, wanted.is_some() && found == wanted, || format!("cluster {found:?}"));
        };
    for variant in &variants {
        let holds =
            variant.get("allow_on_headers_stop_iteration").and_then(Value::as_bool) == Some(true);
        let name = if holds { "with_flag" } else { "without_flag" };
        let setup = Setup { routes: routes.clone(), holds_headers: holds };
        let Some(observed) = host.routed(&settings, &exchange, &setup)? else {
            outcome
                .report
                .add(name, Finding::NotHere("this layer always holds headers".to_owned()));
            continue;
        };
        let cluster = observed.forwarded.first().and_then(|f| f.cluster.clone());
        outcome.got = format!("{} {name}: {:?} {:?}", outcome.got, observed.status, cluster)
            .trim()
            .to_owned();
        match case.expected.get(name) {
            Some(Value::Object(wanted)) => {
                check_cluster(&mut outcome, name, wanted, cluster.as_deref())
            }
            Some(Value::String(_)) => {
                // A refusal or a hang ended by the filter is documented; a request on the default route is not.
                let flag = vec!["allow_on_headers_stop_iteration".to_owned()];
                let documented =
                    expect::words::missing_from_documents(&flag, expect::words::repository())
                        .is_empty();
                let last = routes.last().and_then(|r| r.get("cluster")).and_then(Value::as_str);
                let silent = cluster.is_some() && cluster.as_deref() == last;
                outcome.check(name, documented && !silent, || {
                    format!("{:?} to {cluster:?}, documented: {documented}", observed.status)
                });
            }
            _ => {}
        }
    }
    for name in case.expected.keys() {
        if name != "with_flag" && name != "without_flag" {
            let report = expect::http(
                &Map::from_iter([(name.clone(), case.expected[name].clone())]),
                &Seen {
                    observed: &host
                        .play(&settings, std::slice::from_ref(&exchange))?
                        .into_iter()
                        .next()
                        .unwrap_or_default(),
                    sent: &exchange.body.clone().unwrap_or_default(),
                    sent_headers: &exchange.headers,
                    settings: &settings,
                    next: None,
                    benign: None,
                },
            );
            outcome.report.merge("send", report);
        }
    }
    Ok(outcome)
}

/// Many updates of the filter's configuration.
fn updates(case: &Case, host: &mut dyn Host) -> Result<Outcome> {
    let settings = relaxed(Settings::of(case)?, host.layer())?;
    let count = usize::try_from(case.number("ecds_updates").unwrap_or(1))?;
    let bytes = usize::try_from(case.number("config_bytes").unwrap_or(1024))?;
    let found = host.update(&settings, count, bytes)?;
    let mut outcome = Outcome::default();
    let mib = found.growth_bytes.map(|b| b as f64 / f64::from(1 << 20));
    outcome.got =
        format!("{count} updates, {} MiB more", mib.map_or("?".to_owned(), |m| format!("{m:.1}")));
    for (name, value) in &case.expected {
        let finding = match name.as_str() {
            "rss_growth_mb_max" => Finding::of_seen(mib, "the process's memory", |mib| {
                Finding::of(value.as_f64().is_some_and(|most| mib <= most), || {
                    format!("{mib:.1} MiB")
                })
            }),
            "bad_config" => Finding::of(found.bad_refused && found.serves_after_bad, || {
                format!("refused: {}, still serving: {}", found.bad_refused, found.serves_after_bad)
            }),
            "note" | "policy" => Finding::Holds,
            _ => Finding::Fails("unknown expectation".to_owned()),
        };
        outcome.report.add(name, finding);
    }
    Ok(outcome)
}
