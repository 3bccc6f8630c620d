"""Statement texts: predicates, joins, order and needed columns per table reference."""

import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.indexes.catalog import Column, Key, Table
from advisor.indexes.dialect import MAX_LENGTH
from advisor.indexes.reader import MAX_TABLES
from advisor.indexes.statement import Bound, Equal, Join, Statement, TableUse, read_statement
from tests.indexes.cases import describe_use, load_cases, load_catalog

CATALOG = load_catalog()
WORDS = sorted({word for case in load_cases() for word in re.findall(r"\w+|[^\w\s]", case["sql"])})


def _name(case: dict[str, Any]) -> str:
    return str(case["name"])


def read(sql: str, schema: str = "SHOP") -> Statement:
    return read_statement(sql, CATALOG, schema)


def only_table(sql: str) -> TableUse:
    (use,) = read(sql).tables
    return use


@pytest.mark.parametrize("case", load_cases(), ids=_name)
def test_statement_gives_predicates_per_table(case: dict[str, Any]) -> None:
    found = read(case["sql"], case.get("schema", "SHOP"))
    assert (found.kind, found.limit, found.reason) == (case["kind"], case.get("limit"), case.get("reason"))
    uses = [[f"{use.schema}.{use.table}", use.name, describe_use(use)] for use in found.tables]
    assert uses == case.get("tables", [])


def test_most_statements_are_read() -> None:
    assert sum(read(case["sql"]).reason is None for case in load_cases()) >= 60


def test_table_use_has_all_parts() -> None:
    use = only_table(
        "SELECT ID FROM ORDERS O WHERE STATUS IN ('A', 'B') AND CREATED > ? ORDER BY CREATED DESC FETCH FIRST 3 ROWS ONLY"
    )
    assert use == TableUse(
        schema="SHOP",
        table="ORDERS",
        name="O",
        equal=(Equal("STATUS", 2),),
        ranges=("CREATED",),
        bounds=(Bound("CREATED", "low"),),
        order=(Key("CREATED", descending=True),),
        needed=("ID", "STATUS", "CREATED"),
    )


@pytest.mark.parametrize(
    ("sql", "needed"),
    [
        ("SELECT COUNT(*) FROM ORDERS WHERE ID = ?", ("ID",)),
        ("SELECT 1 FROM ORDERS O WHERE O.STATUS = ?", ("STATUS",)),
        ("SELECT * FROM COUNTRY", ("CODE", "NAME")),
        ("SELECT C.* FROM COUNTRY C", ("CODE", "NAME")),
        ("SELECT MISSPELT FROM COUNTRY", None),
        ("SELECT UPPER(NAME) FROM COUNTRY ORDER BY 1", ("NAME",)),
        ("SELECT NAME AS N FROM COUNTRY ORDER BY N", ("NAME",)),
        ("SELECT X.NAME FROM (SELECT * FROM COUNTRY) X", ("NAME",)),
        ("SELECT SUM(POS) FROM LINES GROUP BY ORDER_ID HAVING MAX(PRICE) > 5", ("ORDER_ID", "POS", "PRICE")),
        ("SELECT RANK() OVER (PARTITION BY POS ORDER BY PRICE) FROM LINES", ("POS", "PRICE")),
        ("SELECT CASE WHEN POS = 1 THEN PRICE END FROM LINES", ("POS", "PRICE")),
        ("SELECT SHOP.F(POS) FROM LINES", ("POS",)),
        ("SELECT * FROM NO_SUCH_TABLE", None),
        ("SELECT POS FROM LINES ORDER BY PRICE + QUANTITY", ("POS", "QUANTITY", "PRICE")),
    ],
)
def test_needed_columns(sql: str, needed: tuple[str, ...] | None) -> None:
    assert only_table(sql).needed == needed


