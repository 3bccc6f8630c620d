"""Expensive objects, created once for all workers of a test run."""

import hashlib
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

from tests.support.paths import ROOT

# pytest-xdist provides the ID of the run; a single worker keeps its objects in memory.
RUN = "PYTEST_XDIST_TESTRUNUID"
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))

SOURCES = ("advisor", "procedures", "sql", "tests/standin", "constraints.txt")  # of what outlives a test run

Made = TypeVar("Made")

_made: dict[str, object] = {}


def once(name: str, make: Callable[[], Made]) -> Made:
    """Return the result of ``make``: one of the callers for a name creates it, the others wait."""
    if name not in _made:
        _made[name] = _shared(name, make) if RUN in os.environ else make()
    return _made[name]  # type: ignore[return-value]


def lasting(name: str, make: Callable[[], Made]) -> Made:
    """Return the result of ``make``, also from an earlier run with the same SOURCES."""
    folder = ROOT / "build" / "lasting" / _digest()
    folder.mkdir(parents=True, exist_ok=True)
    for other in folder.parent.iterdir():
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return _kept(folder / name, make)


@cache
def _digest() -> str:
    """Return a digest of the SOURCES."""
    found = hashlib.sha256()
    for source in SOURCES:
        paths = [ROOT / source, *sorted((ROOT / source).rglob("*"))]
        for path in (path for path in paths if path.is_file() and "__pycache__" not in path.parts):
            found.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return found.hexdigest()


def _shared(name: str, make: Callable[[], Made]) -> Made:
    kept = Path(tempfile.gettempdir()) / f"db2tune-tests-{os.environ[RUN]}" / name
    kept.parent.mkdir(exist_ok=True)
    return _kept(kept, make)


def _kept(file: Path, make: Callable[[], Made]) -> Made:
    with FileLock(f"{file}.lock"):
        if not file.exists():
            new = file.with_name(f"{file.name}.new")  # a run that is killed here leaves no half of a file
            new.write_bytes(pickle.dumps(make()))
            new.replace(file)
        return pickle.loads(file.read_bytes())  # type: ignore[no-any-return]
