//! The simulated host and the real Envoy lead the same filter the same way.
//!
//! The fixture filter tells what it saw in headers. Each habit is run in both, with the same pieces of body, and what
//! reaches the upstream and the client has to agree.
use std::time::Duration;

use anyhow::{Context as _, Result};
use e2e::{DaemonKind, Framing, Reply, Request, Seen, StackSetup, Step};
use wasm_host::{End, Filter, Headers, Setup, Vm, built_fixture, post};

const PATH: &str = "/anything";
const PIECES: [&str; 3] = ["abc", "de", "fgh"];

/// What can be compared.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    status: u16,
    reply_seen: Option<String>,
    upstream: Option<(Vec<u8>, Vec<Option<String>>)>,
}

impl Outcome {
    /// What the fixture saw of the body, callback by callback.
    fn seen(&self) -> Option<&str> {
        let upstream = self.upstream.as_ref().and_then(|(_, told)| told.first()?.as_deref());
        self.reply_seen.as_deref().or(upstream)
    }
}

/// The headers in which the fixture tells what it saw.
const TOLD: [&str; 6] = ["x-seen", "x-status", "x-late", "x-answer", "x-ticked", "content-length"];

/// How the body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// HTTP/1.1: with an empty callback after the last piece.
    Http1,
    /// HTTP/2: with an empty frame.
    Http2EmptyFrame,
    /// HTTP/2: with the last piece.
    Http2LastPiece,
    /// HTTP/2: with trailers.
    Http2Trailers,
}

/// Every way in which the pieces can arrive: Envoy reads what is there, and on a loaded machine two may have come. The fixture tells
/// in `x-seen` which it was, so each real run has one way to be held to, and its bytes are known whichever it was.
fn arrivals() -> Vec<Vec<String>> {
    let [first, second, third] = PIECES.map(str::to_owned);
    vec![
        vec![first.clone(), second.clone(), third.clone()],
        vec![first.clone() + &second, third.clone()],
        vec![first.clone(), second.clone() + &third],
        vec![first + &second + &third],
    ]
}

fn simulate(filter: &Filter, habit: &str, ending: Ending, pieces: &[String]) -> Result<Outcome> {
    let vm = Vm::start(filter, Setup::with_config(habit))?;
    let stream = vm.stream()?;
    let mut headers = post(PATH);
    if ending == Ending::Http2LastPiece {
        // As the client below, which tells the length when it can.
        headers = headers.and("content-length", PIECES.concat().len().to_string());
    }
    stream.request_headers(&headers, End::Later)?;
    for (index, piece) in pieces.iter().enumerate() {
        let last = index + 1 == pieces.len() && ending == Ending::Http2LastPiece;
        stream.request_body(piece.as_bytes(), if last { End::Now } else { End::Later })?;
    }
    match ending {
        Ending::Http1 | Ending::Http2EmptyFrame => {
            stream.request_body(b"", End::Now)?;
        }
        Ending::Http2Trailers => {
            stream.request_trailers(&Headers::from([("x-sum", "1")]))?;
        }
        Ending::Http2LastPiece => {}
    }
    if let Some(call) = stream.call() {
        // The stub fails to read what the fixture sends as a message; so does this daemon.
        call.fail(13, "cannot decode")?;
    }
    vm.advance(Duration::from_millis(150))?;
    let told = |headers: &Headers| TOLD.map(|name| headers.get(name).map(str::to_owned)).to_vec();
    let upstream = stream.upstream();
    let upstream =
        upstream.headers.as_ref().filter(|_| upstream.ended).map(|map| (upstream.body, told(map)));
    if stream.local_reply().is_none() && upstream.is_some() {
        stream.response_headers(&Headers::from([(":status", "200")]), End::Now)?;
    }
    let reply = stream.client().headers.unwrap_or_default();
    let outcome = Outcome {
        status: reply.get(":status").unwrap_or_default().parse()?,
        reply_seen: reply.get("x-seen").map(str::to_owned),
        upstream,
    };
    stream.close()?;
    Ok(outcome)
}

fn observed(reply: &Reply, seen: &[Seen]) -> Outcome {
    let told = |seen: &Seen| TOLD.map(|name| seen.header(name).map(str::to_owned)).to_vec();
    Outcome {
        status: reply.status,
        reply_seen: reply.header("x-seen").map(str::to_owned),
        upstream: seen.first().map(|seen| (seen.body.to_vec(), told(seen))),
    }
}

fn request(ending: Ending) -> Request {
    let pause = Duration::from_millis(60);
    let mut steps = vec![Step::Wait(pause)];
    for piece in PIECES {
        steps.push(Step::Data(piece.into()));
        steps.push(Step::Wait(pause));
    }
    if ending == Ending::Http2LastPiece {
        steps.pop();
    }
    if ending == Ending::Http2Trailers {
        steps.push(Step::Trailers(vec![("x-sum".to_owned(), "1".to_owned())]));
    }
    let framing = if ending == Ending::Http2LastPiece { Framing::Length } else { Framing::Open };
    let request = Request::new("POST", PATH, steps).header("content-type", "application/json");
    Request { framing, ..request }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_sees_the_same_in_the_simulated_host_and_in_envoy() -> Result<()> {
    let filter = Filter::load(&built_fixture())?;
    let habits =
        ["watch", "hold", "hold-first", "late-header", "replace", "replace-part", "reply", "ask"];
    let mut differences = Vec::new();
    for habit in habits {
        let mut setup = StackSetup::new(DaemonKind::Stub)?;
        setup.parts.wasm = built_fixture();
        setup.config.set_filter_text(habit)?;
        setup.workers = 1;
        let stack = setup.start().await?;
        for ending in
            [Ending::Http1, Ending::Http2EmptyFrame, Ending::Http2LastPiece, Ending::Http2Trailers]
        {
            let client = if ending == Ending::Http1 { stack.http1() } else { stack.http2() };
            let reply = client.send(&request(ending)).await;
            let reply = reply.with_context(|| format!("{habit}, {ending:?}"))?;
            let real = observed(&reply, &stack.upstreams.take());
            let simulated = arrivals()
                .iter()
                .map(|pieces| simulate(&filter, habit, ending, pieces))
                .collect::<Result<Vec<_>>>()?;
            // Only the simulated run that saw the pieces as this one did may vouch for it.
            let same = simulated.iter().filter(|outcome| outcome.seen() == real.seen());
            let agrees = same.clone().any(|outcome| *outcome == real);
            let whole =
                if habit == "replace" { "another body".to_owned() } else { PIECES.concat() };
            let bytes = real.upstream.as_ref().map(|(body, _)| body.as_slice());
            if !agrees || bytes.is_some_and(|bytes| bytes != whole.as_bytes()) {
                let expected: Vec<&Outcome> = same.collect();
                differences.push(format!("{habit}, {ending:?}: {expected:?}\n  real {real:?}"));
            }
        }
        stack.stop().await?;
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    Ok(())
}
