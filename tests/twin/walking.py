"""The list carried out step by step: first its first change, then the first advice for the changed machine.

With `undo`, a step that makes response time worse by more than a hundredth is rolled back, as a user who measures would
do; it is not tried again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tests.twin.days import gained
from tests.twin.drawing import CLOSE
from tests.twin.selftuning import lived
from tests.twin.study import HARM, advised, carried, carried_out

if TYPE_CHECKING:
    from advisor.judgement.advice import Advice
    from tests.twin.change import Setting
    from tests.twin.days import Levels
    from tests.twin.drawing import DrawnSite

MOST_STEPS = 10


@dataclass
class Walk:
    """Where a site came to: what it gained after each change (percent of the response time that it had at first)."""

    first: Levels
    now: DrawnSite
    gains: list[float] = field(default_factory=list)
    tried: set[tuple[Setting, ...]] = field(default_factory=set)
    undo: bool = False
    ended: bool = False

    @property
    def gained(self) -> float:
        """Percent of response time that is gone at the end."""
        return self.gains[-1] if self.gains else 0.0


def walked(walks: list[Walk], most: int = MOST_STEPS) -> list[Walk]:
    """Walk until the advice has no change that the model can carry out, or the limit of changes is reached."""
    for _ in range(most):
        going = [each for each in walks if not each.ended]
        for walk, advice in zip(going, advised(each.now for each in going), strict=True):
            _step(walk, advice)
    return walks


def _step(walk: Walk, advice: Advice) -> None:
    """The first of the list that was not tried and that changes something; none ends the walk."""
    for item in advice.ranked:
        wanted = tuple(carried(walk.now.machine, item))
        machine = carried_out(walk.now.machine, list(wanted)) if wanted and item.lane == "P" else None
        if machine is None or wanted in walk.tried or machine == walk.now.machine:
            continue
        walk.tried.add(wanted)
        levels = lived(machine, walk.now.day, CLOSE)
        reached = 100 * gained(walk.first, levels, walk.now.day.whole)
        if walk.undo and reached < walk.gained - HARM:
            walk.gains.append(walk.gained)
        else:
            walk.gains.append(reached)
            walk.now = replace(walk.now, levels=levels)
        return
    walk.ended = True
