"""A capture's sources agree with each other and with `sql/collect`: names, types, counters that rise."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.twin import samples, settings
from tests.twin.capturing import write
from tests.twin.devices import Device, flash
from tests.twin.machine import Machine, Partitioning
from tests.twin.test_many import drawn

COLLECT = Path(__file__).parents[2] / "sql" / "collect"
COLUMN = re.compile(r"\b(\w+),?\s*-- (key|gauge|counter|hwm) (.+)$")
WHOLE = ("SMALLINT", "INTEGER", "BIGINT")


def _thirsty() -> Machine:
    """Small sort memory, few locks, a log without a battery, the file system's cache on."""
    both = samples.both()
    spaces = tuple(replace(each, file_system_caching=True) for each in both.spaces)
    configuration = {"SORTHEAP": "512", "SHEAPTHRES_SHR": "1000", "LOCKLIST": "8", "MAXLOCKS": "10", "LOGBUFSZ": "8"}
    return replace(both, spaces=spaces, dbcfg=both.dbcfg | configuration)


MACHINES = {
    "both": samples.both(),
    "members": replace(samples.both(), partitioning=Partitioning(4)),
    "thirsty": _thirsty(),
    "old": replace(samples.both(), level=(8, 2)),
    "crowded": drawn(7),
    "rested": drawn(10),
    "flash": replace(samples.orders(), devices=(flash("data"), Device("log", 2)), registry={"DB2_PARALLEL_IO": "*"}),
}


class Captured:
    """A capture, read back."""

    def __init__(self, folder: Path) -> None:
        self.rows: dict[str, list[dict[str, str]]] = {}
        for path in sorted(folder.glob("*.csv")):
            with path.open(encoding="utf-8") as file:
                self.rows[path.stem] = list(csv.DictReader(file))

    def total(self, source: str, column: str, snapshot: str = "2", **where: Any) -> int:
        """The sum of a column over a snapshot's rows."""
        return sum(
            int(row[column])
            for row in self.rows[source]
            if row["SNAP_ID"] == snapshot and all(row[name] == str(value) for name, value in where.items())
        )


def columns(source: str) -> dict[str, tuple[str, str]]:
    """Kind and type of every column of a source."""
    text = (COLLECT / f"{source}.sql").read_text(encoding="utf-8")
    found = (COLUMN.search(line) for line in text.splitlines())
    return {each[1]: (each[2], each[3].removesuffix(" hex").strip()) for each in found if each}


@pytest.fixture(scope="module", params=sorted(MACHINES))
def taken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Machine, Captured]:
    folder = tmp_path_factory.mktemp("levels") / request.param
    write(MACHINES[request.param], folder)
    return MACHINES[request.param], Captured(folder)


def test_columns_and_types_match_the_sources(taken: tuple[Machine, Captured]) -> None:
    for source, rows in taken[1].rows.items():
        known = columns(source)
        keys = [name for name, (kind, _) in known.items() if kind == "key"]
        for row in rows:
            assert set(row) - {"SNAP_ID"} <= set(known), source
            assert set(keys) <= set(row), source
            for name, (_, of) in known.items():
                value = row.get(name) or ""
                if value and of in WHOLE:
                    assert int(value) >= -1, (source, name)
                elif value and of == "DOUBLE":
                    assert float(value) >= 0, (source, name)
                elif of.startswith("VARCHAR"):
                    assert len(value) <= int(of[8:-1]), (source, name)
        seen = [tuple(row[name] for name in ("SNAP_ID", *keys)) for row in rows]
        assert len(set(seen)) == len(seen), source


def test_counters_never_fall(taken: tuple[Machine, Captured]) -> None:
    for source, rows in taken[1].rows.items():
        known = columns(source)
        keys = [name for name, (kind, _) in known.items() if kind == "key"]
        first = {tuple(row[name] for name in keys): row for row in rows if row["SNAP_ID"] == "1"}
        for row in rows:
            before = first.get(tuple(row[name] for name in keys), row)
            for name, (kind, _) in known.items():
                if kind in {"counter", "hwm"} and row.get(name):
                    assert int(before[name]) <= int(row[name]), (source, name)


def test_pools_are_table_spaces_and_containers(taken: tuple[Machine, Captured]) -> None:
    _, captured = taken
    shared = set(captured.rows["bufferpool"][0]) & set(captured.rows["tablespace"][0])
    counted = [name for name in shared if name.startswith("POOL_") and columns("bufferpool")[name][0] == "counter"]
    assert len(counted) > 30
    for name in counted:
        assert captured.total("bufferpool", name) == captured.total("tablespace", name), name
    read = sum(captured.total("tablespace", f"POOL_{kind}_P_READS") for kind in ("DATA", "INDEX", "TEMP_DATA"))
    written = sum(captured.total("tablespace", f"POOL_{kind}_WRITES") for kind in ("DATA", "INDEX"))
    assert captured.total("container", "PAGES_READ") == read
    assert captured.total("container", "PAGES_WRITTEN") == written
    for name in ("TOTAL_PAGES", "USABLE_PAGES"):
        assert captured.total("container", name) == captured.total("tablespace", f"TBSP_{name}")
    for row in captured.rows["tablespace"]:
        assert int(row["TBSP_USED_PAGES"]) + int(row["TBSP_FREE_PAGES"]) == int(row["TBSP_USABLE_PAGES"])
        assert int(row["TBSP_USED_PAGES"]) <= int(row["TBSP_PAGE_TOP"]) <= int(row["TBSP_USABLE_PAGES"])


