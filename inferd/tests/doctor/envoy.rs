//! Faults of an Envoy's configuration, in a bootstrap and in what a control plane delivered.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::support::{
    CLUSTER, FILTER, HOST, MANAGER, PLUGIN, Result, at, configure, doctor, dump, remove, shipped,
    shipped_text, written,
};

/// What a fault is called, how it is planted, what `found` must say.
type Plant = (&'static str, fn(&mut Value), &'static str);

const PLANTS: &[Plant] = &[
    (
        "filter.missing",
        |d| drop(at(d, &format!("{MANAGER}/http_filters")).as_array_mut().map(|f| f.remove(0))),
        "envoy.filters.http.router",
    ),
    (
        "filter.order",
        |d| {
            at(d, &format!("{MANAGER}/http_filters"))
                .as_array_mut()
                .into_iter()
                .for_each(|f| f.swap(0, 1))
        },
        "envoy.filters.http.router, forebay",
    ),
    ("filter.disabled", |d| at(d, FILTER)["disabled"] = true.into(), "no route enables it"),
    (
        "filter.stop_iteration",
        |d| drop(remove(d, PLUGIN, "allow_on_headers_stop_iteration")),
        "is not set",
    ),
    (
        "filter.stop_iteration",
        |d| at(d, PLUGIN)["allow_on_headers_stop_iteration"] = false.into(),
        "is not set",
    ),
    ("filter.failure_policy", |d| drop(remove(d, PLUGIN, "failure_policy")), "FAIL_CLOSED"),
    (
        "filter.failure_policy",
        |d| at(d, PLUGIN)["failure_policy"] = "FAIL_OPEN".into(),
        "FAIL_OPEN",
    ),
    (
        "filter.config_type",
        |d| {
            at(d, &format!("{PLUGIN}/configuration"))["@type"] =
                "type.googleapis.com/google.protobuf.Value".into();
        },
        "is a Value",
    ),
    (
        "filter.config",
        |d| configure(d, |c| c["signals"]["jailbreak"]["threshold"] = json!(1.5)),
        "signals.jailbreak.threshold is 1.5",
    ),
    ("filter.config", |d| configure(d, |c| c["sginals"] = json!({})), "unknown field `sginals`"),
    ("filter.config", |d| at(d, &format!("{PLUGIN}/configuration"))["value"] = "{".into(), "EOF"),
    (
        "headers.forgeable",
        |d| configure(d, |c| c["headers"] = json!({"prefix": "x-acme-"})),
        "matches x-forebay-route",
    ),
    (
        "headers.forgeable",
        |d| {
            at(d, &format!("{HOST}/routes/0"))["typed_per_filter_config"] = json!({
                "forebay": {"@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", "disabled": true}
            })
        },
        "x-forebay-verdict reaches the upstream",
    ),
    (
        "route.body_limit",
        |d| drop(remove(d, &format!("{HOST}/routes/1"), "request_body_buffer_limit")),
        "above 32768 bytes",
    ),
    (
        "route.body_limit",
        |d| at(d, &format!("{HOST}/routes/0"))["request_body_buffer_limit"] = 1000.into(),
        "above 1000 bytes",
    ),
    (
        "route.body_limit",
        |d| configure(d, |c| c["limits"] = json!({"max_body_bytes": 67_108_865})),
        "above 67108864 bytes",
    ),
    ("connection.idle_timeout", |d| drop(remove(d, MANAGER, "stream_idle_timeout")), "is not set"),
    ("connection.idle_timeout", |d| at(d, MANAGER)["stream_idle_timeout"] = "0s".into(), "is off"),
    (
        "connection.idle_timeout",
        |d| at(d, MANAGER)["stream_idle_timeout"] = "5s".into(),
        "may take 5 s",
    ),
    (
        "cluster.missing",
        |d| configure(d, |c| c["daemon"]["cluster"] = "infred".into()),
        "\"infred\", and there is no such cluster; did you mean \"inferd\"?",
    ),
    (
        "cluster.missing",
        |d| configure(d, |c| c["daemon"] = json!({"extension_backend": "inferd"})),
        "no route resolves the extension backend \"inferd\"",
    ),
    ("cluster.http2", |d| drop(remove(d, CLUSTER, "typed_extension_protocol_options")), "HTTP/1.1"),
    (
        "cluster.tls",
        |d| {
            at(d, CLUSTER)["transport_socket"] = json!({
                "name": "tls",
                "typed_config": {"@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext"}
            })
        },
        "TLS",
    ),
    (
        "cluster.address",
        |d| {
            at(d, &format!("{CLUSTER}/load_assignment/endpoints/0/lb_endpoints/0/endpoint"))["address"] =
                json!({"socket_address": {"address": "10.0.0.7", "port_value": 50051}});
        },
        "10.0.0.7:50051",
    ),
    (
        "socket.path_too_long",
        |d| {
            let path = format!("/run/{}.sock", "x".repeat(103 - 5));
            at(
                d,
                &format!(
                    "{CLUSTER}/load_assignment/endpoints/0/lb_endpoints/0/endpoint/address/pipe"
                ),
            )["path"] = format!("{path}!!!!!").into();
        },
        "has 113 bytes",
    ),
];

