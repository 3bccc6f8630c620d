"""Statements that changed with a regression: statement mix, slower statements, changed numbers of rows read."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from advisor.report.text import number
from advisor.verify.comparable import Sided
from advisor.verify.show import bounds
from advisor.verify.statistics import FEWEST, LEVEL
from advisor.verify.verdict import statements_changed

MIX, SLOWER, PLANS = "statement mix", "statements", "plans"
OTHER_PCT = 10.0  # of the executions: least difference that counts as another mix
OTHER_ROWS = 3.0  # least factor of rows per execution, up or down; parameter values alone change less
FEW_ROWS = 100.0  # per execution; fewer rows do not matter
TIME_PCT = 1.0  # least share of the time of a statement


def describe_statements(sided: Sequence[Sided]) -> dict[str, list[str]] | None:
    """Return sentences about the statements, most important first; None if a side has too few statements."""
    if any(
        sum(bool(each.interval.executed) for each in sided if each.after is after) < FEWEST for after in (False, True)
    ):
        return None
    _, changed = statements_changed(sided, LEVEL)
    slower = [
        f"{each.text or each.statement}: {bounds(each.figure)} per execution, {each.share_pct:.0f} % of the time before"
        for each in changed
        if each.slower
    ]
    return {MIX: _mix(sided), SLOWER: slower, PLANS: _plans(sided)}


def _mix(sided: Sequence[Sided]) -> list[str]:
    """Return the share of executions that moved to other statements, and the statements that gained."""
    before, after = (_shares(sided, side) for side in (False, True))
    moved = {each: after[each] - before[each] for each in before.keys() | after.keys()}
    other_pct = 50 * sum(map(abs, moved.values()))
    if other_pct < OTHER_PCT:
        return []
    texts = {one.statement: one.text for each in sided for one in each.interval.executed if one.text}
    most = sorted(moved, key=lambda each: (-moved[each], each))[:3]
    more = [
        f"{texts.get(each, each)}: {100 * before[each]:.1f} -> {100 * after[each]:.1f} % of the executions"
        for each in most
        if moved[each] > 0
    ]
    return [f"{other_pct:.0f} % of the executions moved to other statements", *more]


def _shares(sided: Sequence[Sided], after: bool) -> defaultdict[str, float]:
    """Return each statement's fraction of the executions on a side."""
    found = Counter[str]()
    for each in sided:
        if each.after is after:
            for one in each.interval.executed:
                found[one.statement] += one.executions
    total = sum(found.values()) or 1
    return defaultdict(float, {statement: executions / total for statement, executions in found.items()})


def _plans(sided: Sequence[Sided]) -> list[str]:
    """Return statements with another access plan, and those that read far more or fewer rows per execution."""
    rows: dict[str, tuple[list[float], list[float]]] = {}
    known: dict[str, tuple[float, str]] = {}
    plans: dict[str, tuple[set[int | None], set[int | None]]] = {}
    for each in sided:
        for one in each.interval.executed:
            if one.rows_read is not None and (one.time_pct or 0) >= TIME_PCT:
                rows.setdefault(one.statement, ([], []))[each.after].append(one.rows_read / one.executions)
                plans.setdefault(one.statement, (set(), set()))[each.after].add(one.planid)
                known[one.statement] = one.time_pct or 0, one.text or one.statement
    found = []
    for statement, sides in rows.items():
        if min(map(len, sides)) < FEWEST:
            continue
        before, after = map(median, sides)
        old, new = plans[statement]
        other = bool(old and new) and None not in old | new and not old & new
        moved = max(before, after) >= FEW_ROWS and not 1 / OTHER_ROWS < (after + 1) / (before + 1) < OTHER_ROWS
        if other or moved:
            pct, text = known[statement]
            plan = "another access plan, " if other else ""
            found.append((-pct, f"{text}: {plan}{number(before)} -> {number(after)} rows read per execution"))
    return [said for _, said in sorted(found)]
