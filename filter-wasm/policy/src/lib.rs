//! What one HTTP stream does: events in, effects out, no host.
//!
//! [`Stream`] is the whole traffic policy as a value. The glue in the filter turns Envoy's callbacks into [`Event`]s and
//! [`Effect`]s into host calls and decides nothing, so that every rule here is tested natively. Time is an argument.
//!
//! The rejected alternative, deciding inside the callbacks, cannot be tested without a host: a native test that reaches
//! a host call does not link.
#![forbid(unsafe_code)]

mod config;
mod decision;
mod grpc;
mod plugin;
mod question;
mod raw;
mod reply;
mod request;
mod restore;
mod screen;
mod stream;
mod worker;

pub use config::{
    Config, ConfigError, Coverage, DEFAULT_ENTITIES, DOMAINS, Daemon, DaemonTarget, DomainAction,
    ENTITIES, Headers, JailbreakAction, Limits, OnFailure, PathRule, PiiAction, Placeholders,
    SignalConfig, Unscreenable,
};
pub use decision::{Entity, Findings, Missing, Verdict};
pub use grpc::grpc_service;
pub use reply::{Refusal, Reply, Unscreened};
pub use request::{Head, Target};
pub use stream::{Call, CallFailure, Effect, Event, Stream};
pub use worker::Worker;

/// The gRPC service and method that an [`Effect::Call`] goes to.
pub use forebay_proto::{METHOD_CLASSIFY as METHOD, SERVICE};

/// Whether a text may stand in an HTTP header: visible ASCII and inner spaces, at most 256 bytes.
fn is_header_value(text: &str) -> bool {
    text.len() <= 256
        && text.bytes().all(|b| (0x20..0x7f).contains(&b))
        && text.trim_matches(' ').len() == text.len()
}
