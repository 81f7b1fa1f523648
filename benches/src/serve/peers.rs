//! What a user could run instead, on the same texts, each from a registry: latency of one caller and throughput of many.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use serde_json::json;
use tokio::task::JoinSet;

use super::load::Caller;
use super::process::{Parts, Server};
use super::{CALLERS, PATIENCE, texts};
use crate::Common;
use crate::client::{Client, Way};
use crate::models;
use crate::peers::{install, server, tally::Tally};
use crate::report::{Summary, Table};
use crate::stats::{Spread, count, process_cpu};

const WAY: Way = Way { http2: false, kept: true };

/// Says how a peer is started, after installing or building it.
type Start = fn(&Parts) -> Result<Command>;

/// What a server did.
struct Row {
    who: &'static str,
    weights: &'static str,
    /// Of one caller, in milliseconds.
    alone: Spread,
    /// Answers a second to many callers.
    rate: f64,
    /// The server's CPU time for each of those answers.
    cpu_ms: f64,
}

pub(super) async fn measure(
    parts: &Parts,
    yaml: &str,
    common: &Common,
    allow_missing: bool,
) -> Result<Summary> {
    let step = Duration::from_secs(if common.quick { 5 } else { 20 });
    let texts = texts::mixed(1000, common.seed);
    let mut summary = Summary::new("serve-peers", "What could be run instead of the daemon");
    summary.note(format!(
        "Texts of 8 to 1000 words, three classifiers asked of each; one caller, then {CALLERS} at once, {} s each; ours over its Unix socket, \
         the others over HTTP on loopback. candle reads no int8, so it runs fp32 with random weights of the embedded model's shape: what its \
         answers say means nothing, what they cost does.",
        step.as_secs()
    ));
    let mut rows = Vec::new();
    let mut tally = Tally::new();
    eprintln!("serve: ours");
    rows.push(
        socket("inferd", "int8, one pass", &Server::daemon(parts, yaml).await?, &texts, step)
            .await?,
    );
    eprintln!("serve: the baseline");
    let plain = Server::baseline(parts).await?;
    rows.push(
        socket("Rust, ort: a session and a run for each classifier", "int8", &plain, &texts, step)
            .await?,
    );
    drop(plain);
    let others: [(&str, &str, Start); 2] = [
        ("Python, onnxruntime, tokenizers", "int8, one pass", python),
        ("Rust, candle-transformers", "fp32, one pass", candle),
    ];
    for (who, weights, command) in others {
        eprintln!("serve: {who}");
        let measured = async {
            let peer = server::Server::start(command(parts)?)?;
            let row = http(who, weights, &peer, &texts, step).await?;
            anyhow::Ok((row, peer.versions.clone()))
        };
        rows.extend(tally.take(who, measured.await, &mut summary));
    }
    let callers = format!("requests/s of {CALLERS} callers");
    let mut table = Table::new(
        "peers",
        &[
            "server",
            "weights",
            "p50 ms alone",
            "p95 ms alone",
            &callers,
            "of ours",
            "CPU ms/request",
        ],
    );
    let ours = rows.first().map_or(f64::NAN, |row| row.rate);
    for row in &rows {
        table.row([
            row.who.to_owned(),
            row.weights.to_owned(),
            format!("{:.1}", row.alone.p50),
            format!("{:.1}", row.alone.p95),
            format!("{:.1}", row.rate),
            format!("{:.2}×", row.rate / ours),
            format!("{:.2}", row.cpu_ms),
        ]);
    }
    summary.tables.push(table);
    summary.shown = vec!["peers".to_owned()];
    tally.end(&mut summary, allow_missing)?;
    Ok(summary)
}

