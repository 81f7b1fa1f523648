//! What can go wrong while a filter is driven.

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a filter could not be driven any further.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The module does not compile, or it lacks an export of the ABI.
    #[error("the module cannot be loaded: {0}")]
    Module(String),
    /// The filter's code trapped. With Envoy every stream of the worker would end.
    #[error("the filter trapped in {during}: {cause}; it wrote: {stderr}")]
    Trap {
        /// The exported function that was running.
        during: &'static str,
        /// The runtime's account, with a backtrace.
        cause: String,
        /// What the filter had written to standard error: the panic's message.
        stderr: String,
    },
    /// `on_vm_start` or `on_configure` returned false.
    #[error("the filter refused its configuration: {log}")]
    Refused {
        /// What it logged.
        log: String,
    },
    /// The VM trapped earlier and is gone.
    #[error("the VM is dead since an earlier trap")]
    Dead,
    /// The test asked for something that Envoy would never do.
    #[error("not possible here: {0}")]
    Misuse(&'static str),
}
