"""Page data of the fleet: the last run of each database in the store, or the results of this night."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path

from advisor.capture.lessons import HARMFUL
from advisor.errors import UserError
from advisor.fleet.estate import Found, Surveyed, sort_key, survey_advice
from advisor.nightly import history
from advisor.nightly.database import Outcome
from advisor.nightly.history import History
from advisor.nightly.history_show import group_by_database
from advisor.nightly.runs import SESSIONS, Line, Run, compare_runs
from advisor.report.text import thing_of

TIME, NIGHTS = "database time per activity", 30  # the trend: a metric of runs, over this many of them


def load_last_runs(store: Path) -> list[Surveyed]:
    """Return the last run of each database. Raise UserError if the folder is not a store or contains no run."""
    with history.open_history(store, create=False) as kept:
        found = survey_last_runs(kept).values()
    if not found:
        raise UserError(f"{store}: contains no run yet")
    return [one for one, _ in found]


def survey_last_runs(kept: History) -> dict[str, tuple[Surveyed, Run]]:
    """Return each database with its new advice and its trend, and its last run."""
    runs = group_by_database(kept.runs(last=2))
    trends = kept.course(TIME, last=NIGHTS)
    return {name: (replace(_survey_trend(*of), trend=trends.get(name, ())), of[-1]) for name, of in runs.items()}


def survey_outcomes(outcomes: Iterable[Outcome]) -> list[Surveyed]:
    """Return the databases of these outcomes."""
    return [
        survey_advice(each.database, each.advice) if each.advice else Surveyed(each.database, error=each.error)
        for each in outcomes
    ]


def sort_worst_first(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Return failures, the longest first, then databases that got slower, then the others as on the fleet's page."""

    def key(each: Outcome) -> tuple[object, ...]:
        seen = survey_run(each.run) if each.run else Surveyed(each.database, error=each.error)
        slower = each.regressed or each.slower_plans or any(one.kind == HARMFUL for one in each.verdicts)
        return not each.error, each.failing_since or date.max, not slower, sort_key(seen)

    return sorted(outcomes, key=key)


def survey_run(run: Run) -> Surveyed:
    """Return a run as the fleet page needs it. A run divides the time only if its interval has enough activity."""
    sessions = next((metric.value for metric in run.metrics if metric.name == SESSIONS), None)
    judged = bool(run.time_spent) and not run.discarded
    return Surveyed(
        name=run.database,
        about=run.about,
        interval=run.interval,
        sessions=None if run.discarded else sessions,
        judged=judged,
        found=tuple(_read_found(line) for line in run.ranked),
        unexplained_pct=sum(spent.pct - spent.claimed_pct for spent in run.time_spent if spent.causes)
        if judged
        else 0.0,
        note=f"last run: {run.started_at:%Y-%m-%d %H:%M}",
    )


def _survey_trend(*of: Run) -> Surveyed:
    """Return the last of one or two runs. Two servers are not compared."""
    last = survey_run(of[-1])
    if of[0].identity != of[-1].identity or len(of) == 1:
        return last
    return replace(last, new=tuple(_read_found(line) for line in compare_runs(*of).new))


def _read_found(line: Line) -> Found:
    thing = thing_of(line.object_type, line.object_name, line.member)
    return Found(
        rank=line.rank or 0,  # ranked lines have a rank
        rule=line.rule,
        title=line.title.partition(f": {thing}")[0],
        lane=line.lane,
        thing=thing,
        benefit=line.benefit,
        after=line.after,
        by_hand=line.by_hand,
    )
