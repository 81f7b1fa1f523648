"""Domain rows: text and one of the 14 MMLU-Pro categories.

Held out: a fifth of MMLU-Pro by a hash of the question stem (those stems leave MMLU too), and the
hand-written chat questions.
"""

import hashlib
import random
import re

from . import corpora, grammar
from .authored import benign_short, domain_chat, domain_chat_field, domain_chat_heldout, domain_chat_work, domain_topics

DOMAINS = (
    "biology", "business", "chemistry", "computer science", "economics", "engineering", "health", "history", "law",
    "math", "other", "philosophy", "physics", "psychology",
)  # fmt: skip


def stem(question: str) -> str:
    """Normal form of a question, the key of the split."""
    return re.sub(r"\W+", " ", question.lower()).strip()[:200]


def is_held_out(question: str) -> bool:
    return int(hashlib.sha256(stem(question).encode()).hexdigest(), 16) % 5 == 0


def is_validation(text: str) -> bool:
    """One training row in twenty is kept for temperature and thresholds."""
    return int(hashlib.sha256(b"validation" + text.encode()).hexdigest(), 16) % 20 == 0


def with_options(question, options, rng):
    """A question as users paste it: alone, or with some of its options."""
    if rng.random() < 0.6:
        return question
    marks = rng.choice(("ABCDEFGHIJ", "abcdefghij", "1234567890"))
    return question + "\n" + "\n".join(f"{m}) {o}" for m, o in zip(marks, options[:4]))


class Builder:
    def __init__(self, data):
        pro = corpora.mmlu_pro(data)
        self.held_out = [(r["question"], r["category"], "mmlu_pro") for r in pro if is_held_out(r["question"])]
        held = {stem(q) for q, _, _ in self.held_out}
        by_subject = {}
        for r in pro:
            if r["src"].startswith("ori_mmlu-"):
                by_subject[r["src"].removeprefix("ori_mmlu-")] = r["category"]
        rows = {d: {} for d in DOMAINS}

        def put(kind, domain, text, options=()):
            if domain in rows and 12 < len(text) and stem(text) not in held:
                rows[domain].setdefault(kind, []).append((text, options))

        for r in pro:
            put("exam", r["category"], r["question"], r["options"])
        for r in corpora.mmlu(data):
            if r["subject"] in by_subject and not is_held_out(r["question"]):
                put("exam", by_subject[r["subject"]], r["question"], r["options"])
        for r in corpora.openstax(data):
            if r["kind"] == "problem" or (r["kind"] == "para" and len(r["text"]) > 120):
                put("book", r["domain"], r["text"][:900])
        for q in corpora.medquad(data):
            put("chat", "health", q)
        for text, _ in corpora.clinc(data):
            put("chat", "other", text)
        for q in corpora.gsm8k(data, "train"):
            put("book", "math", q)
        for q in corpora.gpteacher(data, "codegen"):
            put("book", "computer science", q[:900])
        for q in corpora.mitre_frr(data):
            put("book", "computer science", q[:600])
        for q in corpora.gpteacher(data, "roleplay"):
            put("book", "other", q[:600])
        for domain, questions in domain_chat.QUESTIONS.items():
            rows[domain]["asked"] = [(q, ()) for q in questions + domain_chat_field.QUESTIONS[domain] + domain_chat_work.QUESTIONS.get(domain, [])]
        for domains in domain_chat.LOCAL.values():
            for domain, questions in domains.items():
                rows[domain]["asked"] += [(q, ()) for q in questions]
        self.rows = rows
        self.validation = [
            (t, d, k) for d, kinds in rows.items() for k, items in kinds.items() for t, _ in items if is_validation(t)
        ]
        self.rows = {d: {k: [i for i in items if not is_validation(i[0])] for k, items in kinds.items()} for d, kinds in rows.items()}

        # After the split: calibration reads rows as they stand, and some of these are templates.
        short = benign_short.TEMPLATES + [t for texts in benign_short.LOCAL.values() for t in texts]
        self.rows["other"]["asked"] += [(t, ()) for t in short if not is_validation(t)]

    def authored(self, domain, n, rng):
        slots = {"topic": domain_topics.TOPICS[domain]}
        out = grammar.many(domain_topics.TEMPLATES, slots, rng, n)
        plain = domain_topics.PLAIN.get(domain)
        if plain:
            out += grammar.many(plain, slots, rng, n // 2)
        for language, topics in domain_topics.LOCAL_TOPICS[domain].items():
            out += grammar.many(domain_topics.LOCAL_TEMPLATES[language], {"topic": topics}, rng, n // 14)
        rng.shuffle(out)
        return out[:n]

    def epoch(self, seed: int, size: int):
        """About `size` rows `(text, domain)`, the classes equal, exam questions the larger half."""
        rng = random.Random(seed)
        out = []
        for domain in DOMAINS:
            n = size // len(DOMAINS)
            kinds = self.rows[domain]
            own = self.authored(domain, int(n * 0.16), rng)
            asked = [t for t, _ in kinds["asked"]]
            own += [grammar.expand(t, benign_short.SLOTS, rng) if "|" in t else t for t in rng.sample(asked, min(len(asked), int(n * 0.22)))]
            exam = [with_options(t, o, rng) for t, o in rng.sample(kinds["exam"], min(len(kinds["exam"]), int(n * 0.48)))]
            rest = [t for k in ("book", "chat") for t, _ in rng.sample(kinds.get(k, []), min(len(kinds.get(k, [])), int(n * 0.10)))]
            picked = own + exam + rest
            while len(picked) < n:
                picked.append(with_options(*rng.choice(kinds["exam"]), rng))
            for text in picked[: n + 4]:
                if len(text) > 420 and rng.random() < 0.7:  # long exam texts cost time and teach little more
                    text = text[: rng.randint(250, 420)] if rng.random() < 0.5 else text[-rng.randint(250, 420) :]
                if rng.random() < 0.08:
                    text = text.lower()
                if rng.random() < 0.06:
                    text = "You are a helpful assistant.\n" + text
                out.append((text, domain))
        rng.shuffle(out)
        return out


def chat_heldout():
    return [(t, d, "chat_style") for d, t in domain_chat_heldout.ROWS]
