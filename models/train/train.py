"""Fine-tunes the encoder and the three heads together; resumes from its last checkpoint.

The schedule runs over time, not steps: the learning rate is held, then falls to nearly nothing over
the last `FALL` of `minutes`, so that a machine busy with other work at first loses little. Each of
the `workers` processes has one thread and its own share of the batches; their weights are averaged
every `STEPS_PER_AVERAGE` steps (local SGD). On a crowded machine this beats one process with as many
threads, which waits for its slowest thread at every single operation. Every epoch draws fresh rows (new fillings, plants and noise) from fixed seeds.
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

TOKENS_PER_BATCH = 1280
STEPS_PER_AVERAGE = 4
ENCODER_RATE, HEAD_RATE = 1.2e-4, 1e-3
FROZEN_LAYERS = {6: 0, 12: 4}  # lowest layers left as they are, by depth: the backward pass of a deep network ends above them
FALL = 0.33  # share of the time over which the learning rate falls
AVERAGING = 0.997  # of the running average of the weights, per step
ROWS = {"jailbreak": 8000, "domain": 10000, "pii": 7000}
SMOOTHING = {"jailbreak": 0.01, "domain": 0.05, "pii": 0.0}
SAVE_EVERY_S = 300


def classifier(encoder_state) -> Classifier:
    """The whole network, with the vocabulary and the number of layers that `encoder_state` has."""
    layers = 1 + max(int(k.split(".")[1]) for k in encoder_state if k.startswith("layers."))
    shape = Shape(encoder_state["word.weight"].shape[0], layers)
    return Classifier(Encoder(shape), len(data_domain.DOMAINS), len(data_pii.TAGS))


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


def whiten(encoder, samples):
    """Rescales the last norm so that each hidden dimension has mean 0 and variance 1 over `samples`.

    The base model's states point nearly all one way (the mean vector holds 77 % of the squared
    norm, a dimension varies by 0.1), from which fresh heads learn slowly. The norm's own weights
    absorb the change, so the graph stays the same.
    """
    with torch.no_grad():
        states = []
        for start in range(0, len(samples), 16):
            ids, mask, _ = batches.collate(samples[start : start + 16])
            states.append(encoder(ids, mask)[mask.bool()])
        states = torch.cat(states)
        norm = encoder.layers[-1].out_norm
        mean, spread = states.mean(0), states.std(0).clamp_min(1e-3)
        norm.weight.div_(spread)
        norm.bias.sub_(mean).div_(spread)


def loss_of(model, task, ids, mask, targets):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model.head(task, model.encoder(ids, mask), mask)
    logits = logits.float()
    loss = nn.functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=-100, label_smoothing=SMOOTHING[task]
    )
    # A batch of long rows holds two or three: each would pull as hard as ten short ones.
    return loss if task == "pii" else loss * min(1.0, (len(ids) / 8) ** 0.5)


def average(parameters, elapsed, workers):
    """Makes all workers' weights, and their clocks, the mean of all."""
    if workers == 1:
        return elapsed
    with torch.no_grad():
        flat = torch.cat([p.flatten() for p in parameters] + [torch.tensor([elapsed])])
        torch.distributed.all_reduce(flat)
        flat /= workers
        at = 0
        for p in parameters:
            p.copy_(flat[at : at + p.numel()].view_as(p))
            at += p.numel()
    return float(flat[-1])


def freeze(encoder):
    """Leaves the word embeddings, and of a deep network all of its lowest layers, as the base has them."""
    encoder.word.weight.requires_grad = False
    frozen = FROZEN_LAYERS[encoder.shape.layers]
    if frozen:
        for part in (encoder.position, encoder.norm, *encoder.layers[:frozen]):
            part.requires_grad_(False)


