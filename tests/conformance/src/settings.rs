//! From the cases' reference policy, and a case's changes to it, to the filter's own configuration.
//!
//! The cases speak of a product that is not this one: its headers start with `x-guard-`, a fail-open request carries
//! `x-guard-status: unavailable`, the route is in `x-guard-route`. The filter's prefix is configurable, so the suite
//! runs it with the prefix of the cases; what is then left to translate stands in [`header_name`].

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};

use crate::case::Case;

/// The prefix of the cases' own headers.
pub(crate) const PREFIX: &str = "x-guard-";

/// The PII types of the reference policy.
pub(crate) const PII_TYPES: [&str; 4] = ["EMAIL_ADDRESS", "PHONE_NUMBER", "US_SSN", "CREDIT_CARD"];

/// What the reference policy allows a classifier, in milliseconds.
const REFERENCE_TIMEOUT_MS: u64 = 100;

/// A configuration of the filter, and what the checks must know of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    /// The filter's configuration.
    pub(crate) config: Value,
    /// Whether the case itself says how long the classifier may take.
    pub(crate) timeout_is_given: bool,
    /// The status of a policy block.
    pub(crate) block_status: u16,
}

impl Settings {
    /// The reference policy.
    #[must_use]
    pub(crate) fn reference() -> Self {
        Self {
            config: json!({
                "daemon": {"cluster": "inferd", "timeout_ms": REFERENCE_TIMEOUT_MS},
                "signals": {
                    "jailbreak": {"action": "block", "threshold": 0.5, "on_failure": "closed"},
                    "pii": {"action": "redact", "entities": PII_TYPES, "on_failure": "closed"},
                    "domain": {
                        "action": "route", "on_failure": "closed",
                        "routes": {"math": "math"}, "default_route": "default",
                    },
                },
                "limits": {"max_body_bytes": 64 << 20},
                // Headers by which other gateways steer routing or skip their checks; none may come from a client.
                "headers": {"prefix": PREFIX, "strip": ["x-gateway-model-name", "x-vsr-looper-request"]},
                "scan_roles": "all",
            }),
            timeout_is_given: false,
            block_status: 403,
        }
    }

    /// The reference policy with the changes that a case makes to it.
    ///
    /// # Errors
    ///
    /// When a change is one that this program does not know.
    pub(crate) fn of(case: &Case) -> Result<Self> {
        let mut settings = Self::reference();
        for policy in case.policies() {
            settings.apply(policy)?;
        }
        if let Some(budget) = case.number("budget") {
            settings.set("budget_tokens", json!(budget))?;
        }
        Ok(settings)
    }

    /// Applies `key=value,key=value (remark)` or an object of the same.
    fn apply(&mut self, policy: &Value) -> Result<()> {
        match policy {
            Value::Object(map) => {
                map.iter().try_for_each(|(key, value)| self.change(key, value.clone()))
            }
            Value::String(text) => {
                changes(text).into_iter().try_for_each(|(key, value)| self.change(&key, value))
            }
            other => bail!("unknown policy {other}"),
        }
    }

    fn change(&mut self, key: &str, value: Value) -> Result<()> {
        let each = |field: &str| {
            ["jailbreak", "pii", "domain"].map(|signal| format!("signals.{signal}.{field}"))
        };
        match key.trim() {
            "failure_mode" | "on_failure" | "fail_mode" => {
                for path in each("on_failure") {
                    self.set(&path, value.clone())?;
                }
            }
            "timeout" | "classifier_timeout" | "timeout_ms" => {
                self.timeout_is_given = true;
                let value = json!(millis(&value)?);
                self.set("daemon.timeout_ms", value)?;
            }
            "upload_timeout" | "upload_timeout_ms" | "body_timeout" => {
                let value = json!(millis(&value)?);
                self.set("limits.upload_timeout_ms", value)?;
            }
            key @ ("max_body_bytes" | "max_text_bytes" | "max_depth" | "max_worker_text_bytes") => {
                let path = format!("limits.{key}");
                self.set(&path, value)?;
            }
            "scan_roles" => {
                let roles = match value {
                    Value::String(one) if one != "all" => json!([one]),
                    other => other,
                };
                self.set("scan_roles", roles)?;
            }
            "scan_tool_definitions" => self.set("scan_tool_definitions", value)?,
            "budget" | "budget_tokens" => self.set("budget_tokens", value)?,
            "block_status" | "jailbreak_status" => {
                self.block_status = u16::try_from(value.as_u64().context("a status is a number")?)?;
                self.set("signals.jailbreak.block_status", value.clone())?;
                self.set("signals.pii.block_status", value)?;
            }
            "threshold" | "jailbreak_threshold" => {
                self.set("signals.jailbreak.threshold", value)?
            }
            "coverage" => {
                for path in each("coverage") {
                    self.set(&path, value.clone())?;
                }
            }
            "pii_types" | "pii_entities" => self.set("signals.pii.entities", value)?,
            "restore" => self.set("signals.pii.restore", value)?,
            signal @ ("jailbreak" | "pii" | "domain") => match value {
                Value::Object(fields) => {
                    for (field, value) in fields {
                        self.set(&format!("signals.{signal}.{field}"), value)?;
                    }
                }
                action => self.set(&format!("signals.{signal}.action"), action)?,
            },
            path if path.contains('.') => {
                let first = path.split('.').next().unwrap_or("");
                let path = if ["jailbreak", "pii", "domain"].contains(&first) {
                    format!("signals.{path}")
                } else {
                    path.to_owned()
                };
                self.set(&path, value)?;
            }
            other => bail!("unknown policy {other:?}"),
        }
        Ok(())
    }