#[test]
fn each_fault_of_a_bootstrap_is_found_and_nothing_else() -> Result {
    let dir = tempfile::tempdir()?;
    for (id, plant, found) in PLANTS {
        let mut document = shipped()?;
        plant(&mut document);
        let file = written(dir.path(), "envoy.json", &document.to_string())?;
        let told = doctor(&["--bootstrap", &file])?;
        assert_eq!(told.ids(), [*id], "{id}: {}", told.stderr);
        assert_eq!(told.code, 1, "{id}");
        assert!(told.only("found").contains(found), "{id}: {} / {found}", told.only("found"));
        assert!(!told.only("mend").is_empty() && !told.only("place").is_empty(), "{id}");
    }
    Ok(())
}

#[test]
fn each_fault_of_delivered_configuration_is_found_and_nothing_else() -> Result {
    let dir = tempfile::tempdir()?;
    for (id, plant, found) in PLANTS {
        let mut document = shipped()?;
        plant(&mut document);
        // What is taken apart below starts from the filter in front.
        if matches!(*id, "filter.missing" | "filter.order") {
            continue;
        }
        let file = written(dir.path(), "dump.json", &dump(document, 40).to_string())?;
        let told = doctor(&["--config-dump", &file])?;
        assert_eq!(told.ids(), [*id], "{id}: {}", told.stderr);
        assert!(told.only("found").contains(found), "{id}: {} / {found}", told.only("found"));
        assert_eq!(told.unchecked(), "[\"the socket: give --socket or --config\"]", "{id}");
    }
    Ok(())
}

#[test]
fn what_is_shipped_is_healthy_in_every_shape() -> Result {
    let dir = tempfile::tempdir()?;
    let yaml = written(dir.path(), "envoy.yaml", &shipped_text()?)?;
    let dumped = written(dir.path(), "dump.json", &dump(shipped()?, 36).to_string())?;
    for args in [["--bootstrap", &yaml], ["--config-dump", &dumped]] {
        let told = doctor(&args)?;
        assert_eq!((told.code, told.ids()), (0, vec![]), "{args:?}: {}", told.stderr);
        assert_eq!(told.report["healthy"], true);
    }
    Ok(())
}

/// Envoy Gateway 1.10: the filter is off but for routes that enable it, and routes name the daemon's cluster.
#[test]
fn a_gateway_with_an_extension_backend_is_healthy_and_its_cluster_is_checked() -> Result {
    let dir = tempfile::tempdir()?;
    let gateway = |cluster: &str| -> Result<Value> {
        let mut document = shipped()?;
        configure(&mut document, |c| c["daemon"] = json!({"extension_backend": "inferd"}));
        let name = "envoy.filters.http.wasm/envoyextensionpolicy/ns/forebay/wasm/0";
        at(&mut document, FILTER)["name"] = name.into();
        at(&mut document, FILTER)["disabled"] = true.into();
        let routes = at(&mut document, &format!("{HOST}/routes"));
        for route in routes.as_array_mut().into_iter().flatten() {
            route["metadata"] = json!({"filter_metadata": {
                "gateway.envoyproxy.io/extension-backends": {"inferd": cluster}}});
            route["typed_per_filter_config"] = json!({name: {
                "@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", "config": {}}});
        }
        // A route of another application, on which the filter stays off.
        if let Some(routes) = routes.as_array_mut() {
            routes.push(json!({"match": {"prefix": "/shop"}, "route": {"cluster": "general"}}));
        }
        Ok(dump(document, 40))
    };
    let file = written(dir.path(), "dump.json", &gateway("inferd")?.to_string())?;
    assert_eq!(doctor(&["--config-dump", &file])?.ids(), Vec::<&str>::new());
    let file = written(dir.path(), "dump.json", &gateway("elsewhere")?.to_string())?;
    let told = doctor(&["--config-dump", &file])?;
    assert_eq!(told.ids(), ["cluster.missing"]);
    let mut broken = gateway("inferd")?;
    if let Some(cluster) = broken.pointer_mut("/configs/1/dynamic_active_clusters/2/cluster") {
        cluster["typed_extension_protocol_options"] = Value::Null;
    }
    let file = written(dir.path(), "dump.json", &broken.to_string())?;
    assert_eq!(doctor(&["--config-dump", &file])?.ids(), ["cluster.http2"]);
    Ok(())
}

