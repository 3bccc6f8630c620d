"""Pages that go to and fro: table spaces, pools and containers as a capture shows them.

Source: IBM, "Monitor elements". A page that a prefetcher brought counts as found when its agent comes for it
(POOL_DATA_LBP_PAGES_FOUND), pages of a request that were there before as skipped (SKIPPED_PREFETCH_DATA_P_READS).
Spilled pages are written by cleaners and read ahead. Kinds that the model has not (XML, columns, LOBs) count nothing.
"""

from __future__ import annotations

import math

from tests.twin import demand, devices, settings
from tests.twin.machine import Machine, Space, device, page_size
from tests.twin.monitored import MS, Class, Counters, Row, Shown, classes, share, waited
from tests.twin.outcome import StoreRates

BUSIEST = 0.95
KINDS = ("DATA", "INDEX")
SPARE = 2  # a table space has room for as much again
OTHERS = tuple(f"POOL_{kind}_{what}" for kind in ("XDA", "COL") for what in ("L_READS", "P_READS", "WRITES")) + tuple(
    f"POOL_ASYNC_{kind}_{what}" for kind in ("XDA", "COL") for what in ("READS", "WRITES")
)
NO_TEMPORARY = tuple(f"POOL_TEMP_{kind}_{what}" for kind in ("INDEX", "XDA", "COL") for what in ("L_READS", "P_READS"))
DIRECT = tuple(f"DIRECT_{way}{what}" for way in ("READ", "WRITE") for what in ("S", "_REQS", "_TIME"))
FOUND = tuple(f"POOL_{way}{kind}_LBP_PAGES_FOUND" for way in ("", "ASYNC_") for kind in KINDS)
OF_POOLS = (
    *(f"POOL_{kind}_{what}" for kind in KINDS for what in ("L_READS", "P_READS", "WRITES")),
    *(f"POOL_ASYNC_{kind}_{what}" for kind in KINDS for what in ("READS", "WRITES")),
    *("POOL_TEMP_DATA_L_READS", "POOL_TEMP_DATA_P_READS", *NO_TEMPORARY, *OTHERS, *FOUND),
    *("POOL_READ_TIME", "POOL_ASYNC_READ_TIME", "POOL_WRITE_TIME", "POOL_ASYNC_WRITE_TIME"),
)
BY_AGENTS = ("agents' reads", "agents' writes")


def _loaded(shown: Shown, space: Space, seconds: float) -> float:
    """How long a request lasts on a space's device with the load it has."""
    return seconds / (1 - min(BUSIEST, shown.outcome.utilisation[space.device]))


def _of_kind(kind: str, rates: StoreRates, size: int) -> Counters:
    """Counters of a store; `size` is that of a prefetch request in pages."""
    there = max(0.0, rates.requests * size - rates.ahead)
    return {
        f"POOL_{kind}_L_READS": rates.asked,
        f"POOL_{kind}_P_READS": rates.read,
        f"POOL_ASYNC_{kind}_READS": rates.ahead,
        f"POOL_ASYNC_{kind}_READ_REQS": rates.blocks,
        f"POOL_{kind}_WRITES": rates.cleaned + rates.stolen,
        f"POOL_ASYNC_{kind}_WRITES": rates.cleaned,
        f"SKIPPED_PREFETCH_{kind}_P_READS": there,
        f"POOL_ASYNC_{kind}_LBP_PAGES_FOUND": there,
        f"POOL_{kind}_LBP_PAGES_FOUND": max(0.0, rates.asked - (rates.read - rates.ahead)) + there,
    }


def _added(counters: Counters, more: Counters) -> None:
    for name, value in more.items():
        counters[name] = counters.get(name, 0.0) + value


