"""Random tables and statements, one generator per kind of rewrite, and their form for PostgreSQL."""

import re
from collections.abc import Callable
from random import Random

from advisor.diagnosis.rewrites import Known

TABLES = ("T", "U", "V")
TYPES = {
    "K": "INTEGER",
    "X": "INTEGER",
    "A": "INTEGER",
    "B": "SMALLINT",
    "N": "DECIMAL(9,2)",
    "S": "VARCHAR(10)",
    "F": "CHAR(6)",
    "D": "DATE",
    "TS": "TIMESTAMP",
    "C": "VARCHAR(10)",
}
FULL = Known(
    types={(table, column): kind for table in TABLES for column, kind in TYPES.items()},
    not_null=frozenset((table, column) for table in TABLES for column in "KX"),
    unique=frozenset((table, frozenset("K")) for table in TABLES),
)
PARTLY = Known(types=FULL.types)

PREPARE = (
    "".join(
        f"CREATE TEMP TABLE {table} ({', '.join(f'{name} {kind}' for name, kind in TYPES.items())});"
        for table in TABLES
    )
    + """
CREATE FUNCTION year(timestamp) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT extract(year FROM $1)::int';
CREATE FUNCTION month(timestamp) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT extract(month FROM $1)::int';
CREATE FUNCTION digits(int) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT lpad(abs($1)::text, 10, '0')$$;
CREATE FUNCTION digits(smallint) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT lpad(abs($1)::text, 5, '0')$$;
CREATE FUNCTION to_int(numeric) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT trunc($1)::int';
CREATE FUNCTION to_int(text) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1::int';
CREATE FUNCTION to_ts(timestamp) RETURNS timestamp LANGUAGE sql IMMUTABLE AS 'SELECT $1';
CREATE FUNCTION to_text(int) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1::text';
"""
)
_POSTGRES = (
    (r"\b(?:INT|INTEGER)\(", "TO_INT("),
    (r"\bTIMESTAMP\(", "TO_TS("),
    (r"(?<!AS )\b(?:CHAR|VARCHAR)\(", "TO_TEXT("),
    (r"\b(?:VALUE|IFNULL|NVL)\(", "COALESCE("),
    (r"\bROWNUMBER\(", "ROW_NUMBER("),
    (r"\b(\d+) DAYS?\b", r"INTERVAL '\1 day'"),
    (r"\bT\.C (=|IN) (?=\d|\(\d)", r"CAST(T.C AS NUMERIC) \1 "),  # which Db2 does itself
)


def to_postgres(sql: str) -> str:
    """Return a statement as PostgreSQL takes it."""
    for pattern, text in _POSTGRES:
        sql = re.sub(pattern, text, sql)
    return sql


def fill_tables(random: Random) -> str:
    """Return a script that gives the tables other rows: few, with NULLs and equal rows, or none."""
    script = []
    for table in TABLES:
        script.append(f"DELETE FROM {table}")
        rows = ", ".join(_row(random, key) for key in range(1, random.choice((0, 1, 3, 6, 10, 14)) + 1))
        script += [f"INSERT INTO {table} VALUES {rows}"] if rows else []
    return ";".join(script)


def _row(random: Random, key: int) -> str:
    days = ("2023-12-31", "2024-01-01", "2024-02-29", "2024-03-01", "2024-12-31", "2025-01-01")
    times = ("00:00:00", "00:00:01", "12:30:00", "23:59:59.999999")
    values = (
        str(random.randint(-3, 3)),
        str(random.randint(-3, 3)),
        str(random.choice((-2.5, -2, -1, -0.5, 0, 0.5, 1, 1.99, 2, 2.5, 3))),
        f"'{random.choice(('a', 'ab', 'abc', 'abcd', 'b', 'x', '', 'AB'))}'",
        f"'{random.choice(('a', 'ab', 'abc', 'abcd', 'b', 'x', '', 'AB'))}'",
        f"'{random.choice(days)}'",
        f"'{random.choice(days)} {random.choice(times)}'",
        f"'{random.choice((0, 1, 2, 10, 21))}'",
    )
    return f"({key}, {random.randint(-2, 2)}, {', '.join('NULL' if random.random() < 0.25 else value for value in values)})"


