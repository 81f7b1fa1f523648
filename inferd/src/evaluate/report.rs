//! Observations to a report: per source, overall, with intervals and a confusion table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::Observation;
use super::data::{Entity, Row, Truth};
use super::disguise::Disguise;
use super::metrics::{Counts, Rate, auc, calibration_error, f1, rate, real, recall_at};
use crate::models::{Head, ModelSpec, Signal};

/// A finished report.
#[derive(Clone, Debug)]
pub struct Report {
    /// As `--json` writes it.
    pub json: Value,
    /// As people read it.
    pub table: String,
}

/// What was evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The task.
    pub task: Signal,
    /// The model.
    pub spec: &'a ModelSpec,
    /// Its head, with the threshold in force.
    pub head: &'a Head,
    /// Name of the data.
    pub data: &'a str,
}

/// Adds `key` and `key_interval`.
fn put(map: &mut Map<String, Value>, key: &str, rate: Option<Rate>) {
    if let Some(rate) = rate {
        map.insert(key.to_owned(), json!(rate.value));
        map.insert(format!("{key}_interval"), json!(rate.interval));
    }
}

fn cell(rate: Option<Rate>) -> String {
    rate.map_or_else(
        || "-".to_owned(),
        |r| format!("{:.3} [{:.3}, {:.3}]", r.value, r.interval[0], r.interval[1]),
    )
}

/// Rows by source, in order of the source's name.
fn by_source<'a>(
    rows: &'a [Row],
    seen: &'a [Observation],
) -> BTreeMap<&'a str, Vec<(&'a Row, &'a Observation)>> {
    let mut out: BTreeMap<&str, Vec<(&Row, &Observation)>> = BTreeMap::new();
    for pair in rows.iter().zip(seen) {
        out.entry(pair.0.source.as_str()).or_default().push(pair);
    }
    out
}

/// Width in characters of the column that names the sources.
fn source_width(rows: &[Row]) -> usize {
    rows.iter().map(|row| row.source.chars().count()).max().unwrap_or(0).max("source".len())
}

fn label(row: &Row) -> &str {
    match &row.truth {
        Truth::Label(label) => label,
        Truth::Entities(_) => "",
    }
}

/// Makes the report. `disguised` holds, for each disguise, what became of the positives that were recognised as they are.
#[must_use]
pub fn report(
    subject: Subject<'_>,
    rows: &[Row],
    seen: &[Observation],
    disguised: &[(Disguise, usize, usize)],
) -> Report {
    let (sources, overall, mut table) = match subject.task {
        Signal::Jailbreak => jailbreak(subject, rows, seen),
        Signal::Domain => domain(subject, rows, seen),
        Signal::Pii => pii(subject, rows, seen),
    };
    let windowed = seen.iter().filter(|o| o.windows > 1).count();
    let truncated = seen.iter().filter(|o| o.truncated).count();
    let pooling = match subject.task {
        Signal::Jailbreak => "maximum over windows",
        Signal::Domain => "mean of logits over windows",
        Signal::Pii => "union over windows",
    };
    let mut json = json!({
        "task": subject.task.name(),
        "data": subject.data,
        "model": {"name": subject.spec.name, "version": subject.spec.version, "sha256": subject.spec.sha256},
        "threshold": subject.head.threshold,
        "n": rows.len(),
        "sources": sources,
        "overall": overall,
        "windows": {
            "max_tokens": subject.spec.max_tokens,
            "overlap_tokens": subject.spec.window_overlap_tokens,
            "pooling": pooling,
            "prior": subject.head.window_prior,
            "rows_with_several": windowed,
            "rows_truncated": truncated,
            "most": seen.iter().map(|o| o.windows).max().unwrap_or(0),
        },
        "intervals": "95 %: Wilson for shares, Hanley-McNeil for auc, bootstrap over rows for f1",
    });
    _ = writeln!(
        table,
        "\n{} rows, {windowed} in several windows of {} tokens ({pooling}), {truncated} truncated; threshold {}; 95 % intervals",
        rows.len(),
        subject.spec.max_tokens,
        subject.head.threshold
    );
    if !disguised.is_empty() {
        let list: Vec<Value> = disguised
            .iter()
            .map(|(disguise, flipped, n)| {
                let mut map = Map::new();
                map.insert("disguise".to_owned(), json!(disguise.name()));
                map.insert("n".to_owned(), json!(n));
                put(&mut map, "flipped", rate(*flipped, *n));
                Value::Object(map)
            })
            .collect();
        if let Some(map) = json.as_object_mut() {
            map.insert("robustness".to_owned(), Value::Array(list));
        }
        _ = writeln!(table, "\n{:<16} {:>6}  flipped verdicts", "disguise", "n");
        for (disguise, flipped, n) in disguised {
            _ = writeln!(table, "{:<16} {n:>6}  {}", disguise.name(), cell(rate(*flipped, *n)));
        }
    }
    Report { json, table }
}

