"""The tests that are judged together, with the states that they want and what they were sent for them."""

import io
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from advisor.catalogue.rules import Rule, all_rules
from advisor.judgement.advice import Advice
from advisor.judgement.cases import FIRES, SILENT, make_edge_cases
from tests.machines import MACHINES, summary
from tests.support import together
from tests.support.carrying_out import fires, is_at_edge, is_silent
from tests.support.expected import read_expected
from tests.support.paths import EXPECTED, cases_path
from tests.support.stepwise import Steps, Wanted
from tests.support.written import written

TESTS = Path(__file__).parents[1] / "judgement"
# Their states test no decision, or other modules test them too.
LEFT_OUT = {"test_many.py", "test_second_engine.py", "test_hostile_names.py", "test_fixed_point.py", "test_interim.py"}


@dataclass
class Check:
    """A test as a generator that can be restarted; ``rule`` is the rule whose case it is.

    ``wanted`` and ``sent`` are filled step by step: each request of the test, and the advice sent for it.
    """

    name: str
    make: Callable[[], Steps]
    rule: str | None
    wanted: list[Wanted] = field(default_factory=list)
    sent: list[Advice] = field(default_factory=list)

    def fails(self, instead: dict[int, Advice]) -> bool:
        """Return whether the test fails if some steps get other advice; a request that is new counts as no failure."""
        steps = self.make()
        try:
            wanted = next(steps)
            for number, sent in enumerate(self.sent):
                if number and not _same(wanted, self.wanted[number]):
                    return False
                wanted = steps.send(instead.get(number, sent))
        except StopIteration:
            pass
        except Exception:
            return True
        return False


def _same(one: Wanted, other: Wanted) -> bool:
    def state(wanted: Wanted) -> object:
        return wanted[0] if isinstance(wanted, tuple) else wanted

    return state(one) == state(other)


class _Collected:
    def __init__(self) -> None:
        self.items: list[Any] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items = [item for item in session.items if hasattr(getattr(item, "obj", None), "steps")]


def collected() -> list[Check]:
    """The checks of tests/judgement/, and one of each machine that has expected advice."""
    plugin = _Collected()
    paths = [str(path) for path in sorted(TESTS.glob("test_*.py")) if path.name not in LEFT_OUT]
    options = ["--collect-only", "-qqqq", "-p", "no:cacheprovider", "-m", "not full", "-n", "0"]
    with redirect_stdout(io.StringIO()) as said:
        status = pytest.main([*options, *paths], plugins=[plugin])
    if status:
        raise RuntimeError(said.getvalue())
    checks = [_check(item) for item in plugin.items if item.obj.answer is together.judged]
    return [*checks, *(Check(f"machine {name}", _machine(name), None) for name in MACHINES)]


def cases_of(rule: Rule) -> list[Check]:
    """Return the cases of one rule, without looking for all tests."""
    tests = {FIRES: fires, SILENT: is_silent}
    path = cases_path(rule)
    cases = [(kind, case) for kind in tests for case in written(path)[kind]]
    found = [Check(f"{kind}: {case['name']}", partial(tests[kind], rule, case), rule.name) for kind, case in cases]
    found += [
        Check(case["name"], partial(is_at_edge, rule, kind, case), rule.name)
        for kind, case in make_edge_cases(written(path))
    ]
    return found


def _check(item: Any) -> Check:
    params = item.callspec.params if hasattr(item, "callspec") else {}
    rule = params["rule"].name if item.path.name == "test_rules.py" and "rule" in params else None
    return Check(item.name, lambda: item.obj.steps(**params), rule)


def _machine(name: str) -> Callable[[], Steps]:
    want = read_expected(EXPECTED)[name]

    def steps() -> Steps:
        advice = yield MACHINES[name]()
        assert summary(advice) == want

    return steps


def rules_of(wanted: Wanted) -> Sequence[Rule]:
    return wanted[1] if isinstance(wanted, tuple) else list(all_rules().values())


def advance(checks: Iterable[Check]) -> list[Check]:
    """The checks that want another state after what they were sent, with it in ``wanted``.

    Raises RuntimeError for one that fails.
    """
    going = []
    for check in checks:
        steps = check.make()
        try:
            wanted = next(steps)
            for sent in check.sent:
                wanted = steps.send(sent)
        except StopIteration:
            continue
        except AssertionError as error:
            raise RuntimeError(f"{check.name} fails before anything is changed") from error
        check.wanted.append(wanted)
        going.append(check)
    return going
