"""Business intelligence on a partitioned database, 8 processors and 32 (Thomas, xSeries 445, 2004).

Told: a member a processor, bound to it; two containers of six 15k disks each a member; 64 KB stripes, pages of 16 KB,
extents of 24, prefetch of 48; 16 KB x 60,000 of pool and SORTHEAP 6400 a member; 70 MB/s a disk, 1.1 GB/s by 8
processors; Hyper-Threading, which brings up to 13 %, with 8 processors and not with 32; 2.76 times the performance.

Free: what a page costs to work on (so that 8 processors read 1.1 GB/s when they are busy), what members exchange, how
much members vary, the clients.
"""

from __future__ import annotations

from tests.twin.cpu import GIB, Processors
from tests.twin.devices import MIB, Device
from tests.twin.machine import Access, Host, Machine, Partitioning, Pool, Space, Store, Work, Working

RATE = 1.1e9
PAGES = 2_000_000
CLIENTS = 3
PUBLISHED = 2.76


def machine(processors: int, threads: int, varies: float = 0.08, shipped: float = 2e9) -> Machine:
    """Return the machine with this many processors: all grows with it but the database and the exchanged data."""
    page_cpu = 8 * 1.13 / (RATE / 16384)
    return Machine(
        Host(
            Processors(processors, nodes=processors // 4, threads=threads, second_thread=0.13),
            memory=processors * 2 * GIB,
            bound=True,
        ),
        (Device("arrays", 12 * processors, transfer=70 * MIB, path=processors * 140 * MIB), Device("log", 4)),
        (Pool("BP16K", processors * 60_000, 16384), Pool("TEMP", processors * 4000, 16384)),
        (
            Space("EMPLOYEE_TABLE", "BP16K", "arrays", extent=24, prefetch=48, containers=2),
            Space("TEMPSPACE", "TEMP", "arrays", extent=24, prefetch=48, containers=2),
        ),
        (Store("FACT", "EMPLOYEE_TABLE", PAGES * 4, 0.0),),
        (
            Work(
                "query",
                CLIENTS,
                0.5,
                (Access("FACT", sequential=PAGES, page_cpu=page_cpu),),
                statements=1,
                joins=(Working(1, 200e6, probe=2e9),),
                shipped=shipped,
                exchanges=6,
            ),
        ),
        "log",
        temporary="TEMPSPACE",
        level=(8, 1),
        dbcfg={"SORTHEAP": "6400", "SHEAPTHRES_SHR": "0", "NUM_IOSERVERS": "12", "NUM_IOCLEANERS": "4"},
        partitioning=Partitioning(processors, varies=varies),
    )
