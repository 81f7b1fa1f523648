//! Admission, deadlines, cancellation, health and draining, with a backend that can be held.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use std::sync::Arc;

use crate::support::{
    JAILBREAK, Result, all, channel, config, eventually, onnx_runtime, request, start, start_fake,
};
use forebay_proto::v1;
use inferd::backend::fake::FakeRuntime;
use inferd::daemon::Daemon;
use inferd::server::{Client, ClientError};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

fn code(error: &ClientError) -> &str {
    match error {
        ClientError::Refused { code, .. } => code,
        ClientError::Connect { .. } => "connect",
    }
}

fn message(error: &ClientError) -> String {
    error.to_string()
}

#[tokio::test]
async fn requests_that_break_a_rule_are_told_which() -> Result {
    let (running, _) = start_fake(|_| {}).await?;
    let good = all(&["a", "b"]);
    let cases: [(&str, v1::ClassifyRequest); 8] = [
        ("no signal", v1::ClassifyRequest { signals: vec![], ..good.clone() }),
        ("passage id 0 is there twice", {
            let mut r = good.clone();
            r.passages[1].id = 0;
            r
        }),
        ("lists passage 9, which is not", {
            let mut r = good.clone();
            r.signals[0].passage_ids = vec![9];
            r
        }),
        ("lists passage 1 twice", {
            let mut r = good.clone();
            r.signals[0].passage_ids = vec![1, 1];
            r
        }),
        ("lists no passage", {
            let mut r = good.clone();
            r.signals[1].passage_ids.clear();
            r
        }),
        ("asked for twice", {
            let mut r = good.clone();
            r.signals[1].signal = r.signals[0].signal;
            r
        }),
        ("signal 77 is not known", {
            let mut r = good.clone();
            r.signals[1].signal = 77;
            r
        }),
        ("request_id", v1::ClassifyRequest { request_id: "x".repeat(129), ..good }),
    ];
    for (expected, request) in cases {
        let error = running.client.classify(request, None).await.unwrap_err();
        assert_eq!(code(&error), "InvalidArgument", "{expected}");
        assert!(message(&error).contains(expected), "{error} / {expected}");
    }
    assert_eq!(running.metric("forebay_requests_total{outcome=\"invalid\"}"), Some(8.0));
    Ok(())
}

#[tokio::test]
async fn a_full_queue_sheds_at_once_and_an_oversized_request_has_its_own_message() -> Result {
    let (running, script) = start_fake(|raw| raw.limits.max_queue_tokens = 512).await?;
    script.shut();
    let text = "word ".repeat(200);
    let ask = || {
        let (client, request) = (running.client.clone(), all(&[&text]));
        tokio::spawn(async move { client.classify(request, None).await })
    };
    // The first leaves the queue, the second waits; what waits plus the next request is more than fits.
    let first = ask();
    eventually("the first runs", || {
        running.metric("forebay_batch_rows_sum").is_some_and(|n| n > 2.0)
    })
    .await?;
    let second = ask();
    eventually("the second waits", || {
        running.metric("forebay_queue_tokens").is_some_and(|t| t > 250.0)
    })
    .await?;
    let began = Instant::now();
    let error =
        running.client.classify(all(&["word ".repeat(300).as_str()]), None).await.unwrap_err();
    assert_eq!(code(&error), "ResourceExhausted");
    assert!(began.elapsed() < Duration::from_secs(1));
    let error =
        running.client.classify(all(&["word ".repeat(450).as_str()]), None).await.unwrap_err();
    assert_eq!(code(&error), "InvalidArgument");
    assert!(message(&error).contains("at most 512 can wait"), "{error}");
    script.open();
    first.await??;
    second.await??;
    assert_eq!(running.metric("forebay_queue_tokens"), Some(0.0));
    Ok(())
}

