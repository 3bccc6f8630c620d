"""Clients on the fake server that other people wrote, and test on real Db2 servers.

They are no dependencies of this project: pip installs them into a temporary folder, or the tests are skipped.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.standin.backend import OWNER, PASSWORD, serving
from tests.support.paths import KEPT

pytestmark = pytest.mark.full

LIMIT_S = 60  # a client that waits for a missing answer waits forever
LOGIN = {
    "pydrda==0.6.4": "import drda; connection = drda.connect('127.0.0.1', database, int(port), user, password)",
    "adbc-driver-db2==0.2.1": "import adbc_driver_db2.dbapi as db2; connection = db2.connect("
    "f'db2://127.0.0.1:{port}/{database}', username=user, password=password)",
}
PROGRAM = """
import json, sys
port, database, user, password = sys.argv[1:]
LOGIN
answers = {}
cursor = connection.cursor()
cursor.execute("CREATE TABLE T (ID INTEGER NOT NULL, NAME VARCHAR(20), PRICE DECIMAL(11, 2), NOTE CLOB(99))")
cursor.execute("INSERT INTO T VALUES (1, 'héllo', -1.5, 'long'), (2, NULL, NULL, NULL)")
cursor.executemany("INSERT INTO T (ID, NAME, PRICE) VALUES (?, ?, ?)", [[3, "x", 2.5]])
cursor.execute("SELECT T.*, ID + 1 FROM T ORDER BY ID")
answers["names"] = [column[0] for column in cursor.description]
answers["rows"] = cursor.fetchall()
cursor.execute("SELECT ID FROM T WHERE ID > ? AND NAME = ?", [0, "x"])
answers["found"] = cursor.fetchall()
cursor.execute("WITH N (N) AS (VALUES 1 UNION ALL SELECT N + 1 FROM N WHERE N < 20000) SELECT N, 'row ' || N FROM N")
answers["many"] = len(cursor.fetchall())
for statement in ("SELECT * FROM NO.QUERY", "DROP TABLE NO.OTHER"):
    try:
        cursor.execute(statement)
    except Exception as error:
        answers[statement] = "SQLCODE=-204 SQLSTATE=42704" in str(error)
connection.rollback()
connection.close()
print(json.dumps(answers, default=str))
"""
ANSWERS = {
    "names": ["ID", "NAME", "PRICE", "NOTE", "5"],
    "rows": [[1, "héllo", "-1.50", "long", 2], [2, None, None, None, 3], [3, "x", "2.50", None, 4]],
    "found": [[3]],
    "many": 20_000,
    "SELECT * FROM NO.QUERY": True,
    "DROP TABLE NO.OTHER": True,
}


def _install(package: str, folder: Path) -> str:
    """Return the Python of a new environment with the package."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, capture_output=True, timeout=300)
    python = str(folder / "bin" / "python")
    command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", package]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        pytest.skip(f"pip did not bring {package}: {done.stderr.strip()[-300:]}")
    return python


@pytest.mark.parametrize("package", LOGIN)
def test_another_client_reads_rows_and_errors(package: str, tmp_path: Path) -> None:
    python = _install(package, tmp_path / "client")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("LOGIN", LOGIN[package]), encoding="utf-8")
    with serving(KEPT[0]) as served:
        command = [python, str(program), str(served.port), served.database, OWNER, PASSWORD]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ANSWERS
