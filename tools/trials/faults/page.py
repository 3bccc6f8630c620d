"""The page docs/trust.md: the number of trials per fault, and how many passed."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from tools.trials.faults import at_once, boundaries, commands, fuzz, remote, schedules, signals, sized, wire

HEAD = """# Trust: faults and attacks

Written by `make trust`; the programs are in `tools/trials/faults/`. The tables count the trials that passed."""
COMMANDS = """Each name, then each value, of every machine ends with a payload that a shell, the command line processor or
SQL could take for a command. Every printed command is typed: program calls into sh and bash with stubs, also those in
manual lines; statements are read token by token, REST and YAML bodies as documents. The reader gets exactly the words
that were meant, and no file appears. One trial is one machine. Text with control characters reaches no command
(`tests/reports/test_typed.py`)."""
FILES = """Each file operation fails once, or the process is killed there, one operation after the other, temporary files
included. Afterwards either the old file or the new one exists, never a mixture. The exit status tells which, and an
error is one line. No temporary file remains (after a kill, the next run removes it), and the next run
succeeds. This includes SQLite's calls for the store."""
DAMAGE = """Seeds change, cut, duplicate and exchange bytes of the input. db2tune refuses it with one line, or gives the
original result. Without a checksum, it may also give a result that can be judged. It never reports an internal fault. Numbers
are set to the limits of their types, one column at a time: the run continues and loses at most the rules that need them."""
LARGE = f"""Each command may use {sized.MOST_MB:,} MB of memory and {sized.LONGEST_S} s. It ends with its advice, or refuses the input in one
line. Limits: an archive unpacks to 100 times its size, 8 archives are inside each other, and a list has 1,000 objects
of one rule. SQLite may use 1 GiB of memory; it keeps 64 MiB of an import in memory."""
ON_THE_WAY = """A proxy cuts, delays, drips or garbles the traffic with the database, at COMMIT and elsewhere. The wait is
bounded, the reported outcome is true, an installation is complete or absent, no connection remains, and the next run
succeeds. IBM's driver crashes on some garbled answers; even then nothing is incomplete. The table lists the tested
commands; `python -m tools.trials.faults wire` tests all requests of all commands."""
SIGNALLED = """A command receives SIGINT (Ctrl-C), SIGTERM (service stop) or SIGHUP (terminal closed): during a file
operation, after a part of its time, or during a database request. It ends with 130, 143 or 129 and one line, with the old
or the new file in place, or it reports success. No temporary file and no lock remains, and the next run succeeds."""
TOGETHER = f"""{at_once.AT_ONCE} processes of one command start with one target at about the same time. The result equals that of one
after the other. A process that gets no turn reports it in one line."""
WIRE, NUMBERS, SIGNALS, SIGNALS_WIRE, SEEDS, SEEDS_WIRE = 30, 300, 36, 9, 6, 2  # of each

One = TypeVar("One")
Rows = tuple[list[str], list[str]]  # rows of a table, and the failures


@dataclass(frozen=True)
class Section:
    """A part of the page: its text, and the function that runs its trials."""

    title: str
    text: str
    tried: Callable[[], Rows]


def _printed() -> Rows:
    tried = list(commands.tried())
    return list(_counted("payload", ((one.kind, one.why) for one in tried))), _failed(tried)


def _files() -> Rows:
    tried = schedules.tried(0, None)
    return list(schedules.table(tried)), [f"{schedule}: {why}" for schedule, why in tried if why]


def _damaged() -> Rows:
    each = chain.from_iterable(fuzz.tried(kind, range(kind.seeds)) for kind in fuzz.INPUTS)
    tried = [*each, *boundaries.tried(0, NUMBERS)]
    return list(_counted("input", ((one.kind, one.why) for one in tried))), _failed(tried)


def _large() -> Rows:
    tried = list(sized.tried())
    return list(_counted("input", ((one.kind, one.why) for one in tried))), _failed(tried)


def _lost() -> Rows:
    tried = list(wire.tried(remote.COMMANDS[: remote.PAGE], 0, WIRE))
    rows = _counted("fault", ((f"{one.command}: {one.kind}", one.why) for one in tried))
    return list(rows), _failed(tried)


def _signalled() -> Rows:
    over_the_wire = wire.signalled(remote.COMMANDS[: remote.PAGE], 0, SIGNALS_WIRE)
    tried: list[signals.Tried | wire.Tried] = [*_afresh(signals.tried, 0, SIGNALS)]
    tried += [one for one in over_the_wire if one.at]
    return list(signals.table(tried)), _failed(tried)


def _together() -> Rows:
    tried = [*_afresh(at_once.tried, range(SEEDS)), *at_once.over_the_wire(range(SEEDS_WIRE))]
    return list(_counted("command", ((one.command, one.why) for one in tried))), _failed(tried)


SECTIONS = (
    Section("Printed commands", COMMANDS, _printed),
    Section("Files", FILES, _files),
    Section("Damaged input", DAMAGE, _damaged),
    Section("Large input", LARGE, _large),
    Section("Faults between db2tune and the database", ON_THE_WAY, _lost),
    Section("Signals", SIGNALLED, _signalled),
    Section("Parallel runs of one command", TOGETHER, _together),
)


def write(page: Path, titles: Iterable[str]) -> list[str]:
    """Run the trials of the sections with these titles, or all, and write them; return the failures."""
    there = dict(re.findall(r"^## (.*)\n\n((?:(?!^## ).*\n)*)", page.read_text(encoding="utf-8"), re.MULTILINE))
    named, failed, parts = set(titles), [], [HEAD]
    for section in SECTIONS:
        if named and section.title not in named:
            parts.append(f"## {section.title}\n\n{there[section.title].strip()}")
            continue
        rows, whys = section.tried()
        failed += whys
        lost = [f"- {why}" for why in whys]
        parts.append("\n".join([f"## {section.title}", "", section.text, "", *rows, *([""] if lost else []), *lost]))
    page.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return failed


def _afresh(tried: Callable[..., Iterator[One]], *arguments: object) -> list[One]:
    """Run all trials in a process without threads, because the trials fork it."""
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
    yield f"| {head} | passed |"
    yield "| --- | ---: |"
    for name, counts in found.items():
        yield f"| {name} | {counts[True]} of {counts.total()} |"
