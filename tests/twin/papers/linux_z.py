"""Db2 8.2 on Linux on System z, short transactions with a customer table space (Amrehn and Pasch, session 9292).

Told: SCSI disks of a DS8000 by logical volumes, Linux, Db2 8.2, and the milestones, one after the other. The work is
that of order entry: rows, sizes and references are those of Leutenegger and Dias, *A Modeling Study of the TPC-C
Benchmark* (1993); the customer table space and its index are a part of it, as in the session.

Free: warehouses, memory and pools, processors, disks and their cache, paths, clients, and how long runs of neighbouring
pages are. Runs, disks and paths move the first step most; the second hardly moves.
"""

from __future__ import annotations

from dataclasses import replace

from tests.twin.cpu import GIB, Processors
from tests.twin.devices import KIB, MIB, Device
from tests.twin.machine import Access, Host, Machine, Pool, Space, Store, Work

WAREHOUSES = 200
CLIENTS = 50
PAGE = 4096
PATHS = 2 * 200 * MIB  # two fibre channel ports of 2 Gb/s


def _levels(entries: float, entry: float, page: float) -> int:
    """Levels of an index whose pages are two thirds full (Yao 1978)."""
    fan_out, pages, levels = page * 0.69 / entry, entries, 0
    while pages > 1:
        pages, levels = pages / fan_out, levels + 1
    return levels


def _leaves(entries: float, entry: float, page: float) -> int:
    return round(entries * entry / (page * 0.69))


def stores(index_page: int = PAGE) -> tuple[Store, ...]:
    """Tables and indexes, in pages; skews are the Zipf exponents nearest to the benchmark's NURand (stock, customer)."""
    w = WAREHOUSES
    return (
        Store("STOCK", "STOCK", w * 100_000 // 13, 0.6),
        Store("CUSTOMER", "CUSTOMER", w * 30_000 // 6, 0.5),
        Store("ORDER_LINE", "ORDERS", w * 300_000 // 70, 0.8),
        Store("ORDERS", "ORDERS", w * 30_000 // 120, 0.8),
        Store("ITEM", "SMALL", 100_000 // 45, 0.6),
        Store("DISTRICT", "SMALL", w, 0.0),
        Store("STOCK_PK", "INDEXES", _leaves(w * 100_000, 16, PAGE), 0.5, index=True),
        Store("ORDER_LINE_PK", "INDEXES", _leaves(w * 300_000, 20, PAGE), 0.8, index=True),
        Store("CUSTOMER_IX", "CUSTOMER_IX", 2 * _leaves(w * 30_000, 45, index_page), 0.4, index=True),
    )


def order_entry(index_page: int = PAGE) -> Work:
    """The mean transaction of the mix (45, 43, 4, 4, 4 percent): references to pages."""
    w = WAREHOUSES
    probes = 1.8  # of the customer index: by number or by name, payment for the greater part
    return Work(
        "order entry",
        CLIENTS,
        0.0018,
        (
            Access("STOCK", random=4.5 + 0.04 * 160, updates=4.5, run=1.5),
            Access("CUSTOMER", random=2.3, updates=1.0, run=1.5),
            Access("ORDER_LINE", random=1.5 + 0.04 * 4 + 0.04 * 10, updates=1.2, run=2.0),
            Access("ORDERS", random=1.2, updates=0.6, run=2.0),
            Access("ITEM", random=4.5),
            Access("DISTRICT", random=2.5, updates=0.9),
            Access("STOCK_PK", random=5.0, run=1.5),
            Access("ORDER_LINE_PK", random=2.0, updates=0.6, run=2.0),
            Access("CUSTOMER_IX", random=probes * (_levels(w * 30_000, 45, index_page) - 1), run=2.0),
        ),
        statements=12,
        log_bytes=2500,
        locks=1.3,
        hot_rows=5 * w,
        hot_skew=0.0,
    )


def start() -> Machine:
    """Before the first milestone: prefetching and read-ahead on, CHNGPGS_THRESH 30, one pool."""
    spaces = [
        Space(name, "BP", "ds8000", extent=32, prefetch=32, containers=4, file_system_caching=True)
        for name in ("STOCK", "CUSTOMER", "ORDERS", "SMALL", "INDEXES", "CUSTOMER_IX")
    ]
    return Machine(
        Host(Processors(4), memory=5 * GIB, io_cpu=0.00005),
        (
            Device("ds8000", 128, write_cache=True, write_accesses=4, cached=0.8, read_ahead=128 * KIB, path=PATHS),
            Device("log", 8, write_cache=True),
        ),
        (Pool("BP", 2_000 * 256),),
        tuple(spaces),
        stores(),
        (order_entry(),),
        "log",
        level=(8, 2),
        dbcfg={
            "CHNGPGS_THRESH": "30",
            "NUM_IOCLEANERS": "16",
            "NUM_IOSERVERS": "16",
            "LOGBUFSZ": "512",
            "SOFTMAX": "300",
        }
        | {"LOGFILSIZ": "50000"},
    )


def no_read_ahead(machine: Machine) -> Machine:
    """Table space prefetch 0, logical volumes' read-ahead 0."""
    return replace(
        machine,
        spaces=tuple(replace(space, prefetch=0) for space in machine.spaces),
        devices=tuple(replace(device, read_ahead=0.0) for device in machine.devices),
    )


def threshold(machine: Machine) -> Machine:
    """CHNGPGS_THRESH from 30 to 60."""
    return replace(machine, dbcfg=machine.dbcfg | {"CHNGPGS_THRESH": "60"})


def customer_pools(machine: Machine) -> Machine:
    """Pools of their own for the customer table space, data and index: memory that the file system had before."""
    names = {"CUSTOMER": "BP_CUSTOMER", "CUSTOMER_IX": "BP_CUSTOMER_IX"}
    return replace(
        machine,
        pools=(*machine.pools, Pool("BP_CUSTOMER", 300 * 256), Pool("BP_CUSTOMER_IX", 500 * 256)),
        spaces=tuple(replace(space, pool=names.get(space.name, space.pool)) for space in machine.spaces),
    )


def larger_index_pages(machine: Machine) -> Machine:
    """Pages of 8 KB for the customer index, in a pool of the same size."""
    pools = tuple(
        replace(pool, page_size=8192, pages=pool.pages // 2) if pool.name == "BP_CUSTOMER_IX" else pool
        for pool in machine.pools
    )
    return replace(machine, pools=pools, stores=stores(8192), work=(order_entry(8192),))


STEPS = (no_read_ahead, threshold, customer_pools, larger_index_pages)
PUBLISHED = (1.43, 1.07, 1.14, 1.11)


def milestones() -> list[Machine]:
    """The machine before, and after each milestone."""
    machines = [start()]
    for step in STEPS:
        machines.append(step(machines[-1]))
    return machines
