"""The effect of a recommendation of some settings: its commands as sql/rank writes them, and the settings."""

from functools import cache

import duckdb

from advisor.catalogue.settings import setting_views
from advisor.catalogue.tables import PER_RUN, kept_tables
from advisor.judgement.advice import Done
from advisor.judgement.report_rows import group_actions
from advisor.quoting import quoted
from advisor.resources import SQL

Given = tuple[str, str, str | None, str | None, str | None, int | None]


def setting(
    kind: str, name: str, current: str | None, proposed: str | None, of: str | None = None, member: int | None = None
) -> Given:
    """Return a setting of a kind, for the object ``of`` if it has one."""
    return kind, name, current, proposed, of, member


def set_by(
    *lines: Given | tuple[Given, ...], level: int = 11050800, topology: str = "dpf", instance: str | None = None
) -> Done:
    """Return the commands and settings of lines; one command may set one setting or several."""
    connection = _connection()
    connection.execute("DELETE FROM TUNE.FINDING")
    connection.execute("DELETE FROM TUNE.RUN_DATABASE")
    connection.execute(
        "INSERT INTO TUNE.RUN_DATABASE (DB_NAME, INSTANCE_NAME, DB2_LEVEL, TOPOLOGY) VALUES ('X', ?, ?, ?)",
        [instance, level, topology],
    )
    for step, line in enumerate(lines, 1):
        together = line if isinstance(line[0], tuple) else (line,)
        for place, (kind, name, current, proposed, of, member) in enumerate(together, 1):
            row = {
                "RULE": "r", "OBJECT_TYPE": "O", "OBJECT_NAME": "N", "STEP": step, "PLACE": place if len(together) > 1 else 0,
                "SETTING_KIND": kind, "SETTING_OBJECT": of, "QUOTED_OBJECT": _quoted(kind, of), "SETTING_NAME": name,
                "SETTING_MEMBER": member, "TARGET": f"{kind}:{of}:{name}:{member}", "CURRENT_VALUE": current,
                "PROPOSED_VALUE": proposed,
            }  # fmt: skip
            connection.execute(
                f"INSERT INTO TUNE.FINDING ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values())
            )
    found = []
    for sql in ("SELECT * FROM TUNE.FINDING", "SELECT * FROM TUNE.COMMAND"):
        cursor = connection.execute(sql)
        names = [column[0] for column in cursor.description]
        found.append([dict(zip(names, row, strict=True)) for row in cursor.fetchall()])
    return group_actions(*found)["r", "O", "N"]


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA TUNE")
    for table in ("FINDING", "RUN_DATABASE"):
        connection.execute(f"CREATE TABLE TUNE.{table} ({PER_RUN[table]})")
    for table in ("TUNEABLE", "WAY", "STEP_NEED", "PLATFORM"):
        connection.execute(f"CREATE TABLE TUNE.{table} ({kept_tables()[table]})")
    connection.execute(
        "CREATE TABLE TUNE.RULE AS SELECT 'r' AS RULE, 'ON' AS EFFECT, CAST(NULL AS VARCHAR) AS STEPS_NEED"
    )
    connection.execute("CREATE TABLE TUNE.RUNS_ON AS SELECT CAST(NULL AS VARCHAR) AS RUNS_ON")
    connection.execute("CREATE VIEW TUNE.DATABASE_WORD AS SELECT DB_NAME AS ALIAS FROM TUNE.RUN_DATABASE")
    for view, text in setting_views().items():
        connection.execute(f"CREATE VIEW TUNE.{view} AS {text}")
    for view in ("step_way", "command"):
        text = (SQL / "rank" / f"{view}.sql").read_text(encoding="utf-8")
        connection.execute(f"CREATE VIEW TUNE.{view.upper()} AS {text}")
    return connection


def _quoted(kind: str, of: str | None) -> str | None:
    if of is None or kind not in ("BUFFERPOOL", "TABLESPACE", "TABLE"):
        return of
    return ".".join(quoted(part) for part in (of.split(".") if kind == "TABLE" else [of]))
