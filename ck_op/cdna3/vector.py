"""Vector instructions on registers: integers, floats, conversions, compares, lane crossing."""
import numpy as np

from .program import M32, M64, number, numbers
from .wave import EXEC, F16, F32, F64, I32, I64, LANE, LANES, U16, U32, U64, VCC, lanes_of, mask_of

OPERATIONS = {}


def encodings(name):
    return [name, name + "_e32", name + "_e64", name + "_dpp", name + "_sdwa"]


def operation(*names):
    def add(function):
        for name in names:
            for form in encodings(name):
                OPERATIONS[form] = function
        return function
    return add


def plain(i):
    """Output modifiers are not modelled: better to stop than to be wrong."""
    if any(key in i.modifiers for key in ("clamp", "mul", "div")) or i.name.endswith("_sdwa"):
        raise NotImplementedError(i.text)


def crossed(w, i, values):
    """DPP: the first source comes from another lane. Returns it and the lanes that are written."""
    row, inside = LANE // 16 * 16, LANE % 16
    valid = np.ones(LANES, bool)
    m = i.modifiers
    if "quad_perm" in m:
        source = LANE // 4 * 4 + np.array(numbers(i, "quad_perm", None))[LANE % 4]
    elif "row_shl" in m:
        source, valid = LANE + number(i, "row_shl"), inside + number(i, "row_shl") < 16
    elif "row_shr" in m:
        source, valid = LANE - number(i, "row_shr"), inside - number(i, "row_shr") >= 0
    elif "row_ror" in m:
        source = row + (inside - number(i, "row_ror")) % 16
    elif "row_mirror" in m:
        source = row + 15 - inside
    elif "row_half_mirror" in m:
        source = LANE // 8 * 8 + 7 - LANE % 8
    elif "row_newbcast" in m:
        source = row + number(i, "row_newbcast")
    elif "row_bcast" in m:
        distance = number(i, "row_bcast")
        if distance == 15:
            source, valid = np.maximum(row - 1, 0), LANE >= 16
        else:
            source, valid = np.full(LANES, 31), LANE >= 32
    else:
        raise NotImplementedError(i.text)
    source = np.clip(source, 0, LANES - 1)
    valid = valid & w.active[source]
    rows = number(i, "row_mask", 15) >> LANE // 16 & 1
    banks = number(i, "bank_mask", 15) >> LANE % 16 // 4 & 1
    written = (rows & banks).astype(bool)
    # bound_ctrl:0 in the text means that invalid lanes read 0; without it they are not written.
    if "bound_ctrl" in m:
        return np.where(valid, values[source], U32(0)), written
    return values[source], written & valid


def elementwise(name, function, read="bits"):
    def run(w, i, gpu):
        plain(i)
        sources = [getattr(w, read)(operand) for operand in i.operands[1:]]
        if not i.name.endswith("_dpp"):
            w.put(i.operands[0], function(*sources))
            return
        first = i.operands[1]
        moved, written = crossed(w, i, w.bits(first))
        moved = moved.view(sources[0].dtype)
        if first.absolute or first.negate:
            raise NotImplementedError(i.text)
        all_active = w.active
        w.active = all_active & written
        w.put(i.operands[0], function(moved, *sources[1:]))
        w.active = all_active
    for form in encodings(name):
        OPERATIONS[form] = run


def by(shift, bits=31):
    return shift & U32(bits)


def low24(x):
    return x & U32(0xFFFFFF)


def signed24(x):
    return ((x << U32(8)).view(I32) >> 8).astype(I64)


def field(a, offset, width):
    ones = (U64(1) << (width & U32(31)).astype(U64)) - U64(1)
    return a >> by(offset) & ones.astype(U32)


def signed_field(a, offset, width):
    width = (width & U32(31)).astype(I64)
    x = field(a, offset, width.astype(U32)).astype(I64)
    top = x >> np.maximum(width - 1, 0) & 1
    return np.where((width > 0) & (top == 1), x - (I64(1) << width), x).astype(I32)


