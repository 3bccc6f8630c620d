"""The tests that try mutants: the cases of rules, the machines with expected advice, and stepwise tests."""

import inspect
import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

from advisor.catalogue.rules import Rule
from advisor.judgement.cases import FIRES, SILENT, make_edge_cases
from advisor.judgement.report_rows import LOCK_NODE, REPORT
from tests.machines import MACHINES, summary
from tests.support.carrying_out import fires, is_at_edge, is_silent
from tests.support.data_files import read_expected, written
from tests.support.paths import EXPECTED, ROOT, cases_path
from tests.support.stepwise import Steps

TESTS = ROOT / "tests" / "judgement"
# Cases are listed per rule; the states of the others test no decision, or other modules test them too.
LEFT_OUT = {
    *("test_rules.py", "test_second_engine.py", "test_hostile_names.py", "test_fixed_point.py"),
    "test_interim.py",
}


@dataclass(frozen=True)
class Check:
    """A test as a generator that can be restarted; ``reads`` are the views of the list that it compares."""

    name: str
    make: Callable[[], Steps]
    reads: Sequence[str] = ("ADVICE", "COMMAND", "CLAIM", "PLAN")


def list_cases(rule: Rule) -> list[Check]:
    """Return the cases of a rule, those that fire first."""
    document = written(cases_path(rule))
    tests = {FIRES: fires, SILENT: is_silent}
    cases = [(kind, partial(tests[kind], rule, case), case) for kind in tests for case in document[kind]]
    cases += [(kind, partial(is_at_edge, rule, kind, case), case) for kind, case in make_edge_cases(document)]
    return [Check(f"{rule.name} {kind}: {case['name']}", make) for kind, make, case in cases]


@cache
def list_shared() -> list[Check]:
    """Return the checks of many rules: the machines, then the quick stepwise tests of tests/judgement/."""
    checks = [Check(f"machine {name}", partial(_machine, name)) for name in MACHINES]
    for test in collect_tests([path for path in sorted(TESTS.glob("test_*.py")) if path.name not in LEFT_OUT]):
        function = inspect.unwrap(test.function)
        if inspect.isgeneratorfunction(function):
            checks.append(Check(test.name, partial(function, **test.values), (*REPORT, LOCK_NODE)))
    return checks


def _machine(name: str) -> Steps:
    advice = yield MACHINES[name]()
    assert summary(advice) == read_expected(EXPECTED)[name]


class Test(NamedTuple):
    """A test function with the values of its parameters."""

    name: str
    function: Callable[..., Any]
    values: dict[str, Any]


class _Collected:
    def __init__(self) -> None:
        self.items: list[Any] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items = session.items


def collect_tests(paths: list[Path]) -> list[Test]:
    """Return the quick tests of files that need no fixture."""
    settings.register_profile("mutation", derandomize=True)  # the same examples each time
    settings.load_profile("mutation")
    plugin = _Collected()
    options = ["--collect-only", "-qqqq", "-p", "no:cacheprovider", "-m", "not full", "-n", "0"]
    with redirect_stdout(io.StringIO()) as said:
        status = pytest.main([*options, *map(str, paths)], plugins=[plugin])
    if status:
        raise RuntimeError(said.getvalue())
    found = []
    for item in plugin.items:
        values = item.callspec.params if hasattr(item, "callspec") else {}
        if isinstance(item, pytest.Function) and set(item.fixturenames) <= set(values):
            found.append(Test(f"{item.path.stem}: {item.name}", item.obj, values))
    return found
