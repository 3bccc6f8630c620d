"""The indexes that save most time for a workload, with what each saves and costs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, islice, product
from math import inf
from typing import Any

from advisor.indexes.advice import Chosen, Declined, Helped, IndexAdvice, Query, Unread
from advisor.indexes.candidates import Skipped, merged, propose
from advisor.indexes.catalog import Catalog
from advisor.indexes.costs import DEFAULT_SYSTEM, Case, Plan, System
from advisor.indexes.ddl import name_indexes
from advisor.indexes.paths import Path, build_path
from advisor.indexes.pricing import Confidence, Left, Writes, price, write_ms
from advisor.indexes.runstats import advise_statistics, is_unreliable
from advisor.indexes.selection import Reason, Rejected, Selection, select
from advisor.indexes.shapes import DEFAULT_LIMITS, Candidate, Limits
from advisor.indexes.statement import Statement, read_statement

PER_TABLE = 3  # best indexes of each table reference that are combined with those of others
MOST_COMBINED = 3  # indexes of one combination
MOST_COMBINATIONS = 64  # per statement and number of indexes
LEAST_GAIN = 0.30  # own: share of a statement's time that an index must save; the model is not more exact
LEAST_SHARE = 0.005  # own: share of the time of all statements that an index must save
LEAST_HELP = 0.01  # own: share of a statement's time; statements that gain less are not listed
NARROWER = 0.10  # own: a shorter index replaces a longer one if it loses less than this share of the saving
SMALL = f"saves less than {100 * LEAST_SHARE:g} % of the time of all statements"
SKEWED = (
    "The statement returns far fewer rows than its statistics suggest. Collect distribution statistics first; with "
    "parameter markers, Db2 may not use the index."
)
SHORTER = "a shorter index saves almost as much"


def advise_indexes(  # noqa: PLR0913 -- most callers use the defaults
    queries: Iterable[Query],
    catalog: Catalog,
    *,
    budget: int,
    writes: Mapping[tuple[str, str], Writes] | None = None,
    most: int | None = None,
    total_ms: float = 0.0,
    least_ms: float = 0.0,
    system: System = DEFAULT_SYSTEM,
    limits: Limits = DEFAULT_LIMITS,
    more: Iterable[Candidate] = (),
) -> IndexAdvice:
    """Return the indexes that save most time in an interval.

    queries    statements with the executions and times of the interval
    budget     bytes that the indexes may use together
    writes     rows changed in the interval, per schema and table
    most       the largest number of indexes; None: no limit
    total_ms   the time of all statements in the interval, if more than those of ``queries``
    least_ms   the time in the interval that an index must save, if more than its least share
    more       further candidates
    """
    given = list(queries)
    workload = _Workload(given, catalog, writes or {}, total_ms, least_ms, system, limits)
    workload.offer(more)
    options: dict[str, Any] = {"writes": writes, "total_ms": total_ms, "least_ms": least_ms}
    again = partial(advise_indexes, given, catalog, budget=budget, most=most, system=system, limits=limits, **options)
    return replace(workload.advise(budget, most), again=again)


@dataclass(eq=False)
class _Entry:
    """A statement that was read, with its plans per case."""

    query: Query
    statement: Statement
    plans: dict[Case, Plan]
    tables: frozenset[tuple[str, str]]
    known: dict[tuple[Case, frozenset[Candidate]], Left] = field(default_factory=dict)

    @property
    def time(self) -> float:
        return self.query.executions * max(0.0, self.query.measured.elapsed_ms)

    def left(self, indexes: Iterable[Candidate], case: Case = Case.EXPECTED) -> Left:
        """Return the share of the time that is left with indexes."""
        mine = frozenset(index for index in indexes if (index.schema, index.table) in self.tables)
        if (case, mine) not in self.known:
            plan = self.plans[case]
            found = price(plan.cost(), plan.cost(mine), self.query.measured, plan.system.execution_ms)
            if plan.is_skewed:
                found = replace(found, confidence=Confidence.LOW, reasons=(*found.reasons, SKEWED))
            self.known[case, mine] = found if mine else replace(found, share=1.0)
        return self.known[case, mine]


class _Workload:
    def __init__(  # noqa: PLR0913, PLR0917 -- the arguments of advise_indexes
        self,
        queries: Sequence[Query],
        catalog: Catalog,
        writes: Mapping[tuple[str, str], Writes],
        total_ms: float,
        least_ms: float,
        system: System,
        limits: Limits,
    ) -> None:
        self.queries, self.catalog = queries, catalog
        given = sum(query.executions * max(0.0, query.measured.elapsed_ms) for query in queries)
        self.total = max(total_ms, given)
        self.least = max(LEAST_SHARE * self.total, least_ms)
        self.entries: list[_Entry] = []
        self.unread: list[Unread] = []
        candidates: dict[Candidate, None] = {}
        skipped: dict[Skipped, None] = {}
        changes: dict[tuple[str, str], dict[str, float]] = {}
        for query in queries:
            statement = read_statement(query.text, catalog, query.schema)
            if statement.reason:
                self.unread.append(Unread(query.key, statement.reason))
                continue
            tables = frozenset((use.schema, use.table) for use in statement.tables)
            plans = {case: Plan(statement, catalog, case, system, query.measured.rows_used) for case in Case}
            self.entries.append(_Entry(query, statement, plans, tables))
            proposal = propose(statement, catalog, limits)
            candidates.update(dict.fromkeys(proposal.candidates))
            skipped.update(dict.fromkeys(proposal.skipped))
            _count_changes(changes, statement, query)
        candidates.update(dict.fromkeys(merged(candidates, catalog, limits)))
        self.skipped = tuple(skipped)
        self.writes, self.changes, self.system = writes, changes, system
        self.paths: dict[Candidate, Path] = {}
        self.write_ms: dict[Candidate, float] = {}
        self.offer(candidates)

    def offer(self, candidates: Iterable[Candidate]) -> None:
        """Add candidates on known columns."""
        for index in candidates:
            name = (index.schema, index.table)
            table, written = self.catalog.get(name), self.writes.get(name, Writes())
            if table is None or not set(index.columns) <= table.columns.keys():
                continue
            written = replace(written, by_column={**self.changes.get(name, {}), **written.by_column})
            self.paths[index] = build_path(index, table)
            self.write_ms[index] = write_ms(index, self.paths[index], table, written, self.system)

    def advise(self, budget: int, most: int | None) -> IndexAdvice:
        """Select indexes and describe them."""
        selection = self._select(budget, most)
        chosen, shorter = self._narrowed(selection.chosen)
        chosen, small = self._pruned(chosen)
        declined = [
            replace(row, by=shorter.get(row.by, row.by) if row.by else None)
            for row in map(self._decline, selection.rejected)
            if row.index not in chosen and row.index not in small
        ]
        alone = {index: self.total - self._time([index]) for index in (*shorter, *small)}
        declined += [self._declined(index, SHORTER, alone[index], by) for index, by in shorter.items()]
        declined += [self._declined(index, SMALL, alone[index]) for index in small]
        declined.sort(key=lambda row: -row.alone_ms)
        uses = [use for entry in self.entries for use in entry.statement.tables]
        return IndexAdvice(
            self.total,
            self._time(chosen),
            tuple(self._describe(index, name, chosen) for index, name in name_indexes(chosen, self.catalog).items()),
            tuple(declined),
            self.skipped,
            tuple(self.unread),
            tuple(advise_statistics(uses, self.catalog)),
            {query.key: query.text for query in self.queries},
        )

    def _time(self, indexes: Collection[Candidate], case: Case = Case.EXPECTED) -> float:
        read = sum(entry.time for entry in self.entries)
        return self.total - read + sum(entry.time * entry.left(indexes, case).share for entry in self.entries)

    def _select(self, budget: int, most: int | None) -> Selection[Candidate]:
        offered = list(self.paths)
        groups: dict[frozenset[Candidate], None] = {}
        costs: dict[tuple[str, frozenset[Candidate]], float] = {}
        weights: dict[str, float] = {}
        for place, entry in enumerate(self.entries):
            key = f"{place} {entry.query.key}"
            weights[key] = entry.time
            costs[key, frozenset()] = 1.0
            for group in self._groups(entry, offered):
                groups[group] = None
                costs[key, group] = entry.left(group).share
        return select(
            {index: self.paths[index].bytes for index in offered},
            {group: sorted(group, key=offered.index) for group in [frozenset[Candidate](), *groups]},
            costs,
            budget,
            weights=weights,
            write_costs={index: self.write_ms[index] + self.least for index in offered},
            columns={index: [f"{index.schema}.{index.table}.{name}" for name in index.columns] for index in offered},
            most=most,
        )

    def _groups(self, entry: _Entry, offered: Sequence[Candidate]) -> list[frozenset[Candidate]]:
        """Return the single indexes that help a statement, then the combinations of the best ones of its tables."""
        limit = 1 - LEAST_GAIN
        shares = {index: entry.left([index]).share for index in offered if (index.schema, index.table) in entry.tables}
        helping = sorted((index for index in shares if shares[index] < 1 - 1e-9), key=shares.__getitem__)
        by_use = [
            [index for index in helping if (index.schema, index.table) == (use.schema, use.table)][:PER_TABLE]
            for use in entry.statement.tables
        ]
        by_use = [indexes for indexes in by_use if indexes]
        found = {frozenset([index]): shares[index] for index in helping}
        for size in range(2, min(MOST_COMBINED, len(by_use)) + 1):
            groups = (group for tables in combinations(by_use, size) for group in product(*tables))
            for group in islice(groups, MOST_COMBINATIONS):
                if len(set(group)) == size:
                    together = entry.left(group).share
                    fewer = min(found.get(frozenset(part), 1.0) for part in combinations(group, size - 1))
                    if together <= limit * fewer:
                        found[frozenset(group)] = together
        return [group for group, share in found.items() if share <= limit]

    def _decline(self, row: Rejected[Candidate]) -> Declined:
        small = row.reason is Reason.WRITES and row.beside > self.write_ms[row.index]
        return self._declined(row.index, SMALL if small else str(row.reason), row.alone, row.by)

    def _declined(self, index: Candidate, reason: str, alone: float, by: Candidate | None = None) -> Declined:
        return Declined(index, reason, alone, self.write_ms[index], by)

    def _narrowed(self, selected: Sequence[Candidate]) -> tuple[list[Candidate], dict[Candidate, Candidate]]:
        """Replace an index by one with its first columns if that saves almost as much. Return the replaced ones too."""
        chosen, replaced = list(selected), {}
        for place, index in enumerate(selected):
            shorter = [other for other in self.paths if other not in chosen and _begins(index, other)]
            rest = [*chosen[:place], *chosen[place + 1 :]]
            now, without = self._net(chosen), self._net(rest)
            for other in sorted(shorter, key=lambda each: len(each.columns)):
                if self._net([*rest, other]) - now <= NARROWER * (without - now):
                    chosen[place] = replaced[index] = other
                    break
        return chosen, replaced

    def _pruned(self, chosen: list[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
        """Leave out one index after another that saves too little next to the others. Return these too."""
        small: list[Candidate] = []
        while True:
            now = self._net(chosen)
            gains = {index: self._net([other for other in chosen if other != index]) - now for index in chosen}
            least = min(gains, key=gains.__getitem__, default=None)
            if least is None or gains[least] >= 0:
                return chosen, small
            chosen = [index for index in chosen if index != least]
            small.append(least)

    def _net(self, indexes: Collection[Candidate]) -> float:
        return self._time(indexes) + sum(self.write_ms[index] + self.least for index in indexes)

    def _describe(self, index: Candidate, name: str, chosen: Sequence[Candidate]) -> Chosen:
        """Return an index with its saving: the time without it less the time with it, next to the other indexes."""
        others = [other for other in chosen if other != index]
        saved = {case: self._time(others, case) - self._time(chosen, case) for case in Case}
        helped, reasons, doubtful, reads = [], dict[str, None](), 0.0, 0.0
        for entry in sorted(self.entries, key=lambda each: -each.time):
            without, left = entry.left(others), entry.left(chosen)
            gain = without.share - left.share
            reads += entry.time * (left.reads - without.reads)
            if gain > LEAST_HELP:
                elapsed = entry.query.measured.elapsed_ms
                helped.append(Helped(entry.query.key, elapsed, elapsed * left.share))
                reasons.update(dict.fromkeys(left.reasons))
                doubtful += entry.time * gain if left.confidence is Confidence.LOW else 0.0
        unreliable = is_unreliable(self.catalog[index.schema, index.table])
        if unreliable:
            reasons[f"Collect statistics of {index.schema}.{index.table} first."] = None
        low = unreliable or 2 * doubtful > saved[Case.EXPECTED]
        return Chosen(
            index,
            name,
            saved[Case.EXPECTED],
            min(saved.values()),
            max(saved.values()),
            saved[Case.EXPECTED] / self.total if self.total else 0.0,
            min(1.0, max(0.0, reads / saved[Case.EXPECTED])) if saved[Case.EXPECTED] > 0 else 0.0,
            self.write_ms[index],
            self.paths[index].bytes,
            tuple(helped),
            Confidence.LOW if low else Confidence.MEDIUM,
            tuple(reasons),
        )


def _begins(index: Candidate, other: Candidate) -> bool:
    """Return whether another candidate has the first columns of an index, and no others."""
    same_table = (index.schema, index.table) == (other.schema, other.table)
    return same_table and len(other.keys) < len(index.keys) and index.keys[: len(other.keys)] == other.keys


def _count_changes(changes: dict[tuple[str, str], dict[str, float]], statement: Statement, query: Query) -> None:
    """Count the rows that UPDATE and MERGE statements change, per column."""
    rows = query.executions * (query.measured.rows_used or 0.0)
    for use in statement.tables:
        if use.is_target and rows < inf:
            counted = changes.setdefault((use.schema, use.table), {})
            for column in use.changed:
                counted[column] = counted.get(column, 0.0) + rows
