//! What the host promises, shown with a filter of one habit at a time.
use std::sync::OnceLock;
use std::time::Duration;

use wasm_host::{
    End, Error, Filter, Flow, Headers, Result, Setup, Status, Vm, built_fixture, post,
};

/// The fixture, compiled once.
fn filter() -> Result<&'static Filter> {
    static FILTER: OnceLock<Filter> = OnceLock::new();
    if let Some(filter) = FILTER.get() {
        return Ok(filter);
    }
    let compiled = Filter::load(&built_fixture())?;
    Ok(FILTER.get_or_init(|| compiled))
}

fn start(habit: &str) -> Result<Vm> {
    Vm::start(filter()?, Setup::with_config(habit))
}

fn path() -> Headers {
    post("/v1/chat/completions")
}

fn ok() -> Headers {
    Headers::from([(":status", "200")])
}

#[test]
fn a_watching_filter_sees_each_piece_and_holds_nothing() -> Result<()> {
    let vm = start("watch")?;
    let stream = vm.stream()?;
    assert_eq!(stream.request_headers(&path(), End::Later)?, Flow::Continue);
    stream.request_body(b"abc", End::Later)?;
    assert_eq!(stream.upstream().body, b"abc", "nothing is held");
    stream.request_body(b"de", End::Later)?;
    stream.request_body(b"", End::Now)?;
    assert!(stream.upstream().ended);
    stream.response_headers(&ok(), End::Later)?;
    stream.response_body(b"answer", End::Now)?;
    let client = stream.client();
    assert_eq!(client.headers.as_ref().and_then(|map| map.get("x-seen")), Some("3 2 0!"));
    assert_eq!(client.body, b"answer");
    stream.close()
}

#[test]
fn sizes_are_cumulative_while_a_body_is_held_and_the_headers_wait_for_it() -> Result<()> {
    let vm = start("hold")?;
    let stream = vm.stream()?;
    stream.request_headers(&path(), End::Later)?;
    stream.request_body(b"abc", End::Later)?;
    stream.request_body(b"de", End::Later)?;
    assert!(stream.waits() && stream.upstream().headers.is_none());
    stream.request_body(b"", End::Now)?;
    let upstream = stream.upstream();
    assert_eq!(upstream.headers.as_ref().and_then(|map| map.get("x-seen")), Some("3 5 5!"));
    assert_eq!(upstream.body, b"abcde");
    assert!(upstream.ended && !stream.waits());
    stream.close()
}

#[test]
fn a_request_without_a_body_ends_with_its_headers() -> Result<()> {
    let stream = start("hold")?.stream()?;
    assert_eq!(stream.request_headers(&path(), End::Now)?, Flow::Continue);
    assert!(stream.upstream().ended);
    stream.close()
}

#[test]
fn trailers_end_a_held_request() -> Result<()> {
    let stream = start("hold")?.stream()?;
    stream.request_headers(&path(), End::Later)?;
    stream.request_body(b"abc", End::Later)?;
    stream.request_trailers(&Headers::from([("x-sum", "1")]))?;
    let upstream = stream.upstream();
    assert_eq!(upstream.headers.as_ref().and_then(|map| map.get("x-seen")), Some("3 trailers=1"));
    assert_eq!(upstream.trailers, Some(Headers::from([("x-sum", "1")])));
    assert!(upstream.ended);
    stream.close()
}

#[test]
fn pieces_pass_once_the_filter_lets_go() -> Result<()> {
    let stream = start("hold-first")?.stream()?;
    stream.request_headers(&path(), End::Later)?;
    stream.request_body(b"abc", End::Later)?;
    stream.request_body(b"de", End::Later)?;
    assert_eq!(stream.upstream().body, b"abcde");
    stream.request_body(b"f", End::Later)?;
    stream.request_body(b"", End::Now)?;
    let upstream = stream.upstream();
    assert_eq!(upstream.body, b"abcdef");
    let seen = upstream.headers.as_ref().and_then(|map| map.get("x-seen")).map(str::to_owned);
    assert_eq!(seen, None, "a header set after the headers have left goes nowhere");
    assert_eq!(stream.upstream().headers, Some(path()));
    stream.close()
}

#[test]
fn headers_that_were_let_go_can_no_longer_be_set() -> Result<()> {
    let vm = start("late-header")?;
    let stream = vm.stream()?;
    stream.request(&path(), [&b"abc"[..]])?;
    let refused = vm.refused();
    assert!(refused.iter().all(|call| call.status == Status::BadArgument), "{refused:?}");
    assert!(!refused.is_empty());
    assert_eq!(stream.upstream().headers, Some(path()));
    stream.close()
}

#[test]
fn an_answer_to_a_call_lets_the_request_go() -> Result<()> {
    let vm = start("ask")?;
    let stream = vm.stream()?;
    stream.request(&path(), [&b"que"[..], b"stion"])?;
    let call = stream.call().ok_or(Error::Misuse("no call"))?;
    let request = call.request().ok_or(Error::Misuse("no request"))?;
    assert_eq!(
        (request.cluster.as_str(), request.message.as_slice()),
        ("inferd", &b"question"[..])
    );
    assert_eq!(stream.bytes_copied(), 8);
    assert!(stream.waits());
    call.reply(b"four")?;
    let upstream = stream.upstream();
    assert_eq!(upstream.headers.as_ref().and_then(|map| map.get("x-answer")), Some("4"));
    assert_eq!(upstream.body, b"question");
    stream.close()
}

