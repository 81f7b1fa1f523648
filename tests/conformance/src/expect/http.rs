//! The checks of one HTTP exchange, by the name of the expectation.

use serde_json::{Map, Value};

use super::words::{collapse, matches_pattern, missing_from_documents, repository, telling};
use super::{Finding, Seen, never};
use crate::json_text;
use crate::observed::{Decision, Headers, find};
use crate::settings::{PREFIX, header_name};

impl Seen<'_> {
    /// What was decided.
    #[must_use]
    pub(crate) fn decision(&self) -> Decision {
        self.observed.decision(self.sent, self.settings.block_status)
    }

    /// The upstream's body, decoded if it is encoded.
    fn upstream_body(&self) -> Option<Vec<u8>> {
        let forwarded = self.observed.forwarded.first()?;
        decoded(&forwarded.headers, &forwarded.body)
    }

    /// The body that was sent, decoded if it is encoded.
    fn sent_body(&self) -> Option<Vec<u8>> {
        decoded(&self.sent_headers.to_vec(), &self.sent.bytes())
    }
}

/// A body without its content encoding; `None` when it does not follow it.
fn decoded(headers: &Headers, body: &[u8]) -> Option<Vec<u8>> {
    use body_stream::encoding::{Caps, Decoder, Encoding};
    let Some(encoding) = Encoding::parse(find(headers, "content-encoding").unwrap_or("")).ok()?
    else {
        return Some(body.to_vec());
    };
    let mut decoder = Decoder::new(encoding, Caps::default());
    let mut out = Vec::new();
    let mut sink = |piece: &[u8]| {
        out.extend_from_slice(piece);
        Ok(())
    };
    decoder.decode(body, &mut sink).ok()?;
    decoder.finish().ok()?;
    Some(out)
}

