"""Rewrites: their SQL, and equal rows on PostgreSQL for random tables and statements."""

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.diagnosis.rewrites import KINDS, MARKERS, Known, Rewrite, list_rewrites
from advisor.indexes.dialect import parse
from tests.indexes.cases import load_cases
from tests.query.variants import FULL, PARTLY, PREPARE, VARIANTS, fill_tables, to_postgres
from tools.trials.engine.cluster import run_cluster, why_not

NAMES = [kind.name for kind in KINDS]
WORDS = sorted({word for case in load_cases() for word in re.findall(r"\w+|[^\w\s]", case["sql"])})
_MAX = "(SELECT MAX(X) FROM U W WHERE W.A = T.A AND"
_BOUND = {":P": "1"}
Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def engine() -> Iterator[Connection]:
    if reason := why_not():
        pytest.skip(reason)
    with run_cluster() as address, psycopg.connect(address, autocommit=True) as connection:
        connection.execute(PREPARE)
        yield connection


def find(sql: str, name: str, known: Known = FULL) -> Rewrite | None:
    return next((each for each in list_rewrites(sql, known) if each.name == name), None)


def make_pairs(name: str, random: Random, count: int) -> list[tuple[str, str]]:
    """Return statements with their rewrites of one kind."""
    pairs: list[tuple[str, str]] = []
    for _ in range(count * 40):
        sql = VARIANTS[name](random)
        found = find(sql, name, random.choice((FULL, PARTLY)))
        if found:
            pairs.append((sql, found.sql))
        if len(pairs) == count:
            return pairs
    raise AssertionError(f"{name}: {len(pairs)} of {count} statements")


def prepare(sql: str) -> str:
    for name, value in _BOUND.items():
        sql = sql.replace(name, value)
    return to_postgres(sql)


def bind_last_key(connection: Connection, old: str, new: str) -> str | None:
    """Return a page's statement with the last key of the page before; None if there is none."""
    head, offset = re.fullmatch(r"(.*) OFFSET (\d+) ROWS FETCH.*", old).groups()  # type: ignore[union-attr]
    names = re.sub(r" DESC", "", head.split("ORDER BY ")[1])
    keys = connection.execute(
        f"SELECT {names} FROM ({head} OFFSET {int(offset) - 1} ROWS FETCH FIRST 1 ROWS ONLY) W"
    ).fetchone()
    order = [0] if len(names.split(",")) == 1 else [0, 0, 0, 1]
    return re.sub(r"\?", lambda _: str(keys[order.pop(0)]), new) if keys else None


def compare(connection: Connection, pairs: list[tuple[str, str]], name: str) -> tuple[int, int, list[tuple[str, str]]]:
    """Return the number of comparisons, of those without rows, and the statements whose rewrites return other rows."""
    if name == "offset":
        bound = [(old, bind_last_key(connection, old, new)) for old, new in pairs]
        pairs = [(old, new) for old, new in bound if new]
    if not pairs:
        return 0, 0, []
    cursor = connection.execute(";".join(prepare(text) for pair in pairs for text in pair))
    different, empty = [], 0
    for pair in pairs:
        rows = []
        for _ in pair:
            rows.append(cursor.fetchall())
            cursor.nextset()
        empty += not rows[0]
        ordered = re.search(r"ORDER BY [^)]*$", pair[0])
        if rows[0] != rows[1] if ordered else Counter(rows[0]) != Counter(rows[1]):
            different.append(pair)
    return len(pairs), empty, different


def prove(connection: Connection, name: str, statements: int, comparisons: int) -> int:
    random, done, empty = Random(name), 0, 0
    pairs = make_pairs(name, random, statements)
    connection.execute("TRUNCATE T, U, V")
    while done < comparisons:
        connection.execute(fill_tables(random))
        number, without_rows, different = compare(connection, pairs, name)
        assert different == []
        done, empty = done + number, empty + without_rows
    assert empty < 0.95 * done
    return done


@pytest.mark.parametrize("name", NAMES)
def test_rewrite_returns_equal_rows(name: str, engine: Connection) -> None:
    assert prove(engine, name, 10, 50) >= 50


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_rewrite_returns_equal_rows_10_000_times(name: str, engine: Connection) -> None:
    assert prove(engine, name, 100, 10_000) >= 10_000


