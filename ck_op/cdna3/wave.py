"""A wave: 64 lanes, their registers, and how operands are read and written."""
import numpy as np

from .program import M32

U16, U32, I32, U64, I64 = np.uint16, np.uint32, np.int32, np.uint64, np.int64
F16, F32, F64 = np.float16, np.float32, np.float64
LANES = 64
LANE = np.arange(LANES)
VCC, M0, EXEC = 106, 124, 126
# What registers hold before anything is written: a NaN as a float, a wild address as a pointer.
POISON = 0x7FC0DEAD


def lanes_of(mask):
    """A 64-bit mask as 64 bools."""
    return np.unpackbits(np.frombuffer(mask.to_bytes(8, "little"), np.uint8), bitorder="little").view(bool)


def mask_of(lanes):
    """64 bools as a mask."""
    return int.from_bytes(np.packbits(lanes, bitorder="little").tobytes(), "little")


class Wave:
    """Registers and program counter of one wave."""

    def __init__(self, active):
        self.v = np.full((256, LANES), POISON, U32)
        self.a = np.full((256, LANES), POISON, U32)
        self.s = [POISON] * 128
        self.scc = 0
        self.pc = 0
        self.done = False
        self.waiting = {"vmcnt": [], "lgkmcnt": []}
        self.active = None
        self.set_pair(VCC, 0)
        self.set_pair(EXEC, (1 << active) - 1)

    # Scalar registers. Writing exec refreshes the lanes that vector instructions act on.
    def set_scalar(self, index, value):
        self.s[index] = value & M32
        if index in (EXEC, EXEC + 1):
            self.active = lanes_of(self.pair(EXEC))

    def pair(self, index):
        return self.s[index] | self.s[index + 1] << 32

    def set_pair(self, index, value):
        self.s[index] = value & M32
        self.s[index + 1] = value >> 32 & M32
        if index == EXEC:
            self.active = lanes_of(self.pair(EXEC))

    def scalar(self, operand):
        return self.s[operand.index] if operand.kind == "s" else operand.bits & M32

    def scalar64(self, operand):
        """A pair; a single register is widened with zeros, a constant is sign-extended already."""
        if operand.kind != "s":
            return operand.bits
        return self.pair(operand.index) if operand.count >= 2 else self.s[operand.index]

    # Vector operands, as 64 lanes.
    def bits(self, operand, word=0):
        """Word `word` of the operand, uint32."""
        if operand.kind == "v":
            return self.v[operand.index + word]
        if operand.kind == "a":
            return self.a[operand.index + word]
        if operand.kind == "s":
            return np.full(LANES, self.s[operand.index + word], U32)
        return np.full(LANES, operand.bits >> 32 * word & M32, U32)

    def float(self, operand):
        x = self.bits(operand).view(F32)
        if operand.absolute:
            x = np.abs(x)
        return -x if operand.negate else x

    def int(self, operand):
        return self.bits(operand).view(I32)

    def bits64(self, operand):
        return self.bits(operand).astype(U64) | self.bits(operand, 1).astype(U64) << U64(32)

    def put(self, operand, values, word=0):
        """Writes the active lanes."""
        registers = self.v if operand.kind == "v" else self.a
        if values.dtype != U32:
            values = values.view(U32) if values.dtype.itemsize == 4 else values.astype(U32)
        row = registers[operand.index + word]
        row[self.active] = values[self.active]

    def put64(self, operand, values):
        self.put(operand, (values & U64(M32)).astype(U32))
        self.put(operand, (values >> U64(32)).astype(U32), 1)
