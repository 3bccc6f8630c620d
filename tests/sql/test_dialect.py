"""The translation into the SQL of SQLite, and the functions that Db2 has there."""

import apsw
import duckdb
import pytest

from advisor.catalogue.dialect import strict_columns, to_sqlite
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.tables import run_tables, snapshot_columns


@pytest.mark.parametrize(
    ("sql", "translated"),
    [
        ("SELECT GREATEST(A, LEAST(B, 1))", "SELECT MAX(A, MIN(B, 1))"),
        ("SELECT least (A, 1), CHR(10)", "SELECT MIN (A, 1), CHAR(10)"),
        ("SELECT AT_LEAST(A), LEAST, CHRX(1)", "SELECT AT_LEAST(A), LEAST, CHRX(1)"),
        ("SELECT A FROM T FETCH FIRST 3 ROWS ONLY", "SELECT A FROM T LIMIT 3"),
        ("SELECT A FROM T\nfetch first 1 row only", "SELECT A FROM T\nLIMIT 1"),
        ("SELECT 'LEAST(1, 2)''s CHR(1)', \"LEAST(\"", "SELECT 'LEAST(1, 2)''s CHR(1)', \"LEAST(\""),
        ("SELECT 1 -- LEAST(1, it's\n, LEAST(1, 2)", "SELECT 1 -- LEAST(1, it's\n, MIN(1, 2)"),
        ("/* CHR(1) ' */ SELECT CHR(1)", "/* CHR(1) ' */ SELECT CHAR(1)"),
        (
            "FROM (VALUES (1, F(2)), (3, 'a)''(')) AS V (A, B)",
            "FROM (SELECT column1 AS A, column2 AS B FROM (VALUES (1, F(2)), (3, 'a)''('))) AS V",
        ),
        ("WITH V (A) AS (VALUES (1), (2)) SELECT A FROM V", "WITH V (A) AS (VALUES (1), (2)) SELECT A FROM V"),
    ],
)
def test_statement_is_translated(sql: str, translated: str) -> None:
    assert to_sqlite(sql) == translated
    assert to_sqlite(sql).count("\n") == sql.count("\n")


@pytest.mark.parametrize(
    "expression",
    [
        "GREATEST(1, 2.5)", "LEAST('b', 'a')", "MOD(-7, 3)", "MOD(7, -3)", "MOD(7, 3)", "CHR(65)", "UPPER('é')",
        "LOWER('ÄÉ')", "ROUND(2.5)", "ROUND(-0.5)", "CEIL(1.2)", "FLOOR(-1.2)", "SUBSTR('abc', 2, 1)", "POWER(2, 0.5)",
        "LN(2.0)", "INSTR('abc', 'c')", "CAST('12' AS BIGINT)", "LENGTH('é')", "'a' LIKE 'A'", "REPLACE('aXa', 'X', '')",
        "CAST(7 AS DOUBLE) / NULLIF(2, 0)", "COALESCE(NULL, 3)", "RTRIM('a ')",
    ],
)  # fmt: skip
def test_expression_has_value_of_typed_engine(expression: str) -> None:
    with open_tables() as tables:
        ((value,),) = tables.fetch(f"SELECT {expression}")
    ((expected,),) = duckdb.sql(f"SELECT {expression}").fetchall()
    assert value == pytest.approx(float(expected)) if isinstance(value, float) else value == expected


@pytest.mark.parametrize(
    ("expression", "value"),
    [("LOCATE('b', 'abc')", 2), ("LOCATE('x', NULL)", None), ("MOD(1, 0)", None), ("UPPER('Maß')", "MAß")],
)
def test_function_of_db2_has_its_value(expression: str, value: object) -> None:
    with open_tables() as tables:
        assert tables.fetch(f"SELECT {expression}") == [(value,)]


def test_every_table_is_strict_and_every_range_checked() -> None:
    kinds = {
        word
        for columns in (*run_tables().values(), *snapshot_columns().values())
        for word in strict_columns(columns).replace("(", " ").split()
    }
    assert not kinds & {"VARCHAR", "SMALLINT", "BIGINT", "DOUBLE", "TIMESTAMP", "DATE", "CLOB"}


@pytest.mark.parametrize(
    ("kind", "value"),
    [("SMALLINT", 40_000), ("INTEGER", 3 << 30), ("BIGINT", "x"), ("BIGINT", 1.5), ("DOUBLE", 1e999), ("DOUBLE", "x")],
)
def test_value_outside_its_type_is_refused(kind: str, value: object) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(f"CREATE TABLE T ({strict_columns(f'A {kind}')}) STRICT")
    with pytest.raises(apsw.ConstraintError):
        connection.execute("INSERT INTO T VALUES (?)", [value])
