//! The closed list of what [`doctor`](super) can find. The reference in the documents is made from it.

use std::fmt;

use serde::Serialize;

/// How bad a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Requests fail, hang, pass unscreened or can be forged.
    Error,
    /// It works, but not as well as it should, or not always.
    Warning,
}

impl Severity {
    /// The word in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(
    missing_docs,
    reason = "each variant is explained by its texts below, which are the documents"
)]
pub enum Fault {
    EnvoyTooOld,
    FilterMissing,
    FilterOrder,
    FilterDisabled,
    FilterStopIteration,
    FilterFailurePolicy,
    FilterConfigType,
    FilterConfig,
    HeadersForgeable,
    BodyLimit,
    IdleTimeout,
    ClusterMissing,
    ClusterHttp2,
    ClusterTls,
    ClusterAddress,
    SocketPathTooLong,
    SocketMismatch,
    SocketAbsent,
    SocketNotASocket,
    SocketPermission,
    SocketStale,
    DaemonNotServing,
    DaemonConfig,
    DaemonMessageLimit,
    ModelMissing,
    ModelDigest,
    ModelInvalid,
    RuntimeMissing,
    RuntimeUnusable,
    Threads,
}

/// What is fixed about a fault.
struct Texts {
    id: &'static str,
    severity: Severity,
    effect: &'static str,
    mend: &'static str,
}

impl Fault {
    /// All faults, in the order of reports.
    pub const ALL: [Self; 30] = [
        Self::EnvoyTooOld,
        Self::FilterMissing,
        Self::FilterOrder,
        Self::FilterDisabled,
        Self::FilterStopIteration,
        Self::FilterFailurePolicy,
        Self::FilterConfigType,
        Self::FilterConfig,
        Self::HeadersForgeable,
        Self::BodyLimit,
        Self::IdleTimeout,
        Self::ClusterMissing,
        Self::ClusterHttp2,
        Self::ClusterTls,
        Self::ClusterAddress,
        Self::SocketPathTooLong,
        Self::SocketMismatch,
        Self::SocketAbsent,
        Self::SocketNotASocket,
        Self::SocketPermission,
        Self::SocketStale,
        Self::DaemonNotServing,
        Self::DaemonConfig,
        Self::DaemonMessageLimit,
        Self::ModelMissing,
        Self::ModelDigest,
        Self::ModelInvalid,
        Self::RuntimeMissing,
        Self::RuntimeUnusable,
        Self::Threads,
    ];

