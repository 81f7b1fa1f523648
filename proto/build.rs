//! Compiles the proto in pure Rust, so that no protoc is needed.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "proto/forebay/inferd/v1/inferd.proto";
    println!("cargo::rerun-if-changed={file}");
    let descriptors = protox::compile([file], ["proto"])?;
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    std::fs::write(out.join("descriptors.bin"), prost_build_encode(&descriptors))?;
    if std::env::var_os("CARGO_FEATURE_GRPC").is_some() {
        tonic_prost_build::configure().compile_fds(descriptors)?;
    } else {
        prost_build::Config::new().compile_fds(descriptors)?;
    }
    Ok(())
}

/// The descriptor set as server reflection wants it.
fn prost_build_encode(
    descriptors: &protox::prost_reflect::prost_types::FileDescriptorSet,
) -> Vec<u8> {
    use protox::prost_reflect::prost::Message as _;
    descriptors.encode_to_vec()
}
