"""JUnit XML for pipelines: one test case per rule, one failure per recommendation."""

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from advisor.catalogue.lanes import lane_of
from advisor.catalogue.rules import Rule
from advisor.judgement.advice import Recommendation
from advisor.report.selection import Selection
from advisor.report.text import make_printable, title


def render(selection: Selection, rules: Mapping[str, Rule]) -> str:
    """Return the document. A rule that could not run is a skipped test case."""
    advice = selection.advice
    suites = ET.Element("testsuites")
    suite = ET.SubElement(suites, "testsuite", name=f"db2tune {make_printable(advice.database['name'])}")
    suite.set("timestamp", advice.window.end)
    not_run = dict(selection.not_run)
    for name in sorted({*selection.rules(rules), *not_run}):
        _add_case(suite, name, [item for item in selection.ranked if item.rule.name == name], not_run.get(name))
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
