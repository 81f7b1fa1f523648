//! The filter's configuration: what a person writes ([`raw`](crate::raw)) becomes values that cannot be wrong.

use std::collections::BTreeMap;
use std::time::Duration;

use body_stream::{Api, Pointers, Role, ToolDefinitions};
use recognise::Recogniser;

use crate::{grpc, plugin, raw};

/// The MMLU-Pro categories, the labels of the domain classifier.
pub const DOMAINS: [&str; 14] = [
    "biology",
    "business",
    "chemistry",
    "computer science",
    "economics",
    "engineering",
    "health",
    "history",
    "law",
    "math",
    "other",
    "philosophy",
    "physics",
    "psychology",
];

/// Every entity type that the PII classifier or a recogniser can report.
pub const ENTITIES: [&str; 19] = [
    "AGE",
    "API_KEY",
    "CREDIT_CARD",
    "DATE_TIME",
    "DOMAIN_NAME",
    "EMAIL_ADDRESS",
    "GPE",
    "IBAN_CODE",
    "IP_ADDRESS",
    "NRP",
    "ORGANIZATION",
    "PERSON",
    "PHONE_NUMBER",
    "PRIVATE_KEY",
    "STREET_ADDRESS",
    "TITLE",
    "US_DRIVER_LICENSE",
    "US_SSN",
    "ZIP_CODE",
];

/// The types acted on when `signals.pii.entities` is absent: those that identify a person or open an account. Dates,
/// places, organisations and titles are left alone, since redacting them ruins ordinary prompts.
pub const DEFAULT_ENTITIES: [&str; 11] = [
    "API_KEY",
    "CREDIT_CARD",
    "EMAIL_ADDRESS",
    "IBAN_CODE",
    "IP_ADDRESS",
    "PERSON",
    "PHONE_NUMBER",
    "PRIVATE_KEY",
    "STREET_ADDRESS",
    "US_DRIVER_LICENSE",
    "US_SSN",
];

/// What a block answers unless the configuration says otherwise.
pub(crate) const DEFAULT_BLOCK_STATUS: u16 = 403;

/// Settings that the filter can rely on: every value is in range.
#[derive(Clone, Debug)]
pub struct Config {
    /// How to reach inferd.
    pub daemon: Daemon,
    /// The jailbreak signal.
    pub jailbreak: SignalConfig<JailbreakAction>,
    /// The status of a jailbreak's block; never one that client libraries retry.
    pub jailbreak_block_status: u16,
    /// The PII signal.
    pub pii: SignalConfig<PiiAction>,
    /// The status of a block for personal data; never one that client libraries retry.
    pub pii_block_status: u16,
    /// Entity types that the PII action applies to, sorted.
    pub pii_entities: Vec<String>,
    /// How a redacted span is replaced, and whether it comes back.
    pub placeholders: Placeholders,
    /// Finds structured personal data and secrets, allow-list applied.
    pub recogniser: Recogniser,
    /// The domain signal.
    pub domain: SignalConfig<DomainAction>,
    /// Domain to route name.
    pub routes: BTreeMap<String, String>,
    /// The route of a domain without one of its own, or below the threshold.
    pub default_route: Option<String>,
    /// Caps on one request.
    pub limits: Limits,
    /// The budget of the `compressed` and `guarded` coverages, in tokens.
    pub budget_tokens: usize,
    /// Scores and weights of the compressor.
    pub compress: compress::Config,
    /// Names of the headers that the filter writes and strips.
    pub headers: Headers,
    /// Which paths carry LLM requests, tried in order.
    pub paths: Vec<PathRule>,
    /// Whose text is screened.
    pub scan_roles: Vec<Role>,
    /// Whether strings in `tools`, `functions` and schemas are screened as text.
    pub tool_definitions: ToolDefinitions,
    /// What happens to content that is no text.
    pub unscreenable: Unscreenable,
    /// Beginnings of system and developer messages that the operator wrote, normalised: they are not screened.
    pub trusted_prefixes: Vec<String>,
}

