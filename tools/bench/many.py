"""Judgement of many machines at once: the committed ones repeatedly, as captures."""

import time
from contextlib import ExitStack
from itertools import cycle, islice
from typing import Any

from advisor.resources import DEMO_CAPTURE

NUMBERS = (1, 100, 1000)


def measure(number: int) -> dict[str, Any]:
    """Judge that many machines with all rules. Return processor seconds per machine, and the recommendations."""
    from advisor.capture import open_capture
    from advisor.catalogue.rules import all_rules
    from advisor.judgement.many import judge

    machines = sorted(path.parent for path in DEMO_CAPTURE.parent.glob("*/manifest.json"))
    rules = list(all_rules().values())
    begin = time.process_time()
    with ExitStack() as stack:
        cases = ((stack.enter_context(open_capture(path)), rules) for path in islice(cycle(machines), number))
        count = sum(len(advice.recommendations) for advice in judge(cases))
    return {"cpu_ms": 1000 * (time.process_time() - begin) / number, "count": count}
