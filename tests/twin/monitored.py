"""What Db2 would show of a machine: counters since activation, gauges, configuration, by source and column.

Each counter is computed at its finest grain (table space and member, or member) and cut to a whole number there; what
is above is the sum of it, so that all levels agree in every snapshot. Source: IBM, "Monitor elements": times in
milliseconds, TOTAL_CPU_TIME in microseconds, log pages of 4 KB.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.twin import disks, settings
from tests.twin.cpu import capacity
from tests.twin.machine import Machine, Space, device, page_size
from tests.twin.outcome import Outcome, StoreRates

if TYPE_CHECKING:
    from collections.abc import Callable

Row = dict[str, Any]
Counters = dict[str, float]
MS = 1000.0
BUSIEST = 0.95


@dataclass(frozen=True)
class Shown:
    """A machine and its outcome as seen `uptime` seconds after activation."""

    machine: Machine
    outcome: Outcome
    uptime: float

    @property
    def members(self) -> range:
        """Numbers of the members."""
        return range(self.machine.partitioning.members)

    def cut(self, rate: float) -> int:
        """What a counter shows of a rate a second of all members together, at one of them."""
        return math.floor(rate * self.uptime / len(self.members) + 1e-9)


def _loaded(shown: Shown, space: Space, seconds: float) -> float:
    """How long a request lasts on a space's device with the load it has."""
    return seconds / (1 - min(BUSIEST, shown.outcome.utilisation[space.device]))


def _of_kind(kind: str, rates: StoreRates) -> Counters:
    return {
        f"POOL_{kind}_L_READS": rates.asked,
        f"POOL_{kind}_P_READS": rates.read,
        f"POOL_ASYNC_{kind}_READS": rates.ahead,
        f"POOL_ASYNC_{kind}_READ_REQS": rates.blocks,
        f"POOL_{kind}_WRITES": rates.cleaned + rates.stolen,
        f"POOL_ASYNC_{kind}_WRITES": rates.cleaned,
    }


def _added(counters: Counters, more: Counters) -> None:
    for name, value in more.items():
        counters[name] = counters.get(name, 0.0) + value


def space_rates(shown: Shown, space: Space) -> Counters:
    """Counters of a table space, a second."""
    nothing = StoreRates(0, 0, 0, 0, 0, 0, 0, 0, 0)
    counters: Counters = _of_kind("DATA", nothing) | _of_kind("INDEX", nothing)
    own = [(store, shown.outcome.stores[store.name]) for store in shown.machine.stores if store.space == space.name]
    for store, rates in own:
        _added(counters, _of_kind("INDEX" if store.index else "DATA", rates))
    all_of = list(shown.outcome.stores.values())
    single = sum(rates.read - rates.ahead for _, rates in own)
    ahead = sum(rates.ahead for _, rates in own)
    blocks = sum(rates.blocks for _, rates in own)
    stolen, cleaned = sum(r.stolen for _, r in own), sum(r.cleaned for _, r in own)
    disk, page = device(shown.machine, space.device), float(page_size(shown.machine, space.name))
    size = ahead / blocks * page if blocks else page
    read_ahead = MS * blocks * _loaded(shown, space, disks.striped_access(disk, size))
    written = MS * cleaned * _loaded(shown, space, disks.random_access(disk, page))
    agents = MS * _waited(shown, "clean") * _share(stolen, sum(each.stolen for each in all_of))
    waits = MS * _waited(shown, "prefetch") * _share(ahead, sum(each.ahead for each in all_of))
    reading = MS * _waited(shown, "read") * _share(single, sum(each.read - each.ahead for each in all_of))
    return counters | {
        "POOL_ASYNC_READ_TIME": read_ahead,
        "POOL_READ_TIME": reading + read_ahead,
        "POOL_ASYNC_WRITE_TIME": written,
        "POOL_WRITE_TIME": agents + written,
        "UNREAD_PREFETCH_PAGES": sum(rates.unused for _, rates in own),
        "PREFETCH_WAITS": sum(rates.requests for _, rates in own) if waits > 0 else 0.0,
        "PREFETCH_WAIT_TIME": waits,
    }


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


def _waited(shown: Shown, component: str) -> float:
    """Seconds of a component that all transactions wait, a second."""
    return sum(each.throughput * each.parts[component] for each in shown.outcome.classes)


