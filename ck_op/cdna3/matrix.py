"""Matrix instructions: D = A B + C over the whole wave.

For `v_mfma_f32_MxMxK`, with g = 64 / M groups of lanes and K / g values per lane:
A: lane l holds row l % M, depths (l / M) * (K / g) onwards. B: the same for columns.
C, D: register r of lane l holds row (r / 4) * 4g + (l / M) * 4 + r % 4 of column l % M.
"""
import re

import numpy as np

from .memory import Fault
from .program import M64
from .wave import EXEC, F16, F32, F64, LANE, U16, U32

OPERATIONS = {}


def fragment(w, operand, kind, count):
    """`count` 16-bit values of each lane as fp32 [64, count]."""
    words = np.stack([w.bits(operand, word) for word in range(count // 2)], 1).copy()
    if kind == "f16":
        return words.view(F16).astype(F32)
    return (words.view(U16).astype(U32) << U32(16)).view(F32)


def row_of(register, lane, side):
    groups = 64 // side
    return register // 4 * 4 * groups + lane // side * 4 + register % 4


def mfma(w, i, gpu):
    m = re.match(r"v_mfma_f32_(\d+)x\d+x(\d+)_(b?f16)", i.name)
    side, depth, kind = int(m[1]), int(m[2]), m[3]
    groups = 64 // side
    per_lane = depth // groups
    if w.pair(EXEC) != M64:
        raise Fault("MFMA with lanes switched off")
    if i.modifiers:
        raise NotImplementedError(i.text)
    d, a, b, c = i.operands[:4]
    if any(o.kind == "c" and o.bits for o in i.operands[4:]):
        raise NotImplementedError(i.text)

    def matrix(operand):
        x = fragment(w, operand, kind, per_lane).reshape(groups, side, per_lane)
        return x.transpose(1, 0, 2).reshape(side, depth).astype(F64)

    product = matrix(a) @ matrix(b).T
    results = []
    for register in range(side * side // 64):
        added = w.bits(c, register).view(F32) if c.kind in "va" else w.float(c)
        part = product[row_of(register, LANE, side), LANE % side]
        results.append((part + added.astype(F64)).astype(F32))
    for register, result in enumerate(results):
        w.put(d, result, register)


for shape in ("32x32x8", "16x16x16"):
    for kind in ("f16", "bf16"):
        OPERATIONS[f"v_mfma_f32_{shape}_{kind}"] = mfma
