//! The whole path with real programs: upstreams, daemon and Envoy as children, and a client that controls each frame.
//!
//! Used by the demo, by the end-to-end tests and by the conformance run. Ports come from the system, readiness is
//! polled, logs are kept and shown only when something fails, and no child outlives its owner. Envoy runs the shipped
//! configuration with only addresses, paths and, where a test needs it, the filter's own configuration filled in.

mod client;
mod config;
mod envoy;
mod inferd;
mod parts;
mod process;
pub mod samples;
mod stack;
pub mod stub;
mod upstream;

pub use client::{Client, Fields, Framing, Protocol, Reply, Request, Step};
pub use config::EnvoyConfig;
pub use envoy::{Envoy, EnvoySetup};
pub use inferd::Inferd;
pub use parts::{Parts, root};
pub use process::Process;
pub use stack::{Daemon, DaemonKind, Stack, StackSetup};
pub use upstream::{Answer, Responder, Seen, Upstreams, answer_like_openai};
