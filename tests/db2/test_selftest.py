"""The selftest's record of Db2's answers: codes and counts, and only our own names."""

import csv
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.cli.main import main
from advisor.db2.failures import Db2Failure
from advisor.resources import SQL, sections
from advisor.selftest.measure import HIDDEN, count_rows, measure_entry, refusal
from advisor.selftest.run import list_rejected
from tests.support.paths import CONTRACT

QUERIES = sections(SQL / "selftest" / "queries.sql")


def _failure(code: str, state: str, *tokens: str) -> Db2Failure:
    quoted = " ".join(f'"{token}"' for token in tokens)
    return Db2Failure(f"[IBM][CLI Driver][DB2/LINUXX8664] {code}  Text {quoted}.  SQLSTATE={state} SQLCODE=-1")


def test_of_a_message_only_our_own_words_stay() -> None:
    failure = _failure("SQL0551N", "42501", "SCOTT", "SELECT", "T.TBSP_NAME", "TUNE.ADVICE", "PAYROLL", "secret")
    found = refusal(failure, "SELECT T.TBSP_NAME, 'secret' FROM TABLE(SYSPROC.X(-2)) AS T -- PAYROLL")
    assert found == {
        "sqlcode": "SQL0551N",
        "sqlstate": "42501",
        "tokens": [HIDDEN, "SELECT", "T.TBSP_NAME", "TUNE.ADVICE", HIDDEN, HIDDEN],
    }


def test_rows_are_counted_and_measured_and_not_kept() -> None:
    assert count_rows([("ab", None, 1), ("ä", 22, None)]) == {"rows": 2, "widest": 4}


def test_lost_connection_has_no_entry() -> None:
    def lost() -> dict[str, object]:
        raise _failure("SQL1224N", "55032")

    with pytest.raises(Db2Failure):
        measure_entry({}, "", lost)


def test_expected_refusals_of_procedures_do_not_count() -> None:
    entries = [{"sqlcode": "SQL0438N", "sqlstate": "70042"}, {"sqlcode": "SQL0204N", "sqlstate": "42704"}, {"rows": 1}]
    assert list_rejected({"calls": entries, "seconds": 1.0}) == [entries[1]]


@pytest.mark.parametrize("text", QUERIES.values(), ids=QUERIES)
def test_it_asks_for_names_that_db2_has(text: str) -> None:
    """uow_log_space_used r0001280, MON_GET_UNIT_OF_WORK r0053939, MON_GET_APPLICATION_HANDLE r0059835."""
    found = re.search(r"FROM (?:TABLE\(SYSPROC\.(\w+)\(.*\)\)|([\w.]+)) AS T\b", text)
    assert found is not None
    name = found[1] or found[2]
    with (CONTRACT / "columns.csv").open(encoding="utf-8", newline="") as file:
        known = {
            row["column"] for row in csv.DictReader(file) if row["object"] == name and row["confidence"] != "memory"
        }
    assert name.startswith("TUNE.") or set(re.findall(r"\bT\.([A-Z]\w+)", text)) <= known


def test_unwritable_file_is_reported_before_the_first_trial(tmp_path: Path) -> None:
    file = tmp_path / "no such folder" / "selftest.json"
    done = CliRunner().invoke(main, ["selftest", "--database", "db2://bob@127.0.0.1:1/SAMPLE", "-o", str(file)])
    assert done.exit_code == 2
    assert "does not exist; create it first" in done.output
