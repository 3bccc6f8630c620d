"""The machine interface: one JSON object, stable, described by docs/advice.schema.json."""

from dataclasses import asdict
from typing import Any

from advisor.capture import lessons
from advisor.capture.manifest import UNNAMED
from advisor.catalogue.lanes import lane_of
from advisor.judgement.advice import Advice, Recommendation
from advisor.judgement.lessons import own_benefit
from advisor.judgement.time_spent import TimeSpent
from advisor.report import digest, lock_chains, statements, text
from advisor.report.selection import Selection
from advisor.report.text import json_text, severity
from advisor.report.values import head, to_number, to_steps


def render(selection: Selection) -> str:
    return json_text(document(selection))


def document(selection: Selection) -> dict[str, Any]:
    workload = selection.advice.workload
    return {
        **head(),
        **describe_run(selection.advice),
        "summary": digest.document(selection),
        "workload": {
            "class": workload.name,
            "p_oltp": round(workload.p_oltp, 4),
            "p_bi": round(workload.p_bi, 4),
            "windows_disagree": workload.windows_disagree,
        },
        "time_spent": _time_spent(selection.advice.time_spent),
        "statements": statements.document(selection.advice.statements),
        "lock_chains": lock_chains.document(selection.advice.lock_chains),
        "recommendations": [entry(item) for item in [*selection.ranked, *selection.suppressed]],
        "passed": selection.passed,
        "not_run": [{"rule": rule, "reason": reason} for rule, reason in selection.not_run],
        "questions": [{"rule": item["RULE"], "question": item["QUESTION"]} for item in selection.questions],
    }


def _time_spent(spent: TimeSpent) -> dict[str, Any]:
    """Return the shares of time. A bucket of work has its meaning, causes and a query."""
    return {
        "state": spent.state,
        "says": spent.says,
        "buckets": [
            {
                "bucket": share.bucket,
                "kind": share.kind,
                "title": share.title,
                "ms": share.ms,
                "pct": round(share.pct, 4),
                "claimed_pct": round(share.claimed_pct, 4),
                "unclaimed_pct": round(share.unclaimed_pct, 4),
                "finding": None if share.look is None else asdict(share.look),
            }
            for share in spent.shares
        ],
    }


def describe_run(advice: Advice) -> dict[str, Any]:
    """Return the database, with None for each name that a text lacks, and the interval."""
    window = advice.window
    unknown = set(UNNAMED.values()) if advice.in_text else set()
    return {
        "database": {name: None if value in unknown else value for name, value in advice.database.items()},
        "window": {
            "begin": window.begin,
            "end": window.end,
            "seconds": window.seconds,
            "source": window.source,
            "quiet_seconds": window.quiet_s,
        },
    }


def entry(item: Recommendation) -> dict[str, Any]:
    """Return one recommendation for programs. All machine-readable reports use it."""
    return {
        "rank": item.rank,
        "lane": item.lane,
        "rule": item.rule.name,
        "area": item.rule.area,
        "title": item.rule.title,
        "object": object_of(item),
        "target": item.target,
        "current": to_number(item.current),
        "proposed": to_number(item.proposed),
        "unit": item.unit,
        "effect": item.effect,
        "benefit_pct": {
            "low": round(item.benefit_low, 4),
            "expected": round(item.benefit, 4),
            "high": round(item.benefit_high, 4),
            "after": round(item.benefit_after, 4),
        },
        "confidence": item.confidence,
        "risk": text.risk(item),
        "memory_delta_kb": item.memory_delta_kb,
        "actions": to_steps(item.actions),
        "undo": to_steps(item.undo),
        "evidence": {name: to_number(value) for name, value in item.evidence.items()},
        "finding": item.finding,
        "severity": severity(item) if lane_of(item.lane).by_severity else None,
        "look_at": item.rule.query,
        "sources": item.rule.sources,
        "superseded_by": item.superseded_by,
        "accepted": None if item.accepted is None else asdict(item.accepted),
        "learned": _learned_as_json(item),
    }


def _learned_as_json(item: Recommendation) -> dict[str, Any] | None:
    """Return the lessons of a recommendation, or None without lessons."""
    known = item.learned
    if known is None:
        return None
    return {
        "factor": round(known.factor, 4),
        "own_expected_pct": round(own_benefit(item)[1], 4),
        "own_confidence": known.confidence,
        "harm": None if known.harm is None else lessons.entry(known.harm),
        "lessons": [lessons.entry(lesson) for lesson in known.lessons],
    }


def object_of(item: Recommendation) -> dict[str, Any]:
    return {"type": item.object_type, "name": item.object_name, "member": item.member}
