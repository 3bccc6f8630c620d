"""docs/trust.md: what was tried, how often, and what survived, written by what tried it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from tests.faults import boundaries, fuzz, schedules, wire

FILES = """# What is tried, and what survives

Written by `make trust`. Every call by which the program changes files, its temporary ones included, is made to fail or is
where the process is killed, one call after the other (`tests/faults/`). What was there is there still, or what is new is, and
never half of it; the exit status says which; a failure is one line; nothing temporary is left, after a kill not beyond
the next run; and the next run does its work. What DuckDB does inside the file of the store is not reached by this.
"""
DAMAGE = """
What comes from outside is damaged by seeds: bytes changed, cut, doubled, exchanged. It is refused in one line that says
what is wrong, or what is made of it is that of the original where a checksum goes with it, and can be judged where none
does. Never is it a fault of the program's own. Numbers are set to the ends of their types, one column at a time: the run
goes on, and loses at most the rules that need them.
"""
ON_THE_WAY = """
Between the program and the database a proxy cuts, keeps, drips or garbles what is asked or answered, at COMMIT and
elsewhere: an answer that does not come costs a bounded time, what is said of the outcome is true, what was to be
installed is there whole or not at all, no connection stays, and the next run does its work. IBM's driver crashes on
some garbled answers; nothing half is there after that either. Tried are a capture of few sources and an installation of
few objects; `python -m tests.faults wire` tries the whole ones.
"""
WIRE, NUMBERS = 30, 300  # of each


def written() -> tuple[str, list[str]]:
    """The page, and what did not survive."""
    files = schedules.tried(0, None)
    damaged = list(
        chain(
            chain.from_iterable(fuzz.tried(each, range(each.seeds)) for each in fuzz.INPUTS),
            boundaries.tried(0, NUMBERS),
        )
    )
    lost = list(wire.tried(wire.COMMANDS[: wire.QUICK], 0, WIRE))
    failed = [f"{schedule}: {why}" for schedule, why in files if why]
    failed += [str(each) for each in (*damaged, *lost) if each.why]
    parts = [FILES, *schedules.table(files), DAMAGE]
    parts += _counted("what is damaged", ((each.kind, each.why) for each in damaged))
    parts += [ON_THE_WAY, *_counted("what happens", ((f"{each.command}: {each.kind}", each.why) for each in lost))]
    return "\n".join([*parts, *([""] if failed else []), *(f"- {each}" for each in failed), ""]), failed


def _counted(head: str, results: Iterable[tuple[str, str | None]]) -> Iterator[str]:
    found: dict[str, Counter[bool]] = {}
    for name, why in results:
        found.setdefault(name, Counter())[why is None] += 1
    yield f"| {head} | survived |"
    yield "| --- | ---: |"
    for name, counts in found.items():
        yield f"| {name} | {counts[True]} of {counts.total()} |"
