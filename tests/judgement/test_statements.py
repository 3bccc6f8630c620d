"""The top statements: selection, data, and invalid rows of the package cache."""

from dataclasses import replace
from typing import Any

import pytest

from advisor.catalogue.rules import Rule, all_rules
from advisor.judgement.observed import Observed
from tests.machines import MACHINES
from tests.support.states import observe_state, state_of
from tests.support.stepwise import Steps, stepwise

SEARCH = {"ROWS_READ": 9_000_000, "ROWS_RETURNED": 60, "STMT_EXEC_TIME": 1_800_000, "NUM_EXECUTIONS": 100}
ORDERS = {"TABSCHEMA": "SHOP", "TABNAME": "ORDERS", "ROWS_READ": 9_000_000, "TABLE_SCANS": 100}
INDEX = {"TABSCHEMA": "SHOP", "TABNAME": "ORDERS", "INDSCHEMA": "SHOP", "COLNAMES": "+ID", "FIRST_COLUMN": "ID"}


def asked(state: Observed, rule: str = "sql.missing-index") -> tuple[Observed, list[Rule]]:
    return state, [all_rules()[rule]]


def of(*statements: dict[str, Any], **more: Any) -> Observed:
    rows = [{"EXECUTABLE_ID": f"{n:04X}"} | row for n, row in enumerate(statements, 1)]
    return observe_state(state_of({"site": {"workload": "OLTP"}, "statement": rows} | more))


@stepwise
def test_a_shop() -> Steps:
    advice = yield asked(observe_state(MACHINES["shop-missing-index"]()))
    first, batch, lookup = advice.statements.top
    assert [round(item.time_pct, 1) for item in (first, batch, lookup)] == [60.0, 7.4, 5.6]
    assert first.tables == first.unindexed == '"SHOP"."ORDERS"'
    assert batch.unindexed is lookup.unindexed is None
    assert batch.top_by == ("time", "processor", "reads", "spills")
    assert first.text == "SELECT O.ID, O.TOTAL\n  FROM SHOP.ORDERS O\n WHERE O.STATUS = ? AND O.SHIPPED IS NULL"
    assert first.text_state == "complete"
    assert first.see_plan == f"CALL EXPLAIN_FROM_SECTION(x'{first.executable_id}', 'M', NULL, 0, NULL, ?, ?, ?, ?, ?)"
    assert advice.statements.cached == 50_000
    (found,) = advice.ranked
    assert (found.object_name, found.confidence) == ("SHOP.IX_ORDERS_SHIPPED_STATUS", 0.7)


@stepwise
def test_the_first_five_by_each() -> Steps:
    many = [
        {"STMT_EXEC_TIME": 1000 + n, "TOTAL_CPU_TIME": 9000 - n, "POOL_DATA_P_READS": n % 7, "POOL_INDEX_P_READS": 0}
        for n in range(40)
    ]
    top = (yield asked(of(*many))).statements.top
    assert [item.ms for item in top[:5]] == [1039, 1038, 1037, 1036, 1035]
    assert {item.cpu_ms for item in top} >= {9.0, 8.999, 8.998, 8.997, 8.996}
    assert sorted(item.reads or 0 for item in top)[-5:] == [6, 6, 6, 6, 6]
    assert not any("spills" in item.top_by for item in top)
    assert len(top) <= 20


@stepwise
def test_sections_of_one_text_are_one_statement() -> Steps:
    same = SEARCH | {"STMT_KEY": "7/1", "STMT_EXEC_TIME": 900_000}
    (item,) = (
        yield asked(of(same, same | {"STMT_EXEC_TIME": 1_000_000}, same | {"EXECUTABLE_ID": "0002", "MEMBER": 1}))
    ).statements.top
    assert (item.name, item.ms, item.plans, item.executable_id) == ("7/1", 1_900_000, 2, "0002")


@stepwise
def test_it_runs_where_its_coordinator_runs() -> Steps:
    """In a partitioned database each member counts the execution; only the coordinator received the statement."""
    members = [
        SEARCH | {"EXECUTABLE_ID": "0001", "MEMBER": member, "NUM_COORD_EXEC": 100 * (member == 0)}
        for member in range(4)
    ]
    (item,) = (yield asked(of(*members, members=4, database={"topology": "dpf"}))).statements.top
    assert (item.executions, item.ms) == (100, 4 * 1_800_000)


