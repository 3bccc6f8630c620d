"""Changed pages: their number in a pool, their writers, and the times of writing.

Sources: IBM, "chngpgs_thresh" (cleaners start when the share of changed pages reaches it, write all on a list, stop),
"softmax" and "page_age_trgt_mcr" (pages older than that are written), "Proactive page cleaning"
(c0011381, DB2_USE_ALTERNATE_PAGE_CLEANING: no threshold; future victims are written early, old pages as often as
without it, but spread over time), "num_iocleaners". The mathematics is renewal theory: a page that is changed at rate u
and leaves at rate m was changed within the last t seconds with probability u/(u+m) (1-exp(-(u+m)t)). Rates per second,
times in seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tests.twin.cache import Contents
    from tests.twin.queueing import Floats

HALVINGS = 32  # of an interval from a time to four times as much


@dataclass(frozen=True)
class Cleaning:
    """Writes a second by group of pages (to one page), by cleaners and by agents that met a changed victim.

    `period` is the time between two starts of the cleaners, `changed` the mean share of the pool that is changed,
    `batch` the pages of one start; the last three are starts a second by reason.
    """

    cleaned: Floats
    stolen: Floats
    period: float
    changed: float
    batch: float
    by_threshold: float
    by_age: float
    by_steal: float


def _changed(rate: Floats, update: Floats, inside: Contents, time: float) -> Floats:
    """Return the probability that a page is in the pool and was changed in the last `time` seconds.

    Up to the pool's characteristic time no changed page has left: 1 - exp(-u t). After that it approaches the balance
    u/(u+m) of pages that become changed (there, or read for it) at rate u and leave at m.
    """
    leaves = np.divide(rate * (1 - inside.hit), inside.held, out=np.zeros_like(rate), where=inside.held > 0)
    total = update + leaves
    soon = 1 - np.exp(-update * min(time, inside.time)) if math.isfinite(min(time, inside.time)) else update > 0
    if time <= inside.time:
        return np.asarray(soon, dtype=np.float64)
    balance = np.divide(update, total, out=np.zeros_like(rate), where=total > 0)
    still = 0.0 if math.isinf(time) else np.exp(-total * (time - inside.time))
    return np.asarray(balance + (soon - balance) * still, dtype=np.float64)


def _until(rate: Floats, update: Floats, count: Floats, inside: Contents, pages: float) -> float:
    """Return the seconds until `pages` are changed; infinity if too many leave before."""
    if float((count * _changed(rate, update, inside, math.inf)).sum()) <= pages:
        return math.inf
    low, high = 0.0, 1.0
    while float((count * _changed(rate, update, inside, high)).sum()) < pages:
        low, high = high, high * 4
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if float((count * _changed(rate, update, inside, middle)).sum()) < pages:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def cleaning(
    rate: Floats,
    update: Floats,
    count: Floats,
    inside: Contents,
    capacity: float,
    threshold: float,
    oldest: float,
    proactive: bool = False,
    fastest: float = math.inf,
    cleaners: int = 0,
) -> Cleaning:
    """The cleaners of one pool; `threshold` is CHNGPGS_THRESH as a share, `oldest` the age that pages may reach.

    Between two starts changed pages gather; a page that is changed many times in one period is written once.
    A victim was last used T ago; it is changed still if no start fell into that time. Cleaners that write `fastest`
    pages a second at most come round less often: pages gather until the writes a second are those. An agent that meets
    a changed victim starts them too (IBM, "pool_drty_pg_steal_clns"): each of the `cleaners` that has time for it
    writes one more victim; proactive ones write all victims, before an agent meets them.
    """
    if float((update * inside.held).sum()) <= 0 or capacity <= 0:
        nothing = np.zeros_like(rate)
        return Cleaning(nothing, nothing, math.inf, 0.0, 0.0, 0.0, 0.0, 0.0)
    full = math.inf if proactive else _until(rate, update, count, inside, threshold * capacity)
    period = max(min(full, oldest), _slowed(rate, update, count, inside, fastest))
    gathered = _changed(rate, update, inside, period)
    cleaned = gathered / period if math.isfinite(period) else np.zeros_like(rate)
    evicted = rate * (1 - inside.hit)
    late = 1.0 if math.isinf(period) else max(0.0, 1 - inside.time / period)
    stolen = evicted * _ever_changed(rate, update, inside) * late
    starts = 0.0 if math.isinf(period) else 1 / period
    pages = float((count * gathered).sum())
    age = 0.0 if proactive else starts * (full > oldest)
    most = 1.0 if proactive else cleaners / (1 + cleaners)
    helped = _helped(float((count * stolen).sum()), fastest - float((count * cleaned).sum()), most)
    return Cleaning(
        cleaned + stolen * helped,
        stolen * (1 - helped),
        period,
        pages / capacity / (2 if math.isfinite(period) else 1),
        1.0 if proactive else pages,
        0.0 if proactive else starts - age,
        age,
        float((count * stolen).sum()) * (1 - helped),
    )


def _helped(victims: float, room: float, most: float) -> float:
    """Return the share of changed victims that cleaners write, at most `most`, with room for `room` pages a second."""
    return min(most, max(0.0, room) / victims) if victims > 0 else 0.0


def _slowed(rate: Floats, update: Floats, count: Floats, inside: Contents, fastest: float) -> float:
    """The period at which `fastest` pages a second are written; 0 when no period would need as much."""
    if fastest >= float((count * update).sum()):
        return 0.0
    low, high = 0.0, 1.0
    while high < 1e9 and float((count * _changed(rate, update, inside, high)).sum()) > fastest * high:
        low, high = high, high * 4
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if float((count * _changed(rate, update, inside, middle)).sum()) > fastest * middle:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _ever_changed(rate: Floats, update: Floats, inside: Contents) -> Floats:
    """The probability that a page is changed between coming and leaving.

    It is referred to k times with probability (1-h) h**(k-1), and each time changed with update/rate.
    """
    each = np.divide(update, rate, out=np.zeros_like(rate), where=rate > 0)
    return np.asarray(each / np.maximum(1e-300, 1 - inside.hit * (1 - each)), dtype=np.float64)


def automatic_cleaners(threads: int, members: int = 1) -> int:
    """NUM_IOCLEANERS AUTOMATIC: processors of a member less one (IBM, "num_iocleaners")."""
    return max(1, math.ceil(threads / members) - 1)


def age_limit(level: tuple[int, int], softmax: float, log_file: float, log_rate: float, target: float) -> float:
    """Seconds that a changed page may stay: by SOFTMAX percent of a log file, from 10.5 by PAGE_AGE_TRGT_MCR."""
    if softmax > 0:
        return softmax / 100 * log_file / log_rate if log_rate > 0 else math.inf
    return target if level >= (10, 5) else math.inf
