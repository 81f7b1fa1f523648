//! What can be wrong in an Envoy's configuration.

use policy::{Config, DaemonTarget};
use serde_json::Value;

use super::Report;
use super::cluster;
use super::document::{any, field, flag, list, number, path, seconds, text};
use super::fault::{Fault, Finding};
use super::proxy::{Manager, Proxy};
use super::routes;

/// 1.35 brought `allow_on_headers_stop_iteration`, 1.36 `request_body_buffer_limit` of routes.
const OLDEST: (u64, u64) = (1, 36);

const WASM: &str = ".filters.http.wasm.v3.Wasm";
const ROUTER: &str = ".filters.http.router.v3.Router";

/// The filter in one connection manager.
pub(super) struct Filter<'a> {
    pub(super) manager: Manager<'a>,
    /// `listener llm, filter forebay`.
    pub(super) place: String,
    /// Its name in the list of filters, by which routes refer to it.
    pub(super) name: &'a str,
    /// Whether it is off unless a route turns it on.
    pub(super) is_disabled: bool,
    /// Its own configuration, if it is valid.
    pub(super) config: Option<Config>,
}

/// Checks a proxy; gives the paths of the daemon's socket that it uses.
pub(super) fn check(
    proxy: &Proxy,
    wanted: Option<&str>,
    report: &mut Report,
) -> Vec<(String, String)> {
    match proxy.version {
        Some(version) if version < OLDEST => report.add(Finding::new(
            Fault::EnvoyTooOld,
            "envoy",
            format!("version {}.{}", version.0, version.1),
            format!("{}.{} or newer", OLDEST.0, OLDEST.1),
        )),
        Some(_) => {}
        None => report
            .skip("the version of Envoy: give --admin, or --envoy with the path of its binary"),
    }
    let filters = filters(proxy, wanted, report);
    let mut sockets = Vec::new();
    for filter in &filters {
        idle_timeout(filter, report);
        routes::check(proxy, filter, report);
        if let Some(config) = &filter.config {
            sockets.extend(cluster::check(proxy, filter, config, report));
        }
    }
    report.filters = filters.into_iter().filter_map(|filter| filter.config).collect();
    sockets
}

fn filters<'a>(proxy: &'a Proxy, wanted: Option<&str>, report: &mut Report) -> Vec<Filter<'a>> {
    let mut found = Vec::new();
    let mut others = Vec::new();
    let mut managers = 0;
    for manager in proxy.managers() {
        managers += 1;
        let entries = list(manager.config, "http_filters");
        let is_ours = |entry: &Value| is_forebay(proxy, entry, wanted);
        let Some(at) = entries.iter().position(is_ours) else {
            others.extend(entries.iter().map(|entry| text(entry, "name")));
            continue;
        };
        let Some(entry) = entries.get(at) else { continue };
        let name = text(entry, "name");
        let place = format!("listener {}, filter {name}", text(manager.listener, "name"));
        order(proxy, entries, at, &place, report);
        let config = match proxy.filter_config(entry) {
            Some((_, wasm)) => plugin(field(wasm, "config"), &place, report),
            None => {
                report.skip(&format!(
                    "{place}: its configuration is delivered by extension discovery; give the dump of a running Envoy"
                ));
                None
            }
        };
        let is_disabled = flag(entry, "disabled") == Some(true);
        found.push(Filter { manager, place, name, is_disabled, config });
    }
    if found.is_empty() {
        others.sort_unstable();
        others.dedup();
        report.add(Finding::new(
            Fault::FilterMissing,
            "envoy",
            match managers {
                0 => "no HTTP connection manager".to_owned(),
                _ => format!(
                    "{managers} connection manager(s) with the filters {}",
                    others.join(", ")
                ),
            },
            match wanted {
                Some(name) => format!("a filter called {name}"),
                None => {
                    "a Wasm filter with forebay in its name, root_id, vm_id or file name".to_owned()
                }
            },
        ));
    }
    found
}