def space_rates(shown: Shown, space: Space, of_classes: list[Class]) -> Counters:
    """Counters of a table space, a second."""
    nothing = StoreRates(0, 0, 0, 0, 0, 0, 0, 0, 0)
    size = settings.prefetch_size(shown.machine, space)
    counters: Counters = _of_kind("DATA", nothing, 0) | _of_kind("INDEX", nothing, 0)
    own = [(store, shown.outcome.stores[store.name]) for store in shown.machine.stores if store.space == space.name]
    for store, rates in own:
        _added(counters, _of_kind("INDEX" if store.index else "DATA", rates, size))
    all_of = list(shown.outcome.stores.values())
    single = sum(rates.read - rates.ahead for _, rates in own)
    ahead = sum(rates.ahead for _, rates in own)
    blocks = sum(rates.blocks for _, rates in own)
    stolen, cleaned = sum(r.stolen for _, r in own), sum(r.cleaned for _, r in own)
    disk, page = device(shown.machine, space.device), float(page_size(shown.machine, space.name))
    bytes_each = ahead / blocks * page if blocks else page
    waits = MS * waited(shown, "prefetch") * share(ahead, sum(each.ahead for each in all_of))
    counters |= {
        "POOL_ASYNC_READ_TIME": MS * blocks * _loaded(shown, space, devices.striped_access(disk, bytes_each)),
        "POOL_ASYNC_WRITE_TIME": MS * cleaned * _loaded(shown, space, devices.random_access(disk, page)),
        BY_AGENTS[0]: MS * waited(shown, "read") * share(single, sum(each.read - each.ahead for each in all_of)),
        BY_AGENTS[1]: MS * waited(shown, "clean") * share(stolen, sum(each.stolen for each in all_of)),
        "UNREAD_PREFETCH_PAGES": sum(rates.unused for _, rates in own),
        "PREFETCH_WAITS": sum(rates.requests for _, rates in own) if waits > 0 else 0.0,
        "PREFETCH_WAIT_TIME": waits,
        "POOL_TEMP_DATA_L_READS": 0.0,
        "POOL_TEMP_DATA_P_READS": 0.0,
    }
    if space.name == shown.machine.temporary:
        _added(counters, _temporary(shown, space, of_classes))
    return counters


def _temporary(shown: Shown, space: Space, of_classes: list[Class]) -> Counters:
    """What spills adds to the counters of its table space."""
    page = demand.temporary_page(shown.machine)
    disk = device(shown.machine, space.device)
    asked = sum(each.read_back for each in of_classes) / page
    read = sum(each.read_back * each.outside for each in of_classes) / page
    written = sum(each.spilled * each.outside for each in of_classes) / page
    requests = read / space.extent
    extent = _loaded(shown, space, devices.striped_access(disk, space.extent * page))
    waits = sum(each.spill_reads for each in of_classes)
    return {
        "POOL_TEMP_DATA_L_READS": asked,
        "POOL_TEMP_DATA_P_READS": read,
        "POOL_DATA_LBP_PAGES_FOUND": asked,
        "POOL_ASYNC_DATA_READS": read,
        "POOL_ASYNC_DATA_READ_REQS": requests,
        "POOL_DATA_WRITES": written,
        "POOL_ASYNC_DATA_WRITES": written,
        "POOL_ASYNC_READ_TIME": MS * requests * extent,
        "POOL_ASYNC_WRITE_TIME": MS * written / space.extent * extent,
        BY_AGENTS[1]: MS * sum(each.spill_writes for each in of_classes),
        "PREFETCH_WAITS": requests if waits > 0 else 0.0,
        "PREFETCH_WAIT_TIME": MS * waits,
    }


def pages_of(shown: Shown, space: Space) -> tuple[int, int]:
    """Pages of a table space that are in use on a member, and the most that ever were."""
    members = len(shown.members)
    if space.name != shown.machine.temporary:
        pages = math.ceil(sum(store.pages for store in shown.machine.stores if store.space == space.name) / members)
        return pages, pages
    page, most, now = demand.temporary_page(shown.machine), 0.0, 0.0
    pairs = zip(shown.machine.work, shown.outcome.classes, shown.found.plan.working, strict=True)
    for work, outcome, working in pairs:
        most += work.clients * working.written / page
        now += outcome.throughput * outcome.response * working.written / page / 2
    return math.ceil(now / members), math.ceil(most / members)


def container_pages(shown: Shown, space: Space) -> tuple[int, int]:
    """Usable pages of one container, whole extents, and all of them: one extent is for the container's tag."""
    most = pages_of(shown, space)[1]
    extents = max(4, math.ceil(SPARE * most / space.containers / space.extent))
    return extents * space.extent, (extents + 1) * space.extent


def _layout(shown: Shown, space: Space, number: int) -> Row:
    machine = shown.machine
    usable, total = (each * space.containers for each in container_pages(shown, space))
    used, most = pages_of(shown, space)
    pool = [each.name for each in machine.pools].index(space.pool) + 1
    return {
        "TBSP_ID": number,
        "TBSP_TYPE": "DMS",
        "TBSP_CONTENT_TYPE": "SYSTEMP" if space.name == machine.temporary else "LARGE",
        "TBSP_PAGE_SIZE": page_size(machine, space.name),
        "TBSP_EXTENT_SIZE": space.extent,
        "TBSP_PREFETCH_SIZE": settings.prefetch_size(machine, space),
        "TBSP_CUR_POOL_ID": pool,
        "TBSP_NEXT_POOL_ID": pool,
        "FS_CACHING": 0 if space.file_system_caching else 1,
        "TBSP_REBALANCER_MODE": "NO_REBAL",
        "TBSP_USING_AUTO_STORAGE": 0,
        "TBSP_STATE": "NORMAL",
        "TBSP_USED_PAGES": used,
        "TBSP_USABLE_PAGES": usable,
        "TBSP_TOTAL_PAGES": total,
        "TBSP_FREE_PAGES": usable - used,
        "TBSP_PAGE_TOP": most,
        "TBSP_AUTO_RESIZE_ENABLED": 0,
        "TBSP_NUM_CONTAINERS": space.containers,
    }


