"""The real shared library of the HIP back end, on the fake runtime, called through its C ABI.

Needs a built libforebay_ck_hip.so: FOREBAY_CK_HIP_BUILT names one or more, separated by colons (see ../../test.sh). Without
it these tests are skipped, which the summary shows.
"""
import ctypes
import os
import re
import tempfile

import numpy as np
import pytest

from cdna3 import gpu, own, runtime
from cases import Call
from disassemble import disassembler

LIBRARIES = [path for path in os.environ.get("FOREBAY_CK_HIP_BUILT", "").split(":") if path]
pytestmark = pytest.mark.skipif(not LIBRARIES, reason="FOREBAY_CK_HIP_BUILT names no library: the HIP side was not built")


class Library:
    def __init__(self, path, fake):
        self.path = path
        self.objects = runtime.bundled_code_objects(path)
        self.programs = [gpu.load(code, disassembler(code)) for code in self.objects]
        self.runtime = runtime.Runtime(fake, self.programs)
        self.library = ctypes.CDLL(path)
        self.library.forebay_hip_attention.restype = ctypes.c_char_p
        self.library.forebay_hip_kernels.restype = ctypes.c_char_p

    def has_ck(self):
        return b"ck_tile" in self.library.forebay_hip_kernels()

    def call(self, call, stream=None, **changes):
        """The error message or None, and the output."""
        out = np.full(call.q.shape, 0x7FFF, np.uint16)
        tensors = [call.q, call.k, call.v, out] + ([] if call.bias is None else [call.bias])
        self.runtime.buffers = tensors
        batch, heads, queries, head_dim = call.q.shape
        arguments = dict(q=call.q.ctypes.data, k=call.k.ctypes.data, v=call.v.ctypes.data, o=out.ctypes.data,
                         key_bias=None if call.bias is None else call.bias.ctypes.data, batch=batch, heads=heads,
                         queries=queries, keys=call.k.shape[2], head_dim=head_dim,
                         bias_rows=0 if call.bias is None else len(call.bias), window_left=call.left,
                         window_right=call.right, scale=call.scale, element=["f16", "bf16"].index(call.kind))
        arguments.update(changes)
        message = self.library.forebay_hip_attention(ctypes.byref(runtime.Attention(**arguments)),
                                                     ctypes.c_void_p(stream))
        return message, own.from_bits(out, call.kind)


@pytest.fixture(scope="module")
def fake():
    with tempfile.TemporaryDirectory() as folder:
        yield runtime.build_fake(folder)


@pytest.fixture(scope="module", params=LIBRARIES)
def library(request, fake):
    return Library(request.param, fake)


def right_padding(lengths, keys):
    bias = np.zeros((len(lengths), keys), np.float32)
    for row, kept in zip(bias, lengths):
        row[kept:] = -np.inf
    return bias


CALLS = {
    "odd lengths": dict(queries=100, keys=77, heads=2),
    "two tiles of rows": dict(queries=150),
    "window": dict(queries=150, left=64, right=64),
    "lopsided window": dict(queries=90, left=3, right=20),
    "padding": dict(queries=70, batch=2, bias=right_padding([70, 33], 70)),
    "padding and window": dict(queries=140, batch=2, bias=right_padding([140, 60], 140), left=16, right=16),
    "one bias row": dict(queries=40, batch=2, bias=right_padding([25], 40)),
}


@pytest.mark.parametrize("kind", ["f16", "bf16"])
@pytest.mark.parametrize("name", CALLS)
def test_host_code_arguments_grid_and_kernel_give_the_right_answer(library, name, kind):
    call = Call(kind, 64, **CALLS[name])
    message, out = library.call(call)
    assert message is None, library.runtime.failure
    assert call.holds(out), np.abs(out - call.exact()).max()


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("kind", ["f16", "bf16"])
@pytest.mark.parametrize("dim", [32, 128])
def test_the_other_head_dimensions(library, dim, kind, biased):
    bias = right_padding([70, 41], 70) if biased else None
    call = Call(kind, dim, queries=60, keys=70, batch=2 if biased else 1, bias=bias, left=30, right=30)
    message, out = library.call(call)
    assert message is None, library.runtime.failure
    assert call.holds(out)


