//! What the host knows: everything that a filter can see or change, and what it has done.
use std::collections::BTreeMap;
use std::time::Duration;

use wasmtime::{Memory, TypedFunc};

use crate::abi::{BufferKind, LogLevel, MapKind, Status};
use crate::vm::Setup;

/// The id of the root context; streams count on from it.
pub(crate) const ROOT: u32 = 1;

/// Headers or trailers, in order; names in lower case, as Envoy keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(Vec<(Vec<u8>, Vec<u8>)>);

impl Headers {
    /// The first value of a name, if it is UTF-8.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.iter().find(|(key, _)| key == name.as_bytes())?;
        std::str::from_utf8(&value.1).ok()
    }

    /// This, with one more header.
    #[must_use]
    pub fn and(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.0.push((name.to_ascii_lowercase().into_bytes(), value.as_ref().to_vec()));
        self
    }

    /// All names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.0.iter().map(|(name, value)| (name.as_slice(), value.as_slice()))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn pairs(&self) -> &[(Vec<u8>, Vec<u8>)] {
        &self.0
    }

    pub(crate) const fn from_pairs(pairs: Vec<(Vec<u8>, Vec<u8>)>) -> Self {
        Self(pairs)
    }

    pub(crate) fn remove(&mut self, name: &[u8]) {
        let name = name.to_ascii_lowercase();
        self.0.retain(|(key, _)| *key != name);
    }

    /// Sets the first value of a name and drops the others; adds it if there is none.
    pub(crate) fn replace(&mut self, name: &[u8], value: &[u8]) {
        let name = name.to_ascii_lowercase();
        match self.0.iter().position(|(key, _)| *key == name) {
            Some(at) => {
                let mut index = 0;
                self.0.retain(|(key, _)| {
                    let keep = *key != name || index == at;
                    index += 1;
                    keep
                });
                if let Some(entry) = self.0.get_mut(at) {
                    entry.1 = value.to_vec();
                }
            }
            None => self.0.push((name, value.to_vec())),
        }
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Headers {
    fn from(pairs: [(&str, &str); N]) -> Self {
        pairs.into_iter().fold(Self::default(), |all, (name, value)| all.and(name, value))
    }
}

/// A message as it left the filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The headers when they were let go; `None` while they are held.
    pub headers: Option<Headers>,
    /// The body bytes let go so far.
    pub body: Vec<u8>,
    /// The trailers, once they were let go.
    pub trailers: Option<Headers>,
    /// Whether all of it was let go.
    pub ended: bool,
}

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client.
    Request,
    /// To the client.
    Response,
}

/// A reply that a filter or the proxy made itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalReply {
    /// HTTP status.
    pub status: u32,
    /// Reason for the access log.
    pub details: String,
    /// Headers asked for, without the status.
    pub headers: Headers,
    /// The body.
    pub body: Vec<u8>,
}

/// A unary gRPC call that the filter has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrpcCall {
    /// The call's number.
    pub token: u32,
    /// The stream (or the root context) that made it.
    pub context: u32,
    /// The cluster called.
    pub cluster: String,
    /// The full service name.
    pub service: String,
    /// The method.
    pub method: String,
    /// Initial metadata.
    pub metadata: Headers,
    /// The encoded request.
    pub message: Vec<u8>,
    /// How long it may take.
    pub timeout: Duration,
    /// When it was made; the host's clock.
    pub started: Duration,
}

/// A line that the filter logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// How serious.
    pub level: LogLevel,
    /// The text.
    pub text: String,
}

/// Kinds of metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// Only grows.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Collects samples.
    Histogram,
}

/// A metric that the filter has defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: MetricKind,
    /// The value of a counter or gauge.
    pub value: i64,
    /// What a histogram was given.
    pub samples: Vec<u64>,
}

/// A host call that Envoy answers with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The import's name.
    pub call: &'static str,
    /// What it returned.
    pub status: Status,
}

/// Something that happens when the filter's code has returned, since Envoy does not enter a filter twice.
#[derive(Clone, Debug)]
pub(crate) enum Deferred {
    Resume(u32, Direction),
    Reply(u32, LocalReply),
}

/// What Envoy keeps of one direction of a stream.
#[derive(Debug, Default)]
pub(crate) struct Side {
    /// The map that the filter can reach. Envoy drops it when the header callback returns Continue; after a Pause it
    /// stays, also when the headers have left, but changes then go nowhere.
    pub(crate) headers: Option<Headers>,
    pub(crate) trailers: Option<Headers>,
    /// The bytes of the body callback that is running, unless `held` has them.
    pub(crate) passing: Option<Vec<u8>>,
    /// The bytes held back since a body callback returned Pause.
    pub(crate) held: Option<Vec<u8>>,
    /// The end has come in, but has not been let go.
    pub(crate) end_waits: bool,
    /// The last callback returned Pause, and nobody has resumed since.
    pub(crate) paused: bool,
    /// What has left.
    pub(crate) out: Message,
}

