"""Indexes: the best for this statement by the model, on columns or on an expression."""

import re
from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from advisor.diagnosis.case import Case, Proposal, Right, count_text, key_list, percent, plain, table_text
from advisor.diagnosis.checks import Found, check
from advisor.diagnosis.paste import Advised
from advisor.indexes.candidates import merged, propose
from advisor.indexes.catalog import Key
from advisor.indexes.costs import Plan as Costs
from advisor.indexes.dialect import parse
from advisor.indexes.hindrances import Hindrance, normalize
from advisor.indexes.paths import build_path
from advisor.indexes.scopes import fold
from advisor.indexes.selectivity import Case as Estimate
from advisor.indexes.shapes import Candidate, Limits, serves
from advisor.indexes.simplify import UnreadableTextError
from advisor.indexes.statement import TableUse
from advisor.plans.plan import JOINS, Name, Operator

LIMITS = Limits(min_pages=1, covering_columns=6)
MOST = 3  # indexes of one answer
LEAST = 0.15  # own: share of the cost that an index must save
SHORTER = 0.9  # own: a shorter index is chosen if it saves this part of the best one's saving
SURE = 0.3  # own: part of the expected saving that is left if the model is wrong
MOST_SAVED = 0.95
CERTAIN = 0.85  # weight of a cause that explains a bad choice
LARGE = 10e9  # own, bytes: an index that few statements are worth
CHEAP = 50  # own, timerons: the cost of some pages
_ALL_INDEXED = re.compile(
    r"\ball\b[^.]{0,40}\b(?:columns?|predicates?|parameters?|of them)\b[^.]{0,20}\b(?:are|have an?) index", re.I
)
_ROLES = {
    "equal": "compared with a value",
    "join": "joined",
    "range": "limits a range",
    "order": "gives the order",
    "group": "grouped",
    "read": "only read, so that the table need not be",
}


@check(
    "missing-index",
    "An index that the statement could use",
    "Lahdenmäki and Leach, Relational Database Index Design and the Optimizers; IBM documentation, index design",
)
def missing(case: Case) -> Found:
    if case.paste.tree is None or case.goal.reason or _cause_is_elsewhere(case):
        return
    if case.plan and case.plan.cost is not None and case.plan.cost < CHEAP and case.paste.seconds is None:
        yield Right(f"The plan costs {count_text(case.plan.cost)} timerons: nothing is left to save.")
        return
    if case.paste.proposed is not None:
        yield from _as_advised(case, case.paste.proposed)
        return
    if case.rewrite and case.rewrite.name.startswith("or-"):
        yield from _for_sides(case)
        return
    expressions = {(item.schema, item.table): item for item in case.goal.hindrances if item.key}
    expressions |= {(item.schema, item.table): item for item in _computed_by_views(case)}
    for name, item in expressions.items():
        if not case.is_tiny(name):
            yield _on_expression(case, name, item)
    offered = _offered(case)
    chosen = list(_for_loops(case, offered))
    for index in chosen:
        share = case.part_of((index.schema, index.table))
        yield _describe(case, index, 1.0 if share is None else share)
    base = before = case.cost_with(chosen)
    offered = [
        each
        for each in offered
        if (each.schema, each.table) not in {*expressions, *((i.schema, i.table) for i in chosen)}
    ]
    while offered and len(chosen) < MOST and base > 0:
        after = {index: case.cost_with([*chosen, index]) for index in offered}
        best = min(after.values())
        if before - best < LEAST * base:
            break
        near = [index for index, cost in after.items() if before - cost >= SHORTER * (before - best)]
        index = min(near, key=lambda each: (len(each.columns), after[each]))
        yield _describe(case, index, (before - after[index]) / base)
        chosen.append(index)
        before = after[index]
        offered = [each for each in offered if each != index]
    if not chosen and not expressions:
        yield from _served(case)


def _computed_by_views(case: Case) -> Iterable[Hindrance]:
    """Yield the expressions behind compared columns of views on one table."""
    wanted = {item.column for item in case.goal.hindrances if not item.table}
    for definition in case.paste.tables.views.values() if wanted else ():
        try:
            tree = parse((definition.text or "").partition(" AS ")[2].strip())
        except UnreadableTextError:
            continue
        tables = [*tree.find_all(exp.Table)] if tree else []
        for alias in tree.find_all(exp.Alias) if tree and len(tables) == 1 else ():
            name = (fold(tables[0].args.get("db")) or definition.qualifier, fold(tables[0].this))
            if fold(alias.args["alias"]) in wanted and (key := normalize(alias.this)):
                column = next(fold(each.this) for each in alias.this.find_all(exp.Column))
                yield Hindrance(column, "", None, *name, key)


