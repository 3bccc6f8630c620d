"""The indexes that save most time for a workload, with what each saves and costs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, islice, product
from typing import Any

from advisor.indexes.advice import (
    Account,
    Changed,
    Chosen,
    Declined,
    Helped,
    IndexAdvice,
    Interval,
    Point,
    Query,
    WhatIf,
)
from advisor.indexes.building import NOTHING_KNOWN, Surroundings, estimate_build
from advisor.indexes.candidates import merged
from advisor.indexes.catalog import Catalog, Index
from advisor.indexes.costs import DEFAULT_SYSTEM, System
from advisor.indexes.ddl import name_indexes
from advisor.indexes.entries import Entry, Name, count_writes, read_entry
from advisor.indexes.paths import Path, build_path
from advisor.indexes.pricing import Confidence, Writes, write_ms
from advisor.indexes.runstats import advise_statistics, find_gaps
from advisor.indexes.selection import Reason, Rejected, Selection, select
from advisor.indexes.selectivity import Case
from advisor.indexes.shapes import DEFAULT_LIMITS, Candidate, Limits

MOST_OF_TABLE = 80  # candidates of the statements on a table
PER_TABLE = 3  # best indexes of each table reference that are combined with those of others
MOST_COMBINED = 3  # indexes of one combination
MOST_COMBINATIONS = 64  # per statement and number of indexes
LEAST_GAIN = 0.30  # own: share of a statement's time that an index must save; the model is not more exact
LEAST_SHARE = 0.005  # own: share of the time of all statements that an index must save
LEAST_HELP = 0.01  # own: share of a statement's time; statements that change less are not listed
LEAST_LISTED = 0.2  # own: share of the least saving; indexes that would save less are not listed
NARROWER = 0.10  # own: a shorter index replaces a longer one if it loses less than this share of the saving
LEAST_PART = {Confidence.LOW: 0.3, Confidence.MEDIUM: 0.7}  # own: of the expected saving, if the model is wrong
SMALL = f"saves less than {100 * LEAST_SHARE:g} % of the time of all statements"
SMALL_BESIDE = f"next to the chosen indexes it saves less than {100 * LEAST_SHARE:g} % of the time of all statements"
SHORTER = "a shorter index saves almost as much"


def advise_indexes(
    queries: Iterable[Query], catalog: Catalog, *, budget: int, most: int | None = None, **given: Any
) -> IndexAdvice:
    """Return the indexes that save most time in an interval, within bytes and a number. ``given`` is as in Workload."""
    return Workload(queries, catalog, **given).advise(budget, most)


@dataclass(eq=False, repr=False)
class Workload:
    """Statements that were read, with their candidates; ``advise`` selects indexes from these.

    queries    statements with the executions and times of the interval
    writes     rows changed in the interval, per schema and table; None: those of the statements
    total_ms   the time of all statements in the interval, if more than those of ``queries``
    least_ms   the time in the interval that an index must save, if more than its least share
    left_out   statements that cannot be analyzed
    around     what the building of an index depends on
    intervals  the intervals that add up to this one, as in ``Query.times``
    """

    queries: Iterable[Query]
    catalog: Catalog
    writes: Mapping[Name, Writes] | None = None
    total_ms: float = 0.0
    least_ms: float = 0.0
    system: System = DEFAULT_SYSTEM
    limits: Limits = DEFAULT_LIMITS
    left_out: Iterable[Account] = ()
    around: Surroundings = NOTHING_KNOWN
    intervals: Sequence[Interval] = ()

    def __post_init__(self) -> None:
        self.queries, self.accounts = list(self.queries), list(self.left_out)
        self.entries: list[Entry] = []
        self.of_table: dict[Name, list[Entry]] = {}
        self.paths: dict[Index | Candidate, Path] = {}
        for query in self.queries:
            entry = read_entry(query, self.catalog, self.system, self.limits, self.paths)
            if isinstance(entry, Account):
                self.accounts.append(entry)
                continue
            self.entries.append(entry)
            for name in entry.tables:
                self.of_table.setdefault(name, []).append(entry)
        self.changes = count_writes(self.entries, self.writes)
        self.writes_known = self.writes is not None or any(entry.statement.kind != "select" for entry in self.entries)
        given = sum(entry.time for entry in self.entries) + sum(each.ms for each in self.accounts)
        self.total = max(self.total_ms, given)
        self.least = max(LEAST_SHARE * self.total, self.least_ms)
        self.write_ms: dict[Candidate, float] = {}
        self.offered: dict[Name, list[Candidate]] = {}
        self.offer(self._collect_candidates())
        self._keep_promising()
        self.offer(merged(self.write_ms, self.catalog, self.limits))

    def offer(self, candidates: Iterable[Candidate]) -> None:
        """Add candidates on known columns."""
        for index in candidates:
            table = self.catalog.get((index.schema, index.table))
            if table is not None and index not in self.write_ms and set(index.columns) <= table.columns.keys():
                self.write_ms[index] = self._write_ms(index)
                self.offered.setdefault((index.schema, index.table), []).append(index)

    def advise(self, budget: int, most: int | None) -> IndexAdvice:
        """Select indexes and describe them."""
        selection, hopeless = self._select(budget, most)
        chosen, shorter = self._narrowed(selection.chosen)
        chosen, small = self._pruned(chosen)
        further = [index for index in selection.further if self._gain(index, chosen) > 0]
        further, narrowed = self._narrowed(further, chosen)
        declined = [self._decline(row, chosen, shorter) for row in (*selection.rejected, *hopeless)]
        declined += [self._declined(index, SHORTER, chosen, by) for index, by in (shorter | narrowed).items()]
        declined += [self._declined(index, SMALL_BESIDE, chosen) for index in small]
        known = {row.index: row for row in declined if row.index not in {*chosen, *further}}
        found = tuple(
            self._describe(index, name, chosen)
            for index, name in name_indexes(chosen, self.catalog, self.around.prefix).items()
        )
        helped = {item.key for each in found for item in each.helped}
        beyond = {
            entry: index
            for index in reversed(further)
            for entry in self._touched([(index.schema, index.table)])
            if entry.left(chosen).share - entry.left([*chosen, index]).share > LEAST_HELP
        }
        accounts = [entry.account(entry.query.key in helped, beyond.get(entry)) for entry in self.entries]
        accounts += self.accounts
        uses = [use for entry in self.entries for use in entry.statement.tables]
        return IndexAdvice(
            self.total,
            self._time(chosen),
            found,
            tuple(sorted(known.values(), key=lambda row: (-row.beside_ms, -row.alone_ms))),
            tuple(advise_statistics(uses, self.catalog)),
            tuple(sorted(accounts, key=lambda each: -each.ms)),
            self._curve(chosen, further),
            budget,
            most,
            {query.key: query.text for query in self.queries},
            self.writes_known,
            self,
        )

    def what_if(self, added: Sequence[Candidate], dropped: Sequence[Index]) -> WhatIf:
        """Return what indexes would do next to the existing ones, and without those that are dropped."""
        old = [
            Candidate(*name, index.keys, index.include)
            for name, table in self.catalog.items()
            for index in table.indexes
            if index in dropped
        ]
        changed, after, unaffected = [], self.total, len(self.entries)
        for entry in self._touched({(index.schema, index.table) for index in (*added, *old)}):
            share = entry.changed(added, dropped)
            after += entry.time * (share - 1)
            if abs(share - 1) > LEAST_HELP:
                unaffected -= 1
                elapsed = entry.query.measured.elapsed_ms
                changed.append(Changed(entry.query.key, entry.query.executions, elapsed, elapsed * share))
        changed.sort(key=lambda each: -each.executions * abs(each.after_ms - each.before_ms))
        sign = [*((index, 1) for index in added), *((index, -1) for index in old)]
        writes = sum(each * self._write_ms(index) for index, each in sign)
        size = sum(each * self._path(index).bytes for index, each in sign)
        return WhatIf(self.total, after, tuple(changed), unaffected, writes, size)

    def _collect_candidates(self) -> list[Candidate]:
        """Return the candidates of all statements, of each table those of the costliest ones."""
        found: dict[Name, dict[Candidate, None]] = {}
        for entry in sorted(self.entries, key=lambda each: -each.time):
            for index in entry.proposal.candidates:
                known = found.setdefault((index.schema, index.table), {})
                if len(known) < MOST_OF_TABLE:
                    known[index] = None
                entry.is_cut = entry.is_cut or index not in known
        return [index for known in found.values() for index in known]

    def _keep_promising(self) -> None:
        """Forget the candidates that save next to nothing in all statements together."""
        saved = dict.fromkeys(self.write_ms, 0.0)
        for entry in self.entries:
            for index in self._list_usable(entry):
                saved[index] += entry.time * (1 - entry.left([index]).share)
        least = LEAST_LISTED * self.least
        self.write_ms = {index: ms for index, ms in self.write_ms.items() if saved[index] > least}
        self.offered = {
            name: [index for index in mine if index in self.write_ms] for name, mine in self.offered.items()
        }

    def _list_usable(self, entry: Entry) -> list[Candidate]:
        of_tables = (index for name in sorted(entry.tables) for index in self.offered.get(name, ()))
        return [index for index in of_tables if entry.could_use(index)]

    def find_index(self, name: str) -> Index | None:
        """Return an existing index by its name, with or without its schema, if only one has it."""
        indexes = (index for table in self.catalog.values() for index in table.indexes)
        found = [index for index in indexes if name in (index.name, f"{index.schema}.{index.name}")]
        return found[0] if len(found) == 1 else None

    def find_losers(self, name: str, added: Sequence[Candidate]) -> list[Changed]:
        """Return the statements that get slower if further indexes are created and an existing one is dropped."""
        index = self.find_index(name)
        found = self.what_if(added, [index]).changed if index else ()
        return [each for each in found if each.after_ms > each.before_ms]

    def _write_ms(self, index: Candidate) -> float:
        name = (index.schema, index.table)
        return write_ms(index, self._path(index), self.catalog[name], self.changes.get(name, Writes()), self.system)

    def _path(self, index: Candidate) -> Path:
        if index not in self.paths:
            self.paths[index] = build_path(index, self.catalog[index.schema, index.table])
        return self.paths[index]

    def _touched(self, tables: Iterable[Name]) -> Iterable[Entry]:
        """Return the statements on some of the tables."""
        return dict.fromkeys(entry for name in tables for entry in self.of_table.get(name, ()))

    def _time(self, indexes: Collection[Candidate], case: Case = Case.EXPECTED) -> float:
        touched = self._touched({(index.schema, index.table) for index in indexes})
        return self.total - sum(entry.time * (1 - entry.left(indexes, case).share) for entry in touched)

    def _net(self, indexes: Collection[Candidate]) -> float:
        return self._time(indexes) + sum(self.write_ms[index] + self.least for index in indexes)

    def _gain(self, index: Candidate, others: Collection[Candidate]) -> float:
        return self._net([*others]) - self._net([*others, index])

    # Selection

    def _select(self, budget: int, most: int | None) -> tuple[Selection[Candidate], list[Rejected[Candidate]]]:
        """Return the best set, and the candidates that save too little with whatever others."""
        groups = {entry: self._groups(entry) for entry in self.entries}
        bounds: dict[Candidate, float] = dict.fromkeys(self.write_ms, 0.0)
        for entry, found in groups.items():
            best: dict[Candidate, float] = {}
            for group, share in found.items():
                for index in group:
                    best[index] = min(share, best.get(index, 1.0))
            for index, share in best.items():
                bounds[index] += entry.time * (1 - share)
        offered = [index for index in self.write_ms if bounds[index] > self.write_ms[index] + self.least]
        places = {index: place for place, index in enumerate(offered)}
        costs: dict[tuple[str, frozenset[Candidate]], float] = {}
        weights: dict[str, float] = {}
        for number, (entry, found) in enumerate(groups.items()):
            possible = {group: share for group, share in found.items() if group <= places.keys()}
            if possible:
                key = f"{number} {entry.query.key}"
                weights[key] = entry.time
                costs.update(((key, group), share) for group, share in possible.items())
                costs[key, frozenset()] = 1.0
        selection = select(
            {index: self.paths[index].bytes for index in offered},
            {group: sorted(group, key=places.__getitem__) for _, group in costs},
            costs,
            budget,
            weights=weights,
            write_costs={index: self.write_ms[index] + self.least for index in offered},
            columns={index: [f"{index.schema}.{index.table}.{name}" for name in index.columns] for index in offered},
            most=most,
        )
        hopeless = [
            index for index in self.write_ms if index not in places and bounds[index] > LEAST_LISTED * self.least
        ]
        return selection, [Rejected(index, Reason.WRITES, bounds[index], bounds[index]) for index in hopeless]

    def _groups(self, entry: Entry) -> dict[frozenset[Candidate], float]:
        """Return the single indexes that help a statement and the combinations of the best ones, with the time left."""
        limit = 1 - LEAST_GAIN
        shares = {index: entry.left([index]).share for index in self._list_usable(entry)}
        helping = sorted((index for index in shares if shares[index] < 1 - 1e-9), key=shares.__getitem__)
        by_table: dict[Name, list[Candidate]] = {}
        for index in helping:
            by_table.setdefault((index.schema, index.table), []).append(index)
        by_use = [by_table.get((use.schema, use.table), [])[:PER_TABLE] for use in entry.statement.tables]
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
        return {group: share for group, share in found.items() if share <= limit}

    def _narrowed(
        self, selected: Sequence[Candidate], beside: Sequence[Candidate] = ()
    ) -> tuple[list[Candidate], dict[Candidate, Candidate]]:
        """Replace an index by one with its first columns if that saves almost as much. Return the replaced ones too."""
        chosen, replaced = list(selected), {}
        for place, index in enumerate(selected):
            others = self.offered[index.schema, index.table]
            shorter = [other for other in others if other not in {*chosen, *beside} and _begins(index, other)]
            rest = [*beside, *chosen[:place], *chosen[place + 1 :]]
            now, without = self._net([*rest, index]), self._net(rest)
            for other in sorted(shorter, key=lambda each: len(each.columns)):
                if self._net([*rest, other]) - now <= NARROWER * (without - now):
                    chosen[place] = replaced[index] = other
                    break
        return chosen, replaced

    def _pruned(self, chosen: list[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
        """Leave out one index after another that saves too little next to the others. Return these too."""
        small: list[Candidate] = []
        while True:
            gains = {index: self._gain(index, [other for other in chosen if other != index]) for index in chosen}
            least = min(gains, key=gains.__getitem__, default=None)
            if least is None or gains[least] > 0:
                return chosen, small
            chosen = [index for index in chosen if index != least]
            small.append(least)

    # Description

    def _curve(self, chosen: Sequence[Candidate], further: Sequence[Candidate]) -> tuple[Point, ...]:
        """Return the saving, write cost and size of the first, the first two, ... indexes."""
        indexes = [*chosen, *further]
        writes = accumulate(self.write_ms[index] for index in indexes)
        sizes = accumulate(self.paths[index].bytes for index in indexes)
        return tuple(
            Point(index, self.total - self._time(indexes[:number]), write, size)
            for number, (index, write, size) in enumerate(zip(indexes, writes, sizes, strict=True), 1)
        )

    def _decline(
        self, row: Rejected[Candidate], chosen: Sequence[Candidate], shorter: Mapping[Candidate, Candidate]
    ) -> Declined:
        by = shorter.get(row.by, row.by) if row.by else None
        reason = str(row.reason)
        if row.reason is Reason.WRITES and row.alone > self.write_ms[row.index]:
            reason = SMALL if row.alone <= self.write_ms[row.index] + self.least else SMALL_BESIDE
        elif row.reason is Reason.CONTAINED and by and not _begins(by, row.index):
            reason = str(Reason.COVERED)
        return self._declined(row.index, reason, chosen, by)

    def _declined(
        self, index: Candidate, reason: str, chosen: Sequence[Candidate], by: Candidate | None = None
    ) -> Declined:
        alone, beside = self.total - self._time([index]), self._time(chosen) - self._time([*chosen, index])
        return Declined(index, reason, alone, beside, self.write_ms[index], by)

    def _describe(self, index: Candidate, name: str, chosen: Sequence[Candidate]) -> Chosen:
        """Return an index with its saving: the time without it less the time with it, next to the other indexes."""
        others = [other for other in chosen if other != index]
        saved = {case: self._time(others, case) - self._time(chosen, case) for case in Case}
        helped, reasons, doubtful, reads = [], dict[str, None](), 0.0, 0.0
        parts = [0.0 for _ in self.intervals]
        for entry in sorted(self._touched([(index.schema, index.table)]), key=lambda each: -each.time):
            without, left = entry.left(others), entry.left(chosen)
            gain = without.share - left.share
            reads += entry.time * (left.reads - without.reads)
            if gain > LEAST_HELP or (left.share < 1 - LEAST_HELP and entry.uses(index, chosen)):
                measured = entry.query.measured
                ms = measured.elapsed_ms
                helped.append(Helped(entry.query.key, ms, ms * left.share, ms * gain, measured.rows_read))
                parts = [part + gain * ms for part, ms in zip(parts, entry.query.times, strict=bool(self.intervals))]
                reasons.update(dict.fromkeys(left.reasons))
                doubtful += entry.time * gain if left.confidence is Confidence.LOW else 0.0
        unreliable = bool(find_gaps(self.catalog[index.schema, index.table]))
        if unreliable:
            reasons[f"Collect statistics of {index.schema}.{index.table} first."] = None
        is_low = unreliable or 2 * doubtful > saved[Case.EXPECTED]
        confidence = Confidence.LOW if is_low else Confidence.MEDIUM
        return Chosen(
            index,
            name,
            saved[Case.EXPECTED],
            min(*saved.values(), LEAST_PART[confidence] * saved[Case.EXPECTED]),
            max(saved.values()),
            saved[Case.EXPECTED] / self.total if self.total else 0.0,
            min(1.0, max(0.0, reads / saved[Case.EXPECTED])) if saved[Case.EXPECTED] > 0 else 0.0,
            self.write_ms[index],
            self.paths[index].bytes,
            estimate_build(self.catalog[index.schema, index.table], self.paths[index], self.system, self.around),
            tuple(helped),
            confidence,
            tuple(reasons),
            tuple(
                each for each, ms in zip(self.intervals, parts, strict=True) if 0 < LEAST_SHARE * each.total_ms <= ms
            ),
        )


def _begins(index: Candidate, other: Candidate) -> bool:
    """Return whether another candidate has the first columns of an index, and no others."""
    same_table = (index.schema, index.table) == (other.schema, other.table)
    return same_table and len(other.keys) < len(index.keys) and index.keys[: len(other.keys)] == other.keys
