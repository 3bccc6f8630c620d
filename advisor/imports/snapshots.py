"""The snapshots that reports form: one report is an average since activation, two of one system are a delta."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from advisor.imports.readings import INTERVAL, SINCE, Report

# Reports taken within this time are one observation of the database. No shorter interval is analyzed.
ONE_OBSERVATION = timedelta(seconds=60)


@dataclass(frozen=True)
class Snapshots:
    """The numbers of the reports with the counters of begin and end, and their times.

    ``interval`` is set if the end's counters cover the interval: those of the begin are then zero. ``begin`` is empty
    if counters are since activation. Other values come from every report. ``end_at`` is None if no text contains its
    time. ``watched`` is set if one tool took both sides.
    """

    end: frozenset[int]
    end_at: datetime | None
    begin: frozenset[int] = frozenset()
    begin_at: datetime | None = None
    interval: bool = False
    watched: bool = False
    notes: list[str] = field(default_factory=list)

    def remove_begin(self) -> "Snapshots":
        """Return the end alone, unless both sides certainly count from the same time."""
        if not self.begin:
            return self
        note = "the time of activation is unknown: reports are not compared, the last one counts"
        return replace(self, begin=frozenset(), begin_at=None, notes=[*self.notes, note])


def arrange_reports(reports: list[Report], holding: dict[int, set[str]]) -> Snapshots:
    """Find begin and end. ``holding`` returns the sources for which a report has counters."""
    times = moments(reports)
    counting = [report for report in reports if holding.get(report.number)]
    intervals = [report for report in counting if report.counts == INTERVAL and report.seconds]
    if intervals:
        return _interval(intervals, counting, times)
    since = [report for report in counting if report.counts == SINCE]
    watched = [report for report in since if report.edge]
    is_watched = {"start", "end"} == {report.edge for report in watched}
    left_out = []
    if is_watched:
        left_out = _note_left_out(since, {report.number for report in watched})
        since = watched
    observations = _observations(since, times)
    untimed = frozenset(report.number for report in since if times[report.number] is None)
    if not observations:
        known = [moment for moment in times.values() if moment]
        return Snapshots(untimed, max(known, default=None))
    observations, restarts = _keep_since_last_start(observations, times)
    notes = [*left_out, *restarts]
    last = observations[-1]
    end, end_at = frozenset(report.number for report in last), _find_latest_moment(last, times)
    shared = set().union(*(holding[number] for number in end))
    for observation in observations[:-1]:
        begin = frozenset(report.number for report in observation if holding[report.number] & shared)
        if begin:
            if len(observations) > 2:
                notes.append("reports between the first and the last one are not used")
            began = _find_latest_moment(observation, times)
            return Snapshots(end, end_at, begin, began, watched=is_watched, notes=notes)
    every = untimed.union(report.number for observation in observations for report in observation)
    return Snapshots(every, end_at, notes=notes)


def _keep_since_last_start(
    observations: list[list[Report]], times: dict[int, datetime | None]
) -> tuple[list[list[Report]], list[str]]:
    """Return the observations that count from the same time as the last; an activation or a reset starts new ones."""
    began = max((report.since for report in observations[-1] if report.since), default=datetime.min)
    found = [
        observation
        for observation in observations
        if _find_latest_moment(observation, times) + ONE_OBSERVATION >= began
    ]
    if len(found) == len(observations):
        return observations, []
    return found, [f"counters restarted at {began}: those of earlier reports are not used"]


def _interval(intervals: list[Report], counting: list[Report], times: dict[int, datetime | None]) -> Snapshots:
    last = max(intervals, key=lambda report: (times[report.number] or datetime.min, report.number))
    assert last.seconds is not None
    same = [
        report
        for report in intervals
        if report.document == last.document and times[report.number] == times[last.number]
    ]
    chosen = frozenset(report.number for report in same if report.seconds == last.seconds)
    notes = _note_left_out(counting, chosen)
    end_at = times[last.number] or datetime.now().replace(microsecond=0)  # only its length matters
    return Snapshots(chosen, end_at, chosen, end_at - timedelta(seconds=last.seconds), True, True, notes)


def _note_left_out(counting: list[Report], chosen: Collection[int]) -> list[str]:
    """Return a note on the formats of the reports with counters that are not among the chosen numbers."""
    others = {report.format for report in counting if report.number not in chosen}
    return [f"counters of {', '.join(sorted(others))} do not cover the interval: not used"] if others else []


def moments(reports: Iterable[Report]) -> dict[int, datetime | None]:
    """Return the time of each report; one without a time has that of the nearest report before it in its document."""
    times: dict[int, datetime | None] = {}
    latest: dict[str, datetime] = {}
    first: dict[str, datetime] = {}
    ordered = list(reports)
    for report in ordered:
        if report.taken_at is not None:
            latest[report.document] = report.taken_at
            first.setdefault(report.document, report.taken_at)
        times[report.number] = report.taken_at or latest.get(report.document)
    for report in ordered:
        times[report.number] = times[report.number] or first.get(report.document)
    return times


def _observations(reports: list[Report], times: dict[int, datetime | None]) -> list[list[Report]]:
    observations: list[list[Report]] = []
    began = datetime.min
    timed = [(moment, report) for report in reports if (moment := times[report.number])]
    for moment, report in sorted(timed, key=lambda item: (item[0], item[1].number)):
        if (
            not observations
            or moment - began >= ONE_OBSERVATION
            or (report.edge, observations[-1][-1].edge) == ("end", "start")
        ):
            observations.append([])
            began = moment
        observations[-1].append(report)
    return observations


def _find_latest_moment(reports: list[Report], times: dict[int, datetime | None]) -> datetime:
    return max(moment for report in reports if (moment := times[report.number]))
