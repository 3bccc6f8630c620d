"""Judgement of many machines: the committed ones repeatedly, as captures."""

import time
from itertools import cycle, islice
from typing import Any

from advisor.resources import DEMO_CAPTURE, PAPER_CAPTURE

NUMBERS = (1, 100, 1000)


def measure(number: int) -> dict[str, Any]:
    """Judge that many machines with all rules. Return processor seconds per machine, and the recommendations."""
    from advisor.judgement.run import advise

    begin = time.process_time()
    count = sum(len(advise(path).recommendations) for path in islice(cycle((DEMO_CAPTURE, PAPER_CAPTURE)), number))
    return {"cpu_ms": 1000 * (time.process_time() - begin) / number, "count": count}