#[tokio::test]
async fn what_would_come_too_late_is_shed_at_once_and_the_rest_is_in_time() -> Result {
    let (running, script) = start_fake(|_| {}).await?;
    script.row_millis.store(50, Ordering::SeqCst);
    let deadline = Duration::from_secs(2);
    let text = "word ".repeat(20);
    // The pace is learnt from what runs.
    for _ in 0..20 {
        running.client.classify(request(&[&text], &[JAILBREAK]), Some(deadline)).await?;
    }
    // Far more at once than fit their deadline.
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let (client, request) = (running.client.clone(), request(&[&text], &[JAILBREAK]));
        calls.spawn(async move {
            let began = Instant::now();
            (client.classify(request, Some(deadline)).await, began.elapsed())
        });
    }
    let (mut answered, mut shed) = (0, 0);
    while let Some(call) = calls.join_next().await {
        match call? {
            (Ok(_), _) => answered += 1,
            (Err(error), took) => {
                assert_eq!(code(&error), "ResourceExhausted", "{error}");
                assert!(took < deadline / 2, "{took:?}");
                shed += 1;
            }
        }
    }
    // Forty would fit exactly; a margin is kept.
    assert!((16..=40).contains(&answered), "{answered} answered, {shed} shed");
    Ok(())
}

#[tokio::test]
async fn more_requests_than_allowed_at_once_are_shed() -> Result {
    let (running, script) = start_fake(|raw| raw.limits.max_concurrent_requests = 1).await?;
    script.shut();
    let (client, request) = (running.client.clone(), all(&["a"]));
    let first = tokio::spawn(async move { client.classify(request, None).await });
    eventually("the first request runs", || {
        running.metric("forebay_batch_rows_sum").is_some_and(|n| n > 2.0)
    })
    .await?;
    let error = running.client.classify(all(&["b"]), None).await.unwrap_err();
    assert_eq!(code(&error), "ResourceExhausted");
    script.open();
    first.await??;
    Ok(())
}

#[tokio::test]
async fn a_deadline_is_kept_and_late_work_never_runs() -> Result {
    // Once the daemon's own limit, once the one that the call asks for.
    for (max_deadline_ms, timeout) in [(100, None), (60_000, Some(Duration::from_millis(100)))] {
        late_work_never_runs(max_deadline_ms, timeout).await?;
    }
    Ok(())
}

async fn late_work_never_runs(max_deadline_ms: u64, timeout: Option<Duration>) -> Result {
    let (running, script) = start_fake(|raw| raw.limits.max_deadline_ms = max_deadline_ms).await?;
    script.shut();
    let (client, request) = (running.client.clone(), all(&["first"]));
    let first = tokio::spawn(async move { client.classify(request, None).await });
    eventually("the first request runs", || {
        running.metric("forebay_batch_rows_sum").is_some_and(|n| n > 2.0)
    })
    .await?;
    let began = Instant::now();
    let error =
        running.client.classify(all(&["second"]), timeout).await.err().ok_or("was answered")?;
    assert_eq!(code(&error), "DeadlineExceeded", "{error}");
    assert!(began.elapsed() < Duration::from_secs(2));
    script.open();
    drop(first.await?);
    running.client.classify(all(&["third"]), None).await?;
    // Two warm-up windows, the first and the third request.
    assert_eq!(script.rows.load(Ordering::SeqCst), 4);
    if timeout.is_none() {
        assert!(
            running
                .metric("forebay_requests_total{outcome=\"deadline\"}")
                .is_some_and(|n| n >= 1.0)
        );
    }
    Ok(())
}

#[tokio::test]
async fn work_whose_caller_has_gone_never_runs() -> Result {
    let (running, script) = start_fake(|_| {}).await?;
    script.shut();
    let (client, request) = (running.client.clone(), all(&["first"]));
    let first = tokio::spawn(async move { client.classify(request, None).await });
    eventually("the first request runs", || {
        running.metric("forebay_batch_rows_sum").is_some_and(|n| n > 2.0)
    })
    .await?;
    let (client, request) = (running.client.clone(), all(&["second"]));
    let second = tokio::spawn(async move { client.classify(request, None).await });
    eventually("the second waits", || {
        running.metric("forebay_queue_tokens").is_some_and(|t| t > 0.0)
    })
    .await?;
    second.abort();
    eventually("the daemon notices", || {
        running.metric("forebay_requests_total{outcome=\"cancelled\"}") == Some(1.0)
    })
    .await?;
    script.open();
    first.await??;
    running.ask(all(&["third"])).await?;
    assert_eq!(script.rows.load(Ordering::SeqCst), 4);
    Ok(())
}