#[test]
fn a_call_runs_into_its_timeout_as_unavailable() -> Result<()> {
    let vm = start("ask")?;
    let stream = vm.stream()?;
    stream.request(&path(), [&b"question"[..]])?;
    vm.advance(Duration::from_millis(999))?;
    assert!(stream.local_reply().is_none());
    vm.advance(Duration::from_millis(1))?;
    let reply = stream.local_reply().ok_or(Error::Misuse("no reply"))?;
    assert_eq!((reply.status, reply.body.as_slice()), (503, &b"status 14"[..]));
    assert_eq!(stream.client().body, b"status 14");
    assert!(stream.upstream().headers.is_none());
    stream.close()
}

#[test]
fn a_call_to_an_unknown_cluster_is_refused_at_once() -> Result<()> {
    let vm = Vm::start(filter()?, Setup::with_config("ask").without_clusters())?;
    let stream = vm.stream()?;
    stream.request(&path(), [&b"question"[..]])?;
    assert_eq!(stream.local_reply().map(|reply| reply.status), Some(503));
    assert_eq!(vm.calls_made(), 0);
    stream.close()
}

#[test]
fn a_stream_that_ends_cancels_its_call_and_a_late_answer_goes_nowhere() -> Result<()> {
    let vm = start("ask")?;
    let stream = vm.stream()?;
    stream.request(&path(), [&b"question"[..]])?;
    let call = stream.call().ok_or(Error::Misuse("no call"))?;
    stream.close()?;
    assert_eq!((vm.calls_cancelled(), vm.calls_in_flight().len()), (1, 0));
    call.reply(b"late")
}

#[test]
fn a_body_is_replaced_as_a_whole_only() -> Result<()> {
    let stream = start("replace")?.stream()?;
    stream.request(&path(), [&b"one body"[..]])?;
    assert_eq!(stream.upstream().body, b"another body");
    stream.close()?;

    let stream = start("replace-part")?.stream()?;
    stream.request(&path(), [&b"one body"[..]])?;
    let upstream = stream.upstream();
    assert_eq!(upstream.headers.as_ref().and_then(|map| map.get("x-status")), Some("2"));
    assert_eq!(upstream.body, b"one body");
    stream.close()
}

#[test]
fn a_local_reply_passes_the_filters_response_callbacks_and_ends_the_request() -> Result<()> {
    let stream = start("reply")?.stream()?;
    assert_eq!(stream.request(&path(), [&b"abc"[..]])?, Flow::Pause);
    let client = stream.client();
    let headers = client.headers.unwrap_or_default();
    assert_eq!(headers.get(":status"), Some("403"));
    assert_eq!(headers.get("x-why"), Some("habit"));
    assert_eq!(headers.get("content-length"), Some("2"));
    assert_eq!(headers.get("x-seen"), Some("3 3!"), "set in the response callback");
    assert_eq!(client.body, b"no");
    assert!(stream.upstream().headers.is_none());
    assert_eq!(stream.request_body(b"more", End::Later)?, Flow::Gone);
    stream.close()
}

#[test]
fn a_held_body_beyond_the_limit_is_answered_by_the_proxy() -> Result<()> {
    let vm = Vm::start(filter()?, Setup::with_config("hold").buffer_limit_bytes(4))?;
    let stream = vm.stream()?;
    stream.request_headers(&path(), End::Later)?;
    stream.request_body(b"abc", End::Later)?;
    assert!(stream.local_reply().is_none());
    stream.request_body(b"de", End::Later)?;
    assert_eq!(stream.local_reply().map(|reply| reply.status), Some(413));
    stream.close()
}

#[test]
fn a_tick_reaches_a_waiting_stream() -> Result<()> {
    let vm = start("wait")?;
    let stream = vm.stream()?;
    stream.request(&path(), [&b"abc"[..]])?;
    vm.advance(Duration::from_millis(149))?;
    assert!(stream.waits());
    vm.advance(Duration::from_millis(1))?;
    let upstream = stream.upstream();
    assert_eq!(upstream.headers.as_ref().and_then(|map| map.get("x-ticked")), Some("yes"));
    assert!(upstream.ended);
    stream.close()
}

#[test]
fn a_panic_is_a_trap_with_its_message_and_the_vm_is_dead() -> Result<()> {
    let vm = start("panic")?;
    let stream = vm.stream()?;
    let error = stream.request(&path(), [&b"abc"[..]]).err();
    let Some(Error::Trap { during, stderr, .. }) = &error else { panic!("no trap: {error:?}") };
    assert_eq!(*during, "proxy_on_request_body");
    assert!(stderr.contains("a habit"), "{stderr}");
    assert!(matches!(vm.stream(), Err(Error::Dead)));
    Ok(())
}

#[test]
fn a_refused_configuration_says_what_was_logged() {
    let Err(Error::Refused { log }) = start("no-habit") else { panic!("was not refused") };
    assert_eq!(log, "no such habit");
}

#[test]
fn streams_of_one_vm_keep_apart() -> Result<()> {
    let vm = start("ask")?;
    let (one, two) = (vm.stream()?, vm.stream()?);
    one.request(&path(), [&b"one"[..]])?;
    two.request(&path(), [&b"second"[..]])?;
    let (first, second) = (one.call(), two.call());
    second.ok_or(Error::Misuse("no call"))?.reply(b"22")?;
    assert!(one.waits() && !two.waits());
    first.ok_or(Error::Misuse("no call"))?.reply(b"1")?;
    assert_eq!((one.upstream().body, two.upstream().body), (b"one".to_vec(), b"second".to_vec()));
    one.close()?;
    two.close()
}
