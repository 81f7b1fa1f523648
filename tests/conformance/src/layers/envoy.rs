//! The envoy layer: real Envoy with the built filter, the stub daemon or the real one behind its socket.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use e2e::stub::Behaviour;
use e2e::{
    Client, DaemonKind, Envoy as Proxy, EnvoyConfig, Parts, Process, Protocol as Wire, Request,
    Seen, Stack, StackSetup, Step,
};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{Buffer, Host, Layer, Load, Model, Rounds, Setup, Updates};
use crate::case::Case;
use crate::exchange::{Classifier, Exchange, Protocol, Reset};
use crate::expect::{CRASH_WORDS, Finding};
use crate::kinds::{ConfigRefusal, Outcome};
use crate::observed::{Forwarded, Observed};
use crate::oracle::Answer;
use crate::settings::{PREFIX, Settings, header_name};

mod daemon;

/// Longer than any deadline of the filter that a case waits for.
const STALL: Duration = Duration::from_secs(90);
/// How long a late verdict may take to do harm after its client has gone.
const AFTERMATH: Duration = Duration::from_millis(800);
/// A user that is neither root nor this one; what the cases give Envoy.
const OTHER_USER: u32 = 1337;

/// The envoy layer.
pub(crate) struct Envoy {
    runtime: Runtime,
    parts: Parts,
    /// The stack that ran last, kept for cases with the same configuration.
    running: Option<(String, Stack)>,
    model: Model,
}

/// What differs between stacks besides the filter's settings.
#[derive(Clone, Debug, Default, PartialEq)]
struct Options {
    buffer: Option<Buffer>,
    /// Listener limit, in bytes.
    listener_bytes: Option<u64>,
    routes: Option<Vec<Value>>,
    holds_headers: Option<bool>,
    other_user: bool,
    real_daemon: bool,
    /// A file for the filter's configuration, which Envoy watches.
    watched: bool,
}

impl Envoy {
    /// Prepares the layer; nothing is started yet.
    ///
    /// # Errors
    ///
    /// When no runtime can be had.
    pub(crate) fn new() -> Result<Self> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        Ok(Self { runtime, parts: Parts::locate(), running: None, model: Model::Stub })
    }

    /// The stack for these settings: the running one if it is the same, else a new one.
    fn stack(&mut self, settings: &Settings, options: &Options) -> Result<&mut Stack> {
        let key = format!("{options:?} {}", settings.json());
        if self.running.as_ref().is_none_or(|(known, _)| *known != key) {
            if let Some((_, stack)) = self.running.take() {
                // Crashes were looked for after each exchange.
                let _stopped = self.runtime.block_on(stack.stop());
            }
            let setup = self.setup(settings, options)?;
            let stack = self.runtime.block_on(setup.start())?;
            self.running = Some((key, stack));
        }
        self.running.as_mut().map(|(_, stack)| stack).context("no stack")
    }

    fn setup(&self, settings: &Settings, options: &Options) -> Result<StackSetup> {
        let daemon = if options.real_daemon { DaemonKind::Inferd } else { DaemonKind::Stub };
        let mut setup = StackSetup::new(daemon)?;
        setup.parts = self.parts.clone();
        // One worker: a filter that dies takes all later requests with it, and memory is that of one VM.
        setup.workers = 1;
        setup.envoy_user = options.other_user.then_some(OTHER_USER);
        setup.config = configuration(&setup.config, settings, options)?;
        Ok(setup)
    }

    fn options(&self, exchange: &Exchange) -> Options {
        Options {
            listener_bytes: exchange.listener_bytes,
            other_user: exchange.foreign_socket && is_root(),
            real_daemon: self.model == Model::Real,
            ..Options::default()
        }
    }

    fn play_with(
        &mut self,
        settings: &Settings,
        exchanges: &[Exchange],
        options: &Options,
    ) -> Result<Vec<Observed>> {
        self.stack(settings, options)?;
        let (runtime, running) = (&self.runtime, &mut self.running);
        let Some((_, stack)) = running.as_mut() else { bail!("no stack") };
        let played: Result<Vec<Observed>> =
            exchanges.iter().map(|exchange| runtime.block_on(play(stack, exchange))).collect();
        // A stack with a broken Envoy serves no other case.
        let broken = played.as_ref().map_or(true, |all| all.iter().any(|o| o.trap.is_some()));
        if broken && let Some((_, stack)) = running.take() {
            let _stopped = runtime.block_on(stack.stop());
        }
        played
    }
}

