"""Tables and indexes as a capture shows them: the stores of the model, with their configured row lengths.

A random reference to a page of a table reads one row, a scanned page all of its rows; an update changes one row. A
search of an index touches a page of every level.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tests.twin.machine import page_size

if TYPE_CHECKING:
    from tests.twin.machine import Machine, Store, Work
    from tests.twin.monitored import Row, Shown

SCHEMA = "TWIN"
PAGE_HEAD = 100
LISTED_KB = 10240


def rows_per_page(machine: Machine, store: Store) -> int:
    """Rows of a page."""
    return max(1, (page_size(machine, store.space) - PAGE_HEAD) // store.row)


def table_of(machine: Machine, index: Store) -> Store | None:
    """Return the table of an index: the given one, the one in its name's prefix, or the first that is used with it."""
    tables = [each for each in machine.stores if not each.index]
    told = [each for each in tables if each.name == index.table]
    named = [each for each in tables if index.name.startswith(f"{each.name}_")]
    named.sort(key=lambda each: -len(each.name))
    used = {
        access.store
        for work in machine.work
        if index.name in {each.store for each in work.accesses}
        for access in work.accesses
    }
    together = [each for each in tables if each.name in used]
    return next(iter((*told, *named, *together)), None)


def indexes_of(machine: Machine) -> list[tuple[Store, Store, int]]:
    """Every index whose table is known, the table, and the index's number there."""
    count: dict[str, int] = {}
    found = []
    for each in machine.stores:
        table = table_of(machine, each) if each.index else None
        if table is not None:
            count[table.name] = count.get(table.name, 0) + 1
            found.append((each, table, count[table.name]))
    return found


def rows_of(machine: Machine, work: Work) -> tuple[float, float]:
    """Rows that a transaction reads and changes."""
    tables = {each.name: each for each in machine.stores if not each.index}
    read = changed = 0.0
    for access in work.accesses:
        if access.store in tables:
            read += access.random + access.sequential * rows_per_page(machine, tables[access.store])
            changed += access.updates
    return read, changed


def updates(shown: Shown) -> dict[str, float]:
    """Updates of each store a second."""
    return {name: rates.updates for name, rates in shown.outcome.stores.items()}


def _cards(machine: Machine, store: Store) -> int:
    return store.pages * rows_per_page(machine, store)


def catalog(shown: Shown) -> list[Row]:
    """SYSCAT.TABLES."""
    machine, rows = shown.machine, []
    indexes = indexes_of(machine)
    for each in machine.stores:
        if not each.index:
            mine = [index.space for index, table, _ in indexes if table.name == each.name]
            rows.append(
                {
                    "TABSCHEMA": SCHEMA,
                    "TABNAME": each.name,
                    "CARD": _cards(machine, each),
                    "NPAGES": each.pages,
                    "FPAGES": each.pages,
                    "OVERFLOW": 0,
                    "ACTIVE_BLOCKS": 0,
                    "AVGROWSIZE": each.row,
                    "TBSPACE": each.space,
                    "INDEX_TBSPACE": next((name for name in mine if name != each.space), ""),
                    "LONG_TBSPACE": "",
                    "TABLEORG": "R",
                    "PARTITION_MODE": "H" if len(shown.members) > 1 else "",
                    "CLUSTERED": "",
                    "COMPRESSION": "N",
                    "VOLATILE": "",
                    "STATUS": "N",
                    "ACCESS_MODE": "F",
                    "STATS_PROFILE": 0,
                }
            )
    return rows


