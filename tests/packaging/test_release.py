"""The release script against a real registry on this machine, and what was pushed, read back."""
import base64
import contextlib
import gzip
import hashlib
import http.server
import io
import json
import socket
import subprocess
import sys
import tarfile
import threading
import time
import urllib.error
import urllib.request

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from tools import CONFIG, HELM, HERE, ROOT, documents, must, run, template, wasm

RELEASE = CONFIG / "release.py"
IMAGE = "application/vnd.oci.image.manifest.v1+json"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def debian_registry(folder):
    port = free_port()
    config = folder / "registry.yml"
    config.write_text(
        f"version: 0.1\nlog: {{level: error}}\nstorage: {{filesystem: {{rootdirectory: {folder / 'registry'}}}}}\n"
        f"http: {{addr: '127.0.0.1:{port}'}}\n")
    with open(folder / "registry.log", "wb") as log:
        child = subprocess.Popen(["docker-registry", "serve", str(config)], stdout=log, stderr=log)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            assert child.poll() is None, (folder / "registry.log").read_text()
            time.sleep(0.1)
        yield f"127.0.0.1:{port}"
    finally:
        child.terminate()
        child.wait(20)


def release_to(host):
    more = ["--plain-http", "--json", "--wasm", wasm(), "--helm", HELM, "--revision", "0" * 40]
    return json.loads(must(sys.executable, RELEASE, f"{host}/forebay", *more))


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    """A registry with a release in it, and what the script says."""
    folder = tmp_path_factory.mktemp("registry")
    with debian_registry(folder) as host:
        yield host, release_to(host)


def get(host, path, accept=IMAGE):
    request = urllib.request.Request(f"http://{host}/v2/forebay/{path}", headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=30) as reply:
        return reply.headers, reply.read()


def blob(host, descriptor, repository="filter"):
    data = get(host, f"{repository}/blobs/{descriptor['digest']}")[1]
    assert "sha256:" + hashlib.sha256(data).hexdigest() == descriptor["digest"] and len(data) == descriptor["size"]
    return data


