//! One loaded filter and its life: start, ticks, calls in flight.
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use wasmtime::{Engine, InstancePre, Linker, Module, Store};

use crate::abi::LogLevel;
use crate::error::{Error, Result};
use crate::host::{GrpcCall, Host, LogLine, Metric, ROOT, Refused, StreamState};
use crate::stream::{PendingCall, Stream};
use crate::{calls, wasi};

/// A compiled filter. Compiling takes seconds: keep one for a whole test binary.
#[derive(Clone)]
pub struct Filter {
    engine: Engine,
    linked: InstancePre<Host>,
}

impl std::fmt::Debug for Filter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Filter").finish_non_exhaustive()
    }
}

impl Filter {
    /// Compiles a `.wasm` file.
    ///
    /// # Errors
    ///
    /// [`Error::Module`] when the file cannot be read or compiled, or is not a proxy-wasm 0.2.1 module.
    pub fn load(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|error| {
            Error::Module(format!("{}: {error} (`cargo wasm` builds the filter)", path.display()))
        })?;
        Self::compile(&bytes)
    }

    /// Compiles a module.
    ///
    /// # Errors
    ///
    /// [`Error::Module`] when it cannot be compiled, or is not a proxy-wasm 0.2.1 module.
    pub fn compile(module: &[u8]) -> Result<Self> {
        let failed = |error: wasmtime::Error| Error::Module(format!("{error:#}"));
        let engine = Engine::default();
        let module = Module::new(&engine, module).map_err(failed)?;
        if module.get_export("proxy_abi_version_0_2_1").is_none() {
            return Err(Error::Module("it does not export proxy_abi_version_0_2_1".to_owned()));
        }
        let mut linker = Linker::new(&engine);
        calls::link(&mut linker).map_err(failed)?;
        wasi::link(&mut linker).map_err(failed)?;
        // The SDK imports calls that the filter never makes; made, they end the test.
        linker.define_unknown_imports_as_traps(&module).map_err(failed)?;
        let linked = linker.instantiate_pre(&module).map_err(failed)?;
        Ok(Self { engine, linked })
    }
}

/// What a VM finds when it starts.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(crate) config: Vec<u8>,
    pub(crate) clusters: BTreeSet<String>,
    pub(crate) properties: BTreeMap<Vec<u8>, Vec<u8>>,
    pub(crate) buffer_limit_bytes: usize,
    pub(crate) log_level: LogLevel,
    pub(crate) start_time: Duration,
    pub(crate) running_since: Option<Instant>,
}

impl Setup {
    /// The plugin configuration, a cluster `inferd`, and no limit on held bodies.
    #[must_use]
    pub fn with_config(config: impl AsRef<[u8]>) -> Self {
        Self {
            config: config.as_ref().to_vec(),
            clusters: BTreeSet::from(["inferd".to_owned()]),
            properties: BTreeMap::new(),
            buffer_limit_bytes: usize::MAX,
            log_level: LogLevel::Info,
            // 2026-01-01, so that a time never is zero.
            start_time: Duration::from_secs(1_767_225_600),
            running_since: None,
        }
    }

    /// From now on the clock runs by itself, so that a guest can time its own work. Else it stands still between
    /// [`Vm::advance`]s.
    #[must_use]
    pub fn with_running_clock(mut self) -> Self {
        self.running_since = Some(Instant::now());
        self
    }

    /// One more cluster that calls can name.
    #[must_use]
    pub fn and_cluster(mut self, name: &str) -> Self {
        self.clusters.insert(name.to_owned());
        self
    }

    /// No clusters at all: every call is refused at once.
    #[must_use]
    pub fn without_clusters(mut self) -> Self {
        self.clusters.clear();
        self
    }

    /// A property that the proxy knows, such as `["xds", "route_name"]`.
    #[must_use]
    pub fn and_property(mut self, path: &[&str], value: impl AsRef<[u8]>) -> Self {
        self.properties.insert(path.join("\0").into_bytes(), value.as_ref().to_vec());
        self
    }

    /// The largest body that the proxy holds; beyond it Envoy itself answers 413.
    #[must_use]
    pub const fn buffer_limit_bytes(mut self, limit: usize) -> Self {
        self.buffer_limit_bytes = limit;
        self
    }
}

pub(crate) struct Inner {
    pub(crate) store: Store<Host>,
    instance: wasmtime::Instance,
}

impl Inner {
    pub(crate) fn host(&mut self) -> &mut Host {
        self.store.data_mut()
    }

    /// Enters the filter. Its host calls act on `context` until it chooses another.
    pub(crate) fn enter<P, R>(&mut self, name: &'static str, context: u32, params: P) -> Result<R>
    where
        P: wasmtime::WasmParams,
        R: wasmtime::WasmResults,
    {
        if self.host().dead {
            return Err(Error::Dead);
        }
        self.host().effective = context;
        let exported = self
            .instance
            .get_typed_func::<P, R>(&mut self.store, name)
            .map_err(|error| Error::Module(format!("{name}: {error:#}")))?;
        exported.call(&mut self.store, params).map_err(|error| {
            let host = self.store.data_mut();
            host.dead = true;
            Error::Trap {
                during: name,
                cause: format!("{error:#}"),
                stderr: String::from_utf8_lossy(&host.stderr).into_owned(),
            }
        })
    }
}

/// A running filter. Clones are handles to the same one.
#[derive(Clone)]
pub struct Vm {
    pub(crate) inner: Rc<RefCell<Inner>>,
}

impl std::fmt::Debug for Vm {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Vm").finish_non_exhaustive()
    }
}

