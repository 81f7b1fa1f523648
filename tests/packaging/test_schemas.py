"""Every object that is shipped or rendered, against strict schemas."""
import copy
import json

import pytest
from kinds import CUSTOM, faults
from tools import CONFIG, HERE, OVERLAYS, PLACE, VALUES, by_kind, documents, kustomize, must, template

STATIC = [path for folder in ("istio", "envoy-gateway") for path in sorted((CONFIG / folder).rglob("*.yaml"))]
# Not objects of an API server: values, a patch, kustomizations, and Envoy Gateway's own configuration file.
NO_OBJECTS = {"gateway-helm-values.yaml", "injected-gateway-patch.yaml", "kustomization.yaml", "envoy-gateway-config.yaml"}


def sources():
    for values in VALUES:
        yield f"chart with {values.name}", lambda values=values: template(values)
    for overlay in OVERLAYS:
        yield f"overlay {overlay.name}", lambda overlay=overlay: kustomize(overlay)
    for path in STATIC:
        if path.name not in NO_OBJECTS:
            yield f"file {path.relative_to(CONFIG)}", path.read_text


@pytest.fixture(scope="module")
def everything():
    """(where from, object), all of them."""
    return [(name, found) for name, text in sources() for found in documents(text())]


def test_every_object_passes_the_strict_schemas(everything):
    wrong = [f"{name}: {found['kind']} {found['metadata']['name']}: {fault}" for name, found in everything for fault in faults(found)]
    assert not wrong, "\n".join(wrong)
    assert len(everything) > 50


def npm(objects):
    return json.loads(must("node", HERE / "npm-models.cjs", cwd=PLACE, input=json.dumps(objects)))


def test_custom_resources_pass_the_npm_models(everything):
    known = [(name, found) for name, found in everything
             if (found["apiVersion"], found["kind"]) in CUSTOM and not found["apiVersion"].startswith("gateway.envoyproxy.io")]
    wrong = [f"{name}: {found['kind']}: {verdict}" for (name, found), verdict in zip(known, npm([f for _, f in known])) if verdict]
    assert not wrong, "\n".join(wrong)
    kinds = {found["kind"] for _, found in known}
    assert kinds >= {"EnvoyFilter", "ServiceEntry", "DestinationRule", "WasmPlugin", "Gateway", "PodMonitor", "PrometheusRule"}, kinds


def test_the_npm_models_find_a_wrong_type_and_a_wrong_enum(everything):
    objects = [found for _, found in everything]
    entry = copy.deepcopy(by_kind(documents((CONFIG / "istio" / "daemon.yaml").read_text()), "ServiceEntry"))
    entry["spec"]["resolution"] = "SOMETIMES"
    monitor = copy.deepcopy(next(found for found in objects if found["kind"] == "PodMonitor"))
    monitor["spec"]["podMetricsEndpoints"] = "all"
    assert all(npm([entry, monitor]))


def break_at(path, value):
    def change(found):
        *parents, last = path
        for part in parents:
            found = found[part]
        if value is None:
            del found[last]
        else:
            found[last] = value
    return change


@pytest.mark.parametrize("file, kind, change, told", [
    ("rocm", "DaemonSet", break_at(["spec", "updateStrategy", "rollingUpdate", "maxSurge"], 1), "maxSurge"),
    ("rocm", "DaemonSet", break_at(["spec", "template", "spec", "hostNetwrok"], True), "hostNetwrok"),
    ("rocm", "DaemonSet", break_at(["spec", "template", "spec", "volumes"], [{"name": "config"}]), "no volume"),
    ("rocm", "DaemonSet", break_at(["kind"], "DemonSet"), "no schema"),
    ("rocm", "DaemonSet", break_at(["apiVersion"], "apps/v9"), "no schema"),
    ("minimal", "ConfigMap", break_at(["data"], ["text"]), "data"),
    ("istio", "EnvoyFilter", break_at(["spec", "targetRefs"], [{"group": "gateway.networking.k8s.io", "kind": "Gateway", "name": "x"}]), "only one"),
    ("istio", "EnvoyFilter", break_at(["spec", "configPatches", 0, "applyTo"], "EXTENSION"), "EXTENSION"),
    ("istio", "EnvoyFilter", break_at(["spec", "configPatches", 0, "patch", "operaton"], "ADD"), "operaton"),
    ("istio", "ServiceEntry", break_at(["spec", "endpoints", 0, "address"], "unix://run/forebay/inferd.sock"), "unix"),
    ("istio", "ServiceEntry", break_at(["spec", "endpoints", 0, "ports"], {"grpc": 1}), "ports"),
    ("eg-1.10", "Backend", break_at(["spec", "endpoints", 0, "unix", "path"], "/" + "x" * 107), "path"),
    ("eg-1.10", "EnvoyExtensionPolicy", break_at(["spec", "wasm", 0, "code", "image", "url"], "oci://example.com/f:1"), "url"),
    ("eg-1.9", "EnvoyPatchPolicy", break_at(["spec", "targetRef", "kind"], "Gatway"), "Gatway"),
    ("eg-1.9", "EnvoyProxy", break_at(["metadata", "namespace"], None), "namespace"),
    ("observability", "PodMonitor", break_at(["spec", "podMetricsEndpoints", 0, "interval"], 15), "interval"),
])
def test_a_broken_object_is_refused_with_the_fault_named(file, kind, change, told):
    found = by_kind(documents(template(HERE / "values" / f"{file}.yaml")), kind, None if kind != "ConfigMap" else "forebay")
    assert not faults(found)
    change(found)
    assert told in "\n".join(faults(found))
