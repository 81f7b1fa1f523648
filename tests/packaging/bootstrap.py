"""From the rendered YAML of Istio or Envoy Gateway to a bootstrap that Envoy runs: what their control planes make of it.

Neither runs here (no cluster), so this does by hand what their sources do with just the objects that Forebay ships. It takes every value from
the rendered objects; a patch that matches nothing is an error.
"""
import copy
import json
from pathlib import Path

from jsonpath_ng.ext import parse

HCM = "envoy.filters.network.http_connection_manager"
WASM = "type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm"
HTTP2 = {"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
    "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
    "explicit_http_config": {"http2_protocol_options": {}},
}}


def cluster(name, address, **more):
    endpoint = {"endpoint": {"address": address}}
    return {"name": name, "type": "STATIC", **more, "load_assignment": {"cluster_name": name, "endpoints": [{"lb_endpoints": [endpoint]}]}}


def plain(upstream_port, listener="0.0.0.0_80", routes="http.80"):
    """A gateway with one route and no filter."""
    manager = {
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "gateway",
        "http_filters": [{"name": "envoy.filters.http.router", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}}],
        "route_config": {"name": routes, "virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [
            {"match": {"prefix": "/"}, "route": {"cluster": "upstream", "timeout": "60s"}}]}]},
    }
    loopback = {"socket_address": {"address": "127.0.0.1", "port_value": 0}}
    return {
        "node": {"id": "gateway", "cluster": "gateway"},
        "admin": {"address": loopback},
        "static_resources": {
            "listeners": [{"name": listener, "address": loopback, "filter_chains": [{"filters": [{"name": HCM, "typed_config": manager}]}]}],
            "clusters": [cluster("upstream", {"socket_address": {"address": "127.0.0.1", "port_value": upstream_port}})],
        },
    }


def listener_of(bootstrap):
    return bootstrap["static_resources"]["listeners"][0]


def manager_of(bootstrap):
    return listener_of(bootstrap)["filter_chains"][0]["filters"][0]["typed_config"]


def merge(into, patch):
    for key, value in patch.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = copy.deepcopy(value)


def insert_before(filters, name, new):
    (at,) = [index for index, found in enumerate(filters) if found["name"] == name]
    filters.insert(at, new)


# --- Istio


def istio(objects, upstream_port, wasm, folder):
    """istiod with the EnvoyFilter and the ServiceEntry, and pilot-agent, which turns the module's image into a file."""
    bootstrap = plain(upstream_port)
    clusters = bootstrap["static_resources"]["clusters"]
    kinds = {found["kind"]: found for found in objects}
    if "ServiceEntry" in kinds:
        clusters.append(istio_cluster(kinds["ServiceEntry"]["spec"], kinds["DestinationRule"]["spec"]))
    extensions = {}
    for patch in kinds["EnvoyFilter"]["spec"]["configPatches"]:
        assert patch["match"]["context"] == "GATEWAY"
        operation, value = patch["patch"]["operation"], patch["patch"]["value"]
        match patch["applyTo"], operation:
            case "EXTENSION_CONFIG", "ADD":
                extensions[value["name"]] = pulled(value, wasm)
            case "CLUSTER", "ADD":
                clusters.append(value)
            case "LISTENER", "MERGE":
                merge(listener_of(bootstrap), value)
            case "VIRTUAL_HOST", "MERGE":
                for host in manager_of(bootstrap)["route_config"]["virtual_hosts"]:
                    merge(host, value)
            case "NETWORK_FILTER", "MERGE":
                assert patch["match"]["listener"]["filterChain"]["filter"]["name"] == HCM
                merge(manager_of(bootstrap), value["typed_config"])
            case "HTTP_FILTER", "INSERT_BEFORE":
                where = patch["match"]["listener"]["filterChain"]["filter"]
                assert where["name"] == HCM
                insert_before(manager_of(bootstrap)["http_filters"], where["subFilter"]["name"], copy.deepcopy(value))
            case other:
                raise AssertionError(f"a patch that istiod does not know: {other}")
    # The discovery service: what it would send lies in a file.
    for http_filter in manager_of(bootstrap)["http_filters"]:
        discovery = http_filter.get("config_discovery")
        if discovery is not None:
            assert discovery["config_source"] == {"ads": {}}
            resource = {"@type": "type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig", **extensions.pop(http_filter["name"])}
            file = folder / f"{http_filter['name']}.json"
            file.write_text(json.dumps({"resources": [resource]}))
            discovery["config_source"] = {"path_config_source": {"path": str(file)}}
    assert not extensions, f"an extension that no filter asks for: {list(extensions)}"
    return bootstrap