def permute_bytes(a, b, selector):
    both = a.astype(U64) << U64(32) | b.astype(U64)
    result = np.zeros(LANES, U32)
    for k in range(4):
        c = selector >> U32(8 * k) & U32(255)
        if not ((c <= 7) | (c == 12)).all():
            raise NotImplementedError("v_perm_b32 with sign or constant selectors")
        byte = (both >> (U64(8) * (c & U32(7)).astype(U64)) & U64(255)).astype(U32)
        result |= np.where(c == 12, U32(0), byte) << U32(8 * k)
    return result


def fma(a, b, c):
    """Exact to well within fp32: the product of two fp32 is exact in fp64."""
    return (a.astype(F64) * b.astype(F64) + c.astype(F64)).astype(F32)


INTEGER = {
    "v_mov_b32": lambda a: a, "v_not_b32": lambda a: ~a,
    "v_add_u32": lambda a, b: a + b, "v_sub_u32": lambda a, b: a - b, "v_subrev_u32": lambda a, b: b - a,
    "v_and_b32": lambda a, b: a & b, "v_or_b32": lambda a, b: a | b, "v_xor_b32": lambda a, b: a ^ b,
    "v_lshlrev_b32": lambda a, b: b << by(a), "v_lshrrev_b32": lambda a, b: b >> by(a),
    "v_min_u32": np.minimum, "v_max_u32": np.maximum,
    "v_mul_lo_u32": lambda a, b: a * b,
    "v_mul_hi_u32": lambda a, b: (a.astype(U64) * b.astype(U64) >> U64(32)).astype(U32),
    "v_mul_u32_u24": lambda a, b: low24(a) * low24(b),
    "v_mul_i32_i24": lambda a, b: (signed24(a) * signed24(b)).astype(I32).view(U32),
    "v_lshl_add_u32": lambda a, b, c: (a << by(b)) + c, "v_add_lshl_u32": lambda a, b, c: a + b << by(c),
    "v_lshl_or_b32": lambda a, b, c: a << by(b) | c, "v_and_or_b32": lambda a, b, c: a & b | c,
    "v_or3_b32": lambda a, b, c: a | b | c, "v_add3_u32": lambda a, b, c: a + b + c,
    "v_xad_u32": lambda a, b, c: (a ^ b) + c, "v_bfi_b32": lambda a, b, c: a & b | ~a & c,
    "v_mad_u32_u24": lambda a, b, c: low24(a) * low24(b) + c,
    "v_mad_i32_i24": lambda a, b, c: (signed24(a) * signed24(b) + c.view(I32)).astype(I32).view(U32),
    "v_bfe_u32": field, "v_bfe_i32": signed_field, "v_perm_b32": permute_bytes,
    "v_alignbit_b32": lambda a, b, c: ((a.astype(U64) << U64(32) | b.astype(U64)) >> by(c).astype(U64)).astype(U32),
    "v_pack_b32_f16": lambda a, b: a & U32(0xFFFF) | b << U32(16),
}
for name, function in INTEGER.items():
    elementwise(name, function)
SIGNED = {"v_ashrrev_i32": lambda a, b: b >> (a & I32(31)), "v_min_i32": np.minimum, "v_max_i32": np.maximum,
          "v_med3_i32": lambda a, b, c: np.sort(np.stack([a, b, c]), 0)[1]}
for name, function in SIGNED.items():
    elementwise(name, function, "int")
FLOAT = {
    "v_add_f32": lambda a, b: a + b, "v_sub_f32": lambda a, b: a - b, "v_subrev_f32": lambda a, b: b - a,
    "v_mul_f32": lambda a, b: a * b, "v_max_f32": np.fmax, "v_min_f32": np.fmin,
    "v_max3_f32": lambda a, b, c: np.fmax(np.fmax(a, b), c), "v_min3_f32": lambda a, b, c: np.fmin(np.fmin(a, b), c),
    "v_fma_f32": fma,
    "v_rcp_f32": lambda a: F32(1) / a, "v_rcp_iflag_f32": lambda a: F32(1) / a,
    "v_exp_f32": lambda a: np.exp2(a.astype(F64)).astype(F32), "v_log_f32": lambda a: np.log2(a.astype(F64)).astype(F32),
    "v_sqrt_f32": np.sqrt, "v_trunc_f32": np.trunc, "v_floor_f32": np.floor, "v_rndne_f32": np.rint,
}
for name, function in FLOAT.items():
    elementwise(name, function, "float")