@pytest.mark.parametrize(
    ("sql", "name", "row", "old"),
    [
        ("SELECT K FROM T WHERE T.N + (:P * T.N) > 3", "arithmetic", "N = -7", 1),  # with the factor -3
        ("SELECT K FROM T WHERE T.C = 5", "number-for-text", "C = '05'", 1),
        ("SELECT K FROM T WHERE INT(T.C) = 5", "cast-of-column", "C = '05'", 1),
        ("SELECT K FROM T WHERE TRIM(T.S) = 'a'", "trim", "S = ' a'", 1),
        ("SELECT K FROM T WHERE RTRIM(T.S) = 'a'", "trim", "S = 'a '", 1),  # PostgreSQL: as with VARCHAR2
        ("SELECT K FROM T WHERE T.A = COALESCE(:P, T.A)", "optional-parameter", "A = 1", 1),
        ("SELECT K FROM T WHERE (:P IS NULL OR T.A = :P)", "optional-parameter", "A = 1", 1),
    ],
)
def test_rows_differ_without_the_condition(sql: str, name: str, row: str, old: int, engine: Connection) -> None:
    found = find(sql, name)
    assert found and found.condition
    engine.execute(f"TRUNCATE T; INSERT INTO T (K, X) VALUES (1, 1); UPDATE T SET {row}")
    value = "-3" if name == "arithmetic" else "CAST(NULL AS INT)"
    texts = [to_postgres(text.replace(":P", value)) for text in (sql, found.sql)]
    assert [len(engine.execute(text).fetchall()) for text in texts] == [old, 0]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            "select b.booking_no, c.card_no, h.city from trip.booking b, trip.card c, trip.hotel h where b.card_id = "
            "c.card_id and b.hotel_id = h.hotel_id and (c.card_id = 4711 or h.hotel_id = 12 or b.state = 'X')",
            "SELECT b.booking_no, c.card_no, h.city FROM trip.booking AS b, trip.card AS c, trip.hotel AS h WHERE "
            "b.card_id = c.card_id AND b.hotel_id = h.hotel_id AND (b.card_id = 4711 OR b.hotel_id = 12 OR b.state = 'X')",
        ),
        (
            "with t as (select ticket_no, opened, title, row_number() over (order by opened desc, ticket_no desc) as rn "
            "from desk.ticket where queue_id = 17) select ticket_no, opened, title from t where rn between 181 and 200",
            "WITH t AS (SELECT ticket_no, opened, title, ROW_NUMBER() OVER (ORDER BY opened DESC, ticket_no DESC) AS rn "
            "FROM desk.ticket WHERE queue_id = 17 ORDER BY opened DESC, ticket_no DESC FETCH FIRST 200 ROWS ONLY) "
            "SELECT ticket_no, opened, title FROM t WHERE rn BETWEEN 181 AND 200",
        ),
        (
            "SELECT A FROM T WHERE YEAR(D) = 2024 AND TS + 1 DAY < CURRENT TIMESTAMP WITH UR",
            "SELECT A FROM T WHERE D >= '2024-01-01' AND D < '2025-01-01' AND TS + 1 DAY < CURRENT TIMESTAMP WITH UR",
        ),
        (
            "UPDATE T SET A = CAST(? AS DECIMAL(9, 2)) WHERE DATE(TS) = CURRENT DATE - 1 MONTH",
            "UPDATE T SET A = CAST(? AS DECIMAL(9, 2)) WHERE TS >= DATE(CURRENT DATE - 1 MONTH) AND TS < DATE(CURRENT DATE - "
            "1 MONTH) + 1 DAY",
        ),
        (
            "SELECT A FROM T WHERE A = 1 OR B = ? OR S = 'x'",
            "SELECT A FROM T WHERE A = 1 UNION ALL SELECT A FROM T WHERE B = ? AND (A <> 1 OR A IS NULL) UNION ALL SELECT "
            "A FROM T WHERE S = 'x' AND (A <> 1 OR A IS NULL) AND CASE WHEN B = ? THEN 1 ELSE 0 END = 0",
        ),
        (
            "SELECT X.A FROM S.T X WHERE X.K NOT IN (SELECT K FROM U)",
            "SELECT X.A FROM S.T AS X WHERE NOT EXISTS (SELECT 1 FROM U WHERE K = X.K) AND NOT EXISTS (SELECT 1 FROM U WHERE K IS NULL)",
        ),
        (
            "SELECT DISTINCT T.K FROM T, U WHERE T.A = U.A",
            "SELECT T.K FROM T WHERE EXISTS (SELECT 1 FROM U WHERE T.A = U.A)",
        ),
        (
            "select * from ord.head h left join ord.line l on h.ord_no = l.ord_no where exists (select * from ord.recall r "
            "where l.item = r.item)",
            "SELECT * FROM ord.head AS h INNER JOIN ord.line AS l ON h.ord_no = l.ord_no WHERE EXISTS (SELECT * FROM "
            "ord.recall AS r WHERE l.item = r.item)",
        ),
        (
            "SELECT * FROM SUP, CON, ORD, LIN, ITM, STK LEFT OUTER JOIN LOC ON STK.LOC_NO = LOC.LOC_NO WHERE SUP.SUP_NO = "
            "CON.SUP_NO AND CON.CON_NO = ORD.CON_NO AND ORD.ORD_NO = LIN.ORD_NO AND LIN.ITEM = ITM.ITEM AND ITM.ITEM = "
            "STK.ITEM AND SUP.SUP_NO = ?",
            "SELECT * FROM SUP INNER JOIN CON ON SUP.SUP_NO = CON.SUP_NO INNER JOIN ORD ON CON.CON_NO = ORD.CON_NO INNER "
            "JOIN LIN ON ORD.ORD_NO = LIN.ORD_NO INNER JOIN ITM ON LIN.ITEM = ITM.ITEM INNER JOIN STK ON ITM.ITEM = "
            "STK.ITEM LEFT OUTER JOIN LOC ON STK.LOC_NO = LOC.LOC_NO WHERE SUP.SUP_NO = ?",
        ),
        (
            "select distinct(courier_id), (select max(ping_ts) from app1.ping as p2 where p2.courier_id = p.courier_id) as "
            "ping_ts, (select max(ping_ts) from app1.trail as t where t.courier_id = p.courier_id) as last_trail_ts from "
            "app1.ping as p where ping_ts > current_timestamp - 6 hours order by ping_ts",
            "SELECT G.courier_id, (SELECT MAX(ping_ts) FROM app1.ping AS p2 WHERE p2.courier_id = G.courier_id) AS ping_ts, "
            "(SELECT MAX(ping_ts) FROM app1.trail AS t WHERE t.courier_id = G.courier_id) AS last_trail_ts FROM (SELECT "
            "courier_id FROM app1.ping AS p WHERE ping_ts > current_timestamp - 6 HOURS GROUP BY courier_id) AS G ORDER BY "
            "ping_ts",
        ),
        (
            "SELECT R.RES_ID, L.EXT_ID FROM LAB_LOG L JOIN LAB_RES R ON R.LOG_ID = L.LOG_ID JOIN (SELECT DISTINCT LOG_ID "
            "FROM LAB_TOKEN WHERE (PARAM_ID=1191 AND ((TOKEN_VALUE = ?)))) P0 ON P0.LOG_ID = R.LOG_ID ORDER BY RES_ID ASC "
            "LIMIT 10 OFFSET 0",
            "SELECT R.RES_ID, L.EXT_ID FROM LAB_LOG AS L JOIN LAB_RES AS R ON R.LOG_ID = L.LOG_ID WHERE EXISTS (SELECT 1 "
            "FROM LAB_TOKEN WHERE PARAM_ID = 1191 AND TOKEN_VALUE = ? AND LOG_ID = R.LOG_ID) ORDER BY RES_ID ASC "
            "LIMIT 10 OFFSET 0",
        ),
        (
            "SELECT O.BILL_NO, (SELECT MAX(S.CHANGED) FROM TRK.ORDSTAT S WHERE S.BILL_NO = O.BILL_NO AND S.CODE = "
            "'ENTERED') AS D_ENTERED, (SELECT MAX(S.CHANGED) FROM TRK.ORDSTAT S WHERE S.BILL_NO = O.BILL_NO AND S.CODE = "
            "'AVAIL') AS D_AVAIL FROM TRK.ORD O WHERE O.ENTRY_DATE >= CURRENT DATE - 30 DAYS",
            "SELECT O.BILL_NO, G.D_ENTERED AS D_ENTERED, G.D_AVAIL AS D_AVAIL FROM TRK.ORD AS O LEFT JOIN (SELECT BILL_NO AS "
            "BILL_NO, MAX(CASE WHEN CODE = 'ENTERED' THEN CHANGED END) AS D_ENTERED, MAX(CASE WHEN CODE = 'AVAIL' THEN "
            "CHANGED END) AS D_AVAIL FROM TRK.ORDSTAT AS S WHERE CODE IN ('ENTERED', 'AVAIL') GROUP BY BILL_NO) AS G ON "
            "G.BILL_NO = O.BILL_NO WHERE O.ENTRY_DATE >= CURRENT DATE - 30 DAYS",
        ),
        (
            "SELECT * FROM ( SELECT rownumber() over() AS rownumber_ ,acct_id AS acctId ,acct_name AS acctName FROM "
            "CRM_CAMPAIGN WHERE del_flag='1' ) AS temp_ WHERE rownumber_ BETWEEN 30+1 AND 30+10",
            "SELECT * FROM (SELECT ROWNUMBER() OVER () AS rownumber_, acct_id AS acctId, acct_name AS acctName FROM "
            "CRM_CAMPAIGN WHERE del_flag = '1' FETCH FIRST 40 ROWS ONLY) AS temp_ WHERE rownumber_ BETWEEN 30 + 1 AND 30 + 10",
        ),
        (
            "SELECT EMP_NO, PAY FROM HR.EMP WHERE PAY + (:hv1 * PAY) > 50000",
            "SELECT EMP_NO, PAY FROM HR.EMP WHERE PAY > 50000 / (1 + :hv1)",
        ),
    ],
)
def test_rewrite_has_the_expected_sql(sql: str, expected: str) -> None:
    assert list_rewrites(sql, FULL)[0].sql == expected


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT A FROM T WHERE UPPER(S) = 'X' AND S || F = 'ab' AND S LIKE '%x'",
        "SELECT A FROM T WHERE SUBSTR(S, 1, 3) = 'ab' OR SUBSTR(S, 1, 2) = 'a_' OR SUBSTR(S, 1, 2) = 'a '",
        "SELECT A FROM T WHERE YEAR(S) = 2024 OR YEAR(D) = 9999 OR D + 1 MONTH > '2024-01-01' OR A + B = 1",
        "SELECT A FROM T WHERE DATE(TS) > CURRENT TIMESTAMP - 1 DAY OR DATE(TS) BETWEEN D AND '2024-01-01' OR DATE(A) = 5",
        "SELECT A FROM T WHERE NOT COALESCE(A, 1) = 2 AND COALESCE(D, '2024-01-01') = '01/02/2024'",
        "SELECT T.A FROM T LEFT JOIN U ON T.A = U.A WHERE U.A = 1 OR T.A = 2 FOR UPDATE OF A",
        "SELECT T.A FROM T, U WHERE T.A = U.A(+) AND (U.A = 1 OR T.B = 2)",
        "SELECT DISTINCT T.A FROM T LEFT JOIN U ON T.A = U.A",
        "SELECT COUNT(*) FROM T WHERE A = 1 OR B = 2",
        "SELECT A, 'x' FROM T UNION SELECT A, 'X' FROM U",
        "SELECT A FROM T WHERE A = 1 OR A = 2",
        "SELECT G FROM T WHERE G = G'x' AND YEAR(D) = 2024",
    ],
)
def test_statement_without_certain_rewrite_has_none(sql: str) -> None:
    assert list_rewrites(sql, FULL) == []


