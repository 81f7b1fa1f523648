//! Virtual environments with pinned packages, made when first asked for and kept beside the built programs.
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// An environment with these packages; its python.
pub(crate) fn python(name: &str, packages: &[&str]) -> Result<PathBuf> {
    let this = std::env::current_exe()?;
    let home = this.parent().unwrap_or(Path::new(".")).join("bench-peers").join(name);
    let python = home.join("bin/python");
    let stamp = home.join("stamp");
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(python);
    }
    eprintln!("peers: installing {} into {}", packages.join(", "), home.display());
    let _removed = std::fs::remove_dir_all(&home);
    run(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
    run(Command::new(&python)
        .args([
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
            // Some peers have no wheel.
            "--prefer-binary",
        ])
        .args(packages))?;
    std::fs::write(stamp, wanted)?;
    Ok(python)
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("{command:?}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let last: Vec<&str> = said.lines().rev().take(3).collect();
    ensure!(output.status.success(), "{command:?}: {}: {}", output.status, last.join(" / "));
    Ok(())
}

/// The folder of the peers' scripts.
pub(crate) fn script(name: &str) -> PathBuf {
    crate::root().join("benches/peers").join(name)
}

/// Runs a script on a task, both JSON files.
pub(super) fn ask(python: &Path, name: &str, task: &Value) -> Result<Value> {
    let folder = tempfile::tempdir()?;
    let (source, target) = (folder.path().join("task.json"), folder.path().join("answer.json"));
    std::fs::write(&source, task.to_string())?;
    run(Command::new(python).arg(script(name)).arg(&source).arg(&target))?;
    Ok(serde_json::from_str(&std::fs::read_to_string(&target)?)?)
}
