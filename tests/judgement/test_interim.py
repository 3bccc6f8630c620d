"""No interim step makes the state worse: a walk through a plan checks the settings after each command."""

from dataclasses import replace
from typing import Any

import pytest

from advisor.catalogue.rules import Rule
from advisor.judgement.advice import Command
from tests.machines import MACHINES
from tests.support.carrying_out import first_cases, settle_state
from tests.support.generated import states
from tests.support.interim import made_worse
from tests.support.properties import holds_for
from tests.support.states import State, state_of
from tests.support.stepwise import Steps, stepwise

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
