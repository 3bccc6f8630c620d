"""A capture of a machine: two snapshots of Db2's monitor data, in the format of `docs/capture.md`.

If the load changes, counters add up over all that was, and gauges are of now: each stretch of time at one load (and one
configuration) is shown as if nothing else had been since the activation; counters of all stretches are added,
high-water marks are the greatest, everything else is what the last one shows. Kinds of columns are those of
`sql/collect`.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from advisor.catalogue.sources import all_sources
from tests.twin import instance, objects, parameters, requests, traffic
from tests.twin.days import Levels, even
from tests.twin.machine import Machine, device
from tests.twin.monitored import ACTIVATED, Row, Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tests.twin.days import Solved
    from tests.twin.monitored import Row


ONCE = ("TOTAL_CONNECT_REQUESTS",)  # all who are connected have been so since the activation
Stretch = tuple["Solved", float]
"""A machine at one load, and seconds of it since activation."""


@cache
def _columns(source: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Keys, counters, high-water marks of a source."""
    known = all_sources()[source]
    once = [name for name in known.names("counter") if name in ONCE]
    counters = [name for name in known.names("counter") if name not in ONCE]
    return tuple(known.names("key")), tuple(counters), (*known.names("hwm"), *once)


@dataclass(frozen=True)
class Moment:
    """A snapshot: when the database was activated, and what was since then; the last stretch is now."""

    activated: datetime
    stretches: tuple[Stretch, ...]

    @property
    def uptime(self) -> float:
        """Seconds since activation."""
        return round(sum(seconds for _, seconds in self.stretches), 3)

    @property
    def taken(self) -> datetime:
        """When the snapshot was taken."""
        return self.activated + timedelta(seconds=self.uptime)

    def now(self) -> Shown:
        """What is shown but for counters and high-water marks."""
        last = self.stretches[-1][0]
        return Shown(last.machine, last.outcome, last.found, self.uptime, self.activated)


def rows_at(source: str, rows_of: Callable[[Shown], list[Row]], moment: Moment) -> list[Row]:
    """The rows of a source in a snapshot."""
    keys, counters, marks = _columns(source)
    current = {_key(row, keys): row for row in rows_of(moment.now())}
    if not (counters or marks) or len(moment.stretches) == 1:
        return list(current.values())
    result = {key: row | dict.fromkeys((n for n in counters if n in row), 0) for key, row in current.items()}
    for solved, seconds in moment.stretches:
        for row in rows_of(Shown(solved.machine, solved.outcome, solved.found, seconds)):
            key = _key(row, keys)
            into = result.setdefault(key, row | dict.fromkeys((n for n in counters if n in row), 0))
            _add(into, row, counters, marks)
    return list(result.values())


def _key(row: Row, keys: Iterable[str]) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in keys)


def _add(into: Row, row: Row, counters: Iterable[str], marks: Iterable[str]) -> None:
    for name in counters:
        if name in row:
            into[name] += row[name]
    for name in marks:
        if name in row:
            into[name] = max(into[name], row[name])


UNTIL_FIRST = 7 * 86400.0  # a large pool is full only after days; what is shown is a machine at rest
AUTOMATIC_PAGES = -2  # SYSCAT.BUFFERPOOLS.NPAGES of a pool that self-tuning memory sizes


