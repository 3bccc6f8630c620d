"""The effect of mutants on a judged state: which findings and rows of the list differ."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

import apsw

from advisor.catalogue import views
from advisor.catalogue.rules import Rule, Threshold
from advisor.catalogue.sqltext import references
from advisor.catalogue.tables import FINDING_COLUMNS
from advisor.judgement.indexes import index_queries
from advisor.judgement.run import find_needed_views
from tools.trials.mutation.mutants import Mutant
from tools.trials.mutation.parsing import find_rule, limit_time, parse_mutant, view_name

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables


class Comparison:
    """The tables of a judged state, in which mutants are tried and taken back.

    ``reads`` are the views of the list that matter.
    """

    def __init__(self, tables: "Tables", rules: Sequence[Rule], reads: Iterable[str]) -> None:
        self._tables = tables
        closed = {name for (name,) in tables.fetch("SELECT RULE FROM TUNE.GATE")}
        self._rules = {rule.name: rule for rule in rules if rule.name not in closed}
        self._model, self._rank = find_needed_views(rules), views.rank_views()
        self._read_by_python = {name for sql in index_queries(rules) for name in references(sql)}
        self._reads = {*reads}
        self._rows: dict[str, object] = {}

    def differs(self, mutant: Mutant) -> bool:
        """Return whether findings, or rows of the list, differ from those of the original."""
        rule = find_rule(mutant.file)
        if rule:
            return rule.name in self._rules and self._rule_differs(rule, parse_mutant(mutant) or rule)
        name = view_name(mutant)
        if name == views.CHOICE:
            return bool(self._tables.fetch("SELECT 1 FROM TUNE.FINDING LIMIT 1"))
        original = (self._model | self._rank).get(name)
        if original is None or self._fetch(mutant.mutated) == self._fetch_once(original):
            return False
        with self._taken_back():
            try:
                with limit_time():
                    return self._changes_list(name, mutant.mutated)
            except (apsw.Error, TimeoutError):
                return True

    def _rule_differs(self, rule: Rule, mutated: Rule) -> bool:
        defaults = [new for old, new in zip(rule.thresholds, mutated.thresholds, strict=True) if old != new]
        selects, statements = (rule.select, mutated.select), (rule.statement, mutated.statement)
        pairs = [selects, statements] if defaults or mutated.select != rule.select else [statements]
        return all(self._fetch(other, defaults, rule.name) != self._fetch_once(sql) for sql, other in pairs)

    def _changes_list(self, name: str, select: str) -> bool:
        """Return whether other rows of a view reach a finding or the list."""
        changed: set[str] = set()
        self._replace(self._model, name, select, changed)
        if "GATE" in changed or changed & self._read_by_python:
            return True
        for rule in self._rules.values():
            if references(rule.statement) & changed and self._finds_other(rule):
                return True
        self._replace(self._rank, name, select, changed)
        return bool(changed & (self._reads | references(views.next_choice())))

    def _finds_other(self, rule: Rule) -> bool:
        found = f"SELECT {', '.join(FINDING_COLUMNS)} FROM TUNE.FINDING WHERE RULE = ?"
        return Counter(self._tables.fetch(rule.statement)) != Counter(self._tables.fetch(found, [rule.name]))

    def _replace(self, listed: dict[str, str], name: str, select: str, changed: set[str]) -> None:
        """Compute a view with another SELECT, and the views that read changed ones; add the changed ones."""
        for view, sql in listed.items():
            if view == name or references(sql) & changed:
                before = Counter(self._tables.fetch(f"SELECT * FROM TUNE.{view}"))
                self._tables.empty([view])
                self._tables.execute(f"INSERT INTO TUNE.{view} {select if view == name else sql}")
                if Counter(self._tables.fetch(f"SELECT * FROM TUNE.{view}")) != before:
                    changed.add(view)

    def _fetch_once(self, sql: str) -> object:
        if sql not in self._rows:
            self._rows[sql] = self._fetch(sql)
        return self._rows[sql]

    def _fetch(self, sql: str, defaults: Sequence[Threshold] = (), rule: str = "") -> object:
        """Return rows without their order, with other defaults of a rule; an error differs from all rows."""
        update = "UPDATE TUNE.OPTION SET VALUE = ? WHERE PROVENANCE <> 'site' AND RULE = ? AND NAME = ?"
        try:
            with self._taken_back() if defaults else nullcontext(), limit_time():
                for option in defaults:
                    self._tables.execute(update, [repr(option.value), rule, option.name])
                return Counter(self._tables.fetch(sql))
        except (apsw.Error, TimeoutError) as error:
            return error

    @contextmanager
    def _taken_back(self) -> Iterator[None]:
        """Take back what happens to the tables."""
        self._tables.execute("SAVEPOINT MUTANT")
        try:
            yield
        finally:
            with suppress(apsw.SQLError):  # an interrupted INSERT takes it back, too
                self._tables.execute("ROLLBACK TO MUTANT")
                self._tables.execute("RELEASE MUTANT")
