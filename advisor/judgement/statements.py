"""The top statements of a run, with total and average costs and, if collected, their text."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Statement:
    """One statement. Times are in milliseconds; a value that was not measured is None.

    ``top_by`` lists the measures that put it among the first five: time, processor, reads, spills. ``text`` is the
    collected text, ``text_state`` is complete, cut or none, and ``short_text`` is its beginning on one line. ``tables``
    are the tables that it reads; ``unindexed`` is the table without an index for it, if known. ``executable_id`` and
    ``see_plan`` are None if only the text is known, as in an import.
    """

    name: str
    top_by: tuple[str, ...]
    executions: int
    plans: int
    ms: int
    time_pct: float
    cpu_ms: float | None
    cpu_pct: float | None
    ms_per_execution: float | None
    rows_read: int | None
    rows_returned: int | None
    rows_modified: int | None
    rows_per_execution: float | None
    rows_per_row: float | None
    reads: int | None
    spills: int | None
    lock_wait_ms: int | None
    tables: str | None
    unindexed: str | None
    executable_id: str | None
    member: int
    see_plan: str | None
    text_state: str
    short_text: str | None
    text: str | None


@dataclass(frozen=True)
class Statements:
    """The top statements by time, and the numbers of collected statements and of statements in the package cache."""

    top: tuple[Statement, ...] = ()
    collected: int | None = None
    cached: int | None = None


def statements(records: list[dict[str, Any]]) -> Statements:
    """Return the top statements from the rows of TOP_STATEMENT."""
    rows = sorted(records, key=lambda row: (row["TIME_PLACE"], row["STATEMENT"]))
    if not rows:
        return Statements()
    return Statements(tuple(map(_statement, rows)), rows[0]["KEPT_STATEMENTS"], rows[0]["OF_STATEMENTS"])


def _statement(row: dict[str, Any]) -> Statement:
    return Statement(
        name=row["STATEMENT"],
        top_by=tuple(row["TOP_BY"].split(", ")),
        executions=row["EXECUTIONS"],
        plans=row["PLANS"],
        ms=row["ACT_MS"] or 0,
        time_pct=row["TIME_PCT"] or 0,
        cpu_ms=row["CPU_MS"],
        cpu_pct=row["CPU_PCT"],
        ms_per_execution=row["MS_PER_EXECUTION"],
        rows_read=row["ROWS_READ"],
        rows_returned=row["ROWS_RETURNED"],
        rows_modified=row["ROWS_MODIFIED"],
        rows_per_execution=row["ROWS_PER_EXECUTION"],
        rows_per_row=row["ROWS_PER_ROW"],
        reads=row["READS"],
        spills=row["SPILLS"],
        lock_wait_ms=row["LOCK_WAIT_MS"],
        tables=row["TABLE_NAMES"],
        unindexed=row["UNINDEXED_TABLE"],
        executable_id=row["EXECUTABLE_ID"],
        member=row["MEMBER"],
        see_plan=row["SEE_PLAN"],
        text_state=row["TEXT_STATE"],
        short_text=row["SHORT_TEXT"],
        text=row["STMT_TEXT"],
    )
