#!/usr/bin/env python3
"""Builds the filter and the chart and pushes both, with an SBOM, to an OCI registry.

    python3 envoy-config/release.py example.com/forebay              builds, then pushes
        example.com/forebay/filter:0.1.0             the module: one gzip layer with /plugin.wasm, for Istio and Envoy Gateway
        example.com/forebay/filter:sha256-HEX.sbom   its CycloneDX SBOM, as an artifact that refers to the image
        example.com/forebay/charts/forebay:0.1.0     the chart, for `helm install forebay oci://example.com/forebay/charts/forebay`

Needs helm 3.8 or newer for the chart and nothing but Python for the rest. Pushing the module and logging helm in both take FOREBAY_REGISTRY_USER
and FOREBAY_REGISTRY_PASSWORD from the environment. The image is the same, to the byte, for the same module, version and commit. inferd's images need a
container engine: see images/*.Dockerfile; their SBOM comes from sbom.py.
"""
import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from sbom import SbomError, json_bytes, sbom_of

ROOT = Path(__file__).resolve().parents[1]
CHART = ROOT / "envoy-config" / "helm" / "forebay"
MODULE = "wasm32-wasip1/release-wasm/filter_wasm.wasm"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
EMPTY = "application/vnd.oci.empty.v1+json"
SBOM = "application/vnd.cyclonedx+json"
TIMEOUT_SECONDS = 60


class ReleaseError(Exception):
    """What a person has to hear."""


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def descriptor(media_type, data, **more):
    return {"mediaType": media_type, "digest": f"sha256:{sha256(data)}", "size": len(data), **more}


# --- What is pushed


def layer_of(module):
    """A gzip layer with /plugin.wasm alone; no times and no names of this machine in it."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        entry = tarfile.TarInfo("plugin.wasm")
        entry.size, entry.mode = len(module), 0o644
        archive.addfile(entry, io.BytesIO(module))
    return raw.getvalue(), gzip.compress(raw.getvalue(), mtime=0)


def image_of(module, version, revision):
    """Manifest and blobs of the filter's image."""
    tar, layer = layer_of(module)
    labels = {
        "org.opencontainers.image.title": "forebay-filter",
        "org.opencontainers.image.description": "Screens and routes LLM requests inside Envoy (proxy-wasm filter)",
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.revision": revision,
        "forebay.plugin.sha256": sha256(module),
    }
    config = json_bytes({
        # As `FROM scratch` builds name it: container runtimes pull no image of a platform that they do not run.
        "architecture": "amd64", "os": "linux", "config": {"Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{sha256(tar)}"]},
        "history": [{"created_by": "release.py: COPY plugin.wasm /plugin.wasm"}],
    })
    manifest = json_bytes({
        "schemaVersion": 2, "mediaType": MANIFEST, "config": descriptor(CONFIG, config), "layers": [descriptor(LAYER, layer)],
        "annotations": labels,
    })
    return manifest, [config, layer]


def sbom_artifact(sbom, manifest):
    """An artifact that refers to the image."""
    empty = b"{}"
    artifact = json_bytes({
        "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": SBOM, "config": descriptor(EMPTY, empty),
        "layers": [descriptor(SBOM, sbom, annotations={"org.opencontainers.image.title": "filter.cdx.json"})],
        "subject": descriptor(MANIFEST, manifest),
    })
    return artifact, [empty, sbom]


# --- The registry's interface (OCI distribution specification)


class Registry:
    """One repository of a registry."""

    def __init__(self, host, repository, plain_http, user, password):
        self.base = f"{'http' if plain_http else 'https'}://{host}/v2/{repository}"
        self.repository, self.user, self.password = repository, user, password
        self.authorisation = None

    def call(self, method, url, data=None, content_type=None, accept=None, tried=False):
        """(status, headers, body); a status of 400 and more is an answer as well."""
        headers = {"Content-Type": content_type, "Accept": accept, "Authorization": self.authorisation}
        request = urllib.request.Request(url, data=data, method=method, headers={key: value for key, value in headers.items() if value})
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as reply:
                return reply.status, reply.headers, reply.read()
        except urllib.error.HTTPError as error:
            if error.code == 401 and not tried:
                self.authorise(error.headers.get("WWW-Authenticate", ""))
                return self.call(method, url, data, content_type, accept, tried=True)
            return error.code, error.headers, error.read()
        except OSError as error:
            raise ReleaseError(f"{url}: {error}") from error

    def authorise(self, challenge):
        """Answers a challenge: Basic with the user's name, Bearer with a token that the named server gives for it."""
        basic = None
        if self.user:
            basic = "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        if challenge.lower().startswith("bearer"):
            asked = dict(re.findall(r'(\w+)="([^"]*)"', challenge))
            scope = asked.get("scope", f"repository:{self.repository}:pull,push")
            query = urllib.parse.urlencode({"service": asked.get("service", ""), "scope": scope})
            request = urllib.request.Request(f"{asked.get('realm', '')}?{query}", headers={"Authorization": basic} if basic else {})
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as reply:
                    token = json.load(reply)
            except (OSError, ValueError) as error:
                raise ReleaseError(f"the registry's token server refuses: {error}") from error
            self.authorisation = f"Bearer {token.get('token') or token.get('access_token')}"
        elif basic:
            self.authorisation = basic
        else:
            raise ReleaseError("the registry wants a user: set FOREBAY_REGISTRY_USER and FOREBAY_REGISTRY_PASSWORD")

    def must(self, allowed, method, url, **keywords):
        status, headers, body = self.call(method, url, **keywords)
        if status not in allowed:
            raise ReleaseError(f"{method} {url}: status {status}: {body[:300].decode(errors='replace')}")
        return headers, body

    def push_blob(self, data):
        digest = f"sha256:{sha256(data)}"
        if self.call("HEAD", f"{self.base}/blobs/{digest}")[0] == 200:
            return
        headers, _ = self.must({202}, "POST", f"{self.base}/blobs/uploads/", data=b"")
        place = urllib.parse.urljoin(self.base, headers["Location"])
        separator = "&" if "?" in place else "?"
        self.must({201}, "PUT", f"{place}{separator}digest={digest}", data=data, content_type="application/octet-stream")

    def push(self, manifest, blobs, tag):
        for blob in blobs:
            self.push_blob(blob)
        self.must({201}, "PUT", f"{self.base}/manifests/{tag}", data=manifest, content_type=MANIFEST)


