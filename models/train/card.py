"""Turns the evaluation report into the markdown tables of the model folder."""

import json
from pathlib import Path

from . import product
from .product import percent


def interval(row):
    return f"{percent(row['interval'][0])}-{percent(row['interval'][1])}"


def tables(report: dict) -> str:
    """`RESULTS.md`: everything measured, nothing else."""
    jailbreak, out = report["jailbreak"], ["# Results", "", "Written by `models/make.py`; shares in per cent, 95 % Wilson intervals. int8 file, ONNX Runtime, windows of 510 tokens.", ""]
    settings = report["settings"]["jailbreak"]
    out += [f"## Jailbreak (threshold {settings['threshold']}, temperature {settings['temperature']})", "", "| source (held out; `_b` and `_v0.1`: other rows of the collection are trained on) | label | n | flagged | interval |", "|---|---|---|---|---|"]
    for r in jailbreak["sources"]:
        share = r.get("recall", r.get("false_positive_rate"))
        out.append(f"| {r['source']} | {r['label']} | {r['n']} | {percent(share)} | {interval(r)} |")
    s = jailbreak["summary"]
    out += ["", f"Mean recall over sources {percent(s['recall_mean_over_sources'])}, mean false-positive rate over benign sources {percent(s['false_positive_rate_mean_over_sources'])}; "
            f"pooled AUC {s['auc_pooled']:.3f}, recall at 1 % false positives {percent(s['recall_at_1_percent_pooled'])}, at 5 % {percent(s['recall_at_5_percent_pooled'])}.", ""]  # fmt: skip
    hard = next(r for r in jailbreak["sources"] if r["source"] == "goodwiins_notinject_expanded")
    out += [f"False-positive rate on hard negatives (harmless text with trigger words, {hard['source']}): {percent(hard['false_positive_rate'])} of {hard['n']} ({interval(hard)}).", ""]
    if "smoke" in jailbreak:
        out += ["Not held out: " + "; ".join(f"{r['source']} {percent(r.get('recall', r.get('false_positive_rate')))} of {r['n']} flagged" for r in jailbreak["smoke"]) + ".", ""]
    f = jailbreak["flips"]
    out += [f"Detected positives lost after a harmless change (of {f['detected_before']} detected in {f['sampled']} sampled): "
            + ", ".join(f"{k.replace('_', ' ')} {percent(v)}" for k, v in f.items() if k not in ("detected_before", "sampled")) + ".", ""]  # fmt: skip
    t = jailbreak["translated"]
    out += [f"Of {t['n']} translations of held-out English injections that are found, {percent(t['flipped'])} are not found ({interval(t)}).", ""]
    v = report["validation"]
    out += [f"Validation rows of training sources ({v['rows']}): AUC {v['auc']:.3f}, recall {percent(v['recall'])}, false positives {percent(v['false_positives_real'])} of {v['n_real']} real and "
            f"{percent(v['false_positives_authored'])} of {v['n_authored']} author-made rows, {100 * v['false_positives_mean']:.2f} averaged over their sources. The threshold was chosen on these.", ""]  # fmt: skip
    out += [f"Harmless and planted validation texts of 4 to 20 windows ({v['long_texts'][0]['n']} each), by `window_prior` ({settings['window_prior']} chosen): "
            + "; ".join(f"{r['window_prior']}: {percent(r['false_positive_rate'])} flagged, {percent(r['recall'])} found" for r in v["long_texts"]) + ".", ""]  # fmt: skip
    out += [f"## Domain (temperature {report['settings']['domain']['temperature']})", "", "| set | n | accuracy | interval | macro F1 | ECE |", "|---|---|---|---|---|---|"]
    for r in report["domain"]["sources"]:
        out.append(f"| {r['source']} | {r['n']} | {percent(r['accuracy'])} | {interval(r)} | {percent(r['macro_f1'])} | {r['ece']:.3f} |")
    names = list(report["domain"]["sources"][0]["recall_by_class"])
    out += ["", "| recall by class | " + " | ".join(r["source"] for r in report["domain"]["sources"]) + " |", "|---|" + "---|" * len(report["domain"]["sources"])]
    for name in names:
        out.append(f"| {name} | " + " | ".join(percent(r["recall_by_class"].get(name, 0)) for r in report["domain"]["sources"]) + " |")
    out += ["", "Reliability (mean confidence, accuracy, n per tenth): " + "; ".join(f"{r['source']}: " + ", ".join(f"{c:.2f}/{a:.2f}/{n}" for c, a, n in r["reliability"]) for r in report["domain"]["sources"]) + ".", ""]
    pii = report["pii"]
    out += [f"## PII (model alone, {pii['rows']} rows of held-out templates)", "", "| type | token precision | token recall | token F1 | spans |", "|---|---|---|---|---|"]
    for name, r in pii["by_type"].items():
        out.append(f"| {name} | {percent(r['precision'])} | {percent(r['recall'])} | {percent(r['f1'])} | {r['spans']} |" if r["n"] else f"| {name} | - | - | - | 0 |")
    for label, key in (("all, tokens", "token_micro"), ("all, exact spans", "span_micro")):
        r = pii[key]
        out.append(f"| **{label}** | {percent(r['precision'])} | {percent(r['recall'])} | **{percent(r['f1'])}** | |")
    p, t = report["parity"], report["cpu_ms_one_thread"]
    out += ["", "## Parity, size, time", "",
            f"Over {p['texts']} texts: float ONNX against PyTorch differs by at most {max(p['max_logit_error']['onnx_float'].values()):.1e} in a logit; int8 by at most "
            + ", ".join(f"{k} {v:.2f}" for k, v in p["max_logit_error"]["onnx_int8"].items())
            + "; int8 keeps the label of " + ", ".join(f"{k} {percent(v)} % (of {p['labels_compared'][k]})" for k, v in p["label_agreement_int8"].items()) + ".", "",
            "| CPU ms, one thread | " + " | ".join(f"{n} tokens" for n in t["int8"]) + " |", "|---|" + "---|" * len(t["int8"]),
            "| int8 | " + " | ".join(str(v) for v in t["int8"].values()) + " |", "| float | " + " | ".join(str(v) for v in t["float"].values()) + " |", "",
            "Bytes: " + ", ".join(f"{k} {v:,}" for k, v in report["bytes"].items() if k in ("model.onnx", "tokenizer.json")) + "."]  # fmt: skip
    return "\n".join(out) + "\n"


def write(work: Path, out: Path):
    """`RESULTS.md` from what the work folder holds: the report, then the product's tables, then the frontier."""
    report, frontier = work / "report.json", work / "frontier.md"
    if not report.exists():
        return
    parts = [tables(json.loads(report.read_text(encoding="utf-8")))]
    if (work / "product/jailbreak.json").exists():
        parts.append(product.tables(work / "product"))
    if frontier.exists():
        parts.append("## Cost against quality\n\nUp to 80 held-out rows a source, each variant at 2 % false positives over all benign rows; one thread.\n\n" + frontier.read_text(encoding="utf-8"))
    (out / "RESULTS.md").write_text("\n".join(parts), encoding="utf-8")
