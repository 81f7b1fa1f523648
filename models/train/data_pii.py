"""PII rows: text with character spans of 17 types.

Training: presidio-research templates (80 % by template id), filled afresh with Faker values of
many locales, its own filled rows of the same templates, author-made chat and business text, and
negatives. Held out: its filled rows of the other templates.
"""

import random
import re
from datetime import datetime

from . import corpora, grammar
from .authored import pii_field, pii_kinds, pii_templates

TYPES = (
    "AGE", "CREDIT_CARD", "DATE_TIME", "DOMAIN_NAME", "EMAIL_ADDRESS", "GPE", "IBAN_CODE", "IP_ADDRESS", "NRP",
    "ORGANIZATION", "PERSON", "PHONE_NUMBER", "STREET_ADDRESS", "TITLE", "US_DRIVER_LICENSE", "US_SSN", "ZIP_CODE",
)  # fmt: skip
TAGS = ("O", *(f"{p}-{t}" for t in TYPES for p in "BI"))
LOCALES = (
    "en_US", "en_GB", "en_AU", "en_CA", "en_IN", "de_DE", "de_AT", "fr_FR", "fr_CH", "es_ES", "es_MX", "it_IT", "pt_BR",
    "pt_PT", "nl_NL", "pl_PL", "sv_SE", "da_DK", "no_NO", "fi_FI", "tr_TR", "cs_CZ", "hu_HU", "ro_RO", "hr_HR", "ru_RU",
    "uk_UA", "ja_JP", "zh_CN", "ko_KR", "hi_IN", "vi_VN", "id_ID", "he_IL", "el_GR",
)  # fmt: skip
LATIN_WEIGHT = ("en_US", "en_US", "en_US", "en_GB", "en_AU", "en_CA", "en_IN")
VALUES = {name: values + pii_field.VALUES.get(name, []) for name, values in pii_kinds.VALUES.items()}
FORMAL_VALIDATION = pii_kinds.FORMAL[::8]
FIELD_VALIDATION, FIELD_TRAINING = pii_field.CHAT_FIELD[::8], [t for i, t in enumerate(pii_field.CHAT_FIELD) if i % 8]
FORMAL_TRAINING = [t for i, t in enumerate(pii_kinds.FORMAL) if i % 8]
SLOT = re.compile(r"\{\{([A-Z_]+)\}\}")
PER_POOL = 160
DATES = datetime(1966, 12, 1), datetime(2028, 12, 1)  # not "now": the same seed gives the same rows on any day
# Author-made values mixed into Faker's: the list, and how often one of it is taken.
OWN_VALUES = {
    "ORGANIZATION": ("ORGANIZATIONS", 0.25), "GPE": ("PLACES", 0.25), "NRP": ("NATIONALITIES", 0.4), "PERSON": ("PERSONS", 0.06),
    "ZIP_CODE": ("ZIP_CODES", 0.3), "STREET_ADDRESS": ("ADDRESSES", 0.05),
}  # fmt: skip