@pytest.mark.parametrize(
    "condition",
    [
        "NOT (CUSTOMER_ID = 1)",
        "NOT CUSTOMER_ID = 1",
        "CUSTOMER_ID <> 1",
        "CUSTOMER_ID IS NOT NULL",
        "CUSTOMER_ID NOT IN (1, 2)",
        "CUSTOMER_ID NOT BETWEEN 1 AND 2",
        "CHANNEL NOT LIKE 'A%'",
        "CHANNEL LIKE ?",
        "CHANNEL LIKE ? || '%'",
        "CHANNEL LIKE '_A%'",
        "CHANNEL LIKE ''",
        "CHANNEL LIKE '#%A' ESCAPE '#'",
        "CUSTOMER_ID = 1 OR STATUS = 'A'",
        "CUSTOMER_ID = 1 OR CUSTOMER_ID > 5",
        "(CUSTOMER_ID = 1 AND STATUS = 'A') OR (CUSTOMER_ID = 2 AND STATUS = 'B')",
        "ABS(CUSTOMER_ID) = 1",
        "CUSTOMER_ID + 1 = 2",
        "CAST(CUSTOMER_ID AS CHAR(9)) = '1'",
        "COALESCE(CUSTOMER_ID, 0) = 1",
        "CUSTOMER_ID = ID",
        "CUSTOMER_ID = ID + 1",
        "CUSTOMER_ID IN (1, ID)",
        "CUSTOMER_ID = MISSPELT",
        "CASE WHEN CUSTOMER_ID = 1 THEN 1 END = 1",
        "STATUS = 5",
        "STATUS IN ('A', 5)",
        "(CUSTOMER_ID, STATUS) > (1, 'A')",
        "1 = 1",
        "CUSTOMER_ID > ALL (SELECT ID FROM SHOP.CUSTOMER)",
    ],
)
def test_predicate_no_index_can_use_is_left_out(condition: str) -> None:
    found = read(f"SELECT ID FROM SHOP.ORDERS WHERE {condition}")
    assert found.reason is None
    assert describe_use(found.tables[0]) == ""
    assert bool(found.hindrances) is (condition != "1 = 1")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("STATUS = 'A' -- AND CHANNEL = 'B'", "STATUS ="),
        ("STATUS = 'it''s -- no comment'", "STATUS ="),
        ("STATUS = '\\'", "STATUS ="),
        ("STATUS = X'C1' AND CHANNEL = G'x' AND CUSTOMER_ID = ?", "STATUS =; CHANNEL =; CUSTOMER_ID ="),
        ('"STATUS" = ? AND ORDERS."CHANNEL" = ?', "STATUS =; CHANNEL ="),
        ('"status" = ?', ""),
        ("status = ? AND Shop.Orders.channel = ?", "STATUS =; CHANNEL ="),
        ("CREATED >= CURRENT TIMESTAMP - ? HOURS - 5 MINUTES", "CREATED range"),
        ("CREATED BETWEEN DATE('2026-01-01') AND DATE('2026-01-01') + 1 MONTH", "CREATED range"),
        ("CREATED > TIMESTAMP '2026-01-01 00:00:00'", "CREATED range"),
        ("CREATED < (SELECT MAX(CREATED) FROM SHOP.CUSTOMER)", "CREATED range"),
        ("CUSTOMER_ID = CAST(:hv:ind AS INTEGER)", "CUSTOMER_ID ="),
        ("CUSTOMER_ID IN (?)", "CUSTOMER_ID ="),
        ("NOT (CUSTOMER_ID <> ? OR NOT TOTAL < 5)", "CUSTOMER_ID =; TOTAL range"),
        ("NOT NOT CUSTOMER_ID = ?", "CUSTOMER_ID ="),
        ("(CUSTOMER_ID) = (?)", "CUSTOMER_ID ="),
        ("CUSTOMER_ID ¬= 5 AND STATUS ^= 'A' AND ID !> 5", "ID range"),
        ("CHANNEL LIKE 'A' CONCAT '%'", "CHANNEL like"),
        ("SHIPPED IS NULL WITH CS", "SHIPPED null"),
        ("STATUS = ? FOR FETCH ONLY OPTIMIZE FOR 1 ROW WITH UR", "STATUS ="),
        ("STATUS = ? FOR UPDATE OF STATUS, SHIPPED WITH RR USE AND KEEP EXCLUSIVE LOCKS", "STATUS ="),
        ("STATUS = ? WAIT FOR OUTCOME", "STATUS ="),
        ("STATUS = ? OPTIMIZE FOR ? ROWS", "STATUS ="),
        ("STATUS = ? AND CUSTOMER_ID IN (VALUES 1, 2, 3)", "STATUS =; CUSTOMER_ID in 3"),
        ("STATUS = ? AND CUSTOMER_ID = (VALUES 1)", "STATUS =; CUSTOMER_ID ="),
        ("STATUS = USER", ""),
        ("STATUS = CURRENT USER AND CHANNEL = CURRENT_SCHEMA", "STATUS ="),
    ],
)
def test_predicates_in_db2_syntax(condition: str, expected: str) -> None:
    found = read(f"SELECT ID FROM SHOP.ORDERS WHERE {condition}")
    assert found.reason is None
    assert describe_use(found.tables[0]) == expected


