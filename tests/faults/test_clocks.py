"""Nights under a wrong clock: the results of the last nights are kept, whatever time the clock reported."""

import random
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest

from advisor.judgement.run import advise
from advisor.nightly import config, history, job, reading
from advisor.nightly.clock import Clock
from tests.support.states import state_of, write_capture

KEEP = 5
JUMPS = (timedelta(days=-400), timedelta(days=-1), timedelta(hours=-3), timedelta(days=40), timedelta(days=3650))
BERLIN = ZoneInfo("Europe/Berlin")
TOML = f"""
[store]
path = "store"
[[database]]
name = "SALES"
url = "db2://me@127.0.0.1:1/SALES"
keep_days = {KEEP}
"""


class Nights:
    """Consecutive nights, with a capture for each, without a server."""

    def __init__(self, folder: Path, begin: datetime) -> None:
        self.now = begin
        self.advice = advise(write_capture(state_of({}), folder / "capture"), [])
        (folder / "nightly.toml").write_text(TOML, encoding="utf-8")
        self.config = config.read(folder / "nightly.toml")
        self.store = folder / "store"
        self.made: list[tuple[str, str]] = []  # night and capture, in their real order

    def run(self) -> None:
        def read(reader: reading.ByCapture, *_: object) -> reading.Judged:
            target: Path = vars(reader)["_target"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
            self.made.append((f"{self.now:%Y-%m-%d}", target.name))
            return reading.Judged(self.advice, [], target)

        with patch.object(reading, "read", read):
            night = job.run(self.config, clock=Clock(lambda: self.now, lambda _: None))
        assert [outcome.error for outcome in night.outcomes] == [None]

    def check(self) -> None:
        """Check that the runs and captures of the last nights exist, and no more than requested."""
        nights = list(dict.fromkeys(night for night, _ in reversed(self.made)))[:KEEP]
        wanted = {capture for night, capture in self.made if night in nights}
        there = {path.name for path in (self.store / "SALES").glob("*.capture")}
        with history.open_history(self.store) as kept:
            runs = {run.capture for run in kept.measurements.load_heads("SALES")}
        assert wanted <= there, f"deleted: {sorted(wanted - there)}"
        assert wanted <= runs, f"forgotten: {sorted(wanted - runs)}"


def _nights(folder: Path, seed: int, number: int) -> Nights:
    chance = random.Random(seed)
    nights = Nights(folder, datetime(2026, 3, 25, 2, 30, tzinfo=BERLIN))
    for _ in range(number):
        nights.run()
        nights.check()
        if chance.random() < 0.3:
            nights.now += chance.choice(JUMPS)
        nights.now += timedelta(days=1)
    return nights


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1))
def test_a_clock_that_jumps_deletes_nothing_recent(seed: int, tmp_path: Path) -> None:
    """The clock changes between summer and winter time; nights are counted by the clock."""
    nights = [night for night, _ in _nights(tmp_path, seed, 60).made]
    assert len(nights) > 45
    assert {datetime.fromisoformat(night).replace(tzinfo=BERLIN).dst() for night in nights} == {
        timedelta(0),
        timedelta(hours=1),
    }
