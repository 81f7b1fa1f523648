//! HTTP/2 by frames.
use std::future::poll_fn;
use std::net::SocketAddr;

use anyhow::{Context as _, Result, bail};
use bytes::Bytes;
use h2::client::ResponseFuture;
use h2::{Reason, SendStream};
use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::net::TcpStream;

use super::{Fields, Framing, Reply, Request, Step};

pub(super) async fn send(
    connection: TcpStream,
    request: &Request,
    host: SocketAddr,
) -> Result<Reply> {
    let (client, connection) = h2::client::handshake(connection).await?;
    let driver = tokio::spawn(connection);
    let reply = exchange(client, request, host).await;
    driver.abort();
    reply
}

async fn exchange(
    client: h2::client::SendRequest<Bytes>,
    request: &Request,
    host: SocketAddr,
) -> Result<Reply> {
    let mut head = http::Request::builder()
        .method(request.method.as_str())
        .uri(format!("http://{host}{}", request.path))
        .version(http::Version::HTTP_2)
        .body(())?;
    *head.headers_mut() = fields_to_map(&request.headers)?;
    let has_body = !request.steps.is_empty();
    if has_body
        && request.framing == Framing::Length
        && !head.headers().contains_key("content-length")
    {
        head.headers_mut().insert("content-length", HeaderValue::from(request.body_bytes()));
    }
    let mut client = client.ready().await?;
    let (response, output) = client.send_request(head, !has_body)?;
    let mut sent = 0;
    let mut reply = {
        let reading = read_reply(response);
        let writing = write(output, request, has_body, &mut sent);
        tokio::pin!(reading, writing);
        tokio::select! {
            reply = &mut reading => reply?,
            outcome = &mut writing => match outcome {
                Ok(Written::Reset) => bail!("the client broke off"),
                Ok(Written::All) => reading.await?,
                Err(error) => reading.await.with_context(|| format!("while sending failed: {error}"))?,
            },
        }
    };
    reply.bytes_sent = sent;
    Ok(reply)
}

enum Written {
    All,
    Reset,
}

async fn write(
    mut output: SendStream<Bytes>,
    request: &Request,
    has_body: bool,
    sent: &mut usize,
) -> Result<Written> {
    if !has_body {
        return Ok(Written::All);
    }
    let last = request.steps.iter().rposition(|step| matches!(step, Step::Data(_)));
    let ends_by_itself = request.steps.iter().any(|step| matches!(step, Step::Trailers(_)));
    let mut ended = false;
    for (index, step) in request.steps.iter().enumerate() {
        match step {
            Step::Data(data) => {
                let end = Some(index) == last
                    && index + 1 == request.steps.len()
                    && request.framing == Framing::Length
                    && !ends_by_itself;
                send_data(&mut output, data.clone(), end).await?;
                *sent += data.len();
                ended |= end;
            }
            Step::Wait(time) => tokio::time::sleep(*time).await,
            // HTTP/2 clients hardly ever wait; and h2 does not show interim answers.
            Step::WaitForContinue => bail!("waiting for 100 Continue is for HTTP/1.1"),
            Step::Trailers(fields) => {
                output.send_trailers(fields_to_map(fields)?)?;
                ended = true;
            }
            Step::Reset => {
                output.send_reset(Reason::CANCEL);
                // The frame has to leave before the connection goes.
                tokio::task::yield_now().await;
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                return Ok(Written::Reset);
            }
        }
    }
    if !ended {
        output.send_data(Bytes::new(), true)?;
    }
    Ok(Written::All)
}

async fn send_data(output: &mut SendStream<Bytes>, mut data: Bytes, end: bool) -> Result<()> {
    if data.is_empty() {
        return Ok(output.send_data(data, end)?);
    }
    while !data.is_empty() {
        output.reserve_capacity(data.len());
        let capacity = poll_fn(|context| output.poll_capacity(context)).await;
        let capacity = capacity.context("the stream is closed")??;
        let piece = data.split_to(capacity.min(data.len()));
        output.send_data(piece, end && data.is_empty())?;
    }
    Ok(())
}

async fn read_reply(response: ResponseFuture) -> Result<Reply> {
    let (head, mut input) = response.await?.into_parts();
    let mut reply = Reply {
        status: head.status.as_u16(),
        headers: map_to_fields(&head.headers),
        ..Reply::default()
    };
    while let Some(data) = input.data().await {
        let data = data?;
        input.flow_control().release_capacity(data.len())?;
        reply.body.extend_from_slice(&data);
    }
    if let Some(trailers) = input.trailers().await? {
        reply.trailers = map_to_fields(&trailers);
    }
    Ok(reply)
}

fn fields_to_map(fields: &Fields) -> Result<HeaderMap> {
    let mut map = HeaderMap::new();
    for (name, value) in fields {
        map.append(HeaderName::try_from(name.as_str())?, HeaderValue::try_from(value.as_str())?);
    }
    Ok(map)
}

fn map_to_fields(map: &HeaderMap) -> Fields {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    map.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}
