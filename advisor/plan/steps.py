"""The steps of a plan: changes, prerequisites, memory and evaluation.

TUNE.PLAN (sql/rank/plan.sql) gives the order; sql/plan/ contains the texts.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cache

from advisor.catalogue.commands import BY_HAND
from advisor.catalogue.lanes import lane_of
from advisor.catalogue.rules import Rule, all_rules, precedence
from advisor.errors import UserError
from advisor.judgement.advice import Advice, Recommendation, sum_benefits
from advisor.plan.platform_scripts import ask_recipients
from advisor.report.text import EFFECT_MEANINGS, guard_of
from advisor.resources import data_file, query

RECYCLES = ("RA", "IR")  # effects that can share one restart
LEAST_DAYS = 3  # on each side of a change, for db2tune verify
AT_ONCE = ("ON", "RC")  # effects that need no interruption
RESULT = "once it is in effect: db2tune advise must no longer list it"
# Names that a command accepts unquoted; Db2 allows no other name for a database (c0006993).
_ALIAS = re.compile(r"[A-Za-z@#$][A-Za-z0-9@#$_]*", re.ASCII)


@dataclass(frozen=True)
class Prerequisite:
    """A prerequisite of a step, and the query that checks it, or None."""

    needs: str
    query: str | None


@dataclass(frozen=True)
class Step:
    """One change; equal changes of several objects; or, if ``joint``, several that share a restart, measured together.

    Memory is in KB per member, after the earlier steps. ``on_primary`` is True if an HADR standby replays the change.
    ``judge_first`` is the last earlier step that needs an evaluation. Benefits are in percent of database time, after
    the earlier changes of the ranked list.
    """

    number: int
    items: tuple[Recommendation, ...]
    effect: str
    memory_before_kb: int
    memory_after_kb: int
    comes_after: tuple[int, ...]
    on_primary: bool = False
    judge_first: int | None = None

    @property
    def joint(self) -> bool:
        return len({item.rule.name for item in self.items}) > 1

    @property
    def by_hand(self) -> bool:
        """Whether the step has only manual actions."""
        return all(item.by_hand for item in self.items)

    @property
    def meaning(self) -> str:
        """The time when the change takes effect, and the interruption that it causes."""
        moves = any(
            "REBALANCE" in line or "BEGIN NEW STRIPE SET" in line for item in self.items for line in item.actions
        )
        return EFFECT_MEANINGS[self.effect] + ("; a rebalance moves data in the background" if moves else "")

    @property
    def benefit(self) -> tuple[float, float, float]:
        """Low, expected and high."""
        return sum_benefits(self.items)

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
        ] + [Prerequisite(needs, None) for needs in ask_recipients(lines, "NEEDS")]

    @property
    def guards(self) -> list[str]:
        """The metrics that must not get worse by more than 5 %; none if the change cannot make the database slower."""
        known = (g for item in self.items for g in guard_of(item.rule.name)["GUARDS"].split("; ") if g)
        return list(dict.fromkeys(known))

    @property
    def when(self) -> str:
        """The earliest time to carry out the step.

        A step without guards and interruption disturbs no evaluation, so it waits only for a required step.
        """
        free = not self.guards and self.effect in AT_ONCE and not self.comes_after
        if self.number == 1 or free:
            return "now"
        if self.judge_first:
            return f"after the evaluation of step {self.judge_first}"
        window = ", in the same window" if self.effect in AT_ONCE else ""
        return f"directly after step {self.number - 1}{window}"

    @property
    def verify(self) -> str:
        """The earliest time to evaluate the step, or to check its result if it has no guards."""
        if not self.guards:
            return RESULT
        warm_up = dict.fromkeys(guard_of(item.rule.name)["WARM_UP"] for item in self.items)
        return "; ".join([f"after {LEAST_DAYS} days with their usual load", *(text for text in warm_up if text)])


def plan(advice: Advice, batch: bool = False, everything: bool = False, grouped: bool = True) -> list[Step]:
    """Return the ranked list as steps with one change each; ``batch`` joins changes that need the same restart.

    Equal changes of several objects without a measured benefit are one step if ``grouped`` is set. Housekeeping is left
    out unless ``everything`` is set.
    """
    items = [item for item in advice.ranked if item.step and (everything or not lane_of(item.lane).brief)]
    items.sort(key=lambda item: item.step or 0)
    groups = _group(items, batch, grouped)
    steps: list[Step] = []
    memory = 0
    for number, group in enumerate(groups, 1):
        effect = group[0].effect
        after = memory + sum(item.memory_delta_kb for item in group)
        replayed = advice.hadr_role == "PRIMARY" and any(item.rule.changes_data for item in group)
        judge_first = next((step.number for step in reversed(steps) if step.guards), None)
        steps.append(Step(number, tuple(group), effect, memory, after, (), replayed, judge_first))
        memory = after
    return [replace(step, comes_after=_list_predecessors(step, steps)) for step in steps]


def choose_recommendations(advice: Advice, ranks: Collection[int]) -> list[Recommendation]:
    """Return the recommendations with these ranks, in plan order. Raise UserError if a rank does not exist."""
    known = {item.rank: item for item in advice.ranked if item.step}
    if missing := [str(rank) for rank in ranks if rank not in known]:
        there = f"the list has ranks 1 to {len(known)}" if known else "the list is empty"
        raise UserError(f"no rank {', '.join(missing)}: {there if len(known) != 1 else 'the list has only rank 1'}")
    return sorted((item for rank, item in known.items() if rank in ranks), key=lambda item: item.step or 0)


def _group(items: list[Recommendation], batch: bool, grouped: bool) -> list[list[Recommendation]]:
    """Group changes that need the same restart, and equal changes, unless a change between them must come first."""
    groups: list[list[Recommendation]] = []
    for item in items:
        found = (n for n, group in enumerate(groups) if _belongs(group[0], item, batch, grouped))
        home = next(found, None)
        if home is None or any(must_precede(other, item) for group in groups[home:] for other in group):
            groups.append([item])
        else:
            groups[home].append(item)
    return groups


def _belongs(first: Recommendation, item: Recommendation, batch: bool, grouped: bool) -> bool:
    """Return whether two changes can be one step."""
    if first.effect != item.effect:
        return False
    equal = first.rule.name == item.rule.name and not (first.benefit_high or item.benefit_high or item.memory_delta_kb)
    return (batch and item.effect in RECYCLES) or (grouped and equal)


def must_precede(first: Recommendation, second: Recommendation) -> bool:
    """Return whether ``first`` must precede ``second``: its rule requires it, or it frees the memory for it."""
    return first.rule.name in _list_earlier_rules(second.rule) or first.memory_delta_kb < 0 < second.memory_delta_kb


def _list_predecessors(step: Step, steps: Iterable[Step]) -> tuple[int, ...]:
    return tuple(
        other.number
        for other in steps
        if other is not step and any(must_precede(one, two) for one in other.items for two in step.items)
    )


def _list_earlier_rules(rule: Rule) -> frozenset[str]:
    """Return the rules whose changes precede a rule's, directly or indirectly; a site's own rule names them itself."""
    known, named = _precedence(), rule.get_list("after")
    return known.get(rule.name) or frozenset(named).union(*(known.get(name, ()) for name in named))


@cache
def _precedence() -> dict[str, frozenset[str]]:
    return precedence(all_rules().values())


@cache
def _query(name: str) -> str:
    folder, _, within = name.partition("/")
    return query(f"{folder}/queries", within)


def activation(step: Step, advice: Advice) -> tuple[str, ...]:
    """Return the lines after the step's commands or undo commands, in the form of ``Recommendation.actions``.

    Return nothing if the step needs no restart, or if its own lines restart already.
    """
    rows = [row for row in data_file("plan", "activation") if row["EFFECT"] == step.effect]
    there = [row for row in rows if row["RUNS_ON"] == advice.database.get("runs_on")]
    rows = there or [row for row in rows if not row["RUNS_ON"]]
    said = "\n".join(line for item in step.items for line in item.actions)
    if any(row["LINE"].split(" ")[0] in said for row in rows if not row["LINE"].startswith(BY_HAND)):
        return ()
    return tuple(
        _fill_line(row["LINE"], advice.database["name"]) for row in rows if row["HADR"] in {"", advice.hadr_role}
    )


def _fill_line(line: str, database: str) -> str:
    if "{" not in line:
        return line
    if _ALIAS.fullmatch(database):
        return line.format(DATABASE=database)
    return f"{BY_HAND}{line.format(DATABASE='for the database; its name is not valid in a command')}"
