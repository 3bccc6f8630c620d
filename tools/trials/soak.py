"""Nights of the nightly job over many databases, on a simulated clock: nothing may grow.

``python -m tools.trials.soak DATABASES NIGHTS`` prints the size of the process and of its store, and exits with 1 on
growth: memory, handles, threads, the store, its history.

A night contains all work of the job except reading. The read data is prepared: a few machines by turns, with a setting
that changes at intervals, so that changes and verdicts occur. Locks, the store, comparison, verification, retention,
notification and resources are those of the job.
"""

import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from tabulate import tabulate

from advisor.judgement.advice import Advice
from advisor.nightly import history, job, reading
from advisor.nightly.clock import Clock
from advisor.nightly.config import Config, Database
from advisor.nightly.runs import Metric
from advisor.verify.changed import Change
from advisor.verify.measured import PRIMARY, SPAN, Interval, Value
from tests.machines import MACHINES
from tests.support.stepwise import judge

FIRST = datetime(2026, 1, 1, 2, tzinfo=UTC)
INTERVAL_S = 300
KEEP_DAYS = 30
NAMES = ("x445-8way", "vm-oltp-before", "shop-missing-index", "laptop")
HEADS = ("night", "memory MB", "handles", "threads", "store MB", "files", "runs kept")
MORE = 1.25  # compared with the time when the retention has begun to delete
CHANGED_EVERY = 40  # nights between two changes of a database


@dataclass(frozen=True)
class Seen:
    """The process's resources and files after a night; memory is resident memory, in MB."""

    night: int
    memory_mb: float
    handles: int
    threads: int
    store_mb: float
    files: int
    runs: int

    @property
    def held(self) -> tuple[float, ...]:
        """Return the values that must stay bounded."""
        return self.memory_mb, self.handles, self.threads, self.store_mb, self.files, self.runs


class _NoPassword:
    """The password of a database to which the job does not connect."""

    def find(self, _: object) -> None:
        pass


class _Connection:
    """A database that accepts every call."""

    deadline = 0.0

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __enter__(self) -> "_Connection":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def call(self, *_: Any) -> None:
        pass

    def commit(self) -> None:
        pass


class Read:
    """The data of a database in a night."""

    def __init__(self, advices: list[Advice], names: list[str]) -> None:
        self._advices = advices
        self._names = names
        self._noise = random.Random(1)
        self.night = 0

    def __call__(self, reader: reading.InDatabase, *_: Any) -> reading.Judged:
        name = reader._state.parent.name
        number = self._names.index(name)
        advice = self._advices[(number + self.night // 30) % len(self._advices)]
        changed = self.night and (self.night + number) % CHANGED_EVERY == 0
        ms = 10 * self._noise.lognormvariate(0, 0.05)
        begin = (FIRST + timedelta(days=self.night)).replace(tzinfo=None)
        measured = Interval(
            SPAN,
            begin,
            begin + timedelta(seconds=INTERVAL_S),
            INTERVAL_S,
            1e6,
            (Value(PRIMARY, "ms", ms, 1e5, low_is_good=True, guard=False, too_little=0),),
        )
        size = self.night // CHANGED_EVERY
        changes = [Change(f"database configuration LOGBUFSZ: {size} -> {size + 1}", "DBCFG:LOGBUFSZ", None)]
        return reading.Judged(
            replace(advice, database={**advice.database, "name": name}),
            [Metric(PRIMARY, "ms", ms)],
            changes=changes if changed else [],
            measured=(measured,),
        )


def nights(store: Path, advices: list[Advice], databases: int, count: int, keep_days: int) -> Iterator[Seen]:
    """Run this many nights and return the state after each; raise AssertionError if a database could not be run."""
    names = [f"DB{number:02}" for number in range(databases)]
    read = Read(advices, names)
    config = Config(tuple(_database(name, keep_days) for name in names), store, 1, files=store.with_name("summaries"))
    with _prepared(read):
        for night in range(count):
            read.night = night
            clock = Clock(now=lambda night=night: FIRST + timedelta(days=night), wait=lambda _: None)  # type: ignore[misc]
            found = job.run(config, clock=clock)
            errors = [outcome.error for outcome in found.outcomes if outcome.error]
            assert not errors, errors[:3]
            assert not found.failed, found.failed
            yield _seen(store, night + 1)


def _database(name: str, keep_days: int) -> Database:
    return Database(name, None, _NoPassword(), True, (), None, INTERVAL_S, 1800, keep_days, ())  # type: ignore[arg-type]


@contextmanager
def _prepared(read: Read) -> Iterator[None]:
    with patch.object(reading, "read", read), patch.object(reading, "Bounded", _Connection):
        yield


def _seen(store: Path, night: int) -> Seen:
    files = [file for file in store.rglob("*") if file.is_file()]
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    with history.open_history(store) as kept:
        runs = len(kept.runs())
    return Seen(
        night,
        pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        len(list(Path("/proc/self/fd").iterdir())),
        len(list(Path("/proc/self/task").iterdir())),
        sum(file.stat().st_size for file in files) / 1e6,
        len(files),
        runs,
    )


def grown(seen: list[Seen], keep_days: int) -> list[str]:
    """Return the values that are larger at the end than after twice the retention, by name."""
    early = next(each for each in seen if each.night >= 2 * keep_days).held
    late = seen[-1].held
    return [name for name, one, two in zip(HEADS[1:], early, late, strict=True) if two > MORE * one]


def main(databases: int, count: int) -> int:
    advices = [judge(MACHINES[name]()) for name in NAMES]
    seen = []
    with TemporaryDirectory() as folder:
        for each in nights(Path(folder, "store"), advices, databases, count, KEEP_DAYS):
            seen.append(each)
            if each.night % max(1, count // 10) == 0:
                row = (each.night, *each.held)
                print(tabulate([row], HEADS if len(seen) <= count // 10 else (), "plain", floatfmt=".1f"), flush=True)
    more = grown(seen, KEEP_DAYS)
    print(f"grown: {', '.join(more)}" if more else "nothing grows")
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
