"""Every command against itself: parallel runs leave the same files and statuses as serial ones."""

import random
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from advisor import files
from advisor.errors import EXIT_FOUND
from tools.trials.faults.remote import COMMANDS as REMOTE_COMMANDS
from tools.trials.faults.remote import Behind, Command, Running
from tools.trials.faults.signals import names, prepared
from tools.trials.faults.typed import COMMANDS, Ended, Process, Typed

AT_ONCE = 3
WAIT_S, MOST_S = 60, 300
SHARED = {"nightly", "capture of few sources", "install", "advise --in-database"}
BUSY = ("is processing this database", "repeat the command")
REMOTE = tuple(each for each in REMOTE_COMMANDS if each.name in SHARED)


@dataclass(frozen=True)
class Tried:
    """A command that ran this many times in parallel, and its difference from serial runs, or None."""

    command: str
    seed: int
    why: str | None

    def __str__(self) -> str:
        return f"{self.command} against itself, seed {self.seed}: {self.why}"


def tried(seeds: range, commands: tuple[Typed, ...] = COMMANDS) -> Iterator[Tried]:
    for typed in commands:
        with tempfile.TemporaryDirectory() as place:
            after = prepared(typed, Path(place) / "after")
            begun = time.monotonic()
            run = partial(Process, typed, after, _others_are_young)
            right = one_by_one(lambda: run().ended(), partial(typed.state, after / "work"))  # noqa: B023
            took_s = (time.monotonic() - begun) / AT_ONCE
            for seed in seeds:
                folder = prepared(typed, Path(place) / str(seed))
                chance = random.Random(f"{seed} {typed.name}")
                processes = []
                for _ in range(AT_ONCE):
                    processes.append(Process(typed, folder, _others_are_young))
                    time.sleep(chance.choice((0, 0, 0.01, 0.2 * took_s)))
                ended = [process.ended() for process in processes]
                left = names(folder) - names(after)
                yield Tried(typed.name, seed, wrong(ended, right, lambda: typed.state(folder / "work"), left))  # noqa: B023


def _others_are_young() -> None:
    """Treat leftovers as young: another run may still use them, as is assumed by default."""
    vars(files)["_YOUNG_S"] = 60


def over_the_wire(seeds: range, commands: tuple[Command, ...] = REMOTE) -> Iterator[Tried]:
    """Try the commands that use a database; each of them has the database to itself."""
    for command in commands:
        with tempfile.TemporaryDirectory() as place, closing(Behind(command, Path(place))) as behind:
            (Path(place) / "after").mkdir()
            run = partial(command.start, behind.direct, Path(place) / "after", WAIT_S)
            state = partial(command.state, behind.direct, Path(place) / "after")
            right = one_by_one(lambda: _ended(run()), state)  # noqa: B023
            for seed in seeds:
                behind.renew()
                folder = Path(place) / str(seed)
                folder.mkdir()
                chance = random.Random(f"{seed} {command.name}")
                processes = []
                for _ in range(AT_ONCE):
                    processes.append(command.start(behind.direct, folder, WAIT_S))
                    time.sleep(chance.choice((0, 0, 0.01, 0.5)))
                ended = [_ended(process) for process in processes]
                left = {path.name for path in folder.iterdir()} - {"new", "runs"}
                yield Tried(command.name, seed, wrong(ended, right, lambda: command.state(behind.direct, folder), left))  # noqa: B023


def _ended(process: Running) -> Ended:
    done = process.done(MOST_S)
    errors = [line for line in done.output.splitlines() if line.startswith("  Error")]  # of a night
    return Ended(done.exit_code, done.output, "\n".join([done.stderr, *(f"db2tune: {line}" for line in errors)]))


def one_by_one(run: Callable[[], Ended], state: Callable[[], str]) -> list[str]:
    """Return the state after the first command, and after each further one that succeeds."""
    states = []
    for _ in range(AT_ONCE):
        if run().status <= EXIT_FOUND:
            states.append(state())
    return states


def wrong(ended: list[Ended], right: list[str], state: Callable[[], str], left: Collection[str]) -> str | None:
    """Return the differences from a serial run; a run that waited for another one may report that."""
    said = [one.errors for one in ended]
    for one in ended:
        lines = [line for line in one.errors.splitlines() if line.startswith("db2tune: ")]
        if len(lines) != (one.status > EXIT_FOUND) or "Traceback" in one.errors:
            return f"no one line: {said}"
    won = sum(one.status <= EXIT_FOUND for one in ended)
    busy = sum(any(word in one.errors for word in BUSY) for one in ended)
    if not won or won > len(right) or won + busy < len(right):
        return f"{[one.status for one in ended]}, where {len(right)} of {AT_ONCE} succeed one by one: {said}"
    try:
        there = state()
    except Exception as error:
        return f"half of it is there: {error}; {said}"
    if there != right[won - 1]:
        return f"{there!r} in place of {right[won - 1]!r}: {said}"
    return f"left behind: {sorted(left)}" if left else None