/// Checks one expectation. `all` are its siblings, since some read each other.
pub(super) fn check(
    name: &str,
    value: &Value,
    all: &Map<String, Value>,
    seen: &Seen<'_>,
) -> Finding {
    let observed = seen.observed;
    let word = value.as_str().unwrap_or("");
    let number = value.as_u64().and_then(|n| usize::try_from(n).ok());
    let words = || -> Vec<&str> {
        match value {
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
            _ => value.as_str().into_iter().collect(),
        }
    };
    let at_most = |found: Option<usize>, what: &str| {
        Finding::of_seen(found, what, |found| match number {
            Some(most) => Finding::of(found <= most, || found.to_string()),
            None => Finding::Fails(format!("{name} is no number")),
        })
    };
    match name {
        "decision" => decision(word, seen),
        "status" if !value.is_array() => {
            Finding::of(observed.status.map(u64::from) == value.as_u64(), || status(seen))
        }
        "status" | "status_in" => {
            let allowed: Vec<u64> =
                value.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
            Finding::of(observed.status.is_some_and(|s| allowed.contains(&s.into())), || {
                status(seen)
            })
        }
        "status_not_in" => {
            let banned: Vec<u64> =
                value.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
            Finding::of(observed.status.is_some_and(|s| !banned.contains(&s.into())), || {
                status(seen)
            })
        }
        "body_shape" => body_shape(word, seen),
        "error_type" => error_member("type", &words(), seen),
        "error_code" => error_member("code", &words(), seen),
        "error_message_contains" | "message_contains" | "body_contains" => {
            let body = String::from_utf8_lossy(&observed.body).to_lowercase();
            let missing: Vec<&str> =
                words().into_iter().filter(|w| !body.contains(&w.to_lowercase())).collect();
            Finding::of(missing.is_empty(), || format!("the answer lacks {missing:?}"))
        }
        "body_must_not_contain" | "response_must_not_contain" => {
            let body = String::from_utf8_lossy(&observed.body).into_owned();
            let headers =
                observed.headers.iter().map(|(_, v)| v.as_str()).collect::<Vec<_>>().join("\n");
            let found =
                words().into_iter().filter(|w| body.contains(w) || headers.contains(w)).count();
            Finding::of(found == 0, || format!("{found} of the texts in the answer"))
        }
        "content_type" => {
            let found = observed.header("content-type").unwrap_or("");
            let media = found.split(';').next().unwrap_or("").trim();
            Finding::of(media.eq_ignore_ascii_case(word), || format!("{found:?}"))
        }
        "consistent" => consistent(seen),
        "ends_with" => {
            let body = String::from_utf8_lossy(&observed.body);
            Finding::of(body.trim_end().ends_with(word), || "another end".to_owned())
        }
        "finish_reason" => {
            let wanted = format!("\"finish_reason\":\"{word}\"");
            let body = String::from_utf8_lossy(&observed.body).replace("\": ", "\":");
            Finding::of(body.contains(&wanted), || "no such finish_reason".to_owned())
        }
        "retry_after" => {
            let found = observed.header("retry-after");
            let holds = match value {
                Value::Bool(wanted) => {
                    found.is_some_and(|v| v.trim().parse::<u32>().is_ok()) == *wanted
                }
                other => found == Some(other.to_string().trim_matches('"')),
            };
            Finding::of(holds, || format!("retry-after {found:?}"))
        }
        "upstream_called" => {
            let called = !observed.forwarded.is_empty();
            Finding::of(Some(called) == value.as_bool(), || format!("upstream_called {called}"))
        }
        "upstream_calls" => Finding::of(Some(observed.forwarded.len()) == number, || {
            observed.forwarded.len().to_string()
        }),
        "upstream_body" | "forwarded_body" => upstream_body(word, seen),
        "upstream_body_contains" => {
            let missing = missing_from_upstream(&words(), seen);
            Finding::of(missing == 0, || {
                format!("{missing} of the texts missing from the upstream body")
            })
        }
        "only_changed_span" | "only_changed_spans" if value.is_array() => {
            let replacements: Vec<&str> =
                match all.get("replacement").or_else(|| all.get("replacements")) {
                    Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
                    one => one.and_then(Value::as_str).into_iter().collect(),
                };
            only_changed_spans(&words(), &replacements, seen)
        }
        "only_changed_span" => {
            only_changed_span(word, all.get("replacement").and_then(Value::as_str), seen)
        }
        // Read by `only_changed_span`, and by itself it must at least be there.
        "replacement" | "replacements" => {
            let missing = missing_from_upstream(&words(), seen);
            Finding::of(missing == 0, || "the replacement is not in the upstream body".to_owned())
        }
        "upstream_body_minus_span" => match all.get("only_changed_span").and_then(Value::as_str) {
            Some(span) => {
                only_changed_span(span, all.get("replacement").and_then(Value::as_str), seen)
            }
            // A list of spans is checked by itself.
            None if all.contains_key("only_changed_span") => Finding::Holds,
            None => Finding::Fails("no only_changed_span beside it".to_owned()),
        },
        "must_not_reach_upstream" => must_not_reach_upstream(&words(), seen),
        "valid_json" => {
            let Some(body) = seen.upstream_body() else {
                return Finding::Fails("nothing reached the upstream".to_owned());
            };
            let valid = serde_json::from_slice::<Value>(&body).is_ok();
            Finding::of(Some(valid) == value.as_bool(), || format!("valid_json {valid}"))
        }
        "content_length_consistent" | "framing_consistent" => framing(seen),
        "classifier_saw" => {
            let texts: Vec<String> = passages(seen)
                .iter()
                .chain(&observed.classifier_inputs())
                .map(|text| collapse(text))
                .collect();
            let missing =
                words().into_iter().filter(|wanted| !texts.contains(&collapse(wanted))).count();
            Finding::of(missing == 0, || what_was_asked(seen))
        }
        "classifier_saw_contains" | "compressed_contains" => {
            let inputs: Vec<String> =
                observed.classifier_inputs().iter().map(|t| collapse(t)).collect();
            let missing = words()
                .into_iter()
                .filter(|w| !inputs.iter().any(|i| i.contains(&collapse(w))))
                .count();
            Finding::of(missing == 0, || what_was_asked(seen))
        }
        "classifier_must_not_see" | "classifier_saw_not_contains" | "classifier_did_not_see" => {
            let inputs = observed.classifier_inputs().join("\n");
            let found = words().into_iter().filter(|w| inputs.contains(w)).count();
            Finding::of(found == 0, || format!("the classifier saw {found} of the texts"))
        }
        "classifier_calls" => Finding::of(Some(observed.asked.len()) == number, || {
            format!("{} calls", observed.asked.len())
        }),
        "classifier_calls_max" => at_most(Some(observed.asked.len()), "calls"),
        "classifier_text" => classifier_text(word, seen),
        "extracted_text_bytes_max" | "classifier_bytes_max" => {
            at_most(Some(observed.classifier_bytes()), "text")
        }
        "filter_state_bytes_max" => at_most(observed.state_bytes, "the filter's memory"),
        "filter_buffered_bytes" | "filter_buffered_bytes_max" => {
            at_most(observed.held_bytes, "what is held back")
        }
        "bytes_received_max" => at_most(observed.received_bytes, "how much was taken in"),
        "max_ms" => {
            let most = value.as_u64().unwrap_or(0);
            let took = observed.elapsed.as_millis();
            Finding::of(observed.status.is_some() && took <= u128::from(most), || {
                format!("{took} ms")
            })
        }
        "min_ms" => {
            let took = observed.elapsed.as_millis();
            Finding::of(took >= u128::from(value.as_u64().unwrap_or(0)), || format!("{took} ms"))
        }
        "parsed_model" | "route_model" => {
            let found = observed.forwarded_header(&format!("{PREFIX}model"));
            Finding::of(found == Some(word), || format!("model {found:?}"))
        }
        "modality_header_contains" | "modality" => {
            let found = observed.forwarded_header(&format!("{PREFIX}modality")).unwrap_or("");
            let missing: Vec<&str> =
                words().into_iter().filter(|w| !found.split(',').any(|f| f.trim() == *w)).collect();
            Finding::of(missing.is_empty(), || format!("modality {found:?}"))
        }
        "route" | "cluster" | "upstream_cluster" => {
            let cluster = observed.forwarded.first().and_then(|f| f.cluster.clone());
            let route = observed.forwarded_header(&format!("{PREFIX}route")).map(str::to_owned);
            let found = cluster.or(route);
            Finding::of(found.as_deref() == Some(word), || format!("{found:?}"))
        }
        "domain" => {
            let found = observed.forwarded_header(&format!("{PREFIX}domain"));
            Finding::of(found == Some(word), || format!("domain {found:?}"))
        }
        "inbound_headers_stripped" => stripped(&words(), seen),
        "header_present" | "headers_present" => headers_present(value, seen),
        "upstream_header" | "upstream_headers" => {
            let headers = observed.forwarded.first().map(|f| f.headers.clone()).unwrap_or_default();
            exact_headers(value, &headers)
        }
        "response_header" | "response_headers" => exact_headers(value, &observed.headers),
        "redacted_exact" => {
            let strings =
                seen.upstream_body().and_then(|body| json_text::strings(&body)).unwrap_or_default();
            let missing = words().into_iter().filter(|w| !strings.iter().any(|s| s == w)).count();
            Finding::of(missing == 0, || {
                format!("{missing} of the texts are not what reached the upstream")
            })
        }
        "header_absent" | "headers_absent" => {
            let found: Vec<&str> = words()
                .into_iter()
                .filter(|w| {
                    let all =
                        observed.forwarded.iter().flat_map(|f| &f.headers).chain(&observed.headers);
                    all.into_iter().any(|(n, _)| matches_pattern(&header_name(w), n))
                })
                .collect();
            Finding::of(found.is_empty(), || format!("{found:?}"))
        }
        "tag" => tag(word, seen),
        "unscreened" => {
            let name = format!("{PREFIX}unscreened");
            let found = observed.forwarded_header(&name).or_else(|| observed.header(&name));
            Finding::of(
                found.is_some_and(|f| {
                    word.is_empty() || value.as_bool() == Some(true) || f.contains(word)
                }),
                || format!("unscreened {found:?}"),
            )
        }
        "metric" | "metrics" => metric(word, seen),
        "access_log" => {
            Finding::of_seen(observed.access_log.as_deref(), "the access log", |line| {
                let holds = match value {
                    Value::Bool(true) => observed
                        .forwarded_header(&format!("{PREFIX}unscreened"))
                        .or_else(|| observed.header(&format!("{PREFIX}verdict")))
                        .is_some_and(|reason| line.contains(reason)),
                    _ => line.contains(word),
                };
                Finding::of(holds, || "the access log does not tell".to_owned())
            })
        }
        "log_must_not_contain" => {
            let log = [observed.log.as_deref(), observed.access_log.as_deref()];
            let seen_any = log.iter().any(Option::is_some);
            Finding::of_seen(seen_any.then_some(()), "the log", |()| {
                let found = words()
                    .into_iter()
                    .filter(|w| log.iter().flatten().any(|l| l.contains(w)))
                    .count();
                Finding::of(found == 0, || format!("{found} of the texts stand in the log"))
            })
        }
        "next_request" => match seen.next {
            None => Finding::Fails("no next request was made".to_owned()),
            Some(next) => {
                let wanted = word
                    .parse::<u16>()
                    .ok()
                    .or_else(|| value.as_u64().and_then(|n| u16::try_from(n).ok()));
                Finding::of(next.status.is_some() && next.status == wanted, || {
                    format!("next request: {:?}", next.status)
                })
            }
        },
        "never" => match value {
            Value::Array(list) => {
                let failed: Vec<String> = list
                    .iter()
                    .filter_map(Value::as_str)
                    .filter_map(|text| match never::check(text, seen) {
                        Finding::Fails(got) => Some(got),
                        Finding::Holds | Finding::NotHere(_) => None,
                    })
                    .collect();
                Finding::of(failed.is_empty(), || failed.join(", "))
            }
            _ => never::check(word, seen),
        },
        "doc" | "docs" => {
            let missing = missing_from_documents(&telling(word), repository());
            Finding::of(missing.is_empty(), || format!("no document mentions {missing:?}"))
        }
        "no_panic" | "no_trap" => Finding::of(observed.trap.is_none(), || "a trap".to_owned()),
        "all_answered" => Finding::of(observed.status.is_some(), || "no answer".to_owned()),
        // A policy was applied to the settings before the exchange.
        "policy" | "note" => Finding::Holds,
        _ => Finding::Fails("unknown expectation".to_owned()),
    }
}

