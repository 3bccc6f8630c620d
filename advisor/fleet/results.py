"""Results of a fleet's captures as JSON Lines: one file per batch, one object per recommendation.

Files are written atomically. Their names are checksums of their content, so a batch that runs twice is stored once.
"""

import hashlib
import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from advisor import files
from advisor.capture.site import Site
from advisor.errors import UserError
from advisor.fleet.estate import Found, Surveyed
from advisor.fleet.members import Batch, Member, program
from advisor.fleet.places import Place, absolute, explain_errors, strip_secrets, system

SUFFIX = ".jsonl"
_OF_CAPTURE = ("capture", "program", "options", "source", "database", "host", "instance", "taken_at")
_OF_DATABASE = ("about", "interval", "active_sessions", "judged", "health")
_OF_LINE = ("rank", "rule", "title", "lane", "object", "benefit_pct", "benefit_after_pct", "by_hand")
COLUMNS = _OF_CAPTURE + _OF_DATABASE + _OF_LINE
_NOTHING = (None,) * len(_OF_LINE)  # the line of a database without advice


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
        for name, content in self._files():
            own: dict[str, list[dict[str, Any]]] = {}
            for row in _parse(name, content):
                if (row["program"], row["options"]) == (program(), self.options):
                    own.setdefault(row["capture"], []).append(row)
            found |= own
        return {key: _read_surveyed(rows) for key, rows in found.items()}

    def add(self, members: Batch, found: Sequence[Surveyed]) -> None:
        """Store the results, except for captures without a key or with an error.

        Raise UserError if this fails.
        """
        kept = {one.key: (one, of) for one, of in zip(members, found, strict=True) if one.key and not of.error}
        rows = (row for one, of in kept.values() for row in self._list_rows(one, of))
        text = "".join(f"{json.dumps(dict(zip(COLUMNS, row, strict=True)))}\n" for row in rows)
        if text:
            self._write(_name_file(text.encode()), text)

    def _list_rows(self, one: Member, of: Surveyed) -> Iterator[tuple[Any, ...]]:
        assert one.last is not None  # analyzed captures have a snapshot
        who = [str(one.last.database[part]) for part in ("name", "host", "instance")]
        source, taken_at = strip_secrets(absolute(one.place)), one.last.taken_at.isoformat()
        whose = (one.key, program(), self.options, source, *who, taken_at)
        health = (of.about, of.interval, of.sessions, of.judged, of.health)
        yield from ((*whose, *health, *line) for line in [astuple(item) for item in of.found] or [_NOTHING])

    def _write(self, name: str, text: str) -> None:
        if isinstance(self.where, Path):
            try:
                files.folder(self.where)
                files.replace(self.where / name, text, files.PRIVATE)
            except OSError as error:
                raise UserError(f"{error.filename or self.where}: {error.strerror or error}") from error
            return
        store, root = system(self.where)
        part = f"{root}/{name}.{secrets.token_hex(8)}.part"
        with explain_errors(self.where):
            store.makedirs(root, exist_ok=True)
            if not store.exists(f"{root}/{name}"):
                store.pipe_file(part, text.encode())
                store.mv(part, f"{root}/{name}")

    def _files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the names and contents of the files of results."""
        if isinstance(self.where, Path):
            if self.where.exists() and not self.where.is_dir():
                raise UserError(f"{self.where}: not a folder; name a folder for the results")
            yield from ((path.name, path.read_bytes()) for path in sorted(self.where.glob(f"*{SUFFIX}")))
            return
        store, root = system(self.where)
        with explain_errors(self.where):
            listed = sorted(store.ls(root, detail=False)) if store.exists(root) else []
            for path in listed:
                if path.endswith(SUFFIX):
                    yield PurePosixPath(path).name, store.cat_file(path)


def _name_file(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()[:32]}{SUFFIX}"


def _parse(name: str, content: bytes) -> list[dict[str, Any]]:
    if name != _name_file(content):
        raise UserError(f"{name}: not a complete file of results; remove it or name another folder")
    return [json.loads(line) for line in content.splitlines()]


def _read_surveyed(rows: list[dict[str, Any]]) -> Surveyed:
    one = rows[0]
    lines = [[row[name] for name in _OF_LINE] for row in rows if row["rule"] is not None]
    found = tuple(Found(*line) for line in sorted(lines, key=lambda line: line[0]))
    about, interval, sessions, judged, health = (one[name] for name in _OF_DATABASE)
    return Surveyed(one["database"], about, interval, sessions, judged, found, health=health)