/// What stands in place of a redacted span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placeholders {
    /// `[PERSON]`.
    Plain,
    /// `[PERSON_1]`; the same value has the same number throughout a request.
    Numbered,
    /// Numbered, and the response gets the values back.
    Restored,
}

/// What happens to a request with content that cannot be turned into text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unscreenable {
    /// Prompts given as token ids.
    pub token_ids: OnFailure,
    /// Prompts given as embedding tensors.
    pub embeddings: OnFailure,
    /// Content passed over as an identifier or base64 before a later member called it text.
    pub late_text: OnFailure,
    /// Content that the server holds and the body only names.
    pub references: OnFailure,
}

/// How to reach inferd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Daemon {
    /// Which Envoy cluster to call.
    pub target: DaemonTarget,
    /// How long the filter waits for the verdict.
    pub timeout: Duration,
}

/// Where the name of the daemon's cluster comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DaemonTarget {
    /// A cluster of this name.
    Cluster(String),
    /// The cluster that Envoy Gateway generated for this extension-backend alias; read from the route's metadata for
    /// each request.
    ExtensionBackend(String),
}

/// Settings common to the signals. `A` is the action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignalConfig<A> {
    /// What to do when the signal fires; `None` when the signal is off and its classifier is not asked.
    pub action: Option<A>,
    /// Probability from which it fires, `0.0..=1.0`; `None` takes the model's own threshold.
    pub threshold: Option<f32>,
    /// Which text the classifier reads.
    pub coverage: Coverage,
    /// What happens to the request when there is no answer.
    pub on_failure: OnFailure,
}

/// What to do with a jailbreak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JailbreakAction {
    /// Refuse the request.
    Block,
    /// Forward it with a header.
    Tag,
}

/// What to do with personal data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PiiAction {
    /// Replace each span by `[TYPE]`.
    Redact,
    /// Refuse the request.
    Block,
    /// Forward it with a header.
    Tag,
}

/// What to do with the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainAction {
    /// Write the route header.
    Route,
    /// Write the domain header only.
    Tag,
}

/// Which text a classifier reads (design section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every token, in overlapping windows.
    Full,
    /// The passages that the compressor selects, within the budget.
    Compressed,
    /// The same budget, with what the full-text pass flagged first.
    Guarded,
}

/// Whether a request passes when it could not be screened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFailure {
    /// It passes, tagged.
    Open,
    /// It is refused.
    Closed,
}

/// Caps on one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest body, in bytes as received; also the cap on decoded bytes of an encoded body.
    pub max_body_bytes: usize,
    /// Most text held of one request, in bytes.
    pub max_text_bytes: usize,
    /// Most text held by one worker for all its requests, in bytes.
    pub max_worker_text_bytes: usize,
    /// Deepest JSON nesting.
    pub max_depth: usize,
    /// How long a client may take to send the body.
    pub upload_timeout: Duration,
}

/// Header names, lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headers {
    /// What every header of the filter starts with. Inbound headers that start with it are removed.
    pub prefix: String,
    /// Names under which the route is written, besides `<prefix>route`. Removed from inbound requests.
    pub route: Vec<String>,
    /// Further inbound headers to remove.
    pub strip: Vec<String>,
    /// Whether the client sees the verdict headers on the response.
    pub on_response: bool,
}

/// A path that carries LLM requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRule {
    /// Compared with the end of the normalised path, at a `/`.
    pub suffix: String,
    /// The shape of the body.
    pub api: Api,
}

/// Why a configuration is refused. The message names the key, what was found and what is allowed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Not JSON, an unknown key, or a value of the wrong type.
    #[error("{path}: {source}")]
    Parse {
        /// The key, with its parents.
        path: String,
        /// What the parser said.
        source: serde_json::Error,
    },
    /// A value outside its range.
    #[error("{key} is {got}; allowed: {allowed}")]
    Value {
        /// The key, with its parents.
        key: String,
        /// The value given.
        got: String,
        /// What would be accepted.
        allowed: String,
    },
}

