"""Signals at seeded moments of a command: at one of its file calls, or after a share of its time.

Required: either the old state or the new one exists, never a mixture. The exit status is the work's, or the signal's
with one line about it. No temporary file is left. The next run does its work.
"""

import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tools.trials.faults.injecting import watch
from tools.trials.faults.typed import COMMANDS, Ended, Process, Typed

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LASTING = {"runs"}  # a folder created for other files
MOST_S = 30  # maximum time of each command after the signal


@dataclass(frozen=True)
class Known:
    """A command without a signal: the state before and after it, its status, its time and its file calls."""

    typed: Typed
    before: Path
    old: str
    new: str
    status: int
    names: frozenset[str]
    took_s: float
    calls: int


class Shown(Protocol):
    """A row of the table: the command, the signal, and the failure."""

    @property
    def command(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def why(self) -> str | None: ...


@dataclass(frozen=True)
class Tried:
    """A signal at a moment of a command, and the failure or None."""

    command: str
    kind: str
    moment: str
    why: str | None

    def __str__(self) -> str:
        return f"{self.command}: {self.kind} {self.moment}: {self.why}"


def names(folder: Path) -> frozenset[str]:
    """Return the files of a folder, and the temporary ones."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.name not in LASTING)
    return frozenset(found)


def prepared(typed: Typed, folder: Path) -> Path:
    for name in ("work", "tmp"):
        (folder / name).mkdir(parents=True)
    typed.prepare(folder / "work")
    return folder


def known(typed: Typed, place: Path) -> Known:
    """Run the command once without a signal."""
    before, after, told = prepared(typed, place / "before"), prepared(typed, place / "after"), place / "told"

    def note() -> None:
        calls: list[str] = []
        watch(after, calls.append, reading=True)
        end = os._exit

        def tell(status: int) -> None:
            told.write_text("\n".join([str(len(calls)), *sys.modules]), encoding="utf-8")
            end(status)

        vars(os)["_exit"] = tell

    old = typed.state(before / "work")
    begun = time.monotonic()
    done = Process(typed, after, note).ended()
    took_s = time.monotonic() - begun
    assert done.status in {0, 1} and not done.errors.count("Traceback"), done
    calls, *modules = told.read_text(encoding="utf-8").split("\n")
    for name in modules:  # modules that it imports stay imported for all later runs
        with suppress(ImportError):
            importlib.import_module(name)
    return Known(typed, before, old, typed.state(after / "work"), done.status, names(after), took_s, int(calls))


def wrong(of: Known, number: signal.Signals, chance: random.Random, folder: Path) -> Tried:
    """Send the signal at a random moment; return the failure."""
    shutil.copytree(of.before, folder, symlinks=True)
    at = chance.randint(1, of.calls)
    share = chance.random() if chance.random() < 0.5 else None

    def begun() -> None:
        count = 0

        def seen(_: str) -> None:
            nonlocal count
            count += 1
            if count == at:
                os.kill(os.getpid(), number)

        if share is None:
            watch(folder, seen, reading=True)

    process = Process(of.typed, folder, begun)
    if share is not None:
        time.sleep(0.02 + share * of.took_s)
        process.tell(number)
    told = time.monotonic()
    why = _wrong(of, number, process.ended(), folder)
    if share is not None and time.monotonic() - told > MOST_S + of.took_s:
        why = f"ends {time.monotonic() - told:.0f} s after it"
    moment = f"at call {at} of {of.calls}" if share is None else f"after {100 * share:.0f} % of its time"
    return Tried(of.typed.name, number.name, moment, why)


def _wrong(of: Known, number: signal.Signals, ended: Ended, folder: Path) -> str | None:
    try:
        there = of.typed.state(folder / "work")
    except Exception as error:
        return f"half of it is there: {error}"
    if why := said_wrongly(number, ended, of.status):
        return why
    right = {of.new} if ended.status == of.status else {of.old, of.new}
    if there not in right:
        return f"status {ended.status}, but there is {there!r}"
    left = names(folder) - of.names
    if left:
        return f"left behind: {sorted(left)}"
    return None if there == of.new else _goes_on(of, folder)


def said_wrongly(number: signal.Signals, ended: Ended, right: int) -> str | None:
    """Return the failure unless the status and the line belong to the work or to the signal."""
    if ended.killed and ended.status == 128 + number and not ended.output + ended.errors:
        return None  # the work had not begun
    line = f"db2tune: ended by {number.name}"
    lines = [each for each in ended.errors.splitlines() if not each.startswith("note: ")]
    if ended.status == right and "Traceback" not in ended.errors and line not in lines:
        return None
    return None if ended.status == 128 + number and lines == [line] else f"status {ended.status}: {ended.errors[-900:]}"


def _goes_on(of: Known, folder: Path) -> str | None:
    again = Process(of.typed, folder).ended()
    there, left = of.typed.state(folder / "work"), names(folder) - of.names
    done = again.status == of.status and there == of.new and not left
    return None if done else f"the next run ends with {again.status} {again.errors}, and leaves {sorted(left)}"


def tried(seed: int, most: int, commands: tuple[Typed, ...] = COMMANDS) -> Iterator[Tried]:
    """Send this many signals to each command, alternating between the kinds."""
    for typed in commands:
        chance = random.Random(f"{seed} {typed.name}")
        with tempfile.TemporaryDirectory() as place:
            of = known(typed, Path(place) / "known")
            for n in range(most):
                yield wrong(of, SIGNALS[n % len(SIGNALS)], chance, Path(place) / str(n))


def table(results: Sequence[Shown]) -> Iterator[str]:
    """Return the passes for each signal, as Markdown."""
    yield "| command | " + " | ".join(number.name for number in SIGNALS) + " |"
    yield "| --- |" + " ---: |" * len(SIGNALS)
    for command in dict.fromkeys(each.command for each in results):
        of_all = Counter(each.kind for each in results if each.command == command)
        survived = Counter(each.kind for each in results if each.command == command and each.why is None)
        yield f"| {command} | " + " | ".join(f"{survived[n.name]} of {of_all[n.name]}" for n in SIGNALS) + " |"
