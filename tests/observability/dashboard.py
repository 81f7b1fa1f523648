"""The Grafana dashboard as data; the JSON under envoy-config/observability is made from it (`run --update` writes it)."""
import json

# Panels of each row: title, unit, [(query, legend)], kind, what the panel is for.
SHARE, PER_SECOND, SECONDS = "percentunit", "reqps", "s"
RATE = "[$__rate_interval]"


def quantiles(metric, scale=1):
    """Median, 95th and 99th percentile of a histogram."""
    divide = f" / {scale:g}" if scale != 1 else ""
    query = f"sum by (le) (rate({metric}_bucket{RATE}))"
    return [(f"histogram_quantile({q}, {query}){divide}", f"p{q * 100:g}") for q in (0.5, 0.95, 0.99)]


REQUESTS = f"sum(rate(forebay_filter_requests_total{RATE}))"
ROWS = [
    ("Traffic and verdicts", [
        ("Requests by verdict", PER_SECOND, [(f"sum by (verdict) (rate(forebay_filter_requests_total{RATE}))", "{{verdict}}")],
         "timeseries", "LLM requests that the filter decided on."),
        ("Unscreened share", SHARE, [
            (f"(sum(rate(forebay_filter_unscreened_total{RATE})) or vector(0)) / {REQUESTS}", "unscreened")],
         "stat", "Requests that were not fully screened, for whatever reason. The alert fires above 1 %."),
        ("Unscreened by reason", PER_SECOND, [(f"sum by (reason) (rate(forebay_filter_unscreened_total{RATE}))", "{{reason}}")],
         "timeseries", "docs/troubleshooting.md tells what to do for each reason."),
        ("Refusals by code", PER_SECOND, [(f"sum by (code) (rate(forebay_filter_refused_total{RATE}))", "{{code}}")],
         "timeseries", "Blocks, faulty requests, and requests that failed closed."),
    ]),
    ("Added latency", [
        ("From the last byte to the verdict", SECONDS, quantiles("forebay_filter_overhead_us", 1e6), "timeseries",
         "What a client waits for because of Forebay."),
        ("Call to the daemon", SECONDS, quantiles("forebay_filter_daemon_us", 1e6), "timeseries",
         "The same without the filter's own work after the last byte."),
        ("Daemon, 95th percentile by stage", SECONDS, [
            (f"histogram_quantile(0.95, sum by (le, stage) (rate(forebay_stage_seconds_bucket{RATE})))", "{{stage}}")],
         "timeseries", "queue is waiting for a worker: it grows when the CPU is short. run is the model."),
        ("Daemon, mean by stage", SECONDS, [
            (f"sum by (stage) (rate(forebay_stage_seconds_sum{RATE})) / sum by (stage) (rate(forebay_stage_seconds_count{RATE}))",
             "{{stage}}")], "timeseries", "Stacked, these make up a call."),
    ]),
    ("Daemon saturation", [
        ("Ready daemons", "short", [("sum(forebay_ready)", "ready"), ("count(forebay_ready)", "all")], "stat", "Daemons that serve."),
        ("Calls by outcome", PER_SECOND, [(f"sum by (outcome) (rate(forebay_requests_total{RATE}))", "{{outcome}}")], "timeseries",
         "shed: the queue was full. deadline: too late. cancelled: the client went away."),
        ("Waiting tokens", "short", [("sum by (instance, model) (forebay_queue_tokens)", "{{instance}} {{model}}")], "timeseries",
         "limits.max_queue_tokens is the end of it."),
        ("Tokens read", "short", [
            (f"sum by (model) (rate(forebay_tokens_total{RATE}))", "{{model}}"),
            (f"sum by (model) (rate(forebay_padding_tokens_total{RATE}))", "{{model}}, padding")], "timeseries",
         "Tokens a second. What a node can read is measured by `cargo xtask bench serve`."),
        ("Windows in a batch", "short", [
            (f"sum by (model) (rate(forebay_batch_rows_sum{RATE})) / sum by (model) (rate(forebay_batch_rows_count{RATE}))",
             "{{model}}")], "timeseries", "1 where the model is not batched."),
        ("Connections", "short", [
            ("sum by (instance) (forebay_connections)", "{{instance}}"),
            (f"sum by (reason) (rate(forebay_connections_refused_total{RATE})) or vector(0)", "refused a second {{reason}}")],
         "timeseries", "From Envoy's workers; refused ones are over the limit or from a user who may not connect."),
    ]),
    ("Model quality", [
        ("Share of requests acted on", SHARE, [
            (f'(sum by (code) (rate(forebay_filter_refused_total{{code=~"jailbreak_detected|pii_detected"}}{RATE})))'
             f" / on () group_left () {REQUESTS}", "blocked: {{code}}"),
            (f'sum(rate(forebay_filter_requests_total{{verdict="redact"}}{RATE})) / {REQUESTS}', "redacted")], "timeseries",
         "A jump without a change of model, threshold or traffic is worth a look at samples."),
        ("Answers that failed, by signal", PER_SECOND, [
            (f'(sum by (signal, failure) (rate(forebay_results_total{{failure!="none"}}{RATE}))) or vector(0)', "{{signal}} {{failure}}")],
         "timeseries", "The classifier gave no usable answer."),
        ("Share of answers that left text unread", SHARE, [
            (f"(sum by (signal) (rate(forebay_truncated_total{RATE})) / sum by (signal) (rate(forebay_results_total{RATE}))) or vector(0)",
             "{{signal}}")], "timeseries", "limits.max_tokens_per_signal cuts texts."),
        ("Length of prompts in tokens", "short", quantiles("forebay_filter_tokens_in")[:2] + [
            (f"histogram_quantile(0.95, sum by (le) (rate(forebay_filter_tokens_kept_bucket{RATE})))", "p95 kept for the domain")],
         "timeseries", "Estimated by the filter. Prompts far longer than those a model was measured on are judged less well."),
        ("Models served", "short", [("sum by (signal, name, version) (forebay_model_info)", "{{signal}}: {{name}} {{version}}")],
         "table", "On how many daemons. Two versions of one signal: an upgrade under way, or one that stopped half way."),
        ("Reloads", "short", [("sum by (outcome) (increase(forebay_reloads_total[1h])) or vector(0)", "{{outcome}}")], "stat",
         "refused: the last good configuration stays."),
    ]),
]


