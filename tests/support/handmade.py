"""A run with manually written findings, ranked by the views of sql/rank/."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from advisor.catalogue.embedded import Tables
from advisor.catalogue.rows import Row, rule_rows
from advisor.catalogue.rules import Rule
from advisor.catalogue.tables import FINDING_COLUMNS
from advisor.catalogue.views import CHOICE, advice_views, candidate_views, model_views, next_choice

BUCKETS = {"POOL_READ": 40, "PREFETCH_WAIT": 20, "LOG_DISK": 10, "PROCESSING": 30}
END = "2026-03-02"  # the day on which the interval ends
ABOUT_TIME = ("TIME_SPENT", "SILENCE")  # values that do not affect a list

MOST_CHOICES = 200
MODEL = {
    "TIME_BUCKET": "BUCKET VARCHAR, PCT DOUBLE",
    "RUN_WINDOW": "CONFIDENCE_CAP DOUBLE",
    "O_SITE": "FLOOR_PCT DOUBLE",
    "MEMORY_BUDGET": "BUDGET_KB BIGINT, WITHHELD SMALLINT",
    "OBJECT_TIME": "OBJECT_TYPE VARCHAR, OBJECT_NAME VARCHAR, BUCKET VARCHAR, PCT DOUBLE",
    "TABLESPACE": "TBSP_NAME VARCHAR, BPNAME VARCHAR",
    "D_CAT_TABLE": "TABSCHEMA VARCHAR, TABNAME VARCHAR, TBSPACE VARCHAR, INDEX_TBSPACE VARCHAR",
    "HOST": "HOST_NAME VARCHAR, MEMBER SMALLINT",
    "HOST_FACT": "ITEM VARCHAR",
    "NO_LOAD": "REASON VARCHAR, UNTIMED SMALLINT",
    "RUNS_ON": "RUNS_ON VARCHAR, EVIDENCE VARCHAR",
    "DATABASE_WORD": "NAME VARCHAR, ALIAS VARCHAR",
    "JUDGED_TIME": "RULE VARCHAR, JUDGED_BY VARCHAR, DBT_MS DOUBLE",
    "GATE": "RULE VARCHAR, KIND VARCHAR",
    "EVENT_CLASS": "CLASS VARCHAR, LAST_TIME VARCHAR",
} | dict.fromkeys(
    ("L_INDEX", "D_INDEX_ADVICE"), "INDSCHEMA VARCHAR, INDNAME VARCHAR, TABSCHEMA VARCHAR, TABNAME VARCHAR"
)


class Engine:
    """The tables of the ranking for all lists, with views that tests can change."""

    def __init__(self) -> None:
        self._tables = Tables()
        for name, columns in MODEL.items():
            self._tables.execute(f"CREATE TABLE TUNE.{name} ({columns})")
        self._tables.define([("TUNE.CONSTANT", model_views()["CONSTANT"])])
        self._tables.execute("CREATE TABLE TUNE.CHARACTER_PLACE (PLACE)")
        self._tables.fill(("CHARACTER_PLACE", (place,)) for place in range(1, 257))
        before, after = candidate_views(), {n: sql for n, sql in advice_views().items() if n not in ABOUT_TIME}
        self._before, self._after = list(before), list(after)
        self._views = before | after | {CHOICE: next_choice()}

    def has(self, name: str) -> bool:
        return name in self._views

    def put(self, name: str, select: str) -> None:
        """Replace the SELECT of a view, or of the choice."""
        self._views[name] = select

    def rank(self, rows: Iterable[tuple[str, Row]]) -> None:
        """Rank the findings in the tables of a run."""
        self._tables.clear()
        for name in MODEL:
            self._tables.execute(f"DELETE FROM TUNE.{name}")
        self._tables.fill(rows)
        for name in self._before:
            self._tables.store(name, self._views[name])
        for _ in range(MOST_CHOICES):
            self._tables.execute(f"INSERT INTO TUNE.CHOSEN {self._views[CHOICE]}")
            if not self._tables.count_changes():
                break
        else:
            raise AssertionError("it chooses for ever")
        for name in self._after:
            self._tables.store(name, self._views[name])

    def rows(self, sql: str) -> list[dict[str, Any]]:
        return self._tables.records(sql)


engine = cache(Engine)


def deferral(rule: str, within: str, larger: bool = False) -> dict[str, Any]:
    """Return an entry of ``defers_to`` in a header."""
    return {"rule": rule, "within": within} | ({"only_if_larger": True} if larger else {})


DATABASE = ("SAMPLE", "dbhost", "db2inst1", 11050800, "Linux", "single", None)


class List:
    """A run with the rules and findings of one test."""

    def __init__(self, budget_kb: int | None = None, confidence_cap: float = 1, withheld: int = 0) -> None:
        self.rules: list[Rule] = []
        self._rows: list[tuple[str, Row]] = [
            *(("TIME_BUCKET", bucket) for bucket in BUCKETS.items()),
            ("RUN_WINDOW", (confidence_cap,)),
            ("RUNS_ON", (None, None)),
            ("DATABASE_WORD", (DATABASE[0], DATABASE[0])),
            ("O_SITE", (0.5,)),
            ("MEMORY_BUDGET", (budget_kb, withheld)),
            ("RUN_SNAPSHOT", (1, 2, 0.0, 300.0, END, None)),
            ("RUN_DATABASE", DATABASE),
        ]

    def _has(self, table: str, *row: Any) -> None:
        self._rows.append((table, row))

    def finds(
        self,
        rule: str,
        claim: float = 10,
        obj: str = "A",
        header: dict[str, Any] | None = None,
        recover: float = 0.5,
        confidence: float = 1,
        target: str | None = None,
        memory_kb: int = 0,
        second: float = 0,
        member: int | None = None,
        action: str = "do it",
        kind: str = "TABLESPACE",
        of_member: int | None = None,
        third: float = 0,
    ) -> "List":
        if rule not in [known.name for known in self.rules]:
            fields = {
                "lane": "performance",
                "takes_effect": "immediately",
                "judged_by": "load",
                "claims": {"POOL_READ": {}},
            } | (header or {})
            self.rules.append(Rule(rule, fields, "", Path()))
        values: dict[str, Any] = {
            "OBJECT_TYPE": kind, "OBJECT_NAME": obj, "MEMBER": member, "CLAIMED_PCT": claim, "RECOVER_LOW": 0,
            "RECOVER_EXPECTED": recover, "RECOVER_HIGH": 1, "CONFIDENCE": confidence, "TARGET": target if of_member is None else f"{target}:{of_member}", "STEP": 1, "PLACE": 0,
            "MEMORY_DELTA_KB": memory_kb, "CLAIM_2_PCT": second, "CLAIM_3_PCT": third, "ACTION_TEXT": action, "SETTING_MEMBER": of_member, "SETTING_NAME": (target or "").rpartition(":")[2],
        }  # fmt: skip
        assert values.keys() <= set(FINDING_COLUMNS)
        self._has("FINDING", rule, *(values.get(name) for name in FINDING_COLUMNS))
        return self

    def has(self, pool: str, **spaces: float) -> "List":
        """Add a buffer pool with table spaces, and each one's share of read time in percent of database time."""
        for name, pct in spaces.items():
            self._has("TABLESPACE", name, pool)
            self._has("OBJECT_TIME", "TABLESPACE", name, "POOL_READ", pct)
        self._has("OBJECT_TIME", "BUFFERPOOL", pool, "POOL_READ", sum(spaces.values()))
        return self

    def holds(self, table: str, *rows: Row) -> "List":
        """Add rows to a table that the ranking reads."""
        for row in rows:
            self._has(table, *row)
        return self

    def accepted(self, rule: str, pattern: str, reason: str, until: str | None = None) -> "List":
        """Accept a rule's findings about an object, or about all objects with a name prefix."""
        self._has("ACCEPTED", rule, pattern, reason, until, "a DBA", f"{END} 12:00:00")
        return self

    def protects(self, patterns: str) -> "List":
        """Protect these objects: they get no advice."""
        self._has("OPTION", "site", "protected", patterns, "site", None, "own", "text", None)
        return self

    @property
    def tables(self) -> dict[str, list[Row]]:
        """Return the written findings by table."""
        found: dict[str, list[Row]] = defaultdict(list)
        for table, row in self._rows:
            found[table].append(row)
        return found

    def advice(self) -> list[dict[str, Any]]:
        engine().rank([*self._rows, *dict.fromkeys(rule_rows(self.rules))])
        return engine().rows("SELECT * FROM TUNE.ADVICE ORDER BY POSITION NULLS LAST, RULE, OBJECT_NAME")

    def plan(self) -> list[dict[str, Any]]:
        """Return the ranked list in step order."""
        ranked = {row["POSITION"]: row for row in self.advice() if row["POSITION"] is not None}
        steps = engine().rows("SELECT POSITION, STEP, MEMORY_BEFORE_KB, MEMORY_AFTER_KB FROM TUNE.PLAN ORDER BY STEP")
        return [ranked[row["POSITION"]] | row for row in steps]

    def order(self) -> list[str]:
        """Return the rules of the ranked list, best first."""
        return [row["RULE"] for row in self.advice() if row["POSITION"] is not None]

    def left_out(self) -> dict[str, str]:
        """Return the rules that were left out, each with the cause."""
        return {row["RULE"]: row["SUPERSEDED_BY"] for row in self.advice() if row["POSITION"] is None}