/// EnvoyFilter patches often come as TypedStruct, with names in camel case.
#[test]
fn a_typed_struct_in_camel_case_is_read_like_the_message() -> Result {
    let dir = tempfile::tempdir()?;
    let mut document = shipped()?;
    let plugin = at(&mut document, PLUGIN).clone();
    let camel = |flag: bool| {
        json!({
            "@type": "type.googleapis.com/udpa.type.v1.TypedStruct",
            "type_url": "type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm",
            "value": {"config": {
                "name": "forebay", "allowOnHeadersStopIteration": flag, "failurePolicy": "FAIL_RELOAD",
                "configuration": plugin["configuration"],
            }}
        })
    };
    for (flag, ids) in [(true, vec![]), (false, vec!["filter.stop_iteration"])] {
        at(&mut document, FILTER)["typed_config"] = camel(flag);
        let file = written(dir.path(), "envoy.json", &document.to_string())?;
        assert_eq!(doctor(&["--bootstrap", &file])?.ids(), ids);
    }
    Ok(())
}

#[test]
fn a_configuration_written_as_a_struct_is_judged_like_text() -> Result {
    let dir = tempfile::tempdir()?;
    for (cluster, timeout_ms, ids) in [
        ("inferd", json!(5000), vec![]),
        ("inferd", json!(-1), vec!["filter.config"]),
        ("inferno", json!(5000), vec!["cluster.missing"]),
    ] {
        let mut document = shipped()?;
        at(&mut document, PLUGIN)["configuration"] = json!({
            "@type": "type.googleapis.com/google.protobuf.Struct",
            "value": {"daemon": {"cluster": cluster, "timeout_ms": timeout_ms}},
        });
        let file = written(dir.path(), "envoy.json", &document.to_string())?;
        assert_eq!(doctor(&["--bootstrap", &file])?.ids(), ids);
    }
    Ok(())
}

#[test]
fn several_faults_come_worst_first_and_text_names_them_all() -> Result {
    let dir = tempfile::tempdir()?;
    let mut document = shipped()?;
    remove(&mut document, MANAGER, "stream_idle_timeout");
    remove(&mut document, PLUGIN, "failure_policy");
    remove(&mut document, CLUSTER, "typed_extension_protocol_options");
    let file = written(dir.path(), "envoy.json", &document.to_string())?;
    let told = doctor(&["--bootstrap", &file])?;
    assert_eq!(told.ids(), ["filter.failure_policy", "cluster.http2", "connection.idle_timeout"]);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_inferd"))
        .args(["doctor", "--bootstrap", &file])
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for expected in [
        "error: filter.failure_policy (listener llm, filter forebay)",
        "  mend    set failure_policy: FAIL_RELOAD",
        "warning: connection.idle_timeout",
        "not checked: the version of Envoy",
        "3 faults found",
    ] {
        assert!(text.contains(expected), "{text}\n/ {expected}");
    }
    Ok(())
}

#[test]
fn an_old_envoy_is_known_by_its_binary_and_by_its_dump() -> Result {
    let dir = tempfile::tempdir()?;
    let yaml = written(dir.path(), "envoy.yaml", &shipped_text()?)?;
    for (version, ids) in
        [("1.35.9", vec!["envoy.too_old"]), ("1.36.0", vec![]), ("1.40.0", vec![])]
    {
        let script =
            format!("#!/bin/sh\necho 'envoy  version: abcdef/{version}/Clean/RELEASE/BoringSSL'\n");
        let binary = written(dir.path(), &format!("envoy-{version}"), &script)?;
        std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755))?;
        let told = doctor(&["--bootstrap", &yaml, "--envoy", &binary])?;
        assert_eq!(told.ids(), ids, "{version}");
    }
    let file = written(dir.path(), "dump.json", &dump(shipped()?, 34).to_string())?;
    let told = doctor(&["--config-dump", &file])?;
    assert_eq!(told.ids(), ["envoy.too_old"]);
    assert_eq!(told.only("found"), "version 1.34");
    Ok(())
}

/// Serves an admin port for the two requests of one run.
fn admin(dump: String, version: &'static str) -> Result<(String, std::thread::JoinHandle<()>)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}", listener.local_addr()?);
    let serve = move || {
        for stream in listener.incoming().take(2).flatten() {
            let mut line = String::new();
            let mut reader = BufReader::new(&stream);
            drop(reader.read_line(&mut line));
            // All of the request, or closing the connection would reset it.
            let mut header = String::new();
            while reader.read_line(&mut header).is_ok_and(|read| read > 2) {
                header.clear();
            }
            let body = if line.starts_with("GET /config_dump?include_eds ") {
                dump.clone()
            } else {
                json!({"version": format!("abcdef/{version}/Clean/RELEASE/BoringSSL")}).to_string()
            };
            // In chunks, as Envoy answers.
            let mut answer = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_owned();
            for chunk in body.as_bytes().chunks(4096) {
                answer += &format!("{:x}\r\n{}\r\n", chunk.len(), String::from_utf8_lossy(chunk));
            }
            drop((&stream).write_all(format!("{answer}0\r\n\r\n").as_bytes()));
        }
    };
    Ok((url, std::thread::spawn(serve)))
}

