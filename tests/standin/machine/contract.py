"""The objects of the watched database, as tests/contract/ lists them."""

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.standin.types import Column, SqlType

CONTRACT = Path(__file__).parents[2] / "contract"

Level = tuple[int, ...]

_TYPE = re.compile(r"(?P<name>\w+)(?:\((?P<length>\d+)(?P<unit>[KM]?)(?:,(?P<scale>\d+))?\))?(?P<bits> FOR BIT DATA)?$")
_UNITS = {"": 1, "K": 2**10, "M": 2**20}
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_DUCKDB = {"CHAR": "VARCHAR", "VARCHAR": "VARCHAR", "CLOB": "VARCHAR", "BINARY": "BLOB", "VARBINARY": "BLOB"}
_KINDS = {"table_function": "function", "admin_view": "view", "catalog_view": "view"}


@dataclass(frozen=True)
class Listed:
    """A column of the contract; ``since`` is the level by which it is known to be there."""

    column: Column
    since: Level


@dataclass(frozen=True)
class Argument:
    """An argument of a table function."""

    name: str
    type: SqlType
    optional: bool


@dataclass(frozen=True)
class Definition:
    """A table function (kind function), administrative view or catalog view (kind view)."""

    schema: str
    name: str
    kind: str
    columns: tuple[Listed, ...]
    arguments: tuple[Argument, ...] = ()


def level(text: str) -> Level:
    """The last version number that a text names, as a tuple that compares; empty when it names none."""
    found = _VERSION.findall(text)
    return tuple(int(part) for part in found[-1].split(".")) if found else ()


def sql_type(text: str) -> SqlType:
    match = _TYPE.match(text)
    if match is None:
        raise ValueError(f"contract: no type {text!r}")
    length = int(match["length"] or 0) * _UNITS[match["unit"] or ""]
    if match["name"] == "TIMESTAMP":
        length = length or 6
    return SqlType(match["name"], length, int(match["scale"] or 0), match["bits"] is not None)


def duckdb_type(kind: SqlType) -> str:
    """The type that holds values of a Db2 type in DuckDB."""
    if kind.bit_data:
        return "BLOB"
    if kind.name == "DECIMAL":
        return f"DECIMAL({kind.length},{kind.scale})"
    return _DUCKDB.get(kind.name, kind.name)


@cache
def definitions() -> dict[tuple[str, str], Definition]:
    """Every object of which a column was seen in documentation or in use; what is from memory alone is left out."""
    listed: dict[tuple[str, str, str], list[Listed]] = defaultdict(list)
    for row in _rows("columns.csv"):
        if row["confidence"] != "memory":
            key = (row["schema"], row["object"].split(".")[-1], _KINDS[row["kind"]])
            listed[key].append(Listed(Column(row["column"], sql_type(row["type"])), level(row["since_version"])))
    found = [
        Definition(schema, name, kind, tuple(columns), signatures().get(name, ()) if kind == "function" else ())
        for (schema, name, kind), columns in listed.items()
    ]
    return {(item.schema, item.name): item for item in found + _outside()}


def _outside() -> list[Definition]:
    """Objects of SYSIBM that every client expects and the contract, being about the product, does not list."""
    columns = {
        "SYSDUMMY1": {"IBMREQD": "CHAR(1)"},
        "SYSVERSIONS": {
            "VERSIONNUMBER": "INTEGER",
            "VERSION_TIMESTAMP": "TIMESTAMP",
            "AUTHID": "VARCHAR(128)",
            "VERSIONBUILDLEVEL": "VARCHAR(32)",
        },
    }
    return [
        Definition("SYSIBM", name, "view", tuple(Listed(Column(n, sql_type(t)), ()) for n, t in types.items()))
        for name, types in columns.items()
    ]


@cache
def signatures() -> dict[str, tuple[Argument, ...]]:
    """The arguments of every table function, in order."""
    found: dict[str, list[Argument]] = defaultdict(list)
    for row in _rows("signatures.csv"):
        arguments = found[row["function"]]
        if row["position"] != "0":
            arguments.append(Argument(row["argument"], sql_type(row["type"]), row["note"].startswith("optional")))
    return {name: tuple(arguments) for name, arguments in found.items()}


@cache
def applied(scope: str) -> dict[str, str]:
    """When a change of each parameter of ``db`` or ``dbm`` takes effect: immediate, reactivate or restart."""
    return {row["name"]: row["apply"] for row in _rows("config_params.csv") if row["scope"] == scope}


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (CONTRACT / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