impl Config {
    /// Parses and checks a configuration: JSON text, or the protobuf `Struct` that Envoy passes on as it stands. An
    /// empty text gives the defaults.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] for the first wrong key or value.
    pub fn from_json(text: &[u8]) -> Result<Self, ConfigError> {
        let refused = |error: serde_path_to_error::Error<serde_json::Error>| {
            let path = error.path().to_string();
            ConfigError::Parse { path, source: error.into_inner() }
        };
        if let Some(value) = plugin::struct_as_json(text) {
            let raw: raw::Config = serde_path_to_error::deserialize(value).map_err(refused)?;
            return Self::try_from(raw);
        }
        let text = if text.trim_ascii().is_empty() { b"{}".as_slice() } else { text };
        let mut json = serde_json::Deserializer::from_slice(text);
        let raw: raw::Config = serde_path_to_error::deserialize(&mut json).map_err(refused)?;
        json.end().map_err(|source| ConfigError::Parse { path: ".".to_owned(), source })?;
        Self::try_from(raw)
    }

    /// Whether text is screened whoever wrote it.
    pub(crate) fn scans_every_role(&self) -> bool {
        [Role::Unspecified, Role::System, Role::Developer, Role::User, Role::Assistant, Role::Tool]
            .iter()
            .all(|role| self.scan_roles.contains(role))
    }

    /// The outcome for a request of which some enabled signal got no answer: closed when any of them says so.
    #[must_use]
    pub fn on_failure(&self) -> OnFailure {
        let closed = (self.jailbreak.action.is_some()
            && self.jailbreak.on_failure == OnFailure::Closed)
            || (self.pii.action.is_some() && self.pii.on_failure == OnFailure::Closed)
            || (self.domain.action.is_some() && self.domain.on_failure == OnFailure::Closed);
        if closed { OnFailure::Closed } else { OnFailure::Open }
    }
}

fn bad(key: &str, got: impl std::fmt::Display, allowed: &str) -> ConfigError {
    ConfigError::Value { key: key.to_owned(), got: got.to_string(), allowed: allowed.to_owned() }
}

fn in_range<T: PartialOrd + ToString + Copy>(
    key: &str,
    got: T,
    low: T,
    high: T,
) -> Result<T, ConfigError> {
    if got >= low && got <= high {
        Ok(got)
    } else {
        Err(bad(key, got.to_string(), &format!("{} to {}", low.to_string(), high.to_string())))
    }
}

fn threshold(key: &str, got: Option<f32>) -> Result<Option<f32>, ConfigError> {
    got.map(|t| in_range(key, t, 0.0, 1.0)).transpose()
}

/// Client libraries repeat a request on 408, 409, 429 and 5xx.
fn block_status(key: &str, got: u16) -> Result<u16, ConfigError> {
    const ALLOWED: [u16; 6] = [400, 401, 403, 404, 422, 451];
    if ALLOWED.contains(&got) {
        Ok(got)
    } else {
        Err(bad(key, got, &format!("one of {ALLOWED:?}")))
    }
}

fn header_name(key: &str, got: &str) -> Result<String, ConfigError> {
    let token = !got.is_empty()
        && got.len() <= 128
        && got.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if token {
        Ok(got.to_ascii_lowercase())
    } else {
        Err(bad(key, format!("{got:?}"), "letters, digits, - and _, at most 128"))
    }
}

/// A route name goes into a header.
fn route_name(key: &str, got: &str) -> Result<String, ConfigError> {
    if crate::is_header_value(got) && !got.is_empty() {
        Ok(got.to_owned())
    } else {
        Err(bad(key, format!("{got:?}"), "1 to 256 visible ASCII characters"))
    }
}

impl TryFrom<raw::Config> for Config {
    type Error = ConfigError;

