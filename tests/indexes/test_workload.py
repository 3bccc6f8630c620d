"""The indexes chosen for small workloads whose right answer is obvious."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice, permutations
from typing import Any

import pytest

from advisor.indexes.advice import IndexAdvice, Outcome, Query
from advisor.indexes.catalog import Catalog, Index, Key, Table
from advisor.indexes.costs import Plan
from advisor.indexes.pricing import Confidence, Left, Measured, Writes, price
from advisor.indexes.shapes import Candidate, Limits
from advisor.indexes.statement import read_statement
from advisor.indexes.workload import advise_indexes
from tests.indexes.cases import describe_candidate, load_cases, load_catalog

CATALOG = load_catalog()
GB = 1_000_000_000
PAGE_MS, ROW_MS = 0.05, 0.001  # times of the machine that the statements are measured on

# Statement, executions in an hour, rows that one execution returns or changes.
SCANS = {
    "login": ("SELECT ID, NAME FROM CUSTOMER WHERE EMAIL = ?", 3_000, 1),
    "orders of a customer": ("SELECT * FROM ORDERS WHERE CUSTOMER_ID = ? ORDER BY CREATED DESC", 500, 11),
    "order history": ("SELECT ID, STATUS FROM ORDERS WHERE CUSTOMER_ID = ? AND STATUS = ?", 200, 2),
    "bought together": ("SELECT ORDER_ID FROM LINES WHERE PRODUCT_ID = ?", 300, 500),
    "payments": ("SELECT * FROM ERP.PAYMENT WHERE INVOICE_NO = ?", 400, 2),
}
LOOKUPS = {
    "customer": ("SELECT * FROM CUSTOMER WHERE ID = ?", 90_000, 1),
    "order": ("SELECT * FROM ORDERS WHERE ID = ?", 80_000, 1),
    "lines": ("SELECT L.*, P.NAME FROM LINES L JOIN PRODUCT P ON P.ID = L.PRODUCT_ID WHERE L.ORDER_ID = ?", 60_000, 4),
    "ship": ("UPDATE ORDERS SET STATUS = ?, SHIPPED = ? WHERE ID = ?", 5_000, 1),
    "country": ("SELECT NAME FROM COUNTRY WHERE CODE = ?", 20_000, 1),
}
INSERTS = {"new order": ("INSERT INTO ORDERS (ID, CUSTOMER_ID) VALUES (?, ?)", 5_000, 1)}


def measure(texts: Mapping[str, tuple[str, float, float]], catalog: Catalog = CATALOG) -> list[Query]:
    """Return statements with the times of the model's plan.

    Locks and network take 20 % of the time that a statement takes with the indexes of catalog.yml.
    """
    queries = []
    for key, (text, executions, used) in texts.items():
        statement = read_statement(text, catalog, "SHOP")
        now, first = Plan(statement, catalog).cost(), Plan(statement, CATALOG).cost()
        read, cpu = PAGE_MS * now.reads, ROW_MS * (now.processing + now.sorting)
        rest = 0.25 * (PAGE_MS * first.reads + ROW_MS * (first.processing + first.sorting))
        times = Measured(read + cpu + rest, cpu, read, None, now.rows, used)
        queries.append(Query(key, text, executions, times, "SHOP"))
    return queries


def names(advice: IndexAdvice) -> list[str]:
    return sorted(describe_candidate(chosen.index) for chosen in advice.chosen)


def with_indexes(catalog: Catalog, name: tuple[str, str], *keys: Sequence[str]) -> Catalog:
    table = catalog[name]
    more = tuple(Index("SHOP", f"I{place}", tuple(map(Key, columns))) for place, columns in enumerate(keys))
    return {**catalog, name: replace(table, indexes=(*table.indexes, *more))}


def test_webshop_gets_the_obvious_indexes() -> None:
    advice = advise_indexes(measure(SCANS | LOOKUPS | INSERTS), CATALOG, budget=20 * GB)
    assert names(advice) == ["CUSTOMER(EMAIL)", "LINES(PRODUCT_ID)", "ORDERS(CUSTOMER_ID)", "PAYMENT(INVOICE_NO)"]
    assert advice.after_ms < 0.3 * advice.before_ms
    for chosen in advice.chosen:
        assert 0 < chosen.low_ms <= chosen.saved_ms <= chosen.high_ms
        assert chosen.confidence is Confidence.MEDIUM
        assert chosen.write_ms < chosen.saved_ms / 100
        assert all(helped.after_ms < helped.before_ms / 2 for helped in chosen.helped)


def test_share_left_includes_locks_and_network() -> None:
    advice = advise_indexes(measure({"login": SCANS["login"]}), CATALOG, budget=GB)
    [chosen] = advice.chosen
    assert chosen.share == pytest.approx(0.8, abs=0.01)
    assert [helped.key for helped in chosen.helped] == ["login"]


def test_well_indexed_schema_gets_nothing() -> None:
    assert advise_indexes(measure(LOOKUPS | INSERTS), CATALOG, budget=20 * GB).chosen == ()


def test_created_indexes_are_not_proposed_again() -> None:
    catalog = dict(CATALOG)
    for chosen in advise_indexes(measure(SCANS | LOOKUPS), CATALOG, budget=20 * GB).chosen:
        index = chosen.index
        keys = [key.column for key in index.keys]
        catalog = dict(with_indexes(catalog, (index.schema, index.table), keys))
    assert names(advise_indexes(measure(SCANS | LOOKUPS, catalog), catalog, budget=20 * GB)) == []


def test_over_indexed_table_gets_no_more() -> None:
    keys = (["CUSTOMER_ID", "CREATED"], ["CUSTOMER_ID", "STATUS"], ["CUSTOMER_ID"], ["STATUS"], ["CREATED", "STATUS"])
    catalog = with_indexes(CATALOG, ("SHOP", "ORDERS"), *keys)
    texts = {key: SCANS[key] for key in ("orders of a customer", "order history")}
    assert advise_indexes(measure(texts | INSERTS, catalog), catalog, budget=20 * GB).chosen == ()


def test_heavy_writes_reject_an_index() -> None:
    text = {"report": ("SELECT COUNT(*) FROM ORDERS WHERE CUSTOMER_ID = ?", 1, 1)}
    writes = {("SHOP", "ORDERS"): Writes(inserted=50_000_000, deleted=50_000_000)}
    assert advise_indexes(measure(text), CATALOG, budget=20 * GB).chosen
    advice = advise_indexes(measure(text), CATALOG, budget=20 * GB, writes=writes)
    assert advice.chosen == ()
    assert {row.reason for row in advice.declined} == {"its write cost exceeds its saving"}
    assert all(row.write_ms > row.alone_ms > 0 for row in advice.declined)


def test_writes_of_statements_count_without_table_counters() -> None:
    text = {"report": ("SELECT COUNT(*) FROM ORDERS WHERE CUSTOMER_ID = ?", 1, 1)}
    insert = {"new order": ("INSERT INTO ORDERS (ID, CUSTOMER_ID) VALUES (?, ?)", 1_000, 1)}
    [chosen] = advise_indexes(measure(text | insert), CATALOG, budget=20 * GB).chosen
    assert chosen.write_ms > 0
    assert not advise_indexes(measure(text), CATALOG, budget=20 * GB).writes_known


def test_updates_of_a_key_column_cost_writes() -> None:
    update = {"move": ("UPDATE ORDERS SET CUSTOMER_ID = ? WHERE ID = ?", 1_000_000, 1)}
    query = {"orders": SCANS["order history"]}
    writes = {("SHOP", "ORDERS"): Writes(updated=1_000_000)}
    without = advise_indexes(measure(query), CATALOG, budget=20 * GB, writes=writes)
    advice = advise_indexes(measure(query | update), CATALOG, budget=20 * GB, writes=writes)
    assert [len(chosen.index.columns) for chosen in (*without.chosen, *advice.chosen)] == [2, 2]
    assert advice.chosen[0].write_ms == pytest.approx(4 * without.chosen[0].write_ms)  # 2 of the 8 columns


def test_budget_limits_the_indexes() -> None:
    advice = advise_indexes(measure(SCANS), CATALOG, budget=120_000_000)
    assert advice.chosen
    assert sum(chosen.bytes for chosen in advice.chosen) <= 120_000_000
    assert {row.reason for row in advice.declined} >= {"larger than the budget"}


def test_small_share_of_all_time_gets_nothing() -> None:
    queries = measure({"login": SCANS["login"]})
    assert advise_indexes(queries, CATALOG, budget=GB, total_ms=1e10).chosen == ()


def test_least_time_declines_an_index() -> None:
    queries = measure({"login": SCANS["login"]})
    saved = advise_indexes(queries, CATALOG, budget=GB).chosen[0].saved_ms
    assert advise_indexes(queries, CATALOG, budget=GB, least_ms=0.9 * saved).chosen
    assert advise_indexes(queries, CATALOG, budget=GB, least_ms=1.1 * saved).chosen == ()


def test_longer_index_is_declined_for_a_shorter_one() -> None:
    advice = advise_indexes(measure(SCANS), CATALOG, budget=20 * GB)
    chosen = {index.index for index in advice.chosen}
    longer = [row for row in advice.declined if row.reason == "a shorter index saves almost as much"]
    assert longer
    assert all(row.by in chosen and len(row.by.columns) < len(row.index.columns) for row in longer if row.by)
    assert all(row.by in chosen for row in advice.declined if row.by)


def test_each_index_saves_its_least_share() -> None:
    cases = [case for case in load_cases() if case.get("candidates")]
    texts = {case["name"]: (case["sql"], place + 1, 1) for place, case in enumerate(cases)}
    queries = [
        replace(query, schema=case.get("schema", "SHOP")) for query, case in zip(measure(texts), cases, strict=True)
    ]
    writes = {name: Writes(100_000, 10_000, 10_000) for name in CATALOG}
    advice = advise_indexes(queries, CATALOG, budget=20 * GB, writes=writes)
    assert len(advice.chosen) > 10
    for chosen in advice.chosen:
        assert chosen.saved_ms - chosen.write_ms >= 0.005 * advice.before_ms
        assert chosen.helped
    assert {row.index for row in advice.declined}.isdisjoint(chosen.index for chosen in advice.chosen)
    assert len({row.index for row in advice.declined}) == len(advice.declined)


def test_limit_takes_the_best_index() -> None:
    advice = advise_indexes(measure(SCANS), CATALOG, budget=20 * GB, most=1)
    assert len(advice.chosen) == 1
    every = advise_indexes(measure(SCANS), CATALOG, budget=20 * GB)
    assert advice.chosen[0].saved_ms == pytest.approx(max(chosen.saved_ms for chosen in every.chosen), rel=0.1)


def test_join_gets_an_index_on_both_tables() -> None:
    text = "SELECT O.ID, L.POS FROM ORDERS O JOIN LINES L ON L.PRODUCT_ID = O.ID WHERE O.CUSTOMER_ID = ?"
    advice = advise_indexes(measure({"join": (text, 100, 20)}), CATALOG, budget=20 * GB)
    assert names(advice) == ["LINES(PRODUCT_ID)", "ORDERS(CUSTOMER_ID)"]
    assert sum(chosen.share for chosen in advice.chosen) == pytest.approx(0.8, abs=0.05)


def test_statement_that_either_index_helps_is_listed() -> None:
    texts = {
        "one": ("SELECT * FROM ORDERS WHERE CUSTOMER_ID = ? AND CREATED = ?", 10, 1),
        "customer": ("SELECT * FROM ORDERS WHERE CUSTOMER_ID = ?", 1_000, 11),
        "created": ("SELECT * FROM ORDERS WHERE CREATED = ?", 1_000, 2),
    }
    chosen = advise_indexes(measure(texts), CATALOG, budget=20 * GB).chosen
    assert len(chosen) == 2
    assert "one" in {helped.key for each in chosen for helped in each.helped}


def test_unreadable_statement_has_a_reason() -> None:
    broken = Query("broken", "SELECT FROM WHERE (", 10, Measured(100.0), "SHOP")
    advice = advise_indexes([broken, *measure({"login": SCANS["login"]})], CATALOG, budget=GB)
    assert [(row.key, row.outcome) for row in advice.left_out] == [("broken", Outcome.LEFT_OUT)]
    assert len(advice.chosen) == 1
    assert advice.before_ms > 1_000


def test_table_without_statistics_comes_first() -> None:
    text = {"staging": ("SELECT ID FROM STAGING WHERE STATE = ?", 10, 1)}
    advice = advise_indexes(measure(text), CATALOG, budget=GB)
    assert advice.chosen == ()
    assert [(row.table, row.comes_first) for row in advice.statistics] == [("STAGING", True)]
    assert [row.reason for row in advice.left_out] == ["SHOP.STAGING: The table has no statistics."]


def test_old_statistics_lower_the_confidence() -> None:
    table: Table = replace(CATALOG["SHOP", "CUSTOMER"], rows_changed=400_000)
    catalog = {**CATALOG, ("SHOP", "CUSTOMER"): table}
    [chosen] = advise_indexes(measure({"login": SCANS["login"]}, catalog), catalog, budget=GB).chosen
    assert chosen.confidence is Confidence.LOW
    assert chosen.reasons == ("Collect statistics of SHOP.CUSTOMER first.",)


def test_other_measured_rows_lower_the_confidence() -> None:
    [query] = measure({"login": SCANS["login"]})
    query = replace(query, measured=replace(query.measured, rows_read=3.0))
    advice = advise_indexes([query], CATALOG, budget=GB)
    assert all(chosen.confidence is Confidence.LOW for chosen in advice.chosen)
    assert all("Db2 measured 3" in chosen.reasons[0] for chosen in advice.chosen)


def test_skewed_value_gets_an_index_of_low_confidence() -> None:
    [query] = measure({"queue": ("SELECT * FROM ORDERS WHERE STATUS = 'NEW'", 1_000, 12)})
    [chosen] = advise_indexes([query], CATALOG, budget=GB).chosen
    assert describe_candidate(chosen.index) == "ORDERS(STATUS)"
    assert chosen.confidence is Confidence.LOW
    assert "distribution statistics" in chosen.reasons[0]
    many = replace(query, measured=replace(query.measured, rows_used=600_000))
    assert advise_indexes([many], CATALOG, budget=GB).chosen == ()


@pytest.mark.parametrize("more", ["AND UPPER(CHANNEL) = 'WEB'", "AND TOTAL <> 5", "FETCH FIRST 12 ROWS ONLY"])
def test_other_predicates_are_not_taken_for_skew(more: str) -> None:
    text = f"SELECT * FROM ORDERS WHERE STATUS = 'NEW' {more}"
    assert advise_indexes(measure({"queue": (text, 1_000, 12)}), CATALOG, budget=GB).chosen == ()


def test_no_statements_give_no_advice() -> None:
    advice = advise_indexes([], CATALOG, budget=GB)
    assert (advice.chosen, advice.accounts, advice.before_ms) == ((), (), 0.0)


def test_advice_does_not_depend_on_a_second_run() -> None:
    queries = measure(SCANS | LOOKUPS)
    assert advise_indexes(queries, CATALOG, budget=GB) == advise_indexes(queries, CATALOG, budget=GB)


@pytest.mark.parametrize(("column", "expected"), [("EMAIL", ["CUSTOMER(EMAIL)"]), ("NOT_THERE", [])])
def test_further_candidates_compete_with_own_ones(column: str, expected: list[str]) -> None:
    queries = measure({"login": SCANS["login"]})
    workload = advise_indexes(queries, CATALOG, budget=GB, limits=Limits(candidates=0, merged=0)).workload
    assert workload is not None
    workload.offer([Candidate("SHOP", "CUSTOMER", (Key(column),))])
    assert names(workload.advise(GB, None)) == expected


def test_every_statement_is_accounted_for_once() -> None:
    cases = {case["name"]: case for case in load_cases()}
    queries = [
        Query(name, case["sql"], 10, Measured(5.0, 3.0, 1.0), case.get("schema", "SHOP"))
        for name, case in cases.items()
    ]
    advice = advise_indexes(queries, CATALOG, budget=20 * GB)
    assert sorted(each.key for each in advice.accounts) == sorted(cases)
    assert sum(each.ms for each in advice.accounts) == pytest.approx(advice.before_ms)
    helped = {item.key for chosen in advice.chosen for item in chosen.helped}
    assert {each.key for each in advice.accounts if each.outcome is Outcome.HELPED} == helped
    assert all(each.reason for each in advice.accounts if each.outcome is not Outcome.HELPED)


def test_curve_continues_beyond_the_limit() -> None:
    few, every = (advise_indexes(measure(SCANS | INSERTS), CATALOG, budget=20 * GB, most=most) for most in (1, None))
    assert [point.index for point in few.curve[:1]] == [chosen.index for chosen in few.chosen]
    assert {point.index for point in few.curve} == {chosen.index for chosen in every.chosen}
    saved = [point.saved_ms for point in few.curve]
    assert saved == sorted(saved)
    assert saved[-1] == pytest.approx(every.before_ms - every.after_ms)
    assert few.curve[-1].bytes == sum(chosen.bytes for chosen in every.chosen)
    helped = {item.key for chosen in every.chosen for item in chosen.helped}
    assert {each.key for each in few.accounts if each.outcome in (Outcome.HELPED, Outcome.BEYOND)} == helped
    assert all("An index on" in each.remedy for each in few.accounts if each.outcome is Outcome.BEYOND)


def test_what_if_agrees_with_the_advice() -> None:
    advice = advise_indexes(measure(SCANS | LOOKUPS), CATALOG, budget=20 * GB)
    assert advice.workload is not None
    found = advice.workload.what_if([chosen.index for chosen in advice.chosen], ())
    assert found.after_ms == pytest.approx(advice.after_ms)
    assert {each.key for each in found.changed} == {item.key for chosen in advice.chosen for item in chosen.helped}
    assert len(found.changed) + found.unaffected == len(SCANS | LOOKUPS)
    assert found.bytes == sum(chosen.bytes for chosen in advice.chosen)


def test_dropped_index_slows_the_statements_that_use_it() -> None:
    catalog = with_indexes(CATALOG, ("SHOP", "ORDERS"), ["CUSTOMER_ID"], ["STATUS"])
    advice = advise_indexes(measure(SCANS | LOOKUPS, catalog), catalog, budget=20 * GB)
    assert advice.workload is not None
    lost = {each.key for each in advice.workload.find_losers("SHOP.I0", ())}
    assert lost == {"orders of a customer", "order history"}
    assert advice.workload.find_losers("SHOP.I1", ()) == []
    again = [Candidate("SHOP", "ORDERS", (Key("CUSTOMER_ID"), Key("STATUS")))]
    assert advice.workload.find_losers("SHOP.I0", again) == []


def test_work_grows_with_the_number_of_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = [0]

    def count(*arguments: Any, **options: Any) -> Left:
        counted[0] += 1
        return price(*arguments, **options)

    monkeypatch.setattr("advisor.indexes.entries.price", count)
    columns = [name for name in CATALOG["SHOP", "ORDERS"].columns if name != "ID"]
    used = []
    for number in (60, 120):
        pairs = list(islice(cycle(permutations(columns, 3)), number))
        texts = [f"SELECT {a} FROM ORDERS WHERE {b} = {n} AND {c} > ?" for n, (a, b, c) in enumerate(pairs)]
        queries = [
            Query(str(n), text, 10, Measured(5.0, 5.0, 0.0, None, 9e5, 1), "SHOP") for n, text in enumerate(texts)
        ]
        counted[0] = 0
        advise_indexes(queries, CATALOG, budget=20 * GB)
        used.append(counted[0])
    assert 0 < used[1] < 2.5 * used[0]
