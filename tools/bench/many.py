"""Judgement of many machines: those of the tests repeatedly, as captures."""

import time
from itertools import cycle, islice
from typing import Any

NUMBERS = (1, 100, 1000)


def measure(number: int) -> dict[str, Any]:
    """Judge that many machines with all rules. Return processor seconds per machine, and the recommendations."""
    from advisor.judgement.run import advise
    from tests.machines import build
    from tests.support.paths import CAPTURES, NAMES

    build()
    begin = time.process_time()
    count = sum(len(advise(CAPTURES / name).recommendations) for name in islice(cycle(NAMES), number))
    return {"cpu_ms": 1000 * (time.process_time() - begin) / number, "count": count}
