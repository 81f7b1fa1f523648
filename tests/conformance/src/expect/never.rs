//! What must not happen, written as free text in the cases.

use super::{Finding, Seen};
use crate::expect::words::collapse;
use crate::json_text;
use crate::observed::Decision;
use crate::settings::PREFIX;

/// Words in a log that tell of a filter or proxy that fell over.
pub(crate) const CRASH_WORDS: [&str; 6] = [
    "panicked at",
    "BorrowMutError",
    "already borrowed",
    "Uncaught RuntimeError",
    "Function: proxy_on_",
    "Caught Segmentation fault",
];

/// Checks a `never` text. Its clauses are separated by `,`, `;`, `/` and ` or `; each known one is checked as it says,
/// and all of them get the checks that no case may fail: no 5xx that the policy did not decide, no trap, an answer.
pub(super) fn check(text: &str, seen: &Seen<'_>) -> Finding {
    let mut failures = Vec::new();
    let clauses = clauses(text);
    for clause in &clauses {
        match clause_holds(clause, seen) {
            Some(Ok(())) => {}
            Some(Err(got)) => failures.push(got),
            None => failures.extend(generic(seen)),
        }
    }
    failures.extend(crashed(seen));
    failures.dedup();
    Finding::of(failures.is_empty(), || failures.join(", "))
}

fn clauses(text: &str) -> Vec<String> {
    text.replace(" or ", ",")
        .replace(" / ", ",")
        .split([',', ';'])
        .map(|clause| clause.trim().to_owned())
        .filter(|clause| !clause.is_empty())
        .collect()
}

/// `None` for a clause that no rule knows.
fn clause_holds(clause: &str, seen: &Seen<'_>) -> Option<Result<(), String>> {
    let observed = seen.observed;
    let lower = clause.to_ascii_lowercase();
    let forwarded = observed.forwarded.first();
    let is = |bad: bool, got: &str| Some(if bad { Err(got.to_owned()) } else { Ok(()) });
    if lower == "allow" || lower == "forward" || lower == "forwarded" || lower == "pass" {
        return is(seen.decision() == Decision::Allow, "allowed");
    }
    if lower == "5xx" || lower == "500" {
        return is(observed.status.is_some_and(|s| s >= 500), "a 5xx");
    }
    if ["trap", "crash", "panic", "borrowmuterror"].iter().any(|word| lower.contains(word)) {
        return Some(crashed(seen).map_or(Ok(()), Err));
    }
    if lower.contains("hang") || lower.contains("hung") {
        return is(observed.status.is_none(), "no answer");
    }
    if lower.starts_with("forward without") {
        return Some(everything_was_seen(seen));
    }
    if let Some(model) =
        lower.strip_prefix("route_model=").or_else(|| lower.strip_prefix("parsed_model="))
    {
        let model = model.split_whitespace().next().unwrap_or("");
        let found = observed.forwarded_header(&format!("{PREFIX}model"));
        return is(found == Some(model), "that model");
    }
    if let Some(quoted) = lower.split('\'').nth(1) {
        let body = String::from_utf8_lossy(&observed.body).to_ascii_lowercase();
        return is(body.contains(quoted), "that error");
    }
    if lower.contains("inbound") && lower.contains("header") {
        return is(
            forwarded.is_some() && seen.decision() == Decision::Allow,
            "an attack was let through",
        );
    }
    if lower.contains("silent route") {
        let cluster = forwarded.and_then(|f| f.cluster.as_deref());
        return is(cluster == Some("default"), "the default route");
    }
    if lower.starts_with("nan ") {
        return is(
            seen.decision() == Decision::Allow
                && observed.forwarded_header(&unscreened()).is_none(),
            "benign",
        );
    }
    None
}

fn unscreened() -> String {
    format!("{PREFIX}unscreened")
}

fn generic(seen: &Seen<'_>) -> Option<String> {
    match seen.observed.status {
        None => Some("no answer".to_owned()),
        Some(status @ 500..) if status != 503 => Some(format!("status {status}")),
        Some(_) => None,
    }
}

fn crashed(seen: &Seen<'_>) -> Option<String> {
    let observed = seen.observed;
    if let Some(trap) = &observed.trap {
        return Some(format!("trap: {trap}"));
    }
    let log = observed.log.as_deref().unwrap_or("");
    CRASH_WORDS.iter().find(|word| log.contains(*word)).map(|word| format!("the log says {word:?}"))
}

/// When a body went on, every sentence in it must have been before the classifier.
fn everything_was_seen(seen: &Seen<'_>) -> Result<(), String> {
    if seen.observed.forwarded.is_empty() {
        return Ok(());
    }
    let inputs = collapse(&seen.observed.classifier_inputs().join("\n"));
    let strings = json_text::strings(&seen.sent.bytes()).unwrap_or_default();
    let unseen =
        strings.iter().filter(|s| s.contains(' ') && !inputs.contains(&collapse(s))).count();
    if unseen == 0 {
        Ok(())
    } else {
        Err(format!("forwarded with {unseen} texts that no classifier saw"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_cut_at_commas_semicolons_slashes_and_or() {
        assert_eq!(clauses("5xx or VM trap"), ["5xx", "VM trap"]);
        assert_eq!(
            clauses("panicked at / BorrowMutError in the log"),
            ["panicked at", "BorrowMutError in the log"]
        );
        assert_eq!(clauses("allow; 'missing model' error"), ["allow", "'missing model' error"]);
    }
}
