"""The log: what a commit waits for, and how many commits share one write.

Without MINCOMMIT, and always since Db2 10.1 (which took it out of use), the logger writes its buffer as soon as the
last write is done: a single server that serves all waiting commits at once. Its busy share and its waiting time have a
closed form (Chaudhry and Templeton, *Bulk Queues*, 1983: M/D[inf]/1). Times in seconds, sizes in bytes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

LOG_PAGE = 4096
LONGEST_WAIT = 1.0  # MINCOMMIT holds a commit back for a second at most (IBM, "mincommit")
HELD_FROM = 10  # commits of one user alone are not held back: grouping needs several at once


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
