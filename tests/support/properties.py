"""Properties of any state: checks over generated examples.

    @holds_for(states(), integers(2, 5))
    def test_more_of_the_same(state: State, factor: int) -> Steps: ...

The examples are the same on every run, and for every check that draws from the same strategies. So the advice for each
state is computed once for all checks. A check must not change its state.

A generated state is a healthy database (sql/cases/base.yml) with random table spaces, pools, settings and load. The
sources agree with each other, as in a capture of a real database.
"""

import pickle
import tempfile
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from advisor.judgement.advice import Advice
from advisor.judgement.states import settle_state
from tests.support.once import once
from tests.support.states import Row, State, state_of, write_capture
from tests.support.stepwise import Steps, Wanted, judge, run_steps

PAGE_SIZES = (4096, 8192, 16384)
TIMES = ("PREFETCH_WAIT_TIME", "LOG_DISK_WAIT_TIME", "LOG_BUFFER_WAIT_TIME", "POOL_WRITE_TIME", "LOCK_WAIT_TIME",
         "TOTAL_SECTION_SORT_PROC_TIME", "TOTAL_EXTENDED_LATCH_WAIT_TIME", "WLM_QUEUE_TIME_TOTAL", "TOTAL_COMMIT_PROC_TIME")  # fmt: skip
NOTHING = ("FCM_RECV_WAIT_TIME", "FCM_SEND_WAIT_TIME", "FCM_TQ_RECV_WAIT_TIME", "FCM_TQ_SEND_WAIT_TIME",
           "TQ_TOT_SEND_SPILLS", "DIRECT_READ_TIME", "DIRECT_WRITE_TIME", "TOTAL_COL_PROC_TIME")  # fmt: skip
POOL_COUNTERS = ("POOL_DATA_L_READS", "POOL_INDEX_L_READS", "POOL_DATA_P_READS", "POOL_INDEX_P_READS",
                 "POOL_ASYNC_DATA_READS", "POOL_ASYNC_INDEX_READS", "POOL_DATA_LBP_PAGES_FOUND",
                 "POOL_INDEX_LBP_PAGES_FOUND", "POOL_READ_TIME", "POOL_ASYNC_READ_TIME")  # fmt: skip
SETTINGS = {
    "sortheap": ("256", "2048", "AUTOMATIC(2048)"),
    "sheapthres_shr": ("20000", "AUTOMATIC(40000)"),
    "num_ioservers": ("3", "16", "AUTOMATIC(16)"),
    "num_iocleaners": ("1", "7", "AUTOMATIC(7)"),
    "chngpgs_thresh": ("20", "60", "80"),
    "logbufsz": ("256", "2048"),
    "locklist": ("4096", "AUTOMATIC(20000)"),
    "pckcachesz": ("1000", "AUTOMATIC(8192)"),
    "seqdetect": ("YES", "NO"),
    "self_tuning_mem": ("ON", "OFF"),
    "mincommit": ("1", "5"),
    "database_memory": ("2000000", "AUTOMATIC(4000000)"),
}


