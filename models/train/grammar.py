"""Expands author-made templates: `{a|b|c}` picks one part, `{name}` picks from a slot list.

Braces nest; an empty alternative (`{please |}`) is allowed. A name that no slot list has is an
error, so a typing slip cannot reach the training rows.
"""

import random
import re

INNERMOST = re.compile(r"\{([^{}]*)\}")


def expand(template: str, slots: dict, rng: random.Random) -> str:
    """One random expansion of `template`."""
    text = template
    for _ in range(200):
        found = INNERMOST.search(text)
        if not found:
            return re.sub(r"  +", " ", text)
        inner = found[1]
        if "|" in inner:
            put = rng.choice(inner.split("|"))
        elif inner in slots:
            put = rng.choice(slots[inner])
        else:
            raise KeyError(f"slot {{{inner}}} in template {template[:60]!r}")
        text = text[: found.start()] + put + text[found.end() :]
    raise ValueError(f"template does not end: {template[:60]!r}")


def spelled(rows, words):
    """`rows` with each name of `words` (`<name>`) replaced by its choices; a choice may hold further names."""
    while any(name in row for row in rows for name in words):
        for name, choices in words.items():
            rows = [row.replace(name, choices) for row in rows]
    return rows


def many(templates, slots, rng: random.Random, count: int):
    """Up to `count` distinct expansions, templates used evenly."""
    out, tries = {}, 0
    order = list(templates)
    while len(out) < count and tries < count * 6:
        if tries % len(order) == 0:
            rng.shuffle(order)
        out.setdefault(expand(order[tries % len(order)], slots, rng).strip(), None)
        tries += 1
    return list(out)
