"""States in which made-up rules find the written findings, to show how Db2tune selects from them.

A row of the source cat_table is a finding. TABSCHEMA names the rule, LONG_TBSPACE and TABLEORG the object, CARD the
claim in hundredths of a percent, NPAGES the memory in KB, TBSPACE the parameter, and INDEX_TBSPACE a parameter of the
member in AVGROWSIZE.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from advisor.catalogue.rules import Rule
from advisor.judgement.run import judge_state
from tests.support.handmade import deferral
from tests.support.states import Row, State, observe_state, state_of

OBJECTS = {
    "D": ("DATABASE", "SAMPLE"), "1": ("TABLESPACE", "TS1"), "2": ("TABLESPACE", "TS2"), "3": ("TABLESPACE", "TS3"),
    "A": ("BUFFERPOOL", "BP1"), "B": ("BUFFERPOOL", "BP2"),
}  # fmt: skip
POOL_OF = {"TS1": "BP1", "TS2": "BP1", "TS3": "BP2"}
TOTAL_MS = 1_000_000  # database time; 40 % are reads, 20 % waits for prefetchers

# differences between the rules: lanes, claims, exclusions and deferrals
HEADERS: tuple[dict[str, Any], ...] = (
    {"claims": {"POOL_READ": {}}},
    {"claims": {"POOL_READ": {}}, "exclusive": "one"},
    {"claims": {"PREFETCH_WAIT": {}}, "exclusive": "one", "takes_effect": "object rebuilt or moved"},
    {"claims": {"POOL_READ": {}, "PREFETCH_WAIT": {}}, "recover": [0.1, 0.9, 1]},
    {"claims": {"POOL_READ": {}}, "defers_to": [deferral("made.r1", "pool", larger=True)], "confidence": 0.9},
    {
        "claims": {"PREFETCH_WAIT": {}},
        "defers_to": [deferral("made.r3", "object"), deferral("made.r0", "any", larger=True)],
        "confidence": 0.3,
    },
    {"claims": {"POOL_READ": {}, "PREFETCH_WAIT": {}}, "takes_effect": "host change"},
    {"claims": {"POOL_READ": {}}, "risk": "high", "recover": [0.1, 1, 1]},
    {"claims": {"POOL_READ": {}}, "lane_without_claim": "safety", "severity": "high", "exclusive": "two"},
    {"lane": "housekeeping", "exclusive": "two"},
    {"lane_without_claim": "performance", "donor": True, "defers_to": [deferral("made.r1", "object")]},
    {"lane_without_claim": "performance", "donor": True, "exclusive": "three"},
    {"lane": "safety", "defers_to": [deferral("made.r10", "any")]},
)
DONORS = {f"made.r{number}" for number, header in enumerate(HEADERS) if "donor" in header}

_HEADER = {
    "title": "Made up",
    "lane": "performance",
    "takes_effect": "immediately",
    "judged_by": "config",
    "confidence": 0.6,
    "object": "{OBJECT_TYPE:text} {OBJECT_NAME:text}",
    "memory": "MEMORY_KB",
    "actions": [
        {
            "when": "PARAMETER IS NOT NULL",
            "set": {"kind": "DBCFG", "name": "{PARAMETER:text}", "from": "1", "to": "{NEW_VALUE}"},
        },
        {
            "when": "PARAMETER_2 IS NOT NULL",
            "set": {
                "kind": "DBCFG", "name": "{PARAMETER_2:text}", "member": "OF_MEMBER", "from": "1", "to": "{NEW_VALUE}",
            },
        },
        {"manual": "Look at it."},
    ],
    "finding": "It is made up.",
    "references": ["nobody"],
    "why": "Nobody knows.",
    "not_if": "Never.",
}  # fmt: skip
_SELECT = """\
SELECT
    CASE
        WHEN T.TABLEORG = 'D' THEN 'DATABASE' WHEN T.TABLEORG IN ('A', 'B') THEN 'BUFFERPOOL' ELSE 'TABLESPACE'
    END AS OBJECT_TYPE,
    T.LONG_TBSPACE AS OBJECT_NAME,
    CAST(T.CARD AS DOUBLE) / 100 AS CLAIM_POOL_READ,
    CAST(T.CARD AS DOUBLE) / 200 AS CLAIM_PREFETCH_WAIT,
    T.NPAGES AS MEMORY_KB,
    T.TBSPACE AS PARAMETER,
    T.INDEX_TBSPACE AS PARAMETER_2,
    T.AVGROWSIZE AS OF_MEMBER,
    {number} + 2 AS NEW_VALUE
