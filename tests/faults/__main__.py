"""``python -m tests.faults wire [MOST [SEED]]``: so many schedules of each of a few commands, or all of all."""

import sys

from tests.faults import wire


def main(arguments: list[str]) -> int:
    most, seed = (*map(int, arguments[1:]), 0, 0)[:2]
    results = list(wire.tried(wire.COMMANDS[: wire.QUICK] if most else wire.COMMANDS, seed, most or None))
    failed = [str(each) for each in results if each.why]
    print("\n".join([*failed, f"{len(results) - len(failed)} of {len(results)} schedules survived"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
