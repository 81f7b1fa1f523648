#!/bin/sh
# Runs every check of ck_op that this machine can run, and says at the end what ran on what.
#
# usage: ck_op/test.sh              needs cargo, python3 with venv, a C compiler, ONNX Runtime (FOREBAY_ORT_LIB or .forebay/ort)
#
# FOREBAY_SID=FOLDER     a Debian sid with hipcc (hip/fetch-sid.sh makes it; root, for chroot): builds the HIP side as well
# FOREBAY_CK_DIRS=A:B    ck_tile include folders inside FOREBAY_SID: builds and runs their kernels too (minutes each)
# FOREBAY_CK_TYPES, FOREBAY_CK_DIMS      their element types and head dimensions [f16, 64]; f16;bf16 and 32;64;128 are all
# FOREBAY_PY=FOLDER      a virtual environment with numpy, msgpack, pyelftools, pytest, onnxruntime; made if it is not there
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
work=$target/ck_op
mkdir -p "$work"
export FOREBAY_ORT_LIB="${FOREBAY_ORT_LIB:-$PWD/.forebay/ort/libonnxruntime.so}"

echo "== operator and rewriter, with ONNX Runtime on this CPU"
cargo test --quiet -p ck-op -p onnx-rewrite
CARGO_TARGET_DIR=$target "$here/check.sh"

py=${FOREBAY_PY:-$work/py}
if [ ! -x "$py/bin/python" ]; then
  python3 -m venv "$py"
  "$py/bin/pip" install --quiet numpy==2.4.6 msgpack==1.2.4 pyelftools==0.33 pytest==9.2.0 onnxruntime==1.31.1
fi

hip="the HIP side was NOT built: FOREBAY_SID is not set"
if [ -n "${FOREBAY_SID:-}" ]; then
  export FOREBAY_OUT="$work/hip" FOREBAY_CK_SCRATCH="$work/hip"
  export FOREBAY_OBJDUMP="$here/hip/in-sid.sh $FOREBAY_SID llvm-objdump -d /out/{}"
  FOREBAY_CK_HIP_BUILT=
  build() {   # name, cmake arguments
    name=$1
    shift
    mkdir -p "$FOREBAY_OUT/$name"
    echo "== HIP back end for gfx942: $name"
    "$here/hip/in-sid.sh" "$FOREBAY_SID" sh -c "cd /out/$name && cmake -G Ninja -DCMAKE_HIP_COMPILER=/usr/lib/llvm-21/bin/clang++ \
      -DCMAKE_HIP_COMPILER_ROCM_ROOT=/usr $* /w/hip && ninja" > "$FOREBAY_OUT/$name.log" || { tail -30 "$FOREBAY_OUT/$name.log"; exit 1; }
    FOREBAY_CK_HIP_BUILT="$FOREBAY_CK_HIP_BUILT${FOREBAY_CK_HIP_BUILT:+:}$FOREBAY_OUT/$name/libforebay_ck_hip.so"
  }
  build own -DFOREBAY_CK=OFF
  hip="own kernels"
  types=${FOREBAY_CK_TYPES:-f16} dims=${FOREBAY_CK_DIMS:-64}
  for include in $(echo "${FOREBAY_CK_DIRS:-}" | tr : ' '); do
    name=ck-$(echo "$include" | tr -c 'a-zA-Z0-9\n' _)
    # The symbol is a mere reference that <iostream> of GCC 13 and later leaves; an older system's libstdc++ lacks it.
    build "$name" -DFOREBAY_CK=ON -DCK_INCLUDE_DIR="$include" "-DFOREBAY_CK_TYPES='$types' -DFOREBAY_CK_DIMS='$dims'" \
      -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--defsym=_ZSt21ios_base_library_initv=0
    hip="$hip; ck_tile of $include ($(grep -o 'ck_tile of generation [0-9]' "$FOREBAY_OUT/$name.log"), $types, $dims)"
  done
  export FOREBAY_CK_HIP_BUILT
  gunzip -c "$here/onnx-rewrite/fixtures/modernbert-dynamo18-eager.onnx.gz" > "$work/tiny.onnx"
  cargo run --quiet -p ck-op --example rewrite -- "$work/tiny.onnx" "$work/tiny-fp16.onnx" --fp16
  export FOREBAY_CK_TINY="$work/tiny.onnx:$work/tiny-fp16.onnx"
  FOREBAY_CK_OP_LIB=$(ls -t "$target/debug/libforebay_ck_op.so" "$target/debug/deps/libforebay_ck_op.so" 2>/dev/null | head -1)
  export FOREBAY_CK_OP_LIB
fi

if [ -n "${FOREBAY_CK_HIP_BUILT:-}" ]; then
  echo "== the compiled HIP side in the CDNA3 interpreter"
  OPENBLAS_NUM_THREADS=1 "$py/bin/python" -m pytest -q -rs -p no:cacheprovider "$here/cdna3/tests/test_library.py" \
    "$here/cdna3/tests/test_onnxruntime.py"
  echo "== mutants of the kernels' source"
  "$py/bin/python" "$here/mutants.py" --only hip
fi

echo "== done: CPU back end and rewriter executed on this CPU; committed gfx942 code object executed in the interpreter; $hip."
echo "== Nothing has run on an AMD GPU."