#[tokio::test]
async fn a_failing_run_is_a_failure_of_its_signals_and_the_next_one_works() -> Result {
    let (running, script) = start_fake(|_| {}).await?;
    script.fail.store(true, Ordering::SeqCst);
    for result in running.ask(all(&["a"])).await?.results {
        assert_eq!(result.failure(), v1::Failure::Runtime);
    }
    script.fail.store(false, Ordering::SeqCst);
    script.not_finite.store(true, Ordering::SeqCst);
    for result in running.ask(all(&["a"])).await?.results {
        assert_eq!(result.failure(), v1::Failure::NotFinite);
    }
    script.not_finite.store(false, Ordering::SeqCst);
    for result in running.ask(all(&["a"])).await?.results {
        assert_eq!(result.failure(), v1::Failure::Unspecified);
    }
    Ok(())
}

#[tokio::test]
async fn a_crashed_worker_fails_its_batch_and_is_restarted() -> Result {
    let (running, script) = start_fake(|_| {}).await?;
    script.panic_once.store(true, Ordering::SeqCst);
    for result in running.ask(all(&["a"])).await?.results {
        assert_eq!(result.failure(), v1::Failure::Runtime);
    }
    for result in running.ask(all(&["a"])).await?.results {
        assert_eq!(result.failure(), v1::Failure::Unspecified);
    }
    assert_eq!(script.opened.load(Ordering::SeqCst), 2);
    assert_eq!(running.metric("forebay_worker_restarts_total"), Some(1.0));
    Ok(())
}

#[tokio::test]
async fn draining_answers_what_is_under_way_and_refuses_the_rest() -> Result {
    let (running, script) = start_fake(|_| {}).await?;
    script.shut();
    let (client, request) = (running.client.clone(), all(&["first"]));
    let first = tokio::spawn(async move { client.classify(request, None).await });
    eventually("the first request runs", || {
        running.metric("forebay_batch_rows_sum").is_some_and(|n| n > 2.0)
    })
    .await?;
    let socket = running.daemon.socket();
    let stopping = tokio::spawn(running.daemon.stop());
    eventually("the socket goes", || !socket.exists()).await?;
    assert_eq!(code(&Client::connect(&socket).await.unwrap_err()), "connect");
    script.open();
    first.await??;
    stopping.await??;
    Ok(())
}

#[tokio::test]
async fn draining_ends_within_its_limit() -> Result {
    let (running, script) = start_fake(|raw| raw.limits.drain_ms = 50).await?;
    script.shut();
    let (client, request) = (running.client.clone(), all(&["stuck"]));
    let stuck = tokio::spawn(async move { client.classify(request, None).await });
    eventually("the request runs", || {
        running.metric("forebay_batch_rows_sum").is_some_and(|n| n > 2.0)
    })
    .await?;
    let stopping = tokio::spawn(running.daemon.stop());
    let error = stuck.await?.unwrap_err();
    assert_eq!(code(&error), "Unavailable", "{error}");
    script.open();
    assert!(stopping.await?.is_err());
    Ok(())
}

#[tokio::test]
async fn health_tells_each_signal_and_the_whole() -> Result {
    let (running, _) = start_fake(|_| {}).await?;
    for service in ["", forebay_proto::SERVICE, "jailbreak", "pii", "domain"] {
        assert!(running.client.is_serving(service).await?, "{service}");
    }
    assert!(!running.client.is_serving("weather").await?);
    Ok(())
}