FROM TUNE.D_CAT_TABLE AS T
WHERE T.TABSCHEMA = 'r{number}'
"""


@cache
def made_rules() -> tuple[Rule, ...]:
    """Return rules that find the written findings."""
    return tuple(_rule(number) for number in range(len(HEADERS)))


def _rule(number: int) -> Rule:
    name = f"made.r{number}"
    header = _HEADER | {"rule": name} | HEADERS[number]
    if "claims" in header:
        header = {"recover": [0.1, 0.5, 0.9]} | header
    return Rule(name, header, _SELECT.format(number=number).strip(), Path())


@st.composite
def findings(draw: st.DrawFn) -> State:
    """Return a database with three table spaces in two pools, and the findings of the made-up rules."""
    reads = [draw(st.sampled_from((10_000, 100_000, 300_000))) for _ in POOL_OF]
    rows = [_finding(draw, number) for number in range(draw(st.integers(2, 24)))]
    pages = dict.fromkeys(("POOL_DATA_L_READS", "POOL_DATA_P_READS", "POOL_ASYNC_DATA_READS"), 100_000)
    spaces = [
        {
            "TBSP_NAME": name,
            "TBSP_ID": number,
            "TBSP_CUR_POOL_ID": int(POOL_OF[name][-1]),
            "POOL_READ_TIME": ms,
            **pages,
        }
        for number, (name, ms) in enumerate(zip(POOL_OF, reads, strict=True), 2)
    ]
    return state_of({
        "workload": [{"TOTAL_RQST_TIME": TOTAL_MS, "POOL_READ_TIME": 400_000, "PREFETCH_WAIT_TIME": 200_000,
                      "TOTAL_CPU_TIME": 100_000_000, "TOTAL_WAIT_TIME": 600_000}],
        "tablespace": spaces,
        "cat_tablespace": [{"TBSPACE": row["TBSP_NAME"], "TBSPACEID": row["TBSP_ID"]} for row in spaces],
        "cat_bufferpool": [{"BPNAME": name, "BUFFERPOOLID": int(name[-1])} for name in ("BP1", "BP2")],
        "bufferpool": [
            {"BP_NAME": pool, "POOL_READ_TIME": sum(ms for name, ms in zip(POOL_OF, reads, strict=True) if POOL_OF[name] == pool)}
            for pool in ("BP1", "BP2")
        ],
        "system": [{"MEMORY_TOTAL": 65536, "MEMORY_FREE": draw(st.sampled_from((3300, 3350, 3400, 5000)))}],
        "cat_table": rows,
    })  # fmt: skip


def _finding(draw: st.DrawFn, number: int) -> Row:
    rule = draw(st.sampled_from((*range(len(HEADERS)), 10, 10, 11, 11, 11)))
    donor = f"made.r{rule}" in DONORS
    org = draw(st.sampled_from(sorted(OBJECTS)))
    memory = draw(st.sampled_from((0, 0, 20_000, 60_000, 100_000, 150_000, 1_000_000)))
    return {
        "TABSCHEMA": f"r{rule}",
        "TABNAME": f"F{number}",
        "TABLEORG": org,
        "LONG_TBSPACE": OBJECTS[org][1],
        "CARD": draw(st.sampled_from((60, 300, 1000, 1001, 2500, 6000))),
        "NPAGES": -memory if donor else memory,
        "TBSPACE": draw(st.sampled_from((None, None, "P4", "P5") if donor else (None, None, None, "P1", "P2", "P3"))),
        "INDEX_TBSPACE": draw(st.sampled_from((None,) * 6 if donor else (None, None, None, "P1", "P2"))),
        "AVGROWSIZE": draw(st.sampled_from((0, 1))),
    }


Table = list[dict[str, Any]]


@dataclass(frozen=True)
class Selected:
    """The result of one state: the rows of tables by their names."""

    state: State
    tables: dict[str, Table]

    @property
    def ranked(self) -> Table:
        """Return the recommendations, best first."""
        given = [row for row in self.tables["ADVICE"] if row["POSITION"] is not None]
        return sorted(given, key=lambda row: int(row["POSITION"]))

    @property
    def left_out(self) -> Table:
        return [row for row in self.tables["ADVICE"] if row["POSITION"] is None]

    @property
    def budget_kb(self) -> int | None:
        budget: int | None = self.tables["MEMORY_BUDGET"][0]["BUDGET_KB"]
        return budget

    def set_by(self, row: dict[str, Any]) -> set[tuple[str, int | None]]:
        """Return the parameters that a recommendation sets, each with its member."""
        return {
            (item["SETTING_NAME"], item["SETTING_MEMBER"])
            for item in self.tables["FINDING"]
            if identity(item) == identity(row) and item["SETTING_KIND"] == "DBCFG"
        }


TABLES = (
    "ADVICE",
    "FINDING",
    "PLAN",
    "CHOICE_CLAIM",
    "CHOSEN",
    "CANDIDATE",
    "TIME_BUCKET",
    "OBJECT_TIME",
    "MEMORY_BUDGET",
)


def identity(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["RULE"], row["OBJECT_TYPE"], row["OBJECT_NAME"]


def selected(cases: Iterable[tuple[State, Sequence[Rule]]]) -> list[Selected]:
    """Return the selection of each state with its rules."""
    found = []
    for state, rules in cases:
        with judge_state(observe_state(state), rules, TABLES_READ) as (_, tables):
            found.append(Selected(state, {name: tables.records(f"SELECT * FROM TUNE.{name}") for name in TABLES}))
    return found


TABLES_READ = [f"SELECT * FROM TUNE.{name}" for name in TABLES]
