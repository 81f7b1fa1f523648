#!/bin/sh
# Executes the committed gfx942 code object in the interpreter, tests the interpreter itself, and kills its mutants: about
# 25 s of CPU time. Needs python3 with pip; fetches four pinned packages the first time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
packages=${CARGO_TARGET_DIR:-$here/../../target}/ck_op/interpreter
if [ ! -f "$packages/complete" ]; then
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: --upgrade \
    --target "$packages" numpy==2.4.6 msgpack==1.2.4 pyelftools==0.33 pytest==9.2.0
  touch "$packages/complete"
fi
# What needs a compiled HIP side is left to ../test.sh.
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$packages OPENBLAS_NUM_THREADS=1 exec python3 -m pytest -q -rs -p no:cacheprovider \
  "$here" --ignore "$here/tests/test_library.py" --ignore "$here/tests/test_onnxruntime.py"
