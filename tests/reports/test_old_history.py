"""The conversion of a store that an earlier db2tune wrote with DuckDB."""

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from advisor.capture.lessons import DatabaseKey, Lesson, Percent, Thing, Turned
from advisor.cli.main import main
from advisor.errors import UserError
from advisor.nightly import history, old_history
from advisor.nightly.runs import Line, Metric, Run, Spent
from advisor.verify.changed import Change
from advisor.verify.measured import Executed, Interval, Value
from advisor.verify.regressed import Beside, Regressed

FIRST = """
CREATE TABLE version (version INTEGER NOT NULL);
CREATE SEQUENCE run_number;
CREATE TABLE run (
    run_id BIGINT PRIMARY KEY DEFAULT nextval('run_number'), database VARCHAR NOT NULL, night DATE NOT NULL,
    started_epoch DOUBLE NOT NULL, about VARCHAR NOT NULL, identity VARCHAR[] NOT NULL, interval_text VARCHAR NOT NULL,
    discarded VARCHAR, capture VARCHAR, says VARCHAR
);
CREATE TABLE advice (
    run_id BIGINT NOT NULL, rank INTEGER, lane VARCHAR NOT NULL, rule VARCHAR NOT NULL, object_type VARCHAR NOT NULL,
    object_name VARCHAR NOT NULL, member INTEGER, title VARCHAR NOT NULL, benefit DOUBLE NOT NULL, target VARCHAR,
    current VARCHAR, proposed VARCHAR, superseded_by VARCHAR, accepted BOOLEAN NOT NULL
);
CREATE TABLE metric (run_id BIGINT NOT NULL, name VARCHAR NOT NULL, unit VARCHAR NOT NULL, value DOUBLE);
CREATE TABLE not_run (run_id BIGINT NOT NULL, rule VARCHAR NOT NULL, reason VARCHAR NOT NULL);
INSERT INTO version VALUES (1);
"""
LATER = """
CREATE TABLE time_spent (
    run_id BIGINT NOT NULL, bucket VARCHAR NOT NULL, title VARCHAR NOT NULL, pct DOUBLE NOT NULL,
    claimed_pct DOUBLE NOT NULL, causes VARCHAR, query VARCHAR
);
CREATE TABLE told (way VARCHAR NOT NULL, database VARCHAR NOT NULL, what VARCHAR NOT NULL);
CREATE TABLE measured (
    run_id BIGINT NOT NULL, kind VARCHAR NOT NULL, begin_at TIMESTAMP NOT NULL, end_at TIMESTAMP NOT NULL,
    seconds DOUBLE NOT NULL, uptime_s DOUBLE, discarded VARCHAR
);
CREATE TABLE measured_value (
    run_id BIGINT NOT NULL, kind VARCHAR NOT NULL, metric VARCHAR NOT NULL, unit VARCHAR NOT NULL, value DOUBLE,
    events DOUBLE, low_is_good BOOLEAN NOT NULL, guard BOOLEAN NOT NULL, too_little DOUBLE NOT NULL
);
CREATE TABLE measured_statement (
    run_id BIGINT NOT NULL, kind VARCHAR NOT NULL, statement VARCHAR NOT NULL, text VARCHAR,
    executions BIGINT NOT NULL, ms DOUBLE NOT NULL, time_pct DOUBLE
);
CREATE TABLE changed (
    run_id BIGINT NOT NULL, text VARCHAR NOT NULL, target VARCHAR NOT NULL, rule VARCHAR, benefit DOUBLE, undo VARCHAR[]
);
ALTER TABLE advice ADD COLUMN benefit_after DOUBLE;
ALTER TABLE advice ADD COLUMN by_hand BOOLEAN;
ALTER TABLE changed ADD COLUMN old VARCHAR;
ALTER TABLE changed ADD COLUMN new VARCHAR;
ALTER TABLE changed ADD COLUMN object_type VARCHAR;
ALTER TABLE changed ADD COLUMN object_name VARCHAR;
ALTER TABLE changed ADD COLUMN benefit_low DOUBLE;
ALTER TABLE changed ADD COLUMN benefit_high DOUBLE;
ALTER TABLE changed ADD COLUMN own_benefit DOUBLE;
CREATE TABLE verdict (run_id BIGINT NOT NULL, verdict VARCHAR NOT NULL, says VARCHAR NOT NULL);
ALTER TABLE measured_statement ADD COLUMN rows_read DOUBLE;
ALTER TABLE measured_statement ADD COLUMN planid BIGINT;
CREATE TABLE regression (
    run_id BIGINT NOT NULL, begin_at TIMESTAMP NOT NULL, earliest TIMESTAMP NOT NULL, latest TIMESTAMP NOT NULL,
    series VARCHAR NOT NULL, before DOUBLE NOT NULL, after DOUBLE NOT NULL, unit VARCHAR NOT NULL,
    change_pct DOUBLE NOT NULL, low_pct DOUBLE NOT NULL, high_pct DOUBLE NOT NULL
);
CREATE TABLE beside (run_id BIGINT NOT NULL, place INTEGER NOT NULL, about VARCHAR NOT NULL, text VARCHAR NOT NULL);
CREATE TABLE lesson (
    database STRUCT(name VARCHAR, host VARCHAR, instance VARCHAR) NOT NULL, made_on VARCHAR NOT NULL, rule VARCHAR,
    object STRUCT(type VARCHAR, name VARCHAR), settings STRUCT(target VARCHAR, old VARCHAR, new VARCHAR)[] NOT NULL,
    promised_pct STRUCT(low DOUBLE, expected DOUBLE, high DOUBLE),
    brought_pct STRUCT(low DOUBLE, expected DOUBLE, high DOUBLE), verdict VARCHAR NOT NULL
);
"""
ROWS = """
INSERT INTO run VALUES
    (7, 'SALES', '2026-03-01', 1772330400.25, 'SALES on db1', ['SALES', 'dé"1', 'inst'], '300 s', NULL, 'a.capture', 'S'),
    (9, 'SALES', '2026-03-02', 1772416800, 'SALES on db1', ['SALES', 'dé"1', 'inst'], '300 s', 'idle', NULL, NULL);
INSERT INTO advice VALUES
    (7, 1, 'P', 'a.b', 'TABLESPACE', 'TS1', 3, 'title', 12.5, 'T', '32', '48', 'c.d', TRUE, 6, FALSE),
    (7, NULL, 'S', 'e.f', 'DATABASE', 'SALES', NULL, 'other', 0, NULL, NULL, NULL, NULL, FALSE, NULL, NULL);
INSERT INTO metric VALUES (7, 'lock wait', 'ms', 1.5), (7, 'sorts', '%', NULL);
INSERT INTO not_run VALUES (7, 'log.x', 'no source');
INSERT INTO time_spent VALUES (7, 'LOCK', 'Locks', 45.5, 0, 'a scan', 'SELECT 1'), (7, 'CF', 'CF', 2, 1, NULL, NULL);
INSERT INTO told VALUES ('mail', 'SALES', 'run 9');
INSERT INTO measured VALUES (9, 'interval', '2026-03-02 01:55:00.123456', '2026-03-02 02:00:00', 300, 8000, 'idle');
INSERT INTO measured_value VALUES (9, 'interval', 'time', 'ms', 8.25, 1000, TRUE, FALSE, 0.5);
INSERT INTO measured_statement VALUES (9, 'interval', 'S1', 'SELECT 1', 5, 2.5, 50, 10, 9007199254740993);
INSERT INTO changed VALUES
    (9, 'SORTHEAP', 'DBCFG:SORTHEAP', 'a.b', 8, ['UNDO 1', 'UNDO 2'], '256', '512', 'DATABASE', 'SALES', 3, 15, 9),
    (9, 'other', 'DBCFG:X', NULL, NULL, [], NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO verdict VALUES (9, 'confirmed', 'It helped.');
INSERT INTO regression VALUES
    (9, '2026-03-01 10:00:00', '2026-03-01 09:00:00', '2026-03-01 11:00:00', 'interval', 8, 9, 'ms', 12.5, 10, 15);
INSERT INTO beside VALUES (9, 1, 'load', 'second'), (9, 0, 'setting', 'first');
INSERT INTO lesson VALUES
    ({'name': 'SALES', 'host': 'db1', 'instance': 'inst'}, '2026-03-01', 'a.b', {'type': 'DATABASE', 'name': 'SALES'},
    [{'target': 'DBCFG:SORTHEAP', 'old': NULL, 'new': '512'}], {'low': 3, 'expected': 9, 'high': 15},
    {'low': 1.5, 'expected': 5, 'high': 8}, 'confirmed'),
    ({'name': 'HR', 'host': 'db2', 'instance': 'inst'}, '2026-03-02', NULL, NULL, [], NULL, NULL, 'harmful');
"""
IDENTITY = ("SALES", 'dé"1', "inst")
RUNS = [
    Run(
        "SALES",
        datetime(2026, 3, 1, 2, 0, 0, 250_000, UTC),
        "SALES on db1",
        IDENTITY,
        "300 s",
        None,
        (
            Line(1, "P", "a.b", "TABLESPACE", "TS1", 3, "title", 12.5, "T", "32", "48", "c.d", True, 6.0, False),
            Line(None, "S", "e.f", "DATABASE", "SALES", None, "other", 0.0, None, None, None, None, False),
        ),
        (Metric("lock wait", "ms", 1.5), Metric("sorts", "%", None)),
        (("log.x", "no source"),),
        "a.capture",
        (Spent("LOCK", "Locks", 45.5, 0.0, "a scan", "SELECT 1"), Spent("CF", "CF", 2.0, 1.0, None, None)),
        "S",
    ),
    Run("SALES", datetime(2026, 3, 2, 2, tzinfo=UTC), "SALES on db1", IDENTITY, "300 s", "idle", (), (), ()),
]
MEASURED = Interval(
    "interval",
    datetime(2026, 3, 2, 1, 55, 0, 123456),
    datetime(2026, 3, 2, 2),
    300,
    8000,
    (Value("time", "ms", 8.25, 1000, True, False, 0.5),),
    (Executed("S1", "SELECT 1", 5, 2.5, 50, 10, 9007199254740993),),
    "idle",
)
CHANGES = (
    Change("SORTHEAP", "DBCFG:SORTHEAP", "a.b", 8, ("UNDO 1", "UNDO 2"), "256", "512", "DATABASE", "SALES", 3, 15, 9),
    Change("other", "DBCFG:X", None),
)
REGRESSED = Regressed(
    *(datetime(2026, 3, 1, hour) for hour in (10, 9, 11)), "interval", 8, 9, "ms", 12.5, 10, 15,
    (Beside("setting", "first"), Beside("load", "second")),
)  # fmt: skip
LESSONS = (
    Lesson(
        DatabaseKey("SALES", "db1", "inst"),
        "2026-03-01",
        "a.b",
        Thing("DATABASE", "SALES"),
        (Turned("DBCFG:SORTHEAP", None, "512"),),
        Percent(3, 9, 15),
        Percent(1.5, 5, 8),
        "confirmed",
    ),
    Lesson(DatabaseKey("HR", "db2", "inst"), "2026-03-02", None, None, (), None, None, "harmful"),
)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return an old store with rows in each table, some of which are only in its log, as after a kill."""
    file = tmp_path / old_history.FILE
    with duckdb.connect(str(file)) as connection:
        connection.execute(FIRST + LATER)
    with duckdb.connect(str(file)) as connection:
        connection.execute("SET checkpoint_threshold = '1TB'; PRAGMA disable_checkpoint_on_shutdown")
        connection.execute(ROWS)
    assert file.with_name(f"{file.name}.wal").exists()
    return file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("create", [True, False])
def test_old_store_is_converted_with_all_its_rows(create: bool, old: Path) -> None:
    converted = old.with_name(old_history.CONVERTED)
    before = old.read_bytes()
    for _ in range(2):
        with history.open_history(old.parent, create, copy=True) as kept:
            assert repr(kept.runs()) == repr([replace(run, started_at=run.started_at.astimezone()) for run in RUNS])
            assert kept.load_last_numbers() == {"SALES": 9}
            assert kept.load_notifications("mail") == {"SALES": "run 9"}
            assert kept.measurements.load_intervals([7, 9]) == {7: (), 9: (MEASURED,)}
            assert kept.measurements.load_changes("SALES") == {9: CHANGES}
            assert kept.measurements.load_verdicts("SALES") == {9: ("confirmed", "It helped.")}
            assert kept.measurements.load_regressions("SALES") == {9: REGRESSED}
            assert kept.lessons.load() == LESSONS
        assert (converted.read_bytes(), old.exists()) == (before, False)
    with duckdb.connect(str(converted)) as connection:
        assert connection.execute("SELECT COUNT(*) FROM run").fetchone() == (2,)
    with history.open_history(old.parent) as kept:
        assert kept.add(RUNS[0]) == 10


def test_store_of_the_first_version_is_converted(tmp_path: Path) -> None:
    """It lacks tables and columns that later ones had."""
    with duckdb.connect(str(tmp_path / old_history.FILE)) as connection:
        connection.execute(FIRST.replace("says VARCHAR", "told BOOLEAN NOT NULL DEFAULT FALSE"))
        connection.execute("INSERT INTO run VALUES (1, 'SALES', '2026-03-01', 0, '', [], '', NULL, NULL, TRUE)")
        connection.execute(
            "INSERT INTO advice VALUES (1, 1, 'P', 'a', 'O', 'N', NULL, 'T', 1, NULL, NULL, NULL, NULL, FALSE)"
        )
        connection.execute(
            "CREATE TABLE changed (run_id BIGINT NOT NULL, text VARCHAR NOT NULL, target VARCHAR NOT NULL, rule VARCHAR,"
            " benefit DOUBLE, undo VARCHAR[])"
        )
        connection.execute("INSERT INTO changed VALUES (1, 'text', 'DBCFG:X', 'a', 2, ['UNDO'])")
    with history.open_history(tmp_path) as kept:
        assert kept.measurements.load_changes("SALES") == {1: (Change("text", "DBCFG:X", "a", 2, ("UNDO",)),)}
        (first,) = kept.runs("SALES")
        assert (first.says, first.identity, first.lines[0].by_hand, kept.lessons.load()) == (None, (), None, ())


@pytest.mark.parametrize("command", ["history", "learned"])
def test_old_store_without_duckdb_is_one_line(command: str, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    before = names(old.parent), old.read_bytes()
    done = CliRunner().invoke(main, [command, "--store", str(old.parent)])
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "to convert it, run pip install duckdb, then this command again" in done.stderr
    assert (names(old.parent), old.read_bytes()) == before


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + bytes(4096), bytes(8) + b"DUCK" + bytes(4096)])
def test_damaged_old_store_is_one_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / old_history.FILE).write_bytes(content)
    with (
        pytest.raises(UserError, match=r"history\.duckdb: cannot be converted") as caught,
        history.open_history(tmp_path),
    ):
        pass
    assert len(str(caught.value).splitlines()) == 1
    assert ((tmp_path / old_history.FILE).read_bytes(), names(tmp_path)) == (content, [old_history.FILE])


def test_old_store_with_impossible_rows_is_one_line(old: Path) -> None:
    with duckdb.connect(str(old)) as connection:
        connection.execute("INSERT INTO told VALUES ('mail', 'SALES', 'again')")
    with pytest.raises(UserError, match=r"cannot be converted \(UNIQUE constraint"), history.open_history(old.parent):
        pass
    assert old_history.FILE in names(old.parent)


def test_old_store_that_an_old_program_uses_is_not_converted(old: Path) -> None:
    with (
        duckdb.connect(str(old)),
        pytest.raises(UserError, match="cannot be converted"),
        history.open_history(old.parent),
    ):
        pass
    assert old.exists()