    /// The word for it in reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.texts().id
    }

    /// How bad it is.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.texts().severity
    }

    /// What happens because of it.
    #[must_use]
    pub const fn effect(self) -> &'static str {
        self.texts().effect
    }

    /// What to do.
    #[must_use]
    pub const fn mend(self) -> &'static str {
        self.texts().mend
    }

    const fn texts(self) -> Texts {
        let (id, severity, effect, mend) = match self {
            Self::EnvoyTooOld => (
                "envoy.too_old",
                Severity::Error,
                "before 1.35 the filter gets no request body while it holds the headers, and requests hang; before 1.36 routes cannot raise \
                 the limit on bodies that are held",
                "run Envoy 1.36 or newer (Istio and Envoy Gateway: a release that carries one)",
            ),
            Self::FilterMissing => (
                "filter.missing",
                Severity::Error,
                "nothing is screened",
                "put the forebay filter before the router of the connection manager (envoy-config/envoy/envoy.yaml shows it); if it \
                 carries another name, say which: --filter NAME",
            ),
            Self::FilterOrder => (
                "filter.order",
                Severity::Error,
                "the filter never runs, or Envoy refuses the configuration",
                "put the forebay filter before envoy.filters.http.router, which must come last",
            ),
            Self::FilterDisabled => (
                "filter.disabled",
                Severity::Error,
                "nothing is screened",
                "remove `disabled: true` from the filter, or enable it on the routes that carry LLM requests",
            ),
            Self::FilterStopIteration => (
                "filter.stop_iteration",
                Severity::Error,
                "the filter holds the headers and never sees a body: every LLM request hangs",
                "set allow_on_headers_stop_iteration: true in the filter's plugin configuration. Istio's WasmPlugin and Envoy Gateway's \
                 EnvoyExtensionPolicy cannot: use the EnvoyFilter of envoy-config/istio, or the EnvoyPatchPolicy of \
                 envoy-config/envoy-gateway",
            ),
            Self::FilterFailurePolicy => (
                "filter.failure_policy",
                Severity::Error,
                "after a crash of its VM the filter refuses everything (FAIL_CLOSED) or screens nothing (FAIL_OPEN) until Envoy is \
                 restarted",
                "set failure_policy: FAIL_RELOAD",
            ),
            Self::FilterConfigType => (
                "filter.config_type",
                Severity::Error,
                "the filter gets bytes that it does not read and refuses them, so Envoy does not start",
                "write the configuration as JSON text in a google.protobuf.StringValue, or as a google.protobuf.Struct",
            ),
            Self::FilterConfig => (
                "filter.config",
                Severity::Error,
                "the filter refuses its configuration, so Envoy refuses the listener",
                "correct the key that is named; README, \"Configure\", lists all of them",
            ),
            Self::HeadersForgeable => (
                "headers.forgeable",
                Severity::Error,
                "a client can write a header that routes or upstreams take for the filter's word",
                "add the header to headers.strip (or headers.route) of the filter's configuration, or to request_headers_to_remove of \
                 the route where the filter is off",
            ),
            Self::BodyLimit => (
                "route.body_limit",
                Severity::Error,
                "Envoy answers 413 by itself to bodies that the filter's configuration would allow",
                "set request_body_buffer_limit on the route (or its virtual host) to limits.max_body_bytes or more, or lower \
                 limits.max_body_bytes",
            ),
            Self::IdleTimeout => (
                "connection.idle_timeout",
                Severity::Warning,
                "a request that waits when the filter's VM crashes hangs for Envoy's default of 5 minutes, or for ever; one shorter than \
                 the daemon's time limit ends requests before their verdict",
                "set stream_idle_timeout of the connection manager, to 60s for example: above the filter's daemon.timeout_ms",
            ),
            Self::ClusterMissing => (
                "cluster.missing",
                Severity::Error,
                "no request reaches the daemon; the failure modes apply to all of them",
                "define the cluster, or name the right one in daemon.cluster (Envoy Gateway: daemon.extension_backend) of the filter's \
                 configuration",
            ),
            Self::ClusterHttp2 => (
                "cluster.http2",
                Severity::Error,
                "Envoy speaks HTTP/1.1 to a gRPC server: every call to the daemon fails",
                "give the cluster typed_extension_protocol_options with explicit_http_config.http2_protocol_options (Istio: port \
                 protocol GRPC; Envoy Gateway: appProtocols gateway.envoyproxy.io/h2c)",
            ),
            Self::ClusterTls => (
                "cluster.tls",
                Severity::Error,
                "Envoy offers TLS to a daemon that speaks plain gRPC on its socket: every call fails",
                "remove the transport socket (Istio: a DestinationRule with tls.mode DISABLE)",
            ),
            Self::ClusterAddress => (
                "cluster.address",
                Severity::Error,
                "the daemon listens on a Unix socket only; nothing answers elsewhere",
                "give the cluster one endpoint with address.pipe.path",
            ),
            Self::SocketPathTooLong => (
                "socket.path_too_long",
                Severity::Error,
                "the path does not fit a socket address: Envoy refuses the configuration, or the daemon does",
                "choose a shorter path; 107 bytes fit, and the daemon needs room in them for a dot and its process id",
            ),
            Self::SocketMismatch => (
                "socket.mismatch",
                Severity::Warning,
                "Envoy and the daemon look at different paths; that works only if a mount makes them one",
                "use one path on both sides",
            ),
            Self::SocketAbsent => (
                "socket.absent",
                Severity::Error,
                "no request reaches the daemon",
                "start the daemon and look at its log: the socket appears when the model is warm. In Kubernetes mount the socket's \
                 folder, not the file, into both pods",
            ),
            Self::SocketNotASocket => (
                "socket.not_a_socket",
                Severity::Error,
                "no request reaches the daemon, and the daemon will not replace what is there",
                "remove what is there and start the daemon",
            ),
            Self::SocketPermission => (
                "socket.permission",
                Severity::Error,
                "Envoy may not connect; that counts as a daemon that is down",
                "give the folder (0750) and the socket (0660) one group that Envoy's user is in: socket.group of the daemon's \
                 configuration, supplementalGroups of Envoy's pod",
            ),
            Self::SocketStale => (
                "socket.stale",
                Severity::Error,
                "a process that has gone left the socket behind; connections are refused",
                "start the daemon: it replaces a stale socket. If it runs, it serves on another path",
            ),
            Self::DaemonNotServing => (
                "daemon.not_serving",
                Severity::Error,
                "the daemon answers no requests: it is loading, draining or broken",
                "look at its log and at /readyz on its admin port",
            ),
            Self::DaemonConfig => (
                "daemon.config",
                Severity::Error,
                "the daemon does not start, or keeps its last good configuration",
                "correct the key that is named; `inferd config schema` prints all of them",
            ),
            Self::DaemonMessageLimit => (
                "daemon.message_limit",
                Severity::Error,
                "the daemon refuses calls with texts that the filter's configuration allows",
                "raise the daemon's limits.max_message_bytes above the filter's limits.max_text_bytes, or lower that",
            ),
            Self::ModelMissing => (
                "model.missing",
                Severity::Error,
                "the daemon does not start; it never fetches a model by itself",
                "put the model folder there, or correct `models` in the daemon's configuration",
            ),
            Self::ModelDigest => (
                "model.digest",
                Severity::Error,
                "the file is not the one that the manifest describes, so the daemon refuses it",
                "copy the folder again; a Git LFS pointer in place of the file looks like this too",
            ),
            Self::ModelInvalid => (
                "model.invalid",
                Severity::Error,
                "the daemon refuses the model",
                "correct the manifest; `inferd models verify DIR` tests the graph as well",
            ),
            Self::RuntimeMissing => (
                "runtime.missing",
                Severity::Error,
                "the daemon does not start",
                "put libonnxruntime.so beside inferd, or name it by --ort-lib, FOREBAY_ORT_LIB or runtime.library",
            ),
            Self::RuntimeUnusable => (
                "runtime.unusable",
                Severity::Error,
                "the daemon does not start",
                "use an ONNX Runtime of 1.21 or newer for this machine (ROCm: 1.22, the last one with that provider)",
            ),
            Self::Threads => (
                "runtime.threads",
                Severity::Warning,
                "threads wait for each other and for the CPU quota: latency rises and Envoy starves",
                "leave runtime.intra_threads at 0, or lower it or runtime.sessions; or raise the CPU limit",
            ),
        };
        Texts { id, severity, effect, mend }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A fault that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its kind.
    pub fault: Fault,
    /// Which listener, cluster, route or file.
    pub place: String,
    /// What is there.
    pub found: String,
    /// What should be there.
    pub wanted: String,
}

impl Finding {
    pub(super) fn new(
        fault: Fault,
        place: impl Into<String>,
        found: impl Into<String>,
        wanted: impl Into<String>,
    ) -> Self {
        Self { fault, place: place.into(), found: found.into(), wanted: wanted.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_complete_in_order_and_its_ids_differ() {
        assert!(Fault::ALL.is_sorted(), "the order of the enum is the order of reports");
        let ids: std::collections::BTreeSet<_> = Fault::ALL.iter().map(|f| f.id()).collect();
        assert_eq!(ids.len(), Fault::ALL.len());
        assert_eq!(Fault::ALL.last().map(|f| *f as usize), Some(Fault::ALL.len() - 1));
    }
}
