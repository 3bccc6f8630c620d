"""A run whose findings are written down by hand: the views of sql/rank/ put them in order."""

from pathlib import Path
from typing import Any

from advisor.catalogue.embedded import connect
from advisor.catalogue.rows import rule_rows
from advisor.catalogue.rules import Rule
from advisor.catalogue.tables import FINDING_COLUMNS
from advisor.catalogue.views import advice_views, candidate_views, model_views
from advisor.judge.run import choose, keep

BUCKETS = {"POOL_READ": 40, "PREFETCH_WAIT": 20, "LOG_DISK": 10, "PROCESSING": 30}
ABOUT_TIME = ("TIME_SPENT", "SILENCE")  # what no list depends on


class List:
    """A run with the rules and findings of one test."""

    def __init__(self, budget_kb: int | None = None, confidence_cap: float = 1) -> None:
        self.connection = connect()
        self.findings = 0
        self.rules: list[Rule] = []
        execute = self.connection.execute
        execute("CREATE TABLE TUNE.TIME_BUCKET (BUCKET VARCHAR, PCT DOUBLE)")
        self.connection.executemany("INSERT INTO TUNE.TIME_BUCKET VALUES (?, ?)", list(BUCKETS.items()))
        execute("CREATE TABLE TUNE.RUN_WINDOW (CONFIDENCE_CAP DOUBLE)")
        execute("INSERT INTO TUNE.RUN_WINDOW VALUES (?)", [confidence_cap])
        execute("CREATE TABLE TUNE.O_SITE (FLOOR_PCT DOUBLE)")
        execute("INSERT INTO TUNE.O_SITE VALUES (0.5)")
        execute("CREATE TABLE TUNE.MEMORY_BUDGET (BUDGET_KB BIGINT)")
        execute("INSERT INTO TUNE.MEMORY_BUDGET VALUES (?)", [budget_kb])
        execute("CREATE TABLE TUNE.OBJECT_TIME (OBJECT_TYPE VARCHAR, OBJECT_NAME VARCHAR, BUCKET VARCHAR, PCT DOUBLE)")
        execute("CREATE TABLE TUNE.TABLESPACE (TBSP_NAME VARCHAR, BPNAME VARCHAR)")
        execute(
            "CREATE TABLE TUNE.D_CAT_TABLE (TABSCHEMA VARCHAR, TABNAME VARCHAR, TBSPACE VARCHAR, INDEX_TBSPACE VARCHAR)"
        )
        execute("CREATE TABLE TUNE.HOST (HOST_NAME VARCHAR, MEMBER SMALLINT)")
        execute("CREATE TABLE TUNE.HOST_FACT (ITEM VARCHAR)")
        execute("CREATE TABLE TUNE.NO_LOAD (REASON VARCHAR)")
        execute("CREATE TABLE TUNE.GATE (RULE VARCHAR, KIND VARCHAR)")
        keep(self.connection, {"CHARACTER_PLACE": model_views()["CHARACTER_PLACE"]})

    def finds(
        self,
        rule: str,
        claim: float = 10,
        obj: str = "A",
        header: dict[str, str] | None = None,
        recover: float = 0.5,
        confidence: float = 1,
        target: str | None = None,
        memory_kb: int = 0,
        second: float = 0,
        member: int | None = None,
        action: str = "do it",
        kind: str = "TABLESPACE",
        of_member: int | None = None,
    ) -> "List":
        if rule not in [known.name for known in self.rules]:
            fields = {"lane": "P", "effect": "ON", "judged-by": "load", "claims": "POOL_READ"} | (header or {})
            self.rules.append(Rule(rule, fields, (), (), "", Path()))
        values: dict[str, Any] = {
            "OBJECT_TYPE": kind, "OBJECT_NAME": obj, "MEMBER": member, "CLAIMED_PCT": claim, "RECOVER_LOW": 0,
            "RECOVER_EXPECTED": recover, "RECOVER_HIGH": 1, "CONFIDENCE": confidence, "TARGET": target if of_member is None else f"{target}:{of_member}", "STEP": 1, "PLACE": 0,
            "MEMORY_DELTA_KB": memory_kb, "CLAIM_2_PCT": second, "ACTION_TEXT": action, "SETTING_MEMBER": of_member, "SETTING_NAME": (target or "").rpartition(":")[2],
        }  # fmt: skip
        self.connection.execute(
            f"INSERT INTO TUNE.FINDING (RULE, {', '.join(values)}) VALUES (?{', ?' * len(values)})",
            [rule, *values.values()],
        )
        assert values.keys() <= set(FINDING_COLUMNS)
        return self

    def has(self, pool: str, **spaces: float) -> "List":
        """A buffer pool with table spaces, and what each has of the time for reads, in percent of database time."""
        for name, pct in spaces.items():
            self.connection.execute("INSERT INTO TUNE.TABLESPACE VALUES (?, ?)", [name, pool])
            self.connection.execute(
                "INSERT INTO TUNE.OBJECT_TIME VALUES ('TABLESPACE', ?, 'POOL_READ', ?)", [name, pct]
            )
        part = [pool, sum(spaces.values())]
        self.connection.execute("INSERT INTO TUNE.OBJECT_TIME VALUES ('BUFFERPOOL', ?, 'POOL_READ', ?)", part)
        return self

    def advice(self) -> list[dict[str, Any]]:
        done: set[Any] = set()
        for table, row in rule_rows(self.rules):
            if (table, row) not in done:
                self.connection.execute(f"INSERT INTO TUNE.{table} VALUES (?{', ?' * (len(row) - 1)})", list(row))
            done.add((table, row))
        keep(self.connection, candidate_views())
        choose(self.connection)
        keep(self.connection, {name: sql for name, sql in advice_views().items() if name not in ABOUT_TIME})
        cursor = self.connection.execute("SELECT * FROM TUNE.ADVICE ORDER BY POSITION NULLS LAST, RULE, OBJECT_NAME")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def plan(self) -> list[dict[str, Any]]:
        """The ranked list in the order of its steps."""
        ranked = {row["POSITION"]: row for row in self.advice() if row["POSITION"] is not None}
        cursor = self.connection.execute(
            "SELECT POSITION, STEP, MEMORY_BEFORE_KB, MEMORY_AFTER_KB FROM TUNE.PLAN ORDER BY STEP"
        )
        names = [column[0] for column in cursor.description]
        return [ranked[row[0]] | dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def order(self) -> list[str]:
        """The rules of the ranked list, from the top."""
        return [row["RULE"] for row in self.advice() if row["POSITION"] is not None]

    def left_out(self) -> dict[str, str]:
        """The rules that were left out, and by what."""
        return {row["RULE"]: row["SUPERSEDED_BY"] for row in self.advice() if row["POSITION"] is None}
