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

RUNS = 3
RULES = 100

ADVISE = "advise"
READ = "read"


def measured(what: str, path: Path) -> None:
    """Run one measurement in this process and print its seconds, peak memory in MB and a count as JSON."""
    begin = time.perf_counter()
    count = _advise(path) if what == ADVISE else _read(path)
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


def _read(path: Path) -> int:
    """Have DuckDB read every declared column of every file, and nothing else."""
    import duckdb

    from advisor.capture import opened
    from advisor.sources import all_sources

    connection = duckdb.connect(":memory:")
    rows = 0
    with opened(path) as capture:
        for name, file in capture.files.items():
            source = all_sources()[name]
            types = {"SNAP_ID": "INTEGER"} | {column.name: column.type for column in source.columns}
            columns = ", ".join(f"'{column}': '{kind}'" for column, kind in types.items())
            reader = f"read_csv(?, header = true, auto_detect = false, delim = ',', columns = {{{columns}}})"
            if file.suffix == ".parquet":
                reader = "read_parquet(?)"
            aggregates = ", ".join(f"MAX({column})" for column in types)
            row = connection.execute(f"SELECT COUNT(*), {aggregates} FROM {reader}", [str(file)]).fetchone()
            assert row is not None
            rows += row[0]
    return rows


def _process(what: str, path: Path) -> dict[str, float]:
    done = subprocess.run([sys.executable, "-m", "tests.bench", what, str(path)], check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


def _seconds(command: list[str], runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def _median(results: list[dict[str, float]], key: str) -> float:
    return statistics.median(result[key] for result in results)


def report() -> tuple[str, bool]:
    """Measure everything; return the report and whether all budgets hold."""
    lines = []
    with tempfile.TemporaryDirectory(prefix="db2tune-bench-") as folder:
        for kind in ("csv", "parquet"):
            path = Path(folder) / kind
            write_large_capture(path, kind)
            pairs = [(_process(READ, path), _process(ADVISE, path)) for _ in range(RUNS)]
            reads, advices = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            ratio = statistics.median(advice["seconds"] / read["seconds"] for read, advice in pairs)
            lines.append((kind, reads, advices, ratio))
    tool = str(Path(sys.executable).parent / "db2tune")
    help_s, demo_s = _seconds([tool, "--help"]), _seconds([tool, "demo"])
    csv_ratio = next(ratio for kind, _, _, ratio in lines if kind == "csv")
    peak = max(_median(advices, "peak_mb") for kind, _, advices, _ in lines)
    budgets = [
        (f"{RULES} rules on a CSV capture of 1,000,000 monitor rows, against reading it", csv_ratio, 3, "x"),
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
        "reads and types every column that the sources declare, and keeps nothing. Parquet is given for comparison:",
        "it is so cheap to read that the fixed cost of planning the statements of 100 rules outweighs it.",
        "",
        "| capture | rows | reading, s | advice, s | ratio | peak, MB | recommendations |",
        "|---|---:|---:|---:|---:|---:|---:|",
        *(
            f"| {kind} | {int(_median(reads, 'count')):,} | {_median(reads, 'seconds'):.2f} |"
            f" {_median(advices, 'seconds'):.2f} | {ratio:.2f} | {_median(advices, 'peak_mb'):.0f} |"
            f" {int(_median(advices, 'count'))} |"
            for kind, reads, advices, ratio in lines
        ),
        "",
    ]
    return "\n".join(text), all(value <= limit for _, value, limit, _ in budgets)


def _duckdb_version() -> str:
    import duckdb

    return str(duckdb.__version__)


def main(arguments: list[str]) -> int:
    if arguments and arguments[0] in (ADVISE, READ):
        measured(arguments[0], Path(arguments[1]))
        return 0
    text, holds = report()
    if arguments:
        Path(arguments[0]).write_text(text, encoding="utf-8")
    print(text)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