def test_the_image_is_what_istio_and_envoy_gateway_take(pushed):
    """One tar+gzip layer with plugin.wasm at its root (conformance case 90): the layout that both fetchers know."""
    host, told = pushed
    headers, raw = get(host, "filter/manifests/0.1.0")
    manifest = json.loads(raw)
    assert headers["Docker-Content-Digest"] == told["digest"]
    assert manifest["mediaType"] == headers["Content-Type"] == IMAGE
    (layer,) = manifest["layers"]
    assert layer["mediaType"] == "application/vnd.oci.image.layer.v1.tar+gzip"
    data = blob(host, layer)
    assert data.startswith(b"\x1f\x8b"), "compressed"
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        assert archive.getnames() == ["plugin.wasm"]
        module = archive.extractfile("plugin.wasm").read()
    assert module == wasm().read_bytes()
    assert told["plugin_sha256"] == hashlib.sha256(module).hexdigest()
    config = json.loads(blob(host, manifest["config"]))
    assert config["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(gzip.decompress(data)).hexdigest()]
    labels = config["config"]["Labels"]
    assert labels["org.opencontainers.image.licenses"] == "Apache-2.0" and labels["org.opencontainers.image.version"] == "0.1.0"
    assert labels["forebay.plugin.sha256"] == told["plugin_sha256"]


def test_the_same_module_makes_the_same_image(pushed):
    host, told = pushed
    assert release_to(host) == told


def test_the_sbom_is_valid_and_names_what_is_linked(pushed):
    host, told = pushed
    manifest = json.loads(get(host, f"filter/manifests/{told['sbom'].rpartition(':')[2]}")[1])
    assert manifest["artifactType"] == "application/vnd.cyclonedx+json"
    assert manifest["subject"]["digest"] == told["digest"]
    text = blob(host, manifest["layers"][0]).decode()
    fault = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    assert fault is None, fault
    sbom = json.loads(text)
    names = {component["name"] for component in sbom["components"]}
    assert names >= {"proxy-wasm", "policy", "body-stream", "compress", "recognise", "prost", "serde_json"}
    assert not names & {"proptest", "tonic", "tokio", "serde_derive", "prost-build", "ort"}, "neither tests, macros nor the daemon are in it"
    assert sbom["metadata"]["component"]["hashes"] == [{"alg": "SHA-256", "content": told["plugin_sha256"]}]
    assert all(component.get("licenses") for component in sbom["components"]), "each with its licence"


def test_inferds_sbom_is_valid_and_names_runtime_and_model():
    text = must(sys.executable, CONFIG / "sbom.py", "inferd")
    fault = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    assert fault is None, fault
    components = {component["name"]: component for component in json.loads(text)["components"]}
    assert components.keys() >= {"ort", "tonic", "tokenizers", "onnxruntime", "forebay-small"}
    assert not components.keys() & {"proptest", "serde_derive", "proxy-wasm"}
    pin = f"onnxruntime=={components['onnxruntime']['version']} --hash=sha256:%s"
    digest = components["onnxruntime"]["hashes"][0]["content"]
    dockerfile = (CONFIG / "images" / "inferd.Dockerfile").read_text()
    assert pin in dockerfile and digest in dockerfile
    assert digest in (ROOT / "xtask" / "src" / "parts.rs").read_text(), "what is shipped is what is tested"


def test_the_chart_read_back_renders_as_its_source(pushed, tmp_path):
    host, told = pushed
    assert told["chart"] == f"{host}/forebay/charts/forebay:0.1.0"
    must(HELM, "pull", f"oci://{host}/forebay/charts/forebay", "--version", "0.1.0", "--plain-http", "--destination", tmp_path)
    archive = tmp_path / "forebay-0.1.0.tgz"
    for name in ("istio", "observability"):
        values = HERE / "values" / f"{name}.yaml"
        assert documents(template(values, chart=archive)) == documents(template(values))
    refused = run(HELM, "template", "forebay", archive)
    assert refused.returncode != 0 and "repository" in refused.stderr, "the packaged chart has its schema"


class TokenRegistry(http.server.BaseHTTPRequestHandler):
    """A registry that wants a bearer token, and the server that gives one for a user."""

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_any(self):
        length = int(self.headers.get("content-length", 0))
        self.rfile.read(length)
        here = f"http://127.0.0.1:{self.server.server_address[1]}"
        given = self.headers.get("authorization")
        if self.path.startswith("/token"):
            right = given == "Basic " + base64.b64encode(b"ann:secret").decode()
            return self.answer(200, b'{"token": "t0"}') if right else self.answer(401)
        if given != "Bearer t0":
            challenge = f'Bearer realm="{here}/token",service="s",scope="repository:x/filter:pull,push"'
            return self.answer(401, WWW_Authenticate=challenge)
        self.server.done.append((self.command, self.path.partition("?")[0]))
        match self.command:
            case "HEAD":
                return self.answer(404)
            case "POST":
                return self.answer(202, Location="/v2/x/filter/blobs/uploads/1?state=a")
            case _:
                return self.answer(201)

    do_GET = do_HEAD = do_POST = do_PUT = handle_any

    def log_message(self, *_):
        pass


def test_a_registry_with_bearer_tokens_is_pushed_to(monkeypatch):
    sys.path.insert(0, str(CONFIG))
    import release
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), TokenRegistry)
    server.done = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        host = f"127.0.0.1:{server.server_address[1]}"
        manifest, blobs = release.image_of(b"\0asm", "1.0.0", "unknown")
        release.Registry(host, "x/filter", True, "ann", "secret").push(manifest, blobs, "1.0.0")
        puts = [path for method, path in server.done if method == "PUT"]
        assert puts == ["/v2/x/filter/blobs/uploads/1"] * 2 + ["/v2/x/filter/manifests/1.0.0"]
        for user, password, told in (("ann", "wrong", "token server"), ("", "", "token server")):
            with pytest.raises(release.ReleaseError, match=told):
                release.Registry(host, "x/filter", True, user, password).push(manifest, blobs, "1.0.0")
    finally:
        server.shutdown()


@pytest.mark.parametrize("arguments, told", [
    (["example.com"], "HOST"),
    (["https://example.com/x"], "HOST"),
    (["127.0.0.1:1/x", "--version", "latest"], "semantic version"),
    (["127.0.0.1:1/x", "--plain-http", "--wasm", str(HERE / "run.py")], "no WebAssembly module"),
])
def test_wrong_arguments_are_refused_in_words(arguments, told):
    done = run(sys.executable, RELEASE, *arguments)
    assert done.returncode != 0 and told in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_a_registry_that_is_not_there_is_told():
    done = run(sys.executable, RELEASE, f"127.0.0.1:{free_port()}/x", "--plain-http", "--wasm", wasm())
    assert done.returncode == 1 and "refused" in done.stderr and "Traceback" not in done.stderr, done.stderr