def _pick(random: Random, *texts: str) -> str:
    """Return one of the texts, with its choices in [a|b] made."""
    text = random.choice(texts)
    while "[" in text:
        text = re.sub(r"\[([^\[\]]*)\]", lambda found: random.choice(found[1].split("|")), text)
    return text


_SIGN = "[=|<|<=|>|>=]"
_DAY = "'[2023-12-31|2024-01-01|2024-02-29|2024-12-31]'"
_SMALL = "[-2|-1|0|1|2|3]"
PREDICATES: dict[str, tuple[str, ...]] = {
    "date-range": (
        f"YEAR(T.[D|TS]) {_SIGN} [2023|2024|2025]",
        "YEAR(T.[D|TS]) BETWEEN 2023 AND [2023|2024]",
        "YEAR(T.TS) = 2024 AND [T.A = 1 AND |]MONTH(T.TS) = [1|2|3|12]",
        "MONTH(T.D) = [1|2|3|12] AND YEAR(T.D) = [2023|2024]",
        f"DATE(T.[D|TS]) {_SIGN} [|DATE(]{_DAY}",
        f"{_DAY} {_SIGN} DATE(T.TS)",
        f"DATE(T.[D|TS]) BETWEEN {_DAY} AND {_DAY}",
    ),
    "cast-of-column": (
        f"[INT|INTEGER](T.[A|B|N]) [=|=|<|>=] {_SMALL}",
        "INT(T.C) = [0|1|10]",
        f"[CHAR|VARCHAR](T.[A|B]) = '{_SMALL}'",
        f"CAST(T.[A|B] AS [CHAR|VARCHAR](12)) = '{_SMALL}'",
        "DIGITS(T.A) = '000000000[0|1|2]'",
        "'0000[0|1|2]' = DIGITS(T.B)",
    ),
    "arithmetic": (
        f"T.[A|B|N] [+|-] [1|2|0.5] {_SIGN} {_SMALL}",
        f"[1|2|0.5] [+|-] T.[A|B|N] {_SIGN} {_SMALL}",
        f"{_SMALL} {_SIGN} T.[A|B|N] [+|-] [1|2|0.5]",
        f"T.[A|B|N] * [2|0.5|-2|4|-0.5] {_SIGN} {_SMALL}",
        f"[T.A + (T.A * [0.25|1|-3])|T.N + 3 * T.N|-3 * T.B + T.B] {_SIGN} {_SMALL}",
        f"[T.A * :P|:P * T.N] {_SIGN} {_SMALL}",
        f"[T.N + (:P * T.N)|(T.A * :P) + T.A] {_SIGN} [1.0|3.0|-2.0]",
        f"T.D [+|-] [1|2] [DAY|DAYS] {_SIGN} {_DAY}",
        f"T.TS [+|-] [1|2] DAYS {_SIGN} '2024-01-01 00:00:00'",
    ),
    "prefix": (
        "[SUBSTR|SUBSTR](T.[S|F], 1, [2, |2, ]",
        "SUBSTR(T.[S|F], 1, 2) = '[ab|AB|ba]'",
        "SUBSTR(T.[S|F], 1, 1) = '[a|b|x]'",
        "'[abc|xyz]' = LEFT(T.[S|F], 3)",
        "LEFT(T.S, 1) = 'a'",
    )[1:],
    "trim": (f"[RTRIM|TRIM](T.F) {_SIGN} '[a|ab|x|b]'", f"RTRIM(T.S) {_SIGN} '[a|ab|x|b]'", "'a' = TRIM(T.S)"),
    "coalesce": (
        f"[COALESCE|VALUE|NVL](T.[A|B|N|K], {_SMALL}) {_SIGN} {_SMALL}",
        "COALESCE(T.[S|F], '[a|x|zz]') = '[a|x|b]'",
        f"{_SMALL} {_SIGN} IFNULL(T.A, {_SMALL})",
    ),
    "optional-parameter": (
        "T.[A|B|K] = COALESCE(:P, T.A)",
        "COALESCE(:P, T.A) = T.A",
        f"(:P IS NULL OR T.[A|B|N|K] {_SIGN} :P)",
        "(T.X = :P OR :P IS NULL)",
    ),
    "number-for-text": ("T.C = [0|1|2|10|5]", "T.C IN ([0|1], 2, [10|21])", "T.C = 21"),
    "count-to-exists": (
        "(SELECT COUNT(*) FROM U WHERE U.[A = T.A|B = 1|A > T.B|A IS NULL]) [> 0|>= 1|= 0|< 1|<> 0|<= 0]",
        "(SELECT COUNT([|DISTINCT ]U.A) FROM U WHERE U.B = T.B [OR U.B IS NULL|]) [> 0|= 0]",
        "[0 <|0 =|1 <=] (SELECT COUNT(*) FROM U WHERE U.A = T.A)",
    ),
    "not-in": (
        "T.[A|B|X|K] NOT IN (SELECT U.[A|B|X|K] FROM U [|WHERE U.B = 1|WHERE U.B = T.B|WHERE U.A IS NOT NULL])",
        "T.[A|X] NOT IN (SELECT [DISTINCT |]U.[A|X] FROM U, V WHERE U.B = V.B)",
        "NOT T.A IN (SELECT W.[A|X] FROM U W WHERE W.X > T.X)",
    ),
}


