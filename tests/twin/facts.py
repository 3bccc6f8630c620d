"""The machine's host facts as a capture holds them (`docs/hostfacts.md`).

Device rates come from the model: requests a second, and by Little's law their number and duration.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.twin import flows, instance, settings, traffic
from tests.twin.cpu import GIB, remote_share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.twin.disks import Device
    from tests.twin.monitored import Row, Shown

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
    pages = instance.swapped(shown)
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
    return [{"HOST": instance.HOST, "FACT_KEY": key, "ITEM": item, "VALUE": value} for key, item, value in every]
