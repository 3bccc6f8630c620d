"""The advice for the committed machines, judged once for all workers of a test run."""

import os
import pickle
import tempfile
from functools import cache
from pathlib import Path

from filelock import FileLock

from advisor.judge.advice import Advice
from advisor.judge.run import advise
from tests.machines import FIXTURES

# pytest-xdist says which run this is; a worker by itself keeps what it judges in memory.
RUN = "PYTEST_XDIST_TESTRUNUID"


@cache
def advised(name: str) -> Advice:
    """The advice for a machine as it is committed."""
    if RUN not in os.environ:
        return advise(FIXTURES / name)
    kept = Path(tempfile.gettempdir()) / f"db2tune-tests-{os.environ[RUN]}" / name
    kept.parent.mkdir(exist_ok=True)
    with FileLock(f"{kept}.lock"):
        if not kept.exists():
            kept.write_bytes(pickle.dumps(advise(FIXTURES / name)))
        return pickle.loads(kept.read_bytes())  # type: ignore[no-any-return]
