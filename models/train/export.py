"""PyTorch to ONNX (float), to int8 weights, and the checks that both still say the same."""

import hashlib
import json
import os
import shutil
import time
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from . import batches, data_domain, data_pii
from .train import classifier

OUTPUTS = ("jailbreak", "domain", "pii")
OPSET = 17


def load(weights: Path):
    state = torch.load(weights, weights_only=True)
    model = classifier({k.removeprefix("encoder."): v for k, v in state.items() if k.startswith("encoder.")})
    model.load_state_dict(state)
    return model.eval()


def mean(sources, target: Path):
    """Writes the mean of networks of one shape, for instance the ends of two sittings of one training: it
    errs less on text unlike the training's than either (arXiv 2203.05482)."""
    states = [torch.load(path, weights_only=True) for path in sources]
    torch.save({name: sum(state[name] for state in states) / len(states) for name in states[0]}, target)


def to_onnx(model, path: Path):
    """Writes the float graph; batch and sequence are free."""
    model.spell_out_attention()
    ids = torch.randint(5, 1000, (2, 24))
    axes = {"input_ids": {0: "batch", 1: "seq"}, "attention_mask": {0: "batch", 1: "seq"}}
    axes |= {"jailbreak": {0: "batch"}, "domain": {0: "batch"}, "pii": {0: "batch", 1: "seq"}}
    torch.onnx.export(
        model, (ids, torch.ones_like(ids)), str(path), input_names=["input_ids", "attention_mask"],
        output_names=list(OUTPUTS), dynamic_axes=axes, opset_version=OPSET, dynamo=False,
    )  # fmt: skip
    model.spell_out_attention(False)
    onnx.checker.check_model(str(path))


def to_int8(source: Path, target: Path, per_channel: bool = True):
    """Quantises the encoder; the heads are 0.5 % of the weights and stay in float."""
    nodes = onnx.load(str(source)).graph.node
    heads = [n.name for n in nodes if n.name.startswith(("/pii", "/domain", "/jailbreak")) and n.op_type in ("MatMul", "Gemm")]
    if not heads:
        raise ValueError("no head nodes found in the graph: node names have changed")
    quantize_dynamic(
        str(source), str(target), weight_type=QuantType.QInt8, per_channel=per_channel,
        op_types_to_quantize=["MatMul", "Gather", "Gemm"], nodes_to_exclude=heads,
    )  # fmt: skip


def session(path: Path, threads: int = 1):
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def run(sess, id_lists):
    """Logits of one padded batch as a dict of arrays."""
    ids, mask, _ = batches.collate([(i, 0) for i in id_lists])
    return dict(zip(OUTPUTS, sess.run(list(OUTPUTS), {"input_ids": ids.numpy(), "attention_mask": mask.numpy()})))


def parity(model, float_path: Path, int8_path: Path, texts, tok):
    """Agreement of labels and largest logit difference: torch against float ONNX against int8."""
    float_session, int8_session = session(float_path), session(int8_path)
    error = {"onnx_float": {o: 0.0 for o in OUTPUTS}, "onnx_int8": {o: 0.0 for o in OUTPUTS}}
    same, total = {o: 0 for o in OUTPUTS}, {o: 0 for o in OUTPUTS}
    for encoding in tok.encode_batch(texts):
        ids = encoding.ids[:512]
        with torch.no_grad():
            row = torch.tensor([ids])
            want = dict(zip(OUTPUTS, (t.numpy() for t in model(row, torch.ones_like(row)))))
        plain, small = run(float_session, [ids]), run(int8_session, [ids])
        for o in OUTPUTS:
            error["onnx_float"][o] = max(error["onnx_float"][o], float(np.abs(want[o] - plain[o]).max()))
            error["onnx_int8"][o] = max(error["onnx_int8"][o], float(np.abs(want[o] - small[o]).max()))
            a, b = want[o].argmax(-1), small[o].argmax(-1)
            same[o] += int((a == b).sum())
            total[o] += a.size
    agreement = {o: round(same[o] / total[o], 4) for o in OUTPUTS}
    return {"texts": len(texts), "max_logit_error": error, "label_agreement_int8": agreement, "labels_compared": total}


def timing(path: Path, lengths=(32, 128, 512), runs: int = 12):
    """CPU milliseconds of one forward pass, one thread, by length in tokens (median of `runs`)."""
    sess, out = session(path), {}
    for length in lengths:
        ids = [list(np.random.default_rng(0).integers(10, 20_000, length))]
        run(sess, ids)
        taken = []
        for _ in range(runs):
            start = time.process_time()
            run(sess, ids)
            taken.append((time.process_time() - start) * 1000)
        out[str(length)] = round(float(np.median(taken)), 1)
    return out


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def manifest(out: Path, name: str, version: str, settings: dict):
    """Writes `manifest.json`; `settings` holds temperatures and thresholds."""
    tags = list(data_pii.TAGS)
    heads = [
        {"signal": "jailbreak", "output": "jailbreak", "kind": "sequence", "labels": ["benign", "jailbreak"],
         "threshold": settings["jailbreak"]["threshold"], "temperature": settings["jailbreak"]["temperature"], "window_prior": settings["jailbreak"]["window_prior"]},
        {"signal": "domain", "output": "domain", "kind": "sequence", "labels": list(data_domain.DOMAINS),
         "threshold": settings["domain"]["threshold"], "temperature": settings["domain"]["temperature"]},
        {"signal": "pii", "output": "pii", "kind": "token", "labels": tags, "threshold": settings["pii"]["threshold"],
         "type_thresholds": settings["pii"]["type_thresholds"], "temperature": settings["pii"]["temperature"]},
    ]  # fmt: skip
    body = {
        "schema": 1, "name": name, "version": version, "file": "model.onnx", "sha256": sha256(out / "model.onnx"),
        "tokenizer": "tokenizer.json", "tokenizer_sha256": sha256(out / "tokenizer.json"), "max_tokens": 512,
        "window_overlap_tokens": 64, "text_prefix": "", "lowercase_shouting": True, "inputs": {"ids": "input_ids", "mask": "attention_mask"}, "heads": heads,
    }  # fmt: skip
    (out / "manifest.json").write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")


def folder(weights: Path, tokenizer_path: Path, work: Path, out: Path):
    """Float and int8 graphs in `work`, the shipped files in `out`; returns the model and tokenizer."""
    out.mkdir(parents=True, exist_ok=True)
    model = load(weights)
    to_onnx(model, work / "float.onnx")
    to_int8(work / "float.onnx", work / "int8.onnx")
    shutil.copyfile(work / "int8.onnx", out / "model.onnx")
    shutil.copyfile(tokenizer_path, out / "tokenizer.json")
    for name in ("model.onnx", "tokenizer.json"):
        os.chmod(out / name, 0o644)
    return model, batches.tokenizer(tokenizer_path)