#[test]
fn a_running_envoy_is_asked_for_its_configuration_and_version() -> Result {
    for (version, ids) in [("1.40.0", vec![]), ("1.34.0", vec!["envoy.too_old"])] {
        let (url, server) = admin(dump(shipped()?, 40).to_string(), version)?;
        let told = doctor(&["--admin", &url])?;
        assert_eq!(told.ids(), ids, "{}", told.stderr);
        assert_eq!(told.code, i32::from(!ids.is_empty()), "{}", told.stderr);
        server.join().map_err(|_| "the server panicked")?;
    }
    Ok(())
}

#[test]
fn what_is_not_in_the_input_is_listed_and_not_passed_over() -> Result {
    let dir = tempfile::tempdir()?;
    // A dump without include_eds, without the delivered filter, or without the routes.
    for (index, expected) in [
        (2, "its endpoints are not in the input"),
        (5, "delivered by extension discovery"),
        (4, "its routes are not"),
    ] {
        let mut document = dump(shipped()?, 40);
        document["configs"].as_array_mut().map(|configs| configs.remove(index));
        let file = written(dir.path(), "dump.json", &document.to_string())?;
        let told = doctor(&["--config-dump", &file])?;
        assert_eq!(told.ids(), Vec::<&str>::new(), "{expected}");
        assert!(told.unchecked().contains(expected), "{} / {expected}", told.unchecked());
    }
    // Clusters that a control plane may still deliver.
    let mut document = shipped()?;
    document["dynamic_resources"] = json!({"cds_config": {"ads": {}}});
    configure(&mut document, |c| c["daemon"]["cluster"] = "outbound|50051||inferd".into());
    let file = written(dir.path(), "envoy.json", &document.to_string())?;
    let told = doctor(&["--bootstrap", &file])?;
    assert_eq!(told.ids(), Vec::<&str>::new());
    assert!(told.unchecked().contains("cds_config may deliver it"));
    Ok(())
}

#[test]
fn a_filter_with_another_name_is_found_when_it_is_named() -> Result {
    let dir = tempfile::tempdir()?;
    let mut document = shipped()?;
    at(&mut document, FILTER)["name"] = "guard".into();
    let plugin = at(&mut document, PLUGIN);
    plugin["name"] = "guard".into();
    plugin["root_id"] = "guard".into();
    plugin["vm_config"] =
        json!({"vm_id": "guard", "code": {"local": {"filename": "/etc/plugin.wasm"}}});
    let file = written(dir.path(), "envoy.json", &document.to_string())?;
    assert_eq!(doctor(&["--bootstrap", &file])?.ids(), ["filter.missing"]);
    assert_eq!(doctor(&["--bootstrap", &file, "--filter", "guard"])?.ids(), Vec::<&str>::new());
    assert_eq!(doctor(&["--bootstrap", &file, "--filter", "gard"])?.ids(), ["filter.missing"]);
    Ok(())
}

#[test]
fn wrong_usage_is_told_apart_from_faults() -> Result {
    let dir = tempfile::tempdir()?;
    let other = written(dir.path(), "other.yaml", "services: []\n")?;
    let broken = written(dir.path(), "broken.json", "{\"configs\": [")?;
    let yaml = written(dir.path(), "envoy.yaml", &shipped_text()?)?;
    for (args, expected) in [
        (vec!["--bootstrap", "/nowhere/envoy.yaml"], "/nowhere/envoy.yaml"),
        (vec!["--bootstrap", &other], "neither an Envoy bootstrap"),
        (vec!["--config-dump", &broken], "not JSON"),
        (vec!["--bootstrap", &yaml, "--admin", "http://127.0.0.1:1"], "cannot be used with"),
        (vec!["--admin", "http://127.0.0.1:1"], "127.0.0.1:1"),
        (vec!["--bootstrap", &yaml, "--envoy", "/nowhere/envoy"], "/nowhere/envoy"),
        (vec!["--envoy-user", "root"], "UID:GID"),
        (vec!["--config", "/nowhere/inferd.yaml"], "/nowhere/inferd.yaml"),
    ] {
        let told = doctor(&args)?;
        assert_eq!(told.code, 2, "{args:?}: {}", told.stderr);
        assert!(told.stderr.contains(expected), "{args:?}: {}", told.stderr);
    }
    Ok(())
}
