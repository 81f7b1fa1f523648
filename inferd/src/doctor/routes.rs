//! What can be wrong in the routes behind the filter: bodies cut short, headers that a client may write, filters turned off.

use policy::Config;
use serde_json::Value;

use super::Report;
use super::document::{any, field, flag, list, number, text};
use super::envoy::{Filter, listener_limit};
use super::fault::{Fault, Finding};
use super::proxy::Proxy;

/// A route with what it inherits from.
#[derive(Clone, Copy)]
pub(super) struct Route<'a> {
    config: &'a Value,
    host: &'a Value,
    pub(super) route: &'a Value,
}

impl<'a> Route<'a> {
    /// From the most specific to the most general.
    fn levels(self) -> [&'a Value; 3] {
        [self.route, self.host, self.config]
    }

    fn place(self, listener: &str) -> String {
        let matches = field(self.route, "match");
        let path = ["prefix", "path", "path_separated_prefix"]
            .iter()
            .map(|key| text(matches, key))
            .find(|found| !found.is_empty())
            .unwrap_or("(by pattern)");
        let name = text(self.route, "name");
        let name = if name.is_empty() { String::new() } else { format!(" {name}") };
        format!("listener {listener}, virtual host {}, route{name} {path}", text(self.host, "name"))
    }

    /// What the route's levels say of the filter: on, off, or nothing.
    fn says(self, filter: &str) -> Option<bool> {
        self.levels().iter().find_map(|level| {
            let entry = field(level, "typed_per_filter_config").get(filter)?;
            let (kind, entry) = any(entry);
            // Any configuration for the filter turns it on.
            Some(!kind.ends_with(".route.v3.FilterConfig") || flag(entry, "disabled") != Some(true))
        })
    }

    fn removes(self, header: &str) -> bool {
        self.levels().iter().any(|level| {
            list(level, "request_headers_to_remove")
                .iter()
                .any(|name| name.as_str().is_some_and(|name| name.eq_ignore_ascii_case(header)))
        })
    }

    /// The largest body that the filter can hold on this route.
    fn body_limit(self, listener: &Value) -> u64 {
        let own = [self.route, self.host]
            .iter()
            .find_map(|level| number(level, "request_body_buffer_limit"));
        own.unwrap_or_else(|| {
            let lowered = [self.route, self.host]
                .iter()
                .find_map(|level| number(level, "per_request_buffer_limit_bytes"));
            listener_limit(listener).min(lowered.unwrap_or(u64::MAX))
        })
    }
}

/// All routes of a connection manager; `None` when they are not in the input.
pub(super) fn routes<'a>(proxy: &'a Proxy, filter: &Filter<'a>) -> Option<Vec<Route<'a>>> {
    let config = proxy.routes_of(filter.manager.config)?;
    let hosts = list(config, "virtual_hosts").iter();
    Some(
        hosts
            .flat_map(|host| {
                list(host, "routes").iter().map(move |route| Route { config, host, route })
            })
            .collect(),
    )
}

pub(super) fn check(proxy: &Proxy, filter: &Filter<'_>, report: &mut Report) {
    let listener = text(filter.manager.listener, "name");
    let Some(routes) = routes(proxy, filter) else {
        report.skip(&format!(
            "listener {listener}: its routes are not in the input; give the dump of a running Envoy"
        ));
        return;
    };
    // Redirects and direct answers reach no upstream.
    let routes: Vec<Route<'_>> =
        routes.into_iter().filter(|r| !field(r.route, "route").is_null()).collect();
    let is_on = |route: &Route<'_>| route.says(filter.name).unwrap_or(!filter.is_disabled);
    if !routes.is_empty() && !routes.iter().any(is_on) {
        let found = if filter.is_disabled {
            "the filter is disabled and no route enables it"
        } else {
            "every route disables the filter"
        };
        report.add(Finding::new(
            Fault::FilterDisabled,
            &filter.place,
            found,
            "a route with the filter on",
        ));
    }
    let Some(config) = &filter.config else { return };
    for route in &routes {
        let place = route.place(listener);
        if !is_on(route) {
            unfiltered(*route, filter, config, &place, report);
            continue;
        }
        let limit = route.body_limit(filter.manager.listener);
        let wanted = config.limits.max_body_bytes;
        if limit < wanted as u64 {
            report.add(Finding::new(
                Fault::BodyLimit,
                &place,
                format!("bodies above {limit} bytes are refused"),
                format!("{wanted} bytes, the filter's limits.max_body_bytes"),
            ));
        }
        forgeable(*route, config, &place, report);
    }
}

/// Headers that routes match as if the filter had written them, and that it does not remove from requests.
fn forgeable(route: Route<'_>, config: &Config, place: &str, report: &mut Report) {
    let headers = &config.headers;
    for matcher in list(field(route.route, "match"), "headers") {
        let name = text(matcher, "name").to_ascii_lowercase();
        let is_removed = name.starts_with(&headers.prefix)
            || headers.route.contains(&name)
            || headers.strip.contains(&name);
        if name.starts_with("x-forebay-") && !is_removed {
            report.add(Finding::new(
                Fault::HeadersForgeable,
                place,
                format!("matches {name}, which the filter neither writes nor removes (its prefix is {})", headers.prefix),
                format!("a header that starts with {}", headers.prefix),
            ));
        }
    }
}

/// A route that turns the filter off hands the client's own headers on.
fn unfiltered(
    route: Route<'_>,
    filter: &Filter<'_>,
    config: &Config,
    place: &str,
    report: &mut Report,
) {
    let verdict = format!("{}verdict", config.headers.prefix);
    if route.says(filter.name) == Some(false) && !filter.is_disabled && !route.removes(&verdict) {
        report.add(Finding::new(
            Fault::HeadersForgeable,
            place,
            format!("the filter is off here, so a client's own {verdict} reaches the upstream"),
            format!("request_headers_to_remove with {verdict} and what else the upstream trusts"),
        ));
    }
}
