//! The cases pass in real Envoy, over HTTP/1.1 and HTTP/2.

mod support;

use conformance::Layer;

#[test]
fn every_case_passes_in_envoy() -> anyhow::Result<()> {
    let found = support::surprises(&[Layer::Envoy])?;
    assert!(found.is_empty(), "{found:?}; see the tables above");
    Ok(())
}
