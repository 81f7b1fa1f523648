//! The daemon is replaced by another process while requests flow through the real Envoy.
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use e2e::samples::chat;
use e2e::{Daemon, DaemonKind, Inferd, Parts, StackSetup};

/// How many answers prove that requests flow.
const ENOUGH: usize = 12;

/// Waits until `answered` has grown by [`ENOUGH`].
async fn flow(answered: &AtomicUsize) -> Result<()> {
    let target = answered.load(Ordering::SeqCst) + ENOUGH;
    for _ in 0..6000 {
        if answered.load(Ordering::SeqCst) >= target {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    anyhow::bail!("requests do not flow")
}

fn inode(socket: &Path) -> Result<u64> {
    Ok(std::fs::metadata(socket)?.ino())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_of_the_daemon_under_load_loses_no_request() -> Result<()> {
    let setup = StackSetup::new(DaemonKind::Inferd)?;
    // A request that the daemon does not screen is refused, and so seen.
    let setup = setup.filter(|config| {
        config["daemon"]["timeout_ms"] = 30_000.into();
        for signal in ["jailbreak", "pii", "domain"] {
            config["signals"][signal]["on_failure"] = "closed".into();
        }
    })?;
    let mut stack = setup.start().await?;
    let (stop, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let load: Vec<_> = [stack.http1(), stack.http2(), stack.http1(), stack.http2()]
        .into_iter()
        .map(|client| {
            let (stop, answered) = (Arc::clone(&stop), Arc::clone(&answered));
            tokio::spawn(async move {
                while !stop.load(Ordering::SeqCst) {
                    let reply = client.send(&chat("How do I keep basil green?", false)).await?;
                    ensure!(reply.status == 200, "{}: {}", reply.status, reply.text());
                    let verdict = reply.header("x-forebay-verdict").unwrap_or_default();
                    ensure!(verdict != "unscreened", "a request was not screened");
                    answered.fetch_add(1, Ordering::SeqCst);
                }
                anyhow::Ok(())
            })
        })
        .collect();
    flow(&answered).await?;
    // Twice: the second time the socket is one that was renamed over another.
    for round in ["second", "third"] {
        let folder = stack.folder().join(round);
        std::fs::create_dir(&folder)?;
        let before = inode(stack.socket())?;
        let new = Inferd::start(&Parts::locate(), stack.socket(), &folder).await?;
        // Until it is warm the old daemon answers, for it as well.
        for _ in 0..6000 {
            if inode(stack.socket())? != before {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        ensure!(inode(stack.socket())? != before, "the new daemon never took the socket over");
        flow(&answered).await?;
        let Daemon::Inferd(old) = std::mem::replace(&mut stack.daemon, Daemon::Inferd(new)) else {
            anyhow::bail!("another daemon ran");
        };
        old.stop().await.context("the old daemon")?;
        flow(&answered).await?;
    }
    stop.store(true, Ordering::SeqCst);
    for task in load {
        task.await??;
    }
    stack.stop().await
}
