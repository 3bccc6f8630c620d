"""What is beside a regression in the statements: another mix, statements that got slower, and those that read other rows."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from advisor.report.text import number
from advisor.verify.comparable import Sided
from advisor.verify.show import bounds
from advisor.verify.statistics import FEWEST, LEVEL
from advisor.verify.verdict import statements_changed

MIX, SLOWER, PLANS = "statement mix", "statements", "plans"
OTHER_PCT = 10.0  # of the executions, from which on the mix is another one
OTHER_ROWS = (
    3.0  # times as many rows for each execution, or as few: values of parameters alone make less of a difference
)
FEW_ROWS = 100.0  # for each execution, below which they are no matter
TIME_PCT = 1.0  # that a statement has at least


def beside(sided: Sequence[Sided]) -> dict[str, list[str]] | None:
    """Sentences on the statements, those that matter most first; None where neither side has statements enough."""
    if any(
        sum(bool(each.interval.executed) for each in sided if each.after is after) < FEWEST for after in (False, True)
    ):
        return None
    _, changed = statements_changed(sided, LEVEL)
    slower = [
        f"{each.text or each.statement}: {bounds(each.figure)} for each execution, {each.share_pct:.0f} % of the time before"
        for each in changed
        if each.slower
    ]
    return {MIX: _mix(sided), SLOWER: slower, PLANS: _plans(sided)}


def _mix(sided: Sequence[Sided]) -> list[str]:
    """How much of the executions are of other statements, and the ones that became more."""
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
    return [f"{other_pct:.0f} % of the executions are of other statements than before", *more]


def _shares(sided: Sequence[Sided], after: bool) -> defaultdict[str, float]:
    """The part of the executions that each statement has on a side."""
    found = Counter[str]()
    for each in sided:
        if each.after is after:
            for one in each.interval.executed:
                found[one.statement] += one.executions
    total = sum(found.values()) or 1
    return defaultdict(float, {statement: executions / total for statement, executions in found.items()})


def _plans(sided: Sequence[Sided]) -> list[str]:
    """Statements that read many more rows for each execution, or far fewer: most often another access plan."""
    rows: dict[str, tuple[list[float], list[float]]] = {}
    known: dict[str, tuple[float, str]] = {}
    for each in sided:
        for one in each.interval.executed:
            if one.rows_read is not None and (one.time_pct or 0) >= TIME_PCT:
                rows.setdefault(one.statement, ([], []))[each.after].append(one.rows_read / one.executions)
                known[one.statement] = one.time_pct or 0, one.text or one.statement
    found = []
    for statement, sides in rows.items():
        if min(map(len, sides)) < FEWEST:
            continue
        before, after = map(median, sides)
        if max(before, after) >= FEW_ROWS and not 1 / OTHER_ROWS < (after + 1) / (before + 1) < OTHER_ROWS:
            pct, text = known[statement]
            found.append((-pct, f"{text}: {number(before)} -> {number(after)} rows read for each execution"))
    return [said for _, said in sorted(found)]
