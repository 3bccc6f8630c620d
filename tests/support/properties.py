"""Properties of any state: checks over generated examples.

    @holds_for(states(), integers(2, 5))
    def test_more_of_the_same(state: State, factor: int) -> Steps: ...

The examples are the same on every run, and for every check that draws from the same strategies. So the advice for each
state is computed once for all checks. A check must not change its state.
"""

import pickle
import tempfile
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from advisor.judgement.advice import Advice
from tests.support.once import once
from tests.support.states import State, write_capture
from tests.support.stepwise import Steps, Wanted, judge, run_steps

EXAMPLES = 150


def holds_for(*strategies: SearchStrategy[Any]) -> Callable[[Callable[..., Steps]], Callable[[], None]]:
    """Return a test that runs a check over examples; it shows the smallest failing example."""

    def decorated(check: Callable[..., Steps]) -> Callable[[], None]:
        def test() -> None:
            first, *others = map(examples, strategies)
            drawn = list(zip(first, *map(cycle, others), strict=False))  # a strategy with few values has few examples
            answer = _answer(strategies[0])
            failed: list[tuple[tuple[Any, ...], Exception]] = []
            for example in drawn:
                try:
                    run_steps(check(*example), answer)
                except Exception as error:
                    failed.append((example, error))
            if failed:
                example, smallest = min(failed, key=lambda one: len(pickle.dumps(one[0])))
                smallest.add_note(f"{len(failed)} of {len(drawn)} fail, the smallest:\n{_shown(example)}")
                raise smallest

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorated


def examples(strategy: SearchStrategy[Any]) -> list[Any]:
    """Return the drawn examples, without shrinking."""
    return once(f"drawn of {strategy}", lambda: _drawn(strategy))


def _drawn(strategy: SearchStrategy[Any]) -> list[Any]:
    drawn: list[Any] = []

    @seed(repr(strategy))
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def draw(example: Any) -> None:
        drawn.append(example)

    draw()
    return drawn


def _answer(states: SearchStrategy[Any]) -> Callable[[Wanted], Advice]:
    """Return a function that judges; after the first check, the advice for the drawn states is known."""
    number_of = {id(state): number for number, state in enumerate(examples(states))}

    def answer(wanted: Wanted) -> Advice:
        if id(wanted) not in number_of:
            return judge(wanted)
        return once(f"advice of {states}", lambda: list(map(judge, examples(states))))[number_of[id(wanted)]]

    return answer


def _shown(example: tuple[Any, ...]) -> str:
    """Return an example in words; states as captures, for db2tune advise --capture."""
    folder = Path(tempfile.mkdtemp(prefix="db2tune-example-"))
    return ", ".join(
        str(write_capture(value, folder / str(number))) if isinstance(value, State) else repr(value)
        for number, value in enumerate(example)
    )
