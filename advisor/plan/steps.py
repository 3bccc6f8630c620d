"""The steps of a plan: what each changes, what it needs, what it costs in memory, and how to tell whether it helped.

The order comes from TUNE.PLAN (sql/rank/plan.sql); the words come from sql/plan/.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from advisor.catalogue.lanes import lane_of
from advisor.catalogue.rules import Rule, all_rules, precedence
from advisor.errors import UserError
from advisor.judge.advice import BY_HAND, Advice, Recommendation
from advisor.report.text import EFFECT_MEANINGS
from advisor.resources import SQL, data_file

RECYCLES = ("RA", "IR")  # what can share one restart
INTERVALS = "three intervals of five minutes with the load of a usual day"


@dataclass(frozen=True)
class Prerequisite:
    """What must hold before a step, and the query that shows whether it does; None where none can."""

    needs: str
    query: str | None


@dataclass(frozen=True)
class Step:
    """One change, or with ``joint`` several that share a restart: then only their sum can be measured.

    Memory is KB per member, with the steps before it made; ``on_primary`` says that an HADR standby replays it. Benefits are percent of database time, of this step
    after those before it in the ranked list.
    """

    number: int
    items: tuple[Recommendation, ...]
    effect: str
    memory_before_kb: int
    memory_after_kb: int
    comes_after: tuple[int, ...]
    on_primary: bool = False

    @property
    def joint(self) -> bool:
        return len(self.items) > 1

    @property
    def by_hand(self) -> bool:
        """Whether there is no command, only what a person is to do."""
        return all(item.by_hand for item in self.items)

    @property
    def meaning(self) -> str:
        """When it takes effect, and what that interrupts."""
        moves = any(
            "REBALANCE" in line or "BEGIN NEW STRIPE SET" in line for item in self.items for line in item.actions
        )
        return EFFECT_MEANINGS[self.effect] + ("; a rebalance moves data in the background" if moves else "")

    @property
    def benefit(self) -> tuple[float, float, float]:
        """Low, expected and high."""
        left = [(item, item.benefit_after / item.benefit if item.benefit else 0) for item in self.items]
        return (
            sum(item.benefit_low * part for item, part in left),
            sum(item.benefit * part for item, part in left),
            sum(item.benefit_high * part for item, part in left),
        )

    @property
    def prerequisites(self) -> list[Prerequisite]:
        lines = [line for item in self.items for line in item.actions if not line.startswith(BY_HAND)]
        grows = self.memory_after_kb > self.memory_before_kb
        return [
            Prerequisite(row["NEEDS"], _query(row["QUERY"]) if row["QUERY"] else None)
            for row in data_file("plan", "prerequisites")
            if row["WHEN"] == self.effect
            or (row["WHEN"] == "primary" and self.on_primary)
            or (row["WHEN"] == "memory" and grows)
            or any(line == row["WHEN"] or line.startswith(row["WHEN"] + " ") for line in lines)
        ]

    @property
    def guards(self) -> list[str]:
        """The metrics that must not get worse by more than 5 %."""
        return list(dict.fromkeys(g for item in self.items for g in _area(item)["GUARDS"].split("; ")))

    @property
    def verify(self) -> str:
        """When it can be judged at the earliest."""
        warm_up = dict.fromkeys(_area(item)["WARM_UP"] for item in self.items)
        return "; ".join([f"after {INTERVALS}", *(text for text in warm_up if text)])


def plan(advice: Advice, batch: bool = False, everything: bool = False) -> list[Step]:
    """The ranked list as steps, one change each; with ``batch`` those that need the same restart together.

    Housekeeping is left out unless ``everything`` is asked for.
    """
    items = [item for item in advice.ranked if item.step and (everything or not lane_of(item.lane).brief)]
    items.sort(key=lambda item: item.step or 0)
    groups = _together(items) if batch else [[item] for item in items]
    steps: list[Step] = []
    memory = 0
    for number, group in enumerate(groups, 1):
        effect = group[0].rule.effect
        after = memory + sum(item.memory_delta_kb for item in group)
        replayed = advice.hadr_role == "PRIMARY" and any(item.rule.changes_data for item in group)
        steps.append(Step(number, tuple(group), effect, memory, after, (), replayed))
        memory = after
    return [replace(step, comes_after=_before(step, steps)) for step in steps]


def chosen(advice: Advice, ranks: Collection[int]) -> list[Recommendation]:
    """What these ranks of the list advise, in the order of the plan. Raises UserError where there is no such rank."""
    known = {item.rank: item for item in advice.ranked if item.step}
    if missing := [str(rank) for rank in ranks if rank not in known]:
        there = f"the list has the ranks 1 to {len(known)}" if known else "nothing is recommended"
        raise UserError(f"no rank {', '.join(missing)}: {there if len(known) != 1 else 'the list has rank 1 only'}")
    return sorted((item for rank, item in known.items() if rank in ranks), key=lambda item: item.step or 0)


def _together(items: list[Recommendation]) -> list[list[Recommendation]]:
    """What needs the same restart joins the first of its kind, unless something after that one has to come before it."""
    groups: list[list[Recommendation]] = []
    for item in items:
        effect = item.rule.effect
        home = next((group for group in groups if effect in RECYCLES and group[0].rule.effect == effect), None)
        if home is not None:
            between = [other for group in groups[groups.index(home) :] for other in group]
            if not any(must_precede(other, item) for other in between):
                home.append(item)
                continue
        groups.append([item])
    return groups


def must_precede(first: Recommendation, second: Recommendation) -> bool:
    """Whether a change has to be made before another one: its rule says so, or it frees the memory for it."""
    return first.rule.name in _earlier(second.rule) or first.memory_delta_kb < 0 < second.memory_delta_kb


def _before(step: Step, steps: Iterable[Step]) -> tuple[int, ...]:
    return tuple(
        other.number
        for other in steps
        if other is not step and any(must_precede(one, two) for one in other.items for two in step.items)
    )


def _earlier(rule: Rule) -> frozenset[str]:
    """The rules whose changes come before a rule's; of one of the site those that it names, and what is before them."""
    known, named = _precedence(), rule.listed("after")
    return known.get(rule.name) or frozenset(named).union(*(known.get(name, ()) for name in named))


@cache
def _precedence() -> dict[str, frozenset[str]]:
    return precedence(all_rules().values())


@cache
def _query(name: str) -> str:
    return (SQL / f"{name}.sql").read_text(encoding="utf-8").strip()


def _area(item: Recommendation) -> Mapping[str, str]:
    """What to watch after a change; in an area that the site made, what says the least: the time of requests."""
    areas = {row["AREA"]: row for row in data_file("plan", "guards")}
    return areas.get(item.rule.area, areas["config"])
