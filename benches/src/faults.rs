//! What traffic meets when the daemon is upgraded, killed, stopped, slow, failing or away, and when bodies are bad: through
//! real Envoy under load, how many requests fail, and how many get no answer in time. The tests of `tests/e2e` look at each
//! case more closely; this counts.
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use e2e::stub::Behaviour;
use e2e::{Client, Daemon, DaemonKind, Inferd, Parts, Request, Stack, StackSetup};
use rustix::process::Signal;
use serde_json::json;

use crate::Common;
use crate::report::{Goal, Summary, Table};
use crate::stats::Spread;

/// The filter waits for the daemon at most this long in the benches of faults.
const TIMEOUT: Duration = Duration::from_millis(1000);
/// A request without an answer after this long hangs: the timeout, the filter's second of grace, and room for a loaded machine.
const HANGS_AFTER: Duration = Duration::from_secs(10);
const CLIENTS: usize = 16;

/// Answers to the requests of one case.
#[derive(Clone, Debug, Default, PartialEq)]
struct Counted {
    /// Status 200 and screened.
    screened: usize,
    /// Answered by the filter, or forwarded with the reason: a decided outcome.
    decided: usize,
    /// Any other answer, or a connection that broke.
    failed: usize,
    /// No answer in time.
    hung: usize,
    /// Latency of the answers.
    ms: Vec<f64>,
}

impl Counted {
    fn requests(&self) -> usize {
        self.screened + self.decided + self.failed + self.hung
    }

    fn add(&mut self, other: Self) {
        self.screened += other.screened;
        self.decided += other.decided;
        self.failed += other.failed;
        self.hung += other.hung;
        self.ms.extend(other.ms);
    }

    /// Sends one request and counts what came.
    async fn send(&mut self, client: Client, request: &Request) {
        let started = Instant::now();
        let Ok(reply) = tokio::time::timeout(HANGS_AFTER, client.send(request)).await else {
            self.hung += 1;
            return;
        };
        self.ms.push(started.elapsed().as_secs_f64() * 1e3);
        match reply {
            Ok(reply) if reply.header("x-forebay-verdict").is_none() => self.failed += 1,
            Ok(reply) if reply.status == 200 && reply.header("x-forebay-unscreened").is_none() => {
                self.screened += 1;
            }
            Ok(_) => self.decided += 1,
            Err(_) => self.failed += 1,
        }
    }
}

fn question() -> Request {
    e2e::samples::chat("How do I keep basil green?", false)
}

/// Measures.
///
/// # Errors
///
/// Fails when a part is missing or does not start. Requests that fail or hang are results.
pub(crate) fn run(common: &Common) -> Result<Summary> {
    crate::block_on(async {
        let mut summary =
            Summary::new("faults", "The daemon upgraded, broken and away, under load");
        let mut table = Table::new(
            "cases",
            &[
                "case",
                "requests",
                "screened",
                "decided otherwise",
                "failed",
                "hung",
                "p50 ms",
                "worst ms",
            ],
        );
        let rounds = if common.quick { 2 } else { 10 };
        eprintln!("faults: {rounds} upgrades");
        let upgraded = upgrades(rounds).await?;
        row(&mut table, "the daemon upgraded", &upgraded);
        // `decided` is a failure here: these requests are refused when they are not screened.
        let lost = upgraded.requests() - upgraded.screened;
        summary.outcome(
            Goal::Upgrade,
            lost == 0 && upgraded.screened > 0,
            format!("{lost} of {} through {rounds} upgrades under load", upgraded.requests()),
        );
        let mut all = upgraded;
        let each = if common.quick { 4 } else { 25 };
        for fault in FAULTS {
            eprintln!("faults: {}", fault.name);
            let counted = under(fault, each).await.context(fault.name)?;
            ensure!(counted.requests() == CLIENTS * each, "{}: requests are missing", fault.name);
            row(&mut table, fault.name, &counted);
            all.add(counted);
        }
        summary.outcome(
            Goal::Hung,
            all.hung == 0 && all.failed == 0,
            format!(
                "{} of {} in {} cases without an answer within {} s, {} broken off",
                all.hung,
                all.requests(),
                FAULTS.len() + 1,
                HANGS_AFTER.as_secs(),
                all.failed
            ),
        );
        summary.note(format!(
            "{CLIENTS} clients at once through real Envoy, a new connection for each request; the filter waits {} ms for the daemon and \
             fails closed. Decided otherwise: refused or tagged by the filter with its reason. A request hangs when nothing has come \
             after {} s.",
            TIMEOUT.as_millis(),
            HANGS_AFTER.as_secs()
        ));
        summary.shown = vec![table.name.clone()];
        summary.tables.push(table);
        Ok(summary)
    })
}

