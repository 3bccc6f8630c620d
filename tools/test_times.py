"""Times of both test commands: ``python -m tools.test_times docs/test-times.md``.

Commit the page only from an idle machine.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

COMMANDS = {"make test": "not full", "make test-rest": "full"}
SLOWEST = 10
HEAD = """\
# Test times

Written by `make test-times`, on {processors} processors. Every change runs `make test`; `make test-all` adds the tests
of `make test-rest`. The seconds of a test include the setup for its module; several tests run at the same time.

"""


@dataclass(frozen=True)
class Run:
    """One command: its elapsed and processor seconds, and the seconds of each test by name."""

    wall_s: float
    processor_s: float
    tests: dict[str, float]
    skipped: int


def measured(marked: str) -> Run:
    """Run the tests with these marks. Raise CalledProcessError if one fails."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        before, begin = _processor_s(), time.monotonic()
        subprocess.run([sys.executable, "-m", "pytest", "-m", marked, f"--junit-xml={report}"], check=True)
        wall_s, processor_s = time.monotonic() - begin, _processor_s() - before
        cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    seconds = {f"{case.attrib['classname']}.{case.attrib['name']}": float(case.attrib["time"]) for case in cases}
    return Run(wall_s, processor_s, seconds, sum(case.find("skipped") is not None for case in cases))


def _processor_s() -> float:
    """Return the processor seconds of all ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def page(runs: dict[str, Run]) -> str:
    """Return the page in Markdown."""
    parts = [HEAD.format(processors=os.cpu_count()), *_table(("command", "minutes", "processor s", "tests", "skipped"), (
        (f"`{command}`", f"{run.wall_s / 60:.1f}", f"{run.processor_s:.0f}", len(run.tests), run.skipped)
        for command, run in runs.items()
    ))]  # fmt: skip
    for command, run in runs.items():
        parts += ["\n", f"## `{command}`\n\n", *_table(("folder", "tests", "seconds"), _folders(run)), "\n"]
        parts += _table(("slowest tests", "seconds"), _slowest(run))
    return "".join(parts)


def _folders(run: Run) -> list[tuple[str, int, str]]:
    count, seconds = Counter[str](), Counter[str]()
    for name, took in run.tests.items():
        folder = name.partition(".test_")[0].removeprefix("tests.").replace(".", "/")
        count[folder] += 1
        seconds[folder] += took  # type: ignore[assignment]
    return [(folder, count[folder], f"{took:.0f}") for folder, took in seconds.most_common()]


def _slowest(run: Run) -> list[tuple[str, str]]:
    found = sorted(run.tests.items(), key=lambda test: -test[1])[:SLOWEST]
    return [(f"`{name.removeprefix('tests.')}`".replace("|", "\\|"), f"{took:.1f}") for name, took in found]


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> list[str]:
    lines = [head, ("---",) + ("---:",) * (len(head) - 1), *rows]
    return [f"| {' | '.join(map(str, line))} |\n" for line in lines]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page({command: measured(marked) for command, marked in COMMANDS.items()}))