@pytest.mark.parametrize(
    ("cached_s", "known", "most", "there"),
    [
        (90_000, True, 10**9, True),
        (90_000, False, 180_001, False),
        (90_000, False, 180_000, True),
        (299, False, 10**9, True),
        (None, False, 10**9, True),
    ],
    ids=[
        "it was collected",
        "it was left out",
        "it takes far more than what was left out",
        "it is new",
        "its age is unknown",
    ],
)
@stepwise
def test_statement_left_out_before_is_not_judged(cached_s: int | None, known: bool, most: int, there: bool) -> Steps:
    state = of(SEARCH | {"CACHED_S": cached_s}, {"STMT_EXEC_TIME": 10, "ROWS_READ": 0, "LEFT_OUT_TIME": most})
    rows = [row for row in state.sources["statement"] if known or row["EXECUTABLE_ID"] == "0002" or row["SNAP_ID"] == 2]
    advice = yield asked(replace(state, sources={**state.sources, "statement": rows}))
    assert ("0001" in {item.name for item in advice.statements.top}) == bool(advice.ranked) == there


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("select * from shop.orders where status = ?", '"SHOP"."ORDERS"'),
        ('UPDATE "SHOP"."ORDERS"\nSET A = 1 WHERE B = ?', '"SHOP"."ORDERS"'),
        ("SELECT 1 FROM ARCHIVE.ORDERS,SHOP.ITEM", '"SHOP"."ITEM"'),
        ("SELECT 1 FROM ORDERS O JOIN ITEM I ON I.O=O.ID", '"SHOP"."ORDERS", "SHOP"."ITEM"'),
        ("SELECT 1 FROM SHOP.ORDERS_OLD", None),
        (None, '"SHOP"."ORDERS"'),
    ],
)
@stepwise
def test_its_tables_are_words_of_its_text(text: str | None, tables: str | None) -> Steps:
    item = ORDERS | {"TABNAME": "ITEM", "ROWS_READ": 100, "TABLE_SCANS": 1}
    known = [{"TABSCHEMA": "SHOP", "TABNAME": name} for name in ("ORDERS", "ITEM")]
    (found,) = (yield asked(of(SEARCH | {"STMT_TEXT": text}, table=[ORDERS, item], cat_table=known))).statements.top
    assert found.tables == tables


@stepwise
def test_tables_of_one_name_differ_by_schema() -> Steps:
    row = SEARCH | {"STMT_TEXT": "SELECT 1 FROM SHOP.ORDERS ORDERS WHERE ORDERS.STATUS = ?"}
    known = [{"TABSCHEMA": schema, "TABNAME": "ORDERS"} for schema in ("SHOP", "ARCHIVE")]
    (found,) = (yield asked(of(row, table=[ORDERS, ORDERS | {"TABSCHEMA": "ARCHIVE"}], cat_table=known))).statements.top
    assert found.tables == '"SHOP"."ORDERS"'


@pytest.mark.parametrize("most", [{"STMT_EXEC_TIME": 120_000}, {"TOTAL_CPU_TIME": 200_000_000}])
@stepwise
def test_texts_are_used_beyond_the_first_ten(most: dict[str, int]) -> Steps:
    """The others lead in all but one respect: processor time, or 1 % of database time."""
    other = {
        "STMT_EXEC_TIME": 200_000,
        "TOTAL_CPU_TIME": 190_000_000,
        "POOL_DATA_P_READS": 9,
        "POOL_INDEX_P_READS": 0,
        "SORT_OVERFLOWS": 9,
    }
    text = "SELECT ID FROM SHOP.ORDERS WHERE STATUS = ?"
    row = SEARCH | {"STMT_EXEC_TIME": 100, "TOTAL_CPU_TIME": 100_000_000, "STMT_TEXT": text}
    advice = yield asked(of(*[other] * 11, row | most))
    assert text in str([item.short_text for item in advice.statements.top] + [item.finding for item in advice.ranked])


@pytest.mark.parametrize(
    ("text", "index", "told"),
    [
        ("SELECT ID FROM SHOP.ORDERS WHERE STATUS = ?", INDEX, True),
        ("SELECT STATUS FROM SHOP.ORDERS WHERE ID = ?", INDEX, False),
        ("SELECT ID FROM SHOP.ORDERS WHERE STATUS = ?", INDEX | {"FIRST_COLUMN": None}, False),
        ("SELECT ID FROM SHOP.ORDERS WHERE STATUS = ? " + "-" * 3960, INDEX, False),
    ],
    ids=["no index begins with it", "one does", "which columns it has is not known", "the text is cut"],
)
@stepwise
def test_a_table_without_an_index(text: str, index: dict[str, Any], told: bool) -> Steps:
    row = SEARCH | {"STMT_TEXT": text, "STMT_TEXT_LENGTH": len(text) + (len(text) > 3900) * 100}
    known = [{"TABSCHEMA": "SHOP", "TABNAME": "ORDERS"}]
    given = of(
        row,
        row | {"ROWS_RETURNED": 900_000},
        row | {"ROWS_RETURNED": 900_001},
        table=[ORDERS],
        cat_table=known,
        index=[index],
    )
    top = (yield asked(given)).statements.top
    assert [item.unindexed is not None for item in top] == [told, told, False]  # from ten rows read per row


