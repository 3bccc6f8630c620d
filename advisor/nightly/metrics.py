"""The last run of each database as OpenMetrics text, for what scrapes files: names and units are those of its rules.

metrics.csv says what a metric of a run is called there; the others are of the list.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from advisor.catalogue.lanes import all_lanes
from advisor.fleet.estate import CODES, HEALTH, Surveyed
from advisor.nightly.runs import Run
from advisor.report.text import safe
from advisor.resources import csv_rows

Labels = dict[str, str]
Known = Iterable[tuple[Surveyed, Run | None]]  # each database, with its last run if there is one


class _Family(NamedTuple):
    """A metric with its samples: its name and unit, what it is, and values by their labels.

    All are gauges, also where OpenMetrics has a kind of its own: readers of the older text format know no other.
    """

    name: str
    unit: str
    says: str
    samples: list[tuple[Labels, float]]


def render(known: Known) -> str:
    """The text; a metric of which nothing is known has no sample."""
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
    yield _Family("db2tune_health", "", "How a database is, in a word", health)
    yield _Family(
        "db2tune_last_run_timestamp_seconds",
        "seconds",
        "When the last run of a database was begun, since 1970",
        [({"database": run.database}, run.started_at.timestamp()) for run in runs],
    )
    yield _Family("db2tune_recommendations", "", "Recommendations of the list, by lane", list(_counted(runs)))
    yield _Family(
        "db2tune_promised_ratio",
        "ratio",
        "Part of its database time that the list of a database promises together",
        [({"database": one.name}, one.promised_pct / 100) for one, run in known if run and run.discarded is None],
    )
    yield _Family(
        "db2tune_database_time_ratio",
        "ratio",
        "Part of the database time that goes there",
        [({"database": run.database, "bucket": s.bucket}, s.pct / 100) for run in usable for s in run.time_spent],
    )
    for row in csv_rows(Path(__file__).with_name("metrics.csv")):
        values = (
            (run.database, each.value) for run in usable for each in run.metrics if each.name == row["METRIC"]
        )  # fmt: skip
        factor = float(row["FACTOR"])
        measured = [({"database": name}, value * factor) for name, value in values if value is not None]
        yield _Family(row["NAME"], row["UNIT"], row["HELP"], measured)


def _counted(runs: Iterable[Run]) -> Iterator[tuple[Labels, float]]:
    for run in runs:
        for letter, lane in all_lanes().items():
            count = sum(line.lane == letter for line in run.ranked)
            yield {"database": run.database, "lane": lane.name.lower()}, float(count)


def _lines(family: _Family) -> Iterator[str]:
    yield f"# TYPE {family.name} gauge"
    if family.unit:
        yield f"# UNIT {family.name} {family.unit}"
    yield f"# HELP {family.name} {family.says}."
    for labels, value in family.samples:
        yield f"{family.name}{{{','.join(f'{name}={_quoted(text)}' for name, text in labels.items())}}} {value:.10g}"


def _quoted(text: str) -> str:
    """The value of a label. What cannot be shown is escaped first, so that none of it ends a line."""
    escaped = safe(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
