"""Comparison of two ranked lists of one database."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

_MUCH, _POINTS = 1.25, 1.0  # a benefit differs if it exceeds both the factor and the percent of time


class Advised(Protocol):
    """A piece of advice: its identity across lists, and its benefit in percent of database time."""

    @property
    def key(self) -> tuple[str, str, str]: ...
    @property
    def benefit(self) -> float: ...


Item = TypeVar("Item", bound=Advised)


@dataclass(frozen=True)
class Pair(Generic[Item]):
    """The advice of one rule about one object in both lists."""

    before: Item
    after: Item


@dataclass(frozen=True)
class Comparison(Generic[Item]):
    """Advice that is new, gone, worsened, improved or accepted.

    ``unknown`` is earlier advice whose rule did not run again, if the caller separates it from ``gone``.
    """

    new: list[Item]
    gone: list[Item]
    worsened: list[Pair[Item]]
    improved: list[Pair[Item]]
    accepted: list[Item]
    unknown: list[Item] = field(default_factory=list)


def compare(before: Iterable[Item], after: Iterable[Item], accepted: list[Item]) -> Comparison[Item]:
    """Compare two ranked lists."""
    first, last = {item.key: item for item in before}, {item.key: item for item in after}
    pairs = [Pair(first[key], item) for key, item in last.items() if key in first]
    return Comparison(
        new=[item for key, item in last.items() if key not in first],
        gone=[item for key, item in first.items() if key not in last],
        worsened=[pair for pair in pairs if _is_larger(pair.after.benefit, pair.before.benefit)],
        improved=[pair for pair in pairs if _is_larger(pair.before.benefit, pair.after.benefit)],
        accepted=accepted,
    )


def _is_larger(one: float, other: float) -> bool:
    """Return whether one benefit exceeds the other by more than the measuring error."""
    return one > _MUCH * other and one > other + _POINTS