/// The label that counts as positive for the jailbreak task.
pub const POSITIVE: &str = "jailbreak";

fn jailbreak(
    subject: Subject<'_>,
    rows: &[Row],
    seen: &[Observation],
) -> (Vec<Value>, Value, String) {
    let threshold = subject.head.threshold;
    let split = |pairs: &[(&Row, &Observation)]| {
        let (positive, negative): (Vec<_>, Vec<_>) =
            pairs.iter().partition(|(row, _)| label(row) == POSITIVE);
        let scores = |list: Vec<(&Row, &Observation)>| -> Vec<f32> {
            list.iter().map(|(_, o)| o.score(POSITIVE)).collect()
        };
        (scores(positive), scores(negative))
    };
    let called = |scores: &[f32]| scores.iter().filter(|s| **s >= threshold).count();
    let all: Vec<(&Row, &Observation)> = rows.iter().zip(seen).collect();
    let (all_positive, all_negative) = split(&all);

    let width = source_width(rows);
    let mut table = format!(
        "{:<width$} {:>6} {:>22} {:>22} {:>22} {:>22}\n",
        "source", "n", "recall", "false positives", "precision", "auc"
    );
    let mut sources = Vec::new();
    let (mut recalls, mut false_rates) = (Vec::new(), Vec::new());
    for (name, pairs) in by_source(rows, seen) {
        let (positive, negative) = split(&pairs);
        let (hits, alarms) = (called(&positive), called(&negative));
        let recall = rate(hits, positive.len());
        let false_positive_rate = rate(alarms, negative.len());
        // Without both kinds it would be 0 or 1 by construction.
        let both = !positive.is_empty() && !negative.is_empty();
        let precision = rate(hits, hits + alarms).filter(|_| both);
        // A source of attacks only is compared with all harmless rows, and the other way round.
        let area = auc(
            if positive.is_empty() { &all_positive } else { &positive },
            if negative.is_empty() { &all_negative } else { &negative },
        );
        let mut map = Map::new();
        map.insert("source".to_owned(), json!(name));
        map.insert("n".to_owned(), json!(pairs.len()));
        map.insert("n_jailbreak".to_owned(), json!(positive.len()));
        map.insert("n_benign".to_owned(), json!(negative.len()));
        put(&mut map, "recall", recall);
        put(&mut map, "false_positive_rate", false_positive_rate);
        put(&mut map, "precision", precision);
        put(&mut map, "auc", area);
        for (key, limit) in [("recall_at_fpr_1", 0.01), ("recall_at_fpr_5", 0.05)] {
            put(
                &mut map,
                key,
                recall_at(&positive, &all_negative, limit)
                    .map(|(r, _)| r)
                    .filter(|_| !all_negative.is_empty()),
            );
        }
        recalls.extend(recall.map(|r| r.value));
        false_rates.extend(false_positive_rate.map(|r| r.value));
        _ = writeln!(
            table,
            "{name:<width$} {:>6} {:>22} {:>22} {:>22} {:>22}",
            pairs.len(),
            cell(recall),
            cell(false_positive_rate),
            cell(precision),
            cell(area)
        );
        sources.push(Value::Object(map));
    }

    let (hits, alarms) = (called(&all_positive), called(&all_negative));
    let mut overall = Map::new();
    let mean = |values: &[f64]| {
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / real(values.len()))
    };
    overall.insert("mean_recall".to_owned(), json!(mean(&recalls)));
    overall.insert("mean_false_positive_rate".to_owned(), json!(mean(&false_rates)));
    put(&mut overall, "recall", rate(hits, all_positive.len()));
    put(&mut overall, "false_positive_rate", rate(alarms, all_negative.len()));
    put(&mut overall, "precision", rate(hits, hits + alarms));
    put(&mut overall, "auc", auc(&all_positive, &all_negative));
    for (key, limit) in [("recall_at_fpr_1", 0.01), ("recall_at_fpr_5", 0.05)] {
        if let Some((recall, at)) =
            recall_at(&all_positive, &all_negative, limit).filter(|_| !all_negative.is_empty())
        {
            put(&mut overall, key, Some(recall));
            overall.insert(
                format!("{key}_threshold"),
                if at.is_finite() { json!(at) } else { Value::Null },
            );
            _ = writeln!(
                table,
                "recall at {:.0} % false positives: {}",
                limit * 100.0,
                cell(Some(recall))
            );
        }
    }
    let counts = [[all_negative.len() - alarms, alarms], [all_positive.len() - hits, hits]];
    overall
        .insert("confusion".to_owned(), json!({"labels": ["benign", POSITIVE], "counts": counts}));
    _ = writeln!(
        table,
        "all: recall {}, false positives {}",
        cell(rate(hits, all_positive.len())),
        cell(rate(alarms, all_negative.len()))
    );
    _ = writeln!(
        table,
        "mean over sources: recall {}, false positives {}",
        mean(&recalls).map_or_else(|| "-".to_owned(), |m| format!("{m:.3}")),
        mean(&false_rates).map_or_else(|| "-".to_owned(), |m| format!("{m:.3}"))
    );
    _ = writeln!(table, "\n{:<12} {:>10} {:>10}", "true \\ said", "benign", POSITIVE);
    for (name, row) in ["benign", POSITIVE].iter().zip(counts) {
        _ = writeln!(table, "{name:<12} {:>10} {:>10}", row[0], row[1]);
    }
    (sources, Value::Object(overall), table)
}

