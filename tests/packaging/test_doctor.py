"""`inferd doctor` finds nothing wrong with what is shipped, and misses every piece that is taken away."""
import copy
import json

import bootstrap
import pytest
import yaml
from tools import CONFIG, HERE, OVERLAYS, VALUES, by_kind, documents, envoy, inferd, kustomize, run, template, wasm

CHARTS = [path for path in VALUES if yaml.safe_load(path.read_text()).get("gateway", {}).get("kind", "none") != "none"]
GATEWAYS = [overlay for overlay in OVERLAYS if overlay.name not in ("cpu", "rocm")]
PORT = 8080


def findings(config, folder):
    """Identifiers of what doctor finds in a bootstrap."""
    file = folder / "bootstrap.yaml"
    file.write_text(yaml.safe_dump(bootstrap.inlined(config)))
    done = run(inferd(), "doctor", "--json", "--bootstrap", file, "--envoy", envoy())
    assert done.returncode in (0, 1), done.stderr
    report = json.loads(done.stdout)
    found = [finding["id"] for finding in report["findings"]]
    assert bool(found) == (done.returncode == 1), done.stdout
    assert report["unchecked"] == ["the socket: give --socket or --config"], "all of the gateway was looked at"
    return found


def translated(objects, folder):
    """Rendered objects as Istio or Envoy Gateway hand them to Envoy."""
    if any(found["kind"] == "EnvoyFilter" for found in objects):
        return bootstrap.istio(objects, PORT, wasm(), folder)
    name = by_kind(objects, "EnvoyPatchPolicy")["spec"]["jsonPatches"][0]["name"]
    if "/" in name:
        return bootstrap.envoy_gateway(objects, PORT, wasm(), scheme="v1", listener=name.rsplit("/", 1)[1])
    return bootstrap.envoy_gateway(objects, PORT, wasm(), scheme="v2")


@pytest.mark.parametrize("values", CHARTS, ids=lambda path: path.stem)
def test_doctor_finds_nothing_in_the_chart(values, tmp_path):
    assert findings(translated(documents(template(values)), tmp_path), tmp_path) == []


@pytest.mark.parametrize("overlay", GATEWAYS, ids=lambda path: path.name)
def test_doctor_finds_nothing_in_an_overlay(overlay, tmp_path):
    assert findings(translated(documents(kustomize(overlay)), tmp_path), tmp_path) == []


def test_doctor_finds_nothing_in_the_snippet(tmp_path):
    (pieces,) = documents((CONFIG / "envoy" / "snippet.yaml").read_text())
    assert findings(bootstrap.snippet(pieces, PORT, wasm(), "/run/forebay/inferd.sock"), tmp_path) == []


@pytest.mark.parametrize("version", ["1.9", "1.10"])
def test_doctor_misses_each_operation_of_the_patch_policy(version, tmp_path):
    objects = documents(template(HERE / "values" / f"eg-{version}.yaml"))
    missed = {"allow_on_headers_stop_iteration": "filter.stop_iteration", "failure_policy": "filter.failure_policy",
              "stream_idle_timeout": "connection.idle_timeout", "request_body_buffer_limit": "route.body_limit", "": "cluster.missing"}
    patches = by_kind(objects, "EnvoyPatchPolicy")["spec"]["jsonPatches"]
    assert {patch["operation"]["path"] for patch in patches} == set(missed) - ({""} if version == "1.10" else set())
    for index, patch in enumerate(patches):
        less = copy.deepcopy(objects)
        del by_kind(less, "EnvoyPatchPolicy")["spec"]["jsonPatches"][index]
        assert findings(translated(less, tmp_path), tmp_path) == [missed[patch["operation"]["path"]]]


@pytest.mark.parametrize("kind", ["istio", "envoy-gateway"])
def test_what_may_wait_longer_has_a_longer_idle_timeout(kind, tmp_path):
    values = yaml.safe_load((HERE / "values" / "eg-1.10.yaml").read_text()) | {"gateway": {"kind": kind, "namespace": "llm-gateway"}}
    values["filter"] = values["filter"] | {"timeoutMs": 60000}
    file = tmp_path / "values.yaml"
    file.write_text(yaml.safe_dump(values))
    config = translated(documents(template(file)), tmp_path)
    assert bootstrap.manager_of(config)["stream_idle_timeout"] == "100s"
    assert findings(config, tmp_path) == []
