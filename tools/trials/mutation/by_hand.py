"""The tests of the ranking on manually written findings, run with one mutant after another."""

from functools import cache

from advisor.catalogue.views import CHOICE, next_choice, rank_views
from tests.support import handmade
from tests.support.paths import ROOT
from tools.trials.mutation.checks import Test, collect_tests
from tools.trials.mutation.mutants import Mutant
from tools.trials.mutation.parsing import limit_time, view_name

TESTS = (
    "judgement/test_ranked_again.py",
    "judgement/test_ranking.py",
    "judgement/test_accepted.py",
    "reports/test_plan.py",
)


@cache
def _list_passing() -> list[Test]:
    """Return the tests that pass without a change."""
    return [test for test in collect_tests([ROOT / "tests" / name for name in TESTS]) if not _fails(test)]


def try_ranking(mutants: list[Mutant]) -> dict[Mutant, str]:
    """Return the mutants of sql/rank/ that a test notices, each with the first test that fails."""
    engine, noticed = handmade.engine(), dict[Mutant, str]()
    tests = _list_passing()
    for mutant in mutants:
        name = view_name(mutant)
        if engine.has(name):
            engine.put(name, mutant.mutated)
            noticed[mutant] = next((test.name for test in tests if _fails(test)), "")
            engine.put(name, next_choice() if name == CHOICE else rank_views()[name])
    return {mutant: test for mutant, test in noticed.items() if test}


def _fails(test: Test) -> bool:
    try:
        with limit_time():
            test.function(**test.values)
    except Exception:
        return True
    return False
