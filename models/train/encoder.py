"""The shared encoder (BERT shape, post-norm) and the three heads.

Written out here rather than taken from a library so that the exported graph stays plain:
separate query, key and value products, one softmax, exact GELU. Attention has two forms with the
same result: PyTorch's fused one, and the spelled-out one (`Attention.spelled_out`) that is exported
and, since the fused backward pass is slower on a CPU (a step of 512 tokens takes 1.02 s instead of 0.86),
trained. The export step checks that both agree.
"""

from dataclasses import asdict, dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Shape:
    """Sizes of an encoder; `vocab` counts word pieces, `positions` is the longest input in tokens."""

    vocab: int
    layers: int = 6
    width: int = 384
    attention_heads: int = 12
    ffn: int = 1536
    positions: int = 512
    eps: float = 1e-12

    def as_dict(self):
        return asdict(self)


class Attention(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.heads, self.head_dim = shape.attention_heads, shape.width // shape.attention_heads
        self.query = nn.Linear(shape.width, shape.width)
        self.key = nn.Linear(shape.width, shape.width)
        self.value = nn.Linear(shape.width, shape.width)
        self.out = nn.Linear(shape.width, shape.width)
        self.spelled_out = False

    def forward(self, x, bias):
        """`x` is `[batch, seq, width]`, `bias` `[batch, 1, 1, seq]` is added to the scores."""
        batch, seq, width = x.shape
        split = lambda t: t.view(batch, seq, self.heads, self.head_dim).transpose(1, 2)
        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        if self.spelled_out or self.training:
            scores = q @ k.transpose(-1, -2) / self.head_dim**0.5 + bias.to(q.dtype)
            mixed = torch.softmax(scores, dim=-1) @ v
        else:
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        return self.out(mixed.transpose(1, 2).reshape(batch, seq, width))


class Layer(nn.Module):
    def __init__(self, shape: Shape, dropout: float):
        super().__init__()
        self.attention = Attention(shape)
        self.attention_norm = nn.LayerNorm(shape.width, eps=shape.eps)
        self.up = nn.Linear(shape.width, shape.ffn)
        self.down = nn.Linear(shape.ffn, shape.width)
        self.out_norm = nn.LayerNorm(shape.width, eps=shape.eps)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, bias):
        x = self.attention_norm(x + self.dropout(self.attention(x, bias)))
        return self.out_norm(x + self.dropout(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    """Token ids to hidden states. The token-type row of the base model is folded into `position`."""

    def __init__(self, shape: Shape, dropout: float = 0.0):
        super().__init__()
        self.shape = shape
        self.word = nn.Embedding(shape.vocab, shape.width)
        self.position = nn.Embedding(shape.positions, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.eps)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.dropout = nn.Dropout(dropout)

    def forward(self, input_ids, attention_mask, every_layer=False):
        """Hidden states `[batch, seq, width]`, or the list of all layers' states."""
        places = torch.arange(input_ids.shape[1], device=input_ids.device).unsqueeze(0)
        x = self.dropout(self.norm(self.word(input_ids) + self.position(places)))
        # -1e4 rather than -inf: a fully masked row must stay finite in half precision too.
        bias = (1.0 - attention_mask.to(x.dtype))[:, None, None, :] * -1e4
        states = []
        for layer in self.layers:
            x = layer(x, bias)
            states.append(x)
        return states if every_layer else x


class AttentionPool(nn.Module):
    """Weighted mean over tokens with learned weights, so that one telling sentence is not diluted
    by a window of other text. `queries` independent weightings are concatenated."""

    def __init__(self, width: int, queries: int):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(width, width // 2), nn.Tanh(), nn.Linear(width // 2, queries))

    def forward(self, hidden, attention_mask):
        scores = self.score(hidden).float()
        scores = scores + (1.0 - attention_mask.to(scores.dtype)).unsqueeze(-1) * -1e4
        weights = torch.softmax(scores, dim=1)  # [batch, seq, queries]
        pooled = weights.transpose(1, 2) @ hidden.to(weights.dtype)
        return pooled.flatten(1)


class Classifier(nn.Module):
    """Encoder plus heads: `jailbreak` [batch, 2], `domain` [batch, 14], `pii` [batch, seq, 35]."""

    JAILBREAK_QUERIES = 4
    DOMAIN_QUERIES = 2

    def __init__(self, encoder: Encoder, domains: int, tags: int):
        super().__init__()
        width = encoder.shape.width
        self.encoder = encoder
        self.jailbreak_pool = AttentionPool(width, self.JAILBREAK_QUERIES)
        self.jailbreak = nn.Sequential(
            nn.Dropout(0.1), nn.Linear(width * self.JAILBREAK_QUERIES, 192), nn.GELU(), nn.Dropout(0.1), nn.Linear(192, 2)
        )
        self.domain_pool = AttentionPool(width, self.DOMAIN_QUERIES)
        self.domain = nn.Sequential(nn.Dropout(0.1), nn.Linear(width * self.DOMAIN_QUERIES, domains))
        self.pii = nn.Sequential(nn.Dropout(0.1), nn.Linear(width, tags))

    def head(self, task: str, hidden, attention_mask):
        """Logits of one task from hidden states."""
        if task == "jailbreak":
            return self.jailbreak(self.jailbreak_pool(hidden, attention_mask))
        if task == "domain":
            return self.domain(self.domain_pool(hidden, attention_mask))
        return self.pii(hidden)

    def forward(self, input_ids, attention_mask):
        hidden = self.encoder(input_ids, attention_mask)
        return tuple(self.head(task, hidden, attention_mask) for task in ("jailbreak", "domain", "pii"))

    def spell_out_attention(self, on: bool = True):
        """Switches every layer to the plain attention that is exported."""
        for layer in self.encoder.layers:
            layer.attention.spelled_out = on