class Values:
    """Values by locale and type, drawn once from Faker with a fixed seed."""

    def __init__(self, data, seed: int):
        from faker import Faker

        self.pools, self.rng = {}, random.Random(seed)
        self.nationalities = [r["nationality"] for r in corpora.table(data / "presidio_research/nationalities.csv")]
        self.companies = [r["organization"].strip() for r in corpora.table(data / "presidio_research/companies_and_organizations.csv")]
        self.companies = [c for c in self.companies if 2 < len(c) < 40]
        for number, locale in enumerate(LOCALES):
            try:
                fake = Faker(locale)
            except AttributeError:
                continue
            fake.seed_instance(seed * 1000 + number)
            self.pools[locale] = {t: self._draw(fake, t, locale) for t in TYPES}
        self.locales = [l for l in LATIN_WEIGHT if l in self.pools] + list(self.pools)

    def _draw(self, fake, kind, locale):
        rng = self.rng
        plain = {
            "CREDIT_CARD": lambda: fake.credit_card_number(), "IBAN_CODE": lambda: fake.iban(), "EMAIL_ADDRESS": lambda: fake.email(),
            "US_SSN": lambda: f"{rng.randint(1, 899):03d}-{rng.randint(1, 99):02d}-{rng.randint(1, 9999):04d}",
            "IP_ADDRESS": lambda: fake.ipv4() if rng.random() < 0.75 else fake.ipv6(),
            "AGE": lambda: str(rng.randint(1, 99)),
            "US_DRIVER_LICENSE": lambda: rng.choice((
                f"{rng.choice('ABDFHKLMSW')}{rng.randint(10**6, 10**8 - 1)}", f"{rng.randint(10**6, 10**9 - 1)}",
                f"{rng.choice('FGHSU')}{rng.randint(10**11, 10**14 - 1)}", f"{rng.randint(1000, 9999)}-{rng.randint(10, 99)}-{rng.randint(1000, 9999)}",
                f"{rng.choice('ABCD')}{rng.randint(100, 999)}-{rng.randint(100, 999)}-{rng.randint(10, 99)}-{rng.randint(100, 999)}-0",
            )),
            "DOMAIN_NAME": lambda: rng.choice(("", "https://", "http://www.", "www.", "https://www.")) + fake.domain_name() + rng.choice(("", "", "/", "/" + fake.uri_path())),
            "DATE_TIME": lambda: self._date(fake), "NRP": lambda: self._nrp(), "TITLE": lambda: self._title(fake),
            "PERSON": lambda: self._person(fake), "ORGANIZATION": lambda: self._company(fake),
            "GPE": lambda: self._place(fake), "PHONE_NUMBER": lambda: fake.phone_number(), "ZIP_CODE": lambda: fake.postcode(),
            "STREET_ADDRESS": lambda: self._address(fake),
        }  # fmt: skip
        out = set()
        for _ in range(PER_POOL):
            try:
                value = re.sub(r"[ \t]+", " ", str(plain[kind]())).strip()
            except (AttributeError, TypeError, ValueError):
                continue
            if value:
                out.add(value)
        if kind == "CREDIT_CARD":  # half of them in groups of four, as people type them
            out = {re.sub(r"(\d{4})(?=\d)", r"\1 ", v) if rng.random() < 0.35 else v for v in sorted(out)}
        return sorted(out)

    def _date(self, fake):
        moment = fake.date_time_between(*DATES)
        form = self.rng.choice(("%Y", "%Y", "%m/%d/%Y", "%d.%m.%Y", "%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%B %d, %Y", "%d %B %Y", "%A", "%b %d", "%H:%M", "%B %Y", "%d %b", "%m/%d/%y"))
        return moment.strftime(form)

    def _nrp(self):
        value = self.rng.choice(self.nationalities)
        return value if self.rng.random() < 0.2 else value.title()

    def _title(self, fake):
        return self.rng.choice(pii_kinds.JOBS) if self.rng.random() < 0.6 else fake.job().split(",")[0]

    def _person(self, fake):
        kind = self.rng.random()
        if kind < 0.35:
            return fake.first_name()
        if kind < 0.5:
            return fake.last_name()
        if kind < 0.6:
            return f"{fake.first_name()} {self.rng.choice('ABCDEFGHJKLMNPRSTW')}{self.rng.choice(('.', ''))} {fake.last_name()}"
        return f"{fake.first_name()} {fake.last_name()}"

    def _company(self, fake):
        return self.rng.choice(self.companies) if self.rng.random() < 0.45 else fake.company()

    def _place(self, fake):
        kind = self.rng.random()
        if kind < 0.55:
            return fake.city()
        if kind < 0.85:
            return fake.country()
        return fake.state() if hasattr(fake, "state") else fake.city()

    def _address(self, fake):
        kind = self.rng.random()
        if kind < 0.45:
            return fake.address()
        if kind < 0.85:
            return fake.street_address()
        return fake.street_name()

    def pick(self, kind, rng, locale):
        pool = self.pools[locale][kind] or self.pools["en_US"][kind]
        name, share = OWN_VALUES.get(kind, (None, 0.0))
        value = rng.choice(VALUES[name] if rng.random() < share else pool)
        if kind == "GPE" and rng.random() < 0.12:
            value = rng.choice(VALUES["TOWNS"])
        if kind == "STREET_ADDRESS" and rng.random() < 0.5:
            value = value.replace("\n", ", ")
        shift = rng.random()
        if kind in ("PERSON", "GPE", "ORGANIZATION", "STREET_ADDRESS") and shift < 0.1:
            value = value.lower() if shift < 0.07 else value.upper()
        elif kind == "GPE" and shift < 0.22:
            value = value.upper()
        return value

    def title(self, rng, locale, before_name: bool):
        """An honorific before a name, a job anywhere else (the rule of presidio-research)."""
        own = pii_kinds.LOCAL_TITLES.get(locale)
        if before_name:
            local = own["honorifics"] if own else []
            if local and rng.random() < 0.7:
                return rng.choice(local)
            return rng.choice(("Mr.", "Mrs.", "Ms.", "Dr.")) if rng.random() < 0.65 else rng.choice(pii_kinds.HONORIFICS)
        return rng.choice(own["jobs"]) if own and rng.random() < 0.6 else self.pick("TITLE", rng, locale)