def _as_advised(case: Case, advised: Advised) -> Found:
    """Yield what the index advice for all statements of the capture has for this one."""
    yield from (_describe(case, index, share) for index, share in advised.indexes)
    if not advised.indexes and advised.reason:
        yield Right(advised.reason)


def _for_sides(case: Case) -> Found:
    """Yield an index for each side of an OR that no index serves."""
    assert case.rewrite
    for use in case.statement.tables:
        facts = case.facts((use.schema, use.table))
        known = {index.keys[0].column for index in facts.indexes.values()} if facts else set()
        for column in (name.upper() for name in case.rewrite.columns):
            if column in case.paste.columns.get((use.schema, use.table), ()) and facts:
                if column in known:
                    yield Right(f"{table_text(facts.name)} has an index that begins with {plain(column)}.")
                elif facts.indexes:
                    index = Candidate(use.schema, use.table, (Key(column),), free=1)
                    yield _describe(case, index, 0.5)


def _for_loops(case: Case, offered: list[Candidate]) -> Iterable[Candidate]:
    """Yield an index for each scan that a loop or a correlated subquery repeats, or of which several are combined.

    It has the most columns that are compared or joined.
    """
    repeated = {scan.table for scan in (*case.scanned_in_loops(), *case.combined())}
    for use in {(use.schema, use.table): use for use in case.goal.tables if not use.is_target}.values():
        name = (use.schema, use.table)
        facts = case.facts(name)
        if (facts.name if facts else name) not in repeated and (case.plan or name not in case.correlated()):
            continue
        wanted = {*(each.column for each in use.equal), *(join.column for join in use.joins)}
        found = {
            index: sum(key.column in wanted for key in index.keys)
            for index in offered
            if (index.schema, index.table) == (use.schema, use.table) and index.keys[0].column in wanted
        }
        if found:
            yield max(found, key=lambda index: (found[index], -len(index.columns)))


def _cause_is_elsewhere(case: Case) -> bool:
    """Return whether an earlier check has the cause of a bad choice: statistics, empty pages, a setting."""
    causes = ("no-statistics", "old-statistics", "empty-pages", "column-group")
    if _ALL_INDEXED.search(case.paste.sentences) or any(proposal.check == "compile-time" for proposal in case.found):
        return True
    return (
        any(proposal.check in causes and proposal.weight >= CERTAIN for proposal in case.found)
        and not case.scanned_in_loops()
    )


def _offered(case: Case) -> list[Candidate]:
    found = propose(case.goal, case.catalog, LIMITS).candidates
    every = dict.fromkeys([*found, *merged(found, case.catalog, LIMITS)])
    worth = [index for index in every if _is_worth(case, index)]
    ordered = [index for index in worth if _gives_order(case, index)] if case.sorts_much else []
    return ordered or worth


def _gives_order(case: Case, index: Candidate) -> bool:
    """Return whether the keys behind the compared columns are those of ORDER BY."""
    for use in case.goal.tables:
        wanted = [key.column for key in use.order]
        keys = [key.column for key in index.keys if key.column not in {each.column for each in use.equal}]
        if wanted and (use.schema, use.table) == (index.schema, index.table) and keys[: len(wanted)] == wanted:
            return True
    return False


def _is_worth(case: Case, index: Candidate) -> bool:
    """Return whether reading the table costs much, and whether the input shows that it lacks the index."""
    name = (index.schema, index.table)
    part, facts = case.part_of(name), case.facts(name)
    if any(each[1] == name[1] and known.keys[0] == index.keys[0] for each, known in case.paste.recommended):
        return False  # the one of db2advis begins alike
    if _only_covers(case, index) and not case.fetches_much(name):
        return False
    if any(case.finds_rows(each) for each in case.readers(name)):
        return False
    is_known = facts is not None and (facts.indexes or facts.columns)
    if not is_known and not case.readers(name) and name not in case.correlated():
        local = {
            column for use in case.goal.tables if (use.schema, use.table) == name for column in _local_columns(use)
        }
        if index.keys[0].column not in local:
            return False  # its primary key, perhaps
    return not case.is_tiny(name) and (
        part is None or part >= LEAST or not case.readers(name) or case.rewrite is not None
    )


