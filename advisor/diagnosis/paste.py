"""The text, plan, tables, figures and sentences that a person pastes about one statement."""

import re
from dataclasses import dataclass, field
from functools import cached_property

from sqlglot import exp

from advisor.diagnosis.guesses import guess_values
from advisor.diagnosis.listings import Row
from advisor.diagnosis.tables import Tables, amount, build_catalog
from advisor.indexes.catalog import Catalog, Index
from advisor.indexes.dialect import parse
from advisor.indexes.scopes import fold
from advisor.indexes.shapes import Candidate
from advisor.indexes.simplify import UnreadableTextError
from advisor.indexes.statement import Statement, read_statement
from advisor.plans.graph import number
from advisor.plans.plan import Name, Plan

_TIME = re.compile(r"(\d[\d,.]*)\s*(ms|milliseconds?|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?)\b(?! ago)", re.I)
_SECONDS = {"ms": 0.001, "mi": 60.0, "h": 3600.0, "s": 1.0}
_RUNS = re.compile(
    r"(\d[\d,.]*)\s*(million|thousand|k)?\s*(?:times|executions|calls)\s*(?:per|a|an|each|every|/)\s*(second|minute|hour|day|night)",
    re.I,
)
_FIXED = re.compile(
    r"(?:sql|statement|quer(?:y|ies)|code|application|software|program|it)\b[^.\n]{0,60}\b(?:is fixed|are fixed|is bought|cannot be changed|can(?:'t|not) (?:be )?(?:chang|modif|alter|touch)\w*|not (?:possible|allowed) to (?:change|modify)|is generated|third.party|vendor)"
    r"|(?:can(?:'t|not)|unable to|not able to) (?:change|modify|rewrite|touch|alter) the (?:sql|statement|query|code|application)|(?:third.party|vendor|packaged|bought) (?:application|software|sql|app)",
    re.I,
)
_FRESH = re.compile(
    r"(?:runstats|statistics|stats)\b[^.\n]{0,40}\b(?:current|up.to.date|fresh|from (?:this morning|today|last night|yesterday)|(?:was|were|has been|have been|is|are|were just|just) (?:run|done|executed|updated|collected|ran)|daily|nightly)|(?:ran|run|did|executed|done|updated|collected|after)\s+(?:a\s+)?(?:full\s+|the\s+)?(?:reorg\s*(?:and|/|,)\s*)?(?:runstats|statistics)",
    re.I,
)


@dataclass(frozen=True)
class Advised:
    """The index advice of a capture for the statement: indexes, each with its share of the time, or the reason."""

    indexes: tuple[tuple[Candidate, float], ...] = ()
    reason: str = ""