def street_part(template, found, before, values, rng, locale):
    """One of several STREET_ADDRESS slots in a row: number, then street, then flat; or a postcode behind a place."""
    followed = template[found.end() :].lstrip(" \n").startswith("{{STREET_ADDRESS}}")
    if before == ["GPE"]:
        return f"{rng.randint(501, 99_950):05d}"
    if before[-2:] == ["STREET_ADDRESS"] * 2:
        return rng.choice(("Apt. {}", "Suite {}")).format(rng.randint(1, 999)) if rng.random() < 0.7 else values.pick("STREET_ADDRESS", rng, locale)
    if before[-1:] == ["STREET_ADDRESS"]:
        return values.pick("STREET_ADDRESS", rng, locale).split("\n")[0].split(",")[0]
    if followed:
        return str(rng.randint(1, 99_999))
    return values.pick("STREET_ADDRESS", rng, locale)


def fill(template: str, values: Values, rng, locale):
    """Fills `{{TYPE}}` slots; returns `(text, [(start, end, type)])` in characters."""
    out, spans, at = "", [], 0
    row = []  # types of the slots before this one with nothing but blanks between
    for found in SLOT.finditer(template):
        kind = found[1]
        between = template[at : found.start()]
        out += between
        if between.strip(" \n") or at == 0:
            row = []
        at = found.end()
        if kind not in TYPES:
            out += found[0]
            continue
        if kind == "STREET_ADDRESS":
            value = street_part(template, found, row[-1:] if row[-1:] == ["GPE"] and "\n" not in between else row, values, rng, locale)
        elif kind == "TITLE":
            value = values.title(rng, locale, template.startswith(" {{PERSON}}", at))
        elif kind == "GPE" and row[-1:] == ["GPE"] and rng.random() < 0.6:
            value = rng.choice(VALUES["STATE_CODES"])
        else:
            value = values.pick(kind, rng, locale)
        spans.append((len(out), len(out) + len(value), kind))
        out += value
        row.append(kind)
    return out + template[at:], spans


