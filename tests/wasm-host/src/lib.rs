//! A proxy-wasm host on wasmtime, for driving the compiled filter in-process as Envoy would.
//!
//! It simulates what Envoy does around a filter (held headers, cumulative body sizes, calls in flight, local replies,
//! ticks) rather than recording calls: a test says what the client, the upstream, the daemon and the clock do, and looks
//! at what reaches the upstream and the client. The published test frameworks need another Rust or pin an old wasmtime.
//! Where Envoy's behaviour is not obvious, the code says what was seen with Envoy 1.40.
//!
//! All state lives in the store, so tests run in parallel; the module is compiled once ([`Filter`]) and started often
//! ([`Vm`]). Imports that are not known trap. A host call that Envoy would refuse gets the status that Envoy gives and is
//! remembered in [`Vm::refused`].
//!
//! ```no_run
//! # fn main() -> wasm_host::Result<()> {
//! # let config = "{}";
//! use wasm_host::{End, Filter, Setup, Vm};
//! let filter = Filter::load(&wasm_host::built_filter())?;
//! let vm = Vm::start(&filter, Setup::with_config(config))?;
//! let stream = vm.stream()?;
//! stream.request_headers(&wasm_host::post("/v1/chat/completions"), End::Later)?;
//! stream.request_body(br#"{"messages":[]}"#, End::Now)?;
//! assert!(stream.upstream().ended);
//! stream.close()?;
//! # Ok(()) }
//! ```

mod abi;
mod calls;
mod error;
mod host;
mod stream;
mod vm;
mod wasi;

use std::path::PathBuf;

pub use abi::{LogLevel, Status};
pub use error::{Error, Result};
pub use host::{
    Direction, GrpcCall, Headers, LocalReply, LogLine, Message, Metric, MetricKind, Refused,
};
pub use stream::{End, Flow, PendingCall, Stream};
pub use vm::{Filter, Setup, Vm};

/// Where `cargo wasm` puts the filter; `FOREBAY_WASM` names another place.
#[must_use]
pub fn built_filter() -> PathBuf {
    if let Some(path) = std::env::var_os("FOREBAY_WASM") {
        return PathBuf::from(path);
    }
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    target.join("wasm32-wasip1/release-wasm/filter_wasm.wasm")
}

/// Where the build puts the fixture filter: beside the filter.
#[must_use]
pub fn built_fixture() -> PathBuf {
    built_filter().with_file_name("fixture_filter.wasm")
}

/// Headers of a JSON POST, as Envoy shows them to a filter.
#[must_use]
pub fn post(path: &str) -> Headers {
    Headers::from([
        (":method", "POST"),
        (":path", path),
        (":authority", "llm.example"),
        (":scheme", "http"),
        ("content-type", "application/json"),
    ])
}
