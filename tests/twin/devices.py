"""Times of disks, flash and arrays; writes of the log; reads ahead of an agent.

Devices: Ruemmler and Wilkes, *An Introduction to Disk Drive Modeling* (1994): seek, half a revolution, transfer;
Chen, Lee, Gibson, Katz, Patterson, *RAID* (1994): small writes of RAID 5 cost four accesses, of RAID 10 two; the
longest of k uniform rotations lasts k/(k+1) of a revolution. Times in seconds, sizes in bytes, rates in bytes/s.

The log: without MINCOMMIT, and always since Db2 10.1 (which took it out of use), the logger writes its buffer as soon as the
last write is done: a single server that serves all waiting commits at once. Its busy share and its waiting time have a
closed form (Chaudhry and Templeton, *Bulk Queues*, 1983: M/D[inf]/1). Times in seconds, sizes in bytes.

Prefetching: IBM, Db2 documentation, "Prefetching data into the buffer pool", "Optimizing parallel I/O", "num_ioservers",
"seqdetect", "Table space extent and prefetch size": a prefetch request of PREFETCHSIZE pages is cut into reads of an
extent, one container after the other; prefetchers do them in parallel. Runs of neighbouring pages have geometric
lengths; sequential detection starts at a run's third page. Sizes in pages unless noted otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

MIB = 1024.0 * 1024.0
KIB = 1024.0


@dataclass(frozen=True)
class Device:
    """An array of `disks` identical disks behind one controller; flash has no seek or rotation.

    `overhead` is the controller's and the path's time of a request, `cached` the share of reads that the controller
    finds in its cache. With `write_cache`, a write is done when it is in memory that survives a loss of power. `path`
    is the bytes a second that the channels carry, `read_ahead` the bytes that the block layer reads on.
    """

    name: str
    disks: int = 1
    seek: float = 0.0036
    rpm: float = 15000.0
    transfer: float = 70 * MIB
    overhead: float = 0.0002
    write_accesses: float = 1.0
    write_cache: bool = False
    cached: float = 0.0
    stripe: float = 64 * KIB
    path: float = 400 * MIB
    read_ahead: float = 0.0

    @property
    def revolution(self) -> float:
        """Seconds; none of flash, whose rpm is 0."""
        return 60.0 / self.rpm if self.rpm else 0.0


def random_access(device: Device, size: float) -> float:
    """The time that one disk is busy with `size` bytes somewhere."""
    return device.seek + device.revolution / 2 + size / device.transfer


def sequential_access(device: Device, size: float) -> float:
    """The time for the next `size` bytes of a stream that the arm is at: transfer, and a track change a revolution."""
    track = device.transfer * device.revolution
    changes = size / track * device.seek / 4 if track else 0.0
    return size / device.transfer + changes


def spread(device: Device, size: float) -> int:
    """How many disks work on a read of `size` bytes."""
    return int(max(1, min(device.disks, -(-size // device.stripe))))


def together(device: Device, ways: int, reads: int) -> float:
    """How many disks work when `reads` of `ways` disks each begin anywhere: some meet on the same (occupancy)."""
    return device.disks * (1 - (1 - ways / device.disks) ** reads)


def striped_access(device: Device, size: float) -> float:
    """How long a read of `size` bytes lasts when the disks of its stripes work side by side: until the slowest."""
    ways = spread(device, size)
    turn = device.revolution * ways / (ways + 1)
    return device.seek + turn + size / ways / device.transfer


def write_ways(device: Device) -> float:
    """How many of a small write's accesses are side by side: both mirrors, or old data and parity, then new ones.

    Chen et al., ch. 3.2. Of two that begin together the longer one lasts 1.5 times as long as one (exponential times).
    """
    return 2 / 1.5 if device.write_accesses >= 2 else 1.0


def flash(name: str, channels: int = 8, latency: float = 0.0001, transfer: float = 250 * MIB) -> Device:
    """Flash: `channels` serve at once, each in `latency` seconds and the transfer."""
    return Device(
        name, channels, seek=latency, rpm=0.0, transfer=transfer, overhead=0.00005, path=channels * transfer / 2
    )


LOG_PAGE = 4096
LONGEST_WAIT = 1.0  # MINCOMMIT holds a commit back for a second at most (IBM, "mincommit")


@dataclass(frozen=True)
class LogWrites:
    """Seconds a commit waits, writes and full log buffers a second, commits a write, the device's busy share."""

    wait: float
    writes: float
    group: float
    full: float
    busy: float
    bytes_per_second: float
    write_time: float


