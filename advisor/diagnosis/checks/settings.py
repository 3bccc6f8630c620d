"""Settings that make plans: only with their sign in this plan."""

import re
from collections.abc import Callable

from advisor.diagnosis.case import Case, Proposal, percent
from advisor.diagnosis.checks import Found, check
from advisor.plans.plan import Operator, Plan
from advisor.quoting import shell

SHORT = 1000  # own, timerons: a statement that takes milliseconds
LONGER = 10.0  # own: compilation that takes ten times as long as the execution
MANY_JOINS = 12  # own: joins from which levels 7 and 9 compile for long
_OFF = ("", "OFF", "NO", "FALSE", "0")
_VARIABLES = "IBM documentation, query compiler variables (r0005664)"
_COMPILES = re.compile(r"\b(?:prepare|compil\w+|compilation)\b[^.]{0,60}(?:takes|took|minutes|longer|slow)", re.I)
_NULL_TOLERANT = re.compile(r"\bis null and\s+[\w.\"]+\s+is null", re.I)
_OPTIMIZE_FOR = re.compile(r"\boptimize\s+for\s+\d+\s+rows?\b", re.I)
_SLOW_FIRST = re.compile(r"first row|maxpages|synchronous", re.I)
_RESTART = "It takes effect after db2stop and db2start, for all statements of the instance"


def _undo(name: str, value: str) -> str:
    return f"db2set {name}={shell(value)}"


def _is_list(plan: Plan, join: Operator) -> bool:
    """Return whether the outer side of a join is a list of values: no table is read below it."""
    outer = [*plan.below(join.inputs[0])] if len(join.inputs) > 1 else []
    return bool(outer) and not any(below.table for below in outer)


@check("inlist-to-join", "DB2_INLIST_TO_NLJN makes a join of each IN list", _VARIABLES)
def inlist(case: Case) -> Found:
    value, plan = case.paste.registry.get("DB2_INLIST_TO_NLJN", ""), case.plan
    if value.upper() in _OFF or plan is None:
        return
    join = next((each for each in case.joins() if each.type == "NLJOIN" and _is_list(plan, each)), None)
    if join is None:
        return
    share = min(1.0, sum(case.own_costs.get(below.number, 0.0) for below in plan.below(join.number)))
    cost = f"; {percent(share)} of the cost is below it" if share else ""
    yield Proposal(
        "Unset DB2_INLIST_TO_NLJN",
        f"DB2_INLIST_TO_NLJN={value} turns the IN list into a nested-loop join ({join.number}), whatever an index can do{cost}.",
        ("db2set DB2_INLIST_TO_NLJN=",),
        (_undo("DB2_INLIST_TO_NLJN", value),),
        costs=f"{_RESTART}; other IN lists may get slower.",
        proof="Explain the statement again: the join with the list is gone.",
        weight=0.95,
    )


@check(
    "optimization-level",
    "A low optimization level of a statement with joins, or two levels",
    "IBM documentation, optimization classes",
)
def level(case: Case) -> Found:
    levels, joins = case.paste.optimized_at, len(list(case.joins()))
    if not levels or not joins:
        return
    low, high = min(levels), max(levels)
    if low != high:
        why = (
            f"One plan is of optimization level {low}, the other of {high}: they differ by what the optimizer may try."
        )
    elif low <= 2:
        why = f"It was optimized at level {low}, which tries fewer joins and rewrites; level 0 hardly uses statistics."
    elif high > 5 and joins > MANY_JOINS:
        why = f"Level {high} tries far more orders of its {joins} joins; compilation may take most of the time."
    else:
        return
    yield Proposal(
        "Optimize the statement at level 5",
        why,
        ("SET CURRENT QUERY OPTIMIZATION = 5", "UPDATE DB CFG USING DFT_QUERYOPT 5"),
        (f"SET CURRENT QUERY OPTIMIZATION = {low if low < 5 else high}",),
        costs="DFT_QUERYOPT is for all statements of the database; a bound package has its own level (BIND ... QUERYOPT).",
        proof="Explain it again and compare Total Cost and PREP_TIME (MON_GET_PKG_CACHE_STMT).",
        weight=0.94 if low != high else 0.75,
    )


