"""The files of a capture from the rows that were read: one typed row for each key and snapshot."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from advisor.capture.manifest import UNNAMED
from advisor.catalogue.embedded import NO_EXTENSIONS
from advisor.catalogue.sources import Source
from advisor.imports.derived import (
    CALL_CATALOG,
    CALL_SPACES,
    SIZED,
    UNNAMED_SPACES,
    UNSIZED_SPACES,
    WHAT_SPACES_HOLD,
    backups,
    note_unnamed,
    note_unsized,
    number_indexes,
    places,
    remove_outdated,
    room,
    sizes,
)
from advisor.imports.loading import load, load_reports, sources_of
from advisor.imports.lock_tables import derive_events
from advisor.imports.lock_waits import derive_waits
from advisor.imports.readings import Report
from advisor.imports.snapshots import Snapshots
from advisor.imports.sources import (
    ALTERED_SPACE,
    FILE_SYSTEM,
    HELPERS,
    LOCK_EVENT,
    LOCK_PAIR,
    all_sources,
    list_capture_columns,
)
from advisor.imports.values import ALL_WORKLOADS
from advisor.imports.versions import (
    has_versions,
    note,
    remove_pending_paths,
    select_conflicts,
    select_last_versions,
    versions,
)
from advisor.quoting import literal

BEGIN_ID, END_ID = 1, 2

# A key column that some texts lack, and the column with which another source identifies it: first of table spaces.
SPACES = (
    ("tablespace", "TBSP_NAME", "TBSP_ID", "tablespace", "TBSP_NAME", "TBSP_ID"),
    ("tablespace", "TBSP_NAME", "TBSP_ID", "cat_tablespace", "TBSPACE", "TBSPACEID"),
)
RESOLVED = (
    ("container", "TBSP_NAME", "TBSP_ID", "tablespace", "TBSP_NAME", "TBSP_ID"),
    ("container", "TBSP_NAME", "TBSP_ID", "cat_tablespace", "TBSPACE", "TBSPACEID"),
)

MEMBER_KEYS = ("MEMBER", "DBPARTITIONNUM")

# Tools round the time of activation, or give it to the second: times this close are the same activation.
SAME_ACTIVATION_S = 60

# Memory in bytes for one import; more goes to disk. One aggregation cannot go to disk, so it may use half of it.
MEMORY = 256 << 20
STATE = 48  # bytes that aggregation takes per value, in addition to its text


@dataclass(frozen=True)
class Written:
    """A file of the capture: its number of rows, and the columns that have values."""

    rows: int
    columns: list[str]


class Merger:
    """Merges the rows of one database into the files of a capture.

    Each source has two tables: F_<SOURCE> with the input, O_<SOURCE> with the output.
    """

    def __init__(self, files: dict[tuple[str, ...], Path], reports: list[Report], target: Path) -> None:
        import duckdb

        self.target = target
        self.notes: list[str] = []
        self.members = [0]
        self._knows_file_systems = self._replaces_activation = False
        self._hosts = [item.host for item in reports if item.host]
        self._files = files
        self._connection = duckdb.connect(
            ":memory:",
            config=NO_EXTENSIONS
            | {"memory_limit": f"{MEMORY}B", "temp_directory": str(target / ".spill"), "threads": 1},
        )
        load_reports(self._connection, reports, target)
        self._sources = sources_of(files)
        for source in self._sources.values():
            load(self._connection, source, files)

    def close(self) -> None:
        self._connection.close()

    def counting(self) -> dict[int, set[str]]:
        """Return the sources for which each report has counters, by the report's number."""
        holding: dict[int, set[str]] = {}
        for source in self._sources.values():
            if counters := source.names("counter"):
                some = " OR ".join(f"{name} IS NOT NULL" for name in counters)
                found = self._connection.execute(f"SELECT DISTINCT REPORT FROM F_{source.name} WHERE {some}")
                for (number,) in found.fetchall():
                    holding.setdefault(number, set()).add(source.name)
        return holding

    def knows_activation(self, numbers: Iterable[int]) -> bool:
        """Return whether one of these reports has the time of activation."""
        if not self._has("database", "DB_CONN_TIME"):
            return False
        found = self._fetch_one(
            f"SELECT COUNT(*) FROM F_database WHERE DB_CONN_TIME IS NOT NULL AND LIST_CONTAINS({sorted(numbers)}, REPORT)"
        )
        return found[0] > 0

    def merge(self, snapshots: Snapshots) -> dict[str, Written]:
        """Write every source that has rows; return the files by source."""
        for column, numbers in (("AT_BEGIN", snapshots.begin), ("AT_END", snapshots.end)):
            self._connection.execute(
                f"UPDATE REPORT SET {column} = true WHERE NUMBER IN (SELECT UNNEST($1::INTEGER[]))", [sorted(numbers)]
            )
        self._fill_members()
        if LOCK_PAIR in self._sources:
            self._execute(derive_waits())
        if LOCK_EVENT in self._sources:
            self._connection.execute(derive_events())
        self._resolve(SPACES)
        if self._has("tablespace", "TBSP_ID"):
            self._connection.execute(CALL_CATALOG)
            self.notes += note_unnamed(self._connection.execute(UNNAMED_SPACES).fetchall())
            self._connection.execute(CALL_SPACES)
        if self._has("tablespace", *SIZED):
            self._execute(WHAT_SPACES_HOLD)
            self.notes += note_unsized(self._connection.execute(UNSIZED_SPACES).fetchall())
        self._resolve(RESOLVED)
        if "index" in self._sources:
            self._execute(number_indexes([column.name for column in self._sources["index"].columns]))
        self._replaces_activation = snapshots.interval or (
            snapshots.watched and not self.knows_activation(snapshots.begin)
        )
        if self._replaces_activation and "database" not in self._sources:
            self._sources |= sources_of([("database",)])
            load(self._connection, self._sources["database"], {})
        if "database" in self._sources:
            self._execute(backups())
        if ALTERED_SPACE in self._sources:
            for name, source in self._sources.items():
                self._execute(remove_outdated(name, [column.name for column in source.columns]))
        listed = self._sources.get(FILE_SYSTEM)
        self._knows_file_systems = listed is not None and len(self.members) == 1  # of one host
        if listed:
            self._create(listed)
            self._aggregate(listed, 1, END_ID, "AT_END")
            self._connection.execute("CREATE TABLE PLACES (PATH VARCHAR)")
        host = self._host()
        written = {
            name: self._write(source, snapshots) for name, source in self._sources.items() if name not in HELPERS
        }
        if self._knows_file_systems and "hostfact" not in written:
            written["hostfact"] = self._room(host)
        return {name: item for name, item in written.items() if item.rows}

    def _resolve(self, parts: Iterable[tuple[str, ...]]) -> None:
        for name, column, number, other, value, by in parts:
            if self._has(name, column, number) and self._has(other, value, by):
                self._connection.execute(
                    f"UPDATE F_{name} SET {column} = O.VALUE FROM (SELECT {by} AS NUMBER, MAX({value}) AS VALUE"
                    f" FROM F_{other} WHERE {by} IS NOT NULL AND {value} IS NOT NULL GROUP BY {by}) AS O"
                    f" WHERE F_{name}.{column} IS NULL AND F_{name}.{number} = O.NUMBER"
                )

    def _has(self, name: str, *columns: str) -> bool:
        return name in self._sources and {*columns} <= {column.name for column in self._sources[name].columns}

    def _fill_members(self) -> None:
        """Set the member of rows without one to that of their report, or else to the first known member."""
        known: set[int] = set()
        with_member = [
            (name, key) for name, source in self._sources.items() for key in MEMBER_KEYS if key in source.names("key")
        ]
        for name, key in with_member:
            found = self._connection.execute(f"SELECT DISTINCT COALESCE({key}, REPORT_MEMBER) FROM F_{name}")
            known |= {member for (member,) in found.fetchall() if member is not None}
        self.members = sorted(known) or [0]
        for name, key in with_member:
            self._connection.execute(
                f"UPDATE F_{name} SET {key} = COALESCE(REPORT_MEMBER, {self.members[0]}) WHERE {key} IS NULL"
            )

    def _write(self, source: Source, snapshots: Snapshots) -> Written:
        keys = source.names("key")
        unkeyed = " OR ".join(f"{key} IS NULL" for key in keys)
        rows, lost = self._fetch_one(f"SELECT COUNT(*), COUNT(*) FILTER ({unkeyed}) FROM F_{source.name}")
        if lost:
            self.notes.append(f"{source.name}: rows without a complete key ({', '.join(keys)}) are not used: {lost}")
        if source.name == "database" and self.knows_activation(snapshots.end):
            self._ignore_other_activations(snapshots)
        self._create(source)
        size = sum(path.stat().st_size for shape, path in self._files.items() if shape[0] == source.name)
        parts = 1 + (rows * len(source.columns) * STATE + size) * 2 // MEMORY
        if has_versions(source):
            self._add_last_versions(source)
        else:
            self._aggregate(source, parts, END_ID, "AT_END")
        if self._knows_file_systems:
            self._execute(sizes(source.name, [column.name for column in source.columns]))
            self._execute(places(source.name, [column.name for column in source.columns]))
        if snapshots.interval:
            self._add_zeros(source)
        elif snapshots.begin:
            self._add_begin(source, parts)
        if source.name == "workload" and (counters := source.names("counter")):
            self._remove_counted_twice(counters)
        if source.name == "database" and self._replaces_activation:
            self._replace_activation(snapshots)
        elif source.name == "database" and snapshots.end_at:
            self._connection.execute(
                f"UPDATE O_{source.name} SET UPTIME_S = DATE_DIFF('second', DB_CONN_TIME, $1::TIMESTAMP)"
                f" WHERE UPTIME_S IS NULL AND SNAP_ID = {END_ID}",
                [snapshots.end_at.isoformat()],
            )
        names = [column.name for column in list_capture_columns(source)]
        counts = ", ".join(f"COUNT({name}) FILTER (SNAP_ID = {END_ID})" for name in names)
        rows, *present = self._fetch_one(f"SELECT COUNT(*), {counts} FROM O_{source.name}")
        columns = [name for name, values in zip(names, present, strict=True) if values or name in keys]
        written = Written(0, [])
        if rows and len(columns) > len(keys):
            self._copy(source, columns)
            written = Written(rows, columns)
        self._connection.execute(f"DROP TABLE F_{source.name}; DROP TABLE O_{source.name}")
        return written

    def _remove_counted_twice(self, counters: list[str]) -> None:
        """Remove from the sum of all workloads what another text counts for each workload."""
        counts = ", ".join(f"COUNT({name})" for name in counters)
        listed = self._fetch_one(f"SELECT {counts} FROM O_workload WHERE WORKLOAD_NAME <> '{ALL_WORKLOADS}'")
        if not any(listed):
            return
        changes = ", ".join(f"{name} = NULL" for name, count in zip(counters, listed, strict=True) if count)
        unknown = " AND ".join(f"{name} IS NULL" for name in counters)
        self._connection.execute(f"UPDATE O_workload SET {changes} WHERE WORKLOAD_NAME = '{ALL_WORKLOADS}'")
        self._connection.execute(f"DELETE FROM O_workload WHERE WORKLOAD_NAME = '{ALL_WORKLOADS}' AND {unknown}")

    def _ignore_other_activations(self, snapshots: Snapshots) -> None:
        """Remove the activation of reports without the counters: it may be a later one."""
        self._connection.execute(
            "UPDATE F_database SET DB_CONN_TIME = NULL, UPTIME_S = NULL"
            f" WHERE NOT LIST_CONTAINS({sorted(snapshots.end | snapshots.begin)}, REPORT)"
        )

    def _host(self) -> str:
        """Return the host of the file systems, as Db2 names it."""
        hosts = [*self._hosts]
        if self._has("system", "HOST_NAME"):
            found = self._connection.execute("SELECT HOST_NAME FROM F_system WHERE HOST_NAME IS NOT NULL")
            hosts += [name for (name,) in found.fetchall()]
        return next(reversed(hosts), UNNAMED["host"])

    def _room(self, host: str) -> Written:
        """Write the free space of the file systems in which settings let Db2 write, as facts of their host."""
        source = all_sources()["hostfact"]
        self._connection.execute(f"CREATE TABLE O_hostfact AS {room(END_ID, host)}")
        (rows,) = self._fetch_one("SELECT COUNT(*) FROM O_hostfact")
        columns = [column.name for column in source.columns]
        if rows:
            self._copy(source, columns)
        return Written(rows, columns)

    def _aggregate(self, source: Source, parts: int, number: int, side: str, where: str = "true") -> None:
        """Add the rows of one snapshot: counters from its side, other values from the last report with them.

        They are computed in parts, since aggregation needs memory.
        """
        keys = ", ".join(f"F.{key}" for key in source.names("key"))
        items = [f"{number} AS SNAP_ID"]
        for column in source.columns:
            item = f"F.{column.name}"
            if column.kind != "key":
                # a row without the value, or of the other side, is skipped
                place = f"CASE WHEN R.{side} THEN R.PLACE END" if column.kind == "counter" else "R.PLACE"
                item = f"MAX_BY({item}, {place}) AS {column.name}"
            items.append(item)
        present = " AND ".join(f"F.{key} IS NOT NULL" for key in source.names("key"))
        for part in range(parts):
            mine = f"HASH({keys}) % {parts} = {part}" if parts > 1 else "true"
            self._connection.execute(
                f"INSERT INTO O_{source.name} SELECT {', '.join(items)} FROM F_{source.name} AS F"
                f" INNER JOIN REPORT AS R ON F.REPORT = R.NUMBER"
                f" WHERE {present} AND {mine} AND {where} GROUP BY {keys}"
            )

    def _add_last_versions(self, source: Source) -> None:
        """Add the rows of settings: the last version of each."""
        self._connection.execute(versions(source))
        self.notes += note(self._connection.execute(select_conflicts(source)).fetchall())
        self._connection.execute(
            f"INSERT INTO O_{source.name} BY NAME {select_last_versions(source, END_ID)}; DROP TABLE VERSION"
        )
        self._execute(remove_pending_paths(source, END_ID))

    def _add_zeros(self, source: Source) -> None:
        """Add the begin of an interval that the counters cover."""
        zeros = [f"{name} - {name} AS {name}" for name in source.names("counter")]
        replaced = f"REPLACE ({', '.join([f'{BEGIN_ID} AS SNAP_ID', *zeros])})"
        self._connection.execute(f"INSERT INTO O_{source.name} SELECT * {replaced} FROM O_{source.name}")

    def _add_begin(self, source: Source, parts: int) -> None:
        """Add the begin from the reports of that side."""
        out, counters = f"O_{source.name}", source.names("counter")
        self._aggregate(source, parts, BEGIN_ID, "AT_BEGIN", "R.AT_BEGIN")
        if source.name == "database":
            self._connection.execute(
                f"UPDATE {out} SET DB_CONN_TIME = B.DB_CONN_TIME FROM {out} AS B WHERE {out}.SNAP_ID = {END_ID}"
                f" AND B.SNAP_ID = {BEGIN_ID} AND B.MEMBER = {out}.MEMBER"
                f" AND ABS(DATE_DIFF('second', B.DB_CONN_TIME, {out}.DB_CONN_TIME)) <= {SAME_ACTIVATION_S}"
            )
        if counters:
            # a row only in the later report may be new, or was left out of the earlier one: it gives no delta
            same = " AND ".join(f"B.{key} = {out}.{key}" for key in source.names("key"))
            nothing = ", ".join(f"{name} = NULL" for name in counters)
            self._connection.execute(
                f"UPDATE {out} SET {nothing} WHERE SNAP_ID = {END_ID} AND NOT EXISTS"
                f" (SELECT 1 FROM {out} AS B WHERE B.SNAP_ID = {BEGIN_ID} AND {same})"
            )

    def _replace_activation(self, snapshots: Snapshots) -> None:
        """Replace the time of activation by the begin of the interval over which a tool watched the counters."""
        begin_at, end_at = snapshots.begin_at, snapshots.end_at
        assert begin_at is not None and end_at is not None  # an interval has both
        self._connection.execute(
            f"INSERT INTO O_database (SNAP_ID, MEMBER) SELECT S.ID, M.ID FROM UNNEST([{BEGIN_ID}, {END_ID}]) AS S (ID),"
            f" UNNEST({self.members}) AS M (ID) EXCEPT SELECT SNAP_ID, MEMBER FROM O_database"
        )
        self._connection.execute(
            f"UPDATE O_database SET DB_CONN_TIME = $1::TIMESTAMP, UPTIME_S = CASE WHEN SNAP_ID = {END_ID} THEN $2 ELSE 0 END",
            [begin_at.isoformat(), int((end_at - begin_at).total_seconds())],
        )

    def _copy(self, source: Source, columns: list[str]) -> None:
        path = literal(str(self.target / f"{source.name}.csv"))
        order = ", ".join(["SNAP_ID", *source.names("key")])
        self._connection.execute(
            f"COPY (SELECT SNAP_ID, {', '.join(columns)} FROM O_{source.name} ORDER BY {order})"
            f" TO {path} (HEADER, DELIMITER ',')"
        )

    def _create(self, source: Source) -> None:
        declared = ", ".join(f"{column.name} {column.type}" for column in source.columns)
        self._connection.execute(f"CREATE TABLE O_{source.name} (SNAP_ID INTEGER, {declared})")

    def _execute(self, statements: Iterable[str]) -> None:
        for statement in statements:
            self._connection.execute(statement)

    def _fetch_one(self, sql: str) -> tuple[int, ...]:
        row = self._connection.execute(sql).fetchone()
        assert row is not None  # an aggregate without GROUP BY has a row
        return row
