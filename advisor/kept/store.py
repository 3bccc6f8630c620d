"""The last runs of this user: numbered captures in a private folder."""

import os
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from advisor import files
from advisor.capture.given import Given
from advisor.capture.manifest import SUFFIX, Manifest
from advisor.capture.opening import manifest
from advisor.errors import UserError
from advisor.judgement.advice import Advice
from advisor.kept.run import keep

FOLDER = "DB2TUNE_RUNS"
LAST = "last"
MAX_RUNS = 10
MOST_MB = 200  # of all runs together


@dataclass(frozen=True)
class Entry:
    """A kept run. ``broken`` is the reason if it is unreadable."""

    number: int
    said: Manifest | None
    broken: str | None = None


def folder() -> Path | None:
    """Return the folder of kept runs, or None if DB2TUNE_RUNS is empty. Raise UserError without a home folder."""
    chosen = os.environ.get(FOLDER)
    if chosen is not None:
        return Path(chosen) if chosen else None
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    try:
        return (state if state.is_absolute() else Path.home() / ".local" / "state") / "db2tune" / "runs"
    except RuntimeError:
        raise UserError(f"this user has no home folder; set {FOLDER} to another folder") from None


def add(given: Given, advice: Advice) -> int | None:
    """Keep a run and delete the oldest ones. Return its number, or None if DB2TUNE_RUNS is empty.

    Raise UserError or OSError if this fails.
    """
    place = folder()
    if place is None:
        return None
    place = files.folder(place)
    with files.create_folder_beside(place / "run") as new:
        packed = new / f"run{SUFFIX}"
        keep(given, advice, packed)
        if packed.stat().st_size > MOST_MB << 20:
            raise UserError(f"it needs more than {MOST_MB} MB; use --keep FILE")
        number = _move_run(packed, place)
    _prune(place)
    return number


def _move_run(packed: Path, place: Path) -> int:
    """Move the run to the next free number. Return the number."""
    for number in count(1 + max(_runs(place), default=0)):
        target = place / f"{number}{SUFFIX}"
        try:
            files.place(packed, target)
        except UserError:
            if not target.exists():
                raise
        else:
            return number
    raise AssertionError  # count() never ends


def _runs(place: Path) -> dict[int, Path]:
    """Return the runs by number, latest first."""
    found = {int(file.stem): file for file in place.glob(f"*{SUFFIX}") if file.stem.isascii() and file.stem.isdecimal()}
    return dict(sorted(found.items(), reverse=True))


def _prune(place: Path) -> None:
    """Delete all but the last runs. Never delete the latest one."""
    left = MOST_MB << 20
    for position, file in enumerate(_runs(place).values()):
        try:
            left -= file.stat().st_size
            if position and (position >= MAX_RUNS or left < 0):
                file.unlink()
        except FileNotFoundError:
            pass  # another process deleted it


def entries() -> list[Entry]:
    """Return the kept runs, latest first."""
    place = folder()
    return [] if place is None else [_entry(number, file) for number, file in _runs(place).items()]


def _entry(number: int, file: Path) -> Entry:
    try:
        return Entry(number, manifest(file))
    except (UserError, OSError) as error:
        return Entry(number, None, str(error))


def find_last(database: str | None = None) -> str:
    """Return the number of the last run, of any database or of this one. Raise UserError if there is none."""
    if database is None:
        return find(LAST).stem
    for entry in entries():
        if entry.said and entry.said.snapshots[-1].database["name"].upper() == database.upper():
            return str(entry.number)
    raise UserError(f"run {LAST}: no run of this database is kept; db2tune advise keeps runs")


def find(run: str) -> Path:
    """Return the capture of a run: its number, ``last`` or its file. Raise UserError if it does not exist."""
    if not (run == LAST or (run.isascii() and run.isdecimal())):
        return Path(run)
    place = folder()
    if place is None:
        raise UserError(f"run {run}: no runs are kept, because {FOLDER} is empty")
    runs = {str(number): file for number, file in _runs(place).items()}
    number = next(iter(runs), LAST) if run == LAST else run
    if number in runs:
        return runs[number]
    there = f"kept: {', '.join(reversed(runs))}" if runs else "db2tune advise keeps runs of databases and texts"
    raise UserError(f"run {run}: not found in {place}; {there}")
