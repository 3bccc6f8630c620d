"""Two snapshots of a database and the advice from them.

No connection is open between the snapshots. The first one stays on disk until the run is stored, so that a run that was
stopped can resume. It is discarded if it is older than twice the interval, if the server is a different one, or if the
server's clock went back. All times are from the server's clock.
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
from advisor.judgement.advice import Advice
from advisor.judgement.run import add_broken_files, judge_state, read_extra
from advisor.nightly.changed import read_ledger
from advisor.nightly.runs import Metric
from advisor.verify.changed import Change
from advisor.verify.measured import SPAN, Interval, Value
from advisor.verify.reading import interval, values

METRICS = "SELECT METRIC, UNIT, VALUE FROM TUNE.METRIC ORDER BY METRIC"
STALE = 2  # maximum age of a first snapshot, in intervals
_FIRST = "first"
_STATE = "snapshot.json"

Open = Callable[[], Connection]
Note = Callable[[str], None]
Kind = TypeVar("Kind")


class OverdueError(UserError):
    """A database took longer than its timeout_s."""

    exit_status = EXIT_NO_CONNECTION


class Bounded(Connection):
    """A connection with a deadline (time.monotonic()), which limits the time of each statement."""

    deadline = math.inf

    def limit_s(self, timeout_s: int | None) -> int:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OverdueError("took longer than timeout_s; raise timeout_s or lower interval_s")
        return math.ceil(min(super().limit_s(timeout_s), left))


@dataclass(frozen=True)
class Judged:
    """The advice and metrics of an interval, with its capture or the changes from the ledger in schema TUNE."""

    advice: Advice
    metrics: list[Metric]
    capture: Path | None = None
    changes: list[Change] | None = None
    measured: tuple[Interval, ...] = ()


class Reader(Protocol):
    """One way to take the two snapshots."""

    def take_first(self, connection: Connection) -> None:
        """Take and store the first snapshot."""

    def load_pending(self) -> Snapshot | None:
        """Return the stored first snapshot, or None."""

    def second(self, connection: Connection) -> Callable[[], Judged]:
        """Take the second snapshot; return a function that judges without the connection."""

    def forget(self) -> None:
        """Delete the first snapshot."""


class ByCapture:
    """The reader that writes a capture in ``folder``, with plain SELECTs."""

    def __init__(self, folder: Path, target: Path, hostfacts: Facts, site: Site, also: Mapping[str, str]) -> None:
        self._first = folder / _FIRST
        self._target = target
        self._hostfacts = hostfacts
        self._site = site
        self._also = also

    def take_first(self, connection: Connection) -> None:
        self.forget()
        files.folder(self._first)
        collector = Collector(connection, self._first, self._hostfacts, self._site.texts)
        collector.snapshot()
        collector.finish()

    def load_pending(self) -> Snapshot | None:
        with suppress(OSError, UserError):  # an incomplete snapshot does not count
            return read_manifest(self._first).snapshots[0]
        return None

    def second(self, connection: Connection) -> Callable[[], Judged]:
        with captures.write_capture(self._target) as both:
            shutil.copytree(self._first, both, dirs_exist_ok=True)
            collector = Collector.resume(connection, both, self._hostfacts)
            collector.snapshot()
            collector.finish()
        return self._judge

    def _judge(self) -> Judged:
        rules = list(self._site.rules.values())
        with captures.open_capture(self._target) as capture:
            capture.adopt(self._site)
            with judge_state(capture, rules, also=[METRICS, *self._also.values()], keep_interval=True) as (
                advice,
                tables,
            ):
                metrics = [Metric(*row) for row in tables.fetch(METRICS)]
                found = replace(advice, seen=read_extra(tables, self._also))
            return Judged(add_broken_files(found, self._site), metrics, self._target)

    def forget(self) -> None:
        shutil.rmtree(self._first, ignore_errors=True)


class InDatabase:
    """The reader that calls TUNE.SNAPSHOT and TUNE.ADVISE, which store their data in the database."""

    def __init__(self, folder: Path, note: Note, also: Mapping[str, str]) -> None:
        self._state = folder / _STATE
        self._note = note
        self._also = also

    def take_first(self, connection: Connection) -> None:
        self.forget()
        taken = identity(connection)
        with in_database.require_procedure("TUNE.SNAPSHOT"):
            (number,), _ = connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
        connection.commit()
        files.replace(self._state, json.dumps(replace(taken, id=number).entry()), files.PRIVATE)

    def load_pending(self) -> Snapshot | None:
        with suppress(OSError, UserError, ValueError, LookupError, TypeError):
            return Snapshot.from_entry(json.loads(self._state.read_text(encoding="utf-8")))
        return None

    def second(self, connection: Connection) -> Callable[[], Judged]:
        taken = self.load_pending()
        if taken is None:
            raise UserError(f"{self._state}: is missing or damaged; run the command again")
        advice = in_database.advise(connection, None, str(taken.id), also=self._also)
        found = self._read_optional("metrics", lambda: list(values(connection.rows)))
        metrics = [Metric(each.metric, each.unit, each.value) for each in found or ()]
        changes = self._read_optional("changes", lambda: read_ledger(connection))
        measured = self._read_optional(
            "measurements to verify changes by", lambda: [_read_measurements(connection, advice, found or ())]
        )
        return lambda: Judged(advice, metrics, changes=changes, measured=tuple(measured or ()))

    def _read_optional(self, what: str, ask: Callable[[], list[Kind]]) -> list[Kind] | None:
        """Return optional data; note a missing privilege and return None."""
        try:
            return ask()
        except Db2Failure as failure:
            if failure.dropped:
                raise
            self._note(f"no {what}: {failure}")
            return None

    def forget(self) -> None:
        self._state.unlink(missing_ok=True)


def _read_measurements(connection: Connection, advice: Advice, found: Iterable[Value]) -> Interval:
    """Return the measurements of the latest run in schema TUNE."""
    begin, end = (
        datetime.fromisoformat(each).replace(tzinfo=None) for each in (advice.window.begin or "", advice.window.end)
    )
    return interval(connection.rows, SPAN, begin, end, known=tuple(found))


def read(reader: Reader, open_: Open, interval_s: int, wait: Callable[[float], None], note: Note) -> Judged:
    """Take two snapshots ``interval_s`` seconds apart, or resume with a stored first one, and judge."""
    with open_() as connection:
        left = _remaining_seconds(reader.load_pending(), connection, interval_s, note)
        if left is None:
            reader.take_first(connection)
            left = interval_s
    wait(left)
    with open_() as connection:
        judge = reader.second(connection)
    return judge()


def _remaining_seconds(pending: Snapshot | None, connection: Connection, interval_s: int, note: Note) -> float | None:
    """Return the seconds to wait after a stored first snapshot, or None if it cannot be used."""
    if pending is None:
        return None
    now = identity(connection)
    age = now.epoch_s - pending.epoch_s
    if pending.database != now.database:
        note("discarded the first snapshot of a stopped run: it is from another server or level")
    elif age < 0:
        note("discarded the first snapshot of a stopped run: the server's clock went back since then")
    elif age > STALE * interval_s:
        note(f"discarded the first snapshot of a stopped run: it is {age:.0f} s old")
    else:
        note(f"resumed a stopped run: its first snapshot is {age:.0f} s old")
        return max(0, interval_s - age)
    return None
