//! A client that adds little: one connection kept, or a new one for each request; HTTP/1.1 by hand, HTTP/2 by frames.
use std::future::poll_fn;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use bytes::Bytes;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::upstream::{BYTES, Checksum, SUM, VERDICT};

/// Longer than any request of a bench may take.
const PATIENCE: Duration = Duration::from_secs(900);

/// How requests reach Envoy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// HTTP/2 with prior knowledge, or HTTP/1.1.
    pub(crate) http2: bool,
    /// One connection for all requests, or one for each.
    pub(crate) kept: bool,
}

impl Way {
    /// All four.
    pub(crate) const ALL: [Self; 4] = [
        Self { http2: false, kept: true },
        Self { http2: true, kept: true },
        Self { http2: false, kept: false },
        Self { http2: true, kept: false },
    ];

    /// For tables.
    pub(crate) const fn name(self) -> &'static str {
        match (self.http2, self.kept) {
            (false, true) => "HTTP/1.1 keep-alive",
            (true, true) => "HTTP/2 keep-alive",
            (false, false) => "HTTP/1.1 new connection",
            (true, false) => "HTTP/2 new connection",
        }
    }
}

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// HTTP status.
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// From before the connection (where it is new) to the last byte of the answer.
    pub(crate) elapsed: Duration,
    /// From there to when the last byte of the body was with the kernel.
    pub(crate) sent: Duration,
    /// The monotonic clock when the last byte of the body was with the kernel, in nanoseconds.
    pub(crate) sent_at_ns: u64,
}

impl Reply {
    /// The first value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Fails unless the request was answered with 200, its body reached the upstream as sent, and it came with the
    /// wanted verdict (`None`: with no verdict).
    pub(crate) fn check(&self, body: &Bytes, sum: u64, verdict: Option<&[&str]>) -> Result<()> {
        ensure!(self.status == 200, "status {}: {:?}", self.status, self.headers);
        let number = |name| self.header(name).and_then(|value| value.parse::<u64>().ok());
        ensure!(
            number(BYTES) == Some(body.len() as u64) && number(SUM) == Some(sum),
            "the upstream got another body than was sent ({} bytes)",
            body.len()
        );
        match (verdict, self.header(VERDICT)) {
            (None, None) => Ok(()),
            (Some(wanted), Some(found)) if wanted.contains(&found) => Ok(()),
            (wanted, found) => bail!("verdict {found:?}; expected {wanted:?}"),
        }
    }
}

/// The monotonic clock, the same for all processes of the machine.
pub(crate) fn monotonic_ns() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    u64::try_from(now.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(now.tv_nsec).unwrap_or(0)
}

enum Connection {
    Http1(TcpStream),
    Http2(h2::client::SendRequest<Bytes>),
}

/// One client.
pub(crate) struct Client {
    address: SocketAddr,
    way: Way,
    connection: Option<Connection>,
}

impl Client {
    /// Of an Envoy.
    pub(crate) const fn new(address: SocketAddr, way: Way) -> Self {
        Self { address, way, connection: None }
    }

    /// Posts a chat request and waits for the whole answer.
    pub(crate) async fn post(&mut self, body: &Bytes) -> Result<Reply> {
        match tokio::time::timeout(PATIENCE, self.exchange(body)).await {
            Ok(reply) => reply,
            Err(_) => bail!("no answer within {PATIENCE:?}"),
        }
    }

    async fn exchange(&mut self, body: &Bytes) -> Result<Reply> {
        let started = Instant::now();
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        let (reply, connection) = match connection {
            Connection::Http1(mut stream) => {
                let reply = http1(&mut stream, self.address, body, started).await?;
                (reply, Connection::Http1(stream))
            }
            Connection::Http2(client) => {
                let (reply, client) = http2(client, self.address, body, started).await?;
                (reply, Connection::Http2(client))
            }
        };
        self.connection = self.way.kept.then_some(connection);
        Ok(reply)
    }

    async fn connect(&self) -> Result<Connection> {
        let stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        if !self.way.http2 {
            return Ok(Connection::Http1(stream));
        }
        let (client, connection) =
            h2::client::Builder::new().initial_window_size(1 << 20).handshake(stream).await?;
        tokio::spawn(connection);
        Ok(Connection::Http2(client))
    }
}

async fn http1(
    stream: &mut TcpStream,
    host: SocketAddr,
    body: &Bytes,
    started: Instant,
) -> Result<Reply> {
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    let mut message = Vec::with_capacity(head.len() + body.len());
    message.extend_from_slice(head.as_bytes());
    message.extend_from_slice(body);
    stream.write_all(&message).await?;
    let (sent, sent_at_ns) = (started.elapsed(), monotonic_ns());
    let mut buffer = Vec::with_capacity(2048);
    loop {
        ensure!(stream.read_buf(&mut buffer).await? > 0, "the connection closed before an answer");
        let mut fields = [httparse::EMPTY_HEADER; 64];
        let mut response = httparse::Response::new(&mut fields);
        let httparse::Status::Complete(length) = response.parse(&buffer)? else { continue };
        let status = response.code.context("no status")?;
        let field = |field: &httparse::Header<'_>| {
            (field.name.to_ascii_lowercase(), String::from_utf8_lossy(field.value).into_owned())
        };
        let headers: Vec<_> = response.headers.iter().map(field).collect();
        let reply = |elapsed| Reply { status, headers, elapsed, sent, sent_at_ns };
        let found =
            response.headers.iter().find(|field| field.name.eq_ignore_ascii_case("content-length"));
        let announced = found
            .and_then(|field| std::str::from_utf8(field.value).ok()?.trim().parse::<usize>().ok());
        let wanted = length + announced.context("an answer without a length")?;
        while buffer.len() < wanted {
            ensure!(
                stream.read_buf(&mut buffer).await? > 0,
                "the connection closed within an answer"
            );
        }
        return Ok(reply(started.elapsed()));
    }
}

async fn http2(
    client: h2::client::SendRequest<Bytes>,
    host: SocketAddr,
    body: &Bytes,
    started: Instant,
) -> Result<(Reply, h2::client::SendRequest<Bytes>)> {
    let mut client = client.ready().await?;
    let request = http::Request::builder()
        .method("POST")
        .uri(format!("http://{host}/v1/chat/completions"))
        .version(http::Version::HTTP_2)
        .header("content-type", "application/json")
        .header("content-length", body.len())
        .body(())?;
    let (response, mut output) = client.send_request(request, false)?;
    let mut rest = body.clone();
    while !rest.is_empty() {
        output.reserve_capacity(rest.len());
        let capacity = poll_fn(|context| output.poll_capacity(context)).await;
        let capacity = capacity.context("the stream is closed")??;
        let piece = rest.split_to(capacity.min(rest.len()));
        output.send_data(piece, rest.is_empty())?;
    }
    let (sent, sent_at_ns) = (started.elapsed(), monotonic_ns());
    let (head, mut input) = response.await?.into_parts();
    while let Some(data) = input.data().await {
        let length = data?.len();
        input.flow_control().release_capacity(length)?;
    }
    let field = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    let headers = head.headers.iter().map(field).collect();
    let reply = Reply {
        status: head.status.as_u16(),
        headers,
        elapsed: started.elapsed(),
        sent,
        sent_at_ns,
    };
    Ok((reply, client))
}

/// The checksum that [`Reply::check`] compares.
pub(crate) fn checksum(body: &Bytes) -> u64 {
    Checksum::of(body)
}
