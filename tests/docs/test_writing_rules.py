"""The complete rule of docs/writing-rules.md passes its cases, and its output equals the page."""

import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from advisor.catalogue.rules import Rule, parse
from advisor.judgement.cases import FIRES as MUST_FIRE
from advisor.judgement.cases import SILENT as MUST_BE_SILENT
from advisor.judgement.cases import find_differences
from advisor.report import table
from advisor.report.selection import select
from tests.support.carrying_out import comes_to_rest, settle_state
from tests.support.paths import ROOT
from tests.support.states import state_of
from tests.support.stepwise import Steps, stepwise

PAGE = (ROOT / "docs" / "writing-rules.md").read_text(encoding="utf-8")
SQL, CASES, SHOWN = (
    re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0]
    for language in ("sql", "yaml", "text")
)
FIRES, SILENT = (yaml.safe_load(CASES)[kind] for kind in ("fires", "silent"))


@cache
def _rule() -> Rule:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "literal-statements.sql"
        path.write_text(SQL, encoding="utf-8")
        return parse(path)


@pytest.mark.parametrize("case", FIRES, ids=lambda case: case["name"])
@stepwise
def test_fires(case: dict[str, Any]) -> Steps:
    state = settle_state(state_of(case))
    advice = yield state, [_rule()]
    assert find_differences(MUST_FIRE, case, advice) == []
    assert SHOWN in table.render(select(advice), 100)
    yield from comes_to_rest(state, advice, [_rule()])


@pytest.mark.parametrize("case", SILENT, ids=lambda case: case["name"])
@stepwise
def test_silent(case: dict[str, Any]) -> Steps:
    advice = yield state_of(case), [_rule()]
    assert find_differences(MUST_BE_SILENT, case, advice) == []
