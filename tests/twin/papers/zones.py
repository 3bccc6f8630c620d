"""One instance on four sockets, and one to four instances bound to a socket each (Sun Fire X4470, 2010).

Told: four Xeon X7560 of eight cores with two threads; 47 SATA disks, triple mirrored, behind a 10 Gb network; one
instance out of the box uses 20 % of the processors; bound to a socket it does 22 % more, two of them 2.51 times as
much as out of the box, three 2.96, four 3.68 at more than 95 % of the processors.

Free: processor time and reads of a transaction, the share stalled and the price of remote memory, and the time under
a latch: the one that leaves four fifths of the processors idle out of the box.
"""

from __future__ import annotations

from tests.twin.cpu import GIB, Processors
from tests.twin.devices import MIB, Device
from tests.twin.machine import Access, Host, Machine, Pool, Space, Store, Work

PUBLISHED = (1.22, 2.51, 2.96, 3.68)
CPU = 0.004
LATCHED = CPU / 16


def machine(bound: bool, instances: int = 1) -> Machine:
    """Return one instance; of several instances, each has its part of the disks and of the network."""
    sockets = 1 if bound else 4
    return Machine(
        Host(
            Processors(8 * sockets, nodes=sockets, threads=2, second_thread=0.25, stalled=0.4, remote=2.0),
            memory=sockets * 32 * GIB,
            bound=bound,
        ),
        (
            Device(
                "iscsi",
                47 // instances,
                seek=0.0085,
                rpm=7200,
                write_cache=True,
                cached=0.97,
                path=1100 * MIB / instances,
            ),
        ),
        (Pool("BP", 6 * 262_144),),
        (Space("DATA", "BP", "iscsi", prefetch=0),),
        (Store("ORDERS", "DATA", 2_000_000, 1.0),),
        (
            Work(
                "order",
                200,
                CPU,
                (Access("ORDERS", random=30, updates=2),),
                serial=LATCHED,
                log_bytes=3000,
                locks=4,
                hot_rows=100_000,
            ),
        ),
        "iscsi",
        level=(9, 7),
        dbcfg={"LOGBUFSZ": "2048", "LOGFILSIZ": "100000", "SOFTMAX": "300", "LOCKLIST": "20000"},
    )