def busy_share(rate: float, write: float) -> float:
    """Return the share of time spent writing: after a write it rests only without arrivals, exp(-rate x write)."""
    if rate <= 0:
        return 0.0
    return write / (write + math.exp(-min(700.0, rate * write)) / rate)


def full_buffers(group_bytes: float, buffer: float) -> float:
    """How many whole buffers a write of exponentially distributed size has: 1 / (exp(buffer/mean) - 1)."""
    if group_bytes <= 0:
        return 0.0
    return 1.0 / math.expm1(min(700.0, buffer / group_bytes))


def log_writes(
    rate: float, size: float, latency: float, bandwidth: float, buffer: float, mincommit: int = 1
) -> LogWrites:
    """The logger at `rate` commits a second of `size` bytes each, on a device of that latency and bandwidth."""
    load = min(0.98, rate * size / bandwidth)
    least = latency + (size + LOG_PAGE / 2) / bandwidth  # the last page of a write is half full
    group, write = 1.0, least
    for _ in range(60):
        write = latency + (group * size + LOG_PAGE / 2) / bandwidth
        share = busy_share(rate, write)
        wanted = max(1.0, mincommit, rate * write / share) if share > 0 else float(max(1, mincommit))
        if abs(wanted - group) < 1e-9 * group:
            break
        group = 0.5 * group + 0.5 * min(wanted, (1 + rate * latency) / (1 - load) + mincommit)
    share = busy_share(rate / max(1, mincommit), write)
    held = min(LONGEST_WAIT, (mincommit - 1) / 2 / rate) if mincommit > 1 and rate > 0 else 0.0
    writes = rate / group if rate > 0 else 0.0
    full = writes * full_buffers(group * size, buffer)
    extra = full / rate * latency if rate > 0 else 0.0
    wait = held + write * (1 + share / 2) + extra
    return LogWrites(wait, writes + full, group, full, min(1.0, share), rate * size, write)


DETECTED_AFTER = 3
READ_AHEAD_AFTER = 2


@dataclass(frozen=True)
class Block:
    """A prefetch request: reads of `pages` each, `reads` of them, `side_by_side` at once."""

    pages: float
    reads: int
    side_by_side: int


@dataclass(frozen=True)
class Guess:
    """What detection of a run leads to, a run: requests, pages of them that are used, and pages read for nothing."""

    requests: float
    used: float
    wasted: float


def prefetch_block(prefetch: int, extent: int, containers: int, per_container: int, prefetchers: int) -> Block:
    """How a request of `prefetch` pages is read; `per_container` reads may be under way on one container."""
    if prefetch <= 0:
        return Block(0.0, 0, 0)
    pages = float(min(prefetch, extent))
    reads = math.ceil(prefetch / extent)
    return Block(pages, reads, max(1, min(reads, containers * per_container, prefetchers)))


def automatic_prefetch_size(extent: int, containers: int, per_container: int) -> int:
    """PREFETCHSIZE AUTOMATIC: containers x disks of each x extent (IBM, "Prefetch size adjustment")."""
    return extent * containers * per_container


def automatic_servers(parallelism: int, threads: int, level: tuple[int, int]) -> int:
    """NUM_IOSERVERS AUTOMATIC (IBM, "num_ioservers" of 10.1, 10.5 and note 1991890)."""
    if level < (10, 5):
        return max(parallelism, 3)
    return max(parallelism, threads, 12 if level > (10, 5) else 16)


def guess(run: float, prefetch: float, after: int = DETECTED_AFTER) -> Guess:
    """Runs of geometric length with mean `run`; a run that lasts beyond a request's pages asks for the next one.

    With q = 1 - 1/run a run reaches page n with q**(n-1), and of a request of P pages uses q(1-q**P)/(1-q).
    """
    if prefetch <= 0 or run <= 1:
        return Guess(0.0, 0.0, 0.0)
    q = 1 - 1 / run
    started = q ** (after - 1)
    through = q**prefetch
    requests = started / (1 - through)
    used = requests * q * (1 - through) / (1 - q)
    return Guess(requests, used, max(0.0, requests * prefetch - used))
