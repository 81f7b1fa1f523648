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
        metrics.connections.inc();
        let connection = Connection {
            stream,
            preface: Some((Box::pin(tokio::time::sleep(PREFACE_TIMEOUT)), PREFACE_BYTES)),
            _permit: permit,
            _counted: Counted(Arc::clone(&metrics)),
        };
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