async fn get(address: std::net::SocketAddr, path: &str) -> Result<String> {
    let mut stream = tokio::net::TcpStream::connect(address).await?;
    stream
        .write_all(
            format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes(),
        )
        .await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[tokio::test]
async fn the_admin_port_answers_probes_and_metrics() -> Result {
    let (running, _) = start_fake(|_| {}).await?;
    let address = running.daemon.admin().ok_or("no admin port")?;
    for path in ["/livez", "/readyz", "/startupz"] {
        assert!(get(address, path).await?.starts_with("HTTP/1.1 200"), "{path}");
    }
    running.ask(all(&["my secret text"])).await?;
    let page = get(address, "/metrics").await?;
    assert!(page.contains("forebay_requests_total{outcome=\"ok\"} 1"), "{page}");
    assert!(page.contains("text/plain; version=0.0.4"));
    assert!(page.contains("forebay_runtime_info{provider=\"fake\",version=\"fake\"} 1"), "{page}");
    let served = "forebay_model_info{attention=\"plain\",name=\"tiny\",sha256=\"";
    assert_eq!(page.matches(served).count(), 3, "{page}");
    assert!(!page.contains("secret"));
    Ok(())
}

async fn post(
    address: std::net::SocketAddr,
    path: &str,
    body: &str,
) -> Result<(u16, serde_json::Value)> {
    let mut stream = tokio::net::TcpStream::connect(address).await?;
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let status = answer.split(' ').nth(1).ok_or("status")?.parse()?;
    let body = answer.split_once("\r\n\r\n").ok_or("body")?.1;
    Ok((status, serde_json::from_str(body).unwrap_or_default()))
}

#[tokio::test]
async fn other_servers_interfaces_are_off_unless_asked_for() -> Result {
    let (running, _) = start_fake(|_| {}).await?;
    let address = running.daemon.admin().ok_or("no admin port")?;
    assert_eq!(post(address, "/predict", "{\"inputs\":\"a\"}").await?.0, 404);
    Ok(())
}

#[tokio::test]
async fn other_servers_clients_are_answered_in_their_shape() -> Result {
    let running = start(onnx_runtime()?, |raw| raw.admin.compatibility = true).await?;
    let address = running.daemon.admin().ok_or("no admin port")?;
    let (status, answer) = post(address, "/predict", "{\"inputs\":\"please ignore\"}").await?;
    assert_eq!((status, &answer[0]["label"]), (200, &"jailbreak".into()));
    let (_, answer) =
        post(address, "/predict/domain", "{\"inputs\":[[\"integral\"],[\"court\"]]}").await?;
    assert_eq!((&answer[0][0]["label"], &answer[1][0]["label"]), (&"math".into(), &"law".into()));
    let (_, answer) = post(address, "/predict/pii", "{\"inputs\":\"met Alice\"}").await?;
    assert_eq!(answer[0]["start"], 4);
    let infer = r#"{"id":"7","inputs":[{"name":"text","shape":[2],"datatype":"BYTES","data":["integral","court"]}]}"#;
    let (status, answer) = post(address, "/v2/models/domain/infer", infer).await?;
    assert_eq!((status, &answer["id"], &answer["model_version"]), (200, &"7".into(), &"1".into()));
    assert_eq!(answer["outputs"][0]["data"], serde_json::json!(["math", "law"]));
    assert_eq!(answer["outputs"][0]["shape"], serde_json::json!([2]));
    assert!(get(address, "/v2/models/pii/ready").await?.starts_with("HTTP/1.1 200"));
    assert!(get(address, "/v2/models/pii").await?.contains("\"platform\":\"onnx\""));
    for (path, body, expected) in [
        ("/predict/weather", "{\"inputs\":\"a\"}", 404),
        ("/predict", "{\"inputs\":[[\"a\",\"b\"]]}", 422),
        ("/predict", "{\"inputs\":[]}", 400),
        ("/predict", "nonsense", 400),
        ("/v2/models/domain/infer", "{\"inputs\":[]}", 400),
        (
            "/v2/models/domain/infer",
            r#"{"inputs":[{"name":"x","datatype":"BYTES","data":["a"]}]}"#,
            400,
        ),
    ] {
        assert_eq!(post(address, path, body).await?.0, expected, "{path} {body}");
    }
    Ok(())
}

#[tokio::test]
async fn a_message_above_the_limit_is_refused_and_the_connection_lives() -> Result {
    let (running, _) = start_fake(|raw| raw.limits.max_message_bytes = 4096).await?;
    let error = running.client.classify(all(&["x".repeat(8192).as_str()]), None).await.unwrap_err();
    assert_eq!(code(&error), "OutOfRange", "{error}");
    running.ask(all(&["a"])).await?;
    Ok(())
}

#[tokio::test]
async fn garbage_and_silent_clients_harm_nobody() -> Result {
    let (running, _) = start_fake(|raw| raw.limits.max_connections = 4).await?;
    let socket = running.daemon.socket();
    let mut garbage = tokio::net::UnixStream::connect(&socket).await?;
    garbage.write_all(&[0xff; 4096]).await?;
    let mut rest = Vec::new();
    // The server closes the connection, with or without a last frame.
    drop(tokio::time::timeout(Duration::from_secs(5), garbage.read_to_end(&mut rest)).await?);
    let mut silent = Vec::new();
    for _ in 0..8 {
        silent.push(tokio::net::UnixStream::connect(&socket).await?);
    }
    eventually("connections above the limit are closed", || {
        running
            .metric("forebay_connections_refused_total{reason=\"limit\"}")
            .is_some_and(|n| n >= 4.0)
    })
    .await?;
    running.ask(all(&["a"])).await?;
    drop(silent);
    eventually("the places are free again", || running.metric("forebay_connections") == Some(1.0))
        .await?;
    Client::connect(&socket).await?;
    Ok(())
}

#[tokio::test]
async fn peers_that_are_not_on_the_list_are_closed_at_once() -> Result {
    let (uid, gid) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    for (uids, gids, may) in [
        (vec![uid], vec![], true),
        (vec![], vec![gid + 1, gid], true),
        (vec![uid + 1], vec![gid], true),
        (vec![uid + 1], vec![], false),
        (vec![], vec![gid + 1], false),
    ] {
        let dir = tempfile::tempdir()?;
        let settings = config(dir.path(), |raw| {
            raw.socket.allowed_uids.clone_from(&uids);
            raw.socket.allowed_gids.clone_from(&gids);
        })?;
        let daemon = Daemon::start(settings, Arc::new(FakeRuntime::default())).await?;
        let asked =
            async { Client::connect(&daemon.socket()).await?.classify(all(&["a"]), None).await };
        assert_eq!(asked.await.is_ok(), may, "{uids:?} {gids:?}");
        let page = daemon.metrics().render();
        let counted = page.contains("forebay_connections_refused_total{reason=\"peer\"}");
        assert_eq!(counted, !may, "{uids:?} {gids:?}");
    }
    Ok(())
}

/// A frame of HTTP/2 that a client sends.
fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let [.., high, low] = payload.len().to_be_bytes();
    [[0, high, low, kind, flags, 0, 0, 0, stream].as_slice(), payload].concat()
}

