"""The stored form of a run: plain values, the same for both engines, and the comparison of two runs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from advisor.capture.manifest import IDENTITY
from advisor.catalogue.lanes import lane_of
from advisor.judgement.advice import Advice, Recommendation
from advisor.judgement.comparison import Comparison, compare
from advisor.judgement.time_spent import WORK, Share
from advisor.report import text
from advisor.report.fail_on import FailOn, reaches_threshold, severity_of
from advisor.report.selection import select
from advisor.report.spent import SMALL_PCT, shares

SESSIONS = "active sessions"  # a metric of every run


@dataclass(frozen=True)
class Line:
    """One recommendation; ``rank`` is None if it is not listed. Benefits are in percent of database time.

    ``benefit_after`` is the remaining benefit after earlier changes; ``by_hand`` is True for a manual change. Both are
    None in runs of older versions.
    """

    rank: int | None
    lane: str
    rule: str
    object_type: str
    object_name: str
    member: int | None
    title: str
    benefit: float
    target: str | None
    current: str | None
    proposed: str | None
    superseded_by: str | None
    accepted: bool
    benefit_after: float | None = None
    by_hand: bool | None = None

    @property
    def after(self) -> float:
        """The remaining benefit after earlier changes, or the benefit in runs that lack it."""
        return self.benefit if self.benefit_after is None else self.benefit_after

    @property
    def promises_time(self) -> bool:
        return lane_of(self.lane).by_benefit

    @property
    def key(self) -> tuple[str, str, str]:
        """The identity of this advice across runs."""
        return self.rule, self.object_type, self.object_name


@dataclass(frozen=True)
class Metric:
    """A measure of performance; ``value`` is None if the interval has no events to measure."""

    name: str
    unit: str
    value: float | None


@dataclass(frozen=True)
class Spent:
    """A bucket's percent of database time. ``causes`` and ``query`` are for a large share that no advice covers."""

    bucket: str
    title: str
    pct: float
    claimed_pct: float
    causes: str | None
    query: str | None


@dataclass(frozen=True)
class Run:
    """One run of a database: its interval and findings. ``database`` is the name in nightly.toml.

    ``says`` replaces an empty list, or explains a list from an interval with too little activity.
    """

    database: str
    started_at: datetime
    about: str
    identity: tuple[str, ...]
    interval: str
    discarded: str | None
    lines: tuple[Line, ...]
    metrics: tuple[Metric, ...]
    not_run: tuple[tuple[str, str], ...]
    capture: str | None = None
    time_spent: tuple[Spent, ...] = ()
    says: str | None = None

    @property
    def ranked(self) -> list[Line]:
        return [line for line in self.lines if line.rank is not None]

    def reaches_threshold(self, fail_on: Iterable[FailOn]) -> bool:
        """Return whether a listed recommendation reaches one of the thresholds."""
        return any(
            reaches_threshold(line.lane, severity_of(line.rule), line.benefit, least)
            for line in self.ranked
            for least in fail_on
        )


def run_of(
    database: str, started_at: datetime, advice: Advice, metrics: Iterable[Metric], capture: str | None = None
) -> Run:
    """Return the stored form of the advice."""
    window = advice.window
    sessions = Metric(SESSIONS, "sessions", window.active_sessions)  # database time per second
    return Run(
        database=database,
        started_at=started_at,
        about=text.database(advice),
        identity=tuple(str(advice.database[part]) for part in IDENTITY),
        interval=text.interval(window),
        discarded=None if window.usable else window.reason or "no reason given",
        lines=tuple(_line(item) for item in advice.recommendations),
        metrics=tuple(sorted([*metrics, sessions], key=lambda metric: metric.name)),
        not_run=tuple(advice.not_run),
        capture=capture,
        time_spent=tuple(_make_spent(share) for share in shares(advice.time_spent) if share.pct >= SMALL_PCT),
        says=select(advice).explain_empty() or (None if advice.time_spent.is_judged else advice.time_spent.says),
    )


def _make_spent(share: Share) -> Spent:
    look = share.look if share.kind != WORK else None
    causes, query = (look.causes, look.query) if look else (None, None)
    return Spent(share.bucket, share.title, share.pct, share.claimed_pct, causes, query)


def _line(item: Recommendation) -> Line:
    return Line(
        rank=item.rank,
        lane=item.lane,
        rule=item.rule.name,
        object_type=item.object_type,
        object_name=item.object_name,
        member=item.member,
        title=text.title(item),
        benefit=item.benefit,
        target=item.target,
        current=item.current,
        proposed=item.proposed,
        superseded_by=item.superseded_by,
        accepted=item.accepted is not None and item.rank is None,
        benefit_after=item.benefit_after,
        by_hand=item.by_hand,
    )


def compare_runs(before: Run, after: Run) -> Comparison[Line]:
    """Compare the advice of two runs. Advice whose rule did not run again is unknown, not gone."""
    accepted = {line.key for line in after.lines if line.accepted}
    not_judged = {rule for rule, _ in after.not_run}
    found = compare(before.ranked, after.ranked, [line for line in before.ranked if line.key in accepted])
    missing = [line for line in found.gone if line.key not in accepted]
    return replace(
        found,
        gone=[line for line in missing if line.rule not in not_judged],
        unknown=[line for line in missing if line.rule in not_judged],
    )
