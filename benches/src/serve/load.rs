//! The load client: callers that wait for their answer, and an open loop that does not.
//!
//! In the open loop requests start at times drawn in advance, whether earlier ones were answered or not, and latency counts from the time
//! that was drawn: a slow server cannot slow its own load down. Errors are no latencies.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use forebay_proto::v1;
use hdrhistogram::Histogram;
use inferd::server::{Client, ClientError};
use tokio::task::JoinSet;

use crate::stats::{Random, count};

/// Connections to the server, as a proxy with several workers has.
const CONNECTIONS: usize = 4;
/// Most requests of the open loop under way at once: a bound for this process, far above what any server takes in.
const MAX_UNDER_WAY: usize = 20_000;

/// Connections and what to ask.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    clients: Arc<Vec<Client>>,
    requests: Arc<Vec<v1::ClassifyRequest>>,
}

/// How calls went.
#[derive(Clone, Debug)]
pub(crate) struct Outcomes {
    /// Of answered calls, in microseconds.
    pub(crate) latency: Histogram<u64>,
    /// Answered within the deadline.
    pub(crate) answered: usize,
    /// Tokens of those.
    pub(crate) tokens: usize,
    /// Refused at once because there was too much.
    pub(crate) shed: usize,
    /// Taken on but not answered by the deadline.
    pub(crate) late: usize,
    /// From the first start to the last answer.
    pub(crate) took: Duration,
}

impl Outcomes {
    fn new() -> Result<Self> {
        Ok(Self {
            latency: Histogram::new_with_bounds(1, 120_000_000, 3)?,
            answered: 0,
            tokens: 0,
            shed: 0,
            late: 0,
            took: Duration::ZERO,
        })
    }

    fn add(&mut self, call: &Call) {
        match call.end {
            End::Answered { tokens } => {
                self.answered += 1;
                self.tokens += tokens;
                self.latency.saturating_record(micros(call.took));
            }
            End::Shed => self.shed += 1,
            // It was taken on, so it has a latency: no less than what the caller waited.
            End::Late => {
                self.late += 1;
                self.latency.saturating_record(micros(call.took));
            }
        }
    }

    /// Answers within the deadline, per second.
    pub(crate) fn goodput(&self) -> f64 {
        count(self.answered) / self.took.as_secs_f64()
    }

    /// Tokens answered within the deadline, per second.
    pub(crate) fn token_goodput(&self) -> f64 {
        count(self.tokens) / self.took.as_secs_f64()
    }

    /// All calls.
    pub(crate) const fn calls(&self) -> usize {
        self.answered + self.shed + self.late
    }

    /// A percentile of what was taken on, in milliseconds.
    pub(crate) fn ms(&self, percent: f64) -> f64 {
        Duration::from_micros(self.latency.value_at_percentile(percent)).as_secs_f64() * 1e3
    }
}

fn micros(took: Duration) -> u64 {
    u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
}

struct Call {
    end: End,
    took: Duration,
}

enum End {
    Answered { tokens: usize },
    Shed,
    Late,
}

impl Caller {
    /// Connects. Every request asks the three signals about one text.
    pub(crate) async fn connect(socket: &Path, texts: &[String]) -> Result<Self> {
        let mut clients = Vec::new();
        for _ in 0..CONNECTIONS {
            clients.push(Client::connect(socket).await?);
        }
        let requests = texts.iter().map(|text| request(text)).collect();
        Ok(Self { clients: Arc::new(clients), requests: Arc::new(requests) })
    }

    async fn call(&self, index: usize, start: Instant, deadline: Duration) -> Result<Call> {
        let client = self.clients.get(index % self.clients.len()).context("no connection")?;
        let request = self.requests.get(index % self.requests.len()).context("no request")?;
        let result = client.classify(request.clone(), Some(deadline)).await;
        let took = start.elapsed();
        let end = match result {
            Ok(answer) => {
                check(&answer)?;
                let read = answer.results.iter().map(|r| r.tokens_read).max().unwrap_or(0);
                if took > deadline {
                    End::Late
                } else {
                    End::Answered { tokens: usize::try_from(read)? }
                }
            }
            Err(ClientError::Refused { code, .. }) if code == "ResourceExhausted" => End::Shed,
            Err(ClientError::Refused { code, .. }) if code == "DeadlineExceeded" => End::Late,
            Err(error) => return Err(error).context("a request failed"),
        };
        Ok(Call { end, took })
    }

