"""Indexes proposed before the rules: which statements they serve, and what the ranking makes of them."""

from collections.abc import Iterator
from typing import Any

import pytest

from advisor.catalogue.rules import Rule, all_rules
from advisor.indexes.advice import Outcome
from advisor.indexes.ddl import create_statement
from advisor.judgement.observed import Observed
from advisor.judgement.periods import Period
from advisor.judgement.proposing import Proposal
from advisor.judgement.run import advise
from advisor.report.indexes import lines
from advisor.resources import DEMO_CAPTURE
from tests.machines import MACHINES
from tests.support.advised import advised, judge, read_view
from tests.support.states import observe_state, state_of
from tests.support.stepwise import Steps, stepwise

ORDERS = {"TABSCHEMA": "SHOP", "TABNAME": "ORDERS"}
SEARCH = "SELECT TOTAL FROM SHOP.ORDERS WHERE STATUS = '{}'"
SLOW = {"NUM_EXECUTIONS": 100, "STMT_EXEC_TIME": 900_000, "ROWS_READ": 90_000_000, "ROWS_RETURNED": 900}


def asked(state: Observed, rule: str = "sql.missing-index") -> tuple[Observed, list[Rule]]:
    return state, [all_rules()[rule]]


def shop(*texts: str, statement: dict[str, Any] | None = None, **more: Any) -> Observed:
    """Return an order table of 900,000 rows with a primary key, and statements on it."""
    columns = [("ID", 900_000), ("STATUS", 9_000), ("TOTAL", 90_000)]
    rows = [
        SLOW
        | {"EXECUTABLE_ID": f"{n:04X}", "STMT_KEY": f"{n}/1", "STMT_TEXT": text, "STMT_TEXT_LENGTH": len(text)}
        | (statement or {})
        for n, text in enumerate(texts, 1)
    ]
    case = {
        "site": {"workload": "OLTP"},
        "statement": rows,
        "table": [ORDERS | {"ROWS_READ": 900_000_000, "TABLE_SCANS": 1000}],
        "cat_table": [ORDERS | {"CARD": 900_000, "NPAGES": 30_000}],
        "cat_column": [ORDERS | {"COLNAME": name, "COLCARD": card} for name, card in columns],
        "cat_key_column": [ORDERS | {"INDSCHEMA": "SHOP", "INDNAME": "PK", "COLNAME": "ID"}],
        "index": [ORDERS | {"INDSCHEMA": "SHOP", "INDNAME": "PK", "UNIQUERULE": "P", "COLNAMES": "+ID"}],
    }
    return observe_state(state_of(case | more))


@stepwise
def test_statements_that_differ_in_literals_count_as_one() -> Steps:
    many = yield asked(shop(*(SEARCH.format(value) for value in ("NEW", "PAID", "it''s"))))
    (found,) = many.ranked
    assert found.object_name == "SHOP.IX_ORDERS_STATUS"
    assert "Other statements that gain: 2." in found.finding


@stepwise
def test_statement_with_proposed_index_is_not_reported_again() -> Steps:
    advice = yield asked(shop(SEARCH.format("NEW"), "SELECT TOTAL FROM SHOP.ORDERS WHERE TOTAL = ?"))
    assert {item.object_type for item in advice.ranked} == {"INDEX"}


@stepwise
def test_cut_text_keeps_the_advice_about_the_statement() -> Steps:
    advice = yield asked(shop(SEARCH.format("NEW"), statement={"STMT_TEXT_LENGTH": 4001}))
    assert [(item.object_type, item.object_name) for item in advice.ranked] == [("STATEMENT", "1/1")]


@stepwise
def test_without_column_statistics_the_statement_is_reported() -> Steps:
    advice = yield asked(shop(SEARCH.format("NEW"), cat_column=[]))
    assert [item.object_type for item in advice.ranked] == ["STATEMENT"]


@stepwise
def test_table_without_a_schema_in_the_text_is_found() -> Steps:
    advice = yield asked(shop("SELECT TOTAL FROM ORDERS WHERE STATUS = ?"))
    assert [item.object_name for item in advice.ranked] == ["SHOP.IX_ORDERS_STATUS"]


@stepwise
def test_index_that_costs_more_than_it_saves_is_not_proposed() -> Steps:
    busy = ORDERS | {"ROWS_READ": 900_000_000, "ROWS_INSERTED": 500_000_000, "TABLE_SCANS": 1000}
    advice = yield asked(shop(SEARCH.format("NEW"), table=[busy]))
    assert advice.ranked == []
    assert advice.indexes is not None
    assert [(each.outcome, each.remedy) for each in advice.indexes.accounts] == [(Outcome.SERVED, "")]


@stepwise
def test_statement_that_a_rewrite_helps_gets_the_rewrite() -> Steps:
    advice = yield asked(shop("SELECT TOTAL FROM SHOP.ORDERS WHERE SUBSTR(STATUS, 1, 3) = 'NEW'"))
    (found,) = advice.ranked
    assert found.object_type == "STATEMENT"
    assert "Write STATUS LIKE 'NEW' || '%'" in found.actions[0]


@stepwise
def test_statement_that_no_rewrite_helps_is_not_ranked() -> Steps:
    advice = yield asked(shop("SELECT TOTAL FROM SHOP.ORDERS WHERE STATUS LIKE '%NEW'"))
    assert advice.ranked == []