@dataclass
class Paste:
    """What was read. ``text`` is the statement, ``prose`` the rest without plans and listings.

    ``recommended`` are the indexes of db2advis, ``unread`` the reasons why parts could not be understood. ``measured`` are figures of the package cache.
    """

    text: str = ""
    plan: Plan | None = None
    tables: Tables = field(default_factory=Tables)
    registry: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    level: str = ""
    prose: str = ""
    whole: str = ""
    measured: Row = field(default_factory=dict)
    listings: list[list[Row]] = field(default_factory=list)
    foreign_keys: list[tuple[str, str, Name, tuple[str, ...]]] = field(default_factory=list)
    recommended: list[tuple[Name, Index]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    default_schema: str = ""
    optimized_at: list[int] = field(default_factory=list)
    known: Catalog | None = None
    proposed: Advised | None = None

    @cached_property
    def tree(self) -> exp.Expr | None:
        """Return the syntax tree of the statement, None if it cannot be read."""
        try:
            return parse(self.text) if self.text else None
        except UnreadableTextError as error:
            self.unread.append(f"the statement: {error}")
            return None

    @cached_property
    def statement(self) -> Statement:
        """Return the tables and predicates of the statement."""
        return read_statement(self.text, self.catalog, self.default_schema) if self.tree else Statement("other")

    @cached_property
    def names(self) -> list[Name]:
        """Return schema and name of the tables that the statement names, then those of the plan."""
        found: dict[Name, None] = {}
        if self.tree is not None:
            ctes = {cte.alias.upper() for cte in self.tree.find_all(exp.CTE)}
            for table in self.tree.find_all(exp.Table):
                name = (fold(table.args.get("db")), fold(table.this))
                if name[1] and not (name[1] in ctes and not name[0]):
                    found[name] = None
        for name in self.plan.tables() if self.plan else ():
            if not any(name[1] == other[1] and "" in (name[0], other[0]) for other in found):
                found[name] = None
        return list(found)

    @cached_property
    def columns(self) -> dict[Name, list[str]]:
        """Return the columns of each table that the statement uses, as far as they are distinct."""
        found: dict[Name, list[str]] = {name: [] for name in self.names}
        if self.tree is None:
            return found
        aliases: dict[str, Name] = {}
        for table in self.tree.find_all(exp.Table):
            name = (fold(table.args.get("db")), fold(table.this))
            if name in found:
                aliases[(table.alias or table.name).upper()] = name
                aliases.setdefault(table.name.upper(), name)
        for column in self.tree.find_all(exp.Column):
            text = fold(column.this)
            owner = aliases.get(column.table.upper()) if column.table else self._owner(column, text)
            if owner and text not in found[owner] and text != "*":
                found[owner].append(text)
        return found

    def _owner(self, column: exp.Column, text: str) -> Name | None:
        """Return the table of an unqualified column: one that has it, or the only one of its query."""
        scope = column.find_ancestor(exp.Select, exp.Update, exp.Delete)
        while scope is not None:
            own = []
            for table in scope.find_all(exp.Table):
                if table.find_ancestor(exp.Select, exp.Update, exp.Delete) is scope:
                    name = (fold(table.args.get("db")), fold(table.this))
                    own += [name] if name in self.names else []
            having = [name for name in own if (facts := self.tables.find(name)) and text in facts.columns]
            if len(having) == 1 or len(own) == 1:
                return having[0] if having else own[0]
            scope = scope.find_ancestor(exp.Select, exp.Update, exp.Delete)
        return None

    @cached_property
    def catalog(self) -> Catalog:
        """Return the tables with their columns, rows and indexes: known ones, guesses for the rest."""
        if self.known is not None:
            return self.known
        return self.build(self.guesses)

    @cached_property
    def guesses(self) -> dict[tuple[Name, str], float]:
        """Return the guessed numbers of values of columns."""
        return {} if self.tree is None else guess_values(self.tree, self.columns, self.tables)

    def build(self, guesses: dict[tuple[Name, str], float]) -> Catalog:
        """Return the tables with these numbers of values."""
        tests = self.tree.find_all(exp.Is) if self.tree is not None else ()
        nullable = frozenset(fold(test.this.this) for test in tests if isinstance(test.this, exp.Column))
        return build_catalog(self.tables, self.columns, guesses, nullable)

    @property
    def sentences(self) -> str:
        """Return prose and comments in one line."""
        return " ".join(self.prose.split())

    def figure(self, *names: str) -> float | None:
        """Return the first of these monitor elements that was pasted."""
        return next((value for name in names if (value := number(self.measured.get(name, ""))) is not None), None)

    @cached_property
    def seconds(self) -> float | None:
        """Return the elapsed seconds of one execution, from figures, otherwise the longest of the sentences."""
        runs = self.figure("NUM_EXEC_WITH_METRICS", "NUM_EXECUTIONS")
        total = self.figure("TOTAL_ACT_TIME", "STMT_EXEC_TIME", "COORD_STMT_EXEC_TIME")
        if runs and total is not None:
            return total / runs / 1000
        found = [
            value * _SECONDS.get(match[2].lower()[:2], _SECONDS.get(match[2].lower()[:1], 1.0))
            for match in _TIME.finditer(self.prose)
            if (value := amount(match[1], None)) is not None
        ]
        return max(found, default=None)

    @cached_property
    def runs(self) -> str:
        """Return how often it runs, in the words of the text."""
        match = _RUNS.search(self.prose)
        return match[0] if match else ""

    @property
    def is_fixed(self) -> bool:
        """Return whether the text of the statement cannot be changed."""
        return _FIXED.search(self.sentences) is not None

    @property
    def has_fresh_statistics(self) -> bool:
        """Return whether the text says that statistics are current."""
        return _FRESH.search(self.sentences) is not None and not re.search(
            r"since|never|no runstats|before runstats", self.sentences, re.I
        )