fn row(table: &mut Table, name: &str, counted: &Counted) {
    let spread = Spread::of(&counted.ms);
    let ms = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.0}"));
    table.row([
        name.to_owned(),
        counted.requests().to_string(),
        counted.screened.to_string(),
        counted.decided.to_string(),
        counted.failed.to_string(),
        counted.hung.to_string(),
        ms(spread.map(|spread| spread.p50)),
        ms(spread.map(|spread| spread.max)),
    ]);
}

/// The least that the filter's configuration allows.
const MAX_BODY_BYTES: usize = 1024;

async fn stack(daemon: DaemonKind, timeout: Duration) -> Result<Stack> {
    let setup = StackSetup::new(daemon)?.filter(|config| {
        config["daemon"]["timeout_ms"] = json!(timeout.as_millis());
        config["limits"] = json!({"max_body_bytes": MAX_BODY_BYTES, "upload_timeout_ms": 1000});
        for signal in ["jailbreak", "pii", "domain"] {
            config["signals"][signal]["on_failure"] = "closed".into();
        }
    });
    setup?.start().await
}

/// Requests that flow until told to stop.
struct Flow {
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    clients: Vec<tokio::task::JoinHandle<Counted>>,
}

impl Flow {
    fn start(stack: &Stack, clients: usize) -> Self {
        let (stop, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let clients = (0..clients)
            .map(|at| {
                let client = if at % 2 == 0 { stack.http1() } else { stack.http2() };
                let (stop, answered) = (Arc::clone(&stop), Arc::clone(&answered));
                tokio::spawn(async move {
                    let mut counted = Counted::default();
                    while !stop.load(Ordering::SeqCst) {
                        counted.send(client, &question()).await;
                        answered.fetch_add(1, Ordering::SeqCst);
                    }
                    counted
                })
            })
            .collect();
        Self { stop, answered, clients }
    }

    /// Waits until some more requests have been answered.
    async fn goes_on(&self) -> Result<()> {
        const ENOUGH: usize = 12;
        let target = self.answered.load(Ordering::SeqCst) + ENOUGH;
        until("requests to flow", || Ok(self.answered.load(Ordering::SeqCst) >= target)).await
    }

    async fn end(self) -> Result<Counted> {
        self.stop.store(true, Ordering::SeqCst);
        let mut all = Counted::default();
        for client in self.clients {
            all.add(client.await?);
        }
        Ok(all)
    }
}

async fn until(what: &str, mut holds: impl FnMut() -> Result<bool>) -> Result<()> {
    for _ in 0..6000 {
        if holds()? {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    bail!("waited in vain for {what}")
}

fn inode(socket: &Path) -> Result<u64> {
    Ok(std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(socket)?))
}

/// A new daemon takes the socket over, the old one drains and ends; over and over, while requests flow.
async fn upgrades(rounds: usize) -> Result<Counted> {
    // Nobody waits for a warm model here, so that a slow machine is no fault.
    let mut stack = stack(DaemonKind::Inferd, Duration::from_secs(8)).await?;
    let flow = Flow::start(&stack, 4);
    flow.goes_on().await?;
    for round in 0..rounds {
        let folder = stack.folder().join(format!("upgrade-{round}"));
        std::fs::create_dir(&folder)?;
        let before = inode(stack.socket())?;
        let new = Inferd::start(&Parts::locate(), stack.socket(), &folder).await?;
        until("the new daemon to take the socket over", || Ok(inode(stack.socket())? != before))
            .await?;
        flow.goes_on().await?;
        let Daemon::Inferd(old) = std::mem::replace(&mut stack.daemon, Daemon::Inferd(new)) else {
            bail!("another daemon ran");
        };
        old.stop().await.context("the old daemon")?;
        flow.goes_on().await?;
    }
    let counted = flow.end().await?;
    stack.stop().await?;
    Ok(counted)
}

/// One thing that goes wrong.
#[derive(Clone, Copy, Debug)]
struct Fault {
    name: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Nobody listens.
    Absent,
    /// Takes longer than the filter waits.
    Slow,
    /// Calls fail with this gRPC status.
    Status(tonic::Code),
    /// Killed in the middle of calls, and started again.
    Killed,
    /// The real daemon takes calls, and is then stopped for longer than the filter waits.
    Stopped,
    /// This is no body that can be read.
    Body(&'static str, Option<&'static str>),
    /// More than `limits.max_body_bytes`, which is told only by its coming.
    TooLarge,
    /// A body that takes longer than `limits.upload_timeout_ms`.
    SlowUpload,
    /// Uploads that break off.
    BrokenOff,
}

const fn fault(name: &'static str, kind: Kind) -> Fault {
    Fault { name, kind }
}

const FAULTS: [Fault; 13] = [
    fault("no daemon", Kind::Absent),
    fault("a daemon slower than the timeout", Kind::Slow),
    fault("a daemon that is overloaded", Kind::Status(tonic::Code::ResourceExhausted)),
    fault("a daemon that fails", Kind::Status(tonic::Code::Internal)),
    fault("a daemon killed in the middle of calls", Kind::Killed),
    fault("inferd stopped in the middle of calls", Kind::Stopped),
    fault("a body that is not JSON", Kind::Body("{\"messages\": [", None)),
    fault("an empty body", Kind::Body("", None)),
    fault("an encoding that is none", Kind::Body("not gzip at all", Some("gzip"))),
    fault("an encoding nobody knows", Kind::Body("{}", Some("lzma"))),
    fault("a body over the limit", Kind::TooLarge),
    fault("an upload slower than its timeout", Kind::SlowUpload),
    fault("uploads that break off", Kind::BrokenOff),
];

/// Requests of 16 clients under one fault, `each` of every client.
async fn under(fault: Fault, each: usize) -> Result<Counted> {
    let daemon = match fault.kind {
        Kind::Absent => DaemonKind::Absent,
        Kind::Stopped => DaemonKind::Inferd,
        Kind::Slow
        | Kind::Status(_)
        | Kind::Killed
        | Kind::Body(..)
        | Kind::TooLarge
        | Kind::SlowUpload
        | Kind::BrokenOff => DaemonKind::Stub,
    };
    let mut stack = stack(daemon, TIMEOUT).await?;
    let mut request = question();
    match fault.kind {
        Kind::Slow => stack
            .stub()?
            .behave(Behaviour { delay: Duration::from_secs(60), ..Behaviour::default() }),
        Kind::Status(code) => {
            stack.stub()?.behave(Behaviour { status: Some(code), ..Behaviour::default() });
        }
        Kind::Killed => stack
            .stub()?
            .behave(Behaviour { delay: Duration::from_millis(20), ..Behaviour::default() }),
        Kind::Body(body, encoding) => {
            request = Request::post("/v1/chat/completions", body);
            if let Some(encoding) = encoding {
                request = request.header("content-encoding", encoding);
            }
        }
        Kind::TooLarge => {
            let text = "many words ".repeat(MAX_BODY_BYTES / 4);
            request = e2e::samples::chat(&text, false).in_pieces_of(MAX_BODY_BYTES / 2);
        }
        // Sixteen pieces or so, a fifth of a second apart.
        Kind::SlowUpload => {
            request = request.in_pieces_of(8).with_pauses(Duration::from_millis(200));
        }
        Kind::Absent | Kind::Stopped | Kind::BrokenOff => {}
    }
    let clients: Vec<_> = (0..CLIENTS)
        .map(|at| {
            let client = if at % 2 == 0 { stack.http1() } else { stack.http2() };
            let request = request.clone();
            let breaks_off = matches!(fault.kind, Kind::BrokenOff);
            tokio::spawn(async move {
                let mut counted = Counted::default();
                for _ in 0..each {
                    if breaks_off {
                        break_off(client, &request).await;
                    }
                    counted.send(client, &request).await;
                }
                counted
            })
        })
        .collect();
    let broken = break_daemon(&mut stack, fault.kind).await;
    let mut all = Counted::default();
    for client in clients {
        all.add(client.await?);
    }
    broken?;
    stack.stop().await?;
    Ok(all)
}

/// The same request, but the connection ends in the middle of its body. What becomes of it nobody can see; whether the
/// requests after it are answered is what counts.
async fn break_off(client: Client, request: &Request) {
    let mut request = request.clone().in_pieces_of(16);
    request.steps.truncate(1);
    request.steps.push(e2e::Step::Reset);
    let _broken = tokio::time::timeout(HANGS_AFTER, client.send(&request)).await;
}

/// What is done to the daemon while requests flow.
async fn break_daemon(stack: &mut Stack, kind: Kind) -> Result<()> {
    match kind {
        Kind::Killed => {
            for _ in 0..3 {
                tokio::time::sleep(Duration::from_millis(40)).await;
                stack.replace_daemon(DaemonKind::Absent).await?;
                stack.replace_daemon(DaemonKind::Stub).await?;
            }
        }
        Kind::Stopped => {
            let Daemon::Inferd(inferd) = &mut stack.daemon else { bail!("no inferd") };
            inferd.process().signal(Signal::STOP)?;
            tokio::time::sleep(TIMEOUT * 2).await;
            inferd.process().signal(Signal::CONT)?;
        }
        Kind::Absent
        | Kind::Slow
        | Kind::Status(_)
        | Kind::Body(..)
        | Kind::TooLarge
        | Kind::SlowUpload
        | Kind::BrokenOff => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_gives_no_verdict_is_a_failure_and_not_a_decision() {
        // Nobody listens there.
        let client = Client::http1("127.0.0.1:1".parse().unwrap());
        let mut counted = Counted::default();
        counted.send(client, &question()).await;
        assert_eq!((counted.failed, counted.requests()), (1, 1));
        let mut all = Counted { screened: 2, ..Counted::default() };
        all.add(counted);
        assert_eq!((all.screened, all.failed, all.requests()), (2, 1, 3));
    }
}