fn domain(subject: Subject<'_>, rows: &[Row], seen: &[Observation]) -> (Vec<Value>, Value, String) {
    let said = |o: &Observation| o.scores.first().map_or(String::new(), |(l, _)| l.clone());
    let sure = |o: &Observation| o.scores.first().map_or(0.0, |(_, p)| *p);
    let right = |row: &Row, o: &Observation| label(row) == said(o);
    let summary = |pairs: &[(&Row, &Observation)]| {
        let mut map = Map::new();
        let hits = pairs.iter().filter(|(r, o)| right(r, o)).count();
        map.insert("n".to_owned(), json!(pairs.len()));
        put(&mut map, "accuracy", rate(hits, pairs.len()));
        let above: Vec<_> =
            pairs.iter().filter(|(_, o)| sure(o) >= subject.head.threshold).collect();
        put(&mut map, "share_above_threshold", rate(above.len(), pairs.len()));
        put(
            &mut map,
            "accuracy_above_threshold",
            rate(above.iter().filter(|(r, o)| right(r, o)).count(), above.len()),
        );
        let predictions: Vec<(f32, bool)> =
            pairs.iter().map(|(r, o)| (sure(o), right(r, o))).collect();
        map.insert("calibration_error".to_owned(), json!(calibration_error(&predictions)));
        (map, rate(hits, pairs.len()), calibration_error(&predictions))
    };
    let width = source_width(rows);
    let mut table =
        format!("{:<width$} {:>6} {:>22} {:>18}\n", "source", "n", "accuracy", "calibration error");
    let error = |e: Option<f64>| e.map_or_else(|| "-".to_owned(), |e| format!("{e:.3}"));
    let mut sources = Vec::new();
    for (name, pairs) in by_source(rows, seen) {
        let (mut map, accuracy, calibration) = summary(&pairs);
        map.insert("source".to_owned(), json!(name));
        _ = writeln!(
            table,
            "{name:<width$} {:>6} {:>22} {:>18}",
            pairs.len(),
            cell(accuracy),
            error(calibration)
        );
        sources.push(Value::Object(map));
    }
    let all: Vec<(&Row, &Observation)> = rows.iter().zip(seen).collect();
    let (mut overall, accuracy, calibration) = summary(&all);
    _ = writeln!(
        table,
        "{:<width$} {:>6} {:>22} {:>18}",
        "all",
        rows.len(),
        cell(accuracy),
        error(calibration)
    );

    let labels = &subject.head.labels;
    let index = |name: &str| labels.iter().position(|l| l == name);
    let mut counts = vec![vec![0_usize; labels.len()]; labels.len()];
    for (row, o) in rows.iter().zip(seen) {
        if let (Some(t), Some(p)) = (index(label(row)), index(&said(o)))
            && let Some(cell) = counts.get_mut(t).and_then(|r| r.get_mut(p))
        {
            *cell += 1;
        }
    }
    let short = |name: &str| name.chars().take(5).collect::<String>();
    _ = write!(table, "\n{:<18}", "true \\ said");
    for name in labels {
        _ = write!(table, " {:>5}", short(name));
    }
    _ = writeln!(table, "  recall");
    let mut classes = Vec::new();
    for (i, (name, row)) in labels.iter().zip(&counts).enumerate() {
        let hits = row.get(i).copied().unwrap_or(0);
        let predicted: usize = counts.iter().filter_map(|r| r.get(i)).sum();
        let total: usize = row.iter().sum();
        _ = write!(table, "{name:<18}");
        for n in row {
            _ = write!(table, " {n:>5}");
        }
        _ = writeln!(table, "  {}", cell(rate(hits, total)));
        let mut map = Map::new();
        map.insert("label".to_owned(), json!(name));
        map.insert("n".to_owned(), json!(total));
        put(&mut map, "recall", rate(hits, total));
        put(&mut map, "precision", rate(hits, predicted));
        classes.push(Value::Object(map));
    }
    overall.insert("classes".to_owned(), Value::Array(classes));
    overall.insert("confusion".to_owned(), json!({"labels": labels, "counts": counts}));
    (sources, Value::Object(overall), table)
}

