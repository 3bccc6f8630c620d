"""External scripts for Db2 on the fake server: it runs each statement, or rejects it as Db2 does.

The scripts are not part of this project. DB2TUNE_TEST_SCRIPTS names a folder of them (``*.sql``, ``*.db2``, subfolders
too). A file ``expected.csv`` in it lists the minimum number of statements that run in each script (script,runs).
"""

import csv
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.standin.backend import OWNER, PASSWORD, Backend
from tests.standin.errors import Db2Error
from tests.standin.objects.modes import Options
from tests.support.paths import CAPTURES

FOLDER = "DB2TUNE_TEST_SCRIPTS"
AT_MOST = 300  # characters of a statement in a message
_TERMINATOR = re.compile(r"^--#SET TERMINATOR (\S)", re.IGNORECASE)
# of the command line processor: no SQL
_COMMAND = re.compile(
    r"(?:CONNECT|TERMINATE|ECHO|!|QUIT|UPDATE COMMAND|LIST|DESCRIBE|HELP|\?|GET |ATTACH|SET SERVEROUTPUT)",
    re.IGNORECASE,
)

pytestmark = pytest.mark.full


def _scripts() -> list[Path]:
    folder = os.environ.get(FOLDER)
    return sorted(path for kind in ("sql", "db2") for path in Path(folder).rglob(f"*.{kind}")) if folder else []


def statements(text: str) -> Iterator[str]:
    """The statements of a script, each up to a line that ends with the terminator of the moment."""
    end = "@" if re.search(r"@\s*$", text, re.MULTILINE) and "--#SET TERMINATOR" not in text else ";"
    lines: list[str] = []
    for line in text.splitlines():
        if changed := _TERMINATOR.match(line):
            end = changed[1]
        elif not line.lstrip().startswith("--"):
            lines.append(line)
            if line.rstrip().endswith(end):
                statement = "\n".join(lines).strip().removesuffix(end).strip()
                lines = []
                if statement and not _COMMAND.match(statement):
                    yield statement


def _expected(script: Path) -> int:
    listed = Path(os.environ[FOLDER]) / "expected.csv"
    if not listed.exists():
        return 0
    with listed.open(encoding="utf-8", newline="") as file:
        rows = {row["script"]: int(row["runs"]) for row in csv.DictReader(file)}
    return rows.get(script.relative_to(os.environ[FOLDER]).as_posix(), 0)


def outcomes(text: str) -> Counter[int]:
    """How many statements of a script ended with which SQLCODE."""
    backend = Backend.of(CAPTURES / "warehouse-tuned", options=Options(page_size=32, user_temporary=True))
    session = backend.connect(backend.database.name, OWNER, PASSWORD)
    assert session is not None
    found: Counter[int] = Counter()
    for statement in statements(text):
        try:
            outcome = session.prepare(statement).execute()
            if outcome.result is not None:
                outcome.result.fetch(100)
            found[0] += 1
        except Db2Error as error:
            found[error.code] += 1
        except Exception as error:  # anything else is a fault of the stand-in
            raise AssertionError(f"{type(error).__name__}: {error}\n{statement[:AT_MOST]}") from error
    session.close()
    return found


@pytest.mark.skipif(not os.environ.get(FOLDER), reason=f"{FOLDER} names no folder with scripts of others")
@pytest.mark.parametrize("script", [pytest.param(path, id=path.name) for path in _scripts()] or [None])
def test_external_script_runs_expected_statements(script: Path) -> None:
    found = outcomes(script.read_text(encoding="utf-8", errors="replace"))
    print(f"{script.name}: {found[0]} of {found.total()} statements run; {dict(found)}")
    assert found[0] >= _expected(script)


def test_scripts_are_taken_apart_at_their_terminators() -> None:
    text = "-- a comment\nCONNECT TO SAMPLE;\nSELECT 1\n  FROM T;\n--#SET TERMINATOR @\nBEGIN\n  SET A = 1;\nEND@\n"
    assert list(statements(text)) == ["SELECT 1\n  FROM T", "BEGIN\n  SET A = 1;\nEND"]


def test_the_outcome_of_each_statement_is_counted() -> None:
    text = "CREATE TABLE X.T (A INTEGER);\nINSERT INTO X.T VALUES (1);\nSELECT A FROM X.NONE;\nSELECT A FROM X.T;\n"
    assert outcomes(text) == {0: 3, -204: 1}
