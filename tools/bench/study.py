"""Advice on machines of the model: a small sample of the study of docs/model-study.md, on the same sites each time."""

import time
from typing import Any

SITES, COMPARED = 30, 6


def measure(sites: int) -> dict[str, Any]:
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
