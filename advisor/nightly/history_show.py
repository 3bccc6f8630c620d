"""The text and JSON of ``db2tune history``: runs, advice and metrics over time."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from tabulate import tabulate

from advisor.nightly.runs import Line, Run
from advisor.report.text import json_text, make_printable, number, percent, wrap
from advisor.report.values import head
from advisor.verify.nights import Verified
from advisor.verify.regressed import Regressed, as_entry, describe_regression

BLOCKS = "▁▂▃▄▅▆▇█"
ASCII_BLOCKS = "_.-=+*#@"
GAP = " "  # a run without a value
NARROW = 12  # minimum width of a title, in columns
NOTHING = "No runs yet."
Regressions = Mapping[str, Sequence[Regressed]]  # by database


@dataclass(frozen=True)
class Lasting:
    """One recommendation over the runs; ``line`` is from its last run."""

    line: Line
    first_seen: datetime
    last_seen: datetime
    runs: int
    still: bool


def list_lasting(runs: list[Run]) -> list[Lasting]:
    """Return each recommendation once: those of the last run in its order, then those that are gone."""
    seen: dict[Any, list[tuple[Run, Line]]] = {}
    for run in runs:
        for line in run.ranked:
            seen.setdefault(line.key, []).append((run, line))
    found = [
        Lasting(times[-1][1], times[0][0].started_at, times[-1][0].started_at, len(times), times[-1][0] is runs[-1])
        for times in seen.values()
    ]
    return sorted(
        found, key=lambda item: (not item.still, -item.last_seen.timestamp(), item.line.rank or 0, item.line.rule)
    )


def sparkline(values: list[float | None], blocks: str = BLOCKS) -> str:
    """Return one character per value. The scale starts at zero, or at a lower value, so that 5 % looks small."""
    known = [value for value in values if value is not None]
    if not known:
        return GAP * len(values)
    low = min(*known, 0.0)
    span = max(known) - low
    steps = len(blocks) - 1

    def block(value: float) -> str:
        return blocks[round((value - low) / span * steps)] if span else blocks[steps // 2]

    return "".join(GAP if value is None else block(value) for value in values)


def blocks_for(encoding: str | None) -> str:
    """Return the sparkline characters that the encoding supports."""
    try:
        BLOCKS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII_BLOCKS
    return BLOCKS


def render(
    runs: list[Run],
    width: int,
    blocks: str | None = None,
    changes: Iterable[Verified] = (),
    regressions: Regressions | None = None,
) -> str:
    """Return the history of each database, oldest run first, with the verdicts on its ``changes``."""
    blocks = blocks or blocks_for(sys.stdout.encoding)
    seen = list(changes)
    parts = [
        _database(
            of, width, blocks, [each for each in seen if each.database == name], (regressions or {}).get(name, ())
        )
        for name, of in group_by_database(runs).items()
    ]
    return "\n".join(parts) if parts else f"{NOTHING}\n"


def as_json(runs: list[Run], changes: Iterable[Verified] = (), regressions: Regressions | None = None) -> str:
    """Return the history as JSON."""
    seen = list(changes)
    databases = [
        {
            "database": name,
            "runs": [run_as_json(run) for run in of],
            "advice": [
                asdict(item.line)
                | {"first_seen": item.first_seen.isoformat(), "last_seen": item.last_seen.isoformat()}
                | {"runs": item.runs, "still": item.still}
                for item in list_lasting(of)
            ],
            "changes": [
                {
                    "seen_at": each.seen_at.isoformat(),
                    "changes": [asdict(change) for change in each.changed],
                    "verdict": each.kind,
                    "says": each.says,
                    "nights": each.nights,
                    "final": each.final,
                }
                for each in seen
                if each.database == name
            ],
            "regressions": [as_entry(each) for each in (regressions or {}).get(name, ())],
        }
        for name, of in group_by_database(runs).items()
    ]
    return json_text({**head(), "databases": databases})


def run_as_json(run: Run) -> dict[str, Any]:
    return {
        "started_at": run.started_at.isoformat(),
        "about": run.about,
        "interval": run.interval,
        "discarded": run.discarded,
        "capture": run.capture,
        "says": run.says,
        "time_spent": [asdict(spent) for spent in run.time_spent],
        "metrics": [asdict(metric) for metric in run.metrics],
    }


def group_by_database(runs: list[Run]) -> dict[str, list[Run]]:
    """Group the runs by database."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.database, []).append(run)
    return found