fn status(seen: &Seen<'_>) -> String {
    seen.observed.status.map_or("no answer".to_owned(), |s| format!("status {s}"))
}

fn decision(word: &str, seen: &Seen<'_>) -> Finding {
    let got = seen.decision();
    // A filter that says one thing and does another is as wrong as one that does the wrong thing.
    let said = seen.observed.forwarded_header(&format!("{PREFIX}verdict"));
    let told = match (got, said) {
        (Decision::Redact, Some(said)) => said == "redact",
        (Decision::Allow, Some(said)) => said == "allow" || said == "unscreened",
        _ => true,
    };
    let holds = word.split('|').any(|w| match w.trim() {
        "fail_open" | "allow_tagged" => {
            got == Decision::Allow
                && seen.observed.forwarded_header(&format!("{PREFIX}unscreened")).is_some()
        }
        "pass" | "passthrough" | "forward" => got == Decision::Allow,
        w => w == got.name(),
    });
    Finding::of(holds && told, || format!("{} (verdict {said:?})", got.name()))
}

fn body_shape(word: &str, seen: &Seen<'_>) -> Finding {
    let Some(body) = seen.observed.json() else {
        return Finding::Fails("the answer is not JSON".to_owned());
    };
    let error = &body["error"];
    let text = |value: &Value| value.as_str().is_some_and(|s| !s.is_empty());
    let holds = match word {
        "openai_error" => {
            let map = error.as_object();
            text(&error["message"])
                && text(&error["type"])
                && map.is_some_and(|m| m.contains_key("param") && m.contains_key("code"))
                && body.get("type").is_none()
        }
        "anthropic_error" => {
            body["type"] == "error" && text(&error["message"]) && text(&error["type"])
        }
        other => return Finding::Fails(format!("unknown body shape {other:?}")),
    };
    Finding::of(holds, || "another shape".to_owned())
}

