"""Attention in float64: the answer that every kernel is held to."""
import numpy as np

MASKED_AT_MOST = -1e4


def attention(q, k, v, scale, left=-1, right=-1, bias=None):
    """q, k, v: [batch, heads, positions, head_dim]; bias: [1 or batch, keys]; -1 is an open side. Rows without keys are 0."""
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    scores = scale * q @ k.swapaxes(-1, -2)
    distance = np.arange(k.shape[2])[None] - np.arange(q.shape[2])[:, None]
    seen = np.ones(distance.shape, bool)
    if left >= 0:
        seen &= distance >= -left
    if right >= 0:
        seen &= distance <= right
    scores = np.where(seen, scores, -np.inf)
    if bias is not None:
        added = np.where(bias <= MASKED_AT_MOST, -np.inf, bias.astype(np.float64))
        scores = scores + added[:, None, None, :]
    highest = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(highest), highest, 0))
    total = weights.sum(-1, keepdims=True)
    return np.where(total > 0, weights / np.where(total > 0, total, 1), 0) @ v


def to_bf16(x):
    """Rounds float32 to bfloat16 bits."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    """bfloat16 bits to float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)
