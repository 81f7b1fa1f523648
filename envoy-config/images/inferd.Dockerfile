# inferd for CPUs, with the embedded model. From the repository's root:
#
#   docker build -f envoy-config/images/inferd.Dockerfile -t REGISTRY/inferd:0.1.0 .
#
# Pin the two bases by digest for a release (--build-arg RUST_IMAGE=rust@sha256:... --build-arg BASE_IMAGE=debian@sha256:...): the digests are
# not written here because no container registry could be asked where this file was written. It was linted, not built.
ARG RUST_IMAGE=rust:1.95-slim-bookworm
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${RUST_IMAGE} AS build
WORKDIR /src
COPY . .
# The operator library is what rewritten models need; inferd finds it beside itself or in ../lib.
RUN cargo build --locked --release --package inferd --package ck-op \
 && install -D target/release/inferd /out/opt/forebay/bin/inferd \
 && install -D target/release/libforebay_ck_op.so /out/opt/forebay/lib/libforebay_ck_op.so

# ONNX Runtime out of its wheel: the version and checksum that `cargo xtask setup` pins.
FROM ${BASE_IMAGE} AS runtime-library
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3-pip unzip \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /wheel
RUN printf 'onnxruntime==1.31.1 --hash=sha256:%s\n' 1f3dea47f2f0e5117c2404cea7d21fd253ae7836a3bf167a501cdfbb2600d536 > pins.txt \
 && pip download --no-cache-dir --no-deps --require-hashes --only-binary :all: --implementation cp --python-version 3.12 \
      --platform manylinux_2_28_x86_64 --requirement pins.txt --dest . \
 && unzip -q ./*.whl 'onnxruntime/*' \
 && install -D onnxruntime/capi/libonnxruntime.so.1.31.1 /out/opt/forebay/lib/libonnxruntime.so \
 && install -D -m 0644 onnxruntime/LICENSE /out/opt/forebay/share/onnxruntime/LICENSE \
 && install -m 0644 onnxruntime/ThirdPartyNotices.txt /out/opt/forebay/share/onnxruntime/

FROM ${BASE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="inferd" \
      org.opencontainers.image.description="Forebay's daemon: classifies LLM requests on each node" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /out/ /
COPY --from=runtime-library /out/ /
COPY models/forebay-small /opt/forebay/models/forebay-small
COPY LICENSE NOTICE models/NOTICE /opt/forebay/share/
ENV FOREBAY_ORT_LIB=/opt/forebay/lib/libonnxruntime.so \
    PATH=/opt/forebay/bin:/usr/local/bin:/usr/bin:/bin
# The daemon runs this graph where it is the faster one. Made here, as a container's file system is read-only and has no cache folder.
RUN inferd rewrite --in /opt/forebay/models/forebay-small/model.onnx
USER 65532:65532
ENTRYPOINT ["/opt/forebay/bin/inferd"]
CMD ["serve"]
