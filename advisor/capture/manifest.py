"""The manifest of a capture: of which database, when, what was collected and what was not, what the site says, and, of
a run that was kept, what its list was.
"""

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
SUFFIX = ".capture"  # of one in a single file
SCHEMA_VERSION = 1
NOT_IN_TEXT = "not in the imported text"  # why an import has nothing of a source
# What stands in commands in place of a name that no text says.
UNNAMED = {"database": "DBNAME", "instance": "INSTNAME", "host": "HOSTNAME"}
IDENTITY = ("name", "host", "instance")  # what makes it the same database in another snapshot

_SCHEMA = Path(__file__).with_name("capture.schema.json")


@dataclass(frozen=True)
class Snapshot:
    """One snapshot: its id, and when it was taken by the server's clock."""

    id: int
    taken_at: datetime
    database: dict[str, Any]

    @property
    def epoch_s(self) -> float:
        """Seconds since 1970 of the server's clock; one without a time zone is read as UTC."""
        moment = self.taken_at if self.taken_at.tzinfo else self.taken_at.replace(tzinfo=UTC)
        return moment.timestamp()

    @classmethod
    def of(cls, entry: dict[str, Any]) -> "Snapshot":
        """The snapshot that a document of JSON says. Raises UserError for a time that is none."""
        try:
            return cls(entry["id"], datetime.fromisoformat(entry["taken_at"]), entry["database"])
        except ValueError:
            raise UserError(f"{MANIFEST}: taken_at {entry['taken_at']!r} is not a date and time in ISO 8601") from None

    def entry(self) -> dict[str, Any]:
        """The snapshot as a document of JSON says it."""
        return {"id": self.id, "taken_at": self.taken_at.isoformat(), "database": self.database}


@dataclass(frozen=True)
class Collected:
    """What a capture has of a source; None where its manifest does not say how much, none where not which columns.

    ``sha256`` is the checksum of its file, None where the manifest has none: it was written by hand or long ago.
    """

    rows: int | None = None
    columns: Sequence[str] = ()
    sha256: str | None = None


@dataclass(frozen=True)
class Ranked:
    """A line of a list that was shown; ``change`` stands for what it advises: another one is another advice."""

    rank: int
    rule: str
    object: str
    change: str


@dataclass(frozen=True)
class Kept:
    """A run that was kept: when by the clock of who judged (ISO 8601), from what, by which db2tune, and its list.

    ``site_rules`` tells that rules of the site judged, which are in no capture.
    """

    at: str
    origin: str
    version: str
    list: tuple[Ranked, ...]
    site_rules: bool = False


@dataclass(frozen=True)
class Manifest:
    """What a manifest says; ``not_collected`` has a reason for each source that it names."""

    snapshots: list[Snapshot]
    sources: Mapping[str, Collected] = field(default_factory=dict)
    not_collected: dict[str, str] = field(default_factory=dict)
    options: Overrides = field(default_factory=dict)
    accepted: tuple[Accepted, ...] = ()
    run: Kept | None = None
    lessons: tuple[Lesson, ...] = ()

    def write(self, folder: Path) -> None:
        """Write it, which makes the folder, with its files as they are now, a capture.

        Raises UserError where it says what no database is called.
        """
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
        documents.check(document, documents.schema_in(_SCHEMA), MANIFEST)  # or nobody could read it
        (folder / MANIFEST).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a folder. Raises UserError with one line that says what is wrong there."""
    return parse_manifest(manifest_in(folder))


def manifest_in(folder: Path) -> bytes:
    """The manifest of a folder as it is written. Raises UserError where there is none."""
    path = folder / MANIFEST
    if not path.is_file():
        raise UserError(f"{folder.name}: has no {MANIFEST}; this is not a capture")
    return path.read_bytes()


def parse_manifest(content: bytes) -> Manifest:
    """What the text of a manifest says. Raises UserError as reading one does."""
    document = documents.from_json(content, MANIFEST, "capture again")
    documents.check(document, documents.schema_in(_SCHEMA), MANIFEST)
    snapshots = [Snapshot.of(entry) for entry in document["snapshots"]]
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
        tuple(_accepted(risk) for risk in document.get("accepted", [])),
        _kept(document["run"]) if "run" in document else None,
        lessons.of_document(document["learned"], MANIFEST) if "learned" in document else (),
    )


def _kept(run: dict[str, Any]) -> Kept:
    return Kept(**run | {"list": tuple(Ranked(**line) for line in run["list"])})


def _risk(risk: Accepted) -> dict[str, str]:
    said = asdict(risk) | {"until": risk.until and risk.until.isoformat()}
    return {key: value for key, value in said.items() if value is not None}


def _accepted(risk: dict[str, Any]) -> Accepted:
    until = risk.get("until")
    try:
        return Accepted(**risk | {"until": until and date.fromisoformat(until)})
    except ValueError:
        raise UserError(f"{MANIFEST}: until {until!r} is no day as 2027-06-30") from None


def other_database(one: Mapping[str, Any], two: Mapping[str, Any]) -> str | None:
    """What tells two databases apart, such as ``host 'db1' and 'db2'``; None where it is one database."""
    return next((f"{part} {one[part]!r} and {two[part]!r}" for part in IDENTITY if one[part] != two[part]), None)


def checksum(file: Path) -> str:
    """The SHA-256 of what a file holds, as hexadecimal digits."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _entry(collected: Collected, file: Path) -> dict[str, Any]:
    rows = {} if collected.rows is None else {"rows": collected.rows}
    return rows | {"columns": list(collected.columns), "sha256": checksum(file)}


def _check_ids(ids: list[int]) -> None:
    if len(set(ids)) < len(ids):
        raise UserError(f"{MANIFEST}: two snapshots have the same id")
    if len(ids) > 2 and ids != sorted(ids):
        raise UserError(f"{MANIFEST}: the ids of the snapshots do not rise; list them in the order they were taken")
