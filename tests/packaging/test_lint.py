"""Linters over everything that is shipped or that tests it."""
import sys
from pathlib import Path

import pytest
from tools import CONFIG, HERE, PLACE, ROOT, must, run

BIN = PLACE / "venv" / "bin"
DOCKERFILES = sorted((CONFIG / "images").glob("*.Dockerfile")) + [ROOT / "ck_op" / "hip" / "Dockerfile"]


def yaml_files():
    shipped = [path for path in CONFIG.rglob("*.yaml") if "templates" not in path.parts]
    return sorted(shipped + list(HERE.glob("values/*.yaml")) + list(HERE.glob("golden/*.yaml")))


def test_yaml():
    must(BIN / "yamllint", "--strict", "--config-file", HERE / "yamllint.yaml", *yaml_files())


def test_the_yaml_linter_finds_a_duplicate_key(tmp_path):
    bad = tmp_path / "bad.yaml"
    bad.write_text("a: 1\na: 2\n")
    assert run(BIN / "yamllint", "--strict", "--config-file", HERE / "yamllint.yaml", bad).returncode != 0


@pytest.mark.parametrize("file", DOCKERFILES, ids=lambda path: path.name)
def test_dockerfile(file):
    must(BIN / "hadolint", "--config", HERE / "hadolint.yaml", file)


def test_shell_scripts():
    scripts = [path for path in sorted(CONFIG.rglob("*.sh")) + [ROOT / ".ci" / "run"] if path.is_file()]
    must(BIN / "shellcheck", *scripts)


def test_python_scripts_compile():
    for script in [*CONFIG.glob("*.py"), *HERE.glob("*.py")]:
        compile(script.read_text(), script, "exec")
    for script in CONFIG.glob("*.py"):
        assert "example" in must(sys.executable, script, "--help")


def test_no_registry_is_named():
    """Where images are pushed is the user's choice: only example.com stands in manifests."""
    for path in CONFIG.rglob("*"):
        if path.suffix not in {".yaml", ".tpl", ".json", ".Dockerfile", ".py"} or not path.is_file():
            continue
        text = path.read_text()
        for word in ("docker.io", "quay.io", "ghcr.io", "gcr.io", "registry.k8s.io", "amazonaws.com", "azurecr.io"):
            assert word not in text, f"{path} names {word}"
