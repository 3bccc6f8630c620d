"""The compiler of the stand-in: Db2's SQL bound to types and run on DuckDB, with Db2's errors."""

import datetime
import re
from decimal import Decimal
from typing import Any, ClassVar

import duckdb
import pytest

from tests.standin.api import Relation, Use
from tests.standin.errors import Db2Error
from tests.standin.sql import (
    compile_expression,
    compile_statement,
    compile_view,
    duck_type,
    failure,
    octets,
    parse_type,
)
from tests.standin.types import Column, SqlType

pytestmark = pytest.mark.full

TABLES = {
    "TUNE.T": "A INTEGER NOT NULL, B VARCHAR(10), C CHAR(5), D DECIMAL(9,2), E DOUBLE, F TIMESTAMP, G CLOB(1M),"
    " H SMALLINT, I BIGINT, J DATE, K VARCHAR(4) FOR BIT DATA",
    "TUNE.U": "A INTEGER NOT NULL, X VARCHAR(20)",
}
ROWS = (
    "INSERT INTO TUNE.T VALUES (1, 'a', 'a    ', 1.5, 48, '2026-01-01', 'clob', 1, 10, '2026-01-01', encode('ab')),"
    " (2, 'b  ', NULL, -0.25, 0.001, NULL, NULL, NULL, NULL, NULL, NULL)",
    "INSERT INTO TUNE.U VALUES (1, 'x'), (3, 'y')",
)
REGISTERS = {
    "CURRENT TIMESTAMP": (SqlType("TIMESTAMP", 6), "CAST('2026-01-31 10:00:00.5' AS TIMESTAMP)"),
    "CURRENT DATE": (SqlType("DATE"), "CAST('2026-01-31' AS DATE)"),
    "CURRENT TIMEZONE": (SqlType("DECIMAL", 6, 0), "CAST(13000 AS DECIMAL(6,0))"),
    "USER": (SqlType("VARCHAR", 128), "'DB2INST1'"),
}
_COLUMN = re.compile(
    r"(?:^|,)\s*(?P<name>\w+) (?P<type>(?:SMALLINT|INTEGER|BIGINT|DOUBLE|DATE|TIMESTAMP|DECIMAL|VARCHAR|CHAR|CLOB)\b"
    r"(?:\([^)]*\))?(?: FOR BIT DATA)?)[^,]*?(?P<required> NOT NULL)?(?=[,\n]|$)"
)


def columns_of(declared: str) -> tuple[Column, ...]:
    return tuple(
        Column(match["name"], parse_type(match["type"]), not match["required"]) for match in _COLUMN.finditer(declared)
    )


class Catalog:
    """Tables by qualified name, one variable, one sequence and one table function."""

    def __init__(self, tables: dict[str, str]) -> None:
        self.columns = {name: columns_of(declared) for name, declared in tables.items()}
        self.views: set[str] = set()

    def relation(self, schema: str | None, name: str) -> Relation:
        full = f"{schema or 'TUNE'}.{name}"
        if full == "SYSIBM.SYSDUMMY1":
            return Relation("SYSIBM", name, columns_of("IBMREQD CHAR(1) NOT NULL"), "(SELECT 'Y' AS \"IBMREQD\")")
        if full not in self.columns:
            raise Db2Error(-204, "42704", full)
        kind = "view" if full in self.views else "table"
        return Relation(schema or "TUNE", name, self.columns[full], quoted(full), kind)

    def table_function(self, schema: str | None, name: str, arguments: int) -> Relation:
        if (name, arguments) != ("MON_GET_X", 2):
            raise Db2Error(-440, "42884", name, "FUNCTION")
        return Relation("SYSPROC", name, columns_of("MEMBER SMALLINT"), '(SELECT 7::SMALLINT AS "MEMBER")', "function")

    def mode(self, name: str) -> bool:
        return False

    def written(self, kind: SqlType) -> SqlType:
        return kind

    def variable(self, schema: str | None, name: str) -> tuple[Column, str] | None:
        if (schema or "TUNE", name) != ("TUNE", "THIS_RUN"):
            return None
        return Column(name, SqlType("INTEGER")), "CAST(getvariable('TUNE.THIS_RUN') AS INTEGER)"

    def sequence(self, schema: str | None, name: str) -> tuple[SqlType, str]:
        if name != "RUN_NO":
            raise Db2Error(-204, "42704", name)
        return SqlType("INTEGER"), "CAST(nextval('RUN_NO') AS INTEGER)"

    def register(self, name: str) -> tuple[Column, str] | None:
        kind, text = REGISTERS.get(name, (None, ""))
        return (Column(name, kind, nullable=False), text) if kind else None


class Variables:
    """SQL PL variables P_DAYS and V.NAME."""

    KINDS: ClassVar = {(None, "P_DAYS"): SqlType("INTEGER"), ("V", "NAME"): SqlType("VARCHAR", 20)}

    def declared(self, qualifier: str | None, name: str) -> Column | None:
        kind = self.KINDS.get((qualifier, name))
        return Column(name, kind) if kind else None

    def value(self, qualifier: str | None, name: str) -> Any:
        return {"P_DAYS": 2, "NAME": "x"}[name]


def quoted(name: str) -> str:
    return ".".join('"' + part + '"' for part in name.split(".", 1))


@pytest.fixture
def catalog() -> Catalog:
    return Catalog(TABLES)


@pytest.fixture
def database(catalog: Catalog) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(octets.macro(one_byte=False))
    connection.execute("CREATE SCHEMA TUNE")
    connection.execute("CREATE SEQUENCE RUN_NO START 41")
    for name, columns in catalog.columns.items():
        listed = (f'"{c.name}" {duck_type(c.type)}{"" if c.nullable else " NOT NULL"}' for c in columns)
        connection.execute(f"CREATE TABLE {quoted(name)} ({', '.join(listed)})")
    for text in ROWS:
        connection.execute(text)
    return connection


def run(database: duckdb.DuckDBPyConnection, sql: str, catalog: Catalog, *values: Any) -> list[tuple[Any, ...]]:
    compiled = compile_statement(sql, catalog, None)
    try:
        return database.execute(compiled.text, [values[place] for place in compiled.inputs]).fetchall()
    except duckdb.Error as error:
        raise failure(error, ".".join(compiled.target or ())) from error


# --- queries: the type of each column, and the values of the first row ------------------------------------------

