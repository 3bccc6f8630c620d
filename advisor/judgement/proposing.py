"""Indexes for the statements of a period, from the rows of views and sources."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from advisor.indexes.advice import Account, Chosen, IndexAdvice, Outcome, Query
from advisor.indexes.building import Surroundings
from advisor.indexes.costs import DEFAULT_SYSTEM, System
from advisor.indexes.ddl import PREFIX, include_text, key_text
from advisor.indexes.pricing import Confidence, Measured, Writes
from advisor.indexes.rows import build_catalog
from advisor.indexes.workload import advise_indexes
from advisor.judgement.periods import CUT_BYTES, Period, Row, has_whole_text
from advisor.quoting import quoted

MOST_QUERIES = 2000  # with the most time; similar statements count as one
LATE = f"Only the {MOST_QUERIES:,} statements with the most time are analyzed."
NO_TEXT = "Its text was not collected."
CUT = (
    "Only the first part of its {:,} bytes was collected. SELECT STMT_TEXT FROM"
    " TABLE(MON_GET_PKG_CACHE_STMT(NULL, NULL, NULL, -2)) returns the whole text."
)
MOST_INDEXES = 10
SIZE_PART = 0.5  # own: size of all proposed indexes, as a part of their tables' size
CONFIDENCE = {Confidence.LOW: 0.4, Confidence.MEDIUM: 0.7}
LEAST_OF_INTERVAL = 0.001  # own: an index saves at least this part of the interval's length, after its write cost
LOOKUP_ROWS, LOOKUPS = 1.2, 100  # own: rows read, and executions, of look-ups that show what an execution takes
LOOKUP_MS = (0.005, 0.5)  # own: bounds of the CPU time of an execution that finds one row
LEAST_BUDGET = 100 << 20  # own: bytes; a list may always have this size


@dataclass(frozen=True)
class Proposal:
    """The advice for the statements of a period. ``groups`` are similar statements by the key of their query."""

    advice: IndexAdvice
    groups: Mapping[str, list[Row]]

    @classmethod
    def from_period(cls, period: Period, factor: float = 1.0) -> Self:
        """Advise indexes for all intervals of a period. Earlier indexes saved ``factor`` times what the model expects."""
        given = period.given
        catalog = build_catalog(given)
        writes = {
            (row["TABSCHEMA"], row["TABNAME"]): Writes(row["INSERTED"] or 0, row["DELETED"] or 0, row["UPDATED"] or 0)
            for row in given["writes"]
        }
        groups, left_out = _part_statements(period)
        queries = [_query(group, len(period.intervals)) for group in groups.values()]
        words = set[str]().union(*(re.findall(r"\w+", query.text.upper()) for query in queries))
        size = sum((table.pages or 0) * table.page_size for name, table in catalog.items() if name[1].upper() in words)
        advice = advise_indexes(
            queries,
            catalog,
            budget=max(LEAST_BUDGET, int(SIZE_PART * size)),
            writes=writes or None,
            most=MOST_INDEXES,
            total_ms=sum(each.total_ms for each in period.intervals),
            least_ms=LEAST_OF_INTERVAL * 1000 * sum(each.seconds for each in period.intervals),
            system=replace(_read_system(given["system"]), execution_ms=_execution_ms(queries), factor=factor),
            left_out=left_out,
            around=_read_surroundings(given),
            intervals=period.intervals,
        )
        return cls(advice, groups)

    def rows(self) -> Iterator[tuple[str, list[Any]]]:
        """Yield the rows of PROPOSED_INDEX and PROPOSED_INDEX_USE, with their table."""
        first = {(item.schema, item.table): item.command for item in self.advice.statistics if item.comes_first}
        for number, chosen in enumerate(self.advice.chosen, 1):
            if chosen.helped and chosen.high_ms > 0:
                yield "PROPOSED_INDEX", self._row(number, chosen, first.get((chosen.index.schema, chosen.index.table)))
                for item in chosen.helped:
                    for row in self.groups[item.key]:
                        yield "PROPOSED_INDEX_USE", [number, row["STATEMENT"], item.before_ms, item.after_ms, None]
        for each in self.advice.accounts:
            if each.outcome in (Outcome.SERVED, Outcome.BEYOND):
                for row in self.groups[each.key]:
                    yield "PROPOSED_INDEX_USE", [0, row["STATEMENT"], 0.0, 0.0, each.remedy[:1000] or None]

    def _row(self, number: int, chosen: Chosen, runstats: str | None) -> list[Any]:
        index, main = chosen.index, chosen.helped[0]
        helped = {row["STATEMENT"]: row for item in chosen.helped for row in self.groups[item.key]}
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
            max(0.0, chosen.low_ms - chosen.write_ms) / chosen.high_ms,
            max(0.0, chosen.saved_ms - chosen.write_ms) / chosen.high_ms,
            chosen.write_ms,
            CONFIDENCE[chosen.confidence],
            self.advice.analyzed,
            len(self.advice.accounts),
            100 * self.advice.analyzed_ms / max(1e-9, self.advice.before_ms),
            runstats,
            " ".join(chosen.reasons)[:1000] or None,
        ]


def _part_statements(period: Period) -> tuple[dict[str, list[Row]], list[Account]]:
    """Return the groups of statements that can be analyzed by their first statement, most time first, and the others."""
    groups: dict[str, list[Row]] = {}
    left_out: list[Account] = []
    for group in sorted(period.groups.values(), key=lambda group: -sum(row["ACT_MS"] for row in group)):
        row = group[0]
        if row["STMT_TEXT"] is None:
            reason = NO_TEXT
        elif not has_whole_text(row):
            reason = CUT.format(row["STMT_TEXT_LENGTH"] or CUT_BYTES + 1)
        elif len(groups) == MOST_QUERIES:
            reason = LATE
        else:
            groups[row["STATEMENT"]] = group
            continue
        left_out.append(Account(row["STATEMENT"], sum(row["ACT_MS"] for row in group), Outcome.LEFT_OUT, reason))
    return groups, left_out


def _query(group: list[Row], intervals: int) -> Query:
    """Return statements as one, with the averages of an execution. Times by agents may exceed the elapsed time."""
    times = [0.0] * intervals
    for row in group:
        times[row["INTERVAL"]] += row["ACT_MS"]
    executions = sum(row["EXECUTIONS"] for row in group)

    def each(*columns: str) -> float | None:
        known = [sum(row[name] for name in columns) for row in group if all(row[name] is not None for name in columns)]
        return sum(known) / executions if len(known) == len(group) else None

    measured = Measured(
        each("ACT_MS") or 0.0,
        each("CPU_MS"),
        each("READ_MS", "PREFETCH_WAIT_MS") or each("READ_MS"),
        each("SORT_MS"),
        each("ROWS_READ"),
        each("ROWS_USED"),
    )
    row = group[0]
    cached_s = row.get("CACHED_S")
    return Query(row["STATEMENT"], row["STMT_TEXT"], executions, measured, cached_s=cached_s, times=tuple(times))


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
        disk=min(1.0, divide("READS", "REQUESTS", DEFAULT_SYSTEM.disk)),
    )


def _execution_ms(queries: Iterable[Query]) -> float:
    """Return the CPU time of the cheapest frequent look-up of one row, within bounds."""
    times = [
        query.measured.cpu_ms
        for query in queries
        if query.executions >= LOOKUPS
        and query.measured.cpu_ms is not None
        and 0 < (query.measured.rows_read or 0) <= LOOKUP_ROWS
    ]
    least, most = LOOKUP_MS
    return min(most, max(least, min(times, default=DEFAULT_SYSTEM.execution_ms)))


def _read_surroundings(given: Mapping[str, list[Row]]) -> Surroundings:
    """Return what the building of an index depends on."""
    row = given["system"][0] if given["system"] else {}
    return Surroundings(
        {
            (table["TABSCHEMA"], table["TABNAME"]): str(table.get("INDEX_TBSPACE") or table.get("TBSPACE"))
            for table in given.get("cat_table", ())
        },
        {row["TBSP_NAME"]: row["ROOM"] for row in given.get("room", ()) if row["ROOM"] is not None},
        {"ON": True, "OFF": False}.get(row.get("LOGINDEXBUILD") or ""),
        row.get("HADR_DB_ROLE") == "PRIMARY",
        row.get("LOG_BYTES"),
        row.get("INDEX_PREFIX") or PREFIX,
    )


def _wait_part(rows: Iterable[Row]) -> float:
    """Return the part of the read time that is prefetch waits."""
    waits = reads = 0.0
    for row in rows:
        waits, reads = waits + (row["PREFETCH_WAIT_MS"] or 0), reads + (row["READ_MS"] or 0)
    return waits / (waits + reads) if waits + reads else 0.0