fn error_member(member: &str, allowed: &[&str], seen: &Seen<'_>) -> Finding {
    let body = seen.observed.json().unwrap_or_default();
    let found = body["error"][member].as_str().map(str::to_owned);
    Finding::of(found.as_deref().is_some_and(|f| allowed.contains(&f)), || {
        format!("error {member} {found:?}")
    })
}

fn consistent(seen: &Seen<'_>) -> Finding {
    let observed = seen.observed;
    let media = observed
        .header("content-type")
        .unwrap_or("")
        .split(';')
        .next()
        .unwrap_or("")
        .trim()
        .to_owned();
    let holds = match media.as_str() {
        "application/json" => observed.json().is_some(),
        "text/event-stream" => {
            observed.body.starts_with(b"data:") || observed.body.starts_with(b"event:")
        }
        _ => observed.json().is_none(),
    };
    let length = observed.header("content-length").and_then(|l| l.parse::<usize>().ok());
    let right = length.is_none_or(|l| l == observed.body.len());
    Finding::of(holds && right, || format!("content-type {media:?}, length {length:?}"))
}

fn upstream_body(word: &str, seen: &Seen<'_>) -> Finding {
    let Some(forwarded) = seen.observed.forwarded.first() else {
        return Finding::Fails("nothing reached the upstream".to_owned());
    };
    let first = word.split([' ', '(']).next().unwrap_or("");
    match first {
        "byte_identical" | "identical" | "unchanged" => {
            let same = seen.sent.is(&forwarded.body);
            let both = [
                ("content-encoding", &forwarded.headers[..]),
                ("content-encoding", seen.sent_headers),
            ];
            let [to, from] =
                both.map(|(name, headers)| find(&headers.to_vec(), name).map(str::to_owned));
            Finding::of(same && to == from, || {
                format!("changed ({} of {} bytes)", forwarded.body.len(), seen.sent.len())
            })
        }
        _ => {
            let body = seen.upstream_body().unwrap_or_default();
            Finding::of(body == word.as_bytes(), || "another body".to_owned())
        }
    }
}

