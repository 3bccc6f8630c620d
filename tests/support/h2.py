"""A second engine: H2 in DB2 mode, an independent implementation of the same SQL.

H2 is strict about types and divides integers like Db2. All objects are created once and stored as tables, as in the
product; each run empties and refills them.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from advisor.catalogue.embedded import Tables
from advisor.catalogue.options import option_views
from advisor.catalogue.rules import Rule
from advisor.catalogue.sqltext import references
from advisor.catalogue.tables import FINDING_COLUMNS, run_tables, snapshot_columns
from advisor.catalogue.views import advice_views, candidate_views, model_views, next_choice, rank_views
from advisor.judgement.steps import COULD_NOT_RUN

ARTIFACT, VERSION = "com.h2database:h2", "2.3.232"
OPTIONS = "MODE=DB2;NON_KEYWORDS=VALUE;QUERY_CACHE_SIZE=2048"
CSV = "charset=UTF-8 preserveWhitespace=true"


class UnavailableError(Exception):
    """Raised if this machine cannot run the second engine; the text gives the reason."""


@cache
def jar(artifact: str = ARTIFACT, version: str = VERSION) -> Path:
    """Return the path of a Java library: from the user's cache, or downloaded from Maven the first time."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    path = base / "db2tune-tests" / f"{artifact.partition(':')[2]}-{version}.jar"
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
            f"-Dartifact={artifact}:{version}",
            f"-DoutputDirectory={folder}",
        ]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        except subprocess.TimeoutExpired as error:
            raise UnavailableError(f"Maven did not bring {artifact} within 300 s") from error
        copied = Path(folder) / path.name
        if not copied.exists():
            raise UnavailableError(f"Maven did not bring {artifact}: {done.stdout.strip()[-300:]}")
        copied.replace(path)
    return path


def load_jar(path: Path) -> None:
    """Make the classes of a library available in this process, and start Java if it does not run yet."""
    import jpype
    import jpype.dbapi2  # adds to classes of Java, which it can do only before one of them is used

    jpype.addClassPath(path)
    try:
        if not jpype.isJVMStarted():
            jpype.startJVM("-Xshare:auto", "-XX:TieredStopAtLevel=1")
    except jpype.JVMNotFoundException as error:
        raise UnavailableError("there is no Java") from error


def _connect() -> Any:
    import jpype.dbapi2

    load_jar(jar())
    return jpype.dbapi2.connect(f"jdbc:h2:mem:;{OPTIONS}", driver="org.h2.Driver")


class H2:
    """An in-memory database with the tables of a run in schema TUNE, for one state at a time."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._cursor = _connect().cursor()
        self._given = [*run_tables(), *(name.removeprefix("TUNE.") for name in snapshot_columns())]
        self._filled: set[str] = set()
        self._execute("CREATE SCHEMA TUNE")
        columns = {f"TUNE.{name}": columns for name, columns in run_tables().items()} | snapshot_columns()
        for name in self._given:
            self._execute(f"CREATE TABLE TUNE.{name} ({columns[f'TUNE.{name}']})")
        options = {name.removeprefix("TUNE."): select for name, select in option_views(list(rules))}
        for name, select in (options | model_views() | rank_views()).items():
            self._execute(f"CREATE TABLE TUNE.{name} AS {select}")
            self._filled.add(name)

    def run(self, given: Tables, rules: list[Rule], views: dict[str, str], ranked: bool = True) -> None:
        """Judge the state whose tables the product has filled, as advisor.judgement.run.evaluate does."""
        for name in self._filled:
            self._execute(f"TRUNCATE TABLE TUNE.{name}")
        self._filled = {"FINDING"}
        options = {name.removeprefix("TUNE."): select for name, select in option_views(rules)}
        views = options | views
        read = {
            name
            for sql in [*views.values(), *rank_views().values(), next_choice(), *(rule.statement for rule in rules)]
            for name in references(sql)
        }
        with tempfile.TemporaryDirectory() as folder:
            for name in sorted(read & set(self._given) - {"FINDING", "NOT_RUN", "CHOSEN"}):
                self._load(name, given, Path(folder))
        for name, select in views.items():
            self._fill(name, select)
        self._fill("NOT_RUN", COULD_NOT_RUN)
        closed = {row["RULE"] for row in self.rows("GATE")}
        for rule in rules:
            if rule.name not in closed:
                self._execute(
                    f"INSERT INTO TUNE.FINDING (RULE, {', '.join(FINDING_COLUMNS)})"
                    f" SELECT '{rule.name}', X.* FROM ({rule.statement}\n) AS X"
                )
        if ranked:
            self._rank()

    def _rank(self) -> None:
        for name, select in candidate_views().items():
            self._fill(name, select)
        self._filled.add("CHOSEN")
        while self._execute(f"INSERT INTO TUNE.CHOSEN {next_choice()}").rowcount:
            pass
        for name, select in advice_views().items():
            self._fill(name, select)

    def _load(self, name: str, given: Tables, folder: Path) -> None:
        """Copy the rows of a table, through a file if it has any."""
        if rows := given.fetch(f"SELECT * FROM TUNE.{name}"):
            path = folder / f"{name}.csv"
            columns = given.describe(f"SELECT * FROM TUNE.{name}")
            with path.open("w", encoding="utf-8", newline="") as file:
                for row in (columns, *rows):  # an unquoted empty value is NULL
                    cells = ("" if cell is None else '"' + str(cell).replace('"', '""') + '"' for cell in row)
                    file.write(",".join(cells) + "\n")
            self._fill(name, f"({', '.join(columns)}) SELECT * FROM CSVREAD('{path}', NULL, '{CSV}')")

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return the rows of a table that the run filled; times are texts, as in SQLite."""
        cursor = self._execute(f"SELECT * FROM TUNE.{table}")
        names = [column[0] for column in cursor.description]
        return [
            {name: str(value) if isinstance(value, date) else value for name, value in zip(names, row, strict=True)}
            for row in cursor.fetchall()
        ]

    def _fill(self, name: str, select: str) -> None:
        self._execute(f"INSERT INTO TUNE.{name} {select}")
        self._filled.add(name)

    def _execute(self, sql: str) -> Any:
        try:
            return self._cursor.execute(sql)
        except Exception as error:  # the exceptions that JPype throws have no common class
            reason = str(error).partition("; SQL statement")[0]
            raise AssertionError(f"H2: {reason}: {' '.join(sql.split())[:200]}") from None
