"""Scalar instructions: arithmetic, compares, branches, waits, loads."""
import numpy as np

from .program import M32, M64
from .wave import EXEC, VCC, U32, U64

OPERATIONS = {}


def operation(*names):
    def add(function):
        for name in names:
            OPERATIONS[name] = function
        return function
    return add


def signed(x, bits=32):
    return x - (1 << bits) if x >> (bits - 1) & 1 else x


def fits_i32(x):
    return -2**31 <= x < 2**31


def two(name, value, scc=None):
    """d = value(a, b, wave); scc is unchanged, 'nonzero', or a function of (a, b, exact result)."""
    def run(w, i, gpu):
        a, b = w.scalar(i.operands[1]), w.scalar(i.operands[2])
        exact = value(a, b, w)
        w.set_scalar(i.operands[0].index, exact)
        if scc == "nonzero":
            w.scc = int(exact & M32 != 0)
        elif scc:
            w.scc = int(scc(a, b, exact))
    OPERATIONS[name] = run


def two64(name, value, sets_scc=True):
    def run(w, i, gpu):
        result = value(w.scalar64(i.operands[1]), w.scalar64(i.operands[2]), w) & M64
        w.set_pair(i.operands[0].index, result)
        if sets_scc:
            w.scc = int(result != 0)
    OPERATIONS[name] = run


two("s_add_u32", lambda a, b, w: a + b, lambda a, b, r: r > M32)
two("s_addc_u32", lambda a, b, w: a + b + w.scc, lambda a, b, r: r > M32)
two("s_sub_u32", lambda a, b, w: a - b, lambda a, b, r: r < 0)
two("s_subb_u32", lambda a, b, w: a - b - w.scc, lambda a, b, r: r < 0)
two("s_add_i32", lambda a, b, w: a + b, lambda a, b, r: not fits_i32(signed(a) + signed(b)))
two("s_sub_i32", lambda a, b, w: a - b, lambda a, b, r: not fits_i32(signed(a) - signed(b)))
two("s_mul_i32", lambda a, b, w: a * b)
two("s_mul_hi_u32", lambda a, b, w: a * b >> 32)
two("s_mul_hi_i32", lambda a, b, w: signed(a) * signed(b) >> 32)
two("s_min_i32", lambda a, b, w: min(signed(a), signed(b)), lambda a, b, r: signed(a) < signed(b))
two("s_max_i32", lambda a, b, w: max(signed(a), signed(b)), lambda a, b, r: signed(a) > signed(b))
two("s_min_u32", lambda a, b, w: min(a, b), lambda a, b, r: a < b)
two("s_max_u32", lambda a, b, w: max(a, b), lambda a, b, r: a > b)
two("s_cselect_b32", lambda a, b, w: a if w.scc else b)
two("s_ashr_i32", lambda a, b, w: signed(a) >> (b & 31), "nonzero")
two("s_bfe_u32", lambda a, b, w: a >> (b & 31) & (1 << (b >> 16 & 127)) - 1, "nonzero")
two("s_bfm_b32", lambda a, b, w: (1 << (a & 31)) - 1 << (b & 31))
two("s_pack_ll_b32_b16", lambda a, b, w: a & 0xFFFF | (b & 0xFFFF) << 16)
two("s_lshl1_add_u32", lambda a, b, w: (a << 1) + b, lambda a, b, r: r > M32)
two("s_lshl2_add_u32", lambda a, b, w: (a << 2) + b, lambda a, b, r: r > M32)
two("s_lshl3_add_u32", lambda a, b, w: (a << 3) + b, lambda a, b, r: r > M32)
two("s_lshl4_add_u32", lambda a, b, w: (a << 4) + b, lambda a, b, r: r > M32)
two64("s_cselect_b64", lambda a, b, w: a if w.scc else b, False)

BITWISE = {
    "and": lambda a, b, w: a & b, "or": lambda a, b, w: a | b, "xor": lambda a, b, w: a ^ b,
    "andn2": lambda a, b, w: a & ~b, "orn2": lambda a, b, w: a | ~b, "nand": lambda a, b, w: ~(a & b),
    "nor": lambda a, b, w: ~(a | b), "xnor": lambda a, b, w: ~(a ^ b),
}
for name, value in BITWISE.items():
    two(f"s_{name}_b32", value, "nonzero")
    two64(f"s_{name}_b64", value)
two("s_lshl_b32", lambda a, b, w: a << (b & 31), "nonzero")
two("s_lshr_b32", lambda a, b, w: a >> (b & 31), "nonzero")
two64("s_lshl_b64", lambda a, b, w: a << (b & 63))
two64("s_lshr_b64", lambda a, b, w: a >> (b & 63))
two64("s_ashr_i64", lambda a, b, w: signed(a, 64) >> (b & 63))


@operation("s_mov_b32")
def _(w, i, gpu):
    w.set_scalar(i.operands[0].index, w.scalar(i.operands[1]))


@operation("s_movk_i32")
def _(w, i, gpu):
    w.set_scalar(i.operands[0].index, signed(i.operands[1].bits & 0xFFFF, 16))


@operation("s_cmovk_i32")
def _(w, i, gpu):
    if w.scc:
        w.set_scalar(i.operands[0].index, signed(i.operands[1].bits & 0xFFFF, 16))


@operation("s_mov_b64")
def _(w, i, gpu):
    w.set_pair(i.operands[0].index, w.scalar64(i.operands[1]))


