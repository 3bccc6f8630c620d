"""Schedules of faults, each in other processes, and their failures.

Required for every fault: either the old state or the new one exists, never a mixture. The exit status shows which one.
A failure is one line. No temporary file is left; after a kill, at most until the next run. The next run does its work.
"""

import importlib
import io
import os
import random
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path

from advisor import files
from advisor.errors import EXIT_BAD_INPUT, EXIT_FAULT, UserError
from tools.trials.faults.injecting import KINDS, ONCE, READ_ONLY, Kind, failing, watch
from tools.trials.faults.operations import OPERATIONS, Operation

KILLED = 128 + signal.SIGKILL
MODULES = "\0"  # separates calls from modules in the report of a process


@dataclass(frozen=True)
class Schedule:
    """A fault at one call of one operation."""

    operation: Operation
    kind: Kind
    at: int

    def __str__(self) -> str:
        return f"{self.operation.name}: {self.kind.name} at call {self.at}"


@dataclass(frozen=True)
class Known:
    """An operation without faults: the state before and after it, its files, and its calls."""

    before: Path
    old: str
    new: str
    names: frozenset[str]
    calls: list[str]


def apart(work: Callable[[], str]) -> tuple[int, str]:
    """Run the work in a child process; return its output or error, and its exit status (137 if it was killed)."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status, text = _done(work)
        with os.fdopen(writing, "w", encoding="utf-8") as told:
            told.write(text)
        os._exit(status)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as telling:
        text = telling.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return (128 - status if status < 0 else status), text


def _done(work: Callable[[], str]) -> tuple[int, str]:
    said = io.StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(said):
            text = work()
    except SystemExit as end:
        return int(end.code or 0), said.getvalue()
    except (UserError, OSError) as error:  # the command line reports these in one line
        return EXIT_BAD_INPUT, f"db2tune: {error}"
    except BaseException:
        return EXIT_FAULT, traceback.format_exc()
    return 0, text


def _in(folder: Path, work: Callable[[Path], object], seen: Callable[[str], None] | None = None) -> Callable[[], str]:
    """Run the work in a folder, with its temporary files next to it, under a fault."""

    def done() -> str:
        tempfile.tempdir = str(folder / "tmp")
        vars(files)["_YOUNG_S"] = -1  # leftovers of a killed run are removed at once
        if seen:
            watch(folder, seen)
        return str(work(folder / "work") or "")

    return done


def known(operation: Operation, folder: Path) -> Known:
    """Run the operation once without a fault."""
    before, after = folder / "before", folder / "after"
    for each in (before, after):
        (each / "work").mkdir(parents=True)
        (each / "tmp").mkdir()
        _must(apart(_in(each, operation.prepare)))
    calls: list[str] = []

    def noted() -> str:
        _in(after, operation.do, calls.append)()
        return "\n".join(calls) + MODULES + "\n".join(sys.modules)

    made, _, modules = _must(apart(noted)).partition(MODULES)
    for name in modules.split("\n"):  # later runs reuse its imports, which took half of their time
        with suppress(ImportError):
            importlib.import_module(name)
    old, new = (_must(apart(_in(each, operation.state))) for each in (before, after))
    assert old != new, operation.name
    return Known(before, old, new, frozenset(_names(before) | _names(after)), made.split("\n"))


def _must(done: tuple[int, str]) -> str:
    status, text = done
    assert status == 0, text
    return text


def _names(folder: Path) -> set[str]:
    """Return the files of a folder, and the temporary ones."""
    below = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    return below - {"work", "tmp"}


def schedules(found: dict[str, Known]) -> Iterator[Schedule]:
    """Return all schedules: each kind of fault at each call that it concerns."""
    for operation in OPERATIONS:
        for kind in KINDS:
            calls = sum(call in kind.calls for call in found[operation.name].calls)
            yield from (Schedule(operation, kind, at) for at in range(1, calls + 1))


def wrong(schedule: Schedule, of: Known, folder: Path) -> str | None:
    """Return the failure, or None."""
    operation = schedule.operation
    shutil.copytree(of.before, folder, symlinks=True)
    status, said = apart(_in(folder, operation.do, failing(schedule.at, schedule.kind)))
    read, there = apart(_in(folder, operation.state))
    if read or there not in (of.old, of.new):
        return f"the old and the new are missing: {there}"
    if schedule.kind.number:
        why = _said_wrongly(status, said, there == of.new) or _left_behind(schedule, of, folder)
    else:
        why = None if status == KILLED else f"ended with {status}: {said}"
    return why or _goes_on(operation, of, there, folder)


def _said_wrongly(status: int, said: str, new: bool) -> str | None:
    line = status != EXIT_FAULT and said.startswith("db2tune: ") and len(said.strip().splitlines()) == 1
    return None if (status == 0) == new and (new or line) else f"{'new' if new else 'old'}, status {status}: {said}"


def _left_behind(schedule: Schedule, of: Known, folder: Path) -> str | None:
    """Check that only files that could not be removed are left, until the next run."""
    cannot = schedule.kind.name in {READ_ONLY, ONCE}
    left = set() if cannot else _names(folder) - of.names
    return f"left behind: {sorted(left)}" if left else None


def _goes_on(operation: Operation, of: Known, there: str, folder: Path) -> str | None:
    """Run the work again if it is not done, and remove an earlier run's leftovers."""
    again, why = apart(_in(folder, operation.do if there == of.old else _something_else))
    read, there = apart(_in(folder, operation.state))
    left = _names(folder) - of.names - {"work/other"}
    done = not again and not read and there == of.new and not left
    return None if done else f"the next run ends with {again} {why}, and leaves {sorted(left)}"


def _something_else(folder: Path) -> None:
    """Write a file and use the temporary folder, as any run does."""
    files.replace(folder / "other", "something else\n")
    with files.temporary():
        pass


def tried(seed: int, most: int | None = None) -> list[tuple[Schedule, str | None]]:
    """Run this many seeded schedules, or all; return the failure of each."""
    with tempfile.TemporaryDirectory() as place:
        found = {each.name: known(each, Path(place) / f"known-{n}") for n, each in enumerate(OPERATIONS)}
        every = list(schedules(found))
        drawn = every if most is None or most >= len(every) else random.Random(seed).sample(every, most)
        return [(each, wrong(each, found[each.operation.name], Path(place) / str(n))) for n, each in enumerate(drawn)]


def main(arguments: list[str]) -> int:
    """Run ``python -m tools.trials.faults.schedules [MOST [SEED]]``: all schedules or MOST; return 1 if one fails."""
    numbers = [int(each) for each in arguments]
    results = tried(numbers[1] if len(numbers) > 1 else 0, numbers[0] if numbers else None)
    whys = [f"{schedule}: {why}" for schedule, why in results if why]
    print("\n".join([*whys, f"{len(results) - len(whys)} of {len(results)} schedules survived"]))
    return 1 if whys else 0


def table(results: list[tuple[Schedule, str | None]]) -> Iterator[str]:
    """Return the numbers of trials and passes per kind, as Markdown."""
    yield "| file | " + " | ".join(kind.name for kind in KINDS) + " |"
    yield "| --- |" + " ---: |" * len(KINDS)
    for operation in OPERATIONS:
        cells = []
        for kind in KINDS:
            whys = [why for each, why in results if each.operation is operation and each.kind is kind]
            cells.append(f"{whys.count(None)} of {len(whys)}")
        yield f"| {operation.name} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
