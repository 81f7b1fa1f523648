//! Where the time of one request goes, as a picture: through real Envoy and inferd, by their own clocks.
use std::net::TcpListener;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use e2e::Parts;

use crate::Common;
use crate::chart::Chart;
use crate::client::Way;
use crate::flame::{self, Sampler};
use crate::measure::{Load, Runner, SCREENED};
use crate::prompts::Prompts;
use crate::report::{Summary, Table};
use crate::stack::{Daemon, Screening, Stack, filter_config};
use crate::upstream::{AT, Upstream};

/// Arguments of `profile`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Tokens of the prompt.
    #[arg(long, default_value_t = 8_000)]
    tokens: usize,
}

/// inferd's stages, in order, as its metrics name them.
const STAGES: [&str; 4] = ["tokenise", "queue", "run", "decode"];

/// Times of one request, in milliseconds from its first byte.
#[derive(Clone, Debug, Default)]
struct Times {
    /// The last body byte is with the kernel.
    sent: f64,
    /// The filter has handled the last byte.
    last: f64,
    /// The request is at the upstream.
    forwarded: f64,
    /// The answer is complete.
    answered: f64,
    /// How long inferd's call took, and each stage of it.
    call: f64,
    stages: [f64; 4],
}

/// Measures.
///
/// # Errors
///
/// Fails when a part is missing or a request is not answered as it must be.
pub(crate) fn run(args: &Args, common: &Common) -> Result<Summary> {
    crate::block_on(async {
        let parts = Parts::locate();
        let prompts = Prompts::new(&parts.model, common.seed)?;
        let upstream = Upstream::start().await?;
        let admin = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let daemon =
            Daemon::Inferd { models: vec![parts.model.clone()], admin: Some(admin.to_string()) };
        let screening = Screening::Filter(filter_config("guarded"));
        let stack = Stack::start(&parts, upstream.address(), &screening, &daemon).await?;
        let mut runner = Runner::new("final pipeline", stack, SCREENED);
        runner.go_by(Way { http2: false, kept: true });
        let load = Load::from(&prompts.of_tokens(args.tokens, 0)?);
        for _ in 0..5 {
            runner.warm(&load).await?;
        }
        let rounds = if common.quick { 9 } else { 41 };
        let mut all = Vec::new();
        for _ in 0..rounds {
            let before = metrics(admin).await?;
            let reply = runner.send(&load).await?;
            let after = metrics(admin).await?;
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            let overhead: f64 = reply
                .header("x-forebay-overhead-us")
                .and_then(|text| text.parse().ok())
                .context("no overhead")?;
            let at: u64 = reply
                .header(AT)
                .and_then(|text| text.parse().ok())
                .context("no time from the upstream")?;
            let started =
                reply.sent_at_ns.saturating_sub(u64::try_from(reply.sent.as_nanos()).unwrap_or(0));
            let forwarded = ms(Duration::from_nanos(at.saturating_sub(started)));
            let took = |name: &str| anyhow::Ok((sum(&after, name)? - sum(&before, name)?) * 1e3);
            let mut stages = [0.0; 4];
            for (stage, name) in stages.iter_mut().zip(STAGES) {
                *stage = took(&format!("forebay_stage_seconds_sum{{stage=\"{name}\"}}"))?;
            }
            all.push(Times {
                sent: ms(reply.sent),
                last: forwarded - overhead / 1e3,
                forwarded,
                answered: ms(reply.elapsed),
                call: took("forebay_request_seconds_sum")?,
                stages,
            });
        }
        let inferd = runner.stack.daemon_id().context("no daemon")?;
        let mut flames = Vec::new();
        let seconds = if common.quick { 3 } else { 10 };
        if flame::is_possible() {
            eprintln!("profile: sampling inferd");
            let sampler = Sampler::start(inferd).await?;
            let until = Instant::now() + Duration::from_secs(seconds);
            while Instant::now() < until {
                runner.warm(&load).await?;
            }
            let title = format!("inferd, requests of {} tokens one after the other", args.tokens);
            flames.push(flame::chart("flame-inferd", &title, &sampler.end()?));
            flames.push(filter_flame(&prompts, seconds).await?);
        }
        runner.stack.stop().await?;
        all.sort_by(|a, b| a.answered.total_cmp(&b.answered));
        let middle = all.get(all.len() / 2).context("no request")?;
        let mut summary = told(args.tokens, rounds, middle);
        if flames.is_empty() {
            summary.note("No flame graphs: `perf` is not installed or may not sample here.");
        } else {
            summary.note(
                "Flame graphs are 499 samples a second by `perf`, callers at the bottom; the filter runs natively in them, with the \
                 code that runs in Envoy's V8.",
            );
        }
        summary.charts.extend(flames);
        Ok(summary)
    })
}

