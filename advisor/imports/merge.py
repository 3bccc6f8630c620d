"""The files of a capture from the rows that were read: one typed row for each key and snapshot.

The steps are the scripts in sql/. They read and change the tables of store.py, whose names begin with F_ for the input
and O_ for the output.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from advisor.capture.manifest import UNNAMED
from advisor.catalogue.sources import Column, Source
from advisor.imports.databases import ACTIVATION, RESTART
from advisor.imports.readings import Readings, Report
from advisor.imports.snapshots import Snapshots, moments
from advisor.imports.sources import FILE_SYSTEM, HELPERS, KILOBYTES, SETTINGS, list_capture_columns
from advisor.imports.store import format_moment, load_script
from advisor.imports.values import ALL_WORKLOADS, columns
from advisor.imports.versions import find_not_followed, find_path, normalize_log_path, note_conflicts

BEGIN_ID, END_ID = 1, 2

MEMBER_KEYS = ("MEMBER", "DBPARTITIONNUM")

# Tools round the time of activation, or give it to the second: times this close are the same activation.
SAME_ACTIVATION_S = 60

_REPORT = (
    "CREATE TABLE REPORT (NUMBER INTEGER PRIMARY KEY, MEMBER, COMMAND, SINCE_ACTIVATION, SINCE_START, TAKEN_AT,"
    " AT_BEGIN DEFAULT 0, AT_END DEFAULT 0)"
)
_SIZES = frozenset({*KILOBYTES, "TBSP_FREE_PAGES"})
_SECONDS = "UNIXEPOCH(SUBSTR({}, 1, 19))"  # of a time, without its fraction
_FORMS = {"DOUBLE": "format_number({})", **dict.fromkeys(("SMALLINT", "INTEGER", "BIGINT"), "{}")}
_QUOTED = (
    "CASE WHEN INSTR({0}, ',') OR INSTR({0}, '\"') OR INSTR({0}, CHAR(10)) OR INSTR({0}, CHAR(13))"
    " THEN '\"' || REPLACE({0}, '\"', '\"\"') || '\"' ELSE {0} END"
)


@dataclass(frozen=True)
class Written:
    """A file of the capture: its number of rows, and the columns that have values."""

    rows: int
    columns: list[str]


class Merger:
    """Merges the rows of one database into the files of a capture."""

    def __init__(self, readings: Readings, reports: Sequence[Report], target: Path) -> None:
        self.target = target
        self.notes: list[str] = []
        self.members = [0]
        self._read = readings.store.read
        self._hosts = [item.host for item in reports if item.host]
        self._connection = readings.store.connection
        self._execute = self._connection.execute
        functions: tuple[Any, ...] = (normalize_log_path, find_path)
        for function in functions:
            self._connection.create_scalar_function(function.__name__, function, deterministic=True)
        self._load_reports(reports)
        self._sources = readings.store.complete()
        if len(reports) < len(readings.reports):
            for name in self._read:
                self._execute(f"DELETE FROM F_{name} WHERE REPORT NOT IN (SELECT NUMBER FROM REPORT)")
        self._execute("CREATE TABLE COMPATIBLE (MODE, HELD)")
        modes = [(row["MODE"], held) for row in columns("lock_modes") for held in row["COMPATIBLE"].split()]
        self._connection.executemany("INSERT INTO COMPATIBLE VALUES (?, ?)", modes)

    def _load_reports(self, reports: Sequence[Report]) -> None:
        times = moments(reports)
        columns = (
            [item.number for item in reports],
            [item.member for item in reports],
            [time and format_moment(time) for item in reports for time in [times[item.number]]],
            [item.command for item in reports],
            find_not_followed(reports, (ACTIVATION, RESTART)),
            find_not_followed(reports, (RESTART,)),
        )
        self._execute(_REPORT)
        self._connection.executemany(
            "INSERT INTO REPORT (NUMBER, MEMBER, TAKEN_AT, COMMAND, SINCE_ACTIVATION, SINCE_START)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            zip(*columns, strict=True),
        )

    def counting(self) -> dict[int, set[str]]:
        """Return the sources for which each report has counters, by the report's number."""
        holding: dict[int, set[str]] = {}
        for name in self._read:
            if counters := self._sources[name].names("counter"):
                some = " OR ".join(f"{counter} IS NOT NULL" for counter in counters)
                for (number,) in self._execute(f"SELECT DISTINCT REPORT FROM F_{name} WHERE {some}"):
                    holding.setdefault(number, set()).add(name)
        return holding

    def knows_activation(self, numbers: Collection[int]) -> bool:
        """Return whether one of these reports has the time of activation."""
        found = self._execute("SELECT DISTINCT REPORT FROM F_database WHERE DB_CONN_TIME IS NOT NULL")
        return any(number in numbers for (number,) in found.fetchall())

    def merge(self, snapshots: Snapshots) -> dict[str, Written]:
        """Write every source that has rows; return the files by source."""
        for column, numbers in (("AT_BEGIN", snapshots.begin), ("AT_END", snapshots.end)):
            self._connection.executemany(
                f"UPDATE REPORT SET {column} = 1 WHERE NUMBER = ?", ((number,) for number in numbers)
            )
        replaces_activation = snapshots.interval or (snapshots.watched and not self.knows_activation(snapshots.begin))
        self._fill_members()
        self._run("locks")
        self.notes += chain.from_iterable(
            self._run("derived", sized=not _SIZES.isdisjoint(self._read.get("tablespace", ())))
        )
        on_disk = "REG_VAR_ON_DISK_VALUE" in self._read.get("registry", ())
        conflicts = self._run("settings", end=END_ID, on_disk=on_disk)
        sources = [
            source
            for name, source in self._sources.items()
            if (name not in HELPERS or name == FILE_SYSTEM) and self._has_rows(f"F_{name}")
        ]
        for source in sources:
            self._note_unkeyed(source)
            if source.name in SETTINGS:
                self.notes += note_conflicts([item[1:] for item in conflicts if item[0] == source.name])
            else:
                self._aggregate(source, END_ID, "AT_END")
        of_one_host = len(self.members) == 1 and self._has_rows(f"O_{FILE_SYSTEM}")
        if of_one_host:
            self._run("file_systems")
        if snapshots.begin and not snapshots.interval:
            for source in sources:
                self._add_begin(source)
        if of_one_host:
            self._run("host_facts", end=END_ID, host=[UNNAMED["host"], *self._hosts][-1])
        if counters := self._sources["workload"].names("counter"):
            self._remove_counted_twice(counters)
        if replaces_activation:
            self._replace_activation(snapshots)
        elif snapshots.end_at:
            self._execute(
                f"UPDATE O_database SET UPTIME_S = {_SECONDS.format('?')} - {_SECONDS.format('DB_CONN_TIME')}"
                f" WHERE UPTIME_S IS NULL AND SNAP_ID = {END_ID}",
                [format_moment(snapshots.end_at)],
            )
        written = {
            name: self._write(source, snapshots.interval and name != "hostfact")  # free space is of the end
            for name, source in self._sources.items()
            if name not in HELPERS and self._has_rows(f"O_{name}")
        }
        return {name: item for name, item in written.items() if item.rows}

    def _run(self, script: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run a script; return its rows."""
        return self._execute(load_script(script), values).fetchall()

    def _has_rows(self, table: str) -> bool:
        return bool(self._execute(f"SELECT EXISTS (SELECT 1 FROM {table})").get)

    def _fill_members(self) -> None:
        """Set the member of rows without one to that of their report, or else to the first known member."""
        known: set[int] = set()
        with_member = [
            (name, key) for name in self._read for key in MEMBER_KEYS if key in self._sources[name].names("key")
        ]
        for name, key in with_member:
            known.update(
                chain.from_iterable(
                    self._execute(
                        f"SELECT DISTINCT COALESCE(F.{key}, R.MEMBER) AS KNOWN FROM F_{name} AS F"
                        " INNER JOIN REPORT AS R ON R.NUMBER = F.REPORT WHERE KNOWN IS NOT NULL"
                    )
                )
            )
        self.members = sorted(known) or [0]
        for name, key in with_member:
            self._execute(
                f"UPDATE F_{name} SET {key} = COALESCE((SELECT R.MEMBER FROM REPORT AS R WHERE NUMBER = REPORT), ?)"
                f" WHERE {key} IS NULL",
                [self.members[0]],
            )

    def _note_unkeyed(self, source: Source) -> None:
        """Note rows without a complete key, which are not used."""
        keys = source.names("key")
        unkeyed = " OR ".join(f"{key} IS NULL" for key in keys)
        lost = self._execute(f"SELECT COUNT(*) FROM F_{source.name} WHERE {unkeyed}").get
        if lost:
            self.notes.append(f"{source.name}: rows without a complete key ({', '.join(keys)}) are not used: {lost}")

    def _aggregate(self, source: Source, number: int, side: str, where: str = "true") -> None:
        """Add the rows of one snapshot: counters from its side, other values from the last report with them."""
        keys, names = source.names("key"), source.names("gauge", "hwm", "counter")
        counters = source.names("counter")
        values = [f"CASE WHEN R.{side} THEN F.{name} END" if name in counters else f"F.{name}" for name in names]
        present = " AND ".join(f"F.{key} IS NOT NULL" for key in keys)
        missing = " OR ".join(f"{name} IS NULL AND excluded.{name} IS NOT NULL" for name in names)
        kept = ", ".join(f"{name} = COALESCE({name}, excluded.{name})" for name in names)
        self._execute(
            f"CREATE INDEX IF NOT EXISTS BY_REPORT_{source.name} ON F_{source.name} (REPORT DESC);"
            f" INSERT INTO O_{source.name} ({', '.join(['SNAP_ID', *keys, *names])})"
            f" SELECT {', '.join([str(number), *(f'F.{key}' for key in keys), *values])}"
            f" FROM F_{source.name} AS F INNER JOIN REPORT AS R ON R.NUMBER = F.REPORT"
            f" WHERE {present} AND {where} ORDER BY F.REPORT DESC, F.ROWID"
            f" ON CONFLICT DO {f'UPDATE SET {kept} WHERE {missing}' if names else 'NOTHING'}"
        )

    def _add_begin(self, source: Source) -> None:
        """Add the begin from the reports of that side."""
        out, counters = f"O_{source.name}", source.names("counter")
        self._aggregate(source, BEGIN_ID, "AT_BEGIN", "R.AT_BEGIN")
        if source.name == "database":
            apart = f"{_SECONDS.format('B.DB_CONN_TIME')} - {_SECONDS.format(f'{out}.DB_CONN_TIME')}"
            self._execute(
                f"UPDATE {out} SET DB_CONN_TIME = B.DB_CONN_TIME FROM {out} AS B WHERE {out}.SNAP_ID = {END_ID}"
                f" AND B.SNAP_ID = {BEGIN_ID} AND B.MEMBER = {out}.MEMBER AND ABS({apart}) <= {SAME_ACTIVATION_S}"
            )
        if counters:
            # a row only in the later report may be new, or was left out of the earlier one: it gives no delta
            same = " AND ".join(f"B.{key} = {out}.{key}" for key in source.names("key"))
            nothing = ", ".join(f"{name} = NULL" for name in counters)
            self._execute(
                f"UPDATE {out} SET {nothing} WHERE SNAP_ID = {END_ID} AND NOT EXISTS"
                f" (SELECT 1 FROM {out} AS B WHERE B.SNAP_ID = {BEGIN_ID} AND {same})"
            )

    def _remove_counted_twice(self, counters: list[str]) -> None:
        """Remove from the sum of all workloads what another text counts for each workload."""
        counts = ", ".join(f"COUNT({name})" for name in counters)
        [listed] = self._execute(f"SELECT {counts} FROM O_workload WHERE WORKLOAD_NAME <> ?", [ALL_WORKLOADS])
        if not any(listed):
            return
        changes = ", ".join(f"{name} = NULL" for name, count in zip(counters, listed, strict=True) if count)
        unknown = " AND ".join(f"{name} IS NULL" for name in counters)
        self._execute(f"UPDATE O_workload SET {changes} WHERE WORKLOAD_NAME = ?", [ALL_WORKLOADS])
        self._execute(f"DELETE FROM O_workload WHERE WORKLOAD_NAME = ? AND {unknown}", [ALL_WORKLOADS])

    def _replace_activation(self, snapshots: Snapshots) -> None:
        """Replace the time of activation by the begin of the interval over which a tool watched the counters."""
        begin_at, end_at = snapshots.begin_at, snapshots.end_at
        assert begin_at is not None and end_at is not None  # an interval has both
        numbers = (END_ID,) if snapshots.interval else (BEGIN_ID, END_ID)
        self._connection.executemany(
            "INSERT OR IGNORE INTO O_database (SNAP_ID, MEMBER) VALUES (?, ?)",
            ((number, member) for number in numbers for member in self.members),
        )
        self._execute(
            f"UPDATE O_database SET DB_CONN_TIME = ?, UPTIME_S = CASE WHEN SNAP_ID = {END_ID} THEN ? ELSE 0 END",
            [format_moment(begin_at), int((end_at - begin_at).total_seconds())],
        )

    def _write(self, source: Source, interval: bool) -> Written:
        """Write the file of a source with the columns that have values in the last snapshot.

        The counters of an interval begin at zero.
        """
        keys, capture = source.names("key"), list_capture_columns(source)
        counts = ", ".join(f"COUNT({column.name}) FILTER (WHERE SNAP_ID = {END_ID})" for column in capture)
        counted: list[Any] = self._execute(f"SELECT COUNT(*), {counts} FROM O_{source.name}").fetchall()
        rows, *present = counted[0]
        columns = [column for column, count in zip(capture, present, strict=True) if count or column.kind == "key"]
        names = [column.name for column in columns]
        if len(names) == len(keys):
            return Written(0, [])
        passes = {BEGIN_ID: True, END_ID: False} if interval else {"SNAP_ID": False}
        with (self.target / f"{source.name}.csv").open("w", encoding="utf-8", newline="") as file:
            file.write(",".join(["SNAP_ID", *names]) + "\n")
            for number, from_zero in passes.items():
                cells = ", ',', ".join([str(number), *(_write_cell(column, from_zero) for column in columns)])
                order = ", ".join(["SNAP_ID", *keys])
                lines = self._execute(f"SELECT CONCAT({cells}, CHAR(10)) FROM O_{source.name} ORDER BY {order}")
                file.writelines(chain.from_iterable(lines))
        return Written(2 * rows if interval else rows, names)


def _write_cell(column: Column, from_zero: bool) -> str:
    """Return the expression for the text of a column in a line of CSV."""
    name = column.name
    if from_zero and (column.kind == "counter" or name == "UPTIME_S"):
        name = f"({name} - {name})"
    return _FORMS.get(column.type, _QUOTED).format(name)
