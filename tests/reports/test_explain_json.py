"""JSON of the commands explain and rules."""

import json
from typing import Any

from click.testing import CliRunner

from advisor.catalogue.rules import all_rules
from advisor.cli.main import main
from tests.support.paths import CAPTURES

X445 = str(CAPTURES / "x445-8way")


def _print(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(main, [words[0], "--format", "json", *words[1:]])
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_explanation_of_a_rank_has_its_evidence_and_thresholds() -> None:
    found = _print("explain", "--capture", X445, "1")
    (item,) = found["recommendations"]
    assert (found["database"]["name"], found["silence"], item["rank"]) == ("HRDB", None, 1)
    assert item["rule"] == "prefetch.size-misaligned"
    assert [step["text"] for step in item["actions"]] == ['ALTER TABLESPACE "EMPLOYEE_TABLE" PREFETCHSIZE 48']
    assert item["evidence"]["containers"] == 2
    assert [claim["bucket"] for claim in item["claims"]] == ["PREFETCH_WAIT"]
    assert {threshold["name"] for threshold in item["thresholds"]}
    assert (item["why"], item["not_if"]) == (all_rules()[item["rule"]].why, all_rules()[item["rule"]].not_if)


def test_explanation_of_a_silent_rule_has_the_reason() -> None:
    found = _print("explain", "--capture", X445, "hadr.standby-away")
    assert found["recommendations"] == []
    assert found["silence"].startswith("hadr.standby-away ")


def test_list_of_rules_has_each_rule_of_an_area() -> None:
    everything = _print("rules")["rules"]
    assert [rule["rule"] for rule in everything] == sorted(all_rules())
    memory = _print("rules", "memory")["rules"]
    assert memory == [rule for rule in everything if rule["area"] == "memory"] != []


def test_rule_has_its_thresholds_and_sql() -> None:
    (rule,) = _print("rules", "memory.sort-overflow")["rules"]
    assert rule["sql"] == all_rules()["memory.sort-overflow"].select
    assert all(threshold.keys() == {"name", "value", "origin", "meaning"} for threshold in rule["thresholds"])
    assert len(rule["thresholds"]) > 3


def test_options_of_the_site_have_their_meaning() -> None:
    options = _print("rules", "site")["options"]
    assert "quiet_part" in {option["name"].lower() for option in options}
    assert all(option["meaning"] for option in options)


def test_unknown_rule_prints_an_error() -> None:
    done = CliRunner().invoke(main, ["rules", "--format", "json", "memory.sort"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "memory.sort: no such rule" in done.stderr
