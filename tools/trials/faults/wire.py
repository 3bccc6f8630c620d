"""Schedules of faults between the program and the database, with signals, and their failures.

Required: a missing answer costs a bounded time. The exit status shows whether the work is done, and one line gives the
reason if not. Each file and each table is complete or absent. No connection, thread or temporary file stays.
"""

import random
import re
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import EXIT_FAULT
from tools.trials.faults import signals
from tools.trials.faults.proxy import COMMIT, DRIP, GARBLED, HALF, LOST, STALL, UNANSWERED
from tools.trials.faults.remote import GRACE_S, HANGS, Behind, Command, Done
from tools.trials.faults.typed import Ended

KINDS = (LOST, UNANSWERED, HALF, STALL, DRIP, GARBLED)
SIGNALS = tuple(number.name for number in signals.SIGNALS)
WAITING = (STALL, DRIP)  # faults that end by a time limit
SLOW = (*WAITING, GARBLED)  # faults that may end by one
SELDOM = 6
LIMIT_S = 3
NOT_KNOWN = "it is unknown whether the changes were committed"
_OF_DB2 = re.compile(r"db2tune: (?:SQL|CLI)\d{4,5}[A-Z]")  # a garbled answer may be any Db2 message
CRASHES = {-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS}  # reactions of IBM's driver to some answers
Draw = Callable[[list[int], random.Random, int], list[tuple[str, int]]]
MOST_S = 60  # maximum time, in addition to five times the time without a fault; processors may be busy


@dataclass(frozen=True)
class Tried:
    """A fault at a request of a command, and the failure or None."""

    command: str
    kind: str
    at: int
    why: str | None

    def __str__(self) -> str:
        return f"{self.command}: {self.kind}, request {self.at}: {self.why}"


def tried(commands: tuple[Command, ...], seed: int, most: int | None = None) -> Iterator[Tried]:
    """Return schedules of some commands: all, or this many of each.

    COMMIT and the first and last requests are included.
    """
    for command in commands:
        with tempfile.TemporaryDirectory() as place:
            behind = Behind(command, Path(place))
            try:
                yield from _of(command, behind, Path(place), random.Random(seed), most)
            finally:
                behind.close()


def _of(
    command: Command, behind: Behind, place: Path, chance: random.Random, most: int | None, drawn: Draw | None = None
) -> Iterator[Tried]:
    old = command.state(behind.direct, place)
    begun = time.monotonic()
    done = command.run(behind.through(), place, 600)
    took_s = time.monotonic() - begun
    new = command.state(behind.direct, place)
    assert done.exit_code in {0, 1}, done
    assert behind.proxy.end()
    for number, (kind, at) in enumerate(
        (drawn or _schedules)(behind.proxy.asked, chance, min(most or command.most, command.most))
    ):
        folder = place / str(number)
        folder.mkdir()
        if command.state(behind.direct, folder) != old:
            behind.renew()
        yield Tried(command.name, kind, at, _wrong(command, behind, folder, (kind, at), took_s, (old, new)))
    (place / "last").mkdir()
    if command.state(behind.direct, place / "last") != old:
        behind.renew()
    last = command.run(behind.direct, place / "last", 600)
    right = last.exit_code in {0, 1} and command.state(behind.direct, place / "last") == new
    yield Tried(command.name, "no connection left", 0, None if right else last.output)


def signalled(commands: tuple[Command, ...], seed: int, most: int) -> Iterator[Tried]:
    """Send this many signals to each of some commands: at random requests, at the last one and at COMMIT."""
    for command in commands:
        with tempfile.TemporaryDirectory() as place:
            behind = Behind(command, Path(place))
            try:
                yield from _of(command, behind, Path(place), random.Random(f"{seed} {command.name}"), most, _moments)
            finally:
                behind.close()


def _moments(asked: list[int], chance: random.Random, most: int) -> list[tuple[str, int]]:
    """Return signals at requests."""
    special = [at for at, code in enumerate(asked, 1) if code == COMMIT or at in {1, len(asked)}]
    drawn = [chance.choice(special) if chance.random() < 0.25 else chance.randint(1, len(asked)) for _ in range(most)]
    return [(SIGNALS[n % len(SIGNALS)], at) for n, at in enumerate(drawn)]


