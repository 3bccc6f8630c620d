"""The statement in another form that returns the same rows."""

import re

from advisor.diagnosis.case import Case, Proposal, plain
from advisor.diagnosis.checks import Found, check
from advisor.diagnosis.rewrites import Known, list_rewrites

_CERTAIN, _LIKELY, _POSSIBLE = 0.91, 0.9, 0.5  # weights
_BY_SIZE = frozenset(
    {"greatest-row", "long-list", "one-pass", "optional-parameter", "offset", "union-all"}
)  # better by the figures
_HINDERS = re.compile(r"^An expression|^The (?:pattern|column)|wildcard|convert", re.I)
_ALONE = "Write the condition so that {0} is alone on one side, or add a generated column with an index."
_BY_MIDDLE = "Search by the beginning of {0}, or with Db2 Text Search (CONTAINS): no index finds values by their end."
_COUNT = re.compile(r"\(\s*(select)\s+count\s*\(\s*\*\s*\)(\s+from\s[^;]{1,2000}?)\)\s*(?:>\s*0|>=\s*1|<>\s*0)", re.I)


@check("rewrite", "A form of the statement that keeps Db2 from a better plan", "each kind of rewrite has its own")
def rewrite(case: Case) -> Found:
    if case.paste.is_fixed:
        return
    types: dict[tuple[str, str], str] = {}
    not_null: set[tuple[str, str]] = set()
    unique: set[tuple[str, frozenset[str]]] = set()
    for (_, table), facts in case.paste.tables.items():
        types |= {(table, name): column.type for name, column in facts.columns.items() if column.type}
        not_null |= {(table, name) for name in facts.not_null}
        unique |= {(table, keys) for keys in facts.keys}
    found = (
        list_rewrites(case.paste.text, Known(types, frozenset(not_null), frozenset(unique))) if case.paste.text else []
    )
    for each in found:
        is_sure = each.name not in _BY_SIZE
        if is_sure and case.rewrite is None:
            case.rewrite = each
        yield Proposal(
            f"Write the statement in another form ({each.name})",
            each.reason,
            (each.sql,),
            proof="It returns the same rows; compare Total Cost of both forms.",
            notes=(f"Condition: {each.condition}",) if each.condition else (),
            weight=_POSSIBLE if not is_sure else _LIKELY if each.condition else _CERTAIN,
            source=each.source,
        )
    if not found and (match := _COUNT.search(case.paste.whole)):
        yield Proposal(
            "Ask whether a row exists, not how many",
            "COUNT(*) reads all rows of the subquery; EXISTS stops at the first.",
            (f"EXISTS (SELECT 1{match[2].rstrip()})",),
            proof="It is true for the same rows.",
            weight=_CERTAIN,
        )


@check(
    "hindrance",
    "A condition that no index can apply, without a certain rewrite",
    "IBM documentation, predicate typology",
)
def hindrance(case: Case) -> Found:
    if case.rewrite or case.paste.proposed is not None:
        return
    for item in case.goal.hindrances:
        name = (item.schema, item.table)
        if not item.table or item.key or case.is_tiny(name) or not _HINDERS.search(item.reason):
            continue
        instead = item.remedy or (_BY_MIDDLE if "wildcard" in item.reason else _ALONE).format(plain(item.column))
        yield Proposal(
            f"Let an index find {plain(item.column)}",
            item.reason,
            (f"-- {instead}",),
            proof="Explain the statement again: the predicate has START and STOP keys.",
            weight=0.6,
        )
