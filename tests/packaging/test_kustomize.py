"""The kustomize overlays mean what the chart means."""
import re

import pytest
from tools import CONFIG, HERE, OVERLAYS, documents, kustomize, template

SAME = {"cpu": "minimal", "rocm": "rocm", "istio": "istio", "eg-1.9": "eg-1.9", "eg-1.10": "eg-1.10"}
HELMS_OWN = {"app.kubernetes.io/managed-by", "app.kubernetes.io/version", "app.kubernetes.io/part-of", "helm.sh/chart"}


def plain(found):
    """An object without what only one of the two tools writes."""
    if isinstance(found, list):
        return [plain(item) for item in found]
    if isinstance(found, dict):
        return {key: plain(value) for key, value in found.items() if key not in HELMS_OWN and key != "forebay/config-sha256"}
    if isinstance(found, str):
        # The generator's hash, which makes pods follow a change of the configuration, as the chart's annotation does.
        return re.sub(r"^forebay-[0-9a-z]{10}$", "forebay", found)
    return found


def meaning(text):
    objects = {}
    for found in plain(documents(text)):
        if found["kind"] == "DaemonSet":
            pod = found["spec"]["template"]
            pod["metadata"].pop("annotations", None)
            for part in ("volumes", "initContainers", "containers"):
                pod["spec"][part].sort(key=lambda item: item["name"])
            pod["spec"]["containers"][0]["volumeMounts"].sort(key=lambda item: item["name"])
        if found["kind"] == "ConfigMap" and "inferd.yaml" in found["data"]:
            found["data"]["inferd.yaml"] = documents(found["data"]["inferd.yaml"])
        objects[found["kind"], found["metadata"]["namespace"], found["metadata"]["name"]] = found
    return objects


def test_every_overlay_has_its_values():
    assert {overlay.name for overlay in OVERLAYS} == set(SAME)


@pytest.mark.parametrize("overlay", OVERLAYS, ids=lambda path: path.name)
def test_an_overlay_means_what_the_chart_means(overlay):
    ours, charts = meaning(kustomize(overlay)), meaning(template(HERE / "values" / f"{SAME[overlay.name]}.yaml"))
    assert ours.keys() == charts.keys()
    for key, found in ours.items():
        assert found == charts[key], key


def test_the_pods_follow_a_change_of_the_configuration():
    objects = documents(kustomize(CONFIG / "kustomize" / "overlays" / "cpu"))
    name = next(found["metadata"]["name"] for found in objects if found["kind"] == "ConfigMap")
    assert re.fullmatch(r"forebay-[0-9a-z]{10}", name)
    daemon = next(found for found in objects if found["kind"] == "DaemonSet")
    assert {"name": "config", "configMap": {"name": name}} in daemon["spec"]["template"]["spec"]["volumes"]


def test_rocm_goes_with_any_overlay(tmp_path):
    folder = CONFIG / "kustomize" / "overlays"
    # kustomize reads nothing above its root but other roots, so the combination lies beside them for a moment.
    combined = tmp_path / "combined"
    combined.mkdir()
    (combined / "kustomization.yaml").write_text(
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
        f"resources: [{relative(folder / 'istio', combined)}]\ncomponents: [{relative(folder.parent / 'components' / 'rocm', combined)}]\n")
    kinds = [found["kind"] for found in documents(kustomize(combined))]
    assert sorted(kinds) == sorted(["ConfigMap", "ConfigMap", "DaemonSet", "NetworkPolicy", "EnvoyFilter", "ServiceEntry", "DestinationRule"])


def relative(path, start):
    import os
    return os.path.relpath(path, start)


def test_the_cluster_patch_file_is_what_the_chart_renders(tmp_path):
    values = tmp_path / "values.yaml"
    values.write_text((HERE / "values" / "istio.yaml").read_text() + "istio: { cluster: patch, parameters: false }\n")
    (theirs,) = [found for found in plain(documents(template(values))) if found["kind"] == "EnvoyFilter"]
    (ours,) = plain(documents((CONFIG / "istio" / "filter-with-cluster-patch.yaml").read_text()))
    assert ours == theirs
