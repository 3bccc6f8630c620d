"""The captures of an estate: those that are named or lie below some folders, judged together, so many at a time."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from advisor import capture as captures
from advisor.capture.manifest import IDENTITY, MANIFEST, SUFFIX, UNNAMED, Snapshot
from advisor.capture.opening import manifest
from advisor.capture.site import Site
from advisor.errors import UserError, reason
from advisor.fleet.estate import Surveyed, surveyed
from advisor.judge import many
from advisor.judge.advice import Advice
from advisor.judge.run import advise, with_broken
from advisor.patience import woken

AT_A_TIME = 100  # captures that are unpacked and judged together


@dataclass(frozen=True)
class _Member:
    """A capture of the estate, as its manifest has it, or why that cannot be read; ``older`` are others of its database."""

    path: Path
    last: Snapshot | None = None
    error: str | None = None
    older: int = 0

    @property
    def identity(self) -> tuple[str, ...]:
        """What another capture of the same database has, too; its path where nobody said which database it is."""
        if self.last is None:
            return (str(self.path),)
        known = tuple(str(self.last.database[part]) for part in IDENTITY)
        return (str(self.path),) if set(known) & set(UNNAMED.values()) else known

    @property
    def name(self) -> str:
        return self.path.name if self.last is None else str(self.last.database["name"])


def survey(paths: Sequence[Path], site: Site, each: bool = False) -> list[Surveyed]:
    """The databases whose captures are named or lie in folders that are; of each its last capture, with ``each`` every one.

    What cannot be read or judged has its reason, and stops no other. Raises UserError for a path that is not there, and for
    a folder that holds no capture.
    """
    members = [_read(path) for path in _captures(paths)]
    named = _named(members if each else _last(members))
    found = [Surveyed(name, error=member.error, note=str(member.path)) for name, member in named if member.error]
    sound = [(name, member) for name, member in named if not member.error]
    for first in range(0, len(sound), AT_A_TIME):
        some = sound[first : first + AT_A_TIME]
        for (name, member), advice in zip(some, _judged([member.path for _, member in some], site), strict=True):
            if isinstance(advice, Exception):
                found.append(Surveyed(name, error=reason(advice), note=str(member.path)))
            else:
                older = f"the last of {member.older + 1} captures of it" if member.older else None
                found.append(surveyed(name, advice, older))
    return found


def _captures(paths: Iterable[Path]) -> list[Path]:
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise UserError(f"{path}: no such file or folder; name captures, or a folder of them")
        below = list(_below(path)) if path.is_dir() else [path]
        if not below:
            raise UserError(f"{path}: holds no capture; name captures, or a folder of them")
        found |= dict.fromkeys(below)
    return list(found)


def _below(folder: Path) -> Iterator[Path]:
    """The captures of a folder and of those in it, by name; no link to a folder is followed."""
    closed: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=closed.append):
        here = Path(place)
        folders.sort()
        if MANIFEST in files:
            folders.clear()
            yield here
        else:
            yield from (here / file for file in sorted(files) if file.endswith(SUFFIX))
    yield from (Path(error.filename) for error in closed)  # which may hold some: why it cannot be read is said


def _read(path: Path) -> _Member:
    try:
        if path.is_dir():
            next(path.iterdir(), None)  # raises where it may not be listed
        return _Member(path, manifest(path).snapshots[-1])
    except (UserError, OSError) as error:
        return _Member(path, error=reason(error).removeprefix(f"{path.name}: ").removeprefix(f"{path}: "))


def _last(members: Iterable[_Member]) -> list[_Member]:
    """Of several captures of one database the one that was taken last."""
    same: dict[tuple[str, ...], list[_Member]] = {}
    for member in members:
        same.setdefault(member.identity, []).append(member)
    return [replace(max(of, key=_taken), older=len(of) - 1) for of in same.values()]


def _taken(member: _Member) -> tuple[float, Path]:
    return member.last.epoch_s if member.last else 0.0, member.path


def _named(members: Sequence[_Member]) -> list[tuple[str, _Member]]:
    """Each by a name that no other has: of the database, with host and instance where several are called so, its path."""
    names = [member.name for member in members]
    ways: list[Callable[[_Member], str]] = [lambda one: "@".join(one.identity[:2]), lambda one: str(one.path)]
    for way in ways:
        times = Counter(names)
        names = [way(one) if times[name] > 1 else name for name, one in zip(names, members, strict=True)]
    return list(zip(names, members, strict=True))


def _judged(paths: Sequence[Path], site: Site) -> list[Advice | Exception]:
    """The advice for each, or why there is none: where one spoils it for all, each is judged by itself."""
    try:
        with ExitStack() as stack:
            opened = [stack.enter_context(captures.opened(path)) for path in paths]
            rules = list(site.rules.values())
            for capture in opened:
                capture.adopt(site)
            return [with_broken(advice, site) for advice in many.judge((capture, rules) for capture in opened)]
    except Exception:
        woken()  # DuckDB makes another error of what ends the process
    return [_alone(path, site) for path in paths]


def _alone(path: Path, site: Site) -> Advice | Exception:
    try:
        return advise(path, site=site)
    except Exception as error:
        woken()
        return error