def tables(shown: Shown) -> list[Row]:
    """MON_GET_TABLE: tables that were touched."""
    machine, rows = shown.machine, []
    numbers = {space.name: number for number, space in enumerate(machine.spaces, start=1)}
    for each in machine.stores:
        if each.index:
            continue
        scanned = random = 0.0
        for outcome, work in zip(shown.outcome.classes, machine.work, strict=True):
            mine = [access for access in work.accesses if access.store == each.name]
            scanned += outcome.throughput * sum(access.sequential for access in mine)
            random += outcome.throughput * sum(access.random for access in mine)
        cut = {
            "TABLE_SCANS": shown.cut(scanned / each.pages),
            "ROWS_READ": shown.cut(random + scanned * rows_per_page(machine, each)),
            "ROWS_INSERTED": 0,
            "ROWS_UPDATED": shown.cut(shown.outcome.stores[each.name].updates),
            "ROWS_DELETED": 0,
            "OVERFLOW_ACCESSES": 0,
            "OBJECT_DATA_P_READS": shown.cut(shown.outcome.stores[each.name].read),
        }
        if cut["ROWS_READ"] + cut["ROWS_UPDATED"] > 0:
            key = {"TABSCHEMA": SCHEMA, "TABNAME": each.name}
            fixed = {"DATA_PARTITION_ID": 0, "TBSP_ID": numbers[each.space], "TAB_ORGANIZATION": "R"}
            rows += [key | {"MEMBER": member} | fixed | cut for member in shown.members]
    return rows


def levels(machine: Machine, index: Store, entries: int) -> int:
    """Levels of an index: leaves of `entries` in all, and above them pages with as many entries each."""
    fan = max(2.0, entries / index.pages)
    return 1 + max(0, math.ceil(math.log(max(1, index.pages)) / math.log(fan) - 1e-9))


def indexes(shown: Shown) -> list[Row]:
    """MON_GET_INDEX with SYSCAT.INDEXES."""
    machine, rows = shown.machine, []
    for each, table, number in indexes_of(machine):
        entries = _cards(machine, table)
        deep = levels(machine, each, entries)
        rates = shown.outcome.stores[each.name]
        random = sum(
            outcome.throughput * access.random
            for outcome, work in zip(shown.outcome.classes, machine.work, strict=True)
            for access in work.accesses
            if access.store == each.name
        )
        whole = (rates.asked - random) / each.pages
        key = {"TABSCHEMA": SCHEMA, "TABNAME": table.name, "IID": number}
        values = {
            "DATA_PARTITION_ID": 0,
            "NLEVELS": deep,
            "INDEX_SCANS": shown.cut(random / deep + max(0.0, whole)),
            "INT_NODE_SPLITS": 0,
            "BOUNDARY_LEAF_NODE_SPLITS": 0,
            "NONBOUNDARY_LEAF_NODE_SPLITS": 0,
            "OBJECT_INDEX_L_READS": shown.cut(rates.asked),
            "OBJECT_INDEX_P_READS": shown.cut(rates.read),
            "INDSCHEMA": SCHEMA,
            "INDNAME": each.name,
            "INDCARD": entries,
            "NUMRIDS_DELETED": 0,
            "NLEAF": each.pages,
            "NUM_EMPTY_LEAFS": 0,
            "INDEXTYPE": "REG",
            "UNUSED_D": 0,
        }
        if rates.asked > 0:
            rows += [key | {"MEMBER": member} | values for member in shown.members]
    return rows


def sizes(shown: Shown) -> list[Row]:
    """ADMIN_GET_TAB_INFO: tables of 10 MB and more on a partition."""
    machine, rows = shown.machine, []
    for each in machine.stores:
        kb = each.pages * page_size(machine, each.space) // 1024 // len(shown.members)
        if not each.index and kb >= LISTED_KB:
            key = {"TABSCHEMA": SCHEMA, "TABNAME": each.name}
            values = {"DATA_PARTITION_ID": 0, "DATA_OBJECT_P_SIZE": kb, "AVAILABLE": "Y", "REORG_PENDING": "N"}
            values |= {"NUM_REORG_REC_ALTERS": 0, "LOAD_STATUS": "", "NO_LOAD_RESTART": "N"}
            rows += [key | {"DBPARTITIONNUM": member} | values for member in shown.members]
    return rows
