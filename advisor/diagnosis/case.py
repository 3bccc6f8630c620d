"""One slow statement with its facts, and the parts of an answer."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlglot import exp

from advisor.diagnosis.paste import Paste
from advisor.diagnosis.rewrites import Rewrite
from advisor.diagnosis.tables import Facts
from advisor.indexes.catalog import Catalog, Key
from advisor.indexes.costs import Plan as Costs
from advisor.indexes.costs import System
from advisor.indexes.ddl import name_indexes
from advisor.indexes.scopes import fold
from advisor.indexes.selectivity import Case as Estimate
from advisor.indexes.shapes import Candidate
from advisor.indexes.statement import Statement, TableUse, read_statement
from advisor.plans.plan import JOINS, Name, Operator, Plan
from advisor.quoting import quoted

TINY_PAGES = 20  # own: pages of a table that no index makes faster
FEW = 0.01  # own: part of an index
SLOW_S = 0.2  # own: seconds of an execution that finds its rows by an index
MANY_FETCHED = 5000  # own: rows that an index finds and that each are fetched from the table
PAGE_MS = 0.1  # own: of a page of the model, if most are in the buffer pool
MISJUDGED = 10.0  # field: an estimate that is wrong by a factor of ten is called a misestimate
_SORTS = re.compile(
    r"\bsorts?\b[^.]{0,40}(?:%|cost|slow|spill|expensive|takes)|\bplan sorts|SORT_OVERFLOWS [1-9]", re.I
)
_FIRST = re.compile(
    r"\b(?:first|top|only) (\d[\d,]{0,8})(?: rows?)?(?: (?:are|is|will be))? (?:fetch|read|shown|needed|display)", re.I
)
_PLAIN = re.compile(r"[A-Z][A-Z0-9_]*")


@dataclass(frozen=True)
class Proposal:
    """Something to do. ``saves`` are the least and the most of the statement's time, None if nothing tells.

    ``weight`` orders proposals: what a sign of the input proves comes before what the model expects.
    """

    title: str
    why: str
    steps: tuple[str, ...]
    undo: tuple[str, ...] = ()
    saves: tuple[float, float] | None = None
    costs: str = ""
    proof: str = ""
    notes: tuple[str, ...] = ()
    weight: float = 0.5
    source: str = ""
    check: str = ""


@dataclass(frozen=True)
class Right:
    """Something that was examined and is right."""

    text: str
    check: str = ""


@dataclass
class Case:
    """A statement, its plan and its tables, with what the checks share.

    ``rewrite`` is the proposed form of the statement, which the indexes are for.
    """

    paste: Paste
    rewrite: Rewrite | None = None
    found: list[Proposal] = field(default_factory=list)

    @property
    def plan(self) -> Plan | None:
        return self.paste.plan

    @property
    def statement(self) -> Statement:
        return self.paste.statement

    @cached_property
    def goal(self) -> Statement:
        """Return the statement that indexes are for."""
        found = self.statement
        if self.rewrite:
            found = read_statement(self.rewrite.sql, self.catalog, self.paste.default_schema)
        first = _FIRST.search(self.paste.sentences)
        limit = int(first[1].replace(",", "")) if first and len(found.tables) == 1 else None
        return replace(found, limit=found.limit or limit)

    @cached_property
    def sorts_much(self) -> bool:
        """Return whether the text or the plan says that a sort takes the time."""
        sorts = (each for each in (self.plan.operators.values() if self.plan else ()) if each.type == "SORT")
        return _SORTS.search(self.paste.sentences) is not None or any(
            self.own_costs.get(each.number, 0) > 0.3 for each in sorts
        )

    def correlated(self) -> list[Name]:
        """Return the tables of correlated subqueries that have a value, which Db2 evaluates per row."""
        found = []
        for query in self.paste.tree.find_all(exp.Subquery) if self.paste.tree is not None else ():
            own = {table.alias_or_name.upper() for table in query.find_all(exp.Table)}
            outer = any(column.table and column.table.upper() not in own for column in query.find_all(exp.Column))
            if outer and not isinstance(query.parent, (exp.From, exp.Join)):
                found += [(fold(table.args.get("db")), fold(table.this)) for table in query.find_all(exp.Table)]
        return found

    def combined(self) -> list[Operator]:
        """Return the index scans whose row identifiers are intersected (index ANDing)."""
        below = (
            [self.plan.below(each.number) for each in self.plan.operators.values() if each.type == "IXAND"]
            if self.plan
            else []
        )
        return [each for some in below for each in some if each.type == "IXSCAN"]

    def scanned_in_loops(self) -> list[Operator]:
        """Return the scans of a large table or of a whole index that a nested-loop join repeats."""
        plan = self.plan
        inner = plan.looped() if plan else set()
        found = [plan.operators[number] for number in inner] if plan else []
        return [
            each
            for each in found
            if each.type in ("TBSCAN", "IXSCAN")
            and each.object
            and (each.object.rows or 0) > 1000
            and (each.type == "TBSCAN" or (each.rows or 0) > 0.5 * (each.object.rows or 0))
        ]

    @cached_property
    def catalog(self) -> Catalog:
        """Return the tables; values that are guessed are fewer if the measured time says that more rows are read."""
        if self.paste.known is not None:
            return self.paste.known
        guesses = self.paste.guesses | self._values_of_plan()
        planned = self._values_of_plan().keys()
        seconds = self.paste.seconds
        found = self.paste.build(guesses)
        for factor in (1.0, 10.0, 100.0, 1000.0, 10_000.0):
            fewer = {key: value if key in planned else max(2.0, value / factor) for key, value in guesses.items()}
            everything = {
                (name, column): fewer.get((name, column), max(2.0, (self.rows(name) ** 0.5) / factor))
                for name, columns in self.paste.columns.items()
                for column in columns
            }
            found = self.paste.build(everything)
            statement = read_statement(self.paste.text, found, self.paste.default_schema)
            if seconds is None or Costs(statement, found).total.units * PAGE_MS >= 300 * seconds:
                break
        return found

    def _values_of_plan(self) -> dict[tuple[Name, str], float]:
        """Return the numbers of values that the rows of the plan mean."""
        found: dict[tuple[Name, str], float] = {}
        if self.plan is None:
            return found
        statement = read_statement(self.paste.text, self.paste.catalog, self.paste.default_schema)
        looped = self.plan.looped()
        for use in statement.tables:
            facts = self.facts((use.schema, use.table))
            readers = self.plan.tables().get(facts.name, []) if facts else []
            top = next((each for each in readers if each.counted is not None), None)
            if top is None or facts is None or not facts.rows or top.counted is None:
                continue
            rows = top.actual if top.actual is not None and top.number not in looped else top.rows
            part = max(1e-9, min(1.0, (rows or 1.0) / facts.rows))
            columns = [each.column for each in use.equal]
            columns += [join.column for join in use.joins] if top.number in looped else []
            if columns and not use.ranges and part < 1:
                found |= {((use.schema, use.table), column): (1 / part) ** (1 / len(columns)) for column in columns}
        return found

    def facts(self, name: Name) -> Facts | None:
        """Return the facts of a table."""
        return self.paste.tables.find(name)

    def rows_read(self) -> tuple[float, float] | None:
        """Return the rows that an execution reads and returns, if the figures show that it reads far more."""
        runs = self.paste.figure("NUM_EXEC_WITH_METRICS", "NUM_EXECUTIONS")
        read, returned = self.paste.figure("ROWS_READ"), self.paste.figure("ROWS_RETURNED", "ROWS_MODIFIED") or 0.0
        return (read / runs, returned / runs) if runs and read and read > MISJUDGED * max(returned, runs) else None

    def index_commands(self, index: Candidate) -> tuple[str, str, str]:
        """Return the name of a proposed index, and the commands that create and drop it."""
        facts = self.facts((index.schema, index.table))
        schema = facts.name[0] if facts else index.schema
        name = name_indexes([index], self.catalog)[index]
        full, table = table_text((schema, name)), table_text((schema, index.table))
        unique = "UNIQUE " if index.is_unique else ""
        include = f" INCLUDE ({', '.join(map(plain, index.include))})" if index.include else ""
        statistics = "COLLECT SAMPLED DETAILED STATISTICS"
        create = f"CREATE {unique}INDEX {full} ON {table} ({key_list(index.keys)}){include} {statistics}"
        return name, create, f"DROP INDEX {full}"

    def used_name(self, name: Name) -> str:
        """Return the schema with which the statement names a table: empty if it names none."""
        return next((each[0] for each in self.paste.names if each[1] == name[1] and each[0] in ("", name[0])), name[0])

    def rows(self, name: Name) -> float:
        """Return the rows of a table, a million if nothing is known."""
        facts = self.facts(name)
        return 1_000_000 if facts is None or facts.rows is None else facts.rows

    def is_tiny(self, name: Name) -> bool:
        """Return whether a table is known to have so few pages that nothing makes it faster."""
        facts = self.facts(name)
        if facts is None or (facts.rows is None and facts.pages is None):
            return False
        scan = next((each for each in self.readers(name) if each.type == "TBSCAN"), None)
        if scan and scan.io is not None and scan.io > TINY_PAGES:
            return False
        return (facts.pages or (facts.rows or 0) / 40) < TINY_PAGES and (facts.file_pages or 0) < TINY_PAGES

    def readers(self, name: Name) -> list[Operator]:
        """Return the operators that read a table."""
        facts = self.facts(name)
        return self.plan.tables().get(facts.name if facts else name, []) if self.plan else []

    def use_of(self, name: Name) -> TableUse | None:
        """Return the first reference of the statement to a table."""
        return next((use for use in self.statement.tables if (use.schema, use.table) == name), None)

    @cached_property
    def own_costs(self) -> dict[int, float]:
        """Return the share of the plan's cost that each operator has of its own; that of a loop is its inner side's."""
        plan = self.plan
        total = plan.cost if plan else None
        if plan is None or not total or all(each.cost is None for each in plan.operators.values()):
            return {}
        found = {number: (plan.own_cost(each) or 0.0) / total for number, each in plan.operators.items()}
        for each in plan.operators.values():
            inner = plan.inner(each) if each.type == "NLJOIN" else None
            target = next((below for below in plan.below(inner.number) if below.table), None) if inner else None
            if target:
                found[target.number] = min(1.0, found[target.number] + found[each.number])
                found[each.number] = 0.0
        return {number: min(1.0, share) for number, share in found.items()}

    def fetches_much(self, name: Name) -> bool:
        """Return whether rows that an index finds are shown to take time: by the plan, or by measured seconds."""
        rows = max((each.counted or 0.0 for each in self.readers(name)), default=0.0)
        return rows >= MANY_FETCHED or (self.paste.seconds or 0.0) >= SLOW_S

    def finds_rows(self, fetch: Operator) -> Operator | None:
        """Return the index scan below a fetch if it has few entries that are not fetched, and few of the index."""
        scan = (
            self.plan.operators.get(fetch.inputs[0]) if self.plan and fetch.type == "FETCH" and fetch.inputs else None
        )
        if scan is None or scan.type != "IXSCAN" or scan.rows is None or fetch.rows is None:
            return None
        total = scan.object.rows if scan.object else None
        is_few = total is None or scan.rows < FEW * total
        return scan if is_few and scan.rows <= 2 * max(1.0, fetch.rows) and scan.rows < MANY_FETCHED else None

    def part_of(self, name: Name) -> float | None:
        """Return the share of the plan's cost that reading a table takes; None without costs."""
        shares = [self.own_costs.get(each.number, 0.0) for each in self.readers(name)]
        return min(1.0, sum(shares)) if self.own_costs else None

    def misjudged(self) -> Iterator[tuple[Operator, float]]:
        """Yield operators whose counted rows are far from the estimate, with the factor."""
        for each in self.plan.operators.values() if self.plan else ():
            if each.actual is not None and each.rows is not None:
                factor = max(each.actual, 1.0) / max(each.rows, 1.0)
                if factor >= MISJUDGED or factor <= 1 / MISJUDGED:
                    yield each, factor

    def cost_with(self, indexes: Iterable[object] = (), case: Estimate = Estimate.EXPECTED) -> float:
        """Return the model's cost of the goal with further indexes."""
        return self._costs(case).cost(indexes).units  # type: ignore[arg-type]

    def _costs(self, case: Estimate) -> Costs:
        known: dict[Estimate, Costs] = self.__dict__.setdefault("_plans", {})
        if case not in known:
            known[case] = Costs(self.goal, self.catalog, case, System())
        return known[case]

    def joins(self) -> Iterator[Operator]:
        """Yield the joins of the plan."""
        yield from (each for each in (self.plan.operators.values() if self.plan else ()) if each.type in JOINS)


def plain(name: str) -> str:
    """Return an identifier as it is typed: delimited only if it must be."""
    return name if _PLAIN.fullmatch(name) else quoted(name)


def table_text(name: Name) -> str:
    """Return schema and name as they are typed."""
    return ".".join(plain(part) for part in name if part)


def key_list(keys: Iterable[Key]) -> str:
    """Return the key columns with their order."""
    return ", ".join(plain(key.column) + (" DESC" if key.descending else "") for key in keys)


def count_text(value: float | None) -> str:
    """Return a number of rows for people."""
    if value is None:
        return "an unknown number of"
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2g}"


def percent(share: float) -> str:
    """Return a share in per cent."""
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1g} %"
