"""Two ranked lists of one database: what became of each piece of advice from one to the other."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

_MUCH, _POINTS = 1.25, 1.0  # a benefit is another one when it differs by more than both, the second in percent of time


class Advised(Protocol):
    """A piece of advice: what makes it the same in another list, and its benefit in percent of database time."""

    @property
    def key(self) -> tuple[str, str, str]: ...
    @property
    def benefit(self) -> float: ...


Item = TypeVar("Item", bound=Advised)


@dataclass(frozen=True)
class Pair(Generic[Item]):
    """What two lists say of the same object by the same rule."""

    before: Item
    after: Item


@dataclass(frozen=True)
class Comparison(Generic[Item]):
    """What only the later or only the earlier list has, whose benefit moved, and what is accepted now.

    ``unknown`` was advised before and could not be judged again, where somebody tells that from what is gone.
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
        worsened=[pair for pair in pairs if _larger(pair.after.benefit, pair.before.benefit)],
        improved=[pair for pair in pairs if _larger(pair.before.benefit, pair.after.benefit)],
        accepted=accepted,
    )


def _larger(one: float, other: float) -> bool:
    """Whether a benefit is another one than before, and not the same measured again."""
    return one > _MUCH * other and one > other + _POINTS
