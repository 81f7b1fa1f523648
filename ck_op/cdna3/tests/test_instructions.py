"""The interpreter itself, instruction class by instruction class, against answers worked out from the ISA's text."""
import numpy as np
import pytest

from cdna3 import gpu, matrix
from cdna3.memory import Fault, Memory
from cdna3.program import Instruction, Program
from cdna3.wave import EXEC, F16, F32, LANE, M0, POISON, U16, U32, VCC, Wave


class Bench:
    """A wave, memory and LDS to run single lines on."""

    def __init__(self, adversarial=False, lds=1024):
        self.device = gpu.GPU(None, adversarial)
        self.device.lds = np.full(lds, gpu.LDS_POISON, np.uint8)
        self.wave = Wave(64)

    def run(self, *lines):
        for line in lines:
            i = Instruction()
            i.name, _, text = line.partition(" ")
            i.text, i.pc, i.after, i.target = line, 0, 0, 99
            i.modifiers, i.operands = Program._operands(i.name, text)
            i.run = gpu.OPERATIONS[i.name]
            if self.device.adversarial and (i.name.startswith(gpu.MEMORY_PREFIXES) or i.name == "s_waitcnt"):
                self.device._deferred(self.wave, i)
            else:
                i.run(self.wave, i, self.device)
        return self

    def v(self, index, kind=U32):
        return self.wave.v[index].view(kind)

    def set(self, index, values, kind=U32):
        self.wave.v[index] = np.ascontiguousarray(np.broadcast_to(np.asarray(values, kind), 64)).view(U32)
        return self


# ---- scalar

@pytest.mark.parametrize("line,a,b,result,scc", [
    ("s_add_u32 s2, s0, s1", 0xFFFFFFFF, 2, 1, 1), ("s_sub_u32 s2, s0, s1", 1, 2, 0xFFFFFFFF, 1),
    ("s_add_i32 s2, s0, s1", 0x7FFFFFFF, 1, 0x80000000, 1), ("s_sub_i32 s2, s0, s1", 5, 7, 0xFFFFFFFE, 0),
    ("s_mul_i32 s2, s0, s1", 0xFFFFFFFF, 3, 0xFFFFFFFD, None), ("s_mul_hi_i32 s2, s0, s1", 0xFFFFFFFF, 3, 0xFFFFFFFF, None),
    ("s_mul_hi_u32 s2, s0, s1", 0xFFFFFFFF, 3, 2, None), ("s_min_i32 s2, s0, s1", 0xFFFFFFFF, 1, 0xFFFFFFFF, 1),
    ("s_max_u32 s2, s0, s1", 0xFFFFFFFF, 1, 0xFFFFFFFF, 1), ("s_lshl_b32 s2, s0, s1", 3, 33, 6, 1),
    ("s_ashr_i32 s2, s0, s1", 0x80000000, 31, 0xFFFFFFFF, 1), ("s_andn2_b32 s2, s0, s1", 0xF0, 0xFF, 0, 0),
    ("s_bfe_u32 s2, s0, s1", 0xABCD, 4 | 8 << 16, 0xBC, 1)])
def test_scalar_arithmetic_and_its_flag(line, a, b, result, scc):
    bench = Bench()
    bench.wave.s[0], bench.wave.s[1] = a, b
    bench.run(line)
    assert bench.wave.s[2] == result
    if scc is not None:
        assert bench.wave.scc == scc


def test_carry_chains_make_64_bit_sums():
    bench = Bench()
    bench.wave.s[:4] = [0xFFFFFFFF, 1, 1, 2]
    bench.run("s_add_u32 s4, s0, s2", "s_addc_u32 s5, s1, s3")
    assert bench.wave.pair(4) == 0x1_FFFFFFFF + 0x2_00000001


def test_constants_are_sign_extended_in_64_bits():
    bench = Bench().run("s_mov_b64 s[2:3], -1", "s_movk_i32 s4, 0xfff0")
    assert bench.wave.pair(2) == 2**64 - 1 and bench.wave.s[4] == 0xFFFFFFF0


@pytest.mark.parametrize("line,taken", [
    ("s_cbranch_scc1 9", True), ("s_cbranch_scc0 9", False), ("s_cbranch_vccz 9", True), ("s_cbranch_execz 9", False)])
def test_branches(line, taken):
    bench = Bench()
    bench.wave.scc = 1
    bench.run(line)
    assert (bench.wave.pc == 99) == taken


