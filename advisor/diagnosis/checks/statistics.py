"""Statistics: none, old, of an empty table, too few for several predicates or skewed values."""

import re
from collections.abc import Iterator

from sqlglot import exp

from advisor.diagnosis.case import Case, Proposal, Right, count_text, plain, table_text
from advisor.diagnosis.checks import Found, check
from advisor.diagnosis.tables import Facts, amount
from advisor.indexes.statement import TableUse
from advisor.plans.plan import JOINS, Name, Operator

_PROOF = "Explain the statement again: the estimated rows are near the counted ones."
_EMPTIED = re.compile(
    r"\b(?:truncat|empti|emptied|delete[sd]? all|load(?:ed|s)?\b|refill|filled|staging|work table|temp(?:orary)? table|volatile)",
    re.I,
)
_BELOW = 1.0  # rows: an estimate below one row is the product of several filter factors


def runstats(name: Name, groups: tuple[tuple[str, ...], ...] = (), distribution: tuple[str, ...] = ()) -> str:
    """Return the RUNSTATS command of a table; group and distribution columns next to all columns."""
    grouped = ", ".join("(" + ", ".join(map(plain, group)) + ")" for group in groups)
    parts = [f"RUNSTATS ON TABLE {table_text(name)}"]
    parts += [f"ON ALL COLUMNS AND COLUMNS ({grouped})"] if grouped else []
    if distribution:
        parts.append(f"WITH DISTRIBUTION ON COLUMNS ({', '.join(map(plain, distribution))})")
    elif not groups:
        parts.append("WITH DISTRIBUTION")
    return " ".join([*parts, "AND SAMPLED DETAILED INDEXES ALL ALLOW WRITE ACCESS"])


def _collect(name: Name, reason: str, weight: float, notes: tuple[str, ...] = ()) -> Proposal:
    return Proposal(
        f"Collect statistics of {table_text(name)}",
        reason,
        (runstats(name),),
        costs="RUNSTATS reads the table once; dynamic statements are compiled again.",
        proof=_PROOF,
        notes=notes,
        weight=weight,
    )


def _used(case: Case) -> Iterator[Facts]:
    for name in case.paste.names:
        facts = case.facts(name)
        if facts and not facts.name[0].startswith("SYS"):
            yield facts


@check(
    "no-statistics",
    "A table without statistics, or with those of an empty table",
    "IBM documentation, RUNSTATS guidelines and volatile tables",
)
def none(case: Case) -> Found:
    for facts in _used(case):
        empty = facts.rows == 0 and facts.told in ("CARD", "plan")
        if not empty and not facts.has_no_statistics:
            if facts.told == "CARD" and facts.rows and case.paste.has_fresh_statistics:
                yield Right(f"The statistics of {table_text(facts.name)} are current.")
            continue
        name = table_text(facts.name)
        changes = empty and (_EMPTIED.search(case.paste.sentences) is not None or facts.volatile)
        notes = ["Collect them after the load, as its last step, before the statement runs."] if empty else []
        if changes:
            notes.append(
                f"If it is filled and emptied all the time, instead: ALTER TABLE {name} VOLATILE CARDINALITY, so that its"
                " indexes are preferred (undo: NOT VOLATILE)."
            )
        since = f" since {facts.stats_time}" if facts.stats_time not in ("", "-") else ""
        state = (
            f"takes {name} for empty (CARD 0{since}): it expects next to no rows, and chooses a plan for these"
            if empty
            else f"has no statistics of {name}: it guesses the rows from the size of the file, and the values not at all"
        )
        yield _collect(facts.name, f"The optimizer {state}.", 0.95, tuple(notes))


_OLD = re.compile(
    r"\b(?:runstats|statistics|stats)\b[^.]{0,60}\b(?:old|outdated|stale|never|months?|years?|not (?:been )?(?:run|collected|updated))\b"
    r"|\b(?:no|without|never (?:ran|run|had)) (?:a )?(?:runstats|statistics)\b|\bsince the (?:load|import|migration)\b",
    re.I,
)
STALE = 0.2  # own: share of the rows changed since the statistics were collected