def templates(data):
    """`(training templates, held-out rows)`: a fifth of the template ids is held out."""
    rows = corpora.loads(data / "presidio_research/synth_dataset_v2.json")
    ids = sorted({r["template_id"] for r in rows})
    random.Random(0).shuffle(ids)
    held = set(ids[: len(ids) // 5])
    as_row = lambda r: (r["full_text"], [(s["start_position"], s["end_position"], s["entity_type"]) for s in r["spans"]])
    masked = {r["template_id"]: r["masked"] for r in rows if r["template_id"] not in held}
    # The same sentence may stand under two ids; a training template equal to a held-out one goes.
    held_masked = {r["masked"].strip() for r in rows if r["template_id"] in held}
    kept_ids = {i for i, m in masked.items() if m.strip() not in held_masked}
    train = sorted({masked[i] for i in kept_ids})
    train_rows = [as_row(r) for r in rows if r["template_id"] in kept_ids]
    return train, train_rows, [as_row(r) for r in rows if r["template_id"] in held]


def wnut(data):
    """Real, noisy text with PERSON, GPE and ORGANIZATION where the set's labels map cleanly.

    Sentences with other entity kinds are left out: their labels mean something else here.
    """
    mapping = {"person": "PERSON", "corporation": "ORGANIZATION"}
    out, words, tags = [], [], []
    for line in (data / "wnut17/wnut17train.conll").read_text(encoding="utf-8").splitlines() + [""]:
        if line.strip():
            word, _, tag = line.rstrip("\n").partition("\t")
            words.append(word)
            tags.append(tag.strip() or "O")
            continue
        kinds = {t[2:] for t in tags if t != "O"}
        if words and kinds <= set(mapping) and len(words) > 4:
            text, spans = "", []
            for word, tag in zip(words, tags):
                start = len(text) + (1 if text else 0)
                text += (" " if text else "") + word
                if tag.startswith("B-"):
                    spans.append([start, len(text), mapping[tag[2:]]])
                elif tag.startswith("I-") and spans:
                    spans[-1][1] = len(text)
            out.append((text, [tuple(s) for s in spans]))
        words, tags = [], []
    return out


class Builder:
    def __init__(self, data, seed: int = 11):
        self.data = data
        self.values = Values(data, seed)
        self.masked, self.rows, self.held_out = templates(data)
        self.wnut = wnut(data)
        plain = [r["question"] for r in corpora.mmlu(data)[::7]] + [t for t, _ in corpora.clinc(data)[::9]]
        plain += corpora.gpteacher(data, "codegen")[::5] + corpora.mitre_frr(data)[::3]
        self.plain = [t[:400] for t in plain]
        self.questions = corpora.gsm8k(data, "train")[::10]

    def expanded(self, template, slots, rng):
        """`template` with its choices made; the `{{TYPE}}` slots stay."""
        if template.startswith("{\""):
            return template
        shielded = SLOT.sub(lambda m: "\u27e6" + m[1] + "\u27e7", template)
        return re.sub("\u27e6([A-Z_]+)\u27e7", r"{{\1}}", grammar.expand(shielded, slots, rng))

    def authored(self, template_list, slots, n, rng):
        return [fill(self.expanded(rng.choice(template_list), slots, rng), self.values, rng, rng.choice(self.values.locales)) for _ in range(n)]

    def validation(self, size: int):
        """Rows of author-made templates that no training row uses, for thresholds."""
        rng = random.Random(4)
        formal = self.authored(FORMAL_VALIDATION, pii_kinds.SLOTS, size * 2 // 3, rng)
        return formal + self.authored(FIELD_VALIDATION, pii_field.SLOTS, size - len(formal), rng)

    def epoch(self, seed: int, size: int):
        """About `size` rows `(text, spans)`."""
        rng = random.Random(seed)
        out = []
        count = lambda share: int(size * share)
        weighted = [m for m in self.masked for _ in range(1 + min(4, len(set(SLOT.findall(m)))))]
        for _ in range(count(0.24)):
            out.append(fill(rng.choice(weighted), self.values, rng, rng.choice(self.values.locales)))
        out += self.authored(pii_templates.CHAT, pii_templates.SLOTS, count(0.11), rng)
        out += self.authored(FORMAL_TRAINING, pii_kinds.SLOTS, count(0.17), rng)
        out += self.authored(FIELD_TRAINING, pii_field.SLOTS, count(0.12), rng)
        for _ in range(count(0.12)):
            locale = rng.choice([l for l in pii_templates.LOCAL if l in self.values.pools])
            out.append(fill(rng.choice(pii_templates.LOCAL[locale] + pii_kinds.LOCAL2.get(locale, [])), self.values, rng, locale))
        out += [rng.choice(self.rows) for _ in range(count(0.08))]
        out += [rng.choice(self.wnut) for _ in range(count(0.05))]
        negatives = grammar.many(pii_templates.NEGATIVE, pii_templates.SLOTS, rng, count(0.05)) + grammar.many(pii_kinds.NEGATIVE2, pii_kinds.SLOTS, rng, count(0.03))
        negatives += grammar.many(pii_field.NEGATIVES_FIELD, pii_field.SLOTS, rng, count(0.03))
        negatives += rng.sample(self.plain, min(len(self.plain), count(0.07))) + rng.sample(self.questions, min(len(self.questions), count(0.02)))
        out += [(t, []) for t in negatives]
        # A share of the rows is two texts in one, so that spans stand anywhere in a window.
        single = list(out)
        for _ in range(count(0.12)):
            (a, sa), (b, sb) = rng.choice(single), rng.choice(single)
            shift = len(a) + 1
            out.append((a + rng.choice("\n ") + b, sa + [(s + shift, e + shift, k) for s, e, k in sb]))
        rng.shuffle(out)
        as_typed = lambda t: t.lower() if rng.random() < 0.05 and len(t.lower()) == len(t) else t
        return [(as_typed(t), spans) for t, spans in out[:size]]


def tag_ids(encoding, spans):
    """BIO ids for one tokenizer encoding; special tokens get -100."""
    index = {t: i for i, t in enumerate(TAGS)}
    spans = sorted(spans)
    out, begun = [], set()
    for (start, end), special in zip(encoding.offsets, encoding.special_tokens_mask):
        if special:
            out.append(-100)
            continue
        tag = "O"
        for number, (s, e, kind) in enumerate(spans):
            if start < e and end > s and end > start:
                tag = ("I-" if number in begun else "B-") + kind
                begun.add(number)
                break
        out.append(index[tag])
    return out
