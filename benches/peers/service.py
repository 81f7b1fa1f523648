"""A Python service of the usual kind: three models by onnxruntime and tokenizers, one after the other, behind HTTP.

It serves on a port that it prints, until standard input ends."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path

import numpy as np
import onnxruntime as ort
from tokenizers import Tokenizer

WINDOW, OVERLAP = 510, 64
folders = [Path(name) for name in sys.argv[1:]]
tokenizer = Tokenizer.from_file(str(folders[0] / "tokenizer.json"))
tokenizer.no_truncation()
tokenizer.no_padding()
frame = tokenizer.encode("").ids
sessions = []
for folder in folders:
    head = json.loads((folder / "manifest.json").read_text())["heads"][0]
    sessions.append((head, ort.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])))


def read(text):
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    starts = range(0, max(1, len(ids) - OVERLAP), WINDOW - OVERLAP)
    labels = {}
    for head, session in sessions:
        best = None
        for start in starts:
            row = np.array([[frame[0], *ids[start : start + WINDOW], frame[-1]]], dtype=np.int64)
            logits = session.run([head["output"]], {"input_ids": row, "attention_mask": np.ones_like(row)})[0][0]
            scores = np.exp(logits - logits.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            scores = scores.max(0) if scores.ndim == 2 else scores
            best = scores if best is None else np.maximum(best, scores)
        labels[head["signal"]] = head["labels"][int(best.argmax())]
    return {"labels": labels, "tokens": len(ids)}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        text = json.loads(self.rfile.read(int(self.headers["content-length"])))["messages"][-1]["content"]
        body = json.dumps(read(text)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
names = ("onnxruntime", "tokenizers", "numpy")
print(json.dumps({"port": server.server_address[1], "versions": {n: version(n) for n in names}}), flush=True)
sys.stdin.read()
