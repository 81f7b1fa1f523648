"""One executed path: ONNX Runtime -> operator library -> HIP back end's host code -> launch -> gfx942 kernel.

The operator's HIP kernels are registered for the CPU provider by the library's test switch, and the launches go to the
interpreter. Needs, beside what test_library.py needs, the Python package onnxruntime, the operator library
(FOREBAY_CK_OP_LIB), and a tiny encoder before and after rewriting to fp16 attention (FOREBAY_CK_TINY: two paths separated
by a colon); ../../test.sh makes all of them.
"""
import os
import tempfile

import numpy as np
import pytest

from cdna3 import gpu, runtime
from disassemble import disassembler

LIBRARIES = [path for path in os.environ.get("FOREBAY_CK_HIP_BUILT", "").split(":") if path]
OPERATOR = os.environ.get("FOREBAY_CK_OP_LIB")
TINY = os.environ.get("FOREBAY_CK_TINY", "").split(":")
pytestmark = pytest.mark.skipif(not (LIBRARIES and OPERATOR and len(TINY) == 2),
                                reason="the HIP side, the operator library or the tiny model was not built")


def inputs(batch, length, kept):
    ids = np.random.default_rng(length).integers(3, 60, (batch, length))
    mask = np.ones_like(ids)
    for row, n in zip(mask, kept):
        row[n:] = 0
    return {"input_ids": ids, "attention_mask": mask}


def test_a_tiny_modernbert_runs_through_onnx_runtime_on_the_interpreter(monkeypatch):
    onnxruntime = pytest.importorskip("onnxruntime")
    library = LIBRARIES[0]
    monkeypatch.setenv("FOREBAY_CK_HIP_LIB", library)
    monkeypatch.setenv("FOREBAY_CK_HIP_PROVIDER", "CPUExecutionProvider")
    # Kernels of ONNX Runtime's own memory are not checked against its extents: test_library.py does that.
    with tempfile.TemporaryDirectory() as folder:
        fake = runtime.build_fake(folder)
        programs = [gpu.load(code, disassembler(code)) for code in runtime.bundled_code_objects(library)]
        device = runtime.Runtime(fake, programs)
        device.map_all()
        options = onnxruntime.SessionOptions()
        options.register_custom_ops_library(OPERATOR)
        options.intra_op_num_threads = 1
        plain, flash = (onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"]) for path in TINY)
        for batch, length, kept in ((1, 20, [20]), (2, 50, [50, 30]), (1, 130, [130])):
            feed = inputs(batch, length, kept)
            wanted, got = plain.run(None, feed)[0], flash.run(None, feed)[0]
            assert device.failure is None, device.failure
            assert np.abs(got - wanted).max() <= 5e-3 * max(1, np.abs(wanted).max())
    # Three layers in each of three runs, on the head dimension of the model.
    assert len(device.launches) == 9
    assert all("d32" in name or "FmhaFwd" in name for name, *_ in device.launches)