@operation("v_fmac_f32")
def _(w, i, gpu):
    plain(i)
    d, a, b = i.operands
    w.put(d, fma(w.float(a), w.float(b), w.float(d)))


@operation("v_ldexp_f32")
def _(w, i, gpu):
    plain(i)
    w.put(i.operands[0], np.ldexp(w.float(i.operands[1]), w.int(i.operands[2])).astype(F32))


@operation("v_cvt_f32_u32")
def _(w, i, gpu):
    w.put(i.operands[0], w.bits(i.operands[1]).astype(F32))


@operation("v_cvt_f32_i32")
def _(w, i, gpu):
    w.put(i.operands[0], w.int(i.operands[1]).astype(F32))


@operation("v_cvt_u32_f32")
def _(w, i, gpu):
    x = np.nan_to_num(np.trunc(w.float(i.operands[1]).astype(F64)))
    w.put(i.operands[0], np.clip(x, 0, M32).astype(U64).astype(U32))


def half_bits(x):
    return x.astype(F16).view(U16).astype(U32)


def half_bits_toward_zero(x):
    rounded = x.astype(F16)
    bits = rounded.view(U16).copy()
    bits[np.abs(rounded.astype(F32)) > np.abs(x)] -= 1
    return bits.astype(U32)


@operation("v_cvt_f16_f32")
def _(w, i, gpu):
    plain(i)
    w.put(i.operands[0], half_bits(w.float(i.operands[1])))


@operation("v_cvt_f32_f16")
def _(w, i, gpu):
    plain(i)
    source = i.operands[1]
    x = (w.bits(source) & U32(0xFFFF)).astype(U16).view(F16).astype(F32)
    if source.absolute:
        x = np.abs(x)
    w.put(i.operands[0], -x if source.negate else x)


@operation("v_cvt_pkrtz_f16_f32")
def _(w, i, gpu):
    low, high = (half_bits_toward_zero(w.float(o)) for o in i.operands[1:])
    w.put(i.operands[0], low | high << U32(16))


@operation("v_fma_mixlo_f16", "v_fma_mixhi_f16")
def _(w, i, gpu):
    if numbers(i, "op_sel_hi", [0, 0, 0]) != [0, 0, 0] or "op_sel" in i.modifiers:
        raise NotImplementedError(i.text)
    result, old = half_bits(fma(*[w.float(o) for o in i.operands[1:]])), w.bits(i.operands[0])
    if "mixlo" in i.name:
        w.put(i.operands[0], old & U32(0xFFFF0000) | result)
    else:
        w.put(i.operands[0], old & U32(0xFFFF) | result << U32(16))


PACKED = {"v_pk_mul_f32": lambda a, b: a * b, "v_pk_add_f32": lambda a, b: a + b, "v_pk_fma_f32": fma}


@operation(*PACKED)
def _(w, i, gpu):
    """Two fp32 operations on register pairs; op_sel picks the word of each source for either."""
    plain(i)
    if "neg_lo" in i.modifiers or "neg_hi" in i.modifiers:
        raise NotImplementedError(i.text)
    count = len(i.operands) - 1

    def sources(words):
        return [w.bits(o, word if o.kind != "c" else 0).view(F32).copy() for o, word in zip(i.operands[1:], words)]

    function = PACKED[i.name]
    low = function(*sources(numbers(i, "op_sel", [0] * count)))
    high = function(*sources(numbers(i, "op_sel_hi", [1] * count)))
    w.put(i.operands[0], low)
    w.put(i.operands[0], high, 1)


@operation("v_pk_mov_b32")
def _(w, i, gpu):
    low = w.bits(i.operands[1], numbers(i, "op_sel", [0, 0])[0]).copy()
    high = w.bits(i.operands[2], numbers(i, "op_sel", [0, 1])[1] if "op_sel" in i.modifiers else 0).copy()
    w.put(i.operands[0], low)
    w.put(i.operands[0], high, 1)


