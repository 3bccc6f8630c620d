"""The collector of host facts: a shell script made of its parts and the paths of a database.

These are containers, logs and storage paths.
"""

from collections.abc import Iterable
from pathlib import Path

from advisor.catalogue.sources import all_sources
from advisor.db2.connection import Connection

_PARTS = ("common", "linux", "aix", "solaris", "main")
_END = """
# the paths of a database
built_in() {{ report{paths} "$@"; }}

# no command may read standard input, which may be this script
main "$@" </dev/null
"""


def script(names: Iterable[str] = ()) -> str:
    """Return the script. ``names`` are paths in addition to its arguments: container:/data/c1, path:/log/."""
    parts = [(Path(__file__).parent / "sh" / f"{part}.sh").read_text(encoding="utf-8") for part in _PARTS]
    paths = "".join(f" \\\n    {_quoted(name)}" for name in sorted(set(names)))
    return "".join(parts) + _END.format(paths=paths)


def _quoted(text: str) -> str:
    """Return a quoted shell word."""
    return "'" + text.replace("'", "'\\''") + "'"


# source, its columns, and the query for its names in the collector's format
_NAMES = {
    "container": (["CONTAINER_NAME"], "SELECT DISTINCT 'container:' || T.CONTAINER_NAME FROM {} AS T"),
    "storage_path": (["DB_STORAGE_PATH"], "SELECT DISTINCT 'path:' || T.DB_STORAGE_PATH FROM {} AS T"),
    "dbcfg": (
        ["NAME", "VALUE"],
        "SELECT DISTINCT 'path:' || T.VALUE FROM {} AS T WHERE LOWER(T.NAME) IN ('logpath', 'mirrorlogpath')",
    ),
}


def read_capture_paths(capture: Path) -> list[str]:
    """Return the names of a capture's paths. Raise UserError for an invalid capture."""
    from advisor.capture import open_capture
    from advisor.catalogue.embedded import open_tables

    with open_capture(capture) as found, open_tables() as tables:
        found.load(tables)
        return _keep_usable(
            row[0]
            for name, (_, query) in _NAMES.items()
            for row in tables.fetch(query.format(f"TUNE.S_{name.upper()}"))
        )


def read_database_paths(connection: Connection) -> list[str]:
    """Return the names of a database's paths."""
    found = []
    for name, (columns, query) in _NAMES.items():
        # no other columns: a level that lacks one would reject the query
        read = all_sources()[name].reading(*columns)
        found += [row[0] for row in connection.rows(f"{query} WITH UR".format(f"({read})"))]
    return _keep_usable(found)


def _keep_usable(names: Iterable[str | None]) -> list[str]:
    """Return the names that the script can contain: UNIX paths on one line."""
    return [name for name in names if name and name.partition(":")[2].startswith("/") and name.isprintable()]