@st.composite
def states(draw: st.DrawFn, host_facts: bool | None = None) -> State:
    """Return a strategy for states with load; if ``host_facts`` is None, host facts may be present or missing."""
    members = range(draw(st.integers(1, 4)))
    pools = [draw(_pool(number)) for number in range(1, draw(st.integers(1, 3)) + 1)]
    spaces = [draw(_space(number, pools)) for number in range(2, 2 + draw(st.integers(1, 3)))]
    rows: dict[str, list[Row]] = {name: [] for name in ("bufferpool", "tablespace", "container", "workload")}
    for member in members:
        loads = [draw(_load(space)) for space in spaces]
        for space, load in zip(spaces, loads, strict=True):
            traffic = {name: count for name, count in load.items() if "_LBP_" not in name}  # only pools count hits
            rows["tablespace"].append(space["monitor"] | traffic | {"MEMBER": member})
            rows["container"] += [row | {"MEMBER": member} for row in space["containers"]]
        for pool in pools:
            mine = [load for space, load in zip(spaces, loads, strict=True) if space["pool"] is pool]
            rows["bufferpool"].append(pool["monitor"] | _sum(mine) | {"MEMBER": member})
        rows["workload"].append(draw(_work(_sum(loads))) | {"MEMBER": member})
    facts = draw(st.booleans()) if host_facts is None else host_facts
    memory = draw(st.sampled_from((512, 4096, 32768)))
    return settle_state(state_of({
        "members": len(members),
        "database": {"topology": "single" if len(members) == 1 else "dpf"},
        "site": {"workload": kind} if (kind := draw(st.sampled_from(("BI", "OLTP", "MIXED", "")))) else {},
        "config": {name: draw(st.sampled_from(values)) for name, values in SETTINGS.items()},
        "dbm": {"sheapthres": draw(st.sampled_from((0, 20000)))},
        "registry_values": draw(st.sampled_from(({}, {"DB2_PARALLEL_IO": "*:4"}))),
        "cat_bufferpool": [pool["catalog"] for pool in pools],
        "cat_tablespace": [space["catalog"] for space in spaces],
        "cat_table": [{"TABNAME": f"T{number}", "TBSPACE": space["name"]} for number, space in enumerate(spaces)],
        "partition_group": [{"DBPARTITIONNUM": member} for member in members],
        "partition_map": [{"DBPARTITIONNUM": member, "BUCKETS": 32768 // len(members)} for member in members],
        "system": [{"MEMBER": member, "MEMORY_FREE": memory} for member in members],
        "memory_set": [{"MEMBER": member} for member in members],
        "hostfact": draw(_facts(rows["container"])) if facts else [],
        **rows,
    }))  # fmt: skip


@st.composite
def _pool(draw: st.DrawFn, number: int) -> dict[str, Any]:
    automatic = draw(st.booleans())
    size = draw(st.sampled_from((1000, 20000, 400000)))
    name = "IBMDEFAULTBP" if number == 1 else f"BP{number}"
    page = 4096 if number == 1 else draw(st.sampled_from(PAGE_SIZES))
    return {
        "page": page,
        "catalog": {"BPNAME": name, "BUFFERPOOLID": number, "NPAGES": -2 if automatic else size, "PAGESIZE": page},
        "monitor": {"BP_NAME": name, "AUTOMATIC": int(automatic), "BP_CUR_BUFFSZ": size},
    }


@st.composite
def _space(draw: st.DrawFn, number: int, pools: list[dict[str, Any]]) -> dict[str, Any]:
    pool = draw(st.sampled_from(pools))
    extent = draw(st.sampled_from((4, 16, 24, 32)))
    prefetch = draw(st.sampled_from((-1, 0, extent, 48, 5 * extent)))
    name = f"TS {number}" if number == 3 else f"TS{number}"
    common = {"TBSP_NAME": name, "TBSP_ID": number}
    pages = draw(st.sampled_from((1000, 500000)))
    pool_id = pool["catalog"]["BUFFERPOOLID"]
    return {
        "name": name,
        "pool": pool,
        "catalog": {"TBSPACE": name, "TBSPACEID": number, "EXTENTSIZE": extent, "PREFETCHSIZE": prefetch,
                    "PAGESIZE": pool["page"], "BUFFERPOOLID": pool_id},
        "monitor": {
            **common, "TBSP_PAGE_SIZE": pool["page"], "TBSP_EXTENT_SIZE": extent, "TBSP_PREFETCH_SIZE": prefetch,
            "TBSP_CUR_POOL_ID": pool_id, "TBSP_NEXT_POOL_ID": pool_id, "FS_CACHING": draw(st.sampled_from((0, 1, 2))),
            "TBSP_USED_PAGES": pages, "TBSP_TOTAL_PAGES": 2 * pages,
            "TBSP_USING_AUTO_STORAGE": 1, "STORAGE_GROUP_NAME": "IBMSTOGROUP",
        },
        "containers": [
            {**common, "CONTAINER_ID": place, "CONTAINER_NAME": f"/data{place + 1}/{name}/C{place}", "FS_ID": str(place),
             "TOTAL_PAGES": pages, "USABLE_PAGES": pages - extent}
            for place in range(draw(st.integers(1, 4)))
        ],
    }  # fmt: skip


@st.composite
def _load(draw: st.DrawFn, space: dict[str, Any]) -> Row:
    """Return the load of one table space on one member: round numbers well above every minimum count."""
    logical = draw(st.sampled_from((500000, 9000000)))
    physical = logical * draw(st.sampled_from((60, 20, 2))) // 100
    asynchronous = physical * draw(st.sampled_from((10, 95, 50, 0))) // 100
    per_page = draw(st.sampled_from((2, 12, 0.3)))
    sync_ms, async_ms = int((physical - asynchronous) * per_page / 10), int(asynchronous * per_page / 40)
    return {
        "POOL_DATA_L_READS": logical // 2, "POOL_INDEX_L_READS": logical // 2, "POOL_DATA_P_READS": physical // 2,
        "POOL_INDEX_P_READS": physical // 2, "POOL_ASYNC_DATA_READS": asynchronous // 2,
        "POOL_ASYNC_INDEX_READS": asynchronous // 2, "POOL_ASYNC_DATA_READ_REQS": asynchronous // 16,
        "POOL_DATA_LBP_PAGES_FOUND": (logical - physical) // 2, "POOL_INDEX_LBP_PAGES_FOUND": (logical - physical) // 2,
        "POOL_READ_TIME": sync_ms + async_ms, "POOL_ASYNC_READ_TIME": async_ms,
        "UNREAD_PREFETCH_PAGES": asynchronous // draw(st.sampled_from((2, 100))),
        "VECTORED_IOS": asynchronous // 16, "PAGES_FROM_VECTORED_IOS": asynchronous,
    }  # fmt: skip


@st.composite
def _work(draw: st.DrawFn, load: Row) -> Row:
    """Return a member's request time: at most half is reads by its agents, at most half other parts."""
    reads = load["POOL_READ_TIME"] - load["POOL_ASYNC_READ_TIME"]
    total = max(400000, draw(st.sampled_from((2, 5))) * reads)
    parts = {name: total * draw(st.sampled_from((0, 2, 7))) // 100 for name in TIMES}
    rows = draw(st.sampled_from((1, 100)))
    return {
        **dict.fromkeys(NOTHING, 0), **parts, "TOTAL_RQST_TIME": total, "POOL_READ_TIME": reads,
        "TOTAL_WAIT_TIME": total // 2, "TOTAL_CPU_TIME": 400 * total, "TOTAL_ACT_TIME": total,
        "ACT_COMPLETED_TOTAL": 60000, "PREFETCH_WAITS": 20000, "LOG_DISK_WAITS_TOTAL": 30000, "TOTAL_SORTS": 20000,
        "SORT_OVERFLOWS": draw(st.sampled_from((8000, 0))), "TOTAL_HASH_JOINS": 2000, "HASH_JOIN_OVERFLOWS": 0,
        "TOTAL_COMPILE_PROC_TIME": total // 100, "TOTAL_APP_COMMITS": 30000, "TOTAL_APP_ROLLBACKS": 30,
        "ROWS_READ": 8000000, "ROWS_RETURNED": 60000 * rows, "ROWS_MODIFIED": 300000, "SELECT_SQL_STMTS": 60000,
        "UID_SQL_STMTS": draw(st.sampled_from((0, 60000))),
    }  # fmt: skip


@st.composite
def _facts(draw: st.DrawFn, containers: list[Row]) -> list[Row]:
    """Return the arrays under the containers, and the location of the log."""
    disks, rotational = draw(st.sampled_from((1, 4, 6))), draw(st.sampled_from((0, 1)))
    log = draw(st.sampled_from(("sda0", "sdz")))
    devices = {row["CONTAINER_NAME"]: f"sda{row['CONTAINER_ID']}" for row in containers}
    facts = [(f"container:{name}", "device", device) for name, device in devices.items()]
    facts += [("path:/log/NODE0000/LOGSTREAM0000/", "device", log), ("path:/ssd1", "device", "sdy")]
    for device in sorted({*devices.values(), log}):
        facts += [(f"device:{device}", "strip_kb", "64"), (f"device:{device}", "data_disks", str(disks)),
                  (f"device:{device}", "rotational", str(rotational))]  # fmt: skip
    return [{"FACT_KEY": key, "ITEM": item, "VALUE": value} for key, item, value in facts]


def _sum(loads: list[Row]) -> Row:
    """Return the sum of several table spaces' counters that a pool also has."""
    return {name: sum(load[name] for load in loads) for name in POOL_COUNTERS}


EXAMPLES = 150


def holds_for(*strategies: SearchStrategy[Any]) -> Callable[[Callable[..., Steps]], Callable[[], None]]:
    """Return a test that runs a check over examples; it shows the smallest failing example."""

    def decorated(check: Callable[..., Steps]) -> Callable[[], None]:
        def test() -> None:
            first, *others = map(examples, strategies)
            drawn = list(zip(first, *map(cycle, others), strict=False))  # a strategy with few values has few examples
            answer = _answer(strategies[0])
            failed: list[tuple[tuple[Any, ...], Exception]] = []
            for example in drawn:
                try:
                    run_steps(check(*example), answer)
                except Exception as error:
                    failed.append((example, error))
            if failed:
                example, smallest = min(failed, key=lambda one: len(pickle.dumps(one[0])))
                smallest.add_note(f"{len(failed)} of {len(drawn)} fail, the smallest:\n{_shown(example)}")
                raise smallest

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorated


def examples(strategy: SearchStrategy[Any]) -> list[Any]:
    """Return the drawn examples, without shrinking."""
    return once(f"drawn of {strategy}", lambda: _drawn(strategy))


def _drawn(strategy: SearchStrategy[Any]) -> list[Any]:
    drawn: list[Any] = []

    @seed(repr(strategy))
    @settings(
        max_examples=EXAMPLES, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def draw(example: Any) -> None:
        drawn.append(example)

    draw()
    return drawn


def _answer(states: SearchStrategy[Any]) -> Callable[[Wanted], Advice]:
    """Return a function that judges; after the first check, the advice for the drawn states is known."""
    number_of = {id(state): number for number, state in enumerate(examples(states))}

    def answer(wanted: Wanted) -> Advice:
        if id(wanted) not in number_of:
            return judge(wanted)
        return once(f"advice of {states}", lambda: list(map(judge, examples(states))))[number_of[id(wanted)]]

    return answer


def _shown(example: tuple[Any, ...]) -> str:
    """Return an example in words; states as captures, for db2tune advise --capture."""
    folder = Path(tempfile.mkdtemp(prefix="db2tune-example-"))
    return ", ".join(
        str(write_capture(value, folder / str(number))) if isinstance(value, State) else repr(value)
        for number, value in enumerate(example)
    )
