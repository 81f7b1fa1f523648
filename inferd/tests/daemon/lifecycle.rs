//! Reloads, upgrades, providers, and files that change under a daemon's feet.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::{
    JAILBREAK, Result, all, config, fixture, onnx_runtime, request, session_options,
};
use forebay_proto::v1;
use inferd::backend::fake::FakeRuntime;
use inferd::backend::ort::OrtRuntime;
use inferd::backend::{Provider, Runtime};
use inferd::config::Config;
use inferd::daemon::Daemon;
use inferd::server::Client;
use rustix::process::{Pid, Signal, kill_process};

/// A copy of the tiny model whose manifest can be changed.
fn copy_model(dir: &Path, edit: impl FnOnce(&mut serde_json::Value)) -> Result {
    for name in ["model.onnx", "tokenizer.json"] {
        std::fs::copy(fixture().join(name), dir.join(name))?;
    }
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(fixture().join("manifest.json"))?)?;
    edit(&mut manifest);
    Ok(std::fs::write(dir.join("manifest.json"), manifest.to_string())?)
}

async fn jailbreak(client: &Client) -> Result<v1::SignalResult> {
    let answer =
        client.classify(request(&["hello"], &[JAILBREAK]), Some(Duration::from_secs(20))).await?;
    answer.results.into_iter().next().ok_or_else(|| "no result".into())
}

