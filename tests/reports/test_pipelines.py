"""Formats for pipelines: JUnit XML and SARIF."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from advisor.catalogue.rules import all_rules
from advisor.cli.main import main
from advisor.judgement.run import advise
from advisor.report import pipelines
from advisor.report.fail_on import reaches_one_of
from advisor.report.selection import select
from tests.support.made_up import SPENT, advice, item, rule
from tests.support.paths import CAPTURES

X445 = CAPTURES / "x445-8way"
HOSTILE = 'A<b>&"\x1b[2J\u202e\ud800\n]]>'
RULES = {name: rule(name, severity=word) for name, word in [("a.one", "high"), ("a.two", "medium"), ("b.three", "low")]}
# The parts of SARIF 2.1.0 that db2tune writes, from the OASIS schema.
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "properties": {"type": "object"},
                    "tool": {
                        "properties": {
                            "driver": {
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {
                                        "uniqueItems": True,
                                        "items": {
                                            "required": ["id"],
                                            "additionalProperties": False,
                                            "properties": {
                                                "id": {"type": "string"},
                                                "shortDescription": TEXT,
                                                "fullDescription": TEXT,
                                                "help": TEXT,
                                                "defaultConfiguration": {"properties": {"level": LEVEL}},
                                                "properties": {"type": "object"},
                                            },
                                        },
                                    },
                                },
                            }
                        }
                    },
                    "invocations": {
                        "items": {
                            "required": ["executionSuccessful"],
                            "additionalProperties": False,
                            "properties": {
                                "executionSuccessful": {"type": "boolean"},
                                "toolExecutionNotifications": {
                                    "items": {
                                        "required": ["message"],
                                        "additionalProperties": False,
                                        "properties": {
                                            "message": TEXT,
                                            "level": LEVEL,
                                            "associatedRule": {"required": ["id"]},
                                        },
                                    }
                                },
                            },
                        }
                    },
                    "results": {
                        "items": {
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": -1},
                                "level": LEVEL,
                                "rank": {"type": "number", "minimum": -1, "maximum": 100},
                                "message": TEXT,
                                "locations": {
                                    "items": {
                                        "additionalProperties": False,
                                        "properties": {
                                            "logicalLocations": {
                                                "uniqueItems": True,
                                                "items": {
                                                    "additionalProperties": False,
                                                    "properties": {
                                                        "fullyQualifiedName": {"type": "string"},
                                                        "kind": {"type": "string"},
                                                    },
                                                },
                                            }
                                        },
                                    }
                                },
                                "partialFingerprints": {"additionalProperties": {"type": "string"}},
                                "properties": {"type": "object"},
                            },
                        }
                    },
                },
            },
        },
    },
}


def _found() -> list[object]:
    return [
        item(RULES["a.one"], "P", 1, HOSTILE, finding=HOSTILE),
        item(RULES["a.one"], "P", 2, "TS2", member=3),
        item(RULES["b.three"], "H", 3),
        item(RULES["a.two"], "P", None, superseded_by="conflict"),
    ]


def _advice(**change: object):  # type: ignore[no-untyped-def]
    given = advice(SPENT, *_found())  # type: ignore[arg-type]
    return replace(given, not_run=[("c.four", f"host fact {HOSTILE}")], **change)  # type: ignore[arg-type]


def test_junit_has_a_case_per_rule_and_a_failure_per_rank() -> None:
    (suite,) = ET.fromstring(pipelines.render_junit(select(_advice()), RULES, ["any"]))
    assert suite.attrib == {
        "name": "db2tune HRDB",
        "timestamp": "2026-03-02T10:05:00",
        "tests": "4",
        "failures": "2",
        "skipped": "1",
        "errors": "0",
    }
    cases = {case.attrib["name"]: [child.tag for child in case] for case in suite}
    assert cases == {"a.one": ["failure", "failure"], "a.two": [], "b.three": ["failure"], "c.four": ["skipped"]}
    assert {case.attrib["classname"] for case in suite} == {"db2tune.a", "db2tune.b", "db2tune.c"}
    failure = suite[0][1]
    assert failure.attrib == {"message": "Title of a.one: table space TS2, member 3", "type": "Performance"}
    assert failure.text is not None
    assert failure.text.splitlines()[1:] == [
        'do: ALTER TABLESPACE "TS2" PREFETCHSIZE 48',
        'undo: ALTER TABLESPACE "TS2" PREFETCHSIZE 24',
    ]


def test_junit_escapes_text_of_a_database() -> None:
    text = pipelines.render_junit(select(_advice()), RULES, ["any"])
    assert text.isascii()
    assert "<b>" not in text
    assert not {"\x1b", "\u202e"} & {*text}
    (suite,) = ET.fromstring(text)
    assert (suite[0][0].text or "").startswith('#1 A<b>&"\\x1b[2J\\u202e\\ud800\\n]]>\n')
    assert suite[3][0].attrib["message"].startswith('host fact A<b>&"\\x1b')


def test_junit_shows_only_the_selected_rules() -> None:
    (suite,) = ET.fromstring(pipelines.render_junit(select(_advice(), areas=("b",), top=1), RULES, ["any"]))
    assert [case.attrib["name"] for case in suite] == ["b.three"]


def test_sarif_has_a_result_per_rank() -> None:
    text = pipelines.render_sarif(select(_advice()))
    assert text.isascii()
    document = json.loads(text)
    Draft202012Validator(SARIF).validate(document)
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [(each["id"], each["defaultConfiguration"]["level"]) for each in rules] == [
        ("a.one", "error"),
        ("b.three", "note"),
    ]
    assert [(each["ruleId"], rules[each["ruleIndex"]]["id"], each["level"]) for each in run["results"]] == [
        ("a.one", "a.one", "error"),
        ("a.one", "a.one", "error"),
        ("b.three", "b.three", "note"),
    ]
    second = run["results"][1]
    assert second["message"]["text"].startswith("Title of a.one: table space TS2, member 3. Prefetch size 24 ")
    assert second["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "TABLESPACE/TS2/3"
    assert len({each["partialFingerprints"]["finding/v1"] for each in run["results"]}) == 3
    assert [each["associatedRule"]["id"] for each in run["invocations"][0]["toolExecutionNotifications"]] == ["c.four"]


@pytest.mark.parametrize(("form", "suffix"), [("junit", ".xml"), ("sarif", ".sarif")])
def test_advise_writes_formats_for_pipelines(form: str, suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"report{suffix}"
    given = ["advise", "--capture", str(X445), "--fail-on", "10"]
    assert CliRunner().invoke(main, [*given, "-o", str(file)]).exit_code == 1
    text = file.read_text(encoding="utf-8")
    assert CliRunner().invoke(main, [*given, "--format", form]).stdout == text
    if form == "sarif":
        document = json.loads(text)
        Draft202012Validator(SARIF).validate(document)
        names = [each["ruleId"] for each in document["runs"][0]["results"]]
    else:
        (suite,) = ET.fromstring(text)
        assert len(suite) == len(all_rules())
        names = [case.attrib["name"] for case in suite if case.find("failure") is not None]
    assert "prefetch.size-misaligned" in names


def test_thresholds_and_formats_agree_about_urgent_advice() -> None:
    """Condition tablespace.nearly-full of the demo is critical: application errors are likely."""
    demo = advise(CAPTURES / "webshop")
    assert any(reaches_one_of(["urgent"], item) for item in demo.ranked)
    cases = ET.fromstring(pipelines.render_junit(select(demo), all_rules(), ["urgent"])).iter("testcase")
    assert [case.get("name") for case in cases if case.find("failure") is not None] == ["tablespace.nearly-full"]
    usual = ET.fromstring(pipelines.render_junit(select(demo), all_rules())).iter("failure")
    assert "Housekeeping" not in {failure.get("type") for failure in usual}
    first, *_ = json.loads(pipelines.render_sarif(select(demo)))["runs"][0]["results"]
    assert (first["ruleId"], first["rank"]) == ("tablespace.nearly-full", 100.0)
