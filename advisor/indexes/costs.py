"""The cost of one execution of a statement in pages, rows and sorts, with existing and proposed indexes.

The weights of pages, rows, index entries and comparisons relative to each other are PostgreSQL's defaults, because
Db2 publishes none. Pages fetched through an index follow Mackert and Lohman, "Index scans using a finite LRU buffer",
ACM TODS 14(3), 1989.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from enum import IntEnum
from math import inf, log2

from advisor.indexes.catalog import Catalog, Index, Key, Table
from advisor.indexes.paths import Path, average_bytes, build_path
from advisor.indexes.selectivity import Predicates
from advisor.indexes.shapes import Candidate
from advisor.indexes.statement import Join, Statement, TableUse

RANDOM = 4.0  # a random page, in pages of a scan (random_page_cost)
ROW = 0.01  # a row, in pages of a scan (cpu_tuple_cost)
ENTRY = 0.5  # an index entry, in rows (cpu_index_tuple_cost / cpu_tuple_cost)
VISIT = 20.0  # own, measured on PostgreSQL: CPU time to find and fix a page in the buffer pool, in rows of a scan
COMPARISON = 0.5  # of a sort, in rows (2 x cpu_operator_cost / cpu_tuple_cost)
UNKNOWN_ROWS = 10  # own: rows of a derived table without table references


class Case(IntEnum):
    """The estimate of each share of rows: the least, the expected or the most rows."""

    LOW = 0
    EXPECTED = 1
    HIGH = 2


@dataclass(frozen=True)
class System:
    """What a database measures of itself, or assumptions if it is not known.

    ``page_ms`` is the time of one physical read, ``miss`` the share of index page requests that are physical reads,
    ``buffer_pages`` the size of the buffer pool, ``sort_pages`` SORTHEAP, and ``execution_ms`` the CPU time of an
    execution that finds one row.
    """

    page_ms: float = 1.0
    miss: float = 0.05
    buffer_pages: float = 100_000
    sort_pages: float = 2_000
    execution_ms: float = 0.02


DEFAULT_SYSTEM = System()


@dataclass(frozen=True)
class Cost:
    """What an execution reads. ``pages`` are all pages, ``random_pages`` those that no prefetcher reads in advance.

    ``visits`` are the page requests to the buffer pool: one per row fetched at random. ``covered`` are the rows that an
    index returns without the table.
    """

    pages: float = 0.0
    rows: float = 0.0
    sorted_rows: float = 0.0
    random_pages: float = 0.0
    entries: float = 0.0
    comparisons: float = 0.0
    spilled_pages: float = 0.0
    visits: float = 0.0
    covered: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(*(getattr(self, item.name) + getattr(other, item.name) for item in fields(self)))

    @property
    def reads(self) -> float:
        """Return the pages, random ones by their weight."""
        return self.pages + (RANDOM - 1) * self.random_pages

    @property
    def processing(self) -> float:
        """Return the rows, index entries and page requests, in rows."""
        return self.rows + self.covered + ENTRY * self.entries + VISIT * self.visits

    @property
    def sorting(self) -> float:
        """Return the comparisons and spilled pages of sorts, in rows."""
        return COMPARISON * self.comparisons + self.spilled_pages / ROW

    @property
    def units(self) -> float:
        """Return one number to compare plans: pages of a scan."""
        return self.reads + ROW * (self.processing + self.sorting)


def fetched_pages(pages: float, rows: float, buffer_pages: float = inf) -> float:
    """Return how many pages are read to fetch rows at random (Mackert and Lohman 1989)."""
    if pages <= 0 or rows <= 0:
        return 0.0
    pages = max(1.0, pages)
    found = max(min(1.0, rows), 2 * pages * rows / (2 * pages + rows))
    if pages <= buffer_pages:
        return min(found, pages)
    full = 2 * pages * buffer_pages / (2 * pages - buffer_pages)
    return found if rows <= full else buffer_pages + (rows - full) * (pages - buffer_pages) / pages


def cost(
    statement: Statement,
    catalog: Catalog,
    indexes: Iterable[Candidate] = (),
    case: Case = Case.EXPECTED,
    system: System = DEFAULT_SYSTEM,
) -> Cost:
    """Return the cost of one execution with the existing indexes and more."""
    return Plan(statement, catalog, case, system).cost(indexes)


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


class Plan:
    """The order of the joins of a statement, and the cheapest access to each table reference.

    ``rows_used`` are the measured rows that one execution returns or changes.
    """

    def __init__(
        self,
        statement: Statement,
        catalog: Catalog,
        case: Case = Case.EXPECTED,
        system: System = DEFAULT_SYSTEM,
        rows_used: float | None = None,
    ) -> None:
        self.case, self.system = case, system
        self.steps: list[Step] = []
        self.paths: dict[tuple[int, Index | Candidate], Cost] = {}
        limit = statement.limit if len(statement.tables) == 1 else None
        matches = rows_used if statement.returns_matches else None
        known: list[Step] = []
        for use in statement.tables:
            table = catalog.get((use.schema, use.table))
            inserts = use.is_target and statement.kind == "insert"
            if table is not None and not inserts and (table.rows or 0) > 0 and (table.pages or 0) > 0:
                known.append(Step(use, table, Predicates(use, table, matches), limit=limit))
        self._arrange(known)
        self.least = [self._cheapest(step, step.table.indexes) for step in self.steps]

    def cost(self, indexes: Iterable[Candidate] = ()) -> Cost:
        """Return the cost with the existing indexes and more."""
        total = Cost()
        given = list(indexes)
        for step, least in zip(self.steps, self.least, strict=True):
            name = (step.use.schema, step.use.table)
            own = [index for index in given if (index.schema, index.table) == name]
            total += min(least, *(self._access(step, index) for index in own), key=_units) if own else least
        return total

    @property
    def is_skewed(self) -> bool:
        """Return whether far fewer rows match than the statistics suggest."""
        return any(step.predicates.is_skewed for step in self.steps)

    # Order of the joins

    def _arrange(self, waiting: list[Step]) -> None:
        """Take the table with the fewest rows, then the linked ones in the same way, until none is left."""
        sizes = {step: self._filtered(step) for step in waiting}
        while waiting:
            start = min(waiting, key=sizes.__getitem__)
            waiting.remove(start)
            group, rows = [start], sizes[start]
            unknown = {join.column for join in start.use.joins if join.table is None}
            start.joined = frozenset(unknown & start.table.columns.keys())
            if start.joined:
                start.probes = max((sizes[step] for step in sizes if step is not start), default=UNKNOWN_ROWS)
            while linked := [step for step in waiting if any(_links(step, other) for other in group)]:
                step = min(linked, key=sizes.__getitem__)
                waiting.remove(step)
                step.probes = rows
                rows = max(1.0, rows * sizes[step] * self._match(step, group))
                group.append(step)
            for step in group:
                ordered = step.use.order or step.use.group or step.use.distinct
                step.sorts = rows if ordered else 0.0
            self.steps += group

    def _filtered(self, step: Step) -> float:
        return step.predicates.rows * step.predicates.share(step.predicates.shares)[self.case]

    def _match(self, step: Step, group: list[Step]) -> float:
        """Return the share of pairs of rows that match: 1 / the larger number of distinct values (Selinger 1979)."""
        share, columns = 1.0, set()
        for other in group:
            for column, another in _links(step, other):
                if column in step.table.columns and column not in columns:
                    columns.add(column)
                    sides = (step.table.columns[column], other.table.columns.get(another or ""))
                    share /= max((side.distinct or 1 for side in sides if side), default=1)
        step.joined |= columns
        return share

    # Access to one table

    def _cheapest(self, step: Step, indexes: Iterable[Index | Candidate]) -> Cost:
        return min((self._table_scan(step), *(self._access(step, index) for index in indexes)), key=_units)

    def _table_scan(self, step: Step) -> Cost:
        table = step.table
        pages = table.pages or 0
        found = Cost(pages=pages, rows=table.rows or 0, entries=step.probes or 0, visits=pages)
        return found + self._sort(step)

    def _access(self, step: Step, index: Index | Candidate) -> Cost:
        key = (id(step), index)
        if key not in self.paths:
            path = build_path(index, step.table)
            self.paths[key] = self._path_cost(step, path)
        return self.paths[key]

    def _path_cost(self, step: Step, path: Path) -> Cost:
        """Return the cheaper of one scan of an index, with a hash join, and one probe per row joined to it."""
        once = self._scan(step, path, 1.0, frozenset())
        if step.probes is None:
            return once
        once += Cost(entries=step.probes)
        if not step.joined or not path.keys or path.keys[0].column not in step.joined | step.predicates.equal:
            return once
        return min(once, self._scan(step, path, step.probes, step.joined), key=_units)

    def _scan(self, step: Step, path: Path, probes: float, joined: frozenset[str]) -> Cost:
        predicates, buffer = step.predicates, self.system.buffer_pages
        matched, scans = [], probes
        for column in (key.column for key in path.keys):
            if column not in joined and column not in predicates.shares:
                break
            matched.append(column)
            if column not in joined:
                scans *= predicates.values.get(column, 1)
            if column not in joined and column not in predicates.equal:
                break
        covers = not step.use.is_target and step.use.needed is not None and path.columns.issuperset(step.use.needed)
        ordered = step.probes is None and _ordered(step, path.keys)
        screens = not path.columns.isdisjoint(predicates.shares)
        if not matched and not covers and not ordered and not screens:
            return Cost(pages=inf)
        entries = probes * path.entries * predicates.share(matched, joined)[self.case]
        rows = probes * path.entries * predicates.share(path.columns, joined)[self.case]
        part = self._part_read(step, matched) if ordered else 1.0
        if part < 1.0:
            entries, rows = max(1.0, entries * part), max(1.0, rows * part)
        leaf = fetched_pages(path.leaf_pages, scans, buffer)
        more = max(0.0, entries / path.entries * path.leaf_pages - scans)
        if path.leaf_pages <= buffer:
            more = min(more, path.leaf_pages - leaf)
        found = Cost(leaf + more + path.levels - 1, 0.0, 0.0, leaf + path.levels - 1, entries + scans * path.levels)
        found += Cost(visits=scans * path.levels + more)
        if covers:
            found += Cost(covered=rows)
        else:
            pages = step.table.pages or 0
            scattered = (1 - path.clustering) * fetched_pages(pages, rows, buffer)
            near = min(rows, max(rows * pages / predicates.rows, min(rows, probes)))
            together = path.clustering * (min(near, pages) if pages <= buffer else near)
            visits = (1 - path.clustering) * rows + together
            found += Cost(scattered + together, rows, random_pages=scattered, visits=visits)
        return found if ordered else found + self._sort(step)

    def _part_read(self, step: Step, matched: Collection[str]) -> float:
        """Return the part of an ordered index that is read until FETCH FIRST has its rows.

        Rows that satisfy a predicate that the index does not apply may all be at its other end.
        """
        if step.limit is None or not step.use.order:
            return 1.0
        if self.case != Case.LOW and (step.use.more_predicates or not step.predicates.shares.keys() <= set(matched)):
            return 1.0
        return min(1.0, step.limit / max(1.0, self._filtered(step)))

    def _sort(self, step: Step) -> Cost:
        rows = step.sorts
        if rows <= 1:
            return Cost()
        kept = rows if step.limit is None or not step.use.order else min(rows, step.limit)
        kept = kept if step.use.order else min(kept, _groups(step))
        needed = step.use.needed or ()
        width = sum(average_bytes(step.table.columns[name]) for name in needed if name in step.table.columns)
        if step.use.needed is None:
            width = (step.table.pages or 0) * step.table.page_size // step.predicates.rows
        pages = kept * max(width, 8) / 4096
        spilled = 2 * pages if pages > self.system.sort_pages else 0.0
        return Cost(sorted_rows=rows, comparisons=rows * log2(max(2.0, kept)), spilled_pages=spilled)


def _units(found: Cost) -> float:
    return found.units


def _groups(step: Step) -> float:
    """Return the most groups of GROUP BY or DISTINCT: rows of a group are combined while they are sorted."""
    groups = 1.0
    for name in step.use.group or step.use.distinct:
        column = step.table.columns.get(name)
        groups *= column.distinct if column and column.distinct else inf
    return groups


def _links(step: Step, other: Step) -> list[tuple[str, str | None]]:
    """Return the pairs of columns that join a table reference to another."""
    if step is other:
        return []
    pairs = [(join.column, join.other_column) for join in step.use.joins if _reaches(join, other.use)]
    pairs += [(join.other_column or "", join.column) for join in other.use.joins if _reaches(join, step.use)]
    return list(dict.fromkeys(pairs))


def _reaches(join: Join, use: TableUse) -> bool:
    return (join.schema, join.table) == (use.schema, use.table)


def _ordered(step: Step, keys: tuple[Key, ...]) -> bool:
    """Return whether an index returns rows in the wanted order or grouping."""
    if any(values > 1 for values in step.predicates.values.values()):
        return False
    left = [key for key in keys if key.column not in step.predicates.constant]
    order = [Key(item.column, item.descending) for item in step.use.order]
    order = [key for key in order if key.column not in step.predicates.constant]
    if step.use.order:
        turned = [Key(key.column, not key.descending) for key in order]  # Db2 reads an index in both directions
        return left[: len(order)] in (order, turned)
    wanted: Collection[str] = {*(step.use.group or step.use.distinct)} - step.predicates.constant
    return bool(wanted) and {key.column for key in left[: len(wanted)]} == wanted
