//! Requests through one stack: latencies of those that were answered rightly, and what they cost. One that fails ends
//! the bench.
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result};
use tokio::task::JoinSet;

use crate::client::{Client, Reply, Way, checksum};
use crate::prompts::Prompt;
use crate::stack::{Stack, Usage};
use crate::stats::{Spread, count};

/// Verdicts that a screened request may carry when every signal only tags.
pub(crate) const SCREENED: Option<&[&str]> = Some(&["allow"]);

/// The verdict of a request whose call could not be made.
pub(crate) const UNSCREENED: Option<&[&str]> = Some(&["unscreened"]);

/// A body with its checksum.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    body: bytes::Bytes,
    sum: u64,
}

impl From<&Prompt> for Load {
    fn from(prompt: &Prompt) -> Self {
        Self { sum: checksum(&prompt.body), body: prompt.body.clone() }
    }
}

/// What some requests came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// Latency of each, in milliseconds.
    pub(crate) ms: Vec<f64>,
    /// From the last body byte at the kernel to the answer, in milliseconds.
    pub(crate) tail_ms: Vec<f64>,
    /// CPU time of all.
    pub(crate) usage: Usage,
    /// Peak memory of Envoy and of the daemon, in MiB.
    pub(crate) peaks_mib: (f64, f64),
    /// Wall time of all, in seconds; only of concurrent requests.
    pub(crate) seconds: f64,
}

impl Cell {
    /// Latencies as one; nothing when there was no request.
    pub(crate) fn spread(&self) -> Option<Spread> {
        Spread::of(&self.ms)
    }

    /// CPU time of Envoy and of the daemon for each request, in milliseconds.
    pub(crate) fn cpu_ms(&self) -> (f64, f64) {
        let each =
            |time: std::time::Duration| time.as_secs_f64() * 1e3 / count(self.ms.len().max(1));
        (each(self.usage.envoy), each(self.usage.daemon))
    }
}

/// One client of one stack.
pub(crate) struct Runner {
    pub(crate) name: &'static str,
    pub(crate) stack: Stack,
    /// `None` where nothing screens.
    verdicts: Option<&'static [&'static str]>,
    client: Client,
    cell: Cell,
    before: Usage,
    /// Requests answered since the start.
    pub(crate) answered: usize,
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Runner").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Runner {
    pub(crate) fn new(
        name: &'static str,
        stack: Stack,
        verdicts: Option<&'static [&'static str]>,
    ) -> Self {
        let client = Client::new(stack.address(), Way { http2: false, kept: true });
        let (cell, before) = (Cell::default(), Usage::default());
        Self { name, stack, verdicts, client, cell, before, answered: 0 }
    }

    /// Sends the following requests another way.
    pub(crate) fn go_by(&mut self, way: Way) {
        self.client = Client::new(self.stack.address(), way);
    }

    /// Starts a new cell: peaks and times from zero.
    pub(crate) fn begin(&mut self) -> Result<()> {
        self.cell = Cell::default();
        self.stack.reset_peaks()?;
        self.before = self.stack.usage()?;
        Ok(())
    }

    /// Sends a request and checks the answer; it does not count.
    pub(crate) async fn warm(&mut self, load: &Load) -> Result<Reply> {
        let reply = self.client.post(&load.body).await.with_context(|| self.name)?;
        reply.check(&load.body, load.sum, self.verdicts).with_context(|| self.name)?;
        self.answered += 1;
        Ok(reply)
    }

    /// Sends a request, checks the answer and counts it.
    pub(crate) async fn send(&mut self, load: &Load) -> Result<Reply> {
        let reply = self.warm(load).await?;
        self.cell.ms.push(reply.elapsed.as_secs_f64() * 1e3);
        self.cell.tail_ms.push(reply.elapsed.saturating_sub(reply.sent).as_secs_f64() * 1e3);
        Ok(reply)
    }

    /// Sends `total` requests, `clients` at a time.
    pub(crate) async fn crowd(
        &mut self,
        loads: &Arc<Vec<Load>>,
        clients: usize,
        total: usize,
    ) -> Result<()> {
        let started = Instant::now();
        let next = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let mut tasks = JoinSet::new();
        for _ in 0..clients {
            let mut client = Client::new(self.stack.address(), Way { http2: false, kept: true });
            let (loads, next, verdicts) = (Arc::clone(loads), Arc::clone(&next), self.verdicts);
            tasks.spawn(async move {
                let mut replies = Vec::new();
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if at >= total {
                        return anyhow::Ok(replies);
                    }
                    let load = loads.get(at % loads.len().max(1)).context("no prompts")?;
                    let reply = client.post(&load.body).await?;
                    reply.check(&load.body, load.sum, verdicts)?;
                    replies.push(reply.elapsed.as_secs_f64() * 1e3);
                }
            });
        }
        while let Some(done) = tasks.join_next().await {
            let replies = done?.with_context(|| self.name)?;
            self.answered += replies.len();
            self.cell.ms.extend(replies);
        }
        self.cell.seconds = started.elapsed().as_secs_f64();
        Ok(())
    }

    /// How many requests of the cell are counted.
    pub(crate) fn counted(&self) -> usize {
        self.cell.ms.len()
    }

    /// Ends the cell.
    pub(crate) fn end(&mut self) -> Result<Cell> {
        let after = self.stack.usage()?;
        self.cell.usage = Usage {
            envoy: after.envoy.saturating_sub(self.before.envoy),
            daemon: after.daemon.saturating_sub(self.before.daemon),
        };
        self.cell.peaks_mib = self.stack.peaks_mib()?;
        Ok(std::mem::take(&mut self.cell))
    }
}