def test_outer_join_serves_the_optional_table_only() -> None:
    for sql in (
        "SELECT 1 FROM CUSTOMER C LEFT JOIN ORDERS O ON O.CUSTOMER_ID = C.ID AND C.NAME = 'A' AND O.CHANNEL = 'B'",
        "SELECT 1 FROM ORDERS O RIGHT JOIN CUSTOMER C ON O.CUSTOMER_ID = C.ID AND C.NAME = 'A' AND O.CHANNEL = 'B'",
    ):
        uses = {use.name: describe_use(use) for use in read(sql).tables}
        assert uses == {"C": "", "O": "CHANNEL =; CUSTOMER_ID = CUSTOMER.ID"}


def test_order_keeps_the_first_of_repeated_columns() -> None:
    use = only_table("SELECT ID FROM ORDERS ORDER BY CREATED DESC, STATUS, CREATED")
    assert use.order == (Key("CREATED", descending=True), Key("STATUS"))


def test_common_table_read_twice_keeps_its_predicates_apart() -> None:
    sql = "WITH W AS (SELECT ID, CHANNEL FROM ORDERS) SELECT 1 FROM W A, W B WHERE A.CHANNEL = 'X' AND B.ID = 1"
    assert [describe_use(use) for use in read(sql).tables] == [""]


def test_correlation_name_hides_the_table() -> None:
    (use,) = read("SELECT 1 FROM SHOP.ORDERS O WHERE SHOP.ORDERS.STATUS = ?").tables
    assert (use.equal, use.needed) == ((), None)


def test_parameter_in_a_subquery_of_two_levels() -> None:
    sql = (
        "SELECT 1 FROM CUSTOMER C WHERE EXISTS (SELECT 1 FROM ORDERS O WHERE O.CUSTOMER_ID = C.ID "
        "AND EXISTS (SELECT 1 FROM LINES L WHERE L.ORDER_ID = O.ID AND L.PRICE > C.STATUS))"
    )
    joins = {use.name: use.joins for use in read(sql).tables}
    assert joins["L"] == (Join("ORDER_ID", "SHOP", "ORDERS", "ID"),)
    assert joins["C"] == (Join("ID", "SHOP", "ORDERS", "CUSTOMER_ID"),)


def test_text_over_the_length_limit_has_a_reason() -> None:
    found = read("SELECT 1 FROM ORDERS WHERE ID IN (" + "?, " * MAX_LENGTH + "?)")
    assert found == Statement("other", reason="The text has 196,644 characters. The limit is 65,536.")


def test_text_with_too_many_tables_has_a_reason() -> None:
    found = read(" UNION ALL ".join(["SELECT ID FROM ORDERS"] * (MAX_TABLES + 1)))
    assert found.reason == "The text contains more than 200 table references."


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ";", "\0", "--", "/*", "'", '"', "(", ")", ",", "?", ":", "SELECT", "WITH", "VALUES", "MERGE"),
        "SELECT " + "(" * 5000,
        "SELECT 1 FROM ORDERS WHERE " + "NOT " * 5000 + "ID = 1",
        "SELECT 1 FROM ORDERS WHERE ID = " + "-+" * 5000 + "1",
        "SELECT " * 5000,
        "WITH A AS " * 3000,
        "/*" * 20000,
        "SELECT 1 FROM ORDERS WHERE ID IN (" * 31 + "SELECT 1 FROM ORDERS" + ")" * 31,
        "SELECT * FROM FINAL TABLE (DELETE",
        "MERGE INTO ORDERS USING LINES ON 1 = 1",
        "INSERT INTO",
        "DELETE ORDERS",
    ],
)
def test_odd_text_never_raises(text: str) -> None:
    assert read(text).tables is not None


def test_reason_and_log_quote_nothing_of_the_text(capfd: pytest.CaptureFixture[str]) -> None:
    for text in ("SELECT 1 FROM T WHERE A = 'secret", "SELECT secret secret secret", "DELETE secret secret"):
        assert "secret" not in str(read(text).reason)
    read("SELECT ID FROM FINAL TABLE (SET secret = 1)")
    assert capfd.readouterr() == ("", "")


