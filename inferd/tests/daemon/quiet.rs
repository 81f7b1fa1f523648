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

/// Clocks that people can set jump. Deadlines, waits, timings and health go by the monotonic clock; only spans, which are told to others,
/// carry the time of day.
#[test]
fn nothing_is_decided_by_the_time_of_day() -> Result {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            let text = std::fs::read_to_string(&path)?;
            let may = path.ends_with("traces.rs");
            assert!(
                may || !text.contains("SystemTime"),
                "{} reads the time of day",
                path.display()
            );
        }
    }
    assert!(files > 30, "{files}");
    Ok(())
}
