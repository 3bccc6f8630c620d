"""A machine state in the command line processor: CONNECT, and a SELECT of every view of a source."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from advisor.catalogue.sources import Column, all_sources
from tests.support.states import Row, State

WIDTHS = {"SMALLINT": 6, "INTEGER": 11, "BIGINT": 20, "DOUBLE": 24, "TIMESTAMP": 26}
SERVERS = {"Linux": "LINUXX8664", "AIX": "AIX64", "Windows": "NT64"}
# No view has these columns: they are computed, or not reported by Db2.
WITHOUT = ("cat_key_column", "hostfact", "lock_wait", "partition_map")

_PLAIN = re.compile(r"(?:(?:COALESCE|HEX|RTRIM)\()?(?P<alias>[TX])\.(?P<name>\w+)\b(?:\)|, [^)]*\))?(?: AS \w+)?")
_IN_BOTH = {"TABSCHEMA", "TABNAME", "IID"}  # of the indexes
_VIEW = re.compile(r"(?:FROM|JOIN|,) (?P<view>[\w.]+(?:\([^()]*(?:\([^()]*\))?\))?) AS (?P<alias>[TX])\b")


def shown(source: str) -> dict[str, list[tuple[str, Column]]]:
    """Return a source's columns by view, with their names in the view."""
    item = all_sources()[source]
    view_of = {match["alias"]: match["view"] for match in _VIEW.finditer(item.tail)}
    if match := _VIEW.search(item.head):  # ranked by the statement before it selects
        view_of["T"] = match["view"]
    views: dict[str, list[tuple[str, Column]]] = {view: [] for view in view_of.values()}
    for column in item.columns:
        plain = _PLAIN.fullmatch(column.expression)
        if plain is None:
            continue
        # the key columns are in both views
        for view in views.values() if column.name in _IN_BOTH else [views[view_of[plain["alias"]]]]:
            view.append((plain["name"], column))
    return views


HOLDS: dict[str, tuple[str, ...]] = {
    source: tuple(dict.fromkeys(column.name for pairs in shown(source).values() for _, column in pairs))
    for source, item in all_sources().items()
    if source not in WITHOUT and item.db2_object != item.table  # texts alone fill the others
}


def printed(state: State, statements: bool = True) -> str:
    """Return all listings of a state, each after its statement, which can be omitted."""
    database = state.database
    lines = [
        "db2 => connect to " + database["name"],
        "",
        "   Database Connection Information",
        "",
        f" Database server        = DB2/{SERVERS[database['platform']]} {database['level']}",
        " SQL authorization ID   = DB2INST1",
        f" Local database alias   = {database['name']}",
        "",
    ]
    for source in HOLDS:
        for view, pairs in shown(source).items():
            if statements:
                lines += [
                    "db2 => select " + ", ".join(name for name, _ in pairs) + " \\",
                    f"db2 (cont.) => from {view} as t",
                    "",
                ]
            lines += listing(pairs, state.sources.get(source, []))
    return "\n".join(lines) + "\n"


def listing(pairs: list[tuple[str, Column]], rows: Iterable[Row]) -> Iterator[str]:
    """Return one listing: names, dashes, rows, and their number."""
    widths = [_width(name, column) for name, column in pairs]
    yield _line([name for name, _ in pairs], widths, [False] * len(pairs))
    yield " ".join("-" * width for width in widths)
    right = [column.type in WIDTHS and column.type != "TIMESTAMP" for _, column in pairs]
    count = 0
    for row in rows:
        yield _line([cell(row.get(column.name), column) for _, column in pairs], widths, right)
        count += 1
    yield from ("", f"  {count} record(s) selected.", "", "")


def large(megabytes: int) -> Iterator[str]:
    """Yield blocks of a text of about this size: all columns of MON_GET_BUFFERPOOL, and some of MON_GET_TABLE."""
    left = megabytes << 20
    block = 0
    while left > 0:
        for source, columns in (
            ("bufferpool", None),
            ("table", ("TABSCHEMA", "TABNAME", "MEMBER", "ROWS_READ", "TABLE_SCANS")),
        ):
            pairs = [pair for pair in next(iter(shown(source).values())) if columns is None or pair[0] in columns]
            rows = (
                {c.name: f"N{block}_{n}" if c.type.startswith("V") else n % 100 for _, c in pairs} for n in range(4000)
            )
            text = "\n".join(listing(pairs, rows)) + "\n"
            left -= len(text)
            yield text
        block += 1


def _width(name: str, column: Column) -> int:
    width = WIDTHS.get(column.type) or int(column.type.removeprefix("VARCHAR(").removesuffix(")"))
    return max(width, len(name), 66 if name == "EXECUTABLE_ID" else 0) + (1 if name == "EXECUTABLE_ID" else 0)


def _line(cells: list[str], widths: list[int], right: list[bool]) -> str:
    places = zip(cells, widths, right, strict=True)
    return " ".join(cell.rjust(width) if end else cell.ljust(width) for cell, width, end in places)


def cell(value: Any, column: Column) -> str:
    """Return a value as the command line processor writes it."""
    if value is None:
        return "-"
    if column.name == "EXECUTABLE_ID":
        return f"x'{value}'"
    if column.type == "TIMESTAMP":
        return datetime.fromisoformat(str(value)).strftime("%Y-%m-%d-%H.%M.%S.%f")
    if column.type == "DOUBLE":
        mantissa, exponent = f"{float(value):+.14E}".split("E")
        return f"{mantissa}E{int(exponent):+04d}"
    return str(value)
