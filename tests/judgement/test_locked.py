"""Judgement reads only the capture, within bounds."""

import re
from pathlib import Path

import duckdb
import pytest

from advisor import capture as captures
from advisor.capture import reading
from advisor.catalogue import embedded
from advisor.errors import UserError
from advisor.judgement import run
from advisor.judgement.many import evaluate_states
from tests.support.states import base_state, write_capture

OUTSIDE = (
    "SELECT * FROM read_csv('{}')",
    "SELECT * FROM read_text('{}')",
    "SELECT * FROM glob('{}')",
    "COPY (SELECT 1) TO '{}'",
    "ATTACH '{}'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET memory_limit = '64GB'",
    "SET autoload_known_extensions = true",
)


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    return write_capture(base_state(), tmp_path / "capture")


@pytest.mark.parametrize("judging", ["one", "many"])
def test_nothing_outside_can_be_reached_while_rules_run(judging: str, capture: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.csv"
    outside.write_text("A\n1\n")
    with captures.open_capture(capture) as found:
        if judging == "one":
            context = run.judge_capture(found, [])
            with context as (_, connection):
                refused(connection, outside)
        else:
            with evaluate_states([(found, [])]) as states:
                refused(states.connection, outside)
    assert outside.read_text() == "A\n1\n"


def refused(connection: "duckdb.DuckDBPyConnection", file: Path) -> None:
    for session in (connection, connection.cursor()):
        for statement in OUTSIDE:
            with pytest.raises(duckdb.Error, match=r"disabled|locked"):
                session.execute(statement.format(file))


def test_memory_and_disk_are_bounded_and_in_a_folder_of_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with embedded.connect() as connection:
        said = dict(connection.execute("SELECT name, value FROM duckdb_settings()").fetchall())
    assert (said["memory_limit"], said["max_temp_directory_size"]) == ("512.0 MiB", "4.0 GiB")
    folder = Path(said["temp_directory"])
    assert folder.stat().st_mode & 0o777 == 0o700
    assert not folder.is_relative_to(Path.cwd())
    assert {said[name] for name in embedded.NO_EXTENSIONS} == {"false"}
    assert list(tmp_path.iterdir()) == []


def test_a_parquet_file_of_endless_rows_is_not_read(capture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few bytes suffice for a value with a very large repeat count."""
    monkeypatch.setattr(reading, "MOST_ROWS", 100_000)
    header = (capture / "system.csv").read_text().splitlines()[0]
    (capture / "system.csv").unlink()
    columns = ", ".join(f"1 AS {name}" for name in header.split(","))
    duckdb.connect().execute(f"COPY (SELECT {columns} FROM RANGE(200000)) TO '{capture / 'system.parquet'}'")
    with pytest.raises(UserError, match=re.escape("system.parquet: 200000 rows; no source has more than 100000")):
        run.advise(capture)
