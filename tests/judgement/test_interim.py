"""No interim step makes the state worse: a walk through a plan checks the settings after each command.

Some commands take effect at once, others at the next activation of the database. A walk keeps two pictures: the
settings in effect now, and those after the next activation. The pictures contain only settings that can make an interim
state worse than the initial one: pools, the pool of each table space, file system caching, and the log. Sizes are in KB
over all members; log sizes are in 4 KB pages.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from advisor.catalogue.commands import BY_HAND
from advisor.catalogue.rules import Rule
from advisor.judgement.advice import Advice, Command, Recommendation
from tests.machines import MACHINES
from tests.support.carrying_out import first_cases, settle_state
from tests.support.properties import holds_for, states
from tests.support.states import State, state_of
from tests.support.stepwise import Steps, stepwise

TOLERANCE = 0.02  # sizes are rounded to whole extents and pages

_ID = r'"((?:[^"]|"")+)"'
_ALTER_POOL = re.compile(
    rf"ALTER BUFFERPOOL {_ID}(?: DBPARTITIONNUM \d+)?(?: (IMMEDIATE|DEFERRED))?(?: DBPARTITIONNUM \d+)? SIZE (\d+)"
)
_CREATE_POOL = re.compile(
    rf"CREATE BUFFERPOOL {_ID}(?: (IMMEDIATE|DEFERRED))?.*? SIZE (\d+)(?:.*? PAGESIZE (\d+)(K?))?"
)
_SERVED_BY = re.compile(rf"ALTER TABLESPACE {_ID} BUFFERPOOL {_ID}")
_CREATE_SPACE = re.compile(rf"CREATE TABLESPACE {_ID} .*BUFFERPOOL {_ID}")
_NOT_CACHED = re.compile(rf"ALTER TABLESPACE {_ID} NO FILE SYSTEM CACHING")
_LOG = re.compile(r"\b(LOGFILSIZ|LOGPRIMARY|LOGSECOND) (\d+)")


@dataclass
class Picture:
    """The settings in effect at one time; pools by name and member."""

    pools: dict[tuple[str, int], float] = field(default_factory=dict)
    served_by: dict[str, str] = field(default_factory=dict)
    cached: dict[str, bool] = field(default_factory=dict)
    log: dict[str, int] = field(default_factory=dict)

    def copy(self) -> "Picture":
        return replace(
            self, pools=dict(self.pools), served_by=dict(self.served_by), cached=dict(self.cached), log=dict(self.log)
        )

    @property
    def serving(self) -> float:
        """Return the total size in KB of pools that serve a table space."""
        return sum(size for (name, _), size in self.pools.items() if name in self.served_by.values())

    def size(self, pool: str) -> float:
        return sum(size for (name, _), size in self.pools.items() if name == pool)

    @property
    def log_pages(self) -> int:
        return self.log.get("LOGFILSIZ", 0) * (self.log.get("LOGPRIMARY", 0) + max(0, self.log.get("LOGSECOND", 0)))


def seen(state: State) -> tuple[Picture, dict[str, int]]:
    """Return the settings in effect in a settled state, and the page size of each pool in KB."""
    catalog = state.sources.get("cat_bufferpool", [])
    page_kb = {row["BPNAME"]: int(row["PAGESIZE"] or 4096) // 1024 for row in catalog}
    names = {row["BUFFERPOOLID"]: row["BPNAME"] for row in catalog}
    picture = Picture()
    for row in state.sources.get("bufferpool", []):
        size = int(row.get("BP_CUR_BUFFSZ") or 0) * page_kb.get(row["BP_NAME"], 4)
        picture.pools[row["BP_NAME"], int(row["MEMBER"])] = size
    for row in state.sources.get("tablespace", []):
        if row.get("TBSP_CUR_POOL_ID") in names:
            picture.served_by[row["TBSP_NAME"]] = names[row["TBSP_CUR_POOL_ID"]]
        picture.cached[row["TBSP_NAME"]] = str(row.get("FS_CACHING")) in ("0", "1")
    for row in state.sources.get("dbcfg", []):
        if row["NAME"].upper() in ("LOGFILSIZ", "LOGPRIMARY", "LOGSECOND") and str(row["VALUE"]).lstrip("-").isdigit():
            picture.log[row["NAME"].upper()] = int(row["VALUE"])
    return picture, page_kb


def defined(state: State, now: Picture, page_kb: dict[str, int]) -> Picture:
    """Return the settings after the next activation without any change: pools as large as the catalog defines them."""
    later = now.copy()
    for row in state.sources.get("cat_bufferpool", []):
        if int(row.get("NPAGES") or 0) > 0:
            size = int(row["NPAGES"]) * page_kb.get(row["BPNAME"], 4)
            later.pools |= {(row["BPNAME"], member): size for member in _members(state)}
    return later


def walk(state: State, advice: Advice) -> Iterator[tuple[Recommendation, Picture, Picture]]:
    """Yield the settings after each recommendation of the plan, now and if the database was activated then.

    The commands of one recommendation are executed together.
    """
    now, page_kb = seen(state)
    later = defined(state, now, page_kb)
    members = _members(state)
    for item in sorted((item for item in advice.ranked if item.step), key=lambda item: item.step or 0):
        for line in item.actions:
            if not line.startswith(BY_HAND):
                _carry_out(line, now, later, page_kb, members)
        yield item, now.copy(), later.copy()


def _carry_out(line: str, now: Picture, later: Picture, page_kb: dict[str, int], members: list[int]) -> None:
    if found := _ALTER_POOL.match(line):
        name, when, pages = found.groups()
        on = re.search(r" DBPARTITIONNUM (\d+)", line)
        for picture in (later,) if when == "DEFERRED" else (now, later):
            for member in [int(on[1])] if on else members:
                picture.pools[name, member] = int(pages) * page_kb.get(name, 4)
    elif found := _CREATE_POOL.match(line):
        name, when, pages, page_size, kilo = found.groups()
        page_kb[name] = int(page_size or 4096) // (1 if kilo else 1024)
        for picture in (later,) if when == "DEFERRED" else (now, later):
            picture.pools |= {(name, member): int(pages) * page_kb[name] for member in members}
    elif found := _SERVED_BY.match(line):
        later.served_by[found[1]] = found[2]
    elif found := _CREATE_SPACE.match(line):
        for picture in (now, later):
            picture.served_by[found[1]] = found[2]
    elif found := _NOT_CACHED.match(line):
        later.cached[found[1]] = False
    elif line.startswith("UPDATE DB CFG"):
        for name, value in _LOG.findall(line):
            later.log[name] = int(value)
            if name == "LOGSECOND":
                now.log[name] = int(value)


def made_worse(state: State, advice: Advice) -> list[str]:
    """Return the points at which a plan's state is worse than the initial one, in words."""
    before, page_kb = seen(state)
    most = max(sum(before.pools.values()), sum(defined(state, before, page_kb).pools.values()))
    steps = list(walk(state, advice))
    if not steps:
        return []
    last = steps[-1][2]
    given = sum(max(0, item.memory_delta_kb) for item in advice.ranked) * len(_members(state))
    donated = any(item.rule.donor for item in advice.ranked)
    found = []
    for item, now, later in steps:
        for picture, when in ((now, "before"), (later, "after")):
            where = f"{item.rule.name} {item.object_name}, {when} an activation"
            if picture.serving < before.serving * (1 - TOLERANCE) and not donated:
                found.append(f"{where}: pools hold {picture.serving:.0f} KB of {before.serving:.0f}")
            if sum(picture.pools.values()) > (most + given) * (1 + TOLERANCE):
                found.append(f"{where}: pools hold {sum(picture.pools.values()):.0f} KB")
            for space, pool in picture.served_by.items():
                lost = before.cached.get(space) and not picture.cached.get(space)
                if lost and picture.size(pool) < last.size(pool) * (1 - TOLERANCE):
                    found.append(f"{where}: {space} is cached no more, and its pool has not grown yet")
            if picture.log_pages < before.log_pages * (1 - TOLERANCE):
                found.append(f"{where}: the log holds {picture.log_pages} pages of {before.log_pages}")
            room = any("MB free" in line for line in item.actions)
            if picture.log_pages > before.log_pages * 1.1 and not room and _changes_log(item):
                found.append(f"{where}: the log takes {picture.log_pages} pages, and nobody looked for room")
    return list(dict.fromkeys(found))