/// A server that speaks the daemon's protocol.
async fn socket(
    who: &'static str,
    weights: &'static str,
    server: &Server,
    texts: &[String],
    step: Duration,
) -> Result<Row> {
    let caller = Caller::connect(&server.socket, texts).await?;
    caller.closed(1, step / 4, PATIENCE).await?;
    let alone = caller.closed(1, step, PATIENCE).await?;
    let cpu = server.cpu()?;
    let many = caller.closed(CALLERS, step, PATIENCE).await?;
    let cpu = server.cpu()?.saturating_sub(cpu);
    // A histogram of three digits is exact enough for what is told.
    let ms: Vec<f64> = alone
        .latency
        .iter_recorded()
        .flat_map(|step| {
            let micros = Duration::from_micros(step.value_iterated_to());
            let times = usize::try_from(step.count_at_value()).unwrap_or(0);
            std::iter::repeat_n(micros.as_secs_f64() * 1e3, times)
        })
        .collect();
    Ok(Row {
        who,
        weights,
        alone: Spread::of(&ms).context("no answer")?,
        rate: many.goodput(),
        cpu_ms: cpu.as_secs_f64() * 1e3 / count(many.answered),
    })
}

/// A server that speaks JSON over HTTP.
async fn http(
    who: &'static str,
    weights: &'static str,
    peer: &server::Server,
    texts: &[String],
    step: Duration,
) -> Result<Row> {
    let bodies: Arc<Vec<Bytes>> =
        Arc::new(texts.iter().map(|text| json!({"text": text}).to_string().into()).collect());
    closed(peer.port, 1, &bodies, step / 4).await?;
    let (alone, _) = closed(peer.port, 1, &bodies, step).await?;
    let cpu = process_cpu(peer.id())?;
    let (many, took) = closed(peer.port, CALLERS, &bodies, step).await?;
    let cpu = process_cpu(peer.id())?.saturating_sub(cpu);
    Ok(Row {
        who,
        weights,
        alone: Spread::of(&alone).context("no answer")?,
        rate: count(many.len()) / took.as_secs_f64(),
        cpu_ms: cpu.as_secs_f64() * 1e3 / count(many.len()),
    })
}

/// Callers that each ask again as soon as they are answered: latencies in milliseconds, and how long it took.
async fn closed(
    port: u16,
    callers: usize,
    bodies: &Arc<Vec<Bytes>>,
    duration: Duration,
) -> Result<(Vec<f64>, Duration)> {
    let began = Instant::now();
    let next = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    for _ in 0..callers {
        let (bodies, next) = (Arc::clone(bodies), Arc::clone(&next));
        tasks.spawn(async move {
            let mut client = Client::new(([127, 0, 0, 1], port).into(), WAY);
            let mut ms = Vec::new();
            while began.elapsed() < duration {
                let index = next.fetch_add(1, Ordering::Relaxed) % bodies.len();
                let reply = client.post(bodies.get(index).context("no text")?).await?;
                ensure!(reply.status == 200, "it answered with {}", reply.status);
                ms.push(reply.elapsed.as_secs_f64() * 1e3);
            }
            anyhow::Ok(ms)
        });
    }
    let mut all = Vec::new();
    while let Some(ms) = tasks.join_next().await {
        all.extend(ms??);
    }
    Ok((all, began.elapsed()))
}

fn python(parts: &Parts) -> Result<Command> {
    server::python(std::slice::from_ref(&parts.model))
}

/// Built when first asked for, beside the built programs. It takes minutes.
fn candle(parts: &Parts) -> Result<Command> {
    let target = std::env::current_exe()?.with_file_name("bench-peers").join("candle");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--locked", "--manifest-path"])
        .arg(install::script("candle/Cargo.toml"))
        .env("CARGO_TARGET_DIR", &target)
        .status()?;
    ensure!(built.success(), "cargo build of candle-peer: {built}");
    let mut command = Command::new(target.join("release/candle-peer"));
    command.arg(parts.model.join("tokenizer.json"));
    command.arg(models::layers_of(&parts.model)?.to_string());
    Ok(command)
}
