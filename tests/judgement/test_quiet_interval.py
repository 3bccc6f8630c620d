"""An interval with too little load: the counters since activation of the same snapshots judge, and the output states it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import all_sources
from advisor.judgement.advice import Advice
from advisor.judgement.observed import Observed
from advisor.judgement.states import observe_state, settle_state
from advisor.report import text
from advisor.report.jsonout import describe_run
from tests.support.advised import judge
from tests.support.data_files import written
from tests.support.paths import ROOT
from tests.support.states import state_of

DAY_S = 86_400
SLOW = written(ROOT / "tests" / "judgement" / "contests.yml")[0]


def _observe(part: float, seconds: int = 3600, uptime_s: int = DAY_S, active: float = 1.0, **site: Any) -> Observed:
    """Return a slow database; ``part`` of its counters since activation belong to the interval.

    ``active`` is the average number of active sessions since activation.
    """
    case = {name: value for name, value in SLOW.items() if name not in ("expect", "without")}
    case |= {"database": [{"MEMBER": 0, "UPTIME_S": uptime_s}], "site": case["site"] | site}
    whole = observe_state(settle_state(state_of(case)))
    factor = 1000 * active * uptime_s / SLOW["workload"][0]["TOTAL_RQST_TIME"]

    def count(source: str, row: dict[str, Any], snapshot: int, factor: float) -> dict[str, Any]:
        counters = [name for name in all_sources()[source].names("counter") if row.get(name) is not None]
        return row | {"SNAP_ID": snapshot} | {name: round(row[name] * factor) for name in counters}

    sources = {
        name: [count(name, row, snapshot, of) for row in rows if row["SNAP_ID"] == 2 for snapshot, of in parts]
        for parts in [((1, factor * (1 - part)), (2, factor))]
        for name, rows in whole.sources.items()
    }
    begin, end = whole.snapshots
    return replace(
        whole, sources=sources, snapshots=[replace(begin, taken_at=end.taken_at - timedelta(seconds=seconds)), end]
    )


def _judge(*states: Observed) -> list[Advice]:
    rules = list(all_rules().values())
    return list(judge((state, rules) for state in states))


@pytest.mark.parametrize(
    ("quiet", "case"),
    [
        (True, {"part": 0.0001}),  # idle
        (True, {"part": 0.0001, "seconds": 59}),  # shorter than a minute
        (True, {"part": 0.099 / 24, "active": 10.0}),
        (False, {"part": 0.101 / 24, "active": 10.0}),
        (True, {"part": 0.2 / 24, "active": 10.0, "quiet_part": 0.25}),
        (False, {"part": 0.0001, "quiet_part": 0}),
        (False, {"part": 0.0001, "active": 0.04}),  # idle since activation, too
        (False, {"part": 0.0001, "uptime_s": 3599, "seconds": 600}),
        (True, {"part": 0.0001, "uptime_s": 3600, "seconds": 600}),
        (False, {"part": -0.5}),  # counters fell
        (False, {"part": 1.0, "active": 0.06, "seconds": 59}),  # counters of the interval, as in imported texts
    ],
)
def test_the_activation_judges_a_quiet_interval(quiet: bool, case: dict[str, Any]) -> None:
    (advice,) = _judge(_observe(**case))
    assert (advice.window.source == "ACTIVATION") == quiet
    assert advice.window.quiet_s == (case.get("seconds", 3600) if quiet else None)


def test_the_advice_is_that_of_the_last_snapshot_alone() -> None:
    quiet = _observe(part=0.0001)
    last = {name: [row for row in rows if row["SNAP_ID"] == 2] for name, rows in quiet.sources.items()}
    found, alone, kept = _judge(
        quiet, replace(quiet, snapshots=quiet.snapshots[1:], sources=last), _observe(part=0.0001, quiet_part=0)
    )
    wanted = SLOW["expect"][0]["rule"]
    assert [(item.rule.name, item.benefit, item.actions) for item in found.ranked] == [
        (item.rule.name, item.benefit, item.actions) for item in alone.ranked
    ]
    assert (wanted in {item.rule.name for item in found.ranked}, found.window.begin) == (True, None)
    assert wanted not in {item.rule.name for item in kept.ranked}


def test_the_output_says_that_the_interval_had_too_little_load() -> None:
    (advice,) = _judge(_observe(part=0.0001))
    shown = text.interval(advice.window)
    assert shown.startswith("since activation, up to 2026-03-02 10:05:00 (86400 s (24.0 hours))")
    assert shown.endswith("the 3600 s between the snapshots had too little load to judge")
    assert describe_run(advice)["window"]["quiet_seconds"] == 3600


def test_the_output_says_that_the_interval_was_too_short() -> None:
    (advice,) = _judge(_observe(part=0.5, seconds=59))
    assert text.interval(advice.window).endswith(
        "the 59 s between the snapshots are too short to judge (at least 60 s)"
    )