    fn try_from(raw: raw::Config) -> Result<Self, ConfigError> {
        let raw::Signals { jailbreak, pii, domain } = raw.signals;
        let limits = limits(&raw.limits)?;
        let mut routes = BTreeMap::new();
        for (name, route) in &domain.routes {
            let key = format!("signals.domain.routes.{name}");
            if !DOMAINS.contains(&name.as_str()) {
                return Err(bad(&key, format!("{name:?}"), &format!("one of {DOMAINS:?}")));
            }
            routes.insert(name.clone(), route_name(&key, route)?);
        }
        Ok(Self {
            daemon: daemon(raw.daemon)?,
            jailbreak: SignalConfig {
                action: jailbreak.action.into(),
                threshold: threshold("signals.jailbreak.threshold", jailbreak.threshold)?,
                coverage: jailbreak.coverage.into(),
                on_failure: jailbreak.on_failure.into(),
            },
            jailbreak_block_status: block_status(
                "signals.jailbreak.block_status",
                jailbreak.block_status,
            )?,
            pii_block_status: block_status("signals.pii.block_status", pii.block_status)?,
            pii: SignalConfig {
                action: pii.action.into(),
                threshold: threshold("signals.pii.threshold", pii.threshold)?,
                coverage: pii.coverage.into(),
                on_failure: pii.on_failure.into(),
            },
            recogniser: recogniser(&pii.allow)?,
            placeholders: match (pii.numbered, pii.restore) {
                (_, true) => Placeholders::Restored,
                (true, false) => Placeholders::Numbered,
                (false, false) => Placeholders::Plain,
            },
            pii_entities: entities(pii.entities)?,
            domain: SignalConfig {
                action: domain.action.into(),
                threshold: threshold("signals.domain.threshold", domain.threshold)?,
                coverage: domain.coverage.into(),
                on_failure: domain.on_failure.into(),
            },
            routes,
            default_route: domain
                .default_route
                .map(|r| route_name("signals.domain.default_route", &r))
                .transpose()?,
            limits,
            budget_tokens: in_range("budget_tokens", raw.budget_tokens, 32, 65_536)?,
            compress: compress(&raw.compress, raw.budget_tokens, limits.max_text_bytes)?,
            headers: headers(raw.headers)?,
            paths: paths(raw.paths)?,
            scan_roles: raw.scan_roles.into(),
            tool_definitions: if raw.scan_tool_definitions {
                ToolDefinitions::Scan
            } else {
                ToolDefinitions::Skip
            },
            unscreenable: Unscreenable {
                token_ids: raw.unscreenable.token_ids.into(),
                embeddings: raw.unscreenable.embeddings.into(),
                late_text: raw.unscreenable.late_text.into(),
                references: raw.unscreenable.references.into(),
            },
            trusted_prefixes: trusted_prefixes(&raw.trusted_prefixes)?,
        })
    }
}

fn daemon(raw: raw::Daemon) -> Result<Daemon, ConfigError> {
    let target = match (raw.cluster, raw.extension_backend) {
        (Some(name), None) if !grpc::is_authority(&name) && name.len() > grpc::MAX_NAME_BYTES => {
            let allowed = format!(
                "at most {} bytes with other characters than letters, digits, -, . and _",
                grpc::MAX_NAME_BYTES
            );
            return Err(bad("daemon.cluster", name, &allowed));
        }
        (None, None) => DaemonTarget::Cluster("inferd".to_owned()),
        (Some(name), None) if !name.is_empty() => DaemonTarget::Cluster(name),
        (None, Some(alias)) if !alias.is_empty() => DaemonTarget::ExtensionBackend(alias),
        (cluster, alias) => {
            let got = format!("cluster {cluster:?} and extension_backend {alias:?}");
            return Err(bad("daemon", got, "one of the two, not empty"));
        }
    };
    let timeout_ms = in_range("daemon.timeout_ms", raw.timeout_ms, 1, 600_000)?;
    Ok(Daemon { target, timeout: Duration::from_millis(timeout_ms) })
}

