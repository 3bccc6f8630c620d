"""Advice for pipelines: JUnit XML with one test case per rule, and SARIF 2.1.0 with one result per recommendation."""

from collections.abc import Collection, Mapping
from typing import Any
from xml.etree import ElementTree as ET

from advisor import __version__
from advisor.catalogue.lanes import lane_of
from advisor.catalogue.rules import Rule
from advisor.judgement.advice import Recommendation
from advisor.report.fail_on import FailOn, reaches_one_of
from advisor.report.jsonout import entry
from advisor.report.selection import Selection
from advisor.report.text import json_text, make_printable, title


def render_junit(selection: Selection, rules: Mapping[str, Rule], fail_on: Collection[FailOn] = ()) -> str:
    """Return the document. A rule that could not run is a skipped test case.

    Failures are the recommendations that reach a threshold, or without any, all but housekeeping.
    """
    advice = selection.advice
    suites = ET.Element("testsuites")
    suite = ET.SubElement(suites, "testsuite", name=f"db2tune {make_printable(advice.database['name'])}")
    suite.set("timestamp", advice.window.end)
    not_run = dict(selection.not_run)
    failed = [
        item
        for item in selection.ranked
        if (reaches_one_of(fail_on, item) if fail_on else not lane_of(item.lane).brief)
    ]
    for name in sorted({*selection.rules(rules), *not_run}):
        _add_case(suite, name, [item for item in failed if item.rule.name == name], not_run.get(name))
    suite.attrib.update(tests=str(len(suite)))
    for counted, element in (("failures", "failure"), ("skipped", "skipped"), ("errors", "error")):
        suite.set(counted, str(sum(case.find(element) is not None for case in suite)))
    ET.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(suites, encoding="unicode")}\n'


def _add_case(suite: ET.Element, name: str, items: list[Recommendation], reason: str | None) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=f"db2tune.{name.partition('.')[0]}", name=make_printable(name), time="0"
    )
    for item in items:
        failure = ET.SubElement(case, "failure", message=title(item), type=lane_of(item.lane).name)
        failure.text = "\n".join(make_printable(line) for line in _lines(item))
    if reason is not None and not items:
        ET.SubElement(case, "skipped", message=make_printable(reason))


def _lines(item: Recommendation) -> list[str]:
    undo = [f"undo: {line}" for line in item.undo]
    return [f"#{item.rank} {item.finding}", *(f"do: {line}" for line in item.actions), *undo]


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RANKS = {"critical": 100.0, "high": 75.0, "medium": 50.0, "low": 25.0}  # of advice without a benefit in time
LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note"}  # by severity


def render_sarif(selection: Selection) -> str:
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
        "rank": _RANKS[item.rule.severity] if lane_of(item.lane).by_severity else min(100.0, round(item.benefit, 4)),
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
