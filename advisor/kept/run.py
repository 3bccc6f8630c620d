"""A run that is kept is a capture: with what the site said and the facts that were given, and with the list that was shown.

Advice is a function of these and of the program, so judging it again gives the same list. Where it does not, with
another program or without the rules of the site, the ranks that have become others are told.
"""

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from advisor import __version__
from advisor import capture as captures
from advisor.capture import Capture, Collected, Manifest
from advisor.capture.hostfacts import COLUMNS, Facts
from advisor.capture.lessons import Lesson
from advisor.capture.manifest import Kept, Ranked
from advisor.capture.site import Site
from advisor.catalogue.embedded import connect
from advisor.errors import UserError
from advisor.judge.advice import Advice
from advisor.quoting import literal

_HOSTFACT = "hostfact"


@dataclass(frozen=True)
class Given:
    """What is judged: a capture, what the site says, and the facts that come over those of the capture.

    ``kind`` is what it was read from: capture, database or texts.
    """

    capture: Path
    site: Site
    hostfacts: Facts
    kind: str


def keep(given: Given, advice: Advice, target: Path) -> None:
    """Write the run that gave the advice as a capture. Raises UserError or OSError where it cannot be written."""
    with captures.opened(given.capture) as opened, captures.written(target) as folder:
        opened.adopt(_without_rules(given.site))
        for file in opened.files.values():
            shutil.copyfile(file, folder / file.name)
        sources = dict(opened.declared)
        if given.hostfacts:
            opened.hostfacts = given.hostfacts
            sources[_HOSTFACT] = _write_facts(opened, folder)
        kept = Kept(
            datetime.now().astimezone().isoformat(timespec="seconds"),
            given.kind,
            __version__,
            ranked(advice),
            bool(given.site.own.rules),
        )
        not_collected = {name: why for name, why in opened.not_collected.items() if name not in sources}
        site = opened.options, opened.accepted
        Manifest(opened.snapshots, sources, not_collected, *site, kept, _used(opened, advice)).write(folder)


def _used(capture: Capture, advice: Advice) -> tuple[Lesson, ...]:
    """The lessons that the list rests on; the others name databases that it has nothing to do with."""
    known = [item.learned for item in advice.recommendations if item.learned]
    used = {lesson for each in known for lesson in (*each.lessons, each.harm)}
    return tuple(lesson for lesson in capture.lessons if lesson in used)


def _without_rules(site: Site) -> Site:
    """What the site says of the rules of db2tune: its own are statements, and a capture brings none."""
    own = {rule.name for rule in site.own.rules}
    return replace(
        site,
        options={owner: values for owner, values in site.options.items() if owner not in own},
        accepted=tuple(risk for risk in site.accepted if risk.rule not in own),
    )


def _write_facts(capture: Capture, folder: Path) -> Collected:
    """The facts of the capture with those that were given over them."""
    for old in folder.glob(f"{_HOSTFACT}.*"):
        old.unlink()
    place = folder / f"{_HOSTFACT}.csv"
    names = ("SNAP_ID", *COLUMNS)
    with connect() as connection:
        capture.load(connection, {_HOSTFACT, "system"})
        rows = f"SELECT {', '.join(names)} FROM TUNE.S_HOSTFACT ORDER BY ALL"
        done = connection.execute(f"COPY ({rows}) TO {literal(str(place))} (FORMAT csv, HEADER)").fetchone()
    return Collected(done[0] if done else 0, COLUMNS)


def ranked(advice: Advice) -> tuple[Ranked, ...]:
    """The list of the advice, by which it is known again."""
    return tuple(
        Ranked(item.rank, item.rule.name, f"{item.object_type} {item.object_name}", _digest(item.actions, item.undo))
        for item in advice.ranked
        if item.rank is not None
    )


def _digest(*what: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]


def check(kept: Kept, advice: Advice, ranks: Sequence[int]) -> str | None:
    """What to say where the ranks of a kept run mean other changes now; None where the list is the same.

    Raises UserError where one of these ``ranks`` is one of them.
    """
    was, is_ = ({line.rank: line for line in lines} for lines in (kept.list, ranked(advice)))
    moved = sorted(rank for rank in was.keys() | is_.keys() if was.get(rank) != is_.get(rank))
    if not moved:
        return None
    why = f"the run was judged by db2tune {kept.version}{' and rules of the site' if kept.site_rules else ''}"
    if kept.version == __version__:
        why += ", with other options, facts or rules than now"
    for rank in ranks:
        if rank in moved and (line := was.get(rank)):
            raise UserError(f"rank {rank} was {line.rule} on {line.object}, and is not any more: {why}; name the rule")
    return f"ranks {', '.join(map(str, moved))} are not what they were: {why}"