ONE = "FROM SYSIBM.SYSDUMMY1"
EXPRESSIONS = [
    ("7 / 2", "INTEGER", 3),
    ("-7 / 2", "INTEGER", -3),
    ("1.0 / 3", "DECIMAL(31,30)", Decimal("0.333333333333333333333333333333")),
    ("-0.50 / 3", "DECIMAL(31,30)", Decimal("-0.166666666666666666666666666666")),
    ("CAST(1 AS DECIMAL(31,0)) / 3", "DECIMAL(31,0)", Decimal(0)),
    ("1.25 * 1.5", "DECIMAL(5,3)", Decimal("1.875")),
    ("1.25 + 10", "DECIMAL(14,2)", Decimal("11.25")),
    ("CAST(1 AS SMALLINT) + CAST(2 AS SMALLINT)", "INTEGER", 3),
    ("CAST(1 AS BIGINT) + 2", "BIGINT", 3),
    ("3000000000", "BIGINT", 3_000_000_000),
    ("12345678901234567890", "DECIMAL(20,0)", Decimal("12345678901234567890")),
    ("1E0 / 4", "DOUBLE", 0.25),
    ("CAST(1.9 AS INTEGER)", "INTEGER", 1),
    ("CAST(-1.9E0 AS BIGINT)", "BIGINT", -1),
    ("CAST(' 1.9 ' AS SMALLINT)", "SMALLINT", 1),
    ("CAST('9223372036854775807' AS BIGINT)", "BIGINT", 9223372036854775807),
    ("CAST(1.239 AS DECIMAL(3,2))", "DECIMAL(3,2)", Decimal("1.23")),
    ("CAST(14.579E0 AS DECIMAL(5,2))", "DECIMAL(5,2)", Decimal("14.57")),
    ("CAST(0.29E0 AS DECIMAL(5,2))", "DECIMAL(5,2)", Decimal("0.28")),  # numeric assignments, r0008479
    ("CAST(ROUND(0.3E0, 1) AS DECIMAL(5,1))", "DECIMAL(5,1)", Decimal("0.2")),
    ("CAST(-4.35E0 AS DECIMAL(5,2))", "DECIMAL(5,2)", Decimal("-4.34")),
    ("CAST(0.1E0 AS DECIMAL(31,30))", "DECIMAL(31,30)", Decimal("0.100000000000000005551115123125")),
    ("CAST(12E0 AS DECIMAL(5,0))", "DECIMAL(5,0)", Decimal(12)),
    ("CAST(48E0 AS VARCHAR(30))", "VARCHAR(30)", "4.8E1"),
    ("CAST(-0.00125E0 AS VARCHAR(30))", "VARCHAR(30)", "-1.25E-3"),
    ("CAST(1.5E20 AS VARCHAR(30))", "VARCHAR(30)", "1.5E20"),
    ("CAST(1.5E-20 AS VARCHAR(30))", "VARCHAR(30)", "1.5E-20"),
    ("CAST(0E0 AS VARCHAR(30))", "VARCHAR(30)", "0E0"),
    ("CAST(0.20 AS VARCHAR(10))", "VARCHAR(10)", ".20"),
    ("CHAR(-0.5)", "CHAR(4)", "-.5 "),
    ("CHAR(12)", "CHAR(11)", "12         "),
    ("VARCHAR(12)", "VARCHAR(11)", "12"),
    ("CAST('abcdef' AS VARCHAR(3))", "VARCHAR(3)", "abc"),
    ("CAST('ab' AS CHAR(4))", "CHAR(4)", "ab  "),
    ("CAST('ab' AS CHAR(4)) || 'c'", "VARCHAR(5)", "ab  c"),
    ("'a' CONCAT 5", "VARCHAR(12)", "a5"),
    ("'it''s'", "VARCHAR(4)", "it's"),
    ("CASE WHEN 'a' = 'a  ' THEN 1 ELSE 0 END", "INTEGER", 1),
    ("CASE WHEN 'a' IN ('b', 'a ') THEN 1 END", "INTEGER", 1),
    ("CASE WHEN '' IS NULL THEN 1 ELSE 0 END", "INTEGER", 0),
    ("CASE WHEN 1 = '1' THEN 'y' ELSE 'no' END", "VARCHAR(2)", "y"),
    ("CASE 2 WHEN 1 THEN 1 WHEN 2 THEN 2.5 END", "DECIMAL(12,1)", Decimal("2.5")),
    ("COALESCE(CAST(NULL AS SMALLINT), 3)", "INTEGER", 3),
    ("COALESCE(NULL, 'ab', 'abc')", "VARCHAR(3)", "ab"),
    ("NULLIF(1, 1)", "INTEGER", None),
    ("NULLIF('a', 'a ')", "VARCHAR(1)", None),
    ("GREATEST(1, 2.5)", "DECIMAL(12,1)", Decimal("2.5")),
    ("GREATEST(1, NULL)", "INTEGER", None),
    ("MIN(2, 1)", "INTEGER", 1),
    ("MOD(-7, 2)", "INTEGER", -1),
    ("POWER(2, 10)", "INTEGER", 1024),
    ("POWER(2E0, 0.5)", "DOUBLE", 2**0.5),
    ("ROUND(2.345, 2)", "DECIMAL(5,3)", Decimal("2.350")),
    ("TRUNCATE(2.349, 2)", "DECIMAL(4,3)", Decimal("2.340")),
    ("ROUND(15, -1)", "INTEGER", 20),
    ("CEIL(1.2)", "DECIMAL(2,0)", Decimal(2)),
    ("FLOOR(-1.2E0)", "DOUBLE", -2.0),
    ("SIGN(-5)", "INTEGER", -1),
    ("DECIMAL(12.345, 5, 1)", "DECIMAL(5,1)", Decimal("12.3")),
    ("SUBSTR('abc', 2)", "VARCHAR(3)", "bc"),
    ("SUBSTR('abc ' || 'd', 1, 2)", "CHAR(2)", "ab"),
    ("SUBSTR(CAST('ab' AS VARCHAR(9)), 1, 4)", "CHAR(4)", "ab  "),
    ("SUBSTRING('Jürgen', 1, 3, OCTETS)", "VARCHAR(3)", "Jü"),
    ("SUBSTRING('Jürgen', 1, 2, OCTETS)", "VARCHAR(2)", "J "),
    ("SUBSTRING('Zoë', 1, 9, OCTETS)", "VARCHAR(4)", "Zoë"),
    ("SUBSTRING('Jürgen', 1, 2, CODEUNITS32)", "VARCHAR(7)", "Jü"),
    ("LEFT(CAST('ab' AS VARCHAR(9)), 4)", "VARCHAR(9)", "ab  "),
    ("RIGHT('abc', 2)", "VARCHAR(3)", "bc"),
    # text is counted in bytes if no string units are given: SUBSTR, r0000854
    ("SUBSTR('Jürgen', 4, 2)", "CHAR(2)", "rg"),
    ("SUBSTR('Jürgen', 1, 2)", "CHAR(2)", "J\x1a"),
    ("SUBSTR('Jürgen', 3)", "VARCHAR(7)", "\x1argen"),
    ("SUBSTR('a€b', 3, 2)", "CHAR(2)", "\x1a\x1a"),
    ("SUBSTR(CAST('Zoë' AS VARCHAR(9)), 1, 6)", "CHAR(6)", "Zoë  "),
    ("LEFT('Zoë', 2)", "VARCHAR(4)", "Zo"),
    ("RIGHT('Zoë!', 3)", "VARCHAR(5)", "ë!"),
    ("LOCATE('r', 'Jürgen')", "INTEGER", 4),
    ("LOCATE('e', 'Zoë Zoe', 4)", "INTEGER", 8),
    ("POSSTR('Jürgen', 'g')", "INTEGER", 5),
    ("SUBSTRING('Jürgen', 4, 99)", "VARCHAR(7)", "rgen"),
    ("RPAD('Zoë', 5)", "VARCHAR(32672)", "Zoë "),
    ("LPAD('Zoë', 5, '*')", "VARCHAR(32672)", "*Zoë"),
    ("CAST('Jürgen' AS VARCHAR(3))", "VARCHAR(3)", "Jü"),
    ("CAST('Jürgen' AS VARCHAR(2))", "VARCHAR(2)", "J "),
    ("CAST('Zoë' AS CHAR(5))", "CHAR(5)", "Zoë "),
    ("LENGTH(CAST('Zoë' AS CHAR(5)))", "INTEGER", 5),
    ("LENGTH(CAST('a' AS CHAR(5)))", "INTEGER", 5),
    ("LENGTH('ä')", "INTEGER", 2),
    ("LENGTH(7)", "INTEGER", 4),
    ("LOCATE('b', 'abcb', 3)", "INTEGER", 4),
    ("LOCATE('z', 'abc')", "INTEGER", 0),
    ("POSSTR('abc', 'c')", "INTEGER", 3),
    ("INSTR('abc', 'c')", "INTEGER", 3),
    ("REPLACE('aba', 'a', 'xy')", "VARCHAR(6)", "xybxy"),
    ("REPLACE('aba', 'a', '')", "VARCHAR(3)", "b"),
    ("TRANSLATE('abc', 'xy', 'ab')", "VARCHAR(3)", "xyc"),
    ("STRIP('  x ')", "VARCHAR(4)", "x"),
    ("STRIP('xax', LEADING, 'x')", "VARCHAR(3)", "ax"),
    ("TRIM(BOTH '0' FROM '0010')", "VARCHAR(4)", "1"),
    ("RTRIM('x  ')", "VARCHAR(3)", "x"),
    ("UCASE('ab') || LOWER('CD')", "VARCHAR(4)", "ABcd"),
    ("LPAD('7', 3, '0')", "VARCHAR(32672)", "007"),
    ("HEX(1)", "VARCHAR(8)", "01000000"),
    ("HEX('ab')", "VARCHAR(4)", "6162"),
    ("DIGITS(-42)", "CHAR(10)", "0000000042"),
    ("ASCII(X'FF01')", "INTEGER", 255),
    ("X'00ff'", "VARCHAR(2) FOR BIT DATA", b"\x00\xff"),
    ("CHR(65)", "CHAR(1)", "A"),
    ("INITCAP('ab cd')", "VARCHAR(5)", "Ab Cd"),
    ("DECODE(2, 1, 'one', 2, 'two', 'many')", "VARCHAR(4)", "two"),
    ("USER", "VARCHAR(128)", "DB2INST1"),
    ("CURRENT_TIMESTAMP - 1 DAY", "TIMESTAMP", datetime.datetime(2026, 1, 30, 10, 0, 0, 500000)),
    ("CURRENT DATE + 1 MONTH", "DATE", datetime.date(2026, 2, 28)),
    ("CURRENT TIMESTAMP - (2 + 1) HOURS", "TIMESTAMP", datetime.datetime(2026, 1, 31, 7, 0, 0, 500000)),
    ("CURRENT TIMESTAMP - CURRENT TIMEZONE", "TIMESTAMP", datetime.datetime(2026, 1, 31, 8, 30, 0, 500000)),
    ("CURRENT TIMESTAMP - CAST(-20000 AS DECIMAL(6,0))", "TIMESTAMP", datetime.datetime(2026, 1, 31, 12, 0, 0, 500000)),
    ("CURRENT DATE + CAST(10101 AS DECIMAL(8,0))", "DATE", datetime.date(2027, 3, 1)),
    ("CURRENT TIMESTAMP - CAST(1000001.5 AS DECIMAL(20,6))", "TIMESTAMP", datetime.datetime(2026, 1, 30, 9, 59, 59)),
    ("DATE('2026-03-01') - CURRENT DATE", "DECIMAL(8,0)", Decimal(101)),
    ("CURRENT TIMESTAMP - TIMESTAMP('2026-01-30-09.59.59')", "DECIMAL(20,6)", Decimal("1000001.500000")),
    ("TIMESTAMPDIFF(2, CHAR(CURRENT TIMESTAMP - TIMESTAMP('2026-01-30-09.59.59')))", "INTEGER", 86401),
    ("TIMESTAMPDIFF(16, CHAR(CURRENT TIMESTAMP - TIMESTAMP('2025-12-31 10:00:00')))", "INTEGER", 30),
    ("DAYS(DATE '0001-01-01')", "INTEGER", 1),
    ("MIDNIGHT_SECONDS(CURRENT TIMESTAMP)", "INTEGER", 36000),
    ("MICROSECOND(CURRENT TIMESTAMP)", "INTEGER", 500000),
    ("EXTRACT(YEAR FROM CURRENT DATE)", "INTEGER", 2026),
    ("DAYOFWEEK(CURRENT DATE)", "INTEGER", 7),
    ("VARCHAR(CURRENT TIMESTAMP)", "VARCHAR(26)", "2026-01-31-10.00.00.500000"),
    ("VARCHAR_FORMAT(CURRENT TIMESTAMP, 'YYYY-MM-DD HH24:MI')", "VARCHAR(254)", "2026-01-31 10:00"),
    ("CHAR(TIME('10:11:12'))", "CHAR(8)", "10.11.12"),
    ("TIMESTAMP('2026-01-02', '03.04.05')", "TIMESTAMP", datetime.datetime(2026, 1, 2, 3, 4, 5)),
    ("NEXT VALUE FOR TUNE.RUN_NO", "INTEGER", 41),
]


