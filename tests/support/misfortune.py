"""Accidents during judgement, loaded by each worker of tests/reports/test_fleet_workers.py.

FORTUNE names a folder. A worker that judges HELD writes its process ID there and stops; a worker that judges DEADLY is
killed.
"""

import os
import signal
import threading
from collections.abc import Iterable
from pathlib import Path

from advisor.capture.site import Site
from advisor.fleet import members as judging
from advisor.fleet import workers
from advisor.fleet.estate import Surveyed
from advisor.fleet.members import Member

_judged = judging.judge_batch


def judged(members: Iterable[Member], site: Site) -> list[Surveyed]:
    batch = list(members)
    names = {one.name for one in batch}
    if "DEADLY" in names:
        os.kill(os.getpid(), signal.SIGKILL)
    if "HELD" in names:
        folder = Path(os.environ["FORTUNE"])
        try:
            (folder / "held").symlink_to(str(os.getpid()))  # the complete file appears at once
        except FileExistsError:
            pass
        else:
            threading.Event().wait(60)
    return _judged(batch, site)


workers.judge_batch = judged  # type: ignore[attr-defined]  # the name by which it calls it