_NEGATED = re.compile(r"\bnot\s+(?:exists|in)\s*\(", re.I)
# A variable: whether its value and this statement fit the sign, the better value, and why.
_SIGNS: dict[str, tuple[Callable[[str, Case], bool], str, str]] = {
    "DB2_REDUCED_OPTIMIZATION": (
        lambda value, case: value.upper() not in _OFF and any(case.joins()),
        "",
        "reduces what the optimizer tries; this statement has joins.",
    ),
    "DB2_ANTIJOIN": (
        lambda value, case: value.upper() == "NO" and _NEGATED.search(case.paste.text) is not None,
        "EXTEND",
        "keeps NOT EXISTS and NOT IN from becoming anti-joins.",
    ),
}


@check("optimizer-variable", "A registry variable that leaves out plans for this statement", _VARIABLES)
def variable(case: Case) -> Found:
    for name, (is_sign, better, why) in _SIGNS.items():
        value = case.paste.registry.get(name)
        if value is not None and is_sign(value, case):
            yield Proposal(
                f"Try the plan {'with' if better else 'without'} {name}{f'={better}' if better else ''}",
                f"{name}={value} {why}",
                (f"db2set {name}={better}",),
                (_undo(name, value),),
                costs=f"{_RESTART}.",
                proof="Explain it again and compare Total Cost.",
                weight=0.6,
            )


@check(
    "degree",
    "A cheap statement that several subagents run",
    "IBM documentation, intrapartition parallelism (DFT_DEGREE)",
)
def degree(case: Case) -> Found:
    value, plan = case.paste.settings.get("QUERY DEGREE", ""), case.plan
    queues = any(each.type == "LTQ" for each in plan.operators.values()) if plan else False
    if plan and queues and value.isdigit() and int(value) > 1 and plan.cost is not None and plan.cost < SHORT:
        yield Proposal(
            "Run the statement with one agent",
            f"Its plan costs {plan.cost:,.0f} timerons, and {value} subagents share it (LTQ): starting them takes longer.",
            ("SET CURRENT DEGREE = '1'",),
            (f"SET CURRENT DEGREE = '{value}'",),
            costs="Other statements of the connection run with one agent, too.",
            proof="Explain it again: no LTQ. Compare TOTAL_CPU_TIME per execution.",
            weight=0.7,
        )


@check("compile-time", "A statement whose compilation takes longer than its execution", _VARIABLES)
def compilation(case: Case) -> Found:
    prepared = case.paste.figure("PREP_TIME")
    run = case.paste.figure("STMT_EXEC_TIME", "TOTAL_ACT_TIME", "COORD_STMT_EXEC_TIME")
    is_long = prepared is not None and run is not None and prepared > max(1000.0, LONGER * run)
    if not is_long and not _COMPILES.search(case.paste.sentences):
        return
    times = f" ({prepared:,.0f} ms; execution {run:,.0f} ms)" if is_long else ""
    nulls = (
        " Join predicates that accept NULL on both sides (A = B OR A IS NULL AND B IS NULL) multiply the plans it tries."
        if _NULL_TOLERANT.search(case.paste.whole)
        else ""
    )
    yield Proposal(
        "Let the optimizer try less",
        f"The time goes into compilation{times}, not into execution.{nulls}",
        ("SET CURRENT QUERY OPTIMIZATION = 3", "db2set DB2_REDUCED_OPTIMIZATION=YES"),
        ("SET CURRENT QUERY OPTIMIZATION = 5", "db2set DB2_REDUCED_OPTIMIZATION="),
        costs=f"The level is for this statement; the variable is the second choice. {_RESTART}.",
        proof="PREP_TIME in MON_GET_PKG_CACHE_STMT falls, and the plan has the same Total Cost.",
        notes=("With parameter markers instead of literals, one compilation serves all values.",),
        weight=0.9,
    )


@check("optimize-for", "OPTIMIZE FOR n ROWS in a statement that filters much", "IBM documentation, OPTIMIZE FOR clause")
def optimize_for(case: Case) -> Found:
    match = _OPTIMIZE_FOR.search(case.paste.text)
    if match is None or not _SLOW_FIRST.search(case.paste.sentences):
        return
    yield Proposal(
        f"Try it without {match[0].upper()}",
        "OPTIMIZE FOR makes a plan for the first rows, with little prefetch. If few rows satisfy all predicates, nearly"
        " all are read for these, page by page.",
        (_OPTIMIZE_FOR.sub("", case.paste.text).strip(),),
        (case.paste.text,),
        costs="The first row comes later if many rows qualify.",
        proof="MAXPAGES of the scans is larger than 1, and the rows come sooner.",
        weight=0.8,
    )