def _long_list(random: Random) -> str:
    literals = [random.choice(("1", "-1", "2", "1.0", "3", "0.5", "7")) for _ in range(120)]
    column = random.choice(("A", "B", "N"))
    if random.random() < 0.3:
        column, literals = "S", [f"'{random.choice(('a', 'ab', 'x', 'q'))}'" for _ in range(120)]
    return f"T.{column} IN ({', '.join(literals)})"


_CASES = (
    "SELECT K, {column} FROM T WHERE {one}",
    "SELECT * FROM T WHERE {one} AND T.A > 0",
    "SELECT K FROM T WHERE ({one}) OR T.B = 1",
    "SELECT K, A FROM T WHERE NOT ({one})",
    "SELECT COUNT(*), MAX(K) FROM T WHERE {one}",
    "SELECT T.K, U.K FROM T LEFT JOIN U ON T.A = U.A AND {one}",
    "SELECT T.K, U.K FROM U LEFT JOIN T ON T.A = U.A AND T.B = U.B WHERE {one}",
    "SELECT T.K FROM T INNER JOIN V ON T.B = V.B WHERE ({one}) AND ({two})",
    "SELECT U.K FROM U WHERE EXISTS (SELECT 1 FROM T WHERE T.B = U.B AND {one})",
    "SELECT K FROM T WHERE {one} ORDER BY K DESC",
    "WITH W AS (SELECT * FROM T WHERE {one}) SELECT K, S FROM W",
)


def _predicate(kind: str) -> Callable[[Random], str]:
    def vary(random: Random) -> str:
        one, two = (_long_list(random) if kind == "long-list" else _pick(random, *PREDICATES[kind]) for _ in range(2))
        one, two = (text + ")" * (text.count("(") - text.count(")")) for text in (one, two))
        text = random.choice(_CASES).format(one=one, two=two, column=random.choice(list(TYPES)))
        outer = " FROM T" in text and " JOIN" not in text and "EXISTS" not in text and random.random() < 0.5
        bare = outer and kind not in ("not-in", "count-to-exists", "number-for-text")
        return text.replace("T.", "") if bare else text

    return vary


def _texts(*texts: str) -> Callable[[Random], str]:
    return lambda random: _pick(random, *texts)


