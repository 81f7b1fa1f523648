"""The documents that are made from the code: metrics, what doctor finds, the daemon's configuration."""
import json
import re
import subprocess

NOTE = "<!-- Made by tests/docs/run --update; do not edit. -->\n"

# What the code does not say of the filter's metrics. A metric that is in the code and not here is an error.
FILTER = {
    "requests_total": "LLM requests by verdict: one for each request that the filter decided on.",
    "unscreened_total": "Requests that were not fully screened, by reason, whatever became of them.",
    "refused_total": "Requests that the filter answered itself, by the error's code.",
    "daemon_us": "Microseconds that the call to the daemon took.",
    "overhead_us": "Microseconds from the last byte of the body to the verdict, the daemon's call included.",
    "tokens_in": "Estimated tokens of a request's text.",
    "tokens_kept": "Estimated tokens of the selection for the domain.",
}
VERDICTS = ["allow", "redact", "block", "unscreened"]


def words(source, start):
    """The words that a `match` after `start` gives: those of `Self::X => "word"` up to the function's end."""
    body = source[source.index(start):]
    body = body[:body.index("\n    }\n")]
    return re.findall(r'=> "([a-z_]+)"', body)


def filter_metrics(root):
    policy = root / "filter-wasm" / "policy" / "src"
    code = "".join(path.read_text() for path in sorted(policy.rglob("*.rs")) if "tests" not in path.parts and path.name != "tests.rs")
    reply = (policy / "reply.rs").read_text()
    values = {"verdict": VERDICTS, "reason": words(reply, "impl Unscreened"), "code": words(reply, "pub fn code")}
    values["code"] += [f"and every {'reason'} of `forebay_filter_unscreened_total`"]
    found = {}
    for name in set(re.findall(r'"forebay_filter\.([a-z_.]+?)(?:\.\{|")', code)):
        metric, _, label = name.partition(".")
        found[metric] = ("counter" if label else "histogram", label)
    assert set(found) == set(FILTER), f"filter metrics in the code and in tests/docs/generate.py differ: {set(found) ^ set(FILTER)}"
    rows = []
    for metric, (kind, label) in sorted(found.items()):
        labels = f"`{label}`: {', '.join(v if ' ' in v else f'`{v}`' for v in values[label])}" if label else "-"
        rows.append(f"| `forebay_filter_{metric}` | {kind} | {labels} | {FILTER[metric]} |")
    return rows


KINDS = {"counters": "counter", "gauges": "gauge", "histograms": "histogram", "Histogram": "histogram", "IntCounter": "counter",
         "Counter": "counter", "IntGauge": "gauge", "Gauge": "gauge"}


def daemon_metrics(root):
    source = (root / "inferd" / "src" / "telemetry.rs").read_text()
    # What makes an instrument: the kind, then name and help as the first two strings, then labels up to the end of the statement.
    made = re.compile(r'(?:make\s*\.\s*(counters|gauges|histograms)\(|\b(IntCounter|Counter|IntGauge|Gauge|Histogram)(?:Vec)?::(?:new|with_opts)\()'
                      r'(?:\s*(?:HistogramOpts|Opts)::new\()?\s*"(forebay_\w+)",\s*"([^"]+)"(.*?)\?,', re.S)
    rows, names = [], set()
    for many, one, name, text, rest in made.findall(source):
        kind = KINDS[many or one]
        listed = re.search(r"&\[([^\]]*)\]", rest)
        labels = re.findall(r'"(\w+)"', listed.group(1)) if listed else []
        if many == "histograms":
            labels = re.findall(r'^\)?,?\s*"(\w+)"', rest.strip()) or re.findall(r'"(\w+)"', rest)[:1]
        names.add(name)
        rows.append(f"| `{name}` | {kind} | {', '.join(f'`{label}`' for label in labels) or '-'} | {text} |")
    literals = set(re.findall(r'"(forebay_\w+)"', source))
    assert names == literals, f"tests/docs/generate.py did not understand {literals ^ names} of telemetry.rs"
    return sorted(rows)


def metrics(root):
    head = "| metric | kind | labels | meaning |\n|---|---|---|---|\n"
    return (
        f"# Metrics\n\n{NOTE}\nNo metric holds prompt text. Counters start with their first event.\n\n## The filter\n\n"
        "On Envoy's admin port, `/stats/prometheus`. The labels come by `stats_tags` of Envoy's bootstrap, or by the relabelling of\n"
        "[scrape.yaml](../envoy-config/observability/scrape.yaml) where the bootstrap is not yours.\n\n"
        + head + "\n".join(filter_metrics(root)) + "\n\n## The daemon\n\nOn inferd's admin port, `/metrics`.\n\n"
        + head + "\n".join(daemon_metrics(root)) + "\n")


def doctor(inferd):
    table = subprocess.run([inferd, "doctor", "--list"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return (f"# What `inferd doctor` finds\n\n{NOTE}\n`inferd doctor --help` tells what it can look at: a bootstrap, a configuration dump, a "
            "running Envoy, a node. It exits with 0\nwhen nothing is wrong, 1 when it found faults, 2 when it was called wrongly; `--json` is for "
            "machines. What it could not look\nat it lists as not checked.\n\n" + table)


def describe(schema, definitions):
    """Type and choices of a property."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rsplit("/", 1)[1]]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            parts = [describe(part, definitions) for part in schema[key] if part.get("type") != "null"]
            return ", ".join(dict.fromkeys(parts))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        kind = next(part for part in kind if part != "null")
    if kind == "array":
        return f"list of {describe(schema.get('items', {}), definitions)}"
    return {"integer": "number", "object": "map"}.get(kind, kind)


def rows(schema, definitions, prefix, defaults):
    for name, part in sorted(schema.get("properties", {}).items()):
        key, target = f"{prefix}{name}", part
        if "$ref" in part:
            target = definitions[part["$ref"].rsplit("/", 1)[1]]
        default = defaults.get(name, part.get("default")) if isinstance(defaults, dict) else part.get("default")
        if target.get("properties"):
            yield from rows(target, definitions, f"{key}.", default or {})
            continue
        text = (part.get("description") or target.get("description") or "").replace("\n", " ").split(". ")
        shown = "-" if default is None else f"`{json.dumps(default)}`"
        yield f"| `{key}` | {describe(part, definitions)} | {shown} | {'. '.join(text[:2]).rstrip('.')} |"


def configuration(inferd):
    schema = json.loads(subprocess.run([inferd, "config", "schema"], check=True, stdout=subprocess.PIPE, text=True).stdout)
    table = "\n".join(rows(schema, schema.get("$defs", {}), "", schema.get("default", {})))
    return (f"# The daemon's configuration\n\n{NOTE}\nA YAML file for `inferd serve --config FILE`. An unknown key or a bad value is refused and "
            "named; `inferd config check FILE`\nlooks without starting. `inferd config schema` prints the JSON Schema. For the filter's "
            "configuration see README,\n[Configure](../README.md#configure).\n\n| key | type | default | meaning |\n|---|---|---|---|\n" + table + "\n")


def documents(root, inferd):
    return {"metrics.md": metrics(root), "doctor.md": doctor(inferd), "configuration.md": configuration(inferd)}
