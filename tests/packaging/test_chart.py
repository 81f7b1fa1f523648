"""The chart: lint, renders, its schema, and what inferd and Envoy say to what it writes."""
import json
import re
import tomllib

import pytest
import yaml
from tools import CHART, HELM, HERE, ROOT, UPDATE, VALUES, by_kind, documents, inferd, model, must, run, template

SCHEMA = CHART / "values.schema.json"


@pytest.mark.parametrize("values", VALUES, ids=lambda path: path.stem)
def test_lint(values):
    must(HELM, "lint", "--strict", "--quiet", "--values", values, CHART)


@pytest.mark.parametrize("values", VALUES, ids=lambda path: path.stem)
def test_a_render_is_the_golden_one(values):
    # Dashboards and rules are long and have tests of their own.
    rendered = template(values)
    if values.stem == "observability":
        objects = documents(rendered)
        for found in objects:
            if found["metadata"]["name"].endswith("dashboards"):
                found["data"] = sorted(found["data"])
            if found["kind"] == "PrometheusRule":
                found["spec"]["groups"] = [group["name"] for group in found["spec"]["groups"]]
        rendered = yaml.safe_dump_all(objects, sort_keys=False)
    rendered = re.sub(r"[ ]+$", "", rendered, flags=re.M)
    golden = HERE / "golden" / values.name
    if UPDATE:
        golden.write_text(rendered)
    assert golden.read_text() == rendered, f"{golden.name} differs; if that is meant: run.py --update"


def test_the_version_is_the_workspaces():
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (workspace, workspace)


REPOSITORY = ["--set", "image.repository=example.com/forebay/inferd"]


@pytest.mark.parametrize("arguments, key", [
    ([], "/image/repository"),
    (["--set", "image.repository="], "/image/repository"),
    ([*REPOSITORY, "--set", "image.digest=latest"], "/image/digest"),
    ([*REPOSITORY, "--set", "imagee.tag=1"], "imagee"),
    ([*REPOSITORY, "--set", "gpu.enabled=yes please"], "/gpu/enabled"),
    ([*REPOSITORY, "--set", "gpu.count=0"], "/gpu/count"),
    ([*REPOSITORY, "--set", "socket.hostDirectory=run/forebay"], "/socket/hostDirectory"),
    ([*REPOSITORY, "--set", f"socket.hostDirectory=/{'x' * 100}"], "/socket/hostDirectory"),
    ([*REPOSITORY, "--set-string", "socket.mode=660"], "/socket/mode"),
    ([*REPOSITORY, "--set", "socket.mode=660"], "/socket/mode"),
    ([*REPOSITORY, "--set", "socket.gid=0"], "/socket/gid"),
    ([*REPOSITORY, "--set", "models.source=hub"], "/models/source"),
    ([*REPOSITORY, "--set", "models.source=claim"], "/models/claimName"),
    ([*REPOSITORY, "--set", "models.source=volume"], "/models/imageReference"),
    ([*REPOSITORY, "--set", "models.folders={}"], "/models/folders"),
    ([*REPOSITORY, "--set", "config.limits.max_queue_tokns=1"], "max_queue_tokns"),
    ([*REPOSITORY, "--set", "config.runtime.provider=tpu"], "/config/runtime/provider"),
    ([*REPOSITORY, "--set", "admin.listen=127.0.0.1:9464"], "/admin/listen"),
    ([*REPOSITORY, "--set", "gateway.kind=nginx"], "/gateway/kind"),
    ([*REPOSITORY, "--set", "gateway.kind=istio"], "/filter/image"),
    ([*REPOSITORY, "--set", "gateway.kind=envoy-gateway"], "/filter/image"),
    ([*REPOSITORY, "--set", "filter.image=oci://example.com/f:1"], "/filter/image"),
    ([*REPOSITORY, "--set", "filter.sha256=abc"], "/filter/sha256"),
    ([*REPOSITORY, "--set", "filter.config.signals.jailbreak.threshhold=0.5"], "threshhold"),
    ([*REPOSITORY, "--set", "filter.config.signals.jailbreak.threshold=1.5"], "/signals/jailbreak/threshold"),
    ([*REPOSITORY, "--set", "filter.config.signals.pii.action=explode"], "/signals/pii/action"),
    ([*REPOSITORY, "--set", "filter.config.signals.domain.routes.maths=x"], "maths"),
    ([*REPOSITORY, "--set", "filter.config.daemon.cluster=x"], "daemon"),
    ([*REPOSITORY, "--set", "envoyGateway.version=1.5"], "/envoyGateway/version"),
    ([*REPOSITORY, "--set", "metrics.podMonitor.interval=often"], "/metrics/podMonitor/interval"),
])
def test_a_wrong_value_is_refused_with_its_key(arguments, key):
    done = run(HELM, "template", "forebay", CHART, *arguments)
    told = done.stderr.replace(".", "/")
    assert done.returncode != 0, done.stdout
    assert key in told, done.stderr