fn missing_from_upstream(texts: &[&str], seen: &Seen<'_>) -> usize {
    let body = seen.upstream_body().unwrap_or_default();
    let strings = json_text::strings(&body).unwrap_or_default();
    let raw = String::from_utf8_lossy(&body);
    texts.iter().filter(|t| !raw.contains(**t) && !strings.iter().any(|s| s.contains(**t))).count()
}

/// The upstream's body must be what was sent with every spelling of `span` replaced, and nothing else changed.
fn only_changed_span(span: &str, replacement: Option<&str>, seen: &Seen<'_>) -> Finding {
    let (Some(sent), Some(got)) = (seen.sent_body(), seen.upstream_body()) else {
        return Finding::Fails("nothing reached the upstream".to_owned());
    };
    let (prefix, suffix) = common_ends(&sent, &got);
    if prefix == sent.len() && sent.len() == got.len() {
        return Finding::Fails("nothing was changed".to_owned());
    }
    if let (Some(replacement), Ok(text)) = (replacement, std::str::from_utf8(&sent))
        && text.contains(span)
        && text.replace(span, replacement).as_bytes() == got.as_slice()
    {
        return Finding::Holds;
    }
    // Written with escapes: the changed stretch, widened by what the ends have in common by chance, spells the span.
    for back in 0..=prefix.min(replacement.map_or(0, str::len)) {
        for front in 0..=suffix.min(replacement.map_or(0, str::len)) {
            let old = sent.get(prefix - back..sent.len() - suffix + front).unwrap_or_default();
            let new = got.get(prefix - back..got.len() - suffix + front).unwrap_or_default();
            let spells = serde_json::from_slice::<String>(&[b"\"", old, b"\""].concat())
                .is_ok_and(|s| s == span);
            if spells && replacement.is_none_or(|r| r.as_bytes() == new) {
                return Finding::Holds;
            }
        }
    }
    Finding::Fails(format!(
        "bytes {prefix}..{} of {} were changed",
        sent.len() - suffix,
        sent.len()
    ))
}

