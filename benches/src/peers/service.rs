//! A Python service over onnxruntime against the whole of ours, Envoy included. The same int8 weights.
use anyhow::{Result, ensure};
use serde_json::Value;

use super::server::{self, Server};
use super::{Bench, Row};
use crate::client::{Client, Way};
use crate::measure::{Load, Runner, SCREENED};
use crate::models::embedded;
use crate::stack::{Daemon, Screening, Stack, filter_config};
use crate::stats::process_cpu;
use crate::upstream::Upstream;

const WAY: Way = Way { http2: false, kept: true };

pub(super) fn measure(bench: &Bench<'_>) -> Result<(Vec<Row>, Value)> {
    crate::block_on(async {
        let (mut rows, versions) = service(bench).await?;
        rows.extend(ours(bench, "full").await?);
        rows.extend(ours(bench, "guarded").await?);
        Ok((rows, versions))
    })
}

async fn service(bench: &Bench<'_>) -> Result<(Vec<Row>, Value)> {
    let set = embedded(&bench.parts)?;
    let server = Server::start(server::python(&set.separate_int8)?)?;
    let mut client = Client::new(([127, 0, 0, 1], server.port).into(), WAY);
    let mut rows = Vec::new();
    for tokens in bench.sizes() {
        let (mut ms, mut cpu_ms) = (Vec::new(), Vec::new());
        for at in 0..=bench.texts() {
            // The first is sent twice: it warms up.
            let prompt = bench.prompts.of_tokens(*tokens, at.saturating_sub(1))?;
            let cpu = process_cpu(server.id())?;
            let reply = client.post(&prompt.body).await?;
            ensure!(reply.status == 200, "the service answered with {}", reply.status);
            if at > 0 {
                ms.push(reply.elapsed.as_secs_f64() * 1e3);
                cpu_ms.push((process_cpu(server.id())?.saturating_sub(cpu)).as_secs_f64() * 1e3);
            }
        }
        rows.push(Row {
            what: "three classifiers",
            who: "Python, onnxruntime, three int8 models in turn, every token".to_owned(),
            tokens: *tokens,
            said: "answered".to_owned(),
            ms,
            cpu_ms,
        });
    }
    Ok((rows, server.versions.clone()))
}

async fn ours(bench: &Bench<'_>, coverage: &'static str) -> Result<Vec<Row>> {
    let upstream = Upstream::start().await?;
    let daemon = Daemon::Inferd { models: vec![bench.parts.model.clone()], admin: None };
    let screening = Screening::Filter(filter_config(coverage));
    let stack = Stack::start(&bench.parts, upstream.address(), &screening, &daemon).await?;
    let mut runner = Runner::new("ours", stack, SCREENED);
    let mut rows = Vec::new();
    for tokens in bench.sizes() {
        let loads: Result<Vec<Load>> = (0..bench.texts())
            .map(|at| Ok(Load::from(&bench.prompts.of_tokens(*tokens, at)?)))
            .collect();
        let loads = loads?;
        for load in loads.iter().take(1) {
            runner.warm(load).await?;
        }
        runner.begin()?;
        for load in &loads {
            runner.send(load).await?;
        }
        let cell = runner.end()?;
        let (envoy, daemon) = cell.cpu_ms();
        rows.push(Row {
            what: "three classifiers",
            who: format!("ours: Envoy, filter and inferd, {coverage} coverage"),
            tokens: *tokens,
            said: "answered".to_owned(),
            cpu_ms: vec![envoy + daemon; cell.ms.len()],
            ms: cell.ms,
        });
    }
    runner.stack.stop().await?;
    Ok(rows)
}