@pytest.mark.parametrize(("expression", "kind", "value"), EXPRESSIONS)
def test_an_expression_has_type_and_value_of_db2(
    database: duckdb.DuckDBPyConnection, catalog: Catalog, expression: str, kind: str, value: Any
) -> None:
    compiled = compile_statement(f"SELECT {expression} {ONE}", catalog, None)
    cursor = database.execute(compiled.text)
    assert [str(column.type) for column in compiled.columns] == [kind]
    assert str(cursor.description[0][1]) in {duck_type(compiled.columns[0].type), '"NULL"'}
    assert cursor.fetchall() == [(value,)]


QUERIES = [
    ("SELECT B FROM T WHERE B = 'b'", [("b  ",)]),
    ("SELECT A FROM T WHERE C = 'a'", [(1,)]),
    # trailing blanks do not count where rows are compared: assignments and comparisons, r0008479
    ("SELECT COUNT(*) FROM (VALUES 'a', 'a ', 'b') AS V (K) GROUP BY K ORDER BY 1", [(1,), (2,)]),
    ("SELECT K, COUNT(*) FROM (VALUES 'a ', 'b  ') AS V (K) GROUP BY K ORDER BY K", [("a ", 1), ("b  ", 1)]),
    ("SELECT K || '!', MAX(LENGTH(K)) FROM (VALUES 'a', 'a ') AS V (K) GROUP BY K", [("a!", 2)]),
    ("SELECT K, RANK() OVER (ORDER BY K) FROM (VALUES 'a', 'a ', 'b') AS V (K) GROUP BY K HAVING K < 'c' ORDER BY K",
     [("a", 1), ("b", 2)]),
    ("SELECT K, (SELECT COUNT(*) FROM U WHERE U.X = V.K) FROM (VALUES 'x') AS V (K) GROUP BY K", [("x", 1)]),
    ("SELECT COUNT(*) FROM (SELECT DISTINCT K FROM (VALUES 'a', 'a ', 'b') AS V (K)) AS D", [(2,)]),
    ("SELECT DISTINCT B, A FROM T ORDER BY A FETCH FIRST 1 ROW ONLY", [("a", 1)]),
    ("SELECT COUNT(DISTINCT K) FROM (VALUES 'a', 'a ', 'b') AS V (K)", [(2,)]),
    ("SELECT COUNT(*) OVER (PARTITION BY K) FROM (VALUES 'a', 'a ') AS V (K)", [(2,), (2,)]),
    ("SELECT COUNT(*) FROM (SELECT B FROM T UNION SELECT RTRIM(B) FROM T) AS D", [(2,)]),
    ("SELECT B FROM T EXCEPT SELECT RTRIM(B) FROM T", []),
    ("SELECT COUNT(*) FROM (SELECT B FROM T INTERSECT SELECT RTRIM(B) FROM T) AS D", [(2,)]),
    ("SELECT COUNT(*), SUM(H), SUM(I), AVG(A), AVG(D), COUNT_BIG(*) FROM T",
     [(2, 1, 10, 1, Decimal("0.625"), Decimal(2))]),
    ("SELECT A + 1, COUNT(*) FROM T GROUP BY A + 1 HAVING A + 1 > 2", [(3, 1)]),
    ("SELECT A FROM T GROUP BY A ORDER BY COUNT(*), A DESC", [(2,), (1,)]),
    ("SELECT H FROM T ORDER BY H", [(1,), (None,)]),
    ("SELECT H FROM T ORDER BY H DESC", [(None,), (1,)]),
    ("SELECT A AS N FROM T ORDER BY N DESC FETCH FIRST 1 ROW ONLY WITH UR", [(2,)]),
    ("VALUES 1, 2", [(1,), (2,)]),
    ("VALUES (1, 'a'), (2, NULL)", [(1, "a"), (2, None)]),
    ("WITH D (N) AS (VALUES 0, 1) SELECT X.N + 2 * Y.N FROM D AS X, D AS Y ORDER BY 1", [(0,), (1,), (2,), (3,)]),
    ("WITH R (N) AS (SELECT 1 FROM SYSIBM.SYSDUMMY1 UNION ALL SELECT N + 1 FROM R WHERE N < 3) SELECT MAX(N) FROM R",
     [(3,)]),
    ("SELECT A FROM T UNION SELECT A FROM U ORDER BY A", [(1,), (2,), (3,)]),
    ("SELECT A FROM T EXCEPT SELECT A FROM U", [(2,)]),
    ("SELECT A FROM T INTERSECT SELECT A FROM U", [(1,)]),
    ("SELECT T.A, U.X FROM T LEFT JOIN U ON T.A = U.A ORDER BY 1", [(1, "x"), (2, None)]),
    ("SELECT T.A FROM T, U WHERE T.A = U.A", [(1,)]),
    ("SELECT T.A, Q.Z FROM T, LATERAL (SELECT MAX(U.A) AS Z FROM U WHERE U.A <= T.A) AS Q ORDER BY 1", [(1, 1), (2, 1)]),
    ("SELECT T.A, Q.Z FROM T, TABLE(SELECT MAX(U.A) AS Z FROM U WHERE U.A > T.A) AS Q ORDER BY 1", [(1, 3), (2, 3)]),
    ("SELECT M.MEMBER FROM TABLE(SYSPROC.MON_GET_X(NULL, -2)) AS M", [(7,)]),
    ("SELECT A FROM T WHERE EXISTS (SELECT NULL FROM U WHERE U.A = T.A)", [(1,)]),
    ("SELECT A FROM T WHERE (A, B) NOT IN (SELECT A, X FROM U) ORDER BY A", [(1,), (2,)]),
    ("SELECT A FROM T WHERE A > ALL (SELECT A FROM U WHERE A < 2)", [(2,)]),
    ("SELECT A FROM T WHERE B LIKE 'b%' AND A BETWEEN 1 AND 2", [(2,)]),
    ("SELECT A FROM T WHERE F > '2025-01-01-00.00.00' AND J = '2026-01-01'", [(1,)]),
    ("SELECT (SELECT MAX(U.A) FROM U WHERE U.A = T.A) FROM T GROUP BY A ORDER BY A", [(1,), (None,)]),
    ("SELECT ROW_NUMBER() OVER (ORDER BY A DESC), SUM(A) OVER (ORDER BY A) FROM T ORDER BY A", [(2, 1), (1, 3)]),
    ("SELECT SUM(COUNT(*)) OVER () FROM T GROUP BY A", [(2,), (2,)]),
    ("SELECT LISTAGG(X, '/') WITHIN GROUP (ORDER BY A DESC) FROM U", [("y/x",)]),
    ("SELECT Q.A FROM (SELECT A, A FROM (SELECT A FROM T) AS P) AS Q (A, B) WHERE B = 1", [(1,)]),
    ("SELECT T.* FROM T INNER JOIN U ON T.A = U.A AND T.A = 99", []),
    ("SELECT CAST(SUBSTR(K, 1, 1) AS VARCHAR(1) FOR BIT DATA) FROM T WHERE A = 1", [(b"a",)]),
]  # fmt: skip


