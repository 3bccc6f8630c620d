"""The size of a change with its bounds, from the logarithms of days.

The fit is generalized least squares of an intervention in a time series (Box and Tiao 1975; Harvey 1989). Each day is the
sum of a mean, the weekend, the change, growth and load, and of chance: a deviation of its own, a random walk and the
deviation of its weekday. Growth and load have priors (``GROWTH_SD``, ``LOAD_SD``), so that few days are not
overexplained.

A few days do not show how much of the chance is a random walk or differs between weekdays. The bounds therefore average
the fits over a grid of these ``SHARES``, weighted by restricted likelihood (Bayesian model averaging), with the quantile of
Student's t. A day that is far from the other days' prediction counts as ``FAR`` standard deviations away (Winsorizing).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from math import log
from typing import TYPE_CHECKING, Any

from advisor.verify.days import SATURDAY, Days, Point, group_days, weekdays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.floating[Any]]

LEVEL = 0.98  # of the bounds; tests/verify/rates.py measures the error rates
FEWEST = 3  # days per side
GROWTH_SD = 0.005  # per day
LOAD_SD = 0.3  # per logarithm of the load
FAR = 3.0  # standard deviations
MANY = 10  # least days that show which one is far from the others
ROUNDS = 20  # most iterations of a search
WALKS = (0.05, 0.3, 2.0, 10.0)  # variance of a random walk per day, in variances of a single day
WEEKDAYS = (0.0, 10.0)  # variance between weekdays, in the same unit
SHARES = tuple(product(WALKS, WEEKDAYS))
ALONE = 1e-6  # weight of other days in a prediction: less than any
LEAST_SD = 1e-4  # of a day: no measurement is more exact
AS_LIKELY = 4.0  # difference of log likelihoods up to which another position of a step is as likely


@dataclass(frozen=True)
class Effect:
    """A change as a difference of logarithms with its bounds, and the number of days per side."""

    estimate: float
    low: float
    high: float
    before: int
    after: int
    level: float
    days: Days = field(repr=False, compare=False)
    fit: "Fit" = field(repr=False, compare=False)


@dataclass(frozen=True)
class Fit:
    """The change in each model of the grid: weights, and variances of a single day; ``freedom`` is in degrees."""

    estimate: float
    error: float
    freedom: int
    weight: "Numbers"
    variance: "Numbers"
    load: float = 0.0


def change(points: Sequence[Point], level: float = LEVEL) -> Effect | None:
    """Return the change between the sides, or None if a side has fewer than three days."""
    days = group_days(points)
    before, after = days.count(False), days.count(True)
    if min(before, after) < FEWEST:
        return None
    fit = _fit(days, _adjust_load(days))
    if fit.load < 0:
        fit = _fit(days, None)
    half_width = fit.error * _quantile(level, fit.freedom)
    low, high = fit.estimate - half_width, fit.estimate + half_width
    return Effect(fit.estimate, low, high, before, after, level, days, fit)


def project_half_width(effect: Effect, more: int) -> float:
    """Return the expected half-width of the bounds after more days like the last week's days, without further changes."""
    import numpy as np

    days = effect.days
    kinds = set(days.weekend.tolist())
    last = int(days.number[-1])
    following = np.arange(last + 1, last + more + 1)
    new = following[np.isin(weekdays(following) >= SATURDAY, list(kinds))]
    longer = Days(
        np.append(days.number, new),
        np.append(days.after, np.ones(len(new), dtype=bool)),
        np.append(days.value, np.zeros(len(new))),
    )
    inverse, _ = _invert(longer)
    columns = _build_columns(longer, longer.after)
    known = _prior(columns, effect.fit.variance)
    covariance = np.linalg.inv(columns.T @ inverse @ columns + known)
    error = float(np.sqrt(np.sum(effect.fit.weight * effect.fit.variance * covariance[:, 0, 0])))
    return error * _quantile(effect.level, effect.fit.freedom + len(new))


