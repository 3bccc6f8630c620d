"""Command line of the fault trials: ``python -m tools.trials.faults wire|inputs|numbers|signals|requests|once [MOST [SEED]]``.

Try MOST faults of each kind, or all. ``python -m tools.trials.faults page FILE [SECTION ...]`` tries some of everything, or
the named sections of the page, and writes the results. The exit status is 1 if a trial fails. ``python -m
tools.trials.faults.schedules`` tries the faults of files alone.
"""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tests.machines import build
from tools.trials.faults import at_once, boundaries, fuzz, page, remote, signals, typed, wire

Tried = wire.Tried | fuzz.Tried | signals.Tried | at_once.Tried


def tried(what: str, most: int = 0, seed: int = 0) -> Iterator[Tried]:
    few = remote.COMMANDS[: remote.QUICK] if most else remote.COMMANDS
    if what == "wire":
        yield from wire.tried(few, seed, most or None)
    elif what == "inputs":
        kinds = fuzz.QUICK if most else fuzz.INPUTS
        yield from chain.from_iterable(fuzz.tried(each, range(seed, seed + (most or each.seeds))) for each in kinds)
    elif what == "signals":
        yield from signals.tried(seed, most or page.SIGNALS, typed.QUICK if most else typed.COMMANDS)
    elif what == "requests":
        yield from wire.signalled(few, seed, most or page.SIGNALS_WIRE)
    elif what == "once":
        yield from at_once.tried(range(seed, seed + (most or page.SEEDS)), typed.QUICK if most else typed.COMMANDS)
    else:
        yield from boundaries.tried(seed, most or None)


def main(arguments: list[str]) -> int:
    if arguments[0] == "page":
        whys = page.write(Path(arguments[1]), arguments[2:])
        print("\n".join([*whys, f"{len(whys)} did not survive"]))
        return 1 if whys else 0
    results = list(tried(arguments[0], *map(int, arguments[1:])))
    failed = [str(each) for each in results if each.why]
    print("\n".join([*failed, f"{len(results) - len(failed)} of {len(results)} survived"]))
    return 1 if failed else 0


if __name__ == "__main__":
    build()
    sys.exit(main(sys.argv[1:]))