def _only_covers(case: Case, index: Candidate) -> bool:
    """Return whether an existing index finds the same rows, so that this one saves only reads of the table.

    It has the same keys, or all columns that the statement compares and joins.
    """
    plain_part = replace(index, keys=index.keys[: len(index.keys) - index.covering], covering=0)
    known = case.catalog[index.schema, index.table].indexes
    uses = [use for use in case.goal.tables if (use.schema, use.table) == (index.schema, index.table)]
    wanted = {column for use in uses for column in use.compared}
    finds = any(wanted and wanted <= {key.column for key in each.keys} for each in known)
    return finds or (index.covering > 0 and any(serves(each, plain_part) for each in known))


def _local_columns(use: TableUse) -> list[str]:
    return [
        *(each.column for each in use.equal),
        *use.ranges,
        *use.likes,
        *use.group,
        *(key.column for key in use.order),
    ]


def _describe(case: Case, index: Candidate, share: float) -> Proposal:
    name = (index.schema, index.table)
    facts = case.facts(name)
    shown = facts.name if facts else name
    uses = [use for use in case.goal.tables if (use.schema, use.table) == name]
    part = case.part_of(name) if not case.rewrite else None
    gain = min(MOST_SAVED, share if part is None else min(part, max(share, part * _local(case, index, name))))
    called, create, drop = case.index_commands(index)
    hidden = [each for each, text in facts.seen.items() if not text and each not in facts.indexes] if facts else []
    roles: dict[str, list[str]] = {}
    for column, role in _roles(index, uses):
        roles.setdefault(role, []).append(plain(column))
    notes = ["; ".join(f"{', '.join(columns)}: {_ROLES[role]}" for role, columns in roles.items()) + "."]
    if hidden:
        notes.append(f"The columns of index {', '.join(hidden)} are not in the text: compare them first.")
    if index.widens:
        notes.append(f"It begins with the columns of {index.widens.name}, which it can replace.")
    table = case.catalog[name]
    size = build_path(index, table).bytes
    if size > LARGE:
        notes.append("It is large: weigh its space and upkeep against how often the statement runs.")
    return Proposal(
        f"Create an index on {table_text(shown)} ({key_list(index.keys)})",
        _reason(case, name, uses, index),
        (create,),
        (drop,),
        saves=(SURE * gain, gain),
        costs=f"About {_megabytes(size)} of space; each INSERT and DELETE, and each UPDATE of its columns, changes it.",
        proof=f"Explain the statement again: it reads {table_text(shown)} by IXSCAN of {called}.",
        notes=tuple(notes),
        weight=0.55 + 0.35 * gain - (0.1 if hidden else 0.0) - (0.3 if size > LARGE else 0.0),
    )


def _local(case: Case, index: Candidate, name: Name) -> float:
    """Return the share of the cost of reading a table that an index saves."""
    plan = Costs(case.goal, case.catalog, Estimate.EXPECTED)
    now = sum(
        (
            least.units
            for step, least in zip(plan.steps, plan.least, strict=True)
            if (step.use.schema, step.use.table) == name
        ),
        0.0,
    )
    return min(1.0, (plan.total.units - plan.cost([index]).units) / now) if now else 0.0


