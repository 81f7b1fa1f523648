//! Which peers ran, with which packages, and which did not.
use anyhow::{Result, bail};
use serde_json::Value;

use crate::report::{Summary, Table};

/// What became of the peers.
pub(crate) struct Tally {
    versions: Table,
    failed: Vec<String>,
}

impl Tally {
    pub(crate) fn new() -> Self {
        Self { versions: Table::new("versions", &["package", "version"]), failed: Vec::new() }
    }

    /// Takes what a peer gave and the versions of its packages; a failure is noted.
    pub(crate) fn take<T>(
        &mut self,
        who: &str,
        measured: Result<(T, Value)>,
        summary: &mut Summary,
    ) -> Option<T> {
        match measured {
            Ok((found, used)) => {
                for (name, version) in used.as_object().into_iter().flatten() {
                    self.versions.row([name.as_str(), version.as_str().unwrap_or_default()]);
                }
                Some(found)
            }
            Err(error) => {
                eprintln!("{}: {who} failed: {error:#}", summary.name);
                summary.note(format!("{who} failed: {error:#}"));
                self.failed.push(who.to_owned());
                None
            }
        }
    }

    /// Adds the table of versions.
    ///
    /// # Errors
    ///
    /// Fails when a peer failed and none may be missing.
    pub(crate) fn end(self, summary: &mut Summary, allow_missing: bool) -> Result<()> {
        summary.tables.push(self.versions);
        if !self.failed.is_empty() && !allow_missing {
            summary.print();
            let failed = self.failed.join(", ");
            bail!("failed: {failed}; --allow-missing-peers lists them without failing");
        }
        Ok(())
    }
}
