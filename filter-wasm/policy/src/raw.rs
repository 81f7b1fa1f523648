//! The configuration as a person writes it. Only [`config`](crate::config) sees it. Each default stands here, once.

use std::collections::BTreeMap;

use body_stream::Role;
use serde::Deserialize;

use crate::config;
use crate::plugin::{decimal_or_null, whole, whole_or_null};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    pub(crate) daemon: Daemon,
    pub(crate) signals: Signals,
    pub(crate) limits: Limits,
    #[serde(deserialize_with = "whole")]
    pub(crate) budget_tokens: usize,
    pub(crate) compress: Compress,
    pub(crate) headers: Headers,
    pub(crate) paths: Option<Vec<PathRule>>,
    pub(crate) scan_roles: ScanRoles,
    pub(crate) scan_tool_definitions: bool,
    pub(crate) unscreenable: Unscreenable,
    pub(crate) trusted_prefixes: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            daemon: Daemon::default(),
            signals: Signals::default(),
            limits: Limits::default(),
            // The paper's budget; also what the embedded encoder reads in one pass.
            budget_tokens: 512,
            compress: Compress::default(),
            headers: Headers::default(),
            paths: None,
            scan_roles: ScanRoles::default(),
            scan_tool_definitions: false,
            unscreenable: Unscreenable::default(),
            trusted_prefixes: Vec::new(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Daemon {
    pub(crate) cluster: Option<String>,
    pub(crate) extension_backend: Option<String>,
    #[serde(deserialize_with = "whole")]
    pub(crate) timeout_ms: u64,
}

impl Default for Daemon {
    fn default() -> Self {
        Self { cluster: None, extension_backend: None, timeout_ms: 5000 }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Signals {
    pub(crate) jailbreak: Jailbreak,
    pub(crate) pii: Pii,
    pub(crate) domain: Domain,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Jailbreak {
    pub(crate) action: JailbreakAction,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) threshold: Option<f32>,
    pub(crate) coverage: Coverage,
    pub(crate) on_failure: OnFailure,
    #[serde(deserialize_with = "whole")]
    pub(crate) block_status: u16,
}

impl Default for Jailbreak {
    fn default() -> Self {
        Self {
            action: JailbreakAction::Block,
            threshold: None,
            coverage: Coverage::Full,
            on_failure: OnFailure::Closed,
            block_status: config::DEFAULT_BLOCK_STATUS,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Pii {
    pub(crate) action: PiiAction,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) threshold: Option<f32>,
    pub(crate) coverage: Coverage,
    pub(crate) on_failure: OnFailure,
    #[serde(deserialize_with = "whole")]
    pub(crate) block_status: u16,
    pub(crate) entities: Option<Vec<String>>,
    pub(crate) allow: Vec<Allow>,
    pub(crate) numbered: bool,
    pub(crate) restore: bool,
}

/// A value that is not personal data although it looks like it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Allow {
    pub(crate) entity: Option<String>,
    pub(crate) pattern: String,
}

impl Default for Pii {
    fn default() -> Self {
        Self {
            action: PiiAction::Redact,
            threshold: None,
            coverage: Coverage::Full,
            on_failure: OnFailure::Closed,
            block_status: config::DEFAULT_BLOCK_STATUS,
            entities: None,
            allow: Vec::new(),
            numbered: false,
            restore: false,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Domain {
    pub(crate) action: DomainAction,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) threshold: Option<f32>,
    pub(crate) coverage: Coverage,
    pub(crate) on_failure: OnFailure,
    pub(crate) routes: BTreeMap<String, String>,
    pub(crate) default_route: Option<String>,
}

impl Default for Domain {
    fn default() -> Self {
        Self {
            action: DomainAction::Route,
            threshold: None,
            coverage: Coverage::Compressed,
            on_failure: OnFailure::Open,
            routes: BTreeMap::new(),
            default_route: None,
        }
    }
}

/// An action or `off`, as the configuration spells it, and the validated twin that has no `off`.
macro_rules! spelled {
    ($raw:ident { $($variant:ident),* } off => $config:ty) => {
        #[derive(Clone, Copy, Debug, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum $raw { $($variant,)* Off }

        impl From<$raw> for Option<$config> {
            fn from(raw: $raw) -> Self {
                match raw {
                    $($raw::$variant => Some(<$config>::$variant),)*
                    $raw::Off => None,
                }
            }
        }
    };
    ($raw:ident { $($variant:ident),* } => $config:ty) => {
        #[derive(Clone, Copy, Debug, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum $raw { $($variant,)* }

        impl From<$raw> for $config {
            fn from(raw: $raw) -> Self {
                match raw { $($raw::$variant => Self::$variant,)* }
            }
        }
    };
}

spelled!(JailbreakAction { Block, Tag } off => config::JailbreakAction);
spelled!(PiiAction { Redact, Block, Tag } off => config::PiiAction);
spelled!(DomainAction { Route, Tag } off => config::DomainAction);
spelled!(Coverage { Full, Compressed, Guarded } => config::Coverage);
spelled!(OnFailure { Open, Closed } => config::OnFailure);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Limits {
    #[serde(deserialize_with = "whole")]
    pub(crate) max_body_bytes: usize,
    #[serde(deserialize_with = "whole")]
    pub(crate) max_text_bytes: usize,
    #[serde(deserialize_with = "whole")]
    pub(crate) max_worker_text_bytes: usize,
    #[serde(deserialize_with = "whole")]
    pub(crate) max_depth: usize,
    #[serde(deserialize_with = "whole")]
    pub(crate) upload_timeout_ms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // A few phone photos in base64; Envoy holds them, not the filter.
            max_body_bytes: 64 << 20,
            // About a million tokens of English, the longest context on offer.
            max_text_bytes: 4 << 20,
            // With what selecting and encoding need for a moment, a worker's module then stays below 32 MiB.
            max_worker_text_bytes: 12 << 20,
            max_depth: 128,
            upload_timeout_ms: 30_000,
        }
    }
}

/// A profile of the compressor, and what differs from it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Compress {
    pub(crate) profile: Option<String>,
    pub(crate) weights: Weights,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) position_depth: Option<f32>,
    #[serde(deserialize_with = "whole_or_null")]
    pub(crate) keep_first: Option<usize>,
    #[serde(deserialize_with = "whole_or_null")]
    pub(crate) keep_last: Option<usize>,
    #[serde(deserialize_with = "whole_or_null")]
    pub(crate) full_length_terms: Option<u32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) duplicate_overlap: Option<f32>,
    pub(crate) roles: RoleWeights,
    pub(crate) shares: Shares,
    #[serde(deserialize_with = "whole_or_null")]
    pub(crate) regions: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Weights {
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) textrank: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) position: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) tfidf: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) novelty: Option<f32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RoleWeights {
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) system: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) user: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) assistant: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) tool: Option<f32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Shares {
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) edges: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) flagged: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) suspicion: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) strangeness: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) address: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) mixed: Option<f32>,
    #[serde(deserialize_with = "decimal_or_null")]
    pub(crate) regions: Option<f32>,
}

