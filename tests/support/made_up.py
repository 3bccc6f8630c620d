"""A made-up rule and its recommendation, for tests of the output."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from advisor.catalogue.rules import Rule
from advisor.judgement.advice import Advice, Claim, Command, Recommendation, Window, Workload
from advisor.judgement.statements import Statement
from advisor.judgement.time_spent import Look, Share, TimeSpent


def rule(name: str, lane: str = "performance", **header: Any) -> Rule:
    return Rule(
        name,
        {
            "rule": name,
            "title": f"Title of {name}",
            "lane": lane,
            "takes_effect": "immediately",
            "judged_by": "load",
            "references": ["one source", "another one"],
            "why": "The mechanism.",
            "not_if": "Never.",
            "thresholds": {"min_pages": {"default": 10000, "from": "own", "why": "because"}},
        }
        | header,
        "SELECT 1",
        Path(name),
    )


def statement(n: int = 1, text: str | None = "SELECT A FROM T WHERE B = ?", **more: Any) -> Statement:
    """Return the statement of this number, the first of which takes most time."""
    made = Statement(
        name=f"{n}/1", top_by=("time",), executions=3000, plans=1, ms=10_000 - n, time_pct=60.0 / n, cpu_ms=5000.0 / n,
        cpu_pct=50.0 / n, ms_per_execution=1080.0, rows_read=2_700_000_000, rows_returned=6000, rows_modified=0,
        rows_per_execution=900_000.0, rows_per_row=450_000.0, reads=200_000, spills=0, lock_wait_ms=0, tables='"APP"."T"',
        unindexed=None, executable_id=f"{n:064X}", member=0, see_plan=f"CALL EXPLAIN_FROM_SECTION(x'{n:064X}')",
        text_state="none" if text is None else "complete", short_text=text, text=text,
    )  # fmt: skip
    return replace(made, **more)


def item(of: Rule, lane: str, rank: int | None, name: str = "TS1", **change: Any) -> Recommendation:
    claimed = {"P": 29.0}.get(lane, 0.0)
    plain = Recommendation(
        rank=rank,
        rule=of,
        object_type="TABLESPACE",
        object_name=name,
        member=None,
        lane=lane,
        claimed_pct=claimed,
        claims=[Claim("PREFETCH_WAIT", 20.0, 20.0), Claim("POOL_READ", 9.0, 10.0)] if claimed else [],
        benefit_low=claimed * 0.05,
        benefit=claimed * 0.5,
        benefit_high=claimed * 0.7,
        benefit_after=claimed * 0.4,
        confidence=0.6,
        ease=1.0,
        effect=of.effect,
        score=claimed * 0.3,
        target=f"TABLESPACE:{name}:PREFETCHSIZE",
        current="24",
        proposed="48",
        unit="pages",
        memory_delta_kb=0,
        evidence={"PREFETCHSIZE": "24", "containers": "2"},
        finding="Prefetch size 24 does not read all 2 containers at once: extent size 24 x 2 containers = 48.",
        commands=commands(
            [f'ALTER TABLESPACE "{name}" PREFETCHSIZE 48'], [f'ALTER TABLESPACE "{name}" PREFETCHSIZE 24']
        ),
        settings=(),
        superseded_by=None,
    )
    if "actions" in change or "undo" in change:
        lines = (change.pop("actions", plain.actions), change.pop("undo", plain.undo))
        change["commands"] = commands(*lines)
    return replace(plain, **change)


def commands(actions: list[str], undo: list[str]) -> tuple[Command, ...]:
    """Return commands with these texts, in execution order for both directions."""
    return *(Command(None, line) for line in reversed(undo)), *(Command(line, None) for line in actions)


def share(bucket: str, kind: str, pct: float, claimed: float = 0, look: bool = False) -> Share:
    what = Look(
        "agents waited", "one cause; another one", f"SELECT {bucket} FROM TABLE(MON_GET_WORKLOAD(NULL, -2)) AS T"
    )
    return Share(
        bucket, kind, f"Time of {bucket}", round(pct * 60000), pct, claimed, pct - claimed, what if look else None
    )


SPENT = TimeSpent(
    "seen",
    "Most of the time: Time of PROCESSING 60 %.",
    (
        share("PROCESSING", "work", 60, look=True),
        share("PREFETCH_WAIT", "wait", 30, 29.5),
        share("LOCK", "wait", 9.3),
        share("LATCH", "wait", 0.4),
        share("COMMIT", "overhead", 0.3),
        share("CF", "wait", 0),
        share("FCM", "beside", 25),
    ),
)
UNEXPLAINED = TimeSpent(
    "unexplained",
    "No recommendation claims this time: Time of WLM_QUEUE 45 %, Time of LOCK 15 % (7 rules looked).",
    (
        share("WLM_QUEUE", "wait", 45, look=True),
        share("PROCESSING", "work", 40, 5, look=True),
        share("LOCK", "wait", 15, 2, look=True),
    ),
)
IDLE = TimeSpent("idle", "The database was idle.", (share("PROCESSING", "work", 100),))


def advice(of: TimeSpent, *recommendations: Recommendation) -> Advice:
    """Return a list for a database with this time distribution."""
    database = {"name": "HRDB", "host": "db1", "instance": "hrinst", "level": "11.5.8.0", "platform": "Linux",
                "topology": "single", "runs_on": None, "runs_on_evidence": None}  # fmt: skip
    window = Window("2026-03-02T10:00:00", "2026-03-02T10:05:00", 300.0, "DELTA", True, None, 1, 20.0)
    return Advice(database, window, Workload("OLTP", 0.9, 0.1), list(recommendations), [], [], {}, of)
