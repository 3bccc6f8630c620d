"""``db2pd`` -wlocks -locks -applications -transactions: holders and waiters of locks, and application states.

-locks has only the number of the transaction; -transactions of the same report has its application. A table in which a
line is not a row is refused as a whole: the window or the mail has wrapped its lines.
"""

import re
from dataclasses import dataclass, field

from advisor.imports.readings import Readings, Report

SECTION = "Sessions and locks"
TITLES = frozenset({"locks being waited on", "locks", "applications", "transactions"})
MOST_ROWS = 200_000  # kept in memory

_WAITS, _LOCKS, _APPLICATIONS, _TRANSACTIONS, _REFUSED = "waits", "locks", "applications", "transactions", "refused"
# The columns by which each table is recognised, and all that its rows need.
_HEADINGS = (
    (_WAITS, ("AppHandl", "Lockname"), {"TranHdl", "Mode", "Sts", "AuthID", "AppID"}),
    (_APPLICATIONS, ("AppHandl", "NumAgents"), {"Status", "Appid"}),
    (_TRANSACTIONS, ("AppHandl", "TranHdl"), {"State"}),
    (_LOCKS, ("TranHdl", "Lockname"), {"Mode", "Sts"}),
)
_LOCK = r"(?P<name>[0-9A-Fa-f]{20,32})\s+(?P<type>\S+(?: \S+)?)\s+(?P<mode>\.*[A-Z]{1,3})\s+"
_HANDLE = r"(?P<handle>\d+)\s+\[(?P<node>\d+)-\d+\]\s+"
_ROWS = {
    _WAITS: re.compile(
        _HANDLE + r"(?P<transaction>\d+)\s+" + _LOCK + r"(?:(?P<wanted>\.*[A-Z]{1,3})\s+)?(?P<status>[GWC])\s+\d+\s+"
        r"(?P<names>\S.*)"
    ),
    _LOCKS: re.compile(r"0x\w+\s+(?P<transaction>\d+)\s+" + _LOCK + r"(?P<status>[GWC])\s+\d+\s.*"),
    _APPLICATIONS: re.compile(
        r"0x\w+\s+" + _HANDLE + r"\d+\s+\d+\s+(?P<state>\S+)\s+(?:\d+\s+){2,4}(?P<application>\S+\.\S+).*"
    ),
    _TRANSACTIONS: re.compile(r"0x\w+\s+" + _HANDLE + r"(?P<transaction>\d+)\s+\d+\s+[A-Z]+\s.*"),
}
_APPLICATION_ID = re.compile(r"\S+\.\d{6,}")
_LABEL = re.compile(r"[A-Z][\w ]+:(\s|$)")
_STATES = {"UOW-Waiting": "UOWWAIT", "UOW-Executing": "UOWEXEC", "Lock-wait": "UOWEXEC"}


def starts_table(text: str) -> bool:
    """Return whether a line is the heading of one of these tables, complete or wrapped."""
    return text.startswith(("AppHandl", "Address")) and _find_table(text) is not None


def _find_table(text: str) -> tuple[str, bool] | None:
    """Return the table that a heading starts, and whether the heading has all columns that its rows need."""
    words = text.split()
    for table, signs, needed in _HEADINGS:
        if (words[0] == signs[0] or words[1:2] == [signs[0]]) and signs[1] in words:
            return table, needed.issubset(words)
    return None


@dataclass
class Sessions:
    """The rows of one report."""

    table: str = ""
    rows: list[dict[str, str]] = field(default_factory=list)  # of the current table
    kept: dict[str, list[dict[str, str]]] = field(default_factory=dict)

    def start(self, text: str) -> bool:
        """Start the table of a heading; return whether its lines are complete."""
        self.end()
        found = _find_table(text)
        self.table = found[0] if found and found[1] else _REFUSED
        return self.table != _REFUSED

    def is_row(self, text: str, line: int) -> bool:
        """Take a row of the current table; return False for another line."""
        match = _ROWS[self.table].fullmatch(text) if self.table in _ROWS else None
        if match is not None and len(self.rows) < MOST_ROWS:
            self.rows.append({name: value for name, value in match.groupdict().items() if value} | {"line": str(line)})
        return match is not None

    def is_broken_by(self, text: str, apart: bool) -> bool:
        """Return whether a line that does not fit is the rest of a row, or a row without its rest."""
        if self.table not in _ROWS or _LABEL.match(text):
            return False
        return not apart or text.startswith("0x") or re.match(_HANDLE, text) is not None

    def refuse(self) -> None:
        """Forget the rows of the current table."""
        self.rows, self.table = [], _REFUSED

    def end(self) -> None:
        """Keep the rows of the current table."""
        if self.rows:
            self.kept.setdefault(self.table, []).extend(self.rows)
        self.rows, self.table = [], ""

    def write(self, readings: Readings, report: Report) -> None:
        """Write the rows of the report."""
        self.end()
        handles = {row["transaction"]: row["handle"] for row in self.kept.get(_TRANSACTIONS, [])}
        for row in self.kept.get(_WAITS, []):
            readings.row(report, "lock_entry", _entry(row, row["handle"]), int(row["line"]))
            if names := _names(row["names"]):
                readings.row(report, "unit_of_work", _unit(row) | names, int(row["line"]))
        for row in self._list_waited_locks():
            if handle := handles.get(row["transaction"]):
                readings.row(report, "lock_entry", _entry(row, handle), int(row["line"]))
            elif _TRANSACTIONS not in self.kept:
                line, why = int(row["line"]), "a lock of an unknown application: add db2pd -transactions"
                readings.record_ignored(report.document, line, line, why)
        for row in self.kept.get(_APPLICATIONS, []):
            if state := _STATES.get(row["state"]):
                values = _unit(row) | {"WORKLOAD_OCCURRENCE_STATE": state}
                readings.row(report, "unit_of_work", values, int(row["line"]))
        self.kept.clear()

    def _list_waited_locks(self) -> list[dict[str, str]]:
        """Return the rows of -locks for which an application waits, unless -wlocks has them with their applications."""
        if _WAITS in self.kept:
            return []
        rows = self.kept.get(_LOCKS, [])
        waited = {row["name"] for row in rows if row["status"] != "G"}
        return [row for row in rows if row["name"] in waited]


def _unit(row: dict[str, str]) -> dict[str, str]:
    return {"APPLICATION_HANDLE": row["handle"], "UOW_ID": "0", "COORD_MEMBER": str(int(row["node"]))}


def _entry(row: dict[str, str], handle: str) -> dict[str, str]:
    wanted = row.get("wanted", "").strip(".") if row["status"] == "C" else ""
    return {
        "LOCK_NAME": row["name"],
        "APPLICATION_HANDLE": handle,
        "STATUS": row["status"],
        "LOCK_MODE": row["mode"].strip("."),
        "MODE_WANTED": wanted,
    }


def _names(text: str) -> dict[str, str]:
    """Return the application and its user; the name of an application may contain blanks."""
    words = text.split()
    place = next((number for number, word in enumerate(words) if number > 1 and _APPLICATION_ID.fullmatch(word)), None)
    if place is None:
        return {}
    return {"CLIENT_APPLNAME": " ".join(words[: place - 1]), "SESSION_AUTH_ID": words[place - 1]}
