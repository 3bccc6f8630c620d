"""SARIF 2.1.0 for pipelines: one result per recommendation."""

from typing import Any

from advisor import __version__
from advisor.catalogue.rules import Rule
from advisor.judgement.advice import Recommendation
from advisor.report.jsonout import entry
from advisor.report.selection import Selection
from advisor.report.text import json_text, title

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note"}  # by severity


def render(selection: Selection) -> str:
    """Return the document. Rules that could not run are notifications."""
    rules = {item.rule.name: item.rule for item in selection.ranked}
    places = {name: number for number, name in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "db2tune", "version": __version__, "rules": [*map(_rule, rules.values())]}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notifications(selection)}],
        "properties": {"database": selection.advice.database["name"], "until": selection.advice.window.end},
        "results": [_result(item, places[item.rule.name]) for item in selection.ranked],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"No advice if: {rule.not_if}"},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {"area": rule.area, "references": rule.sources},
    }


def _result(item: Recommendation, place: int) -> dict[str, Any]:
    member = "" if item.member is None else f"/{item.member}"
    name = f"{item.object_type}/{item.object_name}{member}"
    told = entry(item)
    return {
        "ruleId": item.rule.name,
        "ruleIndex": place,
        "level": LEVELS[item.rule.severity],
        "rank": min(100.0, max(0.0, round(item.benefit, 4))),
        "message": {"text": "\n".join([f"{title(item)}. {item.finding}", *item.actions])},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": name, "kind": item.object_type.lower()}]}],
        "partialFingerprints": {"finding/v1": f"{item.rule.name} {name}"},
        "properties": {key: told[key] for key in ("rank", "lane", "benefit_pct", "confidence", "actions", "undo")},
    }


def _notifications(selection: Selection) -> list[dict[str, Any]]:
    return [
        {"level": "note", "message": {"text": f"could not run: {reason}"}, "associatedRule": {"id": rule}}
        for rule, reason in selection.not_run
    ]
