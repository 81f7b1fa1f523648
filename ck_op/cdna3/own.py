"""The hand-written kernels of ../hip/kernels/own.hip, in the interpreter."""
import gzip
import hashlib
import struct
from pathlib import Path

import numpy as np

from . import gpu
from .reference import from_bf16, to_bf16

DATA = Path(__file__).parent / "data"
ROWS_PER_GROUP = 128
OPEN = 1 << 28


def committed():
    """The committed code object and its disassembly; both must have the sums that lie beside them."""
    sums = dict(reversed(line.split()) for line in (DATA / "SHA256SUMS").read_text().splitlines())
    files = {name: (DATA / name).read_bytes() for name in ("own.co", "own.dis.gz")}
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != sums[name]:
            raise ValueError(f"{name} is not the file that SHA256SUMS was made for")
    return files["own.co"], gzip.decompress(files["own.dis.gz"]).decode()


def to_bits(x, kind):
    return x.astype(np.float16).view(np.uint16) if kind == "f16" else to_bf16(x)


def from_bits(bits, kind):
    return bits.view(np.float16).astype(np.float32) if kind == "f16" else from_bf16(bits)


def attention(program, kind, q, k, v, scale, left=-1, right=-1, bias=None, adversarial=False):
    """Runs one call on 16-bit patterns [batch, heads, positions, head_dim]; returns the output's and the device."""
    batch, heads, queries, head_dim = q.shape
    keys = k.shape[2]
    out = np.full(q.shape, 0x7FFF, np.uint16)   # NaN in both formats
    device = gpu.GPU(program, adversarial)
    addresses = [device.memory.add(x) for x in (q, k, v, out)]
    addresses.append(0 if bias is None else device.memory.add(bias))
    stride = keys if bias is not None and len(bias) > 1 else 0
    window = [OPEN if side < 0 else side for side in (left, right)]
    arguments = struct.pack("<QQQQQiiiiiif", *addresses, heads, queries, keys, stride, *window, scale * np.log2(np.e))
    grid = (-(-queries // ROWS_PER_GROUP), heads, batch)
    device.launch(f"forebay_fmha_{kind}_d{head_dim}", grid, (256, 1, 1), arguments)
    return out, device