@dataclass(frozen=True)
class Step:
    """The most probable rise of a series: the first day after it, and the range of days that are as likely."""

    at: int
    first: int
    last: int


def find_step(days: Days, least: int, most: int) -> Step | None:
    """Return the rise between ``least`` and ``most`` that best explains the days, or None if nothing rises.

    Outliers depend on the step: the iterations start without a step and end when the step stays the same.
    """
    import numpy as np

    if most < least:
        return None
    rises = np.arange(len(days.number))[:, None] >= np.arange(least, most + 1)
    without = _build_columns(days, None)
    value, best = days.value, -1
    for _ in range(ROUNDS):
        likelihood, rise = _compare_steps(days, without, rises - 0.5, value)
        if best == (best := int(likelihood.max(axis=0).argmax())):
            break
        value = _limit_outliers(days, np.column_stack([without, rises[:, best]]))
    if rise[likelihood[:, best].argmax(), best] <= 0:
        return None
    profile = likelihood.max(axis=0)
    (likely,) = np.nonzero(profile >= profile[best] - AS_LIKELY)
    return Step(least + best, least + int(likely[0]), least + int(likely[-1]))


def _compare_steps(days: Days, columns: "Numbers", steps: "Numbers", value: "Numbers") -> "tuple[Numbers, Numbers]":
    """Return the log likelihood and size of each step in each model."""
    import numpy as np

    rest, shared = _make_residual_maker(days, columns)
    over, squares = rest @ value, np.sum((rest @ steps) * steps, axis=1)
    rise = over @ steps / squares
    left = np.maximum((over @ value)[:, None] - rise**2 * squares, len(value) * LEAST_SD**2)
    return _weigh_models(shared[:, None], len(value) - columns.shape[1] - 1, left), rise


def _build_columns(days: Days, after: "NDArray[np.bool_] | None") -> "Numbers":
    """Return the columns of the change, if given, growth, mean and weekend."""
    import numpy as np

    columns = [] if after is None else [after - 0.5]
    columns += [days.number - days.number.mean(), np.ones(len(days.number))]
    if len(set(days.weekend.tolist())) > 1:
        columns.append(days.weekend - 0.5)
    return np.column_stack(columns).astype(float)


def _invert(days: Days) -> "tuple[Numbers, Numbers]":
    """Return the inverse covariances of the days' chance in each model, and the logarithms of the determinants."""
    return _invert_covariances(tuple(days.number.tolist()))


@lru_cache(maxsize=64)
def _invert_covariances(numbers: tuple[int, ...]) -> "tuple[Numbers, Numbers]":
    import numpy as np

    day = np.array(numbers)
    walked = np.minimum.outer(day - day[0], day - day[0])
    same = np.equal.outer(day % 7, day % 7)
    covariance = np.eye(len(day)) + np.array([walk * walked + weekday * same for walk, weekday in SHARES])
    return np.linalg.inv(covariance), np.linalg.slogdet(covariance)[1]


def _weigh_models(shared: "Numbers", freedom: int, left: "Numbers") -> "Numbers":
    """Return the log likelihood of each model from its determinants and the squares that it leaves.

    Its log prior is that of the standard deviation of its random walk.
    """
    import numpy as np

    prior = np.array([0.5 * log(walk) for walk, _ in SHARES]).reshape(-1, *[1] * (left.ndim - 1))
    weights: Numbers = prior - 0.5 * (shared + freedom * np.log(left))
    return weights


def _make_residual_maker(days: Days, columns: "Numbers") -> "tuple[Numbers, Numbers]":
    """Return the matrix of each model that maps values to weighted residuals, and its log determinants."""
    import numpy as np

    inverse, determinant = _invert(days)
    weighted = inverse @ columns
    covariance = np.linalg.inv(columns.T @ weighted + ALONE * np.eye(columns.shape[1]))  # the load may be a step, too
    rest: Numbers = inverse - weighted @ covariance @ weighted.swapaxes(1, 2)
    return rest, determinant - np.linalg.slogdet(covariance)[1]