/// Words and single other characters of a text with the type of the entity that touches them.
fn tokens<'a>(text: &str, entities: &'a [Entity]) -> Vec<Option<&'a str>> {
    let mut out = Vec::new();
    let mut entities = entities.iter().peekable();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = start + c.len_utf8();
        if c.is_alphanumeric() {
            while let Some((at, _)) = chars.next_if(|(_, next)| next.is_alphanumeric()) {
                end = text.ceil_char_boundary(at + 1);
            }
        }
        while entities.next_if(|e| e.range.end <= start).is_some() {}
        out.push(entities.peek().filter(|e| e.range.start < end).map(|e| e.kind.as_str()));
    }
    out
}

/// Token counts by type for one row.
fn token_counts<'a>(
    text: &str,
    gold: &'a [Entity],
    found: &'a [Entity],
) -> BTreeMap<&'a str, Counts> {
    let mut out: BTreeMap<&str, Counts> = BTreeMap::new();
    for (gold, found) in tokens(text, gold).into_iter().zip(tokens(text, found)) {
        if gold == found {
            if let Some(kind) = gold {
                out.entry(kind).or_default().true_positives += 1;
            }
            continue;
        }
        if let Some(kind) = found {
            out.entry(kind).or_default().false_positives += 1;
        }
        if let Some(kind) = gold {
            out.entry(kind).or_default().false_negatives += 1;
        }
    }
    out
}

/// Exact matches of range and type.
fn span_counts(gold: &[Entity], found: &[Entity]) -> Counts {
    let hits = gold.iter().filter(|g| found.contains(g)).count();
    Counts {
        true_positives: hits,
        false_positives: found.len() - hits,
        false_negatives: gold.len() - hits,
    }
}