def wide(w, operand):
    return w.bits64(operand) if operand.kind != "c" else np.full(LANES, operand.bits & M64, U64)


@operation("v_mov_b64")
def _(w, i, gpu):
    w.put64(i.operands[0], wide(w, i.operands[1]))


@operation("v_lshl_add_u64")
def _(w, i, gpu):
    shift = (w.bits(i.operands[2]) & U32(7)).astype(U64)
    w.put64(i.operands[0], (wide(w, i.operands[1]) << shift) + wide(w, i.operands[3]))


@operation("v_lshlrev_b64")
def _(w, i, gpu):
    w.put64(i.operands[0], wide(w, i.operands[2]) << (w.bits(i.operands[1]) & U32(63)).astype(U64))


@operation("v_lshrrev_b64")
def _(w, i, gpu):
    w.put64(i.operands[0], wide(w, i.operands[2]) >> (w.bits(i.operands[1]) & U32(63)).astype(U64))


@operation("v_ashrrev_i64")
def _(w, i, gpu):
    shifted = wide(w, i.operands[2]).view(I64) >> (w.bits(i.operands[1]) & U32(63)).astype(I64)
    w.put64(i.operands[0], shifted.view(U64))


@operation("v_mad_u64_u32")
def _(w, i, gpu):
    """The carry-out (operand 1) is not used by any kernel here and is left alone."""
    product = w.bits(i.operands[2]).astype(U64) * w.bits(i.operands[3]).astype(U64)
    w.put64(i.operands[0], product + wide(w, i.operands[4]))


@operation("v_mad_i64_i32")
def _(w, i, gpu):
    product = w.int(i.operands[2]).astype(I64) * w.int(i.operands[3]).astype(I64)
    w.put64(i.operands[0], product.view(U64) + wide(w, i.operands[4]))


def carrying(name, value):
    """d, carry = a + b (+ carry-in), per lane; the carry goes to a scalar pair."""
    def run(w, i, gpu):
        d, carry_out, a, b = i.operands[:4]
        carry_in = lanes_of(w.pair(i.operands[4].index)) if len(i.operands) > 4 else np.zeros(LANES, bool)
        exact = value(w.bits(a).astype(I64), w.bits(b).astype(I64), carry_in.astype(I64))
        w.put(d, (exact & M32).astype(U32))
        w.set_pair(carry_out.index, mask_of(((exact < 0) | (exact > M32)) & w.active))
    for form in encodings(name):
        OPERATIONS[form] = run


carrying("v_add_co_u32", lambda a, b, c: a + b)
carrying("v_addc_co_u32", lambda a, b, c: a + b + c)
carrying("v_sub_co_u32", lambda a, b, c: a - b)
carrying("v_subb_co_u32", lambda a, b, c: a - b - c)


@operation("v_cndmask_b32")
def _(w, i, gpu):
    condition = lanes_of(w.pair(i.operands[3].index if len(i.operands) > 3 else VCC))
    d, a, b = i.operands[:3]
    if a.negate or a.absolute or b.negate or b.absolute:
        w.put(d, np.where(condition, w.float(b), w.float(a)))
    else:
        w.put(d, np.where(condition, w.bits(b), w.bits(a)))


UNORDERED = lambda a, b: np.isnan(a) | np.isnan(b)
COMPARES = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lg": lambda a, b: (a < b) | (a > b),
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "neq": lambda a, b: ~(a == b), "nlg": lambda a, b: ~((a < b) | (a > b)), "nge": lambda a, b: ~(a >= b),
    "ngt": lambda a, b: ~(a > b), "nlt": lambda a, b: ~(a < b), "nle": lambda a, b: ~(a <= b),
    "u": UNORDERED, "o": lambda a, b: ~UNORDERED(a, b),
}


