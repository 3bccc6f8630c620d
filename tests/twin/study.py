"""Is the advice right? Random sites are judged, changed as advised, and solved again.

Each recommendation is carried out alone, as far as the model has an opinion of its settings. Its value is the share of
response time that it saves over a whole day, with transactions weighted as before; the capture covers an interval of
that day, or the time since the activation.

A walk carries the list out step by step: first its first change, then the first advice for the changed machine. With
`undo`, a step that makes response time worse by more than a hundredth is rolled back, as a user who measures would do;
it is not tried again. Nights carry out the whole list at a time, as a DBA would.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from advisor.capture import open_capture
from advisor.catalogue.rules import all_rules
from tests.support.advised import judge
from tests.twin.capturing import written
from tests.twin.change import Setting, apply, modelled
from tests.twin.days import gained, grown
from tests.twin.drawing import CLOSE
from tests.twin.machine import AUTOMATIC
from tests.twin.selftuning import lived
from tests.twin.series import known_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from advisor.judgement.advice import Advice, Recommendation
    from advisor.judgement.advice import Setting as Advised
    from tests.twin.days import Levels
    from tests.twin.drawing import DrawnSite
    from tests.twin.machine import Machine


HARM, SLACK = 1.0, 0.5  # percent of response time
KINDS = {
    "DBCFG": "dbcfg",
    "DBMCFG": "dbmcfg",
    "REGISTRY": "registry",
    "BUFFERPOOL": "bufferpool",
    "TABLESPACE": "tablespace",
}


@dataclass(frozen=True)
class Trial:
    """A recommendation that was carried out: its promise and its effect, percent of response time.

    `gained` is over the day, `then` in the interval of the capture; `slower` are the three parts of response time that
    grew most, by class and component; `known` is the kind of the interval.
    """

    seed: int
    rule: str
    settings: tuple[Setting, ...]
    rank: int
    confidence: float
    low: float
    promised: float
    high: float
    gained: float
    then: float = 0.0
    slower: tuple[tuple[str, float], ...] = ()
    known: str = ""

    @property
    def harms(self) -> bool:
        """Whether response time grew by more than a hundredth."""
        return self.gained < -HARM

    @property
    def harms_then(self) -> bool:
        """The same in the interval of the capture."""
        return self.then < -HARM

    @property
    def covered(self) -> bool:
        """Return whether the gain is between low and high, apart from rounding."""
        return self.low - SLACK <= self.gained <= self.high + SLACK


def advised(sites: Iterable[DrawnSite]) -> list[Advice]:
    """Return the advice for each machine, from a capture of the known data."""
    rules = list(all_rules().values())
    with TemporaryDirectory(prefix="db2tune-twin-") as folder, ExitStack() as stack:
        captures = []
        for number, one in enumerate(sites):
            place = Path(folder) / str(number)
            written(place, known_of(one), one.knowledge.facts)
            captures.append(stack.enter_context(open_capture(place)))
        return list(judge((capture, rules) for capture in captures))


def trials(one: DrawnSite, advice: Advice) -> list[Trial]:
    """Each recommendation of lane P that the model can carry out, by itself."""
    found = []
    for item in advice.ranked:
        wanted = carried(one.machine, item)
        done = wanted and carried_out(one.machine, wanted)
        if item.lane == "P" and done:
            after = lived(done, one.day, CLOSE)
            share, then = (100 * gained(one.levels, after, loads) for loads in (one.day.whole, one.watched))
            promise = (item.confidence, item.benefit_low, item.benefit, item.benefit_high)
            more = sorted(grown(one.levels, after, one.day.whole).items(), key=lambda part: -part[1])[:3]
            slower = tuple((name, 100 * part) for name, part in more if part > 0)
            found.append(
                Trial(one.seed, item.rule.name, tuple(wanted), item.rank or 0, *promise, share, then, slower, one.known)
            )
    return found


def carried(machine: Machine, item: Recommendation) -> list[Setting]:
    """What a recommendation sets, in the model's words; nothing where the model has no opinion of a part of it."""
    wanted = [translated(machine, one) for one in item.settings]
    known = [one for one in wanted if one is not None and modelled(one)]
    return known if len(known) == len(wanted) else []


def translated(machine: Machine, one: Advised) -> Setting | None:
    """Return a setting in the model's words; None for a setting that no server model could cover.

    A pool's size is per member. A heap that is AUTOMATIC with an initial size begins with it.
    """
    if one.kind == "DBCFG" and one.name == "NEWLOGPATH" and machine.partitioning.members == 1:
        return Setting("dbcfg", "NEWLOGPATH", one.proposed or "")
    if one.kind not in KINDS or one.proposed is None or one.member is not None:
        return None
    first, *_, last = one.proposed.split()[:1] + one.proposed.split()
    name, value = one.name, last
    if name == "FS_CACHING":
        name, value = "FILE SYSTEM CACHING", "NO" if first == "NO" else "YES"
    elif value == AUTOMATIC != first:
        value = f"{AUTOMATIC}({first})" if one.kind == "DBCFG" else first
    if one.kind == "BUFFERPOOL" and value.isdigit():
        value = str(int(value) * machine.partitioning.members)
    return Setting(KINDS[one.kind], name, value, one.object or "")


def carried_out(machine: Machine, wanted: list[Setting]) -> Machine | None:
    """Return the machine with all settings, before self-tuning; None if the model lacks an object or a value."""
    try:
        for one in wanted:
            machine = apply(machine, one)
    except ValueError:
        return None
    return machine


MOST_STEPS, NIGHTS = 10, 5


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


def walked(walks: list[Walk], most: int = MOST_STEPS, carry_out: Callable[[Walk, Advice], None] = _step) -> list[Walk]:
    """Walk until the advice has no change that the model can carry out, or the limit of changes is reached."""
    for _ in range(most):
        going = [each for each in walks if not each.ended]
        for walk, advice in zip(going, advised(each.now for each in going), strict=True):
            carry_out(walk, advice)
    return walks


def carry_out_nightly(walks: list[Walk], nights: int = NIGHTS) -> list[Walk]:
    """Carry out the whole list, measure and advise again, until a list changes nothing or the nights are over."""
    return walked(walks, nights, _carry_out_all)


def _carry_out_all(walk: Walk, advice: Advice) -> None:
    """Carry out what the model can of a list, at once."""
    machine = walk.now.machine
    for item in advice.ranked:
        wanted = carried(machine, item) if item.lane == "P" else []
        machine = (wanted and carried_out(machine, wanted)) or machine
    if machine == walk.now.machine:
        walk.ended = True
        return
    walk.now = replace(walk.now, levels=lived(machine, walk.now.day, CLOSE))
    walk.gains.append(100 * gained(walk.first, walk.now.levels, walk.now.day.whole))
