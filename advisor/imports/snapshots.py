"""Which reports make which snapshot: one report is an average since activation, two of one system are a delta."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from advisor.imports.readings import INTERVAL, SINCE, Report

# Reports that were taken within this time are one observation of the database. No interval below it is judged either.
ONE_OBSERVATION = timedelta(seconds=60)


@dataclass(frozen=True)
class Snapshots:
    """The numbers of the reports whose counters are those of the begin and of the end, and when that was.

    ``interval`` is true where the end's counters are what happened since the begin: the begin's are then all zero.
    ``begin`` is empty where counters are since activation. States (what does not count) come from every report.
    ``end_at`` is None where no text says when it was taken. ``watched`` is true where one tool took both sides.
    """

    end: frozenset[int]
    end_at: datetime | None
    begin: frozenset[int] = frozenset()
    begin_at: datetime | None = None
    interval: bool = False
    watched: bool = False
    notes: list[str] = field(default_factory=list)

    def without_begin(self) -> "Snapshots":
        """The end alone, where nothing says that the counters of both sides began at the same time."""
        if not self.begin:
            return self
        note = "when the database was activated is not known: reports are not compared, the last one counts"
        return replace(self, begin=frozenset(), begin_at=None, notes=[*self.notes, note])


def arranged(reports: list[Report], holding: dict[int, set[str]]) -> Snapshots:
    """Find begin and end. ``holding`` gives the sources of which a report holds counters."""
    times = moments(reports)
    counting = [report for report in reports if holding.get(report.number)]
    intervals = [report for report in counting if report.counts == INTERVAL and report.seconds]
    if intervals:
        return _interval(intervals, counting, times)
    since = [report for report in counting if report.counts == SINCE]
    observations = _observations(since, times)
    untimed = frozenset(report.number for report in since if times[report.number] is None)
    if not observations:
        known = [moment for moment in times.values() if moment]
        return Snapshots(untimed, max(known, default=None))
    observations, notes = _since_last_start(observations, times)
    last = observations[-1]
    end, end_at = frozenset(report.number for report in last), _latest(last, times)
    shared = set().union(*(holding[number] for number in end))
    for observation in observations[:-1]:
        begin = frozenset(report.number for report in observation if holding[report.number] & shared)
        if begin:
            if len(observations) > 2:
                notes.append("what was taken between the first and the last report is not used")
            watched = all(report.edge == "start" for report in observation)
            return Snapshots(end | untimed, end_at, begin, _latest(observation, times), watched=watched, notes=notes)
    every = untimed.union(report.number for observation in observations for report in observation)
    return Snapshots(every, end_at, notes=notes)


def _since_last_start(
    observations: list[list[Report]], times: dict[int, datetime | None]
) -> tuple[list[list[Report]], list[str]]:
    """The observations whose counters began no later than those of the last: an activation or a reset begins others."""
    began = max((report.since for report in observations[-1] if report.since), default=datetime.min)
    found = [observation for observation in observations if _latest(observation, times) + ONE_OBSERVATION >= began]
    if len(found) == len(observations):
        return observations, []
    return found, [f"counters began anew at {began}: those of earlier reports are not used"]


def _interval(intervals: list[Report], counting: list[Report], times: dict[int, datetime | None]) -> Snapshots:
    last = max(intervals, key=lambda report: (times[report.number] or datetime.min, report.number))
    assert last.seconds is not None
    same = [
        report
        for report in intervals
        if report.document == last.document and times[report.number] == times[last.number]
    ]
    chosen = frozenset(report.number for report in same if report.seconds == last.seconds)
    notes = []
    if others := {report.format for report in counting if report.number not in chosen}:
        notes.append(f"counters of {', '.join(sorted(others))} count something else than the interval: not used")
    end_at = times[last.number] or datetime.now().replace(microsecond=0)  # only its length matters
    return Snapshots(chosen, end_at, chosen, end_at - timedelta(seconds=last.seconds), True, True, notes)


def moments(reports: Iterable[Report]) -> dict[int, datetime | None]:
    """When each report was taken; one that does not say it was taken with the nearest one before it in its document."""
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


def _latest(reports: list[Report], times: dict[int, datetime | None]) -> datetime:
    return max(moment for report in reports if (moment := times[report.number]))