    /// Sets a member by its path, making the objects on the way.
    ///
    /// # Errors
    ///
    /// When something on the way is not an object.
    pub(crate) fn set(&mut self, path: &str, value: Value) -> Result<()> {
        let mut place = &mut self.config;
        for name in path.split('.') {
            let object =
                place.as_object_mut().with_context(|| format!("{path} passes through a value"))?;
            place = object.entry(name).or_insert_with(|| Value::Object(Map::new()));
        }
        *place = value;
        Ok(())
    }

    /// The same settings in a configuration of about `bytes` bytes: the rest names headers to strip.
    ///
    /// # Errors
    ///
    /// When the settings are no object.
    pub(crate) fn padded(&self, bytes: usize) -> Result<Self> {
        let mut padded = self.clone();
        // Headers to strip are the one list that may be long.
        let names = (0..bytes / 16).map(|at| Value::String(format!("x-pad-{at:07}"))).collect();
        padded.set("headers.strip", names)?;
        Ok(padded)
    }

    /// The same settings with a key that no configuration has.
    ///
    /// # Errors
    ///
    /// When the settings are no object.
    pub(crate) fn broken(&self) -> Result<Self> {
        let mut broken = self.clone();
        broken.set("signals.jailbreak.threshhold", json!(0.7))?;
        Ok(broken)
    }

    /// The configuration as the filter reads it.
    #[must_use]
    pub(crate) fn json(&self) -> String {
        self.config.to_string()
    }
}

/// The filter's header for a header of the cases.
#[must_use]
pub(crate) fn header_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    match name.strip_prefix(PREFIX) {
        Some("status") => format!("{PREFIX}unscreened"),
        _ => name,
    }
}

/// A filter configuration of a case in the filter's own words: the reference policy's signals stand at the top, the
/// filter's under `signals`. Everything else, wrong keys above all, stays as it is.
#[must_use]
pub(crate) fn own_words(config: &Value) -> Value {
    let Value::Object(map) = config else { return config.clone() };
    let mut out = Map::new();
    for (key, value) in map {
        if ["jailbreak", "pii", "domain"].contains(&key.as_str()) {
            let signals = out.entry("signals").or_insert_with(|| Value::Object(Map::new()));
            if let Some(signals) = signals.as_object_mut() {
                signals.insert(key.clone(), value.clone());
            }
        } else {
            out.insert(key.clone(), value.clone());
        }
    }
    Value::Object(out)
}

/// Cuts `a=1,b=[x,y] (remark)` into its parts.
fn changes(text: &str) -> Vec<(String, Value)> {
    let text = text.split(" (").next().unwrap_or(text);
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for ch in text.chars() {
        match ch {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        match (ch, depth) {
            (',' | ';', 0) => parts.push(String::new()),
            _ => parts.iter_mut().last().into_iter().for_each(|last| last.push(ch)),
        }
    }
    parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (key, value) =
                part.split_once('=').or_else(|| part.split_once(':')).unwrap_or((part, ""));
            (key.trim().to_owned(), scalar_or_list(value.trim()))
        })
        .collect()
}

fn scalar_or_list(text: &str) -> Value {
    match text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        Some(list) => list
            .split(',')
            .map(|item| Value::String(item.trim().trim_matches('"').to_owned()))
            .collect(),
        None => match text {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => text
                .parse::<u64>()
                .map(Value::from)
                .or_else(|_| text.parse::<f64>().map(Value::from))
                .unwrap_or_else(|_| Value::String(text.to_owned())),
        },
    }
}

/// `100ms`, `2s`, or a number of milliseconds.
fn millis(value: &Value) -> Result<u64> {
    if let Some(number) = value.as_u64() {
        return Ok(number);
    }
    let text =
        value.as_str().context("a time is a number of milliseconds or a text such as 100ms")?;
    let (number, factor) = match text.strip_suffix("ms") {
        Some(number) => (number, 1),
        None => (text.strip_suffix('s').with_context(|| format!("{text:?} is no time"))?, 1000),
    };
    Ok(number.trim().parse::<u64>().with_context(|| format!("{text:?} is no time"))? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(policy: &str) -> Result<Settings> {
        let mut settings = Settings::reference();
        settings.apply(&Value::String(policy.to_owned()))?;
        Ok(settings)
    }

    #[test]
    fn every_change_of_the_reference_policy_is_a_change_of_the_filters_configuration() {
        let found = settings("timeout=100ms,failure_mode=open").unwrap();
        assert_eq!(found.config["signals"]["pii"]["on_failure"], "open");
        assert_eq!(found.config["daemon"]["timeout_ms"], 100);
        let found = settings("scan_roles=[user,tool]").unwrap();
        assert_eq!(found.config["scan_roles"], json!(["user", "tool"]));
        let found = settings("scan_tool_definitions=false (default)").unwrap();
        assert_eq!(found.config["scan_tool_definitions"], false);
        let found = settings("max_body_bytes=10485760").unwrap();
        assert_eq!(found.config["limits"]["max_body_bytes"], 10_485_760);
    }

    #[test]
    fn the_filter_takes_the_reference_policy() {
        policy::Config::from_json(Settings::reference().json().as_bytes()).unwrap();
    }

    #[test]
    fn an_unknown_change_is_an_error() {
        assert!(settings("moon_phase=full").is_err());
    }

    #[test]
    fn wrong_keys_of_a_configuration_stay() {
        let found = own_words(&json!({"jailbreak": {"threshhold": 0.7}, "limit": 3}));
        assert_eq!(found, json!({"signals": {"jailbreak": {"threshhold": 0.7}}, "limit": 3}));
    }
}
