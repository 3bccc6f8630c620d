"""Pages of the operating system: 4 KB, 64 KB, 16 MB, 16 GB (Kamath and Shah, POWER5+ and AIX, 2006).

Told: 16 processors of 2.2 GHz with 473 GB of pools for 8 TB, and 2 of 1.9 GHz with 18 GB for 25 GB; short
transactions; +13 %, then +8 %, then +3 % on the large one, +5 % for 64 KB on the small one. The hardware translates by
a TLB of 2048 entries and a third level cache of 36 MB for two cores (IBM J. R&D 49, 2005).

Free: how many addresses are looked up for a page, how unevenly pages are used.
"""

from __future__ import annotations

from tests.twin.cpu import GIB, KIB, MIB, Processors, Translation
from tests.twin.devices import Device
from tests.twin.machine import Access, Host, Machine, Pool, Space, Store, Work

SIZES = (4 * KIB, 64 * KIB, 16 * MIB, 16 * GIB)
PUBLISHED_LARGE = (1.13, 1.08, 1.03)
PUBLISHED_SMALL = 1.05
LOOKUPS = 50  # chosen by the small machine: the large one is what the model says


def machine(large: bool, page: float, skew: float = 0.9) -> Machine:
    """The large or the small machine with pages of a size."""
    cores, pool, database, memory = (16, 473, 8000, 512) if large else (2, 18, 25, 32)
    hardware = Translation(2048, 18 * MIB, walk_cached=2e-8, walk_memory=1.2e-7)
    return Machine(
        Host(
            Processors(cores, threads=2, second_thread=0.3, translation=hardware),
            memory=memory * GIB,
            large_page=page,
            lookups=LOOKUPS,
        ),
        (Device("arrays", 250 * cores, write_cache=True, path=cores * 400 * MIB), Device("log", 8, write_cache=True)),
        (Pool("BP", int(pool * GIB / 4096)),),
        (Space("DATA", "BP", "arrays", prefetch=0),),
        (Store("TABLES", "DATA", int(database * GIB / 4096), skew),),
        (Work("order entry", 300 * cores, 0.0009, (Access("TABLES", random=45, updates=8),), log_bytes=2500),),
        "log",
        level=(9, 1),
        dbcfg={"CHNGPGS_THRESH": "60", "LOGFILSIZ": "100000", "SOFTMAX": "300", "LOGBUFSZ": "4096"},
    )