@stepwise
def test_a_long_text_is_cut_for_the_report() -> Steps:
    text = "SELECT " + ", ".join(f"COLUMN_{n}" for n in range(60)) + "\nFROM T"
    (item,) = (yield asked(of(SEARCH | {"STMT_TEXT": text, "STMT_TEXT_LENGTH": len(text)}))).statements.top
    assert item.text == text
    assert item.short_text is not None
    assert len(item.short_text) == 200
    assert item.short_text.endswith("...")


@stepwise
def test_a_busy_host_names_who_keeps_it_busy() -> Steps:
    busy = {
        "system": [{"CPU_USAGE_TOTAL": 97}],
        "workload": [{"TOTAL_RQST_TIME": 6_000_000, "TOTAL_ACT_TIME": 5_000_000, "TOTAL_CPU_TIME": 4_000_000_000}],
    }
    row = {
        "TOTAL_CPU_TIME": 2_800_000_000,
        "STMT_EXEC_TIME": 3_000_000,
        "STMT_TEXT": "SELECT PRICE FROM ITEM WHERE ID = ?",
    }
    measured = yield asked(of(row, **busy), "cpu.saturated")
    said = "Statement 0001 takes 70 % of its processor time: SELECT PRICE FROM ITEM WHERE ID = ?."
    assert said in measured.ranked[0].finding
    by_time = yield asked(of({"STMT_EXEC_TIME": 3_500_000}, **busy), "cpu.saturated")
    assert "Statement 0001 takes 70 % of the time of all statements." in by_time.ranked[0].finding


BY_TEXT = SEARCH | {
    "EXECUTABLE_ID": "TEXT-00000000000000AB",
    "STMT_TEXT": "SELECT ID FROM SHOP.ORDERS WHERE STATUS = ?",
}


@stepwise
def test_statement_with_only_a_text_has_no_plan_call() -> Steps:
    advice = yield asked(of(BY_TEXT))
    (item,) = advice.statements.top
    assert (item.name, item.executable_id, item.see_plan) == ("TEXT-00000000000000AB", None, None)
    (found,) = advice.ranked
    assert "EXPLAIN_FROM_SECTION" not in str(found.commands)


@stepwise
def test_a_text_of_unknown_length_may_be_cut() -> Steps:
    known = {"cat_table": [{"TABSCHEMA": "SHOP", "TABNAME": "ORDERS"}]}
    given = of(
        BY_TEXT, BY_TEXT | {"EXECUTABLE_ID": "02", "STMT_TEXT_LENGTH": 43}, table=[ORDERS], index=[INDEX], **known
    )
    top = (yield asked(given)).statements.top
    assert {item.name: item.text_state for item in top} == {BY_TEXT["EXECUTABLE_ID"]: "cut", "02": "complete"}
    assert {item.name: item.unindexed is None for item in top} == {BY_TEXT["EXECUTABLE_ID"]: True, "02": False}


@pytest.mark.parametrize("unknown", ["ROWS_RETURNED", "ROWS_MODIFIED"])
@stepwise
def test_rows_of_unknown_use_are_not_called_wasted(unknown: str) -> Steps:
    advice = yield asked(of(SEARCH | {unknown: None}, SEARCH | {"ROWS_READ": 60}))
    assert not advice.ranked
    assert advice.statements.top[0].rows_per_row is None
    assert getattr(advice.statements.top[0], unknown.lower()) is None


@stepwise
def test_partial_reads_and_coordinator_time_are_used() -> Steps:
    (item,) = (
        yield asked(of(SEARCH | {"STMT_EXEC_TIME": None, "COORD_STMT_EXEC_TIME": 7000, "POOL_DATA_P_READS": 9}))
    ).statements.top
    assert (item.ms, item.ms_per_execution, item.reads, item.text_state) == (7000, 70, 9, "none")
