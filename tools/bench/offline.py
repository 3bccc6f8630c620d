"""Advice for a large capture, compared with DuckDB reading the same columns of the same files."""

from collections.abc import Callable
from functools import partial
from pathlib import Path


def _advise(path: Path) -> int:
    """Judge a capture with all rules. Return the number of recommendations."""
    from advisor.capture import open_capture
    from advisor.catalogue.rules import all_rules
    from advisor.judgement.run import evaluate

    with open_capture(path) as capture:
        return len(evaluate(capture, list(all_rules().values())).recommendations)


def _read(path: Path, keep: bool) -> int:
    """Let DuckDB read every declared column of every file, into tables or only scanning, and nothing else."""
    import duckdb

    from advisor.capture import open_capture
    from advisor.catalogue.sources import all_sources

    connection = duckdb.connect(":memory:")
    connection.execute("SET preserve_insertion_order = false")
    rows = 0
    with open_capture(path) as capture:
        for name, file in capture.files.items():
            source = all_sources()[name]
            types = {"SNAP_ID": "INTEGER"} | {column.name: column.type for column in source.columns}
            columns = ", ".join(f"'{column}': '{kind}'" for column, kind in types.items())
            reader = f"read_csv('{file}', header = true, auto_detect = false, delim = ',', columns = {{{columns}}})"
            if keep:
                connection.execute(f'CREATE TABLE "{name}" AS SELECT {", ".join(types)} FROM {reader}')
                query = f'SELECT COUNT(*) FROM "{name}"'
            else:
                query = f"SELECT COUNT(*), {', '.join(f'MAX({column})' for column in types)} FROM {reader}"
            row = connection.execute(query).fetchone()
            assert row is not None
            rows += row[0]
    return rows


# The same order in every round: the files are in memory from the second one.
MEASUREMENTS: dict[str, Callable[[Path], int]] = {
    "scan": partial(_read, keep=False),
    "read": partial(_read, keep=True),
    "advise": _advise,
}
