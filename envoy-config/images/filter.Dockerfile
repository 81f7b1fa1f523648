# The filter as an image that Istio and Envoy Gateway pull: one layer with /plugin.wasm at its root. Push it to a registry (or `skopeo copy
# --dest-compress`): a layer in an OCI folder may be uncompressed, and Istio refuses that. ../release.py makes the same image without a
# container engine.
#
#   cargo xtask build && mkdir -p dist && cp target/wasm32-wasip1/release-wasm/filter_wasm.wasm dist/plugin.wasm
#   docker build -f envoy-config/images/filter.Dockerfile dist
FROM scratch
LABEL org.opencontainers.image.title="forebay-filter" \
      org.opencontainers.image.description="Screens and routes LLM requests inside Envoy (proxy-wasm filter)" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY plugin.wasm /plugin.wasm