def _members(state: State) -> list[int]:
    return sorted({int(row["MEMBER"]) for row in state.sources.get("bufferpool", [])}) or [0]


def _changes_log(item: Recommendation) -> bool:
    return any(_LOG.search(line) for line in item.actions)


NEXT = "then"  # the next recommendation begins


@pytest.mark.parametrize("name", MACHINES)
@stepwise
def test_of_a_machine(name: str) -> Steps:
    state = settle_state(MACHINES[name]())
    assert made_worse(state, (yield state)) == []


@pytest.mark.parametrize(("rule", "case"), first_cases())
@stepwise
def test_of_a_case(rule: Rule, case: dict[str, Any]) -> Steps:
    state = settle_state(state_of(case))
    assert made_worse(state, (yield state)) == []


@holds_for(states())
def test_of_any_state(state: State) -> Steps:
    assert made_worse(state, (yield state)) == []


@pytest.mark.parametrize(
    ("commands", "worse"),
    [
        (['ALTER BUFFERPOOL "BP8K" IMMEDIATE SIZE 50000'], "pools hold 400000 KB of 800000"),
        (
            ['CREATE BUFFERPOOL "NEW" IMMEDIATE SIZE 1000 PAGESIZE 8192', 'CREATE TABLESPACE "T" PAGESIZE 8192 BUFFERPOOL "NEW"',
             'ALTER BUFFERPOOL "BP8K" IMMEDIATE SIZE 50000', NEXT, "CALL SYSPROC.ADMIN_MOVE_TABLE('S', 'T', 'T', 'T', 'T', 'MOVE')"],
            "pools hold 408000 KB of 800000",
        ),
        (['ALTER BUFFERPOOL "BP8K" DEFERRED SIZE 100000'], None),
        (['ALTER BUFFERPOOL "BP8K" IMMEDIATE SIZE 200000'], "pools hold 1600000 KB"),
        (["UPDATE DB CFG FOR SAMPLE USING LOGSECOND 0"], "the log holds 13000 pages of 25000"),
        (["UPDATE DB CFG FOR SAMPLE USING LOGFILSIZ 8000"], "the log takes 200000 pages, and nobody looked for room"),
        (["-- See that the file system has 700 MB free", "UPDATE DB CFG FOR SAMPLE USING LOGFILSIZ 8000"], None),
        (
            ['ALTER TABLESPACE "DATA" NO FILE SYSTEM CACHING', NEXT, 'ALTER BUFFERPOOL "BP8K" IMMEDIATE SIZE 104000'],
            "DATA is cached no more, and its pool has not grown yet",
        ),
        (['ALTER BUFFERPOOL "BP8K" IMMEDIATE SIZE 104000', NEXT, 'ALTER TABLESPACE "DATA" NO FILE SYSTEM CACHING'], None),
    ],
)  # fmt: skip
@stepwise
def test_a_plan_that_makes_it_worse_is_seen(commands: list[str], worse: str | None) -> Steps:
    state = settle_state(
        state_of(
            {
                "cat_bufferpool": [{"BPNAME": "BP8K", "BUFFERPOOLID": 7, "PAGESIZE": 8192, "NPAGES": 100000}],
                "bufferpool": [{"BP_NAME": "BP8K", "AUTOMATIC": 0, "BP_CUR_BUFFSZ": 100000}],
                "tablespace": [{"TBSP_NAME": "DATA", "TBSP_CUR_POOL_ID": 7, "FS_CACHING": 1}],
                "config": {"logfilsiz": 1000, "logprimary": 13, "logsecond": 12},
            }
        )
    )
    advice = yield MACHINES["linux-z-oltp"]()
    numbered = enumerate(" | ".join(commands).split(NEXT), 1)
    made = [
        replace(
            advice.ranked[0], rank=number, step=number, memory_delta_kb=32000,
            commands=tuple(Command(line, None) for line in filter(None, text.strip(" |").split(" | "))),
        )
        for number, text in numbered
    ]  # fmt: skip
    found = made_worse(state, replace(advice, recommendations=made))
    assert [text.partition(": ")[2] for text in found][:1] == ([worse] if worse else [])
