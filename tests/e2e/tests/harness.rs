//! The harness itself: what a test can rely on.
use std::time::Duration;

use anyhow::Result;
use e2e::{DaemonKind, Request, Stack, Step};

const CHAT: &str = "/v1/chat/completions";

fn body(text: &str) -> String {
    format!(r#"{{"model":"auto","messages":[{{"role":"user","content":"{text}"}}]}}"#)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_of_sending_brings_the_same_bytes_to_the_upstream() -> Result<()> {
    let stack = Stack::start(DaemonKind::Stub).await?;
    let body = body(&"One sentence after another. ".repeat(3000));
    let whole = Request::post(CHAT, body.clone());
    let paced = whole.clone().in_pieces_of(20_000).with_pauses(Duration::from_millis(2));
    let mut expecting = whole.clone().header("expect", "100-continue");
    expecting.steps.insert(0, Step::WaitForContinue);
    let mut trailing = whole.clone().in_pieces_of(30_000);
    trailing.steps.push(Step::Trailers(vec![("x-sum".to_owned(), "1".to_owned())]));
    for (client, requests) in [
        (stack.http1(), vec![&whole, &paced, &expecting]),
        (stack.http2(), vec![&whole, &paced, &trailing]),
    ] {
        for request in requests {
            let reply = client.send(request).await?;
            assert_eq!(reply.status, 200, "{client:?}: {}", reply.text());
            let seen = stack.upstreams.take();
            assert_eq!(seen.len(), 1);
            assert!(seen[0].complete && seen[0].body == body.as_bytes(), "{client:?}");
        }
    }
    stack.stop().await
}
