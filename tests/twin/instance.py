"""The instance and its host as a capture shows them: activation, memory, log, connections, lock waits, host facts.

Device rates come from the model: requests a second, and by Little's law their number and duration.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.twin import demand, devices, flows, locks, memory, parameters, settings, traffic
from tests.twin.cpu import GIB, remote_share
from tests.twin.monitored import MS, Row, Shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.twin.devices import Device
    from tests.twin.monitored import Row, Shown


HOST = "twin"
MANY = 200.0


def parted(whole: int, members: int, member: int) -> int:
    """A member's part of a whole number; all parts add up to it."""
    return (whole + member) // members


def clients(shown: Shown, member: int) -> int:
    """Connections that a member coordinates."""
    return parted(sum(work.clients for work in shown.machine.work), len(shown.members), member)


def sort_memory(shown: Shown) -> tuple[int, int]:
    """Return the pages of shared sort memory that a member has allocated, and the high-water mark.

    The number of concurrent sorts and joins is the model's; the maximum over a long time is four deviations of a
    Poisson number more.
    """
    machine, at_once = shown.machine, shown.found.at_once
    heap = memory.granted(settings.size(machine, "SORTHEAP"), settings.shared_sort(machine), at_once)
    most = math.ceil(at_once + 4 * math.sqrt(at_once)) if at_once > 0 else 0
    alive = sum(
        work.clients * max(1, math.ceil(sum(each.count for each in (*work.sorts, *work.joins))))
        for work in machine.work
        if work.sorts or work.joins
    )
    members = len(shown.members)
    pages = [each * heap / settings.PAGE / members for each in (at_once, min(most, alive))]
    limit = settings.shared_sort(machine) / settings.PAGE
    now, top = (int(min(each, limit)) for each in pages)
    return now, max(now, top)


def _lock_list(shown: Shown) -> int:
    """Bytes of the lock list in use at a member: half the locks of all who are at work."""
    held = 0.0
    for work, outcome in zip(shown.machine.work, shown.outcome.classes, strict=True):
        held += outcome.throughput * outcome.response * work.locks / 2
    room = settings.size(shown.machine, "LOCKLIST")
    return int(min(room, held * locks.LOCK_BYTES / len(shown.members)))


def _package_overflows(shown: Shown) -> float:
    """Return the statements a second that find the package cache full of sections in use (IBM, "pckcachesz").

    Each agent at work with dynamic statements holds one; how many there are varies as a Poisson number. A section that
    is inserted while more are in use than there is room for overflows the cache.
    """
    held = [
        (each.throughput * each.response, work.section)
        for each, work in zip(shown.outcome.classes, shown.machine.work, strict=True)
        if work.dynamic
    ]
    at_work = sum(count for count, _ in held)
    if at_work <= 0:
        return 0.0
    mean = sum(count * section for count, section in held) / at_work
    room = math.floor(settings.size(shown.machine, "PCKCACHESZ") / mean)
    return _more_than(room, at_work) * compiled(shown)


def _more_than(limit: int, mean: float) -> float:
    """Return the probability that a Poisson number is above a limit; by the normal one if the mean is large."""
    if limit > mean + 20 * (1 + math.sqrt(mean)):
        return 0.0
    if mean > MANY:
        return 0.5 * math.erfc((limit + 0.5 - mean) / math.sqrt(2 * mean))
    terms = (math.exp(n * math.log(mean) - mean - math.lgamma(n + 1)) for n in range(limit + 1))
    return max(0.0, 1 - sum(terms))


def compiled(shown: Shown) -> float:
    """Return the statements a second that the package cache had not."""
    triples = zip(shown.outcome.classes, shown.machine.work, shown.outcome.package_hits, strict=True)
    return sum(each.throughput * work.dynamic * (1 - min(1.0, hit)) for each, work, hit in triples)


def database(shown: Shown) -> list[Row]:
    """MON_GET_DATABASE."""
    now, top = sort_memory(shown)
    return [
        {
            "MEMBER": member,
            "DB_CONN_TIME": f"{shown.activated:%Y-%m-%d %H:%M:%S}",
            "UPTIME_S": int(shown.uptime),
            "SORT_HEAP_TOP": top,
            "SORT_SHRHEAP_TOP": top,
            "SORT_SHRHEAP_ALLOCATED": now,
            "CAT_CACHE_OVERFLOWS": 0,
            "PKG_CACHE_NUM_OVERFLOWS": shown.cut(_package_overflows(shown)),
            "LOCK_LIST_IN_USE": _lock_list(shown),
            "APPLS_CUR_CONS": clients(shown, member),
            "CONNECTIONS_TOP": clients(shown, member),
        }
        for member in shown.members
    ]


def agents(shown: Shown) -> list[Row]:
    """MON_GET_INSTANCE."""
    return [
        {"MEMBER": member, "NUM_COORD_AGENTS": clients(shown, member), "COORD_AGENTS_TOP": clients(shown, member)}
        for member in shown.members
    ]


