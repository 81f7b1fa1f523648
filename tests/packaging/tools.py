"""Helm, kubectl and YAML for the packaging tests."""
import os
import subprocess
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONFIG = ROOT / "envoy-config"
CHART = CONFIG / "helm" / "forebay"
PLACE = ROOT / ".forebay" / "packaging"
HELM = PLACE / "bin" / "helm"
KUBECTL = PLACE / "bin" / "kubectl"
UPDATE = os.environ.get("FOREBAY_UPDATE") == "1"
VALUES = sorted((HERE / "values").glob("*.yaml"))
OVERLAYS = sorted(path.parent for path in (CONFIG / "kustomize" / "overlays").glob("*/kustomization.yaml"))


def place(variable, usual):
    """A built program, where `cargo xtask` says it is."""
    path = Path(os.environ.get(variable, ROOT / usual))
    assert path.exists(), f"{path} is not there; `cargo xtask build` brings it"
    return path


def envoy():
    return place("FOREBAY_ENVOY", ".forebay/envoy/envoy")


def wasm():
    return place("FOREBAY_WASM", "target/wasm32-wasip1/release-wasm/filter_wasm.wasm")


def inferd():
    return place("FOREBAY_INFERD", "target/debug/inferd")


def model():
    return place("FOREBAY_MODEL", "models/forebay-small")


def ort_lib():
    return place("FOREBAY_ORT_LIB", ".forebay/ort/libonnxruntime.so")


def run(*command, **keywords):
    """A program's outcome, its output as text."""
    keywords = {"capture_output": True, "text": True, "check": False, "timeout": 300} | keywords
    return subprocess.run([str(word) for word in command], **keywords)


def must(*command, **keywords):
    done = run(*command, **keywords)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


def documents(text):
    """All objects of a YAML stream. Aliases and duplicate keys are errors, so that what is checked is what is read."""
    return [document for document in yaml.load_all(text, Strict) if document is not None]


class Strict(yaml.SafeLoader):
    """Refuses duplicate keys."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = {str(key) for key in keys if keys.count(key) > 1}
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"duplicate keys {sorted(twice)}", node.start_mark)
        return super().construct_mapping(node, deep)


def template(values, *more, chart=CHART):
    return must(HELM, "template", "forebay", chart, "--namespace", "forebay", "--values", values, *more)


def kustomize(overlay):
    return must(KUBECTL, "kustomize", overlay)


def by_kind(objects, kind, name=None):
    """The only object of a kind (and name)."""
    found = [o for o in objects if o["kind"] == kind and name in (None, o["metadata"]["name"])]
    assert len(found) == 1, f"{len(found)} objects of kind {kind}"
    return found[0]