#[tokio::test]
async fn a_reload_changes_models_and_thresholds_and_loses_nothing() -> Result {
    let (dir, model) = (tempfile::tempdir()?, tempfile::tempdir()?);
    copy_model(model.path(), |_| {})?;
    let settings = || config(dir.path(), |raw| raw.models = vec![model.path().to_owned()]);
    let mut daemon = Daemon::start(settings()?, onnx_runtime()?).await?;
    let client = Client::connect(&daemon.socket()).await?;
    assert_eq!(jailbreak(&client).await?.model_version, "1");

    let (stop, failures, answered) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicUsize::new(0)),
    );
    let load: Vec<_> = (0..4)
        .map(|_| {
            let (client, stop, failures, answered) =
                (client.clone(), Arc::clone(&stop), Arc::clone(&failures), Arc::clone(&answered));
            tokio::spawn(async move {
                while !stop.load(Ordering::SeqCst) {
                    let good = client
                        .classify(all(&["hello Alice"]), None)
                        .await
                        .is_ok_and(|a| a.results.iter().all(|r| r.failure == 0));
                    if good { &answered } else { &failures }.fetch_add(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    for version in 2..6 {
        copy_model(model.path(), |m| {
            m["version"] = version.to_string().into();
            m["heads"][0]["threshold"] = 0.9.into();
        })?;
        daemon.reload(Ok(settings()?)).await?;
        let result = jailbreak(&client).await?;
        assert_eq!((result.model_version, result.default_threshold), (version.to_string(), 0.9));
    }
    stop.store(true, Ordering::SeqCst);
    for task in load {
        task.await?;
    }
    assert_eq!(failures.load(Ordering::SeqCst), 0);
    assert!(answered.load(Ordering::SeqCst) > 0);
    assert!(daemon.metrics().render().contains("forebay_reloads_total{outcome=\"ok\"} 4"));
    daemon.stop().await?;
    Ok(())
}

#[tokio::test]
async fn a_refused_reload_keeps_the_last_good_models() -> Result {
    let (dir, model) = (tempfile::tempdir()?, tempfile::tempdir()?);
    copy_model(model.path(), |_| {})?;
    let settings = || config(dir.path(), |raw| raw.models = vec![model.path().to_owned()]);
    let mut daemon = Daemon::start(settings()?, onnx_runtime()?).await?;
    let client = Client::connect(&daemon.socket()).await?;
    let onnx = model.path().join("model.onnx");
    let bytes = std::fs::read(&onnx)?;
    let truncated = bytes.get(..bytes.len() / 2).unwrap_or_default();
    // Truncated, replaced by something else, deleted: each is refused with a reason, and the daemon answers as before.
    for content in [Some(truncated), Some(b"not a model".as_slice()), None] {
        match content {
            Some(content) => std::fs::write(&onnx, content)?,
            None => std::fs::remove_file(&onnx)?,
        }
        let error = daemon.reload(Ok(settings()?)).await.err().ok_or("was accepted")?;
        assert!(error.to_string().contains("model.onnx"), "{error}");
        assert_eq!(jailbreak(&client).await?.model_version, "1");
    }
    assert!(daemon.metrics().render().contains("forebay_reloads_total{outcome=\"refused\"} 3"));
    Ok(())
}

#[tokio::test]
async fn a_tokenizer_that_does_not_belong_to_the_model_is_refused() -> Result {
    let (dir, model) = (tempfile::tempdir()?, tempfile::tempdir()?);
    copy_model(model.path(), |m| m["tokenizer_sha256"] = serde_json::Value::Null)?;
    let path = model.path().join("tokenizer.json");
    let mut tokenizer: serde_json::Value = serde_json::from_slice(&std::fs::read(&path)?)?;
    // Ids beyond the model's embedding table.
    let vocabulary = tokenizer["model"]["vocab"].as_array_mut().ok_or("vocab")?;
    for i in 0..200 {
        vocabulary.insert(4, serde_json::json!([format!("filler{i}"), -20.0]));
    }
    std::fs::write(&path, tokenizer.to_string())?;
    let settings = config(dir.path(), |raw| raw.models = vec![model.path().to_owned()])?;
    let error = Daemon::start(settings, onnx_runtime()?).await.err().ok_or("was accepted")?;
    assert!(error.to_string().contains("probe: "), "{error}");
    assert!(!dir.path().join("inferd.sock").exists(), "clients are never let in");
    Ok(())
}

#[tokio::test]
async fn two_folders_for_one_signal_are_refused() -> Result {
    let (dir, model) = (tempfile::tempdir()?, tempfile::tempdir()?);
    copy_model(model.path(), |_| {})?;
    let settings = config(dir.path(), |raw| raw.models = vec![fixture(), model.path().to_owned()])?;
    let error = Daemon::start(settings, onnx_runtime()?).await.err().ok_or("was accepted")?;
    assert!(error.to_string().contains("is served by both"), "{error}");
    Ok(())
}

#[tokio::test]
async fn folders_that_name_one_file_share_its_session() -> Result {
    let dir = tempfile::tempdir()?;
    let mut folders = Vec::new();
    for i in 0..3 {
        let folder = dir.path().join(format!("model-{i}"));
        std::fs::create_dir(&folder)?;
        copy_model(&folder, |m| {
            let head = m["heads"][i].take();
            m["heads"] = serde_json::json!([head]);
        })?;
        if i > 0 {
            for name in ["model.onnx", "tokenizer.json"] {
                std::fs::remove_file(folder.join(name))?;
                std::os::unix::fs::symlink(
                    dir.path().join("model-0").join(name),
                    folder.join(name),
                )?;
            }
        }
        folders.push(folder);
    }
    let running = crate::support::start(onnx_runtime()?, |raw| raw.models = folders).await?;
    let before = running.metric("forebay_batch_rows_sum").unwrap_or(0.0);
    let answer = running.ask(all(&["Alice"])).await?;
    assert!(answer.results.iter().all(|r| r.failure() == v1::Failure::Unspecified));
    assert_eq!(running.metric("forebay_batch_rows_sum"), Some(before + 1.0));
    Ok(())
}

#[tokio::test]
async fn a_model_that_quantises_at_run_time_never_shares_a_batch() -> Result {
    let (dir, model) = (tempfile::tempdir()?, tempfile::tempdir()?);
    copy_model(model.path(), |m| m["sha256"] = serde_json::Value::Null)?;
    // The fake runtime does not read the graph; the operator's name lies across the border of two reads.
    let mut graph = vec![b'x'; (1 << 20) - 5];
    graph.extend(b"DynamicQuantizeLinear");
    std::fs::write(model.path().join("model.onnx"), graph)?;
    let runtime = FakeRuntime::default();
    let script = Arc::clone(&runtime.script);
    let settings = config(dir.path(), |raw| raw.models = vec![model.path().to_owned()])?;
    let daemon = Daemon::start(settings, Arc::new(runtime)).await?;
    let client = Client::connect(&daemon.socket()).await?;
    client.classify(all(&["word ".repeat(300).as_str()]), None).await?;
    let (runs, rows) = (script.runs.load(Ordering::SeqCst), script.rows.load(Ordering::SeqCst));
    assert_eq!(runs, rows);
    assert!(rows > 10, "{rows}");
    Ok(())
}

#[tokio::test]
async fn a_missing_provider_is_an_error_unless_a_fallback_is_allowed() -> Result {
    let library = std::env::var_os("FOREBAY_ORT_LIB").ok_or("FOREBAY_ORT_LIB")?;
    for provider in [Provider::Cuda, Provider::Rocm, Provider::Migraphx] {
        let open = |allow_fallback| -> Result<Arc<dyn Runtime>> {
            let options =
                inferd::backend::ort::Options { provider, allow_fallback, ..session_options() };
            Ok(Arc::new(OrtRuntime::load(Path::new(&library), options)?))
        };
        let dir = tempfile::tempdir()?;
        let error = Daemon::start(config(dir.path(), |_| {})?, open(false)?)
            .await
            .err()
            .ok_or("was accepted")?;
        assert!(
            error.to_string().contains(&format!("provider {} cannot run it", provider.name())),
            "{error}"
        );
        let running = crate::support::start(open(true)?, |_| {}).await?;
        running.ask(all(&["hello"])).await?;
        assert_eq!(running.metric("forebay_provider_fallbacks_total"), Some(1.0));
    }
    Ok(())
}

#[tokio::test]
async fn an_upgrade_under_load_loses_no_request() -> Result {
    let dir = tempfile::tempdir()?;
    let settings = || -> Result<Config> { config(dir.path(), |_| {}) };
    let old = Daemon::start(settings()?, onnx_runtime()?).await?;
    let socket = old.socket();
    let (stop, failed, answered) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicUsize::new(0)),
    );
    let load: Vec<_> = (0..4)
        .map(|_| {
            let (socket, stop, failed, answered) =
                (socket.clone(), Arc::clone(&stop), Arc::clone(&failed), Arc::clone(&answered));
            tokio::spawn(async move {
                while !stop.load(Ordering::SeqCst) {
                    // A connection for each request, as after a GOAWAY.
                    let asked = async {
                        Client::connect(&socket).await?.classify(all(&["hello"]), None).await
                    };
                    if asked.await.is_ok() { &answered } else { &failed }
                        .fetch_add(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    let target = |n: usize| {
        let answered = Arc::clone(&answered);
        move || answered.load(Ordering::SeqCst) >= n
    };
    crate::support::eventually("requests flow", target(50)).await?;
    let new = Daemon::start(settings()?, onnx_runtime()?).await?;
    let so_far = answered.load(Ordering::SeqCst);
    crate::support::eventually("they reach the new daemon", target(so_far + 50)).await?;
    old.stop().await?;
    let so_far = answered.load(Ordering::SeqCst);
    crate::support::eventually("they still flow", target(so_far + 50)).await?;
    assert!(socket.exists(), "the old daemon leaves the new one's socket alone");
    stop.store(true, Ordering::SeqCst);
    for task in load {
        task.await?;
    }
    assert_eq!(failed.load(Ordering::SeqCst), 0);
    new.stop().await?;
    assert!(!socket.exists());
    Ok(())
}

#[tokio::test]
async fn thousands_of_connections_do_not_harm_the_others() -> Result {
    let (running, _) = crate::support::start_fake(|raw| raw.limits.max_connections = 16).await?;
    let socket = running.daemon.socket();
    let mut held = Vec::new();
    for i in 0..10_000 {
        // The daemon closes what is above its limit; this side closes too, so that the test needs few descriptors.
        match tokio::net::UnixStream::connect(&socket).await {
            Ok(stream) => held.push(stream),
            Err(error) => return Err(error.into()),
        }
        if held.len() > 64 {
            held.clear();
        }
        if i % 1000 == 0 {
            running.ask(all(&["a"])).await?;
        }
    }
    running.ask(all(&["a"])).await?;
    Ok(())
}

/// A daemon in its own process; killed when dropped.
struct Process {
    child: Child,
    dir: tempfile::TempDir,
}

impl Process {
    fn start(dir: tempfile::TempDir, yaml: &str, stderr: Stdio) -> Result<Self> {
        let file = dir.path().join("inferd.yaml");
        std::fs::write(&file, yaml)?;
        let child = Command::new(env!("CARGO_BIN_EXE_inferd"))
            .args(["serve", "--admin", "off", "--log-format", "json", "--config"])
            .arg(&file)
            .arg("--socket")
            .arg(dir.path().join("s"))
            .stderr(stderr)
            .spawn()?;
        Ok(Self { child, dir })
    }

    fn signal(&self, signal: Signal) -> Result {
        let pid = Pid::from_child(&self.child);
        Ok(kill_process(pid, signal)?)
    }

    async fn client(&self) -> Result<Client> {
        let socket = self.dir.path().join("s");
        for _ in 0..1000 {
            if let Ok(client) = Client::connect(&socket).await {
                return Ok(client);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Err("the daemon never listened".into())
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn logged(dir: &tempfile::TempDir) -> Result<Stdio> {
    Ok(std::fs::File::create(dir.path().join("log"))?.into())
}

#[tokio::test]
async fn a_hang_up_reloads_and_a_bad_file_changes_nothing() -> Result {
    let dir = tempfile::tempdir()?;
    let stderr = logged(&dir)?;
    let model = fixture().display().to_string();
    let mut process = Process::start(dir, &format!("models: [{model}]"), stderr)?;
    let client = process.client().await?;
    assert_eq!(jailbreak(&client).await?.default_threshold, 0.5);
    let file = process.dir.path().join("inferd.yaml");
    std::fs::write(&file, "modells: []")?;
    process.signal(Signal::HUP)?;
    crate::support::eventually("the refusal is logged", || {
        process.log().contains("reload refused")
    })
    .await?;
    assert!(process.log().contains("did you mean `models`?"), "{}", process.log());
    assert_eq!(jailbreak(&client).await?.default_threshold, 0.5);
    std::fs::write(&file, format!("models: [{model}]\nthresholds: {{jailbreak: 0.75}}"))?;
    process.signal(Signal::HUP)?;
    crate::support::eventually("the reload is logged", || process.log().contains("\"reloaded\""))
        .await?;
    assert_eq!(jailbreak(&client).await?.default_threshold, 0.75);
    process.signal(Signal::TERM)?;
    assert_eq!(process.child.wait()?.code(), Some(0), "{}", process.log());
    assert!(!process.dir.path().join("s").exists());
    Ok(())
}

#[tokio::test]
async fn changed_files_are_noticed_without_a_signal() -> Result {
    let dir = tempfile::tempdir()?;
    let stderr = logged(&dir)?;
    let model = fixture().display().to_string();
    let process =
        Process::start(dir, &format!("models: [{model}]\nreload: {{poll_ms: 20}}"), stderr)?;
    let client = process.client().await?;
    std::fs::write(
        process.dir.path().join("inferd.yaml"),
        format!("models: [{model}]\nthresholds: {{jailbreak: 0.25}}\nreload: {{poll_ms: 20}}"),
    )?;
    crate::support::eventually("the reload is logged", || process.log().contains("\"reloaded\""))
        .await?;
    assert_eq!(jailbreak(&client).await?.default_threshold, 0.25);
    Ok(())
}

#[tokio::test]
async fn after_a_kill_the_next_daemon_takes_the_stale_socket_over() -> Result {
    let dir = tempfile::tempdir()?;
    let yaml = format!("models: [{}]", fixture().display());
    let mut first = Process::start(dir, &yaml, Stdio::null())?;
    let client = first.client().await?;
    let under_load =
        tokio::spawn(async move { while client.classify(all(&["hello"]), None).await.is_ok() {} });
    first.child.kill()?;
    first.child.wait()?;
    tokio::time::timeout(Duration::from_secs(10), under_load).await??;
    assert!(first.dir.path().join("s").exists(), "nobody could remove it");
    let dir = std::mem::replace(&mut first.dir, tempfile::tempdir()?);
    let second = Process::start(dir, &yaml, Stdio::null())?;
    let client = second.client().await?;
    jailbreak(&client).await?;
    Ok(())
}

#[tokio::test]
async fn a_full_disk_under_the_log_stops_nothing() -> Result {
    let dir = tempfile::tempdir()?;
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full")?;
    let mut process =
        Process::start(dir, &format!("models: [{}]", fixture().display()), full.into())?;
    let client = process.client().await?;
    jailbreak(&client).await?;
    process.signal(Signal::HUP)?;
    jailbreak(&client).await?;
    process.signal(Signal::TERM)?;
    assert_eq!(process.child.wait()?.code(), Some(0));
    Ok(())
}

#[tokio::test]
async fn the_log_names_requests_and_never_quotes_them() -> Result {
    let dir = tempfile::tempdir()?;
    let stderr = logged(&dir)?;
    let yaml = format!("models: [{}]\nlog: {{level: debug}}", fixture().display());
    let process = Process::start(dir, &yaml, stderr)?;
    let client = process.client().await?;
    client.classify(all(&["my secret words", "ignore Alice"]), None).await?;
    crate::support::eventually("the call is logged", || process.log().contains("\"answered\""))
        .await?;
    let log = process.log();
    let line = log.lines().find(|line| line.contains("\"answered\"")).ok_or("no line")?;
    let line: serde_json::Value = serde_json::from_str(line)?;
    assert_eq!(line["span"]["request_id"], "test", "{line}");
    for word in ["secret", "Alice"] {
        assert!(!log.contains(word), "{log}");
    }
    Ok(())
}

#[tokio::test]
async fn the_load_command_tells_what_a_daemon_does() -> Result {
    let dir = tempfile::tempdir()?;
    let process =
        Process::start(dir, &format!("models: [{}]", fixture().display()), Stdio::null())?;
    process.client().await?;
    let socket = process.dir.path().join("s").display().to_string();
    let bench = |more: &[&str]| {
        let command = ["bench", "--seconds", "1", "--callers", "3", "--words", "40"];
        Command::new(env!("CARGO_BIN_EXE_inferd")).args(command).args(more).output()
    };
    let output = bench(&["--socket", &socket, "--json"])?;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "no progress where there is no terminal: {output:?}");
    let said: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    assert!(said["answered"].as_u64() > Some(0) && said["p50_ms"].as_f64() > Some(0.0), "{said}");
    assert_eq!((&said["shed"], &said["signals_without_answer"]), (&0.into(), &0.into()), "{said}");
    assert!(said["mean_ms"]["run"].as_f64() > Some(0.0), "{said}");
    let output = bench(&["--socket", &socket, "--signal", "pii"])?;
    assert!(String::from_utf8_lossy(&output.stdout).contains("tokens a second"), "{output:?}");
    assert_eq!(bench(&["--socket", "/nowhere/s"])?.status.code(), Some(5));
    Ok(())
}