def compares():
    for kind, read in (("i32", "int"), ("u32", "bits"), ("f32", "float"), ("u64", None), ("i64", None)):
        for name, test in COMPARES.items():
            def run(w, i, gpu, test=test, kind=kind, read=read):
                d, a, b = i.operands
                if read:
                    x, y = getattr(w, read)(a), getattr(w, read)(b)
                else:
                    x, y = wide(w, a), wide(w, b)
                    if kind == "i64":
                        x, y = x.view(I64), y.view(I64)
                result = mask_of(test(x, y) & w.active)
                w.set_pair(d.index, result)
                if "cmpx" in i.name:
                    w.set_pair(EXEC, result)
            for prefix in ("v_cmp_", "v_cmpx_"):
                for form in encodings(f"{prefix}{name}_{kind}"):
                    OPERATIONS[form] = run


compares()


@operation("v_cmp_class_f32")
def _(w, i, gpu):
    """Bits of the class mask: NaN 0-1, -inf 2, -normal 3, -subnormal 4, -0 5, +0 6, +subnormal 7, +normal 8, +inf 9."""
    x, wanted = w.float(i.operands[1]), w.bits(i.operands[2])
    tiny, negative = np.abs(x) < np.finfo(F32).tiny, np.signbit(x)
    kind = np.select([np.isnan(x), np.isinf(x), x == 0, tiny], [1, np.where(negative, 2, 9), np.where(negative, 5, 6),
                     np.where(negative, 4, 7)], np.where(negative, 3, 8))
    hit = (wanted >> kind.astype(U32) & U32(1)).astype(bool)
    w.set_pair(i.operands[0].index, mask_of(hit & w.active))


@operation("v_readfirstlane_b32")
def _(w, i, gpu):
    active = np.nonzero(w.active)[0]
    w.set_scalar(i.operands[0].index, int(w.bits(i.operands[1])[active[0] if len(active) else 0]))


@operation("v_readlane_b32")
def _(w, i, gpu):
    w.set_scalar(i.operands[0].index, int(w.v[i.operands[1].index, w.scalar(i.operands[2]) & 63]))


@operation("v_writelane_b32")
def _(w, i, gpu):
    w.v[i.operands[0].index, w.scalar(i.operands[2]) & 63] = w.scalar(i.operands[1])


@operation("v_mbcnt_lo_u32_b32", "v_mbcnt_hi_u32_b32")
def _(w, i, gpu):
    mask = w.bits(i.operands[1])
    below = np.clip(LANE if "lo" in i.name else LANE - 32, 0, 32)
    ones = np.array([bin(int(m) & (1 << int(n)) - 1).count("1") for m, n in zip(mask, below)], U32)
    w.put(i.operands[0], ones + w.bits(i.operands[2]))


@operation("v_div_scale_f32")
def _(w, i, gpu):
    """Right for operands of ordinary size; `v_div_fixup_f32` checks the whole sequence against a division."""
    w.put(i.operands[0], w.float(i.operands[2]).copy())
    w.set_pair(i.operands[1].index, 0)


@operation("v_div_fmas_f32")
def _(w, i, gpu):
    w.put(i.operands[0], fma(*[w.float(o) for o in i.operands[1:]]))


@operation("v_div_fixup_f32")
def _(w, i, gpu):
    quotient, divisor, dividend = (w.float(o) for o in i.operands[1:])
    exact = dividend / divisor
    ordinary = w.active & np.isfinite(exact) & (np.abs(divisor) > 1e-30) & (np.abs(divisor) < 1e30)
    error = np.abs(quotient[ordinary] - exact[ordinary])
    if not (error <= 4e-7 * np.abs(exact[ordinary]) + 1e-38).all():
        raise NotImplementedError("a division outside the range that v_div_scale_f32 models")
    w.put(i.operands[0], np.where(ordinary, quotient, exact).astype(F32))


@operation("v_accvgpr_write_b32", "v_accvgpr_read_b32", "v_accvgpr_mov_b32")
def _(w, i, gpu):
    w.put(i.operands[0], w.bits(i.operands[1]).copy())


@operation("v_nop")
def _(w, i, gpu):
    pass


@operation("v_swap_b32")
def _(w, i, gpu):
    a, b = i.operands
    first, second = w.bits(a).copy(), w.bits(b).copy()
    w.put(a, second)
    w.put(b, first)
