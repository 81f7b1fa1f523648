"""Vector memory: buffers, global memory, LDS, and lane exchange through LDS hardware."""
import numpy as np

from .memory import Fault
from .program import number
from .wave import I32, I64, LANE, LANES, M0, U32, U64

OPERATIONS = {}
# Bytes per lane.
SIZES = {"ubyte": 1, "sbyte": 1, "byte": 1, "ushort": 2, "short": 2, "dword": 4, "dwordx2": 8, "dwordx3": 12, "dwordx4": 16}


def stored_bytes(w, operand, size):
    """What a store writes: uint8 [64, size]."""
    words = np.stack([w.bits(operand, word) for word in range(max(1, size // 4))], 1).copy()
    return words.view(np.uint8).reshape(LANES, -1)[:, :size]


def loaded_words(raw, size):
    """What a load puts into registers, zero-extended: uint32 [lanes, words]."""
    if size < 4:
        raw = np.concatenate([raw, np.zeros((len(raw), 4 - size), np.uint8)], 1)
    return np.frombuffer(raw.tobytes(), U32).reshape(len(raw), -1)


def into_registers(w, operand, lanes, words):
    full = np.zeros((LANES, words.shape[1]), U32)
    full[lanes] = words
    for word in range(words.shape[1]):
        w.put(operand, full[:, word], word)


def buffer(w, i, gpu):
    """Raw buffers (stride 0): the range check is on the offset, out of range reads 0 and writes nothing."""
    size = SIZES[i.name.split("_")[-1]]
    to_lds = "lds" in i.modifiers
    data, rest = (None, i.operands) if to_lds else (i.operands[0], i.operands[1:])
    offset = np.full(LANES, number(i, "offset"), I64)
    if "offen" in i.modifiers:
        offset = offset + w.bits(rest[0]).astype(I64)
        rest = rest[1:]
    elif rest[0].kind == "off":
        rest = rest[1:]
    resource, scalar_offset = rest[0], w.scalar(rest[1])
    if w.s[resource.index + 1] >> 16 & 0x3FFF:
        raise NotImplementedError("a buffer with a stride")
    base, records = w.pair(resource.index) & (1 << 48) - 1, w.s[resource.index + 2]
    inside = w.active & (offset + size <= records)
    addresses = base + scalar_offset + offset
    if "store" in i.name:
        gpu.memory.write(addresses[inside], stored_bytes(w, data, size)[inside])
        return
    words = np.zeros((LANES, max(1, size // 4)), U32)
    if inside.any():
        words[inside] = loaded_words(gpu.memory.read(addresses[inside], size), size)
    if to_lds:
        where = (w.s[M0] & 0xFFFF) + number(i, "offset") + LANE * 4
        if (where[w.active] + 4 > len(gpu.lds)).any():
            raise Fault("load into LDS past its end")
        gpu.lds.view(U32)[where[w.active] // 4] = words[w.active, 0]
        return
    for word in range(words.shape[1]):
        w.put(data, words[:, word], word)


for name in SIZES:
    OPERATIONS["buffer_load_" + name] = OPERATIONS["buffer_store_" + name] = buffer


def global_addresses(w, address, base, i):
    offset = number(i, "offset")
    if base.kind == "off":
        lanes = w.bits64(address).view(I64)
    else:
        lanes = w.int(address).astype(I64) + I64(w.pair(base.index))
    return lanes + I64(offset)


def global_access(w, i, gpu):
    high_half = i.name.endswith("_d16_hi")
    kind = i.name.removesuffix("_d16_hi").removesuffix("_d16").split("_")[-1]
    if "_d16" in i.name and not high_half:
        raise NotImplementedError(i.text)
    size = SIZES[kind]
    store = "store" in i.name
    address, data = (i.operands[0], i.operands[1]) if store else (i.operands[1], i.operands[0])
    active = w.active
    if not active.any():
        return
    addresses = global_addresses(w, address, i.operands[2], i)[active]
    if store:
        rows = stored_bytes(w, data, 4 if high_half else size)[active]
        gpu.memory.write(addresses, rows[:, 2:2 + size] if high_half else rows)
        return
    if high_half or kind == "sbyte":
        raise NotImplementedError(i.text)
    into_registers(w, data, active, loaded_words(gpu.memory.read(addresses, size), size))


for name in SIZES:
    for end in ("", "_d16_hi"):
        OPERATIONS[f"global_load_{name}{end}"] = OPERATIONS[f"global_store_{name}{end}"] = global_access


def lds_offsets(w, operand, gpu, offset, size):
    addresses = w.bits(operand).astype(I64) + offset
    if ((addresses + size > len(gpu.lds)) & w.active).any():
        raise Fault(f"LDS access past its {len(gpu.lds)} bytes")
    return addresses[w.active][:, None] + np.arange(size)


def lds_shape(i):
    """Element size and the offsets of an LDS instruction's one or two elements."""
    name = i.name.removesuffix("_d16_hi")
    size = int(name.split("_")[-1][1:]) // 8
    if "2" not in name.split("_")[1]:
        return size, [number(i, "offset")]
    unit = size * (64 if "st64" in name else 1)
    return size, [number(i, "offset0") * unit, number(i, "offset1") * unit]


def lds_read(w, i, gpu):
    size, offsets = lds_shape(i)
    parts = [loaded_words(gpu.lds[lds_offsets(w, i.operands[1], gpu, offset, size)], size) for offset in offsets]
    into_registers(w, i.operands[0], w.active, np.concatenate(parts, 1))


def lds_write(w, i, gpu):
    size, offsets = lds_shape(i)
    high_half = i.name.endswith("_d16_hi")
    for k, offset in enumerate(offsets):
        where = lds_offsets(w, i.operands[0], gpu, offset, size)
        rows = stored_bytes(w, i.operands[1 + k], 4 if high_half else size)[w.active]
        gpu.lds[where] = rows[:, 2:2 + size] if high_half else rows


for name in ("b32", "b64", "b96", "b128", "u16", "u8"):
    OPERATIONS["ds_read_" + name] = lds_read
for name in ("b8", "b16", "b32", "b64", "b96", "b128", "b16_d16_hi", "b8_d16_hi"):
    OPERATIONS["ds_write_" + name] = lds_write
for pair in ("2", "2st64"):
    for name in ("b32", "b64"):
        OPERATIONS[f"ds_read{pair}_{name}"] = lds_read
        OPERATIONS[f"ds_write{pair}_{name}"] = lds_write


def ds_bpermute(w, i, gpu):
    """Each lane reads the lane that its address / 4 names; lanes that are off give 0."""
    source = (w.bits(i.operands[1]) + U32(number(i, "offset")) >> U32(2)) & U32(63)
    values = np.where(w.active[source], w.bits(i.operands[2])[source], U32(0))
    w.put(i.operands[0], values)


OPERATIONS["ds_bpermute_b32"] = ds_bpermute
