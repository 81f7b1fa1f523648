"""The held-out rows through the product itself (`inferd models evaluate`), and its tables as markdown."""

import json
import subprocess
from pathlib import Path

TASKS = ("jailbreak", "domain", "pii")


def run(inferd: Path, model: Path, rows: Path, out: Path):
    """Writes one JSON report a task into `out`; `rows` holds the JSONL files. Errors of inferd end the run."""
    out.mkdir(parents=True, exist_ok=True)
    for task in TASKS:
        command = [inferd, "models", "evaluate", "--model", model, "--task", task, "--data", rows / f"{task}.jsonl", "--json", out / f"{task}.json"]
        if task == "jailbreak":
            command.append("--robustness")
        with open(out / f"{task}.txt", "w", encoding="utf-8") as table:
            subprocess.run([str(c) for c in command], check=True, stdout=table)


def percent(x):
    return f"{100 * x:.1f}"


def share(row, name):
    low, high = row[f"{name}_interval"]
    return f"{percent(row[name])} | {percent(low)}-{percent(high)}"


def tables(out: Path) -> str:
    """Markdown of the three reports; sources with fewer than 20 rows of a kind are left in, with their counts."""
    reports = {t: json.loads((out / f"{t}.json").read_text(encoding="utf-8")) for t in TASKS}
    jailbreak, lines = reports["jailbreak"], ["## Through the product", "", "`inferd models evaluate` on the held-out rows: normaliser, recognisers, windows, int8 file, thresholds of the manifest.", ""]
    lines += ["| jailbreak source | positives | recall | interval | benign rows | false positives | interval |", "|---|---|---|---|---|---|---|"]
    for r in jailbreak["sources"]:
        recall, false = r.get("recall") is not None, r.get("false_positive_rate") is not None
        lines.append(
            f"| {r['source']} | {r['n_jailbreak']} | {share(r, 'recall') if recall else '- | -'} "
            f"| {r['n_benign']} | {share(r, 'false_positive_rate') if false else '- | -'} |"
        )
    whole = jailbreak["overall"]
    lines += ["", f"Mean recall over sources {percent(whole['mean_recall'])}, mean false-positive rate over sources {percent(whole['mean_false_positive_rate'])}; "
              f"pooled AUC {whole['auc']:.3f}, recall at 1 % false positives {percent(whole['recall_at_fpr_1'])}, at 5 % {percent(whole['recall_at_fpr_5'])}.", ""]  # fmt: skip
    lines += ["| change to a recognised attack | tried | verdicts flipped | interval |", "|---|---|---|---|"]
    for r in jailbreak["robustness"]:
        lines.append(f"| {r['disguise'].replace('_', ' ')} | {r['n']} | {share(r, 'flipped')} |")
    lines += ["", "| domain source | n | accuracy | interval | calibration error |", "|---|---|---|---|---|"]
    for r in reports["domain"]["sources"]:
        lines.append(f"| {r['source']} | {r['n']} | {share(r, 'accuracy')} | {r['calibration_error']:.3f} |")
    pii = reports["pii"]["overall"]
    lines += ["", f"PII with the recognisers, {pii['n']} rows: token F1 {percent(pii['f1'])} ({percent(pii['f1_interval'][0])}-{percent(pii['f1_interval'][1])}), "
              f"precision {percent(pii['precision'])}, recall {percent(pii['recall'])}.", ""]  # fmt: skip
    return "\n".join(lines)
