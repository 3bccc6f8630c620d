"""Indexes for the statements of several captures: one list for all their intervals."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from advisor import capture as captures
from advisor.capture.hostfacts import Facts
from advisor.capture.manifest import other_database
from advisor.capture.site import Site
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.rules import all_rules
from advisor.catalogue.views import views_read_by
from advisor.errors import UserError
from advisor.judgement.advice import Advice
from advisor.judgement.indexes import RULE, index_queries, read_period
from advisor.judgement.periods import Period
from advisor.judgement.run import advise, get_interval, prepare

_WINDOW = "SELECT REASON FROM TUNE.RUN_WINDOW"

Note = Callable[[str], None]


def advise_over(paths: Sequence[Path], hostfacts: Facts, site: Site, note: Note) -> Advice:
    """Return the advice for the first capture, the newest, with indexes for the intervals of all captures.

    ``note`` receives a line about each capture that is left out. Raise UserError if none is left.
    """
    from advisor.judgement.proposing import Proposal  # parses SQL

    advice = advise(paths[0], hostfacts=hostfacts, site=site)
    period = Period.join(read_periods(paths, site, note))
    if not period.intervals:
        raise UserError("no capture has a usable interval; give captures of two snapshots")
    if not period.has_texts:
        return replace(advice, indexes=None)
    learned = advice.indexes.workload if advice.indexes else None
    return replace(advice, indexes=Proposal.from_period(period, learned.system.factor if learned else 1.0).advice)


def read_periods(paths: Sequence[Path], site: Site, note: Note) -> Iterator[Period]:
    """Yield the interval of each usable capture, the first one with its catalog, and close it before the next.

    Raise UserError if the captures are from different databases.
    """
    rules, newest, database = [all_rules()[RULE]], True, None
    views = views_read_by([*index_queries(rules), _WINDOW])
    for path in paths:
        with captures.open_capture(path) as capture:
            database = database or capture.database
            if other := other_database(database, capture.database):
                raise UserError(
                    f"{path.name} and {paths[0].name} are from different databases ({other}); give captures of one"
                )
            if len(capture.snapshots) == 1:
                note(f"{path.name}: left out: its only snapshot gives an interval that may contain others")
                continue
            capture.adopt(site)
            with open_tables(rows=capture.rows) as tables:
                prepare(tables, capture, rules, views, keep_interval=True)
                if reason := next(row[0] for row in tables.fetch(_WINDOW)):
                    note(f"{path.name}: left out: {reason}")
                    continue
                yield read_period(tables, get_interval(capture)[1], newest)
                newest = False
