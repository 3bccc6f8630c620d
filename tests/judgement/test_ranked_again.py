"""The ranking compared with a second implementation by loops, on made-up lists."""

import random
from typing import Any

import pytest

from tests.support.handmade import END, List, deferral
from tests.support.ranked_again import Ranking

SAID = (
    "POSITION", "RULE", "OBJECT_TYPE", "OBJECT_NAME", "MEMBER", "LANE", "CLAIMED_PCT", "BENEFIT_LOW", "BENEFIT", "BENEFIT_HIGH",
    "BENEFIT_AFTER", "CONFIDENCE", "EASE", "SCORE", "TARGET", "MEMORY_DELTA_KB", "SUPERSEDED_BY", "BY_POSITION",
    "ACCEPTED_REASON", "ACCEPTED_BY", "ACCEPTED_EXPIRED",
)  # fmt: skip
STEPS = ("STEP", "POSITION", "MEMORY_BEFORE_KB", "MEMORY_AFTER_KB")
OBJECTS = (
    ("TABLESPACE", "TS1"), ("TABLESPACE", "TS2"), ("TABLESPACE", "TS3"), ("BUFFERPOOL", "BP1"), ("BUFFERPOOL", "BP2"),
    ("TABLE", "APP.ORDERS"), ("TABLE", "APP.ITEM"), ("MEMBER", "0"), ("MEMBER", "1"), ("HOST", "db1"), ("DATABASE", "TS"),
)  # fmt: skip
TARGETS = (None, None, "DBCFG:SORTHEAP", "DBCFG:LOGBUFSZ", "BUFFERPOOL:BP1:SIZE", "BUFFERPOOL:BP1:DEFERRED_SIZE")
CLAIMS = (
    ["POOL_READ"], ["PREFETCH_WAIT"], ["POOL_READ", "LOG_DISK"], ["PROCESSING", "PREFETCH_WAIT", "POOL_READ"],
)  # fmt: skip
LANES = (
    *[("performance", "housekeeping")] * 3, ("performance", "safety"), ("performance", "performance"),
    *((lane, lane) for lane in ("safety", "condition", "housekeeping", "prerequisite")),
)  # fmt: skip
EFFECTS = (
    "immediately", "immediately", "new connections", "database reactivation", "instance restart",
    "object rebuilt or moved", "host change",
)  # fmt: skip
RULES, SEEDS = 12, range(10)


def header(chance: random.Random, number: int) -> dict[str, Any]:
    """Return a random header; its rule comes after earlier rules, and defers to any rule."""
    others = [f"r{other}" for other in range(RULES) if other != number]
    lane, unclaimed = chance.choice(LANES)
    found: dict[str, Any] = {
        "claims": {bucket: {} for bucket in chance.choice(CLAIMS)},
        "lane": lane,
        "lane_without_claim": unclaimed,
        "takes_effect": chance.choice(EFFECTS),
        "risk": chance.choice(("low", "low", "high")),
        "severity": chance.choice(("critical", "high", "medium", "low")),
        "judged_by": chance.choice(("load", "rates", "structure")),
    }
    if chance.random() < 0.3:
        found["exclusive"] = chance.choice(("one", "two"))
    if chance.random() < 0.4:
        scopes = ("object", "pool", "host", "any")
        found["defers_to"] = [
            deferral(other, chance.choice(scopes), chance.random() < 0.5) for other in chance.sample(others, 2)
        ]
    if chance.random() < 0.2:
        found |= {"donor": True, "lane": "performance", "lane_without_claim": "performance"}
    elif number and chance.random() < 0.4:
        found["after"] = [f"r{chance.randrange(number)}"]
    return found


