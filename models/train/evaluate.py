"""Calibration on validation rows, then the tables on held-out sources.

Reads the shipped int8 file through ONNX Runtime with the product's windows: 510 content tokens,
64 of overlap; jailbreak takes the highest window (less a share of the log of their number), domain the mean of the logits, PII the union.
(The product's normaliser and recognisers are not part of this: `inferd models evaluate` has them.)
"""

import collections
import math
import random

import numpy as np
from tqdm import tqdm

from . import benign_words, data_domain, data_jailbreak, data_pii, export

WINDOW, OVERLAP = 510, 64
COUNTED_WINDOWS = 32


def wilson(hits: int, n: int, z: float = 1.96):
    """95 % interval of a share."""
    if n == 0:
        return (0.0, 1.0)
    p = hits / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return (max(0.0, middle - half), min(1.0, middle + half))


def windows(encoding):
    """Id lists of one text, each with its special tokens."""
    content = encoding.ids[1:-1]
    first, last = encoding.ids[0], encoding.ids[-1]
    starts = range(0, max(1, len(content) - OVERLAP), WINDOW - OVERLAP) if len(content) > WINDOW else [0]
    return [[first] + content[s : s + WINDOW] + [last] for s in starts]


def logits(sess, tok, texts, output: str, label: str = ""):
    """Per text the array of its windows' logits `[windows, classes]`."""
    jobs = [(n, w) for n, e in enumerate(tok.encode_batch(list(texts))) for w in windows(e)]
    order = sorted(range(len(jobs)), key=lambda j: len(jobs[j][1]))
    got = collections.defaultdict(dict)
    bar = tqdm(total=len(jobs), desc=label or output, mininterval=15, leave=False)
    at = 0
    while at < len(order):
        size = max(1, min(32, 2048 // len(jobs[order[at]][1])))
        chunk = order[at : at + size]
        out = export.run(sess, [jobs[j][1] for j in chunk])[output]
        for j, row in zip(chunk, out):
            got[jobs[j][0]][j] = row
        at += size
        bar.update(len(chunk))
    bar.close()
    return [np.stack([got[n][j] for j in sorted(got[n])]) for n in range(len(got))]


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def odds(window_logits, temperature, prior):
    """Log odds of an attack in a text: its highest window's, less `prior` times the log of how many windows there are.

    A text of n windows has n chances to be flagged by mistake; an attack is no likelier in it than in a short one. At most
    `COUNTED_WINDOWS` count, or no attack would reach the threshold in a text that is long enough.
    """
    n = min(len(window_logits), COUNTED_WINDOWS)
    return float((window_logits[:, 1] - window_logits[:, 0]).max()) / temperature - prior * math.log(n)


def jailbreak_scores(sess, tok, texts, temperature=1.0, label="", prior=0.0):
    rows = logits(sess, tok, texts, "jailbreak", label)
    return np.array([1 / (1 + math.exp(-odds(row, temperature, prior))) for row in rows])


def flagged(sess, tok, texts, settings, label):
    """Per text whether its score reaches the threshold of `settings`."""
    return jailbreak_scores(sess, tok, texts, settings["temperature"], label, settings["window_prior"]) >= settings["threshold"]


def auc(pos, neg):
    """Chance that a positive outranks a negative."""
    both = np.concatenate([pos, neg])
    order = both.argsort(kind="stable")
    ranks = np.empty(len(both))
    ranks[order] = np.arange(1, len(both) + 1)
    for value in np.unique(both):
        same = both == value
        if same.sum() > 1:
            ranks[same] = ranks[same].mean()
    return float((ranks[: len(pos)].sum() - len(pos) * (len(pos) + 1) / 2) / (len(pos) * len(neg)))


def best_temperature(rows, targets):
    """Temperature with the least negative log likelihood (grid of 0.4 to 4)."""
    grid = [round(0.4 * 1.06**i, 3) for i in range(40)]
    cost = lambda t: -np.mean([math.log(max(1e-9, softmax(r / t)[y])) for r, y in zip(rows, targets)])
    return min(grid, key=cost)


PRIORS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
LONG_TEXTS = 80
# Of harmless validation rows, averaged over sources: three quarters of the goal's 2 %. Most of these sources are written to lie
# close to attacks (twins of attacks in the same words above all), so held-out ones are flagged less: 0.2 % where these were at 0.75.
FALSE_POSITIVES = 0.015


def long_texts(builder, rng):
    """`LONG_TEXTS` harmless texts of 4 to 20 windows, and as many with one short attack planted in them."""
    out = []
    for label in (0, 1):
        for _ in range(LONG_TEXTS):
            text = builder.long_document(rng, 6_000, 36_000)
            out.append((builder.planted(text, [builder.short_attack(rng)], rng) if label else text, label))
    return out


def choose_prior(values, labels, settings):
    """The least of `PRIORS` that flags at most 5 % of harmless long texts, the goal's bound for any source (the last where none does), and
    what each of them does.

    `values`: for each text the logits `(windows, 2)`.
    """
    limit = math.log(settings["threshold"] / (1 - settings["threshold"]))
    table = []
    for prior in PRIORS:
        over = [odds(v, settings["temperature"], prior) >= limit for v in values]
        rate = lambda label: float(np.mean([o for o, l in zip(over, labels) if l == label]))
        table.append({"window_prior": prior, "false_positive_rate": rate(0), "recall": rate(1), "n": labels.count(0)})
    good = [r["window_prior"] for r in table if r["false_positive_rate"] <= 0.05]
    return (good or [PRIORS[-1]])[0], table


def choose_threshold(sources):
    """The least of 0.500 to 0.969 (the last where none does) that lets at most `FALSE_POSITIVES` of the harmless rows
    pass, averaged over `sources` (one array of scores each), and the share that it lets pass."""
    for threshold in (i / 1000 for i in range(500, 970)):
        passed = float(np.mean([(scores >= threshold).mean() for scores in sources]))
        if passed <= FALSE_POSITIVES:
            break
    return threshold, passed


def choose_type_thresholds(sess, tok, rows):
    """Per open-class type the threshold of 0.3 to 0.8 with the best token F1; spans of structured types keep 0.5."""
    kept, counts = [i / 20 for i in range(6, 17)], collections.Counter()
    for encoding, (text, spans) in zip(tok.encode_batch([t for t, _ in rows]), rows):
        want = [data_pii.TAGS[i][2:] for i in data_pii.tag_ids(encoding, spans)[1:-1][:WINDOW]]
        ids = [encoding.ids[0], *encoding.ids[1:-1][:WINDOW], encoding.ids[-1]]
        share = softmax(export.run(sess, [ids])["pii"][0][1:-1])
        for w, row in zip(want, share):
            best = int(row.argmax())
            kind = data_pii.TAGS[best][2:]
            for threshold in kept:
                seen = kind and row[best] >= threshold
                if seen:
                    counts[(kind, threshold, "tp" if kind == w else "fp")] += 1
                if w and not (seen and kind == w):
                    counts[(w, threshold, "fn")] += 1
    out = {}
    for kind in ("PERSON", "ORGANIZATION", "GPE", "TITLE", "DATE_TIME", "NRP"):
        f1 = lambda t: 2 * counts[(kind, t, "tp")] / max(1, 2 * counts[(kind, t, "tp")] + counts[(kind, t, "fp")] + counts[(kind, t, "fn")])
        out[kind] = max(kept, key=lambda t: (f1(t), -abs(t - 0.6)))
    return out


def calibrate(sess, tok, data, wheels, size=2400):
    """Temperatures and thresholds from validation rows of training sources only."""
    builder = data_jailbreak.Builder(data, wheels, validation=True)
    rows = builder.epoch(77, size)
    values = logits(sess, tok, [t for t, *_ in rows], "jailbreak", "calibrate jailbreak")
    top = [w[(w[:, 1] - w[:, 0]).argmax()] for w in values]
    temperature = best_temperature(top, [l for _, l, _ in rows])
    scores = np.array([softmax(w / temperature)[1] for w in top])
    labels = np.array([l for _, l, _ in rows])
    # Author-made negatives are drawn from few templates: real text and they count separately.
    real = np.array([not s.startswith("author:") and s != "plain_harmful" for _, _, s in rows])
    benign_real, benign_own = scores[(labels == 0) & real], scores[(labels == 0) & ~real]
    by = collections.defaultdict(list)
    for (_, label, source), score in zip(rows, scores):
        if label == 0:
            by[source].append(score)
    threshold, passed = choose_threshold([np.array(s) for s in by.values() if len(s) >= 20])
    report = {
        "rows": len(rows), "auc": auc(scores[labels == 1], scores[labels == 0]),
        "recall": float((scores[labels == 1] >= threshold).mean()), "false_positives_mean": passed,
        "false_positives_real": float((benign_real >= threshold).mean()), "n_real": len(benign_real),
        "false_positives_authored": float((benign_own >= threshold).mean()), "n_authored": len(benign_own),
    }  # fmt: skip
    validation = random.Random(3).sample(data_domain.Builder(data).validation, 6000)
    by_class = collections.defaultdict(list)
    for text, domain, kind in validation:
        if kind == "exam" or len(by_class[domain]) < 40:
            by_class[domain].append((text, domain))
    picked = [r for d in data_domain.DOMAINS for r in by_class[d][:55]]
    values = [l.mean(0) for l in logits(sess, tok, [t for t, _ in picked], "domain", "calibrate domain")]
    domain_temperature = best_temperature(values, [data_domain.DOMAINS.index(d) for _, d in picked])
    settings = {
        "jailbreak": {"threshold": threshold, "temperature": temperature},
        "domain": {"threshold": 0.4, "temperature": domain_temperature},
        "pii": {"threshold": 0.5, "type_thresholds": choose_type_thresholds(sess, tok, data_pii.Builder(data).validation(400)), "temperature": 1.0},
    }  # fmt: skip
    rows = long_texts(builder, random.Random(9))
    values = logits(sess, tok, [t for t, _ in rows], "jailbreak", "calibrate long texts")
    settings["jailbreak"]["window_prior"], report["long_texts"] = choose_prior(values, [l for _, l in rows], settings["jailbreak"])
    return settings, report


def jailbreak_table(sess, tok, rows, settings):
    """Per source: n, recall or false-positive rate with interval; then the summary."""
    temperature, threshold = settings["temperature"], settings["threshold"]
    scores = jailbreak_scores(sess, tok, [t for t, *_ in rows], temperature, "jailbreak held out", settings["window_prior"])
    by = collections.defaultdict(list)
    for (_, label, source), score in zip(rows, scores):
        by[(source, label)].append(score)
    table = []
    for (source, label), values in sorted(by.items(), key=lambda kv: (-kv[0][1], kv[0][0])):
        hits = int((np.array(values) >= threshold).sum())
        low, high = wilson(hits, len(values))
        name = "recall" if label else "false_positive_rate"
        table.append({"source": source, "label": "jailbreak" if label else "benign", "n": len(values), name: round(hits / len(values), 4), "interval": [round(low, 4), round(high, 4)]})
    labels = np.array([l for _, l, _ in rows])
    pos, neg = scores[labels == 1], scores[labels == 0]
    at = lambda rate: round(float((pos > np.quantile(neg, 1 - rate)).mean()), 4)
    summary = {
        "recall_mean_over_sources": round(float(np.mean([r["recall"] for r in table if "recall" in r])), 4),
        "false_positive_rate_mean_over_sources": round(float(np.mean([r["false_positive_rate"] for r in table if "recall" not in r])), 4),
        "auc_pooled": round(auc(pos, neg), 4), "recall_at_1_percent_pooled": at(0.01), "recall_at_5_percent_pooled": at(0.05),
    }  # fmt: skip
    return table, summary, scores


def flips(sess, tok, rows, settings, count=300):
    """Share of detected held-out positives that are lost after a harmless change."""
    rng = random.Random(5)
    hits = lambda texts: flagged(sess, tok, texts, settings, "robustness")
    picked = rng.sample([t for t, l, s in rows if l == 1 and s != "planted_in_textbook"], count)
    detected = [t for t, hit in zip(picked, hits(picked)) if hit]
    words = lambda: " ".join(rng.choice(benign_words.WORDS) for _ in range(rng.randint(3, 10)))
    changes = {
        "words_after": lambda t: t + " " + words(), "words_before": lambda t: words() + " " + t,
        "lower_case": str.lower, "upper_case": str.upper, "no_final_stop": lambda t: t.rstrip(".!?"),
    }  # fmt: skip
    out = {"detected_before": len(detected), "sampled": count}
    for name, change in changes.items():
        out[name] = round(1 - float(hits([change(t) for t in detected]).mean()), 4)
    return out


def translated(sess, tok, data, settings):
    """Share of held-out English injections found whose translations are not, over all translations."""
    c = data_jailbreak.corpora
    held = lambda multilingual: [r for r in c.purplellama(data, multilingual) if c.purplellama_is_held_out(r["prompt_id"])]
    hits = lambda rows: flagged(sess, tok, [r["user_input"] for r in rows], settings, "translated")
    english, other = held(False), held(True)
    found = {r["prompt_id"] for r, hit in zip(english, hits(english)) if hit}
    pairs = [r for r in other if r["prompt_id"] in found]
    lost = int((~hits(pairs)).sum())
    low, high = wilson(lost, len(pairs))
    return {"n": len(pairs), "flipped": round(lost / len(pairs), 4), "interval": [round(low, 4), round(high, 4)]}


def expected_calibration_error(confidence, right, bins=10):
    total, chart = 0.0, []
    for b in range(bins):
        inside = (confidence > b / bins) & (confidence <= (b + 1) / bins)
        if inside.any():
            chart.append([round(float(confidence[inside].mean()), 3), round(float(right[inside].mean()), 3), int(inside.sum())])
            total += inside.mean() * abs(confidence[inside].mean() - right[inside].mean())
    return float(total), chart


def domain_table(sess, tok, rows, temperature):
    """Accuracy, macro F1, calibration error and reliability chart per source."""
    out = []
    for source in sorted({s for *_, s in rows}):
        part = [r for r in rows if r[2] == source]
        values = np.stack([softmax(l.mean(0) / temperature) for l in logits(sess, tok, [t for t, *_ in part], "domain", source)])
        want = np.array([data_domain.DOMAINS.index(d) for _, d, _ in part])
        got = values.argmax(-1)
        right = got == want
        low, high = wilson(int(right.sum()), len(part))
        scores, per_class = [], {}
        for c, name in enumerate(data_domain.DOMAINS):
            tp, fp, fn = ((got == c) & (want == c)).sum(), ((got == c) & (want != c)).sum(), ((got != c) & (want == c)).sum()
            if (want == c).any():
                per_class[name] = round(float(tp / (tp + fn)), 3)
                scores.append(2 * tp / max(1, 2 * tp + fp + fn))
        error, chart = expected_calibration_error(values.max(-1), right)
        out.append({"source": source, "n": len(part), "accuracy": round(float(right.mean()), 4), "interval": [round(low, 4), round(high, 4)],
                    "macro_f1": round(float(np.mean(scores)), 4), "ece": round(error, 4), "recall_by_class": per_class, "reliability": chart})  # fmt: skip
    return out


def type_spans(tags):
    """Spans `(first, last + 1, type)` of a tag list, neighbours of one type merged."""
    out, start, kind = [], None, None
    for i, tag in enumerate([*tags, "O"]):
        now = tag[2:] if tag != "O" else None
        if now != kind:
            if kind:
                out.append((start, i, kind))
            start, kind = i, now
    return out


def pii_table(sess, tok, rows):
    """Token F1 (type of each token, B and I alike) and exact span F1, in all and by type."""
    encodings = tok.encode_batch([t for t, _ in rows])
    counts = {"token": collections.Counter(), "span": collections.Counter()}
    for encoding, (text, spans) in tqdm(list(zip(encodings, rows)), desc="pii", mininterval=15, leave=False):
        want = data_pii.tag_ids(encoding, spans)[1:-1][:WINDOW]
        if not want:
            continue
        ids = [encoding.ids[0], *encoding.ids[1:-1][:WINDOW], encoding.ids[-1]]
        got = export.run(sess, [ids])["pii"][0].argmax(-1)[1:-1]
        want, got = [data_pii.TAGS[i] for i in want], [data_pii.TAGS[i] for i in got]
        for a, b in zip(want, got):
            a, b = a[2:] or "O", b[2:] or "O"
            if a == b != "O":
                counts["token"][("tp", a)] += 1
            else:
                counts["token"][("fn", a)] += a != "O"
                counts["token"][("fp", b)] += b != "O"
        a, b = set(type_spans(want)), set(type_spans(got))
        for kind, part in (("tp", a & b), ("fn", a - b), ("fp", b - a)):
            for *_, t in part:
                counts["span"][(kind, t)] += 1

    def scores(counter, types):
        tp, fp, fn = (sum(counter[(k, t)] for t in types) for k in ("tp", "fp", "fn"))
        return {"precision": round(tp / max(1, tp + fp), 4), "recall": round(tp / max(1, tp + fn), 4), "f1": round(2 * tp / max(1, 2 * tp + fp + fn), 4), "n": tp + fn}

    return {
        "rows": len(rows), "token_micro": scores(counts["token"], data_pii.TYPES), "span_micro": scores(counts["span"], data_pii.TYPES),
        "by_type": {t: scores(counts["token"], [t]) | {"spans": sum(counts["span"][(k, t)] for k in ("tp", "fn"))} for t in data_pii.TYPES},
    }  # fmt: skip
