//! What a daemon that is absent, slow, failing or killed does to traffic, through the real Envoy.
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use e2e::samples::chat;
use e2e::stub::Behaviour;
use e2e::{Daemon, DaemonKind, Framing, Reply, Request, Seen, Stack, StackSetup, Step};
use forebay_proto::v1::Failure;
use rustix::process::Signal;
use serde_json::json;
use tonic::Code;

/// What fails at once has to end within this. Far below every timeout here, far above a loaded machine's delays.
const AT_ONCE: Duration = Duration::from_secs(3);

fn question() -> Request {
    chat("How do I keep basil green?", false)
}

async fn closed(daemon: DaemonKind, timeout_ms: u64) -> Result<Stack> {
    let setup = StackSetup::new(daemon)?;
    setup.filter(|config| config["daemon"]["timeout_ms"] = timeout_ms.into())?.start().await
}

async fn open(daemon: DaemonKind, timeout_ms: u64) -> Result<Stack> {
    let setup = StackSetup::new(daemon)?.filter(|config| {
        config["daemon"]["timeout_ms"] = timeout_ms.into();
        for signal in ["jailbreak", "pii", "domain"] {
            config["signals"][signal]["on_failure"] = "open".into();
        }
    });
    setup?.start().await
}

fn assert_refused(reply: &Reply, seen: &[Seen], reason: &str) -> Result<()> {
    assert_eq!(reply.status, 503, "{}", reply.text());
    assert!(reply.header("retry-after").is_some(), "{:?}", reply.headers);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let error = &reply.json()?["error"];
    assert!(error["message"].is_string() && error["type"].is_string(), "{error}");
    assert!(error["code"].as_str().is_some_and(|code| code.contains(reason)), "{error}");
    assert!(seen.is_empty(), "the upstream was called");
    Ok(())
}

fn assert_tagged(reply: &Reply, seen: &[Seen], sent: &Request, reason: &str) -> Result<()> {
    assert_eq!(reply.status, 200, "{}", reply.text());
    let seen = seen.first().context("the upstream was not called")?;
    for found in [reply.header("x-forebay-verdict"), seen.header("x-forebay-verdict")] {
        assert_eq!(found, Some("unscreened"));
    }
    let told = seen.header("x-forebay-unscreened").unwrap_or_default();
    assert!(told.contains(reason), "`{told}` does not name {reason}");
    let Some(Step::Data(body)) = sent.steps.first() else { anyhow::bail!("no body sent") };
    assert_eq!(&seen.body, body);
    Ok(())
}

async fn metric(stack: &Stack, name: &str, label: &str) -> Result<u64> {
    let text = stack.envoy.prometheus().await?;
    let found = text.lines().find(|line| line.starts_with(name) && line.contains(label));
    found.map_or(Ok(0), |line| Ok(line.rsplit(' ').next().unwrap_or_default().parse()?))
}

