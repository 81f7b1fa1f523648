//! Runs a folder of conformance cases against the pure crates, the built filter and real Envoy.
//!
//! A case is data: a request, a policy, and what must come of it. This crate translates the policy into the filter's
//! configuration, plays the request in each layer that can express it, and checks what was observed by the names of the
//! expectations. Whatever it does not know, a kind, a member or an expectation, fails the case: a check that is skipped
//! in silence looks like a check that passed. The alternative, a test function for each case, could not run cases that
//! other people keep.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "cases are JSON values, where all other sorts are one case"
)]

mod body;
mod case;
mod exchange;
mod expect;
mod json_text;
mod kinds;
mod layers;
mod observed;
mod oracle;
mod settings;
mod table;

use std::path::Path;

use anyhow::Result;

pub use layers::Layer;
pub use table::{Row, Status, counts, json, text};

/// Runs the cases of a folder whose id holds `only` in these layers. Each row is told as it comes.
///
/// # Errors
///
/// When the folder holds no cases, or a layer cannot be started at all.
pub fn run(
    folder: &Path,
    layers: &[Layer],
    only: &str,
    mut on_row: impl FnMut(&Row),
) -> Result<Vec<Row>> {
    let cases = case::load(folder)?;
    let mut rows = Vec::new();
    let mut hosts = layers.iter().map(|layer| layers::start(*layer)).collect::<Result<Vec<_>>>()?;
    let chosen = |case: &Result<case::Case, (String, String)>| match case {
        Ok(case) => case.id.contains(only),
        Err((name, _)) => name.contains(only),
    };
    for case in cases.iter().filter(|case| chosen(case)) {
        for host in &mut hosts {
            let row = match case {
                Ok(case) => kinds::run(case, host.as_mut()),
                Err((name, error)) => Row::unreadable(name, host.layer(), error),
            };
            on_row(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}
