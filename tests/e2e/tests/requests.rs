//! Requests through the real Envoy, with the stub's known verdicts: blocking, routing, redaction, headers.
use anyhow::{Context as _, Result};
use e2e::samples::chat;
use e2e::stub::ATTACK;
use e2e::{DaemonKind, Framing, Request, Stack, StackSetup, Step};

const CHAT: &str = "/v1/chat/completions";

/// The shipped configuration, with a deadline that a loaded machine keeps.
async fn start() -> Result<Stack> {
    let setup = StackSetup::new(DaemonKind::Stub)?;
    setup.filter(|config| config["daemon"]["timeout_ms"] = 30_000.into())?.start().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attack_is_blocked_with_an_openai_error_over_both_protocols() -> Result<()> {
    let stack = start().await?;
    for client in [stack.http1(), stack.http2()] {
        for streams in [false, true] {
            let request = chat(&format!("Hello. {ATTACK} Thank you."), streams);
            for request in [request.clone(), request.in_pieces_of(1)] {
                let reply = client.send(&request).await?;
                assert_eq!(reply.status, 403, "{}", reply.text());
                assert_eq!(reply.header("content-type"), Some("application/json"));
                assert!(reply.json()?["error"]["message"].is_string(), "{}", reply.text());
                assert!(!reply.text().contains("Ignore all"), "the prompt is quoted");
                assert!(stack.upstreams.take().is_empty());
            }
        }
    }
    let log = stack.envoy.log();
    assert!(!log.contains("Ignore all"), "the prompt is in the log");
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn maths_goes_to_the_reasoning_upstream_and_all_else_to_the_general_one() -> Result<()> {
    let stack = start().await?;
    for (text, upstream) in [("Integrate x^2.", "reasoning"), ("Water the basil.", "general")] {
        for client in [stack.http1(), stack.http2()] {
            assert_eq!(client.send(&chat(text, false)).await?.status, 200);
            let seen = stack.upstreams.take();
            assert_eq!(seen.iter().map(|seen| seen.upstream).collect::<Vec<_>>(), [upstream]);
        }
    }
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_cannot_speak_for_the_filter() -> Result<()> {
    let stack = start().await?;
    let spoofed = [
        ("x-forebay-route", "reasoning"),
        ("X-Forebay-Verdict", "block"),
        ("x-forebay-anything", "1"),
    ];
    let request = spoofed.iter().fold(chat("Water the basil.", false), |request, (name, value)| {
        request.header(name, value)
    });
    let (reply, seen) = stack.send(&request).await?;
    assert_eq!(reply.status, 200);
    let seen = seen.first().context("the upstream was not called")?;
    assert_eq!(seen.upstream, "general");
    assert_eq!(seen.header("x-forebay-verdict"), Some("allow"));
    assert_eq!(seen.header("x-forebay-anything"), None);
    let routes = seen.headers.iter().filter(|(name, _)| name == "x-forebay-route");
    assert_eq!(routes.map(|(_, value)| value.as_str()).collect::<Vec<_>>(), ["general"]);

    // Also where nothing is screened.
    let plain = Request::get("/healthz").header("x-forebay-route", "reasoning");
    let (_, seen) = stack.send(&plain).await?;
    let seen = seen.first().context("the upstream was not called")?;
    assert_eq!((seen.upstream, seen.header("x-forebay-route")), ("general", None));
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn redaction_changes_the_named_bytes_and_nothing_else() -> Result<()> {
    let stack = start().await?;
    // Odd white space, number lexemes, escapes, key order, unknown fields.
    let body = "{ \"seed\":9007199254740993,\"temperature\": 1.0e-1,\r\n\t\"messages\":[{\"content\":\"\\u0063af\\u00e9 😀 mail \
                pat.doe\\u0040example.com, SSN 078-05-1120\\n\\\"ok\\\" \\/\",\"role\":\"user\",\"x\":[1,2.50]}],\"model\":\"auto\"}\n";
    let expected = body
        .replace("pat.doe\\u0040example.com", "[EMAIL_ADDRESS]")
        .replace("078-05-1120", "[US_SSN]");
    let request = Request::post(CHAT, body);
    for client in [stack.http1(), stack.http2()] {
        for request in
            [request.clone(), request.clone().in_pieces_of(1), request.clone().in_pieces_of(17)]
        {
            let reply = client.send(&request).await?;
            assert_eq!(reply.status, 200, "{}", reply.text());
            let seen = stack.upstreams.take();
            let seen = seen.first().context("the upstream was not called")?;
            assert_eq!(String::from_utf8_lossy(&seen.body), expected);
            if let Some(length) = seen.header("content-length") {
                assert_eq!(length, expected.len().to_string());
            }
            assert_eq!(seen.header("x-forebay-verdict"), Some("redact"));
            assert_eq!(seen.header("x-forebay-pii"), Some("EMAIL_ADDRESS,US_SSN"));
        }
    }
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_llm_request_passes_untouched_and_unasked() -> Result<()> {
    let stack = start().await?;
    let body = vec![b'z'; 3 << 20];
    let mut request = Request::new("POST", "/files/upload", vec![Step::Data(body.clone().into())])
        .header("content-type", "multipart/form-data; boundary=b");
    request.framing = Framing::Open;
    for client in [stack.http1(), stack.http2()] {
        assert_eq!(client.send(&request).await?.status, 200);
        let seen = stack.upstreams.take();
        assert!(seen[0].body == body && seen[0].header("x-forebay-verdict").is_none());
    }
    assert!(stack.stub()?.take().is_empty());
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streaming_answer_comes_event_by_event() -> Result<()> {
    let stack = start().await?;
    let (reply, _) = stack.send(&chat("Water the basil.", true)).await?;
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    assert!(reply.text().ends_with("data: [DONE]\n\n"), "{}", reply.text());
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn many_requests_at_once_are_all_answered_rightly() -> Result<()> {
    let stack = start().await?;
    let client = stack.http1();
    let kinds = [
        ("Water the basil.".to_owned(), 200),
        (ATTACK.to_owned(), 403),
        ("My SSN is 078-05-1120.".to_owned(), 200),
    ];
    let tasks: Vec<_> = (0..32)
        .map(|task| {
            let kinds = kinds.clone();
            tokio::spawn(async move {
                for round in 0..15 {
                    let (text, status) = &kinds[(task + round) % kinds.len()];
                    let reply = client.send(&chat(text, false)).await?;
                    anyhow::ensure!(reply.status == *status, "{text}: {}", reply.status);
                }
                Ok(())
            })
        })
        .collect();
    for task in tasks {
        task.await??;
    }
    for seen in stack.upstreams.take() {
        assert!(!String::from_utf8_lossy(&seen.body).contains("078-05-1120"));
    }
    stack.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_of_two_megabytes_passes_whole() -> Result<()> {
    let stack = start().await?;
    let text = "One sentence of ordinary length after another. ".repeat(40_000);
    let request = chat(&text, false).in_pieces_of(60_000);
    let (reply, seen) = stack.send(&request).await?;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert!(seen[0].body.len() > 1_800_000);
    stack.stop().await
}
