#!/usr/bin/env python3
"""Makes a model folder from a data folder: fetch, distil, train, export, calibrate, evaluate.

Every stage leaves its result in the work folder and is skipped when that is there, so an
interrupted run goes on where it stopped. `--only` runs named stages alone.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import torch

from train import base, card, corpora, data_domain, data_jailbreak, data_pii, distil, evaluate, export, train

STAGES = ("fetch", "distil", "train", "export", "evaluate")


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder, one folder a source")
    parser.add_argument("--out", type=Path, required=True, help="model folder to write")
    parser.add_argument("--work", type=Path, default=Path("build/model-work"), help="wheels, checkpoints, float graph")
    parser.add_argument("--name", default="forebay-small")
    parser.add_argument("--version", default="2026.11.29")
    parser.add_argument("--distil-minutes", type=float, default=22.0)
    parser.add_argument("--train-minutes", type=float, default=75.0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", choices=STAGES, nargs="*", default=list(STAGES))
    return parser.parse_args(argv)


def evaluate_all(args, model, tok, wheels):
    """Calibrates, writes the manifest, measures; returns the report."""
    int8 = args.out / "model.onnx"
    sess = export.session(int8, args.threads)
    settings, validation = evaluate.calibrate(sess, tok, args.data, wheels)
    export.manifest(args.out, args.name, args.version, settings)
    held_out = data_jailbreak.held_out(args.data)
    table, summary, _ = evaluate.jailbreak_table(sess, tok, held_out, settings["jailbreak"])
    harmful = [(t, 0, "plain_harmful_requests") for t in corpora.harmful_requests(args.data)[::3]]
    smoke, _, _ = evaluate.jailbreak_table(sess, tok, data_jailbreak.plainest() + harmful, settings["jailbreak"])
    domain = data_domain.Builder(args.data).held_out + data_domain.chat_heldout()
    pii = data_pii.templates(args.data)[2]
    texts = [t for t, *_ in held_out[::40]] + [t for t, *_ in domain[::60]] + [t for t, _ in pii[::6]]
    return {
        "settings": settings,
        "validation": validation,
        "jailbreak": {"sources": table, "summary": summary, "smoke": smoke, "flips": evaluate.flips(sess, tok, held_out, settings["jailbreak"])},
        "domain": {"sources": evaluate.domain_table(sess, tok, domain, settings["domain"]["temperature"])},
        "pii": evaluate.pii_table(sess, tok, pii),
        "parity": export.parity(model, args.work / "float.onnx", int8, texts, tok),
        "cpu_ms_one_thread": {"int8": export.timing(int8), "float": export.timing(args.work / "float.onnx")},
        "bytes": {p.name: p.stat().st_size for p in sorted(args.out.iterdir()) if p.is_file()},
    }


def main(argv=None):
    args = parse(argv)
    torch.set_num_threads(args.threads)
    wheels, report_path = args.work / "wheels", args.work / "report.json"
    args.work.mkdir(parents=True, exist_ok=True)
    started, log = time.time(), {}
    if "fetch" in args.only:
        base.fetch(wheels)
    if "distil" in args.only and not (args.work / "stage0/student.pt").exists():
        log["distil"] = distil.run(args.data, wheels, args.work / "stage0", args.distil_minutes)
    if "train" in args.only:
        log["train"] = train.run(args.data, wheels, args.work, args.train_minutes, args.threads)
    if "export" in args.only or "evaluate" in args.only:
        model, tok = export.folder(args.work / "model.pt", args.work / "stage0/tokenizer.json", args.work, args.out)
    if "evaluate" in args.only:
        report = evaluate_all(args, model, tok, wheels) | {"log": log}
        report_path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        card.write(report_path, args.out)
        print(json.dumps(report["jailbreak"]["summary"]), f"-> {report_path}", flush=True)
    print(f"done in {time.time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
