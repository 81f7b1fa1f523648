//! The messages between filter and daemon, and with feature `grpc` the tonic stubs.
//!
//! The `.proto` file is the documentation; a golden file of encoded bytes in `tests/` guards field numbers and types.

/// `forebay.inferd.v1`.
pub mod v1 {
    #![allow(
        missing_docs,
        unused_qualifications,
        clippy::all,
        clippy::restriction,
        clippy::pedantic,
        reason = "generated from the .proto file, which carries the comments"
    )]
    include!(concat!(env!("OUT_DIR"), "/forebay.inferd.v1.rs"));
}

/// The gRPC service that the filter calls.
pub const SERVICE: &str = "forebay.inferd.v1.Inferd";
/// Its only method.
pub const METHOD_CLASSIFY: &str = "Classify";
/// The compiled file descriptor set, for server reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
