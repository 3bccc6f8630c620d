"""The size of a change with its bounds, from the logarithms of measurements.

The model of each logarithm is the sum of its slot (similar hours and days), the change, a drift and the load. The fit
gives outliers less weight (Huber). Slots, drift and load have priors (``SLOT_SD``, ``DRIFT_SD``, ``LOAD_SD``), so that
the fit does not overexplain few intervals; an unmeasurable drift widens the bounds.

The bounds come from a moving-block bootstrap of the residuals. It draws neighboring intervals together, because
correlated intervals contain less information. A test with fewer assumptions accompanies the bounds: Wilcoxon's signed
ranks of pairs within a slot, or Mann and Whitney's ranks if there are too few pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

LEVEL = 0.95  # of the bounds
SLOT_SD = 0.15  # logarithms: about 15 % between hours or days of the week
DRIFT_SD = 0.0005  # per day
LOAD_SD = 0.3  # per logarithm of the load
FEWEST = 3  # intervals per side
BLOCK = 3  # least intervals that are drawn together
DRAWS = 600
HUBER = 1.5  # standard deviations up to which an interval has full weight
PAIRS = 5  # least pairs for the test of pairs
ROUNDS = 5  # most iterations of the search for a step
AS_LIKELY = 8.0  # squared deviations: positions of a step whose gain is at most this much smaller are as likely


@dataclass(frozen=True)
class Point:
    """An interval for the statistics: time in days, logarithms of value and load, slot."""

    day: float
    log_value: float
    slot: str
    after: bool
    log_load: float | None = None


@dataclass(frozen=True)
class Change:
    """A change as a difference of logarithms with its bounds; ``deviation`` is the residual deviation of one interval.

    ``correlation`` is between neighboring intervals. ``pairs`` is the number of pairs in the test (0: it compared sides),
    and ``p_value`` its result.
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
    """Return the change between the sides, or None if a side has fewer than three intervals."""
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
    drawn = max(_bootstrap(left, fit.influence, block), _regressive(left, fit.influence, correlation))
    error = float(np.hypot(drawn, fit.standard_error))
    freedom = max(2.0, len(points) - fit.spent)
    half_width = float(student.ppf((1 + level) / 2, freedom)) * error
    pairs, p_value = _test(points)
    return Change(
        fit.change,
        fit.change - half_width,
        fit.change + half_width,
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
    """The most probable rise of a series: the first point after it, and the range of points that are as likely."""

    at: int
    first: int
    last: int


def steps(points: Sequence[Point], least: int, most: int) -> Step | None:
    """Return the rise between ``least`` and ``most`` that best explains the ordered points, or None if nothing rises.

    Outliers depend on the step: the iterations start without a step and end when the step stays the same.
    """
    import numpy as np

    if most < least:
        return None
    value = np.array([point.log_value for point in points])
    rises = np.arange(len(points))[:, None] >= np.arange(least, most + 1)
    columns, spread = _build_design(points, _centre_load(points))
    fit = _fit(columns, spread, value)
    if fit.load_falls:
        columns, spread = _build_design(points, None)
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
    tolerance = AS_LIKELY * fit.deviation**2 * (1 + correlation) / (1 - correlation)
    (likely,) = np.nonzero(gains >= gains[best] - tolerance)
    return Step(least + best, least + int(likely[0]), least + int(likely[-1]))


def _gains(
    columns: "Numbers", known: "Numbers", weight: "Numbers", rises: "NDArray[np.bool_]", value: "Numbers"
) -> "Numbers":
    """Return the reduction of squared residuals by each rise; negative for a fall."""
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
    influence: "Numbers"
    widened: float
    standard_error: float
    spent: float
    deviation: float
    weight: "Numbers"


def _columns(points: Sequence[Point], after: "NDArray[np.bool_]", with_load: bool) -> "tuple[Numbers, Numbers]":
    """Return the columns of the fit, the change first, and their prior deviations."""
    import numpy as np

    columns, spread = _build_design(points, _load(points) if with_load else None)
    return np.column_stack([after - 0.5, columns]), np.append(np.inf, spread)


def _build_design(points: Sequence[Point], load: "Numbers | None") -> "tuple[Numbers, Numbers]":
    """Return columns for mean, drift, slots and, if given, load; with their prior deviations, infinite without a prior."""
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
    """Return the load of each interval without the change's own effect on it, or None if it is unknown.

    Sessions do more activities when each takes less time; that is not a higher load. The load difference between the
    sides is therefore the smaller one of activities and active sessions, or zero if one rose and the other fell.
    """
    import numpy as np

    load = _centre_load(points)
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


def _centre_load(points: Sequence[Point]) -> "Numbers | None":
    """Return the load of each interval minus the mean, or None if any is unknown."""
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
        influence=(inverse @ columns.T)[0],
        widened=float(np.sqrt(len(value) / max(1.0, len(value) - spent))),
        standard_error=float(np.sqrt(np.sum((missed[limited] * spread[limited]) ** 2))),
        spent=spent,
        deviation=float(scale),
        weight=weight,
    )


def _scale(left: "Numbers") -> float:
    """Return a standard deviation that is robust against outliers."""
    import numpy as np

    return float(1.4826 * np.median(np.abs(left)))


def _correlation(left: "Numbers", spent: float) -> float:
    """Return the correlation of neighbors, corrected for the bias of few intervals; at least 0."""
    import numpy as np

    n = len(left)
    if not np.any(left):
        return 0.0
    found = float(np.sum(left[1:] * left[:-1]) / np.sum(left**2))
    return float(np.clip(found + (spent - 1) * (1 + found) / n + (1 + 3 * found) / n, 0, 0.9))


def _block(correlation: float, n: int) -> float:
    """Return the best block length for a first-order autoregression."""
    ratio = 2 * correlation / (1 - correlation**2)
    return float(min(1.5 * ratio ** (2 / 3) * n ** (1 / 3), n / 4))


def _regressive(left: "Numbers", influence: "Numbers", correlation: float) -> float:
    """Return the standard error if the residuals are autoregressive: few blocks underestimate it."""
    import numpy as np

    apart = np.abs(np.subtract.outer(np.arange(len(left)), np.arange(len(left))))
    return float(np.sqrt(np.mean(left**2) * np.maximum(0.0, influence @ correlation**apart @ influence)))


def _bootstrap(left: "Numbers", influence: "Numbers", block: int) -> float:
    """Return the standard error of the change by resampling the residuals in circular blocks."""
    import numpy as np

    n = len(left)
    draw = np.random.default_rng(n)
    starts = draw.integers(0, n, (DRAWS, -(-n // block)))
    index = (starts[:, :, None] + np.arange(block)).reshape(DRAWS, -1)[:, :n] % n
    return float(np.std((left - left.mean())[index] @ influence))


def _test(points: Sequence[Point]) -> tuple[int, float]:
    """Return the number of pairs and the p-value; pairs are intervals of a slot, in order."""
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
        # with ties, SciPy tries every permutation by default
        tied = 0.0 in pairs or len(set(map(abs, pairs))) < len(pairs)
        return len(pairs), float(wilcoxon(pairs, method="asymptotic" if tied else "auto").pvalue) if any(pairs) else 1.0
    before = [point.log_value for point in points if not point.after]
    after = [point.log_value for point in points if point.after]
    return 0, float(mannwhitneyu(before, after).pvalue)