def _database(
    runs: list[Run], width: int, blocks: str, changes: list[Verified], regressions: Sequence[Regressed]
) -> str:
    last = runs[-1]
    lines = [f"{last.database}  {make_printable(last.about)}", ""]
    lines += _table(["run", "advice", "promised", "top of the list"], [run_row(run) for run in runs], width)
    lines += ["", *_table(["#", "benefit", "first seen", "last seen", "runs", "advice"], advice_rows(runs), width)]
    if changes:
        lines += ["", *_table(["seen", "change", "verdict"], [_change_row(each) for each in changes], width)]
    for each in regressions:
        lines += ["", *wrap(describe_regression(each), width, f"{'slower':<10}")]
        lines += [line for beside in each.beside for line in wrap(f"{beside.about}: {beside.text}", width, " " * 10)]
    lines += ["", *_metrics(runs, width, blocks)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def run_row(run: Run) -> list[str]:
    """Return a run's cells: time, number of recommendations, promised benefit, top of the list."""
    promised = sum(line.after for line in run.ranked if line.promises_time)
    top = run.ranked[0].title if run.ranked else run.says or "nothing to recommend"
    when = f"{run.started_at:%Y-%m-%d %H:%M}"
    return [when, str(len(run.ranked)), percent(promised), run.discarded or top]


def advice_rows(runs: list[Run]) -> list[list[str]]:
    """Return the cells of each recommendation: rank, benefit, first and last seen, number of runs, rule and object."""
    return [
        [
            str(item.line.rank) if item.still else "gone",
            percent(item.line.benefit) if item.line.promises_time else "",
            f"{item.first_seen:%Y-%m-%d}",
            f"{item.last_seen:%Y-%m-%d}",
            str(item.runs),
            f"{item.line.rule}: {item.line.object_name}",
        ]
        for item in list_lasting(runs)
    ]


def _change_row(each: Verified) -> list[str]:
    about = "; ".join(shorten(make_printable(change.text.split(";")[0]), 40) for change in each.changed)
    return [f"{each.seen_at:%Y-%m-%d}", about, each.says if each.final else f"so far {each.says}"]


def series(runs: list[Run]) -> dict[tuple[str, str], list[float | None]]:
    """Return the values of each metric over the runs, by its name and unit."""
    found: dict[tuple[str, str], list[float | None]] = {}
    for n, run in enumerate(runs):
        for metric in run.metrics:
            found.setdefault((metric.name, metric.unit), [None] * len(runs))[n] = metric.value
    return found


def _metrics(runs: list[Run], width: int, blocks: str) -> list[str]:
    rows = []
    for (name, unit), values in series(runs).items():
        known = [value for value in values if value is not None]
        if known:
            rows.append([name, f"{number(known[0])} {unit}", f"{number(known[-1])} {unit}", sparkline(values, blocks)])
    return _table(["metric", "first", "last", "course"], rows, width, newest=True)


def _table(heads: list[str], rows: list[list[str]], width: int, newest: bool = False) -> list[str]:
    """Return a table with its last column cut to fit ``width``; ``newest`` keeps the end of that column."""
    if not rows:
        return []
    fixed = sum(max(len(row[n]) for row in [heads, *rows]) + 2 for n in range(len(heads) - 1))
    room = max(NARROW, width - fixed)
    cut = [[*row[:-1], row[-1][-room:] if newest else shorten(make_printable(row[-1]), room)] for row in rows]
    return tabulate(cut, heads, tablefmt="plain", disable_numparse=True, preserve_whitespace=True).splitlines()


def shorten(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 3]}..."
