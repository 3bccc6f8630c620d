"""The answer for one statement: what is slow and why, what to do, what costs, what is right, what to paste next."""

from dataclasses import dataclass

from advisor.diagnosis.case import Case, Proposal, Right, count_text, percent, table_text
from advisor.diagnosis.checks import run_checks
from advisor.diagnosis.paste import Paste
from advisor.plans.plan import JOINS, Operator
from advisor.quoting import literal

MOST_OPERATORS = 5
_LEAST_COST = 0.05
_STATISTICS = "SELECT TABSCHEMA, TABNAME, CARD, NPAGES, FPAGES, OVERFLOW, STATS_TIME FROM SYSCAT.TABLES WHERE TABNAME IN ({tables})"
_INDEXES = "SELECT TABSCHEMA, TABNAME, INDNAME, UNIQUERULE, COLNAMES, FULLKEYCARD FROM SYSCAT.INDEXES WHERE TABNAME IN ({tables})"
_EXPLAIN = "db2expln -database DB -stmtfile statement.sql -terminator ';' -graph -terminal"


@dataclass(frozen=True)
class Answer:
    """What the checks found for a statement.

    ``is_understood``: a statement or a plan was read; otherwise ``reason`` says what was not. ``operators`` are those that
    cost or that were misjudged, as text.
    """

    case: Case
    sentence: str
    proposals: tuple[Proposal, ...]
    right: tuple[Right, ...]
    operators: tuple[str, ...]
    paste_next: tuple[str, ...]
    is_understood: bool = True

    @property
    def text(self) -> str:
        """Return the statement."""
        return self.case.paste.text


def answer(paste: Paste) -> Answer:
    """Return the answer for a paste."""
    case = Case(paste)
    if paste.tree is None and paste.plan is None and not paste.measured and not paste.recommended:
        reason = "; ".join(paste.unread) or "the text has no statement and no plan"
        return Answer(case, f"Not understood: {reason}.", (), (), (), _list_missing(case), False)
    proposals, right = run_checks(case)
    return Answer(
        case,
        _sentence(case, proposals, right),
        tuple(proposals),
        tuple(right),
        _list_operators(case),
        _list_missing(case),
    )


def _sentence(case: Case, proposals: list[Proposal], right: list[Right]) -> str:
    """Return what is slow and why, or that nothing better was found."""
    if not proposals:
        why = " ".join(dict.fromkeys(each.text for each in right))
        if case.paste.tree is None:
            why += f" The statement was not read ({'; '.join(case.paste.unread) or 'it is not in the text'}): only its plan was examined."
        if not right:
            return f"No cause was found in this text.{why}"
        if case.plan is None:
            why += " Without the plan it is open whether Db2 takes this way."
        return f"Nothing to change: nothing better was found. {why}"
    first = proposals[0]
    costly = _costliest(case)
    if costly is None:
        return first.why
    name = f"{costly.type} ({costly.number})"
    share = percent(case.own_costs[costly.number])
    where = f" of {table_text(costly.table)}" if costly.table else ""
    cost = f"{name}{where} takes {share} of the cost."
    return f"{first.why}" if name in first.why else f"{first.why} {cost}"


def _costliest(case: Case) -> Operator | None:
    if case.plan is None or not case.own_costs:
        return None
    number = max(case.own_costs, key=case.own_costs.__getitem__)
    return case.plan.operators[number] if case.own_costs[number] >= _LEAST_COST else None


def _list_operators(case: Case) -> tuple[str, ...]:
    """Return the operators that cost most, and those whose estimate is far from the counted rows."""
    plan = case.plan
    if plan is None:
        return ()
    shares = sorted(case.own_costs.items(), key=lambda item: -item[1])
    wrong = {each.number: factor for each, factor in case.misjudged()}
    numbers = [number for number, share in shares if share >= _LEAST_COST][:MOST_OPERATORS]
    numbers += [number for number in sorted(wrong) if number not in numbers][: MOST_OPERATORS - len(numbers)]
    return tuple(_describe(case, plan.operators[number], wrong.get(number)) for number in numbers)


def _describe(case: Case, each: Operator, factor: float | None) -> str:
    assert case.plan
    share = case.own_costs.get(each.number)
    parts = [f"({each.number}) {each.type}" + (f" of {table_text(each.table)}" if each.table else "")]
    if share:
        parts.append(f"{percent(share)} of the cost")
    total = each.object.rows if each.object else None
    if each.type == "TBSCAN" and total is not None:
        parts.append(f"reads {count_text(total)} rows")
        if each.rows is not None and each.rows < total:
            parts.append(f"keeps {count_text(each.counted)}")
    elif each.counted is not None:
        parts.append(f"{count_text(each.counted)} rows")
    above = case.plan.above(each.number)
    if (
        above
        and above.type in JOINS
        and each.counted
        and above.counted is not None
        and above.counted < 0.1 * each.counted
    ):
        parts.append(f"the join above throws {count_text(each.counted - above.counted)} away")
    if factor:
        times = factor if factor > 1 else 1 / factor
        parts.append(f"estimated {count_text(each.rows)}, {times:,.0f} times too {'few' if factor > 1 else 'many'}")
    return ", ".join(parts)


def _list_missing(case: Case) -> tuple[str, ...]:
    """Return what to paste next, with the names filled in."""
    paste = case.paste
    known = paste.known is not None
    names = [] if known else [name for name in paste.names if name not in paste.tables.views and name[0][:3] != "SYS"]
    facts = {name: case.facts(name) for name in names}
    uncounted = [name for name, each in facts.items() if each is None or each.told not in ("CARD", "plan")]
    unindexed = [name for name, each in facts.items() if each is None or not each.indexes]
    found = [] if paste.text else ["the text of the statement"]
    for query, some in ((_STATISTICS, uncounted), (_INDEXES, unindexed)):
        if some:
            found.append(query.format(tables=", ".join(literal(name[1]) for name in some)))
    if paste.plan is None:
        found.append(f"the plan: {_EXPLAIN}")
    return tuple(found)
