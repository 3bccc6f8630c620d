"""Kept runs: captures with the site's options, the given host facts and the printed list.

The same inputs and the same program give the same list. If another version or missing site rules change the list,
db2tune reports the changed ranks.
"""

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from advisor import __version__
from advisor import capture as captures
from advisor.capture import Capture, Collected, Manifest
from advisor.capture.given import Given
from advisor.capture.hostfacts import COLUMNS
from advisor.capture.lessons import Lesson
from advisor.capture.manifest import Kept, Ranked
from advisor.capture.site import Site
from advisor.capture.writing import format_row
from advisor.catalogue.embedded import open_tables
from advisor.errors import UserError
from advisor.judgement.advice import Advice

_HOSTFACT = "hostfact"


def keep(given: Given, advice: Advice, target: Path) -> None:
    """Write the run as a capture. Raise UserError or OSError if this fails."""
    with captures.open_capture(given.capture) as opened, captures.write_capture(target) as folder:
        opened.adopt(_remove_rules(given.site))
        for file in opened.files.values():
            shutil.copyfile(file, folder / file.name)
        sources = {name: collected for name, collected in opened.declared.items() if name in opened.files}
        if given.hostfacts:
            opened.hostfacts = given.hostfacts
            sources[_HOSTFACT] = _write_facts(opened, folder)
        kept = Kept(
            datetime.now().astimezone().isoformat(timespec="seconds"),
            given.kind,
            __version__,
            list_ranked(advice),
            bool(given.site.own.rules),
        )
        not_collected = {name: why for name, why in opened.not_collected.items() if name not in sources}
        site = opened.options, opened.accepted
        Manifest(opened.snapshots, sources, not_collected, *site, kept, _select_used_lessons(opened, advice)).write(
            folder
        )


def _select_used_lessons(capture: Capture, advice: Advice) -> tuple[Lesson, ...]:
    """Return the lessons that the advice uses. The others name unrelated databases."""
    known = [item.learned for item in advice.recommendations if item.learned]
    used = {lesson for each in known for lesson in (*each.lessons, each.harm)}
    return tuple(lesson for lesson in capture.lessons if lesson in used)


def _remove_rules(site: Site) -> Site:
    """Return the site without options and risks of its own rules, which captures do not contain."""
    own = {rule.name for rule in site.own.rules}
    return replace(
        site,
        options={owner: values for owner, values in site.options.items() if owner not in own},
        accepted=tuple(risk for risk in site.accepted if risk.rule not in own),
    )


def _write_facts(capture: Capture, folder: Path) -> Collected:
    """Write the facts of the capture, overridden by the given ones."""
    names = ("SNAP_ID", *COLUMNS)
    with open_tables() as tables:
        capture.load(tables, {_HOSTFACT, "system"})
        rows = sorted(tables.fetch(f"SELECT {', '.join(names)} FROM TUNE.S_HOSTFACT"))
    text = "".join(map(format_row, [names, *rows]))
    (folder / f"{_HOSTFACT}.csv").write_text(text, encoding="utf-8", newline="")
    return Collected(len(rows), COLUMNS)


def list_ranked(advice: Advice) -> tuple[Ranked, ...]:
    """Return the list of the advice, for later comparison."""
    return tuple(
        Ranked(item.rank, item.rule.name, f"{item.object_type} {item.object_name}", _digest(item.actions, item.undo))
        for item in advice.ranked
        if item.rank is not None
    )


def _digest(*what: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]


def check(kept: Kept, advice: Advice, ranks: Sequence[int]) -> str | None:
    """Return a warning if ranks of a kept run now mean other changes, or None if the list is the same.

    Raise UserError if one of ``ranks`` has changed.
    """
    was, is_ = ({line.rank: line for line in lines} for lines in (kept.list, list_ranked(advice)))
    moved = sorted(rank for rank in was.keys() | is_.keys() if was.get(rank) != is_.get(rank))
    if not moved:
        return None
    why = f"the run used db2tune {kept.version}{' and rules of the site' if kept.site_rules else ''}"
    if kept.version == __version__:
        why += ", with different options, facts or rules"
    for rank in ranks:
        if rank in moved and (line := was.get(rank)):
            raise UserError(f"rank {rank} was {line.rule} on {line.object} and has changed: {why}; use --rule")
    return f"ranks {', '.join(map(str, moved))} have changed: {why}"