/// As [`only_changed_span`], for several spans that are written without escapes.
fn only_changed_spans(spans: &[&str], replacements: &[&str], seen: &Seen<'_>) -> Finding {
    let (Some(sent), Some(got)) = (seen.sent_body(), seen.upstream_body()) else {
        return Finding::Fails("nothing reached the upstream".to_owned());
    };
    let mut expected = String::from_utf8_lossy(&sent).into_owned();
    for (at, span) in spans.iter().enumerate() {
        let Some(replacement) = replacements.get(at).or(replacements.last()) else {
            return Finding::Fails("no replacement beside it".to_owned());
        };
        expected = expected.replace(span, replacement);
    }
    let (prefix, suffix) = common_ends(expected.as_bytes(), &got);
    Finding::of(expected.as_bytes() == got, || {
        format!("another body from byte {prefix} to {} before its end", suffix)
    })
}

/// Bytes that two texts share at their starts and, besides those, at their ends.
fn common_ends(a: &[u8], b: &[u8]) -> (usize, usize) {
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let most = a.len().min(b.len()) - prefix;
    let suffix = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(x, y)| x == y).count();
    (prefix, suffix)
}

fn must_not_reach_upstream(texts: &[&str], seen: &Seen<'_>) -> Finding {
    let mut found = 0;
    for forwarded in &seen.observed.forwarded {
        let body =
            decoded(&forwarded.headers, &forwarded.body).unwrap_or_else(|| forwarded.body.clone());
        let raw = String::from_utf8_lossy(&body).into_owned();
        let strings = json_text::strings(&body).unwrap_or_default();
        let headers = forwarded.headers.iter().map(|(_, value)| value);
        let everything: Vec<&String> =
            strings.iter().chain(headers).chain(std::iter::once(&raw)).collect();
        found += texts.iter().filter(|text| everything.iter().any(|s| s.contains(**text))).count();
    }
    Finding::of(found == 0, || format!("{found} of the texts reached the upstream"))
}

fn framing(seen: &Seen<'_>) -> Finding {
    let Some(forwarded) = seen.observed.forwarded.first() else {
        return Finding::Fails("nothing reached the upstream".to_owned());
    };
    let length = find(&forwarded.headers, "content-length").map(str::to_owned);
    let holds = length.as_ref().is_none_or(|l| l.parse() == Ok(forwarded.body.len()));
    let decodes = decoded(&forwarded.headers, &forwarded.body).is_some();
    Finding::of(holds && decodes, || {
        format!("content-length {length:?} for {} bytes", forwarded.body.len())
    })
}

