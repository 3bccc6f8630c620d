"""Every command against itself: so many of it at once leave what they leave one after the other, and end as those do."""

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.faults.signals import names, prepared
from tests.faults.typed import COMMANDS, Ended, Process, Typed

AT_ONCE = 3


@dataclass(frozen=True)
class Tried:
    """A command that was run so many times at once, and what was not as one after the other; None where all was."""

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
            each = [Process(typed, after).ended() for _ in range(AT_ONCE)]
            took_s = (time.monotonic() - begun) / AT_ONCE
            right = typed.state(after / "work"), Counter(one.status for one in each)
            for seed in seeds:
                folder = prepared(typed, Path(place) / str(seed))
                chance = random.Random(f"{seed} {typed.name}")
                processes = []
                for _ in range(AT_ONCE):
                    processes.append(Process(typed, folder))
                    time.sleep(chance.choice((0, 0, 0.01, 0.2 * took_s)))
                ended = [process.ended() for process in processes]
                left = names(folder) - names(after)
                yield Tried(typed.name, seed, wrong(ended, right, lambda: typed.state(folder / "work"), left))  # noqa: B023


def wrong(ended: list[Ended], right: tuple[str, Counter[int]], state: Callable[[], str], left: Collection[str]) -> str | None:
    """What is not as it is where they are run one after the other."""
    said = [one.errors for one in ended]
    try:
        there = state()
    except Exception as error:
        return f"half of it is there: {error}; {said}"
    if (there, Counter(one.status for one in ended)) != right:
        return f"{there!r}, {[one.status for one in ended]} in place of {right}: {said}"
    for one in ended:
        lines = [line for line in one.errors.splitlines() if line.startswith("db2tune: ")]
        if len(lines) != (one.status > 1) or "Traceback" in one.errors:
            return f"no one line: {said}"
    return f"left behind: {sorted(left)}" if left else None


def table(results: list[Tried]) -> Iterator[str]:
    """How many survived, as Markdown."""
    yield f"| {AT_ONCE} at once of | survived |"
    yield "| --- | ---: |"
    for command in dict.fromkeys(each.command for each in results):
        whys = [each.why for each in results if each.command == command]
        yield f"| {command} | {whys.count(None)} of {len(whys)} |"