# S has C1 with 'outer', N has C1 with 'near'
SCOPES = [
    ("SELECT (SELECT C1 FROM N) FROM S", "near"),
    ("SELECT (SELECT C1 FROM N AS X (C2)) FROM S", "outer"),
    ("SELECT (SELECT R FROM N, LATERAL (VALUES C1) AS X (R)) FROM S", "near"),
    ("SELECT (SELECT R FROM N AS X (C2), LATERAL (VALUES C1) AS Y (R)) FROM S", "outer"),
    ("SELECT V.C1 FROM S, LATERAL (SELECT C1 FROM N) AS V", "near"),
    ("SELECT V.C1 FROM S, LATERAL (SELECT C1 FROM N AS X (C2)) AS V", "outer"),
    ("SELECT (SELECT R FROM N, (VALUES C1) AS X (R)) FROM S", None),
]


@pytest.mark.parametrize(("sql", "value"), SCOPES)
def test_unqualified_name_belongs_to_the_innermost_from(
    database: duckdb.DuckDBPyConnection, catalog: Catalog, sql: str, value: str | None
) -> None:
    """Db2's scoping rules, as IBM's SQL architect shows them (S. Rielau, Scoping rules in DB2, community.ibm.com 2020).

    The FROM of the query itself comes first, then the FROM clauses around it if no table in it has the column. Without
    LATERAL, a nested table expression cannot see them. r0059206: to LATERAL, the tables before it are of a higher
    level.
    """
    sql = f"WITH S (C1) AS (VALUES 'outer'), N (C1) AS (VALUES 'near') {sql}"
    if value is None:
        with pytest.raises(Db2Error, match="SQL0206N C1"):
            run(database, sql, catalog)
    else:
        assert run(database, sql, catalog) == [(value,)]


