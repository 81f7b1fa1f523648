//! Faults of a node: what is at the socket's path, the daemon's configuration, its models, its library, its threads.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Result, Told, doctor, shipped_text, tiny, written};

/// A folder that others may search, as `/run/forebay` is.
fn folder() -> Result<tempfile::TempDir> {
    let dir = tempfile::tempdir()?;
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755))?;
    Ok(dir)
}

fn at_socket(path: &Path, more: &[&str]) -> Result<Told> {
    let path = path.display().to_string();
    doctor(&[&["--socket", &path], more].concat())
}

#[test]
fn each_fault_of_the_socket_is_found_and_nothing_else() -> Result {
    let dir = folder()?;
    let path = dir.path().join("inferd.sock");

    let told = at_socket(&path, &[])?;
    assert_eq!((told.code, told.ids()), (1, vec!["socket.absent"]));
    assert_eq!(told.only("found"), "nothing there");
    let told = at_socket(&dir.path().join("no/inferd.sock"), &[])?;
    assert_eq!(told.ids(), ["socket.absent"]);
    assert!(told.only("found").contains("/no is not there"), "{}", told.only("found"));

    std::fs::write(&path, "")?;
    assert_eq!(at_socket(&path, &[])?.ids(), ["socket.not_a_socket"]);
    std::fs::remove_file(&path)?;

    drop(UnixListener::bind(&path)?);
    assert_eq!(at_socket(&path, &[])?.ids(), ["socket.stale"]);
    std::fs::remove_file(&path)?;

    // It accepts and never says a word.
    let silent = UnixListener::bind(&path)?;
    let told = at_socket(&path, &[])?;
    assert_eq!(told.ids(), ["daemon.not_serving"]);
    drop(silent);

    let long = dir.path().join("x".repeat(108));
    assert_eq!(at_socket(&long, &[])?.ids(), ["socket.path_too_long"]);
    Ok(())
}

/// A daemon of its own on a socket, ended with the value.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[allow(clippy::disallowed_methods, reason = "another process gives no event to wait on")]
fn start(config: &str, socket: &Path) -> Result<Daemon> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_inferd"));
    command.args(["serve", "--config", config, "--admin", "off"]);
    let daemon = Daemon(command.stdin(Stdio::null()).stderr(Stdio::null()).spawn()?);
    let begun = Instant::now();
    while !socket.exists() {
        if begun.elapsed() > Duration::from_secs(60) {
            return Err("the daemon does not come up".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(daemon)
}

fn config(dir: &Path, socket: &Path, model: &Path, more: &str) -> Result<String> {
    let text = format!(
        "socket: {{path: {}, mode: \"0660\"}}\nmodels: [{}]\n{more}",
        socket.display(),
        model.display()
    );
    written(dir, "inferd.yaml", &text)
}

#[test]
fn a_healthy_node_gives_nothing_and_a_user_who_may_not_connect_is_found() -> Result {
    let dir = folder()?;
    let socket = dir.path().join("inferd.sock");
    let file = config(dir.path(), &socket, &tiny(), "")?;
    let _daemon = start(&file, &socket)?;
    let owner = std::fs::metadata(&socket)?;
    // Another user of the socket's group, and one of no group of its.
    let (member, stranger) = (format!("4242:4242,{}", owner.gid()), "4242:4242".to_owned());
    let envoy = shipped_text()?.replace("/run/forebay/inferd.sock", &socket.display().to_string());
    let envoy = written(dir.path(), "envoy.yaml", &envoy)?;
    let told = doctor(&["--config", &file, "--bootstrap", &envoy, "--envoy-user", &member])?;
    assert_eq!((told.code, told.ids()), (0, vec![]), "{:#}", told.report);
    assert!(told.report["checked"].to_string().contains("serves"));

    let told = doctor(&["--config", &file, "--envoy-user", &stranger])?;
    assert_eq!(told.ids(), ["socket.permission"]);
    assert!(
        told.only("found").contains("may not write to it (mode 0660"),
        "{}",
        told.only("found")
    );

    std::fs::set_permissions(&socket, std::fs::Permissions::from_mode(0o600))?;
    assert_eq!(doctor(&["--config", &file, "--envoy-user", &member])?.ids(), ["socket.permission"]);
    std::fs::set_permissions(&socket, std::fs::Permissions::from_mode(0o666))?;
    assert_eq!(doctor(&["--config", &file, "--envoy-user", &stranger])?.ids(), Vec::<&str>::new());

    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o700))?;
    let told = doctor(&["--config", &file, "--envoy-user", &stranger])?;
    assert_eq!(told.ids(), ["socket.permission"]);
    assert!(told.only("found").contains("may not search"), "{}", told.only("found"));
    Ok(())
}

