"""Times of disks, flash and arrays of them.

Sources: Ruemmler and Wilkes, *An Introduction to Disk Drive Modeling* (1994): seek, half a revolution, transfer;
Chen, Lee, Gibson, Katz, Patterson, *RAID* (1994): small writes of RAID 5 cost four accesses, of RAID 10 two; the
longest of k uniform rotations lasts k/(k+1) of a revolution. Times in seconds, sizes in bytes, rates in bytes/s.
"""

from __future__ import annotations

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