def memory_sets(shown: Shown) -> list[Row]:
    """MON_GET_MEMORY_SET: the database's own memory and that of the agents, which together are all that is used."""
    everybody = sum(work.clients for work in shown.machine.work) * demand.AGENT
    ours = shown.outcome.memory_used / len(shown.members) - everybody
    rows = []
    for member in shown.members:
        for kind, name, size in (("DATABASE", "TWIN", ours), ("PRIVATE", "-", everybody)):
            kb = int(size / 1024)
            row = {"MEMBER": member, "MEMORY_SET_TYPE": kind, "DB_NAME": name, "MEMORY_SET_COMMITTED": kb}
            rows.append(row | {"MEMORY_SET_USED": kb, "MEMORY_SET_USED_HWM": kb})
    return rows


def members(shown: Shown) -> list[Row]:
    """SYSIBMADM.DB2_MEMBER."""
    return [{"MEMBER": member, "HOME_HOST": HOST, "STATE": "STARTED"} for member in shown.members]


def groups(shown: Shown) -> list[Row]:
    """SYSCAT.DBPARTITIONGROUPDEF: all table spaces are on all members."""
    return [{"DBPGNAME": "IBMDEFAULTGROUP", "DBPARTITIONNUM": member, "IN_USE": "Y"} for member in shown.members]


def distribution(shown: Shown) -> list[Row]:
    """SYSCAT.PARTITIONMAPS: an even map, of 4,096 buckets before 10.1."""
    buckets, count = 32768 if shown.machine.level >= (10, 1) else 4096, len(shown.members)
    return [
        {"DBPGNAME": "IBMDEFAULTGROUP", "DBPARTITIONNUM": member, "BUCKETS": parted(buckets, count, member)}
        for member in shown.members
        if count > 1
    ]


def lock_waits(shown: Shown) -> list[Row]:
    """MON_GET_APPL_LOCKWAIT: as many as wait at a time on average (Little's law), for exclusive locks."""
    waiting, waits = round(shown.outcome.locking.waited), shown.outcome.locking.waits
    rows = []
    for member in shown.members:
        here = parted(waiting, len(shown.members), member)
        if here:
            longest = int(shown.outcome.locking.waited / waits)
            row = {"MEMBER": member, "MODE_REQUESTED": "X", "MODE_HELD": "X"}
            rows.append(row | {"WAITERS": here, "LONGEST_WAIT_S": longest})
    return rows


def log(shown: Shown) -> list[Row]:
    """Return MON_GET_TRANSACTION_LOG: on average half of the most log that the cleaners leave is in use.

    The model has no full log: a log without a configured size ends at its primary files.
    """
    found, count = shown.outcome.log, len(shown.members)  # the outcome is of one member's log
    writes = found.writes * count
    full, part = found.bytes_per_second * count / 4096, writes / 2
    size, primary, further = parameters.log_files(shown)
    room = int(size * settings.PAGE * (primary + max(0, further)))
    ends = room if "LOGPRIMARY" in shown.machine.dbcfg else int(size * settings.PAGE * primary)
    most = min(ends, int(parameters.log_held(shown)))
    used = most // 2
    return [
        {
            "MEMBER": member,
            "TOTAL_LOG_AVAILABLE": room - used if further >= 0 else -1,
            "TOTAL_LOG_USED": used,
            "SEC_LOGS_ALLOCATED": max(0, math.ceil(most / settings.PAGE / size) - primary),
            "SEC_LOG_USED_TOP": max(0, most - int(size * settings.PAGE * primary)),
            "TOT_LOG_USED_TOP": most,
            "LOG_WRITES": shown.cut(full + part),
            "LOG_WRITE_TIME": shown.cut(MS * writes * found.write_time),
            "NUM_LOG_WRITE_IO": shown.cut(writes),
            "NUM_LOG_PART_PAGE_IO": shown.cut(part),
            "NUM_LOG_BUFFER_FULL": shown.cut(found.full * count),
            "LOG_HADR_WAIT_TIME": 0,
            "LOG_HADR_WAITS_TOTAL": 0,
        }
        for member in shown.members
    ]


def swapped(shown: Shown) -> float:
    """Pages a second that are read from the paging space, and as many that are written."""
    swap = shown.machine.swap
    return shown.outcome.utilisation[swap.name] * swap.disks / devices.random_access(swap, 4096.0) / 2