def test_agents_wait_for_pages_as_long_as_table_spaces_say(taken: tuple[Machine, Captured]) -> None:
    _, captured = taken
    for way in ("READ", "WRITE"):
        of_agents = captured.total("tablespace", f"POOL_{way}_TIME") - captured.total(
            "tablespace", f"POOL_ASYNC_{way}_TIME"
        )
        assert captured.total("workload", f"POOL_{way}_TIME") == of_agents
    for name in ("PREFETCH_WAITS", "PREFETCH_WAIT_TIME"):
        assert captured.total("workload", name) == captured.total("tablespace", name)


def test_found_and_read_pages_are_all_that_were_asked_for(taken: tuple[Machine, Captured]) -> None:
    _, captured = taken
    rounding = 3 * len(captured.rows["tablespace"])
    for kind, temporary in (("DATA", "TEMP_DATA"), ("INDEX", "TEMP_INDEX")):
        asked = captured.total("bufferpool", f"POOL_{kind}_L_READS")
        asked += captured.total("bufferpool", f"POOL_{temporary}_L_READS")
        found = captured.total("bufferpool", f"POOL_{kind}_LBP_PAGES_FOUND")
        found -= captured.total("bufferpool", f"POOL_ASYNC_{kind}_LBP_PAGES_FOUND")
        read = captured.total("bufferpool", f"POOL_{kind}_P_READS")
        read += captured.total("bufferpool", f"POOL_{temporary}_P_READS")
        alone = read - captured.total("bufferpool", f"POOL_ASYNC_{kind}_READS")
        assert found + alone == pytest.approx(asked, abs=rounding)


def test_statements_tables_and_workload_agree(taken: tuple[Machine, Captured]) -> None:
    _, captured = taken
    rounding = 4 * len(captured.rows["statement"])
    same = (
        *(("statement", name, name) for name in ("ROWS_READ", "ROWS_MODIFIED", "TOTAL_SORTS", "SORT_OVERFLOWS")),
        *(("statement", name, name) for name in ("PREFETCH_WAIT_TIME", "PREFETCH_WAITS", "POOL_READ_TIME")),
        ("statement", "NUM_EXECUTIONS", "ACT_COMPLETED_TOTAL"),
        ("table", "ROWS_READ", "ROWS_READ"),
        ("table", "ROWS_UPDATED", "ROWS_MODIFIED"),
    )
    for source, name, whole in same:
        assert captured.total(source, name) == pytest.approx(captured.total("workload", whole), abs=rounding), name
    for name in ("STMT_EXEC_TIME", "TOTAL_ACT_TIME"):
        of_all = captured.total("workload", "TOTAL_ACT_TIME")
        assert captured.total("statement", name) == pytest.approx(of_all, abs=10 * rounding)
    assert captured.total("statement", "TOTAL_CPU_TIME") <= captured.total("workload", "TOTAL_CPU_TIME") + rounding
    for kind, source, name in (("DATA", "table", "OBJECT_DATA_P_READS"), ("INDEX", "index", "OBJECT_INDEX_P_READS")):
        read = captured.total("tablespace", f"POOL_{kind}_P_READS")
        assert captured.total("statement", f"POOL_{kind}_P_READS") == pytest.approx(read, abs=rounding)
        assert captured.total(source, name) == pytest.approx(read, abs=rounding)
    spilled = captured.total("tablespace", "POOL_TEMP_DATA_P_READS")
    assert captured.total("statement", "POOL_TEMP_DATA_P_READS") == pytest.approx(spilled, abs=rounding)


def test_every_listed_wait_is_in_the_total(taken: tuple[Machine, Captured]) -> None:
    times = ("POOL_READ_TIME", "POOL_WRITE_TIME", "DIRECT_READ_TIME", "DIRECT_WRITE_TIME", "WLM_QUEUE_TIME_TOTAL")
    for row in taken[1].rows["workload"]:
        waits = [name for name in row if name in times or name.endswith("_WAIT_TIME")]
        told = sum(int(row[name]) for name in waits if name != "TOTAL_WAIT_TIME")
        assert told == int(row["TOTAL_WAIT_TIME"])


def test_lock_holders_are_unknown(taken: tuple[Machine, Captured]) -> None:
    _, captured = taken
    assert ("unit_of_work" in captured.rows) == (not captured.rows["lock_wait"])