/// Whether an entry of the filter list is this product's filter: by the name asked for, or by the word in one of its names.
fn is_forebay(proxy: &Proxy, entry: &Value, wanted: Option<&str>) -> bool {
    if let Some(name) = wanted {
        return text(entry, "name") == name;
    }
    let config = proxy.filter_config(entry);
    if config.is_some_and(|(kind, _)| !kind.ends_with(WASM)) {
        return false;
    }
    let plugin = config.map_or(&Value::Null, |(_, wasm)| field(wasm, "config"));
    let code = path(plugin, &["vm_config", "code"]);
    [
        text(entry, "name"),
        text(plugin, "name"),
        text(plugin, "root_id"),
        text(field(plugin, "vm_config"), "vm_id"),
        text(field(code, "local"), "filename"),
        path(code, &["remote", "http_uri", "uri"]).as_str().unwrap_or_default(),
    ]
    .iter()
    .any(|name| name.to_ascii_lowercase().contains("forebay"))
}

fn order(proxy: &Proxy, entries: &[Value], at: usize, place: &str, report: &mut Report) {
    let is_router = |entry: &Value| {
        text(entry, "name") == "envoy.filters.http.router"
            || proxy.filter_config(entry).is_some_and(|(kind, _)| kind.ends_with(ROUTER))
    };
    let router = entries.iter().position(is_router);
    if router.is_none_or(|router| router < at) {
        let names: Vec<&str> = entries.iter().map(|entry| text(entry, "name")).collect();
        let found = format!("the order {}", names.join(", "));
        report.add(Finding::new(
            Fault::FilterOrder,
            place,
            found,
            "the filter, and the router after it",
        ));
    }
}

/// Checks the plugin's settings and gives the filter's own configuration.
fn plugin(plugin: &Value, place: &str, report: &mut Report) -> Option<Config> {
    if flag(plugin, "allow_on_headers_stop_iteration") != Some(true) {
        report.add(Finding::new(
            Fault::FilterStopIteration,
            place,
            "allow_on_headers_stop_iteration is not set",
            "true",
        ));
    }
    let policy = text(plugin, "failure_policy");
    if policy != "FAIL_RELOAD" {
        let found = match (policy, flag(plugin, "fail_open")) {
            ("" | "UNSPECIFIED", Some(true)) => "fail_open: true".to_owned(),
            ("" | "UNSPECIFIED", _) => "no failure_policy, which means FAIL_CLOSED".to_owned(),
            (policy, _) => format!("failure_policy {policy}"),
        };
        report.add(Finding::new(Fault::FilterFailurePolicy, place, found, "FAIL_RELOAD"));
    }
    let (kind, configuration) = any(field(plugin, "configuration"));
    let value = field(configuration, "value");
    let json = match kind.rsplit('.').next().unwrap_or_default() {
        "" => String::new(),
        "StringValue" => value.as_str().unwrap_or_default().to_owned(),
        // The filter reads its protobuf bytes.
        "Struct" => value.to_string(),
        "BytesValue" => {
            report.skip(&format!("{place}: the filter's configuration, which is given as bytes"));
            return None;
        }
        other => {
            let found = format!("the configuration is a {other}");
            report.add(Finding::new(
                Fault::FilterConfigType,
                place,
                found,
                "google.protobuf.StringValue or Struct",
            ));
            return None;
        }
    };
    match Config::from_json(json.as_bytes()) {
        Ok(config) => Some(config),
        Err(error) => {
            report.add(Finding::new(
                Fault::FilterConfig,
                place,
                error.to_string(),
                "a configuration that the filter accepts",
            ));
            None
        }
    }
}

/// Envoy's default; a stream that lost its filter waits that long.
fn idle_timeout(filter: &Filter<'_>, report: &mut Report) {
    let found = seconds(filter.manager.config, "stream_idle_timeout");
    let least = filter.config.as_ref().map_or(0.0, |config| config.daemon.timeout.as_secs_f64());
    let problem = match found {
        None => "stream_idle_timeout is not set".to_owned(),
        Some(time) if time <= 0.0 => "stream_idle_timeout is off".to_owned(),
        Some(time) if time <= least => {
            format!("stream_idle_timeout is {time} s, the daemon may take {least} s")
        }
        Some(_) => return,
    };
    report.add(Finding::new(
        Fault::IdleTimeout,
        &filter.place,
        problem,
        format!("a time above {least} s, such as 60s"),
    ));
}

/// The largest body that Envoy holds for a listener, when no route says otherwise.
pub(super) fn listener_limit(listener: &Value) -> u64 {
    number(listener, "per_connection_buffer_limit_bytes").unwrap_or(1 << 20)
}

/// The cluster that a filter names, or the alias that its routes have to resolve.
pub(super) const fn target(config: &Config) -> &DaemonTarget {
    &config.daemon.target
}
