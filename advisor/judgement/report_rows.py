"""The advice from the rows of a few views, the same for both engines."""

from typing import Any

from advisor.catalogue.options import Overrides
from advisor.catalogue.rules import Rule
from advisor.judgement.advice import (
    Acceptance,
    Advice,
    Claim,
    Command,
    Done,
    Recommendation,
    Record,
    Setting,
    Window,
    Workload,
)
from advisor.judgement.lock_chains import lock_chains
from advisor.judgement.statements import statements
from advisor.judgement.time_spent import time_spent

# The views that advice is made from.
REPORT = (
    *("SUMMARY", "ADVICE", "FINDING", "COMMAND", "CLAIM", "PLAN", "NOT_RUN", "QUESTION", "TIME_SPENT", "SILENCE"),
    "TOP_STATEMENT",
)
LOCK_NODE = "LOCK_NODE"  # only of a capture: TUNE.REPORT does not return it


def result(
    records: dict[str, list[Record]],
    rules: list[Rule],
    database: dict[str, Any],
    taken: tuple[str | None, str],
    options: Overrides,
) -> Advice:
    """Return the advice from the rows of the REPORT views."""
    known = {rule.name: rule for rule in rules}
    done = group_actions(records["FINDING"], records["COMMAND"])
    claims: dict[tuple[str, str, str], list[Claim]] = {}
    for row in sorted(records["CLAIM"], key=lambda row: int(row["POSITION"])):
        claims.setdefault(_identity(row), []).append(Claim(row["BUCKET"], row["CLAIM_PCT"], row["BUCKET_PCT"]))
    steps = {row["POSITION"]: row["STEP"] for row in records["PLAN"]}
    summary = records["SUMMARY"][0]
    return Advice(
        database=database | {"runs_on": summary["RUNS_ON"], "runs_on_evidence": summary["RUNS_ON_EVIDENCE"]},
        window=Window(
            begin=None if summary["BEGIN_EPOCH"] is None else taken[0],
            end=taken[1],
            seconds=summary["SECONDS"],
            source=summary["SOURCE"],
            usable=summary["USABLE"] == 1,
            reason=summary["REASON"],
            members=summary["MEMBERS"],
            active_sessions=summary["ACTIVE_SESSIONS"],
            quiet_s=summary["QUIET_S"],
        ),
        workload=Workload(
            summary["CLASS"],
            summary["P_OLTP"],
            summary["P_BI"],
            summary["WINDOWS_DISAGREE"] == 1,
            summary["CLASS_KNOWN"] == 1,
        ),
        recommendations=[
            _recommendation(row, known, done.get(_identity(row), ((), ())), claims.get(_identity(row), []), steps)
            for row in sorted(records["ADVICE"], key=_advice_order)
            if row["RULE"] in known
        ],
        not_run=_list_not_run(records["NOT_RUN"]),
        questions=sorted(records["QUESTION"], key=lambda row: (row["QUESTION"], row["RULE"])),
        options=options,
        time_spent=time_spent(records["TIME_SPENT"], records["SILENCE"]),
        statements=statements(records["TOP_STATEMENT"]),
        lock_chains=lock_chains(records.get(LOCK_NODE, [])),
        hadr_role=summary["HADR_ROLE"],
    )


def _identity(row: Record) -> tuple[str, str, str]:
    return row["RULE"], row["OBJECT_TYPE"], row["OBJECT_NAME"]


def group_actions(findings: list[Record], commands: list[Record]) -> dict[tuple[str, str, str], Done]:
    """Group commands and settings by rule, object type and object name; arguments are rows of FINDING and COMMAND."""
    set_by: dict[tuple[str, str, str], list[Record]] = {}
    for row in sorted(findings, key=_order_of_settings):
        if row["SETTING_KIND"] is not None:
            set_by.setdefault(_identity(row), []).append(row)
    made: dict[tuple[str, str, str], list[Command]] = {}
    for row in sorted(commands, key=_order_of_commands):
        settings = [_setting(item) for item in set_by.get(_identity(row), []) if _is_set_by(item, row)]
        made.setdefault(_identity(row), []).append(Command(row["ACTION_TEXT"], row["UNDO_TEXT"], tuple(settings)))
    return {
        key: (tuple(made.get(key, ())), tuple(_setting(item) for item in set_by.get(key, ())))
        for key in made.keys() | set_by.keys()
    }


