"""Checks one Kubernetes object strictly: an unknown kind, field or value is an error.

Core kinds are checked by the Kubernetes schemas of a fixed version. Custom resources are checked twice: by small schemas written here from the
projects' documentation, which know just the fields that Forebay uses and refuse all others, and by the npm models (see test_schemas.py), which
know every field but let unknown ones pass.
"""
import kubernetes_validate
from jsonschema import Draft202012Validator

KUBERNETES = "1.37.0"


def strict(required=(), **properties):
    return {"type": "object", "additionalProperties": False, "required": list(required), "properties": properties}


def of(*values):
    return {"enum": list(values)}


def many(items):
    return {"type": "array", "minItems": 1, "items": items}


TEXT = {"type": "string", "minLength": 1}
NAME = {"type": "string", "pattern": r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$", "maxLength": 253}
FREE = {"type": "object"}
LABELS = {"type": "object", "additionalProperties": {"type": "string"}}
SECONDS = {"type": "string", "pattern": r"^[0-9.]+(ms|s|m|h)$"}
PORT = {"type": "integer", "minimum": 1, "maximum": 65535}
SOCKET = {"type": "string", "pattern": r"^/[^\0]*[^/]$", "maxLength": 107}
HOST_PATH = strict(["name", "hostPath"], name=NAME, hostPath=strict(["path"], path=SOCKET, type=of("DirectoryOrCreate", "Directory")))
MOUNT = strict(["name", "mountPath"], name=NAME, mountPath=SOCKET, readOnly={"type": "boolean"})
GATEWAY = strict(["group", "kind", "name"], group=of("gateway.networking.k8s.io"), kind=of("Gateway", "HTTPRoute"), name=NAME)

# https fields of istio/api, networking/v1alpha3/envoy_filter.proto.
ISTIO_MATCH = strict(
    context=of("ANY", "GATEWAY", "SIDECAR_INBOUND", "SIDECAR_OUTBOUND"),
    listener=strict(filterChain=strict(filter=strict(["name"], name=TEXT, subFilter=strict(["name"], name=TEXT)))),
)
ENVOY_FILTER = strict(
    ["configPatches"],
    workloadSelector=strict(["labels"], labels=LABELS),
    targetRefs=many(GATEWAY),
    configPatches=many(strict(
        ["applyTo", "patch"],
        applyTo=of("EXTENSION_CONFIG", "HTTP_FILTER", "NETWORK_FILTER", "LISTENER", "VIRTUAL_HOST", "CLUSTER"),
        match=ISTIO_MATCH,
        patch=strict(["operation", "value"], operation=of("ADD", "MERGE", "INSERT_BEFORE"), value=FREE),
    )),
)
SERVICE_ENTRY = strict(
    ["hosts", "ports", "endpoints", "resolution", "location"],
    hosts=many(NAME), exportTo=many(TEXT), location=of("MESH_EXTERNAL"), resolution=of("STATIC"),
    ports={**many(strict(["number", "name", "protocol"], number=PORT, name=NAME, protocol=of("GRPC", "HTTP2"))), "maxItems": 1},
    # A Unix socket has no port: istiod refuses one beside it.
    endpoints=many(strict(["address"], address={"type": "string", "pattern": r"^unix:///.*[^/]$", "maxLength": 107 + len("unix://")})),
)
DESTINATION_RULE = strict(
    ["host", "trafficPolicy"], host=NAME, exportTo=many(TEXT),
    trafficPolicy=strict(
        tls=strict(["mode"], mode=of("DISABLE")),
        connectionPool=strict(
            tcp=strict(connectTimeout=SECONDS),
            http=strict(http2MaxRequests={"type": "integer"}, http1MaxPendingRequests={"type": "integer"}),
        ),
    ),
)
WASM_PLUGIN = strict(
    ["url", "targetRefs"], targetRefs=many(GATEWAY), url={"type": "string", "pattern": "^oci://"}, pluginName=TEXT,
    phase=of("AUTHN", "AUTHZ", "STATS"), failStrategy=of("FAIL_CLOSE", "FAIL_OPEN", "FAIL_RELOAD"), pluginConfig=FREE,
)
# Fields of envoyproxy/gateway, api/v1alpha1, and of its documentation of 1.10 for `backends`.
EXTENSION_POLICY = strict(
    ["targetRefs", "wasm"], targetRefs=many(GATEWAY),
    backends=many(strict(
        ["name", "backendRef"], name={"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "maxLength": 63},
        backendRef=strict(["group", "kind", "name"], group=of("gateway.envoyproxy.io"), kind=of("Backend"), name=NAME),
        backendSettings=strict(
            timeout=strict(tcp=strict(connectTimeout=SECONDS)),
            circuitBreaker=strict(maxParallelRequests={"type": "integer"}, maxPendingRequests={"type": "integer"}),
        ),
    )),
    wasm=many(strict(
        ["name", "code"], name=NAME, rootID=TEXT, failOpen={"type": "boolean"}, config=FREE,
        code=strict(
            ["type", "image"], type=of("Image"), pullPolicy=of("IfNotPresent", "Always"),
            image=strict(
                ["url"], url={"type": "string", "pattern": "^[^:/]+[^:]*:[^:]+$"}, sha256={"type": "string", "pattern": "^[a-f0-9]{64}$"},
                pullSecretRef=strict(["name"], name=NAME),
            ),
        ),
    )),
)
XDS = "type.googleapis.com/envoy.config."
PATCH_POLICY = strict(
    ["targetRef", "type", "jsonPatches"], targetRef=GATEWAY, type=of("JSONPatch"),
    jsonPatches=many(strict(
        ["type", "name", "operation"], name=TEXT,
        type=of(XDS + "listener.v3.Listener", XDS + "route.v3.RouteConfiguration", XDS + "cluster.v3.Cluster"),
        operation=strict(["op"], op=of("add"), jsonPath=TEXT, path={"type": "string"}, value={}),
    )),
)
BACKEND = strict(
    ["endpoints"], appProtocols=many(of("gateway.envoyproxy.io/h2c")),
    endpoints=many(strict(["unix"], unix=strict(["path"], path=SOCKET))),
)
ENVOY_PROXY = strict(["provider"], provider=strict(
    ["type", "kubernetes"], type=of("Kubernetes"),
    kubernetes=strict(envoyDeployment=strict(
        pod=strict(securityContext=strict(supplementalGroups=many({"type": "integer"})), volumes=many(HOST_PATH)),
        container=strict(volumeMounts=many(MOUNT)),
    )),
))
GATEWAY_OBJECT = strict(
    ["gatewayClassName", "listeners"], gatewayClassName=NAME,
    infrastructure=strict(parametersRef=strict(
        ["group", "kind", "name"], group=of("", "gateway.envoyproxy.io"), kind=of("ConfigMap", "EnvoyProxy"), name=NAME)),
    listeners=many(strict(
        ["name", "port", "protocol"], name=NAME, port=PORT, protocol=of("HTTP", "HTTPS"),
        allowedRoutes=strict(namespaces=strict(**{"from": of("Same", "All", "Selector")})))),
)
POD_MONITOR = strict(
    ["selector", "podMetricsEndpoints"], selector=strict(["matchLabels"], matchLabels=LABELS),
    podMetricsEndpoints=many(strict(["port"], port=NAME, path=TEXT, interval=SECONDS)),
)
PROMETHEUS_RULE = strict(["groups"], groups=many(strict(
    ["name", "rules"], name=TEXT, interval=SECONDS,
    rules=many({
        **strict(["expr"], alert=TEXT, record=TEXT, expr=TEXT, labels=LABELS, annotations=LABELS, keep_firing_for=SECONDS,
                 **{"for": SECONDS}),
        "oneOf": [{"required": ["alert"]}, {"required": ["record"]}],
    }),
)))

CUSTOM = {
    ("networking.istio.io/v1alpha3", "EnvoyFilter"): ENVOY_FILTER,
    ("networking.istio.io/v1", "ServiceEntry"): SERVICE_ENTRY,
    ("networking.istio.io/v1", "DestinationRule"): DESTINATION_RULE,
    ("extensions.istio.io/v1alpha1", "WasmPlugin"): WASM_PLUGIN,
    ("gateway.envoyproxy.io/v1alpha1", "EnvoyExtensionPolicy"): EXTENSION_POLICY,
    ("gateway.envoyproxy.io/v1alpha1", "EnvoyPatchPolicy"): PATCH_POLICY,
    ("gateway.envoyproxy.io/v1alpha1", "Backend"): BACKEND,
    ("gateway.envoyproxy.io/v1alpha1", "EnvoyProxy"): ENVOY_PROXY,
    ("gateway.networking.k8s.io/v1", "Gateway"): GATEWAY_OBJECT,
    ("monitoring.coreos.com/v1", "PodMonitor"): POD_MONITOR,
    ("monitoring.coreos.com/v1", "PrometheusRule"): PROMETHEUS_RULE,
}
METADATA = strict(["name", "namespace"], name=NAME, namespace=NAME, labels=LABELS, annotations=LABELS)

# What the schemas cannot say and the API server refuses.


def _rules(found):
    if found["kind"] == "DaemonSet":
        rolling = found["spec"]["updateStrategy"]["rollingUpdate"]
        if (rolling["maxSurge"] == 0) == (rolling["maxUnavailable"] == 0):
            yield "exactly one of maxSurge and maxUnavailable may be 0"
        pod = found["spec"]["template"]["spec"]
        volumes = {volume["name"] for volume in pod["volumes"]}
        for container in pod["containers"] + pod["initContainers"]:
            for mount in container["volumeMounts"]:
                if mount["name"] not in volumes:
                    yield f"{container['name']} mounts {mount['name']}, which is no volume"
        if not found["spec"]["selector"]["matchLabels"].items() <= found["spec"]["template"]["metadata"]["labels"].items():
            yield "the selector does not select the pods"
    if found["kind"] == "EnvoyFilter" and "workloadSelector" in found["spec"] and "targetRefs" in found["spec"]:
        yield "only one of workloadSelector and targetRefs may be set"


def faults(found):
    """Everything that is wrong with an object, as text."""
    known = (found.get("apiVersion"), found.get("kind"))
    schema = CUSTOM.get(known)
    if schema is not None:
        whole = strict(["apiVersion", "kind", "metadata", "spec"], apiVersion={}, kind={}, metadata=METADATA, spec=schema)
        wrong = Draft202012Validator(whole).iter_errors(found)
        told = [f"{'.'.join(map(str, error.absolute_path))}: {error.message}" for error in wrong]
    else:
        try:
            kubernetes_validate.validate(found, KUBERNETES, strict=True)
            told = []
        except kubernetes_validate.SchemaNotFoundError:
            return [f"no schema for {known}"]
        except kubernetes_validate.ValidationError as error:
            told = [f"{'.'.join(map(str, error.path))}: {error.message}"]
    return told or list(_rules(found))
