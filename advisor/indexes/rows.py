"""The tables of a workload, from the rows of the collected sources."""

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

from advisor.indexes.catalog import Column, Definition, Index, Key, Table
from advisor.indexes.paths import average_bytes

Row = Mapping[str, Any]
Name = tuple[str, str]

PAGE_SIZES = (4096, 8192, 16384, 32768)
SOURCES = ("cat_table", "cat_column", "cat_key_column", "index", "table", "cat_tablespace")
_NAME = ("TABSCHEMA", "TABNAME")
_FIRST_CARDS = ("FIRSTKEYCARD", "FIRST2KEYCARD", "FIRST3KEYCARD", "FIRST4KEYCARD")
_INCLUDED, _RANDOM, _GROUP, _OTHER = "I", "R", "G", "O"  # COLORDER


def build_catalog(rows: Mapping[str, Iterable[Row]]) -> dict[Name, Table]:
    """Return the tables with known columns, and other objects, by schema and name.

    ``rows`` are those of one snapshot, by source. An index that is not a plain one (on XML or spatial data, blocks, or in
    random order) is left out; of one on an expression, only the expression is kept. Texts may have columns without any
    value of a table.
    """
    page_sizes = {row["TBSPACE"]: row["PAGESIZE"] for row in rows.get("cat_tablespace", ())}
    columns = _group_rows(row for row in rows.get("cat_column", ()) if row.get("MUCH_READ") != 0)
    keys = list(rows.get("cat_key_column", ()))
    others = {
        _table(row): Table(*_table(row), definition=_definition(row)) for row in keys if row["COLORDER"] == _OTHER
    }
    expressions: dict[Name, list[tuple[str, str]]] = {}
    for row in keys:
        if row["COLSEQ"] == 1 and row.get("DEFINITION"):
            expressions.setdefault(_table(row), []).append((row["INDNAME"], row["DEFINITION"]))
    indexes, groups = _read_keys((row for row in keys if row["COLORDER"] != _OTHER), rows.get("index", ()))
    changed: dict[Name, int] = {}
    for row in rows.get("table", ()):
        changed[_table(row)] = changed.get(_table(row), 0) + (row.get("STATS_ROWS_MODIFIED") or 0)
    return others | {
        name: _size_table(
            name,
            columns={row["COLNAME"]: _column(row) for row in sorted(columns[name], key=lambda row: row["COLNO"] or 0)},
            rows=_known(row.get("CARD")),
            pages=_known(row.get("NPAGES")),
            page_size=page_sizes.get(row.get("INDEX_TBSPACE") or row.get("TBSPACE")),
            column_organized=row.get("TABLEORG") == "C",
            indexes=tuple(indexes.get(name, ())),
            rows_changed=changed.get(name),
            groups=groups.get(name, {}),
            expressions=tuple(expressions.get(name, ())),
        )
        for row in [*rows.get("cat_table", ())] or [dict(zip(_NAME, name, strict=True)) for name in columns]
        if (name := _table(row)) in columns
    }


def _definition(row: Row) -> Definition:
    base = row.get("BASE_SCHEMA") or "", row.get("BASE_NAME") or ""
    is_alias = row["INDNAME"] == "A"
    return Definition(row["INDNAME"], base if is_alias else None, "" if is_alias else base[0], row.get("DEFINITION"))


def _size_table(name: Name, *, page_size: int | None, pages: int | None, **facts: Any) -> Table:
    """Return a table. An unknown page size is the smallest that holds the rows, unknown pages are those they fill."""
    rows, width = facts["rows"] or 0, sum(map(average_bytes, facts["columns"].values()))
    filled = [size for size in PAGE_SIZES if rows * width <= (pages or 0) * size]
    page_size = page_size or (min(filled, default=PAGE_SIZES[-1]) if pages else Table.page_size)
    return Table(
        *name, page_size=page_size, pages=ceil(rows * width / page_size) if pages is None and rows else pages, **facts
    )


def _column(row: Row) -> Column:
    collected = [row.get(name) for name in ("NMOSTFREQ", "NQUANTILES")]
    return Column(
        row["COLNAME"],
        row.get("TYPENAME") or "",
        row.get("LENGTH"),
        _known(row.get("COLCARD")),
        _known(row.get("NUMNULLS")),
        _known(row.get("AVGCOLLEN")),
        row.get("LOW2KEY") or None,
        row.get("HIGH2KEY") or None,
        None if None in collected else any(number > 0 for number in collected if number is not None),
        _known(row.get("FREQUENT_ROWS")),
        row.get("FREQUENT_VALUE") or None,
    )


def _read_keys(
    rows: Iterable[Row], described: Iterable[Row]
) -> tuple[dict[Name, list[Index]], dict[Name, dict[frozenset[str], int]]]:
    """Return the plain indexes and the column groups of each table."""
    facts = {(row["INDSCHEMA"], row["INDNAME"]): row for row in described}
    keys: dict[tuple[Name, Name, bool], list[Row]] = {}
    for row in rows:
        name = row["INDSCHEMA"], row["INDNAME"]
        keys.setdefault((_table(row), name, row["COLORDER"] == _GROUP), []).append(row)
    indexes: dict[Name, list[Index]] = {}
    groups: dict[Name, dict[frozenset[str], int]] = {}
    for (table, name, is_group), mine in keys.items():
        if is_group:
            if (card := _known(mine[0].get("GROUP_CARD"))) is not None:
                groups.setdefault(table, {})[frozenset(row["COLNAME"] for row in mine)] = card
        elif index := _index(name, sorted(mine, key=lambda row: row["COLSEQ"]), facts.get(name, {})):
            indexes.setdefault(table, []).append(index)
    return indexes, groups


def _index(name: Name, columns: list[Row], facts: Row) -> Index | None:
    if facts.get("PLAIN_KEY", 1) == 0 or facts.get("INDEXTYPE", "REG") not in ("REG", "CLUS"):
        return None
    if any(row["COLORDER"] == _RANDOM for row in columns):
        return None
    ratio, factor = facts.get("CLUSTERRATIO"), facts.get("CLUSTERFACTOR")
    return Index(
        *name,
        tuple(Key(row["COLNAME"], row["COLORDER"] == "D") for row in columns if row["COLORDER"] != _INCLUDED),
        tuple(row["COLNAME"] for row in columns if row["COLORDER"] == _INCLUDED),
        facts.get("UNIQUERULE") or "D",
        not facts or bool(facts.get("SYSTEM_REQUIRED")) or facts.get("UNIQUERULE") == "P",
        _known(facts.get("NLEVELS")),
        _known(facts.get("NLEAF")),
        _known(facts.get("FULLKEYCARD")),
        tuple(_known(facts.get(column)) for column in _FIRST_CARDS),
        factor if factor is not None and factor >= 0 else ratio / 100 if ratio is not None and ratio >= 0 else None,
        _known(facts.get("AGE_D")),
    )


def _group_rows(rows: Iterable[Row]) -> dict[Name, list[Row]]:
    found: dict[Name, list[Row]] = {}
    for row in rows:
        found.setdefault(_table(row), []).append(row)
    return found


def _table(row: Row) -> Name:
    return row["TABSCHEMA"], row["TABNAME"]


def _known(value: int | None) -> int | None:
    """Return a statistic, None if it was not collected (-1)."""
    return value if value is not None and value >= 0 else None
