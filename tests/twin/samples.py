"""Machines to try mechanisms on: small, ordinary, and not of any paper."""

from __future__ import annotations

from dataclasses import replace

from tests.twin.cpu import GIB, Processors
from tests.twin.devices import Device
from tests.twin.machine import Access, Host, Machine, Pool, Space, Store, Work, Working


def orders(clients: int = 60) -> Machine:
    """Short transactions on an array of 24 disks, log on two others."""
    return Machine(
        Host(Processors(8), memory=16 * GIB),
        (Device("data", 24), Device("log", 2)),
        (Pool("BP", 250_000),),
        (Space("TABLES", "BP", "data", containers=4), Space("INDEXES", "BP", "data", containers=4)),
        (Store("ORDERS", "TABLES", 2_000_000, 0.9), Store("ORDERS_PK", "INDEXES", 300_000, 1.0, index=True)),
        (
            Work(
                "new order",
                clients,
                0.003,
                (Access("ORDERS", random=12, updates=4), Access("ORDERS_PK", random=20, updates=1)),
                log_bytes=5000,
                locks=12,
                dynamic=2,
            ),
        ),
        "log",
        dbcfg={"PCKCACHESZ": "4000", "LOGBUFSZ": "1024"},
    )


def reports(clients: int = 2) -> Machine:
    """Scans with sorts and joins, with a temporary table space on the same disks."""
    return Machine(
        Host(Processors(8), memory=16 * GIB),
        (Device("data", 12), Device("log", 2)),
        (Pool("BP", 60_000, 16384), Pool("TEMP", 4_000, 16384)),
        (Space("FACTS", "BP", "data", extent=24, prefetch=96, containers=4), Space("TEMPSPACE", "TEMP", "data")),
        (Store("FACT", "FACTS", 400_000, 0.0),),
        (
            Work(
                "report",
                clients,
                0.2,
                (Access("FACT", sequential=100_000),),
                sorts=(Working(2, 120e6, 1_000_000),),
                joins=(Working(1, 40e6, probe=400e6),),
                statements=1,
            ),
        ),
        "log",
        temporary="TEMPSPACE",
        dbcfg={"SORTHEAP": "2048", "SHEAPTHRES_SHR": "100000"},
    )


def both() -> Machine:
    """Orders and reports on one machine."""
    left, right = orders(), reports()
    return replace(
        left,
        pools=(*left.pools, replace(right.pools[0], name="BP16"), right.pools[1]),
        spaces=left.spaces + tuple(replace(s, pool="BP16") if s.pool == "BP" else s for s in right.spaces),
        stores=left.stores + right.stores,
        work=left.work + right.work,
        temporary="TEMPSPACE",
    )
