#!/bin/sh
# What of ck_op cargo's tests cannot show, on any machine: the operator in the oldest ONNX Runtime that it supports, the
# committed gfx942 code object in the interpreter, and ONNX Runtime -> operator -> host code -> that code object as one path.
# A step of `cargo xtask test`, after the tests: it takes what they built.
#
# usage: ck_op/check.sh       needs python3 with pip, a C and a C++ compiler; fetches pinned packages the first time
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../target}
work=$target/ck_op
fixtures=$here/onnx-rewrite/fixtures
rewrite=$target/debug/examples/rewrite
export PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1
[ -x "$rewrite" ] || (cd "$here/.." && cargo build --quiet -p ck-op --lib --example rewrite)

# fetch FOLDER SHA256 REQUIREMENT [PIP ARGUMENTS]: one wheel, unpacked.
fetch() {
  folder=$work/$1 sum=$2 requirement=$3
  shift 3
  [ -f "$folder/complete" ] && return
  mkdir -p "$folder"
  echo "$requirement --hash=sha256:$sum" > "$folder.txt"
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: --no-deps \
    --require-hashes "$@" --upgrade --target "$folder" -r "$folder.txt"
  touch "$folder/complete"
}

# The wheels of one Python, whatever this machine's is: only the library is wanted.
fetch ort-oldest 2d39a530aff1ec8d02e365f35e503193991417788641b184f5b1e8c9a6d5ce8d onnxruntime==1.22.1 \
  --platform manylinux_2_28_x86_64 --python-version 3.12 --implementation cp
fetch cmake 1c8b05df0602365da91ee6a3336fe57525b137706c4ab5675498f662ae1dbcec cmake==3.31.6
packages=$work/interpreter
if [ ! -f "$packages/complete" ]; then
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: --upgrade \
    --target "$packages" numpy==2.4.6 msgpack==1.2.4 pyelftools==0.33 pytest==9.2.0
  # Its dependencies are for tools that are not used here.
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: --upgrade \
    --no-deps --target "$packages" onnxruntime==1.31.1
  touch "$packages/complete"
fi

echo "== the operator and the rewriter in ONNX Runtime 1.22.1"
mkdir -p "$work/models"
for model in modernbert-legacy17-sdpa modernbert-dynamo18-eager bert-legacy17-eager; do
  gunzip -c "$fixtures/$model.onnx.gz" > "$work/models/$model.onnx"
  # It runs both models side by side and refuses where they differ.
  FOREBAY_ORT_LIB=$work/ort-oldest/onnxruntime/capi/libonnxruntime.so.1.22.1 \
    "$rewrite" "$work/models/$model.onnx" "$work/models/$model-1.22.onnx" --right
done

echo "== gfx942 kernels in the interpreter"
export FOREBAY_ORT_LIB="${FOREBAY_ORT_LIB:-$here/../.forebay/ort/libonnxruntime.so}"
tiny=$work/models/modernbert-dynamo18-eager
"$rewrite" "$tiny.onnx" "$tiny-fp16.onnx" --fp16 > /dev/null
FOREBAY_CK_HIP_BUILT=$(cd "$here" && PYTHONPATH=$packages python3 -m cdna3.hostlib "$work/host")
FOREBAY_CK_OP_LIB=$(ls -t "$target/debug/libforebay_ck_op.so" "$target/debug/deps/libforebay_ck_op.so" 2>/dev/null | head -1)
FOREBAY_CK_TINY=$tiny.onnx:$tiny-fp16.onnx
export FOREBAY_CK_HIP_BUILT FOREBAY_CK_OP_LIB FOREBAY_CK_TINY
PATH=$work/cmake/bin:$PATH PYTHONPATH=$packages:$work/cmake exec python3 -m pytest -q -rs -p no:cacheprovider "$here/cdna3"
