"""Broken kernels must be told from good ones: instruction mutants of the committed code object.

Each mutant removes or changes one instruction of `forebay_fmha_f16_d32`. Those that survive are listed with the reason;
a new survivor fails the test.
"""
import numpy as np
import pytest

from cdna3 import gpu, own
from cases import Call
from mutants import KERNEL, instructions, kept_running, mutate


@pytest.fixture(scope="module")
def program():
    return gpu.load(*own.committed())


def calls():
    """Small, but with several tiles, both masks, two sequences, and rows and keys past the end of the last tile."""
    bias = np.zeros((2, 72), np.float32)
    bias[1, 50:] = -65504
    bias[0, :3] = -np.inf
    return [Call("f16", 32, queries=72, keys=72, batch=2, bias=bias, left=20, right=15, magnitude=3)]


def survivors(program, chosen, change):
    """The chosen instructions whose mutants nobody notices."""
    alive = []
    for i in chosen:
        mutant = mutate(program, i, change)
        if kept_running(mutant, calls()):
            alive.append(i)
    return alive


def test_the_unchanged_kernel_survives(program):
    assert kept_running(program, calls())


def test_every_barrier_is_needed(program):
    chosen = instructions(program, lambda i: i.name == "s_barrier")
    assert len(chosen) == 2
    assert survivors(program, chosen, "remove") == []


def test_every_wait_is_needed_or_known_to_be_redundant(program):
    chosen = instructions(program, lambda i: i.name == "s_waitcnt")
    alive = survivors(program, chosen, "remove")
    # Redundant here: a wait whose values another wait on the same path covers. The running maximum, too, could be wrong
    # without a wrong result; so what is counted is that most waits matter.
    assert len(chosen) >= 10
    assert len(alive) <= len(chosen) // 3, [f"{i.pc:#x} {i.text}" for i in alive]


@pytest.mark.parametrize("what", ["ds_bpermute_b32", "v_mfma_f32_32x32x8_f16", "v_exp_f32_e32",
                                  "ds_write_b16", "ds_write_b16_d16_hi", "ds_read_b64", "v_fma_mixlo_f16",
                                  "v_cvt_f16_f32_e32", "v_pack_b32_f16", "v_pk_mul_f32", "v_rcp_f32_e32",
                                  "global_load_ushort", "global_store_dwordx2"])
def test_every_instruction_of_the_data_path_is_needed(program, what):
    chosen = instructions(program, lambda i: i.name == what)
    assert chosen
    assert survivors(program, chosen[:3], "remove") == []


def test_every_bounds_check_is_needed(program):
    """Lanes beyond the tensors are switched off before each access: without that they fault or spoil a result."""
    chosen = instructions(program, lambda i: i.name == "s_and_saveexec_b64")
    assert len(chosen) >= 9
    assert survivors(program, chosen, "remove") == []


@pytest.mark.parametrize("what", ["v_cndmask_b32_e64", "v_cmp_gt_i32_e64", "v_cmp_lt_i32_e64", "s_and_b64"])
def test_every_choice_of_a_mask_is_needed(program, what):
    chosen = instructions(program, lambda i: i.name == what)
    assert chosen
    assert survivors(program, chosen[:6:2], "remove") == []


@pytest.mark.parametrize("what", ["v_cmp_le_i32_e64", "v_cmp_ge_i32_e64"])
def test_window_limits_off_by_one_are_seen(program, what):
    chosen = instructions(program, lambda i: i.name == what)
    assert chosen
    assert survivors(program, chosen[::5], "strict") == []


def test_an_mfma_with_another_row_map_is_seen(program, monkeypatch):
    from cdna3 import matrix
    monkeypatch.setattr(matrix, "row_of", lambda register, lane, side: (register + lane // side * 16) % side)
    assert not kept_running(program, calls())
