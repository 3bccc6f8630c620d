"""Four guests with four virtual processors each, and with six (Kokosielis and others, WP-7109, 2010, section 4.3).

Told: two Xeon X5570 of four cores with two threads, four guests with 5 GB, databases of 1.6 GB, log on flash, data on
arrays of 112 disks of 15k, 3500 I/Os a second a guest, the same load with more processors: 6.5 % less at the peak.
Taken from elsewhere: 65 ns for local and 105 ns for remote memory (Molka 2009).

Free: processor time of a transaction (so that 3500 I/Os go with full processors), the share of it that is stalled.
"""

from __future__ import annotations

from tests.twin.cpu import GIB, Processors
from tests.twin.devices import Device, flash
from tests.twin.machine import Access, Host, Machine, Pool, Space, Store, Work

PUBLISHED = 0.065


def machine(virtual: int, stalled: float = 0.3) -> Machine:
    """One of the four guests; the arrays are shared by all."""
    return Machine(
        Host(
            Processors(
                8, nodes=2, threads=2, second_thread=0.25, stalled=stalled, remote=105 / 65, virtual=virtual, guests=4
            ),
            memory=5 * GIB,
        ),
        (Device("netapp", 112 // 4, write_cache=True, cached=0.3), flash("ssd")),
        (Pool("BP", 75_000),),
        (Space("DATA", "BP", "netapp", prefetch=0),),
        (Store("TABLES", "DATA", 300_000, 0.9), Store("INDEXES", "DATA", 100_000, 1.0, index=True)),
        (
            Work(
                "order entry",
                120,
                0.0045,
                (Access("TABLES", random=9, updates=3), Access("INDEXES", random=16, updates=0.5)),
                log_bytes=2500,
                locks=2,
                hot_rows=20_000,
                hot_skew=0.0,
            ),
        ),
        "ssd",
        level=(9, 7),
        dbcfg={
            "CHNGPGS_THRESH": "40",
            "NUM_IOCLEANERS": "20",
            "SOFTMAX": "1000",
            "LOGFILSIZ": "16384",
            "SEQDETECT": "NO",
        }
        | {"LOGBUFSZ": "8192", "LOCKLIST": "5000", "MAXLOCKS": "100"},
        registry={"DB2_USE_ALTERNATE_PAGE_CLEANING": "YES"},
    )