#[test]
fn two_sides_that_do_not_fit_are_found() -> Result {
    let dir = folder()?;
    let socket = dir.path().join("inferd.sock");
    let file = config(dir.path(), &socket, &tiny(), "limits: {max_message_bytes: 4194304}\n")?;
    let _daemon = start(&file, &socket)?;
    let same = shipped_text()?.replace("/run/forebay/inferd.sock", &socket.display().to_string());
    let same = written(dir.path(), "envoy.yaml", &same)?;
    let told = doctor(&["--config", &file, "--bootstrap", &same])?;
    assert_eq!(told.ids(), ["daemon.message_limit"], "{:#}", told.report);
    let file = config(dir.path(), &socket, &tiny(), "")?;
    let other = written(dir.path(), "envoy.yaml", &shipped_text()?)?;
    let told = doctor(&["--config", &file, "--bootstrap", &other])?;
    assert_eq!(told.ids(), ["socket.mismatch"]);
    Ok(())
}

fn copy_model(dir: &Path) -> Result<PathBuf> {
    let copy = dir.join("model");
    std::fs::create_dir_all(&copy)?;
    for name in ["model.onnx", "tokenizer.json", "manifest.json"] {
        std::fs::copy(tiny().join(name), copy.join(name))?;
    }
    Ok(copy)
}

/// The faults of what the configuration names; only the socket is absent besides.
#[test]
fn each_fault_of_the_daemons_side_is_found_and_nothing_else() -> Result {
    let dir = folder()?;
    let socket = dir.path().join("inferd.sock");
    let expect = |file: &str, id: &str, found: &str| -> Result {
        let told = doctor(&["--config", file])?;
        let ids: Vec<_> = told.ids().into_iter().filter(|id| *id != "socket.absent").collect();
        assert_eq!(ids, [id], "{:#}", told.report);
        assert!(told.report["findings"].to_string().contains(found), "{:#} / {found}", told.report);
        Ok(())
    };

    let nowhere = dir.path().join("nowhere");
    expect(&config(dir.path(), &socket, &nowhere, "")?, "model.missing", "nowhere/manifest.json")?;

    let model = copy_model(dir.path())?;
    std::fs::remove_file(model.join("model.onnx"))?;
    expect(&config(dir.path(), &socket, &model, "")?, "model.missing", "model.onnx")?;

    let model = copy_model(dir.path())?;
    std::fs::write(model.join("model.onnx"), "version https://git-lfs.github.com/spec/v1\n")?;
    expect(&config(dir.path(), &socket, &model, "")?, "model.digest", "sha256 is")?;

    let model = copy_model(dir.path())?;
    let mut manifest: Value = serde_json::from_slice(&std::fs::read(model.join("manifest.json"))?)?;
    manifest["max_tokens"] = 0.into();
    std::fs::write(model.join("manifest.json"), manifest.to_string())?;
    expect(&config(dir.path(), &socket, &model, "")?, "model.invalid", "max_tokens")?;

    let threads = "runtime: {intra_threads: 1024}\n";
    expect(
        &config(dir.path(), &socket, &tiny(), threads)?,
        "runtime.threads",
        "1024 threads each",
    )?;

    let library = "runtime: {library: /nowhere/libonnxruntime.so}\n";
    let file = config(dir.path(), &socket, &tiny(), library)?;
    let told = without_environment(&file)?;
    assert!(
        told.contains("runtime.missing") && told.contains("/nowhere/libonnxruntime.so"),
        "{told}"
    );

    expect(
        &config(dir.path(), &socket, &tiny(), "limits: {drain_m: 5}\n")?,
        "daemon.config",
        "drain_ms",
    )?;

    let long = dir.path().join("x".repeat(100));
    expect(&config(dir.path(), &long, &tiny(), "")?, "socket.path_too_long", "bytes")?;
    Ok(())
}

/// The report for a configuration, with no library named by the environment.
fn without_environment(config: &str) -> Result<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_inferd"))
        .args(["doctor", "--config", config])
        .env_remove("FOREBAY_ORT_LIB")
        .env_remove("ORT_DYLIB_PATH")
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A library with ONNX Runtime's entry point that calls itself 1.17 and knows no newer interface, and one that is something else.
#[test]
fn a_library_of_the_wrong_version_or_kind_is_found() -> Result {
    let dir = folder()?;
    let source = r#"
        typedef struct { const void *(*get_api)(unsigned); const char *(*get_version)(void); } Base;
        static const void *get_api(unsigned version) { return version <= 17 ? (const void *)&get_api : 0; }
        static const char *get_version(void) { return "1.17.3"; }
        static const Base base = { get_api, get_version };
        const Base *OrtGetApiBase(void) { return &base; }
    "#;
    let old = dir.path().join("old.so");
    let other = dir.path().join("other.so");
    for (text, library) in [(source, &old), ("int nothing(void) { return 0; }", &other)] {
        let c = written(dir.path(), "library.c", text)?;
        let built =
            Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(library).arg(c).status()?;
        assert!(built.success(), "cc");
    }
    let not_a_library = PathBuf::from(written(dir.path(), "text.so", "not a library")?);
    for library in [old, other, not_a_library] {
        let more = format!("runtime: {{library: {}}}\n", library.display());
        let file = config(dir.path(), &dir.path().join("inferd.sock"), &tiny(), &more)?;
        let told = without_environment(&file)?;
        assert!(told.contains("runtime.unusable") && !told.contains("runtime.missing"), "{told}");
        assert!(told.contains(&library.display().to_string()), "{told}");
    }
    Ok(())
}
