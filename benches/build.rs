//! Compiles the protocol in pure Rust, so that no protoc is needed.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "proto/ext_proc.proto";
    println!("cargo::rerun-if-changed={file}");
    let descriptors = protox::compile([file], ["proto"])?;
    tonic_prost_build::configure().build_client(false).compile_fds(descriptors)?;
    Ok(())
}
