"""Joint import of many captures, which needs fewer statements than one import per capture."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from advisor.capture.hostfacts import COLUMNS
from advisor.capture.manifest import Collected
from advisor.capture.reading import Capture, reading
from advisor.catalogue.sources import Source, all_sources
from advisor.parallel import run_in_sessions
from advisor.quoting import quote_path

if TYPE_CHECKING:
    import duckdb


def load(connection: "duckdb.DuckDBPyConnection", captures: Mapping[int, Capture]) -> None:
    """Fill the snapshot tables in schema MANY from numbered captures. Column OF_ contains the number.

    Raise UserError for an invalid capture.
    """
    import duckdb

    sources = list(all_sources().values())
    try:
        sound = all(run_in_sessions(connection, lambda session, source: _load(session, source, captures), sources))
    except duckdb.Error:
        sound = False
    if sound:
        for number, capture in captures.items():
            if capture.hostfacts:
                _lay_over(connection, number, capture)
    else:  # read them one by one, to find the invalid capture
        for source in sources:
            connection.execute(f"DELETE FROM {_table(source)} WHERE OF_ IN ({', '.join(map(str, captures))})")
        for number, capture in captures.items():
            _load_one(connection, number, capture)


def _table(source: Source) -> str:
    return source.table.replace("TUNE.", "MANY.")


def _load(session: "duckdb.DuckDBPyConnection", source: Source, captures: Mapping[int, Capture]) -> bool:
    """Read the files of one source. Return whether every capture has the expected rows."""
    alike: dict[tuple[str, ...], list[int]] = {}
    for number, capture in captures.items():
        path = capture.files.get(source.name)
        capture.columns[source.name] = capture.header(session, source, path) if path else []
        if path:
            alike.setdefault((path.suffix, *capture.columns[source.name]), []).append(number)
    for (suffix, *present), numbers in alike.items():
        paths = [quote_path(captures[number].files[source.name]) for number in numbers]
        select = reading(source, suffix, present, also=", (?)[CAST(file_index AS BIGINT) + 1]")
        session.execute(f"INSERT INTO {_table(source)} ({', '.join(present)}, OF_) {select}", [numbers, paths])
    return _is_sound(session, source, captures)


def _is_sound(session: "duckdb.DuckDBPyConnection", source: Source, captures: Mapping[int, Capture]) -> bool:
    key = ["SNAP_ID", *source.names("key")]
    whole = " AND ".join(f"{name} IS NOT NULL" for name in key)
    found = session.execute(
        f"SELECT OF_, COUNT(*), COUNT(*) FILTER ({whole}), COUNT(DISTINCT HASH({', '.join(key)})),"
        f" LIST(DISTINCT SNAP_ID) FROM {_table(source)} GROUP BY OF_"
    ).fetchall()
    rows = {number: count for number, count, *_ in found}
    for number, capture in captures.items():
        expected = capture.declared.get(source.name, Collected()).rows
        if expected is not None and expected != rows.get(number, 0):
            return False
    ids = {number: {snapshot.id for snapshot in capture.snapshots} for number, capture in captures.items()}
    return all(
        count == whole_keys == keys and ids[number].issuperset(snapshots)
        for number, count, whole_keys, keys, snapshots in found
        if number in captures
    )


def _load_one(connection: "duckdb.DuckDBPyConnection", number: int, capture: Capture) -> None:
    for source in all_sources().values():
        connection.execute(f"DROP TABLE IF EXISTS {source.table}")
    capture.load(connection)
    for source in all_sources().values():
        connection.execute(f"INSERT INTO {_table(source)} SELECT {number}, * FROM {source.table}")


def _lay_over(connection: "duckdb.DuckDBPyConnection", number: int, capture: Capture) -> None:
    hosts = connection.execute("SELECT DISTINCT HOST_NAME FROM MANY.S_SYSTEM WHERE OF_ = ?", [number]).fetchall()
    names = f"SNAP_ID, {', '.join(COLUMNS)}"
    own = connection.execute(f"SELECT {names} FROM MANY.S_HOSTFACT WHERE OF_ = ?", [number]).fetchall()
    rows = capture.add_hostfacts({str(host) for (host,) in hosts}, own)
    connection.execute("DELETE FROM MANY.S_HOSTFACT WHERE OF_ = ?", [number])
    marks = ", ".join("?" * len(rows[0]))
    connection.executemany(f"INSERT INTO MANY.S_HOSTFACT (OF_, {names}) VALUES ({number}, {marks})", rows)