# --- The command


def build_module():
    command = ["cargo", "build", "--locked", "--target", "wasm32-wasip1", "--profile", "release-wasm", "--package", "filter-wasm"]
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        raise ReleaseError("building the filter failed")
    return ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / MODULE


def push_chart(options, host, user, password, folder):
    plain = ["--plain-http"] if options.plain_http else []
    environment = {**os.environ, "HELM_REGISTRY_CONFIG": str(folder / "helm-login.json")}

    def helm(*words, secret=None):
        done = subprocess.run([options.helm, *map(str, words)], input=secret, capture_output=True, text=True, env=environment, check=False)
        if done.returncode != 0:
            raise ReleaseError(f"helm {words[0]} failed: {done.stderr.strip()}")

    if user:
        helm("registry", "login", host, "--username", user, "--password-stdin", *plain, secret=password)
    # Links lead to files elsewhere in the repository; a chart carries the files themselves.
    copy = folder / "forebay"
    shutil.copytree(CHART, copy)
    helm("package", copy, "--version", options.version, "--app-version", options.version, "--destination", folder)
    helm("push", folder / f"forebay-{options.version}.tgz", f"oci://{options.registry}/charts", *plain)


def arguments():
    words = __doc__.split("\n\n")
    parser = argparse.ArgumentParser(description="\n\n".join(words), formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("registry", metavar="HOST[:PORT]/PATH", help="where to push, for example example.com/forebay")
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    parser.add_argument("--version", default=version, help="tag and chart version (default %(default)s)")
    parser.add_argument("--revision", default=None, help="commit named in the labels (default: that of the checkout)")
    parser.add_argument("--wasm", metavar="FILE", type=Path, help="a built module instead of building it")
    parser.add_argument("--helm", metavar="FILE", default="helm", help="the helm program (default %(default)s)")
    parser.add_argument("--plain-http", action="store_true", help="for a registry without TLS on this machine")
    parser.add_argument("--json", action="store_true", help="print what was pushed as JSON")
    options = parser.parse_args()
    if not re.fullmatch(r"[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)+", options.registry):
        parser.error(f"{options.registry!r} is not HOST[:PORT]/PATH such as example.com/forebay")
    if not re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+([-+][A-Za-z0-9.-]+)?", options.version):
        parser.error(f"--version {options.version!r} is not a semantic version")
    return options


def revision():
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def main():
    options = arguments()
    host, _, path = options.registry.partition("/")
    user, password = os.environ.get("FOREBAY_REGISTRY_USER", ""), os.environ.get("FOREBAY_REGISTRY_PASSWORD", "")
    module = (options.wasm or build_module()).read_bytes()
    if not module.startswith(b"\0asm"):
        raise ReleaseError(f"{options.wasm} is no WebAssembly module")
    manifest, blobs = image_of(module, options.version, options.revision or revision())
    sbom = sbom_of("filter-wasm", options.version, module)
    artifact, artifact_blobs = sbom_artifact(sbom, manifest)
    registry = Registry(host, f"{path}/filter", options.plain_http, user, password)
    registry.push(manifest, blobs, options.version)
    registry.push(artifact, artifact_blobs, f"sha256-{sha256(manifest)}.sbom")
    with tempfile.TemporaryDirectory() as folder:
        push_chart(options, host, user, password, Path(folder))
    told = {
        "image": f"{options.registry}/filter:{options.version}", "digest": f"sha256:{sha256(manifest)}", "plugin_sha256": sha256(module),
        "sbom": f"{options.registry}/filter:sha256-{sha256(manifest)}.sbom", "chart": f"{options.registry}/charts/forebay:{options.version}",
    }
    if options.json:
        print(json.dumps(told))
    else:
        print("\n".join(f"{key:<14} {value}" for key, value in told.items()))


if __name__ == "__main__":
    try:
        main()
    except (ReleaseError, SbomError) as error:
        print(f"release: {error}", file=sys.stderr)
        sys.exit(1)
