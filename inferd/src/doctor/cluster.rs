//! What can be wrong in the cluster that leads to the daemon.

use policy::{Config, DaemonTarget};
use serde_json::Value;

use super::Report;
use super::document::{any, field, path, text};
use super::envoy::{Filter, target};
use super::fault::{Fault, Finding};
use super::proxy::Proxy;
use super::routes;
use crate::config::MAX_SOCKET_PATH_BYTES;
use crate::models::near_match;

/// Where Envoy Gateway writes the names of the clusters that it makes for extension backends.
const ALIASES: &str = "gateway.envoyproxy.io/extension-backends";

/// Checks the clusters that a filter's configuration leads to; gives (cluster, path of the socket).
pub(super) fn check(
    proxy: &Proxy,
    filter: &Filter<'_>,
    config: &Config,
    report: &mut Report,
) -> Vec<(String, String)> {
    let mut sockets = Vec::new();
    for name in names(proxy, filter, config, report) {
        let Some(cluster) = proxy.clusters.get(&name) else {
            if proxy.has_more_clusters {
                report.skip(&format!(
                    "cluster {name}: it is not in the bootstrap; cds_config may deliver it"
                ));
            } else {
                missing(proxy, &name, filter, report);
            }
            continue;
        };
        let place = format!("cluster {name}");
        protocol(cluster, &place, report);
        let Some(addresses) = proxy.addresses(cluster) else {
            report.skip(&format!(
                "{place}: its endpoints are not in the input; add ?include_eds to the dump"
            ));
            continue;
        };
        if addresses.is_empty() {
            report.add(Finding::new(
                Fault::ClusterAddress,
                &place,
                "no endpoint",
                "one endpoint with address.pipe.path",
            ));
        }
        for address in addresses {
            let pipe = text(field(address, "pipe"), "path");
            if pipe.is_empty() {
                let found = describe(address);
                report.add(Finding::new(Fault::ClusterAddress, &place, found, "address.pipe.path"));
                continue;
            }
            if pipe.len() > MAX_SOCKET_PATH_BYTES {
                report.add(Finding::new(
                    Fault::SocketPathTooLong,
                    &place,
                    format!("{pipe} has {} bytes", pipe.len()),
                    format!("at most {MAX_SOCKET_PATH_BYTES}"),
                ));
            }
            sockets.push((name.clone(), pipe.to_owned()));
        }
    }
    sockets
}

fn describe(address: &Value) -> String {
    let socket = field(address, "socket_address");
    match (text(socket, "address"), field(socket, "port_value")) {
        ("", _) => "an endpoint without a pipe".to_owned(),
        (host, port) => format!("an endpoint at {host}:{port}"),
    }
}

fn names(proxy: &Proxy, filter: &Filter<'_>, config: &Config, report: &mut Report) -> Vec<String> {
    let alias = match target(config) {
        DaemonTarget::Cluster(name) => return vec![name.clone()],
        DaemonTarget::ExtensionBackend(alias) => alias,
    };
    // The routes' absence from the input is told elsewhere.
    let Some(routes) = routes::routes(proxy, filter) else { return Vec::new() };
    let mut names: Vec<String> = routes
        .iter()
        .filter_map(|r| {
            path(r.route, &["metadata", "filter_metadata"]).get(ALIASES)?.get(alias)?.as_str()
        })
        .map(str::to_owned)
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        report.add(Finding::new(
            Fault::ClusterMissing,
            &filter.place,
            format!("no route resolves the extension backend {alias:?}"),
            format!("route metadata {ALIASES} with that alias (Envoy Gateway 1.10 writes it)"),
        ));
    }
    names
}

fn missing(proxy: &Proxy, name: &str, filter: &Filter<'_>, report: &mut Report) {
    let known: Vec<&str> = proxy.clusters.keys().map(String::as_str).collect();
    let hint = near_match(name, &known)
        .map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
    let mut shown = known.iter().take(20).copied().collect::<Vec<_>>().join(", ");
    if known.len() > 20 {
        shown.push_str(", ...");
    }
    report.add(Finding::new(
        Fault::ClusterMissing,
        &filter.place,
        format!("daemon.cluster is {name:?}, and there is no such cluster{hint}"),
        format!("one of: {shown}"),
    ));
}

fn protocol(cluster: &Value, place: &str, report: &mut Report) {
    let options = field(cluster, "typed_extension_protocol_options")
        .get("envoy.extensions.upstreams.http.v3.HttpProtocolOptions")
        .map_or(&Value::Null, |options| any(options).1);
    let is_http2 = !path(options, &["explicit_http_config", "http2_protocol_options"]).is_null()
        // Deprecated, and still read.
        || !field(cluster, "http2_protocol_options").is_null();
    if !is_http2 {
        let found = if options.is_null() {
            "no protocol options, which means HTTP/1.1"
        } else {
            "protocol options without explicit_http_config.http2_protocol_options"
        };
        report.add(Finding::new(Fault::ClusterHttp2, place, found, "HTTP/2"));
    }
    let (kind, _) = any(path(cluster, &["transport_socket", "typed_config"]));
    if kind.ends_with(".UpstreamTlsContext") {
        report.add(Finding::new(Fault::ClusterTls, place, "a TLS transport socket", "none"));
    }
}
