"""From the rows that were read to the files of a capture: one row for each key, typed, in its snapshots."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from advisor.imports.facts import Report
from advisor.imports.snapshots import Snapshots
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

MEMORY = "512MB"


@dataclass(frozen=True)
class Written:
    """A file of the capture: how many rows it has, and which columns hold something."""

    rows: int
    columns: list[str]


class Merger:
    """Merges what was read of one database into the files of a capture.

    Of each source there are two tables: F_<SOURCE> with what was found, O_<SOURCE> with what goes out.
    """

    def __init__(
        self, files: dict[tuple[str, ...], Path], reports: list[Report], snapshots: Snapshots, target: Path
    ) -> None:
        import duckdb

        self.snapshots = snapshots
        self.target = target
        self.notes: list[str] = []
        self.members = [0]
        self._files = files
        self._connection = duckdb.connect(
            ":memory:", config={"memory_limit": MEMORY, "temp_directory": str(target / ".spill"), "threads": 1}
        )
        self._connection.execute("SET preserve_insertion_order = false")
        self._connection.execute("CREATE TABLE REPORT (NUMBER INTEGER, PLACE INTEGER, MEMBER SMALLINT)")
        rows = [(report.number, place, report.member) for place, report in enumerate(reports)]
        self._connection.executemany("INSERT INTO REPORT VALUES (?, ?, ?)", rows or [(-1, -1, None)])

    def close(self) -> None:
        self._connection.close()

    def merge(self) -> dict[str, Written]:
        """Write every source that there are rows of; gives what was written by its name."""
        for name in sorted({shape[0] for shape in self._files}):
            self._load(all_sources()[name])
        present = [source for source in all_sources().values() if self._exists(source)]
        self._fill_members(present)
        for name, column, number, other, value, by in RESOLVED:
            if self._exists(all_sources()[name]) and self._exists(all_sources()[other]):
                self._connection.execute(
                    f"UPDATE F_{name} SET {column} = O.VALUE FROM (SELECT {by} AS NUMBER, MAX({value}) AS VALUE"
                    f" FROM F_{other} WHERE {by} IS NOT NULL AND {value} IS NOT NULL GROUP BY {by}) AS O"
                    f" WHERE F_{name}.{column} IS NULL AND F_{name}.{number} = O.NUMBER"
                )
        written = {source.name: self._write(source) for source in present}
        if self.snapshots.interval:
            written["database"] = self._activation()
        return {name: item for name, item in written.items() if item.rows}

    def _exists(self, source: Source) -> bool:
        return any(shape[0] == source.name for shape in self._files)

    def _load(self, source: Source) -> None:
        parts = [_text(shape, path) for shape, path in self._files.items() if shape[0] == source.name]
        raw = "\nUNION ALL BY NAME\n".join(f"SELECT * FROM {part}" for part in parts)
        known = {column for shape in self._files if shape[0] == source.name for column in shape[1:]}
        values = ", ".join(
            f"TRY_CAST(R.{column.name} AS {column.type}) AS {column.name}"
            if column.name in known
            else f"CAST(NULL AS {column.type}) AS {column.name}"
            for column in source.columns
        )
        self._connection.execute(
            f"CREATE TABLE F_{source.name} AS SELECT CAST(R.REPORT AS INTEGER) AS REPORT, P.PLACE,"
            f" P.MEMBER AS REPORT_MEMBER, {values}"
            f" FROM ({raw}) AS R INNER JOIN REPORT AS P ON CAST(R.REPORT AS INTEGER) = P.NUMBER"
        )

    def _fill_members(self, sources: Iterable[Source]) -> None:
        """A row that does not say its member is of its report's, or else of the first that is known."""
        known: set[int] = set()
        with_member = [(source, key) for source in sources for key in MEMBER_KEYS if key in source.names("key")]
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
        end = self._rows(source, END_ID, self.snapshots.end, None)
        self._connection.execute(f"CREATE TABLE O_{source.name} AS {end}")
        if self.snapshots.begin:
            self._add_begin(source)
        if source.name == "database" and self.snapshots.end_at:
            self._connection.execute(
                f"UPDATE O_{source.name} SET UPTIME_S = DATE_DIFF('second', DB_CONN_TIME, $1::TIMESTAMP)"
                f" WHERE UPTIME_S IS NULL AND SNAP_ID = {END_ID}",
                [self.snapshots.end_at.isoformat()],
            )
        columns = [
            name
            for name in [column.name for column in source.columns]
            if name in keys or self._one(f"SELECT COUNT({name}) FROM O_{source.name} WHERE SNAP_ID = {END_ID}")[0]
        ]
        (rows,) = self._one(f"SELECT COUNT(*) FROM O_{source.name}")
        if rows and len(columns) > len(keys):
            self._copy(source, columns)
            return Written(rows, columns)
        return Written(0, [])

    def _rows(self, source: Source, number: int, counting: frozenset[int], only: frozenset[int] | None) -> str:
        """The SELECT of one snapshot: what counts from the reports ``counting``, the rest from all or ``only`` these."""
        keys = source.names("key")
        items = [f"{number} AS SNAP_ID", *keys]
        for column in source.columns:
            if column.kind == "key":
                continue
            condition = f"{column.name} IS NOT NULL"
            if column.kind == "counter":
                condition += f" AND REPORT IN ({_listed(counting)})"
            items.append(
                f"MAX_BY({column.name}, ROW(PLACE, {column.name})) FILTER (WHERE {condition}) AS {column.name}"
            )
        present = " AND ".join(f"{key} IS NOT NULL" for key in keys)
        within = "" if only is None else f" AND REPORT IN ({_listed(only)})"
        return f"SELECT {', '.join(items)} FROM F_{source.name} WHERE {present}{within} GROUP BY {', '.join(keys)}"

    def _add_begin(self, source: Source) -> None:
        counters = source.names("counter")
        out = f"O_{source.name}"
        if self.snapshots.interval:
            zeros = ", ".join(f"{name} - {name} AS {name}" for name in counters)
            replaced = f"REPLACE ({BEGIN_ID} AS SNAP_ID{', ' + zeros if zeros else ''})"
            self._connection.execute(f"INSERT INTO {out} SELECT * {replaced} FROM {out}")
            return
        begin = self._rows(source, BEGIN_ID, self.snapshots.begin, self.snapshots.begin)
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
        """The baseline of counters that a tool differenced itself: they began with its interval."""
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
        path = str(self.target / f"{source.name}.csv").replace("'", "''")
        order = ", ".join(["SNAP_ID", *source.names("key")])
        self._connection.execute(
            f"COPY (SELECT SNAP_ID, {', '.join(columns)} FROM O_{source.name} ORDER BY {order})"
            f" TO '{path}' (HEADER, DELIMITER ',')"
        )

    def _one(self, sql: str) -> tuple[int, ...]:
        row = self._connection.execute(sql).fetchone()
        assert row is not None  # an aggregate without GROUP BY has a row
        return row


def _listed(numbers: frozenset[int]) -> str:
    return ", ".join(str(number) for number in sorted(numbers)) or "-1"


def _text(shape: tuple[str, ...], path: Path) -> str:
    """The table function that reads what was written of a source, as text."""
    columns = ", ".join(f"'{column}': 'VARCHAR'" for column in ("REPORT", *shape[1:]))
    file = str(path).replace("'", "''")
    return (
        f"read_csv('{file}', header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"',"
        f" max_line_size = {1 << 24}, columns = {{{columns}}})"
    )


def counting(files: dict[tuple[str, ...], Path]) -> dict[int, set[str]]:
    """The sources of which each report holds counters, by the report's number."""
    import duckdb

    holding: dict[int, set[str]] = {}
    for shape, path in files.items():
        counters = [name for name in all_sources()[shape[0]].names("counter") if name in shape[1:]]
        if not counters:
            continue
        some = " OR ".join(f"{name} IS NOT NULL" for name in counters)
        found = duckdb.execute(
            f"SELECT DISTINCT CAST(REPORT AS INTEGER) FROM {_text(shape, path)} WHERE {some}"
        ).fetchall()
        for (number,) in found:
            holding.setdefault(number, set()).add(shape[0])
    return holding
