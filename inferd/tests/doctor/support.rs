//! Running the built command, and a healthy Envoy to spoil.
#![allow(clippy::panic, reason = "a fault that cannot be planted is a broken test")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

pub(crate) type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

/// What a run of `inferd doctor --json` told.
pub(crate) struct Told {
    pub(crate) code: i32,
    pub(crate) report: Value,
    pub(crate) stderr: String,
}

impl Told {
    /// Ids of the findings, in their order.
    pub(crate) fn ids(&self) -> Vec<&str> {
        let findings = self.report["findings"].as_array();
        findings.into_iter().flatten().filter_map(|f| f["id"].as_str()).collect()
    }

    /// The only finding's `key`.
    pub(crate) fn only(&self, key: &str) -> &str {
        self.report["findings"][0][key].as_str().unwrap_or_default()
    }

    /// What the report says was not looked at.
    pub(crate) fn unchecked(&self) -> String {
        self.report["unchecked"].to_string()
    }
}

pub(crate) fn doctor(args: &[&str]) -> Result<Told> {
    let output = Command::new(env!("CARGO_BIN_EXE_inferd"))
        .args(["doctor", "--json"])
        .args(args)
        .output()?;
    Ok(Told {
        code: output.status.code().unwrap_or(-1),
        report: serde_json::from_slice(&output.stdout).unwrap_or(Value::Null),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

pub(crate) fn tiny() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tiny")
}

/// The text of the bootstrap that the repository ships.
pub(crate) fn shipped_text() -> Result<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../envoy-config/envoy/envoy.yaml");
    Ok(std::fs::read_to_string(path)?)
}

/// The same as JSON.
pub(crate) fn shipped() -> Result<Value> {
    Ok(serde_saphyr::from_str(&shipped_text()?)?)
}

pub(crate) const LISTENER: &str = "/static_resources/listeners/0";
pub(crate) const MANAGER: &str =
    "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config";
pub(crate) const FILTER: &str =
    "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/http_filters/0";
pub(crate) const PLUGIN: &str = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/http_filters/0/typed_config/config";
pub(crate) const HOST: &str = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/route_config/virtual_hosts/0";
pub(crate) const CLUSTER: &str = "/static_resources/clusters/2";

/// A place in a document that must be there.
pub(crate) fn at<'a>(document: &'a mut Value, pointer: &str) -> &'a mut Value {
    document.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is not there"))
}

/// Removes a key that must be there.
pub(crate) fn remove(document: &mut Value, pointer: &str, key: &str) -> Value {
    let object = at(document, pointer).as_object_mut();
    object.and_then(|o| o.remove(key)).unwrap_or_else(|| panic!("{pointer}/{key} is not there"))
}

/// Changes the filter's own configuration.
pub(crate) fn configure(document: &mut Value, edit: impl FnOnce(&mut Value)) {
    let value = at(document, &format!("{PLUGIN}/configuration/value"));
    let mut config: Value =
        serde_json::from_str(value.as_str().unwrap_or_default()).unwrap_or_default();
    edit(&mut config);
    *value = config.to_string().into();
}

/// The configuration dump of an Envoy that got everything from a control plane: listener, routes, filter, cluster and endpoints apart.
pub(crate) fn dump(mut bootstrap: Value, minor_version: u32) -> Value {
    let mut listener = at(&mut bootstrap, LISTENER).clone();
    let manager = at(&mut listener, "/filter_chains/0/filters/0/typed_config");
    let routes = manager["route_config"].take();
    manager["rds"] = json!({"route_config_name": routes["name"], "config_source": {"ads": {}}});
    if let Some(object) = manager.as_object_mut() {
        object.remove("route_config");
    }
    let filter = at(manager, "/http_filters/0");
    let mut delivered = filter.clone();
    *filter = json!({
        "name": delivered["name"],
        "config_discovery": {"config_source": {"ads": {}}, "type_urls": [delivered["typed_config"]["@type"]]}
    });
    if delivered["disabled"] == true {
        filter["disabled"] = true.into();
        if let Some(object) = delivered.as_object_mut() {
            object.remove("disabled");
        }
    }
    let mut clusters = at(&mut bootstrap, "/static_resources/clusters").clone();
    let mut endpoints = Vec::new();
    for cluster in clusters.as_array_mut().into_iter().flatten() {
        let assignment = cluster["load_assignment"].take();
        cluster["type"] = "EDS".into();
        endpoints.push(json!({"endpoint_config": assignment}));
    }
    let wrapped: Vec<Value> =
        clusters.as_array().into_iter().flatten().map(|c| json!({"cluster": c})).collect();
    let version =
        json!({"version": {"major_number": 1, "minor_number": minor_version, "patch": 0}});
    let kind = |name: &str| format!("type.googleapis.com/envoy.admin.v3.{name}");
    json!({"configs": [
        {"@type": kind("BootstrapConfigDump"), "bootstrap": {"node": {"user_agent_build_version": version}}},
        {"@type": kind("ClustersConfigDump"), "dynamic_active_clusters": wrapped},
        {"@type": kind("EndpointsConfigDump"), "dynamic_endpoint_configs": endpoints},
        {"@type": kind("ListenersConfigDump"),
            "dynamic_listeners": [{"name": "llm", "active_state": {"listener": listener}}]},
        {"@type": kind("RoutesConfigDump"), "dynamic_route_configs": [{"route_config": routes}]},
        {"@type": kind("EcdsConfigDump"), "ecds_filters": [{"ecds_filter": delivered}]},
        {"@type": kind("SecretsConfigDump")}
    ]})
}

/// Writes a document and gives its name.
pub(crate) fn written(dir: &Path, name: &str, text: &str) -> Result<String> {
    let path = dir.join(name);
    std::fs::write(&path, text)?;
    Ok(path.display().to_string())
}
