"""Tests in steps: a test yields a state, or a state and the rules that judge it, and receives the advice.

@stepwise
def test_advice_that_was_carried_out(size: int) -> Steps:
    advice = yield state_of(...)
    ...
"""

import functools
from collections.abc import Callable, Generator, Sequence
from typing import Any

from advisor.catalogue.rules import Rule, all_rules
from advisor.judgement.advice import Advice
from advisor.judgement.observed import Observed
from advisor.judgement.run import evaluate
from tests.support.states import State, observe_state

Wanted = State | Observed | tuple[State | Observed, Sequence[Rule]]
Steps = Generator[Wanted, Advice, None]


def judge(wanted: Wanted) -> Advice:
    """Return the advice for a state."""
    return evaluate(*case(wanted))


def case(wanted: Wanted) -> tuple[Observed, Sequence[Rule]]:
    state, rules = wanted if isinstance(wanted, tuple) else (wanted, list(all_rules().values()))
    return state if isinstance(state, Observed) else observe_state(state), rules


def stepwise(function: Callable[..., Steps], answer: Callable[[Any], Any] = judge) -> Callable[..., None]:
    """Return a test that answers each request of a generator."""

    @functools.wraps(function)
    def test(*arguments: Any, **values: Any) -> None:
        run_steps(function(*arguments, **values), answer)

    return test


def run_steps(steps: Steps, answer: Callable[[Any], Any] = judge) -> None:
    """Answer each request of a generator."""
    received = None
    while True:
        try:
            wanted = steps.send(received)  # type: ignore[arg-type]  # the first step takes None
        except StopIteration:
            return
        received = answer(wanted)