@operation("s_addk_i32")
def _(w, i, gpu):
    exact = signed(w.s[i.operands[0].index]) + signed(i.operands[1].bits & 0xFFFF, 16)
    w.set_scalar(i.operands[0].index, exact)
    w.scc = int(not fits_i32(exact))


@operation("s_mulk_i32")
def _(w, i, gpu):
    w.set_scalar(i.operands[0].index, signed(w.s[i.operands[0].index]) * signed(i.operands[1].bits & 0xFFFF, 16))


@operation("s_abs_i32")
def _(w, i, gpu):
    result = abs(signed(w.scalar(i.operands[1])))
    w.set_scalar(i.operands[0].index, result)
    w.scc = int(result != 0)


@operation("s_not_b32")
def _(w, i, gpu):
    result = ~w.scalar(i.operands[1]) & M32
    w.set_scalar(i.operands[0].index, result)
    w.scc = int(result != 0)


@operation("s_not_b64")
def _(w, i, gpu):
    result = ~w.scalar64(i.operands[1]) & M64
    w.set_pair(i.operands[0].index, result)
    w.scc = int(result != 0)


@operation("s_ff1_i32_b32")
def _(w, i, gpu):
    x = w.scalar(i.operands[1])
    w.set_scalar(i.operands[0].index, (x & -x).bit_length() - 1 if x else M32)


@operation("s_sext_i32_i16")
def _(w, i, gpu):
    w.set_scalar(i.operands[0].index, signed(w.scalar(i.operands[1]) & 0xFFFF, 16))


@operation("s_bcnt1_i32_b64")
def _(w, i, gpu):
    result = bin(w.scalar64(i.operands[1])).count("1")
    w.set_scalar(i.operands[0].index, result)
    w.scc = int(result != 0)


def save_exec(name, value):
    def run(w, i, gpu):
        old, source = w.pair(EXEC), w.scalar64(i.operands[1])
        w.set_pair(i.operands[0].index, old)
        result = value(source, old) & M64
        w.set_pair(EXEC, result)
        w.scc = int(result != 0)
    OPERATIONS[name] = run


save_exec("s_and_saveexec_b64", lambda s, e: s & e)
save_exec("s_or_saveexec_b64", lambda s, e: s | e)
save_exec("s_andn2_saveexec_b64", lambda s, e: s & ~e)
save_exec("s_xor_saveexec_b64", lambda s, e: s ^ e)

COMPARES = {"eq": lambda a, b: a == b, "lg": lambda a, b: a != b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
            "lt": lambda a, b: a < b, "le": lambda a, b: a <= b}


def compares():
    for name, test in COMPARES.items():
        def i32(w, i, gpu, test=test):
            w.scc = int(test(signed(w.scalar(i.operands[0])), signed(w.scalar(i.operands[1]))))

        def u32(w, i, gpu, test=test):
            w.scc = int(test(w.scalar(i.operands[0]), w.scalar(i.operands[1])))

        def u64(w, i, gpu, test=test):
            w.scc = int(test(w.scalar64(i.operands[0]), w.scalar64(i.operands[1])))

        def k_i32(w, i, gpu, test=test):
            w.scc = int(test(signed(w.s[i.operands[0].index]), signed(i.operands[1].bits & 0xFFFF, 16)))

        def k_u32(w, i, gpu, test=test):
            w.scc = int(test(w.s[i.operands[0].index], i.operands[1].bits & 0xFFFF))
        OPERATIONS.update({f"s_cmp_{name}_i32": i32, f"s_cmp_{name}_u32": u32, f"s_cmp_{name}_u64": u64,
                           f"s_cmpk_{name}_i32": k_i32, f"s_cmpk_{name}_u32": k_u32})


compares()


@operation("s_bitcmp0_b32", "s_bitcmp1_b32")
def _(w, i, gpu):
    bit = w.scalar(i.operands[0]) >> (w.scalar(i.operands[1]) & 31) & 1
    w.scc = int(bit == int(i.name[8]))


@operation("s_nop", "s_waitcnt", "s_setprio", "s_sleep", "s_setreg_imm32_b32", "s_setreg_b32", "s_icache_inv")
def _(w, i, gpu):
    """Timing and modes: waits matter in `gpu.Launch.deferred` only; rounding modes are not modelled."""


BRANCHES = {
    "s_branch": lambda w: True,
    "s_cbranch_scc0": lambda w: not w.scc, "s_cbranch_scc1": lambda w: w.scc,
    "s_cbranch_vccz": lambda w: not w.pair(VCC), "s_cbranch_vccnz": lambda w: w.pair(VCC),
    "s_cbranch_execz": lambda w: not w.pair(EXEC), "s_cbranch_execnz": lambda w: w.pair(EXEC),
}


def branches():
    for name, taken in BRANCHES.items():
        def run(w, i, gpu, taken=taken):
            if taken(w):
                w.pc = i.target
        OPERATIONS[name] = run


branches()


@operation("s_load_dword", "s_load_dwordx2", "s_load_dwordx4", "s_load_dwordx8", "s_load_dwordx16")
def _(w, i, gpu):
    count = int(i.name.removeprefix("s_load_dword").removeprefix("x") or 1)
    target, base, offset = i.operands
    address = w.pair(base.index) + (offset.bits if offset.kind == "c" else w.scalar(offset))
    words = gpu.memory.read(np.array([address & ~3], U64), 4 * count)[0].view(U32)
    for j in range(count):
        w.set_scalar(target.index + j, int(words[j]))
