//! A client that does what a test says, frame by frame, and not what would be polite.
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use bytes::Bytes;
use tokio::net::TcpStream;

mod http1;
mod http2;

/// Longer than any timeout that is tested: what takes longer hangs.
const HANGS_AFTER: Duration = Duration::from_secs(60);

/// Names and values, in order.
pub type Fields = Vec<(String, String)>;

/// What the client does after its headers.
#[derive(Clone, Debug)]
pub enum Step {
    /// Sends bytes: one chunk (HTTP/1.1, chunked), one DATA frame (HTTP/2).
    Data(Bytes),
    /// Waits.
    Wait(Duration),
    /// Waits for `100 Continue` (HTTP/1.1), or any other answer.
    WaitForContinue,
    /// Ends the message with trailers.
    Trailers(Fields),
    /// Breaks off: closes the connection (HTTP/1.1) or resets the stream (HTTP/2).
    Reset,
}

/// How the body's length is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// By content-length; in HTTP/2 the last frame ends the stream.
    Length,
    /// Not in advance: chunked in HTTP/1.1; in HTTP/2 an empty frame ends the stream.
    Open,
}

/// A request and the way that it is sent.
#[derive(Clone, Debug)]
pub struct Request {
    /// `GET`, `POST`, ...
    pub method: String,
    /// The path, with query.
    pub path: String,
    /// All headers apart from the host and the length.
    pub headers: Fields,
    /// What happens after the headers.
    pub steps: Vec<Step>,
    /// How the body's length is told.
    pub framing: Framing,
}

impl Request {
    /// A request without a body.
    #[must_use]
    pub fn get(path: &str) -> Self {
        Self::new("GET", path, Vec::new())
    }

    /// A JSON POST in one piece.
    #[must_use]
    pub fn post(path: &str, body: impl Into<Bytes>) -> Self {
        Self::new("POST", path, vec![Step::Data(body.into())])
            .header("content-type", "application/json")
    }

    /// Any request.
    #[must_use]
    pub fn new(method: &str, path: &str, steps: Vec<Step>) -> Self {
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            steps,
            framing: Framing::Length,
        }
    }

    /// This, with one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// This, with the body in pieces of a size, and the length not told.
    #[must_use]
    pub fn in_pieces_of(mut self, bytes: usize) -> Self {
        let mut pieces = Vec::new();
        for step in self.steps {
            let Step::Data(mut data) = step else {
                pieces.push(step);
                continue;
            };
            while data.len() > bytes {
                pieces.push(Step::Data(data.split_to(bytes)));
            }
            pieces.push(Step::Data(data));
        }
        self.steps = pieces;
        self.framing = Framing::Open;
        self
    }

    /// This, with a pause before each piece.
    #[must_use]
    pub fn with_pauses(mut self, pause: Duration) -> Self {
        let paced = self.steps.into_iter().flat_map(|step| {
            let wait = matches!(step, Step::Data(_)).then_some(Step::Wait(pause));
            wait.into_iter().chain([step])
        });
        self.steps = paced.collect();
        self
    }

    fn body_bytes(&self) -> usize {
        let length = |step: &Step| if let Step::Data(data) = step { data.len() } else { 0 };
        self.steps.iter().map(length).sum()
    }
}

/// What came back.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The final status.
    pub status: u16,
    /// Interim statuses before it, such as 100.
    pub interim: Vec<u16>,
    /// The headers; names in lower case.
    pub headers: Fields,
    /// The body.
    pub body: Vec<u8>,
    /// The trailers.
    pub trailers: Fields,
    /// Body bytes handed to the network before the reply was complete.
    pub bytes_sent: usize,
    /// From the first byte sent to the last received.
    pub elapsed: Duration,
}

impl Reply {
    /// The first value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    ///
    /// # Errors
    ///
    /// Fails when it is not JSON.
    pub fn json(&self) -> Result<serde_json::Value> {
        Ok(serde_json::from_slice(&self.body)?)
    }
}

/// The protocol spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1.
    Http1,
    /// HTTP/2 with prior knowledge.
    Http2,
}

/// One peer, reached by a new connection for each request.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    address: SocketAddr,
    protocol: Protocol,
}

impl Client {
    /// Speaks HTTP/1.1.
    #[must_use]
    pub const fn http1(address: SocketAddr) -> Self {
        Self { address, protocol: Protocol::Http1 }
    }

    /// Speaks HTTP/2.
    #[must_use]
    pub const fn http2(address: SocketAddr) -> Self {
        Self { address, protocol: Protocol::Http2 }
    }

    /// Speaks the given protocol.
    #[must_use]
    pub const fn new(address: SocketAddr, protocol: Protocol) -> Self {
        Self { address, protocol }
    }

    /// Sends a request and waits for the whole answer, which may come before all is sent.
    ///
    /// # Errors
    ///
    /// Fails when there is no answer: the connection cannot be made or breaks, [`Step::Reset`] was played, or nothing
    /// comes for a minute.
    pub async fn send(&self, request: &Request) -> Result<Reply> {
        let started = Instant::now();
        let connection = TcpStream::connect(self.address).await?;
        connection.set_nodelay(true)?;
        let exchange = async {
            match self.protocol {
                Protocol::Http1 => http1::send(connection, request, self.address).await,
                Protocol::Http2 => http2::send(connection, request, self.address).await,
            }
        };
        match tokio::time::timeout(HANGS_AFTER, exchange).await {
            Ok(reply) => Ok(Reply { elapsed: started.elapsed(), ..reply? }),
            Err(_) => bail!("no answer within {HANGS_AFTER:?}: the request hangs"),
        }
    }
}
