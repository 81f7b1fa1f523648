//! Accepted connections: how many, from whom, and how long they may stay silent.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::Sleep;

use crate::config::SocketConfig;
use crate::telemetry::Metrics;

/// How long a client may take to send the HTTP/2 preface.
const PREFACE_TIMEOUT: Duration = Duration::from_secs(10);
/// `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`.
const PREFACE_BYTES: usize = 24;
/// Wait after a failed accept (out of file descriptors, for example) before the next.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A connection that counts itself and gives up on clients that connect and say nothing.
#[derive(Debug)]
pub struct Connection {
    stream: UnixStream,
    /// Until the preface is complete: the deadline and the bytes still missing.
    preface: Option<(Pin<Box<Sleep>>, usize)>,
    _permit: OwnedSemaphorePermit,
    _counted: Counted,
}

/// Keeps the gauge right whatever ends the connection.
#[derive(Debug)]
struct Counted(Arc<Metrics>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.dec();
    }
}

impl Connection {
    fn new(
        stream: UnixStream,
        preface_timeout: Duration,
        permit: OwnedSemaphorePermit,
        metrics: &Arc<Metrics>,
    ) -> Self {
        metrics.connections.inc();
        Self {
            stream,
            preface: Some((Box::pin(tokio::time::sleep(preface_timeout)), PREFACE_BYTES)),
            _permit: permit,
            _counted: Counted(Arc::clone(metrics)),
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let this = &mut *self;
        let polled = Pin::new(&mut this.stream).poll_read(cx, buf);
        if let Some((deadline, missing)) = &mut this.preface {
            if polled.is_pending() {
                ready!(deadline.as_mut().poll(cx));
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            *missing = missing.saturating_sub(buf.filled().len() - before);
            if *missing == 0 {
                this.preface = None;
            }
        }
        polled
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// Accepts until the receiver is dropped. Connections above `max` or from peers that may not connect are closed at once and counted.
pub async fn accept(
    listener: UnixListener,
    config: SocketConfig,
    max: usize,
    metrics: Arc<Metrics>,
    accepted: mpsc::Sender<io::Result<Connection>>,
) {
    let permits = Arc::new(Semaphore::new(max));
    loop {
        let stream = tokio::select! {
            () = accepted.closed() => return,
            stream = listener.accept() => match stream {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
        };
        if !may_connect(&stream, &config) {
            metrics.refused("peer");
            continue;
        }
        let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else {
            metrics.refused("limit");
            continue;
        };
        let connection = Connection::new(stream, PREFACE_TIMEOUT, permit, &metrics);
        if accepted.send(Ok(connection)).await.is_err() {
            return;
        }
    }
}

/// Whether the kernel's word about the peer (SO_PEERCRED) is on a list, or there is none.
fn may_connect(stream: &UnixStream, config: &SocketConfig) -> bool {
    if config.allowed_uids.is_empty() && config.allowed_gids.is_empty() {
        return true;
    }
    stream.peer_cred().is_ok_and(|peer| {
        config.allowed_uids.contains(&peer.uid()) || config.allowed_gids.contains(&peer.gid())
    })
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    /// A connection whose client has said this much, and its client.
    async fn connected(said: &[u8], metrics: &Arc<Metrics>) -> (Connection, UnixStream) {
        let (mut client, stream) = UnixStream::pair().unwrap();
        client.write_all(said).await.unwrap();
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        (Connection::new(stream, Duration::from_millis(50), permit, metrics), client)
    }

    #[tokio::test]
    async fn a_client_that_says_nothing_or_half_a_greeting_is_given_up() {
        let metrics = Arc::new(Metrics::new().unwrap());
        for said in [b"".as_slice(), b"PRI * HTTP/2.0"] {
            let (mut connection, _client) = connected(said, &metrics).await;
            let mut read = Vec::new();
            let error = connection.read_to_end(&mut read).await.unwrap_err();
            assert_eq!((error.kind(), read.as_slice()), (io::ErrorKind::TimedOut, said));
            assert_eq!(metrics.connections.get(), 1);
            drop(connection);
            assert_eq!(metrics.connections.get(), 0);
        }
    }

    #[tokio::test]
    async fn a_client_that_has_greeted_may_be_silent() {
        let metrics = Arc::new(Metrics::new().unwrap());
        let greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
        let (mut connection, mut client) = connected(greeting, &metrics).await;
        let mut read = vec![0; PREFACE_BYTES];
        connection.read_exact(&mut read).await.unwrap();
        tokio::time::sleep(Duration::from_millis(80)).await;
        client.write_all(b"x").await.unwrap();
        let mut next = [0];
        connection.read_exact(&mut next).await.unwrap();
        assert_eq!((read.as_slice(), next), (greeting.as_slice(), *b"x"));
    }
}