def dashboard():
    panels, y = [], 0
    for row, members in ROWS:
        panels.append({"type": "row", "title": row, "collapsed": False, "panels": [], "gridPos": {"h": 1, "w": 24, "x": 0, "y": y}})
        y += 1
        for index, (title, unit, queries, kind, text) in enumerate(members):
            place = {"h": 8, "w": 8, "x": 8 * (index % 3), "y": y + 8 * (index // 3)}
            defaults = {"unit": unit, "min": 0}
            if kind == "timeseries":
                defaults["custom"] = {"fillOpacity": 10, "showPoints": "never"}
            targets = [
                {"refId": chr(ord("A") + n), "expr": query, "legendFormat": legend, "instant": kind != "timeseries",
                 "range": kind == "timeseries", "datasource": {"type": "prometheus", "uid": "${datasource}"}}
                for n, (query, legend) in enumerate(queries)]
            panels.append({
                "type": kind, "title": title, "description": text, "gridPos": place, "targets": targets,
                "datasource": {"type": "prometheus", "uid": "${datasource}"},
                "fieldConfig": {"defaults": defaults, "overrides": []}})
        y += 8 * ((len(members) + 2) // 3)
    for number, panel in enumerate(panels, 1):
        panel["id"] = number
    return {
        "uid": "forebay", "title": "Forebay", "tags": ["llm", "envoy"], "schemaVersion": 39, "editable": True, "refresh": "30s",
        "time": {"from": "now-1h", "to": "now"}, "timezone": "", "panels": panels, "annotations": {"list": []}, "links": [],
        "templating": {"list": [
            {"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Prometheus", "hide": 0, "multi": False,
             "includeAll": False, "options": [], "refresh": 1, "regex": "", "current": {}}]},
    }


def text():
    return json.dumps(dashboard(), indent=2) + "\n"
