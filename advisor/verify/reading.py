"""The intervals of captures, measured by the views of sql/model/ on the embedded engine.

All snapshots share the same tables and have unique numbers. Each interval is a pair: two consecutive snapshots of a
capture, or the last snapshots of two captures at least 20 hours apart.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor import capture as captures
from advisor.capture import Snapshot
from advisor.capture.manifest import MANIFEST, SUFFIX, other_database
from advisor.catalogue.deltas import counter_check
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.sources import Source, all_sources
from advisor.catalogue.sqltext import references
from advisor.catalogue.views import model_views
from advisor.errors import UserError
from advisor.verify.measured import DAY, SPAN, Executed, Interval, Value

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables

METRICS = "SELECT METRIC, UNIT, VALUE, EVENTS, LOW_IS_GOOD, GUARD, TOO_LITTLE FROM TUNE.METRIC ORDER BY METRIC"
EXECUTED = (
    "SELECT STATEMENT, SHORT_TEXT, EXECUTIONS, ACT_MS, TIME_PCT, ROWS_READ, PLANID FROM TUNE.STATEMENT_CLASS"
    " ORDER BY STATEMENT"
)
WINDOW = "SELECT SECONDS, REASON FROM TUNE.RUN_WINDOW"
UPTIME = "SELECT MIN(UPTIME_S) FROM TUNE.RUN_MEMBER"
_CHECK = "COUNTER_CHECK"
Rows = Callable[[str], Iterable[tuple[Any, ...]]]  # runs a statement and returns its rows
SHORTEST_S, LONGEST_S = 20 * 3600, 8 * 86_400  # between the ends of captures: only such a gap is a whole day


@dataclass(frozen=True)
class _Taken:
    """A snapshot with its number in the shared tables, and its capture."""

    number: int
    snapshot: Snapshot
    origin: str


def captures_in(paths: Iterable[Path]) -> list[Path]:
    """Return the captures among the paths and in folders, each once. Raise UserError if a folder contains none."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir() and not (path / MANIFEST).is_file():
            inside = sorted(each for each in path.iterdir() if each.suffix == SUFFIX or (each / MANIFEST).is_file())
            if not inside:
                raise UserError(f"{path}: contains no captures; name captures or a folder of captures")
            found |= dict.fromkeys(inside)
        else:
            found[path] = None
    return list(found)


def measure_captures(paths: Sequence[Path]) -> list[Interval]:
    """Return the intervals of the captures by begin. Raise UserError if the captures are from different databases."""
    with open_tables() as tables:
        taken = _load(tables, paths)
        found = [_measure(tables, kind, first, last) for kind, first, last in _pairs(taken)]
    return sorted(found, key=lambda interval: (interval.begin, interval.end, interval.kind))


def interval(rows: Rows, kind: str, begin: datetime, end: datetime, known: tuple[Value, ...] | None = None) -> Interval:
    """Return the interval of a run from its views, or with the reason why it cannot be used.

    ``known`` are its ``values``, if they were read already.
    """
    ((seconds, reason),) = rows(WINDOW)
    ((uptime,),) = rows(UPTIME)
    up = None if uptime is None or seconds is None else float(uptime) - float(seconds)
    what = ((), ()) if reason else (values(rows) if known is None else known, _read_executed(rows))
    return Interval(kind, begin, end, float(seconds or 0), up, *what, reason)


def values(rows: Rows) -> tuple[Value, ...]:
    """Return the metrics of a run."""
    return tuple(
        Value(metric, unit, _float(value), _float(events), bool(low), bool(guard), float(little))
        for metric, unit, value, events, low, guard, little in rows(METRICS)
    )


def _read_executed(read: Rows) -> tuple[Executed, ...]:
    """Return the statements of a run."""
    return tuple(
        Executed(
            statement, text, int(executions), float(ms), _float(pct), _float(rows), None if plan is None else int(plan)
        )
        for statement, text, executions, ms, pct, rows, plan in read(EXECUTED)
    )


@cache
def _views() -> dict[str, str]:
    """Return the necessary views in order, with a check of only the counters that they read."""
    views = model_views() | {_CHECK: ""}
    wanted, found = {name for sql in (METRICS, EXECUTED, WINDOW, UPTIME) for name in references(sql)}, set[str]()
    while wanted := (wanted & views.keys()) - found:
        found |= wanted
        wanted = {name for view in wanted for name in references(views[view])}
    counted = [source for source in all_sources().values() if source.delta.removeprefix("TUNE.") in found]
    views[_CHECK] = counter_check(counted)
    return {name: select for name, select in views.items() if name in found}


def _sources() -> list[Source]:
    """Return the sources that these views read."""
    read = {name for select in _views().values() for name in references(select)}
    return [source for source in all_sources().values() if source.table.removeprefix("TUNE.") in read]


def _load(tables: "Tables", paths: Sequence[Path]) -> list[_Taken]:
    """Load the snapshots of all captures into one set of tables, with unique numbers."""
    names = [source.name for source in _sources()]
    taken: list[_Taken] = []
    for path in paths:
        with captures.open_capture(path) as capture:
            if taken and (other := other_database(taken[0].snapshot.database, capture.database)):
                raise UserError(
                    f"{path.name} and {paths[0].name} are from different databases ({other}); give captures of one"
                )
            new = [_Taken(len(taken) + n, each, str(path)) for n, each in enumerate(capture.snapshots, 1)]
            capture.load(tables, names, {each.snapshot.id: each.number for each in new})
        taken += new
    return taken


def _pairs(taken: Sequence[_Taken]) -> Iterator[tuple[str, _Taken, _Taken]]:
    """Yield the snapshots of each interval."""
    by_capture: dict[str, list[_Taken]] = {}
    for each in taken:
        by_capture.setdefault(each.origin, []).append(each)
    for snapshots in by_capture.values():
        yield from ((SPAN, first, last) for first, last in pairwise(snapshots))
    ends = sorted((snapshots[-1] for snapshots in by_capture.values()), key=lambda each: each.snapshot.epoch_s)
    first = ends[0]
    for last in ends[1:]:
        seconds = last.snapshot.epoch_s - first.snapshot.epoch_s
        if SHORTEST_S <= seconds <= LONGEST_S:
            yield DAY, first, last
        if seconds >= SHORTEST_S:
            first = last


def _measure(tables: "Tables", kind: str, first: _Taken, last: _Taken) -> Interval:
    tables.empty([*_views(), "RUN_SNAPSHOT"])
    epochs = first.snapshot.epoch_s, last.snapshot.epoch_s
    span = first.number, last.number, *epochs, last.snapshot.taken_at.date().isoformat(), None
    tables.fill([("RUN_SNAPSHOT", span)])
    for name, select in _views().items():
        tables.store(name, select)
    found = interval(tables.fetch, kind, _moment(first.snapshot), _moment(last.snapshot))
    return replace(found, origins=(first.origin, last.origin))


def _moment(snapshot: Snapshot) -> datetime:
    """Return the time of the server's clock."""
    return snapshot.taken_at.replace(tzinfo=None)


def _float(value: Any) -> float | None:
    return None if value is None else float(value)