@check(
    "old-statistics", "Statistics that are older than the rows of the table", "IBM documentation, RUNSTATS guidelines"
)
def old(case: Case) -> Found:
    told = case.paste.has_fresh_statistics or (case.plan is not None and case.plan.without_statistics)
    said = not told and _OLD.search(case.paste.sentences) is not None
    for facts in _used(case):
        share = (facts.changed or 0) / max(1.0, facts.rows or 0.0) if facts.told == "CARD" else 0.0
        if facts.has_no_statistics or facts.rows == 0 or case.is_tiny(facts.name) or not (said or share > STALE):
            continue
        why = (
            f"{count_text(facts.changed)} of {count_text(facts.rows)} rows"
            if share > STALE
            else "Many rows, as the text says,"
        )
        reason = f"{why} changed since statistics were collected: the plan is for another table."
        yield _collect(facts.name, reason, 0.89)


def _together(use: TableUse) -> dict[Name | None, list[str]]:
    """Return the columns that are compared together, per table at the other side; None for values."""
    found: dict[Name | None, list[str]] = {}
    values = [each.column for each in use.equal if not each.is_null]
    if values:
        found[None] = values
    for join in use.joins:
        key = (join.schema or "", join.table) if join.table else None
        columns = found.setdefault(key, [])
        if join.column not in columns:
            columns.append(join.column)
    return {key: list(dict.fromkeys(columns)) for key, columns in found.items()}


@check(
    "column-group",
    "Several columns are compared together, and the estimate is far too low",
    "IBM documentation, column group statistics; seeds: column group statistics",
)
def group(case: Case) -> Found:
    plan = case.plan
    if plan is None:
        yield from _grouped_by_sentence(case)
        return
    low = [each for each, factor in case.misjudged() if factor > 1]
    told = _counted_in_text(case)
    top = plan.operators[min(plan.operators)]
    if not low and told and top.counted is not None and told > 100 * max(top.counted, 1.0):
        low = [top]
    tiny = [
        each
        for each in plan.operators.values()
        if each.rows is not None
        and each.rows < _BELOW / 10
        and each.number not in plan.looped()
        and each.type != "RETURN"
    ]
    if not low and not tiny:
        return
    sign = (low or tiny)[0]
    counted = sign.actual if sign.actual is not None else told
    rows = f"; {count_text(counted)} were counted" if counted is not None else ""
    where = f"at {sign.type} ({sign.number}) it expects {count_text(sign.rows)} rows{rows}"
    yield from _group(case, where, 0.92 if low else 0.55, sign)


_TOO_FAR = re.compile(
    r"\b(?:estimat\w*|cardinalit\w+|expect\w*|assum\w+)\b[^.]{0,80}\b(?:far|too|much|small|low|wrong|off|below|fewer|more|than)\b"
    r"|\bin (?:truth|reality|fact)\b|\bcorrelat\w+|\bunderestimat\w+|\d rows out of the join",
    re.I,
)


def _grouped_by_sentence(case: Case) -> Found:
    """Yield column groups if the text says that an estimate is wrong."""
    if _TOO_FAR.search(case.paste.sentences):
        yield from _group(case, "the text says that its estimate is far from the real rows", 0.85)


def _group(case: Case, where: str, weight: float, sign: Operator | None = None) -> Found:
    steps: list[str] = []
    titles: list[str] = []
    for use in case.statement.tables:
        if sign and not _is_under(case, sign, use):
            continue
        every = [*_together(use).values(), list(dict.fromkeys(use.group or use.distinct))]
        groups = tuple(dict.fromkeys(tuple(columns) for columns in every if len(columns) > 1))
        facts = case.facts((use.schema, use.table))
        groups = tuple(each for each in groups if not facts or frozenset(each) not in facts.keys)
        if groups:
            name = facts.name if facts else (use.schema, use.table)
            steps.append(runstats(name, groups))
            titles.append(table_text(name))
    if not steps:
        return
    yield Proposal(
        f"Collect column group statistics of {' and '.join(dict.fromkeys(titles))}",
        f"The optimizer multiplies the filter factors of columns that depend on each other: {where}.",
        tuple(dict.fromkeys(steps)),
        costs="RUNSTATS reads each table once; dynamic statements are compiled again.",
        proof=_PROOF,
        notes=(
            "Keep the groups in a statistics profile (SET PROFILE), so that automatic statistics collect them too.",
        ),
        weight=weight,
    )


