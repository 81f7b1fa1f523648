#!/usr/bin/env python3
"""Writes a CycloneDX SBOM of what is linked into a program of this repository.

    python3 envoy-config/sbom.py inferd > inferd.cdx.json                              for example for an inferd image
    python3 envoy-config/sbom.py filter-wasm --file plugin.wasm > filter.cdx.json      with the file's hash

Crates as cargo resolves them for the target, without build and test dependencies and without procedural macros, which run in the compiler. For
inferd the image's ONNX Runtime and the embedded model are named as well.
"""
import argparse
import hashlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGETS = {"filter-wasm": "wasm32-wasip1", "inferd": "x86_64-unknown-linux-gnu"}
# As images/inferd.Dockerfile and `cargo xtask setup` pin it; a test holds them equal.
ONNX_RUNTIME = ("1.31.1", "1f3dea47f2f0e5117c2404cea7d21fd253ae7836a3bf167a501cdfbb2600d536")


class SbomError(Exception):
    """What a person has to hear."""


def json_bytes(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def hashes(hexadecimal):
    return [{"alg": "SHA-256", "content": hexadecimal}]


def linked_crates(package):
    """Licence and dependencies of each crate by its package URL, the package itself first."""
    # cargo tree and not cargo metadata: the latter has the features of the whole workspace.
    command = ["cargo", "tree", "--locked", "--package", package, "--target", TARGETS[package], "--edges", "normal,no-proc-macro",
               "--prefix", "depth", "--format", "\t{p}\t{l}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SbomError(f"cargo tree failed:\n{done.stderr}")
    needs, licences, above = {}, {}, []
    for line in done.stdout.splitlines():
        depth, named, licence = line.split("\t")
        # "name v1.2.3 (/its/path)"; a subtree that was shown already ends in (*).
        name, number = named.split()[:2]
        reference = f"pkg:cargo/{name}@{number.removeprefix('v')}"
        licences.setdefault(reference, licence.removesuffix(" (*)").strip())
        needs.setdefault(reference, set())
        del above[int(depth):]
        if above:
            needs[above[-1]].add(reference)
        above.append(reference)
    return needs, licences


def beside_inferd():
    """What the image has beside the program."""
    version, digest = ONNX_RUNTIME
    runtime = f"pkg:pypi/onnxruntime@{version}"
    manifest = json.loads((ROOT / "models" / "forebay-small" / "manifest.json").read_text())
    return [
        {"type": "library", "bom-ref": runtime, "name": "onnxruntime", "version": version, "purl": runtime,
         "licenses": [{"license": {"id": "MIT"}}], "hashes": hashes(digest)},
        {"type": "machine-learning-model", "bom-ref": manifest["name"], "name": manifest["name"], "version": manifest["version"],
         "licenses": [{"license": {"id": "Apache-2.0"}}], "hashes": hashes(manifest["sha256"])},
    ]


def sbom_of(package, version, program=None):
    """The SBOM, the same to the byte for the same sources; `program` is the built file's bytes."""
    needs, licences = linked_crates(package)
    root = next(iter(needs))

    def component(reference, kind="library"):
        name, _, number = reference.removeprefix("pkg:cargo/").partition("@")
        found = {"type": kind, "bom-ref": reference, "name": name, "version": number, "purl": reference}
        if licences[reference]:
            found["licenses"] = [{"expression": licences[reference].replace("/", " OR ")}]
        return found

    whole = component(root, "application")
    if program is not None:
        whole["hashes"] = hashes(hashlib.sha256(program).hexdigest())
    return json_bytes({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": whole, "properties": [{"name": "forebay:version", "value": version}]},
        "components": [component(reference) for reference in sorted(needs) if reference != root]
        + (beside_inferd() if package == "inferd" else []),
        "dependencies": [{"ref": reference, "dependsOn": sorted(those)} for reference, those in sorted(needs.items())],
    })


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", choices=sorted(TARGETS))
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    parser.add_argument("--version", default=version, help="release that it is part of (default %(default)s)")
    parser.add_argument("--file", type=Path, help="the built program, to name its SHA-256")
    options = parser.parse_args()
    sys.stdout.buffer.write(sbom_of(options.package, options.version, options.file.read_bytes() if options.file else None) + b"\n")


if __name__ == "__main__":
    try:
        main()
    except (SbomError, OSError) as error:
        print(f"sbom: {error}", file=sys.stderr)
        sys.exit(1)
