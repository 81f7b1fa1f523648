//! The per-node daemon: encoder classifiers behind gRPC on a Unix socket.
//!
//! A request's text is tokenised once, cut into windows, batched with others of like length, run once for all signals that share a model
//! file, and decoded to labels and byte spans. Decisions are in pure modules (`batch`, `decode`, `tokenize`); one file names the
//! runtime (`backend::ort`) and one the transport (`server`), so that either can be replaced or faked.

pub mod admin;
pub mod attention;
pub mod backend;
pub mod batch;
pub mod cli;
pub mod compat;
pub mod config;
pub mod connection;
pub mod daemon;
pub mod decode;
pub mod doctor;
pub mod engine;
pub mod evaluate;
pub mod health;
pub mod loaded;
pub mod models;
pub mod server;
pub mod socket;
pub mod telemetry;
pub mod tokenize;
pub mod traces;
pub mod watch;
pub mod worker;