/// This process, while it runs the filter's state machine on one request over and over.
async fn filter_flame(prompts: &Prompts, seconds: u64) -> Result<Chart> {
    const KIB: usize = 32;
    eprintln!("profile: sampling the filter");
    let prompt = prompts.of_bytes(KIB << 10, 0)?;
    let part = bench_parts::PARTS.iter().find(|part| part.name == WHOLE).context("no such part")?;
    let sampler = Sampler::start(std::process::id()).await?;
    // A thread of its own, by whose name its samples are told from those of the client's.
    let work = std::thread::Builder::new().name("filter".to_owned()).spawn(move || {
        let input = bench_parts::Input::new(&prompt.body)?;
        part.measure(&input, Duration::from_secs(seconds), || {
            Duration::from_nanos(crate::client::monotonic_ns())
        })
    })?;
    let done = work.join();
    let mut stacks = sampler.end()?;
    done.map_err(|_| anyhow::anyhow!("the filter panicked"))??;
    stacks.retain(|stack| stack.first().is_some_and(|thread| thread == "filter"));
    ensure!(!stacks.is_empty(), "no sample of the filter");
    Ok(flame::chart("flame-filter", "The filter, natively, requests of 32 KiB", &stacks))
}

/// The part of [`bench_parts`] that is the whole filter.
const WHOLE: &str = "filter: all of the above and the call's message";

fn told(tokens: usize, rounds: usize, times: &Times) -> Summary {
    let mut summary = Summary::new("profile", "Where the time of one request goes");
    let spans = spans(times);
    let mut table = Table::new("waterfall", &["what", "from ms", "to ms", "ms"]);
    for (name, from, to) in &spans {
        table.row([
            name.clone(),
            format!("{from:.2}"),
            format!("{to:.2}"),
            format!("{:.2}", to - from),
        ]);
    }
    summary.tables.push(table);
    summary.charts.push(Chart::Spans {
        name: "waterfall".to_owned(),
        title: format!("One request of {tokens} tokens through Envoy, filter and inferd"),
        unit: "ms from the first byte".to_owned(),
        spans,
    });
    summary.note(format!(
        "The request of median latency out of {rounds}. Times are those of the client, the filter's x-forebay-overhead-us, inferd's \
         metrics and the upstream's clock, which is the machine's."
    ));
    summary
}

/// Label, start and end of what is known.
fn spans(times: &Times) -> Vec<(String, f64, f64)> {
    let call = times.call.min(times.forwarded - times.last).max(0.0);
    let called = times.forwarded - call;
    let mut spans = vec![
        ("client sends".to_owned(), 0.0, times.sent),
        ("filter: parse, recognise, score".to_owned(), 0.0, times.last.max(0.0)),
        ("filter: select; gRPC both ways".to_owned(), times.last.max(0.0), called),
    ];
    let mut at = called;
    for (stage, name) in times.stages.iter().zip(STAGES) {
        let end = (at + stage).min(times.forwarded);
        spans.push((format!("inferd: {name}"), at, end));
        at = end;
    }
    spans.push(("inferd: the rest of the call".to_owned(), at, times.forwarded));
    spans.push(("upstream and answer".to_owned(), times.forwarded, times.answered));
    spans
}

async fn metrics(admin: std::net::SocketAddr) -> Result<String> {
    let reply = e2e::Client::http1(admin).send(&e2e::Request::get("/metrics")).await?;
    ensure!(reply.status == 200, "metrics: status {}", reply.status);
    Ok(reply.text())
}

/// A sample of a metrics page.
fn sum(page: &str, name: &str) -> Result<f64> {
    let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.and_then(|value| value.trim().parse().ok())
        .with_context(|| format!("metrics have no {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_follow_each_other_and_end_with_the_answer() {
        let times = Times {
            sent: 1.0,
            last: 2.0,
            forwarded: 12.0,
            answered: 13.0,
            call: 9.0,
            stages: [1.0, 0.5, 7.0, 0.25],
        };
        let spans = spans(&times);
        let find = |name: &str| {
            spans.iter().find(|span| span.0.contains(name)).map(|span| (span.1, span.2)).unwrap()
        };
        assert_eq!(find("select"), (2.0, 3.0));
        assert_eq!(find("run"), (4.5, 11.5));
        assert_eq!(find("rest"), (11.75, 12.0));
        assert_eq!(find("upstream"), (12.0, 13.0));
        assert!(spans.iter().all(|(_, from, to)| from <= to));
    }

    #[test]
    fn the_whole_filter_is_one_of_the_parts() {
        assert!(bench_parts::PARTS.iter().any(|part| part.name == WHOLE));
    }

    #[test]
    fn a_sample_is_found_by_its_whole_name() {
        let page = "a_sum{stage=\"run\"} 1.5\na_sum_total 3\n";
        assert_eq!(sum(page, "a_sum{stage=\"run\"}").unwrap(), 1.5);
        assert!(sum(page, "a_sum").is_err());
    }
}
