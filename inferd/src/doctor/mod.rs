//! Says in plain words why an installation will not work, and what to do about it.
//!
//! An Envoy is judged by its configuration (bootstrap or dump), a node by what lies on it (socket, models, library, CPU quota). Every
//! check gives findings from one [closed list](Fault); what could not be looked at is listed too, so that silence means health.
//! Running `envoy --mode validate` is no substitute: it accepts most of these faults.

use serde_json::json;

mod cluster;
mod document;
mod envoy;
mod fault;
mod fetch;
pub mod node;
mod proxy;
mod routes;

pub use fault::{Fault, Finding, Severity};
pub use proxy::{Proxy, version};

/// Fetches what the admin port of an Envoy tells of its configuration and version.
///
/// # Errors
///
/// When it cannot be reached or answers with something else.
pub fn fetch(url: &str) -> Result<Proxy, String> {
    let dump = fetch::get(url, "/config_dump?include_eds")?;
    let dump = serde_json::from_slice(&dump).map_err(|error| format!("{url}: {error}"))?;
    let mut proxy = Proxy::read(&dump)?;
    let info = fetch::get(url, "/server_info")?;
    let info: serde_json::Value =
        serde_json::from_slice(&info).map_err(|error| format!("{url}: {error}"))?;
    proxy.version = version(document::text(&info, "version")).or(proxy.version);
    Ok(proxy)
}

/// What was looked at and what was found.
#[derive(Debug, Default)]
pub struct Report {
    findings: Vec<Finding>,
    checked: Vec<String>,
    unchecked: Vec<String>,
    /// Valid configurations of filters, for checks that need both sides.
    filters: Vec<policy::Config>,
    /// (cluster, path) of the sockets that filters lead to.
    sockets: Vec<(String, String)>,
}

impl Report {
    pub(crate) fn add(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    pub(crate) fn skip(&mut self, what: &str) {
        if !self.unchecked.iter().any(|known| known == what) {
            self.unchecked.push(what.to_owned());
        }
    }

    /// Something was looked at.
    pub fn saw(&mut self, what: impl Into<String>) {
        self.checked.push(what.into());
    }

    /// Checks an Envoy's configuration. `filter` is the name of the filter's entry; without it the filter is known by its product's name.
    pub fn envoy(&mut self, proxy: &Proxy, filter: Option<&str>) {
        self.sockets = envoy::check(proxy, filter, self);
    }

    /// Compares the daemon's side with what the filters expect of it.
    pub fn compare(&mut self, socket: Option<&std::path::Path>, max_message_bytes: Option<usize>) {
        for (cluster, path) in self.sockets.clone() {
            if let Some(socket) = socket
                && socket != std::path::Path::new(&path)
            {
                self.add(Finding::new(
                    Fault::SocketMismatch,
                    format!("cluster {cluster}"),
                    format!(
                        "Envoy connects to {path}, the daemon's socket is {}",
                        socket.display()
                    ),
                    "one path",
                ));
            }
        }
        let texts: Vec<usize> =
            self.filters.iter().map(|config| config.limits.max_text_bytes).collect();
        for text in texts {
            if let Some(message) = max_message_bytes
                && message <= text
            {
                self.add(Finding::new(
                    Fault::DaemonMessageLimit,
                    "limits.max_message_bytes",
                    format!("{message} bytes, and the filter's limits.max_text_bytes is {text}"),
                    format!("above {text}"),
                ));
            }
        }
    }

    /// The findings, worst first.
    #[must_use]
    pub fn findings(&self) -> Vec<&Finding> {
        let mut sorted: Vec<&Finding> = self.findings.iter().collect();
        sorted.sort_by_key(|finding| (finding.fault.severity(), finding.fault));
        sorted
    }

    /// For machines.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        let findings = self.findings().into_iter().map(|finding| {
            json!({
                "id": finding.fault.id(),
                "severity": finding.fault.severity(),
                "place": finding.place,
                "found": finding.found,
                "wanted": finding.wanted,
                "effect": finding.fault.effect(),
                "mend": finding.fault.mend(),
            })
        });
        json!({
            "healthy": self.findings.is_empty(),
            "findings": findings.collect::<Vec<_>>(),
            "checked": self.checked,
            "unchecked": self.unchecked,
        })
    }

    /// For people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        for finding in self.findings() {
            let fault = finding.fault;
            lines.push(format!("{}: {} ({})", fault.severity().name(), fault.id(), finding.place));
            lines.push(format!("  found   {}", finding.found));
            lines.push(format!("  wanted  {}", finding.wanted));
            lines.push(format!("  effect  {}", fault.effect()));
            lines.push(format!("  mend    {}", fault.mend()));
            lines.push(String::new());
        }
        lines.extend(self.checked.iter().map(|what| format!("checked: {what}")));
        lines.extend(self.unchecked.iter().map(|what| format!("not checked: {what}")));
        lines.push(match self.findings.len() {
            0 => "nothing wrong found".to_owned(),
            1 => "1 fault found".to_owned(),
            count => format!("{count} faults found"),
        });
        lines.join("\n") + "\n"
    }
}

/// The list of all faults in Markdown, for the documents.
#[must_use]
pub fn reference() -> String {
    let mut out =
        String::from("| id | severity | what happens | what to do |\n|---|---|---|---|\n");
    for fault in Fault::ALL {
        let row = format!(
            "| `{}` | {} | {} | {} |\n",
            fault.id(),
            fault.severity().name(),
            fault.effect(),
            fault.mend()
        );
        out.push_str(&row);
    }
    out
}
