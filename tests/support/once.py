"""Expensive objects, created once for all workers of a test run."""

import os
import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

# pytest-xdist provides the ID of the run; a single worker keeps its objects in memory.
RUN = "PYTEST_XDIST_TESTRUNUID"
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))

Made = TypeVar("Made")

_made: dict[str, object] = {}


def once(name: str, make: Callable[[], Made]) -> Made:
    """Return the result of ``make``: one of the callers for a name creates it, the others wait."""
    if name not in _made:
        _made[name] = _shared(name, make) if RUN in os.environ else make()
    return _made[name]  # type: ignore[return-value]


def _shared(name: str, make: Callable[[], Made]) -> Made:
    kept = Path(tempfile.gettempdir()) / f"db2tune-tests-{os.environ[RUN]}" / name
    kept.parent.mkdir(exist_ok=True)
    with FileLock(f"{kept}.lock"):
        if not kept.exists():
            kept.write_bytes(pickle.dumps(make()))
        return pickle.loads(kept.read_bytes())  # type: ignore[no-any-return]
