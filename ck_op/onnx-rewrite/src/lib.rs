//! ONNX graph rewriting (see the module docs below).

/// The ONNX schema.
pub mod onnx {
    #![allow(
        missing_docs,
        clippy::all,
        clippy::restriction,
        clippy::pedantic,
        reason = "generated from the .proto file, which carries the comments"
    )]
    include!(concat!(env!("OUT_DIR"), "/onnx.rs"));
}