/// A daemon that is asked and does not answer yet.
async fn wait_until_asked(stack: &Stack) -> Result<()> {
    for _ in 0..500 {
        if !stack.stub()?.take().is_empty() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    anyhow::bail!("the daemon was not asked")
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_daemon_requests_are_refused_at_once_and_counted() -> Result<()> {
    let stack = closed(DaemonKind::Absent, 5000).await?;
    let (reply, seen) = stack.send(&question()).await?;
    assert_refused(&reply, &seen, "daemon_unavailable")?;
    assert!(reply.elapsed < AT_ONCE, "{:?}", reply.elapsed);
    let label = r#"reason="daemon_unavailable""#;
    assert_eq!(metric(&stack, "forebay_filter_unscreened_total", label).await?, 1);
    let line = stack.envoy.access_line(0).await.context("the access log has no line")?;
    assert_eq!(line["status"], json!(503), "{line}");
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn in_open_mode_requests_go_on_and_say_that_they_were_not_screened() -> Result<()> {
    let stack = open(DaemonKind::Absent, 5000).await?;
    let request = question();
    let (reply, seen) = stack.send(&request).await?;
    assert_tagged(&reply, &seen, &request, "daemon_unavailable")?;
    assert!(reply.elapsed < AT_ONCE, "{:?}", reply.elapsed);
    let label = r#"reason="daemon_unavailable""#;
    assert_eq!(metric(&stack, "forebay_filter_unscreened_total", label).await?, 1);
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_comes_back_is_used_without_a_restart() -> Result<()> {
    let mut stack = closed(DaemonKind::Absent, 5000).await?;
    assert_eq!(stack.send(&question()).await?.0.status, 503);
    stack.replace_daemon(DaemonKind::Stub).await?;
    // Envoy connects anew at the next call; a refused connection is not remembered for long.
    let mut reply = stack.send(&question()).await?.0;
    for _ in 0..50 {
        if reply.status == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        reply = stack.send(&question()).await?.0;
    }
    assert_eq!(reply.header("x-forebay-verdict"), Some("allow"));
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_daemon_is_given_up_after_the_timeout_and_its_call_is_dropped() -> Result<()> {
    for mode in ["closed", "open"] {
        let stack = match mode {
            "closed" => closed(DaemonKind::Stub, 400).await?,
            _ => open(DaemonKind::Stub, 400).await?,
        };
        stack.stub()?.behave(Behaviour { delay: Duration::from_secs(30), ..Behaviour::default() });
        let request = question();
        let (reply, seen) = stack.send(&request).await?;
        match mode {
            "closed" => assert_refused(&reply, &seen, "daemon_timeout")?,
            _ => assert_tagged(&reply, &seen, &request, "daemon_timeout")?,
        }
        // Envoy's timers count from the time its event loop last looked, some milliseconds before the call.
        assert!(
            (Duration::from_millis(300)..AT_ONCE).contains(&reply.elapsed),
            "{:?}",
            reply.elapsed
        );
        for _ in 0..100 {
            if stack.stub()?.dropped() == 1 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(stack.stub()?.dropped(), 1, "the daemon still works on what nobody waits for");
        stack.stop().await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_dies_in_the_middle_of_a_call_ends_it_at_once() -> Result<()> {
    let mut stack = closed(DaemonKind::Stub, 30_000).await?;
    stack.stub()?.behave(Behaviour { delay: Duration::from_secs(60), ..Behaviour::default() });
    let client = stack.http1();
    let waiting = tokio::spawn(async move { client.send(&question()).await });
    wait_until_asked(&stack).await?;
    let killed = std::time::Instant::now();
    stack.replace_daemon(DaemonKind::Absent).await?;
    let reply = waiting.await??;
    assert_refused(&reply, &stack.upstreams.take(), "daemon_unavailable")?;
    assert!(killed.elapsed() < AT_ONCE, "{:?}", killed.elapsed());
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_real_daemon_killed_in_the_middle_of_a_call_ends_it_at_once() -> Result<()> {
    let mut stack = closed(DaemonKind::Inferd, 30_000).await?;
    assert_ne!(stack.send(&question()).await?.0.status, 503, "it works before");
    let Daemon::Inferd(inferd) = &mut stack.daemon else { anyhow::bail!("no inferd") };
    // Stopped, it takes the call and does not answer: then it is killed for certain in the middle.
    inferd.process().signal(Signal::STOP)?;
    let client = stack.http1();
    let waiting = tokio::spawn(async move { client.send(&question()).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    ensure!(!waiting.is_finished(), "the call did not wait for the daemon");
    let killed = std::time::Instant::now();
    stack.replace_daemon(DaemonKind::Absent).await?;
    let reply = waiting.await??;
    assert_eq!(reply.status, 503, "{}", reply.text());
    assert!(killed.elapsed() < AT_ONCE, "{:?}", killed.elapsed());
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_daemon_or_classifier_is_never_taken_for_a_clean_bill() -> Result<()> {
    let stack = closed(DaemonKind::Stub, 5000).await?;
    let status = |code| Behaviour { status: Some(code), ..Behaviour::default() };
    let failure = |failure| Behaviour { failure: Some(failure), ..Behaviour::default() };
    for (behaviour, reason) in [
        (status(Code::ResourceExhausted), "daemon_overloaded"),
        (status(Code::Internal), "daemon_error"),
        (failure(Failure::NoModel), "classifier_failed"),
        (failure(Failure::NotFinite), "classifier_failed"),
        (Behaviour { truncated: true, ..Behaviour::default() }, "truncated"),
    ] {
        stack.stub()?.behave(behaviour);
        let (reply, seen) = stack.send(&question()).await?;
        assert_refused(&reply, &seen, reason)?;
    }
    stack.stub()?.behave(Behaviour::default());
    assert_eq!(stack.send(&question()).await?.0.status, 200, "and then it works again");
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_breaks_off_cancels_its_call_and_hurts_nobody() -> Result<()> {
    let stack = closed(DaemonKind::Stub, 30_000).await?;
    stack.stub()?.behave(Behaviour { delay: Duration::from_secs(60), ..Behaviour::default() });
    // The whole body has been sent: the request waits for its verdict when the client goes.
    let mut request = question();
    request.steps.push(Step::Wait(Duration::from_millis(500)));
    request.steps.push(Step::Reset);
    assert!(stack.http1().send(&request).await.is_err());
    wait_until_asked(&stack).await?;
    for _ in 0..150 {
        if stack.stub()?.dropped() == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(stack.stub()?.dropped(), 1, "the call was not cancelled");
    // And one that breaks off in the middle of its body.
    request.framing = Framing::Open;
    assert!(stack.http2().send(&request).await.is_err());
    assert!(stack.stub()?.take().is_empty());
    stack.stub()?.behave(Behaviour::default());
    let (reply, _) = stack.send(&question()).await?;
    assert_eq!(reply.header("x-forebay-verdict"), Some("allow"));
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn under_load_with_a_failing_daemon_every_request_is_answered() -> Result<()> {
    let mut stack = closed(DaemonKind::Stub, 2000).await?;
    stack.stub()?.behave(Behaviour { delay: Duration::from_millis(50), ..Behaviour::default() });
    let client = stack.http1();
    let tasks: Vec<_> = (0..64)
        .map(|_| {
            tokio::spawn(async move {
                let mut statuses = Vec::new();
                for _ in 0..5 {
                    statuses.push(client.send(&question()).await.map(|reply| reply.status));
                }
                statuses
            })
        })
        .collect();
    wait_until_asked(&stack).await?;
    stack.replace_daemon(DaemonKind::Absent).await?;
    stack.replace_daemon(DaemonKind::Stub).await?;
    let mut answered = 0;
    for task in tasks {
        for status in task.await? {
            let status = status?;
            assert!(status == 200 || status == 503, "{status}");
            answered += 1;
        }
    }
    assert_eq!(answered, 320);
    stack.stop().await
}
