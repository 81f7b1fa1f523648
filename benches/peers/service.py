"""A Python service of the usual kind: onnxruntime and tokenizers behind HTTP. One model for each folder, run one after the
other for each window; a model may have several heads.

It serves `{"text": ...}` or a chat request on a port that it prints, until standard input ends."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path

import numpy as np
import onnxruntime as ort
from tokenizers import Tokenizer

folders = [Path(name) for name in sys.argv[1:]]
tokenizer = Tokenizer.from_file(str(folders[0] / "tokenizer.json"))
tokenizer.no_truncation()
tokenizer.no_padding()
frame = tokenizer.encode("").ids
models = []
for folder in folders:
    manifest = json.loads((folder / "manifest.json").read_text())
    models.append((manifest, ort.InferenceSession(str(folder / manifest["file"]), providers=["CPUExecutionProvider"])))


def read(text):
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    labels = {}
    for manifest, session in models:
        heads, inputs = manifest["heads"], manifest["inputs"]
        overlap, window = manifest["window_overlap_tokens"], manifest["max_tokens"] - 2
        best = [None] * len(heads)
        for start in range(0, max(1, len(ids) - overlap), window - overlap):
            row = np.array([[frame[0], *ids[start : start + window], frame[-1]]], dtype=np.int64)
            feed = {inputs["ids"]: row, inputs["mask"]: np.ones_like(row)}
            for i, logits in enumerate(session.run([head["output"] for head in heads], feed)):
                scores = np.exp(logits[0] - logits[0].max(-1, keepdims=True))
                scores /= scores.sum(-1, keepdims=True)
                scores = scores.max(0) if scores.ndim == 2 else scores
                best[i] = scores if best[i] is None else np.maximum(best[i], scores)
        labels |= {head["signal"]: head["labels"][int(scores.argmax())] for head, scores in zip(heads, best)}
    return {"labels": labels, "tokens": len(ids)}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Else the head of an answer waits for the client's acknowledgement before the body follows.
    wbufsize = 1 << 16

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps(read(asked["text"] if "text" in asked else asked["messages"][-1]["content"])).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.request_queue_size = 128
threading.Thread(target=server.serve_forever, daemon=True).start()
names = ("onnxruntime", "tokenizers", "numpy")
print(json.dumps({"port": server.server_address[1], "versions": {n: version(n) for n in names}}), flush=True)
sys.stdin.read()
