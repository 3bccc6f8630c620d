"""One capture of an estate, as its manifest has it, and what many of them are judged by together.

A batch of members is judged wherever that is: in this process, or on a machine that shares nothing with it but the place
where the captures lie.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePath

from advisor import __version__
from advisor.capture import opened
from advisor.capture.manifest import IDENTITY, UNNAMED, Manifest, Snapshot, parse_manifest
from advisor.capture.opening import Outline
from advisor.capture.site import Site
from advisor.errors import UserError, reason
from advisor.fleet.estate import Surveyed, surveyed
from advisor.fleet.places import MOST_BROUGHT, Place, brought, name, outline_at, shown, size
from advisor.judge import many
from advisor.judge.advice import Advice
from advisor.judge.run import advise, with_broken
from advisor.patience import woken
from advisor.resources import SQL


@dataclass(frozen=True)
class Member:
    """A capture with its last snapshot, or why its manifest cannot be read; ``older`` are others of its database.

    ``key`` is a checksum of all that the capture holds, None where its manifest has none of a file.
    """

    place: Place
    last: Snapshot | None = None
    error: str | None = None
    older: int = 0
    key: str | None = None

    @property
    def identity(self) -> tuple[str, ...]:
        """What another capture of the same database has, too; its place where nobody said which database it is."""
        if self.last is None:
            return (shown(self.place),)
        known = tuple(str(self.last.database[part]) for part in IDENTITY)
        return (shown(self.place),) if set(known) & set(UNNAMED.values()) else known

    @property
    def name(self) -> str:
        return name(self.place) if self.last is None else str(self.last.database["name"])

    def as_found(self, called: str, found: Surveyed) -> Surveyed:
        """What was found of it, in an estate that calls it so."""
        if found.error:
            return Surveyed(called, error=found.error, note=shown(self.place))
        older = f"the last of {self.older + 1} captures of it" if self.older else None
        return replace(found, name=called, note=older)


Batch = Sequence[Member]


def member(where: Place) -> Member:
    """The capture at a place, by its manifest alone."""
    try:
        if isinstance(where, Path) and where.is_dir():
            next(where.iterdir(), None)  # raises where it may not be listed
        outline = outline_at(where)
        said = parse_manifest(outline.content)
        return Member(where, said.snapshots[-1], key=_key(outline, said))
    except (UserError, OSError) as error:
        return Member(where, error=reason(error).removeprefix(f"{name(where)}: ").removeprefix(f"{shown(where)}: "))


def _key(outline: Outline, said: Manifest) -> str | None:
    summed = {source for source, collected in said.sources.items() if collected.sha256}
    if {PurePath(file).stem for file in outline.files} - summed:
        return None
    return hashlib.sha256(outline.content).hexdigest()


@cache
def program() -> str:
    """Which program judges: its version, and a checksum of its SQL, by which a checkout is told from another."""
    sums = hashlib.sha256()
    for file in sorted(path for path in SQL.rglob("*") if path.is_file()):
        content = file.read_bytes()
        sums.update(f"{file.relative_to(SQL).as_posix()} {len(content)}\n".encode() + content)
    return f"{__version__}+{sums.hexdigest()[:12]}"


def judged(members: Batch, site: Site) -> list[Surveyed]:
    """What is found of each, by the name of its database, or why nothing is; one that spoils it for all is told alone."""
    advices = _judged([one.place for one in members], site)
    return [
        Surveyed(one.name, error=reason(advice)) if isinstance(advice, Exception) else surveyed(one.name, advice)
        for one, advice in zip(members, advices, strict=True)
    ]


def _judged(places: Sequence[Place], site: Site) -> list[Advice | Exception]:
    try:
        with ExitStack() as stack:
            paths = list(_all_brought(places, stack))
            captures = [stack.enter_context(opened(path)) for path in paths]
            rules = list(site.rules.values())
            for capture in captures:
                capture.adopt(site)
            return [with_broken(advice, site) for advice in many.judge((capture, rules) for capture in captures)]
    except Exception:
        woken()  # DuckDB makes another error of what ends the process
    return [_alone(where, site) for where in places]


def _all_brought(places: Sequence[Place], stack: ExitStack) -> Iterator[Path]:
    """All of them. Raises UserError where they take more room together than one alone may: one by one they may not."""
    room = MOST_BROUGHT
    for where in places:
        path = stack.enter_context(brought(where))
        room -= 0 if path is where else size(path)
        if room < 0:
            raise UserError("too much to be here at a time")
        yield path


def _alone(where: Place, site: Site) -> Advice | Exception:
    try:
        with brought(where) as path:
            return advise(path, site=site)
    except Exception as error:
        woken()
        return error
