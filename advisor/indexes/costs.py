"""The cost of one execution of a statement in pages, rows and sorts, with existing and proposed indexes.

The weights of pages, rows, index entries and comparisons relative to each other are PostgreSQL's defaults, because
Db2 publishes none. Pages fetched through an index follow Mackert and Lohman, "Index scans using a finite LRU buffer",
ACM TODS 14(3), 1989.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, log2, sqrt
from operator import add, sub
from typing import NamedTuple

from advisor.indexes.catalog import Catalog, Index, Key
from advisor.indexes.joins import Step, order_joins
from advisor.indexes.paths import Path, average_bytes, build_path
from advisor.indexes.selectivity import Case, Predicates
from advisor.indexes.shapes import Candidate
from advisor.indexes.statement import Statement, TableUse

RANDOM = 4.0  # a random page, in pages of a scan (random_page_cost)
ROW = 0.01  # a row, in pages of a scan (cpu_tuple_cost)
ENTRY = 0.25  # own, measured on PostgreSQL: an index entry, in rows
VISIT = 10.0  # own, measured on PostgreSQL: CPU time to find and fix a page in the buffer pool, in rows of a scan
PREFETCHED = 32  # own: fewest rows whose pages are sorted and prefetched: those of one prefetch
RID = 2.0  # own: a row identifier in the order of the table, in index entries
LISTED = 0.1  # own: share of the rows above which a scan is better than a list of rows
COMPARISON = 0.5  # of a sort, in rows (2 x cpu_operator_cost / cpu_tuple_cost)


@dataclass(frozen=True)
class System:
    """What a database measures of itself, or assumptions if it is not known.

    ``page_ms`` is the time of one physical read, ``miss`` the share of index page requests that are physical reads,
    ``buffer_pages`` the size of the buffer pool, ``sort_pages`` SORTHEAP, ``execution_ms`` the CPU time of an execution
    that finds one row, and ``disk`` the share of all page requests that are physical reads. ``factor`` is the measured
    saving of earlier indexes, as a part of the model's.
    """

    page_ms: float = 1.0
    miss: float = 0.05
    buffer_pages: float = 100_000
    sort_pages: float = 2_000
    execution_ms: float = 0.02
    factor: float = 1.0
    disk: float = 0.05


DEFAULT_SYSTEM = System()


class Cost(NamedTuple):
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

    def __add__(self, other: object) -> "Cost":
        return Cost(*map(add, self, other)) if isinstance(other, Cost) else NotImplemented

    def __sub__(self, other: "Cost") -> "Cost":
        return Cost(*map(sub, self, other))

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


class Plan:
    """The order of the joins of a statement, and the cheapest access to each table reference.

    ``rows_used`` are the measured rows that one execution returns or changes. ``shapes`` keeps the shapes of indexes for
    other plans.
    """

    def __init__(  # noqa: PLR0913, PLR0917 -- most callers use the defaults
        self,
        statement: Statement,
        catalog: Catalog,
        case: Case = Case.EXPECTED,
        system: System = DEFAULT_SYSTEM,
        rows_used: float | None = None,
        shapes: dict[Index | Candidate, Path] | None = None,
    ) -> None:
        self.case, self.system = case, system
        self.shapes = {} if shapes is None else shapes
        self.paths: dict[tuple[Step, Index | Candidate], Cost] = {}
        limit = statement.limit if len(statement.tables) == 1 else None
        matches = rows_used if statement.returns_matches else None
        known: list[Step] = []
        for use in statement.tables:
            table = catalog.get((use.schema, use.table))
            inserts = use.is_target and statement.kind == "insert"
            if table is not None and not inserts and (table.rows or 0) > 0 and (table.pages or 0) > 0:
                known.append(Step(use, table, Predicates(use, table, matches), limit=limit))
        self.steps = order_joins(known, case)
        self.least = [self._cheapest(step, step.table.indexes) for step in self.steps]

    def cost(self, indexes: Iterable[Candidate] = (), dropped: Collection[Index] = ()) -> Cost:
        """Return the cost with the existing indexes and more, and without those that are dropped."""
        given: dict[tuple[str, str], list[Candidate]] = {}
        for index in indexes:
            given.setdefault((index.schema, index.table), []).append(index)
        total = self.total
        for place in range(len(self.steps)) if dropped else self._places(given):
            step = self.steps[place]
            now = least = self.least[place]
            if any(index in dropped for index in step.table.indexes):
                now = self._cheapest(step, (index for index in step.table.indexes if index not in dropped))
            for index in given.get((step.use.schema, step.use.table), ()):
                now = min(now, self._access(step, index), key=self._weigh)
            if now is not least:
                total = total - least + now
        return total

    def pick(self, indexes: Iterable[Candidate]) -> dict[TableUse, Candidate]:
        """Return the index of each table reference that is cheaper than the existing ones."""
        found: dict[TableUse, Candidate] = {}
        given = list(indexes)
        for place in self._places({(index.schema, index.table) for index in given}):
            step, least = self.steps[place], self._weigh(self.least[place])
            own = [index for index in given if (index.schema, index.table) == (step.use.schema, step.use.table)]
            best = min(own, key=lambda index: self._weigh(self._access(step, index)))
            if self._weigh(self._access(step, best)) < least:
                found[step.use] = best
        return found

    def follow(self, picked: Mapping[TableUse, Candidate]) -> Cost:
        """Return the cost with the indexes that another plan of the statement picked."""
        total = self.total
        for step, least in zip(self.steps, self.least, strict=True):
            if step.use in picked:
                total = total - least + self._access(step, picked[step.use])
        return total

    def _places(self, tables: Iterable[tuple[str, str]]) -> list[int]:
        """Return the places of the steps on some of the tables, in order."""
        return sorted(place for name in tables for place in self.by_table.get(name, ()))

    @cached_property
    def by_table(self) -> dict[tuple[str, str], list[int]]:
        """Return the places of the steps on each table."""
        found: dict[tuple[str, str], list[int]] = {}
        for place, step in enumerate(self.steps):
            found.setdefault((step.use.schema, step.use.table), []).append(place)
        return found

    @cached_property
    def total(self) -> Cost:
        """Return the cost with the existing indexes."""
        return sum(self.least, Cost())

    @property
    def is_skewed(self) -> bool:
        """Return whether far fewer rows match than the statistics suggest."""
        return any(step.predicates.is_skewed for step in self.steps)

    def _weigh(self, found: Cost) -> float:
        """Return the cost to compare accesses: a random page weighs less if reads from disk are rare."""
        rare = 1 - min(1.0, self.system.disk / DEFAULT_SYSTEM.disk)
        return found.units - rare * (RANDOM - 1) * found.random_pages if rare else found.units

    # Access to one table

    def _cheapest(self, step: Step, indexes: Iterable[Index | Candidate]) -> Cost:
        return min((self._table_scan(step), *(self._access(step, index) for index in indexes)), key=self._weigh)

    def _table_scan(self, step: Step) -> Cost:
        table = step.table
        pages = table.pages or 0
        found = Cost(pages=pages, rows=table.rows or 0, entries=step.probes or 0, visits=pages)
        return found + self._sort(step)

    def _access(self, step: Step, index: Index | Candidate) -> Cost:
        key = (step, index)
        if key not in self.paths:
            if index not in self.shapes:
                self.shapes[index] = build_path(index, step.table)
            self.paths[key] = self._path_cost(step, self.shapes[index])
        return self.paths[key]

    def _path_cost(self, step: Step, path: Path) -> Cost:
        """Return the cheaper of one scan of an index, with a hash join, and one probe per row joined to it."""
        once = self._scan(step, path, 1.0, frozenset())
        if step.probes is None:
            return once
        once += Cost(entries=step.probes)
        if not step.joined or not path.keys or path.keys[0].column not in step.joined | step.predicates.equal:
            return once
        return min(once, self._scan(step, path, step.probes, step.joined), key=self._weigh)

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
        sort = self._sort(step)
        if covers:
            return found + Cost(covered=rows) + (Cost() if ordered else sort)
        ways = [self._fetch(step, path, rows, probes) + (Cost() if ordered else sort)]
        if probes == 1 and part == 1 and PREFETCHED < rows < LISTED * path.entries:
            ways.append(self._prefetch(step, rows) + sort)
        return found + min(ways, key=self._weigh)

    def _fetch(self, step: Step, path: Path, rows: float, probes: float) -> Cost:
        """Return the cost to fetch rows in the order of an index."""
        pages, buffer = step.table.pages or 0, self.system.buffer_pages
        scattered = (1 - path.clustering) * fetched_pages(pages, rows, buffer)
        near = min(rows, max(rows * pages / step.predicates.rows, min(rows, probes)))
        together = path.clustering * (min(near, pages) if pages <= buffer else near)
        visits = (1 - path.clustering) * rows + together
        return Cost(scattered + together, rows, random_pages=scattered, visits=visits)

    def _prefetch(self, step: Step, rows: float) -> Cost:
        """Return the cost to fetch rows in the order of the table: the more pages, the nearer they are."""
        pages = step.table.pages or 0
        found = fetched_pages(pages, rows)
        return Cost(found, rows, random_pages=found * (1 - sqrt(found / pages)), entries=RID * rows, visits=found)

    def _part_read(self, step: Step, matched: Collection[str]) -> float:
        """Return the part of an ordered index that is read until FETCH FIRST has its rows.

        Rows that satisfy a predicate that the index does not apply may all be at its other end.
        """
        if step.limit is None or not step.use.order:
            return 1.0
        if self.case != Case.LOW and (step.use.more_predicates or not step.predicates.shares.keys() <= set(matched)):
            return 1.0
        return min(1.0, step.limit / max(1.0, step.count_rows(self.case)))

    def _sort(self, step: Step) -> Cost:
        rows = step.sorts
        if rows <= 1:
            return Cost()
        kept = rows if step.limit is None or not step.use.order else min(rows, step.limit)
        kept = kept if step.use.order else min(kept, step.groups)
        needed = step.use.needed or ()
        width = sum(average_bytes(step.table.columns[name]) for name in needed if name in step.table.columns)
        if step.use.needed is None:
            width = (step.table.pages or 0) * step.table.page_size // step.predicates.rows
        pages = kept * max(width, 8) / 4096
        spilled = 2 * pages if pages > self.system.sort_pages else 0.0
        return Cost(sorted_rows=rows, comparisons=rows * log2(max(2.0, kept)), spilled_pages=spilled)


def _ordered(step: Step, keys: tuple[Key, ...]) -> bool:
    """Return whether an index returns rows in the wanted order or grouping."""
    if any(values > 1 for values in step.predicates.values.values()):
        return False
    left = [key for key in keys if key.column not in step.predicates.constant]
    order = [key for key in step.use.order if key.column not in step.predicates.constant]
    if step.use.order:
        turned = [Key(key.column, not key.descending) for key in order]  # Db2 reads an index in both directions
        return left[: len(order)] in (order, turned)
    wanted: Collection[str] = {*(step.use.group or step.use.distinct)} - step.predicates.constant
    return bool(wanted) and {key.column for key in left[: len(wanted)]} == wanted
