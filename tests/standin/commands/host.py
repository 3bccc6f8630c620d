"""Effects of operating system commands on a state: each command changes one host fact.

A command names no host: users run it on the host that the advice is about. Missing facts are not invented, so a command
for an unknown device or setting raises an error.
"""

import re
from collections.abc import Callable, Iterator
from math import ceil
from typing import Any

from tests.standin.commands.storage import Row

Fact = tuple[str, str, str]

# a command, and the facts that it sets: key, item, value
_PATTERNS: list[tuple[str, Callable[[re.Match[str]], list[Fact]]]] = [
    (r"sysctl -w (?:kernel|vm)\.(\w+)=(\d+)", lambda m: [("sysctl", m[1], m[2])]),
    (r'sysctl -w kernel\.sem="(\d+ \d+ \d+ \d+)"', lambda m: [("sysctl", "sem", m[1])]),
    (r"echo (\w+) > /sys/kernel/mm/transparent_hugepage/enabled", lambda m: [("memory", "thp", m[1])]),
    (r"echo ([\w-]+) > /sys/block/([^/]+)/queue/scheduler", lambda m: [(f"device:{m[2]}", "scheduler", m[1])]),
    (r"echo (\d+) > /sys/block/([^/]+)/device/queue_depth", lambda m: [(f"device:{m[2]}", "queue_depth", m[1])]),
    (r"blockdev --setra (\d+) /dev/(\S+)", lambda m: [(f"device:{m[2]}", "readahead_sectors", m[1])]),
    (r"lvchange -r (\d+) /dev/(\S+)", lambda m: [(f"volume:{m[2]}", "lv_readahead_sectors", m[1])]),
    (
        r"vmo -r -o lgpg_regions=(\d+) -o lgpg_size=(\d+)",
        lambda m: [("vmo", "lgpg_regions", m[1]), ("vmo", "lgpg_size", m[2])],
    ),
    (r"cpupower frequency-set -g (\w+)", lambda m: [("cpu", "governor", m[1])]),
    (r"vmo -p -o v_pinshm=(\d)", lambda m: [("vmo", "v_pinshm", m[1])]),
    (r"chuser capabilities=(\S*) \S+", lambda m: [("vmo", "owner_capabilities", m[1] or "none")]),
]

# the pool of large pages: how many there are, how many are free
_POOLS = {
    ("sysctl", "nr_hugepages"): (("memory", "hugepages_total"), ("memory", "hugepages_free")),
    ("vmo", "lgpg_regions"): (("vmo", "lgpg_regions"), ("vmo", "lgpg_free")),
}


def facts_of(command: str) -> list[Fact] | None:
    """Return the facts that an operating system command sets, or None if the text is not such a command."""
    for pattern, facts in _PATTERNS:
        if found := re.fullmatch(pattern, command):
            return facts(found)
    return None


class Host:
    """The facts about one host, or about the only one."""

    def __init__(self, sources: dict[str, list[Row]], host: str | None) -> None:
        self.sources = sources
        self.rows = [row for row in sources.get("hostfact", []) if host in (None, row["HOST"])]

    def carry_out(self, facts: list[Fact]) -> None:
        for key, item, value in facts:
            total, free = _POOLS.get((key, item), ((key, item), None))
            for row in self._facts(*free) if free else []:
                row["VALUE"] = str(int(row["VALUE"]) + int(value) - int(self._fact(*total)["VALUE"]))
            self._fact(*total)["VALUE"] = value
            for row in self._facts(key, item):
                row["VALUE"] = value

    def use_large_pages(self, before: Any, after: Any) -> None:
        """Move the database's memory into or out of large pages, if the host has facts about them."""
        for fact in self._facts("vmo", "shm_page"):
            if fact["VALUE"] == _page(before):
                fact["VALUE"] = _page(after)
        for size, unit, free in (
            (("memory", "hugepage_kb"), 1, ("memory", "hugepages_free")),
            (("vmo", "lgpg_size"), 1024, ("vmo", "lgpg_free")),
        ):
            sizes, rows = self._facts(*size), self._facts(*free)
            if not (sizes and rows) or int(sizes[0]["VALUE"] or 0) <= 0 or rows[0]["VALUE"] is None:
                continue
            used = ceil(sum(self._database_kb()) * unit / int(sizes[0]["VALUE"]))
            change = used * (_uses(before) - _uses(after))
            rows[0]["VALUE"] = str(int(rows[0]["VALUE"]) + change)

    def _database_kb(self) -> Iterator[int]:
        hosts = {row["MEMBER"]: row["HOST_NAME"] for row in self.sources["system"]}
        here = {row["HOST"] for row in self.rows}
        for row in self.sources["dbcfg"]:
            if row["NAME"].lower() == "database_memory" and hosts.get(row["MEMBER"]) in here:
                yield 4 * int(row["VALUE"])

    def _facts(self, key: str, item: str) -> list[Row]:
        return [row for row in self.rows if (row["FACT_KEY"], row["ITEM"]) == (key, item)]

    def _fact(self, key: str, item: str) -> Row:
        rows = self._facts(key, item)
        if len(rows) != 1:
            raise ValueError(f"{len(rows)} facts {key} {item}")
        return rows[0]


def _uses(value: Any) -> int:
    return int(value == "DB")


def _page(value: Any) -> str:
    """The size of the pages that AIX then gives to the database, as svmon names it."""
    return {"DB": "L", "DB:16GB": "S"}.get(str(value), "m")
