"""The manifest of a capture: database, time, collected sources, site options, and the list of a kept run."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from advisor import documents
from advisor.capture import lessons
from advisor.capture.lessons import Lesson
from advisor.capture.site import Accepted
from advisor.catalogue.options import Overrides
from advisor.errors import UserError

MANIFEST = "manifest.json"
SUFFIX = ".capture"  # of a capture in one file
SCHEMA_VERSION = 1
NOT_IN_TEXT = "not in the imported text"  # reason for a source that an import did not find
# Placeholders in commands for names that no text contains.
UNNAMED = {"database": "DBNAME", "instance": "INSTNAME", "host": "HOSTNAME"}
IDENTITY = ("name", "host", "instance")  # identifies the database across snapshots

_SCHEMA = Path(__file__).with_name("capture.schema.json")


@dataclass(frozen=True)
class Snapshot:
    """One snapshot: its id and its time by the server's clock."""

    id: int
    taken_at: datetime
    database: dict[str, Any]

    @property
    def epoch_s(self) -> float:
        """Return the seconds since 1970 of the server's clock. A time without a time zone counts as UTC."""
        moment = self.taken_at if self.taken_at.tzinfo else self.taken_at.replace(tzinfo=UTC)
        return moment.timestamp()

    @classmethod
    def from_entry(cls, entry: dict[str, Any]) -> "Snapshot":
        """Return the snapshot of a JSON object. Raise UserError for an invalid time."""
        try:
            return cls(entry["id"], datetime.fromisoformat(entry["taken_at"]), entry["database"])
        except ValueError:
            raise UserError(f"{MANIFEST}: taken_at {entry['taken_at']!r} is not a date and time in ISO 8601") from None

    def entry(self) -> dict[str, Any]:
        """Return the snapshot as a JSON object."""
        return {"id": self.id, "taken_at": self.taken_at.isoformat(), "database": self.database}


@dataclass(frozen=True)
class Collected:
    """The rows and columns of a source in a capture: None and empty if the manifest does not list them.

    ``sha256`` is the checksum of its file. It is None in manifests that are old or were written manually.
    """

    rows: int | None = None
    columns: Sequence[str] = ()
    sha256: str | None = None


@dataclass(frozen=True)
class Ranked:
    """A line of a printed list. ``change`` is a digest of its commands."""

    rank: int
    rule: str
    object: str
    change: str


@dataclass(frozen=True)
class Kept:
    """A kept run: time by the local clock (ISO 8601), origin, version of db2tune, and list.

    ``site_rules`` is true if the run used the site's own rules, which captures do not contain.
    """

    at: str
    origin: str
    version: str
    list: tuple[Ranked, ...]
    site_rules: bool = False


@dataclass(frozen=True)
class Manifest:
    """The content of a manifest. ``not_collected`` gives the reason per source."""

    snapshots: list[Snapshot]
    sources: Mapping[str, Collected] = field(default_factory=dict)
    not_collected: dict[str, str] = field(default_factory=dict)
    options: Overrides = field(default_factory=dict)
    accepted: tuple[Accepted, ...] = ()
    run: Kept | None = None
    lessons: tuple[Lesson, ...] = ()

    def write(self, folder: Path) -> None:
        """Write the manifest, which turns the folder into a capture. Raise UserError for an invalid database name."""
        files = {file.stem: file for file in folder.iterdir()}
        document: dict[str, Any] = {
            "schema": SCHEMA_VERSION,
            "snapshots": [snapshot.entry() for snapshot in self.snapshots],
            "sources": {name: _entry(collected, files[name]) for name, collected in self.sources.items()},
            "not_collected": self.not_collected,
        }
        if self.options:
            document["options"] = self.options
        if self.accepted:
            document["accepted"] = [_risk(risk) for risk in self.accepted]
        if self.lessons:
            document["learned"] = lessons.document(self.lessons)
        if self.run:
            document["run"] = asdict(self.run) | {"list": [asdict(line) for line in self.run.list]}
        documents.check(document, documents.schema_in(_SCHEMA), MANIFEST)  # write only what read_manifest accepts
        (folder / MANIFEST).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a folder. Raise UserError if it is invalid."""
    return parse_manifest(manifest_in(folder))


def manifest_in(folder: Path) -> bytes:
    """Return the raw manifest of a folder. Raise UserError if it is missing."""
    path = folder / MANIFEST
    if not path.is_file():
        raise UserError(f"{folder.name}: not a capture; {MANIFEST} is missing")
    return path.read_bytes()


def parse_manifest(content: bytes) -> Manifest:
    """Parse a manifest. Raise UserError if it is invalid."""
    document = documents.from_json(content, MANIFEST, "capture again")
    documents.check(document, documents.schema_in(_SCHEMA), MANIFEST)
    snapshots = [Snapshot.from_entry(entry) for entry in document["snapshots"]]
    _check_ids([snapshot.id for snapshot in snapshots])
    for first, second in pairwise(snapshots):
        if other := other_database(first.database, second.database):
            raise UserError(
                f"{MANIFEST}: the snapshots are of different databases ({other}); compare two snapshots of one database"
            )
    return Manifest(
        snapshots,
        {name: Collected(**collected) for name, collected in document.get("sources", {}).items()},
        document.get("not_collected", {}),
        document.get("options", {}),
        tuple(_parse_accepted(risk) for risk in document.get("accepted", [])),
        _parse_kept(document["run"]) if "run" in document else None,
        lessons.parse_lessons(document["learned"], MANIFEST) if "learned" in document else (),
    )


def _parse_kept(run: dict[str, Any]) -> Kept:
    return Kept(**run | {"list": tuple(Ranked(**line) for line in run["list"])})


def _risk(risk: Accepted) -> dict[str, str]:
    said = asdict(risk) | {"until": risk.until and risk.until.isoformat()}
    return {key: value for key, value in said.items() if value is not None}


def _parse_accepted(risk: dict[str, Any]) -> Accepted:
    until = risk.get("until")
    try:
        return Accepted(**risk | {"until": until and date.fromisoformat(until)})
    except ValueError:
        raise UserError(f"{MANIFEST}: until {until!r} is not a day, such as 2027-06-30") from None


def other_database(one: Mapping[str, Any], two: Mapping[str, Any]) -> str | None:
    """Return the difference of two databases, such as ``host 'db1' and 'db2'``, or None if they are the same."""
    return next((f"{part} {one[part]!r} and {two[part]!r}" for part in IDENTITY if one[part] != two[part]), None)


def checksum(file: Path) -> str:
    """Return the SHA-256 of a file as hexadecimal digits."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _entry(collected: Collected, file: Path) -> dict[str, Any]:
    rows = {} if collected.rows is None else {"rows": collected.rows}
    return rows | {"columns": list(collected.columns), "sha256": checksum(file)}


def _check_ids(ids: list[int]) -> None:
    if len(set(ids)) < len(ids):
        raise UserError(f"{MANIFEST}: two snapshots have the same id")
    if len(ids) > 2 and ids != sorted(ids):
        raise UserError(f"{MANIFEST}: the ids of the snapshots do not increase; list the snapshots in order of time")
