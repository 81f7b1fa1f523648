"""The frontier of cost and quality: layers, window length, kind of int8; each variant on the same rows.

Rows are held-out ones, up to `PER_SOURCE` a source. The variant's threshold is the one that passes 2 % of the
benign rows (over all of them), so that variants are compared at one false-positive rate; the shipped threshold
is not chosen here.
"""

import random

import numpy as np

from . import data_domain, data_jailbreak, data_pii, evaluate, export

PER_SOURCE = 80


def rows_of(data, seed: int = 9):
    """`(jailbreak rows, domain rows, pii rows)`, the same for every variant."""
    rng = random.Random(seed)
    by = {}
    for row in data_jailbreak.held_out(data):
        by.setdefault((row[2], row[1]), []).append(row)
    jailbreak = [r for _, rows in sorted(by.items()) for r in rng.sample(rows, min(PER_SOURCE, len(rows)))]
    domain = rng.sample(data_domain.Builder(data).held_out, 500) + data_domain.chat_heldout()
    return jailbreak, domain, data_pii.templates(data)[2][::2]


def measure(model, tok, rows, window: int):
    """Quality and CPU milliseconds for 512 tokens of text of one graph, read in windows of `window` tokens."""
    jailbreak, domain, pii = rows
    sess = export.session(model, 1)
    kept = evaluate.WINDOW, evaluate.OVERLAP
    evaluate.WINDOW, evaluate.OVERLAP = window - 2, min(kept[1], window // 8)
    try:
        scores = evaluate.jailbreak_scores(sess, tok, [t for t, *_ in jailbreak], label=f"{model.name} {window}")
        labels, sources = np.array([l for _, l, _ in jailbreak]), np.array([s for *_, s in jailbreak])
        threshold = np.quantile(scores[labels == 0], 0.98)
        recall = [float((scores[(labels == 1) & (sources == s)] > threshold).mean()) for s in sorted(set(sources[labels == 1]))]
        subjects = evaluate.domain_table(sess, tok, domain, 1.0)
        spans = evaluate.pii_table(sess, tok, pii)["token_micro"]
        # Windows that a text of 510 content tokens needs, each as long as it is.
        step = evaluate.WINDOW - evaluate.OVERLAP
        lengths = [min(evaluate.WINDOW, 510 - s) + 2 for s in range(0, max(1, 510 - evaluate.OVERLAP), step)] if window < 512 else [512]
        cost = sum(export.timing(model, (n,))[str(n)] for n in lengths)
    finally:
        evaluate.WINDOW, evaluate.OVERLAP = kept
    return {
        "cpu_ms_512": round(cost, 1), "bytes": model.stat().st_size, "auc": round(evaluate.auc(scores[labels == 1], scores[labels == 0]), 4),
        "recall_at_2_percent": round(float(np.mean(recall)), 4), "domain": {r["source"]: r["accuracy"] for r in subjects}, "pii_f1": spans["f1"],
    }  # fmt: skip


def run(data, work, tok, layers, others):
    """One dict a variant of the work folder's network of `layers` layers; `others` holds `(name, folder)` of further trained networks."""
    rows, out = rows_of(data), []
    export.to_int8(work / "float.onnx", work / "int8_tensor.onnx", per_channel=False)
    variants = [(f"{layers} layers, int8 per channel", work / "int8.onnx", w) for w in (512, 384, 256)]
    variants += [(f"{layers} layers, int8 per tensor", work / "int8_tensor.onnx", 512), (f"{layers} layers, float", work / "float.onnx", 512)]
    variants += [(name, folder / "int8.onnx", 512) for name, folder in others]
    for name, model, window in variants:
        out.append({"variant": name, "window_tokens": window} | measure(model, tok, rows, window))
        print(f"frontier: {out[-1]}", flush=True)
    return out


def table(rows) -> str:
    lines = ["| variant | window | CPU ms, 512 tokens | MB | jailbreak AUC | recall at 2 % | MMLU-Pro | chat | PII F1 |", "|---|---|---|---|---|---|---|---|---|"]
    for r in rows:
        lines.append(
            f"| {r['variant']} | {r['window_tokens']} | {r['cpu_ms_512']} | {r['bytes'] / 1e6:.1f} | {r['auc']:.3f} | {100 * r['recall_at_2_percent']:.1f} "
            f"| {100 * r['domain']['mmlu_pro']:.1f} | {100 * r['domain']['chat_style']:.1f} | {100 * r['pii_f1']:.1f} |"
        )
    return "\n".join(lines)
