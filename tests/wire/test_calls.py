"""A DBA's calls through IBM's driver: install, advise, explain, accept, compare, uninstall."""

import datetime
import re
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ibm_db
import pytest

from advisor.catalogue.rules import all_rules
from advisor.db2.connection import Connection, Out, ResultSet
from advisor.db2.failures import Db2Failure
from tests.standin.objects.image import Image, put
from tests.support.clp import line_widths, typed
from tests.support.once import once
from tests.wire.conftest import CAPTURES, Server, hostfacts, standin, taken

pytestmark = pytest.mark.full

INTERVAL_S = 300
MOST_COLUMNS = 78


def _call(connection: Connection, name: str, *parameters: Any) -> list[ResultSet]:
    _, sets = connection.call(name, list(parameters))
    connection.commit()
    return sets


def _dicts(rows: ResultSet) -> list[dict[str, Any]]:
    return [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]


def _one(connection: Connection, sql: str) -> Any:
    return next(iter(connection.rows(sql)))[0]


def _refused(connection: Connection, name: str, *parameters: Any) -> Db2Failure:
    with pytest.raises(Db2Failure) as caught:
        connection.call(name, list(parameters))
    connection.rollback()
    return caught.value


@pytest.fixture(scope="module")
def advised_image(image: Image, tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Return schema TUNE after a snapshot and, five minutes later, the first advice (run 1)."""

    def make() -> Image:
        with contextmanager(standin)(CAPTURES / "x445-8way") as server:
            assert server.standin is not None
            put(server.standin.backend.database, image)
            with server.connect() as connection:
                for fact in hostfacts(CAPTURES / "x445-8way"):
                    connection.call("TUNE.SET_HOSTFACTS", list(fact.values()))
                _call(connection, "TUNE.SET_OPTION", "site", "workload", "BI")  # as declared by the capture
                _call(connection, "TUNE.SNAPSHOT", Out("INTEGER"))
                server.advance(INTERVAL_S)
                _call(connection, "TUNE.ADVISE")
            return taken(server, tmp_path_factory)

    return once("advised", make)


@pytest.fixture
def advised(steered: Server, advised_image: Image) -> Server:
    """Return the server five minutes after its first snapshot, with that interval's advice."""
    assert steered.standin is not None
    put(steered.standin.backend.database, advised_image)
    steered.advance(INTERVAL_S)
    return steered


def test_the_bare_call_works_on_a_new_installation(installed: Server) -> None:
    with installed.connect() as connection:
        text, ranked = _call(connection, "TUNE.ADVISE")
        assert text.columns == ("TEXT",)
        assert text.rows[1][0].endswith(" s since activation: averages hide the peaks")
        assert ranked.columns == ("RANK", "RUN_ID", "LANE", "BENEFIT_PCT", "RULE", "OBJECT")
        collected = dict(connection.rows("SELECT SOURCE, REASON FROM TUNE.SNAPSHOT_SOURCE WHERE SNAP_ID = 1"))
    assert collected["bufferpool"] is None
    assert len(collected) == len({*collected})


def test_the_list_can_be_shortened(advised: Server) -> None:
    with advised.connect() as connection:
        for parameters, ranks in (((None, 2), [1, 2]), (("log", None), [5])):
            text, ranked = _call(connection, "TUNE.ADVISE", *parameters, "1", None)
            assert [row["RANK"] for row in _dicts(ranked)] == ranks, parameters
            lines = "\n".join(line for (line,) in text.rows)
            titles = re.findall(r"^ +(\d+)  \S.*?(?:\n {6}(?=\S).*?)?\[[a-z0-9.-]+\]$", lines, re.MULTILINE)
            told = [int(rank) for rank in titles]
            assert told == ranks, parameters
            assert ("Performance: best change first" in lines) == (parameters[0] is None), parameters


def test_explain_says_everything_about_one(advised: Server) -> None:
    with advised.connect() as connection:
        (text,) = _call(connection, "TUNE.EXPLAIN", 1, 3)
    said = [line for (line,) in text.rows]
    topics = [line[:15].strip() for line in said if line[:15].strip()]
    assert topics[:6] == ["rule", "object", "finding", "benefit", "evidence", "why"]
    assert "source" in topics
    assert [line[15:] for line in said if line.startswith("do ")] == [
        f"db2set DB2PROCESSORS={pair} -i hrinst {member}" for member, pair in enumerate(
            ("4,12", "5,13", "6,14", "7,15", "0,8", "1,9", "2,10", "3,11"))]  # fmt: skip
    assert len([line for line in said if line.startswith("undo ")]) == 8


def test_call_in_the_clp_fits_the_terminal(advised: Server) -> None:
    """The command line processor pads every column to its type's width. The text is the first result set."""
    assert advised.standin is not None
    connection = ibm_db.connect(advised.standin.dsn(), "", "")
    try:
        widths = {
            call: line_widths(connection, f"CALL TUNE.{call}")
            for call in ("ADVISE()", "EXPLAIN(1, 2)", "COMPARE(1, 2)")  # ADVISE is run 2
        }
    finally:
        ibm_db.close(connection)
    assert widths["ADVISE()"][0] <= MOST_COLUMNS
    assert widths["EXPLAIN(1, 2)"][0] <= MOST_COLUMNS
    assert max(map(max, widths.values())) <= 130


def test_long_commands_and_texts_are_whole(advised: Server) -> None:
    """Names of maximum length without a blank to break at, several in a row."""
    long = "Ä" * 63 + "  " + "x" * 60
    wanted = f'ALTER TABLESPACE "{long}" PREFETCHSIZE 48'
    advised.say(
        "UPDATE TUNE.M_COMMAND SET ACTION_TEXT = REPLACE(ACTION_TEXT, 'EMPLOYEE_TABLE', '"
        + long
        + "') WHERE RUN_ID = 1"
    )
    with advised.connect() as connection:
        lines = [line for (line,) in connection.rows(
            "SELECT TEXT FROM TUNE.TEXT_LINE WHERE RANK = 1 ORDER BY EXPLAINS, PART, PLACE, LINE_NO, N"
        )]  # fmt: skip
    assert typed(lines) == [wanted, wanted]
    assert max(len(line.encode()) for line in lines) <= MOST_COLUMNS


def test_an_accepted_risk_leaves_the_ranking_and_stays_visible(advised: Server) -> None:
    until = datetime.date(2100, 1, 1)
    with advised.connect() as connection:
        (rule,) = (row for row in connection.rows("SELECT RULE FROM TUNE.ADVICE WHERE POSITION = 1"))
        _call(connection, "TUNE.ACCEPT", rule[0], "EMPLOYEE*", "moved next month", until)
        _call(connection, "TUNE.ADVISE", None, None, "1", None)
        row = next(iter(connection.rows(
            "SELECT POSITION, SUPERSEDED_BY, ACCEPTED_REASON, ACCEPTED_BY, ACCEPTED_UNTIL FROM TUNE.ADVICE"
            f" WHERE RULE = '{rule[0]}'"
        )))  # fmt: skip
        first = _one(connection, "SELECT RULE FROM TUNE.ADVICE WHERE POSITION = 1")
    assert row[:3] == (None, "accepted", "moved next month")
    assert row[3].strip().upper() == "DB2INST1"
    assert str(row[4]) == "2100-01-01"
    assert first != rule[0]


def test_compare_of_two_runs_alone_says_that_they_are_too_few(advised: Server) -> None:
    with advised.connect() as connection:
        advised.advance(INTERVAL_S)
        _call(connection, "TUNE.ADVISE", None, None, "2", None)
        (metrics,) = _call(connection, "TUNE.COMPARE", 1, 2)
    assert {(row["LOW_PCT"], row["NOTE"]) for row in _dicts(metrics)} <= {
        (None, "too few runs"),
        (None, "not measured"),
    }


# Run 1 one week later, and so on: the same time of day, the same kind of day.
LATER = (
    "INSERT INTO TUNE.SNAPSHOT SELECT {n}, TAKEN_AT + {days} DAYS, EPOCH_S + {days} * 86400, DB_NAME, HOST_NAME,"
    " INSTANCE_NAME, DB2_LEVEL, PLATFORM, TOPOLOGY, TAKEN_BY FROM TUNE.SNAPSHOT"
    " WHERE SNAP_ID = (SELECT END_ID FROM TUNE.RUN WHERE RUN_ID = 1)",
    "INSERT INTO TUNE.RUN (RUN_ID, BEGIN_ID, END_ID, STARTED_AT, FINISHED_AT, CALLED_BY)"
    " SELECT {n}, BEGIN_ID, {n}, STARTED_AT, FINISHED_AT, CALLED_BY FROM TUNE.RUN WHERE RUN_ID = 1",
    "INSERT INTO TUNE.M_METRIC (RUN_ID, METRIC, UNIT, VALUE, EVENTS, LOW_IS_GOOD, GUARD, TOO_LITTLE)"
    " SELECT {n}, METRIC, UNIT, CASE WHEN METRIC = '{metric}' THEN {value} * {factor} WHEN METRIC = 'commits per second'"
    " THEN 100 * {load} ELSE 5 END, 1000, LOW_IS_GOOD, GUARD, TOO_LITTLE FROM TUNE.M_METRIC WHERE RUN_ID = 1",
)
PRIMARY, GUARD = "database time per activity", "log disk wait per commit"


@pytest.mark.parametrize(
    ("metric", "factor", "load", "note"),
    [(PRIMARY, 0.8, 1.0, None), (GUARD, 4.0, 1.0, None), (PRIMARY, 0.8, 2.0, "not comparable: load")],
)
def test_compare_has_bounds_from_the_runs_that_are_alike(
    advised: Server, metric: str, factor: float, load: float, note: str | None
) -> None:
    with advised.connect() as connection:
        for place in range(12):
            after = place >= 6
            values = {
                "n": 101 + place,
                "days": 7 * (place + 1),
                "metric": metric,
                "value": 10 * (1 + 0.003 * (place % 3 - 1)),
                "factor": factor if after else 1,
                "load": load if after else 1,
            }
            for statement in LATER:
                connection.execute(statement.format(**values))
        # changes before, between and after: runs on the other side of a change do not count
        for number, name in ((102, "first"), (107, "this"), (112, "next")):
            connection.execute(
                f"INSERT INTO TUNE.CHANGE (SNAP_ID, SCOPE, NAME, OLD_VALUE, NEW_VALUE) VALUES ({number}, 'DB', '{name}', '1', '2')"
            )
        (metrics,) = _call(connection, "TUNE.COMPARE", 106, 107)
        connection.rollback()
    found = {row["METRIC"]: row for row in _dicts(metrics)}
    assert found[PRIMARY]["NOTE"] == found["lock wait per activity"]["NOTE"] == note
    if note is None:
        change = found[metric]
        assert change["RUNS"] == "5/5"
        assert change["LOW_PCT"] < change["CHANGE_PCT"] < change["HIGH_PCT"]
        assert float(change["CHANGE_PCT"]) == pytest.approx(100 * (factor - 1), rel=0.1)
        assert (change["HIGH_PCT"] < 0) == (factor < 1)


def test_options_are_checked_and_can_be_taken_back(installed: Server) -> None:
    with installed.connect() as connection:
        value = "SELECT VALUE FROM TUNE.OPTION WHERE RULE = 'site' AND NAME = 'workload'"
        _call(connection, "TUNE.SET_OPTION", "site", "workload", "oltp")
        assert _one(connection, value) == "OLTP"
        _call(connection, "TUNE.SET_OPTION", "site", "workload", None)
        assert _one(connection, value) is None
        _call(connection, "TUNE.SET_OPTION", "log.buffer-full", "min_full", "50")
        assert _one(connection, "SELECT VALUE FROM TUNE.OPTION WHERE NAME = 'min_full'") == "50"


def test_host_facts_are_set_and_forgotten(installed: Server) -> None:
    rows = "SELECT FACT_KEY, ITEM, VALUE FROM TUNE.HOSTFACT WHERE HOST = 'db1' ORDER BY FACT_KEY, ITEM"
    with installed.connect() as connection:
        for fact in (("device:sda", "strip_kb", "64"), ("cpu", "model", "it's"), ("device:sda", "strip_kb", "12.5")):
            _call(connection, "TUNE.SET_HOSTFACTS", "db1", *fact)
        assert list(connection.rows(rows)) == [("cpu", "model", "it's"), ("device:sda", "strip_kb", "12.5")]
        _call(connection, "TUNE.SET_HOSTFACTS", "db1", "cpu", "model")
        assert list(connection.rows(rows)) == [("device:sda", "strip_kb", "12.5")]
        _call(connection, "TUNE.SET_HOSTFACTS", "db1")
        assert list(connection.rows(rows)) == []


def test_files_of_host_facts_are_loaded_whole_or_not_at_all(installed: Server, tmp_path: Path) -> None:
    with installed.connect() as connection:
        host = _one(connection, "SELECT DISTINCT HOST_NAME FROM TABLE(SYSPROC.ENV_GET_SYSTEM_RESOURCES()) AS S")
    own = tmp_path / "own.toml"
    own.write_text(f'[host."{host.upper()}.example.com".device.sda]\nstrip_kb = 64\npooled = true\n', encoding="utf-8")
    done = installed.tune("hostfacts", "--load", str(own))
    assert done.exit_code == 0, done.output
    rows = "SELECT HOST, FACT_KEY, ITEM, VALUE FROM TUNE.HOSTFACT ORDER BY ITEM"
    with installed.connect() as connection:
        loaded = list(connection.rows(rows))
    assert loaded == [(host, "device:sda", "pooled", "1"), (host, "device:sda", "strip_kb", "64")]
    own.write_text("[host.elsewhere.cpu]\ncores = 8\n", encoding="utf-8")
    refused = installed.tune("hostfacts", "--load", str(own))
    assert refused.exit_code == 2
    assert "elsewhere" in refused.output
    with installed.connect() as connection:
        assert list(connection.rows(rows)) == loaded


def test_the_collector_gets_the_paths_of_a_database(server: Server) -> None:
    done = server.tune("hostfacts")
    assert done.exit_code == 0, done.output
    assert done.output.startswith("#!/bin/sh\n")


BAD = [
    ("TUNE.ADVISE", ("nonsense", None, "PREVIOUS", None), "70001"),
    ("TUNE.ADVISE", (None, 0, "PREVIOUS", None), "70002"),
    ("TUNE.ADVISE", (None, None, "99", None), "70003"),
    ("TUNE.ADVISE", (None, None, "yesterday", None), "70003"),
    ("TUNE.ADVISE", (None, None, "PREVIOUS", 5), "70004"),
    ("TUNE.EXPLAIN", (77, 1), "70005"),
    ("TUNE.COMPARE", (1, 1), "70007"),
    ("TUNE.COMPARE", (1, 2), "70005"),
    ("TUNE.ACCEPT", ("no.such-rule", "*", "why", None), "70011"),
    ("TUNE.ACCEPT", ("log.buffer-full", "*", " ", None), "70012"),
    ("TUNE.ACCEPT", ("log.buffer-full", "*", "why", datetime.date(2001, 1, 1)), "70013"),
    ("TUNE.SET_OPTION", ("site", "nonsense", "1"), "70021"),
    ("TUNE.SET_OPTION", ("site", "floor_pct", "much"), "70022"),
    ("TUNE.SET_OPTION", ("site", "workload", "BATCH"), "70023"),
    ("TUNE.SET_OPTION", ("site", "keep_days", "-5"), "70024"),
    ("TUNE.SET_OPTION", ("site", "keep_days", "1e30"), "70024"),
    ("TUNE.SET_OPTION", ("site", "full_pct", "100.5"), "70024"),
    ("TUNE.SET_HOSTFACTS", (" ", "cpu", "cores", "8"), "70061"),
    ("TUNE.SET_HOSTFACTS", ("db1", "cpu", "core", "8"), "70062"),
    ("TUNE.SET_HOSTFACTS", ("db1", "cpu:0", "cores", "8"), "70062"),
    ("TUNE.SET_HOSTFACTS", ("db1", "device:", "strip_kb", "8"), "70062"),
    ("TUNE.SET_HOSTFACTS", ("db1", "device:sda", "strip_kb", "1.2.3"), "70063"),
    ("TUNE.SET_HOSTFACTS", ("db1", "device:sda", "strip_kb", "."), "70063"),
    ("TUNE.SET_HOSTFACTS", ("db1", "device:sda", "rotational", "yes"), "70064"),
    ("TUNE.SCHEDULE", (None,), "70041"),
    ("TUNE.PURGE", (0,), "70051"),
]


def test_bad_arguments_are_refused_with_a_sentence(installed: Server) -> None:
    with installed.connect() as connection:
        for name, parameters, state in BAD:
            failure = _refused(connection, name, *parameters)
            assert failure.sqlstate == state, f"{name}{parameters}: {failure}"
            assert len(failure.message) > 30


def test_purge_keeps_the_last_days(advised: Server) -> None:
    with advised.connect() as connection:
        for _ in range(2):
            advised.advance(86_400)
            _call(connection, "TUNE.SNAPSHOT", Out("INTEGER"))
            connection.commit()
        _call(connection, "TUNE.PURGE", 2)
        assert list(connection.rows("SELECT SNAP_ID FROM TUNE.SNAPSHOT ORDER BY SNAP_ID")) == [(3,), (4,)]
        assert _one(connection, "SELECT COUNT(*) FROM TUNE.RUN") == 0
        assert _one(connection, "SELECT COUNT(*) FROM TUNE.S_BUFFERPOOL WHERE SNAP_ID < 3") == 0
        assert _one(connection, "SELECT COUNT(*) FROM TUNE.M_FINDING") == 0
        assert _one(connection, "SELECT COUNT(*) FROM TUNE.S_BUFFERPOOL") > 0


@pytest.mark.parametrize(("wrong", "snapshot"), [("- 400 DAYS", 2), ("+ 10 YEARS", 1)])
def test_a_wrong_clock_makes_nothing_old(wrong: str, snapshot: int, advised: Server) -> None:
    """A snapshot between others, or the age of the last one, does not make data old."""
    with advised.connect() as connection:
        connection.execute(f"UPDATE TUNE.SNAPSHOT SET TAKEN_AT = TAKEN_AT {wrong} WHERE SNAP_ID = {snapshot}")
        _call(connection, "TUNE.PURGE", 30)
        assert list(connection.rows("SELECT SNAP_ID FROM TUNE.SNAPSHOT ORDER BY SNAP_ID")) == [(1,), (2,)]
        assert _one(connection, "SELECT COUNT(*) FROM TUNE.RUN") == 1


def test_two_sessions_do_not_mix(advised: Server) -> None:
    advised.advance(INTERVAL_S)
    with advised.connect() as one, advised.connect() as other:
        one.call("TUNE.ADVISE", [None, None, "1", None])
        one.commit()  # until then the other one waits for rows that both would delete
        other.call("TUNE.ADVISE", [None, None, "2", None])
        runs = [_one(session, "SELECT BEGIN_ID FROM TUNE.RUN_SNAPSHOT") for session in (one, other)]
        seconds = [_one(session, "SELECT SECONDS FROM TUNE.RUN_WINDOW") for session in (one, other)]
        findings = [_one(session, "SELECT COUNT(*) FROM TUNE.FINDING") for session in (one, other)]
    assert runs == [1, 2]
    assert seconds == [2 * INTERVAL_S, INTERVAL_S]
    assert findings[0] == findings[1] > 0


def test_the_time_since_activation_replaces_a_quiet_interval(advised: Server) -> None:
    with advised.connect() as connection:
        connection.execute("UPDATE TUNE.S_WORKLOAD SET TOTAL_RQST_TIME = 90000000, FCM_RECV_WAIT_TIME = 0")
        connection.execute("UPDATE TUNE.S_DATABASE SET UPTIME_S = 86400")
        found = []
        for window in ("PREVIOUS", "1"):
            connection.call("TUNE.START_RUN", [2, window, Out("INTEGER")])
            found += connection.rows("SELECT BEGIN_ID, QUIET_S FROM TUNE.RUN_SNAPSHOT")
        connection.call("TUNE.EVALUATE", [2])
        (metrics,) = _call(connection, "TUNE.COMPARE", 1, 2)
        lines = [
            text
            for (text,) in connection.rows(
                "SELECT TEXT FROM TUNE.TEXT_LINE WHERE PART = 1 AND PLACE = 0 ORDER BY LINE_NO, N"
            )
        ]
    assert found == [(None, INTERVAL_S), (1, None)]
    assert {row["NOTE"] for row in _dicts(metrics)} <= {"not comparable: load", "not measured"}
    assert f"the last {INTERVAL_S} s had too little load to judge" in " ".join(" ".join(lines).split())


def test_an_upgrade_keeps_history_and_options(advised: Server) -> None:
    counts = [f"SELECT COUNT(*) FROM TUNE.{name}" for name in ("SNAPSHOT", "RUN", "M_ADVICE", "M_FINDING", "ACCEPTED")]
    with advised.connect() as connection:
        _call(connection, "TUNE.SET_OPTION", "site", "floor_pct", "2")
        _call(connection, "TUNE.ACCEPT", "log.buffer-full", "*", "why", None)
        before = [_one(connection, sql) for sql in counts]
    again = advised.tune("install")
    assert again.exit_code == 0, again.output
    with advised.connect() as connection:
        assert [_one(connection, sql) for sql in counts] == before
        assert _one(connection, "SELECT VALUE FROM TUNE.OPTION WHERE NAME = 'floor_pct'") == "2"
        assert _one(connection, "SELECT COUNT(*) FROM TUNE.VERSION") == 2
        advised.advance(INTERVAL_S)
        ranked, *_ = _call(connection, "TUNE.ADVISE", None, None, "1", None)
    assert ranked.rows


def test_uninstall_leaves_nothing_behind(installed: Server) -> None:
    with installed.connect() as connection:
        connection.execute("CREATE TABLE TUNE.OF_A_DBA (A INTEGER)")
        connection.commit()
    done = installed.tune("uninstall", "--yes")
    assert done.exit_code == 0, done.output
    with installed.connect() as connection:
        for sql in (
            "SELECT COUNT(*) FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE'",
            "SELECT COUNT(*) FROM SYSCAT.ROUTINES WHERE ROUTINESCHEMA = 'TUNE'",
            "SELECT COUNT(*) FROM SYSCAT.SCHEMATA WHERE SCHEMANAME = 'TUNE'",
        ):
            assert _one(connection, sql) == 0, sql
    assert "was not installed" in installed.tune("uninstall", "--yes").output


def test_a_rule_is_a_procedure_with_findings_in_a_view(advised: Server) -> None:
    with advised.connect() as connection:
        rows = list(
            connection.rows("SELECT TARGET, PROPOSED_VALUE FROM TUNE.FINDING WHERE RULE = 'prefetch.size-misaligned'")
        )
        there = _one(
            connection,
            "SELECT COUNT(*) FROM SYSCAT.ROUTINES WHERE ROUTINESCHEMA = 'TUNE' AND SUBSTR(ROUTINENAME, 1, 2) = 'R_'",
        )
    assert ("TABLESPACE:EMPLOYEE_TABLE:PREFETCHSIZE", "48") in rows
    assert there == len(all_rules())
