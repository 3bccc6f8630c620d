"""A capture of a machine: two snapshots of what Db2 would show, as `docs/capture.md` has it."""

from __future__ import annotations

import csv
import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from tests.twin import monitored, settings
from tests.twin.machine import AUTOMATIC, Machine, device
from tests.twin.model import solve
from tests.twin.monitored import Row, Shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ACTIVATED = datetime(2026, 3, 2, 8, 0, 0)
UNTIL_FIRST = 7200.0


def _pools(shown: Shown) -> list[Row]:
    return [
        {"BPNAME": pool.name, "BUFFERPOOLID": number, "NPAGES": pool.pages // len(shown.members)}
        | {"PAGESIZE": pool.page_size, "NUMBLOCKPAGES": 0, "BLOCKSIZE": 0}
        for number, pool in enumerate(shown.machine.pools, start=1)
    ]


def _spaces(shown: Shown) -> list[Row]:
    rows = []
    for row, space in zip(monitored.spaces(shown)[:: len(shown.members)], shown.machine.spaces, strict=True):
        disk = device(shown.machine, space.device)
        rows.append(
            {
                "TBSPACE": space.name,
                "TBSPACEID": row["TBSP_ID"],
                "TBSPACETYPE": "D",
                "DATATYPE": "T" if space.name == shown.machine.temporary else "L",
                "EXTENTSIZE": space.extent,
                "PREFETCHSIZE": space.prefetch,
                "OVERHEAD": round(1000 * (disk.seek + disk.revolution / 2), 2),
                "TRANSFERRATE": round(1000 * row["TBSP_PAGE_SIZE"] / disk.transfer, 3),
                "PAGESIZE": row["TBSP_PAGE_SIZE"],
                "DBPGNAME": "IBMDEFAULTGROUP",
                "BUFFERPOOLID": row["TBSP_CUR_POOL_ID"],
            }
        )
    return rows


def container(space: str, member: int, number: int) -> str:
    """Where a container of a table space lies."""
    return f"/db2/{space.lower()}/m{member}/c{number}"


def _containers(shown: Shown) -> list[Row]:
    """MON_GET_CONTAINER: reads and writes of a table space, on its containers in turn."""
    rows = []
    for row, space in (
        (r, s) for r in monitored.spaces(shown) for s in shown.machine.spaces if r["TBSP_NAME"] == s.name
    ):
        read = row["POOL_DATA_P_READS"] + row["POOL_INDEX_P_READS"]
        written = row["POOL_DATA_WRITES"] + row["POOL_INDEX_WRITES"]
        for number in range(space.containers):
            rows.append(
                {
                    "TBSP_NAME": space.name,
                    "CONTAINER_ID": number,
                    "MEMBER": row["MEMBER"],
                    "TBSP_ID": row["TBSP_ID"],
                    "CONTAINER_NAME": container(space.name, row["MEMBER"], number),
                    "CONTAINER_TYPE": "FILE_EXTENT_TAG",
                    "STRIPE_SET": 0,
                    "TOTAL_PAGES": row["TBSP_TOTAL_PAGES"] // space.containers,
                    "USABLE_PAGES": row["TBSP_TOTAL_PAGES"] // space.containers,
                    "ACCESSIBLE": 1,
                    "PAGES_READ": (read + number) // space.containers,
                    "PAGES_WRITTEN": (written + number) // space.containers,
                    "POOL_READ_TIME": (row["POOL_READ_TIME"] + number) // space.containers,
                }
            )
    return rows


def _parameter(name: str, value: str) -> Row:
    flags = AUTOMATIC if value.upper().startswith(AUTOMATIC) else "NONE"
    return {"NAME": name.lower(), "VALUE_FLAGS": flags, "DEFERRED_VALUE_FLAGS": flags}


def _dbcfg(shown: Shown) -> list[Row]:
    """What is set and what the defaults are; of AUTOMATIC ones also the number in force."""
    machine, rows = shown.machine, []
    automatic = {"NUM_IOCLEANERS": settings.cleaners(machine), "NUM_IOSERVERS": settings.servers(machine)}
    for name in sorted({*settings.DEFAULTS, *machine.dbcfg}):
        value = settings.text(machine, name) if name in settings.DEFAULTS else machine.dbcfg[name]
        row = _parameter(name, value)
        force = automatic[name] // len(shown.members) if name in automatic else value
        if row["VALUE_FLAGS"] == AUTOMATIC and name not in automatic:
            force = int(settings.number(machine, name))
        rows += [row | {"MEMBER": m, "VALUE": force, "DEFERRED_VALUE": force} for m in shown.members]
    return rows


def _dbmcfg(shown: Shown) -> list[Row]:
    return [
        _parameter(name, value) | {"VALUE": value, "DEFERRED_VALUE": value}
        for name, value in sorted(shown.machine.dbmcfg.items())
    ]


def _registry(shown: Shown) -> list[Row]:
    return [
        {"REG_VAR_NAME": name, "MEMBER": member, "REG_VAR_VALUE": value, "REG_VAR_ON_DISK_VALUE": value}
        | {"IS_AGGREGATE": 0, "AGGREGATE_NAME": ""}
        for name, value in sorted(shown.machine.registry.items())
        for member in shown.members
    ]


def _database(shown: Shown) -> list[Row]:
    return [
        {"MEMBER": member, "DB_CONN_TIME": f"{ACTIVATED:%Y-%m-%d %H:%M:%S}", "UPTIME_S": int(shown.uptime)}
        for member in shown.members
    ]


def _members(shown: Shown) -> list[Row]:
    return [{"MEMBER": member, "HOME_HOST": "twin", "STATE": "STARTED"} for member in shown.members]


def _facts(shown: Shown) -> list[Row]:
    """What the host knows: on which device a container lies, and of how many disks it is."""
    facts = []
    for space in shown.machine.spaces:
        for member in shown.members:
            for number in range(space.containers):
                facts.append((f"container:{container(space.name, member, number)}", "device", space.device))
    for disk in shown.machine.devices:
        facts.append((f"device:{disk.name}", "data_disks", str(disk.disks)))
        facts.append((f"device:{disk.name}", "rotational", "1" if disk.rpm else "0"))
        facts.append((f"device:{disk.name}", "strip_kb", str(int(disk.stripe / 1024))))
    return [{"HOST": "twin", "FACT_KEY": key, "ITEM": item, "VALUE": value} for key, item, value in facts]


SOURCES: dict[str, Callable[[Shown], list[Row]]] = {
    "bufferpool": monitored.pools,
    "cat_bufferpool": _pools,
    "cat_tablespace": _spaces,
    "container": _containers,
    "database": _database,
    "dbcfg": _dbcfg,
    "dbmcfg": _dbmcfg,
    "hostfact": _facts,
    "member": _members,
    "registry": _registry,
    "system": monitored.system,
    "tablespace": monitored.spaces,
    "transaction_log": monitored.log,
    "workload": monitored.workload,
}


def write(machine: Machine, folder: Path, seconds: float = 300.0) -> None:
    """Write the capture of a machine that was watched for `seconds`, two hours after its database was activated."""
    outcome = solve(machine)
    folder.mkdir(parents=True)
    shown = [Shown(machine, outcome, UNTIL_FIRST), Shown(machine, outcome, UNTIL_FIRST + seconds)]
    for name, rows_of in SOURCES.items():
        rows = [{"SNAP_ID": number} | row for number, each in enumerate(shown, start=1) for row in rows_of(each)]
        if rows:
            with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    (folder / "manifest.json").write_text(json.dumps(_manifest(machine, seconds), indent=2) + "\n", encoding="utf-8")


def _manifest(machine: Machine, seconds: float) -> Row:
    database = {
        "name": "TWIN",
        "host": "twin",
        "instance": "db2inst1",
        "level": ".".join(str(part) for part in machine.level),
        "platform": "Linux",
        "topology": "dpf" if machine.partitioning.members > 1 else "single",
    }
    taken = [ACTIVATED + timedelta(seconds=UNTIL_FIRST + after) for after in (0.0, seconds)]
    snapshots = [
        {"id": number, "taken_at": at.isoformat(timespec="seconds"), "database": database}
        for number, at in enumerate(taken, start=1)
    ]
    return {"schema": 1, "snapshots": snapshots}
