"""The budgets of the program, measured: ``python -m tests.bench [report.md]`` (make bench).

Times are ratios within one run, so that they mean something on any machine: the advice for a large capture
against DuckDB reading the same columns of the same files. Each measurement is a process of its own, so peak
memory is that of the measurement. Exit status 1 when a budget is broken.
"""

import dataclasses
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.large import write_large_capture

RUNS = 5
RULES = 100

ADVISE = "advise"
READ = "read"  # into tables
SCAN = "scan"  # keeping nothing


def measured(what: str, path: Path) -> None:
    """Run one measurement in this process and print its seconds, peak memory in MB and a count as JSON."""
    begin = time.perf_counter()
    count = _advise(path) if what == ADVISE else _read(path, keep=what == READ)
    seconds = time.perf_counter() - begin
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak_mb": peak_mb, "count": count}))


def _advise(path: Path) -> int:
    from advisor.capture import opened
    from advisor.engine import evaluate
    from advisor.rulebook import all_rules

    rules = list(all_rules().values())
    copies = [
        dataclasses.replace(rules[n % len(rules)], name=f"{rules[n % len(rules)].name}.{n // len(rules)}")
        for n in range(len(rules), RULES)
    ]
    with opened(path) as capture:
        return len(evaluate(capture, rules + copies).recommendations)


def _read(path: Path, keep: bool) -> int:
    """Have DuckDB read every declared column of every file, into tables or only past its eyes, and nothing else."""
    import duckdb

    from advisor.capture import opened
    from advisor.sources import all_sources

    connection = duckdb.connect(":memory:")
    connection.execute("SET preserve_insertion_order = false")
    rows = 0
    with opened(path) as capture:
        for name, file in capture.files.items():
            source = all_sources()[name]
            types = {"SNAP_ID": "INTEGER"} | {column.name: column.type for column in source.columns}
            columns = ", ".join(f"'{column}': '{kind}'" for column, kind in types.items())
            reader = f"read_csv('{file}', header = true, auto_detect = false, delim = ',', columns = {{{columns}}})"
            if file.suffix == ".parquet":
                reader = f"read_parquet('{file}')"
            if keep:
                connection.execute(f'CREATE TABLE "{name}" AS SELECT {", ".join(types)} FROM {reader}')
                query = f'SELECT COUNT(*) FROM "{name}"'
            else:
                query = f"SELECT COUNT(*), {', '.join(f'MAX({column})' for column in types)} FROM {reader}"
            row = connection.execute(query).fetchone()
            assert row is not None
            rows += row[0]
    return rows


def _process(what: str, path: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", what, str(path)], check=True, capture_output=True, text=True
    )
    return dict(json.loads(done.stdout))


def _seconds(command: list[str], runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


Runs = list[dict[str, float]]


def _median(runs: Runs, key: str) -> float:
    return statistics.median(run[key] for run in runs)


@dataclasses.dataclass(frozen=True)
class Result:
    """The runs of each kind of measurement on one kind of capture; those of one round belong together."""

    kind: str
    scans: Runs
    reads: Runs
    advices: Runs

    def ratio(self, to: Runs) -> float:
        return statistics.median(one["seconds"] / other["seconds"] for one, other in zip(self.advices, to, strict=True))


def report() -> tuple[str, bool]:
    """Measure everything; return the report and whether all budgets hold."""
    results = []
    with tempfile.TemporaryDirectory(prefix="db2tune-bench-") as folder:
        for kind in ("csv", "parquet"):
            path = Path(folder) / kind
            write_large_capture(path, kind)
            rounds = [{what: _process(what, path) for what in (SCAN, READ, ADVISE)} for _ in range(RUNS)]
            results.append(Result(kind, *([run[what] for run in rounds] for what in (SCAN, READ, ADVISE))))
    tool = str(Path(sys.executable).parent / "db2tune")
    help_s, demo_s = _seconds([tool, "--help"]), _seconds([tool, "demo"])
    of_csv = results[0]
    peak = max(_median(result.advices, "peak_mb") for result in results)
    budgets = [
        (f"{RULES} rules on a CSV capture of 1,000,000 monitor rows / reading it", of_csv.ratio(of_csv.reads), 3, "x"),
        ("peak memory of that", peak, 1024, "MB"),
        ("`db2tune --help`", help_s, 0.2, "s"),
        ("`db2tune demo`", demo_s, 2, "s"),
    ]
    text = [
        "# Benchmarks",
        "",
        "Written by `make bench`; ratios are medians of pairs measured in one run.",
        "",
        f"Machine: {os.cpu_count()} processors ({platform.machine()}), {platform.system()}, Python"
        f" {platform.python_version()}, DuckDB {_duckdb_version()}.",
        "",
        "| budget | measured | at most | |",
        "|---|---:|---:|---|",
        *(
            f"| {name} | {value:.2f} {unit} | {limit} {unit} | {'holds' if value <= limit else '**broken**'} |"
            for name, value, limit, unit in budgets
        ),
        "",
        "The capture has 64 members, 2,000 table spaces, 50,000 tables and two snapshots. Reading means that DuckDB",
        "reads and types every column that the sources declare, into tables of its own; scanning means that it keeps",
        "nothing of them. Parquet is given for comparison: it is so cheap to read that the fixed cost of planning the",
        "statements of 100 rules outweighs it.",
        "",
        "| capture | rows | scanning, s | reading, s | advice, s | advice / scanning | advice / reading | peak, MB |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
        *(
            f"| {result.kind} | {int(_median(result.reads, 'count')):,} | {_median(result.scans, 'seconds'):.2f} |"
            f" {_median(result.reads, 'seconds'):.2f} | {_median(result.advices, 'seconds'):.2f} |"
            f" {result.ratio(result.scans):.2f} | {result.ratio(result.reads):.2f} |"
            f" {_median(result.advices, 'peak_mb'):.0f} |"
            for result in results
        ),
        "",
    ]
    return "\n".join(text), all(value <= limit for _, value, limit, _ in budgets)


def _duckdb_version() -> str:
    import duckdb

    return str(duckdb.__version__)


def main(arguments: list[str]) -> int:
    if arguments and arguments[0] in (ADVISE, READ, SCAN):
        measured(arguments[0], Path(arguments[1]))
        return 0
    text, holds = report()
    if arguments:
        Path(arguments[0]).write_text(text, encoding="utf-8")
    print(text)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
