"""What a machine is: hardware, storage, objects, work, and the configuration by Db2's own names.

Sizes in bytes unless a field says pages, times in seconds, work a transaction.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.twin.cache import Popularity, hot_set, zipf
from tests.twin.cpu import GIB, Processors
from tests.twin.devices import Device

AUTOMATIC = "AUTOMATIC"
ONE_DISK = Device("swap", 1)


@dataclass(frozen=True)
class Host:
    """Processors, real memory, what a physical read or write costs, how fast memory is copied.

    With `bound`, processes stay on the processors of their memory's node. `large_page` is the page size that the
    operating system uses for the buffer pools; a reference to a page of a pool looks up `lookups` addresses. Other
    programs have `others` bytes.
    """

    processors: Processors
    memory: float = 16 * GIB
    io_cpu: float = 0.00003
    copy: float = 1 * GIB
    bound: bool = False
    large_page: float = 4096.0
    lookups: float = 0.0
    others: float = 0.0


@dataclass(frozen=True)
class Pool:
    """A buffer pool; `automatic` only tells captures that self-tuning memory gave it its size."""

    name: str
    pages: int
    page_size: int = 4096
    automatic: bool = False


@dataclass(frozen=True)
class Space:
    """A table space; sizes of extent and prefetch in pages, `prefetch` -1 is AUTOMATIC."""

    name: str
    pool: str
    device: str
    extent: int = 32
    prefetch: int = -1
    containers: int = 1
    per_container: int = 1
    file_system_caching: bool = False


@dataclass(frozen=True)
class Store:
    """A table's data or an index: its pages and how unevenly they are used (Zipf's exponent).

    With `hot`, that part of the pages gets the part `drawn` of the references, and there is no exponent.
    `row` is the bytes of a row, `table` the table of an index: only captures use them, the model counts pages.
    """

    name: str
    space: str
    pages: int
    skew: float = 0.8
    index: bool = False
    row: int = 200
    table: str = ""
    hot: float = 0.0
    drawn: float = 0.0

    @property
    def popularity(self) -> Popularity:
        """Groups of its pages."""
        return hot_set(self.pages, self.hot, self.drawn) if self.hot else zipf(self.pages, self.skew)


@dataclass(frozen=True)
class Access:
    """What a transaction does to a store: `random` references to pages, `sequential` pages scanned, page `updates`.

    Random references come in runs of neighbouring pages, `run` long on average. A scanned page costs `page_cpu`.
    """

    store: str
    random: float = 0.0
    sequential: float = 0.0
    updates: float = 0.0
    run: float = 1.0
    page_cpu: float = 0.00005


@dataclass(frozen=True)
class Working:
    """Sorts or hash joins: `count` a transaction, of `size` bytes (build), joins with `probe` bytes, `rows` sorted."""

    count: float
    size: float
    rows: float = 0.0
    probe: float = 0.0


@dataclass(frozen=True)
class Work:
    """A class of transactions by `clients` that think for `think` seconds in between.

    `statements` are requests over the network; `dynamic` of them look into the package cache for one of `distinct`
    statements of `section` bytes each, and are compiled in `compile_cpu` seconds when not there, with `lookups` in the
    catalog cache. `locks` are exclusive
    row locks on `hot_rows` rows. `serial` seconds are under a latch that only one agent of the instance can have. `shipped` bytes go from member to member, in `exchanges`. Of the clients, who
    all stay connected, `present` (a share) are at work at this hour.
    """

    name: str
    clients: int
    cpu: float
    accesses: tuple[Access, ...]
    think: float = 0.0
    statements: float = 10.0
    network_bytes: float = 4000.0
    dynamic: float = 0.0
    distinct: int = 100
    section: float = 12000.0
    compile_cpu: float = 0.005
    lookups: float = 4.0
    sorts: tuple[Working, ...] = ()
    joins: tuple[Working, ...] = ()
    log_bytes: float = 0.0
    locks: float = 0.0
    hot_rows: int = 1_000_000
    hot_skew: float = 0.5
    serial: float = 0.0
    shipped: float = 0.0
    exchanges: float = 0.0
    present: float = 1.0

    @property
    def population(self) -> float:
        """Clients that are at work, on average: of one who is there for half of the time, half."""
        return self.clients * self.present


@dataclass(frozen=True)
class Partitioning:
    """Members on the host; a message costs `message` seconds, a byte `byte` seconds.

    `skew` is the fullest member's data over the mean less 1, `varies` the coefficient of variation of a member's time
    for its part.
    """

    members: int = 1
    skew: float = 0.0
    varies: float = 0.0
    message: float = 0.00002
    byte: float = 2.0e-9


@dataclass(frozen=True)
class Machine:
    """Everything that the model needs; configuration by name, as the manuals have it.

    `tables` is how many descriptors the catalog cache could hold, `swap` the disk that memory is paged out to.
    """

    host: Host
    devices: tuple[Device, ...]
    pools: tuple[Pool, ...]
    spaces: tuple[Space, ...]
    stores: tuple[Store, ...]
    work: tuple[Work, ...]
    log_device: str
    temporary: str = ""
    level: tuple[int, int] = (11, 5)
    dbcfg: dict[str, str] = field(default_factory=dict)
    dbmcfg: dict[str, str] = field(default_factory=dict)
    registry: dict[str, str] = field(default_factory=dict)
    tables: int = 100
    swap: Device = ONE_DISK
    network_latency: float = 0.0002
    network_bandwidth: float = 100e6
    partitioning: Partitioning = Partitioning()


def device(machine: Machine, name: str) -> Device:
    """The array of that name."""
    return next(each for each in machine.devices if each.name == name)


def space(machine: Machine, name: str) -> Space:
    """The table space of that name."""
    return next(each for each in machine.spaces if each.name == name)


def pool(machine: Machine, name: str) -> Pool:
    """The buffer pool of that name."""
    return next(each for each in machine.pools if each.name == name)


def store(machine: Machine, name: str) -> Store:
    """The table or index of that name."""
    return next(each for each in machine.stores if each.name == name)


def page_size(machine: Machine, space_name: str) -> int:
    """Bytes of a page of a table space: those of its pool."""
    return pool(machine, space(machine, space_name).pool).page_size
