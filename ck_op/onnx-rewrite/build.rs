//! Compiles the ONNX schema in pure Rust, so that no protoc is needed.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "proto/onnx-ml.proto";
    println!("cargo::rerun-if-changed={file}");
    let descriptors = protox::compile([file], ["proto"])?;
    prost_build::Config::new().compile_fds(descriptors)?;
    Ok(())
}
