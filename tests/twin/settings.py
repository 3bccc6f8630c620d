"""The configuration in numbers: defaults and AUTOMATIC as the manuals of the level have them.

Source: IBM, Db2 documentation, "Database configuration parameters" and "Registry and environment variables".
"""

from __future__ import annotations

import math

from tests.twin import cleaning, devices
from tests.twin.cpu import GIB
from tests.twin.machine import AUTOMATIC, Machine, Space, device

PAGE = 4096.0

DEFAULTS = {
    "CHNGPGS_THRESH": "60",
    "LOCKLIST": "4096",
    "LOGBUFSZ": "256",
    "LOGFILSIZ": "1000",
    "LOGPRIMARY": "3",
    "MAXLOCKS": "22",
    "MINCOMMIT": "1",
    "NUM_IOCLEANERS": AUTOMATIC,
    "NUM_IOSERVERS": AUTOMATIC,
    "PAGE_AGE_TRGT_MCR": "240",
    "PCKCACHESZ": "1280",
    "CATALOGCACHE_SZ": "300",
    "SELF_TUNING_MEM": "OFF",
    "SEQDETECT": "YES",
    "SHEAPTHRES_SHR": "5000",
    "SOFTMAX": "0",
    "SORTHEAP": "256",
    "DBHEAP": "1200",
    "DATABASE_MEMORY": AUTOMATIC,
    "NEWLOGPATH": "",
}
OLDER = {"SOFTMAX": "100", "LOGBUFSZ": "8", "NUM_IOCLEANERS": "1", "NUM_IOSERVERS": "3"}
SYSTEM = 0.05  # of real memory the operating system takes for itself
LEAST_PART, MOST_PART = 0.75, 0.95  # of real memory: INSTANCE_MEMORY AUTOMATIC (IBM, r0005544), the larger the more
SMALL_HOST, LARGE_HOST = 8 * GIB, 512 * GIB  # that have the least and the most: assumed, even on a logarithmic scale
OVERFLOW = 0.05  # of a fixed DATABASE_MEMORY is kept for heaps that overflow
PERCENT = 100  # INSTANCE_MEMORY up to this is a percentage
YES = ("YES", "ON", "1", "TRUE", "Y")


def text(machine: Machine, name: str) -> str:
    """A database parameter as it stands, or its default: before 9.1 another one for some."""
    older = OLDER.get(name) if machine.level < (9, 1) else None
    if name == "SOFTMAX" and machine.level < (10, 5):
        older = OLDER[name]
    return machine.dbcfg.get(name, older or DEFAULTS[name]).upper()


def number(machine: Machine, name: str) -> float:
    """A database parameter in its own unit; of `AUTOMATIC` in one that has no formula here the default."""
    value = text(machine, name)
    if value.startswith(AUTOMATIC):
        inner = value[len(AUTOMATIC) :].strip("()")
        return float(inner or DEFAULTS[name])
    return float(value)


def size(machine: Machine, name: str) -> float:
    """A database parameter that counts pages of 4 KB, in bytes."""
    return number(machine, name) * PAGE


def on(machine: Machine, name: str) -> bool:
    """Whether a registry variable or a parameter of that name is on."""
    return machine.registry.get(name, machine.dbcfg.get(name, DEFAULTS.get(name, "NO"))).upper() in YES


def cleaners(machine: Machine) -> int:
    """NUM_IOCLEANERS of all members."""
    members = machine.partitioning.members
    if text(machine, "NUM_IOCLEANERS").startswith(AUTOMATIC):
        return members * cleaning.automatic_cleaners(machine.host.processors.logical, members)
    return members * int(number(machine, "NUM_IOCLEANERS"))


def per_container(machine: Machine, space: Space) -> int:
    """Reads that may be under way on one container: DB2_PARALLEL_IO names table spaces, or *, and disks of each."""
    value = machine.registry.get("DB2_PARALLEL_IO", "")
    if not value:
        return space.per_container
    return max(1, int(value.rpartition(":")[2])) if ":" in value else 6