def _pools(shown: Shown) -> list[Row]:
    return [
        {"BPNAME": pool.name, "BUFFERPOOLID": number}
        | {"NPAGES": AUTOMATIC_PAGES if pool.automatic else pool.pages // len(shown.members)}
        | {"PAGESIZE": pool.page_size, "NUMBLOCKPAGES": 0, "BLOCKSIZE": 0}
        for number, pool in enumerate(shown.machine.pools, start=1)
    ]


def _spaces(shown: Shown) -> list[Row]:
    rows = []
    for row, space in zip(traffic.spaces(shown)[:: len(shown.members)], shown.machine.spaces, strict=True):
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


SOURCES: dict[str, Callable[[Shown], list[Row]]] = {
    "bufferpool": traffic.pools,
    "cat_bufferpool": _pools,
    "cat_table": objects.catalog,
    "cat_tablespace": _spaces,
    "container": traffic.containers,
    "database": instance.database,
    "dbcfg": parameters.database,
    "dbmcfg": parameters.manager,
    "hostfact": instance.facts,
    "index": objects.indexes,
    "instance": instance.agents,
    "lock_wait": instance.lock_waits,
    "member": instance.members,
    "memory_set": instance.memory_sets,
    "partition_group": instance.groups,
    "partition_map": instance.distribution,
    "registry": parameters.registry,
    "statement": requests.statements,
    "system": instance.system,
    "table": objects.tables,
    "table_size": objects.sizes,
    "tablespace": traffic.spaces,
    "transaction_log": instance.log,
    "workload": requests.workload,
}
KEYS = {
    "cat_bufferpool_exception": ("BUFFERPOOLID", "DBPARTITIONNUM"),
    "cat_column": ("TABSCHEMA", "TABNAME", "COLNAME"),
    "cat_key_column": ("TABSCHEMA", "TABNAME", "INDSCHEMA", "INDNAME", "COLSEQ", "COLNAME"),
    "cat_table": ("TABSCHEMA", "TABNAME"),
    "index": ("TABSCHEMA", "TABNAME", "IID", "MEMBER", "DATA_PARTITION_ID"),
    "lob_column": ("TABSCHEMA", "TABNAME", "COLNAME"),
    "lock_wait": ("MEMBER", "MODE_REQUESTED", "MODE_HELD"),
    "package": ("VALID", "PLACE"),
    "partition_map": ("DBPGNAME", "DBPARTITIONNUM"),
    "storage_path": ("STORAGE_GROUP_NAME", "DB_STORAGE_PATH", "DBPARTITIONNUM"),
    "table": ("TABSCHEMA", "TABNAME", "MEMBER", "DATA_PARTITION_ID"),
    "table_size": ("TABSCHEMA", "TABNAME", "DBPARTITIONNUM", "DATA_PARTITION_ID"),
    "unit_of_work": ("APPLICATION_HANDLE", "UOW_ID", "MEMBER"),
    "utility": ("MEMBER", "APPLICATION_HANDLE", "UTILITY_START_TIME"),
}
"""Sources that may be empty: asked, and nothing was there."""


def _nothing(_: Shown) -> list[Row]:
    return []


def write(machine: Machine, folder: Path, seconds: float = 300.0, snapshots: int = 2, facts_known: bool = True) -> None:
    """Write the capture of a machine at rest that was watched for `seconds`, a week after its database was activated.

    With one snapshot, only the later one is written. Without `facts_known`, the host facts are missing.
    """
    solved = Levels(machine).at(even(machine).hours[0])
    times = (UNTIL_FIRST, UNTIL_FIRST + seconds)[-snapshots:]
    written(folder, [Moment(ACTIVATED, ((solved, uptime),)) for uptime in times], facts_known)


def written(folder: Path, moments: list[Moment], facts_known: bool = True) -> None:
    """Write a capture with a snapshot of each of these moments."""
    folder.mkdir(parents=True)
    waiting = any(instance.lock_waits(each.now()) for each in moments[-1:])
    unknown = {"unit_of_work"} if waiting else set()  # the holders of the locks
    unknown |= set() if facts_known else {"hostfact"}
    for name in sorted({*SOURCES, *KEYS} - unknown):
        rows_of = SOURCES.get(name, _nothing)
        found = ((number, rows_at(name, rows_of, each)) for number, each in enumerate(moments, start=1))
        rows = [{"SNAP_ID": number} | row for number, some in found for row in some]
        if rows or name in KEYS:
            with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
                heading = list(rows[0]) if rows else ["SNAP_ID", *KEYS[name]]
                writer = csv.DictWriter(file, heading, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    (folder / "manifest.json").write_text(json.dumps(_manifest(moments), indent=2) + "\n", encoding="utf-8")


def _manifest(moments: list[Moment]) -> Row:
    machine = moments[-1].now().machine
    database = {
        "name": "TWIN",
        "host": instance.HOST,
        "instance": "db2inst1",
        "level": ".".join(str(part) for part in machine.level),
        "platform": "Linux",
        "topology": "dpf" if machine.partitioning.members > 1 else "single",
    }
    snapshots = [
        {"id": number, "taken_at": each.taken.isoformat(timespec="seconds"), "database": database}
        for number, each in enumerate(moments, start=1)
    ]
    return {"schema": 1, "snapshots": snapshots}
