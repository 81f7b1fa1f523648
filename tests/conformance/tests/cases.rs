//! The cases pass in the layers that run without a proxy.

mod support;

use conformance::Layer;

#[test]
fn every_case_passes_in_the_pure_crates_and_in_the_built_filter() -> anyhow::Result<()> {
    let found = support::surprises(&[Layer::Pure, Layer::Wasm])?;
    assert!(found.is_empty(), "{found:?}; see the tables above");
    Ok(())
}