def test_saving_exec_narrows_the_lanes_that_are_written():
    bench = Bench().set(0, LANE)
    bench.run("v_mov_b32_e32 v1, 0", "v_cmp_gt_u32_e32 vcc, 4, v0", "s_and_saveexec_b64 s[4:5], vcc",
              "v_mov_b32_e32 v1, 7", "s_mov_b64 exec, s[4:5]")
    assert (bench.v(1) == np.where(LANE < 4, 7, 0)).all()
    assert bench.wave.pair(EXEC) == 2**64 - 1


# ---- vector

@pytest.mark.parametrize("line,result", [
    ("v_lshl_add_u32 v2, v0, 3, v1", LANE * 8 + 100), ("v_add_lshl_u32 v2, v0, v1, 1", (LANE + 100) * 2),
    ("v_mad_u32_u24 v2, v0, v1, 5", LANE * 100 + 5), ("v_xor_b32_e32 v2, v0, v1", LANE ^ 100),
    ("v_bfe_u32 v2, v0, 2, 3", LANE >> 2 & 7), ("v_perm_b32 v2, v1, v0, 0x05040100", LANE | 100 << 16),
    ("v_alignbit_b32 v2, v1, v0, 8", 100 << 24 | LANE >> 8), ("v_subrev_u32_e32 v2, v0, v1", 100 - LANE),
    ("v_cndmask_b32_e64 v2, v0, v1, s[8:9]", np.where(LANE % 2, 100, LANE))])
def test_integer_operations(line, result):
    bench = Bench().set(0, LANE).set(1, 100)
    bench.wave.set_pair(8, 0xAAAAAAAAAAAAAAAA)
    assert (bench.run(line).v(2) == (np.asarray(result) & 0xFFFFFFFF)).all()


def test_signed_fields():
    bench = Bench().set(0, 0b1100).run("v_bfe_i32 v1, v0, 2, 2", "v_bfe_i32 v2, v0, 2, 3")
    assert (bench.v(1, np.int32) == -1).all() and (bench.v(2, np.int32) == 3).all()


@pytest.mark.parametrize("line,result", [
    ("v_fma_f32 v2, v0, -v1, |v1|", -0.5 * 4 - -4 * 1 + 2), ("v_max3_f32 v2, v0, v1, 2.0", 2.0),
    ("v_exp_f32_e32 v2, v1", 2.0**-4), ("v_sub_f32_e32 v2, 1.0, v0", 0.5), ("v_ldexp_f32 v2, v0, 3", 4.0)])
def test_float_operations_and_their_sign_modifiers(line, result):
    bench = Bench().set(0, 0.5, F32).set(1, -4.0, F32)
    expected = {"v_fma_f32": 0.5 * 4 + 4}.get(line.split()[0], result)
    assert (bench.run(line).v(2, F32) == F32(expected)).all()


def test_half_precision_conversions_round_as_they_say():
    x = F32(1 + 2**-11 + 2**-13)    # between two halves, nearer to the upper
    bench = Bench().set(0, x, F32).run("v_cvt_f16_f32_e32 v1, v0", "v_cvt_pkrtz_f16_f32 v2, v0, v0")
    half = lambda bits: np.array(bits, U16).view(F16)
    assert half(bench.v(1)[0] & 0xFFFF) == F16(1 + 2**-10)
    assert half(bench.v(2)[0] & 0xFFFF) == 1 and half(bench.v(2)[0] >> 16) == 1
    bench.set(3, 0x11112222).run("v_fma_mixhi_f16 v3, v0, 1.0, 0")
    assert bench.v(3)[0] & 0xFFFF == 0x2222 and half(bench.v(3)[0] >> 16) == F16(1 + 2**-10)


def test_packed_floats_take_the_words_that_op_sel_names():
    bench = Bench().set(0, 2, F32).set(1, 3, F32).set(2, 5, F32).set(3, 7, F32)
    bench.run("v_pk_mul_f32 v[4:5], v[0:1], v[2:3]")
    assert bench.v(4, F32)[0] == 10 and bench.v(5, F32)[0] == 21
    bench.run("v_pk_mul_f32 v[4:5], v[0:1], v[2:3] op_sel:[1,0] op_sel_hi:[0,0]")
    assert bench.v(4, F32)[0] == 15 and bench.v(5, F32)[0] == 10


@pytest.mark.parametrize("name,expected", [
    ("lt", [1, 0, 0, 0]), ("nlt", [0, 1, 1, 1]), ("o", [1, 1, 1, 0]), ("u", [0, 0, 0, 1]), ("lg", [1, 0, 1, 0])])
