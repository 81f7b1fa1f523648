"""Writes three separate models of mmBERT-base's shape with random weights, to see what loading them costs.

usage: make_base.py OUT TOKENIZER.json     needs torch 2.15, transformers 5.24, onnx 1.23, onnxruntime 1.31, numpy

768 wide, 22 layers, 12 heads, every third layer global, the others 64 positions to each side, 256 000 ids; products in int8, the
embedding in fp32, all weights in external data. Each folder serves one signal and has files of its own (2.7 GB in all).
The encoder is exported with a small vocabulary and its embedding replaced, so that this needs little memory. Then:

    inferd serve --model OUT/jailbreak --model OUT/domain --model OUT/pii ...
    grep Pss: /proc/PID/smaps_rollup
"""
import hashlib
import json
import shutil
import sys
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")
import numpy as np
import onnx
import torch
import transformers as tf
from onnx import TensorProto
from onnxruntime.quantization import QuantType, quantize_dynamic

WIDTH, IDS, FEW_IDS = 768, 256_000, 1_000
DOMAINS = ["biology", "business", "chemistry", "computer science", "economics", "engineering", "health", "history", "law", "math",
           "other", "philosophy", "physics", "psychology"]
HEADS = {"jailbreak": ["benign", "jailbreak"], "domain": DOMAINS, "pii": ["O", "B-PERSON", "I-PERSON"]}
# Smaller tensors stay in the graph.
EXTERNAL_BYTES = 4096


class Heads(torch.nn.Module):
    def __init__(self):
        super().__init__()
        config = tf.ModernBertConfig(
            vocab_size=FEW_IDS, hidden_size=WIDTH, intermediate_size=1152, num_hidden_layers=22, num_attention_heads=12,
            local_attention=128, global_attn_every_n_layers=3, max_position_embeddings=8192, pad_token_id=0, bos_token_id=2,
            eos_token_id=1, cls_token_id=1, sep_token_id=1, attn_implementation="sdpa")
        self.encoder = tf.ModernBertModel(config)
        self.heads = torch.nn.ModuleList(torch.nn.Linear(WIDTH, len(labels)) for labels in HEADS.values())

    def forward(self, input_ids, attention_mask):
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        weight = attention_mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * weight).sum(1) / weight.sum(1)
        jailbreak, domain, pii = self.heads
        return jailbreak(mean), domain(mean), pii(hidden)


def export(path):
    torch.manual_seed(1)
    ids = torch.randint(3, FEW_IDS, (2, 40))
    mask = torch.ones_like(ids)
    mask[1, 30:] = 0
    axes = {name: {0: "batch", 1: "seq"} for name in ("input_ids", "attention_mask", "pii")}
    axes |= {"jailbreak": {0: "batch"}, "domain": {0: "batch"}}
    torch.onnx.export(Heads().eval(), (ids, mask), str(path), dynamo=False, opset_version=17, dynamic_axes=axes,
                      input_names=["input_ids", "attention_mask"], output_names=list(HEADS))


def with_external_data(model, folder, seed):
    """Moves weights out, and gives the embedding its full size."""
    random = np.random.default_rng(seed)
    offset = 0
    with open(folder / "weights.bin", "wb") as out:
        for tensor in model.graph.initializer:
            dims = list(tensor.dims)
            if dims == [FEW_IDS, WIDTH]:
                tensor.dims[0] = IDS
                chunks = ((random.standard_normal((1000, WIDTH), np.float32) * 0.02).tobytes() for _ in range(IDS // 1000))
            elif len(tensor.raw_data) >= EXTERNAL_BYTES:
                chunks = [tensor.raw_data]
            else:
                continue
            # Mapped parts begin at a page.
            offset = (offset + 4095) // 4096 * 4096
            out.seek(offset)
            length = sum(out.write(chunk) for chunk in chunks)
            tensor.ClearField("raw_data")
            tensor.data_location = TensorProto.EXTERNAL
            del tensor.external_data[:]
            for key, value in (("location", "weights.bin"), ("offset", offset), ("length", length)):
                tensor.external_data.add(key=key, value=str(value))
            offset += length
    (folder / "model.onnx").write_bytes(model.SerializeToString())


def main():
    out, tokenizer = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    whole, small = out / "float.onnx", out / "int8.onnx"
    if not small.exists():
        export(whole)
        quantize_dynamic(whole, small, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"],
                         extra_options={"MatMulConstBOnly": True, "DefaultTensorType": 1})
        whole.unlink()
    for seed, (signal, labels) in enumerate(HEADS.items()):
        folder = out / signal
        folder.mkdir(exist_ok=True)
        model = onnx.load(small)
        # Other weights, so that no two files are alike.
        model.doc_string = signal
        with_external_data(model, folder, seed)
        shutil.copy(tokenizer, folder / "tokenizer.json")
        sha256 = lambda name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        (folder / "manifest.json").write_text(json.dumps({
            "schema": 1, "name": f"base-{signal}", "version": "1", "file": "model.onnx", "sha256": sha256("model.onnx"),
            "tokenizer": "tokenizer.json", "tokenizer_sha256": sha256("tokenizer.json"), "max_tokens": 512,
            "window_overlap_tokens": 64, "inputs": {"ids": "input_ids", "mask": "attention_mask"},
            "heads": [{"signal": signal, "output": signal, "kind": "token" if signal == "pii" else "sequence", "labels": labels,
                       "threshold": 0.5}]}, indent=1))
        print(signal, "written", flush=True)


if __name__ == "__main__":
    main()