def _all(shown: Shown) -> list[Row]:
    """A row for each table space and member, with what only pools show too."""
    rows, of_classes = [], classes(shown)
    for number, space in enumerate(shown.machine.spaces, start=1):
        rates = space_rates(shown, space, of_classes)
        cut = {name: shown.cut(rate) for name, rate in rates.items() if name not in BY_AGENTS}
        cut["POOL_READ_TIME"] = cut["POOL_ASYNC_READ_TIME"] + shown.cut(rates[BY_AGENTS[0]])
        cut["POOL_WRITE_TIME"] = cut["POOL_ASYNC_WRITE_TIME"] + shown.cut(rates[BY_AGENTS[1]])
        cut["VECTORED_IOS"] = sum(cut[f"POOL_ASYNC_{kind}_READ_REQS"] for kind in KINDS)
        cut["PAGES_FROM_VECTORED_IOS"] = sum(cut[f"POOL_ASYNC_{kind}_READS"] for kind in KINDS)
        cut |= dict.fromkeys(("BLOCK_IOS", "PAGES_FROM_BLOCK_IOS", *OTHERS, *NO_TEMPORARY, *DIRECT), 0)
        fixed = _layout(shown, space, number)
        rows += [{"TBSP_NAME": space.name, "MEMBER": member} | fixed | cut for member in shown.members]
    return rows


def spaces(shown: Shown) -> list[Row]:
    """MON_GET_TABLESPACE."""
    return [{name: value for name, value in row.items() if name not in FOUND} for row in _all(shown)]


def pools(shown: Shown) -> list[Row]:
    """MON_GET_BUFFERPOOL: the sums over the table spaces of a pool, and starts of the cleaners."""
    homes = {space.name: space.pool for space in shown.machine.spaces}
    below = _all(shown)
    rows = []
    for pool in shown.machine.pools:
        state = shown.outcome.pools[pool.name]
        for member in shown.members:
            mine = [row for row in below if homes[row["TBSP_NAME"]] == pool.name and row["MEMBER"] == member]
            rows.append(
                {"BP_NAME": pool.name, "MEMBER": member, "AUTOMATIC": int(pool.automatic)}
                | {"BP_CUR_BUFFSZ": pool.pages // len(shown.members)}
                | {name: sum(row[name] for row in mine) for name in OF_POOLS}
                | {
                    "POOL_LSN_GAP_CLNS": shown.cut(state.by_age),
                    "POOL_DRTY_PG_STEAL_CLNS": shown.cut(state.by_steal),
                    "POOL_DRTY_PG_THRSH_CLNS": shown.cut(state.by_threshold),
                }
            )
    return rows


def container(space: str, member: int, number: int) -> str:
    """Where a container of a table space lies."""
    return f"/db2/{space.lower()}/m{member}/c{number}"


def containers(shown: Shown) -> list[Row]:
    """MON_GET_CONTAINER: reads and writes of a table space, on its containers in turn."""
    machine: Machine = shown.machine
    homes = {space.name: space for space in machine.spaces}
    rows = []
    for row in spaces(shown):
        space = homes[row["TBSP_NAME"]]
        usable, total = container_pages(shown, space)
        read = sum(row[f"POOL_{kind}_P_READS"] for kind in (*KINDS, "TEMP_DATA"))
        written = sum(row[f"POOL_{kind}_WRITES"] for kind in KINDS)
        for number in range(space.containers):
            rows.append(
                {
                    "TBSP_NAME": space.name,
                    "CONTAINER_ID": number,
                    "MEMBER": row["MEMBER"],
                    "TBSP_ID": row["TBSP_ID"],
                    "CONTAINER_NAME": container(space.name, row["MEMBER"], number),
                    "CONTAINER_TYPE": "FILE_EXTENT_TAG",
                    "STRIPE_SET": 0,
                    "TOTAL_PAGES": total,
                    "USABLE_PAGES": usable,
                    "ACCESSIBLE": 1,
                    "PAGES_READ": (read + number) // space.containers,
                    "PAGES_WRITTEN": (written + number) // space.containers,
                    "POOL_READ_TIME": (row["POOL_READ_TIME"] + number) // space.containers,
                }
            )
    return rows