fn limits(raw: &raw::Limits) -> Result<Limits, ConfigError> {
    const GIB: usize = 1 << 30;
    let max_body_bytes = in_range("limits.max_body_bytes", raw.max_body_bytes, 1024, GIB)?;
    let max_text_bytes = in_range("limits.max_text_bytes", raw.max_text_bytes, 1024, GIB)?;
    let max_worker_text_bytes =
        in_range("limits.max_worker_text_bytes", raw.max_worker_text_bytes, max_text_bytes, GIB)?;
    let upload_timeout_ms =
        in_range("limits.upload_timeout_ms", raw.upload_timeout_ms, 10, 3_600_000)?;
    Ok(Limits {
        max_body_bytes,
        max_text_bytes,
        max_worker_text_bytes,
        max_depth: in_range("limits.max_depth", raw.max_depth, 8, 1024)?,
        upload_timeout: Duration::from_millis(upload_timeout_ms),
    })
}

fn entities(raw: Option<Vec<String>>) -> Result<Vec<String>, ConfigError> {
    let Some(raw) = raw else {
        return Ok(DEFAULT_ENTITIES.iter().map(|&e| e.to_owned()).collect());
    };
    let mut kept = Vec::with_capacity(raw.len());
    for (index, name) in raw.into_iter().enumerate() {
        if !ENTITIES.contains(&name.as_str()) {
            let key = format!("signals.pii.entities[{index}]");
            return Err(bad(&key, format!("{name:?}"), &format!("one of {ENTITIES:?}")));
        }
        kept.push(name);
    }
    kept.sort();
    kept.dedup();
    Ok(kept)
}

/// The profile with what differs from it, checked by the compressor.
fn compress(
    raw: &raw::Compress,
    budget_tokens: usize,
    max_text_bytes: usize,
) -> Result<compress::Config, ConfigError> {
    let profile = match &raw.profile {
        None => compress::Profile::default(),
        Some(name) => compress::Profile::from_name(name).ok_or_else(|| {
            let names: Vec<_> = compress::Profile::ALL.iter().map(|p| p.name()).collect();
            bad("compress.profile", format!("{name:?}"), &format!("one of {names:?}"))
        })?,
    };
    let mut values = compress::Raw::profile(profile);
    // Every field of a group that is given replaces the profile's.
    macro_rules! take {
        ($group:ident: $($field:ident),*) => {
            $( values.$group.$field = raw.$group.$field.unwrap_or(values.$group.$field); )*
        };
    }
    take!(weights: textrank, position, tfidf, novelty);
    take!(roles: system, user, assistant, tool);
    take!(shares: edges, flagged, suspicion, strangeness, address, mixed, regions);
    values.position_depth = raw.position_depth.unwrap_or(values.position_depth);
    values.keep_first = raw.keep_first.unwrap_or(values.keep_first);
    values.keep_last = raw.keep_last.unwrap_or(values.keep_last);
    values.full_length_terms = raw.full_length_terms.unwrap_or(values.full_length_terms);
    values.duplicate_overlap = raw.duplicate_overlap.unwrap_or(values.duplicate_overlap);
    values.regions = raw.regions.unwrap_or(values.regions);
    values.budget_tokens = budget_tokens;
    // Normalising may add decoded text; the compressor must see that too.
    values.max_text_bytes = max_text_bytes.saturating_mul(2).min(64 << 20);
    values.try_into().map_err(|error: compress::ConfigError| ConfigError::Value {
        key: format!("compress.{}", error.key()),
        got: "out of range".to_owned(),
        allowed: error.to_string(),
    })
}

fn trusted_prefixes(raw: &[String]) -> Result<Vec<String>, ConfigError> {
    raw.iter()
        .enumerate()
        .map(|(index, prefix)| {
            // A short prefix would trust what anyone may write.
            if prefix.len() < 16 {
                let key = format!("trusted_prefixes[{index}]");
                return Err(bad(&key, format!("{} bytes", prefix.len()), "at least 16 bytes"));
            }
            let mut normaliser = recognise::Normaliser::new();
            normaliser.advance(prefix, true);
            Ok(normaliser.text(prefix).to_owned())
        })
        .collect()
}