def _is_under(case: Case, sign: Operator, use: TableUse) -> bool:
    """Return whether a table is read below an operator, or whether the plan does not say."""
    assert case.plan
    below = {each.table for each in case.plan.below(sign.number) if each.table}
    facts = case.facts((use.schema, use.table))
    return not below or (facts is not None and facts.name in below)


def _counted_in_text(case: Case) -> float | None:
    """Return the rows that the text says the statement returns or counts."""
    pattern = r"(?:counted|returns?|result(?:s| set)?(?: is| has)?|actual(?:ly)?(?: rows)?(?: returned)?)\W{0,3}(?:is |are |about |around )?(\d[\d,.]*)\s*(thousand|million)?"
    match = re.search(pattern, case.paste.sentences, re.I)
    return amount(match[1], match[2]) if match else None


@check(
    "distribution", "A predicate with a value whose rows are misjudged", "IBM documentation, distribution statistics"
)
def distribution(case: Case) -> Found:
    wrong = {each.number for each, _ in case.misjudged()}
    if any(proposal.check == "column-group" for proposal in case.found):
        return
    for use in case.statement.tables:
        name = (use.schema, use.table)
        with_values = [each.column for each in use.equal if each.value is not None]
        columns = tuple(dict.fromkeys([*with_values, *use.ranges, *use.likes]))
        if not columns or not any(each.number in wrong for each in case.readers(name)):
            continue
        facts = case.facts(name)
        yield Proposal(
            f"Collect distribution statistics of {table_text(facts.name if facts else name)}",
            "The estimate of a predicate is far from the counted rows: frequent values and quantiles tell how many there are.",
            (runstats(facts.name if facts else name, distribution=columns),),
            costs="RUNSTATS reads the table once.",
            proof=_PROOF,
            weight=0.7,
        )


_VARIES = re.compile(
    r"\bsometimes\b.{0,120}\bsometimes\b|\b(?:depend\w*|differ\w*|var(?:y|ies)) (?:on|by|with) the (?:value|parameter|marker)|\bskew\w*"
    r"|\bwith (?:literals?|constants?|the values?)\b[^.]{0,60}\bfast|\bone value\b[^.]{0,60}\b(?:millions?|most)",
    re.I,
)


# (P IS NULL OR C = P), with a marker, a host variable or a variable of a routine
_OPTIONAL = re.compile(r"\(\s*(:?[\w$-]+|\?)\s+is\s+null\s+or\s+([\w$.]+)\s*(?:=|like)\s*(?:\1|\?)", re.I)
_ONE_PLAN = "compared with parameter markers, so that one plan, for an average value, serves all."
_OPTIONAL_SAYS = "compared only if a parameter is given, so that one plan, a scan, serves all."
_DYNAMIC = "Or build the statement from the parameters that are given: each form has its own plan and index."


