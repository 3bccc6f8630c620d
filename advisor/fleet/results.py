"""Results of a fleet's captures as Parquet: one file per batch, one row per recommendation.

Files are written atomically. Their names depend on their content, so a batch that runs twice is stored once.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from advisor import files
from advisor.capture.site import Site
from advisor.errors import UserError
from advisor.fleet.estate import Found, Surveyed
from advisor.fleet.members import Batch, Member, program
from advisor.fleet.places import Place, absolute, explain_errors, strip_secrets, system
from advisor.quoting import literal, quote_path, quoted

SUFFIX = ".parquet"
# A row without a rule is a database without advice.
COLUMNS = {
    "capture": "VARCHAR",
    "program": "VARCHAR",
    "options": "VARCHAR",
    "source": "VARCHAR",
    "database": "VARCHAR",
    "host": "VARCHAR",
    "instance": "VARCHAR",
    "taken_at": "VARCHAR",
    "about": "VARCHAR",
    "interval": "VARCHAR",
    "active_sessions": "DOUBLE",
    "judged": "BOOLEAN",
    "health": "VARCHAR",
    "rank": "INTEGER",
    "rule": "VARCHAR",
    "title": "VARCHAR",
    "lane": "VARCHAR",
    "object": "VARCHAR",
    "benefit_pct": "DOUBLE",
    "benefit_after_pct": "DOUBLE",
    "by_hand": "BOOLEAN",
}
_OF_DATABASE = list(COLUMNS)[: list(COLUMNS).index("rank")]
_NOTHING = (None,) * (len(COLUMNS) - len(_OF_DATABASE))


@dataclass(frozen=True)
class Results:
    """The location of the results, and the site's options that apply."""

    where: Place
    site: Site

    @cached_property
    def options(self) -> str:
        """Return a checksum of the site."""
        return hashlib.sha256(repr(self.site).encode()).hexdigest()

    def read(self) -> dict[str, Surveyed]:
        """Return earlier results of this program and these options, by the key of the capture.

        Raise UserError for unreadable results.
        """
        found: dict[str, list[dict[str, Any]]] = {}
        with files.temporary() as folder:
            for path in self._files(folder):
                own: dict[str, list[dict[str, Any]]] = {}
                for row in _rows(path):
                    if (row["program"], row["options"]) == (program(), self.options):
                        own.setdefault(row["capture"], []).append(row)
                found |= own
        return {key: _read_surveyed(rows) for key, rows in found.items()}

    def add(self, members: Batch, found: Sequence[Surveyed]) -> None:
        """Store the results, except for captures without a key or with an error.

        Raise UserError if this fails.
        """
        kept = {one.key: (one, of) for one, of in zip(members, found, strict=True) if one.key and not of.error}
        if not kept:
            return
        named = hashlib.sha256("\n".join([program(), self.options, *kept]).encode()).hexdigest()
        self._write_rows(
            f"{named[:32]}{SUFFIX}", [row for one, of in kept.values() for row in self._list_rows(one, of)]
        )

    def _list_rows(self, one: Member, of: Surveyed) -> Iterator[tuple[Any, ...]]:
        assert one.last is not None  # analyzed captures have a snapshot
        who = [str(one.last.database[part]) for part in ("name", "host", "instance")]
        whose = (
            one.key,
            program(),
            self.options,
            strip_secrets(absolute(one.place)),
            *who,
            one.last.taken_at.isoformat(),
        )
        head = (*whose, of.about, of.interval, of.sessions, of.judged, of.health)
        lines = [astuple(item) for item in of.found] or [_NOTHING]
        yield from ((*head, *line) for line in lines)

    def _write_rows(self, name: str, rows: list[tuple[Any, ...]]) -> None:
        if isinstance(self.where, Path):
            target = self.where / name
            try:
                files.folder(self.where)
                with files.create_folder_beside(target) as folder:
                    _write(folder / name, rows)
                    if not target.exists():
                        files.place(folder / name, target)
            except OSError as error:
                raise UserError(f"{error.filename or self.where}: {error.strerror or error}") from error
            except UserError:
                if not target.exists():  # else another worker wrote the same result
                    raise
            return
        store, root = system(self.where)
        with files.temporary() as folder, explain_errors(self.where):
            _write(folder / name, rows)
            store.makedirs(root, exist_ok=True)
            if not store.exists(f"{root}/{name}"):
                store.put_file(str(folder / name), f"{root}/{name}.{folder.parent.name}.part")
                store.mv(f"{root}/{name}.{folder.parent.name}.part", f"{root}/{name}")

    def _files(self, folder: Path) -> Iterator[Path]:
        """Yield the files of results. Copy those of a URL to the folder."""
        if isinstance(self.where, Path):
            if self.where.exists() and not self.where.is_dir():
                raise UserError(f"{self.where}: not a folder; name a folder for the results")
            yield from sorted(self.where.glob(f"*{SUFFIX}"))
            return
        store, root = system(self.where)
        with explain_errors(self.where):
            listed = sorted(store.ls(root, detail=False)) if store.exists(root) else []
            for number, path in enumerate(path for path in listed if path.endswith(SUFFIX)):
                here = folder / f"{number}{SUFFIX}"
                store.get_file(path, str(here))
                yield here
                here.unlink()


def _read_surveyed(rows: list[dict[str, Any]]) -> Surveyed:
    one = rows[0]
    lines = sorted((row for row in rows if row["rule"] is not None), key=lambda row: row["rank"])
    found = tuple(
        Found(
            row["rank"],
            row["rule"],
            row["title"],
            row["lane"],
            row["object"],
            row["benefit_pct"],
            row["benefit_after_pct"],
            row["by_hand"],
        )
        for row in lines
    )
    return Surveyed(
        one["database"],
        one["about"],
        one["interval"],
        one["active_sessions"],
        one["judged"],
        found,
        health=one["health"],
    )


def _write(path: Path, rows: list[tuple[Any, ...]]) -> None:
    import duckdb

    columns = ", ".join(f"UNNEST(CAST(? AS {of}[])) AS {quoted(name)}" for name, of in COLUMNS.items())
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT {columns}) TO {literal(str(path))} (FORMAT parquet)",
            [list(values) for values in zip(*rows, strict=True)],
        )
    path.chmod(files.PRIVATE)


def _rows(path: Path) -> list[dict[str, Any]]:
    import duckdb

    with duckdb.connect() as connection:
        try:
            found = connection.execute(
                f"SELECT {', '.join(map(quoted, COLUMNS))} FROM read_parquet(?, hive_partitioning = false)",
                [quote_path(path)],
            ).fetchall()
        except duckdb.Error as error:
            raise UserError(f"{path.name}: not a complete file of results; remove it or name another folder") from error
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]
