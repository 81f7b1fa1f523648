# inferd for AMD GPUs: ONNX Runtime 1.22, the last one with a ROCm provider, and ck_op with its HIP back end. From the repository's root:
#
#   docker build -f envoy-config/images/inferd-rocm.Dockerfile -t REGISTRY/inferd:0.1.0-rocm .
#
# Linted, never built nor run: there is no AMD GPU and no container registry where this file was written. Pin the bases by digest for a
# release, as in inferd.Dockerfile. ROCM_VERSION must be one that both the wheel (7.2: it needs libamdhip64.so.7) and ck_op's CMakeLists.txt
# (6.3 to 7.2) take.
ARG ROCM_VERSION=7.2
ARG RUST_IMAGE=rust:1.95-slim-bookworm
ARG ROCM_IMAGE=rocm/dev-ubuntu-24.04:${ROCM_VERSION}

FROM ${RUST_IMAGE} AS build
WORKDIR /src
COPY . .
RUN cargo build --locked --release --package inferd --package ck-op \
 && install -D target/release/inferd /out/opt/forebay/bin/inferd \
 && install -D target/release/libforebay_ck_op.so /out/opt/forebay/lib/libforebay_ck_op.so

FROM ${ROCM_IMAGE} AS hip
RUN apt-get update \
 && apt-get install -y --no-install-recommends cmake composablekernel-dev hip-dev ninja-build \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY ck_op/hip .
RUN cmake -S . -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DFOREBAY_CK=ON -DGPU_TARGETS=gfx942 \
 && cmake --build /build \
 && install -D /build/libforebay_ck_hip.so /out/opt/forebay/lib/libforebay_ck_hip.so

FROM ${ROCM_IMAGE} AS runtime-library
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3-pip unzip \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /wheel
RUN printf 'onnxruntime-rocm==1.22.2.post3 --hash=sha256:%s\n' 705596b48933446ae6766921c5c8a46ef42f0c735bf158b6eb44a60bf7f95230 > pins.txt \
 && pip download --no-cache-dir --no-deps --require-hashes --only-binary :all: --implementation cp --python-version 3.11 \
      --platform manylinux_2_34_x86_64 --requirement pins.txt --dest . \
 && unzip -q ./*.whl 'onnxruntime/*' \
 && mkdir -p /out/opt/forebay/lib /out/opt/forebay/share/onnxruntime \
 && install onnxruntime/capi/libonnxruntime.so.1.22.2 /out/opt/forebay/lib/libonnxruntime.so \
 && install onnxruntime/capi/libonnxruntime_providers_*.so /out/opt/forebay/lib/ \
 && install -m 0644 onnxruntime/LICENSE onnxruntime/ThirdPartyNotices.txt /out/opt/forebay/share/onnxruntime/

FROM ${ROCM_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="inferd-rocm" \
      org.opencontainers.image.description="Forebay's daemon for AMD GPUs: classifies LLM requests on each node" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# The libraries that the ROCm provider links.
RUN apt-get update \
 && apt-get install -y --no-install-recommends hipblas hipfft miopen-hip rocm-smi-lib \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /out/ /
COPY --from=hip /out/ /
COPY --from=runtime-library /out/ /
COPY models/forebay-small /opt/forebay/models/forebay-small
COPY LICENSE NOTICE models/NOTICE /opt/forebay/share/
ENV FOREBAY_ORT_LIB=/opt/forebay/lib/libonnxruntime.so \
    FOREBAY_CK_HIP_LIB=/opt/forebay/lib/libforebay_ck_hip.so \
    LD_LIBRARY_PATH=/opt/forebay/lib \
    PATH=/opt/forebay/bin:/usr/local/bin:/usr/bin:/bin
USER 65532:65532
ENTRYPOINT ["/opt/forebay/bin/inferd"]
CMD ["serve"]