@pytest.mark.parametrize(("sql", "rows"), QUERIES)
def test_a_query_returns_the_rows_of_db2(
    database: duckdb.DuckDBPyConnection, catalog: Catalog, sql: str, rows: list[tuple[Any, ...]]
) -> None:
    assert run(database, sql, catalog) == rows


# --- errors ---------------------------------------------------------------------------------------------------------

ERRORS = [
    ("SELECT A FROM T WHERE", -104, "42601"),
    ("SELECT A, FROM T", -104, "42601"),
    ("SELECT A FROM T T2 T3", -104, "42601"),
    ("SELECT 1", -104, "42601"),
    ("SELECT *, A FROM T", -104, "42601"),
    ("SELECT A = 1 FROM T", -104, "42601"),
    ("SELECT A FROM T WHERE B", -104, "42601"),
    ("SELECT T.A FROM T JOIN U USING (A)", -104, "42601"),
    ("SELECT A::BIGINT FROM T", -104, "42601"),
    ("SELECT A FROM T QUALIFY A = 1", -104, "42601"),
    ("UPDATE T SET A = 1 FROM U", -104, "42601"),
    ("SELECT B FROM T, U WHERE X = 'it", -104, "42601"),
    ("SELECT A FROM T WITH XX", -104, "42601"),
    ("SELECT SUM(SUM(A)) FROM T", -112, "42607", "SUM"),
    ("SELECT SUM((SELECT COUNT(*) FROM U)) FROM T", -112, "42607", "SUM"),
    ("SELECT SUM(CASE WHEN EXISTS (SELECT 1 FROM U) THEN 1 ELSE 0 END) FROM T", -112, "42607", "SUM"),
    ("INSERT INTO T (A, B) VALUES (1)", -117, "42802"),
    ("INSERT INTO U SELECT A FROM T", -117, "42802"),
    ("SELECT A, B FROM T GROUP BY A", -119, "42803", "B"),
    ("SELECT A, MAX(B) FROM T", -119, "42803", "A"),
    ("SELECT A FROM T GROUP BY A ORDER BY B", -119, "42803", "B"),
    ("SELECT A FROM T WHERE COUNT(*) > 1", -120, "42903", "WHERE"),
    ("SELECT A FROM T WHERE ROW_NUMBER() OVER () = 1", -120, "42903", "WHERE"),
    ("INSERT INTO T (A, A) VALUES (1, 2)", -121, "42701", "A"),
    ("SELECT A FROM T ORDER BY 2", -125, "42805", "2"),
    ("SELECT G FROM T GROUP BY G", -134, "42907", "G"),
    ("SELECT DISTINCT G FROM T", -134, "42907", "G"),
    ("SELECT A FROM T ORDER BY G", -134, "42907", "G"),
    ("SELECT G FROM T UNION SELECT G FROM T", -134, "42907", "G"),
    ("SELECT A FROM T WHERE B LIKE 'a!' ESCAPE '!'", -130, "22025"),
    ("SELECT A FROM T WHERE B LIKE 'a!b' ESCAPE '!'", -130, "22025"),
    ("SELECT A FROM T WHERE B LIKE 'a' ESCAPE '!!'", -130, "22019"),
    (f"SELECT LENGTH('{'x' * 32673}') FROM T", -102, "54002", "x" * 20),
    (f"SELECT A AS {'N' * 129} FROM T", -107, "42622", "N" * 129, "128"),
    ("SELECT RANK() OVER () FROM T", -104, "42601"),
    ("WITH R AS (VALUES 1 UNION ALL SELECT N + 1 FROM R WHERE N < 3) SELECT * FROM R", -343, "42908", "R"),
    ("WITH R (N) AS (VALUES 1 UNION SELECT N + 1 FROM R WHERE N < 3) SELECT N FROM R", -342, "42925", "R"),
    ("WITH R (N) AS (VALUES 1 UNION ALL SELECT DISTINCT N + 1 FROM R WHERE N < 3) SELECT N FROM R", -342, "42925", "R"),
    ("WITH R (N) AS (VALUES 'a' UNION ALL SELECT N || 'b' FROM R) SELECT N FROM R", -344, "42825", "R", "N"),
    ("WITH R (N) AS (VALUES 1 UNION ALL SELECT N + 1 FROM R GROUP BY N) SELECT N FROM R", -345, "42836", "R"),
    ("WITH R (N) AS (VALUES 1 UNION ALL SELECT N + 1 FROM R INNER JOIN T ON N = A) SELECT N FROM R", -345, "42836", "R"),
    ("SELECT SUBSTR('abc', 4, 1) FROM T", -138, "22011"),
    ("SELECT J + 1 HOUR FROM T", -182, "42816"),
    ("SELECT F - 5 FROM T", -182, "42816"),
    ("SELECT J - CURRENT TIMEZONE FROM T", -182, "42816"),
    ("SELECT A FROM T, U", -203, "42702", "A"),
    ("SELECT X FROM NOSUCH", -204, "42704", "TUNE.NOSUCH"),
    ("SELECT NOSUCH FROM T", -206, "42703", "NOSUCH"),
    ('SELECT "a" FROM T', -206, "42703", "a"),
    ("SELECT T.A FROM T AS Q", -206, "42703", "T.A"),
    ("SELECT Z.A FROM (SELECT A FROM T UNION ALL SELECT A + 1 FROM T) AS Z", -206, "42703", "Z.A"),
    ("INSERT INTO T (Z) VALUES (1)", -206, "42703", "Z"),
    ("SELECT Q.A FROM T AS Q, U AS Q", -212, "42712", "Q"),
    ("SELECT A FROM T WHERE J = A", -401, "42818", "="),
    ("SELECT A FROM T WHERE G = 'x'", -401, "42818", "="),
    ("SELECT A + B FROM T", -402, "42819", "+"),
    ("INSERT INTO U (A) VALUES (NULL)", -407, "23502", "A"),
    ("UPDATE T SET J = A", -408, "42821", "J"),
    ("SELECT A FROM T WHERE A = (SELECT A, X FROM U)", -412, "42823"),
    ("SELECT A FROM T UNION ALL SELECT J FROM T", -415, "42825", "1"),
    ("SELECT A FROM T WHERE ? = ?", -417, "42609"),
    ("SELECT ? FROM T", -418, "42610"),
    ("SELECT Q.N FROM (SELECT NULL AS N FROM T) AS Q", -418, "42610"),
    ("SELECT A FROM T UNION SELECT A, X FROM U", -421, "42826", "UNION"),
    ("SELECT NOSUCH(A) FROM T", -440, "42884", "NOSUCH", "FUNCTION"),
    ("SELECT ABS(J) FROM T", -440, "42884", "ABS", "FUNCTION"),
    ("SELECT * FROM TABLE(MON_GET_X(NULL)) AS X", -440, "42884", "MON_GET_X", "FUNCTION"),
    ("SELECT CAST(J AS INTEGER) FROM T", -461, "42846", "DATE", "INTEGER"),
    ("SELECT CASE WHEN A = 1 THEN NULL END FROM T", -580, "42625"),
    ("SELECT CASE WHEN A = 1 THEN 'x' ELSE J END FROM T WHERE A = CASE WHEN A = 1 THEN 'x' ELSE 5 END", -581, "42804"),
    # at run time
    ("SELECT LISTAGG(CAST(REPEAT('x', 3000) AS VARCHAR(3000))) FROM T", -137, "54006", "LISTAGG", "4000"),
    ("SELECT LENGTH(CAST(REPEAT('x', 20000) AS VARCHAR(20000)) || CAST(REPEAT('x', 20000) AS VARCHAR(20000))) FROM T",
     -137, "54006", "CONCAT", "32672"),
    ("SELECT SUBSTR(B, A * 20, 1) FROM T", -138, "22011"),
    ("SELECT DATE('garbage') FROM T", -180, "22007"),
    ("SELECT CAST('abc' AS INTEGER) FROM T", -420, "22018", "INTEGER"),
    ("SELECT A FROM T WHERE A = B", -420, "22018", "DOUBLE"),
    ("INSERT INTO T (A) SELECT H FROM T", -407, "23502", "T.A"),
    ("SELECT CAST(99999 AS SMALLINT) FROM T", -413, "22003"),
    ("SELECT CAST(1000 AS DECIMAL(3,0)) FROM T", -413, "22003"),
    ("SELECT CAST(1E9 AS DECIMAL(3,0)) FROM T", -413, "22003"),
    ("INSERT INTO U (A) VALUES (1E10)", -413, "22003"),
    ("INSERT INTO T (A, B) VALUES (5, 'eleven bytes')", -433, "22001", "eleven bytes"),
    ("UPDATE T SET C = 'abcdef'", -433, "22001", "abcdef"),
    ("SELECT CAST(12345 AS VARCHAR(3)) FROM T", -433, "22001", "12345"),
    ("SELECT RAISE_ERROR('70001', 'no ' || B) FROM T WHERE A = 1", -438, "70001", "no a"),
    ("SELECT 1 / (A - A) FROM T", -801, "22012"),
    ("SELECT 1 / (E - E) FROM T", -801, "22012"),
    ("SELECT D / 0 FROM T", -801, "22012"),
    ("SELECT MOD(A, 0) FROM T", -801, "22012"),
    ("SELECT 2147483647 + A FROM T", -802, "22003"),
    ("SELECT E * 1E308 * 1E10 FROM T", -802, "22003"),
    ("SELECT LN(0) FROM T", -802, "22003"),
    ("SELECT (SELECT A FROM T) FROM U", -811, "21000"),
]  # fmt: skip


