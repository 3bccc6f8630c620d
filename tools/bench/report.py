"""Report of the measurements, and whether the budgets hold."""

import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from advisor.imports.store import MEMORY
from tools.bench import inside
from tools.bench.importing import MEGABYTES, SMALLER
from tools.bench.selecting import MANY, WIDE
from tools.bench.statements import WORST

Runs = list[dict[str, Any]]


@dataclass(frozen=True)
class Capture:
    """The runs of each of offline.MEASUREMENTS on one kind of capture; those of one round belong together."""

    kind: str
    scans: Runs
    reads: Runs
    advices: Runs

    def ratio(self, to: Runs) -> float:
        return statistics.median(
            float(one["seconds"] / other["seconds"]) for one, other in zip(self.advices, to, strict=True)
        )


@dataclass(frozen=True)
class Results:
    """All measurements; ``machines`` and ``selected`` (by number), ``inside``, ``texts`` (by kind and size), ``others`` (by
    kind) and ``judged`` (the study) are the results of their measure(). ``engine`` are the tables of the index advice on
    PostgreSQL, or why they could not be measured.
    """

    captures: list[Capture]
    machines: dict[int, dict[str, Any]]
    inside: dict[str, Any]
    texts: dict[str, Runs]
    others: dict[str, dict[str, Any]]
    judged: dict[str, Any]
    selected: dict[int, dict[str, Any]]
    engine: str
    help_s: float
    demo_s: float
    advise_to_help: float  # processor time
    query_to_help: float


@dataclass(frozen=True)
class Budget:
    """A measured value and its limit."""

    name: str
    value: float
    limit: float
    unit: str

    @property
    def holds(self) -> bool:
        return self.value <= self.limit


def rendered(results: Results) -> tuple[str, bool]:
    """Return the report, and whether all budgets hold."""
    budgets = _budgets(results)
    lines = [
        *_head(budgets),
        *_offline(results.captures),
        *_many(results.machines),
        *_inside(results.inside),
        *_texts(results.texts),
        *_others(results.others),
        *_judged(results.judged),
        *("", "## The index advice on PostgreSQL", "", "The method is in [index selection](indexes.md).", ""),
        *results.engine.splitlines(),
    ]
    return "\n".join(lines) + "\n", all(budget.holds for budget in budgets)


def _budgets(results: Results) -> list[Budget]:
    of_csv, most = results.captures[0], max(results.machines)
    peak = max(_median(capture.advices, "peak_mb") for capture in results.captures)
    snapshot, advise = (results.inside["statements"][name]["system"] for name in (inside.SNAPSHOT, inside.ADVISE))
    return [
        Budget("statements of a snapshot that read the database", snapshot, 36, ""),
        Budget("additional ones of `CALL TUNE.ADVISE()`", advise - snapshot, 0, ""),
        Budget("all rules on the large capture as CSV / reading it", of_csv.ratio(of_csv.reads), 16, "x"),
        Budget("its peak memory", peak, 800, "MB"),
        Budget(f"judging {_count(most)} machines together, per machine", results.machines[most]["cpu_ms"], 60, "ms"),
        Budget("its peak memory", results.machines[most]["peak_mb"], 500, "MB"),
        Budget("indexes for 2,000 statements on 500 tables", results.selected[MANY]["cpu_s"], 10, "processor s"),
        Budget("its peak memory", results.selected[MANY]["peak_mb"], 300, "MB"),
        Budget("indexes for 200 statements of 60 tables", results.selected[WIDE]["cpu_s"], 20, "processor s"),
        Budget("its peak memory", results.selected[WIDE]["peak_mb"], 600, "MB"),
        *(
            Budget(f"import of {kind} text per MB (20 ms are 50 MB/s)", runs[0]["ms_per_mb"], 20, "ms")
            for kind, runs in results.texts.items()
        ),
        *(
            Budget(f"peak memory of importing {MEGABYTES[1]} MB of {kind} text", runs[1]["peak_mb"], 300, "MB")
            for kind, runs in results.texts.items()
        ),
        *(
            Budget(f"import of {kind} per MB (100 ms are 10 MB/s)", run["ms_per_mb"], 100, "ms")
            for kind, run in results.others.items()
            if kind not in WORST
        ),
        Budget("harmful changes on the model database", 100 * results.judged["harm"], 1, "%"),
        Budget("`db2tune --help`", results.help_s, 0.1, "s"),
        Budget("`db2tune demo`", results.demo_s, 0.8, "s"),
        Budget("processor time of `db2tune advise` of one capture / `db2tune --help`", results.advise_to_help, 10, "x"),
        Budget("processor time of `db2tune query` of one plan / `db2tune --help`", results.query_to_help, 10, "x"),
    ]


