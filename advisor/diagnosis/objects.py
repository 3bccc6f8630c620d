"""Blocks of statistics as db2exfmt ("Objects Used in Access Plan") and EXPLAIN_FORMAT_STATS print them, and db2advis."""

import re
from collections.abc import Iterable, Iterator, Sequence

from advisor.diagnosis.listings import integer
from advisor.diagnosis.tables import Tables, read_ddl
from advisor.indexes.catalog import Index, Key
from advisor.plans.graph import number

_LABEL = re.compile(r"\s*([A-Z][A-Za-z0-9 /]{2,40}?)\s*:\s*(.*?)\s*")
_KEY = re.compile(r"\s*\"?([\w$#@]+)\"?\s*\(([AD])[a-z]*\)")
_RECOMMENDED = re.compile(r"LIST OF RECOMMENDED INDEXES(.*?)(?:RECOMMENDED EXISTING INDEXES|UNUSED EXISTING|\Z)", re.S)
_UNUSED = re.compile(r"^--\s*DROP INDEX[^\n]*\n?", re.M)


def _blocks(lines: Iterable[str]) -> Iterator[tuple[dict[str, str], list[Key]]]:
    """Yield the values of each object by label, and the columns of an index."""
    values: dict[str, str] = {}
    keys: list[Key] = []
    for line in lines:
        if match := _LABEL.fullmatch(line):
            if match[1] == "Schema" and values.get("Type"):
                yield values, keys
                values, keys = {}, []
            values[match[1]] = match[2]
        elif "Columns in index" in values and (match := _KEY.fullmatch(line)):
            keys.append(Key(match[1], match[2] == "D"))
    if values.get("Type"):
        yield values, keys


def read_objects(lines: Sequence[str], tables: Tables) -> None:
    """Add the statistics of tables and indexes, and the key columns of indexes."""
    for values, keys in _blocks(lines):
        name = (values.get("Schema", ""), values.get("Name", ""))
        is_index = values["Type"].startswith("Index")
        if is_index:
            name = (values.get("Base Table Schema", ""), values.get("Base Table Name", ""))
        if not name[1] or not (is_index or values["Type"].startswith("Table")):
            continue
        facts = tables.of(name)
        rows = number(values.get("Number of rows", ""))
        if is_index:
            facts.add_index(
                values.get("Schema", ""),
                values.get("Name", ""),
                keys,
                distinct=integer(values.get("Index full key cardinality")),
                first_distinct=(integer(values.get("Index first key cardinality")),),
                leaf_pages=integer(values.get("Index leaf pages")),
                levels=integer(values.get("Index tree levels")),
            )
            continue
        facts.stats_time = values.get("Last statistics update", facts.stats_time)
        facts.pages = integer(values.get("Number of buffer pool pages")) or facts.pages
        if rows is not None:
            facts.has_no_statistics = facts.has_no_statistics or rows < 0
            facts.rows, facts.told = (rows, "CARD") if rows >= 0 else (facts.rows, facts.told)


def cut_recommended(text: str) -> tuple[str, list[tuple[tuple[str, str], Index]]]:
    """Return a text without the output of db2advis, and the indexes that this recommends, each with its table."""
    match = _RECOMMENDED.search(text)
    if match is None:
        return text, []
    tables = Tables()
    read_ddl(match[1], tables)
    found = [(facts.name, index) for facts in tables.values() for index in facts.indexes.values()]
    return _UNUSED.sub("", text[: match.start()] + text[match.end(1) :]), found