def own_schema_of_inferd():
    """`inferd config schema` without what the chart decides, under its name in the chart's schema."""
    schema = json.loads(must(inferd(), "config", "schema"))
    definitions = schema.pop("$defs")
    for key in ("admin", "models", "$schema", "title"):
        schema["properties"].pop(key, None)
        schema.pop(key, None)
    for key in ("path", "mode", "group"):
        definitions["RawSocket"]["properties"].pop(key)
    definitions.pop("RawAdmin")
    # The order of keys differs with the features that serde_json happens to be built with.
    return json.loads(json.dumps({"inferd": schema, **definitions}, sort_keys=True))


def test_the_daemons_part_of_the_schema_is_its_own():
    mine = json.loads(SCHEMA.read_text())
    theirs = own_schema_of_inferd()
    if UPDATE:
        mine["$defs"] = theirs
        SCHEMA.write_text(json.dumps(mine, indent=2) + "\n")
    assert mine["$defs"] == theirs, "inferd's configuration has changed: run.py --update"


def documented_filter_configuration():
    readme = (ROOT / "README.md").read_text()
    block = readme.split("<!-- defaults:")[1].split("```json")[1].split("```")[0]
    return json.loads(block)


def test_every_key_of_the_filters_configuration_is_a_value(tmp_path):
    """The README's block of defaults is held equal to the filter's code by a test there."""
    config = documented_filter_configuration()
    config.pop("daemon")
    values = tmp_path / "values.yaml"
    values.write_text(yaml.safe_dump({"image": {"repository": "example.com/x"}, "filter": {"config": config}}))
    template(values)
    known = json.loads(SCHEMA.read_text())["properties"]["filter"]["properties"]["config"]["properties"]
    assert set(known) == set(config)
    for signal, keys in config["signals"].items():
        assert set(known["signals"]["properties"][signal]["properties"]) == set(keys), signal


def test_inferd_accepts_its_configuration(tmp_path):
    """Each distinct one once: the check reads the whole model."""
    seen = set()
    for values in VALUES:
        objects = documents(template(values))
        name = "screen" if values.stem == "full" else "forebay"
        config = yaml.safe_load(by_kind(objects, "ConfigMap", name)["data"]["inferd.yaml"])
        container = by_kind(objects, "DaemonSet")["spec"]["template"]["spec"]["containers"][0]
        mounts = [mount["mountPath"] for mount in container["volumeMounts"]] + ["/opt/forebay/models"]
        assert all(any(folder.startswith(mount + "/") for mount in mounts) for folder in config["models"]), values
        config["models"] = [str(model())]
        text = yaml.safe_dump(config)
        if text not in seen:
            file = tmp_path / "inferd.yaml"
            file.write_text(text)
            must(inferd(), "config", "check", file)
        seen.add(text)
    assert len(seen) > 2
