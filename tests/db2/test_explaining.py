"""EXPLAIN of cached statements: each is compiled as the application compiled it."""

import re
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from advisor.db2.explaining import confirm
from advisor.db2.failures import Db2Failure
from advisor.indexes.advice import IndexAdvice
from advisor.indexes.catalog import Key
from advisor.indexes.shapes import Candidate

ENVIRONMENTS = {
    "7": [("SCHEMA", "SHOP  "), ("PATH", '"SYSIBM","SHOP"'), ("ISOLATION", "UR"), ("QUERY_OPTIMIZATION", "2"), ("DEGREE", "1")],
    "8": [("SCHEMA", 'O"DD'), ("PATH", "SYSIBM; DROP TABLE X"), ("ISOLATION", "CS"), ("QUERY_OPTIMIZATION", "5")],
}  # fmt: skip


class Db2:
    """Plays a connection: notes under which schema, path, isolation and class each text is compiled."""

    def __init__(self, refuses: str = "") -> None:
        self.refuses = refuses
        self.now = {"SCHEMA": '"ME"', "PATH": '"SYSIBM","ME"', "ISOLATION": "RESET", "QUERY OPTIMIZATION": "5"}
        self.compiled: list[tuple[str, tuple[str, ...]]] = []
        self.inserted: list[dict[str, Any]] = []

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        if self.refuses and self.refuses in sql:
            raise Db2Failure("SQL0551N  no privilege  SQLSTATE=42501")
        if sql.startswith("VALUES (CURRENT SCHEMA"):
            return iter([("ME      ", '"SYSIBM","ME"', "RESET", 5)])
        if sql.startswith("VALUES"):
            return iter([("2026-01-01-00.00.00",)])
        if "COMPILATION_ENV" in sql:
            return iter(ENVIRONMENTS[parameters[0]])
        return iter([("ME",)] if "SYSCAT.TABLES" in sql else [(10.0, None)] if "TOTAL_COST" in sql else [])

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        if found := re.match(r"SET (?:CURRENT )?(SCHEMA|PATH|ISOLATION|QUERY OPTIMIZATION) (.*)", sql):
            self.now[found[1]] = found[2]
        elif found := re.match(r"INSERT INTO \S+ \((.*?)\)\s+VALUES \((.*?)\)", sql, re.DOTALL):
            names, values = ([part.strip() for part in found[at].split(",")] for at in (1, 2))
            given = iter(parameters)
            self.inserted.append(dict(zip(names, [next(given) if v == "?" else v for v in values], strict=True)))
        return 0

    def describe(self, sql: str) -> list[tuple[str, str]]:
        self.compiled.append((sql, tuple(self.now.values())))
        return []

    def rollback(self) -> None:
        pass


def explain(db2: Db2, **texts: str) -> None:
    index = Candidate("SHOP", "ORDERS", (Key("SHIPPED"), Key("TOTAL", descending=True)))
    helped = tuple(SimpleNamespace(key=key) for key in texts)
    chosen = SimpleNamespace(index=index, name="IX_1", helped=helped)
    confirm(db2, IndexAdvice(1.0, 1.0, chosen=(chosen,), texts=texts))  # type: ignore[arg-type]


def test_statements_are_compiled_in_their_own_environment() -> None:
    db2 = Db2()
    explain(db2, **{"1/7": "SELECT 1 FROM ORDERS", "2/8": "SELECT 2 FROM ORDERS", "ABC": "SELECT 3 FROM ORDERS"})
    own = ('"ME"', '"SYSIBM","ME"', "RESET", "5")
    assert set(db2.compiled) == {
        ("SELECT 1 FROM ORDERS", ('"SHOP"', '"SYSIBM","SHOP"', "UR", "2")),
        ("SELECT 2 FROM ORDERS", ('"O""DD"', '"SYSIBM","ME"', "CS", "5")),  # its path is not a list of names
        ("SELECT 3 FROM ORDERS", own),
    }


def test_without_the_privilege_the_own_environment_is_used() -> None:
    db2 = Db2(refuses="COMPILATION_ENV")
    explain(db2, **{"1/7": "SELECT 1 FROM ORDERS"})
    assert {environment for _, environment in db2.compiled} == {('"ME"', '"SYSIBM","ME"', "RESET", "5")}


def test_virtual_index_has_no_statistics_of_its_own() -> None:
    """As what-if programs write it that ran on Db2; UNIQUE_COLCOUNT is -1 if duplicates are allowed (r0002417)."""
    db2 = Db2()
    explain(db2, **{"1/7": "SELECT 1 FROM ORDERS"})
    (row,) = db2.inserted
    assert (row["COLNAMES"], row["UNIQUERULE"], row["COLCOUNT"], row["UNIQUE_COLCOUNT"]) == (
        "+SHIPPED-TOTAL",
        "D",
        2,
        -1,
    )
    unknown = {"NLEAF", "NLEVELS", "CLUSTERRATIO", "CLUSTERFACTOR", "SEQUENTIAL_PAGES", "DENSITY", "PCTFREE"}
    unknown |= {"AVGPARTITION_CLUSTERRATIO", "AVGPARTITION_CLUSTERFACTOR", "FIRSTKEYCARD", "FULLKEYCARD"}
    assert {row[name] for name in unknown} == {"-1"}
    assert row["MINPCTUSED"] == "0"
