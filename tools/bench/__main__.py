"""Measurements of everything and their report; exit status 1 if a budget is broken.

Times are ratios within one run, so that they are comparable across machines. Each measurement is its own process, so
that peak memory belongs to it alone; for the same reason each imports only what it needs.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.resources import PAPER_CAPTURE
from tests.support.paths import FIXTURES
from tools.bench import importing, judging, offline, selecting
from tools.bench.fleet import peak_mb
from tools.bench.statements import WORST

if TYPE_CHECKING:
    from tools.bench.report import Results

ROUNDS = 5
INSIDE = "inside"
IMPORTING = "importing"
MANY = "many"
STUDY = "study"
SELECTING = "selecting"


def _measured(what: str, of: str) -> None:
    """Run one measurement in this process. Print its results and its peak memory in MB as JSON."""
    if what == INSIDE:
        result = _inside(Path(of))
    elif what == IMPORTING:
        result = importing.measure(Path(of))
    elif what == MANY:
        result = judging.measure_judgement(int(of))
    elif what == SELECTING:
        result = selecting.measure(int(of))
    elif what == STUDY:
        result = judging.measure_study(int(of))
    else:
        result = _timed(offline.MEASUREMENTS[what], Path(of))
    print(json.dumps(result | {"peak_mb": peak_mb()}))


def _inside(path: Path) -> dict[str, Any]:
    from tools.bench.inside import measure

    return measure(path)


def _timed(work: Callable[[Path], int], path: Path) -> dict[str, Any]:
    begin = time.perf_counter()
    count = work(path)
    return {"seconds": time.perf_counter() - begin, "count": count}


def _process(what: str, of: Path | int) -> dict[str, Any]:
    """Run one measurement in its own process. Return its results with its peak memory."""
    command = [sys.executable, "-m", "tools.bench", what, str(of)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout))


def _texts(kind: str, folder: Path) -> list[dict[str, Any]]:
    """Return the import times of a text of each size, the best of some rounds."""
    best = []
    for megabytes in importing.MEGABYTES if kind in importing.KINDS else [importing.SMALLER]:
        path = folder / importing.file_name(kind)
        importing.write(kind, megabytes, path)
        best.append(min((_process(IMPORTING, path) for _ in range(3)), key=lambda run: float(run["ms_per_mb"])))
        path.unlink()
    return best


def _seconds(command: list[str], runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def _processor_s(command: list[str], runs: int = 5) -> float:
    """Return the processor seconds of a command, the median of some runs."""
    times = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def _index_advice() -> str:
    """Return the tables of the index advice on PostgreSQL, or why they cannot be measured."""
    done = subprocess.run([sys.executable, "-m", "tools.trials.engine"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else f"Not measured: {done.stderr.strip()}\n"


def _measure_all() -> "Results":
    from tests.support.large import write_large_capture
    from tools.bench.report import Capture, Results

    with tempfile.TemporaryDirectory(prefix="db2tune-bench-") as folder:
        path = Path(folder) / "csv"
        write_large_capture(path)
        rounds = [{what: _process(what, path) for what in offline.MEASUREMENTS} for _ in range(ROUNDS)]
        captures = [Capture("csv", *([run[what] for run in rounds] for what in offline.MEASUREMENTS))]
        inside = _process(INSIDE, path)
        texts = {kind: _texts(kind, Path(folder)) for kind in importing.KINDS}
        others = {kind: _texts(kind, Path(folder))[0] for kind in (*importing.OTHERS, *importing.WRITTEN, *WORST)}
    tool = str(Path(sys.executable).parent / "db2tune")
    machines = {number: _process(MANY, number) for number in judging.NUMBERS}
    judged = _process(STUDY, judging.SITES)
    selected = {number: _process(SELECTING, number) for number in (selecting.MANY, selecting.WIDE)}
    engine = _index_advice()
    help_s, demo_s = _seconds([tool, "--help"]), _seconds([tool, "demo"])
    calls = ([tool, "advise", str(PAPER_CAPTURE)], [tool, "query", str(FIXTURES / "imports" / "db2exfmt.txt")])
    ratios = [_processor_s(call) / _processor_s([tool, "--help"]) for call in calls]
    return Results(captures, machines, inside, texts, others, judged, selected, engine, help_s, demo_s, *ratios)


def main(arguments: list[str]) -> int:
    if arguments and arguments[0] in (*offline.MEASUREMENTS, INSIDE, IMPORTING, MANY, SELECTING, STUDY):
        _measured(*arguments)
        return 0
    from tools.bench.report import rendered

    text, holds = rendered(_measure_all())
    if arguments:
        Path(arguments[0]).write_text(text, encoding="utf-8")
    print(text)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