def inlined(bootstrap):
    """The same with the filters that Envoy would discover, in their place: a reader of the bootstrap alone does not see them."""
    bootstrap = copy.deepcopy(bootstrap)
    for http_filter in manager_of(bootstrap)["http_filters"]:
        discovery = http_filter.pop("config_discovery", None)
        if discovery is not None:
            (resource,) = json.loads(Path(discovery["config_source"]["path_config_source"]["path"]).read_text())["resources"]
            http_filter["typed_config"] = resource["typed_config"]
    return bootstrap


def istio_cluster(entry, rule):
    """istiod names the cluster by port and host; a port of protocol GRPC speaks HTTP/2."""
    (host,), (port,), (endpoint,) = entry["hosts"], entry["ports"], entry["endpoints"]
    assert rule["host"] == host and rule["trafficPolicy"]["tls"]["mode"] == "DISABLE" and port["protocol"] == "GRPC"
    pool = rule["trafficPolicy"]["connectionPool"]
    limits = {"max_requests": pool["http"]["http2MaxRequests"], "max_pending_requests": pool["http"]["http1MaxPendingRequests"]}
    return cluster(
        f"outbound|{port['number']}||{host}", {"pipe": {"path": endpoint["address"].removeprefix("unix://")}},
        connect_timeout=pool["tcp"]["connectTimeout"], typed_extension_protocol_options=HTTP2,
        circuit_breakers={"thresholds": [limits]},
    )


def pulled(extension, wasm):
    """pilot-agent (pkg/wasm/convert.go): remote code becomes a local file, and the pull settings leave the environment."""
    extension = copy.deepcopy(extension)
    vm = extension["typed_config"]["config"]["vm_config"]
    code = vm["code"]
    if "remote" in code:
        assert code["remote"]["http_uri"]["uri"].startswith("oci://")
        variables = vm["environment_variables"]["key_values"]
        assert all(name.startswith("ISTIO_META_WASM_IMAGE_PULL_") for name in variables)
        del vm["environment_variables"]
    vm["code"] = {"local": {"filename": str(wasm)}}
    return extension


def wasm_plugin(plugin, upstream_port, wasm):
    """istiod's conversion of a WasmPlugin (pilot/pkg/model/extensions.go): no allow_on_headers_stop_iteration."""
    bootstrap = plain(upstream_port)
    spec = plugin["spec"]
    config = {
        "name": f"{plugin['metadata']['namespace']}.{plugin['metadata']['name']}", "root_id": spec["pluginName"],
        "failure_policy": {"FAIL_CLOSE": "FAIL_CLOSED", "FAIL_OPEN": "FAIL_OPEN", "FAIL_RELOAD": "FAIL_RELOAD"}[spec["failStrategy"]],
        "vm_config": {"runtime": "envoy.wasm.runtime.v8", "code": {"local": {"filename": str(wasm)}}},
        "configuration": {"@type": "type.googleapis.com/google.protobuf.StringValue", "value": json.dumps(spec["pluginConfig"])},
    }
    insert_before(manager_of(bootstrap)["http_filters"], "envoy.filters.http.router",
                  {"name": spec["pluginName"], "typed_config": {"@type": WASM, "config": config}})
    return bootstrap


# --- Envoy Gateway