fn passages(seen: &Seen<'_>) -> Vec<String> {
    seen.observed.asked.iter().flat_map(|r| &r.passages).map(|p| p.text.clone()).collect()
}

fn what_was_asked(seen: &Seen<'_>) -> String {
    let passages = passages(seen);
    format!(
        "the classifier saw {} passages, {} bytes",
        passages.len(),
        seen.observed.classifier_bytes()
    )
}

/// Free text about what the classifier gets in place of something it cannot be given.
fn classifier_text(word: &str, seen: &Seen<'_>) -> Finding {
    let inputs = seen.observed.classifier_inputs().join("\n");
    if !word.contains("U+FFFD") {
        return Finding::of(collapse(&inputs) == collapse(word), || what_was_asked(seen));
    }
    // Refusing the request is the other allowed outcome; then there is no text.
    Finding::of(seen.observed.asked.is_empty() || inputs.contains('\u{fffd}'), || {
        "no U+FFFD".to_owned()
    })
}

/// Headers of a client that look like the filter's own must not reach the upstream with the client's value.
fn stripped(patterns: &[&str], seen: &Seen<'_>) -> Finding {
    let Some(benign) = seen.benign else {
        return Finding::Fails("no benign request was made".to_owned());
    };
    let Some(forwarded) = benign.forwarded.first() else {
        return Finding::Fails("the benign request did not reach the upstream".to_owned());
    };
    let leaked: Vec<&String> = forwarded
        .headers
        .iter()
        .filter(|(name, value)| {
            value == FORGED && patterns.iter().any(|p| matches_pattern(p, name))
        })
        .map(|(name, _)| name)
        .collect();
    Finding::of(leaked.is_empty(), || format!("{leaked:?} reached the upstream"))
}

/// The value that the benign request gives to every header that must not pass.
pub(crate) const FORGED: &str = "forged-by-the-client";

fn headers_present(value: &Value, seen: &Seen<'_>) -> Finding {
    let wanted: Vec<(String, String)> = match value {
        Value::Object(map) => {
            map.iter().map(|(n, v)| (n.clone(), v.as_str().unwrap_or("").to_owned())).collect()
        }
        Value::Array(list) => list.iter().filter_map(Value::as_str).map(name_and_value).collect(),
        _ => value.as_str().map(name_and_value).into_iter().collect(),
    };
    let observed = seen.observed;
    let missing: Vec<String> = wanted
        .into_iter()
        .filter(|(name, value)| {
            let name = header_name(name);
            let found = observed.forwarded.iter().flat_map(|f| &f.headers).chain(&observed.headers);
            !found
                .into_iter()
                .any(|(n, v)| n.eq_ignore_ascii_case(&name) && v.contains(value.as_str()))
        })
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    Finding::of(missing.is_empty(), || format!("no header {missing:?}"))
}

/// Headers with exactly these values; `null` for one that must be absent.
fn exact_headers(value: &Value, headers: &Headers) -> Finding {
    let wanted: Vec<(String, Option<String>)> = match value {
        Value::Object(map) => {
            map.iter().map(|(n, v)| (n.clone(), v.as_str().map(str::to_owned))).collect()
        }
        _ => value.as_str().map(name_and_value).map(|(n, v)| (n, Some(v))).into_iter().collect(),
    };
    let wrong: Vec<String> = wanted
        .into_iter()
        .filter(|(name, value)| find(headers, &header_name(name)) != value.as_deref())
        .map(|(name, _)| name)
        .collect();
    Finding::of(wrong.is_empty(), || format!("other values of {wrong:?}"))
}

fn name_and_value(text: &str) -> (String, String) {
    let (name, value) = text.split_once(':').unwrap_or((text, ""));
    (name.trim().to_owned(), value.trim().to_owned())
}