impl Drop for Envoy {
    fn drop(&mut self) {
        if let Some((_, stack)) = self.running.take() {
            // Crashes were looked for after each exchange; ended so, it does not show its log.
            let _stopped = self.runtime.block_on(stack.stop());
        }
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// The shipped configuration with the cases' names: their header prefix, and clusters and routes called as they do.
fn configuration(
    shipped: &EnvoyConfig,
    settings: &Settings,
    options: &Options,
) -> Result<EnvoyConfig> {
    let mut text = shipped
        .text()
        .replace("x-forebay-", PREFIX)
        .replace("X-FOREBAY-", &PREFIX.to_ascii_uppercase());
    let mut names = ["math".to_owned(), "default".to_owned()];
    if let Some(routes) = &options.routes {
        let (start, end) = route_lines(&text).context("no routes in envoy.yaml")?;
        let mut clusters: Vec<&str> = routes.iter().filter_map(|r| r["cluster"].as_str()).collect();
        clusters.dedup();
        match clusters.as_slice() {
            [one] => names[1] = (*one).to_owned(),
            [first, second] => names = [(*first).to_owned(), (*second).to_owned()],
            other => bail!("routes with {} clusters; two can be run", other.len()),
        }
        let mut lines = String::new();
        for route in routes {
            let mut matcher = route["match"].clone();
            for header in matcher["headers"].as_array_mut().into_iter().flatten() {
                *header = json!({
                    "name": header_name(header["name"].as_str().unwrap_or("")),
                    "string_match": {"exact": header["exact"]},
                });
            }
            let route = json!({
                "match": matcher, "request_body_buffer_limit": 64 << 20,
                "route": {"cluster": route["cluster"], "timeout": "600s"},
            });
            lines.push_str(&format!("                        - {route}\n"));
        }
        text.replace_range(start..end, &lines);
    }
    text = text.replace("reasoning", &names[0]).replace("general", &names[1]);
    if options.buffer == Some(Buffer::EnvoyDefault) {
        text = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("request_body_buffer_limit:"))
            .map(|line| if line.contains("per_connection_buffer_limit_bytes:") { "" } else { line })
            .collect::<Vec<_>>()
            .join("\n");
        text.push('\n');
    }
    if let Some(bytes) = options.listener_bytes {
        let line =
            text.lines().find(|l| l.trim_start().starts_with("per_connection_buffer_limit_bytes:"));
        let line = line.context("no listener limit in envoy.yaml")?.to_owned();
        text = text.replace(&line, &format!("      per_connection_buffer_limit_bytes: {bytes}"));
    }
    if options.holds_headers == Some(false) {
        let flag = "allow_on_headers_stop_iteration: true";
        if text.matches(flag).count() != 1 {
            bail!("envoy.yaml does not set {flag} exactly once");
        }
        text = text.replace(flag, "");
    }
    let mut config = EnvoyConfig::from_text(text);
    config.set_filter_text(&settings.json())?;
    Ok(config)
}

/// Where the lines of the routes are: after `routes:` up to the next empty line or a line further out.
fn route_lines(text: &str) -> Option<(usize, usize)> {
    let key = text.find("                      routes:\n")?;
    let start = key + text[key..].find('\n')? + 1;
    let length: usize = text[start..]
        .split_inclusive('\n')
        .take_while(|line| line.starts_with("                        "))
        .map(str::len)
        .sum();
    Some((start, start + length))
}

/// Plays one exchange and gathers what came of it.
async fn play(stack: &mut Stack, exchange: &Exchange) -> Result<Observed> {
    let wire = match exchange.protocol {
        Some(Protocol::H2) => Wire::Http2,
        Some(Protocol::H1) | None => Wire::Http1,
    };
    prepare(stack, exchange).await?;
    let client = Client::new(stack.envoy.address(), wire);
    let _earlier = stack.upstreams.take();
    if let Ok(stub) = stack.stub() {
        let _earlier = stub.take();
    }
    let counters = counters(&stack.envoy).await?;
    let log_before = stack.envoy.log().len();
    let lines_before = stack.envoy.access_log().len();
    let request = request(exchange, wire);
    let start = Instant::now();
    let mut observed = Observed::default();
    let reply = client.send(&request).await;
    observed.elapsed = start.elapsed();
    match reply {
        Ok(reply) => {
            observed.status = Some(reply.status);
            observed.headers = reply.headers;
            observed.body = reply.body;
            observed.elapsed = reply.elapsed;
        }
        Err(_) if exchange.reset.is_some() => tokio::time::sleep(AFTERMATH).await,
        Err(error) => observed.log = Some(format!("{error:#}")),
    }
    let line = stack.envoy.access_line(lines_before).await;
    observed.received_bytes = line.as_ref().and_then(|line| number(&line["bytes_received"]));
    let cluster = line.as_ref().and_then(|line| line["cluster"].as_str()).map(str::to_owned);
    observed.forwarded =
        stack.upstreams.take().into_iter().map(|seen| forwarded(seen, cluster.clone())).collect();
    observed.access_log = line.map(|line| line.to_string());
    if let Ok(stub) = stack.stub() {
        observed.asked = stub.take();
    }
    for (name, value) in self::counters(&stack.envoy).await? {
        let before = counters.iter().find(|(n, _)| *n == name).map_or(0, |(_, v)| *v);
        if value > before {
            observed.counters.insert(name, value - before);
        }
    }
    let log = stack.envoy.log().get(log_before..).unwrap_or_default().to_owned();
    if let Some(word) = CRASH_WORDS.iter().find(|word| log.contains(**word)) {
        observed.trap = Some(format!("Envoy's log says {word:?}"));
    }
    if let Some(status) = stack.envoy.process().ended()? {
        observed.trap = Some(format!("Envoy ended: {status}"));
    }
    observed.log = Some(log);
    restore(stack, exchange).await?;
    Ok(observed)
}

/// Brings the daemon into the state that the exchange wants.
async fn prepare(stack: &mut Stack, exchange: &Exchange) -> Result<()> {
    if exchange.foreign_socket {
        // As root Envoy runs as another user, and the socket is root's alone. Without root nobody may use it.
        return stack.stub()?.set_mode(if is_root() { 0o600 } else { 0 });
    }
    match exchange.classifier {
        Classifier::Down => stack.replace_daemon(DaemonKind::Absent).await?,
        Classifier::Status(code) => {
            let code = i32::try_from(code)?;
            stack.stub()?.behave(Behaviour { status: Some(code.into()), ..Behaviour::default() });
        }
        Classifier::Answers(how, delay) => {
            let Ok(stub) = stack.stub() else { return Ok(()) };
            let mut behaviour = Behaviour { delay, ..Behaviour::default() };
            match how {
                Answer::Faithful => {}
                Answer::Truncated => behaviour.truncated = true,
                Answer::NotFinite => {
                    behaviour.failure = Some(forebay_proto::v1::Failure::NotFinite)
                }
                Answer::Failed => behaviour.failure = Some(forebay_proto::v1::Failure::Runtime),
                Answer::Garbage => bail!("the stub daemon cannot send a message that is none"),
            }
            stub.behave(behaviour);
        }
    }
    Ok(())
}

async fn restore(stack: &mut Stack, exchange: &Exchange) -> Result<()> {
    if exchange.foreign_socket {
        return stack.stub()?.set_mode(0o666);
    }
    if exchange.classifier == Classifier::Down {
        stack.replace_daemon(DaemonKind::Stub).await?;
    }
    if let Ok(stub) = stack.stub() {
        stub.behave(Behaviour::default());
    }
    Ok(())
}

/// The exchange as the client's steps.
fn request(exchange: &Exchange, wire: Wire) -> Request {
    let mut steps = Vec::new();
    let mut last_is_empty = false;
    if wire == Wire::Http1
        && exchange
            .headers
            .iter()
            .any(|(n, v)| n == "expect" && v.eq_ignore_ascii_case("100-continue"))
    {
        steps.push(Step::WaitForContinue);
    }
    for (at, (data, _)) in exchange.frames(usize::MAX).enumerate() {
        if at > 0 && !exchange.interval.is_zero() {
            steps.push(Step::Wait(exchange.interval));
        }
        last_is_empty = data.is_empty();
        steps.push(Step::Data(data.into()));
    }
    if exchange.reset == Some(Reset::Headers) {
        steps.clear();
        steps.push(Step::Data(Vec::new().into()));
    }
    let unfinished = matches!(exchange.reset, Some(Reset::Bytes(_) | Reset::Headers));
    if let (Some(trailers), false) = (&exchange.trailers, unfinished) {
        steps.push(Step::Trailers(trailers.clone()));
    }
    match exchange.reset {
        // The call leaves within a few milliseconds of the last byte; the classifier's delay is chosen by the case.
        Some(Reset::Call) => steps.extend([Step::Wait(Duration::from_millis(150)), Step::Reset]),
        Some(Reset::Bytes(_) | Reset::Headers) => {
            steps.extend([Step::Wait(Duration::from_millis(50)), Step::Reset]);
        }
        None => {}
    }
    if exchange.stalls() && exchange.reset.is_none() {
        steps.extend([Step::Wait(STALL), Step::Reset]);
    }
    let mut request = Request::new(&exchange.method, &exchange.path, steps);
    request.headers.clone_from(&exchange.headers);
    let natural = exchange.announces_length();
    if natural && unfinished {
        // What is announced is more than what comes.
        request = request.header("content-length", &exchange.body_bytes().to_string());
    }
    let ends_with_data = wire == Wire::Http2 && exchange.trailers.is_none() && !last_is_empty;
    request.framing = if natural || (ends_with_data && exchange.interval.is_zero()) {
        e2e::Framing::Length
    } else {
        e2e::Framing::Open
    };
    if exchange.ends_with_headers() && exchange.body.is_some() {
        request.steps.clear();
        if !request.headers.iter().any(|(name, _)| name == "content-length") {
            request = request.header("content-length", "0");
        }
    }
    request
}

fn forwarded(seen: Seen, cluster: Option<String>) -> Forwarded {
    let mut headers = vec![(":method".to_owned(), seen.method), (":path".to_owned(), seen.path)];
    headers.extend(seen.headers);
    Forwarded { cluster, headers, body: seen.body.to_vec() }
}

fn number(value: &Value) -> Option<usize> {
    let number = value.as_u64().or_else(|| value.as_str().and_then(|text| text.parse().ok()))?;
    usize::try_from(number).ok()
}

/// The filter's counters.
async fn counters(envoy: &Proxy) -> Result<Vec<(String, u64)>> {
    let text = envoy.admin("/stats?filter=^wasmcustom").await?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(text
        .lines()
        .filter_map(|line| {
            let (name, value) = line.strip_prefix("wasmcustom.")?.split_once(": ")?;
            Some((name.to_owned(), value.trim().parse().ok()?))
        })
        .collect())
}

/// Resident memory of a process, in bytes.
fn resident_bytes(process: &Process) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<usize>().ok()? * 1024)
}