def _order_of_settings(row: Record) -> tuple[Any, ...]:
    return *_order(row), row["PLACE"], row["TARGET"] or ""


def _order_of_commands(row: Record) -> tuple[Any, ...]:
    return *_order(row), row["TARGET"] or "", row["ACTION_TEXT"] or ""


def _order(row: Record) -> tuple[Any, ...]:
    return *_identity(row), -1 if row["MEMBER"] is None else row["MEMBER"], row["STEP"]


def _is_set_by(setting: Record, command: Record) -> bool:
    """Return whether a command changes a setting, alone or together with others."""
    same = (setting["MEMBER"], setting["STEP"]) == (command["MEMBER"], command["STEP"])
    return same and (setting["PLACE"] > 0 or setting["TARGET"] == command["TARGET"])


def _setting(row: Record) -> Setting:
    return Setting(
        row["SETTING_KIND"],
        row["SETTING_NAME"],
        row["SETTING_OBJECT"],
        row["SETTING_MEMBER"],
        row["TARGET"],
        row["CURRENT_VALUE"],
        row["PROPOSED_VALUE"],
        row["UNIT"],
    )


def _advice_order(row: Record) -> tuple[Any, ...]:
    place = row["POSITION"]
    return place is None, place or 0, -row["SCORE"], *_identity(row)


def _list_not_run(rows: list[Record]) -> list[tuple[str, str]]:
    reasons: dict[str, set[str]] = {}
    for row in rows:
        reasons.setdefault(row["RULE"], set()).add(row["REASON"])
    return [(rule, "; ".join(sorted(reasons[rule]))) for rule in sorted(reasons)]


def _recommendation(
    row: Record, rules: dict[str, Rule], done: Done, claims: list[Claim], steps: dict[int, int]
) -> Recommendation:
    return Recommendation(
        rank=row["POSITION"],
        rule=rules[row["RULE"]],
        object_type=row["OBJECT_TYPE"],
        object_name=row["OBJECT_NAME"],
        member=row["MEMBER"],
        lane=row["LANE"],
        claimed_pct=float(row["CLAIMED_PCT"]),
        claims=claims,
        benefit_low=float(row["BENEFIT_LOW"]),
        benefit=float(row["BENEFIT"]),
        benefit_high=float(row["BENEFIT_HIGH"]),
        benefit_after=float(row["BENEFIT_AFTER"]),
        confidence=float(row["CONFIDENCE"]),
        ease=float(row["EASE"]),
        effect=row["EFFECT"],
        score=float(row["SCORE"]),
        target=row["TARGET"],
        current=row["CURRENT_VALUE"],
        proposed=row["PROPOSED_VALUE"],
        unit=row["UNIT"],
        memory_delta_kb=row["MEMORY_DELTA_KB"],
        evidence=_pairs(row["EVIDENCE"]),
        finding=row["FINDING"],
        commands=done[0],
        settings=done[1],
        superseded_by=row["SUPERSEDED_BY"],
        accepted=_acceptance(row),
        step=steps.get(row["POSITION"]),
        superseded_rank=row["BY_POSITION"],
    )


def _acceptance(row: Record) -> Acceptance | None:
    if row["ACCEPTED_REASON"] is None:
        return None
    until = row["ACCEPTED_UNTIL"]
    last_day = None if until is None else str(until)
    return Acceptance(row["ACCEPTED_REASON"], row["ACCEPTED_BY"], last_day, row["ACCEPTED_EXPIRED"] == 1)


def _pairs(evidence: str | None) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in (evidence or "").split("; ") if pair)
    return {name: value for name, _, value in pairs}
