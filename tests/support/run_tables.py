"""The tables of a run and the objects of the contract, as a catalog for the fake server's compiler."""

import csv
import re
from functools import cache

from advisor.catalogue.tables import run_tables, snapshot_columns
from tests.standin.api import Relation
from tests.standin.errors import Db2Error
from tests.standin.sql import duck_type, parse_type
from tests.standin.types import Column, SqlType
from tests.support.paths import CONTRACT

TODAY = Column("CURRENT DATE", SqlType("DATE"), nullable=False)

_COLUMN = re.compile(
    r"(?:^|,)\s*(?P<name>\w+) (?P<type>(?:SMALLINT|INTEGER|BIGINT|DOUBLE|DATE|TIMESTAMP|DECIMAL|VARCHAR|CHAR|CLOB)\b"
    r"(?:\([^)]*\))?)[^,]*?(?P<required> NOT NULL)?(?=[,\n]|$)"
)


def columns_of(declared: str) -> tuple[Column, ...]:
    return tuple(Column(m["name"], parse_type(m["type"]), not m["required"]) for m in _COLUMN.finditer(declared))


def quoted(name: str) -> str:
    return ".".join('"' + part + '"' for part in name.split(".", 1))


class Catalog:
    """The tables of a run with their Db2 types; long texts of findings are CLOBs in Db2."""

    def __init__(self) -> None:
        declared = {f"TUNE.{name}": text for name, text in run_tables().items()} | snapshot_columns()
        declared["TUNE.FINDING"] = re.sub(r"_TEXT VARCHAR\(", "_TEXT CLOB(", declared["TUNE.FINDING"])
        self.columns = {name: columns_of(text) for name, text in declared.items()}

    def relation(self, schema: str | None, name: str) -> Relation:
        full = f"{schema}.{name}"
        if full not in self.columns:
            raise Db2Error(-204, "42704", full)
        return Relation(schema or "", name, self.columns[full], quoted(full))

    def table_function(self, schema: str | None, name: str, arguments: int) -> Relation:
        raise Db2Error(-440, "42884", name, "FUNCTION")

    def variable(self, schema: str | None, name: str) -> None:
        return None

    def sequence(self, schema: str | None, name: str) -> tuple[SqlType, str]:
        raise Db2Error(-204, "42704", name)

    def register(self, name: str) -> tuple[Column, str] | None:
        return (TODAY, "CAST(now() AS DATE)") if name == TODAY.name else None

    def mode(self, name: str) -> bool:
        return False

    def written(self, kind: SqlType) -> SqlType:
        return kind


@cache
def contract() -> dict[str, tuple[Column, ...]]:
    """Return the columns of every monitor function and catalog view of the contract, by unqualified name."""
    found: dict[str, tuple[Column, ...]] = {}
    with (CONTRACT / "columns.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name = row["object"].rpartition(".")[2]
            found[name] = (*found.get(name, ()), Column(row["column"], parse_type(row["type"])))
    return found


class Monitored(Catalog):
    """The tables of a run, and the contract's description of a server."""

    def relation(self, schema: str | None, name: str) -> Relation:
        if schema == "TUNE":
            return super().relation(schema, name)
        return Relation(schema or "", name, contract()[name], quoted(f"{schema}.{name}"))

    def table_function(self, schema: str | None, name: str, arguments: int) -> Relation:
        return self.relation(schema or "SYSPROC", name)

    def register(self, name: str) -> tuple[Column, str] | None:
        kind = SqlType("TIMESTAMP", 6) if name == "CURRENT TIMESTAMP" else SqlType("VARCHAR", 128)
        return Column(name, kind, nullable=False), f"CAST(getvariable('{name}') AS {duck_type(kind)})"