@pytest.mark.parametrize("case", ERRORS, ids=lambda case: case[0])
def test_what_db2_refuses_is_refused_with_its_code(
    database: duckdb.DuckDBPyConnection, catalog: Catalog, case: tuple[Any, ...]
) -> None:
    sql, code, state, *tokens = case
    with pytest.raises(Db2Error) as caught:
        run(database, sql, catalog)
    assert (caught.value.code, caught.value.state) == (code, state)
    if code != -104:
        assert list(caught.value.tokens) == tokens


# --- temporary tables -----------------------------------------------------------------------------------------------

TEMPORARIES = [
    ("SELECT A, B FROM T WHERE C = 'a'", []),
    ("SELECT A, B || C FROM T ORDER BY A, E", [("", "ORDER BY", "INTEGER VARCHAR(15) DOUBLE")]),
    ("SELECT DISTINCT A, J FROM T", [("", "DISTINCT", "INTEGER DATE")]),
    ("SELECT B, COUNT(*), MAX(E) + MIN(E) FROM T GROUP BY B", [("", "GROUP BY", "VARCHAR(10) DOUBLE")]),
    ("SELECT UPPER(B), ROW_NUMBER() OVER (PARTITION BY C ORDER BY A + 1) FROM T",
     [("", "OVER", "INTEGER VARCHAR(10) CHAR(5) BIGINT INTEGER")]),
    ("SELECT A FROM T UNION SELECT H FROM T", [("", "UNION", "INTEGER")]),
    ("SELECT A FROM T UNION ALL SELECT H FROM T", []),
    ("WITH X AS (SELECT A, B FROM T), Y AS (SELECT MAX(E) AS M FROM T) SELECT 1 FROM X, X AS Z, Y",
     [("Y", "GROUP BY", "DOUBLE"), ("X", "read twice", "INTEGER VARCHAR(10)")]),
    ("SELECT * FROM (SELECT DISTINCT H FROM T) AS N", [("N", "DISTINCT", "SMALLINT")]),
]  # fmt: skip


