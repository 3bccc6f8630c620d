"""A second engine: H2 in its DB2 mode, an independent reading of the same SQL.

It is strict about types and divides integers like Db2. Everything is created once and kept as tables, as
advisor.judge.run does it on DuckDB; a run empties them and fills them again.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from advisor.capture import Capture
from advisor.capture.rows import run_rows
from advisor.catalogue.options import option_rows, option_views
from advisor.catalogue.rows import Row, rule_rows
from advisor.catalogue.rules import Rule
from advisor.catalogue.tables import FINDING_COLUMNS, run_tables, snapshot_columns
from advisor.catalogue.views import model_views, rank_views

ARTIFACT, VERSION = "com.h2database:h2", "2.3.232"
OPTIONS = "MODE=DB2;NON_KEYWORDS=VALUE;QUERY_CACHE_SIZE=2048"
CSV = "charset=UTF-8 preserveWhitespace=true"


class UnavailableError(Exception):
    """This machine cannot run the second engine; the text says why."""


@cache
def jar() -> Path:
    """The H2 library, from the user's cache or, the first time, from Maven."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    path = base / "db2tune-tests" / f"h2-{VERSION}.jar"
    if path.exists():
        return path
    maven = shutil.which("mvn")
    if maven is None:
        raise UnavailableError(f"{path} is not there and there is no Maven to bring it")
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        command = [
            maven,
            "-q",
            "-B",
            "dependency:copy",
            f"-Dartifact={ARTIFACT}:{VERSION}",
            f"-DoutputDirectory={folder}",
        ]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        except subprocess.TimeoutExpired as error:
            raise UnavailableError("Maven did not bring H2 within 300 s") from error
        copied = Path(folder) / path.name
        if not copied.exists():
            raise UnavailableError(f"Maven did not bring H2: {done.stdout.strip()[-300:]}")
        copied.replace(path)
    return path


def _connect() -> Any:
    import jpype
    import jpype.dbapi2

    try:
        if not jpype.isJVMStarted():
            jpype.startJVM("-Xshare:auto", "-XX:TieredStopAtLevel=1", classpath=[str(jar())])
    except jpype.JVMNotFoundException as error:
        raise UnavailableError("there is no Java") from error
    return jpype.dbapi2.connect(f"jdbc:h2:mem:;{OPTIONS}", driver="org.h2.Driver")


class H2:
    """One in-memory database with the tables of a run for a set of rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._cursor = _connect().cursor()
        self.execute("CREATE SCHEMA TUNE")
        declared = {f"TUNE.{name}": columns for name, columns in run_tables().items()} | snapshot_columns()
        for name, columns in declared.items():
            self.execute(f"CREATE TABLE {name} ({columns})")
        self._options = dict(option_views(list(rules)))
        self._ranks = {f"TUNE.{name}": select for name, select in rank_views().items()}
        models = {f"TUNE.{name}": select for name, select in model_views().items()}
        views = self._options | models | self._ranks
        for name, select in views.items():
            self.execute(f"CREATE TABLE {name} AS {select}")
        self._tables = [*declared, *views]

    def execute(self, sql: str) -> Any:
        try:
            return self._cursor.execute(sql)
        except Exception as error:  # what JPype throws is no class of its own
            reason = str(error).partition("; SQL statement")[0]
            raise AssertionError(f"H2: {reason}: {' '.join(sql.split())[:200]}") from None

    def run(self, capture: Capture, snapshots: Path, rules: list[Rule], views: dict[str, str]) -> None:
        """Judge a capture like advisor.judge.run.evaluate.

        It was loaded before, and ``snapshots`` holds the snapshot tables as CSV files named like the sources.
        """
        for name in self._tables:
            self.execute(f"TRUNCATE TABLE {name}")
        for path in snapshots.glob("*.csv"):
            self.execute(f"INSERT INTO TUNE.S_{path.stem.upper()} SELECT * FROM CSVREAD('{path}', NULL, '{CSV}')")
        self._insert([*run_rows(capture), *rule_rows(rules), *option_rows(rules, capture.options)])
        self._fill(dict(option_views(rules)))
        self._fill({f"TUNE.{name}": select for name, select in views.items()})
        closed = {row["RULE"] for row in self.rows("TUNE.GATE")}
        for rule in rules:
            if rule.name not in closed:
                self.execute(
                    f"INSERT INTO TUNE.FINDING (RULE, {', '.join(FINDING_COLUMNS)})"
                    f" SELECT '{rule.name}', X.* FROM ({rule.select}\n) AS X"
                )
        self._fill(self._ranks)

    def rows(self, table: str) -> list[dict[str, Any]]:
        cursor = self.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def _fill(self, views: dict[str, str]) -> None:
        for name, select in views.items():
            self.execute(f"INSERT INTO {name} {select}")

    def _insert(self, rows: list[tuple[str, Row]]) -> None:
        by_table: dict[str, list[Row]] = {}
        for table, row in rows:
            by_table.setdefault(table, []).append(row)
        for table, values in by_table.items():
            marks = ", ".join("?" * len(values[0]))
            self._cursor.executemany(f"INSERT INTO TUNE.{table} VALUES ({marks})", values)
