#!/usr/bin/env python3
"""queries.py - reads the queries of the alert rules and of the dashboard.

queries.py rules DASHBOARD                  prints each query of the dashboard as a rule, for promtool
queries.py check METRICS RULES DASHBOARD    checks that the daemon exports what the queries use
"""
import json
import re
import sys

# Metrics of Prometheus itself and of node_exporter.
FOREIGN = {"up", "node_textfile_mtime_seconds"}
# Labels that Prometheus adds to each metric.
TARGET_LABELS = {"job", "instance"}
# Operators and aggregations of PromQL. An aggregation may be followed by "by" or "without".
KEYWORDS = {
    "and", "or", "unless", "bool", "offset", "sum", "min", "max", "avg", "count", "group", "quantile", "topk",
    "bottomk", "stddev", "stdvar", "count_values"}

STRING = r'"(?:\\.|[^"\\])*"'
SELECTOR = re.compile(rf"([A-Za-z_:][\w:]*)\s*\{{((?:[^}}\"]|{STRING})*)\}}")
MATCHER = re.compile(rf"(\w+)\s*(=~|!~|!=|=)\s*({STRING})")


def rule_queries(path):
    """Yields the queries of a rule file, each with the name of its rule.

    A query is on one line, or in a block ("|").
    """
    name, block, indent = None, None, 0
    with open(path) as file:
        for line in list(file) + ["end\n"]:
            depth = len(line) - len(line.lstrip())
            if block is not None:
                if depth > indent:
                    block.append(line)
                    continue
                yield name, "".join(block)
                block = None
            if found := re.match(r"\s*- (?:alert|record): (\S+)", line):
                name = found[1]
            elif found := re.match(r"\s*expr: (.*)", line):
                if found[1] == "|":
                    block, indent = [], depth
                else:
                    yield name, found[1]


def records(path):
    """Returns the names of the metrics that recording rules make."""
    with open(path) as file:
        return set(re.findall(r"^\s*- record: (\S+)", file.read(), re.MULTILINE))


def dashboard_queries(path):
    """Yields the queries of a dashboard, each with the title of its panel."""
    with open(path) as file:
        dashboard = json.load(file)
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], with_durations(target["expr"])
    for annotation in dashboard["annotations"]["list"]:
        yield annotation["name"], with_durations(annotation["expr"])
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            # The first argument of label_values(SELECTOR, LABEL).
            yield variable["name"], re.fullmatch(r"label_values\((.*), *\w+\)", variable["query"]["query"])[1]


def with_durations(query):
    """Replaces the variables that Grafana replaces with a duration."""
    return query.replace("$__rate_interval", "5m").replace("$__interval", "5m").replace("$__range", "5m")


def metric_names(query):
    """Returns the names of the metrics in a query."""
    text = re.sub(STRING, " ", query)
    text = re.sub(r"\{[^}]*\}|\[[^]]*\]", " ", text)
    text = re.sub(r"\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", " ", text)
    words = re.findall(r"(?<![\w:.])([A-Za-z_:][\w:]*)(?![\w:])(\s*\()?", text)
    return {word for word, is_function in words if not is_function and word not in KEYWORDS}


def exported(path):
    """Returns the metrics in the output of ipctl: the values of each label. A metric without samples has None."""
    with open(path) as file:
        text = file.read()
    metrics = {}

    def add(name, labels):
        values = metrics.get(name) or {}
        metrics[name] = values
        for label, value in labels.items():
            values.setdefault(label, set()).add(value)

    if text.startswith("{"):
        for metric in json.loads(text)["metrics"]:
            parts = ("_bucket", "_sum", "_count") if metric["kind"] == "histogram" else ("",)
            metrics.update({metric["name"] + part: None for part in parts})
            for sample in metric["samples"]:
                part = sample.get("part")
                add(metric["name"] + (f"_{part}" if part else ""), sample["labels"])
        return metrics
    for line in text.splitlines():
        if line and not line.startswith("#"):
            found = re.match(rf"([A-Za-z_:][\w:]*)(?:\{{((?:[^}}\"]|{STRING})*)\}})? ", line)
            add(found[1], {label: value[1:-1] for label, _, value in MATCHER.findall(found[2] or "")})
    return metrics


def problems(query, metrics, foreign):
    """Yields the names in a query that the daemon does not export."""
    for name in sorted(metric_names(query) - foreign):
        if name not in metrics:
            yield f"unknown metric {name}"
    for name, matchers in SELECTOR.findall(query):
        if name in foreign or metrics.get(name) is None:
            continue
        for label, operator, value in MATCHER.findall(matchers):
            if label in TARGET_LABELS:
                continue
            if label not in metrics[name]:
                yield f"{name} has no label {label}"
                continue
            values = value[1:-1].split("|") if operator in ("=~", "!~") else [value[1:-1]]
            for value in sorted(set(values) - metrics[name][label]):
                yield f'{name} has no {label}="{value}"'


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "rules":
        print("groups:\n- name: dashboard\n  rules:")
        for number, (_, query) in enumerate(dashboard_queries(sys.argv[2])):
            print(f"  - record: query_{number}\n    expr: {json.dumps(query)}")
    elif len(sys.argv) == 5 and sys.argv[1] == "check":
        metrics = exported(sys.argv[2])
        foreign = FOREIGN | records(sys.argv[3])
        found, count = [], 0
        for path, queries in ((sys.argv[3], rule_queries), (sys.argv[4], dashboard_queries)):
            for name, query in queries(path):
                count += 1
                found += [f"{path}: {name}: {problem}" for problem in problems(query, metrics, foreign)]
        if found:
            sys.exit("\n".join(found))
        print(f"{count} queries use only metrics that the daemon exports")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