/// `name=value`: a header of that name under the filter's prefix.
fn tag(word: &str, seen: &Seen<'_>) -> Finding {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    let header = format!("{PREFIX}{}", name.trim());
    let found = seen.observed.forwarded_header(&header).or_else(|| seen.observed.header(&header));
    Finding::of(found.is_some_and(|f| value.is_empty() || f == value.trim()), || {
        format!("{header}: {found:?}")
    })
}

/// A metric by its description. The filter counts requests by verdict, reasons for incomplete screening and refusals by
/// code, so every description of a failure means a counter of reasons that has grown.
fn metric(word: &str, seen: &Seen<'_>) -> Finding {
    let grown =
        |part: &str| seen.observed.counters.iter().any(|(name, by)| name.contains(part) && *by > 0);
    let lower = word.to_ascii_lowercase();
    let holds = if ["fail", "unscreened", "truncat", "open"].iter().any(|w| lower.contains(w)) {
        grown("unscreened_total")
    } else if lower.contains("refus") || lower.contains("block") || lower.contains("reject") {
        grown("refused_total")
    } else {
        grown(lower.split(' ').next().unwrap_or(""))
    };
    Finding::of(holds, || format!("grown: {:?}", seen.observed.counters.keys().collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::observed::{Forwarded, Observed};
    use crate::settings::Settings;

    fn run(expected: &str, sent: &str, got: Option<&str>) -> Vec<String> {
        let expected: Map<String, Value> = serde_json::from_str(expected).unwrap();
        let forwarded =
            got.map(|body| Forwarded { body: body.as_bytes().to_vec(), ..Default::default() });
        let observed = Observed {
            status: Some(if got.is_some() { 200 } else { 403 }),
            forwarded: forwarded.into_iter().collect(),
            ..Default::default()
        };
        let (body, settings) = (Body::from(sent.as_bytes()), Settings::reference());
        let seen = Seen {
            observed: &observed,
            sent: &body,
            sent_headers: &[],
            settings: &settings,
            next: None,
            benign: None,
        };
        super::super::http(&expected, &seen).failed
    }

    #[test]
    fn an_unknown_expectation_fails() {
        assert_eq!(run(r#"{"colour":"blue"}"#, "x", None), ["colour: unknown expectation"]);
    }

    #[test]
    fn a_changed_span_may_be_written_in_escapes_and_nothing_else_may_change() {
        let expected = r#"{"only_changed_span":"a@b.c","replacement":"[E]"}"#;
        assert!(run(expected, r#"{"x":"to a@b.c ok"}"#, Some(r#"{"x":"to [E] ok"}"#)).is_empty());
        assert!(
            run(expected, r#"{"x":"to a\u0040b.c ok"}"#, Some(r#"{"x":"to [E] ok"}"#)).is_empty()
        );
        assert!(!run(expected, r#"{"x":"to a@b.c ok"}"#, Some(r#"{"x":"to [E] o"}"#)).is_empty());
        assert!(
            !run(expected, r#"{"x":"to a@b.c ok"}"#, Some(r#"{"x":"to a@b.c ok"}"#)).is_empty()
        );
    }

    #[test]
    fn a_text_in_escapes_has_reached_the_upstream_too() {
        let expected = r#"{"must_not_reach_upstream":["a@b.c"]}"#;
        assert_eq!(run(expected, "x", Some(r#"{"x":"a\u0040b.c"}"#)).len(), 1);
        assert_eq!(run(expected, "x", Some(r#"{"x":"{\"y\":\"a@b.c\"}"}"#)).len(), 1);
        assert!(run(expected, "x", Some(r#"{"x":"[E]"}"#)).is_empty());
    }

    #[test]
    fn one_of_any_of_must_hold_and_never_must_not() {
        let expected = r#"{"any_of":[{"status":200},{"status":403}],"never":"allow, 5xx"}"#;
        assert!(run(expected, "x", None).is_empty());
        assert_eq!(run(expected, "x", Some("x")), ["never: allowed"]);
    }
}
