"""Rows to padded batches, the same for training and evaluation."""

import random

import torch
from tokenizers import Tokenizer

from . import data_domain, data_pii

TASKS = ("jailbreak", "domain", "pii")
MAX_TOKENS = 512


def tokenizer(path) -> Tokenizer:
    out = Tokenizer.from_file(str(path))
    out.no_padding()
    out.no_truncation()
    return out


def encode(task: str, rows, tok: Tokenizer, max_tokens: int = MAX_TOKENS):
    """`(ids, target)` per row; the target is a class or, for `pii`, one tag a token."""
    encodings = tok.encode_batch([r[0] for r in rows])
    out = []
    for row, encoding in zip(rows, encodings):
        ids = encoding.ids
        if len(ids) > max_tokens:
            ids = ids[: max_tokens - 1] + ids[-1:]
        if task == "jailbreak":
            target = row[1]
        elif task == "domain":
            target = data_domain.DOMAINS.index(row[1])
        else:
            target = data_pii.tag_ids(encoding, row[1])
            target = target[: len(ids) - 1] + [-100]
        out.append((ids, target))
    return out


def group(samples, tokens_per_batch: int, rng: random.Random):
    """Index lists: rows of like length together, about `tokens_per_batch` padded tokens each."""
    order = sorted(range(len(samples)), key=lambda i: len(samples[i][0]) * (1 + 0.15 * rng.random()))
    out, batch, longest = [], [], 0
    for i in order:
        length = len(samples[i][0])
        if batch and max(longest, length) * (len(batch) + 1) > tokens_per_batch:
            out.append(batch)
            batch, longest = [], 0
        batch.append(i)
        longest = max(longest, length)
    if batch:
        out.append(batch)
    return out


def collate(samples):
    """`(ids, mask, targets)` tensors of a list of samples; the pad id is 1 in this vocabulary."""
    longest = max(len(ids) for ids, _ in samples)
    ids = torch.tensor([i + [1] * (longest - len(i)) for i, _ in samples])
    mask = torch.tensor([[1] * len(i) + [0] * (longest - len(i)) for i, _ in samples])
    if isinstance(samples[0][1], list):
        targets = torch.tensor([t + [-100] * (longest - len(t)) for _, t in samples])
    else:
        targets = torch.tensor([t for _, t in samples])
    return ids, mask, targets