@pytest.mark.parametrize(
    ("name", "sql"),
    [
        (
            "outer-to-inner",
            "SELECT T.K FROM T LEFT JOIN U ON T.A = U.A WHERE U.X NOT IN (SELECT X FROM V) AND NOT U.B IS NOT NULL AND "
            "NOT EXISTS (SELECT 1 FROM V WHERE V.A = U.A) AND U.X > ALL (SELECT X FROM V) AND COALESCE(U.X, 1) = 1 AND "
            "EXISTS (SELECT COUNT(*) FROM V WHERE V.A = U.A) AND EXISTS (SELECT 1 FROM U WHERE U.A = 1) AND T.X = 1",
        ),
        ("explicit-joins", "SELECT * FROM T, V, U LEFT JOIN V W ON W.X = U.X WHERE T.A = U.A AND V.B = U.B"),
        ("explicit-joins", "SELECT T.K FROM T, U LEFT JOIN V ON V.X = U.X WHERE T.A > U.A"),
        ("distinct-derived", "SELECT * FROM T JOIN (SELECT DISTINCT A FROM U) P ON P.A = T.A"),
        ("distinct-derived", "SELECT T.K FROM T JOIN (SELECT DISTINCT A, X FROM U) P ON P.A = T.A"),
        ("distinct-derived", "SELECT T.K FROM T JOIN (SELECT DISTINCT A AS M FROM U) P ON P.M = T.A ORDER BY M"),
        ("distinct-derived", "SELECT T.K FROM T JOIN (SELECT DISTINCT W.S FROM U W) P ON P.S = T.D"),
        ("distinct-scalar", "SELECT DISTINCT A, (SELECT MAX(W.X) FROM U W WHERE W.B = T.B) FROM T"),
        ("distinct-scalar", "SELECT DISTINCT A, (SELECT W.X FROM U W WHERE W.A = T.A) FROM T"),
        ("distinct-scalar", "SELECT DISTINCT A, (SELECT MAX(W.X) FROM U W) FROM T ORDER BY B"),
        (
            "one-pass",
            f"SELECT A, {_MAX} W.B = 1), {_MAX} W.X = 2), (SELECT COUNT(W.A + 1) FROM U W WHERE W.A = T.A AND W.B = 1), "
            "(SELECT COUNT(NULL) FROM U W WHERE W.A = T.A AND W.B = 1), (SELECT MAX(X) FROM U W WHERE W.B = T.A AND W.A = 2)"
            " FROM T",
        ),
        ("one-pass", f"SELECT *, {_MAX} W.B = 1), {_MAX} W.B = 2) FROM T"),
        ("one-pass", f"SELECT A, {_MAX} W.B = 1), {_MAX} W.B = 2) FROM T".replace("U W", "(SELECT * FROM U) W")),
        ("paging", "SELECT K FROM (SELECT K, ROWNUMBER() OVER () AS N FROM T) W WHERE N BETWEEN 1 AND 5 * 0"),
        ("arithmetic", "SELECT K FROM T WHERE T.A * 0 > 1 OR T.A * 3 > 10 OR T.A * -T.B > 1 OR :P * T.A > T.B"),
    ],
)
def test_rewrite_without_equal_rows_is_not_listed(name: str, sql: str) -> None:
    assert find(sql, name) is None