def test_ck_tile_is_what_runs_where_it_was_built(library):
    if not library.has_ck():
        pytest.skip("this library was built without ck_tile")
    compiled = {kind_and_dim for program in library.programs for name in program.kernels
                if (kind_and_dim := ck_instance(name)) is not None}
    assert compiled
    for kind, dim in compiled:
        library.call(Call(kind, dim, queries=40))
        assert ck_instance(library.runtime.launches[-1][0]) == (kind, dim)


def ck_instance(kernel):
    """Element type and head dimension of a ck_tile kernel, from its mangled name; None for another kernel."""
    if "FmhaFwdKernel" not in kernel:
        return None
    # The block's shape is the first sequence; its sixth number is the head dimension. _Float16 is DF16_, bfloat16 is DF16b
    # or ck_tile's own type.
    block = re.search(r"8sequenceIJ((?:Li\d+E){6})E", kernel)
    return ("f16" if "DF16_" in kernel else "bf16", int(re.findall(r"\d+", block[1])[5]))


def test_every_kernel_of_the_library_is_for_gfx942_and_spills_nothing_to_memory(library):
    assert library.programs
    for program in library.programs:
        assert program.target == "amdgcn-amd-amdhsa--gfx942"
        for name, kernel in program.kernels.items():
            # ck_tile's bias instance keeps 24 scalars in lanes of a vector register: that is no memory. Its generation 3
            # declares 208 bytes of scratch that no instruction uses (below).
            assert kernel[".vgpr_spill_count"] == 0, name
            assert kernel[".private_segment_fixed_size"] == 0 or "FmhaFwdKernel" in name, name
            assert kernel[".group_segment_fixed_size"] <= 64 * 1024, name
        names = {i.name for i in program.code.values()}
        assert any("mfma" in name for name in names)
        assert not any(name.startswith(("scratch_", "s_set_gpr_idx")) for name in names)


BAD = [(dict(head_dim=48), b"head_dim"), (dict(element=7), b"element type"), (dict(batch=-1), b"negative"),
       (dict(batch=70000), b"65535"), (dict(queries=1 << 25), b"16777216"), (dict(window_left=-2), b"window"),
       (dict(scale=float("nan")), b"scale"), (dict(q=None), b"null")]


@pytest.mark.parametrize("changes,words", BAD)
def test_bad_calls_are_answered_with_a_reason_and_launch_nothing(library, changes, words):
    before = len(library.runtime.launches)
    message, _ = library.call(Call("f16", 64, queries=8), **changes)
    assert words in message
    assert len(library.runtime.launches) == before


def test_a_launch_that_fails_is_reported(library):
    call = Call("f16", 64, queries=40)
    library.runtime.buffers = []
    out = np.zeros(call.q.shape, np.uint16)
    arguments = runtime.Attention(q=call.q.ctypes.data, k=call.k.ctypes.data, v=call.v.ctypes.data, o=out.ctypes.data,
                                  batch=1, heads=1, queries=40, keys=40, head_dim=64, window_left=-1, window_right=-1,
                                  scale=0.125)
    message = library.library.forebay_hip_attention(ctypes.byref(arguments), None)
    assert message and "not allocated" in library.runtime.failure
    library.runtime.failure = None


def test_launches_go_to_the_stream_that_is_given(library):
    for stream in (0x5EA0, None):
        message, _ = library.call(Call("f16", 64, queries=8), stream=stream)
        assert message is None and library.runtime.launches[-1][-1] == stream


def test_an_empty_call_launches_nothing(library):
    before = len(library.runtime.launches)
    message, _ = library.call(Call("f16", 64, queries=8), queries=0)
    assert message is None and len(library.runtime.launches) == before