_OR_SIDE = "[%s.A = [1|2]|%s.B [>|<>] 0|%s.X IN (1, 2)|%s.A IS NULL|%s.B BETWEEN 0 AND 1]"
_SIDE = {table: _OR_SIDE.replace("%s", table) for table in TABLES}
_ONE = "[A [=|<|>=] [1|2]|K = 3|B BETWEEN 0 AND 1|S LIKE 'a%'|X IN (1, 2)|B [>|<=] 0]"

_REJECTS = (
    "[U.B = 1|U.A + 1 > T.X|U.X [|NOT ]IN (1, 2)|U.S LIKE 'a%'|U.B BETWEEN 0 AND 2|U.A IS NOT NULL|NOT U.B = 2|U.B <> T.X"
    "|(U.B = 1 OR U.A > 0 AND T.X = 1)|EXISTS (SELECT 1 FROM V WHERE V.A = U.A)|T.X IN (SELECT V.X FROM V WHERE U.B = V.B)"
    "|U.X IN (SELECT V.X FROM V)|U.N * 2 > (SELECT MIN(V.N) FROM V)]"
)
_TOTAL = "[MAX(W.N)|MIN(W.X)|SUM(W.A)|COUNT(*)|COUNT(W.B)]"

VARIANTS: dict[str, Callable[[Random], str]] = {
    **{kind: _predicate(kind) for kind in (*PREDICATES, "long-list")},
    "or-over-tables": _texts(
        "SELECT T.K, U.K FROM T, U WHERE T.A = U.A AND ([U|T].A = [1|2|-1] OR T.B [=|<>|>] [1|0] OR U.A [>|<] 0)",
        "SELECT T.K, U.S, V.S FROM T JOIN U ON T.A = U.A INNER JOIN V ON T.B = V.B WHERE (U.A = 1 OR V.B = 0 OR T.X = 1)",
        "SELECT T.K, V.K FROM T, U, V WHERE T.A = U.A AND U.A = V.A AND (V.A IN (1, 2) AND T.X > 0 OR U.A [BETWEEN 0 AND 1|IS NULL])",
        "SELECT COUNT(*) FROM T, U WHERE T.X = U.X AND T.A = U.A AND (T.X = 1 OR NOT U.A = 2) AND T.S = 'a'",
    ),
    "or-to-union": _texts(
        f"SELECT K, A FROM T WHERE ({_ONE} OR {_ONE}[| OR {_ONE}]) [|AND S = 'a'][|ORDER BY A, K|ORDER BY 2 DESC, 1]",
        f"SELECT A, S FROM T WHERE {_ONE} OR {_ONE}",
        f"SELECT DISTINCT A, B FROM T WHERE ({_ONE} OR {_ONE}) [|AND S = 'a']",
        f"SELECT T.K, U.K AS M FROM T, U WHERE T.X = U.X AND ({_SIDE['T']} OR {_SIDE['U']})[| ORDER BY M, T.K]",
        f"SELECT T.A, U.A FROM T LEFT JOIN U ON T.X = U.X WHERE {_SIDE['T']} OR {_SIDE['U']}",
        f"WITH W AS (SELECT * FROM T WHERE X > 0) SELECT A, S FROM W WHERE {_ONE} OR {_ONE}",
    ),
    "paging": _texts(
        "WITH W AS (SELECT K, A, ROW_NUMBER() OVER (ORDER BY [X|A|B DESC|S], K[| DESC]) AS RN FROM T [|WHERE X > 0]) "
        "SELECT K, A[|, RN] FROM W WHERE RN [BETWEEN 2 AND 5|BETWEEN 3 AND 4|<= 4|< 3|= 2][| AND A > 0]",
        "SELECT W.* FROM (SELECT K, S, ROW_NUMBER() OVER (ORDER BY [N|A DESC], K) AS RN FROM [T|U]) AS W "
        "WHERE W.RN > [0|1|3] AND W.RN <= [2|4|6] ORDER BY RN",
        "SELECT COUNT(*), SUM(K) FROM (SELECT T.K, ROW_NUMBER() OVER (ORDER BY T.X, T.K DESC) RN FROM T) W WHERE [6|3] >= RN",
        "SELECT * FROM (SELECT ROWNUMBER() OVER() AS ROWNUMBER_, K, A AS M FROM T[| WHERE X > 0]) AS W "
        "WHERE ROWNUMBER_ [BETWEEN [1+1|2*2] AND 2*2+[0|2]|<= 5-2|< (1+1)*2][| AND M > 0]",
    ),
    "offset": _texts(
        "SELECT X, K[|, S] FROM T [|WHERE A > 0] ORDER BY [X|X DESC], [K|K DESC] OFFSET [1|2|4] ROWS FETCH NEXT [2|3] ROWS ONLY",
        "SELECT K, A FROM T ORDER BY K[| DESC] OFFSET [1|2|4] ROWS FETCH FIRST [2|3] ROWS ONLY",
    ),
    "greatest-row": _texts(
        "SELECT T.K, T.A FROM T WHERE T.[A|N|D] = (SELECT [MAX|MIN](W.[A|N|D]) FROM T W WHERE W.B = T.B[| AND W.X > 0])".replace(
            "T.[A|N|D] = (SELECT [MAX|MIN](W.[A|N|D])", "T.A = (SELECT [MAX|MIN](W.A)"
        ),
        "SELECT T.K, T.D FROM T WHERE T.D = (SELECT MAX(W.D) FROM T W WHERE W.[B|X] = T.[B|X]) AND T.X > 0".replace(
            "W.[B|X] = T.[B|X]", "W.X = T.X"
        ),
        "SELECT Q.K, U.K FROM T Q, U WHERE Q.B = U.B AND (SELECT MIN(N) FROM T W WHERE Q.A = W.A AND W.B = Q.B[| AND W.S = 'a']) = Q.N",
        "SELECT Q.K, U.K FROM U LEFT JOIN T Q ON Q.B = U.B WHERE Q.X = (SELECT MAX(W.X) FROM T W WHERE W.A = Q.A)",
        "SELECT Q.K FROM T Q WHERE NOT (Q.S = 'a') AND Q.X = (SELECT MAX(W.X) FROM T W WHERE W.A = Q.A[| AND X < 2])",
    ),
    "distinct-join": _texts(
        "SELECT DISTINCT T.[K|A|S], T.B FROM T, U WHERE T.A = U.A[| AND U.B > 0][| AND T.X > 0]",
        "SELECT DISTINCT T.A, T.S FROM T JOIN U ON T.B = U.B [JOIN V ON V.X = U.X|INNER JOIN V ON V.A = T.A AND V.B = U.B]",
        "SELECT DISTINCT U.[K|X] FROM T, U, V WHERE T.A = U.A AND (V.B = U.B OR V.X = T.X)[| ORDER BY U.X]".replace(
            "[K|X]", "X"
        ),
        "SELECT DISTINCT T.K, T.S FROM T, U WHERE U.X = 1[| AND T.S = 'a'][| ORDER BY T.K]",
    ),
    "union-all": _texts(
        "SELECT [A|K], 'x' FROM T UNION SELECT [B|K], '[y|xx]' FROM U[| ORDER BY 1, 2]",
        "SELECT 1, A, S FROM T WHERE X > 0 UNION SELECT 2, A, S FROM T UNION SELECT 3, B, S FROM [U|V]",
        "SELECT COUNT(*), 'n' AS W FROM T UNION SELECT K, 'k' FROM [T|U] UNION SELECT A, 'a' FROM [T|V]",
    ),
    "outer-to-inner": _texts(
        f"SELECT * FROM T LEFT [|OUTER ]JOIN U ON T.A = U.A[| AND U.X > 0] WHERE {_REJECTS}[| AND T.X > 0]",
        "SELECT T.K, V.S FROM T LEFT JOIN U ON T.B = U.B [LEFT|RIGHT|FULL|INNER] JOIN V ON V.X = U.X WHERE [U.B|U.A|U.N] < 3",
        "SELECT T.K, U.K, V.K FROM T LEFT JOIN U ON T.A = U.A [LEFT |INNER ]JOIN V ON V.B = U.B[| WHERE V.X > 0]",
        "SELECT Q.K, W.S FROM V, T Q LEFT JOIN (SELECT * FROM U[| WHERE X > 0]) W ON Q.A = W.B WHERE V.X = [W|Q].X AND W.B = V.B",
        f"SELECT COUNT(*), SUM(U.K) FROM T LEFT JOIN U ON T.B = U.B WHERE {_REJECTS} OR ([T.S = 'a'|{_REJECTS}] AND [U|T].X = 1)",
    ),
    "explicit-joins": _texts(
        "SELECT [*|T.K, U.K, V.K] FROM T, U LEFT [|OUTER ]JOIN V ON U.B = V.B[| AND V.X > U.X] WHERE T.A = U.A[| AND T.X > 0]",
        "SELECT T.*, W.K, Q.S FROM T, (SELECT * FROM V WHERE B > 0) V, U LEFT JOIN T W ON U.X = W.X LEFT JOIN V Q ON Q.B = W.B WHERE T.A = U.A AND [U|T].X = V.X",
    ),
    "distinct-derived": _texts(
        "SELECT T.K, U.K FROM T JOIN U ON T.A = U.A JOIN (SELECT DISTINCT X FROM V[| WHERE S = 'a' OR B > 0]) P ON P.X = [T|U].X",
        "SELECT T.* FROM T, (SELECT DISTINCT W.A AS M FROM U W WHERE B [>|<] 2) P WHERE P.M = T.[A|B][| AND T.S = 'a']",
        "SELECT COUNT(*), SUM(T.K) FROM T JOIN (SELECT DISTINCT B FROM U) P ON T.B = P.B[| AND T.A > 0] JOIN V ON V.X = T.X",
        "SELECT T.X, COUNT(*) FROM T JOIN (SELECT DISTINCT U.S FROM U, V WHERE U.X = V.X) P ON P.S = T.S GROUP BY T.X",
    ),
    "distinct-scalar": _texts(
        f"SELECT DISTINCT (A), (SELECT {_TOTAL} FROM [T|U] W WHERE W.[A|X] = T.A) AS M FROM T[| WHERE X > 0] ORDER BY A[| DESC]",
        f"SELECT DISTINCT Q.B, Q.S AS M, (SELECT {_TOTAL} FROM U W WHERE W.B = Q.B AND (W.S = Q.S OR W.X > Q.B)) FROM T Q[| WHERE Q.X > 0]",
        f"SELECT DISTINCT X, (SELECT {_TOTAL} FROM U W, V WHERE W.X = T.X AND V.B = W.B) AS K, (SELECT COUNT(*) FROM V) FROM T ORDER BY X, K",
    ),
    "one-pass": _texts(
        f"SELECT T.K, [B|A], (SELECT {_TOTAL} FROM U W WHERE W.A = T.A AND W.S = '[a|ab|x]') AS M, "
        f"(SELECT {_TOTAL} FROM U W WHERE T.A = W.A AND '[a|b]' = W.S) AS B FROM T[| WHERE X > 0]",
        f"SELECT V.K, (SELECT {_TOTAL} FROM U W WHERE W.X = V.X AND S = 'a') AS M, (SELECT MAX(U.A) FROM U WHERE U.X = V.X "
        f"AND U.S = 'b'), (SELECT {_TOTAL} FROM U W WHERE W.X = V.X AND W.S = 'b') FROM T [LEFT|FULL] JOIN V ON V.X = T.X",
        f"SELECT [DISTINCT |]T.A, COALESCE((SELECT {_TOTAL} FROM T W WHERE W.X = V.X AND W.B = 1), 7) AS M, "
        f"(SELECT {_TOTAL} FROM T W WHERE W.X = V.X AND W.B = [0|1|2]) FROM T, V",
    ),
}