@pytest.mark.parametrize("case", TEMPORARIES, ids=lambda case: case[0])
def test_sorted_grouped_or_kept_rows_are_recorded_with_columns(catalog: Catalog, case: tuple[str, list[Any]]) -> None:
    sql, expected = case
    found = [
        (row.query, row.clause, " ".join(str(column.type) for column in row.columns))
        for row in compile_statement(sql, catalog, None).temporaries
    ]
    assert found == expected


# --- data changes ---------------------------------------------------------------------------------------------------

CHANGES = [
    ("INSERT INTO T (A, B, C, H) VALUES (5, 'ten            ', 'q', 7.9), (6, DEFAULT, 'abcde  ', 1E2)",
     "SELECT A, B, C, H FROM T WHERE A > 4", [(5, "ten       ", "q    ", 7), (6, None, "abcde", 100)]),
    ("INSERT INTO U WITH Q AS (SELECT MAX(A) AS M FROM T) SELECT M + 100, NULL FROM Q",
     "SELECT A, X FROM U WHERE A > 100", [(102, None)]),
    ("INSERT INTO U (A, X) VALUES ('8', 9)", "SELECT A, X FROM U WHERE A = 8", [(8, "9")]),
    ("INSERT INTO T (A, F, J) VALUES (9, '2026-02-03-10.00.00', '03.02.2026')",
     "SELECT HOUR(F), DAY(J) FROM T WHERE A = 9", [(10, 3)]),
    ("UPDATE T SET (B, D) = (SELECT X, 5 FROM U WHERE U.A = T.A), H = H + 1 WHERE A = 1",
     "SELECT B, D, H FROM T WHERE A = 1", [("x", Decimal(5), 2)]),
    ("UPDATE T AS Q SET (B, H) = ('z', DEFAULT) WHERE Q.A = 1", "SELECT B, H FROM T WHERE A = 1", [("z", None)]),
    ("DELETE FROM U AS Q WHERE EXISTS (SELECT 1 FROM T WHERE T.A = Q.A)", "SELECT A FROM U", [(3,)]),
    ("MERGE INTO U AS O USING (VALUES (1, 'm'), (7, 'new')) AS N (A, X) ON O.A = N.A"
     " WHEN MATCHED AND N.X = 'm ' THEN UPDATE SET X = N.X || O.X"
     " WHEN NOT MATCHED THEN INSERT (A, X) VALUES (N.A, N.X) ELSE IGNORE",
     "SELECT A, X FROM U ORDER BY A", [(1, "mx"), (3, "y"), (7, "new")]),
    ("MERGE INTO U USING T ON U.A = T.A WHEN MATCHED THEN DELETE", "SELECT A FROM U", [(3,)]),
]  # fmt: skip


@pytest.mark.parametrize(("change", "query", "rows"), CHANGES)
def test_a_change_converts_to_the_types_of_the_columns(
    database: duckdb.DuckDBPyConnection, catalog: Catalog, change: str, query: str, rows: list[tuple[Any, ...]]
) -> None:
    run(database, change, catalog)
    assert run(database, query, catalog) == rows