@settings(max_examples=300)
@given(st.text(max_size=200))
def test_any_text_never_raises(text: str) -> None:
    read(text)
    read("SELECT ID FROM ORDERS WHERE " + text)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_words_never_raise(words: list[str]) -> None:
    read(" ".join(words))


@settings(max_examples=300)
@given(st.sampled_from(load_cases()), st.randoms(use_true_random=False))
def test_changed_statement_never_raises(case: dict[str, Any], chance: random.Random) -> None:
    words = re.findall(r"'[^']*'|\"[^\"]*\"|\w+|[^\w\s]", case["sql"])
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(words))
        words[place : place + chance.randint(0, 2)] = chance.sample(WORDS, chance.randint(0, 2))
        words = words or ["SELECT"]
    found = read(" ".join(words), case.get("schema", "SHOP"))
    for use in found.tables:
        if not use.obstacle:
            known = set(CATALOG[use.schema, use.table].columns)
            assert {item.column for item in (*use.equal, *use.joins, *use.order)} <= known
            assert {*use.ranges, *use.likes, *use.group, *use.distinct, *use.changed, *(use.needed or ())} <= known


def test_table_of_another_schema_is_found_by_its_schema() -> None:
    catalog = {(schema, "T"): Table(schema, "T", {"A": Column("A")}) for schema in ("S1", "S2")}
    uses = read_statement("SELECT 1 FROM S1.T, T WHERE S1.T.A = 1 AND S2.T.A = 2", catalog, "S2").tables
    assert [(use.schema, use.equal) for use in uses] == [
        ("S1", (Equal("A", value="1"),)),
        ("S2", (Equal("A", value="2"),)),
    ]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT ID, 1 FROM ORDERS WHERE STATUS = ?", True),
        ("SELECT * FROM ORDERS WHERE STATUS = ? ORDER BY ID", True),
        ("UPDATE ORDERS SET STATUS = ? WHERE ID = ?", True),
        ("DELETE FROM ORDERS WHERE ID = ?", True),
        ("SELECT COUNT(*) FROM ORDERS WHERE STATUS = ?", False),
        ("SELECT DISTINCT STATUS FROM ORDERS WHERE ID = ?", False),
        ("SELECT ID FROM ORDERS WHERE STATUS = ? FETCH FIRST 1 ROW ONLY", False),
        ("SELECT STATUS FROM ORDERS WHERE ID > ? GROUP BY STATUS", False),
        ("SELECT O.ID FROM ORDERS O, CUSTOMER C WHERE C.ID = O.CUSTOMER_ID", False),
        ("SELECT ID FROM (SELECT ID FROM ORDERS WHERE STATUS = ? FETCH FIRST 5 ROWS ONLY) AS X", False),
        ("DELETE FROM (SELECT 1 FROM ORDERS WHERE STATUS = ? FETCH FIRST 5 ROWS ONLY)", False),
        ("INSERT INTO ORDERS (ID) VALUES (?)", False),
    ],
)
def test_plain_statement_returns_the_matching_rows(sql: str, expected: bool) -> None:
    assert read(sql).returns_matches is expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("STATUS = ? AND CREATED BETWEEN ? AND ?", False),
        ("STATUS = ? AND UPPER(CHANNEL) = ?", True),
        ("STATUS = ? AND TOTAL <> 5", True),
        ("STATUS = ? AND NOT CHANNEL = 'A'", True),
        ("STATUS = ? AND (CHANNEL = 'A' OR TOTAL = 1)", True),
        ("STATUS = ? AND CHANNEL LIKE '%A'", True),
    ],
)
def test_predicates_that_no_index_uses_are_noted(where: str, expected: bool) -> None:
    assert only_table(f"SELECT ID FROM ORDERS WHERE {where}").more_predicates is expected


def test_ranges_have_bounds_with_constants() -> None:
    use = only_table("SELECT ID FROM ORDERS WHERE TOTAL > -5 AND 9 >= TOTAL AND CREATED < ? AND STATUS LIKE 'AB_%'")
    assert set(use.bounds) == {
        Bound("TOTAL", "low", "-5"),
        Bound("TOTAL", "high", "9"),
        Bound("CREATED", "high"),
        Bound("STATUS", "prefix", "AB"),
    }
