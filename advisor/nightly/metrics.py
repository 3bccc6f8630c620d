"""OpenMetrics text of each database's last run, with names and units that follow the OpenMetrics rules.

metrics.csv maps a run's metrics to OpenMetrics names; the other metrics come from the list of advice.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from advisor.catalogue.lanes import all_lanes
from advisor.fleet.estate import CODES, HEALTH, Surveyed
from advisor.nightly.runs import Run
from advisor.report.text import make_printable
from advisor.resources import csv_rows

Labels = dict[str, str]
Known = Iterable[tuple[Surveyed, Run | None]]  # each database with its last run, if any


class _Family(NamedTuple):
    """A metric: name, unit, help text, and values by label.

    All metrics are gauges, because readers of the older text format lack some types of OpenMetrics.
    """

    name: str
    unit: str
    says: str
    samples: list[tuple[Labels, float]]


def render(known: Known) -> str:
    """Return the text; a metric without a value has no sample."""
    databases = list(known)
    lines = [line for family in _families(databases) for line in _lines(family)]
    return "\n".join([*lines, "# EOF"]) + "\n"


def _families(known: list[tuple[Surveyed, Run | None]]) -> Iterator[_Family]:
    runs = [run for _, run in known if run is not None]
    usable = [run for run in runs if run.discarded is None]
    words = dict.fromkeys(CODES.get(word, word) for word in HEALTH)
    health = [
        ({"database": one.name, "health": word}, float(one.health_code == word)) for one, _ in known for word in words
    ]
    yield _Family("db2tune_health", "", "Health of a database", health)
    yield _Family(
        "db2tune_last_run_timestamp_seconds",
        "seconds",
        "Start of the last run of a database, in seconds since 1970",
        [({"database": run.database}, run.started_at.timestamp()) for run in runs],
    )
    listed = [
        ({"database": run.database, "lane": lane.name.lower()}, float(sum(line.lane == letter for line in run.ranked)))
        for run in runs
        for letter, lane in all_lanes().items()
    ]
    yield _Family("db2tune_recommendations", "", "Recommendations by lane", listed)
    yield _Family(
        "db2tune_promised_ratio",
        "ratio",
        "Fraction of database time that all recommendations together save",
        [({"database": one.name}, one.promised_pct / 100) for one, run in known if run and run.discarded is None],
    )
    yield _Family(
        "db2tune_database_time_ratio",
        "ratio",
        "Fraction of database time by bucket",
        [({"database": run.database, "bucket": s.bucket}, s.pct / 100) for run in usable for s in run.time_spent],
    )
    for row in csv_rows(Path(__file__).with_name("metrics.csv")):
        values = (
            (run.database, each.value) for run in usable for each in run.metrics if each.name == row["METRIC"]
        )  # fmt: skip
        factor = float(row["FACTOR"])
        measured = [({"database": name}, value * factor) for name, value in values if value is not None]
        yield _Family(row["NAME"], row["UNIT"], row["HELP"], measured)


def _lines(family: _Family) -> Iterator[str]:
    yield f"# TYPE {family.name} gauge"
    if family.unit:
        yield f"# UNIT {family.name} {family.unit}"
    yield f"# HELP {family.name} {family.says}."
    for labels, value in family.samples:
        yield f"{family.name}{{{','.join(f'{name}={_quoted(text)}' for name, text in labels.items())}}} {value:.10g}"


def _quoted(text: str) -> str:
    """Return a quoted label value. Escape control characters first, so that none of them ends a line."""
    escaped = make_printable(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
