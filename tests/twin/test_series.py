"""Loads of a day, and histories: what the captures of each night say is what the model did."""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from advisor.capture.opening import open_capture
from tests.twin import days, samples
from tests.twin.change import Setting, apply, restarts, settings_of
from tests.twin.days import DAY, HOUR, Levels, shaped
from tests.twin.requests import WAITS
from tests.twin.series import History, series

if TYPE_CHECKING:
    from pathlib import Path


def test_a_time_is_a_mixture_of_the_hours_that_it_touches() -> None:
    day = shaped("peaks")
    assert day.hours[7] == (0.2,)
    assert day.spent(7.5 * HOUR, 8.25 * HOUR) == pytest.approx({(0.2,): 0.5 * HOUR, (0.5,): 0.25 * HOUR})
    assert sum(day.whole.values()) == pytest.approx(DAY)
    long = day.spent(23 * HOUR, 23 * HOUR + 3 * DAY + 9 * HOUR)
    assert long[(0.2,)] == pytest.approx(3 * day.whole[(0.2,)] + HOUR)


def test_shapes_have_24_hours_with_a_peak_of_everybody() -> None:
    for name in days.SHAPES:
        shares = [share for (share,) in shaped(name).hours]
        assert len(shares) == 24
        assert max(shares) == 1
        assert min(shares) >= days.LEAST


def test_fewer_at_work_do_less_and_wait_less() -> None:
    levels = Levels(samples.orders())
    half, everybody = levels.at((0.5,)).outcome, levels.at((1.0,)).outcome
    assert half.throughput < everybody.throughput
    assert half.response < everybody.response
    few = levels.at((0.5 / 60,)).outcome  # a client that works half of the time never waits
    one = levels.at((1 / 60,)).outcome
    assert few.response == pytest.approx(one.response, rel=0.02)
    assert few.throughput == pytest.approx(one.throughput / 2, rel=0.02)


def test_busy_hours_weigh_more() -> None:
    before = Levels(samples.orders())
    after = Levels(apply(before.machine, Setting("bufferpool", "SIZE", "1000000", "BP")))
    idle, busy = ((share,) for share in (0.05, 1.0))
    parts = [days.gained(before, after, {load: 1.0}) for load in (idle, busy)]
    whole = days.gained(before, after, {idle: 1.0, busy: 1.0})
    assert min(parts) < whole < max(parts)
    assert abs(whole - parts[1]) < abs(whole - parts[0])
    assert days.most_of(before, {idle: 1.0, busy: 1.0}, 0.8) == {busy: 1.0}
    assert days.response(before, {busy: 2.0}) == pytest.approx(before.at(busy).outcome.response)


def test_what_grew_adds_up_to_what_was_lost() -> None:
    before = Levels(samples.orders())
    after = Levels(apply(before.machine, Setting("bufferpool", "SIZE", "100000", "BP")))
    mixture: days.Mixture = {(0.5,): 1.0, (1.0,): 2.0}
    parts = days.grown(before, after, mixture)
    assert sum(parts.values()) == pytest.approx(-days.gained(before, after, mixture), abs=1e-6)
    assert max(parts, key=lambda name: parts[name]) == "new order read"


def test_day_of_a_site_is_repeatable_and_captured_in_an_hour() -> None:
    machine = samples.orders()
    named = replace(machine, work=tuple(replace(each, name="order") for each in machine.work))
    assert days.drawn(7, named) == days.drawn(7, named)
    assert len({days.drawn(seed, named) for seed in range(20)}) > 10
    assert all(0 <= days.drawn(seed, named)[1] < 24 for seed in range(50))


LARGER = 'ALTER BUFFERPOOL "BP" SIZE 1000000'