#[tokio::test]
async fn a_call_that_is_never_sent_whole_ends_and_harms_nobody() -> Result {
    const HEADERS: u8 = 1;
    const SETTINGS: u8 = 4;
    const END_HEADERS: u8 = 4;
    let (running, _) = start_fake(|raw| raw.limits.max_deadline_ms = 200).await?;
    // By the static table of RFC 7541: POST, http; then path, authority, content type and `te` spelt out.
    let mut fields = vec![0x83, 0x86];
    for (name, value) in [
        (b"\x04".as_slice(), "/forebay.inferd.v1.Inferd/Classify"),
        (b"\x01".as_slice(), "x"),
        (b"\x0f\x10".as_slice(), "application/grpc"),
        (b"\x00\x02te".as_slice(), "trailers"),
    ] {
        fields.extend_from_slice(name);
        fields.push(u8::try_from(value.len())?);
        fields.extend_from_slice(value.as_bytes());
    }
    let mut half_open = tokio::net::UnixStream::connect(running.daemon.socket()).await?;
    half_open.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await?;
    half_open.write_all(&frame(SETTINGS, 0, 0, &[])).await?;
    half_open.write_all(&frame(HEADERS, END_HEADERS, 1, &fields)).await?;
    // Nothing follows. The daemon ends the stream by itself.
    let ended = async {
        loop {
            let mut head = [0; 9];
            half_open.read_exact(&mut head).await?;
            let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
            let mut payload = vec![0; usize::try_from(length).unwrap_or(0)];
            half_open.read_exact(&mut payload).await?;
            if head[8] == 1 {
                return Ok::<u8, std::io::Error>(head[3]);
            }
        }
    };
    let kind = tokio::time::timeout(Duration::from_secs(10), ended).await??;
    assert_eq!(kind, HEADERS, "the answer is a status");
    running.ask(all(&["a"])).await?;
    Ok(())
}

#[tokio::test]
async fn reflection_names_the_services() -> Result {
    use tonic_reflection::pb::v1::ServerReflectionRequest;
    use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
    use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
    let (running, _) = start_fake(|_| {}).await?;
    let mut client = ServerReflectionClient::new(channel(running.daemon.socket()).await?);
    let request = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut answers =
        client.server_reflection_info(tokio_stream::once(request)).await?.into_inner();
    let answer = format!("{:?}", answers.message().await?.ok_or("no answer")?);
    for name in [forebay_proto::SERVICE, "grpc.health.v1.Health"] {
        assert!(answer.contains(name), "{name} in {answer}");
    }
    Ok(())
}
