"""The rows of a capture: the values in them, and the same rows with replacements."""

from pathlib import Path
from typing import TYPE_CHECKING

from advisor.anonymize.names import Pick, table
from advisor.anonymize.values import treatment
from advisor.capture import Capture
from advisor.capture.writing import format_row
from advisor.catalogue.sources import Source, all_sources

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables

_NO_CONTEXT = "''"


class Rows:
    """The loaded rows of a capture: each replacement is computed once in Python, and joined to the rows in SQL."""

    def __init__(self, tables: "Tables", capture: Capture) -> None:
        self._tables = tables
        self._files = {all_sources()[name]: path for name, path in capture.files.items()}
        self._columns = capture.columns
        self._treated = [
            row
            for row in table("columns")
            if row["SOURCE"] in capture.files and row["COLUMN"] in capture.columns[row["SOURCE"]]
        ]
        self._values: dict[str, set[tuple[str, str]]] = {}  # context and value, by treatment
        for row in self._treated:
            found = tables.fetch(
                f"SELECT DISTINCT {row['CONTEXT'] or _NO_CONTEXT}, {row['COLUMN']}"
                f" FROM {all_sources()[row['SOURCE']].table} WHERE {row['COLUMN']} IS NOT NULL"
            )
            self._values.setdefault(row["TREATMENT"], set()).update(found)

    def names(self, kind: str) -> list[str]:
        """Return the names of a kind that has columns of its own."""
        return sorted(value for _, value in self._values.get(kind, ()))

    def tables(self, schema: str) -> list[str]:
        """Return the names of a schema's tables."""
        sources = sorted({row["SOURCE"] for row in self._treated if row["COLUMN"] == "TABNAME"})
        if not sources:
            return []
        parts = [f"SELECT TABNAME FROM {all_sources()[name].table} WHERE TABSCHEMA = $schema" for name in sources]
        return [name for (name,) in self._tables.fetch(f"{' UNION '.join(parts)} ORDER BY 1", {"schema": schema})]

    def note(self, pick: Pick) -> None:
        """Pass every name to the treatments."""
        for name, values in self._values.items():
            for context, value in values:
                treatment(name, context)(pick, value)

    def write(self, target: Path, pick: Pick) -> None:
        """Write the rows with replacements, each source to a file."""
        for name, values in self._values.items():
            self._tables.execute(f"CREATE TEMP TABLE GIVEN_{name} (CONTEXT, OLD, NEW, PRIMARY KEY (OLD, CONTEXT))")
            for context, value in values:
                row = (context, value, treatment(name, context)(pick, value))
                self._tables.execute(f"INSERT INTO GIVEN_{name} VALUES (?, ?, ?)", row)
        for source, path in self._files.items():
            with (target / path.name).open("w", encoding="utf-8", newline="") as file:
                file.write(format_row(self._columns[source.name]))
                file.writelines(map(format_row, self._tables.execute(self._select(source))))
        for name in self._values:
            self._tables.execute(f"DROP TABLE GIVEN_{name}")

    def _select(self, source: Source) -> str:
        """Return the SELECT of a source's rows under their new names, sorted by these."""
        present = self._columns[source.name]
        treated = {row["COLUMN"]: row for row in self._treated if row["SOURCE"] == source.name}
        joins = [
            f" LEFT JOIN GIVEN_{row['TREATMENT']} AS {name}_"
            f" ON {name}_.OLD = T.{name} AND {name}_.CONTEXT = {row['CONTEXT'] or _NO_CONTEXT}"
            for name, row in treated.items()
        ]
        items = [f"{name}_.NEW AS {name}" if name in treated else f"T.{name}" for name in present]
        order = [str(present.index(name) + 1) for name in ("SNAP_ID", *source.names("key"))]
        return f"SELECT {', '.join(items)} FROM {source.table} AS T{''.join(joins)} ORDER BY {', '.join(order)}"
