"""The ranking tests on manually written findings, run for one mutant after the other."""

import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from advisor.catalogue.views import CHOICE, next_choice, rank_views
from tests.mutation.mutants import Mutant
from tests.mutation.trial import Verdict
from tests.support import handmade

HERE = Path(__file__).parents[1]
TESTS = (
    "judgement/test_ranked_again.py",
    "judgement/test_ranking.py",
    "judgement/test_accepted.py",
    "reports/test_plan.py",
)


class _Collected:
    def __init__(self) -> None:
        self.tests: dict[str, Callable[[], object]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            params: dict[str, Any] = item.callspec.params if hasattr(item, "callspec") else {}
            if isinstance(item, pytest.Function) and set(item.fixturenames) <= set(params):
                self.tests[item.name] = partial(item.obj, **params)


class ByHand:
    """Those tests that pass without a change, over one engine, of which one view is changed at a time."""

    def __init__(self) -> None:
        plugin = _Collected()
        options = ["--collect-only", "-qqqq", "-p", "no:cacheprovider", "-n", "0"]
        with redirect_stdout(io.StringIO()):
            pytest.main([*options, *(str(HERE / name) for name in TESTS)], plugins=[plugin])
        self._tests = {name: test for name, test in plugin.tests.items() if not _fails(test)}

    def try_ranking(self, name: str, mutants: Sequence[Mutant]) -> list[Verdict]:
        """Return the test that fails with each mutant of a view of sql/rank/."""
        engine = handmade.engine()
        if not engine.has(name):
            return [Verdict(mutant, None) for mutant in mutants]
        return [self._verdict(engine, name, mutant) for mutant in mutants]

    def _verdict(self, engine: "handmade.Engine", name: str, mutant: Mutant) -> Verdict:
        engine.put(name, mutant.mutated)
        try:
            return Verdict(mutant, next((test for test in self._tests if _fails(self._tests[test])), None))
        finally:
            engine.put(name, next_choice() if name == CHOICE else rank_views()[name])


def _fails(test: Callable[[], object]) -> bool:
    try:
        test()
    except Exception:
        return True
    return False
