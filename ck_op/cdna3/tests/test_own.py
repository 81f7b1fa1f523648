"""The committed code object of the hand-written kernels, executed and compared with float64."""
import hashlib
from pathlib import Path

import numpy as np
import pytest

from cdna3 import gpu, own
from cases import Call

HIP = Path(__file__).parents[2] / "hip"
KINDS = ["f16", "bf16"]
DIMS = [32, 64, 128]


@pytest.fixture(scope="module")
def program():
    return gpu.load(*own.committed())


def test_the_code_object_is_of_these_sources():
    """data/SOURCES has the sums of the files that it was compiled from: a change of them asks for a new code object."""
    for line in (own.DATA / "SOURCES").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((HIP / name).read_bytes()).hexdigest() == digest, f"recompile for {name}: hip/build-own.sh"


def test_the_code_object_is_what_an_mi300x_wants(program):
    assert program.target == "amdgcn-amd-amdhsa--gfx942"
    assert set(program.kernels) == {f"forebay_fmha_{kind}_d{dim}" for kind in KINDS for dim in DIMS}
    for kernel in program.kernels.values():
        assert kernel[".vgpr_spill_count"] == kernel[".sgpr_spill_count"] == 0
        assert kernel[".private_segment_fixed_size"] == 0
        assert kernel[".group_segment_fixed_size"] <= 64 * 1024
        assert kernel[".vgpr_count"] <= 512
        assert kernel[".wavefront_size"] == 64
    names = [i.name for i in program.code.values()]
    assert sum(name.startswith("v_mfma_f32_32x32x8") for name in names) == 112
    assert not any(name.startswith(("scratch_", "s_set_gpr_idx", "flat_")) for name in names)


def test_a_disassembly_of_other_code_is_refused():
    code, text = own.committed()
    with pytest.raises(ValueError, match="not of this code object"):
        gpu.load(code, text.replace("C0060", "C0061", 1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", DIMS)
def test_every_instance_with_odd_lengths_and_adversarial_timing(program, kind, dim):
    call = Call(kind, dim, queries=100, keys=77, heads=2)
    assert call.holds(call.run(program, adversarial=True))


@pytest.mark.parametrize("length", [1, 2, 31, 32, 33, 127, 128, 129, 251])
def test_every_length_around_a_tile_edge(program, length):
    for kind in KINDS:
        call = Call(kind, 32, queries=length)
        assert call.holds(call.run(program)), kind


@pytest.mark.parametrize("left", [-1, 0, 1, 63, 64])
@pytest.mark.parametrize("right", [-1, 0, 1, 64])
def test_every_window(program, left, right):
    call = Call("f16", 32, queries=150, left=left, right=right)
    assert call.holds(call.run(program))


def padded(lengths, keys, side):
    bias = np.zeros((len(lengths), keys), np.float32)
    for row, kept in zip(bias, lengths):
        hidden = slice(kept, None) if side == "right" else slice(0, keys - kept)
        row[hidden] = -65504 if kept % 2 else -np.inf
    return bias


@pytest.mark.parametrize("side", ["left", "right"])
def test_ragged_padding_with_poisoned_keys(program, side):
    bias = padded([70, 33, 1], 70, side)
    for window in ((-1, -1), (16, 16)):
        call = Call("f16", 64, queries=70, batch=3, bias=bias, left=window[0], right=window[1])
        wanted = call.run(program)
        assert call.holds(wanted)
        hidden = (bias <= -1e4)[:, None, :, None]
        call.k = np.where(hidden, own.to_bits(np.float32(1e4), "f16"), call.k)
        call.v = np.where(hidden, own.to_bits(np.float32(1e4), "f16"), call.v)
        assert (call.run(program) == wanted).all()


def test_one_bias_row_serves_a_batch_and_may_be_soft(program):
    bias = np.linspace(-3, 0, 50, dtype=np.float32)[None]
    call = Call("bf16", 32, queries=50, batch=2, bias=bias)
    assert call.holds(call.run(program))


def test_a_sequence_without_keys_is_zero(program):
    bias = np.zeros((2, 40), np.float32)
    bias[1] = -np.inf
    call = Call("f16", 64, queries=40, batch=2, bias=bias)
    out = call.run(program)
    assert (out[1] == 0).all() and call.holds(out)


def test_large_logits(program):
    for kind in KINDS:
        call = Call(kind, 64, queries=60, magnitude=40)
        assert call.holds(call.run(program)), kind


def test_a_batch_gives_each_sequence_its_own_result(program):
    bias = padded([45, 20], 45, "right")
    call = Call("f16", 32, queries=45, batch=2, heads=2, bias=bias)
    together = call.run(program)
    for b in range(2):
        one = Call("f16", 32, queries=45, heads=2)
        one.q, one.k, one.v, one.bias = (x[b:b + 1].copy() for x in (call.q, call.k, call.v, call.bias))
        assert (one.run(program) == together[b:b + 1]).all()


def test_nothing_outside_the_tensors_is_touched(program):
    """Allocations do not touch each other: a read or write past an end is a Fault, and there is none."""
    for length in (1, 33, 129):
        Call("f16", 64, queries=length, bias=np.zeros((1, length), np.float32)).run(program, adversarial=True)


def test_reading_past_a_tensor_is_a_fault(program):
    call = Call("f16", 64, queries=64)
    call.k = call.k[:, :, :63].copy()
    q, k = call.q, np.ascontiguousarray(call.k)
    device_out = np.zeros_like(q)
    device = gpu.GPU(program)
    import struct
    addresses = [device.memory.add(x) for x in (q, k, call.v, device_out)]
    arguments = struct.pack("<QQQQQiiiiiif", *addresses, 0, 1, 64, 64, 0, own.OPEN, own.OPEN, 0.1)
    with pytest.raises(gpu.Fault):
        device.launch("forebay_fmha_f16_d64", (1, 1, 1), (256, 1, 1), arguments)