def _limit_outliers(days: Days, columns: "Numbers") -> "Numbers":
    """Return the values; those far from the other days' prediction move to ``FAR`` standard deviations from it."""
    import numpy as np

    value = days.value
    if len(value) < MANY:
        return value
    rest, shared = _make_residual_maker(days, columns)
    freedom = len(value) - columns.shape[1]
    for _ in range(ROUNDS):
        over = rest @ value
        left = np.maximum(over @ value, len(value) * LEAST_SD**2)
        best = int(_weigh_models(shared, freedom, left).argmax())
        exact = np.sqrt(np.maximum(np.diag(rest[best]), ALONE))
        predicted = value - over[best] / exact**2  # from the other days
        scaled = (days.value - predicted) * exact
        limit = FAR * 1.4826 * float(np.median(np.abs(scaled)))
        limited = predicted + np.clip(scaled, -limit, limit) / exact
        if np.allclose(limited, value, atol=LEAST_SD):
            break
        value = limited
    return value


def _adjust_load(days: Days) -> "Numbers | None":
    """Return the load of each day without the change's own effect on it, or None if it is unknown.

    Sessions do more activities when each takes less time; that is not a higher load. The load difference between the
    sides is therefore the smaller one of activities and active sessions, or zero if one rose and the other fell.
    """
    import numpy as np

    load = days.load
    if load is None:
        return None
    columns = np.column_stack([days.after, np.equal.outer(days.weekday, np.arange(7))]).astype(float)
    activities, sessions = np.linalg.lstsq(columns, np.column_stack([load, load + days.value]), rcond=None)[0][0]
    step = 0.0 if activities * sessions <= 0 else min(activities, sessions, key=abs)
    found = load + (step - activities) * days.after
    centred: Numbers = found - found.mean()
    return centred


def _fit(days: Days, load: "Numbers | None") -> Fit:
    """Return the change averaged over the models."""
    import numpy as np

    columns = _build_columns(days, days.after)
    value = _limit_outliers(days, columns if load is None else np.column_stack([columns, load]))
    rest, shared = _make_residual_maker(days, columns)
    freedom = len(value) - columns.shape[1]
    left = np.maximum(rest @ value @ value, len(value) * LEAST_SD**2)
    likelihood = _weigh_models(shared, freedom, left)
    weight = np.exp(likelihood - likelihood.max())
    weight /= weight.sum()
    if load is not None:
        columns = np.column_stack([columns, load])
    inverse, _ = _invert(days)
    weighted, variance = inverse @ columns, left / freedom
    for _ in range(3):  # the weight of a prior depends on the variance
        covariance = np.linalg.inv(columns.T @ weighted + _prior(columns, variance, load is not None))
        found = (covariance @ (weighted.swapaxes(1, 2) @ value)[:, :, None])[:, :, 0]
        residual = value - found @ columns.T
        squares = np.sum((inverse @ residual[:, :, None])[:, :, 0] * residual, axis=1)
        variance = np.maximum(squares / freedom, LEAST_SD**2)
    mean = float(weight @ found[:, 0])
    spread = variance * covariance[:, 0, 0]
    error = float(np.sqrt(weight @ (spread + (found[:, 0] - mean) ** 2)))
    return Fit(mean, error, freedom, weight, variance, float(weight @ found[:, -1]) if load is not None else 0.0)


def _prior(columns: "Numbers", variance: "Numbers", loaded: bool = False) -> "Numbers":
    """Return the information of the priors on growth, the second column, and on the load, the last one."""
    import numpy as np

    known = np.zeros((len(variance), columns.shape[1], columns.shape[1]))
    known[:, 1, 1] = variance / GROWTH_SD**2
    if loaded:
        known[:, -1, -1] = variance / LOAD_SD**2
    return known


def _quantile(level: float, freedom: int) -> float:
    from scipy.special import stdtrit  # scipy.stats takes a second to import

    return float(stdtrit(max(1, freedom), (1 + level) / 2))