impl Vm {
    /// Instantiates a filter and configures it, as Envoy does for each worker.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] when the filter does not accept the configuration, [`Error::Trap`] when it panics.
    pub fn start(filter: &Filter, setup: Setup) -> Result<Self> {
        let failed = |error: wasmtime::Error| Error::Module(format!("{error:#}"));
        let config_size = u32::try_from(setup.config.len()).unwrap_or(u32::MAX);
        let mut store = Store::new(&filter.engine, Host::new(setup));
        let instance = filter.linked.instantiate(&mut store).map_err(failed)?;
        let memory = instance
            .get_memory(&mut store, "memory")
            .ok_or_else(|| Error::Module("it exports no memory".to_owned()))?;
        // Rust's wasip1 builds export the first name, wasm32-unknown-unknown the second.
        let allocate = instance
            .get_typed_func::<u32, u32>(&mut store, "proxy_on_memory_allocate")
            .or_else(|_| instance.get_typed_func(&mut store, "malloc"))
            .map_err(failed)?;
        store.data_mut().guest = Some((memory, allocate));
        let mut inner = Inner { store, instance };
        inner.enter::<_, ()>("_initialize", ROOT, ())?;
        inner.enter::<_, ()>("proxy_on_context_create", ROOT, (ROOT, 0))?;
        for (name, size) in [("proxy_on_vm_start", 0), ("proxy_on_configure", config_size)] {
            if inner.enter::<_, i32>(name, ROOT, (ROOT, size))? == 0 {
                let lines = inner.host().log.iter().map(|line| line.text.as_str());
                return Err(Error::Refused { log: lines.collect::<Vec<_>>().join("\n") });
            }
        }
        Ok(Self { inner: Rc::new(RefCell::new(inner)) })
    }

    /// A new HTTP stream.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics.
    pub fn stream(&self) -> Result<Stream> {
        let mut inner = self.inner.borrow_mut();
        let host = inner.host();
        let id = host.next_context;
        host.next_context += 1;
        host.streams.insert(id, StreamState::default());
        inner.enter::<_, ()>("proxy_on_context_create", id, (id, ROOT))?;
        drop(inner);
        Ok(Stream::new(self.clone(), id))
    }

    /// Lets time pass: ticks come and calls run into their timeouts, in order.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics.
    pub fn advance(&self, by: Duration) -> Result<()> {
        let target = self.now() + by;
        loop {
            let mut inner = self.inner.borrow_mut();
            let host = inner.host();
            let tick = host.tick.map(|(_, at)| at).filter(|at| *at <= target);
            let late =
                host.calls.values().map(|call| (call.started + call.timeout, call.token)).min();
            let late = late.filter(|(at, _)| *at <= target && tick.is_none_or(|tick| *at < tick));
            if let Some((at, token)) = late {
                host.now = at;
                drop(inner);
                // What Envoy says of a deadline: 14 and not 4.
                PendingCall::new(self.clone(), token)
                    .fail(14, "upstream request timeout{response_timeout}")?;
            } else if let (Some(at), Some((period, _))) = (tick, host.tick) {
                host.now = at;
                host.tick = Some((period, at + period));
                inner.enter::<_, ()>("proxy_on_tick", ROOT, ROOT)?;
                crate::stream::settle(&mut inner)?;
            } else {
                host.now = target;
                return Ok(());
            }
        }
    }

    /// The host's clock, since 1970.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.inner.borrow_mut().host().now
    }

    /// The size of the module's memory. It never shrinks.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let mut inner = self.inner.borrow_mut();
        let memory = inner.host().guest.as_ref().map(|(memory, _)| *memory);
        memory.map_or(0, |memory| memory.data_size(&inner.store))
    }

    /// What the filter has logged.
    #[must_use]
    pub fn log(&self) -> Vec<LogLine> {
        self.inner.borrow_mut().host().log.clone()
    }

    /// All metrics that are defined.
    #[must_use]
    pub fn metrics(&self) -> Vec<Metric> {
        self.inner.borrow_mut().host().metrics.clone()
    }

    /// The value of a counter or gauge; 0 if it is not defined.
    #[must_use]
    pub fn metric(&self, name: &str) -> i64 {
        self.metrics().iter().find(|metric| metric.name == name).map_or(0, |metric| metric.value)
    }

    /// Host calls that Envoy would have refused, reads of what is not there apart.
    #[must_use]
    pub fn refused(&self) -> Vec<Refused> {
        self.inner.borrow_mut().host().refused.clone()
    }

    /// The calls that wait for an answer, oldest first.
    #[must_use]
    pub fn calls_in_flight(&self) -> Vec<GrpcCall> {
        self.inner.borrow_mut().host().calls.values().cloned().collect()
    }

    /// How many calls were made in all.
    #[must_use]
    pub fn calls_made(&self) -> usize {
        self.inner.borrow_mut().host().calls_made
    }

    /// How many calls the filter has cancelled.
    #[must_use]
    pub fn calls_cancelled(&self) -> usize {
        self.inner.borrow_mut().host().calls_cancelled
    }
}