def test_final_table_returns_what_was_inserted(database: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    sql = "SELECT A, LENGTH(X) FROM FINAL TABLE (INSERT INTO U (A, X) VALUES (50, 'new')) AS N WHERE N.A > 1"
    compiled = compile_statement(sql, catalog, None)
    assert (compiled.kind, compiled.target) == ("insert", ("TUNE", "U"))
    assert database.execute(compiled.text).fetchall() == [(50, 3)]
    assert run(database, "SELECT COUNT(*) FROM U", catalog) == [(3,)]


def test_a_view_is_not_changed(catalog: Catalog) -> None:
    catalog.views.add("TUNE.U")
    with pytest.raises(Db2Error, match=r"SQL0150N TUNE\.U"):
        compile_statement("DELETE FROM U", catalog, None)


@pytest.mark.parametrize(
    ("sql", "uses"),
    [
        ("SELECT 1 FROM T WHERE A IN (SELECT A FROM U)", {("SELECT", "TUNE", "T"), ("SELECT", "TUNE", "U")}),
        ("INSERT INTO T (A) SELECT A FROM U", {("INSERT", "TUNE", "T"), ("SELECT", "TUNE", "U")}),
        ("UPDATE T SET A = 1", {("UPDATE", "TUNE", "T")}),
        ("SELECT TUNE.THIS_RUN FROM T", {("READ", "TUNE", "THIS_RUN"), ("SELECT", "TUNE", "T")}),
        ("VALUES NEXT VALUE FOR TUNE.RUN_NO", {("USAGE", "TUNE", "RUN_NO")}),
        ("SELECT 1 FROM TABLE(MON_GET_X('', 1)) AS X", {("EXECUTE", "SYSPROC", "MON_GET_X")}),
        ("MERGE INTO T USING U ON T.A = U.A WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (A) VALUES (U.A)",
         {("DELETE", "TUNE", "T"), ("INSERT", "TUNE", "T"), ("SELECT", "TUNE", "U")}),
    ],
)  # fmt: skip
def test_a_statement_tells_what_it_uses(catalog: Catalog, sql: str, uses: set[tuple[str, str, str]]) -> None:
    assert compile_statement(sql, catalog, None).uses == {Use(*use) for use in uses}


# --- markers, variables, expressions, views -------------------------------------------------------------------------


def test_markers_take_the_type_of_their_place(database: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    sql = (
        "SELECT A FROM T WHERE A + ? > 1 AND B LIKE ? AND D IN (?, 1) AND ? = J AND COALESCE(?, A) = 1"
        " AND CAST(? AS VARCHAR(3)) = C FETCH FIRST ? ROWS ONLY"
    )
    compiled = compile_statement(sql, catalog, None)
    kinds = [str(marker.type) for marker in compiled.markers]
    assert kinds == ["INTEGER", "VARCHAR(4000)", "DECIMAL(9,2)", "DATE", "INTEGER", "VARCHAR(3)", "BIGINT"]
    values = [1, "a%", Decimal("1.5"), datetime.date(2026, 1, 1), None, "a", 5]
    assert run(database, sql, catalog, *values) == [(1,)]


def test_a_row_of_markers_takes_the_types_of_the_columns(catalog: Catalog) -> None:
    compiled = compile_statement("INSERT INTO T (A, C, D) VALUES (?, ?, ?)", catalog, None)
    assert [str(marker.type) for marker in compiled.markers] == ["INTEGER", "CHAR(5)", "DECIMAL(9,2)"]


def test_columns_go_before_variables(database: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    sql = "SELECT CURRENT DATE - P_DAYS DAYS FROM U WHERE X = V.NAME AND A < P_DAYS"
    compiled = compile_statement(sql, catalog, Variables())
    assert set(compiled.inputs) == {(None, "P_DAYS"), ("V", "NAME")}
    values = [Variables().value(*name) for name in compiled.inputs if isinstance(name, tuple)]
    assert database.execute(compiled.text, values).fetchall() == [(datetime.date(2026, 1, 29),)]


def test_a_global_variable_is_read_from_the_session(database: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    database.execute('SET VARIABLE "TUNE.THIS_RUN" = 3')
    assert run(database, "SELECT X FROM U WHERE A = THIS_RUN", catalog) == [("y",)]


@pytest.mark.parametrize(
    ("expression", "wanted", "value"),
    [
        ("P_DAYS * 2.7", "INTEGER", 5),
        ("'ab'", "CHAR(4)", "ab  "),
        ("(SELECT COUNT(*) FROM U)", "BIGINT", 2),
        ("NULL", "DATE", None),
        ("P_DAYS > 1 AND EXISTS (SELECT 1 FROM U)", None, True),
        ("P_DAYS IS NULL", None, False),
        ("CAST(NULL AS INTEGER) = 1", None, None),
    ],
)
def test_an_expression_is_assigned_to_what_is_wanted(
    database: duckdb.DuckDBPyConnection, catalog: Catalog, expression: str, wanted: str | None, value: Any
) -> None:
    compiled = compile_expression(expression, catalog, Variables(), parse_type(wanted) if wanted else None)
    values = [Variables().value(*name) for name in compiled.inputs if isinstance(name, tuple)]
    assert database.execute(compiled.text, values).fetchall() == [(value,)]


def test_too_long_a_value_is_not_assigned(database: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    compiled = compile_expression("'abc'", catalog, None, parse_type("VARCHAR(2)"))
    with pytest.raises(duckdb.Error) as caught:
        database.execute(compiled.text)
    assert failure(caught.value).code == -433


def test_a_view_has_the_columns_of_its_query(catalog: Catalog) -> None:
    compiled = compile_view("SELECT A AS N, B || 'x' AS S, CAST(NULL AS DATE) AS D FROM T", catalog)
    assert [(column.name, str(column.type), column.nullable) for column in compiled.columns] == [
        ("N", "INTEGER", False),
        ("S", "VARCHAR(11)", True),
        ("D", "DATE", True),
    ]


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT A, A + 1 FROM T", -153),
        ("SELECT A, A FROM T", -153),
        ("SELECT A FROM T ORDER BY A", -20211),
        ("SELECT A FROM T FETCH FIRST 1 ROW ONLY", -20211),
        ("SELECT A FROM T UNION ALL SELECT A + 1 FROM T", -153),
        ("SELECT NULL AS N FROM T", -418),
        ("SELECT A FROM T WHERE A = ?", -418),
        ("DELETE FROM T", -104),
    ],
)
def test_a_view_is_refused(catalog: Catalog, sql: str, code: int) -> None:
    with pytest.raises(Db2Error) as caught:
        compile_view(sql, catalog)
    assert caught.value.code == code


def test_a_list_of_names_names_the_columns_of_a_view(catalog: Catalog) -> None:
    assert [column.name for column in compile_view("SELECT A, A + 1 FROM T", catalog, ("X", "Y")).columns] == ["X", "Y"]
    with pytest.raises(Db2Error, match="SQL0158N"):
        compile_view("SELECT A, A + 1 FROM T", catalog, ("X",))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("varchar ( 10 )", SqlType("VARCHAR", 10)),
        ("CHARACTER VARYING(3) FOR BIT DATA", SqlType("VARCHAR", 3, bit_data=True)),
        ("DEC(5, 2)", SqlType("DECIMAL", 5, 2)),
        ("CLOB(2M)", SqlType("CLOB", 2 << 20)),
        ("DOUBLE PRECISION", SqlType("DOUBLE")),
        ("TIMESTAMP(0)", SqlType("TIMESTAMP", 0)),
    ],
)
def test_types_are_read(text: str, kind: SqlType) -> None:
    assert parse_type(text) == kind


@pytest.mark.parametrize(
    ("text", "code"), [("TEXT", -204), ("VARCHAR", -604), ("DECIMAL(40)", -604), ("CHAR(0)", -604)]
)
def test_unknown_type_is_refused(text: str, code: int) -> None:
    with pytest.raises(Db2Error) as caught:
        parse_type(text)
    assert caught.value.code == code
