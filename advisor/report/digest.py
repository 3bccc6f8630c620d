"""The summary of the advice for programs: one sentence, the ranks to look at first, the total and the coverage."""

from typing import Any

from advisor.catalogue.lanes import lane_of
from advisor.report import next_text, summary
from advisor.report.selection import Selection

_MOST = 2  # urgent ranks, and best ranks
_COLLECT = {"host fact": "db2tune hostfacts", "": "db2tune doctor"}  # by a part of the reason


def document(selection: Selection) -> dict[str, Any]:
    timed = [item for item in selection.ranked if lane_of(item.lane).by_benefit and item.benefit > 0]
    best = sorted(timed, key=lambda item: -item.benefit_after) or selection.ranked
    low, expected, high = summary.total_range(selection)
    return {
        "verdict": summary.verdict(selection),
        "urgent": [group[0].rank for group in summary.group_urgent(selection)[:_MOST]],
        "best": [item.rank for item in best[:_MOST]],
        "total_pct": {"low": round(low, 1), "expected": round(expected, 1), "high": round(high, 1)} if timed else None,
        "coverage": {
            "found": len({item.rule.name for item in selection.ranked}),
            "passed": len(selection.passed),
            "not_run": len({rule for rule, _ in selection.not_run}),
            "questions": len(selection.group_questions(everything=True)),
            "collect": _list_commands(selection),
        },
    }


def _list_commands(selection: Selection) -> list[dict[str, Any]]:
    """Return the commands that collect missing evidence, and the number of rules that lack it."""
    if wanted := next_text.parts(selection.advice):
        return [{"command": wanted[1], "why": wanted[0].rstrip(":")}, *({"command": more} for more in wanted[2:])]
    found: dict[str, set[str]] = {}
    for rule, reason in selection.not_run:
        found.setdefault(next(command for part, command in _COLLECT.items() if part in reason), set()).add(rule)
    return [{"command": command, "rules": len(rules)} for command, rules in found.items()]
