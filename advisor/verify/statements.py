"""Statements that became slower: with a regression, or with another access plan than in earlier nights."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from advisor.report.text import count, number
from advisor.verify.comparable import Sided, count_executions
from advisor.verify.measured import DAY, SPAN, Executed, Interval
from advisor.verify.nights import list_same_database
from advisor.verify.show import bounds
from advisor.verify.statistics import FEWEST, LEVEL
from advisor.verify.store import Measurements
from advisor.verify.verdict import statements_changed

MIX, SLOWER, PLANS = "statement mix", "statements", "plans"
OTHER_PCT = 10.0  # of the executions: least difference that counts as another mix
OTHER_ROWS = 3.0  # least factor of rows per execution, up or down; parameter values alone change less
FEW_ROWS = 100.0  # per execution; fewer rows do not matter
TIME_PCT = 1.0  # least share of the time of a statement
FEWEST_EXECUTIONS = 10  # in an interval; fewer give no reliable time
NIGHTS = 14  # nights with the earlier plan that are compared
LEAST_FACTOR = 2.0  # least factor over the slowest of several nights with the earlier plan
LEAST_FACTOR_ONCE = 3.0  # the same if only one night is known
RESTORE = (
    "to get the earlier plan back: compare both plans (EXPLAIN_FROM_SECTION, db2exfmt); create a dropped index again;"
    " save new statistics with db2look -m, then repeat RUNSTATS, or run the UPDATE statements that db2look -m saved"
    " earlier; otherwise name the plan in an optimization guideline or profile. APREUSE YES keeps the good plans of a"
    " static package at later rebinds"
)
UNDO = (
    "undo: run the UPDATE statements that db2look -m saved, drop the index, or remove the guideline or profile; then"
    " FLUSH PACKAGE CACHE DYNAMIC"
)


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
    found = count_executions(one for each in sided if each.after is after for one in each.interval.executed)
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


@dataclass(frozen=True)
class SlowerPlan:
    """A statement with another access plan; times are milliseconds and rows per execution.

    ``before_ms`` is the slowest of the last ``nights`` with the earlier plan; ``before_rows`` is from the last one.
    """

    statement: str
    text: str | None
    before_planid: int
    planid: int
    nights: int
    before_ms: float
    ms: float
    before_rows: float | None
    rows: float | None


def find_slower_plans(kept: Measurements, database: str) -> list[SlowerPlan]:
    """Return the statements that the last run shows with a slower plan than the night before, slowest first.

    Whole days are compared with whole days, and intervals of captures with each other.
    """
    numbers = [run.number for run in list_same_database(kept, database)]
    measured = kept.load_intervals(numbers)
    found: dict[str, SlowerPlan] = {}
    for kind in (DAY, SPAN):
        nights = [_merge_statements(measured[number], kind) for number in numbers]
        for statement, now in nights[-1].items():
            earlier = [night[statement] for night in nights[:-1] if statement in night]
            slower = _compare_plans(now, earlier)
            if slower:
                found.setdefault(statement, slower)
    return sorted(found.values(), key=lambda each: (-each.ms / each.before_ms, each.statement))


def describe_slower_plan(each: SlowerPlan) -> str:
    """Return one sentence with both times and rows read per execution."""
    rows = (
        ""
        if each.before_rows is None or each.rows is None
        else f"; rows read per execution {number(each.before_rows)} -> {number(each.rows)}"
    )
    return (
        f"{each.text or each.statement}: {number(each.ms)} ms per execution with a new access plan, at most"
        f" {number(each.before_ms)} ms in {count(each.nights, 'night')} with the earlier one{rows}"
    )


def _merge_statements(intervals: Sequence[Interval], kind: str) -> dict[str, Executed]:
    """Return the important statements with a known plan in the last usable interval of a kind."""
    usable = [each for each in intervals if each.kind == kind and not each.discarded]
    return {
        one.statement: one
        for one in (usable[-1].executed if usable else ())
        if one.planid and one.executions >= FEWEST_EXECUTIONS and one.ms > 0
    }


def _compare_plans(now: Executed, earlier: Sequence[Executed]) -> SlowerPlan | None:
    """Compare with the last nights of the plan that ran before this one."""
    if not earlier or earlier[-1].planid == now.planid or (now.time_pct or 0) < TIME_PCT:
        return None
    last = earlier[-1]
    same = [each for each in earlier if each.planid == last.planid][-NIGHTS:]
    before_ms = max(map(_ms, same))
    if _ms(now) < (LEAST_FACTOR if len(same) > 1 else LEAST_FACTOR_ONCE) * before_ms:
        return None
    assert last.planid is not None and now.planid is not None  # _merge_statements omits others
    return SlowerPlan(
        statement=now.statement,
        text=now.text or last.text,
        before_planid=last.planid,
        planid=now.planid,
        nights=len(same),
        before_ms=before_ms,
        ms=_ms(now),
        before_rows=_rows(last),
        rows=_rows(now),
    )


def _ms(one: Executed) -> float:
    return one.ms / one.executions


def _rows(one: Executed) -> float | None:
    return None if one.rows_read is None else one.rows_read / one.executions
