"""Prometheus text of an exporter for Db2; columns/prometheus.csv maps metrics and labels to columns.

A LABEL with a value is one that the metric must have; without one, its value is the column's; without LABEL, the column
gets the metric's own value. Exporters with user-defined queries and names are recognised, and not used. Counters have
no start time and are sums over members: they are not used either.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from advisor.catalogue.sources import all_sources
from advisor.imports.cells import Form, form_of
from advisor.imports.labels import is_usable, keys
from advisor.imports.reader import Format, Part
from advisor.imports.readings import Report
from advisor.imports.values import columns

_NAME = "metrics of a Prometheus exporter"
_PREFIX = re.compile(r"\s*(?:# (?:HELP|TYPE) )?(?:ibm_?db2|db2)_\w+[ {]")
_SAMPLE = re.compile(
    r"\s*(?P<metric>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>.*)\})?\s+(?P<value>[-+]?[\d.]\S*|NaN|[-+]Inf)(?:\s+\d+)?\s*$"
)
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_LEVEL = re.compile(r"\d+(?:\.\d+)+")
_DATABASE = ("database_name", "dbname", "server")
_LEVEL_LABEL = "service_level"
_BLOCK = 4000  # bytes: the exporter divides by it
_MB = 1 << 20
_FEWEST_MB = 100  # below, a whole number of MB is too inexact


@dataclass
class _Metric:
    """The use of one metric: the labels that it must have, columns of labels, and its own column with the unit."""

    source: str = ""
    labels: dict[str, tuple[str, Form]] = field(default_factory=dict)
    values: list[tuple[str, str, str, str]] = field(default_factory=list)


def _blocks(value: float, labels: Mapping[str, str]) -> int | None:
    return round(value) * _BLOCK


def _available(value: float, labels: Mapping[str, str]) -> int | None:
    """Return None if a log without limit, which is -1, was divided and became 0."""
    return round(value) * _BLOCK if value >= 1 else None


def _pages(value: float, labels: Mapping[str, str]) -> int | None:
    size = labels.get("page_size", "")
    return round(value) * _MB // int(size) if size.isdigit() and int(size) and value >= _FEWEST_MB else None


_HOW: dict[str, Callable[[float, Mapping[str, str]], int | None]] = {
    "blocks": _blocks,
    "blocks or unlimited": _available,
    "MB": _pages,
}


@cache
def _metrics() -> dict[str, _Metric]:
    result: dict[str, _Metric] = {}
    for row in columns("prometheus"):
        metric = result.setdefault(row["METRIC"], _Metric())
        metric.source, _, name = row["COLUMN"].partition(".")
        if row["HOW"]:
            label, _, value = row["LABEL"].partition("=")
            metric.values.append((label, value, name, row["HOW"]))
        else:
            column = next(item for item in all_sources()[metric.source].columns if item.name == name)
            metric.labels[row["LABEL"]] = (name, form_of(column))
    return result


def _starts(line: str, previous: str) -> bool:
    return _PREFIX.match(line) is not None


def _read(part: Part) -> None:
    lines, first = part.lines, part.lines.number + 1
    reports: dict[str, Report] = {}
    level, used = None, False
    for line in lines:
        if line.startswith("#") or not line.strip():
            continue
        sample = _SAMPLE.match(line)
        if sample is None:
            lines.push_back()
            break
        if _LEVEL_LABEL in line and (found := _LEVEL.search(line)):
            level = found[0]
        metric = _metrics().get(sample["metric"])
        if metric is not None:
            labels = {name: value.strip() for name, value in _LABEL.findall(sample["labels"] or "")}
            used |= _store(part, reports, metric, labels, sample["value"])
    for report in reports.values():
        report.level = level
    if not used:
        part.readings.unused(part.document, first, lines.number, _NAME)


def _store(part: Part, reports: dict[str, Report], metric: _Metric, labels: Mapping[str, str], text: str) -> bool:
    row: dict[str, str] = {}
    for label, (name, form) in metric.labels.items():
        if given := form(labels.get(label, "")):
            row[name] = given
    try:
        value = float(text)
        found = {
            name: _HOW[how](value, labels)
            for label, wanted, name, how in metric.values
            if not label or labels.get(label) == wanted
        }
    except (ValueError, OverflowError):  # also NaN, and values beyond any size
        return False
    row |= {name: str(number) for name, number in found.items() if number is not None}
    if row.keys() <= keys(metric.source) or not is_usable(metric.source, row):
        return False
    database = next((labels[label] for label in _DATABASE if labels.get(label)), "").upper()
    if database not in reports:
        reports[database] = part.readings.report(_NAME, part.document, database=database or None)
    part.readings.row(reports[database], metric.source, row)
    return True


FORMATS = (Format(_NAME, _starts, _read, ("db2_",)),)
