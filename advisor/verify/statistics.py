"""By how much something changed, and how sure that is: from the logarithms of what intervals measured.

The logarithm of each interval is taken as the sum of its slot (the hours and days that are alike), the change, a drift
and the load, fitted so that single outliers weigh less (Huber). Of slots, drift and load it is said beforehand about how
large they are (``SLOT_SD``, ``DRIFT_SD``, ``LOAD_SD``): few intervals are not explained by what they cannot show, and
how unsure a drift is that they cannot show makes the bounds wider.

The bounds come from a moving-block bootstrap of what the fit leaves: what follows each other is drawn together, so that
intervals that resemble their neighbours do not count as if each were news. The test beside it asks less of the data:
Wilcoxon's signed ranks of intervals of one slot in pairs, Mann and Whitney's ranks where there are too few.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

LEVEL = 0.95  # of the bounds: nights are looked at again and again
SLOT_SD = 0.15  # logarithms: about 15 % between hours or days of the week
DRIFT_SD = 0.0005  # a day
LOAD_SD = 0.3  # per logarithm of the load
FEWEST = 3  # intervals a side
BLOCK = 3  # intervals that are drawn together at least
DRAWS = 600
HUBER = 1.5  # standard deviations up to which an interval weighs in full
PAIRS = 5  # from which on pairs are compared
ROUNDS = 5  # in which the place of a step is looked for
AS_LIKELY = 8.0  # squares of deviations: what explains so much less than the best place of a step may be it as well


@dataclass(frozen=True)
class Point:
    """An interval as the statistics see it: when (in days), the logarithms of value and load, its slot."""

    day: float
    log_value: float
    slot: str
    after: bool
    log_load: float | None = None


@dataclass(frozen=True)
class Change:
    """A change as a difference of logarithms with its bounds; ``deviation`` is that of one interval, without its fit.

    ``correlation`` is that of neighbouring intervals, ``pairs`` how many the test compared (0: sides, not pairs), and
    ``p_value`` that of the test.
    """

    estimate: float
    low: float
    high: float
    error: float
    before: int
    after: int
    deviation: float
    correlation: float
    pairs: int
    p_value: float


def change(points: Sequence[Point], level: float = LEVEL) -> Change | None:
    """The change between what lies before and after; None where a side has fewer than three intervals."""
    import numpy as np
    from scipy.stats import t as student

    points = sorted(points, key=lambda point: (point.day, point.slot, point.log_value))
    after = np.array([point.after for point in points])
    if min(after.sum(), (~after).sum()) < FEWEST:
        return None
    value = np.array([point.log_value for point in points])
    columns, spread = _columns(points, after, with_load=True)
    fit = _fit(columns, spread, value)
    if fit.load_falls:
        columns, spread = _columns(points, after, with_load=False)
        fit = _fit(columns, spread, value)
    correlation = _correlation(fit.left, fit.spent)
    block = max(BLOCK, round(_block(correlation, len(points))))
    left = fit.left * fit.widened
    drawn = max(_bootstrap(left, fit.pull, block), _regressive(left, fit.pull, correlation))
    error = float(np.hypot(drawn, fit.unsure))
    freedom = max(2.0, len(points) - fit.spent)
    reach = float(student.ppf((1 + level) / 2, freedom)) * error
    pairs, p_value = _test(points)
    return Change(
        fit.change,
        fit.change - reach,
        fit.change + reach,
        error,
        int((~after).sum()),
        int(after.sum()),
        fit.deviation,
        correlation,
        pairs,
        p_value,
    )


@dataclass(frozen=True)
class Step:
    """Where a series most probably rises: its first point after it, and the first and last that it may be as well."""

    at: int
    first: int
    last: int


def steps(points: Sequence[Point], least: int, most: int) -> Step | None:
    """Where from ``least`` up to ``most`` a rise explains most of points in their order; None where nothing rises.

    What are outliers is known once a step is there: the rounds begin with none, and end where the step stays.
    """
    import numpy as np

    if most < least:
        return None
    value = np.array([point.log_value for point in points])
    rises = np.arange(len(points))[:, None] >= np.arange(least, most + 1)
    columns, spread = _explained(points, _centred(points))
    fit = _fit(columns, spread, value)
    if fit.load_falls:
        columns, spread = _explained(points, None)
    weight, scale, best = np.ones(len(points)), fit.deviation, -1
    for _ in range(ROUNDS):
        gains = _gains(columns, (scale / spread) ** 2, weight, rises, value)
        if best == (best := int(gains.argmax())):
            break
        fit = _fit(np.column_stack([rises[:, best] - 0.5, columns]), np.append(np.inf, spread), value)
        weight, scale = fit.weight, fit.deviation
    if gains[best] <= 0:
        return None
    correlation = _correlation(fit.left, fit.spent)
    unsure = AS_LIKELY * fit.deviation**2 * (1 + correlation) / (1 - correlation)
    (likely,) = np.nonzero(gains >= gains[best] - unsure)
    return Step(least + best, least + int(likely[0]), least + int(likely[-1]))


def _gains(
    columns: "Numbers", known: "Numbers", weight: "Numbers", rises: "NDArray[np.bool_]", value: "Numbers"
) -> "Numbers":
    """How much of the squares each rise takes from what is left without it; below zero where it is a fall."""
    import numpy as np

    weighted = columns * weight[:, None]
    inverse = np.linalg.pinv(columns.T @ weighted + np.diag(known))
    step = rises - 0.5
    left = value - columns @ (inverse @ (weighted.T @ value))
    alone = step - columns @ (inverse @ (weighted.T @ step))
    rise = step.T @ (weight * left)
    squares = np.sum(step * weight[:, None] * alone, axis=0)
    gains: Numbers = np.sign(rise) * rise**2 / squares
    return gains


@dataclass(frozen=True)
class _Fit:
    change: float
    load_falls: bool
    left: "Numbers"
    pull: "Numbers"
    widened: float
    unsure: float
    spent: float
    deviation: float
    weight: "Numbers"


def _columns(points: Sequence[Point], after: "NDArray[np.bool_]", with_load: bool) -> "tuple[Numbers, Numbers]":
    """The columns of the fit, and about how large the share of each is: first the change, then what else explains."""
    import numpy as np

    columns, spread = _explained(points, _load(points) if with_load else None)
    return np.column_stack([after - 0.5, columns]), np.append(np.inf, spread)


def _explained(points: Sequence[Point], load: "Numbers | None") -> "tuple[Numbers, Numbers]":
    """Mean, drift, slots, and last the load where it is given; how large each is, infinite where nothing is known."""
    import numpy as np

    day = np.array([point.day for point in points])
    slots = sorted({point.slot for point in points})
    columns = [np.ones(len(points)), day - day.mean()]
    spread = [np.inf, DRIFT_SD]
    if len(slots) > 1:
        columns += [np.array([float(point.slot == slot) for point in points]) for slot in slots]
        spread += [SLOT_SD] * len(slots)
    if load is not None:
        columns.append(load)
        spread.append(LOAD_SD)
    return np.column_stack(columns), np.array(spread)


def _load(points: Sequence[Point]) -> "Numbers | None":
    """The load of each interval; after the change as much of it as is not due to the change. None where it is not known.

    What the same sessions do more because each activity takes less is no other load: of the difference of the sides
    counts the smaller one of activities and of active sessions, and nothing where one rose and the other fell.
    """
    import numpy as np

    load = _centred(points)
    if load is None:
        return None
    after = np.array([point.after for point in points])
    value = np.array([point.log_value for point in points])
    slots = np.array([point.slot for point in points])

    def more(of: "Numbers") -> float:
        apart = [
            np.median(of[after & (slots == slot)]) - np.median(of[~after & (slots == slot)])
            for slot in sorted(set(slots[after]) & set(slots[~after]))
        ]
        return float(np.mean(apart)) if apart else float(np.median(of[after]) - np.median(of[~after]))

    activities, sessions = more(load), more(load + value)
    step = 0.0 if activities * sessions <= 0 else min(activities, sessions, key=abs)
    found = load + (step - activities) * after
    centred: Numbers = found - found.mean()
    return centred


def _centred(points: Sequence[Point]) -> "Numbers | None":
    """The load of each interval around its mean; None where it is not known of each."""
    import numpy as np

    known = [point.log_load for point in points if point.log_load is not None]
    return np.array(known) - np.mean(known) if len(known) == len(points) else None


def _fit(columns: "Numbers", spread: "Numbers", value: "Numbers") -> _Fit:
    import numpy as np

    weight = np.ones(len(value))
    scale = max(_scale(value - np.median(value)), 1e-6)
    for _ in range(12):
        known = np.diag(scale**2 / spread**2)
        inverse = np.linalg.pinv(columns.T @ (columns * weight[:, None]) + known)
        of = inverse @ (columns * weight[:, None]).T
        left = value - columns @ (of @ value)
        spent = float(np.trace(columns @ of))
        scale = max(_scale(left) * np.sqrt(len(value) / max(1.0, len(value) - spent)), 1e-6)
        weight = np.minimum(1, HUBER * scale / np.maximum(np.abs(left), 1e-12))
    found = of @ value
    limited = ~np.isinf(spread)
    missed = (of @ columns)[0]
    missed[0] -= 1
    return _Fit(
        change=float(found[0]),
        load_falls=spread[-1] == LOAD_SD and bool(found[-1] < 0),
        left=left * weight,
        pull=(inverse @ columns.T)[0],
        widened=float(np.sqrt(len(value) / max(1.0, len(value) - spent))),
        unsure=float(np.sqrt(np.sum((missed[limited] * spread[limited]) ** 2))),
        spent=spent,
        deviation=float(scale),
        weight=weight,
    )


def _scale(left: "Numbers") -> float:
    """A standard deviation that outliers hardly move."""
    import numpy as np

    return float(1.4826 * np.median(np.abs(left)))


def _correlation(left: "Numbers", spent: float) -> float:
    """That of neighbours, without what so few of them take from it; none is taken for negative."""
    import numpy as np

    n = len(left)
    if not np.any(left):
        return 0.0
    found = float(np.sum(left[1:] * left[:-1]) / np.sum(left**2))
    return float(np.clip(found + (spent - 1) * (1 + found) / n + (1 + 3 * found) / n, 0, 0.9))


def _block(correlation: float, n: int) -> float:
    """How many intervals belong together: the length that is best for an autoregression of the first order."""
    ratio = 2 * correlation / (1 - correlation**2)
    return float(min(1.5 * ratio ** (2 / 3) * n ** (1 / 3), n / 4))


def _regressive(left: "Numbers", pull: "Numbers", correlation: float) -> float:
    """The standard error of the change if what is left is an autoregression: few blocks show less of it than there is."""
    import numpy as np

    apart = np.abs(np.subtract.outer(np.arange(len(left)), np.arange(len(left))))
    return float(np.sqrt(np.mean(left**2) * np.maximum(0.0, pull @ correlation**apart @ pull)))


def _bootstrap(left: "Numbers", pull: "Numbers", block: int) -> float:
    """The standard error of the change: what is left is drawn anew in blocks, around the end."""
    import numpy as np

    n = len(left)
    draw = np.random.default_rng(n)
    starts = draw.integers(0, n, (DRAWS, -(-n // block)))
    index = (starts[:, :, None] + np.arange(block)).reshape(DRAWS, -1)[:, :n] % n
    return float(np.std((left - left.mean())[index] @ pull))


def _test(points: Sequence[Point]) -> tuple[int, float]:
    """How many pairs were compared, and the p-value; pairs are intervals of a slot, in their order."""
    from scipy.stats import mannwhitneyu, wilcoxon

    sides: dict[str, tuple[list[float], list[float]]] = {}
    for point in points:
        sides.setdefault(point.slot, ([], []))[point.after].append(point.log_value)
    pairs = [
        after - before
        for earlier, later in sides.values()
        for before, after in zip(earlier[-len(later) :], later, strict=False)
    ]
    if len(pairs) >= PAIRS:
        # where there are ties, SciPy would try every permutation
        tied = 0.0 in pairs or len(set(map(abs, pairs))) < len(pairs)
        return len(pairs), float(wilcoxon(pairs, method="asymptotic" if tied else "auto").pvalue) if any(pairs) else 1.0
    before = [point.log_value for point in points if not point.after]
    after = [point.log_value for point in points if point.after]
    return 0, float(mannwhitneyu(before, after).pvalue)