fn recogniser(allow: &[raw::Allow]) -> Result<Recogniser, ConfigError> {
    let mut rules = Vec::with_capacity(allow.len());
    for (index, rule) in allow.iter().enumerate() {
        let entity = match &rule.entity {
            None => None,
            Some(name) => Some(recognise::Entity::from_name(name).ok_or_else(|| {
                let key = format!("signals.pii.allow[{index}].entity");
                let names: Vec<_> = recognise::Entity::ALL.iter().map(|e| e.name()).collect();
                bad(&key, format!("{name:?}"), &format!("one of {names:?}"))
            })?),
        };
        rules.push(recognise::Allow { entity, pattern: rule.pattern.clone() });
    }
    let config = recognise::Config { allow: rules, ..recognise::Config::default() };
    Recogniser::new(&config)
        .map_err(|error| bad("signals.pii", error, "see the recogniser's limits"))
}

fn headers(raw: raw::Headers) -> Result<Headers, ConfigError> {
    let prefix = header_name("headers.prefix", &raw.prefix)?;
    if prefix.len() < 3 || !prefix.ends_with('-') {
        // A short prefix would strip half of the client's headers.
        return Err(bad(
            "headers.prefix",
            format!("{prefix:?}"),
            "at least 3 characters, ending in -",
        ));
    }
    let list = |key: &str, names: Vec<String>| {
        names.iter().map(|n| header_name(key, n)).collect::<Result<Vec<_>, _>>()
    };
    Ok(Headers {
        prefix,
        route: list("headers.route", raw.route)?,
        strip: list("headers.strip", raw.strip)?,
        on_response: raw.on_response,
    })
}

fn paths(raw: Option<Vec<raw::PathRule>>) -> Result<Vec<PathRule>, ConfigError> {
    let Some(raw) = raw else {
        return Ok(default_paths());
    };
    let mut rules = Vec::with_capacity(raw.len());
    for (index, rule) in raw.into_iter().enumerate() {
        let key = format!("paths[{index}]");
        let suffix = rule.suffix.trim_end_matches('/').to_ascii_lowercase();
        if !suffix.starts_with('/') || suffix.len() < 2 {
            let key = format!("{key}.suffix");
            return Err(bad(&key, format!("{:?}", rule.suffix), "a path that starts with /"));
        }
        let api = match (rule.api, rule.pointers) {
            (raw::ApiName::Pointers, Some(pointers)) if !pointers.is_empty() => {
                let parsed = Pointers::parse(pointers.iter().map(String::as_str));
                Api::Pointers(parsed.map_err(|error| {
                    let key = format!("{key}.pointers");
                    bad(&key, error, "1 to 64 JSON pointers (RFC 6901), * for any member")
                })?)
            }
            (raw::ApiName::Pointers, _) => {
                let key = format!("{key}.pointers");
                return Err(bad(&key, "absent or empty", "at least one JSON pointer"));
            }
            (_, Some(_)) => {
                let key = format!("{key}.pointers");
                return Err(bad(&key, "given", "only with api: pointers"));
            }
            (raw::ApiName::ChatCompletions, None) => Api::ChatCompletions,
            (raw::ApiName::Responses, None) => Api::Responses,
            (raw::ApiName::Completions, None) => Api::Completions,
            (raw::ApiName::Embeddings, None) => Api::Embeddings,
            (raw::ApiName::Messages, None) => Api::Messages,
        };
        rules.push(PathRule { suffix, api });
    }
    Ok(rules)
}

fn default_paths() -> Vec<PathRule> {
    [
        ("/chat/completions", Api::ChatCompletions),
        ("/completions", Api::Completions),
        ("/responses", Api::Responses),
        ("/embeddings", Api::Embeddings),
        ("/messages", Api::Messages),
        ("/messages/count_tokens", Api::Messages),
    ]
    .into_iter()
    .map(|(suffix, api)| PathRule { suffix: suffix.to_owned(), api })
    .collect()
}