/// What happens to a request with content that cannot be turned into text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Unscreenable {
    pub(crate) token_ids: OnFailure,
    pub(crate) embeddings: OnFailure,
    pub(crate) late_text: OnFailure,
    pub(crate) references: OnFailure,
}

impl Default for Unscreenable {
    fn default() -> Self {
        Self {
            token_ids: OnFailure::Closed,
            embeddings: OnFailure::Closed,
            late_text: OnFailure::Closed,
            // What the server holds came through the gateway before, and was screened then.
            references: OnFailure::Open,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Headers {
    pub(crate) prefix: String,
    pub(crate) route: Vec<String>,
    pub(crate) strip: Vec<String>,
    pub(crate) on_response: bool,
}

impl Default for Headers {
    fn default() -> Self {
        Self {
            prefix: "x-forebay-".to_owned(),
            route: Vec::new(),
            strip: Vec::new(),
            on_response: true,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PathRule {
    pub(crate) suffix: String,
    pub(crate) api: ApiName,
    pub(crate) pointers: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ApiName {
    ChatCompletions,
    Responses,
    Completions,
    Embeddings,
    Messages,
    Pointers,
}

/// `"all"`, or a list of roles.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum ScanRoles {
    All(All),
    These(Vec<RoleName>),
}

#[derive(Debug, Deserialize)]
pub(crate) enum All {
    #[serde(rename = "all")]
    All,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RoleName {
    System,
    Developer,
    User,
    Assistant,
    Tool,
}

impl Default for ScanRoles {
    fn default() -> Self {
        Self::All(All::All)
    }
}

impl From<ScanRoles> for Vec<Role> {
    /// Text without a role is always screened: a client could otherwise hide text by leaving the role out.
    fn from(raw: ScanRoles) -> Self {
        match raw {
            ScanRoles::All(All::All) => vec![
                Role::Unspecified,
                Role::System,
                Role::Developer,
                Role::User,
                Role::Assistant,
                Role::Tool,
            ],
            ScanRoles::These(names) => std::iter::once(Role::Unspecified)
                .chain(names.into_iter().map(|name| match name {
                    RoleName::System => Role::System,
                    RoleName::Developer => Role::Developer,
                    RoleName::User => Role::User,
                    RoleName::Assistant => Role::Assistant,
                    RoleName::Tool => Role::Tool,
                }))
                .collect(),
        }
    }
}
