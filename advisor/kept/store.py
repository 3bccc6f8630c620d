"""The last runs of this user: captures in a folder of the user's own, by numbers that rise."""

import os
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from advisor import files
from advisor.capture.manifest import SUFFIX, Manifest
from advisor.capture.opening import manifest
from advisor.errors import UserError
from advisor.judge.advice import Advice
from advisor.kept.run import Given, keep

FOLDER = "DB2TUNE_RUNS"
LAST = "last"
MOST = 10
MOST_MB = 200  # all of them together


@dataclass(frozen=True)
class Entry:
    """A kept run; ``broken`` says what is wrong where it cannot be read."""

    number: int
    said: Manifest | None
    broken: str | None = None


def folder() -> Path | None:
    """Where runs are kept; None where DB2TUNE_RUNS is set to nothing: then none is. Raises UserError without a home."""
    chosen = os.environ.get(FOLDER)
    if chosen is not None:
        return Path(chosen) if chosen else None
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    try:
        return (state if state.is_absolute() else Path.home() / ".local" / "state") / "db2tune" / "runs"
    except RuntimeError:
        raise UserError(f"this user has no home; {FOLDER} names another folder") from None


def add(given: Given, advice: Advice) -> int | None:
    """Keep a run, and of the earlier ones the last: its number, or None where none is to be kept.

    Raises UserError or OSError where it cannot be.
    """
    place = folder()
    if place is None:
        return None
    place = files.folder(place)
    with files.beside(place / "run") as new:
        packed = new / f"run{SUFFIX}"
        keep(given, advice, packed)
        if packed.stat().st_size > MOST_MB << 20:
            raise UserError(f"it takes more than {MOST_MB} MB; --keep FILE keeps it")
        number = _placed(packed, place)
    _prune(place)
    return number


def _placed(packed: Path, place: Path) -> int:
    """The number under which the run is there now: the next one that nobody else took meanwhile."""
    for number in count(1 + max(_runs(place), default=0)):
        target = place / f"{number}{SUFFIX}"
        try:
            files.place(packed, target)
        except UserError:
            if not target.exists():
                raise
        else:
            return number
    raise AssertionError  # numbers do not end


def _runs(place: Path) -> dict[int, Path]:
    """The runs by number, the last one first."""
    found = {int(file.stem): file for file in place.glob(f"*{SUFFIX}") if file.stem.isascii() and file.stem.isdecimal()}
    return dict(sorted(found.items(), reverse=True))


def _prune(place: Path) -> None:
    """Delete all but the last runs, of which the last one stays in any case."""
    left = MOST_MB << 20
    for position, file in enumerate(_runs(place).values()):
        try:
            left -= file.stat().st_size
            if position and (position >= MOST or left < 0):
                file.unlink()
        except FileNotFoundError:
            pass  # another one was faster


def entries() -> list[Entry]:
    """The kept runs, the last one first."""
    place = folder()
    return [] if place is None else [_entry(number, file) for number, file in _runs(place).items()]


def _entry(number: int, file: Path) -> Entry:
    try:
        return Entry(number, manifest(file))
    except (UserError, OSError) as error:
        return Entry(number, None, str(error))


def find(run: str) -> Path:
    """The capture of a run: its number, ``last``, or the file that it was kept in. Raises UserError where there is none."""
    if not (run == LAST or (run.isascii() and run.isdecimal())):
        return Path(run)
    place = folder()
    if place is None:
        raise UserError(f"run {run}: none is kept, as {FOLDER} is set to nothing")
    runs = {str(number): file for number, file in _runs(place).items()}
    number = next(iter(runs), LAST) if run == LAST else run
    if number in runs:
        return runs[number]
    there = f"there are {', '.join(reversed(runs))}" if runs else "db2tune advise keeps those of databases and texts"
    raise UserError(f"run {run}: is not kept in {place}; {there}")
