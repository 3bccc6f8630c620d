"""What users made of a database, to be put into another one: saves the minutes of installing the same again and again."""

from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from tests.standin.objects.database import Database
from tests.standin.objects.definitions import Definition, Grant, Key, Table, quoted
from tests.standin.objects.modes import UNITS
from tests.standin.objects.registers import literal
from tests.standin.objects.storage import INTERNAL
from tests.standin.objects.views import make

if TYPE_CHECKING:
    from itertools import count

OWN = ("main", "information_schema", "pg_catalog")  # schemas that every DuckDB has


@dataclass(frozen=True)
class Image:
    """Objects, privileges, and a DuckDB file with the rows. Nothing of the machine, and no scheduled task."""

    file: Path
    objects: dict[Key, Definition]
    grants: frozenset[Grant]
    images: "count[int]"
    sequences: "count[int]"


def take(database: Database, file: Path) -> Image:
    """The image of a database on which no session has work that is not committed."""
    with database.lock:
        make(database, list(database.unmade))
        _copy(database.connection.cursor(), file, "memory", "image")
        registry, storage = database.registry, database.storage
        objects = {key: found for key, found in registry.objects.items() if key.schema != UNITS[0]}
        schemas = {INTERNAL, *(key.schema for key in objects)}
        image = Image(file, objects, frozenset(registry.grants), copy(storage.images), copy(storage.sequences))
    with duckdb.connect(str(file)) as kept:
        for (name,) in kept.execute("SELECT DISTINCT schema_name FROM duckdb_schemas() WHERE NOT internal").fetchall():
            if name not in schemas and name not in OWN:
                kept.execute(f"DROP SCHEMA {quoted(name)} CASCADE")
    return image


def put(database: Database, image: Image) -> None:
    """Put an image into a new database of the same level. Raises -286 if no table space takes one of its tables."""
    with database.lock:
        placed = {
            key: _placed(kept, database) if isinstance(kept, Table) else kept for key, kept in image.objects.items()
        }
        database.registry.add(placed, image.grants)
        database.storage.images, database.storage.sequences = copy(image.images), copy(image.sequences)
        session = database.connection.cursor()
        session.execute(f"DROP SCHEMA {quoted(INTERNAL)} CASCADE")
        database.reflected.clear()
        _copy(session, image.file, "image", "memory")


def _placed(table: Table, database: Database) -> Table:
    return replace(table, tablespace=database.chosen_space(table.columns, table.definer))


def _copy(session: duckdb.DuckDBPyConnection, file: Path, source: str, target: str) -> None:
    only_read = " (READ_ONLY)" if source == "image" else ""  # other processes may read it at the same time
    session.execute(f"ATTACH {literal(str(file))} AS image{only_read}")
    session.execute(f"COPY FROM DATABASE {source} TO {target}")
    session.execute("DETACH image")
