//! What the daemon does when nobody asks anything, and what it goes by.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use inferd::server::Client;

use crate::support::{Result, all, fixture};

/// Killed when dropped.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// CPU time of all threads of a process.
fn cpu(pid: u32) -> Result<Duration> {
    let mut nanos = 0;
    for task in std::fs::read_dir(format!("/proc/{pid}/task"))? {
        let text = std::fs::read_to_string(task?.path().join("schedstat"))?;
        nanos += text.split(' ').next().ok_or("schedstat")?.parse::<u64>()?;
    }
    Ok(Duration::from_nanos(nanos))
}

/// A daemon with the tiny model that serves.
async fn start(socket: &Path) -> Result<Daemon> {
    let child = Command::new(env!("CARGO_BIN_EXE_inferd"))
        .args(["serve", "--admin", "off", "--socket"])
        .arg(socket)
        .arg("--model")
        .arg(fixture())
        .stderr(Stdio::null())
        .spawn()?;
    let daemon = Daemon(child);
    for _ in 0..3000 {
        if socket.exists() {
            return Ok(daemon);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Err("the daemon never listened".into())
}

fn resident_kib(pid: u32) -> Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// The short form of `cargo xtask bench serve --memory 100000`.
#[tokio::test]
async fn memory_does_not_grow_with_requests() -> Result {
    let dir = tempfile::tempdir()?;
    let socket = dir.path().join("s");
    let daemon = start(&socket).await?;
    let client = Client::connect(&socket).await?;
    let mut after = Vec::new();
    for round in 0..3 {
        for i in 0..500_usize {
            let words = [1, 3, 10, 30, 60][i % 5] * (1 + i % 7);
            let text = format!("{round} {i} {}", "word ".repeat(words));
            client.classify(all(&[&text]), None).await?;
        }
        after.push(resident_kib(daemon.0.id())?);
    }
    // The first round fills the allocator's arenas.
    assert!(after[2] < after[1] + 4096, "{after:?} KiB after each 500 requests");
    Ok(())
}

#[tokio::test]
async fn an_idle_daemon_uses_no_cpu() -> Result {
    let dir = tempfile::tempdir()?;
    let daemon = start(&dir.path().join("s")).await?;
    // What is left of the start.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let before = cpu(daemon.0.id())?;
    let idle = Duration::from_secs(3);
    tokio::time::sleep(idle).await;
    let used = cpu(daemon.0.id())?.saturating_sub(before);
    assert!(used < idle / 100, "{used:?} of CPU in {idle:?} of rest");
    Ok(())
}

/// The code of the daemon, by file.
fn sources() -> Result<Vec<(std::path::PathBuf, String)>> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path)?;
                files.push((path, text));
            }
        }
    }
    assert!(files.len() > 30, "{}", files.len());
    Ok(files)
}

/// Clocks that people can set jump. Deadlines, waits, timings and health go by the monotonic clock; only spans, which are told to others,
/// carry the time of day, and the cache of graphs compares the ages of its files.
#[test]
fn nothing_is_decided_by_the_time_of_day() -> Result {
    for (path, text) in sources()? {
        let may = path.ends_with("traces.rs") || path.ends_with("backend/ort/cache.rs");
        assert!(may || !text.contains("SystemTime"), "{} reads the time of day", path.display());
    }
    Ok(())
}

#[test]
fn no_queue_is_without_a_bound() -> Result {
    for (path, text) in sources()? {
        for word in ["unbounded_channel", "mpsc::channel()", "UnboundedSender"] {
            assert!(!text.contains(word), "{}: {word}", path.display());
        }
    }
    Ok(())
}

/// A daemon whose time of day jumps by months at each look answers within deadlines of seconds, and drains.
#[cfg(target_arch = "x86_64")]
#[tokio::test]
async fn a_time_of_day_that_jumps_harms_nobody() -> Result {
    let dir = tempfile::tempdir()?;
    let library = dir.path().join("libjumping_clock.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/jumping_clock.rs");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(compiler)
        .args(["--edition", "2024", "--crate-type", "cdylib", "-C", "panic=abort", "-o"])
        .args([&library, &source])
        .status()?;
    assert!(compiled.success(), "{compiled}");

    let (socket, log) = (dir.path().join("s"), dir.path().join("log"));
    let child = Command::new(env!("CARGO_BIN_EXE_inferd"))
        .args(["serve", "--admin", "off", "--log-format", "json", "--socket"])
        .arg(&socket)
        .arg("--model")
        .arg(fixture())
        .env("LD_PRELOAD", &library)
        .stderr(std::fs::File::create(&log)?)
        .spawn()?;
    let mut daemon = Daemon(child);
    for _ in 0..3000 {
        if socket.exists() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let client = Client::connect(&socket).await?;
    for i in 0..100 {
        let text = format!("{i} Alice and the integral");
        let answer = client.classify(all(&[&text]), Some(Duration::from_secs(10))).await?;
        let timings = answer.timings.unwrap_or_default();
        let spent = timings.queue_us + timings.tokenise_us + timings.run_us + timings.decode_us;
        assert!(spent < 10_000_000, "{timings:?}");
    }
    assert!(client.is_serving("").await?);
    drop(client);
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&daemon.0),
        rustix::process::Signal::TERM,
    )?;
    assert_eq!(daemon.0.wait()?.code(), Some(0));
    let months: std::collections::BTreeSet<String> = std::fs::read_to_string(&log)?
        .lines()
        .filter_map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).ok()?;
            Some(line["timestamp"].as_str()?.get(..7)?.to_owned())
        })
        .collect();
    assert!(months.len() > 1, "the clock did not jump: {months:?}");
    Ok(())
}