impl Host for Envoy {
    fn layer(&self) -> Layer {
        Layer::Envoy
    }

    fn model(&self) -> Model {
        self.model
    }

    fn set_model(&mut self, model: Model) -> bool {
        self.model = model;
        true
    }

    fn play(&mut self, settings: &Settings, exchanges: &[Exchange]) -> Result<Vec<Observed>> {
        let options = exchanges.first().map(|exchange| self.options(exchange)).unwrap_or_default();
        self.play_with(settings, exchanges, &options)
    }

    fn load(&mut self, settings: &Settings, load: &Load) -> Result<Rounds> {
        let options = Options { buffer: Some(load.buffer), ..Options::default() };
        self.stack(settings, &options)?;
        let Some((_, mut stack)) = self.running.take() else { bail!("no stack") };
        let rounds = self.runtime.block_on(rounds(&mut stack, load));
        let _stopped = self.runtime.block_on(stack.stop());
        rounds
    }

    fn configure(&mut self, config: &str) -> Result<ConfigRefusal> {
        let options = Options::default();
        let mut setup = self.setup(&Settings::reference(), &options)?;
        setup.config.set_filter_text(config)?;
        let folder = tempfile::tempdir()?;
        setup.config.listen_on(0, 0)?;
        setup.config.wasm(&self.parts.wasm.canonicalize()?)?;
        let outcome =
            self.runtime.block_on(Proxy::validate(&self.parts.envoy, &setup.config, folder.path()));
        Ok(match outcome {
            Ok(()) => ConfigRefusal { refused: false, message: String::new(), exit: Some(0) },
            Err(error) => {
                let message = format!("{error:#}");
                // The filter's own line, not all of Envoy's log.
                let said = message
                    .lines()
                    .find(|line| line.contains("configuration refused"))
                    .unwrap_or(&message);
                let said = said
                    .split("configuration refused")
                    .nth(1)
                    .map_or(said, |s| s.trim_start_matches(':'));
                ConfigRefusal { refused: true, message: said.trim().to_owned(), exit: Some(1) }
            }
        })
    }

