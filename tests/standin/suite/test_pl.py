"""SQL PL of the stand-in, over a small executor that evaluates with DuckDB."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.standin.api import Outcome, Scope
from tests.standin.errors import Db2Error
from tests.standin.pl import (
    call_function,
    check_static,
    marker_parameters,
    parse_function,
    parse_procedure,
    run_compound,
)
from tests.standin.suite.plain_session import Prepared, Rows, Session
from tests.standin.types import Column, SqlType

pytestmark = pytest.mark.full


@pytest.fixture
def session() -> Session:
    made = Session()
    made.database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
    made.create(
        "CREATE PROCEDURE CHECKED (IN V INTEGER) IF V < 0 THEN SIGNAL SQLSTATE '70001' SET MESSAGE_TEXT = 'negative'; END IF"
    )
    made.create(
        "CREATE PROCEDURE TWICE (IN V INTEGER DEFAULT 21, OUT R INTEGER, INOUT S VARCHAR(10)) BEGIN SET R = V * 2; SET S = S || '!'; SET V = 0; RETURN 7; END"
    )
    made.create(
        "CREATE PROCEDURE LISTS () DYNAMIC RESULT SETS 2 BEGIN"
        "  DECLARE c1 CURSOR WITH RETURN FOR SELECT 1 AS x UNION ALL SELECT 2 ORDER BY 1;"
        "  DECLARE c2 CURSOR WITH RETURN TO CALLER FOR SELECT 'b' AS y;"
        "  DECLARE c3 CURSOR FOR SELECT 3; OPEN c2; OPEN c3; OPEN c1; END"
    )
    return made


def results(session: Session, body: str, declarations: str = "") -> tuple[Any, Any]:
    """The values of OUT parameters R INTEGER and S VARCHAR(200) of a procedure with that body."""
    session.create(
        "CREATE PROCEDURE P (IN N INTEGER, OUT R INTEGER, OUT S VARCHAR(200))"
        f" LANGUAGE SQL MODIFIES SQL DATA P1: BEGIN {declarations}\n{body}\nEND P1"
    )
    outcome = session.call(None, "P", [3, None, None], [None] * 3)
    assert outcome.parameters is not None
    return outcome.parameters[1], outcome.parameters[2]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("SET R = N + 1, S = 'it''s; fine'; -- a comment; with ' in it", (4, "it's; fine")),
        ("SET (R, S) = (N, 'a'); SET R = R + 1, S = R || '';", (4, "3")),
        ("SET (R, S) = (SELECT 7, 'x' WHERE N = 3);", (7, "x")),
        ("SET R = 1; SET (R, S) = (SELECT 7, 'x' WHERE N = 4);", (None, None)),
        ("SET R = CASE WHEN N = 3 THEN CASE N WHEN 3 THEN 33 END ELSE 0 END;", (33, None)),
        ("SELECT 5, /* two; */ 'q' INTO R, S FROM (SELECT 1 AS one) AS x WHERE P.N = 3;", (5, "q")),
        ("WITH d AS (SELECT 8 AS n8) SELECT n8 INTO R FROM d;", (8, None)),
        ("VALUES (N * 2, 'v') INTO R, S;", (6, "v")),
        ("IF N = 1 THEN SET R = 1; ELSEIF N = 3 THEN SET R = 2; ELSE SET R = 3; END IF;", (2, None)),
        ("IF N = NULL THEN SET R = 1; ELSE SET R = 3; END IF;", (3, None)),
        ("CASE N WHEN 1 THEN SET R = 1; WHEN 3 THEN SET R = 2; END CASE;", (2, None)),
        ("CASE WHEN N > 5 THEN SET R = 1; ELSE SET R = 9; END CASE;", (9, None)),
        ("SET R = 0; WHILE R < 5 DO SET R = R + 1; END WHILE;", (5, None)),
        ("SET R = 9; REPEAT SET R = R + 1; UNTIL R > 5 END REPEAT;", (10, None)),
        ("SET R = 0; l: LOOP SET R = R + 1; IF R < 4 THEN ITERATE l; END IF; LEAVE l; END LOOP l;", (4, None)),
        ("SET R = 0; o: LOOP LOOP SET R = R + 1; IF R = 3 THEN LEAVE o; END IF; END LOOP; END LOOP;", (3, None)),
        ("SET R = 0; b: BEGIN SET R = 1; LEAVE b; SET R = 2; END b;", (1, None)),
        ("SET R = 0; FOR v AS SELECT 4 AS x UNION ALL SELECT 5 DO SET R = R + v.x, S = x; END FOR;", (9, "5")),
        ("FOR v AS c CURSOR WITH HOLD FOR SELECT 4 AS x DO COMMIT; SET R = v.x; END FOR;", (4, None)),
        ("f: FOR v AS SELECT 4 AS x UNION ALL SELECT 5 DO SET R = x; LEAVE f; END FOR f;", (4, None)),
        ("b: BEGIN DECLARE N INTEGER DEFAULT 8; SET R = b.N + P.N; END;", (11, None)),
        ("BEGIN DECLARE x, y INTEGER DEFAULT 2; SET x = 5; SET R = x * y; END;", (10, None)),
        ("SET R = 1; RETURN 4; SET R = 2;", (1, None)),
        ("SET G = N; SET R = 1;", (1, None)),
        ("CALL TWICE(N, R, S);", (6, None)),
        ("SET S = 'a'; CALL TUNE.TWICE(S => S, R => R, V => 4);", (8, "a!")),
        ("CALL TWICE(DEFAULT, R, S);", (42, None)),
        ("CALL TWICE(1, R, S); GET DIAGNOSTICS R = DB2_RETURN_STATUS;", (7, None)),
        ("GET DIAGNOSTICS R = DB2_SQL_NESTING_LEVEL;", (1, None)),
        ("INSERT INTO t VALUES (1), (2); GET DIAGNOSTICS R = ROW_COUNT;", (2, None)),
        ("EXECUTE IMMEDIATE 'INSERT INTO t VALUES (' || N || ')'; SELECT COUNT(*) INTO R FROM t;", (1, None)),
        ("PREPARE i FROM 'INSERT INTO t VALUES (?)'; EXECUTE i USING N; EXECUTE i USING N + 1; SELECT SUM(a) INTO R FROM t;", (7, None)),
        ("PREPARE q FROM 'SELECT 1 + CAST(? AS INTEGER)'; EXECUTE q INTO R USING N;", (4, None)),
        ("PREPARE c FROM 'CALL TWICE(?, ?, ?)'; SET S = 'x'; EXECUTE c USING N, R, S;", (6, "x!")),
    ],
)  # fmt: skip
def test_statements(session: Session, body: str, expected: tuple[Any, Any]) -> None:
    assert results(session, body) == expected


CODES = "DECLARE SQLCODE INTEGER DEFAULT 0; DECLARE SQLSTATE CHAR(5) DEFAULT '00000';"
BAD = "SELECT 1 INTO R FROM nowhere;"
DUPLICATE = "INSERT INTO t VALUES (1); INSERT INTO t VALUES (1);"
NO_ROW = "SELECT 1 INTO R FROM t WHERE 1 = 0;"
TEXT = "GET DIAGNOSTICS EXCEPTION 1 S = MESSAGE_TEXT;"


@pytest.mark.parametrize(
    ("declarations", "body", "expected"),
    [
        ("DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET R = 1;", f"{BAD} SET S = 'after';", (1, "after")),
        ("DECLARE EXIT HANDLER FOR SQLEXCEPTION SET R = 1;", f"{BAD} SET S = 'after';", (1, None)),
        ("DECLARE EXIT HANDLER FOR SQLEXCEPTION SET R = 1;", f"BEGIN {BAD} SET S = 'in'; END; SET S = 'after';", (1, None)),
        ("DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET R = 1;", f"BEGIN {BAD} SET S = 'in'; END;", (1, "in")),
        ("", f"BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION SET R = 1; {BAD} END; SET S = 'after';", (1, "after")),
        ("DECLARE CONTINUE HANDLER FOR NOT FOUND SET R = 5;", NO_ROW, (5, None)),
        ("", f"SET R = 4; {NO_ROW} SET S = 'on';", (4, "on")),
        ("DECLARE CONTINUE HANDLER FOR SQLSTATE '42704' SET R = 2; DECLARE EXIT HANDLER FOR SQLEXCEPTION SET R = 1;", BAD, (2, None)),
        ("DECLARE EXIT HANDLER FOR SQLEXCEPTION SET R = 1; DECLARE CONTINUE HANDLER FOR SQLSTATE '42704' SET R = 2;", BAD, (2, None)),
        ("DECLARE x CONDITION FOR SQLSTATE '23505'; DECLARE EXIT HANDLER FOR x SET R = 3;", DUPLICATE, (3, None)),
        ("DECLARE EXIT HANDLER FOR SQLEXCEPTION SET S = 'outer';", f"BEGIN DECLARE EXIT HANDLER FOR SQLSTATE '23505' SET S = 'no'; {BAD} END;", (None, "outer")),
        ("DECLARE EXIT HANDLER FOR SQLEXCEPTION SET S = 'outer';", f"BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN SET R = 1; {DUPLICATE} SET R = 2; END; {BAD} END;", (1, "outer")),
        ("DECLARE EXIT HANDLER FOR SQLEXCEPTION SET S = 'outer';", f"BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN SET R = 6; RESIGNAL; END; {BAD} END;", (6, "outer")),
        (f"DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN {TEXT} END;", f"BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION RESIGNAL SQLSTATE '70002' SET MESSAGE_TEXT = 'because'; {BAD} END;", (None, 'SQL0438N  Application raised error or warning with diagnostic text: "because".  SQLSTATE=70002')),
        (f"DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN {TEXT} END;", BAD, (None, 'SQL0204N  "NOWHERE" is an undefined name.  SQLSTATE=42704')),
        ("DECLARE EXIT HANDLER FOR SQLEXCEPTION GET DIAGNOSTICS EXCEPTION 1 S = DB2_TOKEN_STRING;", DUPLICATE, (None, "1\xffT")),
        (f"DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN DELETE FROM t WHERE a = 9; INSERT INTO t VALUES (8); {TEXT} END;", BAD, (None, "")),
        (f"{CODES} DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET R = SQLCODE, S = SQLSTATE;", DUPLICATE, (-803, "23505")),
        (f"{CODES} DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN SET R = SQLCODE; SET S = SQLSTATE; END;", DUPLICATE, (-803, "00000")),
        (f"{CODES} DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN SET R = SQLCODE; {TEXT} END;", BAD, (-204, 'SQL0204N  "NOWHERE" is an undefined name.  SQLSTATE=42704')),
        (f"{CODES} DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN {TEXT} SET R = SQLCODE; END;", BAD, (0, 'SQL0204N  "NOWHERE" is an undefined name.  SQLSTATE=42704')),
        (CODES, f"{NO_ROW} SET R = SQLCODE, S = SQLSTATE;", (100, "02000")),
        (CODES, f"{NO_ROW} IF SQLCODE = 100 THEN SET R = SQLCODE; END IF;", (100, None)),
        ("DECLARE CONTINUE HANDLER FOR SQLWARNING SET R = 1;", "SIGNAL SQLSTATE '01777' SET MESSAGE_TEXT = 'w'; SET S = 'on';", (1, "on")),
        (CODES, "SIGNAL SQLSTATE '01777'; SET R = SQLCODE, S = SQLSTATE;", (438, "01777")),
        (f"DECLARE EXIT HANDLER FOR SQLSTATE '70001' {TEXT}", "CALL CHECKED(-1);", (None, 'SQL0438N  Application raised error or warning with diagnostic text: "negative".  SQLSTATE=70001')),
        ("DECLARE c CONDITION FOR SQLSTATE '75001'; DECLARE EXIT HANDLER FOR SQLSTATE '75001' SET R = 1;", "SIGNAL c;", (1, None)),
        ("DECLARE c CONDITION; DECLARE EXIT HANDLER FOR c SET R = 1;", "SIGNAL c SET MESSAGE_TEXT = 'm';", (1, None)),
        ("DECLARE v CHAR(5) DEFAULT '75009'; DECLARE EXIT HANDLER FOR SQLSTATE '75009' SET R = 1;", "SIGNAL SQLSTATE v;", (1, None)),
        ("DECLARE EXIT HANDLER FOR SQLSTATE '20000' SET R = 1;", "CASE N WHEN 1 THEN SET R = 2; END CASE;", (1, None)),
        ("DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET R = 1;", "IF N / 0 = 1 THEN SET S = 'then'; ELSE SET S = 'else'; END IF;", (1, None)),
        ("DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET R = 1;", f"IF N = 3 THEN {BAD} SET S = 'next'; END IF;", (1, "next")),
        ("DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET R = 1;", "WHILE N / 0 = 1 DO SET S = 'x'; END WHILE; SET S = 'past';", (1, "past")),
        ("", f"FOR v AS SELECT 1 AS x UNION ALL SELECT 2 DO BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET R = v.x; {BAD} END; END FOR;", (2, None)),
        ("DECLARE CONTINUE HANDLER FOR SQLEXCEPTION CALL CHECKED(-1); DECLARE CONTINUE HANDLER FOR SQLSTATE '70001' SET R = 1;", "CALL CHECKED(-2);", (1, None)),
    ],
)  # fmt: skip
def test_handlers(session: Session, declarations: str, body: str, expected: tuple[Any, Any]) -> None:
    assert results(session, body, declarations) == expected


@pytest.mark.parametrize(
    ("body", "expected", "rows"),
    [
        (f"BEGIN ATOMIC DECLARE UNDO HANDLER FOR SQLEXCEPTION SET R = 1; {DUPLICATE} END; SET S = 'on';", (1, "on"), []),
        (f"BEGIN ATOMIC DECLARE EXIT HANDLER FOR SQLEXCEPTION SET R = 1; {DUPLICATE} END;", (1, None), [1]),
        (f"BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET R = 1; BEGIN ATOMIC {DUPLICATE} SET S = 'in'; END; END;", (1, None), []),
        (f"BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION SET R = 1; BEGIN NOT ATOMIC {DUPLICATE} END; END;", (1, None), [1]),
    ],
)  # fmt: skip
def test_atomic(session: Session, body: str, expected: tuple[Any, Any], rows: list[int]) -> None:
    assert results(session, body) == expected
    assert session.rows() == rows


LIST = "DECLARE c CURSOR FOR SELECT 1 AS x, 'a' AS y UNION ALL SELECT 2, 'b' ORDER BY 1;"


@pytest.mark.parametrize(
    ("declarations", "body", "expected"),
    [
        (LIST, "OPEN c; FETCH c INTO R, S; FETCH FROM c INTO R, S; CLOSE c;", (2, "b")),
        (f"{CODES} {LIST}", "OPEN c; FETCH c INTO R, S; FETCH c INTO R, S; FETCH c INTO R, S; SET R = SQLCODE;", (100, "b")),
        (f"DECLARE done INTEGER DEFAULT 0; {LIST} DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;", "OPEN c; SET R = 0; l: LOOP FETCH c INTO R, S; IF done = 1 THEN LEAVE l; END IF; END LOOP; CLOSE c;", (2, "b")),
        (LIST, "OPEN c; FETCH c INTO R, S; CLOSE c; OPEN c; FETCH c INTO R, S;", (1, "a")),
        ("DECLARE c CURSOR FOR q;", "PREPARE q FROM 'SELECT CAST(? AS INTEGER) * 2'; OPEN c USING N; FETCH c INTO R;", (6, None)),
        ("DECLARE c CURSOR WITH HOLD FOR SELECT 1 AS x;", "OPEN c; COMMIT; FETCH c INTO R;", (1, None)),
        ("DECLARE v INTEGER DEFAULT 4; DECLARE c CURSOR FOR SELECT v AS x;", "SET v = 5; OPEN c; SET v = 6; FETCH c INTO R;", (5, None)),
        ("DECLARE a, b RESULT_SET_LOCATOR VARYING;", "CALL LISTS(); ASSOCIATE RESULT SET LOCATORS (a, b) WITH PROCEDURE LISTS; ALLOCATE q CURSOR FOR RESULT SET b; FETCH q INTO R; ALLOCATE p CURSOR FOR RESULT SET a; FETCH p INTO S;", (1, "b")),
        (CODES, "CALL LISTS(); SET R = SQLCODE, S = SQLSTATE;", (466, "0100C")),
    ],
)  # fmt: skip
def test_cursors(session: Session, declarations: str, body: str, expected: tuple[Any, Any]) -> None:
    assert results(session, body, declarations) == expected


@pytest.mark.parametrize(
    ("declarations", "body", "code", "state"),
    [
        ("", BAD, -204, "42704"),
        ("", "SIGNAL SQLSTATE '70001' SET MESSAGE_TEXT = 'x';", -438, "70001"),
        ("", "SIGNAL SQLSTATE '70001' ('x');", -438, "70001"),
        ("", "RESIGNAL;", -787, "0K000"),
        ("DECLARE v CHAR(5) DEFAULT '00123';", "SIGNAL SQLSTATE v;", -435, "428B3"),
        ("", "CASE N WHEN 1 THEN SET R = 1; END CASE;", -773, "20000"),
        ("", "SET S = REPEAT('x', 201);", -433, "22001"),
        ("", "SET R = 1 / 0;", -801, "22012"),
        ("", "SET UNKNOWN = 1;", -206, "42703"),
        ("", "GET DIAGNOSTICS G = ROW_COUNT;", -206, "42703"),
        ("DECLARE k INTEGER CONSTANT 4;", "SET R = k; SET k = 5;", -20547, "428I3"),
        ("", "SELECT 1 INTO R FROM (VALUES (1), (2)) AS two;", -811, "21000"),
        ("", "SET (R, S) = (SELECT 1, 'a' UNION ALL SELECT 2, 'b');", -811, "21000"),
        ("", "SELECT 1, 2 INTO R FROM (VALUES (1)) AS one;", -117, "42802"),
        ("", "SET (R, S) = (SELECT 1);", -117, "42802"),
        (LIST, "FETCH c INTO R, S;", -501, "24501"),
        (LIST, "CLOSE c;", -501, "24501"),
        (LIST, "OPEN c; OPEN c;", -502, "24502"),
        (LIST, "OPEN c; COMMIT; FETCH c INTO R, S;", -501, "24501"),
        ("DECLARE c CURSOR WITH HOLD FOR SELECT 1;", "OPEN c; ROLLBACK; FETCH c INTO R;", -501, "24501"),
        ("", "FOR v AS SELECT 1 AS x UNION ALL SELECT 2 DO COMMIT; END FOR;", -501, "24501"),
        ("", "FOR v AS SELECT 1 AS x UNION ALL SELECT 2 DO EXECUTE IMMEDIATE 'COMMIT'; END FOR;", -501, "24501"),
        ("DECLARE c CURSOR FOR q;", "OPEN c;", -514, "26501"),
        ("DECLARE c CURSOR FOR q;", "PREPARE q FROM 'DELETE FROM t'; OPEN c;", -517, "07005"),
        ("DECLARE c CURSOR FOR q;", "PREPARE q FROM 'SELECT 1'; OPEN c USING N;", -313, "07004"),
        ("", "EXECUTE q;", -518, "07003"),
        ("", "PREPARE q FROM 'SELECT 1'; EXECUTE q;", -518, "07003"),
        ("", "PREPARE q FROM 'SELECT (1'; ", -104, "42601"),
        ("", "PREPARE q FROM ' '; ", -198, "42617"),
        ("", "EXECUTE IMMEDIATE 'SELECT 1';", -84, "42612"),
        ("", "EXECUTE IMMEDIATE 'DELETE FROM t WHERE a = ?';", -313, "07004"),
        ("", "CALL NOTHING();", -440, "42884"),
        ("", "CALL TWICE(1, 2, S);", -469, "42886"),
        ("", "CALL TWICE(1, R, X => S);", -440, "42884"),
        ("", "CALL CHECKED(-5);", -438, "70001"),
        ("DECLARE a RESULT_SET_LOCATOR VARYING;", "ASSOCIATE LOCATOR (a) WITH PROCEDURE LISTS;", -482, "51030"),
        ("", "DECLARE_IS_NOT_FIRST: BEGIN DECLARE R SMALLINT; SELECT 1 INTO R FROM nowhere; END;", -204, "42704"),
    ],
)  # fmt: skip
def test_unhandled(session: Session, declarations: str, body: str, code: int, state: str) -> None:
    with pytest.raises(Db2Error) as raised:
        results(session, body, declarations)
    assert (raised.value.code, raised.value.state) == (code, state)


def test_text_of_signal_is_cut(session: Session) -> None:
    with pytest.raises(Db2Error) as raised:
        results(session, "SIGNAL SQLSTATE '70001' SET MESSAGE_TEXT = REPEAT('ä', 50);")
    assert raised.value.tokens == ("ä" * 35,)


@pytest.mark.parametrize(
    ("text", "code", "state", "tokens"),
    [
        ("CREATE PROCEDURE P () BEGIN SET x = ; END", -104, "42601", (";",)),
        ("CREATE PROCEDURE P () BEGIN SET x = 1 END", -104, "42601", ("END",)),
        ("CREATE PROCEDURE P () BEGIN SET x = 1;", -104, "42601", ("END-OF-STATEMENT",)),
        ("CREATE PROCEDURE P () BEGIN SET x = 'a; END", -10, "42603", ("'a; END",)),
        ("CREATE PROCEDURE P () BEGIN SELECT a FROM t; END", -104, "42601", (";",)),
        ("CREATE PROCEDURE P () BEGIN IF 1 = 1 THEN END IF; END", -104, "42601", ()),
        ("CREATE PROCEDURE P () BEGIN NONSENSE x; END", -104, "42601", ("NONSENSE", "PROCEDURE P () BEGIN", "<statement>")),
        ("CREATE PROCEDURE P () BEGIN DECLARE c CURSOR FOR SELECT 1; DECLARE x INTEGER; END", -104, "42601", ("INTEGER",)),
        ("CREATE PROCEDURE P () BEGIN SET x = 1; DECLARE y INTEGER; END", -104, "42601", ("y",)),
        ("CREATE PROCEDURE P () BEGIN DECLARE x INTEGER ARRAY[10]; END", -104, "42601", ("ARRAY",)),
        ("CREATE PROCEDURE P () BEGIN GET DIAGNOSTICS EXCEPTION 1 x = RETURNED_SQLSTATE; END", -104, "42601", ("RETURNED_SQLSTATE",)),
        ("CREATE PROCEDURE P () BEGIN GET STACKED DIAGNOSTICS x = ROW_COUNT; END", -104, "42601", ("STACKED",)),
        ("CREATE PROCEDURE P () BEGIN GET DIAGNOSTICS EXCEPTION 2 x = MESSAGE_TEXT; END", -104, "42601", ("2",)),
        ("CREATE PROCEDURE P () BEGIN DECLARE EXIT HANDLER FOR NOT FOUND, SQLSTATE '42704' BEGIN END; END", -104, "42601", ("42704",)),
        ("CREATE PROCEDURE P () BEGIN DECLARE x MONEY; END", -204, "42704", ("MONEY",)),
        ("CREATE PROCEDURE P () BEGIN DECLARE x CHAR(256); END", -604, "42611", ("CHAR",)),
        ("CREATE PROCEDURE P () BEGIN DECLARE x VARCHAR; END", -604, "42611", ("VARCHAR",)),
        ("CREATE PROCEDURE P () BEGIN DECLARE x DECIMAL(32, 2); END", -604, "42611", ("DECIMAL",)),
        ("CREATE PROCEDURE P () BEGIN OPEN c; END", -504, "34000", ("C",)),
        ("CREATE PROCEDURE P () BEGIN BEGIN DECLARE c CURSOR FOR SELECT 1; END; OPEN c; END", -504, "34000", ("C",)),
        ("CREATE PROCEDURE P () BEGIN ASSOCIATE LOCATORS (r) WITH PROCEDURE Q; END", -206, "42703", ("R",)),
        ("CREATE PROCEDURE P () BEGIN LEAVE l; END", -779, "42736", ("L",)),
        ("CREATE PROCEDURE P () l: BEGIN ITERATE l; END", -779, "42736", ("L",)),
        ("CREATE PROCEDURE P () l: BEGIN END m", -778, "428D5", ("M",)),
        ("CREATE PROCEDURE P () l: BEGIN l: LOOP LEAVE l; END LOOP; END", -590, "42734", ("L", "P")),
        ("CREATE PROCEDURE P () BEGIN DECLARE x INTEGER; DECLARE x CHAR(1); END", -590, "42734", ("X", "P")),
        ("CREATE PROCEDURE P (a INTEGER, IN a INTEGER) BEGIN END", -590, "42734", ("A", "P")),
        ("CREATE PROCEDURE P () BEGIN SIGNAL c; END", -781, "42737", ("C",)),
        ("CREATE PROCEDURE P () BEGIN DECLARE EXIT HANDLER FOR c BEGIN END; END", -781, "42737", ("C",)),
        ("CREATE PROCEDURE P () BEGIN DECLARE EXIT HANDLER FOR SQLSTATE '00000' BEGIN END; END", -782, "428D7", ("00000",)),
        ("CREATE PROCEDURE P () BEGIN DECLARE EXIT HANDLER FOR NOT FOUND BEGIN END;"
         " DECLARE EXIT HANDLER FOR NOT FOUND BEGIN END; END", -782, "428D7", ("NOT FOUND",)),
        ("CREATE PROCEDURE P () BEGIN DECLARE UNDO HANDLER FOR SQLEXCEPTION BEGIN END; END", -780, "428D6", ()),
        ("CREATE PROCEDURE P () SIGNAL SQLSTATE '7000'", -435, "428B3", ("7000",)),
        ("CREATE PROCEDURE P () BEGIN DECLARE SQLCODE CHAR(5); END", -785, "428D8", ()),
        ("CREATE PROCEDURE P () BEGIN ATOMIC COMMIT; END", -774, "2D522", ()),
        ("CREATE PROCEDURE P () SET (a, b) = (1, 2, 3)", -117, "42802", ()),
        ("CREATE FUNCTION F () RETURNS INTEGER RETURN 1", -104, "42601", ("FUNCTION",)),
    ],
)  # fmt: skip
def test_refused_when_created(text: str, code: int, state: str, tokens: tuple[str, ...]) -> None:
    with pytest.raises(Db2Error) as raised:
        parse_procedure(text)
    assert (raised.value.code, raised.value.state) == (code, state)
    assert raised.value.tokens[: len(tokens)] == tokens


def texts(outcome: Outcome) -> list[tuple[str, list[tuple[Any, ...]]]]:
    return [(result.name, result.fetch(9)) for result in outcome.result_sets]


def test_result_sets_come_back_in_order_of_opening(session: Session) -> None:
    outcome = session.call(None, "LISTS", [], [])
    assert (outcome.code, texts(outcome)) == (0, [("C2", [("b",)]), ("C1", [(1,), (2,)])])


def test_fetched_rows_are_not_returned_again(session: Session) -> None:
    session.create(
        "CREATE PROCEDURE Q () RESULT SETS 1 BEGIN DECLARE x INTEGER;"
        " DECLARE c CURSOR WITH RETURN FOR VALUES (1), (2); OPEN c; FETCH c INTO x; END"
    )
    assert texts(session.call(None, "Q", [], [])) == [("C", [(2,)])]


def test_more_result_sets_than_declared_are_a_warning(session: Session) -> None:
    session.create(
        "CREATE PROCEDURE Q () DYNAMIC RESULT SETS 1 BEGIN DECLARE c CURSOR WITH RETURN FOR VALUES (1);"
        " DECLARE d CURSOR WITH RETURN FOR VALUES (2); OPEN d; OPEN c; END"
    )
    outcome = session.call(None, "Q", [], [])
    assert (outcome.code, outcome.state, outcome.tokens) == (464, "0100E", ("Q", "2", "1"))
    assert texts(outcome) == [("D", [(2,)])]


def test_commit_on_return_leaves_held_cursors_open(session: Session) -> None:
    session.create(
        "CREATE PROCEDURE Q () DYNAMIC RESULT SETS 2 COMMIT ON RETURN YES BEGIN"
        " DECLARE c CURSOR WITH RETURN FOR VALUES (1); DECLARE d CURSOR WITH HOLD WITH RETURN FOR VALUES (2);"
        " OPEN c; OPEN d; END"
    )
    assert texts(session.call(None, "Q", [], [])) == [("D", [(2,)])]
    assert session.executed[-1] == "COMMIT"


def test_result_sets_for_the_client_pass_the_caller_by(session: Session) -> None:
    session.create(
        "CREATE PROCEDURE INNERMOST () DYNAMIC RESULT SETS 2 BEGIN"
        " DECLARE c CURSOR WITH RETURN TO CLIENT FOR VALUES ('client');"
        " DECLARE d CURSOR WITH RETURN TO CALLER FOR VALUES ('caller'); OPEN c; OPEN d; END"
    )
    session.create("CREATE PROCEDURE Q () DYNAMIC RESULT SETS 3 CALL INNERMOST()")
    assert texts(session.call(None, "Q", [], [])) == [("C", [("client",)])]
    assert texts(run_compound("CALL Q", session)) == [("C", [("client",)])]


def test_unreturned_cursors_are_closed(session: Session) -> None:
    opened: list[Rows] = []
    execute = session.execute

    def remember(sql: str, scope: Scope | None, values: Sequence[Any] = ()) -> Outcome:
        outcome = execute(sql, scope, values)
        if isinstance(outcome.result, Rows):
            opened.append(outcome.result)
        return outcome

    session.execute = remember  # type: ignore[method-assign]
    returned = session.call(None, "LISTS", [], []).result_sets
    results(session, "OPEN c; CALL LISTS(); FOR v AS SELECT 1 AS x DO RETURN 1; END FOR;", LIST)
    assert [result for result in opened if result.open] == returned


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("CALL TWICE(?, ?, ?)", [4, None, "a"], [4, 8, "a!"]),
        ("CALL TUNE.TWICE(S => ?, R => ?, V => 5)", ["b", None], ["b!", 10]),
        ("CALL TWICE(R => ?, S => ?)", [None, "c"], [42, "c!"]),
        ("SET G = ?", [5], [5]),
        ("BEGIN DECLARE x INTEGER; SET x = ? + ?; SET G = x; END", [1, 2], [1, 2]),
        ("CALL LISTS", [], []),
    ],
)
def test_single_statements(session: Session, text: str, values: list[Any], expected: list[Any]) -> None:
    assert run_compound(text, session, values).parameters == expected


def test_description_of_parameter_markers(session: Session) -> None:
    told = marker_parameters("CALL TWICE(S => ?, V => ?, R => ?) -- really?", session)
    assert [(parameter.column.name, str(parameter.column.type), parameter.mode) for parameter in told] == [
        ("S", "VARCHAR(10)", "INOUT"),
        ("V", "INTEGER", "IN"),
        ("R", "INTEGER", "OUT"),
    ]
    assert [str(parameter.column.type) for parameter in marker_parameters("SET G = ?", session)] == ["INTEGER"]
    with pytest.raises(Db2Error) as raised:
        run_compound("CALL CHECKED(?)", session, [])
    assert raised.value.code == -313


def test_result_sets_and_warnings_of_a_top_level_call(session: Session) -> None:
    outcome = run_compound("CALL LISTS()", session)
    assert (outcome.code, outcome.state, outcome.tokens) == (466, "0100C", ("LISTS", "2"))
    assert [name for name, _ in texts(outcome)] == ["C2", "C1"]
    assert run_compound("SIGNAL SQLSTATE '01H01' SET MESSAGE_TEXT = 'careful'", session).tokens == ("careful",)
    with pytest.raises(Db2Error):
        run_compound("SIGNAL SQLSTATE '70099' SET MESSAGE_TEXT = 'stop'", session)


def test_global_variables_and_registers(session: Session) -> None:
    run_compound("BEGIN SET G = 4; SET TUNE.G = 5; SET SCHEMA = 'X'; SET CURRENT LOCK TIMEOUT 5; END", session)
    assert session.globals == {"G": 5}
    assert session.executed[-2:] == ["SET SCHEMA = 'X'", "SET CURRENT LOCK TIMEOUT 5"]


def test_recursion_has_an_end(session: Session) -> None:
    session.create(
        "CREATE PROCEDURE DOWN (IN N INTEGER, OUT D INTEGER) IF N > 1 THEN CALL DOWN(N - 1, D); SET D = D + 1; ELSE SET D = 1; END IF"
    )
    assert run_compound("CALL DOWN(64, ?)", session, [None]).parameters == [64]
    with pytest.raises(Db2Error) as raised:
        run_compound("CALL DOWN(65, ?)", session, [None])
    assert (raised.value.code, raised.value.state, raised.value.tokens) == (-724, "54038", ("DOWN", "PROCEDURE"))
    assert run_compound("CALL DOWN(3, ?)", session, [None]).parameters == [3]


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("CREATE FUNCTION F (X INTEGER) RETURNS INTEGER RETURN X * 2", [4], 8),
        ("CREATE OR REPLACE FUNCTION TUNE.F (X INTEGER) RETURNS VARCHAR(10) LANGUAGE SQL DETERMINISTIC NO EXTERNAL ACTION BEGIN DECLARE r INTEGER DEFAULT 1; WHILE X > 1 DO SET r = r * X; SET X = X - 1; END WHILE; RETURN r; END", [5], "120"),
        ("CREATE FUNCTION F () RETURNS CHAR(3) CONTAINS SQL RETURN 'a'", [], "a  "),
    ],
)  # fmt: skip
def test_functions(session: Session, text: str, values: list[Any], expected: Any) -> None:
    assert call_function(parse_function(text), session, values) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("CREATE FUNCTION F () RETURNS INTEGER BEGIN END", -578),
        ("CREATE FUNCTION F () RETURNS INTEGER BEGIN SIGNAL SQLSTATE '70001'; END", -438),
    ],
)
def test_functions_that_fail(session: Session, text: str, code: int) -> None:
    with pytest.raises(Db2Error) as raised:
        call_function(parse_function(text), session, [])
    assert raised.value.code == code


def test_options_of_a_procedure() -> None:
    definition = parse_procedure(
        'CREATE OR REPLACE PROCEDURE "Tune"."p q" (IN a VARCHAR(20) DEFAULT NULL, INOUT b CHAR(4) FOR BIT DATA, c CLOB(1M), d TIMESTAMP(3))'
        " SPECIFIC TUNE.PQ DYNAMIC RESULT SETS 3 NOT DETERMINISTIC LANGUAGE SQL READS SQL DATA CALLED ON NULL INPUT"
        " COMMIT ON RETURN YES AUTONOMOUS EXTERNAL ACTION OLD SAVEPOINT LEVEL INHERIT SPECIAL REGISTERS BEGIN END;"
    )
    assert (definition.name, definition.specific) == (("Tune", "p q"), ("TUNE", "PQ"))
    assert (definition.result_sets, definition.commit_on_return, definition.autonomous, definition.replace) == (
        3,
        True,
        True,
        True,
    )
    assert [(item.name, item.mode, item.type, item.default) for item in definition.parameters] == [
        ("A", "IN", SqlType("VARCHAR", 20), "NULL"),
        ("B", "INOUT", SqlType("CHAR", 4, bit_data=True), None),
        ("C", "IN", SqlType("CLOB", 1 << 20), None),
        ("D", "IN", SqlType("TIMESTAMP", 3), None),
    ]


class Checking(Session):
    """Describes only the tables that are there, as Db2 does when a procedure is created."""

    def describe(self, sql: str, scope: Scope | None) -> Prepared:
        outcome = self.execute(sql, scope)
        prepared = Prepared(self, sql)
        return Described(self, sql, outcome.result.columns) if outcome.result is not None else prepared


@dataclass
class Described(Prepared):
    columns: tuple[Column, ...] = ()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("DECLARE c CURSOR FOR SELECT a FROM t WHERE a = P.N; DECLARE EXIT HANDLER FOR NOT FOUND SET N = 1; OPEN c; FETCH c INTO N;", 0),
        ("FOR v AS SELECT a FROM t DO SET N = v.a + 1; END FOR;", 0),
        ("SET N = NULL; SET N = CASE WHEN N > 1 THEN 2 END; EXECUTE IMMEDIATE 'SELECT * FROM nowhere';", 0),
        ("CREATE TABLE later (a INTEGER); CALL TWICE(1, N, x); CALL P(1);", -206),
        ("DECLARE c CURSOR FOR SELECT a FROM nowhere;", -204),
        ("DECLARE CONTINUE HANDLER FOR NOT FOUND INSERT INTO nowhere VALUES (1);", -204),
        ("IF EXISTS (SELECT 1 FROM nowhere) THEN RETURN 1; END IF;", -204),
        ("SELECT a INTO x FROM t;", -206),
        ("SELECT a, a INTO N FROM t;", -117),
        ("CALL NOTHING();", -440),
        ("CALL TWICE(1, 2, 3);", -469),
    ],
)  # fmt: skip
def test_static_statements(body: str, code: int) -> None:
    session = Checking()
    session.database.execute(
        "CREATE SCHEMA SYSIBM; CREATE TABLE SYSIBM.SYSDUMMY1 AS SELECT 1; CREATE TABLE t (a INTEGER)"
    )
    session.create("CREATE PROCEDURE TWICE (IN V INTEGER, OUT R INTEGER, INOUT S VARCHAR(10)) BEGIN END")
    definition = parse_procedure(f"CREATE PROCEDURE P (INOUT N INTEGER) BEGIN {body} END")
    if code == 0:
        check_static(definition, session)
        return
    with pytest.raises(Db2Error) as raised:
        check_static(definition, session)
    assert raised.value.code == code