fn pii(_: Subject<'_>, rows: &[Row], seen: &[Observation]) -> (Vec<Value>, Value, String) {
    let gold = |row: &Row| match &row.truth {
        Truth::Entities(list) => list.clone(),
        Truth::Label(_) => Vec::new(),
    };
    let counted = |pairs: &[(&Row, &Observation)]| {
        let mut types: BTreeMap<String, Counts> = BTreeMap::new();
        let mut token_rows = Vec::with_capacity(pairs.len());
        let mut span_rows = Vec::with_capacity(pairs.len());
        for (row, o) in pairs {
            let gold = gold(row);
            let by_type = token_counts(&row.text, &gold, &o.entities);
            token_rows.push(by_type.values().copied().sum());
            span_rows.push(span_counts(&gold, &o.entities));
            for (kind, counts) in by_type {
                *types.entry(kind.to_owned()).or_default() += counts;
            }
        }
        (types, token_rows, span_rows)
    };
    let summary = |pairs: &[(&Row, &Observation)]| {
        let (types, token_rows, span_rows) = counted(pairs);
        let total: Counts = token_rows.iter().copied().sum();
        let mut map = Map::new();
        map.insert("n".to_owned(), json!(pairs.len()));
        put(&mut map, "f1", f1(&token_rows));
        put(&mut map, "precision", total.precision());
        put(&mut map, "recall", total.recall());
        put(&mut map, "span_f1", f1(&span_rows));
        // Rows without any entity tell how often something is invented.
        let clean: Vec<_> = pairs.iter().filter(|(row, _)| gold(row).is_empty()).collect();
        let alarms = clean.iter().filter(|(_, o)| !o.entities.is_empty()).count();
        put(&mut map, "false_positive_rate", rate(alarms, clean.len()));
        let line = format!(
            "{:>6} {:>22} {:>22} {:>22} {:>22} {:>22}",
            pairs.len(),
            cell(f1(&token_rows)),
            cell(total.precision()),
            cell(total.recall()),
            cell(f1(&span_rows)),
            cell(rate(alarms, clean.len()))
        );
        (map, types, line)
    };
    let width = source_width(rows);
    let mut table = format!(
        "{:<width$} {:>6} {:>22} {:>22} {:>22} {:>22} {:>22}\n",
        "source", "n", "token f1", "precision", "recall", "exact span f1", "clean rows flagged"
    );
    let mut sources = Vec::new();
    for (name, pairs) in by_source(rows, seen) {
        let (mut map, _, line) = summary(&pairs);
        map.insert("source".to_owned(), json!(name));
        _ = writeln!(table, "{name:<width$} {line}");
        sources.push(Value::Object(map));
    }
    let all: Vec<(&Row, &Observation)> = rows.iter().zip(seen).collect();
    let (mut overall, types, line) = summary(&all);
    _ = writeln!(table, "{:<width$} {line}", "all");
    _ = writeln!(
        table,
        "\n{:<18} {:>7} {:>22} {:>22} {:>8}",
        "type (tokens)", "n", "precision", "recall", "f1"
    );
    let mut list = Vec::new();
    for (name, counts) in &types {
        let n = counts.true_positives + counts.false_negatives;
        let mut map = Map::new();
        map.insert("type".to_owned(), json!(name));
        map.insert("n".to_owned(), json!(n));
        put(&mut map, "precision", counts.precision());
        put(&mut map, "recall", counts.recall());
        map.insert("f1".to_owned(), json!(counts.f1()));
        _ = writeln!(
            table,
            "{name:<18} {n:>7} {:>22} {:>22} {:>8}",
            cell(counts.precision()),
            cell(counts.recall()),
            counts.f1().map_or_else(|| "-".to_owned(), |f| format!("{f:.3}"))
        );
        list.push(Value::Object(map));
    }
    overall.insert("types".to_owned(), Value::Array(list));
    overall.insert("confusion".to_owned(), confusion(rows, seen));
    (sources, Value::Object(overall), table)
}

/// Tokens by true and found type, `O` for none.
fn confusion(rows: &[Row], seen: &[Observation]) -> Value {
    let mut pairs: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut labels: BTreeSet<String> = std::iter::once("O".to_owned()).collect();
    for (row, o) in rows.iter().zip(seen) {
        let Truth::Entities(gold) = &row.truth else { continue };
        for (gold, found) in tokens(&row.text, gold).into_iter().zip(tokens(&row.text, &o.entities))
        {
            let (gold, found) = (gold.unwrap_or("O").to_owned(), found.unwrap_or("O").to_owned());
            labels.insert(gold.clone());
            labels.insert(found.clone());
            *pairs.entry((gold, found)).or_default() += 1;
        }
    }
    let count = |t: &String, p: &String| pairs.get(&(t.clone(), p.clone())).copied().unwrap_or(0);
    let counts: Vec<Vec<usize>> =
        labels.iter().map(|t| labels.iter().map(|p| count(t, p)).collect()).collect();
    json!({"labels": labels, "counts": counts})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(range: std::ops::Range<usize>, kind: &str) -> Entity {
        Entity { range, kind: kind.to_owned() }
    }

    #[test]
    fn tokens_are_words_and_signs() {
        let text = "Zoë: a@b.com";
        let found = tokens(text, &[entity(0..4, "PERSON"), entity(6..13, "EMAIL_ADDRESS")]).len();
        assert_eq!(found, 7, "Zoë : a @ b . com");
    }

    #[test]
    fn a_wrong_type_is_both_invented_and_missed() {
        let text = "met Ann in Rome";
        let gold = [entity(4..7, "PERSON"), entity(11..15, "GPE")];
        let found = [entity(4..7, "GPE"), entity(11..15, "GPE")];
        let counts = token_counts(text, &gold, &found);
        assert_eq!(counts["PERSON"], Counts { false_negatives: 1, ..Counts::default() });
        assert_eq!(
            counts["GPE"],
            Counts { true_positives: 1, false_positives: 1, false_negatives: 0 }
        );
        assert_eq!(
            span_counts(&gold, &found),
            Counts { true_positives: 1, false_positives: 1, false_negatives: 1 }
        );
    }
}
