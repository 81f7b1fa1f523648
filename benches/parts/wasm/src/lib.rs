//! Runs [`bench_parts`] where the filter runs. A plugin's configuration is run when Envoy is asked to validate it
//! (`envoy --mode validate`), so no traffic is needed: the parts run then, and each result is a line of the log.
#![allow(
    missing_docs,
    unsafe_code,
    reason = "the SDK's entry-point macro exports an undocumented, unmangled symbol"
)]

use std::time::{Duration, SystemTime};

use bench_parts::{LINE, Setup};
use proxy_wasm::hostcalls;
use proxy_wasm::traits::{Context, RootContext};
use proxy_wasm::types::{ContextType, LogLevel};

proxy_wasm::main! {{
    proxy_wasm::set_log_level(LogLevel::Info);
    proxy_wasm::set_root_context(|_| Box::new(Root));
}}

struct Root;

impl Context for Root {}

/// The host's clock: wall time, since a VM knows no other.
fn now() -> Duration {
    let now = hostcalls::get_current_time().unwrap_or(SystemTime::UNIX_EPOCH);
    now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

fn say(level: LogLevel, text: &str) {
    // A host that cannot log has nobody to tell.
    let _said = hostcalls::log(level, text);
}

impl RootContext for Root {
    fn on_configure(&mut self, size: usize) -> bool {
        let text =
            hostcalls::get_buffer(proxy_wasm::types::BufferType::PluginConfiguration, 0, size);
        let text = text.ok().flatten().unwrap_or_default();
        let setup: Setup = match serde_json::from_slice(&text) {
            Ok(setup) => setup,
            Err(error) => {
                say(LogLevel::Critical, &format!("configuration refused: {error}"));
                return false;
            }
        };
        let measured = match bench_parts::measure(&setup, now) {
            Ok(measured) => measured,
            Err(error) => {
                say(LogLevel::Critical, &error.to_string());
                return false;
            }
        };
        for part in measured {
            if let Ok(json) = serde_json::to_string(&part) {
                say(LogLevel::Info, &format!("{LINE}{json}"));
            }
        }
        true
    }

    fn get_type(&self) -> Option<ContextType> {
        Some(ContextType::HttpContext)
    }
}
