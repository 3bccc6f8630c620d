"""Cost per database of a large fleet: captures of the committed machines, on one Dask worker and on two.

``python -m tools.bench.fleet 1000 10000`` prints a Markdown table. The files of a machine are written once and linked;
each capture has its own manifest with its own database name.
"""

import json
import os
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterable
from itertools import cycle, islice
from pathlib import Path

from advisor.resources import DEMO_CAPTURE, PAPER_CAPTURE
from tools.bench.report import table as markdown_table

WORKERS = (1, 2)


def captures(number: int, folder: Path) -> Path:
    """Write that number of captures; the folder must be on the file system of the fixtures' copies."""
    machines = [zipfile.Path(capture) for capture in (DEMO_CAPTURE, PAPER_CAPTURE)]
    for count, machine in enumerate(islice(cycle(machines), number)):
        target = folder / f"{count:06}"
        target.mkdir()
        for file in machine.iterdir():
            first = folder / f"{count % len(machines):06}" / file.name
            if file.name == "manifest.json":
                said = json.loads(file.read_text(encoding="utf-8"))
                for snapshot in said["snapshots"]:
                    snapshot["database"]["name"] = f"DB{count}"
                (target / file.name).write_text(json.dumps(said), encoding="utf-8")
            elif count < len(machines):
                (target / file.name).write_bytes(file.read_bytes())
            else:
                os.link(first, target / file.name)
    return folder


def peak_mb() -> float:
    """Return the peak of this process alone; ru_maxrss would include the memory of the parent process."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def measure(folder: Path, workers: int) -> tuple[float, float]:
    """Return the seconds for all captures of the folder, and the peak memory of a worker in MB."""
    from distributed import Client, LocalCluster

    from advisor.capture.site import Site
    from advisor.fleet.captures import survey

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        begin = time.perf_counter()
        found = survey([folder], Site(), scheduler=cluster.scheduler_address)
        seconds = time.perf_counter() - begin
        failed = [one.error for one in found if one.error]
        assert not failed, failed[0]
        with Client(cluster.scheduler_address) as client:
            return seconds, max(client.run(peak_mb).values())


def table(numbers: Iterable[int]) -> list[str]:
    """Return a table with a row for each number of databases and of workers."""
    rows = []
    for number in numbers:
        with tempfile.TemporaryDirectory(prefix="db2tune-bench-") as place:
            folder = captures(number, Path(place))
            for workers in WORKERS:
                seconds, peak = measure(folder, workers)
                each = 1000 * seconds / number
                rows.append(
                    [
                        f"{number:,}",
                        str(workers),
                        f"{seconds:.0f}",
                        f"{number / seconds:.0f}",
                        f"{each:.1f}",
                        f"{peak:.0f}",
                    ]
                )
    return markdown_table(
        ["databases", "workers", "s", "databases a second", "ms each", "peak of a worker, MB"], rows, "::::::"
    )


if __name__ == "__main__":
    print("\n".join(table(int(number) for number in sys.argv[1:])))
