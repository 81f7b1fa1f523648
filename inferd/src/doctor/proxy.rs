//! One view of an Envoy's configuration, made from a bootstrap or from what its admin port dumps.

use std::collections::BTreeMap;

use serde_json::Value;

use super::document::{any, field, list, path, text};

/// What is known of an Envoy.
#[derive(Clone, Debug, Default)]
pub struct Proxy {
    /// Major and minor version, where it is known.
    pub version: Option<(u64, u64)>,
    pub(super) listeners: Vec<Value>,
    pub(super) clusters: BTreeMap<String, Value>,
    pub(super) routes: BTreeMap<String, Value>,
    /// Filters that are delivered apart from their listener, by name.
    pub(super) extensions: BTreeMap<String, Value>,
    /// Endpoints that are delivered apart from their cluster, by the name that the cluster asks for.
    pub(super) endpoints: BTreeMap<String, Value>,
    /// Whether clusters may come from elsewhere at run time, so that one missing here proves nothing.
    pub(super) has_more_clusters: bool,
}

/// A connection manager with its listener.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manager<'a> {
    pub(super) listener: &'a Value,
    pub(super) config: &'a Value,
}

impl Proxy {
    /// From a bootstrap, or from a configuration dump; which of them it is shows by its keys.
    ///
    /// # Errors
    ///
    /// When it is neither.
    pub fn read(document: &Value) -> Result<Self, String> {
        if document.get("configs").is_some() {
            return Ok(Self::from_dump(document));
        }
        let is_bootstrap = ["static_resources", "dynamic_resources", "admin", "node"]
            .iter()
            .any(|key| !field(document, key).is_null());
        if !is_bootstrap {
            return Err("is neither an Envoy bootstrap (static_resources, ...) nor a configuration dump (configs)".to_owned());
        }
        let mut proxy = Self::default();
        proxy.add_bootstrap(document);
        proxy.has_more_clusters = !path(document, &["dynamic_resources", "cds_config"]).is_null();
        Ok(proxy)
    }

    fn add_bootstrap(&mut self, bootstrap: &Value) {
        let resources = field(bootstrap, "static_resources");
        self.listeners.extend(list(resources, "listeners").iter().cloned());
        for cluster in list(resources, "clusters") {
            self.add_cluster(cluster);
        }
    }

    fn add_cluster(&mut self, cluster: &Value) {
        self.clusters.insert(text(cluster, "name").to_owned(), cluster.clone());
    }

    fn from_dump(document: &Value) -> Self {
        let mut proxy = Self::default();
        // The bootstrap's listeners and clusters come again as static ones.
        for config in list(document, "configs") {
            let (kind, config) = any(config);
            match kind.rsplit('.').next().unwrap_or_default() {
                "BootstrapConfigDump" => {
                    let version =
                        path(config, &["bootstrap", "node", "user_agent_build_version", "version"]);
                    proxy.version = super::document::number(version, "major_number")
                        .zip(Some(super::document::number(version, "minor_number").unwrap_or(0)));
                }
                "ListenersConfigDump" => {
                    proxy.listeners.extend(
                        list(config, "static_listeners")
                            .iter()
                            .map(|l| field(l, "listener").clone()),
                    );
                    proxy.listeners.extend(
                        list(config, "dynamic_listeners")
                            .iter()
                            .map(|l| path(l, &["active_state", "listener"]))
                            .filter(|l| !l.is_null())
                            .cloned(),
                    );
                }
                "ClustersConfigDump" => {
                    for key in ["static_clusters", "dynamic_active_clusters"] {
                        for entry in list(config, key) {
                            proxy.add_cluster(field(entry, "cluster"));
                        }
                    }
                }
                "RoutesConfigDump" => {
                    for key in ["static_route_configs", "dynamic_route_configs"] {
                        for entry in list(config, key) {
                            let routes = field(entry, "route_config");
                            proxy.routes.insert(text(routes, "name").to_owned(), routes.clone());
                        }
                    }
                }
                "EcdsConfigDump" => {
                    for entry in list(config, "ecds_filters") {
                        let filter = field(entry, "ecds_filter");
                        proxy.extensions.insert(
                            text(filter, "name").to_owned(),
                            field(filter, "typed_config").clone(),
                        );
                    }
                }
                "EndpointsConfigDump" => {
                    for key in ["static_endpoint_configs", "dynamic_endpoint_configs"] {
                        for entry in list(config, key) {
                            let endpoints = field(entry, "endpoint_config");
                            proxy.endpoints.insert(
                                text(endpoints, "cluster_name").to_owned(),
                                endpoints.clone(),
                            );
                        }
                    }
                }
                _ => {}
            }
        }
        proxy
    }

    /// All connection managers.
    pub(super) fn managers(&self) -> impl Iterator<Item = Manager<'_>> {
        self.listeners.iter().flat_map(|listener| {
            let chains = list(listener, "filter_chains")
                .iter()
                .chain(std::iter::once(field(listener, "default_filter_chain")));
            chains.flat_map(|chain| list(chain, "filters")).filter_map(move |filter| {
                let (kind, config) = any(field(filter, "typed_config"));
                kind.ends_with(".HttpConnectionManager").then_some(Manager { listener, config })
            })
        })
    }

    /// The routes that a connection manager uses, where they are known.
    pub(super) fn routes_of<'a>(&'a self, manager: &'a Value) -> Option<&'a Value> {
        let inline = field(manager, "route_config");
        if !inline.is_null() {
            return Some(inline);
        }
        self.routes.get(text(field(manager, "rds"), "route_config_name"))
    }

    /// The typed configuration of an HTTP filter, wherever it comes from; `None` when it is delivered and not in the input.
    pub(super) fn filter_config<'a>(&'a self, entry: &'a Value) -> Option<(&'a str, &'a Value)> {
        if field(entry, "config_discovery").is_null() {
            return Some(any(field(entry, "typed_config")));
        }
        let delivered = self.extensions.get(text(entry, "name"));
        let default = path(entry, &["config_discovery", "default_config"]);
        delivered.or((!default.is_null()).then_some(default)).map(any)
    }

    /// The endpoints' addresses of a cluster; `None` when they are delivered and not in the input.
    pub(super) fn addresses<'a>(&'a self, cluster: &'a Value) -> Option<Vec<&'a Value>> {
        let assignment = if text(cluster, "type") == "EDS" {
            let service = text(field(cluster, "eds_cluster_config"), "service_name");
            let name = if service.is_empty() { text(cluster, "name") } else { service };
            self.endpoints.get(name)?
        } else {
            field(cluster, "load_assignment")
        };
        let localities = list(assignment, "endpoints").iter();
        let endpoints = localities.flat_map(|locality| list(locality, "lb_endpoints"));
        Some(endpoints.map(|endpoint| path(endpoint, &["endpoint", "address"])).collect())
    }
}

/// Major and minor version from `/server_info` or `envoy --version`: `HASH/1.40.0/Clean/RELEASE/BoringSSL`.
#[must_use]
pub fn version(text: &str) -> Option<(u64, u64)> {
    text.split('/').find_map(|part| {
        let mut numbers = part.split(['.', '-']).map(str::parse);
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(major)), Some(Ok(minor)), Some(Ok::<u64, _>(_))) => Some((major, minor)),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_are_read_from_all_their_spellings() {
        assert_eq!(version("abc/1.40.0/Clean/RELEASE/BoringSSL"), Some((1, 40)));
        assert_eq!(
            version("envoy  version: abc/1.34.1-dev/Clean/RELEASE/BoringSSL"),
            Some((1, 34))
        );
        assert_eq!(version("no version here"), None);
    }
}
