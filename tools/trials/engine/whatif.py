"""What-if costs of PostgreSQL's planner with hypothetical indexes (HypoPG)."""

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import permutations

from advisor.indexes.catalog import Catalog
from advisor.indexes.statement import TableUse, read_statement
from tools.trials.engine.cases import Definition, Text
from tools.trials.engine.engine import Engine, Run

TERMS = 5  # columns of a table reference that are permuted
KEYS = 3  # of a permutation
WIDEST = 6  # columns of a covering index


def propose_all(texts: Iterable[Text], catalog: Catalog, schema: str) -> list[Definition]:
    """Return each order of up to three columns that a statement names per table, also with those that cover it."""
    found: dict[Definition, None] = {}
    for text in texts:
        for use in read_statement(text.sql, catalog, schema).tables:
            found.update(dict.fromkeys(_permuted(use)))
    return list(found)


def _permuted(use: TableUse) -> Iterable[Definition]:
    equal, joined = [item.column for item in use.equal], [join.column for join in use.joins]
    directions = {item.column: " DESC" for item in use.order if item.descending}
    ordered = [item.column for item in use.order]
    terms = list(dict.fromkeys((*equal, *joined, *use.ranges, *use.likes, *ordered, *use.group)))[:TERMS]
    for size in range(1, KEYS + 1):
        for columns in permutations(terms, size):
            keys = tuple(column.lower() + directions.get(column, "") for column in columns)
            yield Definition(use.table.lower(), keys)
            more = [column.lower() for column in use.needed or () if column not in columns]
            if more and not use.is_target and len(keys) + len(more) <= WIDEST:
                yield Definition(use.table.lower(), (*keys, *more))


class WhatIf:
    """The estimated time of statements with hypothetical indexes: measured time x cost with / cost without them."""

    def __init__(self, engine: Engine, runs: Mapping[str, Run]) -> None:
        self.engine = engine
        engine.use(())
        self.words = {text: set(re.findall(r"[a-z_0-9]+", text.sql.lower())) for text in engine.texts}
        self.now = {text: text.executions * runs[text.name].ms for text in engine.texts}
        self.costs: dict[tuple[Text, frozenset[Definition]], float] = {}
        self.sizes: dict[Definition, int] = {}
        self.tables = {text: engine.tables_of(text) for text in engine.texts}

    def size(self, definitions: Collection[Definition]) -> int:
        """Return the bytes of indexes by HypoPG's estimate."""
        for each in definitions:
            if each not in self.sizes:
                self._create([each])
        return sum(self.sizes[each] for each in definitions)

    def time(self, definitions: Collection[Definition]) -> float:
        """Return the time of the workload with indexes, without the cost to maintain them."""
        return sum(self.time_of(text, definitions) for text in self.engine.texts)

    def time_of(self, text: Text, definitions: Iterable[Definition]) -> float:
        """Return the time of the executions of a statement with indexes."""
        mine = frozenset(each for each in definitions if self._could_use(text, each))
        before = self._cost(text, frozenset())
        return self.now[text] * self._cost(text, mine) / before if before else self.now[text]

    def _cost(self, text: Text, definitions: frozenset[Definition]) -> float:
        if (text, definitions) not in self.costs:
            self._create(definitions)
            self.costs[text, definitions] = float(self.engine.explain(text)["Total Cost"])
        return self.costs[text, definitions]

    def _could_use(self, text: Text, definition: Definition) -> bool:
        if definition.table not in self.tables[text]:
            return False
        first = definition.columns[0].removesuffix(" DESC")
        return first in self.words[text] or self.words[text].issuperset(definition.columns)

    def prime(self, definitions: Iterable[Definition]) -> None:
        """Ask for the cost of each statement with each single index: one index after another."""
        for each in definitions:
            self._create([each])
            for text in self.engine.texts:
                if self._could_use(text, each):
                    self.costs[text, frozenset([each])] = float(self.engine.explain(text)["Total Cost"])
        self._create(())

    def _create(self, definitions: Iterable[Definition]) -> None:
        self.engine.select("SELECT hypopg_reset()")
        for each in definitions:
            sql = (
                f"SELECT hypopg_relation_size(indexrelid) AS size FROM hypopg_create_index('CREATE INDEX ON {each.on}')"
            )
            self.sizes[each] = int(self.engine.select(sql)[0]["size"])
