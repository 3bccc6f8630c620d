"""Two snapshots of a database and the advice from them.

Between the two no connection is held. The first one stays on disk until the run is kept, so that a program that was
stopped in between goes on from it: not when it is older than twice the interval, nor when the server has become
another one or its clock went back. The clock that counts is the server's.
"""

import json
import math
import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeVar

from advisor import capture as captures
from advisor import files
from advisor.capture import Snapshot
from advisor.capture.hostfacts import Facts
from advisor.capture.manifest import read_manifest
from advisor.capture.site import Site
from advisor.db2 import in_database
from advisor.db2.collector import Collector, identity
from advisor.db2.connection import Connection, Out
from advisor.db2.failures import Db2Failure
from advisor.errors import EXIT_NO_CONNECTION, UserError
from advisor.judge.advice import Advice
from advisor.judge.run import judged, seen, with_broken
from advisor.nightly.changed import in_ledger
from advisor.nightly.runs import Metric
from advisor.verify.changed import Changed
from advisor.verify.measured import SPAN, Interval, Value
from advisor.verify.reading import interval, values

METRICS = "SELECT METRIC, UNIT, VALUE FROM TUNE.METRIC ORDER BY METRIC"
STALE = 2  # a first snapshot may be so many intervals old
_FIRST = "first"
_STATE = "snapshot.json"

Open = Callable[[], Connection]
Note = Callable[[str], None]
Kind = TypeVar("Kind")


class OverdueError(UserError):
    """A database took longer than its timeout_s."""

    exit_status = EXIT_NO_CONNECTION


class Bounded(Connection):
    """A connection that ends with its deadline: no statement may take longer than what is left (time.monotonic())."""

    deadline = math.inf

    def limit_s(self, timeout_s: int | None) -> int:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OverdueError("took longer than its timeout_s; raise it, or lower interval_s")
        return math.ceil(min(super().limit_s(timeout_s), left))


@dataclass(frozen=True)
class Judged:
    """The advice and the metrics of its interval; the capture it came from, or what the ledger of TUNE says."""

    advice: Advice
    metrics: list[Metric]
    capture: Path | None = None
    changes: list[Changed] | None = None
    measured: tuple[Interval, ...] = ()


class Reader(Protocol):
    """Takes the two snapshots, one way or the other."""

    def first(self, connection: Connection) -> None:
        """Take the first snapshot and keep it."""

    def pending(self) -> Snapshot | None:
        """The first snapshot, where one is there."""

    def second(self, connection: Connection) -> Callable[[], Judged]:
        """Take the second snapshot; what is returned judges and needs the connection no more."""

    def forget(self) -> None:
        """Throw the first snapshot away."""


class ByCapture:
    """By plain SELECTs, into a capture in ``folder``."""

    def __init__(self, folder: Path, target: Path, hostfacts: Facts, site: Site, also: Mapping[str, str]) -> None:
        self._first = folder / _FIRST
        self._target = target
        self._hostfacts = hostfacts
        self._site = site
        self._also = also

    def first(self, connection: Connection) -> None:
        self.forget()
        files.folder(self._first)
        collector = Collector(connection, self._first, self._hostfacts, self._site.texts)
        collector.snapshot()
        collector.finish()

    def pending(self) -> Snapshot | None:
        with suppress(OSError, UserError):  # half of one is none
            return read_manifest(self._first).snapshots[0]
        return None

    def second(self, connection: Connection) -> Callable[[], Judged]:
        with captures.written(self._target) as both:
            shutil.copytree(self._first, both, dirs_exist_ok=True)
            collector = Collector.resumed(connection, both, self._hostfacts)
            collector.snapshot()
            collector.finish()
        return self._judge

    def _judge(self) -> Judged:
        rules = list(self._site.rules.values())
        with captures.opened(self._target) as capture:
            capture.adopt(self._site)
            with judged(capture, rules, also=[METRICS, *self._also.values()]) as (advice, tables):
                metrics = [Metric(*row) for row in tables.execute(METRICS).fetchall()]
                found = replace(advice, seen=seen(tables, self._also))
            return Judged(with_broken(found, self._site), metrics, self._target)

    def forget(self) -> None:
        shutil.rmtree(self._first, ignore_errors=True)


class InDatabase:
    """By TUNE.SNAPSHOT and TUNE.ADVISE, which keep what they read in the database."""

    def __init__(self, folder: Path, note: Note, also: Mapping[str, str]) -> None:
        self._state = folder / _STATE
        self._note = note
        self._also = also

    def first(self, connection: Connection) -> None:
        self.forget()
        taken = identity(connection)
        with in_database.installed("TUNE.SNAPSHOT"):
            (number,), _ = connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
        connection.commit()
        files.replace(self._state, json.dumps(replace(taken, id=number).entry()), files.PRIVATE)

    def pending(self) -> Snapshot | None:
        with suppress(OSError, UserError, ValueError, LookupError, TypeError):
            return Snapshot.of(json.loads(self._state.read_text(encoding="utf-8")))
        return None

    def second(self, connection: Connection) -> Callable[[], Judged]:
        taken = self.pending()
        if taken is None:
            raise UserError(f"{self._state}: is gone or damaged; run it again")
        advice = in_database.advise(connection, None, str(taken.id), also=self._also)
        found = self._asked("metrics", lambda: list(values(connection.rows)))
        metrics = [Metric(each.metric, each.unit, each.value) for each in found or ()]
        changes = self._asked("changes", lambda: in_ledger(connection))
        measured = self._asked(
            "measurements to verify changes by", lambda: [_measured(connection, advice, found or ())]
        )
        return lambda: Judged(advice, metrics, changes=changes, measured=tuple(measured or ()))

    def _asked(self, what: str, ask: Callable[[], list[Kind]]) -> list[Kind] | None:
        """What is good to have; without the privilege the run goes on."""
        try:
            return ask()
        except Db2Failure as failure:
            if failure.dropped:
                raise
            self._note(f"no {what}: {failure}")
            return None

    def forget(self) -> None:
        self._state.unlink(missing_ok=True)


def _measured(connection: Connection, advice: Advice, found: Iterable[Value]) -> Interval:
    """What the run that schema TUNE has just made measured."""
    begin, end = (
        datetime.fromisoformat(each).replace(tzinfo=None) for each in (advice.window.begin or "", advice.window.end)
    )
    return interval(connection.rows, SPAN, begin, end, known=tuple(found))


def read(reader: Reader, open_: Open, interval_s: int, wait: Callable[[float], None], note: Note) -> Judged:
    """Two snapshots ``interval_s`` seconds apart, the first one perhaps of an earlier program, and the judgement."""
    with open_() as connection:
        left = _left(reader.pending(), connection, interval_s, note)
        if left is None:
            reader.first(connection)
            left = interval_s
    wait(left)
    with open_() as connection:
        judge = reader.second(connection)
    return judge()


def _left(pending: Snapshot | None, connection: Connection, interval_s: int, note: Note) -> float | None:
    """Seconds to wait after a first snapshot that is there already; None where it cannot be used."""
    if pending is None:
        return None
    now = identity(connection)
    age = now.epoch_s - pending.epoch_s
    if pending.database != now.database:
        note("the first snapshot of a run that was stopped is of another server or level; it is thrown away")
    elif age < 0:
        note("the server's clock went back since the first snapshot of a run that was stopped; it is thrown away")
    elif age > STALE * interval_s:
        note(f"the first snapshot of a run that was stopped is {age:.0f} s old; it is thrown away")
    else:
        note(f"goes on with the first snapshot of a run that was stopped, {age:.0f} s ago")
        return max(0, interval_s - age)
    return None
