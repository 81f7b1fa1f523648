"""Extractive summarisers as compressors: each keeps about a budget of the text's words; times and what was kept."""

import json
import re
import sys
import time
from importlib.metadata import version

from summa import summarizer as summa
from sumy.nlp.stemmers import Stemmer
from sumy.parsers.plaintext import PlaintextParser
from sumy.summarizers.lex_rank import LexRankSummarizer
from sumy.summarizers.lsa import LsaSummarizer
from sumy.summarizers.luhn import LuhnSummarizer
from sumy.summarizers.text_rank import TextRankSummarizer


class Tokenizer:
    """Sumy's own wants data that no package registry carries."""

    language = "english"

    def to_sentences(self, paragraph):
        return tuple(s.strip() for s in re.split(r"(?<=[.!?])\s+", paragraph) if s.strip())

    def to_words(self, sentence):
        return tuple(re.findall(r"[A-Za-z]+", sentence))


def sumy(kind):
    engine = kind(Stemmer("english"))

    def keep(text, words):
        document = PlaintextParser.from_string(text, Tokenizer()).document
        mean = max(1, len(text.split()) // max(1, len(document.sentences)))
        return " ".join(str(s) for s in engine(document, max(1, words // mean)))

    return keep


METHODS = {
    "sumy LexRank": sumy(LexRankSummarizer),
    "sumy TextRank": sumy(TextRankSummarizer),
    "sumy LSA": sumy(LsaSummarizer),
    "sumy Luhn": sumy(LuhnSummarizer),
    "summa TextRank": lambda text, words: summa.summarize(text, words=words),
}

source, target = sys.argv[1:3]
task = json.load(open(source, encoding="utf-8"))
results = {}
for name, keep in METHODS.items():
    keep(task["groups"][0][0], task["words"])
    groups = []
    for texts in task["groups"]:
        rows = []
        for text in texts:
            wall, cpu = time.perf_counter(), time.process_time()
            kept = keep(text, task["words"])
            rows.append({"ms": (time.perf_counter() - wall) * 1e3, "cpu_ms": (time.process_time() - cpu) * 1e3, "kept": kept})
        groups.append(rows)
    results[name] = groups
json.dump({"versions": {n: version(n) for n in ("sumy", "summa")}, "methods": results}, open(target, "w", encoding="utf-8"))
