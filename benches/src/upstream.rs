//! An upstream that costs next to nothing: it reads the body, and answers with the body's length and checksum and the
//! verdict that came with it, so that the client can tell whether all arrived as sent.
use std::convert::Infallible;
use std::net::SocketAddr;

use anyhow::Result;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Header with the body's length.
pub(crate) const BYTES: &str = "x-bench-bytes";
/// Header with the body's checksum.
pub(crate) const SUM: &str = "x-bench-sum";
/// Header with the verdict that the request carried.
pub(crate) const VERDICT: &str = "x-bench-verdict";

/// Header with the monotonic clock when the request's headers were here, in nanoseconds.
pub(crate) const AT: &str = "x-bench-at";

/// Ends when dropped.
#[derive(Debug)]
pub(crate) struct Upstream {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Upstream {
    /// Listens on a port that the system chooses.
    pub(crate) async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let _set = connection.set_nodelay(true);
                tokio::spawn(async move {
                    let service = hyper::service::service_fn(answer);
                    let http = hyper::server::conn::http1::Builder::new();
                    // Envoy closes connections when it ends.
                    let _ended = http.serve_connection(TokioIo::new(connection), service).await;
                });
            }
        });
        Ok(Self { address, task })
    }

    /// Where it listens.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(
    request: http::Request<Incoming>,
) -> Result<http::Response<Full<Bytes>>, Infallible> {
    let at = crate::client::monotonic_ns();
    let (head, mut body) = request.into_parts();
    let mut sum = Checksum::default();
    let mut is_whole = true;
    while let Some(frame) = body.frame().await {
        match frame {
            Ok(frame) => sum.add(frame.data_ref().map_or(&[][..], |data| data)),
            Err(_) => is_whole = false,
        }
    }
    let mut answer =
        http::Response::new(Full::new(Bytes::from_static(b"{\"object\":\"chat.completion\"}")));
    if !is_whole {
        *answer.status_mut() = http::StatusCode::BAD_REQUEST;
    }
    let headers = answer.headers_mut();
    headers.insert("content-type", http::HeaderValue::from_static("application/json"));
    headers.insert(BYTES, http::HeaderValue::from(sum.bytes));
    headers.insert(AT, http::HeaderValue::from(at));
    headers.insert(SUM, http::HeaderValue::from(sum.value()));
    if let Some(verdict) = head.headers.get("x-forebay-verdict") {
        headers.insert(VERDICT, verdict.clone());
    }
    Ok(answer)
}

/// Adler-like sums over words: fast, and any lost, doubled or moved byte changes them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checksum {
    bytes: u64,
    plain: u64,
    weighted: u64,
}

impl Checksum {
    /// Takes in bytes; where they are cut does not matter.
    pub(crate) fn add(&mut self, data: &[u8]) {
        for byte in data {
            self.plain = self.plain.wrapping_add(u64::from(*byte));
            self.weighted = self.weighted.wrapping_add(self.plain);
        }
        self.bytes += data.len() as u64;
    }

    /// Of all bytes so far.
    pub(crate) const fn value(&self) -> u64 {
        self.weighted.wrapping_mul(31).wrapping_add(self.plain)
    }

    /// Of these bytes.
    pub(crate) fn of(data: &[u8]) -> u64 {
        let mut sum = Self::default();
        sum.add(data);
        sum.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_do_not_matter_and_order_does() {
        let mut sum = Checksum::default();
        sum.add(b"ab");
        sum.add(b"c");
        assert_eq!(sum.value(), Checksum::of(b"abc"));
        assert_ne!(Checksum::of(b"abc"), Checksum::of(b"acb"));
        assert_ne!(Checksum::of(b"abc"), Checksum::of(b"abca"));
    }
}
