"""Locks: how often one is found taken, how long one waits, and when row locks become a table lock.

Sources: Gray and Reuter, *Transaction Processing* (1993), ch. 7.11, and Tay, *Locking Performance in Centralized
Databases* (1987): with n transactions that hold half their L locks on average, of D granules, a request conflicts with
probability about n L / 2D, and waits for about half the holder's remaining time; IBM, "locklist", "maxlocks".
Times in seconds, LOCKLIST in pages of 4 KB.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tests.twin.cache import Popularity

LOCK_BYTES = 128.0
PAGE = 4096.0


@dataclass(frozen=True)
class Waiting:
    """Waits and seconds of waiting a transaction."""

    waits: float
    time: float


def granules(rows: Popularity) -> float:
    """As many equally popular rows as conflict as often: 1 / sum of squared probabilities."""
    one = rows.share / rows.count
    return float(1.0 / np.sum(rows.count * one * one))


def waiting(active: float, locks: float, granule: float, hold: float) -> Waiting:
    """Of `active` transactions that take `locks` exclusive locks each and hold them for `hold` seconds at most."""
    if locks <= 0 or active <= 1:
        return Waiting(0.0, 0.0)
    conflict = min(0.95, (active - 1) * locks / 2 / granule)
    return Waiting(locks * conflict, locks * conflict * hold / 2)


def escalates(locks: float, locklist: float, maxlocks: float, active: float) -> float:
    """How many of a transaction's row locks the list denies, as a share; above 0 it locks the table instead.

    MAXLOCKS percent of the list are one application's; all together cannot have more than the list.
    """
    room = locklist * PAGE / LOCK_BYTES
    own = room * maxlocks / 100
    if locks <= 0:
        return 0.0
    return max(0.0, 1 - own / locks, 1 - room / (active * locks / 2) if active > 0 else 0.0)
