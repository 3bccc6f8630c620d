"""A few nights of the soak test; `make soak` runs years."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.machines import MACHINES
from tests.support.stepwise import judge
from tools.trials.soak import Seen, grown, nights

KEEP_DAYS = 4


@pytest.mark.full
def test_nothing_grows_once_the_retention_deletes(tmp_path: Path) -> None:
    advices = [judge(MACHINES[name]()) for name in ("x445-8way", "laptop")]
    seen = list(nights(tmp_path / "store", advices, 2, 20, KEEP_DAYS))
    assert [each.runs for each in seen] == [2 * min(each.night, KEEP_DAYS) for each in seen]
    assert grown(seen, KEEP_DAYS) == []


def test_what_grows_is_named() -> None:
    few = Seen(8, 100, 7, 1, 4, 5, 90)
    assert grown([few, replace(few, night=40)], KEEP_DAYS) == []
    assert grown([few, replace(few, night=40, handles=12, store_mb=6)], KEEP_DAYS) == ["handles", "store MB"]
