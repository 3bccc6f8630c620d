"""Print the figures of the proof: python -m tools.trials.engine."""

import sys

from tools.trials.engine.cluster import why_not
from tools.trials.engine.page import render
from tools.trials.engine.proof import prove_all


def main() -> int:
    """Print the tables, or why they cannot be measured."""
    if reason := why_not():
        print(reason, file=sys.stderr)
        return 1
    print(render(prove_all()), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