def _head(budgets: list[Budget]) -> list[str]:
    return [
        "# Benchmarks",
        "",
        "Written by `make bench`; ratios are medians of pairs measured in one run.",
        "",
        f"Machine: {os.cpu_count()} processors ({platform.machine()}), {platform.system()}, Python"
        f" {platform.python_version()}, DuckDB {duckdb.__version__}.",
        "",
        *table(
            ["budget", "measured", "at most", ""],
            [
                [
                    budget.name,
                    _with_unit(budget.value, budget.unit),
                    _with_unit(budget.limit, budget.unit),
                    _verdict(budget),
                ]
                for budget in budgets
            ],
            "-::-",
        ),
        "",
        "The large state has 64 members, 2,000 table spaces and 50,000 tables; 1,000 of the tables are larger than 10 MB on",
        "every partition.",
        "",
    ]


def _offline(captures: list[Capture]) -> list[str]:
    rows = [
        [
            capture.kind,
            _count(_median(capture.reads, "count")),
            *(f"{_median(runs, 'seconds'):.2f}" for runs in (capture.scans, capture.reads, capture.advices)),
            f"{capture.ratio(capture.scans):.2f}",
            f"{capture.ratio(capture.reads):.2f}",
            f"{_median(capture.advices, 'peak_mb'):.0f}",
        ]
        for capture in captures
    ]
    return [
        "## Offline",
        "",
        "A capture of the large state with two snapshots. DuckDB reads every declared column into tables (reading) or discards",
        "it (scanning).",
        "",
        *table(
            [
                "capture",
                "rows",
                "scanning, s",
                "reading, s",
                "advice, s",
                "advice / scanning",
                "advice / reading",
                "peak, MB",
            ],
            rows,
            "-" + ":" * 7,
        ),
        "",
    ]


def _many(machines: dict[int, dict[str, Any]]) -> list[str]:
    rows = [
        [_count(number), *(f"{value:.0f}" for value in (run["cpu_ms"], 1000 / run["cpu_ms"], run["peak_mb"]))]
        for number, run in machines.items()
    ]
    return [
        "## Many machines",
        "",
        "The machines of the tests repeatedly, each a capture on disk, judged by all rules, in CPU time. The first one costs",
        "the compilation of every statement.",
        "",
        *table(["machines", "ms each", "per second", "peak, MB"], rows, "::::"),
        "",
    ]


def _inside(within: dict[str, Any]) -> list[str]:
    counts, seconds = within["statements"], within["seconds"]
    fetched = counts[inside.OUTSIDE]["rows"]
    ways = {
        "`CALL TUNE.SNAPSHOT(?)`": inside.SNAPSHOT,
        "`CALL TUNE.ADVISE()`, with a snapshot": inside.ADVISE,
        "`db2tune capture`, one snapshot": inside.OUTSIDE,
    }
    calls = list(ways.items())[:2]
    return [
        "## Inside the database",
        "",
        "The same state on the fake server, through IBM's driver. Its log gives the numbers of statements, which are the same for",
        "any server. A statement reads either the database or only tables of schema `TUNE`. One reads the database's identity.",
        "",
        *table(
            ["", "statements that read the database", "their rows", "statements on tables of `TUNE`"],
            [[name, *(_count(counts[way][key]) for key in ("system", "rows", "own"))] for name, way in ways.items()],
            "-:::",
        ),
        "",
        f"Inside, the rows stay on the server; from outside, a client fetches {_count(fetched)} rows. Before its first snapshot it",
        f"also describes {within['described']} statements, without running them, to detect the columns of the level.",
        "",
        "The fake server is DuckDB behind a Python server: its seconds do not apply to Db2. They show that no call grows faster",
        "than the state, compared with a snapshot of the same rows from outside and with the advice from a capture.",
        f"Medians of {len(seconds)} rounds.",
        "",
        *table(
            ["", "s", "/ snapshot from outside", "/ advice offline"],
            [
                [
                    name,
                    f"{_median(seconds, way):.1f}",
                    *(_ratio(seconds, way, to) for to in (inside.OUTSIDE, inside.OFFLINE)),
                ]
                for name, way in calls
            ],
            "-:::",
        ),
        "",
        f"Peak memory, client and fake server together: {within['peak_mb']:.0f} MB.",
        "",
        "Rows of each source, read by one statement:",
        "",
        *table(["source", "reads", "rows of a snapshot"], _sources(within["rows"]), "--:"),
    ]