@check(
    "reopt",
    "A parameter marker for a column whose values differ much in their number of rows",
    "IBM documentation, query optimization using the REOPT bind option",
)
def reopt(case: Case) -> Found:
    tree, optional = case.paste.tree, [each[1] for each in _OPTIONAL.findall(case.paste.text)]
    varies = tree is not None and tree.find(exp.Placeholder) is not None and _VARIES.search(case.paste.sentences)
    uses = case.statement.tables if varies else ()
    columns = [each.column for use in uses for each in use.equal if each.value is None and not each.is_null]
    columns += [bound.column for use in uses for bound in use.bounds if bound.value is None]
    columns += [column.rpartition(".")[2].upper() for column in optional]
    if columns:
        yield Proposal(
            "Let Db2 plan with the values of the markers (REOPT)",
            f"{', '.join(dict.fromkeys(columns))}: {_OPTIONAL_SAYS if optional else _ONE_PLAN}",
            (
                "REBIND PACKAGE schema.package REOPT ALWAYS",
                "-- dynamic SQL: <REOPT VALUE='ALWAYS'/> in a profile, or REOPT=4 in db2cli.ini",
            ),
            ("REBIND PACKAGE schema.package REOPT NONE",),
            costs="The statement is compiled at each execution.",
            proof="Compare TOTAL_ACT_TIME and PREP_TIME per execution in MON_GET_PKG_CACHE_STMT.",
            notes=("It needs distribution statistics of these columns.", *([_DYNAMIC] if optional else [])),
            weight=0.87,
        )


_SPREAD = re.compile(
    r"spread evenly|uniform|evenly distributed|\bskew\w*|more (?:than|rows).{0,30}average|has a multiple of", re.I
)
_VIEW_ON = re.compile(r"alter\s+view\s+([\w.\"]+)\s+enable\s+query\s+optimization", re.I)


@check(
    "statistical-view", "A join whose rows depend on which values are joined", "IBM documentation, statistical views"
)
def statistical_view(case: Case) -> Found:
    joined = [use for use in case.statement.tables if use.joins]
    local = [use for use in joined if use.equal or use.ranges]
    existing = _VIEW_ON.search(case.paste.whole)
    if existing and len(local) > 1:
        columns = tuple(dict.fromkeys(each.column for use in local for each in use.equal))
        view = existing[1].upper()
        yield Proposal(
            f"Collect column group statistics of the statistical view {view}",
            f"{' and '.join(columns)} are of different tables and depend on each other: only the view has both.",
            (
                f"RUNSTATS ON VIEW {view} ON ALL COLUMNS AND COLUMNS (({', '.join(map(plain, columns))})) WITH DISTRIBUTION",
            ),
            costs="RUNSTATS runs the view's query.",
            proof=_PROOF,
            weight=0.97,
        )
        return
    join_misjudged = any(each.type in JOINS for each, _ in case.misjudged())
    if existing or len(joined) < 2 or not local or not (_SPREAD.search(case.paste.sentences) or join_misjudged):
        return
    fact = max(joined, key=lambda use: (len({join.table for join in use.joins}), case.rows((use.schema, use.table))))
    steps: list[str] = []
    undo: list[str] = []
    for use in local:
        joins = [join for join in use.joins if join.table == fact.table]
        if use is fact or not joins:
            continue
        view = table_text((fact.schema, f"SV_{fact.table}_{use.table}"[:60]))
        on = " AND ".join(f"D.{plain(join.column)} = F.{plain(join.other_column or join.column)}" for join in joins)
        columns_ = ", ".join(f"D.{plain(name)}" for name in dict.fromkeys(use.compared))
        tables = f"{table_text((fact.schema, fact.table))} AS F, {table_text((use.schema, use.table))} AS D"
        steps += [
            f"CREATE VIEW {view} AS (SELECT {columns_} FROM {tables} WHERE {on})",
            f"ALTER VIEW {view} ENABLE QUERY OPTIMIZATION",
            f"RUNSTATS ON VIEW {view} WITH DISTRIBUTION",
        ]
        undo.append(f"DROP VIEW {view}")
    if steps:
        yield Proposal(
            "Give the optimizer a statistical view of the join",
            "How many rows the join keeps depends on the value at the other table; statistics of single tables cannot tell.",
            tuple(steps),
            tuple(undo),
            costs="RUNSTATS runs the query of each view; statements do not read it.",
            proof=_PROOF,
            weight=0.91 if _SPREAD.search(case.paste.sentences) else 0.6,
        )