def test_markers_that_move_are_a_condition() -> None:
    found = find("SELECT A FROM T WHERE DATE(TS) = ? AND A = ?", "date-range")
    assert found and found.condition == MARKERS
    found = find("SELECT A FROM T WHERE DATE(TS) >= ? AND A = ?", "date-range")
    assert found and found.condition == ""


def test_every_rewrite_is_parsed_again() -> None:
    for case in load_cases():
        for found in [*list_rewrites(case["sql"]), *list_rewrites(case["sql"], FULL)]:
            assert parse(found.sql) is not None
            assert "?" in case["sql"] or not re.search(r"QQ|:1", found.sql)


@settings(max_examples=50)
@given(st.text(max_size=80) | st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_odd_texts_have_no_error(text: str) -> None:
    list_rewrites(text)
    list_rewrites(f"SELECT A FROM T WHERE {text}", FULL)


@settings(max_examples=100)
@given(st.randoms(use_true_random=False))
def test_changed_statements_have_no_error(random: Random) -> None:
    sql = VARIANTS[random.choice(NAMES)](random)
    place = random.randrange(len(sql))
    changed = sql[:place] + random.choice(("", " ", *WORDS)) + sql[place + random.randint(0, 6) :]
    for found in list_rewrites(changed, FULL):
        assert parse(found.sql) is not None
