"""The order in which the tables of a statement are joined, and the rows of each join."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from advisor.indexes.catalog import Table
from advisor.indexes.selectivity import Case, Predicates
from advisor.indexes.statement import TableUse

UNKNOWN_ROWS = 10  # own: rows of a derived table without table references
Pairs = dict[tuple[str, str | None], None]  # columns that join two table references


@dataclass(eq=False)
class Step:
    """One table reference in the order of the joins.

    ``probes`` is the number of rows that are joined to it, None for the first table. ``sorts`` are the rows to sort for
    its order or grouping, unless an index returns them in this order.
    """

    use: TableUse
    table: Table
    predicates: Predicates
    joined: frozenset[str] = frozenset()
    probes: float | None = None
    sorts: float = 0.0
    limit: int | None = None

    def count_rows(self, case: Case) -> float:
        """Return the rows that satisfy its predicates."""
        return self.predicates.rows * self.predicates.share(self.predicates.shares)[case]

    @property
    def groups(self) -> float:
        """Return the most groups of GROUP BY or DISTINCT: rows of a group are combined while they are sorted."""
        groups = 1.0
        for name in self.use.group or self.use.distinct:
            column = self.table.columns.get(name)
            groups *= column.distinct if column and column.distinct else inf
        return groups


def order_joins(waiting: list[Step], case: Case) -> list[Step]:
    """Take the table with the fewest rows, then the linked ones in the same way, until none is left."""
    sizes = {step: step.count_rows(case) for step in waiting}
    links = _link(waiting)
    ordered: list[Step] = []
    while waiting:
        start = min(waiting, key=sizes.__getitem__)
        waiting.remove(start)
        group, rows = [start], sizes[start]
        unknown = {join.column for join in start.use.joins if join.table is None}
        start.joined = frozenset(unknown & start.table.columns.keys())
        if start.joined:
            start.probes = max((sizes[step] for step in sizes if step is not start), default=UNKNOWN_ROWS)
        reached = set(links[start])
        while linked := [step for step in waiting if step in reached]:
            step = min(linked, key=sizes.__getitem__)
            waiting.remove(step)
            step.probes = rows
            share = _match(step, [(other, links[step].get(other)) for other in group])
            rows = max(1.0, rows * sizes[step] * share)
            group.append(step)
            reached.update(links[step])
        for step in group:
            step.sorts = rows if step.use.order or step.use.group or step.use.distinct else 0.0
        ordered += group
    return ordered


def _match(step: Step, group: Iterable[tuple[Step, Pairs | None]]) -> float:
    """Return the share of pairs of rows that match: 1 / the larger number of distinct values (Selinger 1979)."""
    share, columns = 1.0, set()
    for other, pairs in group:
        for column, another in pairs or ():
            if column in step.table.columns and column not in columns:
                columns.add(column)
                sides = (step.table.columns[column], other.table.columns.get(another or ""))
                share /= max((side.distinct or 1 for side in sides if side), default=1)
    step.joined |= columns
    return share


def _link(steps: Iterable[Step]) -> dict[Step, dict[Step, Pairs]]:
    """Return the pairs of columns that join each table reference to others."""
    by_table: dict[tuple[str | None, str | None], list[Step]] = {}
    found: dict[Step, dict[Step, Pairs]] = {step: {} for step in steps}
    for step in found:
        by_table.setdefault((step.use.schema, step.use.table), []).append(step)
    joins = [
        (step, join, other)
        for step in found
        for join in step.use.joins
        for other in by_table.get((join.schema, join.table), ())
        if other is not step
    ]
    for step, join, other in joins:
        found[step].setdefault(other, {})[join.column, join.other_column] = None
    for step, join, other in joins:
        found[other].setdefault(step, {})[join.other_column or "", join.column] = None
    return found
