"""A code object and its disassembly as instructions."""
import io
import re

import msgpack
import numpy as np
from elftools.elf.elffile import ELFFile

M32 = 0xFFFFFFFF
M64 = 0xFFFFFFFFFFFFFFFF

# Scalar registers with names, by their number in the encoding.
NAMED = {"vcc": (106, 2), "vcc_lo": (106, 1), "vcc_hi": (107, 1), "m0": (124, 1), "exec": (126, 2), "exec_lo": (126, 1),
         "exec_hi": (127, 1)}
# Instructions whose operands are text.
TEXT_ONLY = {"s_waitcnt", "s_nop", "s_setprio", "s_sleep", "s_endpgm", "s_barrier"}
FLAGS = ("offen", "idxen", "lds", "sc0", "sc1", "nt", "clamp", "bound_ctrl")
VALUES = r"\b(offset\d?|op_sel_hi|op_sel|neg_lo|neg_hi|quad_perm|row_shl|row_shr|row_ror|row_newbcast|row_bcast|" \
         r"row_mask|bank_mask|bound_ctrl|mul|div):(\[[^\]]*\]|\S+)"
BARE = ("row_mirror", "row_half_mirror", "wave_shl", "wave_shr", "wave_rol", "wave_ror")


class Operand:
    """kind 'v', 's' or 'a' with register `index` and `count`; 'c' with `bits`; 'off'; 'text'."""
    __slots__ = ("kind", "index", "count", "bits", "negate", "absolute")

    def __init__(self, text):
        self.index = self.bits = 0
        self.count = 1
        self.negate = self.absolute = False
        if re.match(r"-?\|", text) or re.match(r"-[vsa]", text):
            self.negate = text[0] == "-"
            text = text.lstrip("-")
            self.absolute = text[0] == "|"
            text = text.strip("|")
        if m := re.fullmatch(r"([vsa])(\d+)", text):
            self.kind, self.index = m[1], int(m[2])
        elif m := re.fullmatch(r"([vsa])\[(\d+):(\d+)\]", text):
            self.kind, self.index = m[1], int(m[2])
            self.count = int(m[3]) - self.index + 1
        elif text in NAMED:
            self.kind = "s"
            self.index, self.count = NAMED[text]
        elif text == "off":
            self.kind = "off"
        elif re.fullmatch(r"-?0x[0-9a-f]+|-?\d+", text):
            self.kind, self.bits = "c", int(text, 0) & M64
        elif re.fullmatch(r"-?\d+\.\d+", text):
            self.kind, self.bits = "c", int(np.float32(text).view(np.uint32))
        else:
            self.kind = "text"


class Instruction:
    """One line of disassembly."""
    __slots__ = ("name", "operands", "modifiers", "pc", "after", "target", "text", "run")


class Program:
    """Instructions by address, kernels by name, and the loaded segments."""

    def __init__(self, code_object, disassembly, operations):
        """`code_object` in bytes, `disassembly` in text; `operations` gives a function per mnemonic, or none."""
        elf = ELFFile(io.BytesIO(code_object))
        self.symbols = {s.name: s["st_value"] for s in elf.get_section_by_name(".dynsym").iter_symbols()}
        self.segments = [(s["p_vaddr"], s.data()) for s in elf.iter_segments() if s["p_type"] == "PT_LOAD"]
        self.kernels, self.target = {}, None
        for segment in elf.iter_segments():
            if segment["p_type"] != "PT_NOTE":
                continue
            for note in segment.iter_notes():
                raw = note["n_desc"] if isinstance(note["n_desc"], bytes) else note["n_descdata"]
                meta = msgpack.unpackb(raw, raw=False, strict_map_key=False)
                self.target = meta["amdhsa.target"]
                self.kernels.update({k[".name"]: k for k in meta["amdhsa.kernels"]})
        self.code = {}
        self._parse(disassembly, operations)

    def load(self, address, size):
        """Bytes of the loaded image."""
        for start, data in self.segments:
            if start <= address and address + size <= start + len(data):
                return data[address - start:address - start + size]
        raise ValueError(f"{address:#x} is not loaded")

    def _parse(self, disassembly, operations):
        line_form = re.compile(
            r"^\s+(\S+)\s*(.*?)\s*// ([0-9A-F]+): ([0-9A-F ]+?)(?: <(.+?)(?:\+0x([0-9a-f]+))?>)?\s*$")
        bases, jumps = {}, []
        for line in disassembly.splitlines():
            if header := re.match(r"^([0-9a-f]{8,}) <(.+)>:", line):
                bases[header[2]] = int(header[1], 16)
                continue
            m = line_form.match(line)
            if not m:
                continue
            it = Instruction()
            it.name, it.pc, it.text = m[1], int(m[3], 16), f"{m[1]} {m[2]}"
            words = [int(word, 16) for word in m[4].split()]
            it.after = it.pc + 4 * len(words)
            # The text is what runs; these are the bytes that would run on the GPU.
            if self.load(it.pc, 4 * len(words)) != b"".join(word.to_bytes(4, "little") for word in words):
                raise ValueError(f"the disassembly is not of this code object at {it.pc:#x}: {line.strip()}")
            it.target = None
            if m[5] and it.name.startswith(("s_branch", "s_cbranch")):
                jumps.append((it, m[5], int(m[6] or "0", 16)))
            it.modifiers, it.operands = self._operands(it.name, m[2])
            it.run = operations.get(it.name)
            self.code[it.pc] = it
        for it, symbol, offset in jumps:
            it.target = bases[symbol] + offset

    @staticmethod
    def _operands(name, text):
        modifiers = {}
        if name in TEXT_ONLY:
            return modifiers, []

        def take(match):
            modifiers[match[1]] = match[2]
            return ""

        text = re.sub(VALUES, take, text)
        for flag in FLAGS + BARE:
            text, found = re.subn(rf"(?<!\w){flag}(?![\w\[])", "", text)
            if found:
                modifiers[flag] = "1"
        text = re.sub(r"hwreg\([^)]*\)", "hwreg", text)
        return modifiers, [Operand(part) for part in re.split(r"[,\s]+", text) if part]


def number(instruction, modifier, default=0):
    """A numeric modifier of an instruction."""
    return int(instruction.modifiers.get(modifier, default), 0) if modifier in instruction.modifiers else default


def numbers(instruction, modifier, default):
    """A list modifier such as op_sel:[0,1]."""
    text = instruction.modifiers.get(modifier)
    return [int(x, 0) for x in text.strip("[]").split(",")] if text else default