def _schedules(asked: list[int], chance: random.Random, most: int) -> list[tuple[str, int]]:
    """Return kinds of fault at requests: at COMMIT, first and last first; few of those that wait for a limit."""
    special = sorted({1, 2, len(asked), *(at for at, code in enumerate(asked, 1) if code == COMMIT)}, reverse=True)
    first = [(kind, at) for at in special for kind in KINDS]
    others = [(kind, at) for kind in KINDS for at in range(1, len(asked) + 1) if at not in special]
    chance.shuffle(others)
    waiting = [each for each in others if each[0] in WAITING][:SELDOM]
    others = waiting + [each for each in others if each[0] not in WAITING]
    chance.shuffle(others)
    if most >= len(first):
        return [*first, *others[: most - len(first)]]
    soon = [each for each in first if each[0] not in WAITING]
    return chance.sample(soon, min(most, len(soon)))


def _wrong(
    command: Command, behind: Behind, folder: Path, fault: tuple[str, int], took_s: float, states: tuple[str, str]
) -> str | None:
    """Return the failure, or None."""
    behind.proxy.fault(*fault, seed=int(folder.name))
    begun = time.monotonic()
    running = command.start(behind.through(), folder, LIMIT_S if fault[0] in SLOW else 600)
    behind.proxy.instead = (lambda: running.tell(signal.Signals[fault[0]])) if fault[0] in SIGNALS else None
    done = running.done(5 * took_s + MOST_S)
    elapsed_s = time.monotonic() - begun
    if not (behind.proxy.end() and _soon(lambda: not behind.is_left())):
        return "a connection is left"
    try:
        there = command.state(behind.direct, folder)
    except Exception as error:
        return f"half of it is there: {error}"
    if done.exit_code in CRASHES and fault[0] == GARBLED:
        return None if there == states[0] else f"the driver crashes, and there is {there!r}"
    left = sorted(path.name for path in folder.iterdir() if path.name != "new")
    if left:
        return f"left behind: {left}"
    if done.exit_code == HANGS:
        return f"still there after {elapsed_s:.0f} s; without a fault it takes {took_s:.0f}"
    said_wrongly = _ended_wrongly if fault[0] in SIGNALS else _said_wrongly
    return said_wrongly(done, fault[0], there, *states)


def _ended_wrongly(done: Done, kind: str, there: str, old: str, new: str) -> str | None:
    right = min(done.exit_code, 1)  # 1: findings exist
    if why := signals.said_wrongly(signal.Signals[kind], Ended(done.exit_code, done.output, done.stderr), right):
        return why
    wanted = (old, new) if done.exit_code > 1 else (new,)
    return None if there in wanted else f"status {done.exit_code}, but there is {there!r}"


def _said_wrongly(done: Done, kind: str, there: str, old: str, new: str) -> str | None:
    said = done.stderr.strip().splitlines()
    if done.exit_code in {0, 1}:
        return None if there == new else f"status {done.exit_code}, but there is {there!r}"
    lines = [line for line in said if line.startswith("db2tune: ")]
    lines += [line for line in done.output.splitlines() if line.startswith("  Error")]  # of a night
    of_db2 = done.exit_code == EXIT_FAULT and kind == GARBLED and _OF_DB2.match(done.stderr)
    if (done.exit_code not in {2, 3} and not of_db2) or len(lines) != 1 or "Traceback" in done.output:
        return f"status {done.exit_code}: {done.output.strip()[-300:]}"
    if there == old or (there == new and NOT_KNOWN in lines[0]):
        return None
    return f"there is {there!r}, and it says: {lines[0]}"


def _soon(holds: Callable[[], bool]) -> bool:
    """Return whether a condition holds within the time that a driver may need to notice a lost connection."""
    end = time.monotonic() + 2 * (LIMIT_S + 2 * GRACE_S) + 10
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
