"""Memory budget of advice: the smallest of host, instance and database."""

from functools import cache
from typing import Any

import pytest

from tests.support.advised import read_view
from tests.support.states import state_of
from tests.support.stepwise import Steps, stepwise

HOST = {"MEMORY_TOTAL": 65536, "MEMORY_FREE": 16384}
SETS = [
    {"MEMORY_SET_TYPE": "DATABASE", "MEMORY_SET_COMMITTED": 8000000, "MEMORY_SET_USED": 7000000},
    {"MEMORY_SET_TYPE": "DATABASE", "DB_NAME": "OTHER", "MEMORY_SET_COMMITTED": 2000000, "MEMORY_SET_USED": 2000000},
    {"MEMORY_SET_TYPE": "PRIVATE", "DB_NAME": "-", "MEMORY_SET_COMMITTED": 500000, "MEMORY_SET_USED": 400000},
]
HELD = {"MEMORY_SET_TYPE": "DATABASE", "MEMORY_SET_COMMITTED": 64000000, "MEMORY_SET_USED": 60000000}
FRESH = {"MEMORY_SET_TYPE": "DATABASE", "MEMORY_SET_COMMITTED": 900000, "MEMORY_SET_USED": 800000}
BIG = {"MEMORY_TOTAL": 262144, "MEMORY_FREE": 130000}
OF_HOST = 1024 * (16384 - 65536 * 0.05)


def fact(key: str, item: str, value: object) -> dict[str, str]:
    return {"FACT_KEY": key, "ITEM": item, "VALUE": str(value)}


AVAILABLE = [fact("memory", "available_kb", 1024 * 30000)]
AVAILABLE_3400 = [fact("memory", "available_kb", 1024 * 3400)]
LIMIT = [fact("cgroup", "memory_limit_mb", 16384)]


