"""Indexes of joined tables whose key columns are in another order."""

import re
from collections.abc import Iterator

from advisor.diagnosis.case import Case, Proposal, table_text
from advisor.diagnosis.checks import Found, check
from advisor.diagnosis.checks.access import SURE
from advisor.indexes.catalog import Index, Key
from advisor.indexes.shapes import Candidate
from advisor.indexes.statement import Join, TableUse

_NOT_IN_ORDER = re.compile(r"\b(?:HSJOIN|hash join|MSJOIN|merge join)\b", re.I)
HALF = 0.5  # own: of the statement's time, if the join goes by both indexes


@check("key-order", "Two indexes with the columns of a join in different orders", "APAR IC90024")
def key_order(case: Case) -> Found:
    if not _NOT_IN_ORDER.search(case.paste.whole):
        return
    for use, other, joins in _pairs(case):
        pairs = {join.column: join.other_column for join in joins}
        for outer, inner in ((a, b) for a in _indexes(case, use) for b in _indexes(case, other)):
            order = [pairs[key.column] for key in outer.keys if key.column in pairs]
            leading = [key.column for key in inner.keys[: len(pairs)]]
            if len(order) == len(pairs) and set(order) == set(leading) and order != leading:
                index = Candidate(
                    other.schema, other.table, tuple(Key(str(column)) for column in order), free=len(order)
                )
                _, create, drop = case.index_commands(index)
                yield Proposal(
                    f"Create an index on {table_text((other.schema, other.table))} in the key order of {outer.name}",
                    f"{outer.name} has the joined columns in another order than {inner.name}: Db2 cannot go by both in step.",
                    (create,),
                    (drop,),
                    saves=(SURE * HALF, HALF),
                    costs="Each INSERT and DELETE, and each UPDATE of its columns, changes the index.",
                    proof="Explain the statement again: a nested-loop or merge join by both indexes, without a SORT.",
                    weight=0.7,
                )
                return


def _pairs(case: Case) -> Iterator[tuple[TableUse, TableUse, list[Join]]]:
    """Yield two joined tables with the predicates between them, if these are several."""
    for use in case.statement.tables:
        for other in case.statement.tables:
            joins = [join for join in use.joins if (join.schema, join.table) == (other.schema, other.table)]
            if other is not use and len(joins) > 1 and all(join.other_column for join in joins):
                yield use, other, joins


def _indexes(case: Case, use: TableUse) -> list[Index]:
    facts = case.facts((use.schema, use.table))
    return list(facts.indexes.values()) if facts else []