@pytest.mark.parametrize(
    ("age", "said"), [(400, "Collect statistics of SHOP.ORDERS"), (1, "Index SHOP.BY_STATUS is younger")]
)
def test_unused_existing_index_has_its_reason(age: int, said: str) -> None:
    index = {"INDSCHEMA": "SHOP", "INDNAME": "BY_STATUS"}
    keys = [ORDERS | index | {"COLNAME": "STATUS", "COLSEQ": 1}]
    facts = [ORDERS | index | {"UNIQUERULE": "D", "COLNAMES": "+STATUS", "AGE_D": age}]
    state = shop(SEARCH.format("NEW"), statement={"CACHED_S": 864_000}, cat_key_column=keys, index=facts)
    ((found,),) = [advice.ranked for advice in judge([asked(state)])]
    assert said in found.actions[0]


@stepwise
def test_hostile_names_are_quoted() -> Steps:
    name = 'X"; DROP TABLE T'
    columns = [{"TABSCHEMA": "SHOP", "TABNAME": "ORDERS", "COLNAME": name, "COLCARD": 9_000}]
    text = "SELECT COUNT(*) FROM SHOP.ORDERS WHERE " + '"X""; DROP TABLE T" = ?'
    advice = yield asked(shop(text, cat_column=columns))
    (found,) = advice.ranked
    assert found.actions[0].startswith("CREATE INDEX ")
    assert '("X""; DROP TABLE T")' in found.actions[0]


def test_one_state_and_many_propose_the_same() -> None:
    alone = advise(DEMO_CAPTURE, [all_rules()["sql.missing-index"]])
    (together_,) = judge([asked(observe_state(MACHINES["webshop"]()))])
    assert [item.actions for item in alone.ranked] == [item.actions for item in together_.ranked]
    assert alone.indexes is not None
    assert [create_statement(each.index, each.name) for each in alone.indexes.chosen] == alone.ranked[0].actions[:1]


def test_prefetch_waits_are_part_of_the_read_time() -> None:
    def rows() -> Iterator[tuple[str, list[Any]]]:
        yield from Proposal.from_period(Period.from_rows(STATEMENTS, GIVEN)).rows()

    (row,) = [values for table, values in rows() if table == "PROPOSED_INDEX"]
    cpu, read, wait = row[14:17]
    assert wait == pytest.approx(3 * read)
    assert cpu > 0


STATEMENTS = [
    {
        "STATEMENT": "1/1", "STMT_TEXT": SEARCH.format("NEW"), "STMT_TEXT_LENGTH": 60, "EXECUTIONS": 100,
        "ACT_MS": 100_000, "CPU_MS": 50_000, "READ_MS": 10_000, "PREFETCH_WAIT_MS": 30_000, "SORT_MS": 0,
        "ROWS_READ": 90_000_000, "ROWS_USED": 900, "TOTAL_ACT_TIME": 100_000, "SECONDS": 300,
    }
]  # fmt: skip
GIVEN: dict[str, list[dict[str, Any]]] = {
    "writes": [], "system": [], "index": [], "table": [], "cat_tablespace": [], "cat_key_column": [],
    "cat_table": [ORDERS | {"CARD": 900_000, "NPAGES": 30_000}],
    "cat_column": [ORDERS | {"COLNAME": name, "COLNO": 0, "COLCARD": 9_000} for name in ("STATUS", "TOTAL")],
}  # fmt: skip


@pytest.mark.parametrize("name", MACHINES)
def test_statement_that_finds_its_rows_gets_no_index(name: str) -> None:
    (rows,) = read_view("STATEMENT", [MACHINES[name]()])
    found = {row["STATEMENT"] for row in rows if row["ROWS_READ"] is not None and _finds_rows(row)}
    advice = advised(name).indexes
    assert found.isdisjoint(item.key for chosen in advice.chosen for item in chosen.helped) if advice else True


def _finds_rows(row: dict[str, Any]) -> bool:
    """Return whether a statement reads hardly more rows than it uses, and hardly from disk."""
    return bool(row["ROWS_READ"] <= 1.2 * (row["ROWS_USED"] or 0) and (row["READ_MS"] or 0) < row["ACT_MS"] / 2)


@stepwise
def test_short_statement_gets_no_wider_index() -> Steps:
    times = {
        "STMT_EXEC_TIME": 600_000,
        "TOTAL_CPU_TIME": 500_000_000,
        "POOL_READ_TIME": 50_000,
        "PREFETCH_WAIT_TIME": 0,
    }
    rows = {"NUM_EXECUTIONS": 200_000, "ROWS_READ": 1_800_000, "ROWS_RETURNED": 1_800_000}
    key = ORDERS | {"INDSCHEMA": "SHOP", "INDNAME": "I", "COLNAME": "STATUS"}
    index = ORDERS | {"INDSCHEMA": "SHOP", "INDNAME": "I", "FULLKEYCARD": 9_000, "FIRSTKEYCARD": 9_000}
    state = shop(SEARCH.format("NEW"), statement=times | rows, cat_key_column=[key], index=[index])
    advice = yield asked(state)
    assert advice.indexes is not None
    assert advice.indexes.chosen == ()


@stepwise
def test_idle_database_gets_no_index() -> Steps:
    idle = {"TOTAL_RQST_TIME": 3_000, "TOTAL_ACT_TIME": 2_000}
    advice = yield asked(shop(SEARCH.format("NEW"), seconds=600, workload=[idle], statement={"STMT_EXEC_TIME": 2_000}))
    assert advice.indexes is None
    assert any("the database was idle" in line for line in lines(advice, 120))
