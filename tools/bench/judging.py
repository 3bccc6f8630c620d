"""Advice on many machines: the time to judge those of the tests, and a small sample of the study of docs/model-study.md."""

import time
from itertools import cycle, islice
from typing import Any

NUMBERS = (1, 100, 1000)


def measure_judgement(number: int) -> dict[str, Any]:
    """Judge that many machines with all rules. Return processor seconds per machine, and the recommendations."""
    from advisor.judgement.run import advise
    from tests.machines import build
    from tests.support.paths import CAPTURES, NAMES

    build()
    begin = time.process_time()
    count = sum(len(advise(CAPTURES / name).recommendations) for name in islice(cycle(NAMES), number))
    return {"cpu_ms": 1000 * (time.process_time() - begin) / number, "count": count}


SITES, COMPARED = 30, 6


def measure_study(sites: int) -> dict[str, Any]:
    """Return the shares of harmful changes and of kept promises, Kendall's tau, gaps, and processor seconds.

    The gaps come from random configurations instead of a search with Optuna.
    """
    from tests.twin import figures, report, rivals
    from tests.twin.page import LIST

    begin = time.process_time()
    found = report.measured(0, sites)
    found.add(report.compared(0, COMPARED, rivals.quick))
    then = figures.in_the_interval(found.trials)
    closed, together, _ = figures.closed(found.compared, LIST)
    return {
        "sites": sites,
        "changes": len(found.trials),
        "gaps": sum(each.best > figures.NEAR for each in found.compared),
        "harm": figures.mean(each.harms for each in found.trials),
        "outside": 1 - figures.mean(each.covered for each in found.trials),
        "outside_then": 1 - figures.mean(each.covered for each in then),
        "tau": figures.tau(found.trials),
        "closed": closed,
        "together": together,
        "cpu_s": time.process_time() - begin,
    }
