"""``python -m tests.faults wire|inputs|numbers [MOST [SEED]]``: so many of each of a few kinds, or all of all.

``python -m tests.faults page FILE`` tries some of everything and writes what was seen. 1 where one did not survive. Faults of
files alone are ``python -m tests.faults.schedules``.
"""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tests.faults import boundaries, fuzz, page, wire


def tried(what: str, most: int = 0, seed: int = 0) -> Iterator[wire.Tried | fuzz.Tried]:
    if what == "wire":
        return wire.tried(wire.COMMANDS[: wire.QUICK] if most else wire.COMMANDS, seed, most or None)
    if what == "inputs":
        kinds = fuzz.QUICK if most else fuzz.INPUTS
        return chain.from_iterable(fuzz.tried(each, range(seed, seed + (most or each.seeds))) for each in kinds)
    return boundaries.tried(seed, most or None)


def main(arguments: list[str]) -> int:
    if arguments[0] == "page":
        text, whys = page.written()
        Path(arguments[1]).write_text(text, encoding="utf-8")
        print("\n".join([*whys, f"{len(whys)} did not survive"]))
        return 1 if whys else 0
    results = list(tried(arguments[0], *map(int, arguments[1:])))
    failed = [str(each) for each in results if each.why]
    print("\n".join([*failed, f"{len(results) - len(failed)} of {len(results)} survived"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
