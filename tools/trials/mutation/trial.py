"""Trials of mutants: whether a check fails if a statement of sql/ is replaced by a mutant."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from unittest.mock import patch

from advisor.catalogue import views
from advisor.catalogue.rules import all_rules
from advisor.judgement import steps
from advisor.judgement.advice import Advice
from advisor.judgement.run import evaluate, judge_state
from tests.support.stepwise import Wanted, case, run_steps
from tools.trials.mutation.checks import Check
from tools.trials.mutation.comparison import Comparison
from tools.trials.mutation.mutants import Mutant
from tools.trials.mutation.parsing import find_rule, limit_time, parse_mutant, view_name

MOST_CHOICES = 200  # of a list: a mutant may choose for ever


def list_noticed(check: Check, mutants: Iterable[Mutant], first_state: bool = False) -> list[Mutant]:
    """Return the mutants with which a check fails. Raise AssertionError if it fails without them.

    With ``first_state``, they must change findings or the list in the first state of the check.
    """
    return [mutant for mutant in _list_effective(check, list(mutants), first_state) if fails(check, mutant)]


def fails(check: Check, mutant: Mutant) -> bool:
    """Return whether a check fails, or runs too long, with a mutant."""

    def judge(wanted: Wanted) -> Advice:
        state, rules = case(wanted)
        return evaluate(state, [all_rules()[rule.name] for rule in rules])

    try:
        with _applied(mutant), limit_time():
            run_steps(check.make(), judge)
    except Exception:
        return True
    return False


def _list_effective(check: Check, mutants: list[Mutant], first_state: bool) -> list[Mutant]:
    """Return the mutants that change findings or the list in a state of a check."""
    found: dict[Mutant, None] = {}
    test = check.make()
    wanted = next(test)
    with suppress(StopIteration):
        while True:
            state, rules = case(wanted)
            with judge_state(state, rules) as (advice, tables):
                comparison = Comparison(tables, rules, check.reads)
                found.update((mutant, None) for mutant in mutants if mutant not in found and comparison.differs(mutant))
            if first_state:
                break
            wanted = test.send(advice)
    return list(found)


@contextmanager
def _applied(mutant: Mutant) -> Iterator[None]:
    """Replace a rule or a view by a mutant, and end endless choices."""
    choices = iter(range(MOST_CHOICES))
    choice = mutant.mutated if view_name(mutant) == views.CHOICE else views.next_choice()

    def choose() -> str:
        if next(choices, None) is None:
            raise TimeoutError("it chooses for ever")
        return choice

    listed: list[tuple[dict[str, Any], str, Any]] = []
    if rule := find_rule(mutant.file):
        listed.append((all_rules(), rule.name, parse_mutant(mutant)))
    else:
        for texts in (views.model_views(), views.rank_views(), views.candidate_views(), views.advice_views()):
            listed += [(texts, name, mutant.mutated) for name in texts if name == view_name(mutant)]
    with ExitStack() as stack:
        if not rule:
            stack.enter_context(patch.object(steps, "next_choice", choose))
        for texts, name, changed in listed:
            stack.enter_context(patch.dict(texts, {name: changed}))
        yield
