"""Queries over the views of the rules."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from advisor.catalogue.views import descriptions, model_views
from advisor.cli.main import main
from tests.machines import MACHINES
from tests.support.paths import CAPTURES
from tests.support.states import write_capture

X445 = CAPTURES / "x445-8way"
ONE = "SELECT NAME, VALUE, NUM AS N FROM TUNE.SETTING WHERE SCOPE = 'DB' AND NAME IN ('sortheap', 'logpath')"


def sql(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["sql", *map(str, arguments)])


def test_select_prints_a_table() -> None:
    done = sql("--capture", X445, f"{ONE} AND NUM IS NOT NULL;")
    assert done.exit_code == 0, done.output
    assert done.stdout == "NAME      VALUE      N\n--------  -------  ---\nsortheap  256      256\n\n1 row\n"


def test_select_without_schema_and_in_lower_case_works() -> None:
    done = sql("--capture", X445, "select tbsp_name from tablespace order by 1 fetch first 1 row only")
    assert done.stdout.splitlines()[2] == "EMPLOYEE_TABLE"


@pytest.mark.parametrize("view", ["S_TABLESPACE", "D_TABLESPACE", "L_TABLESPACE", "O_SITE", "O_LOG_BUFFER_FULL"])
def test_sources_deltas_and_options_have_rows(view: str) -> None:
    done = sql("--capture", X445, f"SELECT COUNT(*) FROM TUNE.{view}", "--format", "csv")
    assert int(done.stdout.splitlines()[1]) > 0, done.output


def test_select_that_finds_nothing_prints_the_heads() -> None:
    done = sql("--capture", X445, f"{ONE} AND 1 = 0")
    assert done.stdout == "NAME    VALUE    N\n------  -------  ---\n\n0 rows\n", done.output


def test_formats_for_programs_escape_values(tmp_path: Path) -> None:
    statement = "SELECT '=1+1' AS A, NULL AS B, 1.5 AS A, 1E999 AS D, CHR(27) AS E FROM TUNE.RUN_WINDOW"
    told = json.loads(sql("--capture", X445, statement, "--format", "json").stdout)
    assert {name: told[name] for name in ("columns", "rows")} == {
        "columns": ["A", "B", "A", "D", "E"],
        "rows": [["=1+1", None, 1.5, "inf", "\x1b"]],
    }
    file = tmp_path / "x.csv"
    assert sql("--capture", X445, statement, "-o", file).exit_code == 0
    assert [*csv.reader(file.open(encoding="utf-8"))][1] == ["'=1+1", "", "1.5", "inf", "\\x1b"]
    assert "\\x1b" in sql("--capture", X445, statement).stdout


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("SELECT *\nFROM TUNE.SETTING\nWHERE NUMB = 1", "line 3: no such column: NUMB; did you mean NUM?"),
        ("SELECT *\nFROM TUNE.SETING", "line 2: SETING: no such view; did you mean SETTING?"),
        ("SELECT 1\nFROM TUNE.L_DBCFG", "line 2: L_DBCFG: no such view: this source has no counters; read D_DBCFG"),
        ("SELECT 1\nFROM SYSIBM.SYSDUMMY1", "line 2: SYSIBM.SYSDUMMY1: no such view; db2tune sql lists the views"),
        ("SELECT 1 FROM\n\nWHERE", 'line 3: near "WHERE": syntax error'),
        ("SELECT 1; SELECT 2", "expected one SELECT statement"),
        ("/* nothing */", "expected one SELECT statement"),
        ("DELETE FROM TUNE.RULE", "statements cannot change anything"),
        ("VACUUM INTO '{folder}/x'", "expected one SELECT statement"),
        ("ATTACH '{file}' AS X", "statements cannot change anything"),
        ("SELECT readfile('{file}')", "no such function: readfile"),
        ('SELECT "NAMES" FROM TUNE.SETTING', 'line 1: no such column: "NAMES"; did you mean NAME?'),
    ],
)
def test_statement_with_a_fault_is_one_line(statement: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n", encoding="utf-8")
    done = sql("--capture", X445, statement.format(file=tmp_path / "secret.csv", folder=tmp_path))
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.output
    assert fault in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


def test_sum_beyond_bigint_is_a_double(tmp_path: Path) -> None:
    state = MACHINES["x445-8way"]().copy()
    for row in state.sources["workload"]:
        row["TOTAL_RQST_TIME"] = 2**63 - 1
    done = sql(
        "--capture", write_capture(state, tmp_path / "capture"), "SELECT TOTAL_RQST_TIME FROM TUNE.DATABASE_TIME"
    )
    assert "7.378697629e+19" in done.stdout, done.output  # eight members: more than a BIGINT holds


def test_select_without_capture_is_refused() -> None:
    done = sql("SELECT 1")
    assert (done.exit_code, done.stderr) == (2, "db2tune: a SELECT needs --capture\n")


def test_list_has_each_view_with_columns_and_description() -> None:
    shown = sql().stdout
    assert "TUNE.BUFFERPOOL\n    Every buffer pool, one row over all members.\n    BP_NAME, BUFFERPOOLID, " in shown
    told = json.loads(sql("--format", "json").stdout)["rows"]
    assert all(description and columns for _, description, columns in told)
    names = {name for name, _, _ in told}
    assert names == descriptions().keys()
    assert model_views().keys() - names == {"COUNTER_CHECK"}
    columns = {name: columns.split() for name, _, columns in told}
    assert "POOL_READ_TIME" in columns["D_TABLESPACE"]
    assert "POOL_READ_TIME" not in columns["L_TABLESPACE"]
    assert columns["S_TABLESPACE"][0] == "SNAP_ID"
