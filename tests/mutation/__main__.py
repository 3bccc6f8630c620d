"""``python -m tests.mutation [--sample N] [--seed N] [--page FILE] [WHAT ...]``: exit 0 if enough mutants are noticed.

WHAT is the beginning of a path below sql/, such as rules/prefetch or rank. Without WHAT, all mutants or a sample of
them are tried. The survivors are printed with their place and change.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.mutation.page import page, survivors
from tests.mutation.run import drawn, tried

if TYPE_CHECKING:
    from tests.mutation.trial import Verdict

ENOUGH = 0.95


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, metavar="N", help="N of them, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--least", type=float, default=ENOUGH, metavar="SHARE", help="that must be noticed")
    parser.add_argument("--processes", type=int, default=1, metavar="N")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write what was found, as Markdown")
    parser.add_argument("what", nargs="*", default=["rules", "rank", "model"])
    asked = parser.parse_args(arguments)
    verdicts: list[Verdict] = []
    for some in tried(drawn(asked.what, asked.sample, asked.seed), asked.processes):
        verdicts += some
        for verdict in survivors(some):
            print(verdict.mutant, flush=True)
    if asked.page:
        asked.page.write_text(page(verdicts, asked.what, len(drawn(asked.what, None, 0))), encoding="utf-8")
    valid = [verdict for verdict in verdicts if verdict.valid]
    noticed = sum(verdict.by is not None for verdict in valid)
    share = noticed / max(1, len(valid))
    print(f"noticed {noticed} of {len(valid)} ({100 * share:.1f} %), {len(verdicts) - len(valid)} invalid")
    return 0 if share >= asked.least else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