def made_up(chance: random.Random) -> List:
    """Return findings of a few rules on nested objects."""
    run = List(
        budget_kb=chance.choice((None, 0, 100, 500, 1000)),
        confidence_cap=chance.choice((1, 1, 0.6)),
        withheld=chance.choice((0, 0, 0, 1)),
    )
    run.has("BP1", TS1=chance.choice((5, 20)), TS2=chance.choice((1, 10))).has("BP2", TS3=chance.choice((0.5, 10)))
    run.holds(
        "D_CAT_TABLE",
        ("APP", "ORDERS", "TS1", chance.choice((None, "TS1", "TS2", "TS3"))),
        ("APP", "ITEM", "TS2", None),
    )
    run.holds("HOST", ("db1", 0), (chance.choice(("db1", "db2")), 1))
    if chance.random() < 0.2:
        run.holds("NO_LOAD", ("nobody worked", chance.choice((0, 1))))
    headers = [header(chance, number) for number in range(chance.randint(4, RULES))]
    for _ in range(chance.randint(8, 36)):
        number = chance.randrange(len(headers))
        donor = "donor" in headers[number]
        kind, name = chance.choice(OBJECTS)
        memory = chance.choice((0, 60, 300, 1000))
        run.finds(
            f"r{number}", chance.choice((0, 0.8, 3, 10, 10.5, 25, 60)), name, headers[number], chance.choice((0.3, 0.5, 1)),
            chance.choice((0.3, 0.6, 0.9, 1)), chance.choice(TARGETS), -memory if donor else chance.choice((0, memory, memory, -memory)),
            chance.choice((0, 0, 2)), chance.choice((None, None, 0, 1)), chance.choice(("do it", "do it", "-- look at it")),
            kind, chance.choice((None, None, 0, 1)), chance.choice((0, 0, 1)),
        )  # fmt: skip
    for number, pattern in enumerate(
        chance.sample(("*", "TS1", "TS*", "TS1*", "APP.*", "BP"), chance.choice((0, 1, 4)))
    ):
        until = chance.choice((None, "2026-03-01", END, "2026-03-03"))
        run.accepted(f"r{chance.randrange(RULES)}", pattern, f"why {number}", until)
    if chance.random() < 0.3:
        run.protects(chance.choice(("TS1", "TS*;BP2", "APP.*", "*", ";TS", "db*")))
    for number, each in enumerate(headers):
        run.holds("JUDGED_TIME", (f"r{number}", each["judged_by"], chance.choice((None, 6_000_000))))
    return run


@pytest.mark.parametrize("seed", SEEDS)
def test_it_comes_to_the_same(seed: int) -> None:
    run = made_up(random.Random(seed))
    again = Ranking(run)
    steps = run.plan()
    found = [{name: row[name] for name in SAID} for row in run.advice()]

    def key(row: dict[str, Any]) -> tuple[str, str, str]:
        return row["RULE"], row["OBJECT_TYPE"], row["OBJECT_NAME"]

    expected = sorted(({name: row.get(name) for name in SAID} for row in again.advice), key=key)
    assert [{n: _about(v) for n, v in row.items()} for row in expected] == sorted(found, key=key)
    assert again.plan == [{name: row[name] for name in STEPS} for row in steps]


@pytest.mark.parametrize("seed", range(15))
def test_what_claims_nothing_removes_nothing_that_claims_time(seed: int) -> None:
    chance = random.Random(seed)
    run = made_up(chance)
    before = _claiming(run)
    kind, name = chance.choice(OBJECTS)
    lane = chance.choice(("prerequisite", "safety", "condition", "housekeeping"))
    run.finds(
        "silent", 0, name, {"lane": lane, "exclusive": "one"}, target=chance.choice(TARGETS),
        memory_kb=chance.choice((0, 60, 1000)), kind=kind, of_member=chance.choice((None, 0)),
    )  # fmt: skip
    assert _claiming(run) == before


def _claiming(run: List) -> list[tuple[str, str]]:
    return [
        (row["RULE"], row["OBJECT_NAME"])
        for row in run.advice()
        if row["POSITION"] is not None and row["LANE"] == "P" and row["BENEFIT_AFTER"] > 0
    ]


def _about(value: Any) -> Any:
    return pytest.approx(value) if isinstance(value, float) else value
