"""Captures become intervals: those of each night, and the days between them."""

from pathlib import Path

import pytest

from advisor.verify.measured import DAY, SPAN
from advisor.verify.reading import captures_in, measure_captures
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