def work_on(rank: int, workers: int, data: Path, wheels: Path, work: Path, minutes: float, seed: int):
    """One worker's whole training; worker 0 also keeps the running average, the log and the files."""
    if workers > 1:
        torch.set_num_threads(1)
        torch.distributed.init_process_group("gloo", init_method=f"file://{(work / 'meeting').resolve()}", rank=rank, world_size=workers)
    torch.manual_seed(seed)
    stage0 = work / "stage0"
    state = torch.load(stage0 / "student.pt", weights_only=True)
    model = classifier(state)
    model.encoder.load_state_dict(state)
    freeze(model.encoder)
    rows = Rows(data, wheels, stage0 / "tokenizer.json")
    checkpoint = work / "checkpoint.pt"
    saved = torch.load(checkpoint, weights_only=True) if checkpoint.exists() else None
    if not saved:
        first = rows.raw(0)
        mixed = [r for t in batches.TASKS for r in batches.encode(t, first[t][:80], rows.tok, 96)]
        whiten(model.encoder.eval(), [(ids, 0) for ids, _ in mixed])
    averaged = copy.deepcopy(model)
    encoder = [p for p in model.encoder.parameters() if p.requires_grad]
    heads = [p for n, p in model.named_parameters() if not n.startswith("encoder.")]
    optimiser = torch.optim.AdamW([{"params": encoder}, {"params": heads}], lr=0.0, weight_decay=0.01, fused=True)
    elapsed, epoch, at, step = 0.0, 0, 0, 0
    if saved:
        model.load_state_dict(saved["model"])
        averaged.load_state_dict(saved["averaged"])
        optimiser.load_state_dict(saved["optimiser"])
        elapsed, epoch, at, step = saved["elapsed"], saved["epoch"], saved["at"], saved["step"]
        if rank == 0:
            print(f"train: resumed at epoch {epoch}, batch {at}, {elapsed / 60:.1f} min", flush=True)
    trainable = [(a, b) for a, b in zip(averaged.parameters(), model.parameters()) if b.requires_grad]

    def save():
        torch.save({"model": model.state_dict(), "averaged": averaged.state_dict(), "optimiser": optimiser.state_dict(),
                    "elapsed": elapsed, "epoch": epoch, "at": at, "step": step}, checkpoint.with_suffix(".part"))  # fmt: skip
        os.replace(checkpoint.with_suffix(".part"), checkpoint)
        torch.save(averaged.state_dict(), work / "model.part")
        os.replace(work / "model.part", work / "model.pt")

    torch.manual_seed(seed + 1 + rank)
    model.train()
    log = open(work / "losses.jsonl", "a", encoding="utf-8") if rank == 0 else None
    means, last_save, mark = {}, time.time(), time.time()
    bar = tqdm(total=100, mininterval=30, desc="train", disable=rank != 0)
    while elapsed < minutes * 60:
        samples, plan = rows.epoch(epoch)
        if rank == 0:
            print(f"\ntrain: epoch {epoch}: {len(plan)} batches, rows { {t: len(s) for t, s in samples.items()} }", flush=True)
        # `at` counts batches of all workers; each takes every `workers`-th, and all take as many.
        usable = len(plan) - len(plan) % (workers * STEPS_PER_AVERAGE)
        while at < usable and elapsed < minutes * 60:
            done = elapsed / (minutes * 60)
            rise, fall = min(1.0, (step + 1) / 100), max(0.02, min(1.0, (1.0 - done) / FALL))
            for group, rate in zip(optimiser.param_groups, (ENCODER_RATE, HEAD_RATE)):
                group["lr"] = rate * rise * fall
            for _ in range(STEPS_PER_AVERAGE):
                task, indices = plan[at + rank]
                loss = loss_of(model, task, *batches.collate([samples[task][i] for i in indices]))
                loss.backward()
                means[task] = loss.item() if task not in means else 0.97 * means[task] + 0.03 * loss.item()
                nn.utils.clip_grad_norm_(encoder + heads, 1.0)
                optimiser.step()
                optimiser.zero_grad(set_to_none=True)
                step, at = step + 1, at + workers
            now = time.time()
            elapsed, mark = elapsed + now - mark, now
            elapsed = average([b for _, b in trainable], elapsed, workers)
            if rank:
                continue
            keep = min(AVERAGING, (1 + step) / (10 + step)) ** STEPS_PER_AVERAGE
            with torch.no_grad():
                for a, b in trainable:
                    a.lerp_(b, 1 - keep)
            bar.n = round(100 * elapsed / (minutes * 60), 1)
            if step % 24 < STEPS_PER_AVERAGE:
                rounded = {t: round(v, 4) for t, v in means.items()}
                bar.set_postfix_str(f"epoch {epoch} step {step} {rounded}")
                log.write(json.dumps({"step": step, "epoch": epoch, "minutes": round(elapsed / 60, 2)} | rounded) + "\n")
                log.flush()
            if now - last_save > SAVE_EVERY_S:
                save()
                last_save = time.time()
        if at >= usable:
            epoch, at = epoch + 1, 0
    if rank == 0:
        save()
        report = {"steps": step * workers, "epochs": epoch, "minutes": round(elapsed / 60, 1), "losses": {t: round(v, 4) for t, v in means.items()}}
        (work / "train.json").write_text(json.dumps(report) + "\n", encoding="utf-8")
        print(f"\ntrain: {report}", flush=True)


def run(data: Path, wheels: Path, work: Path, minutes: float, workers: int = 2, seed: int = 17):
    """Trains from `work/stage0` into `work/checkpoint.pt` and `work/model.pt` (averaged weights)."""
    (work / "meeting").unlink(missing_ok=True)
    arguments = (workers, data, wheels, work, minutes, seed)
    if workers == 1:
        work_on(0, *arguments)
    else:
        torch.multiprocessing.spawn(work_on, arguments, nprocs=workers)
    return json.loads((work / "train.json").read_text(encoding="utf-8"))
