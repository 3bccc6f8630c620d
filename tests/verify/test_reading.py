"""Captures become intervals: those of each night, and the days between them."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from advisor.verify.measured import DAY, SPAN
from advisor.verify.reading import _pairs, _Taken, captures_in, measure_captures
from tests.twin import samples
from tests.twin.change import Setting
from tests.twin.series import History, series


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> tuple[History, Path]:
    """Return three nights; before the third one the database is activated again."""
    folder = tmp_path_factory.mktemp("nights")
    history = series(samples.orders(), 3, 300, changes={3: Setting("dbcfg", "LOGBUFSZ", "4096")})
    history.write(folder)
    return history, folder


def test_nights_and_days_are_intervals_but_not_over_restarts(nights: tuple[History, Path]) -> None:
    found = measure_captures(captures_in([nights[1]])[::-1])
    assert [(each.kind, round(each.seconds), each.discarded is None) for each in found] == [
        (SPAN, 300, True),
        (DAY, 86_400, True),
        (SPAN, 300, True),
        (DAY, 86_400, False),
        (SPAN, 300, True),
    ]
    assert "activated again" in str(found[3].discarded)
    assert found[4].uptime_s == pytest.approx(6 * 3600, abs=60)
    night = found[0].value("database time per commit")
    assert night and night.value == pytest.approx(1000 * nights[0].nights[0].inside, rel=0.01)
    assert all(each.executed for each in found if each.discarded is None)


@pytest.mark.parametrize(
    ("ends_h", "days"),
    [
        ([0, 1], []), ([0, 19.9], []), ([0, 20], [(0, 20)]), ([0, 24, 48], [(0, 24), (24, 48)]),
        ([0, 1, 24], [(0, 24)]), ([0, 12, 24, 36], [(0, 24)]), ([0, 193, 217], [(193, 217)]),
    ],
)  # fmt: skip
def test_whole_day_is_twenty_hours_to_eight_days(ends_h: list[float], days: list[tuple[float, float]]) -> None:
    taken = [
        cast("_Taken", SimpleNamespace(snapshot=SimpleNamespace(epoch_s=3600 * hour), origin=str(n)))
        for n, hour in enumerate(ends_h)
    ]
    found = [(first.snapshot.epoch_s / 3600, last.snapshot.epoch_s / 3600) for _, first, last in _pairs(taken)]
    assert found == days
