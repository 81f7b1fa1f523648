"""Random calls of the hand-written kernel and the rule that its results are held to."""
import numpy as np

from cdna3 import own, reference

UNIT = {"f16": 2.0**-10, "bf16": 2.0**-7}


class Call:
    """Tensors of one call in 16 bits."""

    def __init__(self, kind, head_dim, queries, keys=None, batch=1, heads=1, left=-1, right=-1, bias=None, magnitude=1.0,
                 seed=0):
        keys = queries if keys is None else keys
        rng = np.random.default_rng(seed)
        self.kind, self.left, self.right, self.scale = kind, left, right, 1 / np.sqrt(head_dim)

        def tensor(positions, factor=1.0):
            x = rng.standard_normal((batch, heads, positions, head_dim)).astype(np.float32) * np.float32(factor)
            return own.to_bits(x, kind)
        self.q, self.k, self.v = tensor(queries, magnitude), tensor(keys), tensor(keys)
        self.bias = None if bias is None else own.to_bits(np.broadcast_to(bias, (len(bias), keys)).astype(np.float32), kind)

    def floats(self):
        return [own.from_bits(x, self.kind) for x in (self.q, self.k, self.v)]

    def bias_floats(self):
        return None if self.bias is None else own.from_bits(self.bias, self.kind)

    def exact(self):
        return reference.attention(*self.floats(), self.scale, self.left, self.right, self.bias_floats())

    def plain(self):
        """The textbook in the same precision: 16-bit products with fp32 sums, probabilities and output in 16 bits."""
        q, k, v = self.floats()
        scores = np.float32(self.scale) * (q @ k.swapaxes(-1, -2))
        keep = reference.attention(np.ones_like(q[..., :1]), np.zeros_like(k[..., :1]), np.ones_like(v[..., :1]), 1,
                                   self.left, self.right, self.bias_floats()) > 0
        distance = np.arange(k.shape[2])[None] - np.arange(q.shape[2])[:, None]
        seen = np.ones(distance.shape, bool)
        if self.left >= 0:
            seen &= distance >= -self.left
        if self.right >= 0:
            seen &= distance <= self.right
        scores = np.where(seen, scores, -np.inf)
        bias = self.bias_floats()
        if bias is not None:
            scores = scores + np.where(bias <= -1e4, -np.inf, bias)[:, None, None, :]
        highest = scores.max(-1, keepdims=True)
        weights = np.exp(scores - np.where(np.isfinite(highest), highest, 0)).astype(np.float32)
        total = weights.sum(-1, keepdims=True)
        rounded = own.from_bits(own.to_bits(weights, self.kind), self.kind)
        out = np.where(keep, rounded @ v / np.where(total > 0, total, 1), 0).astype(np.float32)
        return own.from_bits(own.to_bits(out, self.kind), self.kind)

    def run(self, program, adversarial=False):
        out, _ = own.attention(program, self.kind, self.q, self.k, self.v, self.scale, self.left, self.right, self.bias,
                               adversarial)
        return own.from_bits(out, self.kind)

    def holds(self, out):
        """The rule: at most twice the plain implementation's error, plus one unit of the format."""
        exact = self.exact()
        if not np.isfinite(out).all():
            return False
        limit = 2 * np.abs(self.plain() - exact).max() + UNIT[self.kind] * max(1, np.abs(exact).max())
        return bool(np.abs(out - exact).max() <= limit)
