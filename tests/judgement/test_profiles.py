"""Settings of healthy databases, on which rules about settings alone report nothing: profiles.yml."""

from typing import Any

import pytest

from advisor.catalogue.rules import all_rules
from tests.support.data_files import written
from tests.support.paths import ROOT
from tests.support.states import state_of
from tests.support.stepwise import Steps, stepwise

PROFILES = written(ROOT / "tests" / "judgement" / "profiles.yml")
OTHERS = {
    "workload": [],
    "bufferpool": [],
    "tablespace": [],
    "container": [],
    "cat_bufferpool": [],
    "seconds": 30,
    "cat_tablespace": [],
    "storage_path": [],
    "system": [],
    "memory_set": [],
    "transaction_log": [],
}


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile["name"])
@stepwise
def test_profile_of_healthy_database_is_silent(profile: dict[str, Any]) -> Steps:
    settings = {name: value for name, value in profile.items() if name not in ("source", "reports")}
    rules = [rule for rule in all_rules().values() if rule.judged_by == "config"]
    advice = yield state_of(OTHERS | settings), rules
    assert {item.rule.name for item in advice.ranked} == set(profile.get("reports", ()))


def test_every_profile_names_its_source() -> None:
    assert [profile["name"] for profile in PROFILES if not profile.get("source")] == []