def spaces(shown: Shown) -> list[Row]:
    """MON_GET_TABLESPACE."""
    rows = []
    machine = shown.machine
    for number, space in enumerate(machine.spaces, start=1):
        rates = space_rates(shown, space)
        pages = sum(store.pages for store in machine.stores if store.space == space.name)
        pool = [each.name for each in machine.pools].index(space.pool) + 1
        for member in shown.members:
            fixed = {
                "TBSP_NAME": space.name,
                "MEMBER": member,
                "TBSP_ID": number,
                "TBSP_TYPE": "DMS",
                "TBSP_CONTENT_TYPE": "SYSTEMP" if space.name == machine.temporary else "LARGE",
                "TBSP_PAGE_SIZE": page_size(machine, space.name),
                "TBSP_EXTENT_SIZE": space.extent,
                "TBSP_PREFETCH_SIZE": settings.prefetch_size(machine, space),
                "TBSP_CUR_POOL_ID": pool,
                "TBSP_NEXT_POOL_ID": pool,
                "FS_CACHING": 1 if space.file_system_caching else 0,
                "TBSP_USING_AUTO_STORAGE": 0,
                "TBSP_STATE": "NORMAL",
                "TBSP_USED_PAGES": pages // len(shown.members),
                "TBSP_TOTAL_PAGES": 2 * pages // len(shown.members),
                "TBSP_NUM_CONTAINERS": space.containers,
            }
            rows.append(fixed | {name: shown.cut(rate) for name, rate in rates.items()})
    return rows


