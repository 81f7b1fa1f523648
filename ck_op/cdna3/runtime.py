"""The real shared library on a fake HIP runtime: host code, kernel arguments, grid and kernel all run."""
import ctypes
import struct
import subprocess
import traceback
from pathlib import Path

import numpy as np

from . import gpu

HERE = Path(__file__).parent
SONAME = "libamdhip64.so.6"
LAUNCH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p, *[ctypes.c_uint] * 6, ctypes.c_size_t,
                          ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p)
SUCCESS, LAUNCH_FAILURE = 0, 719


class Attention(ctypes.Structure):
    """forebay_attention of hip/include/forebay_hip.h."""
    _fields_ = [(name, ctypes.c_void_p) for name in ("q", "k", "v", "o", "key_bias")] + \
               [(name, ctypes.c_int64) for name in ("batch", "heads", "queries", "keys", "head_dim", "bias_rows",
                                                    "window_left", "window_right")] + \
               [("scale", ctypes.c_float), ("element", ctypes.c_int32)]


def build_fake(folder):
    """Compiles the fake runtime into a folder and loads it, so that its soname is taken from then on."""
    library = Path(folder) / SONAME
    subprocess.run(["cc", "-shared", "-fPIC", f"-Wl,--version-script={HERE / 'fakehip.map'}", f"-Wl,-soname,{SONAME}",
                    "-o", library, HERE / "fakehip.c"], check=True)
    return ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)


def bundled_code_objects(library):
    """gfx942 code objects in a library's offload bundles, by the address-free order in which they lie there."""
    data, found, at = Path(library).read_bytes(), [], 0
    magic = b"__CLANG_OFFLOAD_BUNDLE__"
    while (at := data.find(magic, at)) >= 0:
        entries, = struct.unpack_from("<Q", data, at + len(magic))
        cursor = at + len(magic) + 8
        for _ in range(entries):
            offset, size, length = struct.unpack_from("<QQQ", data, cursor)
            target = data[cursor + 24:cursor + 24 + length].decode()
            cursor += 24 + length
            if target.endswith("gfx942") and size:
                found.append(data[at + offset:at + offset + size])
        at += len(magic)
    return found


class Runtime:
    """Routes launches to the interpreter; `buffers` are the arrays that the device may touch."""

    def __init__(self, fake, programs, adversarial=True):
        self.programs, self.adversarial = programs, adversarial
        self.buffers, self.launches, self.failure = [], [], None
        # Kept: the library calls it later.
        self.callback = LAUNCH(self._launch)
        fake.fakehip_set_launch(self.callback)

    def map_all(self):
        """Lets a kernel touch any memory of the process: for ONNX Runtime's buffers, whose extents nobody tells."""
        self.buffers = None

    def _launch(self, name, binary, gx, gy, gz, bx, by, bz, lds, arguments, stream):
        try:
            name = name.decode()
            program = next(p for p in self.programs if name in p.kernels)
            packed = b""
            explicit = [a for a in program.kernels[name][".args"] if not a[".value_kind"].startswith("hidden")]
            for i, argument in enumerate(explicit):
                packed = packed.ljust(argument[".offset"], b"\0") + ctypes.string_at(arguments[i], argument[".size"])
            device = gpu.GPU(program, self.adversarial)
            if self.buffers is None:
                device.memory = ProcessMemory()
            else:
                for array in self.buffers:
                    device.memory.map(array.ctypes.data, array)
            device.launch(name, (gx, gy, gz), (bx, by, bz), packed, lds)
            self.launches.append((name, (gx, gy, gz), (bx, by, bz), lds, stream))
            return SUCCESS
        except Exception:   # an exception cannot cross the C frames above
            self.failure = traceback.format_exc()
            return LAUNCH_FAILURE


class ProcessMemory(gpu.Memory):
    """Host memory as it is, beside what the interpreter allocates itself."""

    def _host(self, address, size):
        return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))

    def read(self, addresses, size):
        out = np.empty((len(addresses), size), np.uint8)
        for i, address in enumerate(addresses):
            out[i] = self._bytes(int(address), size)
        return out

    def write(self, addresses, rows):
        for address, row in zip(addresses, rows):
            self._bytes(int(address), len(row))[:] = row

    def _bytes(self, address, size):
        for start, end, data in self.ranges:
            if start <= address and address + size <= end:
                return data[address - start:address - start + size]
        return self._host(address, size)
