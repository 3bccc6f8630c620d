"""Command ``python -m tests.soak DATABASES NIGHTS``: print a process's and its store's size; exit with 1 on growth."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tabulate import tabulate

from tests.machines import MACHINES
from tests.soak.nights import Seen, nights
from tests.support.stepwise import judge

KEEP_DAYS = 30
NAMES = ("x445-8way", "vm-oltp-before", "shop-missing-index", "laptop")
HEADS = ("night", "memory MB", "handles", "threads", "store MB", "files", "runs kept")
MORE = 1.25  # compared with the time when the retention has begun to delete


def grown(seen: list[Seen], keep_days: int) -> list[str]:
    """Return the values that are larger at the end than after twice the retention, by name."""
    early = next(each for each in seen if each.night >= 2 * keep_days).held
    late = seen[-1].held
    return [name for name, one, two in zip(HEADS[1:], early, late, strict=True) if two > MORE * one]


def main(databases: int, count: int) -> int:
    advices = [judge(MACHINES[name]()) for name in NAMES]
    seen = []
    with TemporaryDirectory() as folder:
        for each in nights(Path(folder, "store"), advices, databases, count, KEEP_DAYS):
            seen.append(each)
            if each.night % max(1, count // 10) == 0:
                row = (each.night, *each.held)
                print(tabulate([row], HEADS if len(seen) <= count // 10 else (), "plain", floatfmt=".1f"), flush=True)
    more = grown(seen, KEEP_DAYS)
    print(f"grown: {', '.join(more)}" if more else "nothing grows")
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
