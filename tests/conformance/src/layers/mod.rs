//! Where a case can run.

mod envoy;
mod pure;
mod wasm;

use anyhow::Result;
use serde_json::Value;

use envoy::Envoy;
use pure::Pure;
pub(crate) use pure::peak_bytes;
use wasm::Wasm;

use crate::case::Case;
use crate::exchange::Exchange;
use crate::expect::Finding;
use crate::expect::words::matches_pattern;
use crate::kinds::{ConfigRefusal, Outcome};
use crate::observed::{Headers, Observed};
use crate::settings::{Settings, header_name};

/// Envoy's usual step of a body under the sample's listener limit, in bytes.
const STEP: usize = 32_768;

/// What a played upstream says.
const UPSTREAM_ANSWER: &[u8] =
    br#"{"id":"c1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}"#;

/// A layer of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The pure crates, natively, with a played clock and classifier.
    Pure,
    /// The built filter in a simulated proxy.
    Wasm,
    /// Envoy with the filter and a daemon over its socket.
    Envoy,
}

impl Layer {
    /// All of them, cheapest first.
    pub const ALL: [Self; 3] = [Self::Pure, Self::Wasm, Self::Envoy];

    /// Its name in options and results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::Wasm => "wasm",
            Self::Envoy => "envoy",
        }
    }

    /// The layer of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.name() == name)
    }
}

/// Starts a layer.
///
/// # Errors
///
/// When something that it needs is not there.
pub(crate) fn start(layer: Layer) -> Result<Box<dyn Host>> {
    Ok(match layer {
        Layer::Pure => Box::new(Pure),
        Layer::Wasm => Box::new(Wasm::new()?),
        Layer::Envoy => Box::new(Envoy::new()?),
    })
}

/// Who answers the filter's questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    /// The cases' stub.
    Stub,
    /// The daemon with its models.
    Real,
}

/// How much of a body the proxy holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Buffer {
    /// 1 MiB, Envoy's default; over it Envoy answers 413 by itself.
    EnvoyDefault,
    /// What the sample configuration allows.
    Sample,
}

/// Many exchanges.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// What is sent.
    pub(crate) exchanges: Vec<Exchange>,
    /// How many at once.
    pub(crate) concurrency: usize,
    /// How often all of it is sent, through the same filter.
    pub(crate) rounds: usize,
    /// Whether the last exchange runs after all others have ended.
    pub(crate) last_is_alone: bool,
    /// How much the proxy holds.
    pub(crate) buffer: Buffer,
}

/// What came of a [`Load`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds {
    /// One for each exchange of the last round, in order.
    pub(crate) observed: Vec<Observed>,
    /// Memory after each round.
    pub(crate) memory_bytes: Vec<usize>,
    /// The most memory that the filter's module had, where it is seen.
    pub(crate) vm_memory_bytes: Option<usize>,
    /// What was logged.
    pub(crate) log: Option<String>,
}

/// How Envoy routes and runs the filter.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// Routes, in order, as the cases write them.
    pub(crate) routes: Vec<Value>,
    /// Whether the filter may hold headers back (`allow_on_headers_stop_iteration`).
    pub(crate) holds_headers: bool,
}

impl Setup {
    /// The cluster that a request goes to.
    #[must_use]
    pub(crate) fn cluster(&self, headers: &Headers) -> Option<String> {
        let path = crate::observed::find(headers, ":path").unwrap_or("");
        let fits = |route: &&Value| {
            let matcher = &route["match"];
            let prefix = matcher["prefix"].as_str().unwrap_or("/");
            let wanted = matcher["headers"].as_array().map(Vec::as_slice).unwrap_or_default();
            path.starts_with(prefix)
                && wanted.iter().all(|wanted| {
                    let name = header_name(wanted["name"].as_str().unwrap_or(""));
                    let value = wanted["exact"].as_str().unwrap_or("");
                    headers.iter().any(|(n, v)| matches_pattern(&name, n) && v == value)
                })
        };
        self.routes.iter().find(fits)?["cluster"].as_str().map(str::to_owned)
    }
}

/// What came of many updates of the configuration.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Updates {
    /// Growth of the process's memory, where it is seen.
    pub(crate) growth_bytes: Option<usize>,
    /// Whether a wrong configuration was refused.
    pub(crate) bad_refused: bool,
    /// Whether requests were served as before after that.
    pub(crate) serves_after_bad: bool,
}

/// Something that plays cases against the filter.
pub(crate) trait Host {
    /// Which layer it is.
    fn layer(&self) -> Layer;

    /// Who answers in [`Host::play`].
    fn model(&self) -> Model {
        Model::Stub
    }

    /// Chooses who answers. False when the layer has no real daemon.
    fn set_model(&mut self, model: Model) -> bool {
        model == Model::Stub
    }

    /// Plays exchanges one after the other through one filter with these settings.
    ///
    /// # Errors
    ///
    /// When the filter or the harness cannot be started or driven. What the filter does wrong is no error but part of
    /// what is observed.
    fn play(&mut self, settings: &Settings, exchanges: &[Exchange]) -> Result<Vec<Observed>>;

    /// Plays many exchanges, several at once.
    ///
    /// # Errors
    ///
    /// As for [`Host::play`].
    fn load(&mut self, settings: &Settings, load: &Load) -> Result<Rounds>;

    /// Gives the filter a configuration.
    ///
    /// # Errors
    ///
    /// When the filter cannot be started at all; a refusal is no error.
    fn configure(&mut self, config: &str) -> Result<ConfigRefusal>;

    /// Plays an exchange with routes of the case's own. `None` when the layer cannot be set up so. A layer without a router is told what the
    /// routes would do with the headers that it forwards.
    ///
    /// # Errors
    ///
    /// As for [`Host::play`].
    fn routed(
        &mut self,
        settings: &Settings,
        exchange: &Exchange,
        setup: &Setup,
    ) -> Result<Option<Observed>> {
        if !setup.holds_headers {
            return Ok(None);
        }
        let mut observed = self.play(settings, std::slice::from_ref(exchange))?.pop();
        for forwarded in observed.iter_mut().flat_map(|o| &mut o.forwarded) {
            forwarded.cluster = setup.cluster(&forwarded.headers);
        }
        Ok(observed)
    }

    /// Updates the configuration many times, each about `bytes` long, and then with a wrong one.
    ///
    /// # Errors
    ///
    /// As for [`Host::play`].
    fn update(&mut self, settings: &Settings, count: usize, bytes: usize) -> Result<Updates>;

    /// Runs a case against the daemon's own API. `None` where there is no daemon.
    ///
    /// # Errors
    ///
    /// When the daemon cannot be started or called.
    fn grpc(&mut self, _case: &Case) -> Result<Option<Outcome>> {
        Ok(None)
    }

    /// Whether texts become token ids without any control token.
    ///
    /// # Errors
    ///
    /// When the tokenizer cannot be run.
    fn special_ids(&mut self, _texts: Vec<&str>) -> Result<Finding> {
        Ok(Finding::NotHere("the tokenizer is the daemon's".to_owned()))
    }

    /// Runs a case about the daemon as a process.
    ///
    /// # Errors
    ///
    /// When the daemon cannot be started.
    fn daemon(&mut self, _case: &Case) -> Result<Outcome> {
        Ok(Outcome::not_here("the daemon is a process; the envoy layer runs it"))
    }
}
