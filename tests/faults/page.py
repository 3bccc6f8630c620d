"""docs/fault-tests.md: what was tried, how often, and what survived, written by what tried it."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from tests.faults import at_once, boundaries, fuzz, remote, schedules, signals, wire

HEAD = """# What is tried, and what survives

Written by `make trust`; the programs are in `tests/faults/`."""
FILES = """Every call by which the program changes files, its temporary ones included, is made to fail or is where the process is
killed, one call after the other. What was there is there still, or what is new is, and never half of it; the exit
status says which; a failure is one line; nothing temporary is left, after a kill not beyond the next run; and the next
run does its work. What DuckDB does inside the file of the store is not reached by this."""
DAMAGE = """What comes from outside is damaged by seeds: bytes changed, cut, doubled, exchanged. It is refused in one line that says
what is wrong, or what is made of it is that of the original where a checksum goes with it, and can be judged where none
does. Never is it a fault of the program's own. Numbers are set to the ends of their types, one column at a time: the run
goes on, and loses at most the rules that need them."""
ON_THE_WAY = """Between the program and the database a proxy cuts, keeps, drips or garbles what is asked or answered, at COMMIT and
elsewhere: an answer that does not come costs a bounded time, what is said of the outcome is true, what was to be
installed is there whole or not at all, no connection stays, and the next run does its work. IBM's driver crashes on
some garbled answers; nothing half is there after that either. The table says of which commands
that was tried; `python -m tests.faults wire` tries all requests of all of them."""
SIGNALLED = """A command is told to end by Ctrl-C (SIGINT), as a service is (SIGTERM) and as by a terminal that goes (SIGHUP): at one of
its calls of files, after a share of its time, or, where it speaks to a database, at one of its requests. It ends with
130, 143 or 129 and says so in one line, and what was there is there still, or what is new is; or it is done with its
work, and says that. Nothing temporary and no lock is left, and the next run does its work."""
TOGETHER = f"""{at_once.AT_ONCE} processes of one command with one target, begun together or shortly after each other: what is there afterwards
is what they leave one by one, as many of them succeed, and who does not get its turn says so in one line."""
WIRE, NUMBERS, SIGNALS, SIGNALS_WIRE, SEEDS, SEEDS_WIRE = 30, 300, 36, 9, 6, 2  # of each

One = TypeVar("One")
Rows = tuple[list[str], list[str]]  # of a table, and what did not survive


@dataclass(frozen=True)
class Section:
    """A part of the page: what it says, and what tries it."""

    title: str
    says: str
    tried: Callable[[], Rows]


def _files() -> Rows:
    tried = schedules.tried(0, None)
    return list(schedules.table(tried)), [f"{schedule}: {why}" for schedule, why in tried if why]


def _damaged() -> Rows:
    each = chain.from_iterable(fuzz.tried(kind, range(kind.seeds)) for kind in fuzz.INPUTS)
    tried = [*each, *boundaries.tried(0, NUMBERS)]
    return list(_counted("what is damaged", ((one.kind, one.why) for one in tried))), _failed(tried)


def _lost() -> Rows:
    tried = list(wire.tried(remote.COMMANDS[: remote.PAGE], 0, WIRE))
    rows = _counted("what happens", ((f"{one.command}: {one.kind}", one.why) for one in tried))
    return list(rows), _failed(tried)


def _signalled() -> Rows:
    over_the_wire = wire.signalled(remote.COMMANDS[: remote.PAGE], 0, SIGNALS_WIRE)
    tried: list[signals.Tried | wire.Tried] = [*_afresh(signals.tried, 0, SIGNALS)]
    tried += [one for one in over_the_wire if one.at]
    return list(signals.table(tried)), _failed(tried)


def _together() -> Rows:
    tried = [*_afresh(at_once.tried, range(SEEDS)), *at_once.over_the_wire(range(SEEDS_WIRE))]
    return list(_counted("against itself", ((one.command, one.why) for one in tried))), _failed(tried)


SECTIONS = (
    Section("Files", FILES, _files),
    Section("What comes from outside", DAMAGE, _damaged),
    Section("Between the program and the database", ON_THE_WAY, _lost),
    Section("Signals", SIGNALLED, _signalled),
    Section("A command against itself", TOGETHER, _together),
)


def write(page: Path, titles: Iterable[str]) -> list[str]:
    """Try the sections with such titles, all where none is named, and write them; what did not survive."""
    there = dict(re.findall(r"^## (.*)\n\n((?:(?!^## ).*\n)*)", page.read_text(encoding="utf-8"), re.MULTILINE))
    named, failed, parts = set(titles), [], [HEAD]
    for section in SECTIONS:
        if named and section.title not in named:
            parts.append(f"## {section.title}\n\n{there[section.title].strip()}")
            continue
        rows, whys = section.tried()
        failed += whys
        lost = [f"- {why}" for why in whys]
        parts.append("\n".join([f"## {section.title}", "", section.says, "", *rows, *([""] if lost else []), *lost]))
    page.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return failed


def _afresh(tried: Callable[..., Iterator[One]], *arguments: object) -> list[One]:
    """All of it, in a process that has no threads yet: it is to be forked."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_listed, tried, arguments).result()


def _listed(tried: Callable[..., Iterator[One]], arguments: tuple[object, ...]) -> list[One]:
    return list(tried(*arguments))


def _failed(tried: Iterable[fuzz.Tried | wire.Tried | signals.Tried | at_once.Tried]) -> list[str]:
    return [str(each) for each in tried if each.why]


def _counted(head: str, results: Iterable[tuple[str, str | None]]) -> Iterator[str]:
    found: dict[str, Counter[bool]] = {}
    for name, why in results:
        found.setdefault(name, Counter())[why is None] += 1
    yield f"| {head} | survived |"
    yield "| --- | ---: |"
    for name, counts in found.items():
        yield f"| {name} | {counts[True]} of {counts.total()} |"
