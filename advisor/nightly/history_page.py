"""The HTML page of ``db2tune history``: charts of each metric, with marks for changes, verdicts and regressions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from markupsafe import Markup

from advisor.nightly import history_show as show
from advisor.nightly.history_show import Regressions
from advisor.nightly.runs import Run
from advisor.report import drawing, pages
from advisor.report.drawing import Mark
from advisor.report.text import number
from advisor.verify import show as verdicts
from advisor.verify.nights import Verified
from advisor.verify.regressed import Regressed, describe_regression


class _Event(NamedTuple):
    """A mark in the charts of a database: its time, color and text."""

    at: datetime
    kind: str
    what: str
    says: str
    beside: tuple[str, ...] = ()


class _Course(NamedTuple):
    """A metric over the runs: its title, id and chart."""

    title: str
    named: str
    drawing: Markup


class _Database(NamedTuple):
    """A database on the page; the values of a run are in the order of ``metrics``."""

    name: str
    about: str
    events: list[_Event]
    courses: list[_Course]
    metrics: list[str]
    runs: list[tuple[list[str], list[str]]]
    advice: list[list[str]]


def render(
    runs: list[Run],
    changes: Iterable[Verified] = (),
    regressions: Regressions | None = None,
    links: Mapping[str, str] | None = None,
) -> str:
    """Return the page, with each database's oldest run first; ``links`` are other pages by title."""
    seen = list(changes)
    found = [
        _database(n, of, [each for each in seen if each.database == name], (regressions or {}).get(name, ()))
        for n, (name, of) in enumerate(show.group_by_database(runs).items(), 1)
    ]
    title = f"History of {found[0].name}" if len(found) == 1 else f"History of {len(found)} databases"
    return pages.render("history.html", title, databases=found, nothing=show.NOTHING, links=links)


def _database(n: int, runs: list[Run], changes: Sequence[Verified], regressions: Sequence[Regressed]) -> _Database:
    events = sorted([*map(_mark_change, changes), *(_mark_regression(each, runs[0]) for each in regressions)])
    series = show.series(runs)
    return _Database(
        name=runs[-1].database,
        about=runs[-1].about,
        events=events,
        courses=list(_courses(n, runs, series, events)),
        metrics=[_titled(*metric) for metric in series],
        runs=[
            (show.run_row(run), ["" if of[place] is None else number(of[place] or 0) for of in series.values()])
            for place, run in enumerate(runs)
        ],
        advice=show.advice_rows(runs),
    )


def _mark_change(each: Verified) -> _Event:
    says = each.says if each.final else f"so far {each.says}"
    return _Event(
        each.seen_at, verdicts.KINDS.get(each.kind, ""), "; ".join(change.text for change in each.changed), says
    )


def _mark_regression(each: Regressed, first: Run) -> _Event:
    """Return the mark of a regression. It takes the server's clock for this machine's: a mark need not be exact."""
    at = each.begin_at.replace(tzinfo=first.started_at.tzinfo)
    return _Event(
        at, "bad", "slower", describe_regression(each), tuple(f"{one.about}: {one.text}" for one in each.beside)
    )


def _courses(
    n: int, runs: list[Run], series: dict[tuple[str, str], list[float | None]], events: Sequence[_Event]
) -> Iterator[_Course]:
    """Yield a chart of each metric that has at least two values."""
    first, last = runs[0].started_at, runs[-1].started_at
    span = (last - first).total_seconds() or 1.0

    def place(moment: datetime) -> float:
        return max(0.0, min(1.0, (moment - first).total_seconds() / span))

    places = [place(run.started_at) for run in runs]
    marks = [Mark(place(event.at), number_, event.kind) for number_, event in enumerate(events, 1)]
    ends = f"{first:%Y-%m-%d}", f"{last:%Y-%m-%d}"
    for k, (metric, values) in enumerate(series.items(), 1):
        if sum(value is not None for value in values) > 1:
            named = f"course-{n}-{k}"
            yield _Course(_titled(*metric), named, drawing.course(values, places, ends, marks, named))


def _titled(name: str, unit: str) -> str:
    return f"{name}, {unit}"
