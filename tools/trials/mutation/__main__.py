"""``python -m tools.trials.mutation [--sample N] [--seed N] [--least PERCENT] [--page FILE] [WHAT ...]``: try mutants of sql/.

WHAT is the beginning of a path below sql/, such as rules/prefetch or rank. Without WHAT, all mutants or a sample of
them are tried. The mutants that no test notices are printed with their place and change.
"""

import argparse
import sys
from pathlib import Path

from tools.trials.mutation.page import list_survivors, write_page
from tools.trials.mutation.run import FOLDERS, draw_mutants, try_mutants


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.trials.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, metavar="N", help="N of them, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT", help="exit with 1 if fewer are noticed")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the results as Markdown")
    parser.add_argument("what", nargs="*", default=FOLDERS)
    given = parser.parse_args(arguments)
    verdicts = try_mutants(draw_mutants(given.what, given.sample, given.seed))
    for verdict in list_survivors(verdicts):
        print(verdict.mutant)
    if given.page:
        total = len(draw_mutants(given.what, None, 0))
        given.page.write_text(write_page(verdicts, given.what, total), encoding="utf-8")
    valid = [verdict for verdict in verdicts if verdict.valid]
    noticed = len(valid) - len(list_survivors(verdicts))
    percent = 100 * noticed / max(1, len(valid))
    print(f"noticed {noticed} of {len(valid)} ({percent:.0f} %), {len(verdicts) - len(valid)} invalid")
    return 0 if percent >= given.least else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