def _megabytes(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{max(1, round(size / 1e6)):,} MB"


def _roles(index: Candidate, uses: list[TableUse]) -> list[tuple[str, str]]:
    found = []
    for column in index.columns:
        roles = {
            "equal": any(column == each.column for use in uses for each in use.equal),
            "join": any(column == join.column for use in uses for join in use.joins),
            "range": any(column in (*use.ranges, *use.likes) for use in uses),
            "order": any(column == key.column for use in uses for key in use.order),
            "group": any(column in (*use.group, *use.distinct) for use in uses),
            "read": True,
        }
        found.append((column, next(role for role, applies in roles.items() if applies)))
    return found


def _reason(case: Case, name: Name, uses: list[TableUse], index: Candidate) -> str:
    """Return what reads too much now."""
    if index.widens:
        more = ", ".join(
            plain(column) for column in index.columns if column not in {key.column for key in index.widens.keys}
        )
        return f"Index {index.widens.name} finds entries, and then each row is fetched from the table for {more}."
    readers = [each for each in case.readers(name) if each.type in ("TBSCAN", "FETCH", "IXSCAN")]
    text = table_text(facts.name if (facts := case.facts(name)) else name)
    costly = max(readers, key=lambda each: case.own_costs.get(each.number, 0.0), default=None)
    if costly is None or case.plan is None:
        if read := case.rows_read():
            return f"It reads {count_text(read[0])} rows per execution and returns {count_text(read[1])}."
        columns = ", ".join(dict.fromkeys(column for use in uses for column in use.compared))
        return (
            f"No index of {text}{'' if case.paste.known else ' that the text shows'} finds its rows by {columns}."
            if columns
            else f"No index gives the rows of {text} in the order needed."
        )
    share = case.own_costs.get(costly.number)
    cost = f" ({percent(share)} of the cost)" if share else ""
    rows = costly.object.rows if costly.object and costly.type == "TBSCAN" else None
    reads = f"reads all {count_text(rows)} rows of {text}{cost}" if rows is not None else f"reads {text}{cost}"
    kept = _kept(case, costly)
    return f"{costly.type} ({costly.number}) {reads}{kept}."


def _kept(case: Case, operator: Operator) -> str:
    """Return how many of its rows the operator above keeps."""
    assert case.plan
    rows, above = operator.counted, case.plan.above(operator.number)
    total = operator.object.rows if operator.object else None
    if rows is not None and total and operator.type == "TBSCAN" and rows < 0.5 * total:
        return f" and keeps {count_text(rows)}"
    if above and above.type in JOINS and above.counted is not None and rows and above.counted < 0.5 * rows:
        return f"; {above.type} ({above.number}) keeps {count_text(above.counted)}"
    return ""


def _on_expression(case: Case, name: Name, item: Hindrance) -> Proposal:
    """Return the index on an expression, with the other columns that are compared with values."""
    facts = case.facts(name)
    shown = facts.name if facts else name
    use = case.use_of(name)
    key = item.key.removeprefix("(").removesuffix(")") if item.key.startswith("(") else item.key
    key = re.sub(r'"([^"]+)"', lambda name: plain(name[1]), key)
    more = [each.column for each in use.equal if each.column != item.column] if use else []
    columns = ", ".join([key, *map(plain, more)])
    called = table_text((shown[0], f"IX_{shown[1]}_{item.column}_EXPR"[:60]))
    generated = f"{item.column}_GEN"
    old = case.paste.level and tuple(map(int, case.paste.level.split(".")[:2])) < (10, 5)
    steps: tuple[str, ...] = (
        f"CREATE INDEX {called} ON {table_text(shown)} ({columns}) COLLECT SAMPLED DETAILED STATISTICS",
    )
    undo: tuple[str, ...] = (f"DROP INDEX {called}",)
    notes = [
        f"Before Db2 10.5: ALTER TABLE {table_text(shown)} ADD COLUMN {generated} GENERATED ALWAYS AS ({key}) with SET INTEGRITY, and an index on it."
    ]
    if old:
        table = table_text(shown)
        rest = ", ".join([generated, *map(plain, more)])
        steps = (
            f"SET INTEGRITY FOR {table} OFF",
            f"ALTER TABLE {table} ADD COLUMN {generated} GENERATED ALWAYS AS ({key})",
            f"SET INTEGRITY FOR {table} IMMEDIATE CHECKED FORCE GENERATED",
            f"CREATE INDEX {called} ON {table} ({rest}) COLLECT SAMPLED DETAILED STATISTICS",
        )
        undo = (*undo, f"ALTER TABLE {table} DROP COLUMN {generated}")
        notes = ["The statement stays as it is: Db2 recognizes the expression of a generated column."]
    return Proposal(
        f"Create an index on the expression {key}",
        f"The statement compares {key}: an index on {plain(item.column)} cannot find its values.",
        steps,
        undo,
        saves=(0.3, MOST_SAVED),
        costs="Each INSERT and DELETE, and each UPDATE of its columns, changes the index.",
        proof=f"Explain the statement again: IXSCAN of {called.rpartition('.')[2]} with START and STOP keys.",
        notes=tuple(notes),
        weight=0.86,
    )


def _served(case: Case) -> Iterable[Right]:
    """Yield what existing indexes already do for the statement."""
    for use in case.goal.tables:
        table = case.catalog.get((use.schema, use.table))
        wanted = {*(each.column for each in use.equal), *(join.column for join in use.joins)}
        known = table.indexes if table and not case.is_tiny((use.schema, use.table)) else ()
        index = next((each for each in known if each.keys and each.keys[0].column in wanted), None)
        if index:
            columns, first = key_list(index.keys), plain(index.keys[0].column)
            yield Right(
                f"Index {index.name} on {table_text((use.schema, use.table))} ({columns}) finds rows by {first}."
            )
