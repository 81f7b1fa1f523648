"""Fine-tunes the encoder and the three heads together; resumes from its last checkpoint.

The schedule runs over time, not steps: `minutes` of training, the learning rate falling to nearly
nothing at the end. Every epoch draws fresh rows (new fillings, plants and noise) from fixed seeds.
"""

import copy
import json
import os
import random
import time
from pathlib import Path

import torch
from torch import nn
from tqdm import tqdm

from . import batches, data_domain, data_jailbreak, data_pii
from .encoder import Classifier, Encoder, Shape

TOKENS_PER_BATCH = 2048
BATCHES_PER_STEP = 2
ENCODER_RATE, HEAD_RATE = 1.6e-4, 1e-3
AVERAGING = 0.996
ROWS = {"jailbreak": 8000, "domain": 7600, "pii": 8000}
SMOOTHING = {"jailbreak": 0.01, "domain": 0.05, "pii": 0.0}
SAVE_EVERY_S = 300


def classifier(vocab: int) -> Classifier:
    return Classifier(Encoder(Shape(vocab)), len(data_domain.DOMAINS), len(data_pii.TAGS))


class Rows:
    """The three builders; `epoch(n)` gives encoded samples and a mixed list of batches."""

    def __init__(self, data: Path, wheels: Path, tokenizer_path: Path):
        self.tok = batches.tokenizer(tokenizer_path)
        self.jailbreak = data_jailbreak.Builder(data, wheels)
        self.domain = data_domain.Builder(data)
        self.pii = data_pii.Builder(data)
        self.guard = data_jailbreak.Guard(data_jailbreak.held_out(data))

    def raw(self, number: int):
        """Rows of epoch `number`, held-out look-alikes removed."""
        seed = 1000 + number
        jailbreak = [r for r in self.jailbreak.epoch(seed, ROWS["jailbreak"]) if not self.guard.is_leak(r[0])]
        return {"jailbreak": jailbreak, "domain": self.domain.epoch(seed, ROWS["domain"]), "pii": self.pii.epoch(seed, ROWS["pii"])}

    def epoch(self, number: int):
        rng = random.Random(number)
        samples = {t: batches.encode(t, rows, self.tok) for t, rows in self.raw(number).items()}
        plan = [(t, b) for t in batches.TASKS for b in batches.group(samples[t], TOKENS_PER_BATCH, rng)]
        rng.shuffle(plan)
        return samples, plan


def loss_of(model, task, ids, mask, targets):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model.head(task, model.encoder(ids, mask), mask)
    logits = logits.float()
    return nn.functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=-100, label_smoothing=SMOOTHING[task]
    )


def run(data: Path, wheels: Path, work: Path, minutes: float, seed: int = 17):
    """Trains from `work/stage0` into `work/checkpoint.pt` and `work/model.pt` (averaged weights)."""
    torch.manual_seed(seed)
    stage0 = work / "stage0"
    state = torch.load(stage0 / "student.pt", weights_only=True)
    model = classifier(state["word.weight"].shape[0])
    model.encoder.load_state_dict(state)
    model.encoder.word.weight.requires_grad = False
    averaged = copy.deepcopy(model)
    encoder = [p for p in model.encoder.parameters() if p.requires_grad]
    heads = [p for n, p in model.named_parameters() if not n.startswith("encoder.")]
    optimiser = torch.optim.AdamW([{"params": encoder}, {"params": heads}], lr=0.0, weight_decay=0.01)
    elapsed, epoch, at, step = 0.0, 0, 0, 0
    checkpoint = work / "checkpoint.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(saved["model"])
        averaged.load_state_dict(saved["averaged"])
        optimiser.load_state_dict(saved["optimiser"])
        elapsed, epoch, at, step = saved["elapsed"], saved["epoch"], saved["at"], saved["step"]
        print(f"train: resumed at epoch {epoch}, batch {at}, {elapsed / 60:.1f} min", flush=True)
    rows = Rows(data, wheels, stage0 / "tokenizer.json")
    trainable = [(a, b) for a, b in zip(averaged.parameters(), model.parameters()) if b.requires_grad]

    def save():
        torch.save({"model": model.state_dict(), "averaged": averaged.state_dict(), "optimiser": optimiser.state_dict(),
                    "elapsed": elapsed, "epoch": epoch, "at": at, "step": step}, checkpoint.with_suffix(".part"))  # fmt: skip
        os.replace(checkpoint.with_suffix(".part"), checkpoint)
        torch.save(averaged.state_dict(), work / "model.part")
        os.replace(work / "model.part", work / "model.pt")

    model.train()
    log = open(work / "losses.jsonl", "a", encoding="utf-8")
    means, last_save, mark = {}, time.time(), time.time()
    bar = tqdm(total=100, mininterval=30, desc="train")
    while elapsed < minutes * 60:
        samples, plan = rows.epoch(epoch)
        print(f"\ntrain: epoch {epoch}: {len(plan)} batches, rows { {t: len(s) for t, s in samples.items()} }", flush=True)
        while at < len(plan) and elapsed < minutes * 60:
            done = elapsed / (minutes * 60)
            rise, fall = min(1.0, (step + 1) / 80), max(0.02, 1.0 - done)
            for group, rate in zip(optimiser.param_groups, (ENCODER_RATE, HEAD_RATE)):
                group["lr"] = rate * rise * fall
            for task, indices in plan[at : at + BATCHES_PER_STEP]:
                loss = loss_of(model, task, *batches.collate([samples[task][i] for i in indices]))
                (loss / BATCHES_PER_STEP).backward()
                means[task] = loss.item() if task not in means else 0.97 * means[task] + 0.03 * loss.item()
            nn.utils.clip_grad_norm_(encoder + heads, 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            step, at = step + 1, at + BATCHES_PER_STEP
            keep = min(AVERAGING, (1 + step) / (10 + step))
            with torch.no_grad():
                for a, b in trainable:
                    a.lerp_(b, 1 - keep)
            now = time.time()
            elapsed, mark = elapsed + now - mark, now
            bar.n = round(100 * elapsed / (minutes * 60), 1)
            if step % 25 == 0:
                rounded = {t: round(v, 4) for t, v in means.items()}
                bar.set_postfix_str(f"epoch {epoch} step {step} {rounded}")
                log.write(json.dumps({"step": step, "epoch": epoch, "minutes": round(elapsed / 60, 2)} | rounded) + "\n")
                log.flush()
            if now - last_save > SAVE_EVERY_S:
                save()
                last_save = time.time()
        if at >= len(plan):
            epoch, at = epoch + 1, 0
    save()
    print(f"\ntrain: {step} steps, {epoch} whole epochs, {elapsed / 60:.1f} min, losses {means}", flush=True)
    return {"steps": step, "epochs": epoch, "minutes": round(elapsed / 60, 1), "losses": {t: round(v, 4) for t, v in means.items()}}