impl Side {
    pub(crate) fn buffer(&mut self) -> Option<&mut Vec<u8>> {
        self.held.as_mut().or(self.passing.as_mut())
    }

    /// Lets all go that is here.
    pub(crate) fn release(&mut self) {
        self.paused = false;
        if self.out.headers.is_none() {
            self.out.headers.clone_from(&self.headers);
        }
        if let Some(held) = self.held.take() {
            self.out.body.extend(held);
        }
        if let Some(passing) = self.passing.take() {
            self.out.body.extend(passing);
        }
        if self.end_waits {
            self.out.trailers = self.trailers.take();
            self.out.ended = true;
        }
    }
}

/// One HTTP stream.
#[derive(Debug, Default)]
pub(crate) struct StreamState {
    pub(crate) request: Side,
    pub(crate) response: Side,
    pub(crate) properties: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The filter or the proxy has answered; nothing more of the request is shown to the filter.
    pub(crate) local_reply: Option<LocalReply>,
    /// Body bytes that the filter has copied out.
    pub(crate) bytes_copied: usize,
    /// How often the filter asked for the route to be chosen anew.
    pub(crate) route_cache_clears: usize,
}

impl StreamState {
    pub(crate) const fn side(&mut self, direction: Direction) -> &mut Side {
        match direction {
            Direction::Request => &mut self.request,
            Direction::Response => &mut self.response,
        }
    }
}

/// The store's data.
pub(crate) struct Host {
    pub(crate) setup: Setup,
    /// The module's memory and allocator, once it is instantiated.
    pub(crate) guest: Option<(Memory, TypedFunc<u32, u32>)>,
    pub(crate) now: Duration,
    pub(crate) tick: Option<(Duration, Duration)>,
    /// The context on which host calls act.
    pub(crate) effective: u32,
    pub(crate) streams: BTreeMap<u32, StreamState>,
    pub(crate) next_context: u32,
    pub(crate) deferred: Vec<Deferred>,
    pub(crate) calls: BTreeMap<u32, GrpcCall>,
    pub(crate) next_token: u32,
    pub(crate) calls_made: usize,
    pub(crate) calls_cancelled: usize,
    /// The message and status that the running gRPC callback may read.
    pub(crate) grpc_receive: Option<Vec<u8>>,
    pub(crate) grpc_status: (u32, String),
    pub(crate) metrics: Vec<Metric>,
    pub(crate) shared: BTreeMap<Vec<u8>, (Vec<u8>, u32)>,
    pub(crate) log: Vec<LogLine>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) refused: Vec<Refused>,
    pub(crate) random: u64,
    pub(crate) dead: bool,
}

impl Host {
    pub(crate) fn new(setup: Setup) -> Self {
        Self {
            now: setup.start_time,
            setup,
            guest: None,
            tick: None,
            effective: ROOT,
            streams: BTreeMap::new(),
            next_context: ROOT + 1,
            deferred: Vec::new(),
            calls: BTreeMap::new(),
            next_token: 1,
            calls_made: 0,
            calls_cancelled: 0,
            grpc_receive: None,
            grpc_status: (0, String::new()),
            metrics: Vec::new(),
            shared: BTreeMap::new(),
            log: Vec::new(),
            stderr: Vec::new(),
            refused: Vec::new(),
            random: 0x9e37_79b9_7f4a_7c15,
            dead: false,
        }
    }

    /// What the guest reads when it asks for the time, in nanoseconds since 1970.
    pub(crate) fn clock_nanos(&self) -> u64 {
        let run = self.setup.running_since.map_or(Duration::ZERO, |since| since.elapsed());
        u64::try_from((self.now + run).as_nanos()).unwrap_or(u64::MAX)
    }

    /// The stream that host calls act on now; none in the root context.
    pub(crate) fn stream(&mut self) -> Option<&mut StreamState> {
        self.streams.get_mut(&self.effective)
    }

    pub(crate) fn map(&mut self, kind: MapKind) -> Option<&mut Headers> {
        let stream = self.stream()?;
        match kind {
            MapKind::RequestHeaders => stream.request.headers.as_mut(),
            MapKind::RequestTrailers => stream.request.trailers.as_mut(),
            MapKind::ResponseHeaders => stream.response.headers.as_mut(),
            MapKind::ResponseTrailers => stream.response.trailers.as_mut(),
        }
    }

    pub(crate) fn buffer(&mut self, kind: BufferKind) -> Option<&mut Vec<u8>> {
        match kind {
            BufferKind::RequestBody => self.stream()?.request.buffer(),
            BufferKind::ResponseBody => self.stream()?.response.buffer(),
            BufferKind::GrpcReceive => self.grpc_receive.as_mut(),
            BufferKind::VmConfiguration => None,
            BufferKind::PluginConfiguration => Some(&mut self.setup.config),
        }
    }

    /// The next bytes of a fixed sequence (splitmix64): runs can be repeated.
    pub(crate) fn random_byte(&mut self) -> u8 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed.to_le_bytes()[7]
    }
}
