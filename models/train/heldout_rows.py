"""Writes the held-out rows as JSONL for `inferd models evaluate`, which runs the whole product."""

import json
from pathlib import Path

from . import data_domain, data_jailbreak, data_pii


def in_bytes(text: str, spans):
    """Character spans as UTF-8 byte spans."""
    at = lambda i: len(text[:i].encode())
    return [{"start": at(s), "end": at(e), "type": t} for s, e, t in sorted(spans)]


def write(data: Path, out: Path):
    """`jailbreak.jsonl`, `domain.jsonl`, `pii.jsonl` in `out`; returns the row counts."""
    out.mkdir(parents=True, exist_ok=True)
    names = ("benign", "jailbreak")
    files = {
        "jailbreak": [{"text": t, "label": names[l], "source": s} for t, l, s in data_jailbreak.held_out(data)],
        "domain": [{"text": t, "label": d, "source": s} for t, d, s in data_domain.Builder(data).held_out + data_domain.chat_heldout()],
        "pii": [{"text": t, "spans": in_bytes(t, s), "source": "presidio_templates"} for t, s in data_pii.templates(data)[2]],
    }
    for name, rows in files.items():
        with open(out / f"{name}.jsonl", "w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
    return {name: len(rows) for name, rows in files.items()}
