"""The last run of each database that the store keeps, as an estate of them."""

from pathlib import Path

from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.fleet.estate import Found, Surveyed
from advisor.nightly import history
from advisor.nightly.runs import SESSIONS, Line, Run
from advisor.report.text import kind_of, safe


def last_runs(store: Path) -> list[Surveyed]:
    """Raises UserError for a folder that is no store, and for one without a run."""
    with history.opened(store, create=False) as kept:
        runs = kept.runs(last=1)
    if not runs:
        raise UserError(f"{store}: no run is kept yet")
    return [surveyed(run) for run in runs]


def surveyed(run: Run) -> Surveyed:
    """What a run says of its database. A run says where time goes only if enough was seen."""
    sessions = next((metric.value for metric in run.metrics if metric.name == SESSIONS), None)
    return Surveyed(
        name=run.database,
        about=run.about,
        interval=run.interval,
        sessions=None if run.discarded else sessions,
        judged=bool(run.time_spent) and not run.discarded,
        found=tuple(_found(line) for line in run.ranked),
        note=f"its run is of {run.started_at:%Y-%m-%d %H:%M}",
    )


def _found(line: Line) -> Found:
    rule = all_rules().get(line.rule)
    member = "" if line.member is None else f", member {line.member}"
    return Found(
        rule=line.rule,
        title=rule.fields["title"] if rule else line.title,
        lane=line.lane,
        thing=f"{kind_of(line.object_type)} {safe(line.object_name)}{member}",
        benefit=line.benefit,
        after=line.benefit if line.benefit_after is None else line.benefit_after,
        by_hand=line.by_hand,
    )
