"""Trains the linear suspicion model of the compressor's guarded mode: sentences in, one blob of 256 KiB out.

    python -m suspicion.train --data DATA --wheels WHEELS --features TARGET/release/examples/suspicion_features

Run it from `models/`. The features come from the filter's own code (build the example with
`cargo build --release -p compress --example suspicion_features --features training`), so that what
is trained is what runs. Rows come from the sources that `train/corpora.py` allows; its `HELD_OUT`
sources and the held-out textbook modules are only measured. Needs numpy, scipy and scikit-learn.
"""

import argparse
import json
import random
import re
import struct
import subprocess
import zipfile
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from train import corpora
from train.data_jailbreak import LANGUAGES, Builder, crop, is_held_out_module

BUCKETS = 131_056
CRATE = Path(__file__).resolve().parents[2] / "filter-wasm/compress"
SEED = 20261129
SENTENCE = re.compile(r"(?<=[.!?。！？؟।])\s+|\n+")
MAX_CHARS = 240


def sentences(text):
    out = []
    for part in SENTENCE.split(text):
        while len(part) > MAX_CHARS:
            head = crop(part, MAX_CHARS)
            out.append(head.strip())
            part = part[len(head) :]
        out.append(part.strip())
    return [s for s in out if len(s) > 3]


def joined(parts, rng):
    """Single sentences, and some runs of two or three: the model also scores joined sentences."""
    out = list(parts)
    for i in range(len(parts) - 1):
        if rng.random() < 0.25:
            out.append(" ".join(parts[i : i + rng.choice((2, 3))]))
    return out