def _texts(texts: dict[str, Runs]) -> list[str]:
    rows = [
        [
            kind,
            str(size),
            _count(run["count"]),
            *(f"{value:.1f}" for value in (run["ms_per_mb"], 1000 / run["ms_per_mb"], run["peak_mb"])),
        ]
        for kind, runs in texts.items()
        for size, run in zip(MEGABYTES, runs, strict=True)
    ]
    return [
        "",
        "## Importing",
        "",
        "Texts with many objects, from reading to the written capture, in CPU time; the best of three. SQLite keeps at most",
        f"{MEMORY >> 20} MB of the rows in memory and the rest on disk.",
        "",
        *table(["text", "MB", "rows of the capture", "ms per MB", "MB/s", "peak, MB"], rows, "-" + ":" * 5),
    ]


def _others(others: dict[str, dict[str, Any]]) -> list[str]:
    rows = [[kind, _count(run["count"]), f"{1000 / run['ms_per_mb']:.1f}"] for kind, run in others.items()]
    return [
        "",
        f"The other formats, {SMALLER} MB each; repeated values are one row. The texts of db2look, of a session, and of",
        f"{' and '.join(WORST)} repeat no statement; in the last two, which have no budget, every line counts.",
        "",
        *table(["text", "rows of the capture", "MB/s"], rows, "-::"),
    ]


def _judged(study: dict[str, Any]) -> list[str]:
    rows = [
        ["changes that increase response time by more than 1 %", f"{100 * study['harm']:.1f} %", "at most 1 %"],
        ["gains within low..high, over the day", f"{100 * (1 - study['outside']):.1f} %", "at least 80 %"],
        ["gains within low..high, in the interval of the capture", f"{100 * (1 - study['outside_then']):.1f} %", ""],
        ["Kendall's tau of promise and gain", f"{study['tau']:.2f}", "at least 0.6"],
        ["gap to the best known closed by the list, mean", f"{100 * study['closed']:.0f} %", "at least 80 %"],
        ["the same, all gaps together", f"{100 * study['together']:.0f} %", ""],
    ]
    return [
        "",
        "## The advice on the model database",
        "",
        f"A small sample of [the study](model-study.md) on fixed sites, to detect changes: {study['sites']} sites, {study['changes']} changes,",
        f"{study['gaps']} compared sites with a gap; {study['cpu_s']:.0f} CPU seconds. Only harm has a budget. The best known result is the best",
        "of the list, AUTOCONFIGURE, ratio rules and random configurations.",
        "",
        *table(["", "measured", "target"], rows, "-:-"),
    ]


def _sources(rows: dict[str, list[Any]]) -> list[list[str]]:
    given = sorted(rows.items(), key=lambda item: (-item[1][1], item[0]))
    total = sum(count for _, (_, count) in given)
    return [*([name, f"`{of}`", _count(count)] for name, (of, count) in given), ["all", "", _count(total)]]


def _ratio(seconds: Runs, way: str, to: str) -> str:
    return f"{statistics.median(one[way] / one[to] for one in seconds):.2f}"


def _median(runs: Sequence[dict[str, Any]], key: str) -> float:
    return statistics.median(float(run[key]) for run in runs)


def _count(value: float) -> str:
    return f"{int(value):,}"


def _with_unit(value: float, unit: str) -> str:
    number = f"{value:.2f}" if isinstance(value, float) and unit else f"{value:g}"
    return f"{number} {unit}".rstrip()


def _verdict(budget: Budget) -> str:
    return "holds" if budget.holds else "**broken**"


def table(head: list[str], rows: list[list[str]], sides: str) -> list[str]:
    """Return a Markdown table; ``sides`` has for each column - (left) or : (right)."""
    rule = "|".join("---:" if side == ":" else "---" for side in sides)
    return [f"| {' | '.join(head)} |", f"|{rule}|", *(f"| {' | '.join(row)} |" for row in rows)]
