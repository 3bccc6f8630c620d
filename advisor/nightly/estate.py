"""An estate of what the nightly job knows: the last run of each database in the store, or what was judged just now."""

from collections.abc import Iterable
from pathlib import Path

from advisor.errors import UserError
from advisor.fleet.estate import Found, Surveyed, surveyed
from advisor.nightly import history
from advisor.nightly.database import Outcome
from advisor.nightly.runs import SESSIONS, Line, Run
from advisor.report.text import thing_of


def last_runs(store: Path) -> list[Surveyed]:
    """Raises UserError for a folder that is no store, and for one without a run."""
    with history.opened(store, create=False) as kept:
        runs = kept.runs(last=1)
    if not runs:
        raise UserError(f"{store}: no run is kept yet")
    return [of_run(run) for run in runs]


def judged_now(outcomes: Iterable[Outcome]) -> list[Surveyed]:
    """The databases of these outcomes, which were all to be judged now."""
    return [
        surveyed(each.database, each.advice) if each.advice else Surveyed(each.database, error=each.error)
        for each in outcomes
    ]


def of_run(run: Run) -> Surveyed:
    """What a run says of its database. A run says where time goes only if enough was seen."""
    sessions = next((metric.value for metric in run.metrics if metric.name == SESSIONS), None)
    judged = bool(run.time_spent) and not run.discarded
    return Surveyed(
        name=run.database,
        about=run.about,
        interval=run.interval,
        sessions=None if run.discarded else sessions,
        judged=judged,
        found=tuple(_found(line) for line in run.ranked),
        unexplained_pct=sum(spent.pct - spent.claimed_pct for spent in run.time_spent if spent.causes) if judged else 0.0,
        note=f"its run is of {run.started_at:%Y-%m-%d %H:%M}",
    )


def _found(line: Line) -> Found:
    thing = thing_of(line.object_type, line.object_name, line.member)
    return Found(
        rule=line.rule,
        title=line.title.partition(f": {thing}")[0],
        lane=line.lane,
        thing=thing,
        benefit=line.benefit,
        after=line.benefit if line.benefit_after is None else line.benefit_after,
        by_hand=line.by_hand,
    )