def rows(folder: Path, source: str) -> list[dict[str, str]]:
    with (folder / f"{source}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rise(folder: Path, source: str, column: str) -> int:
    """By how much a counter rose in the interval, all rows together."""
    return sum(int(row[column]) * (1 if row["SNAP_ID"] == "2" else -1) for row in rows(folder, source))


def seconds_each(folder: Path) -> float:
    """Request time of a transaction, as a capture has it."""
    return rise(folder, "workload", "TOTAL_RQST_TIME") / 1000 / rise(folder, "workload", "TOTAL_APP_COMMITS")


KINDS = [("orders",), pytest.param(("orders", "reports"), marks=pytest.mark.full)]


@pytest.fixture(scope="module", params=KINDS, ids="-".join)
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[History, list[Path]]:
    """Orders by day, and reports by night, watched at ten; the pool grows for the third interval."""
    machine = samples.both() if "reports" in request.param else samples.orders()
    shape = ("peaks", "night and day")[: len(machine.work)]
    history = series(machine, 4, 600, hour=10, changes={3: LARGER}, shape=shape, seed=3)
    return history, history.write(tmp_path_factory.mktemp("series"))


def test_every_night_is_a_capture_with_the_interval_of_its_day(told: tuple[History, list[Path]]) -> None:
    taken = []
    for folder in told[1]:
        with open_capture(folder) as capture:
            assert [snapshot.id for snapshot in capture.snapshots] == [1, 2]
        snapshots = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["snapshots"]
        taken.append([each["taken_at"] for each in snapshots])
    assert taken[0] == ["2026-03-09T10:00:00", "2026-03-09T10:10:00"]
    assert taken[3] == ["2026-03-12T10:00:00", "2026-03-12T10:10:00"]


def test_the_counters_of_an_interval_are_those_of_its_loads(told: tuple[History, list[Path]]) -> None:
    for night, folder in zip(told[0].nights, told[1], strict=True):
        done = sum(seconds * night.levels.at(load).outcome.throughput for load, seconds in night.mixture.items())
        assert rise(folder, "workload", "TOTAL_APP_COMMITS") == pytest.approx(done, abs=len(night.mixture) + 1)
        assert seconds_each(folder) == pytest.approx(night.inside, rel=2e-3)


def test_counters_never_fall_and_all_levels_agree(told: tuple[History, list[Path]]) -> None:
    highest: Counter[str] = Counter()
    for folder in told[1]:
        for snapshot in ("1", "2"):
            workload = [row for row in rows(folder, "workload") if row["SNAP_ID"] == snapshot]
            spaces = [row for row in rows(folder, "tablespace") if row["SNAP_ID"] == snapshot]
            pools = [row for row in rows(folder, "bufferpool") if row["SNAP_ID"] == snapshot]
            for name in ("TOTAL_RQST_TIME", "TOTAL_CPU_TIME", "SORT_OVERFLOWS", "ROWS_READ", *WAITS):
                now = sum(int(row[name]) for row in workload)
                assert now >= highest[name]
                highest[name] = now
            assert all(int(row["TOTAL_WAIT_TIME"]) == sum(int(row[name]) for name in WAITS) for row in workload)
            for name in ("POOL_DATA_L_READS", "POOL_DATA_P_READS", "POOL_INDEX_WRITES", "POOL_READ_TIME"):
                assert sum(int(row[name]) for row in spaces) == sum(int(row[name]) for row in pools)
            connected = {(row["TOTAL_CONNECT_REQUESTS"], row["MEMBER"]) for row in workload}
            assert len(connected) == 1


def test_change_shows_from_its_night_with_equal_loads(told: tuple[History, list[Path]]) -> None:
    history, folders = told
    sizes = [
        {row["BP_CUR_BUFFSZ"] for row in rows(folder, "bufferpool") if row["BP_NAME"] == "BP"} for folder in folders
    ]
    assert sizes == [{"250000"}, {"250000"}, {"1000000"}, {"1000000"}]
    before, after = (sum(seconds_each(folder) for folder in some) / 2 for some in (folders[:2], folders[2:]))
    (effect,) = history.effects.values()
    assert effect.interval > 0.3
    assert 1 - after / before == pytest.approx(effect.inside, abs=0.1)  # loads differ by 5 %, and with them the mix
    assert effect.day != effect.interval


def test_noiseless_series_changes_only_with_growth() -> None:
    idle = Setting("dbmcfg", "FEDERATED", "YES")
    still = series(samples.orders(), 3, noise=0, changes={2: idle})
    assert still.effects[2].interval == pytest.approx(0, abs=1e-6)
    assert len({round(night.response, 9) for night in still.nights}) == 1
    grown = series(samples.orders(), 3, noise=0, growth=0.05)
    assert grown.nights[0].response < grown.nights[1].response < grown.nights[2].response


def test_counters_restart_at_a_new_activation(tmp_path: Path) -> None:
    history = series(samples.orders(), 2, changes={2: "UPDATE DB CFG FOR TWIN USING LOGBUFSZ 2048"})
    first, second = history.write(tmp_path)
    uptimes = [{row["UPTIME_S"] for row in rows(folder, "database")} for folder in (first, second)]
    assert uptimes == [{str(6 * 86400 + 18 * 3600), str(6 * 86400 + 18 * 3600 + 300)}, {"21600", "21900"}]
    assert {row["DB_CONN_TIME"] for row in rows(second, "database")} == {"2026-03-09 20:00:00"}


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        (LARGER, [Setting("bufferpool", "SIZE", "1000000", "BP")]),
        ("ALTER BUFFERPOOL BP IMMEDIATE SIZE 500 AUTOMATIC;", [Setting("bufferpool", "SIZE", "AUTOMATIC", "BP")]),
        ('ALTER TABLESPACE "T" PREFETCHSIZE AUTOMATIC', [Setting("tablespace", "PREFETCHSIZE", "AUTOMATIC", "T")]),
        ('ALTER TABLESPACE "T" NO FILE SYSTEM CACHING', [Setting("tablespace", "FILE SYSTEM CACHING", "NO", "T")]),
        (
            "UPDATE DB CFG FOR TWIN USING SORTHEAP 4096 AUTOMATIC MAXLOCKS 22",
            [Setting("dbcfg", "SORTHEAP", "AUTOMATIC(4096)"), Setting("dbcfg", "MAXLOCKS", "22")],
        ),
        ("db2set DB2_PARALLEL_IO=*", [Setting("registry", "DB2_PARALLEL_IO", "*")]),
    ],
)
def test_commands_in_the_models_words(command: str, wanted: list[Setting]) -> None:
    assert list(settings_of(command)) == wanted


def test_unknown_change_is_refused_and_activation_detected() -> None:
    with pytest.raises(ValueError, match="not a command"):
        settings_of("RUNSTATS ON TABLE T")
    with pytest.raises(ValueError, match="there is no bufferpool"):
        series(samples.orders(), 1, changes={1: "ALTER BUFFERPOOL NONE SIZE 5"})
    assert restarts(Setting("dbcfg", "NUM_IOCLEANERS", "8"))
    assert not restarts(Setting("dbcfg", "SORTHEAP", "8"))