    fn routed(
        &mut self,
        settings: &Settings,
        exchange: &Exchange,
        setup: &Setup,
    ) -> Result<Option<Observed>> {
        let options = Options {
            routes: Some(setup.routes.clone()),
            holds_headers: Some(setup.holds_headers),
            ..self.options(exchange)
        };
        let mut settings = settings.clone();
        if !setup.holds_headers {
            // The body never comes then; the filter's own deadline ends the request.
            settings.set("limits.upload_timeout_ms", json!(1500))?;
        }
        Ok(self.play_with(&settings, std::slice::from_ref(exchange), &options)?.pop())
    }

    fn update(&mut self, settings: &Settings, count: usize, bytes: usize) -> Result<Updates> {
        daemon::updates(self, settings, count, bytes)
    }

    fn grpc(&mut self, case: &Case) -> Result<Option<Outcome>> {
        daemon::grpc(self, case).map(Some)
    }

    fn special_ids(&mut self, texts: Vec<&str>) -> Result<Finding> {
        daemon::special_ids(&self.parts, &texts)
    }

    fn daemon(&mut self, case: &Case) -> Result<Outcome> {
        daemon::run(self, case)
    }
}

async fn rounds(stack: &mut Stack, load: &Load) -> Result<Rounds> {
    let mut rounds = Rounds::default();
    let address = stack.envoy.address();
    for round in 1..=load.rounds {
        let alone = usize::from(load.last_is_alone);
        let many = load.exchanges.len() - alone;
        // As in the simulated proxy: the first round is the whole load, the later ones a batch of streams at once.
        let take = if round == 1 { many } else { many.min(load.concurrency) };
        let _earlier = stack.upstreams.take();
        let mut observed = Vec::with_capacity(take + alone);
        let indexed: Vec<(usize, Exchange)> =
            load.exchanges.iter().take(take).cloned().enumerate().collect();
        let mut waiting = indexed.into_iter();
        let mut tasks = tokio::task::JoinSet::new();
        loop {
            while tasks.len() < load.concurrency.max(1) {
                let Some((at, exchange)) = waiting.next() else { break };
                // Each tells its number, so that what reaches the upstream can be told apart.
                let request = request(&exchange, Wire::Http1).header(NUMBER, &at.to_string());
                tasks.spawn(async move { (at, Client::http1(address).send(&request).await) });
            }
            let Some(done) = tasks.join_next().await else { break };
            let (at, reply) = done?;
            observed.push((at, answered(reply)));
        }
        observed.sort_by_key(|(at, _)| *at);
        let mut all: Vec<Observed> = observed.into_iter().map(|(_, o)| o).collect();
        for seen in stack.upstreams.take() {
            let at = seen.header(NUMBER).and_then(|n| n.parse::<usize>().ok());
            if let Some(observed) = at.and_then(|at| all.get_mut(at)) {
                observed.forwarded.push(forwarded(seen, None));
            }
        }
        if let (Some(last), true) = (load.exchanges.last(), load.last_is_alone) {
            all.push(play(stack, last).await?);
        }
        if round == 1 {
            rounds.observed = all;
        }
        rounds.memory_bytes.extend(resident_bytes(stack.envoy.process()));
    }
    let log = stack.envoy.log();
    if let Some(status) = stack.envoy.process().ended()? {
        bail!("Envoy ended: {status}");
    }
    rounds.log = Some(log);
    Ok(rounds)
}

/// A header that numbers the requests of a load.
const NUMBER: &str = "x-conformance-number";

fn answered(reply: Result<e2e::Reply>) -> Observed {
    match reply {
        Ok(reply) => Observed {
            status: Some(reply.status),
            headers: reply.headers,
            body: reply.body,
            elapsed: reply.elapsed,
            ..Observed::default()
        },
        Err(error) => Observed { log: Some(format!("{error:#}")), ..Observed::default() },
    }
}

/// Writes a file so that whoever watches it sees it whole.
fn replace_file(path: &Path, text: &str) -> Result<()> {
    let fresh = path.with_extension("new");
    std::fs::write(&fresh, text)?;
    Ok(std::fs::rename(&fresh, path)?)
}