def envoy_gateway(objects, upstream_port, wasm, port=80, scheme="v2", listener="http"):
    """Envoy Gateway's translation (internal/xds/translator): wasm.go, extension_backends.go, then jsonpatch.go."""
    kinds = {found["kind"]: found for found in objects}
    policy = kinds["EnvoyExtensionPolicy"]
    namespace, name, spec = policy["metadata"]["namespace"], policy["metadata"]["name"], policy["spec"]
    (gateway,) = spec["targetRefs"]
    old_name = f"{namespace}/{gateway['name']}/{listener}"
    names = {"v1": (old_name, old_name), "v2": (f"tcp-{port}", f"http-{port}")}[scheme]
    bootstrap = plain(upstream_port, *names)
    listener_of(bootstrap)["per_connection_buffer_limit_bytes"] = 32768
    routes = manager_of(bootstrap)["route_config"]["virtual_hosts"][0]["routes"]
    clusters = bootstrap["static_resources"]["clusters"]
    for index, module in enumerate(spec["wasm"]):
        filter_name = f"envoy.filters.http.wasm/envoyextensionpolicy/{namespace}/{name}/wasm/{index}"
        config = {
            "name": module["name"], "root_id": module["rootID"], "fail_open": module["failOpen"],
            "vm_config": {"vm_id": filter_name, "runtime": "envoy.wasm.runtime.v8", "code": {"local": {"filename": str(wasm)}}},
            "configuration": {"@type": "type.googleapis.com/google.protobuf.StringValue", "value": json.dumps(module["config"])},
        }
        insert_before(manager_of(bootstrap)["http_filters"], "envoy.filters.http.router",
                      {"name": filter_name, "disabled": True, "typed_config": {"@type": WASM, "config": config}})
        for route in routes:
            route.setdefault("typed_per_filter_config", {})[filter_name] = {
                "@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", "config": {}}
    bindings = {}
    for index, backend in enumerate(spec.get("backends", [])):
        found = kinds["Backend"]
        assert (backend["backendRef"]["name"], namespace) == (found["metadata"]["name"], found["metadata"]["namespace"])
        (endpoint,) = found["spec"]["endpoints"]
        http2 = "gateway.envoyproxy.io/h2c" in found["spec"].get("appProtocols", [])
        generated = f"envoyextensionpolicy/{namespace}/{name}/backend/{index}"
        settings = backend["backendSettings"]
        limits = {"max_requests": settings["circuitBreaker"]["maxParallelRequests"],
                  "max_pending_requests": settings["circuitBreaker"]["maxPendingRequests"]}
        clusters.append(cluster(
            generated, {"pipe": {"path": endpoint["unix"]["path"]}}, circuit_breakers={"thresholds": [limits]},
            connect_timeout=f"{int(settings['timeout']['tcp']['connectTimeout'].removesuffix('ms')) / 1000}s",
            **({"typed_extension_protocol_options": HTTP2} if http2 else {}),
        ))
        bindings[backend["name"]] = generated
    if bindings:
        for route in routes:
            route["metadata"] = {"filter_metadata": {"gateway.envoyproxy.io/extension-backends": bindings}}
    if "EnvoyPatchPolicy" in kinds:
        patched(bootstrap, kinds["EnvoyPatchPolicy"]["spec"]["jsonPatches"])
    return bootstrap


def patched(bootstrap, patches):
    resources = {"listener.v3.Listener": listener_of(bootstrap), "route.v3.RouteConfiguration": manager_of(bootstrap)["route_config"]}
    for patch in patches:
        kind, operation = patch["type"].removeprefix("type.googleapis.com/envoy.config."), patch["operation"]
        assert operation["op"] == "add"
        if operation.get("path") == "" and "jsonPath" not in operation:
            assert kind == "cluster.v3.Cluster"
            bootstrap["static_resources"]["clusters"].append(operation["value"])
            continue
        resource = resources[kind]
        assert resource["name"] == patch["name"], f"no xDS resource is named {patch['name']}; it is {resource['name']}"
        found = parse("$" + operation["jsonPath"]).find(resource)
        assert found, f"{operation['jsonPath']} matches nothing"
        for match in found:
            match.value[operation["path"]] = operation["value"]


# --- A bootstrap of one's own


def snippet(pieces, upstream_port, wasm, socket):
    """The pieces of envoy-config/envoy/snippet.yaml put where they say."""
    bootstrap = plain(upstream_port)
    for http_filter in copy.deepcopy(pieces["http_filters"]):
        http_filter["typed_config"]["config"]["vm_config"]["code"]["local"]["filename"] = str(wasm)
        insert_before(manager_of(bootstrap)["http_filters"], "envoy.filters.http.router", http_filter)
    merge(manager_of(bootstrap), pieces["http_connection_manager"])
    merge(listener_of(bootstrap), pieces["listener"])
    for host in manager_of(bootstrap)["route_config"]["virtual_hosts"]:
        merge(host, pieces["virtual_host"])
    for found in copy.deepcopy(pieces["clusters"]):
        (endpoint,) = found["load_assignment"]["endpoints"][0]["lb_endpoints"]
        endpoint["endpoint"]["address"]["pipe"]["path"] = str(socket)
        bootstrap["static_resources"]["clusters"].append(found)
    return bootstrap