class Features:
    """Bucket counts over the root of their number, words and characters side by side."""

    def __init__(self, program: Path):
        self.program = program

    def __call__(self, texts):
        lines = "".join(json.dumps(t) + "\n" for t in texts)
        raw = subprocess.run([self.program], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout
        numbers = np.frombuffer(raw, "<u4")
        at, columns, values, rows = 0, [], [], [0]
        for _ in texts:
            size = 0
            for offset in (0, BUCKETS):
                count = int(numbers[at])
                unique, n = np.unique(numbers[at + 1 : at + 1 + count], return_counts=True)
                columns.append(unique.astype(np.int64) + offset)
                values.append(n / np.sqrt(max(count, 1)))
                size += len(unique)
                at += 1 + count
            rows.append(rows[-1] + size)
        assert at == len(numbers)
        return sparse.csr_matrix((np.concatenate(values).astype(np.float32), np.concatenate(columns), rows), (len(texts), 2 * BUCKETS))


def attack_rows(data, wheels, rng):
    """`(certain, doubtful)`: sentences that attack by themselves, and those of long jailbreak prompts, which may not."""
    builder = Builder(data, wheels)
    certain = []
    for name, count in (("OVERRIDE", 3500), ("INDIRECT", 4500), ("EXTRACT", 3500), ("DELIMITER", 800), ("ROLEPLAY", 1500), ("FRAME", 500), ("GAME", 1200)):
        for text in builder.attacks(name, count, rng):
            parts = sentences(text)
            certain += [text] if len(text) <= MAX_CHARS else []
            if len(parts) == 1 or name in ("OVERRIDE", "EXTRACT", "GAME"):
                certain += parts
    for kind, count in (("override", 8000), ("extract", 3000), ("persona", 1200)):
        certain += builder.multilingual(kind, count, rng)
    for language in LANGUAGES.values():
        certain += language["ignore"]
    doubtful = [[crop(user, 500)] for _, user in builder.p.purplellama]
    doubtful += [joined(sentences(t), rng) for t in builder.p.in_the_wild + builder.p.dan + builder.p.pyrit + builder.p.gptfuzz]
    doubtful += [joined(sentences(t), rng) for t in builder.p.jbb["JBC"][:40] + builder.p.jbb["prompt_with_random_search"][:40]]
    doubtful += [[r["user_input"]] for r in corpora.purplellama(data, True) if not corpora.purplellama_is_held_out(r["prompt_id"]) and len(r["user_input"]) < 240]
    doubtful += [[g] for g in builder.p.bipia_direct]
    return builder, sorted(set(certain)), doubtful


def benign_rows(data, wheels, builder, rng):
    """`{kind: sentences}`; hard kinds use the attackers' words."""
    pools = builder.p
    flat = lambda texts, n: rng.sample(rows, n) if len(rows := [s for t in texts for s in joined(sentences(t), rng)]) > n else rows
    kinds = {
        "textbook": flat(pools.paragraphs, 16000),
        "exercise": flat(pools.problems + pools.mmlu, 7000),
        "roleplay": flat(pools.roleplay, 7000),
        "act as": flat(pools.awesome, 9000),
        "code": flat(pools.codegen + pools.contexts["code"], 7000),
        "source files": flat(source_files(wheels, rng), 5000),
        "chat": flat(pools.arena_hard, 12000),
        "chat as JSON": flat((json.dumps({"role": "user", "content": t[:600]}, ensure_ascii=False) for t in pools.arena_hard), 3000),
        "system prompts": flat((builder.system_prompt(rng) for _ in range(900)), 3000),
        "answers": flat(pools.answers, 9000),
        "tools": flat(pools.toolformer, 2500),
        "mail": flat(pools.contexts["email"], 1200),
        "tables": flat(pools.contexts["table"], 2500),
        "questions": flat(pools.clinc + pools.gsm8k + pools.medquad, 9000),
        "instructions": flat(pools.instructions + pools.long_texts, 6000),
        "security": flat(pools.frr, 2500),
        "security, other languages": flat(pools.frr_other, 2500),
        "personal data": flat((r["full_text"] for r in corpora.loads(data / "presidio_research/generated_large.json")), 4000),
    }
    for name in ("SYSTEM", "TRIGGER", "SHARP", "SECURITY", "EVERYDAY", "DOCUMENT_IMPERATIVES", "FRAME_BENIGN", "CONTRAST"):
        kinds[f"hard: {name.lower()}"] = flat(builder.benign(name, 1500, rng), 2500)
    kinds["hard, other languages"] = [t for language in LANGUAGES.values() for t in language["hard"] * 4 + language["benign"]]
    strings = []
    for language, rows in sorted(pools.strings.items()):
        strings += [corpora.joined(rows, rng, 40, 200) for _ in range(140)]
        strings += rng.sample(rows, min(len(rows), 60))
    kinds["interface strings"] = strings
    return kinds


def source_files(wheels, rng):
    """Python modules of the wheels, which hold prose in comments and messages to people."""
    with zipfile.ZipFile(sorted(wheels.glob("Django-*.whl"))[0]) as wheel:
        names = [n for n in wheel.namelist() if n.endswith(".py") and "/locale/" not in n]
        return [wheel.read(n).decode("utf-8", "ignore")[:6000] for n in sorted(rng.sample(names, 150))]


def fit(x, y, weight, strength):
    model = LogisticRegression(C=strength, solver="liblinear", dual=True, max_iter=60, tol=2e-3)
    model.fit(x, y, sample_weight=weight)
    return model


def quantise(model):
    """Header and one signed byte a bucket; the largest weights, one in ten thousand, are clipped."""
    weights, blob, scales = model.coef_[0], [], []
    for part in (weights[:BUCKETS], weights[BUCKETS:]):
        scales.append(np.quantile(np.abs(part), 0.9999) / 127)
        blob.append(np.clip(np.rint(part / scales[-1]), -127, 127).astype(np.int8))
    header = struct.pack("<4f", float(model.intercept_[0]), scales[0], scales[1], 0.0)
    dense = np.concatenate([blob[0] * scales[0], blob[1] * scales[1]])
    return header + blob[0].tobytes() + blob[1].tobytes(), dense, float(model.intercept_[0])


def held_out(data):
    """Sources never trained on: `(positives, negatives)` by name."""
    rows = corpora.jsonl(data / "bastioncorpus/injections.jsonl")
    purple = corpora.purplellama(data, False)
    other = [r for r in corpora.purplellama(data, True) if corpora.purplellama_is_held_out(r["prompt_id"])]
    good = {
        "bastioncorpus": [r["text"] for r in rows if r["label"] == "malicious"],
        "goodwiins injections": sorted({r["text"] for r in corpora.loads(data / "goodwiins/prompt_injections.json")}),
        "goodwiins other languages": sorted({r["text"] for r in corpora.loads(data / "goodwiins/multilang_attacks.json")}),
        "aib": [r["injected"] for r in corpora.jsonl(data / "aib/attacks.jsonl")],
        "purplellama": [r["user_input"] for r in purple if corpora.purplellama_is_held_out(r["prompt_id"])],
        "purplellama other languages": [r["user_input"] for r in other],
    }
    textbook = [r["text"] for r in corpora.openstax(data) if r["kind"] == "para" and is_held_out_module(r["module"])]
    bad = {
        "bastioncorpus benign": [r["text"] for r in rows if r["label"] == "benign"],
        "notinject": sorted({r["text"] for r in corpora.loads(data / "goodwiins/notinject_expanded.json")}),
        "textbook": [s for t in textbook for s in sentences(t)],
        "arena hard": [s for t in corpora.arena_hard(data, "v0.1") for s in sentences(t)],
        "mt bench": [s for t in corpora.fastchat(data) for s in sentences(t)],
        "banking77": [r["text"] for r in corpora.table(data / "banking77/test.csv")],
        "mail": [s for t in corpora.bipia_contexts(data, "email", "test") for s in sentences(t)],
        "code": [s for t in corpora.bipia_contexts(data, "code", "test") for s in sentences(t)],
        "security, other languages": [t for _, t in corpora.frr_multilingual(data, True)],
    }
    return good, bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--wheels", type=Path, required=True)
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--strength", type=float, default=4.0)
    args = parser.parse_args()
    rng = random.Random(SEED)
    features = Features(args.features)

    builder, certain, doubtful = attack_rows(args.data, args.wheels, rng)
    benign = benign_rows(args.data, args.wheels, builder, rng)
    good, bad = held_out(args.data)
    measured = {" ".join(t.lower().split()) for rows in (*good.values(), *bad.values()) for t in rows}
    fresh = lambda rows: [t for t in rows if " ".join(t.lower().split()) not in measured]
    certain, doubtful = fresh(certain), [kept for parts in doubtful if (kept := fresh(parts))]
    maybe = [t for parts in doubtful for t in parts]
    negatives, weights = [], []
    for kind, rows in benign.items():
        rows = fresh(rows)
        negatives += rows
        weights += [3.0 if kind.startswith("hard") else 2.0 if kind.startswith("chat") else 1.0] * len(rows)
        print(f"benign  {kind:28} {len(rows):6}")
    print(f"attacks certain {len(certain)}, doubtful {len(maybe)}")

    x_bad, x_sure, x_maybe = features(negatives), features(certain), features(maybe)
    strong = len(negatives) / (2 * len(certain))
    # First without the doubtful rows halved by themselves, then with those that the first model finds attack-like.
    first = fit(
        sparse.vstack([x_bad, x_sure, x_maybe]), np.r_[np.zeros(len(negatives)), np.ones(len(certain) + len(maybe))],
        np.r_[weights, np.full(len(certain), strong), np.full(len(maybe), 0.3)], args.strength / 4,
    )  # fmt: skip
    score, keep, at = first.decision_function(x_maybe), [], 0
    for parts in doubtful:
        own = score[at : at + len(parts)]
        # Of a long prompt the better half if it is attack-like at all; a single sentence is what its source says it is.
        keep += [len(parts) == 1 or (s > -0.3 and s >= np.median(own)) for s in own]
        at += len(parts)
    keep = np.array(keep)
    print(f"doubtful rows kept: {keep.sum()} of {len(keep)}")
    model = fit(
        sparse.vstack([x_bad, x_sure, x_maybe[keep]]), np.r_[np.zeros(len(negatives)), np.ones(len(certain) + keep.sum())],
        np.r_[weights, np.full(len(certain), strong), np.ones(keep.sum())], args.strength,
    )  # fmt: skip
    blob, dense, bias = quantise(model)
    (CRATE / "src/suspicion.bin").write_bytes(blob)
    print(f"blob {len(blob)} bytes, {np.count_nonzero(dense)} weights in use")

    exact = lambda rows: model.decision_function(features(rows))
    rounded = lambda rows: features(rows) @ dense + bias
    print("held-out attacks             rows  above 0  above -1  (before rounding)")
    for kind, rows in good.items():
        s = rounded(rows)
        print(f"  {kind:26} {len(rows):5} {np.mean(s > 0):8.3f} {np.mean(s > -1):8.3f} {np.mean(exact(rows) > 0):10.3f}")
    print("held-out benign              rows  above 0  above 1")
    for kind, rows in bad.items():
        s = rounded(rows)
        print(f"  {kind:26} {len(rows):5} {np.mean(s > 0):8.4f} {np.mean(s > 1):8.4f}")
    sample = [t for rows in good.values() for t in rows[:3]] + [t for rows in bad.values() for t in rows[:3]]
    lines = (json.dumps({"text": t, "score": round(float(s), 3)}, ensure_ascii=False) for t, s in zip(sample, rounded(sample)))
    (CRATE / "tests/data/suspicion.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
