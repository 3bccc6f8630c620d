"""Captures of a fleet, and their analysis in batches.

A batch is analyzed in this process or on a machine that shares only the storage of the captures.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePath

from advisor import __version__
from advisor.capture.manifest import IDENTITY, UNNAMED, Manifest, Snapshot, parse_manifest
from advisor.capture.opening import Outline
from advisor.capture.site import Site
from advisor.errors import UserError, reason
from advisor.fleet.estate import Surveyed, survey_advice
from advisor.fleet.places import Place, copy_capture, name, outline_at, strip_secrets
from advisor.judgement.run import advise
from advisor.patience import raise_woken
from advisor.resources import SQL


@dataclass(frozen=True)
class Member:
    """A capture with its last snapshot, or the error of its manifest. ``older`` counts older captures of the database.

    ``key`` is a checksum of the capture, or None if the manifest lacks the checksum of a file.
    """

    place: Place
    last: Snapshot | None = None
    error: str | None = None
    older: int = 0
    key: str | None = None

    @property
    def identity(self) -> tuple[str, ...]:
        """Return the key that all captures of this database share, or the location if the database is unknown."""
        if self.last is None:
            return (strip_secrets(self.place),)
        known = tuple(str(self.last.database[part]) for part in IDENTITY)
        return (strip_secrets(self.place),) if set(known) & set(UNNAMED.values()) else known

    @property
    def name(self) -> str:
        return name(self.place) if self.last is None else str(self.last.database["name"])

    def rename_result(self, called: str, found: Surveyed) -> Surveyed:
        """Return the result under the name ``called``."""
        if found.error:
            return Surveyed(called, error=found.error, note=strip_secrets(self.place))
        older = f"the last of {self.older + 1} captures of it" if self.older else None
        return replace(found, name=called, note=older)


Batch = Sequence[Member]


def member(where: Place) -> Member:
    """Return the capture at a location. Read only its manifest."""
    try:
        if isinstance(where, Path) and where.is_dir():
            next(where.iterdir(), None)  # raises if it cannot be listed
        outline = outline_at(where)
        said = parse_manifest(outline.content)
        return Member(where, said.snapshots[-1], key=_key(outline, said))
    except (UserError, OSError) as error:
        return Member(
            where, error=reason(error).removeprefix(f"{name(where)}: ").removeprefix(f"{strip_secrets(where)}: ")
        )


def _key(outline: Outline, said: Manifest) -> str | None:
    summed = {source for source, collected in said.sources.items() if collected.sha256}
    if {PurePath(file).stem for file in outline.files} - summed:
        return None
    return hashlib.sha256(outline.content).hexdigest()


@cache
def program() -> str:
    """Return the version of db2tune and a checksum of its SQL."""
    sums = hashlib.sha256()
    for file in sorted(path for path in SQL.rglob("*") if path.is_file()):
        content = file.read_bytes()
        sums.update(f"{file.relative_to(SQL).as_posix()} {len(content)}\n".encode() + content)
    return f"{__version__}+{sums.hexdigest()[:12]}"


def judge_batch(members: Iterable[Member], site: Site) -> list[Surveyed]:
    """Return the result of each capture, or its error."""
    return [_judge(one, site) for one in members]


def _judge(one: Member, site: Site) -> Surveyed:
    try:
        with copy_capture(one.place) as path:
            return survey_advice(one.name, advise(path, site=site))
    except Exception as error:
        raise_woken()
        return Surveyed(one.name, error=reason(error))