    /// So many callers, each asking again as soon as it is answered.
    pub(crate) async fn closed(
        &self,
        callers: usize,
        duration: Duration,
        deadline: Duration,
    ) -> Result<Outcomes> {
        let began = Instant::now();
        let next = Arc::new(AtomicUsize::new(0));
        let mut tasks = JoinSet::new();
        for _ in 0..callers {
            let (caller, next) = (self.clone(), Arc::clone(&next));
            tasks.spawn(async move {
                let mut calls = Vec::new();
                while began.elapsed() < duration {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    calls.push(caller.call(index, Instant::now(), deadline).await?);
                }
                anyhow::Ok(calls)
            });
        }
        let mut outcomes = Outcomes::new()?;
        while let Some(calls) = tasks.join_next().await {
            calls??.iter().for_each(|call| outcomes.add(call));
        }
        outcomes.took = began.elapsed();
        if outcomes.shed > 0 || outcomes.late > 0 {
            bail!("{} calls were shed and {} late", outcomes.shed, outcomes.late);
        }
        Ok(outcomes)
    }

    /// So many callers until the requests of a range of numbers are answered; each number has its own text, if there are as many.
    pub(crate) async fn asked(
        &self,
        callers: usize,
        numbers: std::ops::Range<usize>,
        deadline: Duration,
    ) -> Result<()> {
        let next = Arc::new(AtomicUsize::new(numbers.start));
        let mut tasks = JoinSet::new();
        for _ in 0..callers {
            let (caller, next) = (self.clone(), Arc::clone(&next));
            tasks.spawn(async move {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= numbers.end {
                        return Ok(());
                    }
                    let call = caller.call(index, Instant::now(), deadline).await?;
                    if !matches!(call.end, End::Answered { .. }) {
                        bail!("a call was shed or late");
                    }
                }
            });
        }
        while let Some(ended) = tasks.join_next().await {
            ended??;
        }
        Ok(())
    }

    /// `rate` requests a second, at the times of a Poisson process.
    pub(crate) async fn open(
        &self,
        rate: f64,
        duration: Duration,
        deadline: Duration,
        seed: u64,
    ) -> Result<Outcomes> {
        let mut random = Random::new(seed);
        let began = Instant::now();
        let mut at = Duration::ZERO;
        let mut tasks: JoinSet<Result<Call>> = JoinSet::new();
        let mut outcomes = Outcomes::new()?;
        for index in 0.. {
            at += gap(rate, &mut random);
            if at >= duration {
                break;
            }
            let start = began + at;
            tokio::time::sleep_until(start.into()).await;
            if tasks.len() >= MAX_UNDER_WAY {
                bail!("more than {MAX_UNDER_WAY} requests are under way");
            }
            let caller = self.clone();
            tasks.spawn(async move { caller.call(index, start, deadline).await });
            while let Some(call) = tasks.try_join_next() {
                outcomes.add(&call??);
            }
        }
        while let Some(call) = tasks.join_next().await {
            outcomes.add(&call??);
        }
        // What was answered after the last start belongs to the rate as well.
        outcomes.took = began.elapsed().max(duration);
        Ok(outcomes)
    }
}

/// Time to the next start, exponentially distributed.
fn gap(rate: f64, random: &mut Random) -> Duration {
    #[allow(clippy::cast_precision_loss, reason = "53 bits")]
    let uniform = ((random.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    Duration::from_secs_f64(-uniform.ln() / rate)
}

/// All three signals of one text.
pub(crate) fn request(text: &str) -> v1::ClassifyRequest {
    let signals = [v1::Signal::Jailbreak, v1::Signal::Pii, v1::Signal::Domain];
    v1::ClassifyRequest {
        request_id: "bench".to_owned(),
        passages: vec![v1::Passage { id: 0, role: 3, text: text.to_owned() }],
        signals: signals
            .map(|s| v1::SignalRequest { signal: s.into(), passage_ids: vec![0] })
            .to_vec(),
    }
}

fn check(answer: &v1::ClassifyResponse) -> Result<()> {
    let good = answer.results.len() == 3
        && answer.results.iter().all(|r| r.failure() == v1::Failure::Unspecified && !r.truncated);
    if !good {
        bail!("an answer is not complete");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_come_at_the_rate_that_was_asked_for() {
        let mut random = Random::new(3);
        let sum: Duration = (0..20_000).map(|_| gap(100.0, &mut random)).sum();
        assert!((190.0..210.0).contains(&sum.as_secs_f64()), "{sum:?}");
    }
}
