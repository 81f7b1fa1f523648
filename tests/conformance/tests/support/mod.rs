//! What both runs of the cases share.
//!
//! They are programs of their own, since the pure layer counts what the whole process has allocated.
#![allow(clippy::print_stdout, reason = "the table is the report")]
#![allow(unreachable_pub, reason = "a module of two test programs")]

use std::path::Path;

use anyhow::Result;
use conformance::{Layer, Status};

/// The public cases, and those of this repository.
const FOLDERS: [&str; 2] = ["cases", "own-cases"];

/// Cases that do not hold yet, by layer, with the cause. Any other failure fails the test, and so does one of these that holds.
const OPEN: [(&str, &str, &str); 0] = [];

/// Runs all cases in these layers and tells which fail that should not, or hold that are listed as open.
///
/// # Errors
///
/// When a folder holds no cases, or a layer cannot be started at all.
pub fn surprises(layers: &[Layer]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data").join(folder);
        let rows = conformance::run(&folder, layers, "", |_| {})?;
        println!("{}", conformance::text(&rows));
        for row in &rows {
            let is_open = OPEN.iter().any(|(id, l, _)| *id == row.id && *l == row.layer.name());
            if is_open != (row.status == Status::Fail) {
                found.push(format!("{} {} {}", row.status.name(), row.layer.name(), row.id));
            }
        }
    }
    Ok(found)
}
