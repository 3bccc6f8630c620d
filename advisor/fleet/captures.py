"""Captures of a fleet, found in files and folders and analyzed in batches."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from advisor.capture.manifest import MANIFEST, SUFFIX
from advisor.capture.site import Site
from advisor.errors import UserError
from advisor.fleet.estate import Surveyed
from advisor.fleet.members import Batch, Member, judge_batch, member
from advisor.fleet.places import Place, captures_below, strip_secrets
from advisor.fleet.results import Results
from advisor.progress import track

AT_A_TIME = 100  # captures per batch


def survey(
    places: Sequence[Place], site: Site, each: bool = False, scheduler: str | None = None, results: Place | None = None
) -> list[Surveyed]:
    """Return the databases of captures and folders: the last capture per database, or all of them with ``each``.

    A capture that fails gets a reason and does not stop the others. The workers of a Dask ``scheduler`` analyze them
    if given. Captures in ``results`` are not analyzed again. Raise UserError for a missing or unreachable location
    and for a folder without captures.
    """
    members = [member(where) for where in _captures(places)]
    named = _name_members(members if each else _keep_last(members))
    kept = Results(results, site) if results is not None else None
    known = kept.read() if kept else {}
    found = [(name, one, known[one.key]) for name, one in named if one.key in known]
    found += [(name, one, Surveyed(name, error=one.error)) for name, one in named if one.error]
    names = {one.place: name for name, one in named if not one.error and one.key not in known}
    sound = [one for _, one in named if one.place in names]
    batches = [sound[first : first + AT_A_TIME] for first in range(0, len(sound), AT_A_TIME)]
    for batch, answers in _run_batches(batches, site, scheduler, kept):
        found += [(names[one.place], one, answer) for one, answer in zip(batch, answers, strict=True)]
    return [one.rename_result(name, answer) for name, one, answer in found]


def _run_batches(
    batches: Sequence[Batch], site: Site, scheduler: str | None, results: Results | None
) -> Iterator[tuple[Batch, list[Surveyed]]]:
    if scheduler is not None:
        from advisor.fleet.workers import run_batches

        yield from run_batches(scheduler, batches, site, results)
        return
    ongoing = track("Captures", chain.from_iterable(batches), sum(map(len, batches)))
    for batch in batches:
        answers = judge_batch(islice(ongoing, len(batch)), site)
        if results:
            results.add(batch, answers)
        yield batch, answers


def _captures(places: Iterable[Place]) -> list[Place]:
    found: dict[Place, None] = {}
    for where in places:
        if isinstance(where, str):
            below: list[Place] = [*captures_below(where)]
        elif not where.exists():
            raise UserError(f"{where}: no such file or folder; name captures or folders of captures")
        else:
            below = [*_find_captures(where)] if where.is_dir() else [where]
        if not below:
            raise UserError(f"{strip_secrets(where)}: contains no capture; name captures or folders of captures")
        found |= dict.fromkeys(below)
    return list(found)


def _find_captures(folder: Path) -> Iterator[Path]:
    """Yield the captures at any depth in a folder, by name. Follow no links to folders."""
    closed: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=closed.append):
        here = Path(place)
        folders.sort()
        if MANIFEST in files:
            folders.clear()
            yield here
        else:
            yield from (here / file for file in sorted(files) if file.endswith(SUFFIX))
    yield from (Path(error.filename) for error in closed)  # unreadable folders, to report the reason


def _keep_last(members: Iterable[Member]) -> list[Member]:
    """Return the last capture of each database."""
    same: dict[tuple[str, ...], list[Member]] = {}
    for one in members:
        same.setdefault(one.identity, []).append(one)
    return [replace(max(of, key=_time_key), older=len(of) - 1) for of in same.values()]


def _time_key(member: Member) -> tuple[float, str]:
    return member.last.epoch_s if member.last else 0.0, str(member.place)


def _name_members(members: Sequence[Member]) -> list[tuple[str, Member]]:
    """Return members with unique names: the database, or else name@host, or else the path."""
    names = [member.name for member in members]
    ways: list[Callable[[Member], str]] = [lambda one: "@".join(one.identity[:2]), lambda one: strip_secrets(one.place)]
    for way in ways:
        times = Counter(names)
        names = [way(one) if times[name] > 1 else name for name, one in zip(names, members, strict=True)]
    return list(zip(names, members, strict=True))
