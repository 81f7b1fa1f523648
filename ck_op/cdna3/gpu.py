"""Launching kernels: workgroups, barriers, and adversarial memory timing.

In adversarial timing the result of a load lands only when an `s_waitcnt` retires it; until then the destination reads as
poison. A missing or too weak wait thus shows in the result, as it may or may not on hardware.
"""
import collections
import re
import struct

import numpy as np

from . import access, matrix, scalar, vector
from .memory import Fault, Memory
from .program import M32, Program, number
from .wave import LANE, LANES, M0, POISON, U32, Wave

OPERATIONS = {**scalar.OPERATIONS, **vector.OPERATIONS, **matrix.OPERATIONS, **access.OPERATIONS}
LDS_POISON = 0xA5
SCALAR_POISON = 0x0BADBAD0
MEMORY_PREFIXES = ("ds_", "s_load_", "buffer_", "global_")
# A workgroup of this many instructions per wave does not end.
LONGEST_RUN = 5_000_000


def load(code_object, disassembly):
    """A program whose instructions are bound to what they do."""
    return Program(code_object, disassembly, OPERATIONS)


class GPU:
    """One device with its memory."""

    def __init__(self, program, adversarial=False):
        self.program, self.adversarial = program, adversarial
        self.memory = Memory()
        self.lds = None
        self.count = collections.Counter()

    def launch(self, name, grid, block, arguments, dynamic_lds=0):
        """Runs a kernel to its end. `arguments` are the explicit kernel arguments in bytes."""
        kernel = self.program.kernels[name]
        descriptor = self.program.symbols[kernel[".symbol"]]
        header = self.program.load(descriptor, 64)
        lds_bytes, = struct.unpack_from("<I", header, 0)
        entry, = struct.unpack_from("<q", header, 16)
        rsrc2, = struct.unpack_from("<I", header, 52)
        properties, preload = struct.unpack_from("<HH", header, 56)
        if preload:
            raise NotImplementedError("kernel argument preload")
        if kernel[".private_segment_fixed_size"] and self._uses_scratch(name):
            raise NotImplementedError("scratch memory")
        user = self._user_registers(properties, self.memory.add(self._arguments(kernel, grid, block, arguments)))
        count = rsrc2 >> 1 & 31
        user += [POISON] * (count - len(user))
        with np.errstate(all="ignore"):
            for z in range(grid[2]):
                for y in range(grid[1]):
                    for x in range(grid[0]):
                        self.lds = np.full(lds_bytes + dynamic_lds, LDS_POISON, np.uint8)
                        self._workgroup(descriptor + entry, (x, y, z), block, user[:count], rsrc2)

    def _uses_scratch(self, name):
        return any(i.name.startswith("scratch_") for i in self.program.code.values())

    @staticmethod
    def _arguments(kernel, grid, block, arguments):
        size = max(kernel[".kernarg_segment_size"], len(arguments))
        data = np.zeros(size, np.uint8)
        data[:len(arguments)] = np.frombuffer(arguments, np.uint8)
        hidden = {}
        for axis, blocks, threads in zip("xyz", grid, block):
            hidden[f"hidden_block_count_{axis}"] = (blocks, 4)
            hidden[f"hidden_group_size_{axis}"] = (threads, 2)
        for argument in kernel[".args"]:
            if argument[".value_kind"] in hidden:
                value, width = hidden[argument[".value_kind"]]
                data[argument[".offset"]:][:width] = np.frombuffer(value.to_bytes(width, "little"), np.uint8)
        return data

    @staticmethod
    def _user_registers(properties, arguments):
        """Scalar registers that the kernel descriptor asks for, in their fixed order."""
        registers = []
        for bit, width in ((1, 4), (2, 2), (4, 2), (8, 2), (16, 2), (32, 2), (64, 1)):
            if properties & bit:
                registers += [arguments & M32, arguments >> 32] if bit == 8 else [0] * width
        return registers

    def _workgroup(self, entry, place, block, user, rsrc2):
        bx, by, bz = block
        threads = bx * by * bz
        waves = []
        for first in range(0, threads, LANES):
            w = Wave(min(LANES, threads - first))
            w.pc = entry
            t = first + LANE
            w.v[0] = (t % bx | t // bx % by << 10 | t // (bx * by) << 20).astype(U32)
            w.s[:len(user)] = user
            index = len(user)
            for bit, value in zip((7, 8, 9), place):
                if rsrc2 >> bit & 1:
                    w.s[index] = value
                    index += 1
            waves.append(w)
        steps = 0
        while not all(w.done for w in waves):
            for w in waves:
                steps += self._to_barrier(w)
            if steps > LONGEST_RUN * len(waves):
                raise Fault("the kernel does not end")

    def _to_barrier(self, w):
        """Runs one wave until a barrier or its end."""
        steps = 0
        while not w.done:
            i = self.program.code.get(w.pc)
            if i is None:
                raise Fault(f"no instruction at {w.pc:#x}")
            w.pc = i.after
            steps += 1
            self.count[i.name] += 1
            if i.name == "s_endpgm":
                w.done = True
            elif i.name == "s_barrier":
                break
            elif i.run is None:
                raise NotImplementedError(i.text)
            elif self.adversarial and (i.name.startswith(MEMORY_PREFIXES) or i.name == "s_waitcnt"):
                self._deferred(w, i)
            else:
                i.run(w, i, self)
            if steps > LONGEST_RUN:
                raise Fault("the wave does not end")
        return steps

    def _deferred(self, w, i):
        if i.name == "s_waitcnt":
            self._wait(w, i)
            return
        queue = w.waiting["vmcnt" if i.name.startswith(("buffer_", "global_")) else "lgkmcnt"]
        if "store" in i.name or "write" in i.name:
            # Sources are read at issue; the write itself is seen at once by the wave's later accesses in order.
            i.run(w, i, self)
            queue.append(("store", None))
        elif "lds" in i.modifiers:
            queue.append(("vector", self._late_lds(w, i)))
        elif i.name.startswith("s_load"):
            queue.append(("scalar", self._late_scalar(w, i)))
        else:
            queue.append(("vector", self._late_vector(w, i)))

    @staticmethod
    def _wait(w, i):
        for counter, limit in re.findall(r"(vmcnt|lgkmcnt)\((\d+)\)", i.text):
            queue = w.waiting[counter]
            # Scalar loads return in any order: with one in flight, only a wait for all of them says anything.
            if int(limit) and any(kind == "scalar" for kind, _ in queue):
                continue
            while len(queue) > int(limit):
                _, land = queue.pop(0)
                if land:
                    land()

    def _late_vector(self, w, i):
        target = i.operands[0]
        registers = w.v if target.kind == "v" else w.a
        rows = slice(target.index, target.index + target.count)
        i.run(w, i, self)
        value, active = registers[rows].copy(), w.active.copy()
        registers[rows, active] = POISON

        def land():
            registers[rows, active] = value[:, active]
        return land

    def _late_scalar(self, w, i):
        target = i.operands[0]
        i.run(w, i, self)
        value = w.s[target.index:target.index + target.count]
        w.s[target.index:target.index + target.count] = [SCALAR_POISON] * target.count

        def land():
            for j, x in enumerate(value):
                w.set_scalar(target.index + j, x)
        return land

    def _late_lds(self, w, i):
        lds = self.lds
        before = lds.copy()
        i.run(w, i, self)
        first = (w.s[M0] & 0xFFFF) + number(i, "offset") + LANE * 4
        where = (first[w.active][:, None] + np.arange(4)).ravel()
        value = lds[where].copy()
        lds[:] = before
        lds[where] = LDS_POISON

        def land():
            lds[where] = value
        return land
