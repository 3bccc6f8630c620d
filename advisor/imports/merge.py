"""From the rows that were read to the files of a capture: one row for each key, typed, in its snapshots."""

from dataclasses import dataclass
from pathlib import Path

from advisor.imports.facts import Report
from advisor.imports.snapshots import Snapshots
from advisor.imports.values import ALL_WORKLOADS
from advisor.sources import Source, all_sources

BEGIN_ID, END_ID = 1, 2

# A part of a key that some texts lack, and the column by which another source tells it.
RESOLVED = (
    ("container", "TBSP_NAME", "TBSP_ID", "tablespace", "TBSP_NAME", "TBSP_ID"),
    ("container", "TBSP_NAME", "TBSP_ID", "cat_tablespace", "TBSPACE", "TBSPACEID"),
)

MEMBER_KEYS = ("MEMBER", "DBPARTITIONNUM")

# Tools say the time of activation to the second or round it: so far apart it is the same one.
SAME_ACTIVATION_S = 60

MEMORY = "128MB"  # of one import, beyond which it goes to disk


@dataclass(frozen=True)
class Written:
    """A file of the capture: how many rows it has, and which columns hold something."""

    rows: int
    columns: list[str]


class Merger:
    """Merges what was read of one database into the files of a capture.

    Of each source there are two tables: F_<SOURCE> with what was found, O_<SOURCE> with what goes out.
    """

    def __init__(self, files: dict[tuple[str, ...], Path], reports: list[Report], target: Path) -> None:
        import duckdb

        self.target = target
        self.notes: list[str] = []
        self.members = [0]
        self._files = files
        self._connection = duckdb.connect(
            ":memory:", config={"memory_limit": MEMORY, "temp_directory": str(target / ".spill"), "threads": 1}
        )
        self._connection.execute(
            "CREATE TABLE REPORT (NUMBER INTEGER, PLACE INTEGER, MEMBER SMALLINT, AT_BEGIN BOOLEAN, AT_END BOOLEAN)"
        )
        rows = [(report.number, place, report.member) for place, report in enumerate(reports)]
        self._connection.executemany("INSERT INTO REPORT VALUES (?, ?, ?, false, false)", rows)
        self._known: dict[str, set[str]] = {}  # the columns that were read of each source
        for name, *columns in files:
            self._known.setdefault(name, set()).update(columns)
        self._sources = [source for name, source in all_sources().items() if name in self._known]
        for source in self._sources:
            self._load(source)

    def close(self) -> None:
        self._connection.close()

    def counting(self) -> dict[int, set[str]]:
        """The sources of which each report holds counters, by the report's number."""
        holding: dict[int, set[str]] = {}
        for source in self._sources:
            if counters := source.names("counter"):
                some = " OR ".join(f"{name} IS NOT NULL" for name in counters)
                found = self._connection.execute(f"SELECT DISTINCT REPORT FROM F_{source.name} WHERE {some}")
                for (number,) in found.fetchall():
                    holding.setdefault(number, set()).add(source.name)
        return holding

    def merge(self, snapshots: Snapshots) -> dict[str, Written]:
        """Write every source that there are rows of; gives what was written by its name."""
        self.snapshots = snapshots
        for column, numbers in (("AT_BEGIN", snapshots.begin), ("AT_END", snapshots.end)):
            self._connection.execute(
                f"UPDATE REPORT SET {column} = true WHERE NUMBER IN (SELECT UNNEST($1::INTEGER[]))", [sorted(numbers)]
            )
        self._fill_members()
        for name, column, number, other, value, by in RESOLVED:
            if self._exists(name) and self._exists(other):
                self._connection.execute(
                    f"UPDATE F_{name} SET {column} = O.VALUE FROM (SELECT {by} AS NUMBER, MAX({value}) AS VALUE"
                    f" FROM F_{other} WHERE {by} IS NOT NULL AND {value} IS NOT NULL GROUP BY {by}) AS O"
                    f" WHERE F_{name}.{column} IS NULL AND F_{name}.{number} = O.NUMBER"
                )
        written = {source.name: self._write(source) for source in self._sources}
        if snapshots.interval or (snapshots.watched and not self._exists("database")):
            written["database"] = self._activation()
        return {name: item for name, item in written.items() if item.rows}

    def _exists(self, name: str) -> bool:
        return any(source.name == name for source in self._sources)

    def _load(self, source: Source) -> None:
        parts = [_text(shape, path) for shape, path in self._files.items() if shape[0] == source.name]
        raw = "\nUNION ALL BY NAME\n".join(f"SELECT * FROM {part}" for part in parts)
        values = ", ".join(
            f"TRY_CAST(R.{column.name} AS {column.type}) AS {column.name}"
            if column.name in self._known[source.name]
            else f"CAST(NULL AS {column.type}) AS {column.name}"
            for column in source.columns
        )
        self._connection.execute(
            f"CREATE TABLE F_{source.name} AS SELECT P.NUMBER AS REPORT, P.MEMBER AS REPORT_MEMBER, {values}"
            f" FROM ({raw}) AS R INNER JOIN REPORT AS P ON CAST(R.REPORT AS INTEGER) = P.NUMBER"
        )

    def _fill_members(self) -> None:
        """A row that does not say its member is of its report's, or else of the first that is known."""
        known: set[int] = set()
        with_member = [(source, key) for source in self._sources for key in MEMBER_KEYS if key in source.names("key")]
        for source, key in with_member:
            found = self._connection.execute(f"SELECT DISTINCT COALESCE({key}, REPORT_MEMBER) FROM F_{source.name}")
            known |= {member for (member,) in found.fetchall() if member is not None}
        self.members = sorted(known) or [0]
        for source, key in with_member:
            self._connection.execute(
                f"UPDATE F_{source.name} SET {key} = COALESCE(REPORT_MEMBER, {self.members[0]}) WHERE {key} IS NULL"
            )

    def _write(self, source: Source) -> Written:
        keys = source.names("key")
        unkeyed = " OR ".join(f"{key} IS NULL" for key in keys)
        (lost,) = self._one(f"SELECT COUNT(*) FROM F_{source.name} WHERE {unkeyed}")
        if lost:
            self.notes.append(
                f"{source.name}: not used for lack of a part of the key ({', '.join(keys)}): {lost} of the rows"
            )
        end = self._rows(source, END_ID, "AT_END")
        self._connection.execute(f"CREATE TABLE O_{source.name} AS {end}")
        if self.snapshots.begin:
            self._add_begin(source)
        if source.name == "workload":
            # one text has the workloads, another their sum
            some = " OR ".join(f"O.{name} IS NOT NULL" for name in source.names("counter"))
            self._connection.execute(
                f"DELETE FROM O_workload WHERE WORKLOAD_NAME = '{ALL_WORKLOADS}'"
                f" AND EXISTS (SELECT 1 FROM O_workload AS O WHERE O.WORKLOAD_NAME <> '{ALL_WORKLOADS}' AND ({some}))"
            )
        if source.name == "database" and self.snapshots.end_at:
            self._connection.execute(
                f"UPDATE O_{source.name} SET UPTIME_S = DATE_DIFF('second', DB_CONN_TIME, $1::TIMESTAMP)"
                f" WHERE UPTIME_S IS NULL AND SNAP_ID = {END_ID}",
                [self.snapshots.end_at.isoformat()],
            )
        names = [column.name for column in source.columns]
        counts = ", ".join(f"COUNT({name}) FILTER (SNAP_ID = {END_ID})" for name in names)
        rows, *present = self._one(f"SELECT COUNT(*), {counts} FROM O_{source.name}")
        columns = [name for name, values in zip(names, present, strict=True) if values or name in keys]
        if rows and len(columns) > len(keys):
            self._copy(source, columns)
            return Written(rows, columns)
        return Written(0, [])

    def _rows(self, source: Source, number: int, side: str, where: str = "true") -> str:
        """The SELECT of one snapshot, in the order of its keys: what counts is from the reports of its side, and the rest
        from the last that says it.
        """
        keys = [f"F.{key}" for key in source.names("key")]
        items = [f"{number} AS SNAP_ID", *keys]
        for column in source.columns:
            if column.kind == "key":
                continue
            if column.name not in self._known[source.name]:
                items.append(f"CAST(NULL AS {column.type}) AS {column.name}")
            else:
                # a row without the value, or not of this side, is passed over
                place = f"CASE WHEN R.{side} THEN R.PLACE END" if column.kind == "counter" else "R.PLACE"
                items.append(f"MAX_BY(F.{column.name}, {place}) AS {column.name}")
        present = " AND ".join(f"{key} IS NOT NULL" for key in keys)
        return (
            f"SELECT {', '.join(items)} FROM F_{source.name} AS F INNER JOIN REPORT AS R ON F.REPORT = R.NUMBER"
            f" WHERE {present} AND {where} GROUP BY {', '.join(keys)} ORDER BY {', '.join(keys)}"
        )

    def _add_begin(self, source: Source) -> None:
        counters = source.names("counter")
        out = f"O_{source.name}"
        if self.snapshots.interval:
            zeros = ", ".join(f"{name} - {name} AS {name}" for name in counters)
            replaced = f"REPLACE ({BEGIN_ID} AS SNAP_ID{', ' + zeros if zeros else ''})"
            self._connection.execute(f"INSERT INTO {out} SELECT * {replaced} FROM {out}")
            return
        begin = self._rows(source, BEGIN_ID, "AT_BEGIN", "R.AT_BEGIN")
        self._connection.execute(f"INSERT INTO {out} {begin}")
        if source.name == "database":
            self._connection.execute(
                f"UPDATE {out} SET DB_CONN_TIME = B.DB_CONN_TIME FROM {out} AS B WHERE {out}.SNAP_ID = {END_ID}"
                f" AND B.SNAP_ID = {BEGIN_ID} AND B.MEMBER = {out}.MEMBER"
                f" AND ABS(DATE_DIFF('second', B.DB_CONN_TIME, {out}.DB_CONN_TIME)) <= {SAME_ACTIVATION_S}"
            )
        if counters:
            # what is in the later report only may be new, or was left out of the earlier: it says nothing of the interval
            same = " AND ".join(f"B.{key} = {out}.{key}" for key in source.names("key"))
            nothing = ", ".join(f"{name} = NULL" for name in counters)
            self._connection.execute(
                f"UPDATE {out} SET {nothing} WHERE SNAP_ID = {END_ID} AND NOT EXISTS"
                f" (SELECT 1 FROM {out} AS B WHERE B.SNAP_ID = {BEGIN_ID} AND {same})"
            )

    def _activation(self) -> Written:
        """The baseline of counters that a tool watched over an interval: that is in place of the time of activation."""
        source = all_sources()["database"]
        begin_at, end_at = self.snapshots.begin_at, self.snapshots.end_at
        assert begin_at is not None and end_at is not None  # an interval has both
        uptime = int((end_at - begin_at).total_seconds())
        self._connection.execute("DROP TABLE IF EXISTS O_database")
        columns = ["MEMBER", "DB_CONN_TIME", "UPTIME_S"]
        self._connection.execute(
            "CREATE TABLE O_database (SNAP_ID INTEGER, MEMBER SMALLINT, DB_CONN_TIME TIMESTAMP, UPTIME_S BIGINT)"
        )
        rows = [
            (number, member, begin_at.isoformat(), 0 if number == BEGIN_ID else uptime)
            for number in (BEGIN_ID, END_ID)
            for member in self.members
        ]
        self._connection.executemany("INSERT INTO O_database VALUES (?, ?, ?, ?)", rows)
        self._copy(source, columns)
        return Written(len(rows), columns)

    def _copy(self, source: Source, columns: list[str]) -> None:
        """Write the rows of each snapshot as they stand: they are in the order of their keys."""
        path = str(self.target / f"{source.name}.csv").replace("'", "''")
        sides = " UNION ALL ".join(
            f"SELECT SNAP_ID, {', '.join(columns)} FROM O_{source.name} WHERE SNAP_ID = {number}"
            for number in (BEGIN_ID, END_ID)
        )
        self._connection.execute(f"COPY ({sides}) TO '{path}' (HEADER, DELIMITER ',')")

    def _one(self, sql: str) -> tuple[int, ...]:
        row = self._connection.execute(sql).fetchone()
        assert row is not None  # an aggregate without GROUP BY has a row
        return row


def _text(shape: tuple[str, ...], path: Path) -> str:
    """The table function that reads what was written of a source, as text."""
    columns = ", ".join(f"'{column}': 'VARCHAR'" for column in ("REPORT", *shape[1:]))
    file = str(path).replace("'", "''")
    return (
        f"read_csv('{file}', header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"',"
        f" max_line_size = {1 << 24}, columns = {{{columns}}})"
    )