def pools(shown: Shown) -> list[Row]:
    """MON_GET_BUFFERPOOL: the sums over the table spaces of a pool, and starts of the cleaners."""
    homes = {space.name: space.pool for space in shown.machine.spaces}
    below = spaces(shown)
    names = [
        *(f"POOL_{kind}_{what}" for kind in ("DATA", "INDEX") for what in ("L_READS", "P_READS", "WRITES")),
        *(f"POOL_ASYNC_{kind}_{what}" for kind in ("DATA", "INDEX") for what in ("READS", "WRITES")),
        *("POOL_READ_TIME", "POOL_ASYNC_READ_TIME", "POOL_WRITE_TIME", "POOL_ASYNC_WRITE_TIME"),
    ]
    rows = []
    for pool in shown.machine.pools:
        state = shown.outcome.pools[pool.name]
        for member in shown.members:
            mine = [row for row in below if homes[row["TBSP_NAME"]] == pool.name and row["MEMBER"] == member]
            rows.append(
                {"BP_NAME": pool.name, "MEMBER": member, "AUTOMATIC": 0}
                | {"BP_CUR_BUFFSZ": pool.pages // len(shown.members)}
                | {name: sum(row[name] for row in mine) for name in names}
                | {
                    "POOL_LSN_GAP_CLNS": shown.cut(state.by_age),
                    "POOL_DRTY_PG_STEAL_CLNS": shown.cut(state.by_steal),
                    "POOL_DRTY_PG_THRSH_CLNS": shown.cut(state.by_threshold),
                }
            )
    return rows


def _total(shown: Shown, each: Callable[[Any, Any], float]) -> float:
    """The sum over classes of something a transaction, a second."""
    pairs = zip(shown.outcome.classes, shown.machine.work, strict=True)
    return sum(outcome.throughput * each(outcome, work) for outcome, work in pairs)


WAITS = {
    "POOL_READ_TIME": ("read", "temporary"),
    "POOL_WRITE_TIME": ("clean",),
    "PREFETCH_WAIT_TIME": ("prefetch",),
    "LOG_DISK_WAIT_TIME": ("log",),
    "LOCK_WAIT_TIME": ("lock",),
    "TOTAL_EXTENDED_LATCH_WAIT_TIME": ("latch",),
}


def workload(shown: Shown) -> list[Row]:
    """MON_GET_WORKLOAD: the waits add up to TOTAL_WAIT_TIME, which with work and paging is TOTAL_RQST_TIME."""
    outcome = shown.outcome
    waits = {name: MS * sum(_waited(shown, part) for part in parts) for name, parts in WAITS.items()}
    worked = MS * sum(_waited(shown, part) for part in ("cpu", "fcm", "paging"))
    compiling = MS * _waited(shown, "compile")
    busy = outcome.utilisation["cpu"] * capacity(shown.machine.host.processors)
    statements = _total(shown, lambda _, work: work.statements)
    changed = _total(shown, lambda _, work: sum(access.updates for access in work.accesses))
    counters: Counters = {
        "TOTAL_CPU_TIME": min(busy * 1e6, (worked + compiling) * MS),
        "TOTAL_COMPILE_PROC_TIME": compiling,
        "TOTAL_COMPILATIONS": _total(shown, lambda _, work: work.dynamic) - _found(shown),
        "PREFETCH_WAITS": sum(each.requests for each in outcome.stores.values())
        if waits["PREFETCH_WAIT_TIME"]
        else 0.0,
        "LOG_DISK_WAITS_TOTAL": _total(shown, lambda _, work: 1.0 if work.log_bytes else 0.0),
        "LOCK_WAITS": outcome.locking.waits,
        "LOCK_ESCALS_MAXLOCKS": sum(
            each.throughput for each, share in zip(outcome.classes, outcome.locking.escalated, strict=True) if share > 0
        ),
        "LOCK_TIMEOUTS": 0.0,
        "DEADLOCKS": 0.0,
        "TOTAL_SORTS": outcome.working.sorts,
        "SORT_OVERFLOWS": outcome.working.sort_overflows,
        "TOTAL_HASH_JOINS": outcome.working.joins,
        "HASH_JOIN_OVERFLOWS": outcome.working.join_overflows,
        "PKG_CACHE_LOOKUPS": _total(shown, lambda _, work: work.dynamic),
        "PKG_CACHE_INSERTS": _total(shown, lambda _, work: work.dynamic) - _found(shown),
        "TOTAL_APP_COMMITS": outcome.throughput,
        "ACT_COMPLETED_TOTAL": statements,
        "ROWS_MODIFIED": changed,
        "UID_SQL_STMTS": min(changed, statements),
        "SELECT_SQL_STMTS": statements - min(changed, statements),
    }
    rows = []
    for member in shown.members:
        waited = {name: shown.cut(rate) for name, rate in waits.items()}
        row: Row = {"WORKLOAD_NAME": "SYSDEFAULTUSERWORKLOAD", "MEMBER": member} | waited
        row |= {name: shown.cut(rate) for name, rate in counters.items()}
        row["TOTAL_WAIT_TIME"] = sum(waited.values())
        row["TOTAL_ACT_TIME"] = row["TOTAL_WAIT_TIME"] - waited["LOG_DISK_WAIT_TIME"] + shown.cut(worked)
        row["TOTAL_RQST_TIME"] = row["TOTAL_WAIT_TIME"] + shown.cut(worked) + row["TOTAL_COMPILE_PROC_TIME"]
        rows.append(row)
    return rows


def _found(shown: Shown) -> float:
    """Statements that the package cache had, a second."""
    pairs = zip(shown.outcome.classes, shown.machine.work, shown.outcome.package_hits, strict=True)
    return sum(each.throughput * work.dynamic * min(1.0, hit) for each, work, hit in pairs)


def log(shown: Shown) -> list[Row]:
    """MON_GET_TRANSACTION_LOG."""
    found, members = shown.outcome.log, len(shown.members)  # the outcome is of one member's log
    writes = found.writes * members
    full, part = found.bytes_per_second * members / 4096, writes / 2
    room = settings.number(shown.machine, "LOGPRIMARY") * settings.size(shown.machine, "LOGFILSIZ")
    return [
        {
            "MEMBER": member,
            "TOTAL_LOG_AVAILABLE": int(room * 0.8),
            "TOTAL_LOG_USED": int(room * 0.2),
            "SEC_LOGS_ALLOCATED": 0,
            "LOG_WRITES": shown.cut(full + part),
            "LOG_WRITE_TIME": shown.cut(MS * writes * found.write_time),
            "NUM_LOG_WRITE_IO": shown.cut(writes),
            "NUM_LOG_PART_PAGE_IO": shown.cut(part),
            "NUM_LOG_BUFFER_FULL": shown.cut(found.full * members),
        }
        for member in shown.members
    ]


def system(shown: Shown) -> list[Row]:
    """ENV_GET_SYSTEM_RESOURCES: one host; memory in megabytes, use of processors in percent."""
    host, found = shown.machine.host, shown.outcome
    swap = shown.machine.swap
    pages = found.utilisation[swap.name] * swap.disks / disks.random_access(swap, 4096.0) / 2
    return [
        {
            "MEMBER": member,
            "HOST_NAME": "twin",
            "OS_NAME": "Linux",
            "CPU_TOTAL": host.processors.logical,
            "CPU_ONLINE": host.processors.logical,
            "CPU_HMT_DEGREE": host.processors.threads,
            "CPU_CORES_PER_SOCKET": max(1, host.processors.cores // host.processors.nodes),
            "MEMORY_TOTAL": int(host.memory / 2**20),
            "MEMORY_FREE": max(0, int((host.memory - found.memory_used) / 2**20)),
            "CPU_USAGE_TOTAL": round(100 * found.utilisation["cpu"]),
            "SWAP_PAGES_IN": math.floor(pages * shown.uptime),
            "SWAP_PAGES_OUT": math.floor(pages * shown.uptime),
        }
        for member in shown.members
    ]
