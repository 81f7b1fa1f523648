"""PII rows: text with character spans of 17 types.

Training: presidio-research templates (80 % by template id), filled afresh with Faker values of
many locales, its own filled rows of the same templates, author-made chat and business text, and
negatives. Held out: its filled rows of the other templates.
"""

import random
import re

from . import corpora, grammar
from .authored import pii_templates

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
SLOT = re.compile(r"\{\{([A-Z_]+)\}\}")
PER_POOL = 160


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
        moment = fake.date_time_between("-60y", "+2y")
        form = self.rng.choice(("%Y", "%Y", "%m/%d/%Y", "%d.%m.%Y", "%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%B %d, %Y", "%d %B %Y", "%A", "%b %d", "%H:%M", "%B %Y", "%d %b", "%m/%d/%y"))
        return moment.strftime(form)

    def _nrp(self):
        value = self.rng.choice(self.nationalities)
        return value if self.rng.random() < 0.2 else value.title()

    def _title(self, fake):
        if self.rng.random() < 0.6:
            return self.rng.choice(("Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "Mr", "Mrs", "Ms", "Dr", "Herr", "Frau", "Sir", "Mme", "Miss"))
        return fake.job().split(",")[0].split("/")[0]

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
        value = rng.choice(pool)
        if kind == "STREET_ADDRESS" and rng.random() < 0.5:
            value = value.replace("\n", ", ")
        shift = rng.random()
        if kind in ("PERSON", "GPE", "ORGANIZATION", "STREET_ADDRESS") and shift < 0.1:
            value = value.lower() if shift < 0.07 else value.upper()
        return value


def fill(template: str, values: Values, rng, locale):
    """Fills `{{TYPE}}` slots; returns `(text, [(start, end, type)])` in characters."""
    out, spans, at = "", [], 0
    previous_end, previous_kind = -9, None
    for found in SLOT.finditer(template):
        kind = found[1]
        out += template[at : found.start()]
        at = found.end()
        if kind not in TYPES:
            out += found[0]
            continue
        if kind == "STREET_ADDRESS" and previous_kind == kind and found.start() - previous_end <= 1:
            value = values.pick("STREET_ADDRESS", rng, locale).split("\n")[0].split(",")[0]
        elif kind == "STREET_ADDRESS" and template[found.end() : found.end() + 20].lstrip(" ").startswith("{{STREET_ADDRESS}}"):
            value = str(rng.randint(1, 99_999))  # the number stands before the street there
        else:
            value = values.pick(kind, rng, locale)
        spans.append((len(out), len(out) + len(value), kind))
        out += value
        previous_end, previous_kind = found.end(), kind
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

    def epoch(self, seed: int, size: int):
        """About `size` rows `(text, spans)`."""
        rng = random.Random(seed)
        out = []
        count = lambda share: int(size * share)

        def filled(template_list, n):
            for _ in range(n):
                locale = rng.choice(self.values.locales)
                text = rng.choice(template_list)
                try:
                    out.append(fill(text, self.values, rng, locale))
                except IndexError:
                    continue

        weighted = [m for m in self.masked for _ in range(1 + min(4, len(set(SLOT.findall(m)))))]
        filled(weighted, count(0.30))
        chat = []
        for _ in range(count(0.26)):
            template = rng.choice(pii_templates.CHAT)
            # Choices may hold {{TYPE}} slots: shield them from the grammar while it expands.
            shielded = SLOT.sub(lambda m: "\u27e6" + m[1] + "\u27e7", template)
            if not template.startswith("{\""):
                shielded = grammar.expand(shielded, pii_templates.SLOTS, rng)
            chat.append(re.sub("\u27e6([A-Z_]+)\u27e7", r"{{\1}}", shielded))
        for template in chat:
            out.append(fill(template, self.values, rng, rng.choice(self.values.locales)))
        for _ in range(count(0.12)):
            locale = rng.choice([l for l in pii_templates.LOCAL if l in self.values.pools])
            out.append(fill(rng.choice(pii_templates.LOCAL[locale]), self.values, rng, locale))
        out += [rng.choice(self.rows) for _ in range(count(0.10))]
        out += [rng.choice(self.wnut) for _ in range(count(0.06))]
        negatives = grammar.many(pii_templates.NEGATIVE, pii_templates.SLOTS, rng, count(0.08))
        negatives += rng.sample(self.plain, min(len(self.plain), count(0.07))) + rng.sample(self.questions, min(len(self.questions), count(0.02)))
        out += [(t, []) for t in negatives]
        # A fifth of the rows is two texts in one, so that spans stand anywhere in a window.
        single = list(out)
        for _ in range(count(0.15)):
            (a, sa), (b, sb) = rng.choice(single), rng.choice(single)
            shift = len(a) + 1
            out.append((a + rng.choice("\n ") + b, sa + [(s + shift, e + shift, k) for s, e, k in sb]))
        rng.shuffle(out)
        return out[:size]


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