def system(shown: Shown) -> list[Row]:
    """ENV_GET_SYSTEM_RESOURCES: one host; memory in megabytes, use of processors in percent."""
    host, found = shown.machine.host, shown.outcome
    pages = swapped(shown)
    return [
        {
            "MEMBER": member,
            "HOST_NAME": HOST,
            "OS_NAME": "Linux",
            "CPU_TOTAL": host.processors.logical,
            "CPU_ONLINE": host.processors.logical,
            "CPU_HMT_DEGREE": 1 if host.processors.virtual else host.processors.threads,
            "CPU_CORES_PER_SOCKET": max(1, host.processors.cores // host.processors.nodes),
            "MEMORY_TOTAL": int(host.memory / 2**20),
            "MEMORY_FREE": max(0, int((host.memory - host.others - found.memory_used) / 2**20)),
            "CPU_USAGE_TOTAL": round(100 * found.utilisation["cpu"]),
            "SWAP_PAGES_IN": math.floor(pages * shown.uptime),
            "SWAP_PAGES_OUT": math.floor(pages * shown.uptime),
        }
        for member in shown.members
    ]


Fact = tuple[str, str, str]
RAID = {1.0: "0", 2.0: "10", 4.0: "5"}


def number(value: float) -> str:
    """A number as facts have it: digits, at most one decimal point."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _processors(shown: Shown) -> Iterator[Fact]:
    p = shown.machine.host.processors
    if p.virtual:
        yield "cpu", "cores", str(p.virtual)
        yield "cpu", "threads_per_core", "1"
        yield "hypervisor", "host_threads", str(p.cores * p.threads)
        yield "hypervisor", "sum_vcpus", str(p.guests * p.virtual)
        yield "hypervisor", "vms", str(p.guests)
        yield "hypervisor", "numa_cores", str(p.cores // p.nodes)
    else:
        yield "cpu", "cores", str(p.cores)
        yield "cpu", "sockets", str(p.nodes)
        yield "cpu", "threads_per_core", str(p.threads)
        yield "numa", "nodes", str(p.nodes)
        yield "numa", "remote_pct", number(100 * remote_share(p, shown.machine.host.bound))
        yield "virtual", "type", "none"


def _memory(shown: Shown) -> Iterator[Fact]:
    host, used = shown.machine.host, shown.outcome.memory_used
    yield "memory", "total_kb", str(int(host.memory / 1024))
    yield "memory", "available_kb", str(max(0, int((settings.real_memory(shown.machine) - used) / 1024)))
    pages = swapped(shown)
    yield "memory", "swap_in_per_s", number(4 * pages)
    yield "memory", "swap_out_per_s", number(4 * pages)
    yield "sysctl", "page_kb", "4"
    large = host.large_page
    if 4096 < large < GIB:
        pools = sum(each.pages * each.page_size for each in shown.machine.pools)
        yield "memory", "hugepage_kb", str(int(large / 1024))
        yield "memory", "hugepages_total", str(int(-(-pools // large)))
        yield "memory", "hugepages_free", "0"
    else:
        yield "memory", "hugepages_total", "0"


def _device(shown: Shown, disk: Device, at: int) -> Iterator[Fact]:
    key = f"device:{disk.name}"
    yield key, "data_disks", str(disk.disks)
    yield key, "rotational", "1" if disk.rpm else "0"
    yield key, "strip_kb", str(int(disk.stripe / 1024))
    yield key, "readahead_sectors", str(int(disk.read_ahead / 512))
    if disk.write_accesses in RAID and disk.rpm and disk.disks > 1:
        yield key, "raid_level", RAID[disk.write_accesses]
    busy = shown.outcome.utilisation[disk.name]
    if disk.name == shown.machine.log_device:
        busy = max(busy, min(1.0, shown.outcome.log.busy))
    yield key, "busy_pct", number(100 * min(1.0, busy))
    queue = rate = 0.0
    found = shown.found
    for flow, waiting in zip(found.network.flows, found.solution.queue, strict=True):
        if flow.station == at:
            queue += float(waiting)
            rate += float(found.solution.throughput[flow.customer]) * flow.visits
    if rate > 0:
        yield key, "queue_length", number(queue)
        yield key, "await_ms", number(1000 * queue / rate)


def _devices(shown: Shown) -> Iterator[Fact]:
    for place, disk in enumerate(shown.machine.devices):
        yield from _device(shown, disk, flows.CPU + 1 + 2 * place)
    for space in shown.machine.spaces:
        for member in shown.members:
            for each in range(space.containers):
                yield f"container:{traffic.container(space.name, member, each)}", "device", space.device
    yield f"path:{settings.log_path(shown.machine)}", "device", shown.machine.log_device
    spare = settings.spare_device(shown.machine)
    if spare and len(shown.members) == 1:
        path = settings.log_path(replace(shown.machine, log_device=spare))
        yield "logtarget", "path", path
        yield f"path:{path}", "device", spare


def facts(shown: Shown) -> list[Row]:
    """TUNE.HOSTFACT."""
    every = (*_processors(shown), *_memory(shown), *_devices(shown))
    return [{"HOST": HOST, "FACT_KEY": key, "ITEM": item, "VALUE": value} for key, item, value in every]
