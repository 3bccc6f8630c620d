"""The conversion of a store that db2tune wrote with DuckDB.

The old file is only read, and renamed when the new one is complete. DuckDB is a package of the extra ``convert``.
"""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.errors import UserError
from advisor.verify.store import write_value

if TYPE_CHECKING:
    import apsw

FILE, CONVERTED = "history.duckdb", "history.duckdb.converted"
_LOG = ".wal"  # changes that DuckDB has not yet moved to the file
# It reads only the file, also if the file's contents name others.
_CLOSED: dict[str, Any] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "enable_external_access": False,
}


def convert(old: Path, connection: "apsw.Connection") -> None:
    """Copy the rows of an old store, if it exists, into the empty tables of a new one. Raise UserError if this fails."""
    if not old.is_file():
        return
    import apsw

    try:
        import duckdb
    except ModuleNotFoundError:
        raise UserError(
            f"{old}: is from an earlier db2tune; to convert it, run pip install duckdb, then this command again"
        ) from None
    try:
        with duckdb.connect(str(old), read_only=True, config=_CLOSED) as source:
            source.execute("SELECT version FROM version")  # every old store has it
            columns: dict[str, list[str]] = {}
            for table, column in source.execute("SELECT table_name, column_name FROM duckdb_columns()").fetchall():
                columns.setdefault(table, []).append(column)
            for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
                _copy_rows(source, connection, str(table), columns.get(str(table), []))
    except (duckdb.Error, apsw.ConstraintError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"{old}: cannot be converted ({reason}); move it away to start a new store") from None


def _copy_rows(source: Any, connection: "apsw.Connection", table: str, old_columns: list[str]) -> None:
    """Copy the columns that both stores have; stores of the first versions lack some."""
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})") if name in old_columns]
    if not columns:
        return
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    for row in source.execute(f"SELECT {names} FROM {table}").fetchall():
        connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", [write_value(each) for each in row])


def retire(old: Path) -> None:
    """Rename an old store that was converted, if possible; its name no longer matters."""
    for log in ("", _LOG):
        with suppress(OSError):
            old.with_name(FILE + log).rename(old.with_name(CONVERTED + log))
