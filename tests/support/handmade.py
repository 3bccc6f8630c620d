"""A run whose findings are written down by hand: the views of sql/rank/ put them in order."""

from pathlib import Path
from typing import Any

from advisor.catalogue.embedded import connect
from advisor.catalogue.rows import rule_rows
from advisor.catalogue.rules import Rule
from advisor.catalogue.tables import FINDING_COLUMNS
from advisor.catalogue.views import rank_views

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
        execute("CREATE TABLE TUNE.HOST_FACT (ITEM VARCHAR)")
        execute("CREATE TABLE TUNE.GATE (RULE VARCHAR, KIND VARCHAR)")

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
    ) -> "List":
        if rule not in [known.name for known in self.rules]:
            fields = {"lane": "P", "effect": "ON", "judged-by": "load", "claims": "POOL_READ"} | (header or {})
            self.rules.append(Rule(rule, fields, (), (), "", Path()))
        values: dict[str, Any] = {
            "OBJECT_TYPE": "TABLESPACE", "OBJECT_NAME": obj, "MEMBER": member, "CLAIMED_PCT": claim, "RECOVER_LOW": 0,
            "RECOVER_EXPECTED": recover, "RECOVER_HIGH": 1, "CONFIDENCE": confidence, "TARGET": target, "STEP": 1, "PLACE": 0,
            "MEMORY_DELTA_KB": memory_kb, "CLAIM_2_PCT": second,
        }  # fmt: skip
        self.connection.execute(
            f"INSERT INTO TUNE.FINDING (RULE, {', '.join(values)}) VALUES (?{', ?' * len(values)})",
            [rule, *values.values()],
        )
        assert values.keys() <= set(FINDING_COLUMNS)
        return self

    def advice(self) -> list[dict[str, Any]]:
        done: set[Any] = set()
        for table, row in rule_rows(self.rules):
            if (table, row) not in done:
                self.connection.execute(f"INSERT INTO TUNE.{table} VALUES (?{', ?' * (len(row) - 1)})", list(row))
            done.add((table, row))
        for name, select in rank_views().items():
            if name not in ABOUT_TIME:
                self.connection.execute(f"CREATE TABLE TUNE.{name} AS {select}")
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