def test_float_compares_treat_nan_as_the_isa_says(name, expected):
    bench = Bench().set(0, np.tile([1, 2, 3, np.nan], 16), F32).set(1, 2, F32).run(f"v_cmp_{name}_f32_e64 s[6:7], v0, v1")
    assert [bench.wave.pair(6) >> lane & 1 for lane in range(4)] == expected


def test_lane_counting():
    bench = Bench().run("v_mbcnt_lo_u32_b32 v0, -1, 0", "v_mbcnt_hi_u32_b32 v0, -1, v0")
    assert (bench.v(0) == LANE).all()


@pytest.mark.parametrize("modifier,source,valid", [
    ("quad_perm:[1,0,3,2]", LANE ^ 1, LANE >= 0), ("row_shr:1", LANE - 1, LANE % 16 != 0),
    ("row_shl:2", LANE + 2, LANE % 16 < 14), ("row_ror:3", LANE // 16 * 16 + (LANE - 3) % 16, LANE >= 0),
    ("row_mirror", LANE // 16 * 16 + 15 - LANE % 16, LANE >= 0), ("row_half_mirror", LANE ^ 7, LANE >= 0),
    ("row_bcast:15", LANE // 16 * 16 - 1, LANE >= 16), ("row_bcast:31", np.full(64, 31), LANE >= 32)])
def test_dpp_moves_between_lanes(modifier, source, valid):
    bench = Bench().set(0, LANE + 1000).set(1, 5).run(f"v_mov_b32_dpp v1, v0 {modifier} row_mask:0xf bank_mask:0xf")
    assert (bench.v(1) == np.where(valid, source + 1000, 5)).all()
    zero = Bench().set(0, LANE + 1000).set(1, 5)
    zero.run(f"v_mov_b32_dpp v1, v0 {modifier} row_mask:0xf bank_mask:0xf bound_ctrl:0")
    assert (zero.v(1) == np.where(valid, source + 1000, 0)).all()


def test_dpp_masks_keep_rows_and_banks():
    bench = Bench().set(0, 9).set(1, 5).run("v_mov_b32_dpp v1, v0 row_mirror row_mask:0x2 bank_mask:0x1")
    assert (bench.v(1) == np.where((LANE // 16 == 1) & (LANE % 16 < 4), 9, 5)).all()


# ---- matrix

@pytest.mark.parametrize("side,depth", [(32, 8), (16, 16)])
@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_mfma_lane_maps(side, depth, kind):
    """Each element of A, B and C is placed by hand from the formulas of the ISA document, lane by lane."""
    rng = np.random.default_rng(side)
    a, b = rng.integers(-8, 8, (side, depth)), rng.integers(-8, 8, (depth, side))
    c = rng.integers(-8, 8, (side, side)).astype(F32)
    bench, per_lane, groups = Bench(), depth // (64 // side), 64 // side

    def bits(x):
        return int(F16(x).view(U16)) if kind == "f16" else int(F32(x).view(U32)) >> 16
    for lane in range(64):
        for j in range(per_lane):
            k = lane // side * per_lane + j
            shift = 16 * (j % 2)
            for first, value in ((0, a[lane % side, k]), (10, b[k, lane % side])):
                word = int(bench.wave.v[first + j // 2, lane]) & (0xFFFF << (16 - shift) if j % 2 == 0 else 0xFFFF)
                bench.wave.v[first + j // 2, lane] = word & ~(0xFFFF << shift) | bits(value) << shift
        for r in range(side * side // 64):
            row = 4 * groups * (r // 4) + 4 * (lane // side) + r % 4
            bench.wave.a[r, lane] = c[row, lane % side].view(U32)
    count = side * side // 64
    words = per_lane // 2 - 1
    bench.run(f"v_mfma_f32_{side}x{side}x{depth}_{kind} v[20:{19 + count}], v[0:{words}], v[10:{10 + words}], a[0:{count - 1}]")
    got = np.empty((side, side))
    for lane in range(64):
        for r in range(count):
            got[4 * groups * (r // 4) + 4 * (lane // side) + r % 4, lane % side] = bench.wave.v[20 + r].view(F32)[lane]
    assert (got == a @ b + c).all()


def test_mfma_with_lanes_off_is_a_fault():
    bench = Bench()
    bench.wave.set_pair(EXEC, 1)
    with pytest.raises(Fault):
        bench.run("v_mfma_f32_32x32x8_f16 v[0:15], v[16:17], v[18:19], 0")


# ---- memory

def test_global_memory_is_bounds_checked():
    bench, data = Bench(), np.arange(64, dtype=U32)
    base = bench.device.memory.add(data)
    bench.wave.set_pair(2, base)
    bench.set(0, LANE * 4).run("global_load_dword v1, v0, s[2:3]")
    assert (bench.v(1) == data).all()
    with pytest.raises(Fault, match="not allocated"):
        bench.run("global_load_dword v1, v0, s[2:3] offset:4")
    with pytest.raises(Fault, match="not allocated"):
        bench.run("global_store_dwordx2 v0, v[0:1], s[2:3]")


def test_lanes_that_are_off_touch_no_memory():
    bench, data = Bench(), np.zeros(8, U32)
    bench.wave.set_pair(2, bench.device.memory.add(data))
    bench.wave.set_pair(EXEC, 0xFF)
    bench.set(0, LANE * 4)
    bench.run("global_store_dword v0, v0, s[2:3]")
    assert (data == np.arange(8) * 4).all()


def test_buffers_read_zero_and_write_nothing_out_of_range():
    bench, data = Bench(), np.arange(1, 65, dtype=U32)
    base = bench.device.memory.add(data)
    bench.wave.s[4:8] = [base & 0xFFFFFFFF, base >> 32, 16 * 4, 0x20000]
    bench.set(0, LANE * 4).run("buffer_load_dword v1, v0, s[4:7], 0 offen")
    assert (bench.v(1) == np.where(LANE < 16, data, 0)).all()
    bench.run("v_mov_b32_e32 v2, 9", "buffer_store_dword v2, v0, s[4:7], 0 offen")
    assert (data[:16] == 9).all() and data[16] == 17


def test_sixteen_bit_halves_go_where_their_name_says():
    bench = Bench(lds=256).set(0, LANE * 2).set(1, 0xAAAA1234)
    bench.run("ds_write_b16 v0, v1", "ds_read_u16 v2, v0", "ds_write_b16_d16_hi v0, v1", "ds_read_u16 v3, v0")
    assert (bench.v(2) == 0x1234).all() and (bench.v(3) == 0xAAAA).all()


def test_lds_pairs_and_strides():
    bench = Bench(lds=4096).set(0, LANE * 4).set(1, LANE).set(2, LANE + 100)
    bench.run("ds_write2st64_b32 v0, v1, v2 offset1:2", "ds_read2st64_b32 v[4:5], v0 offset1:2")
    assert (bench.v(4) == LANE).all() and (bench.v(5) == LANE + 100).all()
    assert (bench.device.lds.view(U32)[128:192] == LANE + 100).all()
    with pytest.raises(Fault):
        Bench(lds=255).set(0, LANE * 4).run("ds_write_b32 v0, v0")


def test_lanes_exchange_through_bpermute():
    bench = Bench().set(0, (LANE ^ 32) * 4).set(1, LANE).run("ds_bpermute_b32 v2, v0, v1")
    assert (bench.v(2) == LANE ^ 32).all()


# ---- waiting

def test_a_result_is_poison_until_it_is_waited_for():
    bench = Bench(adversarial=True)
    data = np.arange(64, dtype=U32)
    bench.wave.set_pair(2, bench.device.memory.add(data))
    bench.set(0, LANE * 4).run("global_load_dword v1, v0, s[2:3]", "global_load_dword v2, v0, s[2:3]")
    assert (bench.v(1) == POISON).all()
    bench.run("s_waitcnt vmcnt(1)")
    assert (bench.v(1) == data).all() and (bench.v(2) == POISON).all()
    bench.run("s_waitcnt lgkmcnt(0)")
    assert (bench.v(2) == POISON).all()
    bench.run("s_waitcnt vmcnt(0)")
    assert (bench.v(2) == data).all()


def test_scalar_loads_return_in_any_order():
    bench = Bench(adversarial=True)
    bench.wave.set_pair(2, bench.device.memory.add(np.arange(8, dtype=U32)))
    bench.run("s_load_dword s8, s[2:3], 0x4", "s_load_dword s9, s[2:3], 0x8", "s_waitcnt lgkmcnt(1)")
    assert bench.wave.s[8] == gpu.SCALAR_POISON
    bench.run("s_waitcnt lgkmcnt(0)")
    assert bench.wave.s[8:10] == [1, 2]


def test_registers_and_lds_start_as_poison():
    bench = Bench()
    assert (bench.v(77) == POISON).all() and bench.wave.s[50] == POISON and (bench.device.lds == gpu.LDS_POISON).all()


def test_unknown_modifiers_stop_instead_of_being_ignored():
    with pytest.raises(NotImplementedError):
        Bench().run("v_add_f32_e64 v0, v1, v2 clamp")
