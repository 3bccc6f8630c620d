"""The statements of a workload that were read, each with its plans and the time that indexes leave."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from advisor.indexes.advice import Account, Outcome, Query
from advisor.indexes.candidates import Proposal, propose
from advisor.indexes.catalog import Catalog, Index
from advisor.indexes.costs import Plan, System
from advisor.indexes.ddl import describe_index
from advisor.indexes.paths import Path
from advisor.indexes.pricing import DISAGREEMENT, Confidence, Left, Writes, chill, price
from advisor.indexes.selectivity import Case
from advisor.indexes.shapes import Candidate, Limits
from advisor.indexes.statement import Statement, read_statement

SKEWED = (
    "The statement returns far fewer rows than its statistics suggest. Collect distribution statistics first; with "
    "parameter markers, Db2 may not use the index."
)
OTHER = "Neither a query nor a data change. The statements that it runs count separately."
CROWDED = "Too many statements use its tables: only the indexes for the costliest of these were compared."
NO_TABLE = "It reads no table."
UNUSED = (
    "With the existing indexes it should read about {:,.0f} rows per execution; it reads {:,.0f}. Collect statistics of {},"
    " compile it again (FLUSH PACKAGE CACHE DYNAMIC, or REBIND its package), then look at its plan."
)
YOUNG = "Index {} is younger than its plan. Compile it again: FLUSH PACKAGE CACHE DYNAMIC, or REBIND its package."
MORE = "An index on {} helps; others save more. db2tune indexes --count lists more indexes."
TOO_SMALL = "No index saves enough of its time."

Name = tuple[str, str]

_ALL = Left(1.0, Confidence.MEDIUM)


@dataclass(eq=False)
class Entry:
    """A statement that was read; ``is_cut`` if some of its candidates were not compared."""

    query: Query
    statement: Statement
    proposal: Proposal
    catalog: Catalog
    system: System
    shapes: dict[Index | Candidate, Path]
    plans: dict[Case, Plan] = field(default_factory=dict)
    is_cut: bool = False
    known: dict[tuple[Case, frozenset[Candidate]], Left] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.time = self.query.time
        joined: dict[tuple[str | None, str | None], set[str | None]] = {}
        for use in self.statement.tables:
            for join in use.joins:
                joined.setdefault((use.schema, use.table), set()).add(join.column)
                joined.setdefault((join.schema, join.table), set()).add(join.other_column)
        self.columns: dict[Name, list[tuple[Collection[str | None], set[str], set[str] | None]]] = {}
        for use in self.statement.tables:
            name = (use.schema, use.table)
            compared = {*(equal.column for equal in use.equal), *use.ranges, *use.likes}
            ordered = (key.column for key in use.order)
            first = {*compared, *ordered, *use.group, *use.distinct, *joined.get(name, ())}
            needed = None if use.needed is None or use.is_target else set(use.needed)
            self.columns.setdefault(name, []).append((first, compared, needed))
        self.tables = self.columns.keys()

    def plan(self, case: Case) -> Plan:
        """Return the plan for an estimate of the rows."""
        if case not in self.plans:
            used = self.query.measured.rows_used
            self.plans[case] = Plan(self.statement, self.catalog, case, self.system, used, self.shapes)
        return self.plans[case]

    @cached_property
    def ignores_index(self) -> bool:
        """Return whether an existing index finds the rows of the only table, and the statement read far more."""
        plan, read = self.plan(Case.EXPECTED), self.query.measured.rows_read or 0.0
        rows = plan.total.rows + plan.total.covered
        is_found = len(self.statement.tables) == 1 and not plan.is_skewed
        is_found = is_found and any(rows < (step.table.rows or 0) for step in plan.steps)
        return is_found and read > DISAGREEMENT * max(1.0, rows)

    def left(self, indexes: Iterable[Candidate], case: Case = Case.EXPECTED) -> Left:
        """Return the share of the time that is left with indexes."""
        mine = frozenset(index for index in indexes if (index.schema, index.table) in self.tables)
        if (case, mine) not in self.known:
            plan = self.plan(case)
            picked = self.plan(Case.EXPECTED).pick(mine)
            if not picked or self.ignores_index:
                self.known[case, mine] = _ALL
                return _ALL
            after = plan.follow(picked)
            found = price(plan.total, after, self.query.measured, self.system.execution_ms)
            if (factor := self.system.factor) != 1:
                share = max(0.0, 1 - factor * (1 - found.share))
                found = replace(found, share=share, reads=factor * found.reads)
            if case is Case.HIGH:
                found = chill(found, plan.total, after, self.query.measured, self.system.page_ms)
            if plan.is_skewed:
                found = replace(found, confidence=Confidence.LOW, reasons=(*found.reasons, SKEWED))
            self.known[case, mine] = found
        return self.known[case, mine]

    def uses(self, index: Candidate, chosen: Iterable[Candidate]) -> bool:
        """Return whether the plan with the chosen indexes uses one of them, even if another one would do."""
        return index in self.plan(Case.EXPECTED).pick(each for each in chosen if self.could_use(each)).values()

    def changed(self, added: Iterable[Candidate], dropped: Collection[Index]) -> float:
        """Return the time with further indexes and without existing ones, as a share of the time now."""
        plan = self.plan(Case.EXPECTED)
        is_slower = plan.cost((), dropped) != plan.total
        after = plan.cost([index for index in added if (index.schema, index.table) in self.tables], dropped)
        if after == plan.total:
            return 1.0
        return price(plan.total, after, self.query.measured, self.system.execution_ms, is_slower).share

    def could_use(self, index: Candidate) -> bool:
        """Return whether an index begins with, compares or covers columns that the statement uses."""
        columns = set(index.columns)
        return any(
            index.keys[0].column in first
            or not columns.isdisjoint(compared)
            or (needed is not None and needed <= columns)
            for first, compared, needed in self.columns.get((index.schema, index.table), ())
        )

    def account(self, is_helped: bool, beyond: Candidate | None = None) -> Account:
        """Return what the analysis came to; ``beyond`` is an index that helps, but is beyond the limits."""
        if is_helped:
            return Account(self.query.key, self.time, Outcome.HELPED)
        if beyond:
            found = MORE.format(describe_index(beyond))
            return Account(self.query.key, self.time, Outcome.BEYOND, found, found)
        if self.is_cut:
            return Account(self.query.key, self.time, Outcome.LEFT_OUT, CROWDED)
        unknown = [each for each in self.proposal.skipped if not each.is_answer]
        outcome = Outcome.LEFT_OUT if unknown else Outcome.SERVED
        reasons = {
            each.reason: f"{each.schema}.{each.table}: {each.reason}" for each in unknown or self.proposal.skipped
        }
        found = " ".join(reasons.values()) if unknown or not self.proposal.candidates else TOO_SMALL
        remedy = self._find_remedy() if outcome is Outcome.SERVED else ""
        if remedy and remedy not in found:
            found = f"{found} {remedy}"
        return Account(self.query.key, self.time, outcome, found or NO_TABLE, remedy)

    def _find_remedy(self) -> str:
        """Return what would help instead of a new index."""
        found = dict.fromkeys(item.text for item in self.statement.hindrances if item.remedy)
        if not found and self.ignores_index:
            plan, read = self.plan(Case.EXPECTED), self.query.measured.rows_read or 0.0
            young = [
                f"{index.schema}.{index.name}"
                for use in self.statement.tables
                for index in self.catalog[use.schema, use.table].indexes
                if index.keys[0].column in {*(item.column for item in use.equal), *(join.column for join in use.joins)}
                and index.age_days is not None
                and 86_400 * index.age_days < (self.query.cached_s or 0.0)
            ]
            tables = ", ".join(sorted(f"{schema}.{name}" for schema, name in self.tables))
            return YOUNG.format(young[0]) if young else UNUSED.format(plan.total.rows, read, tables)
        return " ".join(found)


def read_entry(
    query: Query, catalog: Catalog, system: System, limits: Limits, shapes: dict[Index | Candidate, Path]
) -> Entry | Account:
    """Return a statement with its plans, or the reason why it cannot be analyzed. ``shapes`` keeps those of indexes."""
    statement = read_statement(query.text, catalog, query.schema)
    if statement.reason or statement.kind == "other":
        return Account(query.key, query.time, Outcome.LEFT_OUT, statement.reason or OTHER)
    return Entry(query, statement, propose(statement, catalog, limits), catalog, system, shapes)


def count_writes(entries: Iterable[Entry], given: Mapping[Name, Writes] | None) -> Mapping[Name, Writes]:
    """Return the rows changed per table, as given or by the statements, with those that statements change per column."""
    found: dict[Name, Writes] = {}
    for entry in entries:
        counted = {"insert": "inserted", "update": "updated", "delete": "deleted"}.get(entry.statement.kind)
        rows = entry.query.executions * (entry.query.measured.rows_used or 0.0)
        for use in entry.statement.tables:
            if use.is_target:
                have = found.get((use.schema, use.table), Writes())
                changed = {column: have.by_column.get(column, 0.0) + rows for column in use.changed}
                more = {counted: getattr(have, counted) + rows} if counted else {}
                found[use.schema, use.table] = replace(have, by_column={**have.by_column, **changed}, **more)
    if given is None:
        return found
    columns = {name: each.by_column for name, each in found.items()}
    return {name: replace(each, by_column={**columns.get(name, {}), **each.by_column}) for name, each in given.items()}