def servers(machine: Machine) -> int:
    """NUM_IOSERVERS of all members."""
    members = machine.partitioning.members
    if text(machine, "NUM_IOSERVERS").startswith(AUTOMATIC):
        side = max(space.containers * per_container(machine, space) for space in machine.spaces)
        return members * devices.automatic_servers(side, machine.host.processors.logical // members, machine.level)
    return members * int(number(machine, "NUM_IOSERVERS"))


def prefetch_size(machine: Machine, space: Space) -> int:
    """PREFETCHSIZE in pages."""
    if space.prefetch >= 0:
        return space.prefetch
    return devices.automatic_prefetch_size(space.extent, space.containers, per_container(machine, space))


def mincommit(machine: Machine) -> int:
    """Return MINCOMMIT, which has no effect since 10.1 or with fewer applications than commits."""
    value = int(number(machine, "MINCOMMIT"))
    clients = sum(work.clients for work in machine.work)
    return value if machine.level < (10, 1) and clients >= value else 1


def oldest(machine: Machine, log_rate: float) -> float:
    """Seconds that a changed page may stay."""
    return cleaning.age_limit(
        machine.level,
        number(machine, "SOFTMAX"),
        size(machine, "LOGFILSIZ"),
        log_rate,
        number(machine, "PAGE_AGE_TRGT_MCR"),
    )


def shared_sort(machine: Machine) -> float:
    """SHEAPTHRES_SHR in bytes; 0 and AUTOMATIC have no limit here."""
    value = text(machine, "SHEAPTHRES_SHR")
    if value.startswith(AUTOMATIC) or value == "0":
        return math.inf
    return number(machine, "SHEAPTHRES_SHR") * PAGE


def instance_memory(machine: Machine) -> float:
    """Return the bytes of all members that INSTANCE_MEMORY allows; of AUTOMATIC the computed value.

    Db2 does not enforce the computed value; self-tuning memory keeps to what the host has (IBM, r0005544). Here all
    methods keep to both, so that none of them has more memory than another.
    """
    value = machine.dbmcfg.get("INSTANCE_MEMORY", AUTOMATIC).upper()
    memory = machine.host.memory
    if value.startswith(AUTOMATIC):
        large = math.log(max(memory, SMALL_HOST) / SMALL_HOST) / math.log(LARGE_HOST / SMALL_HOST)
        return memory * (LEAST_PART + (MOST_PART - LEAST_PART) * min(1.0, large))
    if float(value) <= PERCENT:
        return memory * float(value) / 100
    return float(value) * PAGE * machine.partitioning.members


def real_memory(machine: Machine) -> float:
    """Return the bytes that the system and other programs leave."""
    return machine.host.memory * (1 - SYSTEM) - machine.host.others


def database_memory(machine: Machine) -> float:
    """Return the bytes of all members that a fixed DATABASE_MEMORY leaves for pools and heaps."""
    value = text(machine, "DATABASE_MEMORY")
    if value.startswith(AUTOMATIC):
        return math.inf
    return float(value) * PAGE * machine.partitioning.members * (1 - OVERFLOW)


def log_path(machine: Machine) -> str:
    """Return the path of the log: one on each device that can have it."""
    return f"/db2/{machine.log_device}/log"


def spare_device(machine: Machine) -> str:
    """Return the device that has no data and no log; empty without such a device."""
    used = {space.device for space in machine.spaces} | {machine.log_device}
    return next((each.name for each in machine.devices if each.name not in used), "")


def log_latency(machine: Machine, queue: float) -> float:
    """Return the seconds from the order to write until the log is safe, without the transfer.

    A write cache that survives a loss of power answers at once. A separate disk turns half a revolution. If the data
    are on the same disks, the arm has to come back after the `queue` of waiting requests.
    """
    disk = device(machine, machine.log_device)
    if disk.write_cache:
        return disk.overhead * 2
    latency = disk.overhead + disk.revolution / 2 + (disk.seek if not disk.rpm else 0.0)
    if any(space.device == disk.name for space in machine.spaces):
        turn = disk.seek + disk.revolution / 2
        return disk.overhead + turn * (1 + queue)
    return latency
