"""The captures that the model writes: they open, and their numbers agree with each other and with the outcome."""

from __future__ import annotations

import csv
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from advisor.capture.opening import open_capture
from advisor.catalogue.embedded import open_tables
from tests.twin import samples
from tests.twin.capturing import write
from tests.twin.machine import Partitioning
from tests.twin.model import solve
from tests.twin.requests import WAITS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.twin.machine import Machine

MACHINES = {"both": samples.both(), "members": replace(samples.both(), partitioning=Partitioning(4))}
SECONDS = 300


@pytest.fixture(scope="module", params=["both", "members"])
def captured(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Machine, Path]:
    folder = tmp_path_factory.mktemp("twin") / request.param
    write(MACHINES[request.param], folder, SECONDS)
    return MACHINES[request.param], folder


def rows(folder: Path, source: str) -> list[dict[str, str]]:
    with (folder / f"{source}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def between(folder: Path, source: str, column: str) -> int:
    """By how much a counter rose in the interval, all rows together."""
    return sum(int(row[column]) * (1 if row["SNAP_ID"] == "2" else -1) for row in rows(folder, source))


def test_it_is_a_capture(captured: tuple[Machine, Path]) -> None:
    with open_capture(captured[1]) as capture, open_tables() as tables:
        capture.load(tables)
        assert [snapshot.id for snapshot in capture.snapshots] == [1, 2]
        assert capture.columns["workload"] and capture.columns["tablespace"] and capture.columns["statement"]


def test_pools_are_the_sums_of_their_table_spaces(captured: tuple[Machine, Path]) -> None:
    _, folder = captured
    for column in (
        "POOL_DATA_L_READS",
        "POOL_INDEX_P_READS",
        "POOL_ASYNC_DATA_READS",
        "POOL_DATA_WRITES",
        "POOL_READ_TIME",
    ):
        assert between(folder, "bufferpool", column) == between(folder, "tablespace", column)
    read = between(folder, "tablespace", "POOL_DATA_P_READS") + between(folder, "tablespace", "POOL_INDEX_P_READS")
    read += between(folder, "tablespace", "POOL_TEMP_DATA_P_READS")
    assert read > 0
    assert between(folder, "container", "PAGES_READ") == read


def test_no_part_is_more_than_its_whole(captured: tuple[Machine, Path]) -> None:
    for row in rows(captured[1], "tablespace"):
        for kind in ("DATA", "INDEX"):
            temporary = int(row[f"POOL_TEMP_{kind}_P_READS"])
            assert int(row[f"POOL_ASYNC_{kind}_READS"]) <= int(row[f"POOL_{kind}_P_READS"]) + temporary + 1
            assert int(row[f"POOL_ASYNC_{kind}_WRITES"]) <= int(row[f"POOL_{kind}_WRITES"])
        assert int(row["POOL_ASYNC_READ_TIME"]) <= int(row["POOL_READ_TIME"])
        assert int(row["POOL_ASYNC_WRITE_TIME"]) <= int(row["POOL_WRITE_TIME"])
    for row in rows(captured[1], "workload"):
        assert int(row["SORT_OVERFLOWS"]) <= int(row["TOTAL_SORTS"])
        assert int(row["PKG_CACHE_INSERTS"]) <= int(row["PKG_CACHE_LOOKUPS"])


def test_waits_add_up_and_processors_work_no_more_than_is_left(captured: tuple[Machine, Path]) -> None:
    for row in rows(captured[1], "workload"):
        waited = int(row["TOTAL_WAIT_TIME"])
        assert waited == sum(int(row[name]) for name in WAITS)
        assert waited < int(row["TOTAL_RQST_TIME"])
        assert int(row["TOTAL_CPU_TIME"]) / 1000 <= int(row["TOTAL_RQST_TIME"]) - waited + 2


def test_the_interval_is_what_the_model_says(captured: tuple[Machine, Path]) -> None:
    machine, folder = captured
    found = solve(machine)
    members = machine.partitioning.members
    rounding = 2 * members * len(machine.spaces)
    assert between(folder, "workload", "TOTAL_APP_COMMITS") == pytest.approx(SECONDS * found.throughput, abs=rounding)
    inside = sum(each.throughput * (each.response - each.parts["network"]) for each in found.classes)
    assert between(folder, "workload", "TOTAL_RQST_TIME") == pytest.approx(SECONDS * 1000 * inside, rel=1e-3)
    asked = between(folder, "tablespace", "POOL_DATA_L_READS") + between(folder, "tablespace", "POOL_INDEX_L_READS")
    expected = SECONDS * sum(each.asked for each in found.stores.values())
    assert asked == pytest.approx(expected, abs=2 * rounding)
    assert between(folder, "transaction_log", "NUM_LOG_WRITE_IO") == pytest.approx(
        SECONDS * found.log.writes * members, abs=rounding
    )


def test_the_same_machine_writes_the_same_capture(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(samples.orders(), tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_bounds_of_memory_are_in_the_capture(tmp_path: Path) -> None:
    machine = replace(samples.orders(), dbmcfg={"INSTANCE_MEMORY": "900000"}, dbcfg={"DATABASE_MEMORY": "500000"})
    write(machine, tmp_path / "bound")
    write(samples.orders(), tmp_path / "free")

    def value(folder: str, source: str, name: str) -> tuple[str, str]:
        (row,) = [each for each in rows(tmp_path / folder, source) if each["NAME"] == name and each["SNAP_ID"] == "2"]
        return row["VALUE"], row["VALUE_FLAGS"]

    assert value("bound", "dbmcfg", "instance_memory") == ("900000", "NONE")
    assert value("bound", "dbcfg", "database_memory") == ("500000", "NONE")
    pages, flags = value("free", "dbmcfg", "instance_memory")
    assert flags == "AUTOMATIC"
    assert int(pages) * 4096 == pytest.approx(0.78 * machine.host.memory, rel=0.03)


def test_spare_device_is_a_target_for_the_log(tmp_path: Path) -> None:
    write(replace(samples.orders(), log_device="data"), tmp_path / "beside")
    facts = {(row["FACT_KEY"], row["ITEM"]): row["VALUE"] for row in rows(tmp_path / "beside", "hostfact")}
    assert facts["logtarget", "path"] == "/db2/log/log"
    assert facts["path:/db2/data/log", "device"] == "data"


def test_full_package_cache_overflows(tmp_path: Path) -> None:
    """Sixty clients at work hold more sections than a cache of 80 pages has room for."""
    write(replace(samples.orders(600), dbcfg={"PCKCACHESZ": "80"}), tmp_path / "small")
    write(samples.orders(), tmp_path / "large")
    assert between(tmp_path / "small", "database", "PKG_CACHE_NUM_OVERFLOWS") > 0
    assert between(tmp_path / "large", "database", "PKG_CACHE_NUM_OVERFLOWS") == 0
