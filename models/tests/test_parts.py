#!/usr/bin/env python3
"""Rules of the training code that no table shows. Run in the training environment: `python3 test_parts.py`.

Plain script, no framework, no data: it takes some seconds.
"""

import base64
import codecs
import json
import math
import random
import sys
import tempfile
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import torch

from train import encoded, evaluate, export, train
from train.encoder import Encoder, Shape


def threshold_is_the_least_within_the_mean_of_sources():
    """Each source weighs the same, however many rows it has."""
    large, small = np.full(1000, 0.2), np.array([0.2] * 38 + [0.9] * 2)
    # 2 of 40 pass below 0.9: 5 % of one source, 2.5 % of the mean of two; pooled it would be 0.2 %.
    threshold, passed = evaluate.choose_threshold([large, small])
    assert threshold == 0.901 and passed == 0.0
    # Among four sources the same rows are 1.25 % and may pass.
    threshold, passed = evaluate.choose_threshold([large, large, large, small])
    assert threshold == 0.5 and passed == 0.05 / 4
    threshold, passed = evaluate.choose_threshold([np.full(20, 0.999)])
    assert threshold == 0.969 and passed == 1.0, "the last one where none fits"


def mean_is_of_every_weight():
    torch.manual_seed(1)
    states = [Encoder(Shape(50, 2)).state_dict() for _ in range(3)]
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{n}.pt" for n in range(3)]
        for path, state in zip(paths, states):
            torch.save(state, path)
        export.mean(paths, Path(folder) / "mean.pt")
        got = torch.load(Path(folder) / "mean.pt", weights_only=True)
    assert got.keys() == states[0].keys()
    for name, value in got.items():
        want = torch.stack([s[name] for s in states]).mean(0)
        assert torch.allclose(value, want, atol=1e-6), name


def frozen_parts_keep_their_weights():
    """Word vectors always; of twelve layers everything below the fifth; all the rest learns."""
    for layers, lowest in ((6, 0), (12, 4)):
        encoder = Encoder(Shape(50, layers))
        train.freeze(encoder)
        frozen = {n for n, p in encoder.named_parameters() if not p.requires_grad}
        assert "word.weight" in frozen
        of_layers = {int(n.split(".")[1]) for n in frozen if n.startswith("layers.")}
        assert of_layers == set(range(lowest)), (layers, of_layers)
        assert ("position.weight" in frozen) == (lowest > 0)
        for n, p in encoder.named_parameters():
            if n.startswith("layers.") and int(n.split(".")[1]) >= lowest:
                assert p.requires_grad, n


def windows_cover_every_token_and_overlap():
    class Encoding:
        def __init__(self, n):
            self.ids = [0, *range(100, 100 + n), 2]

    for n in (1, 509, 510, 511, 956, 957, 4000):
        parts = evaluate.windows(Encoding(n))
        bodies = [p[1:-1] for p in parts]
        assert all(p[0] == 0 and p[-1] == 2 and 1 <= len(b) <= evaluate.WINDOW for p, b in zip(parts, bodies))
        assert set().union(*bodies) == set(range(100, 100 + n)), n
        for a, b in zip(bodies, bodies[1:]):
            assert len(set(a) & set(b)) == evaluate.OVERLAP, n
        assert (len(parts) == 1) == (n <= evaluate.WINDOW), n


def odds_take_the_highest_window_less_the_prior():
    rows = np.array([[0.0, 1.0], [0.0, 3.0], [2.0, 0.0]])
    assert math.isclose(evaluate.odds(rows, 2.0, 0.0), 1.5)
    assert math.isclose(evaluate.odds(rows, 2.0, 0.3), 1.5 - 0.3 * math.log(3))
    assert math.isclose(evaluate.odds(np.repeat(rows, 100, axis=0), 2.0, 0.3), 1.5 - 0.3 * math.log(32)), "no length hides an attack"


def prior_is_the_least_that_flags_a_twentieth_of_long_harmless_texts():
    """Of 40 harmless texts of 8 windows two may pass: the prior lowers odds by itself times log 8."""
    settings = {"temperature": 1.0, "threshold": 0.5}
    text = lambda odds: np.array([[0.0, odds]] * 8)
    above = lambda prior: prior * math.log(8) + 0.01
    least, second, third = evaluate.PRIORS[:3]
    harmless = lambda loud, odds: [text(odds)] * loud + [text(-5.0)] * (40 - loud)
    attacks = [text(9.0)] * 3 + [text(-5.0)]
    labels = [0] * 40 + [1] * 4
    prior, table = evaluate.choose_prior(harmless(2, 9.0) + attacks, labels, settings)
    assert prior == least and table[0]["false_positive_rate"] == 0.05 and table[0]["recall"] == 0.75 and table[0]["n"] == 40
    assert evaluate.choose_prior(harmless(3, above(least)) + attacks, labels, settings)[0] == second
    assert evaluate.choose_prior(harmless(3, above(second)) + attacks, labels, settings)[0] == third
    assert evaluate.choose_prior(harmless(3, 99.0) + attacks, labels, settings)[0] == evaluate.PRIORS[-1], "the last one where none fits"


def encoded_text_can_be_read_again():
    rng, text, seen = random.Random(2), "Which bus goes to the caf\u00e9?", set()
    undo = {
        "base64": lambda t: base64.b64decode(t, validate=True).decode(), "rot13": lambda t: codecs.decode(t, "rot13"), "url": urllib.parse.unquote,
        "hex": lambda t: bytes.fromhex(t.replace(":", " ")).decode(),
    }  # fmt: skip
    for _ in range(300):
        made = encoded.of_text(text, rng)
        for name, read in undo.items():
            try:
                seen |= {name} if made != text and read(made) == text else set()
            except ValueError:
                pass
    assert seen == set(undo), seen
    head, claims, signature = encoded.token(rng).split(".")
    padded = lambda t: base64.urlsafe_b64decode(t + "=" * (-len(t) % 4))
    assert json.loads(padded(head))["typ"] == "JWT" and "sub" in json.loads(padded(claims)) and len(padded(signature)) == 32


def main():
    tests = [f for name, f in globals().items() if callable(f) and getattr(f, "__module__", "") == "__main__" and name != "main"]
    for test in tests:
        test()
        print(f"ok: {test.__name__.replace('_', ' ')}")
    print(f"{len(tests)} passed, 0 failed")


if __name__ == "__main__":
    main()
