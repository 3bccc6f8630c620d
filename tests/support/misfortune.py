"""Loaded by each worker of tests/reports/test_fleet_workers.py: what happens to it while it judges.

FORTUNE names a folder. Who first judges HELD writes its process there and goes no further; who judges DEADLY is killed.
"""

import os
import signal
import threading
from pathlib import Path

from advisor.capture.site import Site
from advisor.fleet import members, workers
from advisor.fleet.estate import Surveyed

_judged = members.judged


def judged(batch: members.Batch, site: Site) -> list[Surveyed]:
    names = {one.name for one in batch}
    if "DEADLY" in names:
        os.kill(os.getpid(), signal.SIGKILL)
    if "HELD" in names:
        folder = Path(os.environ["FORTUNE"])
        try:
            (folder / "held").symlink_to(str(os.getpid()))  # there at once with all that it says
        except FileExistsError:
            pass
        else:
            threading.Event().wait(60)
    return _judged(batch, site)


workers.judged = judged
