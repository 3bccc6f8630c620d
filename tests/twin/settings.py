"""The configuration in numbers: defaults and AUTOMATIC as the manuals of the level have them.

Source: IBM, Db2 documentation, "Database configuration parameters" and "Registry and environment variables".
"""

from __future__ import annotations

import math

from tests.twin import cleaning, prefetch
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
}
OLDER = {"SOFTMAX": "100", "LOGBUFSZ": "8", "NUM_IOCLEANERS": "1", "NUM_IOSERVERS": "3"}
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
        return members * prefetch.automatic_servers(side, machine.host.processors.logical // members, machine.level)
    return members * int(number(machine, "NUM_IOSERVERS"))


def prefetch_size(machine: Machine, space: Space) -> int:
    """PREFETCHSIZE in pages."""
    if space.prefetch >= 0:
        return space.prefetch
    return prefetch.automatic_size(space.extent, space.containers, per_container(machine, space))


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
