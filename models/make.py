#!/usr/bin/env python3
"""Makes a model folder from a data folder: fetch, distil, train, export, calibrate, evaluate.

Every stage leaves its result in the work folder and is skipped when that is there, so an
interrupted run goes on where it stopped. `--only` runs named stages alone.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import torch

from train import base, card, corpora, data_domain, data_jailbreak, data_pii, distil, evaluate, export, frontier, heldout_rows, product, train

STAGES = ("fetch", "distil", "train", "export", "evaluate", "frontier", "rows", "product")
PARTS = ("calibrate", "jailbreak", "smoke", "flips", "translated", "domain", "pii", "parity", "timing")


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder, one folder a source")
    parser.add_argument("--out", type=Path, required=True, help="model folder to write")
    parser.add_argument("--work", type=Path, default=Path("build/model-work"), help="wheels, checkpoints, float graph")
    parser.add_argument("--name", default="forebay-small")
    parser.add_argument("--version", default="2026.11.30.5")
    parser.add_argument("--distil-minutes", type=float, default=22.0)
    parser.add_argument("--train-minutes", type=float, default=296.0)
    parser.add_argument("--layers", type=int, choices=(6, 12), default=12, help="6 are distilled from the base first; 12 start from the base itself")
    parser.add_argument("--mean-of", type=Path, nargs="*", default=[], metavar="FILE", help="export: the mean of these networks' weights (a file named twice counts twice) becomes the work folder's model.pt")
    parser.add_argument("--compare", nargs="*", default=[], metavar="NAME=WORK", help="frontier: work folders of further networks")
    parser.add_argument("--inferd", type=Path, help="product: the built daemon (FOREBAY_ORT_LIB names ONNX Runtime); without it the stage is left out")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", choices=STAGES, nargs="*", default=list(STAGES))
    parser.add_argument("--parts", choices=PARTS, nargs="*", default=list(PARTS), help="parts of the evaluation to compute here")
    return parser.parse_args(argv)


def evaluate_all(args, wheels):
    """Calibrates, writes the manifest, measures; returns the report once every part is there.

    Each part is kept in the work folder under the model's hash, so several processes may share the
    parts out (`--parts`) and an interrupted evaluation goes on.
    """
    int8, data = args.out / "model.onnx", args.data
    folder = args.work / "parts" / export.sha256(int8)[:16]
    folder.mkdir(parents=True, exist_ok=True)
    sess, tok = export.session(int8, 1), export.batches.tokenizer(args.out / "tokenizer.json")

    def part(name, make):
        path = folder / f"{name}.json"
        if not path.exists() and name in args.parts:
            path.write_text(json.dumps(make(), ensure_ascii=False), encoding="utf-8")
            print(f"evaluate: {name} done", flush=True)
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    calibrated = part("calibrate", lambda: evaluate.calibrate(sess, tok, data, wheels))
    if not calibrated:
        return None
    settings, validation = calibrated
    export.manifest(args.out, args.name, args.version, settings)
    held_out = data_jailbreak.held_out(data)
    harmful = data_jailbreak.plainest() + [(t, 0, "plain_harmful_requests") for t in corpora.harmful_requests(data)[::3]]
    domain = data_domain.Builder(data).held_out + data_domain.chat_heldout()
    pii = data_pii.templates(data)[2]
    texts = [t for t, *_ in held_out[::60]] + [t for t, *_ in domain[::60]] + [t for t, _ in pii[::6]]
    done = {
        "smoke": part("smoke", lambda: evaluate.jailbreak_table(sess, tok, harmful, settings["jailbreak"])[0]),
        "pii": part("pii", lambda: evaluate.pii_table(sess, tok, pii)),
        "jailbreak": part("jailbreak", lambda: evaluate.jailbreak_table(sess, tok, held_out, settings["jailbreak"])[:2]),
        "domain": part("domain", lambda: evaluate.domain_table(sess, tok, domain, settings["domain"]["temperature"])),
        "translated": part("translated", lambda: evaluate.translated(sess, tok, data, settings["jailbreak"])),
        "flips": part("flips", lambda: evaluate.flips(sess, tok, held_out, settings["jailbreak"])),
        "parity": part("parity", lambda: export.parity(export.load(args.work / "model.pt"), args.work / "float.onnx", int8, texts, tok)),
        "timing": part("timing", lambda: {"int8": export.timing(int8), "float": export.timing(args.work / "float.onnx")}),
    }  # fmt: skip
    missing = [name for name, value in done.items() if value is None]
    if missing:
        print(f"evaluate: still missing {missing}", flush=True)
        return None
    table, summary = done["jailbreak"]
    return {
        "settings": settings,
        "validation": validation,
        "jailbreak": {"sources": table, "summary": summary, "smoke": done["smoke"], "flips": done["flips"], "translated": done["translated"]},
        "domain": {"sources": done["domain"]},
        "pii": done["pii"],
        "parity": done["parity"],
        "cpu_ms_one_thread": done["timing"],
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
        log["distil"] = distil.run(args.data, wheels, args.work / "stage0", args.distil_minutes if args.layers == 6 else 0.0, args.layers)
    if "train" in args.only:
        log["train"] = train.run(args.data, wheels, args.work, args.train_minutes, args.threads)
    if "export" in args.only:
        if args.mean_of:
            export.mean(args.mean_of, args.work / "model.pt")
        export.folder(args.work / "model.pt", args.work / "stage0/tokenizer.json", args.work, args.out)
    if "evaluate" in args.only:
        report = evaluate_all(args, wheels)
        if report:
            report_path.write_text(json.dumps(report | {"log": log}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            print(json.dumps(report["jailbreak"]["summary"]), f"-> {report_path}", flush=True)
    if "frontier" in args.only:
        others = [(name, Path(folder)) for name, folder in (c.split("=", 1) for c in args.compare)]
        tok = export.batches.tokenizer(args.work / "stage0/tokenizer.json")
        measured = frontier.run(args.data, args.work, tok, args.layers, others)
        (args.work / "frontier.json").write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
        (args.work / "frontier.md").write_text(frontier.table(measured) + "\n", encoding="utf-8")
    if "rows" in args.only:
        print(f"held-out rows {heldout_rows.write(args.data, args.work / 'heldout')} -> {args.work / 'heldout'}", flush=True)
    if "product" in args.only and args.inferd:
        product.run(args.inferd, args.out, args.work / "heldout", args.work / "product")
    card.write(args.work, args.out)
    print(f"done in {time.time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    # Faker draws from lists that it makes from sets: the same seed gives the same rows only if strings hash alike.
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | {"PYTHONHASHSEED": "0"})
    main()
