"""Indexes for the statements of one state, from the rows of its views and sources."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from advisor.indexes.advice import Chosen, IndexAdvice, Query
from advisor.indexes.costs import DEFAULT_SYSTEM, System
from advisor.indexes.ddl import include_text, key_text
from advisor.indexes.pricing import Confidence, Measured, Writes
from advisor.indexes.rows import build_catalog
from advisor.indexes.workload import advise_indexes
from advisor.quoting import quoted

Row = dict[str, Any]

MOST_QUERIES = 60  # with the most time; similar statements count as one
MOST_INDEXES = 10
SIZE_PART = 0.5  # own: size of all proposed indexes, as a part of their tables' size
CONFIDENCE = {Confidence.LOW: 0.4, Confidence.MEDIUM: 0.7}
LEAST_PART = {Confidence.LOW: 0.3, Confidence.MEDIUM: 0.7}  # own: of the expected saving, if the model is wrong
CUT_BYTES = 4000  # of a collected text

_LITERAL = re.compile(r"'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b|\s+")


@dataclass(frozen=True)
class Proposal:
    """The advice for the statements of a state. ``groups`` are similar statements by the key of their query."""

    advice: IndexAdvice
    groups: Mapping[str, list[Row]]

    @classmethod
    def from_rows(cls, statements: list[Row], given: Mapping[str, list[Row]]) -> Self:
        """Advise indexes. ``given`` are the rows of sources, of writes per table and of the database's own speed."""
        catalog = build_catalog(given)
        writes = {
            (row["TABSCHEMA"], row["TABNAME"]): Writes(row["INSERTED"] or 0, row["DELETED"] or 0, row["UPDATED"] or 0)
            for row in given["writes"]
        }
        groups = _group_statements(statements)
        queries = [_query(group) for group in list(groups.values())[:MOST_QUERIES]]
        words = set[str]().union(*(re.findall(r"\w+", query.text.upper()) for query in queries))
        size = sum((table.pages or 0) * table.page_size for name, table in catalog.items() if name[1].upper() in words)
        advice = advise_indexes(
            queries,
            catalog,
            budget=int(SIZE_PART * size),
            writes=writes,
            most=MOST_INDEXES,
            total_ms=max(statements[0]["TOTAL_ACT_TIME"] or 0, sum(row["ACT_MS"] for row in statements)),
            system=_read_system(given["system"]),
        )
        return cls(advice, groups)

    def rows(self) -> Iterator[tuple[str, list[Any]]]:
        """Yield the rows of PROPOSED_INDEX and PROPOSED_INDEX_USE, with their table."""
        first = {(item.schema, item.table): item.command for item in self.advice.statistics if item.comes_first}
        for number, chosen in enumerate(self.advice.chosen, 1):
            if chosen.helped and chosen.high_ms > 0:
                runstats = first.get((chosen.index.schema, chosen.index.table))
                yield "PROPOSED_INDEX", self._row(number, chosen, runstats)
                for statement in self._helped(chosen):
                    yield "PROPOSED_INDEX_USE", [number, statement]

    def _helped(self, chosen: Chosen) -> dict[str, Row]:
        return {row["STATEMENT"]: row for item in chosen.helped for row in self.groups[item.key]}

    def _row(self, number: int, chosen: Chosen, runstats: str | None) -> list[Any]:
        index, main, helped = chosen.index, chosen.helped[0], self._helped(chosen)
        low_ms = min(chosen.low_ms, LEAST_PART[chosen.confidence] * chosen.saved_ms)
        read = chosen.high_ms * chosen.read_part
        waits = read * _wait_part(helped.values())
        return [
            number,
            index.schema,
            chosen.name,
            index.schema,
            index.table,
            key_text(index),
            include_text(index),
            int(index.is_unique),
            f"{quoted(index.widens.schema)}.{quoted(index.widens.name)}" if index.widens else None,
            chosen.bytes / 1e6,
            main.key,
            len(helped),
            main.before_ms,
            main.after_ms,
            chosen.high_ms - read,
            read - waits,
            waits,
            max(0.0, low_ms - chosen.write_ms) / chosen.high_ms,
            max(0.0, chosen.saved_ms - chosen.write_ms) / chosen.high_ms,
            chosen.write_ms,
            CONFIDENCE[chosen.confidence],
            runstats,
            " ".join(chosen.reasons)[:1000] or None,
        ]


def _group_statements(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the statements that differ only in literals and blanks, by the first one, most time first."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if (row["STMT_TEXT_LENGTH"] or CUT_BYTES + 1) <= CUT_BYTES:
            groups.setdefault(_LITERAL.sub(_replace_literal, row["STMT_TEXT"].strip()), []).append(row)
    ordered = sorted(groups.values(), key=lambda group: -sum(row["ACT_MS"] for row in group))
    return {group[0]["STATEMENT"]: group for group in ordered}


def _replace_literal(found: re.Match[str]) -> str:
    return " " if found[0].isspace() else "?"


def _query(group: list[Row]) -> Query:
    """Return statements as one, with the averages of an execution. Times by agents may exceed the elapsed time."""
    executions = sum(row["EXECUTIONS"] for row in group)

    def each(*columns: str) -> float | None:
        known = [sum(row[name] for name in columns) for row in group if all(row[name] is not None for name in columns)]
        return sum(known) / executions if len(known) == len(group) else None

    measured = Measured(
        each("ACT_MS") or 0.0,
        each("CPU_MS"),
        each("READ_MS", "PREFETCH_WAIT_MS"),
        each("SORT_MS"),
        each("ROWS_READ"),
        each("ROWS_USED"),
    )
    return Query(group[0]["STATEMENT"], group[0]["STMT_TEXT"], executions, measured)


def _read_system(rows: list[Row]) -> System:
    """Return what the database measured, with assumptions for the rest."""
    row = rows[0] if rows else {}

    def divide(above: str, below: str, otherwise: float) -> float:
        return row[above] / row[below] if row.get(above) is not None and row.get(below) else otherwise

    return System(
        divide("READ_MS", "READS", DEFAULT_SYSTEM.page_ms),
        min(1.0, divide("INDEX_READS", "INDEX_REQUESTS", DEFAULT_SYSTEM.miss)),
        row.get("PAGES") or DEFAULT_SYSTEM.buffer_pages,
        row.get("SORTHEAP") or DEFAULT_SYSTEM.sort_pages,
    )


def _wait_part(rows: Iterable[Row]) -> float:
    """Return the part of the read time that is prefetch waits."""
    waits = reads = 0.0
    for row in rows:
        waits, reads = waits + (row["PREFETCH_WAIT_MS"] or 0), reads + (row["READ_MS"] or 0)
    return waits / (waits + reads) if waits + reads else 0.0
