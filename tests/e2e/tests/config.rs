//! `envoy --mode validate` on the shipped configuration, and on bad ones: it runs the filter's own checks.
use anyhow::Result;
use e2e::{Envoy, EnvoyConfig, Parts};
use serde_json::{Value, json};

async fn validate(edit: impl FnOnce(&mut Value)) -> Result<std::result::Result<(), String>> {
    let parts = Parts::locate();
    let mut config = EnvoyConfig::shipped()?;
    config.wasm(&parts.wasm.canonicalize()?)?;
    config.edit_filter_config(edit)?;
    let folder = tempfile::tempdir()?;
    let outcome = Envoy::validate(&parts.envoy, &config, folder.path()).await;
    Ok(outcome.map_err(|error| format!("{error:#}")))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shipped_configuration_is_valid() -> Result<()> {
    let outcome = validate(|_| {}).await?;
    assert_eq!(outcome, Ok(()));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_filter_configuration_is_refused_with_the_key_named() -> Result<()> {
    type Edit = fn(&mut Value);
    let cases: [(&str, Edit); 6] = [
        ("threshhold", |config| config["signals"]["jailbreak"]["threshhold"] = json!(0.7)),
        ("threshold", |config| config["signals"]["jailbreak"]["threshold"] = json!(1.5)),
        ("action", |config| config["signals"]["pii"]["action"] = json!("explode")),
        ("daemons", |config| config["daemons"] = json!({})),
        ("timeout_ms", |config| config["daemon"]["timeout_ms"] = json!(-1)),
        ("max_depth", |config| config["limits"] = json!({"max_depth": "deep"})),
    ];
    for (key, edit) in cases {
        let Err(message) = validate(edit).await? else { panic!("{key}: was accepted") };
        assert!(message.contains("configuration refused"), "{key}: {message}");
        assert!(message.contains(key), "{key}: {message}");
    }
    Ok(())
}