BUDGETS: list[tuple[dict[str, Any], float | None]] = [
    ({}, OF_HOST),
    ({"hostfact": [{"FACT_KEY": "virtual", "ITEM": "type", "VALUE": "vmware"}]}, 1024 * (16384 - 65536 * 0.15)),
    # only unused memory is known and may exclude page cache, so a small step remains
    ({"system": [HOST | {"MEMORY_FREE": 1000}]}, 1024 * 65536 * 0.01),
    ({"system": [HOST | {"MEMORY_FREE": 1000}], "memory_set": [HELD]}, 0.1 * (1024 * 65536 - 64000000)),
    # a small step is always possible: a tenth of the free memory, at most a hundredth of all
    ({"system": [HOST | {"MEMORY_FREE": 1000}], "database": {"platform": "Windows"}}, 0.1 * 1024 * 1000),
    (
        {"system": [HOST | {"MEMORY_FREE": 1000}], "hostfact": [fact("memory", "available_kb", 1024 * 2500)]},
        0.1 * 1024 * 2500,
    ),
    (
        {
            "hostfact": [fact("virtual", "type", "vmware"), fact("memory", "available_kb", 1024 * 9000)],
            "system": [HOST | {"MEMORY_FREE": 1000}],
        },
        1024 * 65536 * 0.01,
    ),
    # one step: half of the free memory, or as much again as Db2 uses
    ({"system": [HOST | {"MEMORY_FREE": 60000}]}, 1024 * 32768),
    ({"system": [HOST | {"MEMORY_FREE": None}]}, 10500000),
    ({"system": [HOST | {"MEMORY_FREE": None}], "memory_set": [HELD]}, 0.5 * (1024 * 65536 - 64000000)),
    ({"system": [HOST | {"MEMORY_FREE": None}], "memory_set": []}, None),
    # a twentieth of Db2's own limits stays for sorts and utilities
    ({"dbm": {"instance_memory": 3000000}}, 0.95 * 12000000 - 10500000),
    ({"dbm": {"instance_memory": 2700000}}, 0.1 * (10800000 - 10500000)),
    # AUTOMATIC computes at least 75 % of the memory that Db2 sees; far less is the limit of a container, or of the
    # licence
    ({"dbm": {"instance_memory": "AUTOMATIC(3000000)"}}, 0.95 * 12000000 - 10500000),
    (
        {"dbm": {"instance_memory": "AUTOMATIC(786432)"}, "system": [BIG], "memory_set": [FRESH]},
        0.95 * 4 * 786432 - 900000,
    ),
    ({"dbm": {"instance_memory": "AUTOMATIC(12000000)"}}, OF_HOST),
    ({"dbm": {"instance_memory": 20}}, 0.95 * 0.2 * 65536 * 1024 - 10500000),
    (
        {"dbm": {"instance_memory": 20}, "hostfact": [fact("cgroup", "memory_limit_mb", 60000)]},
        0.95 * 12288000 - 10500000,
    ),
    ({"dbm": {"instance_memory": 85}}, OF_HOST),
    ({"dbm": {"instance_memory": "AUTOMATIC(14000000) -> 3000000"}}, 0.95 * 12000000 - 10500000),
    ({"dbm": {"instance_memory": "3000000 -> AUTOMATIC(14000000)"}}, 0.95 * 12000000 - 10500000),
    ({"config": {"database_memory": 2000000}}, 0.95 * 8000000 - 7000000),
    ({"config": {"database_memory": "AUTOMATIC(2000000)"}}, OF_HOST),
    ({"config": {"database_memory": "2000000 -> 1800000"}}, 0.1 * (7200000 - 7000000)),
    ({"config": {"database_memory": "AUTOMATIC(2000000) -> 1800000"}}, 0.1 * (7200000 - 7000000)),
    ({"config": {"database_memory": 1000000}}, 0),
    ({"config": {"database_memory": 2000000}, "memory_set": []}, OF_HOST),
    ({"members": 4}, OF_HOST // 4),
    # page cache that can be dropped counts if the host reports it
    ({"hostfact": AVAILABLE}, 1024 * (30000 - 65536 * 0.05)),
    ({"hostfact": AVAILABLE, "system": [HOST | {"MEMORY_FREE": None}]}, 1024 * (30000 - 65536 * 0.05)),
    ({"hostfact": [fact("memory", "available_kb", 1024 * 9000)]}, OF_HOST),
    # never more than the rest of the control group's limit without Db2's memory
    ({"hostfact": LIMIT}, 1024 * 16384 * 0.95 - 10500000),
    ({"hostfact": AVAILABLE + LIMIT}, 1024 * 16384 * 0.95 - 10500000),
    ({"hostfact": AVAILABLE + LIMIT + [fact("virtual", "type", "kvm")]}, 1024 * 16384 * 0.85 - 10500000),
    ({"hostfact": [fact("cgroup", "memory_limit_mb", 10000)]}, 0),
    ({"hostfact": [fact("cgroup", "memory_limit_mb", 900000)]}, OF_HOST),
    # the hypervisor swaps out a guest's memory above the limit; the largest number means no limit
    (
        {"hostfact": [fact("virtual", "type", "vmware"), fact("virtual", "limit_mb", 16384)]},
        0.85 * 1024 * 16384 - 10500000,
    ),
    (
        {"hostfact": [fact("virtual", "type", "vmware"), fact("virtual", "limit_mb", 4294967295)]},
        1024 * (16384 - 65536 * 0.15),
    ),
    # zero if the host already has too little memory
    ({"system": [HOST | {"SWAP_PAGES_OUT": 3000}]}, 0),
    ({"system": [HOST | {"SWAP_PAGES_OUT": 2999}]}, OF_HOST),
    ({"system": [HOST | {"SWAP_PAGES_OUT": 3000}], "single": True}, OF_HOST),
    ({"system": [HOST | {"SWAP_PAGES_OUT": 3000}], "site": {"swap_pages_per_s": 20}}, OF_HOST),
    ({"system": [HOST | {"SWAP_PAGES_IN": 3000}]}, 0),
    ({"hostfact": [fact("memory", "swap_in_per_s", 40)], "single": True}, 0),
    ({"hostfact": [fact("memory", "swap_in_per_s", 36)], "single": True}, OF_HOST),
    ({"hostfact": [fact("memory", "available_kb", 1024 * 1900)]}, 0),
    ({"hostfact": [fact("virtual", "type", "vmware"), fact("virtual", "balloon_mb", 8192)]}, 0),
    ({"dbm": {"instance_memory": 16000000}}, 0),
]


@pytest.mark.parametrize("number", range(len(BUDGETS)))
def test_budget(number: int) -> None:
    case, budget = BUDGETS[number]
    assert _budgets()[number] == (None if budget is None else int(budget)), case


@cache
def _budgets() -> dict[int, int | None]:
    """Return the budget of each case, by its number."""
    states = [state_of({"memory_set": SETS, "system": [HOST]} | case) for case, _ in BUDGETS]
    return dict(enumerate(row["BUDGET_KB"] for (row,) in read_view("MEMORY_BUDGET", states)))


# the transactions of the virtualization paper: all sizes fixed, a 3 GB pool with 30 % misses
BY_HAND: dict[str, Any] = {
    "config": {"self_tuning_mem": "OFF", "sortheap": 16, "sheapthres_shr": 20000, "pckcachesz": 1000},
    "workload": [{"TOTAL_RQST_TIME": 6000000, "TOTAL_CPU_TIME": 3000000000, "POOL_READ_TIME": 2400000}],
    "cat_bufferpool": [{"BPNAME": "BP4K", "BUFFERPOOLID": 1, "NPAGES": 750000}],
    "bufferpool": [
        {
            "BP_NAME": "BP4K", "BP_CUR_BUFFSZ": 750000, "POOL_DATA_L_READS": 5000000, "POOL_DATA_P_READS": 1500000,
            "POOL_INDEX_L_READS": 5000000, "POOL_INDEX_P_READS": 1500000, "POOL_DATA_LBP_PAGES_FOUND": 3500000,
            "POOL_INDEX_LBP_PAGES_FOUND": 3500000, "POOL_READ_TIME": 2400000,
        }
    ],
}  # fmt: skip
# and a pool of 3 GB without table spaces, on a host with hardly any free memory
UNUSED: dict[str, Any] = BY_HAND | {
    "system": [HOST | {"MEMORY_FREE": 3400}],
    "hostfact": AVAILABLE_3400,
    "cat_bufferpool": [*BY_HAND["cat_bufferpool"], {"BPNAME": "OLD", "BUFFERPOOLID": 7, "NPAGES": 750000}],
    "bufferpool": [*BY_HAND["bufferpool"], {"BP_NAME": "OLD", "BP_CUR_BUFFSZ": 750000}],
}
# a 400 MB package cache that loses statements, and sorts that may use the memory for analysis
LOSING: dict[str, Any] = {
    "config": {"self_tuning_mem": "OFF", "sortheap": 8192, "sheapthres_shr": 100000, "pckcachesz": 100000},
    "database": [{"MEMBER": 0, "SORT_SHRHEAP_TOP": 80000}],
    "statement": [{"EXECUTABLE_ID": f"{number:02}"} for number in range(10)],
    "workload": [
        {
            "TOTAL_RQST_TIME": 6000000, "TOTAL_CPU_TIME": 3000000000, "TOTAL_COMPILE_PROC_TIME": 600000,
            "TOTAL_SORTS": 10000, "TOTAL_HASH_JOINS": 0, "SORT_OVERFLOWS": 0, "PKG_CACHE_INSERTS": 80000,
        }
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("case", "site", "rules"),
    [
        (BY_HAND, {}, ["memory.stmm-off-or-ineffective"]),
        (BY_HAND, {"stmm": "OFF"}, ["bufferpool.hit-ratio-low"]),
        (BY_HAND, {"stmm": "OFF", "bufferpool_cap_mb": 3072}, []),
        (BY_HAND | {"system": [HOST | {"SWAP_PAGES_OUT": 9000}]}, {"stmm": "OFF"}, ["memory.overcommit"]),
        (UNUSED, {"stmm": "OFF"}, ["bufferpool.hit-ratio-low"]),
        (LOSING, {"stmm": "OFF"}, ["memory.package-cache-miss"]),
        (
            LOSING | {"system": [HOST | {"MEMORY_FREE": 3400}], "hostfact": AVAILABLE_3400},
            {"stmm": "OFF"},
            ["memory.sortheap-too-big-oltp", "memory.package-cache-miss"],
        ),
        (
            LOSING
            | {"system": [HOST | {"MEMORY_FREE": 2000}], "hostfact": [fact("memory", "available_kb", 1024 * 2000)]}
            | {"database": [{"MEMBER": 0, "SORT_SHRHEAP_TOP": 40000}]},
            {"stmm": "OFF"},
            [],
        ),
        (LOSING | {"system": [HOST | {"MEMORY_FREE": 200}]}, {"stmm": "OFF"}, ["memory.package-cache-miss"]),
    ],
    ids=[
        "Db2 takes it itself",
        "growth",
        "declared",
        "host swaps",
        "an unused pool pays",
        "memory is there",
        "a donor pays",
        "a donor is not enough",
        "a small step",
    ],
)
@stepwise
def test_memory_goes_to_the_expected_rules(case: dict[str, Any], site: dict[str, Any], rules: list[str]) -> Steps:
    advice = yield state_of(case | {"site": {"workload": "OLTP"} | site})
    assert [item.rule.name for item in advice.ranked if item.lane != "C"] == rules  # the untuned settings are found too
