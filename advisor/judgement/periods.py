"""The statements and changed rows of one interval, or of several that add up."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from advisor.indexes.advice import Interval

Row = dict[str, Any]
Rows = Mapping[str, list[Row]]

CUT_BYTES = 4000  # of a collected text

_LITERAL = re.compile(r"'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b|\s+")
_ADDED = ("INSERTED", "UPDATED", "DELETED")


def hash_text(text: str) -> str:
    """Return the key of a statement: the hash of its text without literals and with single blanks.

    Db2's own hash (STMTID) also outlives flushes, restarts and compilations, but other literals change it, and listings
    and 10.5 before fix pack 3 lack it. EXECUTABLE_ID is new after each compilation.
    """
    alike = _LITERAL.sub(lambda found: " " if found[0].isspace() else "?", text.strip())
    return hashlib.sha256(alike.encode()).hexdigest()[:16]


def has_whole_text(row: Row) -> bool:
    """Return whether the text of a statement was collected to its end; texts from elsewhere may be longer."""
    text, length = row["STMT_TEXT"], row["STMT_TEXT_LENGTH"] or CUT_BYTES + 1
    return text is not None and (length <= CUT_BYTES or len(text.encode()) > CUT_BYTES)


@dataclass(frozen=True)
class Period:
    """One or several intervals, newest first.

    ``groups`` are the similar statements by the key of their text, each row with the place of its interval (INTERVAL).
    A statement without its whole text has its own key. ``given`` are the rows of writes per table, which add up, and of
    the newest catalog and speed.
    """

    intervals: tuple[Interval, ...]
    groups: Rows
    given: Rows

    @property
    def has_texts(self) -> bool:
        """Return whether the text of a statement is known."""
        return any(row["STMT_TEXT"] is not None for rows in self.groups.values() for row in rows)

    @classmethod
    def from_rows(cls, statements: Iterable[Row], given: Rows, end: str = "") -> Self:
        """Return one interval, which ended at ``end`` in ISO 8601."""
        groups: dict[str, list[Row]] = {}
        total, measured, seconds = 0.0, 0.0, 0.0
        for row in statements:
            total, measured = max(total, row["TOTAL_ACT_TIME"] or 0), measured + row["ACT_MS"]
            seconds = max(seconds, row["SECONDS"] or 0)
            key = hash_text(row["STMT_TEXT"]) if has_whole_text(row) else row["STATEMENT"]
            groups.setdefault(key, []).append(row | {"INTERVAL": 0})
        return cls((Interval(end, max(total, measured), seconds),), groups, given)

    @classmethod
    def join(cls, periods: Iterable[Self]) -> Self:
        """Return all intervals as one period; the first period is the newest. Each group keeps one text."""
        intervals: list[Interval] = []
        groups: dict[str, list[Row]] = {}
        given: dict[str, list[Row]] = {}
        writes: dict[tuple[str, str], Row] = {}
        for period in periods:
            for key, rows in period.groups.items():
                group = groups.setdefault(key, [])
                text = (group or rows)[0]["STMT_TEXT"]
                group += [row | {"STMT_TEXT": text, "INTERVAL": row["INTERVAL"] + len(intervals)} for row in rows]
            for row in period.given["writes"]:
                known = writes.setdefault((row["TABSCHEMA"], row["TABNAME"]), row | dict.fromkeys(_ADDED, 0))
                known |= {name: known[name] + (row[name] or 0) for name in _ADDED}
            given = given or dict(period.given)
            intervals += period.intervals
        return cls(tuple(intervals), groups, given | {"writes": list(writes.values())})