def test_sorting_is_a_part_of_the_work(taken: tuple[Machine, Captured]) -> None:
    for row in taken[1].rows["workload"]:
        worked = int(row["TOTAL_RQST_TIME"]) - int(row["TOTAL_WAIT_TIME"]) - int(row["TOTAL_COMPILE_PROC_TIME"])
        assert 0 <= int(row["TOTAL_SECTION_SORT_PROC_TIME"]) <= worked
    for row in taken[1].rows["statement"]:
        assert int(row["TOTAL_SECTION_SORT_TIME"]) <= int(row["STMT_EXEC_TIME"])


def test_the_log_fits(taken: tuple[Machine, Captured]) -> None:
    _, captured = taken
    of = {row["NAME"]: row for row in captured.rows["dbcfg"]}
    room = 4096 * int(of["logfilsiz"]["VALUE"]) * (int(of["logprimary"]["VALUE"]) + int(of["logsecond"]["VALUE"]))
    for row in captured.rows["transaction_log"]:
        assert int(row["TOTAL_LOG_USED"]) + int(row["TOTAL_LOG_AVAILABLE"]) == room
        assert int(row["TOTAL_LOG_USED"]) <= int(row["TOT_LOG_USED_TOP"]) <= room


def test_memory_and_connections_are_those_of_the_machine(taken: tuple[Machine, Captured]) -> None:
    machine, captured = taken
    clients = sum(work.clients for work in machine.work)
    for source, name in (("database", "APPLS_CUR_CONS"), ("instance", "NUM_COORD_AGENTS")):
        assert captured.total(source, name) == clients
    used = captured.total("memory_set", "MEMORY_SET_USED") / 1024
    of = captured.rows["system"][0]
    assert int(of["MEMORY_FREE"]) == pytest.approx(max(0, int(of["MEMORY_TOTAL"]) - used), abs=4)


def test_a_spill_shows_everywhere_and_more_memory_takes_it_away(tmp_path: Path) -> None:
    small = samples.reports()
    large = replace(small, dbcfg={"SORTHEAP": "40000", "SHEAPTHRES_SHR": "400000"})
    for name, machine in (("small", small), ("large", large)):
        write(machine, tmp_path / name)
    spilling, roomy = Captured(tmp_path / "small"), Captured(tmp_path / "large")
    for source, name in (
        ("workload", "SORT_OVERFLOWS"),
        ("workload", "HASH_JOIN_OVERFLOWS"),
        ("statement", "SORT_OVERFLOWS"),
        ("bufferpool", "POOL_TEMP_DATA_L_READS"),
        ("tablespace", "POOL_TEMP_DATA_P_READS"),
    ):
        assert spilling.total(source, name) > 0, name
        assert roomy.total(source, name) == 0, name
    assert spilling.total("tablespace", "POOL_DATA_WRITES", TBSP_NAME="TEMPSPACE") > 0
    assert roomy.total("database", "SORT_SHRHEAP_TOP") > spilling.total("database", "SORT_SHRHEAP_TOP")


def test_configuration_matches_the_level(tmp_path: Path) -> None:
    for name in ("both", "old"):
        write(MACHINES[name], tmp_path / name)
    new, old = (Captured(tmp_path / name) for name in ("both", "old"))
    of = {row["NAME"]: row for row in new.rows["dbcfg"]}
    assert of["dbheap"]["VALUE_FLAGS"] == of["num_iocleaners"]["VALUE_FLAGS"] == "AUTOMATIC"
    assert of["num_iocleaners"]["VALUE"] == "7" and of["dbheap"]["VALUE"] == "1200"
    assert of["self_tuning_mem"]["VALUE"] == "OFF" and of["sortheap"]["VALUE_FLAGS"] == "NONE"
    older = {row["NAME"] for row in old.rows["dbcfg"]}
    assert {"softmax", "sortheap"} <= older and not older & {"self_tuning_mem", "page_age_trgt_mcr", "cur_commit"}
    assert {row["REG_VAR_NAME"] for row in new.rows["registry"]} == {"DB2COMM"}


def test_the_file_system_cache_is_off_where_fs_caching_is_1(tmp_path: Path) -> None:
    for name in ("both", "thirsty"):
        write(MACHINES[name], tmp_path / name)
    assert {row["FS_CACHING"] for row in Captured(tmp_path / "both").rows["tablespace"]} == {"1"}
    assert {row["FS_CACHING"] for row in Captured(tmp_path / "thirsty").rows["tablespace"]} == {"0"}


def test_facts_are_numbers_of_the_machine(taken: tuple[Machine, Captured]) -> None:
    machine, captured = taken
    of = {(row["FACT_KEY"], row["ITEM"]): row["VALUE"] for row in captured.rows["hostfact"]}
    assert int(of["cpu", "cores"]) == machine.host.processors.cores
    for disk in machine.devices:
        assert of[f"device:{disk.name}", "rotational"] == ("1" if disk.rpm else "0")
        assert 0 <= float(of[f"device:{disk.name}", "busy_pct"]) <= 100
    assert of[f"path:{settings.log_path(machine)}", "device"] == machine.log_device
    for row in captured.rows["container"]:
        assert (f"container:{row['CONTAINER_NAME']}", "device") in of
